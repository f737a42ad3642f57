// SPDX-License-Identifier: MIT
// Inside the JSON reader: what a value is in memory.
#pragma once

#include "io/memory.h"

#include <rubble/json.h>

/// A value. The items of a container lie side by side. An object has a key before each value; one
/// of more than RBL_JSON_SMALL members has one value more, which points to their order by key.
struct rbl_json {
	union {
		double number;
		int64_t whole;         // a number that is_whole
		const char *text;      // of a text, closed by a zero
		const rbl_json *items; // of a list or object
		const uint32_t *order; // members by key
		size_t index;          // of text, items or order while parsing
	} as;
	uint32_t begin, end; // in the source
	uint32_t count;      // items, members, bytes
	uint8_t type;        // rbl_json_type, or RBL_JSON_ORDER
	bool is_whole;       // a number without fraction and exponent that fits into 64 bits
};

enum { RBL_JSON_SMALL = 16, RBL_JSON_ORDER = RBL_JSON_OBJECT + 1 };

struct rbl_json_document {
	rbl_io_memory memory;
	const char *source;
	size_t size;
	rbl_json root;
	RBL_IO_ARRAY(rbl_json) values;
	RBL_IO_ARRAY(uint32_t) orders;
	char *text; // of all texts and keys
	size_t text_size, text_capacity;
};

/// Compare keys by bytes. @return below, above or 0
int rbl_json_compare(const char *a, size_t a_size, const char *b, size_t b_size);
