// SPDX-License-Identifier: MIT
//
// Breaking: health. Energy that acts on a body wears its parts and bonds down (fracture/wear.c);
// parts that break by it become damage requests, bonds that are worn through open.
//
// Energy comes from hits (break_request.c), from blows (rbl_body_damage()), and from shapes:
// explosions and rbl_world_damage() (damage_shapes.c). Hits and blows act on one part and are felt
// around it; shapes act on all parts that they reach.
//
// Bonds open when no break of their body is in progress: those that a break would take away
// anyway are gone then, and a break in progress need not begin anew. Bodies with such bonds are
// listed, and taken in the order of their indices, so that a loaded world takes them in the same
// order.

#include "world/world.h"

#include "base/math.h"
#include "base/sort.h"

// --- rules --------------------------------------------------------------------------------------

typedef struct rule_query {
	const rbl_world *world;
	int body;
	const rbl_compound *compound;
	const rbl_body_load *load;
	rbl_transform pose;
} rule_query;

static const rbl_damage_rule *rule_of_part(const void *user, int part)
{
	const rule_query *q = user;
	return rbl_world_part_rule(q->world, q->body, q->compound, part);
}

// --- occlusion ----------------------------------------------------------------------------------

bool rbl_world_is_reached(const rbl_world *world, rbl_vec3 from, rbl_vec3 to, rbl_body_id body,
                          int part, float tolerance)
{
	rbl_world_hit hit;
	rbl_vec3 way = rbl_sub(to, from);
	if (!rbl_world_cast_ray(world, from, way, NULL, &hit))
		return true;
	bool is_body = hit.body.index == body.index && hit.body.generation == body.generation;
	if (is_body && (part == RBL_NONE || hit.part == part))
		return true;
	return (1.0f - hit.fraction) * rbl_length(way) <= tolerance;
}

static bool is_part_reached(const void *user, int part, rbl_vec3d point)
{
	const rule_query *q = user;
	const rbl_load_shape *s = &q->load->shape;
	rbl_vec3 to = rbl_transform_point(q->pose, rbl_to_f(point));
	double length = rbl_length_squared_d(s->translation);
	double t =
		length > 0.0 && !s->is_cone
			? rbl_clampd(rbl_dot_d(rbl_sub_d(rbl_to_d(to), s->position), s->translation) / length,
	                     0.0, 1.0)
			: 0.0; // a cone comes from its tip
	rbl_vec3 from = rbl_to_f(rbl_add_scaled_d(s->position, t, s->translation));
	const rbl_convex *convex = rbl_compound_get_part(q->compound, part).convex;
	float size = (float)rbl_cbrt(rbl_convex_get_mass(convex).volume);
	return rbl_world_is_reached(q->world, from, to, rbl_world_body_id(q->world, q->body), part,
	                            0.1f * size);
}

// --- energy on a body ---------------------------------------------------------------------------

void rbl_world_note_failing(rbl_world *world, int body)
{
	const rbl_compound *compound = world->bodies[body].compound;
	if (compound && rbl_compound_failed_count(compound) > 0)
		world->stats.lost_count += !rbl_array_push(&world->allocator, &world->failing, body);
}

rbl_result rbl_world_load_body(rbl_world *world, int body, const rbl_body_load *load,
                               rbl_load_result *result)
{
	rbl_compound *compound = rbl_world_own_compound(world, body);
	if (!compound)
		return RBL_OUT_OF_MEMORY;
	rbl_transform pose = rbl_body_pose(world, rbl_world_body_id(world, body));
	rule_query q = {
		.world = world, .body = body, .compound = compound, .load = load, .pose = pose
	};
	rbl_load local = { .shape = load->shape,
		               .energy = (double)load->energy,
		               .hit_part = load->hit_part,
		               .rule_of = rule_of_part,
		               .is_reached = load->is_occluded ? is_part_reached : NULL,
		               .user = &q };
	rbl_vec3 from = rbl_to_f(load->shape.position), along = rbl_to_f(load->shape.translation);
	local.shape.position = rbl_to_d(rbl_transform_point_inverse(pose, from));
	local.shape.translation = rbl_to_d(rbl_rotate_inverse(pose.rotation, along));
	rbl_result done = rbl_compound_apply_load(compound, &local, &world->allocator, result);
	if (done == RBL_OK && result->failed_count > 0)
		rbl_world_note_failing(world, body);
	if (done == RBL_OK && result->bond_count > 0)
		rbl_world_stress_changed(world, body);
	return done;
}

// A hit or blow on a part of a body, felt within the wear radius of the part's rule.
float rbl_world_wear(rbl_world *world, int body, int part, rbl_vec3 point, float energy)
{
	rbl_body_id id = rbl_world_body_id(world, body);
	const rbl_compound *compound = rbl_body_get_compound(world, id);
	const rbl_damage_rule *rule = rbl_world_part_rule(world, body, compound, part);
	if (!rule)
		return 0.0f;
	float strength = (float)rbl_compound_get_part(compound, part).strength;
	float choice = energy / strength;
	bool wears = rule->wear_energy > 0.0 && (double)energy >= rule->wear_energy;
	if (!wears && !(rule->bond_energy > 0.0))
		return choice;
	rbl_body_load load = { .shape = { .position = rbl_to_d(point), .falloff = rule->wear_radius },
		                   .energy = energy,
		                   .hit_part = part };
	rbl_load_result result = { .breaks = { 0 } };
	if (rbl_world_load_body(world, body, &load, &result) != RBL_OK)
		world->stats.lost_count++;
	else if (result.breaks.count > 0)
		choice = rbl_maxf(choice, (float)result.breaks.data[0].energy);
	rbl_array_free(&world->allocator, &result.breaks);
	return choice;
}

// --- bonds that are worn through ----------------------------------------------------------------

enum { MAX_OPENED_AT_ONCE = 32 };

// Open bonds of a body, and let go what hung on them. @return whether something was done
static bool open_some(rbl_world *world, int body)
{
	int parts[2 * MAX_OPENED_AT_ONCE];
	rbl_compound *compound = world->bodies[body].compound;
	int count = rbl_compound_list_failed(compound, parts, MAX_OPENED_AT_ONCE);
	if (count == 0)
		return false;
	rbl_body_id id = rbl_world_body_id(world, body);
	rbl_vec3d centre = rbl_convex_get_mass(rbl_compound_get_part(compound, parts[0]).convex).centre;
	int material = rbl_compound_get_part(compound, parts[0]).material;
	rbl_break *broken = NULL;
	rbl_world_measure_joint_anchors(world, body);
	if (rbl_compound_break_bonds(compound, parts, count, &broken) != RBL_OK) {
		world->stats.lost_count++;
		return false;
	}
	world->stats.failed_bond_count += count;
	rbl_transform pose = rbl_body_pose(world, id);
	rbl_vec3 point = rbl_transform_point(pose, rbl_to_f(centre));
	rbl_damage_request request =
		rbl_world_damage_request(world, id, point, (rbl_vec3){ 0.0f, -1.0f, 0.0f });
	request.cause = RBL_FRACTURE_WEAR;
	request.radius = 0.0f;
	request.material = material;
	world->opened_parts = parts, world->opened_count = count;
	rbl_world_apply_break(world, &request, broken);
	world->opened_parts = NULL, world->opened_count = 0;
	return true;
}

// Ascending, each once.
static bool sort_failing(rbl_world *world)
{
	int count = world->failing.count, kept = 0;
	if (!rbl_array_reserve(&world->allocator, &world->failing_order, 2 * count + 1))
		return false;
	rbl_sort_item *items = world->failing_order.data;
	for (int i = 0; i < count; ++i)
		items[i] = (rbl_sort_item){ (uint32_t)world->failing.data[i], 0 };
	rbl_sort(items, items + count, count);
	for (int i = 0; i < count; ++i)
		if (i == 0 || items[i].key != items[i - 1].key)
			world->failing.data[kept++] = (int)items[i].key;
	world->failing.count = kept;
	return true;
}

void rbl_world_open_bonds(rbl_world *world, int64_t *budget)
{
	if (world->failing.count == 0 || !sort_failing(world))
		return;
	rbl_world_index_requests(world);
	int kept = 0;
	for (int i = 0; i < world->failing.count; ++i) { // fragments may follow
		int body = world->failing.data[i];
		if (!rbl_id_pool_is_live(&world->body_ids, body) || !world->bodies[body].compound)
			continue;
		if (*budget <= 0 || rbl_world_has_request(world, body)) {
			world->failing.data[kept++] = body;
			continue;
		}
		while (open_some(world, body))
			*budget -= MAX_OPENED_AT_ONCE;
		if (rbl_compound_failed_count(world->bodies[body].compound) > 0) // without memory
			world->failing.data[kept++] = body;
	}
	world->failing.count = kept;
}
