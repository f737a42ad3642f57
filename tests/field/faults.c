// SPDX-License-Identifier: MIT
// Meshes, definitions and memory that fail: one sentence, nothing made, nothing lost.

#include "shapes.h"

#include "base/vec.h"
#include "faulty_allocator.h"

#include <float.h>
#include <math.h>

// --- the log ------------------------------------------------------------------------------------

typedef struct sentences {
	int count;
	char last[400];
} sentences;

static void note(void *user, rbl_log_level level, const char *text)
{
	sentences *s = user;
	s->count += level == RBL_LOG_ERROR;
	snprintf(s->last, sizeof s->last, "%s", text);
}

// A call is refused with one sentence that contains something, and gives nothing.
#define CHECK_REFUSED(t, call, expected, word)                 \
	do {                                                       \
		sentences said = { 0 };                                \
		rbl_set_log(note, &said);                              \
		rbl_distance_field *field = (rbl_distance_field *)(t); \
		CHECK((t), (call) == (expected));                      \
		rbl_set_log(NULL, NULL);                               \
		CHECK((t), field == NULL && said.count == 1);          \
		CHECK((t), strstr(said.last, (word)) != NULL);         \
		if (!strstr(said.last, (word)))                        \
			printf("said: %s\n", said.last);                   \
	} while (0)

// --- meshes -------------------------------------------------------------------------------------

static rbl_mesh *make_mesh(const rbl_vec3d *positions, int vertex_count, const int *triangles,
                           int triangle_count)
{
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data.vertex_count = vertex_count, def.data.positions = positions;
	def.data.face_count = triangle_count, def.data.corner_count = 3 * triangle_count;
	def.data.corner_vertices = triangles;
	rbl_mesh *mesh = NULL;
	rbl_create_mesh(&def, &mesh);
	return mesh;
}

// A tetrahedron, moved, stretched and perhaps broken.
static rbl_mesh *make_tetrahedron(rbl_vec3d scale, rbl_vec3d shift, int triangle_count,
                                  bool inside_out)
{
	rbl_vec3d positions[4] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
	int triangles[12] = { 0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2 };
	for (int i = 0; i < 4; ++i)
		positions[i] = rbl_add_d(rbl_mul_d(scale, positions[i]), shift);
	for (int i = 0; i < 4 && inside_out; ++i) {
		int swap = triangles[3 * i];
		triangles[3 * i] = triangles[3 * i + 1], triangles[3 * i + 1] = swap;
	}
	return make_mesh(positions, 4, triangles, triangle_count);
}

static void check_refused_mesh(test *t, rbl_mesh *mesh, const char *word)
{
	rbl_distance_field_def def = rbl_default_distance_field_def();
	def.mesh = mesh, def.resolution = 16;
	CHECK(t, mesh != NULL);
	CHECK_REFUSED(t, rbl_create_distance_field(&def, &field), RBL_BAD_MESH, word);
	rbl_destroy_mesh(mesh);
}

static void meshes_without_an_inside_are_refused(test *t)
{
	const rbl_vec3d one = { 1, 1, 1 }, none = { 0, 0, 0 };
	check_refused_mesh(t, make_mesh(&one, 1, NULL, 0), "no faces");
	check_refused_mesh(t, make_tetrahedron(one, none, 3, false), "open");
	check_refused_mesh(t, make_tetrahedron(one, none, 4, true), "inside out");
	check_refused_mesh(t, make_tetrahedron((rbl_vec3d){ 1, 1, 0 }, none, 4, false), "flat");
	check_refused_mesh(t, make_tetrahedron((rbl_vec3d){ 1, 0, 0 }, none, 4, false), "flat");
	check_refused_mesh(t, make_tetrahedron(none, none, 4, false), "large");
	check_refused_mesh(t, make_tetrahedron((rbl_vec3d){ 1e20, 1e20, 1e20 }, none, 4, false),
	                   "large");
	check_refused_mesh(t, make_tetrahedron((rbl_vec3d){ 1e-15, 1e-15, 1e-15 }, none, 4, false),
	                   "large");
	check_refused_mesh(t, make_tetrahedron(one, (rbl_vec3d){ 1e7, 0, 0 }, 4, false), "origin");
}

// Two faces that look the same way along an edge.
static void meshes_whose_faces_disagree_are_refused(test *t)
{
	const rbl_vec3d positions[4] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
	const int triangles[12] = { 0, 2, 1, 0, 1, 3, 1, 3, 2, 0, 3, 2 };
	check_refused_mesh(t, make_mesh(positions, 4, triangles, 4), "disagree");
}

// Vertices of their own for every face, as files without shared vertices have them.
static void vertices_at_one_place_are_one(test *t)
{
	const rbl_vec3d places[4] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
	const int corners[12] = { 0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2 };
	rbl_vec3d positions[12];
	int triangles[12];
	for (int i = 0; i < 12; ++i)
		positions[i] = places[corners[i]], triangles[i] = i;
	positions[0].x = -0.0; // is 0
	rbl_mesh *mesh = make_mesh(positions, 12, triangles, 4);
	rbl_distance_field *field = make_field(mesh, 32, 0.0);
	const rbl_vec3 points[2] = { { 0.2f, 0.2f, 0.2f }, { 0.5f, 0.5f, 0.5f } };
	bool inside[2];
	CHECK(t, field != NULL);
	CHECK(t, rbl_distance_field_contains(field, points, 2, inside) == RBL_OK);
	CHECK(t, inside[0] && !inside[1]);
	rbl_destroy_distance_field(field);
	rbl_destroy_mesh(mesh);
}

// The largest and smallest that are taken still answer.
static void sizes_at_the_limits_are_taken(test *t)
{
	const double sizes[4] = { 1e11, 1e-11, 1e6, 1e-6 };
	for (int i = 0; i < 4; ++i) {
		double s = sizes[i];
		rbl_mesh *mesh =
			make_tetrahedron((rbl_vec3d){ s, s, s }, (rbl_vec3d){ 100.0 * s, 0.0, 0.0 }, 4, false);
		rbl_distance_field *field = make_field(mesh, 64, 0.0);
		CHECK(t, field != NULL);
		rbl_vec3 p = { (float)(100.2 * s), (float)(0.2 * s), (float)(0.2 * s) };
		float depth, bound;
		CHECK(t, rbl_distance_field_penetration(field, &p, 1, &depth, NULL, &bound) == RBL_OK);
		CHECK(t, fabs((double)depth - 0.2 * s) < 0.05 * s && (double)bound < 0.05 * s);
		rbl_destroy_distance_field(field);
		rbl_destroy_mesh(mesh);
	}
}

// --- definitions --------------------------------------------------------------------------------

static void definitions_of_fields_are_checked(test *t)
{
	rbl_mesh *mesh = make_shape(SHAPE_BOX, NULL);
	rbl_distance_field_def def = rbl_default_distance_field_def();
	CHECK_REFUSED(t, rbl_create_distance_field(&def, &field), RBL_BAD_ARGUMENT, "mesh");
	CHECK_REFUSED(t, rbl_create_distance_field(NULL, &field), RBL_BAD_ARGUMENT, "default");
	CHECK(t, rbl_create_distance_field(&def, NULL) == RBL_BAD_ARGUMENT);
	def.mesh = mesh;
	const int resolutions[4] = { 7, 0, -5, RBL_MAX_FIELD_RESOLUTION + 1 };
	for (int i = 0; i < 4; ++i) {
		def.resolution = resolutions[i];
		CHECK_REFUSED(t, rbl_create_distance_field(&def, &field), RBL_BAD_ARGUMENT, "resolution");
	}
	def.resolution = 16;
	const double walls[3] = { -1.0, NAN, INFINITY };
	for (int i = 0; i < 3; ++i) {
		def.wall = walls[i];
		CHECK_REFUSED(t, rbl_create_distance_field(&def, &field), RBL_BAD_ARGUMENT, "wall");
	}
	def.wall = 0.0;
	def.allocator.allocate = faulty_allocate;
	CHECK_REFUSED(t, rbl_create_distance_field(&def, &field), RBL_BAD_ARGUMENT, "allocator");
	def = (rbl_distance_field_def){ .mesh = mesh, .resolution = 16 };
	CHECK_REFUSED(t, rbl_create_distance_field(&def, &field), RBL_BAD_ARGUMENT, "default");
	rbl_destroy_mesh(mesh);
}

static void questions_are_checked(test *t)
{
	rbl_mesh *mesh = make_shape(SHAPE_BOX, NULL);
	rbl_distance_field *field = make_field(mesh, 16, 0.0);
	rbl_vec3 p = { 0.0f, 0.0f, 0.0f };
	float number = 7.0f;
	bool answer = true;
	CHECK(t, rbl_distance_field_contains(NULL, &p, 1, &answer) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_distance_field_contains(field, NULL, 1, &answer) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_distance_field_contains(field, &p, 1, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_distance_field_contains(field, &p, -1, &answer) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_distance_field_contains(field, NULL, 0, NULL) == RBL_OK);
	CHECK(t, rbl_distance_field_penetration(field, &p, 1, NULL, NULL, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t,
	      rbl_distance_field_penetration(field, &p, -1, &number, NULL, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_distance_field_overlaps_sphere(field, &p, NULL, 1, &answer) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_distance_field_overlaps_sphere(field, &p, &number, 1, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, answer && number == 7.0f);
	CHECK(t, rbl_distance_field_get_info(NULL).bytes == 0);
	rbl_destroy_distance_field(NULL);
	rbl_destroy_distance_field(field);
	rbl_destroy_mesh(mesh);
}

// A fragment with everything: planes, a union, surfaces.
typedef struct full_fragment {
	rbl_plane planes[2], cell_planes[2];
	int plane_starts[3], corner_starts[2];
	rbl_vec3 corners[4], surface[12], others[12];
	rbl_cell_union u;
	rbl_fragment_field_def def;
} full_fragment;

static void fill_fragment(full_fragment *f, const rbl_distance_field *original)
{
	static const rbl_vec3 places[4] = { { -0.1f, -0.05f, -0.05f },
		                                { 0.1f, -0.05f, -0.05f },
		                                { -0.1f, 0.05f, -0.05f },
		                                { -0.1f, -0.05f, 0.05f } };
	static const int triangles[12] = { 0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2 };
	*f = (full_fragment){
		.planes = { { { 1, 0, 0 }, 0.05f }, { { 0, 1, 0 }, 0.04f } },
		.cell_planes = { { { 0, 0, 1 }, 0.0f }, { { 0, 0, -1 }, 0.0f } },
		.plane_starts = { 0, 1, 2 },
		.corner_starts = { 0, 4 },
		.corners = { { 0.05f, -1, -1 }, { 0.05f, 1, -1 }, { 0.05f, 1, 1 }, { 0.05f, -1, 1 } }
	};
	for (int i = 0; i < 12; ++i) {
		f->surface[i] = places[triangles[i]];
		f->others[i] = rbl_add(f->surface[i], (rbl_vec3){ 0.05f, 0.05f, 0.05f });
	}
	f->u = (rbl_cell_union){ .cell_count = 2,
		                     .plane_starts = f->plane_starts,
		                     .planes = f->cell_planes,
		                     .polygon_count = 1,
		                     .corner_starts = f->corner_starts,
		                     .corners = f->corners };
	f->def = rbl_default_fragment_field_def();
	f->def.original = original;
	f->def.box = (rbl_box){ { -0.1f, -0.1f, -0.05f }, { 0.1f, 0.1f, 0.05f } };
	f->def.planes = f->planes, f->def.plane_count = 2;
	f->def.unions = &f->u, f->def.union_count = 1;
	f->def.surface = (rbl_triangle_list){ f->surface, 4 };
	f->def.others = (rbl_triangle_list){ f->others, 4 };
}

#define REFUSE_FRAGMENT(change, word)                                                        \
	do {                                                                                     \
		full_fragment f;                                                                     \
		fill_fragment(&f, original);                                                         \
		change;                                                                              \
		CHECK_REFUSED(t, rbl_create_fragment_field(&f.def, &field), RBL_BAD_ARGUMENT, word); \
	} while (0)

static void definitions_of_fragments_are_checked(test *t)
{
	rbl_mesh *mesh = make_shape(SHAPE_BOX, NULL);
	rbl_distance_field *original = make_field(mesh, 32, 0.0), *fragment = NULL;
	full_fragment good;
	fill_fragment(&good, original);
	CHECK(t, rbl_create_fragment_field(&good.def, &fragment) == RBL_OK);
	CHECK(t, rbl_create_fragment_field(&good.def, NULL) == RBL_BAD_ARGUMENT);
	CHECK_REFUSED(t, rbl_create_fragment_field(NULL, &field), RBL_BAD_ARGUMENT, "default");
	REFUSE_FRAGMENT(f.def.cookie = 0, "default");
	REFUSE_FRAGMENT(f.def.original = NULL, "original");
	REFUSE_FRAGMENT(f.def.original = fragment, "original");
	REFUSE_FRAGMENT(f.def.box = rbl_box_empty(), "box");
	REFUSE_FRAGMENT(f.def.box.upper.x = INFINITY, "box");
	REFUSE_FRAGMENT(f.def.transform.position.x = NAN, "transform");
	REFUSE_FRAGMENT(f.def.transform.rotation.w = 0.0f, "transform");
	REFUSE_FRAGMENT(f.def.plane_count = -1, "plane_count");
	REFUSE_FRAGMENT(f.def.planes = NULL, "planes");
	REFUSE_FRAGMENT(f.planes[1].normal.y = 2.0f, "plane 1");
	REFUSE_FRAGMENT(f.planes[0].offset = NAN, "plane 0");
	REFUSE_FRAGMENT(f.def.unions = NULL, "unions");
	REFUSE_FRAGMENT(f.def.union_count = -2, "union_count");
	REFUSE_FRAGMENT(f.u.cell_count = 0, "union 0");
	REFUSE_FRAGMENT(f.u.polygon_count = -1, "union 0");
	REFUSE_FRAGMENT(f.u.planes = NULL, "union 0");
	REFUSE_FRAGMENT(f.u.plane_starts = NULL, "union 0");
	REFUSE_FRAGMENT(f.plane_starts[1] = 0, "union 0");
	REFUSE_FRAGMENT(f.plane_starts[0] = 1, "union 0");
	REFUSE_FRAGMENT(f.cell_planes[1].normal.z = 0.0f, "plane 1 of union 0");
	REFUSE_FRAGMENT(f.u.corners = NULL, "union 0");
	const rbl_box boxes[2] = { { { 0, 0, 0 }, { 1, 1, 1 } }, { { 0, 0, 0 }, { 1, -1, 1 } } };
	REFUSE_FRAGMENT(f.u.cell_boxes = boxes, "box 1 of union 0");
	REFUSE_FRAGMENT(f.corner_starts[1] = 2, "union 0");
	REFUSE_FRAGMENT(f.corners[3].y = NAN, "union 0");
	REFUSE_FRAGMENT(f.def.surface.triangle_count = -1, "surface");
	REFUSE_FRAGMENT(f.def.surface.corners = NULL, "surface");
	REFUSE_FRAGMENT(f.surface[5].z = INFINITY, "surface");
	REFUSE_FRAGMENT(f.others[11].x = NAN, "others");
	REFUSE_FRAGMENT(f.def.allocator.release = faulty_release, "allocator");
	size_t size = 0;
	CHECK(t, rbl_distance_field_save(fragment, NULL, &size) == RBL_UNSUPPORTED);
	rbl_destroy_distance_field(fragment);
	rbl_destroy_distance_field(original);
	rbl_destroy_mesh(mesh);
}

// Triangles anywhere but in the box, huge, flat or open: a fragment's surface may be any.
static void surfaces_of_fragments_may_be_anything_finite(test *t)
{
	rbl_mesh *mesh = make_shape(SHAPE_BOX, NULL);
	rbl_distance_field *original = make_field(mesh, 32, 0.0);
	const rbl_vec3 corners[5][3] = { { { 9, 9, 9 }, { 9, 9, 9 }, { 9, 9, 9 } },
		                             { { -1e30f, 0, 0 }, { 1e30f, 1, 0 }, { 0, 0, 1e30f } },
		                             { { 0, 0, 0 }, { 0, 0, 0 }, { 0.1f, 0, 0 } },
		                             { { 5, 5, 5 }, { 6, 5, 5 }, { 5, 6, 5 } },
		                             { { -0.1f, 0, 0 }, { 0.1f, 0, 0 }, { 0, 0.1f, 0 } } };
	for (int i = 0; i < 5; ++i) {
		full_fragment f;
		fill_fragment(&f, original);
		f.def.surface = (rbl_triangle_list){ corners[i], 1 };
		f.def.others = (rbl_triangle_list){ corners[4 - i], 1 };
		rbl_distance_field *field = NULL;
		CHECK(t, rbl_create_fragment_field(&f.def, &field) == RBL_OK);
		const rbl_vec3 p = { 0.01f, 0.02f, 0.03f };
		bool inside;
		CHECK(t, rbl_distance_field_contains(field, &p, 1, &inside) == RBL_OK);
		rbl_destroy_distance_field(field);
	}
	rbl_destroy_distance_field(original);
	rbl_destroy_mesh(mesh);
}

// --- memory -------------------------------------------------------------------------------------

static void every_allocation_of_a_field_may_fail(test *t)
{
	rbl_mesh *mesh = make_shape(SHAPE_TORUS, NULL);
	int n = 0;
	for (;; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_distance_field_def def = rbl_default_distance_field_def();
		def.mesh = mesh, def.resolution = 16, def.allocator = FAULTY(&memory);
		rbl_distance_field *field = (rbl_distance_field *)&memory;
		rbl_result result = rbl_create_distance_field(&def, &field);
		CHECK(t, result == (memory.failed ? RBL_OUT_OF_MEMORY : RBL_OK));
		CHECK(t, memory.failed == (field == NULL));
		rbl_destroy_distance_field(field);
		CHECK(t, memory.live_bytes == 0 && memory.live_count == 0);
		if (!memory.failed)
			break;
	}
	CHECK(t, n > 20);
	rbl_destroy_mesh(mesh);
}

static void every_allocation_of_a_fragment_may_fail(test *t)
{
	rbl_mesh *mesh = make_shape(SHAPE_BOX, NULL);
	rbl_distance_field *original = make_field(mesh, 32, 0.0);
	int n = 0;
	for (;; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		full_fragment f;
		fill_fragment(&f, original);
		f.def.allocator = FAULTY(&memory);
		rbl_distance_field *field = (rbl_distance_field *)&memory;
		rbl_result result = rbl_create_fragment_field(&f.def, &field);
		CHECK(t, result == (memory.failed ? RBL_OUT_OF_MEMORY : RBL_OK));
		CHECK(t, memory.failed == (field == NULL));
		rbl_destroy_distance_field(field);
		CHECK(t, memory.live_bytes == 0 && memory.live_count == 0);
		if (!memory.failed)
			break;
	}
	CHECK(t, n > 5);
	rbl_destroy_distance_field(original);
	rbl_destroy_mesh(mesh);
}

// Planes alone are one block, as a break makes thousands of them.
static void a_plain_fragment_is_one_allocation(test *t)
{
	rbl_mesh *mesh = make_shape(SHAPE_BOX, NULL);
	rbl_distance_field *original = make_field(mesh, 32, 0.0), *field;
	faulty_allocator memory;
	faulty_init(&memory, 1000);
	full_fragment f;
	fill_fragment(&f, original);
	f.def.surface.triangle_count = 0, f.def.allocator = FAULTY(&memory);
	CHECK(t, rbl_create_fragment_field(&f.def, &field) == RBL_OK);
	CHECK(t, memory.total_count == 1 &&
	             (size_t)memory.live_bytes == rbl_distance_field_get_info(field).bytes);
	rbl_vec3 points[100] = { { 0 } }, normals[100];
	float depths[100];
	CHECK(t, rbl_distance_field_penetration(field, points, 100, depths, normals, NULL) == RBL_OK);
	CHECK(t, memory.total_count == 1); // questions take no memory
	rbl_destroy_distance_field(field);
	rbl_destroy_distance_field(original);
	rbl_destroy_mesh(mesh);
}

TEST_MAIN(TEST(meshes_without_an_inside_are_refused), TEST(meshes_whose_faces_disagree_are_refused),
          TEST(vertices_at_one_place_are_one), TEST(sizes_at_the_limits_are_taken),
          TEST(definitions_of_fields_are_checked), TEST(questions_are_checked),
          TEST(definitions_of_fragments_are_checked),
          TEST(surfaces_of_fragments_may_be_anything_finite),
          TEST(every_allocation_of_a_field_may_fail), TEST(every_allocation_of_a_fragment_may_fail),
          TEST(a_plain_fragment_is_one_allocation))
