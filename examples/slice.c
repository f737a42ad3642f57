// SPDX-License-Identifier: MIT
// A cloth hangs from two corners and swings, and a knife goes through it meanwhile. The lower part
// falls. The final state is written as a mesh.
//
//     slice [OUT.glb [STEPS]]
//
// Each step the knife says where it was and where it is, and a plan says what that cuts: triangles
// that go, parts that take their place, corners that leave their vertex. New vertices have parents
// and weights, by which the cloth gives them rest positions and velocities. When the knife is
// through, the cloth has two parts, which become bodies.

#include <rubble/io.h>
#include <rubble/rubble.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	CELLS = 40,          // of the cloth along a side
	EDGE_ROUNDS = 30,    // over all edges in a step
	CAPACITY = 4 * 1024, // of vertices
	CUT_BEGIN = 60,      // steps in which the knife goes through
	CUT_END = 130,
};

static const float DT = 1.0f / 120.0f, CELL = 1.2f / CELLS;

typedef struct cloth {
	rbl_surface *surface;
	rbl_surface_body_id pieces[2];
	int piece_count;

	// By vertex id of the surface.
	rbl_vec3 rest[CAPACITY], at[CAPACITY], to[CAPACITY], velocity[CAPACITY];
	bool is_held[CAPACITY];
} cloth;

static rbl_vec3 add(rbl_vec3 a, float s, rbl_vec3 b)
{
	return (rbl_vec3){ a.x + s * b.x, a.y + s * b.y, a.z + s * b.z };
}

static float distance(rbl_vec3 a, rbl_vec3 b)
{
	rbl_vec3 d = add(a, -1.0f, b);
	return sqrtf(d.x * d.x + d.y * d.y + d.z * d.z);
}

// It hangs tilted, so that it swings.
static rbl_result add_cloth(cloth *c)
{
	static int triangles[6 * CELLS * CELLS];
	int *t = triangles;
	for (int y = 0; y <= CELLS; ++y)
		for (int x = 0; x <= CELLS; ++x) {
			int v = y * (CELLS + 1) + x;
			c->rest[v] = c->at[v] =
				(rbl_vec3){ ((float)x - 0.5f * CELLS) * CELL, 0.8f - 0.77f * (float)y * CELL,
				            0.64f * (float)y * CELL };
			c->is_held[v] = y == 0 && (x % CELLS == 0 || x == CELLS / 2);
		}
	for (int y = 0; y < CELLS; ++y)
		for (int x = 0; x < CELLS; ++x) {
			int a = y * (CELLS + 1) + x, b = a + CELLS + 1; // diagonals change from cell to cell
			bool flip = (x + y) % 2;
			*t++ = a, *t++ = b, *t++ = flip ? b + 1 : a + 1;
			*t++ = a + 1, *t++ = flip ? a : b, *t++ = b + 1;
		}
	rbl_surface_body_def def = rbl_default_surface_body_def();
	def.vertex_count = (CELLS + 1) * (CELLS + 1), def.positions = c->at;
	def.triangle_count = 2 * CELLS * CELLS, def.triangles = triangles;
	c->piece_count = 1;
	return rbl_surface_add(c->surface, &def, &c->pieces[0]);
}

// --- motion -------------------------------------------------------------------------------------

static void shorten(cloth *c, int a, int b)
{
	float length = distance(c->to[a], c->to[b]), rest = distance(c->rest[a], c->rest[b]);
	int free_ends = !c->is_held[a] + !c->is_held[b];
	if (length <= rest || free_ends == 0)
		return;
	float share = 0.9f * (1.0f - rest / length) / (float)free_ends;
	rbl_vec3 offset = add(c->to[b], -1.0f, c->to[a]);
	if (!c->is_held[a])
		c->to[a] = add(c->to[a], share, offset);
	if (!c->is_held[b])
		c->to[b] = add(c->to[b], -share, offset);
}

static rbl_result move(cloth *c)
{
	static rbl_vec3 ends[CAPACITY];
	const int *corners = rbl_surface_get_data(c->surface).triangles;
	rbl_result result = RBL_OK;
	for (int p = 0; p < c->piece_count && result == RBL_OK; ++p) {
		rbl_surface_body_data body = rbl_surface_body_get_data(c->surface, c->pieces[p]);
		for (int i = 0; i < body.vertex_count; ++i) {
			int v = body.vertices[i];
			c->velocity[v].y -= c->is_held[v] ? 0.0f : 9.81f * DT;
			c->to[v] = add(c->at[v], c->is_held[v] ? 0.0f : DT, c->velocity[v]);
		}
		for (int round = 0; round < EDGE_ROUNDS; ++round)
			for (int i = 0; i < 3 * body.triangle_count; ++i) {
				int at = round % 2 ? 3 * body.triangle_count - 1 - i : i;
				const int *t = corners + 3 * body.triangles[at / 3];
				shorten(c, t[at % 3], t[(at + 1) % 3 == 0 ? 0 : at % 3 + 1]);
			}
		for (int i = 0; i < body.vertex_count; ++i) {
			int v = body.vertices[i];
			rbl_vec3 displacement = add(c->to[v], -1.0f, c->at[v]);
			c->velocity[v] = (rbl_vec3){ 0.995f * displacement.x / DT, 0.995f * displacement.y / DT,
				                         0.995f * displacement.z / DT };
			c->at[v] = ends[i] = c->to[v];
		}
		result = rbl_surface_move(c->surface, c->pieces[p], NULL, ends);
	}
	return result;
}

// --- cutting ------------------------------------------------------------------------------------

// The knife goes from left to right and a little down.
static void place_blade(int step, rbl_vec3d blade[2])
{
	double along = (double)(step - CUT_BEGIN) / (CUT_END - CUT_BEGIN);
	for (int k = 0; k < 2; ++k)
		blade[k] = (rbl_vec3d){ -0.8 + 1.6 * along, 0.45 - 0.25 * along, k == 0 ? -1.5 : 1.5 };
}

// Whatever a vertex has is mixed from that of its parents.
static rbl_vec3 mix(const rbl_vec3 *values, const int *parents, const double *weights)
{
	rbl_vec3 sum = { 0.0f, 0.0f, 0.0f };
	for (int k = 0; k < 3; ++k)
		if (parents[k] >= 0)
			sum = add(sum, (float)weights[k], values[parents[k]]);
	return sum;
}

static rbl_result cut(cloth *c, int step)
{
	rbl_vec3d last[2], blade[2];
	place_blade(step - 1, last);
	place_blade(step, blade);
	rbl_surface_knife knife = rbl_default_surface_knife();
	knife.point_count = 2, knife.starts = last, knife.ends = blade;
	knife.follows_motion = true; // the cloth swings while it is cut
	rbl_surface_edit_def edit;
	rbl_result result = rbl_surface_plan_cut(c->surface, c->pieces[0], &knife, &edit);
	if (result != RBL_OK || (edit.changed_count == 0 && edit.corner_count == 0))
		return result;
	result = rbl_surface_edit(c->surface, c->pieces[0], &edit, NULL);
	if (result != RBL_OK)
		return result;
	// New vertices come at the end of the list.
	rbl_surface_body_data body = rbl_surface_body_get_data(c->surface, c->pieces[0]);
	rbl_surface_data data = rbl_surface_get_data(c->surface);
	if (data.vertex_end > CAPACITY)
		return RBL_LIMIT_REACHED;
	for (int i = 0; i < edit.vertex_count; ++i) {
		int v = body.vertices[body.vertex_count - edit.vertex_count + i];
		c->rest[v] = mix(c->rest, edit.parents + 3 * i, edit.weights + 3 * i);
		c->velocity[v] = mix(c->velocity, edit.parents + 3 * i, edit.weights + 3 * i);
		c->at[v] = data.ends[v];
		c->is_held[v] = false;
	}
	return RBL_OK;
}

// Parts that nothing holds together any more are bodies.
static rbl_result part(cloth *c, int step)
{
	static int labels[4 * CAPACITY];
	int count;
	rbl_result result = rbl_surface_body_get_components(c->surface, c->pieces[0], labels, &count);
	if (result != RBL_OK || count != 2)
		return result;
	rbl_surface_split_def def = rbl_default_surface_split_def();
	def.piece_count = 2, def.labels = labels;
	result = rbl_surface_split(c->surface, c->pieces[0], &def, c->pieces);
	if (result == RBL_OK) {
		c->piece_count = 2;
		printf("step %d: the knife is through\n", step);
	}
	return result;
}

// --- output -------------------------------------------------------------------------------------

static rbl_result write_mesh(const cloth *c, const char *path)
{
	static rbl_vec3d positions[CAPACITY];
	static int corners[12 * CAPACITY], materials_of[4 * CAPACITY];
	const rbl_mesh_material materials[2] = {
		{ "upper", { 0.15f, 0.35f, 0.60f, 1.0f }, 0.0f, 0.9f, 0 },
		{ "lower", { 0.80f, 0.45f, 0.10f, 1.0f }, 0.0f, 0.9f, 0 },
	};
	rbl_surface_data data = rbl_surface_get_data(c->surface);
	int count = 0;
	for (int v = 0; v < data.vertex_end; ++v)
		positions[v] = (rbl_vec3d){ (double)c->at[v].x, (double)c->at[v].y, (double)c->at[v].z };
	for (int p = 0; p < c->piece_count; ++p) {
		rbl_surface_body_data body = rbl_surface_body_get_data(c->surface, c->pieces[p]);
		for (int i = 0; i < body.triangle_count; ++i, ++count) {
			memcpy(corners + 3 * count, data.triangles + 3 * body.triangles[i],
			       3 * sizeof *corners);
			materials_of[count] = p;
		}
	}
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = (rbl_mesh_data){ .vertex_count = data.vertex_end,
		                        .positions = positions,
		                        .face_count = count,
		                        .corner_count = 3 * count,
		                        .corner_vertices = corners,
		                        .face_materials = materials_of,
		                        .material_count = 2,
		                        .materials = materials };
	rbl_mesh *mesh;
	rbl_result result = rbl_create_mesh(&def, &mesh);
	if (result == RBL_OK)
		result = rbl_write_mesh(path, mesh, NULL);
	rbl_destroy_mesh(mesh);
	return result;
}

static void print_log(void *user, rbl_log_level level, const char *text)
{
	(void)user, (void)level;
	fprintf(stderr, "slice: %s\n", text);
}

int main(int argc, char **argv)
{
	const char *path = argc > 1 ? argv[1] : "slice.glb";
	int steps = argc > 2 ? atoi(argv[2]) : CUT_END + 12;
	static cloth c;
	rbl_surface_def def = rbl_default_surface_def();
	rbl_set_log(print_log, NULL);
	rbl_result result = rbl_create_surface(&def, &c.surface);
	if (result == RBL_OK)
		result = add_cloth(&c);
	for (int step = 0; step < steps && result == RBL_OK; ++step) {
		result = move(&c);
		if (result == RBL_OK && step > CUT_BEGIN && step <= CUT_END && c.piece_count == 1)
			result = cut(&c, step);
		if (result == RBL_OK && step > CUT_BEGIN && c.piece_count == 1)
			result = part(&c, step);
		if (result == RBL_OK)
			result = rbl_surface_update(c.surface, RBL_SURFACE_DISCRETE);
	}
	rbl_surface_stats stats = rbl_surface_get_stats(c.surface);
	if (result == RBL_OK)
		result = write_mesh(&c, path);
	rbl_destroy_surface(c.surface);
	if (result != RBL_OK) {
		fprintf(stderr, "slice: %s\n", rbl_result_text(result));
		return 1;
	}
	printf("%d steps, %d triangles in %d pieces; written to %s\n", steps, stats.triangle_count,
	       c.piece_count, path);
	return steps > CUT_END && c.piece_count != 2;
}
