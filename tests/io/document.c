// SPDX-License-Identifier: MIT
// glTF read whole and written again: nothing that a scene has is lost on the way.

#include "gltf_builder.h"

#include <rubble/json.h>

// --- a file with everything ------------------------------------------------------------------

// A quad that stands at x, with all attributes. @return the JSON of its attributes
static const char *add_quad(gltf_builder *b, float x)
{
	static char text[400];
	const float positions[12] = { x, 0, 0, x + 1, 0, 0, x + 1, 1, 0, x, 1, 0 };
	const float normals[12] = { 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1 };
	const float tangents[16] = { 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, -1, 1, 0, 0, -1 };
	float uv[3][8], weights[4];
	const unsigned char colors[16] = { 255, 0, 0, 255, 0, 255, 0, 51, 0, 0, 255, 255, 0, 0, 0, 0 };
	char bounds[100];
	for (int set = 0; set < 3; ++set)
		for (int i = 0; i < 8; ++i)
			uv[set][i] = (float)(set * 10 + i) * 0.125f + x;
	for (int i = 0; i < 4; ++i)
		weights[i] = (float)i + x;
	snprintf(bounds, sizeof bounds, ",\"min\":[%g,0,0],\"max\":[%g,1,0]", (double)x,
	         (double)x + 1.0);
	int p = gltf_add_accessor(b, positions, sizeof positions, 4, 5126, "VEC3", bounds);
	int n = gltf_add_accessor(b, normals, sizeof normals, 4, 5126, "VEC3", "");
	int t = gltf_add_accessor(b, tangents, sizeof tangents, 4, 5126, "VEC4", "");
	int u[3];
	for (int set = 0; set < 3; ++set)
		u[set] = gltf_add_accessor(b, uv[set], sizeof uv[set], 4, 5126, "VEC2", "");
	int c = gltf_add_accessor(b, colors, sizeof colors, 4, 5121, "VEC4", ",\"normalized\":true");
	int w = gltf_add_accessor(b, weights, sizeof weights, 4, 5126, "SCALAR", "");
	snprintf(text, sizeof text,
	         "{\"POSITION\":%d,\"NORMAL\":%d,\"TANGENT\":%d,\"TEXCOORD_0\":%d,\"TEXCOORD_1\":%d,"
	         "\"TEXCOORD_2\":%d,\"COLOR_0\":%d,\"_DAMAGE\":%d}",
	         p, n, t, u[0], u[1], u[2], c, w);
	return text;
}

static const char materials[] =
	"[{\"name\":\"brick\",\"pbrMetallicRoughness\":{\"baseColorFactor\":[0.5,0.25,1,1],"
	"\"metallicFactor\":0,\"roughnessFactor\":0.75,\"baseColorTexture\":{\"index\":0,"
	"\"texCoord\":1,\"extensions\":{\"KHR_texture_transform\":{\"offset\":[0.5,0],"
	"\"rotation\":1.5,\"scale\":[2,4],\"texCoord\":2}},\"extras\":{\"was\":\"paint\"}},"
	"\"metallicRoughnessTexture\":{\"index\":1}},\"normalTexture\":{\"index\":1,\"scale\":0.5},"
	"\"occlusionTexture\":{\"index\":1,\"strength\":0.25,\"texCoord\":2},"
	"\"emissiveTexture\":{\"index\":0},\"emissiveFactor\":[1,0.5,0.25],"
	"\"extras\":{\"price\":[1,2.5,null],\"note\":\"\\u00e9\\\"\"}},"
	"{\"name\":\"glass\",\"alphaMode\":\"BLEND\",\"pbrMetallicRoughness\":{"
	"\"baseColorFactor\":[1,1,1,0.25]},\"extensions\":{\"KHR_materials_transmission\":{"
	"\"transmissionFactor\":0.5,\"transmissionTexture\":{\"index\":1}},\"KHR_materials_ior\":{"
	"\"ior\":1.25}}},"
	"{\"name\":\"leaf\",\"alphaMode\":\"MASK\",\"alphaCutoff\":0.25,\"doubleSided\":true,"
	"\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":1}}}]";

static const char textures[] =
	"[{\"name\":\"wall\",\"source\":0,\"sampler\":1,\"extras\":7},{\"source\":1,\"sampler\":0}]";

static const char samplers[] =
	"[{\"magFilter\":9729,\"minFilter\":9987,\"wrapS\":33071,\"wrapT\":33648},"
	"{\"name\":\"plain\",\"extras\":{}}]";

static const char cameras[] =
	"[{\"name\":\"eye\",\"type\":\"perspective\",\"perspective\":{\"yfov\":0.5,\"znear\":0.125}}]";

static const char nodes[] =
	"[{\"name\":\"eye\",\"camera\":0},"
	"{\"name\":\"Wall.003\",\"mesh\":0,\"translation\":[1,2,3],\"rotation\":[0,0.6,0,0.8],"
	"\"scale\":[2,1,0.5],\"extras\":{\"floor\":2,\"load bearing\":true}},"
	"{\"name\":\"Building\",\"children\":[1,3,0,4],\"extras\":[1,{\"a\":null}]},"
	"{\"name\":\"Wall.004\",\"mesh\":0,\"matrix\":[1,0,0,0,0.5,1,0,0,0,0,2,0,4,5,6,1]},"
	"{\"name\":\"lamp\",\"extensions\":{\"KHR_lights_punctual\":{\"light\":0}}}]";

static void make_everything(gltf_builder *b)
{
	gltf_begin(b);
	char first[400], second[400];
	const uint16_t indices[6] = { 0, 1, 2, 0, 2, 3 };
	snprintf(first, sizeof first, "%s", add_quad(b, 0.0f));
	snprintf(second, sizeof second, "%s", add_quad(b, 2.0f));
	int i = gltf_add_accessor(b, indices, sizeof indices, 6, 5123, "SCALAR", "");
	int png = gltf_add_view(b, gltf_png, sizeof gltf_png);
	gltf_add_json(b,
	              "\"extensionsUsed\":[\"KHR_texture_transform\",\"KHR_materials_transmission\","
	              "\"KHR_materials_ior\",\"KHR_lights_punctual\"],\"extensions\":{"
	              "\"KHR_lights_punctual\":{\"lights\":[{\"type\":\"point\",\"intensity\":40}]}},"
	              "\"scene\":0,\"scenes\":[{\"name\":\"street\",\"nodes\":[2],"
	              "\"extras\":{\"year\":1900}}],\"nodes\":%s,\"cameras\":%s,",
	              nodes, cameras);
	gltf_add_json(b,
	              "\"meshes\":[{\"name\":\"two quads\",\"extras\":\"m\",\"primitives\":[{"
	              "\"attributes\":%s,\"indices\":%d,\"material\":1},{\"attributes\":%s,"
	              "\"indices\":%d,\"material\":0}]}],",
	              first, i, second, i);
	gltf_add_json(b, "\"materials\":%s,\"textures\":%s,\"samplers\":%s,", materials, textures,
	              samplers);
	gltf_add_json(b,
	              "\"images\":[{\"name\":\"bricks\",\"bufferView\":%d,\"mimeType\":\"image/png\","
	              "\"extras\":{\"by\":\"me\"}},{\"uri\":\"data:image/jpeg;base64,",
	              png);
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	for (size_t k = 0; k < sizeof gltf_jpeg; k += 3) {
		unsigned bits = 0;
		for (size_t n = 0; n < 3; ++n)
			bits = bits << 8 | (k + n < sizeof gltf_jpeg ? gltf_jpeg[k + n] : 0);
		for (size_t n = 0; n < 4; ++n)
			gltf_add_json(b, "%c",
			              k + n > sizeof gltf_jpeg ? '=' : digits[bits >> (18 - 6 * n) & 63]);
	}
	gltf_add_json(b, "\"}]");
	gltf_end(b);
}

// --- comparing JSON --------------------------------------------------------------------------

// The same values; members in any order, numbers as floats.
static bool json_equal(const rbl_json *a, const rbl_json *b)
{
	rbl_json_type type = rbl_json_get_type(a);
	if (type != rbl_json_get_type(b) || rbl_json_count(a) != rbl_json_count(b))
		return false;
	if (type == RBL_JSON_NUMBER)
		return (float)rbl_json_number(a, 0.0) == (float)rbl_json_number(b, 1.0);
	if (type == RBL_JSON_TEXT)
		return strcmp(rbl_json_text(a), rbl_json_text(b)) == 0;
	for (int i = 0; i < rbl_json_count(a); ++i) {
		const char *key = rbl_json_key(a, i);
		if (!json_equal(rbl_json_item(a, i), key ? rbl_json_member(b, key) : rbl_json_item(b, i)))
			return false;
	}
	return true;
}

static rbl_json_document *parse_chunk(test *t, const unsigned char *file)
{
	uint32_t size;
	memcpy(&size, file + 12, 4);
	rbl_json_document *document;
	CHECK(t, rbl_parse_json((const char *)file + 20, size, "chunk", NULL, &document) == RBL_OK);
	return document;
}

static void check_list(test *t, const rbl_json *root, const char *list, const char *expected)
{
	rbl_json_document *document;
	CHECK(t, rbl_parse_json(expected, strlen(expected), list, NULL, &document) == RBL_OK);
	if (!json_equal(rbl_json_member(root, list), rbl_json_root(document)))
		test_fail(t, __FILE__, __LINE__, list);
	t->checks++;
	rbl_destroy_json(document);
}

// A file for the validator to look at.
static void keep_file(test *t, const char *name, const rbl_file_bytes *bytes)
{
	char path[600];
	snprintf(path, sizeof path, "%s/glb/%s.glb", RBL_BINARY_DIR, name);
	FILE *file = fopen(path, "wb");
	CHECK(t, file && fwrite(bytes->data, 1, bytes->size, file) == bytes->size);
	if (file)
		fclose(file);
}

static rbl_file_bytes write_document(test *t, const rbl_document *document, bool is_quantized)
{
	rbl_scene scene = rbl_document_get_scene(document);
	rbl_write_def def = rbl_default_write_def();
	def.format = RBL_FORMAT_GLTF;
	def.is_quantized = is_quantized;
	rbl_file_bytes bytes;
	CHECK(t, rbl_write_scene_memory(&scene, &def, &bytes) == RBL_OK);
	return bytes;
}

static bool meshes_alike(const rbl_mesh *a, const rbl_mesh *b)
{
	rbl_mesh_data x = rbl_mesh_get_data(a), y = rbl_mesh_get_data(b);
	size_t corners = (size_t)x.corner_count;
	return x.corner_count == y.corner_count && x.vertex_count == y.vertex_count &&
	       x.attribute_count == y.attribute_count && x.attribute_width == y.attribute_width &&
	       memcmp(x.attributes, y.attributes, (size_t)x.attribute_count * sizeof *x.attributes) ==
	           0 &&
	       io_same(x.corner_attributes, y.corner_attributes,
	               corners * (size_t)x.attribute_width * sizeof(float)) &&
	       io_same(x.corner_normals, y.corner_normals, corners * sizeof(rbl_vec3)) &&
	       io_same(x.corner_uv0, y.corner_uv0, corners * sizeof(rbl_vec2)) &&
	       io_same(x.corner_uv1, y.corner_uv1, corners * sizeof(rbl_vec2)) &&
	       io_same(x.corner_colors, y.corner_colors, corners * sizeof(rbl_vec4)) &&
	       io_same(x.corner_vertices, y.corner_vertices, corners * sizeof(int)) &&
	       io_same(x.positions, y.positions, (size_t)x.vertex_count * sizeof *x.positions);
}

// --- tests -----------------------------------------------------------------------------------

static gltf_builder builder;

static void everything_is_read(test *t)
{
	make_everything(&builder);
	rbl_document *document;
	CHECK(t, gltf_read(&builder, &document) == RBL_OK);
	CHECK(t, io_warnings == 0);
	rbl_scene s = rbl_document_get_scene(document);
	CHECK(t, s.node_count == 5 && s.mesh_count == 1 && s.material_count == 3);
	CHECK(t, s.texture_count == 2 && s.image_count == 2 && s.sampler_count == 2);
	CHECK(t, strcmp(s.name, "street") == 0 && strcmp(s.copyright, "a mason") == 0);
	CHECK(t, strcmp(s.nodes[0].name, "Building") == 0 && s.nodes[0].parent == -1);
	CHECK(t, strcmp(s.nodes[1].name, "Wall.003") == 0 && s.nodes[1].parent == 0);
	CHECK(t, s.nodes[1].mesh == 0 && s.nodes[2].mesh == 0 && s.nodes[2].matrix[14] == 6.0f);
	CHECK(t, s.nodes[3].camera == 1 && s.nodes[4].extensions);
	CHECK(t, strcmp(s.nodes[1].extras, "{\"floor\":2,\"load bearing\":true}") == 0);
	CHECK(t, strcmp(s.mesh_labels[0].name, "two quads") == 0);
	CHECK(t, s.images[0].size == sizeof gltf_png &&
	             memcmp(s.images[0].bytes, gltf_png, sizeof gltf_png) == 0);
	CHECK(t, s.images[1].size == sizeof gltf_jpeg &&
	             memcmp(s.images[1].bytes, gltf_jpeg, sizeof gltf_jpeg) == 0);
	CHECK(t, strcmp(s.images[1].mime_type, "image/jpeg") == 0);
	const rbl_scene_material *brick = &s.materials[0];
	CHECK(t, brick->base_color_texture.texture == 1 && brick->base_color_texture.uv_set == 1);
	CHECK(t, brick->normal_texture.factor == 0.5f && brick->occlusion_texture.factor == 0.25f);
	CHECK(t, brick->emissive.y == 0.5f && brick->roughness == 0.75f);
	CHECK(t, s.materials[1].alpha_mode == RBL_ALPHA_BLEND);
	CHECK(t, s.materials[2].is_double_sided && s.materials[2].alpha_cutoff == 0.25f);
	rbl_mesh_data mesh = rbl_mesh_get_data(s.meshes[0]);
	CHECK(t, mesh.face_count == 4 && mesh.material_count == 2 && mesh.corner_uv1);
	CHECK(t, mesh.materials[0].source == 2 && mesh.materials[1].source == 1);
	CHECK(t, mesh.attribute_count == 3 && mesh.attribute_width == 7);
	CHECK(t, strcmp(mesh.attributes[0].name, "TANGENT") == 0 && mesh.corner_attributes[0] == 1.0f);
	CHECK(t, strcmp(mesh.attributes[2].name, "_DAMAGE") == 0 && mesh.corner_attributes[13] == 1.0f);
	rbl_destroy_document(document);
	rbl_read_def def = rbl_default_read_def();
	def.material_offset = 100;
	CHECK(t, rbl_read_document_memory(builder.file, builder.file_size, &def, &document) == RBL_OK);
	s = rbl_document_get_scene(document);
	CHECK(t, rbl_mesh_get_data(s.meshes[0]).materials[0].source == 102);
	rbl_destroy_document(document);
}

static void everything_is_written_again(test *t)
{
	make_everything(&builder);
	rbl_document *document, *again;
	CHECK(t, gltf_read(&builder, &document) == RBL_OK);
	rbl_file_bytes bytes = write_document(t, document, false);
	keep_file(t, "everything", &bytes);
	rbl_json_document *json = parse_chunk(t, bytes.data);
	const rbl_json *root = rbl_json_root(json);
	check_list(t, root, "materials", materials);
	check_list(t, root, "textures", textures);
	check_list(t, root, "samplers", samplers);
	check_list(t, root, "cameras", cameras);
	check_list(t, root, "extensionsUsed",
	           "[\"KHR_lights_punctual\",\"KHR_texture_transform\",\"KHR_materials_transmission\","
	           "\"KHR_materials_ior\"]");
	check_list(t, root, "extensions",
	           "{\"KHR_lights_punctual\":{\"lights\":[{\"type\":\"point\",\"intensity\":40}]}}");
	check_list(t, root, "scenes",
	           "[{\"name\":\"street\",\"nodes\":[0],\"extras\":{\"year\":1900}}]");
	check_list(t, root, "nodes",
	           "[{\"name\":\"Building\",\"children\":[1,2,3,4],\"extras\":[1,{\"a\":null}]},"
	           "{\"name\":\"Wall.003\",\"mesh\":0,\"translation\":[1,2,3],\"rotation\":"
	           "[0,0.6,0,0.8],\"scale\":[2,1,0.5],\"extras\":{\"floor\":2,\"load bearing\":true}},"
	           "{\"name\":\"Wall.004\",\"mesh\":0,\"matrix\":[1,0,0,0,0.5,1,0,0,0,0,2,0,4,5,6,1]},"
	           "{\"name\":\"eye\",\"camera\":0},"
	           "{\"name\":\"lamp\",\"extensions\":{\"KHR_lights_punctual\":{\"light\":0}}}]");
	rbl_destroy_json(json);
	rbl_read_def def = rbl_default_read_def();
	CHECK(t, rbl_read_document_memory(bytes.data, bytes.size, &def, &again) == RBL_OK);
	rbl_scene a = rbl_document_get_scene(document), b = rbl_document_get_scene(again);
	CHECK(t, a.image_count == b.image_count && a.mesh_count == b.mesh_count);
	for (int i = 0; i < a.image_count; ++i)
		CHECK(t, a.images[i].size == b.images[i].size &&
		             memcmp(a.images[i].bytes, b.images[i].bytes, a.images[i].size) == 0);
	// The writer groups faces by slot; here they are in that order already.
	CHECK(t, meshes_alike(a.meshes[0], b.meshes[0]));
	rbl_file_bytes second = write_document(t, again, false);
	CHECK(t, second.size == bytes.size && memcmp(second.data, bytes.data, bytes.size) == 0);
	rbl_free_bytes(&second);
	rbl_free_bytes(&bytes);
	rbl_destroy_document(again);
	rbl_destroy_document(document);
}

// Positions of all corners in the world, by the short way.
static rbl_mesh *flatten(test *t, const void *bytes, size_t size)
{
	rbl_mesh *mesh = NULL;
	CHECK(t, rbl_read_mesh_memory(bytes, size, NULL, &mesh) == RBL_OK);
	return mesh;
}

static void quantized_files_are_close(test *t)
{
	make_everything(&builder);
	rbl_document *document;
	CHECK(t, gltf_read(&builder, &document) == RBL_OK);
	rbl_file_bytes bytes = write_document(t, document, true);
	keep_file(t, "quantized", &bytes);
	rbl_mesh *plain = flatten(t, builder.file, builder.file_size);
	rbl_mesh *packed = flatten(t, bytes.data, bytes.size);
	rbl_mesh_data a = rbl_mesh_get_data(plain), b = rbl_mesh_get_data(packed);
	CHECK(t, a.corner_count == b.corner_count && a.corner_count == 24);
	for (int c = 0; c < a.corner_count && c < b.corner_count; ++c) {
		rbl_vec3d p = a.positions[a.corner_vertices[c]], q = b.positions[b.corner_vertices[c]];
		double error = fmax(fabs(p.x - q.x), fmax(fabs(p.y - q.y), fabs(p.z - q.z)));
		if (!(error < 8.0 / 32767.0))
			test_fail(t, __FILE__, __LINE__, "a position is off");
		t->checks++;
	}
	CHECK(t, bytes.size < builder.file_size);
	rbl_destroy_mesh(plain);
	rbl_destroy_mesh(packed);
	rbl_free_bytes(&bytes);
	rbl_destroy_document(document);
}

// A scene of one triangle with things that are not kept: they are named in one line.
static void what_is_not_kept_is_said_once(test *t)
{
	gltf_builder *b = &builder;
	gltf_begin(b);
	const float positions[9] = { 0, 0, 0, 1, 0, 0, 0, 1, 0 };
	int p = gltf_add_accessor(b, positions, sizeof positions, 3, 5126, "VEC3", "");
	gltf_add_json(
		b,
		"\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":%d},\"targets\":[{}]},"
		"{\"attributes\":{\"POSITION\":%d},\"mode\":0},{\"attributes\":{\"POSITION\":%d,"
		"\"ODD\":%d},\"targets\":[{}]}]}],\"scenes\":[{\"nodes\":[0,1]},{}],\"nodes\":[{"
		"\"mesh\":0,\"skin\":0},{\"mesh\":0,\"skin\":0,\"extensions\":{\"MY_own\":{}}}]",
		p, p, p, p);
	gltf_end(b);
	rbl_document *document;
	CHECK(t, gltf_read(b, &document) == RBL_OK);
	CHECK(t, io_warnings == 1);
	CHECK(t, io_log_has("made.glb: not kept: ") && io_log_has("skins") && io_log_has("MY_own"));
	CHECK(t, io_log_has("points and lines") && io_log_has("morph targets") && io_log_has("ODD"));
	CHECK(t, io_log_has("scenes that are not shown"));
	rbl_destroy_document(document);
}

static rbl_result read_text(const char *text)
{
	rbl_document *document;
	rbl_read_def def = rbl_default_read_def();
	def.name = "text.gltf";
	io_watch_log();
	rbl_result result = rbl_read_document_memory(text, strlen(text), &def, &document);
	rbl_destroy_document(document);
	return result;
}

#define START "{\"asset\":{\"version\":\"2.0\"},"

// What is read can be written, however long the rotation is.
static void long_rotations_become_units(test *t)
{
	static const char text[] = START "\"nodes\":[{\"rotation\":[0,3e20,0,4e20]},{\"rotation\":"
									 "[0,0,1e-9,0]}]}";
	rbl_read_def def = rbl_default_read_def();
	def.format = RBL_FORMAT_GLTF;
	rbl_document *document;
	CHECK(t, rbl_read_document_memory(text, sizeof text - 1, &def, &document) == RBL_OK);
	rbl_scene scene = rbl_document_get_scene(document);
	CHECK(t, scene.node_count == 2 && fabsf(scene.nodes[0].rotation.y - 0.6f) < 1e-6f);
	rbl_file_bytes bytes = write_document(t, document, false);
	rbl_free_bytes(&bytes);
	rbl_destroy_document(document);
}

static void packed_files_name_the_tool(test *t)
{
	CHECK(t, read_text(START "\"extensionsRequired\":[\"EXT_meshopt_compression\"]}") ==
	             RBL_UNSUPPORTED);
	CHECK(t, io_log_has("EXT_meshopt_compression; 'gltf-transform copy IN OUT'"));
	CHECK(t, read_text(START "\"extensionsRequired\":[\"KHR_draco_mesh_compression\"]}") ==
	             RBL_UNSUPPORTED);
	CHECK(t, io_log_has("KHR_draco_mesh_compression; 'gltf-transform copy IN OUT'"));
	CHECK(t, read_text(START "\"meshes\":[{\"primitives\":[{\"extensions\":{"
	                         "\"KHR_draco_mesh_compression\":{}}}]}]}") == RBL_UNSUPPORTED);
	CHECK(t, io_log_has("draco"));
	CHECK(t, read_text(START "\"extensionsRequired\":[\"XYZ_new\"]}") == RBL_UNSUPPORTED);
}

static void hostile_files_get_a_sentence(test *t)
{
	static const struct {
		const char *text, *reason;
	} rows[] = {
		{ "\"nodes\":[{\"children\":[1]},{\"children\":[0]}],\"scenes\":[{\"nodes\":[0]}]}",
		  "nodes[0]: is reached twice" },
		{ "\"nodes\":[{\"children\":[0]}],\"scenes\":[{\"nodes\":[0]}]}", "is reached twice" },
		{ "\"nodes\":[{\"children\":[7]}]}", "nodes[7]: there is no such node" },
		{ "\"nodes\":[{\"mesh\":3}]}", "meshes[3]: there is no such mesh" },
		{ "\"nodes\":[{\"camera\":0}]}", "cameras[0]: there is no such camera" },
		{ "\"nodes\":[{\"rotation\":[0,0,0,0]}]}", "its placement is not usable" },
		{ "\"nodes\":[{\"translation\":[1e39,0,0]}]}", "its placement is not usable" },
		{ "\"images\":[{}]}", "images[0]: has neither bufferView nor uri" },
		{ "\"images\":[{\"uri\":\"data:image/png;base64,iVBORw0KGgo=\"}]}", "is cut off" },
		{ "\"images\":[{\"uri\":\"data:image/png;base64,AAAA\"}]}", "are no PNG, JPEG" },
		{ "\"images\":[{\"uri\":\"data:,x\"}]}", "no base64" },
		{ "\"images\":[{\"uri\":5}]}", "images[0]: the uri is no text" },
		{ "\"images\":[{\"mimeType\":\"image/png\",\"uri\":\"data:;base64,/9j/2f/Z\"}]}",
		  "is said to be image/png and is image/jpeg" },
		{ "\"images\":[{\"bufferView\":0}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":9}]}",
		  "there is no such buffer" },
		{ "\"textures\":[{\"source\":0}]}", "textures[0]: names an image that is not there" },
		{ "\"textures\":[{\"sampler\":2}]}", "names a sampler that is not there" },
		{ "\"materials\":[{\"normalTexture\":{\"index\":1}}]}",
		  "names a texture that is not there" },
		{ "\"materials\":[{\"normalTexture\":{}}]}", "names a texture that is not there" },
		{ "\"materials\":[5]}", "materials[0]: is no object" },
		{ "\"samplers\":[{\"wrapS\":\"x\"}]}", "samplers[0]: a filter or wrapping" },
	};
	char text[600];
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
		snprintf(text, sizeof text, START "%s", rows[i].text);
		CHECK(t, read_text(text) == RBL_BAD_FILE);
		if (!io_log_has(rows[i].reason))
			test_fail(t, __FILE__, (int)i, io_log);
	}
}

// A thousand million instances, triangles or keys in a few bytes.
static void large_counts_are_limited(test *t)
{
	static const char *const rows[] = {
		"\"accessors\":[{\"componentType\":5126,\"count\":1000000000,\"type\":\"VEC3\"}],"
		"\"nodes\":[{\"mesh\":0,\"extensions\":{\"EXT_mesh_gpu_instancing\":{\"attributes\":{"
		"\"TRANSLATION\":0}}}}],\"meshes\":[{\"primitives\":[]}]}",
		"\"accessors\":[{\"componentType\":5126,\"count\":1000000002,\"type\":\"VEC3\"}],"
		"\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}]}",
		"\"accessors\":[{\"componentType\":5126,\"count\":1000000000,\"type\":\"SCALAR\"},"
		"{\"componentType\":5126,\"count\":1000000000,\"type\":\"VEC3\"}],\"nodes\":[{}],"
		"\"animations\":[{\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,"
		"\"path\":\"translation\"}}],\"samplers\":[{\"input\":0,\"output\":1}]}]}",
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
		char text[600];
		snprintf(text, sizeof text, START "%s", rows[i]);
		faulty_allocator memory;
		faulty_init(&memory, 1000000);
		rbl_read_def def = rbl_default_read_def();
		def.format = RBL_FORMAT_GLTF;
		def.allocator = FAULTY(&memory);
		rbl_document *document;
		io_watch_log();
		CHECK(t,
		      rbl_read_document_memory(text, strlen(text), &def, &document) == RBL_LIMIT_REACHED);
		CHECK(t, !document && memory.live_bytes == 0 && memory.peak_bytes < 1000000);
	}
}

// Instances become nodes, for documents and for one mesh.
static void instances_are_nodes(test *t)
{
	gltf_builder *b = &builder;
	gltf_begin(b);
	const float positions[9] = { 0, 0, 0, 1, 0, 0, 0, 1, 0 };
	const float places[6] = { 5, 0, 0, 0, 7, 0 };
	int p = gltf_add_accessor(b, positions, sizeof positions, 3, 5126, "VEC3",
	                          ",\"min\":[0,0,0],\"max\":[1,1,0]");
	int i = gltf_add_accessor(b, places, sizeof places, 2, 5126, "VEC3", "");
	gltf_add_json(b,
	              "\"extensionsRequired\":[\"EXT_mesh_gpu_instancing\"],\"meshes\":[{"
	              "\"primitives\":[{\"attributes\":{\"POSITION\":%d}}]}],\"nodes\":[{\"mesh\":0,"
	              "\"scale\":[2,2,2],\"extensions\":{\"EXT_mesh_gpu_instancing\":{\"attributes\":{"
	              "\"TRANSLATION\":%d}}}}]",
	              p, i);
	gltf_end(b);
	rbl_document *document;
	CHECK(t, gltf_read(b, &document) == RBL_OK && io_warnings == 0);
	rbl_scene s = rbl_document_get_scene(document);
	CHECK(t, s.node_count == 3 && s.nodes[0].mesh == -1 && s.nodes[2].mesh == 0);
	CHECK(t, s.nodes[2].parent == 0 && s.nodes[2].translation.y == 7.0f);
	rbl_mesh *mesh = flatten(t, b->file, b->file_size);
	rbl_boxd box = rbl_mesh_bounds(mesh);
	CHECK(t, box.upper.x == 12.0 && box.upper.y == 16.0 && rbl_mesh_get_data(mesh).face_count == 2);
	rbl_destroy_mesh(mesh);

	// Written as instances, they are the same again.
	rbl_vec3 translations[2] = { { 5, 0, 0 }, { 0, 7, 0 } };
	rbl_scene_node node = rbl_default_scene_node();
	node.mesh = 0, node.scale = (rbl_vec3){ 2.0f, 2.0f, 2.0f };
	node.instance_count = 2, node.instance_translations = translations;
	s.node_count = 1, s.nodes = &node;
	for (int quantized = 0; quantized < 2; ++quantized) {
		rbl_write_def def = rbl_default_write_def();
		def.format = RBL_FORMAT_GLTF;
		def.is_quantized = quantized;
		rbl_file_bytes bytes;
		CHECK(t, rbl_write_scene_memory(&s, &def, &bytes) == RBL_OK);
		keep_file(t, quantized ? "instances16" : "instances", &bytes);
		mesh = flatten(t, bytes.data, bytes.size);
		box = rbl_mesh_bounds(mesh);
		CHECK(t, fabs(box.upper.x - 12.0) < 1e-3 && fabs(box.upper.y - 16.0) < 1e-3);
		rbl_destroy_mesh(mesh);
		rbl_free_bytes(&bytes);
	}
	rbl_destroy_document(document);
}

static void animations_come_back(test *t)
{
	const float times[3] = { 0.0f, 1.0f, 2.5f };
	const float values[9] = { 0, 0, 0, 1, 2, 3, 4, 5, 6 };
	rbl_scene_node node = rbl_default_scene_node();
	rbl_scene_track track = { .path = RBL_TRACK_TRANSLATION,
		                      .has_steps = true,
		                      .key_count = 3,
		                      .times = times,
		                      .values = values };
	rbl_scene_animation animation = { .name = "fall", .track_count = 1, .tracks = &track };
	rbl_scene scene = {
		.node_count = 1, .nodes = &node, .animation_count = 1, .animations = &animation
	};
	rbl_write_def def = rbl_default_write_def();
	def.format = RBL_FORMAT_GLTF;
	rbl_file_bytes bytes;
	CHECK(t, rbl_write_scene_memory(&scene, &def, &bytes) == RBL_OK);
	rbl_document *document;
	CHECK(t, rbl_read_document_memory(bytes.data, bytes.size, NULL, &document) == RBL_OK);
	rbl_scene s = rbl_document_get_scene(document);
	CHECK(t, s.animation_count == 1 && strcmp(s.animations[0].name, "fall") == 0);
	CHECK(t, s.animations[0].track_count == 1 && s.animations[0].tracks[0].has_steps);
	CHECK(t, memcmp(s.animations[0].tracks[0].times, times, sizeof times) == 0);
	CHECK(t, memcmp(s.animations[0].tracks[0].values, values, sizeof values) == 0);
	rbl_destroy_document(document);
	rbl_free_bytes(&bytes);
}

static void other_formats_are_one_node(test *t)
{
	static const char text[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
	rbl_read_def def = rbl_default_read_def();
	def.name = "folder/mug.obj";
	rbl_document *document;
	CHECK(t, rbl_read_document_memory(text, sizeof text - 1, &def, &document) == RBL_OK);
	rbl_scene s = rbl_document_get_scene(document);
	CHECK(t, s.node_count == 1 && s.mesh_count == 1 && s.nodes[0].mesh == 0);
	CHECK(t, strcmp(s.nodes[0].name, "mug") == 0);
	rbl_destroy_document(document);
	CHECK(t, rbl_document_get_scene(NULL).node_count == 0);
	rbl_destroy_document(NULL);
}

static void memory_failures_unwind(test *t)
{
	make_everything(&builder);
	int failures = 0;
	for (int n = 0;; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_read_def def = rbl_default_read_def();
		def.allocator = FAULTY(&memory);
		rbl_document *document;
		rbl_result result =
			rbl_read_document_memory(builder.file, builder.file_size, &def, &document);
		bool failed = memory.failed;
		CHECK(t, failed ? result == RBL_OUT_OF_MEMORY && !document : result == RBL_OK);
		rbl_destroy_document(document);
		CHECK(t, memory.live_bytes == 0);
		if (!failed)
			break;
		failures++;
	}
	CHECK(t, failures > 20);
	rbl_document *document;
	CHECK(t, gltf_read(&builder, &document) == RBL_OK);
	rbl_scene scene = rbl_document_get_scene(document);
	for (int n = 0;; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_write_def def = rbl_default_write_def();
		def.format = RBL_FORMAT_GLTF;
		def.is_quantized = true;
		def.allocator = FAULTY(&memory);
		rbl_file_bytes bytes;
		rbl_result result = rbl_write_scene_memory(&scene, &def, &bytes);
		bool failed = memory.failed;
		CHECK(t, result == (failed ? RBL_OUT_OF_MEMORY : RBL_OK));
		rbl_free_bytes(&bytes);
		CHECK(t, memory.live_bytes == 0);
		if (!failed)
			break;
	}
	rbl_destroy_document(document);
}

// Bytes that are flipped or cut off: a result, and no trouble.
static void damaged_files_do_no_harm(test *t)
{
	make_everything(&builder);
	static char copy[sizeof builder.file];
	uint64_t random = 1;
	int refused = 0;
	for (int i = 0; i < 3000; ++i) {
		size_t size = builder.file_size;
		memcpy(copy, builder.file, size);
		for (int k = 0; k < 1 + i % 4; ++k) {
			random = random * 6364136223846793005u + 1442695040888963407u;
			copy[(random >> 33) % size] = (char)(random >> 24);
		}
		if (i % 5 == 0)
			size = (size_t)(random >> 35) % size;
		rbl_document *document;
		refused += rbl_read_document_memory(copy, size, NULL, &document) != RBL_OK;
		rbl_destroy_document(document);
	}
	CHECK(t, refused > 1000);
}

TEST_MAIN(TEST(everything_is_read), TEST(everything_is_written_again),
          TEST(quantized_files_are_close), TEST(what_is_not_kept_is_said_once),
          TEST(long_rotations_become_units), TEST(packed_files_name_the_tool),
          TEST(hostile_files_get_a_sentence), TEST(large_counts_are_limited),
          TEST(instances_are_nodes), TEST(animations_come_back), TEST(other_formats_are_one_node),
          TEST(memory_failures_unwind), TEST(damaged_files_do_no_harm))
