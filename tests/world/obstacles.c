// SPDX-License-Identifier: MIT
// Bodies as obstacles of a surface: whatever breaks, moves, is baked or dies, the surface has the
// triangles that the world has, read through its public interface.

#include "../faulty_allocator.h"
#include "../test.h"
#include "breakable.h"

#include <rubble/obstacles.h>

typedef struct triangle {
	rbl_vec3 corners[3];
} triangle;

typedef struct triangles {
	triangle *list;
	int count, capacity;
} triangles;

static void put(triangles *all, const rbl_vec3 *p)
{
	if (all->count == all->capacity) {
		all->capacity = 2 * all->capacity + 1024;
		all->list = realloc(all->list, (size_t)all->capacity * sizeof *all->list);
	}
	memcpy(all->list[all->count++].corners, p, sizeof all->list->corners);
}

// Of two in a row, the one whose bits are less.
static int compare(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(triangle));
}

// What the surface has.
static triangles read_surface(const rbl_surface *surface)
{
	triangles all = { .list = NULL };
	rbl_surface_data data = rbl_surface_get_data(surface);
	for (int i = 0; i < data.triangle_end; ++i) {
		if (rbl_surface_triangle_body(surface, i).generation == 0)
			continue;
		rbl_vec3 p[3];
		for (int k = 0; k < 3; ++k)
			p[k] = data.ends[data.triangles[3 * i + k]];
		put(&all, p);
	}
	qsort(all.list, (size_t)all.count, sizeof *all.list, compare);
	return all;
}

static void put_mesh(test *t, triangles *all, const rbl_mesh *mesh, rbl_transform pose)
{
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	int count = rbl_mesh_triangle_count(mesh);
	int *corners = malloc(3 * (size_t)count * sizeof *corners + 1);
	CHECK(t, rbl_mesh_triangulate(mesh, corners, NULL) == RBL_OK);
	for (int i = 0; i < count; ++i) {
		rbl_vec3 p[3];
		for (int k = 0; k < 3; ++k)
			p[k] = rbl_transform_point(
				pose, rbl_to_f(data.positions[data.corner_vertices[corners[3 * i + k]]]));
		put(all, p);
	}
	free(corners);
}

static void put_convex(triangles *all, const rbl_convex *convex, rbl_transform pose)
{
	rbl_convex_data data = rbl_convex_get_data(convex);
	for (int f = 0; f < data.face_count; ++f)
		for (int k = data.face_starts[f] + 2; k < data.face_starts[f + 1]; ++k) {
			int at[3] = { data.face_starts[f], k - 1, k };
			rbl_vec3 p[3];
			for (int i = 0; i < 3; ++i)
				p[i] =
					rbl_transform_point(pose, rbl_to_f(data.vertices[data.corner_vertices[at[i]]]));
			put(all, p);
		}
}

// What the world has, of bodies that are compounds.
static triangles read_world(test *t, const rbl_world *world, bool has_meshes)
{
	static rbl_body_id ids[BREAKABLE_MOST];
	triangles all = { .list = NULL };
	int count = rbl_world_get_bodies(world, ids, BREAKABLE_MOST);
	for (int i = 0; i < count; ++i) {
		const rbl_compound *compound = rbl_body_get_compound(world, ids[i]);
		for (int k = 0; compound && k < rbl_compound_get_info(compound).part_end; ++k) {
			rbl_compound_part part = rbl_compound_get_part(compound, k);
			rbl_transform pose = rbl_body_pose(world, ids[i]);
			if (part.convex && part.mesh && has_meshes)
				put_mesh(t, &all, part.mesh, pose);
			else if (part.convex)
				put_convex(&all, part.convex, pose);
		}
	}
	qsort(all.list, (size_t)all.count, sizeof *all.list, compare);
	return all;
}

// @return how many triangles there are, if both have the same
static int check_same(test *t, const rbl_world *world, rbl_surface *surface, bool has_meshes)
{
	triangles a = read_world(t, world, has_meshes), b = read_surface(surface);
	int count = a.count;
	CHECK(t, a.count == b.count);
	CHECK(t, a.count == b.count && memcmp(a.list, b.list, (size_t)count * sizeof *a.list) == 0);
	free(a.list);
	free(b.list);
	return count;
}

static rbl_result make(const rbl_allocator *allocator, rbl_obstacle_shape shape,
                       rbl_surface **surface, rbl_obstacles **obstacles)
{
	rbl_surface_def surface_def = rbl_default_surface_def();
	rbl_obstacles_def def = rbl_default_obstacles_def();
	*surface = NULL, *obstacles = NULL;
	if (allocator)
		surface_def.allocator = def.allocator = *allocator;
	def.shape = shape;
	rbl_result result = rbl_create_surface(&surface_def, surface);
	return result == RBL_OK ? rbl_create_obstacles(*surface, &def, obstacles) : result;
}

static rbl_body_id drop_block(breakable *b, float x, float y)
{
	rbl_body_def def = breakable_def(b, RBL_BODY_DYNAMIC);
	def.pose.position = (rbl_vec3){ x, y, 0.1f };
	return rbl_create_body(b->s.world, &def);
}

// Blocks fall, break, and some of them die. The floor is static, and no compound: it is left out by
// its category.
static void the_surface_has_what_the_world_has(test *t)
{
	for (int shape = 0; shape < RBL_OBSTACLE_SHAPE_COUNT; ++shape) {
		breakable b;
		breakable_make(t, &b, NULL, (rbl_vec3){ 0.0f, -9.81f, 0.0f }, 3);
		rbl_body_id floor = scene_add_floor(&b.s);
		rbl_filter filter = { .category = 4, .mask = UINT32_MAX };
		rbl_body_set_filter(b.s.world, floor, filter);
		rbl_body_id blocks[3] = { drop_block(&b, 0.0f, 1.0f), drop_block(&b, 1.5f, 2.0f),
			                      drop_block(&b, -1.5f, 4.0f) };
		rbl_surface *surface;
		rbl_obstacles *obstacles;
		rbl_surface_def surface_def = rbl_default_surface_def();
		rbl_obstacles_def def = rbl_default_obstacles_def();
		def.shape = (rbl_obstacle_shape)shape;
		def.categories = ~UINT32_C(4);
		CHECK(t, rbl_create_surface(&surface_def, &surface) == RBL_OK);
		CHECK(t, rbl_create_obstacles(surface, &def, &obstacles) == RBL_OK);
		int breaks = 0, added = 0, removed = 0, checked = 0;
		for (int step = 0; step < 90; ++step) {
			CHECK(t, rbl_world_step(b.s.world, 1.0f / 60.0f) == RBL_OK);
			breaks += rbl_world_get_events(b.s.world).fracture_count;
			if (step == 40)
				rbl_destroy_body(b.s.world, blocks[2]);
			if (step == 70)
				drop_block(&b, 0.0f, 5.0f);
			if (step % 3 == 1)
				continue; // some steps are left out
			CHECK(t, rbl_obstacles_sync(obstacles, b.s.world, 1.0f / 60.0f) == RBL_OK);
			rbl_obstacles_stats stats = rbl_obstacles_get_stats(obstacles);
			added += stats.added_count, removed += stats.removed_count;
			CHECK(t, rbl_surface_update(surface, RBL_SURFACE_DISCRETE) == RBL_OK);
			checked += check_same(t, b.s.world, surface, shape == RBL_OBSTACLE_MESHES);
			CHECK(t, stats.triangle_count == rbl_surface_get_stats(surface).triangle_count);
			CHECK(t, stats.part_count == rbl_surface_get_stats(surface).body_count);
		}
		CHECK(t, breaks > 0 && added > 10 && removed > 3 && checked > 1000);
		CHECK(t, rbl_obstacles_sync(obstacles, NULL, 0.0f) == RBL_OK);
		CHECK(t, rbl_surface_get_stats(surface).body_count == 0);
		rbl_destroy_obstacles(obstacles);
		rbl_destroy_surface(surface);
		breakable_destroy(&b);
	}
}

// Triangles say which body and part they are of; what rests is not moved.
static void triangles_lead_back_to_bodies(test *t)
{
	breakable b;
	breakable_make(t, &b, NULL, (rbl_vec3){ 0.0f, -9.81f, 0.0f }, 3);
	rbl_body_id floor = scene_add_floor(&b.s), block = drop_block(&b, 0.0f, 2.0f);
	rbl_surface *surface;
	rbl_obstacles *obstacles;
	CHECK(t, make(NULL, RBL_OBSTACLE_MESHES, &surface, &obstacles) == RBL_OK);
	CHECK(t, rbl_obstacles_sync(obstacles, b.s.world, 0.0f) == RBL_OK);
	CHECK(t, rbl_obstacles_sync(obstacles, b.s.world, 0.0f) == RBL_OK);
	CHECK(t, rbl_obstacles_get_stats(obstacles).moved_count == 0);
	CHECK(t, rbl_obstacles_get_stats(obstacles).added_count == 0);
	CHECK(t, rbl_world_step(b.s.world, 1.0f / 60.0f) == RBL_OK);
	CHECK(t, rbl_obstacles_sync(obstacles, b.s.world, 1.0f / 60.0f) == RBL_OK);
	CHECK(t, rbl_obstacles_get_stats(obstacles).moved_count == 1); // one part of the block
	rbl_surface_data data = rbl_surface_get_data(surface);
	int of_floor = 0, of_block = 0;
	for (int i = 0; i < data.triangle_end; ++i) {
		rbl_surface_body_id body = rbl_surface_triangle_body(surface, i);
		rbl_obstacle of = rbl_obstacles_find(obstacles, body);
		CHECK(t, of.part == 0);
		of_floor += of.body.index == floor.index && of.body.generation == floor.generation;
		of_block += of.body.index == block.index && of.body.generation == block.generation;
		CHECK(t, rbl_surface_body_user_id(surface, body) >> 32 == of.body.index);
		CHECK(t, rbl_obstacles_part(obstacles, of.body, 0).index == body.index);
	}
	CHECK(t, of_floor == 12 && of_block == 12);
	CHECK(t, rbl_obstacles_find(obstacles, (rbl_surface_body_id){ 99, 1 }).body.generation == 0);
	// A sensor is no obstacle, and neither is what is disabled.
	CHECK(t, rbl_body_set_sensor(b.s.world, block, true) == RBL_OK);
	CHECK(t, rbl_obstacles_sync(obstacles, b.s.world, 0.0f) == RBL_OK);
	CHECK(t, rbl_obstacles_get_stats(obstacles).body_count == 1);
	rbl_destroy_obstacles(obstacles);
	CHECK(t, rbl_surface_get_stats(surface).body_count == 0);
	rbl_destroy_surface(surface);
	breakable_destroy(&b);
}

// Volume of what the surface has, if it is closed and looks outwards.
static double volume_of(const rbl_surface *surface)
{
	triangles all = read_surface(surface);
	double sum = 0.0;
	for (int i = 0; i < all.count; ++i) {
		const rbl_vec3 *p = all.list[i].corners;
		sum += rbl_dot_d(rbl_to_d(p[0]), rbl_cross_d(rbl_to_d(p[1]), rbl_to_d(p[2]))) / 6.0;
	}
	free(all.list);
	rbl_surface_data data = rbl_surface_get_data(surface);
	for (int i = 0; i < 3 * data.triangle_end; ++i)
		sum = data.twins[i] < 0 ? -1.0 : sum; // open
	return sum;
}

// Round shapes and all others that are solid are closed, of nearly the right volume.
static void all_shapes_are_closed(test *t)
{
	const double pi = 3.141592653589793;
	const struct {
		rbl_collider_kind kind;
		float radius, rounding;
		double volume;
	} kinds[] = {
		{ RBL_COLLIDER_SPHERE, 0.5f, 0.0f, pi / 6.0 },
		{ RBL_COLLIDER_CAPSULE, 0.5f, 0.0f, pi / 6.0 + pi / 4.0 },
		{ RBL_COLLIDER_BOX, 0.5f, 0.0f, 1.0 },
		{ RBL_COLLIDER_BOX, 0.5f, 0.1f, 1.0 + 0.6 + 0.03 * pi + 4.0 / 3000.0 * pi },
		{ RBL_COLLIDER_CYLINDER, 0.5f, 0.0f, pi / 4.0 },
		{ RBL_COLLIDER_CONE, 0.5f, 0.0f, pi / 12.0 },
	};
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
		scene s;
		rbl_world_def world_def = scene_def(&s, 1);
		scene_create(&s, &world_def);
		rbl_collider_def def = rbl_default_collider_def(kinds[i].kind);
		rbl_collider *collider = NULL;
		def.radius = kinds[i].radius, def.rounding = kinds[i].rounding;
		CHECK(t, rbl_create_collider(&def, &collider) == RBL_OK);
		scene_add(&s, collider, 0.2f, 0.1f, -0.3f);
		rbl_surface *surface;
		rbl_obstacles *obstacles;
		CHECK(t, make(NULL, RBL_OBSTACLE_MESHES, &surface, &obstacles) == RBL_OK);
		CHECK(t, rbl_obstacles_sync(obstacles, s.world, 0.0f) == RBL_OK);
		double volume = volume_of(surface);
		CHECK(t, volume > 0.9 * kinds[i].volume && volume < 1.001 * kinds[i].volume);
		rbl_destroy_obstacles(obstacles);
		rbl_destroy_surface(surface);
		rbl_destroy_collider(collider);
		scene_destroy(&s);
	}
}

// A call that finds no memory can be made again, and nothing leaks.
static void failed_allocations_are_survived(test *t)
{
	breakable b;
	breakable_make(t, &b, NULL, (rbl_vec3){ 0.0f, -9.81f, 0.0f }, 3);
	b.level.radius = b.rule.radius_limit = 2.0;
	rbl_body_id block = drop_block(&b, 0.0f, 2.0f);
	drop_block(&b, 2.0f, 2.0f);
	bool is_done = false;
	for (int n = 0; !is_done && n < 3000; n += 1 + n / 8) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		atomic_store(&memory.failing, 1); // one fails, and then no more
		rbl_allocator allocator = FAULTY(&memory);
		rbl_surface *surface;
		rbl_obstacles *obstacles;
		rbl_result result = make(&allocator, RBL_OBSTACLE_MESHES, &surface, &obstacles);
		if (result == RBL_OK) {
			result = rbl_obstacles_sync(obstacles, b.s.world, 0.0f);
			CHECK(t, result == RBL_OK || result == RBL_OUT_OF_MEMORY);
			if (result != RBL_OK)
				CHECK(t, rbl_obstacles_sync(obstacles, b.s.world, 0.0f) == RBL_OK);
			if (rbl_surface_update(surface, RBL_SURFACE_DISCRETE) != RBL_OK)
				CHECK(t, rbl_surface_update(surface, RBL_SURFACE_DISCRETE) == RBL_OK);
			CHECK(t, check_same(t, b.s.world, surface, true) > 0);
		}
		rbl_destroy_obstacles(obstacles);
		rbl_destroy_surface(surface);
		CHECK(t, memory.live_bytes == 0);
		is_done = !memory.failed;
		if (n == 8) { // half of them with fragments
			CHECK(t, rbl_body_damage(b.s.world, block, (rbl_vec3){ 0.0f, 2.0f, 0.0f },
			                         (rbl_vec3){ 0.0f, -1.0f, 0.0f }, INFINITY, 1e4f) == RBL_OK);
			CHECK(t, rbl_world_step(b.s.world, 1.0f / 60.0f) == RBL_OK);
			CHECK(t, rbl_world_body_count(b.s.world) > 3);
		}
	}
	CHECK(t, is_done);
	breakable_destroy(&b);
}

static void wrong_definitions_are_refused(test *t)
{
	rbl_surface *surface;
	rbl_obstacles *obstacles;
	CHECK(t, make(NULL, RBL_OBSTACLE_CONVEXES, &surface, &obstacles) == RBL_OK);
	rbl_destroy_obstacles(obstacles);
	rbl_obstacles_def def = rbl_default_obstacles_def();
	CHECK(t, rbl_create_obstacles(NULL, &def, &obstacles) == RBL_BAD_ARGUMENT && !obstacles);
	def.plane_reach = -1.0f;
	CHECK(t, rbl_create_obstacles(surface, &def, &obstacles) == RBL_BAD_ARGUMENT);
	def = rbl_default_obstacles_def();
	def.thickness = NAN;
	CHECK(t, rbl_create_obstacles(surface, &def, &obstacles) == RBL_BAD_ARGUMENT);
	def = (rbl_obstacles_def){ .cookie = 0 };
	CHECK(t, rbl_create_obstacles(surface, &def, &obstacles) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_obstacles_sync(NULL, NULL, 0.0f) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_obstacles_repeat(NULL) == RBL_BAD_ARGUMENT);
	rbl_destroy_surface(surface);
}

TEST_MAIN(TEST(the_surface_has_what_the_world_has), TEST(triangles_lead_back_to_bodies),
          TEST(all_shapes_are_closed), TEST(failed_allocations_are_survived),
          TEST(wrong_definitions_are_refused))
