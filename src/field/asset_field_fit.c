// SPDX-License-Identifier: MIT
//
// Fitting the samples of a field to the surface.
//
// Interpolation between exact distances is off where the surface bends: it rounds edges off, and in
// tips thinner than a cell nothing is inside. What contacts need is where the surface is. So
// samples around it are moved until the interpolant is nearly zero there: points of all triangles
// are taken, each sample is moved by the mean of what is wrong at the points near it, weighted as
// interpolation does, and that again a few times (SIRT, as in tomography: Gilbert 1972). The error
// of what comes out is proven like that of any other samples.
//
// Bricks that share a sample add up what their points say of it, one axis after another; where
// bricks touch by a corner only, one of them decides.

#include "field/asset_field_build.h"

// Points of a triangle are at most so far apart, in cells, on each of at most MOST_ALONG lines.
static const float point_spacing = 0.6f;

enum { ROUNDS = 5, MOST_ALONG = 64, SMALL_ALONG = 2 };

// A sample that few points speak of is not moved as far as they say.
static const float reluctance = 0.15f;

// No sample is moved farther than this, in cells: what it is moved by adds to the bounds.
static const float farthest = 0.4f;

// A point of the surface: the first sample of its cell, and where it is in the cell.
typedef struct fit_point {
	int first;
	float at[3];
} fit_point;

typedef struct fitting {
	const rbl_sample_surface *surface;
	const rbl_sample_grid *grid;
	int brick_count;
	const int *neighbours; // by brick and axis: the brick behind its upper face, -1 for none
	int *starts;           // by brick, one more at the end
	fit_point *points;     // by brick
	float *sums, *weights; // by brick and sample
	bool has_weights;      // they are the same in all rounds
} fitting;

// --- points -------------------------------------------------------------------------------------

static fit_point point_in_brick(rbl_vec3 p, const int origin[3])
{
	enum { ROW = RBL_BRICK_SIDE, LAYER = RBL_BRICK_SIDE * RBL_BRICK_SIDE };
	static const int steps[3] = { 1, ROW, LAYER };
	fit_point point = { .first = 0 };
	for (int axis = 0; axis < 3; ++axis) {
		float x = rbl_axis(p, axis) - (float)origin[axis];
		x = rbl_clampf(x, 0.0f, (float)RBL_BRICK_CELLS);
		int cell = rbl_mini((int)x, RBL_BRICK_CELLS - 1);
		point.first += cell * steps[axis];
		point.at[axis] = x - (float)cell;
	}
	return point;
}

// Each point of a triangle, in the brick it is in.
// @param counts  by brick: raised, or where the next point goes when there are `points`
static void place_points(const fitting *f, const rbl_sample_triangle *t, int *counts)
{
	const int *size = f->grid->size;
	float longest = 0.0f;
	for (int k = 0; k < 3; ++k)
		longest = rbl_maxf(longest, rbl_length(t->edges[k]));
	int n = rbl_mini((int)(longest / point_spacing) + 1, MOST_ALONG);
	// Triangles smaller than a cell have their points in common with neighbours: they leave out
	// those across from the first corner.
	int end = n <= SMALL_ALONG ? n : n + 1;
	for (int i = 0; i < end; ++i)
		for (int k = 0; k < end - i; ++k) {
			rbl_vec3 p = rbl_add_scaled(t->corners[0], (float)(i + k) / (float)n, t->edges[0]);
			p = rbl_add_scaled(p, (float)k / (float)n, t->edges[1]);
			int slot[3];
			for (int axis = 0; axis < 3; ++axis) {
				int at = (int)(rbl_axis(p, axis) / (float)RBL_BRICK_CELLS);
				slot[axis] = rbl_mini(rbl_maxi(at, 0), size[axis] - 1);
			}
			int brick = f->grid->leaves[(slot[2] * size[1] + slot[1]) * size[0] + slot[0]];
			if (brick >= f->brick_count) // not where the surface is
				continue;
			if (f->points)
				f->points[counts[brick]] = point_in_brick(p, f->grid->places[brick].origin);
			counts[brick]++;
		}
}

static bool gather_points(fitting *f, const rbl_allocator *allocator, int *counts)
{
	memset(counts, 0, (size_t)f->brick_count * sizeof *counts);
	for (int i = 0; i < f->surface->triangle_count; ++i)
		place_points(f, &f->surface->triangles[i], counts);
	f->starts[0] = 0;
	for (int i = 0; i < f->brick_count; ++i) {
		f->starts[i + 1] = f->starts[i] + counts[i];
		counts[i] = f->starts[i];
	}
	f->points = RBL_NEW(allocator, fit_point, f->starts[f->brick_count]);
	if (!f->points)
		return f->starts[f->brick_count] == 0;
	for (int i = 0; i < f->surface->triangle_count; ++i)
		place_points(f, &f->surface->triangles[i], counts);
	return true;
}

// --- rounds -------------------------------------------------------------------------------------

static void measure_bricks(void *context, int begin, int end, int worker)
{
	enum { ROW = RBL_BRICK_SIDE, LAYER = RBL_BRICK_SIDE * RBL_BRICK_SIDE };
	const fitting *f = context;
	(void)worker;
	for (int brick = begin; brick < end; ++brick) {
		const float *values = f->grid->values + (size_t)brick * RBL_BRICK_SAMPLES;
		float *sums = f->sums + (size_t)brick * RBL_BRICK_SAMPLES;
		float *weights = f->weights + (size_t)brick * RBL_BRICK_SAMPLES;
		memset(sums, 0, RBL_BRICK_SAMPLES * sizeof *sums);
		if (!f->has_weights)
			memset(weights, 0, RBL_BRICK_SAMPLES * sizeof *weights);
		for (int i = f->starts[brick]; i < f->starts[brick + 1]; ++i) {
			static const int offsets[8] = { 0,     1,         ROW,         ROW + 1,
				                            LAYER, LAYER + 1, LAYER + ROW, LAYER + ROW + 1 };
			float w[8], value = 0.0f;
			const float *s = f->points[i].at;
			int first = f->points[i].first;
			for (int k = 0; k < 8; ++k) {
				w[k] = (k & 1 ? s[0] : 1.0f - s[0]) * (k & 2 ? s[1] : 1.0f - s[1]) *
				       (k & 4 ? s[2] : 1.0f - s[2]);
				value += w[k] * values[first + offsets[k]];
			}
			for (int k = 0; k < 8; ++k)
				sums[first + offsets[k]] += w[k] * value;
			for (int k = 0; k < 8 && !f->has_weights; ++k)
				weights[first + offsets[k]] += w[k];
		}
	}
}

// The upper face of a brick and the lower one of its neighbour are the same samples.
static void join_faces(const fitting *f, int axis)
{
	static const int steps[3] = { 1, RBL_BRICK_SIDE, RBL_BRICK_SIDE * RBL_BRICK_SIDE };
	int u = steps[(axis + 1) % 3], v = steps[(axis + 2) % 3];
	for (int brick = 0; brick < f->brick_count; ++brick) {
		int other = f->neighbours[3 * brick + axis];
		if (other < 0)
			continue;
		size_t upper = (size_t)brick * RBL_BRICK_SAMPLES + (size_t)(RBL_BRICK_CELLS * steps[axis]);
		size_t lower = (size_t)other * RBL_BRICK_SAMPLES;
		for (int i = 0; i < RBL_BRICK_SIDE * RBL_BRICK_SIDE; ++i) {
			size_t at = (size_t)(i % RBL_BRICK_SIDE * u + i / RBL_BRICK_SIDE * v);
			f->sums[upper + at] = f->sums[lower + at] = f->sums[upper + at] + f->sums[lower + at];
			if (!f->has_weights)
				f->weights[upper + at] = f->weights[lower + at] =
					f->weights[upper + at] + f->weights[lower + at];
		}
	}
}

static void move_samples(void *context, int begin, int end, int worker)
{
	const fitting *f = context;
	(void)worker;
	for (size_t i = (size_t)begin * RBL_BRICK_SAMPLES; i < (size_t)end * RBL_BRICK_SAMPLES; ++i) {
		// Samples that no point is near may be what a coarser brick interpolates: they stay so.
		if (!(f->weights[i] > 0.0f))
			continue;
		float exact = f->grid->exact[i];
		float moved = f->grid->values[i] - f->sums[i] / (f->weights[i] + reluctance);
		f->grid->values[i] = rbl_clampf(moved, exact - farthest, exact + farthest);
	}
}

rbl_result rbl_fit_samples(const rbl_sample_surface *surface, const rbl_sample_grid *grid,
                           int brick_count, const int *neighbours, const rbl_allocator *allocator,
                           rbl_jobs *jobs)
{
	size_t sample_count = (size_t)brick_count * RBL_BRICK_SAMPLES;
	fitting f = { .surface = surface,
		          .grid = grid,
		          .brick_count = brick_count,
		          .neighbours = neighbours,
		          .starts = RBL_NEW(allocator, int, brick_count + 1),
		          .sums = RBL_NEW(allocator, float, sample_count),
		          .weights = RBL_NEW(allocator, float, sample_count) };
	int *counts = RBL_NEW(allocator, int, brick_count);
	rbl_result result = RBL_OUT_OF_MEMORY;
	if (f.starts && f.sums && f.weights && counts && gather_points(&f, allocator, counts)) {
		for (int round = 0; round < ROUNDS; ++round) {
			rbl_parallel_for(jobs, brick_count, 4, measure_bricks, &f);
			for (int axis = 0; axis < 3; ++axis)
				join_faces(&f, axis);
			f.has_weights = true;
			rbl_parallel_for(jobs, brick_count, 16, move_samples, &f);
		}
		result = RBL_OK;
	}
	RBL_FREE(allocator, f.points, f.points ? f.starts[brick_count] : 0);
	RBL_FREE(allocator, counts, brick_count);
	RBL_FREE(allocator, f.weights, sample_count);
	RBL_FREE(allocator, f.sums, sample_count);
	RBL_FREE(allocator, f.starts, brick_count + 1);
	return result;
}
