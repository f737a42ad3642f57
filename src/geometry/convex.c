// SPDX-License-Identifier: MIT
//
// The convex polyhedron: one block of memory, filled once from the working form (convex_clip.c).

#include "geometry/convex.h"

#include "base/log.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/vec.h"
#include "geometry/mesh.h"

struct rbl_convex {
	rbl_convex_data data; // points into the block
	rbl_allocator allocator;
	size_t size; // of the block
};

enum { CONVEX_COOKIE = 0x636f6e76, MAX_PLANES = 65536 };

rbl_convex_def rbl_default_convex_def(void)
{
	return (rbl_convex_def){ .box = { { -1.0, -1.0, -1.0 }, { 1.0, 1.0, 1.0 } },
		                     .cookie = CONVEX_COOKIE };
}

static rbl_boxd clipper_bounds(const rbl_clipper *c)
{
	rbl_boxd box = rbl_box_empty_d();
	for (int v = 0; v < c->vertex_count; ++v)
		box = rbl_box_add_point_d(box, (rbl_vec3d){ c->x[v], c->y[v], c->z[v] });
	return box;
}

// Keep the faces of largest area within the box around everything: contains the original.
static rbl_result approximate(rbl_clipper *c)
{
	const rbl_allocator *a = &c->allocator;
	int n = c->face_count, kept = RBL_MAX_CONVEX_FACES - 6, corners = 3 * c->vertex_count;
	int *starts = RBL_NEW(a, int, n + 1), *vertices = RBL_NEW(a, int, corners);
	rbl_planed *planes = RBL_NEW(a, rbl_planed, n);
	uint64_t *tags = RBL_NEW(a, uint64_t, n);
	rbl_sort_item64 *items = RBL_NEW(a, rbl_sort_item64, 2 * n);
	bool done = starts && vertices && planes && tags && items;
	if (done) {
		rbl_clipper_loops(c, starts, vertices, NULL);
		for (int f = 0; f < n; ++f) {
			const int *loop = vertices + starts[f];
			rbl_vec3d o = { c->x[loop[0]], c->y[loop[0]], c->z[loop[0]] }, sum = { 0.0, 0.0, 0.0 };
			for (int k = 1; k + 1 < starts[f + 1] - starts[f]; ++k) {
				rbl_vec3d p = { c->x[loop[k]], c->y[loop[k]], c->z[loop[k]] };
				rbl_vec3d q = { c->x[loop[k + 1]], c->y[loop[k + 1]], c->z[loop[k + 1]] };
				sum = rbl_add_d(sum, rbl_cross_d(rbl_sub_d(p, o), rbl_sub_d(q, o)));
			}
			items[f] = (rbl_sort_item64){ ~rbl_sort_key_double(rbl_length_d(sum)), (uint32_t)f, 0 };
			planes[f] = c->planes[f];
			tags[f] = c->tags[f];
		}
		rbl_sort64(items, items + n, n);
		rbl_boxd box = clipper_bounds(c);
		double tolerance = 1e-14 * rbl_length_d(rbl_box_size_d(box));
		done = rbl_clipper_start_box(c, box, 0);
		for (int k = 0; k < 6 && done; ++k)
			c->tags[k] = RBL_NO_PLANE_ID;
		for (int i = 0; i < kept && done; ++i) {
			int f = (int)items[i].value;
			done = rbl_clipper_cut(c, planes[f], tolerance, tags[f]) != RBL_CUT_NO_MEMORY;
		}
	}
	RBL_FREE(a, starts, n + 1);
	RBL_FREE(a, vertices, corners);
	RBL_FREE(a, planes, n);
	RBL_FREE(a, tags, n);
	RBL_FREE(a, items, 2 * n);
	return done ? RBL_OK : RBL_OUT_OF_MEMORY;
}

/// The arrays of a convex that is being filled: the view has them as const.
#define WRITABLE(type, array) ((type *)(uintptr_t)(array))

// A convex whose arrays are to be filled. @return NULL when memory ran out
static rbl_convex *allocate_convex(const rbl_allocator *allocator, int faces, int vertices)
{
	size_t size = 0;
	rbl_layout_add(&size, sizeof(rbl_convex));
	size_t planes_at = rbl_layout_add(&size, (size_t)faces * sizeof(rbl_planed));
	size_t ids_at = rbl_layout_add(&size, (size_t)faces * sizeof(uint64_t));
	size_t vertices_at = rbl_layout_add(&size, (size_t)vertices * sizeof(rbl_vec3d));
	size_t starts_at = rbl_layout_add(&size, (size_t)(faces + 1) * sizeof(int));
	size_t corners_at = rbl_layout_add(&size, (size_t)vertices * 3 * sizeof(int));
	size_t beyond_at = rbl_layout_add(&size, (size_t)vertices * 3 * sizeof(int));
	char *block = rbl_allocate(allocator, 1, size);
	if (!block)
		return NULL;
	rbl_convex *made = (rbl_convex *)(void *)block;
	*made = (rbl_convex){ .allocator = *allocator, .size = size };
	made->data = (rbl_convex_data){
		.face_count = faces,
		.planes = (const rbl_planed *)(void *)(block + planes_at),
		.plane_ids = (const uint64_t *)(void *)(block + ids_at),
		.vertex_count = vertices,
		.vertices = (const rbl_vec3d *)(void *)(block + vertices_at),
		.face_starts = (const int *)(void *)(block + starts_at),
		.corner_vertices = (const int *)(void *)(block + corners_at),
		.corner_faces = (const int *)(void *)(block + beyond_at),
	};
	return made;
}

rbl_result rbl_convex_from_clipper(rbl_clipper *clipper, const rbl_allocator *allocator,
                                   rbl_convex **convex)
{
	*convex = NULL;
	if (clipper->vertex_count == 0)
		return RBL_OK;
	rbl_clipper_compact(clipper);
	bool is_approximate = clipper->face_count > RBL_MAX_CONVEX_FACES;
	if (is_approximate) {
		if (approximate(clipper) != RBL_OK)
			return RBL_OUT_OF_MEMORY;
		rbl_clipper_compact(clipper);
	}
	int faces = clipper->face_count, vertices = clipper->vertex_count;
	rbl_allocator own = rbl_allocator_or_default(allocator);
	rbl_convex *made = allocate_convex(&own, faces, vertices);
	if (!made)
		return RBL_OUT_OF_MEMORY;
	rbl_convex_data *d = &made->data;
	rbl_vec3d *points = WRITABLE(rbl_vec3d, d->vertices);
	memcpy(WRITABLE(rbl_planed, d->planes), clipper->planes, (size_t)faces * sizeof(rbl_planed));
	memcpy(WRITABLE(uint64_t, d->plane_ids), clipper->tags, (size_t)faces * sizeof(uint64_t));
	for (int v = 0; v < vertices; ++v)
		points[v] = (rbl_vec3d){ clipper->x[v], clipper->y[v], clipper->z[v] };
	rbl_clipper_loops(clipper, WRITABLE(int, d->face_starts), WRITABLE(int, d->corner_vertices),
	                  WRITABLE(int, d->corner_faces));
	d->is_approximate = is_approximate;
	*convex = made;
	return RBL_OK;
}

rbl_result rbl_convex_copy(const rbl_convex *convex, const rbl_allocator *allocator,
                           rbl_convex **copy)
{
	rbl_allocator own = rbl_allocator_or_default(allocator);
	char *block = rbl_allocate(&own, 1, convex->size);
	*copy = (rbl_convex *)block;
	if (!block)
		return RBL_OUT_OF_MEMORY;
	memcpy(block, convex, convex->size);
	const char *from = (const char *)convex;
	rbl_convex_data *d = &(*copy)->data;
	const rbl_convex_data *old = &convex->data;
	(*copy)->allocator = own;
	d->planes = (const rbl_planed *)(block + ((const char *)old->planes - from));
	d->plane_ids = (const uint64_t *)(block + ((const char *)old->plane_ids - from));
	d->vertices = (const rbl_vec3d *)(block + ((const char *)old->vertices - from));
	d->face_starts = (const int *)(block + ((const char *)old->face_starts - from));
	d->corner_vertices = (const int *)(block + ((const char *)old->corner_vertices - from));
	d->corner_faces = (const int *)(block + ((const char *)old->corner_faces - from));
	return RBL_OK;
}

bool rbl_clipper_load(rbl_clipper *clipper, const rbl_convex *convex)
{
	const rbl_convex_data *d = &convex->data;
	if (!rbl_clipper_clear(clipper, d->face_count + 8, d->vertex_count + 16))
		return false;
	memcpy(clipper->planes, d->planes, (size_t)d->face_count * sizeof *d->planes);
	memcpy(clipper->tags, d->plane_ids, (size_t)d->face_count * sizeof *d->plane_ids);
	for (int v = 0; v < d->vertex_count; ++v) {
		clipper->x[v] = d->vertices[v].x;
		clipper->y[v] = d->vertices[v].y;
		clipper->z[v] = d->vertices[v].z;
	}
	clipper->face_count = d->face_count;
	clipper->vertex_count = d->vertex_count;
	rbl_clipper_link(clipper, d->face_starts, d->corner_vertices, d->corner_faces);
	return true;
}

// Whether loops and neighbours make a closed polyhedron of vertices with three faces each.
static bool is_closed(const rbl_convex_data *d)
{
	unsigned char counts[RBL_MAX_CONVEX_VERTICES] = { 0 };
	for (int f = 0; f < d->face_count; ++f) {
		int begin = d->face_starts[f], end = d->face_starts[f + 1];
		for (int k = begin; k < end; ++k) {
			int from = d->corner_vertices[k], to = d->corner_vertices[k + 1 < end ? k + 1 : begin];
			int beyond = d->corner_faces[k], found = 0;
			if (from < 0 || from >= d->vertex_count || to < 0 || to >= d->vertex_count ||
			    beyond < 0 || beyond >= d->face_count || beyond == f || ++counts[from] > 3)
				return false;
			int first = d->face_starts[beyond], last = d->face_starts[beyond + 1];
			for (int i = first; i < last; ++i)
				found += d->corner_vertices[i] == to && d->corner_faces[i] == f &&
				         d->corner_vertices[i + 1 < last ? i + 1 : first] == from;
			if (found != 1)
				return false;
		}
	}
	return true;
}

// Corners of slivers are off by more than rounding. Moving a convex changes nothing of the verdict.
static bool has_plane_faces(const rbl_convex_data *data)
{
	double far = 0.0;
	for (int v = 1; v < data->vertex_count; ++v)
		far = rbl_maxd(far, rbl_distance_d(data->vertices[0], data->vertices[v]));
	for (int f = 0; f < data->face_count; ++f)
		for (int k = data->face_starts[f]; k < data->face_starts[f + 1]; ++k) {
			rbl_vec3d corner = data->vertices[data->corner_vertices[k]];
			double height = rbl_dot_d(data->planes[f].normal, corner) - data->planes[f].offset;
			if (!(fabs(height) <= 0.01 * far)) // false for NaN
				return false;
		}
	return true;
}

bool rbl_convex_has_plane_faces(const rbl_convex *convex)
{
	return has_plane_faces(&convex->data);
}

rbl_result rbl_convex_from_data(const rbl_convex_data *data, const rbl_allocator *allocator,
                                rbl_convex **convex)
{
	*convex = NULL;
	int faces = data->face_count, vertices = data->vertex_count;
	if (faces < 4 || faces > RBL_MAX_CONVEX_FACES || vertices != 2 * faces - 4)
		return RBL_BAD_FILE;
	if (data->face_starts[0] != 0 || data->face_starts[faces] != 3 * vertices)
		return RBL_BAD_FILE;
	for (int f = 0; f < faces; ++f) {
		if (data->face_starts[f + 1] < data->face_starts[f] + 3 ||
		    data->face_starts[f + 1] > 3 * vertices || !rbl_is_finite_d(data->planes[f].normal) ||
		    !isfinite(data->planes[f].offset) ||
		    !(fabs(rbl_length_squared_d(data->planes[f].normal) - 1.0) < 1e-9))
			return RBL_BAD_FILE;
	}
	for (int v = 0; v < vertices; ++v)
		if (!rbl_is_finite_d(data->vertices[v]))
			return RBL_BAD_FILE;
	if (!is_closed(data) || !has_plane_faces(data))
		return RBL_BAD_FILE;
	rbl_allocator own = rbl_allocator_or_default(allocator);
	rbl_convex *made = allocate_convex(&own, faces, vertices);
	if (!made)
		return RBL_OUT_OF_MEMORY;
	rbl_convex_data *d = &made->data;
	size_t n = (size_t)faces, corners = 3 * (size_t)vertices;
	memcpy(WRITABLE(rbl_planed, d->planes), data->planes, n * sizeof *d->planes);
	memcpy(WRITABLE(uint64_t, d->plane_ids), data->plane_ids, n * sizeof *d->plane_ids);
	memcpy(WRITABLE(rbl_vec3d, d->vertices), data->vertices,
	       (size_t)vertices * sizeof *d->vertices);
	memcpy(WRITABLE(int, d->face_starts), data->face_starts, (n + 1) * sizeof(int));
	memcpy(WRITABLE(int, d->corner_vertices), data->corner_vertices, corners * sizeof(int));
	memcpy(WRITABLE(int, d->corner_faces), data->corner_faces, corners * sizeof(int));
	d->is_approximate = data->is_approximate;
	*convex = made;
	return RBL_OK;
}

// --- Creation -----------------------------------------------------------------------------------

static bool unit_plane(rbl_planed *plane)
{
	double length = rbl_length_d(plane->normal);
	if (!(length > 0.0) || !isfinite(length) || !isfinite(plane->offset))
		return false;
	plane->normal = rbl_scale_d(1.0 / length, plane->normal);
	plane->offset /= length;
	return isfinite(plane->offset) && rbl_length_squared_d(plane->normal) > 0.5;
}

static rbl_result carve_planes(rbl_clipper *clipper, const rbl_convex_def *def)
{
	rbl_boxd box = def->box;
	rbl_vec3d size = rbl_box_size_d(box);
	if (!rbl_box_is_valid_d(box) || !(size.x > 0.0 && size.y > 0.0 && size.z > 0.0))
		return rbl_fail(RBL_BAD_ARGUMENT, "box is not finite or has a side of zero");
	if (def->plane_count < 0 || def->plane_count > MAX_PLANES)
		return rbl_fail(RBL_BAD_ARGUMENT, "plane_count is %d, must be 0 to %d", def->plane_count,
		                MAX_PLANES);
	if (def->plane_count > 0 && !def->planes)
		return rbl_fail(RBL_BAD_ARGUMENT, "planes is NULL");
	if (!rbl_clipper_start_box(clipper, box, 0))
		return RBL_OUT_OF_MEMORY;
	for (int k = 0; k < 6; ++k)
		clipper->tags[k] = RBL_NO_PLANE_ID;
	double tolerance = 1e-14 * rbl_length_d(size);
	for (int i = 0; i < def->plane_count; ++i) {
		rbl_planed plane = def->planes[i];
		if (!unit_plane(&plane))
			return rbl_fail(RBL_BAD_ARGUMENT, "plane %d has no direction", i);
		uint64_t id = def->plane_ids ? def->plane_ids[i] : RBL_NO_PLANE_ID;
		rbl_cut_result cut = rbl_clipper_cut(clipper, plane, tolerance, id);
		if (cut == RBL_CUT_NO_MEMORY)
			return RBL_OUT_OF_MEMORY;
		if (cut == RBL_CUT_EMPTY)
			return rbl_fail(RBL_BAD_ARGUMENT, "nothing is left after plane %d", i);
	}
	return RBL_OK;
}

static rbl_result carve_mesh(rbl_clipper *clipper, const rbl_mesh *mesh)
{
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	rbl_boxd bounds = rbl_mesh_bounds(mesh);
	double size = data.vertex_count > 0 ? rbl_length_d(rbl_box_size_d(bounds)) : 0.0;
	if (!(size > 0.0) || data.face_count < 4)
		return rbl_fail(RBL_BAD_MESH, "the mesh has no volume");
	// A box that touches nothing: every face of the result is a face of the mesh.
	if (!rbl_clipper_start_box(clipper, rbl_box_grow_d(bounds, 0.25 * size), 0))
		return RBL_OUT_OF_MEMORY;
	for (int k = 0; k < 6; ++k)
		clipper->tags[k] = RBL_NO_PLANE_ID;
	for (int f = 0; f < data.face_count; ++f) {
		const int *vertices = data.corner_vertices + data.face_starts[f];
		int count = data.face_starts[f + 1] - data.face_starts[f];
		rbl_planed plane = { rbl_polygon_normal(data.positions, vertices, count), 0.0 };
		if (!unit_plane(&plane))
			continue; // a face without area bounds nothing
		double largest = -DBL_MAX;
		for (int v = 0; v < data.vertex_count; ++v)
			largest = rbl_maxd(largest, rbl_dot_d(plane.normal, data.positions[v]));
		plane.offset = rbl_dot_d(plane.normal, data.positions[vertices[0]]);
		if (largest > plane.offset + 1e-9 * size)
			return rbl_fail(RBL_BAD_MESH, "face %d has a vertex %g beyond it", f,
			                largest - plane.offset);
		plane.offset = largest;
		rbl_cut_result cut = rbl_clipper_cut(clipper, plane, 1e-12 * size, RBL_NO_PLANE_ID);
		if (cut == RBL_CUT_NO_MEMORY)
			return RBL_OUT_OF_MEMORY;
		if (cut == RBL_CUT_EMPTY)
			return rbl_fail(RBL_BAD_MESH, "nothing is inside of face %d", f);
	}
	if (!rbl_box_contains_d(rbl_box_grow_d(bounds, 1e-9 * size), clipper_bounds(clipper)))
		return rbl_fail(RBL_BAD_MESH, "the mesh is not closed");
	return RBL_OK;
}

rbl_result rbl_create_convex(const rbl_convex_def *def, rbl_convex **convex)
{
	if (!convex)
		return rbl_fail(RBL_BAD_ARGUMENT, "convex is NULL");
	*convex = NULL;
	if (!def || def->cookie != CONVEX_COOKIE)
		return rbl_fail(RBL_BAD_ARGUMENT, "start from rbl_default_convex_def()");
	if (!rbl_allocator_is_valid(&def->allocator))
		return rbl_fail(RBL_BAD_ARGUMENT, "allocator has one function of two");
	rbl_clipper clipper;
	rbl_clipper_init(&clipper, &def->allocator);
	rbl_result result = def->mesh ? carve_mesh(&clipper, def->mesh) : carve_planes(&clipper, def);
	if (result == RBL_OK)
		result = rbl_convex_from_clipper(&clipper, &def->allocator, convex);
	rbl_clipper_destroy(&clipper);
	return result;
}

void rbl_destroy_convex(rbl_convex *convex)
{
	if (!convex)
		return;
	rbl_allocator allocator = convex->allocator;
	rbl_release(&allocator, convex, 1, convex->size);
}

// --- What a convex knows ------------------------------------------------------------------------

rbl_convex_data rbl_convex_get_data(const rbl_convex *convex)
{
	return convex ? convex->data : (rbl_convex_data){ 0 };
}

rbl_mass rbl_convex_get_mass(const rbl_convex *convex)
{
	if (!convex)
		return (rbl_mass){ 0 };
	const rbl_convex_data *d = &convex->data;
	return rbl_polygons_mass(d->vertices, d->face_count, d->face_starts, d->corner_vertices,
	                         d->vertices[0]);
}

double rbl_convex_volume(const rbl_convex *convex)
{
	const rbl_convex_data *d = &convex->data;
	rbl_vec3d o = d->vertices[0];
	double sum = 0.0;
	for (int f = 0; f < d->face_count; ++f) {
		int k = d->face_starts[f], end = d->face_starts[f + 1];
		rbl_vec3d first = rbl_sub_d(d->vertices[d->corner_vertices[k]], o);
		rbl_vec3d last = rbl_sub_d(d->vertices[d->corner_vertices[k + 1]], o);
		for (k += 2; k < end; ++k) {
			rbl_vec3d next = rbl_sub_d(d->vertices[d->corner_vertices[k]], o);
			sum += rbl_dot_d(first, rbl_cross_d(last, next));
			last = next;
		}
	}
	return sum / 6.0;
}

int rbl_convex_support(const rbl_convex *convex, rbl_vec3d direction)
{
	int best = 0;
	double largest = -DBL_MAX;
	for (int v = 0; convex && v < convex->data.vertex_count; ++v) {
		double along = rbl_dot_d(convex->data.vertices[v], direction);
		if (along > largest)
			largest = along, best = v;
	}
	return best;
}

static double convex_size(const rbl_convex *convex)
{
	rbl_boxd box = rbl_box_empty_d();
	for (int v = 0; v < convex->data.vertex_count; ++v)
		box = rbl_box_add_point_d(box, convex->data.vertices[v]);
	return rbl_length_d(rbl_box_size_d(box));
}

// One part of a cut: what lies behind the plane.
static rbl_result cut_back(rbl_clipper *clipper, const rbl_convex *convex, rbl_planed plane,
                           double tolerance, uint64_t plane_id, rbl_convex **part)
{
	if (!rbl_clipper_load(clipper, convex))
		return RBL_OUT_OF_MEMORY;
	if (rbl_clipper_cut(clipper, plane, tolerance, plane_id) == RBL_CUT_NO_MEMORY)
		return RBL_OUT_OF_MEMORY;
	return rbl_convex_from_clipper(clipper, &convex->allocator, part);
}

rbl_result rbl_convex_cut(const rbl_convex *convex, rbl_planed plane, uint64_t plane_id,
                          rbl_convex **front, rbl_convex **back)
{
	if (front)
		*front = NULL;
	if (back)
		*back = NULL;
	if (!convex)
		return rbl_fail(RBL_BAD_ARGUMENT, "convex is NULL");
	if (!unit_plane(&plane))
		return rbl_fail(RBL_BAD_ARGUMENT, "the plane has no direction");
	double tolerance = 1e-12 * convex_size(convex);
	rbl_clipper clipper;
	rbl_clipper_init(&clipper, &convex->allocator);
	rbl_result result = RBL_OK;
	if (back)
		result = cut_back(&clipper, convex, plane, tolerance, plane_id, back);
	if (front && result == RBL_OK) {
		rbl_planed flipped = { rbl_neg_d(plane.normal), -plane.offset };
		result = cut_back(&clipper, convex, flipped, tolerance, plane_id, front);
	}
	rbl_clipper_destroy(&clipper);
	if (result != RBL_OK && back) {
		rbl_destroy_convex(*back);
		*back = NULL;
	}
	return result;
}

rbl_result rbl_convex_intersect(const rbl_convex *a, const rbl_convex *b,
                                rbl_convex **result_convex)
{
	if (!result_convex)
		return rbl_fail(RBL_BAD_ARGUMENT, "result_convex is NULL");
	*result_convex = NULL;
	if (!a || !b)
		return rbl_fail(RBL_BAD_ARGUMENT, "a convex is NULL");
	double tolerance = 1e-12 * rbl_mind(convex_size(a), convex_size(b));
	rbl_clipper clipper;
	rbl_clipper_init(&clipper, &a->allocator);
	rbl_result result = RBL_OUT_OF_MEMORY;
	if (rbl_clipper_load(&clipper, a)) {
		rbl_cut_result cut = RBL_CUT_MISSED;
		for (int f = 0; f < b->data.face_count && cut < RBL_CUT_EMPTY; ++f)
			cut = rbl_clipper_cut(&clipper, b->data.planes[f], tolerance, b->data.plane_ids[f]);
		if (cut != RBL_CUT_NO_MEMORY)
			result = rbl_convex_from_clipper(&clipper, &a->allocator, result_convex);
	}
	rbl_clipper_destroy(&clipper);
	return result;
}

rbl_result rbl_convex_create_mesh(const rbl_convex *convex, const rbl_allocator *allocator,
                                  rbl_mesh **mesh)
{
	if (!mesh)
		return rbl_fail(RBL_BAD_ARGUMENT, "mesh is NULL");
	*mesh = NULL;
	if (!convex)
		return rbl_fail(RBL_BAD_ARGUMENT, "convex is NULL");
	rbl_mesh_def def = rbl_default_mesh_def();
	if (allocator)
		def.allocator = *allocator;
	def.data.vertex_count = convex->data.vertex_count;
	def.data.positions = convex->data.vertices;
	def.data.face_count = convex->data.face_count;
	def.data.face_starts = convex->data.face_starts;
	def.data.corner_count = 3 * convex->data.vertex_count;
	def.data.corner_vertices = convex->data.corner_vertices;
	return rbl_create_mesh(&def, mesh);
}
