// SPDX-License-Identifier: MIT
//
// glTF 2.0, .gltf and .glb, flattened into one mesh: nodes are traversed with an explicit stack (a
// node that is reached twice is refused, so cycles end), each mesh is transformed to world space,
// and a transform that mirrors flips its faces.
//
// The format duplicates vertices along seams. Within a node's mesh, vertices at exactly the same
// position are merged, so that closed meshes stay closed, unless they differ in the attribute
// _APART of our own writer; meshes of different nodes are never merged. Unused vertices are
// dropped.
//
// A small file may instance one large mesh many times. The vertices and corners it expands to count
// against a budget: the file's size plus the definition's instance_limit.

#include "io/gltf.h"

#include <math.h>

typedef struct placement {
	double m[12]; // 3 x 4 by columns: the axes and the origin
} placement;

typedef struct pending_node {
	int64_t node;
	placement parent;
} pending_node;

enum { NORMAL, UV0, UV1, COLOR, APART, ATTRIBUTE_COUNT };

// Merge key of a vertex: equal bits are one vertex.
typedef struct vertex_place {
	rbl_vec3d position;
	double apart;
} vertex_place;

typedef struct primitive {
	int mode;  // 4 triangles, 5 strip, 6 fan
	int count; // of indices
	int material;
	int table; // offset of its vertices in the table
	bool has_indices, has[ATTRIBUTE_COUNT];
	rbl_gltf_accessor positions, indices, attributes[ATTRIBUTE_COUNT];
} primitive;

typedef struct reader {
	rbl_gltf gltf;
	RBL_IO_ARRAY(pending_node) stack;
	RBL_IO_ARRAY(primitive) primitives; // of the mesh being read
	RBL_IO_ARRAY(int) table;            // from its vertices in the file to places, or -1
	RBL_IO_ARRAY(vertex_place) places;  // of the used vertices
	RBL_IO_ARRAY(int) numbers, firsts;  // merged places
	unsigned char *visited;             // per node
	size_t node_count;
	bool has_warned_points, has_warned_morphs, has_warned_skins;
} reader;

static rbl_result spend(reader *r, int64_t items)
{
	r->gltf.budget -= items;
	if (r->gltf.budget >= 0)
		return RBL_OK;
	return rbl_io_fail(RBL_LIMIT_REACHED, "%s: expands to more than instance_limit allows",
	                   r->gltf.source->name);
}

// --- container -------------------------------------------------------------------------------

// Find the chunks of a .glb; a .gltf is just the JSON chunk.
static rbl_result open_container(reader *r, const char **json, size_t *json_size)
{
	rbl_io_source *source = r->gltf.source;
	*json = source->begin;
	*json_size = (size_t)(source->end - source->begin);
	if (*json_size < 4 || memcmp(source->begin, "glTF", 4) != 0) {
		const char *at = *json;
		while (at < source->end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n'))
			++at;
		return at < source->end && (*at == '{' || *at == '[')
		           ? RBL_OK
		           : rbl_io_fail_offset(source, source->begin, "neither a .glb nor JSON");
	}
	if (*json_size < 20)
		return rbl_io_fail_offset(source, source->end, "the file ends inside its header");
	if (rbl_io_load_u32(source->begin + 4) != 2)
		return rbl_io_fail(RBL_UNSUPPORTED, "%s: version %u of the container", source->name,
		                   rbl_io_load_u32(source->begin + 4));
	uint32_t length = rbl_io_load_u32(source->begin + 8);
	if (length < 20 || length > *json_size)
		return rbl_io_fail_offset(source, source->begin + 8, "%u bytes announced, %zu are here",
		                          length, *json_size);
	const char *end = source->begin + length;
	const char *at = source->begin + 12;
	for (int i = 0; end - at >= 8; ++i) {
		uint32_t size = rbl_io_load_u32(at), type = rbl_io_load_u32(at + 4);
		if (size > (uint32_t)(end - at - 8))
			return rbl_io_fail_offset(source, at, "a chunk of %u bytes reaches beyond the file",
			                          size);
		if (i == 0 && type != 0x4e4f534a)
			return rbl_io_fail_offset(source, at, "the first chunk is not JSON");
		if (i == 0) {
			*json = at + 8;
			*json_size = size;
		} else if (type == 0x004e4942 && !r->gltf.chunk) {
			r->gltf.chunk = (const unsigned char *)at + 8;
			r->gltf.chunk_size = size;
		}
		at += 8 + (size_t)size;
	}
	return RBL_OK;
}

static rbl_result parse(reader *r, const char *json, size_t size)
{
	rbl_io_source *source = r->gltf.source;
	while (size > 0 && json[size - 1] == 0) // some writers pad with zeros
		--size;
	rbl_result result =
		rbl_parse_json(json, size, source->name, &source->memory.allocator, &r->gltf.json);
	r->gltf.root = rbl_json_root(r->gltf.json);
	if (result == RBL_OK && rbl_json_get_type(r->gltf.root) != RBL_JSON_OBJECT)
		result = rbl_io_fail(RBL_BAD_FILE, "%s:1:1: not a JSON object", source->name);
	return result;
}

static rbl_result check_version(reader *r)
{
	const rbl_io_source *source = r->gltf.source;
	const rbl_json *asset = rbl_json_member(r->gltf.root, "asset");
	const char *version = rbl_json_text(rbl_json_member(asset, "version"));
	if (!version)
		return rbl_io_fail(RBL_BAD_FILE, "%s: asset.version is missing", source->name);
	if (strncmp(version, "2.", 2) != 0)
		return rbl_io_fail(RBL_UNSUPPORTED, "%s: glTF version %.20s", source->name, version);
	const rbl_json *required = rbl_json_member(r->gltf.root, "extensionsRequired");
	for (int i = 0; i < rbl_json_count(required); ++i) {
		const char *name = rbl_json_text(rbl_json_item(required, i));
		if (!name || strcmp(name, "KHR_mesh_quantization") != 0) // read like other numbers
			return rbl_io_fail(RBL_UNSUPPORTED, "%s: needs the extension %.100s", source->name,
			                   name ? name : "without a name");
	}
	return RBL_OK;
}

// --- materials -------------------------------------------------------------------------------

static rbl_result read_materials(reader *r)
{
	rbl_io_source *source = r->gltf.source;
	const rbl_json *list = rbl_json_member(r->gltf.root, "materials");
	for (int i = 0; i < rbl_json_count(list); ++i) {
		const rbl_json *object = rbl_json_item(list, i);
		const rbl_json *name = rbl_json_member(object, "name");
		const rbl_json *pbr = rbl_json_member(object, "pbrMetallicRoughness");
		rbl_mesh_material material = rbl_io_default_material(
			rbl_json_text(name) ? rbl_json_text(name) : "", rbl_json_text_length(name));
		double color[4];
		material.metallic = (float)rbl_json_number(rbl_json_member(pbr, "metallicFactor"), 1.0);
		material.roughness = (float)rbl_json_number(rbl_json_member(pbr, "roughnessFactor"), 1.0);
		if (rbl_gltf_numbers(rbl_json_member(pbr, "baseColorFactor"), color, 4))
			material.base_color =
				(rbl_vec4){ (float)color[0], (float)color[1], (float)color[2], (float)color[3] };
		if (!rbl_io_push(&source->memory, &source->mesh.materials, material))
			return rbl_io_out_of_memory(r->gltf.source);
	}
	return RBL_OK;
}

// The default material for faces without one. @return its index, -1 when memory runs out
static int default_material(reader *r, int material_count)
{
	rbl_io_source *source = r->gltf.source;
	if (source->mesh.materials.count == material_count &&
	    !rbl_io_push(&source->memory, &source->mesh.materials, rbl_io_default_material("", 0)))
		return -1;
	return material_count;
}

// --- primitives ------------------------------------------------------------------------------

static rbl_result open_attributes(reader *r, int64_t mesh, const rbl_json *attributes,
                                  primitive *made)
{
	static const struct {
		const char *name;
		int min_components, max_components;
	} kinds[ATTRIBUTE_COUNT] = {
		{ "NORMAL", 3, 3 },  { "TEXCOORD_0", 2, 2 }, { "TEXCOORD_1", 2, 2 },
		{ "COLOR_0", 3, 4 }, { "_APART", 1, 1 },
	};
	if (!rbl_json_member(attributes, "POSITION"))
		return rbl_gltf_fail(&r->gltf, "meshes", mesh, "a primitive without POSITION");
	rbl_result result = rbl_gltf_open_accessor(&r->gltf, rbl_gltf_int(attributes, "POSITION", -1),
	                                           &made->positions);
	if (result == RBL_OK && made->positions.components != 3)
		result = rbl_gltf_fail(&r->gltf, "meshes", mesh, "POSITION is not VEC3");
	for (int i = 0; i < ATTRIBUTE_COUNT && result == RBL_OK; ++i) {
		rbl_gltf_accessor *accessor = &made->attributes[i];
		made->has[i] = rbl_json_member(attributes, kinds[i].name) != NULL;
		if (!made->has[i])
			continue;
		result =
			rbl_gltf_open_accessor(&r->gltf, rbl_gltf_int(attributes, kinds[i].name, -1), accessor);
		if (result == RBL_OK && (accessor->components < kinds[i].min_components ||
		                         accessor->components > kinds[i].max_components ||
		                         accessor->count != made->positions.count))
			result =
				rbl_gltf_fail(&r->gltf, "meshes", mesh, "an attribute does not fit its primitive");
	}
	return result;
}

static rbl_result open_indices(reader *r, int64_t mesh, const rbl_json *object, primitive *made)
{
	made->count = made->positions.count;
	made->has_indices = rbl_json_member(object, "indices") != NULL;
	if (made->has_indices) {
		rbl_result result =
			rbl_gltf_open_accessor(&r->gltf, rbl_gltf_int(object, "indices", -1), &made->indices);
		if (result != RBL_OK)
			return result;
		int component = made->indices.component;
		if (made->indices.components != 1 ||
		    (component != 5121 && component != 5123 && component != 5125))
			return rbl_gltf_fail(&r->gltf, "meshes", mesh, "indices are no whole numbers");
		made->count = made->indices.count;
	}
	if (made->count < 3 || (made->mode == 4 && made->count % 3 != 0))
		return rbl_gltf_fail(&r->gltf, "meshes", mesh, "indices that do not make triangles");
	return RBL_OK;
}

// Open a primitive and mark the vertices it uses. Points and lines are ignored.
static rbl_result open_primitive(reader *r, int64_t mesh, const rbl_json *object,
                                 int64_t *last_positions)
{
	rbl_io_memory *memory = &r->gltf.source->memory;
	primitive made = { .mode = (int)rbl_gltf_int(object, "mode", 4) };
	if (made.mode < 4 || made.mode > 6) {
		if (!r->has_warned_points)
			rbl_io_warn("%s: points and lines are ignored", r->gltf.source->name);
		r->has_warned_points = true;
		return RBL_OK;
	}
	if (rbl_json_member(object, "targets") && !r->has_warned_morphs) {
		rbl_io_warn("%s: morph targets are ignored", r->gltf.source->name);
		r->has_warned_morphs = true;
	}
	int64_t material = rbl_gltf_int(object, "material", -1);
	int64_t material_count = rbl_json_count(rbl_json_member(r->gltf.root, "materials"));
	if (material < -1 || material >= material_count)
		return rbl_gltf_fail(&r->gltf, "meshes", mesh, "names a material that is not there");
	made.material = (int)material;
	const rbl_json *attributes = rbl_json_member(object, "attributes");
	rbl_result result = open_attributes(r, mesh, attributes, &made);
	if (result == RBL_OK)
		result = open_indices(r, mesh, object, &made);
	int64_t positions = rbl_gltf_int(attributes, "POSITION", -1);
	bool is_shared = r->primitives.count > 0 && positions == *last_positions;
	if (result == RBL_OK)
		result = spend(r, (int64_t)made.count + (is_shared ? 0 : made.positions.count));
	if (result != RBL_OK)
		return result;
	*last_positions = positions;
	if (is_shared) {
		made.table = r->primitives.data[r->primitives.count - 1].table;
	} else {
		made.table = r->table.count;
		if (made.positions.count > RBL_MAX_MESH_ITEMS - r->table.count)
			memory->failure = RBL_LIMIT_REACHED;
		if (memory->failure != RBL_OK ||
		    !rbl_io_reserve(memory, &r->table, r->table.count + made.positions.count))
			return rbl_io_out_of_memory(r->gltf.source);
		memset(r->table.data + made.table, 0xff, (size_t)made.positions.count * sizeof(int));
		r->table.count += made.positions.count;
	}
	for (int i = 0; i < made.count; ++i) {
		uint32_t index = made.has_indices ? rbl_gltf_fetch_index(&made.indices, i) : (uint32_t)i;
		if (index >= (uint32_t)made.positions.count)
			return rbl_gltf_fail(&r->gltf, "meshes", mesh, "an index beyond its vertices");
		r->table.data[made.table + (int)index] = 0;
	}
	return rbl_io_push(memory, &r->primitives, made) ? RBL_OK
	                                                 : rbl_io_out_of_memory(r->gltf.source);
}

static rbl_vec3d place(const placement *at, const double *p)
{
	const double *m = at->m;
	return (rbl_vec3d){ m[0] * p[0] + m[3] * p[1] + m[6] * p[2] + m[9] + 0.0,
		                m[1] * p[0] + m[4] * p[1] + m[7] * p[2] + m[10] + 0.0,
		                m[2] * p[0] + m[5] * p[1] + m[8] * p[2] + m[11] + 0.0 };
}

// Transform the used vertices and merge those at the same position.
static bool place_vertices(reader *r, const placement *at)
{
	rbl_io_source *source = r->gltf.source;
	rbl_io_memory *memory = &source->memory;
	r->places.count = 0;
	for (int i = 0; i < r->primitives.count; ++i) {
		const primitive *one = &r->primitives.data[i];
		if (i > 0 && one->table == r->primitives.data[i - 1].table)
			continue;
		for (int v = 0; v < one->positions.count; ++v) {
			if (r->table.data[one->table + v] < 0)
				continue;
			double p[4], apart[4] = { 0.0 };
			rbl_gltf_fetch(&one->positions, v, p);
			if (one->has[APART])
				rbl_gltf_fetch(&one->attributes[APART], v, apart);
			r->table.data[one->table + v] = r->places.count;
			if (!rbl_io_push(memory, &r->places, ((vertex_place){ place(at, p), apart[0] })))
				return false;
		}
	}
	int count = r->places.count;
	if (!rbl_io_reserve(memory, &r->numbers, count) || !rbl_io_reserve(memory, &r->firsts, count))
		return false;
	int kept = count;
	if (source->def->keep_seams) {
		for (int i = 0; i < count; ++i)
			r->numbers.data[i] = r->firsts.data[i] = i;
	} else {
		kept = rbl_io_unique(memory, r->places.data, count, sizeof(vertex_place), r->numbers.data,
		                     r->firsts.data);
	}
	int base = source->mesh.positions.count;
	for (int i = 0; i < kept; ++i) {
		if (!rbl_io_push(memory, &source->mesh.positions,
		                 r->places.data[r->firsts.data[i]].position))
			return false;
	}
	for (int i = 0; i < count && kept >= 0; ++i)
		r->numbers.data[i] += base;
	return kept >= 0;
}

// The normal matrix: cofactors, negated where the transform mirrors.
static double normal_matrix(const placement *at, double *n)
{
	const double *m = at->m;
	for (int i = 0; i < 3; ++i) {
		const double *a = m + 3 * ((i + 1) % 3), *b = m + 3 * ((i + 2) % 3);
		n[3 * i] = a[1] * b[2] - a[2] * b[1];
		n[3 * i + 1] = a[2] * b[0] - a[0] * b[2];
		n[3 * i + 2] = a[0] * b[1] - a[1] * b[0];
	}
	double determinant = m[0] * n[0] + m[1] * n[1] + m[2] * n[2];
	for (int i = 0; i < 9 && determinant < 0.0; ++i)
		n[i] = -n[i];
	return determinant;
}

// Fill an attribute of corners up to `count` items.
#define FILL(memory, array, wanted, value)            \
	while ((array)->count < (wanted)) {               \
		if (!rbl_io_push((memory), (array), (value))) \
			return false;                             \
	}

// Add the attributes of the last corner: vertex `v` of the primitive.
static bool add_attributes(reader *r, const primitive *of, int v, const double *n)
{
	rbl_io_mesh_builder *mesh = &r->gltf.source->mesh;
	rbl_io_memory *memory = &r->gltf.source->memory;
	int corner = mesh->corners.count - 1;
	double a[4] = { 0 };
	if (of->has[NORMAL] || mesh->corner_normals.count > 0) {
		FILL(memory, &mesh->corner_normals, corner, ((rbl_vec3){ 0 }));
		double p[4] = { 0 };
		if (of->has[NORMAL])
			rbl_gltf_fetch(&of->attributes[NORMAL], v, p);
		for (int i = 0; i < 3; ++i)
			a[i] = n[i] * p[0] + n[3 + i] * p[1] + n[6 + i] * p[2];
		double length = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
		rbl_vec3 normal = { (float)a[0], (float)a[1], (float)a[2] };
		if (length > 0.0 && fabs(length - 1.0) > 1e-5) // unit vectors keep their bits
			normal = (rbl_vec3){ (float)(a[0] / length), (float)(a[1] / length),
				                 (float)(a[2] / length) };
		FILL(memory, &mesh->corner_normals, corner + 1, normal);
	}
	if (of->has[UV0] || mesh->corner_uv0.count > 0) {
		FILL(memory, &mesh->corner_uv0, corner, ((rbl_vec2){ 0 }));
		a[0] = a[1] = 0.0;
		if (of->has[UV0])
			rbl_gltf_fetch(&of->attributes[UV0], v, a);
		FILL(memory, &mesh->corner_uv0, corner + 1, ((rbl_vec2){ (float)a[0], (float)a[1] }));
	}
	if (of->has[UV1] || mesh->corner_uv1.count > 0) {
		FILL(memory, &mesh->corner_uv1, corner, ((rbl_vec2){ 0 }));
		a[0] = a[1] = 0.0;
		if (of->has[UV1])
			rbl_gltf_fetch(&of->attributes[UV1], v, a);
		FILL(memory, &mesh->corner_uv1, corner + 1, ((rbl_vec2){ (float)a[0], (float)a[1] }));
	}
	if (of->has[COLOR] || mesh->corner_colors.count > 0) {
		FILL(memory, &mesh->corner_colors, corner, ((rbl_vec4){ 1.0f, 1.0f, 1.0f, 1.0f }));
		a[0] = a[1] = a[2] = a[3] = 1.0;
		if (of->has[COLOR])
			rbl_gltf_fetch(&of->attributes[COLOR], v, a);
		FILL(memory, &mesh->corner_colors, corner + 1,
		     ((rbl_vec4){ (float)a[0], (float)a[1], (float)a[2], (float)a[3] }));
	}
	return true;
}

// Add a triangle by positions in the index list.
static bool add_triangle(reader *r, const primitive *of, const int *items, const double *n)
{
	rbl_io_source *source = r->gltf.source;
	int vertices[3];
	for (int i = 0; i < 3; ++i)
		vertices[i] =
			of->has_indices ? (int)rbl_gltf_fetch_index(&of->indices, items[i]) : items[i];
	if (of->mode != 4 &&
	    (vertices[0] == vertices[1] || vertices[1] == vertices[2] || vertices[2] == vertices[0]))
		return true; // degenerate: only continues the strip
	if (!rbl_io_begin_face(source))
		return false;
	for (int i = 0; i < 3; ++i) {
		int number = r->numbers.data[r->table.data[of->table + vertices[i]]];
		if (!rbl_io_push(&source->memory, &source->mesh.corners, number) ||
		    !add_attributes(r, of, vertices[i], n))
			return false;
	}
	return true;
}

// Reserve the faces and corners of a primitive, and charge the budget.
static bool reserve_triangles(reader *r, const primitive *of)
{
	rbl_io_mesh_builder *mesh = &r->gltf.source->mesh;
	rbl_io_memory *memory = &r->gltf.source->memory;
	int64_t faces = of->mode == 4 ? of->count / 3 : of->count - 2;
	int64_t corners = mesh->corners.count + 3 * faces;
	if (corners > RBL_MAX_MESH_ITEMS)
		return true; // a strip may hold less: checked as it is read
	int wanted = (int)corners;
	return rbl_io_reserve(memory, &mesh->face_starts, mesh->face_starts.count + (int)faces) &&
	       rbl_io_reserve(memory, &mesh->corners, wanted) &&
	       (!of->has[NORMAL] || rbl_io_reserve(memory, &mesh->corner_normals, wanted)) &&
	       (!of->has[UV0] || rbl_io_reserve(memory, &mesh->corner_uv0, wanted)) &&
	       (!of->has[UV1] || rbl_io_reserve(memory, &mesh->corner_uv1, wanted)) &&
	       (!of->has[COLOR] || rbl_io_reserve(memory, &mesh->corner_colors, wanted));
}

static bool add_triangles(reader *r, const primitive *of, const double *n, bool is_mirrored)
{
	rbl_io_source *source = r->gltf.source;
	rbl_io_mesh_builder *mesh = &source->mesh;
	int step = of->mode == 4 ? 3 : 1;
	if (!reserve_triangles(r, of))
		return false;
	for (int i = 0; i + 2 < of->count; i += step) {
		int items[3] = { of->mode == 6 ? 0 : i, i + 1, i + 2 };
		if (is_mirrored != (of->mode == 5 && i % 2 == 1)) {
			items[1] = i + 2;
			items[2] = i + 1;
		}
		if (!add_triangle(r, of, items, n))
			return false;
	}
	int material_count = rbl_json_count(rbl_json_member(r->gltf.root, "materials"));
	if (material_count == 0)
		return true;
	int material = of->material >= 0 ? of->material : default_material(r, material_count);
	if (material < 0)
		return false;
	FILL(&source->memory, &mesh->face_materials, mesh->face_starts.count, material);
	return true;
}

static rbl_result read_mesh(reader *r, int64_t index, const placement *at)
{
	const rbl_json *object = rbl_gltf_item(&r->gltf, "meshes", index);
	if (!object)
		return rbl_gltf_fail(&r->gltf, "meshes", index, "there is no such mesh");
	const rbl_json *list = rbl_json_member(object, "primitives");
	r->primitives.count = r->table.count = 0;
	int64_t last_positions = -1;
	// A mesh costs at least its number of primitives.
	rbl_result result = spend(r, (int64_t)rbl_json_count(list) * 16);
	for (int i = 0; i < rbl_json_count(list) && result == RBL_OK; ++i)
		result = open_primitive(r, index, rbl_json_item(list, i), &last_positions);
	if (result != RBL_OK)
		return result;
	double n[9];
	bool is_mirrored = normal_matrix(at, n) < 0.0;
	if (!place_vertices(r, at))
		return rbl_io_out_of_memory(r->gltf.source);
	for (int i = 0; i < r->primitives.count; ++i) {
		if (!add_triangles(r, &r->primitives.data[i], n, is_mirrored))
			return rbl_io_out_of_memory(r->gltf.source);
	}
	return RBL_OK;
}

// --- nodes -----------------------------------------------------------------------------------

static placement combine(const placement *parent, const placement *child)
{
	placement made;
	for (int c = 0; c < 4; ++c) {
		for (int i = 0; i < 3; ++i)
			made.m[3 * c + i] =
				parent->m[i] * child->m[3 * c] + parent->m[3 + i] * child->m[3 * c + 1] +
				parent->m[6 + i] * child->m[3 * c + 2] + (c == 3 ? parent->m[9 + i] : 0.0);
	}
	return made;
}

static bool read_placement(const rbl_json *node, placement *made)
{
	double m[16], t[3] = { 0.0, 0.0, 0.0 }, q[4] = { 0.0, 0.0, 0.0, 1.0 }, s[3] = { 1.0, 1.0, 1.0 };
	const rbl_json *matrix = rbl_json_member(node, "matrix");
	const rbl_json *translation = rbl_json_member(node, "translation");
	const rbl_json *rotation = rbl_json_member(node, "rotation");
	const rbl_json *scale = rbl_json_member(node, "scale");
	if (matrix) {
		if (!rbl_gltf_numbers(matrix, m, 16))
			return false;
		for (int c = 0; c < 4; ++c)
			memcpy(made->m + 3 * c, m + 4 * c, 3 * sizeof(double));
		return true;
	}
	if ((translation && !rbl_gltf_numbers(translation, t, 3)) ||
	    (rotation && !rbl_gltf_numbers(rotation, q, 4)) ||
	    (scale && !rbl_gltf_numbers(scale, s, 3)))
		return false;
	double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
	if (!(length > 0.0) || length - length != 0.0)
		return false;
	double x = q[0] / length, y = q[1] / length, z = q[2] / length, w = q[3] / length;
	const double columns[9] = {
		1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z),       2.0 * (x * z - w * y),
		2.0 * (x * y - w * z),       1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x),
		2.0 * (x * z + w * y),       2.0 * (y * z - w * x),       1.0 - 2.0 * (x * x + y * y),
	};
	for (int i = 0; i < 9; ++i)
		made->m[i] = columns[i] * s[i / 3];
	memcpy(made->m + 9, t, sizeof t);
	return true;
}

// Push nodes in reverse, so that they are popped in order.
static rbl_result push_nodes(reader *r, const rbl_json *list, const placement *parent)
{
	for (int i = rbl_json_count(list); i-- > 0;) {
		int64_t node = -1;
		rbl_json_get_integer(rbl_json_item(list, i), &node);
		pending_node pending = { node, *parent };
		if (node < 0 || (uint64_t)node >= r->node_count)
			return rbl_gltf_fail(&r->gltf, "nodes", node, "there is no such node");
		if (r->visited[node])
			return rbl_gltf_fail(&r->gltf, "nodes", node, "is reached twice");
		r->visited[node] = 1;
		if (!rbl_io_push(&r->gltf.source->memory, &r->stack, pending))
			return rbl_io_out_of_memory(r->gltf.source);
	}
	return RBL_OK;
}

static rbl_result read_node(reader *r, const pending_node *pending)
{
	const rbl_json *node = rbl_gltf_item(&r->gltf, "nodes", pending->node);
	placement local;
	if (!node || !read_placement(node, &local))
		return rbl_gltf_fail(&r->gltf, "nodes", pending->node, "its placement is not usable");
	placement at = combine(&pending->parent, &local);
	bool is_hidden = true; // scale 0: hidden until an animation shows it
	for (int i = 0; i < 9; ++i)
		is_hidden &= at.m[i] == 0.0;
	if (rbl_json_member(node, "skin") && !r->has_warned_skins) {
		rbl_io_warn("%s: skins are ignored", r->gltf.source->name);
		r->has_warned_skins = true;
	}
	if (rbl_json_member(node, "mesh") && !is_hidden) {
		rbl_result result = read_mesh(r, rbl_gltf_int(node, "mesh", -1), &at);
		if (result != RBL_OK)
			return result;
	}
	return push_nodes(r, rbl_json_member(node, "children"), &at);
}

// The roots of the scene, or all nodes without a parent.
static rbl_result push_roots(reader *r)
{
	const placement identity = { { 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0 } };
	if (rbl_json_member(r->gltf.root, "scenes")) {
		int64_t index = rbl_gltf_int(r->gltf.root, "scene", 0);
		const rbl_json *scene = rbl_gltf_item(&r->gltf, "scenes", index);
		if (!scene)
			return rbl_gltf_fail(&r->gltf, "scenes", index, "there is no such scene");
		return push_nodes(r, rbl_json_member(scene, "nodes"), &identity);
	}
	const rbl_json *nodes = rbl_json_member(r->gltf.root, "nodes");
	for (size_t i = 0; i < r->node_count; ++i) {
		const rbl_json *children = rbl_json_member(rbl_json_item(nodes, (int)i), "children");
		for (int k = 0; k < rbl_json_count(children); ++k) {
			int64_t child = -1;
			if (rbl_json_get_integer(rbl_json_item(children, k), &child) && child >= 0 &&
			    (uint64_t)child < r->node_count)
				r->visited[child] = 2;
		}
	}
	for (size_t i = r->node_count; i-- > 0;) {
		pending_node pending = { (int64_t)i, identity };
		if (r->visited[i] == 2)
			r->visited[i] = 0;
		else if (r->visited[i] = 1, !rbl_io_push(&r->gltf.source->memory, &r->stack, pending))
			return rbl_io_out_of_memory(r->gltf.source);
	}
	return RBL_OK;
}

static rbl_result read_document(reader *r)
{
	rbl_io_memory *memory = &r->gltf.source->memory;
	r->node_count = (size_t)rbl_json_count(rbl_json_member(r->gltf.root, "nodes"));
	r->gltf.buffer_count = rbl_json_count(rbl_json_member(r->gltf.root, "buffers"));
	r->visited = RBL_IO_NEW(memory, unsigned char, r->node_count);
	r->gltf.buffers = RBL_IO_NEW(memory, rbl_gltf_buffer, r->gltf.buffer_count);
	if (!r->visited || !r->gltf.buffers) {
		RBL_IO_FREE(memory, r->gltf.buffers, r->gltf.buffer_count);
		r->gltf.buffers = NULL;
		return rbl_io_out_of_memory(r->gltf.source);
	}
	memset(r->visited, 0, r->node_count);
	for (int i = 0; i < r->gltf.buffer_count; ++i)
		r->gltf.buffers[i] = (rbl_gltf_buffer){ .owned.memory = *memory };
	rbl_result result = check_version(r);
	if (result == RBL_OK)
		result = read_materials(r);
	if (result == RBL_OK)
		result = push_roots(r);
	while (result == RBL_OK && r->stack.count > 0) {
		pending_node pending = r->stack.data[--r->stack.count];
		result = read_node(r, &pending);
	}
	return result;
}

rbl_result rbl_io_read_gltf(rbl_io_source *source)
{
	reader r = { .gltf = { .source = source } };
	r.gltf.budget = source->def->instance_limit + (source->end - source->begin);
	const char *json;
	size_t json_size;
	rbl_result result = open_container(&r, &json, &json_size);
	if (result == RBL_OK)
		result = parse(&r, json, json_size);
	if (result == RBL_OK)
		result = read_document(&r);
	rbl_gltf_free_buffers(&r.gltf);
	RBL_IO_FREE(&source->memory, r.visited, r.node_count);
	rbl_io_free(&source->memory, &r.stack);
	rbl_io_free(&source->memory, &r.primitives);
	rbl_io_free(&source->memory, &r.table);
	rbl_io_free(&source->memory, &r.places);
	rbl_io_free(&source->memory, &r.numbers);
	rbl_io_free(&source->memory, &r.firsts);
	rbl_destroy_json(r.gltf.json);
	return result;
}
