// SPDX-License-Identifier: MIT
// rubble replay: replay a recording, and report the first step that differs.

#include "commands.h"
#include "errors.h"
#include "files.h"
#include "progress.h"

#include <rubble/recording.h>

#include <stdio.h>
#include <stdlib.h>

static int write_json(const char *json, const rbl_replay_report *report, int bodies, uint64_t hash)
{
	FILE *file = create_file(json);
	if (!file)
		return STATUS_FAILED;
	fprintf(file,
	        "{\n  \"steps\": %lld,\n  \"bodies\": %d,\n  \"differs\": %s,\n"
	        "  \"state\": \"%016llx\"\n}\n",
	        (long long)report->step, bodies, report->differs ? "true" : "false",
	        (unsigned long long)hash);
	return close_file(file, json);
}

static int play(rbl_replay *replay, const char *path, const char *json)
{
	rbl_replay_report report = { 0 };
	rbl_result result = RBL_OK;
	uint64_t hash = rbl_world_hash(rbl_replay_get_world(replay));
	progress line;
	progress_begin(&line, "replaying");
	while (result == RBL_OK && !report.is_over && !report.differs) {
		progress_update(&line, rbl_replay_progress(replay));
		result = rbl_replay_step(replay, &report);
		if (!report.is_over)
			hash = report.hash;
	}
	progress_end(&line);
	if (result != RBL_OK)
		return fail_with(result, path);
	int bodies = rbl_world_body_count(rbl_replay_get_world(replay));
	if (json && write_json(json, &report, bodies, hash) != STATUS_OK)
		return STATUS_FAILED;
	if (report.differs) {
		say("%s: step %lld differs: the state was %016llx and is %016llx\n", path,
		    (long long)report.step, (unsigned long long)report.recorded_hash,
		    (unsigned long long)report.hash);
		return STATUS_FAILED;
	}
	say("%s: %lld steps, %d bodies, all hashes agree; state %016llx\n", path,
	    (long long)report.step, bodies, (unsigned long long)hash);
	return STATUS_OK;
}

static int run(int argc, char **argv)
{
	int workers = 1;
	const char *json = NULL;
	const option options[] = {
		OPTION_INT("workers", "W", &workers, 1, RBL_MAX_WORKERS, "threads, default 1"),
		OPTION_OUTPUT("json", "FILE", &json, "write the result as JSON"),
		OPTION_END,
	};
	positional_arguments found;
	int status;
	if (!parse_options(&command_replay, options, argc, argv, &found, &status))
		return status;
	rbl_file_bytes bytes;
	if (read_bytes(found.items[0], 0, &bytes) != STATUS_OK)
		return STATUS_FAILED;
	rbl_world_def def = rbl_default_world_def();
	rbl_sources sources = rbl_default_sources();
	rbl_replay *replay = NULL;
	rbl_result result = make_workers(workers, &def.jobs);
	if (result == RBL_OK)
		result = rbl_create_replay(bytes.data, bytes.size, &def, &sources, &replay);
	status =
		result == RBL_OK ? play(replay, found.items[0], json) : fail_with(result, found.items[0]);
	rbl_destroy_replay(replay);
	rbl_destroy_jobs(def.jobs);
	rbl_free_bytes(&bytes);
	return status;
}

const command command_replay = {
	.name = "replay",
	.arguments = "FILE",
	.about = "replay a recording, and report the first step that differs",
	.details = "rubble run SCENE.json -o OUT.glb --record FILE writes one; so does a program, see\n"
			   "rubble/recording.h. After every step the state hash is compared: exit status\n"
			   "1 when it differs, or when the file is damaged.",
	.min_arguments = 1,
	.max_arguments = 1,
	.run = run,
};
