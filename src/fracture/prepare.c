// SPDX-License-Identifier: MIT
//
// Preparing a mesh (Mueller et al. 2013, section 4): shells, and an asset of all their parts.
//
// Shells are prepared separately (prepare_shell.c), since they may overlap. The work is a task;
// the direct call runs that task to its end.

#include "base/hash.h"
#include "base/log.h"
#include "base/task.h"
#include "base/vec.h"
#include "fracture/asset.h"
#include "fracture/paint.h"
#include "fracture/prepare_levels.h"

enum { PREPARE_COOKIE = 0x70726570 };

rbl_prepare_def rbl_default_prepare_def(void)
{
	return (rbl_prepare_def){
		.tolerance = 0.2,
		.node_limit = 64,
		.hull_vertices = 32,
		.inner = rbl_default_pieces_def().inner,
		.paint = rbl_default_strength_paint(),
		.seed = 1,
		.cookie = PREPARE_COOKIE,
	};
}

static rbl_result check_prepare_def(const rbl_prepare_def *def)
{
	if (!def || def->cookie != PREPARE_COOKIE)
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
	if (def->field_resolution != 0 &&
	    (def->field_resolution < 8 || def->field_resolution > RBL_MAX_FIELD_RESOLUTION))
		return rbl_fail(RBL_BAD_ARGUMENT, "field_resolution is %d, must be 0, or 8 to %d",
		                def->field_resolution, RBL_MAX_FIELD_RESOLUTION);
	if (def->material_count < 0 || def->material_count > RBL_MAX_ASSET_MATERIALS ||
	    (def->material_count > 0 && !def->materials))
		return rbl_fail(RBL_BAD_ARGUMENT, "materials is NULL, or material_count %d not 0 to %d",
		                def->material_count, RBL_MAX_ASSET_MATERIALS);
	if (!(def->field_wall >= 0.0 && isfinite(def->field_wall)))
		return rbl_fail(RBL_BAD_ARGUMENT, "field_wall is %g, must be >= 0", def->field_wall);
	rbl_result result = rbl_check_strength_paint(&def->paint);
	if (result == RBL_OK && def->level_count != 0)
		result = rbl_check_cluster_levels(def->levels, def->level_count, RBL_MAX_COMPOUND_PARTS);
	if (result == RBL_OK && def->anchors)
		result = rbl_check_anchor_def(def->anchors);
	return result;
}

// --- all shells ---------------------------------------------------------------------------------

// Faces without a triangle, since their corners lie at one or two places, go with the faces beside
// them: the mesh of a shell is closed by its edges then, and not only by places.
static rbl_result label_degenerate(const rbl_mesh *mesh, const rbl_solid *solid,
                                   const rbl_allocator *allocator, int *labels)
{
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	int count, *shells = RBL_NEW(allocator, int, 2 * (size_t)data.face_count);
	if (!shells)
		return RBL_OUT_OF_MEMORY;
	int *groups = shells + data.face_count;
	rbl_result result = rbl_label_shells(&data, allocator, shells, &count);
	memset(groups, 0xff, (size_t)data.face_count * sizeof *groups);
	for (int t = 0; t < solid->triangle_count && result == RBL_OK; ++t)
		groups[shells[solid->triangle_faces[t]]] = solid->triangle_groups[t];
	for (int f = 0; f < data.face_count && result == RBL_OK; ++f)
		labels[f] = labels[f] < 0 ? groups[shells[f]] : labels[f];
	RBL_FREE(allocator, shells, 2 * (size_t)data.face_count);
	return result;
}

// One mesh for each shell group of a solid.
static rbl_result split_shells(const rbl_mesh *mesh, const rbl_solid *solid,
                               const rbl_allocator *allocator, rbl_mesh **meshes)
{
	int face_count = rbl_mesh_get_data(mesh).face_count, missing = 0;
	int *labels = RBL_NEW(allocator, int, face_count);
	if (!labels)
		return RBL_OUT_OF_MEMORY;
	memset(labels, 0xff, (size_t)face_count * sizeof *labels);
	for (int t = 0; t < solid->triangle_count; ++t)
		labels[solid->triangle_faces[t]] = solid->triangle_groups[t];
	for (int f = 0; f < face_count; ++f)
		missing += labels[f] < 0;
	rbl_result result = missing > 0 ? label_degenerate(mesh, solid, allocator, labels) : RBL_OK;
	if (result == RBL_OK)
		result = rbl_mesh_split(mesh, labels, solid->group_count, meshes);
	RBL_FREE(allocator, labels, face_count);
	return result;
}

// What is painted, clustered and anchored; keys of assets without that stay what they were.
static uint64_t hash_support(uint64_t hash, const rbl_prepare_def *def)
{
	const rbl_strength_paint *paint = &def->paint;
	if (paint->function)
		hash = rbl_hash_number(rbl_hash_number(hash, 1), paint->key);
	if (paint->channel != RBL_CHANNEL_NONE) {
		hash = rbl_hash_number(hash, (uint64_t)paint->channel);
		hash = rbl_hash_bytes(hash, &paint->at_zero, sizeof paint->at_zero);
		hash = rbl_hash_bytes(hash, &paint->at_one, sizeof paint->at_one);
	}
	for (int i = 0; i < def->level_count; ++i) {
		hash = rbl_hash_number(hash, (uint64_t)def->levels[i].cluster_count);
		hash = rbl_hash_bytes(hash, &def->levels[i].strength, sizeof def->levels[i].strength);
		if (!def->levels[i].pattern)
			continue;
		hash = rbl_hash_number(hash, rbl_pattern_key(def->levels[i].pattern));
		hash = rbl_hash_bytes(hash, &def->levels[i].position, sizeof def->levels[i].position);
		hash = rbl_hash_bytes(hash, &def->levels[i].rotation, sizeof def->levels[i].rotation);
	}
	const rbl_anchor_def *a = def->anchors;
	if (!a)
		return hash;
	hash = rbl_hash_number(hash, (uint64_t)a->channel << 8 | 2);
	hash = rbl_hash_bytes(hash, &a->lowest, sizeof a->lowest);
	hash = rbl_hash_bytes(hash, &a->up, sizeof a->up);
	if (a->box_count > 0)
		hash = rbl_hash_bytes(hash, a->boxes, (size_t)a->box_count * sizeof *a->boxes);
	return a->material ? rbl_hash_bytes(hash, a->material, strlen(a->material)) : hash;
}

static uint64_t hash_def(const rbl_mesh *mesh, const rbl_prepare_def *def)
{
	rbl_mesh_data d = rbl_mesh_get_data(mesh);
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
	if (d.attribute_width > 0) // keys of meshes without them stay what they were
		hash =
			rbl_hash_bytes(rbl_hash_number(hash, (uint64_t)d.attribute_width), d.corner_attributes,
		                   (size_t)d.corner_count * (size_t)d.attribute_width * sizeof(float));
	hash = hash_support(hash, def);
	if (def->field_resolution > 0) { // keys of assets without a field stay what they were
		hash = rbl_hash_number(hash, (uint64_t)def->field_resolution);
		hash = rbl_hash_bytes(hash, &def->field_wall, sizeof def->field_wall);
	}
	for (int i = 0; i < def->material_count; ++i)
		hash = rbl_material_hash(def->materials[i], hash);
	return hash;
}

// The parts of an earlier asset's shell. @return their number; they lie behind each other
static int earlier_parts(const rbl_asset *previous, int shell, rbl_decomposition_part *parts)
{
	int count = 0;
	for (int i = 0; i < previous->report.part_count; ++i) {
		const rbl_asset_origin *o = &previous->origins[i];
		if (o->shell != shell)
			continue;
		const rbl_part *m = &previous->compound->parts.data[i];
		parts[count++] = (rbl_decomposition_part){ .convex = m->convex,
			                                       .mesh = m->mesh,
			                                       .node = o->node,
			                                       .key = o->key,
			                                       .visual_volume = o->visual_volume };
	}
	return count;
}

// The slot that most of the surface of a mesh has, without one of them. @return -1: it has none
static int dominant_slot(const rbl_mesh *mesh, int slot_count, int without)
{
	rbl_mesh_data d = rbl_mesh_get_data(mesh);
	double areas[RBL_MAX_ASSET_MATERIALS + 1] = { 0.0 };
	int best = -1;
	for (int f = 0; f < d.face_count; ++f) {
		int slot = d.face_materials ? d.face_materials[f] : 0;
		if (slot == without || slot >= slot_count)
			continue;
		const int *corners = d.corner_vertices + d.face_starts[f];
		int count = d.face_starts[f + 1] - d.face_starts[f];
		rbl_vec3d sum = { 0.0, 0.0, 0.0 }, first = d.positions[corners[0]];
		for (int i = 1; i + 1 < count; ++i)
			sum = rbl_add_d(sum, rbl_cross_d(rbl_sub_d(d.positions[corners[i]], first),
			                                 rbl_sub_d(d.positions[corners[i + 1]], first)));
		areas[rbl_mini(slot, RBL_MAX_ASSET_MATERIALS)] += rbl_length_d(sum);
	}
	for (int i = 0; i <= rbl_mini(slot_count - 1, RBL_MAX_ASSET_MATERIALS); ++i)
		if (areas[i] > (best < 0 ? 0.0 : areas[best]))
			best = i;
	return best;
}

int rbl_part_material(const rbl_shell_work *work, const rbl_mesh *mesh, int parent)
{
	int count = work->def->material_count;
	rbl_mesh_data shell = rbl_mesh_get_data(work->mesh);
	int slots = rbl_maxi(shell.material_count, 1);
	int slot = mesh ? dominant_slot(mesh, slots, rbl_inner_slot(&shell, &work->def->inner)) : -1;
	if (slot < 0 && parent >= 0)
		return parent;
	if (slot < 0)
		slot = dominant_slot(work->mesh, slots, -1);
	return slot < 0 || slot >= count ? count : slot;
}

static bool gather(rbl_asset *asset, rbl_shell_work *work, int shell, rbl_asset_parts *all)
{
	const rbl_allocator *a = &asset->allocator;
	rbl_asset_report *r = &asset->report;
	for (int i = 0; i < work->fit.parts.items.count; ++i) {
		rbl_decomposition_part *part = &work->fit.parts.items.data[i];
		if (!part->convex)
			continue;
		if (!rbl_array_push(a, &all->shells, shell) || !rbl_array_push(a, &all->parts.items, *part))
			return false;
		if (all->table_count > 0 &&
		    !rbl_array_push(a, &all->materials, rbl_part_material(work, part->mesh, -1))) {
			all->parts.items.count--; // the work still has it
			return false;
		}
		r->convex_volume += part->volume;
		r->visual_volume += part->visual_volume;
		part->convex = NULL, part->mesh = NULL; // they are the gathered part's now
	}
	for (int i = 0; i < work->fit.nodes.count; ++i)
		if (!rbl_array_push(a, &asset->nodes, work->fit.nodes.data[i]))
			return false;
	asset->clipped_count += work->settings.clipped_count;
	r->worst_ratio = rbl_maxd(r->worst_ratio, work->fit.ratio);
	r->loose_count += work->fit.ratio > 1.0 + work->def->tolerance;
	r->stop = work->stop > r->stop ? work->stop : r->stop;
	return true;
}

// --- in steps -----------------------------------------------------------------------------------

typedef enum prepare_stage { BEGIN, SPLIT, SHELLS, DIVIDE, FINISH, FIELD, PREPARED } prepare_stage;

typedef struct preparation {
	rbl_task task;
	rbl_allocator allocator;
	const rbl_mesh *mesh;
	rbl_prepare_def def;
	rbl_vec3d *nodes;               // of the definition, copied
	const rbl_material **materials; // likewise, held, and NULL at their end; or NULL

	prepare_stage stage;
	rbl_asset *asset;
	rbl_solid *solid; // of the whole mesh, until its shells are known
	int shell_count;
	rbl_mesh **meshes; // per shell
	rbl_shell_work *works;
	rbl_decomposition_part *earlier; // of the previous asset, capacity for all of them
	int *open;                       // shells that are worked on in a slice
	int open_count, next_shell;
	int slice; // budget of each
	rbl_asset_parts parts;
	rbl_level_dividing dividing; // of parts, by levels
	uint64_t plane_end;
	rbl_asset_assembly finish;
} preparation;

static int earlier_capacity(const preparation *p)
{
	return p->def.previous ? p->def.previous->report.part_count + 1 : 1;
}

static void forget_preparation(preparation *p)
{
	const rbl_allocator *a = &p->allocator;
	for (int i = 0; i < p->shell_count; ++i) {
		if (p->works)
			rbl_shell_free(&p->works[i]);
		if (p->meshes)
			rbl_destroy_mesh(p->meshes[i]);
	}
	rbl_level_dividing_free(&p->dividing);
	rbl_asset_parts_free(a, &p->parts);
	RBL_FREE(a, p->open, p->shell_count);
	RBL_FREE(a, p->earlier, earlier_capacity(p));
	RBL_FREE(a, p->works, p->shell_count);
	RBL_FREE(a, p->meshes, p->shell_count);
	p->meshes = NULL, p->works = NULL, p->earlier = NULL, p->open = NULL;
	p->shell_count = p->next_shell = 0;
	rbl_destroy_solid(p->solid);
	p->solid = NULL;
	rbl_asset_assembly_free(p->asset, &p->finish);
	rbl_destroy_asset(p->asset);
	p->asset = NULL;
	p->stage = BEGIN;
}

static rbl_result set_up_shells(preparation *p)
{
	const rbl_allocator *a = &p->allocator;
	const rbl_prepare_def *def = &p->def;
	int count = p->shell_count, used = 0;
	if ((int64_t)def->node_count * count > RBL_MAX_ASSET_NODES)
		return rbl_fail(
			RBL_LIMIT_REACHED,
			"%d nodes in each of %d shells are more than %d in all: take fewer nodes, or "
			"prepare the shells one by one",
			def->node_count, count, RBL_MAX_ASSET_NODES);
	p->works = RBL_NEW_ZERO(a, rbl_shell_work, count);
	p->open = RBL_NEW(a, int, count);
	p->earlier = RBL_NEW(a, rbl_decomposition_part, earlier_capacity(p));
	if (!p->works || !p->open || !p->earlier)
		return RBL_OUT_OF_MEMORY;
	uint64_t max =
		def->nodes || def->node_count > 0 ? (uint64_t)def->node_count : (uint64_t)def->node_limit;
	p->plane_end = (uint64_t)count * max * max;
	for (int i = 0; i < count; ++i) {
		rbl_shell_work *w = &p->works[i];
		w->def = def;
		w->allocator = a;
		w->mesh = p->meshes[i];
		w->settings = (rbl_decomposition_settings){ .allocator = a,
			                                        .jobs = count == 1 ? def->jobs : NULL,
			                                        .hull_vertices = def->hull_vertices,
			                                        .inner = def->inner,
			                                        .is_among_others = def->nodes && count > 1,
			                                        .plane_base = (uint64_t)i * max * max };
		if (!def->previous)
			continue;
		w->settings.earlier = p->earlier + used;
		w->settings.earlier_count = earlier_parts(def->previous, i, p->earlier + used);
		used += w->settings.earlier_count;
	}
	return RBL_OK;
}

// The mesh as a solid tells its shells. One step of it.
static rbl_result begin_shells(preparation *p)
{
	const rbl_allocator *a = &p->allocator;
	bool is_done = false;
	rbl_result result = RBL_OK;
	if (!p->solid) {
		rbl_solid_def solid_def = rbl_default_solid_def();
		solid_def.mesh = p->mesh;
		solid_def.allocator = *a;
		p->asset = rbl_asset_new(a);
		return p->asset ? rbl_solid_begin(&solid_def, &p->solid) : RBL_OUT_OF_MEMORY;
	}
	result = rbl_solid_advance(p->solid, &is_done);
	if (is_done && result == RBL_OK)
		result = rbl_solid_check_groups(p->solid);
	if (is_done && result == RBL_OK)
		p->stage = SPLIT;
	return result;
}

static rbl_result split(preparation *p)
{
	const rbl_solid *solid = p->solid;
	p->shell_count = solid->group_count;
	p->asset->report.shell_count = solid->group_count;
	p->asset->report.mesh_volume = solid->volume;
	p->meshes = RBL_NEW_ZERO(&p->allocator, rbl_mesh *, solid->group_count);
	rbl_result result =
		p->meshes ? split_shells(p->mesh, solid, &p->allocator, p->meshes) : RBL_OUT_OF_MEMORY;
	rbl_destroy_solid(p->solid);
	p->solid = NULL;
	p->stage = SHELLS;
	return result == RBL_OK ? set_up_shells(p) : result;
}

static void shell_block(void *context, int begin, int end, int worker)
{
	preparation *p = context;
	(void)worker;
	for (int i = begin; i < end; ++i) {
		int budget = p->slice;
		rbl_shell_advance(&p->works[p->open[i]], &budget);
	}
}

// Some shells side by side, as many as the budget might be enough for.
static rbl_result work_on_shells(preparation *p, int *budget)
{
	int count = p->shell_count, estimate = 0;
	p->open_count = 0;
	for (int i = p->next_shell; i < count && estimate < *budget; ++i) {
		if (p->works[i].stage == RBL_SHELL_DONE)
			continue;
		p->open[p->open_count++] = i;
		estimate += 100 + rbl_mesh_get_data(p->meshes[i]).face_count / 10;
	}
	p->slice = *budget >= 1 << 29 ? *budget : rbl_maxi(1, *budget / rbl_maxi(p->open_count, 1));
	rbl_parallel_for(count == 1 ? NULL : p->def.jobs, p->open_count, 1, shell_block, p);
	*budget -= rbl_maxi(estimate, 1);
	for (int i = 0; i < p->open_count; ++i)
		if (p->works[p->open[i]].result != RBL_OK)
			return p->works[p->open[i]].result;
	while (p->next_shell < count && p->works[p->next_shell].stage == RBL_SHELL_DONE)
		p->next_shell++;
	if (p->next_shell < count)
		return RBL_OK;
	p->parts.table = p->materials;
	p->parts.table_count = p->materials ? p->def.material_count + 1 : 0;
	for (int i = 0; i < count; ++i)
		if (!gather(p->asset, &p->works[i], i, &p->parts))
			return RBL_OUT_OF_MEMORY;
	p->stage = rbl_has_pattern_levels(&p->def) ? DIVIDE : FINISH;
	return RBL_OK;
}

// Parts divided by the patterns of levels.
static rbl_result divide_levels(preparation *p, int *budget)
{
	bool is_done = false;
	rbl_result result =
		rbl_divide_levels(&p->dividing, p->works, &p->parts, &p->plane_end, budget, &is_done);
	if (!is_done)
		return result;
	rbl_asset_report *r = &p->asset->report;
	r->convex_volume = r->visual_volume = 0.0;
	for (int i = 0; i < p->parts.parts.items.count; ++i) {
		r->convex_volume += p->parts.parts.items.data[i].volume;
		r->visual_volume += p->parts.parts.items.data[i].visual_volume;
	}
	p->stage = FINISH;
	return RBL_OK;
}

// Strength, hierarchy and anchors, once all bonds are there.
static rbl_result support(preparation *p)
{
	const rbl_prepare_def *def = &p->def;
	rbl_compound *c = p->asset->compound;
	rbl_result result = rbl_compound_paint(c, &def->paint);
	if (result == RBL_OK && def->level_count > 0)
		result = rbl_compound_group(c, def->levels, def->level_count, p->parts.colors.data, NULL);
	if (result == RBL_OK && def->anchors)
		result = rbl_compound_anchor(c, def->anchors, NULL);
	return result;
}

static rbl_result make_asset_field(preparation *p)
{
	rbl_distance_field_def def = rbl_default_distance_field_def();
	def.mesh = p->mesh;
	def.resolution = p->def.field_resolution;
	def.wall = p->def.field_wall;
	def.jobs = p->def.jobs;
	def.allocator = p->allocator;
	return rbl_create_distance_field(&def, &p->asset->field);
}

static rbl_result work_on_preparing(rbl_task *task, int budget, bool *is_ready)
{
	preparation *p = (preparation *)task;
	rbl_result result = RBL_OK;
	while (result == RBL_OK && p->stage != PREPARED && budget > 0) {
		if (p->stage == BEGIN) {
			budget -= 1 + rbl_mesh_get_data(p->mesh).face_count / 60;
			result = begin_shells(p);
		} else if (p->stage == SPLIT) {
			budget -= 1 + rbl_mesh_get_data(p->mesh).face_count / 60;
			result = split(p);
		} else if (p->stage == SHELLS) {
			result = work_on_shells(p, &budget);
		} else if (p->stage == DIVIDE) {
			result = divide_levels(p, &budget);
		} else if (p->stage == FIELD) {
			budget -= 1 + rbl_mesh_get_data(p->mesh).face_count / 60;
			result = make_asset_field(p);
			p->stage = PREPARED;
		} else {
			bool is_done = false;
			result = rbl_asset_assemble(p->asset, &p->finish, &p->parts, p->plane_end, p->def.jobs,
			                            &budget, &is_done);
			if (is_done) {
				rbl_asset_assembly_free(p->asset, &p->finish);
				result = support(p);
				p->stage = p->def.field_resolution > 0 ? FIELD : PREPARED;
			}
		}
	}
	if (result != RBL_OK)
		forget_preparation(p); // it may be tried again
	*is_ready = result == RBL_OK && p->stage == PREPARED;
	return result;
}

static void destroy_preparing(rbl_task *task)
{
	preparation *p = (preparation *)task;
	rbl_allocator a = p->allocator;
	forget_preparation(p);
	RBL_FREE(&a, p->nodes, p->def.node_count);
	for (int i = 0; p->materials && i < p->def.material_count; ++i)
		rbl_material_unshare(p->materials[i]);
	RBL_FREE(&a, p->materials, p->def.material_count + 1);
	RBL_FREE(&a, p, 1);
}

// Shells take most of the time, each as its faces are many.
static double progress_of_preparing(const rbl_task *task)
{
	const preparation *p = (const preparation *)task;
	double done = 0.0, all = 0.0;
	for (int i = 0; p->stage == SHELLS && i < p->shell_count; ++i) {
		double weight = 100.0 + rbl_mesh_get_data(p->meshes[i]).face_count;
		done += weight * (double)p->works[i].stage / (double)RBL_SHELL_DONE;
		all += weight;
	}
	return p->stage < SHELLS    ? 0.0
	       : p->stage == SHELLS ? 0.9 * done / (all > 0.0 ? all : 1.0)
	                            : 0.9;
}

static const rbl_task_kind prepare_kind = { work_on_preparing, destroy_preparing,
	                                        progress_of_preparing };

rbl_result rbl_begin_prepare(const rbl_mesh *mesh, const rbl_prepare_def *def, rbl_task **task)
{
	if (!task)
		return rbl_fail(RBL_BAD_ARGUMENT, "task is NULL");
	*task = NULL;
	if (!mesh)
		return rbl_fail(RBL_BAD_ARGUMENT, "mesh is NULL");
	rbl_result result = check_prepare_def(def);
	if (result != RBL_OK)
		return result;
	rbl_allocator a = rbl_allocator_or_default(&def->allocator);
	preparation *made = RBL_NEW_ZERO(&a, preparation, 1);
	if (!made)
		return RBL_OUT_OF_MEMORY;
	made->allocator = a;
	made->mesh = mesh;
	made->def = *def;
	rbl_task_init(&made->task, &prepare_kind, NULL);
	if (def->nodes) {
		made->nodes = RBL_NEW(&a, rbl_vec3d, def->node_count);
		if (!made->nodes) {
			RBL_FREE(&a, made, 1);
			return RBL_OUT_OF_MEMORY;
		}
		memcpy(made->nodes, def->nodes, (size_t)def->node_count * sizeof *made->nodes);
		made->def.nodes = made->nodes;
	}
	if (def->material_count > 0) {
		made->materials = RBL_NEW_ZERO(&a, const rbl_material *, def->material_count + 1);
		if (!made->materials) {
			made->def.material_count = 0;
			destroy_preparing(&made->task);
			return RBL_OUT_OF_MEMORY;
		}
		for (int i = 0; i < def->material_count; ++i)
			made->materials[i] = rbl_material_share(def->materials[i]);
		made->def.materials = made->materials;
	}
	*task = &made->task;
	return RBL_OK;
}

rbl_result rbl_finish_prepare(rbl_task *task, rbl_asset **asset)
{
	if (!asset)
		return rbl_fail(RBL_BAD_ARGUMENT, "asset is NULL");
	*asset = NULL;
	if (!task || task->kind != &prepare_kind)
		return rbl_fail(RBL_BAD_ARGUMENT, "task is NULL, or not of preparing");
	preparation *p = (preparation *)task;
	rbl_task_stop(task);
	bool is_ready = false;
	rbl_result result = RBL_OK;
	while (result == RBL_OK && !is_ready)
		result = rbl_task_work(task, 1 << 30, &is_ready);
	if (result != RBL_OK)
		return result;
	p->asset->report.node_count = p->asset->nodes.count;
	p->asset->report.key = hash_def(p->mesh, &p->def);
	*asset = p->asset;
	p->asset = NULL;
	rbl_destroy_task(task);
	return RBL_OK;
}

uint64_t rbl_prepare_key(const rbl_mesh *mesh, const rbl_prepare_def *def)
{
	return mesh && def && def->cookie == PREPARE_COOKIE ? hash_def(mesh, def) : 0;
}

rbl_result rbl_prepare(const rbl_mesh *mesh, const rbl_prepare_def *def, rbl_asset **asset)
{
	if (!asset)
		return rbl_fail(RBL_BAD_ARGUMENT, "asset is NULL");
	*asset = NULL;
	rbl_task *task = NULL;
	rbl_result result = rbl_begin_prepare(mesh, def, &task);
	if (result == RBL_OK)
		result = rbl_finish_prepare(task, asset);
	if (result != RBL_OK)
		rbl_destroy_task(task);
	return result;
}
