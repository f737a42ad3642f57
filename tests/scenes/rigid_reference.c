// SPDX-License-Identifier: MIT
//
// The reference of rigid scenes: the true overlap of every pair of polyhedra, whatever an engine says
// of its contacts. Pairs are those of overlapping boxes around the vertices, found by a sweep along
// x; each pair is tested along every face normal and every cross of two edges, in double precision.

#include "scenes/rigid.h"

#include "base/vec.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static const double DEEP = 0.02;

// A polyhedron where it is.
typedef struct placed {
	int body;
	const rigid_shape *shape;
	rbl_boxd box;
	rbl_vec3d vertices[RIGID_MAX_VERTICES], normals[RIGID_MAX_FACES], edges[RIGID_MAX_EDGES];
} placed;

static void place(placed *p, int body, const rigid_shape *shape, const rbl_transformd *pose)
{
	p->body = body, p->shape = shape;
	p->box = rbl_box_empty_d();
	for (int v = 0; v < shape->vertex_count; ++v) {
		p->vertices[v] = rbl_transform_point_d(*pose, shape->vertices[v]);
		p->box = rbl_box_add_point_d(p->box, p->vertices[v]);
	}
	for (int f = 0; f < shape->face_count; ++f)
		p->normals[f] = rbl_rotate_d(pose->rotation, shape->planes[f].normal);
	for (int e = 0; e < shape->edge_count; ++e)
		p->edges[e] = rbl_sub_d(p->vertices[shape->edges[e][1]], p->vertices[shape->edges[e][0]]);
}

// How far the two reach into each other along a unit axis, the shorter way out.
static double overlap_along(const placed *a, const placed *b, rbl_vec3d axis)
{
	double a_low = DBL_MAX, a_high = -DBL_MAX, b_low = DBL_MAX, b_high = -DBL_MAX;
	for (int v = 0; v < a->shape->vertex_count; ++v) {
		double t = rbl_dot_d(axis, a->vertices[v]);
		a_low = t < a_low ? t : a_low, a_high = t > a_high ? t : a_high;
	}
	for (int v = 0; v < b->shape->vertex_count; ++v) {
		double t = rbl_dot_d(axis, b->vertices[v]);
		b_low = t < b_low ? t : b_low, b_high = t > b_high ? t : b_high;
	}
	return fmin(a_high - b_low, b_high - a_low);
}

static double overlap_of(const placed *a, const placed *b)
{
	double least = DBL_MAX;
	for (int side = 0; side < 2; ++side) {
		const placed *of = side ? b : a;
		for (int f = 0; f < of->shape->face_count && least > 0.0; ++f)
			least = fmin(least, overlap_along(a, b, of->normals[f]));
	}
	for (int i = 0; i < a->shape->edge_count && least > 0.0; ++i) {
		for (int j = 0; j < b->shape->edge_count && least > 0.0; ++j) {
			rbl_vec3d axis = rbl_cross_d(a->edges[i], b->edges[j]);
			double square = rbl_length_squared_d(axis);
			double parallel =
				1e-12 * rbl_length_squared_d(a->edges[i]) * rbl_length_squared_d(b->edges[j]);
			if (square > parallel)
				least = fmin(least, overlap_along(a, b, rbl_scale_d(1.0 / sqrt(square), axis)));
		}
	}
	return fmax(least, 0.0);
}

double rigid_overlap(const rigid_shape *a, const rbl_transformd *pose_a, const rigid_shape *b,
                     const rbl_transformd *pose_b)
{
	placed first, second;
	place(&first, 0, a, pose_a);
	place(&second, 1, b, pose_b);
	return overlap_of(&first, &second);
}

static int by_lower_x(const void *a, const void *b)
{
	const placed *p = *(const placed *const *)a, *q = *(const placed *const *)b;
	double d = p->box.lower.x - q->box.lower.x;
	return d < 0.0 ? -1 : d > 0.0 ? 1 : p->body - q->body;
}

static int by_size(const void *a, const void *b)
{
	double d = *(const double *)a - *(const double *)b;
	return d < 0.0 ? -1 : d > 0.0;
}

typedef struct depth_list {
	double *values;
	int count, capacity;
} depth_list;

static bool push_depth(depth_list *depths, double depth)
{
	if (depths->count == depths->capacity) {
		int capacity = depths->capacity ? 2 * depths->capacity : 1024;
		double *values = realloc(depths->values, (size_t)capacity * sizeof *values);
		if (!values)
			return false;
		depths->values = values, depths->capacity = capacity;
	}
	depths->values[depths->count++] = depth;
	return true;
}

static bool find_overlaps(placed **order, int count, rigid_verdict *verdict)
{
	depth_list depths = { NULL, 0, 0 };
	double sum = 0.0, most = 0.0;
	bool ok = true;
	qsort(order, (size_t)count, sizeof *order, by_lower_x);
	for (int i = 0; i < count; ++i) {
		for (int j = i + 1; ok && j < count; ++j) {
			if (order[j]->box.lower.x > order[i]->box.upper.x)
				break;
			if (!rbl_box_overlaps_d(order[i]->box, order[j]->box))
				continue;
			double depth = overlap_of(order[i], order[j]);
			if (depth <= 0.0)
				continue;
			ok = push_depth(&depths, depth);
			sum += depth;
			verdict->deep_count += depth > DEEP;
			if (depth > most) {
				most = depth;
				verdict->deepest[0] = order[i]->body, verdict->deepest[1] = order[j]->body;
			}
		}
	}
	if (depths.count > 0) {
		qsort(depths.values, (size_t)depths.count, sizeof *depths.values, by_size);
		verdict->mean_mm = 1e3 * sum / depths.count;
		verdict->p99_mm = 1e3 * depths.values[(int)(0.99 * (depths.count - 1))];
		verdict->max_mm = 1e3 * most;
	}
	verdict->overlap_count = depths.count;
	free(depths.values);
	return ok;
}

static bool is_inside(const rigid_scene *scene, rbl_vec3d p)
{
	rbl_vec3d l = scene->inside.lower, u = scene->inside.upper;
	return p.x >= l.x && p.x <= u.x && p.y >= l.y && p.y <= u.y && p.z >= l.z && p.z <= u.z;
}

bool rigid_measure(const rigid_scene *scene, const rigid_state *states,
                   const rigid_shape *const *shapes, int step, rigid_verdict *verdict)
{
	*verdict = (rigid_verdict){ .deepest = { -1, -1 } };
	placed *all = malloc((size_t)scene->body_count * sizeof *all);
	placed **order = malloc((size_t)scene->body_count * sizeof *order);
	int count = 0, moving = 0;
	for (int i = scene->static_count; all && order && i < scene->body_count; ++i) {
		const rigid_body *body = &scene->bodies[i];
		const rigid_state *state = &states[i];
		const rigid_shape *shape = shapes ? shapes[i] : &scene->shapes[body->shape];
		if (body->birth_step > step)
			continue;
		double speed = rbl_length_d(state->velocity);
		if (!rbl_is_finite_d(state->pose.position) || !is_inside(scene, state->pose.position)) {
			verdict->escaped_count++;
			if (!rbl_is_finite_d(state->pose.position) || !(speed < 1e9))
				continue;
		}
		if (shape->radius > 0.0)
			continue;
		moving++;
		verdict->speed_mm_s += 1e3 * speed;
		verdict->max_speed_m_s = fmax(verdict->max_speed_m_s, speed);
		verdict->height_m += state->pose.position.y;
		place(&all[count], i, shape, &state->pose);
		verdict->floor_mm = fmax(verdict->floor_mm, -1e3 * all[count].box.lower.y);
		order[count] = &all[count];
		count++;
	}
	if (moving > 0)
		verdict->speed_mm_s /= moving, verdict->height_m /= moving;
	bool ok = all && order && find_overlaps(order, count, verdict);
	free(order);
	free(all);
	return ok;
}
