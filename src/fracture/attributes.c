// SPDX-License-Identifier: MIT
//
// Attribute interpolation for the corners of pieces: normals, texture coordinates, colors.
//
// A piece stores for each face only the source triangle or the cutting plane. Attributes are
// interpolated here, from the corner's position in that triangle or plane. Texture coordinates of
// cut faces depend on the plane alone, in mesh coordinates, so both sides of a crack agree, and so
// do later cuts of the same piece. Per-triangle and per-plane constants are computed once.

#include "fracture/attributes.h"

#include "base/hash.h"
#include "base/math.h"
#include "base/vec.h"

// A corner whose share is less has none: within a float's digits the point lies on the edge.
static const double ON_EDGE = 1e-7;

void rbl_attribute_sampler_init(rbl_attribute_sampler *sampler, const rbl_pieces *pieces)
{
	sampler->pieces = pieces;
	sampler->solid = pieces->solid;
	sampler->mesh = rbl_mesh_get_data(pieces->solid->mesh);
	sampler->triangle.index = sampler->plane.face = -1;
}

static bool is_zero(rbl_vec3 a)
{
	return a.x == 0.0f && a.y == 0.0f && a.z == 0.0f;
}

static void set_triangle(rbl_attribute_sampler *sampler, int index)
{
	rbl_attribute_triangle *t = &sampler->triangle;
	const rbl_solid *solid = sampler->solid;
	const int *v = solid->triangle_vertices + 3 * index;
	t->index = index;
	for (int k = 0; k < 3; ++k)
		t->positions[k] = solid->positions[v[k]];
	rbl_vec3d n = rbl_cross_d(rbl_sub_d(t->positions[1], t->positions[0]),
	                          rbl_sub_d(t->positions[2], t->positions[0]));
	double squared = rbl_length_squared_d(n), scale = squared > 0.0 ? 1.0 / squared : 0.0;
	for (int k = 0; k < 3; ++k) {
		rbl_vec3d from = t->positions[k == 2 ? 0 : k + 1], to = t->positions[k == 0 ? 2 : k - 1];
		t->gradients[k] = rbl_scale_d(scale, rbl_cross_d(n, rbl_sub_d(to, from)));
	}
	t->normal = rbl_to_f(rbl_normalize_d(n));
	t->is_even = false;
	if (sampler->mesh.corner_normals) {
		const int *corners = solid->triangle_corners + 3 * index;
		const rbl_vec3 *normals = sampler->mesh.corner_normals;
		t->is_even = memcmp(&normals[corners[0]], &normals[corners[1]], sizeof(rbl_vec3)) == 0 &&
		             memcmp(&normals[corners[0]], &normals[corners[2]], sizeof(rbl_vec3)) == 0;
	}
}

rbl_vec3 rbl_solid_triangle_normal(const rbl_solid *solid, int triangle)
{
	const int *v = solid->triangle_vertices + 3 * triangle;
	rbl_vec3d a = solid->positions[v[0]], b = solid->positions[v[1]], c = solid->positions[v[2]];
	return rbl_to_f(rbl_normalize_d(rbl_cross_d(rbl_sub_d(b, a), rbl_sub_d(c, a))));
}

static bool same_place(rbl_vec3d a, rbl_vec3d b)
{
	return a.x == b.x && a.y == b.y && a.z == b.z;
}

// Adding zero makes -0 and 0 one number: they differ in their bits.
static void blend(const float *values, int width, const int corners[3], const float shares[3],
                  float *out)
{
	for (int i = 0; i < width; ++i)
		out[i] = shares[0] * values[corners[0] * width + i] +
		         shares[1] * values[corners[1] * width + i] +
		         shares[2] * values[corners[2] * width + i] + 0.0f;
}

// A corner of the mesh itself.
static rbl_draw_vertex mesh_corner(rbl_attribute_sampler *sampler, int corner)
{
	const rbl_mesh_data *mesh = &sampler->mesh;
	rbl_draw_vertex out = { .color = { 1.0f, 1.0f, 1.0f, 1.0f } };
	if (mesh->corner_normals)
		out.normal = mesh->corner_normals[corner];
	if (mesh->corner_uv0)
		out.uv0 = mesh->corner_uv0[corner];
	if (mesh->corner_uv1)
		out.uv1 = mesh->corner_uv1[corner];
	if (mesh->corner_colors)
		out.color = mesh->corner_colors[corner];
	size_t width = (size_t)mesh->attribute_width;
	if (width > 0)
		memcpy(sampler->further, mesh->corner_attributes + (size_t)corner * width,
		       width * sizeof(float));
	return out;
}

// The shares of the corners at a point of the edge across from corner k. They are computed from the
// edge alone, from its lower vertex to its upper: both triangles along it get the same bits, and
// where their corners agree the surface has no seam.
static void share_edge(const rbl_solid *solid, const rbl_attribute_triangle *t, int k, rbl_vec3d p,
                       float shares[3])
{
	const int *v = solid->triangle_vertices + 3 * t->index;
	int low = k == 2 ? 0 : k + 1, high = k == 0 ? 2 : k - 1;
	if (v[low] > v[high]) {
		int swap = low;
		low = high, high = swap;
	}
	rbl_vec3d edge = rbl_sub_d(t->positions[high], t->positions[low]);
	double share = rbl_dot_d(rbl_sub_d(p, t->positions[low]), edge) / rbl_length_squared_d(edge);
	share = share < ON_EDGE ? 0.0 : share > 1.0 - ON_EDGE ? 1.0 : share;
	shares[k] = 0.0f;
	shares[high] = (float)share;
	shares[low] = 1.0f - shares[high];
}

static bool is_named(const rbl_mesh_attribute *attribute, const char *start)
{
	return strncmp(attribute->name, start, strlen(start)) == 0;
}

// Tangents keep their length, and the sign that the first corner has.
static void blend_further(rbl_attribute_sampler *sampler, const int corners[3],
                          const float shares[3])
{
	const rbl_mesh_data *mesh = &sampler->mesh;
	float *at = sampler->further;
	blend(mesh->corner_attributes, mesh->attribute_width, corners, shares, at);
	for (int i = 0; i < mesh->attribute_count; at += mesh->attributes[i++].width) {
		if (mesh->attributes[i].width != 4 || !is_named(&mesh->attributes[i], "TANGENT"))
			continue;
		rbl_vec3 unit = rbl_normalize((rbl_vec3){ at[0], at[1], at[2] });
		at[0] = unit.x, at[1] = unit.y, at[2] = unit.z;
		at[3] = at[3] < 0.0f ? -1.0f : 1.0f;
	}
}

void rbl_attribute_plane_further(const rbl_attribute_plane *plane, const rbl_mesh_data *mesh,
                                 const rbl_draw_vertex *corner, float *further)
{
	float *at = further;
	memset(at, 0, (size_t)mesh->attribute_width * sizeof *at);
	for (int i = 0; i < mesh->attribute_count; at += mesh->attributes[i++].width) {
		const rbl_mesh_attribute *one = &mesh->attributes[i];
		if (one->width == 4 && is_named(one, "TANGENT")) {
			rbl_vec3 u = rbl_to_f(rbl_normalize_d(plane->u));
			rbl_vec3d across = rbl_cross_d(rbl_to_d(corner->normal), plane->u);
			at[0] = u.x, at[1] = u.y, at[2] = u.z;
			at[3] = rbl_dot_d(across, plane->v) < 0.0 ? -1.0f : 1.0f;
		} else if (one->width == 2 && is_named(one, "TEXCOORD_")) {
			at[0] = corner->uv0.x, at[1] = corner->uv0.y;
		} else if (one->width == 4 && is_named(one, "COLOR_")) {
			memcpy(at, &corner->color, 4 * sizeof(float));
		}
	}
}

// A point in a triangle of the solid; exact at the corners.
static rbl_draw_vertex outer_point(rbl_attribute_sampler *sampler, int triangle, rbl_vec3d p)
{
	const rbl_mesh_data *mesh = &sampler->mesh;
	if (sampler->triangle.index != triangle)
		set_triangle(sampler, triangle);
	const rbl_attribute_triangle *t = &sampler->triangle;
	const int *corners = sampler->solid->triangle_corners + 3 * triangle;
	float shares[3];
	double sum = 0.0, parts[3];
	for (int k = 0; k < 3; ++k) {
		if (same_place(p, t->positions[k])) {
			rbl_draw_vertex out = mesh_corner(sampler, corners[k]);
			if (is_zero(out.normal))
				out.normal = t->normal;
			return out;
		}
		rbl_vec3d from = t->positions[k == 2 ? 0 : k + 1];
		parts[k] = rbl_maxd(rbl_dot_d(t->gradients[k], rbl_sub_d(p, from)), 0.0);
		sum += parts[k];
	}
	double scale = sum > 0.0 ? 1.0 / sum : 0.0;
	int min = 0;
	for (int k = 0; k < 3; ++k) {
		shares[k] = sum > 0.0 ? (float)(parts[k] * scale) : k == 0 ? 1.0f : 0.0f;
		min = parts[k] < parts[min] ? k : min;
	}
	if (sum > 0.0 && parts[min] * scale < ON_EDGE)
		share_edge(sampler->solid, t, min, p, shares);
	rbl_draw_vertex out = { .color = { 1.0f, 1.0f, 1.0f, 1.0f } };
	if (t->is_even) {
		rbl_vec3 n = mesh->corner_normals[corners[0]];
		out.normal = (rbl_vec3){ n.x + 0.0f, n.y + 0.0f, n.z + 0.0f };
	} else if (mesh->corner_normals) {
		blend((const float *)mesh->corner_normals, 3, corners, shares, (float *)&out.normal);
		out.normal = rbl_normalize(out.normal);
	}
	if (is_zero(out.normal))
		out.normal = t->normal;
	if (mesh->corner_uv0)
		blend(&mesh->corner_uv0->x, 2, corners, shares, &out.uv0.x);
	if (mesh->corner_uv1)
		blend(&mesh->corner_uv1->x, 2, corners, shares, &out.uv1.x);
	if (mesh->corner_colors)
		blend((const float *)mesh->corner_colors, 4, corners, shares, (float *)&out.color);
	if (mesh->attribute_width > 0)
		blend_further(sampler, corners, shares);
	return out;
}

// A number that does not differ for planes that coincide: bricks side by side have faces in one
// plane that are planes of their own, and so have pieces of different breaks. Steps, of a
// micrometre along the normal, are far above rounding, and nothing that is a round number lies
// between two of them.
static uint64_t plane_hash(rbl_planed plane, uint64_t hash)
{
	const double step = 1e-6, shift = 0.3183098861837907;
	const double values[4] = { plane.normal.x, plane.normal.y, plane.normal.z, plane.offset };
	for (int i = 0; i < 4; ++i) {
		double value = rbl_clampd(floor(values[i] / step + shift), -9e18, 9e18);
		hash = rbl_hash_number(hash, (uint64_t)(int64_t)value);
	}
	return hash;
}

void rbl_attribute_plane_set(rbl_attribute_plane *out, const rbl_inner_look *look, rbl_planed plane)
{
	rbl_vec3d n = plane.normal;
	bool is_down = fabs(n.x) > 1e-4 ? n.x < 0.0 : fabs(n.y) > 1e-4 ? n.y < 0.0 : n.z < 0.0;
	out->normal = rbl_to_f(n);
	if (is_down) // the same for both sides
		plane = (rbl_planed){ rbl_neg_d(n), -plane.offset }, n = plane.normal;
	rbl_vec3d u = rbl_perpendicular_d(n), v = rbl_cross_d(n, u);
	u = rbl_scale_d(1.0 / look->uv_scale, u), v = rbl_scale_d(1.0 / look->uv_scale, v);
	out->shift_x = (double)look->uv_offset.x, out->shift_y = (double)look->uv_offset.y;
	if (look->uv_seed != 0) {
		uint64_t hash = plane_hash(plane, rbl_hash_mix(look->uv_seed));
		double angle = 6.283185307179586 / 65536.0 * (double)(hash & 0xffff);
		double c = rbl_cos(angle), s = rbl_sin(angle);
		rbl_vec3d rotated = rbl_sub_d(rbl_scale_d(c, u), rbl_scale_d(s, v));
		v = rbl_add_d(rbl_scale_d(s, u), rbl_scale_d(c, v));
		u = rotated;
		out->shift_y += (double)(hash >> 16 & 0xffff) / 65536.0;
		out->shift_x += (double)(hash >> 32 & 0xffff) / 65536.0;
	}
	out->u = u, out->v = v;
}

rbl_draw_vertex rbl_attribute_plane_sample(const rbl_attribute_plane *plane,
                                           const rbl_inner_look *look, rbl_vec3d p)
{
	double x = rbl_dot_d(p, plane->u) + plane->shift_x;
	double y = rbl_dot_d(p, plane->v) + plane->shift_y;
	rbl_vec2 low = look->atlas_lower, high = look->atlas_upper;
	if (low.x != high.x && low.y != high.y) {
		x = (double)low.x + (double)(high.x - low.x) * rbl_clampd(x + 0.5, 0.0, 1.0);
		y = (double)low.y + (double)(high.y - low.y) * rbl_clampd(y + 0.5, 0.0, 1.0);
	}
	return (rbl_draw_vertex){ .normal = plane->normal,
		                      .uv0 = { (float)x, (float)y },
		                      .uv1 = { (float)x, (float)y },
		                      .color = look->color };
}

rbl_draw_vertex rbl_sample_cut_face(rbl_attribute_sampler *sampler, int cell_face, rbl_vec3d p)
{
	const rbl_inner_look *look = &sampler->pieces->def.inner;
	rbl_vec3d origin = sampler->solid->origin;
	if (sampler->plane.face != cell_face) {
		rbl_planed plane = rbl_cell_face_plane(&sampler->pieces->cells, cell_face);
		plane.offset += rbl_dot_d(plane.normal, origin);
		rbl_attribute_plane_set(&sampler->plane, look, plane);
		sampler->plane.face = cell_face;
	}
	rbl_draw_vertex out = rbl_attribute_plane_sample(&sampler->plane, look, rbl_add_d(p, origin));
	if (sampler->mesh.attribute_width > 0)
		rbl_attribute_plane_further(&sampler->plane, &sampler->mesh, &out, sampler->further);
	return out;
}

rbl_draw_vertex rbl_sample_corner(rbl_attribute_sampler *sampler, const rbl_face_view *face, int k,
                                  rbl_vec3d p)
{
	if (face->source < 0)
		return rbl_sample_cut_face(sampler, ~face->source, p);
	if (face->mesh_corner < 0)
		return outer_point(sampler, face->triangles ? face->triangles[k] : face->source, p);
	rbl_draw_vertex out = mesh_corner(sampler, face->mesh_corner + k);
	if (is_zero(out.normal)) {
		if (sampler->triangle.index != face->source)
			set_triangle(sampler, face->source);
		out.normal = sampler->triangle.normal;
	}
	return out;
}
