// SPDX-License-Identifier: MIT
//
// Breaking in `rubble run`. A hit that takes up more energy than a body's material bears breaks its
// compound by the material's rule. What remains and what came off replace the body in one call, with
// the velocity that each had as a part of it. Of something that stands still only what came off
// moves.
//
// The step that found the hit has already stopped the other body at what breaks now. It gets the
// speed back that the break did not cost: its energy less the material's strength.

#include "run_stage.h"

#include "asset_files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	MAX_BREAKS = 16,  // in a step; further hits are felt, and break nothing
	MAX_MERGED = 48,  // parts of a compound that is shown as one mesh
	MAX_PIECES = 4096 // of one break
};

// Pieces smaller than this share of the size below which nothing breaks are dust.
static const double DUST_SHARE = 0.3;

typedef struct hit {
	int actor, other; // other: -1 for none
	rbl_vec3 point;
	double energy;
} hit;

static double now_ms(void)
{
	struct timespec time;
	timespec_get(&time, TIME_UTC);
	return 1e3 * (double)time.tv_sec + 1e-6 * (double)time.tv_nsec;
}

static rbl_vec3 cross(rbl_vec3 a, rbl_vec3 b)
{
	return (rbl_vec3){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

static rbl_vec3 rotate(rbl_quat q, rbl_vec3 v)
{
	rbl_vec3 u = { q.x, q.y, q.z }, t = cross(u, v);
	t = (rbl_vec3){ 2.0f * t.x, 2.0f * t.y, 2.0f * t.z };
	rbl_vec3 w = cross(u, t);
	return (rbl_vec3){ v.x + q.w * t.x + w.x, v.y + q.w * t.y + w.y, v.z + q.w * t.z + w.z };
}

static rbl_vec3 to_world(rbl_transform pose, rbl_vec3d p)
{
	rbl_vec3 r = rotate(pose.rotation, (rbl_vec3){ (float)p.x, (float)p.y, (float)p.z });
	return (rbl_vec3){ r.x + pose.position.x, r.y + pose.position.y, r.z + pose.position.z };
}

static rbl_vec3d to_local(rbl_transform pose, rbl_vec3 p)
{
	rbl_quat q = pose.rotation, back = { -q.x, -q.y, -q.z, q.w };
	rbl_vec3 r = rotate(
		back, (rbl_vec3){ p.x - pose.position.x, p.y - pose.position.y, p.z - pose.position.z });
	return (rbl_vec3d){ (double)r.x, (double)r.y, (double)r.z };
}

void free_actor(actor *of)
{
	rbl_destroy_collider(of->collider);
	for (int i = 0; i < of->child_count; ++i)
		rbl_destroy_collider(of->children[i]);
	free(of->children);
	rbl_destroy_compound(of->compound);
	free(of->part_things);
	free(of->part_forms);
	of->collider = NULL, of->children = NULL, of->child_count = 0, of->compound = NULL;
	of->part_things = NULL, of->part_forms = NULL, of->part_capacity = 0;
}

// --- the film --------------------------------------------------------------------------------

static rbl_result add_thing(stage *s, const actor *of, rbl_mesh *mesh, int *thing)
{
	int look = -1;
	rbl_mesh *painted =
		mesh ? painted_mesh(mesh, &s->scene.materials[of->material], of->is_painted) : NULL;
	rbl_destroy_mesh(mesh);
	rbl_result result = painted ? rbl_film_add_mesh(s->film, painted, &look) : RBL_OUT_OF_MEMORY;
	return result == RBL_OK ? rbl_film_add(s->film, look, rbl_body_pose(s->world, of->body), thing)
	                        : result;
}

static bool grow_parts(actor *of, int count)
{
	if (count <= of->part_capacity)
		return true;
	int capacity = 2 * count;
	int *things = realloc(of->part_things, (size_t)capacity * sizeof *things);
	of->part_things = things ? things : of->part_things;
	const rbl_convex **forms = realloc(of->part_forms, (size_t)capacity * sizeof *forms);
	of->part_forms = forms ? forms : of->part_forms;
	if (!things || !forms)
		return false;
	for (int i = of->part_capacity; i < capacity; ++i)
		things[i] = -1, forms[i] = NULL;
	of->part_capacity = capacity;
	return true;
}

// Show each part that is new, and hide those that are gone.
static rbl_result show_parts(stage *s, actor *of)
{
	int end = rbl_compound_get_info(of->compound).part_end;
	if (!grow_parts(of, end))
		return RBL_OUT_OF_MEMORY;
	rbl_result result = RBL_OK;
	for (int i = 0; i < of->part_capacity && result == RBL_OK; ++i) {
		rbl_compound_part part = { 0 };
		if (i < end)
			part = rbl_compound_get_part(of->compound, i);
		if (part.convex == of->part_forms[i])
			continue;
		if (of->part_things[i] >= 0)
			rbl_film_remove(s->film, of->part_things[i]);
		of->part_things[i] = -1, of->part_forms[i] = part.convex;
		rbl_mesh *mesh = NULL;
		rbl_mesh_def def = rbl_default_mesh_def();
		if (part.mesh)
			def.data = rbl_mesh_view(part.mesh), result = rbl_create_mesh(&def, &mesh);
		else if (part.convex)
			result = rbl_convex_mesh(part.convex, NULL, &mesh);
		if (mesh && result == RBL_OK)
			result = add_thing(s, of, mesh, &of->part_things[i]);
	}
	return result;
}

static rbl_result show_actor(stage *s, actor *of)
{
	of->thing = -1;
	if (of->part_capacity > 0 || rbl_compound_get_info(of->compound).part_count > MAX_MERGED)
		return show_parts(s, of);
	rbl_mesh *mesh = NULL;
	rbl_result result = compound_mesh(of->compound, &mesh);
	return result == RBL_OK ? add_thing(s, of, mesh, &of->thing) : result;
}

static void hide_actor(stage *s, actor *of)
{
	if (of->thing >= 0)
		rbl_film_remove(s->film, of->thing);
	for (int i = 0; i < of->part_capacity; ++i)
		if (of->part_things[i] >= 0)
			rbl_film_remove(s->film, of->part_things[i]);
	of->thing = -1;
}

rbl_result film_actor(stage *s, const actor *of)
{
	rbl_transform pose = rbl_body_pose(s->world, of->body);
	rbl_result result = of->thing >= 0 ? rbl_film_move(s->film, of->thing, pose) : RBL_OK;
	for (int i = 0; i < of->part_capacity && result == RBL_OK; ++i)
		if (of->part_things[i] >= 0)
			result = rbl_film_move(s->film, of->part_things[i], pose);
	return result;
}

rbl_result begin_actor(stage *s, int index, const rbl_asset *asset, int look)
{
	actor *of = &s->actors[index];
	rbl_result result = RBL_OK;
	of->thing = -1;
	if (asset)
		result = rbl_asset_create_compound(asset, NULL, &of->compound);
	if (result == RBL_OK && of->compound &&
	    rbl_compound_get_info(of->compound).part_count > MAX_MERGED)
		return show_parts(s, of);
	return result == RBL_OK
	           ? rbl_film_add(s->film, look, rbl_body_pose(s->world, of->body), &of->thing)
	           : result;
}

// --- breaking --------------------------------------------------------------------------------

static bool can_break(const stage *s, const actor *of)
{
	return of->compound && !of->is_gone && s->scene.materials[of->material].strength > 0.0;
}

static void note_hit(const stage *s, hit *hits, int *count, uint64_t actor_index, uint64_t other,
                     const rbl_hit_event *event)
{
	if (actor_index >= (uint64_t)s->actor_count || !can_break(s, &s->actors[actor_index]))
		return;
	const scene_material *material = &s->scene.materials[s->actors[actor_index].material];
	if ((double)event->energy < material->strength)
		return;
	int i = 0;
	while (i < *count && hits[i].actor != (int)actor_index)
		i++;
	if (i == MAX_BREAKS)
		return;
	if (i == *count)
		hits[(*count)++] = (hit){ .actor = (int)actor_index };
	if ((double)event->energy > hits[i].energy) {
		hits[i].energy = (double)event->energy, hits[i].point = event->point;
		hits[i].other = other < (uint64_t)s->actor_count ? (int)other : -1;
	}
}

// The hardest hit of each body that breaks.
static int find_hits(const stage *s, hit *hits)
{
	rbl_events events = rbl_world_events(s->world);
	int count = 0;
	for (int i = 0; i < events.hit_count; ++i) {
		const rbl_hit_event *event = &events.hits[i];
		uint64_t a = rbl_body_user(s->world, event->body_a),
				 b = rbl_body_user(s->world, event->body_b);
		note_hit(s, hits, &count, a, b, event);
		note_hit(s, hits, &count, b, a, event);
	}
	return count;
}

bool has_breaks(const stage *s)
{
	hit hits[MAX_BREAKS];
	return find_hits(s, hits) > 0;
}

// The shape of a compound: a collider for each part, and one of all.
static rbl_result make_collider(actor *of)
{
	rbl_compound_info info = rbl_compound_get_info(of->compound);
	rbl_collider_child *list = calloc((size_t)info.part_count + 1, sizeof *list);
	of->children = calloc((size_t)info.part_count + 1, sizeof(rbl_collider *));
	rbl_result result = list && of->children ? RBL_OK : RBL_OUT_OF_MEMORY;
	for (int i = 0; i < info.part_end && result == RBL_OK; ++i) {
		rbl_compound_part part = rbl_compound_get_part(of->compound, i);
		if (!part.convex)
			continue;
		rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_CONVEX);
		def.convex = part.convex;
		result = rbl_create_collider(&def, &of->children[of->child_count]);
		if (result != RBL_OK)
			break;
		list[of->child_count] =
			(rbl_collider_child){ of->children[of->child_count],
			                      { { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f, 1.0f } } };
		of->child_count++;
	}
	if (result == RBL_OK) {
		rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_COMPOUND);
		def.children = list, def.child_count = of->child_count;
		result = rbl_create_collider(&def, &of->collider);
	}
	free(list);
	return result;
}

// A piece of `parent` as a body: where it was, as fast as it was there.
static rbl_body_def body_of(const stage *s, const actor *piece, const rbl_body_state *parent,
                            int index, rbl_mass *mass)
{
	const scene_material *material = &s->scene.materials[piece->material];
	rbl_body_def def = rbl_default_body_def();
	*mass = rbl_compound_mass(piece->compound);
	def.kind = piece->kind;
	def.collider = piece->collider;
	def.mass = mass;
	def.pose = parent->pose;
	def.material = (rbl_material){ (float)material->friction, (float)material->restitution,
		                           (float)material->density };
	def.user = (uint64_t)index;
	if (parent->kind == RBL_BODY_DYNAMIC) {
		rbl_vec3 at = to_world(parent->pose, mass->centre);
		rbl_vec3 arm = { at.x - parent->centre.x, at.y - parent->centre.y,
			             at.z - parent->centre.z };
		rbl_vec3 w = cross(parent->angular_velocity, arm);
		def.velocity = (rbl_vec3){ parent->velocity.x + w.x, parent->velocity.y + w.y,
			                       parent->velocity.z + w.z };
		def.angular_velocity = parent->angular_velocity;
	}
	return def;
}

// Actors for the rest, which keeps its number, and for all `piece_count` that came off.
static rbl_result replace_actor(stage *s, int index, rbl_break *broken, int piece_count)
{
	int first = s->actor_count, taken = 0;
	actor *parent = &s->actors[index];
	bool survives = rbl_compound_get_info(parent->compound).part_count > 0;
	int count = piece_count + survives;
	rbl_body_state state = rbl_body_get_state(s->world, parent->body);
	rbl_body_id old = parent->body;
	rbl_body_def *defs = calloc((size_t)count, sizeof *defs);
	rbl_mass *masses = calloc((size_t)count, sizeof *masses);
	rbl_body_id *ids = calloc((size_t)count, sizeof *ids);
	// The old shape is in use until the body is replaced.
	actor before = { .collider = parent->collider,
		             .children = parent->children,
		             .child_count = parent->child_count };
	parent->collider = NULL, parent->children = NULL, parent->child_count = 0;
	rbl_result result = defs && masses && ids ? RBL_OK : RBL_OUT_OF_MEMORY;
	if (result == RBL_OK && survives)
		result = make_collider(parent);
	for (int i = 0; i < piece_count && result == RBL_OK; ++i) {
		if (!grow_actors(s)) {
			result = RBL_OUT_OF_MEMORY;
			break;
		}
		while (!rbl_break_view(broken).compounds[taken])
			taken++; // dust
		actor *made = &s->actors[s->actor_count++];
		*made = (actor){ .material = s->actors[index].material,
			             .kind = RBL_BODY_DYNAMIC,
			             .is_painted = s->actors[index].is_painted,
			             .thing = -1,
			             .compound = rbl_break_take(broken, taken) };
		result = make_collider(made);
	}
	for (int i = 0; i < count && result == RBL_OK; ++i) {
		int of = survives && i == 0 ? index : first + i - survives;
		defs[i] = body_of(s, &s->actors[of], &state, of, &masses[i]);
	}
	if (result == RBL_OK)
		result = rbl_replace_body(s->world, old, defs, count, ids);
	if (result == RBL_OK && s->actors[index].part_capacity == 0)
		hide_actor(s, &s->actors[index]);
	for (int i = 0; i < count && result == RBL_OK; ++i) {
		actor *of = &s->actors[survives && i == 0 ? index : first + i - survives];
		of->body = ids[i];
		result = show_actor(s, of);
	}
	if (!survives && result == RBL_OK) {
		hide_actor(s, &s->actors[index]);
		s->actors[index].is_gone = true;
	}
	free_actor(&before);
	free(defs);
	free(masses);
	free(ids);
	return result;
}

// What is too small for a body turns to dust, counted. @return how many bodies come off
static int take_dust(stage *s, rbl_break *broken, double least_size)
{
	enum { ROOM = 256 };
	rbl_debris dust[ROOM];
	int made = 0, turned;
	do {
		turned = rbl_break_take_debris(broken, least_size, NULL, dust, ROOM);
		s->dust_count += turned;
	} while (turned == ROOM);
	rbl_break_data data = rbl_break_view(broken);
	for (int i = 0; i < data.compound_count; ++i)
		made += data.compounds[i] != NULL;
	return made;
}

static rbl_result break_actor(stage *s, const hit *at)
{
	actor *of = &s->actors[at->actor];
	const scene_material *material = &s->scene.materials[of->material];
	rbl_break_def def = rbl_default_break_def();
	bool breaks = false;
	rbl_result result =
		rbl_damage_choose(&s->forms.rules[of->material], of->compound, at->energy,
	                      s->scene.seed + (uint64_t)(s->fracture_count + 1), &def, &breaks);
	if (result != RBL_OK || !breaks)
		return result;
	if (material->pattern == RBL_PATTERN_WEB)
		def.rotation_seed = 0; // it lies in the sheet
	def.position = to_local(rbl_body_pose(s->world, of->body), at->point);
	def.jobs = s->jobs;
	rbl_break *broken = NULL;
	result = rbl_compound_break(of->compound, &def, &broken);
	bool is_still = of->kind != RBL_BODY_DYNAMIC;
	int came_off = result == RBL_OK ? take_dust(s, broken, DUST_SHARE * material->least_size) : 0;
	if (result == RBL_OK && came_off > 0 && came_off <= MAX_PIECES) {
		s->fracture_count++, s->step_fractures++;
		result = replace_actor(s, at->actor, broken, came_off);
		if (result == RBL_OK && is_still && at->other >= 0 &&
		    s->actors[at->other].kind == RBL_BODY_DYNAMIC && !s->actors[at->other].is_gone) {
			const actor *other = &s->actors[at->other];
			float kept = (float)sqrt(fmax(0.0, 1.0 - material->strength / at->energy));
			rbl_vec3 v = { kept * other->velocity.x, kept * other->velocity.y,
				           kept * other->velocity.z };
			rbl_body_set_velocity(s->world, other->body, v,
			                      rbl_body_angular_velocity(s->world, other->body));
		}
	}
	rbl_destroy_break(broken);
	return result;
}

rbl_result break_actors(stage *s)
{
	hit hits[MAX_BREAKS];
	double start = now_ms();
	rbl_result result = RBL_OK;
	s->step_fractures = 0;
	int count = find_hits(s, hits);
	for (int i = 0; i < count && result == RBL_OK; ++i)
		result = break_actor(s, &hits[i]);
	s->fracture_ms = count > 0 ? now_ms() - start : 0.0;
	for (int i = 0; i < s->actor_count && s->scene.material_count > 0; ++i)
		if (!s->actors[i].is_gone && s->actors[i].kind == RBL_BODY_DYNAMIC)
			s->actors[i].velocity = rbl_body_velocity(s->world, s->actors[i].body);
	return result;
}
