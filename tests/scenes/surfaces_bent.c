// SPDX-License-Identifier: MIT
//
// Scenes of bodies that bend: rings that keep each other away, and a sheet that crumples and tears.
//
// A ring is a closed chain of particles that fall, stay on the ground, and push away those of other
// rings; its tube is drawn around them. So rings lie against each other, and few triangles meet: what a
// simulation with a response sees. None of them is star-shaped or rigid.
//
// The sheet is a row of strips, each a grid of particles of its own. Neighbours are tied together until
// the sheet tears between them. Both ends are pushed together, so everything folds; layers do not see
// each other.

#include "scenes/surfaces_parts.h"

#include "base/math.h"

#include <stdlib.h>

enum { RINGS = 36, LINKS = 16, AROUND = 12, ALONG = 3 };
enum { STRIPS = 4, STRIP_WIDTH = 5, STRIP_LENGTH = 100, TEAR_FINE = 4, TEAR_SUBSTEPS = 4 };

static const double tube = 0.1, ring_radius = 0.5;

static void fall_on(double *p, double gravity, double ground)
{
	for (int k = 0; k < 3; ++k) {
		double next = p[k] + 0.99 * (p[k] - p[3 + k]) - (k == 1 ? gravity : 0.0);
		p[3 + k] = p[k];
		p[k] = next;
	}
	if (p[1] < ground)
		p[1] = ground, p[0] = 0.5 * (p[0] + p[3]), p[2] = 0.5 * (p[2] + p[5]);
}

// --- rings ---------------------------------------------------------------------------------------------

static double *link_of(const surface_scene *scene, int ring, int i)
{
	return scene->particles + 6 * (ring * LINKS + (i + LINKS) % LINKS);
}

static void keep_away(double *a, double *b, double distance)
{
	double squares = 0.0;
	for (int k = 0; k < 3; ++k)
		squares += (a[k] - b[k]) * (a[k] - b[k]);
	if (squares < distance * distance)
		scene_pull(a, b, distance);
}

static void simulate_rings(surface_scene *scene)
{
	int count = scene->size * LINKS;
	double chord = 2.0 * ring_radius * rbl_sin(3.141592653589793 / LINKS);
	double second = 2.0 * ring_radius * rbl_sin(2.0 * 3.141592653589793 / LINKS);
	double across = 2.0 * ring_radius * rbl_sin(4.0 * 3.141592653589793 / LINKS);
	for (int i = 0; i < count; ++i)
		fall_on(scene->particles + 6 * i, 0.0012, 1.05 * tube);
	for (int pass = 0; pass < 4; ++pass) {
		for (int ring = 0; ring < scene->size; ++ring)
			for (int i = 0; i < LINKS; ++i) {
				scene_pull(link_of(scene, ring, i), link_of(scene, ring, i + 1), chord);
				scene_pull(link_of(scene, ring, i), link_of(scene, ring, i + 2), second);
				if (pass == 0)
					scene_pull(link_of(scene, ring, i), link_of(scene, ring, i + 4), across);
			}
		for (int i = 0; i < count; ++i)
			for (int j = (i / LINKS + 1) * LINKS; j < count; ++j)
				keep_away(scene->particles + 6 * i, scene->particles + 6 * j, 2.25 * tube);
	}
}

static void unit(double v[3])
{
	double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + 1e-12;
	for (int k = 0; k < 3; ++k)
		v[k] /= length;
}

// Where the tube's middle is, and which way it goes.
static void follow_chain(const surface_scene *scene, int ring, int at, double p[3], double along[3])
{
	int i = at / ALONG;
	double t = (double)(at % ALONG) / ALONG, step = 1e-3;
	for (int k = 0; k < 3; ++k) {
		double c[4];
		for (int n = 0; n < 4; ++n)
			c[n] = link_of(scene, ring, i - 1 + n)[k];
		p[k] = scene_cubic(c[0], c[1], c[2], c[3], t);
		along[k] = scene_cubic(c[0], c[1], c[2], c[3], t + step) - p[k];
	}
	unit(along);
}

static void draw_ring(surface_scene *scene, int ring)
{
	double middle[3] = { 0.0, 0.0, 0.0 };
	for (int i = 0; i < LINKS; ++i)
		for (int k = 0; k < 3; ++k)
			middle[k] += link_of(scene, ring, i)[k] / LINKS;
	for (int at = 0; at < LINKS * ALONG; ++at) {
		double p[3], along[3], out[3], up[3], dot = 0.0;
		follow_chain(scene, ring, at, p, along);
		for (int k = 0; k < 3; ++k)
			dot += (p[k] - middle[k]) * along[k];
		for (int k = 0; k < 3; ++k)
			out[k] = p[k] - middle[k] - dot * along[k];
		unit(out);
		for (int k = 0; k < 3; ++k)
			up[k] = along[(k + 1) % 3] * out[(k + 2) % 3] - along[(k + 2) % 3] * out[(k + 1) % 3];
		for (int i = 0; i < AROUND; ++i) {
			double angle = 6.283185307179586 * i / AROUND, q[3];
			for (int k = 0; k < 3; ++k)
				q[k] = p[k] + tube * (rbl_cos(angle) * out[k] + rbl_sin(angle) * up[k]);
			scene->positions[at * AROUND + i] = (rbl_vec3){ (float)q[0], (float)q[1], (float)q[2] };
		}
	}
}

bool scene_rings_begin(surface_scene *scene, rbl_surface *surface)
{
	enum { CELLS = LINKS * ALONG * AROUND };
	scene->size = scene->divisor > 3 ? RINGS / 3 : RINGS;
	scene->particles = calloc(6 * (size_t)scene->size * LINKS, sizeof *scene->particles);
	int *triangles = malloc(6 * CELLS * sizeof *triangles), *t = triangles;
	bool is_good = scene->particles && triangles && scene_reserve(scene, CELLS, 0);
	for (int i = 0; is_good && i < CELLS; ++i) {
		int x = i % AROUND, y = i / AROUND, x2 = (x + 1) % AROUND, y2 = (y + 1) % (LINKS * ALONG);
		int a = y * AROUND + x, b = y * AROUND + x2, c = y2 * AROUND + x2, d = y2 * AROUND + x;
		*t++ = a, *t++ = b, *t++ = c;
		*t++ = a, *t++ = c, *t++ = d;
	}
	for (int ring = 0; is_good && ring < scene->size; ++ring) {
		double tilt = 1.2 * scene_random(scene),
			   shift[2] = { scene_random(scene), scene_random(scene) };
		for (int i = 0; i < LINKS; ++i) {
			double angle = 6.283185307179586 * i / LINKS, *p = link_of(scene, ring, i);
			double x = ring_radius * rbl_cos(angle), z = ring_radius * rbl_sin(angle);
			p[0] = p[3] = x + 1.2 * (ring % 2) + 0.2 * shift[0];
			p[1] = p[4] = 0.6 + 0.7 * (ring / 4) + z * rbl_sin(tilt);
			p[2] = p[5] = z * rbl_cos(tilt) + 1.2 * (ring / 2 % 2) + 0.2 * shift[1];
		}
		draw_ring(scene, ring);
		rbl_surface_body_def def = rbl_default_surface_body_def();
		def.vertex_count = CELLS, def.positions = scene->positions;
		def.triangle_count = 2 * CELLS, def.triangles = triangles;
		rbl_surface_body_id id;
		is_good = rbl_surface_add(surface, &def, &id) == RBL_OK && scene_add_body(scene, id);
	}
	free(triangles);
	return is_good;
}

bool scene_rings_step(surface_scene *scene, rbl_surface *surface, bool *is_broken)
{
	(void)is_broken;
	for (int i = 0; i < 2; ++i)
		simulate_rings(scene);
	for (int ring = 0; ring < scene->size; ++ring) {
		draw_ring(scene, ring);
		if (scene_move(scene, surface, scene->bodies[ring].id, NULL, scene->positions) != RBL_OK)
			return false;
	}
	return true;
}

// --- the sheet -----------------------------------------------------------------------------------------

static double *node_of(const surface_scene *scene, int strip, int x, int y)
{
	int nodes = (scene->size + 1) * (scene->length + 1);
	x = x < 0 ? 0 : x > scene->size ? scene->size : x;
	y = y < 0 ? 0 : y > scene->length ? scene->length : y;
	return scene->particles + 6 * (strip * nodes + y * (scene->size + 1) + x);
}

// Whether two strips hang together, the second after the first.
static bool is_tied(const surface_scene *scene, int strip)
{
	for (int b = 0; b < scene->body_count; ++b)
		if (scene->bodies[b].first <= strip && strip < scene->bodies[b].last)
			return true;
	return false;
}

static void relax_strip(surface_scene *scene, int strip, double spacing)
{
	static const int springs[5][2] = { { 1, 0 }, { 0, 1 }, { 1, 1 }, { 2, 0 }, { 0, 2 } };
	for (int i = 0; i < 5; ++i) {
		int dx = springs[i][0], dy = springs[i][1];
		double length = spacing * sqrt((double)(dx * dx + dy * dy));
		for (int y = 0; y + dy <= scene->length; ++y)
			for (int x = 0; x + dx <= scene->size; ++x)
				scene_pull(node_of(scene, strip, x, y), node_of(scene, strip, x + dx, y + dy),
				           length);
	}
}

static void tie_strips(surface_scene *scene, int strip)
{
	for (int y = 0; y <= scene->length; ++y) {
		double *a = node_of(scene, strip, scene->size, y), *b = node_of(scene, strip + 1, 0, y);
		for (int k = 0; k < 6; ++k)
			a[k] = b[k] = 0.5 * (a[k] + b[k]);
	}
}

// The ends come nearer to each other, strips a little apart.
static void push_ends(surface_scene *scene, double spacing)
{
	double half = 0.5 * spacing * scene->length, way = 0.008 * scene->frame * half;
	half = half - way > 0.3 * half ? half - way : 0.3 * half;
	for (int strip = 0; strip < STRIPS; ++strip)
		for (int x = 0; x <= scene->size; ++x)
			for (int end = 0; end < 2; ++end) {
				double *p = node_of(scene, strip, x, end ? scene->length : 0);
				p[2] = p[5] = end ? half : -half;
				p[1] = p[4] = 0.0;
			}
}

static void simulate_sheet(surface_scene *scene)
{
	double spacing = 8.0 / scene->length;
	int count = STRIPS * (scene->size + 1) * (scene->length + 1);
	for (int sub = 0; sub < TEAR_SUBSTEPS; ++sub) {
		for (int i = 0; i < count; ++i)
			fall_on(scene->particles + 6 * i, 9.81 / (240.0 * 240.0), -0.3);
		for (int pass = 0; pass < 5; ++pass) {
			for (int strip = 0; strip < STRIPS; ++strip)
				relax_strip(scene, strip, spacing);
			for (int strip = 0; strip + 1 < STRIPS; ++strip)
				if (is_tied(scene, strip))
					tie_strips(scene, strip);
		}
		push_ends(scene, spacing);
	}
}

static double along_width(const surface_scene *scene, int strip, int x, int y, double t, int k)
{
	return scene_cubic(node_of(scene, strip, x - 1, y)[k], node_of(scene, strip, x, y)[k],
	                   node_of(scene, strip, x + 1, y)[k], node_of(scene, strip, x + 2, y)[k], t);
}

// A vertex of the fine grid, which all of the sheet has in common, as a body sees it.
static rbl_vec3 draw_node(const surface_scene *scene, const scene_body *body, int vertex)
{
	int width = scene->size * TEAR_FINE, row = STRIPS * width + 1;
	int x = vertex % row, y = vertex / row, strip = x / width;
	strip = strip > body->last ? body->last : strip;
	x -= strip * width;
	double tx = (double)(x % TEAR_FINE) / TEAR_FINE, ty = (double)(y % TEAR_FINE) / TEAR_FINE, p[3];
	for (int k = 0; k < 3; ++k) {
		double c[4];
		for (int i = 0; i < 4; ++i)
			c[i] = along_width(scene, strip, x / TEAR_FINE, y / TEAR_FINE - 1 + i, tx, k);
		p[k] = scene_cubic(c[0], c[1], c[2], c[3], ty);
	}
	return (rbl_vec3){ (float)p[0], (float)p[1], (float)p[2] };
}

static bool move_strips(surface_scene *scene, rbl_surface *surface)
{
	for (int b = 0; b < scene->body_count; ++b) {
		const scene_body *body = &scene->bodies[b];
		rbl_surface_data all = rbl_surface_get_data(surface);
		rbl_surface_body_data data = rbl_surface_body_get_data(surface, body->id);
		if (!scene_reserve(scene, data.vertex_count, 0))
			return false;
		for (int i = 0; i < data.vertex_count; ++i)
			scene->positions[i] = draw_node(scene, body, all.vertex_user_ids[data.vertices[i]]);
		if (scene_move(scene, surface, body->id, NULL, scene->positions) != RBL_OK)
			return false;
	}
	return true;
}

bool scene_tear_begin(surface_scene *scene, rbl_surface *surface)
{
	int n = scene->size = STRIP_WIDTH / scene->divisor < 2 ? 2 : STRIP_WIDTH / scene->divisor;
	scene->length = STRIP_LENGTH / scene->divisor;
	int width = STRIPS * n * TEAR_FINE, height = scene->length * TEAR_FINE;
	scene->vertex_count = (width + 1) * (height + 1);
	scene->particles = calloc(6 * STRIPS * (size_t)(n + 1) * (size_t)(scene->length + 1),
	                          sizeof *scene->particles);
	int *triangles = malloc(6 * (size_t)width * (size_t)height * sizeof *triangles), *t = triangles;
	int *ids = malloc((size_t)scene->vertex_count * sizeof *ids);
	bool is_good =
		scene->particles && triangles && ids && scene_reserve(scene, scene->vertex_count, 0);
	double spacing = 8.0 / scene->length;
	for (int strip = 0; is_good && strip < STRIPS; ++strip)
		for (int y = 0; y <= scene->length; ++y)
			for (int x = 0; x <= n; ++x) {
				double *p = node_of(scene, strip, x, y);
				p[0] = p[3] = spacing * (strip * n + x);
				p[1] = p[4] = 0.05 * rbl_sin(0.37 * y + 0.2 * x) + 0.002 * scene_random(scene);
				p[2] = p[5] = spacing * (y - 0.5 * scene->length);
			}
	scene_body whole = { .first = 0, .last = STRIPS - 1 };
	for (int i = 0; is_good && i < scene->vertex_count; ++i)
		scene->positions[i] = draw_node(scene, &whole, i), ids[i] = i;
	for (int y = 0; is_good && y < height; ++y)
		for (int x = 0; x < width; ++x) {
			int a = y * (width + 1) + x, b = a + 1, c = a + width + 1, d = c + 1;
			*t++ = a, *t++ = d, *t++ = b;
			*t++ = a, *t++ = c, *t++ = d;
		}
	rbl_surface_body_def def = rbl_default_surface_body_def();
	def.vertex_count = scene->vertex_count, def.positions = scene->positions;
	def.triangle_count = 2 * width * height, def.triangles = triangles;
	def.vertex_user_ids = ids; // of the fine grid: copies have that of their origin
	rbl_surface_body_id id;
	scene_body *body =
		is_good && rbl_surface_add(surface, &def, &id) == RBL_OK ? scene_add_body(scene, id) : NULL;
	if (body)
		body->first = 0, body->last = STRIPS - 1;
	free(triangles);
	free(ids);
	return body != NULL;
}

// Tear a body of several strips after one of them.
static bool tear_after(surface_scene *scene, rbl_surface *surface, int index, int strip)
{
	int row = STRIPS * scene->size * TEAR_FINE + 1;
	rbl_surface_data all = rbl_surface_get_data(surface);
	rbl_surface_body_data data = rbl_surface_body_get_data(surface, scene->bodies[index].id);
	if (!scene_reserve(scene, 0, data.triangle_count))
		return false;
	for (int i = 0; i < data.triangle_count; ++i) {
		int right = 0;
		for (int k = 0; k < 3; ++k) {
			int vertex = all.triangles[3 * (size_t)data.triangles[i] + (size_t)k];
			int x = all.vertex_user_ids[vertex] % row;
			right = x > right ? x : right;
		}
		scene->labels[i] = right > (strip + 1) * scene->size * TEAR_FINE;
	}
	rbl_surface_split_def def = rbl_default_surface_split_def();
	rbl_surface_body_id pieces[2];
	def.piece_count = 2, def.labels = scene->labels;
	if (scene_split(scene, surface, scene->bodies[index].id, &def, pieces) != RBL_OK)
		return false;
	scene_body *other = scene_add_body(scene, pieces[1]);
	if (!other)
		return false;
	other->first = strip + 1, other->last = scene->bodies[index].last;
	scene->bodies[index].last = strip;
	return true;
}

bool scene_tear_step(surface_scene *scene, rbl_surface *surface, bool *is_broken)
{
	static const struct {
		int frame, body, strip;
	} tears[3] = { { 30, 0, 1 }, { 50, 0, 0 }, { 70, 1, 2 } };
	for (int i = 0; i < 3; ++i)
		if (scene->frame == tears[i].frame) {
			*is_broken = true;
			if (!tear_after(scene, surface, tears[i].body, tears[i].strip))
				return false;
		}
	simulate_sheet(scene);
	return move_strips(scene, surface);
}
