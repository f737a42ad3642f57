// SPDX-License-Identifier: MIT
// What the lane tests pass between back ends: inputs as plain arrays, and one record per operation.
#pragma once

#include "base/kernel.h"

#include <rubble/types.h>

#include <stdint.h>

typedef struct lane_input {
	float a[8], b[8];
	int32_t i[8], k[8];
	double c[4], d[4];
	int32_t index[8]; // 0 to 15
	int shift;        // 0 to 31
	int first;        // 0 to 4
	float floats[16]; // to gather from
	int32_t ints[16];
	double doubles[16];
	rbl_vec3 points[16];
	rbl_vec3d points_d[16];
} lane_input;

// How records of two back ends are compared.
typedef enum lane_kind {
	LANE_BITS,   // bit by bit
	LANE_FLOAT,  // floats by arithmetic: bit by bit, and any NaN for any NaN
	LANE_DOUBLE, // the same for doubles
} lane_kind;

typedef struct lane_record {
	const char *name;
	lane_kind kind;
	int size;
	union {
		float f[24];
		int32_t i[24];
		uint32_t u[24];
		double d[12];
		uint64_t l[12];
		unsigned char bytes[96];
	} value;
} lane_record;

enum { LANE_RECORD_CAPACITY = 256 };

// Every operation once. @return the number of records, the same for each back end.
RBL_DECLARE_KERNEL(int, run_lanes, (const lane_input *in, lane_record *records));

// The example of base/kernel.h.
RBL_DECLARE_KERNEL(float, sum_squares, (const float *values, int count));
