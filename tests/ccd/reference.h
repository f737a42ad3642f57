// SPDX-License-Identifier: MIT
// The reference of continuous tests: exact, simple and slow.
//
// The polygon of ccd/polynomial.h holds the origin at a time t exactly when
//
//   - its normal N is not zero, the cubic c is zero, and no w_i.N is negative (degree 4); or
//   - N is zero, all w_i are zero, and some r_i.r_j is not positive: all on a line through the
//   origin.
//
// Times that matter are the roots of c, or, where c vanishes, 0, 1 and the roots of all polynomials
// above: the set of contact times is closed, so if there is any, one of these is in it. A root is
// an interval with one root of a polynomial p in it, and the sign of another polynomial q there is
// the number of sign changes of the sequence p, p' q, ... at its start less those at its end (Sturm
// and Tarski). All numbers are integers.
#pragma once

#define BIG_LIMBS 600
#include "geometry/rational.h"

#include <rubble/types.h>

#include <stdbool.h>
#include <string.h>

enum { MAX_DEGREE = 10 };

/// Sum of c[i] t^i; the highest coefficient is not zero; degree -1 is zero.
typedef struct poly {
	int degree;
	big c[MAX_DEGREE + 1];
} poly;

static inline big big_zero(void)
{
	big zero;
	zero.sign = zero.count = 0;
	return zero;
}

static inline big big_from_int(int64_t x)
{
	big result;
	uint64_t size = x < 0 ? -(uint64_t)x : (uint64_t)x;
	result.sign = x > 0 ? 1 : x < 0 ? -1 : 0;
	result.count = 2;
	result.limb[0] = (uint32_t)size;
	result.limb[1] = (uint32_t)(size >> 32);
	big_trim(&result);
	return result;
}

static inline void poly_trim(poly *p)
{
	while (p->degree >= 0 && p->c[p->degree].sign == 0)
		p->degree--;
}

/// a + b, or a - b
static inline void poly_add(poly *result, const poly *a, const poly *b, bool subtract)
{
	poly sum;
	sum.degree = a->degree > b->degree ? a->degree : b->degree;
	for (int i = 0; i <= sum.degree; ++i) {
		big x = i <= a->degree ? a->c[i] : big_zero(), y = i <= b->degree ? b->c[i] : big_zero();
		sum.c[i] = subtract ? big_sub(&x, &y) : big_add(&x, &y);
	}
	poly_trim(&sum);
	*result = sum;
}

static inline void poly_mul(poly *result, const poly *a, const poly *b)
{
	poly product;
	product.degree = a->degree < 0 || b->degree < 0 ? -1 : a->degree + b->degree;
	for (int i = 0; i <= product.degree; ++i)
		product.c[i] = big_zero();
	for (int i = 0; i <= a->degree && product.degree >= 0; ++i) {
		for (int k = 0; k <= b->degree; ++k) {
			big term = big_mul(&a->c[i], &b->c[k]);
			product.c[i + k] = big_add(&product.c[i + k], &term);
		}
	}
	poly_trim(&product);
	*result = product;
}

static inline void poly_derive(poly *result, const poly *a)
{
	poly d;
	d.degree = a->degree - 1;
	for (int i = 0; i <= d.degree; ++i) {
		big factor = big_from_int(i + 1);
		d.c[i] = big_mul(&a->c[i + 1], &factor);
	}
	if (d.degree < -1)
		d.degree = -1;
	*result = d;
}

/// Drop common powers of 2^32, which keeps numbers short where input has many trailing zeros.
static inline void poly_shorten(poly *p)
{
	int shift = 1 << 20;
	for (int i = 0; i <= p->degree; ++i) {
		int zeros = 0;
		if (p->c[i].sign == 0)
			continue;
		while (p->c[i].limb[zeros] == 0)
			zeros++;
		shift = zeros < shift ? zeros : shift;
	}
	for (int i = 0; i <= p->degree && shift > 0; ++i) {
		big *c = &p->c[i];
		if (c->sign == 0)
			continue;
		memmove(c->limb, c->limb + shift, (size_t)(c->count - shift) * sizeof *c->limb);
		c->count -= shift;
	}
}

/// The remainder of a by b, times a positive number.
static inline void poly_remainder(poly *result, const poly *a, const poly *b)
{
	poly rest = *a;
	const big *lead = &b->c[b->degree];
	while (rest.degree >= b->degree) {
		int shift = rest.degree - b->degree;
		big top = rest.c[rest.degree];
		for (int i = 0; i <= rest.degree; ++i) {
			rest.c[i] = big_mul(&rest.c[i], lead);
			if (i >= shift) {
				big term = big_mul(&b->c[i - shift], &top);
				rest.c[i] = big_sub(&rest.c[i], &term);
			}
			if (lead->sign < 0)
				rest.c[i].sign = -rest.c[i].sign;
		}
		rest.degree--; // the leading terms cancel
		poly_trim(&rest);
		poly_shorten(&rest);
	}
	*result = rest;
}

/// A time: number / 2^bits.
typedef struct dyadic {
	int64_t number;
	int bits;
} dyadic;

static inline int poly_sign_at(const poly *p, dyadic t)
{
	if (p->degree < 0)
		return 0;
	big n = big_from_int(t.number), scale = big_from_int(INT64_C(1) << t.bits);
	big value = p->c[p->degree], power = big_from_int(1);
	for (int i = p->degree - 1; i >= 0; --i) {
		power = big_mul(&power, &scale);
		big term = big_mul(&p->c[i], &power);
		value = big_mul(&value, &n);
		value = big_add(&value, &term);
	}
	return value.sign;
}

/// A sequence of remainders that begins with p and p' q.
typedef struct sturm {
	int count;
	poly p[MAX_DEGREE + 2];
} sturm;

static inline void sturm_make(sturm *s, const poly *p, const poly *q)
{
	s->count = 0;
	s->p[s->count++] = *p;
	poly next;
	poly_derive(&next, p);
	poly_mul(&next, &next, q);
	if (next.degree >= p->degree)
		poly_remainder(&next, &next, p);
	while (next.degree >= 0) {
		s->p[s->count++] = next;
		if (next.degree == 0)
			break; // leaves no remainder
		poly_remainder(&next, &s->p[s->count - 2], &s->p[s->count - 1]);
		for (int i = 0; i <= next.degree; ++i)
			next.c[i].sign = -next.c[i].sign;
	}
}

static inline int sturm_changes(const sturm *s, dyadic t)
{
	int changes = 0, last = 0;
	for (int i = 0; i < s->count; ++i) {
		int sign = poly_sign_at(&s->p[i], t);
		if (sign && last && sign != last)
			changes++;
		last = sign ? sign : last;
	}
	return changes;
}

/// A root of p: the only one between two times that are none.
typedef struct root {
	const poly *p;
	dyadic from, to;
} root;

static inline int sign_at_root(const poly *q, const root *at)
{
	static sturm s;
	sturm_make(&s, at->p, q);
	return sturm_changes(&s, at->from) - sturm_changes(&s, at->to);
}

/// Roots of p between -2 and 3. @return their number, or -1 where two are too near each other to be
/// told apart
static inline int find_roots(const poly *p, root *roots)
{
	static sturm s;
	poly one;
	one.degree = 0;
	one.c[0] = big_from_int(1);
	if (p->degree < 1)
		return 0;
	sturm_make(&s, p, &one);
	struct span {
		dyadic from, to;
	} stack[200] = { { { -2, 0 }, { 3, 0 } } };
	while (!poly_sign_at(p, stack[0].from))
		stack[0].from.number *= 2, stack[0].from.number -= 1, stack[0].from.bits++;
	while (!poly_sign_at(p, stack[0].to))
		stack[0].to.number *= 2, stack[0].to.number += 1, stack[0].to.bits++;
	int depth = 1, count = 0;
	while (depth > 0) {
		struct span at = stack[--depth];
		int inside = sturm_changes(&s, at.from) - sturm_changes(&s, at.to);
		if (inside == 1)
			roots[count++] = (root){ p, at.from, at.to };
		if (inside < 2)
			continue;
		// Bring both to the same power, and find a time between that is no root.
		int bits = (at.from.bits > at.to.bits ? at.from.bits : at.to.bits) + 4;
		int64_t a = at.from.number * (INT64_C(1) << (bits - at.from.bits));
		int64_t b = at.to.number * (INT64_C(1) << (bits - at.to.bits));
		dyadic middle = { a / 2 + b / 2, bits };
		while (!poly_sign_at(p, middle))
			middle.number++;
		while (middle.number % 2 == 0 && middle.bits > 0)
			middle.number /= 2, middle.bits--;
		if (bits > 56)
			return -1;
		stack[depth++] = (struct span){ middle, at.to };
		stack[depth++] = (struct span){ at.from, middle };
	}
	return count;
}

/// The polynomials of a pair.
typedef struct reference_pair {
	int n;
	int scale;      // coordinates are integers times 2^scale
	poly r[4][3];   // corners
	poly w[4][3];   // sides
	poly normal[3]; // twice, for edges
	poly facing[4]; // w.N
	poly dots[6];   // r.r, of corners that differ, and of each with itself
	int dot_count;
	poly cubic;
} reference_pair;

static inline void poly_cross(poly c[3], const poly a[3], const poly b[3])
{
	for (int k = 0; k < 3; ++k) {
		int l = (k + 1) % 3, m = (k + 2) % 3;
		poly x, y;
		poly_mul(&x, &a[l], &b[m]);
		poly_mul(&y, &a[m], &b[l]);
		poly_add(&c[k], &x, &y, true);
	}
}

static inline void poly_dot(poly *d, const poly a[3], const poly b[3])
{
	poly sum;
	sum.degree = -1;
	for (int k = 0; k < 3; ++k) {
		poly x;
		poly_mul(&x, &a[k], &b[k]);
		poly_add(&sum, &sum, &x, false);
	}
	*d = sum;
}

/// The exponent of the lowest bit that is set, of numbers that are not zero.
static inline int lowest_bit(double x)
{
	int exponent = big_exponent(x);
	int64_t mantissa = (int64_t)fabs(ldexp(x, -exponent));
	for (; mantissa % 2 == 0; mantissa /= 2)
		exponent++;
	return exponent;
}

/// x / 2^scale, in as few limbs as it takes.
static inline big big_exactly(double x, int scale)
{
	if (fabs(ldexp(x, -scale)) < 0x1p62)
		return big_from_int((int64_t)ldexp(x, -scale));
	return big_from_double(x, scale);
}

static inline void reference_corner(reference_pair *j, int i, const rbl_vec3d *start,
                                    const rbl_vec3d *end, int to, int from)
{
	for (int k = 0; k < 3; ++k) {
		big p[2];
		for (int pose = 0; pose < 2; ++pose) {
			const rbl_vec3d *corners = pose ? end : start;
			big x = big_exactly(rbl_axis_d(corners[to], k), j->scale);
			big y = big_exactly(rbl_axis_d(corners[from], k), j->scale);
			p[pose] = big_sub(&x, &y);
		}
		j->r[i][k].degree = 1;
		j->r[i][k].c[0] = p[0];
		j->r[i][k].c[1] = big_sub(&p[1], &p[0]);
		poly_trim(&j->r[i][k]);
	}
}

static inline void reference_make(reference_pair *j, int type, const rbl_vec3d start[4],
                                  const rbl_vec3d end[4])
{
	double all[24];
	memcpy(all, start, 12 * sizeof *all);
	memcpy(all + 12, end, 12 * sizeof *all);
	// Large numbers need 53 bits below their highest, small ones what they have.
	j->scale = INT32_MAX;
	int highest = INT32_MIN;
	for (int i = 0; i < 24; ++i) {
		if (all[i] == 0.0)
			continue;
		int low = lowest_bit(all[i]), high = big_exponent(all[i]) + 53;
		j->scale = low < j->scale ? low : j->scale;
		highest = high > highest ? high : highest;
	}
	if (j->scale == INT32_MAX)
		j->scale = 0;
	else if (highest - j->scale > 62)
		j->scale = big_scale(all, 24);
	j->n = type ? 4 : 3;
	static const int ends[2][4][2] = { { { 1, 0 }, { 2, 0 }, { 3, 0 }, { 0, 0 } },
		                               { { 0, 2 }, { 1, 2 }, { 1, 3 }, { 0, 3 } } };
	for (int i = 0; i < j->n; ++i)
		reference_corner(j, i, start, end, ends[type][i][0], ends[type][i][1]);
	for (int k = 0; k < 3; ++k)
		j->normal[k].degree = -1;
	for (int i = 0; i < j->n; ++i) {
		poly_cross(j->w[i], j->r[i], j->r[(i + 1) % j->n]);
		for (int k = 0; k < 3; ++k)
			poly_add(&j->normal[k], &j->normal[k], &j->w[i][k], false);
	}
	j->dot_count = 0;
	for (int i = 0; i < j->n; ++i) {
		poly_dot(&j->facing[i], j->w[i], j->normal);
		for (int k = i + 1; k < j->n; ++k)
			poly_dot(&j->dots[j->dot_count++], j->r[i], j->r[k]);
	}
	poly_dot(&j->cubic, j->normal, j->r[0]);
}

/// Whether there is contact at a time, which the sign of a polynomial tells through `sign`.
static inline bool reference_at(const reference_pair *j, int (*sign)(const poly *, const void *),
                                const void *at)
{
	if (sign(&j->cubic, at) != 0)
		return false;
	bool is_flat = true;
	for (int k = 0; k < 3; ++k)
		is_flat &= sign(&j->normal[k], at) == 0;
	for (int i = 0; i < j->n; ++i) {
		if (!is_flat && sign(&j->facing[i], at) < 0)
			return false;
		for (int k = 0; k < 3 && is_flat; ++k)
			if (sign(&j->w[i][k], at) != 0)
				return false;
	}
	for (int i = 0; i < j->dot_count && is_flat; ++i)
		if (sign(&j->dots[i], at) <= 0)
			return true;
	return !is_flat;
}

static inline int reference_sign_root(const poly *p, const void *at)
{
	return p->degree < 0 ? 0 : sign_at_root(p, at);
}

static inline int reference_sign_time(const poly *p, const void *at)
{
	return poly_sign_at(p, *(const dyadic *)at);
}

/// A linear polynomial: t - time, or time - t.
static inline void reference_line(poly *line, double time, bool is_falling)
{
	const double both[2] = { time, 1.0 };
	int scale = big_scale(both, 2);
	line->degree = 1;
	line->c[0] = big_from_double(-time, scale);
	line->c[1] = big_from_double(1.0, scale);
	if (is_falling)
		line->c[0].sign = -line->c[0].sign, line->c[1].sign = -line->c[1].sign;
}

/// What the reference says.
typedef struct comparison {
	bool is_known; // false: numbers are too long, or roots too near each other; nothing else is set
	bool is_hit;
	bool is_late;  // the time given is after some contact, which should be the first
	bool is_early; // it is before every contact by more than the slack
} comparison;

static inline void reference_root(const reference_pair *j, const root *at, double time,
                                  double slack, comparison *result)
{
	static poly line;
	reference_line(&line, 0.0, false);
	if (sign_at_root(&line, at) < 0)
		return;
	reference_line(&line, 1.0, true);
	if (sign_at_root(&line, at) < 0 || !reference_at(j, reference_sign_root, at))
		return;
	result->is_hit = true;
	reference_line(&line, time, false);
	result->is_late |= sign_at_root(&line, at) < 0;
	reference_line(&line, time + slack, true);
	result->is_early &= sign_at_root(&line, at) < 0;
}

/// Whether sequences of remainders stay within BIG_LIMBS: those of polynomials of degree three grow
/// to about 34 times the length of coefficients, those of degree four to some 190 times.
static inline bool reference_has_room(const reference_pair *j)
{
	int most = 0, limit = j->cubic.degree >= 0 ? 16 : 3;
	for (int k = 0; k <= j->cubic.degree; ++k)
		most = j->cubic.c[k].count > most ? j->cubic.c[k].count : most;
	for (int i = 0; i < j->n && j->cubic.degree < 0; ++i)
		for (int k = 0; k <= j->facing[i].degree; ++k)
			most = j->facing[i].c[k].count > most ? j->facing[i].c[k].count : most;
	return most <= limit;
}

/// Judge a pair and the time of a hit. Coordinates have few enough bits for the space above: small
/// integers, or doubles of similar size.
static inline comparison reference_ccd(int type, const rbl_vec3d start[4], const rbl_vec3d end[4],
                                       double time, double slack)
{
	static reference_pair j;
	reference_make(&j, type, start, end);
	comparison result = { true, false, false, true }, unknown = { false, false, false, false };
	root roots[MAX_DEGREE];
	if (!reference_has_room(&j))
		return unknown;
	if (j.cubic.degree >= 0) {
		int count = find_roots(&j.cubic, roots);
		if (count < 0)
			return unknown;
		for (int i = 0; i < count; ++i)
			reference_root(&j, &roots[i], time, slack, &result);
		return result;
	}
	for (int i = 0; i < 2; ++i) {
		dyadic at = { i, 0 };
		if (!reference_at(&j, reference_sign_time, &at))
			continue;
		result.is_hit = true;
		result.is_late |= time > (double)i;
		result.is_early &= time + slack < (double)i;
	}
	const poly *all[4 * 3 + 3 + 4 + 6];
	int all_count = 0;
	for (int i = 0; i < j.n; ++i) {
		all[all_count++] = &j.facing[i];
		for (int k = 0; k < 3; ++k)
			all[all_count++] = &j.w[i][k];
	}
	for (int k = 0; k < 3; ++k)
		all[all_count++] = &j.normal[k];
	for (int i = 0; i < j.dot_count; ++i)
		all[all_count++] = &j.dots[i];
	for (int i = 0; i < all_count; ++i) {
		int count = find_roots(all[i], roots);
		if (count < 0)
			return unknown;
		for (int k = 0; k < count; ++k)
			reference_root(&j, &roots[k], time, slack, &result);
	}
	return result;
}
