// SPDX-License-Identifier: MIT
//
// How late a falling body is noticed: see tests/scenes/first_touch.h. Drops are those of
// tests/field/first_touch.c and more of them.

#include "field_cases.h"
#include "field_references.h"
#include "models.h"

#include "scenes/first_touch.h"

#include <rubble/rubble.h>

#include <stdio.h>

typedef enum touch_kind {
	TOUCH_PLATE,
	TOUCH_RING,
	TOUCH_BOWL,
	TOUCH_BALL,
	TOUCH_BUNNY,
	TOUCH_MUG
} touch_kind;

static rbl_mesh *make_touch_mesh(touch_kind kind, double *wall)
{
	rbl_mesh *mesh = NULL;
	rbl_plate_def plate = rbl_default_plate_def();
	rbl_torus_def ring = rbl_default_torus_def();
	rbl_icosphere_def ball = rbl_default_icosphere_def();
	rbl_mug_def mug = rbl_default_mug_def();
	*wall = 0.0;
	switch (kind) {
	case TOUCH_PLATE:
		*wall = plate.wall;
		rbl_create_plate_mesh(&plate, &mesh);
		break;
	case TOUCH_RING:
		ring.radius = 0.1, ring.thickness = 0.03;
		rbl_create_torus_mesh(&ring, &mesh);
		break;
	case TOUCH_BOWL:
		plate.radius = 0.16, plate.height = 0.09, plate.wall = *wall = 0.012;
		rbl_create_plate_mesh(&plate, &mesh);
		break;
	case TOUCH_BALL:
		ball.radius = 0.05;
		rbl_create_icosphere_mesh(&ball, &mesh);
		break;
	case TOUCH_BUNNY:
		mesh = bench_read_model("bunny-7k.off");
		break;
	case TOUCH_MUG:
		*wall = mug.wall;
		rbl_create_mug_mesh(&mug, &mesh);
		break;
	}
	return mesh;
}

static rbl_transform random_drop(rbl_random *random, rbl_vec3d size)
{
	rbl_vec3d axis = rbl_normalize_d(rbl_random_in_ball(random));
	rbl_transform pose = { .rotation = rbl_quat_from_axis_angle(rbl_to_f(axis),
		                                                        3.0f * rbl_random_float(random)) };
	pose.position.x = (float)(0.3 * size.x * rbl_random_range(random, -1.0, 1.0));
	pose.position.y = 10.0f;
	pose.position.z = (float)(0.3 * size.z * rbl_random_range(random, -1.0, 1.0));
	return pose;
}

static void run_pair(bench *b, const char *name, touch_kind falling, touch_kind resting,
                     int resolution)
{
	char variant[32];
	snprintf(variant, sizeof variant, "field-%d", resolution);
	double walls[2], worst = 0.0, sum = 0.0;
	rbl_mesh *meshes[2] = { make_touch_mesh(falling, &walls[0]),
		                    make_touch_mesh(resting, &walls[1]) };
	touch_body bodies[2] = { 0 };
	rbl_field_contacts *contacts = NULL;
	if (!meshes[0] || !meshes[1]) {
		bench_skip(b, name, "its model is not there");
		return;
	}
	bool ok = touch_open(&bodies[0], meshes[0], resolution, walls[0]) &&
	          touch_open(&bodies[1], meshes[1], resolution, walls[1]) &&
	          rbl_create_field_contacts(NULL, &contacts) == RBL_OK;
	int count = bench_is_quick(b) ? 8 : 60, touched = 0, missed = 0;
	rbl_random random = rbl_random_from_seed(21);
	for (int i = 0; ok && i < count; ++i) {
		rbl_transform pose = random_drop(&random, rbl_box_size_d(bodies[1].exact.box));
		if (touch_clearance(&bodies[0].exact, pose, &bodies[1].exact) == DBL_MAX)
			continue; // it falls beside
		double late = touch_lateness(&bodies[0], pose, &bodies[1], contacts);
		missed += late == (double)INFINITY;
		touched += late < (double)INFINITY;
		if (late < (double)INFINITY) {
			worst = rbl_maxd(worst, late);
			sum += fabs(late);
		}
	}
	if (!ok || missed > 0 || touched == 0) {
		bench_fail(b, name, variant, ok ? "a touch was missed altogether" : "a body was refused");
	} else {
		bench_row(b, name, variant, "late_mm", 1e3 * sum / touched, "mm");
		bench_row(b, name, variant, "late_max_mm", 1e3 * worst, "mm");
		bench_row(b, name, variant, "drops", touched, "");
		bench_row(b, name, variant, "points", rbl_field_shape_get_info(bodies[0].shape).point_count,
		          "");
		bench_row(b, name, variant, "bytes",
		          (double)rbl_distance_field_get_info(bodies[0].field).bytes, "B");
	}
	rbl_destroy_field_contacts(contacts);
	for (int i = 0; i < 2; ++i) {
		touch_close(&bodies[i]);
		rbl_destroy_mesh(meshes[i]);
	}
}

// --- convex parts -------------------------------------------------------------------------------

// A mesh as convexes around it, at the default tolerance.
static rbl_collider *make_parts(const rbl_mesh *mesh, rbl_collider **parts, int capacity,
                                int *count)
{
	rbl_prepare_def prepare_def = rbl_default_prepare_def();
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_COMPOUND);
	rbl_collider_child children[RBL_MAX_NODES];
	rbl_asset *asset = NULL;
	rbl_collider *compound = NULL;
	*count = 0;
	if (rbl_prepare(mesh, &prepare_def, &asset) != RBL_OK)
		return NULL;
	int end = rbl_compound_get_info(rbl_asset_get_compound(asset)).part_end;
	for (int i = 0; i < end && *count < capacity; ++i) {
		rbl_collider_def part_def = rbl_default_collider_def(RBL_COLLIDER_CONVEX);
		part_def.convex = rbl_compound_get_part(rbl_asset_get_compound(asset), i).convex;
		if (rbl_create_collider(&part_def, &parts[*count]) == RBL_OK) {
			children[*count] =
				(rbl_collider_child){ .collider = parts[*count], .pose = rbl_transform_identity() };
			++*count;
		}
	}
	def.children = children, def.child_count = *count;
	rbl_create_collider(&def, &compound);
	rbl_destroy_asset(asset);
	return compound;
}

// How far from the true height convexes touch: they are around the mesh, so too early.
static double convex_error(const rbl_collider *falling, rbl_transform pose,
                           const rbl_collider *resting, double clearance)
{
	double high = -0.2, low = 0.001; // how far below the true height
	for (int i = 0; i < 24; ++i) {
		double middle = 0.5 * (high + low);
		rbl_transform at = pose;
		rbl_separation gap;
		at.position.y -= (float)(clearance + middle);
		rbl_collider_distance(falling, at, resting, rbl_transform_identity(), FLT_MAX, &gap);
		if (gap.distance > 0.0f)
			high = middle;
		else
			low = middle;
	}
	return fabs(high);
}

static void run_convex(bench *b, const char *name, touch_kind falling, touch_kind resting)
{
	enum { CAPACITY = 128 };
	double walls[2], worst = 0.0, sum = 0.0;
	rbl_mesh *meshes[2] = { make_touch_mesh(falling, &walls[0]),
		                    make_touch_mesh(resting, &walls[1]) };
	rbl_collider *parts[2][CAPACITY], *compounds[2] = { NULL, NULL };
	int counts[2] = { 0, 0 }, touched = 0, drops = bench_is_quick(b) ? 8 : 60;
	if (!meshes[0] || !meshes[1])
		return;
	exact_mesh exact[2] = { exact_from_mesh(meshes[0]), exact_from_mesh(meshes[1]) };
	for (int i = 0; i < 2; ++i)
		compounds[i] = make_parts(meshes[i], parts[i], CAPACITY, &counts[i]);
	rbl_random random = rbl_random_from_seed(21);
	for (int i = 0; i < drops && compounds[0] && compounds[1]; ++i) {
		rbl_transform pose = random_drop(&random, rbl_box_size_d(exact[1].box));
		double clearance = touch_clearance(&exact[0], pose, &exact[1]);
		if (clearance == DBL_MAX)
			continue; // it falls beside
		double error = convex_error(compounds[0], pose, compounds[1], clearance);
		worst = rbl_maxd(worst, error);
		sum += error, touched++;
	}
	if (touched == 0) {
		bench_fail(b, name, "convex", "nothing touches");
	} else { // early, not late
		bench_row(b, name, "convex", "late_mm", 1e3 * sum / touched, "mm");
		bench_row(b, name, "convex", "late_max_mm", 1e3 * worst, "mm");
		bench_row(b, name, "convex", "drops", touched, "");
		bench_row(b, name, "convex", "points", counts[0], "");
	}
	for (int i = 0; i < 2; ++i) {
		rbl_destroy_collider(compounds[i]);
		for (int k = 0; k < counts[i]; ++k)
			rbl_destroy_collider(parts[i][k]);
		exact_free(&exact[i]);
		rbl_destroy_mesh(meshes[i]);
	}
}

void field_run_first_touch(bench *b)
{
	static const struct {
		const char *name;
		touch_kind falling, resting;
	} pairs[] = {
		{ "first-touch-plate-plate", TOUCH_PLATE, TOUCH_PLATE },
		{ "first-touch-ring-ring", TOUCH_RING, TOUCH_RING },
		{ "first-touch-plate-bowl", TOUCH_PLATE, TOUCH_BOWL },
		{ "first-touch-ball-bowl", TOUCH_BALL, TOUCH_BOWL },
		{ "first-touch-bunny-bunny", TOUCH_BUNNY, TOUCH_BUNNY },
		{ "first-touch-mug-mug", TOUCH_MUG, TOUCH_MUG },
	};
	for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; ++i)
		if (bench_wants(b, pairs[i].name)) {
			for (int resolution = 128; resolution <= 256; resolution *= 2)
				run_pair(b, pairs[i].name, pairs[i].falling, pairs[i].resting, resolution);
			run_convex(b, pairs[i].name, pairs[i].falling, pairs[i].resting);
			field_write_references(b, pairs[i].name);
		}
}
