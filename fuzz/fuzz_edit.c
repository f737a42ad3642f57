// SPDX-License-Identifier: MIT
// Edits, cuts and tears by bytes: whatever they say, the surface stays whole or the call is refused, and the
// next query finds what brute force finds.

#include "surface/reference.h"

#include "faulty_allocator.h"

#include <rubble/surface_cut.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST = 8, MOST_TRIANGLES = 160, CALLS = 24 };

typedef struct calls {
	const uint8_t *data;
	size_t size, at;
	test t;
	rbl_surface *surface;
} calls;

static int take(calls *c, int bound)
{
	return c->at < c->size ? c->data[c->at++] % bound : 0;
}

static void demand(bool condition)
{
	if (!condition)
		abort();
}

static rbl_surface_body_id take_body(calls *c)
{
	const rbl_surface *s = c->surface;
	int slot = take(c, s->bodies.count);
	while (!rbl_id_pool_is_live(&s->ids, slot))
		slot = (slot + 1) % s->bodies.count;
	rbl_id id = rbl_id_pool_at(&s->ids, slot);
	return (rbl_surface_body_id){ id.index, id.generation };
}

// A vertex or triangle of the body, mostly.
static int take_of(calls *c, const int *list, int count, int end)
{
	return take(c, 32) == 31 ? take(c, 256) - 8 : take(c, 32) == 30 ? end : list[take(c, count)];
}

static void edit(calls *c)
{
	rbl_surface *s = c->surface;
	rbl_surface_body_id body = take_body(c), pieces[MOST];
	rbl_surface_body_data d = rbl_surface_body_get_data(s, body);
	int changed[MOST], labels[MOST], corners[MOST], corner_vertices[MOST], parents[3 * MOST];
	int triangles[3 * MOST], triangle_labels[MOST];
	double weights[3 * MOST];
	rbl_surface_edit_def def = rbl_default_surface_edit_def();
	def.piece_count = take(c, 8) == 0 ? 2 : 1;
	def.changed_count = take(c, MOST), def.changed = changed;
	def.corner_count = take(c, 3), def.corners = corners, def.corner_vertices = corner_vertices;
	def.vertex_count = take(c, 4), def.parents = parents, def.weights = weights;
	def.triangle_count = take(c, MOST), def.triangles = triangles;
	def.changed_labels = labels, def.triangle_labels = triangle_labels;
	for (int i = 0; i < def.changed_count; ++i) {
		changed[i] = take_of(c, d.triangles, d.triangle_count, s->triangle_end);
		labels[i] = take(c, 1 + def.piece_count) - 1;
	}
	for (int i = 0; i < def.corner_count; ++i) {
		corners[i] = 3 * take_of(c, d.triangles, d.triangle_count, s->triangle_end) + take(c, 3);
		corner_vertices[i] = def.vertex_count > 0 && take(c, 2)
		                         ? -1 - take(c, def.vertex_count)
		                         : take_of(c, d.vertices, d.vertex_count, s->vertex_end);
	}
	for (int i = 0; i < 3 * def.vertex_count; ++i) {
		parents[i] = take_of(c, d.vertices, d.vertex_count, s->vertex_end);
		weights[i] = take(c, 64) == 63 ? NAN : 0.125 * (take(c, 16) - 4);
	}
	for (int i = 0; i < 3 * def.triangle_count; ++i) {
		triangles[i] = def.vertex_count > 0 && take(c, 2)
		                   ? -1 - take(c, def.vertex_count)
		                   : take_of(c, d.vertices, d.vertex_count, s->vertex_end);
		triangle_labels[i / 3] = take(c, def.piece_count);
	}
	int before = s->triangle_count;
	rbl_result result = rbl_surface_edit(s, body, &def, pieces);
	demand(result == RBL_OK || result == RBL_BAD_ARGUMENT);
	demand(result == RBL_OK || s->triangle_count == before);
}

static rbl_vec3d take_point(calls *c)
{
	double x = 0.0625 * (take(c, 256) - 96), y = 0.0625 * (take(c, 256) - 96);
	return (rbl_vec3d){ x, y, 0.0625 * (take(c, 256) - 128) };
}

static void cut(calls *c)
{
	rbl_surface_body_id body = take_body(c);
	rbl_surface_body_data d = rbl_surface_body_get_data(c->surface, body);
	rbl_surface_edit_def def;
	rbl_result result;
	if (take(c, 4) == 0) {
		int path[3], count = 2 + take(c, 2), h = 3 * d.triangles[take(c, d.triangle_count)];
		for (int i = 0; i < 3; ++i)
			path[i] = c->surface->triangles[h + i];
		result = rbl_surface_plan_tear(c->surface, body, path, count, &def);
		demand(result == RBL_OK);
	} else {
		rbl_vec3d starts[2] = { take_point(c), take_point(c) };
		rbl_vec3d ends[2] = { take_point(c), take_point(c) };
		rbl_surface_knife knife = rbl_default_surface_knife();
		knife.point_count = 2, knife.starts = starts, knife.ends = ends;
		knife.follows_motion = take(c, 2);
		knife.tolerance = take(c, 4) == 0 ? 0.5 : 0.01 * take(c, 8);
		result = rbl_surface_plan_cut(c->surface, body, &knife, &def);
		demand(result == RBL_OK || result == RBL_BAD_ARGUMENT);
	}
	// A plan that was made can be carried out.
	if (result == RBL_OK && (def.changed_count > 0 || def.corner_count > 0))
		demand(rbl_surface_edit(c->surface, body, &def, NULL) == RBL_OK);
}

static void move(calls *c)
{
	rbl_surface_body_id body = take_body(c);
	rbl_surface_body_data d = rbl_surface_body_get_data(c->surface, body);
	rbl_vec3 *ends = malloc((size_t)d.vertex_count * sizeof *ends);
	int every = 1 + take(c, 4);
	for (int i = 0; i < d.vertex_count; ++i) {
		ends[i] = c->surface->positions[1][d.vertices[i]];
		if (i % every == 0)
			ends[i].z += 0.125f * (float)(take(c, 16) - 8);
	}
	demand(rbl_surface_move(c->surface, body, NULL, ends) == RBL_OK);
	free(ends);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	calls c = { .data = data, .size = size, .t = { .name = "edit" } };
	faulty_allocator memory;
	faulty_init(&memory, LLONG_MAX);
	rbl_surface_def def = rbl_default_surface_def();
	def.allocator = (rbl_allocator){ faulty_allocate, faulty_release, &memory };
	demand(rbl_create_surface(&def, &c.surface) == RBL_OK);
	reference_mesh meshes[2] = { reference_sheet(4, 3), reference_torus(4, 3) };
	for (int i = 0; i < 2; ++i)
		reference_add(&c.t, c.surface, &meshes[i]);
	for (int call = 0; call < CALLS && c.at < size; ++call) {
		if (c.surface->triangle_count > MOST_TRIANGLES)
			break;
		switch (take(&c, 8)) {
		case 0:
			move(&c);
			break;
		case 1:
			reference_check_query(&c.t, c.surface, take(&c, 2));
			break;
		case 2:
		case 3:
			cut(&c);
			break;
		default:
			edit(&c);
		}
		const char *wrong = reference_check_surface(c.surface);
		if (wrong)
			printf("%s\n", wrong);
		demand(!wrong);
	}
	reference_check_query(&c.t, c.surface, size % 2 == 0);
	demand(c.t.failures == 0);
	rbl_destroy_surface(c.surface);
	demand(atomic_load(&memory.live_bytes) == 0);
	reference_mesh_free(&meshes[0]);
	reference_mesh_free(&meshes[1]);
	return 0;
}
