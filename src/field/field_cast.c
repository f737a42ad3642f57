// SPDX-License-Identifier: MIT
//
// Sweeps of bodies by their fields, and rays.
//
// A sweep is conservative advancement, point by point. A point at some distance from a surface,
// less the error of the field, cannot touch it before it has gone as far; there the distance is
// measured again. The same goes for a ball around a point, so a whole branch of a sphere tree
// advances as one until its ball may touch, and then falls apart into its point and the branches
// below, which go on from there. What gets as far as the earliest hit so far is dropped.
//
// Who arrives within the separation is a hit when the rest of the motion leads on into the surface.
// Others graze: they slide along a floor, or leave it. They are followed with steps of the
// separation, or three while nothing changes, and are a hit when they have sunk in by so much.
// Distances count as they are then, without the error: that changes from place to place, and a body
// at rest would be stopped by it. A caller that leaves some depth to contacts is not given the
// first point that touches but the first that goes deeper than that, and all others count as
// grazing: what comes round later may go deeper than what has touched first.
//
// Far from the surface a field is coarse, and its error may be larger than the distance. No surface
// is where the error is larger than it is at any surface, so points go on there by a part of the
// distance.
//
// Nothing of a convex is in front of the plane that its nearest point and the direction from there
// give. What stays in front of that plane for the rest of the motion, or dips in by less than
// counts, is done: all of a body that slides along a floor, but for the points that sink in. Others
// go on until they may be at that plane, in one step.
//
// Meshes and height fields are met from both sides: a point that sets out behind one, deeper than
// the separation, sees its back as its front.
//
// A step is never less than a fixed share of the motion: a point that slides over a kilometre
// within a step is followed with strides of half a metre, and time always goes on.

#include "field/collider_field.h"
#include "field/contact_select.h"
#include "field/field_kernels.h"

#include "base/log.h"
#include "base/math.h"

// --- motions ------------------------------------------------------------------------------------

// From a pose by a translation, rotating evenly about its origin.
typedef struct sweep_motion {
	rbl_transform start;
	rbl_vec3 translation, axis;
	float angle; // >= 0
} sweep_motion;

static sweep_motion motion_to(rbl_transform from, rbl_transform to)
{
	sweep_motion m = { .start = from, .translation = rbl_sub(to.position, from.position) };
	rbl_quat turn = rbl_quat_mul(to.rotation, rbl_quat_conjugate(from.rotation));
	rbl_vec3 v = { turn.x, turn.y, turn.z };
	float sine = rbl_length(v);
	if (sine > 0.0f) {
		m.axis = rbl_scale((turn.w < 0.0f ? -1.0f : 1.0f) / sine, v);
		m.angle = 2.0f * rbl_atan2f(sine, fabsf(turn.w));
	}
	return m;
}

static rbl_transform pose_at(const sweep_motion *m, float time)
{
	rbl_transform pose = m->start;
	pose.position = rbl_add_scaled(pose.position, time, m->translation);
	if (m->angle > 0.0f) {
		rbl_quat turn = rbl_quat_from_axis_angle(m->axis, time * m->angle);
		pose.rotation = rbl_quat_normalize(rbl_quat_mul(turn, pose.rotation));
	}
	return pose;
}

// --- points on their way ------------------------------------------------------------------------

// A point, or a branch of a tree: all within a radius of it.
typedef struct traveller {
	int32_t index; // rank in the tree, or number of a collider's point
	float time;
	float radius;
	float grazed;   // the distance from which on it grazes; INFINITY: it does not
	bool is_branch; // has others below that have not set out
	int8_t side;    // 1: outside is in front of a surface, -1: behind it; 0: not known yet
} traveller;

// Points of one body and the field of the other.
typedef struct sweep {
	sweep_motion motion;
	rbl_transform still; // the pose of the body that does not move
	bool moves_points;   // else the field moves
	float separation, depth, slack, rounding;
	rbl_transform end;                          // of the motion
	const rbl_sphere_tree *tree;                // of a shape,
	const rbl_collider_points *collider_points; // or of a collider
	const rbl_distance_field *field;
	float surface_error;     // of the field
	bool is_surface;         // the field is that of a mesh collider or height field
	bool is_convex;          // it is that of a convex or a plane, which does not move
	const int32_t *children; // of the collider that is the field, nearest to each of a batch

	traveller *travellers; // a stack
	int count;
	rbl_cast_hit best;
} sweep;

static rbl_vec3 point_of(const sweep *s, int index)
{
	return s->tree ? s->tree->positions[index] : s->collider_points->points[index].position;
}

// The most that a point moves in the whole motion, as the field sees it.
static float path_length(const sweep *s, rbl_vec3 point)
{
	float arm = rbl_length(point);
	if (!s->moves_points) {
		rbl_vec3 world = rbl_transform_point(s->still, point);
		rbl_vec3 from = s->motion.start.position, to = rbl_add(from, s->motion.translation);
		arm = rbl_maxf(rbl_distance(world, from), rbl_distance(world, to));
	}
	return rbl_length(s->motion.translation) + s->motion.angle * arm;
}

// Where a point is at some time, in the world and as the field sees it.
typedef struct placed_point {
	rbl_transform pose; // of what moves
	rbl_vec3 world, local;
} placed_point;

// @param pose  of what moves, at that time
static placed_point place(const sweep *s, rbl_vec3 point, rbl_transform pose)
{
	placed_point placed = { .pose = pose };
	placed.world = rbl_transform_point(s->moves_points ? placed.pose : s->still, point);
	placed.local =
		rbl_transform_point_inverse(s->moves_points ? s->still : placed.pose, placed.world);
	return placed;
}

// A direction of the points' frame in the field's.
static rbl_vec3 turned(const sweep *s, const placed_point *placed, rbl_vec3 direction)
{
	rbl_quat points = s->moves_points ? placed->pose.rotation : s->still.rotation;
	rbl_quat field = s->moves_points ? s->still.rotation : placed->pose.rotation;
	return rbl_rotate_inverse(field, rbl_rotate(points, direction));
}

// The way out of the target, in the world.
static rbl_vec3 normal_of(const sweep *s, const placed_point *placed, rbl_vec3 gradient)
{
	return s->moves_points ? rbl_rotate(s->still.rotation, gradient)
	                       : rbl_neg(rbl_rotate(placed->pose.rotation, gradient));
}

// How far the rest of the motion leads into the target.
static float rest_of_way(const sweep *s, const placed_point *placed, rbl_vec3 normal, float time)
{
	rbl_vec3 arm = rbl_sub(placed->world, placed->pose.position);
	rbl_vec3 by_rotation = rbl_scale(s->motion.angle, rbl_cross(s->motion.axis, arm));
	return -(1.0f - time) * rbl_dot(normal, rbl_add(s->motion.translation, by_rotation));
}

// Whether a point that has sunk in by so much, or less than zero when it does not touch yet, ends
// deeper than is allowed. One that dips in and comes out again is followed: it is stopped when it
// has sunk in as far.
static bool ends_deep(const sweep *s, const placed_point *placed, rbl_vec3 normal, float sunk)
{
	if (s->depth <= 0.0f)
		return true;
	rbl_vec3 local = rbl_transform_point_inverse(placed->pose, placed->world);
	rbl_vec3 rest = rbl_sub(rbl_transform_point(s->end, local), placed->world);
	return sunk + rbl_maxf(-rbl_dot(normal, rest), 0.0f) > s->depth;
}

static void keep_hit(sweep *s, const placed_point *placed, rbl_vec3 normal, float time, int child)
{
	if (s->best.is_hit && time >= s->best.fraction)
		return;
	s->best = (rbl_cast_hit){ .fraction = time,
		                      .point = placed->world,
		                      .normal = rbl_normalize(normal),
		                      .child = child,
		                      .is_hit = true };
}

// The branches below a point of a tree set out on their own.
static void part(sweep *s, const traveller *t)
{
	if (!t->is_branch)
		return;
	for (int i = s->tree->child_starts[t->index]; i < s->tree->child_starts[t->index + 1]; ++i) {
		int child = s->tree->children[i], first = s->tree->child_starts[child];
		bool is_branch = first < s->tree->child_starts[child + 1];
		s->travellers[s->count++] = (traveller){ .index = child,
			                                     .time = t->time,
			                                     .radius = is_branch ? s->tree->radii[first] : 0.0f,
			                                     .grazed = INFINITY,
			                                     .is_branch = is_branch };
	}
}

// Behind a surface, distances are seen from there.
static void take_side(const sweep *s, traveller *t, float *distance, rbl_vec3 *gradient)
{
	if (t->is_branch) {
		*distance = fabsf(*distance);
		return;
	}
	if (t->side == 0)
		t->side = *distance < -2.0f * s->separation ? -1 : 1;
	if (t->side < 0)
		*distance = -*distance, *gradient = rbl_neg(*gradient);
}

// How the point of a traveller goes on, seen from the plane in front of a convex. It follows an
// arc, which is off its chord by no more than |x''| / 8; everything below stays within the radius.
typedef struct plane_approach {
	float change; // of the height until the end of the motion, along the chord
	float off_chord;
} plane_approach;

static plane_approach approach_plane(const sweep *s, const traveller *t, const placed_point *placed,
                                     rbl_vec3 gradient)
{
	rbl_vec3 point = point_of(s, t->index);
	rbl_vec3 last = rbl_transform_point_inverse(s->still, rbl_transform_point(s->end, point));
	float turn = (1.0f - t->time) * s->motion.angle;
	return (plane_approach){ .change = rbl_dot(gradient, rbl_sub(last, placed->local)),
		                     .off_chord = 0.125f * turn * turn * rbl_length(point) };
}

// The least height above the plane that anything of a traveller has from now on.
static float least_height(const sweep *s, const traveller *t, const plane_approach *approach,
                          float distance, float bound)
{
	return distance + rbl_minf(approach->change, 0.0f) - approach->off_chord - t->radius - bound -
	       s->rounding;
}

// The time that goes by at least before anything of a traveller is within the separation of the
// plane, and so of the convex.
static float time_to_plane(const sweep *s, const traveller *t, const plane_approach *approach,
                           float distance, float bound)
{
	float clear = distance - approach->off_chord - t->radius - bound - s->rounding - s->separation;
	float rest = 1.0f - t->time;
	return clear > 0.0f ? rest * (clear / rbl_maxf(-approach->change, clear)) : 0.0f;
}

// Whether a traveller cannot be a hit, as far as the plane in front of a convex tells.
static bool passes_by(const sweep *s, const traveller *t, const plane_approach *approach,
                      float distance, float bound)
{
	float least = least_height(s, t, approach, distance, bound);
	if (s->depth > 0.0f) // what is inside already may sink as far as others
		return least > (t->is_branch ? 0.0f : rbl_minf(distance, 0.0f)) - s->depth;
	return least > s->separation + s->slack;
}

// Let a traveller go on from where it was measured.
static void advance(sweep *s, traveller t, const placed_point *placed, float distance, float bound,
                    rbl_vec3 gradient, int child)
{
	const float share = 0.25f;             // of a distance where the field is coarse
	const float stride = 3.0f;             // separations, while nothing changes
	const float min_step = 1.0f / 2048.0f; // of the motion, however far it leads
	plane_approach approach = { 0.0f, 0.0f };
	if (s->is_convex) {
		approach = approach_plane(s, &t, placed, gradient);
		if (passes_by(s, &t, &approach, distance, bound))
			return;
	}
	float path = path_length(s, point_of(s, t.index)), signed_distance = distance;
	if (s->is_surface)
		take_side(s, &t, &distance, &gradient);
	float least = distance - bound - s->rounding;
	float step = least - t.radius - s->separation;
	if (step <= s->slack && t.is_branch) {
		part(s, &t);
		t.radius = 0.0f, t.is_branch = false;
		distance = signed_distance;
		if (s->is_surface)
			take_side(s, &t, &distance, &gradient);
		least = distance - bound - s->rounding;
		step = least - s->separation;
	}
	if (!t.is_branch && bound > s->surface_error)
		step = rbl_maxf(step, share * (distance - s->separation));
	float in_front = 0.0f; // of the plane in front of a convex, for so long
	if (step > s->slack) {
		t.grazed = INFINITY;
		if (s->is_convex)
			in_front = time_to_plane(s, &t, &approach, distance, bound);
	} else {
		rbl_vec3 normal = normal_of(s, placed, gradient);
		if (t.grazed == INFINITY)
			t.grazed = distance;
		float start = rbl_minf(t.grazed, 0.0f), sunk = start - distance;
		float lowest = start - rbl_maxf(s->separation, s->depth);
		bool leads_in = rest_of_way(s, placed, normal, t.time) > s->separation;
		if ((leads_in || sunk >= s->separation) && ends_deep(s, placed, normal, sunk)) {
			keep_hit(s, placed, normal, t.time, child);
			return;
		}
		if (s->is_convex && !leads_in &&
		    least_height(s, &t, &approach, distance, 0.0f) > start - s->separation)
			return;
		bool is_level = fabsf(distance - t.grazed) < s->slack; // it slides along
		step = is_level ? stride * s->separation : rbl_maxf(distance - lowest, s->slack);
	}
	t.time += path > 0.0f ? rbl_maxf(rbl_maxf(step / path, in_front), min_step) : 2.0f;
	if (t.time <= 1.0f && t.time < s->best.fraction)
		s->travellers[s->count++] = t;
}

// Measure the topmost travellers and let them go on.
static void advance_batch(sweep *s)
{
	traveller batch[RBL_CONTACT_BATCH];
	placed_point placed[RBL_CONTACT_BATCH];
	rbl_vec3 locals[RBL_CONTACT_BATCH], gradients[RBL_CONTACT_BATCH];
	float distances[RBL_CONTACT_BATCH], bounds[RBL_CONTACT_BATCH], last = -1.0f;
	rbl_transform pose = s->motion.start;
	int count = 0;
	while (count < RBL_CONTACT_BATCH && s->count > 0) {
		traveller t = s->travellers[--s->count];
		if (t.time >= s->best.fraction && s->best.is_hit)
			continue;
		if (t.time != last) // branches that part set out at the same time
			pose = pose_at(&s->motion, t.time), last = t.time;
		placed[count] = place(s, point_of(s, t.index), pose);
		locals[count] = placed[count].local;
		batch[count++] = t;
	}
	rbl_distance_field_evaluate(s->field, locals, count, distances, bounds, gradients);
	for (int i = 0; i < count; ++i) {
		int child = s->children ? s->children[i] : 0;
		if (!s->tree) {
			const rbl_collider_point *point = &s->collider_points->points[batch[i].index];
			child = s->moves_points ? 0 : point->child;
			if (point->radius > 0.0f) {
				if (distances[i] - bounds[i] - point->radius > s->separation + s->slack)
					distances[i] -= point->radius;
				else
					rbl_sink_ball(s->field, point->radius, turned(s, &placed[i], point->disc),
					              &locals[i], &gradients[i], &distances[i], &bounds[i]);
				placed[i].local = locals[i];
				placed[i].world =
					rbl_transform_point(s->moves_points ? s->still : placed[i].pose, locals[i]);
			}
		}
		advance(s, batch[i], &placed[i], distances[i], bounds[i], gradients[i], child);
	}
}

static void run_sweep(sweep *s)
{
	s->count = 0;
	if (s->tree) {
		bool is_branch = s->tree->count > 1;
		s->travellers[s->count++] = (traveller){ .radius = is_branch ? s->tree->radii[0] : 0.0f,
			                                     .grazed = INFINITY,
			                                     .is_branch = is_branch };
	} else {
		for (int i = s->collider_points->count - 1; i >= 0; --i)
			s->travellers[s->count++] = (traveller){ .index = i, .grazed = INFINITY };
	}
	while (s->count > 0)
		advance_batch(s);
}

// --- two bodies ---------------------------------------------------------------------------------

typedef struct cast_query {
	const rbl_field_side *moving, *target;
	sweep_motion motion;
	float separation, depth;
	rbl_collider_field collider_field; // of the side that has a collider
	rbl_collider_points collider_points;
	int32_t children[RBL_CONTACT_BATCH];
	rbl_cast_hit best;
} cast_query;

static rbl_box box_of(const rbl_field_shape *shape)
{
	rbl_box box = shape->tree.count > 0 ? shape->tree.bounds : rbl_box_empty();
	return shape->field ? rbl_box_join(box, shape->field->info.bounds) : box;
}

static rbl_result prepare_collider(cast_query *query, rbl_arena *arena)
{
	const rbl_field_side *side = query->moving->collider ? query->moving : query->target;
	const rbl_field_side *other = query->moving->collider ? query->target : query->moving;
	if (!side->collider)
		return RBL_OK;
	rbl_box box = box_of(other->shape);
	float arm = rbl_length(rbl_max(rbl_neg(box.lower), box.upper));
	if (query->moving->collider) // rotates about its own origin
		arm += rbl_distance(side->pose.position, other->pose.position) +
		       rbl_length(query->motion.translation);
	float path = rbl_length(query->motion.translation) + query->motion.angle * arm;
	rbl_collider_visit visit = {
		.collider = side->collider,
		.other_to_collider = rbl_transform_relative(side->pose, other->pose),
		.other_box = box,
		.reach = path + 2.0f * query->separation,
		.is_sweep = true,
	};
	rbl_result result = rbl_collider_field_init(&query->collider_field, &visit, arena);
	if (result == RBL_OK && other->shape->field)
		result = rbl_collider_points_gather(&visit, &query->collider_field, arena,
		                                    &query->collider_points);
	query->collider_field.children = query->children;
	return result;
}

// Points of one side against the field of the other.
static rbl_result sweep_points(cast_query *query, bool moves_points, rbl_arena *arena)
{
	const rbl_field_side *points = moves_points ? query->moving : query->target;
	const rbl_field_side *field = moves_points ? query->target : query->moving;
	const rbl_sphere_tree *tree = points->shape ? &points->shape->tree : NULL;
	int count = tree ? tree->count : query->collider_points.count;
	rbl_box bounds = tree ? tree->bounds : query->collider_points.bounds;
	rbl_vec3 most = rbl_max(rbl_neg(bounds.lower), bounds.upper);
	sweep s = {
		.motion = query->motion,
		.still = query->target->pose,
		.moves_points = moves_points,
		.separation = query->separation,
		.depth = query->depth,
		.end = pose_at(&query->motion, 1.0f),
		.tree = tree,
		.collider_points = &query->collider_points,
		.field = field->shape ? field->shape->field : &query->collider_field.head,
		.children = field->collider && moves_points ? query->children : NULL,
		.best = query->best,
	};
	if (count == 0 || !s.field)
		return RBL_OK;
	s.surface_error = field->shape ? s.field->info.surface_error : INFINITY;
	bool is_plane = field->collider && field->collider->kind == RBL_COLLIDER_PLANE;
	s.is_surface = field->collider && rbl_collider_is_surface(field->collider) && !is_plane;
	s.is_convex = field->collider && (field->collider->polyhedron || is_plane) && moves_points;
	s.rounding = 1e-6f * (rbl_distance(points->pose.position, field->pose.position) +
	                      rbl_length(query->motion.translation) +
	                      2.0f * rbl_maxf(rbl_maxf(most.x, most.y), most.z));
	s.slack = 0.1f * query->separation;
	s.travellers = RBL_ARENA_NEW(arena, traveller, count + RBL_CONTACT_BATCH);
	if (!s.travellers)
		return RBL_OUT_OF_MEMORY;
	run_sweep(&s);
	query->best = s.best;
	return RBL_OK;
}

static rbl_result check_cast(const rbl_field_side *moving, rbl_transform to,
                             const rbl_field_side *target, float separation, float depth)
{
	rbl_result result = rbl_check_field_side(moving, "moving");
	result = result == RBL_OK ? rbl_check_field_side(target, "target") : result;
	if (result != RBL_OK)
		return result;
	if (!moving->shape && !target->shape)
		return rbl_fail(RBL_BAD_ARGUMENT, "neither side has a shape");
	if (!rbl_is_usable_pose(to))
		return rbl_fail(RBL_BAD_ARGUMENT, "the last pose is not a finite rigid motion");
	if (!(separation > 0.0f && separation < INFINITY))
		return rbl_fail(RBL_BAD_ARGUMENT, "separation is %g, must be > 0", (double)separation);
	if (!(depth >= 0.0f && depth < INFINITY))
		return rbl_fail(RBL_BAD_ARGUMENT, "depth is %g, must be >= 0", (double)depth);
	if (moving->collider && rbl_collider_is_surface(moving->collider))
		return rbl_fail(RBL_UNSUPPORTED, "a mesh, height field or plane cannot be cast");
	return RBL_OK;
}

rbl_result rbl_cast_field_motion(const rbl_field_side *moving, rbl_transform to,
                                 const rbl_field_side *target, float separation, float depth,
                                 rbl_arena *arena, rbl_cast_hit *hit)
{
	*hit = (rbl_cast_hit){ .fraction = 1.0f };
	rbl_result result = check_cast(moving, to, target, separation, depth);
	if (result != RBL_OK)
		return result;
	cast_query query = { .moving = moving,
		                 .target = target,
		                 .motion = motion_to(moving->pose, to),
		                 .separation = separation,
		                 .depth = depth,
		                 .best = { .fraction = 1.0f } };
	result = prepare_collider(&query, arena);
	result = result == RBL_OK ? sweep_points(&query, true, arena) : result;
	result = result == RBL_OK ? sweep_points(&query, false, arena) : result;
	if (result != RBL_OK)
		return rbl_fail(RBL_OUT_OF_MEMORY, "no memory for a cast of fields");
	*hit = query.best;
	return RBL_OK;
}

// --- rays ---------------------------------------------------------------------------------------

typedef struct field_ray {
	const rbl_distance_field *field;
	rbl_vec3 from, translation; // in the frame of the field
} field_ray;

static float ray_distance(const field_ray *ray, float time, float *bound, rbl_vec3 *gradient)
{
	rbl_vec3 p = rbl_add_scaled(ray->from, time, ray->translation);
	float distance;
	rbl_distance_field_evaluate(ray->field, &p, 1, &distance, bound, gradient);
	return distance;
}

// The time at which the distance becomes zero, between one outside and one inside.
static float find_zero(const field_ray *ray, float outside, float inside)
{
	for (int i = 0; i < 24; ++i) {
		float middle = 0.5f * (outside + inside), bound;
		if (ray_distance(ray, middle, &bound, NULL) > 0.0f)
			outside = middle;
		else
			inside = middle;
	}
	return inside;
}

rbl_result rbl_field_shape_cast_ray(const rbl_field_shape *shape, rbl_transform pose, rbl_vec3 from,
                                    rbl_vec3 translation, rbl_cast_hit *hit)
{
	if (!hit)
		return rbl_fail(RBL_BAD_ARGUMENT, "hit is NULL");
	*hit = (rbl_cast_hit){ .fraction = 1.0f };
	if (!shape || !shape->field)
		return rbl_fail(RBL_BAD_ARGUMENT, "%s", shape ? "the shape has no field" : "shape is NULL");
	if (!rbl_is_usable_pose(pose) || !rbl_is_usable(from) || !rbl_is_usable(translation))
		return rbl_fail(RBL_BAD_ARGUMENT, "the pose or the ray is not finite");
	// Where the surface may be, half of the distance is a step; and never less than this part of
	// a cell.
	const float least_step = 0.02f, share = 0.5f;
	field_ray ray = { shape->field, rbl_transform_point_inverse(pose, from),
		              rbl_rotate_inverse(pose.rotation, translation) };
	float length = rbl_length(translation), time = 0.0f, last = 0.0f, bound;
	float cell = rbl_maxf(shape->field->info.cell_size,
	                      1e-3f * rbl_length(rbl_box_size(shape->field->info.bounds)));
	rbl_vec3 gradient;
	for (float distance; time <= 1.0f; last = time, time += distance / length) {
		distance = ray_distance(&ray, time, &bound, &gradient);
		if (distance <= 0.0f) {
			bool is_start = time == 0.0f;
			time = is_start ? 0.0f : find_zero(&ray, last, time);
			ray_distance(&ray, time, &bound, &gradient);
			rbl_vec3 none = { 0.0f, 0.0f, 0.0f };
			*hit = (rbl_cast_hit){ .fraction = time,
				                   .point = rbl_add_scaled(from, time, translation),
				                   .normal = is_start ? none : rbl_rotate(pose.rotation, gradient),
				                   .is_hit = true };
			return RBL_OK;
		}
		distance = rbl_maxf(rbl_maxf(distance - bound, share * rbl_minf(distance, cell)),
		                    least_step * cell);
		if (!(length > 0.0f))
			break;
	}
	return RBL_OK;
}
