// SPDX-License-Identifier: MIT
//
// Bodies and joints that callbacks of a step request.
//
// A request gets a promised id, which nobody else can take, and is kept with copies of what the
// definition points to. When the step is over they are made in the order of the calls, bodies
// first, before anything breaks. Until then nothing of them is in the world, so that no array
// moves under the step.

#include "world/world.h"

#include "base/log.h"
#include "fracture/fracture.h"
#include "geometry/geometry.h"
#include "world/recording.h"

static rbl_result copy_mesh(rbl_world *world, const rbl_mesh *mesh, rbl_mesh **copy)
{
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = rbl_mesh_get_data(mesh);
	def.allocator = world->allocator;
	return rbl_create_mesh(&def, copy);
}

static rbl_result copy_shapes(rbl_world *world, const rbl_body_def *def, rbl_queued_body *q)
{
	rbl_result result = RBL_OK;
	if (def->convex)
		result = rbl_convex_copy(def->convex, &world->allocator, &q->convex);
	if (result == RBL_OK && def->mesh)
		result = copy_mesh(world, def->mesh, &q->mesh);
	if (result == RBL_OK)
		result = rbl_world_hold_field(world, rbl_body_def_original(def));
	q->def.convex = q->convex;
	q->def.mesh = q->mesh;
	return result;
}

static void free_queued(rbl_queued_body *q)
{
	rbl_destroy_convex(q->convex);
	rbl_destroy_mesh(q->mesh);
}

static void share(const rbl_body_def *def)
{
	if (def->collider)
		rbl_collider_share(def->collider);
	if (def->asset)
		rbl_asset_share(def->asset);
	rbl_material_share(def->shared_material);
}

static void unshare(const rbl_body_def *def)
{
	rbl_destroy_collider((rbl_collider *)(uintptr_t)def->collider);
	rbl_destroy_asset((rbl_asset *)(uintptr_t)def->asset);
	rbl_material_unshare(def->shared_material);
}

rbl_body_id rbl_world_queue_body(rbl_world *world, const rbl_body_def *def, bool is_new)
{
	const rbl_body_id none = { 0, 0 };
	if (world->is_in_callback) {
		rbl_fail(RBL_BAD_ARGUMENT, "a log or a recording is being written");
		return none;
	}
	if (rbl_world_check_body_def(def) != RBL_OK)
		return none;
	rbl_queued_body q = { .def = *def, .is_new = is_new };
	if (def->mass)
		q.mass = *def->mass;
	rbl_id id = { 0, 0 };
	rbl_result result = copy_shapes(world, def, &q);
	if (result == RBL_OK && !rbl_array_extend(&world->allocator, &world->queued_bodies, 1))
		result = RBL_OUT_OF_MEMORY;
	if (result == RBL_OK) {
		id = rbl_id_pool_promise(&world->allocator, &world->body_ids);
		result = id.generation != 0 ? RBL_OK : RBL_OUT_OF_MEMORY;
	}
	if (result != RBL_OK) {
		free_queued(&q);
		rbl_fail(result, "no memory for a body");
		return none;
	}
	q.id = (rbl_body_id){ id.index, id.generation };
	share(def);
	world->queued_bodies.data[world->queued_bodies.count++] = q;
	rbl_record_bodies(world, is_new ? RBL_CREATE_BATCH : RBL_CREATE_ONE, none, def, 1, &q.id);
	return q.id;
}

rbl_joint_id rbl_world_queue_joint(rbl_world *world, const rbl_joint_def *def)
{
	const rbl_joint_id none = { 0, 0 };
	if (world->is_in_callback) {
		rbl_fail(RBL_BAD_ARGUMENT, "a log or a recording is being written");
		return none;
	}
	rbl_id id = { 0, 0 };
	if (rbl_array_extend(&world->allocator, &world->queued_joints, 1))
		id = rbl_id_pool_promise(&world->allocator, &world->joint_ids);
	if (id.generation == 0) {
		rbl_fail(RBL_OUT_OF_MEMORY, "no memory for a joint");
		return none;
	}
	rbl_queued_joint q = { *def, { id.index, id.generation } };
	world->queued_joints.data[world->queued_joints.count++] = q;
	rbl_record_joint(world, def, q.id);
	return q.id;
}

bool rbl_world_is_promised(const rbl_world *world, rbl_body_id id)
{
	for (int i = 0; i < world->queued_bodies.count; ++i)
		if (world->queued_bodies.data[i].id.index == id.index &&
		    world->queued_bodies.data[i].id.generation == id.generation)
			return true;
	return false;
}

// Slots that were never used are beyond the arrays. Without memory for them no promise is kept.
static void reserve_promised(rbl_world *world)
{
	int count = world->queued_bodies.count;
	if (count == 0)
		return;
	bool ok =
		rbl_world_reserve_slots(world, world->body_ids.slot_count, world->part_ids.slot_count);
	for (int i = count - 1; i >= 0; --i) {
		rbl_queued_body *q = &world->queued_bodies.data[i];
		if (ok && q->id.generation == 1)
			world->motions[q->id.index].flags = 0;
		if (ok)
			continue;
		rbl_id_pool_break_promise(&world->body_ids, (rbl_id){ q->id.index, q->id.generation });
		rbl_destroy_compound(q->def.compound);
		free_queued(q);
		unshare(&q->def);
	}
	if (!ok) {
		world->stats.lost_count += count;
		world->queued_bodies.count = 0;
	}
}

void rbl_world_keep_promises(rbl_world *world)
{
	reserve_promised(world);
	for (int i = 0; i < world->queued_bodies.count; ++i) {
		rbl_queued_body *q = &world->queued_bodies.data[i];
		if (q->def.mass)
			q->def.mass = &q->mass;
		rbl_result result = rbl_world_create_promised_body(world, &q->def, q->is_new, q->id);
		world->stats.lost_count += result != RBL_OK;
		if (result != RBL_OK)
			rbl_destroy_compound(q->def.compound); // it was the world's already
		free_queued(q);
		unshare(&q->def);
	}
	world->queued_bodies.count = 0;
	for (int i = 0; i < world->queued_joints.count; ++i) {
		const rbl_queued_joint *q = &world->queued_joints.data[i];
		rbl_result result = rbl_world_create_promised_joint(world, &q->def, q->id);
		world->stats.lost_count += result != RBL_OK;
	}
	world->queued_joints.count = 0;
}
