// SPDX-License-Identifier: MIT
// A box divided into convex cells that meet face to face.
#pragma once

#include "base/memory.h"
#include "geometry/convex_clip.h"
#include "geometry/convex.h"

#include <rubble/base.h>
#include <rubble/types.h>

/// One side of a wall between two cells.
typedef struct rbl_cell_face {
	/// Index into the plane table. Both cells name the same plane.
	int plane;

	/// The cell beyond, or RBL_CELL_WALL - k for wall k of the container, or RBL_CELL_LEFT_OUT - n
	/// for a cell that was not picked and had the number n.
	int neighbour;

	/// The face of the neighbour that lies opposite, or -1: at walls, and where rounding left a
	/// face on one side only.
	int twin;

	/// 1 when the outward normal is the plane's, -1 when it is the opposite.
	int sign;

	double area;
} rbl_cell_face;

enum {
	RBL_CELL_WALL = -1,
	RBL_CELL_LEFT_OUT = -7,
};

/// The cells. All arrays are by index: cell c has the faces cell_faces[c] to cell_faces[c + 1] - 1
/// and the vertices cell_vertices[c] to cell_vertices[c + 1] - 1, its own copies; face f has the
/// corners face_corners[f] to face_corners[f + 1] - 1, counter-clockwise from outside. Each vertex
/// has three corners, so the corners of cell c start at 3 * cell_vertices[c]. A cell may be empty:
/// no face, no vertex.
typedef struct rbl_cells {
	rbl_allocator allocator;
	rbl_boxd box;
	int cell_count, face_count, vertex_count, corner_count, plane_count;
	int *cell_faces;
	int *cell_vertices;
	rbl_cell_face *faces;
	int *face_corners;
	int *corner_vertices; // index within the cell
	int *corner_faces;    // the cell's face beyond the edge to the next corner, within the cell
	int *corner_twins;    // the corner from which that face runs along the edge, within the cell
	rbl_vec3d *vertices;
	rbl_planed *planes; // unit normals; planes 0 to 5 are the walls, outward
	rbl_vec3d *seeds;   // a point inside each cell
	double *volumes;
	rbl_vec3d *centres; // of mass

	/// Of picked cells: the numbers of cells and planes in what they were picked from first. NULL:
	/// their indices. Plane numbers are below plane_end.
	int *numbers, *plane_numbers;
	int plane_end;

	/// One face of each pair of twins and all faces at walls, large ones first.
	int *shared_faces;
	int shared_face_count;
} rbl_cells;

/// Cells on their way into an rbl_cells: a growing pile, one per block of a parallel build.
typedef struct rbl_cells_batch {
	RBL_ARRAY(int) ids; // of each cell
	RBL_ARRAY(int) face_counts;
	RBL_ARRAY(int) vertex_counts;
	RBL_ARRAY(rbl_cell_face) faces; // plane is not known yet
	RBL_ARRAY(rbl_planed) planes;   // of each face, outward
	RBL_ARRAY(int) corner_counts;   // of each face
	RBL_ARRAY(int) corner_vertices;
	RBL_ARRAY(int) corner_faces;
	RBL_ARRAY(rbl_vec3d) vertices;
	RBL_ARRAY(rbl_vec3d) seeds;
} rbl_cells_batch;

/// Add a clipped polyhedron as cell `id`. Tags of its faces are neighbours: a cell's id, or
/// RBL_WALL_TAG + k. `origin` is added to all coordinates. @return false when memory ran out
bool rbl_cells_batch_add(rbl_cells_batch *part, const rbl_allocator *allocator,
                         rbl_clipper *clipper, int id, rbl_vec3d origin);

#define RBL_WALL_TAG ((uint64_t)1 << 32)

/// Free a part.
void rbl_cells_batch_destroy(rbl_cells_batch *part, const rbl_allocator *allocator);

typedef enum rbl_cells_stage {
	RBL_CELLS_ALLOCATE,
	RBL_CELLS_COPY,
	RBL_CELLS_SHARE_PLANES,
	RBL_CELLS_MEASURE,
	RBL_CELLS_PAIR_CORNERS,
	RBL_CELLS_SORT_JOINTS,
} rbl_cells_stage;

/// Cells 0 to cell_count - 1 while they are made out of parts, of which there is one or more; ids
/// that no part has become empty cells. Begin with the parts, and all else 0.
typedef struct rbl_cells_building {
	const rbl_cells_batch *parts;
	int part_count;
	rbl_cells cells;
	rbl_planed *plane_of; // of each face, before planes are shared
	int plane_capacity;
	rbl_cells_stage stage;
	int next; // part or cell of the stage
} rbl_cells_building;

/// Do some of it: a part or 256 cells of a stage. The other arguments are the same for all.
/// @param face_count  receives how many faces that went through
/// @return RBL_OK, RBL_OUT_OF_MEMORY, RBL_LIMIT_REACHED; then end it
rbl_result rbl_cells_build_some(rbl_cells_building *building, const rbl_allocator *allocator,
                                rbl_boxd box, int cell_count, int *face_count, bool *is_done);

/// The cells, once it is done: the caller's now.
rbl_cells rbl_cells_build_take(rbl_cells_building *building);

/// Give up, at any time.
void rbl_cells_build_end(rbl_cells_building *building);

/// Allocate all arrays for the counts that `cells` holds. @return false when memory ran out
bool rbl_cells_allocate(rbl_cells *cells, const rbl_allocator *allocator);

/// Free the arrays.
void rbl_cells_destroy(rbl_cells *cells);

/// Copy cells through p -> map p + shift, in slices: begin, then cells [0, cell_count) in order and
/// without gaps. A map that mirrors turns the loops round; one that flattens is refused. Planes
/// keep their indices, walls move along.
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY
rbl_result rbl_cells_map_begin(rbl_cells *mapped, const rbl_allocator *allocator,
                               const rbl_cells *cells, rbl_mat3d map, rbl_vec3d shift);
void rbl_cells_map_some(rbl_cells *mapped, const rbl_cells *cells, rbl_mat3d map, rbl_vec3d shift,
                        int begin, int end);

/// Copy cells chosen[0] to chosen[count - 1], which ascend, moved by `shift`, as cells 0 to count -
/// 1, with the walls and the planes that they use. What is cut must not reach into others, but for
/// rounding.
/// @return RBL_OK, RBL_OUT_OF_MEMORY. Cost: O(n log n) in what is chosen
rbl_result rbl_cells_subset(rbl_cells *picked, const rbl_allocator *allocator,
                            const rbl_cells *cells, const int *chosen, int count, rbl_vec3d shift);

/// The same for most of the cells, in slices: by tables instead of sorting, with the same result.
typedef struct rbl_cell_picking {
	rbl_cells *picked;
	const rbl_cells *cells;
	const rbl_allocator *allocator;
	const int *chosen;
	int count;
	rbl_vec3d shift;
	int stage, next;     // what is done next
	int *planes, *faces; // new numbers of planes and faces, RBL_NONE: left out; NULL: not begun
} rbl_cell_picking;

/// Begin to copy cells chosen[0] to chosen[count - 1], which live as long as the work, moved by
/// `shift`.
/// @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_cells_pick_begin(rbl_cell_picking *p, rbl_cells *picked,
                                const rbl_allocator *allocator, const rbl_cells *cells,
                                const int *chosen, int count, rbl_vec3d shift);

/// Do some of it. @param budget  in cells copied, > 0; what was done is taken from it
/// @return RBL_OK, RBL_OUT_OF_MEMORY: there are no cells then
rbl_result rbl_cells_pick_some(rbl_cell_picking *p, int *budget, bool *is_done);

/// Free what the work needed. What is picked stays.
void rbl_cells_pick_end(rbl_cell_picking *p);

/// Copy a cell out as a convex: *convex is NULL for an empty cell. A plane of number p gets the id
/// plane_id_base + p. @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_cell_convex(const rbl_cells *cells, int cell, uint64_t plane_id_base,
                           const rbl_allocator *allocator, rbl_convex **convex);

/// Load a cell into the working form, tags as above. @return false when memory ran out
bool rbl_clipper_load_cell(rbl_clipper *clipper, const rbl_cells *cells, int cell,
                           uint64_t plane_id_base);

/// The outward plane of a face.
static inline rbl_planed rbl_cell_face_plane(const rbl_cells *cells, int face)
{
	rbl_planed plane = cells->planes[cells->faces[face].plane];
	if (cells->faces[face].sign < 0)
		plane =
			(rbl_planed){ { -plane.normal.x, -plane.normal.y, -plane.normal.z }, -plane.offset };
	return plane;
}

/// The number of a cell, and of a plane, in what they were picked from.
static inline int rbl_cell_number(const rbl_cells *cells, int cell)
{
	return cells->numbers ? cells->numbers[cell] : cell;
}

static inline int rbl_cell_plane_number(const rbl_cells *cells, int plane)
{
	return cells->plane_numbers ? cells->plane_numbers[plane] : plane;
}

/// The number of the cell beyond a face, or RBL_CELL_WALL - k, whether it was picked or not.
static inline int rbl_cell_beyond(const rbl_cells *cells, int face)
{
	int neighbour = cells->faces[face].neighbour;
	if (neighbour >= 0)
		return rbl_cell_number(cells, neighbour);
	return neighbour <= RBL_CELL_LEFT_OUT ? RBL_CELL_LEFT_OUT - neighbour : neighbour;
}
