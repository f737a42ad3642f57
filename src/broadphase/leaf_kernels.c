// SPDX-License-Identifier: MIT
//
// Sweeping a leaf and probing it. See leaf_kernels.h for the layout of a list.

#include "broadphase/leaf_kernels.h"

#include "base/bits.h"
#include "base/simd.h"

// One box, splatted, with the cell.
typedef struct probe {
	rbl_f8 lower[3], upper[3], cell_lower[3];
} probe;

// Whether the owning points lie in the cell. None lies beyond its end, since both boxes touch it.
static inline rbl_i8 owned(const probe *p, rbl_f8 x, rbl_f8 y, rbl_f8 z)
{
	rbl_i8 in_x = rbl_f8_ge(rbl_f8_max(x, p->lower[0]), p->cell_lower[0]);
	rbl_i8 in_y = rbl_f8_ge(rbl_f8_max(y, p->lower[1]), p->cell_lower[1]);
	rbl_i8 in_z = rbl_f8_ge(rbl_f8_max(z, p->lower[2]), p->cell_lower[2]);
	return rbl_i8_and(in_x, rbl_i8_and(in_y, in_z));
}

static inline void splat_cell(probe *p, const float *cell)
{
	for (int k = 0; k < 3; ++k)
		p->cell_lower[k] = rbl_f8_splat(cell[k]);
}

int RBL_KERNEL(rbl_bsp_sweep)(const float *rows, int stride, int count, int axis, int first,
                              const float *cell, uint32_t *out, int room, int *written)
{
	// u is the axis that is swept, v and w the others.
	const int u = axis, v = axis == 0 ? 1 : 0, w = axis == 2 ? 1 : 2;
	const float *lower[3] = { rows, rows + stride, rows + 2 * stride };
	const float *upper[3] = { rows + 3 * stride, rows + 4 * stride, rows + 5 * stride };
	probe p;
	splat_cell(&p, cell);
	int n = 0, i = first;
	for (; i < count && room - n >= 2 * (count - i); ++i) {
		for (int k = 0; k < 3; ++k) {
			p.lower[k] = rbl_f8_splat(lower[k][i]);
			p.upper[k] = rbl_f8_splat(upper[k][i]);
		}
		float end = upper[u][i];
		for (int j = i + 1; lower[u][j] <= end; j += 8) {
			rbl_i8 hit = rbl_f8_le(rbl_f8_load(lower[u] + j), p.upper[u]);
			hit = rbl_i8_and(hit, rbl_i8_and(rbl_f8_le(rbl_f8_load(lower[v] + j), p.upper[v]),
			                                 rbl_f8_ge(rbl_f8_load(upper[v] + j), p.lower[v])));
			hit = rbl_i8_and(hit, rbl_i8_and(rbl_f8_le(rbl_f8_load(lower[w] + j), p.upper[w]),
			                                 rbl_f8_ge(rbl_f8_load(upper[w] + j), p.lower[w])));
			if (!rbl_i8_any(hit))
				continue;
			hit = rbl_i8_and(hit, owned(&p, rbl_f8_load(lower[0] + j), rbl_f8_load(lower[1] + j),
			                            rbl_f8_load(lower[2] + j)));
			for (unsigned bits = (unsigned)rbl_i8_bits(hit); bits; bits &= bits - 1) {
				out[n++] = (uint32_t)i;
				out[n++] = (uint32_t)(j + rbl_lowest_one(bits));
			}
		}
	}
	*written = n;
	return i;
}

int RBL_KERNEL(rbl_bsp_probe)(const float *rows, int stride, int count, const rbl_box *box,
                              const float *cell, uint32_t *out)
{
	const float *lower[3] = { rows, rows + stride, rows + 2 * stride };
	const float *upper[3] = { rows + 3 * stride, rows + 4 * stride, rows + 5 * stride };
	const float box_lower[3] = { box->lower.x, box->lower.y, box->lower.z };
	const float box_upper[3] = { box->upper.x, box->upper.y, box->upper.z };
	probe p;
	splat_cell(&p, cell);
	for (int k = 0; k < 3; ++k) {
		p.lower[k] = rbl_f8_splat(box_lower[k]);
		p.upper[k] = rbl_f8_splat(box_upper[k]);
	}
	int n = 0;
	for (int j = 0; j < count; j += 8) {
		rbl_f8 x = rbl_f8_load(lower[0] + j), y = rbl_f8_load(lower[1] + j),
			   z = rbl_f8_load(lower[2] + j);
		rbl_i8 hit =
			rbl_i8_and(rbl_f8_le(x, p.upper[0]), rbl_f8_ge(rbl_f8_load(upper[0] + j), p.lower[0]));
		hit = rbl_i8_and(hit, rbl_i8_and(rbl_f8_le(y, p.upper[1]),
		                                 rbl_f8_ge(rbl_f8_load(upper[1] + j), p.lower[1])));
		hit = rbl_i8_and(hit, rbl_i8_and(rbl_f8_le(z, p.upper[2]),
		                                 rbl_f8_ge(rbl_f8_load(upper[2] + j), p.lower[2])));
		if (!rbl_i8_any(hit))
			continue;
		hit = rbl_i8_and(hit, owned(&p, x, y, z));
		for (unsigned bits = (unsigned)rbl_i8_bits(hit); bits; bits &= bits - 1)
			out[n++] = (uint32_t)(j + rbl_lowest_one(bits));
	}
	return n;
}
