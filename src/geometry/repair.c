// SPDX-License-Identifier: MIT
//
// Repair of meshes: the draft, the order of steps, and the mesh made from what they leave.

#include "geometry/repair.h"

#include "base/log.h"
#include "base/vec.h"
#include "geometry/mesh.h"
#include "geometry/solid.h"

enum { REPAIR_COOKIE = 0x72657061 };

// How often crossings are looked for: of shells, of groups, and of what rounding leaves.
enum { ROUNDS = 6 };

// Corners that crossings made are joined when they are this near to another, as a share of the
// mesh's diagonal.
#define JOIN_SHARE 1e-9

rbl_mesh_repair_def rbl_default_mesh_repair_def(void)
{
	return (rbl_mesh_repair_def){ .weld_distance = 1e-7,
		                          .drop_degenerate = true,
		                          .drop_duplicates = true,
		                          .orient = true,
		                          .split_nonmanifold = true,
		                          .fill_holes = true,
		                          .resolve_crossings = true,
		                          .cookie = REPAIR_COOKIE };
}

// --- draft ---------------------------------------------------------------------------------

rbl_mesh_data rbl_draft_view(const rbl_draft *draft)
{
	return (rbl_mesh_data){ .vertex_count = draft->positions.count,
		                    .positions = draft->positions.data,
		                    .face_count = draft->starts.count - 1,
		                    .corner_count = draft->vertices.count,
		                    .face_starts = draft->starts.data,
		                    .corner_vertices = draft->vertices.data };
}

rbl_result rbl_draft_add_face(rbl_draft *draft, const int *vertices, const int *corner_sources,
                              int count, int face_source, int flags)
{
	const rbl_allocator *allocator = &draft->allocator;
	int corners = draft->vertices.count;
	if (corners > RBL_MAX_MESH_ITEMS - count)
		return RBL_LIMIT_REACHED;
	if (!rbl_array_reserve(allocator, &draft->vertices, corners + count) ||
	    !rbl_array_reserve(allocator, &draft->corner_sources, corners + count) ||
	    !rbl_array_extend(allocator, &draft->face_sources, 1) ||
	    !rbl_array_extend(allocator, &draft->flags, 1) ||
	    !rbl_array_extend(allocator, &draft->starts, 1))
		return RBL_OUT_OF_MEMORY;
	memcpy(draft->vertices.data + corners, vertices, (size_t)count * sizeof(int));
	memcpy(draft->corner_sources.data + corners, corner_sources, (size_t)count * sizeof(int));
	draft->vertices.count = draft->corner_sources.count = corners + count;
	draft->face_sources.data[draft->face_sources.count++] = face_source;
	draft->flags.data[draft->flags.count++] = (unsigned char)flags;
	draft->starts.data[draft->starts.count++] = corners + count;
	return RBL_OK;
}

static rbl_draft_middle attributes_of(const rbl_draft *draft, int source)
{
	const rbl_mesh_data *from = &draft->source;
	if (source < 0)
		return draft->middles.data[-1 - source];
	rbl_draft_middle corner = { 0 };
	if (from->corner_normals)
		corner.normal = from->corner_normals[source];
	if (from->corner_uv0)
		corner.uv0 = from->corner_uv0[source];
	if (from->corner_uv1)
		corner.uv1 = from->corner_uv1[source];
	if (from->corner_colors)
		corner.color = from->corner_colors[source];
	size_t width = (size_t)from->attribute_width;
	if (width > 0)
		memcpy(corner.attributes, from->corner_attributes + (size_t)source * width,
		       width * sizeof(float));
	return corner;
}

bool rbl_draft_add_middle(rbl_draft *draft, const int *corner_sources, const float *weights,
                          int count)
{
	rbl_draft_middle mean = { 0 };
	for (int i = 0; i < count; ++i) {
		rbl_draft_middle c = attributes_of(draft, corner_sources[i]);
		float share = weights ? weights[i] : 1.0f / (float)count;
		mean.normal = rbl_add_scaled(mean.normal, share, c.normal);
		mean.uv0.x += share * c.uv0.x, mean.uv0.y += share * c.uv0.y;
		mean.uv1.x += share * c.uv1.x, mean.uv1.y += share * c.uv1.y;
		mean.color.x += share * c.color.x, mean.color.y += share * c.color.y;
		mean.color.z += share * c.color.z, mean.color.w += share * c.color.w;
		for (int k = 0; k < draft->source.attribute_width; ++k)
			mean.attributes[k] += share * c.attributes[k];
	}
	mean.normal = rbl_normalize(mean.normal);
	return rbl_array_push(&draft->allocator, &draft->middles, mean);
}

static void reverse(int *items, int count)
{
	for (int i = 0, k = count - 1; i < k; ++i, --k) {
		int swap = items[i];
		items[i] = items[k], items[k] = swap;
	}
}

void rbl_draft_flip(rbl_draft *draft, int face)
{
	// The first corner stays: a quad is cut along the same diagonal then.
	int begin = draft->starts.data[face] + 1, count = draft->starts.data[face + 1] - begin;
	reverse(draft->vertices.data + begin, count);
	reverse(draft->corner_sources.data + begin, count);
	draft->flags.data[face] ^= RBL_DRAFT_FLIPPED;
}

void rbl_draft_remove_faces(rbl_draft *draft, const unsigned char *marks)
{
	int faces = 0, corners = 0;
	for (int f = 0; f + 1 < draft->starts.count; ++f) {
		int begin = draft->starts.data[f], end = draft->starts.data[f + 1];
		if (marks[f])
			continue;
		draft->starts.data[faces] = corners; // below f, whose start has been read
		draft->face_sources.data[faces] = draft->face_sources.data[f];
		draft->flags.data[faces++] = draft->flags.data[f];
		for (int c = begin; c < end; ++c, ++corners) {
			draft->vertices.data[corners] = draft->vertices.data[c];
			draft->corner_sources.data[corners] = draft->corner_sources.data[c];
		}
	}
	draft->starts.data[faces] = corners;
	draft->starts.count = faces + 1;
	draft->face_sources.count = draft->flags.count = faces;
	draft->vertices.count = draft->corner_sources.count = corners;
}

static void draft_destroy(rbl_draft *draft)
{
	const rbl_allocator *allocator = &draft->allocator;
	rbl_array_free(allocator, &draft->middles);
	rbl_array_free(allocator, &draft->flags);
	rbl_array_free(allocator, &draft->face_sources);
	rbl_array_free(allocator, &draft->corner_sources);
	rbl_array_free(allocator, &draft->vertices);
	rbl_array_free(allocator, &draft->starts);
	rbl_array_free(allocator, &draft->positions);
}

static rbl_result draft_init(rbl_draft *draft, const rbl_mesh *mesh, const rbl_allocator *allocator)
{
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	*draft = (rbl_draft){ .allocator = *allocator, .source = data };
	if (!rbl_array_resize(allocator, &draft->positions, data.vertex_count) ||
	    !rbl_array_resize(allocator, &draft->starts, data.face_count + 1) ||
	    !rbl_array_resize(allocator, &draft->vertices, data.corner_count) ||
	    !rbl_array_resize(allocator, &draft->corner_sources, data.corner_count) ||
	    !rbl_array_resize(allocator, &draft->face_sources, data.face_count) ||
	    !rbl_array_resize(allocator, &draft->flags, data.face_count)) {
		draft_destroy(draft);
		return RBL_OUT_OF_MEMORY;
	}
	for (int v = 0; v < data.vertex_count; ++v)
		draft->positions.data[v] = data.positions[v];
	for (int f = 0; f <= data.face_count; ++f)
		draft->starts.data[f] = data.face_starts[f];
	for (int f = 0; f < data.face_count; ++f)
		draft->face_sources.data[f] = f, draft->flags.data[f] = 0;
	for (int c = 0; c < data.corner_count; ++c)
		draft->vertices.data[c] = data.corner_vertices[c], draft->corner_sources.data[c] = c;
	return RBL_OK;
}

// --- the mesh made from it -----------------------------------------------------------------

// Drop vertices that no face uses, the others keep their order.
static void drop_unused(rbl_draft *draft, int *names)
{
	for (int v = 0; v < draft->positions.count; ++v)
		names[v] = -1;
	for (int c = 0; c < draft->vertices.count; ++c)
		names[draft->vertices.data[c]] = 0;
	int count = 0;
	for (int v = 0; v < draft->positions.count; ++v) {
		if (names[v] < 0)
			continue;
		draft->positions.data[count] = draft->positions.data[v];
		names[v] = count++;
	}
	// Welded vertices are no longer used either, and have been counted.
	draft->report.dropped_vertices +=
		draft->positions.count - count - (draft->report.welded_vertices - draft->welded_before);
	draft->positions.count = count;
	for (int c = 0; c < draft->vertices.count; ++c)
		draft->vertices.data[c] = names[draft->vertices.data[c]];
}

typedef struct attributes {
	rbl_vec3 *normals;
	rbl_vec2 *uv0, *uv1;
	rbl_vec4 *colors;
	float *further;
	int *materials;
} attributes;

static void fill_face_attributes(const rbl_draft *draft, const attributes *to, int face)
{
	const rbl_mesh_data *from = &draft->source;
	int begin = draft->starts.data[face], end = draft->starts.data[face + 1];
	int flags = draft->flags.data[face];
	rbl_vec3 flat = { 0.0f, 0.0f, 0.0f };
	if (to->normals && (flags & RBL_DRAFT_NEW))
		flat = rbl_to_f(rbl_normalize_d(
			rbl_polygon_normal(draft->positions.data, draft->vertices.data + begin, end - begin)));
	for (int c = begin; c < end; ++c) {
		rbl_draft_middle corner = attributes_of(draft, draft->corner_sources.data[c]);
		if (to->normals && (flags & RBL_DRAFT_NEW))
			to->normals[c] = flat;
		else if (to->normals)
			to->normals[c] = flags & RBL_DRAFT_FLIPPED ? rbl_neg(corner.normal) : corner.normal;
		if (to->uv0)
			to->uv0[c] = corner.uv0;
		if (to->uv1)
			to->uv1[c] = corner.uv1;
		if (to->colors)
			to->colors[c] = corner.color;
		size_t width = (size_t)from->attribute_width;
		if (to->further)
			memcpy(to->further + (size_t)c * width, corner.attributes, width * sizeof(float));
	}
	if (to->materials)
		to->materials[face] = from->face_materials[draft->face_sources.data[face]];
}

static rbl_result make_mesh(rbl_draft *draft, rbl_mesh **mesh)
{
	const rbl_allocator *allocator = &draft->allocator;
	const rbl_mesh_data *from = &draft->source;
	size_t corners = (size_t)draft->vertices.count + 1, faces = (size_t)draft->starts.count;
	size_t vertices = (size_t)draft->positions.count + 1;
	int *names = RBL_NEW(allocator, int, vertices);
	attributes to = { 0 };
	to.normals = from->corner_normals ? RBL_NEW(allocator, rbl_vec3, corners) : NULL;
	to.uv0 = from->corner_uv0 ? RBL_NEW(allocator, rbl_vec2, corners) : NULL;
	to.uv1 = from->corner_uv1 ? RBL_NEW(allocator, rbl_vec2, corners) : NULL;
	to.colors = from->corner_colors ? RBL_NEW(allocator, rbl_vec4, corners) : NULL;
	size_t further = corners * (size_t)from->attribute_width;
	to.further = further > 0 ? RBL_NEW(allocator, float, further) : NULL;
	to.materials = from->face_materials ? RBL_NEW(allocator, int, faces) : NULL;
	rbl_result result = RBL_OUT_OF_MEMORY;
	if (names && !to.normals == !from->corner_normals && !to.uv0 == !from->corner_uv0 &&
	    !to.uv1 == !from->corner_uv1 && !to.colors == !from->corner_colors &&
	    !to.materials == !from->face_materials && !to.further == !further) {
		drop_unused(draft, names);
		for (int f = 0; f + 1 < draft->starts.count; ++f)
			fill_face_attributes(draft, &to, f);
		rbl_mesh_def def = rbl_default_mesh_def();
		def.data = rbl_draft_view(draft);
		def.data.corner_normals = to.normals;
		def.data.corner_uv0 = to.uv0, def.data.corner_uv1 = to.uv1;
		def.data.corner_colors = to.colors;
		def.data.attribute_count = from->attribute_count, def.data.attributes = from->attributes;
		def.data.attribute_width = from->attribute_width;
		def.data.corner_attributes = to.further;
		def.data.face_materials = to.materials;
		def.data.material_count = from->material_count, def.data.materials = from->materials;
		def.allocator = draft->allocator;
		result = rbl_create_mesh(&def, mesh);
	}
	RBL_FREE(allocator, to.materials, faces);
	RBL_FREE(allocator, to.further, further);
	RBL_FREE(allocator, to.colors, corners);
	RBL_FREE(allocator, to.uv1, corners);
	RBL_FREE(allocator, to.uv0, corners);
	RBL_FREE(allocator, to.normals, corners);
	RBL_FREE(allocator, names, vertices);
	return result;
}

// --- steps ---------------------------------------------------------------------------------

static int count_flipped(const rbl_draft *draft)
{
	int count = 0;
	for (int f = 0; f < draft->flags.count; ++f)
		count += draft->flags.data[f] == RBL_DRAFT_FLIPPED; // caps have no direction to lose
	return count;
}

// Steps for a mesh with borders, bad edges or faces that do not agree.
static rbl_result close_draft(rbl_draft *draft, const rbl_mesh_repair_def *def)
{
	rbl_result result = RBL_OK;
	if (def->weld_distance >= 0.0)
		result = rbl_repair_weld(draft, def->weld_distance);
	if (result == RBL_OK)
		result = rbl_repair_drop_faces(draft, &(rbl_drop_steps){ .repeats = def->drop_degenerate,
		                                                         .duplicates = def->drop_duplicates,
		                                                         .flat = def->drop_degenerate });
	if (result == RBL_OK && def->orient)
		result = rbl_repair_orient_patches(draft);
	if (result == RBL_OK && def->split_nonmanifold)
		result = rbl_repair_split_nonmanifold(draft);
	if (result == RBL_OK && def->fill_holes)
		result = rbl_repair_fill_holes(draft);
	return result;
}

// Steps for a mesh that is closed, as far as that was asked for. How a face is cut decides about
// the volume of its shell, and so about its direction; a face that was turned over may be cut in
// another way.
static rbl_result finish_draft(rbl_draft *draft, const rbl_mesh_repair_def *def, bool has_borders)
{
	rbl_result result = def->split_nonmanifold ? rbl_repair_doubled_diagonals(draft) : RBL_OK;
	for (int round = 0, cut = -1; round < ROUNDS && cut != draft->report.cut_faces; ++round) {
		cut = draft->report.cut_faces;
		if (result == RBL_OK && def->orient)
			result = rbl_repair_orient_outward(draft, has_borders);
		if (result == RBL_OK && def->split_nonmanifold)
			result = rbl_repair_doubled_diagonals(draft);
	}
	draft->report.flipped_faces += count_flipped(draft);
	if (result == RBL_OK && draft->starts.count < 2)
		result = rbl_fail(RBL_BAD_MESH, "none of the %d faces is left: they enclose no volume",
		                  draft->source.face_count);
	return result;
}

static rbl_result copy_mesh(const rbl_mesh *mesh, const rbl_allocator *allocator, rbl_mesh **copy)
{
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = rbl_mesh_get_data(mesh);
	def.allocator = *allocator;
	return rbl_create_mesh(&def, copy);
}

// Closed, manifold and outward, as far as the steps do that.
static rbl_result make_sound(const rbl_mesh *mesh, const rbl_mesh_repair_def *def,
                             const rbl_allocator *allocator, rbl_mesh **sound,
                             rbl_mesh_repair_report *report)
{
	rbl_mesh_report state;
	rbl_draft draft;
	rbl_result result = rbl_mesh_check(mesh, &state);
	if (result == RBL_OK)
		result = draft_init(&draft, mesh, allocator);
	if (result != RBL_OK)
		return result;
	bool is_whole = state.is_closed && state.is_manifold && state.is_oriented;
	if (!is_whole)
		result = close_draft(&draft, def);
	if (result == RBL_OK)
		result = finish_draft(&draft, def, !is_whole && !def->fill_holes);
	if (result == RBL_OK && !is_whole && def->split_nonmanifold)
		result = rbl_repair_bent_faces(&draft);
	draft.report.is_unchanged = is_whole && draft.report.flipped_faces == 0 &&
	                            draft.report.cut_faces == 0 && draft.report.dropped_shells == 0;
	if (result == RBL_OK && draft.report.is_unchanged)
		result = copy_mesh(mesh, allocator, sound);
	else if (result == RBL_OK)
		result = make_mesh(&draft, sound);
	*report = draft.report;
	draft_destroy(&draft);
	return result;
}

// --- crossings -----------------------------------------------------------------------------

static rbl_result make_solid(const rbl_mesh *mesh, const rbl_allocator *allocator,
                             rbl_solid **solid)
{
	rbl_solid_def def = rbl_default_solid_def();
	def.mesh = mesh;
	def.allocator = *allocator;
	return rbl_solid_create_unchecked(&def, solid);
}

// One round: resolve self-intersections, then repair the parts again.
static rbl_result resolve_crossings(const rbl_mesh *mesh, const rbl_mesh_repair_def *def,
                                    const rbl_allocator *allocator, rbl_mesh **resolved,
                                    rbl_mesh_repair_report *report)
{
	rbl_solid *solid = NULL;
	rbl_draft draft;
	bool is_changed = false;
	*resolved = NULL;
	rbl_result result = make_solid(mesh, allocator, &solid);
	if (result == RBL_OK)
		result = draft_init(&draft, mesh, allocator);
	if (result != RBL_OK) {
		rbl_destroy_solid(solid);
		return result;
	}
	draft.report = *report;
	draft.welded_before = report->welded_vertices;
	result = rbl_repair_self_intersections(&draft, solid, &is_changed);
	if (result == RBL_OK && !is_changed)
		result = rbl_solid_check_groups(solid);
	rbl_destroy_solid(solid);
	if (result == RBL_OK && is_changed) {
		// What the motion of vertices leaves behind is smaller than anything that is cut.
		rbl_boxd box = rbl_mesh_bounds(mesh);
		double distance = JOIN_SHARE * rbl_length_d(rbl_box_size_d(box));
		// A vertex that joins another takes its place, and may meet a third there.
		for (int joined = -1; joined != draft.report.welded_vertices && result == RBL_OK;) {
			joined = draft.report.welded_vertices;
			result = rbl_repair_join(&draft, rbl_mesh_get_data(mesh).vertex_count, distance);
			if (result == RBL_OK)
				result = rbl_repair_drop_faces(&draft,
				                               &(rbl_drop_steps){ .repeats = true, .walls = true });
		}
		if (result == RBL_OK)
			result = rbl_repair_split_nonmanifold(&draft);
		if (result == RBL_OK)
			result = finish_draft(&draft, def, false);
		if (result == RBL_OK)
			result = make_mesh(&draft, resolved);
		draft.report.is_unchanged = false;
		*report = draft.report;
	}
	draft_destroy(&draft);
	return result;
}

static rbl_result repair(const rbl_mesh *mesh, const rbl_mesh_repair_def *def,
                         const rbl_allocator *allocator, rbl_mesh **repaired,
                         rbl_mesh_repair_report *report)
{
	rbl_result result = make_sound(mesh, def, allocator, repaired, report);
	if (result != RBL_OK || !def->orient || !def->split_nonmanifold || !def->fill_holes ||
	    !def->resolve_crossings)
		return result;
	for (int round = 0; round < ROUNDS; ++round) {
		rbl_mesh *resolved;
		result = resolve_crossings(*repaired, def, allocator, &resolved, report);
		if (result == RBL_OK && !resolved)
			return RBL_OK;
		rbl_destroy_mesh(*repaired);
		*repaired = resolved;
		if (result != RBL_OK)
			return result;
	}
	rbl_destroy_mesh(*repaired);
	*repaired = NULL;
	return rbl_fail(RBL_BAD_MESH, "the surface crosses itself again and again");
}

rbl_result rbl_mesh_repair(const rbl_mesh *mesh, const rbl_mesh_repair_def *def,
                           rbl_mesh **repaired, rbl_mesh_repair_report *report)
{
	rbl_mesh_repair_report done = { 0 };
	if (!repaired)
		return rbl_fail(RBL_BAD_ARGUMENT, "repaired is NULL");
	*repaired = NULL;
	if (report)
		*report = done;
	if (!mesh)
		return rbl_fail(RBL_BAD_ARGUMENT, "mesh is NULL");
	if (!def || def->cookie != REPAIR_COOKIE)
		return rbl_fail(RBL_BAD_ARGUMENT, "start from rbl_default_mesh_repair_def()");
	if (!(def->weld_distance <= 0.1) || !isfinite(def->weld_distance))
		return rbl_fail(RBL_BAD_ARGUMENT, "weld_distance is %g, at most 0.1", def->weld_distance);
	if (!rbl_allocator_is_valid(&def->allocator))
		return rbl_fail(RBL_BAD_ARGUMENT, "the allocator has one function without the other");
	if (def->fill_holes && !def->split_nonmanifold)
		return rbl_fail(RBL_BAD_ARGUMENT, "fill_holes needs split_nonmanifold");
	rbl_allocator allocator = rbl_allocator_or_default(&def->allocator);
	rbl_result result = repair(mesh, def, &allocator, repaired, &done);
	if (result != RBL_OK) {
		if (result == RBL_OUT_OF_MEMORY)
			rbl_log(RBL_LOG_ERROR, "no memory to repair a mesh");
		return result;
	}
	if (report)
		*report = done;
	return RBL_OK;
}
