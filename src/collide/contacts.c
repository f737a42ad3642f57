// SPDX-License-Identifier: MIT
//
// Contacts of two colliders: which children are close, and a manifold for each pair that touches.
//
// Children are found through the trees, never all against all. Every close pair has a record with
// its cache, in the order in which the trees report them. Trees do not change, so that order is the
// same in every step, and finding the old records is a merge of two sorted lists.
//
// Internal edges (ghost collisions). A body that slides over a flat or concave edge from one
// triangle to the next must not trip over it, so a normal that leans over such an edge is replaced
// by the normal of the triangle. Over a convex edge it may lean as far as the neighbour's normal;
// beyond that the contact is the neighbour's.

#include "collide/collide.h"

#include "base/log.h"

typedef struct close_pair {
	uint64_t rank; // in the order of the trees
	rbl_sat_cache cache;
} close_pair;

typedef struct pair_list {
	RBL_ARRAY(close_pair) pairs;
	RBL_ARRAY(rbl_manifold) manifolds;
} pair_list;

struct rbl_contacts {
	rbl_allocator allocator;
	pair_list now, next;       // `next` is filled, then swapped
	const rbl_collider *a, *b; // of the last update
};

rbl_result rbl_create_contacts(const rbl_allocator *allocator, rbl_contacts **contacts)
{
	if (!contacts)
		return rbl_fail(RBL_BAD_ARGUMENT, "contacts is NULL");
	*contacts = NULL;
	if (allocator && !rbl_allocator_is_valid(allocator))
		return rbl_fail(RBL_BAD_ARGUMENT, "allocator has one function of two");
	rbl_allocator own = rbl_allocator_or_default(allocator);
	rbl_contacts *made = RBL_NEW_ZERO(&own, rbl_contacts, 1);
	if (!made)
		return RBL_OUT_OF_MEMORY;
	made->allocator = own;
	*contacts = made;
	return RBL_OK;
}

static void free_list(const rbl_allocator *allocator, pair_list *list)
{
	rbl_array_free(allocator, &list->pairs);
	rbl_array_free(allocator, &list->manifolds);
}

void rbl_destroy_contacts(rbl_contacts *contacts)
{
	if (!contacts)
		return;
	rbl_allocator allocator = contacts->allocator;
	free_list(&allocator, &contacts->now);
	free_list(&allocator, &contacts->next);
	RBL_FREE(&allocator, contacts, 1);
}

rbl_manifolds rbl_contacts_get_manifolds(const rbl_contacts *contacts)
{
	if (!contacts)
		return (rbl_manifolds){ NULL, 0 };
	return (rbl_manifolds){ contacts->now.manifolds.data, contacts->now.manifolds.count };
}

// --- internal edges of meshes --------------------------------------------------------------------

static rbl_vec3 triangle_normal(const rbl_vec3 p[3])
{
	return rbl_normalize(rbl_cross(rbl_sub(p[1], p[0]), rbl_sub(p[2], p[0])));
}

// The side nearest to a point.
static int nearest_side(const rbl_vec3 p[3], rbl_vec3 point)
{
	int best = 0;
	float smallest = FLT_MAX;
	for (int i = 0; i < 3; ++i) {
		rbl_vec3 side = rbl_sub(p[(i + 1) % 3], p[i]), to = rbl_sub(point, p[i]);
		float square = rbl_length_squared(side);
		float s = square > 0.0f ? rbl_clampf(rbl_dot(to, side) / square, 0.0f, 1.0f) : 0.0f;
		float d = rbl_length_squared(rbl_add_scaled(to, -s, side));
		if (d < smallest)
			smallest = d, best = i;
	}
	return best;
}

typedef enum edge_filter { KEEP, DROP, USE_FACE_NORMAL } edge_filter;

// What becomes of a contact with a triangle; normal and point in the surface's frame, the normal
// out of the surface.
static edge_filter filter_normal(const rbl_collider *surface, int child, rbl_vec3 normal,
                                 rbl_vec3 point)
{
	rbl_vec3 p[3], q[3];
	rbl_collider_triangle(surface, child, p);
	rbl_vec3 face = triangle_normal(p);
	float lean = rbl_dot(face, normal); // cosine
	if (lean > 0.99999f)
		return KEEP;
	int neighbour = rbl_collider_neighbour(surface, child, nearest_side(p, point));
	if (neighbour < 0)
		return lean > 0.0f ? KEEP : USE_FACE_NORMAL;
	rbl_collider_triangle(surface, neighbour, q);
	rbl_vec3 between = rbl_sub(rbl_scale(1.0f / 3.0f, rbl_add(q[0], rbl_add(q[1], q[2]))),
	                           rbl_scale(1.0f / 3.0f, rbl_add(p[0], rbl_add(p[1], p[2]))));
	float bend = rbl_dot(face, triangle_normal(q)); // cosine
	bool is_convex = rbl_dot(face, between) < 0.0f && bend < 0.9998f;
	if (!is_convex || lean < -0.5f)
		return USE_FACE_NORMAL;
	return lean >= bend - 0.01f ? KEEP : DROP;
}

// --- one pair of children -----------------------------------------------------------------------

typedef struct pair_query {
	rbl_contacts *contacts;
	const rbl_collider *a, *b;
	rbl_transform pose_a, pose_b;
	float margin;
	int cursor;    // in the old records
	bool visits_a; // rbl_collider_visits_a()
	int child;     // of the visited collider
	rbl_transform to_other;
	bool ran_out;
} pair_query;

static uint64_t pair_rank(const pair_query *query, int child_a, int child_b)
{
	uint64_t a = (uint64_t)rbl_collider_rank(query->a, child_a);
	uint64_t b = (uint64_t)rbl_collider_rank(query->b, child_b);
	return query->visits_a ? a << 32 | b : b << 32 | a;
}

static rbl_sat_cache old_cache(pair_query *query, uint64_t rank)
{
	const pair_list *now = &query->contacts->now;
	int i = query->cursor;
	while (i < now->pairs.count && now->pairs.data[i].rank < rank)
		++i;
	query->cursor = i;
	if (i < now->pairs.count && now->pairs.data[i].rank == rank)
		return now->pairs.data[i].cache;
	return (rbl_sat_cache){ .kind = RBL_SAT_NONE };
}

static void filter_triangle(const pair_query *query, const rbl_polyhedron *a, rbl_transform pose_a,
                            const rbl_polyhedron *b, rbl_transform pose_b, rbl_manifold *m)
{
	bool is_a = rbl_collider_is_surface(query->a);
	const rbl_collider *surface = is_a ? query->a : query->b;
	rbl_transform pose = is_a ? query->pose_a : query->pose_b;
	rbl_vec3 normal = rbl_rotate_inverse(pose.rotation, is_a ? m->normal : rbl_neg(m->normal));
	int deepest = 0;
	for (int i = 1; i < m->point_count; ++i)
		deepest = m->points[i].separation < m->points[deepest].separation ? i : deepest;
	rbl_vec3 point = rbl_transform_point_inverse(pose, m->points[deepest].position);
	edge_filter filter = filter_normal(surface, is_a ? m->child_a : m->child_b, normal, point);
	if (filter == DROP)
		m->point_count = 0;
	else if (filter == USE_FACE_NORMAL)
		rbl_collide_on_face(a, pose_a, b, pose_b, !is_a, 0, query->margin, m);
}

// The two children. @return false for a triangle without area
static bool get_children(const pair_query *query, int child_a, int child_b,
                         rbl_small_polyhedron scratch[2], rbl_child_polyhedron *a,
                         rbl_child_polyhedron *b)
{
	bool a_is_plane = query->a->kind == RBL_COLLIDER_PLANE;
	bool b_is_plane = query->b->kind == RBL_COLLIDER_PLANE;
	if ((!a_is_plane && !rbl_collider_child_at(query->a, child_a, &scratch[0], a)) ||
	    (!b_is_plane && !rbl_collider_child_at(query->b, child_b, &scratch[1], b)))
		return false;
	if (a_is_plane) {
		rbl_transform to_a = rbl_transform_relative(query->pose_a, query->pose_b);
		rbl_box near = rbl_polyhedron_bounds(b->polyhedron, rbl_transform_mul(to_a, b->pose));
		rbl_collider_plane_near(query->a, near, &scratch[0], a);
	} else if (b_is_plane) {
		rbl_transform to_b = rbl_transform_relative(query->pose_b, query->pose_a);
		rbl_box near = rbl_polyhedron_bounds(a->polyhedron, rbl_transform_mul(to_b, a->pose));
		rbl_collider_plane_near(query->b, near, &scratch[1], b);
	}
	return true;
}

static bool has_triangles(const rbl_collider *c)
{
	return rbl_collider_is_surface(c) && c->kind != RBL_COLLIDER_PLANE;
}

// @return false when memory ran out
static bool add_pair(pair_query *query, int child_a, int child_b)
{
	rbl_small_polyhedron scratch[2];
	rbl_child_polyhedron a, b;
	if (!get_children(query, child_a, child_b, scratch, &a, &b))
		return true;
	rbl_transform pose_a = rbl_transform_mul(query->pose_a, a.pose);
	rbl_transform pose_b = rbl_transform_mul(query->pose_b, b.pose);
	close_pair pair = { .rank = pair_rank(query, child_a, child_b) };
	pair.cache = old_cache(query, pair.rank);
	rbl_manifold m = { .child_a = child_a, .child_b = child_b };
	bool touches = rbl_collide_pair(a.polyhedron, pose_a, b.polyhedron, pose_b, query->margin,
	                                &pair.cache, &m, NULL);
	if (touches && (has_triangles(query->a) || has_triangles(query->b)))
		filter_triangle(query, a.polyhedron, pose_a, b.polyhedron, pose_b, &m);
	pair_list *next = &query->contacts->next;
	const rbl_allocator *allocator = &query->contacts->allocator;
	bool ok = rbl_array_push(allocator, &next->pairs, pair) &&
	          (m.point_count == 0 || rbl_array_push(allocator, &next->manifolds, m));
	query->ran_out |= !ok;
	return ok;
}

// --- finding pairs ------------------------------------------------------------------------------

// A child of the other collider.
static bool visit_other(void *context, int child)
{
	pair_query *query = context;
	return query->visits_a ? add_pair(query, query->child, child)
	                       : add_pair(query, child, query->child);
}

// A child of the visited collider against the tree of the other.
static bool visit_child(void *context, int child)
{
	pair_query *query = context;
	rbl_small_polyhedron scratch;
	rbl_child_polyhedron part;
	if (!rbl_collider_child_at(query->visits_a ? query->a : query->b, child, &scratch, &part))
		return true;
	rbl_transform pose = rbl_transform_mul(query->to_other, part.pose);
	rbl_box box = rbl_box_grow(rbl_polyhedron_bounds(part.polyhedron, pose), query->margin);
	query->child = child;
	return rbl_collider_query(query->visits_a ? query->b : query->a, box, visit_other, query);
}

// The children of one that are near the other as a whole, each against the children of the other:
// both through their trees.
static void find_pairs(pair_query *query)
{
	const rbl_collider *a = query->a, *b = query->b;
	if (a->polyhedron && b->polyhedron) {
		add_pair(query, 0, 0);
		return;
	}
	rbl_transform b_to_a = rbl_transform_relative(query->pose_a, query->pose_b);
	rbl_transform a_to_b = rbl_transform_relative(query->pose_b, query->pose_a);
	query->to_other = query->visits_a ? a_to_b : b_to_a;
	rbl_box other =
		query->visits_a ? rbl_tree_moved_box(b_to_a, b->box) : rbl_tree_moved_box(a_to_b, a->box);
	rbl_collider_query(query->visits_a ? a : b, rbl_box_grow(other, query->margin), visit_child,
	                   query);
}

rbl_result rbl_contacts_update(rbl_contacts *contacts, const rbl_collider *a, rbl_transform pose_a,
                               const rbl_collider *b, rbl_transform pose_b, float margin)
{
	if (!contacts)
		return rbl_fail(RBL_BAD_ARGUMENT, "contacts is NULL");
	if (!(margin >= 0.0f && margin <= 1.0f))
		return rbl_fail(RBL_BAD_ARGUMENT, "margin is %g, must be 0 to 1", (double)margin);
	rbl_result result = rbl_collider_check_pair(a, pose_a, b, pose_b);
	if (result != RBL_OK)
		return result;
	pair_query query = { .contacts = contacts,
		                 .a = a,
		                 .b = b,
		                 .pose_a = pose_a,
		                 .pose_b = pose_b,
		                 .margin = margin,
		                 .visits_a = rbl_collider_visits_a(a, b) };
	contacts->next.pairs.count = contacts->next.manifolds.count = 0;
	query.cursor = contacts->a == a && contacts->b == b ? 0 : contacts->now.pairs.count;
	find_pairs(&query);
	if (query.ran_out)
		return RBL_OUT_OF_MEMORY;
	pair_list swap = contacts->now;
	contacts->now = contacts->next, contacts->next = swap;
	contacts->a = a, contacts->b = b;
	return RBL_OK;
}

// --- snapshots -----------------------------------------------------------------------------------

void rbl_contacts_save(const rbl_contacts *contacts, rbl_blob_writer *w)
{
	const pair_list *now = &contacts->now;
	rbl_blob_put32(w, (uint32_t)now->pairs.count);
	for (int i = 0; i < now->pairs.count; ++i) {
		rbl_blob_put64(w, now->pairs.data[i].rank);
		rbl_sat_cache_save(&now->pairs.data[i].cache, w);
	}
	rbl_blob_put32(w, (uint32_t)now->manifolds.count);
	for (int i = 0; i < now->manifolds.count; ++i)
		rbl_manifold_save(&now->manifolds.data[i], w);
}

bool rbl_contacts_load(rbl_blob_reader *r, rbl_contacts *contacts, const rbl_collider *a,
                       const rbl_collider *b)
{
	pair_list *now = &contacts->now;
	int pair_count = rbl_blob_get_count(r, 8 + sizeof(rbl_sat_cache));
	r->out_of_memory |= !rbl_array_resize(&contacts->allocator, &now->pairs, pair_count);
	for (int i = 0; i < now->pairs.count; ++i) {
		now->pairs.data[i].rank = rbl_blob_get64(r);
		rbl_sat_cache_load(r, &now->pairs.data[i].cache);
	}
	int count = rbl_blob_get_count(r, sizeof(rbl_manifold));
	r->out_of_memory |= !rbl_array_resize(&contacts->allocator, &now->manifolds, count);
	for (int i = 0; i < now->manifolds.count; ++i)
		rbl_manifold_load(r, &now->manifolds.data[i]);
	contacts->a = a, contacts->b = b;
	return !r->is_bad && !r->out_of_memory;
}
