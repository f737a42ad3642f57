// SPDX-License-Identifier: MIT
// ctest: native
//
// A textured house goes through the commands: what comes out has its names, hierarchy and textures.

#define _POSIX_C_SOURCE 200809L

#include "command.h"
#include "cut_faces.h"
#include "io/gltf_builder.h"

#include <rubble/shapes.h>

// A house of two walls that share a mesh, below a node that is moved.
static void write_house(test *t)
{
	static const unsigned char *const bytes = gltf_png;
	rbl_scene_image image = { "bricks", "image/png", bytes, sizeof gltf_png, NULL };
	rbl_scene_texture texture = { .name = "bricks", .image = 1 };
	rbl_scene_material material = rbl_default_scene_material();
	material.name = "brick wall", material.metallic = 0.0f;
	material.base_color_texture.texture = 1, material.is_double_sided = true;
	rbl_box_def box = rbl_default_box_def();
	rbl_mesh *plain = NULL, *mesh = NULL;
	CHECK(t, rbl_create_box_mesh(&box, &plain) == RBL_OK);
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = rbl_mesh_get_data(plain);
	rbl_vec2 uv[24];
	for (int c = 0; c < 24; ++c)
		uv[c] = (rbl_vec2){ (float)(c % 4 / 2), (float)(c % 2) };
	rbl_mesh_material slot = { .name = "brick wall", .source = 1 };
	def.data.corner_uv0 = uv;
	def.data.materials = &slot, def.data.material_count = 1, def.data.face_materials = NULL;
	CHECK(t, rbl_create_mesh(&def, &mesh) == RBL_OK);
	rbl_scene_node nodes[3];
	for (int i = 0; i < 3; ++i)
		nodes[i] = rbl_default_scene_node();
	nodes[0].name = "House", nodes[0].translation.y = 2.0f, nodes[0].extras = "{\"floors\":1}";
	nodes[1].name = "Wall.003", nodes[2].name = "Wall.004";
	for (int i = 1; i < 3; ++i) {
		nodes[i].parent = 0, nodes[i].mesh = 0;
		nodes[i].scale = (rbl_vec3){ 4.0f, 2.0f, 0.25f };
		nodes[i].translation.z = 3.0f * (float)i;
	}
	const rbl_mesh *meshes[1] = { mesh };
	rbl_scene_label label = { .name = "wall" };
	rbl_scene scene = { .mesh_count = 1,
		                .meshes = meshes,
		                .mesh_labels = &label,
		                .node_count = 3,
		                .nodes = nodes,
		                .material_count = 1,
		                .materials = &material,
		                .texture_count = 1,
		                .textures = &texture,
		                .image_count = 1,
		                .images = &image };
	char path[100];
	snprintf(path, sizeof path, "%s/house.glb", folder);
	CHECK(t, rbl_write_scene(path, &scene, NULL) == RBL_OK);
	rbl_destroy_mesh(mesh);
	rbl_destroy_mesh(plain);
}

static rbl_document *open_file(test *t, const char *name, rbl_scene *scene)
{
	char path[100];
	rbl_document *document = NULL;
	snprintf(path, sizeof path, "%s/%s", folder, name);
	CHECK(t, rbl_read_document(path, NULL, &document) == RBL_OK);
	*scene = rbl_document_get_scene(document);
	return document;
}

static long size_of(const char *name)
{
	char path[100];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *file = fopen(path, "rb");
	long size = file && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
	if (file)
		fclose(file);
	return size;
}

static void check_looks(test *t, const rbl_scene *scene)
{
	CHECK(t, scene->image_count == 1 && scene->images[0].size == sizeof gltf_png &&
	             memcmp(scene->images[0].bytes, gltf_png, sizeof gltf_png) == 0);
	CHECK(t, scene->texture_count == 1 && scene->textures[0].image == 1);
	CHECK(t, scene->material_count > 0 && strcmp(scene->materials[0].name, "brick wall") == 0);
	CHECK(t, scene->material_count > 0 && scene->materials[0].is_double_sided &&
	             scene->materials[0].base_color_texture.texture == 1);
}

static int find_node(const rbl_scene *scene, const char *name)
{
	for (int i = 0; i < scene->node_count; ++i)
		if (scene->nodes[i].name && strcmp(scene->nodes[i].name, name) == 0)
			return i;
	return -1;
}

static void convert_keeps_the_scene(test *t)
{
	if (!open_folder(t, "convert"))
		return;
	write_house(t);
	CHECK(t, run("convert house.glb again.glb") == 0);
	rbl_scene scene;
	rbl_document *document = open_file(t, "again.glb", &scene);
	check_looks(t, &scene);
	CHECK(t, scene.node_count == 3 && scene.mesh_count == 1);
	CHECK(t, find_node(&scene, "House") == 0 && find_node(&scene, "Wall.004") == 2);
	CHECK(t, scene.nodes[2].parent == 0 && scene.nodes[2].translation.z == 6.0f);
	CHECK(t, strcmp(scene.nodes[0].extras, "{\"floors\":1}") == 0);
	CHECK(t, rbl_mesh_get_data(scene.meshes[0]).corner_uv0 != NULL);
	rbl_destroy_document(document);
	CHECK(t, run("convert house.glb repaired.glb --repair") == 0);
	document = open_file(t, "repaired.glb", &scene);
	check_looks(t, &scene);
	rbl_destroy_document(document);
	CHECK(t, run("convert house.glb flat.glb --scale 2") == 0);
	document = open_file(t, "flat.glb", &scene);
	CHECK(t, scene.node_count == 1 && scene.image_count == 0);
	rbl_destroy_document(document);
	close_folder(t);
}

static void pieces_are_named_after_their_node(test *t)
{
	if (!open_folder(t, "fracture"))
		return;
	write_house(t);
	CHECK(t, run("fracture house.glb -o broken.glb --cells 8") == 0);
	rbl_scene scene;
	rbl_document *document = open_file(t, "broken.glb", &scene);
	check_looks(t, &scene);
	int wall = find_node(&scene, "Wall.003"), piece = find_node(&scene, "Wall.003/fragment 2");
	CHECK(t, wall == 1 && scene.nodes[1].mesh == -1 && scene.nodes[1].parent == 0);
	CHECK(t, piece > 0 && scene.nodes[piece].parent == wall && scene.nodes[piece].mesh >= 0);
	CHECK(t, find_node(&scene, "Wall.004/fragment 1") > 0);
	double volume = 0.0;
	int textured = 0;
	for (int i = 0; i < scene.node_count; ++i) {
		if (scene.nodes[i].mesh < 0)
			continue;
		const rbl_mesh *mesh = scene.meshes[scene.nodes[i].mesh];
		rbl_mesh_data data = rbl_mesh_get_data(mesh);
		volume += rbl_mesh_get_mass(mesh).volume;
		CHECK(t, data.corner_uv0 != NULL);
		CHECK(t, scene.nodes[i].extras && strstr(scene.nodes[i].extras, "\"parent\":\"Wall.00"));
		for (int m = 0; m < data.material_count; ++m)
			textured += data.materials[m].source == 1;
	}
	CHECK(t, textured > 4);
	CHECK_NEAR(t, volume, 2.0, 1e-3); // two boxes of one cubic metre, in their own coordinates
	rbl_destroy_document(document);
	// A hit at one wall leaves the other one whole.
	CHECK(t, run("fracture house.glb -o hit.glb --cells 8 --at 0,2,3 --radius 0.4") == 0);
	document = open_file(t, "hit.glb", &scene);
	CHECK(t, find_node(&scene, "Wall.003/fragment 2") > 0);
	CHECK(t, find_node(&scene, "Wall.004/fragment 1") > 0);
	CHECK(t, find_node(&scene, "Wall.004/fragment 2") < 0);
	rbl_destroy_document(document);
	close_folder(t);
}

// Cut faces of pieces in a file, each where its node has it.
static void cut_faces_of_pieces_can_be_textured(test *t)
{
	if (!open_folder(t, "fracture"))
		return;
	write_house(t);
	static const char *const options[] = { "60 --pattern voronoi", "60 --pattern impact",
		                                   "60 --pattern splinters",
		                                   "900 --pattern bricks", // many of them wholly inside
		                                   "900 --pattern voronoi --radius 0.6" };
	for (int i = 0; i < 5; ++i) {
		char line[100];
		snprintf(line, sizeof line, "fracture house.glb -o broken.glb --cells %s", options[i]);
		CHECK(t, run(line) == 0);
		rbl_scene scene;
		rbl_document *document = open_file(t, "broken.glb", &scene);
		static cut_corners all;
		all.count = all.faces = 0;
		for (int n = 0; n < scene.node_count; ++n) {
			const rbl_scene_node *node = &scene.nodes[n];
			if (node->mesh < 0 || !strstr(node->name, "Wall.003/"))
				continue;
			// Metres of the scene: the node is twice as large.
			check_cut_mesh(t, scene.meshes[node->mesh], rbl_to_d(node->translation),
			               1.0 / cbrt(2.0), &all);
		}
		CHECK(t, all.faces > 50 && check_seams(t, &all, 1e-6) > 100);
		rbl_destroy_document(document);
	}
	close_folder(t);
}

static void films_have_the_textures_of_their_models(test *t)
{
	static const char text[] =
		"{\"version\":2,\"step_count\":30,\"materials\":{\"stone\":{\"density\":2000,"
		"\"break_energy\":10,\"break_radius\":1}},\"models\":{\"house\":{\"file\":\"house.glb\"},"
		"\"ball\":{\"sphere\":0.3}},\"instances\":[{\"model\":\"house\",\"material\":\"stone\"}],"
		"\"projectiles\":[{\"model\":\"ball\",\"material\":\"stone\",\"position\":[0,2,0],"
		"\"velocity\":[0,0,30]}]}";
	if (!open_folder(t, "run"))
		return;
	write_house(t);
	write_file("scene.json", text, sizeof text - 1);
	CHECK(t, run("run scene.json -o film.glb") == 0);
	CHECK(t, run("run scene.json -o small.glb --quantize") == 0);
	for (int i = 0; i < 2; ++i) {
		rbl_scene scene;
		rbl_document *document = open_file(t, i ? "small.glb" : "film.glb", &scene);
		check_looks(t, &scene);
		int piece = find_node(&scene, "house/fragment 1"), textured = 0;
		CHECK(t, piece > 0 && strstr(scene.nodes[piece].extras, "\"parent\":\"house\""));
		CHECK(t, strstr(scene.nodes[piece].extras, "\"mass\":"));
		CHECK(t, scene.animation_count == 1);
		for (int m = 0; m < scene.mesh_count; ++m) {
			rbl_mesh_data data = rbl_mesh_get_data(scene.meshes[m]);
			for (int k = 0; k < data.material_count; ++k)
				textured += data.materials[k].source == 1 && data.corner_uv0;
		}
		CHECK(t, textured > 3);
		rbl_destroy_document(document);
	}
	CHECK(t, size_of("small.glb") > 0 && size_of("small.glb") < size_of("film.glb"));
	close_folder(t);
}

// How many faces of a file have a texture, and of those how many are not flat in it.
static int textured_faces(const rbl_scene *scene, int image, double scale, int *wrong)
{
	int count = 0;
	*wrong = 0;
	for (int n = 0; n < scene->node_count; ++n) {
		if (scene->nodes[n].mesh < 0)
			continue;
		rbl_mesh_data d = rbl_mesh_get_data(scene->meshes[scene->nodes[n].mesh]);
		for (int f = 0; f < d.face_count; ++f) {
			int slot = d.face_materials ? d.face_materials[f] : 0;
			int source = slot < d.material_count ? d.materials[slot].source : 0;
			int texture = source > 0 ? scene->materials[source - 1].base_color_texture.texture : 0;
			if (texture == 0 || scene->textures[texture - 1].image != image)
				continue;
			count++;
			for (int c = d.face_starts[f]; c < d.face_starts[f + 1]; ++c) {
				int next = c + 1 < d.face_starts[f + 1] ? c + 1 : d.face_starts[f];
				double x = (double)(d.corner_uv0[c].x - d.corner_uv0[next].x);
				double y = (double)(d.corner_uv0[c].y - d.corner_uv0[next].y);
				double length = rbl_distance_d(d.positions[d.corner_vertices[c]],
				                               d.positions[d.corner_vertices[next]]);
				if (!(fabs(scale * sqrt(x * x + y * y) - length) < 1e-4)) {
					++*wrong;
					break;
				}
			}
		}
	}
	return count;
}

// Cut faces get a picture of their own, beside the textures of the file.
static void cut_faces_have_a_texture_of_their_own(test *t)
{
	if (!open_folder(t, "fracture"))
		return;
	write_house(t);
	write_file("inside.png", gltf_png, sizeof gltf_png);
	CHECK(t, run("make mug mug.obj --quiet") == 0);
	static const struct {
		const char *in;
		int images;
		double scale;
	} rows[3] = { { "mug.obj", 1, 0.02 },
		          { "house.glb", 2, 0.02 / 1.259921 },
		          { "mug.rbl", 1, 0 } };
	CHECK(t, run("prepare mug.obj -o mug.rbl --quiet") == 0);
	for (int i = 0; i < 3; ++i) {
		char line[200];
		snprintf(line, sizeof line,
		         "fracture %s --cells 12 -o out.glb --inner-texture inside.png --inner-size 0.02 "
		         "--quiet",
		         rows[i].in);
		CHECK(t, run(line) == 0);
		rbl_scene scene;
		rbl_document *document = open_file(t, "out.glb", &scene);
		CHECK(t, scene.image_count == rows[i].images);
		const rbl_scene_image *last = &scene.images[scene.image_count - 1];
		CHECK(t, last->size == sizeof gltf_png && memcmp(last->bytes, gltf_png, last->size) == 0);
		int wrong, count = textured_faces(&scene, scene.image_count, rows[i].scale, &wrong);
		CHECK(t, count > 20 && (wrong == 0 || rows[i].scale == 0.0));
		if (rows[i].images == 2) // what was outside has what it had
			CHECK(t, textured_faces(&scene, 1, 1.0, &wrong) > 20);
		rbl_destroy_document(document);
	}
	CHECK(t, run("fracture mug.obj -o out.glb --inner-texture mug.obj") == 1);
	CHECK(t, strstr(output, "mug.obj: it is neither PNG nor JPEG"));
	CHECK(t, run("fracture mug.obj -o out.glb --inner-texture none.png") == 1);
	CHECK(t, strstr(output, "none.png: "));
	CHECK(t, run("fracture mug.obj -o pieces/ --inner-texture inside.png") == 2);
	close_folder(t);
}

static void scenes_give_cut_faces_a_texture(test *t)
{
	static const char text[] =
		"{\"version\":2,\"step_count\":30,\"include\":[\"stuff/more.json\"],\"models\":{"
		"\"house\":{\"file\":\"house.glb\",\"match_names\":false},"
		"\"block\":{\"box\":[2,2,2]},\"ball\":{\"sphere\":0.3}},"
		"\"instances\":[{\"model\":\"%s\",\"material\":\"stone\"}],\"projectiles\":[{"
		"\"model\":\"ball\",\"material\":\"stone\",\"position\":[0,%d,-3],\"velocity\":"
		"[0,0,60],\"count\":1}]}";
	static const char more[] =
		"{\"version\":2,\"materials\":{\"stone\":{\"density\":2000,\"break_energy\":10,"
		"\"break_radius\":1,\"inner_texture\":\"inside.png\",\"uv_scale\":0.5}}}";
	if (!open_folder(t, "run"))
		return;
	write_house(t);
	CHECK(t, run("version >/dev/null; mkdir stuff") == 0);
	write_file("stuff/inside.png", gltf_png, sizeof gltf_png);
	write_file("stuff/more.json", more, strlen(more));
	for (int i = 0; i < 2; ++i) {
		char scene_text[1000];
		snprintf(scene_text, sizeof scene_text, text, i ? "house" : "block", i ? 2 : 0);
		write_file("scene.json", scene_text, strlen(scene_text));
		CHECK(t, run("run scene.json -o out.glb --quiet") == 0);
		rbl_scene scene;
		rbl_document *document = open_file(t, "out.glb", &scene);
		CHECK(t, scene.image_count == 2);
		int wrong;
		CHECK(t, textured_faces(&scene, scene.image_count, 0.5, &wrong) > 20);
		CHECK(t, wrong == 0);
		rbl_destroy_document(document);
	}
	CHECK(t, run("version >/dev/null; rm stuff/inside.png") == 0);
	CHECK(t, run("run scene.json -o out.glb --quiet") == 1);
	CHECK(t, strstr(output, "stuff/inside.png"));
	close_folder(t);
}

TEST_MAIN(TEST(cut_faces_have_a_texture_of_their_own), TEST(scenes_give_cut_faces_a_texture),
          TEST(convert_keeps_the_scene), TEST(pieces_are_named_after_their_node),
          TEST(cut_faces_of_pieces_can_be_textured), TEST(films_have_the_textures_of_their_models))
