// SPDX-License-Identifier: MIT
//
// Reading the cloths of a scene, and what holds them.

#include "errors.h"
#include "scene_stage.h"

void read_pin(reader *r, place *at, void *to)
{
#define FIELDS_OF scene_pin
	static const key keys[] = {
		VECTOR2("from", NULL, from, 0.0, 1.0),  VECTOR2("to", NULL, to, 0.0, 1.0),
		INT("count", NULL, count, 0.0, 2050.0), OTHER("instance", NULL),
		BOOL("releases", NULL, releases),       { 0 },
	};
#undef FIELDS_OF
	scene_pin *pin = to;
	pin->instance = -1;
	read_keys(r, at, keys, pin);
	if (r->status != STATUS_OK)
		return;
	if (!member(r, at, "to").value)
		pin->to[0] = pin->from[0], pin->to[1] = pin->from[1];
	if (member(r, at, "instance").value)
		pin->instance = find_instance(r, at, "instance");
	place releases = member(r, at, "releases");
	if (pin->releases && pin->instance < 0)
		complain(r, &releases, "only a pin that an instance holds is released");
}

void read_cloth(reader *r, place *at, void *to)
{
#define FIELDS_OF scene_cloth
	static const key keys[] = {
		NAME("name", NULL, name),
		VECTOR2("size", NULL, size, 1e-3, 1e3),
		INT("columns", NULL, columns, 1.0, 1024.0),
		INT("rows", NULL, rows, 1.0, 1024.0),
		VECTOR("position", NULL, position, -1e5, 1e5),
		VECTOR4("rotation", NULL, rotation, -1e5, 1e5),
		OTHER("pins", NULL),
		NUMBER("thickness", NULL, thickness, 1e-4, 1.0),
		NUMBER("density", NULL, density, 1e-3, 1e3),
		NUMBER("stiffness", NULL, stiffness, 1.0, 1e7),
		NUMBER("bending", NULL, bending, 0.0, 1e6),
		NUMBER("friction", NULL, friction, 0.0, 10.0),
		NUMBER("tear_strain", NULL, tear_strain, 0.0, 100.0),
		VECTOR("color", NULL, color, 0.0, 1.0),
		{ 0 },
	};
#undef FIELDS_OF
	scene_cloth *cloth = to;
	*cloth = (scene_cloth){ .size = { 1.0, 1.0 },
		                    .columns = 16,
		                    .rows = 16,
		                    .rotation = { 0.0, 1.0, 0.0, 0.0 },
		                    .thickness = 0.01,
		                    .density = 0.3,
		                    .stiffness = 2000.0,
		                    .bending = 2.0,
		                    .friction = 0.4,
		                    .color = { 0.6, 0.1, 0.08 } };
	read_keys(r, at, keys, cloth);
	if (r->status != STATUS_OK)
		return;
	place rotation = member(r, at, "rotation"), rows = member(r, at, "rows");
	const double *axis = cloth->rotation;
	if (axis[0] == 0.0 && axis[1] == 0.0 && axis[2] == 0.0)
		complain(r, &rotation, "the axis has no direction");
	if ((int64_t)cloth->columns * cloth->rows > 1 << 18)
		complain(r, &rows, "%d by %d cells are more than %d", cloth->columns, cloth->rows, 1 << 18);
	place thickness = member(r, at, "thickness");
	double cell = cloth->size[0] / cloth->columns, other = cloth->size[1] / cloth->rows;
	if (cloth->thickness > (cell < other ? cell : other))
		complain(r, &thickness, "%g is more than a cell, which is %g by %g", cloth->thickness, cell,
		         other);
	if (member(r, at, "pins").value && r->status == STATUS_OK)
		cloth->pins =
			read_items(r, at, "pins", true, sizeof *cloth->pins, read_pin, &cloth->pin_count);
}
