// SPDX-License-Identifier: MIT
//
// Solving joints, in blocks of eight.
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

static inline rbl_fwx3 zero_vector(void)
{
	return rbl_fwx3_splat((rbl_vec3){ 0.0f, 0.0f, 0.0f });
}

// A symmetric matrix has the form of an inertia tensor.
typedef struct sym8 {
	rbl_fw xx, yy, zz, xy, xz, yz;
} sym8;

static inline rbl_fwx3 sym_mul(const sym8 *m, rbl_fwx3 v)
{
	return (rbl_fwx3){
		rbl_fw_add(rbl_fw_add(rbl_fw_mul(m->xx, v.x), rbl_fw_mul(m->xy, v.y)),
		           rbl_fw_mul(m->xz, v.z)),
		rbl_fw_add(rbl_fw_add(rbl_fw_mul(m->xy, v.x), rbl_fw_mul(m->yy, v.y)),
		           rbl_fw_mul(m->yz, v.z)),
		rbl_fw_add(rbl_fw_add(rbl_fw_mul(m->xz, v.x), rbl_fw_mul(m->yz, v.y)),
		           rbl_fw_mul(m->zz, v.z)),
	};
}

static inline rbl_fw two_products(rbl_fw a, rbl_fw b, rbl_fw c, rbl_fw d)
{
	return rbl_fw_sub(rbl_fw_mul(a, b), rbl_fw_mul(c, d));
}

// Add -[r] I^-1 [r]: the change of velocity at an arm by impulses there, through rotation.
static inline void add_arm_response(sym8 *k, const inertia_lanes *inverse, rbl_fwx3 r)
{
	rbl_fwx3 d = inverse->diagonal, o = inverse->off_diagonal; // xx yy zz, xy xz yz
	// I^-1 (r x e) for the three axes e.
	rbl_fwx3 x = { two_products(o.x, r.z, o.y, r.y), two_products(d.y, r.z, o.z, r.y),
		           two_products(o.z, r.z, d.z, r.y) };
	rbl_fwx3 y = { two_products(o.y, r.x, d.x, r.z), two_products(o.z, r.x, o.x, r.z),
		           two_products(d.z, r.x, o.y, r.z) };
	rbl_fwx3 z = { two_products(d.x, r.y, o.x, r.x), two_products(o.x, r.y, d.y, r.x),
		           two_products(o.y, r.y, o.z, r.x) };
	k->xx = rbl_fw_add(k->xx, two_products(x.y, r.z, x.z, r.y));
	k->xy = rbl_fw_add(k->xy, two_products(x.z, r.x, x.x, r.z));
	k->xz = rbl_fw_add(k->xz, two_products(x.x, r.y, x.y, r.x));
	k->yy = rbl_fw_add(k->yy, two_products(y.z, r.x, y.x, r.z));
	k->yz = rbl_fw_add(k->yz, two_products(y.x, r.y, y.y, r.x));
	k->zz = rbl_fw_add(k->zz, two_products(z.x, r.y, z.y, r.x));
}

// Take the axis f out of a matrix that is to be inverted.
static inline void project_out(sym8 *k, rbl_fwx3 f)
{
	rbl_fwx3 g = sym_mul(k, f);
	rbl_fw trace = rbl_fw_add(rbl_fw_add(k->xx, k->yy), k->zz);
	rbl_fw s = rbl_fw_add(rbl_fwx3_dot(f, g), trace);
#define PROJECT(ij, i, j)                                                                         \
	k->ij = rbl_fw_add(rbl_fw_sub(k->ij, rbl_fw_add(rbl_fw_mul(f.i, g.j), rbl_fw_mul(g.i, f.j))), \
	                   rbl_fw_mul(s, rbl_fw_mul(f.i, f.j)))
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
	rbl_fw scale = inverse_or_zero(rbl_fw_add(rbl_fw_add(m->xx, m->yy), m->zz));
	rbl_fw xx = rbl_fw_mul(scale, m->xx), yy = rbl_fw_mul(scale, m->yy);
	rbl_fw zz = rbl_fw_mul(scale, m->zz), xy = rbl_fw_mul(scale, m->xy);
	rbl_fw xz = rbl_fw_mul(scale, m->xz), yz = rbl_fw_mul(scale, m->yz);
	sym8 c = { two_products(yy, zz, yz, yz), two_products(xx, zz, xz, xz),
		       two_products(xx, yy, xy, xy), two_products(xz, yz, xy, zz),
		       two_products(xy, yz, xz, yy), two_products(xy, xz, yz, xx) };
	rbl_fw determinant =
		rbl_fw_add(rbl_fw_add(rbl_fw_mul(xx, c.xx), rbl_fw_mul(xy, c.xy)), rbl_fw_mul(xz, c.xz));
	// A matrix that is singular but for rounding has no inverse either.
	rbl_iw is_regular = rbl_fw_gt(determinant, rbl_fw_splat(1e-12f));
	rbl_fw f = rbl_fw_select(is_regular, rbl_fw_div(scale, determinant), rbl_fw_zero());
	return (sym8){ rbl_fw_mul(f, c.xx), rbl_fw_mul(f, c.yy), rbl_fw_mul(f, c.zz),
		           rbl_fw_mul(f, c.xy), rbl_fw_mul(f, c.xz), rbl_fw_mul(f, c.yz) };
}

// v, no longer than `limit`.
static inline rbl_fwx3 clamp_to(rbl_fwx3 v, rbl_fw limit)
{
	rbl_fw length = rbl_fw_sqrt(rbl_fwx3_dot(v, v));
	rbl_fw scale =
		rbl_fw_select(rbl_fw_gt(length, limit), rbl_fw_div(limit, length), rbl_fw_splat(1.0f));
	return rbl_fwx3_scale(scale, v);
}

static inline rbl_fw polynomial_step(rbl_fw sum, rbl_fw z, float c)
{
	return rbl_fw_add(rbl_fw_mul(sum, z), rbl_fw_splat(c));
}

// To 1e-6, 0 where both are 0.
static inline rbl_fw atan2_lanes(rbl_fw y, rbl_fw x)
{
	rbl_fw zero = rbl_fw_zero(), one = rbl_fw_splat(1.0f);
	rbl_fw ax = rbl_fw_abs(x), ay = rbl_fw_abs(y);
	rbl_fw t = rbl_fw_mul(rbl_fw_min(ax, ay), inverse_or_zero(rbl_fw_max(ax, ay)));
	// Beyond tan(pi / 8): pi / 4 + atan((t - 1) / (t + 1)).
	rbl_iw is_large = rbl_fw_gt(t, rbl_fw_splat(0.41421356f));
	rbl_fw r = rbl_fw_select(is_large, rbl_fw_div(rbl_fw_sub(t, one), rbl_fw_add(t, one)), t);
	rbl_fw z = rbl_fw_mul(r, r), p = rbl_fw_splat(8.05374449538e-2f);
	p = polynomial_step(p, z, -1.38776856032e-1f);
	p = polynomial_step(p, z, 1.99777106478e-1f);
	p = polynomial_step(p, z, -3.33329491539e-1f);
	rbl_fw angle = rbl_fw_add(r, rbl_fw_mul(rbl_fw_mul(p, z), r));
	angle = rbl_fw_add(angle, rbl_fw_select(is_large, rbl_fw_splat(0.25f * RBL_PI_F), zero));
	angle =
		rbl_fw_select(rbl_fw_gt(ay, ax), rbl_fw_sub(rbl_fw_splat(0.5f * RBL_PI_F), angle), angle);
	angle = rbl_fw_select(rbl_fw_lt(x, zero), rbl_fw_sub(rbl_fw_splat(RBL_PI_F), angle), angle);
	return rbl_fw_select(rbl_fw_lt(y, zero), rbl_fw_neg(angle), angle);
}

// The rotation about z in a relative rotation, in the turn that is nearest to `last`: where an
// angle jumps from pi to -pi, a limit would push the wrong way.
static inline rbl_fw twist_angle(quat8 frame_a, quat8 frame_b, rbl_fw last)
{
	quat8 q = quat_mul(quat_conjugate(frame_a), frame_b);
	rbl_fw angle = rbl_fw_mul(rbl_fw_splat(2.0f), atan2_lanes(q.v.z, q.w));
	rbl_fw turns = rbl_fw_mul(rbl_fw_sub(last, angle), rbl_fw_splat(0.5f / RBL_PI_F));
	rbl_fw big = rbl_fw_splat(12582912.0f); // adding it rounds to an integer
	turns = rbl_fw_sub(rbl_fw_add(turns, big), big);
	return rbl_fw_add(angle, rbl_fw_mul(turns, rbl_fw_splat(2.0f * RBL_PI_F)));
}

static inline void softness_of(rbl_fw hertz, rbl_fw damping, float h, float *softness)
{
	rbl_fw one = rbl_fw_splat(1.0f), omega = rbl_fw_mul(rbl_fw_splat(2.0f * RBL_PI_F), hertz);
	rbl_fw h_omega = rbl_fw_mul(rbl_fw_splat(h), omega);
	rbl_fw a1 = rbl_fw_add(rbl_fw_mul(rbl_fw_splat(2.0f), damping), h_omega);
	rbl_fw a2 = rbl_fw_mul(h_omega, a1), a3 = rbl_fw_div(one, rbl_fw_add(one, a2));
	rbl_fw_store(softness, rbl_fw_mul(omega, inverse_or_zero(a1)));
	rbl_fw_store(softness + RBL_SOLVER_LANES, rbl_fw_mul(a2, a3));
	rbl_fw_store(softness + 2 * RBL_SOLVER_LANES, a3);
}

// --- geometry ------------------------------------------------------------------------------------

// Where a joint is now.
typedef struct joint_geometry {
	rbl_fwx3 arm_a, arm_b;
	rbl_fwx3 offset; // from A's anchor to B's
	quat8 frame_a, frame_b;
	rbl_fwx3 y, z; // axes of A's frame
	// The row: its speed is direction . (vB - vA) + moment_b . wB - moment_a . wA.
	rbl_fwx3 direction, moment_a, moment_b;
	rbl_fw coordinate;
	rbl_fwx3 cone_axis;
	rbl_fw cone_angle;
} joint_geometry;

static const rbl_vec3 along_y = { 0.0f, 1.0f, 0.0f }, along_z = { 0.0f, 0.0f, 1.0f };

static inline rbl_fwx3 normalize_or_zero(rbl_fwx3 v, rbl_fw *length)
{
	*length = rbl_fw_sqrt(rbl_fwx3_dot(v, v));
	return rbl_fwx3_scale(inverse_or_zero(*length), v);
}

static inline void find_row(joint_geometry *g, const rbl_solver_joint_extra *extra, int parts)
{
	if (!(parts & LINEAR_ROW)) {
		g->direction = zero_vector();
		g->coordinate = twist_angle(g->frame_a, g->frame_b, rbl_fw_load(extra->coordinate));
		g->moment_a = g->moment_b = g->z;
		if (!(parts & TURNS)) { // the twist of a ball joint, which also swings
			rbl_fwx3 z_b = rotate(g->frame_b, rbl_fwx3_splat(along_z));
			rbl_fw cosine = rbl_fw_add(rbl_fw_splat(1.0f), rbl_fwx3_dot(g->z, z_b));
			rbl_fw scale = rbl_fw_div(rbl_fw_splat(1.0f), rbl_fw_max(cosine, rbl_fw_splat(0.1f)));
			g->moment_a = g->moment_b = rbl_fwx3_scale(scale, rbl_fwx3_add(g->z, z_b));
		}
		return;
	}
	if (parts & SLIDES) {
		g->direction = parts & TURNS ? g->y : g->z;
		g->coordinate = rbl_fwx3_dot(g->direction, g->offset);
		g->moment_a = rbl_fwx3_cross(rbl_fwx3_add(g->arm_a, g->offset), g->direction);
	} else {
		g->direction = normalize_or_zero(g->offset, &g->coordinate);
		g->moment_a = rbl_fwx3_cross(g->arm_a, g->direction);
	}
	g->moment_b = rbl_fwx3_cross(g->arm_b, g->direction);
}

static inline void find_cone(joint_geometry *g)
{
	rbl_fwx3 z_b = rotate(g->frame_b, rbl_fwx3_splat(along_z));
	rbl_fw sine;
	g->cone_axis = normalize_or_zero(rbl_fwx3_cross(g->z, z_b), &sine);
	g->cone_angle = atan2_lanes(sine, rbl_fwx3_dot(g->z, z_b));
}

static inline void find_arms(joint_geometry *g, const rbl_solver_joint_block *block,
                             const delta_lanes *a, const delta_lanes *b)
{
	rbl_fwx3 initial_a = load_lanes(block->initial_arm_a);
	rbl_fwx3 initial_b = load_lanes(block->initial_arm_b);
	rbl_fwx3 change_a = rotation_change(a->rotation, initial_a);
	rbl_fwx3 change_b = rotation_change(b->rotation, initial_b);
	g->arm_a = rbl_fwx3_add(initial_a, change_a);
	g->arm_b = rbl_fwx3_add(initial_b, change_b);
	g->offset = rbl_fwx3_add(load_lanes(block->initial_offset),
	                         rbl_fwx3_add(rbl_fwx3_sub(b->translation, a->translation),
	                                      rbl_fwx3_sub(change_b, change_a)));
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
	g.z = rotate(g.frame_a, rbl_fwx3_splat(along_z));
	if (parts & SLIDES && parts & TURNS)
		g.y = rotate(g.frame_a, rbl_fwx3_splat(along_y));
	if (parts & ROW)
		find_row(&g, extra, parts);
	if (parts & CONE)
		find_cone(&g);
	return g;
}

static inline rbl_fw row_impulse(const rbl_solver_joint_extra *extra)
{
	rbl_fw sum = rbl_fw_add(rbl_fw_load(extra->motor_impulse), rbl_fw_load(extra->spring_impulse));
	return rbl_fw_add(
		sum, rbl_fw_sub(rbl_fw_load(extra->lower_impulse), rbl_fw_load(extra->upper_impulse)));
}

// What the impulses of a joint are on its bodies, as it is now: linear on B, and angular on both.
typedef struct joint_wrench {
	rbl_fwx3 linear, angular, moment_a, moment_b;
} joint_wrench;

// @param parts  those whose impulses count
static inline joint_wrench find_wrench(const rbl_solver_joint_block *block,
                                       const rbl_solver_joint_extra *extra, int parts,
                                       const joint_geometry *g)
{
	joint_wrench w = { zero_vector(), zero_vector(), zero_vector(), zero_vector() };
	if (parts & POINT) {
		w.linear = load_lanes(block->impulse);
		rbl_fwx3 arm_a = parts & SLIDES ? rbl_fwx3_add(g->arm_a, g->offset) : g->arm_a;
		w.moment_a = rbl_fwx3_cross(arm_a, w.linear);
		w.moment_b = rbl_fwx3_cross(g->arm_b, w.linear);
	}
	if (parts == POINT)
		return w;
	if (parts & ANGULAR)
		w.angular = load_lanes(extra->angular_impulse);
	if (parts & SPIN)
		w.angular = rbl_fwx3_add_scaled(w.angular, rbl_fw_load(extra->spin_impulse), g->z);
	if (parts & CONE)
		w.angular =
			rbl_fwx3_sub(w.angular, rbl_fwx3_scale(rbl_fw_load(extra->cone_impulse), g->cone_axis));
	if (parts & ROW) {
		rbl_fw impulse = row_impulse(extra);
		if (parts & LINEAR_ROW) {
			w.linear = rbl_fwx3_add_scaled(w.linear, impulse, g->direction);
			w.moment_a = rbl_fwx3_add_scaled(w.moment_a, impulse, g->moment_a);
			w.moment_b = rbl_fwx3_add_scaled(w.moment_b, impulse, g->moment_b);
		} else {
			w.angular = rbl_fwx3_add_scaled(w.angular, impulse, g->moment_a);
		}
	}
	w.moment_a = rbl_fwx3_add(w.moment_a, w.angular);
	w.moment_b = rbl_fwx3_add(w.moment_b, w.angular);
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
	rbl_fw rate, mass, impulse;
} lane_softness;

static inline lane_softness load_softness(const float *softness, bool is_soft)
{
	if (!is_soft)
		return (lane_softness){ rbl_fw_zero(), rbl_fw_splat(1.0f), rbl_fw_zero() };
	return (lane_softness){ rbl_fw_load(softness), rbl_fw_load(softness + RBL_SOLVER_LANES),
		                    rbl_fw_load(softness + 2 * RBL_SOLVER_LANES) };
}

// New impulses of a block of three, from the velocity error.
static inline rbl_fwx3 soft_answer(sym8 *k, rbl_fwx3 error, rbl_fwx3 old, lane_softness soft)
{
	sym8 mass = sym_inverse(k);
	rbl_fwx3 answer = sym_mul(&mass, error);
	return rbl_fwx3_sub(rbl_fwx3_scale(rbl_fw_sub(rbl_fw_splat(1.0f), soft.impulse), old),
	                    rbl_fwx3_scale(soft.mass, answer));
}

static inline rbl_fwx3 across(rbl_fwx3 v, rbl_fwx3 axis)
{
	return rbl_fwx3_sub(v, rbl_fwx3_scale(rbl_fwx3_dot(axis, v), axis));
}

// Where both bodies are locked along or about a world axis, nothing moves there: no error, and a
// matrix that has an inverse.
static inline void skip_locked_axes(const body_pair *pair, sym8 *k, rbl_fwx3 *error)
{
	if (!pair->has_locks)
		return;
	rbl_fw zero = rbl_fw_zero(), trace = rbl_fw_add(rbl_fw_add(k->xx, k->yy), k->zz);
	rbl_fw least = rbl_fw_mul(rbl_fw_splat(1e-6f), trace);
	rbl_iw x = rbl_fw_gt(k->xx, least), y = rbl_fw_gt(k->yy, least), z = rbl_fw_gt(k->zz, least);
	k->xx = rbl_fw_select(x, k->xx, trace);
	k->yy = rbl_fw_select(y, k->yy, trace);
	k->zz = rbl_fw_select(z, k->zz, trace);
	*error = (rbl_fwx3){ rbl_fw_select(x, error->x, zero), rbl_fw_select(y, error->y, zero),
		                 rbl_fw_select(z, error->z, zero) };
}

static inline RBL_ALWAYS_INLINE void solve_point(rbl_solver_joint_block *block,
                                                 const rbl_solver_joint_extra *extra, int parts,
                                                 body_pair *pair, const joint_geometry *g,
                                                 lane_softness soft, float h)
{
	rbl_fwx3 arm_a = parts & SLIDES ? rbl_fwx3_add(g->arm_a, g->offset) : g->arm_a;
	rbl_fw inverse_mass = rbl_fw_add(pair->inertia_a.inverse_mass, pair->inertia_b.inverse_mass);
	rbl_fw zero = rbl_fw_zero();
	sym8 k = { inverse_mass, inverse_mass, inverse_mass, zero, zero, zero };
	if (pair->has_locks) {
		rbl_fwx3 a = rbl_fwx3_scale(pair->inertia_a.inverse_mass, pair->free_a);
		rbl_fwx3 b = rbl_fwx3_scale(pair->inertia_b.inverse_mass, pair->free_b);
		k.xx = rbl_fw_add(a.x, b.x), k.yy = rbl_fw_add(a.y, b.y), k.zz = rbl_fw_add(a.z, b.z);
	}
	add_arm_response(&k, &pair->inertia_a, arm_a);
	add_arm_response(&k, &pair->inertia_b, g->arm_b);
	rbl_fwx3 at_a =
		rbl_fwx3_add(pair->velocity_a.linear, rbl_fwx3_cross(pair->velocity_a.angular, arm_a));
	rbl_fwx3 at_b =
		rbl_fwx3_add(pair->velocity_b.linear, rbl_fwx3_cross(pair->velocity_b.angular, g->arm_b));
	rbl_fwx3 error = rbl_fwx3_add_scaled(rbl_fwx3_sub(at_b, at_a), soft.rate, g->offset);
	skip_locked_axes(pair, &k, &error);
	rbl_fwx3 old = load_lanes(block->impulse);
	if (parts & SLIDES) {
		rbl_fwx3 axis = parts & TURNS ? g->y : g->z;
		project_out(&k, axis);
		error = across(error, axis);
	}
	rbl_fwx3 now = soft_answer(&k, error, old, soft);
	if (parts & SOFT_POINT)
		now = clamp_to(now, rbl_fw_mul(rbl_fw_splat(h), rbl_fw_load(extra->motor_force)));
	store_lanes(block->impulse, now);
	rbl_fwx3 change = rbl_fwx3_sub(now, old);
	apply_impulse(pair, change, rbl_fwx3_cross(arm_a, change), rbl_fwx3_cross(g->arm_b, change));
}

static inline void solve_angular(rbl_solver_joint_extra *extra, int parts, body_pair *pair,
                                 const joint_geometry *g, lane_softness soft, float h)
{
	sym8 k = { rbl_fw_add(pair->inertia_a.diagonal.x, pair->inertia_b.diagonal.x),
		       rbl_fw_add(pair->inertia_a.diagonal.y, pair->inertia_b.diagonal.y),
		       rbl_fw_add(pair->inertia_a.diagonal.z, pair->inertia_b.diagonal.z),
		       rbl_fw_add(pair->inertia_a.off_diagonal.x, pair->inertia_b.off_diagonal.x),
		       rbl_fw_add(pair->inertia_a.off_diagonal.y, pair->inertia_b.off_diagonal.y),
		       rbl_fw_add(pair->inertia_a.off_diagonal.z, pair->inertia_b.off_diagonal.z) };
	rbl_fwx3 speed = rbl_fwx3_sub(pair->velocity_b.angular, pair->velocity_a.angular), error;
	if (parts & TURNS) {
		error = rbl_fwx3_cross(g->z, rotate(g->frame_b, rbl_fwx3_splat(along_z)));
	} else {
		quat8 q = quat_mul(g->frame_b, quat_conjugate(g->frame_a));
		rbl_fw two =
			rbl_fw_select(rbl_fw_lt(q.w, rbl_fw_zero()), rbl_fw_splat(-2.0f), rbl_fw_splat(2.0f));
		error = rbl_fwx3_scale(two, q.v);
	}
	error = rbl_fwx3_add_scaled(speed, soft.rate, error);
	skip_locked_axes(pair, &k, &error);
	if (parts & TURNS) {
		project_out(&k, g->z);
		error = across(error, g->z);
	} else if (parts & SOFT) {
		error = rbl_fwx3_sub(error, rbl_fwx3_scale(rbl_fw_load(extra->motor_speed), g->z));
	}
	rbl_fwx3 old = load_lanes(extra->angular_impulse);
	rbl_fwx3 now = soft_answer(&k, error, old, soft);
	if (parts & SOFT)
		now = clamp_to(now, rbl_fw_mul(rbl_fw_splat(h), rbl_fw_load(extra->motor_torque)));
	store_lanes(extra->angular_impulse, now);
	rbl_fwx3 change = rbl_fwx3_sub(now, old);
	apply_angular_impulse(pair, change, change);
}

// An impulse along one direction of the six.
typedef struct joint_row {
	rbl_fwx3 direction, moment_a, moment_b;
	rbl_fw mass;
	bool is_linear;
} joint_row;

static inline joint_row make_row(const body_pair *pair, rbl_fwx3 direction, rbl_fwx3 moment_a,
                                 rbl_fwx3 moment_b, bool is_linear)
{
	rbl_fw k = rbl_fw_add(rbl_fwx3_dot(moment_a, inertia_mul(&pair->inertia_a, moment_a)),
	                      rbl_fwx3_dot(moment_b, inertia_mul(&pair->inertia_b, moment_b)));
	if (is_linear) {
		rbl_fw inverse_mass =
			rbl_fw_add(pair->inertia_a.inverse_mass, pair->inertia_b.inverse_mass);
		rbl_fw response = rbl_fw_mul(inverse_mass, rbl_fwx3_dot(direction, direction));
		k = rbl_fw_add(k, pair->has_locks ? linear_response(pair, direction, direction) : response);
	}
	return (joint_row){ direction, moment_a, moment_b, inverse_or_zero(k), is_linear };
}

static inline rbl_fw row_speed(const joint_row *row, const body_pair *pair)
{
	rbl_fw speed = rbl_fw_sub(rbl_fwx3_dot(row->moment_b, pair->velocity_b.angular),
	                          rbl_fwx3_dot(row->moment_a, pair->velocity_a.angular));
	if (row->is_linear)
		speed =
			rbl_fw_add(speed, rbl_fwx3_dot(row->direction, rbl_fwx3_sub(pair->velocity_b.linear,
		                                                                pair->velocity_a.linear)));
	return speed;
}

static inline void change_row(const joint_row *row, body_pair *pair, rbl_fw change)
{
	rbl_fwx3 a = rbl_fwx3_scale(change, row->moment_a);
	rbl_fwx3 b = rbl_fwx3_scale(change, row->moment_b);
	if (row->is_linear)
		apply_impulse(pair, rbl_fwx3_scale(change, row->direction), a, b);
	else
		apply_angular_impulse(pair, a, b);
}

static inline void solve_spring(const joint_row *row, body_pair *pair,
                                rbl_solver_joint_extra *extra, rbl_fw error)
{
	lane_softness soft = load_softness(extra->spring_softness, true);
	rbl_fw old = rbl_fw_load(extra->spring_impulse);
	rbl_fw wanted = rbl_fw_add(row_speed(row, pair), rbl_fw_mul(soft.rate, error));
	rbl_fw change = rbl_fw_add(rbl_fw_mul(rbl_fw_mul(soft.mass, row->mass), wanted),
	                           rbl_fw_mul(soft.impulse, old));
	rbl_fw_store(extra->spring_impulse, rbl_fw_sub(old, change));
	change_row(row, pair, rbl_fw_neg(change));
}

static inline void solve_motor(const joint_row *row, body_pair *pair, float *impulse, rbl_fw speed,
                               rbl_fw most)
{
	rbl_fw old = rbl_fw_load(impulse);
	rbl_fw error = rbl_fw_sub(row_speed(row, pair), speed);
	rbl_fw now = rbl_fw_sub(old, rbl_fw_mul(row->mass, error));
	now = rbl_fw_max(rbl_fw_min(now, most), rbl_fw_neg(most));
	rbl_fw_store(impulse, now);
	change_row(row, pair, rbl_fw_sub(now, old));
}

// A limit at `distance`, in the direction of `sign`: a positive distance may close, but no further.
static inline void solve_limit(const joint_row *row, body_pair *pair, float *impulse,
                               rbl_fw distance, float sign, lane_softness soft, float inverse_h)
{
	rbl_fw zero = rbl_fw_zero(), old = rbl_fw_load(impulse), s = rbl_fw_splat(sign);
	rbl_iw is_apart = rbl_fw_gt(distance, zero);
	rbl_fw bias = rbl_fw_mul(distance, rbl_fw_select(is_apart, rbl_fw_splat(inverse_h), soft.rate));
	rbl_fw mass = rbl_fw_mul(row->mass, rbl_fw_select(is_apart, rbl_fw_splat(1.0f), soft.mass));
	rbl_fw speed = rbl_fw_mul(s, row_speed(row, pair));
	rbl_fw now = rbl_fw_sub(rbl_fw_sub(old, rbl_fw_mul(mass, rbl_fw_add(speed, bias))),
	                        rbl_fw_mul(rbl_fw_select(is_apart, zero, soft.impulse), old));
	now = rbl_fw_max(now, zero);
	rbl_fw_store(impulse, now);
	change_row(row, pair, rbl_fw_mul(s, rbl_fw_sub(now, old)));
}

static inline void solve_row(rbl_solver_joint_extra *extra, int parts, body_pair *pair,
                             const joint_geometry *g, lane_softness soft,
                             const rbl_solver_step_context *step)
{
	joint_row row = make_row(pair, g->direction, g->moment_a, g->moment_b, parts & LINEAR_ROW);
	if (parts & SPRING)
		solve_spring(&row, pair, extra, rbl_fw_sub(g->coordinate, rbl_fw_load(extra->target)));
	if (parts & MOTORS) {
		const float *most = parts & LINEAR_ROW ? extra->motor_force : extra->motor_torque;
		solve_motor(&row, pair, extra->motor_impulse, rbl_fw_load(extra->motor_speed),
		            rbl_fw_mul(rbl_fw_splat(step->h), rbl_fw_load(most)));
	}
	if (!(parts & LIMITS))
		return;
	rbl_fw above = rbl_fw_sub(g->coordinate, rbl_fw_load(extra->lower));
	rbl_fw below = rbl_fw_sub(rbl_fw_load(extra->upper), g->coordinate);
	solve_limit(&row, pair, extra->lower_impulse, above, 1.0f, soft, step->inverse_h);
	solve_limit(&row, pair, extra->upper_impulse, below, -1.0f, soft, step->inverse_h);
}

// What of the impulses is not along free axes, which have turned since the last sub-step.
// @return the change of the one at the anchors
static inline rbl_fwx3 project_impulses(rbl_solver_joint_block *block,
                                        rbl_solver_joint_extra *extra, int parts,
                                        const joint_geometry *g)
{
	rbl_fwx3 change = zero_vector();
	if (parts & SLIDES) {
		rbl_fwx3 old = load_lanes(block->impulse);
		rbl_fwx3 now = across(old, parts & TURNS ? g->y : g->z);
		store_lanes(block->impulse, now);
		change = rbl_fwx3_sub(now, old);
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

// Some lanes. @param block, extra  from `lane` on; @param changes  where lanes may share bodies
static inline RBL_ALWAYS_INLINE void solve_lanes(rbl_solver_joint_block *block,
                                                 rbl_solver_joint_extra *extra, int parts, int lane,
                                                 const rbl_solver_step_context *step, bool is_soft,
                                                 pair_changes *changes, bool has_locks)
{
	body_pair pair;
	load_pair(&pair, block->a, block->b, lane, step, changes, has_locks);
	joint_geometry g = find_geometry(block, extra, parts, step);
	int own = own_parts(parts);
	rbl_fwx3 linear = zero_vector();
	if (own & POINT && own & SLIDES)
		linear = project_impulses(block, extra, own, &g);
	else if (own & ANGULAR && own & TURNS)
		project_impulses(block, extra, own, &g);
	joint_wrench w = find_wrench(block, extra, own, &g);
	if (own & LINEAR_ROW && own & ROW)
		linear = rbl_fwx3_sub(w.linear, load_lanes(extra->linear));
	apply_impulse(&pair, linear, rbl_fwx3_sub(w.moment_a, load_lanes(block->moment_a)),
	              rbl_fwx3_sub(w.moment_b, load_lanes(block->moment_b)));

	lane_softness soft = load_softness(block->softness, is_soft);
	if (own & SPIN) {
		joint_row spin = make_row(&pair, g.z, g.z, g.z, false);
		solve_motor(&spin, &pair, extra->spin_impulse, rbl_fw_load(extra->motor_speed),
		            rbl_fw_mul(rbl_fw_splat(step->h), rbl_fw_load(extra->motor_torque)));
	}
	if (own & ROW)
		solve_row(extra, parts, &pair, &g, soft, step);
	if (own & CONE) {
		joint_row cone = make_row(&pair, g.cone_axis, g.cone_axis, g.cone_axis, false);
		solve_limit(&cone, &pair, extra->cone_impulse,
		            rbl_fw_sub(rbl_fw_load(extra->cone_angle), g.cone_angle), -1.0f, soft,
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
	store_pair(&pair, block->a, block->b, lane, step, changes);
	if (is_soft) {
		store_lanes(block->force, rbl_fwx3_add(load_lanes(block->force), w.linear));
		if (own != POINT)
			store_lanes(extra->torque, rbl_fwx3_add(load_lanes(extra->torque), w.angular));
	}
}

// Most joints, and those that share bodies or have some with locked axes.
static RBL_NEVER_INLINE void solve_plain_block(rbl_solver_joint_block *block,
                                               rbl_solver_joint_extra *extra, int parts,
                                               const rbl_solver_step_context *step, bool is_soft)
{
	for (int lane = 0; lane < RBL_SOLVER_LANES; lane += RBL_WIDE_LANES)
		solve_lanes(from_lane(block, lane), extra ? from_lane(extra, lane) : NULL, parts, lane,
		            step, is_soft, NULL, false);
}

static RBL_NEVER_INLINE void solve_special_block(rbl_solver_joint_block *block,
                                                 rbl_solver_joint_extra *extra, int parts,
                                                 const rbl_solver_step_context *step, bool is_soft,
                                                 bool is_shared)
{
	pair_changes changes;
	for (int lane = 0; lane < RBL_SOLVER_LANES; lane += RBL_WIDE_LANES)
		solve_lanes(from_lane(block, lane), extra ? from_lane(extra, lane) : NULL, parts, lane,
		            step, is_soft, is_shared ? &changes : NULL, step->has_locks);
	if (is_shared)
		add_all_changes(&changes, block->a, block->b, step->bodies.velocity);
}

// solve_lanes() for joints that are just a point and the only one of their bodies in a block, the
// most frequent ones.
static inline RBL_ALWAYS_INLINE void solve_point_lanes(rbl_solver_joint_block *block, int lane,
                                                       const rbl_solver_step_context *step,
                                                       bool is_soft)
{
	body_pair pair;
	load_pair(&pair, block->a, block->b, lane, step, false, false);
	delta_lanes a, b;
	gather_records(step->bodies.delta, block->a, a.rows);
	gather_records(step->bodies.delta, block->b, b.rows);
	joint_geometry g;
	find_arms(&g, block, &a, &b);
	rbl_fwx3 impulse = load_lanes(block->impulse);
	apply_angular_impulse(
		&pair, rbl_fwx3_sub(rbl_fwx3_cross(g.arm_a, impulse), load_lanes(block->moment_a)),
		rbl_fwx3_sub(rbl_fwx3_cross(g.arm_b, impulse), load_lanes(block->moment_b)));

	solve_point(block, NULL, POINT, &pair, &g, load_softness(block->softness, is_soft), step->h);
	impulse = load_lanes(block->impulse);
	store_lanes(block->moment_a, rbl_fwx3_cross(g.arm_a, impulse));
	store_lanes(block->moment_b, rbl_fwx3_cross(g.arm_b, impulse));
	store_pair(&pair, block->a, block->b, lane, step, NULL);
	if (is_soft)
		store_lanes(block->force, rbl_fwx3_add(load_lanes(block->force), impulse));
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
			for (int lane = 0; lane < RBL_SOLVER_LANES; lane += RBL_WIDE_LANES)
				solve_point_lanes(from_lane(block, lane), lane, step, is_soft);
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

static void warm_start_lanes(const rbl_solver_joint_blocks *joints, int i, int lane,
                             const rbl_solver_step_context *step, pair_changes *changes)
{
	const rbl_solver_joint_cold *cold = &joints->cold[i];
	rbl_solver_joint_block *block = from_lane(&joints->blocks[i], lane);
	rbl_solver_joint_extra *extra =
		cold->extra < 0 ? NULL : from_lane(&joints->extra[cold->extra], lane);
	int parts = cold->parts;
	body_pair pair;
	load_pair(&pair, block->a, block->b, lane, step, changes, step->has_locks);
	joint_geometry g = find_geometry(block, extra, parts, step);
	joint_wrench w = find_wrench(block, extra, parts, &g);
	apply_impulse(&pair, w.linear, w.moment_a, w.moment_b);
	store_pair(&pair, block->a, block->b, lane, step, changes);
	if (parts & IN_TREE)
		w = find_wrench(block, extra, own_parts(parts), &g);
	store_wrench(block, extra, parts, &w);
}

// Impulses of the last step, before the first sub-step.
void RBL_KERNEL(rbl_solver_warm_start_joint_blocks)(const rbl_solver_joint_blocks *joints,
                                                    int begin, int end,
                                                    const rbl_solver_step_context *step)
{
	for (int i = begin; i < end; ++i) {
		const rbl_solver_joint_block *block = &joints->blocks[i];
		bool is_shared = joints->cold[i].is_shared;
		pair_changes changes;
		for (int lane = 0; lane < RBL_SOLVER_LANES; lane += RBL_WIDE_LANES)
			warm_start_lanes(joints, i, lane, step, is_shared ? &changes : NULL);
		if (is_shared)
			add_all_changes(&changes, block->a, block->b, step->bodies.velocity);
	}
}

static void prepare_lanes(const rbl_solver_joint_blocks *joints, int i, int lane,
                          const rbl_solver_step_context *step)
{
	const rbl_solver_joint_cold *all = &joints->cold[i], *cold = from_lane(&joints->cold[i], lane);
	rbl_solver_joint_block *block = from_lane(&joints->blocks[i], lane);
	pose_lanes a, b;
	gather_records(step->bodies.pose, block->a, a.rows);
	gather_records(step->bodies.pose, block->b, b.rows);
	rbl_fwx3 arm_a = rotate(a.rotation, load_lanes(cold->frame_a));
	rbl_fwx3 arm_b = rotate(b.rotation, load_lanes(cold->frame_b));
	store_lanes(block->initial_arm_a, arm_a);
	store_lanes(block->initial_arm_b, arm_b);
	store_lanes(block->initial_offset,
	            rbl_fwx3_add(rbl_fwx3_sub(b.centre, a.centre), rbl_fwx3_sub(arm_b, arm_a)));
	store_lanes(block->force, zero_vector());
	rbl_fw hertz = rbl_fw_load(cold->hertz), damping = rbl_fw_load(cold->damping);
	rbl_iw is_rigid = rbl_fw_le(hertz, rbl_fw_zero());
	hertz = rbl_fw_select(is_rigid, rbl_fw_splat(step->joint_hertz), hertz);
	damping = rbl_fw_select(is_rigid, rbl_fw_splat(step->joint_damping), damping);
	softness_of(hertz, damping, step->h, block->softness);
	if (all->extra < 0)
		return;
	rbl_solver_joint_extra *extra = from_lane(&joints->extra[all->extra], lane);
	quat8 frame_a = load_quat(cold->frame_a + 3 * RBL_SOLVER_LANES);
	quat8 frame_b = load_quat(cold->frame_b + 3 * RBL_SOLVER_LANES);
	store_quat(extra->initial_frame_a, quat_mul(a.rotation, frame_a));
	store_quat(extra->initial_frame_b, quat_mul(b.rotation, frame_b));
	store_lanes(extra->torque, zero_vector());
	softness_of(rbl_fw_load(extra->hertz), rbl_fw_load(extra->damping), step->h,
	            extra->spring_softness);
	if (all->parts & SOFT) { // without a spring, a motor of a ball joint
		rbl_iw has_none = rbl_fw_le(rbl_fw_load(extra->hertz), rbl_fw_zero());
		float *mass = extra->spring_softness + RBL_SOLVER_LANES;
		float *impulse = extra->spring_softness + 2 * RBL_SOLVER_LANES;
		rbl_fw_store(mass, rbl_fw_select(has_none, rbl_fw_splat(1.0f), rbl_fw_load(mass)));
		rbl_fw_store(impulse, rbl_fw_select(has_none, rbl_fw_zero(), rbl_fw_load(impulse)));
	}
}

void RBL_KERNEL(rbl_solver_prepare_joint_blocks)(const rbl_solver_joint_blocks *joints, int begin,
                                                 int end, const rbl_solver_step_context *step)
{
	for (int i = begin; i < end; ++i)
		for (int lane = 0; lane < RBL_SOLVER_LANES; lane += RBL_WIDE_LANES)
			prepare_lanes(joints, i, lane, step);
}

static inline rbl_iw exceeds(rbl_fwx3 v, const float *limit)
{
	rbl_fw most = rbl_fw_load(limit);
	return rbl_iw_and(rbl_fw_gt(most, rbl_fw_zero()),
	                  rbl_fw_gt(rbl_fw_sqrt(rbl_fwx3_dot(v, v)), most));
}

// @return whether a joint may break
static bool finish_lanes(const rbl_solver_joint_blocks *joints, int i, int lane,
                         const rbl_solver_step_context *step)
{
	rbl_fw per_second = rbl_fw_splat(1.0f / step->dt);
	const rbl_solver_joint_cold *all = &joints->cold[i], *cold = from_lane(&joints->cold[i], lane);
	rbl_solver_joint_block *block = from_lane(&joints->blocks[i], lane);
	rbl_fwx3 force = rbl_fwx3_scale(per_second, load_lanes(block->force));
	store_lanes(block->force, force);
	bool breaks = rbl_iw_any(exceeds(force, cold->break_force));
	if (all->extra < 0)
		return breaks;
	rbl_solver_joint_extra *extra = from_lane(&joints->extra[all->extra], lane);
	rbl_fwx3 torque = rbl_fwx3_scale(per_second, load_lanes(extra->torque));
	store_lanes(extra->torque, torque);
	breaks |= rbl_iw_any(exceeds(torque, cold->break_torque));
	int parts = all->parts | (all->parts & (TURNS | SLIDES) ? ROW : 0);
	if (parts & ROW) {
		joint_geometry g = find_geometry(block, extra, parts, step);
		rbl_fw_store(extra->coordinate, g.coordinate);
	}
	return breaks;
}

void RBL_KERNEL(rbl_solver_finish_joint_blocks)(const rbl_solver_joint_blocks *joints, int begin,
                                                int end, const rbl_solver_step_context *step)
{
	for (int i = begin; i < end; ++i) {
		joints->cold[i].breaks = false;
		for (int lane = 0; lane < RBL_SOLVER_LANES; lane += RBL_WIDE_LANES)
			joints->cold[i].breaks |= finish_lanes(joints, i, lane, step);
	}
}
