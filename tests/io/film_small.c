// SPDX-License-Identifier: MIT
// ctest: files
//
// Small films: meshes that are another one turned, parts that become one mesh or instances, faces
// without normals. What a reader gets is where it was.

#include "io_test.h"

#include <rubble/shapes.h>

enum { PARTS = 12 };

static const rbl_transform here = { { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f, 1.0f } };

// A box turned about y by the angle of sine s and cosine c, and mirrored if asked to. No two of its
// corners are alike: one is cut short.
static rbl_mesh *make_wedge(rbl_vec3d at, double c, double s, bool is_mirrored, bool is_smooth)
{
	static const int faces[24] = { 0, 3, 2, 1, 4, 5, 6, 7, 0, 1, 5, 4,
		                           1, 2, 6, 5, 2, 3, 7, 6, 3, 0, 4, 7 };
	int starts[7] = { 0, 4, 8, 12, 16, 20, 24 }, corners[24];
	rbl_vec3d places[8];
	rbl_vec3 normals[24];
	for (int i = 0; i < 8; ++i) {
		double x = i % 4 == 1 || i % 4 == 2 ? 0.5 : -0.5, z = i % 4 >= 2 ? 0.3 : -0.3;
		double y = i >= 4 ? (i == 6 ? 0.4 : 1.0) : 0.0;
		y += i == 5 || i == 7 ? -0.3 : 0.0; // x (1 - y) z bilinear: faces stay nearly flat
		x = is_mirrored ? -x : x;
		places[i] = (rbl_vec3d){ at.x + c * x + s * z, at.y + y, at.z - s * x + c * z };
	}
	for (int i = 0; i < 24; ++i) {
		corners[i] = faces[is_mirrored ? 23 - i : i];
		rbl_vec3d p = places[corners[i]];
		double x = p.x - at.x, y = p.y - at.y - 0.4, z = p.z - at.z;
		double length = sqrt(x * x + y * y + z * z);
		normals[i] = (rbl_vec3){ (float)(x / length), (float)(y / length), (float)(z / length) };
	}
	rbl_mesh_material material = { .name = "stone", .base_color = { 1, 1, 1, 1 }, .roughness = 1 };
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data.vertex_count = 8, def.data.positions = places;
	def.data.face_count = 6, def.data.face_starts = starts;
	def.data.corner_count = 24, def.data.corner_vertices = corners;
	def.data.corner_normals = is_smooth ? normals : NULL;
	def.data.materials = &material, def.data.material_count = 1;
	rbl_mesh *mesh = NULL;
	rbl_create_mesh(&def, &mesh);
	return mesh;
}

static rbl_film *make_film(test *t, rbl_allocator allocator)
{
	rbl_film_def def = rbl_default_film_def();
	def.allocator = allocator;
	rbl_film *film = NULL;
	CHECK(t, rbl_create_film(&def, &film) == RBL_OK);
	return film;
}

// The scene of a film that was written and read again.
static rbl_document *write_and_read(test *t, const rbl_film *film, const rbl_write_def *def,
                                    size_t *size)
{
	rbl_file_bytes bytes;
	rbl_document *document = NULL;
	CHECK(t, rbl_write_film_memory(film, def, &bytes) == RBL_OK);
	rbl_read_def read = rbl_default_read_def();
	read.format = RBL_FORMAT_GLTF;
	CHECK(t, rbl_read_document_memory(bytes.data, bytes.size, &read, &document) == RBL_OK);
	*size = bytes.size;
	rbl_free_bytes(&bytes);
	return document;
}

static rbl_write_def glb_def(void)
{
	rbl_write_def def = rbl_default_write_def();
	def.format = RBL_FORMAT_GLTF;
	return def;
}

static bool near_vertices(const rbl_mesh *a, const rbl_mesh *b, double tolerance)
{
	rbl_mesh_data first = rbl_mesh_get_data(a), second = rbl_mesh_get_data(b);
	bool is_near = first.vertex_count > 0;
	for (int i = 0; i < first.vertex_count && is_near; ++i) {
		double least = 1e9;
		for (int k = 0; k < second.vertex_count; ++k) {
			rbl_vec3d p = first.positions[i], q = second.positions[k];
			least = fmin(least, fmax(fabs(p.x - q.x), fmax(fabs(p.y - q.y), fabs(p.z - q.z))));
		}
		is_near = least <= tolerance;
	}
	return is_near;
}

// Whichever way a mesh is turned, it is written once and shown where it was.
static void turned_meshes_are_shared(test *t)
{
	static const double turns[5][2] = {
		{ 1, 0 }, { 0.6, 0.8 }, { -1, 0 }, { 0, -1 }, { -0.28, 0.96 }
	};
	for (int smooth = 0; smooth < 2; ++smooth) {
		rbl_film *film = make_film(t, (rbl_allocator){ 0 });
		for (int i = 0; i < 5; ++i) {
			int mesh, object;
			rbl_vec3d at = { 3.0 * i, 0.25 * i, -2.0 };
			CHECK(t,
			      rbl_film_add_mesh(film, make_wedge(at, turns[i][0], turns[i][1], false, smooth),
			                        &mesh) == RBL_OK);
			CHECK(t, rbl_film_add_object(film, mesh, here, &object) == RBL_OK);
		}
		size_t size;
		rbl_write_def def = glb_def();
		rbl_document *document = write_and_read(t, film, &def, &size);
		rbl_scene scene = rbl_document_get_scene(document);
		CHECK(t, scene.mesh_count == 1 && scene.node_count == 5);
		rbl_mesh *all = NULL;
		CHECK(t, rbl_film_create_mesh(film, 0.0f, &all) == RBL_OK);
		for (int i = 0; i < 5; ++i) {
			rbl_vec3d at = { 3.0 * i, 0.25 * i, -2.0 };
			rbl_mesh *one = make_wedge(at, turns[i][0], turns[i][1], false, smooth);
			CHECK(t, near_vertices(one, all, 1e-5));
			rbl_destroy_mesh(one);
		}
		rbl_destroy_mesh(all);
		rbl_destroy_document(document);
		rbl_destroy_film(film);
	}
}

static void mirrored_and_other_meshes_are_not(test *t)
{
	rbl_film *film = make_film(t, (rbl_allocator){ 0 });
	rbl_vec3d at = { 0.0, 0.0, 0.0 };
	rbl_mesh *meshes[3] = { make_wedge(at, 1, 0, false, false), make_wedge(at, 1, 0, true, false),
		                    make_wedge(at, 1.001, 0, false, false) };
	for (int i = 0; i < 3; ++i) {
		int mesh, object;
		CHECK(t, rbl_film_add_mesh(film, meshes[i], &mesh) == RBL_OK);
		CHECK(t, rbl_film_add_object(film, mesh, here, &object) == RBL_OK);
	}
	size_t size;
	rbl_write_def def = glb_def();
	rbl_document *document = write_and_read(t, film, &def, &size);
	CHECK(t, rbl_document_get_scene(document).mesh_count == 3);
	rbl_destroy_document(document);
	rbl_destroy_film(film);
}

// Twelve parts of two kinds, one of which goes away.
static rbl_film *make_parts(test *t, rbl_allocator allocator)
{
	int object, part = -1;
	rbl_film *film = make_film(t, allocator);
	CHECK(t, rbl_film_add_object(film, -1, here, &object) == RBL_OK);
	CHECK(t, rbl_film_set_name(film, object, "wall") == RBL_OK);
	for (int i = 0; i < PARTS; ++i) {
		int mesh;
		rbl_vec3d at = { 1.5 * i, 0.0, 0.0 };
		double c = i < PARTS / 2 ? 1.0 : 0.6 + 0.01 * i; // the second half are all different
		rbl_mesh *wedge = make_wedge(at, c, i < PARTS / 2 ? 0.0 : 0.8, false, false);
		CHECK(t, rbl_film_add_mesh(film, wedge, &mesh) == RBL_OK);
		CHECK(t, rbl_film_add_part(film, object, mesh, here, &part) == RBL_OK);
		CHECK(t, rbl_film_set_name(film, part, "wall/part") == RBL_OK);
	}
	CHECK(t, rbl_film_begin_frame(film, 1.0f) == RBL_OK);
	CHECK(t, rbl_film_remove(film, part) == RBL_OK);
	return film;
}

static int count_named(const rbl_scene *scene, const char *name)
{
	int count = 0;
	for (int i = 0; i < scene->node_count; ++i)
		count += scene->nodes[i].name && strncmp(scene->nodes[i].name, name, strlen(name)) == 0;
	return count;
}

static void parts_that_stay_become_one_mesh(test *t)
{
	rbl_film *film = make_parts(t, (rbl_allocator){ 0 });
	rbl_write_def def = glb_def();
	size_t plain, merged;
	rbl_document *document = write_and_read(t, film, &def, &plain);
	rbl_scene scene = rbl_document_get_scene(document);
	CHECK(t, count_named(&scene, "wall/part") == PARTS);
	rbl_destroy_document(document);
	def.merges_parts = true;
	document = write_and_read(t, film, &def, &merged);
	scene = rbl_document_get_scene(document);
	// One of all that stay, and one that goes away.
	CHECK(t, scene.node_count == 3 && scene.mesh_count == 2 &&
	             count_named(&scene, "wall/parts ") == 2);
	CHECK(t, merged < plain);
	rbl_destroy_document(document);
	// As one mesh it is where it was.
	rbl_file_bytes bytes;
	rbl_mesh *read = NULL, *shown = NULL;
	def.is_quantized = true;
	CHECK(t, rbl_write_film_memory(film, &def, &bytes) == RBL_OK);
	rbl_read_def read_def = rbl_default_read_def();
	read_def.format = RBL_FORMAT_GLTF;
	CHECK(t, rbl_read_mesh_memory(bytes.data, bytes.size, &read_def, &read) == RBL_OK);
	CHECK(t, rbl_film_create_mesh(film, 0.0f, &shown) == RBL_OK);
	CHECK(t, near_vertices(shown, read, 2e-3) && near_vertices(read, shown, 2e-3));
	rbl_destroy_mesh(read);
	rbl_destroy_mesh(shown);
	rbl_free_bytes(&bytes);
	rbl_destroy_film(film);
}

static void parts_that_share_a_mesh_become_instances(test *t)
{
	rbl_film *film = make_parts(t, (rbl_allocator){ 0 });
	rbl_write_def def = glb_def();
	def.has_instances = true;
	for (int i = 0; i < 2; ++i) {
		rbl_file_bytes bytes;
		rbl_mesh *read = NULL, *shown = NULL;
		def.is_quantized = i == 1;
		CHECK(t, rbl_write_film_memory(film, &def, &bytes) == RBL_OK);
		bool is_found = false;
		for (size_t k = 0; k + 23 < bytes.size && !is_found; ++k)
			is_found = memcmp(bytes.data + k, "EXT_mesh_gpu_instancing", 23) == 0;
		CHECK(t, is_found);
		rbl_read_def read_def = rbl_default_read_def();
		read_def.format = RBL_FORMAT_GLTF;
		CHECK(t, rbl_read_mesh_memory(bytes.data, bytes.size, &read_def, &read) == RBL_OK);
		CHECK(t, rbl_film_create_mesh(film, 0.0f, &shown) == RBL_OK);
		CHECK(t, near_vertices(shown, read, i ? 2e-3 : 1e-5) &&
		             near_vertices(read, shown, i ? 2e-3 : 1e-5));
		rbl_destroy_mesh(read);
		rbl_destroy_mesh(shown);
		rbl_free_bytes(&bytes);
	}
	rbl_destroy_film(film);
}

// A quantized cylinder: its side keeps normals, its caps need none, and neither loses a triangle.
static void flat_faces_have_no_normals(test *t)
{
	rbl_cylinder_def shape = rbl_default_cylinder_def();
	shape.segments = 64;
	rbl_mesh *mesh = NULL, *back = NULL;
	CHECK(t, rbl_create_cylinder_mesh(&shape, &mesh) == RBL_OK);
	rbl_write_def def = glb_def();
	def.is_quantized = true;
	rbl_file_bytes bytes;
	CHECK(t, rbl_write_mesh_memory(mesh, &def, &bytes) == RBL_OK);
	int normals = 0, positions = 0;
	for (size_t i = 0; i + 10 < bytes.size; ++i) {
		normals += memcmp(bytes.data + i, "\"NORMAL\":", 9) == 0;
		positions += memcmp(bytes.data + i, "\"POSITION\"", 10) == 0;
	}
	CHECK(t, normals == 1 && positions == 2);
	rbl_read_def read = rbl_default_read_def();
	read.format = RBL_FORMAT_GLTF;
	CHECK(t, rbl_read_mesh_memory(bytes.data, bytes.size, &read, &back) == RBL_OK);
	CHECK(t, rbl_mesh_triangle_count(back) == rbl_mesh_triangle_count(mesh));
	CHECK(t, near_vertices(mesh, back, 1e-4) && near_vertices(back, mesh, 1e-4));
	rbl_free_bytes(&bytes);
	rbl_destroy_mesh(back);
	rbl_destroy_mesh(mesh);
}

static void memory_may_run_out(test *t)
{
	for (int n = 0;; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, 1 << 30);
		rbl_film *film = make_parts(t, FAULTY(&memory));
		memory.allowed = n;
		rbl_write_def def = glb_def();
		def.merges_parts = def.has_instances = def.is_quantized = true;
		def.allocator = FAULTY(&memory);
		rbl_file_bytes bytes;
		rbl_result result = rbl_write_film_memory(film, &def, &bytes);
		CHECK(t, result == RBL_OK || !bytes.data);
		rbl_free_bytes(&bytes);
		rbl_destroy_film(film);
		CHECK(t, memory.live_bytes == 0);
		if (!memory.failed) {
			CHECK(t, result == RBL_OK && n > 20);
			break;
		}
		CHECK(t, result == RBL_OUT_OF_MEMORY);
	}
}

TEST_MAIN(TEST(turned_meshes_are_shared), TEST(mirrored_and_other_meshes_are_not),
          TEST(parts_that_stay_become_one_mesh), TEST(parts_that_share_a_mesh_become_instances),
          TEST(flat_faces_have_no_normals), TEST(memory_may_run_out))
