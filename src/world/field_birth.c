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

typedef struct crack_search {
	const rbl_compound *a, *b;
	int part_a, part_b; // of these, or RBL_NONE: all
	double tolerance;
	crack_plane planes[RBL_MAX_FIELD_CONTACTS];
	int plane_count;
	rbl_vec3 *points; // of one plane; NULL while counting
	int point_count;
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

static void add_plane(crack_search *s, rbl_planed plane)
{
	for (int i = 0; i < s->plane_count; ++i)
		if (rbl_dot_d(s->planes[i].normal, plane.normal) > 1.0 - 1e-9 &&
		    fabs(s->planes[i].offset - plane.offset) <= s->tolerance)
			return;
	if (s->plane_count < RBL_MAX_FIELD_CONTACTS)
		s->planes[s->plane_count++] = (crack_plane){ plane.normal, plane.offset };
}

// Call a function for all pairs of parts that may touch.
static void each_pair_of_parts(crack_search *s, const crack_plane *plane,
                               void (*function)(crack_search *, const rbl_compound_part *,
                                                const rbl_compound_part *, const crack_plane *))
{
	int end_a = rbl_compound_get_info(s->a).part_end, end_b = rbl_compound_get_info(s->b).part_end;
	end_a = s->part_a == RBL_NONE ? end_a : s->part_a + 1;
	end_b = s->part_b == RBL_NONE ? end_b : s->part_b + 1;
	for (int i = rbl_maxi(0, s->part_a); i < end_a; ++i) {
		rbl_compound_part p = rbl_compound_get_part(s->a, i);
		if (!p.convex)
			continue;
		rbl_convex_data of_p = rbl_convex_get_data(p.convex);
		rbl_boxd box = rbl_convex_data_box(&of_p);
		for (int k = rbl_maxi(0, s->part_b); k < end_b; ++k) {
			rbl_compound_part q = rbl_compound_get_part(s->b, k);
			if (!q.convex)
				continue;
			rbl_convex_data of_q = rbl_convex_get_data(q.convex);
			if (boxes_touch(box, rbl_convex_data_box(&of_q), s->tolerance))
				function(s, &p, &q, plane);
		}
	}
}

static void find_planes(crack_search *s, const rbl_compound_part *p, const rbl_compound_part *q,
                        const crack_plane *unused)
{
	(void)unused;
	rbl_convex_data of_p = rbl_convex_get_data(p->convex), of_q = rbl_convex_get_data(q->convex);
	for (int i = 0; i < of_p.face_count; ++i)
		for (int k = 0; k < of_q.face_count; ++k)
			if (are_opposite(of_p.planes[i], of_q.planes[k], s->tolerance))
				add_plane(s, of_p.planes[i]);
}

// Vertices of what is seen of a part that lie in a plane, and in the convex of the other.
static void add_crack_points(crack_search *s, const rbl_compound_part *of,
                             const rbl_compound_part *in, const crack_plane *plane)
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
		if (!is_in)
			continue;
		if (s->points)
			s->points[s->point_count] = rbl_to_f(v);
		s->point_count++;
	}
}

static void collect_points(crack_search *s, const rbl_compound_part *p, const rbl_compound_part *q,
                           const crack_plane *plane)
{
	add_crack_points(s, p, q, plane);
	add_crack_points(s, q, p, plane);
}

// Four points of a plane that spread widest. @return false when memory ran out
static bool make_crack(const rbl_world *world, crack_search *s, const crack_plane *plane,
                       rbl_birth_crack *crack)
{
	*crack = (rbl_birth_crack){ .corner_count = 0 };
	s->points = NULL;
	s->point_count = 0;
	each_pair_of_parts(s, plane, collect_points);
	int count = rbl_mini(s->point_count, 65536);
	if (count == 0)
		return true;
	s->points = RBL_NEW(&world->allocator, rbl_vec3, s->point_count);
	int capacity = s->point_count;
	if (!s->points)
		return false;
	s->point_count = 0;
	each_pair_of_parts(s, plane, collect_points);
	rbl_crack_polygon polygon = { .corners = s->points,
		                          .corner_count = count,
		                          .normal = rbl_to_f(plane->normal),
		                          .b_in_a = rbl_transform_identity() };
	rbl_manifold manifold;
	rbl_result result =
		rbl_crack_manifold(&polygon, rbl_transform_identity(), rbl_transform_identity(), &manifold);
	RBL_FREE(&world->allocator, s->points, capacity);
	s->points = NULL;
	if (result != RBL_OK)
		return true;
	crack->normal = manifold.normal;
	crack->corner_count = manifold.point_count;
	for (int i = 0; i < manifold.point_count; ++i)
		crack->corners[i] = manifold.points[i].position;
	return true;
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
	crack_search s = { .a = a->compound,
		               .b = b->compound,
		               .part_a = part_a->field ? RBL_NONE : part_a->child,
		               .part_b = part_b->field ? RBL_NONE : part_b->child,
		               .tolerance = 1e-5 * size };
	each_pair_of_parts(&s, NULL, find_planes);
	if (s.plane_count == 0)
		return true;
	rbl_pair_birth *made = RBL_NEW_ZERO(&world->allocator, rbl_pair_birth, 1);
	bool ok = made != NULL;
	for (int i = 0; i < s.plane_count && ok; ++i) {
		ok = make_crack(world, &s, &s.planes[i], &made->cracks[made->count]);
		made->count += made->cracks[made->count].corner_count > 0;
	}
	if (ok && made->count > 0) {
		*birth = made;
		return true;
	}
	RBL_FREE(&world->allocator, made, 1);
	return ok;
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
