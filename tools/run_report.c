// SPDX-License-Identifier: MIT
//
// The report of `rubble run`: a web page with the film, times and counts of every step, and what was
// asked for. docs/reports.md describes the JSON that is written here.
//
// A page has a point for each step. Runs of more steps than a chart can show are thinned as they go:
// when the rows are full, each pair becomes one, that of the slower step with the breaks of both.

#include "run.h"

#include "array.h"
#include "errors.h"
#include "files.h"
#include "interrupts.h"
#include "system.h"

#include <rubble/vec.h>
#include <rubble/viewer.h>

#include <stdlib.h>
#include <string.h>

enum { MAX_ROWS = 16384 };

static const char *const stage_names[] = { "ms",        "broadphase_ms", "pairs_ms",
	                                       "narrow_ms", "contacts_ms",   "solver_ms",
	                                       "finish_ms", "fracture_ms",   "stress_ms",
	                                       "debris_ms" };
enum { STAGE_COUNT = sizeof stage_names / sizeof *stage_names };

// --- after each step ----------------------------------------------------------------------------

// Kinetic and potential energy of a body.
static void add_energy(const simulation *s, rbl_body_id body, report_row *row)
{
	rbl_body_mass mass = rbl_body_get_mass(s->world, body);
	if (!(mass.mass > 0.0f))
		return;
	rbl_body_state state = rbl_body_get_state(s->world, body);
	const double *g = s->scene.gravity;
	row->potential -=
		(double)mass.mass * (g[0] * (double)state.centre.x + g[1] * (double)state.centre.y +
	                         g[2] * (double)state.centre.z);
	if (!state.is_awake)
		return;
	rbl_vec3 spin = rbl_rotate_inverse(state.pose.rotation, state.angular_velocity);
	rbl_vec3 momentum = rbl_mat_vec(mass.inertia, spin);
	row->kinetic += 0.5 * ((double)mass.mass * (double)rbl_dot(state.velocity, state.velocity) +
	                       (double)rbl_dot(spin, momentum));
}

static void merge_rows(report_rows *of)
{
	for (int i = 0; i < of->count / 2; ++i) {
		const report_row *a = &of->rows[2 * i], *b = a + 1;
		report_row kept = a->ms[0] >= b->ms[0] ? *a : *b;
		kept.breaks = a->breaks + b->breaks;
		of->rows[i] = kept;
	}
	of->count /= 2;
	of->steps_per_row *= 2;
}

static report_row row_of_step(const simulation *s)
{
	rbl_world_stats stats = rbl_world_get_stats(s->world);
	const double ms[STAGE_COUNT] = { stats.step_ms,   stats.broadphase_ms, stats.pairs_ms,
		                             stats.narrow_ms, stats.contacts_ms,   stats.solver_ms,
		                             stats.finish_ms, stats.fracture_ms,   stats.stress_ms,
		                             stats.debris_ms };
	report_row row = { .step = s->step,
		               .breaks = rbl_world_get_events(s->world).fracture_count,
		               .body_count = stats.body_count,
		               .awake_count = stats.awake_count,
		               .touching_count = stats.touching_count };
	for (int i = 0; i < STAGE_COUNT; ++i)
		row.ms[i] = (float)ms[i];
	return row;
}

rbl_result take_report_row(simulation *s)
{
	report_rows *of = &s->report;
	int count = rbl_world_body_count(s->world);
	if (!of->rows) {
		of->rows = calloc(MAX_ROWS, sizeof *of->rows);
		of->steps_per_row = 1;
	}
	if (!of->rows || !ARRAY_RESERVE(of->bodies, of->body_capacity, count))
		return RBL_OUT_OF_MEMORY;
	report_row row = row_of_step(s);
	count = rbl_world_get_bodies(s->world, of->bodies, count);
	for (int i = 0; i < count; ++i)
		add_energy(s, of->bodies[i], &row);
	// Several steps make a row: the slowest stays.
	if (s->step % of->steps_per_row > 0) {
		report_row *last = &of->rows[of->count - 1];
		row.breaks += last->breaks;
		if (last->ms[0] > row.ms[0])
			last->breaks = row.breaks;
		else
			*last = row;
		return RBL_OK;
	}
	of->rows[of->count++] = row;
	if (of->count == MAX_ROWS)
		merge_rows(of);
	return RBL_OK;
}

// --- the page -----------------------------------------------------------------------------------

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

static void put_summary(FILE *json, const simulation *s)
{
	rbl_world_stats stats = rbl_world_get_stats(s->world);
	fprintf(json,
	        ",\n\"summary\": {\"steps\": %d, \"seconds\": %.9g, \"bodies\": %d, \"breaks\": %d, "
	        "\"mean step\": \"%.2f ms\", \"worst step\": \"%.2f ms\", \"state\": \"%016llx\"}",
	        s->step, s->step * s->scene.dt, stats.body_count, s->fracture_count,
	        s->step > 0 ? s->total_ms / s->step : 0.0, s->worst_ms,
	        (unsigned long long)run_hash(s));
}

static void put_settings(FILE *json, const simulation *s)
{
	const scene_file *scene = &s->scene;
	rbl_film_info film = rbl_film_get_info(s->film);
	int version = rbl_version();
	fprintf(json, ",\n\"settings\": {\"scene\": ");
	put_json_text(json, s->options->scene);
	fprintf(json,
	        ", \"rubble\": \"%d.%d.%d\", \"workers\": %d, \"dt\": \"%.9g s\", \"substeps\": %d, "
	        "\"gravity\": [%.9g, %.9g, %.9g], \"seed\": \"%llu\", \"sleeping\": \"%s\", "
	        "\"length scale\": \"%.9g m\", \"fracture budget\": %d, \"debris limit\": %d, "
	        "\"freeze time\": \"%.9g s\", \"bake time\": \"%.9g s\", \"materials\": %d, "
	        "\"models\": %d, \"instances\": %d, \"joints\": %d, \"triggers\": %d, "
	        "\"film\": \"%lld keyframes for %lld poses of %d objects\"}",
	        version / 10000, version / 100 % 100, version % 100, s->options->workers, scene->dt,
	        scene->substep_count, scene->gravity[0], scene->gravity[1], scene->gravity[2],
	        (unsigned long long)scene->seed, scene->can_sleep ? "yes" : "no", scene->length_scale,
	        scene->budget, scene->debris_limit, scene->freeze_time, scene->bake_time,
	        scene->material_count, scene->model_count, scene->instance_count, scene->joint_count,
	        scene->trigger_count, (long long)film.key_count, (long long)film.pose_count,
	        film.object_count);
}

static void put_rows(FILE *json, const simulation *s)
{
	const report_rows *of = &s->report;
	fprintf(json, ",\n\"steps_per_row\": %d,\n\"steps\": {\"time\": [",
	        of->steps_per_row > 0 ? of->steps_per_row : 1);
	for (int i = 0; i < of->count; ++i)
		fprintf(json, "%s%.6g", i ? "," : "", (of->rows[i].step + 1) * s->scene.dt);
	for (int k = 0; k < STAGE_COUNT; ++k) {
		fprintf(json, "],\n\"%s\": [", stage_names[k]);
		for (int i = 0; i < of->count; ++i)
			fprintf(json, "%s%.4g", i ? "," : "", (double)of->rows[i].ms[k]);
	}
	fprintf(json, "],\n\"kinetic\": [");
	for (int i = 0; i < of->count; ++i)
		fprintf(json, "%s%.7g", i ? "," : "", of->rows[i].kinetic);
	fprintf(json, "],\n\"potential\": [");
	for (int i = 0; i < of->count; ++i)
		fprintf(json, "%s%.9g", i ? "," : "", of->rows[i].potential);
	static const char *const names[] = { "step", "bodies", "awake", "contacts", "breaks" };
	for (int k = 0; k < 5; ++k) {
		fprintf(json, "],\n\"%s\": [", names[k]);
		for (int i = 0; i < of->count; ++i) {
			const report_row *row = &of->rows[i];
			const int numbers[] = { row->step, row->body_count, row->awake_count,
				                    row->touching_count, row->breaks };
			fprintf(json, "%s%d", i ? "," : "", numbers[k]);
		}
	}
	fprintf(json, "]}");
}

static void put_report(FILE *json, const simulation *s, int step_count)
{
	fprintf(json, "{\"kind\": \"run\",\n\"subtitle\": ");
	put_json_text(json, s->options->scene);
	fprintf(json, ",\n\"notes\": [");
	if (s->step < step_count)
		fprintf(json, "\"The run was stopped after %d of %d steps.\"", s->step, step_count);
	fprintf(json, "]");
	put_summary(json, s);
	put_settings(json, s);
	put_rows(json, s);
	fprintf(json, "}\n");
}

int write_report(const simulation *s, int step_count)
{
	const char *path = s->options->report;
	char title[300];
	text_stream json;
	if (!open_text_stream(&json))
		return fail("out of memory");
	put_report(json.file, s, step_count);
	if (!close_text_stream(&json))
		return fail("out of memory");
	snprintf(title, sizeof title, "Rubble: %s", base_name(s->options->scene));
	rbl_viewer_def def = rbl_default_viewer_def();
	rbl_viewer_info info;
	def.title = title;
	def.report = json.text;
	set_unfinished_file(path);
	rbl_result result = rbl_write_viewer(path, s->film, &def, &info);
	set_unfinished_file(NULL);
	free(json.text);
	if (result != RBL_OK)
		return fail_with(result, path);
	say("report: %s, %.1f MB\n", path, (double)info.size * 1e-6);
	if (info.is_thinned)
		say("report: %s\n", info.thinned);
	return STATUS_OK;
}
