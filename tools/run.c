// SPDX-License-Identifier: MIT
// rubble run: simulate a scene file and write it as an animated .glb.

#include "array.h"
#include "commands.h"
#include "errors.h"
#include "files.h"
#include "interrupts.h"
#include "progress.h"
#include "run.h"
#include "system.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- after a step --------------------------------------------------------------------

static void write_stats_row(simulation *s)
{
	rbl_world_stats stats = rbl_world_get_stats(s->world);
	s->total_ms += stats.step_ms;
	s->worst_ms = fmax(s->worst_ms, stats.step_ms);
	if (s->stats)
		fprintf(s->stats,
		        "%s\n{\"step\": %d, \"ms\": %.4f, \"broadphase_ms\": %.4f, \"pairs_ms\": %.4f, "
		        "\"narrow_ms\": %.4f, \"contacts_ms\": %.4f, \"solver_ms\": %.4f, "
		        "\"finish_ms\": %.4f, \"fracture_ms\": %.4f, \"stress_ms\": %.4f, "
		        "\"debris_ms\": %.4f, "
		        "\"bodies\": %d, \"awake\": %d, \"contacts\": %d, \"fractures\": %d, "
		        "\"breaking\": %d, \"budget\": %d, \"budget_left\": %d",
		        s->step > 0 ? "," : "", s->step, stats.step_ms, stats.broadphase_ms, stats.pairs_ms,
		        stats.narrow_ms, stats.contacts_ms, stats.solver_ms, stats.finish_ms,
		        stats.fracture_ms, stats.stress_ms, stats.debris_ms, stats.body_count,
		        stats.awake_count, stats.touching_count,
		        rbl_world_get_events(s->world).fracture_count, stats.breaking_count,
		        rbl_world_budget(s->world), stats.budget_left);
	cloth_stats of_cloth = cloth_get_stats(s->cloth);
	if (s->stats && s->cloth)
		fprintf(s->stats,
		        ", \"cloth_ms\": %.4f, \"cloth_contacts\": %d, \"cloth_hits\": %d, "
		        "\"cloth_unresolved\": %d, "
		        "\"cloth_tears\": %d",
		        s->cloth_ms, of_cloth.contact_count, of_cloth.hit_count, of_cloth.unresolved_count,
		        of_cloth.tear_count);
	if (s->stats)
		fprintf(s->stats, "}");
}

// --- recording -------------------------------------------------------------------------------

static bool write_record(void *user, const void *bytes, size_t size)
{
	return fwrite(bytes, 1, size, user) == size;
}

static int begin_record(simulation *s)
{
	const char *path = s->options->record;
	s->record = create_file(path);
	if (!s->record)
		return STATUS_FAILED;
	rbl_recording_def def = rbl_default_recording_def();
	def.write = write_record;
	def.user = s->record;
	rbl_result result = rbl_world_begin_recording(s->world, &def);
	return result == RBL_OK ? STATUS_OK : fail_with(result, path);
}

static int end_record(simulation *s)
{
	rbl_result result = rbl_world_end_recording(s->world);
	int status = close_file(s->record, s->options->record);
	return result == RBL_OK ? status : fail_with(result, s->options->record);
}

// --- the run ---------------------------------------------------------------------------------

static int open_simulation(simulation *s)
{
	const run_options *options = s->options;
	int status = read_scene(options->scene, options->reads_outside, &s->scene);
	if (status != STATUS_OK)
		return status;
	s->scene.repairs = options->is_repaired;
	if (options->camera && !find_camera(&s->scene, options->camera))
		return fail("%s: cameras: there is no camera '%s'", options->scene, options->camera);
	rbl_result result = make_workers(options->workers, &s->jobs);
	if (result != RBL_OK)
		return fail_with(result, "workers");
	status = make_prefabs(&s->scene, options->scene, s->jobs, &s->prefabs);
	if (status != STATUS_OK)
		return status;
	result = create_scene_world(s);
	if (result == RBL_OK)
		result = begin_film(s);
	if (result == RBL_OK && options->physics && begin_run_physics(s) != STATUS_OK)
		return STATUS_FAILED;
	if (result == RBL_OK && options->record) {
		status = begin_record(s);
		if (status != STATUS_OK)
			return status;
	}
	if (result == RBL_OK)
		result = begin_governor(s);
	if (result == RBL_OK && add_scene(s, options->scene) != STATUS_OK)
		return STATUS_FAILED;
	if (result == RBL_OK && options->events && begin_events(s) != STATUS_OK)
		return STATUS_FAILED;
	if (result == RBL_OK && options->stats) {
		s->stats = create_file(options->stats);
		if (!s->stats)
			return STATUS_FAILED;
		fprintf(s->stats, "[");
	}
	return result == RBL_OK ? STATUS_OK : fail_with(result, options->scene);
}

static int close_simulation(simulation *s)
{
	int status = STATUS_OK;
	if (s->stats) {
		fprintf(s->stats, "\n]\n");
		status = close_file(s->stats, s->options->stats);
	}
	if (s->events && end_events(s) != STATUS_OK)
		status = STATUS_FAILED;
	if (s->record && end_record(s) != STATUS_OK)
		status = STATUS_FAILED;
	if (s->physics.file && end_run_physics(s) != STATUS_OK)
		status = STATUS_FAILED;
	rbl_destroy_world(s->world);
	end_stage(s);
	free(s->first_objects);
	rbl_destroy_film(s->film);
	for (int i = 0; i < s->object_count; ++i)
		free_object(&s->objects[i]);
	if (s->prefabs.scene)
		free_prefabs(&s->prefabs);
	rbl_destroy_jobs(s->jobs);
	free_scene(&s->scene);
	free(s->film_meshes);
	free(s->looks);
	free(s->chip_meshes);
	free(s->objects);
	free(s->object_of);
	free(s->moves);
	free(s->joints);
	free(s->report.rows);
	free(s->report.bodies);
	return status;
}

static int run_steps(simulation *s, int step_count)
{
	progress line;
	progress_begin(&line, "simulating");
	rbl_result result = RBL_OK;
	for (; s->step < step_count && !is_interrupted() && result == RBL_OK; ++s->step) {
		progress_update(&line, (double)s->step / step_count);
		uint64_t begin = monotonic_ns();
		result = step_scene(s);
		s->cloth_ms =
			(double)(monotonic_ns() - begin) / 1e6 - rbl_world_get_stats(s->world).step_ms;
		s->cloth_total_ms += s->cloth_ms;
		if (result == RBL_OK && s->events)
			write_events(s);
		if (result == RBL_OK)
			result = film_step(s, s->step + 1 == step_count);
		if (result == RBL_OK) {
			write_stats_row(s);
			result = govern(s);
		}
		if (result == RBL_OK && s->options->report)
			result = take_report_row(s);
	}
	progress_end(&line);
	return result == RBL_OK ? STATUS_OK : fail_with(result, s->options->scene);
}

static void print_result(const simulation *s, int step_count)
{
	rbl_world_stats stats = rbl_world_get_stats(s->world);
	rbl_film_info info = rbl_film_get_info(s->film);
	if (s->step < step_count)
		say("stopped after %d of %d steps\n", s->step, step_count);
	say("%s: %d steps, %d bodies, %d breaks; %.2f ms a step, %.2f at worst; state %016llx\n",
	    s->options->output ? s->options->output : s->options->report, s->step, stats.body_count,
	    s->fracture_count, s->step > 0 ? s->total_ms / s->step : 0.0, s->worst_ms,
	    (unsigned long long)run_hash(s));
	if (s->options->frame_ms > 0.0)
		say("%d steps above %g ms; budget %d to %d\n", s->late_count, s->options->frame_ms,
		    s->least_budget, s->most_budget);
	if (stats.baked_count > 0)
		say("%d debris bodies baked into static geometry\n", stats.baked_count);
	if (s->removed_count > 0)
		say("%d debris bodies removed: more than debris_limit\n", s->removed_count);
	if (s->dust_count > 0)
		say("%d fragments too small for a body turned to dust\n", s->dust_count);
	if (s->chip_count > 0)
		say("%d chips fell off exposed faces\n", s->chip_count);
	cloth_data sheets = cloth_get_data(s->cloth);
	if (s->cloth)
		say("%d cloths of %d triangles, torn at %d places, %d pins let go; %.2f ms a step\n",
		    sheets.sheet_count, sheets.triangle_count, cloth_get_stats(s->cloth).tear_count,
		    cloth_get_stats(s->cloth).release_count,
		    s->step > 0 ? s->cloth_total_ms / s->step : 0.0);
	say("%lld keyframes for %lld poses of %d objects\n", (long long)info.key_count,
	    (long long)info.pose_count, info.object_count);
}

static int write_json(const simulation *s)
{
	FILE *file = create_file(s->options->json);
	if (!file)
		return STATUS_FAILED;
	rbl_world_stats stats = rbl_world_get_stats(s->world);
	rbl_film_info info = rbl_film_get_info(s->film);
	fprintf(file,
	        "{\n  \"steps\": %d,\n  \"seconds\": %.9g,\n  \"is_interrupted\": %s,\n"
	        "  \"bodies\": %d,\n  \"joints\": %d,\n  \"fractures\": %d,\n  \"dust\": %d,\n"
	        "  \"baked\": %d,\n  \"removed\": %d,\n  \"step_ms\": %.4f,\n"
	        "  \"worst_step_ms\": %.4f,\n  \"film_objects\": %d,\n  \"film_keys\": %lld,\n"
	        "  \"state\": \"%016llx\"\n}\n",
	        s->step, s->step * s->scene.dt, is_interrupted() ? "true" : "false", stats.body_count,
	        stats.joint_count, s->fracture_count, s->dust_count, stats.baked_count,
	        s->removed_count, s->step > 0 ? s->total_ms / s->step : 0.0, s->worst_ms,
	        info.object_count, (long long)info.key_count, (unsigned long long)run_hash(s));
	return close_file(file, s->options->json);
}

// Find out whether a file can be written beside its name.
static int check_file(const char *path)
{
	char part[4096];
	int length = snprintf(part, sizeof part, "%s.part", path);
	if (length < 0 || length >= (int)sizeof part)
		return fail("%s: the name is too long", path);
	FILE *file = open_file(part, "wb");
	if (!file)
		return fail("%s: %s", path, strerror(errno));
	fclose(file);
	remove(part);
	return STATUS_OK;
}

// A run takes long: find out before it whether film and report can be written.
static int check_output(const run_options *options)
{
	const char *path = options->output;
	if (options->report && check_file(options->report) != STATUS_OK)
		return STATUS_FAILED;
	if (!path || is_standard(path))
		return STATUS_OK;
	if (is_sequence(options))
		return make_folder(path);
	if (!is_glb_name(path))
		return fail("%s: the name must end in .glb, or be a folder: DIR/", path);
	return check_file(path);
}

static rbl_result write_run_film(const simulation *s)
{
	rbl_write_def how = rbl_default_write_def();
	how.is_quantized = s->options->is_quantized || s->options->is_small;
	how.merges_parts = s->options->is_small;
	how.has_instances = s->options->has_instances;
	return write_film_file(s->options->output, s->film, &how);
}

static int run_scene(const run_options *options)
{
	if (check_output(options) != STATUS_OK)
		return STATUS_FAILED;
	simulation s = { .options = options };
	int status = open_simulation(&s);
	int step_count = options->steps > 0 ? options->steps : s.scene.step_count;
	if (status == STATUS_OK) {
		defer_interrupts();
		status = run_steps(&s, step_count);
		// Written even if the run was interrupted.
		rbl_result result = RBL_OK;
		if (is_sequence(options) && status == STATUS_OK)
			status = write_sequence(&s);
		else if (!is_sequence(options) && options->output)
			result = write_run_film(&s);
		if (result != RBL_OK)
			status = fail_with(result, options->output);
		else
			print_result(&s, step_count);
		if (status == STATUS_OK && options->report)
			status = write_report(&s, step_count);
		if (status == STATUS_OK)
			status = write_pictures(&s);
		if (status == STATUS_OK && options->json)
			status = write_json(&s);
	}
	int closed = close_simulation(&s);
	status = status == STATUS_OK ? closed : status;
	return status == STATUS_OK && is_interrupted() ? STATUS_INTERRUPTED : status;
}

static int run(int argc, char **argv)
{
	run_options options = { .workers = 1, .format = -1, .rate = 24.0 };
	bool is_schema = false, is_check = false, is_keys = false;
	const option table[] = {
		OPTION_OUTPUT("output", "FILE.glb|DIR/", &options.output,
		              "the animation, or a folder for a numbered file per frame (also -o)"),
		OPTION_CHOICE("format", &options.format, file_formats, "of files in a folder, default obj"),
		OPTION_NUMBER("rate", "FPS", &options.rate, 1e-3, 1e4,
		              "files per second in a folder, default 24"),
		OPTION_OUTPUT("events", "FILE", &options.events,
		              "write hits, breaks, fragments and the like as CSV, or as JSON by its name"),
		OPTION_OUTPUT("stats", "FILE", &options.stats,
		              "write times and counts of every step as JSON"),
		OPTION_OUTPUT("report", "FILE.html", &options.report,
		              "write a web page: the film, times and counts of every step, settings"),
		OPTION_OUTPUT("physics", "FILE", &options.physics,
		              "write bodies, colliders, bonds and joints as JSON, for another engine"),
		OPTION_OUTPUT("record", "FILE", &options.record, "record every call, for rubble replay"),
		OPTION_OUTPUT("json", "FILE", &options.json, "write the result as JSON"),
		OPTION_TEXT("pictures", "T,T", &options.pictures,
		            "draw pictures at these times (seconds) as FILE-T.png"),
		OPTION_TEXT("view", "X,Y,Z", &options.view,
		            "direction that pictures are seen from; y is up"),
		OPTION_TEXT("frame", "X,Y,Z,X,Y,Z", &options.frame,
		            "box that pictures show, default everything"),
		OPTION_INT("steps", "N", &options.steps, 1, 10000000,
		           "number of steps, default the scene's"),
		OPTION_INT("workers", "W", &options.workers, 1, RBL_MAX_WORKERS, "threads, default 1"),
		OPTION_NUMBER(
			"frame-ms", "MS", &options.frame_ms, 0.01, 1e4,
			"keep steps within so many milliseconds by the budget of the next ones; --record "
			"keeps what was chosen"),
		OPTION_TEXT("camera", "NAME", &options.camera,
		            "the scene's camera that pictures are taken with"),
		OPTION_FLAG("check", &is_check, "read the scene, say what is wrong, and run nothing"),
		OPTION_FLAG("schema", &is_schema, "print the JSON Schema of scene files, and run nothing"),
		OPTION_FLAG("keys", &is_keys, "print what every key of scene files means, and run nothing"),
		OPTION_FLAG("repair", &options.is_repaired, "close the mesh files of the scene first"),
		OPTION_FLAG("quantize", &options.is_quantized,
		            "the film with 16-bit positions and 8-bit normals"),
		OPTION_FLAG(
			"small", &options.is_small,
			"as small as it gets: quantized, parts that stay as one mesh, and keys that are off "
			"by up to 2 cm and 2 % of a body's size"),
		OPTION_FLAG("instances", &options.has_instances,
		            "parts that stay and share a mesh as EXT_mesh_gpu_instancing; not for Blender"),
		OPTION_NUMBER("tolerance", "METRES", &options.tolerance, 1e-6, 1.0,
		              "how far keys may be off, default 0.005, and 1.6 times that as a share of a "
		              "body's size"),
		OPTION_FLAG("allow-outside", &options.reads_outside,
		            "let the scene read files outside its folder"),
		OPTION_END,
	};
	positional_arguments found;
	int status;
	if (!parse_options(&command_run, table, argc, argv, &found, &status))
		return status;
	if (is_schema) {
		print_scene_schema(stdout);
		return STATUS_OK;
	}
	if (is_keys)
		return print_scene_keys(stdout);
	if (found.count < 1)
		return fail_usage(&command_run, "run needs SCENE.json");
	if (is_check) {
		scene_file scene;
		status = read_scene(found.items[0], options.reads_outside, &scene);
		if (status == STATUS_OK)
			say("%s: %d materials, %d models, %d instances\n", found.items[0],
			    scene.own_material_count, scene.model_count, scene.instance_count);
		free_scene(&scene);
		return status;
	}
	if (!options.output && !options.report)
		return fail_usage(&command_run, "-o FILE.glb, -o DIR/ or --report FILE.html is needed");
	if (options.report && !is_html_name(options.report))
		return fail("%s: the name must end in .html", options.report);
	if (check_pictures(&options) != STATUS_OK)
		return STATUS_USAGE;
	options.scene = found.items[0];
	return run_scene(&options);
}

const command command_run = {
	.name = "run",
	.arguments = "SCENE.json -o FILE.glb",
	.about = "simulate a scene and write it as an animated .glb",
	.details =
		"docs/scenes.md describes the scene format. Ctrl-C stops and writes what was simulated so\n"
		"far. The same scene gives the same state for any number of workers.",
	.min_arguments = 0,
	.max_arguments = 1,
	.run = run,
};
