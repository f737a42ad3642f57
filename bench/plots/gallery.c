// SPDX-License-Identifier: MIT
//
// gallery NAME OUT.obj: a moment of a scene of the papers, from a run of its own, as a mesh file that
// `rubble picture` draws: apple, creature, pumpkin (Otaduy et al. 2007), cloth, nbody, walls, explode (Heo et
// al. 2010), s1 to s4 (Luque et al. 2005). Bodies have colours by OUT.mtl. scripts/gallery runs it.

#include "bench/tree_shapes.h"
#include "scenes/streams.h"
#include "scenes/surfaces.h"

#include "base/math.h"
#include "base/vec.h"

#include <rubble/rubble.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLOURS = 6 };

static const double PI = 3.14159265358979323846;

typedef struct obj_file {
	FILE *file;
	int vertices, colour;
} obj_file;

static void use_colour(obj_file *out, int colour)
{
	if (colour != out->colour)
		fprintf(out->file, "usemtl c%d\n", colour);
	out->colour = colour;
}

static void write_point(obj_file *out, rbl_vec3d p)
{
	fprintf(out->file, "v %.5g %.5g %.5g\n", p.x, p.y, p.z);
}

static bool open_file(obj_file *out, const char *path)
{
	static const char *const colours[COLOURS] = {
		"0.62 0.6 0.57", "0.72 0.3 0.22", "0.3 0.5 0.68",
		"0.75 0.62 0.3", "0.4 0.6 0.4",   "0.86 0.82 0.7"
	};
	char name[1000];
	const char *slash = strrchr(path, '/');
	snprintf(name, sizeof name, "%.*s.mtl", (int)(strlen(path) - 4), path);
	FILE *file = fopen(name, "w");
	for (int i = 0; file && i < COLOURS; ++i)
		fprintf(file, "newmtl c%d\nKd %s\n", i, colours[i]);
	bool is_good = file && fclose(file) == 0;
	out->file = fopen(path, "w");
	out->colour = -1;
	slash = slash ? slash + 1 : path;
	if (out->file)
		fprintf(out->file, "mtllib %.*s.mtl\n", (int)(strlen(slash) - 4), slash);
	return is_good && out->file;
}

// --- cutting ------------------------------------------------------------------------------------

static rbl_cutter *make_cutter(tree_shape_kind kind, int triangles)
{
	tree_shape shape = tree_shape_make(kind, triangles);
	rbl_cutter_def def = rbl_default_cutter_def();
	rbl_cutter *cutter = NULL;
	def.vertex_count = shape.vertex_count, def.positions = shape.positions;
	def.triangle_count = shape.triangle_count, def.triangles = shape.triangles;
	rbl_create_cutter(&def, &cutter);
	tree_shape_free(&shape);
	return cutter;
}

static void write_cut(obj_file *out, const rbl_cutter_mesh *mesh, const int *colours)
{
	for (int t = 0; t < mesh->triangle_count; ++t) {
		const int *v = mesh->triangles + 3 * t;
		use_colour(out, colours[t]);
		fprintf(out->file, "f %d %d %d\n", v[0] + 1, v[1] + 1, v[2] + 1);
	}
}

// The skin of the apple in eight strips that open from the top, as in bench/tree_peel.c.
static bool draw_apple(obj_file *out)
{
	enum { CUTS = 8 };
	rbl_cutter *cutter = make_cutter(TREE_APPLE, 6124);
	bool is_good = cutter != NULL;
	for (int cut = 0; cut < CUTS && is_good; ++cut) {
		double s, c;
		rbl_cut_step step;
		rbl_sin_cos(2.0 * PI * (cut + 0.013) / CUTS, &s, &c);
		rbl_vec3d front[2] = { { 0.05 * c, 0.55, 0.05 * s }, { 0.7 * c, 0.55, 0.7 * s } };
		rbl_vec3d path[2] = { { 0.0, 0.0, 0.0 }, { 0.0, -0.9, 0.0 } };
		is_good = rbl_cutter_begin(cutter, &(rbl_crack){ front, 2, path, 2 }) == RBL_OK;
		for (int i = 1; i <= 50 && is_good; ++i)
			is_good = rbl_cutter_advance(cutter, i / 50.0, &step) == RBL_OK;
	}
	rbl_cutter_mesh mesh = is_good ? rbl_cutter_get_mesh(cutter) : (rbl_cutter_mesh){ 0 };
	for (int t = 0; t < mesh.triangle_count; ++t) { // every strip leans out along its own middle
		rbl_vec3d p[3], m = { 0.0, 0.0, 0.0 };
		double s, c, r = 0.0;
		for (int k = 0; k < 3; ++k) {
			p[k] = mesh.positions[mesh.triangles[3 * t + k]];
			m = rbl_add_d(m, p[k]);
			r += rbl_length_d(p[k]) / 3.0;
		}
		int strip = (int)(rbl_atan2(m.z, m.x) * CUTS / (2.0 * PI) - 0.013 + CUTS);
		rbl_sin_cos(2.0 * PI * (strip + 0.513) / CUTS, &s, &c);
		use_colour(out, r > 0.47 ? 1 : 5); // the skin is what lies farther out
		for (int k = 0; k < 3; ++k) {
			double lift = rbl_maxd(p[k].y + 0.3, 0.0), aside = 0.9 * lift * lift;
			write_point(
				out, (rbl_vec3d){ p[k].x + aside * c, p[k].y - 0.35 * aside, p[k].z + aside * s });
		}
		fprintf(out->file, "f %d %d %d\n", 3 * t + 1, 3 * t + 2, 3 * t + 3);
	}
	rbl_destroy_cutter(cutter);
	return is_good && mesh.triangle_count > 0;
}

// A creature split along its middle in eleven steps, the halves apart.
static bool draw_creature(obj_file *out)
{
	rbl_cutter *cutter = make_cutter(TREE_CREATURE, 22640);
	if (!cutter)
		return false;
	rbl_cutter_mesh mesh = rbl_cutter_get_mesh(cutter);
	rbl_boxd box = { mesh.positions[0], mesh.positions[0] };
	for (int i = 0; i < mesh.vertex_count; ++i)
		box = (rbl_boxd){ rbl_min_d(box.lower, mesh.positions[i]),
			              rbl_max_d(box.upper, mesh.positions[i]) };
	rbl_vec3d s = rbl_box_size_d(box), m = rbl_box_centre_d(box);
	rbl_vec3d front[3] = { { box.lower.x - 0.1 * s.x, m.y, box.lower.z - 0.02 * s.z },
		                   { m.x, m.y + 0.05 * s.y, box.lower.z - 0.02 * s.z },
		                   { box.upper.x + 0.1 * s.x, m.y, box.lower.z - 0.02 * s.z } };
	rbl_vec3d path[2] = { { 0.0, 0.0, 0.0 }, { 0.0, 0.03 * s.y, 1.04 * s.z } };
	bool is_good = rbl_cutter_begin(cutter, &(rbl_crack){ front, 3, path, 2 }) == RBL_OK;
	rbl_cut_step step = { 0 };
	for (int i = 1; i <= 11 && is_good; ++i)
		is_good = rbl_cutter_advance(cutter, i / 11.0, &step) == RBL_OK;
	mesh = rbl_cutter_get_mesh(cutter);
	int *labels = tree_memory((size_t)mesh.triangle_count, sizeof *labels), parts = 0;
	int *of_vertex = tree_memory((size_t)mesh.vertex_count, sizeof *of_vertex);
	is_good = is_good && rbl_cutter_get_components(cutter, labels, &parts) == RBL_OK;
	double *heights = tree_memory((size_t)parts + 1, sizeof *heights);
	for (int i = 0; i < parts; ++i)
		heights[i] = -1e30;
	for (int t = 0; t < mesh.triangle_count && is_good; ++t)
		for (int k = 0; k < 3; ++k) {
			int v = mesh.triangles[3 * t + k];
			of_vertex[v] = labels[t];
			heights[labels[t]] = rbl_maxd(heights[labels[t]], mesh.positions[v].y);
		}
	double top = 0.0;
	for (int i = 0; i < parts; ++i)
		top = rbl_maxd(top, heights[i]);
	for (int i = 0; i < mesh.vertex_count; ++i) {
		rbl_vec3d p = mesh.positions[i];
		if (is_good && heights[of_vertex[i]] == top)
			p.y += 0.35 * s.y;
		write_point(out, p);
	}
	for (int t = 0; t < mesh.triangle_count; ++t)
		labels[t] = is_good && heights[labels[t]] == top ? 2 : 1;
	write_cut(out, &mesh, labels);
	free(heights);
	free(of_vertex);
	free(labels);
	rbl_destroy_cutter(cutter);
	return is_good && parts >= 2;
}

// The pumpkin as it is: `rubble fracture` breaks it.
static bool draw_pumpkin(obj_file *out)
{
	tree_shape shape = tree_shape_make(TREE_PUMPKIN, 10000);
	use_colour(out, 3);
	for (int i = 0; i < shape.vertex_count; ++i)
		write_point(out, shape.positions[i]);
	for (int t = 0; t < shape.triangle_count; ++t)
		fprintf(out->file, "f %d %d %d\n", shape.triangles[3 * t] + 1,
		        shape.triangles[3 * t + 1] + 1, shape.triangles[3 * t + 2] + 1);
	tree_shape_free(&shape);
	return true;
}

// --- surfaces -----------------------------------------------------------------------------------

static bool draw_surface(obj_file *out, surface_kind kind, int frames)
{
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface *surface = NULL;
	surface_scene *scene = surface_scene_create(kind, 1);
	bool is_broken, is_good = scene && rbl_create_surface(&def, &surface) == RBL_OK &&
	                          surface_scene_begin(scene, surface);
	for (int i = 0; i < frames && is_good; ++i)
		is_good = surface_scene_step(scene, surface, &is_broken) &&
		          rbl_surface_update(surface, RBL_SURFACE_DISCRETE) == RBL_OK;
	rbl_surface_data data = rbl_surface_get_data(surface);
	for (int i = 0; i < data.vertex_end && is_good; ++i)
		write_point(out, rbl_to_d(data.ends[i]));
	for (int t = 0; t < data.triangle_end && is_good; ++t) {
		rbl_surface_body_id body = rbl_surface_triangle_body(surface, t);
		const int *v = data.triangles + 3 * t;
		if (body.generation == 0)
			continue;
		use_colour(out, (int)(body.index % COLOURS));
		fprintf(out->file, "f %d %d %d\n", v[0] + 1, v[1] + 1, v[2] + 1);
	}
	rbl_destroy_surface(surface);
	surface_scene_destroy(scene);
	return is_good;
}

// --- boxes --------------------------------------------------------------------------------------

static void write_box(obj_file *out, rbl_box box, int colour)
{
	static const int faces[6][4] = { { 1, 3, 4, 2 }, { 5, 6, 8, 7 }, { 1, 2, 6, 5 },
		                             { 3, 7, 8, 4 }, { 1, 5, 7, 3 }, { 2, 4, 8, 6 } };
	use_colour(out, colour);
	for (int i = 0; i < 8; ++i)
		write_point(out, (rbl_vec3d){ (double)(i & 4 ? box.upper.x : box.lower.x),
		                              (double)(i & 2 ? box.upper.y : box.lower.y),
		                              (double)(i & 1 ? box.upper.z : box.lower.z) });
	for (int i = 0; i < 6; ++i)
		fprintf(out->file, "f %d %d %d %d\n", out->vertices + faces[i][0],
		        out->vertices + faces[i][1], out->vertices + faces[i][2],
		        out->vertices + faces[i][3]);
	out->vertices += 8;
}

static bool draw_stream(obj_file *out, stream_scene scene, int steps)
{
	stream s;
	if (!stream_open(&s, scene, 4250, 6000, 1))
		return false;
	for (int i = 0; i < steps && stream_next(&s); ++i)
		;
	for (int i = 0; i < s.id_count; ++i)
		if (s.kinds[i] != STREAM_FREE)
			write_box(out, s.boxes[i], s.kinds[i] == STREAM_STATIC ? 0 : 1 + i % (COLOURS - 2));
	stream_close(&s);
	return true;
}

int main(int argc, char **argv)
{
	obj_file out = { 0 };
	size_t length = argc == 3 ? strlen(argv[2]) : 0;
	if (length < 5 || strcmp(argv[2] + length - 4, ".obj") != 0 || !open_file(&out, argv[2])) {
		fprintf(stderr, "usage: gallery NAME OUT.obj, where OUT can be written\n");
		return 2;
	}
	const char *name = argv[1];
	bool is_good = strcmp(name, "apple") == 0      ? draw_apple(&out)
	               : strcmp(name, "creature") == 0 ? draw_creature(&out)
	               : strcmp(name, "pumpkin") == 0  ? draw_pumpkin(&out)
	               : strcmp(name, "cloth") == 0    ? draw_surface(&out, SURFACE_CLOTH, 120)
	               : strcmp(name, "nbody") == 0    ? draw_surface(&out, SURFACE_NBODY, 60)
	               : strcmp(name, "walls") == 0    ? draw_surface(&out, SURFACE_WALLS, 60)
	               : strcmp(name, "explode") == 0  ? draw_surface(&out, SURFACE_EXPLODE, 75)
	               : strcmp(name, "s1") == 0       ? draw_stream(&out, STREAM_TERRAIN, 400)
	               : strcmp(name, "s2") == 0       ? draw_stream(&out, STREAM_CLOUDS, 400)
	               : strcmp(name, "s3") == 0       ? draw_stream(&out, STREAM_BLOCKS, 1700)
	               : strcmp(name, "s4") == 0       ? draw_stream(&out, STREAM_BUCKETS, 400)
	                                               : false;
	is_good = fclose(out.file) == 0 && is_good;
	if (!is_good)
		fprintf(stderr, "gallery: %s cannot be made\n", name);
	return is_good ? 0 : 1;
}
