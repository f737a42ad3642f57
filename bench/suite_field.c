// SPDX-License-Identifier: MIT
//
// The room `field`: distance fields of meshes and fragments.

#include "field_cases.h"

static void run(bench *b)
{
	field_run_assets(b);
	field_run_fragments(b);
}

const bench_suite bench_suite_field = { "field", "distance fields: building, fragments, questions",
	                                    run };
