// SPDX-License-Identifier: MIT
//
// The scenes of field_scenes.c in every variant: whole steps, queries, updates at breaks.
//
//   chosen           what a world does: up to twelve points of a pair, chosen by depth and spread
//   chosen-500       the same with a fracture budget of 500, as a game sets it that has 4 ms
//   adaptive         the first eight of each body, more while they are deep (section 5.2)
//   fixed-8          the first eight of each body
//   full             all points that touch
//   naive            as adaptive, children parent by parent
//   recompute-field  fragments get fields that are sampled anew from their meshes
//   recompute-tree   all points of a fragment's sphere tree are ordered, not the first of them only
//   without-birth    pieces that a crack has just parted are measured by fields as all others
//   automatic        convexes where the hull is the body, fields for all others
//   convex           our own contacts by convexes
//
// Without --thorough or --case: chosen, adaptive, full, naive, recompute-field, recompute-tree and convex.
//
// One worker. `step_ms` is processor time, so that other programs on the machine hardly show; its
// parts are elapsed times. With --repeat each step counts with its least time. `query_ms` is the
// narrow phase and what makes contacts of it, over all pairs of a step; `update_ms` (fields and
// sphere trees) and `fracture_ms` (all else of breaking) are sums over all steps, divided by the
// number of those in which something broke; the most is that of one step. `contacts` are the points
// that the solver gets in a step. `visited`: points that were measured in a step. `penetration_mm`
// is the deepest point of a step by a full search over all pairs, the mean over every tenth step;
// for convexes what their contacts say, so it does not tell how far they are from the mesh.
//
// Bricks overlap by up to 8 cm at first: pieces are born while others go on through what breaks. They
// come apart at up to 10 cm/s, so that nothing is thrown: see tests/world/birth_overlap.c.

#include "bench.h"
#include "field_cases.h"
#include "field_references.h"
#include "field_scenes.h"

#include "base/math.h"
#include "base/vec.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// --- fragments made in another way --------------------------------------------------------------

// All that is seen of a compound as one mesh. Faces between bonded parts are in it twice, both
// ways: inside is right there, depths are those of the nearest face.
static rbl_mesh *merge_meshes(const rbl_compound *compound)
{
	int end = rbl_compound_get_info(compound).part_end, vertices = 0, faces = 0, corners = 0;
	for (int i = 0; i < end; ++i) {
		rbl_compound_part part = rbl_compound_get_part(compound, i);
		rbl_mesh_data data = part.mesh ? rbl_mesh_get_data(part.mesh) : (rbl_mesh_data){ 0 };
		vertices += data.vertex_count, faces += data.face_count, corners += data.corner_count;
	}
	rbl_vec3d *positions = malloc((size_t)vertices * sizeof *positions + 1);
	int *starts = malloc(((size_t)faces + 1) * sizeof *starts);
	int *indices = malloc((size_t)corners * sizeof *indices + 1);
	rbl_mesh_def def = rbl_default_mesh_def();
	rbl_mesh *mesh = NULL;
	if (positions && starts && indices) {
		rbl_mesh_data *to = &def.data;
		*to = (rbl_mesh_data){ .positions = positions,
			                   .face_starts = starts,
			                   .corner_vertices = indices };
		starts[0] = 0;
		for (int i = 0; i < end; ++i) {
			rbl_compound_part part = rbl_compound_get_part(compound, i);
			if (!part.mesh)
				continue;
			rbl_mesh_data from = rbl_mesh_get_data(part.mesh);
			memcpy(positions + to->vertex_count, from.positions,
			       (size_t)from.vertex_count * sizeof *positions);
			for (int k = 0; k < from.face_count; ++k)
				starts[to->face_count + k + 1] = to->corner_count + from.face_starts[k + 1];
			for (int k = 0; k < from.corner_count; ++k)
				indices[to->corner_count + k] = to->vertex_count + from.corner_vertices[k];
			to->vertex_count += from.vertex_count;
			to->face_count += from.face_count;
			to->corner_count += from.corner_count;
		}
		rbl_create_mesh(&def, &mesh);
	}
	free(positions);
	free(starts);
	free(indices);
	return mesh;
}

// A field of the fragment's own mesh, with cells as wide as the original's.
static rbl_result recompute_field(const rbl_compound *compound, rbl_part_field *field)
{
	const rbl_distance_field *original = rbl_distance_field_original(field->own_field);
	rbl_mesh *mesh = merge_meshes(compound);
	rbl_distance_field *made = NULL;
	if (!mesh || !original)
		return RBL_OUT_OF_MEMORY;
	rbl_distance_field_def def = rbl_default_distance_field_def();
	double size = rbl_length_d(rbl_box_size_d(rbl_mesh_bounds(mesh)));
	double cell = (double)rbl_distance_field_get_info(original).cell_size;
	def.mesh = mesh;
	def.resolution = rbl_mini(rbl_maxi((int)(size / cell), 8), RBL_MAX_FIELD_RESOLUTION);
	rbl_result result = rbl_create_distance_field(&def, &made);
	rbl_destroy_mesh(mesh);
	if (result != RBL_OK)
		return result;
	rbl_destroy_distance_field(field->own_field);
	field->own_field = made;
	field->own_shape->field = made;
	return RBL_OK;
}

static rbl_result recompute_tree(const rbl_compound *compound, rbl_part_field *field)
{
	(void)compound;
	const rbl_sphere_tree *old = &field->own_shape->tree;
	rbl_sphere_tree_def def = { old->positions, old->ids, old->count, old->count };
	rbl_sphere_tree made;
	rbl_arena arena;
	if (old->count == 0)
		return RBL_OK;
	rbl_arena_init(&arena, NULL, 1 << 20);
	rbl_result result = rbl_sphere_tree_build(&def, &arena, &field->own_shape->allocator, &made);
	rbl_arena_destroy(&arena);
	if (result == RBL_OK) {
		rbl_sphere_tree_destroy(&field->own_shape->tree);
		field->own_shape->tree = made;
	}
	return result;
}

static const field_variant variants[] = {
	{ "chosen", RBL_CONTACTS_FIELD, RBL_SELECT_CHOSEN, 12, false, 0, NULL },
	{ "chosen-500", RBL_CONTACTS_FIELD, RBL_SELECT_CHOSEN, 12, false, 500, NULL },
	{ "adaptive", RBL_CONTACTS_FIELD, RBL_SELECT_ADAPTIVE, 8, false, 0, NULL },
	{ "fixed-8", RBL_CONTACTS_FIELD, RBL_SELECT_FIXED, 8, false, 0, NULL },
	{ "full", RBL_CONTACTS_FIELD, RBL_SELECT_FULL, 8, false, 0, NULL },
	{ "naive", RBL_CONTACTS_FIELD, RBL_SELECT_NAIVE, 8, false, 0, NULL },
	{ "recompute-field", RBL_CONTACTS_FIELD, RBL_SELECT_CHOSEN, 12, false, 0, recompute_field },
	{ "recompute-tree", RBL_CONTACTS_FIELD, RBL_SELECT_CHOSEN, 12, false, 0, recompute_tree },
	{ "without-birth", RBL_CONTACTS_FIELD, RBL_SELECT_CHOSEN, 12, true, 0, NULL },
	{ "automatic", RBL_CONTACTS_AUTOMATIC, RBL_SELECT_CHOSEN, 12, false, 0, NULL },
	{ "convex", RBL_CONTACTS_CONVEX, RBL_SELECT_CHOSEN, 12, false, 0, NULL },
};

enum { VARIANTS = sizeof variants / sizeof variants[0], MOST_STEPS = 1000, MOST_CONTACTS = 20000 };
enum { CURVE_WINDOW = 10 }; // steps that a point of a curve is the mean of

static bool is_one_of(const char *name, const char *const *names)
{
	bool is_known = false;
	for (int i = 0; names[i]; ++i)
		is_known |= strcmp(name, names[i]) == 0;
	return is_known;
}

// A rough answer is given for the first of these, and what the paper compares is in an ordinary run.
static bool is_variant_wanted(const bench *b, const char *name)
{
	static const char *const quick[] = { "chosen", "adaptive", "full", "convex", NULL };
	static const char *const of_paper[] = { "naive", "recompute-field", "recompute-tree", NULL };
	return bench_is_thorough(b) || is_one_of(name, quick) ||
	       (!bench_is_quick(b) && is_one_of(name, of_paper));
}

// --- what is measured ---------------------------------------------------------------------------

typedef struct scene_report {
	int step_count, repetitions;
	double step_ms[MOST_STEPS], query_ms[MOST_STEPS]; // the least over repetitions
	double update_ms[MOST_STEPS], fracture_ms[MOST_STEPS];
	bool is_break[MOST_STEPS];
	double contacts, visited, penetration;
	int contacts_max, penetration_count;
	double penetration_max, penetration_end; // the deepest ever, and in the last step measured
	int off_crack, at_birth;                 // contacts of the first step after a break
	int fragments, triangles;
	int below; // bodies that fell through the floor
	double bytes;
	uint64_t hash;
	rbl_contact contacts_now[MOST_CONTACTS];
} scene_report;

static rbl_field_side side_of(const rbl_world *world, int part)
{
	const rbl_world_part *p = &world->parts[part];
	return (rbl_field_side){ .shape = p->field ? p->field->shape : NULL,
		                     .collider = p->field ? NULL : p->collider,
		                     .pose = rbl_world_part_pose(world, part) };
}

// The deepest point of all pairs, in metres, by a full search where there are fields.
static double deepest_point(const rbl_world *world, rbl_field_contacts *work, scene_report *r)
{
	rbl_field_contact_settings settings = rbl_default_field_contact_settings();
	settings.selection = RBL_SELECT_FULL;
	settings.visit_budget = RBL_MAX_FIELD_VISITS;
	settings.margin = settings.dt = 0.0f;
	double most = 0.0;
	for (int i = 0; i < world->pair_end; ++i) {
		const rbl_pair_record *pair = &world->pairs[i];
		bool is_field = pair->a != RBL_NONE && (pair->flags & RBL_PAIR_SURFACE) &&
		                pair->contact != RBL_NONE && world->surfaces.data[pair->contact].field;
		if (!is_field || world->surfaces.data[pair->contact].field->birth)
			continue;
		rbl_field_side a = side_of(world, pair->a), b = side_of(world, pair->b);
		rbl_field_contact_list list;
		rbl_field_contacts_find(work, &a, &b, &settings, NULL, &list);
		for (int k = 0; k < list.point_count; ++k)
			most = rbl_maxd(most, -(double)list.points[k].separation);
	}
	int count =
		rbl_mini(rbl_world_get_contacts(world, r->contacts_now, MOST_CONTACTS), MOST_CONTACTS);
	for (int i = 0; i < count && world->field_part_count == 0; ++i)
		for (int k = 0; k < r->contacts_now[i].manifold.point_count; ++k)
			most = rbl_maxd(most, -(double)r->contacts_now[i].manifold.points[k].separation);
	return most;
}

// The most that a normal agrees with that of a face through a point: of a convex of a compound.
static double agreement(const rbl_world *world, rbl_body_id id, rbl_vec3 point, rbl_vec3 normal)
{
	const rbl_compound *compound = rbl_body_get_compound(world, id);
	rbl_transform pose = rbl_body_pose(world, id);
	rbl_vec3d p = rbl_to_d(rbl_transform_point_inverse(pose, point));
	rbl_vec3d n = rbl_to_d(rbl_rotate_inverse(pose.rotation, normal));
	double most = -1.0;
	for (int i = 0; compound && i < rbl_compound_get_info(compound).part_end; ++i) {
		const rbl_convex *convex = rbl_compound_get_part(compound, i).convex;
		rbl_convex_data data = convex ? rbl_convex_get_data(convex) : (rbl_convex_data){ 0 };
		for (int f = 0; f < data.face_count; ++f)
			if (fabs(rbl_dot_d(data.planes[f].normal, p) - data.planes[f].offset) < 5e-4)
				most = rbl_maxd(most, rbl_dot_d(data.planes[f].normal, n));
	}
	return most;
}

// Normals of contacts between pieces that are new: off by more than 5 degrees from every crack.
static void count_normals_at_birth(const rbl_world *world, scene_report *r)
{
	int count =
		rbl_mini(rbl_world_get_contacts(world, r->contacts_now, MOST_CONTACTS), MOST_CONTACTS);
	for (int i = 0; i < count; ++i) {
		const rbl_contact *c = &r->contacts_now[i];
		for (int k = 0; k < c->manifold.point_count; ++k) {
			rbl_vec3 p = c->manifold.points[k].position, n = c->manifold.normal;
			double of_a = agreement(world, c->body_a, p, n);
			double of_b = agreement(world, c->body_b, p, rbl_neg(n));
			r->at_birth++;
			r->off_crack += rbl_maxd(of_a, of_b) <= 0.9962;
		}
	}
}

static void note_end(const field_scene *s, scene_report *r)
{
	static rbl_body_id ids[4096];
	int count = rbl_mini(rbl_world_get_bodies(s->world, ids, 4096), 4096);
	r->fragments = r->triangles = r->below = 0;
	for (int i = 0; i < count; ++i) {
		const rbl_compound *compound = rbl_body_get_compound(s->world, ids[i]);
		r->below += rbl_body_get_state(s->world, ids[i]).centre.y < -0.5f - 1e-4f;
		if (!compound)
			continue;
		r->fragments++;
		for (int k = 0; k < rbl_compound_get_info(compound).part_end; ++k) {
			rbl_compound_part part = rbl_compound_get_part(compound, k);
			rbl_mesh_data data = part.mesh ? rbl_mesh_get_data(part.mesh) : (rbl_mesh_data){ 0 };
			r->triangles += data.corner_count - 2 * data.face_count;
		}
	}
	r->bytes = (double)rbl_world_get_stats(s->world).bytes;
	r->hash = rbl_world_hash(s->world);
}

static void least(double *kept, double value, bool is_first)
{
	*kept = is_first ? value : rbl_mind(*kept, value);
}

static bool run_steps(field_scene *s, const field_scene_case *c, scene_report *r)
{
	bool is_first = r->repetitions == 0, ok = true;
	rbl_field_contacts *work = NULL;
	if (rbl_create_field_contacts(NULL, &work) != RBL_OK)
		return false;
	for (int i = 0; i < r->step_count && ok; ++i) {
		s->step = i;
		if (c->before_step)
			c->before_step(s);
		s->probe.update_ns = 0;
		s->probe.visited = 0;
		clock_t start = clock();
		ok = rbl_world_step(s->world, c->dt) == RBL_OK;
		double step_ms = 1e3 * (double)(clock() - start) / CLOCKS_PER_SEC;
		rbl_world_stats stats = rbl_world_get_stats(s->world);
		double update_ms = 1e-6 * (double)s->probe.update_ns;
		least(&r->step_ms[i], step_ms, is_first);
		least(&r->query_ms[i], stats.narrow_ms + stats.contacts_ms, is_first);
		least(&r->update_ms[i], update_ms, is_first);
		least(&r->fracture_ms[i], stats.fracture_ms - update_ms, is_first);
		if (!is_first)
			continue;
		bool is_break = rbl_world_get_events(s->world).fracture_count > 0;
		r->is_break[i] = is_break;
		r->contacts += stats.point_count;
		r->contacts_max = rbl_maxi(r->contacts_max, stats.point_count);
		r->visited += (double)s->probe.visited;
		if (!c->has_gravity && i > 0 && r->is_break[i - 1]) // no contacts but those of cracks
			count_normals_at_birth(s->world, r);
		if (i % 10 == 9) {
			double depth = deepest_point(s->world, work, r);
			r->penetration += depth;
			r->penetration_max = rbl_maxd(r->penetration_max, depth);
			r->penetration_end = depth;
			r->penetration_count++;
		}
	}
	rbl_destroy_field_contacts(work);
	if (is_first)
		note_end(s, r);
	else
		ok = ok && rbl_world_hash(s->world) == r->hash;
	r->repetitions++;
	return ok;
}

// @param counts  what the sum is divided by: those of the values, NULL: all
static void mean_and_max(bench *b, const char *name, const char *variant, const char *metric,
                         const char *max_metric, const double *values, const bool *counts,
                         int count)
{
	double sum = 0.0, most = 0.0;
	int n = 0;
	for (int i = 0; i < count; ++i) {
		sum += values[i], n += !counts || counts[i];
		most = rbl_maxd(most, values[i]);
	}
	if (n == 0)
		return;
	bench_row(b, name, variant, metric, sum / n, "ms");
	bench_row(b, name, variant, max_metric, most, "ms");
}

static void write_report(bench *b, const char *name, const char *variant, const scene_report *r)
{
	int n = r->step_count;
	mean_and_max(b, name, variant, "step_ms", "step_max_ms", r->step_ms, NULL, n);
	mean_and_max(b, name, variant, "query_ms", "query_max_ms", r->query_ms, NULL, n);
	mean_and_max(b, name, variant, "update_ms", "update_max_ms", r->update_ms, r->is_break, n);
	mean_and_max(b, name, variant, "fracture_ms", "fracture_max_ms", r->fracture_ms, r->is_break,
	             n);
	for (int end = CURVE_WINDOW; end <= n; end += CURVE_WINDOW) {
		double step = 0.0, query = 0.0;
		for (int i = end - CURVE_WINDOW; i < end; ++i)
			step += r->step_ms[i] / CURVE_WINDOW, query += r->query_ms[i] / CURVE_WINDOW;
		bench_point(b, name, variant, "step_ms", end, step, "ms");
		bench_point(b, name, variant, "query_ms", end, query, "ms");
	}
	bench_row(b, name, variant, "contacts", r->contacts / n, "");
	bench_row(b, name, variant, "contacts_max", r->contacts_max, "");
	bench_row(b, name, variant, "visited", r->visited / n, "");
	bench_row(b, name, variant, "penetration_mm", 1e3 * r->penetration / r->penetration_count,
	          "mm");
	bench_row(b, name, variant, "penetration_max_mm", 1e3 * r->penetration_max, "mm");
	bench_row(b, name, variant, "penetration_end_mm", 1e3 * r->penetration_end, "mm");
	if (r->at_birth > 0) // normals that are more than 5 degrees off the crack's
		bench_row(b, name, variant, "off_crack_percent", 100.0 * r->off_crack / r->at_birth, "%");
	bench_row(b, name, variant, "fragments", r->fragments, "");
	bench_row(b, name, variant, "triangles", r->triangles, "");
	bench_row(b, name, variant, "below_floor", r->below, "");
	bench_row(b, name, variant, "bytes", r->bytes, "B");
}

static void run_case(bench *b, const field_scene_case *c)
{
	bool is_quick = bench_is_quick(b);
	rbl_mesh *mesh = c->make_mesh(is_quick);
	rbl_asset *asset = NULL;
	if (!mesh) {
		bench_skip(b, c->name, "its model is not there");
		return;
	}
	rbl_mesh_data data = rbl_mesh_get_data(mesh); // of what breaks
	bench_row(b, c->name, "object", "triangles", data.corner_count - 2 * data.face_count, "");
	int repeat = bench_repeat(b) > 0 ? bench_repeat(b) : 1;
	for (int v = 0; v < VARIANTS; ++v) {
		if (!is_variant_wanted(b, variants[v].name))
			continue;
		scene_report *r = calloc(1, sizeof *r);
		bool ok = r != NULL;
		for (int i = 0; i < repeat && ok; ++i) {
			field_scene s;
			r->step_count = is_quick ? c->quick_steps : c->steps;
			ok = field_scene_open(&s, c, &variants[v], mesh, asset, is_quick);
			ok = ok && run_steps(&s, c, r);
			asset = s.asset;
			field_scene_close(&s);
		}
		if (ok)
			write_report(b, c->name, variants[v].name, r);
		else
			bench_fail(b, c->name, variants[v].name,
			           "the world could not be made, or a step failed");
		free(r);
	}
	field_write_references(b, c->name);
	rbl_destroy_asset(asset);
	rbl_destroy_mesh(mesh);
}

void field_run_worlds(bench *b)
{
	for (int i = 0; i < field_scene_case_count; ++i)
		if (bench_wants(b, field_scene_cases[i].name))
			run_case(b, &field_scene_cases[i]);
}
