// SPDX-License-Identifier: MIT
//
// Which cells a tetrahedron has a part of is found by the corners of what is left of it: points
// where three planes meet that are beyond none of the others.

#include "scenes/crack_cells.h"

#include "base/vec.h"

#include <stdlib.h>

enum { MOST_PLANES = 96 };

static double plane_value(const rbl_planed *plane, rbl_vec3d p)
{
	return rbl_dot_d(plane->normal, p) - plane->offset;
}

double crack_cell_depth(const crack_cell *cell, rbl_vec3d p)
{
	double least = INFINITY;
	for (int i = 0; i < cell->plane_count; ++i)
		least = rbl_mind(least, -plane_value(&cell->planes[i], p));
	return least;
}

static rbl_planed bisector(rbl_vec3d a, rbl_vec3d b)
{
	rbl_vec3d normal = rbl_normalize_d(rbl_sub_d(b, a));
	return (rbl_planed){ normal, rbl_dot_d(normal, rbl_scale_d(0.5, rbl_add_d(a, b))) };
}

crack_cell crack_cell_of_site(const crack_cell *within, const rbl_vec3d *sites, int site_count,
                              int site)
{
	crack_cell cell = *within;
	for (int i = 0; i < site_count; ++i)
		if (i != site)
			cell.planes[cell.plane_count++] = bisector(sites[site], sites[i]);
	return cell;
}

static rbl_planed face_plane(const rbl_vec3d p[4], int face)
{
	static const int corners[4][3] = { { 1, 2, 3 }, { 0, 3, 2 }, { 0, 1, 3 }, { 0, 2, 1 } };
	rbl_vec3d a = p[corners[face][0]];
	rbl_vec3d normal = rbl_normalize_d(
		rbl_cross_d(rbl_sub_d(p[corners[face][1]], a), rbl_sub_d(p[corners[face][2]], a)));
	return (rbl_planed){ normal, rbl_dot_d(normal, a) };
}

// Whether a tetrahedron and a cell have a part in common that is thicker than `least`.
static bool overlap(const rbl_vec3d p[4], const crack_cell *cell, double least)
{
	rbl_planed planes[MOST_PLANES];
	int count = 0;
	for (int k = 0; k < 4; ++k)
		planes[count++] = face_plane(p, k);
	for (int i = 0; i < cell->plane_count; ++i) {
		int beyond = 0;
		for (int k = 0; k < 4; ++k)
			beyond += plane_value(&cell->planes[i], p[k]) > 0.0;
		if (beyond == 4)
			return false;
		if (beyond > 0)
			planes[count++] = cell->planes[i];
	}
	if (count == 4)
		return true;
	rbl_vec3d sum = { 0.0, 0.0, 0.0 };
	int corners = 0;
	for (int a = 0; a < count; ++a)
		for (int b = a + 1; b < count; ++b)
			for (int c = b + 1; c < count; ++c) {
				rbl_vec3d x = planes[a].normal, y = planes[b].normal, z = planes[c].normal;
				double determinant = rbl_dot_d(x, rbl_cross_d(y, z));
				if (fabs(determinant) < 1e-9)
					continue;
				rbl_vec3d q = rbl_scale_d(planes[a].offset, rbl_cross_d(y, z));
				q = rbl_add_scaled_d(q, planes[b].offset, rbl_cross_d(z, x));
				q = rbl_add_scaled_d(q, planes[c].offset, rbl_cross_d(x, y));
				q = rbl_scale_d(1.0 / determinant, q);
				bool is_corner = true;
				for (int i = 0; i < count && is_corner; ++i)
					is_corner = plane_value(&planes[i], q) <= 1e-9;
				if (is_corner)
					sum = rbl_add_d(sum, q), corners++;
			}
	if (corners < 4)
		return false;
	rbl_vec3d middle = rbl_scale_d(1.0 / corners, sum);
	for (int i = 0; i < count; ++i)
		if (plane_value(&planes[i], middle) > -least)
			return false;
	return true;
}

static bool add_cut(crack_input *input, rbl_crack_cut cut)
{
	if (input->cut_count == input->cut_capacity) {
		int capacity = rbl_maxi(64, 2 * input->cut_capacity);
		void *grown = realloc(input->cuts, (size_t)capacity * sizeof *input->cuts);
		if (!grown)
			return false;
		input->cuts = grown;
		input->cut_capacity = capacity;
	}
	input->cuts[input->cut_count++] = cut;
	return true;
}

static void finish_input(crack_input *input, int part_count)
{
	input->def.part_count = part_count;
	input->def.node_parts = input->node_parts;
	input->def.planes = input->planes;
	input->def.plane_count = input->plane_count;
	input->def.cuts = input->cuts;
	input->def.cut_count = input->cut_count;
}

static int nearest_site(const rbl_vec3d *sites, int count, rbl_vec3d p)
{
	int best = 0;
	for (int i = 1; i < count; ++i)
		if (rbl_distance_d(sites[i], p) < rbl_distance_d(sites[best], p))
			best = i;
	return best;
}

bool crack_by_sites(crack_input *input, const rbl_tets *tets, const crack_cell *within,
                    const rbl_vec3d *sites, int site_count)
{
	rbl_tets_data data = rbl_tets_get_data(tets);
	*input = (crack_input){ .def = { .has_cell_planes = true } };
	input->node_parts = malloc((size_t)data.vertex_count * sizeof *input->node_parts);
	input->planes = malloc((size_t)site_count * (size_t)site_count * sizeof *input->planes);
	crack_cell *cells = malloc((size_t)site_count * sizeof *cells);
	bool ok = input->node_parts && input->planes && cells;
	for (int i = 0; i < data.vertex_count && ok; ++i)
		input->node_parts[i] = nearest_site(sites, site_count, data.positions[i]);
	for (int a = 0; a < site_count && ok; ++a) {
		cells[a] = crack_cell_of_site(within, sites, site_count, a);
		for (int b = 0; b < site_count; ++b) { // plane a * site_count + b has a behind it
			rbl_planed plane =
				a == b ? (rbl_planed){ { 1.0, 0.0, 0.0 }, 0.0 } : bisector(sites[a], sites[b]);
			input->planes[a * site_count + b] =
				(rbl_plane){ rbl_to_f(plane.normal), (float)plane.offset };
		}
	}
	input->plane_count = site_count * site_count;
	for (int tet = 0; tet < data.tet_count && ok; ++tet) {
		rbl_vec3d p[4];
		bool has_node = false;
		for (int k = 0; k < 4; ++k) {
			p[k] = data.positions[data.tet_vertices[4 * tet + k]];
			has_node |= within->plane_count == 0 || crack_cell_depth(within, p[k]) > 0.0;
		}
		double least = 1e-7 * rbl_distance_d(p[0], p[1]);
		if (!overlap(p, within, least))
			continue;
		int present[64], count = 0;
		for (int i = 0; i < site_count; ++i) {
			bool is_node_there = false;
			for (int k = 0; k < 4; ++k)
				is_node_there |= input->node_parts[data.tet_vertices[4 * tet + k]] == i &&
				                 (within->plane_count == 0 || crack_cell_depth(within, p[k]) > 0.0);
			if (is_node_there || overlap(p, &cells[i], least))
				present[count++] = i;
		}
		if (count == 1 && !has_node)
			ok = add_cut(input, (rbl_crack_cut){ tet, -1, present[0], -1 });
		for (int a = 0; a < count; ++a)
			for (int b = a + 1; b < count && ok; ++b)
				ok = add_cut(input, (rbl_crack_cut){ tet, present[a] * site_count + present[b],
				                                     present[a], present[b] });
	}
	free(cells);
	finish_input(input, site_count);
	return ok;
}

bool crack_by_surface(crack_input *input, const rbl_tets *tets,
                      double (*function)(rbl_vec3d p, const void *context), const void *context)
{
	rbl_tets_data data = rbl_tets_get_data(tets);
	*input = (crack_input){ 0 };
	input->node_parts = malloc((size_t)data.vertex_count * sizeof *input->node_parts);
	input->planes = malloc((size_t)data.tet_count * sizeof *input->planes);
	bool ok = input->node_parts && input->planes;
	for (int i = 0; i < data.vertex_count && ok; ++i)
		input->node_parts[i] = function(data.positions[i], context) < 0.0 ? 0 : 1;
	for (int tet = 0; tet < data.tet_count && ok; ++tet) {
		const int *nodes = data.tet_vertices + 4 * (size_t)tet;
		rbl_vec3d p[4];
		double f[4];
		int parts = 0;
		for (int k = 0; k < 4; ++k) {
			p[k] = data.positions[nodes[k]];
			f[k] = function(p[k], context);
			parts += input->node_parts[nodes[k]];
		}
		if (parts == 0 || parts == 4)
			continue;
		rbl_mat3d edges = { rbl_sub_d(p[1], p[0]), rbl_sub_d(p[2], p[0]), rbl_sub_d(p[3], p[0]) };
		// The gradient g of the linear function: edges^T g = differences.
		rbl_vec3d yz = rbl_cross_d(edges.y, edges.z), zx = rbl_cross_d(edges.z, edges.x);
		rbl_vec3d xy = rbl_cross_d(edges.x, edges.y);
		double volume = rbl_dot_d(edges.x, yz);
		rbl_vec3d g = rbl_scale_d((f[1] - f[0]) / volume, yz);
		g = rbl_add_scaled_d(g, (f[2] - f[0]) / volume, zx);
		g = rbl_add_scaled_d(g, (f[3] - f[0]) / volume, xy);
		double length = rbl_length_d(g);
		rbl_vec3d normal = rbl_scale_d(1.0 / length, g);
		input->planes[input->plane_count] =
			(rbl_plane){ rbl_to_f(normal), (float)(rbl_dot_d(normal, p[0]) - f[0] / length) };
		ok = add_cut(input, (rbl_crack_cut){ tet, input->plane_count++, 0, 1 });
	}
	finish_input(input, 2);
	return ok;
}

void crack_input_free(crack_input *input)
{
	free(input->node_parts);
	free(input->planes);
	free(input->cuts);
	*input = (crack_input){ 0 };
}
