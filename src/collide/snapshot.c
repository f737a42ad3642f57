// SPDX-License-Identifier: MIT
//
// Snapshots of colliders, caches and manifolds, as bytes.
//
// A polyhedron is written as it is and not as what it was made from: a part that stays when its
// body loses another keeps its polyhedron, and the new centre of mass would round it anew. Trees
// and neighbours of meshes and height fields follow from their corners. Counts and indices are
// checked when they are read; that planes fit vertices is not, wrong ones give wrong contacts and
// no more. Cached features are checked where they are used, since shapes may have changed anyway.

#include "collide/collide.h"

// --- polyhedra -----------------------------------------------------------------------------------

static void put_rows(rbl_blob_writer *w, const float *rows, int row_count, int stride, int count)
{
	for (int i = 0; i < row_count; ++i)
		rbl_blob_put_words(w, rows + i * stride, (size_t)count);
}

static void get_rows(rbl_blob_reader *r, float *rows, int row_count, int stride, int count)
{
	for (int i = 0; i < row_count; ++i) {
		rbl_blob_get_words(r, rows + i * stride, (size_t)count);
		rbl_blob_expect(r, rbl_floats_are_finite(rows + i * stride, (size_t)count),
		                "a polyhedron is not finite");
	}
}

static void put_polyhedron(rbl_blob_writer *w, const rbl_polyhedron *p)
{
	int corner_count = p->face_count > 0 ? p->face_starts[p->face_count] : 0;
	const int32_t counts[] = { p->vertex_count, p->face_count, p->plane_count, p->edge_count,
		                       corner_count };
	rbl_blob_put_words(w, counts, 5);
	const float sizes[] = { p->radius, p->bounding_radius, p->min_width };
	rbl_blob_put_words(w, sizes, 3);
	put_rows(w, p->vertices, 3, p->vertex_stride, p->vertex_count);
	put_rows(w, p->planes, 4, p->plane_stride, p->plane_count);
	rbl_blob_put_bytes(w, p->edge_list, 4 * (size_t)p->edge_count);
	for (int f = 1; f <= p->face_count; ++f)
		rbl_blob_put_halves(w, &p->face_starts[f], 1);
	rbl_blob_put_bytes(w, p->corners, (size_t)corner_count);
}

static bool check_polyhedron(const rbl_polyhedron *p, int corner_count)
{
	for (int e = 0; e < p->edge_count; ++e) {
		const rbl_polyhedron_edge *edge = &p->edge_list[e];
		if (edge->tail >= p->vertex_count || edge->head >= p->vertex_count ||
		    edge->left >= p->plane_count || edge->right >= p->plane_count)
			return false;
	}
	for (int f = 0; f < p->face_count; ++f)
		if (p->face_starts[f + 1] < p->face_starts[f] + 3)
			return false;
	for (int k = 0; k < corner_count; ++k)
		if (p->corners[k] >= p->vertex_count)
			return false;
	for (int v = 0; v < p->vertex_count; ++v)
		if (!(rbl_length(rbl_polyhedron_vertex(p, v)) + p->radius <= 1.0001f * p->bounding_radius))
			return false;
	for (int i = 0; i < p->plane_count; ++i)
		if (fabsf(rbl_length(rbl_polyhedron_normal(p, i)) - 1.0f) > 1e-3f)
			return false;
	return (p->face_count > 0 ? p->face_starts[p->face_count] : 0) == corner_count;
}

static rbl_collider *get_polyhedron(rbl_blob_reader *r, rbl_collider_kind kind,
                                    const rbl_allocator *allocator)
{
	rbl_polyhedron p = { 0 };
	p.vertex_count = rbl_blob_get_int(r, 1, RBL_MAX_CONVEX_VERTICES);
	p.face_count = rbl_blob_get_int(r, 0, RBL_POLYHEDRON_MAX_PLANES);
	p.plane_count = rbl_blob_get_int(r, p.face_count, RBL_POLYHEDRON_MAX_PLANES);
	p.edge_count = rbl_blob_get_int(r, 0, RBL_POLYHEDRON_MAX_EDGES);
	int corner_count = rbl_blob_get_int(r, 3 * p.face_count, RBL_MAX_CONVEX_CORNERS);
	p.radius = rbl_blob_get_finite(r);
	p.bounding_radius = rbl_blob_get_finite(r);
	p.min_width = rbl_blob_get_finite(r);
	bool has_size = p.radius >= 0.0f && p.bounding_radius > 0.0f && p.min_width >= 0.0f &&
	                p.bounding_radius <= 4.0f * RBL_MAX_COLLIDER_SIZE &&
	                p.min_width <= 2.0001f * p.bounding_radius &&
	                (p.face_count > 0 || p.radius > 0.0f);
	if (!rbl_blob_expect(r, has_size, "a polyhedron has no size"))
		return NULL;
	size_t size = rbl_polyhedron_layout(&p, corner_count, NULL, NULL);
	rbl_collider *c = rbl_collider_new(kind, allocator, RBL_POLYHEDRON_HEAD + size);
	r->out_of_memory |= !c;
	if (!c)
		return NULL;
	rbl_polyhedron_arrays arrays;
	char *behind = rbl_collider_behind(c);
	rbl_polyhedron_layout(&p, corner_count, behind + RBL_POLYHEDRON_HEAD, &arrays);
	get_rows(r, arrays.vertices, 3, p.vertex_stride, p.vertex_count);
	get_rows(r, arrays.planes, 4, p.plane_stride, p.plane_count);
	rbl_blob_get_bytes(r, arrays.edge_list, 4 * (size_t)p.edge_count);
	arrays.face_starts[0] = 0;
	rbl_blob_get_halves(r, arrays.face_starts + 1, (size_t)p.face_count);
	rbl_blob_get_bytes(r, arrays.corners, (size_t)corner_count);
	rbl_blob_expect(r, check_polyhedron(&p, corner_count), "a polyhedron is wrong");
	if (p.edge_count == 0 && p.edge_stride > 0)
		arrays.edge_list[0] = (rbl_polyhedron_edge){ 0, 0, 0, 0 };
	rbl_polyhedron_pad(&p, &arrays);
	memcpy(behind, &p, sizeof p);
	c->polyhedron = (const rbl_polyhedron *)(const void *)behind;
	return c;
}

// A solid of revolution follows from its ends and radii, which are floats.
static void put_revolution(rbl_blob_writer *w, const rbl_revolution *r)
{
	rbl_vec3 a = rbl_to_f(r->ends[0]), b = rbl_to_f(r->ends[1]);
	const float numbers[] = {
		a.x, a.y, a.z, b.x, b.y, b.z, (float)r->radii[0], (float)r->radii[1]
	};
	rbl_blob_put_words(w, numbers, 8);
}

static rbl_collider *get_revolution(rbl_blob_reader *r, rbl_collider_kind kind,
                                    const rbl_allocator *allocator)
{
	float n[8];
	rbl_blob_get_words(r, n, 8);
	bool ok = rbl_floats_are_finite(n, 8);
	for (int i = 0; i < 8; ++i)
		ok &= fabsf(n[i]) <= 4.0f * RBL_MAX_COLLIDER_SIZE;
	ok = ok && n[6] >= 0.0f && n[7] >= 0.0f;
	rbl_collider *c = NULL;
	if (!rbl_blob_expect(r, ok, "a cylinder or cone has no size"))
		return NULL;
	rbl_result result = rbl_collider_make_revolution(
		kind, allocator, (rbl_vec3){ n[0], n[1], n[2] }, (rbl_vec3){ n[3], n[4], n[5] },
		(const float[2]){ n[6], n[7] }, &c);
	if (result == RBL_OK)
		return c;
	rbl_destroy_collider(c);
	r->out_of_memory |= result == RBL_OUT_OF_MEMORY;
	rbl_blob_expect(r, r->out_of_memory, "a cylinder or cone has no size");
	return NULL;
}

// --- colliders ----------------------------------------------------------------------------------

void rbl_collider_save(const rbl_collider *c, rbl_blob_writer *w)
{
	RBL_ASSERT(c->kind != RBL_COLLIDER_COMPOUND);
	rbl_blob_put32(w, (uint32_t)c->kind);
	if (rbl_collider_kind_is_revolution((int)c->kind)) {
		put_revolution(w, c->polyhedron->revolution);
		return;
	}
	if (c->polyhedron) {
		put_polyhedron(w, c->polyhedron);
		return;
	}
	const rbl_collider_parts *p = c->parts;
	if (c->kind == RBL_COLLIDER_PLANE) {
		rbl_blob_put_words(w, &p->plane, 4);
		return;
	}
	if (c->kind == RBL_COLLIDER_MESH) {
		rbl_blob_put32(w, (uint32_t)p->vertex_count);
		rbl_blob_put32(w, (uint32_t)c->child_count);
		rbl_blob_put_words(w, p->positions, 3 * (size_t)p->vertex_count);
		rbl_blob_put_words(w, p->triangles, 3 * (size_t)c->child_count);
		return;
	}
	rbl_blob_put32(w, (uint32_t)p->column_count);
	rbl_blob_put32(w, (uint32_t)p->row_count);
	rbl_blob_put_float(w, p->cell_size);
	rbl_blob_put_words(w, p->heights, (size_t)p->column_count * (size_t)p->row_count);
}

static rbl_result get_height_field(rbl_blob_reader *r, rbl_collider *c)
{
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_HEIGHT_FIELD);
	def.column_count = rbl_blob_get_int(r, 2, 32768);
	def.row_count = rbl_blob_get_int(r, 2, 32768);
	def.cell_size = rbl_blob_get_finite(r);
	size_t count = (size_t)def.column_count * (size_t)def.row_count;
	rbl_arena_reset(&r->scratch);
	float *heights = r->is_bad ? NULL : rbl_blob_scratch(r, count, sizeof *heights);
	if (!heights)
		return rbl_blob_result(r);
	rbl_blob_get_words(r, heights, count);
	rbl_blob_expect(r, rbl_floats_are_finite(heights, count), "a height is not finite");
	def.heights = heights;
	return r->is_bad ? RBL_BAD_FILE : rbl_collider_make_height_field(c, &def);
}

// Its normal and offset as they are: dividing by the length again would change a bit.
static rbl_result get_plane(rbl_blob_reader *r, rbl_collider *c)
{
	rbl_plane plane;
	rbl_blob_get_words(r, &plane, 4);
	bool ok = rbl_floats_are_finite(&plane, 4) && fabsf(rbl_length(plane.normal) - 1.0f) < 1e-3f &&
	          fabsf(plane.offset) <= 4.0f * RBL_MAX_COLLIDER_SIZE;
	if (!rbl_blob_expect(r, ok, "a plane has no normal"))
		return RBL_BAD_FILE;
	rbl_result result = rbl_collider_make_plane(c, (rbl_vec3){ 0.0f, 0.0f, 0.0f }, plane.normal);
	c->parts->plane = plane;
	return result;
}

static rbl_result read_parts(rbl_blob_reader *r, rbl_collider *c)
{
	if (c->polyhedron)
		return r->is_bad ? RBL_BAD_FILE : rbl_collider_finish(c);
	rbl_result result = c->kind == RBL_COLLIDER_MESH    ? rbl_collider_read_mesh(c, r)
	                    : c->kind == RBL_COLLIDER_PLANE ? get_plane(r, c)
	                                                    : get_height_field(r, c);
	return result == RBL_OK ? rbl_collider_finish(c) : result;
}

bool rbl_collider_load(rbl_blob_reader *r, const rbl_allocator *allocator, rbl_collider **collider)
{
	*collider = NULL;
	int kind = rbl_blob_get_int(r, 0, RBL_COLLIDER_KIND_COUNT - 1);
	if (!rbl_blob_expect(r, kind != RBL_COLLIDER_COMPOUND, "a collider is a compound"))
		return false;
	bool is_convex = kind <= RBL_COLLIDER_CONVEX;
	rbl_collider *c = rbl_collider_kind_is_revolution(kind)
	                      ? get_revolution(r, (rbl_collider_kind)kind, allocator)
	                  : is_convex ? get_polyhedron(r, (rbl_collider_kind)kind, allocator)
	                              : rbl_collider_new_parts((rbl_collider_kind)kind, allocator);
	r->out_of_memory |= !c && !r->is_bad;
	if (!c)
		return false;
	rbl_result result = read_parts(r, c);
	if (result != RBL_OK) {
		rbl_destroy_collider(c);
		r->out_of_memory |= result == RBL_OUT_OF_MEMORY;
		return rbl_blob_expect(r, r->out_of_memory, "a collider is wrong") && false;
	}
	*collider = c;
	return true;
}

void rbl_collider_put_slots(const rbl_collider *c, rbl_blob_writer *w)
{
	bool has_slots = c->parts && c->parts->material_slots;
	rbl_blob_put32(w, (uint32_t)rbl_collider_material_count(c));
	rbl_blob_put_bool(w, has_slots);
	if (has_slots)
		rbl_blob_put_bytes(w, c->parts->material_slots, (size_t)rbl_collider_slot_count(c));
	rbl_blob_put_padding(w);
}

bool rbl_collider_get_slots(rbl_blob_reader *r, rbl_collider *c, int *material_count)
{
	*material_count = rbl_blob_get_int(r, 0, RBL_MAX_COLLIDER_MATERIALS);
	bool has_slots = rbl_blob_get_bool(r);
	bool can_have = (*material_count == 0 && !has_slots) || rbl_collider_is_surface(c);
	if (!rbl_blob_expect(r, !r->is_bad && can_have, "a collider without triangles has materials"))
		return false;
	if (has_slots) {
		int count = rbl_collider_slot_count(c);
		c->parts->material_slots = RBL_NEW(&c->allocator, uint8_t, count);
		r->out_of_memory |= !c->parts->material_slots;
		if (c->parts->material_slots)
			rbl_blob_get_bytes(r, c->parts->material_slots, (size_t)count);
	}
	if (r->out_of_memory)
		return false;
	rbl_blob_get_padding(r);
	return !r->is_bad;
}

// --- caches and manifolds ------------------------------------------------------------------------

void rbl_sat_cache_save(const rbl_sat_cache *cache, rbl_blob_writer *w)
{
	rbl_blob_put_words(w, cache, 4);
	rbl_blob_put_halves(w, &cache->kind, 4);
}

bool rbl_sat_cache_load(rbl_blob_reader *r, rbl_sat_cache *cache)
{
	rbl_blob_get_words(r, cache, 4);
	rbl_blob_get_halves(r, &cache->kind, 4);
	return rbl_blob_expect(r, rbl_floats_are_finite(cache, 4) && cache->kind <= RBL_SAT_CORES,
	                       "the cache of a pair is wrong");
}

void rbl_manifold_save(const rbl_manifold *m, rbl_blob_writer *w)
{
	_Static_assert(sizeof *m == 4 * (3 + 1 + 5 * RBL_MAX_MANIFOLD_POINTS + 2), "words only");
	// Unused points may hold anything.
	static const rbl_manifold_point none[RBL_MAX_MANIFOLD_POINTS];
	size_t count = (size_t)m->point_count, size = sizeof none[0] / 4;
	rbl_blob_put_words(w, m, 4);
	rbl_blob_put_words(w, m->points, count * size);
	rbl_blob_put_words(w, none, (RBL_MAX_MANIFOLD_POINTS - count) * size);
	rbl_blob_put32(w, (uint32_t)m->child_a);
	rbl_blob_put32(w, (uint32_t)m->child_b);
}

bool rbl_manifold_load(rbl_blob_reader *r, rbl_manifold *m)
{
	rbl_blob_get_words(r, m, sizeof *m / 4);
	bool ok = m->point_count >= 0 && m->point_count <= RBL_MAX_MANIFOLD_POINTS &&
	          rbl_floats_are_finite(&m->normal, 3);
	for (int i = 0; ok && i < m->point_count; ++i)
		ok = rbl_floats_are_finite(&m->points[i].position, 3) &&
		     rbl_floats_are_finite(&m->points[i].separation, 1);
	return rbl_blob_expect(r, ok, "a manifold is wrong");
}
