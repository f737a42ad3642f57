// SPDX-License-Identifier: MIT
//
// Node placement for a convex decomposition. The paper leaves this to an artist.
//
// A piece is rated by samples: the hull of the surface points that are nearest to its node. The
// boundary of a cut lies on the surface, so that is nearly the hull of the piece, and costs a few
// microseconds instead of a cut. Nodes are added one by one where the hull is emptiest, relaxed by
// a few rounds of Lloyd's method on the points inside, and finally moved at random, by less and
// less, wherever that makes the sum of the hulls smaller. Lloyd alone makes pieces of equal size,
// which is not the best fit: the random moves take another tenth off the excess.

#include "base/random.h"
#include "base/vec.h"
#include "fracture/convex_decomposition.h"
#include "geometry/geometry.h"

// What a hull of some samples costs, and how many distances a unit of work is.
enum { HULL_COST = 5, SAMPLES_PER_CUT = 400 };

enum { RELAX_ROUNDS = 3, MIN_MOVES = 60, MOVES_PER_NODE = 10, MAX_MOVES = 1200 };

typedef struct move {
	int point, before;
	double distance;
} move;

typedef enum placer_stage { ADD_NODES, MOVE_NODES, PLACED } placer_stage;

struct rbl_node_optimizer {
	const rbl_allocator *allocator;
	const rbl_samples *samples;
	rbl_nodes *nodes;
	int max;
	int *inner_of, *outer_of; // the nearest node of each sample
	double *distances;        // squared, of outer samples
	double *hulls, *volumes;  // per node
	rbl_vec3d *centres, *scratch;
	unsigned char *is_changed;
	RBL_ARRAY(move) moves;
	double total; // of the solid, by samples

	double wanted_ratio;
	int min;
	placer_stage stage;
	bool is_judged;    // the nodes as they are
	rbl_random random; // for moves
	int next_move;     // and how many there will be
	int move_count;
	double *moved_hulls; // scratch of a move
};

static bool set_up_optimizer(rbl_node_optimizer *p)
{
	const rbl_allocator *a = p->allocator;
	p->inner_of = RBL_NEW(a, int, p->samples->inner.count);
	p->outer_of = RBL_NEW(a, int, p->samples->outer.count);
	p->distances = RBL_NEW(a, double, p->samples->outer.count);
	p->hulls = RBL_NEW(a, double, p->max);
	p->volumes = RBL_NEW(a, double, p->max);
	p->centres = RBL_NEW(a, rbl_vec3d, p->max);
	p->is_changed = RBL_NEW_ZERO(a, unsigned char, p->max);
	p->scratch = RBL_NEW(a, rbl_vec3d, p->samples->outer.count);
	p->moved_hulls = RBL_NEW(a, double, p->max);
	for (int i = 0; i < p->samples->inner.count; ++i)
		p->total += p->samples->inner.data[i].volume;
	return p->inner_of && p->outer_of && p->distances && p->hulls && p->volumes && p->centres &&
	       p->is_changed && p->scratch && p->moved_hulls &&
	       rbl_array_reserve(a, &p->moves, p->samples->outer.count) &&
	       rbl_array_reserve(a, &p->nodes->positions, p->max);
}

static void tear_down(rbl_node_optimizer *p)
{
	const rbl_allocator *a = p->allocator;
	RBL_FREE(a, p->inner_of, p->samples->inner.count);
	RBL_FREE(a, p->outer_of, p->samples->outer.count);
	RBL_FREE(a, p->distances, p->samples->outer.count);
	RBL_FREE(a, p->hulls, p->max);
	RBL_FREE(a, p->volumes, p->max);
	RBL_FREE(a, p->centres, p->max);
	RBL_FREE(a, p->is_changed, p->max);
	RBL_FREE(a, p->scratch, p->samples->outer.count);
	RBL_FREE(a, p->moved_hulls, p->max);
	rbl_array_free(a, &p->moves);
}

static int nearest(const rbl_node_optimizer *p, rbl_vec3d point, double *distance)
{
	int best = 0;
	*distance = DBL_MAX;
	for (int k = 0; k < p->nodes->positions.count; ++k) {
		double d = rbl_length_squared_d(rbl_sub_d(point, p->nodes->positions.data[k]));
		if (d < *distance)
			*distance = d, best = k;
	}
	return best;
}

/// The hull of the surface points of a node. @return its volume, -1 when memory ran out
static double hull_volume(rbl_node_optimizer *p, int node)
{
	int count = 0;
	for (int i = 0; i < p->samples->outer.count; ++i)
		if (p->outer_of[i] == node)
			p->scratch[count++] = p->samples->outer.data[i];
	if (count < 4)
		return 0.0;
	rbl_hull_triangles triangles = { 0 };
	rbl_result result = rbl_quickhull(p->allocator, p->scratch, count, &triangles);
	double volume = result == RBL_OUT_OF_MEMORY ? -6.0 : 0.0;
	for (int i = 0; i < triangles.slots.count && result == RBL_OK; ++i) {
		const rbl_hull_triangle *t = &triangles.slots.data[i];
		if (t->mark == RBL_HULL_FREE)
			continue;
		rbl_vec3d a = rbl_sub_d(p->scratch[t->vertices[0]], p->scratch[0]);
		rbl_vec3d b = rbl_sub_d(p->scratch[t->vertices[1]], p->scratch[0]);
		rbl_vec3d c = rbl_sub_d(p->scratch[t->vertices[2]], p->scratch[0]);
		volume += rbl_dot_d(a, rbl_cross_d(b, c));
	}
	rbl_array_free(p->allocator, &triangles.slots);
	return volume / 6.0;
}

// --- adding nodes -------------------------------------------------------------------------------

static void assign_inner(rbl_node_optimizer *p)
{
	double distance;
	memset(p->volumes, 0, (size_t)p->max * sizeof *p->volumes);
	memset(p->centres, 0, (size_t)p->max * sizeof *p->centres);
	for (int i = 0; i < p->samples->inner.count; ++i) {
		const rbl_inner_sample *s = &p->samples->inner.data[i];
		int k = p->inner_of[i] = nearest(p, s->position, &distance);
		p->volumes[k] += s->volume;
		p->centres[k] = rbl_add_scaled_d(p->centres[k], s->volume, s->position);
	}
}

static void relax(rbl_node_optimizer *p)
{
	for (int round = 0; round < RELAX_ROUNDS; ++round) {
		assign_inner(p);
		for (int k = 0; k < p->nodes->positions.count; ++k)
			if (p->volumes[k] > 0.0)
				p->nodes->positions.data[k] = rbl_scale_d(1.0 / p->volumes[k], p->centres[k]);
	}
	assign_inner(p);
}

static bool measure_fit(rbl_node_optimizer *p)
{
	double sum = 0.0;
	for (int i = 0; i < p->samples->outer.count; ++i)
		p->outer_of[i] = nearest(p, p->samples->outer.data[i], &p->distances[i]);
	for (int k = 0; k < p->nodes->positions.count; ++k) {
		p->hulls[k] = hull_volume(p, k);
		if (p->hulls[k] < 0.0)
			return false;
		sum += p->hulls[k];
	}
	p->nodes->ratio = p->total > 0.0 ? sum / p->total : 1.0;
	return true;
}

// The sample of a piece that is farthest from its node. @return the squared distance
static double farthest_sample(const rbl_node_optimizer *p, int node, rbl_vec3d *at)
{
	double farthest = 0.0;
	for (int i = 0; i < p->samples->inner.count; ++i) {
		rbl_vec3d s = p->samples->inner.data[i].position;
		double d = rbl_length_squared_d(rbl_sub_d(s, p->nodes->positions.data[node]));
		if (p->inner_of[i] == node && d > farthest)
			farthest = d, *at = s;
	}
	return farthest;
}

// A node more, in the piece whose hull is emptiest. @return false when no piece can be divided
static bool split_emptiest(rbl_node_optimizer *p)
{
	memset(p->is_changed, 0, (size_t)p->max); // here: whether it was tried
	for (int tried = 0; tried < p->nodes->positions.count; ++tried) {
		int worst = -1;
		for (int k = 0; k < p->nodes->positions.count; ++k) {
			if (!p->is_changed[k] &&
			    (worst < 0 || p->hulls[k] - p->volumes[k] > p->hulls[worst] - p->volumes[worst]))
				worst = k;
		}
		rbl_vec3d at = { 0.0, 0.0, 0.0 };
		p->is_changed[worst] = 1;
		if (farthest_sample(p, worst, &at) > 0.0) {
			p->nodes->positions.data[p->nodes->positions.count++] = at;
			memset(p->is_changed, 0, (size_t)p->max);
			return true;
		}
	}
	memset(p->is_changed, 0, (size_t)p->max);
	return false;
}

// --- moving nodes -------------------------------------------------------------------------------

// Give the surface points to a node that moved, and take those from it that it left.
static void reassign(rbl_node_optimizer *p, int node)
{
	rbl_vec3d at = p->nodes->positions.data[node];
	p->moves.count = 0;
	for (int i = 0; i < p->samples->outer.count; ++i) {
		rbl_vec3d s = p->samples->outer.data[i];
		int owner = p->outer_of[i];
		double d = rbl_length_squared_d(rbl_sub_d(s, at));
		if (owner != node && d >= p->distances[i])
			continue;
		p->moves.data[p->moves.count++] = (move){ i, owner, p->distances[i] };
		p->outer_of[i] = node;
		p->distances[i] = d;
		if (owner == node)
			p->outer_of[i] = nearest(p, s, &p->distances[i]);
		if (p->outer_of[i] != owner)
			p->is_changed[owner] = p->is_changed[p->outer_of[i]] = 1;
	}
}

// Move a node and keep that if the hulls become smaller.
static bool try_move(rbl_node_optimizer *p, int node, rbl_vec3d to)
{
	int n = p->nodes->positions.count;
	double *hulls = p->moved_hulls;
	rbl_vec3d from = p->nodes->positions.data[node];
	p->nodes->positions.data[node] = to;
	reassign(p, node);
	double change = 0.0;
	bool is_lost = false; // a node without points does nothing
	for (int k = 0; k < n; ++k) {
		hulls[k] = p->hulls[k];
		if (!p->is_changed[k])
			continue;
		p->is_changed[k] = 0;
		hulls[k] = hull_volume(p, k);
		if (hulls[k] < 0.0)
			return false;
		change += hulls[k] - p->hulls[k];
		is_lost |= hulls[k] == 0.0;
	}
	if (change < 0.0 && !is_lost) {
		memcpy(p->hulls, hulls, (size_t)n * sizeof *hulls);
		p->nodes->ratio += p->total > 0.0 ? change / p->total : 0.0;
		return true;
	}
	p->nodes->positions.data[node] = from;
	for (int i = 0; i < p->moves.count; ++i) {
		p->outer_of[p->moves.data[i].point] = p->moves.data[i].before;
		p->distances[p->moves.data[i].point] = p->moves.data[i].distance;
	}
	return true;
}

static void begin_moves(rbl_node_optimizer *p)
{
	int n = p->nodes->positions.count;
	p->move_count = n > 1 ? rbl_mini(MIN_MOVES + MOVES_PER_NODE * n, MAX_MOVES) : 0;
	p->stage = MOVE_NODES;
}

static bool move_one(rbl_node_optimizer *p)
{
	int n = p->nodes->positions.count, i = p->next_move++, node = i % n;
	double nearest = DBL_MAX;
	for (int k = 0; k < n; ++k)
		if (k != node)
			nearest = rbl_mind(nearest, rbl_distance_d(p->nodes->positions.data[k],
			                                           p->nodes->positions.data[node]));
	double step = nearest * (0.6 - 0.5 * i / p->move_count);
	rbl_vec3d to =
		rbl_add_scaled_d(p->nodes->positions.data[node], step, rbl_random_in_ball(&p->random));
	return try_move(p, node, to);
}

// --- in steps -----------------------------------------------------------------------------------

rbl_node_optimizer *rbl_node_optimizer_begin(const rbl_allocator *allocator,
                                             const rbl_samples *samples, double ratio, int min,
                                             int max, uint64_t seed, rbl_nodes *nodes)
{
	rbl_node_optimizer *p = RBL_NEW_ZERO(allocator, rbl_node_optimizer, 1);
	if (!p)
		return NULL;
	p->allocator = allocator;
	p->samples = samples;
	p->nodes = nodes;
	p->max = max;
	p->wanted_ratio = ratio;
	p->min = min;
	p->random = rbl_random_from_seed(seed);
	if (!set_up_optimizer(p)) {
		rbl_node_optimizer_end(p);
		return NULL;
	}
	if (nodes->positions.count == 0)
		nodes->positions.data[nodes->positions.count++] = (rbl_vec3d){ 0.0, 0.0, 0.0 };
	return p;
}

// Relax and rate the nodes, and add one unless they will do.
static bool add_node(rbl_node_optimizer *p)
{
	if (!p->is_judged) {
		relax(p);
		p->is_judged = true;
		return measure_fit(p);
	}
	int count = p->nodes->positions.count;
	bool wants_more = count < p->max && (count < p->min || p->nodes->ratio > p->wanted_ratio);
	if (wants_more && split_emptiest(p))
		p->is_judged = false;
	else
		begin_moves(p);
	return true;
}

bool rbl_node_optimizer_work(rbl_node_optimizer *optimizer, int *budget, bool *is_done)
{
	rbl_node_optimizer *p = optimizer;
	while (*budget > 0 && p->stage != PLACED) {
		int n = p->nodes->positions.count, samples = p->samples->inner.count;
		if (p->stage == ADD_NODES) {
			*budget -= 1 + n * HULL_COST + n * (samples / SAMPLES_PER_CUT);
			if (!add_node(p))
				return false;
		} else if (p->next_move < p->move_count) {
			*budget -= 2 * HULL_COST + samples / SAMPLES_PER_CUT;
			if (!move_one(p))
				return false;
		} else {
			p->stage = PLACED;
		}
	}
	*is_done = p->stage == PLACED;
	return true;
}

void rbl_node_optimizer_end(rbl_node_optimizer *optimizer)
{
	if (!optimizer)
		return;
	const rbl_allocator *a = optimizer->allocator;
	tear_down(optimizer);
	RBL_FREE(a, optimizer, 1);
}
