// SPDX-License-Identifier: MIT
//
// Debug drawing of what one does not see: the load on bonds, the health of parts and bonds, sleep,
// and islands.
//
// Loads and health go from green by yellow to red, where a bond opens or a part breaks. Bonds are
// lines from the centre of a part to the middle of what the two share, and on to the other centre.

#include "world/world.h"

#include "base/union_find.h"
#include "world/draw.h"

enum {
	STANDING_COLOR = 0x808080,
	KINEMATIC_COLOR = 0xb060d0,
	MOVING_COLOR = 0xe04020,
	CANDIDATE_COLOR = 0xe0d040,
	SLEEPING_COLOR = 0x3060c0,
};

// 0 green, half yellow, 1 and more red.
static uint32_t ramp(double value)
{
	float v = rbl_clampf((float)value, 0.0f, 1.0f);
	uint32_t red = (uint32_t)(rbl_minf(1.0f, 2.0f * v) * 224.0f + 0.5f);
	uint32_t green = (uint32_t)(rbl_minf(1.0f, 2.0f - 2.0f * v) * 192.0f + 0.5f);
	return red << 16 | green << 8 | 0x20;
}

typedef struct bond_drawing {
	const rbl_draw *draw;
	const rbl_compound *compound;
	rbl_transform pose;
} bond_drawing;

static void draw_bond(const bond_drawing *d, int part, int other, rbl_vec3d centre, uint32_t color)
{
	const rbl_convex *a = rbl_compound_get_part(d->compound, part).convex;
	const rbl_convex *b = rbl_compound_get_part(d->compound, other).convex;
	rbl_vec3 middle = rbl_transform_point(d->pose, rbl_to_f(centre));
	if (!a || !b || !rbl_draw_has(d->draw, middle))
		return;
	rbl_draw_line(d->draw, rbl_transform_point(d->pose, rbl_to_f(rbl_convex_get_mass(a).centre)),
	              middle, color);
	rbl_draw_line(d->draw, middle,
	              rbl_transform_point(d->pose, rbl_to_f(rbl_convex_get_mass(b).centre)), color);
}

// --- stress -------------------------------------------------------------------------------------

static rbl_result draw_stress(const rbl_world *world, const rbl_draw *draw)
{
	for (int i = 0; i < world->stresses.count; ++i) {
		const rbl_world_stress *s = &world->stresses.data[i];
		if (!s->stress || !rbl_world_has_body(world, s->body))
			continue;
		int count = rbl_stress_get_bonds(s->stress, 0.0, NULL, 0);
		rbl_bond_stress *bonds = RBL_NEW(&world->allocator, rbl_bond_stress, (size_t)count + 1);
		if (!bonds)
			return RBL_OUT_OF_MEMORY;
		bond_drawing d = { draw, rbl_body_get_compound(world, s->body),
			               rbl_body_pose(world, s->body) };
		rbl_stress_get_bonds(s->stress, 0.0, bonds, count);
		for (int k = 0; k < count; ++k)
			draw_bond(&d, bonds[k].part, bonds[k].other, bonds[k].centre,
			          ramp(bonds[k].utilization));
		RBL_FREE(&world->allocator, bonds, (size_t)count + 1);
	}
	return RBL_OK;
}

// --- health -------------------------------------------------------------------------------------

// Worn bonds of a part to parts of higher numbers.
static rbl_result draw_worn_bonds(const rbl_world *world, const bond_drawing *d, int part)
{
	int count = rbl_compound_get_bonds(d->compound, part, NULL, 0);
	rbl_compound_bond *bonds = RBL_NEW(&world->allocator, rbl_compound_bond, (size_t)count + 1);
	if (!bonds)
		return RBL_OUT_OF_MEMORY;
	rbl_compound_get_bonds(d->compound, part, bonds, count);
	for (int i = 0; i < count; ++i)
		if (bonds[i].other > part && bonds[i].damage > 0.0)
			draw_bond(d, part, bonds[i].other, bonds[i].centre, ramp(bonds[i].damage));
	RBL_FREE(&world->allocator, bonds, (size_t)count + 1);
	return RBL_OK;
}

static rbl_result draw_health(const rbl_world *world, const rbl_draw *draw, int body)
{
	rbl_body_id id = rbl_world_body_id(world, body);
	const rbl_compound *compound = rbl_body_get_compound(world, id);
	rbl_result result = RBL_OK;
	if (!compound || world->bodies[body].baked_index != 0)
		return RBL_OK;
	bond_drawing d = { draw, compound, rbl_body_pose(world, id) };
	RBL_EACH_PART (p, world, body) {
		int part = world->parts[p].child;
		rbl_draw_part(world, draw, p, ramp(rbl_compound_get_part(compound, part).damage));
		if (result == RBL_OK && !world->parts[p].field)
			result = draw_worn_bonds(world, &d, part);
	}
	return result;
}

// --- sleep --------------------------------------------------------------------------------------

static uint32_t sleep_color(const rbl_world *world, int body)
{
	const rbl_body *b = &world->bodies[body];
	if (b->kind != RBL_BODY_DYNAMIC)
		return b->kind == RBL_BODY_STATIC ? STANDING_COLOR : KINEMATIC_COLOR;
	if (!rbl_world_is_awake(world, body))
		return SLEEPING_COLOR;
	bool is_candidate = b->solver_body != RBL_NONE &&
	                    rbl_solver_velocities(world->solver)[b->solver_body].sleep_timer > 0.0f;
	return is_candidate ? CANDIDATE_COLOR : MOVING_COLOR;
}

// --- islands ------------------------------------------------------------------------------------

// Islands are told apart by colors that are far from each other, one after the other.
static uint32_t island_color(int number)
{
	static const uint32_t colors[] = { 0xe04040, 0x40a0e0, 0x60c040, 0xe0a030, 0xa060e0, 0x30c0a0,
		                               0xe060b0, 0xa0a040, 0x6080ff, 0xc07040, 0x80d0f0, 0xd0d0d0 };
	return colors[number % (int)(sizeof colors / sizeof *colors)];
}

static bool is_dynamic(const rbl_world *world, int body)
{
	return body != RBL_NONE && world->bodies[body].kind == RBL_BODY_DYNAMIC;
}

// Which dynamic bodies are connected by contacts and joints: `roots` by body.
static void find_islands(const rbl_world *world, int32_t *roots)
{
	rbl_union_find_init(roots, world->body_ids.slot_count);
	for (int i = 0; i < world->contacts.count; ++i) {
		int pair = world->contacts.data[i].pair;
		if (pair == RBL_NONE || world->contacts.data[i].manifold.point_count == 0)
			continue;
		int a = world->hot_parts[world->pairs[pair].a].body;
		int b = world->hot_parts[world->pairs[pair].b].body;
		if (is_dynamic(world, a) && is_dynamic(world, b))
			rbl_union_find_join(roots, a, b);
	}
	RBL_EACH_LIVE (i, &world->joint_ids) {
		const rbl_world_joint *j = &world->joints.data[i];
		if (is_dynamic(world, j->body_a) && is_dynamic(world, j->body_b))
			rbl_union_find_join(roots, j->body_a, j->body_b);
	}
}

// Edges of bodies in the color of their island, and a line from each to the island's first body.
static rbl_result draw_islands(const rbl_world *world, const rbl_draw *draw)
{
	int count = world->body_ids.slot_count, island_count = 0;
	int32_t *roots = RBL_NEW(&world->allocator, int32_t, 2 * (size_t)count + 1);
	if (!roots)
		return RBL_OUT_OF_MEMORY;
	int32_t *numbers = roots + count;
	find_islands(world, roots);
	for (int i = 0; i < count; ++i) {
		if (!rbl_id_pool_is_live(&world->body_ids, i) || !is_dynamic(world, i) ||
		    !(world->motions[i].flags & RBL_BODY_ENABLED))
			continue;
		int root = rbl_union_find_root(roots, i); // the first: it has its number
		numbers[i] = root == i ? island_count++ : numbers[root];
		uint32_t color = island_color(numbers[i]);
		RBL_EACH_PART (p, world, i)
			rbl_draw_part(world, draw, p, color);
		if (root != i && rbl_draw_has(draw, world->motions[i].centre))
			rbl_draw_line(draw, world->motions[root].centre, world->motions[i].centre, color);
	}
	RBL_FREE(&world->allocator, roots, 2 * (size_t)count + 1);
	return RBL_OK;
}

rbl_result rbl_draw_state(const rbl_world *world, const rbl_draw *draw)
{
	rbl_result result = RBL_OK;
	for (int i = 0; i < world->body_ids.slot_count && result == RBL_OK; ++i) {
		if (!rbl_id_pool_is_live(&world->body_ids, i) ||
		    !(world->motions[i].flags & RBL_BODY_ENABLED))
			continue;
		if (draw->flags & RBL_DRAW_HEALTH)
			result = draw_health(world, draw, i);
		if (draw->flags & RBL_DRAW_SLEEP)
			RBL_EACH_PART (p, world, i)
				rbl_draw_part(world, draw, p, sleep_color(world, i));
	}
	if (result == RBL_OK && (draw->flags & RBL_DRAW_STRESS))
		result = draw_stress(world, draw);
	if (result == RBL_OK && (draw->flags & RBL_DRAW_ISLANDS))
		result = draw_islands(world, draw);
	return result;
}
