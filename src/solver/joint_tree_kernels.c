// SPDX-License-Identifier: MIT
//
// Trees of joints, solved exactly, in blocks of eight joints.
//
// Every joint of a tree links a child, a body or something that stands, to its parent, a body. From
// the leaves to the root, each joint adds to its parent what the child's side does to it. With T
// the inverse inertia of a body with all that hangs on it so far (6 x 6; at first its own), y the
// change of velocity that the joints so far cause, and J the rows of a joint at the body:
//
//     K = Jc Tc Jc' + Jp Tp Jp' = L D L'      W = L^-1 Jp Tp      u = L^-1 (r - Jc yc + Jp yp)
//     Tp <- Tp - W' D^-1 W                    yp <- yp - W' D^-1 u
//
// where r is the change of relative velocity that is wanted; and back from the root to the leaves,
// with q the impulse on a body, at first none,
//
//     x = L'^-1 D^-1 (u + W qp)       qp <- qp - Jp' x       qc <- qc + Jc' x
//
// x being the impulses of the joint, on the child. This is block elimination on a graph without
// loops: it fills nothing in, takes a time proportional to the number of joints, and its result is
// exact whatever the masses are (Baraff, "Linear-time dynamics using Lagrange multipliers", 1996,
// eliminates in the same order; here the inverse inertia is kept, so that bodies that cannot
// rotate, and ends that stand, need no special case).
//
// Single precision suffices: what is solved for is the change since the last sub-step, and an
// element of D that is lost to rounding is held at a millionth of what the two bodies alone would
// make it, so that the change is too small rather than too large.
//
// A tree between several ends that stand may have errors that no motion removes. Its joints have a
// compliance C: then K has C besides, and r has less C times the impulses so far, so that these end
// where compliance and error balance.

#include "solver/lanes.h"

// Of what two bodies alone would make an element of D: the least that it may be.
static const float least_share = 1e-6f;

enum { FLOOR_LINEAR = 7, FLOOR_ANGULAR = 6 }; // places in the first two records of a response

// The rows of joints: three linear, three angular; zero where a direction is free.
typedef struct tree_rows {
	rbl_fwx3 d[6];
	rbl_fwx3 moment_c[3], moment_p[3]; // arm x d of the linear ones, at child and parent
} tree_rows;

static const unsigned all_lanes = (1u << RBL_WIDE_LANES) - 1;

// A vector of six.
typedef struct twist {
	rbl_fwx3 linear, angular;
} twist;

static inline rbl_fwx3 axis_lanes(int axis)
{
	return rbl_fwx3_splat(
		(rbl_vec3){ axis == 0 ? 1.0f : 0.0f, axis == 1 ? 1.0f : 0.0f, axis == 2 ? 1.0f : 0.0f });
}

static inline rbl_fwx3 masked(const float *mask, rbl_fwx3 v)
{
	return rbl_fwx3_scale(rbl_fw_load(mask), v);
}

// --- inverse inertia of a body with what hangs on it ---------------------------------------------

// Symmetric, 6 x 6: linear-linear, linear-angular and angular-angular, by rows; and the least that
// the diagonal may be.
typedef struct response {
	rbl_fwx3 aa[3], ab[3], bb[3];
	rbl_fw floor_linear, floor_angular;
} response;

static inline void gather_response(const rbl_solver_joint_tree *tree, const int32_t *nodes,
                                   response *t)
{
	rbl_fw r[3][8];
	for (int i = 0; i < 3; ++i)
		gather_records(tree->response[i], nodes, r[i]);
	t->aa[0] = (rbl_fwx3){ r[0][0], r[0][3], r[0][4] };
	t->aa[1] = (rbl_fwx3){ r[0][3], r[0][1], r[0][5] };
	t->aa[2] = (rbl_fwx3){ r[0][4], r[0][5], r[0][2] };
	t->bb[0] = (rbl_fwx3){ r[1][0], r[1][3], r[1][4] };
	t->bb[1] = (rbl_fwx3){ r[1][3], r[1][1], r[1][5] };
	t->bb[2] = (rbl_fwx3){ r[1][4], r[1][5], r[1][2] };
	t->ab[0] = (rbl_fwx3){ r[2][0], r[2][1], r[2][2] };
	t->ab[1] = (rbl_fwx3){ r[2][3], r[2][4], r[2][5] };
	t->ab[2] = (rbl_fwx3){ r[2][6], r[2][7], r[0][6] };
	t->floor_linear = r[0][FLOOR_LINEAR];
	t->floor_angular = r[1][FLOOR_ANGULAR];
}

static inline void scatter_response(const rbl_solver_joint_tree *tree, const int32_t *nodes,
                                    unsigned lanes, const response *t)
{
	const rbl_fwx3 *aa = t->aa, *ab = t->ab, *bb = t->bb;
	rbl_fw r[3][8] = {
		{ aa[0].x, aa[1].y, aa[2].z, aa[0].y, aa[0].z, aa[1].z, ab[2].z, t->floor_linear },
		{ bb[0].x, bb[1].y, bb[2].z, bb[0].y, bb[0].z, bb[1].z, t->floor_angular, rbl_fw_zero() },
		{ ab[0].x, ab[0].y, ab[0].z, ab[1].x, ab[1].y, ab[1].z, ab[2].x, ab[2].y },
	};
	for (int i = 0; i < 3; ++i)
		scatter_records(tree->response[i], nodes, lanes, r[i]);
}

static inline rbl_fwx3 rows_mul(const rbl_fwx3 rows[3], rbl_fwx3 v)
{
	return (rbl_fwx3){ rbl_fwx3_dot(rows[0], v), rbl_fwx3_dot(rows[1], v),
		               rbl_fwx3_dot(rows[2], v) };
}

static inline rbl_fwx3 rows_mul_transposed(const rbl_fwx3 rows[3], rbl_fwx3 v)
{
	return rbl_fwx3_add(rbl_fwx3_add(rbl_fwx3_scale(v.x, rows[0]), rbl_fwx3_scale(v.y, rows[1])),
	                    rbl_fwx3_scale(v.z, rows[2]));
}

// T J' of row i: what an impulse along it does.
static inline twist respond(const response *t, const tree_rows *rows, const rbl_fwx3 *moments,
                            int i)
{
	if (i >= 3)
		return (twist){ rows_mul(t->ab, rows->d[i]), rows_mul(t->bb, rows->d[i]) };
	return (twist){
		rbl_fwx3_add(rows_mul(t->aa, rows->d[i]), rows_mul(t->ab, moments[i])),
		rbl_fwx3_add(rows_mul_transposed(t->ab, rows->d[i]), rows_mul(t->bb, moments[i])),
	};
}

// Row i of J times a vector.
static inline rbl_fw row_dot(const tree_rows *rows, const rbl_fwx3 *moments, int i, twist v)
{
	rbl_fw angular = rbl_fwx3_dot(i < 3 ? moments[i] : rows->d[i], v.angular);
	return i < 3 ? rbl_fw_add(rbl_fwx3_dot(rows->d[i], v.linear), angular) : angular;
}

static inline twist twist_add_scaled(twist a, rbl_fw s, twist b)
{
	return (twist){ rbl_fwx3_add_scaled(a.linear, s, b.linear),
		            rbl_fwx3_add_scaled(a.angular, s, b.angular) };
}

static inline twist gather_twist(const float *records, const int32_t *nodes)
{
	velocity_lanes v;
	gather_records(records, nodes, v.rows);
	return (twist){ v.linear, v.angular };
}

static inline void scatter_twist(float *records, const int32_t *nodes, unsigned lanes, twist t)
{
	velocity_lanes v = { .linear = t.linear, .angular = t.angular };
	v.state = v.sleep_timer = rbl_fw_zero();
	scatter_records(records, nodes, lanes, v.rows);
}

static inline unsigned used_lanes(const int32_t *nodes)
{
	return (unsigned)rbl_iw_bits(rbl_iw_gt(rbl_iw_load(nodes), rbl_iw_zero()));
}

// --- rows ----------------------------------------------------------------------------------------

// The axes of A's frame that are locked, and the error of angles along world axes.
static inline void find_frame_rows(const rbl_solver_tree_block *block, const delta_lanes *a,
                                   const delta_lanes *b, tree_rows *rows, rbl_fwx3 *error)
{
	quat8 frame_a = quat_mul(a->rotation, load_quat(block->initial_frame_a));
	quat8 frame_b = quat_mul(b->rotation, load_quat(block->initial_frame_b));
	rbl_fwx3 y = rotate(frame_a, axis_lanes(1)), z = rotate(frame_a, axis_lanes(2));
	rbl_fwx3 x = rbl_fwx3_cross(y, z);
	rows->d[0] = x;
	rows->d[1] = masked(block->locks_y, y);
	rows->d[2] = masked(block->locks_z, z);
	rows->d[3] = masked(block->locks_angles, x);
	rows->d[4] = masked(block->locks_angles, y);
	rows->d[5] = masked(block->locks_twist, z);
	quat8 q = quat_mul(frame_b, quat_conjugate(frame_a));
	rbl_fw zero = rbl_fw_zero();
	rbl_fw two = rbl_fw_select(rbl_fw_lt(q.w, zero), rbl_fw_splat(-2.0f), rbl_fw_splat(2.0f));
	rbl_iw locks_twist = rbl_fw_gt(rbl_fw_load(block->locks_twist), zero);
	*error = rbl_fwx3_select(locks_twist, rbl_fwx3_scale(two, q.v),
	                         rbl_fwx3_cross(z, rotate(frame_b, axis_lanes(2))));
}

// Rows as the bodies are now, and the position errors of the child relative to the parent.
static inline tree_rows find_rows(rbl_solver_tree_block *block, int count,
                                  const rbl_solver_step_context *step)
{
	delta_lanes a, b;
	gather_records(step->bodies.delta, block->a, a.rows);
	gather_records(step->bodies.delta, block->b, b.rows);
	rbl_fwx3 initial_a = load_lanes(block->initial_arm_a);
	rbl_fwx3 initial_b = load_lanes(block->initial_arm_b);
	rbl_fwx3 change_a = rotation_change(a.rotation, initial_a);
	rbl_fwx3 change_b = rotation_change(b.rotation, initial_b);
	rbl_fwx3 arm_a = rbl_fwx3_add(initial_a, change_a), arm_b = rbl_fwx3_add(initial_b, change_b);
	rbl_fwx3 offset = rbl_fwx3_add(
		load_lanes(block->initial_offset),
		rbl_fwx3_add(rbl_fwx3_sub(b.translation, a.translation), rbl_fwx3_sub(change_b, change_a)));
	tree_rows rows;
	rbl_fwx3 angular_error = offset;
	for (int i = 0; i < 3; ++i)
		rows.d[i] = axis_lanes(i);
	if (count > 3) {
		find_frame_rows(block, &a, &b, &rows, &angular_error);
		// Where B slides along A, A feels it at the anchor of B.
		arm_a = rbl_fwx3_add_scaled(arm_a, rbl_fw_load(block->slides), offset);
	}
	rbl_fw sign = rbl_fw_load(block->sign);
	rbl_iw child_is_b = rbl_fw_gt(sign, rbl_fw_zero());
	rbl_fwx3 arm_c = rbl_fwx3_select(child_is_b, arm_b, arm_a);
	rbl_fwx3 arm_p = rbl_fwx3_select(child_is_b, arm_a, arm_b);
	for (int i = 0; i < 3; ++i) {
		rows.moment_c[i] = rbl_fwx3_cross(arm_c, rows.d[i]);
		rows.moment_p[i] = rbl_fwx3_cross(arm_p, rows.d[i]);
	}
	for (int i = 0; i < count; ++i)
		rbl_fw_store(block->errors[i],
		             rbl_fw_mul(sign, rbl_fwx3_dot(rows.d[i], i < 3 ? offset : angular_error)));
	store_lanes(block->arm_c, arm_c);
	store_lanes(block->arm_p, arm_p);
	return rows;
}

static inline void store_rows(rbl_solver_tree_block *block, const tree_rows *rows, int count)
{
	for (int i = 0; i < count; ++i)
		store_lanes(block->direction[i], rows->d[i]);
	for (int i = 0; i < 3; ++i) {
		store_lanes(block->moment_c[i], rows->moment_c[i]);
		store_lanes(block->moment_p[i], rows->moment_p[i]);
	}
}

static inline tree_rows load_rows(const rbl_solver_tree_block *block, int count)
{
	tree_rows rows;
	for (int i = 0; i < count; ++i)
		rows.d[i] = load_lanes(block->direction[i]);
	for (int i = 0; i < 3; ++i) {
		rows.moment_c[i] = load_lanes(block->moment_c[i]);
		rows.moment_p[i] = load_lanes(block->moment_p[i]);
	}
	return rows;
}

// --- elimination ---------------------------------------------------------------------------------

// K = L D L' in place: L below the diagonal, 1 / D on it.
static inline void factor(rbl_fw k[6][6], const rbl_fw least[6], int count)
{
	rbl_fw d[6], scaled[6], one = rbl_fw_splat(1.0f);
	for (int j = 0; j < count; ++j) {
		rbl_fw sum = k[j][j];
		for (int m = 0; m < j; ++m) {
			scaled[m] = rbl_fw_mul(k[j][m], d[m]);
			sum = rbl_fw_sub(sum, rbl_fw_mul(scaled[m], k[j][m]));
		}
		d[j] = rbl_fw_max(sum, least[j]);
		k[j][j] = rbl_fw_div(one, d[j]);
		for (int i = j + 1; i < count; ++i) {
			rbl_fw rest = k[i][j];
			for (int m = 0; m < j; ++m)
				rest = rbl_fw_sub(rest, rbl_fw_mul(k[i][m], scaled[m]));
			k[i][j] = rbl_fw_mul(rest, k[j][j]);
		}
	}
}

static inline rbl_fw least_of(const response *t, rbl_fwx3 moment, bool is_linear)
{
	return is_linear ? rbl_fw_add(t->floor_linear,
	                              rbl_fw_mul(t->floor_angular, rbl_fwx3_dot(moment, moment)))
	                 : t->floor_angular;
}

// T - sum of w w' / D.
static inline void reduce_response(response *t, const twist w[6], rbl_fw k[6][6], int count)
{
	for (int i = 0; i < count; ++i) {
		rbl_fwx3 a = w[i].linear, b = w[i].angular;
		rbl_fwx3 sa = rbl_fwx3_scale(k[i][i], a), sb = rbl_fwx3_scale(k[i][i], b);
		const rbl_fw a_of[3] = { sa.x, sa.y, sa.z }, b_of[3] = { sb.x, sb.y, sb.z };
		for (int m = 0; m < 3; ++m) {
			t->aa[m] = rbl_fwx3_sub(t->aa[m], rbl_fwx3_scale(a_of[m], a));
			t->ab[m] = rbl_fwx3_sub(t->ab[m], rbl_fwx3_scale(a_of[m], b));
			t->bb[m] = rbl_fwx3_sub(t->bb[m], rbl_fwx3_scale(b_of[m], b));
		}
	}
}

// What of an impulse is along the directions that are locked: axes have turned since.
static inline void project_impulses(rbl_solver_tree_block *block, const tree_rows *rows)
{
	rbl_fwx3 linear = load_lanes(block->impulse), angular = load_lanes(block->angular_impulse);
	rbl_fw zero = rbl_fw_zero();
	rbl_fwx3 l = { zero, zero, zero }, a = l;
	for (int i = 0; i < 3; ++i) {
		l = rbl_fwx3_add_scaled(l, rbl_fwx3_dot(rows->d[i], linear), rows->d[i]);
		a = rbl_fwx3_add_scaled(a, rbl_fwx3_dot(rows->d[3 + i], angular), rows->d[3 + i]);
	}
	store_lanes(block->impulse, l);
	store_lanes(block->angular_impulse, a);
}

// Warm starting applied the impulses as they were in the last sub-step: add what they would do now
// less what they did then to the impulses on the bodies. Without it a chain that swings would gain
// energy.
static inline void correct_warm_start(const rbl_solver_joint_tree *tree,
                                      rbl_solver_tree_block *block, int count,
                                      const rbl_solver_step_context *step, bool has_moved)
{
	tree_rows rows = find_rows(block, count, step);
	store_rows(block, &rows, count);
	rbl_fwx3 old = load_lanes(block->impulse);
	if (count > 3)
		project_impulses(block, &rows);
	if (!has_moved)
		return;
	twist qp = gather_twist(tree->impulse, block->parent);
	twist qc = gather_twist(tree->impulse, block->child);
	rbl_fw sign = rbl_fw_load(block->sign);
	rbl_fwx3 impulse = rbl_fwx3_scale(sign, load_lanes(block->impulse));
	rbl_fwx3 angular = rbl_fwx3_scale(sign, load_lanes(block->angular_impulse));
	rbl_fwx3 change = rbl_fwx3_sub(impulse, rbl_fwx3_scale(sign, old));
	rbl_fwx3 moment_c = rbl_fwx3_add(rbl_fwx3_cross(load_lanes(block->arm_c), impulse), angular);
	rbl_fwx3 moment_p = rbl_fwx3_add(rbl_fwx3_cross(load_lanes(block->arm_p), impulse), angular);
	qc.linear = rbl_fwx3_add(qc.linear, change);
	qp.linear = rbl_fwx3_sub(qp.linear, change);
	qc.angular = rbl_fwx3_add(qc.angular, rbl_fwx3_sub(moment_c, load_lanes(block->last_c)));
	qp.angular = rbl_fwx3_sub(qp.angular, rbl_fwx3_sub(moment_p, load_lanes(block->last_p)));
	scatter_twist(tree->impulse, block->parent, used_lanes(block->parent), qp);
	scatter_twist(tree->impulse, block->child, used_lanes(block->child), qc);
}

static inline void eliminate(const rbl_solver_joint_tree *tree, rbl_solver_tree_block *block,
                             int count, const rbl_solver_step_context *step, bool is_soft)
{
	rbl_fw k[6][6], least[6], u[6], compliance[6];
	rbl_fw share = rbl_fw_mul(rbl_fw_load(block->compliance), rbl_fw_splat(1.0f / least_share));
	tree_rows rows = load_rows(block, count);
	response tc, tp;
	gather_response(tree, block->child, &tc);
	gather_response(tree, block->parent, &tp);
	twist w[6];
	for (int j = 0; j < count; ++j) {
		twist gc = respond(&tc, &rows, rows.moment_c, j);
		w[j] = respond(&tp, &rows, rows.moment_p, j);
		for (int i = j; i < count; ++i)
			k[i][j] = rbl_fw_add(row_dot(&rows, rows.moment_c, i, gc),
			                     row_dot(&rows, rows.moment_p, i, w[j]));
		rbl_fw floors = rbl_fw_add(least_of(&tc, rows.moment_c[j % 3], j < 3),
		                           least_of(&tp, rows.moment_p[j % 3], j < 3));
		least[j] = rbl_fw_max(floors, rbl_fw_splat(1e-30f));
		compliance[j] = rbl_fw_mul(share, floors);
		k[j][j] = rbl_fw_add(k[j][j], compliance[j]);
	}
	factor(k, least, count);

	twist vc = gather_twist((const float *)step->bodies.velocity, block->child_body);
	twist vp = gather_twist((const float *)step->bodies.velocity, block->parent_body);
	twist yc = gather_twist(tree->change, block->child);
	twist yp = gather_twist(tree->change, block->parent);
	vc = twist_add_scaled(vc, rbl_fw_splat(1.0f), yc);
	vp = twist_add_scaled(vp, rbl_fw_splat(1.0f), yp);
	rbl_fw rate = is_soft ? rbl_fw_load(block->bias_rate) : rbl_fw_zero();
	rbl_fw sign = is_soft ? rbl_fw_load(block->sign) : rbl_fw_zero();
	rbl_fwx3 impulse = rbl_fwx3_scale(sign, load_lanes(block->impulse));
	rbl_fwx3 angular_impulse = rbl_fwx3_scale(sign, load_lanes(block->angular_impulse));
	for (int i = 0; i < count; ++i) {
		rbl_fw wanted =
			rbl_fw_sub(row_dot(&rows, rows.moment_p, i, vp), row_dot(&rows, rows.moment_c, i, vc));
		u[i] = rbl_fw_sub(wanted, rbl_fw_mul(rate, rbl_fw_load(block->errors[i])));
		rbl_fw so_far = rbl_fwx3_dot(rows.d[i], i < 3 ? impulse : angular_impulse);
		u[i] = rbl_fw_sub(u[i], rbl_fw_mul(compliance[i], so_far));
		for (int m = 0; m < i; ++m) {
			u[i] = rbl_fw_sub(u[i], rbl_fw_mul(k[i][m], u[m]));
			w[i] = twist_add_scaled(w[i], rbl_fw_neg(k[i][m]), w[m]);
		}
	}
	reduce_response(&tp, w, k, count);
	for (int i = 0; i < count; ++i) {
		yp = twist_add_scaled(yp, rbl_fw_neg(rbl_fw_mul(k[i][i], u[i])), w[i]);
		rbl_fw_store(block->u[i], u[i]);
		store_lanes(block->w[i], w[i].linear);
		store_lanes(block->w[i] + 3 * RBL_SOLVER_LANES, w[i].angular);
		for (int m = 0; m <= i; ++m)
			rbl_fw_store(block->factors[i][m], k[i][m]);
	}
	unsigned lanes = used_lanes(block->parent);
	scatter_response(tree, block->parent, lanes, &tp);
	scatter_twist(tree->change, block->parent, lanes, yp);
}

// Impulses of joints, from those on their parents.
static inline void substitute(const rbl_solver_joint_tree *tree, rbl_solver_tree_block *block,
                              int count, bool is_soft)
{
	tree_rows rows = load_rows(block, count);
	twist qp = gather_twist(tree->impulse, block->parent);
	twist qc = gather_twist(tree->impulse, block->child);
	rbl_fw x[6];
	for (int i = 0; i < count; ++i) {
		twist w = { load_lanes(block->w[i]), load_lanes(block->w[i] + 3 * RBL_SOLVER_LANES) };
		rbl_fw sum =
			rbl_fw_add(rbl_fw_load(block->u[i]), rbl_fw_add(rbl_fwx3_dot(w.linear, qp.linear),
		                                                    rbl_fwx3_dot(w.angular, qp.angular)));
		x[i] = rbl_fw_mul(rbl_fw_load(block->factors[i][i]), sum);
	}
	for (int i = count - 1; i >= 0; --i)
		for (int m = i + 1; m < count; ++m)
			x[i] = rbl_fw_sub(x[i], rbl_fw_mul(rbl_fw_load(block->factors[m][i]), x[m]));

	rbl_fwx3 zero = rbl_fwx3_splat((rbl_vec3){ 0.0f, 0.0f, 0.0f });
	twist joint = { zero, zero };
	rbl_fwx3 moment_c = zero, moment_p = zero;
	for (int i = 0; i < 3; ++i) {
		joint.linear = rbl_fwx3_add_scaled(joint.linear, x[i], rows.d[i]);
		moment_c = rbl_fwx3_add_scaled(moment_c, x[i], rows.moment_c[i]);
		moment_p = rbl_fwx3_add_scaled(moment_p, x[i], rows.moment_p[i]);
	}
	for (int i = 3; i < count; ++i)
		joint.angular = rbl_fwx3_add_scaled(joint.angular, x[i], rows.d[i]);
	qp.linear = rbl_fwx3_sub(qp.linear, joint.linear);
	qp.angular = rbl_fwx3_sub(qp.angular, rbl_fwx3_add(moment_p, joint.angular));
	qc.linear = rbl_fwx3_add(qc.linear, joint.linear);
	qc.angular = rbl_fwx3_add(qc.angular, rbl_fwx3_add(moment_c, joint.angular));
	scatter_twist(tree->impulse, block->parent, used_lanes(block->parent), qp);
	scatter_twist(tree->impulse, block->child, used_lanes(block->child), qc);

	rbl_fw sign = rbl_fw_load(block->sign);
	rbl_fwx3 linear = rbl_fwx3_add_scaled(load_lanes(block->impulse), sign, joint.linear);
	rbl_fwx3 angular = rbl_fwx3_add_scaled(load_lanes(block->angular_impulse), sign, joint.angular);
	store_lanes(block->impulse, linear);
	store_lanes(block->angular_impulse, angular);
	rbl_fwx3 now = rbl_fwx3_scale(sign, linear), turned = rbl_fwx3_scale(sign, angular);
	store_lanes(block->last_c, rbl_fwx3_add(rbl_fwx3_cross(load_lanes(block->arm_c), now), turned));
	store_lanes(block->last_p, rbl_fwx3_add(rbl_fwx3_cross(load_lanes(block->arm_p), now), turned));
	if (is_soft) {
		store_lanes(block->force, rbl_fwx3_add(load_lanes(block->force), linear));
		store_lanes(block->torque, rbl_fwx3_add(load_lanes(block->torque), angular));
	}
}

// --- a batch of trees ----------------------------------------------------------------------------

static inline void fill_iota(int32_t nodes[RBL_WIDE_LANES], int first)
{
	for (int i = 0; i < RBL_WIDE_LANES; ++i)
		nodes[i] = first + i;
}

static inline void reset_nodes(const rbl_solver_joint_tree *tree,
                               const rbl_solver_step_context *step)
{
	rbl_fw zero = rbl_fw_zero(), least = rbl_fw_splat(least_share);
	rbl_fwx3 none = { zero, zero, zero };
	for (int i = 0; i < tree->node_count; i += RBL_WIDE_LANES) {
		int32_t nodes[RBL_WIDE_LANES];
		fill_iota(nodes, i);
		inertia_lanes inertia;
		gather_records(step->bodies.inverse_inertia, tree->bodies + i, inertia.rows);
		rbl_fw m = inertia.inverse_mass;
		rbl_fwx3 d = inertia.diagonal, o = inertia.off_diagonal;
		response t = {
			.aa = { { m, zero, zero }, { zero, m, zero }, { zero, zero, m } },
			.ab = { none, none, none },
			.bb = { { d.x, o.x, o.y }, { o.x, d.y, o.z }, { o.y, o.z, d.z } },
			.floor_linear = rbl_fw_mul(least, m),
			.floor_angular = rbl_fw_mul(least, rbl_fw_add(rbl_fw_add(d.x, d.y), d.z)),
		};
		scatter_response(tree, nodes, all_lanes, &t);
		scatter_twist(tree->change, nodes, all_lanes, (twist){ none, none });
		scatter_twist(tree->impulse, nodes, all_lanes, (twist){ none, none });
	}
}

static inline void apply_impulses(const rbl_solver_joint_tree *tree,
                                  const rbl_solver_step_context *step)
{
	for (int i = 0; i < tree->node_count; i += RBL_WIDE_LANES) {
		int32_t nodes[RBL_WIDE_LANES];
		fill_iota(nodes, i);
		inertia_lanes inertia;
		velocity_lanes velocity;
		gather_records(step->bodies.inverse_inertia, tree->bodies + i, inertia.rows);
		gather_records(step->bodies.velocity, tree->bodies + i, velocity.rows);
		twist q = gather_twist(tree->impulse, nodes);
		velocity.linear = rbl_fwx3_add_scaled(velocity.linear, inertia.inverse_mass, q.linear);
		velocity.angular = rbl_fwx3_add(velocity.angular, inertia_mul(&inertia, q.angular));
		scatter_records(step->bodies.velocity, tree->bodies + i, used_lanes(tree->bodies + i),
		                velocity.rows);
	}
}

static inline void clear_impulses(const rbl_solver_joint_tree *tree)
{
	for (int i = 0; i < tree->node_count * 8; i += 8) // eight numbers a node
		rbl_f8_store(tree->impulse + i, rbl_f8_zero());
}

void RBL_KERNEL(rbl_solver_solve_joint_tree)(const rbl_solver_joint_tree *tree,
                                             const rbl_solver_step_context *step, bool is_soft)
{
	bool has_moved = !(step->is_first && is_soft);
	reset_nodes(tree, step);
	for (int i = 0; i < tree->block_count; ++i) {
		rbl_solver_tree_block *block = &tree->blocks[i];
		for (int lane = 0; lane < RBL_SOLVER_LANES; lane += RBL_WIDE_LANES) {
			if (block->has_angles)
				correct_warm_start(tree, from_lane(block, lane), 6, step, has_moved);
			else
				correct_warm_start(tree, from_lane(block, lane), 3, step, has_moved);
		}
	}
	if (has_moved) {
		apply_impulses(tree, step);
		clear_impulses(tree);
	}
	for (int i = 0; i < tree->block_count; ++i) {
		rbl_solver_tree_block *block = &tree->blocks[i];
		for (int lane = 0; lane < RBL_SOLVER_LANES; lane += RBL_WIDE_LANES) {
			if (block->has_angles)
				eliminate(tree, from_lane(block, lane), 6, step, is_soft);
			else
				eliminate(tree, from_lane(block, lane), 3, step, is_soft);
		}
	}
	for (int i = tree->block_count - 1; i >= 0; --i) {
		rbl_solver_tree_block *block = &tree->blocks[i];
		for (int lane = 0; lane < RBL_SOLVER_LANES; lane += RBL_WIDE_LANES) {
			if (block->has_angles)
				substitute(tree, from_lane(block, lane), 6, is_soft);
			else
				substitute(tree, from_lane(block, lane), 3, is_soft);
		}
	}
	apply_impulses(tree, step);
}
