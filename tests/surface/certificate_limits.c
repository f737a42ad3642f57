// SPDX-License-Identifier: MIT
// ctest: soak
// How far a certificate reaches: two triangles are as near to each other as it takes, and close in
// by as much as a certificate may let pass, straight on or while the body turns by a right angle.
// Three frames far off tell the motion, so what closes in counts in full.

#include "surface/reference.h"

#include "base/math.h"
#include "surface/certificate.h"

#include <rubble/surface.h>

enum { FRAMES = 6, FRAME_TRIANGLES = 8, MOST = 100 };

// What closes in.
typedef enum gadget {
	LAYERS,
	PLATES, // of a cluster each, and two of them in each layer
	VERTEX_FACE,
	EDGES,
	HINGE,
	WEDGE,
	OPEN_FAN,
	THIN_FAN,
	CLOSED_FAN,
	GADGETS,
} gadget;

typedef struct trap {
	rbl_vec3d homes[MOST], displacements[MOST]; // of length 1 or 0
	int triangles[3 * MOST];
	int vertex_count, triangle_count;
	rbl_surface *surface;
	rbl_surface_body_id body;
} trap;

static int add_point(trap *p, double x, double y, double z, double move_y, double move_z)
{
	p->homes[p->vertex_count] = (rbl_vec3d){ x, y, z };
	p->displacements[p->vertex_count] = (rbl_vec3d){ 0.0, move_y, move_z };
	return p->vertex_count++;
}

static void add_triangle(trap *p, int a, int b, int c)
{
	int *t = p->triangles + 3 * p->triangle_count++;
	t[0] = a, t[1] = b, t[2] = c;
}

static void add_frame(trap *p, double x, double y, double z, double direction)
{
	reference_mesh sheet = reference_sheet(2, 2);
	int first = p->vertex_count;
	for (int i = 0; i < sheet.vertex_count; ++i)
		add_point(p, x + (double)sheet.positions[i].x, y + (double)sheet.positions[i].y, z, 0.0,
		          direction);
	for (int i = 0; i < sheet.triangle_count; ++i) {
		const int *t = sheet.triangles + 3 * i;
		add_triangle(p, first + t[0], first + t[1], first + t[2]);
	}
	reference_mesh_free(&sheet);
}

// A triangle on one side of the plane z = 0, with corners at three places and a distance from it.
static void add_side(trap *p, double z, const double corners[3][3])
{
	double direction = z > 0.0 ? -1.0 : 1.0;
	int v[3];
	for (int k = 0; k < 3; ++k)
		v[k] = add_point(p, corners[k][0], corners[k][1], z - direction * corners[k][2], 0.0,
		                 direction);
	add_triangle(p, v[0], v[1], v[2]);
}

// Spokes around the origin. Two of them close in: the first and the last, two neighbours, or the
// two that the centre lies between, nearly.
static void add_fan(trap *p, gadget kind, double gap)
{
	static const double open[7] = { 0.0, 55.0, 110.0, 170.0, 230.0, 290.0, 0.0 };
	static const double thin[6] = { -110.0, -55.0, 0.0, 0.0, 50.0, 100.0 };
	static const double closed[6] = { 0.0, 30.0, 70.0, 110.0, 150.0, 0.0 };
	const double *angles = kind == OPEN_FAN ? open : kind == THIN_FAN ? thin : closed;
	int count = kind == OPEN_FAN ? 7 : 6, close[2] = { 0, count - 1 };
	if (kind == THIN_FAN)
		close[0] = 3, close[1] = 2;
	int centre = add_point(p, 0.0, 0.0, 0.0, kind == CLOSED_FAN ? -1.0 : 0.0, 0.0);
	int first = p->vertex_count;
	for (int i = 0; i < count; ++i) {
		double angle = angles[i] * 0.0174532925199433, side = i == close[0] ? 1.0 : -1.0;
		if (i != close[0] && i != close[1])
			add_point(p, rbl_cos(angle), rbl_sin(angle), 0.0, 0.0, 0.0);
		else if (kind == CLOSED_FAN)
			add_point(p, 0.6 * side, -gap, 0.0, 1.0, 0.0);
		else
			add_point(p, 1.0, 0.5 * gap * side, 0.0, -side, 0.0);
	}
	for (int i = 0; i + (kind != CLOSED_FAN) < count; ++i)
		add_triangle(p, centre, first + i, first + (i + 1) % count);
}

static void add_gadget(trap *p, gadget kind, double gap)
{
	static const double flat[3][3] = { { -0.5, -0.4, 0.0 }, { 0.6, -0.3, 0.0 }, { 0.0, 0.7, 0.0 } };
	static const double affected[3][3] = { { -0.5, 0.4, 0.0 },
		                                   { 0.1, -0.7, 0.0 },
		                                   { 0.6, 0.5, 0.0 } };
	static const double tip[3][3] = { { 0.0, 0.1, 0.0 }, { 0.7, 0.3, 0.8 }, { -0.6, 0.2, 0.9 } };
	static const double edge_x[3][3] = { { -0.5, 0.0, 0.0 }, { 0.6, 0.1, 0.0 }, { 0.1, 0.0, 0.9 } };
	static const double edge_y[3][3] = { { 0.0, -0.6, 0.0 }, { 0.1, 0.5, 0.0 }, { 0.0, 0.1, 0.8 } };
	double half = 0.5 * gap;
	if (kind == LAYERS)
		add_side(p, half, flat), add_side(p, -half, affected);
	else if (kind == PLATES)
		for (int i = 0; i < 4; ++i) // two side by side, and two below, where those touch
			add_frame(p, 2.1 * (i / 2) + 1.03 * (i % 2) - 2.5, -1.0, i % 2 ? -half : half,
			          i % 2 ? 1.0 : -1.0);
	else if (kind == VERTEX_FACE)
		add_side(p, half, tip), add_side(p, -half, flat);
	else if (kind == EDGES)
		add_side(p, half, edge_x), add_side(p, -half, edge_y);
	else if (kind == HINGE) {
		int a = add_point(p, -0.5, 0.0, 0.0, 0.0, 0.0), b = add_point(p, 0.5, 0.0, 0.0, 0.0, 0.0);
		add_triangle(p, a, b, add_point(p, 0.1, 0.9, -half, 0.0, 1.0));
		add_triangle(p, b, a, add_point(p, -0.1, 0.9, half, 0.0, -1.0));
	} else if (kind == WEDGE) {
		int tip_of_both = add_point(p, 0.0, 0.0, 0.0, 0.0, 0.0);
		for (int side = -1; side <= 1; side += 2) {
			int a = add_point(p, 0.9, -0.4 + 0.1 * side, side * half, 0.0, -side);
			int b = add_point(p, 0.8, 0.5 + 0.1 * side, side * half, 0.0, -side);
			add_triangle(p, tip_of_both, a, b);
		}
	} else {
		add_fan(p, kind, gap);
	}
}

// Turn so that z comes to a direction, and further.
static rbl_vec3d turned_by(rbl_vec3d p, rbl_vec3d axis, double angle)
{
	double c = rbl_cos(angle), s = rbl_sin(angle);
	rbl_vec3d q = rbl_add_scaled_d(rbl_scale_d(c, p), s, rbl_cross_d(axis, p));
	return rbl_add_scaled_d(q, (1.0 - c) * rbl_dot_d(axis, p), axis);
}

// Distances along a coordinate are overestimated, those along the diagonal hardly.
static void tilt(trap *p, int first, bool is_diagonal, double spin)
{
	rbl_vec3d z = { 0.0, 0.0, 1.0 }, axis = rbl_normalize_d((rbl_vec3d){ 1.0, -1.0, 0.0 });
	for (int i = first; i < p->vertex_count; ++i) {
		p->homes[i] = turned_by(p->homes[i], z, spin);
		p->displacements[i] = turned_by(p->displacements[i], z, spin);
		if (is_diagonal) { // z comes to the diagonal, where its angle is 54.7 degrees
			p->homes[i] = turned_by(p->homes[i], axis, -0.955316618124509);
			p->displacements[i] = turned_by(p->displacements[i], axis, -0.955316618124509);
		}
	}
}

typedef struct round_def {
	gadget kind;
	double gap, closing; // in slacks
	double spin, angle;
	int steps;
	int splits;     // after as many steps
	double crossed; // where it comes from, in its first step
	bool is_diagonal, is_swept;
} round_def;

static void make_trap(test *t, trap *p, const round_def *r, double margin)
{
	*p = (trap){ .vertex_count = 0 };
	static const double frames[FRAMES][3] = { { -20.0, -18.0, 1.0 }, { 19.0, -17.0, 3.0 },
		                                      { -1.0, 22.0, -4.0 },  { 2.0, 1.0, 24.0 },
		                                      { 21.0, 18.0, -9.0 },  { -17.0, 12.0, -20.0 } };
	for (int i = 0; i < FRAMES; ++i)
		add_frame(p, frames[i][0], frames[i][1], frames[i][2], 0.0);
	int first = p->vertex_count;
	add_gadget(p, r->kind, r->gap * margin);
	tilt(p, first, r->is_diagonal, r->spin);
	rbl_surface_def def = rbl_default_surface_def();
	CHECK(t, rbl_create_surface(&def, &p->surface) == RBL_OK);
	rbl_vec3 places[MOST];
	for (int i = 0; i < p->vertex_count; ++i)
		places[i] =
			rbl_to_f(rbl_add_scaled_d(p->homes[i], r->crossed * margin, p->displacements[i]));
	reference_mesh mesh = { places, p->triangles, p->vertex_count, p->triangle_count };
	p->body = reference_add(t, p->surface, &mesh);
}

// Move the body to where it has closed in by a distance, turned around an axis.
static void place(test *t, trap *p, double closed, rbl_vec3d axis, double angle)
{
	rbl_surface_body_data data = rbl_surface_body_get_data(p->surface, p->body);
	rbl_vec3 ends[MOST];
	for (int i = 0; i < data.vertex_count; ++i) {
		int v = data.vertices[i];
		ends[i] = rbl_to_f(
			turned_by(rbl_add_scaled_d(p->homes[v], closed, p->displacements[v]), axis, angle));
	}
	CHECK(t, rbl_surface_move(p->surface, p->body, NULL, ends) == RBL_OK);
}

// The first frame goes; the rest is known as well as the whole was.
static void split_off(test *t, trap *p)
{
	int labels[MOST];
	rbl_surface_body_id pieces[2];
	int count = rbl_surface_body_get_data(p->surface, p->body).triangle_count;
	for (int i = 0; i < count; ++i)
		labels[i] = i >= FRAME_TRIANGLES;
	rbl_surface_split_def def = rbl_default_surface_split_def();
	def.piece_count = 2, def.labels = labels;
	CHECK(t, rbl_surface_split(p->surface, p->body, &def, pieces) == RBL_OK);
	p->body = pieces[1];
}

typedef struct outcome {
	int proven, found;
} outcome;

static outcome spring(test *t, const round_def *r)
{
	static double margin = 0.02;
	trap p;
	make_trap(t, &p, r, margin);
	rbl_vec3d axis = turned_by((rbl_vec3d){ 1.0, 0.0, 0.0 }, (rbl_vec3d){ 0.0, 0.0, 1.0 }, r->spin);
	if (r->is_diagonal)
		axis = rbl_normalize_d((rbl_vec3d){ 1.0, -1.0, 0.0 });
	outcome o = { 0, 0 };
	for (int step = 0; step < 2; ++step) {
		place(t, &p, 0.0, axis, 0.0);
		o.found += reference_check_query(t, p.surface, step == 0 && r->crossed > 0.0);
	}
	const rbl_surface_body *bodies = p.surface->bodies.data;
	// Plates may leave too much uncertain.
	CHECK(t, bodies[p.body.index].self.is_certified || r->crossed > 0.0 || r->kind == PLATES);
	margin = p.surface->certificates[p.body.index].margin; // hardly changes from trap to trap
	for (int step = 1; step <= r->steps; ++step) {
		bool is_last = step == r->steps;
		place(t, &p, margin * r->closing * step / r->steps, axis, is_last ? r->angle : 0.0);
		o.found += reference_check_query(t, p.surface, is_last && r->is_swept);
		if (step <= r->splits)
			split_off(t, &p);
		bodies = p.surface->bodies.data;
	}
	o.proven = bodies[p.body.index].self.is_certified;
	rbl_destroy_surface(p.surface);
	return o;
}

static void what_closes_in_is_seen_in_time(test *t)
{
	int proven = 0, found = 0;
	rbl_random random = rbl_random_from_seed(23);
	for (int round = 0; round < test_count(3000, 300000); ++round) {
		round_def r = { .kind = (gadget)(round % GADGETS) };
		r.gap = rbl_random_range(&random, 0.05, 2.6);
		r.closing = rbl_random_range(&random, 0.05, 1.5);
		r.spin = rbl_random_range(&random, -3.0, 3.0);
		r.is_diagonal = round / GADGETS % 2;
		r.steps = 2 + (int)rbl_random_below(&random, 4);
		r.splits = rbl_random_below(&random, 3) ? 0 : (int)rbl_random_below(&random, 4);
		if (!r.is_diagonal && rbl_random_below(&random, 2)) { // along an axis, between boxes
			r.gap = rbl_random_range(&random, 0.05, 0.6);
			r.closing = rbl_random_range(&random, 0.4 * r.gap, 0.3);
		}
		if (r.splits > 1) { // each piece may go as far as the last
			r.steps = r.splits + 1, r.is_diagonal = true;
			r.closing = r.steps * rbl_random_range(&random, 0.3, 0.5);
			r.gap = rbl_random_range(&random, 2.0, 2.0 * r.closing + 0.3);
		}
		r.crossed = rbl_random_below(&random, 4) ? 0.0 : rbl_random_range(&random, 0.0, 3.0);
		r.is_swept = rbl_random_below(&random, 3) > 0;
		r.angle = r.is_swept && rbl_random_below(&random, 4) > 0 ? 1.56 : 0.0;
		outcome o = spring(t, &r);
		proven += o.proven, found += o.found > 0;
	}
	CHECK(t, proven > 300 && found > 100);
}

// A triangle that is there twice, in the same direction or turned over: it touches itself wherever
// it goes.
static void what_is_there_twice_stays_in_doubt(test *t)
{
	for (int kind = 0; kind < 4; ++kind) {
		reference_mesh mesh = reference_sheet(6, 4);
		const int *from = mesh.triangles + 3 * 17;
		int twice[3] = { from[0], from[kind % 2 ? 2 : 1], from[kind % 2 ? 1 : 2] };
		memcpy(mesh.triangles, twice, sizeof twice);
		rbl_surface_def def = rbl_default_surface_def();
		rbl_surface *surface;
		CHECK(t, rbl_create_surface(&def, &surface) == RBL_OK);
		rbl_surface_body_id body = reference_add(t, surface, &mesh);
		for (int step = 0; step < 5; ++step) {
			for (int i = 0; i < mesh.vertex_count; ++i)
				mesh.positions[i].z += 0.5f;
			CHECK(t, rbl_surface_move(surface, body, NULL, mesh.positions) == RBL_OK);
			int found = reference_check_query(t, surface, kind / 2);
			CHECK(t, kind / 2 || found > 0);
		}
		CHECK(t, surface->bodies.data[body.index].self.is_certified);
		CHECK(t, surface->certificates[body.index].uncertain_pairs.count > 0);
		rbl_destroy_surface(surface);
		reference_mesh_free(&mesh);
	}
}

TEST_MAIN(TEST(what_closes_in_is_seen_in_time), TEST(what_is_there_twice_stays_in_doubt))
