// SPDX-License-Identifier: MIT
//
// Parts as meshes, those that have none included.
//
// What a break leaves wholly inside is a convex and no mesh: that is faster to cut and takes less
// memory. All its faces are cuts, whose texture lies in their planes (attributes.c), so that a mesh
// with the same coordinates as those of its neighbours can be made when somebody wants to see it.

#include "base/log.h"
#include "base/vec.h"
#include "fracture/attributes.h"
#include "fracture/compound.h"
#include "geometry/geometry.h"

// --- materials ----------------------------------------------------------------------------------

static rbl_mesh_material plain_material(const char *name, float shade)
{
	rbl_mesh_material material = { .base_color = { shade, shade, shade, 1.0f }, .roughness = 0.9f };
	memcpy(material.name, name, strlen(name) + 1);
	return material;
}

// A new material for cut faces: glass is glass inside too.
static rbl_mesh_material inner_material(const rbl_mesh_data *mesh, int dominant)
{
	if (mesh->material_count == 0)
		return plain_material("inner", 0.5f);
	rbl_mesh_material material = mesh->materials[dominant];
	memset(material.name, 0, sizeof material.name);
	memcpy(material.name, "inner", 6);
	material.source = 0; // the texture of the surface does not go on inside
	return material;
}

int rbl_inner_slot(const rbl_mesh_data *mesh, const rbl_inner_look *look)
{
	int count = rbl_maxi(mesh->material_count, 1);
	if (look->material >= 0)
		return rbl_mini(look->material, count);
	for (int i = 0; i < mesh->material_count; ++i)
		if (strcmp(mesh->materials[i].name, "inner") == 0)
			return i;
	return count;
}

int rbl_write_palette(const rbl_mesh_data *mesh, int inner, int dominant,
                      rbl_mesh_material *palette)
{
	int count = mesh->material_count;
	if (palette && count > 0)
		memcpy(palette, mesh->materials, (size_t)count * sizeof *palette);
	else if (palette)
		palette[0] = plain_material("outer", 0.8f);
	count = rbl_maxi(count, 1);
	if (count > inner)
		return count;
	if (palette)
		palette[count] = inner_material(mesh, dominant);
	return count + 1;
}

// The material that most of a mesh's surface has.
static int dominant_material(const rbl_mesh_data *d)
{
	int best = 0;
	double max = 0.0;
	for (int m = 0; m < d->material_count && d->face_materials; ++m) {
		double area = 0.0;
		for (int f = 0; f < d->face_count; ++f) {
			rbl_vec3d sum = { 0.0, 0.0, 0.0 };
			const int *corners = d->corner_vertices + d->face_starts[f];
			rbl_vec3d first = d->positions[corners[0]];
			int count = d->face_materials[f] == m ? d->face_starts[f + 1] - d->face_starts[f] : 0;
			for (int i = 1; i + 1 < count; ++i)
				sum = rbl_add_d(sum, rbl_cross_d(rbl_sub_d(d->positions[corners[i]], first),
				                                 rbl_sub_d(d->positions[corners[i + 1]], first)));
			area += rbl_length_d(sum);
		}
		if (area > max)
			max = area, best = m;
	}
	return best;
}

// --- the mesh -----------------------------------------------------------------------------------

static void fill_corner(const rbl_mesh_arrays *a, int corner, const rbl_attribute_plane *plane,
                        const rbl_inner_look *look, const rbl_mesh_data *like, rbl_vec3d p)
{
	rbl_draw_vertex v = rbl_attribute_plane_sample(plane, look, p);
	a->corner_normals[corner] = v.normal;
	a->corner_uv0[corner] = v.uv0;
	if (a->corner_uv1)
		a->corner_uv1[corner] = v.uv1;
	if (a->corner_colors)
		a->corner_colors[corner] = v.color;
	size_t width = (size_t)like->attribute_width;
	if (width > 0)
		rbl_attribute_plane_further(plane, like, &v, a->corner_attributes + (size_t)corner * width);
}

static rbl_result mesh_of_convex(const rbl_convex *convex, const rbl_inner_look *look,
                                 const rbl_mesh_data *like, const rbl_allocator *allocator,
                                 rbl_mesh **mesh)
{
	static const rbl_vec3 normal = { 0.0f, 0.0f, 0.0f };
	static const rbl_vec2 uv = { 0.0f, 0.0f };
	static const rbl_mesh_material material = { .roughness = 0.0f };
	rbl_convex_data d = rbl_convex_get_data(convex);
	int inner = rbl_inner_slot(like, look);
	rbl_mesh_data shape = { .vertex_count = d.vertex_count,
		                    .face_count = d.face_count,
		                    .corner_count = d.face_starts[d.face_count],
		                    .corner_normals = &normal,
		                    .corner_uv0 = &uv,
		                    .corner_uv1 = like->corner_uv1,
		                    .corner_colors = like->corner_colors,
		                    .attribute_count = like->attribute_count,
		                    .attribute_width = like->attribute_width,
		                    .face_materials = &inner,
		                    .material_count = rbl_write_palette(like, inner, 0, NULL),
		                    .materials = &material };
	rbl_mesh_arrays a;
	rbl_result result = rbl_mesh_reserve(&shape, allocator, mesh, &a);
	if (result != RBL_OK)
		return result;
	memcpy(a.positions, d.vertices, (size_t)d.vertex_count * sizeof *a.positions);
	memcpy(a.face_starts, d.face_starts, ((size_t)d.face_count + 1) * sizeof *a.face_starts);
	memcpy(a.corner_vertices, d.corner_vertices,
	       (size_t)shape.corner_count * sizeof *a.corner_vertices);
	if (like->attribute_count > 0)
		memcpy(a.attributes, like->attributes,
		       (size_t)like->attribute_count * sizeof *a.attributes);
	for (int f = 0; f < d.face_count; ++f) {
		rbl_attribute_plane plane;
		rbl_attribute_plane_set(&plane, look, d.planes[f]);
		a.face_materials[f] = inner;
		for (int k = d.face_starts[f]; k < d.face_starts[f + 1]; ++k)
			fill_corner(&a, k, &plane, look, like, d.vertices[d.corner_vertices[k]]);
	}
	rbl_write_palette(like, inner, dominant_material(like), a.materials);
	rbl_mesh_finish(*mesh, shape.vertex_count, shape.face_count, shape.corner_count);
	return RBL_OK;
}

rbl_result rbl_compound_create_part_mesh(const rbl_compound *compound, int part,
                                         const rbl_inner_look *look, const rbl_mesh *like,
                                         const rbl_allocator *allocator, rbl_mesh **mesh)
{
	if (!mesh)
		return rbl_fail(RBL_BAD_ARGUMENT, "mesh is NULL");
	*mesh = NULL;
	if (!compound || !rbl_compound_has(compound, part))
		return rbl_fail(RBL_BAD_ARGUMENT, "no compound, or no part %d", part);
	if (allocator && !rbl_allocator_is_valid(allocator))
		return rbl_fail(RBL_BAD_ARGUMENT, "allocator has one function of two");
	const rbl_inner_look usual = rbl_default_pieces_def().inner;
	if (look && (!(look->uv_scale > 0.0) || !isfinite(look->uv_scale)))
		return rbl_fail(RBL_BAD_ARGUMENT, "look.uv_scale is %g, must be positive", look->uv_scale);
	const rbl_part *m = &compound->parts.data[part];
	rbl_allocator own = rbl_allocator_or_default(allocator);
	if (m->mesh)
		return rbl_mesh_duplicate(m->mesh, &own, mesh);
	rbl_mesh_data shape = { 0 };
	if (like)
		shape = rbl_mesh_get_data(like);
	return mesh_of_convex(m->convex, look ? look : &usual, &shape, &own, mesh);
}
