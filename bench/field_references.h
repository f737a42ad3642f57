// SPDX-License-Identifier: MIT
// What the paper reports, and what we want to reach, beside what the suite `field` measures.
#pragma once

#include "bench.h"

/// Record the rows `paper`, `must` and `aim` of a case, as far as there are any.
void field_write_references(bench *b, const char *case_name);
