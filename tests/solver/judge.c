// SPDX-License-Identifier: MIT
// The judge: the same step, plain and scalar, in double precision, one body on the ground.
//
// No blocks, lanes, colours, folded warm start or shared arrays: a body, a manifold, and the method as
// one would write it down. It gets the solver's state before each step and must arrive at the same
// velocity and place.

#include "solver/yard.h"

#include "base/math.h"
#include "test.h"

typedef struct judged_point {
	rbl_vec3d arm; // when the step began
	double gap;    // likewise
	double impulse;
} judged_point;

typedef struct judged_body {
	rbl_vec3d centre, velocity, spin, shift;
	rbl_quatd rotation, turn; // turn: since the step began
	double inverse_mass;
	rbl_mat3d inverse_inertia; // world axes, in the middle of the step
	rbl_vec3d normal;          // from the body to the ground
	rbl_vec3d friction;
	double twist, coefficient;
	judged_point points[4];
	int count;
} judged_body;

static rbl_quatd quat_d(rbl_quat q)
{
	return (rbl_quatd){ (double)q.x, (double)q.y, (double)q.z, (double)q.w };
}

static rbl_quatd turn_by(rbl_quatd q, rbl_vec3d w, double h)
{
	rbl_quatd half = { 0.5 * h * w.x, 0.5 * h * w.y, 0.5 * h * w.z, 0.0 };
	rbl_quatd d = rbl_quat_mul_d(half, q);
	return rbl_quat_normalize_d((rbl_quatd){ q.x + d.x, q.y + d.y, q.z + d.z, q.w + d.w });
}

static void push(judged_body *b, rbl_vec3d arm, rbl_vec3d impulse)
{
	b->velocity = rbl_add_scaled_d(b->velocity, b->inverse_mass, impulse);
	b->spin = rbl_add_d(b->spin, rbl_mat_vec_d(b->inverse_inertia, rbl_cross_d(arm, impulse)));
}

static double mass_along(const judged_body *b, rbl_vec3d arm, rbl_vec3d translation)
{
	rbl_vec3d cross = rbl_cross_d(arm, translation);
	return 1.0 / (b->inverse_mass + rbl_dot_d(cross, rbl_mat_vec_d(b->inverse_inertia, cross)));
}

static rbl_vec3d speed_at(const judged_body *b, rbl_vec3d arm)
{
	return rbl_add_d(b->velocity, rbl_cross_d(b->spin, arm));
}

static rbl_vec3d middle_arm(const judged_body *b)
{
	rbl_vec3d sum = { 0.0, 0.0, 0.0 };
	for (int i = 0; i < b->count; ++i)
		sum = rbl_add_scaled_d(sum, 1.0 / b->count, b->points[i].arm);
	return sum;
}

// Friction in the middle, inside the plane of contact: solved for both directions at once.
static void rub(judged_body *b)
{
	double load = 0.0, reach = 0.0;
	rbl_vec3d arm = middle_arm(b);
	for (int i = 0; i < b->count; ++i) {
		load += b->points[i].impulse;
		rbl_vec3d translation = rbl_sub_d(b->points[i].arm, arm);
		reach += rbl_dot_d(translation, translation) / b->count;
	}
	double most_twist = b->coefficient * load * sqrt(reach), old = b->twist;
	double stiff = rbl_dot_d(b->normal, rbl_mat_vec_d(b->inverse_inertia, b->normal));
	b->twist = rbl_clampd(old - rbl_dot_d(b->spin, b->normal) / stiff, -most_twist, most_twist);
	b->spin = rbl_add_d(b->spin,
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
	push(b, arm, rbl_sub_d(b->friction, before));
}

// @return whether overlap is pushed out faster than 10 cm/s
static bool press(judged_body *b, double h, bool is_soft, bool is_backward)
{
	double omega = 2.0 * RBL_PI * rbl_mind(160.0, 1.0 / (6.0 * h)), a1 = 10.0 + h * omega;
	double a2 = h * omega * a1, a3 = 1.0 / (1.0 + a2);
	bool is_bullet = false;
	for (int k = 0; k < 4; ++k) {
		int i = is_backward ? 3 - k : k;
		if (i >= b->count)
			continue;
		judged_point *p = &b->points[i];
		rbl_vec3d moved = rbl_sub_d(rbl_rotate_d(b->turn, p->arm), p->arm);
		double gap = p->gap - rbl_dot_d(b->normal, rbl_add_d(b->shift, moved));
		double bias = gap > 0.0 ? gap / h : is_soft ? rbl_maxd(gap * omega / a1, -3.0) : 0.0;
		bool softens = is_soft && gap <= 0.0;
		is_bullet |= softens && bias < -0.1;
		double speed = -rbl_dot_d(b->normal, speed_at(b, p->arm));
		double mass = mass_along(b, p->arm, b->normal) * (softens ? a2 * a3 : 1.0),
			   old = p->impulse;
		p->impulse = rbl_maxd(old - mass * (speed + bias) - (softens ? a3 * old : 0.0), 0.0);
		push(b, p->arm, rbl_scale_d(old - p->impulse, b->normal));
	}
	return is_bullet;
}

static void apply_impulses(judged_body *b)
{
	for (int i = 0; i < b->count; ++i)
		push(b, b->points[i].arm, rbl_scale_d(-b->points[i].impulse, b->normal));
	push(b, middle_arm(b), b->friction);
	b->spin =
		rbl_add_d(b->spin, rbl_mat_vec_d(b->inverse_inertia, rbl_scale_d(b->twist, b->normal)));
}

static void judge_step(judged_body *b, double dt, int substeps, double gravity)
{
	double h = dt / substeps;
	b->shift = (rbl_vec3d){ 0.0, 0.0, 0.0 };
	b->turn = rbl_quat_identity_d();
	for (int i = 0; i < substeps; ++i) {
		b->velocity.y -= gravity * h;
		bool touches = b->count > 0, is_bullet = false;
		if (touches) {
			apply_impulses(b); // warm start, in every sub-step
			rub(b);
			is_bullet = press(b, h, true, i % 2);
		}
		b->shift = rbl_add_scaled_d(b->shift, h, b->velocity);
		b->turn = turn_by(b->turn, b->spin, h);
		if (touches && (is_bullet || i == substeps - 1)) {
			rub(b);
			press(b, h, false, !(i % 2));
		}
	}
	b->centre = rbl_add_d(b->centre, b->shift);
	b->rotation = rbl_quat_mul_d(b->turn, b->rotation);
}

// The state before a step: a cube, whose inertia does not turn, so that the turning of inertia, which
// tests/solver/laws.c watches, stays out of it.
static void load_state(judged_body *b, const yard *y, int box, const rbl_manifold *m)
{
	b->centre = rbl_to_d(yard_centre(y, box));
	b->rotation = quat_d(yard_pose(y, box).rotation);
	b->velocity = rbl_to_d(yard_velocity(y, box).linear);
	b->spin = rbl_to_d(yard_velocity(y, box).angular);
	judged_point old[4];
	int old_count = b->count;
	memcpy(old, b->points, sizeof old);
	b->count = m->point_count;
	b->normal = rbl_neg_d(rbl_to_d(m->normal));
	for (int i = 0; i < b->count; ++i) {
		rbl_vec3d arm = rbl_sub_d(rbl_to_d(m->points[i].position), b->centre);
		b->points[i] = (judged_point){ arm, (double)m->points[i].separation, 0.0 };
		for (int k = 0; k < old_count; ++k)
			if (rbl_distance_d(arm, old[k].arm) < 0.05)
				b->points[i].impulse = old[k].impulse;
	}
	rbl_vec3d flat = rbl_scale_d(rbl_dot_d(b->friction, b->normal), b->normal);
	b->friction = rbl_sub_d(b->friction, flat);
}

static void the_solver_agrees_with_the_judge(test *t)
{
	const rbl_vec3 throws[3] = { { 0.0f, 0.0f, 0.0f },
		                         { 2.0f, -1.0f, 0.5f },
		                         { 0.3f, -3.0f, -1.0f } };
	for (int i = 0; i < 3; ++i) {
		yard y;
		yard_begin(&y, NULL);
		yard_add_ground(&y);
		int box = yard_add_box(&y, (rbl_vec3){ 0.2f, 0.2f, 0.2f }, 10.0f,
		                       (rbl_vec3){ 0.0f, 0.23f, 0.0f });
		rbl_solver_set_velocity(y.solver, y.things[box].body, throws[i],
		                        (rbl_vec3){ 0.0f, 2.0f * (float)i, 0.0f });
		judged_body judged = { .inverse_mass = 0.1, .coefficient = (double)y.friction };
		double inertia = 10.0 * (0.04 + 0.04) / 3.0;
		judged.inverse_inertia = rbl_mat_scale_d(1.0 / inertia, rbl_mat_identity_d());
		for (int k = 0; k < 24; ++k) { // until rest, which has a rule of its own
			yard_collide(&y);
			rbl_manifold m = { .point_count = 0 };
			rbl_axis_cache cache;
			memset(&cache, 0, sizeof cache);
			if (y.pair_count > 0)
				rbl_collide_pair(y.things[0].form, yard_pose(&y, 0), y.things[box].form,
				                 yard_pose(&y, box), y.margin, &cache, &m);
			load_state(&judged, &y, box, &m);
			if (m.point_count == 0)
				judged.friction = (rbl_vec3d){ 0.0, 0.0, 0.0 }, judged.twist = 0.0;
			judge_step(&judged, (double)y.dt, y.substep_count, 9.81);
			CHECK(t, rbl_solver_step(y.solver, y.dt, y.substep_count, y.gravity) == RBL_OK);
			rbl_solver_velocity now = yard_velocity(&y, box);
			CHECK_NEAR(t, rbl_distance_d(rbl_to_d(now.linear), judged.velocity), 0.0, 2e-3);
			CHECK_NEAR(t, rbl_distance_d(rbl_to_d(now.angular), judged.spin), 0.0, 1e-2);
			CHECK_NEAR(t, rbl_distance_d(rbl_to_d(yard_centre(&y, box)), judged.centre), 0.0, 1e-4);
		}
		yard_end(&y);
	}
}

TEST_MAIN(TEST(the_solver_agrees_with_the_judge))
