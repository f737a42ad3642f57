// SPDX-License-Identifier: MIT
//
// Contacts of two colliders: which children are close, and a manifold for each pair that touches.
//
// Children are found through the trees, never all against all. Every close pair has a record with its
// cache, kept in the order in which the trees report them. Trees do not change, so that order is the same
// in every step, and finding the old records is a merge of two sorted lists.
//
// Triangles know their neighbours. A body that slides over a flat or hollow side from one triangle to
// the next must not trip over it, so a normal that leans over such a side is replaced by the normal of
// the triangle. Over a ridge it may lean as far as the neighbour's normal; beyond that the contact is
// the neighbour's.

#include "collide/collide.h"

#include "base/log.h"
#include "collide/collider.h"

typedef struct close_pair {
	uint64_t place; // in the order of the trees
	rbl_axis_cache cache;
} close_pair;

typedef struct found_list {
	RBL_ARRAY(close_pair) pairs;
	RBL_ARRAY(rbl_manifold) manifolds;
} found_list;

struct rbl_contacts {
	rbl_allocator allocator;
	found_list now, next;      // `next` is filled, then exchanged
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

static void free_list(const rbl_allocator *allocator, found_list *list)
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

// --- triangles ----------------------------------------------------------------------------------

static rbl_vec3 triangle_normal(const rbl_vec3 p[3])
{
	return rbl_normalize(rbl_cross(rbl_sub(p[1], p[0]), rbl_sub(p[2], p[0])));
}

// The side nearest to a point.
static int nearest_side(const rbl_vec3 p[3], rbl_vec3 at)
{
	int best = 0;
	float least = FLT_MAX;
	for (int i = 0; i < 3; ++i) {
		rbl_vec3 translation = rbl_sub(p[(i + 1) % 3], p[i]), to = rbl_sub(at, p[i]);
		float whole = rbl_length_squared(translation);
		float s = whole > 0.0f ? rbl_clampf(rbl_dot(to, translation) / whole, 0.0f, 1.0f) : 0.0f;
		float d = rbl_length_squared(rbl_add_scaled(to, -s, translation));
		if (d < least)
			least = d, best = i;
	}
	return best;
}

typedef enum verdict { KEEP, DROP, USE_FRONT } verdict;

// What becomes of a contact with a triangle; normal and point in the surface's frame, the normal out
// of the surface.
static verdict judge_normal(const rbl_collider *surface, int child, rbl_vec3 normal, rbl_vec3 point)
{
	rbl_vec3 p[3], q[3];
	rbl_collider_triangle(surface, child, p);
	rbl_vec3 front = triangle_normal(p);
	float lean = rbl_dot(front, normal);
	if (lean > 0.99999f)
		return KEEP;
	int neighbour = rbl_collider_neighbour(surface, child, nearest_side(p, point));
	if (neighbour < 0)
		return lean > 0.0f ? KEEP : USE_FRONT;
	rbl_collider_triangle(surface, neighbour, q);
	rbl_vec3 other = triangle_normal(q);
	rbl_vec3 between = rbl_sub(rbl_scale(1.0f / 3.0f, rbl_add(q[0], rbl_add(q[1], q[2]))),
	                           rbl_scale(1.0f / 3.0f, rbl_add(p[0], rbl_add(p[1], p[2]))));
	float level = rbl_dot(front, other);
	bool is_ridge = rbl_dot(front, between) < 0.0f && level < 0.9998f;
	if (!is_ridge || lean < -0.5f)
		return USE_FRONT;
	return lean >= level - 0.01f ? KEEP : DROP;
}

// --- one pair of children -----------------------------------------------------------------------

typedef struct pair_query {
	rbl_contacts *contacts;
	const rbl_collider *a, *b;
	rbl_transform pose_a, pose_b;
	float margin;
	int cursor;  // in the old records
	bool walk_a; // which collider is walked child by child
	int child;   // of it
	rbl_transform to_other;
	bool ran_out;
} pair_query;

static uint64_t pair_place(const pair_query *query, int child_a, int child_b)
{
	uint64_t a = (uint64_t)rbl_collider_rank(query->a, child_a);
	uint64_t b = (uint64_t)rbl_collider_rank(query->b, child_b);
	return query->walk_a ? a << 32 | b : b << 32 | a;
}

static rbl_axis_cache old_cache(pair_query *query, uint64_t place)
{
	const found_list *now = &query->contacts->now;
	int i = query->cursor;
	while (i < now->pairs.count && now->pairs.data[i].place < place)
		++i;
	query->cursor = i;
	if (i < now->pairs.count && now->pairs.data[i].place == place)
		return now->pairs.data[i].cache;
	return (rbl_axis_cache){ .kind = RBL_AXIS_NONE };
}

static void correct_triangle(const pair_query *query, int child_a, int child_b,
                             const rbl_polyhedron *form_a, rbl_transform pose_a,
                             const rbl_polyhedron *form_b, rbl_transform pose_b, rbl_manifold *m)
{
	bool is_a = rbl_collider_is_surface(query->a);
	const rbl_collider *surface = is_a ? query->a : query->b;
	rbl_transform pose = is_a ? query->pose_a : query->pose_b;
	rbl_vec3 normal = rbl_rotate_inverse(pose.rotation, is_a ? m->normal : rbl_neg(m->normal));
	int deepest = 0;
	for (int i = 1; i < m->point_count; ++i)
		deepest = m->points[i].separation < m->points[deepest].separation ? i : deepest;
	rbl_vec3 point = rbl_transform_point_inverse(pose, m->points[deepest].position);
	verdict v = judge_normal(surface, is_a ? child_a : child_b, normal, point);
	if (v == DROP)
		m->point_count = 0;
	else if (v == USE_FRONT)
		rbl_collide_on_face(form_a, pose_a, form_b, pose_b, !is_a, 0, query->margin, m);
}

// @return false when memory ran out
static bool add_pair(pair_query *query, int child_a, int child_b)
{
	rbl_small_polyhedron scratch_a, scratch_b;
	rbl_child_form a, b;
	if (!rbl_collider_child_at(query->a, child_a, &scratch_a, &a) ||
	    !rbl_collider_child_at(query->b, child_b, &scratch_b, &b))
		return true;
	rbl_transform pose_a = rbl_transform_mul(query->pose_a, a.pose);
	rbl_transform pose_b = rbl_transform_mul(query->pose_b, b.pose);
	close_pair pair = { .place = pair_place(query, child_a, child_b) };
	pair.cache = old_cache(query, pair.place);
	rbl_manifold m = { .child_a = child_a, .child_b = child_b };
	bool touches = rbl_collide_pair(a.form, pose_a, b.form, pose_b, query->margin, &pair.cache, &m);
	if (touches && (rbl_collider_is_surface(query->a) || rbl_collider_is_surface(query->b)))
		correct_triangle(query, child_a, child_b, a.form, pose_a, b.form, pose_b, &m);
	found_list *next = &query->contacts->next;
	const rbl_allocator *allocator = &query->contacts->allocator;
	bool ok = rbl_array_push(allocator, &next->pairs, pair) &&
	          (m.point_count == 0 || rbl_array_push(allocator, &next->manifolds, m));
	query->ran_out |= !ok;
	return ok;
}

// --- finding pairs ------------------------------------------------------------------------------

static bool visit_child_of_b(void *context, int child)
{
	pair_query *query = context;
	return add_pair(query, query->child, child);
}

static bool visit_child_of_a(void *context, int child)
{
	pair_query *query = context;
	return add_pair(query, child, query->child);
}

// A child of the walked collider against the boxes of the other.
static bool walk_child(void *context, int child)
{
	pair_query *query = context;
	const rbl_collider *walked = query->walk_a ? query->a : query->b;
	const rbl_collider *other = query->walk_a ? query->b : query->a;
	rbl_small_polyhedron scratch;
	rbl_child_form part;
	if (!rbl_collider_child_at(walked, child, &scratch, &part))
		return true;
	rbl_box box = rbl_form_bounds(part.form, rbl_transform_mul(query->to_other, part.pose));
	query->child = child;
	return rbl_collider_query(other, rbl_box_grow(box, query->margin),
	                          query->walk_a ? visit_child_of_b : visit_child_of_a, query);
}

// The children of one that are near the other as a whole, each against the children of the other: both
// through their trees. Surfaces have the most children and are not walked.
static void find_pairs(pair_query *query)
{
	const rbl_collider *a = query->a, *b = query->b;
	query->walk_a = a->form || rbl_collider_is_surface(b) ||
	                (!b->form && !rbl_collider_is_surface(a) && a->child_count <= b->child_count);
	rbl_transform b_to_a = rbl_transform_relative(query->pose_a, query->pose_b);
	rbl_transform a_to_b = rbl_transform_relative(query->pose_b, query->pose_a);
	query->to_other = query->walk_a ? a_to_b : b_to_a;
	if (a->form && b->form) {
		add_pair(query, 0, 0);
	} else if (query->walk_a) {
		rbl_box near = rbl_box_grow(rbl_tree_moved_box(b_to_a, b->box), query->margin);
		rbl_collider_query(a, near, walk_child, query);
	} else {
		rbl_box near = rbl_box_grow(rbl_tree_moved_box(a_to_b, a->box), query->margin);
		rbl_collider_query(b, near, walk_child, query);
	}
}

rbl_result rbl_contacts_update(rbl_contacts *contacts, const rbl_collider *a, rbl_transform pose_a,
                               const rbl_collider *b, rbl_transform pose_b, float margin)
{
	if (!contacts || !a || !b)
		return rbl_fail(RBL_BAD_ARGUMENT, "contacts or a collider is NULL");
	if (!rbl_pose_is_valid(pose_a) || !rbl_pose_is_valid(pose_b))
		return rbl_fail(RBL_BAD_ARGUMENT,
		                "a pose is not finite, or its rotation not of unit length");
	if (!(margin >= 0.0f && margin <= 1.0f))
		return rbl_fail(RBL_BAD_ARGUMENT, "margin is %g, must be 0 to 1", (double)margin);
	if (rbl_collider_is_surface(a) && rbl_collider_is_surface(b))
		return rbl_fail(RBL_UNSUPPORTED, "two surfaces do not collide");
	pair_query query = {
		.contacts = contacts, .a = a, .b = b, .pose_a = pose_a, .pose_b = pose_b, .margin = margin
	};
	contacts->next.pairs.count = contacts->next.manifolds.count = 0;
	query.cursor = contacts->a == a && contacts->b == b ? 0 : contacts->now.pairs.count;
	find_pairs(&query);
	if (query.ran_out)
		return RBL_OUT_OF_MEMORY;
	found_list swap = contacts->now;
	contacts->now = contacts->next, contacts->next = swap;
	contacts->a = a, contacts->b = b;
	return RBL_OK;
}

// --- as bytes -----------------------------------------------------------------------------------

void rbl_contacts_save(const rbl_contacts *contacts, rbl_blob_writer *w)
{
	const found_list *now = &contacts->now;
	rbl_blob_put32(w, (uint32_t)now->pairs.count);
	for (int i = 0; i < now->pairs.count; ++i) {
		rbl_blob_put64(w, now->pairs.data[i].place);
		rbl_axis_cache_save(&now->pairs.data[i].cache, w);
	}
	rbl_blob_put32(w, (uint32_t)now->manifolds.count);
	for (int i = 0; i < now->manifolds.count; ++i)
		rbl_manifold_save(&now->manifolds.data[i], w);
}

bool rbl_contacts_load(rbl_blob_reader *r, rbl_contacts *contacts, const rbl_collider *a,
                       const rbl_collider *b)
{
	found_list *now = &contacts->now;
	int pair_count = rbl_blob_get_count(r, 8 + sizeof(rbl_axis_cache));
	r->out_of_memory |= !rbl_array_resize(&contacts->allocator, &now->pairs, pair_count);
	for (int i = 0; i < now->pairs.count; ++i) {
		now->pairs.data[i].place = rbl_blob_get64(r);
		rbl_axis_cache_load(r, &now->pairs.data[i].cache);
	}
	int count = rbl_blob_get_count(r, sizeof(rbl_manifold));
	r->out_of_memory |= !rbl_array_resize(&contacts->allocator, &now->manifolds, count);
	for (int i = 0; i < now->manifolds.count; ++i)
		rbl_manifold_load(r, &now->manifolds.data[i]);
	contacts->a = a, contacts->b = b;
	return !r->is_bad && !r->out_of_memory;
}
