// SPDX-License-Identifier: MIT
//
// The mesh builder: everything is appended to plain arrays. mesh_builder_finish.c makes the mesh.
//
// Texture coordinates are metres on the surface, so one stone texture fits every shape. A sheet
// measures along its longest row and its first column; a polygon alone is projected along the
// axis that its normal is nearest to.

#include "procedural/mesh_builder.h"

void rbl_builder_init(rbl_builder *builder, const rbl_allocator *allocator)
{
	*builder = (rbl_builder){ .allocator = *allocator, .crease = 0.7071 };
}

static void fail(rbl_builder *builder)
{
	builder->result = RBL_OUT_OF_MEMORY;
}

int rbl_builder_material(rbl_builder *builder, const char *name, rbl_vec3 color, float roughness)
{
	rbl_mesh_material material = { .base_color = { color.x, color.y, color.z, 1.0f },
		                           .roughness = roughness };
	for (int i = 0; name[i] && i < RBL_MATERIAL_NAME_LENGTH - 1; ++i)
		material.name[i] = name[i];
	builder->material = builder->materials.count;
	if (builder->result == RBL_OK &&
	    !array_push(&builder->allocator, &builder->materials, material))
		fail(builder);
	return builder->material;
}

int rbl_builder_vertex(rbl_builder *builder, rbl_vec3d position)
{
	if (builder->result != RBL_OK)
		return 0;
	if (!array_push(&builder->allocator, &builder->positions, position)) {
		fail(builder);
		return 0;
	}
	return builder->positions.count - 1;
}

// Space for one more face, so that the pushes that follow cannot fail.
static bool reserve_face(rbl_builder *builder, int corner_count)
{
	if (builder->result != RBL_OK)
		return false;
	const rbl_allocator *allocator = &builder->allocator;
	if (array_extend(allocator, &builder->face_starts, 2) &&
	    array_extend(allocator, &builder->face_materials, 1) &&
	    array_extend(allocator, &builder->corners, corner_count) &&
	    array_extend(allocator, &builder->uv, corner_count)) {
		if (builder->face_starts.count == 0)
			builder->face_starts.data[builder->face_starts.count++] = 0;
		return true;
	}
	fail(builder);
	return false;
}

static void push_corner(rbl_builder *builder, int vertex)
{
	builder->corners.data[builder->corners.count++] = vertex;
}

// Project the corners that have no texture coordinates yet, all of one face, along the axis that
// its normal is nearest to.
static void project_face(rbl_builder *builder)
{
	int begin = builder->uv.count, count = builder->corners.count - begin;
	const rbl_vec3d *positions = builder->positions.data;
	const int *vertices = builder->corners.data + begin;
	rbl_vec3d normal = rbl_shape_area_vector(positions, vertices, count);
	double x = fabs(normal.x), y = fabs(normal.y), z = fabs(normal.z);
	int axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
	double sign = (axis == 0 ? normal.x : axis == 1 ? normal.y : normal.z) < 0.0 ? -1.0 : 1.0;
	for (int i = 0; i < count; ++i) {
		rbl_vec3d p = positions[vertices[i]];
		double u = axis == 0 ? -sign * p.z : axis == 1 ? p.x : sign * p.x;
		double v = axis == 1 ? -sign * p.z : p.y;
		builder->uv.data[builder->uv.count++] = (rbl_vec2){ (float)u, (float)v };
	}
}

static void end_face(rbl_builder *builder)
{
	if (builder->uv.count < builder->corners.count)
		project_face(builder);
	builder->face_starts.data[builder->face_starts.count++] = builder->corners.count;
	builder->face_materials.data[builder->face_materials.count++] = builder->material;
}

void rbl_builder_polygon(rbl_builder *builder, const int *vertices, int count)
{
	if (!reserve_face(builder, count))
		return;
	for (int i = 0; i < count; ++i)
		push_corner(builder, vertices[i]);
	end_face(builder);
}

void rbl_builder_quad(rbl_builder *builder, int a, int b, int c, int d)
{
	rbl_builder_polygon(builder, (int[]){ a, b, c, d }, 4);
}

rbl_vec3d rbl_shape_area_vector(const rbl_vec3d *positions, const int *vertices, int count)
{
	rbl_vec3d sum = { 0.0, 0.0, 0.0 }, origin = positions[vertices[0]];
	rbl_vec3d last = vec_sub(positions[vertices[1]], origin);
	for (int i = 2; i < count; ++i) {
		rbl_vec3d next = vec_sub(positions[vertices[i]], origin);
		sum = vec_add(sum, vec_cross(last, next));
		last = next;
	}
	return sum;
}

int rbl_sheet_vertex(const rbl_sheet *sheet, int row, int column)
{
	if (sheet->wrap_rows && row >= sheet->rows)
		row -= sheet->rows;
	if (sheet->wrap_columns)
		column %= sheet->columns;
	return sheet->first + row * sheet->columns + column;
}

static bool is_hole(const rbl_sheet *sheet, int row, int column)
{
	for (int i = 0; i < sheet->hole_count; ++i) {
		rbl_sheet_block hole = sheet->holes[i];
		int c = column - hole.column;
		if (c < 0 && sheet->wrap_columns)
			c += sheet->columns;
		if (row >= hole.row && row < hole.row + hole.rows && c >= 0 && c < hole.columns)
			return true;
	}
	return false;
}

static double distance(rbl_vec3d a, rbl_vec3d b)
{
	return vec_length(vec_sub(a, b));
}

// Running lengths: columns + 1 along one row, then rows + 1 along the first column.
static bool measure_sheet(rbl_builder *builder, const rbl_sheet *sheet)
{
	int count = sheet->columns + sheet->rows + 2;
	if (!array_extend(&builder->allocator, &builder->lengths, count)) {
		fail(builder);
		return false;
	}
	const rbl_vec3d *positions = builder->positions.data;
	double *across = builder->lengths.data, *along = across + sheet->columns + 1;
	across[0] = along[0] = 0.0;
	int middle = sheet->rows / 2;
	for (int c = 0; c < sheet->columns; ++c) {
		int next = c + 1 < sheet->columns || sheet->wrap_columns ? c + 1 : c;
		across[c + 1] = across[c] + distance(positions[rbl_sheet_vertex(sheet, middle, c)],
		                                     positions[rbl_sheet_vertex(sheet, middle, next)]);
	}
	for (int r = 0; r < sheet->rows; ++r) {
		int next = r + 1 < sheet->rows || sheet->wrap_rows ? r + 1 : r;
		along[r + 1] = along[r] + distance(positions[rbl_sheet_vertex(sheet, r, 0)],
		                                   positions[rbl_sheet_vertex(sheet, next, 0)]);
	}
	return true;
}

void rbl_builder_sheet(rbl_builder *builder, rbl_sheet sheet)
{
	if (builder->result != RBL_OK || !measure_sheet(builder, &sheet))
		return;
	const double *across = builder->lengths.data, *along = across + sheet.columns + 1;
	int rows = sheet.rows - !sheet.wrap_rows, columns = sheet.columns - !sheet.wrap_columns;
	for (int r = 0; r < rows; ++r) {
		for (int c = 0; c < columns; ++c) {
			if (sheet.hole_count && is_hole(&sheet, r, c))
				continue;
			if (!reserve_face(builder, 4))
				return;
			for (int i = 0; i < 4; ++i) {
				int corner = sheet.is_flipped ? 3 - i : i;
				int row = r + (corner >= 2), column = c + (corner == 1 || corner == 2);
				push_corner(builder, rbl_sheet_vertex(&sheet, row, column));
				builder->uv.data[builder->uv.count++] =
					(rbl_vec2){ (float)across[column], (float)along[row] };
			}
			end_face(builder);
		}
	}
}

static void place_on_disc(rbl_sheet_block block, int i, rbl_direction *at)
{
	int w = block.columns, h = block.rows;
	int column = i < w ? i : i < w + h ? w : i < 2 * w + h ? 2 * w + h - i : 0;
	int row = i < w ? 0 : i < w + h ? i - w : i < 2 * w + h ? h : 2 * (w + h) - i;
	// A square becomes a disc; its border becomes the circle, evenly enough.
	double x = 2.0 * column / w - 1.0, y = 2.0 * row / h - 1.0;
	*at = (rbl_direction){ x * sqrt(1.0 - 0.5 * y * y), y * sqrt(1.0 - 0.5 * x * x) };
}

int rbl_sheet_loop(const rbl_sheet *sheet, rbl_sheet_block block, int *loop, rbl_direction *disc)
{
	int n = 0;
	for (int i = 0; i < block.columns; ++i)
		loop[n++] = rbl_sheet_vertex(sheet, block.row, block.column + i);
	for (int i = 0; i < block.rows; ++i)
		loop[n++] = rbl_sheet_vertex(sheet, block.row + i, block.column + block.columns);
	for (int i = block.columns; i > 0; --i)
		loop[n++] = rbl_sheet_vertex(sheet, block.row + block.rows, block.column + i);
	for (int i = block.rows; i > 0; --i)
		loop[n++] = rbl_sheet_vertex(sheet, block.row + i, block.column);
	for (int i = 0; i < n && disc; ++i)
		place_on_disc(block, i, &disc[i]);
	return n;
}

void rbl_builder_bridge(rbl_builder *builder, const int *from, const int *to, int count)
{
	for (int i = 0; i < count; ++i) {
		int next = i + 1 < count ? i + 1 : 0;
		rbl_builder_quad(builder, from[i], from[next], to[next], to[i]);
	}
}

void rbl_builder_cap(rbl_builder *builder, const rbl_sheet *sheet, bool last_row)
{
	int row = last_row ? sheet->rows - 1 : 0;
	bool forward = last_row != sheet->is_flipped;
	if (!reserve_face(builder, sheet->columns))
		return;
	for (int i = 0; i < sheet->columns; ++i)
		push_corner(builder, rbl_sheet_vertex(sheet, row, forward ? i : sheet->columns - 1 - i));
	end_face(builder);
}

void rbl_builder_fan(rbl_builder *builder, const rbl_sheet *sheet, bool last_row, int centre)
{
	int row = last_row ? sheet->rows - 1 : 0;
	bool forward = last_row != sheet->is_flipped;
	for (int i = 0; i < sheet->columns; ++i) {
		int a = rbl_sheet_vertex(sheet, row, i), b = rbl_sheet_vertex(sheet, row, i + 1);
		rbl_builder_polygon(builder, (int[]){ centre, forward ? a : b, forward ? b : a }, 3);
	}
}

rbl_sheet rbl_builder_revolve(rbl_builder *builder, const rbl_profile_point *profile, int count,
                              int segments)
{
	rbl_sheet sheet = {
		.first = builder->positions.count, .rows = count, .columns = segments, .wrap_columns = true
	};
	for (int i = 0; i < count; ++i) {
		double radius = profile[i].radius;
		for (int k = 0; k < segments; ++k) {
			rbl_direction at = rbl_direction_at((double)k / segments);
			rbl_builder_vertex(builder,
			                   (rbl_vec3d){ radius * at.cos, profile[i].y, -radius * at.sin });
		}
	}
	rbl_builder_sheet(builder, sheet);
	rbl_builder_cap(builder, &sheet, false);
	rbl_builder_cap(builder, &sheet, true);
	return sheet;
}

void rbl_builder_loft(rbl_builder *builder, int first, int rows, int columns)
{
	rbl_sheet sheet = { .first = first, .rows = rows, .columns = columns, .wrap_columns = true };
	rbl_builder_sheet(builder, sheet);
	rbl_builder_cap(builder, &sheet, false);
	rbl_builder_cap(builder, &sheet, true);
}

// A chamfered box has three vertices at each corner, one on each of the faces that meet there:
// 6 faces, 12 edges and 8 corners become polygons.
void rbl_builder_box(rbl_builder *builder, rbl_vec3d lower, rbl_vec3d upper, double bevel)
{
	static const int faces[6][4] = { { 1, 3, 7, 5 }, { 0, 4, 6, 2 }, { 2, 6, 7, 3 },
		                             { 0, 1, 5, 4 }, { 4, 5, 7, 6 }, { 0, 2, 3, 1 } };
	static const int face_axes[6] = { 0, 0, 1, 1, 2, 2 };
	int vertices[8][3]; // of corner x + 2 y + 4 z, on the face across each axis
	for (int corner = 0; corner < 8; ++corner) {
		for (int axis = 0; axis < 3; ++axis) {
			double inset[3] = { bevel, bevel, bevel };
			inset[axis] = 0.0;
			vertices[corner][axis] = vertices[corner][0];
			if (axis > 0 && bevel == 0.0)
				continue;
			rbl_vec3d p = { corner & 1 ? upper.x - inset[0] : lower.x + inset[0],
				            corner & 2 ? upper.y - inset[1] : lower.y + inset[1],
				            corner & 4 ? upper.z - inset[2] : lower.z + inset[2] };
			vertices[corner][axis] = rbl_builder_vertex(builder, p);
		}
	}
	for (int f = 0; f < 6; ++f) {
		int axis = face_axes[f], quad[4];
		for (int i = 0; i < 4; ++i)
			quad[i] = vertices[faces[f][i]][axis];
		rbl_builder_polygon(builder, quad, 4);
	}
	if (bevel == 0.0)
		return;
	// Each edge once: where a face of a lower axis meets one of a higher axis.
	for (int f = 0; f < 6; ++f) {
		for (int i = 0; i < 4; ++i) {
			int a = faces[f][i], b = faces[f][(i + 1) & 3], axis = face_axes[f];
			int along = (a ^ b) == 1 ? 0 : (a ^ b) == 2 ? 1 : 2, other = 3 - axis - along;
			if (axis < other)
				rbl_builder_quad(builder, vertices[b][axis], vertices[a][axis], vertices[a][other],
				                 vertices[b][other]);
		}
	}
	for (int corner = 0; corner < 8; ++corner) {
		bool is_even = ((corner ^ corner >> 1 ^ corner >> 2) & 1) != 0;
		const int *v = vertices[corner];
		rbl_builder_polygon(builder, (int[]){ v[0], v[is_even ? 1 : 2], v[is_even ? 2 : 1] }, 3);
	}
}

void rbl_builder_map(rbl_builder *builder, int first,
                     rbl_vec3d (*function)(const void *context, rbl_vec3d p), const void *context)
{
	for (int i = first; i < builder->positions.count; ++i)
		builder->positions.data[i] = function(context, builder->positions.data[i]);
}

// Sine and cosine of an angle up to pi/4, by minimax polynomials: libm's differ from machine to
// machine.
static double sine(double a)
{
	double z = a * a;
	double p = -0x1.5555555555549p-3 +
	           z * (0x1.111111110f87ap-7 +
	                z * (-0x1.a01a019c119cap-13 +
	                     z * (0x1.71de3577b8c74p-19 +
	                          z * (-0x1.ae5e663bf0fbfp-26 + z * 0x1.5d9301523a4bap-33))));
	return a + a * z * p;
}

static double cosine(double a)
{
	double z = a * a;
	double p = 0x1.555555555554cp-5 +
	           z * (-0x1.6c16c16c1517ep-10 +
	                z * (0x1.a01a019cb1be1p-16 +
	                     z * (-0x1.27e4f809f01f7p-22 +
	                          z * (0x1.1ee9ebe86e706p-29 - z * 0x1.8fae9bea5625dp-37))));
	double half = 0.5 * z, large = 1.0 - half;
	return large + (((1.0 - large) - half) + z * z * p);
}

rbl_direction rbl_direction_at(double turns)
{
	double quarters = floor(turns * 4.0 + 0.5);
	double angle = (turns * 4.0 - quarters) * 1.57079632679489661923;
	double s = sine(angle), c = cosine(angle);
	switch ((int)(quarters - 4.0 * floor(quarters / 4.0))) {
	case 0:
		return (rbl_direction){ c, s };
	case 1:
		return (rbl_direction){ -s, c };
	case 2:
		return (rbl_direction){ -c, -s };
	default:
		return (rbl_direction){ s, -c };
	}
}
