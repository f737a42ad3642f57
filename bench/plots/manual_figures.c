// SPDX-License-Identifier: MIT
//
// manual_figures DIRECTORY: draw figures of the manual from what the library answers, one SVG file each.
//
//   ccd.svg      a vertex and a face, and two edges, where they are first touched
//   bounces.svg  balls that come back, and a hit that runs through a row of balls

#include <rubble/ccd.h>
#include <rubble/rubble.h>

#include <stdio.h>

static FILE *open_figure(const char *directory, const char *name, int width, int height)
{
	char path[512];
	snprintf(path, sizeof path, "%s/%s", directory, name);
	FILE *file = fopen(path, "w");
	if (file)
		fprintf(
			file,
			"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' width='%d' height='%d' "
			"font-family='sans-serif' font-size='12'>\n"
			"<rect width='100%%' height='100%%' fill='white'/>\n",
			width, height, width, height);
	return file;
}

static bool close_figure(FILE *file)
{
	fprintf(file, "</svg>\n");
	return fclose(file) == 0;
}

// --- continuous tests ----------------------------------------------------------------------------

typedef struct screen {
	double x, y;
} screen;

// Seen from the front, a little from the right and from above.
static screen project(rbl_vec3d p, double left)
{
	return (screen){ left + 190.0 * p.x - 95.0 * p.z, 265.0 - 190.0 * p.y + 60.0 * p.z };
}

static rbl_vec3d between(rbl_vec3d a, rbl_vec3d b, double t)
{
	return (rbl_vec3d){ a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z) };
}

// The features at a time of the step: the first has `split` vertices.
static void draw_features(FILE *file, const rbl_vec3d *start, const rbl_vec3d *end, int split,
                          double t, double left, bool is_contact)
{
	const char *colours[2] = { "#1f6fb4", "#c23b22" };
	for (int side = 0; side < 2; ++side) {
		int first = side ? split : 0, last = side ? 4 : split;
		fprintf(file,
		        "<polygon fill='%s' fill-opacity='%g' stroke='%s' stroke-width='%g'%s points='",
		        last - first > 2 ? colours[side] : "none", is_contact ? 0.25 : 0.06, colours[side],
		        is_contact ? 2.5 : 1.0, is_contact ? "" : " stroke-dasharray='4 3'");
		for (int i = first; i < last; ++i) {
			screen s = project(between(start[i], end[i], t), left);
			fprintf(file, "%.1f,%.1f ", s.x, s.y);
		}
		fprintf(file, "'/>\n");
		for (int i = first; i < last; ++i) {
			screen s = project(between(start[i], end[i], t), left);
			fprintf(file, "<circle cx='%.1f' cy='%.1f' r='%g' fill='%s'/>\n", s.x, s.y,
			        is_contact ? 4.0 : 2.5, colours[side]);
		}
	}
}

static void draw_test(FILE *file, const char *name, const rbl_vec3d *start, const rbl_vec3d *end,
                      int split, const rbl_impact *impact, double left)
{
	for (int i = 0; i < 4; ++i) {
		screen a = project(start[i], left), b = project(end[i], left);
		fprintf(file, "<path d='M%.1f %.1fL%.1f %.1f' stroke='#bbb'/>\n", a.x, a.y, b.x, b.y);
	}
	draw_features(file, start, end, split, 0.0, left, false);
	draw_features(file, start, end, split, 1.0, left, false);
	draw_features(file, start, end, split, impact->time, left, true);
	rbl_vec3d at = { 0 };
	if (split == 1)
		at = between(start[0], end[0], impact->time);
	else
		at = between(between(start[0], end[0], impact->time),
		             between(start[1], end[1], impact->time), impact->weights[0]);
	rbl_vec3d tip = { at.x + 0.35 * impact->normal.x, at.y + 0.35 * impact->normal.y,
		              at.z + 0.35 * impact->normal.z };
	screen a = project(at, left), b = project(tip, left);
	fprintf(file, "<path d='M%.1f %.1fL%.1f %.1f' stroke='#222' stroke-width='2'/>\n", a.x, a.y,
	        b.x, b.y);
	fprintf(file, "<circle cx='%.1f' cy='%.1f' r='4' fill='#222'/>\n", b.x, b.y);
	fprintf(file, "<text x='%.0f' y='22' font-size='14'>%s: they meet at %.3f of the step</text>\n",
	        left - 80.0, name, impact->time);
}

static bool draw_ccd(const char *directory)
{
	// Those of docs/ccd.md, and a rod that falls across another.
	const rbl_vec3d face_start[4] = {
		{ 0.2, 1.0, 0.2 }, { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 1.0 }, { 1.0, 0.0, 0.0 }
	};
	const rbl_vec3d face_end[4] = {
		{ 0.2, 0.0, 0.2 }, { 0.0, 1.0, 0.0 }, { 0.0, 1.0, 1.0 }, { 1.0, 1.0, 0.0 }
	};
	const rbl_vec3d edge_start[4] = {
		{ 0.0, 1.05, 0.9 }, { 0.9, 0.85, 0.1 }, { 0.0, 0.1, 0.0 }, { 1.0, 0.1, 0.8 }
	};
	const rbl_vec3d edge_end[4] = {
		{ 0.1, 0.0, 0.9 }, { 1.0, 0.25, 0.1 }, { 0.0, 0.35, 0.0 }, { 1.0, 0.6, 0.8 }
	};
	rbl_impact face, edge;
	if (rbl_test_vertex_face(face_start, face_end, 0.0, &face) != RBL_OK || !face.is_hit ||
	    rbl_test_edge_edge(edge_start, edge_end, 0.0, &edge) != RBL_OK || !edge.is_hit)
		return false;
	FILE *file = open_figure(directory, "ccd.svg", 760, 345);
	if (!file)
		return false;
	draw_test(file, "A vertex and a face", face_start, face_end, 1, &face, 110.0);
	draw_test(file, "Two edges", edge_start, edge_end, 2, &edge, 520.0);
	return close_figure(file);
}

// --- restitution ---------------------------------------------------------------------------------

enum { STEPS = 300, ROW = 5, ROW_STEPS = 90, PANEL = 330 };

static rbl_body_id add_ball(rbl_world *world, const rbl_collider *ball, rbl_vec3 at,
                            float restitution)
{
	rbl_body_def def = rbl_default_body_def();
	def.collider = ball;
	def.pose.position = at;
	def.material.restitution = restitution;
	def.material.friction = 0.0f;
	return rbl_create_body(world, &def);
}

static void draw_line(FILE *file, const float *values, int count, double left, double scale,
                      double zero, const char *colour)
{
	fprintf(file, "<polyline fill='none' stroke='%s' stroke-width='1.5' points='", colour);
	for (int i = 0; i < count; ++i)
		fprintf(file, "%.1f,%.1f ", left + 270.0 * i / (count - 1),
		        zero - scale * (double)values[i]);
	fprintf(file, "'/>\n");
}

// Heights over five seconds of balls that fall 5 m.
static bool draw_heights(FILE *file, rbl_world *world, const rbl_collider *ball,
                         const rbl_collider *floor)
{
	static const float restitutions[3] = { 1.0f, 0.8f, 0.5f };
	static const char *const colours[3] = { "#1f6fb4", "#2a9d4a", "#c23b22" };
	static float heights[3][STEPS];
	rbl_body_def ground = rbl_default_body_def();
	rbl_body_id ids[3];
	ground.collider = floor, ground.kind = RBL_BODY_STATIC, ground.pose.position.y = -0.5f;
	rbl_create_body(world, &ground);
	for (int k = 0; k < 3; ++k)
		ids[k] = add_ball(world, ball, (rbl_vec3){ 2.0f * (float)k, 5.25f, 0.0f }, restitutions[k]);
	for (int i = 0; i < STEPS; ++i) {
		for (int k = 0; k < 3; ++k)
			heights[k][i] = rbl_body_pose(world, ids[k]).position.y - 0.25f;
		if (rbl_world_step(world, 1.0f / 60.0f) != RBL_OK)
			return false;
	}
	fprintf(file, "<text x='45' y='22' font-size='14'>Height of balls that fell 5 m</text>\n");
	fprintf(file, "<path d='M45 250H315M45 250V40' stroke='#bbb' fill='none'/>\n"
	              "<text x='38' y='254' text-anchor='end'>0</text>"
	              "<text x='38' y='54' text-anchor='end'>5 m</text>"
	              "<text x='315' y='268' text-anchor='end'>5 s</text>\n");
	for (int k = 0; k < 3; ++k) {
		draw_line(file, heights[k], STEPS, 45.0, 40.0, 250.0, colours[k]);
		fprintf(file, "<text x='%d' y='288' fill='%s'>restitution %g</text>\n", 45 + 95 * k,
		        colours[k], (double)restitutions[k]);
	}
	return true;
}

// Positions of a row of balls of restitution 1 that another one hits, with nothing that pulls.
static bool draw_row(FILE *file, rbl_world *world, const rbl_collider *ball)
{
	static float places[ROW + 1][ROW_STEPS];
	rbl_body_id ids[ROW + 1];
	for (int k = 0; k <= ROW; ++k)
		ids[k] = add_ball(world, ball, (rbl_vec3){ k ? 0.5f * (float)k : -2.0f, 0.0f, 0.0f }, 1.0f);
	rbl_body_set_velocity(world, ids[0], (rbl_vec3){ 4.0f, 0.0f, 0.0f }, (rbl_vec3){ 0 });
	for (int i = 0; i < ROW_STEPS; ++i) {
		for (int k = 0; k <= ROW; ++k)
			places[k][i] = rbl_body_pose(world, ids[k]).position.x + 2.0f;
		if (rbl_world_step(world, 1.0f / 60.0f) != RBL_OK)
			return false;
	}
	int left = PANEL + 60;
	fprintf(file, "<text x='%d' y='22' font-size='14'>Places of six balls in a row</text>\n", left);
	fprintf(file,
	        "<path d='M%d 250H%dM%d 250V40' stroke='#bbb' fill='none'/>\n"
	        "<text x='%d' y='254' text-anchor='end'>0</text>"
	        "<text x='%d' y='54' text-anchor='end'>8 m</text>"
	        "<text x='%d' y='268' text-anchor='end'>1.5 s</text>\n",
	        left, left + 270, left, left - 7, left - 7, left + 270);
	for (int k = 0; k <= ROW; ++k)
		draw_line(file, places[k], ROW_STEPS, left, 25.0, 250.0,
		          k == 0     ? "#1f6fb4"
		          : k == ROW ? "#c23b22"
		                     : "#888888");
	fprintf(file,
	        "<text x='%d' y='288' fill='#1f6fb4'>the first</text>"
	        "<text x='%d' y='288' fill='#c23b22'>the last</text>\n",
	        left, left + 95);
	return true;
}

static bool draw_bounces(const char *directory)
{
	rbl_collider_def ball_def = rbl_default_collider_def(RBL_COLLIDER_SPHERE);
	rbl_collider_def floor_def = rbl_default_collider_def(RBL_COLLIDER_BOX);
	rbl_world_def falling = rbl_default_world_def(), free_of_weight = falling;
	rbl_collider *ball = NULL, *floor = NULL;
	rbl_world *worlds[2] = { NULL, NULL };
	ball_def.radius = 0.25f;
	floor_def.half_size = (rbl_vec3){ 10.0f, 0.5f, 10.0f };
	falling.can_sleep = free_of_weight.can_sleep = false;
	free_of_weight.gravity = (rbl_vec3){ 0 };
	FILE *file = open_figure(directory, "bounces.svg", 720, 300);
	bool ok = file && rbl_create_collider(&ball_def, &ball) == RBL_OK &&
	          rbl_create_collider(&floor_def, &floor) == RBL_OK &&
	          rbl_create_world(&falling, &worlds[0]) == RBL_OK &&
	          rbl_create_world(&free_of_weight, &worlds[1]) == RBL_OK &&
	          draw_heights(file, worlds[0], ball, floor) && draw_row(file, worlds[1], ball);
	rbl_destroy_world(worlds[0]);
	rbl_destroy_world(worlds[1]);
	rbl_destroy_collider(ball);
	rbl_destroy_collider(floor);
	return file && close_figure(file) && ok;
}

int main(int count, char **arguments)
{
	if (count != 2) {
		fprintf(stderr, "usage: manual_figures DIRECTORY\n");
		return 2;
	}
	if (!draw_ccd(arguments[1]) || !draw_bounces(arguments[1])) {
		fprintf(stderr, "manual_figures: a figure could not be drawn: %s\n", rbl_last_error());
		return 1;
	}
	return 0;
}
