// SPDX-License-Identifier: MIT
// A reference solver: the same step, plain and scalar, in double precision, one body on the ground.
//
// No blocks, lanes, colors, folded warm starting or shared arrays: a body, a manifold, and the
// method as one would write it down. It gets the solver's state before each step and must arrive at
// the same velocity and position.

#include "solver/test_world.h"

#include "base/math.h"
#include "test.h"

typedef struct reference_point {
	rbl_vec3d arm;     // when the step began
	double separation; // likewise
	double impulse;
} reference_point;

typedef struct reference_body {
	rbl_vec3d centre, velocity, angular_velocity, translation;
	rbl_quatd rotation, delta_rotation; // since the step began
	double inverse_mass;
	rbl_mat3d inverse_inertia; // world axes, in the middle of the step
	rbl_vec3d normal;          // from the body to the ground
	rbl_vec3d friction;
	double twist, coefficient;
	reference_point points[4];
	int count;
} reference_body;

static rbl_quatd quat_d(rbl_quat q)
{
	return (rbl_quatd){ (double)q.x, (double)q.y, (double)q.z, (double)q.w };
}

static rbl_quatd integrate_rotation(rbl_quatd q, rbl_vec3d w, double h)
{
	rbl_quatd half = { 0.5 * h * w.x, 0.5 * h * w.y, 0.5 * h * w.z, 0.0 };
	rbl_quatd d = rbl_quat_mul_d(half, q);
	return rbl_quat_normalize_d((rbl_quatd){ q.x + d.x, q.y + d.y, q.z + d.z, q.w + d.w });
}

static void apply_impulse(reference_body *b, rbl_vec3d arm, rbl_vec3d impulse)
{
	b->velocity = rbl_add_scaled_d(b->velocity, b->inverse_mass, impulse);
	b->angular_velocity = rbl_add_d(b->angular_velocity,
	                                rbl_mat_vec_d(b->inverse_inertia, rbl_cross_d(arm, impulse)));
}

static double mass_along(const reference_body *b, rbl_vec3d arm, rbl_vec3d direction)
{
	rbl_vec3d cross = rbl_cross_d(arm, direction);
	return 1.0 / (b->inverse_mass + rbl_dot_d(cross, rbl_mat_vec_d(b->inverse_inertia, cross)));
}

static rbl_vec3d speed_at(const reference_body *b, rbl_vec3d arm)
{
	return rbl_add_d(b->velocity, rbl_cross_d(b->angular_velocity, arm));
}

static rbl_vec3d centroid_arm(const reference_body *b)
{
	rbl_vec3d sum = { 0.0, 0.0, 0.0 };
	for (int i = 0; i < b->count; ++i)
		sum = rbl_add_scaled_d(sum, 1.0 / b->count, b->points[i].arm);
	return sum;
}

// Friction in the middle, inside the plane of contact: solved for both directions at once.
static void solve_friction(reference_body *b)
{
	double load = 0.0, square = 0.0;
	rbl_vec3d arm = centroid_arm(b);
	for (int i = 0; i < b->count; ++i) {
		load += b->points[i].impulse;
		rbl_vec3d direction = rbl_sub_d(b->points[i].arm, arm);
		square += rbl_dot_d(direction, direction) / b->count;
	}
	double max_twist = b->coefficient * load * sqrt(square), old = b->twist;
	double stiff = rbl_dot_d(b->normal, rbl_mat_vec_d(b->inverse_inertia, b->normal));
	b->twist =
		rbl_clampd(old - rbl_dot_d(b->angular_velocity, b->normal) / stiff, -max_twist, max_twist);
	b->angular_velocity =
		rbl_add_d(b->angular_velocity,
	              rbl_mat_vec_d(b->inverse_inertia, rbl_scale_d(b->twist - old, b->normal)));

	rbl_vec3d u = rbl_perpendicular_d(b->normal), v = rbl_cross_d(b->normal, u);
	rbl_vec3d cu = rbl_cross_d(arm, u), cv = rbl_cross_d(arm, v);
	rbl_vec3d iu = rbl_mat_vec_d(b->inverse_inertia, cu),
			  iv = rbl_mat_vec_d(b->inverse_inertia, cv);
	double uu = b->inverse_mass + rbl_dot_d(cu, iu), vv = b->inverse_mass + rbl_dot_d(cv, iv);
	double uv = rbl_dot_d(cu, iv), scale = 1.0 / (uu * vv - uv * uv);
	rbl_vec3d slip = speed_at(b, arm), before = b->friction;
	double x = rbl_dot_d(slip, u), y = rbl_dot_d(slip, v);
	rbl_vec3d wanted = rbl_add_scaled_d(before, -scale * (vv * x - uv * y), u);
	wanted = rbl_add_scaled_d(wanted, -scale * (uu * y - uv * x), v);
	double length = rbl_length_d(wanted), most = b->coefficient * load;
	b->friction = length > most ? rbl_scale_d(most / length, wanted) : wanted;
	apply_impulse(b, arm, rbl_sub_d(b->friction, before));
}

// @return whether overlap is pushed out faster than 10 cm/s
static bool solve_normals(reference_body *b, double h, bool is_soft, bool is_backward)
{
	double omega = 2.0 * RBL_PI * rbl_mind(160.0, 1.0 / (6.0 * h)), a1 = 10.0 + h * omega;
	double a2 = h * omega * a1, a3 = 1.0 / (1.0 + a2);
	bool is_fast = false;
	for (int k = 0; k < 4; ++k) {
		int i = is_backward ? 3 - k : k;
		if (i >= b->count)
			continue;
		reference_point *p = &b->points[i];
		rbl_vec3d moved = rbl_sub_d(rbl_rotate_d(b->delta_rotation, p->arm), p->arm);
		double separation = p->separation - rbl_dot_d(b->normal, rbl_add_d(b->translation, moved));
		double bias = separation > 0.0 ? separation / h
		              : is_soft        ? rbl_maxd(separation * omega / a1, -3.0)
		                               : 0.0;
		bool softens = is_soft && separation <= 0.0;
		is_fast |= softens && bias < -0.1;
		double speed = -rbl_dot_d(b->normal, speed_at(b, p->arm));
		double mass = mass_along(b, p->arm, b->normal) * (softens ? a2 * a3 : 1.0),
			   old = p->impulse;
		p->impulse = rbl_maxd(old - mass * (speed + bias) - (softens ? a3 * old : 0.0), 0.0);
		apply_impulse(b, p->arm, rbl_scale_d(old - p->impulse, b->normal));
	}
	return is_fast;
}

static void apply_impulses(reference_body *b)
{
	for (int i = 0; i < b->count; ++i)
		apply_impulse(b, b->points[i].arm, rbl_scale_d(-b->points[i].impulse, b->normal));
	apply_impulse(b, centroid_arm(b), b->friction);
	b->angular_velocity = rbl_add_d(
		b->angular_velocity, rbl_mat_vec_d(b->inverse_inertia, rbl_scale_d(b->twist, b->normal)));
}

static void reference_step(reference_body *b, double dt, int substeps, double gravity)
{
	double h = dt / substeps;
	b->translation = (rbl_vec3d){ 0.0, 0.0, 0.0 };
	b->delta_rotation = rbl_quat_identity_d();
	for (int i = 0; i < substeps; ++i) {
		b->velocity.y -= gravity * h;
		bool touches = b->count > 0, is_fast = false;
		if (touches) {
			apply_impulses(b); // warm start, in every sub-step
			solve_friction(b);
			is_fast = solve_normals(b, h, true, i % 2);
		}
		b->translation = rbl_add_scaled_d(b->translation, h, b->velocity);
		b->delta_rotation = integrate_rotation(b->delta_rotation, b->angular_velocity, h);
		if (touches && (is_fast || i == substeps - 1)) {
			solve_friction(b);
			solve_normals(b, h, false, !(i % 2));
		}
	}
	b->centre = rbl_add_d(b->centre, b->translation);
	b->rotation = rbl_quat_mul_d(b->delta_rotation, b->rotation);
}

// The state before a step: a cube, whose inertia does not change as it rotates; tests/solver/laws.c
// checks the gyroscopic term.
static void load_state(reference_body *b, const test_world *w, int box, const rbl_manifold *m)
{
	b->centre = rbl_to_d(test_world_centre(w, box));
	b->rotation = quat_d(test_world_pose(w, box).rotation);
	b->velocity = rbl_to_d(test_world_velocity(w, box).linear);
	b->angular_velocity = rbl_to_d(test_world_velocity(w, box).angular);
	reference_point old[4];
	int old_count = b->count;
	memcpy(old, b->points, sizeof old);
	b->count = m->point_count;
	b->normal = rbl_neg_d(rbl_to_d(m->normal));
	for (int i = 0; i < b->count; ++i) {
		rbl_vec3d arm = rbl_sub_d(rbl_to_d(m->points[i].position), b->centre);
		b->points[i] = (reference_point){ arm, (double)m->points[i].separation, 0.0 };
		for (int k = 0; k < old_count; ++k)
			if (rbl_distance_d(arm, old[k].arm) < 0.05)
				b->points[i].impulse = old[k].impulse;
	}
	rbl_vec3d flat = rbl_scale_d(rbl_dot_d(b->friction, b->normal), b->normal);
	b->friction = rbl_sub_d(b->friction, flat);
}

static void the_solver_agrees_with_the_reference(test *t)
{
	const rbl_vec3 velocities[3] = { { 0.0f, 0.0f, 0.0f },
		                             { 2.0f, -1.0f, 0.5f },
		                             { 0.3f, -3.0f, -1.0f } };
	for (int i = 0; i < 3; ++i) {
		test_world w;
		test_world_begin(&w, NULL);
		test_world_add_ground(&w);
		int box = test_world_add_box(&w, (rbl_vec3){ 0.2f, 0.2f, 0.2f }, 10.0f,
		                             (rbl_vec3){ 0.0f, 0.23f, 0.0f });
		rbl_solver_set_velocity(w.solver, w.objects[box].body, velocities[i],
		                        (rbl_vec3){ 0.0f, 2.0f * (float)i, 0.0f });
		reference_body reference = { .inverse_mass = 0.1, .coefficient = (double)w.friction };
		double inertia = 10.0 * (0.04 + 0.04) / 3.0;
		reference.inverse_inertia = rbl_mat_scale_d(1.0 / inertia, rbl_mat_identity_d());
		for (int k = 0; k < 24; ++k) { // until rest, which has a rule of its own
			test_world_collide(&w);
			rbl_manifold m = { .point_count = 0 };
			rbl_sat_cache cache;
			memset(&cache, 0, sizeof cache);
			if (w.pair_count > 0)
				rbl_collide_pair(w.objects[0].shape, test_world_pose(&w, 0), w.objects[box].shape,
				                 test_world_pose(&w, box), w.margin, &cache, &m, NULL);
			load_state(&reference, &w, box, &m);
			if (m.point_count == 0)
				reference.friction = (rbl_vec3d){ 0.0, 0.0, 0.0 }, reference.twist = 0.0;
			reference_step(&reference, (double)w.dt, w.substep_count, 9.81);
			CHECK(t, rbl_solver_step(w.solver, w.dt, w.substep_count, w.gravity) == RBL_OK);
			rbl_solver_velocity now = test_world_velocity(&w, box);
			CHECK_NEAR(t, rbl_distance_d(rbl_to_d(now.linear), reference.velocity), 0.0, 2e-3);
			CHECK_NEAR(t, rbl_distance_d(rbl_to_d(now.angular), reference.angular_velocity), 0.0,
			           1e-2);
			CHECK_NEAR(t, rbl_distance_d(rbl_to_d(test_world_centre(&w, box)), reference.centre),
			           0.0, 1e-4);
		}
		test_world_end(&w);
	}
}

TEST_MAIN(TEST(the_solver_agrees_with_the_reference))
