// SPDX-License-Identifier: MIT
//
// Tearing: where an edge is too long, one of its ends becomes two particles. Triangles around it
// that lie towards the other end get the new one; so a gap opens across the edge, and the edges that
// still bridge it are the next ones to give way. Where triangles hang together by a single particle
// alone, they part.
//
// No triangle goes and none is made, so area and mass stay what they are.

#include "cloth/inside.h"

enum { MOST_TEARS = 24 }; // in a step

typedef struct stretched {
	float strain;
	int edge;
} stretched;

// The triangles around each particle: list[starts[p]] to list[starts[p + 1]] - 1, ascending.
typedef struct fans {
	int *starts, *list;
} fans;

static int compare_stretched(const void *a, const void *b)
{
	const stretched *x = a, *y = b;
	if (x->strain != y->strain)
		return x->strain > y->strain ? -1 : 1;
	return (x->edge > y->edge) - (x->edge < y->edge);
}

static float strain_of(const cloth *c, const cloth_edge *e)
{
	return rbl_distance(c->positions[e->a], c->positions[e->b]) / e->length - 1.0f;
}

// Edges that are too long, the longest first. @return how many, -1 when memory ran out
static int find_stretched(const cloth *c, stretched **list)
{
	int count = 0;
	for (int pass = 0; pass < 2; ++pass) {
		int n = 0;
		for (int i = 0; i < c->edges.count; ++i) {
			const cloth_edge *e = &c->edges.data[i];
			float limit = c->sheets.data[c->particle_sheets[e->a]].tear_strain;
			float strain = limit > 0.0f ? strain_of(c, e) : 0.0f;
			if (!(limit > 0.0f && strain > limit))
				continue;
			if (pass == 1)
				(*list)[n] = (stretched){ strain, i };
			n++;
		}
		count = n;
		if (pass == 0 && count == 0)
			return 0;
		if (pass == 0 && !(*list = malloc((size_t)count * sizeof **list)))
			return -1;
	}
	qsort(*list, (size_t)count, sizeof **list, compare_stretched);
	return count;
}

static void fill_fans(const cloth *c, fans *f)
{
	memset(f->starts, 0, ((size_t)c->particle_count + 2) * sizeof *f->starts);
	for (int i = 0; i < 3 * c->triangle_count; ++i)
		f->starts[c->triangles[i] + 2]++;
	for (int p = 0; p < c->particle_count; ++p)
		f->starts[p + 2] += f->starts[p + 1];
	for (int i = 0; i < 3 * c->triangle_count; ++i)
		f->list[f->starts[c->triangles[i] + 1]++] = i / 3;
}

// A copy of a particle. Memory for it is there.
static int add_particle(cloth *c, int like)
{
	int made = c->particle_count++;
	c->positions[made] = c->positions[like];
	c->velocities[made] = c->velocities[like];
	c->rest[made] = c->rest[like];
	c->starts[made] = c->starts[like];
	c->particle_sheets[made] = c->particle_sheets[like];
	c->particle_vertices[made] = -1;
	return made;
}

static int corner_of(const cloth *c, int triangle, int particle)
{
	const int *t = c->triangles + 3 * (size_t)triangle;
	return 3 * triangle + (t[0] == particle ? 0 : t[1] == particle ? 1 : 2);
}

static bool is_in_front(const cloth *c, int triangle, rbl_vec3 from, rbl_vec3 direction)
{
	const int *t = c->triangles + 3 * (size_t)triangle;
	rbl_vec3 sum = rbl_add(c->positions[t[0]], rbl_add(c->positions[t[1]], c->positions[t[2]]));
	return rbl_dot(rbl_sub(rbl_scale(1.0f / 3.0f, sum), from), direction) > 0.0f;
}

// Tear one particle across a direction. @return whether there is something on both sides
static bool tear_particle(cloth *c, const fans *f, int p, rbl_vec3 direction, bool *is_near)
{
	int front = 0, begin = f->starts[p], end = f->starts[p + 1];
	rbl_vec3 from = c->positions[p];
	for (int i = begin; i < end; ++i)
		front += is_in_front(c, f->list[i], from, direction);
	if (front == 0 || front == end - begin)
		return false;
	for (int i = begin; i < end; ++i)
		for (int k = 0; k < 3; ++k)
			is_near[c->triangles[3 * f->list[i] + k]] = true;
	int made = add_particle(c, p);
	for (int i = begin; i < end; ++i) {
		int corner = corner_of(c, f->list[i], p);
		// By where it was: its corner changes below.
		if (is_in_front(c, f->list[i], from, direction))
			c->triangles[corner] = made;
	}
	return true;
}

// Tear what is too long; neighbours of what tears wait for the next step.
static void tear_edges(cloth *c, const fans *f, const stretched *list, int count, bool *is_near,
                       const float *stress)
{
	int torn = 0;
	for (int i = 0; i < count && torn < MOST_TEARS; ++i) {
		const cloth_edge *e = &c->edges.data[list[i].edge];
		rbl_vec3 d = rbl_sub(c->positions[e->b], c->positions[e->a]);
		int ends[2] = { e->a, e->b };
		rbl_vec3 ways[2] = { d, rbl_neg(d) };
		int first = stress[e->b] > stress[e->a];
		for (int k = 0; k < 2; ++k) {
			int end = (first + k) % 2;
			if (is_near[e->a] || is_near[e->b])
				break;
			if (tear_particle(c, f, ends[end], ways[end], is_near)) {
				torn++;
				break;
			}
		}
	}
}

// Give each group of triangles around a particle, but the first, a particle of its own; a group hangs
// together by edges. @return how many that is
static int part_hinge(cloth *c, const fans *f, int p)
{
	enum { MOST = 64 };
	int begin = f->starts[p], count = f->starts[p + 1] - begin, groups = 0, of[MOST];
	if (count < 2 || count > MOST)
		return 0;
	for (int i = 0; i < count; ++i)
		of[i] = -1;
	for (int seed = 0; seed < count; ++seed) {
		if (of[seed] >= 0)
			continue;
		of[seed] = groups;
		for (bool grows = true; grows;) {
			grows = false;
			for (int i = 0; i < count; ++i)
				for (int j = 0; j < count; ++j) {
					if (of[i] != groups || of[j] >= 0)
						continue;
					const int *x = c->triangles + 3 * f->list[begin + i];
					const int *y = c->triangles + 3 * f->list[begin + j];
					int shared = 0;
					for (int a = 0; a < 3; ++a)
						for (int b = 0; b < 3; ++b)
							shared += x[a] == y[b];
					if (shared >= 2)
						of[j] = groups, grows = true;
				}
		}
		groups++;
	}
	for (int group = 1; group < groups; ++group) {
		int made = add_particle(c, p);
		for (int i = 0; i < count; ++i)
			if (of[i] == group)
				c->triangles[corner_of(c, f->list[begin + i], p)] = made;
	}
	return groups - 1;
}

// Tell the surface which corners have a new vertex. @return as rbl_surface_edit()
static rbl_result edit_sheet(cloth *c, int sheet, int old_count, const int *before)
{
	int new_count = c->particle_count - old_count, corner_count = 0, vertex_count = 0;
	int *numbers = malloc(((size_t)new_count + 1) * sizeof *numbers);
	int *parents = malloc(3 * ((size_t)new_count + 1) * sizeof *parents);
	double *weights = malloc(3 * ((size_t)new_count + 1) * sizeof *weights);
	int *corners = malloc((3 * (size_t)c->triangle_count + 1) * sizeof *corners);
	int *vertices = malloc((3 * (size_t)c->triangle_count + 1) * sizeof *vertices);
	rbl_result result = RBL_OUT_OF_MEMORY;
	if (numbers && parents && weights && corners && vertices) {
		for (int i = 0; i < new_count; ++i)
			numbers[i] = -1;
		for (int i = 0; i < 3 * c->triangle_count; ++i) {
			int p = c->triangles[i], n = p - old_count;
			if (c->triangle_sheets[i / 3] != sheet || n < 0)
				continue;
			if (numbers[n] < 0) {
				numbers[n] = vertex_count;
				parents[3 * vertex_count] = c->particle_vertices[before[i]];
				parents[3 * vertex_count + 1] = parents[3 * vertex_count + 2] = -1;
				weights[3 * vertex_count] = 1.0;
				weights[3 * vertex_count + 1] = weights[3 * vertex_count + 2] = 0.0;
				vertex_count++;
			}
			corners[corner_count] = 3 * c->triangle_ids[i / 3] + i % 3;
			vertices[corner_count++] = -1 - numbers[n];
		}
		rbl_surface_edit_def def = rbl_default_surface_edit_def();
		def.corner_count = corner_count, def.corners = corners, def.corner_vertices = vertices;
		def.vertex_count = vertex_count, def.parents = parents, def.weights = weights;
		result = corner_count > 0
		             ? rbl_surface_edit(c->surface, c->sheets.data[sheet].body, &def, NULL)
		             : RBL_OK;
	}
	rbl_surface_data data = rbl_surface_get_data(c->surface);
	for (int i = 0; i < 3 * c->triangle_count && result == RBL_OK; ++i)
		if (c->triangle_sheets[i / 3] == sheet && c->triangles[i] >= old_count)
			c->particle_vertices[c->triangles[i]] =
				data.triangles[3 * c->triangle_ids[i / 3] + i % 3];
	free(numbers), free(parents), free(weights), free(corners), free(vertices);
	return result;
}

static rbl_result tear_list(cloth *c, const stretched *list, int count)
{
	int old_count = c->particle_count, most = old_count + MOST_TEARS,
		corners = 3 * c->triangle_count;
	if (!cloth_reserve_particles(c, most + corners))
		return cloth_fail(RBL_OUT_OF_MEMORY, "cloth: no memory for a tear");
	fans f = { malloc(((size_t)most + (size_t)corners + 2) * sizeof *f.starts),
		       malloc(((size_t)corners + 1) * sizeof *f.list) };
	bool *is_near = calloc((size_t)most + 1, sizeof *is_near);
	float *stress = calloc((size_t)old_count + 1, sizeof *stress);
	int *before = malloc(((size_t)corners + 1) * sizeof *before);
	rbl_result result = RBL_OUT_OF_MEMORY;
	if (f.starts && f.list && is_near && stress && before) {
		memcpy(before, c->triangles, (size_t)corners * sizeof *before);
		for (int i = 0; i < c->edges.count; ++i) {
			const cloth_edge *e = &c->edges.data[i];
			float strain = rbl_maxf(0.0f, strain_of(c, e));
			stress[e->a] += strain, stress[e->b] += strain;
		}
		fill_fans(c, &f);
		tear_edges(c, &f, list, count, is_near, stress);
		fill_fans(c, &f);
		for (int p = 0, end = c->particle_count; p < end; ++p)
			if (p >= old_count || is_near[p])
				part_hinge(c, &f, p);
		result = RBL_OK;
		for (int s = 0; s < c->sheets.count && result == RBL_OK; ++s)
			result = edit_sheet(c, s, old_count, before);
		if (result == RBL_OK && !cloth_find_edges(c))
			result = RBL_OUT_OF_MEMORY;
		if (result == RBL_OK)
			c->stats.tear_count += c->particle_count - old_count;
	}
	free(f.starts), free(f.list), free(is_near), free(stress), free(before);
	return result == RBL_OUT_OF_MEMORY ? cloth_fail(result, "cloth: no memory for a tear") : result;
}

rbl_result cloth_tear(cloth *c)
{
	stretched *list = NULL;
	int count = find_stretched(c, &list);
	if (count < 0)
		return cloth_fail(RBL_OUT_OF_MEMORY, "cloth: no memory for a tear");
	rbl_result result = count > 0 ? tear_list(c, list, count) : RBL_OK;
	free(list);
	return result;
}
