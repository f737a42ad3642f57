// SPDX-License-Identifier: MIT
//
// Pieces of `rubble fracture` as files: a scene with a node for each, or a folder with a file for
// each, and JSON.

#define _POSIX_C_SOURCE 200809L // mkdir, opendir

#include "fracture_set.h"

#include "errors.h"
#include "files.h"
#include "system.h"
#include "texture_file.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// Copy a mesh with its centre at the origin.
// @param inner  the scene's material that cut faces have, from 1; 0: their own
static rbl_mesh *centred(const rbl_mesh *mesh, rbl_vec3d centre, int inner)
{
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = rbl_mesh_get_data(mesh);
	size_t material_size = (size_t)def.data.material_count * sizeof *def.data.materials;
	rbl_vec3d *positions = malloc((size_t)def.data.vertex_count * sizeof *positions);
	rbl_mesh_material *materials = malloc(material_size + 1);
	rbl_mesh *copy = NULL;
	if (positions && materials) {
		if (material_size > 0)
			memcpy(materials, def.data.materials, material_size);
		for (int i = 0; i < def.data.material_count && inner > 0; ++i)
			if (strcmp(materials[i].name, "inner") == 0)
				materials[i].source = inner;
		def.data.materials = material_size > 0 ? materials : NULL;
		for (int v = 0; v < def.data.vertex_count; ++v) {
			rbl_vec3d p = def.data.positions[v];
			positions[v] = (rbl_vec3d){ p.x - centre.x, p.y - centre.y, p.z - centre.z };
		}
		def.data.positions = positions;
		rbl_create_mesh(&def, &copy);
	}
	free(positions);
	free(materials);
	return copy;
}

typedef struct scene_parts {
	rbl_mesh **meshes;
	rbl_scene_node *nodes; // those of the input first
	char (*names)[PIECE_NAME_LENGTH];
	char **extras; // of pieces, NULL of convexes
	int next_bond;
	int count, node_count; // new meshes, and nodes before theirs
	int inner;             // material of cut faces, from 1; 0: their own
} scene_parts;

void name_piece(const result_set *set, int piece, char name[PIECE_NAME_LENGTH])
{
	int node = set->pieces[piece].node, number = 1;
	if (node < 0) {
		snprintf(name, PIECE_NAME_LENGTH, "piece_%04d", piece + 1);
		return;
	}
	const char *own = rbl_document_get_scene(set->document).nodes[node].name;
	char unnamed[40];
	snprintf(unnamed, sizeof unnamed, "node %d", node);
	while (piece - number >= 0 && set->pieces[piece - number].node == node)
		number++;
	snprintf(name, PIECE_NAME_LENGTH, "%.80s/fragment %d", own && *own ? own : unnamed, number);
}

const char *parent_name(const result_set *set, int piece)
{
	int node = set->pieces[piece].node;
	return node >= 0 ? rbl_document_get_scene(set->document).nodes[node].name : NULL;
}

// The centre is in coordinates of the node, all else in those of the scene. Bonds are rows of the
// other piece, by its number, and the area.
static char *describe_piece(const result_set *set, int piece, int *bond)
{
	enum { HEAD = 500, ROW = 40 };
	const fracture_piece *one = &set->pieces[piece];
	char parent[PIECE_NAME_LENGTH] = "";
	const char *own = parent_name(set, piece);
	snprintf(parent, sizeof parent, "%.80s", own ? own : "");
	char material[RBL_MAX_MATERIAL_NAME + 20] = "";
	if (*one->material)
		snprintf(material, sizeof material, "\"material\":\"%s\",", one->material);
	for (char *c = parent; *c; ++c)
		*c = *c == '"' || *c == '\\' || (unsigned char)*c < 32 ? '?' : *c;
	int end = *bond;
	while (end < set->bond_count && set->bonds[end].piece == piece)
		end++;
	size_t capacity = HEAD + (size_t)(end - *bond) * ROW, used;
	char *extras = malloc(capacity);
	if (!extras)
		return NULL;
	double volume = piece_mass(set, piece).volume;
	used =
		(size_t)snprintf(extras, capacity,
	                     "{\"piece\":%d,\"mass\":%.9g,\"volume\":%.9g,\"centre\":[%.9g,%.9g,%.9g],"
	                     "%s\"parent\":\"%s\",\"birth\":0,\"bonds\":[",
	                     piece + 1, volume * one->density, volume, one->centre.x, one->centre.y,
	                     one->centre.z, material, parent);
	for (int i = *bond; i < end; ++i)
		used += (size_t)snprintf(extras + used, capacity - used, "%s[%d,%.6g]",
		                         i > *bond ? "," : "", set->bonds[i].other + 1, set->bonds[i].area);
	snprintf(extras + used, capacity - used, "]}");
	*bond = end;
	return extras;
}

// Add a node at the centre of a piece, for itself or for one of its convexes.
static bool add_node(scene_parts *parts, rbl_mesh *mesh, int hulls, int piece, int convex,
                     const result_set *set, double pull, rbl_vec3d middle)
{
	if (!mesh)
		return false;
	int i = parts->count++;
	rbl_vec3d c = set->pieces[piece].centre;
	char name[PIECE_NAME_LENGTH];
	name_piece(set, piece, name);
	if (convex == 0)
		snprintf(parts->names[i], PIECE_NAME_LENGTH, "%s", name);
	else if (hulls == HULLS_UNREAL)
		snprintf(parts->names[i], PIECE_NAME_LENGTH, "UCX_%.100s_%02d", name, convex);
	else
		snprintf(parts->names[i], PIECE_NAME_LENGTH, "%.90s_%02d-convcolonly", name, convex);
	parts->meshes[i] = mesh;
	parts->extras[i] = convex == 0 ? describe_piece(set, piece, &parts->next_bond) : NULL;
	if (convex == 0 && !parts->extras[i])
		return false;
	rbl_scene_node *node = &parts->nodes[parts->node_count + i];
	*node = rbl_default_scene_node();
	node->name = parts->names[i];
	node->extras = parts->extras[i];
	node->parent = set->pieces[piece].node;
	node->mesh = i;
	node->translation =
		(rbl_vec3){ (float)(c.x + pull * (c.x - middle.x)), (float)(c.y + pull * (c.y - middle.y)),
		            (float)(c.z + pull * (c.z - middle.z)) };
	return true;
}

static rbl_vec3d middle_of_node(const result_set *set, int node)
{
	rbl_scene scene = rbl_document_get_scene(set->document);
	return middle_of(rbl_mesh_bounds(scene.meshes[scene.nodes[node].mesh]));
}

static bool add_nodes(const fracture_options *options, const result_set *set, rbl_vec3d middle,
                      scene_parts *parts)
{
	int next = 0; // convex
	for (int i = 0; i < set->count; ++i) {
		if (set->document && (i == 0 || set->pieces[i].node != set->pieces[i - 1].node))
			middle = middle_of_node(set, set->pieces[i].node);
		if (!add_node(parts, centred(set->pieces[i].mesh, set->pieces[i].centre, parts->inner),
		              HULLS_NONE, i, 0, set, options->pull, middle))
			return false;
		for (int number = 1; next < set->hull_count && set->hulls[next].piece == i;
		     ++next, ++number) {
			if (options->hulls == HULLS_NONE)
				continue;
			rbl_mesh *moved = centred(set->hulls[next].mesh, set->pieces[i].centre, 0);
			if (!add_node(parts, moved, options->hulls, i, number, set, options->pull, middle))
				return false;
		}
	}
	return true;
}

// A scene's materials, textures and images, and one more of each.
typedef struct more_looks {
	rbl_scene_material *materials;
	rbl_scene_texture *textures;
	rbl_scene_image *images;
} more_looks;

static void free_more(more_looks *more)
{
	free(more->materials);
	free(more->textures);
	free(more->images);
}

// Add the material of cut faces to a scene. @return false when memory runs out
static bool add_inner(rbl_scene *scene, const texture_look *look, more_looks *more)
{
	size_t materials = (size_t)scene->material_count, textures = (size_t)scene->texture_count,
		   images = (size_t)scene->image_count;
	*more = (more_looks){ malloc((materials + 1) * sizeof *more->materials),
		                  malloc((textures + 1) * sizeof *more->textures),
		                  malloc((images + 1) * sizeof *more->images) };
	if (!more->materials || !more->textures || !more->images)
		return false;
	for (size_t i = 0; i < materials; ++i)
		more->materials[i] = scene->materials[i];
	for (size_t i = 0; i < textures; ++i)
		more->textures[i] = scene->textures[i];
	for (size_t i = 0; i < images; ++i)
		more->images[i] = scene->images[i];
	more->images[images] = look->image;
	more->textures[textures] = look->texture;
	more->textures[textures].image = ++scene->image_count;
	more->materials[materials] = look->material;
	more->materials[materials].base_color_texture.texture = ++scene->texture_count;
	scene->material_count++;
	scene->materials = more->materials, scene->textures = more->textures;
	scene->images = more->images;
	return true;
}

static rbl_result write_scene(const fracture_options *options, const result_set *set, rbl_boxd box)
{
	texture_look look = { .image = { 0 } };
	more_looks more = { NULL, NULL, NULL };
	if (options->inner_texture) {
		rbl_result read = read_texture_look(options->inner_texture, NULL, "inner", &look);
		if (read != RBL_OK)
			return read;
	}
	size_t capacity = (size_t)set->count + (size_t)set->hull_count + 1;
	rbl_scene scene = rbl_document_get_scene(set->document);
	scene_parts parts = { .meshes = malloc(capacity * sizeof *parts.meshes),
		                  .nodes =
		                      malloc((capacity + (size_t)scene.node_count) * sizeof *parts.nodes),
		                  .names = malloc(capacity * sizeof *parts.names),
		                  .extras = malloc(capacity * sizeof *parts.extras),
		                  .node_count = scene.node_count };
	bool done = parts.meshes && parts.nodes && parts.names && parts.extras;
	if (done && options->inner_texture) {
		done = add_inner(&scene, &look, &more);
		parts.inner = scene.material_count;
	}
	for (int i = 0; done && i < scene.node_count; ++i) {
		parts.nodes[i] = scene.nodes[i];
		parts.nodes[i].mesh = -1; // its pieces are below it
	}
	done = done && add_nodes(options, set, middle_of(box), &parts);
	rbl_result result = RBL_OUT_OF_MEMORY;
	if (done) {
		scene.mesh_count = parts.count, scene.mesh_labels = NULL;
		scene.meshes = (const rbl_mesh *const *)parts.meshes;
		scene.node_count += parts.count, scene.nodes = parts.nodes;
		result = write_scene_file(options->output, &scene, false);
	}
	for (int i = 0; i < parts.count; ++i) {
		rbl_destroy_mesh(parts.meshes[i]);
		free(parts.extras[i]);
	}
	free(parts.meshes);
	free(parts.nodes);
	free(parts.names);
	free(parts.extras);
	free_more(&more);
	free_texture_look(&look);
	return result;
}

// The number of a file that write_folder() names, 0 for any other.
static int piece_number(const char *name)
{
	char *end, again[48];
	if (strncmp(name, "piece_", 6) != 0 || name[6] < '0' || name[6] > '9')
		return 0;
	long number = strtol(name + 6, &end, 10);
	if (number < 1 || number > INT_MAX || (strcmp(end, ".obj") != 0 && strcmp(end, ".mtl") != 0))
		return 0;
	snprintf(again, sizeof again, "piece_%04d%s", (int)number, end);
	return strcmp(name, again) == 0 ? (int)number : 0;
}

// Whether the library wrote a file.
static bool is_written_by_rubble(const char *path)
{
	char line[16] = "";
	FILE *file = open_file(path, "r");
	bool is_read = file && fgets(line, sizeof line, file);
	if (file)
		fclose(file);
	return is_read && strcmp(line, "# Rubble\n") == 0;
}

// Remove further pieces of an earlier run; other files stay.
static int remove_stale(const char *name, int count)
{
	DIR *listing = opendir(name);
	if (!listing)
		return fail("%s: %s", name, strerror(errno));
	int status = STATUS_OK;
	for (const struct dirent *entry; status == STATUS_OK && (entry = readdir(listing)) != NULL;) {
		char path[1024];
		if (piece_number(entry->d_name) <= count ||
		    snprintf(path, sizeof path, "%s/%s", name, entry->d_name) >= (int)sizeof path)
			continue;
		if (is_written_by_rubble(path) && remove(path) != 0)
			status = fail("%s, of an earlier run: %s", path, strerror(errno));
	}
	closedir(listing);
	return status;
}

static int write_folder(const fracture_options *options, const result_set *set)
{
	if (make_folder(options->output) != STATUS_OK)
		return STATUS_FAILED;
	const char *ending = options->format < 0 ? "obj" : file_formats[options->format];
	for (int i = 0; i < set->count; ++i) {
		char path[1024];
		if (snprintf(path, sizeof path, "%s/piece_%04d.%s", options->output, i + 1, ending) >=
		    (int)sizeof path)
			return fail("%s: the name is too long", options->output);
		rbl_result result = write_mesh(path, set->pieces[i].mesh, NULL);
		if (result != RBL_OK)
			return fail_with(result, path);
	}
	return remove_stale(options->output, set->count);
}

static int write_json(const fracture_options *options, const result_set *set)
{
	FILE *file = create_file(options->json);
	if (!file)
		return STATUS_FAILED;
	fprintf(file,
	        "{\n  \"pieces\": %d,\n  \"convexes\": %d,\n  \"volume_in\": %.17g,\n"
	        "  \"volume_out\": %.17g,\n  \"volume_error\": %.3g,\n  \"open_pieces\": %d,\n"
	        "  \"inside_out_pieces\": %d,\n  \"failed_pieces\": %d,\n  \"prepare_ms\": %.3f,\n  "
	        "\"fracture_ms\": %.3f,\n"
	        "  \"us_per_piece\": %.3f\n}\n",
	        set->count, set->hull_count, set->volume_in, set->volume_out,
	        fabs(set->volume_out / set->volume_in - 1.0), set->open_count, set->inside_out_count,
	        set->failed_count, set->prepare_ms, set->fracture_ms,
	        set->count > 0 ? 1e3 * set->fracture_ms / set->count : 0.0);
	return close_file(file, options->json);
}

// A folder name has no extension, or exists: pieces.obj was not meant as a folder.
bool is_folder_name(const char *name)
{
	struct stat state;
	const char *slash = strrchr(name, '/'), *last = slash ? slash + 1 : name;
	return name[0] && (!strchr(last, '.') || (stat(name, &state) == 0 && S_ISDIR(state.st_mode)));
}

int write_pieces(const fracture_options *options, result_set *set, rbl_boxd box)
{
	if (set->inside_out_count > 0) // the library promises that it never happens
		return fail("%d of %d pieces are inside out, nothing is written", set->inside_out_count,
		            set->count);
	rbl_result bonds = set->has_bonds ? find_bonds(set) : RBL_OK;
	int status = bonds == RBL_OK ? STATUS_OK : fail_with(bonds, "bonds");
	if (status != STATUS_OK)
		return status;
	size_t length = options->output ? strlen(options->output) : 0;
	if (length > 0 && !is_glb_name(options->output)) {
		status = write_folder(options, set);
	} else if (length > 0) {
		rbl_result result = write_scene(options, set, box);
		if (result != RBL_OK)
			status = fail_with(result,
			                   result == RBL_BAD_FILE ? options->inner_texture : options->output);
	}
	if (status == STATUS_OK && options->physics)
		status = write_physics(options, set);
	if (status == STATUS_OK && options->json)
		status = write_json(options, set);
	return status;
}
