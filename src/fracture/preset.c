// SPDX-License-Identifier: MIT
//
// Presets: ten materials as rows of a table.
//
// docs/materials.md has the source of every number. Density and strengths are those of standards;
// shear strength, where none gives it, is the geometric mean of tension and compression over two,
// as Mohr's circles have it. Energies and radii are for walls, panes and boards of usual thickness.
// A preset has two levels, unless its first one takes all of a body: the second is for ten times
// the energy, its pattern and radius larger by the cube root of that, so that both agree where they
// meet.

#include "fracture/fracture.h"

#include "base/log.h"

#include <rubble/preset.h>

enum { PRESET_COOKIE = 0x70726573 };

typedef struct preset_row {
	const char *name;
	float density, friction, restitution;
	double tension, shear, compression; // of bonds, in megapascal

	double energy, radius; // of the first level
	rbl_pattern_kind kind;
	double size;      // of the pattern's box, along x and y
	double thickness; // of the box along z; 0: as its size
	int cell_count;   // rings of a web
	double extra;     // focus, stretch or jitter, by the kind
	rbl_pattern_placement placement;
	int level_count;

	double min_size, dust_size;
	double wear_energy, bend_energy, bend_depth, bond_energy;

	rbl_debris_kind debris;
	double chip_density, chip_min, chip_max, dust_density;

	float color[4], roughness, metallic;
	float inner[3];
} preset_row;

static const preset_row rows[RBL_PRESET_COUNT] = {
	[RBL_PRESET_CONCRETE] = { "concrete",
	                          2400.0f,
	                          0.65f,
	                          0.1f,
	                          2.6,
	                          4.0,
	                          25.0,
	                          .energy = 1500.0,
	                          .radius = 0.4,
	                          .kind = RBL_PATTERN_IMPACT,
	                          .size = 1.6,
	                          .cell_count = 120,
	                          .extra = 0.5,
	                          .level_count = 2,
	                          .min_size = 0.12,
	                          .dust_size = 0.035,
	                          .wear_energy = 150.0,
	                          .debris = RBL_DEBRIS_CHIPS,
	                          .chip_density = 20.0,
	                          .chip_min = 0.01,
	                          .chip_max = 0.04,
	                          .dust_density = 8.0,
	                          .color = { 0.5f, 0.49f, 0.46f, 1.0f },
	                          .roughness = 0.95f,
	                          .inner = { 0.36f, 0.35f, 0.33f } },
	[RBL_PRESET_BRICK] = { "brick",
	                       1900.0f,
	                       0.65f,
	                       0.1f,
	                       0.1,
	                       0.2,
	                       5.0,
	                       .energy = 500.0,
	                       .radius = 0.4,
	                       .kind = RBL_PATTERN_BRICKS,
	                       .size = 2.0,
	                       .thickness = 0.45,
	                       .level_count = 2,
	                       .min_size = 0.13,
	                       .dust_size = 0.03,
	                       .wear_energy = 50.0,
	                       .bond_energy = 200.0,
	                       .debris = RBL_DEBRIS_CHIPS,
	                       .chip_density = 12.0,
	                       .chip_min = 0.008,
	                       .chip_max = 0.03,
	                       .dust_density = 5.0,
	                       .color = { 0.42f, 0.13f, 0.08f, 1.0f },
	                       .roughness = 0.9f,
	                       .inner = { 0.55f, 0.24f, 0.14f } },
	[RBL_PRESET_STONE] = { "stone",
	                       2600.0f,
	                       0.65f,
	                       0.15f,
	                       5.0,
	                       8.7,
	                       60.0,
	                       .energy = 1000.0,
	                       .radius = 0.5,
	                       .kind = RBL_PATTERN_VORONOI,
	                       .size = 2.0,
	                       .cell_count = 350,
	                       .level_count = 2,
	                       .min_size = 0.15,
	                       .dust_size = 0.04,
	                       .wear_energy = 100.0,
	                       .debris = RBL_DEBRIS_CHIPS,
	                       .chip_density = 10.0,
	                       .chip_min = 0.01,
	                       .chip_max = 0.05,
	                       .dust_density = 3.0,
	                       .color = { 0.4f, 0.37f, 0.32f, 1.0f },
	                       .roughness = 0.9f,
	                       .inner = { 0.55f, 0.52f, 0.47f } },
	[RBL_PRESET_GLASS] = { "glass",
	                       2500.0f,
	                       0.9f,
	                       0.3f,
	                       45.0,
	                       106.0,
	                       1000.0,
	                       .energy = 10.0,
	                       .radius = 0.35,
	                       .kind = RBL_PATTERN_WEB,
	                       .size = 1.6,
	                       .cell_count = 7,
	                       .extra = 0.6,
	                       .level_count = 2,
	                       .min_size = 0.03,
	                       .dust_size = 0.006,
	                       .debris = RBL_DEBRIS_CHIPS,
	                       .chip_density = 200.0,
	                       .chip_min = 0.003,
	                       .chip_max = 0.01,
	                       .color = { 0.6f, 0.75f, 0.75f, 0.5f },
	                       .roughness = 0.1f,
	                       .inner = { 0.25f, 0.55f, 0.45f } },
	[RBL_PRESET_TEMPERED_GLASS] = { "tempered_glass",
	                                2500.0f,
	                                0.9f,
	                                0.3f,
	                                120.0,
	                                173.0,
	                                1000.0,
	                                .energy = 220.0,
	                                .radius = 2.5,
	                                .kind = RBL_PATTERN_VORONOI,
	                                .size = 3.0,
	                                .thickness = 0.05,
	                                .cell_count = 1500,
	                                .placement = RBL_PLACEMENT_NORMAL,
	                                .level_count = 1,
	                                .min_size = 0.06,
	                                .dust_size = 0.006,
	                                .debris = RBL_DEBRIS_NONE,
	                                .chip_density = 10.0,
	                                .chip_min = 0.003,
	                                .chip_max = 0.01,
	                                .color = { 0.6f, 0.78f, 0.72f, 0.5f },
	                                .roughness = 0.1f,
	                                .inner = { 0.3f, 0.6f, 0.5f } },
	[RBL_PRESET_WOOD] = { "wood",
	                      420.0f,
	                      0.45f,
	                      0.2f,
	                      14.5,
	                      4.0,
	                      21.0,
	                      .energy = 600.0,
	                      .radius = 0.35,
	                      .kind = RBL_PATTERN_SPLINTERS,
	                      .size = 1.6,
	                      .cell_count = 160,
	                      .extra = 12.0,
	                      .level_count = 2,
	                      .min_size = 0.06,
	                      .dust_size = 0.012,
	                      .wear_energy = 60.0,
	                      .debris = RBL_DEBRIS_CHIPS,
	                      .chip_density = 8.0,
	                      .chip_min = 0.004,
	                      .chip_max = 0.012,
	                      .color = { 0.33f, 0.18f, 0.08f, 1.0f },
	                      .roughness = 0.8f,
	                      .inner = { 0.6f, 0.42f, 0.22f } },
	[RBL_PRESET_PLASTER] = { "plaster",
	                         1200.0f,
	                         0.6f,
	                         0.05f,
	                         1.0,
	                         0.7,
	                         2.0,
	                         .energy = 60.0,
	                         .radius = 0.25,
	                         .kind = RBL_PATTERN_IMPACT,
	                         .size = 1.0,
	                         .cell_count = 160,
	                         .extra = 0.35,
	                         .level_count = 2,
	                         .min_size = 0.07,
	                         .dust_size = 0.02,
	                         .wear_energy = 6.0,
	                         .debris = RBL_DEBRIS_CHIPS,
	                         .chip_density = 40.0,
	                         .chip_min = 0.004,
	                         .chip_max = 0.02,
	                         .dust_density = 25.0,
	                         .color = { 0.75f, 0.7f, 0.6f, 1.0f },
	                         .roughness = 0.95f,
	                         .inner = { 0.85f, 0.84f, 0.8f } },
	[RBL_PRESET_CERAMIC] = { "ceramic",
	                         2350.0f,
	                         0.5f,
	                         0.3f,
	                         35.0,
	                         59.0,
	                         400.0,
	                         .energy = 5.0,
	                         .radius = 0.3,
	                         .kind = RBL_PATTERN_VORONOI,
	                         .size = 1.0,
	                         .cell_count = 500,
	                         .level_count = 2,
	                         .min_size = 0.02,
	                         .dust_size = 0.005,
	                         .debris = RBL_DEBRIS_CHIPS,
	                         .chip_density = 100.0,
	                         .chip_min = 0.002,
	                         .chip_max = 0.008,
	                         .dust_density = 1.0,
	                         .color = { 0.35f, 0.5f, 0.6f, 1.0f },
	                         .roughness = 0.25f,
	                         .inner = { 0.8f, 0.75f, 0.68f } },
	[RBL_PRESET_ICE] = { "ice",
	                     917.0f,
	                     0.05f,
	                     0.2f,
	                     1.0,
	                     1.1,
	                     5.0,
	                     .energy = 60.0,
	                     .radius = 0.4,
	                     .kind = RBL_PATTERN_IMPACT,
	                     .size = 1.6,
	                     .cell_count = 200,
	                     .extra = 0.8,
	                     .level_count = 2,
	                     .min_size = 0.07,
	                     .dust_size = 0.015,
	                     .wear_energy = 6.0,
	                     .debris = RBL_DEBRIS_CHIPS,
	                     .chip_density = 60.0,
	                     .chip_min = 0.005,
	                     .chip_max = 0.02,
	                     .dust_density = 2.0,
	                     .color = { 0.55f, 0.75f, 0.88f, 0.75f },
	                     .roughness = 0.15f,
	                     .inner = { 0.85f, 0.92f, 0.97f } },
	[RBL_PRESET_METAL_SHEET] = { "metal_sheet",
	                             7850.0f,
	                             0.57f,
	                             0.3f,
	                             360.0,
	                             208.0,
	                             360.0,
	                             .energy = 30000.0,
	                             .radius = 0.25,
	                             .kind = RBL_PATTERN_IMPACT,
	                             .size = 1.0,
	                             .cell_count = 12,
	                             .extra = 0.5,
	                             .level_count = 1,
	                             .min_size = 0.1,
	                             .bend_energy = 500.0,
	                             .bend_depth = 0.015,
	                             .debris = RBL_DEBRIS_NONE,
	                             .chip_density = 10.0,
	                             .chip_min = 0.005,
	                             .chip_max = 0.025,
	                             .color = { 0.45f, 0.46f, 0.48f, 1.0f },
	                             .roughness = 0.4f,
	                             .metallic = 1.0f,
	                             .inner = { 0.6f, 0.6f, 0.62f } },
};

const char *rbl_preset_name(rbl_preset preset)
{
	return (int)preset >= 0 && preset < RBL_PRESET_COUNT ? rows[preset].name : "";
}

// --- names --------------------------------------------------------------------------------------

static bool is_capital(char c)
{
	return c >= 'A' && c <= 'Z';
}

// The next letter of a name in small, '_' between words, 0 at its end.
typedef struct letters {
	const char *at;
	bool is_inside; // of a word, whose last letter was a small one
} letters;

static char next_letter(letters *l)
{
	char c = *l->at;
	bool is_small = c >= 'a' && c <= 'z';
	if (!is_small && !is_capital(c)) {
		while (*l->at && !(*l->at >= 'a' && *l->at <= 'z') && !is_capital(*l->at))
			++l->at;
		l->is_inside = false;
		return *l->at ? '_' : 0;
	}
	if (is_capital(c) && l->is_inside) {
		l->is_inside = false;
		return '_';
	}
	l->is_inside = is_small;
	++l->at;
	return is_small ? c : (char)(c - 'A' + 'a');
}

// Whether the words of a name that begin here are those of a preset.
static bool begins_with(letters l, const char *words)
{
	char c = next_letter(&l);
	for (; *words; ++words, c = next_letter(&l))
		if (c != *words)
			return false;
	if (c == 's')
		c = next_letter(&l);
	return c == 0 || c == '_';
}

rbl_preset rbl_preset_of_name(const char *name)
{
	rbl_preset best = RBL_PRESET_COUNT;
	letters l = { .at = name };
	bool is_start = true;
	while (name && (is_start || *l.at)) {
		for (int i = 0; i < RBL_PRESET_COUNT && is_start; ++i)
			if (begins_with(l, rows[i].name) &&
			    (best == RBL_PRESET_COUNT || strlen(rows[i].name) > strlen(rows[best].name) ||
			     (strlen(rows[i].name) == strlen(rows[best].name) && i < (int)best)))
				best = (rbl_preset)i;
		is_start = next_letter(&l) == '_';
	}
	return best;
}

// --- definitions --------------------------------------------------------------------------------

static rbl_preset_level level_of(const preset_row *row, int level)
{
	const double wider = level == 0 ? 1.0 : 2.15443469003188372; // the cube root of ten
	rbl_preset_level made = { .energy = row->energy * (level == 0 ? 1.0 : 10.0),
		                      .radius = row->radius * wider,
		                      .pattern = rbl_default_pattern_def() };
	rbl_pattern_def *pattern = &made.pattern;
	double side = row->size * wider;
	pattern->kind = row->kind;
	pattern->size = (rbl_vec3d){ side, side, row->thickness > 0.0 ? row->thickness : side };
	pattern->seed = 1 + (uint64_t)level;
	if (row->kind == RBL_PATTERN_WEB) {
		pattern->ring_count = row->cell_count + 3 * level;
		pattern->spoke_count = 2 * pattern->ring_count;
		pattern->jitter = row->extra;
	} else if (row->kind == RBL_PATTERN_BRICKS) {
		pattern->brick_size = (rbl_vec3d){ 0.225, 0.075, 0.1125 }; // as is usual with joints
	} else {
		pattern->cell_count = row->cell_count * (level == 0 ? 1 : 3);
		if (row->kind == RBL_PATTERN_SPLINTERS)
			pattern->stretch = row->extra;
		else
			pattern->focus = row->extra;
	}
	return made;
}

static void set_rule(const preset_row *row, rbl_material_def *material)
{
	rbl_damage_rule *rule = &material->damage;
	rule->radius_limit = 8.0 * row->radius;
	rule->min_size = row->min_size, rule->dust_size = row->dust_size;
	rule->wear_energy = row->wear_energy, rule->wear_radius = row->radius;
	rule->bond_energy = row->bond_energy;
	if (row->bend_energy > 0.0) {
		rule->bend_energy = row->bend_energy, rule->bend_depth = row->bend_depth;
		rule->bend_radius = 4.0 * row->radius;
	}
	rbl_debris_rule *debris = &material->debris;
	debris->kind = row->debris;
	debris->density = row->chip_density;
	debris->min_radius = row->chip_min, debris->max_radius = row->chip_max;
	debris->dust_density = row->dust_density;
}

rbl_preset_def rbl_default_preset_def(rbl_preset preset)
{
	bool is_known = (int)preset >= 0 && preset < RBL_PRESET_COUNT;
	const preset_row *row = &rows[is_known ? preset : RBL_PRESET_CONCRETE];
	rbl_preset_def def = { .material = rbl_default_material_def(), .cookie = PRESET_COOKIE };
	rbl_material_def *material = &def.material;
	material->name = row->name;
	material->values.density = row->density;
	material->values.friction = row->friction;
	material->values.restitution = row->restitution;
	material->strengths =
		(rbl_bond_strengths){ 1e6 * row->tension, 1e6 * row->shear, 1e6 * row->compression };
	material->placement = row->placement;
	set_rule(row, material);
	def.inner_color = (rbl_vec4){ row->inner[0], row->inner[1], row->inner[2], row->color[3] };
	material->inner.color = def.inner_color;
	def.level_count = row->level_count;
	for (int i = 0; i < row->level_count; ++i)
		def.levels[i] = level_of(row, i);
	memcpy(def.look.name, row->name, strlen(row->name));
	def.look.base_color = (rbl_vec4){ row->color[0], row->color[1], row->color[2], row->color[3] };
	def.look.roughness = row->roughness, def.look.metallic = row->metallic;
	return def;
}

// --- making -------------------------------------------------------------------------------------

rbl_result rbl_create_preset_material(const rbl_preset_def *def, rbl_material **material)
{
	if (!material)
		return rbl_fail(RBL_BAD_ARGUMENT, "material is NULL");
	*material = NULL;
	if (!def || def->cookie != PRESET_COOKIE)
		return rbl_fail(RBL_BAD_ARGUMENT, "start from rbl_default_preset_def()");
	if (def->level_count < 0 || def->level_count > RBL_MAX_PRESET_LEVELS)
		return rbl_fail(RBL_BAD_ARGUMENT, "level_count is %d, at most %d", def->level_count,
		                RBL_MAX_PRESET_LEVELS);
	if (def->material.damage.level_count != 0)
		return rbl_fail(RBL_BAD_ARGUMENT,
		                "material.damage has levels of its own: a preset has them in `levels`");
	rbl_pattern *patterns[RBL_MAX_PRESET_LEVELS] = { NULL };
	rbl_damage_level levels[RBL_MAX_PRESET_LEVELS];
	rbl_result result = RBL_OK;
	for (int i = 0; i < def->level_count && result == RBL_OK; ++i) {
		rbl_pattern_def pattern = def->levels[i].pattern;
		if (!pattern.allocator.allocate && !pattern.allocator.release)
			pattern.allocator = def->material.allocator;
		result = rbl_create_pattern(&pattern, &patterns[i]);
		levels[i] = (rbl_damage_level){ .energy = def->levels[i].energy,
			                            .pattern = patterns[i],
			                            .radius = def->levels[i].radius };
	}
	if (result == RBL_OK) {
		rbl_material_def whole = def->material;
		whole.damage.levels = levels;
		whole.damage.level_count = def->level_count;
		result = rbl_create_material(&whole, material);
	}
	for (int i = 0; i < RBL_MAX_PRESET_LEVELS; ++i)
		rbl_destroy_pattern(patterns[i]); // the material keeps them
	return result;
}
