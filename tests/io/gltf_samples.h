// SPDX-License-Identifier: MIT
// Sample models of glTF, made here: each shows some features of the format, as those that Khronos
// publishes under such names do. All of them are valid.
#pragma once

#include "gltf_builder.h"

// --- images ----------------------------------------------------------------------------------

static inline uint32_t sample_crc(const unsigned char *bytes, size_t size)
{
	uint32_t crc = 0xffffffffu;
	for (size_t i = 0; i < size; ++i) {
		crc ^= bytes[i];
		for (int k = 0; k < 8; ++k)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
	}
	return ~crc;
}

static inline size_t sample_put_chunk(unsigned char *at, const char *type,
                                      const unsigned char *data, size_t size)
{
	const uint32_t words[2] = { (uint32_t)size, 0 };
	for (size_t i = 0; i < 4; ++i)
		at[i] = (unsigned char)(words[0] >> (24 - 8 * i));
	memcpy(at + 4, type, 4);
	if (size > 0)
		memcpy(at + 8, data, size);
	uint32_t crc = sample_crc(at + 4, size + 4);
	for (size_t i = 0; i < 4; ++i)
		at[8 + size + i] = (unsigned char)(crc >> (24 - 8 * i));
	return size + 12;
}

/// A PNG of 8 x 8 pixels with alpha, a chequered pattern of two colours that follow from a number.
/// @return its size
static inline size_t sample_png(unsigned char *png, unsigned number)
{
	enum { WIDTH = 8, ROW = 1 + 4 * WIDTH, RAW = WIDTH * ROW };
	static const unsigned char header[13] = { 0, 0, 0, WIDTH, 0, 0, 0, WIDTH, 8, 6, 0, 0, 0 };
	unsigned char data[RAW + 11] = {
		0x78, 0x01, 1, RAW & 255, RAW >> 8, ~RAW & 255, ~RAW >> 8 & 255
	};
	uint32_t a = 1, b = 0;
	for (unsigned i = 0; i < RAW; ++i) {
		unsigned x = i % ROW, y = i / ROW;
		unsigned char value = 0; // no filter
		if (x > 0)
			value = (unsigned char)(((x - 1) / 4 + y) % 2 * 90 + number * 37 + (x - 1) % 4 * 50);
		data[7 + i] = value;
		a = (a + value) % 65521, b = (b + a) % 65521;
	}
	const uint32_t check = b << 16 | a;
	for (unsigned i = 0; i < 4; ++i)
		data[7 + RAW + i] = (unsigned char)(check >> (24 - 8 * i));
	memcpy(png, "\x89PNG\r\n\x1a\n", 8);
	size_t size = 8;
	size += sample_put_chunk(png + size, "IHDR", header, sizeof header);
	size += sample_put_chunk(png + size, "IDAT", data, sizeof data);
	return size + sample_put_chunk(png + size, "IEND", NULL, 0);
}

/// A JPEG of one pixel with a comment, so that it differs from others. @return its size
static inline size_t sample_jpeg(unsigned char *jpeg, unsigned number)
{
	const unsigned char comment[8] = { 0xff, 0xfe, 0,   6,
		                               'n',  'o',  '.', (unsigned char)('0' + number) };
	memcpy(jpeg, gltf_jpeg, 2);
	memcpy(jpeg + 2, comment, sizeof comment);
	memcpy(jpeg + 2 + sizeof comment, gltf_jpeg + 2, sizeof gltf_jpeg - 2);
	return sizeof gltf_jpeg + sizeof comment;
}

/// Append a PNG in the file, or a JPEG. @return its index
static inline int sample_add_image(gltf_builder *b, bool is_jpeg, gltf_image_place place,
                                   const char *file, const char *rest)
{
	unsigned char bytes[1500];
	unsigned number = (unsigned)b->image_count;
	size_t size = is_jpeg ? sample_jpeg(bytes, number) : sample_png(bytes, number);
	return gltf_add_image(b, place, bytes, size, file, rest);
}

// --- meshes ----------------------------------------------------------------------------------

enum {
	SAMPLE_NORMAL = 1,
	SAMPLE_TANGENT = 2,
	SAMPLE_UV0 = 4,
	SAMPLE_UV1 = 8,
	SAMPLE_UV2 = 16,
	SAMPLE_COLOR = 32,
};

/// A quad of two triangles that stands at x, as four vertices. @return the JSON of its attributes,
/// until the next call
static inline const char *sample_quad(gltf_builder *b, float x, unsigned attributes)
{
	static char text[300];
	const float positions[12] = { x, 0, 0, x + 1, 0, 0, x + 1, 1, 0.125f, x, 1, 0 };
	float normals[12], tangents[16], uv[8];
	char bounds[100];
	for (int i = 0; i < 12; ++i)
		normals[i] = i % 3 == 2 ? 0.8f : i % 3 == 1 ? 0.6f : 0.0f;
	for (int i = 0; i < 16; ++i)
		tangents[i] = i % 4 == 0 ? 1.0f : i % 4 < 3 ? 0.0f : i < 8 ? 1.0f : -1.0f;
	snprintf(bounds, sizeof bounds, ",\"min\":[%g,0,0],\"max\":[%g,1,0.125]", (double)x,
	         (double)x + 1.0);
	snprintf(text, sizeof text, "{\"POSITION\":%d",
	         gltf_add_accessor(b, positions, sizeof positions, 4, 5126, "VEC3", bounds));
	size_t room = sizeof text;
	if (attributes & SAMPLE_NORMAL)
		snprintf(text + strlen(text), room - strlen(text), ",\"NORMAL\":%d",
		         gltf_add_accessor(b, normals, sizeof normals, 4, 5126, "VEC3", ""));
	if (attributes & SAMPLE_TANGENT)
		snprintf(text + strlen(text), room - strlen(text), ",\"TANGENT\":%d",
		         gltf_add_accessor(b, tangents, sizeof tangents, 4, 5126, "VEC4", ""));
	for (int set = 0; set < 3; ++set) {
		if (!(attributes & (unsigned)SAMPLE_UV0 << set))
			continue;
		for (int i = 0; i < 8; ++i)
			uv[i] = (float)(set * 3 + i) * 0.25f - x;
		snprintf(text + strlen(text), room - strlen(text), ",\"TEXCOORD_%d\":%d", set,
		         gltf_add_accessor(b, uv, sizeof uv, 4, 5126, "VEC2", ""));
	}
	// Rows of three bytes and a gap.
	static const unsigned char colors[16] = {
		255, 0, 17, 9, 0, 255, 51, 9, 0, 0, 255, 9, 3, 4, 5, 9
	};
	if (attributes & SAMPLE_COLOR)
		snprintf(text + strlen(text), room - strlen(text), ",\"COLOR_0\":%d",
		         gltf_add_accessor_of(b, gltf_add_strided_view(b, colors, sizeof colors, 4), 4,
		                              5121, "VEC3", ",\"normalized\":true"));
	snprintf(text + strlen(text), room - strlen(text), "}");
	return text;
}

static inline int sample_indices(gltf_builder *b)
{
	static const uint16_t indices[6] = { 0, 1, 2, 0, 2, 3 };
	return gltf_add_accessor(b, indices, sizeof indices, 6, 5123, "SCALAR", "");
}

// --- the samples -----------------------------------------------------------------------------

static inline void sample_box_textured(gltf_builder *b)
{
	float positions[72], normals[72], uv[48];
	uint16_t indices[36];
	for (int side = 0; side < 6; ++side) {
		int axis = side / 2, u = (axis + 1) % 3, v = (axis + 2) % 3, sign = side % 2 ? 1 : -1;
		for (int k = 0; k < 4; ++k) {
			float *p = positions + 12 * side + 3 * k, *n = normals + 12 * side + 3 * k;
			float s = k == 1 || k == 2 ? 0.5f : -0.5f, t = k >= 2 ? 0.5f : -0.5f;
			p[axis] = 0.5f * (float)sign, p[u] = s, p[v] = sign > 0 ? t : -t;
			n[axis] = (float)sign, n[u] = n[v] = 0.0f;
			uv[8 * side + 2 * k] = s + 0.5f + (float)axis, uv[8 * side + 2 * k + 1] = 0.5f - t;
		}
		static const int corners[6] = { 0, 1, 2, 0, 2, 3 };
		for (int k = 0; k < 6; ++k)
			indices[6 * side + k] = (uint16_t)(4 * side + corners[k]);
	}
	int p = gltf_add_accessor(b, positions, sizeof positions, 24, 5126, "VEC3",
	                          ",\"min\":[-0.5,-0.5,-0.5],\"max\":[0.5,0.5,0.5]");
	int n = gltf_add_accessor(b, normals, sizeof normals, 24, 5126, "VEC3", "");
	int t = gltf_add_accessor(b, uv, sizeof uv, 24, 5126, "VEC2", "");
	int i = gltf_add_accessor(b, indices, sizeof indices, 36, 5123, "SCALAR", "");
	sample_add_image(b, false, GLTF_IN_VIEW, NULL, ",\"name\":\"logo\"");
	gltf_add_json(
		b,
		"\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"name\":\"turned\","
		"\"children\":[1],\"matrix\":[1,0,0,0,0,0,-1,0,0,1,0,0,0,0,0,1]},{\"mesh\":0}],"
		"\"meshes\":[{\"name\":\"Mesh\",\"primitives\":[{\"attributes\":{\"POSITION\":%d,"
		"\"NORMAL\":%d,\"TEXCOORD_0\":%d},\"indices\":%d,\"mode\":4,\"material\":0}]}],"
		"\"materials\":[{\"name\":\"Texture\",\"pbrMetallicRoughness\":{"
		"\"baseColorTexture\":{\"index\":0},\"metallicFactor\":0}}],\"textures\":[{"
		"\"sampler\":0,\"source\":0}],\"samplers\":[{\"magFilter\":9729,\"minFilter\":9986,"
		"\"wrapS\":10497,\"wrapT\":10497}]",
		p, n, t, i);
}

static inline void sample_alpha_modes(gltf_builder *b)
{
	static const char *const modes[6] = {
		"\"name\":\"opaque\"",
		"\"name\":\"cut at a half\",\"alphaMode\":\"MASK\"",
		"\"name\":\"cut at a quarter\",\"alphaMode\":\"MASK\","
		"\"alphaCutoff\":0.25,\"doubleSided\":true",
		"\"name\":\"cut at three quarters\",\"alphaMode\":\"MASK\","
		"\"alphaCutoff\":0.75",
		"\"name\":\"blended\",\"alphaMode\":\"BLEND\"",
		"\"name\":\"blended both\",\"alphaMode\":\"BLEND\","
		"\"doubleSided\":true"
	};
	int i = sample_indices(b);
	sample_add_image(b, false, GLTF_IN_VIEW, NULL, "");
	gltf_add_json(b, "\"meshes\":[");
	for (int k = 0; k < 6; ++k)
		gltf_add_json(b, "%s{\"primitives\":[{\"attributes\":%s,\"indices\":%d,\"material\":%d}]}",
		              k ? "," : "", sample_quad(b, (float)(2 * k), SAMPLE_NORMAL | SAMPLE_UV0), i,
		              k);
	gltf_add_json(b, "],\"materials\":[");
	for (int k = 0; k < 6; ++k)
		gltf_add_json(b,
		              "%s{%s,\"pbrMetallicRoughness\":{\"baseColorFactor\":[1,1,1,0.%d],"
		              "\"baseColorTexture\":{\"index\":0},\"metallicFactor\":0}}",
		              k ? "," : "", modes[k], k + 1);
	gltf_add_json(b,
	              "],\"textures\":[{\"source\":0}],\"scene\":0,\"scenes\":[{\"nodes\":[0,1,2,3,4,"
	              "5]}],\"nodes\":[");
	for (int k = 0; k < 6; ++k)
		gltf_add_json(b, "%s{\"name\":\"quad %d\",\"mesh\":%d}", k ? "," : "", k, k);
	gltf_add_json(b, "]");
}

static inline void sample_multi_uv(gltf_builder *b)
{
	int i = sample_indices(b);
	sample_add_image(b, false, GLTF_IN_VIEW, NULL, ",\"name\":\"uv0\"");
	sample_add_image(b, true, GLTF_IN_VIEW, NULL, ",\"name\":\"uv1\"");
	gltf_add_json(
		b,
		"\"meshes\":[{\"primitives\":[{\"attributes\":%s,\"indices\":%d,\"material\":0}]}],"
		"\"materials\":[{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0,"
		"\"texCoord\":1},\"metallicRoughnessTexture\":{\"index\":1,\"texCoord\":2}},"
		"\"occlusionTexture\":{\"index\":1,\"texCoord\":1,\"strength\":0.5},\"emissiveTexture\":{"
		"\"index\":0},\"emissiveFactor\":[0.25,0.5,1],\"normalTexture\":{\"index\":1,"
		"\"texCoord\":2,\"scale\":0.75}}],\"textures\":[{\"source\":0},{\"source\":1,"
		"\"sampler\":0}],\"samplers\":[{\"wrapS\":33648}],\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
		"\"nodes\":[{\"mesh\":0}]",
		sample_quad(b, 0.0f, SAMPLE_NORMAL | SAMPLE_TANGENT | SAMPLE_UV0 | SAMPLE_UV1 | SAMPLE_UV2),
		i);
}

static inline void sample_texture_transform(gltf_builder *b)
{
	int i = sample_indices(b);
	sample_add_image(b, false, GLTF_IN_VIEW, NULL, "");
	gltf_add_json(
		b,
		"\"extensionsUsed\":[\"KHR_texture_transform\",\"KHR_materials_clearcoat\"],"
		"\"extensionsRequired\":[\"KHR_texture_transform\"],\"meshes\":[{\"primitives\":[{"
		"\"attributes\":%s,\"indices\":%d,\"material\":0}]}],\"materials\":[{"
		"\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0,\"extensions\":{"
		"\"KHR_texture_transform\":{\"offset\":[0.5,-0.25],\"rotation\":0.785,\"scale\":[2,3]}}}},"
		"\"emissiveTexture\":{\"index\":0,\"extensions\":{\"KHR_texture_transform\":{\"scale\":"
		"[0.5,0.5],\"texCoord\":1}}},\"extensions\":{\"KHR_materials_clearcoat\":{"
		"\"clearcoatFactor\":1,\"clearcoatTexture\":{\"index\":0,\"extensions\":{"
		"\"KHR_texture_transform\":{\"rotation\":1.5}}}}}}],\"textures\":[{\"source\":0}],"
		"\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}]",
		sample_quad(b, 0.0f, SAMPLE_NORMAL | SAMPLE_UV0 | SAMPLE_UV1), i);
}

static inline void sample_vertex_colors(gltf_builder *b)
{
	int i = sample_indices(b);
	char first[300], second[300];
	const uint16_t shorts[16] = { 65535, 0,  0,   65535, 0, 65535, 0, 1000,
		                          9,     99, 999, 9999,  1, 2,     3, 4 };
	const float floats[16] = { 1, 0.5f, 0.25f, 1, 0, 0, 0, 0, 0.1f, 0.2f, 0.3f, 0.4f, 1, 1, 0, 1 };
	snprintf(first, sizeof first, "%s", sample_quad(b, 0.0f, SAMPLE_NORMAL | SAMPLE_COLOR));
	snprintf(second, sizeof second, "%s", sample_quad(b, 2.0f, SAMPLE_NORMAL));
	second[strlen(second) - 1] = '\0';
	int c = gltf_add_accessor(b, shorts, sizeof shorts, 4, 5123, "VEC4", ",\"normalized\":true");
	int d = gltf_add_accessor(b, floats, sizeof floats, 4, 5126, "VEC4", "");
	gltf_add_json(b,
	              "\"meshes\":[{\"primitives\":[{\"attributes\":%s,\"indices\":%d}]},{"
	              "\"primitives\":[{\"attributes\":%s,\"COLOR_0\":%d,\"COLOR_1\":%d},"
	              "\"indices\":%d}]}],\"scene\":0,\"scenes\":[{\"nodes\":[0,1]}],\"nodes\":[{"
	              "\"mesh\":0},{\"mesh\":1}]",
	              first, i, second, c, d, i);
}

// Tangents of both signs, and a primitive without any.
static inline void sample_tangents(gltf_builder *b)
{
	int i = sample_indices(b);
	char first[300];
	sample_add_image(b, false, GLTF_IN_VIEW, NULL, "");
	snprintf(first, sizeof first, "%s",
	         sample_quad(b, 0.0f, SAMPLE_NORMAL | SAMPLE_TANGENT | SAMPLE_UV0));
	gltf_add_json(b,
	              "\"meshes\":[{\"primitives\":[{\"attributes\":%s,\"indices\":%d,\"material\":0},{"
	              "\"attributes\":%s,\"indices\":%d,\"material\":1}]}],\"materials\":[{\"name\":"
	              "\"bumpy\",\"normalTexture\":{\"index\":0,\"scale\":2}},{\"name\":\"plain\","
	              "\"emissiveTexture\":{\"index\":0}}],\"textures\":[{\"source\":0}],\"scene\":0,"
	              "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}]",
	              first, i, sample_quad(b, 2.0f, SAMPLE_NORMAL | SAMPLE_UV0), i);
}

// Positions that differ from others in two places, and some that are nearly all zero.
static inline void sample_sparse(gltf_builder *b)
{
	const float positions[9] = { 0, 0, 0, 1, 0, 0, 0, 1, 0 }, moved[6] = { 2, 0, 0, 0, 3, 1 };
	const uint16_t which[2] = { 1, 2 };
	int base = gltf_add_view(b, positions, sizeof positions);
	int indices = gltf_add_view(b, which, sizeof which),
		values = gltf_add_view(b, moved, sizeof moved);
	for (int k = 0; k < 2; ++k) {
		size_t used = strlen(b->accessors);
		char view[40] = "";
		if (k == 0)
			snprintf(view, sizeof view, "\"bufferView\":%d,", base);
		snprintf(b->accessors + used, sizeof b->accessors - used,
		         "%s{%s\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"min\":[0,0,0],"
		         "\"max\":[2,3,1],\"sparse\":{\"count\":2,\"indices\":{\"bufferView\":%d,"
		         "\"componentType\":5123},\"values\":{\"bufferView\":%d}}}",
		         used ? "," : "", view, indices, values);
		b->accessor_count++;
	}
	gltf_add_json(b, "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]},{"
	                 "\"primitives\":[{\"attributes\":{\"POSITION\":1}}]}],\"scene\":0,"
	                 "\"scenes\":[{\"nodes\":[0,1]}],\"nodes\":[{\"mesh\":0},{\"mesh\":1,"
	                 "\"translation\":[4,0,0]}]");
}

// Numbers of 8 and 16 bits in rows with gaps, as programs that make files small write them.
static inline void sample_quantized(gltf_builder *b)
{
	const int16_t positions[16] = { 0, 0, 0, 0, 4000, 0, 0, 0, 4000, 3000, 0, 0, 0, 3000, 7, 0 };
	const int8_t normals[16] = { 0, 0, 127, 0, 0, 0, 127, 0, 0, 127, 0, 0, 0, -127, 0, 0 };
	const uint8_t uv[16] = { 0, 0, 0, 0, 255, 0, 0, 0, 255, 128, 0, 0, 0, 255, 0, 0 };
	const int8_t tangents[16] = {
		127, 0, 0, 127, 127, 0, 0, 127, 127, 0, 0, -127, 127, 0, 0, -127
	};
	const uint8_t indices[6] = { 0, 1, 2, 0, 2, 3 };
	int p = gltf_add_accessor_of(b, gltf_add_strided_view(b, positions, sizeof positions, 8), 4,
	                             5122, "VEC3", ",\"min\":[0,0,0],\"max\":[4000,3000,7]");
	int n = gltf_add_accessor_of(b, gltf_add_strided_view(b, normals, sizeof normals, 4), 4, 5120,
	                             "VEC3", ",\"normalized\":true");
	int t =
		gltf_add_accessor(b, tangents, sizeof tangents, 4, 5120, "VEC4", ",\"normalized\":true");
	int u = gltf_add_accessor_of(b, gltf_add_strided_view(b, uv, sizeof uv, 4), 4, 5121, "VEC2",
	                             ",\"normalized\":true");
	int i = gltf_add_accessor(b, indices, sizeof indices, 6, 5121, "SCALAR", "");
	gltf_add_json(
		b,
		"\"extensionsUsed\":[\"KHR_mesh_quantization\"],\"extensionsRequired\":["
		"\"KHR_mesh_quantization\"],\"meshes\":[{\"primitives\":[{\"attributes\":{"
		"\"POSITION\":%d,\"NORMAL\":%d,\"TANGENT\":%d,\"TEXCOORD_0\":%d},\"indices\":%d}]}],"
		"\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0,\"scale\":[0.001,"
		"0.001,0.001]}]",
		p, n, t, u, i);
}

// Every extension of materials that is ratified, with textures where they have some.
static inline void sample_material_extensions(gltf_builder *b)
{
	static const char *const extensions[] = {
		"KHR_materials_anisotropy\":{\"anisotropyStrength\":0.5,\"anisotropyRotation\":0.25,"
		"\"anisotropyTexture\":{\"index\":1}}",
		"KHR_materials_clearcoat\":{\"clearcoatFactor\":0.5,\"clearcoatRoughnessFactor\":0.25,"
		"\"clearcoatNormalTexture\":{\"index\":1,\"scale\":0.5}}",
		"KHR_materials_dispersion\":{\"dispersion\":0.125},\"KHR_materials_volume\":{"
		"\"thicknessFactor\":1},\"KHR_materials_transmission\":{\"transmissionFactor\":0.5}",
		"KHR_materials_emissive_strength\":{\"emissiveStrength\":5}",
		"KHR_materials_ior\":{\"ior\":1.25}",
		"KHR_materials_iridescence\":{\"iridescenceFactor\":1,\"iridescenceTexture\":{\"index\":0}"
		"}",
		"KHR_materials_sheen\":{\"sheenColorFactor\":[1,0.5,0],\"sheenRoughnessFactor\":0.5}",
		"KHR_materials_specular\":{\"specularFactor\":0.5,\"specularColorTexture\":{\"index\":1}}",
		"KHR_materials_transmission\":{\"transmissionFactor\":1}",
		"KHR_materials_unlit\":{}",
		"KHR_materials_volume\":{\"thicknessFactor\":0.5,\"attenuationDistance\":2,"
		"\"attenuationColor\":[0,0.5,1]},\"KHR_materials_transmission\":{\"transmissionTexture\":{"
		"\"index\":0}}",
	};
	enum { COUNT = sizeof extensions / sizeof extensions[0] };
	int i = sample_indices(b);
	char quad[300];
	snprintf(quad, sizeof quad, "%s",
	         sample_quad(b, 0.0f, SAMPLE_NORMAL | SAMPLE_TANGENT | SAMPLE_UV0));
	sample_add_image(b, false, GLTF_IN_VIEW, NULL, "");
	sample_add_image(b, true, GLTF_IN_VIEW, NULL, "");
	gltf_add_json(b, "\"extensionsUsed\":[\"KHR_materials_variants\"");
	for (int k = 0; k < COUNT; ++k)
		gltf_add_json(b, ",\"%.*s\"", (int)strcspn(extensions[k], "\""), extensions[k]);
	gltf_add_json(b, "],\"materials\":[");
	for (int k = 0; k < COUNT; ++k)
		gltf_add_json(b, "%s{\"name\":\"%d\",\"emissiveFactor\":[0.5,0,0],\"extensions\":{\"%s}}",
		              k ? "," : "", k, extensions[k]);
	gltf_add_json(b, "],\"textures\":[{\"source\":0},{\"source\":1}],\"extensions\":{"
	                 "\"KHR_materials_variants\":{\"variants\":[{\"name\":\"new\"},{\"name\":"
	                 "\"worn\"}]}},\"meshes\":[{\"primitives\":[");
	for (int k = 0; k < COUNT; ++k)
		gltf_add_json(b, "%s{\"attributes\":%s,\"indices\":%d,\"material\":%d}", k ? "," : "", quad,
		              i, k);
	gltf_add_json(
		b,
		",{\"attributes\":%s,\"indices\":%d,\"material\":0,\"extensions\":{"
		"\"KHR_materials_variants\":{\"mappings\":[{\"material\":3,\"variants\":[0]},{"
		"\"material\":2,\"variants\":[1]}]}}}]}],\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
		"\"nodes\":[{\"mesh\":0}]",
		quad, i);
}

// Something that programs keep beside each thing.
static inline void sample_extras(gltf_builder *b)
{
	int i = sample_indices(b);
	const float times[2] = { 0, 1 }, places[6] = { 0, 0, 0, 1, 2, 3 };
	char first[300];
	snprintf(first, sizeof first, "%s", sample_quad(b, 0.0f, SAMPLE_UV0));
	int input =
		gltf_add_accessor(b, times, sizeof times, 2, 5126, "SCALAR", ",\"min\":[0],\"max\":[1]");
	int track = gltf_add_accessor(b, places, sizeof places, 2, 5126, "VEC3", "");
	sample_add_image(b, false, GLTF_IN_VIEW, NULL, ",\"extras\":{\"by\":\"an image\"}");
	snprintf(b->asset, sizeof b->asset, ",\"extras\":{\"by\":\"an asset\",\"year\":1900}");
	gltf_add_json(
		b,
		"\"extras\":{\"by\":\"the file\"},\"meshes\":[{\"name\":\"m\",\"extras\":[1,\"a mesh\"],"
		"\"primitives\":[{\"attributes\":%s,\"indices\":%d,\"material\":0,\"extras\":{\"by\":"
		"\"a primitive\"}},{\"attributes\":%s,\"indices\":%d,\"material\":0,\"extras\":2.5},{"
		"\"attributes\":%s,\"indices\":%d,\"material\":0}]}],",
		first, i, first, i, first, i);
	gltf_add_json(
		b,
		"\"materials\":[{\"extras\":{\"price\":[1,2.5,null,true],\"\\u00e9\\\"\":\"\\\\\"},"
		"\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0,\"extras\":{\"by\":\"a "
		"use\"}}}"
		"}],\"textures\":[{\"source\":0,\"sampler\":0,\"extras\":\"a texture\"}],\"samplers\":[{"
		"\"name\":\"s\",\"extras\":{\"by\":\"a "
		"sampler\"}}],\"cameras\":[{\"type\":\"orthographic\","
		"\"orthographic\":{\"xmag\":1,\"ymag\":2,\"zfar\":10,\"znear\":0},\"extras\":{\"by\":"
		"\"a camera\"}}],\"animations\":[{\"name\":\"go\",\"extras\":{\"by\":\"an animation\"},"
		"\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}}],"
		"\"samplers\":[{\"input\":%d,\"output\":%d}]}],\"scene\":0,\"scenes\":[{\"name\":\"all\","
		"\"nodes\":[0],\"extras\":{\"by\":\"a scene\"}}],\"nodes\":[{\"name\":\"root\",\"mesh\":0,"
		"\"camera\":0,\"extras\":{\"by\":\"a node\",\"deep\":{\"a\":[{\"b\":[[]]}]}}}]",
		input, track);
}

// A mesh that many nodes name, and one that a node repeats.
static inline void sample_instances(gltf_builder *b)
{
	int i = sample_indices(b);
	const float places[9] = { 0, 1, 0, 0, 2, 0, 0, 3, 0.5f },
				sizes[9] = { 1, 1, 1, 2, 2, 2, 1, 2, 3 };
	const float turns[12] = { 0, 0, 0, 1, 0, 0.6f, 0, 0.8f, 1, 0, 0, 0 };
	char quad[300];
	snprintf(quad, sizeof quad, "%s", sample_quad(b, 0.0f, SAMPLE_NORMAL));
	int t = gltf_add_accessor(b, places, sizeof places, 3, 5126, "VEC3", "");
	int r = gltf_add_accessor(b, turns, sizeof turns, 3, 5126, "VEC4", "");
	int s = gltf_add_accessor(b, sizes, sizeof sizes, 3, 5126, "VEC3", "");
	gltf_add_json(
		b,
		"\"extensionsUsed\":[\"EXT_mesh_gpu_instancing\"],\"extensionsRequired\":["
		"\"EXT_mesh_gpu_instancing\"],\"meshes\":[{\"name\":\"brick\",\"primitives\":[{"
		"\"attributes\":%s,\"indices\":%d}]}],\"scene\":0,\"scenes\":[{\"nodes\":[0,1,2,3]}],"
		"\"nodes\":[{\"name\":\"a\",\"mesh\":0},{\"name\":\"b\",\"mesh\":0,\"translation\":[1,0,0]}"
		",{"
		"\"name\":\"c\",\"mesh\":0,\"rotation\":[0,0,0.6,0.8],\"scale\":[-1,1,1]},{\"name\":"
		"\"many\","
		"\"mesh\":0,\"translation\":[5,0,0],\"children\":[4],\"extensions\":{"
		"\"EXT_mesh_gpu_instancing\":{\"attributes\":{\"TRANSLATION\":%d,\"ROTATION\":%d,"
		"\"SCALE\":%d}}}},{\"name\":\"child\",\"mesh\":0}]",
		quad, i, t, r, s);
}

// PNG and JPEG: in the file, in URIs, in files beside it, one of which has blanks in its name.
static inline void sample_images(gltf_builder *b)
{
	int i = sample_indices(b);
	char quad[300];
	snprintf(quad, sizeof quad, "%s", sample_quad(b, 0.0f, SAMPLE_NORMAL | SAMPLE_UV0));
	sample_add_image(b, false, GLTF_IN_VIEW, NULL, ",\"name\":\"inside\"");
	sample_add_image(b, true, GLTF_IN_VIEW, NULL, "");
	sample_add_image(b, false, GLTF_IN_URI, NULL, ",\"name\":\"written\"");
	sample_add_image(b, true, GLTF_IN_URI, NULL, "");
	sample_add_image(b, false, GLTF_IN_FILE, "brick.png", "");
	sample_add_image(b, true, GLTF_IN_FILE, "a%20wall.jpg", ",\"name\":\"wall\"");
	gltf_add_json(b, "\"meshes\":[{\"primitives\":[");
	for (int k = 0; k < 6; ++k)
		gltf_add_json(b, "%s{\"attributes\":%s,\"indices\":%d,\"material\":%d}", k ? "," : "", quad,
		              i, k);
	gltf_add_json(b, "]}],\"materials\":[");
	for (int k = 0; k < 6; ++k)
		gltf_add_json(b, "%s{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":%d}}}",
		              k ? "," : "", 5 - k);
	gltf_add_json(b, "],\"textures\":[");
	for (int k = 0; k < 6; ++k)
		gltf_add_json(b, "%s{\"source\":%d}", k ? "," : "", k);
	gltf_add_json(b, "],\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}]");
}

// Nodes without names, with the same, three levels deep; cameras, lights, a mirror, several roots.
static inline void sample_hierarchy(gltf_builder *b)
{
	int i = sample_indices(b);
	gltf_add_json(
		b,
		"\"extensionsUsed\":[\"KHR_lights_punctual\",\"KHR_node_visibility\"],\"extensions\":{"
		"\"KHR_lights_punctual\":{\"lights\":[{\"type\":\"spot\",\"name\":\"lamp\",\"spot\":{"
		"\"outerConeAngle\":0.5}},{\"type\":\"directional\",\"color\":[1,0.5,0.5],\"intensity\":3}]"
		"}"
		"},\"cameras\":[{\"type\":\"perspective\",\"perspective\":{\"aspectRatio\":1.5,\"yfov\":0."
		"7,"
		"\"zfar\":100,\"znear\":0.01}},{\"name\":\"flat\",\"type\":\"orthographic\","
		"\"orthographic\":"
		"{\"xmag\":2,\"ymag\":2,\"zfar\":50,\"znear\":0.5}}],\"meshes\":[{\"name\":\"m\","
		"\"primitives\":[{\"attributes\":%s,\"indices\":%d}]}],",
		sample_quad(b, 0.0f, SAMPLE_NORMAL), i);
	gltf_add_json(
		b,
		"\"scene\":0,\"scenes\":[{\"nodes\":[5,0]}],\"nodes\":[{\"children\":[1,2]},{\"name\":"
		"\"twin\",\"mesh\":0,\"scale\":[-1,1,1]},{\"name\":\"twin\",\"children\":[3,4],"
		"\"translation\":[0,1e-3,2e5]},{\"name\":\"St\\u00e4nder/\\\"1\\\"\",\"mesh\":0,"
		"\"matrix\":[0,2,0,0,-2,0,0,0,0,0,2,0,1,2,3,1]},{\"camera\":1,\"rotation\":[0.5,0.5,0.5,"
		"0.5]},{\"name\":\"sun\",\"extensions\":{\"KHR_lights_punctual\":{\"light\":1}},"
		"\"children\":[6,7]},{\"name\":\"hidden\",\"extensions\":{\"KHR_node_visibility\":{"
		"\"visible\":false}}},{\"camera\":0,\"extensions\":{\"KHR_lights_punctual\":{\"light\":0}"
		"}}]");
}

// Strips, fans, no indices, those of 8 and 32 bits, faces without a material beside others.
static inline void sample_primitives(gltf_builder *b)
{
	const uint32_t words[4] = { 0, 1, 3, 2 };
	const uint8_t bytes[4] = { 0, 1, 2, 3 };
	const float corners[9] = { 0, 5, 0, 1, 5, 0, 0, 6, 0 };
	int w = gltf_add_accessor(b, words, sizeof words, 4, 5125, "SCALAR", "");
	int i = gltf_add_accessor(b, bytes, sizeof bytes, 4, 5121, "SCALAR", "");
	int p = gltf_add_accessor(b, corners, sizeof corners, 3, 5126, "VEC3",
	                          ",\"min\":[0,5,0],\"max\":[1,6,0]");
	char quads[3][300];
	for (int k = 0; k < 3; ++k)
		snprintf(quads[k], sizeof quads[k], "%s",
		         sample_quad(b, (float)(2 * k), k == 1 ? 0 : SAMPLE_NORMAL));
	gltf_add_json(
		b,
		"\"meshes\":[{\"primitives\":[{\"attributes\":%s,\"indices\":%d,\"mode\":5,"
		"\"material\":0},{\"attributes\":%s,\"indices\":%d,\"mode\":6},{\"attributes\":%s,"
		"\"indices\":%d,\"mode\":6,\"material\":1},{\"attributes\":{\"POSITION\":%d},"
		"\"material\":0}]},{\"primitives\":[{\"attributes\":{\"POSITION\":%d}}]}],",
		quads[0], w, quads[1], i, quads[2], i, p, p);
	gltf_add_json(
		b, "\"materials\":[{\"name\":\"stone\",\"pbrMetallicRoughness\":{"
		   "\"roughnessFactor\":0.5}},{\"name\":\"stone\"},{\"name\":\"not used\"}],"
		   "\"scene\":0,\"scenes\":[{\"nodes\":[0,1]}],\"nodes\":[{\"mesh\":0},{\"mesh\":1}]");
}

// Two animations: linear and stepped, rotations as floats and in 16 bits.
static inline void sample_animations(gltf_builder *b)
{
	int i = sample_indices(b);
	const float times[3] = { 0, 0.5f, 2 }, places[9] = { 0, 0, 0, 1, 2, 3, 4, 5, 6 };
	const float turns[12] = { 0, 0, 0, 1, 0, 0.6f, 0, 0.8f, 0, 1, 0, 0 };
	const int16_t shorts[12] = { 0, 0, 0, 32767, 0, 32767, 0, 0, 32767, 0, 0, 0 };
	const float scales[9] = { 0, 0, 0, 1, 1, 1, 1, 1, 1 };
	char quad[300];
	snprintf(quad, sizeof quad, "%s", sample_quad(b, 0.0f, SAMPLE_NORMAL));
	int t =
		gltf_add_accessor(b, times, sizeof times, 3, 5126, "SCALAR", ",\"min\":[0],\"max\":[2]");
	int p = gltf_add_accessor(b, places, sizeof places, 3, 5126, "VEC3", "");
	int r = gltf_add_accessor(b, turns, sizeof turns, 3, 5126, "VEC4", "");
	int q = gltf_add_accessor(b, shorts, sizeof shorts, 3, 5122, "VEC4", ",\"normalized\":true");
	int s = gltf_add_accessor(b, scales, sizeof scales, 3, 5126, "VEC3", "");
	gltf_add_json(
		b,
		"\"meshes\":[{\"primitives\":[{\"attributes\":%s,\"indices\":%d}]}],\"animations\":[{"
		"\"name\":\"fall\",\"channels\":[{\"sampler\":0,\"target\":{\"node\":1,\"path\":"
		"\"translation\"}},{\"sampler\":1,\"target\":{\"node\":1,\"path\":\"rotation\"}},{"
		"\"sampler\":2,\"target\":{\"node\":0,\"path\":\"scale\"}}],\"samplers\":[{\"input\":%d,"
		"\"output\":%d},{\"input\":%d,\"output\":%d,\"interpolation\":\"LINEAR\"},{\"input\":%d,"
		"\"output\":%d,\"interpolation\":\"STEP\"}]},{\"channels\":[{\"sampler\":0,\"target\":{"
		"\"node\":0,\"path\":\"rotation\"}}],\"samplers\":[{\"input\":%d,\"output\":%d}]}],"
		"\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"name\":\"a\",\"mesh\":0,"
		"\"children\":"
		"[1]},{\"name\":\"b\",\"mesh\":0}]",
		quad, i, t, p, t, r, t, s, t, q);
}

static const struct {
	const char *name;
	void (*make)(gltf_builder *b);
} gltf_samples[] = {
	{ "box_textured", sample_box_textured },
	{ "alpha_modes", sample_alpha_modes },
	{ "multi_uv", sample_multi_uv },
	{ "texture_transform", sample_texture_transform },
	{ "vertex_colors", sample_vertex_colors },
	{ "tangents", sample_tangents },
	{ "sparse", sample_sparse },
	{ "quantized_in", sample_quantized },
	{ "material_extensions", sample_material_extensions },
	{ "extras", sample_extras },
	{ "instances_in", sample_instances },
	{ "images", sample_images },
	{ "hierarchy", sample_hierarchy },
	{ "primitives", sample_primitives },
	{ "animations", sample_animations },
};

enum { GLTF_SAMPLE_COUNT = sizeof gltf_samples / sizeof gltf_samples[0] };

/// Make a sample as a .glb. Files that it names are in b->kept.
static inline void gltf_make_sample(gltf_builder *b, int index)
{
	gltf_begin(b);
	gltf_samples[index].make(b);
	gltf_end(b);
}
