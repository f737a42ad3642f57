// SPDX-License-Identifier: MIT
//
// Bonds between pieces of `rubble fracture`, and the pieces as physics data.
//
// Two pieces are bonded where their surfaces touch: triangles in one plane that face each other and
// overlap. All is in coordinates of the scene, so that pieces of different nodes are bonded too, and
// a node that is scaled has the mass and the areas that one sees.

#include "fracture_set.h"

#include "array.h"
#include "errors.h"
#include "physics_file.h"

#include <rubble/vec.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double TOLERANCE = 1e-5; // of the size of the smaller piece

// The triangles of a piece in coordinates of the scene.
typedef struct piece_surface {
	rbl_vec3d (*triangles)[3];
	int count;
	rbl_boxd box;
	double size; // diagonal of the box
} piece_surface;

typedef struct bond_search {
	piece_surface *surfaces;
	int *near_a, *near_b;
	int capacity_a, capacity_b;
} bond_search;

static rbl_boxd box_of(const rbl_vec3d *points, int count)
{
	rbl_boxd box = { points[0], points[0] };
	for (int i = 1; i < count; ++i) {
		box.lower = rbl_min_d(box.lower, points[i]);
		box.upper = rbl_max_d(box.upper, points[i]);
	}
	return box;
}

static bool boxes_touch(const rbl_boxd *a, const rbl_boxd *b, double distance)
{
	return a->lower.x <= b->upper.x + distance && b->lower.x <= a->upper.x + distance &&
	       a->lower.y <= b->upper.y + distance && b->lower.y <= a->upper.y + distance &&
	       a->lower.z <= b->upper.z + distance && b->lower.z <= a->upper.z + distance;
}

static rbl_result take_surface(const fracture_piece *piece, piece_surface *surface)
{
	rbl_mesh_data data = rbl_mesh_get_data(piece->mesh);
	int count = rbl_mesh_triangle_count(piece->mesh);
	int *corners = malloc(3 * (size_t)count * sizeof *corners + 1);
	surface->triangles = malloc((size_t)count * sizeof *surface->triangles + 1);
	rbl_result result = corners && surface->triangles
	                        ? rbl_mesh_triangulate(piece->mesh, corners, NULL)
	                        : RBL_OUT_OF_MEMORY;
	bool is_mirrored = placement_determinant(&piece->at) < 0.0;
	for (int i = 0; i < 3 * count && result == RBL_OK; ++i) {
		int corner = is_mirrored ? 2 - i % 3 : i % 3;
		rbl_vec3d from = data.positions[data.corner_vertices[corners[i]]];
		surface->triangles[i / 3][corner] = place_point(&piece->at, from);
	}
	free(corners);
	if (result == RBL_OK && count > 0) {
		surface->count = count;
		surface->box = box_of(surface->triangles[0], 3 * count);
		surface->size = rbl_distance_d(surface->box.lower, surface->box.upper);
	}
	return result;
}

// --- two triangles ------------------------------------------------------------------------------

typedef struct flat_polygon {
	double x[9], y[9];
	int count;
} flat_polygon;

// Keep what is on the left of a line.
static flat_polygon clip(const flat_polygon *from, double x0, double y0, double x1, double y1)
{
	flat_polygon to = { .count = 0 };
	for (int i = 0; i < from->count; ++i) {
		int k = (i + 1) % from->count;
		double a = (x1 - x0) * (from->y[i] - y0) - (y1 - y0) * (from->x[i] - x0);
		double b = (x1 - x0) * (from->y[k] - y0) - (y1 - y0) * (from->x[k] - x0);
		if (a >= 0.0)
			to.x[to.count] = from->x[i], to.y[to.count++] = from->y[i];
		if ((a >= 0.0) != (b >= 0.0)) {
			double share = a / (a - b);
			to.x[to.count] = from->x[i] + share * (from->x[k] - from->x[i]);
			to.y[to.count++] = from->y[i] + share * (from->y[k] - from->y[i]);
		}
	}
	return to;
}

// The area that two triangles share which lie in one plane and face each other, and its centre.
static double shared_area(const rbl_vec3d *a, const rbl_vec3d *b, double tolerance,
                          rbl_vec3d *centre)
{
	rbl_vec3d cross = rbl_cross_d(rbl_sub_d(a[1], a[0]), rbl_sub_d(a[2], a[0]));
	rbl_vec3d other = rbl_cross_d(rbl_sub_d(b[1], b[0]), rbl_sub_d(b[2], b[0]));
	double twice = rbl_length_d(cross);
	if (!(rbl_dot_d(cross, other) < 0.0) || !(twice > tolerance * tolerance))
		return 0.0;
	rbl_vec3d normal = rbl_scale_d(1.0 / twice, cross);
	for (int i = 0; i < 3; ++i)
		if (fabs(rbl_dot_d(normal, rbl_sub_d(b[i], a[0]))) > tolerance)
			return 0.0;
	rbl_vec3d u = rbl_perpendicular_d(normal), v = rbl_cross_d(normal, u);
	flat_polygon shared = { .count = 3 };
	double x[3], y[3];
	for (int i = 0; i < 3; ++i) {
		rbl_vec3d p = rbl_sub_d(a[i], a[0]), q = rbl_sub_d(b[2 - i], a[0]);
		x[i] = rbl_dot_d(p, u), y[i] = rbl_dot_d(p, v);
		shared.x[i] = rbl_dot_d(q, u), shared.y[i] = rbl_dot_d(q, v);
	}
	for (int i = 0; i < 3 && shared.count > 0; ++i)
		shared = clip(&shared, x[i], y[i], x[(i + 1) % 3], y[(i + 1) % 3]);
	double sum = 0.0, at_x = 0.0, at_y = 0.0;
	for (int i = 1; i + 1 < shared.count; ++i) {
		double part = (shared.x[i] - shared.x[0]) * (shared.y[i + 1] - shared.y[0]) -
		              (shared.y[i] - shared.y[0]) * (shared.x[i + 1] - shared.x[0]);
		sum += part;
		at_x += part * (shared.x[0] + shared.x[i] + shared.x[i + 1]) / 3.0;
		at_y += part * (shared.y[0] + shared.y[i] + shared.y[i + 1]) / 3.0;
	}
	if (!(sum > 0.0))
		return 0.0;
	*centre = rbl_add_d(a[0], rbl_add_d(rbl_scale_d(at_x / sum, u), rbl_scale_d(at_y / sum, v)));
	return 0.5 * sum;
}

// --- two pieces ---------------------------------------------------------------------------------

// The triangles of a piece near another. @return how many, -1 when memory runs out
static int find_near(const piece_surface *of, const piece_surface *other, double tolerance,
                     int **near, int *capacity)
{
	int count = 0;
	for (int i = 0; i < of->count; ++i) {
		rbl_boxd box = box_of(of->triangles[i], 3);
		if (!boxes_touch(&box, &other->box, tolerance))
			continue;
		if (!ARRAY_RESERVE(*near, *capacity, count + 1))
			return -1;
		(*near)[count++] = i;
	}
	return count;
}

// Add the bond of two pieces, from both sides, if they touch.
static rbl_result add_bond(result_set *set, bond_search *search, int a, int b)
{
	const piece_surface *of_a = &search->surfaces[a], *of_b = &search->surfaces[b];
	double tolerance = TOLERANCE * fmin(of_a->size, of_b->size), sum = 0.0;
	if (!boxes_touch(&of_a->box, &of_b->box, tolerance))
		return RBL_OK;
	int count_a = find_near(of_a, of_b, tolerance, &search->near_a, &search->capacity_a);
	int count_b = find_near(of_b, of_a, tolerance, &search->near_b, &search->capacity_b);
	if (count_a < 0 || count_b < 0)
		return RBL_OUT_OF_MEMORY;
	rbl_vec3d centre = { 0.0, 0.0, 0.0 };
	for (int i = 0; i < count_a; ++i) {
		const rbl_vec3d *one = of_a->triangles[search->near_a[i]];
		rbl_boxd box = box_of(one, 3);
		for (int k = 0; k < count_b; ++k) {
			const rbl_vec3d *other = of_b->triangles[search->near_b[k]];
			rbl_boxd other_box = box_of(other, 3);
			rbl_vec3d at;
			double area = boxes_touch(&box, &other_box, tolerance)
			                  ? shared_area(one, other, tolerance, &at)
			                  : 0.0;
			if (!(area > 0.0))
				continue;
			sum += area;
			centre = rbl_add_d(centre, rbl_scale_d(area / sum, rbl_sub_d(at, centre)));
		}
	}
	if (!(sum > tolerance * tolerance))
		return RBL_OK;
	if (!ARRAY_RESERVE(set->bonds, set->bond_capacity, set->bond_count + 2))
		return RBL_OUT_OF_MEMORY;
	set->bonds[set->bond_count++] = (piece_bond){ a, b, sum, centre };
	set->bonds[set->bond_count++] = (piece_bond){ b, a, sum, centre };
	return RBL_OK;
}

// --- all of them --------------------------------------------------------------------------------

static int compare_bonds(const void *a, const void *b)
{
	const piece_bond *p = a, *q = b;
	if (p->piece != q->piece)
		return p->piece < q->piece ? -1 : 1;
	return p->other < q->other ? -1 : p->other > q->other;
}

// Where a piece begins along x.
typedef struct sweep_entry {
	double lower;
	int piece;
} sweep_entry;

static int compare_entries(const void *a, const void *b)
{
	const sweep_entry *p = a, *q = b;
	if (p->lower != q->lower)
		return p->lower < q->lower ? -1 : 1;
	return p->piece < q->piece ? -1 : p->piece > q->piece;
}

static rbl_result sweep(result_set *set, bond_search *search)
{
	size_t count = (size_t)set->count;
	sweep_entry *entries = malloc(count * sizeof *entries + 1);
	rbl_result result = entries ? RBL_OK : RBL_OUT_OF_MEMORY;
	for (int i = 0; i < set->count && entries; ++i)
		entries[i] = (sweep_entry){ search->surfaces[i].box.lower.x, i };
	if (entries)
		qsort(entries, count, sizeof *entries, compare_entries);
	for (int i = 0; i < set->count && result == RBL_OK; ++i) {
		const piece_surface *of = &search->surfaces[entries[i].piece];
		double end = of->box.upper.x + TOLERANCE * of->size;
		for (int k = i + 1; k < set->count && entries[k].lower <= end && result == RBL_OK; ++k) {
			int a = entries[i].piece, b = entries[k].piece;
			result = add_bond(set, search, a < b ? a : b, a < b ? b : a);
		}
	}
	free(entries);
	return result;
}

rbl_result find_bonds(result_set *set)
{
	bond_search search = { .surfaces = calloc((size_t)set->count + 1, sizeof *search.surfaces) };
	rbl_result result = search.surfaces ? RBL_OK : RBL_OUT_OF_MEMORY;
	for (int i = 0; i < set->count && result == RBL_OK; ++i)
		result = take_surface(&set->pieces[i], &search.surfaces[i]);
	if (result == RBL_OK)
		result = sweep(set, &search);
	if (result == RBL_OK && set->bond_count > 0)
		qsort(set->bonds, (size_t)set->bond_count, sizeof *set->bonds, compare_bonds);
	for (int i = 0; search.surfaces && i < set->count; ++i)
		free(search.surfaces[i].triangles);
	free(search.surfaces);
	free(search.near_a);
	free(search.near_b);
	return result;
}

rbl_mass piece_mass(const result_set *set, int piece)
{
	const fracture_piece *one = &set->pieces[piece];
	rbl_mass mass = rbl_mesh_get_mass(one->mesh);
	mass.volume = one->volume, mass.centre = one->centre;
	return place_mass(&one->at, &mass);
}

// The first piece that is made of the same as this one.
static int first_of_material(const result_set *set, int piece)
{
	int first = 0;
	while (strcmp(set->pieces[first].material, set->pieces[piece].material) != 0)
		first++;
	return first;
}

// The place of what a piece is made of in the list of materials.
static int material_number(const result_set *set, int piece)
{
	int number = 0, end = first_of_material(set, piece);
	for (int i = 0; i < end; ++i)
		number += first_of_material(set, i) == i;
	return number;
}

static void put_piece_material(physics_file *file, const fracture_piece *piece)
{
	rbl_material_values values = rbl_default_material_values();
	rbl_preset preset = rbl_preset_of_name(piece->material);
	if (preset != RBL_PRESET_COUNT)
		values = rbl_default_preset_def(preset).material.values;
	values.density = (float)piece->density;
	put_physics_material(file, *piece->material ? piece->material : "pieces", &values);
}

int write_physics(const fracture_options *options, const result_set *set)
{
	physics_file file;
	if (begin_physics(&file, options->physics, options->output) != STATUS_OK)
		return STATUS_FAILED;
	begin_physics_list(&file, "materials");
	for (int i = 0; i < set->count; ++i)
		if (first_of_material(set, i) == i)
			put_piece_material(&file, &set->pieces[i]);
	end_physics_list(&file);
	begin_physics_list(&file, "bodies");
	int next = 0; // convex
	for (int i = 0; i < set->count; ++i) {
		rbl_mass mass = piece_mass(set, i);
		char name[PIECE_NAME_LENGTH];
		name_piece(set, i, name);
		physics_body body = { .name = name,
			                  .parent = parent_name(set, i),
			                  .kind = RBL_BODY_DYNAMIC,
			                  .material = material_number(set, i),
			                  .pose = { rbl_to_f(mass.centre), { 0.0f, 0.0f, 0.0f, 1.0f } },
			                  .mass = set->pieces[i].density * mass.volume,
			                  .inertia = mass.inertia };
		rbl_mat3d *m = &body.inertia;
		double density = set->pieces[i].density;
		m->x = rbl_scale_d(density, m->x), m->y = rbl_scale_d(density, m->y);
		m->z = rbl_scale_d(density, m->z);
		begin_physics_body(&file, &body);
		for (; next < set->hull_count && set->hulls[next].piece == i; ++next)
			if (set->hulls[next].convex)
				put_physics_convex(&file, set->hulls[next].convex, mass.centre, -1, false);
		end_physics_colliders(&file);
		end_physics_body(&file);
	}
	end_physics_list(&file);
	begin_physics_list(&file, "bonds");
	for (int i = 0; i < set->bond_count; ++i) {
		const piece_bond *bond = &set->bonds[i];
		if (bond->piece < bond->other)
			put_physics_bond(&file, bond->piece, bond->other, bond->area, bond->centre, 1.0);
	}
	end_physics_list(&file);
	return end_physics(&file);
}
