// SPDX-License-Identifier: MIT
// ctest: soak
// Contours alone decide about crowds of flat patches that all face one way: patches that overlap,
// touch at corners and along edges, lie in the holes of others, hang together at single vertices,
// or do so in the midst of a step only. Checked by brute force.

#include "surface/reference.h"

#include "base/math.h"

#include <rubble/surface.h>

enum { MOST_PATCHES = 14, SIDE = 5, PATCH_VERTICES = (SIDE + 1) * (SIDE + 1) };
enum {
	MOST_VERTICES = MOST_PATCHES * PATCH_VERTICES,
	MOST_TRIANGLES = MOST_PATCHES * 2 * SIDE * SIDE
};

// How one crowd is made.
typedef struct crowd_def {
	int patches;
	double spread;            // of patches in the plane
	double slope, height;     // of patches out of the plane
	double turn, translation; // over a step
	double thickness;
	bool on_lattice, is_swept, is_turned, is_sheared;
} crowd_def;

typedef struct crowd {
	rbl_vec3d starts[MOST_VERTICES], ends[MOST_VERTICES];
	int triangles[3 * MOST_TRIANGLES];
	int vertex_count, triangle_count;
	rbl_random random;
	struct pose *last; // of the last patch, at both ends of the step
} crowd;

static double range(crowd *c, double size)
{
	return rbl_random_range(&c->random, -size, size);
}

static int below(crowd *c, int count)
{
	return (int)rbl_random_below(&c->random, (uint32_t)count);
}

// A motion of a patch in the plane, at one end of the step.
typedef struct pose {
	double angle, x, y, slope_x, slope_y, z;
} pose;

static rbl_vec3d put(pose p, double x, double y)
{
	double c = rbl_cos(p.angle), s = rbl_sin(p.angle);
	return (rbl_vec3d){ c * x - s * y + p.x, s * x + c * y + p.y,
		                p.slope_x * x + p.slope_y * y + p.z };
}

static pose start_pose(crowd *c, const crowd_def *d)
{
	pose p = { .x = range(c, d->spread), .y = range(c, d->spread) };
	p.angle = range(c, 3.2);
	if (d->on_lattice) {
		p.x = 0.5 * floor(2.0 * p.x), p.y = 0.5 * floor(2.0 * p.y);
		p.angle = 1.5707963267948966 * below(c, 4);
	}
	p.slope_x = range(c, d->slope), p.slope_y = range(c, d->slope), p.z = range(c, d->height);
	return p;
}

static pose end_pose(crowd *c, const crowd_def *d, pose start)
{
	pose p = start;
	p.angle += range(c, d->turn);
	p.x += range(c, d->translation), p.y += range(c, d->translation);
	p.z = d->height > 0.0 ? -p.z : p.z;
	return p;
}

// A piece of a grid, with holes, or a slice that is long and thin. Some hang on a vertex of an
// earlier patch.
static void add_patch(crowd *c, const crowd_def *d, int patch)
{
	bool is_one_of_many = d->patches > MOST_PATCHES;
	int columns = is_one_of_many ? 1 : 1 + below(c, SIDE), ids[PATCH_VERTICES];
	int rows = is_one_of_many ? 1 : 1 + below(c, SIDE);
	double size = below(c, 3) ? 1.0 : 0.5, thin = below(c, 3) ? 1.0 : 0.25;
	pose start = start_pose(c, d), end = end_pose(c, d, start);
	int hook = patch > 0 && below(c, 3) == 0 ? below(c, c->vertex_count) : -1;
	bool is_holed = below(c, 2);
	if (patch > 0 && below(c, 3) == 0) { // slides along the last one, which may turn towards it
		double above = rbl_random_range(&c->random, 0.01, 0.3), side = below(c, 2) ? 1.0 : -1.0;
		double from = rbl_random_range(&c->random, 0.0, 5.0),
			   to = rbl_random_range(&c->random, 0.0, 5.0);
		rbl_vec3d at = put(c->last[0], from, side * above),
				  then = put(c->last[1], to, side * above);
		start.angle = c->last[0].angle, end.angle = c->last[1].angle;
		start.x = at.x, start.y = at.y, end.x = then.x, end.y = then.y;
		size = 0.25, columns = rows = 1;
	}
	c->last[0] = start, c->last[1] = end;
	if (hook >= 0) { // the first corner is there at both ends
		rbl_vec3d at = c->starts[hook], then = c->ends[hook];
		start.x = at.x, start.y = at.y, start.z = at.z;
		end.x = then.x, end.y = then.y, end.z = then.z;
	}
	for (int i = 0; i < (columns + 1) * (rows + 1); ++i) {
		double x = size * (i % (columns + 1)), y = thin * size * (double)(i / (columns + 1));
		if (hook >= 0 && i == 0) {
			ids[0] = hook;
			continue;
		}
		ids[i] = c->vertex_count;
		c->starts[c->vertex_count] = put(start, x, y);
		c->ends[c->vertex_count++] = put(end, x, y);
	}
	for (int i = 0; i < columns * rows; ++i) {
		int a = i / columns * (columns + 1) + i % columns, e = a + columns + 1;
		int corners[6] = { a, a + 1, e + 1, a, e + 1, e };
		bool is_inner = i % columns > 0 && i % columns < columns - 1;
		if (is_holed && i > 0 && (is_inner ? below(c, 3) == 0 : below(c, 12) == 0))
			continue;
		for (int k = 0; k < 6; ++k)
			c->triangles[3 * c->triangle_count + k] = ids[corners[k]];
		c->triangle_count += 2;
	}
}

// Spokes around a vertex, on the sides of a square or on a circle, that may go round more than
// once, and come back to the first exactly. They spread or close over the step.
static void add_fan(crowd *c, const crowd_def *d)
{
	static const double square[8][2] = { { 1, 0 },  { 1, 1 },   { 0, 1 },  { -1, 1 },
		                                 { -1, 0 }, { -1, -1 }, { 0, -1 }, { 1, -1 } };
	pose start = start_pose(c, d), end = end_pose(c, d, start);
	int count = below(c, 3) ? 2 + below(c, 17) : 9, centre = c->vertex_count;
	bool is_square = below(c, 2), is_closed = count % 8 == 1 && below(c, 2);
	double turns = rbl_random_range(&c->random, 0.1, 2.2);
	double then = below(c, 2) ? turns : rbl_random_range(&c->random, 0.1, 2.2);
	c->starts[c->vertex_count] = put(start, 0.0, 0.0);
	c->ends[c->vertex_count++] = put(end, 0.0, 0.0);
	for (int i = 0; i < count - is_closed; ++i) {
		double size = is_square && below(c, 4) == 0 ? 2.0 : 1.0;
		double from = 6.28318530717959 * turns * i / (count - 1);
		double to = 6.28318530717959 * then * i / (count - 1);
		const double *at = square[i % 8];
		c->starts[c->vertex_count] = is_square ? put(start, size * at[0], size * at[1])
		                                       : put(start, rbl_cos(from), rbl_sin(from));
		c->ends[c->vertex_count++] =
			is_square ? put(end, size * at[0], size * at[1]) : put(end, rbl_cos(to), rbl_sin(to));
	}
	for (int i = 0; i + 1 < count; ++i) {
		int *t = c->triangles + 3 * c->triangle_count++;
		t[0] = centre, t[1] = centre + 1 + i;
		t[2] = is_closed && i + 2 == count ? centre + 1 : centre + 2 + i;
	}
	c->last[0] = start, c->last[1] = end;
}

static void make_crowd(crowd *c, const crowd_def *d)
{
	pose last[2];
	c->last = last;
	for (int i = 0; i < d->patches; ++i)
		if (below(c, 4) == 0 && d->patches <= MOST_PATCHES)
			add_fan(c, d);
		else
			add_patch(c, d, i);
	for (int i = 0; d->is_sheared && i < 2 * c->vertex_count; ++i) { // what touches, touches
		rbl_vec3d *p = i % 2 ? &c->starts[i / 2] : &c->ends[i / 2];
		p->z += p->x + 0.5 * p->y;
	}
	rbl_vec3d axis = rbl_normalize_d((rbl_vec3d){ range(c, 1.0), range(c, 1.0), range(c, 1.0) });
	double cosine = rbl_cos(2.1), sine = rbl_sin(2.1);
	for (int i = 0; d->is_turned && i < 2 * c->vertex_count; ++i) {
		rbl_vec3d *p = i % 2 ? &c->starts[i / 2] : &c->ends[i / 2], q = *p;
		*p = rbl_add_scaled_d(rbl_scale_d(cosine, q), sine, rbl_cross_d(axis, q));
		*p = rbl_add_scaled_d(*p, (1.0 - cosine) * rbl_dot_d(axis, q), axis);
	}
}

typedef struct outcome {
	int found;
	int64_t culled, contours;
} outcome;

static outcome ask(test *t, const crowd *c, const crowd_def *d)
{
	static rbl_vec3 starts[MOST_VERTICES], ends[MOST_VERTICES];
	for (int i = 0; i < c->vertex_count; ++i)
		starts[i] = rbl_to_f(c->starts[i]), ends[i] = rbl_to_f(c->ends[i]);
	reference_mesh mesh = { starts, (int *)(uintptr_t)c->triangles, c->vertex_count,
		                    c->triangle_count };
	bool is_swept = d->is_swept;
	rbl_surface_def def = rbl_default_surface_def();
	def.thickness = (float)d->thickness;
	rbl_surface *surface;
	CHECK(t, rbl_create_surface(&def, &surface) == RBL_OK);
	rbl_surface_body_id body = reference_add(t, surface, &mesh);
	if (is_swept)
		CHECK(t, rbl_surface_move(surface, body, NULL, ends) == RBL_OK);
	outcome o = { .found = reference_check_query(t, surface, is_swept) };
	rbl_surface_stats stats = rbl_surface_get_stats(surface);
	o.culled = stats.culled_nodes, o.contours = stats.contour_tests;
	rbl_destroy_surface(surface);
	return o;
}

static void crowds_equal_brute_force(test *t, bool is_swept, int rounds, uint64_t seed)
{
	int colliding = 0, clear = 0;
	static crowd c;
	for (int round = 0; round < rounds; ++round) {
		c.vertex_count = c.triangle_count = 0;
		c.random = rbl_random_from_seed(seed + (uint64_t)round);
		crowd_def d = { .is_swept = is_swept };
		d.patches = 1 + below(&c, below(&c, 4) ? 3 : MOST_PATCHES);
		if (round % 64 == 0) // more loops than a contour tests
			d.patches = 100;
		d.spread = rbl_random_range(&c.random, 1.0, 3.0 + d.patches);
		d.on_lattice = below(&c, 2);
		bool is_flat = below(&c, 2); // all in one plane: what overlaps, touches
		d.slope = is_flat ? 0.0 : rbl_random_range(&c.random, 0.0, 0.6);
		d.height = is_flat || below(&c, 2) ? 0.0 : 0.3;
		d.turn = below(&c, 3) ? rbl_random_range(&c.random, 0.0, 1.5) : 0.0;
		d.translation = rbl_random_range(&c.random, 0.0, 6.0);
		d.is_turned = below(&c, 3) == 0;
		d.is_sheared = !d.is_turned && below(&c, 2);
		d.thickness = is_swept && below(&c, 8) == 0 ? 0.1 : 0.0;
		make_crowd(&c, &d);
		outcome o = ask(t, &c, &d);
		colliding += o.found > 0 && o.contours > 0;
		clear += o.culled > 0;
		if (t->failures > 0) {
			printf("seed %d\n", round);
			return;
		}
	}
	CHECK(t, colliding > rounds / 8 && clear > rounds / 8);
}

static void crowds_at_one_instant_equal_brute_force(test *t)
{
	crowds_equal_brute_force(t, false, test_count(3000, 300000), 0);
}

static void crowds_on_their_way_equal_brute_force(test *t)
{
	crowds_equal_brute_force(t, true, test_count(600, 60000), 1000000);
}

// A sheet that waves, with triangles left out at random: what is left hangs together at vertices,
// and islands have all of their vertices in common with others.
static void sheets_full_of_holes_are_one_node(test *t)
{
	rbl_random random = rbl_random_from_seed(17);
	for (int round = 0; round < 100; ++round) {
		reference_mesh mesh = reference_sheet(5, 6);
		int kept = 0, holes = 1 + (int)rbl_random_below(&random, 6);
		for (int i = 0; i < mesh.triangle_count; ++i)
			if ((int)rbl_random_below(&random, 12) >= holes)
				memmove(mesh.triangles + 3 * kept++, mesh.triangles + 3 * i,
				        3 * sizeof *mesh.triangles);
		mesh.triangle_count = kept;
		for (int i = 0; i < mesh.vertex_count; ++i) {
			rbl_vec3 *p = &mesh.positions[i];
			p->x += (float)rbl_random_range(&random, -0.1, 0.1);
			p->y += (float)rbl_random_range(&random, -0.1, 0.1);
			p->z += (float)rbl_random_range(&random, -0.1, 0.1);
		}
		rbl_surface_def def = rbl_default_surface_def();
		rbl_surface *surface;
		CHECK(t, rbl_create_surface(&def, &surface) == RBL_OK);
		reference_add(t, surface, &mesh);
		CHECK(t, reference_check_query(t, surface, round % 2) == 0);
		CHECK(t, rbl_surface_get_stats(surface).culled_nodes == 1);
		CHECK(t, rbl_surface_get_stats(surface).culled_triangles == kept);
		rbl_destroy_surface(surface);
		reference_mesh_free(&mesh);
	}
}

TEST_MAIN(TEST(sheets_full_of_holes_are_one_node), TEST(crowds_at_one_instant_equal_brute_force),
          TEST(crowds_on_their_way_equal_brute_force))
