// SPDX-License-Identifier: MIT
//
// Sampling points inside a closed surface and on it.
//
// Inside: parallel lines on a grid, the intervals of each that are inside, and points along those.
// A point stands for the length of its interval times the area between lines. A line that rounding
// or a self-intersection makes ambiguous is left out.

#include "base/random.h"
#include "base/math.h"
#include "base/sort.h"
#include "base/vec.h"
#include "fracture/convex_decomposition.h"

typedef struct crossing {
	int line;
	int change; // 1: into the solid, going up along z
	double z;
} crossing;

typedef struct grid {
	double x, y, step; // of the first line
	int columns, rows;
	RBL_ARRAY(crossing) crossings;
} grid;

static grid make_grid(const rbl_solid *s, int count)
{
	rbl_vec3d size = rbl_scale_d(2.0, s->half);
	// The share of the box that is inside decides how close the lines must be.
	double step = rbl_cbrt(rbl_maxd(s->volume, 1e-3 * size.x * size.y * size.z) / count);
	step = rbl_maxd(step, rbl_maxd(size.x, size.y) / 2000.0);
	grid g = { .step = step };
	g.columns = (int)(size.x / step) + 1;
	g.rows = (int)(size.y / step) + 1;
	// Odd offsets: lines through vertices and edges would be ambiguous.
	g.x = -s->half.x + 0.5 * (size.x - (g.columns - 1) * step) + 0.00317 * step;
	g.y = -s->half.y + 0.5 * (size.y - (g.rows - 1) * step) + 0.00713 * step;
	return g;
}

static bool add_triangle(const rbl_allocator *allocator, grid *g, rbl_vec3d a, rbl_vec3d b,
                         rbl_vec3d c)
{
	double x0 = rbl_mind(a.x, rbl_mind(b.x, c.x)), x1 = rbl_maxd(a.x, rbl_maxd(b.x, c.x));
	double y0 = rbl_mind(a.y, rbl_mind(b.y, c.y)), y1 = rbl_maxd(a.y, rbl_maxd(b.y, c.y));
	int first_x = rbl_maxi((int)ceil((x0 - g->x) / g->step), 0);
	int first_y = rbl_maxi((int)ceil((y0 - g->y) / g->step), 0);
	for (int row = first_y; row < g->rows && g->y + row * g->step <= y1; ++row) {
		for (int column = first_x; column < g->columns && g->x + column * g->step <= x1; ++column) {
			double x = g->x + column * g->step, y = g->y + row * g->step;
			double u = (b.x - x) * (c.y - y) - (b.y - y) * (c.x - x);
			double v = (c.x - x) * (a.y - y) - (c.y - y) * (a.x - x);
			double w = (a.x - x) * (b.y - y) - (a.y - y) * (b.x - x);
			bool front = u > 0.0 && v > 0.0 && w > 0.0, back = u < 0.0 && v < 0.0 && w < 0.0;
			if (!front && !back)
				continue;
			crossing made = { row * g->columns + column, front ? -1 : 1,
				              (u * a.z + v * b.z + w * c.z) / (u + v + w) };
			if (!rbl_array_push(allocator, &g->crossings, made))
				return false;
		}
	}
	return true;
}

// Points along the stretches of one line.
static bool add_line(const rbl_allocator *allocator, const grid *g, const crossing *c, int count,
                     rbl_samples *samples)
{
	int depth = 0;
	for (int i = 0; i < count; ++i)
		depth += c[i].change;
	if (depth != 0)
		return true;
	for (int i = 0; i + 1 < count; ++i) {
		depth += c[i].change;
		double length = c[i + 1].z - c[i].z;
		if (depth <= 0 || !(length > 0.0))
			continue;
		int n = rbl_maxi((int)(length / g->step + 0.5), 1);
		rbl_inner_sample s = { .volume = length / n * g->step * g->step };
		s.position.x = g->x + (double)(c[i].line % g->columns) * g->step;
		s.position.y = g->y + (double)(c[i].line / g->columns) * g->step;
		for (int k = 0; k < n; ++k) {
			s.position.z = c[i].z + length * (k + 0.5) / n;
			if (!rbl_array_push(allocator, &samples->inner, s))
				return false;
		}
	}
	return true;
}

// Crossings by line and then by height.
static bool sort_line_crossings(const rbl_allocator *allocator, grid *g)
{
	int n = g->crossings.count;
	rbl_sort_item64 *items = RBL_NEW(allocator, rbl_sort_item64, 2 * (size_t)n + 1);
	crossing *sorted = RBL_NEW(allocator, crossing, (size_t)n + 1);
	bool done = items && sorted;
	for (int pass = 0; pass < 2 && done; ++pass) { // the sort is stable: heights first
		for (int i = 0; i < n; ++i) {
			const crossing *c = &g->crossings.data[i];
			uint64_t key = pass == 0 ? rbl_sort_key_double(c->z) : (uint64_t)c->line;
			items[i] = (rbl_sort_item64){ key, (uint32_t)i, 0 };
		}
		rbl_sort64(items, items + n, n);
		for (int i = 0; i < n; ++i)
			sorted[i] = g->crossings.data[items[i].value];
		memcpy(g->crossings.data, sorted, (size_t)n * sizeof *sorted);
	}
	RBL_FREE(allocator, sorted, (size_t)n + 1);
	RBL_FREE(allocator, items, 2 * (size_t)n + 1);
	return done;
}

static bool sample_inside(const rbl_allocator *allocator, const rbl_solid *s, int count,
                          rbl_samples *samples)
{
	grid g = make_grid(s, count);
	bool done = true;
	for (int t = 0; t < s->triangle_count && done; ++t) {
		const int *v = s->triangle_vertices + 3 * t;
		done = s->triangle_groups[t] < 0 || add_triangle(allocator, &g, s->positions[v[0]],
		                                                 s->positions[v[1]], s->positions[v[2]]);
	}
	done = done && (g.crossings.count == 0 || sort_line_crossings(allocator, &g));
	for (int i = 0, end; i < g.crossings.count && done; i = end) {
		for (end = i + 1;
		     end < g.crossings.count && g.crossings.data[end].line == g.crossings.data[i].line;)
			end++;
		done = add_line(allocator, &g, g.crossings.data + i, end - i, samples);
	}
	rbl_array_free(allocator, &g.crossings);
	return done;
}

static bool sample_surface(const rbl_allocator *allocator, const rbl_solid *s, int count,
                           rbl_samples *samples)
{
	rbl_random random = rbl_random_from_seed(11);
	int stride = s->vertex_count / count + 1;
	for (int v = 0; v < s->vertex_count; v += stride)
		if (!rbl_array_push(allocator, &samples->outer, s->positions[v]))
			return false;
	// Large triangles have few vertices: points on them besides, as many as their area asks for.
	double area = 0.0, done = 0.0;
	int wanted = count - samples->outer.count;
	for (int pass = 0; pass < 2 && wanted > 0; ++pass) {
		for (int t = 0; t < s->triangle_count; ++t) {
			const int *v = s->triangle_vertices + 3 * t;
			rbl_vec3d a = s->positions[v[0]], b = rbl_sub_d(s->positions[v[1]], a),
					  c = rbl_sub_d(s->positions[v[2]], a);
			double share = rbl_length_d(rbl_cross_d(b, c));
			area += pass == 0 ? share : 0.0;
			for (done += pass == 1 ? share / area * wanted : 0.0; done >= 1.0; done -= 1.0) {
				double u = rbl_random_double(&random), w = rbl_random_double(&random);
				if (u + w > 1.0)
					u = 1.0 - u, w = 1.0 - w;
				rbl_vec3d p = rbl_add_scaled_d(rbl_add_scaled_d(a, u, b), w, c);
				if (!rbl_array_push(allocator, &samples->outer, p))
					return false;
			}
		}
	}
	return true;
}

// Move surface points by a millionth: points in one plane would make every hull a hard case.
static void shake(const rbl_solid *s, rbl_samples *samples)
{
	rbl_random random = rbl_random_from_seed(12);
	for (int i = 0; i < samples->outer.count; ++i)
		samples->outer.data[i] =
			rbl_add_scaled_d(samples->outer.data[i], 1e-6 * s->size, rbl_random_in_ball(&random));
}

bool rbl_samples_make(const rbl_allocator *allocator, const rbl_solid *solid, int inner_count,
                      int outer_count, rbl_samples *samples)
{
	if (!sample_inside(allocator, solid, inner_count, samples) ||
	    !sample_surface(allocator, solid, outer_count, samples))
		return false;
	shake(solid, samples);
	if (samples->inner.count >= inner_count / 8)
		return true;
	samples->inner.count = 0; // thinner than the lines are apart
	for (int i = 0; i < samples->outer.count; ++i) {
		rbl_inner_sample s = { samples->outer.data[i], solid->volume / samples->outer.count };
		if (!rbl_array_push(allocator, &samples->inner, s))
			return false;
	}
	return true;
}

void rbl_samples_free(const rbl_allocator *allocator, rbl_samples *samples)
{
	rbl_array_free(allocator, &samples->inner);
	rbl_array_free(allocator, &samples->outer);
}
