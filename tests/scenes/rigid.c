// SPDX-License-Identifier: MIT
//
// The scenes of rigid.h, put together.

#include "scenes/rigid.h"

#include "base/random.h"
#include "base/math.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

static const double DENSITY = 1000.0;

// The walled box of the pile: inner half width, wall height, half thickness.
static const double PILE_HALF = 7.2, PILE_WALL = 44.0, THICK = 1.0;
static const double PILE_PITCH = 0.7;
enum { PILE_COLUMNS = 20, WALL_COLUMNS = 50, WALL_ROWS = 40 };

static bool allocate(rigid_scene *scene, int shape_count, int body_count)
{
	scene->shapes = calloc((size_t)shape_count, sizeof *scene->shapes);
	scene->bodies = calloc((size_t)body_count, sizeof *scene->bodies);
	scene->shape_count = shape_count, scene->body_count = body_count;
	for (int i = 0; scene->bodies && i < body_count; ++i)
		scene->bodies[i].pose = rbl_transform_identity_d();
	return scene->shapes && scene->bodies;
}

static void add_static_box(rigid_scene *scene, rbl_vec3d centre, rbl_vec3d half)
{
	int i = scene->static_count++;
	rigid_box(&scene->shapes[i], half, DENSITY);
	scene->bodies[i].shape = i;
	scene->bodies[i].is_static = true;
	scene->bodies[i].pose.position = centre;
}

static void add_floor(rigid_scene *scene)
{
	add_static_box(scene, (rbl_vec3d){ 0.0, -THICK, 0.0 }, (rbl_vec3d){ 60.0, THICK, 60.0 });
	scene->inside = (rbl_boxd){ { -60.0, 0.0, -60.0 }, { 60.0, 100.0, 60.0 } };
}

// --- pile ------------------------------------------------------------------------------------

static rbl_quatd random_turn(rbl_random *random)
{
	for (;;) {
		rbl_quatd q = { rbl_random_range(random, -1.0, 1.0), rbl_random_range(random, -1.0, 1.0),
			            rbl_random_range(random, -1.0, 1.0), rbl_random_range(random, -1.0, 1.0) };
		double square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
		if (square > 0.01 && square <= 1.0)
			return rbl_quat_normalize_d(q);
	}
}

static void add_walled_box(rigid_scene *scene)
{
	double wide = PILE_HALF + 2.0 * THICK, middle = PILE_HALF + THICK, tall = 0.5 * PILE_WALL;
	add_static_box(scene, (rbl_vec3d){ 0.0, -THICK, 0.0 }, (rbl_vec3d){ wide, THICK, wide });
	for (int side = -1; side <= 1; side += 2) {
		add_static_box(scene, (rbl_vec3d){ side * middle, tall, 0.0 },
		               (rbl_vec3d){ THICK, tall, wide });
		add_static_box(scene, (rbl_vec3d){ 0.0, tall, side * middle },
		               (rbl_vec3d){ wide, tall, THICK });
	}
	scene->inside =
		(rbl_boxd){ { -PILE_HALF, 0.0, -PILE_HALF }, { PILE_HALF, PILE_WALL, PILE_HALF } };
}

// Balls that drop one a second into the settled pile.
static void add_rest_balls(rigid_scene *scene, int first, int count, int pile_count)
{
	rbl_random random = rbl_random_from_seed(99);
	double top = 2.0 + 2.6 * pile_count / 20000.0 * 2.0;
	int shape = scene->shape_count - 1;
	rigid_ball(&scene->shapes[shape], 0.4, 400.0);
	for (int i = 0; i < count; ++i) {
		rigid_body *body = &scene->bodies[first + i];
		body->shape = shape;
		body->birth_step = 60 * i + 1;
		body->pose.position = (rbl_vec3d){ rbl_random_range(&random, -5.0, 5.0), top,
			                               rbl_random_range(&random, -5.0, 5.0) };
	}
}

static bool open_pile(rigid_scene *scene, int count, int ball_count)
{
	enum { STATIC = 5 };
	if (!allocate(scene, STATIC + count + (ball_count > 0), STATIC + count + ball_count))
		return false;
	add_walled_box(scene);
	for (int i = 0; i < count; ++i) {
		rbl_random random = rbl_random_from_seed(12345u + 7919u * (uint64_t)i);
		rigid_body *body = &scene->bodies[STATIC + i];
		int column = i % (PILE_COLUMNS * PILE_COLUMNS), layer = i / (PILE_COLUMNS * PILE_COLUMNS);
		double middle = 0.5 * (PILE_COLUMNS - 1);
		rigid_random_hull(&scene->shapes[STATIC + i], 1000003u * (uint64_t)i + 1u);
		body->shape = STATIC + i;
		body->pose.rotation = random_turn(&random);
		body->pose.position.x =
			(column % PILE_COLUMNS - middle) * PILE_PITCH + rbl_random_range(&random, -0.02, 0.02);
		body->pose.position.z = ((double)(column / PILE_COLUMNS) - middle) * PILE_PITCH +
		                        rbl_random_range(&random, -0.02, 0.02);
		body->pose.position.y = 0.4 + layer * PILE_PITCH;
	}
	if (ball_count > 0)
		add_rest_balls(scene, STATIC + count, ball_count, count);
	scene->step_count = 300, scene->first_timed = 100;
	return true;
}

static bool open_rest(rigid_scene *scene, int count)
{
	if (!open_pile(scene, count, 10)) // balls in ten seconds
		return false;
	scene->is_sleeping = true;
	scene->settle_steps = 600;
	scene->step_count = 600, scene->first_timed = 0;
	return true;
}

static bool open_burst(rigid_scene *scene, int count)
{
	if (!open_pile(scene, count, 0))
		return false;
	scene->settle_steps = 300;
	scene->step_count = 60, scene->first_timed = 0;
	scene->replaced_count = count / 10;
	return true;
}

int rigid_replacement(const rigid_scene *scene, int k, rigid_shape *shape)
{
	int body = scene->static_count + 10 * k;
	*shape = scene->shapes[scene->bodies[body].shape];
	return body;
}

// --- wall ------------------------------------------------------------------------------------

static bool open_wall(rigid_scene *scene, int rows, bool is_hit)
{
	static const rbl_vec3d half = { 0.2, 0.1, 0.1 };
	if (!allocate(scene, 2 + is_hit, 1 + WALL_COLUMNS * rows + is_hit))
		return false;
	add_floor(scene);
	rigid_box(&scene->shapes[1], half, DENSITY);
	for (int row = 0; row < rows; ++row) {
		for (int column = 0; column < WALL_COLUMNS; ++column) {
			rigid_body *body = &scene->bodies[1 + row * WALL_COLUMNS + column];
			double shift = row % 2 ? 0.5 * half.x : 0.0;
			body->shape = 1;
			body->pose.position =
				(rbl_vec3d){ (column - 0.5 * (WALL_COLUMNS - 1)) * 2.0 * half.x + shift,
				             half.y + 2.0 * half.y * row, 0.0 };
		}
	}
	if (is_hit) {
		rigid_ball(&scene->shapes[2], 1.0, 50.0 * scene->shapes[1].mass);
		rigid_body *ball = &scene->bodies[scene->body_count - 1];
		ball->shape = 2;
		ball->pose.position = (rbl_vec3d){ 0.0, 0.1 * rows, -3.0 };
		ball->velocity = (rbl_vec3d){ 0.0, 0.0, 20.0 };
	}
	scene->step_count = is_hit ? 240 : 3600, scene->first_timed = 0;
	return true;
}

// --- things that stand -----------------------------------------------------------------------

// Half sizes of a card and its lean from the upright.
static const double CARD_LONG = 0.45, CARD_THIN = 0.01, CARD_WIDE = 0.3, CARD_LEAN = 20.0;

// A pair leans together over x, its feet at y. Two storeys up the next foot stands on the bridge.
static void add_leaning_pair(rigid_scene *scene, int *next, double x, double y)
{
	double sine, cosine, angle = CARD_LEAN * RBL_PI / 180.0;
	rbl_sin_cos(angle, &sine, &cosine);
	for (int side = -1; side <= 1; side += 2) {
		rigid_body *body = &scene->bodies[(*next)++];
		body->shape = 1;
		body->pose.position = (rbl_vec3d){ x - side * (CARD_LONG * sine + CARD_THIN * cosine),
			                               y + CARD_LONG * cosine + CARD_THIN * sine, 0.0 };
		body->pose.rotation =
			rbl_quat_from_axis_angle_d((rbl_vec3d){ 0.0, 0.0, 1.0 }, -side * angle);
	}
}

static bool open_cards(rigid_scene *scene, int storeys)
{
	double sine, cosine;
	rbl_sin_cos(CARD_LEAN * RBL_PI / 180.0, &sine, &cosine);
	double pitch = 4.0 * CARD_LONG * sine + 4.0 * CARD_THIN * cosine + 0.01;
	double rise = 2.0 * (CARD_LONG * cosine + CARD_THIN * sine);
	int pairs = storeys * (storeys + 1) / 2, bridges = storeys * (storeys - 1) / 2;
	if (!allocate(scene, 3, 1 + 2 * pairs + bridges))
		return false;
	add_floor(scene);
	rigid_box(&scene->shapes[1], (rbl_vec3d){ CARD_THIN, CARD_LONG, CARD_WIDE }, DENSITY);
	rigid_box(&scene->shapes[2], (rbl_vec3d){ 0.5 * pitch - 0.002, CARD_THIN, CARD_WIDE }, DENSITY);
	int next = 1;
	for (int storey = 0; storey < storeys; ++storey) {
		int count = storeys - storey;
		double y = storey * (rise + 2.0 * CARD_THIN), left = -0.5 * pitch * (count - 1);
		for (int i = 0; i < count; ++i)
			add_leaning_pair(scene, &next, left + pitch * i, y);
		for (int i = 0; i + 1 < count; ++i) {
			rigid_body *body = &scene->bodies[next++];
			body->shape = 2;
			body->pose.position =
				(rbl_vec3d){ left + pitch * (i + 0.5), y + rise + CARD_THIN, 0.0 };
		}
	}
	scene->step_count = 3600, scene->first_timed = 0;
	return true;
}

static bool open_arch(rigid_scene *scene, int count)
{
	static const double inner = 2.0, outer = 2.6, half_width = 0.3;
	if (!allocate(scene, 1 + count, 1 + count))
		return false;
	add_floor(scene);
	for (int i = 0; i < count; ++i) {
		rbl_vec3d vertices[8];
		for (int v = 0; v < 8; ++v) {
			// x runs against the angle, y outwards, so that the corners keep their sense.
			double sine, cosine, radius = v & 2 ? outer : inner;
			rbl_sin_cos(RBL_PI * (i + (v & 1 ? 0 : 1)) / count, &sine, &cosine);
			vertices[v] =
				(rbl_vec3d){ radius * cosine, radius * sine, v & 4 ? half_width : -half_width };
		}
		rigid_body *body = &scene->bodies[1 + i];
		body->shape = 1 + i;
		body->pose.position = rigid_hexahedron(&scene->shapes[1 + i], vertices, DENSITY);
	}
	scene->step_count = 3600, scene->first_timed = 0;
	return true;
}

static bool open_tower(rigid_scene *scene, int count)
{
	static const double half = 0.25;
	if (!allocate(scene, 2, 1 + count))
		return false;
	add_floor(scene);
	rigid_box(&scene->shapes[1], (rbl_vec3d){ half, half, half }, DENSITY);
	for (int i = 0; i < count; ++i) {
		scene->bodies[1 + i].shape = 1;
		scene->bodies[1 + i].pose.position = (rbl_vec3d){ 0.0, half * (2 * i + 1), 0.0 };
	}
	scene->step_count = 3600, scene->first_timed = 0;
	return true;
}

bool rigid_scene_open(rigid_scene *scene, const char *name, int count)
{
	*scene = (rigid_scene){ .name = name, .friction = 0.6, .gravity = -9.81, .dt = 1.0 / 60.0 };
	bool ok = false;
	if (strcmp(name, "pile") == 0)
		ok = open_pile(scene, count, 0);
	else if (strcmp(name, "rest") == 0)
		ok = open_rest(scene, count);
	else if (strcmp(name, "burst") == 0)
		ok = open_burst(scene, count);
	else if (strcmp(name, "wall-stand") == 0 || strcmp(name, "wall-hit") == 0)
		ok = open_wall(scene, count > 0 ? count : WALL_ROWS, strcmp(name, "wall-hit") == 0);
	else if (strcmp(name, "cards") == 0)
		ok = open_cards(scene, count > 0 ? count : 5);
	else if (strcmp(name, "arch") == 0)
		ok = open_arch(scene, count > 0 ? count : 15);
	else if (strcmp(name, "tower") == 0)
		ok = open_tower(scene, count > 0 ? count : 40);
	if (!ok)
		rigid_scene_close(scene);
	return ok;
}

void rigid_scene_close(rigid_scene *scene)
{
	free(scene->shapes);
	free(scene->bodies);
	*scene = (rigid_scene){ .name = "" };
}
