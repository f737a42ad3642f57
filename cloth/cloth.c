// SPDX-License-Identifier: MIT
//
// Sheets, their edges, and pins.
//
// All sheets share one set of arrays. An edge is a distance that two particles keep, softly: one
// constraint for each side of a triangle, and a weaker one across each two triangles that share a
// side, which resists bending. Both are found anew from the triangles after a tear, in the order of
// their particles, so that nothing depends on how the sheet came to be as it is.

#include "cloth/inside.h"

enum { MOST_PARTICLES = 1 << 24 };

bool cloth_grow(void **data, int *capacity, int wanted, size_t size)
{
	int more = *capacity < MOST_PARTICLES ? 2 * *capacity : *capacity;
	int room = wanted > more ? wanted : more;
	void *grown = realloc(*data, (size_t)room * size);
	if (!grown)
		return false;
	*data = grown;
	*capacity = room;
	return true;
}

rbl_result cloth_fail(rbl_result result, const char *text)
{
	rbl_log_text(RBL_LOG_ERROR, text);
	return result;
}

cloth_def cloth_default_def(void)
{
	return (cloth_def){ .gravity = { 0.0f, -9.81f, 0.0f },
		                .air = 1.2f,
		                .substep_count = 8,
		                .iteration_count = 2,
		                .damping = 0.2f,
		                .obstacles = rbl_default_obstacles_def() };
}

cloth_sheet_def cloth_default_sheet_def(void)
{
	return (cloth_sheet_def){ .pose = rbl_transform_identity(),
		                      .size = { 1.0f, 1.0f },
		                      .cells = { 16, 16 },
		                      .thickness = 0.01f,
		                      .density = 0.3f,
		                      .stiffness = 2000.0f,
		                      .bending = 2.0f,
		                      .friction = 0.4f };
}

static bool is_within(float value, float low, float high)
{
	return value >= low && value <= high;
}

rbl_result cloth_create(const cloth_def *def, rbl_world *world, cloth **made)
{
	if (!made || !def)
		return cloth_fail(RBL_BAD_ARGUMENT, "cloth: NULL is no definition and no place for one");
	*made = NULL;
	if (!rbl_is_finite(def->gravity) || !rbl_is_finite(def->wind) ||
	    !is_within(def->air, 0.0f, 1e6f))
		return cloth_fail(RBL_BAD_ARGUMENT, "cloth: gravity, wind or air is not usable");
	if (def->substep_count < 1 || def->substep_count > 64 || def->iteration_count < 1 ||
	    def->iteration_count > 64)
		return cloth_fail(RBL_BAD_ARGUMENT, "cloth: substep_count and iteration_count are 1 to 64");
	if (!is_within(def->damping, 0.0f, 10.0f))
		return cloth_fail(RBL_BAD_ARGUMENT, "cloth: damping is not 0 to 10");
	cloth *c = calloc(1, sizeof *c);
	if (!c)
		return cloth_fail(RBL_OUT_OF_MEMORY, "cloth: no memory");
	c->def = *def;
	c->world = world;
	rbl_surface_def surface_def = rbl_default_surface_def();
	surface_def.jobs = def->jobs;
	rbl_result result = rbl_create_surface(&surface_def, &c->surface);
	if (result == RBL_OK)
		result = rbl_create_obstacles(c->surface, &def->obstacles, &c->obstacles);
	if (result == RBL_OK)
		result = rbl_obstacles_sync(c->obstacles, world, 0.0f);
	if (result != RBL_OK) {
		cloth_destroy(c);
		return result;
	}
	*made = c;
	return RBL_OK;
}

void cloth_destroy(cloth *c)
{
	if (!c)
		return;
	rbl_destroy_obstacles(c->obstacles);
	rbl_destroy_surface(c->surface);
	free(c->positions), free(c->velocities), free(c->rest), free(c->starts), free(c->before);
	free(c->masses), free(c->weights), free(c->particle_sheets), free(c->particle_vertices);
	free(c->changed), free(c->triangles), free(c->triangle_sheets), free(c->triangle_ids);
	CLOTH_FREE(&c->sheets);
	CLOTH_FREE(&c->particles);
	CLOTH_FREE(&c->triangles_by_id);
	CLOTH_FREE(&c->pins);
	CLOTH_FREE(&c->edges);
	CLOTH_FREE(&c->bends);
	CLOTH_FREE(&c->contacts);
	CLOTH_FREE(&c->outer);
	CLOTH_FREE(&c->outer_of);
	CLOTH_FREE(&c->targets);
	CLOTH_FREE(&c->scratch);
	CLOTH_FREE(&c->scratch2);
	CLOTH_FREE(&c->ints);
	CLOTH_FREE(&c->ints2);
	CLOTH_FREE(&c->ints3);
	free(c);
}

// --- arrays -------------------------------------------------------------------------------------

#define GROW(array, count) grow_to((void **)&(array), (size_t)(count) * sizeof *(array))

static bool grow_to(void **array, size_t bytes)
{
	void *grown = realloc(*array, bytes > 0 ? bytes : 1);
	if (grown)
		*array = grown;
	return grown != NULL;
}

bool cloth_reserve_particles(cloth *c, int count)
{
	if (count <= c->particle_capacity)
		return true;
	int room = count > 2 * c->particle_capacity ? count : 2 * c->particle_capacity;
	bool fits = GROW(c->positions, room) && GROW(c->velocities, room) && GROW(c->rest, room) &&
	            GROW(c->starts, room) && GROW(c->before, room) && GROW(c->masses, room) &&
	            GROW(c->weights, room) && GROW(c->particle_sheets, room) &&
	            GROW(c->particle_vertices, room) && GROW(c->changed, room);
	if (fits)
		c->particle_capacity = room;
	return fits;
}

bool cloth_reserve_triangles(cloth *c, int count)
{
	if (count <= c->triangle_capacity)
		return true;
	bool fits = GROW(c->triangles, 3 * (size_t)count) && GROW(c->triangle_sheets, count) &&
	            GROW(c->triangle_ids, count);
	if (fits)
		c->triangle_capacity = count;
	return fits;
}

// --- sheets -------------------------------------------------------------------------------------

static rbl_result check_sheet(const cloth *c, const cloth_sheet_def *d)
{
	if (!c || !d)
		return cloth_fail(RBL_BAD_ARGUMENT, "cloth: the cloth or the sheet is NULL");
	if (!rbl_is_finite(d->pose.position) || !is_within(d->thickness, 1e-6f, 1e3f) ||
	    !is_within(d->density, 1e-6f, 1e6f) || !is_within(d->stiffness, 1e-3f, 1e9f) ||
	    !is_within(d->bending, 0.0f, 1e9f) || !is_within(d->friction, 0.0f, 100.0f) ||
	    !is_within(d->tear_strain, 0.0f, 1e3f))
		return cloth_fail(RBL_BAD_ARGUMENT, "cloth: a number of the sheet is out of range");
	if (d->positions
	        ? !d->triangles || d->vertex_count < 3 || d->triangle_count < 1
	        : d->cells[0] < 1 || d->cells[0] > 1024 || d->cells[1] < 1 || d->cells[1] > 1024 ||
	              !is_within(d->size[0], 1e-4f, 1e4f) || !is_within(d->size[1], 1e-4f, 1e4f))
		return cloth_fail(
			RBL_BAD_ARGUMENT,
			"cloth: cells are 1 to 1024, sizes 0.1 mm to 10 km, or triangles are given");
	for (int i = 0; d->positions && i < 3 * d->triangle_count; ++i)
		if (d->triangles[i] < 0 || d->triangles[i] >= d->vertex_count)
			return cloth_fail(RBL_BAD_ARGUMENT, "cloth: a triangle has a vertex that is not there");
	return RBL_OK;
}

static void fill_rectangle(cloth *c, const cloth_sheet_def *d)
{
	int columns = d->cells[0], rows = d->cells[1], v = c->particle_count;
	int *t = c->triangles + 3 * (size_t)c->triangle_count;
	for (int row = 0; row <= rows; ++row)
		for (int column = 0; column <= columns; ++column)
			c->rest[v++] = (rbl_vec3){ d->size[0] * ((float)column / (float)columns - 0.5f), 0.0f,
				                       d->size[1] * ((float)row / (float)rows - 0.5f) };
	for (int row = 0; row < rows; ++row)
		for (int column = 0; column < columns; ++column) {
			// Diagonals alternate, so that no direction is weaker.
			int a = c->particle_count + row * (columns + 1) + column, b = a + columns + 1;
			bool flips = (row + column) % 2;
			*t++ = a, *t++ = b, *t++ = flips ? b + 1 : a + 1;
			*t++ = a + 1, *t++ = flips ? a : b, *t++ = b + 1;
		}
}

rbl_result cloth_enter_sheet(cloth *c, int sheet)
{
	int vertex_count = 0, triangle_count = 0;
	if (!CLOTH_RESERVE(&c->ints, c->particle_count + 1) ||
	    !CLOTH_RESERVE(&c->ints2, 3 * c->triangle_count + 1) ||
	    !CLOTH_RESERVE(&c->ints3, c->particle_count + 1) ||
	    !CLOTH_RESERVE(&c->scratch, c->particle_count + 1) ||
	    !CLOTH_RESERVE(&c->scratch2, c->particle_count + 1))
		return cloth_fail(RBL_OUT_OF_MEMORY, "cloth: no memory for a sheet");
	for (int p = 0; p < c->particle_count; ++p)
		if (c->particle_sheets[p] == sheet) {
			c->scratch.data[vertex_count] = c->positions[p];
			c->scratch2.data[vertex_count] = c->rest[p];
			c->ints3.data[vertex_count] = p;
			c->ints.data[p] = vertex_count++;
		}
	for (int t = 0; t < c->triangle_count; ++t)
		if (c->triangle_sheets[t] == sheet) {
			for (int k = 0; k < 3; ++k)
				c->ints2.data[3 * triangle_count + k] = c->ints.data[c->triangles[3 * t + k]];
			triangle_count++;
		}
	rbl_surface_body_def def = rbl_default_surface_body_def();
	def.vertex_count = vertex_count;
	def.positions = c->scratch.data, def.rest_positions = c->scratch2.data;
	def.triangle_count = triangle_count, def.triangles = c->ints2.data;
	def.thickness = 0.0f; // hits are of what passes through; distances are the solver's
	def.keeps_rest_shape = true;
	cloth_sheet *of = &c->sheets.data[sheet];
	rbl_result result = rbl_surface_add(c->surface, &def, &of->body);
	if (result != RBL_OK)
		return result;
	rbl_surface_body_data data = rbl_surface_body_get_data(c->surface, of->body);
	for (int i = 0; i < data.vertex_count; ++i)
		c->particle_vertices[c->ints3.data[i]] = data.vertices[i];
	for (int t = 0, i = 0; t < c->triangle_count; ++t)
		if (c->triangle_sheets[t] == sheet)
			c->triangle_ids[t] = data.triangles[i++];
	return RBL_OK;
}

bool cloth_map_surface(cloth *c)
{
	rbl_surface_data data = rbl_surface_get_data(c->surface);
	if (!CLOTH_RESERVE(&c->particles, data.vertex_end + 1) ||
	    !CLOTH_RESERVE(&c->triangles_by_id, data.triangle_end + 1))
		return false;
	c->particles.count = data.vertex_end, c->triangles_by_id.count = data.triangle_end;
	for (int i = 0; i < data.vertex_end; ++i)
		c->particles.data[i] = -1;
	for (int i = 0; i < data.triangle_end; ++i)
		c->triangles_by_id.data[i] = -1;
	for (int p = 0; p < c->particle_count; ++p)
		c->particles.data[c->particle_vertices[p]] = p;
	for (int t = 0; t < c->triangle_count; ++t)
		c->triangles_by_id.data[c->triangle_ids[t]] = t;
	return true;
}

rbl_result cloth_add_sheet(cloth *c, const cloth_sheet_def *def, int *first)
{
	rbl_result result = check_sheet(c, def);
	if (result != RBL_OK)
		return result;
	int vertices = def->positions ? def->vertex_count : (def->cells[0] + 1) * (def->cells[1] + 1);
	int triangles = def->positions ? def->triangle_count : 2 * def->cells[0] * def->cells[1];
	if (vertices > MOST_PARTICLES - c->particle_count)
		return cloth_fail(RBL_LIMIT_REACHED, "cloth: too many particles");
	cloth_sheet sheet = { .thickness = def->thickness,
		                  .density = def->density,
		                  .stiffness = def->stiffness,
		                  .bending = def->bending,
		                  .friction = def->friction,
		                  .tear_strain = def->tear_strain };
	if (!cloth_reserve_particles(c, c->particle_count + vertices) ||
	    !cloth_reserve_triangles(c, c->triangle_count + triangles) ||
	    !CLOTH_PUSH(&c->sheets, sheet))
		return cloth_fail(RBL_OUT_OF_MEMORY, "cloth: no memory for a sheet");
	if (def->positions) {
		memcpy(c->rest + c->particle_count, def->positions, (size_t)vertices * sizeof *c->rest);
		for (int i = 0; i < 3 * triangles; ++i)
			c->triangles[3 * c->triangle_count + i] = c->particle_count + def->triangles[i];
	} else {
		fill_rectangle(c, def);
	}
	int old_particles = c->particle_count, old_triangles = c->triangle_count;
	for (int p = old_particles; p < old_particles + vertices; ++p) {
		c->positions[p] = rbl_transform_point(def->pose, c->rest[p]);
		c->starts[p] = c->positions[p];
		c->velocities[p] = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
		c->particle_sheets[p] = c->sheets.count - 1;
	}
	for (int t = old_triangles; t < old_triangles + triangles; ++t)
		c->triangle_sheets[t] = c->sheets.count - 1;
	c->particle_count += vertices, c->triangle_count += triangles;
	result = cloth_enter_sheet(c, c->sheets.count - 1);
	if (result == RBL_OK && !cloth_find_edges(c)) {
		rbl_surface_remove(c->surface, c->sheets.data[c->sheets.count - 1].body);
		result = cloth_fail(RBL_OUT_OF_MEMORY, "cloth: no memory for a sheet");
	}
	if (result != RBL_OK) {
		c->particle_count = old_particles, c->triangle_count = old_triangles;
		c->sheets.count--;
	} else if (first) {
		*first = old_particles;
	}
	return result;
}

// --- edges --------------------------------------------------------------------------------------

static int compare_edges(const void *a, const void *b)
{
	const cloth_edge *x = a, *y = b;
	if (x->a != y->a)
		return x->a < y->a ? -1 : 1;
	if (x->b != y->b)
		return x->b < y->b ? -1 : 1;
	return (x->opposite[0] > y->opposite[0]) - (x->opposite[0] < y->opposite[0]);
}

static float rest_distance(const cloth *c, int a, int b)
{
	return rbl_distance(c->rest[a], c->rest[b]);
}

static float triangle_area(const rbl_vec3 *at, const int *t)
{
	rbl_vec3 n = rbl_cross(rbl_sub(at[t[1]], at[t[0]]), rbl_sub(at[t[2]], at[t[0]]));
	return 0.5f * rbl_length(n);
}

// The weights of particles: inverse masses, 0 of what is held.
static void find_weights(cloth *c)
{
	for (int p = 0; p < c->particle_count; ++p)
		c->masses[p] = 0.0f;
	for (int t = 0; t < c->triangle_count; ++t) {
		const int *corners = c->triangles + 3 * t;
		float mass =
			c->sheets.data[c->triangle_sheets[t]].density * triangle_area(c->rest, corners);
		for (int k = 0; k < 3; ++k)
			c->masses[corners[k]] += mass / 3.0f;
	}
	for (int p = 0; p < c->particle_count; ++p)
		c->weights[p] = c->masses[p] > 0.0f ? 1.0f / c->masses[p] : 0.0f;
	for (int i = 0; i < c->pins.count; ++i)
		c->weights[c->pins.data[i].particle] = 0.0f;
}

bool cloth_find_edges(cloth *c)
{
	if (!CLOTH_RESERVE(&c->edges, 3 * c->triangle_count) ||
	    !CLOTH_RESERVE(&c->bends, 3 * c->triangle_count))
		return false;
	find_weights(c);
	c->edges.count = c->bends.count = 0;
	for (int t = 0; t < c->triangle_count; ++t)
		for (int k = 0; k < 3; ++k) {
			int a = c->triangles[3 * t + k], b = c->triangles[3 * t + (k + 1) % 3];
			const cloth_sheet *sheet = &c->sheets.data[c->triangle_sheets[t]];
			float length = rest_distance(c, a, b);
			c->edges.data[c->edges.count++] =
				(cloth_edge){ .a = a < b ? a : b,
				              .b = a < b ? b : a,
				              .length = length,
				              .compliance = length / sheet->stiffness,
				              .opposite = { c->triangles[3 * t + (k + 2) % 3], -1 } };
		}
	// The order is that of the particles, which differ: no two are equal.
	if (c->edges.count > 1)
		qsort(c->edges.data, (size_t)c->edges.count, sizeof *c->edges.data, compare_edges);
	int count = 0;
	for (int i = 0; i < c->edges.count; ++i) {
		cloth_edge *last = count > 0 ? &c->edges.data[count - 1] : NULL, e = c->edges.data[i];
		if (!last || last->a != e.a || last->b != e.b) {
			c->edges.data[count++] = e;
			continue;
		}
		last->opposite[1] = e.opposite[0];
		float bending = c->sheets.data[c->particle_sheets[e.a]].bending;
		int a = last->opposite[0], b = e.opposite[0];
		float length = rest_distance(c, a, b);
		if (bending > 0.0f)
			c->bends.data[c->bends.count++] =
				(cloth_edge){ .a = a, .b = b, .length = length, .compliance = length / bending };
	}
	c->edges.count = count;
	for (int s = 0; s < c->sheets.count; ++s) {
		double sum = 0.0;
		int n = 0;
		for (int i = 0; i < count; ++i)
			if (c->particle_sheets[c->edges.data[i].a] == s)
				sum += (double)c->edges.data[i].length, n++;
		c->sheets.data[s].edge = n > 0 ? (float)(sum / n) : 0.0f;
	}
	return true;
}

// --- pins ---------------------------------------------------------------------------------------

static int find_pin(const cloth *c, int particle)
{
	for (int i = 0; i < c->pins.count; ++i)
		if (c->pins.data[i].particle == particle)
			return i;
	return -1;
}

rbl_result cloth_pin(cloth *c, int particle, rbl_body_id body, bool releases)
{
	if (!c || particle < 0 || particle >= c->particle_count)
		return cloth_fail(RBL_BAD_ARGUMENT, "cloth: there is no such particle to hold");
	cloth_pin_record pin = { .particle = particle, .releases = releases, .body = body };
	pin.at = c->positions[particle];
	if (body.generation != 0) {
		if (!c->world || !rbl_body_exists(c->world, body))
			return cloth_fail(RBL_STALE_ID, "cloth: there is no such body to hold a particle");
		pin.at = rbl_transform_point_inverse(rbl_body_pose(c->world, body), pin.at);
	}
	int old = find_pin(c, particle);
	if (old >= 0)
		c->pins.data[old] = pin;
	else if (!CLOTH_PUSH(&c->pins, pin))
		return cloth_fail(RBL_OUT_OF_MEMORY, "cloth: no memory for a pin");
	c->weights[particle] = 0.0f;
	return RBL_OK;
}

rbl_result cloth_unpin(cloth *c, int particle)
{
	int at = c ? find_pin(c, particle) : -1;
	if (at < 0)
		return cloth_fail(RBL_BAD_ARGUMENT, "cloth: the particle is not held");
	memmove(&c->pins.data[at], &c->pins.data[at + 1],
	        (size_t)(c->pins.count - at - 1) * sizeof *c->pins.data);
	c->pins.count--;
	c->weights[particle] = c->masses[particle] > 0.0f ? 1.0f / c->masses[particle] : 0.0f;
	return RBL_OK;
}

rbl_result cloth_move_pin(cloth *c, int particle, rbl_vec3 to)
{
	int at = c ? find_pin(c, particle) : -1;
	if (at < 0 || c->pins.data[at].body.generation != 0 || !rbl_is_finite(to))
		return cloth_fail(RBL_BAD_ARGUMENT, "cloth: no pin of the world holds the particle");
	c->pins.data[at].at = to;
	return RBL_OK;
}

void cloth_set_wind(cloth *c, rbl_vec3 wind)
{
	if (c && rbl_is_finite(wind))
		c->def.wind = wind;
}

// --- looking ------------------------------------------------------------------------------------

cloth_data cloth_get_data(const cloth *c)
{
	if (!c)
		return (cloth_data){ .particle_count = 0 };
	return (cloth_data){ .particle_count = c->particle_count,
		                 .triangle_count = c->triangle_count,
		                 .sheet_count = c->sheets.count,
		                 .pin_count = c->pins.count,
		                 .positions = c->positions,
		                 .velocities = c->velocities,
		                 .starts = c->starts,
		                 .masses = c->masses,
		                 .triangles = c->triangles,
		                 .triangle_sheets = c->triangle_sheets,
		                 .particle_sheets = c->particle_sheets };
}

rbl_vec3 cloth_rest_position(const cloth *c, int particle)
{
	return c && particle >= 0 && particle < c->particle_count ? c->rest[particle]
	                                                          : (rbl_vec3){ 0.0f, 0.0f, 0.0f };
}

rbl_surface *cloth_get_surface(cloth *c)
{
	return c ? c->surface : NULL;
}

const rbl_obstacles *cloth_get_obstacles(const cloth *c)
{
	return c ? c->obstacles : NULL;
}

cloth_stats cloth_get_stats(const cloth *c)
{
	return c ? c->stats : (cloth_stats){ .near_count = 0 };
}

double cloth_energy(const cloth *c)
{
	double sum = 0.0;
	for (int p = 0; c && p < c->particle_count; ++p) {
		double m = (double)c->masses[p];
		sum += 0.5 * m * (double)rbl_length_squared(c->velocities[p]);
		sum -= m * (double)rbl_dot(c->def.gravity, c->positions[p]);
	}
	return sum;
}
