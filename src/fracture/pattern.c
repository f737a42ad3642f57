// SPDX-License-Identifier: MIT
//
// Patterns. A pattern keeps what its cells are made from (sites, or planes with neighbours) and
// the cells themselves in a container eight times its size, or as large as its user will need. For
// a body that reaches beyond, the cells are made again in a container around it: this is what "the
// outer cells are unbounded" means. Cells that do not meet a container are empty, and cost next to
// nothing.

#include "fracture/pattern.h"

#include "base/axis.h"
#include "base/log.h"
#include "base/vec.h"

#include <limits.h>

enum { PATTERN_COOKIE = 0x70617474 };

// What making cells takes, in cuts of a convex by a cell: a Voronoi cell takes as long as three;
// most cells of planes are elsewhere, which a look tells; faces are put in place fast.
enum { CUTS_PER_VORONOI = 3, LOOKS_PER_CUT = 32, FACES_PER_BUILDING_CUT = 32 };

static rbl_boxd all_space(void)
{
	return (rbl_boxd){ { -INFINITY, -INFINITY, -INFINITY }, { INFINITY, INFINITY, INFINITY } };
}

rbl_pattern_def rbl_default_pattern_def(void)
{
	return (rbl_pattern_def){
		.size = { 2.0, 2.0, 2.0 },
		.cell_count = 64,
		.focus = 0.5,
		.ring_count = 8,
		.spoke_count = 16,
		.jitter = 0.5,
		.brick_size = { 0.25, 0.0625, 0.125 },
		.stretch = 8.0,
		.region = all_space(),
		.cell_limit = RBL_CUT_LIMIT,
		.seed = 1,
		.cookie = PATTERN_COOKIE,
	};
}

rbl_pattern *rbl_pattern_new(const rbl_allocator *allocator, rbl_vec3d size, int cell_count)
{
	rbl_allocator own = rbl_allocator_or_default(allocator);
	rbl_pattern *pattern = RBL_NEW_ZERO(&own, rbl_pattern, 1);
	if (!pattern)
		return NULL;
	pattern->allocator = own;
	pattern->size = size;
	pattern->cell_count = cell_count;
	pattern->stretch = 1.0;
	pattern->is_endless = true;
	pattern->region = all_space();
	pattern->cell_limit = RBL_MAX_PATTERN_CELLS;
	return pattern;
}

void rbl_destroy_pattern(rbl_pattern *pattern)
{
	if (!pattern || !rbl_drop_reference(&pattern->references))
		return;
	rbl_allocator a = pattern->allocator;
	if (pattern->cells.cell_faces)
		rbl_cells_destroy(&pattern->cells);
	RBL_FREE(&a, pattern->sites, pattern->cell_count);
	RBL_FREE(&a, pattern->colors, pattern->cell_count);
	RBL_FREE(&a, pattern->plane_starts, pattern->cell_count + 1);
	RBL_FREE(&a, pattern->planes, pattern->plane_count);
	RBL_FREE(&a, pattern->neighbours, pattern->plane_count);
	RBL_FREE(&a, pattern, 1);
}

bool rbl_pattern_allocate_planes(rbl_pattern *pattern, int plane_count)
{
	const rbl_allocator *a = &pattern->allocator;
	pattern->plane_count = plane_count;
	pattern->plane_starts = RBL_NEW_ZERO(a, int, pattern->cell_count + 1);
	pattern->planes = RBL_NEW(a, rbl_planed, plane_count);
	pattern->neighbours = RBL_NEW(a, int, plane_count);
	return pattern->plane_starts && (plane_count == 0 || (pattern->planes && pattern->neighbours));
}

// Voronoi cells. Those of splinters are anisotropic: made between squeezed sites, then stretched.
static rbl_result begin_sites(rbl_cell_making *m, rbl_jobs *jobs)
{
	const rbl_pattern *pattern = m->pattern;
	rbl_boxd box = m->box;
	box.lower.y /= pattern->stretch, box.upper.y /= pattern->stretch;
	return rbl_voronoi_begin(&m->voronoi, m->allocator, box, pattern->sites, pattern->cell_count,
	                         m->cell_limit, jobs);
}

static rbl_result work_on_sites(rbl_cell_making *m, int *budget, bool *is_done, rbl_cells *cells)
{
	double stretch = m->pattern->stretch;
	if (!m->voronoi) {
		rbl_mat3d map = rbl_mat_identity_d();
		map.y.y = stretch;
		return rbl_cell_mapping_some(&m->mapping, &m->made, map, (rbl_vec3d){ 0.0, 0.0, 0.0 },
		                             m->allocator, budget, is_done, cells);
	}
	int part = rbl_maxi(*budget / CUTS_PER_VORONOI, 1), left = part;
	bool is_made = false;
	rbl_result result = rbl_voronoi_some(m->voronoi, &left, &is_made, &m->made);
	*budget -= CUTS_PER_VORONOI * (part - left);
	if (result != RBL_OK || !is_made)
		return result;
	rbl_voronoi_end(m->voronoi);
	m->voronoi = NULL;
	if (stretch == 1.0) {
		*cells = m->made;
		m->made = (rbl_cells){ .cell_count = 0 };
		*is_done = true;
	}
	return RBL_OK;
}

// Whether all of a box is beyond one plane of a cell.
static bool misses_box(const rbl_pattern *pattern, int cell, rbl_boxd box, double tolerance)
{
	rbl_vec3d centre = rbl_box_centre_d(box), half = rbl_scale_d(0.5, rbl_box_size_d(box));
	for (int i = pattern->plane_starts[cell]; i < pattern->plane_starts[cell + 1]; ++i) {
		rbl_vec3d n = pattern->planes[i].normal;
		double extent = fabs(n.x) * half.x + fabs(n.y) * half.y + fabs(n.z) * half.z;
		if (rbl_plane_distance_d(pattern->planes[i], centre) - extent > tolerance)
			return true;
	}
	return false;
}

// Count the cells that meet the box, before any is made.
static rbl_result count_some(rbl_cell_making *m, int *budget)
{
	int64_t most = (int64_t)LOOKS_PER_CUT * *budget;
	int count = m->pattern->cell_count, left = count - m->next, n = left > most ? (int)most : left;
	for (int c = m->next; c < m->next + n; ++c)
		m->meeting += !misses_box(m->pattern, c, m->box, m->tolerance);
	m->next += n;
	*budget -= (n + LOOKS_PER_CUT - 1) / LOOKS_PER_CUT;
	if (m->next < count)
		return RBL_OK;
	m->is_counted = true;
	m->next = 0;
	return m->meeting > m->cell_limit ? RBL_LIMIT_REACHED : RBL_OK;
}

static rbl_result carve_planar_cell(rbl_cell_making *m, int c)
{
	const rbl_pattern *pattern = m->pattern;
	rbl_cut_result cut = RBL_CUT_MISSED;
	if (!rbl_clipper_start_box(&m->carving, m->box, RBL_WALL_TAG))
		cut = RBL_CUT_NO_MEMORY;
	int begin = pattern->plane_starts[c], end = pattern->plane_starts[c + 1];
	for (int i = begin; i < end && cut < RBL_CUT_EMPTY; ++i)
		cut = rbl_clipper_cut(&m->carving, pattern->planes[i], m->tolerance,
		                      (uint64_t)pattern->neighbours[i]);
	rbl_vec3d origin = { 0.0, 0.0, 0.0 };
	if (cut == RBL_CUT_NO_MEMORY ||
	    (cut != RBL_CUT_EMPTY &&
	     !rbl_cells_batch_add(&m->part, &m->carving.allocator, &m->carving, c, origin)))
		return RBL_OUT_OF_MEMORY;
	return RBL_OK;
}

static rbl_result work_on_planes(rbl_cell_making *m, int *budget, bool *is_done, rbl_cells *cells)
{
	const rbl_pattern *pattern = m->pattern;
	rbl_result result = RBL_OK;
	if (!m->is_counted)
		return count_some(m, budget);
	int looks = 0;
	for (; m->next<pattern->cell_count && * budget> 0 && result == RBL_OK; ++m->next) {
		if (!misses_box(pattern, m->next, m->box, m->tolerance)) {
			result = carve_planar_cell(m, m->next);
			*budget -= 1;
		} else if (++looks % LOOKS_PER_CUT == 0) {
			*budget -= 1;
		}
	}
	if (result != RBL_OK || m->next < pattern->cell_count || *budget <= 0)
		return result;
	m->building.parts = &m->part, m->building.part_count = 1;
	while (result == RBL_OK && *budget > 0 && !*is_done) {
		int faces;
		result = rbl_cells_build_some(&m->building, &m->carving.allocator, m->box,
		                              pattern->cell_count, &faces, is_done);
		*budget -= 1 + faces / FACES_PER_BUILDING_CUT;
	}
	if (!*is_done)
		return result;
	*cells = rbl_cells_build_take(&m->building);
	for (int c = 0; result == RBL_OK && c < cells->cell_count; ++c)
		cells->seeds[c] = cells->centres[c];
	return result;
}

rbl_result rbl_cell_making_begin(rbl_cell_making *m, const rbl_pattern *pattern, rbl_boxd box,
                                 int cell_limit, rbl_jobs *jobs, const rbl_allocator *allocator)
{
	*m = (rbl_cell_making){
		.pattern = pattern, .box = box, .cell_limit = cell_limit, .allocator = allocator
	};
	m->tolerance = 1e-13 * rbl_length_d(rbl_box_size_d(box));
	rbl_clipper_init(&m->carving, allocator);
	return pattern->sites ? begin_sites(m, jobs) : RBL_OK;
}

rbl_result rbl_cell_making_some(rbl_cell_making *m, int *budget, bool *is_done, rbl_cells *cells)
{
	*is_done = false;
	return m->pattern->sites ? work_on_sites(m, budget, is_done, cells)
	                         : work_on_planes(m, budget, is_done, cells);
}

void rbl_cell_making_end(rbl_cell_making *m)
{
	if (!m->pattern)
		return;
	rbl_voronoi_end(m->voronoi);
	if (m->made.cell_faces)
		rbl_cells_destroy(&m->made);
	rbl_cells_build_end(&m->building);
	rbl_cells_batch_destroy(&m->part, &m->carving.allocator);
	rbl_clipper_destroy(&m->carving);
	*m = (rbl_cell_making){ .pattern = NULL };
}

static rbl_result make_cells_in(const rbl_pattern *pattern, rbl_boxd box, int cell_limit,
                                rbl_jobs *jobs, const rbl_allocator *allocator, rbl_cells *cells)
{
	*cells = (rbl_cells){ 0 };
	rbl_cell_making m;
	rbl_result result = rbl_cell_making_begin(&m, pattern, box, cell_limit, jobs, allocator);
	for (bool is_done = false; result == RBL_OK && !is_done;)
		result = rbl_cell_making_some(&m, &(int){ INT_MAX }, &is_done, cells);
	rbl_cell_making_end(&m);
	return result;
}

// What is finite of the region, and elsewhere the pattern's own container.
static rbl_boxd container_of(const rbl_pattern *pattern)
{
	bool is_flat = pattern->kind == RBL_PATTERN_BRICKS || pattern->kind == RBL_PATTERN_WEB;
	rbl_vec3d size = pattern->size;
	if (is_flat) // bodies are rarely as thin as a course of bricks, and wide cells cost no more
		size.x = size.y = size.z = rbl_maxd(rbl_maxd(size.x, size.y), size.z);
	rbl_boxd box = rbl_pattern_box(size, pattern->is_endless ? 8.0 : 1.0);
	for (int k = 0; k < 3; ++k) {
		double lower = rbl_axis_d(pattern->region.lower, k);
		double upper = rbl_axis_d(pattern->region.upper, k);
		if (isfinite(lower) && isfinite(upper)) {
			rbl_set_axis_d(&box.lower, k, lower);
			rbl_set_axis_d(&box.upper, k, upper);
		}
	}
	return box;
}

rbl_result rbl_pattern_finish(rbl_pattern *pattern, rbl_jobs *jobs)
{
	pattern->key = rbl_pattern_hash(pattern);
	rbl_result result = make_cells_in(pattern, container_of(pattern), pattern->cell_limit, jobs,
	                                  &pattern->allocator, &pattern->cells);
	if (result == RBL_LIMIT_REACHED && pattern->cell_limit < pattern->cell_count)
		rbl_fail(
			result,
			"of %d cells more than cell_limit %d are needed: take fewer cells, a smaller region, "
			"or raise the limit",
			pattern->cell_count, pattern->cell_limit);
	return result;
}

static bool is_between(double value, double low, double high)
{
	return value >= low && value <= high;
}

static rbl_result check_pattern_def(const rbl_pattern_def *def)
{
	if ((int)def->kind < 0 || def->kind >= RBL_PATTERN_KIND_COUNT)
		return rbl_fail(RBL_BAD_ARGUMENT, "kind is %d", (int)def->kind);
	if (!is_between(def->size.x, 1e-30, 1e30) || !is_between(def->size.y, 1e-30, 1e30) ||
	    !is_between(def->size.z, 1e-30, 1e30))
		return rbl_fail(RBL_BAD_ARGUMENT, "size is (%g, %g, %g), must be 1e-30 to 1e30",
		                def->size.x, def->size.y, def->size.z);
	if (def->cell_count < 1 || def->cell_count > RBL_MAX_PATTERN_CELLS)
		return rbl_fail(RBL_BAD_ARGUMENT, "cell_count is %d, must be 1 to %d", def->cell_count,
		                RBL_MAX_PATTERN_CELLS);
	if (!is_between(def->focus, 0.0, 1.0))
		return rbl_fail(RBL_BAD_ARGUMENT, "focus is %g, must be 0 to 1", def->focus);
	if (def->ring_count < 1 || def->ring_count > 1000 || def->spoke_count < 3 ||
	    def->spoke_count > 1000)
		return rbl_fail(RBL_BAD_ARGUMENT, "%d rings and %d spokes, must be 1 to 1000 and 3 to 1000",
		                def->ring_count, def->spoke_count);
	if (!is_between(def->jitter, 0.0, 1.0))
		return rbl_fail(RBL_BAD_ARGUMENT, "jitter is %g, must be 0 to 1", def->jitter);
	if (!is_between(def->brick_size.x, 1e-30, 1e30) ||
	    !is_between(def->brick_size.y, 1e-30, 1e30) || !is_between(def->brick_size.z, 1e-30, 1e30))
		return rbl_fail(RBL_BAD_ARGUMENT, "brick_size is (%g, %g, %g), must be 1e-30 to 1e30",
		                def->brick_size.x, def->brick_size.y, def->brick_size.z);
	if ((int)def->bond < 0 || def->bond >= RBL_BRICK_BOND_COUNT)
		return rbl_fail(RBL_BAD_ARGUMENT, "bond is %d", (int)def->bond);
	if (!is_between(def->stretch, 1.0, 100.0))
		return rbl_fail(RBL_BAD_ARGUMENT, "stretch is %g, must be 1 to 100", def->stretch);
	rbl_vec3d far = rbl_scale_d(1e9, def->size);
	for (int k = 0; k < 3; ++k) {
		double lower = rbl_axis_d(def->region.lower, k), upper = rbl_axis_d(def->region.upper, k);
		double max = rbl_axis_d(far, k);
		bool is_all = lower == (double)-INFINITY && upper == (double)INFINITY;
		if (!is_all && !(lower < upper && lower >= -max && upper <= max))
			return rbl_fail(RBL_BAD_ARGUMENT,
			                "region is %g to %g along %c, must be a range within 1e9 times size",
			                lower, upper, "xyz"[k]);
	}
	if (def->cell_limit < 1 || def->cell_limit > RBL_MAX_PATTERN_CELLS)
		return rbl_fail(RBL_BAD_ARGUMENT, "cell_limit is %d, must be 1 to %d", def->cell_limit,
		                RBL_MAX_PATTERN_CELLS);
	bool is_given = def->kind == RBL_PATTERN_SITES || def->kind == RBL_PATTERN_CELLS;
	if (is_given && (def->given_count < 1 || def->given_count > RBL_MAX_PATTERN_CELLS))
		return rbl_fail(RBL_BAD_ARGUMENT, "given_count is %d, must be 1 to %d", def->given_count,
		                RBL_MAX_PATTERN_CELLS);
	if ((def->kind == RBL_PATTERN_SITES && !def->sites) ||
	    (def->kind == RBL_PATTERN_CELLS && !def->convexes))
		return rbl_fail(RBL_BAD_ARGUMENT, "sites or convexes is NULL");
	return RBL_OK;
}

rbl_result rbl_create_pattern(const rbl_pattern_def *def, rbl_pattern **pattern)
{
	if (!pattern)
		return rbl_fail(RBL_BAD_ARGUMENT, "pattern is NULL");
	*pattern = NULL;
	if (!def || def->cookie != PATTERN_COOKIE)
		return rbl_fail(RBL_BAD_ARGUMENT, "start from rbl_default_pattern_def()");
	if (!rbl_allocator_is_valid(&def->allocator))
		return rbl_fail(RBL_BAD_ARGUMENT, "allocator has one function of two");
	rbl_result result = check_pattern_def(def);
	if (result != RBL_OK)
		return result;
	rbl_pattern *made = rbl_pattern_new(&def->allocator, def->size, 0);
	if (!made)
		return RBL_OUT_OF_MEMORY;
	if (def->kind != RBL_PATTERN_CELLS) // given cells must be seen to fill their box
		made->region = def->region;
	made->kind = def->kind;
	made->cell_limit = def->cell_limit;
	result = def->kind == RBL_PATTERN_CELLS ? rbl_pattern_take_convexes(made, def)
	                                        : rbl_pattern_generate(made, def);
	if (result == RBL_OK && !made->cells.cell_faces)
		result = rbl_pattern_finish(made, def->jobs);
	if (result != RBL_OK) {
		rbl_destroy_pattern(made);
		return result;
	}
	*pattern = made;
	return RBL_OK;
}

rbl_pattern_kind rbl_pattern_get_kind(const rbl_pattern *pattern)
{
	return pattern ? pattern->kind : RBL_PATTERN_KIND_COUNT;
}

int rbl_pattern_cell_count(const rbl_pattern *pattern)
{
	return pattern ? pattern->cell_count : 0;
}

int rbl_pattern_cell_color(const rbl_pattern *pattern, int cell)
{
	if (!pattern || cell < 0 || cell >= pattern->cell_count)
		return -1;
	return pattern->colors ? pattern->colors[cell] : cell;
}

rbl_boxd rbl_pattern_bounds(const rbl_pattern *pattern)
{
	return pattern ? pattern->cells.box : rbl_box_empty_d();
}

double rbl_pattern_cell_volume(const rbl_pattern *pattern, int cell)
{
	return pattern && cell >= 0 && cell < pattern->cell_count ? pattern->cells.volumes[cell] : 0.0;
}

rbl_result rbl_pattern_create_cell_convex(const rbl_pattern *pattern, int cell,
                                          const rbl_allocator *allocator, rbl_convex **convex)
{
	if (!convex)
		return rbl_fail(RBL_BAD_ARGUMENT, "convex is NULL");
	*convex = NULL;
	if (!pattern || cell < 0 || cell >= pattern->cell_count)
		return rbl_fail(RBL_BAD_ARGUMENT, "there is no cell %d", cell);
	return rbl_cell_convex(&pattern->cells, cell, 0, allocator, convex);
}
