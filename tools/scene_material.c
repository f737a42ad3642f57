// SPDX-License-Identifier: MIT
//
// Materials of scene files.
//
// A material breaks by levels. It says so in one of three ways: by `levels`, a list; by a preset,
// whose levels follow what is given besides; or by `break_energy` and the keys of its pattern, which
// make two levels: the material's own, and one for ten times the energy, wider and with three times
// as many cells.

#include "scene_material.h"

#include "errors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const scene_pattern_names[] = {
	"voronoi", "impact", "web", "bricks", "splinters", NULL
};
const char *const scene_bond_names[] = { "running", "stack", "flemish", NULL };

// Fragments smaller than this share of min_size turn to dust unless the material says otherwise.
static const double DUST_SHARE = 0.3;

// As rbl_preset_name(), which a table of constants cannot call.
static const char *const preset_names[] = { "concrete",    "brick",          "stone",
	                                        "glass",       "tempered_glass", "wood",
	                                        "plaster",     "ceramic",        "ice",
	                                        "metal_sheet", "none",           NULL };
_Static_assert(sizeof preset_names / sizeof preset_names[0] == RBL_PRESET_COUNT + 2,
               "a preset without a name");

// --- presets ------------------------------------------------------------------------------------

static scene_level level_of_preset(const rbl_preset_level *from)
{
	const rbl_pattern_def *p = &from->pattern;
	return (scene_level){ .energy = from->energy,
		                  .radius = from->radius,
		                  .pattern = (int)p->kind,
		                  .size = { p->size.x, p->size.y, p->size.z },
		                  .cell_count = p->cell_count,
		                  .focus = p->focus,
		                  .ring_count = p->ring_count,
		                  .spoke_count = p->spoke_count,
		                  .jitter = p->jitter,
		                  .brick_size = { p->brick_size.x, p->brick_size.y, p->brick_size.z },
		                  .bond = (int)p->bond,
		                  .stretch = p->stretch,
		                  .seed = p->seed };
}

static void take_preset_values(scene_material *m, const rbl_material_def *def)
{
	m->density = (double)def->values.density;
	m->friction = (double)def->values.friction;
	m->restitution = (double)def->values.restitution;
	m->placement = (int)def->placement;
	m->radius_limit = def->damage.radius_limit;
	m->min_size = def->damage.min_size, m->dust_size = def->damage.dust_size;
	m->bend_energy = def->damage.bend_energy, m->bend_depth = def->damage.bend_depth;
	m->bend_radius = def->damage.bend_radius;
	m->bond_tension = def->strengths.tension, m->bond_shear = def->strengths.shear;
	m->bond_compression = def->strengths.compression;
	m->wear_energy = def->damage.wear_energy, m->wear_radius = def->damage.wear_radius;
	m->wear_exponent = def->damage.wear_exponent;
	m->bond_energy = def->damage.bond_energy;
	m->debris = (scene_debris){ .kind = (int)def->debris.kind,
		                        .density = def->debris.density,
		                        .min_radius = def->debris.min_radius,
		                        .max_radius = def->debris.max_radius,
		                        .speed = (double)def->debris.speed,
		                        .lifetime = 10.0,
		                        .dust_density = def->debris.dust_density,
		                        .limit = def->debris.limit };
}

static void take_preset(scene_material *m, rbl_preset preset)
{
	rbl_preset_def def = rbl_default_preset_def(preset);
	take_preset_values(m, &def.material);
	m->color[0] = (double)def.look.base_color.x, m->color[1] = (double)def.look.base_color.y;
	m->color[2] = (double)def.look.base_color.z, m->opacity = (double)def.look.base_color.w;
	m->metallic = (double)def.look.metallic, m->surface_roughness = (double)def.look.roughness;
	m->inner_color[0] = (double)def.inner_color.x, m->inner_color[1] = (double)def.inner_color.y;
	m->inner_color[2] = (double)def.inner_color.z;
	m->dust_radius = 0.25;
	m->level_count = def.level_count;
	for (int i = 0; i < def.level_count; ++i)
		m->levels[i] = level_of_preset(&def.levels[i]);
	m->usual = m->levels[0];
	m->break_energy = m->levels[0].energy, m->break_radius = m->levels[0].radius;
}

scene_level usual_cells(void)
{
	const rbl_pattern_def usual = rbl_default_pattern_def();
	scene_level level = level_of_preset(&(rbl_preset_level){ .pattern = usual });
	level.ring_count = level.spoke_count = 0; // by the number of cells
	level.size[0] = level.size[1] = level.size[2] = 0.0;
	return level;
}

static void set_defaults(scene_material *m)
{
	m->preset = RBL_PRESET_COUNT;
	m->density = 2000.0, m->friction = 0.6;
	m->color[0] = m->color[1] = m->color[2] = 0.6;
	m->opacity = 1.0, m->surface_roughness = 0.9;
	m->inner_color[0] = m->inner_color[1] = m->inner_color[2] = (double)NAN;
	m->break_radius = 0.5, m->min_size = 0.1, m->dust_size = (double)NAN;
	m->usual = usual_cells();
	m->usual.pattern = RBL_PATTERN_IMPACT, m->usual.cell_count = 40;
	m->usual.seed = 0; // by the scene's
	m->bend_depth = 0.05, m->bend_radius = (double)NAN;
	m->bond_shear = m->bond_compression = (double)NAN;
	m->wear_radius = 0.5, m->wear_exponent = 2;
	m->debris = (scene_debris){ .density = 10.0,
		                        .min_radius = 0.01,
		                        .max_radius = 0.05,
		                        .speed = 1.0,
		                        .lifetime = 10.0,
		                        .limit = 32 };
	m->dust_radius = 0.4, m->dust_lifetime = 2.0;
	m->frame[1] = m->uv_scale = 1.0;
	m->inner_material = -1;
	m->fit = RBL_FIT_26;
	m->welds = true, m->cut_limit = RBL_CUT_LIMIT;
	for (int k = 0; k < 3; ++k)
		m->pattern_scale[k] = m->pattern_shape[4 * k] = 1.0;
}

// --- levels -------------------------------------------------------------------------------------

void check_pattern_keys(reader *r, const place *at, rbl_pattern_kind kind)
{
	static const struct {
		const char *key;
		unsigned kinds;
		const char *text;
	} rules[] = {
		{ "cell_count",
		  1u << RBL_PATTERN_VORONOI | 1u << RBL_PATTERN_IMPACT | 1u << RBL_PATTERN_WEB |
		      1u << RBL_PATTERN_SPLINTERS,
		  "bricks have a 'brick_size', and as many cells as that makes" },
		{ "brick_size", 1u << RBL_PATTERN_BRICKS, "only the pattern 'bricks' has bricks" },
		{ "bond", 1u << RBL_PATTERN_BRICKS, "only the pattern 'bricks' has a bond" },
		{ "stretch", 1u << RBL_PATTERN_SPLINTERS, "only the pattern 'splinters' is stretched" },
		{ "focus", 1u << RBL_PATTERN_IMPACT, "only the pattern 'impact' has a focus" },
		{ "jitter", 1u << RBL_PATTERN_WEB, "only the pattern 'web' has a jitter" },
		{ "ring_count", 1u << RBL_PATTERN_WEB, "only the pattern 'web' has rings" },
		{ "spoke_count", 1u << RBL_PATTERN_WEB, "only the pattern 'web' has spokes" },
	};
	for (size_t i = 0; i < sizeof rules / sizeof rules[0]; ++i) {
		place one = member(r, at, rules[i].key);
		if (one.value && !(rules[i].kinds >> kind & 1u))
			complain(r, &one, "%s", rules[i].text);
	}
}

void count_spokes(scene_level *level)
{
	if (level->spoke_count == 0)
		level->spoke_count = (int)fmax(6.0, sqrt(2.0 * level->cell_count));
	if (level->ring_count == 0)
		level->ring_count = (int)fmax(1.0, ceil((double)level->cell_count / level->spoke_count));
}

void read_level(reader *r, place *at, void *to)
{
#define FIELDS_OF scene_level
	static const key keys[] = {
		NUMBER("energy", NULL, energy, 1e-9, 1e15),
		NUMBER("radius", NULL, radius, 1e-3, 1e4),
		CHOICE("pattern", NULL, pattern, scene_pattern_names),
		VECTOR("size", NULL, size, 1e-3, 1e5),
		INT("cell_count", NULL, cell_count, 2.0, 100000.0),
		NUMBER("focus", NULL, focus, 0.0, 1.0),
		INT("ring_count", NULL, ring_count, 1.0, 1000.0),
		INT("spoke_count", NULL, spoke_count, 3.0, 1000.0),
		NUMBER("jitter", NULL, jitter, 0.0, 1.0),
		VECTOR("brick_size", NULL, brick_size, 1e-3, 1e3),
		CHOICE("bond", NULL, bond, scene_bond_names),
		NUMBER("stretch", NULL, stretch, 1.0, 100.0),
		SEED("seed", NULL, seed),
		{ 0 },
	};
#undef FIELDS_OF
	scene_level *level = to;
	read_keys(r, at, keys, level);
	place energy = member(r, at, "energy");
	if (!energy.value)
		complain(r, &energy, "a number is needed");
	if (r->status != STATUS_OK)
		return;
	if (!member(r, at, "size").value)
		level->size[0] = level->size[1] = level->size[2] = 4.0 * level->radius;
	count_spokes(level);
	check_pattern_keys(r, at, (rbl_pattern_kind)level->pattern);
}

// The list of levels. What a level does not say is as the material says.
static void read_levels(reader *r, const place *at, scene_material *m)
{
	place list = member(r, at, "levels"), energy = member(r, at, "break_energy"),
		  radius = member(r, at, "break_radius");
	int count = rbl_json_count(list.value);
	if (rbl_json_get_type(list.value) != RBL_JSON_LIST || count < 1 || count > SCENE_LEVELS)
		complain(r, &list, "a list of 1 to %d objects is needed", SCENE_LEVELS);
	if (energy.value || radius.value)
		complain(r, energy.value ? &energy : &radius, "each of the levels has its own");
	m->level_count = 0;
	for (int i = 0; i < count && r->status == STATUS_OK; ++i) {
		scene_level *level = &m->levels[m->level_count++];
		place one = element(&list, (size_t)i);
		*level = m->usual;
		level->radius = m->break_radius;
		level->seed = r->scene->seed + (uint64_t)i;
		read_level(r, &one, level);
		if (i > 0 && r->status == STATUS_OK && level->energy <= level[-1].energy)
			complain(r, &one, "the energy is not more than that of the level before");
	}
	if (r->status == STATUS_OK)
		m->break_energy = m->levels[0].energy, m->break_radius = m->levels[0].radius;
}

// Both levels of a material that says when it breaks, and how.
static void make_levels(const reader *r, scene_material *m)
{
	m->level_count = m->break_energy > 0.0 ? 2 : 0;
	for (int k = 0; k < m->level_count; ++k) {
		scene_level *level = &m->levels[k];
		*level = m->usual;
		level->energy = m->break_energy * (k ? 10.0 : 1.0);
		level->radius = m->break_radius * (k ? 1.6 : 1.0);
		level->size[0] = level->size[1] = level->size[2] = 4.0 * level->radius;
		level->cell_count *= k ? 3 : 1;
		level->seed = r->scene->seed + (uint64_t)k;
		count_spokes(level);
	}
}

static bool has(const reader *r, const place *at, const char *name)
{
	return member(r, at, name).value != NULL;
}

// Levels of a preset, with what is given in the file.
static void change_levels(const reader *r, const place *at, scene_material *m)
{
	const scene_level first = m->levels[0];
	double wider = m->break_radius / first.radius, more = m->break_energy / first.energy;
	bool has_pattern = has(r, at, "pattern") && m->usual.pattern != first.pattern;
	if (!(m->break_energy > 0.0))
		m->level_count = 0;
	for (int k = 0; k < m->level_count; ++k) {
		scene_level *level = &m->levels[k];
		double cells = (double)m->usual.cell_count / first.cell_count * level->cell_count;
		level->energy *= more, level->radius *= wider;
		for (int i = 0; i < 3; ++i)
			level->size[i] = has_pattern ? 4.0 * level->radius : wider * level->size[i];
		level->pattern = m->usual.pattern;
		level->cell_count = (int)fmin(cells, 1e5);
		level->focus = m->usual.focus, level->jitter = m->usual.jitter;
		level->stretch = m->usual.stretch, level->bond = m->usual.bond;
		memcpy(level->brick_size, m->usual.brick_size, sizeof level->brick_size);
		if (has_pattern || has(r, at, "cell_count"))
			level->ring_count = level->spoke_count = 0;
		if (has(r, at, "ring_count"))
			level->ring_count = m->usual.ring_count;
		if (has(r, at, "spoke_count"))
			level->spoke_count = m->usual.spoke_count;
		count_spokes(level);
		level->seed = r->scene->seed + (uint64_t)k;
	}
}

// --- materials ----------------------------------------------------------------------------------

static void check_material(reader *r, const place *at, const scene_material *m)
{
	place largest = member(r, at, "chip_max_radius"), frame = member(r, at, "frame"),
		  shape = member(r, at, "pattern_shape"), atlas = member(r, at, "atlas"),
		  bends = member(r, at, "bend_energy"), wears = member(r, at, "wear_energy");
	const double *s = m->pattern_shape;
	double determinant = s[0] * (s[4] * s[8] - s[5] * s[7]) - s[1] * (s[3] * s[8] - s[5] * s[6]) +
	                     s[2] * (s[3] * s[7] - s[4] * s[6]);
	if (m->frame[0] == 0.0 && m->frame[1] == 0.0 && m->frame[2] == 0.0)
		complain(r, &frame, "the axis has no direction");
	if (m->debris.max_radius < m->debris.min_radius)
		complain(r, &largest, "less than chip_min_radius");
	if (shape.value && member(r, at, "pattern_scale").value)
		complain(r, &shape, "a pattern has a shape or a scale");
	if (!(fabs(determinant) > 1e-9))
		complain(r, &shape, "the matrix has no inverse");
	if (m->atlas[2] < m->atlas[0] || m->atlas[3] < m->atlas[1])
		complain(r, &atlas, "the upper corner is below the lower one");
	if (m->bend_energy > 0.0 && m->break_energy > 0.0 && m->bend_energy >= m->break_energy)
		complain(r, &bends,
		         "a hit that breaks it does not bend it: less than break_energy is needed");
	if (wears.value && m->wear_energy > 0.0 && m->level_count == 0 && !(m->bond_energy > 0.0))
		complain(r, &wears, "damage adds up to break_energy or bond_energy: give one of them");
	if (wears.value && m->wear_energy > 0.0 &&
	    m->wear_energy >= fmax(m->break_energy, m->bond_energy))
		complain(r, &wears,
		         "a hit that breaks it does not wear it: less than break_energy is needed");
}

// Weaker hits leave their mark from a share of the energy on that breaks it.
static void scale_weaker_hits(const reader *r, const place *at, scene_material *m)
{
	if (m->preset == RBL_PRESET_COUNT || !(m->break_energy > 0.0))
		return;
	rbl_preset_def def = rbl_default_preset_def((rbl_preset)m->preset);
	double more = m->break_energy / def.levels[0].energy;
	if (!has(r, at, "wear_energy"))
		m->wear_energy *= more;
	if (!has(r, at, "bend_energy"))
		m->bend_energy *= more;
	if (!has(r, at, "bond_energy"))
		m->bond_energy *= more;
}

// What follows from other keys where it is not given.
static void complete(const reader *r, const place *at, scene_material *m, double tension)
{
	scale_weaker_hits(r, at, m);
	double more = tension > 0.0 ? m->bond_tension / tension : 1.0;
	if (m->preset != RBL_PRESET_COUNT && !has(r, at, "bond_shear"))
		m->bond_shear *= more;
	if (m->preset != RBL_PRESET_COUNT && !has(r, at, "bond_compression"))
		m->bond_compression *= more;
	if (isnan(m->bond_shear))
		m->bond_shear = 2.0 * m->bond_tension;
	if (isnan(m->bond_compression))
		m->bond_compression = 10.0 * m->bond_tension;
	if (isnan(m->dust_size) || (has(r, at, "min_size") && !has(r, at, "dust_size")))
		m->dust_size = DUST_SHARE * m->min_size;
	if (isnan(m->bend_radius))
		m->bend_radius = 2.0 * m->break_radius;
	m->paints_inner = has(r, at, "inner_color");
	m->lays_textures = has(r, at, "uv_scale") || has(r, at, "uv_offset") || has(r, at, "uv_seed") ||
	                   has(r, at, "atlas");
}

void read_material(reader *r, place *at, void *to)
{
	static const char *const placements[] = { "by_kind", "random", "frame", "normal", NULL };
	static const char *const fits[] = { "box", "14", "26", NULL };
	static const char *const kinds[] = { "none", "spheres", "chips", NULL };
#define FIELDS_OF scene_material
	static const key keys[] = {
		CHOICE("preset", NULL, preset, preset_names),
		NUMBER("density", NULL, density, 1e-3, 1e6),
		NUMBER("friction", NULL, friction, 0.0, 100.0),
		NUMBER("restitution", NULL, restitution, 0.0, 1.0),
		NUMBER("rolling_resistance", NULL, rolling_resistance, 0.0, 100.0),
		NUMBER("spinning_resistance", NULL, spinning_resistance, 0.0, 100.0),
		VECTOR("surface_velocity", NULL, surface_velocity, -1000.0, 1000.0),
		SEED("user", NULL, user),
		VECTOR("color", NULL, color, 0.0, 1.0),
		NUMBER("opacity", NULL, opacity, 0.0, 1.0),
		NUMBER("metallic", NULL, metallic, 0.0, 1.0),
		NUMBER("surface_roughness", NULL, surface_roughness, 0.0, 1.0),
		NUMBER("break_energy", "strength", break_energy, 0.0, 1e15),
		NUMBER("break_radius", "radius", break_radius, 1e-3, 1e4),
		OTHER("levels", NULL),
		NUMBER("radius_limit", NULL, radius_limit, 0.0, 1e6),
		CHOICE("pattern", NULL, usual.pattern, scene_pattern_names),
		INT("cell_count", "cells", usual.cell_count, 2.0, 10000.0),
		NUMBER("focus", NULL, usual.focus, 0.0, 1.0),
		INT("ring_count", NULL, usual.ring_count, 1.0, 1000.0),
		INT("spoke_count", NULL, usual.spoke_count, 3.0, 1000.0),
		NUMBER("jitter", NULL, usual.jitter, 0.0, 1.0),
		VECTOR("brick_size", NULL, usual.brick_size, 1e-3, 1e3),
		CHOICE("bond", NULL, usual.bond, scene_bond_names),
		NUMBER("stretch", NULL, usual.stretch, 1.0, 100.0),
		CHOICE("placement", NULL, placement, placements),
		VECTOR4("frame", NULL, frame, -1e5, 1e5),
		VECTOR("frame_origin", NULL, frame_origin, -1e5, 1e5),
		VECTOR("pattern_scale", NULL, pattern_scale, 1e-3, 1e3),
		MATRIX("pattern_shape", NULL, pattern_shape, -1e3, 1e3),
		INT("inner_material", NULL, inner_material, -1.0, 65535.0),
		VECTOR("inner_color", NULL, inner_color, 0.0, 1.0),
		TEXT("inner_texture", NULL, inner_texture),
		NUMBER("uv_scale", NULL, uv_scale, 1e-6, 1e6),
		VECTOR2("uv_offset", NULL, uv_offset, -1e6, 1e6),
		SEED("uv_seed", NULL, uv_seed),
		VECTOR4("atlas", NULL, atlas, -1e6, 1e6),
		NUMBER("roughness", NULL, roughness, 0.0, 1e3),
		NUMBER("rough_step", NULL, rough_step, 0.0, 1e3),
		CHOICE("fit", NULL, fit, fits),
		BOOL("welds", NULL, welds),
		INT("cut_limit", NULL, cut_limit, 1.0, 1e9),
		NUMBER("min_size", "least", min_size, 0.0, 1e4),
		NUMBER("dust_size", NULL, dust_size, 0.0, 1e4),
		NUMBER("bond_strength", "bonds", bond_tension, 0.0, 1e15),
		NUMBER("bond_shear", NULL, bond_shear, 0.0, 1e15),
		NUMBER("bond_compression", NULL, bond_compression, 0.0, 1e15),
		NUMBER("bend_energy", "bend", bend_energy, 0.0, 1e15),
		NUMBER("bend_depth", "dent", bend_depth, 1e-4, 1e3),
		NUMBER("bend_radius", NULL, bend_radius, 1e-3, 1e4),
		NUMBER("wear_energy", NULL, wear_energy, 0.0, 1e15),
		NUMBER("wear_radius", NULL, wear_radius, 1e-3, 1e4),
		INT("wear_exponent", NULL, wear_exponent, 1.0, 8.0),
		NUMBER("bond_energy", NULL, bond_energy, 0.0, 1e15),
		CHOICE("debris", NULL, debris.kind, kinds),
		NUMBER("chip_density", NULL, debris.density, 0.0, 1e6),
		NUMBER("chip_min_radius", NULL, debris.min_radius, 1e-3, 1e3),
		NUMBER("chip_max_radius", NULL, debris.max_radius, 1e-3, 1e3),
		NUMBER("chip_speed", NULL, debris.speed, 0.0, 1e3),
		NUMBER("chip_lifetime", NULL, debris.lifetime, 1e-3, 1e6),
		INT("chips_per_break", NULL, debris.limit, 0.0, 1e6),
		NUMBER("dust_density", NULL, debris.dust_density, 0.0, 1e6),
		NUMBER("dust_radius", NULL, dust_radius, 1e-3, 1e3),
		NUMBER("dust_lifetime", NULL, dust_lifetime, 1e-3, 1e6),
		{ 0 },
	};
#undef FIELDS_OF
	scene_material *material = to;
	set_defaults(material);
	const char *preset = r->schema ? NULL : rbl_json_text(rbl_json_member(at->value, "preset"));
	for (int i = 0; preset && i < RBL_PRESET_COUNT; ++i)
		if (strcmp(preset, rbl_preset_name((rbl_preset)i)) == 0)
			take_preset(material, (rbl_preset)i);
	double tension = material->bond_tension;
	read_keys(r, at, keys, material);
	if (r->status != STATUS_OK)
		return;
	if (has(r, at, "levels"))
		read_levels(r, at, material);
	else if (material->preset != RBL_PRESET_COUNT)
		change_levels(r, at, material);
	else
		make_levels(r, material);
	complete(r, at, material, tension);
	check_pattern_keys(r, at, (rbl_pattern_kind)material->usual.pattern);
	check_material(r, at, material);
}

void add_preset_materials(reader *r)
{
	scene_file *scene = r->scene;
	size_t capacity = (size_t)scene->material_count + RBL_PRESET_COUNT;
	scene_material *all = realloc(scene->materials, (capacity + 1) * sizeof *all);
	if (!all) {
		complain(r, &(place){ .file = "" }, "out of memory");
		return;
	}
	scene->materials = all;
	const int own_count = scene->own_material_count = scene->material_count;
	for (int i = 0; i < RBL_PRESET_COUNT; ++i) {
		const char *name = rbl_preset_name((rbl_preset)i);
		int k = 0;
		while (k < own_count && strcmp(all[k].name, name) != 0)
			++k;
		if (k < own_count)
			continue;
		scene_material *made = &all[scene->material_count++];
		memset(made, 0, sizeof *made);
		snprintf(made->name, sizeof made->name, "%s", name);
		set_defaults(made);
		take_preset(made, (rbl_preset)i);
		made->preset = i, made->is_preset = true;
		for (int level = 0; level < made->level_count; ++level)
			made->levels[level].seed = scene->seed + (uint64_t)level;
	}
}

// --- slots --------------------------------------------------------------------------------------

int find_material(reader *r, const place *at, const char *name)
{
	const scene_file *scene = r->scene;
	const char *names[200];
	int count = 0;
	for (int i = 0; i < scene->material_count; ++i) {
		if (strcmp(scene->materials[i].name, name) == 0)
			return i;
		if (count < 200)
			names[count++] = scene->materials[i].name;
	}
	const char *nearest = nearest_name(name, names, count);
	if (nearest)
		complain(r, at, "there is no material '%s'; did you mean '%s'?", name, nearest);
	else
		complain(r, at, "there is no material '%s', and no preset of that name", name);
	return 0;
}

void read_slots(reader *r, const place *at, scene_model *model)
{
	place list = member(r, at, "materials");
	if (!list.value || r->status != STATUS_OK)
		return;
	if (model->kind != SCENE_SHAPE && model->kind != SCENE_FILE)
		complain(r, &list, "only models of a shape or a file have material slots");
	if (rbl_json_get_type(list.value) != RBL_JSON_OBJECT)
		complain(r, &list, "an object is needed");
	int count = rbl_json_count(list.value);
	model->slots = calloc((size_t)count + 1, sizeof *model->slots);
	if (!model->slots)
		complain(r, &list, "out of memory");
	for (int i = 0; i < count && r->status == STATUS_OK; ++i) {
		const char *name = rbl_json_key(list.value, i);
		scene_slot *slot = &model->slots[model->slot_count++];
		place one = entry(&list, name);
		if (strlen(name) >= sizeof slot->name)
			complain(r, &one, "the name is longer than %d bytes", SCENE_NAME_LENGTH - 1);
		snprintf(slot->name, sizeof slot->name, "%s", name);
		if (rbl_json_get_type(one.value) != RBL_JSON_NULL)
			snprintf(slot->material_name, sizeof slot->material_name, "%s",
			         read_text(r, &one, sizeof slot->material_name));
	}
}

// The material of a name, -1 for none.
static int resolve(reader *r, const place *at, const char *name)
{
	return *name ? find_material(r, at, name) : -1;
}

void resolve_materials(reader *r, const place *root)
{
	scene_file *scene = r->scene;
	place models = member(r, root, "models");
	for (int i = 0; i < scene->model_count && r->status == STATUS_OK; ++i) {
		scene_model *model = &scene->models[i];
		place at = entry(&models, model->name);
		place slots = entry(&at, "materials"), boxes = entry(&at, "boxes");
		for (int k = 0; k < model->slot_count; ++k) {
			place one = entry(&slots, model->slots[k].name);
			model->slots[k].material = resolve(r, &one, model->slots[k].material_name);
		}
		for (int k = 0; k < model->boxes_count; ++k) {
			place item = element(&boxes, (size_t)k), one = entry(&item, "material");
			model->boxes[k].material = resolve(r, &one, model->boxes[k].material_name);
		}
	}
}
