// SPDX-License-Identifier: MIT
// Contacts that hold moving bodies apart: few of them, and little depth.
// ctest: soak

#include "scenes/analytic_fields.h"
#include "scenes/field_world.h"

#include "base/hash.h"
#include "base/random.h"
#include "base/math.h"
#include "base/vec.h"

#include "test.h"

static uint64_t world_hash(const field_world *world)
{
	uint64_t hash = RBL_HASH_START;
	for (int i = 0; i < world->body_count; ++i)
		hash = rbl_hash_bytes(hash, &world->bodies[i].pose, sizeof world->bodies[i].pose);
	return hash;
}

// The plate of Glondu et al., figure 5: it rolls on its rim, falls over and comes to rest.
static void a_plate_rolls_on_four_points_less_than_a_millimetre_deep(test *t)
{
	lathe_shape shape;
	field_world_plate_shape(&shape);
	uint64_t first = 0;
	for (int run = 0; run < 2; ++run) {
		field_world world;
		field_world_body plate;
		CHECK(t, field_world_open(&world, 2) && field_world_lathe(&shape, 104, &plate));
		plate.pose.position = (rbl_vec3){ 0.0f, 0.132f, 0.0f };
		plate.pose.rotation = rbl_quat_from_axis_angle((rbl_vec3){ 1.0f, 0.0f, 0.0f }, 1.45f);
		plate.velocity = (rbl_vec3){ 0.8f, 0.0f, 0.0f };
		plate.angular_velocity = (rbl_vec3){ 0.0f, 0.0f, -6.0f };
		field_world_add(&world, &plate);
		field_world_add_floor(&world);
		world.uses_manifolds = true;
		int most = 0;
		float depth = 0.0f;
		for (int step = 0; step < 400; ++step) {
			CHECK(t, field_world_step(&world, 1.0f / 60.0f));
			most = rbl_maxi(most, world.solved_count);
			depth = rbl_maxf(depth, field_world_penetration(&world));
		}
		CHECK(t, most <= 4);
		CHECK(t, depth < 0.001f);
		CHECK(t, rbl_length(world.bodies[0].pose.position) > 0.25f); // it has rolled
		CHECK(t, rbl_length(world.bodies[0].velocity) < 0.01f);
		first = run == 0 ? world_hash(&world) : first;
		CHECK(t, world_hash(&world) == first);
		field_world_close(&world);
	}
}

// Figure 16: a plate is dropped into a bowl. Mean over drops and steps of the deepest point.
static double mean_depth_in_bowl(test *t, rbl_field_selection selection, int count,
                                 bool uses_manifolds)
{
	lathe_shape plate, bowl;
	field_world_plate_shape(&plate);
	field_world_bowl_shape(&bowl);
	double sum = 0.0;
	int drops = test_count(2, 12), steps = 120;
	for (int drop = 0; drop < drops; ++drop) {
		rbl_random random = rbl_random_from_seed((uint64_t)drop + 1);
		field_world world;
		field_world_body bodies[2];
		CHECK(t, field_world_open(&world, 2));
		CHECK(t, field_world_lathe(&bowl, 96, &bodies[0]));
		CHECK(t, field_world_lathe(&plate, 104, &bodies[1]));
		bodies[0].inverse_mass = 0.0f;
		bodies[0].inverse_inertia = rbl_mat_scale(0.0f, rbl_mat_identity());
		bodies[1].pose.position = (rbl_vec3){ 0.01f, 0.12f, 0.0f };
		bodies[1].velocity = rbl_to_f(rbl_scale_d(0.3, rbl_random_in_ball(&random)));
		bodies[1].angular_velocity = rbl_to_f(rbl_scale_d(3.0, rbl_random_in_ball(&random)));
		field_world_add(&world, &bodies[0]);
		field_world_add(&world, &bodies[1]);
		world.settings.selection = selection;
		world.settings.point_count = count;
		world.settings.margin = INFINITY;
		world.uses_manifolds = uses_manifolds;
		for (int step = 0; step < steps; ++step) {
			CHECK(t, field_world_step(&world, 1.0f / 60.0f));
			sum += (double)field_world_penetration(&world) / (drops * steps);
			CHECK(t, selection != RBL_SELECT_CHOSEN || world.point_count <= count);
		}
		CHECK(t, world.bodies[1].pose.position.y > -0.1f); // it is in the bowl
		field_world_close(&world);
	}
	return sum;
}

static void a_plate_in_a_bowl_hardly_sinks_on_twelve_points(test *t)
{
	double eight = mean_depth_in_bowl(t, RBL_SELECT_CHOSEN, 8, false);
	double twelve = mean_depth_in_bowl(t, RBL_SELECT_CHOSEN, 12, false);
	double manifolds = mean_depth_in_bowl(t, RBL_SELECT_CHOSEN, 12, true);
	double two = mean_depth_in_bowl(t, RBL_SELECT_CHOSEN, 2, false);
	CHECK(t, eight < 0.0003);
	CHECK(t, twelve < 0.00015);
	CHECK(t, manifolds < 0.00015);
	CHECK(t, two > 2.0 * twelve); // the knee of the curve
}

TEST_MAIN(TEST(a_plate_rolls_on_four_points_less_than_a_millimetre_deep),
          TEST(a_plate_in_a_bowl_hardly_sinks_on_twelve_points))
