// SPDX-License-Identifier: MIT
//
// Voronoi cells of points in a box.
//
// Each cell is the container, shifted so that its site is the origin, cut by the bisectors to other
// sites, near ones first. A site farther away than twice the cell's farthest vertex cannot cut (the
// security radius), so a cell is done after a few dozen candidates.
//
// Sites lie in an implicit binary tree of boxes with four to eight sites per leaf, split at
// medians: it adapts to crowded sites, where a grid would put half of them into one block, and its
// boxes do not overlap, as those along a Morton curve do (measured: twice the time). The leaves
// near a leaf are found once for its sites. Cells at the boundary of the cloud reach far out, and
// the plain radius would make each of them look at every site. Their last candidates come from a
// walk over the tree that leaves out a box unless it is nearer to some vertex of the cell than the
// site itself is: few boxes pass, because a ball through the site around a vertex far outside
// barely enters the cloud.
//
// A site need not lie in the container. Where its cell does not meet it, the first bisectors leave
// nothing; and most such sites are not even tried, because all of the container is nearer to the
// site that is nearest to its middle.

#include "geometry/voronoi.h"

#include "base/log.h"
#include "base/shared_count.h"
#include "base/vec.h"
#include "geometry/geometry_kernels.h"

#include <limits.h>

enum {
	LEAF = 16,         // sites per leaf
	NEAR_LEAVES = 56,  // leaves listed per leaf
	FIRST_LEAVES = 16, // of them sorted site by site
	HEAP = 256,
	BINS = 64,            // of distance, to cut by near sites first
	SITE_BLOCK = 16,      // leaves per job
	ROUND = 4,            // least blocks between two looks at the limit
	MANY_FACES = 64,      // per site: four times those of sites at random
	SOME_FACES = 1 << 14, // on top, so that up to 128 sites may each touch each
	FACES_PER_CELL = 100, // that are put in place in the time that a cell is made
};

typedef struct finder {
	rbl_vec3d *sites; // in the tree's order
	int *ids;         // original index of each
	int site_count;
	int levels;      // of the tree
	int first_leaf;  // 2 to their number; nodes are a heap: the root is 1, children 2 n and 2 n + 1
	rbl_boxd *nodes; // 2 * first_leaf
	rbl_boxd box;
	double tolerance;       // length within which a point counts as on a plane
	rbl_vec3d witness;      // the site nearest to the middle of the box
	int cell_limit;         // cells that may meet the box
	unsigned char *is_copy; // per site: another with a lower id is at the same place
	const rbl_allocator *allocator;
	rbl_clipper *clippers;  // per worker
	rbl_cells_batch *parts; // per block
	int *failed;            // per block
	int first;              // leaf of the round
	int64_t face_limit;     // sites on two curves have as many faces as there are pairs
	rbl_shared_count *face_count;
} finder;

// The first site of a leaf. There are first_leaf leaves, a power of two, of even size.
static int leaf_begin(const finder *f, int leaf)
{
	return (int)((int64_t)leaf * f->site_count >> f->levels);
}

static double box_distance_squared(rbl_boxd box, rbl_vec3d p)
{
	double x = rbl_maxd(rbl_maxd(box.lower.x - p.x, p.x - box.upper.x), 0.0);
	double y = rbl_maxd(rbl_maxd(box.lower.y - p.y, p.y - box.upper.y), 0.0);
	double z = rbl_maxd(rbl_maxd(box.lower.z - p.z, p.z - box.upper.z), 0.0);
	return x * x + y * y + z * z;
}

static double box_gap_squared(rbl_boxd a, rbl_boxd b)
{
	double x = rbl_maxd(rbl_maxd(a.lower.x - b.upper.x, b.lower.x - a.upper.x), 0.0);
	double y = rbl_maxd(rbl_maxd(a.lower.y - b.upper.y, b.lower.y - a.upper.y), 0.0);
	double z = rbl_maxd(rbl_maxd(a.lower.z - b.upper.z, b.lower.z - a.upper.z), 0.0);
	return x * x + y * y + z * z;
}

typedef struct heap_item {
	double key;
	int node;
} heap_item;

static bool is_nearer(heap_item a, heap_item b)
{
	return a.key < b.key || (a.key == b.key && a.node < b.node);
}

static void heap_push(heap_item *heap, int *count, heap_item item)
{
	int i = (*count)++;
	while (i > 0 && is_nearer(item, heap[(i - 1) / 2])) {
		heap[i] = heap[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	heap[i] = item;
}

static heap_item heap_pop(heap_item *heap, int *count)
{
	heap_item top = heap[0], item = heap[--(*count)];
	int i = 0;
	for (;;) {
		int child = 2 * i + 1;
		if (child >= *count)
			break;
		if (child + 1 < *count && is_nearer(heap[child + 1], heap[child]))
			child++;
		if (!is_nearer(heap[child], item))
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = item;
	return top;
}

// The leaves nearest to `leaf` by box distance. @return how many; less than NEAR_LEAVES: all.
static int list_near_leaves(const finder *f, int leaf, heap_item *near)
{
	heap_item heap[HEAP];
	int heap_count = 0, count = 0;
	rbl_boxd box = f->nodes[f->first_leaf + leaf];
	heap_push(heap, &heap_count, (heap_item){ 0.0, 1 });
	while (heap_count > 0 && count < NEAR_LEAVES) {
		heap_item item = heap_pop(heap, &heap_count);
		if (item.node >= f->first_leaf) {
			near[count++] = (heap_item){ item.key, item.node };
			continue;
		}
		for (int k = 0; k < 2; ++k) {
			int child = 2 * item.node + k;
			if (heap_count < HEAP)
				heap_push(heap, &heap_count,
				          (heap_item){ box_gap_squared(box, f->nodes[child]), child });
		}
	}
	return count;
}

typedef struct cell_state {
	rbl_clipper *clipper;
	rbl_vec3d site;
	int self;              // in the tree's order
	double radius_squared; // squared distance of the farthest vertex
	rbl_boxd box;          // around the vertices; the site is the origin
	bool is_empty;
	bool out_of_memory;
} cell_state;

static bool is_over(const cell_state *s)
{
	return s->is_empty || s->out_of_memory;
}

static void measure_cell(cell_state *s)
{
	const rbl_clipper *c = s->clipper;
	s->radius_squared = RBL_PICK(rbl_clipper_extent)(c->x, c->y, c->z, c->vertex_count, &s->box);
}

static double along_box(rbl_boxd box, rbl_vec3d d)
{
	return rbl_maxd(d.x * box.lower.x, d.x * box.upper.x) +
	       rbl_maxd(d.y * box.lower.y, d.y * box.upper.y) +
	       rbl_maxd(d.z * box.lower.z, d.z * box.upper.z);
}

// Cut by the bisector towards site i.
static void cut_by_site(const finder *f, cell_state *s, int i)
{
	rbl_vec3d to = rbl_sub_d(f->sites[i], s->site);
	double squared = rbl_length_squared_d(to);
	// The bisector is half way: vertices beyond it have a product of more than half the square.
	if (squared >= 4.0 * s->radius_squared || 2.0 * along_box(s->box, to) <= squared ||
	    i == s->self || f->is_copy[i])
		return;
	double distance = sqrt(squared);
	rbl_planed plane = { rbl_scale_d(1.0 / distance, to), 0.5 * distance };
	rbl_cut_result result = rbl_clipper_cut(s->clipper, plane, f->tolerance, (uint64_t)f->ids[i]);
	if (result == RBL_CUT_DONE)
		measure_cell(s);
	s->is_empty |= result == RBL_CUT_EMPTY;
	s->out_of_memory |= result == RBL_CUT_NO_MEMORY;
}

// The most that a site between low and high can bring a vertex between lower and upper nearer to it
// than to the origin, along one axis: of s v - s s / 2, the largest.
static double gain_along(double low, double high, double lower, double upper)
{
	double a = rbl_clampd(lower, low, high), b = rbl_clampd(upper, low, high);
	return rbl_maxd(a * (lower - 0.5 * a), b * (upper - 0.5 * b));
}

// Whether a site in the box could cut: the box is nearer to some vertex than the site is. The box
// around the vertices answers most of the time.
static bool may_cut(const cell_state *s, rbl_boxd box)
{
	box.lower = rbl_sub_d(box.lower, s->site);
	box.upper = rbl_sub_d(box.upper, s->site);
	if (box_distance_squared(box, (rbl_vec3d){ 0.0, 0.0, 0.0 }) >= 4.0 * s->radius_squared ||
	    gain_along(box.lower.x, box.upper.x, s->box.lower.x, s->box.upper.x) +
	            gain_along(box.lower.y, box.upper.y, s->box.lower.y, s->box.upper.y) +
	            gain_along(box.lower.z, box.upper.z, s->box.lower.z, s->box.upper.z) <=
	        0.0)
		return false;
	const rbl_clipper *c = s->clipper;
	for (int v = 0; v < c->vertex_count; ++v) {
		rbl_vec3d p = { c->x[v], c->y[v], c->z[v] };
		if (box_distance_squared(box, p) < rbl_length_squared_d(p))
			return true;
	}
	return false;
}

// Cut by the sites of the first leaves, roughly near ones first: they are dealt into bins of equal
// steps of the squared distance, up to `range`.
static void cut_by_first(const finder *f, cell_state *s, const heap_item *near, int count,
                         double range)
{
	int sites[FIRST_LEAVES * LEAF], order[FIRST_LEAVES * LEAF];
	unsigned char bin_of[FIRST_LEAVES * LEAF];
	int starts[BINS + 1] = { 0 };
	double scale = range > 0.0 ? BINS / range : 0.0;
	int n = 0;
	for (int i = 0; i < count; ++i) {
		int leaf = near[i].node - f->first_leaf, end = leaf_begin(f, leaf + 1);
		for (int k = leaf_begin(f, leaf); k < end; ++k) {
			double squared = rbl_length_squared_d(rbl_sub_d(f->sites[k], s->site)) * scale;
			int bin = squared < BINS - 1 ? (int)squared : BINS - 1;
			sites[n] = k;
			bin_of[n++] = (unsigned char)bin;
			starts[bin + 1]++;
		}
	}
	for (int b = 0; b < BINS; ++b)
		starts[b + 1] += starts[b];
	for (int i = n - 1; i >= 0; --i) // backwards fills each bin from its end: order is kept
		order[--starts[bin_of[i] + 1]] = sites[i];
	for (int i = 0, b = 0; i < n && !is_over(s); ++i) {
		for (; b < BINS && i >= starts[b + 1]; ++b) // starts has moved on by one
			if (b >= 4.0 * s->radius_squared * scale)
				return;
		cut_by_site(f, s, order[i]);
	}
}

// Cut by the sites of the listed leaves. @return whether no site outside the list can cut.
static bool cut_by_near(const finder *f, cell_state *s, const heap_item *near, int near_count)
{
	int first = rbl_mini(near_count, FIRST_LEAVES);
	rbl_vec3d size = rbl_box_size_d(f->nodes[near[0].node]);
	double range =
		first < near_count ? near[first].key + rbl_length_squared_d(size) : s->radius_squared;
	cut_by_first(f, s, near, first, range);
	for (int i = first; i < near_count && !is_over(s); ++i) {
		if (near[i].key >= 4.0 * s->radius_squared)
			return true;
		if (!may_cut(s, f->nodes[near[i].node]))
			continue;
		int leaf = near[i].node - f->first_leaf, end = leaf_begin(f, leaf + 1);
		for (int k = leaf_begin(f, leaf); k < end && !is_over(s); ++k)
			cut_by_site(f, s, k);
	}
	return near_count < NEAR_LEAVES || s->is_empty;
}

// Everything that the list of near leaves did not reach.
static void cut_by_tree(const finder *f, cell_state *s)
{
	int stack[64], depth = 0;
	stack[depth++] = 1;
	while (depth > 0 && !is_over(s)) {
		int node = stack[--depth];
		if (!may_cut(s, f->nodes[node]))
			continue;
		if (node >= f->first_leaf) {
			int leaf = node - f->first_leaf, end = leaf_begin(f, leaf + 1);
			for (int i = leaf_begin(f, leaf); i < end && !is_over(s); ++i)
				cut_by_site(f, s, i);
			continue;
		}
		int left = 2 * node, right = 2 * node + 1;
		bool left_first = box_distance_squared(f->nodes[left], s->site) <=
		                  box_distance_squared(f->nodes[right], s->site);
		stack[depth++] = left_first ? right : left;
		stack[depth++] = left_first ? left : right;
	}
}

// Whether some edge is too short to trust.
static bool has_short_edges(const rbl_clipper *c, double length)
{
	for (int v = 0; v < c->vertex_count; ++v) {
		for (int k = 0; k < 3; ++k) {
			int w = c->links[3 * v + k];
			double x = c->x[v] - c->x[w], y = c->y[v] - c->y[w], z = c->z[v] - c->z[w];
			if (x * x + y * y + z * z <= length * length)
				return true;
		}
	}
	return false;
}

// Carve the cell again by the planes it has, strictly in order of distance. A plane that only
// touches an edge or a vertex of the others, as between diagonal neighbours of a grid, cuts nothing
// when it comes after them.
static bool carve_again(const finder *f, cell_state *s)
{
	rbl_clipper *c = s->clipper;
	rbl_clipper_compact(c);
	int count = c->face_count;
	rbl_planed *planes = RBL_NEW(f->allocator, rbl_planed, count);
	uint64_t *tags = RBL_NEW(f->allocator, uint64_t, count);
	bool done = planes && tags;
	if (done) {
		for (int i = 0; i < count; ++i) { // insertion by distance, walls left out
			int k = i;
			double key = c->tags[i] >= RBL_WALL_TAG ? -1.0 : c->planes[i].offset;
			for (; k > 0 && (tags[k - 1] >= RBL_WALL_TAG ? -1.0 : planes[k - 1].offset) > key; --k)
				planes[k] = planes[k - 1], tags[k] = tags[k - 1];
			planes[k] = c->planes[i], tags[k] = c->tags[i];
		}
		rbl_boxd box = { rbl_sub_d(f->box.lower, s->site), rbl_sub_d(f->box.upper, s->site) };
		done = rbl_clipper_start_box(c, box, RBL_WALL_TAG);
		for (int i = 0; i < count && done; ++i) {
			if (tags[i] < RBL_WALL_TAG)
				done =
					rbl_clipper_cut(c, planes[i], 8.0 * f->tolerance, tags[i]) != RBL_CUT_NO_MEMORY;
		}
	}
	RBL_FREE(f->allocator, planes, count);
	RBL_FREE(f->allocator, tags, count);
	return done;
}

// Whether all of the box is nearer to the witness than to a site.
static bool misses_box(const finder *f, rbl_vec3d site)
{
	rbl_vec3d towards = rbl_sub_d(site, f->witness);
	rbl_boxd box = { rbl_sub_d(f->box.lower, f->witness), rbl_sub_d(f->box.upper, f->witness) };
	return 2.0 * along_box(box, towards) < rbl_length_squared_d(towards);
}

static bool carve_cell(const finder *f, rbl_clipper *clipper, int self, const heap_item *near,
                       int near_count, rbl_cells_batch *part)
{
	cell_state s = { .clipper = clipper, .site = f->sites[self], .self = self };
	rbl_boxd box = { rbl_sub_d(f->box.lower, s.site), rbl_sub_d(f->box.upper, s.site) };
	if (!rbl_clipper_start_box(clipper, box, RBL_WALL_TAG))
		return false;
	measure_cell(&s);
	if (!cut_by_near(f, &s, near, near_count))
		cut_by_tree(f, &s);
	if (is_over(&s))
		return !s.out_of_memory;
	if (has_short_edges(clipper, 100.0 * f->tolerance) && !carve_again(f, &s))
		return false;
	if (clipper->vertex_count == 0)
		return true;
	int before = part->faces.count;
	return rbl_cells_batch_add(part, f->allocator, clipper, f->ids[self], s.site) &&
	       rbl_shared_count_add(f->face_count, part->faces.count - before) <= f->face_limit;
}

static void carve_block(void *context, int begin, int end, int worker)
{
	const finder *f = context;
	begin += f->first, end += f->first;
	int block = begin / SITE_BLOCK;
	heap_item near[NEAR_LEAVES];
	for (int leaf = begin; leaf < end; ++leaf) {
		int near_count = 0;
		for (int i = leaf_begin(f, leaf); i < leaf_begin(f, leaf + 1); ++i) {
			if (f->is_copy[i] || misses_box(f, f->sites[i]))
				continue;
			if (near_count == 0)
				near_count = list_near_leaves(f, leaf, near);
			if (!carve_cell(f, &f->clippers[worker], i, near, near_count, &f->parts[block])) {
				f->failed[block] = 1;
				return;
			}
		}
	}
}

static double site_coordinate(const rbl_vec3d *site, int axis)
{
	return axis == 0 ? site->x : axis == 1 ? site->y : site->z;
}

static void swap_sites(finder *f, int i, int k)
{
	rbl_vec3d site = f->sites[i];
	f->sites[i] = f->sites[k], f->sites[k] = site;
	int id = f->ids[i];
	f->ids[i] = f->ids[k], f->ids[k] = id;
}

// Arrange sites begin to end - 1 so that those before `middle` are not beyond those from it on.
// Quickselect with the median of three; after 64 rounds (crafted input) it stops as it is, which
// costs time later and nothing else.
static void split_sites(finder *f, int begin, int end, int middle, int axis)
{
	int low = begin, high = end - 1;
	for (int rounds = 0; low < high && rounds < 64; ++rounds) {
		double a = site_coordinate(&f->sites[low], axis),
			   c = site_coordinate(&f->sites[high], axis);
		double b = site_coordinate(&f->sites[low + (high - low) / 2], axis);
		double pivot = a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);
		int i = low, k = high;
		while (i <= k) {
			while (site_coordinate(&f->sites[i], axis) < pivot)
				i++;
			while (site_coordinate(&f->sites[k], axis) > pivot)
				k--;
			if (i <= k)
				swap_sites(f, i++, k--);
		}
		if (middle <= k)
			high = k;
		else if (middle >= i)
			low = i;
		else
			return;
	}
}

// Node boxes from the top down, each node split in the middle of its longest side's order.
static void build_tree(finder *f)
{
	for (int node = 1; node < 2 * f->first_leaf; ++node) {
		int level = 0;
		while (node >> (level + 1) != 0)
			level++;
		int width = f->first_leaf >> level, leaf = (node << (f->levels - level)) - f->first_leaf;
		int begin = leaf_begin(f, leaf), end = leaf_begin(f, leaf + width);
		rbl_boxd box = rbl_box_empty_d();
		for (int i = begin; i < end; ++i)
			box = rbl_box_add_point_d(box, f->sites[i]);
		f->nodes[node] = box;
		if (width > 1)
			split_sites(f, begin, end, leaf_begin(f, leaf + width / 2),
			            rbl_largest_axis_d(rbl_box_size_d(box)));
	}
}

// Of sites at one place only the one with the lowest id counts.
static void find_copies(finder *f)
{
	double limit = 100.0 * f->tolerance * f->tolerance;
	for (int i = 0; i < f->site_count; ++i) {
		int stack[64], depth = 0;
		stack[depth++] = 1;
		f->is_copy[i] = 0;
		while (depth > 0 && !f->is_copy[i]) {
			int node = stack[--depth];
			if (box_distance_squared(f->nodes[node], f->sites[i]) > limit)
				continue;
			if (node < f->first_leaf) {
				stack[depth++] = 2 * node;
				stack[depth++] = 2 * node + 1;
				continue;
			}
			int leaf = node - f->first_leaf, end = leaf_begin(f, leaf + 1);
			for (int k = leaf_begin(f, leaf); k < end; ++k) {
				rbl_vec3d gap = rbl_sub_d(f->sites[k], f->sites[i]);
				f->is_copy[i] |= f->ids[k] < f->ids[i] && rbl_length_squared_d(gap) <= limit;
			}
		}
	}
}

static void find_witness(finder *f)
{
	rbl_vec3d middle = rbl_box_centre_d(f->box);
	double smallest = DBL_MAX;
	for (int i = 0; i < f->site_count; ++i) {
		double squared = rbl_length_squared_d(rbl_sub_d(f->sites[i], middle));
		if (squared < smallest)
			smallest = squared, f->witness = f->sites[i];
	}
}

struct rbl_voronoi_making {
	finder f;
	rbl_allocator allocator;
	rbl_jobs *jobs;
	int worker_count, block_count;
	int next;     // leaf
	int64_t made; // cells
	rbl_shared_count face_count;
	rbl_cells_building building; // of these, once all are made
};

// Whether more cells than may be meet the box for sure: those of sites within it.
static bool passes_limit(const finder *f)
{
	int64_t inside = 0;
	for (int i = 0; i < f->site_count && f->cell_limit < f->site_count; ++i)
		inside +=
			!f->is_copy[i] && rbl_box_contains_d(f->box, (rbl_boxd){ f->sites[i], f->sites[i] });
	return inside > f->cell_limit;
}

// Count what was made in blocks of leaves.
static rbl_result count_made(rbl_voronoi_making *m, int begin, int end)
{
	const finder *f = &m->f;
	if (rbl_shared_count_add(&m->face_count, 0) > f->face_limit)
		return rbl_fail(RBL_LIMIT_REACHED, "%d Voronoi cells have more than %lld faces",
		                f->site_count, (long long)f->face_limit);
	for (int i = begin; i < end; ++i) {
		if (f->failed[i])
			return RBL_OUT_OF_MEMORY;
		m->made += f->parts[i].ids.count;
	}
	return m->made > f->cell_limit ? RBL_LIMIT_REACHED : RBL_OK;
}

// The cells of one leaf.
static rbl_result carve_leaf(rbl_voronoi_making *m, int *budget)
{
	finder *f = &m->f;
	int block = m->next / SITE_BLOCK, before = f->parts[block].ids.count;
	f->first = 0;
	carve_block(f, m->next, m->next + 1, 0);
	m->made -= before;
	m->next++;
	*budget -= 1 + f->parts[block].ids.count - before;
	return count_made(m, block, block + 1);
}

// All cells that are left, in rounds when there is a limit that they may pass.
static rbl_result carve_rest(rbl_voronoi_making *m)
{
	finder *f = &m->f;
	rbl_result result = RBL_OK;
	while (result == RBL_OK && m->next < f->first_leaf && m->next % SITE_BLOCK != 0)
		result = carve_leaf(m, &(int){ 0 });
	int round = f->first_leaf;
	if (f->cell_limit < f->site_count) // about a quarter of the limit
		round = rbl_maxi(ROUND, f->cell_limit / (4 * SITE_BLOCK * LEAF)) * SITE_BLOCK;
	for (; result == RBL_OK && m->next < f->first_leaf; m->next = f->first) {
		int count = rbl_mini(round, f->first_leaf - m->next);
		f->first = m->next;
		rbl_parallel_for(m->jobs, count, SITE_BLOCK, carve_block, f);
		f->first += count;
		result = count_made(m, m->next / SITE_BLOCK, (f->first + SITE_BLOCK - 1) / SITE_BLOCK);
	}
	return result;
}

// @return false when memory ran out
static bool allocate_finder(rbl_voronoi_making *m, const rbl_vec3d *sites, int site_count)
{
	const rbl_allocator *a = &m->allocator;
	finder *f = &m->f;
	f->site_count = site_count;
	while ((LEAF << f->levels) < site_count)
		f->levels++;
	f->first_leaf = 1 << f->levels;
	m->worker_count = rbl_jobs_worker_count(m->jobs);
	m->block_count = (f->first_leaf + SITE_BLOCK - 1) / SITE_BLOCK;
	f->sites = RBL_NEW(a, rbl_vec3d, site_count);
	f->ids = RBL_NEW(a, int, site_count);
	f->nodes = RBL_NEW(a, rbl_boxd, 2 * f->first_leaf);
	f->clippers = RBL_NEW(a, rbl_clipper, m->worker_count);
	f->parts = RBL_NEW_ZERO(a, rbl_cells_batch, m->block_count);
	f->failed = RBL_NEW_ZERO(a, int, m->block_count);
	f->is_copy = RBL_NEW(a, unsigned char, site_count);
	for (int i = 0; f->clippers && i < m->worker_count; ++i)
		rbl_clipper_init(&f->clippers[i], a);
	if (!f->sites || !f->ids || !f->nodes || !f->clippers || !f->parts || !f->failed || !f->is_copy)
		return false;
	memcpy(f->sites, sites, (size_t)site_count * sizeof *sites);
	for (int i = 0; i < site_count; ++i)
		f->ids[i] = i;
	return true;
}

rbl_result rbl_voronoi_begin(rbl_voronoi_making **making, const rbl_allocator *allocator,
                             rbl_boxd box, const rbl_vec3d *sites, int site_count, int cell_limit,
                             rbl_jobs *jobs)
{
	*making = NULL;
	if (site_count < 1 || site_count > (1 << 26))
		return rbl_fail(RBL_BAD_ARGUMENT, "site count is %d, must be 1 to 2^26", site_count);
	rbl_boxd all = box;
	for (int i = 0; i < site_count; ++i) {
		if (!rbl_is_finite_d(sites[i]))
			return rbl_fail(RBL_BAD_ARGUMENT, "site %d is not finite", i);
		all = rbl_box_add_point_d(all, sites[i]);
	}
	rbl_allocator own = rbl_allocator_or_default(allocator);
	rbl_voronoi_making *m = RBL_NEW_ZERO(&own, rbl_voronoi_making, 1);
	if (!m)
		return RBL_OUT_OF_MEMORY;
	m->allocator = own;
	m->jobs = jobs;
	m->f = (finder){ .box = box, .cell_limit = cell_limit, .allocator = &m->allocator };
	m->f.face_count = &m->face_count;
	m->f.face_limit = SOME_FACES + (int64_t)MANY_FACES * site_count;
	m->f.tolerance = 1e-13 * rbl_length_d(rbl_box_size_d(all));
	rbl_result result = RBL_OUT_OF_MEMORY;
	if (allocate_finder(m, sites, site_count)) {
		build_tree(&m->f);
		find_copies(&m->f);
		find_witness(&m->f);
		result = passes_limit(&m->f) ? RBL_LIMIT_REACHED : RBL_OK;
	}
	if (result == RBL_OK)
		*making = m;
	else
		rbl_voronoi_end(m);
	return result;
}

rbl_result rbl_voronoi_some(rbl_voronoi_making *m, int *budget, bool *is_done, rbl_cells *cells)
{
	rbl_result result = RBL_OK;
	*is_done = false;
	if (*budget >= m->f.site_count + m->f.first_leaf)
		result = carve_rest(m);
	while (result == RBL_OK && *budget > 0 && m->next < m->f.first_leaf)
		result = carve_leaf(m, budget);
	m->building.parts = m->f.parts, m->building.part_count = m->block_count;
	while (result == RBL_OK && *budget > 0 && !*is_done) {
		int faces;
		result = rbl_cells_build_some(&m->building, &m->allocator, m->f.box, m->f.site_count,
		                              &faces, is_done);
		*budget -= 1 + faces / FACES_PER_CELL;
	}
	if (*is_done)
		*cells = rbl_cells_build_take(&m->building);
	return result;
}

void rbl_voronoi_end(rbl_voronoi_making *m)
{
	if (!m)
		return;
	rbl_allocator a = m->allocator;
	finder *f = &m->f;
	rbl_cells_build_end(&m->building);
	for (int i = 0; f->clippers && i < m->worker_count; ++i)
		rbl_clipper_destroy(&f->clippers[i]);
	for (int i = 0; f->parts && i < m->block_count; ++i)
		rbl_cells_batch_destroy(&f->parts[i], &a);
	RBL_FREE(&a, f->sites, f->site_count);
	RBL_FREE(&a, f->ids, f->site_count);
	RBL_FREE(&a, f->nodes, 2 * f->first_leaf);
	RBL_FREE(&a, f->clippers, m->worker_count);
	RBL_FREE(&a, f->parts, m->block_count);
	RBL_FREE(&a, f->failed, m->block_count);
	RBL_FREE(&a, f->is_copy, f->site_count);
	RBL_FREE(&a, m, 1);
}

rbl_result rbl_voronoi_cells_within(rbl_cells *cells, const rbl_allocator *allocator, rbl_boxd box,
                                    const rbl_vec3d *sites, int site_count, int cell_limit,
                                    rbl_jobs *jobs)
{
	*cells = (rbl_cells){ 0 };
	rbl_voronoi_making *making = NULL;
	rbl_result result =
		rbl_voronoi_begin(&making, allocator, box, sites, site_count, cell_limit, jobs);
	bool is_done = false;
	if (result == RBL_OK)
		result = rbl_voronoi_some(making, &(int){ INT_MAX }, &is_done, cells);
	rbl_voronoi_end(making);
	return result;
}

rbl_result rbl_voronoi_cells(rbl_cells *cells, const rbl_allocator *allocator, rbl_boxd box,
                             const rbl_vec3d *sites, int site_count, rbl_jobs *jobs)
{
	*cells = (rbl_cells){ 0 };
	for (int i = 0; i < site_count; ++i) {
		if (!rbl_is_finite_d(sites[i]) ||
		    !rbl_box_contains_d(box, (rbl_boxd){ sites[i], sites[i] }))
			return rbl_fail(RBL_BAD_ARGUMENT, "site %d lies outside the box", i);
	}
	return rbl_voronoi_cells_within(cells, allocator, box, sites, site_count, INT_MAX, jobs);
}
