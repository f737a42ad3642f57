// SPDX-License-Identifier: MIT
// A world and the film of it: what the examples of characters, cranes, ragdolls and cars share, so
// that each of them is about its own subject. A body gets a mesh when it is made; each step is a
// frame; what breaks is shown as it breaks.
//
// The first failure is printed, and nothing is done from then on: ask `failed` at the end.
#pragma once

#include <rubble/io.h>
#include <rubble/picture.h>
#include <rubble/rubble.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOW_MAX_BODIES = 16384 };

// How a body is shown.
typedef struct show_body {
	int object;      // in the film, -1 for none
	rbl_vec3 color;  // of itself and of its fragments
	rbl_vec3 centre; // of a compound, in its own coordinates: the origin of its object
	int *parts;      // in the film, one for each part of the compound; -1 for none
	uint64_t *shapes;
	int part_count;
} show_body;

typedef struct show {
	const char *name;
	rbl_world *world;
	rbl_jobs *jobs;
	rbl_film *film;
	show_body bodies[SHOW_MAX_BODIES]; // by the index of their ids
	rbl_move_event moves[SHOW_MAX_BODIES];
	int step;
	int fragment_count; // bodies that came off something
	bool failed;
} show;

static const float SHOW_DT = 1.0f / 60.0f;

static inline void show_log(void *user, rbl_log_level level, const char *text)
{
	if (level != RBL_LOG_INFO)
		fprintf(stderr, "%s: %s\n", ((const show *)user)->name, text);
}

// The law of an example, or a call that must not fail.
static inline bool show_check(show *s, bool holds, const char *claim)
{
	if (!holds && !s->failed)
		fprintf(stderr, "%s: %s\n", s->name, claim);
	s->failed = s->failed || !holds;
	return !s->failed;
}

static inline void show_open(show *s, const char *name, int workers)
{
	rbl_jobs_def jobs_def = rbl_default_jobs_def();
	rbl_world_def world_def = rbl_default_world_def();
	rbl_film_def film_def = rbl_default_film_def();
	s->name = name;
	rbl_set_log(show_log, s);
	for (int i = 0; i < SHOW_MAX_BODIES; ++i)
		s->bodies[i].object = -1;
	jobs_def.worker_count = workers;
	show_check(s, rbl_create_jobs(&jobs_def, &s->jobs) == RBL_OK, "no workers");
	world_def.jobs = s->jobs;
	show_check(s, rbl_create_world(&world_def, &s->world) == RBL_OK, "no world");
	show_check(s, rbl_create_film(&film_def, &s->film) == RBL_OK, "no film");
}

// Draw a moment of the film beside it: OUT.png for OUT.glb. The box from `lower` to `upper` fills the
// picture.
static inline void show_picture(show *s, const char *path, float time, rbl_vec3 view,
                                rbl_vec3 lower, rbl_vec3 upper)
{
	rbl_picture_def def = rbl_default_picture_def();
	const char *dot = strrchr(path, '.');
	char name[1000];
	def.time = time;
	def.width = 960, def.height = 540;
	def.view = view;
	def.frame = (rbl_box){ lower, upper };
	snprintf(name, sizeof name, "%.*s.png", (int)(dot ? dot - path : 900), path);
	if (!s->failed)
		show_check(s, rbl_write_picture(name, s->film, &def) == RBL_OK, "no picture");
}

// Write the film and free everything. @return what main() returns
static inline int show_close(show *s, const char *path)
{
	if (!s->failed && show_check(s, rbl_write_film(path, s->film, NULL) == RBL_OK, "not written"))
		printf("  %d steps, state %016llx, written to %s\n", s->step,
		       (unsigned long long)rbl_world_hash(s->world), path);
	rbl_destroy_world(s->world);
	rbl_destroy_film(s->film);
	rbl_destroy_jobs(s->jobs);
	for (int i = 0; i < SHOW_MAX_BODIES; ++i)
		free(s->bodies[i].parts), free(s->bodies[i].shapes);
	rbl_set_log(NULL, NULL);
	return s->failed ? 1 : 0;
}

// --- how things look ----------------------------------------------------------------------------

// Put a mesh into the film: in one color, unless it has materials of its own and keeps them. It is
// smooth where its faces meet at less than half a radian. The mesh goes.
static inline int show_mesh(show *s, rbl_mesh *mesh, rbl_vec3 color, bool keeps_materials)
{
	rbl_mesh_def def = rbl_default_mesh_def();
	rbl_mesh_material material = { .base_color = { color.x, color.y, color.z, 1.0f },
		                           .roughness = 0.85f };
	snprintf(material.name, sizeof material.name, "%02x%02x%02x", (int)(255.0f * color.x),
	         (int)(255.0f * color.y), (int)(255.0f * color.z));
	def.data = rbl_mesh_get_data(mesh);
	rbl_vec3 *normals = malloc((size_t)def.data.corner_count * sizeof *normals + 1);
	rbl_mesh *painted = NULL;
	int index = -1;
	if (normals && rbl_mesh_compute_normals(mesh, 0.5f, normals) == RBL_OK) {
		def.data.corner_normals = normals;
		if (!keeps_materials || def.data.material_count == 0) {
			def.data.materials = &material, def.data.material_count = 1;
			def.data.face_materials = NULL;
		}
		rbl_create_mesh(&def, &painted);
	}
	free(normals);
	rbl_destroy_mesh(mesh);
	show_check(s, painted && rbl_film_add_mesh(s->film, painted, &index) == RBL_OK, "no mesh");
	return index;
}

static inline rbl_mesh *show_box_mesh(rbl_vec3 half)
{
	rbl_box_def def = rbl_default_box_def();
	def.size = rbl_scale_d(2.0, rbl_to_d(half));
	rbl_mesh *mesh = NULL;
	rbl_create_box_mesh(&def, &mesh);
	return mesh;
}

// The hull of two spheres: a sphere itself where both ends are the same.
static inline rbl_mesh *show_capsule_mesh(rbl_vec3 a, rbl_vec3 b, float radius)
{
	rbl_icosphere_def ball_def = rbl_default_icosphere_def();
	ball_def.radius = (double)radius;
	ball_def.subdivisions = 3;
	rbl_mesh *ball = NULL, *mesh = NULL;
	rbl_hull *hull = NULL;
	if (rbl_create_icosphere_mesh(&ball_def, &ball) != RBL_OK)
		return NULL;
	rbl_mesh_data data = rbl_mesh_get_data(ball);
	rbl_hull_def hull_def = rbl_default_hull_def();
	rbl_vec3d *points = malloc(2 * (size_t)data.vertex_count * sizeof *points);
	for (int i = 0; points && i < data.vertex_count; ++i) {
		points[2 * i] = rbl_add_d(data.positions[i], rbl_to_d(a));
		points[2 * i + 1] = rbl_add_d(data.positions[i], rbl_to_d(b));
	}
	hull_def.points = points, hull_def.point_count = 2 * data.vertex_count;
	if (points && rbl_create_hull(&hull_def, &hull) == RBL_OK)
		rbl_hull_create_mesh(hull, NULL, &mesh);
	free(points);
	rbl_destroy_hull(hull);
	rbl_destroy_mesh(ball);
	return mesh;
}

// --- bodies -------------------------------------------------------------------------------------

// A joint between two bodies.
static inline rbl_joint_id show_join(show *s, rbl_joint_def def, rbl_body_id a, rbl_body_id b)
{
	def.body_a = a, def.body_b = b;
	rbl_joint_id joint = s->failed ? (rbl_joint_id){ 0 } : rbl_create_joint(s->world, &def);
	show_check(s, rbl_joint_exists(s->world, joint), "no joint");
	return joint;
}

static inline rbl_body_def show_body_def(rbl_body_kind kind, rbl_transform pose, float density)
{
	rbl_body_def def = rbl_default_body_def();
	def.kind = kind;
	def.pose = pose;
	def.material.density = density;
	return def;
}

static inline rbl_transform show_at(float x, float y, float z)
{
	return (rbl_transform){ { x, y, z }, { 0.0f, 0.0f, 0.0f, 1.0f } };
}

// The shortest rotation of the z axis to a direction, which is not -z: the axis of hinges, cones and
// pistons is the z axis of their frames.
static inline rbl_quat show_turn_z(rbl_vec3 direction)
{
	rbl_vec3 d = rbl_normalize(direction);
	return rbl_quat_normalize((rbl_quat){ -d.y, d.x, 0.0f, 1.0f + d.z });
}

// Add a body that is shown as a mesh, which goes; NULL: it is not shown.
static inline rbl_body_id show_add_body(show *s, const rbl_body_def *def, rbl_mesh *mesh,
                                        rbl_vec3 color, bool keeps_materials)
{
	rbl_body_id body = s->failed ? (rbl_body_id){ 0 } : rbl_create_body(s->world, def);
	if (!show_check(s, !rbl_body_id_is_null(body) && body.index < SHOW_MAX_BODIES, "no body")) {
		rbl_destroy_mesh(mesh);
		return (rbl_body_id){ 0 };
	}
	show_body *of = &s->bodies[body.index];
	of->color = color;
	if (mesh) {
		int index = show_mesh(s, mesh, color, keeps_materials);
		show_check(s, rbl_film_add_object(s->film, index, def->pose, &of->object) == RBL_OK,
		           "not shown");
	}
	return body;
}

// Add a body of a simple shape. Bodies keep their colliders, so ours can go.
static inline rbl_body_id show_add_shape(show *s, rbl_body_def def, const rbl_collider_def *shape,
                                         rbl_mesh *mesh, rbl_vec3 color)
{
	rbl_collider *collider = NULL;
	show_check(s, rbl_create_collider(shape, &collider) == RBL_OK, "no collider");
	def.collider = collider;
	rbl_body_id body = show_add_body(s, &def, mesh, color, false);
	rbl_destroy_collider(collider);
	return body;
}

static inline rbl_body_id show_add_box(show *s, rbl_body_def def, rbl_vec3 half, rbl_vec3 color)
{
	rbl_collider_def shape = rbl_default_collider_def(RBL_COLLIDER_BOX);
	shape.half_size = half;
	return show_add_shape(s, def, &shape, show_box_mesh(half), color);
}

static inline rbl_body_id show_add_sphere(show *s, rbl_body_def def, float radius, rbl_vec3 color)
{
	rbl_collider_def shape = rbl_default_collider_def(RBL_COLLIDER_SPHERE);
	rbl_vec3 o = { 0.0f, 0.0f, 0.0f };
	shape.radius = radius;
	return show_add_shape(s, def, &shape, show_capsule_mesh(o, o, radius), color);
}

static inline rbl_body_id show_add_capsule(show *s, rbl_body_def def, rbl_vec3 a, rbl_vec3 b,
                                           float radius, rbl_vec3 color)
{
	rbl_collider_def shape = rbl_default_collider_def(RBL_COLLIDER_CAPSULE);
	shape.a = a, shape.b = b, shape.radius = radius;
	return show_add_shape(s, def, &shape, show_capsule_mesh(a, b, radius), color);
}

// Add a brick wall that breaks, by the definition's rule: every brick is a part, those that touch are
// bonded, and the lowest row is fixed to the ground.
static inline void show_add_wall(show *s, rbl_body_def def, const rbl_brick_wall_def *wall)
{
	rbl_prepare_def prepare_def = rbl_default_prepare_def();
	rbl_mesh *mesh = NULL;
	rbl_asset *asset = NULL;
	prepare_def.node_count = 1; // for each brick
	prepare_def.jobs = s->jobs;
	show_check(s,
	           rbl_create_brick_wall_mesh(wall, &mesh) == RBL_OK &&
	               rbl_prepare(mesh, &prepare_def, &asset) == RBL_OK &&
	               rbl_asset_create_compound(asset, NULL, &def.compound) == RBL_OK,
	           "no wall");
	for (int i = 0; i < rbl_compound_get_info(def.compound).part_end; ++i) {
		rbl_compound_part part = rbl_compound_get_part(def.compound, i);
		if (rbl_convex_get_mass(part.convex).centre.y < wall->brick.y)
			rbl_compound_set_anchored(def.compound, i, true);
	}
	rbl_destroy_asset(asset);
	show_add_body(s, &def, mesh, (rbl_vec3){ 0.42f, 0.16f, 0.09f }, true);
}

// Something that moves with a body and is only seen.
static inline void show_add_part(show *s, rbl_body_id body, rbl_mesh *mesh, rbl_transform pose,
                                 rbl_vec3 color)
{
	int index = show_mesh(s, mesh, color, false), part;
	show_check(
		s, rbl_film_add_part(s->film, s->bodies[body.index].object, index, pose, &part) == RBL_OK,
		"not shown");
}

// --- the step -----------------------------------------------------------------------------------

static inline rbl_transform show_pose(const show_body *of, rbl_transform pose)
{
	return (rbl_transform){ rbl_transform_point(pose, of->centre), pose.rotation };
}

// Show the parts of a compound as they are now: those that it was shown with before stay.
static inline void show_compound(show *s, rbl_body_id body)
{
	show_body *of = &s->bodies[body.index];
	const rbl_compound *compound = rbl_body_get_compound(s->world, body);
	int end = rbl_compound_get_info(compound).part_end;
	if (of->part_count == 0) { // it was shown as one mesh, or not at all
		if (of->object >= 0)
			rbl_film_remove(s->film, of->object);
		of->centre = rbl_to_f(rbl_compound_get_visual_mass(compound).centre);
		rbl_transform pose = show_pose(of, rbl_body_pose(s->world, body));
		show_check(s, rbl_film_add_object(s->film, -1, pose, &of->object) == RBL_OK, "not shown");
	}
	if (end > of->part_count) {
		of->parts = realloc(of->parts, (size_t)end * sizeof *of->parts);
		of->shapes = realloc(of->shapes, (size_t)end * sizeof *of->shapes);
		if (!show_check(s, of->parts && of->shapes, "no memory"))
			return;
		for (; of->part_count < end; ++of->part_count)
			of->parts[of->part_count] = -1, of->shapes[of->part_count] = 0;
	}
	rbl_transform here = show_at(-of->centre.x, -of->centre.y, -of->centre.z);
	for (int i = 0; i < of->part_count && !s->failed; ++i) {
		rbl_compound_part part = rbl_compound_get_part(compound, i);
		uint64_t shape = part.convex ? part.shape : 0;
		if (shape == of->shapes[i])
			continue;
		if (of->parts[i] >= 0)
			rbl_film_remove(s->film, of->parts[i]);
		of->parts[i] = -1, of->shapes[i] = shape;
		rbl_mesh_def def = rbl_default_mesh_def();
		rbl_mesh *mesh = NULL;
		if (part.mesh)
			def.data = rbl_mesh_get_data(part.mesh), rbl_create_mesh(&def, &mesh);
		else if (part.convex) // from inside
			rbl_convex_create_mesh(part.convex, NULL, &mesh);
		if (!mesh)
			continue;
		int index = show_mesh(s, mesh, of->color, true);
		show_check(s, rbl_film_add_part(s->film, of->object, index, here, &of->parts[i]) == RBL_OK,
		           "not shown");
	}
}

static inline void show_hide(show *s, uint32_t index)
{
	show_body *of = &s->bodies[index];
	if (of->object >= 0)
		rbl_film_remove(s->film, of->object);
	free(of->parts), free(of->shapes);
	*of = (show_body){ .object = -1 };
}

// The rest of what broke keeps its id, fragments have new ones.
static inline void show_break(show *s, const rbl_fracture_event *event)
{
	rbl_vec3 color = s->bodies[event->parent.index].color;
	bool is_shown = s->bodies[event->parent.index].object >= 0;
	if (!rbl_body_exists(s->world, event->parent))
		show_hide(s, event->parent.index);
	else if (is_shown)
		show_compound(s, event->parent);
	for (int i = 0; i < event->new_count && !s->failed; ++i) {
		rbl_body_id body = event->new_bodies[i];
		if (!rbl_body_exists(s->world, body) ||
		    !show_check(s, body.index < SHOW_MAX_BODIES, "too many bodies"))
			continue;
		show_hide(s, body.index); // an index of what is gone
		s->bodies[body.index].color = color;
		s->fragment_count++;
		if (is_shown)
			show_compound(s, body);
	}
}

// Make a step and a frame of it.
static inline bool show_step(show *s)
{
	if (s->failed)
		return false;
	show_check(s, rbl_world_step(s->world, SHOW_DT) == RBL_OK, "the step failed");
	show_check(s, rbl_film_begin_frame(s->film, (float)++s->step * SHOW_DT) == RBL_OK, "no frame");
	rbl_events events = rbl_world_get_events(s->world);
	for (int i = 0; i < events.fracture_count; ++i)
		show_break(s, &events.fractures[i]);
	int count = rbl_world_get_moves(s->world, s->moves, SHOW_MAX_BODIES);
	show_check(s, count <= SHOW_MAX_BODIES, "too many bodies");
	for (int i = 0; i < count && !s->failed; ++i) {
		const show_body *of = &s->bodies[s->moves[i].body.index];
		rbl_vec3 spin = rbl_body_angular_velocity(s->world, s->moves[i].body);
		if (of->object >= 0)
			show_check(s,
			           rbl_film_move_with_angular_velocity(
						   s->film, of->object, show_pose(of, s->moves[i].pose), spin) == RBL_OK,
			           "not moved");
	}
	return !s->failed;
}
