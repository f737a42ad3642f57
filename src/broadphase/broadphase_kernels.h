// SPDX-License-Identifier: MIT
// The kernels of a leaf (bsp_kernels.c): boxes against boxes, eight at a time.
//
// A list is six rows of `stride` floats (lower x y z, upper x y z); eight boxes that overlap
// nothing follow the last one.
//
// A hit is a number: the index of the first of eight boxes, and above RBL_BSP_HIT_SHIFT a bit for
// each of them that overlaps. Hits are written without a branch, because whether eight boxes
// overlap another is unpredictable.
#pragma once

#include "base/kernel.h"

#include <rubble/types.h>

#include <stdint.h>

/// Indices are below 2^24: there are no more proxies than that.
#define RBL_BSP_HIT_SHIFT 24

/// @return the index of the first of the eight boxes.
static inline int rbl_bsp_hit_index(uint32_t hit)
{
	return (int)(hit & ((1u << RBL_BSP_HIT_SHIFT) - 1));
}

/// Sweep and prune: a list that is sorted by its lower bounds along `axis`, starting with box
/// `first`, every box against those after it.
/// @param out       receives two numbers for every eight boxes with an overlap: an index and a hit
/// @param capacity  numbers that fit; at least 2 * (count / 8 + 2)
/// @param written   receives how many numbers were written
/// @return the box to continue with; `count` when done
RBL_DECLARE_KERNEL(int, rbl_bsp_sweep,
                   (const float *rows, int stride, int count, int axis, int first, uint32_t *out,
                    int capacity, int *written));

/// Test one box against the first `count` of a list, rounded up to eights.
/// @param out  receives hits; room for count / 8 + 2
/// @return how many
RBL_DECLARE_KERNEL(int, rbl_bsp_probe,
                   (const float *rows, int stride, int count, const rbl_box *box, uint32_t *out));

/// Find the boxes that overlap one, in place.
/// @param boxes  by slot
/// @param slots  of `count` boxes
/// @param out    receives the slots of those that overlap; room for `count`
/// @return how many
RBL_DECLARE_KERNEL(int, rbl_bsp_find,
                   (const rbl_box *boxes, const uint32_t *slots, int count, const rbl_box *box,
                    uint32_t *out));
