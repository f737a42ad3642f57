// SPDX-License-Identifier: MIT
//
// The world as lines and points.

#include "world/world.h"

#include "base/log.h"
#include "base/math.h"
#include "world/draw.h"

enum {
	STATIC_COLOR = 0x808080,
	AWAKE_COLOR = 0xe0a040,
	ASLEEP_COLOR = 0x406080,
	BOX_COLOR = 0x305030,
	CONTACT_COLOR = 0xe04040,
	JOINT_COLOR = 0x40c0e0,
	MASS_COLOR = 0xffffff,
	TREE_COLOR = 0x604060,
	SPHERE_COLOR = 0x306030,
	POINT_COLOR = 0xf0f060,
	INSIDE_COLOR = 0x3060e0,
	OUTSIDE_COLOR = 0xe06030,
};

typedef struct drawing {
	const rbl_world *world;
	const rbl_draw *draw;
	uint32_t color;
	rbl_transform pose;
	const rbl_collider *collider;
} drawing;

static void draw_box(const rbl_draw *draw, rbl_box box, uint32_t color)
{
	const rbl_vec3 c[2] = { box.lower, box.upper };
	for (int i = 0; i < 4; ++i) {
		int u = i & 1, v = i >> 1;
		rbl_draw_line(draw, (rbl_vec3){ c[0].x, c[u].y, c[v].z },
		              (rbl_vec3){ c[1].x, c[u].y, c[v].z }, color);
		rbl_draw_line(draw, (rbl_vec3){ c[u].x, c[0].y, c[v].z },
		              (rbl_vec3){ c[u].x, c[1].y, c[v].z }, color);
		rbl_draw_line(draw, (rbl_vec3){ c[u].x, c[v].y, c[0].z },
		              (rbl_vec3){ c[u].x, c[v].y, c[1].z }, color);
	}
}

// A circle of 16 segments, from halved angles: no sine is needed.
static void draw_ring(const rbl_draw *draw, rbl_vec3 centre, rbl_vec3 u, rbl_vec3 v, uint32_t color)
{
	static const float c[5] = { 1.0f, 0.92387953f, 0.70710678f, 0.38268343f, 0.0f };
	rbl_vec3 last = rbl_add(centre, u);
	for (int i = 1; i <= 16; ++i) {
		int k = i & 3, quarter = (i >> 2) & 3;
		float x = c[k], y = c[4 - k];
		float s = quarter == 0 ? x : quarter == 1 ? -y : quarter == 2 ? -x : y;
		float t = quarter == 0 ? y : quarter == 1 ? x : quarter == 2 ? -y : -x;
		rbl_vec3 next = rbl_add_scaled(rbl_add_scaled(centre, s, u), t, v);
		rbl_draw_line(draw, last, next, color);
		last = next;
	}
}

static void draw_polyhedron(const rbl_draw *draw, const rbl_polyhedron *polyhedron,
                            rbl_transform pose, uint32_t color)
{
	for (int e = 0; e < polyhedron->edge_count; ++e) {
		rbl_vec3 a = rbl_polyhedron_vertex(polyhedron, polyhedron->edge_list[e].tail);
		rbl_vec3 b = rbl_polyhedron_vertex(polyhedron, polyhedron->edge_list[e].head);
		rbl_draw_line(draw, rbl_transform_point(pose, a), rbl_transform_point(pose, b), color);
	}
	if (!(polyhedron->radius > 0.0f))
		return;
	rbl_mat3 axes = rbl_mat_scale(polyhedron->radius, rbl_quat_to_mat(pose.rotation));
	for (int i = 0; i < polyhedron->vertex_count; ++i) {
		rbl_vec3 centre = rbl_transform_point(pose, rbl_polyhedron_vertex(polyhedron, i));
		draw_ring(draw, centre, axes.x, axes.y, color);
		draw_ring(draw, centre, axes.y, axes.z, color);
		draw_ring(draw, centre, axes.z, axes.x, color);
	}
}

// A grid around the place of the body, or of the box that is drawn.
static void draw_plane(const drawing *d)
{
	enum { LINES = 10 };
	const rbl_collider_parts *parts = d->collider->parts;
	bool is_all = rbl_box_is_empty(d->draw->box);
	rbl_vec3 middle = is_all ? d->pose.position : rbl_box_centre(d->draw->box);
	float half = is_all ? (float)LINES : 0.5f * rbl_length(rbl_box_size(d->draw->box));
	middle = rbl_transform_point_inverse(d->pose, middle);
	middle = rbl_add_scaled(middle, -rbl_collider_plane_height(d->collider, middle),
	                        parts->plane.normal);
	rbl_vec3 u = rbl_rotate(parts->plane_rotation, (rbl_vec3){ half, 0.0f, 0.0f });
	rbl_vec3 v = rbl_rotate(parts->plane_rotation, (rbl_vec3){ 0.0f, 0.0f, half });
	for (int i = -LINES; i <= LINES; ++i) {
		float s = (float)i / (float)LINES;
		for (int k = 0; k < 2; ++k) {
			rbl_vec3 along = k ? u : v, across = k ? v : u;
			rbl_vec3 at = rbl_add_scaled(middle, s, across);
			rbl_draw_line(d->draw, rbl_transform_point(d->pose, rbl_sub(at, along)),
			              rbl_transform_point(d->pose, rbl_add(at, along)), d->color);
		}
	}
}

static bool draw_triangle(void *context, int child)
{
	const drawing *d = context;
	rbl_vec3 p[3];
	rbl_collider_triangle(d->collider, child, p);
	for (int i = 0; i < 3; ++i)
		rbl_draw_line(d->draw, rbl_transform_point(d->pose, p[i]),
		              rbl_transform_point(d->pose, p[(i + 1) % 3]), d->color);
	return true;
}

// A box of the collider's frame.
static void draw_local_box(const drawing *d, rbl_box box)
{
	if (!rbl_box_is_empty(d->draw->box) &&
	    !rbl_box_overlaps(rbl_tree_moved_box(d->pose, box), d->draw->box))
		return;
	for (int i = 0; i < 8; ++i)
		for (int axis = 1; axis < 8; axis *= 2) {
			if (i & axis)
				continue;
			rbl_vec3 ends[2];
			for (int k = 0; k < 2; ++k) {
				int corner = k ? i | axis : i;
				ends[k] = rbl_transform_point(d->pose,
				                              (rbl_vec3){ corner & 1 ? box.upper.x : box.lower.x,
				                                          corner & 2 ? box.upper.y : box.lower.y,
				                                          corner & 4 ? box.upper.z : box.lower.z });
			}
			rbl_draw_line(d->draw, ends[0], ends[1], TREE_COLOR);
		}
}

// The boxes of all nodes, in any order.
static void draw_tree(const drawing *d, const rbl_tree *tree)
{
	if (tree->root == RBL_TREE_NONE)
		return;
	draw_local_box(d, tree->bounds);
	uint32_t node = tree->root, last = RBL_TREE_NONE;
	while (node != RBL_TREE_NONE && !rbl_tree_is_leaf(node)) { // down, across, up: no stack
		const rbl_tree_node *n = &tree->pool->nodes[node];
		int next = last == n->parent ? 0 : last == n->children[0] ? 1 : 2;
		if (next == 0)
			draw_local_box(d, n->boxes[0]), draw_local_box(d, n->boxes[1]);
		while (next < 2 && rbl_tree_is_leaf(n->children[next]))
			++next;
		last = node;
		node = next < 2 ? n->children[next] : n->parent;
	}
}

// --- fields -------------------------------------------------------------------------------------

enum { FIELD_SPHERES = 16, SLICE_POINTS = 48 };

// Points of a shape with the direction of its field there.
static void draw_field_points(const drawing *d, const rbl_field_shape *shape, float length)
{
	const rbl_sphere_tree *tree = &shape->tree;
	for (int i = 0; i < tree->count; ++i) {
		rbl_vec3 p = rbl_transform_point(d->pose, tree->positions[i]), normal;
		float depth;
		rbl_draw_point(d->draw, p, 2.0f, POINT_COLOR);
		rbl_distance_field_penetration(shape->field, &tree->positions[i], 1, &depth, &normal, NULL);
		rbl_draw_line(d->draw, p, rbl_add_scaled(p, length, rbl_rotate(d->pose.rotation, normal)),
		              POINT_COLOR);
	}
}

// Spheres of the first points: what is below them in the tree.
static void draw_field_spheres(const drawing *d, const rbl_sphere_tree *tree)
{
	for (int i = 0; i < rbl_mini(FIELD_SPHERES, tree->count); ++i) {
		int first = tree->child_starts[i];
		if (first == tree->child_starts[i + 1])
			continue;
		rbl_mat3 axes = rbl_mat_scale(tree->radii[first], rbl_quat_to_mat(d->pose.rotation));
		rbl_vec3 centre = rbl_transform_point(d->pose, tree->positions[i]);
		draw_ring(d->draw, centre, axes.x, axes.y, SPHERE_COLOR);
		draw_ring(d->draw, centre, axes.y, axes.z, SPHERE_COLOR);
		draw_ring(d->draw, centre, axes.z, axes.x, SPHERE_COLOR);
	}
}

// The field in the plane through the middle of its box across its z axis: the nearer to the
// surface, the larger the points.
static void draw_field_slice(const drawing *d, const rbl_distance_field *field)
{
	rbl_box box = rbl_distance_field_get_info(field).bounds;
	rbl_vec3 size = rbl_sub(box.upper, box.lower);
	float step = rbl_maxf(size.x, size.y) / (float)SLICE_POINTS;
	for (int row = 0; step > 0.0f && (float)row * step <= size.y; ++row) {
		rbl_vec3 points[SLICE_POINTS + 1];
		float depths[SLICE_POINTS + 1];
		int count = 0;
		for (; count <= SLICE_POINTS && (float)count * step <= size.x; ++count)
			points[count] =
				(rbl_vec3){ box.lower.x + (float)count * step, box.lower.y + (float)row * step,
				            0.5f * (box.lower.z + box.upper.z) };
		rbl_distance_field_penetration(field, points, count, depths, NULL, NULL);
		for (int i = 0; i < count; ++i)
			rbl_draw_point(d->draw, rbl_transform_point(d->pose, points[i]),
			               rbl_clampf(4.0f - fabsf(depths[i]) / step, 1.0f, 4.0f),
			               depths[i] >= 0.0f ? INSIDE_COLOR : OUTSIDE_COLOR);
	}
}

static void draw_field(const drawing *d, int part)
{
	const rbl_field_shape *shape = d->world->parts[part].field->shape;
	rbl_vec3 size = rbl_sub(d->collider->box.upper, d->collider->box.lower);
	draw_field_points(d, shape, 0.02f * rbl_length(size));
	draw_field_spheres(d, &shape->tree);
	draw_field_slice(d, shape->field);
}

// --- parts --------------------------------------------------------------------------------------

static bool is_in_view(const rbl_world *world, const rbl_draw *draw, int part)
{
	rbl_box box =
		rbl_collider_bounds(world->parts[part].collider, rbl_world_part_pose(world, part));
	return rbl_box_is_empty(draw->box) || rbl_box_overlaps(box, draw->box);
}

void rbl_draw_part(const rbl_world *world, const rbl_draw *draw, int part, uint32_t color)
{
	const rbl_collider *collider = world->parts[part].collider;
	drawing d = { world, draw, color, rbl_world_part_pose(world, part), collider };
	if (!is_in_view(world, draw, part))
		return;
	if (collider->polyhedron) {
		draw_polyhedron(draw, collider->polyhedron, d.pose, color);
	} else if (collider->kind == RBL_COLLIDER_PLANE) {
		draw_plane(&d);
	} else {
		rbl_transform back = rbl_transform_relative(d.pose, rbl_transform_identity());
		bool is_all = rbl_box_is_empty(draw->box);
		rbl_box near = is_all ? collider->box : rbl_tree_moved_box(back, draw->box);
		rbl_collider_query(collider, near, draw_triangle, &d);
	}
}

static void draw_part(drawing *d, int part)
{
	const rbl_world *world = d->world;
	const rbl_draw *draw = d->draw;
	const rbl_world_part *p = &world->parts[part];
	int body = world->hot_parts[part].body;
	d->pose = rbl_world_part_pose(world, part);
	d->collider = p->collider;
	if (!is_in_view(world, draw, part))
		return;
	d->color = world->bodies[body].kind == RBL_BODY_STATIC ? STATIC_COLOR
	           : rbl_world_is_awake(world, body)           ? AWAKE_COLOR
	                                                       : ASLEEP_COLOR;
	if (draw->flags & RBL_DRAW_PARTS)
		rbl_draw_part(world, draw, part, d->color);
	if ((draw->flags & RBL_DRAW_FIELDS) && p->field)
		draw_field(d, part);
	if ((draw->flags & RBL_DRAW_TREES) && p->collider->parts)
		draw_tree(d, &p->collider->parts->tree);
	if (draw->flags & RBL_DRAW_BOXES)
		draw_box(draw, rbl_broadphase_box(world->broadphase, rbl_proxy_slot(p->proxy)), BOX_COLOR);
}

bool rbl_draw_has(const rbl_draw *draw, rbl_vec3 p)
{
	return rbl_box_is_empty(draw->box) || rbl_box_overlaps((rbl_box){ p, p }, draw->box);
}

static void draw_contacts(const rbl_world *world, const rbl_draw *draw)
{
	for (int i = 0; i < world->contacts.count; ++i) {
		const rbl_world_contact *contact = &world->contacts.data[i];
		for (int k = 0; contact->pair != RBL_NONE && k < contact->manifold.point_count; ++k) {
			rbl_vec3 p = contact->manifold.points[k].position;
			if (!rbl_draw_has(draw, p))
				continue;
			rbl_draw_point(draw, p, 4.0f, CONTACT_COLOR);
			rbl_draw_line(draw, p, rbl_add_scaled(p, 0.1f, contact->manifold.normal),
			              CONTACT_COLOR);
		}
	}
}

// What a joint leaves free: the axis that it turns about or slides along, and its cone.
static void draw_freedom(const rbl_draw *draw, const rbl_world_joint *j, rbl_transform frame)
{
	const float size = 0.25f;
	rbl_vec3 at = frame.position, z = rbl_rotate(frame.rotation, (rbl_vec3){ 0.0f, 0.0f, 1.0f });
	rbl_vec3 x = rbl_rotate(frame.rotation, (rbl_vec3){ 1.0f, 0.0f, 0.0f });
	rbl_vec3 y = rbl_cross(z, x);
	if (j->kind == RBL_JOINT_HINGE || j->kind == RBL_JOINT_PRISMATIC || j->kind == RBL_JOINT_WHEEL)
		rbl_draw_line(draw, rbl_add_scaled(at, -size, z), rbl_add_scaled(at, size, z), JOINT_COLOR);
	if (j->kind == RBL_JOINT_WHEEL)
		rbl_draw_line(draw, rbl_add_scaled(at, -size, y), rbl_add_scaled(at, size, y), JOINT_COLOR);
	if (!j->def.has_cone)
		return;
	float along = size * rbl_cosf(j->def.cone_angle), across = size * rbl_sinf(j->def.cone_angle);
	rbl_vec3 last = { 0.0f, 0.0f, 0.0f };
	for (int i = 0; i <= 12; ++i) {
		float turn = (float)i * (2.0f * RBL_PI_F / 12.0f);
		rbl_vec3 p = rbl_add_scaled(at, along, z);
		p = rbl_add_scaled(p, across * rbl_cosf(turn), x);
		p = rbl_add_scaled(p, across * rbl_sinf(turn), y);
		rbl_draw_line(draw, at, p, JOINT_COLOR);
		if (i > 0)
			rbl_draw_line(draw, last, p, JOINT_COLOR);
		last = p;
	}
}

static void draw_joints(const rbl_world *world, const rbl_draw *draw)
{
	RBL_EACH_LIVE (i, &world->joint_ids) {
		const rbl_world_joint *j = &world->joints.data[i];
		const rbl_body_motion *a = &world->motions[j->body_a], *b = &world->motions[j->body_b];
		rbl_vec3 at_a = rbl_transform_point(rbl_world_motion_pose(a), j->frame_a.position);
		rbl_vec3 at_b = rbl_transform_point(rbl_world_motion_pose(b), j->frame_b.position);
		if (!rbl_draw_has(draw, at_a) && !rbl_draw_has(draw, at_b))
			continue;
		rbl_draw_line(draw, a->centre, at_a, JOINT_COLOR);
		rbl_draw_line(draw, at_a, at_b, JOINT_COLOR);
		rbl_draw_line(draw, at_b, b->centre, JOINT_COLOR);
		draw_freedom(draw, j, rbl_transform_mul(rbl_world_motion_pose(a), j->frame_a));
	}
}

static void draw_cell(void *context, rbl_box cell, int population)
{
	const rbl_draw *draw = context;
	if (!rbl_box_is_empty(draw->box) && !rbl_box_overlaps(cell, draw->box))
		return;
	uint32_t light = (uint32_t)rbl_mini(0x40 + population, 0xff);
	draw_box(draw, cell, light << 16 | light);
}

rbl_result rbl_world_draw(const rbl_world *world, const rbl_draw *draw)
{
	if (!world || !draw)
		return rbl_fail(RBL_BAD_ARGUMENT, "world or draw is NULL");
	drawing d = { .world = world, .draw = draw };
	for (int i = 0; i < world->body_ids.slot_count; ++i) {
		if (!rbl_id_pool_is_live(&world->body_ids, i) ||
		    !(world->motions[i].flags & RBL_BODY_ENABLED))
			continue;
		RBL_EACH_PART (p, world, i)
			if (draw->flags & (RBL_DRAW_PARTS | RBL_DRAW_BOXES | RBL_DRAW_TREES | RBL_DRAW_FIELDS))
				draw_part(&d, p);
		if ((draw->flags & RBL_DRAW_MASSES) && rbl_draw_has(draw, world->motions[i].centre))
			rbl_draw_point(draw, world->motions[i].centre, 3.0f, MASS_COLOR);
	}
	if (draw->flags & RBL_DRAW_CELLS)
		rbl_broadphase_cells(world->broadphase, draw_cell, (void *)(uintptr_t)draw);
	if (draw->flags & RBL_DRAW_CONTACTS)
		draw_contacts(world, draw);
	if (draw->flags & RBL_DRAW_JOINTS)
		draw_joints(world, draw);
	return rbl_draw_state(world, draw);
}
