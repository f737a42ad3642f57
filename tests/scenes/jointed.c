// SPDX-License-Identifier: MIT
//
// Scenes of joints.

#include "scenes/jointed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const float pi = 3.14159265f;

static bool open_world(jointed_world *w, int body_capacity, int joint_capacity, int workers)
{
	memset(w, 0, sizeof *w);
	rbl_world_def def = rbl_default_world_def();
	def.can_sleep = false;
	if (workers > 1) {
		rbl_jobs_def jobs = rbl_default_jobs_def();
		jobs.worker_count = workers;
		if (rbl_create_jobs(&jobs, &w->jobs) != RBL_OK)
			return false;
		def.jobs = w->jobs;
	}
	w->bodies = calloc((size_t)body_capacity, sizeof *w->bodies);
	w->joints = calloc((size_t)joint_capacity, sizeof *w->joints);
	return w->bodies && w->joints && rbl_create_world(&def, &w->world) == RBL_OK;
}

void jointed_close(jointed_world *w)
{
	rbl_destroy_world(w->world);
	rbl_destroy_jobs(w->jobs);
	for (int i = 0; i < w->collider_count; ++i)
		rbl_destroy_collider(w->colliders[i]);
	free(w->bodies);
	free(w->joints);
}

static const rbl_collider *add_collider(jointed_world *w, const rbl_collider_def *def)
{
	rbl_collider **at = &w->colliders[w->collider_count];
	if (rbl_create_collider(def, at) != RBL_OK)
		return NULL;
	w->collider_count++;
	return *at;
}

static const rbl_collider *add_ball(jointed_world *w, float radius)
{
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_SPHERE);
	def.radius = radius;
	return add_collider(w, &def);
}

static const rbl_collider *add_box(jointed_world *w, rbl_vec3 half_size)
{
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_BOX);
	def.half_size = half_size;
	return add_collider(w, &def);
}

static int add_body(jointed_world *w, const rbl_collider *collider, rbl_transform pose,
                    float density, bool collides)
{
	rbl_body_def def = rbl_default_body_def();
	def.collider = collider;
	def.pose = pose;
	if (density > 0.0f)
		def.material.density = density;
	else
		def.kind = RBL_BODY_STATIC;
	if (!collides)
		def.filter.mask = 0;
	w->bodies[w->body_count] = rbl_create_body(w->world, &def);
	return w->body_count++;
}

static rbl_transform at(float x, float y, float z)
{
	return (rbl_transform){ { x, y, z }, { 0.0f, 0.0f, 0.0f, 1.0f } };
}

static void join(jointed_world *w, rbl_joint_def *def, int a, int b, rbl_transform frame)
{
	def->body_a = w->bodies[a], def->body_b = w->bodies[b];
	rbl_joint_def_place(w->world, def, frame);
	w->joints[w->joint_count++] = rbl_create_joint(w->world, def);
}

static bool is_complete(const jointed_world *w)
{
	for (int i = 0; i < w->body_count; ++i)
		if (w->bodies[i].generation == 0)
			return false;
	for (int i = 0; i < w->joint_count; ++i)
		if (w->joints[i].generation == 0)
			return false;
	return true;
}

// --- grid ----------------------------------------------------------------------------------------

bool jointed_grid(jointed_world *w, int side, int workers)
{
	if (!open_world(w, side * side, 2 * side * side + 16, workers))
		return false;
	const rbl_collider *ball = add_ball(w, 0.4f);
	rbl_joint_def joint = rbl_default_joint_def(RBL_JOINT_BALL);
	for (int i = 0; i < side * side; ++i) {
		int row = i / side, column = i % side;
		float x = (float)column, y = (float)-row;
		add_body(w, ball, at(x, y, 0.0f), row > 0 ? 1000.0f : 0.0f, false);
		if (column > 0 && row > 0)
			join(w, &joint, i - 1, i, at(x - 0.5f, y, 0.0f));
		if (row > 0)
			join(w, &joint, i - side, i, at(x, y + 0.5f, 0.0f));
	}
	return is_complete(w);
}

// --- ragdolls ------------------------------------------------------------------------------------

enum { BONES = 11 };

typedef struct bone {
	rbl_vec3 from, to; // of its capsule
	float radius;
	int parent;
	bool is_hinge; // to the parent, at `from`
} bone;

static const bone bones[BONES] = {
	{ { 0.0f, 0.95f, 0.0f }, { 0.0f, 1.05f, 0.0f }, 0.12f, -1, false },  // pelvis
	{ { 0.0f, 1.15f, 0.0f }, { 0.0f, 1.45f, 0.0f }, 0.14f, 0, false },   // torso
	{ { 0.0f, 1.62f, 0.0f }, { 0.0f, 1.75f, 0.0f }, 0.10f, 1, false },   // head
	{ { 0.20f, 1.45f, 0.0f }, { 0.46f, 1.45f, 0.0f }, 0.05f, 1, false }, // upper arms
	{ { -0.20f, 1.45f, 0.0f }, { -0.46f, 1.45f, 0.0f }, 0.05f, 1, false },
	{ { 0.50f, 1.45f, 0.0f }, { 0.76f, 1.45f, 0.0f }, 0.04f, 3, true }, // forearms
	{ { -0.50f, 1.45f, 0.0f }, { -0.76f, 1.45f, 0.0f }, 0.04f, 4, true },
	{ { 0.10f, 0.88f, 0.0f }, { 0.10f, 0.55f, 0.0f }, 0.07f, 0, false }, // thighs
	{ { -0.10f, 0.88f, 0.0f }, { -0.10f, 0.55f, 0.0f }, 0.07f, 0, false },
	{ { 0.10f, 0.48f, 0.0f }, { 0.10f, 0.12f, 0.0f }, 0.06f, 7, true }, // shins
	{ { -0.10f, 0.48f, 0.0f }, { -0.10f, 0.12f, 0.0f }, 0.06f, 8, true },
};

bool jointed_ragdolls(jointed_world *w, int count, int workers)
{
	if (!open_world(w, count * BONES + 1, count * (BONES - 1), workers))
		return false;
	const rbl_collider *floor = add_box(w, (rbl_vec3){ 100.0f, 1.0f, 100.0f });
	const rbl_collider *colliders[BONES];
	for (int i = 0; i < BONES; ++i) {
		rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_CAPSULE);
		def.a = bones[i].from, def.b = bones[i].to, def.radius = bones[i].radius;
		colliders[i] = add_collider(w, &def);
	}
	add_body(w, floor, at(0.0f, -1.0f, 0.0f), 0.0f, true);
	int side = (int)ceilf(sqrtf((float)count));
	for (int i = 0; i < count; ++i) {
		int first = w->body_count;
		rbl_transform pose = at(2.0f * (float)(i % side - side / 2), 0.5f + 0.2f * (float)(i % 3),
		                        2.0f * (float)(i / side - side / 2));
		for (int k = 0; k < BONES; ++k) {
			const bone *b = &bones[k];
			add_body(w, colliders[k], pose, 1000.0f, true);
			if (b->parent < 0)
				continue;
			rbl_joint_def joint =
				rbl_default_joint_def(b->is_hinge ? RBL_JOINT_HINGE : RBL_JOINT_BALL);
			if (b->is_hinge) { // elbows and knees bend about z
				joint.has_limits = true;
				joint.lower_angle = k == 5 ? 0.0f : -2.0f, joint.upper_angle = k == 5 ? 2.0f : 0.0f;
			}
			rbl_transform frame = pose;
			frame.position.x += b->from.x, frame.position.y += b->from.y;
			join(w, &joint, first + b->parent, first + k, frame);
		}
	}
	return is_complete(w);
}

// --- chains and beams ----------------------------------------------------------------------------

bool jointed_chain(jointed_world *w, int link_count, float mass_ratio, bool is_level)
{
	if (!open_world(w, link_count + 2, link_count + 2, 1))
		return false;
	const float link = 0.5f, radius = 0.5f, density = 1000.0f;
	rbl_vec3 half =
		is_level ? (rbl_vec3){ 0.5f * link, 0.1f, 0.1f } : (rbl_vec3){ 0.1f, 0.5f * link, 0.1f };
	const rbl_collider *box = add_box(w, half), *ball = add_ball(w, radius);
	float x = is_level ? 1.0f : 0.0f, y = is_level ? 0.0f : -1.0f;
	float ball_density = mass_ratio * density * 8.0f * half.x * half.y * half.z /
	                     (4.0f / 3.0f * pi * radius * radius * radius);
	rbl_joint_def joint = rbl_default_joint_def(RBL_JOINT_BALL);
	add_body(w, box, at(-0.5f * link * x, -0.5f * link * y, 0.0f), 0.0f, false);
	for (int i = 0; i < link_count; ++i) {
		float middle = link * ((float)i + 0.5f), top = link * (float)i;
		add_body(w, box, at(x * middle, y * middle, 0.0f), density, false);
		join(w, &joint, i, i + 1, at(x * top, y * top, 0.0f));
	}
	float end = link * (float)link_count;
	w->length = end + radius;
	add_body(w, ball, at(x * w->length, y * w->length, 0.0f), ball_density, false);
	join(w, &joint, link_count, link_count + 1, at(x * end, y * end, 0.0f));
	return is_complete(w);
}

bool jointed_beam(jointed_world *w, int count, float end_ratio)
{
	if (!open_world(w, count + 1, count, 1))
		return false;
	const rbl_collider *box = add_box(w, (rbl_vec3){ 0.25f, 0.1f, 0.1f });
	rbl_joint_def joint = rbl_default_joint_def(RBL_JOINT_WELD);
	add_body(w, box, at(-0.25f, 0.0f, 0.0f), 0.0f, false);
	for (int i = 0; i < count; ++i) {
		float density = i == count - 1 ? 1000.0f * end_ratio : 1000.0f;
		add_body(w, box, at(0.5f * (float)i + 0.25f, 0.0f, 0.0f), density, false);
		join(w, &joint, i, i + 1, at(0.5f * (float)i, 0.0f, 0.0f));
	}
	w->length = 0.5f * (float)count - 0.25f;
	return is_complete(w);
}

// --- measuring -----------------------------------------------------------------------------------

float jointed_worst_gap(const jointed_world *w)
{
	float worst = 0.0f;
	for (int i = 0; i < w->joint_count; ++i) {
		if (!rbl_joint_exists(w->world, w->joints[i]))
			continue;
		rbl_joint_state state = rbl_joint_get_state(w->world, w->joints[i]);
		rbl_vec3 a = state.frame_a.position, b = state.frame_b.position;
		rbl_vec3 d = { b.x - a.x, b.y - a.y, b.z - a.z };
		worst = fmaxf(worst, sqrtf(d.x * d.x + d.y * d.y + d.z * d.z));
	}
	return worst;
}

rbl_vec3 jointed_end(const jointed_world *w)
{
	return rbl_body_pose(w->world, w->bodies[w->body_count - 1]).position;
}
