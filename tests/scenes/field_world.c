// SPDX-License-Identifier: MIT
//
// Soft steps after Catto ("Solver2D", 2024): small steps, soft contacts with a bias, then without.

#include "scenes/field_world.h"

#include "scenes/analytic_fields.h"

#include "base/clock.h"
#include "base/math.h"
#include "base/vec.h"

#include <stdlib.h>

enum { SUBSTEPS = 8 };

static const float contact_hertz = 120.0f, contact_damping = 10.0f, push_speed = 3.0f;

typedef struct field_world_constraint {
	int a, b;
	field_world_pair *pair;
	uint32_t id;
	rbl_vec3 normal, tangents[2];
	rbl_vec3 arms[2]; // from the centres of mass, at the start of the step
	float separation; // at the start of the step
	float mass, tangent_masses[2];
	float impulse, tangent_impulses[2];
} constraint;

// What a body has moved since the start of the step, and its inertia then.
typedef struct moving {
	rbl_vec3 position; // moved by
	rbl_quat rotation; // turned by
	rbl_mat3 inverse_inertia;
} moving;

bool field_world_open(field_world *world, int body_capacity)
{
	size_t pairs = (size_t)body_capacity * (size_t)body_capacity;
	*world = (field_world){ .body_capacity = body_capacity,
		                    .settings = rbl_default_field_contact_settings(),
		                    .gravity = 9.81f,
		                    .friction = 0.4f };
	world->bodies = calloc((size_t)body_capacity, sizeof *world->bodies);
	world->pairs = calloc(pairs, sizeof *world->pairs);
	rbl_arena_init(&world->arena, NULL, 1 << 16);
	return world->bodies && world->pairs;
}

void field_world_close(field_world *world)
{
	for (int i = 0; i < world->body_count; ++i)
		rbl_sphere_tree_destroy(&world->bodies[i].shape.tree);
	for (int i = 0; world->pairs && i < world->body_capacity * world->body_capacity; ++i)
		free(world->pairs[i].impulses);
	free(world->bodies);
	free(world->pairs);
	free(world->constraints);
	rbl_arena_destroy(&world->arena);
	*world = (field_world){ 0 };
}

int field_world_add(field_world *world, const field_world_body *body)
{
	field_world_body *added = &world->bodies[world->body_count];
	*added = *body;
	if (!added->shape.field)
		added->shape.field = &added->own.head;
	return world->body_count++;
}

int field_world_add_floor(field_world *world)
{
	return field_world_add(world,
	                       &(field_world_body){ .own = floor_field(NULL),
	                                            .pose = { { 0 }, { 0.0f, 0.0f, 0.0f, 1.0f } },
	                                            .radius = INFINITY });
}

void field_world_set_mass(field_world_body *body, const rbl_mass *mass)
{
	const double density = 1000.0;
	body->inverse_mass = (float)(1.0 / (density * mass->volume));
	const rbl_mat3d *i = &mass->inertia;
	rbl_mat3 inertia = { rbl_to_f(i->x), rbl_to_f(i->y), rbl_to_f(i->z) };
	// Small bodies have an inertia whose determinant is below a float: invert it scaled.
	float scale = 1.0f / (inertia.x.x + inertia.y.y + inertia.z.z);
	rbl_mat3 inverse = rbl_mat_inverse(rbl_mat_scale(scale, inertia));
	body->inverse_inertia = rbl_mat_scale(scale / (float)density, inverse);
}

// --- contacts -----------------------------------------------------------------------------------

static rbl_field_side side_of(const field_world_body *body)
{
	return (rbl_field_side){ .shape = &body->shape,
		                     .pose = body->pose,
		                     .velocity = body->velocity,
		                     .angular_velocity = body->angular_velocity };
}

static bool is_near(const field_world *world, const field_world_body *a, const field_world_body *b)
{
	if (a->inverse_mass + b->inverse_mass == 0.0f)
		return false;
	if (a->radius == INFINITY || b->radius == INFINITY) {
		const field_world_body *ball = a->radius == INFINITY ? b : a;
		return ball->pose.position.y < ball->radius + world->settings.margin;
	}
	float reach = a->radius + b->radius + rbl_minf(world->settings.margin, 0.1f);
	return rbl_distance(a->pose.position, b->pose.position) < reach;
}

static bool add_constraint(field_world *world, int a, int b, rbl_vec3 position, rbl_vec3 normal,
                           float separation, uint32_t id)
{
	if (world->constraint_count == world->constraint_capacity) {
		int capacity = rbl_maxi(256, 2 * world->constraint_capacity);
		void *grown = realloc(world->constraints, (size_t)capacity * sizeof(constraint));
		if (!grown)
			return false;
		world->constraints = grown;
		world->constraint_capacity = capacity;
	}
	field_world_pair *pair = &world->pairs[a * world->body_capacity + b];
	constraint *c = &world->constraints[world->constraint_count++];
	*c = (constraint){ .a = a, .b = b, .pair = pair, .id = id };
	c->normal = normal;
	c->separation = separation;
	c->arms[0] = rbl_sub(position, world->bodies[a].pose.position);
	c->arms[1] = rbl_sub(position, world->bodies[b].pose.position);
	c->tangents[0] = rbl_perpendicular(normal);
	c->tangents[1] = rbl_cross(normal, c->tangents[0]);
	for (int i = 0; i < pair->impulse_count; ++i)
		if (pair->impulses[i].id == id) {
			c->impulse = pair->impulses[i].normal;
			c->tangent_impulses[0] = pair->impulses[i].tangent[0];
			c->tangent_impulses[1] = pair->impulses[i].tangent[1];
		}
	return true;
}

static bool find_contacts(field_world *world)
{
	bool ok = true;
	world->constraint_count = 0;
	world->point_count = world->manifold_count = world->visited_count = 0;
	world->pair_count = world->touching_count = 0;
	world->query_ns = 0;
	for (int a = 0; a < world->body_count; ++a)
		for (int b = a + 1; b < world->body_count && ok; ++b) {
			field_world_pair *pair = &world->pairs[a * world->body_capacity + b];
			rbl_field_contact_list found = { 0 };
			if (!is_near(world, &world->bodies[a], &world->bodies[b])) {
				pair->memory = (rbl_field_contact_memory){ 0 };
				pair->impulse_count = 0;
				continue;
			}
			rbl_field_side sides[2] = { side_of(&world->bodies[a]), side_of(&world->bodies[b]) };
			rbl_arena_reset(&world->arena);
			uint64_t start = rbl_clock_ns();
			ok = rbl_find_field_contacts(&sides[0], &sides[1], &world->settings, &world->arena,
			                             &pair->memory, &found) == RBL_OK;
			world->query_ns += rbl_clock_ns() - start;
			world->pair_count++;
			world->touching_count += found.point_count > 0;
			world->point_count += found.point_count;
			world->manifold_count += found.manifold_count;
			world->visited_count += found.visited[0] + found.visited[1];
			for (int i = 0; i < found.point_count && ok && !world->uses_manifolds; ++i)
				ok = add_constraint(world, a, b, found.points[i].position, found.points[i].normal,
				                    found.points[i].separation, found.points[i].id);
			for (int i = 0; i < found.manifold_count && world->uses_manifolds; ++i)
				for (int k = 0; k < found.manifolds[i].point_count && ok; ++k) {
					const rbl_manifold_point *p = &found.manifolds[i].points[k];
					ok = add_constraint(world, a, b, p->position, found.manifolds[i].normal,
					                    p->separation, p->id);
				}
		}
	world->solved_count = world->constraint_count;
	return ok;
}

// --- solver -------------------------------------------------------------------------------------

static float mass_along(const field_world *world, const moving *motions, const constraint *c,
                        rbl_vec3 direction)
{
	float sum = 0.0f;
	for (int k = 0; k < 2; ++k) {
		int i = k == 0 ? c->a : c->b;
		rbl_vec3 turn = rbl_cross(c->arms[k], direction);
		sum += world->bodies[i].inverse_mass +
		       rbl_dot(turn, rbl_mat_vec(motions[i].inverse_inertia, turn));
	}
	return sum > 0.0f ? 1.0f / sum : 0.0f;
}

static void push(field_world *world, const moving *motions, const constraint *c, rbl_vec3 impulse)
{
	for (int k = 0; k < 2; ++k) {
		int i = k == 0 ? c->a : c->b;
		field_world_body *body = &world->bodies[i];
		float sign = k == 0 ? -1.0f : 1.0f;
		body->velocity = rbl_add_scaled(body->velocity, sign * body->inverse_mass, impulse);
		rbl_vec3 turn = rbl_mat_vec(motions[i].inverse_inertia, rbl_cross(c->arms[k], impulse));
		body->angular_velocity = rbl_add_scaled(body->angular_velocity, sign, turn);
	}
}

static rbl_vec3 relative_velocity(const field_world *world, const constraint *c)
{
	const field_world_body *a = &world->bodies[c->a], *b = &world->bodies[c->b];
	rbl_vec3 va = rbl_add(a->velocity, rbl_cross(a->angular_velocity, c->arms[0]));
	return rbl_sub(rbl_add(b->velocity, rbl_cross(b->angular_velocity, c->arms[1])), va);
}

static float current_separation(const moving *motions, const constraint *c)
{
	rbl_vec3 moved[2];
	for (int k = 0; k < 2; ++k) {
		const moving *m = &motions[k == 0 ? c->a : c->b];
		rbl_vec3 turned = rbl_sub(rbl_rotate(m->rotation, c->arms[k]), c->arms[k]);
		moved[k] = rbl_add(m->position, turned);
	}
	return c->separation + rbl_dot(rbl_sub(moved[1], moved[0]), c->normal);
}

static void solve(field_world *world, const moving *motions, float h, bool has_bias)
{
	float omega = 2.0f * RBL_PI_F * rbl_minf(contact_hertz, 0.25f / h);
	float a1 = 2.0f * contact_damping + h * omega, a2 = h * omega * a1, a3 = 1.0f / (1.0f + a2);
	for (int i = 0; i < world->constraint_count; ++i) {
		constraint *c = &world->constraints[i];
		float separation = current_separation(motions, c), bias = 0.0f;
		float mass_scale = 1.0f, impulse_scale = 0.0f;
		if (separation > 0.0f) {
			bias = separation / h;
		} else if (has_bias) {
			bias = rbl_maxf(omega / a1 * separation, -push_speed);
			mass_scale = a2 * a3, impulse_scale = a3;
		}
		float speed = rbl_dot(relative_velocity(world, c), c->normal);
		float impulse = -c->mass * mass_scale * (speed + bias) - impulse_scale * c->impulse;
		float total = rbl_maxf(c->impulse + impulse, 0.0f);
		push(world, motions, c, rbl_scale(total - c->impulse, c->normal));
		c->impulse = total;
		float most = world->friction * c->impulse;
		for (int k = 0; k < 2; ++k) {
			float slip = rbl_dot(relative_velocity(world, c), c->tangents[k]);
			float kept =
				rbl_clampf(c->tangent_impulses[k] - c->tangent_masses[k] * slip, -most, most);
			push(world, motions, c, rbl_scale(kept - c->tangent_impulses[k], c->tangents[k]));
			c->tangent_impulses[k] = kept;
		}
	}
}

static void integrate(field_world *world, moving *motions, float h)
{
	for (int i = 0; i < world->body_count; ++i) {
		field_world_body *body = &world->bodies[i];
		if (body->inverse_mass == 0.0f)
			continue;
		motions[i].position = rbl_add_scaled(motions[i].position, h, body->velocity);
		rbl_vec3 w = rbl_scale(0.5f * h, body->angular_velocity);
		rbl_quat turn = { w.x, w.y, w.z, 0.0f }, q = motions[i].rotation;
		rbl_quat change = rbl_quat_mul(turn, q);
		motions[i].rotation = rbl_quat_normalize(
			(rbl_quat){ q.x + change.x, q.y + change.y, q.z + change.z, q.w + change.w });
	}
}

static bool keep_impulses(field_world *world)
{
	for (int i = 0; i < world->body_capacity * world->body_capacity; ++i)
		world->pairs[i].impulse_count = 0;
	for (int i = 0; i < world->constraint_count; ++i) {
		const constraint *c = &world->constraints[i];
		field_world_pair *pair = c->pair;
		if (pair->impulse_count == pair->impulse_capacity) {
			int capacity = rbl_maxi(16, 2 * pair->impulse_capacity);
			void *grown = realloc(pair->impulses, (size_t)capacity * sizeof *pair->impulses);
			if (!grown)
				return false;
			pair->impulses = grown;
			pair->impulse_capacity = capacity;
		}
		pair->impulses[pair->impulse_count++] = (field_world_impulse){
			c->id, c->impulse, { c->tangent_impulses[0], c->tangent_impulses[1] }
		};
	}
	return true;
}

bool field_world_step(field_world *world, float dt)
{
	world->settings.dt = dt;
	moving *motions = malloc((size_t)world->body_count * sizeof *motions);
	bool ok = motions && find_contacts(world);
	for (int i = 0; ok && i < world->body_count; ++i) {
		rbl_mat3 r = rbl_quat_to_mat(world->bodies[i].pose.rotation);
		rbl_mat3 turned =
			rbl_mat_mul(rbl_mat_mul(r, world->bodies[i].inverse_inertia), rbl_mat_transpose(r));
		motions[i] = (moving){ { 0.0f, 0.0f, 0.0f }, rbl_quat_identity(), turned };
	}
	for (int i = 0; ok && i < world->constraint_count; ++i) {
		constraint *c = &world->constraints[i];
		c->mass = mass_along(world, motions, c, c->normal);
		for (int k = 0; k < 2; ++k)
			c->tangent_masses[k] = mass_along(world, motions, c, c->tangents[k]);
	}
	float h = dt / SUBSTEPS;
	for (int step = 0; ok && step < SUBSTEPS; ++step) {
		for (int i = 0; i < world->body_count; ++i)
			if (world->bodies[i].inverse_mass > 0.0f)
				world->bodies[i].velocity.y -= world->gravity * h;
		for (int i = 0; i < world->constraint_count; ++i) {
			constraint *c = &world->constraints[i];
			rbl_vec3 kept = rbl_scale(c->impulse, c->normal);
			for (int k = 0; k < 2; ++k)
				kept = rbl_add_scaled(kept, c->tangent_impulses[k], c->tangents[k]);
			push(world, motions, c, kept);
		}
		solve(world, motions, h, true);
		integrate(world, motions, h);
		solve(world, motions, h, false);
	}
	for (int i = 0; ok && i < world->body_count; ++i) {
		rbl_transform *pose = &world->bodies[i].pose;
		pose->position = rbl_add(pose->position, motions[i].position);
		pose->rotation = rbl_quat_normalize(rbl_quat_mul(motions[i].rotation, pose->rotation));
	}
	ok = ok && keep_impulses(world);
	free(motions);
	return ok;
}

static float deepest_of_way(const field_world_body *points, const field_world_body *field)
{
	float least = 0.0f;
	rbl_transform relative = rbl_transform_relative(field->pose, points->pose);
	for (int i = 0; i < points->shape.tree.count; ++i) {
		rbl_vec3 p = rbl_transform_point(relative, points->shape.tree.positions[i]);
		float distance, bound;
		rbl_distance_field_evaluate(field->shape.field, &p, 1, &distance, &bound, NULL);
		least = rbl_minf(least, distance);
	}
	return -least;
}

float field_world_penetration(const field_world *world)
{
	float most = 0.0f;
	for (int a = 0; a < world->body_count; ++a)
		for (int b = a + 1; b < world->body_count; ++b)
			if (is_near(world, &world->bodies[a], &world->bodies[b])) {
				most = rbl_maxf(most, deepest_of_way(&world->bodies[a], &world->bodies[b]));
				most = rbl_maxf(most, deepest_of_way(&world->bodies[b], &world->bodies[a]));
			}
	return most;
}

// --- bodies of revolution -----------------------------------------------------------------------

// Volume and moments by rings, from many thin slices of each side of the profile (Green's theorem).
static rbl_mass lathe_mass(const lathe_shape *shape)
{
	double volume = 0.0, first = 0.0, axial = 0.0, squares = 0.0; // of y, of r^2, of y^2
	enum { SLICES = 200 };
	for (int i = 0, k = shape->count - 1; i < shape->count; k = i++) {
		rbl_vec2 a = shape->profile[k], b = shape->profile[i];
		for (int s = 0; s < SLICES; ++s) {
			double t = (s + 0.5) / SLICES, dy = (double)(b.y - a.y) / SLICES;
			double r = (double)a.x + t * (double)(b.x - a.x);
			double y = (double)a.y + t * (double)(b.y - a.y);
			volume += RBL_PI * r * r * dy;
			first += RBL_PI * r * r * y * dy;
			squares += RBL_PI * r * r * y * y * dy;
			axial += 0.5 * RBL_PI * r * r * r * r * dy;
		}
	}
	double centre = first / volume;
	double across = 0.5 * axial + squares - volume * centre * centre;
	return (rbl_mass){ volume,
		               { 0.0, centre, 0.0 },
		               { { across, 0.0, 0.0 }, { 0.0, axial, 0.0 }, { 0.0, 0.0, across } } };
}

bool field_world_lathe(const lathe_shape *shape, int segments, field_world_body *body)
{
	*body = (field_world_body){ .own = lathe_field(shape),
		                        .pose = { { 0 }, { 0.0f, 0.0f, 0.0f, 1.0f } } };
	int capacity = shape->count * segments, n = 0;
	rbl_vec3 *points = malloc((size_t)capacity * sizeof *points);
	bool ok = points != NULL;
	for (int i = 0; i < shape->count && ok; ++i)
		for (int k = 0; k < (shape->profile[i].x > 0.0f ? segments : 1); ++k) {
			double angle = 2.0 * RBL_PI * k / segments;
			points[n] =
				(rbl_vec3){ shape->profile[i].x * (float)rbl_cos(angle), shape->profile[i].y,
				            shape->profile[i].x * (float)rbl_sin(angle) };
			body->radius = rbl_maxf(body->radius, rbl_length(points[n++]));
		}
	rbl_arena arena;
	rbl_arena_init(&arena, NULL, 1 << 16);
	ok = ok && rbl_sphere_tree_build(&(rbl_sphere_tree_def){ points, NULL, n, 0 }, &arena, NULL,
	                                 &body->shape.tree) == RBL_OK;
	rbl_arena_destroy(&arena);
	free(points);
	rbl_mass mass = lathe_mass(shape);
	field_world_set_mass(body, &mass);
	return ok;
}

static void centre_lathe(lathe_shape *shape)
{
	float centre = (float)lathe_mass(shape).centre.y;
	for (int i = 0; i < shape->count; ++i)
		shape->profile[i].y -= centre;
}

static void add_profile(lathe_shape *shape, float r, float y)
{
	shape->profile[shape->count++] = (rbl_vec2){ r, y };
}

enum { PROFILE_STEPS = 8 };

void field_world_plate_shape(lathe_shape *shape)
{
	const float r = 0.13f, h = 0.024f, wall = 0.005f, foot = 0.003f;
	*shape = (lathe_shape){ 0 };
	add_profile(shape, 0.0f, foot);
	add_profile(shape, 0.25f * r, foot);
	add_profile(shape, 0.52f * r, foot);
	add_profile(shape, 0.54f * r, 0.0f);
	add_profile(shape, 0.58f * r, 0.0f);
	for (int i = 0; i <= PROFILE_STEPS; ++i) {
		float t = (float)i / PROFILE_STEPS;
		add_profile(shape, (0.61f + 0.37f * t) * r, foot + (h - wall - foot) * t * t);
	}
	add_profile(shape, r, h - 0.5f * wall);
	for (int i = PROFILE_STEPS; i >= 0; --i) {
		float t = (float)i / PROFILE_STEPS;
		add_profile(shape, (0.59f + 0.39f * t) * r, foot + wall + (h - wall - foot) * t * t);
	}
	add_profile(shape, 0.25f * r, foot + wall);
	add_profile(shape, 0.0f, foot + wall);
	centre_lathe(shape);
}

// A part of a spherical shell on a flat foot.
void field_world_bowl_shape(lathe_shape *shape)
{
	const double outer = 0.16, wall = 0.012, begin = 0.3, end = 1.45;
	*shape = (lathe_shape){ 0 };
	enum { STEPS = 16 };
	add_profile(shape, 0.0f, (float)(-outer * rbl_cos(begin)));
	for (int side = 0; side < 2; ++side)
		for (int i = 0; i <= STEPS; ++i) {
			int k = side == 0 ? i : STEPS - i;
			double angle = begin + (end - begin) * k / STEPS, radius = outer - wall * side;
			if (side == 1)
				angle = end * k / STEPS;
			add_profile(shape, k == 0 && side == 1 ? 0.0f : (float)(radius * rbl_sin(angle)),
			            (float)(-radius * rbl_cos(angle)));
		}
	centre_lathe(shape);
}
