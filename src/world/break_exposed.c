// SPDX-License-Identifier: MIT
//
// Breaking: faces that lie bare now, and what comes off them.
//
// Triangles of exposed faces are made when a material of the body sheds chips or dust, or when the
// caller wants to have them (rbl_world_def.keeps_exposed_triangles). They are found while the break
// is whole, and used when its pieces are bodies.
//
// Dust is reported as emitters, spread over the faces by area. All of a break stand for all of its
// area, however few they are.

#include "world/world.h"

#include "base/log.h"
#include "base/random.h"

enum { MAX_EMITTERS = 1024 }; // of a material in a break

const rbl_debris_rule *rbl_world_debris_rule(const rbl_world *world, int body,
                                             const rbl_compound *compound, int material)
{
	const rbl_material_def *def = rbl_world_breaking(world, body, compound, material);
	return def ? &def->debris : NULL;
}

const rbl_material *rbl_world_face_material(const rbl_world *world, int body, int material)
{
	const rbl_body *b = &world->bodies[body];
	const rbl_material *own = rbl_compound_get_material(b->compound, material);
	return own ? own : world->materials.data[b->material].shared;
}

static bool is_wanted(const rbl_world *world, int body, const rbl_compound *compound)
{
	bool is_wanted = world->def.keeps_exposed_triangles;
	int count = rbl_compound_get_info(compound).material_count;
	for (int i = 0; i < count && !is_wanted; ++i) {
		const rbl_debris_rule *rule = rbl_world_debris_rule(world, body, compound, i);
		is_wanted = rule && (rule->dust_density > 0.0 ||
		                     (rule->kind != RBL_DEBRIS_NONE && rule->density > 0.0));
	}
	return is_wanted;
}

void rbl_world_expose(rbl_world *world, int body, const rbl_break *broken)
{
	const rbl_compound *compound = world->bodies[body].compound;
	world->exposed.count = 0;
	if (!is_wanted(world, body, compound))
		return;
	int count = 0;
	rbl_result result = rbl_break_get_exposed_triangles(broken, compound, world->exposed.data,
	                                                    world->exposed.capacity, &count);
	if (result == RBL_OK && count > world->exposed.capacity) {
		result = rbl_array_reserve(&world->allocator, &world->exposed, count)
		             ? rbl_break_get_exposed_triangles(broken, compound, world->exposed.data,
		                                               world->exposed.capacity, &count)
		             : RBL_OUT_OF_MEMORY;
	}
	if (result == RBL_OK)
		world->exposed.count = count;
	else
		world->lost_events++;
}

// --- dust ---------------------------------------------------------------------------------------

typedef struct dust_source {
	double area, rate, owed, share;
} dust_source;

static void add_emitter(rbl_world *world, const rbl_exposed_triangle *t, rbl_random *random,
                        rbl_body_id parent, float area)
{
	rbl_transform pose = rbl_body_pose(world, parent);
	rbl_vec3 point = rbl_transform_point(pose, rbl_to_f(rbl_exposed_point(t, random)));
	rbl_dust_emitter emitter = {
		.position = point,
		.normal = rbl_rotate(pose.rotation, t->normal),
		.velocity = rbl_body_velocity_at(world, parent, point),
		.area = area,
		.material = rbl_world_face_material(world, (int)parent.index, t->material),
	};
	world->lost_events += !rbl_array_push(&world->allocator, &world->emitters, emitter);
}

static void emit_dust(rbl_world *world, const rbl_damage_request *r, rbl_fracture_event *event)
{
	int body = (int)r->body.index, first = world->emitters.count;
	const rbl_compound *compound = world->bodies[body].compound;
	int count = rbl_compound_get_info(compound).material_count;
	dust_source *sources = RBL_NEW_ZERO(&world->allocator, dust_source, count);
	if (!sources) {
		world->lost_events++;
		return;
	}
	for (int i = 0; i < world->exposed.count; ++i)
		sources[world->exposed.data[i].material].area += (double)world->exposed.data[i].area;
	for (int i = 0; i < count; ++i) {
		const rbl_debris_rule *rule = rbl_world_debris_rule(world, body, compound, i);
		double wanted = rule ? rule->dust_density * sources[i].area : 0.0;
		if (!(wanted > 0.0))
			continue;
		double n = rbl_clampd(ceil(wanted), 1.0, MAX_EMITTERS);
		sources[i].rate = n / sources[i].area, sources[i].share = sources[i].area / n;
		sources[i].owed = 0.5; // of the last one half may be missing by rounding, not a whole one
	}
	rbl_random random = rbl_random_from_seed(rbl_hash_number(r->seed, 2u * world->break_number));
	for (int i = 0; i < world->exposed.count; ++i) {
		const rbl_exposed_triangle *t = &world->exposed.data[i];
		dust_source *s = &sources[t->material];
		for (s->owed += s->rate * (double)t->area; s->owed >= 1.0; s->owed -= 1.0)
			add_emitter(world, t, &random, r->body, (float)s->share);
	}
	event->emitter_count = world->emitters.count - first;
	RBL_FREE(&world->allocator, sources, count);
}

// --- for the caller -----------------------------------------------------------------------------

static void keep_triangles(rbl_world *world, rbl_body_id parent)
{
	int first = world->exposed_triangles.count;
	if (!rbl_array_resize(&world->allocator, &world->exposed_triangles,
	                      first + world->exposed.count)) {
		world->lost_events++;
		return;
	}
	rbl_transform pose = rbl_body_pose(world, parent);
	for (int i = 0; i < world->exposed.count; ++i) {
		const rbl_exposed_triangle *t = &world->exposed.data[i];
		rbl_fracture_triangle *to = &world->exposed_triangles.data[first + i];
		*to = (rbl_fracture_triangle){
			.normal = rbl_rotate(pose.rotation, t->normal),
			.area = t->area,
			.part = t->part,
			.material = rbl_world_face_material(world, (int)parent.index, t->material),
		};
		rbl_vec3 sum = { 0.0f, 0.0f, 0.0f };
		for (int k = 0; k < 3; ++k) {
			to->corners[k] = rbl_transform_point(pose, rbl_to_f(t->corners[k]));
			sum = rbl_add(sum, to->corners[k]);
		}
		to->velocity = rbl_body_velocity_at(world, parent, rbl_scale(1.0f / 3.0f, sum));
		int from = t->compound < 0 || t->compound >= world->fragment_of.count
		               ? RBL_NONE
		               : world->fragment_of.data[t->compound];
		if (t->compound < 0)
			to->body = parent;
		else if (from != RBL_NONE)
			to->body = world->fracture_bodies.data[from];
	}
}

int rbl_world_shed(rbl_world *world, const rbl_damage_request *request, rbl_fracture_event *event)
{
	int count = world->exposed.count;
	if (count == 0)
		return 0;
	emit_dust(world, request, event);
	rbl_world_make_chips(world, request, event);
	if (world->def.keeps_exposed_triangles)
		keep_triangles(world, request->body);
	world->exposed.count = 0;
	return count;
}

rbl_result rbl_world_get_exposed_triangles(const rbl_world *world, int fracture,
                                           rbl_fracture_triangle *triangles, int capacity,
                                           int *count)
{
	if (!world || !count || capacity < 0)
		return rbl_fail(RBL_BAD_ARGUMENT, "world or count is NULL, or capacity negative");
	*count = 0;
	if (!world->def.keeps_exposed_triangles)
		return rbl_fail(RBL_UNSUPPORTED, "the world's definition does not keep exposed triangles");
	if (fracture < 0 || fracture >= world->fractures.count)
		return rbl_fail(RBL_BAD_ARGUMENT, "there is no fracture %d", fracture);
	int begin = fracture > 0 ? world->exposed_ends.data[fracture - 1] : 0;
	*count = world->exposed_ends.data[fracture] - begin;
	for (int i = 0; triangles && i < rbl_mini(*count, capacity); ++i)
		triangles[i] = world->exposed_triangles.data[begin + i];
	return RBL_OK;
}
