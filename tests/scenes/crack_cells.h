// SPDX-License-Identifier: MIT
// Cracks in a tetrahedral mesh, as a fracture code would hand them over: Voronoi cells, and curved
// surfaces.
#pragma once

#include <rubble/crack_field.h>
#include <rubble/tets.h>

#include <stdbool.h>

/// What to give to rbl_crack_field_break(). On the heap.
typedef struct crack_input {
	rbl_crack_break def;
	int *node_parts;
	rbl_plane *planes;
	rbl_crack_cut *cuts;
	int plane_count, cut_count, cut_capacity;
} crack_input;

/// A convex part of space: what lies behind all planes.
typedef struct crack_cell {
	rbl_planed planes[64];
	int plane_count;
} crack_cell;

/// Cut what a mesh has within a cell into the Voronoi cells of sites.
/// @param within  the fragment that breaks, as a cell; no plane: all of the mesh
/// @return false when memory ran out
bool crack_by_sites(crack_input *input, const rbl_tets *tets, const crack_cell *within,
                    const rbl_vec3d *sites, int site_count);

/// The cell of a site within a cell.
crack_cell crack_cell_of_site(const crack_cell *within, const rbl_vec3d *sites, int site_count,
                              int site);

/// Cut the whole mesh by a surface: part 0 is where the function is negative. Each tetrahedron gets
/// the plane on which the function is zero when it is taken as linear there.
bool crack_by_surface(crack_input *input, const rbl_tets *tets,
                      double (*function)(rbl_vec3d p, const void *context), const void *context);

void crack_input_free(crack_input *input);

/// The deepest that a point lies in a cell: the least distance from its planes; negative outside.
double crack_cell_depth(const crack_cell *cell, rbl_vec3d p);
