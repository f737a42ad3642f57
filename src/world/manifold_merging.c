// SPDX-License-Identifier: MIT
//
// Manifold merging: two bodies that touch with many of their parts.
//
// A crack is one plane, and both sides of it are cut into parts: two fragments, or a fragment and
// the rest of the wall, touch in that plane with some twenty pairs of parts, each with four
// points. Rigid bodies need four in all. So pairs of the same two bodies, of which one has
// several parts, form a list. The narrow phase updates a list as a whole when its bodies have
// moved relative to each other; then manifolds whose normals cluster are merged here, and the
// four most widely spread points of a cluster go to the solver as one contact. Every pair keeps
// its own manifold, begins and ends by itself, and has a solver contact, most of them without
// points.
//
// What must be preserved:
//
//   - Impulses. One pair represents its cluster: the first with this normal, whose contact has the
//     points as long as it touches. When it ceases to, another pair of the cluster inherits its
//     solver contact with the impulses, so that nothing wakes.
//   - Allowed penetration belongs to each pair, so it is added to separations here, and solver
//     contacts of such lists have none.
//   - Points that do not touch yet, but may within the step, are chosen after those that do.
//
// Lists are rings in the order of their records, and the first pair stands for all: nothing
// depends on when a pair was added. Bodies whose bonds may fail keep all their contacts, since
// stress needs to know which part is loaded.

#include "world/world.h"

#include "base/assert.h"

enum {
	MAX_CLUSTERS = 24,       // of a list
	MAX_CLUSTER_POINTS = 64, // that are compared at once
	MERGE_BLOCK = 32,        // lists of a block of work
};

// Normals with a larger cosine are in one cluster.
static const float cluster_cosine = 0.98f;

// A solver contact is inherited by a cluster with a larger cosine.
static const float takeover_cosine = 0.9f;

// Points farther apart than this do not touch, in metres.
static const float touch_slop = 0.002f;

// Bodies slower than this (m/s) that overlap by more than that (m) are jammed.
static const float jam_speed = 0.1f, jam_depth = 0.001f;

// --- lists --------------------------------------------------------------------------------------

bool rbl_world_merges_manifolds(const rbl_world *world, int body_a, int body_b)
{
	const rbl_body *a = &world->bodies[body_a], *b = &world->bodies[body_b];
	// Parts of baked bodies belong to many fragments, in no common plane, and come and go.
	uint32_t flags = world->motions[body_a].flags | world->motions[body_b].flags;
	return world->solver && !(flags & RBL_BODY_MODIFIES) &&
	       (a->part_count > 1 || b->part_count > 1) && !a->has_stress && !b->has_stress &&
	       a->baked_index == 0 && b->baked_index == 0;
}

static uint64_t list_key(const rbl_world *world, int pair)
{
	int a = world->hot_parts[world->pairs[pair].a].body;
	int b = world->hot_parts[world->pairs[pair].b].body;
	return (uint64_t)rbl_mini(a, b) << 32 | (uint32_t)rbl_maxi(a, b);
}

int rbl_world_merged_list_add(rbl_world *world, int pair)
{
	rbl_pair_links *links = world->links;
	uint32_t *first =
		rbl_map_add(&world->allocator, &world->merged_lists, list_key(world, pair), (uint32_t)pair);
	RBL_ASSERT(first); // memory was reserved
	int head = (int)*first;
	if (head == pair) {
		links[pair].next_merged = links[pair].previous_merged = pair;
		return pair;
	}
	int after = links[head].previous_merged;
	if (pair < head) {
		*first = (uint32_t)pair;
		rbl_bit_set_add(&world->follower_pairs, head);
		world->pairs[head].flags &= ~(uint32_t)RBL_PAIR_POSE_CACHED;
	} else {
		rbl_bit_set_add(&world->follower_pairs, pair);
		while (after > pair)
			after = links[after].previous_merged;
	}
	int before = links[after].next_merged;
	links[pair].previous_merged = after, links[pair].next_merged = before;
	links[after].next_merged = links[before].previous_merged = pair;
	return (int)*first;
}

void rbl_world_merged_list_remove(rbl_world *world, int pair)
{
	rbl_pair_links *links = world->links;
	uint64_t key = list_key(world, pair);
	int head = (int)rbl_map_get(&world->merged_lists, key);
	int next = links[pair].next_merged, previous = links[pair].previous_merged;
	links[next].previous_merged = previous, links[previous].next_merged = next;
	rbl_bit_set_remove(&world->follower_pairs, pair);
	if (next == pair) {
		rbl_map_remove(&world->merged_lists, key);
	} else if (head == pair) {
		rbl_map_set(&world->allocator, &world->merged_lists, key, (uint32_t)next);
		rbl_bit_set_remove(&world->follower_pairs, next);
	} else if (world->pairs[pair].flags & RBL_PAIR_POINTS) { // others must replace them
		world->pairs[head].flags &= ~(uint32_t)RBL_PAIR_POSE_CACHED;
	}
}

void rbl_world_invalidate_pair(rbl_world *world, int pair)
{
	world->pairs[pair].flags &= ~(uint32_t)RBL_PAIR_POSE_CACHED;
	if (world->pairs[pair].flags & RBL_PAIR_MERGED) // the first pair of a list stands for all
		world->pairs[rbl_map_get(&world->merged_lists, list_key(world, pair))].flags &=
			~(uint32_t)RBL_PAIR_POSE_CACHED;
}

int rbl_world_nearest_contact(const rbl_world *world, int contact, rbl_vec3 point)
{
	int first = world->contacts.data[contact].pair, pair = first, best = contact;
	if (!(world->pairs[first].flags & RBL_PAIR_MERGED))
		return contact;
	float least = FLT_MAX;
	do {
		int other = world->pairs[pair].contact;
		const rbl_manifold *m = other == RBL_NONE ? NULL : &world->contacts.data[other].manifold;
		rbl_vec3 centroid = { 0.0f, 0.0f, 0.0f };
		for (int i = 0; m && i < m->point_count; ++i)
			centroid =
				rbl_add_scaled(centroid, 1.0f / (float)m->point_count, m->points[i].position);
		float square = rbl_length_squared(rbl_sub(centroid, point));
		if (m && m->point_count > 0 && square < least)
			least = square, best = other;
		pair = world->links[pair].next_merged;
	} while (pair != first);
	return best;
}

// --- normal clusters ----------------------------------------------------------------------------

// Pairs of a list with nearly the same normal.
typedef struct normal_cluster {
	rbl_vec3 normal;    // from the lower body to the other
	int representative; // a contact
	int pair;           // its own
} normal_cluster;

typedef struct manifold_merge {
	rbl_world *world;
	int first; // pair
	float slop;
	rbl_narrow_block *block;
	uint32_t internal;  // pairs that touch internal faces, by their place in the list
	bool has_materials; // parts may have different ones
	int cluster_count;
	normal_cluster clusters[MAX_CLUSTERS];
} manifold_merge;

static uint64_t values_of(const rbl_world *world, int part)
{
	int material = rbl_world_part_material_number(world, part, world->parts[part].child);
	return world->materials.data[material].contact_hash;
}

static uint64_t pair_materials(const rbl_world *world, int pair)
{
	return values_of(world, world->pairs[pair].a) + values_of(world, world->pairs[pair].b);
}

// Whether the numbers of materials alone tell that all pairs of a list have the same.
static bool are_materials_alike(const rbl_world *world, int first)
{
	const rbl_pair_record *pairs = world->pairs;
	int body_a = world->hot_parts[pairs[first].a].body;
	int a = world->parts[pairs[first].a].material, b = world->parts[pairs[first].b].material;
	int pair = first;
	do {
		int of_a = pairs[pair].a, of_b = pairs[pair].b;
		if (world->hot_parts[of_a].body != body_a)
			of_a = of_b, of_b = pairs[pair].a;
		if (world->parts[of_a].material != a || world->parts[of_b].material != b ||
		    world->parts[of_a].field || world->parts[of_b].field ||
		    (world->hot_parts[of_a].flags | world->hot_parts[of_b].flags) & RBL_PART_HAS_MATERIALS)
			return false;
		pair = world->links[pair].next_merged;
	} while (pair != first);
	return true;
}

// Whether contacts of a pair are as those of a cluster, in any order of materials: a contact has
// one friction. Numbers of materials would not do: a world that is replayed may have others.
static bool has_materials_of(const manifold_merge *m, int pair, int cluster)
{
	int other = m->clusters[cluster].pair;
	return !m->has_materials || pair == other ||
	       pair_materials(m->world, pair) == pair_materials(m->world, other);
}

// The first cluster with such a normal and the same materials; when there are too many, the one
// with the nearest normal. RBL_NONE: a new one.
static int find_cluster(const manifold_merge *m, rbl_vec3 normal, int pair)
{
	float most = -2.0f;
	int nearest = RBL_NONE;
	for (int i = 0; i < m->cluster_count; ++i) {
		float dot = rbl_dot(m->clusters[i].normal, normal);
		if (dot > cluster_cosine && has_materials_of(m, pair, i))
			return i;
		if (dot > most)
			most = dot, nearest = i;
	}
	return m->cluster_count < MAX_CLUSTERS ? RBL_NONE : nearest;
}

// The contact of a pair, unless it is with an internal face. NULL: it does not count.
static const rbl_world_contact *counted_contact(const manifold_merge *m, int pair, int place)
{
	bool is_internal = place < 32 && (m->internal >> place & 1);
	return is_internal ? NULL : rbl_world_merged_contact(m->world, pair);
}

// Those whose solver contacts have points come first, so that they stay representatives.
static void find_clusters(manifold_merge *m)
{
	const rbl_world *world = m->world;
	for (int has_points = 1; has_points >= 0; --has_points) {
		int pair = m->first, place = 0;
		do {
			const rbl_world_contact *contact = counted_contact(m, pair, place++);
			if (contact &&
			    rbl_solver_has_points(world->solver, contact->solver_contact) == has_points) {
				rbl_vec3 normal = rbl_world_merged_normal(world, contact);
				if (find_cluster(m, normal, pair) == RBL_NONE)
					m->clusters[m->cluster_count++] =
						(normal_cluster){ normal, world->pairs[pair].contact, pair };
			}
			pair = world->links[pair].next_merged;
		} while (pair != m->first);
	}
}

static bool is_representative(const manifold_merge *m, int contact)
{
	for (int i = 0; i < m->cluster_count; ++i)
		if (m->clusters[i].representative == contact)
			return true;
	return false;
}

// --- points -------------------------------------------------------------------------------------

typedef struct point_set {
	rbl_manifold_point points[MAX_CLUSTER_POINTS];
	int count;
} point_set;

static void move_to_front(point_set *c, int *chosen, int best)
{
	rbl_manifold_point point = c->points[best];
	c->points[best] = c->points[*chosen];
	c->points[(*chosen)++] = point;
}

// Of points `chosen` to `end`, the one with the highest score; RBL_NONE when none has one.
typedef float score_function(const point_set *c, int chosen, int i, rbl_vec3 normal);

static int find_best(const point_set *c, int chosen, int end, rbl_vec3 normal,
                     score_function *score)
{
	int best = RBL_NONE;
	float most = 1e-8f;
	for (int i = chosen; i < end; ++i) {
		float value = score(c, chosen, i, normal);
		if (value > most)
			most = value, best = i;
	}
	return best;
}

static float score_far(const point_set *c, int chosen, int i, rbl_vec3 normal)
{
	(void)chosen, (void)normal;
	return rbl_length_squared(rbl_sub(c->points[i].position, c->points[0].position));
}

// Twice the signed area of the triangle with the first two points.
static float signed_area(const point_set *c, int i, rbl_vec3 normal)
{
	rbl_vec3 edge = rbl_sub(c->points[1].position, c->points[0].position);
	return rbl_dot(normal, rbl_cross(edge, rbl_sub(c->points[i].position, c->points[0].position)));
}

static float score_left(const point_set *c, int chosen, int i, rbl_vec3 normal)
{
	(void)chosen;
	return signed_area(c, i, normal);
}

static float score_right(const point_set *c, int chosen, int i, rbl_vec3 normal)
{
	(void)chosen;
	return -signed_area(c, i, normal);
}

// How far outside of a side of the triangle.
static float score_outside(const point_set *c, int chosen, int i, rbl_vec3 normal)
{
	(void)chosen;
	float outwards = signed_area(c, 2, normal) > 0.0f ? -1.0f : 1.0f, most = 0.0f;
	for (int k = 0; k < 3; ++k) {
		rbl_vec3 from = c->points[k].position, to = c->points[(k + 1) % 3].position;
		rbl_vec3 arm = rbl_sub(c->points[i].position, from);
		float beyond = outwards * rbl_dot(normal, rbl_cross(rbl_sub(to, from), arm));
		most = rbl_maxf(most, beyond);
	}
	return most;
}

// Choose the most widely spread of points 0 to `end`, and move them to the front, where `chosen`
// are already.
static int choose_spread(point_set *c, int chosen, int end, rbl_vec3 normal)
{
	static score_function *const scores[] = { NULL, score_far, score_left, score_outside };
	while (chosen > 0 && chosen < RBL_MAX_MANIFOLD_POINTS) {
		int best = find_best(c, chosen, end, normal, scores[chosen]);
		if (best == RBL_NONE && chosen == 2) // all are to the right
			best = find_best(c, chosen, end, normal, score_right);
		if (best == RBL_NONE)
			break;
		move_to_front(c, &chosen, best);
	}
	return chosen;
}

// Manifold reduction: leave four points of all. Those that touch come first, beginning with the one
// farthest along a tangent, so that at rest the choice is the same in every step; the deepest is
// always among them.
static void reduce_points(point_set *c, rbl_vec3 normal, float slop)
{
	if (c->count <= RBL_MAX_MANIFOLD_POINTS)
		return;
	float deepest = FLT_MAX;
	for (int i = 0; i < c->count; ++i)
		deepest = rbl_minf(deepest, c->points[i].separation);
	int near = 0;
	for (int i = 0; i < c->count; ++i)
		if (c->points[i].separation <= rbl_maxf(deepest, 0.0f) + slop)
			move_to_front(c, &near, i);
	rbl_vec3 tangent =
		fabsf(normal.y) < 0.7f ? (rbl_vec3){ 0.0f, 1.0f, 0.0f } : (rbl_vec3){ 1.0f, 0.0f, 0.0f };
	int start = 0, chosen = 0;
	for (int i = 1; i < near; ++i)
		if (rbl_dot(c->points[i].position, tangent) > rbl_dot(c->points[start].position, tangent))
			start = i;
	move_to_front(c, &chosen, start);
	chosen = choose_spread(c, chosen, near, normal);
	chosen = choose_spread(c, chosen, c->count, normal);
	int least = 0;
	for (int i = 1; i < c->count; ++i)
		if (c->points[i].separation < c->points[least].separation)
			least = i;
	if (least >= chosen) {
		int place = rbl_mini(chosen, RBL_MAX_MANIFOLD_POINTS - 1);
		for (int i = 0; chosen == RBL_MAX_MANIFOLD_POINTS && i < chosen; ++i)
			if (rbl_length_squared(rbl_sub(c->points[i].position, c->points[least].position)) <
			    rbl_length_squared(rbl_sub(c->points[place].position, c->points[least].position)))
				place = i;
		c->points[place] = c->points[least];
		chosen = rbl_maxi(chosen, place + 1);
	}
	c->count = chosen;
}

static void add_points(const rbl_world *world, point_set *c, const rbl_world_contact *contact,
                       rbl_vec3 normal, float slop)
{
	if (c->count + RBL_MAX_MANIFOLD_POINTS > MAX_CLUSTER_POINTS)
		reduce_points(c, normal, slop);
	float deepest =
		contact->allowed_penetration > rbl_world_length(world, RBL_SOLVER_DEEP_PENETRATION)
			? -rbl_world_length(world, RBL_SOLVER_DEEP_PUSH)
			: -FLT_MAX;
	for (int i = 0; i < contact->manifold.point_count; ++i) {
		rbl_manifold_point point = contact->manifold.points[i];
		point.separation = rbl_maxf(point.separation + contact->allowed_penetration, deepest);
		point.id += (uint32_t)contact->pair * 2654435761u;
		c->points[c->count++] = point;
	}
}

// All points of a cluster as one manifold.
static rbl_manifold merge_cluster(const manifold_merge *m, int of)
{
	const rbl_world *world = m->world;
	rbl_vec3 normal = m->clusters[of].normal;
	point_set c;
	c.count = 0;
	int pair = m->first, place = 0;
	do {
		const rbl_world_contact *contact = counted_contact(m, pair, place++);
		if (contact && find_cluster(m, rbl_world_merged_normal(world, contact), pair) == of)
			add_points(m->world, &c, contact, normal, m->slop);
		pair = world->links[pair].next_merged;
	} while (pair != m->first);
	reduce_points(&c, normal, m->slop);
	rbl_manifold manifold = { .normal = normal, .point_count = c.count };
	memcpy(manifold.points, c.points, (size_t)c.count * sizeof *c.points);
	return manifold;
}

// --- in the solver ------------------------------------------------------------------------------

static void give_manifold_now(manifold_merge *m, int contact, const rbl_manifold *manifold)
{
	rbl_world *world = m->world;
	if (rbl_solver_update_manifold(world->solver, world->contacts.data[contact].solver_contact,
	                               manifold))
		return;
	rbl_new_manifold deferred = { .pair = contact, .manifold = *manifold };
	if (!rbl_array_push(&world->allocator, &m->block->found, deferred)) {
		world->pairs[m->first].flags &= ~(uint32_t)RBL_PAIR_POSE_CACHED;
		m->block->ran_out = true;
	}
}

// A representative without points inherits the solver contact of a pair that is one no longer.
static void inherit_contact(manifold_merge *m, int contact)
{
	rbl_world *world = m->world;
	rbl_world_contact *old = &world->contacts.data[contact], *best = NULL;
	rbl_vec3 normal = rbl_solver_report_contact(world->solver, old->solver_contact).normal;
	float most = takeover_cosine;
	for (int i = 0; i < m->cluster_count; ++i) {
		rbl_world_contact *representative = &world->contacts.data[m->clusters[i].representative];
		float dot = rbl_dot(normal, m->clusters[i].normal);
		if (dot > most && has_materials_of(m, old->pair, i) &&
		    !rbl_solver_has_points(world->solver, representative->solver_contact))
			most = dot, best = representative;
	}
	if (!best)
		return;
	rbl_solver_swap_contact_users(world->solver, old->solver_contact, best->solver_contact);
	int solver_contact = old->solver_contact;
	old->solver_contact = best->solver_contact;
	best->solver_contact = solver_contact;
}

// Take the points from contacts that do not represent a cluster.
static void clear_others(manifold_merge *m)
{
	rbl_world *world = m->world;
	const rbl_manifold none = { .point_count = 0 };
	int pair = m->first;
	do {
		int contact = world->pairs[pair].contact;
		if (contact != RBL_NONE && !is_representative(m, contact) &&
		    rbl_solver_has_points(world->solver, world->contacts.data[contact].solver_contact)) {
			inherit_contact(m, contact);
			if (rbl_solver_has_points(world->solver, world->contacts.data[contact].solver_contact))
				give_manifold_now(m, contact, &none);
		}
		pair = world->links[pair].next_merged;
	} while (pair != m->first);
}

// --- jammed rubble ------------------------------------------------------------------------------

// Fragments fill their places without a gap. When some of them have moved a little, others are
// wedged between them: contacts on all sides overlap by millimetres, push with a thousand times
// the weight of the fragment, and contradict each other, so that nothing near them comes to rest.
// Stone would crumble there. Half of the overlap of two such bodies that hardly move becomes
// allowed penetration at each update. A resting load never gets there: it takes more than a
// hundred times the weight of the lighter body for a millimetre. Shapes that cannot break, like
// floors, never yield.
static bool can_relax(const rbl_world *world, int body)
{
	const rbl_body *b = &world->bodies[body];
	return (b->compound || b->asset) &&
	       rbl_length(world->motions[body].velocity) < rbl_world_speed(world, jam_speed);
}

static void relax_jammed(rbl_world *world, int first)
{
	float allowed = rbl_world_length(world, jam_depth);
	int pair = first;
	do {
		rbl_world_contact *contact = rbl_world_merged_contact(world, pair)
		                                 ? &world->contacts.data[world->pairs[pair].contact]
		                                 : NULL;
		float least = 0.0f;
		for (int i = 0; contact && i < contact->manifold.point_count; ++i)
			least = rbl_minf(least, contact->manifold.points[i].separation);
		float depth = contact ? -least - contact->allowed_penetration : 0.0f;
		if (depth > allowed)
			contact->allowed_penetration += 0.5f * (depth - allowed);
		pair = world->links[pair].next_merged;
	} while (pair != first);
}

// --- all lists ----------------------------------------------------------------------------------

static void merge_pair_list(rbl_world *world, int first, float dt, rbl_narrow_block *block)
{
	const rbl_pair_record *pair = &world->pairs[first];
	int body_a = world->hot_parts[pair->a].body, body_b = world->hot_parts[pair->b].body;
	rbl_vec3 a = world->motions[body_a].velocity, b = world->motions[body_b].velocity;
	if (can_relax(world, body_a) && can_relax(world, body_b))
		relax_jammed(world, first);
	manifold_merge m = { .world = world,
		                 .first = first,
		                 .slop =
		                     rbl_world_length(world, touch_slop) + dt * rbl_length(rbl_sub(a, b)),
		                 .block = block,
		                 .internal = rbl_world_find_internal_faces(world, first) };
	m.has_materials =
		(world->motions[body_a].flags | world->motions[body_b].flags) & RBL_BODY_HAS_MATERIALS &&
		!are_materials_alike(world, first);
	find_clusters(&m);
	clear_others(&m);
	for (int i = 0; i < m.cluster_count; ++i) {
		rbl_manifold manifold = merge_cluster(&m, i);
		give_manifold_now(&m, m.clusters[i].representative, &manifold);
	}
}

typedef struct merge_work {
	rbl_world *world;
	const int32_t *lists; // first pairs
	float dt;
} merge_work;

static void merge_block(void *context, int begin, int end, int worker)
{
	(void)worker;
	const merge_work *work = context;
	for (int i = begin; i < end; ++i)
		merge_pair_list(work->world, work->lists[i], work->dt,
		                &work->world->blocks.data[begin / MERGE_BLOCK]);
}

// Contacts that gain or lose all points, in order.
static bool give_deferred_manifolds(rbl_world *world, rbl_narrow_block *block)
{
	bool ok = !block->ran_out;
	for (int i = 0; i < block->found.count; ++i) {
		const rbl_new_manifold *deferred = &block->found.data[i];
		if (rbl_solver_set_manifold(world->solver,
		                            world->contacts.data[deferred->pair].solver_contact,
		                            &deferred->manifold) == RBL_OK)
			continue;
		rbl_world_invalidate_pair(world, world->contacts.data[deferred->pair].pair);
		ok = false;
	}
	return ok;
}

bool rbl_world_merge_manifolds(rbl_world *world, float dt)
{
	int count = 0, n = 0;
	for (int i = 0; i < world->blocks.count; ++i)
		count += world->blocks.data[i].merged.count;
	if (count == 0)
		return true;
	rbl_arena_reset(&world->arena);
	int32_t *lists = RBL_ARENA_NEW(&world->arena, int32_t, count);
	for (int i = 0; i < world->blocks.count; ++i)
		for (int k = 0; k < world->blocks.data[i].merged.count; ++k) {
			int first = world->blocks.data[i].merged.data[k];
			if (lists)
				lists[n++] = first;
			else
				world->pairs[first].flags &= ~(uint32_t)RBL_PAIR_POSE_CACHED; // look again
		}
	if (!lists)
		return false;
	int block_count = (count + MERGE_BLOCK - 1) / MERGE_BLOCK;
	if (!rbl_world_reserve_blocks(world, block_count)) {
		for (int i = 0; i < count; ++i)
			world->pairs[lists[i]].flags &= ~(uint32_t)RBL_PAIR_POSE_CACHED;
		return false;
	}
	for (int i = 0; i < block_count; ++i)
		world->blocks.data[i].found.count = 0, world->blocks.data[i].ran_out = false;
	merge_work work = { world, lists, dt };
	rbl_parallel_for(world->def.jobs, count, MERGE_BLOCK, merge_block, &work);
	bool ok = true;
	for (int i = 0; i < block_count; ++i)
		ok &= give_deferred_manifolds(world, &world->blocks.data[i]);
	return ok;
}
