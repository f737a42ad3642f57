// SPDX-License-Identifier: MIT
//
// Serialisation of convexes, meshes and bonds, for assets and compounds. What is read is checked
// where convexes and meshes are created from data.

#include "fracture/shape_file.h"

#include "base/vec.h"

// A flag, and numbers of 4 bytes if there are any.
static void put_optional(rbl_blob_writer *w, const void *values, size_t count)
{
	rbl_blob_put32(w, values != NULL);
	if (values)
		rbl_blob_put_words(w, values, count);
}

// A text of a multiple of 4 bytes.
static void put_name(rbl_blob_writer *w, const char *name, size_t size)
{
	for (size_t k = 0; k < size / 4; ++k) {
		uint32_t four = 0;
		for (size_t j = 0; j < 4; ++j)
			four |= (uint32_t)(unsigned char)name[4 * k + j] << (8 * j);
		rbl_blob_put32(w, four);
	}
}

void rbl_put_convex(rbl_blob_writer *w, const rbl_convex *convex)
{
	rbl_convex_data d = rbl_convex_get_data(convex);
	size_t faces = (size_t)d.face_count, vertices = (size_t)d.vertex_count;
	rbl_blob_put32(w, (uint32_t)d.face_count);
	rbl_blob_put32(w, d.is_approximate);
	rbl_blob_put_longs(w, d.planes, 4 * faces);
	rbl_blob_put_longs(w, d.plane_ids, faces);
	rbl_blob_put_longs(w, d.vertices, 3 * vertices);
	rbl_blob_put_words(w, d.face_starts, faces + 1);
	rbl_blob_put_words(w, d.corner_vertices, 3 * vertices);
	rbl_blob_put_words(w, d.corner_faces, 3 * vertices);
}

void rbl_put_mesh(rbl_blob_writer *w, const rbl_mesh *mesh)
{
	rbl_blob_put32(w, mesh != NULL);
	if (!mesh)
		return;
	rbl_mesh_data d = rbl_mesh_get_data(mesh);
	size_t corners = (size_t)d.corner_count, faces = (size_t)d.face_count;
	rbl_blob_put32(w, (uint32_t)d.vertex_count);
	rbl_blob_put32(w, (uint32_t)d.face_count);
	rbl_blob_put32(w, (uint32_t)d.corner_count);
	rbl_blob_put32(w, (uint32_t)d.material_count);
	rbl_blob_put_longs(w, d.positions, 3 * (size_t)d.vertex_count);
	rbl_blob_put_words(w, d.face_starts, faces + 1);
	rbl_blob_put_words(w, d.corner_vertices, corners);
	put_optional(w, d.corner_normals, 3 * corners);
	put_optional(w, d.corner_uv0, 2 * corners);
	put_optional(w, d.corner_uv1, 2 * corners);
	put_optional(w, d.corner_colors, 4 * corners);
	rbl_blob_put32(w, (d.face_materials ? 1u : 0u) | (d.attribute_count > 0 ? 2u : 0u));
	if (d.face_materials)
		rbl_blob_put_words(w, d.face_materials, faces);
	if (d.attribute_count > 0) {
		rbl_blob_put32(w, (uint32_t)d.attribute_count);
		for (int i = 0; i < d.attribute_count; ++i) {
			put_name(w, d.attributes[i].name, sizeof d.attributes[i].name);
			rbl_blob_put32(w, (uint32_t)d.attributes[i].width);
		}
		rbl_blob_put_words(w, d.corner_attributes, corners * (size_t)d.attribute_width);
	}
	for (int i = 0; i < d.material_count; ++i) {
		const rbl_mesh_material *m = &d.materials[i];
		put_name(w, m->name, sizeof m->name);
		const float numbers[6] = { m->base_color.x, m->base_color.y, m->base_color.z,
			                       m->base_color.w, m->metallic,     m->roughness };
		rbl_blob_put32(w, 1u | (uint32_t)m->source << 1);
		rbl_blob_put_words(w, numbers, 6);
	}
}

void rbl_put_bond(rbl_blob_writer *w, const rbl_bond *b)
{
	rbl_blob_put_words(w, b->parts, 2);
	rbl_blob_put_words(w, b->faces, 2);
	rbl_blob_put32(w, (b->is_overlap ? 1u : 0u) | (b->is_loose ? 2u : 0u) |
	                      (b->damage > 0.0 ? 4u : 0u));
	rbl_blob_put_double(w, b->area);
	rbl_blob_put_longs(w, &b->centre, 3);
	rbl_blob_put_double(w, b->strength);
	if (b->damage > 0.0)
		rbl_blob_put_double(w, b->damage);
}

// --- reading ------------------------------------------------------------------------------------

// An array of numbers, 4 or 8 bytes each, in the scratch memory. @return NULL when there are not as
// many
static void *get_array(rbl_blob_reader *r, size_t count, size_t size)
{
	void *values = rbl_blob_scratch(r, count, size);
	if (values && size == 8)
		rbl_blob_get_longs(r, values, count);
	else if (values)
		rbl_blob_get_words(r, values, count);
	return values;
}

// A flag, and numbers of 4 bytes if there are any.
static void *get_optional(rbl_blob_reader *r, size_t count)
{
	return rbl_blob_get32(r) != 0 ? get_array(r, count, 4) : NULL;
}

rbl_result rbl_get_convex(rbl_blob_reader *r, const rbl_allocator *allocator, rbl_convex **convex)
{
	rbl_convex_data d = { .face_count = (int)rbl_blob_get32(r) };
	d.is_approximate = rbl_blob_get32(r) != 0;
	if (d.face_count < 4 || d.face_count > RBL_MAX_CONVEX_FACES)
		return RBL_BAD_FILE;
	size_t faces = (size_t)d.face_count, vertices = 2 * faces - 4;
	d.vertex_count = (int)vertices;
	d.planes = get_array(r, 4 * faces, 8);
	d.plane_ids = get_array(r, faces, 8);
	d.vertices = get_array(r, 3 * vertices, 8);
	d.face_starts = get_array(r, faces + 1, 4);
	d.corner_vertices = get_array(r, 3 * vertices, 4);
	d.corner_faces = get_array(r, 3 * vertices, 4);
	rbl_result result = rbl_blob_result(r);
	return result == RBL_OK ? rbl_convex_from_data(&d, allocator, convex) : result;
}

static void get_name(rbl_blob_reader *r, char *name, size_t size)
{
	for (size_t k = 0; k < size / 4; ++k) {
		uint32_t four = rbl_blob_get32(r);
		for (size_t j = 0; j < 4; ++j)
			name[4 * k + j] = (char)(unsigned char)(four >> (8 * j));
	}
	name[size - 1] = '\0';
}

// Further attributes; rbl_create_mesh() checks them.
static void get_attributes(rbl_blob_reader *r, rbl_mesh_data *d)
{
	uint32_t count = rbl_blob_get32(r);
	if (count < 1 || count > RBL_MAX_ATTRIBUTE_WIDTH) {
		r->is_bad = true;
		return;
	}
	rbl_mesh_attribute *attributes = rbl_blob_scratch(r, count, sizeof *attributes);
	for (uint32_t i = 0; attributes && i < count; ++i) {
		get_name(r, attributes[i].name, sizeof attributes[i].name);
		uint32_t width = rbl_blob_get32(r);
		attributes[i].width = width <= 4 ? (int)width : 0;
		d->attribute_width += attributes[i].width;
	}
	d->attribute_count = (int)count, d->attributes = attributes;
	d->corner_attributes = get_array(r, (size_t)d->corner_count * (size_t)d->attribute_width, 4);
}

static rbl_mesh_material *get_materials(rbl_blob_reader *r, size_t count)
{
	rbl_mesh_material *materials = rbl_blob_scratch(r, count, sizeof *materials);
	for (size_t i = 0; materials && i < count; ++i) {
		rbl_mesh_material *m = &materials[i];
		get_name(r, m->name, sizeof m->name);
		uint32_t flags = rbl_blob_get32(r); // 1, and the source behind it
		const float *n = flags & 1 ? get_array(r, 6, 4) : NULL;
		m->source = (int)(flags >> 1);
		if (!n) {
			r->is_bad = true;
			return NULL;
		}
		m->base_color = (rbl_vec4){ n[0], n[1], n[2], n[3] };
		m->metallic = n[4], m->roughness = n[5];
	}
	return materials;
}

rbl_result rbl_get_mesh(rbl_blob_reader *r, const rbl_allocator *allocator, rbl_mesh **mesh)
{
	if (rbl_blob_get32(r) == 0)
		return rbl_blob_result(r);
	rbl_mesh_def def = rbl_default_mesh_def();
	rbl_mesh_data *d = &def.data;
	d->vertex_count = (int)rbl_blob_get32(r);
	d->face_count = (int)rbl_blob_get32(r);
	d->corner_count = (int)rbl_blob_get32(r);
	d->material_count = (int)rbl_blob_get32(r);
	if (d->vertex_count < 4 || d->face_count < 2 || d->corner_count < 6 || d->material_count < 0)
		return RBL_BAD_FILE;
	size_t corners = (size_t)d->corner_count, faces = (size_t)d->face_count;
	d->positions = get_array(r, 3 * (size_t)d->vertex_count, 8);
	d->face_starts = get_array(r, faces + 1, 4);
	d->corner_vertices = get_array(r, corners, 4);
	d->corner_normals = get_optional(r, 3 * corners);
	d->corner_uv0 = get_optional(r, 2 * corners);
	d->corner_uv1 = get_optional(r, 2 * corners);
	d->corner_colors = get_optional(r, 4 * corners);
	uint32_t flags = rbl_blob_get32(r); // 1: materials of faces; 2: further attributes
	d->face_materials = flags & 1 ? get_array(r, faces, 4) : NULL;
	if (flags & 2)
		get_attributes(r, d);
	if (d->material_count > 0)
		d->materials = get_materials(r, (size_t)d->material_count);
	def.allocator = *allocator;
	rbl_result result = rbl_blob_result(r);
	if (result == RBL_OK)
		result = rbl_create_mesh(&def, mesh);
	return result == RBL_BAD_ARGUMENT ? RBL_BAD_FILE : result;
}

rbl_result rbl_get_bond(rbl_blob_reader *r, const rbl_compound *c, rbl_bond *bond)
{
	rbl_bond b = { 0 };
	rbl_blob_get_words(r, b.parts, 2);
	rbl_blob_get_words(r, b.faces, 2);
	uint32_t flags = rbl_blob_get32(r);
	b.is_overlap = flags & 1;
	b.is_loose = flags & 2;
	b.area = rbl_blob_get_double(r);
	rbl_blob_get_longs(r, &b.centre, 3);
	b.strength = rbl_blob_get_double(r);
	b.damage = flags & 4 ? rbl_blob_get_double(r) : 0.0;
	if (r->is_bad || flags > 7 || (b.damage > 0.0) != !!(flags & 4) || !(b.damage <= 1.0) ||
	    b.parts[0] == b.parts[1] || !rbl_is_finite_d(b.centre) ||
	    !(b.area > 0.0 && isfinite(b.area)) || !(b.strength >= 0.0 && isfinite(b.strength)))
		return RBL_BAD_FILE;
	for (int k = 0; k < 2; ++k) {
		if (!rbl_compound_has(c, b.parts[k]))
			return RBL_BAD_FILE;
		int faces = rbl_convex_get_data(c->parts.data[b.parts[k]].convex).face_count;
		if (b.faces[k] < (b.is_overlap || b.is_loose ? -1 : 0) || b.faces[k] >= faces)
			return RBL_BAD_FILE;
	}
	*bond = b;
	return RBL_OK;
}
