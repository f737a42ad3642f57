// SPDX-License-Identifier: MIT
// rubble fracture: break a mesh file into pieces.

#include "array.h"
#include "asset_files.h"
#include "commands.h"
#include "errors.h"
#include "files.h"
#include "fracture_set.h"
#include "progress.h"

#include <rubble/compound.h>
#include <rubble/fracture.h>
#include <rubble/io.h>

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static rbl_inner_look look_of_cuts(const fracture_options *options)
{
	rbl_inner_look look = rbl_default_pieces_def().inner;
	look.roughness = options->roughness;
	look.uv_scale = options->inner_size;
	return look;
}

// --- Breaking -----------------------------------------------------------------------------------

// What a piece is made of, and weighs, by the presets of its slots.
static void choose_material(const fracture_options *options, const result_set *set,
                            fracture_piece *piece)
{
	piece->density = options->density;
	int preset = preset_of_mesh(&options->presets, piece->mesh, set->preset);
	if (preset < 0)
		return;
	piece->density = (double)rbl_default_preset_def((rbl_preset)preset).material.values.density;
	snprintf(piece->material, sizeof piece->material, "%s", rbl_preset_name((rbl_preset)preset));
}

// Add a piece, and own its mesh. @return false when memory runs out
static bool keep_piece(const fracture_options *options, result_set *set, rbl_mesh *mesh,
                       rbl_vec3d centre, double volume, bool is_inside_out)
{
	if (!ARRAY_RESERVE(set->pieces, set->capacity, set->count + 1))
		return false;
	fracture_piece piece = {
		.mesh = mesh, .centre = centre, .volume = volume, .node = set->node, .at = set->at
	};
	choose_material(options, set, &piece);
	set->pieces[set->count++] = piece;
	set->volume_out += volume;
	set->inside_out_count += is_inside_out;
	rbl_mesh_report report;
	set->open_count += rbl_mesh_check(mesh, &report) != RBL_OK || !report.is_closed;
	return true;
}

// Add a convex of the next piece. @return RBL_OK, RBL_OUT_OF_MEMORY
static rbl_result keep_convex(result_set *set, const rbl_convex *convex)
{
	if (!convex)
		return RBL_OK;
	if (!ARRAY_RESERVE(set->hulls, set->hull_capacity, set->hull_count + 1))
		return RBL_OUT_OF_MEMORY;
	piece_hull *hull = &set->hulls[set->hull_count];
	hull->piece = set->count;
	hull->convex = set->has_bonds ? place_convex(&set->at, convex) : NULL;
	rbl_result result = rbl_convex_create_mesh(convex, NULL, &hull->mesh);
	if (result != RBL_OK)
		rbl_destroy_convex(hull->convex);
	set->hull_count += result == RBL_OK;
	return result;
}

// Show how far a node is, or the only mesh.
static void show_share(const result_set *set, double share)
{
	if (set->line)
		progress_update(set->line, set->nodes_done + set->node_share * share);
}

static rbl_vec3d place_of_impact(const fracture_options *options, const rbl_mesh *mesh, int round)
{
	if (round == 0 && options->at[0] < DBL_MAX)
		return (rbl_vec3d){ options->at[0], options->at[1], options->at[2] };
	return middle_of(rbl_mesh_bounds(mesh));
}

// The bounds of the mesh relative to the impact, enlarged a little: nothing else is cut.
static rbl_boxd region_of(rbl_boxd box, rbl_vec3d impact)
{
	double x = box.upper.x - box.lower.x, y = box.upper.y - box.lower.y;
	double z = box.upper.z - box.lower.z, more = 0.01 * (x + y + z);
	return (rbl_boxd){ { box.lower.x - impact.x - more, box.lower.y - impact.y - more,
		                 box.lower.z - impact.z - more },
		               { box.upper.x - impact.x + more, box.upper.y - impact.y + more,
		                 box.upper.z - impact.z + more } };
}

static rbl_result make_pattern(const fracture_options *options, const rbl_mesh *mesh, int round,
                               uint64_t seed, rbl_jobs *jobs, rbl_pattern **pattern)
{
	rbl_boxd box = rbl_mesh_bounds(mesh);
	rbl_pattern_def def = rbl_default_pattern_def();
	def.kind = (rbl_pattern_kind)options->kind;
	def.jobs = jobs;
	def.seed = seed;
	def.cell_count = round == 0 ? options->cells : 5;
	def.size = (rbl_vec3d){ box.upper.x - box.lower.x, box.upper.y - box.lower.y,
		                    box.upper.z - box.lower.z };
	if (options->radius > 0.0 && round == 0) {
		// Twice the diameter: cells at the border are unbounded, and must not reach the sphere.
		double side = 4.0 * options->radius;
		int times = def.kind == RBL_PATTERN_WEB ? 4 : 8;
		def.size = (rbl_vec3d){ side, side, side };
		def.cell_count = options->cells < RBL_MAX_PATTERN_CELLS / times ? times * options->cells
		                                                                : options->cells;
	}
	double longest = fmax(def.size.x, fmax(def.size.y, def.size.z));
	def.size.x = fmax(def.size.x, 1e-6 * longest);
	def.size.y = fmax(def.size.y, 1e-6 * longest);
	def.size.z = fmax(def.size.z, 1e-6 * longest);
	if (def.kind == RBL_PATTERN_WEB) { // about as many cells as asked for
		def.spoke_count = (int)fmax(6.0, sqrt(2.0 * def.cell_count));
		def.ring_count = (int)fmax(1.0, ceil((double)def.cell_count / def.spoke_count));
	}
	if (def.kind == RBL_PATTERN_BRICKS) {
		double volume = def.size.x * def.size.y * def.size.z / def.cell_count;
		double side = cbrt(volume / 0.125);
		def.brick_size = (rbl_vec3d){ side, 0.25 * side, 0.5 * side };
	}
	def.region = region_of(box, place_of_impact(options, mesh, round));
	def.cell_limit = options->cut_limit;
	return rbl_create_pattern(&def, pattern);
}

// A radius must not be lost in the rounding of the mesh's coordinates.
static bool is_radius_in_range(const fracture_options *options, const rbl_mesh *mesh)
{
	if (!(options->radius > 0.0))
		return true;
	rbl_boxd r = region_of(rbl_mesh_bounds(mesh), place_of_impact(options, mesh, 0));
	double far = fmax(fmax(fmax(-r.lower.x, r.upper.x), fmax(-r.lower.y, r.upper.y)),
	                  fmax(-r.lower.z, r.upper.z));
	if (far <= 1e9 * options->radius)
		return true;
	fail("--radius is %g, must be at least %.3g: a billionth of how far IN reaches from --at",
	     options->radius, 1e-9 * far);
	return false;
}

// Each further round makes about five pieces of one: check the number in advance.
static rbl_result check_rounds(const fracture_options *options, int round, int count)
{
	double all = count;
	for (int i = 1; i < options->rounds; ++i)
		all *= 5.0;
	if (round > 0 || options->rounds < 2 || all <= options->cut_limit)
		return RBL_OK;
	char text[200];
	snprintf(text, sizeof text,
	         "--repeat %d makes about %.0f pieces, more than --cut-limit %d: take fewer rounds or "
	         "cells, or raise the limit",
	         options->rounds, all, options->cut_limit);
	rbl_log_text(RBL_LOG_ERROR, text);
	return RBL_LIMIT_REACHED;
}

static rbl_result break_mesh(const fracture_options *options, const rbl_mesh *mesh, int round,
                             uint64_t seed, rbl_jobs *jobs, result_set *set);

// Put a piece into the set, or break it again in a further round.
static rbl_result take_piece(const fracture_options *options, const rbl_pieces *pieces, int i,
                             int round, uint64_t seed, rbl_jobs *jobs, result_set *set)
{
	rbl_mesh *mesh = NULL;
	rbl_convex *convex = NULL;
	rbl_result result = rbl_piece_create_mesh(pieces, i, NULL, &mesh);
	if (result != RBL_OK)
		return result;
	if (round + 1 < options->rounds) {
		result = break_mesh(options, mesh, round + 1, 31 * seed + (uint64_t)i + 1, jobs, set);
		if (result != RBL_BAD_MESH) {
			rbl_destroy_mesh(mesh);
			return result;
		}
		set->failed_count++; // it is kept unbroken
	}
	rbl_piece_info info = rbl_piece_get_info(pieces, i);
	result = rbl_piece_create_convex(pieces, i, RBL_FIT_26, 0, NULL, &convex);
	if (result == RBL_OK)
		result = keep_convex(set, convex);
	rbl_destroy_convex(convex);
	if (result == RBL_OK &&
	    keep_piece(options, set, mesh, info.centre, info.volume, !(info.volume > 0.0)))
		return RBL_OK;
	rbl_destroy_mesh(mesh);
	return result == RBL_OK ? RBL_OUT_OF_MEMORY : result;
}

static rbl_result break_mesh(const fracture_options *options, const rbl_mesh *mesh, int round,
                             uint64_t seed, rbl_jobs *jobs, result_set *set)
{
	rbl_solid_def solid_def = rbl_default_solid_def();
	solid_def.mesh = mesh;
	rbl_solid *solid = NULL;
	rbl_pattern *pattern = NULL;
	rbl_pieces *pieces = NULL;
	double start = now_ms();
	rbl_result result = rbl_create_solid(&solid_def, &solid);
	if (result == RBL_OK)
		result = make_pattern(options, mesh, round, seed, jobs, &pattern);
	double prepared = now_ms();
	if (result == RBL_OK) {
		rbl_pieces_def def = rbl_default_pieces_def();
		def.solid = solid;
		def.pattern = pattern;
		def.jobs = jobs;
		def.inner = look_of_cuts(options);
		def.position = place_of_impact(options, mesh, round);
		def.cut_limit = options->cut_limit;
		result = rbl_create_pieces(&def, &pieces);
	}
	if (result == RBL_OK)
		result = check_rounds(options, round, rbl_pieces_count(pieces));
	set->prepare_ms += prepared - start;
	set->fracture_ms += now_ms() - prepared;
	if (round == 0)
		set->volume_in += rbl_solid_volume(solid);
	int count = rbl_pieces_count(pieces);
	for (int i = 0; i < count && result == RBL_OK; ++i) {
		if (round == 0)
			show_share(set, (double)i / count);
		result = take_piece(options, pieces, i, round, seed, jobs, set);
	}
	rbl_destroy_pieces(pieces);
	rbl_destroy_pattern(pattern);
	rbl_destroy_solid(solid);
	return result;
}

// Say why nothing was broken, and what to do about a limit.
static int fail_to_break(const fracture_options *options, rbl_result result, const char *in)
{
	int status = fail_with(result, in);
	if (result == RBL_LIMIT_REACHED)
		fail("see --cut-limit, which is %d", options->cut_limit);
	return status;
}

// --- The command --------------------------------------------------------------------------------

static void print_summary(const fracture_options *options, const result_set *set)
{
	if (options->radius > 0.0 && set->count == 1 && !is_quiet())
		fprintf(stderr,
		        "rubble: warning: nothing breaks off: --at and --radius miss it, or the cells "
		        "are too large\n");
	say("%d pieces in %.1f ms, %.1f ms to prepare, volume error %.1g, %d open, %d inside out",
	    set->count, set->fracture_ms, set->prepare_ms, fabs(set->volume_out / set->volume_in - 1.0),
	    set->open_count, set->inside_out_count);
	if (set->failed_count > 0)
		say(", %d not broken again", set->failed_count);
	say("\n");
}

static void free_set(result_set *set)
{
	for (int i = 0; i < set->count; ++i)
		rbl_destroy_mesh(set->pieces[i].mesh);
	for (int i = 0; i < set->hull_count; ++i) {
		rbl_destroy_mesh(set->hulls[i].mesh);
		rbl_destroy_convex(set->hulls[i].convex);
	}
	free(set->pieces);
	free(set->bonds);
	free(set->hulls);
	rbl_destroy_document(set->document);
}

// An asset has materials of its own: what the largest part is made of, and the mean density.
static void take_part_materials(const rbl_compound *compound, fracture_piece *piece)
{
	double mass = 0.0, volume = 0.0, largest = 0.0;
	for (int i = 0; i < rbl_compound_get_info(compound).part_end; ++i) {
		rbl_compound_part part = rbl_compound_get_part(compound, i);
		if (!part.convex)
			continue;
		const rbl_material *of = rbl_compound_get_material(compound, part.material);
		double own = part.mesh ? rbl_mesh_get_mass(part.mesh).volume
		                       : rbl_convex_get_mass(part.convex).volume;
		mass += own * (of ? (double)rbl_material_get_values(of).density : piece->density);
		volume += own;
		if (of && own > largest) {
			largest = own;
			snprintf(piece->material, sizeof piece->material, "%s", rbl_material_name(of));
		}
	}
	if (largest > 0.0 && volume > 0.0)
		piece->density = mass / volume;
}

// Add a connected compound as one piece. @param like  the mesh of what it broke off
static rbl_result keep_compound(const fracture_options *options, result_set *set,
                                const rbl_compound *compound, const rbl_mesh *like)
{
	rbl_compound_info info = rbl_compound_get_info(compound);
	if (info.part_count == 0)
		return RBL_OK;
	rbl_mesh *mesh = NULL;
	rbl_inner_look look = look_of_cuts(options);
	rbl_result result = compound_mesh(compound, like, &look, &mesh);
	for (int i = 0; i < info.part_end && result == RBL_OK; ++i)
		result = keep_convex(set, rbl_compound_get_part(compound, i).convex);
	double volume = 0.0;
	int inside_out = 0;
	if (result == RBL_OK)
		result = compound_volume(compound, &volume, &inside_out);
	if (result == RBL_OK) {
		if (keep_piece(options, set, mesh, rbl_mesh_get_mass(mesh).centre, volume,
		               inside_out > 0)) {
			take_part_materials(compound, &set->pieces[set->count - 1]);
			return RBL_OK;
		}
		result = RBL_OUT_OF_MEMORY;
	}
	rbl_destroy_mesh(mesh);
	return result;
}

static rbl_result add_volume(const rbl_compound *compound, double *sum)
{
	double volume = 0.0;
	rbl_result result = compound_volume(compound, &volume, &(int){ 0 });
	*sum += volume;
	return result;
}

// Break a compound: cells of one color stay together, and with a radius nothing outside the sphere breaks
// off. What remains is the first piece, and further rounds do not break it.
static rbl_result break_compound(const fracture_options *options, rbl_compound *compound,
                                 const rbl_mesh *like, int round, uint64_t seed, rbl_jobs *jobs,
                                 result_set *set)
{
	rbl_mesh *whole = NULL;
	rbl_pattern *pattern = NULL;
	rbl_break *broken = NULL;
	rbl_inner_look look = look_of_cuts(options);
	rbl_result result = compound_mesh(compound, like, &look, &whole);
	if (result == RBL_OK && round == 0)
		result = add_volume(compound, &set->volume_in);
	if (result == RBL_OK)
		result = make_pattern(options, whole, round, seed, jobs, &pattern);
	if (result == RBL_OK) {
		rbl_break_def def = rbl_default_break_def();
		def.pattern = pattern;
		def.inner = look_of_cuts(options);
		def.jobs = jobs;
		def.position = place_of_impact(options, whole, round);
		def.cut_limit = options->cut_limit;
		if (round == 0 && options->radius > 0.0)
			def.radius = options->radius;
		double start = now_ms();
		result = rbl_compound_break(compound, &def, &broken);
		set->fracture_ms += now_ms() - start;
	}
	rbl_break_data data = rbl_break_get_data(broken);
	if (result == RBL_OK)
		result = check_rounds(options, round, data.compound_count);
	for (int i = -1; i < data.compound_count && result == RBL_OK; ++i) {
		rbl_compound *one = i < 0 ? compound : data.compounds[i];
		if (round == 0)
			show_share(set, (double)(i + 1) / (data.compound_count + 1));
		if (round + 1 < options->rounds && i >= 0)
			result = break_compound(options, one, whole, round + 1, 31 * seed + (uint64_t)i + 1,
			                        jobs, set);
		else
			result = keep_compound(options, set, one, whole);
	}
	rbl_destroy_mesh(whole);
	rbl_destroy_break(broken);
	rbl_destroy_pattern(pattern);
	return result;
}

// Break what was read, a compound or a mesh, and write the pieces.
static int break_and_write(const fracture_options *options, const char *in, rbl_compound *compound,
                           const rbl_mesh *mesh, result_set *set)
{
	rbl_jobs *jobs = NULL;
	rbl_result result = make_workers(options->workers, &jobs);
	progress line;
	progress_begin(&line, "cutting");
	set->line = &line, set->node_share = 1.0;
	if (result == RBL_OK)
		result = compound ? break_compound(options, compound, NULL, 0, options->seed, jobs, set)
		                  : break_mesh(options, mesh, 0, options->seed, jobs, set);
	progress_end(&line);
	int status = result == RBL_OK ? write_pieces(options, set, rbl_mesh_bounds(mesh))
	                              : fail_to_break(options, result, in);
	if (status == STATUS_OK)
		print_summary(options, set);
	rbl_destroy_jobs(jobs);
	return status;
}

// --- nodes of a scene ----------------------------------------------------------------------------

// The options for the mesh of a node: where it is hit, in its own coordinates.
static bool options_of_node(const fracture_options *options, const rbl_scene *scene, int node,
                            fracture_options *local)
{
	enum { MAX_DEPTH = 1000 };
	int chain[MAX_DEPTH], depth = 0;
	double scale = 1.0;
	*local = *options;
	local->seed = options->seed + 1000003u * (uint64_t)node;
	for (int i = node; i >= 0 && depth < MAX_DEPTH; i = scene->nodes[i].parent)
		chain[depth++] = i;
	double p[3] = { options->at[0], options->at[1], options->at[2] };
	bool is_placed = options->at[0] < DBL_MAX;
	while (depth-- > 0) {
		double place[3] = { is_placed ? p[0] : 0.0, is_placed ? p[1] : 0.0,
			                is_placed ? p[2] : 0.0 };
		double determinant = point_to_node(&scene->nodes[chain[depth]], place);
		if (determinant == 0.0)
			return false;
		scale *= cbrt(fabs(determinant));
		memcpy(p, place, sizeof p);
	}
	if (is_placed)
		memcpy(local->at, p, sizeof p);
	local->radius = options->radius / scale;
	local->inner_size = options->inner_size / scale;
	return true;
}

// Break the mesh of one node.
static rbl_result break_node(const fracture_options *options, int node, rbl_jobs *jobs,
                             result_set *set)
{
	rbl_scene scene = rbl_document_get_scene(set->document);
	const rbl_mesh *mesh = scene.meshes[scene.nodes[node].mesh];
	fracture_options local;
	rbl_mesh *repaired = NULL;
	rbl_compound *compound = NULL;
	rbl_result result = RBL_OK;
	if (rbl_mesh_get_data(mesh).face_count == 0 || !options_of_node(options, &scene, node, &local))
		return RBL_OK;
	set->node = node;
	set->at = scene_placement(&scene, node);
	set->preset = preset_of_mesh(&options->presets, mesh, -1);
	if (options->is_repaired) {
		rbl_mesh_repair_def def = rbl_default_mesh_repair_def();
		result = rbl_mesh_repair(mesh, &def, &repaired, NULL);
		mesh = repaired;
	}
	if (result == RBL_OK && (local.radius > 0.0 || local.kind == RBL_PATTERN_BRICKS)) {
		rbl_compound_def def = rbl_default_compound_def();
		def.mesh = mesh;
		result = rbl_create_compound(&def, &compound);
	}
	if (result == RBL_OK)
		result = compound ? break_compound(&local, compound, NULL, 0, local.seed, jobs, set)
		                  : break_mesh(&local, mesh, 0, local.seed, jobs, set);
	rbl_destroy_compound(compound);
	rbl_destroy_mesh(repaired);
	return result;
}

// How much work a node is, about.
static double weight_of_node(const rbl_scene *scene, int node)
{
	int mesh = scene->nodes[node].mesh;
	return mesh >= 0 ? 100.0 + rbl_mesh_get_data(scene->meshes[mesh]).face_count : 1e-3;
}

// Break the meshes of all nodes of a glTF scene, each on its own.
static int break_scene(const fracture_options *options, const char *in, result_set *set)
{
	rbl_jobs *jobs = NULL;
	rbl_result result = read_document(in, NULL, &set->document);
	if (result == RBL_OK)
		result = make_workers(options->workers, &jobs);
	rbl_scene scene = rbl_document_get_scene(set->document);
	if (result == RBL_OK &&
	    check_slot_names(&options->presets, scene.meshes, scene.mesh_count) != STATUS_OK) {
		rbl_destroy_jobs(jobs);
		return STATUS_FAILED;
	}
	progress line;
	progress_begin(&line, "cutting");
	double all = 0.0;
	for (int i = 0; i < scene.node_count; ++i)
		all += weight_of_node(&scene, i);
	set->line = &line;
	for (int i = 0; i < scene.node_count && result == RBL_OK; ++i) {
		set->node_share = weight_of_node(&scene, i) / all;
		show_share(set, 0.0);
		if (scene.nodes[i].mesh >= 0)
			result = break_node(options, i, jobs, set);
		set->nodes_done += set->node_share;
	}
	progress_end(&line);
	int status = result == RBL_OK ? STATUS_OK : fail_to_break(options, result, in);
	if (status == STATUS_OK && set->count == 0)
		status = fail("%s: it has no faces", in);
	if (status == STATUS_OK)
		status = write_pieces(options, set, (rbl_boxd){ { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } });
	if (status == STATUS_OK)
		print_summary(options, set);
	rbl_destroy_jobs(jobs);
	return status;
}

// An asset is a compound; so is a mesh, where only what is near is cut or cells stay together.
static int break_file(const fracture_options *options, const char *in)
{
	rbl_asset *asset = NULL;
	rbl_mesh *mesh = NULL;
	rbl_compound *compound = NULL;
	rbl_result result = RBL_OK;
	result_set set = { .node = -1, .preset = -1 };
	set.at = scene_placement(NULL, -1);
	set.has_bonds = options->physics || (options->output && is_glb_name(options->output));
	bool is_asset = is_asset_file(in);
	double start = now_ms();
	if (options->output && is_glb_name(options->output) && !is_asset && is_gltf_file(in)) {
		int status = break_scene(options, in, &set);
		free_set(&set);
		return status;
	}
	if (is_asset && read_asset(in, &asset) != STATUS_OK)
		return STATUS_FAILED;
	if (is_asset) {
		result = rbl_asset_create_compound(asset, NULL, &compound);
		set.prepare_ms = now_ms() - start;
		if (result == RBL_OK)
			result = compound_mesh(compound, NULL, NULL, &mesh);
	} else {
		result = read_closed_mesh(in, options->is_repaired, &mesh);
	}
	bool is_in_range = result != RBL_OK || is_radius_in_range(options, mesh);
	if (result == RBL_OK && is_in_range) {
		const rbl_mesh *one = mesh;
		is_in_range = check_slot_names(&options->presets, &one, 1) == STATUS_OK;
		set.preset = preset_of_mesh(&options->presets, mesh, -1);
	}
	if (result == RBL_OK && is_in_range && !is_asset &&
	    (options->radius > 0.0 || options->kind == RBL_PATTERN_BRICKS)) {
		rbl_compound_def def = rbl_default_compound_def();
		def.mesh = mesh;
		start = now_ms();
		result = rbl_create_compound(&def, &compound);
		set.prepare_ms = now_ms() - start;
	}
	int status = !is_in_range       ? STATUS_FAILED
	             : result == RBL_OK ? break_and_write(options, in, compound, mesh, &set)
	                                : fail_to_break(options, result, in);
	free_set(&set);
	rbl_destroy_compound(compound);
	rbl_destroy_asset(asset);
	rbl_destroy_mesh(mesh);
	return status;
}

static int run(int argc, char **argv)
{
	static const char *const kinds[] = { "voronoi", "impact", "web", "bricks", "splinters", NULL };
	static const char *const hulls[] = { "none", "unreal", "godot", NULL };
	fracture_options options = { .density = 1000.0,
		                         .cells = 50,
		                         .seed = 1,
		                         .rounds = 1,
		                         .workers = 1,
		                         .format = -1,
		                         .inner_size = 1.0 };
	const char *preset = NULL, *materials = NULL;
	options.cut_limit = RBL_CUT_LIMIT;
	options.at[0] = options.at[1] = options.at[2] = DBL_MAX;
	const option table[] = {
		OPTION_OUTPUT("output", "FILE.glb|DIR/", &options.output,
		              "a scene with a node per piece, or a folder with a file per piece (also -o)"),
		OPTION_CHOICE("format", &options.format, file_formats, "of files in a folder, default obj"),
		OPTION_CHOICE("pattern", &options.kind, kinds, "how it breaks, default voronoi"),
		OPTION_INT("cells", "N", &options.cells, 1, RBL_MAX_PATTERN_CELLS,
		           "cells in the box around IN, or around the impact; default 50"),
		OPTION_VECTOR("at", "X,Y,Z", options.at, -1e30, 1e30,
		              "where it is hit, default the middle of IN"),
		OPTION_NUMBER(
			"radius", "R", &options.radius, 1e-30, 1e30,
			"of the impact: cells farther from --at stay together; default everything breaks"),
		OPTION_SEED("seed", "S", &options.seed, "the same seed, the same pieces; default 1"),
		OPTION_INT("repeat", "K", &options.rounds, 1, 6,
		           "rounds; from the second on each piece breaks into about five"),
		OPTION_INT("cut-limit", "N", &options.cut_limit, 1, RBL_MAX_PATTERN_CELLS,
		           "maximum number of cuts, 5 to 15 kB each; default 200000"),
		OPTION_INT("workers", "N", &options.workers, 1, RBL_MAX_WORKERS, "threads, default 1"),
		OPTION_CHOICE("hulls", &options.hulls, hulls,
		              "also write convexes, named as colliders of that engine, default none"),
		OPTION_NUMBER("pull", "F", &options.pull, 0.0, 100.0,
		              "explode: move pieces outwards by F times their distance from the middle"),
		OPTION_TEXT(
			"preset", "P", &preset,
			"what it is made of, which gives density and name: concrete, brick, stone, glass,\n"
			"                             tempered_glass, wood, plaster, ceramic, ice or "
			"metal_sheet"),
		OPTION_TEXT("material", "SLOT=P,...", &materials, "presets of single material slots of IN"),
		OPTION_NUMBER("density", "D", &options.density, 1e-6, 1e9,
		              "kilograms per cubic metre for the masses in a .glb, default 1000"),
		OPTION_NUMBER("roughness", "R", &options.roughness, 0.0, 1e30,
		              "height of the noise on cut faces in metres, default 0: flat"),
		OPTION_TEXT("inner-texture", "FILE", &options.inner_texture,
		            "PNG or JPEG that cut faces of a .glb are given"),
		OPTION_NUMBER("inner-size", "M", &options.inner_size, 1e-6, 1e6,
		              "metres of cut faces that a texture covers, default 1"),
		OPTION_FLAG("repair", &options.is_repaired, "close IN first"),
		OPTION_OUTPUT("json", "FILE", &options.json, "write the result as JSON"),
		OPTION_OUTPUT("physics", "FILE", &options.physics,
		              "write bodies, convexes and bonds as JSON, for another engine"),
		OPTION_END,
	};
	positional_arguments found;
	int status;
	if (!parse_options(&command_fracture, table, argc, argv, &found, &status))
		return status;
	status = read_slot_presets(&command_fracture, preset, materials, &options.presets);
	if (status != STATUS_OK)
		return status;
	if (options.output && !is_glb_name(options.output) && !is_folder_name(options.output))
		return fail_usage(&command_fracture,
		                  "--output is '%s', must end in .glb, or be a folder: DIR/",
		                  options.output);
	if (options.inner_texture && (!options.output || !is_glb_name(options.output)))
		return fail_usage(&command_fracture, "--inner-texture needs -o FILE.glb");
	return break_file(&options, found.items[0]);
}

const command command_fracture = {
	.name = "fracture",
	.arguments = "IN",
	.about = "break a mesh file, or an asset, into pieces",
	.details =
		"IN is a closed mesh (--repair closes it), or an asset of rubble prepare. In a scene each\n"
		"piece is a node at its centre of mass, with a primitive per material of IN and one for\n"
		"cut faces. From glTF to .glb the meshes of all nodes are broken, each below its node and\n"
		"named after it: Wall.003/fragment 12; materials and textures stay. With --radius the\n"
		"first piece is what remains, which --repeat does not break; its parts are touching\n"
		"shells. Without --output the pieces are only counted. In a folder, pieces of earlier\n"
		"runs are removed; other files stay.",
	.min_arguments = 1,
	.max_arguments = 1,
	.run = run,
};
