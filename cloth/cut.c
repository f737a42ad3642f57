// SPDX-License-Identifier: MIT
//
// A knife: what a triangle passes through is cut.
//
// The cut is planned in a surface of the sheet alone, which is made for it from the particles and
// triangles in their order. So what comes out depends on the state of the cloth and not on what was in
// its own surface before, and a cloth that was saved and loaded is cut alike. A sheet that changed
// enters its surface anew. That costs as much as the sheet is large; a knife is led by a hand.
//
// New particles lie on edges at rest, with all that their ends have by shares, so area and mass stay.

#include "cloth/inside.h"

// Of the mean edge: nearer to a vertex a cut goes through it. Less leaves slivers, which are stiff.
static const double NEAR = 0.12;

// What a cut needs of a sheet, numbered as in its own surface.
typedef struct sheet_cut {
	cloth *c;
	int sheet;
	int vertex_count, triangle_count;
	int *particles; // by vertex
	int *triangles; // of the cloth, by triangle of the surface
	int *corners, *numbers;
	rbl_vec3 *positions;
} sheet_cut;

static void free_sheet(sheet_cut *k)
{
	free(k->particles), free(k->triangles), free(k->corners), free(k->numbers), free(k->positions);
}

static bool gather_sheet(sheet_cut *k)
{
	const cloth *c = k->c;
	size_t particles = (size_t)c->particle_count + 1, triangles = (size_t)c->triangle_count + 1;
	k->particles = malloc(particles * sizeof *k->particles);
	k->numbers = malloc(particles * sizeof *k->numbers);
	k->positions = malloc(particles * sizeof *k->positions);
	k->triangles = malloc(triangles * sizeof *k->triangles);
	k->corners = malloc(3 * triangles * sizeof *k->corners);
	if (!k->particles || !k->numbers || !k->positions || !k->triangles || !k->corners)
		return false;
	for (int p = 0; p < c->particle_count; ++p)
		if (c->particle_sheets[p] == k->sheet) {
			k->positions[k->vertex_count] = c->positions[p];
			k->particles[k->vertex_count] = p;
			k->numbers[p] = k->vertex_count++;
		}
	for (int t = 0; t < c->triangle_count; ++t)
		if (c->triangle_sheets[t] == k->sheet) {
			for (int i = 0; i < 3; ++i)
				k->corners[3 * k->triangle_count + i] = k->numbers[c->triangles[3 * t + i]];
			k->triangles[k->triangle_count++] = t;
		}
	return true;
}

static rbl_vec3 blend(const rbl_vec3 *values, const int *parents, const double *weights)
{
	rbl_vec3d sum = { 0.0, 0.0, 0.0 };
	for (int i = 0; i < 3; ++i)
		if (parents[i] >= 0)
			sum = rbl_add_scaled_d(sum, weights[i], rbl_to_d(values[parents[i]]));
	return (rbl_vec3){ (float)sum.x, (float)sum.y, (float)sum.z };
}

// Hold a copy of a particle that is held, too: a knife does not take pins out.
static void copy_pin(cloth *c, int made, int of)
{
	for (int i = 0, end = c->pins.count; i < end; ++i)
		if (c->pins.data[i].particle == of) {
			cloth_pin_record pin = c->pins.data[i];
			pin.particle = made;
			c->pins.data[c->pins.count++] = pin;
			return;
		}
}

// Add the new particles of a plan. Memory for them and their pins is there.
static void add_particles(sheet_cut *k, const rbl_surface_edit_def *edit)
{
	cloth *c = k->c;
	for (int i = 0; i < edit->vertex_count; ++i) {
		int parents[3], made = c->particle_count++;
		const double *weights = edit->weights + 3 * i;
		for (int j = 0; j < 3; ++j)
			parents[j] =
				edit->parents[3 * i + j] >= 0 ? k->particles[edit->parents[3 * i + j]] : -1;
		c->positions[made] = blend(c->positions, parents, weights);
		c->velocities[made] = blend(c->velocities, parents, weights);
		c->rest[made] = blend(c->rest, parents, weights);
		c->starts[made] = blend(c->starts, parents, weights);
		c->particle_sheets[made] = k->sheet;
		c->particle_vertices[made] = -1;
		for (int j = 0; j < 3; ++j)
			if (parents[j] >= 0 && weights[j] == 1.0)
				copy_pin(c, made, parents[j]);
	}
}

static int particle_of(const sheet_cut *k, int vertex, int first_new)
{
	return vertex >= 0 ? k->particles[vertex] : first_new - 1 - vertex;
}

// Take triangles out and put others in; the order of those that stay is theirs.
static void change_triangles(sheet_cut *k, const rbl_surface_edit_def *edit, int first_new)
{
	cloth *c = k->c;
	for (int i = 0; i < edit->corner_count; ++i) {
		int corner = edit->corners[i];
		c->triangles[3 * k->triangles[corner / 3] + corner % 3] =
			particle_of(k, edit->corner_vertices[i], first_new);
	}
	for (int i = 0; i < edit->changed_count; ++i)
		if (!edit->changed_labels || edit->changed_labels[i] < 0)
			c->triangle_sheets[k->triangles[edit->changed[i]]] = -1;
	int count = 0;
	for (int t = 0; t < c->triangle_count; ++t) {
		if (c->triangle_sheets[t] < 0)
			continue;
		memmove(c->triangles + 3 * count, c->triangles + 3 * t, 3 * sizeof *c->triangles);
		c->triangle_ids[count] = c->triangle_ids[t];
		c->triangle_sheets[count++] = c->triangle_sheets[t];
	}
	for (int i = 0; i < edit->triangle_count; ++i, ++count) {
		for (int j = 0; j < 3; ++j)
			c->triangles[3 * count + j] = particle_of(k, edit->triangles[3 * i + j], first_new);
		c->triangle_sheets[count] = k->sheet;
	}
	c->triangle_count = count;
}

// Change the cloth as a plan says. @return RBL_OK, RBL_OUT_OF_MEMORY
static rbl_result apply(sheet_cut *k, const rbl_surface_edit_def *edit)
{
	cloth *c = k->c;
	if (!cloth_reserve_particles(c, c->particle_count + edit->vertex_count) ||
	    !cloth_reserve_triangles(c, c->triangle_count + edit->triangle_count) ||
	    !CLOTH_RESERVE(&c->pins, c->pins.count + edit->vertex_count))
		return RBL_OUT_OF_MEMORY;
	int first_new = c->particle_count;
	add_particles(k, edit);
	change_triangles(k, edit, first_new);
	rbl_surface_remove(c->surface, c->sheets.data[k->sheet].body);
	rbl_result result = cloth_enter_sheet(c, k->sheet);
	return result == RBL_OK && !cloth_find_edges(c) ? RBL_OUT_OF_MEMORY : result;
}

static rbl_result cut_sheet(cloth *c, int sheet, const rbl_surface_knife *knife, int *cut_count)
{
	sheet_cut k = { .c = c, .sheet = sheet };
	rbl_surface *surface = NULL;
	rbl_surface_def surface_def = rbl_default_surface_def();
	rbl_surface_body_def body_def = rbl_default_surface_body_def();
	rbl_surface_body_id body;
	rbl_surface_edit_def edit = rbl_default_surface_edit_def();
	rbl_result result = gather_sheet(&k) ? RBL_OK : RBL_OUT_OF_MEMORY;
	body_def.vertex_count = k.vertex_count, body_def.positions = k.positions;
	body_def.triangle_count = k.triangle_count, body_def.triangles = k.corners;
	if (result == RBL_OK)
		result = rbl_create_surface(&surface_def, &surface);
	if (result == RBL_OK)
		result = rbl_surface_add(surface, &body_def, &body);
	if (result == RBL_OK)
		result = rbl_surface_plan_cut(surface, body, knife, &edit);
	if (result == RBL_OK && edit.changed_count + edit.corner_count > 0) {
		*cut_count += edit.changed_count + edit.corner_count;
		result = apply(&k, &edit);
	}
	rbl_destroy_surface(surface);
	free_sheet(&k);
	return result;
}

rbl_result cloth_cut(cloth *c, rbl_vec3 handle, rbl_vec3 from, rbl_vec3 to, int *cut_count)
{
	int count = 0;
	if (!c || !rbl_is_finite(handle) || !rbl_is_finite(from) || !rbl_is_finite(to))
		return cloth_fail(RBL_BAD_ARGUMENT,
		                  "cloth: the cloth is NULL, or a point of the knife not finite");
	rbl_vec3d starts[2] = { rbl_to_d(handle), rbl_to_d(from) };
	rbl_vec3d ends[2] = { rbl_to_d(handle), rbl_to_d(to) };
	rbl_surface_knife knife = rbl_default_surface_knife();
	knife.point_count = 2, knife.starts = starts, knife.ends = ends;
	rbl_result result = RBL_OK;
	for (int s = 0; s < c->sheets.count && result == RBL_OK; ++s) {
		knife.tolerance = NEAR * (double)c->sheets.data[s].edge;
		result = cut_sheet(c, s, &knife, &count);
	}
	if (cut_count)
		*cut_count = count;
	return result == RBL_OUT_OF_MEMORY ? cloth_fail(result, "cloth: no memory for a cut") : result;
}
