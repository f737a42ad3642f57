// SPDX-License-Identifier: MIT
//
// The film of `rubble run`: bodies as things that move, appear and go.
//
// A small body is one mesh. One with many parts is a thing with a part for each: then a hit on a
// building shows and hides what it touched, and leaves the rest of the film alone. What the world
// breaks is told by its events: the rest keeps its actor, and what came off gets new ones.

#include "run_stage.h"

#include "asset_files.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_MERGED = 48 }; // parts of a compound that is shown as one mesh

void free_actor(actor *of)
{
	free(of->part_things);
	free(of->part_forms);
	of->part_things = NULL, of->part_forms = NULL, of->part_capacity = 0;
}

// What a part looks like, as a number: a convex may be where another was.
static uint64_t form_of(const rbl_convex *convex)
{
	if (!convex)
		return 0;
	rbl_convex_data data = rbl_convex_get_data(convex);
	const unsigned char *bytes = (const unsigned char *)data.vertices;
	uint64_t hash = 14695981039346656037u;
	for (size_t i = 0; i < (size_t)data.vertex_count * sizeof *data.vertices; ++i)
		hash = (hash ^ bytes[i]) * 1099511628211u;
	return hash | 1;
}

// What came out of a mesh with materials of its own, and has none of its surface on it, looks like
// the cut faces of the rest.
static void learn_inner(actor *of, const rbl_compound *compound)
{
	int end = rbl_compound_get_info(compound).part_end;
	for (int i = 0; i < end && !of->is_painted && !of->has_inner; ++i) {
		const rbl_mesh *mesh = rbl_compound_get_part(compound, i).mesh;
		if (!mesh)
			continue;
		rbl_mesh_data data = rbl_mesh_get_data(mesh);
		const rbl_mesh_material *inner = find_inner(data.materials, data.material_count);
		of->has_inner = inner != NULL;
		if (inner)
			of->inner = *inner;
	}
}

// The film's number of a mesh, which changes hands.
static rbl_result add_look(stage *s, const actor *of, rbl_mesh *mesh, int *look)
{
	rbl_mesh_material paint = material_look(&s->scene.materials[of->material]);
	if (of->has_inner && !of->is_painted)
		paint = of->inner;
	rbl_mesh *painted = mesh ? painted_mesh(mesh, &paint, of->is_painted) : NULL;
	rbl_destroy_mesh(mesh);
	return painted ? rbl_film_add_mesh(s->film, painted, look) : RBL_OUT_OF_MEMORY;
}

// The film's number of a form in a material: all bodies of them share it.
static rbl_result look_of(stage *s, int form, int material, int *look)
{
	int *kept = &s->looks[form * (s->scene.material_count + 1) + material];
	if (*kept < 0) {
		rbl_mesh_material paint = material_look(&s->scene.materials[material]);
		rbl_mesh *mesh = painted_mesh(s->forms.forms[form].mesh, &paint, false);
		rbl_result result = mesh ? rbl_film_add_mesh(s->film, mesh, kept) : RBL_OUT_OF_MEMORY;
		if (result != RBL_OK)
			return result;
	}
	*look = *kept;
	return RBL_OK;
}

static rbl_vec3 rotate(rbl_quat q, rbl_vec3 v)
{
	rbl_vec3 t = { 2.0f * (q.y * v.z - q.z * v.y), 2.0f * (q.z * v.x - q.x * v.z),
		           2.0f * (q.x * v.y - q.y * v.x) };
	return (rbl_vec3){ v.x + q.w * t.x + q.y * t.z - q.z * t.y,
		               v.y + q.w * t.y + q.z * t.x - q.x * t.z,
		               v.z + q.w * t.z + q.x * t.y - q.y * t.x };
}

// Where the thing of an actor is when the actor's shape is there.
static rbl_transform thing_pose(const actor *of, rbl_transform pose)
{
	rbl_vec3 translation = rotate(pose.rotation, of->centre);
	pose.position.x += translation.x, pose.position.y += translation.y, pose.position.z += translation.z;
	return pose;
}

static bool grow_parts(actor *of, int count)
{
	if (count <= of->part_capacity)
		return true;
	int capacity = 2 * count;
	int *things = realloc(of->part_things, (size_t)capacity * sizeof *things);
	of->part_things = things ? things : of->part_things;
	uint64_t *forms = realloc(of->part_forms, (size_t)capacity * sizeof *forms);
	of->part_forms = forms ? forms : of->part_forms;
	if (!things || !forms)
		return false;
	for (int i = of->part_capacity; i < capacity; ++i)
		things[i] = -1, forms[i] = 0;
	of->part_capacity = capacity;
	return true;
}

// A thing of parts has its origin in the middle of their mass.
static rbl_result begin_parts(stage *s, actor *of)
{
	rbl_vec3d centre = rbl_compound_get_visual_mass(rbl_body_get_compound(s->world, of->body)).centre;
	of->centre = (rbl_vec3){ (float)centre.x, (float)centre.y, (float)centre.z };
	rbl_transform pose = thing_pose(of, rbl_body_pose(s->world, of->body));
	return rbl_film_add(s->film, -1, pose, &of->thing);
}

// Show each part that is new, and hide those that are gone.
static rbl_result show_parts(stage *s, actor *of)
{
	const rbl_compound *compound = rbl_body_get_compound(s->world, of->body);
	int end = rbl_compound_get_info(compound).part_end;
	if (!grow_parts(of, end))
		return RBL_OUT_OF_MEMORY;
	learn_inner(of, compound);
	rbl_result result = of->thing < 0 ? begin_parts(s, of) : RBL_OK;
	rbl_transform here = { { -of->centre.x, -of->centre.y, -of->centre.z },
		                   { 0.0f, 0.0f, 0.0f, 1.0f } };
	for (int i = 0; i < of->part_capacity && result == RBL_OK; ++i) {
		rbl_compound_part part = { 0 };
		if (i < end)
			part = rbl_compound_get_part(compound, i);
		uint64_t form = form_of(part.convex);
		if (form == of->part_forms[i])
			continue;
		if (of->part_things[i] >= 0)
			rbl_film_remove(s->film, of->part_things[i]);
		of->part_things[i] = -1, of->part_forms[i] = form;
		rbl_mesh *mesh = NULL;
		int look;
		rbl_mesh_def def = rbl_default_mesh_def();
		if (part.mesh)
			def.data = rbl_mesh_get_data(part.mesh), result = rbl_create_mesh(&def, &mesh);
		else if (part.convex)
			result = rbl_convex_create_mesh(part.convex, NULL, &mesh);
		if (!mesh || result != RBL_OK)
			continue;
		result = add_look(s, of, mesh, &look);
		if (result == RBL_OK)
			result = rbl_film_add_part(s->film, of->thing, look, here, &of->part_things[i]);
	}
	return result;
}

static rbl_result show_actor(stage *s, actor *of)
{
	const rbl_compound *compound = rbl_body_get_compound(s->world, of->body);
	if (of->part_capacity > 0 || rbl_compound_get_info(compound).part_count > MAX_MERGED)
		return show_parts(s, of);
	rbl_mesh *mesh = NULL;
	int look;
	learn_inner(of, compound);
	rbl_result result = compound_mesh(compound, &mesh);
	if (result == RBL_OK)
		result = add_look(s, of, mesh, &look);
	return result == RBL_OK
	           ? rbl_film_add(s->film, look, rbl_body_pose(s->world, of->body), &of->thing)
	           : result;
}

static rbl_result move_actor(stage *s, const actor *of, rbl_transform pose, rbl_vec3 velocity)
{
	return of->thing >= 0
	           ? rbl_film_move_spinning(s->film, of->thing, thing_pose(of, pose), velocity)
	           : RBL_OK;
}

rbl_result film_actor(stage *s, const actor *of)
{
	const rbl_vec3 none = { 0.0f, 0.0f, 0.0f };
	return of->is_merged ? move_actor(s, of, of->rest, none)
	                     : move_actor(s, of, rbl_body_pose(s->world, of->body),
	                                  rbl_body_angular_velocity(s->world, of->body));
}

rbl_result begin_actor(stage *s, actor *of, int form)
{
	const rbl_compound *compound = rbl_body_get_compound(s->world, of->body);
	int look;
	if (of->can_break && rbl_compound_get_info(compound).part_count > MAX_MERGED)
		return show_parts(s, of);
	rbl_result result = look_of(s, form, of->material, &look);
	return result == RBL_OK
	           ? rbl_film_add(s->film, look, rbl_body_pose(s->world, of->body), &of->thing)
	           : result;
}

// Hide an actor that is `pose` in the end: until then it moves.
static rbl_result hide_actor(stage *s, actor *of, rbl_transform pose)
{
	rbl_result result = move_actor(s, of, pose, (rbl_vec3){ 0.0f, 0.0f, 0.0f });
	if (of->thing >= 0)
		rbl_film_remove(s->film, of->thing);
	of->thing = -1;
	return result;
}

// --- what broke ------------------------------------------------------------------------------

// An actor for something that came off another.
static rbl_result add_piece(stage *s, int parent, rbl_body_id body)
{
	actor *made = add_actor(s, body);
	if (!made)
		return RBL_OUT_OF_MEMORY;
	const actor *of = &s->actors[parent];
	made->material = of->material;
	made->can_break = true;
	made->is_painted = of->is_painted, made->is_hidden = of->is_hidden;
	made->has_inner = of->has_inner, made->inner = of->inner;
	return of->is_hidden ? RBL_OK : show_actor(s, made);
}

bool has_removed(const stage *s)
{
	rbl_events events = rbl_world_get_events(s->world);
	for (int i = 0; i < events.retire_count; ++i)
		if (events.retires[i].what == RBL_RETIRED_REMOVED)
			return true;
	return false;
}

// Pieces that were too many. They may have come off in this very step, and have no actor yet.
static rbl_result hide_removed(stage *s)
{
	rbl_events events = rbl_world_get_events(s->world);
	rbl_result result = RBL_OK;
	for (int i = 0; i < events.retire_count && result == RBL_OK; ++i) {
		int index = find_actor(s, events.retires[i].body);
		if (events.retires[i].what != RBL_RETIRED_REMOVED || index < 0)
			continue;
		result = hide_actor(s, &s->actors[index], events.retires[i].pose);
		s->actors[index].is_gone = true;
		s->removed_count++;
	}
	return result;
}

// What was merged stays as it is seen; released, it is the same piece in another body.
static rbl_result follow_merged(stage *s)
{
	rbl_events events = rbl_world_get_events(s->world);
	for (int i = 0; i < events.retire_count; ++i) {
		const rbl_retire_event *event = &events.retires[i];
		bool is_merged = event->what == RBL_RETIRED_BAKED;
		if ((!is_merged && event->what != RBL_RETIRED_RELEASED) ||
		    event->user >= (uint64_t)s->actor_count)
			continue;
		actor *of = &s->actors[event->user];
		of->is_merged = is_merged;
		of->rest = event->pose;
		if (!is_merged && !bind_actor(s, (int)event->user, event->body))
			return RBL_OUT_OF_MEMORY;
	}
	return RBL_OK;
}

// Where the shape of a body is that broke: what came off it keeps its coordinates.
static rbl_transform broken_pose(const stage *s, const rbl_fracture_event *event)
{
	if (rbl_body_exists(s->world, event->parent))
		return rbl_body_pose(s->world, event->parent);
	for (int k = 0; k < event->new_count; ++k)
		if (rbl_body_exists(s->world, event->new_bodies[k]))
			return rbl_body_pose(s->world, event->new_bodies[k]);
	return (rbl_transform){ { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f, 0.0f } };
}

static rbl_result film_break(stage *s, const rbl_fracture_event *event, int parent)
{
	rbl_result result = RBL_OK;
	for (int k = 0; k < event->new_count; ++k) // before any of them is shown
		learn_inner(&s->actors[parent], rbl_body_get_compound(s->world, event->new_bodies[k]));
	for (int k = 0; k < event->new_count && result == RBL_OK; ++k)
		if (rbl_body_exists(s->world, event->new_bodies[k]))
			result = add_piece(s, parent, event->new_bodies[k]);
	actor *of = &s->actors[parent];
	bool is_gone = !rbl_body_exists(s->world, of->body);
	if (result == RBL_OK && (is_gone || of->part_capacity == 0))
		result = hide_actor(s, of, broken_pose(s, event));
	of->is_gone = is_gone;
	if (!is_gone && !of->is_hidden && result == RBL_OK)
		result = show_actor(s, of);
	return result;
}

rbl_result film_breaks(stage *s)
{
	rbl_result result = hide_removed(s);
	rbl_events events = rbl_world_get_events(s->world);
	if (result == RBL_OK)
		result = follow_merged(s);
	for (int i = 0; i < events.fracture_count && result == RBL_OK; ++i) {
		const rbl_fracture_event *event = &events.fractures[i];
		int parent = find_actor(s, event->parent);
		if (parent < 0)
			continue;
		s->fracture_count++;
		s->dust_count += event->dust_count;
		result = film_break(s, event, parent);
	}
	return result;
}
