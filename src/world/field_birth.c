// SPDX-License-Identifier: MIT
//
// Contacts of two pieces that a crack has just parted.
//
// Their faces lie on each other, and points at the rim of a crack are as near to the outer surface
// as to it: fields would give normals of both. So the planes that both pieces have, and four points
// of each that spread widest, are found once when the pieces first meet, and are their contacts as
// long as they stay where they were. Nothing else of them can touch until then.

#include "world/world.h"

// Pieces that have moved farther than this relative to each other are apart, in metres.
static const float birth_distance = 0.002f;

// A plane that two pieces share, in the coordinates of both, out of the first.
typedef struct crack_plane {
	rbl_vec3d normal;
	double offset;
} crack_plane;

// A part of one of the bodies that may touch the other.
typedef struct crack_part {
	const rbl_convex *convex;
	const rbl_mesh *mesh; // what is seen of it; NULL: the convex
	rbl_boxd box;         // of the convex
} crack_part;

// Two parts that have a face each in one of the planes.
typedef struct crack_pair {
	int a, b, plane;
} crack_pair;

typedef struct crack_search {
	rbl_allocator allocator;
	double tolerance;
	crack_plane planes[RBL_MAX_FIELD_CONTACTS];
	int plane_count;
	RBL_ARRAY(crack_part) parts[2]; // of both bodies
	RBL_ARRAY(crack_pair) pairs;
	RBL_ARRAY(rbl_vec3) points; // of one plane
	bool is_out_of_memory;
} crack_search;

static bool boxes_touch(rbl_boxd a, rbl_boxd b, double margin)
{
	return a.lower.x <= b.upper.x + margin && b.lower.x <= a.upper.x + margin &&
	       a.lower.y <= b.upper.y + margin && b.lower.y <= a.upper.y + margin &&
	       a.lower.z <= b.upper.z + margin && b.lower.z <= a.upper.z + margin;
}

static bool are_opposite(rbl_planed p, rbl_planed q, double tolerance)
{
	return rbl_dot_d(p.normal, q.normal) < -1.0 + 1e-9 && fabs(p.offset + q.offset) <= tolerance;
}

// @return its number, RBL_NONE when there are too many
static int add_plane(crack_search *s, rbl_planed plane)
{
	for (int i = 0; i < s->plane_count; ++i)
		if (rbl_dot_d(s->planes[i].normal, plane.normal) > 1.0 - 1e-9 &&
		    fabs(s->planes[i].offset - plane.offset) <= s->tolerance)
			return i;
	if (s->plane_count == RBL_MAX_FIELD_CONTACTS)
		return RBL_NONE;
	s->planes[s->plane_count] = (crack_plane){ plane.normal, plane.offset };
	return s->plane_count++;
}

// Parts of a compound, or one of them.
static void list_crack_parts(crack_search *s, int side, const rbl_compound *compound, int only)
{
	int end = only == RBL_NONE ? rbl_compound_get_info(compound).part_end : only + 1;
	for (int i = rbl_maxi(0, only); i < end; ++i) {
		rbl_compound_part p = rbl_compound_get_part(compound, i);
		if (!p.convex)
			continue;
		rbl_convex_data data = rbl_convex_get_data(p.convex);
		crack_part part = { p.convex, p.mesh, rbl_convex_data_box(&data) };
		s->is_out_of_memory |= !rbl_array_push(&s->allocator, &s->parts[side], part);
	}
}

// Leave out parts that no part of the other body is near.
static void drop_far_parts(crack_search *s, int side)
{
	rbl_boxd all = rbl_box_empty_d();
	int kept = 0;
	for (int i = 0; i < s->parts[!side].count; ++i)
		all = rbl_box_join_d(all, s->parts[!side].data[i].box);
	for (int i = 0; i < s->parts[side].count; ++i)
		if (boxes_touch(s->parts[side].data[i].box, all, s->tolerance))
			s->parts[side].data[kept++] = s->parts[side].data[i];
	s->parts[side].count = kept;
}

// Planes that a face of each of two parts lies in, on either side.
static void find_planes(crack_search *s, int a, int b)
{
	rbl_convex_data of_a = rbl_convex_get_data(s->parts[0].data[a].convex);
	rbl_convex_data of_b = rbl_convex_get_data(s->parts[1].data[b].convex);
	for (int i = 0; i < of_a.face_count; ++i)
		for (int k = 0; k < of_b.face_count; ++k) {
			if (!are_opposite(of_a.planes[i], of_b.planes[k], s->tolerance))
				continue;
			int plane = add_plane(s, of_a.planes[i]);
			crack_pair pair = { a, b, plane };
			if (plane != RBL_NONE)
				s->is_out_of_memory |= !rbl_array_push(&s->allocator, &s->pairs, pair);
		}
}

// Vertices of what is seen of a part that lie in a plane, and in the convex of the other.
static void add_crack_points(crack_search *s, const crack_part *of, const crack_part *in,
                             const crack_plane *plane)
{
	rbl_convex_data own = rbl_convex_get_data(of->convex), other = rbl_convex_get_data(in->convex);
	rbl_mesh_data mesh = of->mesh ? rbl_mesh_get_data(of->mesh) : (rbl_mesh_data){ 0 };
	const rbl_vec3d *positions = of->mesh ? mesh.positions : own.vertices;
	int count = of->mesh ? mesh.vertex_count : own.vertex_count;
	for (int i = 0; i < count; ++i) {
		rbl_vec3d v = positions[i];
		bool is_in = fabs(rbl_dot_d(plane->normal, v) - plane->offset) <= s->tolerance;
		for (int k = 0; k < other.face_count && is_in; ++k)
			is_in = rbl_dot_d(other.planes[k].normal, v) - other.planes[k].offset <= s->tolerance;
		if (is_in)
			s->is_out_of_memory |= !rbl_array_push(&s->allocator, &s->points, rbl_to_f(v));
	}
}

// Four points of a plane that spread widest.
static void make_crack(crack_search *s, int plane, rbl_birth_crack *crack)
{
	enum { MOST_POINTS = 65536 };
	*crack = (rbl_birth_crack){ .corner_count = 0 };
	s->points.count = 0;
	for (int i = 0; i < s->pairs.count; ++i) {
		crack_pair pair = s->pairs.data[i];
		if (pair.plane != plane)
			continue;
		const crack_part *a = &s->parts[0].data[pair.a], *b = &s->parts[1].data[pair.b];
		add_crack_points(s, a, b, &s->planes[plane]);
		add_crack_points(s, b, a, &s->planes[plane]);
	}
	if (s->points.count == 0 || s->is_out_of_memory)
		return;
	rbl_crack_polygon polygon = { .corners = s->points.data,
		                          .corner_count = rbl_mini(s->points.count, MOST_POINTS),
		                          .normal = rbl_to_f(s->planes[plane].normal),
		                          .b_in_a = rbl_transform_identity() };
	rbl_manifold manifold;
	if (rbl_crack_manifold(&polygon, rbl_transform_identity(), rbl_transform_identity(),
	                       &manifold) != RBL_OK)
		return;
	crack->normal = manifold.normal;
	crack->corner_count = manifold.point_count;
	for (int i = 0; i < manifold.point_count; ++i)
		crack->corners[i] = manifold.points[i].position;
}

static void free_search(crack_search *s)
{
	rbl_array_free(&s->allocator, &s->parts[0]);
	rbl_array_free(&s->allocator, &s->parts[1]);
	rbl_array_free(&s->allocator, &s->pairs);
	rbl_array_free(&s->allocator, &s->points);
}

static bool are_at_one_place(rbl_transform a, rbl_transform b)
{
	rbl_quat q = rbl_quat_mul(rbl_quat_conjugate(a.rotation), b.rotation);
	return rbl_distance(a.position, b.position) < 1e-4f &&
	       q.x * q.x + q.y * q.y + q.z * q.z < 1e-8f;
}

static rbl_transform shape_pose(const rbl_world *world, int part)
{
	return rbl_body_pose(world, rbl_world_body_id(world, world->hot_parts[part].body));
}

bool rbl_world_find_birth(const rbl_world *world, int pair, rbl_pair_birth **birth)
{
	*birth = NULL;
	const rbl_pair_record *record = &world->pairs[pair];
	int body_a = world->hot_parts[record->a].body, body_b = world->hot_parts[record->b].body;
	const rbl_body *a = &world->bodies[body_a], *b = &world->bodies[body_b];
	bool are_pieces = a->compound && b->compound && a->original && a->original == b->original &&
	                  are_at_one_place(shape_pose(world, record->a), shape_pose(world, record->b));
	if (!are_pieces || !(record->flags & RBL_PAIR_NEW))
		return true;
	if (world->field_probe && world->field_probe->without_birth)
		return true;
	double size = (double)rbl_minf(world->motions[body_a].bounding_radius,
	                               world->motions[body_b].bounding_radius);
	const rbl_world_part *part_a = &world->parts[record->a], *part_b = &world->parts[record->b];
	crack_search s = { .allocator = world->allocator, .tolerance = 1e-5 * size };
	list_crack_parts(&s, 0, a->compound, part_a->field ? RBL_NONE : part_a->child);
	list_crack_parts(&s, 1, b->compound, part_b->field ? RBL_NONE : part_b->child);
	drop_far_parts(&s, 0);
	drop_far_parts(&s, 1);
	for (int i = 0; i < s.parts[0].count; ++i)
		for (int k = 0; k < s.parts[1].count; ++k)
			if (boxes_touch(s.parts[0].data[i].box, s.parts[1].data[k].box, s.tolerance))
				find_planes(&s, i, k);
	rbl_pair_birth *made = NULL;
	if (s.plane_count > 0) {
		made = RBL_NEW_ZERO(&world->allocator, rbl_pair_birth, 1);
		s.is_out_of_memory |= !made;
	}
	for (int i = 0; i < s.plane_count && !s.is_out_of_memory; ++i) {
		make_crack(&s, i, &made->cracks[made->count]);
		made->count += made->cracks[made->count].corner_count > 0;
	}
	free_search(&s);
	if (made && made->count > 0 && !s.is_out_of_memory)
		*birth = made;
	else
		RBL_FREE(&world->allocator, made, 1);
	return !s.is_out_of_memory;
}

bool rbl_world_find_birth_manifolds(const rbl_world *world, int pair, rbl_pair_field *found)
{
	const rbl_pair_record *record = &world->pairs[pair];
	rbl_transform a = shape_pose(world, record->a), b = shape_pose(world, record->b);
	const rbl_pair_birth *birth = found->birth;
	for (int i = 0; i < birth->count; ++i)
		for (int k = 0; k < birth->cracks[i].corner_count; ++k) {
			rbl_vec3 corner = birth->cracks[i].corners[k];
			if (!(rbl_distance(rbl_transform_point(a, corner), rbl_transform_point(b, corner)) <
			      birth_distance))
				return false;
		}
	found->manifold_count = 0;
	found->is_incomplete = false;
	for (int i = 0; i < birth->count; ++i) {
		const rbl_birth_crack *crack = &birth->cracks[i];
		rbl_crack_polygon polygon = { .corners = crack->corners,
			                          .corner_count = crack->corner_count,
			                          .normal = crack->normal,
			                          .b_in_a = rbl_transform_identity(),
			                          .first_id = RBL_MAX_MANIFOLD_POINTS * (uint32_t)i };
		rbl_manifold *m = &found->manifolds[found->manifold_count];
		if (rbl_crack_manifold(&polygon, a, b, m) != RBL_OK)
			continue;
		m->child_a = world->parts[record->a].child;
		m->child_b = world->parts[record->b].child;
		found->manifold_count++;
	}
	return true;
}
