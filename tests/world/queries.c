// SPDX-License-Identifier: MIT
// Questions to a world, judged by asking every body.

#include "../test.h"
#include "scene.h"

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
static bool judge_ray(const scene *s, rbl_vec3 from, rbl_vec3 way, rbl_world_hit *best, int *count)
{
	rbl_body_id bodies[COUNT + 1];
	int n = rbl_world_get_bodies(s->world, bodies, COUNT + 1);
	bool has_hit = false;
	*count = 0;
	for (int i = 0; i < n; ++i) {
		rbl_body_part part;
		rbl_body_get_parts(s->world, bodies[i], &part, 1);
		rbl_cast_hit hit;
		rbl_collider_cast_ray(part.collider, part.pose, from, way, &hit);
		if (!hit.is_hit)
			continue;
		++*count;
		if (!has_hit || hit.fraction < best->fraction)
			*best = (rbl_world_hit){ bodies[i], part.part, hit.fraction, hit.point, hit.normal };
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
		rbl_vec3 from = random_place(&random, 6.0f), way = random_place(&random, 8.0f);
		rbl_world_hit hit, best = { .fraction = 1.0f }, all[COUNT];
		int judged;
		bool is_hit = judge_ray(&s, from, way, &best, &judged);
		CHECK(t, rbl_world_cast_ray(s.world, from, way, NULL, &hit) == is_hit);
		CHECK(t, rbl_world_is_ray_blocked(s.world, from, way, NULL) == is_hit);
		CHECK(t, rbl_world_cast_ray_all(s.world, from, way, NULL, all, COUNT) == judged);
		if (!is_hit)
			continue;
		hits++;
		CHECK(t, hit.fraction == best.fraction && hit.body.index == best.body.index);
		CHECK(t, all[0].fraction == best.fraction);
		for (int k = 1; k < judged; ++k)
			CHECK(t, all[k - 1].fraction <= all[k].fraction);
		if (judged > 2) {
			rbl_world_hit few[2];
			CHECK(t, rbl_world_cast_ray_all(s.world, from, way, NULL, few, 2) == judged);
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
		int judged = 0, touched = 0;
		rbl_transform pose = { centre, rbl_quat_identity() };
		for (int k = 0; k < n; ++k) {
			judged += rbl_box_overlaps(box, rbl_body_bounds(s.world, bodies[k]));
			rbl_body_part part;
			rbl_body_get_parts(s.world, bodies[k], &part, 1);
			rbl_gap gap;
			rbl_collider_distance(s.capsule, pose, part.collider, part.pose, 1.0f, &gap);
			touched += gap.distance <= 0.0f;
		}
		rbl_world_hit hits[COUNT];
		CHECK(t, rbl_world_overlap_box(s.world, box, NULL, hits, COUNT) == judged);
		CHECK(t, rbl_world_overlap(s.world, s.capsule, pose, NULL, hits, COUNT) == touched);
		found += judged;
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
		rbl_vec3 way = random_place(&random, 6.0f);
		way.y = -fabsf(way.y) - 1.0f;
		float least = 2.0f;
		for (int k = 0; k < n; ++k) {
			rbl_body_part part;
			rbl_body_get_parts(s.world, bodies[k], &part, 1);
			rbl_cast_hit hit;
			rbl_collider_cast(s.hulls[3], pose, way, part.collider, part.pose, &hit);
			if (hit.is_hit)
				least = rbl_minf(least, hit.fraction);
		}
		rbl_world_hit hit;
		bool is_hit = rbl_world_cast(s.world, s.hulls[3], pose, way, NULL, &hit);
		CHECK(t, is_hit == (least <= 1.0f));
		CHECK(t, !is_hit || hit.fraction == least);
		found += is_hit;
	}
	CHECK(t, found > 20);
	scene_destroy(&s);
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
	const rbl_vec3 from = { 0.0f, 0.0f, 0.0f }, way = { 10.0f, 0.0f, 0.0f };
	rbl_world_hit hit;
	CHECK(t, rbl_world_cast_ray(s.world, from, way, NULL, &hit) && hit.body.index == near.index);
	rbl_filter only_ones = { 1, 1, 0 };
	CHECK(t, rbl_world_cast_ray(s.world, from, way, &only_ones, &hit));
	CHECK(t, hit.body.index == sensor.index);
	CHECK(t, rbl_body_set_enabled(s.world, sensor, false) == RBL_OK);
	CHECK(t, rbl_world_cast_ray(s.world, from, way, &only_ones, &hit));
	CHECK(t, hit.body.index == far.index);
	CHECK_NEAR(t, hit.fraction, 0.375, 1e-5);
	CHECK_NEAR(t, hit.normal.x, -1.0, 1e-5);

	// What makes no sense is refused.
	const rbl_vec3 bad = { NAN, 0.0f, 0.0f };
	CHECK(t, !rbl_world_cast_ray(s.world, bad, way, NULL, &hit));
	CHECK(t, !rbl_world_cast_ray(NULL, from, way, NULL, &hit));
	CHECK(t, rbl_world_cast_ray_all(s.world, from, way, NULL, NULL, 3) == 0);
	CHECK(t, rbl_world_overlap_box(s.world, (rbl_box){ bad, bad }, NULL, &hit, 1) == 0);
	CHECK(t, rbl_world_overlap(s.world, NULL, rbl_transform_identity(), NULL, &hit, 1) == 0);
	CHECK(t, !rbl_world_cast(s.world, s.box, (rbl_transform){ .position = bad }, way, NULL, &hit));
	scene_destroy(&s);
}

TEST_MAIN(TEST(rays_agree_with_asking_all), TEST(overlaps_agree_with_asking_all),
          TEST(casts_agree_with_asking_all), TEST(filters_decide_who_answers))
