// SPDX-License-Identifier: MIT
//
// Serialisation of patterns, little-endian: a header, what the cells are made from, colors, and a
// hash of all that. The cells themselves are made again on reading: that costs about 10 us per
// cell and leaves nothing to forge.
//
//   "RBLP"  u32 version  u32 flags (and the kind)  u32 cells  u32 planes  f64 size[3]  f64 stretch
//   f64 period[3]
//   sites: f64[3] each, or planes: u32 starts[cells + 1], then f64[4] and u32 neighbour each
//   colors: u32 each     u64 hash

#include "fracture/pattern.h"

#include "base/blob.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/vec.h"

enum { VERSION = 2, HEADER = 5 * 4 + 7 * 8, HAS_SITES = 1, HAS_COLORS = 2, ENDLESS = 4 };
enum { KIND_SHIFT = 8 };

static const unsigned char magic[4] = { 'R', 'B', 'L', 'P' };

static size_t file_size(uint32_t flags, size_t cells, size_t planes)
{
	size_t size = HEADER + 8;
	size += flags & HAS_SITES ? cells * 24 : (cells + 1) * 4 + planes * 36;
	return size + (flags & HAS_COLORS ? cells * 4 : 0);
}

static uint32_t flags_of(const rbl_pattern *pattern)
{
	return (pattern->sites ? HAS_SITES : 0) | (pattern->colors ? HAS_COLORS : 0) |
	       (pattern->is_endless ? ENDLESS : 0) | (uint32_t)pattern->kind << KIND_SHIFT;
}

rbl_result rbl_pattern_save(const rbl_pattern *pattern, void *bytes, size_t *size)
{
	if (!pattern || !size)
		return rbl_fail(RBL_BAD_ARGUMENT, "pattern or size is NULL");
	uint32_t flags = flags_of(pattern);
	int n = pattern->cell_count, planes = pattern->sites ? 0 : pattern->plane_starts[n];
	bool wants;
	rbl_blob_writer w = { .at = file_size(flags, (size_t)n, (size_t)planes) };
	rbl_result result = rbl_blob_check_capacity(&w, bytes, size, &wants);
	if (!wants)
		return result;
	rbl_blob_put_bytes(&w, magic, 4);
	const uint32_t head[] = { VERSION, flags, (uint32_t)n, (uint32_t)planes };
	rbl_blob_put_words(&w, head, 4);
	rbl_blob_put_longs(&w, &pattern->size, 3);
	rbl_blob_put_double(&w, pattern->stretch);
	rbl_blob_put_longs(&w, &pattern->period, 3);
	if (pattern->sites)
		rbl_blob_put_longs(&w, pattern->sites, 3 * (size_t)n);
	else
		rbl_blob_put_words(&w, pattern->plane_starts, (size_t)n + 1);
	for (int i = 0; i < planes; ++i) {
		rbl_blob_put_longs(&w, &pattern->planes[i], 4);
		rbl_blob_put32(&w, (uint32_t)pattern->neighbours[i]);
	}
	if (pattern->colors)
		rbl_blob_put_words(&w, pattern->colors, (size_t)n);
	rbl_blob_put64(&w, rbl_hash_bytes(RBL_HASH_START, bytes, *size - 8));
	return RBL_OK;
}

static uint64_t hash_double(uint64_t hash, double value)
{
	uint64_t bits;
	memcpy(&bits, &value, sizeof bits);
	return rbl_hash_number(hash, bits);
}

static uint64_t hash_point(uint64_t hash, rbl_vec3d p)
{
	return hash_double(hash_double(hash_double(hash, p.x), p.y), p.z);
}

uint64_t rbl_pattern_hash(const rbl_pattern *pattern)
{
	int n = pattern->cell_count;
	uint64_t hash = rbl_hash_number(RBL_HASH_START, flags_of(pattern));
	hash = hash_double(hash_point(rbl_hash_number(hash, (uint64_t)n), pattern->size),
	                   pattern->stretch);
	hash = hash_point(hash, pattern->period);
	for (int i = 0; pattern->sites && i < n; ++i)
		hash = hash_point(hash, pattern->sites[i]);
	for (int i = 0; !pattern->sites && i < n; ++i)
		for (int k = pattern->plane_starts[i]; k < pattern->plane_starts[i + 1]; ++k) {
			hash = hash_point(hash, pattern->planes[k].normal);
			hash = hash_double(hash, pattern->planes[k].offset);
			hash = rbl_hash_number(hash, (uint64_t)pattern->neighbours[k] << 32 | (uint32_t)i);
		}
	for (int i = 0; pattern->colors && i < n; ++i)
		hash = rbl_hash_number(hash, (uint32_t)pattern->colors[i]);
	return hash;
}

uint64_t rbl_pattern_key(const rbl_pattern *pattern)
{
	return pattern ? pattern->key : 0;
}

static rbl_result read_sites(rbl_pattern *pattern, rbl_blob_reader *r)
{
	pattern->sites = RBL_NEW(&pattern->allocator, rbl_vec3d, pattern->cell_count);
	if (!pattern->sites)
		return RBL_OUT_OF_MEMORY;
	rbl_boxd box = rbl_pattern_box(pattern->size, 1.0);
	for (int i = 0; i < pattern->cell_count; ++i) {
		rbl_vec3d s = { 0 };
		rbl_blob_get_longs(r, &s, 3);
		if (!rbl_is_finite_d(s) || !rbl_box_contains_d(box, (rbl_boxd){ s, s }))
			return rbl_fail(RBL_BAD_FILE, "site %d lies outside of the pattern", i);
		pattern->sites[i] = s;
	}
	return RBL_OK;
}

// Each plane's neighbour must have exactly one plane back, and it must be the same plane.
static bool planes_match(const rbl_pattern *pattern, int cell, int i)
{
	int other = pattern->neighbours[i], found = 0;
	rbl_planed a = pattern->planes[i];
	for (int k = pattern->plane_starts[other]; k < pattern->plane_starts[other + 1]; ++k) {
		rbl_planed b = pattern->planes[k];
		if (pattern->neighbours[k] == cell)
			found += a.normal.x == -b.normal.x && a.normal.y == -b.normal.y &&
			                 a.normal.z == -b.normal.z && a.offset == -b.offset
			             ? 1
			             : 2;
	}
	return found == 1;
}

static rbl_result read_planes(rbl_pattern *pattern, rbl_blob_reader *r, int plane_count)
{
	if (!rbl_pattern_allocate_planes(pattern, plane_count))
		return RBL_OUT_OF_MEMORY;
	int n = pattern->cell_count;
	for (int i = 0; i <= n; ++i) {
		uint32_t start = rbl_blob_get32(r);
		if (start > (uint32_t)plane_count || (i == 0 && start != 0) ||
		    (i > 0 && (int)start < pattern->plane_starts[i - 1]) ||
		    (i == n && start != (uint32_t)plane_count))
			return rbl_fail(RBL_BAD_FILE, "the planes of cell %d are out of order", i);
		pattern->plane_starts[i] = (int)start;
	}
	for (int i = 0; i < plane_count; ++i) {
		rbl_planed plane = { 0 };
		rbl_blob_get_longs(r, &plane, 4);
		uint32_t neighbour = rbl_blob_get32(r);
		if (!(fabs(rbl_length_d(plane.normal) - 1.0) < 1e-6) || !isfinite(plane.offset) ||
		    neighbour >= (uint32_t)n)
			return rbl_fail(RBL_BAD_FILE, "plane %d is no plane", i);
		pattern->planes[i] = plane;
		pattern->neighbours[i] = (int)neighbour;
	}
	for (int c = 0; c < n; ++c) {
		for (int i = pattern->plane_starts[c]; i < pattern->plane_starts[c + 1]; ++i) {
			if (pattern->neighbours[i] == c || !planes_match(pattern, c, i))
				return rbl_fail(RBL_BAD_FILE, "plane %d of cell %d has no partner", i, c);
		}
	}
	return RBL_OK;
}

static rbl_result read_rest(rbl_pattern *pattern, rbl_blob_reader *r, uint32_t flags,
                            int plane_count)
{
	rbl_result result =
		flags & HAS_SITES ? read_sites(pattern, r) : read_planes(pattern, r, plane_count);
	if (result == RBL_OK && (flags & HAS_COLORS)) {
		pattern->colors = RBL_NEW(&pattern->allocator, int, pattern->cell_count);
		if (!pattern->colors)
			return RBL_OUT_OF_MEMORY;
		rbl_blob_get_words(r, pattern->colors, (size_t)pattern->cell_count);
	}
	if (result == RBL_OK)
		result = rbl_pattern_finish(pattern, NULL);
	return result == RBL_LIMIT_REACHED ? RBL_BAD_FILE : result; // no pattern that was saved
}

rbl_result rbl_pattern_load(const void *bytes, size_t size, const rbl_allocator *allocator,
                            rbl_pattern **pattern)
{
	if (!pattern)
		return rbl_fail(RBL_BAD_ARGUMENT, "pattern is NULL");
	*pattern = NULL;
	if (!bytes || !rbl_allocator_is_valid(allocator))
		return rbl_fail(RBL_BAD_ARGUMENT, "bytes is NULL, or allocator has one function of two");
	if (size < HEADER + 8 || memcmp(bytes, magic, 4) != 0)
		return rbl_fail(RBL_BAD_FILE, "these %zu bytes are no pattern", size);
	rbl_blob_reader r = { .bytes = bytes, .at = 4, .size = size };
	uint32_t version = rbl_blob_get32(&r), flags = rbl_blob_get32(&r);
	uint32_t cells = rbl_blob_get32(&r), planes = rbl_blob_get32(&r);
	if (version != VERSION)
		return rbl_fail(RBL_UNSUPPORTED, "the pattern has version %u, this is %d", version,
		                VERSION);
	if (cells < 1 || cells > RBL_MAX_PATTERN_CELLS || planes > RBL_MAX_MESH_ITEMS / 8 ||
	    size != file_size(flags, cells, planes))
		return rbl_fail(RBL_BAD_FILE, "%u cells do not have %zu bytes", cells, size);
	rbl_blob_reader tail = { .bytes = bytes, .at = size - 8, .size = size };
	if (rbl_blob_get64(&tail) != rbl_hash_bytes(RBL_HASH_START, bytes, size - 8))
		return rbl_fail(RBL_BAD_FILE, "the pattern's hash does not fit");
	rbl_vec3d box;
	rbl_blob_get_longs(&r, &box, 3);
	double stretch = rbl_blob_get_double(&r);
	rbl_vec3d period;
	rbl_blob_get_longs(&r, &period, 3);
	if (!(period.x >= 0.0 && period.x <= 1e31 && period.y >= 0.0 && period.y <= 1e31 &&
	      period.z >= 0.0 && period.z <= 1e31) ||
	    flags >> KIND_SHIFT >= RBL_PATTERN_KIND_COUNT)
		return rbl_fail(RBL_BAD_FILE, "the pattern's kind or period is out of range");
	if (!(box.x >= 1e-30 && box.x <= 1e30 && box.y >= 1e-30 && box.y <= 1e30 && box.z >= 1e-30 &&
	      box.z <= 1e30 && stretch >= 1.0 && stretch <= 100.0))
		return rbl_fail(RBL_BAD_FILE, "the pattern's size is out of range");
	rbl_pattern *made = rbl_pattern_new(allocator, box, (int)cells);
	if (!made)
		return RBL_OUT_OF_MEMORY;
	made->kind = (rbl_pattern_kind)(flags >> KIND_SHIFT);
	made->stretch = stretch;
	made->period = period;
	made->is_endless = flags & ENDLESS;
	rbl_result result = read_rest(made, &r, flags, (int)planes);
	if (result != RBL_OK) {
		rbl_destroy_pattern(made);
		return result;
	}
	*pattern = made;
	return RBL_OK;
}
