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
//
// Sides. The way out of a thin wall is the nearer side, and that is the wrong one for a point which
// has come past the middle since the last step. So a point that leads out by another side than it
// was seen on is followed back: the side on which it was before its motion in the step, or on which
// memory has it, counts as long as it is no farther away than the point can have moved since, and
// the body is on that side: its surface at the point looks the other way. A body that was put
// across the wall by hand, or pressed through it by another, has its back in the wall: it leaves by
// the side it is on.
//
// A collider has a field that is made for the query (collider_field.c), and rows of points
// (collider_points.c) instead of a tree.

#include "field/contact_query.h"

#include "field/collider_field.h"
#include "field/contact_motion.h"
#include "field/contact_select.h"
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
	const rbl_distance_field *fields[2]; // NULL: nothing is measured by it
	rbl_collider_field collider_field;   // of the side that has a collider
	rbl_collider_points collider_points;
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

	int32_t children[RBL_CONTACT_BATCH]; // of a collider, nearest to each point of a batch
} contact_way;

// --- a batch ------------------------------------------------------------------------------------

// What a batch says of a point.
typedef struct measured_point {
	rbl_vec3 own;    // where it is in its own frame,
	rbl_vec3 placed; // and in that of the field
	rbl_vec3 gradient;
	float distance, gap;
	uint32_t id;
	int32_t rank;
	int32_t child; // of the collider
} measured_point;

// The distance inside of a field to its surface along a direction; more than `most` when there is
// none so near.
static float way_through(const rbl_distance_field *field, rbl_vec3 p, rbl_vec3 direction,
                         float most)
{
	enum { STEPS = 24 };
	const float least = 0.01f; // of `most`
	float way = 0.0f;
	for (int i = 0; i < STEPS && way <= most; ++i) {
		rbl_vec3 at = rbl_add_scaled(p, way, direction);
		float distance, bound;
		rbl_distance_field_evaluate(field, &at, 1, &distance, &bound, NULL);
		if (distance >= 0.0f)
			return rbl_maxf(way - distance, 0.0f);
		way += rbl_maxf(-distance, least * most);
	}
	return FLT_MAX;
}

// Have a point leave by a side, when that is no farther away than `most`.
static bool leave_by(const contact_way *way, measured_point *point, rbl_vec3 side, float most)
{
	float through = way_through(way->field, point->placed, side, most);
	if (through > most)
		return false;
	point->gradient = side;
	point->distance = point->gap = -through;
	return true;
}

// How far a point may have gone in by a side within the step.
static float moved_in(rbl_vec3 path, rbl_vec3 side)
{
	const float share = 1.5f, slack = 1e-4f; // metres
	return share * rbl_maxf(-rbl_dot(path, side), 0.0f) + slack;
}

// From the frame of the field to that of the points.
static rbl_vec3 turn_back(const rbl_contact_motion *motion, rbl_vec3 v)
{
	const rbl_mat3 *r = &motion->rotation;
	return (rbl_vec3){ rbl_dot(r->x, v), rbl_dot(r->y, v), rbl_dot(r->z, v) };
}

// Whether the body of a point is on a side of what it is in: its surface at the point looks away
// from it. Where the surface looks neither way, as along edges across the wall, the centre of the
// body tells. It is not asked first: that of a ring which hangs on a peg is below it.
static bool is_on_side(const contact_way *way, const measured_point *point, rbl_vec3 side)
{
	const float clearly = 0.3f; // cosine
	const contact_query *query = way->query;
	const rbl_field_side *own = query->sides[way->is_b];
	rbl_vec3 direction = turn_back(&way->motion, side);
	if (own->shape && own->shape->field) {
		float distance, bound;
		rbl_vec3 outward;
		rbl_distance_field_evaluate(own->shape->field, &point->own, 1, &distance, &bound, &outward);
		float facing = rbl_dot(outward, direction);
		if (fabsf(facing) > clearly)
			return facing < 0.0f;
	} else if (own->collider && rbl_collider_is_surface(own->collider)) {
		return true; // of all that it is the surface of no more than this is known
	}
	rbl_box box = own->shape ? own->shape->tree.bounds : query->collider_points.bounds;
	rbl_vec3 centre = rbl_scale(0.5f, rbl_add(box.lower, box.upper));
	return rbl_dot(rbl_sub(centre, point->own), direction) > 0.0f;
}

// The side that a point inside came from.
static void choose_side(const contact_way *way, measured_point *point)
{
	const float turned = -0.2f; // cosine
	const rbl_contact_motion *motion = &way->motion;
	const rbl_field_contact_memory *memory = way->query->memory;
	rbl_vec3 velocity =
		rbl_add(motion->velocity, rbl_cross(motion->angular_velocity, point->placed));
	rbl_vec3 path = rbl_scale(motion->dt, velocity);
	uint32_t id = point->id | (way->is_b ? RBL_FIELD_POINT_OF_B : 0);
	// As memory has it or, for a point that was not among the few, as memory has another.
	int side_of = -1;
	for (int i = 0; memory && i < memory->count; ++i) {
		bool is_opposite = rbl_dot(memory->normals[i], point->gradient) < turned;
		if (memory->ids[i] == id) {
			side_of = i;
			break;
		}
		if (is_opposite && way->is_b == ((memory->ids[i] & RBL_FIELD_POINT_OF_B) != 0) &&
		    (side_of < 0 || memory->separations[i] < memory->separations[side_of]))
			side_of = i;
	}
	if (side_of >= 0 && rbl_dot(memory->normals[side_of], point->gradient) < turned &&
	    is_on_side(way, point, memory->normals[side_of]) &&
	    leave_by(way, point, memory->normals[side_of],
	             rbl_maxf(-memory->separations[side_of], 0.0f) +
	                 moved_in(path, memory->normals[side_of])))
		return;
	// Within the step it came in, and leads on.
	if (rbl_dot(path, point->gradient) <= -point->distance)
		return;
	rbl_vec3 before = rbl_sub(point->placed, path), side;
	float distance, bound;
	rbl_distance_field_evaluate(way->field, &before, 1, &distance, &bound, &side);
	if (distance > 0.0f && rbl_dot(side, point->gradient) < turned && is_on_side(way, point, side))
		leave_by(way, point, side, moved_in(path, side));
}

static void take_point(contact_way *way, const measured_point *given)
{
	contact_query *query = way->query;
	measured_point chosen = *given, *measured = &chosen;
	if (given->distance < 0.0f)
		choose_side(way, measured);
	rbl_touching_point *point = &query->found[query->found_count++];
	*point = (rbl_touching_point){ .separation = measured->distance,
		                           .gap = measured->gap,
		                           .rank = measured->rank,
		                           .id = measured->id | (way->is_b ? RBL_FIELD_POINT_OF_B : 0),
		                           .child_a = query->sides[0]->collider ? measured->child : 0,
		                           .child_b = query->sides[1]->collider ? measured->child : 0 };
	rbl_vec3 gradient = measured->gradient;
	if (way->is_b) { // placed and measured in the frame of A
		point->position = measured->own;
		rbl_quat a = query->sides[0]->pose.rotation, b = query->sides[1]->pose.rotation;
		point->normal = rbl_rotate_inverse(b, rbl_rotate(a, gradient));
	} else {
		point->position = measured->placed;
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

// Points of a batch, in the frame of the field.
typedef struct point_batch {
	rbl_vec3 placed[RBL_CONTACT_BATCH], gradients[RBL_CONTACT_BATCH];
	float distances[RBL_CONTACT_BATCH], bounds[RBL_CONTACT_BATCH];
} point_batch;

// Kernels look at eight at a time: those after the last have nothing.
static void clear_rest(point_batch *batch, int count)
{
	for (int i = count; i < ((count + 7) & ~7); ++i) {
		batch->gradients[i] = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
		batch->distances[i] = batch->bounds[i] = 0.0f;
	}
}

// Measure points. Those that touch are taken unless memory had them; branches that matter are
// opened, unless these are points from memory, which the visit will come to again.
static void visit_batch(contact_way *way, const int32_t *ranks, int count, bool is_from_memory)
{
	point_batch batch;
	rbl_vec3 *placed = batch.placed, *gradients = batch.gradients;
	float *distances = batch.distances, *bounds = batch.bounds;
	float gaps[RBL_CONTACT_BATCH], needs[RBL_CONTACT_BATCH];
	clear_rest(&batch, count);
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
		take_point(way, &(measured_point){ way->tree->positions[rank], placed[i], gradients[i],
		                                   distances[i], gaps[i], way->tree->ids[rank], rank,
		                                   way->children[i] });
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

// --- points of a collider -----------------------------------------------------------------------

static const int32_t in_order[RBL_CONTACT_BATCH] = {
	0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
	16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
};

// The point moves over the ball along the gradient as far as that helps: half a dozen steps are
// within a degree.
void rbl_sink_ball(const rbl_distance_field *field, float radius, rbl_vec3 disc, rbl_vec3 *placed,
                   rbl_vec3 *gradient, float *distance, float *bound)
{
	enum { STEPS = 12 };
	const float enough = 1e-3f; // radians
	bool is_disc = rbl_length_squared(disc) > 0.0f;
	rbl_vec3 centre = *placed, out = *gradient, best_gradient = *gradient;
	float best = FLT_MAX, share = 1.0f;
	for (int step = 0; step < STEPS; ++step) {
		rbl_vec3 way_out = out, p, g;
		if (step > 0) {
			rbl_vec3 turn = rbl_sub(best_gradient, out);
			if (rbl_length_squared(turn) * share * share < enough * enough)
				break;
			way_out = rbl_normalize(rbl_add_scaled(out, share, turn));
		}
		if (is_disc) {
			rbl_vec3 across = rbl_add_scaled(way_out, -rbl_dot(way_out, disc), disc);
			way_out = rbl_length_squared(across) > 1e-6f ? rbl_normalize(across)
			                                             : rbl_normalize(rbl_perpendicular(disc));
		}
		float d, b;
		p = rbl_add_scaled(centre, -radius, way_out);
		rbl_distance_field_evaluate(field, &p, 1, &d, &b, &g);
		if (d < best) {
			best = d, best_gradient = g, out = way_out, share = rbl_minf(2.0f * share, 1.0f);
			*placed = p, *gradient = g, *distance = d, *bound = b;
		} else {
			share *= 0.35f;
		}
	}
}

static void measure_points(contact_way *way, const rbl_collider_point *const *points, int count)
{
	rbl_vec3 own[RBL_CONTACT_BATCH];
	point_batch batch;
	rbl_vec3 *placed = batch.placed, *gradients = batch.gradients;
	float *distances = batch.distances, *bounds = batch.bounds;
	clear_rest(&batch, count);
	float gaps[RBL_CONTACT_BATCH], needs[RBL_CONTACT_BATCH];
	const rbl_contact_motion *motion = &way->motion;
	float most = motion->tolerance + motion->margin;
	for (int i = 0; i < count; ++i)
		own[i] = points[i]->position;
	RBL_PICK(rbl_contact_place)(motion, own, in_order, count, placed);
	rbl_distance_field_evaluate(way->field, placed, count, distances, bounds, gradients);
	for (int i = 0; i < count; ++i) {
		float radius = points[i]->radius;
		if (radius == 0.0f)
			continue;
		if (distances[i] - bounds[i] - radius < most)
			rbl_sink_ball(way->field, radius, rbl_mat_vec(motion->rotation, points[i]->disc),
			              &placed[i], &gradients[i], &distances[i], &bounds[i]);
		else
			distances[i] -= radius;
	}
	RBL_PICK(rbl_contact_classify)
	(&way->motion, placed, count, distances, bounds, gradients, gaps, needs);
	way->visited += count;
	for (int i = 0; i < count; ++i) {
		if (gaps[i] == FLT_MAX)
			continue;
		rbl_vec3 g = gradients[i];
		if (-rbl_dot(turn_back(motion, g), points[i]->axis) < points[i]->cosine)
			continue;
		rbl_vec3 position = turn_back(motion, rbl_sub(placed[i], motion->translation));
		take_point(way, &(measured_point){ position, placed[i], g, distances[i], gaps[i],
		                                   points[i]->id, 0, points[i]->child });
	}
}

// Which of some rows may touch. Rows of one point always do: checking costs as much.
static void check_rows(const contact_way *way, const rbl_point_row *rows, int count, bool *matters)
{
	rbl_vec3 centres[RBL_CONTACT_BATCH];
	point_batch batch;
	float gaps[RBL_CONTACT_BATCH], needs[RBL_CONTACT_BATCH];
	clear_rest(&batch, count);
	for (int i = 0; i < count; ++i)
		centres[i] = rows[i].centre;
	RBL_PICK(rbl_contact_place)(&way->motion, centres, in_order, count, batch.placed);
	rbl_distance_field_evaluate(way->field, batch.placed, count, batch.distances, batch.bounds,
	                            batch.gradients);
	RBL_PICK(rbl_contact_classify)
	(&way->motion, batch.placed, count, batch.distances, batch.bounds, batch.gradients, gaps,
	 needs);
	for (int i = 0; i < count; ++i)
		matters[i] = rows[i].count == 1 || rows[i].radius >= needs[i];
}

static void visit_rows(contact_way *way)
{
	const rbl_collider_points *all = &way->query->collider_points;
	const rbl_collider_point *batch[RBL_CONTACT_BATCH];
	int size = 0;
	for (int first = 0; first < all->row_count; first += RBL_CONTACT_BATCH) {
		bool matters[RBL_CONTACT_BATCH];
		int row_count = rbl_mini(all->row_count - first, RBL_CONTACT_BATCH);
		check_rows(way, all->rows + first, row_count, matters);
		for (int i = 0; i < row_count; ++i) {
			const rbl_point_row *row = &all->rows[first + i];
			for (int k = 0; k < row->count && matters[i]; ++k) {
				if (way->visited + size >= way->visit_budget) {
					way->has_stopped = true;
					break;
				}
				batch[size++] = &all->points[row->first + k];
				if (size == RBL_CONTACT_BATCH)
					measure_points(way, batch, size), size = 0;
			}
		}
	}
	if (size > 0)
		measure_points(way, batch, size);
}

// --- ways ---------------------------------------------------------------------------------------

static int first_wanted(const rbl_field_contact_settings *settings)
{
	return settings->selection == RBL_SELECT_FULL     ? INT32_MAX
	       : settings->selection == RBL_SELECT_CHOSEN ? settings->gather_count
	                                                  : settings->point_count;
}

static int point_count(const contact_query *query, bool is_b)
{
	const rbl_field_shape *shape = query->sides[is_b]->shape;
	return shape ? shape->tree.count : query->collider_points.count;
}

static bool has_way(const contact_query *query, bool is_b)
{
	return point_count(query, is_b) > 0 && query->fields[!is_b];
}

// The most points that a way can find.
static int way_capacity(const contact_query *query, bool is_b)
{
	return has_way(query, is_b) ? rbl_mini(point_count(query, is_b), query->settings->visit_budget)
	                            : 0;
}

// Points of a shape.
static rbl_result run_tree(contact_way *way, rbl_arena *arena, const rbl_sphere_tree *tree)
{
	const contact_query *query = way->query;
	int word_count = rbl_bit_words(tree->count);
	way->tree = tree;
	way->branches = RBL_ARENA_NEW(arena, open_branch, way_capacity(query, way->is_b));
	way->marked = RBL_ARENA_NEW(arena, uint64_t, 2 * (size_t)word_count);
	if (!way->branches || !way->marked)
		return RBL_OUT_OF_MEMORY;
	memset(way->marked, 0, 2 * (size_t)word_count * sizeof *way->marked);
	way->taken = way->marked + word_count;
	if (query->memory && query->memory->wanted[way->is_b] > way->wanted)
		way->wanted = query->memory->wanted[way->is_b];
	if (query->settings->selection == RBL_SELECT_CHOSEN)
		visit_memory(way);
	if (query->settings->selection == RBL_SELECT_NAIVE)
		visit_breadth_first(way);
	else
		visit_by_levels(way);
	return RBL_OK;
}

static rbl_result run_way(contact_query *query, rbl_arena *arena, bool is_b)
{
	if (!has_way(query, is_b))
		return RBL_OK;
	const rbl_field_contact_settings *settings = query->settings;
	const rbl_field_shape *shape = query->sides[is_b]->shape;
	rbl_box bounds = shape ? shape->tree.bounds : query->collider_points.bounds;
	contact_way way = {
		.query = query,
		.field = query->fields[!is_b],
		.is_b = is_b,
		.motion =
			rbl_contact_motion_between(query->sides[is_b], bounds, query->sides[!is_b], settings),
		.wanted = first_wanted(settings),
		.visit_budget = settings->visit_budget,
	};
	if (query->sides[!is_b]->collider)
		query->collider_field.children = way.children;
	rbl_result result = RBL_OK;
	if (shape)
		result = run_tree(&way, arena, &shape->tree);
	else
		visit_rows(&way);
	query->collider_field.children = NULL;
	query->result->visited[is_b] = way.visited;
	query->result->found[is_b] = way.found;
	query->result->has_stopped[is_b] = way.has_stopped;
	return result;
}

// --- colliders ----------------------------------------------------------------------------------

// How far points near the shape may move towards each other within the step.
static float largest_motion(const rbl_field_side *shape, rbl_box box,
                            const rbl_field_side *collider, float dt)
{
	float radius = rbl_length(rbl_max(rbl_neg(box.lower), box.upper));
	float apart = rbl_distance(shape->pose.position, collider->pose.position) + radius;
	return dt * (rbl_distance(shape->velocity, collider->velocity) +
	             rbl_length(shape->angular_velocity) * radius +
	             rbl_length(collider->angular_velocity) * apart);
}

// The fields of both sides, and the points of a collider.
static rbl_result prepare_sides(contact_query *query, rbl_arena *arena)
{
	for (int i = 0; i < 2; ++i)
		if (query->sides[i]->shape)
			query->fields[i] = query->sides[i]->shape->field;
	if (query->sides[0]->shape && query->sides[1]->shape)
		return RBL_OK;
	int index = query->sides[1]->collider ? 1 : 0; // of the collider
	const rbl_field_side *side = query->sides[index], *other = query->sides[!index];
	const rbl_field_contact_settings *settings = query->settings;
	rbl_box box = rbl_field_side_box(other);
	float motion = largest_motion(other, box, side, settings->dt);
	rbl_collider_visit visit = {
		.collider = side->collider,
		.other_to_collider = rbl_transform_relative(side->pose, other->pose),
		.other_box = box,
		.reach = settings->tolerance + rbl_minf(settings->margin, motion),
		.tolerance = settings->tolerance,
	};
	rbl_result result = rbl_collider_field_init(&query->collider_field, &visit, arena);
	query->fields[index] = &query->collider_field.head;
	if (result == RBL_OK && other->shape->field)
		result = rbl_collider_points_gather(&visit, &query->collider_field, arena,
		                                    &query->collider_points);
	return result;
}

// --- the query ----------------------------------------------------------------------------------

rbl_result rbl_check_field_side(const rbl_field_side *side, const char *name)
{
	if (!side || (!side->shape && !side->collider))
		return rbl_fail(RBL_BAD_ARGUMENT, "%s %s is NULL", side ? "the shape of side" : "side",
		                name);
	if (side->shape && side->collider)
		return rbl_fail(RBL_BAD_ARGUMENT, "side %s has a shape and a collider", name);
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
		is_right = memory->ranks[i] >= 0 && rbl_length(memory->normals[i]) < 1.01f &&
		           fabsf(memory->separations[i]) <= FLT_MAX;
	for (int way = 0; memory && is_right && way < 2; ++way)
		is_right = memory->wanted[way] >= 0 && memory->wanted[way] <= RBL_MAX_FIELD_VISITS;
	return is_right ? RBL_OK
	                : rbl_fail(RBL_BAD_ARGUMENT, "memory is not what a query left; zero it");
}

// Out of the body that measured a point, in its frame.
static rbl_vec3 way_out(const contact_query *query, const rbl_touching_point *point)
{
	if (!(point->id & RBL_FIELD_POINT_OF_B))
		return rbl_neg(point->normal);
	rbl_quat a = query->sides[0]->pose.rotation, b = query->sides[1]->pose.rotation;
	return rbl_rotate_inverse(a, rbl_rotate(b, point->normal));
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
		memory.normals[i] = way_out(query, point);
		memory.separations[i] = point->separation;
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
	bool is_past = rbl_contact_goes_past(query->sides[0], query->sides[1], settings) ||
	               rbl_contact_goes_past(query->sides[1], query->sides[0], settings);
	if (!is_past && prepare_sides(query, arena) != RBL_OK)
		return RBL_OUT_OF_MEMORY;
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
	rbl_result result = rbl_check_field_side(a, "A");
	result = result == RBL_OK ? rbl_check_field_side(b, "B") : result;
	if (result == RBL_OK && !a->shape && !b->shape)
		result = rbl_fail(RBL_BAD_ARGUMENT, "neither side has a shape");
	result = result == RBL_OK ? check_settings(settings) : result;
	result = result == RBL_OK ? check_memory(memory) : result;
	if (result != RBL_OK)
		return result;
	rbl_field_contact_list made = { 0 };
	contact_query query = {
		.sides = { a, b }, .settings = settings, .memory = memory, .result = &made
	};
	if (run_query(&query, arena, memory) != RBL_OK)
		return rbl_fail(RBL_OUT_OF_MEMORY, "no memory for the contacts of two fields");
	*contacts = made;
	return RBL_OK;
}
