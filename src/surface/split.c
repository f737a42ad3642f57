// SPDX-License-Identifier: MIT
//
// Splitting a body, with new vertices and triangles along the cracks: what is going to happen.
//
// Whole clusters change hands; clusters with triangles of several pieces, or with triangles that
// go, are dissolved, and their triangles are reclustered with the new ones. Half-edges across a
// boundary open, and open half-edges are joined again where new triangles fit. All is planned in
// scratch memory first, for vertex and cluster ids that are not taken yet; split_apply.c carries it
// out.

#include "surface/split.h"
#include "surface/certificate.h"

#include "base/clock.h"
#include "base/log.h"

enum { SPLIT_COOKIE = 0x73706c74 };

rbl_surface_split_def rbl_default_surface_split_def(void)
{
	return (rbl_surface_split_def){ .cookie = SPLIT_COOKIE };
}

static int *filled(rbl_arena *arena, size_t count, int value)
{
	int *array = RBL_ARENA_NEW(arena, int, count);
	for (size_t i = 0; array && i < count; ++i)
		array[i] = value;
	return array;
}

// --- checks -------------------------------------------------------------------------------------

// Vertices of the body that no triangle had, so that they can be told from those of others.
static void mark_unused(rbl_surface_split_plan *s)
{
	for (int i = 0; i < s->body->vertices.count; ++i)
		if (s->states[s->body->vertices.data[i]] == 0)
			s->states[s->body->vertices.data[i]] = RBL_SPLIT_OWN;
}

// Whether a vertex belongs to the body. Nearly always it has a triangle.
static bool is_of_body(rbl_surface_split_plan *s, int vertex, bool *is_marked)
{
	if (s->states[vertex] == 0 && !*is_marked) {
		mark_unused(s);
		*is_marked = true;
	}
	return s->states[vertex] != 0;
}

static rbl_result check_triangles(rbl_surface_split_plan *s)
{
	const rbl_surface_split_def *def = s->def;
	const int *labels = def->triangle_labels;
	bool is_marked = false;
	int count = def->triangle_count, vertex_end = s->surface->vertex_end;
	int made = def->vertex_count, piece_count = def->piece_count;
	for (int t = 0; t < count; ++t) {
		const int *v = def->triangles + 3 * t;
		int label = labels[t];
		if (label < 0 || label >= piece_count)
			return rbl_fail(RBL_BAD_ARGUMENT, "new triangle %d has the piece %d of %d", t, label,
			                piece_count);
		for (int k = 0; k < 3; ++k)
			if (v[k] < -made || v[k] >= vertex_end ||
			    (v[k] >= 0 && !is_of_body(s, v[k], &is_marked)))
				return rbl_fail(RBL_BAD_ARGUMENT, "new triangle %d has an unknown vertex %d", t,
				                v[k]);
		if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0])
			return rbl_fail(RBL_BAD_ARGUMENT, "new triangle %d has a vertex twice", t);
		s->triangle_counts[label]++;
		for (int k = 0; k < 3; ++k) {
			rbl_surface_split_vertex *entry =
				v[k] < 0 ? &s->touched[-1 - v[k]] : rbl_surface_split_touch_vertex(s, v[k]);
			if (!entry)
				return RBL_OUT_OF_MEMORY;
			entry->has_new_triangle = true;
			rbl_surface_split_offer_vertex(s, entry, label);
		}
	}
	return RBL_OK;
}

static rbl_result check_labels(rbl_surface_split_plan *s)
{
	const rbl_surface_split_def *def = s->def;
	rbl_result result = rbl_surface_split_label_all(s);
	if (result == RBL_OK)
		result = check_triangles(s);
	if (result == RBL_OK)
		rbl_surface_split_count_vertices(s);
	for (int i = 0; i < def->piece_count && result == RBL_OK; ++i)
		if (s->triangle_counts[i] == 0)
			result = rbl_fail(RBL_BAD_ARGUMENT, "piece %d has no triangle", i);
	return result;
}

static rbl_result check_split_def(const rbl_surface_split_def *def)
{
	if (!def || def->cookie != SPLIT_COOKIE)
		return rbl_fail(RBL_BAD_ARGUMENT, "start from rbl_default_surface_split_def()");
	if (def->piece_count < 1 || !def->labels || def->vertex_count < 0 || def->triangle_count < 0 ||
	    (def->vertex_count > 0 && !def->positions) ||
	    (def->triangle_count > 0 && (!def->triangles || !def->triangle_labels)))
		return rbl_fail(RBL_BAD_ARGUMENT, "pieces, labels, vertices or triangles are missing");
	if (def->vertex_count > RBL_MAX_SURFACE_ITEMS || def->triangle_count > RBL_MAX_SURFACE_ITEMS ||
	    def->piece_count > RBL_MAX_SURFACE_ITEMS)
		return rbl_fail(RBL_LIMIT_REACHED, "more than %d vertices or triangles",
		                RBL_MAX_SURFACE_ITEMS);
	for (int i = 0; i < def->vertex_count; ++i)
		if (!rbl_is_finite(def->positions[i]))
			return rbl_fail(RBL_BAD_ARGUMENT, "new vertex %d is not finite", i);
	return RBL_OK;
}

// --- plan ---------------------------------------------------------------------------------------

// New vertices and copies, and vertices that nobody keeps.
static bool plan_vertices(rbl_surface_split_plan *s)
{
	rbl_arena *arena = s->arena;
	int made = s->copy_count + s->def->vertex_count;
	int gone = s->body->vertices.count + made;
	for (int i = 0; i < s->def->piece_count; ++i)
		gone -= s->vertex_counts[i];
	s->gone_vertices = RBL_ARENA_NEW(arena, int, gone);
	s->new_ids = RBL_ARENA_NEW(arena, int, made);
	if (!s->gone_vertices || !s->new_ids)
		return false;
	rbl_surface_peek_vertices(s->surface, made, s->new_ids);
	for (int i = 0; i < s->def->vertex_count; ++i)
		s->touched[i].id = s->new_ids[s->copy_count + i];
	return true;
}

static void count_clusters(rbl_surface_split_plan *s)
{
	for (int i = 0; i < s->own_count; ++i) {
		int *label = &s->cluster_labels[s->own[i]];
		if (*label >= 0)
			s->kept_counts[*label]++;
		else
			*label = RBL_SPLIT_REMOVED;
	}
}

static rbl_result break_tree(rbl_surface_split_plan *s)
{
	rbl_surface *surface = s->surface;
	rbl_arena *arena = s->arena;
	uint32_t *ids = RBL_ARENA_NEW(arena, uint32_t, s->plan.count);
	rbl_box *boxes = RBL_ARENA_NEW(arena, rbl_box, s->plan.count);
	int *labels = RBL_ARENA_NEW(arena, int, s->plan.count);
	s->fresh_counts = filled(arena, (size_t)s->def->piece_count, 0);
	s->kept_counts = filled(arena, (size_t)s->def->piece_count, 0);
	if (!ids || !boxes || !labels || !s->fresh_counts || !s->kept_counts)
		return RBL_OUT_OF_MEMORY;
	rbl_surface_plan_cluster_boxes(surface, NULL, &s->plan, s->loose_boxes, ids, boxes);
	for (int c = 0; c < s->plan.count; ++c) {
		labels[c] = s->loose_labels[s->plan.order[s->plan.starts[c]]];
		s->fresh_counts[labels[c]]++;
	}
	count_clusters(s);
	return rbl_tree_break(&s->body->tree,
	                      &(rbl_tree_fracture_input){ .method = RBL_TREE_BY_POLICY,
	                                                  .piece_count = s->def->piece_count,
	                                                  .labels = s->cluster_labels,
	                                                  .kept_counts = s->kept_counts,
	                                                  .new_count = s->plan.count,
	                                                  .new_leaves = ids,
	                                                  .new_boxes = boxes,
	                                                  .new_labels = labels,
	                                                  .jobs = surface->def.jobs },
	                      s->trees, NULL);
}

// What depends on splits before it: ids that are promised, and memory. The old tree is taken apart
// when all the rest is there.
static rbl_result prepare_split(rbl_surface_split_plan *s)
{
	rbl_surface *surface = s->surface;
	const rbl_allocator *allocator = &surface->allocator;
	int piece_count = s->def->piece_count;
	s->body = &surface->bodies.data[s->slot]; // splits before it may have moved these
	s->states = surface->vertex_scratch;
	s->trees = RBL_ARENA_NEW(s->arena, rbl_tree, piece_count);
	if (!s->trees || !plan_vertices(s))
		return RBL_OUT_OF_MEMORY;
	rbl_result result = rbl_surface_reserve(surface, s->copy_count + s->def->vertex_count,
	                                        s->def->triangle_count, s->plan.count);
	s->states = surface->vertex_scratch; // may have moved
	if (result != RBL_OK)
		return result;
	int slots = surface->ids.slot_count + piece_count - 1;
	if (!rbl_id_pool_reserve(allocator, &surface->ids, slots) ||
	    !rbl_array_reserve(allocator, &surface->bodies, slots))
		return RBL_OUT_OF_MEMORY;
	s->body = &surface->bodies.data[s->slot]; // the arrays may have moved
	if (s->body->self.is_certified)
		(void)rbl_surface_reserve_certificates(surface,
		                                       slots); // without, pieces are certified again
	result = rbl_tree_pool_reserve_more(&surface->body_pool, piece_count - 1, (uint32_t)slots);
	if (result != RBL_OK)
		return result;
	for (int i = 0; i < piece_count; ++i)
		if (!rbl_array_reserve(allocator, &s->pieces[i].vertices, s->vertex_counts[i]) ||
		    !rbl_array_reserve(allocator, &s->pieces[i].triangles, s->triangle_counts[i]))
			return RBL_OUT_OF_MEMORY;
	return break_tree(s);
}

static rbl_result check_split(rbl_surface_split_plan *s)
{
	rbl_surface *surface = s->surface;
	rbl_arena *arena = s->arena;
	const rbl_surface_split_def *def = s->def;
	size_t pieces = (size_t)def->piece_count;
	s->states = surface->vertex_scratch;
	s->touched_capacity = def->vertex_count + s->body->vertices.count / 8;
	s->touched = RBL_ARENA_NEW(arena, rbl_surface_split_vertex, s->touched_capacity);
	int *triangle_counts = filled(arena, pieces + 1, 0);
	int *vertex_counts = filled(arena, pieces + 1, 0);
	s->pieces = RBL_ARENA_NEW(arena, rbl_surface_body, pieces);
	if (!s->touched || !triangle_counts || !vertex_counts || !s->pieces) {
		s->pieces = NULL;
		return RBL_OUT_OF_MEMORY;
	}
	s->triangle_counts = triangle_counts + 1;
	s->vertex_counts = vertex_counts + 1;
	memset(s->pieces, 0, pieces * sizeof *s->pieces);
	for (size_t i = 0; i < pieces; ++i)
		s->pieces[i].settings = s->body->settings;
	for (int i = 0; i < def->vertex_count; ++i)
		s->touched[s->touched_count++] =
			(rbl_surface_split_vertex){ .id = -1, .keeper = -1, .copies = -1 };
	return check_labels(s);
}

// All that depends on the body alone. It writes to the states of its vertices, and to nothing else
// of the surface, unless there are new triangles, whose ids are promised here.
static rbl_result plan_split(rbl_surface_split_plan *s)
{
	rbl_result result = check_split(s);
	if (result == RBL_OK &&
	    (!rbl_surface_split_plan_affected(s) || !rbl_surface_split_plan_clusters(s)))
		result = RBL_OUT_OF_MEMORY;
	return result;
}

// Carry a plan out, or drop it. @param planned  what planning came to
static rbl_result finish_split(rbl_surface_split_plan *s, rbl_result planned,
                               rbl_surface_body_id *pieces)
{
	const rbl_allocator *allocator = &s->surface->allocator;
	rbl_result result = planned == RBL_OK ? prepare_split(s) : planned;
	if (result == RBL_OK) {
		rbl_surface_split_apply(s, pieces);
		return RBL_OK;
	}
	for (int i = 0; s->pieces && i < s->def->piece_count; ++i) {
		rbl_array_free(allocator, &s->pieces[i].vertices);
		rbl_array_free(allocator, &s->pieces[i].triangles);
	}
	s->body = &s->surface->bodies.data[s->slot];
	s->states = s->surface->vertex_scratch;
	rbl_surface_split_clear(s);
	return result;
}

// Look at a definition and its body. @return RBL_OK, RBL_BAD_ARGUMENT, RBL_LIMIT_REACHED,
// RBL_STALE_ID
static rbl_result begin_split(rbl_surface *surface, rbl_surface_body_id body,
                              const rbl_surface_split_def *def, rbl_surface_split_plan *s)
{
	rbl_result result = check_split_def(def);
	if (result != RBL_OK)
		return result;
	int slot = rbl_surface_slot(surface, body);
	if (slot < 0)
		return RBL_STALE_ID;
	if (rbl_surface_check_whole(surface, slot) != RBL_OK)
		return RBL_BAD_ARGUMENT;
	if (def->triangle_count > RBL_MAX_SURFACE_ITEMS - surface->triangle_count)
		return rbl_fail(RBL_LIMIT_REACHED, "more than %d triangles", RBL_MAX_SURFACE_ITEMS);
	*s = (rbl_surface_split_plan){ .surface = surface,
		                           .def = def,
		                           .arena = &surface->scratch,
		                           .body = &surface->bodies.data[slot],
		                           .slot = slot };
	return RBL_OK;
}

rbl_result rbl_surface_split(rbl_surface *surface, rbl_surface_body_id body,
                             const rbl_surface_split_def *def, rbl_surface_body_id *pieces)
{
	if (!surface || !pieces)
		return rbl_fail(RBL_BAD_ARGUMENT, "surface or pieces is NULL");
	uint64_t begin = rbl_clock_ns();
	rbl_surface_split_plan s;
	rbl_result result = begin_split(surface, body, def, &s);
	if (result != RBL_OK)
		return result;
	rbl_arena_reset(&surface->scratch);
	result = finish_split(&s, plan_split(&s), pieces);
	surface->pending_ns += rbl_clock_ns() - begin;
	return result;
}

// --- several bodies -----------------------------------------------------------------------------

typedef struct split_group {
	rbl_surface *surface;
	rbl_surface_split_plan *plans;
	rbl_result *results;
	rbl_result behind; // what begin_split() said of the body behind the group
	struct {
		int body; // the first of this worker that is refused, with the reason
		rbl_error_line line;
	} * refused; // by worker
} split_group;

static void plan_bodies(void *context, int begin, int end, int worker)
{
	const split_group *group = context;
	for (int i = begin; i < end; ++i) {
		rbl_surface_split_plan *s = &group->plans[i];
		s->arena = &group->surface->workers[worker].splits;
		group->results[i] = plan_split(s);
		if (group->results[i] == RBL_BAD_ARGUMENT && i < group->refused[worker].body) {
			group->refused[worker].body = i;
			rbl_last_error_get(&group->refused[worker].line);
		}
	}
}

// Bodies from the first that are planned together: none has new triangles, and none is there twice.
// @return how many, 0 when there is no memory for several
static int begin_group(split_group *group, const rbl_surface_body_id *bodies, int count,
                       const rbl_surface_split_def *defs)
{
	rbl_surface *surface = group->surface;
	rbl_arena *arena = &surface->scratch;
	rbl_arena_reset(arena);
	for (int i = 0; i < surface->worker_count; ++i)
		rbl_arena_reset(&surface->workers[i].splits);
	group->plans = RBL_ARENA_NEW(arena, rbl_surface_split_plan, count);
	group->results = RBL_ARENA_NEW(arena, rbl_result, count);
	group->refused =
		rbl_arena_allocate(arena, (size_t)surface->worker_count, sizeof *group->refused);
	int *labels = RBL_ARENA_NEW(arena, int, surface->triangle_end);
	int *cluster_labels = RBL_ARENA_NEW(arena, int, surface->cluster_end);
	if (!group->plans || !group->results || !group->refused || !labels || !cluster_labels)
		return 0;
	for (int i = 0; i < surface->worker_count; ++i)
		group->refused[i].body = count;
	int begun = 0;
	for (; begun < count && defs[begun].triangle_count == 0; ++begun) {
		rbl_surface_split_plan *s = &group->plans[begun];
		group->behind = begin_split(surface, bodies[begun], &defs[begun], s);
		if (group->behind != RBL_OK || s->body->motion.is_listed)
			break;
		s->labels = labels;
		s->cluster_labels = cluster_labels;
		s->body->motion.is_listed = true;
	}
	for (int i = 0; i < begun; ++i)
		group->plans[i].body->motion.is_listed = false;
	return begun;
}

// Carry all plans out, up to the first that fails, and drop the others. @return how many were split
static int finish_group(const split_group *group, int begun, rbl_surface_body_id *pieces,
                        rbl_result *result)
{
	int done = 0;
	for (int i = 0; i < begun; ++i) {
		rbl_surface_split_plan *s = &group->plans[i];
		if (done < i) {
			(void)finish_split(s, RBL_OUT_OF_MEMORY, NULL);
			continue;
		}
		*result = finish_split(s, group->results[i], pieces);
		for (int w = 0; *result == RBL_BAD_ARGUMENT && w < group->surface->worker_count; ++w)
			if (group->refused[w].body == i)
				rbl_last_error_set(&group->refused[w].line);
		done += *result == RBL_OK;
		pieces += s->def->piece_count;
	}
	return done;
}

// Split the first of some bodies. @return how many were split; *result is of the one behind
static int split_first(rbl_surface *surface, const rbl_surface_body_id *bodies, int count,
                       const rbl_surface_split_def *defs, rbl_surface_body_id *pieces,
                       rbl_result *result)
{
	uint64_t begin = rbl_clock_ns();
	split_group group = { .surface = surface, .behind = RBL_OK };
	int begun = count > 1 ? begin_group(&group, bodies, count, defs) : 0;
	if (begun == 0) {
		*result = group.behind;
		if (*result == RBL_OK)
			*result = rbl_surface_split(surface, bodies[0], defs, pieces);
		return *result == RBL_OK;
	}
	int64_t triangles = 0;
	for (int i = 0; i < begun; ++i)
		triangles += group.plans[i].body->triangles.count;
	bool is_shared = triangles >= surface->limits.shared_vertices;
	rbl_parallel_for(is_shared ? surface->def.jobs : NULL, begun, 1, plan_bodies, &group);
	int done = finish_group(&group, begun, pieces, result);
	if (done == begun)
		*result = group.behind;
	surface->pending_ns += rbl_clock_ns() - begin;
	return done;
}

rbl_result rbl_surface_split_bodies(rbl_surface *surface, const rbl_surface_body_id *bodies,
                                    int count, const rbl_surface_split_def *defs,
                                    rbl_surface_body_id *pieces)
{
	if (!surface || count < 0 || (count > 0 && (!bodies || !defs || !pieces)))
		return rbl_fail(RBL_BAD_ARGUMENT, "surface, bodies, defs or pieces is missing");
	rbl_result result = RBL_OK;
	int done = 0;
	while (done < count && result == RBL_OK) {
		int split = split_first(surface, bodies + done, count - done, defs + done, pieces, &result);
		for (; split > 0; --split)
			pieces += defs[done++].piece_count;
	}
	for (; done < count && defs[done].piece_count > 0; ++done) {
		memset(pieces, 0, (size_t)defs[done].piece_count * sizeof *pieces);
		pieces += defs[done].piece_count;
	}
	return result;
}
