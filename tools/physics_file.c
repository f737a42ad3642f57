// SPDX-License-Identifier: MIT
//
// Physics data as JSON beside a .glb file. Extensions of glTF for it are drafts that still change;
// names of bodies are those of the nodes.

#include "physics_file.h"

#include "errors.h"
#include "files.h"

#include <math.h>
#include <string.h>

static void put_numbers(FILE *file, const char *key, const double *values, int count)
{
	fprintf(file, "\"%s\": [", key);
	for (int i = 0; i < count; ++i)
		fprintf(file, "%s%.9g", i ? ", " : "", values[i]);
	fprintf(file, "]");
}

static void put_vector(FILE *file, const char *key, rbl_vec3d v)
{
	put_numbers(file, key, (const double[3]){ v.x, v.y, v.z }, 3);
}

static void put_pose(FILE *file, const char *position, const char *rotation, rbl_transform pose)
{
	rbl_quat q = pose.rotation;
	const double numbers[4] = { (double)q.x, (double)q.y, (double)q.z, (double)q.w };
	put_vector(file, position, rbl_to_d(pose.position));
	fprintf(file, ", ");
	put_numbers(file, rotation, numbers, 4);
}

static void begin_item(physics_file *to)
{
	fprintf(to->file, "%s\n    ", to->has_item ? "," : "");
	to->has_item = true;
}

int begin_physics(physics_file *to, const char *path, const char *model)
{
	const char *slash = model ? strrchr(model, '/') : NULL;
	*to = (physics_file){ .file = create_file(path), .path = path };
	if (!to->file)
		return STATUS_FAILED;
	fprintf(to->file, "{\n  \"format\": \"rubble-physics\",\n  \"version\": 1");
	if (model) {
		fprintf(to->file, ",\n  \"model\": ");
		put_json_text(to->file, slash ? slash + 1 : model);
	}
	return STATUS_OK;
}

void begin_physics_list(physics_file *to, const char *name)
{
	fprintf(to->file, ",\n  \"%s\": [", name);
	to->has_item = false;
}

void end_physics_list(physics_file *to)
{
	fprintf(to->file, "%s]", to->has_item ? "\n  " : "");
	to->has_item = false;
}

void put_physics_material(physics_file *to, const char *name, const rbl_material_values *values)
{
	begin_item(to);
	fprintf(to->file, "{\"name\": ");
	put_json_text(to->file, name);
	fprintf(to->file, ", \"density\": %.9g, \"friction\": %.9g, \"restitution\": %.9g}",
	        (double)values->density, (double)values->friction, (double)values->restitution);
}

void begin_physics_body(physics_file *to, const physics_body *body)
{
	static const char *const kinds[] = {
		[RBL_BODY_STATIC] = "static",
		[RBL_BODY_KINEMATIC] = "kinematic",
		[RBL_BODY_DYNAMIC] = "dynamic",
	};
	FILE *file = to->file;
	begin_item(to);
	fprintf(file, "{\"name\": ");
	put_json_text(file, body->name);
	if (body->parent) {
		fprintf(file, ", \"parent\": ");
		put_json_text(file, body->parent);
	}
	fprintf(file, ", \"kind\": \"%s\", \"birth\": %.9g, \"material\": %d,\n     ",
	        kinds[body->kind], body->birth, body->material);
	put_pose(file, "position", "rotation", body->pose);
	fprintf(file, ",\n     ");
	put_vector(file, "velocity", rbl_to_d(body->velocity));
	fprintf(file, ", ");
	put_vector(file, "angular_velocity", rbl_to_d(body->angular_velocity));
	fprintf(file, ",\n     \"mass\": %.9g, ", body->mass);
	put_vector(file, "centre", body->centre);
	const rbl_mat3d *m = &body->inertia;
	const double inertia[6] = { m->x.x, m->y.y, m->z.z, m->y.x, m->z.x, m->z.y };
	fprintf(file, ", ");
	put_numbers(file, "inertia", inertia, 6);
	fprintf(file, ",\n     \"colliders\": [");
	to->collider_count = 0;
}

static void begin_collider(physics_file *to, const char *shape)
{
	fprintf(to->file, "%s\n      {\"shape\": \"%s\"", to->collider_count++ ? "," : "", shape);
}

// Points, each once: corners of a convex where many planes meet differ by rounding.
static void put_points(physics_file *to, const rbl_vec3d *points, int count, rbl_vec3d origin)
{
	double size = 0.0;
	for (int i = 0; i < count; ++i)
		size = fmax(size, rbl_distance_d(points[i], points[0]));
	fprintf(to->file, ", \"vertices\": [");
	for (int i = 0; i < count; ++i) {
		bool is_known = false;
		for (int k = 0; k < i && !is_known; ++k)
			is_known = rbl_distance_d(points[k], points[i]) <= 1e-7 * size;
		if (!is_known)
			fprintf(to->file, "%s[%.7g, %.7g, %.7g]", i ? ", " : "", points[i].x - origin.x,
			        points[i].y - origin.y, points[i].z - origin.z);
	}
	fprintf(to->file, "]");
}

void put_physics_convex(physics_file *to, const rbl_convex *convex, rbl_vec3d origin, int material,
                        bool is_anchored)
{
	rbl_convex_data data = rbl_convex_get_data(convex);
	begin_collider(to, "convex");
	if (material >= 0)
		fprintf(to->file, ", \"material\": %d", material);
	if (is_anchored)
		fprintf(to->file, ", \"anchored\": true");
	put_points(to, data.vertices, data.vertex_count, origin);
	fprintf(to->file, "}");
}

void put_physics_box(physics_file *to, const double *size, double rounding)
{
	begin_collider(to, "box");
	fprintf(to->file, ", ");
	put_numbers(to->file, "size", size, 3);
	fprintf(to->file, ", \"rounding\": %.9g}", rounding);
}

void put_physics_ball(physics_file *to, double radius)
{
	begin_collider(to, "sphere");
	fprintf(to->file, ", \"radius\": %.9g}", radius);
}

void put_physics_round(physics_file *to, const char *shape, double radius, double length, int axis)
{
	begin_collider(to, shape);
	fprintf(to->file, ", \"radius\": %.9g, \"length\": %.9g, \"axis\": \"%c\"}", radius, length,
	        "xyz"[axis]);
}

void put_physics_plane(physics_file *to, const double *normal)
{
	begin_collider(to, "plane");
	fprintf(to->file, ", ");
	put_numbers(to->file, "normal", normal, 3);
	fprintf(to->file, "}");
}

void put_physics_mesh(physics_file *to)
{
	begin_collider(to, "mesh");
	fprintf(to->file, "}");
}

void put_physics_points(physics_file *to, const rbl_mesh *mesh)
{
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	begin_collider(to, "convex");
	put_points(to, data.positions, data.vertex_count, (rbl_vec3d){ 0.0, 0.0, 0.0 });
	fprintf(to->file, "}");
}

void end_physics_colliders(physics_file *to)
{
	fprintf(to->file, "],\n     \"bonds\": [");
	to->has_item = false;
}

void end_physics_body(physics_file *to)
{
	fprintf(to->file, "]}");
	to->has_item = true;
}

void put_physics_bond(physics_file *to, int a, int b, double area, rbl_vec3d centre,
                      double strength)
{
	begin_item(to);
	fprintf(to->file, "{\"a\": %d, \"b\": %d, \"area\": %.9g, ", a, b, area);
	put_vector(to->file, "centre", centre);
	if (strength != 1.0)
		fprintf(to->file, ", \"strength\": %.9g", strength);
	fprintf(to->file, "}");
}

void put_physics_joint(physics_file *to, const rbl_joint_def *def, const char *a, const char *b)
{
	static const char *const kinds[RBL_JOINT_KIND_COUNT] = {
		[RBL_JOINT_WELD] = "weld",         [RBL_JOINT_HINGE] = "hinge",
		[RBL_JOINT_BALL] = "ball",         [RBL_JOINT_PRISMATIC] = "prismatic",
		[RBL_JOINT_DISTANCE] = "distance", [RBL_JOINT_WHEEL] = "wheel",
		[RBL_JOINT_MOTOR] = "motor",
	};
	FILE *file = to->file;
	begin_item(to);
	fprintf(file, "{\"kind\": \"%s\", \"a\": ", kinds[def->kind]);
	put_json_text(file, a);
	fprintf(file, ", \"b\": ");
	put_json_text(file, b);
	fprintf(file, ", ");
	put_pose(file, "position_a", "rotation_a", def->frame_a);
	fprintf(file, ", ");
	put_pose(file, "position_b", "rotation_b", def->frame_b);
	bool is_angular = def->kind == RBL_JOINT_HINGE || def->kind == RBL_JOINT_BALL;
	if (def->has_limits)
		fprintf(file, ", \"lower\": %.9g, \"upper\": %.9g",
		        (double)(is_angular ? def->lower_angle : def->lower_distance),
		        (double)(is_angular ? def->upper_angle : def->upper_distance));
	if (def->has_cone)
		fprintf(file, ", \"cone_angle\": %.9g", (double)def->cone_angle);
	if (def->has_motor)
		fprintf(file, ", \"motor_speed\": %.9g, \"motor_force\": %.9g, \"motor_torque\": %.9g",
		        (double)def->motor_speed, (double)def->motor_force, (double)def->motor_torque);
	if (def->has_spring)
		fprintf(file, ", \"spring_hertz\": %.9g, \"spring_damping\": %.9g, \"spring_target\": %.9g",
		        (double)def->spring_hertz, (double)def->spring_damping, (double)def->spring_target);
	if (isfinite(def->break_force))
		fprintf(file, ", \"break_force\": %.9g", (double)def->break_force);
	if (isfinite(def->break_torque))
		fprintf(file, ", \"break_torque\": %.9g", (double)def->break_torque);
	fprintf(file, ", \"collides\": %s}", def->collides ? "true" : "false");
}

int end_physics(physics_file *to)
{
	fprintf(to->file, "\n}\n");
	int status = close_file(to->file, to->path);
	to->file = NULL;
	return status;
}
