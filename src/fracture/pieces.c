// SPDX-License-Identifier: MIT
//
// Breaking a solid into pieces: placing the pattern, and queries.

#include "fracture/pieces.h"

#include "base/log.h"
#include "base/sort.h"
#include "base/vec.h"
#include "fracture/pattern.h"
#include "fracture/roughness.h"
#include "fracture/cell_cut.h"
#include "geometry/geometry.h"

#include <limits.h>

enum { PIECES_COOKIE = 0x70696563 };

rbl_pieces_def rbl_default_pieces_def(void)
{
	return (rbl_pieces_def){
		.shape = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } },
		.inner = { .material = -1, .uv_scale = 1.0, .color = { 1.0f, 1.0f, 1.0f, 1.0f } },
		.cut_limit = RBL_CUT_LIMIT,
		.cookie = PIECES_COOKIE,
	};
}

// The pattern's cells in the solid's coordinates, large enough for all of it.
static rbl_result place_pattern_cells(rbl_pieces *pieces, const rbl_pieces_def *def)
{
	const rbl_solid *solid = def->solid;
	rbl_placement placement = {
		.position = rbl_sub_d(def->position, solid->origin),
		.shape = def->shape,
		.rotation_seed = def->rotation_seed,
		.bounds = { rbl_neg_d(solid->half), solid->half },
		.cell_limit = def->cut_limit,
	};
	return rbl_pattern_place(def->pattern, &placement, def->jobs, &pieces->allocator,
	                         &pieces->cells);
}

rbl_result rbl_mesh_duplicate(const rbl_mesh *mesh, const rbl_allocator *allocator, rbl_mesh **copy)
{
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = rbl_mesh_get_data(mesh);
	def.allocator = *allocator;
	return rbl_create_mesh(&def, copy);
}

rbl_result rbl_solid_of_mesh(const rbl_mesh *mesh, const rbl_allocator *allocator,
                             rbl_solid **solid)
{
	rbl_solid_def def = rbl_default_solid_def();
	def.mesh = mesh;
	def.allocator = *allocator;
	return rbl_create_solid(&def, solid);
}

rbl_result rbl_check_cut(rbl_vec3d position, rbl_mat3d shape, const rbl_inner_look *inner,
                         int cut_limit)
{
	if (!rbl_is_finite_d(position) || !rbl_is_finite_d(shape.x) || !rbl_is_finite_d(shape.y) ||
	    !rbl_is_finite_d(shape.z))
		return rbl_fail(RBL_BAD_ARGUMENT, "position or shape is not finite");
	if (!(inner->uv_scale > 0.0) || !isfinite(inner->uv_scale))
		return rbl_fail(RBL_BAD_ARGUMENT, "inner.uv_scale is %g, must be positive",
		                inner->uv_scale);
	if (!(inner->roughness >= 0.0) || !isfinite(inner->roughness) || !(inner->rough_step >= 0.0) ||
	    !isfinite(inner->rough_step))
		return rbl_fail(RBL_BAD_ARGUMENT, "inner.roughness is %g, rough_step %g, must be 0 or more",
		                inner->roughness, inner->rough_step);
	if (cut_limit < 1)
		return rbl_fail(RBL_BAD_ARGUMENT, "cut_limit is %d, must be > 0", cut_limit);
	return RBL_OK;
}

static rbl_result check_pieces_def(const rbl_pieces_def *def)
{
	if (!def || def->cookie != PIECES_COOKIE)
		return rbl_fail(RBL_BAD_ARGUMENT, "start from rbl_default_pieces_def()");
	if (!def->solid || !def->pattern)
		return rbl_fail(RBL_BAD_ARGUMENT, "solid or pattern is NULL");
	rbl_result result = rbl_check_cut(def->position, def->shape, &def->inner, def->cut_limit);
	if (result != RBL_OK)
		return result;
	int materials = rbl_mesh_get_data(def->solid->mesh).material_count;
	if (def->inner.material < -1 || def->inner.material > rbl_maxi(materials, 1))
		return rbl_fail(RBL_BAD_ARGUMENT, "inner.material is %d of %d", def->inner.material,
		                materials);
	if (!rbl_allocator_is_valid(&def->allocator))
		return rbl_fail(RBL_BAD_ARGUMENT, "allocator has one function of two");
	return RBL_OK;
}

static double triangle_area(const rbl_solid *solid, int triangle)
{
	const int *v = solid->triangle_vertices + 3 * triangle;
	rbl_vec3d a = solid->positions[v[0]], b = solid->positions[v[1]], c = solid->positions[v[2]];
	return 0.5 * rbl_length_d(rbl_cross_d(rbl_sub_d(b, a), rbl_sub_d(c, a)));
}

// Find the material that most of each group's surface has. @return false when memory ran out
static bool find_group_materials(rbl_pieces *pieces)
{
	const rbl_solid *solid = pieces->solid;
	rbl_mesh_data mesh = rbl_mesh_get_data(solid->mesh);
	if (mesh.material_count < 2 || !mesh.face_materials ||
	    rbl_pieces_inner_material(pieces) < mesh.material_count)
		return true; // it does not matter
	size_t count = (size_t)solid->triangle_count;
	rbl_sort_item64 *items = RBL_NEW(&pieces->allocator, rbl_sort_item64, 2 * count);
	pieces->group_materials = RBL_NEW_ZERO(&pieces->allocator, int, solid->group_count);
	bool done = items && pieces->group_materials;
	if (done) {
		uint64_t materials = (uint64_t)mesh.material_count;
		for (int t = 0; t < solid->triangle_count; ++t) {
			uint64_t material = (uint64_t)mesh.face_materials[solid->triangle_faces[t]];
			items[t] =
				(rbl_sort_item64){ (uint64_t)solid->triangle_groups[t] * materials + material,
				                   (uint32_t)t, 0 };
		}
		rbl_sort64(items, items + count, solid->triangle_count);
		double max = 0.0, sum = 0.0;
		for (size_t i = 0; i < count; ++i) {
			int group = (int)(items[i].key / materials);
			bool is_new = i == 0 || items[i - 1].key != items[i].key;
			if (i == 0 || items[i - 1].key / materials != items[i].key / materials)
				max = 0.0;
			sum = (is_new ? 0.0 : sum) + triangle_area(solid, (int)items[i].value);
			if (sum > max)
				max = sum, pieces->group_materials[group] = (int)(items[i].key % materials);
		}
	}
	RBL_FREE(&pieces->allocator, items, 2 * count);
	return done;
}

static rbl_result begin(const rbl_pieces_def *def, rbl_cells *cells, rbl_pieces **pieces,
                        rbl_cut_task **cutting)
{
	rbl_result result = check_pieces_def(def);
	if (result != RBL_OK)
		return result;
	rbl_allocator allocator = rbl_allocator_or_default(&def->allocator);
	rbl_pieces *made = RBL_NEW_ZERO(&allocator, rbl_pieces, 1);
	if (!made)
		return RBL_OUT_OF_MEMORY;
	made->allocator = allocator;
	made->solid = def->solid;
	made->pattern = def->pattern;
	made->def = *def;
	if (cells) {
		made->cells = *cells;
		*cells = (rbl_cells){ 0 };
	} else {
		result = place_pattern_cells(made, def);
	}
	if (result == RBL_OK && !find_group_materials(made))
		result = RBL_OUT_OF_MEMORY;
	if (result == RBL_OK)
		*cutting = rbl_cut_task_begin(def->solid, &made->cells, def->jobs, made);
	if (!*cutting) {
		rbl_destroy_pieces(made);
		return result == RBL_OK ? RBL_OUT_OF_MEMORY : result;
	}
	*pieces = made;
	return RBL_OK;
}

rbl_result rbl_begin_pieces(const rbl_pieces_def *def, rbl_cells *cells, rbl_pieces **pieces,
                            rbl_cut_task **cutting)
{
	*pieces = NULL;
	*cutting = NULL;
	rbl_result result = begin(def, cells, pieces, cutting);
	if (cells && cells->cell_faces)
		rbl_cells_destroy(cells);
	return result;
}

rbl_result rbl_pieces_check(const rbl_pieces *pieces)
{
	double all = pieces->solid->volume;
	if (pieces->inverted_volume <= RBL_INVERTED_SHARE * all)
		return RBL_OK;
	return rbl_fail(RBL_BAD_MESH,
	                "the surface crosses itself and is inside out in %d places, %.3g of its volume "
	                "of %.3g; rbl_mesh_repair() takes it apart there",
	                pieces->inverted_count, pieces->inverted_volume, all);
}

rbl_result rbl_create_pieces(const rbl_pieces_def *def, rbl_pieces **pieces)
{
	if (!pieces)
		return rbl_fail(RBL_BAD_ARGUMENT, "pieces is NULL");
	rbl_cut_task *cutting = NULL;
	rbl_result result = rbl_begin_pieces(def, NULL, pieces, &cutting);
	bool is_done = false;
	while (result == RBL_OK && !is_done)
		result = rbl_cut_task_work(cutting, &(int){ INT_MAX }, &is_done);
	rbl_cut_task_end(cutting);
	if (result == RBL_OK)
		result = rbl_pieces_check(*pieces);
	if (result != RBL_OK) {
		rbl_destroy_pieces(*pieces);
		*pieces = NULL;
	}
	return result;
}

void rbl_destroy_pieces(rbl_pieces *pieces)
{
	if (!pieces)
		return;
	rbl_allocator a = pieces->allocator;
	for (int i = 0; i < pieces->blocks.count; ++i)
		rbl_piece_block_destroy(pieces->blocks.data[i], &a);
	rbl_array_free(&a, &pieces->blocks);
	rbl_array_free(&a, &pieces->pieces);
	RBL_FREE(&a, pieces->group_materials, pieces->solid->group_count);
	if (pieces->cells.cell_faces)
		rbl_cells_destroy(&pieces->cells);
	RBL_FREE(&a, pieces, 1);
}

// --- What is known ------------------------------------------------------------------------------

rbl_face_view rbl_piece_face_view(const rbl_pieces *pieces, const rbl_piece *piece, int f)
{
	if (piece->block < 0) {
		const rbl_cells *cells = &pieces->cells;
		int face = piece->first_face + f, begin = cells->face_corners[face];
		return (rbl_face_view){ .source = ~face,
			                    .corners = cells->corner_vertices + begin,
			                    .corner_count = cells->face_corners[face + 1] - begin,
			                    .loop_count = 1,
			                    .mesh_corner = -1 };
	}
	const rbl_piece_block *block = pieces->blocks.data[piece->block];
	const rbl_piece_face *face = &block->faces.data[piece->first_face + f];
	const int *corners = block->corners.data + face->first_corner;
	rbl_face_view view = { face->source,
		                   corners,
		                   face->corner_count,
		                   face->loop_count,
		                   corners + face->corner_count,
		                   face->is_merged ? corners + face->corner_count : NULL,
		                   -1 };
	if (face->is_uncut) {
		int mesh_face = pieces->solid->triangle_faces[face->source];
		view.mesh_corner = pieces->solid->face_starts[mesh_face];
	}
	return view;
}

const rbl_vec3d *rbl_piece_vertices(const rbl_pieces *pieces, const rbl_piece *piece)
{
	if (piece->block < 0)
		return pieces->cells.vertices + piece->first_vertex;
	return pieces->blocks.data[piece->block]->vertices.data + piece->first_vertex;
}

rbl_pieces_report rbl_pieces_get_report(const rbl_pieces *pieces)
{
	if (!pieces)
		return (rbl_pieces_report){ 0 };
	rbl_pieces_report report = {
		.piece_count = pieces->pieces.count,
		.volume_in = pieces->solid->volume,
		.volume_out = pieces->volume,
		.flat_count = pieces->flat_count,
		.inverted_count = pieces->inverted_count,
		.overlap_count = pieces->winding_count,
		.rerouted_count = pieces->rerouted_count,
		.mismatch_count = pieces->uncertain_offset_count,
	};
	for (int i = 0; i < pieces->pieces.count; ++i)
		report.inner_count += pieces->pieces.data[i].block < 0;
	return report;
}

int rbl_pieces_count(const rbl_pieces *pieces)
{
	return pieces ? pieces->pieces.count : 0;
}

rbl_piece_info rbl_piece_get_info(const rbl_pieces *pieces, int piece)
{
	if (!pieces || piece < 0 || piece >= pieces->pieces.count)
		return (rbl_piece_info){ 0 };
	const rbl_piece *p = &pieces->pieces.data[piece];
	rbl_piece_info info = {
		.cell = rbl_cell_number(&pieces->cells, p->cell),
		.color = rbl_pattern_cell_color(pieces->pattern, rbl_cell_number(&pieces->cells, p->cell)),
		.shell = p->group,
		.is_inner = p->block < 0,
		.vertex_count = p->vertex_count,
		.face_count = p->face_count,
		.volume = p->volume,
		.centre = rbl_add_d(p->centre, pieces->solid->origin),
	};
	for (int f = 0; f < p->face_count; ++f) {
		rbl_face_view face = rbl_piece_face_view(pieces, p, f);
		if (rbl_face_is_rough(pieces, &face))
			info.triangle_capacity +=
				rbl_rough_capacity(pieces, rbl_piece_vertices(pieces, p), &face);
		else
			info.triangle_capacity +=
				face.loop_count > 1 ? rbl_triangulate_capacity(face.corner_count, face.loop_count)
									: face.corner_count - 2;
	}
	return info;
}

int rbl_pieces_inner_material(const rbl_pieces *pieces)
{
	rbl_mesh_data data = rbl_mesh_get_data(pieces->solid->mesh);
	return rbl_inner_slot(&data, &pieces->def.inner);
}
