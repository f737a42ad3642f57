// SPDX-License-Identifier: MIT
//
// Assets and recordings in numbers, for `rubble info`.

#include "info.h"

#include "array.h"
#include "asset_files.h"
#include "errors.h"
#include "files.h"
#include "progress.h"

#include <rubble/recording.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- assets -------------------------------------------------------------------------------------

static void print_asset_table(const rbl_asset *asset, const rbl_mesh *mesh)
{
	rbl_asset_report r = rbl_asset_get_report(asset);
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	rbl_boxd box = rbl_mesh_bounds(mesh);
	printf("asset of rubble prepare\nshells            %d\nnodes             %d\n"
	       "parts             %d\nbonds             %d, of which %d by overlap\n"
	       "ghosts            %d\n",
	       r.shell_count, r.node_count, r.part_count, r.bond_count, r.overlap_count, r.ghost_count);
	printf("volume            %.9g m^3, convexes %.4f of it\n", r.visual_volume,
	       r.convex_volume / r.visual_volume);
	printf("size              %.6g x %.6g x %.6g m\n", box.upper.x - box.lower.x,
	       box.upper.y - box.lower.y, box.upper.z - box.lower.z);
	printf("field             %s\nkey               %016llx\n",
	       rbl_asset_get_field(asset) ? "yes" : "no", (unsigned long long)r.key);
	for (int i = 0; i < data.material_count; ++i)
		printf("%-17s %s\n", i == 0 ? "materials" : "", data.materials[i].name);
}

static void print_asset_json(const char *path, const rbl_asset *asset, const rbl_mesh *mesh)
{
	rbl_asset_report r = rbl_asset_get_report(asset);
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	printf("{\n  \"file\": ");
	print_json_text(path);
	printf(",\n  \"kind\": \"asset\",\n  \"shells\": %d,\n  \"nodes\": %d,\n  \"parts\": %d,\n"
	       "  \"bonds\": %d,\n  \"overlaps\": %d,\n  \"ghosts\": %d,\n  \"volume\": %.17g,\n"
	       "  \"convex_volume\": %.17g,\n  \"has_field\": %s,\n  \"key\": \"%016llx\",\n"
	       "  \"materials\": [",
	       r.shell_count, r.node_count, r.part_count, r.bond_count, r.overlap_count, r.ghost_count,
	       r.visual_volume, r.convex_volume, rbl_asset_get_field(asset) ? "true" : "false",
	       (unsigned long long)r.key);
	for (int i = 0; i < data.material_count; ++i) {
		printf("%s", i > 0 ? ", " : "");
		print_json_text(data.materials[i].name);
	}
	printf("]\n}\n");
}

int print_asset_info(const char *path, bool is_json)
{
	rbl_asset *asset = NULL;
	rbl_mesh *mesh = NULL;
	int status = read_asset(path, &asset);
	if (status != STATUS_OK)
		return status;
	rbl_result result = compound_mesh(rbl_asset_get_compound(asset), NULL, NULL, &mesh);
	if (result != RBL_OK)
		status = fail_with(result, path);
	else if (is_json)
		print_asset_json(path, asset, mesh);
	else
		print_asset_table(asset, mesh);
	rbl_destroy_mesh(mesh);
	rbl_destroy_asset(asset);
	return status;
}

// --- recordings ---------------------------------------------------------------------------------

typedef struct recording_info {
	long long steps;
	int bodies_before, bodies_after, joints, fractures;
	bool differs;
	uint64_t hash;
} recording_info;

static rbl_result replay_all(rbl_replay *replay, recording_info *info)
{
	rbl_replay_report report = { 0 };
	const rbl_world *world = rbl_replay_get_world(replay);
	rbl_result result = RBL_OK;
	info->bodies_before = rbl_world_body_count(world);
	info->hash = rbl_world_hash(world);
	progress line;
	progress_begin(&line, "replaying");
	while (result == RBL_OK && !report.is_over && !report.differs) {
		progress_update(&line, rbl_replay_progress(replay));
		result = rbl_replay_step(replay, &report);
		if (result != RBL_OK || report.is_over)
			continue;
		info->hash = report.hash;
		info->fractures += rbl_world_get_events(world).fracture_count;
	}
	progress_end(&line);
	info->steps = (long long)report.step;
	info->differs = report.differs;
	info->bodies_after = rbl_world_body_count(world);
	info->joints = rbl_world_get_stats(world).joint_count;
	return result;
}

int print_recording_info(const char *path, bool is_json)
{
	rbl_file_bytes bytes;
	if (read_bytes(path, 0, &bytes) != STATUS_OK)
		return STATUS_FAILED;
	rbl_world_def def = rbl_default_world_def();
	rbl_sources sources = rbl_default_sources();
	rbl_replay *replay = NULL;
	recording_info info = { 0 };
	rbl_result result = rbl_create_replay(bytes.data, bytes.size, &def, &sources, &replay);
	if (result == RBL_OK)
		result = replay_all(replay, &info);
	int status = result == RBL_OK ? STATUS_OK : fail_with(result, path);
	if (result == RBL_OK && is_json) {
		printf("{\n  \"file\": ");
		print_json_text(path);
		printf(",\n  \"kind\": \"recording\",\n  \"bytes\": %zu,\n  \"steps\": %lld,\n"
		       "  \"bodies_before\": %d,\n  \"bodies_after\": %d,\n  \"joints\": %d,\n"
		       "  \"fractures\": %d,\n  \"replays\": %s,\n  \"state\": \"%016llx\"\n}\n",
		       bytes.size, info.steps, info.bodies_before, info.bodies_after, info.joints,
		       info.fractures, info.differs ? "false" : "true", (unsigned long long)info.hash);
	} else if (result == RBL_OK) {
		printf("recording of %zu bytes\nsteps             %lld\n"
		       "bodies            %d at first, %d at the end\njoints            %d\n"
		       "fractures         %d\nreplays           %s\nstate             %016llx\n",
		       bytes.size, info.steps, info.bodies_before, info.bodies_after, info.joints,
		       info.fractures, info.differs ? "no: the state differs" : "yes",
		       (unsigned long long)info.hash);
	}
	rbl_destroy_replay(replay);
	rbl_free_bytes(&bytes);
	return status;
}
