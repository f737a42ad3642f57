// SPDX-License-Identifier: MIT
//
// Convex hulls: from triangles to polygon faces, and the public functions.
//
// Neighbouring triangles in one plane, exactly, are one face. On a triangulated convex surface
// that is all it takes: a face is a connected set of such triangles, its border is one loop, and a
// vertex is a corner of the hull when three borders or more start there. Fewer start at points
// inside an edge (two) and inside a face (none).

#include "geometry/hull.h"

#include "geometry/mesh.h"
#include "geometry/predicates.h"

#include "base/log.h"
#include "base/vec.h"

struct rbl_hull {
	rbl_allocator allocator;
	rbl_hull_data data;
	size_t size; // bytes of the one block: this struct, then the arrays
};

enum { HULL_COOKIE = 0x68756c6c };

// --- faces --------------------------------------------------------------------------------------

typedef struct face_finder {
	const rbl_vec3d *points;
	const rbl_hull_triangle *slots;
	int slot_count;
	int *face_of;       // by slot
	int *border_counts; // by point: borders that start there
	int *vertex_of;     // by point: its number among the corners of the hull
	int *stack;         // slots to visit; later by face: whether it is written
} face_finder;

/// The number of `t`'s edge to triangle `other`.
static int edge_to(const rbl_hull_triangle *t, int other)
{
	return t->neighbors[0] == other ? 0 : t->neighbors[1] == other ? 1 : 2;
}

static bool is_coplanar(const face_finder *f, const rbl_hull_triangle *t, int other)
{
	const rbl_hull_triangle *o = &f->slots[other];
	int apex = o->vertices[(edge_to(o, (int)(t - f->slots)) + 2) % 3];
	return rbl_orient3d(f->points[t->vertices[0]], f->points[t->vertices[1]],
	                    f->points[t->vertices[2]], f->points[apex]) == 0;
}

/// Number the faces in the order of their first triangles. @return how many there are
static int number_faces(face_finder *f)
{
	int count = 0;
	for (int i = 0; i < f->slot_count; ++i)
		f->face_of[i] = -1;
	for (int i = 0; i < f->slot_count; ++i) {
		if (f->slots[i].mark == RBL_HULL_FREE || f->face_of[i] >= 0)
			continue;
		int depth = 0;
		f->stack[depth++] = i;
		f->face_of[i] = count;
		while (depth > 0) {
			const rbl_hull_triangle *t = &f->slots[f->stack[--depth]];
			for (int k = 0; k < 3; ++k) {
				int other = t->neighbors[k];
				if (f->face_of[other] >= 0 || !is_coplanar(f, t, other))
					continue;
				f->face_of[other] = count;
				f->stack[depth++] = other;
			}
		}
		count++;
	}
	return count;
}

static bool is_border(const face_finder *f, int slot, int edge)
{
	return f->face_of[f->slots[slot].neighbors[edge]] != f->face_of[slot];
}

/// Count the borders that start at each point. @return how many start at corners of the hull
static int count_borders(face_finder *f, int point_count)
{
	memset(f->border_counts, 0, (size_t)point_count * sizeof *f->border_counts);
	for (int i = 0; i < f->slot_count; ++i)
		for (int k = 0; k < 3 && f->slots[i].mark != RBL_HULL_FREE; ++k)
			f->border_counts[f->slots[i].vertices[k]] += is_border(f, i, k);
	int corner_count = 0;
	for (int i = 0; i < point_count; ++i)
		corner_count += f->border_counts[i] >= 3 ? f->border_counts[i] : 0;
	return corner_count;
}

/// Walk from a border edge to the next one of the same face.
static void next_border(const face_finder *f, int *slot, int *edge)
{
	*edge = (*edge + 1) % 3;
	while (!is_border(f, *slot, *edge)) {
		int other = f->slots[*slot].neighbors[*edge];
		*edge = (edge_to(&f->slots[other], *slot) + 1) % 3;
		*slot = other;
	}
}

/// Write the corners of the face that has this border edge. @return their number
static int write_loop(const face_finder *f, int slot, int edge, int *corners)
{
	int count = 0, at = slot, at_edge = edge;
	do {
		int point = f->slots[at].vertices[at_edge];
		if (f->border_counts[point] >= 3)
			corners[count++] = f->vertex_of[point];
		next_border(f, &at, &at_edge);
	} while (at != slot || at_edge != edge);
	return count;
}

static double largest_part(rbl_vec3d a)
{
	return rbl_maxd(fabs(a.x), rbl_maxd(fabs(a.y), fabs(a.z)));
}

static rbl_planed plane_of(const rbl_vec3d *positions, const int *corners, int count)
{
	rbl_vec3d normal = rbl_polygon_normal(positions, corners, count);
	double extent = 0.0;
	for (int i = 1; i < count; ++i)
		extent =
			rbl_maxd(extent, largest_part(rbl_sub_d(positions[corners[i]], positions[corners[0]])));
	double size = largest_part(normal);
	if (size < 0.1 * extent * extent) { // a needle: rounding would tilt it
		normal = (rbl_vec3d){ 0.0, 0.0, 0.0 };
		for (int i = 2; i < count; ++i)
			normal = rbl_add_d(normal,
			                   rbl_precise_normal(positions[corners[0]], positions[corners[i - 1]],
			                                      positions[corners[i]]));
		size = largest_part(normal);
	}
	if (size > 0.0) // tiny or huge areas must not underflow or overflow when squared
		normal = (rbl_vec3d){ normal.x / size, normal.y / size, normal.z / size };
	rbl_planed plane = { rbl_normalize_d(normal), -DBL_MAX };
	for (int i = 0; i < count; ++i)
		plane.offset = rbl_maxd(plane.offset, rbl_dot_d(plane.normal, positions[corners[i]]));
	return plane;
}

/// Lay the arrays out behind the struct.
static rbl_hull *allocate_hull(const rbl_allocator *allocator, int vertex_count, int face_count,
                               int corner_count)
{
	size_t v = (size_t)vertex_count, n = (size_t)face_count, c = (size_t)corner_count;
	size_t positions_at = (sizeof(rbl_hull) + 63) / 64 * 64;
	size_t planes_at = positions_at + v * sizeof(rbl_vec3d);
	size_t indices_at = planes_at + n * sizeof(rbl_planed);
	size_t starts_at = indices_at + v * sizeof(int);
	size_t corners_at = starts_at + (n + 1) * sizeof(int);
	size_t size = corners_at + c * sizeof(int);
	unsigned char *block = rbl_allocate(allocator, 1, size);
	if (!block)
		return NULL;
	rbl_hull *hull = (rbl_hull *)(void *)block;
	hull->allocator = *allocator;
	hull->size = size;
	hull->data = (rbl_hull_data){ .vertex_count = vertex_count,
		                          .positions = (rbl_vec3d *)(void *)(block + positions_at),
		                          .point_indices = (int *)(void *)(block + indices_at),
		                          .face_count = face_count,
		                          .corner_count = corner_count,
		                          .face_starts = (int *)(void *)(block + starts_at),
		                          .corner_vertices = (int *)(void *)(block + corners_at),
		                          .planes = (rbl_planed *)(void *)(block + planes_at) };
	return hull;
}

/// The arrays of a hull that is being filled: the view has them as const.
#define WRITABLE(type, array) ((type *)(uintptr_t)(array))

static rbl_hull *make_polygons(face_finder *f, int point_count, const rbl_allocator *allocator)
{
	int face_count = number_faces(f), corner_count = count_borders(f, point_count);
	int vertex_count = 0;
	for (int i = 0; i < point_count; ++i)
		f->vertex_of[i] = f->border_counts[i] >= 3 ? vertex_count++ : -1;
	rbl_hull *hull = allocate_hull(allocator, vertex_count, face_count, corner_count);
	if (!hull)
		return NULL;
	rbl_vec3d *positions = WRITABLE(rbl_vec3d, hull->data.positions);
	int *point_indices = WRITABLE(int, hull->data.point_indices);
	for (int i = 0; i < point_count; ++i)
		if (f->vertex_of[i] >= 0)
			positions[f->vertex_of[i]] = f->points[i], point_indices[f->vertex_of[i]] = i;

	int *starts = WRITABLE(int, hull->data.face_starts);
	int *corners = WRITABLE(int, hull->data.corner_vertices);
	rbl_planed *planes = WRITABLE(rbl_planed, hull->data.planes);
	int face = 0, written = 0;
	starts[0] = 0;
	memset(f->stack, 0, (size_t)face_count * sizeof *f->stack);
	for (int i = 0; i < f->slot_count; ++i) {
		// A face is written at the first of its triangles that has a border edge.
		if (f->slots[i].mark == RBL_HULL_FREE || f->stack[f->face_of[i]])
			continue;
		int edge = is_border(f, i, 0) ? 0 : is_border(f, i, 1) ? 1 : is_border(f, i, 2) ? 2 : -1;
		if (edge < 0)
			continue;
		f->stack[f->face_of[i]] = 1;
		int count = write_loop(f, i, edge, corners + written);
		planes[face++] = plane_of(positions, corners + written, count);
		written += count;
		starts[face] = written;
	}
	RBL_ASSERT(face == face_count && written == corner_count);
	return hull;
}

static rbl_hull *find_faces(const rbl_allocator *allocator, const rbl_vec3d *points,
                            int point_count, const rbl_hull_triangles *triangles)
{
	int slot_count = triangles->slots.count;
	face_finder f = { .points = points,
		              .slots = triangles->slots.data,
		              .slot_count = slot_count,
		              .face_of = RBL_NEW(allocator, int, slot_count),
		              .border_counts = RBL_NEW(allocator, int, point_count),
		              .vertex_of = RBL_NEW(allocator, int, point_count),
		              .stack = RBL_NEW(allocator, int, slot_count) };
	rbl_hull *hull = NULL;
	if (f.face_of && f.border_counts && f.vertex_of && f.stack)
		hull = make_polygons(&f, point_count, allocator);
	RBL_FREE(allocator, f.stack, slot_count);
	RBL_FREE(allocator, f.vertex_of, point_count);
	RBL_FREE(allocator, f.border_counts, point_count);
	RBL_FREE(allocator, f.face_of, slot_count);
	return hull;
}

// --- public -------------------------------------------------------------------------------------

rbl_hull_def rbl_default_hull_def(void)
{
	return (rbl_hull_def){ .cookie = HULL_COOKIE };
}

/// @return the first point that is not finite or out of range, or -1
static int find_bad_point(const rbl_vec3d *points, int count)
{
	for (int i = 0; i < count; ++i) {
		const double x[3] = { fabs(points[i].x), fabs(points[i].y), fabs(points[i].z) };
		for (int k = 0; k < 3; ++k)
			if (!(x[k] == 0.0 || (x[k] >= 1e-90 && x[k] <= 1e90)))
				return i;
	}
	return -1;
}

static rbl_result check_hull_def(const rbl_hull_def *def)
{
	if (!def || def->cookie != HULL_COOKIE)
		return rbl_fail(RBL_BAD_ARGUMENT, "start from rbl_default_hull_def()");
	if (!rbl_allocator_is_valid(&def->allocator))
		return rbl_fail(RBL_BAD_ARGUMENT, "allocator has only one of its functions");
	return rbl_hull_check_points(def->points, def->point_count);
}

rbl_result rbl_hull_check_points(const rbl_vec3d *points, int point_count)
{
	if (point_count < 0 || point_count > RBL_MAX_HULL_POINTS)
		return rbl_fail(RBL_BAD_ARGUMENT, "point_count is %d, must be 4 to %d", point_count,
		                RBL_MAX_HULL_POINTS);
	if (!points || point_count < 4)
		return rbl_fail(RBL_BAD_ARGUMENT, "a hull needs 4 points, has %d",
		                points ? point_count : 0);
	int bad = find_bad_point(points, point_count);
	if (bad >= 0)
		return rbl_fail(RBL_BAD_ARGUMENT, "point %d (%g %g %g) is not finite, or out of range", bad,
		                points[bad].x, points[bad].y, points[bad].z);
	return RBL_OK;
}

rbl_result rbl_hull_refuse_flat(const rbl_vec3d *points, int point_count)
{
	static const char *const shapes[3] = { "at one place", "on one line", "in one plane" };
	int corners[4], dimension = rbl_find_simplex(points, point_count, corners);
	return rbl_fail(RBL_BAD_MESH, "no hull: all %d points lie %s", point_count, shapes[dimension]);
}

rbl_result rbl_create_hull(const rbl_hull_def *def, rbl_hull **hull)
{
	if (!hull)
		return rbl_fail(RBL_BAD_ARGUMENT, "hull is NULL");
	*hull = NULL;
	rbl_result result = check_hull_def(def);
	if (result != RBL_OK)
		return result;
	rbl_allocator allocator = rbl_allocator_or_default(&def->allocator);
	rbl_hull_triangles triangles = { 0 };
	result = rbl_quickhull(&allocator, def->points, def->point_count, &triangles);
	if (result == RBL_BAD_MESH)
		rbl_hull_refuse_flat(def->points, def->point_count);
	if (result == RBL_OK) {
		*hull = find_faces(&allocator, def->points, def->point_count, &triangles);
		result = *hull ? RBL_OK : RBL_OUT_OF_MEMORY;
	}
	rbl_array_free(&allocator, &triangles.slots);
	return result;
}

void rbl_destroy_hull(rbl_hull *hull)
{
	if (!hull)
		return;
	rbl_allocator allocator = hull->allocator;
	rbl_release(&allocator, hull, 1, hull->size);
}

rbl_hull_data rbl_hull_get_data(const rbl_hull *hull)
{
	return hull ? hull->data : (rbl_hull_data){ 0 };
}

rbl_result rbl_hull_create_mesh(const rbl_hull *hull, const rbl_allocator *allocator,
                                rbl_mesh **mesh)
{
	if (!mesh)
		return rbl_fail(RBL_BAD_ARGUMENT, "mesh is NULL");
	*mesh = NULL;
	if (!hull)
		return rbl_fail(RBL_BAD_ARGUMENT, "hull is NULL");
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data.vertex_count = hull->data.vertex_count;
	def.data.positions = hull->data.positions;
	def.data.face_count = hull->data.face_count;
	def.data.corner_count = hull->data.corner_count;
	def.data.face_starts = hull->data.face_starts;
	def.data.corner_vertices = hull->data.corner_vertices;
	if (allocator)
		def.allocator = *allocator;
	return rbl_create_mesh(&def, mesh);
}

int rbl_points_dimension(const rbl_vec3d *points, int point_count)
{
	if (!points || point_count < 1 || find_bad_point(points, point_count) >= 0)
		return -1;
	int corners[4];
	return rbl_find_simplex(points, point_count, corners);
}
