// SPDX-License-Identifier: MIT
// Queries, compared with testing every body.

#include "../test.h"
#include "breakable.h"

enum { COUNT = 120 };

static rbl_vec3 random_place(rbl_random *random, float size)
{
	rbl_vec3d p = rbl_random_in_ball(random);
	return rbl_scale(size, (rbl_vec3){ (float)p.x, (float)p.y, (float)p.z });
}

static void fill(scene *s)
{
	rbl_world_def def = scene_def(s, 1);
	scene_create(s, &def);
	scene_add_floor(s);
	scene_add_pile(s, COUNT, 9);
	scene_steps(s, 40);
}

// The first of all hits, by asking every part.
static bool reference_ray(const scene *s, rbl_vec3 from, rbl_vec3 translation, rbl_world_hit *best,
                          int *count)
{
	rbl_body_id bodies[COUNT + 1];
	int n = rbl_world_get_bodies(s->world, bodies, COUNT + 1);
	bool has_hit = false;
	*count = 0;
	for (int i = 0; i < n; ++i) {
		rbl_body_part part;
		rbl_body_get_parts(s->world, bodies[i], &part, 1);
		rbl_cast_hit hit;
		rbl_collider_cast_ray(part.collider, part.pose, from, translation, &hit);
		if (!hit.is_hit)
			continue;
		++*count;
		if (!has_hit || hit.fraction < best->fraction)
			*best =
				(rbl_world_hit){ bodies[i], part.part, hit.fraction, hit.point, hit.normal, 0.0f };
		has_hit = true;
	}
	return has_hit;
}

static void rays_agree_with_asking_all(test *t)
{
	scene s;
	fill(&s);
	rbl_random random = rbl_random_from_seed(2);
	int hits = 0;
	for (int i = 0; i < 300; ++i) {
		rbl_vec3 from = random_place(&random, 6.0f), translation = random_place(&random, 8.0f);
		rbl_world_hit hit, best = { .fraction = 1.0f }, all[COUNT];
		int reference;
		bool is_hit = reference_ray(&s, from, translation, &best, &reference);
		CHECK(t, rbl_world_cast_ray(s.world, from, translation, NULL, &hit) == is_hit);
		CHECK(t, rbl_world_is_ray_blocked(s.world, from, translation, NULL) == is_hit);
		CHECK(t, rbl_world_cast_ray_all(s.world, from, translation, NULL, all, COUNT) == reference);
		if (!is_hit)
			continue;
		hits++;
		CHECK(t, hit.fraction == best.fraction && hit.body.index == best.body.index);
		CHECK(t, all[0].fraction == best.fraction);
		for (int k = 1; k < reference; ++k)
			CHECK(t, all[k - 1].fraction <= all[k].fraction);
		if (reference > 2) {
			rbl_world_hit few[2];
			CHECK(t, rbl_world_cast_ray_all(s.world, from, translation, NULL, few, 2) == reference);
			CHECK(t, few[1].fraction == all[1].fraction);
		}
	}
	CHECK(t, hits > 100);
	scene_destroy(&s);
}

static void overlaps_agree_with_asking_all(test *t)
{
	scene s;
	fill(&s);
	rbl_random random = rbl_random_from_seed(4);
	rbl_body_id bodies[COUNT + 1];
	int n = rbl_world_get_bodies(s.world, bodies, COUNT + 1), found = 0;
	for (int i = 0; i < 100; ++i) {
		rbl_vec3 centre = random_place(&random, 3.0f);
		rbl_box box = rbl_box_grow((rbl_box){ centre, centre }, 0.2f + 0.01f * (float)(i % 50));
		int reference = 0, touched = 0;
		rbl_transform pose = { centre, rbl_quat_identity() };
		for (int k = 0; k < n; ++k) {
			reference += rbl_box_overlaps(box, rbl_body_bounds(s.world, bodies[k]));
			rbl_body_part part;
			rbl_body_get_parts(s.world, bodies[k], &part, 1);
			rbl_separation gap;
			rbl_collider_distance(s.capsule, pose, part.collider, part.pose, 1.0f, &gap);
			touched += gap.distance <= 0.0f;
		}
		rbl_world_hit hits[COUNT];
		CHECK(t, rbl_world_overlap_box(s.world, box, NULL, hits, COUNT) == reference);
		CHECK(t,
		      rbl_world_overlap_collider(s.world, s.capsule, pose, NULL, hits, COUNT) == touched);
		found += reference;
	}
	CHECK(t, found > 100);
	scene_destroy(&s);
}

static void casts_agree_with_asking_all(test *t)
{
	scene s;
	fill(&s);
	rbl_random random = rbl_random_from_seed(6);
	rbl_body_id bodies[COUNT + 1];
	int n = rbl_world_get_bodies(s.world, bodies, COUNT + 1), found = 0;
	for (int i = 0; i < 100; ++i) {
		rbl_transform pose = { random_place(&random, 5.0f), rbl_quat_identity() };
		pose.position.y = fabsf(pose.position.y) + 1.0f;
		rbl_vec3 translation = random_place(&random, 6.0f);
		translation.y = -fabsf(translation.y) - 1.0f;
		float least = 2.0f;
		for (int k = 0; k < n; ++k) {
			rbl_body_part part;
			rbl_body_get_parts(s.world, bodies[k], &part, 1);
			rbl_cast_hit hit;
			rbl_collider_cast_collider(s.hulls[3], pose, translation, part.collider, part.pose,
			                           &hit);
			if (hit.is_hit)
				least = rbl_minf(least, hit.fraction);
		}
		rbl_world_hit hit;
		bool is_hit = rbl_world_cast_collider(s.world, s.hulls[3], pose, translation, NULL, &hit);
		CHECK(t, is_hit == (least <= 1.0f));
		CHECK(t, !is_hit || hit.fraction == least);
		found += is_hit;
	}
	CHECK(t, found > 20);
	scene_destroy(&s);
}

// Casts of many shapes at once say what single ones do, for any number of workers.
static void many_casts_agree_with_single_ones(test *t)
{
	enum { CASTS = 200 };
	static const int workers[] = { 1, 2, 5 };
	for (int n = 0; n < 3; ++n) {
		scene s;
		rbl_world_def def = scene_def(&s, workers[n]);
		scene_create(&s, &def);
		scene_add_floor(&s);
		scene_add_pile(&s, COUNT, 9);
		scene_steps(&s, 40);
		rbl_random random = rbl_random_from_seed(8);
		const rbl_collider *shapes[] = { s.capsule, s.box, s.ball, s.hulls[2] };
		const rbl_filter nothing = { .category = 1, .mask = 0 };
		rbl_collider_cast casts[CASTS];
		rbl_world_hit hits[CASTS], hit;
		int found = 0;
		for (int i = 0; i < CASTS; ++i) {
			casts[i] = (rbl_collider_cast){ .collider = shapes[i % 4],
				                            .translation = random_place(&random, 8.0f),
				                            .filter = i % 10 == 9 ? &nothing : NULL };
			casts[i].pose = (rbl_transform){ random_place(&random, 5.0f), rbl_quat_identity() };
		}
		CHECK(t, rbl_world_cast_colliders(s.world, casts, CASTS, hits) == RBL_OK);
		for (int i = 0; i < CASTS; ++i) {
			const rbl_collider_cast *c = &casts[i];
			bool is_hit = rbl_world_cast_collider(s.world, c->collider, c->pose, c->translation,
			                                      c->filter, &hit);
			CHECK(t, is_hit == !rbl_body_id_is_null(hits[i].body));
			CHECK(t, is_hit ? memcmp(&hit, &hits[i], sizeof hit) == 0 : hits[i].fraction == 1.0f);
			CHECK(t, !is_hit || !c->filter);
			found += is_hit;
		}
		CHECK(t, found > CASTS / 3 && found < CASTS);

		// One that is wrong: nothing is cast, and the log says which.
		rbl_world_hit before[CASTS];
		memcpy(before, hits, sizeof hits);
		casts[150].translation.y = NAN;
		CHECK(t, rbl_world_cast_colliders(s.world, casts, CASTS, hits) == RBL_BAD_ARGUMENT);
		CHECK(t, strstr(rbl_last_error(), "cast 150 of 200") != NULL);
		CHECK(t, memcmp(before, hits, sizeof hits) == 0);
		casts[150].collider = NULL;
		CHECK(t, rbl_world_cast_colliders(s.world, casts, CASTS, hits) == RBL_BAD_ARGUMENT);
		CHECK(t, rbl_world_cast_colliders(s.world, casts, 1, NULL) == RBL_BAD_ARGUMENT);
		CHECK(t, rbl_world_cast_colliders(s.world, NULL, 1, hits) == RBL_BAD_ARGUMENT);
		CHECK(t, rbl_world_cast_colliders(s.world, casts, -1, hits) == RBL_BAD_ARGUMENT);
		CHECK(t, rbl_world_cast_colliders(NULL, casts, 1, hits) == RBL_BAD_ARGUMENT);
		CHECK(t, rbl_world_cast_colliders(s.world, NULL, 0, NULL) == RBL_OK);
		scene_destroy(&s);
	}
}

// A collider of each kind, about a metre large; NULL for those that the scene has.
static rbl_collider *make_kind(const scene *s, rbl_collider_kind kind)
{
	float heights[81];
	for (int i = 0; i < 81; ++i)
		heights[i] = 0.05f * (float)(i * 7 % 5);
	const rbl_collider_child children[2] = {
		{ .collider = s->box, .pose = { { -0.5f, 0.0f, 0.0f }, { 0, 0, 0, 1 } } },
		{ .collider = s->ball, .pose = { { 0.5f, 0.0f, 0.0f }, { 0, 0, 0, 1 } } }
	};
	rbl_collider_def def = rbl_default_collider_def(kind);
	def.children = children, def.child_count = 2;
	def.heights = heights, def.column_count = def.row_count = 9, def.cell_size = 0.25f;
	rbl_collider *made = NULL;
	if (kind == RBL_COLLIDER_MESH)
		return scene_mesh_floor(2.0f, 4);
	if (kind != RBL_COLLIDER_CONVEX)
		rbl_create_collider(&def, &made);
	return made;
}

// The gap between a hull in a pose and all parts of a body.
static float gap_to(const scene *s, rbl_body_id body, rbl_transform pose)
{
	rbl_body_part parts[4];
	int count = rbl_body_get_parts(s->world, body, parts, 4);
	float least = FLT_MAX;
	for (int i = 0; i < count; ++i) {
		rbl_separation gap = { .distance = FLT_MAX };
		rbl_collider_distance(s->hulls[1], pose, parts[i].collider, parts[i].pose, 9.0f, &gap);
		least = rbl_minf(least, gap.distance);
	}
	return least;
}

// A ray: the three ways to ask agree, the point is on it, the normal against it.
static bool ask_ray(test *t, const scene *s, rbl_vec3 from, rbl_vec3 translation)
{
	rbl_world_hit hit, all[4];
	bool is_hit = rbl_world_cast_ray(s->world, from, translation, NULL, &hit);
	CHECK(t, rbl_world_is_ray_blocked(s->world, from, translation, NULL) == is_hit);
	CHECK(t, (rbl_world_cast_ray_all(s->world, from, translation, NULL, all, 4) > 0) == is_hit);
	if (!is_hit)
		return false;
	CHECK(t, rbl_distance(hit.point, rbl_add_scaled(from, hit.fraction, translation)) < 1e-3f);
	CHECK(t, hit.fraction == 0.0f || fabsf(rbl_length(hit.normal) - 1.0f) < 1e-3f);
	CHECK(t, hit.fraction == 0.0f ||
	             rbl_dot(hit.normal, translation) <= 1e-4f * rbl_length(translation));
	return true;
}

// To move by the depth along the normal parts the two, and by less does not.
static void check_way_out(test *t, const rbl_collider *collider, rbl_transform pose,
                          const rbl_world_hit *hit, const rbl_body_part *part)
{
	rbl_separation gap;
	CHECK_NEAR(t, rbl_length(hit->normal), 1.0f, 1e-4f);
	for (int i = 0; i < 2; ++i) {
		rbl_transform moved = pose;
		float way = i == 0 ? -hit->distance + 2e-3f : 0.5f * -hit->distance;
		moved.position = rbl_add_scaled(pose.position, way, hit->normal);
		rbl_collider_distance(collider, moved, part->collider, part->pose, 1.0f, &gap);
		CHECK(t, i == 0 ? gap.distance >= 0.0f : gap.distance <= 2e-3f);
	}
}

static void what_begins_inside_learns_the_way_out(test *t)
{
	scene s;
	fill(&s);
	rbl_random random = rbl_random_from_seed(5);
	int cast_count = 0, overlap_count = 0, ray_count = 0;
	for (int i = 0; i < 300; ++i) {
		rbl_transform pose = rbl_transform_identity();
		pose.position = random_place(&random, 3.0f);
		rbl_vec3 translation = random_place(&random, 2.0f);
		rbl_world_hit hit, hits[COUNT];
		rbl_body_part part;
		if (rbl_world_cast_collider(s.world, s.box, pose, translation, NULL, &hit) &&
		    hit.fraction == 0.0f && hit.distance < -1e-3f) {
			rbl_body_get_parts(s.world, hit.body, &part, 1);
			check_way_out(t, s.box, pose, &hit, &part);
			cast_count++;
		}
		int n = rbl_world_overlap_collider(s.world, s.box, pose, NULL, hits, COUNT);
		for (int k = 0; k < n; ++k) {
			rbl_body_get_parts(s.world, hits[k].body, &part, 1);
			check_way_out(t, s.box, pose, &hits[k], &part);
			CHECK(t, hits[k].distance <= 0.0f);
			overlap_count++;
		}
		if (rbl_world_cast_ray(s.world, pose.position, translation, NULL, &hit) &&
		    hit.fraction == 0.0f) {
			rbl_world_hit closest;
			CHECK(t, rbl_body_closest_point(s.world, hit.body, pose.position, &closest));
			CHECK(t, hit.distance < 0.0f && closest.distance == hit.distance);
			CHECK_NEAR(t, rbl_distance(closest.point, pose.position), -hit.distance, 1e-3f);
			ray_count++;
		}
	}
	CHECK(t, cast_count > 20 && overlap_count > 50 && ray_count > 10);
	scene_destroy(&s);
}

static void the_nearest_are_those_of_asking_all(test *t)
{
	scene s;
	fill(&s);
	rbl_random random = rbl_random_from_seed(6);
	rbl_body_id bodies[COUNT + 1];
	int body_count = rbl_world_get_bodies(s.world, bodies, COUNT + 1), found_count = 0;
	for (int i = 0; i < 100; ++i) {
		rbl_transform pose = rbl_transform_identity();
		pose.position = random_place(&random, 6.0f);
		float distances[COUNT + 1], max_distance = 0.02f * (float)i;
		int reference = 0;
		for (int k = 0; k < body_count; ++k) {
			rbl_body_part part;
			rbl_body_get_parts(s.world, bodies[k], &part, 1);
			rbl_separation gap;
			rbl_collider_distance(s.capsule, pose, part.collider, part.pose, 10.0f, &gap);
			if (!(gap.distance <= max_distance))
				continue;
			int at = reference++;
			for (; at > 0 && distances[at - 1] > gap.distance; --at)
				distances[at] = distances[at - 1];
			distances[at] = gap.distance;
		}
		rbl_world_hit hits[5];
		int n = rbl_world_find_nearest(s.world, s.capsule, pose, max_distance, NULL, hits, 5);
		CHECK(t, n == (reference < 5 ? reference : 5));
		for (int k = 0; k < n; ++k)
			CHECK_NEAR(t, hits[k].distance, distances[k], 1e-4f);
		found_count += n;
	}
	CHECK(t, found_count > 100);
	rbl_world_hit hit;
	CHECK(t, rbl_world_find_nearest(s.world, s.ball, rbl_transform_identity(), NAN, NULL, &hit,
	                                1) == 0);
	CHECK(t, rbl_world_find_nearest(s.world, NULL, rbl_transform_identity(), 1.0f, NULL, &hit, 1) ==
	             0);
	CHECK(t,
	      !rbl_body_closest_point(s.world, (rbl_body_id){ 999, 9 }, (rbl_vec3){ 0, 0, 0 }, &hit));
	scene_destroy(&s);
}

// A cast ends where shapes touch; one that meets nothing does not end inside anything.
static bool ask_cast(test *t, const scene *s, rbl_body_id body, rbl_transform pose,
                     rbl_vec3 translation)
{
	rbl_world_hit hit;
	bool is_hit = rbl_world_cast_collider(s->world, s->hulls[1], pose, translation, NULL, &hit);
	rbl_transform end = pose;
	end.position = rbl_add_scaled(pose.position, is_hit ? hit.fraction : 1.0f, translation);
	float gap = gap_to(s, body, end);
	CHECK(t, is_hit ? hit.fraction == 0.0f || fabsf(gap) < 2e-3f : gap > 0.0f);
	bool overlaps = rbl_world_overlap_collider(s->world, s->hulls[1], pose, NULL, &hit, 1) > 0;
	CHECK(t, overlaps == (gap_to(s, body, pose) <= 0.0f));
	return is_hit;
}

static void every_kind_of_shape_answers(test *t)
{
	for (int kind = 0; kind < RBL_COLLIDER_KIND_COUNT; ++kind) {
		scene s;
		rbl_world_def def = scene_def(&s, 1);
		scene_create(&s, &def);
		rbl_collider *own = make_kind(&s, (rbl_collider_kind)kind);
		rbl_body_def body_def = scene_body(own ? own : s.hulls[3], 1.0f, 2.0f, 3.0f);
		body_def.kind = RBL_BODY_STATIC;
		body_def.pose.rotation = rbl_quat_normalize((rbl_quat){ 0.2f, 0.1f, 0.3f, 1.0f });
		rbl_body_id body = rbl_create_body(s.world, &body_def);
		rbl_vec3 middle = rbl_box_centre(rbl_body_bounds(s.world, body));
		rbl_random random = rbl_random_from_seed((uint64_t)kind + 1);
		int rays = 0, casts = 0;
		for (int i = 0; i < 200; ++i) {
			rbl_vec3 from = rbl_add(middle, random_place(&random, 3.0f));
			rbl_vec3 to = rbl_add(middle, random_place(&random, 0.6f));
			rbl_vec3 axis = random_place(&random, 1.0f);
			rbl_quat turn = rbl_quat_normalize((rbl_quat){ axis.x, axis.y, axis.z, 1.0f });
			rbl_vec3 translation = rbl_scale(1.7f, rbl_sub(to, from));
			rays += ask_ray(t, &s, from, translation);
			casts += ask_cast(t, &s, body, (rbl_transform){ from, turn }, translation);
		}
		CHECK(t, rays > 20 && casts > 40);
		rbl_destroy_world(s.world);
		s.world = NULL;
		rbl_destroy_collider(own);
		scene_destroy(&s);
	}
}

// Rays find the pieces where they were born, and the hole when these are gone.
static void what_broke_answers_as_it_is(test *t)
{
	breakable b;
	breakable_make(t, &b, NULL, (rbl_vec3){ 0.0f, 0.0f, 0.0f }, 1);
	rbl_body_def def = breakable_def(&b, RBL_BODY_STATIC);
	rbl_body_id body = rbl_create_body(b.s.world, &def);
	const rbl_vec3 from = { 0.45f, 2.0f, 0.45f }, translation = { 0.0f, -4.0f, 0.0f };
	rbl_world_hit hit;
	CHECK(t, rbl_world_cast_ray(b.s.world, from, translation, NULL, &hit) &&
	             hit.body.index == body.index);
	rbl_body_damage(b.s.world, body, (rbl_vec3){ 0.5f, 0.5f, 0.5f }, translation, 0.3f, 1000.0f);
	scene_steps(&b.s, 1);
	CHECK(t, rbl_world_cast_ray(b.s.world, from, translation, NULL, &hit) &&
	             hit.body.index != body.index);
	CHECK_NEAR(t, hit.fraction, 1.5 / 4.0, 1e-3);
	rbl_body_id bodies[100];
	int count = rbl_world_get_bodies(b.s.world, bodies, 100);
	for (int i = 0; i < count; ++i)
		if (bodies[i].index != body.index)
			rbl_destroy_body(b.s.world, bodies[i]);
	CHECK(t, rbl_world_cast_ray(b.s.world, from, translation, NULL, &hit) &&
	             hit.body.index == body.index);
	CHECK(t, hit.fraction > 1.6f / 4.0f);
	breakable_destroy(&b);
}

static void filters_decide_who_answers(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	rbl_body_def near_def = scene_body(s.box, 2.0f, 0.0f, 0.0f);
	near_def.filter.category = 2;
	rbl_body_id near = rbl_create_body(s.world, &near_def);
	rbl_body_def sensor_def = scene_body(s.box, 1.0f, 0.0f, 0.0f);
	sensor_def.is_sensor = true;
	rbl_body_id sensor = rbl_create_body(s.world, &sensor_def);
	rbl_body_id far = scene_add(&s, s.box, 4.0f, 0.0f, 0.0f);
	const rbl_vec3 from = { 0.0f, 0.0f, 0.0f }, translation = { 10.0f, 0.0f, 0.0f };
	rbl_world_hit hit;
	CHECK(t, rbl_world_cast_ray(s.world, from, translation, NULL, &hit) &&
	             hit.body.index == near.index);
	rbl_filter only_ones = { 1, 1, 0 };
	CHECK(t, rbl_world_cast_ray(s.world, from, translation, &only_ones, &hit));
	CHECK(t, hit.body.index == sensor.index);
	CHECK(t, rbl_body_set_enabled(s.world, sensor, false) == RBL_OK);
	CHECK(t, rbl_world_cast_ray(s.world, from, translation, &only_ones, &hit));
	CHECK(t, hit.body.index == far.index);
	CHECK_NEAR(t, hit.fraction, 0.375, 1e-5);
	CHECK_NEAR(t, hit.normal.x, -1.0, 1e-5);

	// What makes no sense is refused.
	const rbl_vec3 bad = { NAN, 0.0f, 0.0f };
	CHECK(t, !rbl_world_cast_ray(s.world, bad, translation, NULL, &hit));
	CHECK(t, !rbl_world_cast_ray(NULL, from, translation, NULL, &hit));
	CHECK(t, rbl_world_cast_ray_all(s.world, from, translation, NULL, NULL, 3) == 0);
	CHECK(t, rbl_world_overlap_box(s.world, (rbl_box){ bad, bad }, NULL, &hit, 1) == 0);
	CHECK(t,
	      rbl_world_overlap_collider(s.world, NULL, rbl_transform_identity(), NULL, &hit, 1) == 0);
	CHECK(t, !rbl_world_cast_collider(s.world, s.box, (rbl_transform){ .position = bad },
	                                  translation, NULL, &hit));
	scene_destroy(&s);
}

// Regression: where a ray or a shape began in several bodies, the answer was the first that the broad phase
// knew, and so another one after a snapshot.
static void of_bodies_around_the_start_the_lowest_answers(test *t)
{
	scene s;
	rbl_world_def world_def = scene_def(&s, 1);
	scene_create(&s, &world_def);
	rbl_collider_def ball_def = rbl_default_collider_def(RBL_COLLIDER_SPHERE);
	rbl_collider *ball = NULL;
	CHECK(t, rbl_create_collider(&ball_def, &ball) == RBL_OK);
	rbl_body_def def = rbl_default_body_def();
	def.kind = RBL_BODY_STATIC;
	def.collider = ball;
	rbl_body_id bodies[8];
	for (int i = 0; i < 8; ++i)
		bodies[i] = rbl_create_body(s.world, &def);
	scene_steps(&s, 2);
	CHECK(t, rbl_destroy_body(s.world, bodies[0]) == RBL_OK);
	scene_steps(&s, 2);
	bodies[0] = rbl_create_body(s.world, &def); // at the end of all lists
	scene_steps(&s, 2);
	rbl_body_id lowest = bodies[0];
	for (int i = 1; i < 8; ++i)
		lowest = bodies[i].index < lowest.index ? bodies[i] : lowest;
	rbl_world_hit hit = { .part = -1 };
	const rbl_vec3 zero = { 0.0f, 0.0f, 0.0f }, translation = { 3.0f, 0.0f, 0.0f };
	CHECK(t, rbl_world_cast_ray(s.world, zero, translation, NULL, &hit));
	CHECK(t, hit.fraction == 0.0f && hit.body.index == lowest.index);
	rbl_transform pose = { zero, { 0.0f, 0.0f, 0.0f, 1.0f } };
	CHECK(t, rbl_world_cast_collider(s.world, ball, pose, translation, NULL, &hit));
	CHECK(t, hit.fraction == 0.0f && hit.body.index == lowest.index);
	scene_destroy(&s);
	rbl_destroy_collider(ball);
}

TEST_MAIN(TEST(what_begins_inside_learns_the_way_out), TEST(the_nearest_are_those_of_asking_all),
          TEST(rays_agree_with_asking_all), TEST(overlaps_agree_with_asking_all),
          TEST(casts_agree_with_asking_all), TEST(many_casts_agree_with_single_ones),
          TEST(every_kind_of_shape_answers), TEST(what_broke_answers_as_it_is),
          TEST(filters_decide_who_answers), TEST(of_bodies_around_the_start_the_lowest_answers))
