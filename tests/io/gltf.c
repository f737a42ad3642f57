// SPDX-License-Identifier: MIT
// glTF 2.0: .glb out, .glb and .gltf in.

#include "io_test.h"

static rbl_write_def glb_def(void)
{
	rbl_write_def def = rbl_default_write_def();
	def.format = RBL_FORMAT_GLTF;
	return def;
}

// A file of this name for the validator to look at.
static void keep_for_validator(test *t, const char *name, const rbl_file_bytes *bytes)
{
	char path[600];
	snprintf(path, sizeof path, "%s/glb/%s.glb", RBL_BINARY_DIR, name);
	FILE *file = fopen(path, "wb");
	CHECK(t, file && fwrite(bytes->data, 1, bytes->size, file) == bytes->size);
	if (file)
		fclose(file);
}

static void triangles_are_read_back_equal(test *t)
{
	for (int i = 0; i < 16; ++i) {
		rbl_mesh *mesh = io_make_mesh((io_shape){ .has_normals = i & 1,
		                                          .has_uv0 = i & 2,
		                                          .has_uv1 = (i & 2) && (i & 4),
		                                          .has_colors = i & 8,
		                                          .is_triangulated = true,
		                                          .has_float_positions = true });
		rbl_mesh *back = io_round_trip(mesh, glb_def());
		CHECK(t, io_meshes_equal(mesh, back));
		rbl_destroy_mesh(back);
		rbl_write_def def = glb_def();
		rbl_file_bytes bytes;
		char name[20];
		snprintf(name, sizeof name, "mesh%d", i);
		CHECK(t, rbl_write_mesh_memory(mesh, &def, &bytes) == RBL_OK);
		keep_for_validator(t, name, &bytes);
		rbl_free_bytes(&bytes);
		rbl_destroy_mesh(mesh);
	}
}

// Two tetrahedra share a place but no vertex: joined, they would be one piece with a bad vertex.
static void vertices_at_one_place_stay_apart(test *t)
{
	const rbl_vec3d positions[8] = { { 0, 0, 0 },    { 1, 0, 0 },  { 0, 1, 0 },  { 0, 0, 1 },
		                             { -0.0, 0, 0 }, { -1, 0, 0 }, { 0, 0, -1 }, { 0, -1, 0 } };
	const int corners[24] = {
		0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3, 4, 6, 5, 4, 5, 7, 4, 7, 6, 5, 6, 7
	};
	for (int i = 0; i < 2; ++i) {
		rbl_vec3 normals[24]; // of faces: every corner is a vertex of the file
		for (int c = 0; c < 24; ++c)
			normals[c] = (rbl_vec3){ c / 3 % 2 ? 1.0f : 0.0f, c / 3 % 2 ? 0.0f : 1.0f, 0.0f };
		rbl_mesh_def mesh_def = rbl_default_mesh_def();
		mesh_def.data = (rbl_mesh_data){ .vertex_count = 8,
			                             .positions = positions,
			                             .face_count = 8,
			                             .corner_count = 24,
			                             .corner_vertices = corners,
			                             .corner_normals = i ? normals : NULL };
		rbl_mesh *mesh;
		CHECK(t, rbl_create_mesh(&mesh_def, &mesh) == RBL_OK);
		rbl_mesh *back = io_round_trip(mesh, glb_def());
		rbl_mesh_report report;
		CHECK(t, rbl_mesh_check(back, &report) == RBL_OK);
		CHECK(t, report.vertices == 8 && report.components == 2 && report.is_manifold);
		CHECK(t, io_same(rbl_mesh_get_data(back).corner_vertices, corners, sizeof corners));
		rbl_write_def def = glb_def();
		rbl_file_bytes bytes;
		CHECK(t, rbl_write_mesh_memory(mesh, &def, &bytes) == RBL_OK);
		keep_for_validator(t, i ? "apart1" : "apart0", &bytes);
		rbl_free_bytes(&bytes);
		io_check_write_memory(t, mesh, glb_def());
		rbl_destroy_mesh(back);
		rbl_destroy_mesh(mesh);
	}
}

// Faces are grouped by material; positions, materials and volume stay.
static void materials_and_polygons_survive(test *t)
{
	rbl_mesh *mesh = io_make_mesh(
		(io_shape){ .has_normals = true, .has_materials = true, .has_float_positions = true });
	rbl_mesh *back = io_round_trip(mesh, glb_def());
	rbl_mesh_data a = rbl_mesh_get_data(mesh), b = rbl_mesh_get_data(back);
	CHECK(t, a.vertex_count == b.vertex_count &&
	             memcmp(a.positions, b.positions, 10 * sizeof *a.positions) == 0);
	CHECK(t,
	      b.material_count == 2 && memcmp(a.materials, b.materials, 2 * sizeof *a.materials) == 0);
	CHECK(t, b.face_count == rbl_mesh_triangle_count(mesh) && b.face_materials[0] == 0);
	CHECK_NEAR(t, rbl_mesh_get_mass(back).volume / rbl_mesh_get_mass(mesh).volume, 1.0, 1e-9);
	rbl_mesh *again = io_round_trip(back, glb_def());
	CHECK(t, io_meshes_equal(back, again));
	rbl_destroy_mesh(again);
	rbl_destroy_mesh(back);
	rbl_destroy_mesh(mesh);
}

static void a_mesh_that_needs_long_indices_is_read_back_equal(test *t)
{
	enum { SIDE = 280 };
	static rbl_vec3d positions[SIDE * SIDE];
	static int corners[6 * (SIDE - 1) * (SIDE - 1)];
	int count = 0;
	for (int i = 0; i < SIDE * SIDE; ++i)
		positions[i] = (rbl_vec3d){ i % SIDE, i / SIDE, (i * 37) % 11 };
	for (int y = 0; y + 1 < SIDE; ++y) {
		for (int x = 0; x + 1 < SIDE; ++x) {
			int v = y * SIDE + x;
			const int quad[6] = { v, v + 1, v + SIDE, v + 1, v + SIDE + 1, v + SIDE };
			memcpy(corners + count, quad, sizeof quad);
			count += 6;
		}
	}
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = (rbl_mesh_data){ .vertex_count = SIDE * SIDE,
		                        .positions = positions,
		                        .face_count = count / 3,
		                        .corner_count = count,
		                        .corner_vertices = corners };
	rbl_mesh *mesh = NULL;
	CHECK(t, rbl_create_mesh(&def, &mesh) == RBL_OK);
	rbl_mesh *back = io_round_trip(mesh, glb_def());
	CHECK(t, io_meshes_equal(mesh, back));
	rbl_destroy_mesh(back);
	rbl_destroy_mesh(mesh);
}

// What validators mind: wrong lengths of normals, colours beyond 1, names that are no UTF-8.
static void crooked_meshes_make_straight_files(test *t)
{
	const rbl_vec3d positions[3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } };
	const int corners[3] = { 0, 1, 2 };
	const rbl_vec3 normals[3] = { { 0, 0, 0 }, { 0, 0, 3 }, { 1, 1, 1 } };
	const rbl_vec4 colors[3] = { { 2, -1, 0, 1 }, { 0.5f, 0.5f, 0.5f, 9 }, { 1, 1, 1, 1 } };
	const rbl_mesh_material material = {
		"\xff\"\\\n\xc3\xa4\xed\xa0\x80\xe0\x80\x80\xf4\x90\x80\x80",
		{ 2, -1, 0, 0.5f },
		7.0f,
		-1.0f,
		0
	};
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = (rbl_mesh_data){ .vertex_count = 3,
		                        .positions = positions,
		                        .face_count = 1,
		                        .corner_count = 3,
		                        .corner_vertices = corners,
		                        .corner_normals = normals,
		                        .corner_colors = colors,
		                        .material_count = 1,
		                        .materials = &material };
	rbl_mesh *mesh = NULL;
	CHECK(t, rbl_create_mesh(&def, &mesh) == RBL_OK);
	rbl_write_def write_def = glb_def();
	rbl_file_bytes bytes;
	CHECK(t, rbl_write_mesh_memory(mesh, &write_def, &bytes) == RBL_OK);
	keep_for_validator(t, "crooked", &bytes);
	rbl_mesh *back = NULL;
	CHECK(t, rbl_read_mesh_memory(bytes.data, bytes.size, NULL, &back) == RBL_OK);
	CHECK(t, rbl_mesh_get_data(back).corner_normals[1].z == 1.0f);
	CHECK(t, rbl_mesh_get_data(back).materials[0].metallic == 1.0f);
	rbl_free_bytes(&bytes);
	rbl_destroy_mesh(back);
	rbl_destroy_mesh(mesh);
}

// --- scenes ------------------------------------------------------------------------------------

typedef struct sample_scene {
	rbl_mesh *meshes[3];
	rbl_scene_node nodes[6];
	float times[3], late[1], rotations[12], scales[9], move[3];
	rbl_scene_track tracks[5];
	rbl_scene_animation animations[3];
	rbl_scene scene;
} sample_scene;

// A wall that breaks: the whole is hidden at 0.5 s, a piece appears, turns and falls.
static void make_scene(sample_scene *s)
{
	*s = (sample_scene){ .times = { 0.0f, 0.5f, 1.0f },
		                 .late = { 0.75f },
		                 .rotations = { 0, 0, 0, 1, 0, 2, 0, 2, 0, 1, 0, 0 },
		                 .scales = { 0, 0, 0, 1, 1, 1, 1, 1, 1 },
		                 .move = { 1, 2, 3 } };
	s->meshes[0] = io_make_mesh((io_shape){ .has_normals = true, .has_materials = true });
	s->meshes[1] = io_make_mesh((io_shape){ .has_uv0 = true, .has_materials = true });
	rbl_mesh_def empty = rbl_default_mesh_def();
	rbl_create_mesh(&empty, &s->meshes[2]);
	for (int i = 0; i < 6; ++i)
		s->nodes[i] = rbl_default_scene_node();
	s->nodes[0].name = "wall";
	s->nodes[0].rotation = (rbl_quat){ 0.0f, 3.0f, 0.0f, 4.0f };
	s->nodes[1] = (rbl_scene_node){ .name = "whole",
		                            .mesh = 0,
		                            .parent = 0,
		                            .translation = { 1, 2, 3 },
		                            .rotation = { 0, 0, 0, 1 },
		                            .scale = { 1, 1, 1 } };
	s->nodes[2] = (rbl_scene_node){ .name = "piece \"1\"",
		                            .mesh = 1,
		                            .parent = 0,
		                            .translation = { 0, 5, 0 },
		                            .rotation = { 0, 0, 0, 1 },
		                            .scale = { 0, 0, 0 } };
	s->nodes[3] = (rbl_scene_node){ .name = NULL,
		                            .mesh = 1,
		                            .parent = -1,
		                            .translation = { 0, 0, 0 },
		                            .rotation = { 0, 0, 0, 1 },
		                            .scale = { -1, 2, 1 } };
	s->nodes[4].mesh = 2;
	s->nodes[5].parent = 3;
	s->tracks[0] = (rbl_scene_track){ 2, RBL_TRACK_SCALE, true, 3, s->times, s->scales, false };
	s->tracks[1] =
		(rbl_scene_track){ 2, RBL_TRACK_ROTATION, false, 3, s->times, s->rotations, false };
	s->tracks[2] = (rbl_scene_track){ 2, RBL_TRACK_TRANSLATION, false, 1, s->late, s->move, false };
	s->tracks[3] = (rbl_scene_track){ 1, RBL_TRACK_SCALE, true, 3, s->times, s->scales, false };
	s->tracks[4] =
		(rbl_scene_track){ 1, RBL_TRACK_TRANSLATION, false, 2, s->times, s->scales, false };
	s->animations[0] = (rbl_scene_animation){ "break", 4, s->tracks, NULL };
	s->animations[1] = (rbl_scene_animation){ "nothing", 0, NULL, NULL };
	s->animations[2] = (rbl_scene_animation){ NULL, 1, s->tracks + 4, NULL };
	s->scene = (rbl_scene){ .mesh_count = 3,
		                    .meshes = (const rbl_mesh *const *)s->meshes,
		                    .node_count = 6,
		                    .nodes = s->nodes,
		                    .animation_count = 3,
		                    .animations = s->animations };
}

static void free_scene(sample_scene *s)
{
	for (int i = 0; i < 3; ++i)
		rbl_destroy_mesh(s->meshes[i]);
}

static bool has_text(const rbl_file_bytes *bytes, const char *text)
{
	size_t length = strlen(text);
	for (size_t i = 0; i + length <= bytes->size; ++i) {
		if (memcmp(bytes->data + i, text, length) == 0)
			return true;
	}
	return false;
}

static void scenes_hold_nodes_materials_and_animations(test *t)
{
	sample_scene s;
	make_scene(&s);
	rbl_write_def def = glb_def();
	rbl_file_bytes bytes;
	CHECK(t, rbl_write_scene_memory(&s.scene, &def, &bytes) == RBL_OK);
	keep_for_validator(t, "scene", &bytes);
	CHECK(t, has_text(&bytes, "\"children\":[1,2]") && has_text(&bytes, "\"nodes\":[0,3,4]"));
	CHECK(t, has_text(&bytes, "\"interpolation\":\"STEP\"") && has_text(&bytes, "piece \\u00221"));
	rbl_mesh *mesh = NULL;
	CHECK(t, rbl_read_mesh_memory(bytes.data, bytes.size, NULL, &mesh) == RBL_OK);
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	CHECK(t, data.vertex_count == 20 && data.material_count == 2); // node 2 is hidden
	// The whole keeps its volume; the other copy is doubled, and its mirror does not turn it
	// inside out.
	CHECK_NEAR(t, rbl_mesh_get_mass(mesh).volume / rbl_mesh_get_mass(s.meshes[0]).volume, 3.0,
	           1e-5);
	rbl_destroy_mesh(mesh);
	rbl_free_bytes(&bytes);

	const char *path = RBL_BINARY_DIR "/glb/file.glb";
	CHECK(t, rbl_write_scene(path, &s.scene, NULL) == RBL_OK);
	CHECK(t, rbl_read_mesh(path, NULL, &mesh) == RBL_OK);
	rbl_destroy_mesh(mesh);
	free_scene(&s);
}

// Different materials of one name get numbers, also where a name with a number is there already.
// Those without a name, and equal ones, are left as they are.
static void material_names_are_used_once(test *t)
{
	enum { COUNT = 8 };
	char endless[64] = "", numbered[64];
	memset(endless, 'x', 63);
	snprintf(numbered, sizeof numbered, "%.59s.001", endless);
	const char *const names[COUNT] = { "a", "a", "a.001", "a", "", "", endless, endless };
	const char *const wanted[COUNT] = { "a", "a.002", "a.001", "a.003", "", "", endless, numbered };
	rbl_mesh *plain = io_make_mesh((io_shape){ .has_normals = true }), *meshes[COUNT + 1];
	rbl_scene_node nodes[COUNT + 1];
	for (int i = 0; i <= COUNT; ++i) {
		rbl_mesh_material material = { .base_color = { 0.1f * (float)(i % COUNT), 0, 0, 1 } };
		snprintf(material.name, sizeof material.name, "%s", names[i % COUNT]);
		rbl_mesh_def def = rbl_default_mesh_def();
		def.data = rbl_mesh_get_data(plain);
		def.data.materials = &material, def.data.material_count = 1;
		CHECK(t, rbl_create_mesh(&def, &meshes[i]) == RBL_OK);
		nodes[i] = rbl_default_scene_node(), nodes[i].mesh = i;
	}
	rbl_scene scene = { .mesh_count = COUNT + 1,
		                .meshes = (const rbl_mesh *const *)meshes,
		                .node_count = COUNT + 1,
		                .nodes = nodes };
	rbl_write_def def = glb_def();
	rbl_file_bytes bytes;
	CHECK(t, rbl_write_scene_memory(&scene, &def, &bytes) == RBL_OK);
	keep_for_validator(t, "names", &bytes);
	rbl_mesh *back = NULL;
	CHECK(t, rbl_read_mesh_memory(bytes.data, bytes.size, NULL, &back) == RBL_OK);
	rbl_mesh_data data = rbl_mesh_get_data(back);
	CHECK(t, data.material_count == COUNT);
	for (int i = 0; i < COUNT && i < data.material_count; ++i)
		CHECK(t, strcmp(data.materials[i].name, wanted[i]) == 0);
	rbl_destroy_mesh(back);
	rbl_free_bytes(&bytes);
	for (int i = 0; i <= COUNT; ++i)
		rbl_destroy_mesh(meshes[i]);
	rbl_destroy_mesh(plain);
}

// Nothing at all is a valid scene.
static void an_empty_scene_is_a_file(test *t)
{
	rbl_write_def def = glb_def();
	rbl_file_bytes bytes;
	CHECK(t, rbl_write_scene_memory(&(rbl_scene){ 0 }, &def, &bytes) == RBL_OK);
	keep_for_validator(t, "empty", &bytes);
	rbl_mesh *mesh = NULL;
	CHECK(t, rbl_read_mesh_memory(bytes.data, bytes.size, NULL, &mesh) == RBL_OK);
	CHECK(t, rbl_mesh_get_data(mesh).vertex_count == 0);
	rbl_destroy_mesh(mesh);
	rbl_free_bytes(&bytes);
}

static void bad_scenes_are_refused(test *t)
{
	rbl_write_def def = glb_def();
	rbl_file_bytes bytes;
	sample_scene s;
#define CHECK_BAD(change)                                                             \
	do {                                                                              \
		make_scene(&s);                                                               \
		change;                                                                       \
		CHECK(t, rbl_write_scene_memory(&s.scene, &def, &bytes) == RBL_BAD_ARGUMENT); \
		CHECK(t, !bytes.data);                                                        \
		free_scene(&s);                                                               \
	} while (0)
	const rbl_mesh *nothing = NULL;
	CHECK_BAD(s.scene.mesh_count = -1);
	CHECK_BAD(s.scene.nodes = NULL);
	CHECK_BAD((s.scene.meshes = &nothing, s.scene.mesh_count = 1));
	CHECK_BAD(s.nodes[1].mesh = 3);
	CHECK_BAD(s.nodes[1].parent = 1);
	CHECK_BAD(s.nodes[1].translation.x = NAN);
	CHECK_BAD(s.nodes[1].rotation.w = 0.0f);
	CHECK_BAD(s.animations[0].tracks = NULL);
	CHECK_BAD(s.tracks[0].node = 6);
	CHECK_BAD(s.tracks[0].path = (rbl_track_path)3);
	CHECK_BAD(s.tracks[0].path = RBL_TRACK_ROTATION);
	CHECK_BAD(s.tracks[0].key_count = 0);
	CHECK_BAD(s.times[0] = -1.0f);
	CHECK_BAD(s.times[1] = 1.0f);
	CHECK_BAD(s.move[0] = INFINITY);
	CHECK_BAD(s.rotations[3] = 0.0f);
	make_scene(&s);
	CHECK(t, rbl_write_scene_memory(NULL, &def, &bytes) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_write_scene_memory(&s.scene, NULL, &bytes) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_write_scene_memory(&s.scene, &def, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_write_scene(NULL, &s.scene, &def) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_write_scene("x.glb", NULL, &def) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_write_scene("x.obj", &s.scene, NULL) == RBL_UNSUPPORTED);
	CHECK(t, rbl_write_scene(RBL_BINARY_DIR "/nowhere/x.glb", &s.scene, NULL) == RBL_IO_FAILED);
	def.cookie = 0;
	CHECK(t, rbl_write_scene_memory(&s.scene, &def, &bytes) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_write_scene("x.glb", &s.scene, &def) == RBL_BAD_ARGUMENT);
	free_scene(&s);
}

static void scenes_survive_memory_that_runs_out(test *t)
{
	sample_scene s;
	make_scene(&s);
	rbl_set_log(NULL, NULL);
	rbl_file_bytes bytes;
	for (int n = 0;; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_write_def def = glb_def();
		def.allocator = FAULTY(&memory);
		rbl_result result = rbl_write_scene_memory(&s.scene, &def, &bytes);
		if (!memory.failed) {
			CHECK(t, result == RBL_OK);
			io_check_read_memory(t, bytes.data, bytes.size, RBL_FORMAT_GLTF);
			rbl_free_bytes(&bytes);
			CHECK(t, memory.live_bytes == 0);
			break;
		}
		CHECK(t, result == RBL_OUT_OF_MEMORY && memory.live_bytes == 0);
	}
	free_scene(&s);
}

// --- other people's files ------------------------------------------------------------------------

// A triangle as base64: three positions (36 bytes), then the indices 0, 1, 2 as 16 bits (6, and 2
// to fill), then four bytes of 0x80.
#define BUFFER                                                                        \
	"\"buffers\":[{\"byteLength\":48,\"uri\":\"data:application/octet-stream;base64," \
	"AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAABAAIAAACAgICA\"}]"
#define VIEWS                                            \
	"\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}," \
	"{\"buffer\":0,\"byteOffset\":36,\"byteLength\":8}," \
	"{\"buffer\":0,\"byteOffset\":44,\"byteLength\":4}]"
#define ACCESSORS                                                                             \
	"\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}," \
	"{\"bufferView\":1,\"componentType\":5123,\"count\":3,\"type\":\"SCALAR\"}]"
#define MESHES "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}]"
#define DOCUMENT(nodes) \
	"{\"asset\":{\"version\":\"2.0\"}," BUFFER "," VIEWS "," ACCESSORS "," MESHES "," nodes "}"

static void embedded_buffers_and_nodes_without_a_scene_are_read(test *t)
{
	rbl_mesh *mesh = NULL;
	const char *text = DOCUMENT("\"nodes\":[{\"children\":[1],\"translation\":[1,0,0]},"
	                            "{\"mesh\":0,\"matrix\":[2,0,0,0,0,2,0,0,0,0,2,0,0,10,0,1]}]");
	CHECK(t, io_read(text, RBL_FORMAT_AUTO, &mesh) == RBL_OK);
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	CHECK(t, data.vertex_count == 3 && data.face_count == 1);
	CHECK(t, data.positions[1].x == 3.0 && data.positions[2].y == 12.0);
	rbl_destroy_mesh(mesh);
}

static void mirrors_turn_faces_around(test *t)
{
	static const char *const nodes[] = {
		DOCUMENT("\"nodes\":[{\"mesh\":0,\"scale\":[-1,1,1]}]"),
		DOCUMENT("\"nodes\":[{\"mesh\":0,\"matrix\":[-1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}]"),
		DOCUMENT("\"nodes\":[{\"mesh\":0,\"scale\":[-1,-1,1]}]"),
	};
	for (int i = 0; i < 3; ++i) {
		rbl_mesh *mesh = NULL;
		CHECK(t, io_read(nodes[i], RBL_FORMAT_AUTO, &mesh) == RBL_OK);
		CHECK(t, rbl_mesh_get_data(mesh).corner_vertices[1] == (i < 2 ? 2 : 1));
		rbl_destroy_mesh(mesh);
	}
}

static rbl_result read_with(const char *accessors, const char *meshes, rbl_mesh **mesh)
{
	static char text[8000];
	snprintf(text, sizeof text,
	         "{\"asset\":{\"version\":\"2.0\"}," BUFFER "," VIEWS
	         ",\"accessors\":[%s],\"meshes\":[%s],\"nodes\":[{\"mesh\":0}]}",
	         accessors, meshes);
	return io_read(text, RBL_FORMAT_GLTF, mesh);
}

#define POSITIONS "{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}"

// Zeros where there is no view, and items given one by one.
static void sparse_accessors_are_read(test *t)
{
	rbl_mesh *mesh = NULL;
	CHECK(t,
	      read_with("{\"componentType\":5126,\"count\":5,\"type\":\"VEC3\",\"sparse\":{\"count\":3,"
	                "\"indices\":{\"bufferView\":1,\"componentType\":5123},"
	                "\"values\":{\"bufferView\":0}}}",
	                "{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"mode\":5}]}",
	                &mesh) == RBL_OK);
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	CHECK(t, data.vertex_count == 3 && data.face_count == 3); // 0, 3 and 4 are one place
	CHECK(t, data.positions[1].x == 1.0 && data.positions[2].y == 1.0);
	rbl_destroy_mesh(mesh);
}

// One view with a stride, numbers of one byte, normalized or not.
static void interleaved_and_normalized_numbers_are_read(test *t)
{
	static const char text[] =
		"{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":36,\"uri\":\"data:;base64,"
		// x y z 0 | normal 127 -127 0 0 | uv 65535 0, three times with other x
		"AAAAAH+BAAD//wAAAQAAAH+BAAD//wAAAAEAAH+BAAD//wAAAAAAAAAAAAAA\"}],"
		"\"bufferViews\":[{\"buffer\":0,\"byteLength\":36,\"byteStride\":12}],"
		"\"accessors\":[{\"bufferView\":0,\"componentType\":5121,\"count\":3,\"type\":\"VEC3\"},"
		"{\"bufferView\":0,\"byteOffset\":4,\"componentType\":5120,\"normalized\":true,\"count\":3,"
		"\"type\":\"VEC3\"},"
		"{\"bufferView\":0,\"byteOffset\":8,\"componentType\":5123,\"normalized\":true,\"count\":3,"
		"\"type\":\"VEC2\"},"
		"{\"bufferView\":0,\"byteOffset\":4,\"componentType\":5121,\"normalized\":true,\"count\":3,"
		"\"type\":\"VEC4\"},"
		"{\"bufferView\":0,\"byteOffset\":4,\"componentType\":5122,\"count\":3,\"type\":\"VEC2\"}],"
		"\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":1,\"TEXCOORD_0\":"
		"2,"
		"\"TEXCOORD_1\":4,\"COLOR_0\":3},\"targets\":[{}]},"
		"{\"attributes\":{\"POSITION\":0},\"mode\":6},{\"attributes\":{\"POSITION\":0},\"mode\":0}]"
		"}],"
		"\"extensionsRequired\":[\"KHR_mesh_quantization\"],\"skins\":[{}],"
		"\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0,\"skin\":0}]}";
	rbl_mesh *mesh = NULL;
	io_watch_log();
	CHECK(t, io_read(text, RBL_FORMAT_AUTO, &mesh) == RBL_OK);
	CHECK(t, io_warnings == 1 && io_log_has("skins") && io_log_has("morph targets") &&
	             io_log_has("points and lines"));
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	CHECK(t, data.vertex_count == 3 && data.face_count == 2);
	CHECK(t, data.positions[1].x == 1.0 && data.positions[2].y == 1.0);
	CHECK_NEAR(t, data.corner_normals[0].y, -sqrt(0.5), 1e-6);
	CHECK(t, data.corner_normals[3].z == 1.0f); // the second primitive has the face's
	CHECK(t, data.corner_uv0[0].x == 1.0f && data.corner_uv0[3].x == 0.0f);
	CHECK(t, data.corner_uv1[0].x == -32385.0f);
	CHECK_NEAR(t, data.corner_colors[0].x, 127.0 / 255.0, 1e-6);
	CHECK(t, data.corner_colors[0].w == 0.0f && data.corner_colors[3].x == 1.0f);
	rbl_destroy_mesh(mesh);
	io_check_damaged(t, text, strlen(text), RBL_FORMAT_GLTF);
}

static void seams_are_joined_unless_they_are_to_be_kept(test *t)
{
	rbl_mesh *mesh = io_make_mesh((io_shape){ .has_normals = true, .has_float_positions = true });
	rbl_write_def def = glb_def();
	rbl_file_bytes bytes;
	CHECK(t, rbl_write_mesh_memory(mesh, &def, &bytes) == RBL_OK);
	for (int k = 0; k < 2; ++k) {
		rbl_read_def read_def = rbl_default_read_def();
		read_def.keep_seams = k;
		rbl_mesh *back = NULL;
		CHECK(t, rbl_read_mesh_memory(bytes.data, bytes.size, &read_def, &back) == RBL_OK);
		CHECK(t, (rbl_mesh_get_data(back).vertex_count == 10) == !k);
		rbl_destroy_mesh(back);
	}
	rbl_free_bytes(&bytes);
	rbl_destroy_mesh(mesh);
}

// A buffer beside the file, its name with a blank; faces without a material beside others.
static void external_buffers_are_read_from_the_folder(test *t)
{
	FILE *file = fopen(RBL_BINARY_DIR "/io gltf.bin", "wb");
	const float positions[9] = { 0, 0, 0, 1, 0, 0, 0, 1, 0 };
	fwrite(positions, 4, 9, file);
	fclose(file);
	const char *text =
		"{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":36,\"uri\":\"io%20gltf."
		"bin\"}],"
		"\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\"accessors\":[" POSITIONS "],"
		"\"materials\":[{\"name\":\"a\",\"pbrMetallicRoughness\":{\"baseColorFactor\":[1,0,0,1],"
		"\"metallicFactor\":0.5}}],"
		"\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}},"
		"{\"attributes\":{\"POSITION\":0},\"material\":0}]}],\"nodes\":[{\"mesh\":0}]}";
	rbl_read_def def = rbl_default_read_def();
	def.folder = RBL_BINARY_DIR;
	rbl_mesh *mesh = NULL;
	CHECK(t, rbl_read_mesh_memory(text, strlen(text), &def, &mesh) == RBL_OK);
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	CHECK(t,
	      data.material_count == 2 && data.face_materials[0] == 1 && data.face_materials[1] == 0);
	CHECK(t, data.materials[0].base_color.y == 0.0f && data.materials[0].metallic == 0.5f);
	rbl_destroy_mesh(mesh);
	def.folder = NULL;
	CHECK(t, rbl_read_mesh_memory(text, strlen(text), &def, &mesh) == RBL_IO_FAILED && !mesh);
	remove(RBL_BINARY_DIR "/io gltf.bin");
}

static void cycles_and_bad_indices_are_refused(test *t)
{
	rbl_file_format gltf = RBL_FORMAT_GLTF;
	CHECK_REFUSED(t, "{", gltf, "text:1:");
	CHECK_REFUSED(t, "[]", gltf, "text:1:1: not a JSON object");
	CHECK_REFUSED(t, "", gltf, "neither a .glb nor JSON");
	CHECK_REFUSED(t, " \nglTF", gltf, "neither a .glb nor JSON");
	CHECK_REFUSED(t, "{}", gltf, "asset.version");
	CHECK_REFUSED(
		t,
		DOCUMENT("\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"children\":[1]},{\"children\":[0]}]"),
		gltf, "nodes[0]: is reached twice");
	CHECK_REFUSED(t, DOCUMENT("\"scenes\":[{\"nodes\":[0,0]}],\"nodes\":[{}]"), gltf,
	              "reached twice");
	CHECK_REFUSED(t, DOCUMENT("\"scenes\":[{\"nodes\":[7]}],\"nodes\":[{}]"), gltf, "no such node");
	CHECK_REFUSED(t, DOCUMENT("\"scenes\":[],\"nodes\":[{}]"), gltf, "no such scene");
	CHECK_REFUSED(t, DOCUMENT("\"nodes\":[{\"mesh\":1}]"), gltf, "meshes[1]: there is no such");
	CHECK_REFUSED(t, DOCUMENT("\"nodes\":[{\"mesh\":0,\"scale\":[1,2]}]"), gltf,
	              "nodes[0]: its placement");
	CHECK_REFUSED(t, DOCUMENT("\"nodes\":[{\"mesh\":0,\"matrix\":[1]}]"), gltf,
	              "nodes[0]: its placement");
	CHECK_REFUSED(t, DOCUMENT("\"nodes\":[{\"mesh\":0,\"rotation\":[0,0,0,0]}]"), gltf,
	              "its placement");
	CHECK_REFUSED(t, DOCUMENT("\"nodes\":[{\"mesh\":0,\"scale\":[1e308,1e308,1]}]"), gltf,
	              "its placement");
	CHECK_REFUSED(t, DOCUMENT("\"nodes\":[{\"mesh\":0,\"scale\":[1e38,1e38,1]}]"), gltf, "vertex ");
	rbl_mesh *mesh = NULL;
	CHECK(t, io_read("{\"asset\":{\"version\":\"1.0\"}}", gltf, &mesh) == RBL_UNSUPPORTED);
	CHECK(t, io_read("{\"asset\":{\"version\":\"2.0\"},\"extensionsRequired\":[\"KHR_draco_mesh_"
	                 "compression\"]}",
	                 gltf, &mesh) == RBL_UNSUPPORTED);
	CHECK(t, io_log_has("KHR_draco_mesh_compression") || !io_log[0]);
}

static void bad_primitives_and_accessors_are_refused(test *t)
{
	static const struct {
		const char *accessors, *meshes, *reason;
	} cases[] = {
		{ POSITIONS, "{\"primitives\":[{\"attributes\":{}}]}", "without POSITION" },
		{ POSITIONS, "{\"primitives\":[{\"attributes\":{\"POSITION\":4}}]}", "accessors[4]" },
		{ POSITIONS, "{\"primitives\":[{\"attributes\":{\"POSITION\":0.5}}]}", "accessors[" },
		{ POSITIONS, "{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"material\":0}]}",
		  "a material" },
		{ POSITIONS, "{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"TEXCOORD_0\":0}}]}",
		  "does not fit" },
		{ POSITIONS, "{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":0}]}",
		  "no whole numbers" },
		{ POSITIONS ",{\"bufferView\":2,\"componentType\":5121,\"count\":3,\"type\":\"SCALAR\"}",
		  "{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}", "an index beyond" },
		{ POSITIONS ",{\"bufferView\":2,\"componentType\":5121,\"count\":4,\"type\":\"SCALAR\"}",
		  "{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}",
		  "do not make triangles" },
		{ "{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC2\"}",
		  "{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}", "not VEC3" },
		{ "{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"}",
		  "{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}", "too small" },
		{ "{\"bufferView\":0,\"byteOffset\":-4,\"componentType\":5126,\"count\":1,\"type\":"
		  "\"VEC3\"}",
		  "{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}", "too small" },
		{ "{\"bufferView\":9,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}",
		  "{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}", "no such view" },
		{ "{\"bufferView\":0,\"componentType\":5124,\"count\":3,\"type\":\"VEC3\"}",
		  "{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}", "not usable" },
		{ "{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"MAT4\"}",
		  "{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}", "not usable" },
		{ "{\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"sparse\":{\"count\":9}}",
		  "{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}", "sparse part" },
		{ "{\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"sparse\":{\"count\":3,"
		  "\"indices\":{\"bufferView\":2,\"componentType\":5121},\"values\":{\"bufferView\":0}}}",
		  "{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}", "not ascending" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
		rbl_mesh *mesh = NULL;
		io_watch_log();
		CHECK(t, read_with(cases[i].accessors, cases[i].meshes, &mesh) == RBL_BAD_FILE);
		if (!io_log_has(cases[i].reason))
			test_fail(t, __FILE__, __LINE__, io_log);
		rbl_destroy_mesh(mesh);
	}
}

static void bad_buffers_are_refused(test *t)
{
	static const struct {
		const char *buffers, *views, *reason;
	} cases[] = {
		{ "{\"byteLength\":36}", "{\"buffer\":0,\"byteLength\":36}", "its bytes are missing" },
		{ "{\"byteLength\":36,\"uri\":5}", "{\"buffer\":0,\"byteLength\":36}", "no text" },
		{ "{\"byteLength\":36,\"uri\":\"data:text\"}", "{\"buffer\":0,\"byteLength\":36}",
		  "no base64" },
		{ "{\"byteLength\":36,\"uri\":\"data:;base64,AAA!\"}", "{\"buffer\":0,\"byteLength\":36}",
		  "no base64" },
		{ "{\"byteLength\":36,\"uri\":\"data:;base64,AAAA\"}", "{\"buffer\":0,\"byteLength\":36}",
		  "missing" },
		{ "{\"byteLength\":3,\"uri\":\"data:;base64,AAAA\"}", "{\"buffer\":0,\"byteLength\":36}",
		  "beyond its buffer" },
		{ "{\"byteLength\":3,\"uri\":\"data:;base64,AAAA\"}", "{\"buffer\":1,\"byteLength\":3}",
		  "no such buffer" },
		{ "{\"byteLength\":3,\"uri\":\"data:;base64,AAAA\"}",
		  "{\"buffer\":0,\"byteLength\":3,\"byteStride\":4}", "stride" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
		char text[2000];
		snprintf(text, sizeof text,
		         "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[%s],\"bufferViews\":[%s],"
		         "\"accessors\":[" POSITIONS
		         "],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
		         "\"nodes\":[{\"mesh\":0}]}",
		         cases[i].buffers, cases[i].views);
		CHECK_REFUSED(t, text, RBL_FORMAT_GLTF, cases[i].reason);
	}
}

// A small file cannot ask for much: neither by a count nor by many copies.
static void what_a_file_unfolds_to_is_limited(test *t)
{
	rbl_mesh *mesh = NULL;
	CHECK(t, read_with("{\"componentType\":5126,\"count\":600000000,\"type\":\"VEC3\"}",
	                   "{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}",
	                   &mesh) == RBL_LIMIT_REACHED);
	CHECK(t, read_with("{\"componentType\":5126,\"count\":6000000000,\"type\":\"VEC3\"}",
	                   "{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}",
	                   &mesh) == RBL_LIMIT_REACHED);
	const char *text =
		DOCUMENT("\"nodes\":[{\"mesh\":0},{\"mesh\":0},{\"mesh\":0},{\"mesh\":0},{\"mesh\":0},"
	             "{\"mesh\":0},{\"mesh\":0},{\"mesh\":0},{\"mesh\":0},{\"mesh\":0}]");
	rbl_read_def def = rbl_default_read_def();
	def.format = RBL_FORMAT_GLTF;
	CHECK(t, rbl_read_mesh_memory(text, strlen(text), &def, &mesh) == RBL_OK);
	CHECK(t, rbl_mesh_get_data(mesh).vertex_count == 30); // copies are never joined
	rbl_destroy_mesh(mesh);
}

static void broken_containers_are_refused(test *t)
{
	rbl_mesh *mesh = io_make_mesh((io_shape){ .has_materials = true });
	rbl_write_def def = glb_def();
	rbl_file_bytes bytes;
	CHECK(t, rbl_write_mesh_memory(mesh, &def, &bytes) == RBL_OK);
	static const struct {
		int at;
		unsigned char value;
		rbl_result result;
		const char *reason;
	} cases[] = {
		{ 4, 1, RBL_UNSUPPORTED, "version 1" },
		{ 8, 255, RBL_BAD_FILE, "byte 8:" },
		{ 15, 255, RBL_BAD_FILE, "byte 12: a chunk" },
		{ 16, 'K', RBL_BAD_FILE, "byte 12: the first chunk is not JSON" },
	};
	for (int i = 0; i < 4; ++i) {
		unsigned char kept[3] = { bytes.data[cases[i].at], bytes.data[9], bytes.data[10] };
		bytes.data[cases[i].at] = cases[i].value;
		if (i == 1)
			bytes.data[9] = bytes.data[10] = 255;
		io_watch_log();
		rbl_mesh *back = NULL;
		CHECK(t, rbl_read_mesh_memory(bytes.data, bytes.size, NULL, &back) == cases[i].result);
		CHECK(t, io_log_has(cases[i].reason));
		bytes.data[9] = kept[1];
		bytes.data[10] = kept[2];
		bytes.data[cases[i].at] = kept[0];
	}
	io_check_damaged(t, bytes.data, bytes.size, RBL_FORMAT_GLTF);
	rbl_free_bytes(&bytes);
	rbl_destroy_mesh(mesh);
}

TEST_MAIN(TEST(triangles_are_read_back_equal), TEST(vertices_at_one_place_stay_apart),
          TEST(materials_and_polygons_survive),
          TEST(a_mesh_that_needs_long_indices_is_read_back_equal),
          TEST(crooked_meshes_make_straight_files),
          TEST(scenes_hold_nodes_materials_and_animations), TEST(material_names_are_used_once),
          TEST(an_empty_scene_is_a_file), TEST(bad_scenes_are_refused),
          TEST(scenes_survive_memory_that_runs_out),
          TEST(embedded_buffers_and_nodes_without_a_scene_are_read),
          TEST(mirrors_turn_faces_around), TEST(sparse_accessors_are_read),
          TEST(interleaved_and_normalized_numbers_are_read),
          TEST(seams_are_joined_unless_they_are_to_be_kept),
          TEST(external_buffers_are_read_from_the_folder), TEST(cycles_and_bad_indices_are_refused),
          TEST(bad_primitives_and_accessors_are_refused), TEST(bad_buffers_are_refused),
          TEST(what_a_file_unfolds_to_is_limited), TEST(broken_containers_are_refused))
