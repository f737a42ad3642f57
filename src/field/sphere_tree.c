// SPDX-License-Identifier: MIT
//
// Building sphere trees (Glondu et al. 2014, section 5.1).
//
// The paper puts each point into every level after the one where it first appears, with the radius
// that holds its descendants from there on. Those copies differ by their radius only, so a point is
// kept once here, and the radii of its copies are those of its children: the one kept for a child
// holds that child's descendants and those of all later siblings. It falls from sibling to sibling.
//
// Trees of fragments are built anew from their points and not split off the tree of the whole, as
// section 6 does: a tree of which the first points are ordered is built within a fraction of a
// microsecond per point, and points on cracks take their place among the others. `rubble bench
// field` has both.

#include "field/sphere_tree.h"

#include "base/log.h"
#include "base/math.h"
#include "base/vec.h"

#include "geometry/geometry.h"

// --- tree ---------------------------------------------------------------------------------------

// Distances are rounded; a radius is never too small.
static const float radius_rounding = 1.000001f;

int rbl_sphere_tree_default_order(int count)
{
	return rbl_mini(count, rbl_maxi(64, count / 16));
}

static size_t tree_words(int count)
{
	// positions, ids, child_starts, children, radii
	return (size_t)count * (3 + 1 + 1 + 1 + 1) + 1;
}

size_t rbl_sphere_tree_memory(const rbl_sphere_tree *tree)
{
	return tree->count > 0 ? tree_words(tree->count) * sizeof(uint32_t) : 0;
}

void rbl_sphere_tree_destroy(rbl_sphere_tree *tree)
{
	if (tree->positions)
		rbl_release(&tree->allocator, tree->positions, tree_words(tree->count), sizeof(uint32_t));
	*tree = (rbl_sphere_tree){ 0 };
}

static bool is_within_limits(rbl_vec3 p)
{
	return fabsf(p.x) <= RBL_MAX_FIELD_COORDINATE && fabsf(p.y) <= RBL_MAX_FIELD_COORDINATE &&
	       fabsf(p.z) <= RBL_MAX_FIELD_COORDINATE;
}

static rbl_result check_tree_def(const rbl_sphere_tree_def *def)
{
	if (!def->positions || def->count < 1)
		return rbl_fail(RBL_BAD_ARGUMENT, "a sphere tree needs a point");
	if (def->count > RBL_MAX_FIELD_POINTS)
		return rbl_fail(RBL_LIMIT_REACHED, "a sphere tree of %d points, at most %d", def->count,
		                RBL_MAX_FIELD_POINTS);
	if (def->ordered_count < 0 || def->ordered_count > def->count)
		return rbl_fail(RBL_BAD_ARGUMENT, "ordered_count is %d, must be 0 to %d",
		                def->ordered_count, def->count);
	for (int i = 0; i < def->count; ++i) {
		if (!is_within_limits(def->positions[i]))
			return rbl_fail(RBL_BAD_ARGUMENT, "point %d is at %g %g %g, must be within %g m", i,
			                (double)def->positions[i].x, (double)def->positions[i].y,
			                (double)def->positions[i].z, (double)RBL_MAX_FIELD_COORDINATE);
		if (def->ids && def->ids[i] >= RBL_FIELD_POINT_ID_END)
			return rbl_fail(RBL_BAD_ARGUMENT, "the id of point %d is %u, must be below %u", i,
			                (unsigned)def->ids[i], RBL_FIELD_POINT_ID_END);
	}
	return RBL_OK;
}

static void place_children(rbl_sphere_tree *tree, const int *parents)
{
	int count = tree->count;
	int32_t *starts = tree->child_starts;
	memset(starts, 0, ((size_t)count + 1) * sizeof *starts);
	for (int rank = 1; rank < count; ++rank)
		starts[parents[rank] + 1]++;
	for (int rank = 0; rank < count; ++rank)
		starts[rank + 1] += starts[rank];
	for (int rank = 1; rank < count; ++rank)
		tree->children[starts[parents[rank]]++] = rank;
	for (int rank = count; rank > 0; --rank) // back to where they began
		starts[rank] = starts[rank - 1];
	starts[0] = 0;
}

// @param squares  by rank: how far descendants of it reach from its parent
static void set_radii(rbl_sphere_tree *tree, const int *parents, float *squares)
{
	int count = tree->count;
	memset(squares, 0, (size_t)count * sizeof *squares);
	for (int rank = 1; rank < count; ++rank) {
		rbl_vec3 p = tree->positions[rank];
		for (int child = rank; child > 0; child = parents[child]) {
			float square = rbl_length_squared(rbl_sub(tree->positions[parents[child]], p));
			squares[child] = rbl_maxf(squares[child], square);
		}
	}
	for (int rank = 0; rank < count; ++rank) {
		float most = 0.0f;
		for (int i = tree->child_starts[rank + 1] - 1; i >= tree->child_starts[rank]; --i) {
			most = rbl_maxf(most, squares[tree->children[i]]);
			tree->radii[i] = sqrtf(most) * radius_rounding;
		}
	}
}

bool rbl_sphere_tree_reserve(rbl_sphere_tree *tree, const rbl_allocator *allocator, int count)
{
	*tree = (rbl_sphere_tree){ 0 };
	rbl_allocator own = rbl_allocator_or_default(allocator);
	uint32_t *words = RBL_NEW(&own, uint32_t, tree_words(count));
	if (!words)
		return false;
	*tree = (rbl_sphere_tree){ .allocator = own, .count = count, .bounds = rbl_box_empty() };
	tree->positions = (rbl_vec3 *)(void *)words;
	tree->ids = words + 3 * (size_t)count;
	tree->child_starts = (int32_t *)tree->ids + count;
	tree->children = tree->child_starts + count + 1;
	tree->radii = (float *)(void *)(tree->children + count);
	return true;
}

rbl_result rbl_sphere_tree_assemble(const rbl_sphere_tree_def *def, const int *order,
                                    const int *parents, int exact_count, rbl_arena *arena,
                                    const rbl_allocator *allocator, rbl_sphere_tree *tree)
{
	*tree = (rbl_sphere_tree){ 0 };
	int count = def->count;
	rbl_sphere_tree made;
	float *squares = RBL_ARENA_NEW(arena, float, count);
	if (!squares || !rbl_sphere_tree_reserve(&made, allocator, count))
		return rbl_fail(RBL_OUT_OF_MEMORY, "no memory for a sphere tree of %d points", count);
	made.exact_count = exact_count;
	for (int rank = 0; rank < count; ++rank) {
		rbl_vec3 p = made.positions[rank] = def->positions[order[rank]];
		made.ids[rank] = def->ids ? def->ids[order[rank]] : (uint32_t)order[rank];
		made.bounds = rbl_box_add_point(made.bounds, p);
	}
	place_children(&made, parents);
	set_radii(&made, parents, squares);
	*tree = made;
	return RBL_OK;
}

rbl_result rbl_sphere_tree_build(const rbl_sphere_tree_def *def, rbl_arena *arena,
                                 const rbl_allocator *allocator, rbl_sphere_tree *tree)
{
	*tree = (rbl_sphere_tree){ 0 };
	rbl_result result = check_tree_def(def);
	if (result != RBL_OK)
		return result;
	int count = def->count, exact_count;
	int ordered_count =
		def->ordered_count > 0 ? def->ordered_count : rbl_sphere_tree_default_order(count);
	int *order = RBL_ARENA_NEW(arena, int, count), *parents = RBL_ARENA_NEW(arena, int, count);
	if (!order || !parents ||
	    rbl_order_points(arena, def->positions, count, ordered_count, order, parents,
	                     &exact_count) != RBL_OK)
		return rbl_fail(RBL_OUT_OF_MEMORY, "no memory for a sphere tree of %d points", count);
	return rbl_sphere_tree_assemble(def, order, parents, exact_count, arena, allocator, tree);
}

// --- samples ------------------------------------------------------------------------------------

static rbl_result check_sample_mesh(const rbl_mesh_data *mesh, rbl_vec3d origin)
{
	if (!mesh || !mesh->positions || !mesh->face_starts || !mesh->corner_vertices ||
	    mesh->face_count < 1)
		return rbl_fail(RBL_BAD_MESH, "a mesh without faces has no points to touch with");
	if (mesh->face_starts[0] != 0 || mesh->face_starts[mesh->face_count] != mesh->corner_count)
		return rbl_fail(RBL_BAD_MESH, "the faces have %d corners, not %d",
		                mesh->face_starts[mesh->face_count], mesh->corner_count);
	for (int i = 0; i < mesh->face_count; ++i)
		if (mesh->face_starts[i + 1] < mesh->face_starts[i] + 3)
			return rbl_fail(RBL_BAD_MESH, "face %d has fewer than three corners", i);
	for (int i = 0; i < mesh->corner_count; ++i)
		if (mesh->corner_vertices[i] < 0 || mesh->corner_vertices[i] >= mesh->vertex_count)
			return rbl_fail(RBL_BAD_MESH, "corner %d has vertex %d, of %d", i,
			                mesh->corner_vertices[i], mesh->vertex_count);
	for (int i = 0; i < mesh->vertex_count; ++i)
		if (!is_within_limits(rbl_to_f(rbl_sub_d(mesh->positions[i], origin))))
			return rbl_fail(RBL_BAD_MESH, "vertex %d is at %g %g %g, must be within %g m", i,
			                mesh->positions[i].x, mesh->positions[i].y, mesh->positions[i].z,
			                (double)RBL_MAX_FIELD_COORDINATE);
	return RBL_OK;
}

typedef struct edge_sampler {
	const rbl_mesh_data *mesh;
	const rbl_adjacency *adjacency;
	const rbl_vec3d *normals; // of faces
	double least_cosine, spacing;
} edge_sampler;

static void edge_ends(const edge_sampler *s, int edge, rbl_vec3d ends[2])
{
	int corner = s->adjacency->edge_corners[s->adjacency->edge_starts[edge]];
	int a = s->mesh->corner_vertices[corner];
	int b = s->mesh->corner_vertices[rbl_next_corner(s->mesh, s->adjacency, corner)];
	ends[0] = s->mesh->positions[rbl_mini(a, b)];
	ends[1] = s->mesh->positions[rbl_maxi(a, b)];
}

// How many samples an edge has between its ends; from the most of a shape on it does not matter.
static int samples_on_edge(const edge_sampler *s, int edge)
{
	int begin = s->adjacency->edge_starts[edge], end = s->adjacency->edge_starts[edge + 1];
	const int *faces = s->adjacency->faces, *corners = s->adjacency->edge_corners;
	if (end - begin == 2 && rbl_dot_d(s->normals[faces[corners[begin]]],
	                                  s->normals[faces[corners[begin + 1]]]) >= s->least_cosine)
		return 0;
	rbl_vec3d ends[2];
	edge_ends(s, edge, ends);
	double parts = ceil(rbl_distance_d(ends[0], ends[1]) / s->spacing * (1.0 - 1e-9));
	return (int)rbl_clampd(parts - 1.0, 0.0, (double)RBL_MAX_FIELD_POINTS + 1.0);
}

// @param on_edges  receives those of each edge
static int64_t count_samples(const edge_sampler *s, bool *is_used, int *on_edges)
{
	int64_t count = 0;
	memset(is_used, 0, (size_t)s->mesh->vertex_count * sizeof *is_used);
	for (int i = 0; i < s->mesh->corner_count; ++i)
		is_used[s->mesh->corner_vertices[i]] = true;
	for (int i = 0; i < s->mesh->vertex_count; ++i)
		count += is_used[i];
	for (int i = 0; i < s->adjacency->edge_count && count <= RBL_MAX_FIELD_POINTS; ++i)
		count += on_edges[i] = samples_on_edge(s, i);
	return count;
}

static void write_samples(const edge_sampler *s, const bool *is_used, const int *on_edges,
                          rbl_vec3d origin, rbl_point_samples *samples)
{
	int n = 0;
	for (int i = 0; i < s->mesh->vertex_count; ++i)
		if (is_used[i]) {
			samples->positions[n] = rbl_to_f(rbl_sub_d(s->mesh->positions[i], origin));
			samples->ids[n++] = (uint32_t)i;
		}
	uint32_t id = (uint32_t)s->mesh->vertex_count;
	for (int i = 0; i < s->adjacency->edge_count; ++i) {
		rbl_vec3d ends[2];
		if (on_edges[i] > 0)
			edge_ends(s, i, ends);
		for (int k = 1; k <= on_edges[i]; ++k) {
			rbl_vec3d p = rbl_lerp_d(ends[0], ends[1], (double)k / (on_edges[i] + 1));
			samples->positions[n] = rbl_to_f(rbl_sub_d(p, origin));
			samples->ids[n++] = id++;
		}
	}
	RBL_ASSERT(n == samples->count);
}

static rbl_result sample_edges(const rbl_point_samples_def *def, const rbl_adjacency *adjacency,
                               const rbl_allocator *allocator, rbl_point_samples *samples)
{
	const rbl_mesh_data *mesh = def->mesh;
	rbl_vec3d *normals = RBL_NEW(allocator, rbl_vec3d, mesh->face_count);
	bool *is_used = RBL_NEW(allocator, bool, mesh->vertex_count);
	int *on_edges = RBL_NEW(allocator, int, adjacency->edge_count);
	rbl_result result = normals && is_used && on_edges ? RBL_OK : RBL_OUT_OF_MEMORY;
	if (result == RBL_OK) {
		for (int f = 0; f < mesh->face_count; ++f) {
			int begin = mesh->face_starts[f];
			normals[f] = rbl_normalize_d(rbl_polygon_normal(
				mesh->positions, mesh->corner_vertices + begin, mesh->face_starts[f + 1] - begin));
		}
		edge_sampler s = { mesh, adjacency, normals, rbl_cos((double)def->crease_angle),
			               (double)def->spacing };
		int64_t count = count_samples(&s, is_used, on_edges);
		rbl_point_samples made = { .allocator = *allocator, .count = (int)count };
		if (count > RBL_MAX_FIELD_POINTS) {
			result = RBL_LIMIT_REACHED;
		} else {
			made.positions = RBL_NEW(allocator, rbl_vec3, count);
			made.ids = RBL_NEW(allocator, uint32_t, count);
			result = made.positions && made.ids ? RBL_OK : RBL_OUT_OF_MEMORY;
		}
		if (result == RBL_OK) {
			write_samples(&s, is_used, on_edges, def->origin, &made);
			*samples = made;
		} else {
			rbl_point_samples_destroy(&made);
		}
	}
	RBL_FREE(allocator, on_edges, adjacency->edge_count);
	RBL_FREE(allocator, is_used, mesh->vertex_count);
	RBL_FREE(allocator, normals, mesh->face_count);
	return result;
}

rbl_result rbl_sample_points(const rbl_point_samples_def *def, const rbl_allocator *allocator,
                             rbl_point_samples *samples)
{
	*samples = (rbl_point_samples){ 0 };
	if (!(def->crease_angle >= 0.0f && def->crease_angle <= 3.1416f))
		return rbl_fail(RBL_BAD_ARGUMENT, "crease_angle is %g, must be 0 to pi",
		                (double)def->crease_angle);
	if (!(def->spacing > 0.0f))
		return rbl_fail(RBL_BAD_ARGUMENT, "spacing is %g, must be > 0", (double)def->spacing);
	if (!rbl_is_finite_d(def->origin))
		return rbl_fail(RBL_BAD_ARGUMENT, "origin is not finite");
	rbl_result result = check_sample_mesh(def->mesh, def->origin);
	if (result != RBL_OK)
		return result;
	rbl_allocator own = rbl_allocator_or_default(allocator);
	rbl_adjacency adjacency;
	result = rbl_adjacency_init(&adjacency, &own, def->mesh);
	if (result == RBL_OK) {
		result = sample_edges(def, &adjacency, &own, samples);
		rbl_adjacency_destroy(&adjacency);
	}
	if (result == RBL_LIMIT_REACHED)
		return rbl_fail(result, "spacing is %g: more than %d samples", (double)def->spacing,
		                RBL_MAX_FIELD_POINTS);
	return result == RBL_OK ? RBL_OK : rbl_fail(result, "no memory to sample a mesh");
}

void rbl_point_samples_destroy(rbl_point_samples *samples)
{
	RBL_FREE(&samples->allocator, samples->positions, samples->count);
	RBL_FREE(&samples->allocator, samples->ids, samples->count);
	*samples = (rbl_point_samples){ 0 };
}
