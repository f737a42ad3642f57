// SPDX-License-Identifier: MIT
// What a repair has done, as one summary.
#pragma once

#include <rubble/mesh.h>

#include <stdio.h>

/// Print what was done as a table, a line for each kind of change.
void print_repair_table(const rbl_mesh_repair_report *report);

/// Write the same as a JSON object, "holes_filled": 5, with all kinds.
void put_repair_json(FILE *file, const rbl_mesh_repair_report *report);

/// Add what was done to another mesh.
void add_repair(rbl_mesh_repair_report *sum, const rbl_mesh_repair_report *report);

/// Print the same as one line: "repaired: 5 holes filled, 213 faces added".
void print_repair_line(const rbl_mesh_repair_report *report);
