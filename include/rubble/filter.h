// SPDX-License-Identifier: MIT
// Filters: who may form a pair with whom.
#pragma once

#include <stdint.h>

/// Who may form a pair with whom: (a.category & b.mask) and (b.category & a.mask), unless both
/// have the same group other than zero: then a positive group always pairs, a negative one never.
typedef struct rbl_filter {
	uint32_t category, mask;
	int32_t group;
} rbl_filter;
