// SPDX-License-Identifier: MIT
//
// The reference of rigid scenes, tested: known overlaps, scenes that begin apart, and the narrow phase
// as a second opinion.

#include "base/random.h"
#include "base/vec.h"
#include "scenes/rigid.h"

#include <rubble/rubble.h>

#include "test.h"

static void boxes_overlap_by_what_they_were_pushed(test *t)
{
	rigid_shape box;
	rigid_box(&box, (rbl_vec3d){ 0.5, 0.4, 0.3 }, 1000.0);
	CHECK_NEAR(t, box.mass, 480.0, 1e-9);
	CHECK_NEAR(t, box.inertia.x, 480.0 / 3.0 * (0.16 + 0.09), 1e-9);
	rbl_transformd a = rbl_transform_identity_d(), b = a;
	b.position.x = 0.99;
	CHECK_NEAR(t, rigid_overlap(&box, &a, &box, &b), 0.01, 1e-12);
	b.position.x = 1.01;
	CHECK(t, rigid_overlap(&box, &a, &box, &b) == 0.0);
	// An edge of one across an edge of the other: only the cross of the edges parts them.
	rigid_box(&box, (rbl_vec3d){ 0.5, 0.5, 0.5 }, 1000.0);
	double s = sqrt(0.5), eighth = sqrt(0.5 - 0.25 * sqrt(2.0)),
		   other = sqrt(0.5 + 0.25 * sqrt(2.0));
	a.rotation = (rbl_quatd){ 0.0, 0.0, eighth, other };
	b.rotation = (rbl_quatd){ eighth, 0.0, 0.0, other };
	b.position = (rbl_vec3d){ 0.0, 2.0 * s - 0.003, 0.0 };
	CHECK_NEAR(t, rigid_overlap(&box, &a, &box, &b), 0.003, 1e-9);
	b.position.y = 2.0 * s + 1e-6;
	CHECK(t, rigid_overlap(&box, &a, &box, &b) == 0.0);
}

static void hulls_are_convex_and_stand_on_their_centre(test *t)
{
	for (uint64_t seed = 1; seed < 200; ++seed) {
		rigid_shape shape;
		rigid_random_hull(&shape, seed);
		CHECK(t, shape.vertex_count >= 8 && shape.vertex_count <= 12);
		CHECK(t, shape.edge_count == shape.vertex_count + shape.face_count - 2);
		double worst = -1.0, size = 0.0;
		for (int f = 0; f < shape.face_count; ++f)
			for (int v = 0; v < shape.vertex_count; ++v)
				worst = fmax(worst, rbl_plane_distance_d(shape.planes[f], shape.vertices[v]));
		for (int v = 0; v < shape.vertex_count; ++v)
			size = fmax(size, rbl_length_d(shape.vertices[v]));
		CHECK(t, worst < 1e-12 && size < 0.4 && size > 0.15);
		CHECK(t, shape.mass > 2.0 && shape.mass < 150.0 && shape.inertia.x > 0.0);
	}
}

// The library's narrow phase finds the same depth.
static void the_narrow_phase_agrees(test *t)
{
	rbl_random random = rbl_random_from_seed(4);
	for (int i = 0; i < 60; ++i) {
		rigid_shape shapes[2];
		rbl_collider *colliders[2] = { NULL, NULL };
		for (int k = 0; k < 2; ++k) {
			rigid_random_hull(&shapes[k], (uint64_t)(2 * i + k));
			rbl_convex_def def = rbl_default_convex_def();
			def.planes = shapes[k].planes, def.plane_count = shapes[k].face_count;
			rbl_convex *convex = NULL;
			CHECK(t, rbl_create_convex(&def, &convex) == RBL_OK);
			rbl_collider_def collider_def = rbl_default_collider_def(RBL_COLLIDER_CONVEX);
			collider_def.convex = convex;
			CHECK(t, rbl_create_collider(&collider_def, &colliders[k]) == RBL_OK);
			rbl_destroy_convex(convex);
		}
		rbl_transformd a = rbl_transform_identity_d(), b = a;
		b.position = rbl_scale_d(0.45, rbl_normalize_d(rbl_random_in_ball(&random)));
		rbl_transform fa = rbl_transform_identity(), fb = fa;
		fb.position = rbl_to_f(b.position);
		rbl_separation gap;
		CHECK(t, rbl_collider_distance(colliders[0], fa, colliders[1], fb, 10.0f, &gap) == RBL_OK);
		double depth = rigid_overlap(&shapes[0], &a, &shapes[1], &b);
		CHECK_NEAR(t, depth, fmax(0.0, -(double)gap.distance), 2e-5);
		rbl_destroy_collider(colliders[0]);
		rbl_destroy_collider(colliders[1]);
	}
}

static void scenes_begin_apart_and_inside(test *t)
{
	static const char *const names[] = { "pile", "wall-stand", "wall-hit", "cards",
		                                 "arch", "tower",      "rest",     "burst" };
	for (size_t n = 0; n < sizeof names / sizeof names[0]; ++n) {
		rigid_scene scene;
		bool is_pile = strcmp(names[n], "pile") == 0 || n >= 6;
		CHECK(t, rigid_scene_open(&scene, names[n], is_pile ? 500 : 0));
		rigid_state *states = calloc((size_t)scene.body_count, sizeof *states);
		for (int i = 0; i < scene.body_count; ++i)
			states[i].pose = scene.bodies[i].pose;
		rigid_verdict verdict;
		CHECK(t, rigid_measure(&scene, states, NULL, 0, &verdict));
		CHECK(t, verdict.max_mm < 1e-6);
		CHECK(t, verdict.escaped_count == 0);
		CHECK(t, verdict.floor_mm < 1e-6);
		if (strcmp(names[n], "wall-stand") == 0)
			CHECK_NEAR(t, verdict.height_m, 4.0, 1e-9);
		// Pushed under the floor and through each other, it is seen.
		states[scene.static_count].pose.position.y = -5.0;
		states[scene.static_count + 1].pose = states[scene.static_count + 2].pose;
		CHECK(t, rigid_measure(&scene, states, NULL, 0, &verdict));
		CHECK(t, verdict.escaped_count == 1 && verdict.deep_count > 0 && verdict.max_mm > 5.0);
		free(states);
		rigid_scene_close(&scene);
	}
	rigid_scene scene;
	CHECK(t, !rigid_scene_open(&scene, "no such scene", 10));
}

TEST_MAIN(TEST(boxes_overlap_by_what_they_were_pushed),
          TEST(hulls_are_convex_and_stand_on_their_centre), TEST(the_narrow_phase_agrees),
          TEST(scenes_begin_apart_and_inside))
