// SPDX-License-Identifier: MIT
// ctest: native
//
// Physics data beside files: masses, inertia and bonds of pieces add up to what was broken, and a
// run tells its bodies, colliders and joints under the names that they have in the film.

#define _POSIX_C_SOURCE 200809L

#include "command.h"

#include "base/vec.h"

#include <rubble/io.h>
#include <rubble/json.h>

typedef struct physics_data {
	rbl_json_document *document;
	const rbl_json *root, *bodies, *bonds, *joints;
	int body_count, bond_count, joint_count;
} physics_data;

static physics_data open_physics(test *t, const char *name)
{
	char path[100];
	physics_data data = { 0 };
	rbl_file_bytes bytes = { 0 };
	snprintf(path, sizeof path, "%s/%s", folder, name);
	CHECK(t, rbl_read_file(path, NULL, &bytes) == RBL_OK);
	CHECK(t, rbl_parse_json((const char *)bytes.data, bytes.size, name, NULL, &data.document) ==
	             RBL_OK);
	rbl_free_bytes(&bytes);
	data.root = rbl_json_root(data.document);
	data.bodies = rbl_json_member(data.root, "bodies");
	data.bonds = rbl_json_member(data.root, "bonds");
	data.joints = rbl_json_member(data.root, "joints");
	data.body_count = rbl_json_count(data.bodies);
	data.bond_count = rbl_json_count(data.bonds), data.joint_count = rbl_json_count(data.joints);
	const char *format = rbl_json_text(rbl_json_member(data.root, "format"));
	CHECK(t, format && strcmp(format, "rubble-physics") == 0);
	return data;
}

static rbl_scene open_scene(test *t, const char *name, rbl_document **document)
{
	char path[100];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	CHECK(t, rbl_read_document(path, NULL, document) == RBL_OK);
	return rbl_document_get_scene(*document);
}

static double number_of(const rbl_json *object, const char *key)
{
	return rbl_json_number(rbl_json_member(object, key), (double)NAN);
}

static double item_of(const rbl_json *list, int index)
{
	return rbl_json_number(rbl_json_item(list, index), (double)NAN);
}

static rbl_vec3d vector_of(const rbl_json *object, const char *key)
{
	const rbl_json *list = rbl_json_member(object, key);
	return (rbl_vec3d){ item_of(list, 0), item_of(list, 1), item_of(list, 2) };
}

static int node_of(const rbl_scene *scene, const char *name)
{
	for (int i = 0; i < scene->node_count && name; ++i)
		if (scene->nodes[i].name && strcmp(scene->nodes[i].name, name) == 0)
			return i;
	return -1;
}

// Mass and inertia of all bodies about a point.
static double sum_bodies(const physics_data *data, rbl_vec3d about, double inertia[6])
{
	double sum = 0.0;
	memset(inertia, 0, 6 * sizeof *inertia);
	for (int i = 0; i < data->body_count; ++i) {
		const rbl_json *body = rbl_json_item(data->bodies, i);
		const rbl_json *own = rbl_json_member(body, "inertia");
		double m = number_of(body, "mass");
		rbl_vec3d r = rbl_sub_d(vector_of(body, "position"), about);
		const double far[6] = { r.y * r.y + r.z * r.z,
			                    r.x * r.x + r.z * r.z,
			                    r.x * r.x + r.y * r.y,
			                    -r.x * r.y,
			                    -r.x * r.z,
			                    -r.y * r.z };
		for (int k = 0; k < 6; ++k)
			inertia[k] += item_of(own, k) + m * far[k];
		sum += m;
	}
	return sum;
}

static double surface_of(const rbl_mesh *mesh)
{
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	double sum = 0.0;
	for (int f = 0; f < data.face_count; ++f) {
		rbl_vec3d twice = { 0.0, 0.0, 0.0 };
		rbl_vec3d first = data.positions[data.corner_vertices[data.face_starts[f]]];
		for (int c = data.face_starts[f] + 1; c + 1 < data.face_starts[f + 1]; ++c) {
			rbl_vec3d a = rbl_sub_d(data.positions[data.corner_vertices[c]], first);
			rbl_vec3d b = rbl_sub_d(data.positions[data.corner_vertices[c + 1]], first);
			twice = rbl_add_d(twice, rbl_cross_d(a, b));
		}
		sum += 0.5 * rbl_length_d(twice);
	}
	return sum;
}

// Every colliders' box has the piece's in it: both are about the centre of mass.
static void check_colliders(test *t, const rbl_json *body, const rbl_mesh *mesh)
{
	rbl_boxd box = rbl_mesh_bounds(mesh);
	rbl_vec3d lower = { 1e9, 1e9, 1e9 }, upper = { -1e9, -1e9, -1e9 };
	const rbl_json *colliders = rbl_json_member(body, "colliders");
	CHECK(t, rbl_json_count(colliders) > 0);
	for (int i = 0; i < rbl_json_count(colliders); ++i) {
		const rbl_json *points = rbl_json_member(rbl_json_item(colliders, i), "vertices");
		CHECK(t, rbl_json_count(points) >= 4);
		for (int k = 0; k < rbl_json_count(points); ++k) {
			const rbl_json *p = rbl_json_item(points, k);
			rbl_vec3d at = { item_of(p, 0), item_of(p, 1), item_of(p, 2) };
			lower = rbl_min_d(lower, at), upper = rbl_max_d(upper, at);
		}
	}
	const double e = 1e-5;
	CHECK(t, lower.x < box.lower.x + e && lower.y < box.lower.y + e && lower.z < box.lower.z + e);
	CHECK(t, upper.x > box.upper.x - e && upper.y > box.upper.y - e && upper.z > box.upper.z - e);
}

// Extras of a piece have the bonds of the physics data.
static void check_extras(test *t, const physics_data *data, const rbl_scene *scene)
{
	int rows = 0;
	for (int i = 0; i < data->body_count; ++i) {
		const rbl_json *body = rbl_json_item(data->bodies, i);
		int node = node_of(scene, rbl_json_text(rbl_json_member(body, "name")));
		CHECK(t, node >= 0 && scene->nodes[node].extras);
		if (node < 0 || !scene->nodes[node].extras)
			return;
		const char *text = scene->nodes[node].extras;
		rbl_json_document *extras = NULL;
		CHECK(t, rbl_parse_json(text, strlen(text), "extras", NULL, &extras) == RBL_OK);
		const rbl_json *root = rbl_json_root(extras), *list = rbl_json_member(root, "bonds");
		CHECK(t, number_of(root, "piece") == i + 1 && number_of(root, "birth") == 0.0);
		CHECK_NEAR(t, number_of(root, "mass"), number_of(body, "mass"), 1e-6);
		CHECK(t, rbl_json_count(list) > 0);
		rows += rbl_json_count(list);
		for (int k = 0; k < rbl_json_count(list); ++k) {
			const rbl_json *row = rbl_json_item(list, k);
			int other = (int)item_of(row, 0) - 1, found = 0;
			for (int b = 0; b < data->bond_count; ++b) {
				const rbl_json *bond = rbl_json_item(data->bonds, b);
				int low = (int)number_of(bond, "a"), high = (int)number_of(bond, "b");
				if (low != (i < other ? i : other) || high != (i < other ? other : i))
					continue;
				found++;
				CHECK_NEAR(t, item_of(row, 1), number_of(bond, "area"), 1e-5);
			}
			CHECK(t, found == 1);
		}
		rbl_destroy_json(extras);
	}
	CHECK(t, rows == 2 * data->bond_count); // each from both sides
}

// A cube of a metre: masses and inertia are the cube's, and what pieces have of surface beyond the
// cube's is bonded, twice.
static void pieces_add_up_to_the_cube(test *t)
{
	static const char *const ways[] = { "--cells 30", "--cells 8 --repeat 2",
		                                "--pattern bricks --cells 12", "--radius 0.3 --cells 10" };
	if (!open_folder(t, "fracture"))
		return;
	CHECK(t, run("make box box.glb --quiet") == 0 && run("make box box.obj --quiet") == 0);
	for (int way = 0; way < 4; ++way) {
		char line[200];
		snprintf(line, sizeof line, "fracture %s -o out.glb --physics out.json --quiet %s",
		         way % 2 ? "box.glb" : "box.obj", ways[way]);
		CHECK(t, run(line) == 0);
		physics_data data = open_physics(t, "out.json");
		rbl_document *document = NULL;
		rbl_scene scene = open_scene(t, "out.glb", &document);
		CHECK(t, data.body_count >= 3 && data.bond_count >= 2);
		double inertia[6], surface = 0.0, bonded = 0.0;
		CHECK_NEAR(t, sum_bodies(&data, (rbl_vec3d){ 0, 0, 0 }, inertia), 1000.0, 1e-3);
		for (int k = 0; k < 6; ++k)
			CHECK_NEAR(t, inertia[k], k < 3 ? 1000.0 / 6.0 : 0.0, 1e-2);
		for (int i = 0; i < data.body_count; ++i) {
			const rbl_json *body = rbl_json_item(data.bodies, i);
			int node = node_of(&scene, rbl_json_text(rbl_json_member(body, "name")));
			CHECK(t, node >= 0);
			if (node < 0)
				continue;
			surface += surface_of(scene.meshes[scene.nodes[node].mesh]);
			check_colliders(t, body, scene.meshes[scene.nodes[node].mesh]);
		}
		for (int i = 0; i < data.bond_count; ++i)
			bonded += number_of(rbl_json_item(data.bonds, i), "area");
		if (way < 2) // pieces of a compound have walls inside them
			CHECK_NEAR(t, surface - 6.0, 2.0 * bonded, 1e-3);
		check_extras(t, &data, &scene);
		rbl_destroy_json(data.document);
		rbl_destroy_document(document);
	}
	close_folder(t);
}

// A building of scaled and moved nodes: pieces of neighbours are bonded, and the masses are those
// of what one sees.
static void nodes_are_bonded_to_each_other(test *t)
{
	if (!open_folder(t, "fracture"))
		return;
	CHECK(t, run("make building building.glb --quiet") == 0);
	CHECK(t, run("fracture building.glb --cells 3 --density 2000 -o out.glb --physics out.json "
	             "--quiet") == 0);
	physics_data data = open_physics(t, "out.json");
	double inertia[6], mass = sum_bodies(&data, (rbl_vec3d){ 0, 0, 0 }, inertia);
	int between = 0;
	for (int i = 0; i < data.bond_count; ++i) {
		const rbl_json *bond = rbl_json_item(data.bonds, i);
		const char *names[2];
		for (int k = 0; k < 2; ++k)
			names[k] = rbl_json_text(rbl_json_member(
				rbl_json_item(data.bodies, (int)number_of(bond, k ? "b" : "a")), "parent"));
		CHECK(t, names[0] && names[1]);
		between += names[0] && names[1] && strcmp(names[0], names[1]) != 0;
	}
	CHECK(t, data.body_count > 600 && between > 300);
	// The volume of the whole, as one mesh.
	CHECK(t, run("info building.glb --json >out.json") == 0);
	CHECK_NEAR(t, mass / (2000.0 * field("volume")), 1.0, 1e-4);
	rbl_destroy_json(data.document);
	close_folder(t);
}

// A scene of joints that does not break, and one that breaks.
static void check_run(test *t, const char *scene_name, bool breaks)
{
	char line[300];
	snprintf(line, sizeof line,
	         "run '%s/scenes/%s.json' -o film.glb --physics out.json --steps 150 --quiet",
	         RBL_SOURCE_DIR, scene_name);
	CHECK(t, run(line) == 0);
	physics_data data = open_physics(t, "out.json");
	rbl_document *document = NULL;
	rbl_scene scene = open_scene(t, "film.glb", &document);
	const rbl_json *materials = rbl_json_member(data.root, "materials");
	int fragments = 0, bonds = 0, shapes = 0;
	CHECK(t, rbl_json_count(materials) > 0 && data.body_count > 10);
	CHECK(t, breaks || data.joint_count > 0);
	for (int i = 0; i < data.body_count; ++i) {
		const rbl_json *body = rbl_json_item(data.bodies, i);
		int node = node_of(&scene, rbl_json_text(rbl_json_member(body, "name")));
		const char *kind = rbl_json_text(rbl_json_member(body, "kind"));
		double material = number_of(body, "material"), birth = number_of(body, "birth");
		// What vanishes in the frame it appears in is not in the film.
		CHECK(t, node >= 0 || birth > 0.0);
		CHECK(t, kind && material >= 0.0 && material < rbl_json_count(materials));
		CHECK(t, (number_of(body, "mass") > 0.0) == (kind && strcmp(kind, "dynamic") == 0));
		const rbl_json *colliders = rbl_json_member(body, "colliders");
		CHECK(t, rbl_json_count(colliders) > 0);
		bool is_fragment = rbl_json_member(body, "parent") != NULL;
		CHECK(t, !is_fragment || birth > 0.0);
		fragments += is_fragment;
		const rbl_json *own = rbl_json_member(body, "bonds");
		bonds += rbl_json_count(own);
		for (int k = 0; k < rbl_json_count(own); ++k)
			CHECK(t, number_of(rbl_json_item(own, k), "b") < rbl_json_count(colliders));
		const char *shape = rbl_json_text(rbl_json_member(rbl_json_item(colliders, 0), "shape"));
		shapes += shape && strcmp(shape, "convex") != 0;
	}
	CHECK(t, shapes > 0 && (fragments > 0) == breaks && (bonds > 0) == breaks);
	for (int i = 0; i < data.joint_count; ++i) {
		const rbl_json *joint = rbl_json_item(data.joints, i);
		const char *const ends[2] = { "a", "b" };
		CHECK(t, rbl_json_text(rbl_json_member(joint, "kind")));
		for (int k = 0; k < 2; ++k) {
			const char *name = rbl_json_text(rbl_json_member(joint, ends[k]));
			bool is_known = false;
			for (int b = 0; b < data.body_count && name; ++b)
				is_known |= strcmp(name, rbl_json_text(rbl_json_member(
											 rbl_json_item(data.bodies, b), "name"))) == 0;
			CHECK(t, is_known);
		}
	}
	rbl_destroy_json(data.document);
	rbl_destroy_document(document);
}

static void runs_tell_bodies_and_joints(test *t)
{
	if (!open_folder(t, "run"))
		return;
	check_run(t, "wrecking-ball", false);
	check_run(t, "tower-collapse", true);
	close_folder(t);
}

TEST_MAIN(TEST(pieces_add_up_to_the_cube), TEST(nodes_are_bonded_to_each_other),
          TEST(runs_tell_bodies_and_joints))
