// SPDX-License-Identifier: MIT
//
// Colliders: creation, bounds, and queries for their children.
//
// A convex collider is one block: header, polyhedron, rows. The others have a header and parts:
// arrays and the tree over them.

#include "collide/collider.h"

#include "base/assert.h"
#include "base/log.h"
#include "base/memory.h"
#include "collide/revolution.h"

enum { COOKIE = 0x636f6c6c, SMALL_POLYHEDRON = 4096 };

rbl_collider_def rbl_default_collider_def(rbl_collider_kind kind)
{
	return (rbl_collider_def){ .kind = kind,
		                       .b = { 0.0f, 1.0f, 0.0f },
		                       .radius = 0.5f,
		                       .half_size = { 0.5f, 0.5f, 0.5f },
		                       .cell_size = 1.0f,
		                       .cookie = COOKIE };
}

// --- convex kinds -------------------------------------------------------------------------------

static bool is_length(float x)
{
	return x > 0.0f && x <= RBL_MAX_COLLIDER_SIZE;
}

static bool is_within_limit(rbl_vec3 p)
{
	return fabsf(p.x) <= RBL_MAX_COLLIDER_SIZE && fabsf(p.y) <= RBL_MAX_COLLIDER_SIZE &&
	       fabsf(p.z) <= RBL_MAX_COLLIDER_SIZE;
}

static rbl_result check_rounding(const rbl_collider_def *def)
{
	if (!(def->rounding >= 0.0f && def->rounding <= RBL_MAX_COLLIDER_SIZE))
		return rbl_fail(RBL_BAD_ARGUMENT, "rounding is %g, must be 0 to %g", (double)def->rounding,
		                (double)RBL_MAX_COLLIDER_SIZE);
	return RBL_OK;
}

static rbl_result check_small(const rbl_collider_def *def)
{
	if (!is_within_limit(def->a))
		return rbl_fail(RBL_BAD_ARGUMENT, "a is beyond RBL_MAX_COLLIDER_SIZE");
	if (def->kind == RBL_COLLIDER_BOX) {
		if (!is_length(def->half_size.x) || !is_length(def->half_size.y) ||
		    !is_length(def->half_size.z))
			return rbl_fail(RBL_BAD_ARGUMENT, "half_size must be > 0 and at most %g",
			                (double)RBL_MAX_COLLIDER_SIZE);
		return check_rounding(def);
	}
	if (!is_length(def->radius))
		return rbl_fail(RBL_BAD_ARGUMENT, "radius is %g, must be > 0 and at most %g",
		                (double)def->radius, (double)RBL_MAX_COLLIDER_SIZE);
	if (def->kind != RBL_COLLIDER_SPHERE &&
	    (!is_within_limit(def->b) || !(rbl_distance(def->a, def->b) > 1e-6f * rbl_length(def->a))))
		return rbl_fail(RBL_BAD_ARGUMENT,
		                "the ends of a %s must differ, within "
		                "RBL_MAX_COLLIDER_SIZE",
		                def->kind == RBL_COLLIDER_CAPSULE    ? "capsule"
		                : def->kind == RBL_COLLIDER_CYLINDER ? "cylinder"
		                                                     : "cone");
	return RBL_OK;
}

rbl_collider *rbl_collider_new(rbl_collider_kind kind, const rbl_allocator *given, size_t extra)
{
	rbl_allocator allocator = rbl_allocator_or_default(given);
	size_t size = RBL_COLLIDER_HEAD + extra;
	rbl_collider *c = rbl_allocate(&allocator, 1, size);
	if (c)
		*c = (rbl_collider){ .kind = kind, .child_count = 1, .allocator = allocator, .size = size };
	return c;
}

void *rbl_collider_behind(rbl_collider *c)
{
	return (char *)c + RBL_COLLIDER_HEAD;
}

static rbl_result make_small(const rbl_collider_def *def, rbl_collider **collider)
{
	rbl_result result = check_small(def);
	if (result != RBL_OK)
		return result;
	rbl_collider *c = *collider =
		rbl_collider_new(def->kind, &def->allocator, sizeof(rbl_small_polyhedron));
	if (!c)
		return RBL_OUT_OF_MEMORY;
	rbl_small_polyhedron *p = rbl_collider_behind(c);
	if (def->kind == RBL_COLLIDER_BOX)
		rbl_polyhedron_from_box(p, def->a, def->half_size),
			rbl_polyhedron_set_radius(&p->polyhedron, def->rounding);
	else if (def->kind == RBL_COLLIDER_SPHERE)
		rbl_polyhedron_from_sphere(p, def->a, def->radius);
	else
		rbl_polyhedron_from_capsule(p, def->a, def->b, def->radius);
	c->polyhedron = &p->polyhedron;
	return RBL_OK;
}

rbl_result rbl_collider_make_revolution(rbl_collider_kind kind, const rbl_allocator *allocator,
                                        rbl_vec3 a, rbl_vec3 b, const float radii[2],
                                        rbl_collider **collider)
{
	rbl_collider *c = *collider =
		rbl_collider_new(kind, allocator, RBL_POLYHEDRON_HEAD + rbl_revolution_size(radii));
	if (!c)
		return RBL_OUT_OF_MEMORY;
	rbl_polyhedron *p = rbl_collider_behind(c);
	if (!rbl_polyhedron_from_revolution(p, a, b, radii, (char *)p + RBL_POLYHEDRON_HEAD))
		return rbl_fail(RBL_BAD_MESH, "a cylinder or cone has no volume in single precision");
	c->polyhedron = p;
	return RBL_OK;
}

static rbl_result make_revolution(const rbl_collider_def *def, rbl_collider **collider)
{
	rbl_result result = check_small(def);
	const float radii[2] = { def->radius, def->kind == RBL_COLLIDER_CYLINDER ? def->radius : 0.0f };
	return result != RBL_OK ? result
	                        : rbl_collider_make_revolution(def->kind, &def->allocator, def->a,
	                                                       def->b, radii, collider);
}

static rbl_result make_convex(const rbl_collider_def *def, rbl_collider **collider)
{
	if (!def->convex)
		return rbl_fail(RBL_BAD_ARGUMENT, "convex is NULL");
	if (!rbl_is_finite_d(def->origin))
		return rbl_fail(RBL_BAD_ARGUMENT, "origin is not finite");
	rbl_result result = check_rounding(def);
	if (result != RBL_OK)
		return result;
	rbl_convex_data d = rbl_convex_get_data(def->convex);
	rbl_boxd box = rbl_convex_data_box(&d);
	const double limit = (double)RBL_MAX_COLLIDER_SIZE;
	rbl_vec3d low = rbl_sub_d(box.lower, def->origin), high = rbl_sub_d(box.upper, def->origin);
	if (!(low.x >= -limit && low.y >= -limit && low.z >= -limit && high.x <= limit &&
	      high.y <= limit && high.z <= limit))
		return rbl_fail(RBL_BAD_ARGUMENT, "a vertex is beyond RBL_MAX_COLLIDER_SIZE");
	// In scratch memory first: once its vertices are welded it needs far less than the convex.
	_Alignas(16) char small[SMALL_POLYHEDRON];
	size_t capacity = rbl_polyhedron_size(d.face_count, d.vertex_count);
	rbl_allocator allocator = rbl_allocator_or_default(&def->allocator);
	char *scratch = capacity <= SMALL_POLYHEDRON ? small : rbl_allocate(&allocator, 1, capacity);
	if (!scratch)
		return RBL_OUT_OF_MEMORY;
	rbl_polyhedron p;
	if (!rbl_polyhedron_from_convex(&p, &d, def->origin, box, scratch))
		result = rbl_fail(RBL_BAD_MESH, "the convex has no volume in single precision");
	size_t used = result == RBL_OK ? rbl_polyhedron_used(&p) : 0;
	rbl_collider *c = *collider =
		result == RBL_OK ? rbl_collider_new(def->kind, &def->allocator, RBL_POLYHEDRON_HEAD + used)
						 : NULL;
	if (c) {
		rbl_polyhedron *own = rbl_collider_behind(c);
		rbl_polyhedron_move(own, &p, (char *)own + RBL_POLYHEDRON_HEAD);
		rbl_polyhedron_set_radius(own, def->rounding);
		c->polyhedron = own;
	} else if (result == RBL_OK) {
		result = RBL_OUT_OF_MEMORY;
	}
	if (scratch != small)
		rbl_release(&allocator, scratch, 1, capacity);
	return result;
}

// --- compounds ----------------------------------------------------------------------------------

static rbl_result check_children(const rbl_collider_def *def)
{
	if (def->child_count < 1 || def->child_count > RBL_MAX_COLLIDER_CHILDREN || !def->children)
		return rbl_fail(RBL_BAD_ARGUMENT, "child_count is %d, must be 1 to %d, with children",
		                def->child_count, RBL_MAX_COLLIDER_CHILDREN);
	for (int i = 0; i < def->child_count; ++i) {
		const rbl_collider_child *child = &def->children[i];
		if (!child->collider ||
		    (!child->collider->polyhedron && child->collider->kind != RBL_COLLIDER_COMPOUND))
			return rbl_fail(
				RBL_BAD_ARGUMENT,
				"child %d is not a sphere, capsule, box, convex, cylinder, cone or compound", i);
		if (!rbl_pose_is_valid(child->pose) || !is_within_limit(child->pose.position))
			return rbl_fail(RBL_BAD_ARGUMENT, "the pose of child %d is not valid", i);
		if (child->filter.group < INT32_MIN / 2)
			return rbl_fail(RBL_BAD_ARGUMENT, "filter.group of child %d is %d, must be at least %d",
			                i, (int)child->filter.group, (int)(INT32_MIN / 2));
	}
	return RBL_OK;
}

static bool has_filter(const rbl_collider_child *child)
{
	return child->filter.category != 0 || child->filter.mask != 0 || child->filter.group != 0;
}

// A child of a compound in a compound: what it does not have of its own it takes from that.
static rbl_collider_child nested_child(const rbl_collider_child *outer,
                                       const rbl_collider_child *inner)
{
	rbl_collider_child child = *inner;
	child.pose = rbl_transform_mul(outer->pose, inner->pose);
	child.pose.rotation = rbl_quat_normalize(child.pose.rotation);
	if (!child.material)
		child.material = outer->material;
	if (!has_filter(&child))
		child.filter = outer->filter;
	if (child.user == 0)
		child.user = outer->user;
	child.is_sensor |= outer->is_sensor;
	return child;
}

// The leaves of all children. @return how many there are
static int64_t list_leaves(const rbl_collider_def *def, rbl_collider_child *leaves)
{
	int64_t n = 0;
	for (int i = 0; i < def->child_count; ++i) {
		const rbl_collider_child *child = &def->children[i];
		bool is_compound = child->collider->kind == RBL_COLLIDER_COMPOUND;
		int count = is_compound ? child->collider->child_count : 1;
		for (int k = 0; k < count && leaves; ++k)
			leaves[n + k] =
				is_compound ? nested_child(child, &child->collider->parts->children[k]) : *child;
		n += count;
	}
	return n;
}

static rbl_result make_compound(rbl_collider *c, const rbl_collider_def *def)
{
	rbl_collider_parts *parts = c->parts;
	int64_t leaf_count = list_leaves(def, NULL);
	if (leaf_count > RBL_MAX_COLLIDER_CHILDREN)
		return rbl_fail(RBL_BAD_ARGUMENT, "the compounds in it have %lld children, at most %d",
		                (long long)leaf_count, RBL_MAX_COLLIDER_CHILDREN);
	int n = (int)leaf_count;
	rbl_collider_child *children = RBL_NEW(&c->allocator, rbl_collider_child, n);
	if (!children)
		return RBL_OUT_OF_MEMORY;
	c->child_count = n;
	list_leaves(def, children);
	for (int i = 0; i < n; ++i) {
		rbl_collider_share(children[i].collider);
		rbl_material_share(children[i].material);
	}
	parts->children = children;
	rbl_box *boxes = RBL_NEW(&c->allocator, rbl_box, n);
	rbl_result result = boxes ? RBL_OK : RBL_OUT_OF_MEMORY;
	if (result == RBL_OK) {
		for (int i = 0; i < n; ++i)
			boxes[i] = rbl_polyhedron_bounds(children[i].collider->polyhedron, children[i].pose);
		rbl_tree_build_input input = { .builder = RBL_TREE_BUILD_SAH, .count = n, .boxes = boxes };
		result = rbl_tree_build(&parts->tree, &input);
	}
	RBL_FREE(&c->allocator, boxes, n);
	return result;
}

// A query visits the children it finds in the order of a query that finds all.
typedef struct rank_query {
	int *ranks;
	int next;
} rank_query;

static bool rank_leaves(void *context, const uint32_t *leaves, int count)
{
	rank_query *query = context;
	for (int i = 0; i < count; ++i)
		query->ranks[leaves[i]] = query->next++;
	return true;
}

static rbl_result rank_children(rbl_collider *c)
{
	rank_query query = { RBL_NEW(&c->allocator, int, c->child_count), 0 };
	c->parts->ranks = query.ranks;
	if (!query.ranks)
		return RBL_OUT_OF_MEMORY;
	rbl_tree_query_box(&c->parts->tree, c->parts->tree.bounds, rank_leaves, &query);
	RBL_ASSERT(query.next == c->child_count);
	return RBL_OK;
}

rbl_collider *rbl_collider_new_parts(rbl_collider_kind kind, const rbl_allocator *allocator)
{
	rbl_collider *c = rbl_collider_new(kind, allocator, sizeof(rbl_collider_parts));
	if (!c)
		return NULL;
	c->parts = rbl_collider_behind(c);
	*c->parts = (rbl_collider_parts){ .children = NULL };
	rbl_tree_pool_init(&c->parts->pool, &c->allocator, 0);
	c->parts->tree = rbl_tree_make(&c->parts->pool);
	return c;
}

// --- planes -------------------------------------------------------------------------------------

rbl_result rbl_collider_make_plane(rbl_collider *c, rbl_vec3 point, rbl_vec3 normal)
{
	float length = rbl_length(normal);
	if (!is_within_limit(point) || !(length > 0.0f && length < FLT_MAX))
		return rbl_fail(RBL_BAD_ARGUMENT, "a plane needs a point within RBL_MAX_COLLIDER_SIZE, and "
		                                  "a normal that is finite and not 0");
	rbl_vec3 n = rbl_scale(1.0f / length, normal);
	c->parts->plane = (rbl_plane){ n, rbl_dot(n, point) };
	rbl_quat turn = { n.z, 0.0f, -n.x, 1.0f + n.y };
	bool is_down = n.y < -0.999999f;
	c->parts->plane_rotation =
		is_down ? (rbl_quat){ 1.0f, 0.0f, 0.0f, 0.0f } : rbl_quat_normalize(turn);
	return RBL_OK;
}

// Beyond everything, in metres.
static const float plane_end = 4e6f;

// Finite. A plane across an axis ends there.
static rbl_box plane_bounds(const rbl_collider *c, rbl_transform pose)
{
	const float far = plane_end, most_rise = 1.0f;
	rbl_vec3 n = rbl_rotate(pose.rotation, c->parts->plane.normal);
	float offset = c->parts->plane.offset + rbl_dot(n, pose.position);
	float lower[3] = { -far, -far, -far }, upper[3] = { far, far, far };
	const float normal[3] = { n.x, n.y, n.z };
	for (int i = 0; i < 3; ++i) {
		float a = normal[(i + 1) % 3], b = normal[(i + 2) % 3];
		float rise = 2.0f * far * sqrtf(a * a + b * b); // of the plane at the far end
		if (rise > most_rise)
			continue;
		if (normal[i] > 0.0f)
			upper[i] = offset + rise;
		else
			lower[i] = -offset - rise;
	}
	return (rbl_box){ { lower[0], lower[1], lower[2] }, { upper[0], upper[1], upper[2] } };
}

void rbl_collider_plane_near(const rbl_collider *c, rbl_box near, rbl_small_polyhedron *scratch,
                             rbl_child_polyhedron *out)
{
	const rbl_vec3 far = { plane_end, plane_end, plane_end };
	near.lower = rbl_max(rbl_min(near.lower, far), rbl_neg(far));
	near.upper = rbl_max(rbl_min(near.upper, far), rbl_neg(far));
	rbl_vec3 centre = rbl_box_centre(near);
	float size = rbl_length(rbl_box_size(near)), height = rbl_collider_plane_height(c, centre);
	float half = 1.25f * size + rbl_maxf(-height, 0.0f); // its top is the nearest way out
	rbl_polyhedron_from_box(scratch, (rbl_vec3){ 0.0f, -half, 0.0f },
	                        (rbl_vec3){ half, half, half });
	rbl_vec3 foot = rbl_add_scaled(centre, -height, c->parts->plane.normal);
	*out = (rbl_child_polyhedron){ &scratch->polyhedron, { foot, c->parts->plane_rotation } };
}

rbl_result rbl_collider_finish(rbl_collider *c)
{
	if (c->parts && c->kind != RBL_COLLIDER_HEIGHT_FIELD && c->kind != RBL_COLLIDER_PLANE) {
		rbl_result result = rank_children(c);
		if (result != RBL_OK)
			return result;
	}
	c->box = c->polyhedron ? rbl_polyhedron_bounds(c->polyhedron, rbl_transform_identity())
	         : c->kind == RBL_COLLIDER_PLANE ? plane_bounds(c, rbl_transform_identity())
	                                         : c->parts->tree.bounds;
	return RBL_OK;
}

static rbl_result make_parts(const rbl_collider_def *def, rbl_collider **collider)
{
	rbl_result result = def->kind == RBL_COLLIDER_COMPOUND ? check_children(def) : RBL_OK;
	if (result != RBL_OK)
		return result;
	rbl_collider *c = *collider = rbl_collider_new_parts(def->kind, &def->allocator);
	if (!c)
		return RBL_OUT_OF_MEMORY;
	return def->kind == RBL_COLLIDER_COMPOUND ? make_compound(c, def)
	       : def->kind == RBL_COLLIDER_MESH   ? rbl_collider_make_mesh(c, def)
	       : def->kind == RBL_COLLIDER_PLANE  ? rbl_collider_make_plane(c, def->a, def->b)
	                                          : rbl_collider_make_height_field(c, def);
}

// --- creation ------------------------------------------------------------------------------------

rbl_result rbl_create_collider(const rbl_collider_def *def, rbl_collider **collider)
{
	if (!collider)
		return rbl_fail(RBL_BAD_ARGUMENT, "collider is NULL");
	*collider = NULL;
	if (!def || def->cookie != COOKIE)
		return rbl_fail(RBL_BAD_ARGUMENT, "start from rbl_default_collider_def()");
	if (!rbl_allocator_is_valid(&def->allocator))
		return rbl_fail(RBL_BAD_ARGUMENT, "allocator has one function of two");
	if ((int)def->kind < 0 || def->kind >= RBL_COLLIDER_KIND_COUNT)
		return rbl_fail(RBL_BAD_ARGUMENT, "kind is %d", (int)def->kind);
	rbl_collider *c = NULL;
	rbl_result result = def->kind <= RBL_COLLIDER_BOX                     ? make_small(def, &c)
	                    : def->kind == RBL_COLLIDER_CONVEX                ? make_convex(def, &c)
	                    : rbl_collider_kind_is_revolution((int)def->kind) ? make_revolution(def, &c)
	                                                                      : make_parts(def, &c);
	if (result == RBL_OK)
		result = rbl_collider_finish(c);
	if (result != RBL_OK) {
		rbl_destroy_collider(c);
		return result;
	}
	*collider = c;
	return RBL_OK;
}

static void free_children(rbl_collider *c)
{
	const rbl_collider_child *children = c->parts->children;
	for (int i = 0; i < c->child_count && children; ++i) {
		rbl_destroy_collider((rbl_collider *)(uintptr_t)children[i].collider);
		rbl_material_unshare(children[i].material);
	}
	rbl_release(&c->allocator, (void *)(uintptr_t)children, (size_t)c->child_count,
	            sizeof *children);
}

void rbl_destroy_collider(rbl_collider *collider)
{
	if (!collider || !rbl_drop_reference(&collider->references))
		return;
	if (collider->parts) {
		if (collider->kind == RBL_COLLIDER_COMPOUND)
			free_children(collider);
		else
			rbl_collider_free_parts(collider);
		RBL_FREE(&collider->allocator, collider->parts->ranks, collider->child_count);
		rbl_tree_pool_destroy(&collider->parts->pool);
	}
	rbl_allocator allocator = collider->allocator;
	rbl_release(&allocator, collider, 1, collider->size);
}

rbl_collider_kind rbl_collider_kind_of(const rbl_collider *collider)
{
	return collider ? collider->kind : RBL_COLLIDER_KIND_COUNT;
}

int rbl_collider_child_count(const rbl_collider *collider)
{
	return collider ? collider->child_count : 0;
}

rbl_collider_child rbl_collider_get_child(const rbl_collider *collider, int child)
{
	if (!collider || child < 0 || child >= collider->child_count)
		return (rbl_collider_child){ .collider = NULL };
	if (collider->kind == RBL_COLLIDER_COMPOUND)
		return collider->parts->children[child];
	return (rbl_collider_child){ .collider = collider,
		                         .pose = rbl_transform_identity(),
		                         .material = rbl_collider_child_material(collider, child) };
}

// The box of a solid of revolution: the support points along the rows.
static void find_revolution_box(const rbl_polyhedron *p, const rbl_mat3 *rows, rbl_vec3 *lower,
                                rbl_vec3 *upper)
{
	*lower = (rbl_vec3){ -rbl_polyhedron_extent(p, rbl_neg(rows->x)),
		                 -rbl_polyhedron_extent(p, rbl_neg(rows->y)),
		                 -rbl_polyhedron_extent(p, rbl_neg(rows->z)) };
	*upper = (rbl_vec3){ rbl_polyhedron_extent(p, rows->x), rbl_polyhedron_extent(p, rows->y),
		                 rbl_polyhedron_extent(p, rows->z) };
}

rbl_box rbl_polyhedron_bounds(const rbl_polyhedron *p, rbl_transform pose)
{
	rbl_mat3 rows = rbl_mat_transpose(rbl_quat_to_mat(pose.rotation));
	rbl_vec3 lower, upper;
	if (p->revolution)
		find_revolution_box(p, &rows, &lower, &upper);
	else
		RBL_PICK(rbl_polyhedron_box)(p->vertices, p->vertex_stride, &rows, &lower, &upper);
	// Rounding of the sums: a box never cuts into what it holds.
	float margin =
		p->radius + 4.0f * FLT_EPSILON * (p->bounding_radius + rbl_length(pose.position));
	rbl_box box = { rbl_add(lower, pose.position), rbl_add(upper, pose.position) };
	return rbl_box_grow(box, margin);
}

bool rbl_pose_is_valid(rbl_transform pose)
{
	const rbl_quat *q = &pose.rotation;
	float length = q->x * q->x + q->y * q->y + q->z * q->z + q->w * q->w;
	return rbl_is_finite(pose.position) && fabsf(length - 1.0f) < 1e-3f;
}

rbl_result rbl_collider_check_pair(const rbl_collider *a, rbl_transform pose_a,
                                   const rbl_collider *b, rbl_transform pose_b)
{
	if (!a || !b)
		return rbl_fail(RBL_BAD_ARGUMENT, "a collider is NULL");
	if (!rbl_pose_is_valid(pose_a) || !rbl_pose_is_valid(pose_b))
		return rbl_fail(RBL_BAD_ARGUMENT,
		                "a pose is not finite, or its rotation not of unit length");
	if (rbl_collider_is_surface(a) && rbl_collider_is_surface(b))
		return rbl_fail(RBL_UNSUPPORTED,
		                "meshes, height fields and planes do not collide with each other");
	return RBL_OK;
}

rbl_box rbl_collider_bounds(const rbl_collider *collider, rbl_transform pose)
{
	if (!collider || !rbl_pose_is_valid(pose))
		return rbl_box_empty();
	return collider->polyhedron ? rbl_polyhedron_bounds(collider->polyhedron, pose)
	       : collider->kind == RBL_COLLIDER_PLANE ? plane_bounds(collider, pose)
	                                              : rbl_tree_moved_box(pose, collider->box);
}

// --- children -----------------------------------------------------------------------------------

bool rbl_collider_child_at(const rbl_collider *c, int child, rbl_small_polyhedron *scratch,
                           rbl_child_polyhedron *out)
{
	if (c->polyhedron) {
		*out = (rbl_child_polyhedron){ c->polyhedron, rbl_transform_identity() };
		return true;
	}
	if (c->kind == RBL_COLLIDER_COMPOUND) {
		const rbl_collider_child *part = &c->parts->children[child];
		*out = (rbl_child_polyhedron){ part->collider->polyhedron, part->pose };
		return true;
	}
	// A triangle is relative to its first corner: far out in a large mesh, digits are scarce.
	rbl_vec3 p[3];
	rbl_collider_triangle(c, child, p);
	*out = (rbl_child_polyhedron){ &scratch->polyhedron, { p[0], rbl_quat_identity() } };
	return rbl_polyhedron_from_triangle(scratch, (rbl_vec3){ 0.0f, 0.0f, 0.0f },
	                                    rbl_sub(p[1], p[0]), rbl_sub(p[2], p[0]));
}

typedef struct leaf_query {
	const rbl_collider *collider;
	rbl_child_visitor *visitor;
	void *context;
} leaf_query;

static bool visit_leaves(void *context, const uint32_t *leaves, int count)
{
	const leaf_query *query = context;
	for (int i = 0; i < count; ++i)
		if (!query->visitor(query->context, (int)leaves[i]))
			return false;
	return true;
}

bool rbl_collider_leaf(const rbl_collider *c, uint32_t leaf, rbl_child_visitor *visitor,
                       void *context)
{
	if (c->kind != RBL_COLLIDER_HEIGHT_FIELD)
		return visitor(context, (int)leaf);
	int columns = c->parts->column_count - 1, rows = c->parts->row_count - 1;
	int across = (columns + RBL_HEIGHT_FIELD_TILE - 1) / RBL_HEIGHT_FIELD_TILE;
	int column = (int)leaf % across * RBL_HEIGHT_FIELD_TILE,
		row = (int)leaf / across * RBL_HEIGHT_FIELD_TILE;
	for (int r = row; r < rbl_mini(row + RBL_HEIGHT_FIELD_TILE, rows); ++r)
		for (int k = column; k < rbl_mini(column + RBL_HEIGHT_FIELD_TILE, columns); ++k)
			for (int half = 0; half < 2; ++half)
				if (!visitor(context, 2 * (k + r * columns) + half))
					return false;
	return true;
}

// The cells of a height field that a box overlaps from above, and of these the triangles it
// overlaps.
static bool query_height_field(const rbl_collider *c, rbl_box box, rbl_child_visitor *visitor,
                               void *context)
{
	const rbl_collider_parts *p = c->parts;
	if (!rbl_box_overlaps(box, c->box))
		return true;
	int columns = p->column_count - 1, rows = p->row_count - 1;
	float inverse = 1.0f / p->cell_size;
	int first_column = (int)rbl_clampf(box.lower.x * inverse - 1e-3f, 0.0f, (float)(columns - 1));
	int last_column = (int)rbl_clampf(box.upper.x * inverse + 1e-3f, 0.0f, (float)(columns - 1));
	int first_row = (int)rbl_clampf(box.lower.z * inverse - 1e-3f, 0.0f, (float)(rows - 1));
	int last_row = (int)rbl_clampf(box.upper.z * inverse + 1e-3f, 0.0f, (float)(rows - 1));
	for (int r = first_row; r <= last_row; ++r) {
		for (int k = first_column; k <= last_column; ++k) {
			const float *h = p->heights + k + r * p->column_count, *g = h + p->column_count;
			float low = rbl_minf(rbl_minf(h[0], h[1]), rbl_minf(g[0], g[1]));
			float high = rbl_maxf(rbl_maxf(h[0], h[1]), rbl_maxf(g[0], g[1]));
			if (low > box.upper.y || high < box.lower.y)
				continue;
			for (int half = 0; half < 2; ++half)
				if (!visitor(context, 2 * (k + r * columns) + half))
					return false;
		}
	}
	return true;
}

bool rbl_collider_query(const rbl_collider *c, rbl_box box, rbl_child_visitor *visitor,
                        void *context)
{
	if (c->polyhedron)
		return !rbl_box_overlaps(c->box, box) || visitor(context, 0);
	if (c->kind == RBL_COLLIDER_HEIGHT_FIELD)
		return query_height_field(c, box, visitor, context);
	if (c->kind == RBL_COLLIDER_PLANE) {
		rbl_vec3 n = c->parts->plane.normal;
		rbl_vec3 lowest = { n.x > 0.0f ? box.lower.x : box.upper.x,
			                n.y > 0.0f ? box.lower.y : box.upper.y,
			                n.z > 0.0f ? box.lower.z : box.upper.z };
		return rbl_collider_plane_height(c, lowest) > 0.0f || visitor(context, 0);
	}
	leaf_query query = { c, visitor, context };
	return rbl_tree_query_box(&c->parts->tree, box, visit_leaves, &query);
}
