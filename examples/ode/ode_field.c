// SPDX-License-Identifier: MIT
// Rubble's distance fields inside another engine: hollow things fall into a bowl, ODE moves them,
// and fields find what touches. No world, no convex parts.
//
//     ode_field [OUT.glb [STEPS]]
//
// A mesh has one field and one shape, which all bodies of that mesh share. For each pair of bodies
// that are near, rbl_field_contacts_find() gives manifolds, whose points become contact joints.

#include "ode_side.h"

#include <rubble/io.h>

#include <math.h>
#include <stdlib.h>

enum { MAX_BODIES = 32, LOOK_COUNT = 3 };

static const double STEP = 1.0 / 240.0;
static const float MARGIN = 0.03f; // metres: what may touch within a step at 7 m/s

// A mesh: how it looks, and what contacts need of it, around its centre of mass.
typedef struct look {
	rbl_distance_field *field;
	rbl_field_shape *shape;
	rbl_mass mass;
	float radius;
	int mesh; // of the film
} look;

typedef struct body {
	const look *look;
	dBodyID ode; // NULL: it stands still
	rbl_transform pose;
	int object;
} body;

typedef struct scene {
	ode_side ode;
	rbl_film *film;
	look looks[LOOK_COUNT];
	rbl_distance_field *floor_field;
	rbl_field_shape *floor_shape;
	rbl_field_contacts *contacts;
	body bodies[MAX_BODIES];
	int body_count;
	rbl_field_contact_memory memories[MAX_BODIES][MAX_BODIES + 1]; // by pair; last with the floor
	int pair_count, point_count, most_points;
	double deepest;
} scene;

// --- making ----------------------------------------------------------------------------------

// A copy around the centre of mass, with normals.
static rbl_mesh *centred(const rbl_mesh *mesh, rbl_vec3d centre)
{
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = rbl_mesh_get_data(mesh);
	rbl_vec3d *positions = malloc((size_t)def.data.vertex_count * sizeof *positions);
	rbl_vec3 *normals = malloc((size_t)def.data.corner_count * sizeof *normals);
	rbl_mesh *moved = NULL;
	if (positions && normals && rbl_mesh_compute_normals(mesh, 0.6f, normals) == RBL_OK) {
		for (int v = 0; v < def.data.vertex_count; ++v) {
			rbl_vec3d at = def.data.positions[v];
			positions[v] = (rbl_vec3d){ at.x - centre.x, at.y - centre.y, at.z - centre.z };
		}
		def.data.positions = positions;
		def.data.corner_normals = normals;
		rbl_create_mesh(&def, &moved);
	}
	free(normals);
	free(positions);
	return moved;
}

// Field and points of a closed mesh; the mesh goes to the film.
static bool make_look(scene *s, look *l, rbl_mesh *mesh, double wall)
{
	if (!mesh)
		return false;
	l->mass = rbl_mesh_get_mass(mesh);
	rbl_mesh *moved = centred(mesh, l->mass.centre);
	rbl_destroy_mesh(mesh);
	rbl_distance_field_def field_def = rbl_default_distance_field_def();
	field_def.mesh = moved;
	field_def.wall = wall;
	bool ok = moved && rbl_create_distance_field(&field_def, &l->field) == RBL_OK;
	rbl_field_shape_def shape_def = rbl_default_field_shape_def();
	shape_def.mesh = moved;
	shape_def.field = l->field;
	ok = ok && rbl_create_field_shape(&shape_def, &l->shape) == RBL_OK;
	if (!ok) {
		rbl_destroy_mesh(moved);
		return false;
	}
	rbl_box box = rbl_field_shape_get_info(l->shape).bounds;
	float x = fmaxf(-box.lower.x, box.upper.x), y = fmaxf(-box.lower.y, box.upper.y);
	float z = fmaxf(-box.lower.z, box.upper.z);
	l->radius = sqrtf(x * x + y * y + z * z);
	return rbl_film_add_mesh(s->film, moved, &l->mesh) == RBL_OK;
}

// The ground has a field and no points: a box, given by nothing but itself.
static bool make_floor(scene *s)
{
	rbl_fragment_field_def def = rbl_default_fragment_field_def();
	def.without_original = true;
	def.box = (rbl_box){ { -10.0f, -1.0f, -10.0f }, { 10.0f, 0.0f, 10.0f } };
	rbl_field_shape_def shape_def = rbl_default_field_shape_def();
	bool ok = rbl_create_fragment_field(&def, &s->floor_field) == RBL_OK;
	shape_def.field = s->floor_field;
	return ok && rbl_create_field_shape(&shape_def, &s->floor_shape) == RBL_OK;
}

static bool make_looks(scene *s)
{
	rbl_plate_def bowl = rbl_default_plate_def();
	rbl_torus_def ring = rbl_default_torus_def();
	rbl_mug_def mug = rbl_default_mug_def();
	bowl.radius = 0.25, bowl.height = 0.12, bowl.wall = 0.01;
	ring.radius = 0.05, ring.thickness = 0.012;
	rbl_mesh *meshes[LOOK_COUNT] = { NULL, NULL, NULL };
	rbl_create_plate_mesh(&bowl, &meshes[0]);
	rbl_create_torus_mesh(&ring, &meshes[1]);
	rbl_create_mug_mesh(&mug, &meshes[2]);
	return make_look(s, &s->looks[0], meshes[0], bowl.wall) &&
	       make_look(s, &s->looks[1], meshes[1], 0.0) &&
	       make_look(s, &s->looks[2], meshes[2], mug.wall);
}

static bool add_body(scene *s, const look *l, rbl_vec3d at, double angle, bool is_moving)
{
	body *made = &s->bodies[s->body_count++];
	*made = (body){ .look = l,
		            .pose = { { (float)at.x, (float)at.y, (float)at.z }, { 0, 0, 0, 1.0f } } };
	if (is_moving) {
		dQuaternion q;
		dQFromAxisAndAngle(q, 1.0, 0.3, 0.5, angle);
		made->ode = make_ode_body(&s->ode, l->mass);
		dBodySetPosition(made->ode, at.x, at.y, at.z);
		dBodySetQuaternion(made->ode, q);
		made->pose = ode_pose(made->ode);
	}
	return rbl_film_add_object(s->film, l->mesh, made->pose, &made->object) == RBL_OK;
}

static bool open_scene(scene *s)
{
	open_ode(&s->ode);
	rbl_film_def film_def = rbl_default_film_def();
	bool ok = rbl_create_film(&film_def, &s->film) == RBL_OK && make_looks(s) && make_floor(s) &&
	          rbl_create_field_contacts(NULL, &s->contacts) == RBL_OK;
	double foot = ok ? -(double)rbl_field_shape_get_info(s->looks[0].shape).bounds.lower.y : 0.0;
	ok = ok && add_body(s, &s->looks[0], (rbl_vec3d){ 0.0, foot, 0.0 }, 0.0, false);
	for (int i = 0; ok && i < 15; ++i) {
		double angle = 2.4 * i, radius = 0.02 + 0.005 * (i % 5);
		rbl_vec3d at = { radius * cos(angle), 0.25 + 0.12 * i, radius * sin(angle) };
		ok = add_body(s, &s->looks[1 + i % 2], at, 0.7 * i, true);
	}
	return ok;
}

static void close_scene(scene *s)
{
	rbl_destroy_field_contacts(s->contacts);
	rbl_destroy_field_shape(s->floor_shape);
	rbl_destroy_distance_field(s->floor_field);
	for (int i = 0; i < LOOK_COUNT; ++i) {
		rbl_destroy_field_shape(s->looks[i].shape);
		rbl_destroy_distance_field(s->looks[i].field);
	}
	rbl_destroy_film(s->film);
	close_ode(&s->ode);
}

// --- moving ----------------------------------------------------------------------------------

static rbl_field_side side_of(const body *b)
{
	rbl_field_side side = { .shape = b->look->shape, .pose = b->pose };
	if (b->ode) {
		const dReal *v = dBodyGetLinearVel(b->ode), *w = dBodyGetAngularVel(b->ode);
		side.velocity = (rbl_vec3){ (float)v[0], (float)v[1], (float)v[2] };
		side.angular_velocity = (rbl_vec3){ (float)w[0], (float)w[1], (float)w[2] };
	}
	return side;
}

// Contacts of a pair as joints, also of what will touch within the step: walls are thin.
static bool touch(scene *s, const rbl_field_side *a, const rbl_field_side *b, dBodyID ode_a,
                  dBodyID ode_b, rbl_field_contact_memory *memory)
{
	rbl_field_contact_settings settings = rbl_default_field_contact_settings();
	settings.dt = (float)STEP;
	settings.margin = MARGIN;
	rbl_field_contact_list list;
	if (rbl_field_contacts_find(s->contacts, a, b, &settings, memory, &list) != RBL_OK)
		return false;
	int count = 0;
	for (int i = 0; i < list.manifold_count; ++i)
		for (int k = 0; k < list.manifolds[i].point_count; ++k) {
			const rbl_manifold_point *point = &list.manifolds[i].points[k];
			add_joint(&s->ode, list.manifolds[i].normal, point, ode_a, ode_b, STEP);
			s->deepest = fmax(s->deepest, -(double)point->separation);
			count++;
		}
	s->pair_count += count > 0;
	s->point_count += count;
	s->most_points = list.point_count > s->most_points ? list.point_count : s->most_points;
	return true;
}

static bool are_near(const body *a, const body *b)
{
	float x = a->pose.position.x - b->pose.position.x, y = a->pose.position.y - b->pose.position.y;
	float z = a->pose.position.z - b->pose.position.z,
		  r = a->look->radius + b->look->radius + MARGIN;
	return (a->ode || b->ode) && x * x + y * y + z * z < r * r;
}

static bool step(scene *s)
{
	s->pair_count = s->point_count = 0;
	s->deepest = 0.0;
	for (int i = 0; i < s->body_count; ++i)
		if (s->bodies[i].ode)
			s->bodies[i].pose = ode_pose(s->bodies[i].ode);
	rbl_field_side ground = { .shape = s->floor_shape, .pose = { { 0, 0, 0 }, { 0, 0, 0, 1.0f } } };
	for (int i = 0; i < s->body_count; ++i) {
		const body *a = &s->bodies[i];
		rbl_field_side side = side_of(a);
		if (a->ode && a->pose.position.y < a->look->radius + MARGIN &&
		    !touch(s, &side, &ground, a->ode, NULL, &s->memories[i][MAX_BODIES]))
			return false;
		for (int k = i + 1; k < s->body_count; ++k) {
			rbl_field_side other = side_of(&s->bodies[k]);
			if (are_near(a, &s->bodies[k]) &&
			    !touch(s, &side, &other, a->ode, s->bodies[k].ode, &s->memories[i][k]))
				return false;
		}
	}
	step_ode(&s->ode, STEP);
	return true;
}

int main(int argc, char **argv)
{
	const char *path = argc > 1 ? argv[1] : "ode-field.glb";
	int step_count = argc > 2 ? atoi(argv[2]) : 960;
	static scene s;
	rbl_set_log(print_log, argv[0]);
	bool ok = open_scene(&s);
	for (int i = 0; ok && i < step_count; ++i) {
		ok = step(&s) &&
		     (i % 4 != 3 || rbl_film_begin_frame(s.film, (float)((i + 1) * STEP)) == RBL_OK);
		for (int k = 0; ok && i % 4 == 3 && k < s.body_count; ++k)
			ok = rbl_film_move(s.film, s.bodies[k].object, s.bodies[k].pose) == RBL_OK;
	}
	int in_bowl = 0;
	double lowest = 1e9, speed = 0.0;
	for (int i = 1; ok && i < s.body_count; ++i) {
		const dReal *p = dBodyGetPosition(s.bodies[i].ode), *v = dBodyGetLinearVel(s.bodies[i].ode);
		lowest = fmin(lowest, p[1]);
		speed = fmax(speed, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
		in_bowl += p[0] * p[0] + p[2] * p[2] < 0.25 * 0.25;
	}
	ok = ok && rbl_write_film(path, s.film, NULL) == RBL_OK;
	printf("%d rings and mugs moved by ODE for %d steps, %d of them over the bowl\n",
	       s.body_count - 1, step_count, in_bowl);
	printf("  last step: %d pairs touch with %d points, at most %d chosen for any pair so far\n",
	       s.pair_count, s.point_count, s.most_points);
	printf("  deepest %.2f mm, fastest %.0f mm/s, written to %s\n", 1e3 * s.deepest, 1e3 * speed,
	       path);
	ok = ok && lowest > 0.0 && isfinite(speed) && s.deepest < 0.003;
	close_scene(&s);
	return ok ? 0 : 1;
}
