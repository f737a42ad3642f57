// SPDX-License-Identifier: MIT
// Voronoi cells of points in a box.
#pragma once

#include "geometry/convex_cells.h"

#include <rubble/jobs.h>

/// The cells of `sites` in `box`, near-linear in their number also when they crowd together.
/// Where several sites coincide (within 1e-12 of the box), the first gets the cell and the others
/// are empty. Sites outside the box, or not finite, are refused.
/// Memory is linear in their number: cells with more than 2^14 + 64 per site faces in all, as of
/// sites on two curves, are refused.
/// @param jobs  NULL: the calling thread does all; the result is the same bits
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY, RBL_LIMIT_REACHED
rbl_result rbl_voronoi_cells(rbl_cells *cells, const rbl_allocator *allocator, rbl_boxd box,
                             const rbl_vec3d *sites, int site_count, rbl_jobs *jobs);

/// The same for sites anywhere: of each cell what lies in the box, and nothing for cells that do
/// not meet it. Memory is that of the cells that do, and of the sites.
/// @param cell_limit  the most cells that may meet the box
/// @return as above, RBL_LIMIT_REACHED without a line in the log where more cells do
rbl_result rbl_voronoi_cells_within(rbl_cells *cells, const rbl_allocator *allocator, rbl_boxd box,
                                    const rbl_vec3d *sites, int site_count, int cell_limit,
                                    rbl_jobs *jobs);

/// The same in slices.
typedef struct rbl_voronoi_making rbl_voronoi_making;

/// Sort the sites. @param making  receives what is to be ended; NULL on failure
/// @return as above
rbl_result rbl_voronoi_begin(rbl_voronoi_making **making, const rbl_allocator *allocator,
                             rbl_boxd box, const rbl_vec3d *sites, int site_count, int cell_limit,
                             rbl_jobs *jobs);

/// Make some of the cells. @param budget  in cells, > 0; what was done is taken from it
/// @param cells  receives them when all are made
/// @return as above; whatever it is, end it
rbl_result rbl_voronoi_some(rbl_voronoi_making *making, int *budget, bool *is_done,
                            rbl_cells *cells);

/// NULL is fine.
void rbl_voronoi_end(rbl_voronoi_making *making);
