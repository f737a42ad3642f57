// SPDX-License-Identifier: MIT
//
// Contacts between two bodies by distance fields and sphere trees (Glondu et al. 2014, sections 3
// and 5).
//
// A way is the points of one body against the field of the other. Its tree is visited level by
// level, and within a level by rank, so that any number of points visited first are spread evenly
// over what may touch. A child is visited when the distance of its parent, less what the field's
// error and the motion of a step may take off, is smaller than the radius kept for the child
// (sphere_tree.h). What is left out is farther away than the tolerance, now and after the step:
// nothing that touches is missed unless the way stops early.
//
// Against Algorithm 1 of the paper: its line 24 should read "Q2 is empty"; a node that it queues
// again is not a contact again; the two ways have a budget each, for one of both would be used up
// by the first. Levels sorted by rank spread better than its alternation of parents, and a bit per
// rank sorts them for nothing. Searching on for deeper contacts once enough are found, as the paper
// does, visits nearly every point while two cracks lie on each other. So a way stops, and may find
// more in the next step as long as what it found is deep.
//
// Points of the last step are measured first, wherever they are in the tree: contact_select.c
// prefers them.

#include "field/contact_query.h"

#include "field/contact_select.h"
#include "field/field.h"
#include "field/field_kernels.h"

#include "base/bits.h"
#include "base/log.h"
#include "base/vec.h"

rbl_field_contact_settings rbl_default_field_contact_settings(void)
{
	return (rbl_field_contact_settings){
		.selection = RBL_SELECT_CHOSEN,
		.tolerance = 0.0f,
		.margin = 0.03f,
		.dt = 1.0f / 60.0f,
		.deep = 0.0005f,
		.point_count = RBL_MAX_FIELD_CONTACTS,
		.gather_count = 48,
		.visit_budget = 2048,
	};
}

typedef struct contact_query {
	const rbl_field_side *sides[2];
	const rbl_field_contact_settings *settings;
	const rbl_field_contact_memory *memory; // or NULL
	rbl_touching_point *found;
	int found_count;
	rbl_field_contact_list *result;
} contact_query;

// A branch of a tree that may still hold contacts.
typedef struct open_branch {
	int32_t rank;
	int32_t next; // of its children, in the tree's list
	float need;
} open_branch;

// Points of one body against the field of the other.
typedef struct contact_way {
	contact_query *query;
	const rbl_sphere_tree *tree;
	const rbl_distance_field *field;
	bool is_b; // the points are B's
	rbl_contact_motion motion;
	int wanted, visit_budget;
	int visited, found;
	bool has_stopped;

	open_branch *branches;
	int branch_count;
	uint64_t *marked; // ranks to be visited in this level
	uint64_t *taken;  // ranks that were taken from memory
} contact_way;

// --- a batch ------------------------------------------------------------------------------------

static void take_point(contact_way *way, int rank, rbl_vec3 placed, rbl_vec3 gradient,
                       float distance, float gap)
{
	contact_query *query = way->query;
	rbl_touching_point *point = &query->found[query->found_count++];
	point->separation = distance;
	point->gap = gap;
	point->rank = rank;
	point->id = way->tree->ids[rank] | (way->is_b ? RBL_FIELD_POINT_OF_B : 0);
	if (way->is_b) { // placed and measured in the frame of A
		point->position = way->tree->positions[rank];
		rbl_quat a = query->sides[0]->pose.rotation, b = query->sides[1]->pose.rotation;
		point->normal = rbl_rotate_inverse(b, rbl_rotate(a, gradient));
	} else {
		point->position = placed;
		point->normal = rbl_neg(gradient);
	}
	way->found++;
}

static void open_children(contact_way *way, int rank, float need)
{
	const rbl_sphere_tree *tree = way->tree;
	int first = tree->child_starts[rank];
	if (first < tree->child_starts[rank + 1] && tree->radii[first] > need)
		way->branches[way->branch_count++] = (open_branch){ rank, first, need };
}

static bool is_enough(const contact_way *way)
{
	return way->found >= way->wanted;
}

// Measure points. Those that touch are taken unless memory had them; branches that matter are
// opened, unless these are points from memory, which the visit will come to again.
static void visit_batch(contact_way *way, const int32_t *ranks, int count, bool is_from_memory)
{
	rbl_vec3 placed[RBL_CONTACT_BATCH] = { 0 }, gradients[RBL_CONTACT_BATCH] = { 0 };
	float distances[RBL_CONTACT_BATCH] = { 0 }, bounds[RBL_CONTACT_BATCH] = { 0 };
	float gaps[RBL_CONTACT_BATCH], needs[RBL_CONTACT_BATCH];
	RBL_PICK(rbl_contact_place)(&way->motion, way->tree->positions, ranks, count, placed);
	rbl_distance_field_evaluate(way->field, placed, count, distances, bounds, gradients);
	RBL_PICK(rbl_contact_classify)
	(&way->motion, placed, count, distances, bounds, gradients, gaps, needs);
	way->visited += count;
	for (int i = 0; i < count; ++i) {
		int rank = ranks[i];
		uint64_t bit = (uint64_t)1 << (rank & 63);
		if (!is_from_memory)
			open_children(way, rank, needs[i]);
		if (gaps[i] == FLT_MAX || (way->taken[rank >> 6] & bit))
			continue;
		if (is_from_memory)
			way->taken[rank >> 6] |= bit;
		take_point(way, rank, placed[i], gradients[i], distances[i], gaps[i]);
		if (is_enough(way) && !is_from_memory) {
			way->has_stopped = i + 1 < count;
			return;
		}
	}
}

// --- visits -------------------------------------------------------------------------------------

// @return how many points may be visited at once; 0: the way has stopped
static int next_batch_size(contact_way *way)
{
	int left = rbl_mini(way->visit_budget - way->visited, RBL_CONTACT_BATCH);
	if (is_enough(way) || left <= 0) {
		way->has_stopped = true;
		return 0;
	}
	return left;
}

// Mark the children of open branches that belong to the level which ends before rank `end`.
// Branches that have children left which matter stay open.
static void mark_level(contact_way *way, int end)
{
	const rbl_sphere_tree *tree = way->tree;
	int kept = 0;
	for (int i = 0; i < way->branch_count; ++i) {
		open_branch branch = way->branches[i];
		int last = tree->child_starts[branch.rank + 1], k = branch.next;
		for (; k < last && tree->children[k] < end && tree->radii[k] > branch.need; ++k)
			way->marked[tree->children[k] >> 6] |= (uint64_t)1 << (tree->children[k] & 63);
		branch.next = k;
		if (k < last && tree->radii[k] > branch.need)
			way->branches[kept++] = branch;
	}
	way->branch_count = kept;
}

// Visit the marked ranks from `begin` to `end`, ascending.
static void visit_level(contact_way *way, int begin, int end)
{
	int32_t ranks[RBL_CONTACT_BATCH];
	int count = 0;
	for (int word = begin >> 6; word <= (end - 1) >> 6; ++word) {
		uint64_t bits = way->marked[word];
		for (; bits; bits &= bits - 1) {
			int size = count == 0 ? next_batch_size(way) : RBL_CONTACT_BATCH;
			if (size == 0)
				return;
			ranks[count++] = (word << 6) + rbl_lowest_one(bits);
			if (count == rbl_mini(RBL_CONTACT_BATCH, way->visit_budget - way->visited)) {
				visit_batch(way, ranks, count, false);
				count = 0;
			}
		}
		way->marked[word] = 0;
	}
	if (count > 0)
		visit_batch(way, ranks, count, false);
}

static void visit_by_levels(contact_way *way)
{
	const rbl_sphere_tree *tree = way->tree;
	way->marked[0] = 1;
	for (int begin = 0, end; begin < tree->count && !way->has_stopped; begin = end) {
		end = rbl_order_level_end(begin, tree->exact_count, tree->count);
		if (begin > 0 && way->branch_count == 0) // nothing below matters
			break;
		mark_level(way, end);
		visit_level(way, begin, end);
	}
}

// Children follow the children of whoever was visited before their parent.
static void visit_breadth_first(contact_way *way)
{
	const rbl_sphere_tree *tree = way->tree;
	int32_t ranks[RBL_CONTACT_BATCH] = { 0 };
	int count = 1, size = 1;
	for (int done = 0; count > 0 && size > 0 && !way->has_stopped;) {
		visit_batch(way, ranks, count, false);
		for (count = 0, size = RBL_CONTACT_BATCH; count < size && done < way->branch_count;) {
			open_branch *branch = &way->branches[done];
			if (branch->next < tree->child_starts[branch->rank + 1] &&
			    tree->radii[branch->next] > branch->need) {
				size = count == 0 ? next_batch_size(way) : size;
				ranks[count++] = tree->children[branch->next++];
			} else {
				done++;
			}
		}
	}
}

static void visit_memory(contact_way *way)
{
	const rbl_field_contact_memory *memory = way->query->memory;
	int32_t ranks[RBL_CONTACT_BATCH];
	int count = 0;
	for (int i = 0; memory && i < memory->count; ++i) {
		int rank = memory->ranks[i];
		uint32_t id = memory->ids[i];
		if (way->is_b == ((id & RBL_FIELD_POINT_OF_B) != 0) && rank < way->tree->count &&
		    way->tree->ids[rank] == (id & ~RBL_FIELD_POINT_OF_B))
			ranks[count++] = rank;
	}
	count = rbl_mini(count, way->visit_budget);
	if (count > 0)
		visit_batch(way, ranks, count, true);
}

// --- ways ---------------------------------------------------------------------------------------

static int first_wanted(const rbl_field_contact_settings *settings)
{
	return settings->selection == RBL_SELECT_FULL     ? INT32_MAX
	       : settings->selection == RBL_SELECT_CHOSEN ? settings->gather_count
	                                                  : settings->point_count;
}

static float largest_coordinate(rbl_box box)
{
	rbl_vec3 most = rbl_max(rbl_neg(box.lower), box.upper);
	return rbl_maxf(rbl_maxf(most.x, most.y), most.z);
}

// Where points of one side are in the frame of the other, and how they move there.
static rbl_contact_motion motion_between(const rbl_field_side *points, const rbl_field_side *field,
                                         const rbl_field_contact_settings *settings)
{
	rbl_transform relative = rbl_transform_relative(field->pose, points->pose);
	rbl_vec3 arm = rbl_sub(field->pose.position, points->pose.position);
	rbl_vec3 velocity = rbl_add(rbl_sub(points->velocity, field->velocity),
	                            rbl_cross(points->angular_velocity, arm));
	rbl_vec3 angular = rbl_sub(points->angular_velocity, field->angular_velocity);
	float size =
		rbl_length(relative.position) + 2.0f * largest_coordinate(points->shape->tree.bounds);
	return (rbl_contact_motion){
		.rotation = rbl_quat_to_mat(relative.rotation),
		.translation = relative.position,
		.velocity = rbl_rotate_inverse(field->pose.rotation, velocity),
		.angular_velocity = rbl_rotate_inverse(field->pose.rotation, angular),
		.dt = settings->dt,
		.tolerance = settings->tolerance,
		.margin = settings->margin,
		.rounding = 1e-6f * size,
	};
}

static bool has_way(const contact_query *query, bool is_b)
{
	return query->sides[is_b]->shape->tree.count > 0 && query->sides[!is_b]->shape->field;
}

// The most points that a way can find.
static int way_capacity(const contact_query *query, bool is_b)
{
	return has_way(query, is_b)
	           ? rbl_mini(query->sides[is_b]->shape->tree.count, query->settings->visit_budget)
	           : 0;
}

static rbl_result run_way(contact_query *query, rbl_arena *arena, bool is_b)
{
	if (!has_way(query, is_b))
		return RBL_OK;
	const rbl_field_contact_settings *settings = query->settings;
	const rbl_sphere_tree *tree = &query->sides[is_b]->shape->tree;
	int word_count = rbl_bit_words(tree->count);
	contact_way way = {
		.query = query,
		.tree = tree,
		.field = query->sides[!is_b]->shape->field,
		.is_b = is_b,
		.motion = motion_between(query->sides[is_b], query->sides[!is_b], settings),
		.wanted = first_wanted(settings),
		.visit_budget = settings->visit_budget,
		.branches = RBL_ARENA_NEW(arena, open_branch, way_capacity(query, is_b)),
		.marked = RBL_ARENA_NEW(arena, uint64_t, 2 * (size_t)word_count),
	};
	if (!way.branches || !way.marked)
		return RBL_OUT_OF_MEMORY;
	memset(way.marked, 0, 2 * (size_t)word_count * sizeof *way.marked);
	way.taken = way.marked + word_count;
	if (query->memory && query->memory->wanted[is_b] > way.wanted)
		way.wanted = query->memory->wanted[is_b];
	if (settings->selection == RBL_SELECT_CHOSEN)
		visit_memory(&way);
	if (settings->selection == RBL_SELECT_NAIVE)
		visit_breadth_first(&way);
	else
		visit_by_levels(&way);
	query->result->visited[is_b] = way.visited;
	query->result->found[is_b] = way.found;
	query->result->has_stopped[is_b] = way.has_stopped;
	return RBL_OK;
}

// --- the query ----------------------------------------------------------------------------------

static rbl_result check_side(const rbl_field_side *side, const char *name)
{
	if (!side || !side->shape)
		return rbl_fail(RBL_BAD_ARGUMENT, "%s %s is NULL", side ? "the shape of side" : "side",
		                name);
	if (!rbl_is_usable_pose(side->pose))
		return rbl_fail(RBL_BAD_ARGUMENT, "the pose of side %s is not a finite rigid motion", name);
	if (!rbl_is_usable(side->velocity) || !rbl_is_usable(side->angular_velocity))
		return rbl_fail(RBL_BAD_ARGUMENT, "the velocity of side %s is not finite", name);
	return RBL_OK;
}

static rbl_result check_settings(const rbl_field_contact_settings *s)
{
	if ((int)s->selection < 0 || s->selection >= RBL_SELECT_COUNT)
		return rbl_fail(RBL_BAD_ARGUMENT, "there is no selection %d", (int)s->selection);
	if (!(s->tolerance >= 0.0f && s->tolerance < INFINITY))
		return rbl_fail(RBL_BAD_ARGUMENT, "tolerance is %g, must be >= 0", (double)s->tolerance);
	if (!(s->margin >= 0.0f))
		return rbl_fail(RBL_BAD_ARGUMENT, "margin is %g, must be >= 0", (double)s->margin);
	if (!(s->dt >= 0.0f && s->dt < INFINITY))
		return rbl_fail(RBL_BAD_ARGUMENT, "dt is %g, must be >= 0", (double)s->dt);
	if (!(s->touching >= 0.0f))
		return rbl_fail(RBL_BAD_ARGUMENT, "touching is %g, must be >= 0", (double)s->touching);
	if (!(s->deep >= 0.0f))
		return rbl_fail(RBL_BAD_ARGUMENT, "deep is %g, must be >= 0", (double)s->deep);
	bool is_chosen = s->selection == RBL_SELECT_CHOSEN;
	int most = is_chosen ? RBL_MAX_FIELD_CONTACTS : RBL_MAX_FIELD_VISITS;
	if (s->point_count < 1 || s->point_count > most)
		return rbl_fail(RBL_BAD_ARGUMENT, "point_count is %d, must be 1 to %d", s->point_count,
		                most);
	if (s->gather_count < 1)
		return rbl_fail(RBL_BAD_ARGUMENT, "gather_count is %d, must be > 0", s->gather_count);
	if (s->visit_budget < 1 || s->visit_budget > RBL_MAX_FIELD_VISITS)
		return rbl_fail(RBL_BAD_ARGUMENT, "visit_budget is %d, must be 1 to %d", s->visit_budget,
		                RBL_MAX_FIELD_VISITS);
	return RBL_OK;
}

static rbl_result check_memory(const rbl_field_contact_memory *memory)
{
	bool is_right = !memory || (memory->count >= 0 && memory->count <= RBL_MAX_FIELD_CONTACTS);
	for (int i = 0; memory && is_right && i < memory->count; ++i)
		is_right = memory->ranks[i] >= 0;
	for (int way = 0; memory && is_right && way < 2; ++way)
		is_right = memory->wanted[way] >= 0 && memory->wanted[way] <= RBL_MAX_FIELD_VISITS;
	return is_right ? RBL_OK
	                : rbl_fail(RBL_BAD_ARGUMENT, "memory is not what a query left; zero it");
}

// What the next step needs to know. Ways that had to stop with deep points go further then.
// @param chosen  as in rbl_make_manifolds()
static rbl_field_contact_memory remember(const contact_query *query, const int *chosen, int count)
{
	const rbl_field_contact_settings *settings = query->settings;
	rbl_field_contact_memory memory = { .count = rbl_mini(count, RBL_MAX_FIELD_CONTACTS) };
	for (int i = 0; i < memory.count; ++i) {
		const rbl_touching_point *point = &query->found[chosen ? chosen[i] : i];
		memory.ids[i] = point->id;
		memory.ranks[i] = point->rank;
	}
	if (settings->selection == RBL_SELECT_FIXED || settings->selection == RBL_SELECT_FULL)
		return memory;
	float deepest[2] = { 0.0f, 0.0f };
	for (int i = 0; i < query->found_count; ++i) {
		int way = (query->found[i].id & RBL_FIELD_POINT_OF_B) != 0;
		deepest[way] = rbl_minf(deepest[way], query->found[i].separation);
	}
	for (int way = 0; way < 2; ++way) {
		int least = first_wanted(settings), wanted = query->memory->wanted[way];
		wanted = rbl_maxi(wanted, least);
		if (deepest[way] >= -settings->deep)
			wanted -= rbl_maxi(1, wanted / 8);
		else if (query->result->has_stopped[way])
			wanted += rbl_maxi(1, wanted / 4);
		memory.wanted[way] = rbl_mini(rbl_maxi(wanted, least), settings->visit_budget);
	}
	return memory;
}

// Both ways, then what to make of their points.
static rbl_result run_query(contact_query *query, rbl_arena *arena,
                            rbl_field_contact_memory *memory)
{
	const rbl_field_contact_settings *settings = query->settings;
	rbl_field_contact_list *made = query->result;
	size_t capacity = (size_t)way_capacity(query, false) + (size_t)way_capacity(query, true);
	query->found = RBL_ARENA_NEW(arena, rbl_touching_point, capacity);
	rbl_result result = query->found ? RBL_OK : RBL_OUT_OF_MEMORY;
	for (int way = 0; way < 2 && result == RBL_OK; ++way)
		result = run_way(query, arena, way == 1);
	if (result != RBL_OK)
		return result;
	int indices[RBL_MAX_FIELD_CONTACTS], *chosen = NULL, count = query->found_count;
	if (settings->selection == RBL_SELECT_CHOSEN && count > 0) {
		chosen = indices;
		count = rbl_choose_points(query->found, count, settings, memory, arena, indices);
	}
	rbl_field_contact *points = count >= 0 ? RBL_ARENA_NEW(arena, rbl_field_contact, count) : NULL;
	rbl_transform pose_b = query->sides[1]->pose;
	float slop = RBL_SLOP_OF_DEEP * settings->deep;
	if (!points || !rbl_make_manifolds(query->found, query->found_count, chosen, count, pose_b,
	                                   slop, settings->touching, arena, made))
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < count; ++i)
		points[i] = rbl_place_contact(&query->found[chosen ? chosen[i] : i], pose_b);
	made->points = points;
	made->point_count = count;
	if (memory)
		*memory = remember(query, chosen, count);
	return RBL_OK;
}

rbl_result rbl_find_field_contacts(const rbl_field_side *a, const rbl_field_side *b,
                                   const rbl_field_contact_settings *settings, rbl_arena *arena,
                                   rbl_field_contact_memory *memory,
                                   rbl_field_contact_list *contacts)
{
	*contacts = (rbl_field_contact_list){ 0 };
	rbl_result result = check_side(a, "A");
	result = result == RBL_OK ? check_side(b, "B") : result;
	result = result == RBL_OK ? check_settings(settings) : result;
	result = result == RBL_OK ? check_memory(memory) : result;
	if (result != RBL_OK)
		return result;
	rbl_field_contact_list made = { 0 };
	contact_query query = { { a, b }, settings, memory, NULL, 0, &made };
	if (run_query(&query, arena, memory) != RBL_OK)
		return rbl_fail(RBL_OUT_OF_MEMORY, "no memory for the contacts of two fields");
	*contacts = made;
	return RBL_OK;
}
