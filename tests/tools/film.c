// SPDX-License-Identifier: MIT
// ctest: native soak
//
// The films of `rubble run`: what a viewer shows between keys is what moved, nothing in the file is
// without use, glass breaks into glass, and what was smooth stays so.
//
// The true motion comes from the recording of the same run. Bodies are known at the ends of steps;
// between two steps a body's centre of mass goes evenly and the body turns evenly about it, as
// often as its angular velocity says. At full size (RBL_SOAK=1) scenes run to their end, the arena
// among them.

#define _POSIX_C_SOURCE 200809L

#include "command.h"
#include "film_file.h"

#include <rubble/recording.h>
#include <rubble/rubble.h>

static unsigned char *read_bytes(const char *name, size_t *size)
{
	char path[100];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *file = fopen(path, "rb");
	unsigned char *bytes = NULL;
	*size = 0;
	if (file && fseek(file, 0, SEEK_END) == 0) {
		*size = (size_t)ftell(file);
		rewind(file);
		bytes = malloc(*size + 1);
		*size = bytes ? fread(bytes, 1, *size, file) : 0;
	}
	if (file)
		fclose(file);
	return bytes;
}

// --- the true motion -------------------------------------------------------------------------

typedef struct motion_state {
	uint32_t generation;
	bool exists;
	rbl_transformd pose;
	rbl_vec3d centre; // of mass, in the shape's coordinates
	rbl_vec3d angular_velocity;
} motion_state;

/// Something that a node may show: a body, or a part of one.
typedef struct motion_shape {
	uint32_t body, generation;
	rbl_vec3d centre, size; // in the body's coordinates
	bool has_size;
} motion_shape;

typedef struct motion_node {
	bool is_bound;
	int tries;
	uint32_t body, generation;
	rbl_vec3d centre;
} motion_node;

typedef struct motion {
	const film_file *file;
	rbl_replay *replay;
	motion_state *before, *now; // by the index of the body
	int state_capacity;
	rbl_body_id *bodies;
	int body_count;
	motion_shape *shapes;
	int shape_count, shape_capacity;
	motion_node *nodes;
	double dt;
	int step;
	int bound_count, lost_count;
	long sample_count, off_count[2]; // off by more than 1 % of the size, per viewer
	double worst[2], worst_metres[2], worst_time[2];
} motion;

static rbl_transformd to_double(rbl_transform pose)
{
	rbl_quat q = pose.rotation;
	return (rbl_transformd){ rbl_to_d(pose.position),
		                     rbl_quat_normalize_d((rbl_quatd){ (double)q.x, (double)q.y,
		                                                       (double)q.z, (double)q.w }) };
}

static void take_states(test *t, motion *m)
{
	const rbl_world *world = rbl_replay_get_world(m->replay);
	motion_state *swap = m->before;
	m->before = m->now, m->now = swap;
	m->body_count = rbl_world_body_count(world);
	m->bodies = realloc(m->bodies, (size_t)m->body_count * sizeof *m->bodies + 1);
	rbl_world_get_bodies(world, m->bodies, m->body_count);
	uint32_t end = 0;
	for (int i = 0; i < m->body_count; ++i)
		end = m->bodies[i].index >= end ? m->bodies[i].index + 1 : end;
	if ((int)end > m->state_capacity) {
		size_t old = (size_t)m->state_capacity, wanted = 2 * (size_t)end;
		m->now = realloc(m->now, wanted * sizeof *m->now);
		m->before = realloc(m->before, wanted * sizeof *m->before);
		memset(m->before + old, 0, (wanted - old) * sizeof *m->before);
		m->state_capacity = (int)wanted;
	}
	memset(m->now, 0, (size_t)m->state_capacity * sizeof *m->now);
	for (int i = 0; i < m->body_count; ++i) {
		rbl_body_state state = rbl_body_get_state(world, m->bodies[i]);
		m->now[m->bodies[i].index] =
			(motion_state){ .generation = m->bodies[i].generation,
			                .exists = true,
			                .pose = to_double(state.pose),
			                .centre = rbl_to_d(rbl_body_get_mass(world, m->bodies[i]).centre),
			                .angular_velocity = rbl_to_d(state.angular_velocity) };
	}
	// What broke up altogether was where its fragments are.
	rbl_events events = rbl_world_get_events(world);
	for (int i = 0; i < events.fracture_count; ++i) {
		const rbl_fracture_event *event = &events.fractures[i];
		for (int k = 0; k < event->new_count && !event->survives; ++k) {
			if (!rbl_body_exists(world, event->new_bodies[k]))
				continue;
			const motion_state *of = &m->now[event->new_bodies[k].index];
			motion_state *gone = &m->now[event->parent.index];
			CHECK(t, (int)event->parent.index < m->state_capacity);
			if (!gone->exists)
				*gone = *of, gone->generation = event->parent.generation;
			break;
		}
	}
}

static void add_shape(motion *m, motion_shape shape)
{
	if (m->shape_count == m->shape_capacity) {
		m->shape_capacity = 2 * m->shape_capacity + 1024;
		m->shapes = realloc(m->shapes, (size_t)m->shape_capacity * sizeof *m->shapes);
	}
	m->shapes[m->shape_count++] = shape;
}

// All that may be seen now: bodies, and the parts of compounds.
static void take_shapes(motion *m)
{
	const rbl_world *world = rbl_replay_get_world(m->replay);
	m->shape_count = 0;
	for (int i = 0; i < m->body_count; ++i) {
		rbl_body_id id = m->bodies[i];
		motion_shape whole = {
			id.index, id.generation, m->now[id.index].centre, { 0, 0, 0 }, false
		};
		const rbl_compound *compound = rbl_body_get_compound(world, id);
		rbl_compound_info info = rbl_compound_get_info(compound);
		rbl_boxd box = rbl_box_empty_d();
		for (int k = 0; compound && k < info.part_end; ++k) {
			rbl_compound_part part = rbl_compound_get_part(compound, k);
			if (!part.convex)
				continue;
			motion_shape one = whole;
			rbl_convex_data convex = rbl_convex_get_data(part.convex);
			rbl_boxd own = part.mesh ? rbl_mesh_bounds(part.mesh) : rbl_box_empty_d();
			for (int v = 0; v < convex.vertex_count && !part.mesh; ++v)
				own = rbl_box_add_point_d(own, convex.vertices[v]);
			one.centre =
				(part.mesh ? rbl_mesh_get_mass(part.mesh) : rbl_convex_get_mass(part.convex))
					.centre;
			one.size = rbl_box_size_d(own), one.has_size = true;
			box = rbl_box_join_d(box, own);
			if (info.part_count > 1)
				add_shape(m, one);
		}
		if (compound) {
			whole.centre = rbl_compound_get_visual_mass(compound).centre;
			whole.size = rbl_box_size_d(box), whole.has_size = true;
		}
		add_shape(m, whole);
	}
}

// Find out what a node shows that has just appeared.
static void bind_node(motion *m, int index, double time)
{
	const film_mesh *mesh = &m->file->meshes[m->file->nodes[index].mesh];
	motion_node *node = &m->nodes[index];
	rbl_transformd pose;
	if (!film_pose(m->file, index, time, FILM_SLERP, &pose))
		return;
	rbl_vec3d at = rbl_transform_point_d(pose, mesh->centre);
	double nearest = 0.05 * mesh->size + 0.005;
	for (int i = 0; i < m->shape_count; ++i) {
		const motion_shape *shape = &m->shapes[i];
		rbl_vec3d off = rbl_sub_d(shape->size, rbl_box_size_d(mesh->box));
		if (shape->has_size && rbl_length_d(off) > 1e-3 * mesh->size)
			continue;
		rbl_vec3d there = rbl_transform_point_d(m->now[shape->body].pose, shape->centre);
		double distance = rbl_length_d(rbl_sub_d(there, at));
		if (distance >= nearest)
			continue;
		nearest = distance;
		*node = (motion_node){ true, 0, shape->body, shape->generation, shape->centre };
	}
	m->bound_count += node->is_bound;
	if (node->is_bound || ++node->tries < 2) // what is thrown in is seen from the step before on
		return;
	node->body = UINT32_MAX, node->is_bound = true;
	m->lost_count++;
}

// Where the shape of a body is at a share of the last step.
static rbl_transformd true_pose(const motion *m, uint32_t body, double share)
{
	const motion_state *a = &m->before[body], *b = &m->now[body];
	rbl_quatd turn = rbl_quat_mul_d(b->pose.rotation, rbl_quat_conjugate_d(a->pose.rotation));
	if (turn.w < 0.0)
		turn = (rbl_quatd){ -turn.x, -turn.y, -turn.z, -turn.w };
	rbl_vec3d axis = { turn.x, turn.y, turn.z };
	double angle = 2.0 * rbl_atan2(rbl_length_d(axis), turn.w);
	rbl_vec3d guess = rbl_scale_d(0.5 * m->dt, rbl_add_d(a->angular_velocity, b->angular_velocity));
	axis = rbl_normalize_d(rbl_length_d(axis) > 1e-9 ? axis : guess);
	const double circle = 6.283185307179586;
	angle += circle * floor((rbl_dot_d(guess, axis) - angle) / circle + 0.5);
	rbl_transformd pose;
	pose.rotation =
		rbl_quat_mul_d(rbl_quat_from_axis_angle_d(axis, share * angle), a->pose.rotation);
	rbl_vec3d from = rbl_transform_point_d(a->pose, a->centre),
			  to = rbl_transform_point_d(b->pose, a->centre);
	pose.position = rbl_sub_d(rbl_add_scaled_d(from, share, rbl_sub_d(to, from)),
	                          rbl_rotate_d(pose.rotation, a->centre));
	return pose;
}

// Compare a node with its body at ten moments of the last step.
static void compare_node(motion *m, int index)
{
	enum { MOMENTS = 10 };
	const motion_node *node = &m->nodes[index];
	const motion_state *a = &m->before[node->body], *b = &m->now[node->body];
	if (!a->exists || a->generation != node->generation || !b->exists ||
	    b->generation != node->generation || memcmp(&a->pose, &b->pose, sizeof a->pose) == 0)
		return;
	const film_mesh *mesh = &m->file->meshes[m->file->nodes[index].mesh];
	for (int k = 0; k < MOMENTS; ++k) {
		double share = (k + 0.5) / MOMENTS, time = m->dt * (m->step - 1 + share);
		rbl_transformd truth = true_pose(m, node->body, share), shown;
		for (int viewer = 0; viewer < 2; ++viewer) {
			if (!film_pose(m->file, index, time, (film_viewer)viewer, &shown))
				return;
			m->sample_count += viewer == 0;
			double worst = 0.0;
			for (int v = 0; v < mesh->vertex_count; ++v) {
				rbl_vec3d p = film_vertex(mesh, v);
				rbl_vec3d there = rbl_transform_point_d(shown, p);
				p = rbl_add_d(node->centre, rbl_sub_d(p, mesh->centre));
				p = rbl_transform_point_d(truth, p);
				worst = rbl_maxd(worst, rbl_length_d(rbl_sub_d(p, there)));
			}
			m->off_count[viewer] += worst > 0.01 * mesh->size;
			if (worst / mesh->size > m->worst[viewer]) {
				m->worst[viewer] = worst / mesh->size, m->worst_metres[viewer] = worst;
				m->worst_time[viewer] = time;
			}
		}
	}
}

static void follow_motion(test *t, motion *m, int step_count)
{
	rbl_replay_report report;
	for (m->step = 1; m->step <= step_count; ++m->step) {
		CHECK(t, rbl_replay_step(m->replay, &report) == RBL_OK && !report.differs);
		if (report.is_over)
			break;
		take_states(t, m);
		bool has_shapes = false;
		double after = m->dt * (m->step + 1e-3);
		for (int i = 0; i < m->file->node_count; ++i) {
			rbl_transformd pose;
			if (m->file->nodes[i].mesh < 0)
				continue;
			if (m->nodes[i].is_bound && m->nodes[i].body != UINT32_MAX) {
				compare_node(m, i);
			} else if (!m->nodes[i].is_bound && film_pose(m->file, i, after, FILM_SLERP, &pose)) {
				if (!has_shapes)
					take_shapes(m);
				has_shapes = true;
				bind_node(m, i, after);
			}
		}
	}
	CHECK(t, m->step == step_count + 1);
}

static void compare_scene(test *t, const char *name, int step_count, double dt)
{
	char line[500];
	size_t film_size, record_size;
	snprintf(line, sizeof line,
	         "run " RBL_SOURCE_DIR
	         "/scenes/%s.json -o a.glb --record a.rblr --steps %d --workers 2",
	         name, step_count);
	CHECK(t, run(line) == 0);
	if (t->failures > 0)
		return;
	unsigned char *film = read_bytes("a.glb", &film_size);
	unsigned char *record = read_bytes("a.rblr", &record_size);
	CHECK(t, film && record && film_size > 1000);
	if (!film || !record || film_size <= 1000)
		return;
	rbl_world_def def = rbl_default_world_def();
	rbl_sources sources = rbl_default_sources();
	film_file file = film_open(t, film, film_size);
	motion m = { .file = &file, .dt = dt };
	CHECK(t, rbl_create_replay(record, record_size, &def, &sources, &m.replay) == RBL_OK);
	if (!m.replay)
		return;
	m.nodes = calloc((size_t)file.node_count + 1, sizeof *m.nodes);
	follow_motion(t, &m, step_count);
	printf("%s: %ld samples of %d nodes (%d without a body); of their size off by more than 1 %%: "
	       "%ld, %ld if lerped; at worst %.3f (%.4f m, at %.3f s), %.3f if lerped; %zu bytes\n",
	       name, m.sample_count, m.bound_count, m.lost_count, m.off_count[0], m.off_count[1],
	       m.worst[0], m.worst_metres[0], m.worst_time[0], m.worst[1], film_size);
	CHECK(t, m.lost_count == 0 && m.sample_count > 10000);
	CHECK(t, 100 * m.off_count[0] <= m.sample_count && 100 * m.off_count[1] <= m.sample_count);
	CHECK(t, m.worst[0] < 0.25 && m.worst[1] < 0.25);
	rbl_destroy_replay(m.replay);
	film_close(&file);
	free(m.before);
	free(m.now);
	free(m.bodies);
	free(m.shapes);
	free(m.nodes);
	free(film);
	free(record);
}

// Of fragments, at ten times the rate of the steps, off by less than 1 % of their size.
static void films_show_the_true_motion_between_keys(test *t)
{
	if (!open_folder(t, "run"))
		return;
	compare_scene(t, "tower-collapse", test_count(200, 720), 1.0 / 60.0);
	compare_scene(t, "window", test_count(90, 300), 0.008333333);
	compare_scene(t, "bricks", test_count(100, 480), 1.0 / 60.0);
	compare_scene(t, "wall", test_count(60, 480), 1.0 / 60.0);
	if (test_count(0, 1))
		compare_scene(t, "arena", 420, 1.0 / 60.0);
	close_folder(t);
}

// --- what is in the file -----------------------------------------------------------------------

/// Open the film a.glb of the folder. @param bytes  receives what it is read from, to be freed
static film_file open_film(test *t, unsigned char **bytes)
{
	size_t size;
	*bytes = read_bytes("a.glb", &size);
	CHECK(t, *bytes && size > 1000);
	return film_open(t, *bytes, size);
}

static const char *material_name(const film_file *file, int material)
{
	return rbl_json_text(rbl_json_member(film_item(file, "materials", material), "name"));
}

// Every mesh is some node's, every material some face's, every accessor somebody's; no two
// materials have one name.
static void nothing_in_a_film_is_without_use(test *t)
{
	static const char *const names[] = { "tower-collapse", "window", "bricks" };
	if (!open_folder(t, "run"))
		return;
	for (int i = 0; i < 3; ++i) {
		char line[500];
		snprintf(line, sizeof line, "run " RBL_SOURCE_DIR "/scenes/%s.json -o a.glb --steps 105",
		         names[i]);
		CHECK(t, run(line) == 0);
		unsigned char *bytes;
		film_file file = open_film(t, &bytes);
		int materials = film_list_size(&file, "materials");
		int *uses = calloc((size_t)(file.mesh_count + materials) + 1, sizeof *uses);
		for (int n = 0; n < file.node_count; ++n)
			if (file.nodes[n].mesh >= 0)
				uses[file.nodes[n].mesh]++;
		for (int m = 0; m < file.mesh_count; ++m)
			for (int k = 0; k < file.meshes[m].triangle_count; ++k)
				uses[file.mesh_count + file.meshes[m].materials[k]]++;
		for (int k = 0; k < file.mesh_count + materials; ++k)
			CHECK(t, uses[k] > 0);
		for (int a = 0; a < materials; ++a)
			for (int b = 0; b < a; ++b)
				CHECK(t, strcmp(material_name(&file, a), material_name(&file, b)) != 0);
		CHECK(t, file.unused_accessors == 0 && materials > 0);
		free(uses);
		film_close(&file);
		free(bytes);
	}
	close_folder(t);
}

// What the pane breaks into is as transparent on its cut faces as it is outside.
static void glass_breaks_into_glass(test *t)
{
	if (!open_folder(t, "run"))
		return;
	CHECK(t, run("run " RBL_SOURCE_DIR "/scenes/window.json -o a.glb --steps 60") == 0);
	unsigned char *bytes;
	film_file file = open_film(t, &bytes);
	int glass = 0, cut = 0;
	for (int i = 0; i < film_list_size(&file, "materials"); ++i) {
		const rbl_json *material = film_item(&file, "materials", i);
		const rbl_json *alpha = rbl_json_member(material, "alphaMode");
		bool is_cut = strcmp(material_name(&file, i), "inner") == 0;
		if (!is_cut && strcmp(material_name(&file, i), "glass") != 0)
			continue;
		float color[4] = { 0 };
		film_numbers(rbl_json_member(material, "pbrMetallicRoughness"), "baseColorFactor", 4,
		             color);
		CHECK(t, alpha && strcmp(rbl_json_text(alpha), "BLEND") == 0);
		CHECK_NEAR(t, color[3], 0.35, 1e-6);
		for (int m = 0; m < file.mesh_count; ++m)
			for (int k = 0; k < file.meshes[m].triangle_count; ++k)
				*(is_cut ? &cut : &glass) += file.meshes[m].materials[k] == i;
	}
	CHECK(t, glass > 100 && cut > 100);
	film_close(&file);
	free(bytes);
	close_folder(t);
}

static double normal_angle(const film_mesh *mesh, int vertex, rbl_vec3d other)
{
	const float *n = mesh->normals + 3 * vertex;
	rbl_vec3d normal = { (double)n[0], (double)n[1], (double)n[2] };
	return rbl_acos(rbl_clampd(rbl_dot_d(normal, other), -1.0, 1.0));
}

// A ball from a file without normals is smooth, and so is what it breaks into; cut faces are flat.
// Triangles of the surface share their vertices.
static void what_was_smooth_stays_smooth(test *t)
{
	if (!open_folder(t, "run"))
		return;
	static const char scene[] =
		"{\"version\":2,\"step_count\":50,"
		"\"materials\":{\"clay\":{\"break_energy\":20,\"cell_count\":20},\"ground\":{}},"
		"\"models\":{\"ball\":{\"file\":\"ball.stl\"},\"floor\":{\"box\":[9,1,9]}},"
		"\"instances\":[{\"model\":\"ball\",\"material\":\"clay\",\"position\":[0,2,0],"
		"\"velocity\":[0,-8,0]},"
		"{\"model\":\"floor\",\"material\":\"ground\",\"position\":[0,-0.5,0],\"kind\":\"static\"}]"
		"}";
	write_file("ball.json", scene, strlen(scene));
	CHECK(t, run("make icosphere ball.stl --detail 4") == 0);
	CHECK(t, run("run ball.json -o a.glb") == 0);
	unsigned char *bytes;
	film_file file = open_film(t, &bytes);
	int fragments = 0, smooth = 0, flat = 0, corners = 0;
	for (int m = 0; m < file.mesh_count; ++m) {
		const film_mesh *mesh = &file.meshes[m];
		if (mesh->size > 0.99 * sqrt(3.0)) // the floor, and the ball before it breaks
			continue;
		bool *is_used = calloc((size_t)mesh->vertex_count + 1, sizeof *is_used);
		CHECK(t, mesh->normals != NULL);
		for (int i = 0; i < mesh->triangle_count; ++i) {
			const int *v = mesh->triangles + 3 * i;
			rbl_vec3d p = film_vertex(mesh, v[0]);
			rbl_vec3d normal = rbl_normalize_d(rbl_cross_d(rbl_sub_d(film_vertex(mesh, v[1]), p),
			                                               rbl_sub_d(film_vertex(mesh, v[2]), p)));
			double most = 0.0;
			for (int k = 0; k < 3; ++k)
				most = rbl_maxd(most, normal_angle(mesh, v[k], normal));
			flat += most < 0.005;
			smooth += most >= 0.005 && most < 0.15;
			for (int k = 0; k < 3 && most >= 0.005; ++k) {
				corners += !is_used[v[k]];
				is_used[v[k]] = true;
			}
		}
		fragments++;
		free(is_used);
	}
	// Slivers of cut triangles have normals that rounding turns: not all are one or the other.
	CHECK(t, fragments > 5 && smooth > 3000 && flat > 100 && corners < smooth);
	if (!(fragments > 5 && smooth > 3000 && flat > 100 && corners < smooth))
		printf("%d fragments, %d smooth triangles of %d vertices, %d flat\n", fragments, smooth,
		       corners, flat);
	film_close(&file);
	free(bytes);
	close_folder(t);
}

// A box in the air falls, unless its gravity or its axes are taken away.
static void instances_move_as_their_keys_say(test *t)
{
	static const struct {
		const char *keys;
		bool moves;
	} cases[] = {
		{ "", true },
		{ ",\"gravity_scale\":0", false },
		{ ",\"gravity_scale\":-1", true },
		{ ",\"lock_translation\":[0,1,0]", false },
		{ ",\"lock_translation\":[1,0,1]", true },
		{ ",\"gravity_scale\":0,\"angular_velocity\":[0,3,0]", true },
		{ ",\"gravity_scale\":0,\"angular_velocity\":[0,3,0],\"lock_rotation\":[0,1,0]", false },
		{ ",\"linear_damping\":2,\"angular_damping\":1,\"bullet\":true", true },
	};
	if (!open_folder(t, "run"))
		return;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
		char scene[700];
		snprintf(scene, sizeof scene,
		         "{\"version\":2,\"step_count\":30,\"materials\":{\"stone\":{}},"
		         "\"models\":{\"box\":{\"box\":[1,1,1]}},\"instances\":[{\"model\":\"box\","
		         "\"material\":\"stone\",\"position\":[0,9,0]%s}]}",
		         cases[i].keys);
		write_file("box.json", scene, strlen(scene));
		CHECK(t, run("run box.json -o a.glb") == 0);
		unsigned char *bytes;
		film_file file = open_film(t, &bytes);
		CHECK(t, (film_list_size(&file, "animations") > 0) == cases[i].moves);
		film_close(&file);
		free(bytes);
	}
	close_folder(t);
}

TEST_MAIN(TEST(nothing_in_a_film_is_without_use), TEST(glass_breaks_into_glass),
          TEST(what_was_smooth_stays_smooth), TEST(instances_move_as_their_keys_say),
          TEST(films_show_the_true_motion_between_keys))
