// SPDX-License-Identifier: MIT
// A crane lifts a wrecking ball on a chain, a thousand times as heavy as a link, slews, and swings it
// into a brick wall that breaks. Two hinges with motors move the crane; all of it, down to the ball, is
// one tree of joints, and the wall is a prepared mesh with a damage rule. Fails when the chain
// stretches by more than 2 %, the ball is not lifted, or the wall stands.
//
//     crane [OUT.glb [WORKERS]]

#include "show.h"

enum { LINKS = 13, STEPS = 600 };

static const float BOOM = 13.0f, LINK = 0.5f, BALL_RADIUS = 0.5f;
static const rbl_vec3 PIVOT = { 1.0f, 1.6f, 0.0f }; // where the boom is hinged to the deck
static const float DEGREE = 3.14159265f / 180.0f;
static const rbl_vec3 YELLOW = { 0.80f, 0.47f, 0.03f }, STEEL = { 0.10f, 0.11f, 0.12f },
					  GLASS = { 0.10f, 0.20f, 0.26f }, GROUND = { 0.33f, 0.31f, 0.27f };

typedef struct crane {
	rbl_body_id deck, boom, ball;
	rbl_joint_id slew, luff, chain[LINKS + 1];
	rbl_vec3 hook; // where the chain begins
	float link_mass;
} crane;

// A joint at a frame of the world.
static rbl_joint_id join(show *s, rbl_joint_def def, rbl_body_id a, rbl_body_id b,
                         rbl_transform frame)
{
	def.body_a = a, def.body_b = b;
	show_check(s, rbl_joint_def_place(s->world, &def, frame) == RBL_OK, "no frame");
	return show_join(s, def, a, b);
}

// A bar from one point to another, seen on a body.
static void add_bar(show *s, rbl_body_id body, rbl_vec3 from, rbl_vec3 to, float thickness)
{
	rbl_vec3 half = { thickness, thickness, 0.5f * rbl_distance(from, to) };
	rbl_transform pose = { rbl_lerp(from, to, 0.5f), show_turn_z(rbl_sub(to, from)) };
	show_add_part(s, body, show_box_mesh(half), pose, YELLOW);
}

// A boom along x, of four chords with braces between them, that tapers towards its tip.
static void add_lattice(show *s, rbl_body_id boom)
{
	enum { BAYS = 12 };
	static const float corners[4][2] = { { 1, 1 }, { 1, -1 }, { -1, -1 }, { -1, 1 } };
	for (int i = 0; i < BAYS; ++i) {
		float x[2], r[2];
		for (int k = 0; k < 2; ++k) {
			float t = (float)(i + k) / BAYS;
			x[k] = (t - 0.5f) * BOOM;
			r[k] = t < 0.25f ? 0.1f + 1.4f * t : 0.45f - 0.45f * (t - 0.25f);
		}
		for (int k = 0; k < 4; ++k) {
			const float *a = corners[k], *b = corners[(k + 1) % 4];
			rbl_vec3 from = { x[0], r[0] * a[0], r[0] * a[1] };
			add_bar(s, boom, from, (rbl_vec3){ x[1], r[1] * a[0], r[1] * a[1] }, 0.05f);
			add_bar(s, boom, from, (rbl_vec3){ x[1], r[1] * b[0], r[1] * b[1] }, 0.025f);
		}
	}
}

// Tracks that stand still, a deck that slews on them, a boom hinged to it.
static void add_machine(show *s, crane *c)
{
	const float angle = 27.5f * DEGREE; // of the boom at first: the ball stands on the ground
	rbl_body_id tracks =
		show_add_box(s, show_body_def(RBL_BODY_STATIC, show_at(0.0f, 0.45f, 0.0f), 1000.0f),
	                 (rbl_vec3){ 1.2f, 0.2f, 1.2f }, STEEL);
	for (int side = -1; side <= 1; side += 2)
		show_add_part(s, tracks, show_box_mesh((rbl_vec3){ 2.3f, 0.4f, 0.35f }),
		              show_at(0.0f, 0.0f, 1.5f * (float)side), STEEL);
	c->deck = show_add_box(s, show_body_def(RBL_BODY_DYNAMIC, show_at(-0.6f, 1.2f, 0.0f), 4000.0f),
	                       (rbl_vec3){ 2.2f, 0.4f, 1.3f }, YELLOW);
	show_add_part(s, c->deck, show_box_mesh((rbl_vec3){ 0.7f, 0.8f, 0.5f }),
	              show_at(1.2f, 1.0f, 0.85f), GLASS);
	show_add_part(s, c->deck, show_box_mesh((rbl_vec3){ 0.8f, 0.75f, 1.35f }),
	              show_at(-1.7f, 0.75f, 0.0f), STEEL);

	rbl_quat tilt = rbl_quat_from_axis_angle((rbl_vec3){ 0.0f, 0.0f, 1.0f }, angle);
	rbl_vec3 along = rbl_rotate(tilt, (rbl_vec3){ 1.0f, 0.0f, 0.0f });
	rbl_transform pose = { rbl_add_scaled(PIVOT, 0.5f * BOOM, along), tilt };
	rbl_collider_def shape = rbl_default_collider_def(RBL_COLLIDER_BOX);
	shape.half_size = (rbl_vec3){ 0.5f * BOOM, 0.2f, 0.2f };
	c->boom = show_add_shape(s, show_body_def(RBL_BODY_DYNAMIC, pose, 1500.0f), &shape,
	                         show_box_mesh((rbl_vec3){ 0.05f, 0.05f, 0.05f }), YELLOW);
	add_lattice(s, c->boom);
	c->hook = rbl_add_scaled(PIVOT, BOOM, along);

	// The axis of a hinge is z of its frame: that of the deck is turned upright.
	rbl_joint_def hinge = rbl_default_joint_def(RBL_JOINT_HINGE);
	hinge.has_motor = true;
	hinge.motor_torque = 5e6f;
	rbl_quat upright = rbl_quat_from_axis_angle((rbl_vec3){ 1.0f, 0.0f, 0.0f }, -90.0f * DEGREE);
	c->slew = join(s, hinge, tracks, c->deck, (rbl_transform){ { 0.0f, 0.8f, 0.0f }, upright });
	c->luff = join(s, hinge, c->deck, c->boom, (rbl_transform){ PIVOT, tilt });
}

static void add_chain(show *s, crane *c)
{
	const float ball_density = 7800.0f, link_radius = 0.04f;
	rbl_vec3 top = { 0.0f, 0.5f * LINK - link_radius, 0.0f }, at = c->hook;
	rbl_body_id last = c->boom;
	rbl_joint_def ball_joint = rbl_default_joint_def(RBL_JOINT_BALL);
	float ball_mass = ball_density * 4.18879f * BALL_RADIUS * BALL_RADIUS * BALL_RADIUS;
	for (int i = 0; i < LINKS; ++i, at.y -= LINK) {
		// A capsule of a thousandth of the ball's mass.
		float volume = 3.14159265f * link_radius * link_radius *
		               (LINK - 2.0f * link_radius + 4.0f / 3.0f * link_radius);
		rbl_body_def def = show_body_def(RBL_BODY_DYNAMIC, show_at(at.x, at.y - 0.5f * LINK, at.z),
		                                 0.001f * ball_mass / volume);
		rbl_body_id link = show_add_capsule(s, def, rbl_neg(top), top, link_radius, STEEL);
		c->chain[i] = join(s, ball_joint, last, link, (rbl_transform){ at, rbl_quat_identity() });
		c->link_mass = rbl_body_get_mass(s->world, link).mass;
		last = link;
	}
	rbl_transform pose = { { at.x, at.y - BALL_RADIUS, at.z }, rbl_quat_identity() };
	c->ball =
		show_add_sphere(s, show_body_def(RBL_BODY_DYNAMIC, pose, ball_density), BALL_RADIUS, STEEL);
	c->chain[LINKS] =
		join(s, ball_joint, last, c->ball, (rbl_transform){ at, rbl_quat_identity() });
}

// A hinge that goes to an angle, slower as it comes near.
static void turn_to(show *s, rbl_joint_id joint, float angle, float speed)
{
	float error = angle - rbl_joint_get_state(s->world, joint).angle;
	rbl_joint_set_motor(s->world, joint, rbl_clampf(2.0f * error, -speed, speed), 5e6f);
}

// By how much of its length the chain is longer than it should be: the gaps of its joints.
static float stretch_of(const show *s, const crane *c)
{
	float sum = 0.0f;
	for (int i = 0; i <= LINKS; ++i) {
		rbl_joint_state state = rbl_joint_get_state(s->world, c->chain[i]);
		sum += rbl_distance(state.frame_a.position, state.frame_b.position);
	}
	return sum / (LINKS * LINK);
}

int main(int argc, char **argv)
{
	static show s;
	crane c = { 0 };
	show_open(&s, "crane", argc > 2 ? atoi(argv[2]) : 1);

	rbl_pattern_def pattern_def = rbl_default_pattern_def();
	pattern_def.kind = RBL_PATTERN_IMPACT;
	pattern_def.size = (rbl_vec3d){ 4.0, 4.0, 4.0 };
	pattern_def.cell_count = 60;
	rbl_pattern *pattern = NULL;
	show_check(&s, rbl_create_pattern(&pattern_def, &pattern) == RBL_OK, "no pattern");
	rbl_damage_level level = { .energy = 1500.0, .pattern = pattern, .radius = 0.7 };
	rbl_material_def brick = rbl_default_material_def();
	brick.damage.levels = &level, brick.damage.level_count = 1;
	brick.damage.min_size = 0.25;
	brick.damage.dust_size = 0.03;
	brick.strengths = (rbl_bond_strengths){ .tension = 3e5, .shear = 6e5, .compression = 3e6 };

	show_add_box(&s, show_body_def(RBL_BODY_STATIC, show_at(4.0f, -0.5f, 0.0f), 1000.0f),
	             (rbl_vec3){ 80.0f, 0.5f, 80.0f }, GROUND);
	add_machine(&s, &c);
	add_chain(&s, &c);
	rbl_quat round = rbl_quat_from_axis_angle((rbl_vec3){ 0.0f, 1.0f, 0.0f }, 45.0f * DEGREE);
	rbl_vec3 away = rbl_rotate(round, (rbl_vec3){ 14.5f, 0.0f, 0.0f });
	rbl_brick_wall_def wall_def = rbl_default_brick_wall_def();
	wall_def.width = 9.0, wall_def.height = 6.5;
	wall_def.brick = (rbl_vec3d){ 0.5, 0.25, 0.3 };
	rbl_body_def def = show_body_def(RBL_BODY_DYNAMIC, (rbl_transform){ away, round }, 1800.0f);
	brick.values = def.material;
	rbl_material *bricks = NULL;
	show_check(&s, rbl_create_material(&brick, &bricks) == RBL_OK, "no material");
	def.shared_material = bricks;
	show_add_wall(&s, def, &wall_def);

	float stretch = 0.0f, lift = 0.0f, speed = 0.0f;
	for (int i = 0; i < STEPS; ++i) {
		float time = (float)i * SHOW_DT;
		// Away from the wall while the boom goes up, then round to the wall and past it.
		turn_to(&s, c.luff, time < 0.5f ? 0.0f : 8.0f * DEGREE, 0.12f);
		turn_to(&s, c.slew, (time < 4.0f ? -15.0f : 75.0f) * DEGREE, time < 4.0f ? 0.25f : 0.5f);
		show_step(&s);

		rbl_vec3 ball = rbl_body_pose(s.world, c.ball).position;
		stretch = rbl_maxf(stretch, stretch_of(&s, &c));
		lift = rbl_maxf(lift, ball.y - BALL_RADIUS);
		speed = rbl_maxf(speed, rbl_length(rbl_body_velocity(s.world, c.ball)));
	}
	printf("A ball of %.0f kg on links of %.2f kg: lifted by %.1f m, %.1f m/s at most\n",
	       (double)rbl_body_get_mass(s.world, c.ball).mass, (double)c.link_mass, (double)lift,
	       (double)speed);
	printf("  the chain stretched by %.2f %% at most; %d fragments came off the wall\n",
	       100.0 * (double)stretch, s.fragment_count);
	show_check(&s, stretch < 0.02f, "the chain stretched by more than 2 %");
	show_check(&s, lift > 2.0f, "the ball was not lifted");
	show_check(&s, s.fragment_count > 100, "the wall did not break");
	const char *path = argc > 1 ? argv[1] : "crane.glb";
	show_picture(&s, path, 8.3f, (rbl_vec3){ -0.1f, 0.22f, -0.9f },
	             (rbl_vec3){ -1.0f, 0.5f, -13.0f }, (rbl_vec3){ 15.0f, 7.5f, -1.0f });
	int result = show_close(&s, path);
	rbl_destroy_material(bricks);
	rbl_destroy_pattern(pattern);
	return result;
}
