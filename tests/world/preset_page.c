// SPDX-License-Identifier: MIT
// ctest: native
//
// The page on materials has the numbers of presets as they are, and says of each where it is from.

#include "../test.h"

#include <rubble/preset.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE_SIZE = 1 << 16, MOST_CELLS = 12 };

static char page[PAGE_SIZE];

static void read_page(test *t)
{
	FILE *file = fopen(RBL_SOURCE_DIR "/docs/materials.md", "rb");
	CHECK(t, file != NULL);
	size_t size = file ? fread(page, 1, sizeof page - 1, file) : 0;
	page[size] = '\0';
	CHECK(t, size > 5000 && size < sizeof page - 1);
	if (file)
		fclose(file);
}

// Split the row of a preset in the table that begins with a heading.
// @return the number of cells, 0 when there is no such row
static int split_row(const char *heading, const char *name, char *row, size_t size,
                     char *cells[MOST_CELLS])
{
	char start[80];
	snprintf(start, sizeof start, "\n| `%s` |", name);
	const char *table = strstr(page, heading);
	const char *found = table ? strstr(table, start) : NULL;
	const char *end = found ? strchr(found + 1, '\n') : NULL;
	if (!end || (size_t)(end - found) >= size)
		return 0;
	memcpy(row, found + 1, (size_t)(end - found - 1));
	row[end - found - 1] = '\0';
	int count = 0;
	for (char *cell = strtok(row, "|"); cell && count < MOST_CELLS; cell = strtok(NULL, "|"))
		cells[count++] = cell;
	return count;
}

// The numbers of a cell are those, as far as the page has digits.
static void check_cell(test *t, const char *name, const char *cell, const double *values, int count)
{
	int found = 0;
	for (const char *c = cell; *c; ++c) {
		if (!isdigit((unsigned char)*c))
			continue;
		char *end = NULL;
		double number = strtod(c, &end);
		if (found < count && fabs(number - values[found]) > 1e-6 * values[found])
			printf("%s: the page has %g for %g\n", name, number, values[found]);
		CHECK(t, found < count && fabs(number - values[found]) <= 1e-6 * values[found]);
		found++;
		c = end - 1;
	}
	CHECK(t, found == count);
}

static void the_page_has_the_numbers(test *t)
{
	enum { MEGA = 1000000 };
	read_page(t);
	for (int i = 0; i < RBL_PRESET_COUNT; ++i) {
		rbl_preset_def def = rbl_default_preset_def((rbl_preset)i);
		const rbl_material_values *v = &def.material.values;
		const rbl_bond_strengths *s = &def.material.strengths;
		const char *name = rbl_preset_name((rbl_preset)i);
		char row[400], *cells[MOST_CELLS];
		int count = split_row("| preset | breaks in |", name, row, sizeof row, cells);
		CHECK(t, count == 8);
		if (count != 8)
			continue;
		check_cell(t, name, cells[2], (double[]){ (double)v->density }, 1);
		check_cell(t, name, cells[3], (double[]){ (double)v->friction }, 1);
		check_cell(t, name, cells[4], (double[]){ (double)v->restitution }, 1);
		check_cell(t, name, cells[5],
		           (double[]){ s->tension / MEGA, s->shear / MEGA, s->compression / MEGA }, 3);
		check_cell(t, name, cells[6], (double[]){ def.levels[0].energy }, 1);
		check_cell(t, name, cells[7], (double[]){ def.levels[0].radius }, 1);
	}
}

// Each number has the letter of a source that is in the list, or is said to be derived or a choice.
static void each_number_names_its_source(test *t)
{
	read_page(t);
	int sourced = 0;
	for (int i = 0; i < RBL_PRESET_COUNT; ++i) {
		char row[400], *cells[MOST_CELLS];
		const char *name = rbl_preset_name((rbl_preset)i);
		int count = split_row("| preset | density |", name, row, sizeof row, cells);
		CHECK(t, count == 7);
		for (int k = 1; k < count; ++k) {
			const char *cell = cells[k] + strspn(cells[k], " ");
			const char *colon = strchr(cell, ':'); // "first level: f, others c"
			char letter = colon ? colon[2] : cell[0], line[8];
			snprintf(line, sizeof line, "\n- %c: ", letter);
			bool is_named = letter == 'c' || letter == 'd' || strstr(page, line);
			if (!is_named)
				printf("%s: there is no source '%c'\n", name, letter);
			CHECK(t, is_named);
			sourced += letter != 'c' && letter != 'd';
		}
	}
	CHECK(t, sourced >= 3 * RBL_PRESET_COUNT);
}

TEST_MAIN(TEST(the_page_has_the_numbers), TEST(each_number_names_its_source))
