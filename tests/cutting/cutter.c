// SPDX-License-Identifier: MIT
// The cutter: closed after every step, the same volume, in two at the end.
// ctest: soak

#include <rubble/cutter.h>
#include <rubble/mesh.h>
#include <rubble/shapes.h>

#include "base/random.h"
#include "base/vec.h"
#include "faulty_allocator.h"
#include "test.h"

typedef struct shape {
	const char *name;
	rbl_mesh *mesh;
	int *triangles;
	int triangle_count;
} shape;

static shape take_shape(const char *name, rbl_mesh *mesh)
{
	shape s = { name, mesh, NULL, rbl_mesh_triangle_count(mesh) };
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	s.triangles = malloc((size_t)s.triangle_count * 3 * sizeof(int) + 1);
	if (!s.triangles || rbl_mesh_triangulate(mesh, s.triangles, NULL) != RBL_OK)
		abort();
	for (int i = 0; i < 3 * s.triangle_count; ++i) // corners to vertices
		s.triangles[i] = data.corner_vertices[s.triangles[i]];
	return s;
}

static void drop_shape(shape *s)
{
	free(s->triangles);
	rbl_destroy_mesh(s->mesh);
}

enum { SHAPE_COUNT = 4 };

static shape make_shape(int which)
{
	rbl_mesh *mesh = NULL;
	if (which == 0) {
		rbl_icosphere_def def = rbl_default_icosphere_def();
		if (rbl_create_icosphere_mesh(&def, &mesh) != RBL_OK)
			abort();
		return take_shape("sphere", mesh);
	}
	if (which == 1) {
		rbl_torus_def def = rbl_default_torus_def();
		if (rbl_create_torus_mesh(&def, &mesh) != RBL_OK)
			abort();
		return take_shape("torus", mesh);
	}
	if (which == 2) {
		rbl_box_def def = rbl_default_box_def();
		def.subdivisions = 9;
		if (rbl_create_box_mesh(&def, &mesh) != RBL_OK)
			abort();
		return take_shape("box", mesh);
	}
	rbl_tube_def def = rbl_default_tube_def();
	def.rows = 12;
	if (rbl_create_tube_mesh(&def, &mesh) != RBL_OK)
		abort();
	return take_shape("tube", mesh);
}

static rbl_cutter *make_cutter(const shape *s, rbl_allocator allocator)
{
	rbl_mesh_data data = rbl_mesh_get_data(s->mesh);
	rbl_cutter_def def = rbl_default_cutter_def();
	def.vertex_count = data.vertex_count;
	def.positions = data.positions;
	def.triangle_count = s->triangle_count;
	def.triangles = s->triangles;
	def.allocator = allocator;
	rbl_cutter *cutter;
	return rbl_create_cutter(&def, &cutter) == RBL_OK ? cutter : NULL;
}

static rbl_mesh *mesh_of(const rbl_cutter *cutter)
{
	rbl_cutter_mesh view = rbl_cutter_get_mesh(cutter);
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data.vertex_count = view.vertex_count;
	def.data.positions = view.positions;
	def.data.face_count = view.triangle_count;
	def.data.corner_count = 3 * view.triangle_count;
	def.data.corner_vertices = view.triangles;
	rbl_mesh *mesh;
	return rbl_create_mesh(&def, &mesh) == RBL_OK ? mesh : NULL;
}

// Twins are twins, the mesh by its vertex numbers is closed, manifold and oriented, and encloses
// the volume it had.
static bool is_sound(const rbl_cutter *cutter, double volume, const char **why)
{
	rbl_cutter_mesh view = rbl_cutter_get_mesh(cutter);
	*why = "twins";
	for (int h = 0; h < 3 * view.triangle_count; ++h) {
		int twin = view.twins[h];
		int next = h % 3 == 2 ? h - 2 : h + 1;
		if (twin < 0 || twin >= 3 * view.triangle_count || view.twins[twin] != h)
			return false;
		int twin_next = twin % 3 == 2 ? twin - 2 : twin + 1;
		if (view.triangles[h] != view.triangles[twin_next] ||
		    view.triangles[next] != view.triangles[twin])
			return false;
	}
	rbl_mesh *mesh = mesh_of(cutter);
	rbl_mesh_report report;
	*why = "mesh";
	bool sound = mesh && rbl_mesh_check(mesh, &report) == RBL_OK;
	if (sound) {
		sound = report.is_closed && report.is_manifold && report.is_oriented;
		if (!sound)
			printf("boundary %d, non-manifold edges %d, vertices %d\n", report.boundary_edges,
			       report.nonmanifold_edges, report.nonmanifold_vertices);
		if (sound && fabs(report.volume - volume) > 1e-9 * volume) {
			*why = "volume";
			sound = false;
		}
	}
	rbl_destroy_mesh(mesh);
	return sound;
}

// Cracks of all kinds through the middle of a shape of about unit size.
enum { CRACK_COUNT = 5 };

typedef struct crack_points {
	rbl_vec3d front[9], path[9];
	rbl_crack crack;
} crack_points;

static void make_crack(crack_points *c, int which)
{
	rbl_vec3d along = { 0.31, 0.11, 1.0 }, advance = { 0.93, -0.17, 0.21 };
	along = rbl_normalize_d(along);
	advance = rbl_normalize_d(rbl_add_scaled_d(advance, -rbl_dot_d(advance, along), along));
	rbl_vec3d up = rbl_cross_d(along, advance), centre = { 0.013, 0.217, 0.007 };
	for (int i = 0; i < 9; ++i) {
		double s = (i - 4) / 4.0;
		double bend_front = which == 1 || which == 3 ? 0.12 * s * s : 0.0;
		double bend_path = which == 2 || which == 3 ? 0.10 * (1.0 - s * s) : 0.0;
		double lead = which == 4 ? -0.25 * s * s : 0.0; // the middle of the front is ahead
		rbl_vec3d p = rbl_add_scaled_d(centre, 1.6 * s, along);
		p = rbl_add_scaled_d(p, -1.5 + lead, advance);
		c->front[i] = rbl_add_scaled_d(p, bend_front, up);
		rbl_vec3d q = rbl_scale_d(1.7 * (s + 1.0), advance);
		c->path[i] = rbl_add_scaled_d(q, bend_path, up);
	}
	c->crack = (rbl_crack){ c->front, 9, c->path, 9 };
}

static void cut_through(test *t, const shape *s, int which, int steps)
{
	rbl_cutter *cutter = make_cutter(s, (rbl_allocator){ 0 });
	CHECK(t, cutter != NULL);
	if (!cutter)
		return;
	double volume = rbl_mesh_get_mass(s->mesh).volume;
	crack_points crack;
	make_crack(&crack, which);
	CHECK(t, rbl_cutter_begin(cutter, &crack.crack) == RBL_OK);
	rbl_cut_step step = { 0 };
	int faces = 0;
	for (int i = 1; i <= steps; ++i) {
		int before = rbl_cutter_get_mesh(cutter).triangle_count;
		CHECK(t, rbl_cutter_advance(cutter, (double)i / steps, &step) == RBL_OK);
		rbl_cutter_mesh view = rbl_cutter_get_mesh(cutter);
		CHECK(t, view.triangle_count == before + step.part_count + step.face_count);
		for (int k = 0; k < step.changed_count; ++k)
			CHECK(t, step.changed[k] < before);
		for (int k = 0; k < step.part_count; ++k)
			CHECK(t, step.parts[k] >= before && step.sources[k] < before);
		for (int k = 0; k < step.face_count; k += 2)
			CHECK(t, view.crack_ids[step.faces[k]] >= 0 &&
			             view.crack_ids[step.faces[k]] == view.crack_ids[step.faces[k + 1]]);
		faces += step.face_count;
		const char *why = "";
		bool sound = is_sound(cutter, volume, &why);
		if (!sound)
			printf("%s, crack %d, step %d of %d: %s\n", s->name, which, i, steps, why);
		CHECK(t, sound);
		if (!sound)
			break;
	}
	CHECK(t, step.is_through && faces > 0);
	int *labels = malloc((size_t)rbl_cutter_get_mesh(cutter).triangle_count * sizeof *labels + 1);
	int parts = 0;
	CHECK(t, rbl_cutter_get_components(cutter, labels, &parts) == RBL_OK);
	if (parts < 2)
		printf("%s, crack %d, %d steps: %d parts\n", s->name, which, steps, parts);
	CHECK(t, parts >= 2);
	free(labels);
	rbl_destroy_cutter(cutter);
}

static void every_step_leaves_a_closed_mesh_of_the_same_volume(test *t)
{
	const int steps[] = { 1, 2, 11, 60 };
	for (int which = 0; which < SHAPE_COUNT; ++which) {
		shape s = make_shape(which);
		for (int crack = 0; crack < CRACK_COUNT; ++crack)
			for (int k = 0; k < 4; ++k)
				cut_through(t, &s, crack, steps[k]);
		drop_shape(&s);
	}
}

// A crack that stops inside, and another one across it.
static void cracks_may_stop_and_cross(test *t)
{
	int seeds = test_count(3, 200);
	for (int round_trip = 0; round_trip < SHAPE_COUNT * seeds; ++round_trip) {
		int which = round_trip % SHAPE_COUNT, seed = round_trip / SHAPE_COUNT;
		shape s = make_shape(which);
		rbl_cutter *cutter = make_cutter(&s, (rbl_allocator){ 0 });
		double volume = rbl_mesh_get_mass(s.mesh).volume;
		rbl_random random = rbl_random_from_seed((uint64_t)which + 1 + 10 * (uint64_t)seed);
		for (int round = 0; round < 6 && cutter; ++round) {
			rbl_vec3d a = rbl_random_in_ball(&random), b = rbl_random_in_ball(&random);
			rbl_vec3d along = rbl_normalize_d(a), centre = rbl_scale_d(0.2, b);
			rbl_vec3d advance = rbl_perpendicular_d(along);
			rbl_vec3d from = rbl_add_scaled_d(centre, -2.0, advance);
			rbl_vec3d front[2] = { rbl_add_scaled_d(from, -2.0, along),
				                   rbl_add_scaled_d(from, 2.0, along) };
			rbl_vec3d path[2] = { { 0.0, 0.0, 0.0 }, rbl_scale_d(4.0, advance) };
			rbl_crack crack = { front, 2, path, 2 };
			CHECK(t, rbl_cutter_begin(cutter, &crack) == RBL_OK);
			double end = round % 2 ? 1.0 : 0.5;
			rbl_cut_step step;
			for (int i = 1; i <= 20; ++i)
				CHECK(t, rbl_cutter_advance(cutter, end * i / 20, &step) == RBL_OK);
			const char *why = "";
			bool sound = is_sound(cutter, volume, &why);
			if (!sound)
				printf("%s, seed %d, round %d: %s\n", s.name, seed, round, why);
			CHECK(t, sound);
			if (!sound)
				break;
		}
		rbl_destroy_cutter(cutter);
		drop_shape(&s);
	}
}

static void bad_input_is_refused(test *t)
{
	shape s = make_shape(0);
	rbl_mesh_data data = rbl_mesh_get_data(s.mesh);
	rbl_cutter_def def = rbl_default_cutter_def();
	rbl_cutter *cutter = NULL;
	CHECK(t, rbl_create_cutter(&def, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_create_cutter(NULL, &cutter) == RBL_BAD_ARGUMENT && !cutter);
	def.vertex_count = data.vertex_count;
	CHECK(t, rbl_create_cutter(&def, &cutter) == RBL_BAD_ARGUMENT);
	def.positions = data.positions;
	def.triangles = s.triangles;
	def.triangle_count = s.triangle_count - 1; // open
	CHECK(t, rbl_create_cutter(&def, &cutter) == RBL_BAD_MESH);
	def.triangle_count = s.triangle_count;
	def.front_spacing = -1.0;
	CHECK(t, rbl_create_cutter(&def, &cutter) == RBL_BAD_ARGUMENT);
	def.front_spacing = 0.0;
	def.vertex_count = 5;
	CHECK(t, rbl_create_cutter(&def, &cutter) == RBL_BAD_ARGUMENT);
	def.vertex_count = data.vertex_count;
	def.triangle_count = 0x10000000;
	CHECK(t, rbl_create_cutter(&def, &cutter) == RBL_LIMIT_REACHED);
	def.triangle_count = s.triangle_count;
	CHECK(t, rbl_create_cutter(&def, &cutter) == RBL_OK);
	rbl_cut_step step;
	CHECK(t, rbl_cutter_advance(cutter, 0.5, &step) == RBL_BAD_ARGUMENT); // no crack yet
	crack_points c;
	make_crack(&c, 0);
	rbl_crack bad = c.crack;
	bad.front_count = 1;
	CHECK(t, rbl_cutter_begin(cutter, &bad) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_cutter_begin(cutter, NULL) == RBL_BAD_ARGUMENT);
	bad = c.crack;
	rbl_vec3d turned[3] = { c.front[0], c.front[8], c.front[4] };
	bad.front = turned, bad.front_count = 3;
	CHECK(t, rbl_cutter_begin(cutter, &bad) == RBL_BAD_ARGUMENT);
	rbl_vec3d same[2] = { c.path[0], c.path[0] };
	bad = c.crack;
	bad.path = same, bad.path_count = 2;
	CHECK(t, rbl_cutter_begin(cutter, &bad) == RBL_BAD_ARGUMENT);
	rbl_vec3d back[3] = { c.path[0], c.path[8], c.path[4] };
	bad.path = back, bad.path_count = 3;
	CHECK(t, rbl_cutter_begin(cutter, &bad) == RBL_BAD_ARGUMENT);
	rbl_vec3d lost[2] = { c.path[0], { NAN, 0.0, 0.0 } };
	bad.path = lost, bad.path_count = 2;
	CHECK(t, rbl_cutter_begin(cutter, &bad) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_cutter_begin(cutter, &c.crack) == RBL_OK);
	CHECK(t, rbl_cutter_advance(cutter, 0.5, &step) == RBL_OK);
	CHECK(t, rbl_cutter_advance(cutter, 0.4, &step) == RBL_BAD_ARGUMENT); // back
	CHECK(t, rbl_cutter_advance(cutter, NAN, &step) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_cutter_advance(cutter, 1.5, &step) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_cutter_get_components(cutter, NULL, NULL) == RBL_BAD_ARGUMENT);
	rbl_destroy_cutter(cutter);
	rbl_destroy_cutter(NULL);
	drop_shape(&s);
}

// Whichever allocation fails, the mesh is sound and the step can be tried again.
static void a_step_without_memory_changes_nothing(test *t)
{
	shape s = make_shape(0);
	double volume = rbl_mesh_get_mass(s.mesh).volume;
	for (int n = 0;; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_cutter *cutter = make_cutter(&s, FAULTY(&memory));
		crack_points c;
		make_crack(&c, 3);
		bool went_well = cutter && rbl_cutter_begin(cutter, &c.crack) == RBL_OK;
		for (int i = 1; i <= 4 && went_well; ++i) {
			int before = rbl_cutter_get_mesh(cutter).triangle_count;
			rbl_cut_step step;
			if (rbl_cutter_advance(cutter, i / 4.0, &step) == RBL_OK)
				continue;
			went_well = false;
			const char *why = "";
			CHECK(t, rbl_cutter_get_mesh(cutter).triangle_count == before);
			CHECK(t, is_sound(cutter, volume, &why));
			atomic_store(&memory.allowed, 1000000);
			CHECK(t, rbl_cutter_advance(cutter, i / 4.0, &step) == RBL_OK);
			CHECK(t, rbl_cutter_advance(cutter, 1.0, &step) == RBL_OK && step.is_through);
			CHECK(t, is_sound(cutter, volume, &why));
		}
		bool failed = memory.failed;
		CHECK(t, went_well != failed);
		rbl_destroy_cutter(cutter);
		CHECK(t, memory.live_bytes == 0);
		if (!failed)
			break;
	}
	drop_shape(&s);
}

// A second crack that cannot begin leaves the first one where it was: it can be led to its end.
static void a_crack_that_cannot_begin_leaves_the_one_before(test *t)
{
	shape s = make_shape(0);
	double volume = rbl_mesh_get_mass(s.mesh).volume;
	int expected = 0;
	for (int n = 0, failures = 0;; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, 1000000);
		rbl_cutter *cutter = make_cutter(&s, FAULTY(&memory));
		crack_points first, second;
		make_crack(&first, 3);
		make_crack(&second, 1);
		rbl_cut_step step;
		CHECK(t, rbl_cutter_begin(cutter, &first.crack) == RBL_OK);
		CHECK(t, rbl_cutter_advance(cutter, 0.4, &step) == RBL_OK && !step.is_through);
		// The first round says what the first crack does alone.
		if (n > 0)
			atomic_store(&memory.allowed, n - 1);
		bool failed = n == 0 || rbl_cutter_begin(cutter, &second.crack) != RBL_OK;
		CHECK(t, n == 0 || failed == memory.failed);
		failures += failed;
		if (failed) {
			const char *why = "";
			atomic_store(&memory.allowed, 1000000);
			CHECK(t, rbl_cutter_advance(cutter, 0.5, &step) == RBL_OK && !step.is_through);
			CHECK(t, rbl_cutter_advance(cutter, 1.0, &step) == RBL_OK && step.is_through);
			CHECK(t, is_sound(cutter, volume, &why));
			if (n == 0)
				expected = rbl_cutter_get_mesh(cutter).triangle_count;
			CHECK(t, rbl_cutter_get_mesh(cutter).triangle_count == expected);
		}
		rbl_destroy_cutter(cutter);
		CHECK(t, memory.live_bytes == 0);
		if (!failed) {
			CHECK(t, failures > 2);
			break;
		}
	}
	drop_shape(&s);
}

TEST_MAIN(TEST(every_step_leaves_a_closed_mesh_of_the_same_volume), TEST(cracks_may_stop_and_cross),
          TEST(bad_input_is_refused), TEST(a_step_without_memory_changes_nothing),
          TEST(a_crack_that_cannot_begin_leaves_the_one_before))
