// SPDX-License-Identifier: MIT
//
// Mesh files: megabytes per second of each reader and writer, in memory, one core. The mesh is a
// bumpy grid that is made here; numbers have as many digits as scans and modellers write.

#include "bench.h"

#include <rubble/io.h>
#include <rubble/mesh.h>

#include "base/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- a mesh --------------------------------------------------------------------------------

typedef struct grid {
	rbl_vec3d *positions;
	int *corners;
	int vertex_count, triangle_count;
} grid;

static bool make_grid(grid *made, int side)
{
	made->vertex_count = side * side;
	made->triangle_count = 2 * (side - 1) * (side - 1);
	made->positions = malloc((size_t)made->vertex_count * sizeof *made->positions);
	made->corners = malloc((size_t)made->triangle_count * 3 * sizeof *made->corners);
	if (!made->positions || !made->corners)
		return false;
	rbl_random random = rbl_random_from_seed(1);
	for (int i = 0; i < made->vertex_count; ++i) {
		// Six digits behind the point, as most programs write.
		double height = (double)(int)rbl_random_below(&random, 2000000) / 1e6 - 1.0;
		double x = (double)(int)(1e6 * (i % side) / side) / 1e6;
		double z = (double)(int)(1e6 * (i / side) / side) / 1e6; // whole row
		made->positions[i] = (rbl_vec3d){ x, height, z };
	}
	int *corner = made->corners;
	for (int y = 0; y + 1 < side; ++y) {
		for (int x = 0; x + 1 < side; ++x) {
			int v = y * side + x;
			const int quad[6] = { v, v + side, v + 1, v + 1, v + side, v + side + 1 };
			memcpy(corner, quad, sizeof quad);
			corner += 6;
		}
	}
	return true;
}

static rbl_mesh *make_mesh(const grid *from)
{
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = (rbl_mesh_data){ .vertex_count = from->vertex_count,
		                        .positions = from->positions,
		                        .face_count = from->triangle_count,
		                        .corner_count = 3 * from->triangle_count,
		                        .corner_vertices = from->corners };
	rbl_mesh *mesh = NULL;
	rbl_create_mesh(&def, &mesh);
	return mesh;
}

// --- formats that are only read ------------------------------------------------------------

static rbl_file_bytes make_text(const grid *from, bool is_medit)
{
	size_t capacity = 64 * (size_t)from->vertex_count + 40 * (size_t)from->triangle_count + 200;
	rbl_file_bytes made = { .data = malloc(capacity) };
	if (!made.data)
		return made;
	char *at = (char *)made.data;
	at += sprintf(at, is_medit ? "MeshVersionFormatted 1\nDimension 3\nVertices\n%d\n" : "OFF\n%d ",
	              from->vertex_count);
	if (!is_medit)
		at += sprintf(at, "%d 0\n", from->triangle_count);
	for (int i = 0; i < from->vertex_count; ++i)
		at += sprintf(at, "%.6f %.6f %.6f%s\n", from->positions[i].x, from->positions[i].y,
		              from->positions[i].z, is_medit ? " 0" : "");
	if (is_medit)
		at += sprintf(at, "Triangles\n%d\n", from->triangle_count);
	for (int i = 0; i < from->triangle_count; ++i) {
		const int *c = from->corners + 3 * i;
		at += is_medit ? sprintf(at, "%d %d %d 0\n", c[0] + 1, c[1] + 1, c[2] + 1)
		               : sprintf(at, "3 %d %d %d\n", c[0], c[1], c[2]);
	}
	made.size = (size_t)(at - (char *)made.data);
	return made;
}

// --- cases ---------------------------------------------------------------------------------

typedef struct io_work {
	const rbl_mesh *mesh;
	rbl_file_bytes bytes;
	rbl_read_def read_def;
	rbl_write_def write_def;
	rbl_result result;
	int vertex_count, face_count; // of what was read
} io_work;

static void read_bytes(void *context)
{
	io_work *work = context;
	rbl_mesh *mesh;
	work->result = rbl_read_mesh_memory(work->bytes.data, work->bytes.size, &work->read_def, &mesh);
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	work->vertex_count = data.vertex_count;
	work->face_count = data.face_count;
	rbl_destroy_mesh(mesh);
}

static void write_bytes(void *context)
{
	io_work *work = context;
	rbl_file_bytes bytes;
	work->result = rbl_write_mesh_memory(work->mesh, &work->write_def, &bytes);
	rbl_free_bytes(&bytes);
}

// The time as seconds per byte, turned into megabytes per second.
static void time_it(bench *b, const char *name, const char *variant, io_work *work,
                    void (*run)(void *))
{
	bench_job job = { .run = run, .context = work, .unit = "ms", .calls = 1 };
	double milliseconds = bench_time(b, name, variant, &job);
	rbl_mesh_data data = rbl_mesh_get_data(work->mesh);
	if (work->result != RBL_OK)
		bench_fail(b, name, variant, rbl_result_text(work->result));
	else if (run == read_bytes &&
	         (work->vertex_count != data.vertex_count || work->face_count != data.face_count))
		bench_fail(b, name, variant, "another mesh was read");
	else if (milliseconds > 0.0)
		bench_row(b, name, variant, "speed", (double)work->bytes.size / 1e3 / milliseconds, "MB/s");
}

static void bench_written(bench *b, const char *name, const rbl_mesh *mesh, rbl_file_format format,
                          bool as_text)
{
	if (!bench_wants(b, name))
		return;
	io_work work = { .mesh = mesh,
		             .read_def = rbl_default_read_def(),
		             .write_def = rbl_default_write_def() };
	work.read_def.format = work.write_def.format = format;
	work.write_def.as_text = as_text;
	if (rbl_write_mesh_memory(mesh, &work.write_def, &work.bytes) != RBL_OK) {
		bench_fail(b, name, "write", "cannot write");
		return;
	}
	time_it(b, name, "read", &work, read_bytes);
	time_it(b, name, "write", &work, write_bytes);
	rbl_free_bytes(&work.bytes);
}

static void bench_text(bench *b, const char *name, const rbl_mesh *mesh, const grid *from,
                       rbl_file_format format)
{
	if (!bench_wants(b, name))
		return;
	io_work work = { .mesh = mesh,
		             .read_def = rbl_default_read_def(),
		             .bytes = make_text(from, format == RBL_FORMAT_MEDIT) };
	work.read_def.format = format;
	if (work.bytes.data)
		time_it(b, name, "read", &work, read_bytes);
	else
		bench_fail(b, name, "read", "out of memory");
	free(work.bytes.data);
}

static void run(bench *b)
{
	grid from = { 0 };
	rbl_mesh *mesh = NULL;
	// 1,100 rows are 100 MB of OBJ.
	if (make_grid(&from, bench_is_quick(b) ? 300 : 1100))
		mesh = make_mesh(&from);
	bench_written(b, "obj", mesh, RBL_FORMAT_OBJ, true);
	bench_written(b, "ply", mesh, RBL_FORMAT_PLY, false);
	bench_written(b, "ply_text", mesh, RBL_FORMAT_PLY, true);
	bench_written(b, "stl", mesh, RBL_FORMAT_STL, false);
	bench_written(b, "stl_text", mesh, RBL_FORMAT_STL, true);
	bench_text(b, "off", mesh, &from, RBL_FORMAT_OFF);
	bench_text(b, "medit", mesh, &from, RBL_FORMAT_MEDIT);
	bench_written(b, "glb", mesh, RBL_FORMAT_GLTF, false);
	rbl_destroy_mesh(mesh);
	free(from.positions);
	free(from.corners);
}

const bench_suite bench_suite_io = { "io", "mesh files, readers and writers", run };
