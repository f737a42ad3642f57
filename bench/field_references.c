// SPDX-License-Identifier: MIT
//
// Figures of Glondu et al. 2014, section 7 (a 3.4 GHz i7-2600, one core), as far as its text has
// them, and the figures that we must reach and aim at on one core of today.

#include "field_references.h"

#include <string.h>

typedef struct reference {
	const char *case_name, *variant, *metric;
	double value;
	const char *unit;
} reference;

static const reference references[] = {
	{ "sphere-2k5-4000", "paper", "update_ms", 1.54, "ms" },
	{ "sphere-2k5-4000", "paper", "query_ms", 1.16, "ms" },
	{ "sphere-2k5-4000", "paper", "query_max_ms", 3.27, "ms" },
	{ "sphere-2k5-4000", "must", "update_ms", 0.5, "ms" },
	{ "sphere-2k5-4000", "must", "query_ms", 0.15, "ms" },
	{ "sphere-2k5-4000", "must", "query_max_ms", 0.5, "ms" },
	{ "sphere-2k5-4000", "aim", "update_ms", 0.25, "ms" },
	{ "sphere-2k5-4000", "aim", "query_ms", 0.05, "ms" },
	{ "sphere-2k5-4000", "aim", "query_max_ms", 0.2, "ms" },

	{ "sphere-10k-4000", "paper", "update_ms", 1.8, "ms" },
	{ "sphere-10k-4000", "paper", "query_ms", 1.37, "ms" },
	{ "sphere-10k-4000", "paper", "query_max_ms", 4.17, "ms" },
	{ "sphere-10k-4000", "must", "update_ms", 0.5, "ms" },
	{ "sphere-10k-4000", "must", "query_ms", 0.15, "ms" },
	{ "sphere-10k-4000", "must", "query_max_ms", 0.5, "ms" },
	{ "sphere-10k-4000", "aim", "update_ms", 0.25, "ms" },
	{ "sphere-10k-4000", "aim", "query_ms", 0.05, "ms" },
	{ "sphere-10k-4000", "aim", "query_max_ms", 0.2, "ms" },

	{ "sphere-2k5-435", "paper", "update_ms", 0.46, "ms" }, // with its tree
	{ "sphere-2k5-435", "must", "update_ms", 0.1, "ms" },
	{ "sphere-2k5-435", "aim", "update_ms", 0.05, "ms" },

	{ "plate", "paper", "contacts_max", 6.0, "" },
	{ "plate", "must", "contacts_max", 8.0, "" },
	{ "plate", "must", "penetration_mm", 1.0, "mm" },
	{ "plate", "aim", "contacts_max", 4.0, "" },

	{ "bowl-8", "must", "penetration_mm", 0.5, "mm" },
	{ "bowl-8", "aim", "penetration_mm", 0.3, "mm" },
	{ "bowl-12", "must", "penetration_mm", 0.15, "mm" },
	{ "bowl-12", "aim", "penetration_mm", 0.08, "mm" },

	{ "bunnies", "paper", "step_ms", 24.5, "ms" },
	{ "bunnies", "paper", "step_max_ms", 81.5, "ms" },
	{ "bunnies", "paper", "contacts", 866.0, "" },
	{ "bunnies", "paper", "contacts_max", 2393.0, "" },
	{ "bunnies", "paper", "fragments", 166.0, "" },
	{ "bunnies", "paper", "triangles", 435e3, "" },
	{ "bunnies", "paper-fixed-8", "contacts", 755.0, "" },
	{ "bunnies", "paper-fixed-8", "contacts_max", 1974.0, "" },
	{ "bunnies", "paper-naive", "contacts", 1235.0, "" },
	{ "bunnies", "paper-naive", "contacts_max", 3245.0, "" },
	{ "bunnies", "must", "step_ms", 8.0, "ms" },
	{ "bunnies", "must", "step_max_ms", 25.0, "ms" },
	{ "bunnies", "aim", "step_ms", 4.0, "ms" },
	{ "bunnies", "aim", "step_max_ms", 12.0, "ms" },

	{ "bricks", "paper", "step_ms", 11.7, "ms" },
	{ "bricks", "paper", "step_max_ms", 29.5, "ms" },
	{ "bricks", "paper", "fragments", 156.0, "" },
	{ "bricks", "paper", "triangles", 40e3, "" },

	{ "plates", "paper", "step_ms", 7.4, "ms" },
	{ "plates", "paper", "step_max_ms", 13.2, "ms" },
	{ "plates", "paper", "triangles", 45e3, "" },
	{ "plates", "must", "step_ms", 2.5, "ms" },
	{ "plates", "must", "step_max_ms", 5.0, "ms" },
	{ "plates", "aim", "step_ms", 1.5, "ms" },
	{ "plates", "aim", "step_max_ms", 3.0, "ms" },

	{ "interactive-bunnies", "paper", "step_ms", 2.0, "ms" },
	{ "interactive-bunnies", "paper", "step_max_ms", 10.0, "ms" },
	{ "interactive-bunnies", "must", "step_ms", 1.0, "ms" },
	{ "interactive-bunnies", "must", "step_max_ms", 4.0, "ms" },
	{ "interactive-bunnies", "aim", "step_ms", 0.6, "ms" },
	{ "interactive-bunnies", "aim", "step_max_ms", 2.0, "ms" },

	{ "birth", "must", "off_crack_percent", 5.0, "%" },

	{ "order-surface", "must", "time", 150.0, "ms" },
	{ "order-surface", "aim", "time", 50.0, "ms" },
	{ "order-volume", "must", "time", 150.0, "ms" },
	{ "order-volume", "aim", "time", 50.0, "ms" },

	{ "arena", "must", "step_ratio", 1.3, "" },
	{ "arena", "must", "below_floor", 0.0, "" },
};

// Cases of one kind, by how their names begin.
static const reference common[] = {
	{ "first-touch-", "must", "late_max_mm", 0.5, "mm" },
	{ "first-touch-", "must", "bytes", 1e6, "B" },
	{ "first-touch-", "aim", "late_max_mm", 0.2, "mm" },
	{ "first-touch-", "aim", "bytes", 0.5e6, "B" },
};

static void write_reference(bench *b, const char *case_name, const reference *r)
{
	bench_row(b, case_name, r->variant, r->metric, r->value, r->unit);
}

void field_write_references(bench *b, const char *case_name)
{
	for (size_t i = 0; i < sizeof references / sizeof references[0]; ++i)
		if (strcmp(references[i].case_name, case_name) == 0)
			write_reference(b, case_name, &references[i]);
	for (size_t i = 0; i < sizeof common / sizeof common[0]; ++i)
		if (strncmp(common[i].case_name, case_name, strlen(common[i].case_name)) == 0)
			write_reference(b, case_name, &common[i]);
}
