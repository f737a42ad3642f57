// SPDX-License-Identifier: MIT
//
// Bodies were only added to the surface, so that every id below the ends is in use.

#include "collide_output.h"

#include "files.h"

#include <rubble/io.h>
#include <rubble/mesh.h>

#include <stdlib.h>
#include <string.h>

enum { APART, NEAR, INSIDE, MEETS, MATERIALS };

static const rbl_mesh_material materials[MATERIALS] = {
	[APART] = { .name = "apart", .base_color = { 0.8f, 0.8f, 0.8f, 1.0f }, .roughness = 1.0f },
	[NEAR] = { .name = "near", .base_color = { 0.9f, 0.55f, 0.1f, 1.0f }, .roughness = 1.0f },
	[INSIDE] = { .name = "inside", .base_color = { 0.05f, 0.2f, 0.75f, 1.0f }, .roughness = 1.0f },
	[MEETS] = { .name = "meets", .base_color = { 0.8f, 0.05f, 0.02f, 1.0f }, .roughness = 1.0f },
};

// Of a vertex that meets a face, the face alone; of edges, the triangles that own them.
static void mark_features(int *faces, rbl_surface_hit_kind kind, int a, int b, int material)
{
	if (kind == RBL_HIT_EDGE_EDGE)
		faces[a / 3] = faces[b / 3] = material;
	else
		faces[b] = material;
}

// Sizes of the lists of contours: each contour has its part of them, one after the other.
static int segments_of(const rbl_surface_contours *list)
{
	const rbl_surface_contour *last = list->count ? &list->contours[list->count - 1] : NULL;
	return last ? last->begin + last->count : 0;
}

static int crossings_of(const rbl_surface_contours *list)
{
	const rbl_surface_contour *last = list->count ? &list->contours[list->count - 1] : NULL;
	return last ? last->crossing_begin + last->crossing_count : 0;
}

static int inside_vertices(const rbl_surface_contours *list)
{
	const rbl_surface_contour *last = list->count ? &list->contours[list->count - 1] : NULL;
	return last ? last->vertex_begin[1] + last->vertex_count[1] : 0;
}

static int inside_triangles(const rbl_surface_contours *list)
{
	const rbl_surface_contour *last = list->count ? &list->contours[list->count - 1] : NULL;
	return last ? last->triangle_begin[1] + last->triangle_count[1] : 0;
}

static void mark(int *faces, const collide_lists *lists)
{
	for (int i = 0; i < lists->near_count; ++i) {
		const rbl_surface_near_pair *pair = &lists->near_pairs[i];
		mark_features(faces, pair->kind, pair->a, pair->b, NEAR);
	}
	for (int i = 0; i < inside_triangles(&lists->contours); ++i)
		faces[lists->contours.triangles[i]] = INSIDE;
	for (int i = 0; i < lists->pair_count; ++i)
		faces[lists->pairs[i].a] = faces[lists->pairs[i].b] = MEETS;
	for (int i = 0; i < lists->hit_count; ++i)
		mark_features(faces, lists->hits[i].kind, lists->hits[i].a, lists->hits[i].b, MEETS);
}

static void *copy_of(const void *items, int count, size_t size)
{
	void *copy = malloc(((size_t)count + 1) * size);
	if (copy && count > 0)
		memcpy(copy, items, (size_t)count * size);
	return copy;
}

rbl_result keep_found(collide_lists *lists, rbl_surface_pairs pairs, rbl_surface_hits hits)
{
	lists->pairs = copy_of(pairs.pairs, pairs.count, sizeof *pairs.pairs);
	lists->hits = copy_of(hits.hits, hits.count, sizeof *hits.hits);
	if (!lists->pairs || !lists->hits)
		return RBL_OUT_OF_MEMORY;
	lists->pair_count = pairs.count, lists->hit_count = hits.count;
	return RBL_OK;
}

rbl_result keep_near(collide_lists *lists, rbl_surface_near_pairs near_pairs)
{
	lists->near_pairs = copy_of(near_pairs.pairs, near_pairs.count, sizeof *near_pairs.pairs);
	if (!lists->near_pairs)
		return RBL_OUT_OF_MEMORY;
	lists->near_count = near_pairs.count;
	return RBL_OK;
}

rbl_result keep_contours(collide_lists *lists, const rbl_surface_contours *contours,
                         const rbl_surface_overlaps *overlaps)
{
	rbl_surface_contours *kept = &lists->contours;
	kept->contours = copy_of(contours->contours, contours->count, sizeof *contours->contours);
	kept->triangle_pairs =
		copy_of(contours->triangle_pairs, segments_of(contours), sizeof *contours->triangle_pairs);
	kept->crossings =
		copy_of(contours->crossings, crossings_of(contours), sizeof *contours->crossings);
	kept->vertices = copy_of(contours->vertices, inside_vertices(contours), sizeof(int));
	kept->triangles = copy_of(contours->triangles, inside_triangles(contours), sizeof(int));
	kept->touching =
		copy_of(contours->touching, contours->touching_count, sizeof *contours->touching);
	lists->overlaps.overlaps =
		copy_of(overlaps->overlaps, overlaps->count, sizeof *overlaps->overlaps);
	if (!kept->contours || !kept->triangle_pairs || !kept->crossings || !kept->vertices ||
	    !kept->triangles || !kept->touching || !lists->overlaps.overlaps)
		return RBL_OUT_OF_MEMORY;
	kept->count = contours->count, kept->touching_count = contours->touching_count;
	lists->overlaps.count = overlaps->count;
	return RBL_OK;
}

static void free_copy(const void *copy)
{
	union {
		const void *given;
		void *own;
	} pointer = { copy };
	free(pointer.own);
}

void free_lists(collide_lists *lists)
{
	free_copy(lists->contours.contours);
	free_copy(lists->contours.triangle_pairs);
	free_copy(lists->contours.crossings);
	free_copy(lists->contours.vertices);
	free_copy(lists->contours.triangles);
	free_copy(lists->contours.touching);
	free_copy(lists->overlaps.overlaps);
	free(lists->pairs);
	free(lists->hits);
	free(lists->near_pairs);
	*lists = (collide_lists){ 0 };
}

// --- JSON ---------------------------------------------------------------------------------------

static const char *const kind_names[] = { "vertex-face", "edge-edge" };

static void write_vector(FILE *file, const char *name, rbl_vec3 v)
{
	fprintf(file, ", \"%s\": [%.9g, %.9g, %.9g]", name, (double)v.x, (double)v.y, (double)v.z);
}

static void write_features(FILE *file, int i, rbl_surface_hit_kind kind, int a, int b)
{
	fprintf(file, "%s\n    { \"kind\": \"%s\", \"a\": %d, \"b\": %d", i ? "," : "",
	        kind_names[kind], a, b);
}

static void write_ids(FILE *file, const char *name, const int *ids, int count)
{
	fprintf(file, "\"%s\": [", name);
	for (int i = 0; i < count; ++i)
		fprintf(file, "%s%d", i ? ", " : "", ids[i]);
	fprintf(file, "]");
}

static void write_pairs(FILE *file, const rbl_surface_pair *pairs, int count)
{
	for (int i = 0; i < count; ++i)
		fprintf(file, "%s[%d, %d]", i ? ", " : "", pairs[i].a, pairs[i].b);
}

static void write_contour(FILE *file, const rbl_surface_contours *list, int i)
{
	const rbl_surface_contour *c = &list->contours[i];
	fprintf(file, "%s\n    { \"closed\": %s, \"bodies\": [%u, %u],\n      \"points\": [",
	        i ? "," : "", c->is_closed ? "true" : "false", c->bodies[0].index, c->bodies[1].index);
	for (int k = 0; k < c->crossing_count; ++k) {
		rbl_vec3d p = list->crossings[c->crossing_begin + k].position;
		fprintf(file, "%s[%.9g, %.9g, %.9g]", k ? ", " : "", p.x, p.y, p.z);
	}
	fprintf(file, "],\n      \"triangle_pairs\": [");
	write_pairs(file, list->triangle_pairs + c->begin, c->count);
	fprintf(file, "],\n      \"inside\": [");
	for (int side = 0; side < 2; ++side) {
		fprintf(file, "%s", side ? ", " : "");
		if (!c->has_inside[side]) {
			fprintf(file, "null");
			continue;
		}
		fprintf(file, "{ ");
		write_ids(file, "vertices", list->vertices + c->vertex_begin[side], c->vertex_count[side]);
		fprintf(file, ", ");
		write_ids(file, "triangles", list->triangles + c->triangle_begin[side],
		          c->triangle_count[side]);
		fprintf(file, " }");
	}
	fprintf(file, "] }");
}

static void write_contours(FILE *file, const collide_lists *lists)
{
	fprintf(file, ",\n  \"contours\": [");
	for (int i = 0; i < lists->contours.count; ++i)
		write_contour(file, &lists->contours, i);
	fprintf(file, "\n  ],\n  \"touching\": [");
	write_pairs(file, lists->contours.touching, lists->contours.touching_count);
	fprintf(file, "],\n  \"overlaps\": [");
	for (int i = 0; i < lists->overlaps.count; ++i) {
		const rbl_surface_overlap *o = &lists->overlaps.overlaps[i];
		fprintf(file, "%s\n    { \"bodies\": [%u, %u], \"depth\": %.9g, \"area\": %.9g",
		        i ? "," : "", o->a.index, o->b.index, (double)o->depth, (double)o->area);
		write_vector(file, "direction", o->direction);
		fprintf(file, " }");
	}
	fprintf(file, "\n  ]");
}

void write_json_lists(FILE *file, const collide_lists *lists, bool is_step, bool has_near)
{
	fprintf(file, ",\n  \"%s\": [", is_step ? "hits" : "triangle_pairs");
	for (int i = 0; i < lists->pair_count; ++i)
		fprintf(file, "%s\n    [%d, %d]", i ? "," : "", lists->pairs[i].a, lists->pairs[i].b);
	for (int i = 0; i < lists->hit_count; ++i) {
		const rbl_surface_hit *hit = &lists->hits[i];
		write_features(file, i, hit->kind, hit->a, hit->b);
		fprintf(file, ", \"time\": %.9g, \"u\": %.9g, \"v\": %.9g", (double)hit->time,
		        (double)hit->u, (double)hit->v);
		write_vector(file, "normal", hit->normal);
		fprintf(file, " }");
	}
	fprintf(file, "\n  ]");
	if (!is_step)
		write_contours(file, lists);
	if (!has_near)
		return;
	fprintf(file, ",\n  \"near\": [");
	for (int i = 0; i < lists->near_count; ++i) {
		const rbl_surface_near_pair *pair = &lists->near_pairs[i];
		write_features(file, i, pair->kind, pair->a, pair->b);
		fprintf(file, ", \"distance\": %.9g, \"side\": %d, \"repeated\": %s",
		        (double)pair->distance, pair->side, pair->is_repeated ? "true" : "false");
		if (is_step)
			fprintf(file, ", \"time\": %.9g", (double)pair->time);
		write_vector(file, "point_a", pair->points[0]);
		write_vector(file, "point_b", pair->points[1]);
		write_vector(file, "direction", pair->direction);
		fprintf(file, " }");
	}
	fprintf(file, "\n  ]");
}

// --- mesh ---------------------------------------------------------------------------------------

rbl_result write_colliding_mesh(const char *path, const rbl_surface_data *data,
                                const collide_lists *lists)
{
	rbl_mesh *mesh = NULL;
	rbl_result result = RBL_OUT_OF_MEMORY;
	rbl_vec3d *positions = malloc((size_t)data->vertex_end * sizeof *positions);
	int *faces = calloc((size_t)data->triangle_end, sizeof *faces); // APART
	if (positions && faces) {
		for (int i = 0; i < data->vertex_end; ++i) {
			rbl_vec3 p = data->ends[i];
			positions[i] = (rbl_vec3d){ (double)p.x, (double)p.y, (double)p.z };
		}
		mark(faces, lists);
		rbl_mesh_def def = rbl_default_mesh_def();
		def.data = (rbl_mesh_data){ .vertex_count = data->vertex_end,
			                        .positions = positions,
			                        .face_count = data->triangle_end,
			                        .corner_count = 3 * data->triangle_end,
			                        .corner_vertices = data->triangles,
			                        .face_materials = faces,
			                        .material_count = MATERIALS,
			                        .materials = materials };
		result = rbl_create_mesh(&def, &mesh);
	}
	if (result == RBL_OK)
		result = write_mesh(path, mesh, NULL);
	rbl_destroy_mesh(mesh);
	free(positions);
	free(faces);
	return result;
}
