// SPDX-License-Identifier: MIT
//
// What a repair has done.

#include "repair_report.h"

#include "errors.h"

enum { CHANGES = 13 };

typedef struct change {
	const char *name, *phrase;
	int count;
} change;

static void list_changes(const rbl_mesh_repair_report *r, change changes[CHANGES])
{
	const change list[CHANGES] = {
		{ "vertices welded", "vertices welded", r->welded_vertices },
		{ "vertices dropped", "vertices dropped", r->dropped_vertices },
		{ "degenerate faces", "degenerate faces dropped", r->dropped_degenerate },
		{ "duplicate faces", "duplicate faces dropped", r->dropped_duplicates },
		{ "faces turned over", "faces turned over", r->flipped_faces },
		{ "shells turned over", "shells turned over", r->flipped_shells },
		{ "shells dropped", "shells dropped that enclose nothing", r->dropped_shells },
		{ "vertices split", "vertices split", r->split_vertices },
		{ "faces cut", "faces cut", r->cut_faces },
		{ "holes filled", "holes filled", r->filled_holes },
		{ "faces added", "faces added", r->added_faces },
		{ "crossings resolved", "crossings taken apart", r->resolved_crossings },
		{ "vertices added", "vertices added", r->added_vertices },
	};
	for (int i = 0; i < CHANGES; ++i)
		changes[i] = list[i];
}

void print_repair_table(const rbl_mesh_repair_report *report)
{
	change changes[CHANGES];
	list_changes(report, changes);
	if (report->is_unchanged)
		say("nothing to repair\n");
	for (int i = 0; i < CHANGES; ++i)
		if (changes[i].count > 0)
			say("%-19s  %d\n", changes[i].name, changes[i].count);
}

void print_repair_line(const rbl_mesh_repair_report *report)
{
	change changes[CHANGES];
	list_changes(report, changes);
	say("%s", report->is_unchanged ? "nothing to repair" : "repaired:");
	for (int i = 0, shown = 0; i < CHANGES; ++i)
		if (changes[i].count > 0)
			say("%s %d %s", shown++ > 0 ? "," : "", changes[i].count, changes[i].phrase);
	say("\n");
}
