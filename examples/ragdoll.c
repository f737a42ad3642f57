// SPDX-License-Identifier: MIT
// Ragdolls tumble down a staircase. Neck, spine, shoulders and hips are ball joints with a cone and a
// twist limit, elbows and knees are hinges with limits, and a soft spring in each pulls back to
// the pose that the doll was made in. Fails when limits give way by more than a few degrees, joints
// open, or a doll stays at the top.
//
//     ragdoll [OUT.glb [WORKERS]]

#include "show.h"

#include <math.h>

enum { DOLLS = 6, STAIRS = 12, STEPS = 600 };
enum {
	PELVIS,
	CHEST,
	HEAD,
	UPPER_ARM_LEFT, // left is z < 0: a doll looks along x
	UPPER_ARM_RIGHT,
	FOREARM_LEFT,
	FOREARM_RIGHT,
	THIGH_LEFT,
	THIGH_RIGHT,
	SHIN_LEFT,
	SHIN_RIGHT,
	BONES
};

static const float DEGREE = 3.14159265f / 180.0f;
static const float TREAD = 0.3f, RISE = 0.22f;
static const rbl_vec3 SKIN = { 0.68f, 0.42f, 0.28f }, TROUSERS = { 0.05f, 0.07f, 0.14f },
					  SHOES = { 0.05f, 0.04f, 0.04f }, STONE = { 0.30f, 0.29f, 0.27f },
					  GROUND = { 0.17f, 0.20f, 0.14f };

// A bone is a capsule, its ends in the coordinates of a doll that stands at the origin. All bodies of
// a doll have these coordinates as their own, so a joint has the same frame on both.
typedef struct bone {
	rbl_vec3 a, b;
	float radius;
	int parent;
	rbl_vec3 joint;     // to the parent
	rbl_vec3 axis;      // of the cone and the twist, or of the hinge
	float cone;         // in degrees; 0: a hinge
	float lower, upper; // of the twist or of the hinge, in degrees
} bone;

// Arms hang 37 degrees off the body, and their elbows bend forward.
// clang-format off
static const bone bones[BONES] = {
	[PELVIS] = { { 0, 0.97f, -0.07f }, { 0, 0.97f, 0.07f }, 0.12f, -1,
		{ 0 }, { 0 }, 0, 0, 0 },
	[CHEST] = { { 0, 1.22f, 0 }, { 0, 1.38f, 0 }, 0.15f, PELVIS,
		{ 0, 1.08f, 0 }, { 0, 1, 0 }, 25, -30, 30 },
	[HEAD] = { { 0, 1.67f, 0 }, { 0.02f, 1.71f, 0 }, 0.11f, CHEST,
		{ 0, 1.54f, 0 }, { 0, 1, 0 }, 35, -60, 60 },
	[UPPER_ARM_LEFT] = { { 0, 1.40f, -0.225f }, { 0, 1.20f, -0.375f }, 0.06f, CHEST,
		{ 0, 1.42f, -0.2f }, { 0, -0.8f, -0.6f }, 75, -60, 60 },
	[UPPER_ARM_RIGHT] = { { 0, 1.40f, 0.225f }, { 0, 1.20f, 0.375f }, 0.06f, CHEST,
		{ 0, 1.42f, 0.2f }, { 0, -0.8f, 0.6f }, 75, -60, 60 },
	[FOREARM_LEFT] = { { 0, 1.16f, -0.395f }, { 0, 0.98f, -0.53f }, 0.052f, UPPER_ARM_LEFT,
		{ 0, 1.18f, -0.38f }, { 0, -0.6f, 0.8f }, 0, 0, 135 },
	[FOREARM_RIGHT] = { { 0, 1.16f, 0.395f }, { 0, 0.98f, 0.53f }, 0.052f, UPPER_ARM_RIGHT,
		{ 0, 1.18f, 0.38f }, { 0, 0.6f, 0.8f }, 0, 0, 135 },
	[THIGH_LEFT] = { { 0, 0.88f, -0.1f }, { 0, 0.56f, -0.1f }, 0.085f, PELVIS,
		{ 0, 0.93f, -0.1f }, { 0.4f, -0.9f, 0 }, 60, -30, 30 },
	[THIGH_RIGHT] = { { 0, 0.88f, 0.1f }, { 0, 0.56f, 0.1f }, 0.085f, PELVIS,
		{ 0, 0.93f, 0.1f }, { 0.4f, -0.9f, 0 }, 60, -30, 30 },
	[SHIN_LEFT] = { { 0, 0.46f, -0.1f }, { 0, 0.14f, -0.1f }, 0.065f, THIGH_LEFT,
		{ 0, 0.51f, -0.1f }, { 0, 0, 1 }, 0, -130, 0 },
	[SHIN_RIGHT] = { { 0, 0.46f, 0.1f }, { 0, 0.14f, 0.1f }, 0.065f, THIGH_RIGHT,
		{ 0, 0.51f, 0.1f }, { 0, 0, 1 }, 0, -130, 0 },
};
// clang-format on

typedef struct doll {
	rbl_body_id bodies[BONES];
	rbl_joint_id joints[BONES];
} doll;

static rbl_joint_def joint_of(const bone *of)
{
	rbl_joint_def def = rbl_default_joint_def(of->cone > 0.0f ? RBL_JOINT_BALL : RBL_JOINT_HINGE);
	def.frame_a = def.frame_b = (rbl_transform){ of->joint, show_turn_z(of->axis) };
	def.has_limits = true;
	def.lower_angle = of->lower * DEGREE, def.upper_angle = of->upper * DEGREE;
	def.has_cone = of->cone > 0.0f;
	def.cone_angle = of->cone * DEGREE;
	def.has_spring = true; // muscles
	def.spring_hertz = 1.0f, def.spring_damping = 0.7f;
	return def;
}

// A shin and its foot are one body of two capsules.
static rbl_body_id add_shin(show *s, rbl_body_def def, const bone *of)
{
	const float radius = 0.05f;
	rbl_vec3 heel = { -0.02f, 0.05f, of->b.z }, toes = { 0.15f, 0.045f, of->b.z };
	rbl_collider_def shin_def = rbl_default_collider_def(RBL_COLLIDER_CAPSULE), foot_def = shin_def;
	shin_def.a = of->a, shin_def.b = of->b, shin_def.radius = of->radius;
	foot_def.a = heel, foot_def.b = toes, foot_def.radius = radius;
	rbl_collider *shin = NULL, *foot = NULL;
	show_check(s,
	           rbl_create_collider(&shin_def, &shin) == RBL_OK &&
	               rbl_create_collider(&foot_def, &foot) == RBL_OK,
	           "no leg");
	rbl_collider_child children[2] = { { .collider = shin, .pose = rbl_transform_identity() },
		                               { .collider = foot, .pose = rbl_transform_identity() } };
	rbl_collider_def leg_def = rbl_default_collider_def(RBL_COLLIDER_COMPOUND);
	leg_def.children = children, leg_def.child_count = 2;
	rbl_body_id body =
		show_add_shape(s, def, &leg_def, show_capsule_mesh(of->a, of->b, of->radius), TROUSERS);
	show_add_part(s, body, show_capsule_mesh(heel, toes, radius), rbl_transform_identity(), SHOES);
	rbl_destroy_collider(shin);
	rbl_destroy_collider(foot);
	return body;
}

static void add_doll(show *s, doll *d, rbl_transform pose, rbl_vec3 velocity, rbl_vec3 spin,
                     rbl_vec3 shirt)
{
	for (int i = 0; i < BONES; ++i) {
		const bone *of = &bones[i];
		bool is_leg = i == PELVIS || (i >= THIGH_LEFT && i <= SHIN_RIGHT);
		rbl_vec3 color = i == CHEST || i == UPPER_ARM_LEFT || i == UPPER_ARM_RIGHT ? shirt
		                 : is_leg                                                  ? TROUSERS
		                                                                           : SKIN;
		rbl_body_def def = show_body_def(RBL_BODY_DYNAMIC, pose, 1000.0f);
		def.material.friction = 0.3f;
		rbl_vec3 middle = rbl_rotate(pose.rotation, rbl_lerp(of->a, of->b, 0.5f));
		def.velocity = rbl_add(velocity, rbl_cross(spin, middle));
		def.angular_velocity = spin;
		d->bodies[i] = i == SHIN_LEFT || i == SHIN_RIGHT
		                   ? add_shin(s, def, of)
		                   : show_add_capsule(s, def, of->a, of->b, of->radius, color);
		if (of->parent >= 0)
			d->joints[i] = show_join(s, joint_of(of), d->bodies[of->parent], d->bodies[i]);
	}
}

// How well joints held so far.
typedef struct record {
	float beyond, gap; // the most: degrees beyond limits, metres that joints are open
	int count, beyond_count, gap_count; // joints looked at; by more than 2 degrees, by 1 cm
} record;

static void measure(const show *s, const doll *d, record *r)
{
	for (int i = 1; i < BONES; ++i) {
		rbl_joint_state state = rbl_joint_get_state(s->world, d->joints[i]);
		float angle = state.angle / DEGREE;
		float beyond = rbl_maxf(0.0f, rbl_maxf(angle - bones[i].upper, bones[i].lower - angle));
		float gap = rbl_distance(state.frame_a.position, state.frame_b.position);
		if (bones[i].cone > 0.0f) {
			const rbl_vec3 z = { 0.0f, 0.0f, 1.0f };
			float cosine = rbl_dot(rbl_rotate(state.frame_a.rotation, z),
			                       rbl_rotate(state.frame_b.rotation, z));
			float swing = acosf(rbl_clampf(cosine, -1.0f, 1.0f)) / DEGREE;
			beyond = rbl_maxf(beyond, swing - bones[i].cone);
		}
		r->beyond = rbl_maxf(r->beyond, beyond), r->gap = rbl_maxf(r->gap, gap);
		r->count++, r->beyond_count += beyond > 2.0f, r->gap_count += gap > 0.01f;
	}
}

static void add_stairs(show *s)
{
	const float width = 4.0f, top = STAIRS * RISE;
	for (int i = 0; i < STAIRS; ++i) {
		float height = top - (float)i * RISE;
		show_add_box(s,
		             show_body_def(RBL_BODY_STATIC,
		                           show_at(((float)i + 0.5f) * TREAD, 0.5f * height, 0.0f), 1.0f),
		             (rbl_vec3){ 0.5f * TREAD, 0.5f * height, 0.5f * width }, STONE);
	}
	show_add_box(s, show_body_def(RBL_BODY_STATIC, show_at(-1.25f, 0.5f * top, 0.0f), 1.0f),
	             (rbl_vec3){ 1.25f, 0.5f * top, 0.5f * width }, STONE);
	show_add_box(s, show_body_def(RBL_BODY_STATIC, show_at(0.0f, -0.5f, 0.0f), 1.0f),
	             (rbl_vec3){ 60.0f, 0.5f, 60.0f }, GROUND);
}

int main(int argc, char **argv)
{
	static const rbl_vec3 shirts[DOLLS] = { { 0.55f, 0.05f, 0.04f }, { 0.03f, 0.20f, 0.45f },
		                                    { 0.70f, 0.45f, 0.03f }, { 0.06f, 0.33f, 0.12f },
		                                    { 0.75f, 0.73f, 0.70f }, { 0.30f, 0.07f, 0.35f } };
	static show s;
	static doll dolls[DOLLS];
	show_open(&s, "ragdoll", argc > 2 ? atoi(argv[2]) : 1);
	add_stairs(&s);
	for (int i = 0; i < DOLLS; ++i) {
		// In two ranks at the top, turned this way and that, and pushed.
		rbl_transform pose = show_at(-0.2f - 0.9f * (float)(i / 3), STAIRS * RISE + 0.01f,
		                             -1.3f + 1.3f * (float)(i % 3));
		pose.rotation =
			rbl_quat_from_axis_angle((rbl_vec3){ 0.0f, 1.0f, 0.0f }, 0.9f * (float)(i % 3 - 1));
		float push = 1.6f + 0.9f * (float)(i / 3);
		add_doll(&s, &dolls[i], pose, (rbl_vec3){ push, 0.5f, 0.0f },
		         (rbl_vec3){ 0.5f * (float)(i % 2), 0.0f, 0.5f * (float)(i % 4) - 0.9f },
		         shirts[i]);
	}
	record r = { 0 };
	float highest = -1e9f;
	for (int i = 0; i < STEPS; ++i) {
		show_step(&s);
		for (int k = 0; k < DOLLS; ++k)
			measure(&s, &dolls[k], &r);
	}
	for (int k = 0; k < DOLLS; ++k)
		highest = rbl_maxf(highest, rbl_body_get_state(s.world, dolls[k].bodies[PELVIS]).centre.y);
	float beyond_share = (float)r.beyond_count / (float)r.count;
	float gap_share = (float)r.gap_count / (float)r.count;
	printf("%d ragdolls of %d bodies fall down %d stairs; the highest lies at %.2f m\n", DOLLS,
	       BONES, STAIRS, (double)highest);
	printf("  limits give way by %.1f degrees at most, by more than 2 in %.2f %% of all cases\n",
	       (double)r.beyond, 100.0 * (double)beyond_share);
	printf("  joints open by %.0f mm at most, by more than 10 in %.2f %% of all cases\n",
	       1000.0 * (double)r.gap, 100.0 * (double)gap_share);
	// The most is chance: where continuous collision puts a limb back, it stays behind for a step.
	show_check(&s, r.beyond < 15.0f && beyond_share < 0.01f, "limits did not hold");
	show_check(&s, r.gap < 0.1f && gap_share < 0.01f, "joints opened");
	show_check(&s, highest < STAIRS * RISE, "a doll stayed at the top");
	const char *path = argc > 1 ? argv[1] : "ragdoll.glb";
	show_picture(&s, path, 1.25f, (rbl_vec3){ 0.75f, 0.3f, 0.9f }, (rbl_vec3){ 0.2f, 0.6f, -1.6f },
	             (rbl_vec3){ 3.2f, 2.6f, 1.6f });
	return show_close(&s, path);
}
