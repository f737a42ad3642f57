// SPDX-License-Identifier: MIT
// A character mover on top of the queries: a capsule that slides along walls, climbs steps, walks up
// slopes and slides down steep ones, stays on the ground, rides on what moves, pushes what is loose,
// and jumps. It is no body: it asks the world what is in its way, and moves by itself.
//
// Three of them walk a course: stairs, a ramp, a gap, a platform that moves, a crate, a slope that is
// too steep to stand on, a slanted wall, and a slope that is too steep to climb. Fails when one of them does
// not arrive, sinks into something, slips on the platform, or climbs what it should not.
//
//     character [OUT.glb [WORKERS]]

#include "show.h"

#include <math.h>

// --- the mover ----------------------------------------------------------------------------------

static const float RADIUS = 0.3f, HEIGHT = 1.8f; // of the capsule, which stands on its position
static const float SKIN = 0.01f;                 // distance that it keeps from everything
static const float STEP = 0.35f;                 // height that it climbs
static const float SLOPE = 0.64f;                // least y of a normal to stand on: 50 degrees
static const float MASS = 80.0f, PUSH = 900.0f;  // kilograms; the most force that it pushes with
static const float GRAVITY = 9.81f;

typedef struct mover {
	const rbl_collider *capsule;
	rbl_world *world;
	rbl_vec3 position; // of its feet
	rbl_vec3 velocity; // by itself: that of the ground comes on top

	// What it stands on; null in the air and on what is too steep.
	rbl_body_id ground;
	rbl_vec3 ground_point, ground_normal;
} mover;

static rbl_transform pose_of(const mover *m)
{
	return (rbl_transform){ m->position, rbl_quat_identity() };
}

static bool is_grounded(const mover *m)
{
	return !rbl_body_id_is_null(m->ground);
}

// The way out of everything that is nearer than the skin.
static void recover(mover *m)
{
	rbl_world_hit near[8];
	rbl_vec3 out = { 0.0f, 0.0f, 0.0f };
	int count =
		rbl_world_find_nearest(m->world, m->capsule, pose_of(m), 0.5f * SKIN, NULL, near, 8);
	for (int i = 0; i < count; ++i) {
		float distance = near[i].distance + rbl_dot(out, near[i].normal); // after what came before
		out = rbl_add_scaled(out, rbl_maxf(0.0f, SKIN - distance), near[i].normal);
	}
	m->position = rbl_add(m->position, out);
}

// Push what is in the way, as a blow would but with no more than its strength, and lose the speed
// that leads into it.
static void push(mover *m, const rbl_world_hit *hit, rbl_vec3 normal, bool pushes, float dt)
{
	float mass = rbl_body_get_mass(m->world, hit->body).mass; // 0: nothing moves it
	rbl_vec3 surface = rbl_body_velocity_at(m->world, hit->body, hit->point);
	float speed = -rbl_dot(rbl_sub(m->velocity, surface), normal);
	if (speed <= 0.0f)
		return;
	if (pushes && mass > 0.0f && hit->normal.y < SLOPE) {
		float impulse = rbl_minf(speed * mass * MASS / (mass + MASS), PUSH * dt);
		rbl_body_add_impulse(m->world, hit->body, rbl_scale(-impulse, normal), hit->point);
		speed -= impulse / mass;
	}
	m->velocity = rbl_add_scaled(m->velocity, rbl_maxf(speed, 0.0f), normal);
}

// Take from a motion what leads into the planes that it met; between two it follows their crease.
static rbl_vec3 clip_motion(rbl_vec3 motion, const rbl_vec3 *planes, int count)
{
	for (int i = 0; i < count; ++i) {
		float into = rbl_dot(motion, planes[i]);
		if (into >= 0.0f)
			continue;
		motion = rbl_add_scaled(motion, -into, planes[i]);
		for (int k = 0; k < count; ++k) {
			if (k == i || rbl_dot(motion, planes[k]) > -1e-6f)
				continue;
			rbl_vec3 crease = rbl_normalize(rbl_cross(planes[i], planes[k]));
			motion = rbl_scale(rbl_dot(motion, crease), crease);
		}
	}
	return motion;
}

// Move, and slide along what is in the way. @return whether something steep was
static bool slide(mover *m, rbl_vec3 motion, bool pushes, float dt)
{
	enum { MAX_PLANES = 5 };
	rbl_vec3 planes[MAX_PLANES];
	bool is_blocked = false;
	for (int count = 0; count < MAX_PLANES; ++count) {
		float length = rbl_length(motion);
		if (length < 1e-6f)
			break;
		rbl_vec3 direction = rbl_scale(1.0f / length, motion);
		rbl_vec3 ahead = rbl_scale(length + 2.0f * SKIN, direction);
		rbl_world_hit hit;
		if (!rbl_world_cast_collider(m->world, m->capsule, pose_of(m), ahead, NULL, &hit)) {
			m->position = rbl_add(m->position, motion);
			break;
		}
		// As far as leaves a skin between the two.
		float cosine = rbl_maxf(-rbl_dot(direction, hit.normal), 0.1f);
		float way = rbl_clampf(hit.fraction * (length + 2.0f * SKIN) - SKIN / cosine, 0.0f, length);
		m->position = rbl_add_scaled(m->position, way, direction);
		motion = rbl_scale(length - way, direction);
		if (hit.fraction * (length + 2.0f * SKIN) > length + SKIN / cosine)
			break;
		bool is_steep = hit.normal.y < SLOPE;
		is_blocked = is_blocked || is_steep;
		planes[count] = hit.normal;
		if (is_steep && is_grounded(m) && hit.normal.y > 0.0f) // walking does not climb these
			planes[count] = rbl_normalize((rbl_vec3){ hit.normal.x, 0.0f, hit.normal.z });
		if (is_steep || !is_grounded(m))
			push(m, &hit, planes[count], pushes, dt);
		motion = clip_motion(motion, planes, count + 1);
	}
	return is_blocked;
}

// The normal of what it would stand on. The round end of a capsule meets an edge with a slanted one;
// a ray down from beside the edge sees the face.
static rbl_vec3 normal_below(const mover *m, const rbl_world_hit *hit)
{
	rbl_vec3 inward = rbl_normalize((rbl_vec3){ -hit->normal.x, 0.0f, -hit->normal.z });
	rbl_vec3 from = rbl_add_scaled(hit->point, 0.02f, inward), down = { 0.0f, -0.06f, 0.0f };
	rbl_world_hit face;
	from.y += 0.03f;
	bool is_face = rbl_world_cast_ray(m->world, from, down, NULL, &face) && face.fraction > 0.0f;
	return is_face && face.normal.y > hit->normal.y ? face.normal : hit->normal;
}

// Over a step: up, along, and down again; kept when it leads farther than the way along the ground.
static void climb(mover *m, const mover *before, rbl_vec3 motion, float dt)
{
	mover high = *before;
	rbl_vec3 from = before->position;
	slide(&high, (rbl_vec3){ 0.0f, STEP, 0.0f }, false, dt);
	float lifted = high.position.y - from.y;
	slide(&high, motion, false, dt);
	rbl_world_hit hit;
	rbl_vec3 down = { 0.0f, -lifted - SKIN, 0.0f };
	if (!rbl_world_cast_collider(m->world, m->capsule, pose_of(&high), down, NULL, &hit) ||
	    normal_below(m, &hit).y < SLOPE)
		return;
	high.position.y += hit.fraction * down.y + SKIN;
	float low_way = rbl_dot(rbl_sub(m->position, from), motion);
	float high_way = rbl_dot(rbl_sub(high.position, from), motion);
	if (high_way > low_way + 1e-6f)
		*m = high;
}

// What a mover stands on, from a cast of its capsule down. One that was on the ground, and did not
// jump, goes down with it: over stairs, and where a slope begins.
static void land(mover *m, const rbl_world_hit *hit, float depth, bool was_grounded)
{
	m->ground = (rbl_body_id){ 0 };
	if (rbl_body_id_is_null(hit->body) || m->velocity.y > 0.1f)
		return;
	float gap = hit->fraction * depth;
	rbl_vec3 normal = normal_below(m, hit);
	if (normal.y < SLOPE || (!was_grounded && gap > 2.0f * SKIN))
		return;
	m->position.y -= gap - SKIN;
	m->velocity.y = 0.0f;
	m->ground = hit->body;
	m->ground_point = hit->point;
	m->ground_normal = normal;
	const rbl_vec3 weight = { 0.0f, -MASS * GRAVITY, 0.0f };
	if (rbl_body_get_mass(m->world, hit->body).mass > 0.0f) // it weighs on what it stands on
		rbl_body_add_force(m->world, hit->body, weight, hit->point);
}

// Move some characters by a step, after the world's own.
static void move_all(rbl_world *world, mover *movers, const rbl_vec3 *wishes, const bool *jumps,
                     int count, float dt)
{
	enum { MAX_MOVERS = 64 };
	rbl_collider_cast casts[MAX_MOVERS];
	rbl_world_hit hits[MAX_MOVERS];
	bool was_grounded[MAX_MOVERS];
	count = rbl_mini(count, MAX_MOVERS);
	for (int i = 0; i < count; ++i) {
		mover *m = &movers[i];
		recover(m);
		if (is_grounded(m) && rbl_body_exists(world, m->ground)) // ride
			slide(m, rbl_scale(dt, rbl_body_velocity_at(world, m->ground, m->ground_point)), false,
			      dt);
		was_grounded[i] = is_grounded(m) && !jumps[i];
		float control = is_grounded(m) ? 12.0f : 1.5f; // per second
		rbl_vec3 change = rbl_sub(wishes[i], m->velocity);
		change.y = 0.0f;
		m->velocity = rbl_add_scaled(m->velocity, rbl_minf(control * dt, 1.0f), change);
		m->velocity.y -= is_grounded(m) ? 0.0f : GRAVITY * dt;
		if (is_grounded(m) && jumps[i])
			m->velocity.y = 4.6f, m->ground = (rbl_body_id){ 0 };

		mover before = *m;
		rbl_vec3 motion = rbl_scale(dt, m->velocity), level = motion;
		if (is_grounded(m)) // along the slope
			motion.y = -(motion.x * m->ground_normal.x + motion.z * m->ground_normal.z) /
			           m->ground_normal.y;
		if (slide(m, motion, true, dt) && was_grounded[i])
			climb(m, &before, level, dt);
		float depth = was_grounded[i] ? STEP : 2.0f * SKIN;
		casts[i] = (rbl_collider_cast){ m->capsule, pose_of(m), { 0.0f, -depth, 0.0f }, NULL };
	}
	rbl_world_cast_colliders(world, casts, count, hits); // the feet of all at once
	for (int i = 0; i < count; ++i)
		land(&movers[i], &hits[i], -casts[i].translation.y, was_grounded[i]);
}

// --- the course ---------------------------------------------------------------------------------

enum { WALKERS = 3, STEPS = 1260 };

static const rbl_vec3 STONE = { 0.30f, 0.29f, 0.27f }, GRASS = { 0.17f, 0.20f, 0.14f },
					  WOOD = { 0.36f, 0.20f, 0.08f }, RED = { 0.50f, 0.07f, 0.05f },
					  SKIN_COLOR = { 0.68f, 0.42f, 0.28f }, TROUSERS = { 0.05f, 0.07f, 0.14f };
static const float TOP = 3.0f; // of the course

static void add_block(show *s, float x0, float x1, float top, rbl_vec3 color)
{
	rbl_vec3 half = { 0.5f * (x1 - x0), 0.5f * top, 2.0f };
	show_add_box(s, show_body_def(RBL_BODY_STATIC, show_at(0.5f * (x0 + x1), half.y, 0.0f), 1.0f),
	             half, color);
}

// A board from one point to another, its top along the line.
static rbl_body_id add_slope(show *s, rbl_vec3 from, rbl_vec3 to)
{
	const rbl_vec3 half = { 0.5f * rbl_distance(from, to), 0.1f, 2.0f };
	rbl_vec3 along = rbl_normalize(rbl_sub(to, from));
	rbl_quat turn = rbl_quat_normalize((rbl_quat){ 0.0f, 0.0f, along.y, 1.0f + along.x });
	rbl_vec3 up = rbl_rotate(turn, (rbl_vec3){ 0.0f, 1.0f, 0.0f });
	rbl_transform pose = { rbl_add_scaled(rbl_lerp(from, to, 0.5f), -half.y, up), turn };
	return show_add_box(s, show_body_def(RBL_BODY_STATIC, pose, 1.0f), half, STONE);
}

typedef struct course {
	rbl_body_id platform, crate, steep[2];
	rbl_transform platform_start;
} course;

static void add_course(show *s, course *c)
{
	show_add_box(s, show_body_def(RBL_BODY_STATIC, show_at(12.0f, -0.5f, 0.0f), 1.0f),
	             (rbl_vec3){ 60.0f, 0.5f, 60.0f }, GRASS);
	for (int i = 0; i < 6; ++i) // stairs
		add_block(s, 0.35f * (float)i, 0.35f * (float)(i + 1), 0.25f * (float)(i + 1), STONE);
	add_block(s, 2.1f, 3.5f, 1.5f, STONE);
	add_slope(s, (rbl_vec3){ 3.4f, 1.5f, 0.0f }, (rbl_vec3){ 6.0f, TOP, 0.0f }); // 30 degrees
	add_block(s, 5.95f, 8.0f, TOP, STONE);
	add_block(s, 9.5f, 11.0f, TOP, STONE); // beyond a gap
	add_block(s, 17.0f, 22.0f, TOP, STONE);
	// 55 degrees, down and up again.
	c->steep[0] = add_slope(s, (rbl_vec3){ 21.95f, TOP, 0.0f }, (rbl_vec3){ 24.05f, 0.0f, 0.0f });
	c->steep[1] = add_slope(s, (rbl_vec3){ 32.0f, -0.3f, 0.0f }, (rbl_vec3){ 34.5f, 3.3f, 0.0f });
	c->platform_start = show_at(12.25f, TOP - 0.1f, 0.0f);
	c->platform = show_add_box(s, show_body_def(RBL_BODY_KINEMATIC, c->platform_start, 1.0f),
	                           (rbl_vec3){ 1.2f, 0.1f, 2.0f }, RED);
	c->crate =
		show_add_box(s, show_body_def(RBL_BODY_DYNAMIC, show_at(18.6f, TOP + 0.45f, 0.0f), 100.0f),
	                 (rbl_vec3){ 0.45f, 0.45f, 0.45f }, WOOD);
	// A slanted wall at the end, that leads them aside.
	rbl_transform wall = { { 28.0f, 0.6f, 1.2f },
		                   rbl_quat_from_axis_angle((rbl_vec3){ 0.0f, 1.0f, 0.0f }, 0.6f) };
	show_add_box(s, show_body_def(RBL_BODY_STATIC, wall, 1.0f), (rbl_vec3){ 2.2f, 0.6f, 0.15f },
	             STONE);
}

// The platform goes to and fro, its centre between 12.25 and 15.75, and waits at both ends.
static float platform_x(float time)
{
	float t = fmodf(time / 10.0f + 0.31f, 1.0f);
	float way = t < 0.5f ? 2.0f * t : 2.0f - 2.0f * t;
	way = rbl_clampf(2.4f * way - 0.7f, 0.0f, 1.0f);
	return 12.25f + 3.5f * way * way * (3.0f - 2.0f * way);
}

// Where to: to the right, over the gap with a jump, with the platform across the next.
static void decide(const mover *m, float platform, rbl_vec3 *wish, bool *jumps)
{
	float x = m->position.x;
	bool waits = x > 10.4f && x < 11.2f && platform > 12.3f;
	bool rides = x > 11.2f && x < 16.9f && x > platform - 0.4f && platform < 15.7f;
	*wish = (rbl_vec3){ waits || rides ? 0.0f : x > 21.0f && x < 24.0f ? 1.0f : 2.6f, 0.0f, 0.0f };
	if (x > 19.2f && x < 21.5f && m->position.z > -0.6f) // past the crate
		wish->z = 2.0f * (1.3f - m->position.z);
	*jumps = x > 7.6f && x < 8.0f;
}

// --- how they look ------------------------------------------------------------------------------

// A trunk with a head, and four limbs that swing.
typedef struct figure {
	int trunk, limbs[4];
	float phase, heading;
} figure;

static int add_object(show *s, rbl_mesh *mesh, rbl_vec3 color)
{
	int object = -1, index = show_mesh(s, mesh, color, false);
	show_check(s, rbl_film_add_object(s->film, index, rbl_transform_identity(), &object) == RBL_OK,
	           "not shown");
	return object;
}

static void add_figure(show *s, figure *f, rbl_vec3 shirt)
{
	const rbl_vec3 hip = { 0.0f, 0.95f, 0.0f }, neck = { 0.0f, 1.32f, 0.0f };
	int part, head = show_mesh(s,
	                           show_capsule_mesh((rbl_vec3){ 0.0f, 1.64f, 0.0f },
	                                             (rbl_vec3){ 0.02f, 1.68f, 0.0f }, 0.12f),
	                           SKIN_COLOR, false);
	f->trunk = add_object(s, show_capsule_mesh(hip, neck, 0.17f), shirt);
	show_check(
		s, rbl_film_add_part(s->film, f->trunk, head, rbl_transform_identity(), &part) == RBL_OK,
		"not shown");
	for (int i = 0; i < 4; ++i) { // two legs, two arms; each hangs from the origin
		rbl_vec3 end = { 0.0f, i < 2 ? -0.8f : -0.55f, 0.0f };
		f->limbs[i] = add_object(
			s, show_capsule_mesh((rbl_vec3){ 0.0f, 0.0f, 0.0f }, end, i < 2 ? 0.085f : 0.055f),
			i < 2 ? TROUSERS : shirt);
	}
}

static void show_figure(show *s, figure *f, const mover *m)
{
	static const rbl_vec3 places[4] = {
		{ 0, 0.92f, -0.1f }, { 0, 0.92f, 0.1f }, { 0, 1.4f, -0.24f }, { 0, 1.4f, 0.24f }
	};
	float speed = sqrtf(m->velocity.x * m->velocity.x + m->velocity.z * m->velocity.z);
	if (speed > 0.3f)
		f->heading += 0.2f * (atan2f(-m->velocity.z, m->velocity.x) - f->heading);
	f->phase += 3.2f * speed * SHOW_DT;
	rbl_quat turn = rbl_quat_from_axis_angle((rbl_vec3){ 0.0f, 1.0f, 0.0f }, f->heading);
	rbl_transform body = { m->position, turn };
	show_check(s, rbl_film_move(s->film, f->trunk, body) == RBL_OK, "not moved");
	for (int i = 0; i < 4; ++i) {
		float swing = is_grounded(m) ? rbl_minf(0.25f * speed, 0.7f) * sinf(f->phase) : 0.5f;
		swing *= i == 0 || i == 3 ? 1.0f : -1.0f;
		rbl_transform limb = { rbl_transform_point(body, places[i]),
			                   rbl_quat_mul(turn, rbl_quat_from_axis_angle(
													  (rbl_vec3){ 0.0f, 0.0f, 1.0f }, swing)) };
		show_check(s, rbl_film_move(s->film, f->limbs[i], limb) == RBL_OK, "not moved");
	}
}

int main(int argc, char **argv)
{
	static const rbl_vec3 shirts[WALKERS] = { { 0.70f, 0.45f, 0.03f },
		                                      { 0.03f, 0.20f, 0.45f },
		                                      { 0.06f, 0.33f, 0.12f } };
	static show s;
	course c;
	mover movers[WALKERS];
	figure figures[WALKERS];
	show_open(&s, "character", argc > 2 ? atoi(argv[2]) : 1);
	add_course(&s, &c);
	rbl_collider_def capsule_def = rbl_default_collider_def(RBL_COLLIDER_CAPSULE);
	capsule_def.a = (rbl_vec3){ 0.0f, RADIUS, 0.0f };
	capsule_def.b = (rbl_vec3){ 0.0f, HEIGHT - RADIUS, 0.0f };
	capsule_def.radius = RADIUS;
	rbl_collider *capsule = NULL;
	show_check(&s, rbl_create_collider(&capsule_def, &capsule) == RBL_OK, "no capsule");
	for (int i = 0; i < WALKERS; ++i) {
		movers[i] = (mover){ .capsule = capsule, .world = s.world };
		movers[i].position = (rbl_vec3){ -2.0f - 2.2f * (float)i, SKIN, 1.2f * (float)(i - 1) };
		figures[i] = (figure){ .trunk = -1 };
		add_figure(&s, &figures[i], shirts[i]);
	}
	float deepest = 0.0f, slip = 0.0f, start = rbl_body_pose(s.world, c.crate).position.x;
	for (int i = 0; i < STEPS && !s.failed; ++i) {
		rbl_vec3 wishes[WALKERS], before[WALKERS];
		bool jumps[WALKERS];
		float platform = platform_x((float)(i + 1) * SHOW_DT),
			  last = platform_x((float)i * SHOW_DT);
		rbl_transform target = c.platform_start;
		target.position.x = platform;
		rbl_body_set_target(s.world, c.platform, target, SHOW_DT);
		show_step(&s);
		for (int k = 0; k < WALKERS; ++k) {
			before[k] = movers[k].position;
			decide(&movers[k], platform, &wishes[k], &jumps[k]);
		}
		move_all(s.world, movers, wishes, jumps, WALKERS, SHOW_DT);
		for (int k = 0; k < WALKERS; ++k) {
			const mover *m = &movers[k];
			rbl_vec3 p = m->position;
			rbl_world_hit near;
			if (rbl_world_find_nearest(s.world, capsule, pose_of(m), 0.0f, NULL, &near, 1))
				deepest = rbl_maxf(deepest, -near.distance);
			if (m->ground.index == c.platform.index && fabsf(m->velocity.x) < 1e-3f)
				slip = rbl_maxf(slip, fabsf(p.x - before[k].x - (platform - last)));
			show_check(&s, p.x < 6.0f || p.x > 21.0f || p.y > TOP, "one fell off");
			for (int n = 0; n < 2; ++n)
				show_check(&s, !is_grounded(m) || m->ground.index != c.steep[n].index,
				           "one stands on what is too steep");
			show_figure(&s, &figures[k], m);
		}
	}
	float pushed = rbl_body_pose(s.world, c.crate).position.x - start;
	printf(
		"%d characters walk the course: %.1f mm deep in something at most; they slip by %.2f mm\n"
		"  on the platform, and push a crate by %.1f m\n",
		WALKERS, 1000.0 * (double)deepest, 1000.0 * (double)slip, (double)pushed);
	for (int k = 0; k < WALKERS; ++k) {
		rbl_vec3 p = movers[k].position;
		show_check(&s, p.x > 31.0f, "one did not arrive");
		show_check(&s, p.x < 33.0f && p.y < STEP, "one climbed what is too steep");
	}
	show_check(&s, deepest < 0.002f, "one is inside something");
	show_check(&s, slip < 1e-4f, "one slips on the platform");
	show_check(&s, pushed > 1.0f, "the crate was not pushed");
	const char *path = argc > 1 ? argv[1] : "character.glb";
	show_picture(&s, path, 4.35f, (rbl_vec3){ -0.35f, 0.3f, 0.9f }, (rbl_vec3){ 0.5f, 0.5f, -1.5f },
	             (rbl_vec3){ 16.0f, 4.5f, 1.5f });
	int result = show_close(&s, path);
	rbl_destroy_collider(capsule);
	return result;
}
