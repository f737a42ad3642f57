// SPDX-License-Identifier: MIT
//
// What else could be done where field_contacts.c measures fields: fields of fragments that are
// sampled anew (`recompute-field`), and the same bodies in a world, by convex parts at the default
// tolerance (`convex`). Their penetration is what the contacts say: convexes fill bowls in, and are
// in touch before the meshes are.

#include "field_convex.h"

#include "base/math.h"
#include "base/vec.h"

#include <rubble/rubble.h>

#include <stdlib.h>

// --- fields anew --------------------------------------------------------------------------------

typedef struct field_work {
	const field_sphere *sphere;
	rbl_distance_field *fields[FIELD_CELLS];
	bool is_failed;
} field_work;

// Cells as wide as those of the whole sphere's field would be.
static void make_fields(void *context)
{
	field_work *work = context;
	double whole = rbl_length_d(rbl_box_size_d(rbl_mesh_bounds(work->sphere->mesh)));
	for (int i = 0; i < work->sphere->fragment_count; ++i) {
		rbl_distance_field_def def = rbl_default_distance_field_def();
		def.mesh = work->sphere->fragments[i].mesh;
		double size = rbl_length_d(rbl_box_size_d(rbl_mesh_bounds(def.mesh)));
		def.resolution = rbl_maxi((int)(128.0 * size / whole), 8);
		rbl_destroy_distance_field(work->fields[i]);
		work->fields[i] = NULL;
		work->is_failed |= rbl_create_distance_field(&def, &work->fields[i]) != RBL_OK;
	}
}

void field_bench_recompute(bench *b, const char *name, const field_sphere *sphere)
{
	field_work work = { .sphere = sphere };
	bench_job job = { .run = make_fields,
		              .context = &work,
		              .metric = "update_ms",
		              .calls = 1,
		              .repeat = bench_is_quick(b) ? 1 : 3 };
	bench_time(b, name, "recompute-field", &job);
	double bytes = 0.0;
	for (int i = 0; i < sphere->fragment_count && !work.is_failed; ++i)
		bytes += (double)rbl_distance_field_get_info(work.fields[i]).bytes;
	if (work.is_failed)
		bench_fail(b, name, "recompute-field", "a field was refused");
	else
		bench_row(b, name, "recompute-field", "bytes", bytes, "B");
	for (int i = 0; i < sphere->fragment_count; ++i)
		rbl_destroy_distance_field(work.fields[i]);
}

// --- convex parts in a world --------------------------------------------------------------------

enum { MOST_ASSETS = FIELD_CELLS, MOST_CONTACTS = 4096 };

typedef struct convex_world {
	rbl_world *world;
	rbl_asset *assets[MOST_ASSETS];
	int asset_count;
	rbl_collider *ground;
} convex_world;

// @param has_ground  its top is at height 0
static bool open_world(convex_world *w, bool has_ground)
{
	rbl_world_def def = rbl_default_world_def();
	rbl_collider_def box = rbl_default_collider_def(RBL_COLLIDER_BOX);
	rbl_body_def floor = rbl_default_body_def();
	*w = (convex_world){ .world = NULL };
	def.can_sleep = false;
	box.half_size = (rbl_vec3){ 20.0f, 0.5f, 20.0f };
	floor.kind = RBL_BODY_STATIC;
	floor.pose.position.y = -0.5f;
	if (rbl_create_world(&def, &w->world) != RBL_OK ||
	    rbl_create_collider(&box, &w->ground) != RBL_OK)
		return false;
	floor.collider = w->ground;
	return !has_ground || !rbl_body_id_is_null(rbl_create_body(w->world, &floor));
}

static void close_world(convex_world *w)
{
	rbl_destroy_world(w->world);
	rbl_destroy_collider(w->ground);
	for (int i = 0; i < w->asset_count; ++i)
		rbl_destroy_asset(w->assets[i]);
}

// A body of convex parts around a mesh. @param like  where it is, and how it moves
static bool add_body(convex_world *w, const rbl_mesh *mesh, rbl_body_kind kind,
                     const field_world_body *like)
{
	rbl_prepare_def prepare = rbl_default_prepare_def();
	rbl_body_def def = rbl_default_body_def();
	rbl_asset *asset = NULL;
	if (!mesh || rbl_prepare(mesh, &prepare, &asset) != RBL_OK)
		return false;
	w->assets[w->asset_count++] = asset;
	def.asset = asset;
	def.kind = kind;
	def.pose = like->pose;
	def.velocity = like->velocity;
	def.angular_velocity = like->angular_velocity;
	return !rbl_body_id_is_null(rbl_create_body(w->world, &def));
}

// Sums over steps.
typedef struct convex_report {
	double step_ms, step_max_ms, query_ms, query_max_ms, contacts, penetration, penetration_max;
	int steps, contacts_max;
} convex_report;

static bool run_world(convex_world *w, int steps, convex_report *r)
{
	static rbl_contact contacts[MOST_CONTACTS];
	for (int i = 0; i < steps; ++i) {
		if (rbl_world_step(w->world, 1.0f / 60.0f) != RBL_OK)
			return false;
		rbl_world_stats stats = rbl_world_get_stats(w->world);
		double query_ms = stats.narrow_ms + stats.contacts_ms, depth = 0.0;
		int count =
			rbl_mini(rbl_world_get_contacts(w->world, contacts, MOST_CONTACTS), MOST_CONTACTS);
		for (int k = 0; k < count; ++k)
			for (int p = 0; p < contacts[k].manifold.point_count; ++p)
				depth = rbl_maxd(depth, -(double)contacts[k].manifold.points[p].separation);
		r->step_ms += stats.step_ms, r->query_ms += query_ms;
		r->step_max_ms = rbl_maxd(r->step_max_ms, stats.step_ms);
		r->query_max_ms = rbl_maxd(r->query_max_ms, query_ms);
		r->contacts += stats.point_count;
		r->contacts_max = rbl_maxi(r->contacts_max, stats.point_count);
		r->penetration += depth;
		r->penetration_max = rbl_maxd(r->penetration_max, depth);
		r->steps++;
	}
	return true;
}

static void write_convex(bench *b, const char *name, bool ok, const convex_report *r)
{
	if (!ok || r->steps == 0) {
		bench_fail(b, name, "convex", rbl_last_error());
		return;
	}
	bench_row(b, name, "convex", "step_ms", r->step_ms / r->steps, "ms");
	bench_row(b, name, "convex", "step_max_ms", r->step_max_ms, "ms");
	bench_row(b, name, "convex", "query_ms", r->query_ms / r->steps, "ms");
	bench_row(b, name, "convex", "query_max_ms", r->query_max_ms, "ms");
	bench_row(b, name, "convex", "contacts", r->contacts / r->steps, "");
	bench_row(b, name, "convex", "contacts_max", r->contacts_max, "");
	bench_row(b, name, "convex", "penetration_mm", 1e3 * r->penetration / r->steps, "mm");
	bench_row(b, name, "convex", "penetration_max_mm", 1e3 * r->penetration_max, "mm");
}

void field_bench_convex_sphere(bench *b, const char *name, const field_sphere *sphere)
{
	convex_world w;
	convex_report r = { .steps = 0 };
	bool ok = open_world(&w, true);
	uint64_t start = bench_now_ns();
	for (int i = 0; i < sphere->fragment_count && ok; ++i) {
		const field_fragment *fragment = &sphere->fragments[i];
		// Meshes are around the centre of the sphere, bodies start where they were cut.
		field_world_body like = { .pose = { { 0.0f, 0.6f, 0.0f }, { 0.0f, 0.0f, 0.0f, 1.0f } },
			                      .velocity = fragment->centre };
		ok = add_body(&w, fragment->mesh, RBL_BODY_DYNAMIC, &like);
	}
	double update_ms = 1e-6 * (double)(bench_now_ns() - start);
	ok = ok && run_world(&w, bench_is_quick(b) ? 60 : 240, &r);
	write_convex(b, name, ok, &r);
	bench_row(b, name, "convex", "update_ms", update_ms, "ms");
	close_world(&w);
}

// The mesh of a body of revolution, whose profile begins and ends on the axis.
static rbl_mesh *lathe_mesh(const lathe_shape *shape, int segments)
{
	rbl_mesh *mesh = NULL;
	int rings = shape->count, vertex_count = 0, n = 0, corner = 0;
	rbl_vec3d *positions = malloc((size_t)(rings * segments) * sizeof *positions);
	int *corners = malloc((size_t)(rings * segments) * 6 * sizeof *corners);
	int *starts = malloc((size_t)rings * sizeof *starts);
	for (int i = 0; i < rings && positions && corners && starts; ++i) {
		int count = shape->profile[i].x > 0.0f ? segments : 1;
		starts[i] = vertex_count;
		for (int k = 0; k < count; ++k) {
			double angle = 2.0 * RBL_PI * k / segments, radius = (double)shape->profile[i].x;
			positions[vertex_count++] =
				(rbl_vec3d){ radius * rbl_cos(angle), (double)shape->profile[i].y,
				             radius * rbl_sin(angle) };
		}
		bool is_point = count == 1, was_point = i == 0 || shape->profile[i - 1].x <= 0.0f;
		for (int k = 0; k < segments && i > 0; ++k) {
			int next = (k + 1) % segments;
			int a = starts[i - 1] + (was_point ? 0 : k), b = starts[i - 1] + (was_point ? 0 : next);
			int c = starts[i] + (is_point ? 0 : next), d = starts[i] + (is_point ? 0 : k);
			const int quad[6] = { a, c, b, a, d, c }; // outward
			for (int t = 0; t < 2; ++t)
				if (!(t == 0 ? was_point : is_point)) {
					for (int v = 0; v < 3; ++v)
						corners[corner++] = quad[3 * t + v];
					n++;
				}
		}
	}
	if (positions && corners && starts) {
		rbl_mesh_def def = rbl_default_mesh_def();
		def.data = (rbl_mesh_data){ .positions = positions,
			                        .vertex_count = vertex_count,
			                        .corner_vertices = corners,
			                        .face_count = n,
			                        .corner_count = corner };
		rbl_create_mesh(&def, &mesh);
	}
	free(positions);
	free(corners);
	free(starts);
	return mesh;
}

void field_bench_convex_lathes(bench *b, const char *name, const lathe_shape *falling,
                               const lathe_shape *resting, field_drop *drop, int drops, int steps)
{
	convex_report r = { .steps = 0 };
	rbl_mesh *meshes[2] = { lathe_mesh(falling, 48), resting ? lathe_mesh(resting, 48) : NULL };
	bool ok = meshes[0] && (!resting || meshes[1]);
	for (int i = 0; i < drops && ok; ++i) {
		convex_world w;
		field_world_body still = { .pose = { { 0 }, { 0.0f, 0.0f, 0.0f, 1.0f } } }, moving = still;
		drop(&moving, (uint64_t)i + 1);
		ok = open_world(&w, !resting) &&
		     (!resting || add_body(&w, meshes[1], RBL_BODY_STATIC, &still)) &&
		     add_body(&w, meshes[0], RBL_BODY_DYNAMIC, &moving) && run_world(&w, steps, &r);
		close_world(&w);
	}
	write_convex(b, name, ok, &r);
	rbl_destroy_mesh(meshes[0]);
	rbl_destroy_mesh(meshes[1]);
}
