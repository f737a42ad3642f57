// SPDX-License-Identifier: MIT
//
// The film of `rubble run`: bodies as things that move, appear and go.
//
// A small body is one thing. Of one with many parts each part is a thing of its own: then a hit on a
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
	uint64_t *forms = realloc(of->part_forms, (size_t)capacity * sizeof *forms);
	of->part_forms = forms ? forms : of->part_forms;
	if (!things || !forms)
		return false;
	for (int i = of->part_capacity; i < capacity; ++i)
		things[i] = -1, forms[i] = 0;
	of->part_capacity = capacity;
	return true;
}

// Show each part that is new, and hide those that are gone.
static rbl_result show_parts(stage *s, actor *of)
{
	const rbl_compound *compound = rbl_body_get_compound(s->world, of->body);
	int end = rbl_compound_get_info(compound).part_end;
	if (!grow_parts(of, end))
		return RBL_OUT_OF_MEMORY;
	rbl_result result = RBL_OK;
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
		rbl_mesh_def def = rbl_default_mesh_def();
		if (part.mesh)
			def.data = rbl_mesh_get_data(part.mesh), result = rbl_create_mesh(&def, &mesh);
		else if (part.convex)
			result = rbl_convex_create_mesh(part.convex, NULL, &mesh);
		if (mesh && result == RBL_OK)
			result = add_thing(s, of, mesh, &of->part_things[i]);
	}
	return result;
}

static rbl_result show_actor(stage *s, actor *of)
{
	const rbl_compound *compound = rbl_body_get_compound(s->world, of->body);
	if (of->part_capacity > 0 || rbl_compound_get_info(compound).part_count > MAX_MERGED)
		return show_parts(s, of);
	rbl_mesh *mesh = NULL;
	rbl_result result = compound_mesh(compound, &mesh);
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
	rbl_transform pose = of->is_merged ? of->rest : rbl_body_pose(s->world, of->body);
	rbl_result result = of->thing >= 0 ? rbl_film_move(s->film, of->thing, pose) : RBL_OK;
	for (int i = 0; i < of->part_capacity && result == RBL_OK; ++i)
		if (of->part_things[i] >= 0)
			result = rbl_film_move(s->film, of->part_things[i], pose);
	return result;
}

rbl_result begin_actor(stage *s, actor *of, int look)
{
	const rbl_compound *compound = rbl_body_get_compound(s->world, of->body);
	if (of->can_break && rbl_compound_get_info(compound).part_count > MAX_MERGED)
		return show_parts(s, of);
	return rbl_film_add(s->film, look, rbl_body_pose(s->world, of->body), &of->thing);
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
static void hide_removed(stage *s)
{
	rbl_events events = rbl_world_get_events(s->world);
	for (int i = 0; i < events.retire_count; ++i) {
		int index = find_actor(s, events.retires[i].body);
		if (events.retires[i].what != RBL_RETIRED_REMOVED || index < 0)
			continue;
		hide_actor(s, &s->actors[index]);
		s->actors[index].is_gone = true;
		s->removed_count++;
	}
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

rbl_result film_breaks(stage *s)
{
	hide_removed(s);
	rbl_events events = rbl_world_get_events(s->world);
	rbl_result result = follow_merged(s);
	for (int i = 0; i < events.fracture_count && result == RBL_OK; ++i) {
		const rbl_fracture_event *event = &events.fractures[i];
		int parent = find_actor(s, event->parent);
		if (parent < 0)
			continue;
		s->fracture_count++;
		s->dust_count += event->debris_count;
		for (int k = 0; k < event->new_count && result == RBL_OK; ++k)
			if (rbl_body_exists(s->world, event->new_bodies[k]))
				result = add_piece(s, parent, event->new_bodies[k]);
		actor *of = &s->actors[parent];
		bool is_gone = !rbl_body_exists(s->world, of->body);
		if (is_gone || of->part_capacity == 0)
			hide_actor(s, of);
		of->is_gone = is_gone;
		if (!is_gone && !of->is_hidden && result == RBL_OK)
			result = show_actor(s, of);
	}
	return result;
}
