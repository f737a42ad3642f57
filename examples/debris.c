// SPDX-License-Identifier: MIT
// Breaks a column and writes it as an animated .glb: large fragments as bodies, and small debris as
// spheres that hardly rotate, drawn with a few stones that all of it shares.
//
//     debris [OUT.glb]

#include <rubble/io.h>
#include <rubble/rubble.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SHAPES = 3, SIZES = 4, MAX_OBJECTS = 8192, MOST_TRIANGLES = 100000, STEPS = 240 };

static const double MIN_BODY_SIZE =
	0.09;                              // metres: smaller pieces are debris, and debris is smaller
static const float NO_ROLLING = 12.0f; // angular damping: stones must not roll like balls

// Debris of one size: a sphere collider, and meshes of stones.
typedef struct grain {
	float radius;
	rbl_collider *collider;
	int meshes[SHAPES]; // in the film
} grain;

typedef struct show {
	rbl_world *world;
	rbl_film *film;
	grain grains[SIZES];
	rbl_collider *ground;
	int objects[MAX_OBJECTS]; // in the film, by the body's user value
	int body_count, debris_count;
	uint64_t random;
} show;

static void print_log(void *user, rbl_log_level level, const char *text)
{
	(void)user;
	if (level != RBL_LOG_INFO)
		fprintf(stderr, "debris: %s\n", text);
}

static double random_range(show *s, double low, double high)
{
	s->random = s->random * 6364136223846793005u + 1442695040888963407u;
	return low + (high - low) * (double)(s->random >> 40) / 16777216.0;
}

// A mesh in one colour with flat faces, and other positions unless they are NULL. The mesh goes.
static rbl_mesh *paint(rbl_mesh *mesh, const rbl_vec3d *positions)
{
	rbl_mesh_def def = rbl_default_mesh_def();
	rbl_mesh_material stone = { .name = "debris", .roughness = 0.9f };
	rbl_mesh *painted = NULL;
	stone.base_color = (rbl_vec4){ 0.66f, 0.61f, 0.53f, 1.0f }; // as the column's marble
	def.data = rbl_mesh_get_data(mesh);
	def.data.materials = &stone, def.data.material_count = 1;
	def.data.face_materials = NULL;
	rbl_vec3 *normals = malloc((size_t)def.data.corner_count * sizeof *normals + 1);
	if (normals && rbl_mesh_compute_normals(mesh, 0.0f, normals) == RBL_OK) {
		def.data.corner_normals = normals;
		def.data.positions = positions ? positions : def.data.positions;
		rbl_create_mesh(&def, &painted);
	}
	free(normals);
	rbl_destroy_mesh(mesh);
	return painted;
}

// A rough stone around the origin: an icosphere pushed in here and out there.
static rbl_mesh *make_stone(show *s, double radius)
{
	rbl_icosphere_def def = rbl_default_icosphere_def();
	def.radius = radius;
	def.subdivisions = 1;
	rbl_mesh *ball = NULL;
	if (rbl_create_icosphere_mesh(&def, &ball) != RBL_OK)
		return NULL;
	rbl_mesh_data data = rbl_mesh_get_data(ball);
	rbl_vec3d *positions = malloc((size_t)data.vertex_count * sizeof *positions);
	for (int v = 0; positions && v < data.vertex_count; ++v) {
		rbl_vec3d p = data.positions[v];
		double scale = random_range(s, 0.7, 1.2);
		positions[v] = (rbl_vec3d){ scale * p.x, scale * p.y, scale * p.z };
	}
	rbl_mesh *stone = paint(ball, positions);
	free(positions);
	return stone;
}

static bool make_grains(show *s)
{
	for (int i = 0; i < SIZES; ++i) {
		grain *g = &s->grains[i];
		g->radius = (float)(0.5 * MIN_BODY_SIZE / (double)(1 << i));
		rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_SPHERE);
		def.radius = g->radius;
		if (rbl_create_collider(&def, &g->collider) != RBL_OK)
			return false;
		for (int k = 0; k < SHAPES; ++k) {
			rbl_mesh *stone = make_stone(s, (double)g->radius);
			if (!stone || rbl_film_add_mesh(s->film, stone, &g->meshes[k]) != RBL_OK)
				return false;
		}
	}
	return true;
}

// A piece of debris, of the size that is nearest.
static bool add_debris(show *s, rbl_vec3d at, rbl_vec3 velocity, double radius, int shape)
{
	int size = 0;
	while (size + 1 < SIZES && radius < 0.75 * (double)s->grains[size].radius)
		size++;
	rbl_body_def def = rbl_default_body_def();
	def.collider = s->grains[size].collider;
	def.pose = (rbl_transform){ { (float)at.x, (float)at.y, (float)at.z }, { 0, 0, 0, 1 } };
	def.velocity = velocity;
	def.material.density = 2400.0f;
	def.angular_damping = NO_ROLLING;
	def.user = (uint64_t)s->body_count;
	if (s->body_count == MAX_OBJECTS || rbl_body_id_is_null(rbl_create_body(s->world, &def)))
		return false;
	s->debris_count++;
	return rbl_film_add_object(s->film, s->grains[size].meshes[shape % SHAPES], def.pose,
	                           &s->objects[s->body_count++]) == RBL_OK;
}

// The mesh of a part; parts without one come from inside.
static rbl_mesh *look_of(const rbl_compound_part *part)
{
	rbl_mesh *look = NULL;
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = rbl_mesh_get_data(part->mesh);
	if (part->mesh)
		rbl_create_mesh(&def, &look);
	else if (rbl_convex_create_mesh(part->convex, NULL, &look) == RBL_OK)
		look = paint(look, NULL);
	return look;
}

// Add a compound as a body, each part with its mesh. The world owns the compound.
static bool add_compound(show *s, rbl_compound *compound, rbl_body_kind kind, rbl_vec3 velocity)
{
	rbl_body_def def = rbl_default_body_def();
	def.kind = kind;
	def.compound = compound;
	def.velocity = velocity;
	def.material.density = 2400.0f;
	def.user = (uint64_t)s->body_count;
	if (s->body_count == MAX_OBJECTS)
		return false;
	const rbl_transform here = { { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f, 1.0f } };
	int *object = &s->objects[s->body_count++], seen = 0;
	for (int i = 0; i < rbl_compound_get_info(compound).part_end; ++i) {
		rbl_compound_part part = rbl_compound_get_part(compound, i);
		rbl_mesh *look = part.convex ? look_of(&part) : NULL;
		int mesh, number;
		if (!part.convex)
			continue;
		if (!look || rbl_film_add_mesh(s->film, look, &mesh) != RBL_OK)
			return false;
		// The others move with the first.
		rbl_result result = seen++ == 0 ? rbl_film_add_object(s->film, mesh, def.pose, object)
		                                : rbl_film_add_part(s->film, *object, mesh, here, &number);
		if (result != RBL_OK)
			return false;
	}
	return !rbl_body_id_is_null(rbl_create_body(s->world, &def));
}

static rbl_compound *make_column(void)
{
	rbl_column_def column = rbl_default_column_def();
	rbl_prepare_def def = rbl_default_prepare_def();
	rbl_mesh *mesh = NULL;
	rbl_asset *asset = NULL;
	rbl_compound *compound = NULL;
	def.node_count = 12;
	if (rbl_create_column_mesh(&column, &mesh) == RBL_OK &&
	    rbl_prepare(mesh, &def, &asset) == RBL_OK)
		rbl_asset_create_compound(asset, NULL, &compound);
	rbl_destroy_asset(asset);
	rbl_destroy_mesh(mesh);
	return compound;
}

// Debris on exposed faces, flying off them.
static bool shed(show *s, const rbl_break *broken, const rbl_compound *rest)
{
	rbl_exposed_triangle *faces = malloc(MOST_TRIANGLES * sizeof *faces);
	rbl_particle *particles = malloc(MAX_OBJECTS * sizeof *particles);
	rbl_particle_def def = rbl_default_particle_def();
	def.density = 400.0; // points are left out: they are the renderer's
	def.instance_count = SHAPES;
	def.min_radius = (double)s->grains[SIZES - 1].radius;
	def.max_radius = (double)s->grains[0].radius;
	int face_count = 0, count = 0;
	bool ok =
		faces && particles &&
		rbl_break_get_exposed_triangles(broken, rest, faces, MOST_TRIANGLES, &face_count) ==
			RBL_OK &&
		face_count <= MOST_TRIANGLES &&
		rbl_sample_particles(faces, face_count, &def, particles, MAX_OBJECTS, &count) == RBL_OK;
	for (int i = 0; ok && i < count && i < MAX_OBJECTS; ++i) {
		const rbl_particle *p = &particles[i];
		float speed = (float)random_range(s, 0.3, 1.5);
		rbl_vec3 velocity = { speed * p->normal.x, speed * p->normal.y, speed * p->normal.z };
		if (p->radius > 0.0f)
			ok = add_debris(s, p->position, velocity, (double)p->radius, p->instance);
	}
	free(particles);
	free(faces);
	return ok;
}

// Hit the column: fragments fly away from the hit.
static bool strike(show *s, rbl_compound *column)
{
	rbl_pattern_def pattern_def = rbl_default_pattern_def();
	pattern_def.kind = RBL_PATTERN_IMPACT;
	pattern_def.size = (rbl_vec3d){ 2.0, 2.0, 2.0 };
	pattern_def.cell_count = 150;
	rbl_pattern *pattern = NULL;
	rbl_break *broken = NULL;
	rbl_break_def def = rbl_default_break_def();
	def.position = (rbl_vec3d){ 0.3, 1.2, 0.0 };
	def.radius = 0.45;
	bool ok = rbl_create_pattern(&pattern_def, &pattern) == RBL_OK;
	def.pattern = pattern;
	ok = ok && rbl_compound_break(column, &def, &broken) == RBL_OK && shed(s, broken, column);
	rbl_dust_fragment small[512];
	int count = rbl_break_take_dust(broken, MIN_BODY_SIZE, NULL, small, 512);
	for (int i = 0; ok && i < count; ++i) {
		float speed = (float)random_range(s, 0.5, 2.0);
		ok = add_debris(s, small[i].position, (rbl_vec3){ speed, 0.5f * speed, 0.0f },
		                small[i].radius, i);
	}
	for (int i = 0; ok && i < rbl_break_get_data(broken).compound_count; ++i) {
		rbl_compound *chip = rbl_break_take(broken, i);
		if (chip) // the others are debris now
			ok = add_compound(s, chip, RBL_BODY_DYNAMIC, (rbl_vec3){ 1.0f, 0.3f, 0.0f });
	}
	rbl_destroy_break(broken);
	rbl_destroy_pattern(pattern);
	return ok;
}

static bool build(show *s)
{
	rbl_world_def world_def = rbl_default_world_def();
	rbl_film_def film_def = rbl_default_film_def();
	rbl_collider_def ground_def = rbl_default_collider_def(RBL_COLLIDER_BOX);
	ground_def.half_size = (rbl_vec3){ 20.0f, 0.5f, 20.0f };
	rbl_body_def ground = rbl_default_body_def();
	rbl_compound *column = make_column();
	bool ok = column && rbl_create_world(&world_def, &s->world) == RBL_OK &&
	          rbl_create_film(&film_def, &s->film) == RBL_OK &&
	          rbl_create_collider(&ground_def, &s->ground) == RBL_OK && make_grains(s);
	ground.kind = RBL_BODY_STATIC;
	ground.collider = s->ground;
	ground.pose.position.y = -0.5f;
	ground.user = MAX_OBJECTS;
	ok = ok && !rbl_body_id_is_null(rbl_create_body(s->world, &ground)) && strike(s, column);
	if (ok && add_compound(s, column, RBL_BODY_STATIC, (rbl_vec3){ 0, 0, 0 }))
		return true;
	if (!ok)
		rbl_destroy_compound(column);
	return false;
}

static bool film_frame(show *s, int step)
{
	static rbl_move_event moves[MAX_OBJECTS];
	bool ok = rbl_film_begin_frame(s->film, (float)step / 60.0f) == RBL_OK;
	int count = rbl_world_get_moves(s->world, moves, MAX_OBJECTS);
	for (int i = 0; ok && i < count; ++i)
		ok = rbl_film_move(s->film, s->objects[moves[i].user], moves[i].pose) == RBL_OK;
	return ok;
}

int main(int argc, char **argv)
{
	const char *path = argc > 1 ? argv[1] : "debris.glb";
	static show s = { .random = 5 };
	rbl_set_log(print_log, NULL);
	bool ok = build(&s);
	for (int i = 1; ok && i <= STEPS; ++i)
		ok = rbl_world_step(s.world, 1.0f / 60.0f) == RBL_OK && film_frame(&s, i);
	ok = ok && rbl_write_film(path, s.film, NULL) == RBL_OK;
	if (ok)
		printf("%d pieces as bodies, %d as debris of %d meshes: %d awake after %d steps; %s\n",
		       s.body_count - s.debris_count - 1, s.debris_count, SHAPES * SIZES,
		       rbl_world_get_stats(s.world).awake_count, STEPS, path);
	rbl_destroy_world(s.world);
	rbl_destroy_film(s.film);
	rbl_destroy_collider(s.ground);
	for (int i = 0; i < SIZES; ++i)
		rbl_destroy_collider(s.grains[i].collider);
	return ok ? 0 : 1;
}
