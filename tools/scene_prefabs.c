// SPDX-License-Identifier: MIT
//
// Models become prefabs: spheres, boxes and stones get a collider of their shape; meshes are prepared
// as assets, and collide as triangles where they are static. Whatever has a material that breaks is
// prepared as well. A list of boxes is a compound from the start.

#include "scene_prefabs.h"

#include "array.h"
#include "asset_files.h"
#include "errors.h"
#include "level_patterns.h"
#include "scene_files.h"
#include "shape_names.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Edges are smooth where the angle between faces is less, in radians.
static const float SMOOTH_ANGLE = 0.5f;

// Create a mesh from data of `mesh`; normals that are missing are computed.
static rbl_result make_with_normals(const rbl_mesh *mesh, rbl_mesh_data data, rbl_mesh **made)
{
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = data;
	rbl_vec3 *normals = NULL;
	rbl_result result = RBL_OK;
	if (!data.corner_normals) {
		normals = malloc((size_t)data.corner_count * sizeof *normals + 1);
		result =
			normals ? rbl_mesh_compute_normals(mesh, SMOOTH_ANGLE, normals) : RBL_OUT_OF_MEMORY;
		def.data.corner_normals = normals;
	}
	if (result == RBL_OK)
		result = rbl_create_mesh(&def, made);
	free(normals);
	return result;
}

rbl_mesh *mesh_with_material(const rbl_mesh *mesh, const rbl_mesh_material *material, bool replaces,
                             bool keeps_uv)
{
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	rbl_mesh *copy = NULL;
	bool has_textures = false;
	for (int i = 0; i < data.material_count && !replaces; ++i)
		has_textures |= data.materials[i].source > 0;
	if (!has_textures) { // nothing of the scene uses them
		data.corner_uv0 = keeps_uv ? data.corner_uv0 : NULL;
		data.corner_uv1 = NULL;
		data.attribute_count = data.attribute_width = 0;
		data.corner_attributes = NULL;
	}
	if (replaces || data.material_count == 0) {
		data.materials = material, data.material_count = 1;
		data.face_materials = NULL;
	}
	make_with_normals(mesh, data, &copy);
	return copy;
}

// --- meshes of models ------------------------------------------------------------------------

static double next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (double)(*state >> 40) / 16777216.0;
}

static rbl_result make_hull_mesh(const rbl_vec3d *points, int count, rbl_mesh **mesh)
{
	rbl_hull_def def = rbl_default_hull_def();
	def.points = points, def.point_count = count;
	rbl_hull *hull = NULL;
	rbl_result result = rbl_create_hull(&def, &hull);
	if (result == RBL_OK)
		result = rbl_hull_create_mesh(hull, NULL, mesh);
	rbl_destroy_hull(hull);
	return result;
}

// The hull of random points on an ellipsoid.
static rbl_result make_stone_mesh(const scene_model *model, rbl_mesh **mesh)
{
	rbl_vec3d points[64];
	uint64_t state = model->seed * 0x9e3779b97f4a7c15u + 1;
	for (int i = 0; i < model->point_count; ++i) {
		double p[3], square;
		do {
			square = 0.0;
			for (int k = 0; k < 3; ++k)
				p[k] = 2.0 * next_random(&state) - 1.0, square += p[k] * p[k];
		} while (square > 1.0 || square < 0.01);
		double scale = (0.9 + 0.2 * next_random(&state)) * 0.5 / sqrt(square);
		points[i] = (rbl_vec3d){ scale * model->size[0] * p[0], scale * model->size[1] * p[1],
			                     scale * model->size[2] * p[2] };
	}
	return make_hull_mesh(points, model->point_count, mesh);
}

// Sides of the circles that show cylinders and cones, and of the plate that shows a plane.
enum { CIRCLE_SIDES = 64 };
static const double plane_size = 100.0, plane_thickness = 0.01;

// A point of a model whose axis is along y, as it is.
static rbl_vec3d along_axis(const scene_model *model, double x, double y, double z)
{
	return model->axis == 0   ? (rbl_vec3d){ y, z, x }
	       : model->axis == 2 ? (rbl_vec3d){ z, x, y }
	                          : (rbl_vec3d){ x, y, z };
}

static rbl_result make_round_mesh(const scene_model *model, rbl_mesh **mesh)
{
	rbl_vec3d points[2 * CIRCLE_SIDES];
	int count = 0;
	// The cosine of a side's angle, by halving a right angle: the same bits everywhere.
	double cosine = 0.0;
	for (int sides = 4; sides < CIRCLE_SIDES; sides *= 2)
		cosine = sqrt(0.5 * (1.0 + cosine));
	double sine = sqrt(1.0 - cosine * cosine);
	for (int end = -1; end <= 1; end += 2) {
		double y = 0.5 * end * model->length;
		if (end > 0 && model->kind == SCENE_CONE) {
			points[count++] = along_axis(model, 0.0, y, 0.0);
			continue;
		}
		double x = model->radius, z = 0.0;
		for (int i = 0; i < CIRCLE_SIDES; ++i) {
			points[count++] = along_axis(model, x, y, z);
			double next = cosine * x - sine * z;
			z = sine * x + cosine * z, x = next;
		}
	}
	return make_hull_mesh(points, count, mesh);
}

static rbl_result make_plane_mesh(const scene_model *model, rbl_mesh **mesh)
{
	rbl_vec3d normal =
		rbl_normalize_d((rbl_vec3d){ model->size[0], model->size[1], model->size[2] });
	rbl_vec3d u = rbl_normalize_d(rbl_perpendicular_d(normal)), v = rbl_cross_d(normal, u);
	rbl_vec3d points[8];
	for (int i = 0; i < 8; ++i) {
		rbl_vec3d p = rbl_scale_d(i & 1 ? 0.5 * plane_size : -0.5 * plane_size, u);
		p = rbl_add_scaled_d(p, i & 2 ? 0.5 * plane_size : -0.5 * plane_size, v);
		points[i] = rbl_add_scaled_d(p, i & 4 ? 0.0 : -plane_thickness, normal);
	}
	return make_hull_mesh(points, 8, mesh);
}

// The core of a model with round edges: smaller by the rounding on all sides.
static rbl_result make_core_mesh(const scene_model *model, rbl_mesh **mesh)
{
	scene_model core = *model;
	for (int k = 0; k < 3; ++k)
		core.size[k] -= 2.0 * model->rounding;
	if (model->kind == SCENE_STONE)
		return make_stone_mesh(&core, mesh);
	rbl_box_def box = rbl_default_box_def();
	box.size = (rbl_vec3d){ core.size[0], core.size[1], core.size[2] };
	return rbl_create_box_mesh(&box, mesh);
}

// The hull of balls around the vertices of the core.
static rbl_result make_rounded_mesh(const scene_model *model, rbl_mesh **mesh)
{
	rbl_mesh *core = NULL, *ball = NULL;
	rbl_icosphere_def ball_def = rbl_default_icosphere_def();
	ball_def.radius = model->rounding, ball_def.subdivisions = 2;
	rbl_result result = make_core_mesh(model, &core);
	if (result == RBL_OK)
		result = rbl_create_icosphere_mesh(&ball_def, &ball);
	if (result == RBL_OK) {
		rbl_mesh_data a = rbl_mesh_get_data(core), b = rbl_mesh_get_data(ball);
		size_t count = (size_t)a.vertex_count * (size_t)b.vertex_count;
		rbl_vec3d *points = malloc(count * sizeof *points);
		for (size_t i = 0; points && i < count; ++i)
			points[i] = rbl_add_d(a.positions[i / (size_t)b.vertex_count],
			                      b.positions[i % (size_t)b.vertex_count]);
		result = points ? make_hull_mesh(points, (int)count, mesh) : RBL_OUT_OF_MEMORY;
		free(points);
	}
	rbl_destroy_mesh(core);
	rbl_destroy_mesh(ball);
	return result;
}

static rbl_result make_model_mesh(const scene_file *scene, const scene_model *model,
                                  rbl_mesh **mesh, rbl_asset **asset)
{
	rbl_box_def box = rbl_default_box_def();
	rbl_icosphere_def ball = rbl_default_icosphere_def();
	if (model->rounding > 0.0)
		return make_rounded_mesh(model, mesh);
	switch (model->kind) {
	case SCENE_CYLINDER:
	case SCENE_CONE:
		return make_round_mesh(model, mesh);
	case SCENE_PLANE:
		return make_plane_mesh(model, mesh);
	case SCENE_BOX:
		box.size = (rbl_vec3d){ model->size[0], model->size[1], model->size[2] };
		return rbl_create_box_mesh(&box, mesh);
	case SCENE_SPHERE:
		ball.radius = model->radius, ball.subdivisions = 2;
		return rbl_create_icosphere_mesh(&ball, mesh);
	case SCENE_STONE:
		return make_stone_mesh(model, mesh);
	case SCENE_SHAPE:
		return make_named_shape(model->text, model->detail, model->seed, mesh);
	default:
		break;
	}
	return read_model_file(scene, model, mesh, asset);
}

// Give a mesh normals if it has none: fragments inherit them. Meshes of boxes and spheres come with
// colours of their own; the scene's material replaces them.
static rbl_result add_normals(const scene_model *model, rbl_mesh **mesh)
{
	rbl_mesh_data data = rbl_mesh_get_data(*mesh);
	if (model->kind <= SCENE_PLANE) // neither read nor made by name
		data.materials = NULL, data.material_count = 0, data.face_materials = NULL;
	rbl_mesh *copy = NULL;
	rbl_result result = make_with_normals(*mesh, data, &copy);
	rbl_destroy_mesh(*mesh);
	*mesh = copy;
	return result;
}

// --- boxes ----------------------------------------------------------------------------------

static rbl_result add_boxes(const scene_boxes *boxes, int material, scene_prefab *prefab)
{
	int each = boxes->count[0] * boxes->count[1] * boxes->count[2];
	if (!ARRAY_RESERVE(prefab->parts, prefab->part_capacity, prefab->part_count + each))
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < each; ++i) {
		int at[3] = { i % boxes->count[0], i / boxes->count[0] % boxes->count[1],
			          i / boxes->count[0] / boxes->count[1] };
		double low[3], high[3];
		for (int k = 0; k < 3; ++k) {
			low[k] = boxes->position[k] + at[k] * boxes->spacing[k] - 0.5 * boxes->size[k];
			high[k] = low[k] + boxes->size[k];
		}
		rbl_convex_def def = rbl_default_convex_def();
		def.box = (rbl_boxd){ { low[0], low[1], low[2] }, { high[0], high[1], high[2] } };
		rbl_convex *convex = NULL;
		rbl_result result = rbl_create_convex(&def, &convex);
		if (result != RBL_OK)
			return result;
		prefab->parts[prefab->part_count++] =
			(rbl_compound_part){ .convex = convex, .material = material };
	}
	return RBL_OK;
}

static rbl_result make_boxes(const scene_model *model, scene_prefab *prefab)
{
	rbl_result result = RBL_OK;
	for (int i = 0; i < model->boxes_count && result == RBL_OK; ++i)
		result = add_boxes(&model->boxes[i], prefab->table ? i + 1 : 0, prefab);
	rbl_compound *compound = NULL;
	if (result == RBL_OK)
		result = prefab_compound(prefab, NULL, &compound);
	if (result == RBL_OK)
		result = compound_mesh(compound, NULL, NULL, &prefab->mesh);
	rbl_destroy_compound(compound);
	return result;
}

// Levels of a model. @param mesh  that patterns lie in; NULL: none has one
// @param levels  receives them, with patterns that are the caller's to destroy, also on failure
static rbl_result make_cluster_levels(const scene_model *model, const rbl_mesh *mesh,
                                      rbl_cluster_level *levels)
{
	rbl_result result = RBL_OK;
	for (int i = 0; i < model->cluster_count; ++i) {
		const scene_cluster *from = &model->clusters[i];
		const double *turn = from->rotation;
		levels[i] = (rbl_cluster_level){ .cluster_count = from->count, .strength = from->strength };
		if (from->count > 0 || result != RBL_OK)
			continue;
		rbl_pattern_def def = pattern_of_level(&from->cells);
		rbl_vec3d axis = rbl_normalize_d((rbl_vec3d){ turn[0], turn[1], turn[2] });
		levels[i].rotation =
			rbl_quat_from_axis_angle_d(axis, turn[3] * 3.14159265358979323846 / 180.0);
		result =
			make_pattern_level(&def, mesh, from->has_position ? from->position : NULL, &levels[i]);
	}
	return result;
}

rbl_result prefab_compound(const scene_prefab *prefab, const scene_instance *anchors,
                           rbl_compound **compound)
{
	*compound = NULL;
	rbl_compound_def def = rbl_default_compound_def();
	def.parts = prefab->parts, def.part_count = prefab->part_count;
	if (prefab->table)
		def.materials = prefab->table, def.material_count = prefab->table_count;
	rbl_result result = prefab->parts ? rbl_create_compound(&def, compound)
	                                  : rbl_asset_create_compound(prefab->asset, NULL, compound);
	rbl_cluster_level levels[RBL_MAX_CLUSTER_LEVELS];
	int level_count = prefab->parts ? prefab->model->cluster_count : 0;
	if (result == RBL_OK && level_count > 0) {
		make_cluster_levels(prefab->model, NULL, levels); // boxes have no patterns
		result = rbl_compound_cluster(*compound, levels, level_count, NULL);
	}
	if (result == RBL_OK && anchors && anchors->is_anchored)
		result = anchor_parts(prefab, anchors, *compound);
	if (result != RBL_OK) {
		rbl_destroy_compound(*compound);
		*compound = NULL;
	}
	return result;
}

// --- prefabs -----------------------------------------------------------------------------------

static rbl_result make_collider(const scene_model *model, const rbl_mesh *mesh,
                                rbl_collider **collider)
{
	static const rbl_collider_kind kinds[] = { RBL_COLLIDER_BOX,    RBL_COLLIDER_SPHERE,
		                                       RBL_COLLIDER_CONVEX, RBL_COLLIDER_CYLINDER,
		                                       RBL_COLLIDER_CONE,   RBL_COLLIDER_PLANE };
	rbl_collider_def def = rbl_default_collider_def(kinds[model->kind]);
	def.half_size = (rbl_vec3){ (float)(0.5 * model->size[0] - model->rounding),
		                        (float)(0.5 * model->size[1] - model->rounding),
		                        (float)(0.5 * model->size[2] - model->rounding) };
	def.radius = (float)model->radius, def.rounding = (float)model->rounding;
	if (model->kind == SCENE_CYLINDER || model->kind == SCENE_CONE) {
		def.b = rbl_to_f(along_axis(model, 0.0, 0.5 * model->length, 0.0));
		def.a = rbl_neg(def.b);
	} else if (model->kind == SCENE_PLANE) {
		def.b = (rbl_vec3){ (float)model->size[0], (float)model->size[1], (float)model->size[2] };
	}
	rbl_convex *convex = NULL;
	rbl_mesh *core = NULL;
	rbl_result result = RBL_OK;
	if (model->kind == SCENE_STONE) {
		rbl_convex_def convex_def = rbl_default_convex_def();
		if (model->rounding > 0.0)
			result = make_core_mesh(model, &core);
		convex_def.mesh = core ? core : mesh;
		result = result == RBL_OK ? rbl_create_convex(&convex_def, &convex) : result;
		def.convex = convex;
	}
	if (result == RBL_OK)
		result = rbl_create_collider(&def, collider);
	rbl_destroy_convex(convex);
	rbl_destroy_mesh(core);
	return result;
}

// How instances, projectiles and triggers use a model.
typedef struct usage {
	bool moves, stands, breaks, has_field, is_anchored;
} usage;

bool yields_to_hits(const scene_material *material, const scene_model *model)
{
	bool has_bonds = model->kind == SCENE_SHAPE || model->kind == SCENE_FILE;
	return material->level_count > 0 ||
	       (has_bonds && (material->bend_energy > 0.0 || material->bond_energy > 0.0));
}

static void add_use(const scene_file *scene, int model, int material, bool is_static, usage *to)
{
	bool breaks = yields_to_hits(&scene->materials[material], &scene->models[model]);
	to->breaks |= breaks;
	to->stands |= !breaks && is_static;
	to->moves |= !breaks && !is_static;
}

static usage usage_of(const scene_file *scene, int model)
{
	usage found = { false, false, false, false, false };
	for (int i = 0; i < scene->instance_count; ++i) {
		const scene_instance *one = &scene->instances[i];
		if (one->model != model)
			continue;
		found.has_field |= one->contact_method != RBL_CONTACTS_CONVEX;
		found.is_anchored |= one->is_anchored;
		add_use(scene, model, one->material, one->kind == RBL_BODY_STATIC, &found);
	}
	for (int i = 0; i < scene->projectile_count; ++i)
		if (scene->projectiles[i].model == model)
			add_use(scene, model, scene->projectiles[i].material, false, &found);
	for (int i = 0; i < scene->trigger_count; ++i)
		if (scene->triggers[i].action == SCENE_THROW && scene->triggers[i].model == model)
			add_use(scene, model, scene->triggers[i].material, false, &found);
	return found;
}

static rbl_result prepare_asset(const scene_model *model, bool has_field, rbl_jobs *jobs,
                                scene_prefab *prefab)
{
	rbl_prepare_def def = rbl_default_prepare_def();
	rbl_cluster_level levels[RBL_MAX_CLUSTER_LEVELS];
	def.tolerance = model->tolerance;
	def.node_count = model->node_count;
	def.levels = levels, def.level_count = model->cluster_count;
	def.paint.channel = model->strength_channel;
	def.paint.at_zero = model->strength_at_zero, def.paint.at_one = model->strength_at_one;
	def.field_resolution = has_field ? rbl_default_distance_field_def().resolution : 0;
	def.jobs = jobs;
	if (prefab->table)
		def.materials = prefab->table, def.material_count = prefab->table_count;
	rbl_result result = make_cluster_levels(model, prefab->mesh, levels);
	if (result == RBL_OK)
		result = rbl_prepare(prefab->mesh, &def, &prefab->asset);
	destroy_level_patterns(levels, model->cluster_count);
	return result;
}

static bool can_be_prepared(const scene_prefab *prefab)
{
	const scene_model *model = prefab->model;
	return !prefab->asset && !prefab->parts && !model->stays_whole && model->kind != SCENE_PLANE;
}

static rbl_result make_prefab(const scene_model *model, usage use, rbl_jobs *jobs,
                              scene_prefab *prefab)
{
	bool is_mesh = model->kind == SCENE_SHAPE || model->kind == SCENE_FILE;
	rbl_result result = RBL_OK;
	use.breaks |= prefab->slots_break;
	if (!is_mesh)
		result = make_collider(model, prefab->mesh, &prefab->collider);
	if (result == RBL_OK && is_mesh && use.stands) {
		rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_MESH);
		def.mesh = prefab->mesh;
		if (prefab->table)
			def.materials = prefab->table, def.material_count = prefab->table_count;
		result = rbl_create_collider(&def, &prefab->static_collider);
	}
	if (result == RBL_OK && prefab->asset && use.has_field && !rbl_asset_get_field(prefab->asset)) {
		rbl_log_text(RBL_LOG_ERROR, "the asset has no distance field: prepare it with --field");
		return RBL_BAD_ARGUMENT;
	}
	bool is_prepared = use.breaks || use.has_field || use.is_anchored ||
	                   (is_mesh && use.moves) || // also by its bonds
	                   (model->cluster_count > 0 && model->kind != SCENE_BOXES);
	if (result == RBL_OK && is_prepared && can_be_prepared(prefab))
		result = prepare_asset(model, use.has_field, jobs, prefab);
	return result;
}

rbl_result prepare_for_throw(scene_prefabs *prefabs, int model, int material)
{
	rbl_result result = make_material(prefabs, material);
	for (int i = prefabs->first_prefab[model]; i < prefabs->first_prefab[model + 1]; ++i) {
		scene_prefab *prefab = &prefabs->prefabs[i];
		int of = prefab->material >= 0 ? prefab->material : material;
		bool yields = yields_to_hits(&prefabs->scene->materials[of], prefab->model);
		if (result == RBL_OK && can_be_prepared(prefab) && (!prefab->collider || yields))
			result = prepare_asset(prefab->model, false, NULL, prefab);
	}
	return result;
}

// Split a mesh into its shells if the model says so.
static rbl_result split_mesh(const scene_model *model, rbl_mesh *mesh, rbl_mesh ***meshes,
                             int *count)
{
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	*count = 1;
	int *labels = malloc((size_t)data.face_count * sizeof *labels + 1);
	rbl_result result = labels ? RBL_OK : RBL_OUT_OF_MEMORY;
	if (result == RBL_OK && model->is_split)
		result = rbl_mesh_get_components(mesh, RBL_CONNECTED_BY_VERTEX, labels, count);
	*meshes = result == RBL_OK ? calloc((size_t)*count + 1, sizeof **meshes) : NULL;
	if (result == RBL_OK && !*meshes)
		result = RBL_OUT_OF_MEMORY;
	if (result == RBL_OK && !model->is_split)
		(*meshes)[0] = mesh;
	else if (result == RBL_OK)
		result = rbl_mesh_split(mesh, labels, *count, *meshes);
	if (result != RBL_OK || model->is_split)
		rbl_destroy_mesh(mesh);
	free(labels);
	return result;
}

// How a prefab is used that may be made of something else than its instances say.
static usage usage_of_prefab(const scene_file *scene, usage use, const scene_prefab *prefab)
{
	if (prefab->material < 0)
		return use;
	use.breaks = yields_to_hits(&scene->materials[prefab->material], prefab->model);
	use.moves |= !use.breaks && !use.stands;
	return use;
}

// Refuse a model that paints strength where no mesh of it has vertex colours.
static rbl_result check_channel(const scene_model *model, rbl_mesh *const *meshes, int mesh_count)
{
	bool has_colors = model->strength_channel == RBL_CHANNEL_NONE;
	for (int i = 0; i < mesh_count; ++i)
		has_colors |= rbl_mesh_get_data(meshes[i]).corner_colors != NULL;
	if (has_colors)
		return RBL_OK;
	rbl_log_text(RBL_LOG_ERROR, "strength_channel: the mesh has no vertex colours");
	return RBL_BAD_ARGUMENT;
}

// A prefab for each node of a file.
static rbl_result add_nodes(scene_prefabs *prefabs, const scene_model *model, usage use,
                            rbl_jobs *jobs)
{
	const scene_file *scene = prefabs->scene;
	rbl_mesh **meshes = NULL;
	char(*names)[SCENE_NAME_LENGTH] = NULL;
	int count = 0;
	rbl_result result = read_model_nodes(scene, model, &meshes, &names, &count);
	if (result == RBL_OK)
		result = check_slots(model, meshes, count);
	if (result == RBL_OK)
		result = check_channel(model, meshes, count);
	if (result == RBL_OK &&
	    !ARRAY_RESERVE(prefabs->prefabs, prefabs->prefab_capacity, prefabs->prefab_count + count))
		result = RBL_OUT_OF_MEMORY;
	for (int i = 0; i < count; ++i) {
		if (result == RBL_OK)
			result = add_normals(model, &meshes[i]);
		if (result != RBL_OK) {
			rbl_destroy_mesh(meshes[i]);
			continue;
		}
		scene_prefab *prefab = &prefabs->prefabs[prefabs->prefab_count++];
		*prefab = (scene_prefab){ .mesh = meshes[i], .model = model };
		snprintf(prefab->name, sizeof prefab->name, "%s", names[i]);
		result = find_slot_materials(prefabs, model, prefab);
		if (result == RBL_OK)
			result = make_prefab(model, usage_of_prefab(scene, use, prefab), jobs, prefab);
	}
	free(meshes);
	free(names);
	return result;
}

static rbl_result add_model(scene_prefabs *prefabs, int index, rbl_jobs *jobs)
{
	const scene_model *model = &prefabs->scene->models[index];
	usage use = usage_of(prefabs->scene, index);
	rbl_mesh *mesh = NULL, **meshes = NULL;
	rbl_asset *asset = NULL;
	int count = 0;
	if (model->kind == SCENE_BOXES) {
		if (!ARRAY_RESERVE(prefabs->prefabs, prefabs->prefab_capacity, prefabs->prefab_count + 1))
			return RBL_OUT_OF_MEMORY;
		scene_prefab *prefab = &prefabs->prefabs[prefabs->prefab_count++];
		*prefab = (scene_prefab){ .model = model };
		rbl_result result = find_box_materials(prefabs, model, prefab);
		return result == RBL_OK ? make_boxes(model, prefab) : result;
	}
	if (model->has_nodes)
		return add_nodes(prefabs, model, use, jobs);
	rbl_result result = make_model_mesh(prefabs->scene, model, &mesh, &asset);
	if (result == RBL_OK)
		result = add_normals(model, &mesh);
	if (result == RBL_OK) {
		result = check_slots(model, &mesh, 1);
		if (result == RBL_OK)
			result = check_channel(model, &mesh, 1);
		if (result != RBL_OK)
			rbl_destroy_mesh(mesh);
	}
	if (result == RBL_OK)
		result = split_mesh(model, mesh, &meshes, &count);
	if (result != RBL_OK) {
		rbl_destroy_asset(asset);
		free(meshes);
		return result;
	}
	bool has_capacity =
		ARRAY_RESERVE(prefabs->prefabs, prefabs->prefab_capacity, prefabs->prefab_count + count);
	for (int i = 0; i < count; ++i) {
		if (!has_capacity) {
			rbl_destroy_mesh(meshes[i]);
			result = RBL_OUT_OF_MEMORY;
			continue;
		}
		scene_prefab *prefab = &prefabs->prefabs[prefabs->prefab_count++];
		*prefab = (scene_prefab){ .mesh = meshes[i], .asset = asset, .model = model };
		asset = NULL;
		prefab->material = -1;
		if (result == RBL_OK && !prefab->asset)
			result = find_slot_materials(prefabs, model, prefab);
		if (result == RBL_OK)
			result = make_prefab(model, usage_of_prefab(prefabs->scene, use, prefab), jobs, prefab);
	}
	rbl_destroy_asset(asset); // without memory for its prefab
	free(meshes);
	return result;
}

// --- all of them -------------------------------------------------------------------------------

// Whether a material is in the file, or what an instance or something thrown is made of.
static bool is_named(const scene_file *scene, int material)
{
	bool is_used = !scene->materials[material].is_preset;
	for (int i = 0; i < scene->instance_count && !is_used; ++i)
		is_used = scene->instances[i].material == material;
	for (int i = 0; i < scene->projectile_count && !is_used; ++i)
		is_used = scene->projectiles[i].material == material;
	for (int i = 0; i < scene->trigger_count && !is_used; ++i)
		is_used =
			scene->triggers[i].action == SCENE_THROW && scene->triggers[i].material == material;
	return is_used;
}

// The files of models of which instances anchor nodes.
static int read_documents(const scene_file *scene, const char *path, scene_prefabs *prefabs)
{
	for (int i = 0; i < scene->instance_count; ++i) {
		const scene_instance *instance = &scene->instances[i];
		const scene_model *model = &scene->models[instance->model];
		rbl_document **document = &prefabs->documents[instance->model];
		if (!*instance->anchor_nodes)
			continue;
		rbl_result result = *document ? RBL_OK : read_model_document(scene, model, document);
		if (result == RBL_OK)
			result = check_anchor_nodes(*document, model, instance->anchor_nodes);
		char where[400];
		snprintf(where, sizeof where, "%.200s: instances[%d].anchor_nodes", path, i);
		if (result != RBL_OK)
			return fail_with(result, where);
		for (int k = prefabs->first_prefab[instance->model];
		     k < prefabs->first_prefab[instance->model + 1]; ++k)
			prefabs->prefabs[k].document = *document;
	}
	return STATUS_OK;
}

int make_prefabs(const scene_file *scene, const char *path, rbl_jobs *jobs, scene_prefabs *prefabs)
{
	size_t models = (size_t)scene->model_count + 1, materials = (size_t)scene->material_count + 1;
	*prefabs = (scene_prefabs){ .scene = scene };
	prefabs->first_prefab = calloc(models, sizeof *prefabs->first_prefab);
	prefabs->materials = calloc(materials, sizeof(rbl_material *));
	prefabs->documents = calloc(models, sizeof *prefabs->documents);
	if (!prefabs->first_prefab || !prefabs->materials || !prefabs->documents)
		return fail("out of memory");
	char where[400];
	for (int i = 0; i < scene->material_count; ++i) {
		rbl_result result = is_named(scene, i) ? make_material(prefabs, i) : RBL_OK;
		snprintf(where, sizeof where, "%.200s: materials.%s", path, scene->materials[i].name);
		if (result != RBL_OK)
			return fail_with(result, where);
	}
	for (int i = 0; i < scene->model_count; ++i) {
		snprintf(where, sizeof where, "%.200s: models.%s", path, scene->models[i].name);
		rbl_result result = add_model(prefabs, i, jobs);
		prefabs->first_prefab[i + 1] = prefabs->prefab_count;
		if (result == RBL_BAD_FILE && error_is_about("outside") && !scene->reads_outside)
			return fail("%s.file: '%s' lies outside the scene's folder, or names a file that does; "
			            "--allow-outside lets it be read",
			            where, scene->models[i].text);
		if (result != RBL_OK)
			return fail_with(result, where);
	}
	return read_documents(scene, path, prefabs);
}

void free_prefabs(scene_prefabs *prefabs)
{
	for (int i = 0; i < prefabs->prefab_count; ++i) {
		rbl_destroy_collider(prefabs->prefabs[i].collider);
		rbl_destroy_collider(prefabs->prefabs[i].static_collider);
		rbl_destroy_asset(prefabs->prefabs[i].asset);
		rbl_destroy_mesh(prefabs->prefabs[i].mesh);
		for (int k = 0; k < prefabs->prefabs[i].part_count; ++k)
			rbl_destroy_convex((rbl_convex *)(uintptr_t)prefabs->prefabs[i].parts[k].convex);
		free(prefabs->prefabs[i].parts);
		free(prefabs->prefabs[i].table);
	}
	for (int i = 0; prefabs->materials && i < prefabs->scene->material_count; ++i)
		rbl_destroy_material(prefabs->materials[i]);
	for (int i = 0; prefabs->documents && i < prefabs->scene->model_count; ++i)
		rbl_destroy_document(prefabs->documents[i]);
	free(prefabs->prefabs);
	free(prefabs->documents);
	free(prefabs->first_prefab);
	free(prefabs->materials);
}
