// SPDX-License-Identifier: MIT
// ctest: native
// What files hold comes out of rubble fracture again.

#define _POSIX_C_SOURCE 200809L

#include "program_path.h"
#include "test.h"

#include <rubble/io.h>
#include <rubble/shapes.h>

#include <unistd.h>

static char folder[] = "/tmp/rubble-attributes-XXXXXX";

// A box with a second set of texture coordinates and colours, as glTF.
static bool write_painted_box(const char *path)
{
	rbl_box_def box = rbl_default_box_def();
	rbl_mesh *plain = NULL, *painted = NULL;
	if (rbl_create_box_mesh(&box, &plain) != RBL_OK)
		return false;
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = rbl_mesh_get_data(plain);
	rbl_vec2 uv1[64];
	rbl_vec4 colors[64];
	for (int k = 0; k < def.data.corner_count && k < 64; ++k) {
		uv1[k] = (rbl_vec2){ 0.25f, 0.75f };
		colors[k] = (rbl_vec4){ 1.0f, 0.5f, 0.0f, 1.0f };
	}
	def.data.corner_uv1 = uv1;
	def.data.corner_colors = colors;
	bool done = def.data.corner_count <= 64 && rbl_create_mesh(&def, &painted) == RBL_OK &&
	            rbl_write_mesh(path, painted, NULL) == RBL_OK;
	rbl_destroy_mesh(painted);
	rbl_destroy_mesh(plain);
	return done;
}

// The second set of texture coordinates and the colours come through an impact and through bricks.
static void attributes_are_kept(test *t)
{
	if (access(PROGRAM, X_OK) != 0 || !mkdtemp(folder)) {
		SKIP(t, "the program is not built");
		return;
	}
	char in[200], out[200];
	snprintf(in, sizeof in, "%s/in.glb", folder);
	snprintf(out, sizeof out, "%s/out.glb", folder);
	CHECK(t, write_painted_box(in));
	const char *const ways[] = { "--at 0.5,0.5,0.5 --radius 0.3", "--pattern bricks", "" };
	for (int i = 0; i < 3; ++i) {
		char line[1000];
		snprintf(line, sizeof line, "'%s' fracture '%s' -o '%s' --cells 10 %s >/dev/null", PROGRAM,
		         in, out, ways[i]);
		CHECK(t, system(line) == 0);
		rbl_mesh *mesh = NULL;
		CHECK(t, rbl_read_mesh(out, NULL, &mesh) == RBL_OK);
		rbl_mesh_data d = rbl_mesh_get_data(mesh);
		CHECK(t, d.corner_uv1 && d.corner_colors);
		int painted = 0;
		for (int k = 0; k < d.corner_count && d.corner_uv1 && d.corner_colors; ++k)
			painted += d.corner_uv1[k].y == 0.75f && d.corner_colors[k].y < 0.6f;
		CHECK(t, painted > 20);
		rbl_destroy_mesh(mesh);
	}
	remove(in);
	remove(out);
	rmdir(folder);
}

TEST_MAIN(TEST(attributes_are_kept))
