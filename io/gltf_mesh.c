// SPDX-License-Identifier: MIT
//
// Meshes of glTF: triangles of all primitives with their attributes go into the mesh builder.
//
// The format duplicates vertices along seams. Within a mesh, vertices at exactly the same position
// are merged, so that closed meshes stay closed, unless they differ in the attribute _APART of our
// own writer. Unused vertices are dropped.

#include "io/gltf.h"

#include <math.h>

// --- materials -------------------------------------------------------------------------------

rbl_mesh_material rbl_gltf_read_material(const rbl_gltf *gltf, int index)
{
	const rbl_json *object = rbl_gltf_item(gltf, "materials", index);
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
	if (gltf->has_sources)
		material.source = gltf->source->def->material_offset + index + 1;
	return material;
}

// --- primitives ------------------------------------------------------------------------------

// Open the further attributes of a primitive, in the order of the builder's.
static rbl_result open_further(rbl_gltf *gltf, int64_t mesh, const rbl_json *attributes,
                               rbl_gltf_primitive *made)
{
	rbl_io_memory *memory = &gltf->source->memory;
	const rbl_io_mesh_builder *builder = &gltf->source->mesh;
	made->further = gltf->further.count;
	for (int i = 0; i < builder->attribute_count; ++i) {
		const rbl_mesh_attribute *kind = &builder->attributes[i];
		rbl_gltf_accessor accessor = { .count = 0 };
		if (rbl_json_member(attributes, kind->name)) {
			rbl_result result =
				rbl_gltf_open_accessor(gltf, rbl_gltf_int(attributes, kind->name, -1), &accessor);
			if (result != RBL_OK)
				return result;
			bool is_color = strncmp(kind->name, "COLOR_", 6) == 0;
			if (accessor.count != made->positions.count ||
			    (accessor.components != kind->width && !(is_color && accessor.components == 3)))
				return rbl_gltf_fail(gltf, "meshes", mesh,
				                     "an attribute does not fit its primitive");
		}
		if (!rbl_io_push(memory, &gltf->further, accessor))
			return rbl_io_out_of_memory(gltf->source);
	}
	return RBL_OK;
}

static rbl_result open_attributes(rbl_gltf *gltf, int64_t mesh, const rbl_json *attributes,
                                  rbl_gltf_primitive *made)
{
	static const struct {
		const char *name;
		int min_components, max_components;
	} kinds[RBL_GLTF_ATTRIBUTE_COUNT] = {
		{ "NORMAL", 3, 3 },  { "TEXCOORD_0", 2, 2 }, { "TEXCOORD_1", 2, 2 },
		{ "COLOR_0", 3, 4 }, { "_APART", 1, 1 },
	};
	if (!rbl_json_member(attributes, "POSITION"))
		return rbl_gltf_fail(gltf, "meshes", mesh, "a primitive without POSITION");
	rbl_result result =
		rbl_gltf_open_accessor(gltf, rbl_gltf_int(attributes, "POSITION", -1), &made->positions);
	if (result == RBL_OK && made->positions.components != 3)
		result = rbl_gltf_fail(gltf, "meshes", mesh, "POSITION is not VEC3");
	for (int i = 0; i < RBL_GLTF_ATTRIBUTE_COUNT && result == RBL_OK; ++i) {
		rbl_gltf_accessor *accessor = &made->attributes[i];
		made->has[i] = rbl_json_member(attributes, kinds[i].name) != NULL;
		if (!made->has[i])
			continue;
		result =
			rbl_gltf_open_accessor(gltf, rbl_gltf_int(attributes, kinds[i].name, -1), accessor);
		if (result == RBL_OK && (accessor->components < kinds[i].min_components ||
		                         accessor->components > kinds[i].max_components ||
		                         accessor->count != made->positions.count))
			result = rbl_gltf_fail(gltf, "meshes", mesh, "an attribute does not fit its primitive");
	}
	return result == RBL_OK ? open_further(gltf, mesh, attributes, made) : result;
}

static rbl_result open_indices(rbl_gltf *gltf, int64_t mesh, const rbl_json *object,
                               rbl_gltf_primitive *made)
{
	made->count = made->positions.count;
	made->has_indices = rbl_json_member(object, "indices") != NULL;
	if (made->has_indices) {
		rbl_result result =
			rbl_gltf_open_accessor(gltf, rbl_gltf_int(object, "indices", -1), &made->indices);
		if (result != RBL_OK)
			return result;
		int component = made->indices.component;
		if (made->indices.components != 1 ||
		    (component != 5121 && component != 5123 && component != 5125))
			return rbl_gltf_fail(gltf, "meshes", mesh, "indices are no whole numbers");
		made->count = made->indices.count;
	}
	if (made->count < 3 || (made->mode == 4 && made->count % 3 != 0))
		return rbl_gltf_fail(gltf, "meshes", mesh, "indices that do not make triangles");
	return RBL_OK;
}

// Open a primitive and mark the vertices it uses. Points and lines are ignored.
static rbl_result open_primitive(rbl_gltf *gltf, int64_t mesh, const rbl_json *object,
                                 int64_t *last_positions)
{
	rbl_io_memory *memory = &gltf->source->memory;
	rbl_gltf_primitive made = { .mode = (int)rbl_gltf_int(object, "mode", 4) };
	if (made.mode < 4 || made.mode > 6) {
		rbl_gltf_note_lost(gltf, "points and lines");
		return RBL_OK;
	}
	if (rbl_json_member(object, "targets"))
		rbl_gltf_note_lost(gltf, "morph targets");
	if (rbl_json_member(rbl_json_member(object, "extensions"), "KHR_draco_mesh_compression"))
		return rbl_io_fail(RBL_UNSUPPORTED,
		                   "%s: meshes[%lld] is packed with KHR_draco_mesh_compression; "
		                   "'gltf-transform copy IN OUT' unpacks it",
		                   gltf->source->name, (long long)mesh);
	const rbl_json *variants =
		rbl_json_member(rbl_json_member(object, "extensions"), "KHR_materials_variants");
	if (variants && !gltf->is_whole)
		rbl_gltf_note_lost(gltf, "KHR_materials_variants");
	if (gltf->is_whole && (variants || rbl_json_member(object, "extras")))
		made.own = object;
	int64_t material = rbl_gltf_int(object, "material", -1);
	if (material < -1 || material >= gltf->material_count)
		return rbl_gltf_fail(gltf, "meshes", mesh, "names a material that is not there");
	made.material = (int)material;
	const rbl_json *attributes = rbl_json_member(object, "attributes");
	rbl_result result = open_attributes(gltf, mesh, attributes, &made);
	if (result == RBL_OK)
		result = open_indices(gltf, mesh, object, &made);
	int64_t positions = rbl_gltf_int(attributes, "POSITION", -1);
	bool is_shared = gltf->primitives.count > 0 && positions == *last_positions;
	int attribute_width = gltf->source->mesh.attribute_width;
	if (result == RBL_OK)
		result = rbl_gltf_spend(gltf, (int64_t)made.count * (4 + attribute_width) / 4 +
		                                  (is_shared ? 0 : made.positions.count));
	if (result != RBL_OK)
		return result;
	*last_positions = positions;
	if (is_shared) {
		made.table = gltf->primitives.data[gltf->primitives.count - 1].table;
	} else {
		made.table = gltf->table.count;
		if (made.positions.count > RBL_MAX_MESH_ITEMS - gltf->table.count)
			memory->failure = RBL_LIMIT_REACHED;
		if (memory->failure != RBL_OK ||
		    !rbl_io_reserve(memory, &gltf->table, gltf->table.count + made.positions.count))
			return rbl_io_out_of_memory(gltf->source);
		memset(gltf->table.data + made.table, 0xff, (size_t)made.positions.count * sizeof(int));
		gltf->table.count += made.positions.count;
	}
	for (int i = 0; i < made.count; ++i) {
		uint32_t index = made.has_indices ? rbl_gltf_fetch_index(&made.indices, i) : (uint32_t)i;
		if (index >= (uint32_t)made.positions.count)
			return rbl_gltf_fail(gltf, "meshes", mesh, "an index beyond its vertices");
		gltf->table.data[made.table + (int)index] = 0;
	}
	return rbl_io_push(memory, &gltf->primitives, made) ? RBL_OK
	                                                    : rbl_io_out_of_memory(gltf->source);
}

static rbl_vec3d place_point(const rbl_gltf_placement *at, const double *p)
{
	const double *m = at->m;
	return (rbl_vec3d){ m[0] * p[0] + m[3] * p[1] + m[6] * p[2] + m[9] + 0.0,
		                m[1] * p[0] + m[4] * p[1] + m[7] * p[2] + m[10] + 0.0,
		                m[2] * p[0] + m[5] * p[1] + m[8] * p[2] + m[11] + 0.0 };
}

// Transform the used vertices and merge those at the same position.
static bool place_vertices(rbl_gltf *gltf, const rbl_gltf_placement *at)
{
	rbl_io_source *source = gltf->source;
	rbl_io_memory *memory = &source->memory;
	gltf->places.count = 0;
	for (int i = 0; i < gltf->primitives.count; ++i) {
		const rbl_gltf_primitive *one = &gltf->primitives.data[i];
		if (i > 0 && one->table == gltf->primitives.data[i - 1].table)
			continue;
		for (int v = 0; v < one->positions.count; ++v) {
			if (gltf->table.data[one->table + v] < 0)
				continue;
			double p[4], apart[4] = { 0.0 };
			rbl_gltf_fetch(&one->positions, v, p);
			if (one->has[RBL_GLTF_APART])
				rbl_gltf_fetch(&one->attributes[RBL_GLTF_APART], v, apart);
			gltf->table.data[one->table + v] = gltf->places.count;
			if (!rbl_io_push(memory, &gltf->places,
			                 ((rbl_gltf_vertex_key){ place_point(at, p), apart[0] })))
				return false;
		}
	}
	int count = gltf->places.count;
	if (!rbl_io_reserve(memory, &gltf->numbers, count) ||
	    !rbl_io_reserve(memory, &gltf->firsts, count))
		return false;
	int kept = count;
	if (source->def->keep_seams) {
		for (int i = 0; i < count; ++i)
			gltf->numbers.data[i] = gltf->firsts.data[i] = i;
	} else {
		kept = rbl_io_unique(memory, gltf->places.data, count, sizeof(rbl_gltf_vertex_key),
		                     gltf->numbers.data, gltf->firsts.data);
	}
	int base = source->mesh.positions.count;
	for (int i = 0; i < kept; ++i) {
		if (!rbl_io_push(memory, &source->mesh.positions,
		                 gltf->places.data[gltf->firsts.data[i]].position))
			return false;
	}
	for (int i = 0; i < count && kept >= 0; ++i)
		gltf->numbers.data[i] += base;
	return kept >= 0;
}

// How a mesh is placed.
typedef struct mesh_transform {
	double normals[9];
	const double *axes; // NULL where it stays as it is
	bool is_mirrored;
} mesh_transform;

// The normal matrix: cofactors, negated where the transform mirrors.
static double normal_matrix(const rbl_gltf_placement *at, double *n)
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

// Add the further attributes of the last corner. Tangents are turned with the mesh; `m` is its
// transform, NULL for none.
static bool add_further(rbl_gltf *gltf, const rbl_gltf_primitive *of, int v, const double *m,
                        bool is_mirrored)
{
	rbl_io_mesh_builder *mesh = &gltf->source->mesh;
	for (int i = 0; i < mesh->attribute_count; ++i) {
		const rbl_gltf_accessor *accessor = &gltf->further.data[of->further + i];
		bool is_color = strncmp(mesh->attributes[i].name, "COLOR_", 6) == 0;
		double a[4] = { 0.0, 0.0, 0.0, 0.0 };
		if (is_color)
			a[0] = a[1] = a[2] = a[3] = 1.0;
		if (accessor->count > 0)
			rbl_gltf_fetch(accessor, v, a);
		if (m && strcmp(mesh->attributes[i].name, "TANGENT") == 0) {
			double t[3], length = 0.0;
			for (int k = 0; k < 3; ++k) {
				t[k] = m[k] * a[0] + m[3 + k] * a[1] + m[6 + k] * a[2];
				length += t[k] * t[k];
			}
			length = length > 0.0 ? sqrt(length) : 1.0;
			for (int k = 0; k < 3; ++k)
				a[k] = t[k] / length;
			a[3] = is_mirrored ? -a[3] : a[3];
		}
		for (int k = 0; k < mesh->attributes[i].width; ++k)
			if (!rbl_io_push(&gltf->source->memory, &mesh->corner_attributes, (float)a[k]))
				return false;
	}
	return true;
}

// Add the attributes of the last corner: vertex `v` of the primitive.
static bool add_attributes(rbl_gltf *gltf, const rbl_gltf_primitive *of, int v, const double *n)
{
	rbl_io_mesh_builder *mesh = &gltf->source->mesh;
	rbl_io_memory *memory = &gltf->source->memory;
	int corner = mesh->corners.count - 1;
	double a[4] = { 0 };
	if (of->has[RBL_GLTF_NORMAL] || mesh->corner_normals.count > 0) {
		FILL(memory, &mesh->corner_normals, corner, ((rbl_vec3){ 0 }));
		double p[4] = { 0 };
		if (of->has[RBL_GLTF_NORMAL])
			rbl_gltf_fetch(&of->attributes[RBL_GLTF_NORMAL], v, p);
		for (int i = 0; i < 3; ++i)
			a[i] = n[i] * p[0] + n[3 + i] * p[1] + n[6 + i] * p[2];
		double length = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
		rbl_vec3 normal = { (float)a[0], (float)a[1], (float)a[2] };
		if (length > 0.0 && fabs(length - 1.0) > 1e-5) // unit vectors keep their bits
			normal = (rbl_vec3){ (float)(a[0] / length), (float)(a[1] / length),
				                 (float)(a[2] / length) };
		FILL(memory, &mesh->corner_normals, corner + 1, normal);
	}
	if (of->has[RBL_GLTF_UV0] || mesh->corner_uv0.count > 0) {
		FILL(memory, &mesh->corner_uv0, corner, ((rbl_vec2){ 0 }));
		a[0] = a[1] = 0.0;
		if (of->has[RBL_GLTF_UV0])
			rbl_gltf_fetch(&of->attributes[RBL_GLTF_UV0], v, a);
		FILL(memory, &mesh->corner_uv0, corner + 1, ((rbl_vec2){ (float)a[0], (float)a[1] }));
	}
	if (of->has[RBL_GLTF_UV1] || mesh->corner_uv1.count > 0) {
		FILL(memory, &mesh->corner_uv1, corner, ((rbl_vec2){ 0 }));
		a[0] = a[1] = 0.0;
		if (of->has[RBL_GLTF_UV1])
			rbl_gltf_fetch(&of->attributes[RBL_GLTF_UV1], v, a);
		FILL(memory, &mesh->corner_uv1, corner + 1, ((rbl_vec2){ (float)a[0], (float)a[1] }));
	}
	if (of->has[RBL_GLTF_COLOR] || mesh->corner_colors.count > 0) {
		FILL(memory, &mesh->corner_colors, corner, ((rbl_vec4){ 1.0f, 1.0f, 1.0f, 1.0f }));
		a[0] = a[1] = a[2] = a[3] = 1.0;
		if (of->has[RBL_GLTF_COLOR])
			rbl_gltf_fetch(&of->attributes[RBL_GLTF_COLOR], v, a);
		FILL(memory, &mesh->corner_colors, corner + 1,
		     ((rbl_vec4){ (float)a[0], (float)a[1], (float)a[2], (float)a[3] }));
	}
	return true;
}

// Add a triangle by positions in the index list.
static bool add_triangle(rbl_gltf *gltf, const rbl_gltf_primitive *of, const int *items,
                         const mesh_transform *transform)
{
	rbl_io_source *source = gltf->source;
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
		int number = gltf->numbers.data[gltf->table.data[of->table + vertices[i]]];
		if (!rbl_io_push(&source->memory, &source->mesh.corners, number) ||
		    !add_attributes(gltf, of, vertices[i], transform->normals) ||
		    !add_further(gltf, of, vertices[i], transform->axes, transform->is_mirrored))
			return false;
	}
	return true;
}

// Reserve the faces and corners of a primitive, and charge the budget.
static bool reserve_triangles(rbl_gltf *gltf, const rbl_gltf_primitive *of)
{
	rbl_io_mesh_builder *mesh = &gltf->source->mesh;
	rbl_io_memory *memory = &gltf->source->memory;
	int64_t faces = of->mode == 4 ? of->count / 3 : of->count - 2;
	int64_t corners = mesh->corners.count + 3 * faces;
	if (corners > RBL_MAX_MESH_ITEMS)
		return true; // a strip may hold less: checked as it is read
	int wanted = (int)corners;
	return rbl_io_reserve(memory, &mesh->face_starts, mesh->face_starts.count + (int)faces) &&
	       rbl_io_reserve(memory, &mesh->corners, wanted) &&
	       (!of->has[RBL_GLTF_NORMAL] || rbl_io_reserve(memory, &mesh->corner_normals, wanted)) &&
	       (!of->has[RBL_GLTF_UV0] || rbl_io_reserve(memory, &mesh->corner_uv0, wanted)) &&
	       (!of->has[RBL_GLTF_UV1] || rbl_io_reserve(memory, &mesh->corner_uv1, wanted)) &&
	       (!of->has[RBL_GLTF_COLOR] || rbl_io_reserve(memory, &mesh->corner_colors, wanted));
}

// The material of the builder for that of a primitive, or for none. @return -1 when memory runs out
static int find_slot(rbl_gltf *gltf, const rbl_gltf_primitive *of)
{
	rbl_io_source *source = gltf->source;
	int *slot = &gltf->slots[of->material >= 0 ? of->material : gltf->material_count];
	if (*slot >= 0 && !of->own)
		return *slot;
	rbl_mesh_material made = of->material >= 0 ? rbl_gltf_read_material(gltf, of->material)
	                                           : rbl_io_default_material("", 0);
	if (of->material < 0 && gltf->is_whole)
		made.metallic = 1.0f; // as glTF has it: written as no material again
	if (!rbl_io_push(&source->memory, &source->mesh.materials, made) ||
	    (gltf->is_whole && !rbl_io_push(&source->memory, &gltf->slot_objects, of->own)))
		return -1;
	int index = source->mesh.materials.count - 1;
	if (!of->own)
		*slot = index;
	return index;
}

static bool add_triangles(rbl_gltf *gltf, const rbl_gltf_primitive *of,
                          const mesh_transform *transform, bool has_materials)
{
	rbl_io_source *source = gltf->source;
	rbl_io_mesh_builder *mesh = &source->mesh;
	int step = of->mode == 4 ? 3 : 1;
	if (!reserve_triangles(gltf, of))
		return false;
	for (int i = 0; i + 2 < of->count; i += step) {
		int items[3] = { of->mode == 6 ? 0 : i, i + 1, i + 2 };
		if (transform->is_mirrored != (of->mode == 5 && i % 2 == 1)) {
			items[1] = i + 2;
			items[2] = i + 1;
		}
		if (!add_triangle(gltf, of, items, transform))
			return false;
	}
	int slot = has_materials ? find_slot(gltf, of) : 0;
	if (!has_materials || slot < 0)
		return slot == 0;
	FILL(&source->memory, &mesh->face_materials, mesh->face_starts.count, slot);
	return true;
}

rbl_result rbl_gltf_read_mesh(rbl_gltf *gltf, int64_t index, const rbl_gltf_placement *at)
{
	const rbl_json *object = rbl_gltf_item(gltf, "meshes", index);
	if (!object)
		return rbl_gltf_fail(gltf, "meshes", index, "there is no such mesh");
	const rbl_json *list = rbl_json_member(object, "primitives");
	gltf->primitives.count = gltf->table.count = gltf->further.count = 0;
	int64_t last_positions = -1;
	// A mesh costs at least its number of primitives.
	rbl_result result = rbl_gltf_spend(gltf, (int64_t)rbl_json_count(list) * 16);
	for (int i = 0; i < rbl_json_count(list) && result == RBL_OK; ++i)
		result = open_primitive(gltf, index, rbl_json_item(list, i), &last_positions);
	if (result != RBL_OK)
		return result;
	static const rbl_gltf_placement identity = { { 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0 } };
	mesh_transform transform = { .axes = memcmp(at, &identity, sizeof *at) ? at->m : NULL };
	transform.is_mirrored = normal_matrix(at, transform.normals) < 0.0;
	if (!place_vertices(gltf, at))
		return rbl_io_out_of_memory(gltf->source);
	bool has_materials = !gltf->is_whole && gltf->material_count > 0;
	for (int i = 0; i < gltf->primitives.count; ++i)
		has_materials |=
			gltf->primitives.data[i].material >= 0 || gltf->primitives.data[i].own != NULL;
	for (int i = 0; i < gltf->primitives.count; ++i) {
		if (!add_triangles(gltf, &gltf->primitives.data[i], &transform, has_materials))
			return rbl_io_out_of_memory(gltf->source);
	}
	return RBL_OK;
}

// --- further attributes ----------------------------------------------------------------------

// The width of an attribute that a mesh has no place of its own for; 0: it has, or it is not kept.
static int further_width(rbl_gltf *gltf, const char *name, const rbl_json *accessor)
{
	static const char *const own[] = { "POSITION",   "NORMAL",  "TEXCOORD_0",
		                               "TEXCOORD_1", "COLOR_0", "_APART" };
	static const char *const types[] = { "SCALAR", "VEC2", "VEC3", "VEC4" };
	const char *type = rbl_json_text(rbl_json_member(accessor, "type"));
	int width = 0;
	for (size_t i = 0; i < sizeof own / sizeof own[0]; ++i)
		if (strcmp(name, own[i]) == 0)
			return 0;
	for (int i = 0; type && i < 4; ++i)
		width = strcmp(type, types[i]) == 0 ? i + 1 : width;
	bool is_kept = strlen(name) < RBL_ATTRIBUTE_NAME_LENGTH && width > 0;
	if (strcmp(name, "TANGENT") == 0)
		is_kept &= width == 4;
	else if (strncmp(name, "TEXCOORD_", 9) == 0)
		is_kept &= width == 2;
	else if (strncmp(name, "COLOR_", 6) == 0)
		is_kept &= width >= 3, width = 4;
	else
		is_kept &= name[0] == '_';
	if (!is_kept)
		rbl_gltf_note_lost(gltf, strncmp(name, "JOINTS", 6) == 0 || strncmp(name, "WEIGHTS", 7) == 0
		                             ? "skins"
		                             : name);
	return is_kept ? width : 0;
}

rbl_result rbl_gltf_plan_attributes(rbl_gltf *gltf, int64_t mesh)
{
	rbl_io_mesh_builder *builder = &gltf->source->mesh;
	const rbl_json *list = rbl_json_member(rbl_gltf_item(gltf, "meshes", mesh), "primitives");
	for (int p = 0; p < rbl_json_count(list); ++p) {
		const rbl_json *attributes = rbl_json_member(rbl_json_item(list, p), "attributes");
		for (int i = 0; i < rbl_json_count(attributes); ++i) {
			const char *name = rbl_json_key(attributes, i);
			if (!name || !rbl_json_member(attributes, name))
				continue; // a list, or a name with a zero in it
			const rbl_json *accessor =
				rbl_gltf_item(gltf, "accessors", rbl_gltf_int(attributes, name, -1));
			int width = further_width(gltf, name, accessor), k = 0;
			while (k < builder->attribute_count && strcmp(builder->attributes[k].name, name) != 0)
				++k;
			if (width == 0 || k < builder->attribute_count)
				continue;
			if (builder->attribute_width + width > RBL_MAX_ATTRIBUTE_WIDTH) {
				rbl_gltf_note_lost(gltf, name);
				continue;
			}
			rbl_mesh_attribute *made = &builder->attributes[builder->attribute_count++];
			*made = (rbl_mesh_attribute){ .width = width };
			memcpy(made->name, name, strlen(name));
			builder->attribute_width += width;
		}
	}
	return RBL_OK;
}
