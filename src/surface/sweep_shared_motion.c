// SPDX-License-Identifier: MIT
//
// Bodies that fly side by side.
//
// With ways from l to u along an axis, p = max(l, 0) and n = max(-u, 0), one of them 0: the box of
// a part that goes from L to U over the step ends at U - p when it starts, and at U - n when it
// arrives, and it begins at L + n and L + p. So a lies before b all the time when U - L' < p + n'
// and U - L' < n + p', and b before a by the same sums.
//
// Rounding, with u = 2^-24: ways are off by u times themselves, sums and the side of the box that
// is made smaller by u times what they are. 16 u of the sum, and 8 u of the largest coordinate are
// taken off.

#include "surface/query.h"

#include "surface/surface.h"
#include "surface/surface_kernels.h"

// Vertices of a job: some 10 us.
enum { DISPLACEMENT_PART = 4096 };

// Some vertices of a body, or all.
typedef struct vertex_range {
	int slot, first, count;
	rbl_box bounds;
} vertex_range;

typedef struct measuring {
	rbl_surface *surface;
	vertex_range *parts;
	int part_count;
	rbl_surface_batches batches;
} measuring;

static void measure_parts(void *context, int begin, int end, int worker)
{
	const measuring *m = context;
	const rbl_surface *surface = m->surface;
	(void)worker;
	for (int i = m->batches.starts[begin]; i < m->batches.starts[end]; ++i) {
		vertex_range *part = &m->parts[i];
		const int *vertices = surface->bodies.data[part->slot].vertices.data + part->first;
		RBL_PICK(rbl_surface_displacement_bounds)
		(surface->positions[0], surface->positions[1], vertices, part->count, &part->bounds);
	}
}

static bool is_measured(const rbl_surface *surface, int slot)
{
	const rbl_surface_body *body = &surface->bodies.data[slot];
	return surface->motion == RBL_SURFACE_CONTINUOUS && body->motion.is_moving &&
	       body->vertices.count > 0;
}

bool rbl_surface_measure_displacements(rbl_surface *surface, rbl_worker_group *workers,
                                       const int *slots, int count)
{
	measuring m = { .surface = surface };
	int part_count = 0;
	for (int i = 0; i < count; ++i)
		part_count += 1 + surface->bodies.data[slots[i]].vertices.count / DISPLACEMENT_PART;
	m.parts = RBL_ARENA_NEW(&surface->scratch, vertex_range, part_count);
	m.batches.starts = RBL_ARENA_NEW(&surface->scratch, int, part_count + 1);
	if (!m.parts || !m.batches.starts)
		return false;
	for (int i = 0; i < count; ++i) {
		rbl_surface_body *body = &surface->bodies.data[slots[i]];
		body->displacements = (rbl_box){ { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f } };
		if (!is_measured(surface, slots[i]))
			continue;
		body->displacements = rbl_box_empty();
		for (int first = 0; first < body->vertices.count; first += DISPLACEMENT_PART) {
			int size = rbl_mini(body->vertices.count - first, DISPLACEMENT_PART);
			m.parts[m.part_count] =
				(vertex_range){ .slot = slots[i], .first = first, .count = size };
			rbl_surface_batches_add(&m.batches, m.part_count++, size, DISPLACEMENT_PART);
		}
	}
	rbl_worker_group_for(workers, m.batches.count, 1, measure_parts, &m);
	for (int i = 0; i < m.part_count; ++i) {
		rbl_surface_body *body = &surface->bodies.data[m.parts[i].slot];
		body->displacements = rbl_box_join(body->displacements, m.parts[i].bounds);
	}
	return true;
}

static float largest_of(rbl_box box)
{
	rbl_vec3 largest =
		rbl_max(rbl_max(box.upper, rbl_neg(box.lower)), rbl_max(box.lower, rbl_neg(box.upper)));
	return rbl_maxf(largest.x, rbl_maxf(largest.y, largest.z));
}

// Along one axis.
static float common_displacement(float a_low, float a_high, float b_low, float b_high,
                                 float rounding)
{
	float onwards = rbl_maxf(a_low, 0.0f) + rbl_maxf(-b_high, 0.0f);
	float back = rbl_maxf(-a_high, 0.0f) + rbl_maxf(b_low, 0.0f);
	float common = rbl_minf(onwards, back) * (1.0f - 0x1p-20f) - rounding;
	// What is not finite is nothing to rely on.
	return common > 0.0f && common < 1e30f ? common : 0.0f;
}

rbl_vec3 rbl_surface_shared_motion(const rbl_surface_body *a, const rbl_surface_body *b)
{
	float extent = rbl_maxf(largest_of(a->tree.bounds), largest_of(b->tree.bounds));
	float rounding = 0x1p-21f * extent + 1e-30f;
	rbl_box p = a->displacements, q = b->displacements;
	return (rbl_vec3){ common_displacement(p.lower.x, p.upper.x, q.lower.x, q.upper.x, rounding),
		               common_displacement(p.lower.y, p.upper.y, q.lower.y, q.upper.y, rounding),
		               common_displacement(p.lower.z, p.upper.z, q.lower.z, q.upper.z, rounding) };
}
