// SPDX-License-Identifier: MIT
//
// Preparing a mesh (Mueller et al. 2013, section 4): shells, nodes, pieces, convexes.
//
// Shells are prepared one by one, since they may overlap. A shell that fits its hull within the
// tolerance stays whole; any other gets nodes, as many as an estimate by samples asks for, and more
// when the real convexes do not fit yet.

#include "base/hash.h"
#include "base/log.h"
#include "base/vec.h"
#include "fracture/asset.h"

enum { COOKIE = 0x70726570 };
enum { LEAST_SAMPLES = 600, MOST_SAMPLES = 1800, PER_NODE = 80, MOST_ROUNDS = 16 };

rbl_prepare_def rbl_default_prepare_def(void)
{
	return (rbl_prepare_def){
		.tolerance = 0.2,
		.node_limit = 64,
		.hull_vertices = 32,
		.inner = rbl_default_pieces_def().inner,
		.seed = 1,
		.cookie = COOKIE,
	};
}

static rbl_result check_def(const rbl_prepare_def *def)
{
	if (!def || def->cookie != COOKIE)
		return rbl_fail(RBL_BAD_ARGUMENT, "start from rbl_default_prepare_def()");
	if (!rbl_allocator_is_valid(&def->allocator))
		return rbl_fail(RBL_BAD_ARGUMENT, "allocator has one function of two");
	if (def->node_count < 0 || def->node_count > RBL_MAX_NODES ||
	    (def->nodes && def->node_count == 0))
		return rbl_fail(RBL_BAD_ARGUMENT, "node_count is %d, must be %d to %d", def->node_count,
		                def->nodes ? 1 : 0, RBL_MAX_NODES);
	for (int i = 0; def->nodes && i < def->node_count; ++i)
		if (!rbl_is_finite_d(def->nodes[i]))
			return rbl_fail(RBL_BAD_ARGUMENT, "node %d is not finite", i);
	if (!(def->tolerance > 0.0))
		return rbl_fail(RBL_BAD_ARGUMENT, "tolerance is %g, must be > 0", def->tolerance);
	if (def->node_limit < 1 || def->node_limit > RBL_MAX_NODES)
		return rbl_fail(RBL_BAD_ARGUMENT, "node_limit is %d, must be 1 to %d", def->node_limit,
		                RBL_MAX_NODES);
	if (def->hull_vertices < 4 || def->hull_vertices > 48)
		return rbl_fail(RBL_BAD_ARGUMENT, "hull_vertices is %d, must be 4 to 48",
		                def->hull_vertices);
	if (!(def->inner.uv_scale > 0.0) || !isfinite(def->inner.uv_scale))
		return rbl_fail(RBL_BAD_ARGUMENT, "inner.uv_scale is %g, must be positive",
		                def->inner.uv_scale);
	return RBL_OK;
}

// --- one shell ----------------------------------------------------------------------------------

typedef struct shell_work {
	const rbl_prepare_def *def;
	const rbl_allocator *allocator;
	const rbl_mesh *mesh;
	const rbl_solid *solid;
	rbl_vacd_settings settings;
	RBL_ARRAY(rbl_vec3d) nodes; // in the mesh's coordinates
	rbl_vacd_parts parts;
	double ratio; // volume of convexes over that of the shell
	rbl_prepare_stop stop;
	rbl_result result;
} shell_work;

// The shell as it is, and its hull.
static rbl_result keep_whole(shell_work *w)
{
	rbl_mesh_data data = rbl_mesh_view(w->mesh);
	rbl_vacd_part part = { .visual_volume = w->solid->volume };
	rbl_outer_hull_def hull_def = rbl_default_outer_hull_def();
	rbl_outer_hull *hull = NULL;
	hull_def.points = data.positions;
	hull_def.point_count = data.vertex_count;
	hull_def.vertex_count = w->def->hull_vertices;
	hull_def.allocator = *w->allocator;
	rbl_result result = rbl_create_outer_hull(&hull_def, &hull);
	if (result == RBL_OK) {
		rbl_outer_hull_data h = rbl_outer_hull_view(hull);
		rbl_boxd box = rbl_mesh_bounds(w->mesh);
		rbl_convex_def convex_def = rbl_default_convex_def();
		convex_def.box = rbl_box_grow_d(box, 1e-6 * rbl_length_d(rbl_box_size_d(box)));
		convex_def.planes = h.planes;
		convex_def.plane_count = h.plane_count;
		convex_def.allocator = *w->allocator;
		result = rbl_create_convex(&convex_def, &part.convex);
	}
	rbl_destroy_outer_hull(hull);
	if (result == RBL_OK) {
		rbl_mesh_def mesh_def = rbl_default_mesh_def();
		mesh_def.data = data;
		mesh_def.allocator = *w->allocator;
		result = rbl_create_mesh(&mesh_def, &part.mesh);
	}
	part.volume = rbl_convex_mass(part.convex).volume;
	w->settings.plane_end = w->settings.plane_base;
	if (result == RBL_OK && rbl_array_push(w->allocator, &w->parts.items, part))
		return RBL_OK;
	rbl_destroy_convex(part.convex);
	rbl_destroy_mesh(part.mesh);
	return result == RBL_OK ? RBL_OUT_OF_MEMORY : result;
}

static rbl_result divide(shell_work *w)
{
	rbl_vacd_parts_free(w->allocator, &w->parts);
	rbl_result result =
		w->nodes.count > 1 || w->def->nodes
			? rbl_vacd(w->solid, w->nodes.data, w->nodes.count, &w->settings, &w->parts)
			: keep_whole(w);
	double sum = 0.0;
	for (int i = 0; i < w->parts.items.count; ++i)
		sum += w->parts.items.data[i].volume;
	w->ratio = w->solid->volume > 0.0 ? sum / w->solid->volume : 1.0;
	return result;
}

static bool take_nodes(shell_work *w, const rbl_nodes *nodes)
{
	w->nodes.count = 0;
	for (int i = 0; i < nodes->positions.count; ++i) {
		rbl_vec3d p = rbl_add_d(nodes->positions.data[i], w->solid->origin);
		if (!rbl_array_push(w->allocator, &w->nodes, p))
			return false;
	}
	return true;
}

// Keep what fits better: the work's nodes and parts, or those of `best`.
static void keep_better(shell_work *w, shell_work *best)
{
	if (best->parts.items.count > 0 && best->ratio <= w->ratio)
		return;
	shell_work swap = *best;
	best->parts = w->parts, best->nodes = w->nodes, best->ratio = w->ratio;
	w->parts = swap.parts, w->nodes = swap.nodes, w->ratio = swap.ratio;
}

// More and more nodes, until the convexes fit.
static rbl_result divide_to_fit(shell_work *w, const rbl_samples *samples, rbl_nodes *nodes,
                                shell_work *best)
{
	const rbl_prepare_def *def = w->def;
	int limit = def->node_limit, least = 2;
	double wanted = 1.0 + def->tolerance, estimate = 1.0 + 0.6 * def->tolerance;
	w->stop = RBL_STOP_NO_GAIN;
	for (int round = 0, idle = 0; round < MOST_ROUNDS && idle < 3; ++round) {
		double before = best->parts.items.count > 0 ? best->ratio : DBL_MAX;
		if (!rbl_place_nodes(w->allocator, samples, estimate, least, limit, def->seed, nodes) ||
		    !take_nodes(w, nodes))
			return RBL_OUT_OF_MEMORY;
		rbl_result result = divide(w);
		if (result != RBL_OK)
			return result;
		double ratio = w->ratio;
		keep_better(w, best);
		if (best->ratio <= wanted || nodes->positions.count >= limit) {
			w->stop = best->ratio <= wanted ? RBL_STOP_TOLERANCE : RBL_STOP_NODE_LIMIT;
			return RBL_OK;
		}
		idle = best->ratio > 0.99 * before ? idle + 1 : 0;
		// What the samples did not see is in the real convexes and will be there again.
		estimate = rbl_maxd(1.0 + 0.3 * def->tolerance,
		                    nodes->ratio - (ratio - wanted) * nodes->ratio / ratio);
		least = nodes->positions.count + rbl_maxi(1, nodes->positions.count / 4);
	}
	return RBL_OK;
}

static rbl_result place_and_divide(shell_work *w, const rbl_samples *samples)
{
	rbl_nodes nodes = { 0 };
	shell_work best = { 0 };
	rbl_result result = RBL_OUT_OF_MEMORY;
	int count = w->def->node_count;
	if (count == 0)
		result = divide_to_fit(w, samples, &nodes, &best);
	else if (rbl_place_nodes(w->allocator, samples, 0.0, count, count, w->def->seed, &nodes) &&
	         take_nodes(w, &nodes))
		result = divide(w);
	if (best.parts.items.count > 0) {
		shell_work swap = *w;
		w->parts = best.parts, w->nodes = best.nodes, w->ratio = best.ratio;
		best.parts = swap.parts, best.nodes = swap.nodes;
	}
	rbl_vacd_parts_free(w->allocator, &best.parts);
	rbl_array_free(w->allocator, &best.nodes);
	rbl_array_free(w->allocator, &nodes.positions);
	return result;
}

static rbl_result divide_shell(shell_work *w)
{
	const rbl_prepare_def *def = w->def;
	w->stop = RBL_STOP_GIVEN;
	for (int i = 0; def->nodes && i < def->node_count; ++i)
		if (!rbl_array_push(w->allocator, &w->nodes, def->nodes[i]))
			return RBL_OUT_OF_MEMORY;
	if (!def->nodes && !rbl_array_push(w->allocator, &w->nodes, w->solid->origin))
		return RBL_OUT_OF_MEMORY;
	if (def->nodes || def->node_count < 2) {
		rbl_result result = divide(w);
		if (result != RBL_OK || def->nodes || def->node_count == 1)
			return result;
		w->stop = RBL_STOP_TOLERANCE;
		if (w->ratio <= 1.0 + def->tolerance)
			return RBL_OK;
		w->stop = RBL_STOP_NODE_LIMIT;
		if (def->node_limit == 1)
			return RBL_OK;
	}
	rbl_samples samples = { 0 };
	rbl_result result = RBL_OUT_OF_MEMORY;
	int detail = rbl_mini(rbl_maxi(w->solid->triangle_count, LEAST_SAMPLES), MOST_SAMPLES);
	detail = rbl_maxi(detail, PER_NODE * def->node_count);
	if (rbl_samples_make(w->allocator, w->solid, detail, detail, &samples))
		result = place_and_divide(w, &samples);
	rbl_samples_free(w->allocator, &samples);
	return result;
}

static void prepare_shell(shell_work *w)
{
	rbl_solid *solid = NULL;
	rbl_solid_def def = rbl_default_solid_def();
	def.mesh = w->mesh;
	def.allocator = *w->allocator;
	w->result = rbl_create_solid(&def, &solid);
	w->solid = solid;
	if (w->result == RBL_OK)
		w->result = divide_shell(w);
	w->solid = NULL;
	rbl_destroy_solid(solid);
}

static void prepare_block(void *context, int begin, int end, int worker)
{
	(void)worker;
	for (int i = begin; i < end; ++i)
		prepare_shell((shell_work *)context + i);
}

// --- all shells ---------------------------------------------------------------------------------

// One mesh for each shell group of a solid.
static rbl_result split_shells(const rbl_mesh *mesh, const rbl_solid *solid,
                               const rbl_allocator *allocator, rbl_mesh **meshes)
{
	int face_count = rbl_mesh_view(mesh).face_count;
	int *labels = RBL_NEW(allocator, int, face_count);
	if (!labels)
		return RBL_OUT_OF_MEMORY;
	memset(labels, 0xff, (size_t)face_count * sizeof *labels);
	for (int t = 0; t < solid->triangle_count; ++t)
		labels[solid->triangle_faces[t]] = solid->triangle_groups[t];
	rbl_result result = rbl_mesh_split(mesh, labels, solid->group_count, meshes);
	RBL_FREE(allocator, labels, face_count);
	return result;
}

static uint64_t hash_def(const rbl_mesh *mesh, const rbl_prepare_def *def)
{
	rbl_mesh_data d = rbl_mesh_view(mesh);
	uint64_t hash = rbl_hash_number(1, (uint64_t)d.vertex_count);
	hash = rbl_hash_bytes(hash, d.positions, (size_t)d.vertex_count * sizeof *d.positions);
	hash = rbl_hash_bytes(hash, d.face_starts, (size_t)(d.face_count + 1) * sizeof(int));
	hash = rbl_hash_bytes(hash, d.corner_vertices, (size_t)d.corner_count * sizeof(int));
	const struct {
		const void *bytes;
		size_t size;
	} arrays[] = {
		{ d.corner_normals, (size_t)d.corner_count * sizeof(rbl_vec3) },
		{ d.corner_uv0, (size_t)d.corner_count * sizeof(rbl_vec2) },
		{ d.corner_uv1, (size_t)d.corner_count * sizeof(rbl_vec2) },
		{ d.corner_colors, (size_t)d.corner_count * sizeof(rbl_vec4) },
		{ d.face_materials, (size_t)d.face_count * sizeof(int) },
		{ def->nodes, (size_t)def->node_count * sizeof(rbl_vec3d) },
		{ &def->tolerance, sizeof def->tolerance },
		{ &def->inner.uv_scale, sizeof def->inner.uv_scale },
	};
	for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i)
		if (arrays[i].bytes)
			hash = rbl_hash_bytes(hash + i, arrays[i].bytes, arrays[i].size);
	const uint64_t numbers[] = { (uint64_t)def->node_count,
		                         (uint64_t)def->node_limit,
		                         (uint64_t)def->hull_vertices,
		                         def->seed,
		                         (uint64_t)(uint32_t)def->inner.material,
		                         def->inner.uv_seed };
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i)
		hash = rbl_hash_number(hash, numbers[i]);
	return hash;
}

// The parts of an earlier asset's shell. @return their number; they lie behind each other
static int earlier_parts(const rbl_asset *previous, int shell, rbl_vacd_part *parts)
{
	int count = 0;
	for (int i = 0; i < previous->report.part_count; ++i) {
		const rbl_asset_origin *o = &previous->origins[i];
		if (o->shell != shell)
			continue;
		const rbl_member *m = &previous->compound->members.data[i];
		parts[count++] = (rbl_vacd_part){ .convex = m->convex,
			                              .mesh = m->mesh,
			                              .node = o->node,
			                              .key = o->key,
			                              .visual_volume = o->visual_volume };
	}
	return count;
}

static bool gather(rbl_asset *asset, shell_work *work, int shell, rbl_asset_parts *all)
{
	const rbl_allocator *a = &asset->allocator;
	rbl_asset_report *r = &asset->report;
	for (int i = 0; i < work->parts.items.count; ++i) {
		rbl_vacd_part *part = &work->parts.items.data[i];
		if (!part->convex)
			continue;
		if (!rbl_array_push(a, &all->shells, shell) || !rbl_array_push(a, &all->parts.items, *part))
			return false;
		r->convex_volume += part->volume;
		r->visual_volume += part->visual_volume;
		part->convex = NULL, part->mesh = NULL; // they are the gathered part's now
	}
	for (int i = 0; i < work->nodes.count; ++i)
		if (!rbl_array_push(a, &asset->nodes, work->nodes.data[i]))
			return false;
	r->worst_ratio = rbl_maxd(r->worst_ratio, work->ratio);
	r->loose_count += work->ratio > 1.0 + work->def->tolerance;
	r->stop = work->stop > r->stop ? work->stop : r->stop;
	return true;
}

static rbl_result prepare_shells(rbl_asset *asset, rbl_mesh *const *meshes, int count,
                                 const rbl_prepare_def *def, rbl_asset_parts *all,
                                 uint64_t *plane_end)
{
	const rbl_allocator *a = &asset->allocator;
	int room = def->previous ? def->previous->report.part_count + 1 : 1, used = 0;
	shell_work *works = RBL_NEW_ZERO(a, shell_work, count);
	rbl_vacd_part *earlier = RBL_NEW(a, rbl_vacd_part, room);
	rbl_result result = works && earlier ? RBL_OK : RBL_OUT_OF_MEMORY;
	uint64_t most =
		def->nodes || def->node_count > 0 ? (uint64_t)def->node_count : (uint64_t)def->node_limit;
	for (int i = 0; i < count && result == RBL_OK; ++i) {
		works[i] = (shell_work){ .def = def, .allocator = a, .mesh = meshes[i] };
		works[i].settings = (rbl_vacd_settings){ .allocator = a,
			                                     .jobs = count == 1 ? def->jobs : NULL,
			                                     .hull_vertices = def->hull_vertices,
			                                     .inner = def->inner,
			                                     .plane_base = (uint64_t)i * most * most };
		if (!def->previous)
			continue;
		works[i].settings.earlier = earlier + used;
		works[i].settings.earlier_count = earlier_parts(def->previous, i, earlier + used);
		used += works[i].settings.earlier_count;
	}
	if (result == RBL_OK)
		rbl_parallel_for(count == 1 ? NULL : def->jobs, count, 1, prepare_block, works);
	*plane_end = (uint64_t)count * most * most;
	for (int i = 0; i < count && result == RBL_OK; ++i) {
		result = works[i].result;
		if (result == RBL_OK && !gather(asset, &works[i], i, all))
			result = RBL_OUT_OF_MEMORY;
	}
	for (int i = 0; works && i < count; ++i) {
		rbl_vacd_parts_free(a, &works[i].parts);
		rbl_array_free(a, &works[i].nodes);
	}
	RBL_FREE(a, earlier, room);
	RBL_FREE(a, works, count);
	return result;
}

static rbl_result prepare_asset(rbl_asset *asset, const rbl_mesh *mesh, const rbl_prepare_def *def)
{
	const rbl_allocator *a = &asset->allocator;
	rbl_solid *solid = NULL;
	rbl_solid_def solid_def = rbl_default_solid_def();
	solid_def.mesh = mesh;
	solid_def.allocator = *a;
	rbl_result result = rbl_create_solid(&solid_def, &solid);
	if (result != RBL_OK)
		return result;
	int count = solid->group_count;
	asset->report.shell_count = count;
	asset->report.mesh_volume = solid->volume;
	rbl_mesh **meshes = RBL_NEW_ZERO(a, rbl_mesh *, count);
	result = meshes ? split_shells(mesh, solid, a, meshes) : RBL_OUT_OF_MEMORY;
	rbl_destroy_solid(solid);
	rbl_asset_parts all = { 0 };
	uint64_t plane_end = 0;
	if (result == RBL_OK)
		result = prepare_shells(asset, meshes, count, def, &all, &plane_end);
	if (result == RBL_OK)
		result = rbl_asset_finish(asset, &all, plane_end, def->jobs);
	rbl_vacd_parts_free(a, &all.parts);
	rbl_array_free(a, &all.shells);
	for (int i = 0; meshes && i < count; ++i)
		rbl_destroy_mesh(meshes[i]);
	RBL_FREE(a, meshes, count);
	return result;
}

uint64_t rbl_prepare_key(const rbl_mesh *mesh, const rbl_prepare_def *def)
{
	return mesh && def && def->cookie == COOKIE ? hash_def(mesh, def) : 0;
}

rbl_result rbl_prepare(const rbl_mesh *mesh, const rbl_prepare_def *def, rbl_asset **asset)
{
	if (!asset)
		return rbl_fail(RBL_BAD_ARGUMENT, "asset is NULL");
	*asset = NULL;
	if (!mesh)
		return rbl_fail(RBL_BAD_ARGUMENT, "mesh is NULL");
	rbl_result result = check_def(def);
	if (result != RBL_OK)
		return result;
	rbl_asset *made = rbl_asset_new(&def->allocator);
	if (!made)
		return RBL_OUT_OF_MEMORY;
	result = prepare_asset(made, mesh, def);
	made->report.node_count = made->nodes.count;
	if (result != RBL_OK) {
		rbl_destroy_asset(made);
		return result;
	}
	made->report.key = hash_def(mesh, def);
	*asset = made;
	return RBL_OK;
}
