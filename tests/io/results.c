// SPDX-License-Identifier: MIT
// Results: each one can be met, by public calls alone. A new result fails this test until somebody
// shows how a user comes by it.

#include "faulty_allocator.h"
#include "test.h"

#include <rubble/io.h>
#include <rubble/rubble.h>

static rbl_result make_box(rbl_mesh **box)
{
	rbl_box_def def = rbl_default_box_def();
	return rbl_create_box_mesh(&def, box);
}

static rbl_result skip_the_defaults(void)
{
	const rbl_jobs_def def = { .worker_count = 2 };
	rbl_jobs *jobs;
	return rbl_create_jobs(&def, &jobs);
}

static rbl_result run_out_of_memory(void)
{
	faulty_allocator memory;
	faulty_init(&memory, 0);
	rbl_jobs_def def = rbl_default_jobs_def();
	def.allocator = FAULTY(&memory);
	rbl_jobs *jobs;
	return rbl_create_jobs(&def, &jobs);
}

static rbl_result remove_a_box_twice(void)
{
	rbl_broadphase_def def = rbl_default_broadphase_def();
	rbl_proxy_def proxy_def = rbl_default_proxy_def();
	rbl_broadphase *broadphase;
	rbl_proxy_id proxy;
	rbl_result result = rbl_create_broadphase(&def, &broadphase);
	if (result == RBL_OK)
		result = rbl_broadphase_add(broadphase, &proxy_def, 1, &proxy);
	if (result == RBL_OK)
		result = rbl_broadphase_remove(broadphase, &proxy, 1);
	if (result == RBL_OK)
		result = rbl_broadphase_remove(broadphase, &proxy, 1);
	rbl_destroy_broadphase(broadphase);
	return result;
}

static rbl_result break_a_lone_triangle(void)
{
	const rbl_vec3d positions[3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } };
	const int corners[3] = { 0, 1, 2 };
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = (rbl_mesh_data){ .vertex_count = 3,
		                        .positions = positions,
		                        .face_count = 1,
		                        .corner_count = 3,
		                        .corner_vertices = corners };
	rbl_mesh *mesh;
	rbl_result result = rbl_create_mesh(&def, &mesh);
	if (result != RBL_OK)
		return result;
	rbl_solid_def solid_def = rbl_default_solid_def();
	solid_def.mesh = mesh;
	rbl_solid *solid;
	result = rbl_create_solid(&solid_def, &solid);
	rbl_destroy_mesh(mesh);
	return result;
}

static rbl_result save_without_room(void)
{
	rbl_pattern_def def = rbl_default_pattern_def();
	def.cell_count = 2;
	rbl_pattern *pattern;
	rbl_result result = rbl_create_pattern(&def, &pattern);
	if (result != RBL_OK)
		return result;
	unsigned char byte;
	size_t size = sizeof byte;
	result = rbl_pattern_save(pattern, &byte, &size);
	rbl_destroy_pattern(pattern);
	return result;
}

static rbl_result read_nonsense(void)
{
	const char text[] = "ply\nthis is no header\n";
	rbl_mesh *mesh;
	return rbl_read_mesh_memory(text, sizeof text - 1, NULL, &mesh);
}

static rbl_result read_an_absent_file(void)
{
	rbl_mesh *mesh;
	return rbl_read_mesh(RBL_BINARY_DIR "/there is none.obj", NULL, &mesh);
}

static rbl_result write_what_is_only_read(void)
{
	rbl_mesh *box;
	rbl_result result = make_box(&box);
	if (result == RBL_OK)
		result = rbl_write_mesh(RBL_BINARY_DIR "/box.off", box, NULL);
	rbl_destroy_mesh(box);
	return result;
}

static rbl_result do_all_right(void)
{
	rbl_mesh *box;
	rbl_result result = make_box(&box);
	rbl_destroy_mesh(box);
	return result;
}

static void every_result_can_be_met(test *t)
{
	rbl_result (*const ways[RBL_RESULT_COUNT])(void) = {
		[RBL_OK] = do_all_right,
		[RBL_BAD_ARGUMENT] = skip_the_defaults,
		[RBL_OUT_OF_MEMORY] = run_out_of_memory,
		[RBL_STALE_ID] = remove_a_box_twice,
		[RBL_BAD_MESH] = break_a_lone_triangle,
		[RBL_LIMIT_REACHED] = save_without_room,
		[RBL_BAD_FILE] = read_nonsense,
		[RBL_IO_FAILED] = read_an_absent_file,
		[RBL_UNSUPPORTED] = write_what_is_only_read,
	};
	for (int result = 0; result < RBL_RESULT_COUNT; ++result) {
		CHECK(t, ways[result] != NULL);
		rbl_result met = ways[result] ? ways[result]() : RBL_RESULT_COUNT;
		if (met != (rbl_result)result)
			printf("%s: met %s\n", rbl_result_text((rbl_result)result), rbl_result_text(met));
		CHECK(t, met == (rbl_result)result);
	}
}

TEST_MAIN(TEST(every_result_can_be_met))
