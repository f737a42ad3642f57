// SPDX-License-Identifier: MIT
//
// Bodies and parts in a snapshot.
//
// A body's own colliders and compound are written with it, shared colliders by their index in the
// table. Lists of parts are walked in full after reading: only then do the arrays belong to the
// world.

#include "world/snapshot.h"

#include "base/fields.h"

#include "world/mass.h"

_Static_assert(sizeof(void *) < 8 || sizeof(rbl_body) == 168,
               "a new field of bodies: is it saved?");
_Static_assert(sizeof(void *) < 8 || sizeof(rbl_world_part) == 80,
               "a new field of parts: is it saved?");

_Static_assert(sizeof(void *) < 8 || sizeof(rbl_world_baked_fragment) == 96,
               "a new field of baked fragments: is it saved?");

enum {
	MOTION_WORDS = sizeof(rbl_body_motion) / 4,
	ALL_FLAGS = 524287 | RBL_BODY_LOCKS | RBL_BODY_MODIFIES | RBL_BODY_CHIP | RBL_BODY_BROKEN |
	            RBL_BODY_KEEPS_OVERLAP | RBL_BODY_PASSED,
	MAX_RADIUS = 100000000, // metres: boxes stay far from overflow
};

// --- writing ------------------------------------------------------------------------------------

static const rbl_field fragment_fields[] = {
	RBL_FIELD_FLOATS(rbl_world_baked_fragment, pose),
	RBL_FIELD_FLOATS(rbl_world_baked_fragment, density),
	RBL_FIELD_FLOATS(rbl_world_baked_fragment, mass),
	RBL_FIELD_FLOATS(rbl_world_baked_fragment, linear_damping),
	RBL_FIELD_FLOATS(rbl_world_baked_fragment, angular_damping),
	RBL_FIELD_FLOATS(rbl_world_baked_fragment, gravity_scale),
	RBL_FIELD_LONGS(rbl_world_baked_fragment, user),
	RBL_FIELD_BITS(rbl_world_baked_fragment, fragment_number),
	RBL_FIELD_BITS(rbl_world_baked_fragment, asset_key_low),
	RBL_FIELD_BITS(rbl_world_baked_fragment, flags),
	RBL_FIELD_BOOL(rbl_world_baked_fragment, is_unsupported),
};

static const rbl_field body_fields[] = {
	RBL_FIELD_BYTE(rbl_body, kind, 0, RBL_BODY_KIND_COUNT - 1),
	RBL_FIELD_BYTE(rbl_body, requested_kind, 0, RBL_BODY_KIND_COUNT - 1),
	RBL_FIELD_BITS(rbl_body, solver_body),
	RBL_FIELD_BITS(rbl_body, first_part),
	RBL_FIELD_BITS(rbl_body, part_count),
	RBL_FIELD_BITS(rbl_body, first_joint),
	RBL_FIELD_FLOATS(rbl_body, local_centre),
	RBL_FIELD_FLOATS(rbl_body, mass),
	RBL_FIELD_FLOATS(rbl_body, inertia),
	RBL_FIELD_RANGE(rbl_body, inner_radius, 0, FLT_MAX),
	RBL_FIELD_INT(rbl_body, material, 0, INT32_MAX),
	RBL_FIELD_BITS(rbl_body, filter),
	RBL_FIELD_RANGE(rbl_body, linear_damping, 0, FLT_MAX),
	RBL_FIELD_RANGE(rbl_body, angular_damping, 0, FLT_MAX),
	RBL_FIELD_FLOATS(rbl_body, gravity_scale),
	RBL_FIELD_LONGS(rbl_body, user),
	RBL_FIELD_BITS(rbl_body, asset_key_low),
	RBL_FIELD_BITS(rbl_body, fragment_number),
	RBL_FIELD_BITS(rbl_body, asleep_since),
};

static const rbl_field part_fields[] = {
	RBL_FIELD_INT(rbl_world_part, child, 0, INT32_MAX),
	RBL_FIELD_BITS(rbl_world_part, next),
	RBL_FIELD_BITS(rbl_world_part, first_pair),
	RBL_FIELD_BITS(rbl_world_part, pair_count),
	RBL_FIELD_BITS(rbl_world_part, local),
	RBL_FIELD_INT(rbl_world_part, material, -1, INT32_MAX),
	RBL_FIELD_LONGS(rbl_world_part, shape),
};

static int saved_material_number(void *user, const rbl_material *material)
{
	return rbl_world_find_material(user, material);
}

static const rbl_material *find_saved_material(void *user, int number)
{
	const rbl_world *world = user;
	return number < world->materials.count ? world->materials.data[number].shared : NULL;
}

static void put_fragment(rbl_blob_writer *w, const rbl_world *world,
                         const rbl_world_baked_fragment *f, const rbl_snapshot_tables *tables)
{
	rbl_blob_put_bool(w, f->compound != NULL);
	if (!f->compound)
		return;
	rbl_blob_put_struct(w, fragment_fields, f);
	rbl_snapshot_put_original(w, f->original, tables);
	rbl_compound_save(f->compound, saved_material_number, (void *)(uintptr_t)world, w);
}

static void put_body(rbl_blob_writer *w, const rbl_world *world, int body,
                     const rbl_snapshot_tables *tables)
{
	const rbl_body *b = &world->bodies[body];
	rbl_blob_put_words(w, &world->motions[body], MOTION_WORDS);
	rbl_blob_put_struct(w, body_fields, b);
	rbl_blob_put32(w, (uint32_t)rbl_address_table_place(&tables->assets, b->asset));
	rbl_snapshot_put_original(w, b->original, tables);
	rbl_blob_put_bool(w, b->compound != NULL);
	if (b->compound)
		rbl_compound_save(b->compound, saved_material_number, (void *)(uintptr_t)world, w);
	const rbl_world_baked_body *baked = rbl_world_get_baked_body(world, body);
	rbl_blob_put32(w, baked ? (uint32_t)b->baked_index : 0);
	rbl_blob_put32(w, baked ? (uint32_t)baked->fragments.count : 0);
	for (int i = 0; baked && i < baked->fragments.count; ++i)
		put_fragment(w, world, &baked->fragments.data[i], tables);
}

static void put_part(rbl_blob_writer *w, const rbl_world *world, int part,
                     const rbl_snapshot_tables *tables)
{
	const rbl_world_part *p = &world->parts[part];
	const rbl_world_part_hot *hot = &world->hot_parts[part];
	rbl_blob_put32(w, (uint32_t)hot->body);
	rbl_blob_put32(w, hot->is_placed);
	rbl_snapshot_put_traits(w, world, part);
	rbl_blob_put_struct(w, part_fields, p);
	bool is_own = world->motions[hot->body].flags & RBL_BODY_OWNS_COLLIDERS;
	rbl_blob_put32(
		w, (uint32_t)(is_own ? -1 : rbl_address_table_place(&tables->colliders, p->collider)));
	if (is_own)
		rbl_collider_save(p->collider, w);
	rbl_blob_put_padding(w);
	rbl_snapshot_put_part_field(w, p->field, tables);
}

void rbl_snapshot_put_bodies(rbl_blob_writer *w, const rbl_world *world,
                             const rbl_snapshot_tables *tables)
{
	size_t part = rbl_blob_begin(w, "BODY");
	rbl_id_pool_save(&world->body_ids, w);
	for (int i = 0; i < world->body_ids.slot_count; ++i) {
		if (rbl_id_pool_is_live(&world->body_ids, i))
			put_body(w, world, i, tables);
		else // its slot may still be in the list of dirty bodies
			rbl_blob_put32(w, world->motions[i].flags & RBL_BODY_DIRTY);
	}
	rbl_id_pool_save(&world->part_ids, w);
	RBL_EACH_LIVE (i, &world->part_ids)
		put_part(w, world, i, tables);
	rbl_blob_end(w, part);
}

// --- reading ------------------------------------------------------------------------------------

// A dynamic body has a mass as body_create.c wants it.
static bool check_body(const rbl_world *world, int body)
{
	const rbl_body *b = &world->bodies[body];
	const rbl_body_motion *m = &world->motions[body];
	bool is_enabled = m->flags & RBL_BODY_ENABLED;
	bool has_mass = b->mass >= 1e-10f && b->mass <= 1e16f;
	return rbl_floats_are_finite(m, MOTION_WORDS - 1) &&
	       rbl_pose_is_valid(rbl_world_motion_pose(m)) && rbl_world_is_in_range(m->centre) &&
	       m->bounding_radius > 0.0f && m->bounding_radius <= MAX_RADIUS && m->margin >= 0.0f &&
	       m->margin <= rbl_world_length(world, 1.0f) + m->bounding_radius &&
	       rbl_world_motion_is_valid(m) && (int)b->material < world->materials.count &&
	       (m->flags & ~(uint32_t)ALL_FLAGS) == 0 && (b->kind != RBL_BODY_DYNAMIC || has_mass) &&
	       (!(m->flags & RBL_BODY_AWAKE) || (is_enabled && b->kind != RBL_BODY_STATIC)) &&
	       (!(m->flags & RBL_BODY_FROZEN) ||
	        (is_enabled && world->solver && !(m->flags & RBL_BODY_AWAKE))) &&
	       (b->solver_body != RBL_NONE) == (is_enabled && world->solver);
}

static void get_fragment(rbl_snapshot_reader *r, rbl_world_baked_body *baked,
                         rbl_world_baked_fragment *m)
{
	rbl_blob_reader *from = &r->blob;
	rbl_world *world = r->world;
	if (!rbl_blob_get_bool(from))
		return;
	rbl_blob_get_struct(from, fragment_fields, m);
	m->original = rbl_snapshot_get_original(r);
	const uint32_t flags = RBL_BAKED_FLAGS;
	if (!rbl_blob_expect(from,
	                     !from->is_bad && rbl_pose_is_valid(m->pose) && m->fragment_number != 0 &&
	                         (m->flags & ~flags) == 0,
	                     "a baked fragment is wrong"))
		return;
	if (!rbl_compound_load(from, &world->allocator, find_saved_material, world, &m->compound))
		return;
	world->has_unsupported |= m->is_unsupported;
	world->baked_count++;
	baked->live_count++;
}

// What was baked into a body. Baked bodies keep their indices: fragments are released in order.
static void get_baked_body(rbl_snapshot_reader *r, int body)
{
	rbl_blob_reader *from = &r->blob;
	rbl_world *world = r->world;
	const rbl_allocator *a = &world->allocator;
	int place = rbl_blob_get_int(from, 0, RBL_MAX_BAKED_BODIES) - 1;
	int count = rbl_blob_get_count(from, 4);
	if (from->is_bad || place < 0)
		return;
	const rbl_body *b = &world->bodies[body];
	bool is_right = b->kind == RBL_BODY_STATIC && !b->compound && !b->asset && world->solver &&
	                (world->motions[body].flags & RBL_BODY_OWNS_COLLIDERS) &&
	                place < world->body_ids.slot_count;
	if (!rbl_blob_expect(from, is_right, "debris is baked into a body that cannot hold it"))
		return;
	while (world->baked_bodies.count <= place)
		if (!rbl_array_push(a, &world->baked_bodies, (rbl_world_baked_body){ .body = RBL_NONE })) {
			from->out_of_memory = true;
			return;
		}
	rbl_world_baked_body *baked = &world->baked_bodies.data[place];
	if (!rbl_blob_expect(from, baked->body == RBL_NONE, "two bodies have the same baked fragments"))
		return;
	baked->body = body;
	world->bodies[body].baked_index = (uint16_t)(place + 1);
	if (!rbl_array_resize(a, &baked->fragments, count)) {
		from->out_of_memory = count > 0;
		baked->fragments.count = 0;
		return;
	}
	for (int i = 0; i < count; ++i)
		baked->fragments.data[i] = (rbl_world_baked_fragment){ .compound = NULL };
	for (int i = 0; i < count && !from->is_bad && !from->out_of_memory; ++i)
		get_fragment(r, baked, &baked->fragments.data[i]);
	rbl_blob_expect(from, baked->live_count > 0, "a baked body has no fragments");
}

static void get_body(rbl_snapshot_reader *r, int body)
{
	rbl_blob_reader *from = &r->blob;
	rbl_world *world = r->world;
	rbl_body *b = &world->bodies[body];
	rbl_blob_get_words(from, &world->motions[body], MOTION_WORDS);
	rbl_blob_get_struct(from, body_fields, b);
	world->debris_count += b->fragment_number != 0;
	int asset = rbl_blob_get_int(from, -1, r->assets.count - 1);
	b->original = rbl_snapshot_get_original(r);
	if (from->is_bad || !rbl_blob_expect(from, check_body(world, body), "a body is wrong"))
		return;
	b->asset = asset < 0 ? NULL : rbl_asset_share(r->assets.data[asset]);
	if (rbl_blob_get_bool(from)) {
		rbl_blob_expect(from, !b->asset, "a body has two shapes");
		rbl_compound_load(from, &world->allocator, find_saved_material, world, &b->compound);
	}
	get_baked_body(r, body);
}

// Its own collider is destroyed with what was read, as long as the lists are not known.
static void get_part(rbl_snapshot_reader *r, int part)
{
	rbl_blob_reader *from = &r->blob;
	rbl_world *world = r->world;
	rbl_world_part *p = &world->parts[part];
	rbl_world_part_hot *hot = &world->hot_parts[part];
	int body = rbl_blob_get_int(from, 0, world->body_ids.slot_count - 1);
	bool is_placed = rbl_blob_get_bool(from);
	rbl_snapshot_get_traits(r, part);
	rbl_blob_get_struct(from, part_fields, p);
	int place = rbl_blob_get_int(from, -1, world->loaded_colliders.count - 1);
	if (from->is_bad ||
	    !rbl_blob_expect(from,
	                     rbl_id_pool_is_live(&world->body_ids, body) && rbl_pose_is_valid(p->local),
	                     "a part is wrong"))
		return;
	bool is_own = world->motions[body].flags & RBL_BODY_OWNS_COLLIDERS;
	bool is_fragment =
		world->bodies[body].baked_index == 0 || rbl_world_get_baked_fragment(world, body, p->child);
	if (!rbl_blob_expect(from, is_own == (place < 0) && is_fragment,
	                     "a part has no collider, or no baked fragment"))
		return;
	rbl_collider *own = NULL;
	if (is_own && !rbl_collider_load(from, &world->allocator, &own))
		return;
	p->collider = is_own ? own : rbl_collider_share(world->loaded_colliders.data[place]);
	rbl_blob_get_padding(from);
	rbl_snapshot_get_part_field(r, &p->field);
	bool is_mesh = p->collider->kind == RBL_COLLIDER_MESH;
	rbl_blob_expect(from, p->field ? is_mesh : !is_own || own->polyhedron,
	                "a collider of a body's own is not a convex, or a field has no mesh");
	*hot = (rbl_world_part_hot){ p->collider->polyhedron, body, is_placed, hot->flags };
	world->has_revolutions |= rbl_collider_kind_is_revolution((int)p->collider->kind);
}

static void get_arrays(rbl_snapshot_reader *r)
{
	rbl_blob_reader *from = &r->blob;
	rbl_world *world = r->world;
	if (!rbl_id_pool_load(from, &world->allocator, &world->body_ids, RBL_MAX_BODIES))
		return;
	int count = world->body_ids.slot_count;
	bool ok = rbl_world_reserve_slots(world, count, 0);
	from->out_of_memory |= !ok;
	for (int i = 0; i < count && ok; ++i) { // whatever happens, they can be freed
		world->motions[i].flags = 0;
		world->bodies[i] = (rbl_body){ .first_part = RBL_NONE, .first_joint = RBL_NONE };
	}
	if (!ok)
		rbl_id_pool_free(&world->allocator, &world->body_ids);
	for (int i = 0; i < count && !from->is_bad && !from->out_of_memory; ++i) {
		if (rbl_id_pool_is_live(&world->body_ids, i))
			get_body(r, i);
		else
			world->motions[i].flags = rbl_blob_get32(from) & RBL_BODY_DIRTY;
		world->has_passed |= (world->motions[i].flags & RBL_BODY_PASSED) != 0;
	}
	if (from->is_bad || from->out_of_memory ||
	    !rbl_id_pool_load(from, &world->allocator, &world->part_ids, RBL_MAX_PROXIES))
		return;
	int part_count = world->part_ids.slot_count;
	ok = rbl_world_reserve_slots(world, count, part_count);
	from->out_of_memory |= !ok;
	for (int i = 0; i < part_count && ok; ++i) {
		world->parts[i] = (rbl_world_part){ .collider = NULL, .next = RBL_NONE };
		world->hot_parts[i] = (rbl_world_part_hot){ NULL, 0, 0, 0 };
	}
	if (!ok)
		rbl_id_pool_free(&world->allocator, &world->part_ids);
	for (int i = 0; i < part_count && !from->is_bad && !from->out_of_memory; ++i)
		if (rbl_id_pool_is_live(&world->part_ids, i))
			get_part(r, i);
}

// A part has a valid pose, lies within the bounding radius of its body, and is not thinner than
// the inner radius says.
static bool check_part(const rbl_world *world, int body, int part)
{
	const rbl_world_part *p = &world->parts[part];
	const rbl_polyhedron *polyhedron = world->hot_parts[part].polyhedron;
	bool is_placed = world->hot_parts[part].is_placed;
	rbl_box box = rbl_collider_bounds(p->collider, is_placed ? p->local : rbl_transform_identity());
	float far = rbl_length(rbl_max(rbl_neg(box.lower), box.upper));
	if (polyhedron)
		far = rbl_minf(far, (is_placed ? rbl_length(p->local.position) : 0.0f) +
		                        polyhedron->bounding_radius);
	const float hair = 1e-4f;
	float inner_radius = rbl_world_part_inner_radius(p->collider, p->field);
	return rbl_pose_is_valid(rbl_world_part_pose(world, part)) &&
	       far <= (1.0f + hair) * world->motions[body].bounding_radius &&
	       world->bodies[body].inner_radius <= (1.0f + hair) * inner_radius;
}

// Every part is in the list of its body, once.
static bool check_part_lists(const rbl_world *world)
{
	int left = world->part_ids.live_count;
	RBL_EACH_LIVE (i, &world->body_ids) {
		int count = 0;
		const rbl_body *b = &world->bodies[i];
		for (int p = b->first_part; p != RBL_NONE; p = world->parts[p].next, ++count)
			if (count >= left || p < 0 || p >= world->part_ids.slot_count ||
			    !rbl_id_pool_is_live(&world->part_ids, p) || world->hot_parts[p].body != i ||
			    !check_part(world, i, p))
				return false;
		bool is_surface = count > 0 && !world->hot_parts[b->first_part].polyhedron &&
		                  !world->parts[b->first_part].field;
		if (count != b->part_count || count < 1 || (is_surface && b->kind == RBL_BODY_DYNAMIC))
			return false;
		left -= count;
	}
	return left == 0;
}

// Lists cannot be trusted: free what each array holds, and have no bodies.
static void drop_bodies(rbl_world *world)
{
	for (int i = 0; i < world->part_ids.slot_count; ++i) {
		rbl_destroy_collider((rbl_collider *)(uintptr_t)world->parts[i].collider);
		rbl_destroy_part_field(&world->allocator, world->parts[i].field);
	}
	for (int i = 0; i < world->body_ids.slot_count; ++i) {
		rbl_destroy_compound(world->bodies[i].compound);
		rbl_destroy_asset((rbl_asset *)(uintptr_t)world->bodies[i].asset);
	}
	rbl_world_free_baked_bodies(world);
	rbl_id_pool_free(&world->allocator, &world->part_ids);
	rbl_id_pool_free(&world->allocator, &world->body_ids);
}

bool rbl_snapshot_get_bodies(rbl_snapshot_reader *r)
{
	size_t end = rbl_blob_enter(&r->blob, "BODY");
	get_arrays(r);
	bool ok =
		!r->blob.is_bad && !r->blob.out_of_memory && rbl_blob_leave(&r->blob, end) &&
		rbl_blob_expect(&r->blob, check_part_lists(r->world), "lists of parts are not in order") &&
		rbl_snapshot_check_materials(r);
	if (!ok)
		drop_bodies(r->world);
	return ok;
}

static bool is_frozen_alike(const rbl_world *world, int body)
{
	uint32_t state = rbl_solver_velocities(world->solver)[world->bodies[body].solver_body].state;
	bool is_frozen = world->motions[body].flags & RBL_BODY_FROZEN;
	return is_frozen == !!(state & RBL_SOLVER_IS_FROZEN) &&
	       (!is_frozen || (state & RBL_SOLVER_IS_ASLEEP));
}

bool rbl_snapshot_check_bodies(rbl_snapshot_reader *r)
{
	const rbl_world *world = r->world;
	int count = 0;
	for (int i = 0; world->solver && i < world->body_ids.slot_count; ++i) {
		if (!rbl_id_pool_is_live(&world->body_ids, i))
			continue;
		int body = world->bodies[i].solver_body;
		if (body == RBL_NONE)
			continue;
		count++;
		if (!rbl_blob_expect(&r->blob,
		                     rbl_solver_has_body(world->solver, body) &&
		                         rbl_solver_poses(world->solver)[body].user == (uint32_t)i &&
		                         (int)rbl_solver_body_values(world->solver, body).kind ==
		                             (int)world->bodies[i].kind &&
		                         is_frozen_alike(world, i),
		                     "a body is not the solver's"))
			return false;
	}
	return rbl_blob_expect(&r->blob,
	                       !world->solver || rbl_solver_count(world->solver).bodies == count,
	                       "the solver has other bodies");
}
