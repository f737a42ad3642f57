// SPDX-License-Identifier: MIT
//
// What field bodies collide by: a distance field, points of the surface in a sphere tree, and a
// mesh collider, all in the coordinates of the body's shape.

#include "world/world.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/simd.h"
#include "world/mass.h"

#include <rubble/compound_field.h>
#include <rubble/hull.h>

#include <float.h>

// A hull of no more than this share of a body's volume is the body.
static const double hull_share = 1.05;

const rbl_distance_field *rbl_body_def_original(const rbl_body_def *def)
{
	return def->original_field ? def->original_field
	       : def->asset && def->contact_method != RBL_CONTACTS_CONVEX
	           ? rbl_asset_get_field(def->asset)
	           : NULL;
}

rbl_result rbl_world_hold_field(rbl_world *world, const rbl_distance_field *field)
{
	int count = world->original_fields.count;
	for (int i = 0; i < count; ++i)
		if (world->original_fields.data[i] == field)
			return RBL_OK;
	if (!field)
		return RBL_OK;
	if (!rbl_array_extend(&world->allocator, &world->original_fields, 1))
		return RBL_OUT_OF_MEMORY;
	world->original_fields.data[count] = rbl_distance_field_share(field);
	world->original_fields.count = count + 1;
	return RBL_OK;
}

rbl_result rbl_check_contact_method(const rbl_body_def *def)
{
	if ((int)def->contact_method < 0 || def->contact_method >= RBL_CONTACT_METHOD_COUNT)
		return rbl_fail(RBL_BAD_ARGUMENT, "contact_method is %d", (int)def->contact_method);
	bool is_field = def->contact_method == RBL_CONTACTS_FIELD;
	bool is_mesh = def->collider && rbl_collider_kind_of(def->collider) == RBL_COLLIDER_MESH;
	bool is_compound = def->compound || def->asset;
	if (def->mesh && def->contact_method == RBL_CONTACTS_CONVEX)
		return rbl_fail(RBL_BAD_ARGUMENT, "a mesh is no convex: its contact_method must be "
		                                  "RBL_CONTACTS_FIELD or RBL_CONTACTS_AUTOMATIC");
	if (is_field && !def->mesh && !(is_mesh && def->field_shape) &&
	    !(is_compound && rbl_body_def_original(def)))
		return rbl_fail(RBL_BAD_ARGUMENT,
		                "contacts by a field need a mesh, a mesh collider and a field_shape, a "
		                "compound and its original_field, or an asset that was prepared with one");
	if (def->original_field && (!is_compound || !rbl_is_mesh_field(def->original_field)))
		return rbl_fail(RBL_BAD_ARGUMENT,
		                "original_field is the field of a mesh, for a compound or "
		                "asset only");
	if (!def->field_shape)
		return RBL_OK;
	if (!is_field || is_compound)
		return rbl_fail(RBL_BAD_ARGUMENT, "a field_shape is read with RBL_CONTACTS_FIELD only, for "
		                                  "a mesh or mesh collider");
	if (!def->field_shape->field)
		return rbl_fail(RBL_BAD_ARGUMENT, "the field_shape of a body has no field");
	return RBL_OK;
}

// --- by convexes or by a field ------------------------------------------------------------------

// The hull of points.
// @param volume  receives its volume, DBL_MAX when there is none
// @param convex  receives it, NULL when it is no convex or memory ran out; or NULL
static void make_hull(const rbl_world *world, const rbl_vec3d *points, int count, double *volume,
                      rbl_convex **convex)
{
	rbl_hull_def def = rbl_default_hull_def();
	def.points = points;
	def.point_count = count;
	def.allocator = world->allocator;
	rbl_hull *hull = NULL;
	rbl_mesh *mesh = NULL;
	*volume = DBL_MAX;
	if (convex)
		*convex = NULL;
	if (count >= 4 && rbl_create_hull(&def, &hull) == RBL_OK &&
	    rbl_hull_create_mesh(hull, &world->allocator, &mesh) == RBL_OK) {
		*volume = rbl_mesh_get_mass(mesh).volume;
		rbl_convex_def convex_def = rbl_default_convex_def();
		convex_def.mesh = mesh;
		convex_def.allocator = world->allocator;
		rbl_hull_data data = rbl_hull_get_data(hull);
		bool is_small =
			data.face_count <= RBL_MAX_CONVEX_FACES && data.vertex_count <= RBL_MAX_CONVEX_VERTICES;
		if (is_small && convex && rbl_create_convex(&convex_def, convex) != RBL_OK)
			*convex = NULL;
	}
	rbl_destroy_mesh(mesh);
	rbl_destroy_hull(hull);
}

// Points that are farthest along the axes and the diagonals between them.
// @return how many; some may be the same
static int find_extremes(const rbl_vec3d *points, int count, rbl_vec3d extremes[26])
{
	int n = 0;
	for (int code = 14; code < 27; ++code) { // every direction once, its opposite with it
		rbl_vec3d way = { code % 3 - 1.0, code / 3 % 3 - 1.0, code / 9 - 1.0 };
		int ends[2] = { 0, 0 };
		double least = DBL_MAX, most = -DBL_MAX;
		for (int i = 0; i < count; ++i) {
			double along = rbl_dot_d(points[i], way);
			if (along < least)
				least = along, ends[0] = i;
			if (along > most)
				most = along, ends[1] = i;
		}
		extremes[n++] = points[ends[0]];
		extremes[n++] = points[ends[1]];
	}
	return n;
}

// Whether the hull of points is larger than a volume. That of a few of them is smaller, and mostly
// enough to tell.
static bool is_hull_larger(const rbl_world *world, const rbl_vec3d *points, int count, double than)
{
	enum { FEW = 64 };
	double volume = 0.0;
	if (count > FEW) {
		rbl_vec3d extremes[26];
		int n = find_extremes(points, count, extremes);
		make_hull(world, extremes, n, &volume, NULL);
		if (volume < DBL_MAX && volume > than)
			return true;
	}
	make_hull(world, points, count, &volume, NULL);
	return volume > than;
}

static int seen_vertices(const rbl_compound *compound, rbl_vec3d *points)
{
	int end = rbl_compound_get_info(compound).part_end, n = 0;
	for (int i = 0; i < end; ++i) {
		rbl_compound_part part = rbl_compound_get_part(compound, i);
		if (!part.mesh)
			continue;
		rbl_mesh_data data = rbl_mesh_get_data(part.mesh);
		if (points)
			memcpy(points + n, data.positions, (size_t)data.vertex_count * sizeof *points);
		n += data.vertex_count;
	}
	return n;
}

bool rbl_compound_wants_field(const rbl_world *world, const rbl_compound *compound, uint32_t flags,
                              const rbl_distance_field *original)
{
	bool by_field;
	if (!original || !(flags & (RBL_BODY_BY_FIELD | RBL_BODY_AUTOMATIC)))
		return false;
	if (flags & RBL_BODY_BY_FIELD)
		return true;
	if (rbl_world_knows_contact_method(world, compound, &by_field))
		return by_field;
	double volume = rbl_compound_get_visual_mass(compound).volume, area = 0.0;
	double half_cell = 0.5 * (double)rbl_distance_field_get_info(original).cell_size;
	rbl_compound_info info = rbl_compound_get_info(compound);
	const rbl_convex *convex = NULL;
	for (int i = 0; i < info.part_end; ++i) { // all of a building, at each blow
		rbl_compound_part part = rbl_compound_get_part(compound, i);
		if (part.mesh)
			area += rbl_mesh_area(part.mesh);
		if (volume <= half_cell * area) // a sliver, which the field knows too little of
			return false;
		convex = part.convex ? part.convex : convex;
	}
	if (info.part_count == 1 && convex && rbl_convex_get_mass(convex).volume <= hull_share * volume)
		return false;
	int count = seen_vertices(compound, NULL);
	rbl_vec3d *points = RBL_NEW(&world->allocator, rbl_vec3d, count);
	if (!points)
		return false;
	seen_vertices(compound, points);
	bool is_larger = is_hull_larger(world, points, count, hull_share * volume);
	RBL_FREE(&world->allocator, points, count);
	return is_larger;
}

rbl_result rbl_choose_contact_method(const rbl_world *world, const rbl_body_def *def,
                                     bool *by_field, rbl_convex **hull)
{
	*hull = NULL;
	*by_field = def->contact_method == RBL_CONTACTS_FIELD;
	if (def->contact_method != RBL_CONTACTS_AUTOMATIC)
		return RBL_OK;
	if (def->compound || def->asset) {
		const rbl_compound *compound =
			def->asset ? rbl_asset_get_compound(def->asset) : def->compound;
		*by_field = rbl_compound_wants_field(world, compound, RBL_BODY_AUTOMATIC,
		                                     rbl_body_def_original(def));
		return RBL_OK;
	}
	if (!def->mesh)
		return RBL_OK;
	rbl_mesh_data data = rbl_mesh_get_data(def->mesh);
	double volume;
	rbl_convex *convex;
	make_hull(world, data.positions, data.vertex_count, &volume, &convex);
	*by_field = !convex || !(volume <= hull_share * rbl_mesh_get_mass(def->mesh).volume);
	if (*by_field)
		rbl_destroy_convex(convex);
	else
		*hull = convex;
	return RBL_OK;
}

// --- made for a body ----------------------------------------------------------------------------

// A field whose cells are at most half as wide as the walls of the mesh, and its points.
static rbl_result make_mesh_field(const rbl_world *world, const rbl_mesh *mesh,
                                  const rbl_collider *collider, rbl_part_field *field)
{
	rbl_distance_field_def def = rbl_default_distance_field_def();
	double volume = rbl_mesh_get_mass(mesh).volume;
	def.mesh = mesh;
	def.wall = 2.0 * (double)rbl_mesh_collider_inner_radius(collider, rbl_maxd(0.0, volume));
	def.jobs = world->def.jobs;
	def.allocator = world->allocator;
	rbl_result result = rbl_create_distance_field(&def, &field->own_field);
	if (result != RBL_OK)
		return result;
	rbl_field_shape_def shape_def = rbl_default_field_shape_def();
	shape_def.field = field->own_field;
	shape_def.mesh = mesh;
	shape_def.allocator = world->allocator;
	result = rbl_create_field_shape(&shape_def, &field->own_shape);
	field->shape = field->own_shape;
	return result;
}

rbl_result rbl_make_part_field(const rbl_world *world, const rbl_body_def *def,
                               rbl_collider **owned, rbl_part_field **field)
{
	*owned = NULL;
	*field = NULL;
	if (def->compound || def->asset)
		return rbl_make_compound_field(
			world, def->asset ? rbl_asset_get_compound(def->asset) : def->compound,
			rbl_body_def_original(def), owned, field);
	rbl_part_field *made = rbl_new_part_field(&world->allocator);
	if (!made)
		return RBL_OUT_OF_MEMORY;
	rbl_result result = RBL_OK;
	if (def->mesh)
		result = rbl_create_cast_collider(&def->mesh, 1, &world->allocator, owned);
	made->shape = def->field_shape;
	if (result == RBL_OK && !made->shape)
		result = make_mesh_field(world, def->mesh, *owned, made);
	if (result == RBL_OK) {
		*field = made;
		return RBL_OK;
	}
	rbl_destroy_part_field(&world->allocator, made);
	rbl_destroy_collider(*owned);
	*owned = NULL;
	return result;
}

// A collider of all that is seen of a compound.
static rbl_result make_seen_collider(const rbl_world *world, const rbl_compound *compound,
                                     rbl_collider **collider)
{
	int end = rbl_compound_get_info(compound).part_end;
	const rbl_mesh **meshes = RBL_NEW(&world->allocator, const rbl_mesh *, end);
	if (!meshes)
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < end; ++i)
		meshes[i] = rbl_compound_get_part(compound, i).mesh;
	rbl_result result = rbl_create_cast_collider(meshes, end, &world->allocator, collider);
	RBL_FREE(&world->allocator, meshes, end);
	return result;
}

static rbl_result make_points_or_shape(const rbl_world *world, rbl_field_making *m)
{
	uint64_t start = world->field_probe ? rbl_clock_ns() : 0;
	rbl_result result = RBL_OK;
	if (m->step == 1) {
		rbl_compound_field_def def = rbl_default_compound_field_def();
		def.compound = m->compound;
		def.original = m->original;
		def.others = m->relatives.compounds;
		def.other_count = m->relatives.count;
		def.allocator = world->allocator;
		float spacing = rbl_distance_field_get_info(m->original).cell_size;
		result = rbl_create_compound_field(&def, &m->field->own_field);
		if (result == RBL_OK)
			result = rbl_gather_shape_points(&def, m->field->own_field, spacing, &m->points);
	} else {
		result = rbl_finish_compound_shape(m->points, &m->field->own_shape);
		rbl_destroy_shape_points(m->points);
		m->points = NULL;
		if (result == RBL_OK && world->field_probe && world->field_probe->remake)
			result = world->field_probe->remake(m->compound, m->field);
		m->field->shape = m->field->own_shape;
	}
	if (world->field_probe)
		world->field_probe->update_ns += rbl_clock_ns() - start;
	return result;
}

rbl_result rbl_make_some_field(const rbl_world *world, rbl_field_making *m)
{
	rbl_result result = RBL_OK;
	if (m->step == 0) {
		m->field = rbl_new_part_field(&world->allocator);
		result =
			m->field ? make_seen_collider(world, m->compound, &m->collider) : RBL_OUT_OF_MEMORY;
		if (result == RBL_OK)
			rbl_world_part_inner_radius(m->collider, m->field);
	} else {
		result = make_points_or_shape(world, m);
	}
	m->step++;
	return result;
}

void rbl_give_up_field(const rbl_world *world, rbl_field_making *m)
{
	rbl_destroy_shape_points(m->points);
	rbl_destroy_part_field(&world->allocator, m->field);
	rbl_destroy_collider(m->collider);
	m->points = NULL, m->field = NULL, m->collider = NULL;
}

rbl_result rbl_make_compound_field(const rbl_world *world, const rbl_compound *compound,
                                   const rbl_distance_field *original, rbl_collider **owned,
                                   rbl_part_field **field)
{
	*owned = NULL;
	*field = NULL;
	if (rbl_world_take_early_field(world, compound, owned, field))
		return RBL_OK;
	rbl_field_making m = { .compound = compound,
		                   .original = original,
		                   .relatives = { world->relatives.data, world->relatives.count } };
	rbl_result result = RBL_OK;
	while (result == RBL_OK && m.step < RBL_FIELD_MAKING_STEPS)
		result = rbl_make_some_field(world, &m);
	if (result == RBL_OK)
		*owned = m.collider, *field = m.field;
	else
		rbl_give_up_field(world, &m);
	return result;
}

rbl_box rbl_mesh_collider_bounds(const rbl_collider *collider, rbl_transform pose)
{
	enum { MOST = 2048 };
	const rbl_collider_parts *parts = collider->parts;
	if (collider->kind != RBL_COLLIDER_MESH || parts->vertex_count > MOST)
		return rbl_collider_bounds(collider, pose);
	rbl_mat3 m = rbl_quat_to_mat(pose.rotation);
	rbl_f8x3 x = rbl_f8x3_splat(m.x), y = rbl_f8x3_splat(m.y), z = rbl_f8x3_splat(m.z);
	rbl_f8x3 low = rbl_f8x3_splat((rbl_vec3){ FLT_MAX, FLT_MAX, FLT_MAX });
	rbl_f8x3 high = rbl_f8x3_splat((rbl_vec3){ -FLT_MAX, -FLT_MAX, -FLT_MAX });
	for (int i = 0; i < parts->vertex_count; i += 8) { // the last ones again, where there are less
		rbl_vec3 last[8];
		const rbl_vec3 *from = parts->positions + i;
		if (i + 8 > parts->vertex_count) {
			for (int k = 0; k < 8; ++k)
				last[k] = parts->positions[rbl_mini(i + k, parts->vertex_count - 1)];
			from = last;
		}
		rbl_f8x3 p = rbl_f8x3_load(from);
		p = rbl_f8x3_add_scaled(rbl_f8x3_add_scaled(rbl_f8x3_scale(p.x, x), p.y, y), p.z, z);
		low = rbl_f8x3_min(low, p), high = rbl_f8x3_max(high, p);
	}
	rbl_vec3 lower = { rbl_f8_min_lane(low.x), rbl_f8_min_lane(low.y), rbl_f8_min_lane(low.z) };
	rbl_vec3 upper = { rbl_f8_max_lane(high.x), rbl_f8_max_lane(high.y), rbl_f8_max_lane(high.z) };
	return (rbl_box){ rbl_add(lower, pose.position), rbl_add(upper, pose.position) };
}

float rbl_world_part_reach(const rbl_collider *collider, rbl_transform local)
{
	if (collider->polyhedron)
		return rbl_length(local.position) + collider->polyhedron->bounding_radius;
	rbl_box box = rbl_collider_bounds(collider, local);
	return rbl_length(rbl_max(rbl_neg(box.lower), box.upper));
}

float rbl_world_part_inner_radius(const rbl_collider *collider, rbl_part_field *field)
{
	if (!field)
		return rbl_collider_inner_radius(collider);
	if (field->inner_radius < 0.0f)
		field->inner_radius =
			rbl_mesh_collider_inner_radius(collider, rbl_mesh_collider_volume(collider));
	return field->inner_radius;
}

rbl_part_field *rbl_new_part_field(const rbl_allocator *allocator)
{
	rbl_part_field *field = RBL_NEW_ZERO(allocator, rbl_part_field, 1);
	if (field)
		field->inner_radius = -1.0f;
	return field;
}

void rbl_destroy_part_field(const rbl_allocator *allocator, rbl_part_field *field)
{
	if (!field)
		return;
	rbl_destroy_field_shape(field->own_shape);
	rbl_destroy_distance_field(field->own_field);
	RBL_FREE(allocator, field, 1);
}

// --- questions ----------------------------------------------------------------------------------

int rbl_world_child_at(const rbl_world *world, int part, rbl_vec3 point)
{
	int body = world->hot_parts[part].body;
	rbl_body_id id = rbl_world_body_id(world, body);
	const rbl_compound *compound =
		world->parts[part].field ? rbl_body_get_compound(world, id) : NULL;
	if (!compound)
		return world->parts[part].child;
	double distance = DBL_MAX;
	rbl_vec3 local = rbl_transform_point_inverse(rbl_body_pose(world, id), point);
	int nearest = rbl_world_nearest_part(compound, rbl_to_d(local), &distance);
	return nearest == RBL_NONE ? world->parts[part].child : nearest;
}

bool rbl_world_field_contains(const rbl_world *world, int part, rbl_vec3 point)
{
	rbl_vec3 local = rbl_transform_point_inverse(rbl_world_part_pose(world, part), point);
	bool is_inside = false;
	rbl_distance_field_contains(world->parts[part].field->shape->field, &local, 1, &is_inside);
	return is_inside;
}
