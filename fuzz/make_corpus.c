// SPDX-License-Identifier: MIT
// make_corpus FOLDER: the first inputs of the fuzz targets, made by our own writers. The folders
// FOLDER/obj, FOLDER/ply and so on must be there.

#include "io/gltf_samples.h"
#include "io/io_test.h"

#include <rubble/rubble.h>

static void save(const char *folder, const char *format, int number, const void *bytes, size_t size)
{
	char path[1000];
	snprintf(path, sizeof path, "%s/%s/%02d", folder, format, number);
	FILE *file = fopen(path, "wb");
	if (!file || fwrite(bytes, 1, size, file) != size) {
		perror(path);
		exit(1);
	}
	fclose(file);
}

static void save_text(const char *folder, const char *format, int number, const char *text)
{
	save(folder, format, number, text, strlen(text));
}

// A few forms that our writers never use.
static void save_foreign(const char *folder)
{
	save_text(folder, "obj", 90,
	          "mtllib a.mtl\nusemtl a\nv 0 0 0 1 0 0\nv 1 0 0\nv 0 1e-3 0 1\n"
	          "vt 1\nvn 0 0 1\ng x\nf -3/1/1 \\\n-2//1 -1/1\nf 1 2 3\n");
	save_text(folder, "ply", 90,
	          "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\n"
	          "property float y\nproperty uchar z\nproperty uchar red\nproperty "
	          "uchar green\nproperty uchar blue\nelement tristrips 1\nproperty "
	          "list int int vertex_indices\nend_header\n0 0 0 1 2 3\n1 0 0 1 2 "
	          "3\n0 1 0 1 2 3\n1 1 0 1 2 3\n7 0 1 2 3 -1 0 1\n");
	save_text(folder, "off", 0, "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
	save_text(folder, "off", 1,
	          "CNOFF # colours\n3 1\n0 0 0 0 0 1 255 0 0\n1 0 0 0 0 1 255 0 0\n"
	          "0 1 0 0 0 1 255 0 0\n3 0 1 2 0.5 0.5 0.5\n");
	save_text(folder, "medit", 0,
	          "MeshVersionFormatted 1\nDimension 3\nVertices\n4\n0 0 0 0\n1 0 0 "
	          "0\n0 1 0 0\n0 0 1 0\nTriangles\n1\n1 2 3 0\nQuadrilaterals 1\n1 "
	          "2 3 4 0\nTetrahedra\n1\n1 2 3 4 0\nRidges 1\n1\nEnd\n");
	save_text(
		folder, "gltf", 90,
		"{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":48,\"uri\":\"data:;base64,"
		"AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAABAAIAAACAgICA\"}],\"bufferViews\":"
		"[{\"buffer\":0,\"byteLength\":36,\"byteStride\":12},{\"buffer\":0,\"byteOffset\":36,"
		"\"byteLength\":8}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,"
		"\"type\":\"VEC3\",\"sparse\":{\"count\":2,\"indices\":{\"bufferView\":1,"
		"\"componentType\":5123},\"values\":{\"bufferView\":0}}}],\"materials\":[{\"name\":\"m\"}],"
		"\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":0,\"COLOR_0\":0},"
		"\"mode\":5,\"material\":0},{\"attributes\":{\"POSITION\":0},\"mode\":6}]}],\"nodes\":[{"
		"\"mesh\":0,\"children\":[1]},{\"mesh\":0,\"matrix\":[1,0,0,0,0,-1,0,0,0,0,1,0,0,0,0,1]}]"
		"}");
	save_text(
		folder, "gltf", 91,
		"{\"asset\":{\"version\":\"2.0\"},\"images\":[{\"name\":\"i\",\"uri\":\"data:;base64,"
		"/9j/2f/Z\"}],\"samplers\":[{\"wrapS\":33071}],\"textures\":[{\"source\":0,\"sampler\":0}],"
		"\"materials\":[{\"name\":\"m\",\"alphaMode\":\"MASK\",\"alphaCutoff\":0.2,"
		"\"doubleSided\":true,\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0,"
		"\"texCoord\":1,\"extensions\":{\"KHR_texture_transform\":{\"scale\":[2,2]}}}},"
		"\"normalTexture\":{\"index\":0,\"scale\":2},\"emissiveFactor\":[1,0,0],\"extensions\":{"
		"\"KHR_materials_ior\":{\"ior\":1.2}},\"extras\":{\"a\":[1]}}],\"cameras\":[{\"type\":"
		"\"perspective\"}],\"nodes\":[{\"name\":\"n\",\"camera\":0,\"rotation\":[0,1,0,0],"
		"\"extras\":1,\"children\":[1]},{\"translation\":[1,2,3],\"extensions\":{"
		"\"KHR_lights_punctual\":{\"light\":0}}}],\"scenes\":[{\"name\":\"s\",\"nodes\":[0]}]}");
	save_text(folder, "json", 90,
	          "{\"a\":[1,-2.5e3,true,false,null,\"x\\n\\u00e9\\ud83d\\ude00\"],\"b\":{\"c\":{}}}");
}

// Assets: one part, several parts, parts that overlap.
static bool save_assets(const char *folder)
{
	for (int i = 0; i < 3; ++i) {
		rbl_box_def box = rbl_default_box_def();
		rbl_tube_def tube = rbl_default_tube_def();
		rbl_prepare_def def = rbl_default_prepare_def();
		rbl_mesh *mesh = NULL;
		rbl_asset *asset = NULL;
		tube.segments = 6;
		def.node_count = i;
		rbl_result result =
			i < 2 ? rbl_create_box_mesh(&box, &mesh) : rbl_create_tube_mesh(&tube, &mesh);
		if (result == RBL_OK)
			result = rbl_prepare(mesh, &def, &asset);
		size_t size = 0;
		rbl_asset_save(asset, NULL, &size);
		void *bytes = malloc(size);
		if (result == RBL_OK && bytes && rbl_asset_save(asset, bytes, &size) == RBL_OK)
			save(folder, "asset", i, bytes, size);
		free(bytes);
		rbl_destroy_asset(asset);
		rbl_destroy_mesh(mesh);
		if (result != RBL_OK)
			return false;
	}
	return true;
}

// Grows with every write of a recording.
typedef struct tape {
	unsigned char *bytes;
	size_t size;
} tape;

static bool write_tape(void *user, const void *bytes, size_t size)
{
	tape *t = user;
	t->bytes = realloc(t->bytes, t->size + size);
	memcpy(t->bytes + t->size, bytes, size);
	t->size += size;
	return true;
}

static void save_snapshot(const char *folder, int number, const rbl_world *world)
{
	size_t size = 0;
	rbl_world_save(world, NULL, &size);
	void *bytes = malloc(size);
	if (bytes && rbl_world_save(world, bytes, &size) == RBL_OK)
		save(folder, "snapshot", number, bytes, size);
	free(bytes);
}

// A floor, two balls on a joint, and a box that is hit: snapshots on the way, and the recording.
static void save_worlds(const char *folder)
{
	rbl_pattern_def pattern_def = rbl_default_pattern_def();
	pattern_def.cell_count = 6; // as fuzz_snapshot.c knows it
	rbl_pattern *pattern = NULL;
	rbl_create_pattern(&pattern_def, &pattern);
	rbl_damage_level level = { 1.0, pattern, 0.3 };
	rbl_material_def material_def = rbl_default_material_def();
	material_def.damage.levels = &level;
	material_def.damage.level_count = 1;
	rbl_material *material = NULL;
	rbl_create_material(&material_def, &material);
	rbl_collider_def ball_def = rbl_default_collider_def(RBL_COLLIDER_SPHERE);
	rbl_collider *ball = NULL;
	rbl_create_collider(&ball_def, &ball);
	rbl_convex_def convex_def = rbl_default_convex_def();
	rbl_convex *convex = NULL;
	rbl_create_convex(&convex_def, &convex);
	rbl_compound_part part = { .convex = convex };
	rbl_compound_def compound_def = rbl_default_compound_def();
	compound_def.parts = &part;
	compound_def.part_count = 1;
	rbl_world_def def = rbl_default_world_def();
	def.budget = 4;
	rbl_world *world = NULL;
	rbl_create_world(&def, &world);
	tape recorded = { NULL, 0 };
	rbl_recording_def recording = rbl_default_recording_def();
	recording.write = write_tape;
	recording.user = &recorded;
	rbl_world_begin_recording(world, &recording);
	rbl_body_def body = rbl_default_body_def();
	body.convex = convex;
	body.kind = RBL_BODY_STATIC;
	rbl_create_body(world, &body);
	body = rbl_default_body_def();
	body.shared_material = material;
	rbl_create_compound(&compound_def, &body.compound);
	body.pose.position = (rbl_vec3){ 0.0f, 2.0f, 0.0f };
	rbl_body_id box = rbl_create_body(world, &body);
	rbl_joint_def joint = rbl_default_joint_def(RBL_JOINT_BALL);
	body = rbl_default_body_def();
	body.collider = ball;
	body.pose.position = (rbl_vec3){ 0.3f, 3.4f, 0.0f };
	joint.body_a = rbl_create_body(world, &body);
	body.pose.position.y = 4.5f;
	joint.body_b = rbl_create_body(world, &body);
	rbl_create_joint(world, &joint);
	rbl_body_damage(world, box, (rbl_vec3){ 0.0f, 2.0f, 0.0f }, (rbl_vec3){ 0.0f, -1.0f, 0.0f },
	                INFINITY, 50.0f);
	for (int i = 0; i < 12; ++i) {
		if (i % 3 == 0)
			save_snapshot(folder, i, world);
		rbl_world_step(world, 1.0f / 60.0f);
	}
	rbl_destroy_world(world);
	save(folder, "recording", 0, recorded.bytes, recorded.size);
	free(recorded.bytes);
	rbl_destroy_convex(convex);
	rbl_destroy_collider(ball);
	rbl_destroy_material(material);
	rbl_destroy_pattern(pattern);
}

// Any bytes are calls on a surface; a fuzzer that starts from none takes hours to write forty of them.
static void save_calls(const char *folder)
{
	enum { CALLS = 24, SIZE = 1500 };
	unsigned char bytes[SIZE];
	uint64_t state = 1;
	for (int i = 0; i < CALLS; ++i) {
		for (int k = 0; k < SIZE; ++k) {
			state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
			bytes[k] = (unsigned char)(state >> 56);
		}
		save(folder, "surface", i, bytes, SIZE);
		save(folder, "edit", i, bytes, SIZE);
	}
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	const char *folder = argv[1];
	for (int i = 0; i < 8; ++i) {
		rbl_mesh *mesh = io_make_mesh((io_shape){ .has_normals = i & 1,
		                                          .has_uv0 = i & 1,
		                                          .has_uv1 = i == 1,
		                                          .has_colors = i & 2,
		                                          .has_materials = i & 4,
		                                          .is_triangulated = i & 2 });
		static const struct {
			rbl_file_format format;
			const char *name;
		} formats[] = { { RBL_FORMAT_OBJ, "obj" },
			            { RBL_FORMAT_PLY, "ply" },
			            { RBL_FORMAT_STL, "stl" },
			            { RBL_FORMAT_GLTF, "gltf" } };
		for (int k = 0; k < 4; ++k) {
			rbl_write_def def = rbl_default_write_def();
			def.format = formats[k].format;
			def.as_text = i & 1;
			def.single_precision = i & 2;
			rbl_file_bytes bytes;
			if (rbl_write_mesh_memory(mesh, &def, &bytes) != RBL_OK)
				return 1;
			save(folder, formats[k].name, i, bytes.data, bytes.size);
			rbl_free_bytes(&bytes);
		}
		rbl_destroy_mesh(mesh);
	}
	save_foreign(folder);
	for (int i = 0; i < GLTF_SAMPLE_COUNT; ++i) {
		static gltf_builder builder;
		gltf_make_sample(&builder, i);
		save(folder, "gltf", 20 + i, builder.file, builder.file_size);
	}
	save_worlds(folder);
	save_calls(folder);
	return save_assets(folder) ? 0 : 1;
}
