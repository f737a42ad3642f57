// SPDX-License-Identifier: MIT
//
// The search for the first contact: halving of time, earliest part first, each part dropped only
// with a proof that it is free of contact (ccd/polynomial.h lists the proofs).
//
// A part whose cubic is monotone has at most one root: Newton's method finds it, and the part
// shrinks to a bracket of the width of rounding, whose ends have certain signs; the rest of it is
// free. In the bracket the sides decide. What doubles cannot decide is tested again in
// double-double, with time measured from the start of the part, and once more inside that. What is
// undecided then is a hit at the start of the part, and so is everything when the work runs out:
// whatever happens, all before the reported time is proven free.
//
// A cubic that vanishes (motion in one plane, nothing moves) needs no case of its own: it is never
// certain, and sides and directions decide.
//
// The limits are counts and widths in time, so no length comes in.

#include "ccd/search.h"

#include <math.h>

enum {
	NARROW_STEPS = 64,
	WIDE_STEPS = 32, // and as many again where the cubic says something
	NEAR_STEPS = 1024,
	/// Directions that are followed before that.
	NEAR_ADVANCES = 16,
	NEWTON_STEPS = 16,
	STACK = 2 * NARROW_STEPS + 2,
	DEEPEST = 2, // parts of double-double forms
	NEAR_DEPTH = 52,
};

#define NARROW_WIDTH 0x1p-44 // parts of the step that doubles do not halve
#define WIDE_WIDTH 0x1p-40   // parts of a double-double form that are tested more closely
#define FINEST_WIDTH 0x1p-70 // parts of the step that nothing tests more closely
#define HIT_WIDTH 1e-6       // the most that a proven time is early
#define NEAR_WIDTH 0x1p-50   // with a thickness: parts of the step that are not halved,
#define NEAR_SLACK 0.1       // and how much further than it hits may be
#define NEAR_FINEST 1e-3     // parts, times the speed, that are not halved to prove a hit

typedef enum verdict {
	FREE,     // no contact in the part
	CONTACT,  // proven
	SPLIT,    // test the halves
	UNDECIDED // not at this precision
} verdict;

typedef struct part {
	double a, b;
} part;

typedef struct search {
	rbl_ccd_kind kind;
	const rbl_ccd_points *points;
	int narrow_steps, wide_steps; // left
	bool is_extended;
} search;

static bool spend(search *s, const rbl_ccd_polynomials *form)
{
	int *left = form->wide ? &s->wide_steps : &s->narrow_steps;
	if (*left <= 0)
		return false;
	--*left;
	return true;
}

static inline int sign_of(double x, double error)
{
	return x > error ? 1 : x < -error ? -1 : 0;
}

// --- one root -----------------------------------------------------------------------------------

/// Ends of a bracket and the signs of the cubic there; 0 in the band of its error.
typedef struct bracket {
	double a, b;
	int a_sign, b_sign;
} bracket;

/// Whether the cubic, given by its coefficients on a part, is monotone for certain, with a certain
/// sign at one end at least and not the same at both.
static bool has_one_root(const double c[4], double error)
{
	int a = sign_of(c[0], error), b = sign_of(c[3], error);
	if (a == b || a * b > 0)
		return false;
	int slope = 0;
	for (int i = 0; i < 3; ++i) {
		double margin = 2.0 * error + 0x1p-52 * (fabs(c[i]) + fabs(c[i + 1]));
		int sign = sign_of(c[i + 1] - c[i], margin);
		if (!sign || (slope && sign != slope))
			return false;
		slope = sign;
	}
	return true;
}

/// Put a time with a certain sign to its end of the bracket.
static void close_in(bracket *root, int low_sign, double t, int sign)
{
	if (sign == low_sign && t > root->a)
		root->a = t, root->a_sign = sign;
	else if (sign == -low_sign && t < root->b)
		root->b = t, root->b_sign = sign;
}

/// Step away from a time in the band until the sign is certain.
static void step_out(search *s, const rbl_ccd_polynomials *form, bracket *root, int low_sign,
                     double t, double slope)
{
	double extent = 1.5 * form->cubic_error / fabs(slope) + 4.0 * 0x1p-53 * t;
	for (int side = -1; side <= 1; side += 2) {
		double step = extent;
		for (int i = 0; i < 4; ++i, step *= 4.0) {
			double x = t + side * step, ignored;
			// Also when the step is no number.
			if (!(x > root->a && x < root->b) || !spend(s, form))
				break;
			int sign = sign_of(rbl_ccd_cubic_at(form, x, &ignored), form->cubic_error);
			close_in(root, low_sign, x, sign);
			if (sign)
				break;
		}
	}
}

/// Shrink the bracket of the only root, from the cubic's coefficients on it.
static void find_root(search *s, const rbl_ccd_polynomials *form, const double c[4], bracket *root)
{
	int low_sign = root->a_sign ? root->a_sign : -root->b_sign;
	double t = root->a + (root->b - root->a) * (c[0] / (c[0] - c[3]));
	for (int i = 0; i < NEWTON_STEPS; ++i) {
		// An end in the band may be as good as the root.
		if (!(t > root->a))
			t = root->a_sign ? 0.5 * (root->a + root->b) : root->a;
		else if (!(t < root->b))
			t = root->b_sign ? 0.5 * (root->a + root->b) : root->b;
		if (!spend(s, form))
			return;
		double slope, value = rbl_ccd_cubic_at(form, t, &slope);
		int sign = sign_of(value, form->cubic_error);
		if (!sign) {
			step_out(s, form, root, low_sign, t, slope);
			return;
		}
		close_in(root, low_sign, t, sign);
		if (root->b - root->a <= 0x1p-51 * root->b)
			return;
		t -= value / slope;
	}
}

// --- one part -----------------------------------------------------------------------------------

/// What sides say about [a, b].
typedef struct sides {
	bool is_free;   // contact is ruled out
	bool is_inside; // the origin is inside, if it is in the plane
	// Where a side's component changes sign, the first of them, and how far off that may be;
	// without any, off is a half of the part.
	double extremum, off;
} sides;

/// Note where coefficients w change sign, from linear interpolation and what bends them.
static void note_extremum(sides *s, const double w[3], double error, double a, double b)
{
	if (sign_of(w[0], error) * sign_of(w[2], error) >= 0)
		return;
	double fall = w[0] - w[2], extremum = a + (b - a) * (w[0] / fall);
	double bend = fabs(w[1] - 0.5 * (w[0] + w[2])) + 2.0 * error;
	double off = (b - a) * (bend / fabs(fall)) + 0x1p-52 * b;
	if (s->off >= 0.5 * (b - a) || extremum < s->extremum)
		s->extremum = extremum, s->off = off;
}

static sides look_at_sides(const rbl_ccd_polynomials *form, double a, double b)
{
	sides s = { false, false, 0.0, b - a };
	for (int k = 0; k < 3; ++k) {
		int above = 0, below = 0;
		for (int i = 0; i < form->corner_count; ++i) {
			double w[3], error = form->edge_error[i][k];
			rbl_ccd_edge_on(form, i, k, a, b, w);
			above += w[0] > error && w[1] > error && w[2] > error;
			below += w[0] < -error && w[1] < -error && w[2] < -error;
			note_extremum(&s, w, error, a, b);
		}
		if (above && below) {
			s.is_free = true;
			return s;
		}
		s.is_inside |= above + below == form->corner_count;
	}
	return s;
}

/// Whether some direction keeps the polygon away from the origin on [a, b].
static bool is_apart(const rbl_ccd_polynomials *form, double a, double b)
{
	double corners[4][3], d[3], weights[3];
	rbl_ccd_corners_at(form, 0.5 * (a + b), corners);
	rbl_ccd_nearest(form->corner_count, corners, d, weights);
	if (rbl_ccd_is_beyond(form, d, a, b))
		return true;
	double mean[3] = { 0.0, 0.0, 0.0 };
	for (int i = 0; i < form->corner_count; ++i)
		for (int k = 0; k < 3; ++k)
			mean[k] += corners[i][k];
	if (rbl_ccd_is_beyond(form, mean, a, b))
		return true;
	for (int k = 0; k < 3; ++k) {
		const double axis[3] = { (k == 0) * mean[0], (k == 1) * mean[1], (k == 2) * mean[2] };
		if (rbl_ccd_is_beyond(form, axis, a, b))
			return true;
	}
	return false;
}

/// Test a part; it may shrink.
/// @param cuts  receives where to split: one time, or two around a short part
static verdict test_part(search *s, const rbl_ccd_polynomials *form, part *p, double cuts[2])
{
	double c[4], error = form->cubic_error;
	rbl_ccd_cubic_on(form, p->a, p->b, c);
	if ((c[0] > error && c[1] > error && c[2] > error && c[3] > error) ||
	    (c[0] < -error && c[1] < -error && c[2] < -error && c[3] < -error))
		return FREE;

	bracket root = { p->a, p->b, sign_of(c[0], error), sign_of(c[3], error) };
	if (has_one_root(c, error)) {
		find_root(s, form, c, &root);
		p->a = root.a, p->b = root.b;
	}
	sides found = look_at_sides(form, p->a, p->b);
	if (found.is_free)
		return FREE;
	double width = p->b - p->a;
	if (found.is_inside && root.a_sign * root.b_sign < 0 && width <= HIT_WIDTH)
		return CONTACT;
	if (is_apart(form, p->a, p->b))
		return FREE;
	// No part that begins here will ever be free of doubt.
	if (!root.a_sign && !look_at_sides(form, p->a, p->a).is_free && !is_apart(form, p->a, p->a))
		return UNDECIDED;
	cuts[0] = cuts[1] = 0.5 * (p->a + p->b);
	if (width <= (form->wide ? WIDE_WIDTH : NARROW_WIDTH) || !(cuts[0] > p->a && cuts[0] < p->b))
		return UNDECIDED;
	// Where the cubic says nothing, sides decide, and they change where a side turns.
	if (!root.a_sign && !root.b_sign && found.off < 0.25 * width) {
		cuts[0] = found.extremum - found.off;
		cuts[1] = found.extremum + found.off;
	}
	return SPLIT;
}

// --- all parts ----------------------------------------------------------------------------------

bool rbl_ccd_touches(rbl_ccd_kind kind, const rbl_ccd_points *points, int pose)
{
	// Points and segments are triangles without area.
	static const signed char corners[RBL_CCD_KIND_COUNT][6] = { { 0, 0, 0, 1, 2, 3 },
		                                                        { 0, 1, 1, 2, 3, 3 } };
	rbl_vec3d t[6];
	for (int i = 0; i < 6; ++i) {
		const double *p = points->p[pose][corners[kind][i]];
		t[i] = (rbl_vec3d){ p[0], p[1], p[2] };
	}
	return rbl_triangles_meet(t, t + 3);
}

static rbl_ccd_search_result hit_at(const rbl_ccd_polynomials *form, double t, bool is_certified)
{
	return (rbl_ccd_search_result){ .is_hit = true,
		                            .is_certified = is_certified,
		                            .time = form->wide ? rbl_ccd_step_time(form, t) : t };
}

static bool find_in(search *s, const rbl_ccd_polynomials *form, int depth,
                    rbl_ccd_search_result *found);

/// Pairs that begin an ulp apart and part at once need some fifty halvings to see it. Where the
/// cubic vanishes, they would be for nothing, and contacts that slide in a plane are common.
static void extend(search *s, const rbl_ccd_polynomials *form)
{
	bool is_flat = true;
	for (int i = 0; i < 4; ++i)
		is_flat &= sign_of(form->wide->cubic[i].high, form->cubic_error) == 0;
	if (is_flat || s->is_extended)
		return;
	s->is_extended = true;
	s->wide_steps += WIDE_STEPS;
}

/// Test a part again, more closely.
static bool find_closer(search *s, const rbl_ccd_polynomials *form, part p, int depth,
                        rbl_ccd_search_result *found)
{
	rbl_ccd_polynomials inner;
	rbl_ccd_double_doubles wide;
	rbl_ccd_restrict(form, s->kind, s->points, p.a, p.b, &inner, &wide);
	if (!form->wide)
		extend(s, &inner);
	return find_in(s, &inner, depth, found);
}

/// What to do with a part that this precision leaves open. @return whether it is a hit
static bool resolve_part(search *s, const rbl_ccd_polynomials *form, part p, int depth,
                         rbl_ccd_search_result *found)
{
	// Contacts at the very ends of the step are common, and exact predicates are at hand.
	bool at_start = !form->wide && p.a == 0.0 && rbl_ccd_touches(s->kind, s->points, 0);
	bool at_end = !form->wide && p.b == 1.0 && p.b - p.a <= HIT_WIDTH &&
	              rbl_ccd_touches(s->kind, s->points, 1);
	if (at_start || at_end) {
		*found = hit_at(form, p.a, true);
		found->touches_at_start = at_start;
		return true;
	}
	double width = (form->to - form->from) * (p.b - p.a);
	if (depth < DEEPEST && width > FINEST_WIDTH && s->wide_steps > 0)
		return find_closer(s, form, p, depth + 1, found);
	*found = hit_at(form, p.a, false);
	return true;
}

/// Search a form from its start to its end. @return whether there is a hit
static bool find_in(search *s, const rbl_ccd_polynomials *form, int depth,
                    rbl_ccd_search_result *found)
{
	part stack[STACK] = { { 0.0, 1.0 } };
	int count = 1;
	while (count > 0) {
		part p = stack[--count];
		if (!spend(s, form)) {
			p.b = 1.0;
			return resolve_part(s, form, p, depth, found);
		}
		double cuts[2];
		verdict v = test_part(s, form, &p, cuts);
		if (v == CONTACT) {
			*found = hit_at(form, p.a, true);
			return true;
		}
		if (v == UNDECIDED && resolve_part(s, form, p, depth, found))
			return true;
		if (v == SPLIT) {
			double end = p.b;
			for (int i = 1; i >= 0; --i) {
				if (cuts[i] > p.a && cuts[i] < end) {
					stack[count++] = (part){ cuts[i], end };
					end = cuts[i];
				}
			}
			stack[count++] = (part){ p.a, end };
		}
	}
	return false;
}

rbl_ccd_search_result rbl_ccd_search(rbl_ccd_kind kind, const rbl_ccd_points *points,
                                     const rbl_ccd_polynomials *form)
{
	search s = { kind, points, NARROW_STEPS, WIDE_STEPS, false };
	rbl_ccd_search_result found = { .is_certified = true };
	find_in(&s, form, 0, &found);
	return found;
}

// --- Minimum separation -------------------------------------------------------------------------
//
// A direction d in which all corners are further than the thickness, at both ends of a part, keeps
// the whole polygon away. The nearest point in the middle of the part is the direction to try;
// first of all that at the start of what is left, as long as it leads much further.
//
// Its weights are exact numbers, so there is a point of the polygon where it is said to be but for
// rounding: of corners 4 u R each, their weights at most 3 in all, two differences, products and
// sums of 2 R: 12 + 12 + 1. Used: 32 u R, axes added up. Squares that underflow are off by less
// than 1e-150.

// Functions are compiled for three corners and for four.

/// Corners at t, as rbl_ccd_corners_at() has them.
static inline RBL_ALWAYS_INLINE void near_corners_at(int n, const rbl_ccd_polynomials *form,
                                                     double t, double corners[4][3])
{
	for (int i = 0; i < n; ++i)
		for (int k = 0; k < 3; ++k)
			corners[i][k] = (1.0 - t) * form->corners[0][i][k] + t * form->corners[1][i][k];
}

/// Whether every corner is further than `thickness` along d, at a and at b, for certain.
static inline RBL_ALWAYS_INLINE bool is_further(int n, const rbl_ccd_polynomials *form,
                                                const double d[3], double length, double thickness,
                                                double a, double b)
{
	double smallest = thickness * length * (1.0 + 8.0 * 0x1p-53);
	for (int i = 0; i < n; ++i) {
		const double *p = form->corners[0][i], *q = form->corners[1][i], *extent = form->extent[i];
		double error = form->along_error * ((fabs(d[0]) * extent[0] + fabs(d[1]) * extent[1]) +
		                                    fabs(d[2]) * extent[2]) +
		               1e-300;
		double low = 0.0, high = 0.0;
		for (int k = 0; k < 3; ++k) {
			low += d[k] * ((1.0 - a) * p[k] + a * q[k]);
			high += d[k] * ((1.0 - b) * p[k] + b * q[k]);
		}
		if (!(low > smallest + error) || !(high > smallest + error))
			return false;
	}
	return true;
}

/// The largest displacement of a corner in the step.
static inline RBL_ALWAYS_INLINE double fastest(int n, const rbl_ccd_polynomials *form)
{
	double largest = 0.0;
	for (int i = 0; i < n; ++i) {
		double square = 0.0;
		for (int k = 0; k < 3; ++k) {
			double displacement = form->corners[1][i][k] - form->corners[0][i][k];
			square += displacement * displacement;
		}
		largest = square > largest ? square : largest;
	}
	return sqrt(largest);
}

/// How far off the nearest point may be.
static inline RBL_ALWAYS_INLINE double nearest_error(int n, const rbl_ccd_polynomials *form)
{
	double sum = 0.0;
	for (int k = 0; k < 3; ++k) {
		double largest = 0.0;
		for (int i = 0; i < n; ++i)
			largest = form->extent[i][k] > largest ? form->extent[i][k] : largest;
		sum += largest;
	}
	return 32.0 * 0x1p-53 * sum + 1e-150;
}

/// Until when all corners are further than the thickness along d, which they are at a, about; at
/// most 1.
static inline RBL_ALWAYS_INLINE double further_until(int n, const rbl_ccd_polynomials *form,
                                                     const double d[3], double length,
                                                     double thickness, double a)
{
	double smallest = thickness * length, until = 1.0;
	for (int i = 0; i < n; ++i) {
		double start = 0.0, end = 0.0;
		for (int k = 0; k < 3; ++k) {
			start += d[k] * form->corners[0][i][k];
			end += d[k] * form->corners[1][i][k];
		}
		if (end < smallest && start > end) {
			double crossing = (start - smallest) / (start - end);
			until = crossing < until ? crossing : until;
		}
	}
	return until < 1.0 ? until - 1e-6 * (until - a) : 1.0; // on the safe side of rounding
}

/// Go on from time 0 as long as the direction to the nearest point keeps the corners away, which is
/// a few steps for most pairs: they part, or come near at once, or head for each other.
/// @param time   receives how far it got
/// @param place  receives the nearest point there
/// @return whether that decides: `found` is the answer
static inline RBL_ALWAYS_INLINE bool advance(int n, const rbl_ccd_polynomials *form,
                                             double thickness, double speed, double provable,
                                             double *time, rbl_ccd_near_place *place,
                                             rbl_ccd_search_result *found)
{
	*time = 0.0;
	bool is_slow = false; // the last advance was short
	for (int step = 0; step < NEAR_ADVANCES; ++step) {
		double corners[4][3], *d = place->nearest;
		near_corners_at(n, form, *time, corners);
		place->square = rbl_ccd_nearest_of(n, corners, d, place->weights);
		double length = sqrt(place->square);
		bool is_sure = (1.0 + 0x1p-50) * length <= provable;
		double until = length > thickness && !(is_sure && is_slow)
		                   ? further_until(n, form, d, length, thickness, *time)
		                   : 0.0;
		if (until > *time && is_further(n, form, d, length, thickness, *time, until)) {
			is_slow = is_sure && !((until - *time) * speed > NEAR_SLACK * thickness);
			*time = until;
			if (until < 1.0)
				continue;
			*found = (rbl_ccd_search_result){ .is_hit = false };
			return true;
		}
		if (!is_sure)
			return false;
		*found = (rbl_ccd_search_result){ .is_hit = true, .is_certified = true, .time = *time };
		place->is_known = true;
		return true;
	}
	return false;
}

/// Whether a hit at a time is as near as it must be to be proven.
static inline RBL_ALWAYS_INLINE bool is_near_at(int n, const rbl_ccd_polynomials *form, double time,
                                                double provable)
{
	double corners[4][3], d[3], weights[3];
	near_corners_at(n, form, time, corners);
	double length = sqrt(rbl_ccd_nearest_of(n, corners, d, weights));
	return (1.0 + 0x1p-50) * length <= provable;
}

static inline RBL_ALWAYS_INLINE rbl_ccd_search_result search_near(int n,
                                                                  const rbl_ccd_polynomials *form,
                                                                  double thickness,
                                                                  rbl_ccd_near_place *place)
{
	place->is_known = false;
	double speed = fastest(n, form), near_time = 1.0, begin;
	double provable = (1.0 + NEAR_SLACK) * thickness - nearest_error(n, form); // lengths up to it
	rbl_ccd_search_result found;
	if (advance(n, form, thickness, speed, provable, &begin, place, &found))
		return found;
	bool is_near = false, is_certified = false; // at near_time; for certain
	part stack[NEAR_DEPTH + 2] = { { begin, 1.0 } };
	int count = 1;
	for (int step = 0; count > 0; ++step) {
		part p = stack[--count];
		if (step == NEAR_STEPS)
			return (rbl_ccd_search_result){ .is_hit = true, .time = p.a };
		double corners[4][3], d[3], weights[3];
		double middle = 0.5 * (p.a + p.b), width = p.b - p.a;
		near_corners_at(n, form, middle, corners);
		double length = sqrt(rbl_ccd_nearest_of(n, corners, d, weights));
		if (is_further(n, form, d, length, thickness, p.a, p.b))
			continue;
		bool is_sure = (1.0 + 0x1p-50) * length <= provable;
		// Within the part the distance changes by at most half of this. Where it begins farther
		// than hits may be, most of it is free.
		if (!(width * speed > NEAR_SLACK * thickness) || !(width > NEAR_WIDTH)) {
			bool is_proven = is_sure && is_near_at(n, form, p.a, provable);
			if (is_proven || !is_sure || !(width * speed > NEAR_FINEST * thickness) ||
			    !(width > NEAR_WIDTH))
				return (rbl_ccd_search_result){ .is_hit = true,
					                            .is_certified = is_proven,
					                            .time = p.a };
		}
		if (length <= thickness) // later times do not matter
			is_near = true, is_certified = is_sure, near_time = middle, count = 0;
		else
			stack[count++] = (part){ middle, p.b };
		stack[count++] = (part){ p.a, middle };
	}
	return (rbl_ccd_search_result){ .is_hit = is_near,
		                            .is_certified = is_certified,
		                            .time = is_near ? near_time : 0.0 };
}

rbl_ccd_search_result rbl_ccd_search_near(const rbl_ccd_polynomials *form, double thickness,
                                          rbl_ccd_near_place *place)
{
	return form->corner_count == 3 ? search_near(3, form, thickness, place)
	                               : search_near(4, form, thickness, place);
}
