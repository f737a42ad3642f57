// SPDX-License-Identifier: MIT
//
// Solving joints, eight at a time.
//
// A joint has up to four parts, which all kinds share:
//
//     point    the anchors stay together, or may part along one axis of A (prismatic, wheel)
//     angular  the frames keep their angles, except about z (hinge, wheel)
//     row      one coordinate (an angle, a translation or a distance) with limits, motor and spring
//     cone     the angle between the z axes of a ball joint has a limit
//
// Point and angular parts are solved as blocks of three. An axis that is free is projected out of
// their matrix: with P = 1 - f f', P K P + s f f' is as good to invert as K, and its inverse times
// a vector across f has nothing along f.
//
// Arms and frames follow the bodies in every sub-step: with fixed ones a fast pendulum would gain
// energy. Warm starting is done for whole bodies (body_kernels.c), with the arms of the last
// sub-step, so a joint first applies what its impulses would do now less what they did then
// (`moment_a`, `moment_b`).
//
// As contacts are, joints are solved once in a sub-step with a soft bias, and relaxed at the end of
// the step.

#include "solver/body_pair.h"

#include "base/math.h"

enum {
	POINT = RBL_SOLVER_JOINT_POINT,
	SLIDES = RBL_SOLVER_JOINT_SLIDES,
	ANGULAR = RBL_SOLVER_JOINT_ANGULAR,
	TURNS = RBL_SOLVER_JOINT_TURNS,
	ROW = RBL_SOLVER_JOINT_ROW,
	CONE = RBL_SOLVER_JOINT_CONE,
	SPIN = RBL_SOLVER_JOINT_SPIN,
	SOFT = RBL_SOLVER_JOINT_SOFT,
	SOFT_POINT = RBL_SOLVER_JOINT_SOFT_POINT,
	IN_TREE = RBL_SOLVER_JOINT_IN_TREE,
	LINEAR_ROW = RBL_SOLVER_JOINT_LINEAR_ROW,
	SPRING = RBL_SOLVER_JOINT_SPRING,
	MOTORS = RBL_SOLVER_JOINT_MOTORS,
	LIMITS = RBL_SOLVER_JOINT_LIMITS,
};

// --- lanes ---------------------------------------------------------------------------------------

static inline rbl_f8x3 zero_vector(void)
{
	return rbl_f8x3_splat((rbl_vec3){ 0.0f, 0.0f, 0.0f });
}

// A symmetric matrix has the form of an inertia tensor.
typedef struct sym8 {
	rbl_f8 xx, yy, zz, xy, xz, yz;
} sym8;

static inline rbl_f8x3 sym_mul(const sym8 *m, rbl_f8x3 v)
{
	return (rbl_f8x3){
		rbl_f8_add(rbl_f8_add(rbl_f8_mul(m->xx, v.x), rbl_f8_mul(m->xy, v.y)),
		           rbl_f8_mul(m->xz, v.z)),
		rbl_f8_add(rbl_f8_add(rbl_f8_mul(m->xy, v.x), rbl_f8_mul(m->yy, v.y)),
		           rbl_f8_mul(m->yz, v.z)),
		rbl_f8_add(rbl_f8_add(rbl_f8_mul(m->xz, v.x), rbl_f8_mul(m->yz, v.y)),
		           rbl_f8_mul(m->zz, v.z)),
	};
}

static inline rbl_f8 two_products(rbl_f8 a, rbl_f8 b, rbl_f8 c, rbl_f8 d)
{
	return rbl_f8_sub(rbl_f8_mul(a, b), rbl_f8_mul(c, d));
}

// Add -[r] I^-1 [r]: the change of velocity at an arm by impulses there, through rotation.
static inline void add_arm_response(sym8 *k, const inertia_lanes *inverse, rbl_f8x3 r)
{
	rbl_f8x3 d = inverse->diagonal, o = inverse->off_diagonal; // xx yy zz, xy xz yz
	// I^-1 (r x e) for the three axes e.
	rbl_f8x3 x = { two_products(o.x, r.z, o.y, r.y), two_products(d.y, r.z, o.z, r.y),
		           two_products(o.z, r.z, d.z, r.y) };
	rbl_f8x3 y = { two_products(o.y, r.x, d.x, r.z), two_products(o.z, r.x, o.x, r.z),
		           two_products(d.z, r.x, o.y, r.z) };
	rbl_f8x3 z = { two_products(d.x, r.y, o.x, r.x), two_products(o.x, r.y, d.y, r.x),
		           two_products(o.y, r.y, o.z, r.x) };
	k->xx = rbl_f8_add(k->xx, two_products(x.y, r.z, x.z, r.y));
	k->xy = rbl_f8_add(k->xy, two_products(x.z, r.x, x.x, r.z));
	k->xz = rbl_f8_add(k->xz, two_products(x.x, r.y, x.y, r.x));
	k->yy = rbl_f8_add(k->yy, two_products(y.z, r.x, y.x, r.z));
	k->yz = rbl_f8_add(k->yz, two_products(y.x, r.y, y.y, r.x));
	k->zz = rbl_f8_add(k->zz, two_products(z.x, r.y, z.y, r.x));
}

// Take the axis f out of a matrix that is to be inverted.
static inline void project_out(sym8 *k, rbl_f8x3 f)
{
	rbl_f8x3 g = sym_mul(k, f);
	rbl_f8 trace = rbl_f8_add(rbl_f8_add(k->xx, k->yy), k->zz);
	rbl_f8 s = rbl_f8_add(rbl_f8x3_dot(f, g), trace);
#define PROJECT(ij, i, j)                                                                         \
	k->ij = rbl_f8_add(rbl_f8_sub(k->ij, rbl_f8_add(rbl_f8_mul(f.i, g.j), rbl_f8_mul(g.i, f.j))), \
	                   rbl_f8_mul(s, rbl_f8_mul(f.i, f.j)))
	PROJECT(xx, x, x);
	PROJECT(yy, y, y);
	PROJECT(zz, z, z);
	PROJECT(xy, x, y);
	PROJECT(xz, x, z);
	PROJECT(yz, y, z);
#undef PROJECT
}

// The inverse of a positive matrix, zero where it is none. Scaled first: determinants of very heavy
// bodies would vanish.
static inline sym8 sym_inverse(const sym8 *m)
{
	rbl_f8 scale = inverse_or_zero(rbl_f8_add(rbl_f8_add(m->xx, m->yy), m->zz));
	rbl_f8 xx = rbl_f8_mul(scale, m->xx), yy = rbl_f8_mul(scale, m->yy);
	rbl_f8 zz = rbl_f8_mul(scale, m->zz), xy = rbl_f8_mul(scale, m->xy);
	rbl_f8 xz = rbl_f8_mul(scale, m->xz), yz = rbl_f8_mul(scale, m->yz);
	sym8 c = { two_products(yy, zz, yz, yz), two_products(xx, zz, xz, xz),
		       two_products(xx, yy, xy, xy), two_products(xz, yz, xy, zz),
		       two_products(xy, yz, xz, yy), two_products(xy, xz, yz, xx) };
	rbl_f8 determinant =
		rbl_f8_add(rbl_f8_add(rbl_f8_mul(xx, c.xx), rbl_f8_mul(xy, c.xy)), rbl_f8_mul(xz, c.xz));
	// A matrix that is singular but for rounding has no inverse either.
	rbl_i8 is_regular = rbl_f8_gt(determinant, rbl_f8_splat(1e-12f));
	rbl_f8 f = rbl_f8_select(is_regular, rbl_f8_div(scale, determinant), rbl_f8_zero());
	return (sym8){ rbl_f8_mul(f, c.xx), rbl_f8_mul(f, c.yy), rbl_f8_mul(f, c.zz),
		           rbl_f8_mul(f, c.xy), rbl_f8_mul(f, c.xz), rbl_f8_mul(f, c.yz) };
}

// v, no longer than `limit`.
static inline rbl_f8x3 clamp_to(rbl_f8x3 v, rbl_f8 limit)
{
	rbl_f8 length = rbl_f8_sqrt(rbl_f8x3_dot(v, v));
	rbl_f8 scale =
		rbl_f8_select(rbl_f8_gt(length, limit), rbl_f8_div(limit, length), rbl_f8_splat(1.0f));
	return rbl_f8x3_scale(scale, v);
}

static inline rbl_f8 polynomial_step(rbl_f8 sum, rbl_f8 z, float c)
{
	return rbl_f8_add(rbl_f8_mul(sum, z), rbl_f8_splat(c));
}

// To 1e-6, 0 where both are 0.
static inline rbl_f8 atan2_lanes(rbl_f8 y, rbl_f8 x)
{
	rbl_f8 zero = rbl_f8_zero(), one = rbl_f8_splat(1.0f);
	rbl_f8 ax = rbl_f8_abs(x), ay = rbl_f8_abs(y);
	rbl_f8 t = rbl_f8_mul(rbl_f8_min(ax, ay), inverse_or_zero(rbl_f8_max(ax, ay)));
	// Beyond tan(pi / 8): pi / 4 + atan((t - 1) / (t + 1)).
	rbl_i8 is_large = rbl_f8_gt(t, rbl_f8_splat(0.41421356f));
	rbl_f8 r = rbl_f8_select(is_large, rbl_f8_div(rbl_f8_sub(t, one), rbl_f8_add(t, one)), t);
	rbl_f8 z = rbl_f8_mul(r, r), p = rbl_f8_splat(8.05374449538e-2f);
	p = polynomial_step(p, z, -1.38776856032e-1f);
	p = polynomial_step(p, z, 1.99777106478e-1f);
	p = polynomial_step(p, z, -3.33329491539e-1f);
	rbl_f8 angle = rbl_f8_add(r, rbl_f8_mul(rbl_f8_mul(p, z), r));
	angle = rbl_f8_add(angle, rbl_f8_select(is_large, rbl_f8_splat(0.25f * RBL_PI_F), zero));
	angle =
		rbl_f8_select(rbl_f8_gt(ay, ax), rbl_f8_sub(rbl_f8_splat(0.5f * RBL_PI_F), angle), angle);
	angle = rbl_f8_select(rbl_f8_lt(x, zero), rbl_f8_sub(rbl_f8_splat(RBL_PI_F), angle), angle);
	return rbl_f8_select(rbl_f8_lt(y, zero), rbl_f8_neg(angle), angle);
}

// The rotation about z in a relative rotation, in the turn that is nearest to `last`: where an
// angle jumps from pi to -pi, a limit would push the wrong way.
static inline rbl_f8 twist_angle(quat8 frame_a, quat8 frame_b, rbl_f8 last)
{
	quat8 q = quat_mul(quat_conjugate(frame_a), frame_b);
	rbl_f8 angle = rbl_f8_mul(rbl_f8_splat(2.0f), atan2_lanes(q.v.z, q.w));
	rbl_f8 turns = rbl_f8_mul(rbl_f8_sub(last, angle), rbl_f8_splat(0.5f / RBL_PI_F));
	rbl_f8 big = rbl_f8_splat(12582912.0f); // adding it rounds to an integer
	turns = rbl_f8_sub(rbl_f8_add(turns, big), big);
	return rbl_f8_add(angle, rbl_f8_mul(turns, rbl_f8_splat(2.0f * RBL_PI_F)));
}

static inline void softness_of(rbl_f8 hertz, rbl_f8 damping, float h, float *softness)
{
	rbl_f8 one = rbl_f8_splat(1.0f), omega = rbl_f8_mul(rbl_f8_splat(2.0f * RBL_PI_F), hertz);
	rbl_f8 h_omega = rbl_f8_mul(rbl_f8_splat(h), omega);
	rbl_f8 a1 = rbl_f8_add(rbl_f8_mul(rbl_f8_splat(2.0f), damping), h_omega);
	rbl_f8 a2 = rbl_f8_mul(h_omega, a1), a3 = rbl_f8_div(one, rbl_f8_add(one, a2));
	rbl_f8_store(softness, rbl_f8_mul(omega, inverse_or_zero(a1)));
	rbl_f8_store(softness + RBL_SOLVER_LANES, rbl_f8_mul(a2, a3));
	rbl_f8_store(softness + 2 * RBL_SOLVER_LANES, a3);
}

// --- geometry ------------------------------------------------------------------------------------

// Where a joint is now.
typedef struct joint_geometry {
	rbl_f8x3 arm_a, arm_b;
	rbl_f8x3 offset; // from A's anchor to B's
	quat8 frame_a, frame_b;
	rbl_f8x3 y, z; // axes of A's frame
	// The row: its speed is direction . (vB - vA) + moment_b . wB - moment_a . wA.
	rbl_f8x3 direction, moment_a, moment_b;
	rbl_f8 coordinate;
	rbl_f8x3 cone_axis;
	rbl_f8 cone_angle;
} joint_geometry;

static const rbl_vec3 along_y = { 0.0f, 1.0f, 0.0f }, along_z = { 0.0f, 0.0f, 1.0f };

static inline rbl_f8x3 normalize_or_zero(rbl_f8x3 v, rbl_f8 *length)
{
	*length = rbl_f8_sqrt(rbl_f8x3_dot(v, v));
	return rbl_f8x3_scale(inverse_or_zero(*length), v);
}

static inline void find_row(joint_geometry *g, const rbl_solver_joint_extra *extra, int parts)
{
	if (!(parts & LINEAR_ROW)) {
		g->direction = zero_vector();
		g->coordinate = twist_angle(g->frame_a, g->frame_b, rbl_f8_load(extra->coordinate));
		g->moment_a = g->moment_b = g->z;
		if (!(parts & TURNS)) { // the twist of a ball joint, which also swings
			rbl_f8x3 z_b = rotate(g->frame_b, rbl_f8x3_splat(along_z));
			rbl_f8 cosine = rbl_f8_add(rbl_f8_splat(1.0f), rbl_f8x3_dot(g->z, z_b));
			rbl_f8 scale = rbl_f8_div(rbl_f8_splat(1.0f), rbl_f8_max(cosine, rbl_f8_splat(0.1f)));
			g->moment_a = g->moment_b = rbl_f8x3_scale(scale, rbl_f8x3_add(g->z, z_b));
		}
		return;
	}
	if (parts & SLIDES) {
		g->direction = parts & TURNS ? g->y : g->z;
		g->coordinate = rbl_f8x3_dot(g->direction, g->offset);
		g->moment_a = rbl_f8x3_cross(rbl_f8x3_add(g->arm_a, g->offset), g->direction);
	} else {
		g->direction = normalize_or_zero(g->offset, &g->coordinate);
		g->moment_a = rbl_f8x3_cross(g->arm_a, g->direction);
	}
	g->moment_b = rbl_f8x3_cross(g->arm_b, g->direction);
}

static inline void find_cone(joint_geometry *g)
{
	rbl_f8x3 z_b = rotate(g->frame_b, rbl_f8x3_splat(along_z));
	rbl_f8 sine;
	g->cone_axis = normalize_or_zero(rbl_f8x3_cross(g->z, z_b), &sine);
	g->cone_angle = atan2_lanes(sine, rbl_f8x3_dot(g->z, z_b));
}

static inline void find_arms(joint_geometry *g, const rbl_solver_joint_block *block,
                             const delta_lanes *a, const delta_lanes *b)
{
	rbl_f8x3 initial_a = load_lanes(block->initial_arm_a);
	rbl_f8x3 initial_b = load_lanes(block->initial_arm_b);
	rbl_f8x3 change_a = rotation_change(a->rotation, initial_a);
	rbl_f8x3 change_b = rotation_change(b->rotation, initial_b);
	g->arm_a = rbl_f8x3_add(initial_a, change_a);
	g->arm_b = rbl_f8x3_add(initial_b, change_b);
	g->offset = rbl_f8x3_add(load_lanes(block->initial_offset),
	                         rbl_f8x3_add(rbl_f8x3_sub(b->translation, a->translation),
	                                      rbl_f8x3_sub(change_b, change_a)));
}

static inline RBL_ALWAYS_INLINE joint_geometry find_geometry(const rbl_solver_joint_block *block,
                                                             const rbl_solver_joint_extra *extra,
                                                             int parts,
                                                             const rbl_solver_step_context *step)
{
	joint_geometry g;
	delta_lanes a, b;
	gather_records(step->bodies.delta, block->a, a.rows);
	gather_records(step->bodies.delta, block->b, b.rows);
	find_arms(&g, block, &a, &b);
	if (!extra)
		return g;
	g.frame_a = quat_mul(a.rotation, load_quat(extra->initial_frame_a));
	g.frame_b = quat_mul(b.rotation, load_quat(extra->initial_frame_b));
	g.z = rotate(g.frame_a, rbl_f8x3_splat(along_z));
	if (parts & SLIDES && parts & TURNS)
		g.y = rotate(g.frame_a, rbl_f8x3_splat(along_y));
	if (parts & ROW)
		find_row(&g, extra, parts);
	if (parts & CONE)
		find_cone(&g);
	return g;
}

static inline rbl_f8 row_impulse(const rbl_solver_joint_extra *extra)
{
	rbl_f8 sum = rbl_f8_add(rbl_f8_load(extra->motor_impulse), rbl_f8_load(extra->spring_impulse));
	return rbl_f8_add(
		sum, rbl_f8_sub(rbl_f8_load(extra->lower_impulse), rbl_f8_load(extra->upper_impulse)));
}

// What the impulses of a joint are on its bodies, as it is now: linear on B, and angular on both.
typedef struct joint_wrench {
	rbl_f8x3 linear, angular, moment_a, moment_b;
} joint_wrench;

// @param parts  those whose impulses count
static inline joint_wrench find_wrench(const rbl_solver_joint_block *block,
                                       const rbl_solver_joint_extra *extra, int parts,
                                       const joint_geometry *g)
{
	joint_wrench w = { zero_vector(), zero_vector(), zero_vector(), zero_vector() };
	if (parts & POINT) {
		w.linear = load_lanes(block->impulse);
		rbl_f8x3 arm_a = parts & SLIDES ? rbl_f8x3_add(g->arm_a, g->offset) : g->arm_a;
		w.moment_a = rbl_f8x3_cross(arm_a, w.linear);
		w.moment_b = rbl_f8x3_cross(g->arm_b, w.linear);
	}
	if (parts == POINT)
		return w;
	if (parts & ANGULAR)
		w.angular = load_lanes(extra->angular_impulse);
	if (parts & SPIN)
		w.angular = rbl_f8x3_add_scaled(w.angular, rbl_f8_load(extra->spin_impulse), g->z);
	if (parts & CONE)
		w.angular =
			rbl_f8x3_sub(w.angular, rbl_f8x3_scale(rbl_f8_load(extra->cone_impulse), g->cone_axis));
	if (parts & ROW) {
		rbl_f8 impulse = row_impulse(extra);
		if (parts & LINEAR_ROW) {
			w.linear = rbl_f8x3_add_scaled(w.linear, impulse, g->direction);
			w.moment_a = rbl_f8x3_add_scaled(w.moment_a, impulse, g->moment_a);
			w.moment_b = rbl_f8x3_add_scaled(w.moment_b, impulse, g->moment_b);
		} else {
			w.angular = rbl_f8x3_add_scaled(w.angular, impulse, g->moment_a);
		}
	}
	w.moment_a = rbl_f8x3_add(w.moment_a, w.angular);
	w.moment_b = rbl_f8x3_add(w.moment_b, w.angular);
	return w;
}

static inline void store_wrench(rbl_solver_joint_block *block, rbl_solver_joint_extra *extra,
                                int parts, const joint_wrench *w)
{
	store_lanes(block->moment_a, w->moment_a);
	store_lanes(block->moment_b, w->moment_b);
	if (parts & LINEAR_ROW && parts & ROW)
		store_lanes(extra->linear, w->linear);
}

// --- solving -------------------------------------------------------------------------------------

typedef struct lane_softness {
	rbl_f8 rate, mass, impulse;
} lane_softness;

static inline lane_softness load_softness(const float *softness, bool is_soft)
{
	if (!is_soft)
		return (lane_softness){ rbl_f8_zero(), rbl_f8_splat(1.0f), rbl_f8_zero() };
	return (lane_softness){ rbl_f8_load(softness), rbl_f8_load(softness + RBL_SOLVER_LANES),
		                    rbl_f8_load(softness + 2 * RBL_SOLVER_LANES) };
}

// New impulses of a block of three, from the velocity error.
static inline rbl_f8x3 soft_answer(sym8 *k, rbl_f8x3 error, rbl_f8x3 old, lane_softness soft)
{
	sym8 mass = sym_inverse(k);
	rbl_f8x3 answer = sym_mul(&mass, error);
	return rbl_f8x3_sub(rbl_f8x3_scale(rbl_f8_sub(rbl_f8_splat(1.0f), soft.impulse), old),
	                    rbl_f8x3_scale(soft.mass, answer));
}

static inline rbl_f8x3 across(rbl_f8x3 v, rbl_f8x3 axis)
{
	return rbl_f8x3_sub(v, rbl_f8x3_scale(rbl_f8x3_dot(axis, v), axis));
}

// Where both bodies are locked along or about a world axis, nothing moves there: no error, and a
// matrix that has an inverse.
static inline void skip_locked_axes(const body_pair *pair, sym8 *k, rbl_f8x3 *error)
{
	if (!pair->has_locks)
		return;
	rbl_f8 zero = rbl_f8_zero(), trace = rbl_f8_add(rbl_f8_add(k->xx, k->yy), k->zz);
	rbl_f8 least = rbl_f8_mul(rbl_f8_splat(1e-6f), trace);
	rbl_i8 x = rbl_f8_gt(k->xx, least), y = rbl_f8_gt(k->yy, least), z = rbl_f8_gt(k->zz, least);
	k->xx = rbl_f8_select(x, k->xx, trace);
	k->yy = rbl_f8_select(y, k->yy, trace);
	k->zz = rbl_f8_select(z, k->zz, trace);
	*error = (rbl_f8x3){ rbl_f8_select(x, error->x, zero), rbl_f8_select(y, error->y, zero),
		                 rbl_f8_select(z, error->z, zero) };
}

static inline RBL_ALWAYS_INLINE void solve_point(rbl_solver_joint_block *block,
                                                 const rbl_solver_joint_extra *extra, int parts,
                                                 body_pair *pair, const joint_geometry *g,
                                                 lane_softness soft, float h)
{
	rbl_f8x3 arm_a = parts & SLIDES ? rbl_f8x3_add(g->arm_a, g->offset) : g->arm_a;
	rbl_f8 inverse_mass = rbl_f8_add(pair->inertia_a.inverse_mass, pair->inertia_b.inverse_mass);
	rbl_f8 zero = rbl_f8_zero();
	sym8 k = { inverse_mass, inverse_mass, inverse_mass, zero, zero, zero };
	if (pair->has_locks) {
		rbl_f8x3 a = rbl_f8x3_scale(pair->inertia_a.inverse_mass, pair->free_a);
		rbl_f8x3 b = rbl_f8x3_scale(pair->inertia_b.inverse_mass, pair->free_b);
		k.xx = rbl_f8_add(a.x, b.x), k.yy = rbl_f8_add(a.y, b.y), k.zz = rbl_f8_add(a.z, b.z);
	}
	add_arm_response(&k, &pair->inertia_a, arm_a);
	add_arm_response(&k, &pair->inertia_b, g->arm_b);
	rbl_f8x3 at_a =
		rbl_f8x3_add(pair->velocity_a.linear, rbl_f8x3_cross(pair->velocity_a.angular, arm_a));
	rbl_f8x3 at_b =
		rbl_f8x3_add(pair->velocity_b.linear, rbl_f8x3_cross(pair->velocity_b.angular, g->arm_b));
	rbl_f8x3 error = rbl_f8x3_add_scaled(rbl_f8x3_sub(at_b, at_a), soft.rate, g->offset);
	skip_locked_axes(pair, &k, &error);
	rbl_f8x3 old = load_lanes(block->impulse);
	if (parts & SLIDES) {
		rbl_f8x3 axis = parts & TURNS ? g->y : g->z;
		project_out(&k, axis);
		error = across(error, axis);
	}
	rbl_f8x3 now = soft_answer(&k, error, old, soft);
	if (parts & SOFT_POINT)
		now = clamp_to(now, rbl_f8_mul(rbl_f8_splat(h), rbl_f8_load(extra->motor_force)));
	store_lanes(block->impulse, now);
	rbl_f8x3 change = rbl_f8x3_sub(now, old);
	apply_impulse(pair, change, rbl_f8x3_cross(arm_a, change), rbl_f8x3_cross(g->arm_b, change));
}

static inline void solve_angular(rbl_solver_joint_extra *extra, int parts, body_pair *pair,
                                 const joint_geometry *g, lane_softness soft, float h)
{
	sym8 k = { rbl_f8_add(pair->inertia_a.diagonal.x, pair->inertia_b.diagonal.x),
		       rbl_f8_add(pair->inertia_a.diagonal.y, pair->inertia_b.diagonal.y),
		       rbl_f8_add(pair->inertia_a.diagonal.z, pair->inertia_b.diagonal.z),
		       rbl_f8_add(pair->inertia_a.off_diagonal.x, pair->inertia_b.off_diagonal.x),
		       rbl_f8_add(pair->inertia_a.off_diagonal.y, pair->inertia_b.off_diagonal.y),
		       rbl_f8_add(pair->inertia_a.off_diagonal.z, pair->inertia_b.off_diagonal.z) };
	rbl_f8x3 speed = rbl_f8x3_sub(pair->velocity_b.angular, pair->velocity_a.angular), error;
	if (parts & TURNS) {
		error = rbl_f8x3_cross(g->z, rotate(g->frame_b, rbl_f8x3_splat(along_z)));
	} else {
		quat8 q = quat_mul(g->frame_b, quat_conjugate(g->frame_a));
		rbl_f8 two =
			rbl_f8_select(rbl_f8_lt(q.w, rbl_f8_zero()), rbl_f8_splat(-2.0f), rbl_f8_splat(2.0f));
		error = rbl_f8x3_scale(two, q.v);
	}
	error = rbl_f8x3_add_scaled(speed, soft.rate, error);
	skip_locked_axes(pair, &k, &error);
	if (parts & TURNS) {
		project_out(&k, g->z);
		error = across(error, g->z);
	} else if (parts & SOFT) {
		error = rbl_f8x3_sub(error, rbl_f8x3_scale(rbl_f8_load(extra->motor_speed), g->z));
	}
	rbl_f8x3 old = load_lanes(extra->angular_impulse);
	rbl_f8x3 now = soft_answer(&k, error, old, soft);
	if (parts & SOFT)
		now = clamp_to(now, rbl_f8_mul(rbl_f8_splat(h), rbl_f8_load(extra->motor_torque)));
	store_lanes(extra->angular_impulse, now);
	rbl_f8x3 change = rbl_f8x3_sub(now, old);
	apply_angular_impulse(pair, change, change);
}

// An impulse along one direction of the six.
typedef struct joint_row {
	rbl_f8x3 direction, moment_a, moment_b;
	rbl_f8 mass;
	bool is_linear;
} joint_row;

static inline joint_row make_row(const body_pair *pair, rbl_f8x3 direction, rbl_f8x3 moment_a,
                                 rbl_f8x3 moment_b, bool is_linear)
{
	rbl_f8 k = rbl_f8_add(rbl_f8x3_dot(moment_a, inertia_mul(&pair->inertia_a, moment_a)),
	                      rbl_f8x3_dot(moment_b, inertia_mul(&pair->inertia_b, moment_b)));
	if (is_linear) {
		rbl_f8 inverse_mass =
			rbl_f8_add(pair->inertia_a.inverse_mass, pair->inertia_b.inverse_mass);
		rbl_f8 response = rbl_f8_mul(inverse_mass, rbl_f8x3_dot(direction, direction));
		k = rbl_f8_add(k, pair->has_locks ? linear_response(pair, direction, direction) : response);
	}
	return (joint_row){ direction, moment_a, moment_b, inverse_or_zero(k), is_linear };
}

static inline rbl_f8 row_speed(const joint_row *row, const body_pair *pair)
{
	rbl_f8 speed = rbl_f8_sub(rbl_f8x3_dot(row->moment_b, pair->velocity_b.angular),
	                          rbl_f8x3_dot(row->moment_a, pair->velocity_a.angular));
	if (row->is_linear)
		speed =
			rbl_f8_add(speed, rbl_f8x3_dot(row->direction, rbl_f8x3_sub(pair->velocity_b.linear,
		                                                                pair->velocity_a.linear)));
	return speed;
}

static inline void change_row(const joint_row *row, body_pair *pair, rbl_f8 change)
{
	rbl_f8x3 a = rbl_f8x3_scale(change, row->moment_a);
	rbl_f8x3 b = rbl_f8x3_scale(change, row->moment_b);
	if (row->is_linear)
		apply_impulse(pair, rbl_f8x3_scale(change, row->direction), a, b);
	else
		apply_angular_impulse(pair, a, b);
}

static inline void solve_spring(const joint_row *row, body_pair *pair,
                                rbl_solver_joint_extra *extra, rbl_f8 error)
{
	lane_softness soft = load_softness(extra->spring_softness, true);
	rbl_f8 old = rbl_f8_load(extra->spring_impulse);
	rbl_f8 wanted = rbl_f8_add(row_speed(row, pair), rbl_f8_mul(soft.rate, error));
	rbl_f8 change = rbl_f8_add(rbl_f8_mul(rbl_f8_mul(soft.mass, row->mass), wanted),
	                           rbl_f8_mul(soft.impulse, old));
	rbl_f8_store(extra->spring_impulse, rbl_f8_sub(old, change));
	change_row(row, pair, rbl_f8_neg(change));
}

static inline void solve_motor(const joint_row *row, body_pair *pair, float *impulse, rbl_f8 speed,
                               rbl_f8 most)
{
	rbl_f8 old = rbl_f8_load(impulse);
	rbl_f8 error = rbl_f8_sub(row_speed(row, pair), speed);
	rbl_f8 now = rbl_f8_sub(old, rbl_f8_mul(row->mass, error));
	now = rbl_f8_max(rbl_f8_min(now, most), rbl_f8_neg(most));
	rbl_f8_store(impulse, now);
	change_row(row, pair, rbl_f8_sub(now, old));
}

// A limit at `distance`, in the direction of `sign`: a positive distance may close, but no further.
static inline void solve_limit(const joint_row *row, body_pair *pair, float *impulse,
                               rbl_f8 distance, float sign, lane_softness soft, float inverse_h)
{
	rbl_f8 zero = rbl_f8_zero(), old = rbl_f8_load(impulse), s = rbl_f8_splat(sign);
	rbl_i8 is_apart = rbl_f8_gt(distance, zero);
	rbl_f8 bias = rbl_f8_mul(distance, rbl_f8_select(is_apart, rbl_f8_splat(inverse_h), soft.rate));
	rbl_f8 mass = rbl_f8_mul(row->mass, rbl_f8_select(is_apart, rbl_f8_splat(1.0f), soft.mass));
	rbl_f8 speed = rbl_f8_mul(s, row_speed(row, pair));
	rbl_f8 now = rbl_f8_sub(rbl_f8_sub(old, rbl_f8_mul(mass, rbl_f8_add(speed, bias))),
	                        rbl_f8_mul(rbl_f8_select(is_apart, zero, soft.impulse), old));
	now = rbl_f8_max(now, zero);
	rbl_f8_store(impulse, now);
	change_row(row, pair, rbl_f8_mul(s, rbl_f8_sub(now, old)));
}

static inline void solve_row(rbl_solver_joint_extra *extra, int parts, body_pair *pair,
                             const joint_geometry *g, lane_softness soft,
                             const rbl_solver_step_context *step)
{
	joint_row row = make_row(pair, g->direction, g->moment_a, g->moment_b, parts & LINEAR_ROW);
	if (parts & SPRING)
		solve_spring(&row, pair, extra, rbl_f8_sub(g->coordinate, rbl_f8_load(extra->target)));
	if (parts & MOTORS) {
		const float *most = parts & LINEAR_ROW ? extra->motor_force : extra->motor_torque;
		solve_motor(&row, pair, extra->motor_impulse, rbl_f8_load(extra->motor_speed),
		            rbl_f8_mul(rbl_f8_splat(step->h), rbl_f8_load(most)));
	}
	if (!(parts & LIMITS))
		return;
	rbl_f8 above = rbl_f8_sub(g->coordinate, rbl_f8_load(extra->lower));
	rbl_f8 below = rbl_f8_sub(rbl_f8_load(extra->upper), g->coordinate);
	solve_limit(&row, pair, extra->lower_impulse, above, 1.0f, soft, step->inverse_h);
	solve_limit(&row, pair, extra->upper_impulse, below, -1.0f, soft, step->inverse_h);
}

// What of the impulses is not along free axes, which have turned since the last sub-step.
// @return the change of the one at the anchors
static inline rbl_f8x3 project_impulses(rbl_solver_joint_block *block,
                                        rbl_solver_joint_extra *extra, int parts,
                                        const joint_geometry *g)
{
	rbl_f8x3 change = zero_vector();
	if (parts & SLIDES) {
		rbl_f8x3 old = load_lanes(block->impulse);
		rbl_f8x3 now = across(old, parts & TURNS ? g->y : g->z);
		store_lanes(block->impulse, now);
		change = rbl_f8x3_sub(now, old);
	}
	if (parts & TURNS)
		store_lanes(extra->angular_impulse, across(load_lanes(extra->angular_impulse), g->z));
	return change;
}

// Parts that no tree solves.
static inline int own_parts(int parts)
{
	if (!(parts & IN_TREE))
		return parts;
	return parts & ~(POINT | (parts & SOFT ? 0 : ANGULAR));
}

static inline RBL_ALWAYS_INLINE void solve_block(rbl_solver_joint_block *block,
                                                 rbl_solver_joint_extra *extra, int parts,
                                                 const rbl_solver_step_context *step, bool is_soft,
                                                 bool is_shared, bool has_locks)
{
	body_pair pair;
	load_pair(&pair, block->a, block->b, step, is_shared, has_locks);
	joint_geometry g = find_geometry(block, extra, parts, step);
	int own = own_parts(parts);
	rbl_f8x3 linear = zero_vector();
	if (own & POINT && own & SLIDES)
		linear = project_impulses(block, extra, own, &g);
	else if (own & ANGULAR && own & TURNS)
		project_impulses(block, extra, own, &g);
	joint_wrench w = find_wrench(block, extra, own, &g);
	if (own & LINEAR_ROW && own & ROW)
		linear = rbl_f8x3_sub(w.linear, load_lanes(extra->linear));
	apply_impulse(&pair, linear, rbl_f8x3_sub(w.moment_a, load_lanes(block->moment_a)),
	              rbl_f8x3_sub(w.moment_b, load_lanes(block->moment_b)));

	lane_softness soft = load_softness(block->softness, is_soft);
	if (own & SPIN) {
		joint_row spin = make_row(&pair, g.z, g.z, g.z, false);
		solve_motor(&spin, &pair, extra->spin_impulse, rbl_f8_load(extra->motor_speed),
		            rbl_f8_mul(rbl_f8_splat(step->h), rbl_f8_load(extra->motor_torque)));
	}
	if (own & ROW)
		solve_row(extra, parts, &pair, &g, soft, step);
	if (own & CONE) {
		joint_row cone = make_row(&pair, g.cone_axis, g.cone_axis, g.cone_axis, false);
		solve_limit(&cone, &pair, extra->cone_impulse,
		            rbl_f8_sub(rbl_f8_load(extra->cone_angle), g.cone_angle), -1.0f, soft,
		            step->inverse_h);
	}
	if (own & ANGULAR) {
		bool is_spring = own & SOFT;
		solve_angular(extra, parts, &pair, &g,
		              is_spring ? load_softness(extra->spring_softness, true) : soft, step->h);
	}
	if (own & POINT)
		solve_point(block, extra, parts, &pair, &g,
		            own & SOFT_POINT ? load_softness(block->softness, true) : soft, step->h);

	w = find_wrench(block, extra, own, &g);
	store_wrench(block, extra, parts, &w);
	store_pair(&pair, block->a, block->b, step, is_shared);
	if (is_soft) {
		store_lanes(block->force, rbl_f8x3_add(load_lanes(block->force), w.linear));
		if (own != POINT)
			store_lanes(extra->torque, rbl_f8x3_add(load_lanes(extra->torque), w.angular));
	}
}

// Most joints, and those that share bodies or have some with locked axes.
static RBL_NEVER_INLINE void solve_plain_block(rbl_solver_joint_block *block,
                                               rbl_solver_joint_extra *extra, int parts,
                                               const rbl_solver_step_context *step, bool is_soft)
{
	solve_block(block, extra, parts, step, is_soft, false, false);
}

static RBL_NEVER_INLINE void solve_special_block(rbl_solver_joint_block *block,
                                                 rbl_solver_joint_extra *extra, int parts,
                                                 const rbl_solver_step_context *step, bool is_soft,
                                                 bool is_shared)
{
	solve_block(block, extra, parts, step, is_soft, is_shared, step->has_locks);
}

// solve_block() for joints that are just a point and the only one of their bodies in a block, the
// most frequent ones.
static inline RBL_ALWAYS_INLINE void solve_point_block(rbl_solver_joint_block *block,
                                                       const rbl_solver_step_context *step,
                                                       bool is_soft)
{
	body_pair pair;
	load_pair(&pair, block->a, block->b, step, false, false);
	delta_lanes a, b;
	gather_records(step->bodies.delta, block->a, a.rows);
	gather_records(step->bodies.delta, block->b, b.rows);
	joint_geometry g;
	find_arms(&g, block, &a, &b);
	rbl_f8x3 impulse = load_lanes(block->impulse);
	apply_angular_impulse(
		&pair, rbl_f8x3_sub(rbl_f8x3_cross(g.arm_a, impulse), load_lanes(block->moment_a)),
		rbl_f8x3_sub(rbl_f8x3_cross(g.arm_b, impulse), load_lanes(block->moment_b)));

	solve_point(block, NULL, POINT, &pair, &g, load_softness(block->softness, is_soft), step->h);
	impulse = load_lanes(block->impulse);
	store_lanes(block->moment_a, rbl_f8x3_cross(g.arm_a, impulse));
	store_lanes(block->moment_b, rbl_f8x3_cross(g.arm_b, impulse));
	store_pair(&pair, block->a, block->b, step, false);
	if (is_soft)
		store_lanes(block->force, rbl_f8x3_add(load_lanes(block->force), impulse));
}

static inline RBL_ALWAYS_INLINE void solve_blocks(const rbl_solver_joint_blocks *joints, int begin,
                                                  int end, const rbl_solver_step_context *step,
                                                  bool is_soft)
{
	for (int i = begin; i < end; ++i) {
		const rbl_solver_joint_cold *cold = &joints->cold[i];
		rbl_solver_joint_block *block = &joints->blocks[i];
		rbl_solver_joint_extra *extra = cold->extra < 0 ? NULL : &joints->extra[cold->extra];
		if (!(own_parts(cold->parts) & (POINT | ANGULAR | ROW | CONE | SPIN)))
			continue;
		if (cold->is_shared || step->has_locks)
			solve_special_block(block, extra, cold->parts, step, is_soft, cold->is_shared);
		else if (cold->parts == POINT)
			solve_point_block(block, step, is_soft);
		else
			solve_plain_block(block, extra, cold->parts, step, is_soft);
	}
}

void RBL_KERNEL(rbl_solver_solve_joint_blocks)(const rbl_solver_joint_blocks *joints, int begin,
                                               int end, const rbl_solver_step_context *step)
{
	solve_blocks(joints, begin, end, step, true);
}

void RBL_KERNEL(rbl_solver_relax_joint_blocks)(const rbl_solver_joint_blocks *joints, int begin,
                                               int end, const rbl_solver_step_context *step)
{
	solve_blocks(joints, begin, end, step, false);
}

// --- the beginning and the end of a step ---------------------------------------------------------

// Impulses of the last step, before the first sub-step.
void RBL_KERNEL(rbl_solver_warm_start_joint_blocks)(const rbl_solver_joint_blocks *joints,
                                                    int begin, int end,
                                                    const rbl_solver_step_context *step)
{
	for (int i = begin; i < end; ++i) {
		const rbl_solver_joint_cold *cold = &joints->cold[i];
		rbl_solver_joint_block *block = &joints->blocks[i];
		rbl_solver_joint_extra *extra = cold->extra < 0 ? NULL : &joints->extra[cold->extra];
		int parts = cold->parts;
		body_pair pair;
		load_pair(&pair, block->a, block->b, step, cold->is_shared, step->has_locks);
		joint_geometry g = find_geometry(block, extra, parts, step);
		joint_wrench w = find_wrench(block, extra, parts, &g);
		apply_impulse(&pair, w.linear, w.moment_a, w.moment_b);
		store_pair(&pair, block->a, block->b, step, cold->is_shared);
		if (parts & IN_TREE)
			w = find_wrench(block, extra, own_parts(parts), &g);
		store_wrench(block, extra, parts, &w);
	}
}

void RBL_KERNEL(rbl_solver_prepare_joint_blocks)(const rbl_solver_joint_blocks *joints, int begin,
                                                 int end, const rbl_solver_step_context *step)
{
	for (int i = begin; i < end; ++i) {
		const rbl_solver_joint_cold *cold = &joints->cold[i];
		rbl_solver_joint_block *block = &joints->blocks[i];
		pose_lanes a, b;
		gather_records(step->bodies.pose, block->a, a.rows);
		gather_records(step->bodies.pose, block->b, b.rows);
		rbl_f8x3 arm_a = rotate(a.rotation, load_lanes(cold->frame_a));
		rbl_f8x3 arm_b = rotate(b.rotation, load_lanes(cold->frame_b));
		store_lanes(block->initial_arm_a, arm_a);
		store_lanes(block->initial_arm_b, arm_b);
		store_lanes(block->initial_offset,
		            rbl_f8x3_add(rbl_f8x3_sub(b.centre, a.centre), rbl_f8x3_sub(arm_b, arm_a)));
		store_lanes(block->force, zero_vector());
		rbl_f8 hertz = rbl_f8_load(cold->hertz), damping = rbl_f8_load(cold->damping);
		rbl_i8 is_rigid = rbl_f8_le(hertz, rbl_f8_zero());
		hertz = rbl_f8_select(is_rigid, rbl_f8_splat(step->joint_hertz), hertz);
		damping = rbl_f8_select(is_rigid, rbl_f8_splat(step->joint_damping), damping);
		softness_of(hertz, damping, step->h, block->softness);
		if (cold->extra < 0)
			continue;
		rbl_solver_joint_extra *extra = &joints->extra[cold->extra];
		quat8 frame_a = load_quat(cold->frame_a + 3 * RBL_SOLVER_LANES);
		quat8 frame_b = load_quat(cold->frame_b + 3 * RBL_SOLVER_LANES);
		store_quat(extra->initial_frame_a, quat_mul(a.rotation, frame_a));
		store_quat(extra->initial_frame_b, quat_mul(b.rotation, frame_b));
		store_lanes(extra->torque, zero_vector());
		softness_of(rbl_f8_load(extra->hertz), rbl_f8_load(extra->damping), step->h,
		            extra->spring_softness);
		if (cold->parts & SOFT) { // without a spring, a motor of a ball joint
			rbl_i8 has_none = rbl_f8_le(rbl_f8_load(extra->hertz), rbl_f8_zero());
			float *mass = extra->spring_softness + RBL_SOLVER_LANES;
			float *impulse = extra->spring_softness + 2 * RBL_SOLVER_LANES;
			rbl_f8_store(mass, rbl_f8_select(has_none, rbl_f8_splat(1.0f), rbl_f8_load(mass)));
			rbl_f8_store(impulse, rbl_f8_select(has_none, rbl_f8_zero(), rbl_f8_load(impulse)));
		}
	}
}

static inline rbl_i8 exceeds(rbl_f8x3 v, const float *limit)
{
	rbl_f8 most = rbl_f8_load(limit);
	return rbl_i8_and(rbl_f8_gt(most, rbl_f8_zero()),
	                  rbl_f8_gt(rbl_f8_sqrt(rbl_f8x3_dot(v, v)), most));
}

void RBL_KERNEL(rbl_solver_finish_joint_blocks)(const rbl_solver_joint_blocks *joints, int begin,
                                                int end, const rbl_solver_step_context *step)
{
	rbl_f8 per_second = rbl_f8_splat(1.0f / step->dt);
	for (int i = begin; i < end; ++i) {
		rbl_solver_joint_cold *cold = &joints->cold[i];
		rbl_solver_joint_block *block = &joints->blocks[i];
		rbl_f8x3 force = rbl_f8x3_scale(per_second, load_lanes(block->force));
		store_lanes(block->force, force);
		cold->breaks = rbl_i8_any(exceeds(force, cold->break_force));
		if (cold->extra < 0)
			continue;
		rbl_solver_joint_extra *extra = &joints->extra[cold->extra];
		rbl_f8x3 torque = rbl_f8x3_scale(per_second, load_lanes(extra->torque));
		store_lanes(extra->torque, torque);
		cold->breaks |= rbl_i8_any(exceeds(torque, cold->break_torque));
		int parts = cold->parts | (cold->parts & (TURNS | SLIDES) ? ROW : 0);
		if (!(parts & ROW))
			continue;
		joint_geometry g = find_geometry(block, extra, parts, step);
		rbl_f8_store(extra->coordinate, g.coordinate);
	}
}
