// SPDX-License-Identifier: MIT
// Drops stones into a pen and strikes a brick wall with a heavy ball, writes it as an animated .glb for
// any glTF viewer, and draws two pictures of it.
//
//     pile [OUT.glb [STONES [WORKERS]]]

#include <rubble/io.h>
#include <rubble/picture.h>
#include <rubble/rubble.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STONE_KINDS = 24, STEPS = 480, ROWS = 18, COLUMNS = 30, MAX_OBJECTS = 8192 };

// What bodies share: a collider and a mesh.
typedef struct form {
	rbl_collider *collider;
	int mesh; // in the film
} form;

typedef struct show {
	rbl_world *world;
	rbl_jobs *jobs;
	rbl_film *film;
	form stones[STONE_KINDS], brick, ball, floor, side;
	rbl_collider *ground;     // larger than the floor that is seen
	int objects[MAX_OBJECTS]; // in the film, by the body's user value
	int object_count;
	uint64_t random;
} show;

static void print_log(void *user, rbl_log_level level, const char *text)
{
	(void)user;
	if (level != RBL_LOG_INFO)
		fprintf(stderr, "pile: %s\n", text);
}

// Uniform from low to high.
static double random_range(show *s, double low, double high)
{
	s->random = s->random * 6364136223846793005u + 1442695040888963407u;
	return low + (high - low) * (double)(s->random >> 40) / 16777216.0;
}

static rbl_mesh_material material_of(const char *name, float r, float g, float b)
{
	rbl_mesh_material material = { .base_color = { r, g, b, 1.0f }, .roughness = 0.9f };
	snprintf(material.name, sizeof material.name, "%s", name);
	return material;
}

// Give a mesh one colour and flat faces, and hand it to the film.
static bool add_look(show *s, form *f, rbl_mesh *mesh, rbl_mesh_material material)
{
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = rbl_mesh_get_data(mesh);
	rbl_vec3 *normals = malloc((size_t)def.data.corner_count * sizeof *normals);
	rbl_mesh *painted = NULL;
	if (normals && rbl_mesh_compute_normals(mesh, 0.6f, normals) == RBL_OK) {
		def.data.corner_normals = normals;
		def.data.materials = &material, def.data.material_count = 1;
		def.data.face_materials = NULL;
		rbl_create_mesh(&def, &painted);
	}
	free(normals);
	rbl_destroy_mesh(mesh);
	return rbl_film_add_mesh(s->film, painted, &f->mesh) == RBL_OK;
}

static bool make_box(show *s, form *f, rbl_vec3 half, rbl_mesh_material material)
{
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_BOX);
	def.half_size = half;
	rbl_box_def box_def = rbl_default_box_def();
	box_def.size = (rbl_vec3d){ 2.0 * (double)half.x, 2.0 * (double)half.y, 2.0 * (double)half.z };
	rbl_mesh *mesh = NULL;
	return rbl_create_collider(&def, &f->collider) == RBL_OK &&
	       rbl_create_box_mesh(&box_def, &mesh) == RBL_OK && add_look(s, f, mesh, material);
}

static bool make_ball(show *s, form *f, float radius, rbl_mesh_material material)
{
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_SPHERE);
	def.radius = radius;
	rbl_icosphere_def sphere_def = rbl_default_icosphere_def();
	sphere_def.radius = (double)radius;
	rbl_mesh *mesh = NULL;
	return rbl_create_collider(&def, &f->collider) == RBL_OK &&
	       rbl_create_icosphere_mesh(&sphere_def, &mesh) == RBL_OK &&
	       add_look(s, f, mesh, material);
}

// A stone: the hull of twelve points on an ellipsoid.
static bool make_stone(show *s, form *f, rbl_mesh_material material)
{
	rbl_vec3d points[12];
	double half[3];
	for (int k = 0; k < 3; ++k)
		half[k] = random_range(s, 0.16, 0.3);
	for (int i = 0; i < 12; ++i) {
		double p[3], square;
		do {
			square = 0.0;
			for (int k = 0; k < 3; ++k)
				p[k] = random_range(s, -1.0, 1.0), square += p[k] * p[k];
		} while (square > 1.0 || square < 0.01);
		double scale = random_range(s, 0.9, 1.1) / sqrt(square);
		points[i] =
			(rbl_vec3d){ scale * half[0] * p[0], scale * half[1] * p[1], scale * half[2] * p[2] };
	}
	rbl_hull_def hull_def = rbl_default_hull_def();
	hull_def.points = points, hull_def.point_count = 12;
	rbl_hull *hull = NULL;
	rbl_mesh *mesh = NULL;
	rbl_convex *convex = NULL;
	rbl_convex_def convex_def = rbl_default_convex_def();
	bool ok = rbl_create_hull(&hull_def, &hull) == RBL_OK &&
	          rbl_hull_create_mesh(hull, NULL, &mesh) == RBL_OK;
	convex_def.mesh = mesh;
	ok = ok && rbl_create_convex(&convex_def, &convex) == RBL_OK;
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_CONVEX);
	def.convex = convex;
	ok = ok && rbl_create_collider(&def, &f->collider) == RBL_OK;
	rbl_destroy_convex(convex);
	rbl_destroy_hull(hull);
	return ok && add_look(s, f, mesh, material);
}

static bool add_body(show *s, const form *f, rbl_body_kind kind, rbl_transform pose,
                     rbl_vec3 velocity, float density)
{
	rbl_body_def def = rbl_default_body_def();
	def.kind = kind;
	def.collider = f->collider;
	def.pose = pose;
	def.velocity = velocity;
	def.material.density = density;
	def.angular_damping = f == &s->ball ? 2.0f : 0.05f; // so that the ball does not roll away
	def.user = (uint64_t)s->object_count;
	if (s->object_count == MAX_OBJECTS || rbl_body_id_is_null(rbl_create_body(s->world, &def)))
		return false;
	return rbl_film_add_object(s->film, f->mesh, pose, &s->objects[s->object_count++]) == RBL_OK;
}

static rbl_transform at(double x, double y, double z)
{
	return (rbl_transform){ { (float)x, (float)y, (float)z }, { 0.0f, 0.0f, 0.0f, 1.0f } };
}

static bool make_forms(show *s)
{
	static const float shades[4][3] = { { 0.42f, 0.40f, 0.37f },
		                                { 0.55f, 0.51f, 0.45f },
		                                { 0.34f, 0.34f, 0.36f },
		                                { 0.62f, 0.55f, 0.46f } };
	static const char *const names[4] = { "granite", "limestone", "slate", "sandstone" };
	bool ok = make_box(s, &s->brick, (rbl_vec3){ 0.2f, 0.1f, 0.18f },
	                   material_of("brick", 0.42f, 0.12f, 0.07f)) &&
	          make_ball(s, &s->ball, 0.5f, material_of("iron", 0.08f, 0.09f, 0.10f)) &&
	          make_box(s, &s->floor, (rbl_vec3){ 11.5f, 0.03f, 4.5f },
	                   material_of("floor", 0.30f, 0.31f, 0.32f)) &&
	          make_box(s, &s->side, (rbl_vec3){ 0.1f, 0.6f, 2.9f },
	                   material_of("wood", 0.35f, 0.23f, 0.12f));
	for (int i = 0; ok && i < STONE_KINDS; ++i)
		ok = make_stone(
			s, &s->stones[i],
			material_of(names[i % 4], shades[i % 4][0], shades[i % 4][1], shades[i % 4][2]));
	return ok;
}

// The wall stands on the left, the pen on the right.
static bool build(show *s, int stone_count)
{
	static const rbl_vec3 rest = { 0.0f, 0.0f, 0.0f }, strike = { 0.0f, 2.0f, 15.0f };
	static const double pen = 6.5;
	rbl_collider_def ground_def = rbl_default_collider_def(RBL_COLLIDER_BOX);
	ground_def.half_size = (rbl_vec3){ 100.0f, 0.2f, 100.0f };
	bool ok =
		make_forms(s) && rbl_create_collider(&ground_def, &s->ground) == RBL_OK &&
		add_body(s, &(form){ s->ground, -1 }, RBL_BODY_STATIC, at(0, -0.2, 0), rest, 1000.0f) &&
		add_body(s, &s->floor, RBL_BODY_STATIC, at(-1.7, -0.03, 1.2), rest, 1000.0f);
	for (int k = 0; ok && k < 4; ++k) {
		rbl_transform pose = at(pen + (k == 0   ? -2.8
		                               : k == 1 ? 2.8
		                                        : 0.0),
		                        0.6,
		                        k == 2   ? -2.8
		                        : k == 3 ? 2.8
		                                 : 0.0);
		if (k >= 2)
			pose.rotation = (rbl_quat){ 0.0f, 0.70710678f, 0.0f, 0.70710678f };
		ok = add_body(s, &s->side, RBL_BODY_STATIC, pose, rest, 1000.0f);
	}
	for (int row = 0; ok && row < ROWS; ++row)
		for (int column = 0; ok && column < COLUMNS; ++column)
			ok = add_body(s, &s->brick, RBL_BODY_DYNAMIC,
			              at(-12.5 + 0.4 * column + (row % 2 ? 0.1 : 0.0), 0.1 + 0.2 * row, 0.0),
			              rest, 1800.0f);
	ok = ok && add_body(s, &s->ball, RBL_BODY_DYNAMIC, at(-6.5, 1.6, -6.0), strike, 4000.0f);
	for (int i = 0; ok && i < stone_count; ++i) {
		rbl_transform pose = at(pen - 1.9 + 0.62 * (i % 7) + random_range(s, -0.05, 0.05),
		                        1.0 + 0.6 * (double)(i / 49),
		                        -1.9 + 0.62 * (i / 7 % 7) + random_range(s, -0.05, 0.05));
		ok = add_body(s, &s->stones[i % STONE_KINDS], RBL_BODY_DYNAMIC, pose, rest, 2400.0f);
	}
	return ok;
}

static bool film_frame(show *s, int step)
{
	static rbl_move_event moves[MAX_OBJECTS];
	bool ok = rbl_film_begin_frame(s->film, (float)step / 60.0f) == RBL_OK;
	int count = rbl_world_get_moves(s->world, moves, MAX_OBJECTS);
	for (int i = 0; ok && i < count; ++i)
		ok = rbl_film_move(s->film, s->objects[moves[i].user], moves[i].pose) == RBL_OK;
	return ok;
}

static bool open_show(show *s, int workers)
{
	rbl_jobs_def jobs_def = rbl_default_jobs_def();
	jobs_def.worker_count = workers;
	rbl_world_def world_def = rbl_default_world_def();
	rbl_film_def film_def = rbl_default_film_def();
	if (rbl_create_jobs(&jobs_def, &s->jobs) != RBL_OK)
		return false;
	world_def.jobs = s->jobs;
	return rbl_create_world(&world_def, &s->world) == RBL_OK &&
	       rbl_create_film(&film_def, &s->film) == RBL_OK;
}

static void close_show(show *s)
{
	rbl_destroy_world(s->world);
	rbl_destroy_jobs(s->jobs);
	rbl_destroy_film(s->film);
	rbl_destroy_collider(s->ground);
	form *fixed[] = { &s->brick, &s->ball, &s->floor, &s->side };
	for (int i = 0; i < 4; ++i)
		rbl_destroy_collider(fixed[i]->collider);
	for (int i = 0; i < STONE_KINDS; ++i)
		rbl_destroy_collider(s->stones[i].collider);
}

// Two pictures beside the film.
static bool draw(const show *s, const char *path)
{
	static const float times[] = { 1.5f, 8.0f };
	const char *dot = strrchr(path, '.');
	rbl_picture_def def = rbl_default_picture_def();
	bool ok = true;
	for (int i = 0; ok && i < 2; ++i) {
		char name[1000];
		snprintf(name, sizeof name, "%.*s-%g.png", (int)(dot ? dot - path : 900), path,
		         (double)times[i]);
		def.time = times[i];
		ok = rbl_write_picture(name, s->film, &def) == RBL_OK;
		if (ok)
			printf("picture: %s\n", name);
	}
	return ok;
}

int main(int argc, char **argv)
{
	const char *path = argc > 1 ? argv[1] : "pile.glb";
	int stone_count = argc > 2 ? atoi(argv[2]) : 700, workers = argc > 3 ? atoi(argv[3]) : 2;
	static show s = { .random = 7 };
	rbl_set_log(print_log, NULL);
	bool ok = open_show(&s, workers) && build(&s, stone_count);
	double total = 0.0, worst = 0.0;
	for (int i = 1; ok && i <= STEPS; ++i) {
		ok = rbl_world_step(s.world, 1.0f / 60.0f) == RBL_OK;
		double ms = rbl_world_get_stats(s.world).step_ms;
		total += ms, worst = fmax(worst, ms);
		ok = ok && film_frame(&s, i);
	}
	ok = ok && rbl_write_film(path, s.film, NULL) == RBL_OK;
	if (ok) {
		rbl_world_stats stats = rbl_world_get_stats(s.world);
		rbl_film_info info = rbl_film_get_info(s.film);
		printf("%d stones fall and a wall of %d bricks is struck: %d steps\n", stone_count,
		       ROWS * COLUMNS, STEPS);
		printf("  %.1f ms a step, %.1f at worst; %d of %d bodies awake in the end\n", total / STEPS,
		       worst, stats.awake_count, stats.body_count);
		printf("  %lld of %lld poses kept, written to %s\n", (long long)info.key_count,
		       (long long)info.pose_count, path);
	}
	ok = ok && draw(&s, path);
	close_show(&s);
	return ok ? 0 : 1;
}
