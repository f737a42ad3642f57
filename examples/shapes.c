// SPDX-License-Identifier: MIT
// Makes every procedural shape and writes them side by side, as the nodes of one glTF scene.
//
//     shapes [OUT.glb]

#include <rubble/io.h>
#include <rubble/rubble.h>

#include <stdio.h>

enum { MAX_SHAPES = 24 };

static rbl_mesh *meshes[MAX_SHAPES];
static rbl_scene_node nodes[MAX_SHAPES];
static int count;

// Put a mesh into the scene; vessels are shown larger than they are.
static void add(rbl_result result, rbl_mesh *mesh, const char *name, rbl_vec3 at, float scale)
{
	if (result != RBL_OK) {
		fprintf(stderr, "shapes: %s: %s\n", name, rbl_result_text(result));
		return;
	}
	nodes[count] = rbl_default_scene_node();
	nodes[count].name = name;
	nodes[count].mesh = count;
	nodes[count].translation = at;
	nodes[count].scale = (rbl_vec3){ scale, scale, scale };
	meshes[count++] = mesh;
}

// The default shape, at a place on the floor.
#define ADD(shape, x, y, z, scale)                                       \
	do {                                                                 \
		rbl_##shape##_def def = rbl_default_##shape##_def();             \
		rbl_mesh *mesh;                                                  \
		rbl_result result = rbl_create_##shape##_mesh(&def, &mesh);      \
		add(result, mesh, #shape, (rbl_vec3){ (x), (y), (z) }, (scale)); \
	} while (0)

int main(int argc, char **argv)
{
	const char *path = argc > 1 ? argv[1] : "shapes.glb";
	ADD(brick_wall, -3.6f, 0.0f, -1.6f, 1.0f);
	ADD(window, -1.1f, 0.0f, -1.5f, 1.3f);
	ADD(arch, 1.6f, 0.0f, -1.5f, 0.9f);
	ADD(column, 3.7f, 0.0f, -1.4f, 0.62f);
	ADD(box, -4.4f, 0.4f, 0.6f, 0.8f);
	ADD(icosphere, -3.2f, 0.5f, 0.6f, 1.0f);
	ADD(cylinder, -2.0f, 0.0f, 0.6f, 0.9f);
	ADD(tube, -0.8f, 0.0f, 0.6f, 0.9f);
	ADD(torus, 0.5f, 0.2f, 0.7f, 1.0f);
	ADD(vase, 1.7f, 0.0f, 0.5f, 3.2f);
	ADD(mug, 2.6f, 0.0f, 1.0f, 8.0f);
	ADD(plate, 0.9f, 0.0f, 2.0f, 4.5f);
	ADD(piggy_bank, 3.9f, 0.0f, 0.8f, 5.0f);

	rbl_scene scene = { .mesh_count = count,
		                .meshes = (const rbl_mesh *const *)meshes,
		                .node_count = count,
		                .nodes = nodes };
	rbl_result result = rbl_write_scene(path, &scene, NULL);
	printf("%s: %d shapes, %s\n", path, count, rbl_result_text(result));
	for (int i = 0; i < count; ++i)
		rbl_destroy_mesh(meshes[i]);
	return result == RBL_OK ? 0 : 1;
}
