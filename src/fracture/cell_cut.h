// SPDX-License-Identifier: MIT
// Cutting a solid by all cells of a pattern at once: what the steps share.
#pragma once

#include "fracture/pieces.h"
#include "geometry/geometry.h"

#include <rubble/jobs.h>

/// A corner of a triangle's part in a cell, and the edge from it to the next corner: 0 to 2 is an
/// edge of the triangle, 3 + f runs along face f of the cell.
typedef struct rbl_clip_corner {
	rbl_vec3d position;
	int label;
} rbl_clip_corner;

/// A triangle in a cell: a polygon, empty when corner_count is zero.
typedef struct rbl_clipped_triangle {
	int triangle, cell;
	int worker;       // whose corner buffer
	int first_corner; // in it
	int corner_count;
} rbl_clipped_triangle;

/// Scratch memory of one worker.
typedef struct rbl_cell_cut_worker {
	RBL_ARRAY(rbl_clip_corner) corners; // of the parts that this worker clipped
	rbl_clip_corner *polygons[2];       // the two sides of clipping, polygon_capacity each
	double *distances;                  // three rows of max_faces + 4, by corner
	unsigned char *masks;               // by face: the corners beyond it; read by eights
	unsigned char *signs;               // by corner of a polygon
	bool out_of_memory;
} rbl_cell_cut_worker;

typedef struct rbl_cell_cut {
	const rbl_solid *solid;
	const rbl_cells *cells; // in the solid's coordinates
	const rbl_allocator *allocator;
	rbl_jobs *jobs;
	int worker_count;
	rbl_cell_cut_worker *workers;

	double tie_tolerance;  // a vertex this near to a plane is decided by its normal
	double snap_tolerance; // a point this near to its canonical place is moved there
	double short_edge;     // a cell with edges this short may have faces that are rounding's alone

	/// Outward planes of all cell faces, by component; walls never have anything beyond them.
	double *nx, *ny, *nz, *nd;
	int max_faces; // of a cell
	int polygon_capacity;
	unsigned char *is_degenerate; // per cell: it has edges without length to speak of

	int first; // where the step that is under way begins

	/// A cut of some cells alone, or NULL: which are wanted, and for each face of the others what
	/// lies inside of the solid there.
	const unsigned char *wanted;
	const double *known_areas;

	int *cell_of;       // per vertex, -1 when no cell admits to it
	int *uncut_cell_of; // per triangle: the cell that has all of it, or -1

	RBL_ARRAY(rbl_clipped_triangle) parts;
	int64_t part_limit; // the most parts
	bool is_limited;    // there would be more
	uint64_t *seen;     // hash set of (triangle, cell) + 1
	int seen_capacity, seen_count;

	/// By cell: uncut triangles and clipped ones that are not empty, in order. ~t stands for all of
	/// the mesh's face whose first triangle is t.
	int *uncut_starts, *uncut_triangles;
	int *part_starts, *part_lists;
} rbl_cell_cut;

/// @return the corner of a triangle after corner k.
static inline int rbl_corner_after(int k)
{
	return k == 2 ? 0 : k + 1;
}

/// Whether vertex v lies beyond a face of a cell. One answer per vertex and plane: the two cells
/// beside a plane read it opposite. Near ties go as if the surface were a little smaller.
static inline bool rbl_vertex_is_beyond(const rbl_cell_cut *s, int v, int face, double distance)
{
	if (distance > s->tie_tolerance || distance < -s->tie_tolerance)
		return distance > 0.0;
	rbl_vec3d n = s->solid->normals[v];
	double facing = s->nx[face] * n.x + s->ny[face] * n.y + s->nz[face] * n.z;
	if (facing != 0.0)
		return facing < 0.0;
	return s->cells->faces[face].sign > 0 ? distance >= 0.0 : distance > 0.0;
}

static inline bool rbl_cell_cut_wants(const rbl_cell_cut *s, int cell)
{
	return !s->wanted || s->wanted[cell];
}

static inline double rbl_face_distance(const rbl_cell_cut *s, int face, rbl_vec3d p)
{
	return s->nx[face] * p.x + s->ny[face] * p.y + s->nz[face] * p.z - s->nd[face];
}

// The steps in their order. Those with a budget, in triangles to clip, continue from item `first`,
// subtract what they did from the budget, and return where to continue. Budgets do not change
// results.

/// Fill cell_of, in whole blocks of vertices.
int rbl_cell_cut_locate(rbl_cell_cut *s, int first, int *budget);

/// Fill uncut_cell_of.
int rbl_cell_cut_find_uncut(rbl_cell_cut *s, int first, int *budget);

/// List the triangles to clip first. @return false when memory ran out
bool rbl_cell_cut_clip_begin(rbl_cell_cut *s);

/// Clip parts, and list what they bring in. @return -1 when memory ran out
int rbl_cell_cut_clip(rbl_cell_cut *s, int first, int *budget);

/// Sort uncut and clipped triangles by cell. @return false when memory ran out
bool rbl_cell_cut_list_by_cell(rbl_cell_cut *s);

/// Begin to cut a solid by cells. The pieces go to `pieces`, which is otherwise set up.
/// @return NULL when memory ran out
rbl_cut_task *rbl_cut_task_begin(const rbl_solid *solid, const rbl_cells *cells, rbl_jobs *jobs,
                                 rbl_pieces *pieces);

/// Cut only some cells; call it before any work. The others are known: the areas of their faces
/// that lie inside of the solid tell which of the wanted cells do. Pieces are those of the wanted
/// cells.
/// @param wanted       per cell, lives as long as the cut
/// @param known_areas  per face of the cells; read where a cell is not wanted and its neighbour is
void rbl_cut_task_limit(rbl_cut_task *cutting, const unsigned char *wanted,
                        const double *known_areas);

/// Triangles that are clipped by cells count as one cut together.
enum { RBL_CLIPS_PER_CUT = 10 };

/// The most triangles to clip, once for each cell, of meshes with so many in all.
static inline int64_t rbl_clip_limit(int cut_limit, int64_t triangle_count)
{
	return (int64_t)RBL_CLIPS_PER_CUT * cut_limit + 3 * triangle_count;
}

/// @return how many triangles were clipped so far, once for each cell they meet.
int rbl_cut_task_clipped(const rbl_cut_task *cutting);

/// Do some of the work. @param budget  in triangles, > 0; less what was done, <= 0 when used up
/// @param is_done  receives whether all pieces are there
/// @return RBL_OK, RBL_OUT_OF_MEMORY, RBL_LIMIT_REACHED (it can only be ended)
rbl_result rbl_cut_task_work(rbl_cut_task *cutting, int *budget, bool *is_done);

/// Free a cut, through or not. NULL is fine.
void rbl_cut_task_end(rbl_cut_task *cutting);
