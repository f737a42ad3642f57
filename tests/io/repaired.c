// SPDX-License-Identifier: MIT
// ctest: soak
// Meshes as people send them, through the whole chain: repaired, broken by every kind of pattern,
// prepared, and struck in a world. Each is either refused with a sentence, or everything that comes
// of it is closed, has a positive volume, adds up to the whole and breaks again.
//
// At full size (RBL_SOAK=1) every kind of mesh comes with several seeds and is cut into more cells.
// RBL_MESH=n takes mesh n alone.

#include <rubble/io.h>
#include <rubble/rubble.h>

#include "base/random.h"
#include "base/vec.h"
#include "geometry/sample_meshes.h"
#include "test.h"

static sample s;
static rbl_random random_state;

static double between(double low, double high)
{
	return rbl_random_range(&random_state, low, high);
}

static int below(int bound)
{
	return (int)rbl_random_below(&random_state, (uint32_t)bound);
}

// --- meshes -------------------------------------------------------------------------------------

static void flip_from(int face)
{
	for (int f = face; f < s.face_count; ++f)
		sample_flip_face(&s, f);
}

static void box_at(double x, double y, double z, double a, double b, double c)
{
	sample_box(&s, (rbl_vec3d){ x, y, z }, (rbl_vec3d){ x + a, y + b, z + c });
}

// Boxes that overlap, some inside out: a truck.
static void make_truck(void)
{
	box_at(0.0, 0.0, 0.0, 2.0, 0.6, 0.8);
	for (int i = 0; i < 6; ++i) {
		int first = s.face_count;
		double x = between(-0.3, 1.8), y = between(-0.3, 0.5), z = between(-0.2, 0.7);
		double a = between(0.1, 0.8), b = between(0.1, 0.8);
		box_at(x, y, z, a, b, between(0.1, 0.8));
		if (below(2))
			flip_from(first);
	}
}

// Shells within shells, each turned at random.
static void make_nest(void)
{
	for (int i = 0; i < 5; ++i) {
		int first = s.face_count;
		double r = 1.0 - 0.18 * i;
		if (below(2))
			sample_sphere(&s, (rbl_vec3d){ 0.0, 0.0, 0.0 }, 0.7 * r, 6 + below(4), 8);
		else
			box_at(-0.35 * r, -0.35 * r, -0.35 * r, 0.7 * r, 0.7 * r, 0.7 * r);
		if (below(2))
			flip_from(first);
	}
}

// Cubes side by side with vertices of their own, each turned at random.
static void make_stack(void)
{
	int n = 2 + below(3);
	for (int i = 0; i < n * n * n; ++i) {
		int first = s.face_count;
		box_at(1.0 * (i % n) / n, 1.0 * (i / n % n) / n, 1.0 * (i / n / n) / n, 1.0 / n, 1.0 / n,
		       1.0 / n);
		if (below(2))
			flip_from(first);
	}
}

// Cubes that share their vertices and keep the walls between them, as faces in any order.
static void make_walls(void)
{
	static const int sides[6][4] = { { 0, 4, 6, 2 }, { 1, 3, 7, 5 }, { 0, 1, 5, 4 },
		                             { 2, 6, 7, 3 }, { 0, 2, 3, 1 }, { 4, 5, 7, 6 } };
	int n = 2 + below(4), m = n + 1, how = below(3);
	for (int i = 0; i < m * m * m; ++i)
		sample_vertex(&s, 1.0 * (i % m) / n, 1.0 * (i / m % m) / n, 1.0 * (i / m / m) / n);
	int count = 6 * n * n * n, *order = malloc((size_t)count * sizeof *order);
	for (int i = 0; i < count; ++i)
		order[i] = i;
	for (int i = count - 1; i > 0; --i) {
		int k = below(i + 1), swap = order[i];
		order[i] = order[k], order[k] = swap;
	}
	for (int i = 0; i < count; ++i) {
		int cube = order[i] / 6, v[4];
		for (int k = 0; k < 4; ++k) {
			int at = sides[order[i] % 6][k];
			v[k] = cube % n + (at & 1) + m * (cube / n % n + (at >> 1 & 1)) +
			       m * m * (cube / n / n + (at >> 2));
		}
		if (how == 2 && below(2)) { // as triangles, which need not fit those behind
			sample_triangle(&s, v[0], v[1], v[3]);
			sample_triangle(&s, v[1], v[2], v[3]);
		} else if (how == 2) {
			sample_triangle(&s, v[0], v[1], v[2]);
			sample_triangle(&s, v[0], v[2], v[3]);
		} else {
			sample_quad(&s, v[0], v[1], v[2], v[3]);
		}
		if (how == 1 && below(2))
			sample_flip_face(&s, s.face_count - 1);
	}
	free(order);
}

// A ball with holes and turned faces.
static void make_torn(void)
{
	sample_sphere(&s, (rbl_vec3d){ 0.0, 0.0, 0.0 }, 0.6, 10, 14);
	for (int i = 0; i < 8; ++i)
		sample_remove_face(&s, below(s.face_count));
	for (int f = 0; f < s.face_count; ++f)
		if (below(5) == 0)
			sample_flip_face(&s, f);
}

// A ring so thick that it runs into itself.
static void make_spindle(void)
{
	sample_torus(&s, 0.3, between(0.32, 0.5), 14 + below(8), 9 + below(5));
}

// A tube along a figure of eight: it passes through itself.
static void make_eight(void)
{
	const double pi = 3.14159265358979323846;
	int n = 30 + below(10), m = 7 + below(4);
	double r = between(0.05, 0.15);
	for (int i = 0; i < n; ++i) {
		double u = 2.0 * pi * i / n, x = 0.7 * sin(u), y = 0.7 * sin(u) * cos(u);
		double dx = cos(u), dy = cos(2.0 * u), length = sqrt(dx * dx + dy * dy);
		for (int k = 0; k < m; ++k) {
			double w = 2.0 * pi * k / m;
			sample_vertex(&s, x - r * cos(w) * dy / length, y + r * cos(w) * dx / length,
			              r * sin(w));
		}
	}
	for (int i = 0; i < n; ++i)
		for (int k = 0; k < m; ++k) {
			int a = i * m, b = (i + 1) % n * m, next = (k + 1) % m;
			sample_quad(&s, a + k, b + k, b + next, a + next);
		}
}

// A prism over a polygon that crosses itself: one half is inside out.
static void make_bow(void)
{
	double y = between(0.2, 0.9);
	const double corners[4][2] = { { 0.0, 0.0 }, { 1.0, y }, { 1.0, 0.0 }, { 0.0, 0.5 } };
	for (int i = 0; i < 8; ++i)
		sample_vertex(&s, corners[i % 4][0], corners[i % 4][1], i < 4 ? 0.0 : 0.7);
	for (int i = 0; i < 4; ++i)
		sample_quad(&s, i, (i + 1) % 4, (i + 1) % 4 + 4, i + 4);
	if (below(2)) {
		sample_quad(&s, 3, 2, 1, 0);
		sample_quad(&s, 4, 5, 6, 7);
	}
}

// Quads that are far from flat.
static void make_bent(void)
{
	sample_sphere(&s, (rbl_vec3d){ 0.0, 0.0, 0.0 }, 0.6, 6, 9);
	for (int v = 0; v < s.vertex_count; ++v)
		s.positions[v] = rbl_add_scaled_d(s.positions[v], 0.06, rbl_random_in_ball(&random_state));
}

// The same, so far that faces cross.
static void make_crumpled(void)
{
	sample_sphere(&s, (rbl_vec3d){ 0.0, 0.0, 0.0 }, 0.6, 7, 10);
	double size = between(0.15, 0.4);
	for (int v = 0; v < s.vertex_count; ++v)
		s.positions[v] = rbl_add_scaled_d(s.positions[v], size, rbl_random_in_ball(&random_state));
}

// A box with fins, sheets and faces that are there twice.
static void make_fins(void)
{
	box_at(0.0, 0.0, 0.0, 1.0, 0.8, 0.6);
	for (int i = 0; i < 5; ++i) {
		int a = below(8), b = a ^ (1 << below(3));
		rbl_vec3d p = rbl_random_in_ball(&random_state), q = s.positions[a], r = s.positions[b];
		int c = sample_vertex(&s, q.x + p.x, q.y + p.y, q.z + p.z);
		int d = sample_vertex(&s, r.x + p.x, r.y + p.y, r.z + p.z);
		sample_quad(&s, a, b, d, c);
		if (below(2))
			sample_quad(&s, c, d, b, a); // two sides
		if (below(3) == 0)
			sample_triangle(&s, c, d, below(8));
	}
	for (int i = 0; i < 2; ++i) {
		int f = below(6);
		sample_face(&s, s.corners + s.starts[f], 4);
	}
}

// Sides cut into slivers, and faces without an area that hold them together.
static void make_slivers(void)
{
	box_at(0.0, 0.0, 0.0, 1.0, 1.0, 1.0);
	for (int i = 0; i < 20; ++i) {
		int f = below(s.face_count), begin = s.starts[f], n = s.starts[f + 1] - begin, v[8];
		if (n > 7)
			continue;
		memcpy(v, s.corners + begin, (size_t)n * sizeof(int));
		rbl_vec3d p = rbl_lerp_d(s.positions[v[0]], s.positions[v[n / 2]],
		                         below(2) ? 1e-9 : between(0.0, 1.0));
		int c = sample_vertex(&s, p.x, p.y, p.z);
		sample_remove_face(&s, f);
		for (int k = 0; k < n; ++k)
			sample_triangle(&s, v[k], v[(k + 1) % n], c);
	}
}

// Triangles at random between few places.
static void make_nonsense(void)
{
	int vertices = 6 + below(10), faces = 8 + below(40);
	for (int v = 0; v < vertices; ++v) {
		int x = below(3), y = below(3);
		sample_vertex(&s, 0.5 * x, 0.5 * y, 0.5 * below(3));
	}
	for (int f = 0; f < faces; ++f) {
		int v[5], n = 3 + below(3);
		for (int k = 0; k < n; ++k)
			v[k] = below(vertices);
		sample_face(&s, v, n);
	}
}

// Voids that cross each other, touch the outside, and reach out of it.
static void make_voids(void)
{
	box_at(0.0, 0.0, 0.0, 1.0, 1.0, 1.0);
	int first = s.face_count;
	sample_sphere(&s, (rbl_vec3d){ 0.4, 0.45, 0.5 }, 0.25, 6, 8);
	sample_sphere(&s, (rbl_vec3d){ 0.6, 0.5, 0.5 }, 0.25, 6, 8);
	if (below(2))
		box_at(0.1, 0.1, 0.0, 0.2, 0.2, 0.3); // touches
	if (below(2))
		box_at(0.7, 0.1, -0.2, 0.2, 0.2, 0.5); // reaches out
	flip_from(first);
}

// A shell that is there several times, at exactly the same place.
static void make_copies(void)
{
	int copies = 2 + below(2);
	for (int i = 0; i < copies; ++i) {
		int first = s.face_count;
		sample_sphere(&s, (rbl_vec3d){ 0.0, 0.0, 0.0 }, 0.5, 6, 8);
		if (below(2))
			flip_from(first);
	}
	box_at(0.3, 0.3, 0.3, 0.5, 0.5, 0.5);
}

// Open sheets that cross each other.
static void make_sheets(void)
{
	for (int i = 0; i < 5; ++i) {
		int v = s.vertex_count;
		for (int k = 0; k < 9; ++k) {
			rbl_vec3d p = { 0.4 * (k % 3) - 0.4, 0.4 * (k / 3) - 0.4, between(-0.3, 0.3) };
			int turn = i % 3;
			sample_vertex(&s,
			              turn == 0   ? p.x
			              : turn == 1 ? p.z
			                          : p.y,
			              turn == 0   ? p.y
			              : turn == 1 ? p.x
			                          : p.z,
			              turn == 0   ? p.z
			              : turn == 1 ? p.y
			                          : p.x);
		}
		for (int k = 0; k < 4; ++k) {
			int a = v + k % 2 + 3 * (k / 2);
			sample_quad(&s, a, a + 1, a + 4, a + 3);
		}
	}
}

// Every face with vertices of its own, nearly where the neighbour's are.
static void make_seams(void)
{
	static sample whole;
	memset(&whole, 0, sizeof whole);
	sample_torus(&whole, 0.5, 0.2, 14, 9);
	double apart = below(2) ? 0.0 : 1e-9;
	for (int f = 0; f < whole.face_count; ++f) {
		int v[4];
		for (int k = 0; k < 4; ++k) {
			rbl_vec3d p = rbl_add_scaled_d(whole.positions[whole.corners[4 * f + k]], apart,
			                               rbl_random_in_ball(&random_state));
			v[k] = sample_vertex(&s, p.x, p.y, p.z);
		}
		sample_face(&s, v, 4);
	}
}

static void (*const kinds[])(void) = {
	make_truck,    make_nest,  make_stack,  make_walls,    make_torn,  make_spindle,
	make_eight,    make_bow,   make_bent,   make_crumpled, make_fins,  make_slivers,
	make_nonsense, make_voids, make_copies, make_sheets,   make_seams,
};

enum { KINDS = (int)(sizeof kinds / sizeof kinds[0]) };

static rbl_mesh *make_mesh(int number)
{
	memset(&s, 0, sizeof s);
	random_state = rbl_random_from_seed((uint64_t)number + 1);
	kinds[number % KINDS]();
	if (number / KINDS % 3 == 2) { // far away, and small
		for (int v = 0; v < s.vertex_count; ++v)
			s.positions[v] =
				rbl_add_d((rbl_vec3d){ 9.0, -17.0, 5.0 }, rbl_scale_d(0.03, s.positions[v]));
	}
	return sample_mesh(&s);
}

// --- laws ---------------------------------------------------------------------------------------

static char last_line[400];
static int line_count;

static void keep_line(void *user, rbl_log_level level, const char *text)
{
	(void)user;
	if (level != RBL_LOG_ERROR)
		return;
	snprintf(last_line, sizeof last_line, "%s", text);
	line_count++;
}

static const char *name_of_case;

// A failed check, with the mesh it is about.
static void check(test *t, bool is_good, const char *what)
{
	t->checks++;
	char text[800];
	snprintf(text, sizeof text, "%s: %s (%.300s)", name_of_case, what, last_line);
	if (!is_good)
		test_fail(t, __FILE__, __LINE__, text);
}

// Whether a mesh is closed, has volume, and can be cut. @return its volume
static double check_mesh(test *t, const rbl_mesh *mesh, const char *what)
{
	rbl_mesh_report report;
	rbl_solid_def def = rbl_default_solid_def();
	rbl_solid *solid = NULL;
	char text[200];
	def.mesh = mesh;
	snprintf(text, sizeof text, "%s is closed", what);
	check(t, rbl_mesh_check(mesh, &report) == RBL_OK && report.is_closed, text);
	snprintf(text, sizeof text, "%s is a solid", what);
	check(t, rbl_create_solid(&def, &solid) == RBL_OK && rbl_solid_volume(solid) > 0.0, text);
	double volume = rbl_solid_volume(solid);
	rbl_destroy_solid(solid);
	return volume;
}

static rbl_pattern *make_pattern(rbl_pattern_kind kind, rbl_vec3d size, int cells)
{
	rbl_pattern_def def = rbl_default_pattern_def();
	double longest = rbl_maxd(size.x, rbl_maxd(size.y, size.z)), least = 1e-6 * longest;
	def.kind = kind;
	def.size = rbl_max_d(size, (rbl_vec3d){ least, least, least });
	def.cell_count = cells;
	def.spoke_count = rbl_maxi(5, cells / 4);
	def.ring_count = 4;
	def.brick_size = (rbl_vec3d){ 0.5 * longest, 0.2 * longest, 0.3 * longest };
	rbl_pattern *pattern = NULL;
	rbl_create_pattern(&def, &pattern);
	return pattern;
}

static void break_mesh(test *t, const rbl_mesh *mesh, rbl_pattern_kind kind, int cells)
{
	rbl_boxd box = rbl_mesh_bounds(mesh);
	rbl_pattern *pattern = make_pattern(kind, rbl_box_size_d(box), cells);
	rbl_solid_def solid_def = rbl_default_solid_def();
	rbl_pieces_def def = rbl_default_pieces_def();
	rbl_solid *solid = NULL;
	rbl_pieces *pieces = NULL;
	solid_def.mesh = mesh;
	check(t, rbl_create_solid(&solid_def, &solid) == RBL_OK, "it is a solid");
	def.solid = solid, def.pattern = pattern;
	def.position = rbl_box_centre_d(box);
	check(t, solid && pattern && rbl_create_pieces(&def, &pieces) == RBL_OK, "it breaks");
	double sum = 0.0, out = 0.0;
	for (int i = 0; i < rbl_pieces_count(pieces); ++i) {
		rbl_mesh *piece = NULL;
		double volume = rbl_piece_get_info(pieces, i).volume;
		check(t, volume > 0.0, "a piece has a positive volume");
		check(t, rbl_piece_create_mesh(pieces, i, NULL, &piece) == RBL_OK, "a piece has a mesh");
		sum += piece ? check_mesh(t, piece, "a piece") : 0.0;
		out += volume;
		rbl_destroy_mesh(piece);
	}
	double all = rbl_solid_volume(solid);
	check(t, !pieces || fabs(out - all) <= 1e-9 * all, "the volumes of pieces add up");
	check(t, !pieces || fabs(sum - all) <= 1e-6 * all, "the volumes of their meshes add up");
	rbl_destroy_pieces(pieces);
	rbl_destroy_pattern(pattern);
	rbl_destroy_solid(solid);
}

static void strike(test *t, const rbl_asset *asset, double size)
{
	rbl_pattern *pattern = make_pattern(RBL_PATTERN_VORONOI, (rbl_vec3d){ size, size, size }, 12);
	rbl_world_def world_def = rbl_default_world_def();
	rbl_damage_level level = { .energy = 1e-9, .pattern = pattern, .radius = 10.0 * size };
	rbl_material_def material_def = rbl_default_material_def();
	rbl_material *material = NULL;
	rbl_world *world = NULL;
	material_def.damage.levels = &level;
	material_def.damage.level_count = 1;
	material_def.damage.min_size = 0.0;
	check(t, rbl_create_material(&material_def, &material) == RBL_OK, "a material");
	world_def.gravity = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
	world_def.budget = 0; // all at once
	check(t, rbl_create_world(&world_def, &world) == RBL_OK, "a world");
	rbl_body_def def = rbl_default_body_def();
	def.asset = asset;
	def.shared_material = material;
	rbl_body_id body = rbl_create_body(world, &def);
	rbl_body_damage(world, body, rbl_body_get_state(world, body).centre,
	                (rbl_vec3){ 0.0f, -1.0f, 0.0f }, INFINITY, 1e6f);
	int events = 0;
	for (int i = 0; i < 20 && events == 0; ++i) {
		check(t, rbl_world_step(world, 1.0f / 60.0f) == RBL_OK, "a step");
		events += rbl_world_get_events(world).fracture_count;
	}
	check(t, events > 0 && rbl_world_body_count(world) > 1, "the body breaks");
	rbl_destroy_world(world);
	rbl_destroy_material(material);
	rbl_destroy_pattern(pattern);
}

static void prepare(test *t, const rbl_mesh *mesh, double volume)
{
	rbl_prepare_def def = rbl_default_prepare_def();
	rbl_asset *asset = NULL;
	def.tolerance = 0.5;
	def.node_limit = 8;
	check(t, rbl_prepare(mesh, &def, &asset) == RBL_OK, "it can be prepared");
	if (!asset)
		return;
	rbl_asset_report report = rbl_asset_get_report(asset);
	for (int i = 0; i < report.part_count; ++i) {
		rbl_compound_part part = rbl_compound_get_part(rbl_asset_get_compound(asset), i);
		check(t, rbl_convex_get_mass(part.convex).volume > 0.0, "a convex has a volume");
		if (part.mesh)
			check_mesh(t, part.mesh, "a part");
	}
	check(t, fabs(report.visual_volume - volume) <= 1e-9 * volume, "the volumes of parts add up");
	rbl_boxd box = rbl_mesh_bounds(mesh);
	strike(t, asset, rbl_length_d(rbl_box_size_d(box)));
	rbl_destroy_asset(asset);
}

// One mesh through all of it. @return whether it was refused
static bool run_chain(test *t, const rbl_mesh *mesh, int cells)
{
	rbl_mesh_repair_def def = rbl_default_mesh_repair_def();
	rbl_mesh_repair_report done;
	rbl_mesh *repaired = NULL, *again = NULL;
	line_count = 0;
	last_line[0] = '\0';
	rbl_result result = rbl_mesh_repair(mesh, &def, &repaired, &done);
	if (result != RBL_OK) {
		check(t, result == RBL_BAD_MESH && line_count == 1, "it is refused with one sentence");
		return true;
	}
	rbl_mesh_report report;
	check(t, line_count == 0, "repair succeeds without a complaint");
	check(t,
	      rbl_mesh_check(repaired, &report) == RBL_OK && report.is_closed && report.is_manifold &&
	          report.is_oriented,
	      "the repaired mesh is closed, manifold and oriented");
	check(t, rbl_mesh_repair(repaired, &def, &again, &done) == RBL_OK && done.is_unchanged,
	      "there is nothing left to repair");
	rbl_destroy_mesh(again);
	double volume = check_mesh(t, repaired, "the repaired mesh");
	for (int kind = 0; kind <= RBL_PATTERN_SPLINTERS; ++kind)
		break_mesh(t, repaired, (rbl_pattern_kind)kind, cells);
	prepare(t, repaired, volume);
	rbl_destroy_mesh(repaired);
	return false;
}

static void what_is_repaired_breaks(test *t)
{
	int count = test_count(KINDS, 12 * KINDS), refused = 0;
	const char *only = getenv("RBL_MESH");
	rbl_set_log(keep_line, NULL);
	for (int i = 0; i < (only ? 12 * KINDS : count); ++i) {
		char name[60];
		if (only && atoi(only) != i)
			continue;
		snprintf(name, sizeof name, "mesh %d, of kind %d", i, i % KINDS);
		name_of_case = name;
		rbl_mesh *mesh = make_mesh(i);
		check(t, mesh != NULL, "it is made");
		refused += mesh && run_chain(t, mesh, test_count(8, 60));
		rbl_destroy_mesh(mesh);
	}
	rbl_set_log(NULL, NULL);
	CHECK(t, only || 4 * refused < count);
}

static void what_is_repaired_of_models_breaks(test *t)
{
	static const char *const models[] = {
		"beetle.obj",    "suzanne.obj",       "teapot.obj",      "spot.obj",
		"fandisk.obj",   "three-holes.off",   "rocker-arm.obj",  "fertility.off",
		"bunny-7k.off",  "octopus-tets.mesh", "bunny-tets.mesh", "stanford-bunny.obj",
		"armadillo.obj", "igea.ply"
	};
	int count = test_count(2, (int)(sizeof models / sizeof models[0])), found = 0;
	rbl_set_log(keep_line, NULL);
	for (int i = 0; i < count; ++i) {
		char path[600];
		rbl_mesh *mesh = NULL;
		snprintf(path, sizeof path, "%s/models/%s", RBL_SHARED_DIR, models[i]);
		if (rbl_read_mesh(path, NULL, &mesh) != RBL_OK)
			continue;
		found++;
		name_of_case = models[i];
		CHECK(t, !run_chain(t, mesh, test_count(8, 100)));
		rbl_destroy_mesh(mesh);
	}
	rbl_set_log(NULL, NULL);
	if (found < count)
		SKIP(t, "the shared models are not there");
}

TEST_MAIN(TEST(what_is_repaired_breaks), TEST(what_is_repaired_of_models_breaks))
