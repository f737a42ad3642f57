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

void put_repair_json(FILE *file, const rbl_mesh_repair_report *report)
{
	change changes[CHANGES];
	list_changes(report, changes);
	fprintf(file, "{");
	for (int i = 0; i < CHANGES; ++i) {
		fprintf(file, "%s\"", i ? ", " : "");
		for (const char *c = changes[i].name; *c; ++c)
			fputc(*c == ' ' ? '_' : *c, file);
		fprintf(file, "\": %d", changes[i].count);
	}
	fprintf(file, "}");
}

void add_repair(rbl_mesh_repair_report *sum, const rbl_mesh_repair_report *report)
{
	sum->is_unchanged &= report->is_unchanged;
	sum->welded_vertices += report->welded_vertices;
	sum->dropped_vertices += report->dropped_vertices;
	sum->dropped_degenerate += report->dropped_degenerate;
	sum->dropped_duplicates += report->dropped_duplicates;
	sum->flipped_faces += report->flipped_faces;
	sum->flipped_shells += report->flipped_shells;
	sum->dropped_shells += report->dropped_shells;
	sum->split_vertices += report->split_vertices;
	sum->cut_faces += report->cut_faces;
	sum->filled_holes += report->filled_holes;
	sum->added_faces += report->added_faces;
	sum->resolved_crossings += report->resolved_crossings;
	sum->added_vertices += report->added_vertices;
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
