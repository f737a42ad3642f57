// SPDX-License-Identifier: MIT
//
// The room `field`: distance fields of meshes and fragments, sphere trees, contacts, crack fields.

#include "field_cases.h"
#include "field_contacts.h"
#include "field_references.h"
#include "world_break.h"

static void run(bench *b)
{
	field_run_assets(b);
	field_run_fragments(b);
	field_run_compounds(b);
	bench_field_contacts(b);
	field_run_first_touch(b);
	field_run_worlds(b);
	if (bench_wants(b, "arena")) {
		bench_arena_contacts(b, "arena");
		field_write_references(b, "arena");
	}
}

const bench_suite bench_suite_field = { "field",
	                                    "distance fields: building, fragments, contacts, cracks",
	                                    run };
