// SPDX-License-Identifier: MIT
// ctest: soak
// Pieces of a body that is certified apart are certified, too, and nothing is lost by it.

#include "surface/reference.h"

#include "base/math.h"
#include "surface/comparison.h"
#include "surface/certificate.h"
#include "surface/surface_kernels.h"

#include <rubble/surface.h>

enum { MOST_PIECES = 5, MOST_BODIES = 64 };

typedef struct crowd {
	rbl_surface *surface;
	rbl_surface_body_id bodies[MOST_BODIES];
	int count;
} crowd;

static bool is_certified(const rbl_surface *surface, rbl_surface_body_id body)
{
	return surface->bodies.data[body.index].self.is_certified;
}

// Turn and push a body as a whole, or bend it by as much.
static void move(test *t, crowd *c, int at, bool is_bent, rbl_random *random)
{
	rbl_surface_body_data body = rbl_surface_body_get_data(c->surface, c->bodies[at]);
	rbl_surface_data all = rbl_surface_get_data(c->surface);
	rbl_vec3 *ends = malloc((size_t)body.vertex_count * sizeof *ends);
	double angle = rbl_random_range(random, -0.1, 0.1), sine = rbl_sin(angle),
		   cosine = rbl_cos(angle);
	double x = rbl_random_range(random, -0.2, 0.2), z = rbl_random_range(random, -0.2, 0.2);
	for (int i = 0; i < body.vertex_count; ++i) {
		rbl_vec3d p = rbl_to_d(all.ends[body.vertices[i]]);
		double bend = is_bent ? rbl_random_range(random, -0.3, 0.3) : 0.0;
		ends[i] = (rbl_vec3){ (float)(cosine * p.x + sine * p.y + x),
			                  (float)(cosine * p.y - sine * p.x + bend), (float)(p.z + z) };
	}
	CHECK(t, rbl_surface_move(c->surface, c->bodies[at], NULL, ends) == RBL_OK);
	free(ends);
}

// Split a body; some triangles go, or a new one comes that may lie across all others.
static void split(test *t, crowd *c, int at, rbl_random *random)
{
	rbl_surface_body_data body = rbl_surface_body_get_data(c->surface, c->bodies[at]);
	int pieces = 1 + (int)rbl_random_below(random, MOST_PIECES);
	int *labels = malloc((size_t)body.triangle_count * sizeof *labels);
	bool goes = rbl_random_below(random, 4) == 0;
	for (int i = 0; i < body.triangle_count; ++i)
		labels[i] =
			goes && rbl_random_below(random, 9) == 0 ? -1 : i * pieces / body.triangle_count;
	for (int p = 0; p < pieces; ++p) // each has something
		labels[p * body.triangle_count / pieces + (p > 0)] = p;
	int triangle[3] = { body.vertices[0], body.vertices[body.vertex_count / 2],
		                body.vertices[body.vertex_count - 1] };
	int label = (int)rbl_random_below(random, (uint32_t)pieces);
	rbl_surface_split_def def = rbl_default_surface_split_def();
	def.piece_count = pieces, def.labels = labels;
	if (rbl_random_below(random, 3) == 0)
		def.triangle_count = 1, def.triangles = triangle, def.triangle_labels = &label;
	rbl_surface_body_id made[MOST_PIECES];
	if (c->count + pieces <= MOST_BODIES && body.triangle_count >= 4 * pieces) {
		CHECK(t, rbl_surface_split(c->surface, c->bodies[at], &def, made) == RBL_OK);
		for (int p = 1; p < pieces; ++p)
			c->bodies[c->count++] = made[p];
	}
	free(labels);
}

// Fold a sheet along its middle, so that its halves go through each other in a line.
static void fold(reference_mesh *mesh)
{
	rbl_box box = rbl_box_empty();
	for (int i = 0; i < mesh->vertex_count; ++i)
		box = rbl_box_add_point(box, mesh->positions[i]);
	rbl_vec3 middle = rbl_box_centre(box), size = rbl_box_size(box);
	for (int i = 0; i < mesh->vertex_count; ++i) {
		rbl_vec3 *p = &mesh->positions[i];
		if (p->y <= middle.y)
			continue;
		p->y = 2.0f * middle.y - p->y;
		p->z += 0.8f * (middle.y - p->y) * (0.3f * size.y - (middle.y - p->y)) / size.y;
	}
}

static void pieces_of_proven_bodies_equal_brute_force(test *t)
{
	int proven = 0, found = 0;
	for (int round = 0; round < test_count(25, 2000); ++round) {
		rbl_random random = rbl_random_from_seed((uint64_t)round + 4711);
		reference_mesh mesh = reference_sheet(6, 12);
		if (round % 2)
			fold(&mesh);
		crowd c = { .count = 1 };
		rbl_surface_def def = rbl_default_surface_def();
		CHECK(t, rbl_create_surface(&def, &c.surface) == RBL_OK);
		c.bodies[0] = reference_add(t, c.surface, &mesh);
		for (int step = 0; step < 16; ++step) {
			int at = (int)rbl_random_below(&random, (uint32_t)c.count);
			bool is_late = rbl_random_below(&random, 3) == 0;
			for (int i = 0; i < c.count && is_late; ++i)
				move(t, &c, i, false, &random);
			bool was_proven = is_certified(c.surface, c.bodies[at]);
			if (step % 5 == 4)
				split(t, &c, at, &random);
			proven += step % 5 == 4 && was_proven && is_certified(c.surface, c.bodies[at]);
			for (int i = 0; i < c.count && !is_late; ++i)
				if (rbl_random_below(&random, 8) > 0)
					move(t, &c, i, rbl_random_below(&random, 20) == 0, &random);
			found += reference_check_query(t, c.surface, rbl_random_below(&random, 3) == 0);
		}
		rbl_destroy_surface(c.surface);
		reference_mesh_free(&mesh);
	}
	CHECK(t, proven > 5 && found > 100);
}

// A body with uncertain pairs leaves; a piece of another, certified, takes its place, and not its
// uncertain pairs.
static void pieces_do_not_inherit_from_their_slot(test *t)
{
	rbl_random random = rbl_random_from_seed(7);
	reference_mesh plain = reference_sheet(6, 8), folded = reference_sheet(6, 8);
	fold(&folded);
	for (int i = 0; i < folded.vertex_count; ++i)
		folded.positions[i].x += 20.0f;
	crowd c = { .count = 2 };
	rbl_surface_def def = rbl_default_surface_def();
	CHECK(t, rbl_create_surface(&def, &c.surface) == RBL_OK);
	c.bodies[0] = reference_add(t, c.surface, &plain),
	c.bodies[1] = reference_add(t, c.surface, &folded);
	for (int step = 0; step < 3; ++step) {
		for (int i = 0; i < 2; ++i)
			move(t, &c, i, false, &random);
		CHECK(t, reference_check_query(t, c.surface, false) > 0);
	}
	CHECK(t, is_certified(c.surface, c.bodies[0]) && is_certified(c.surface, c.bodies[1]));
	CHECK(t, c.surface->certificates[c.bodies[1].index].uncertain_pairs.count > 0);
	CHECK(t, rbl_surface_remove(c.surface, c.bodies[1]) == RBL_OK);
	int labels[96];
	for (int i = 0; i < 96; ++i)
		labels[i] = i / 48;
	rbl_surface_split_def split_def = rbl_default_surface_split_def();
	split_def.piece_count = 2, split_def.labels = labels;
	CHECK(t, rbl_surface_split(c.surface, c.bodies[0], &split_def, c.bodies) == RBL_OK);
	CHECK(t, c.bodies[1].index == 1 && is_certified(c.surface, c.bodies[1]));
	for (int step = 0; step < 3; ++step) {
		reference_check_query(t, c.surface, step == 2);
		move(t, &c, 1, false, &random);
	}
	rbl_destroy_surface(c.surface);
	reference_mesh_free(&plain);
	reference_mesh_free(&folded);
}

// Whether bounds of normals are those of the triangles, in all clusters and nodes of a body.
static bool normals_are_right(const rbl_surface *s, rbl_surface_body_id id)
{
	const rbl_surface_body *body = &s->bodies.data[id.index];
	const rbl_surface_cluster_source source = { .ends = s->positions[1],
		                                        .triangles = s->triangles };
	bool is_good = !body->fit.has_old_normals && !body->nodes.are_raw;
	uint32_t stack[RBL_TREE_MAX_HEIGHT + 2];
	int top = 0;
	stack[top++] = body->tree.root;
	while (top > 0) {
		uint32_t at = stack[--top];
		rbl_surface_normals wanted;
		if (rbl_tree_is_leaf(at)) {
			rbl_surface_cluster cluster = s->cluster_data[rbl_tree_leaf_id(at)];
			rbl_box box;
			RBL_PICK(rbl_surface_fit_cluster)(&cluster, NULL, &box, &source, &wanted);
			is_good &= !memcmp(&wanted, &s->cluster_normals[rbl_tree_leaf_id(at)], sizeof wanted);
			continue;
		}
		for (int side = 0; side < 2; ++side) {
			uint32_t child = s->pool.nodes[at].children[side];
			const rbl_surface_normals *below = rbl_tree_is_leaf(child)
			                                       ? &s->cluster_normals[rbl_tree_leaf_id(child)]
			                                       : &s->node_normals[child];
			for (int k = 0; k < 7; ++k)
				is_good &= s->node_normals[at].lower[k] <= below->lower[k] &&
				           s->node_normals[at].upper[k] >= below->upper[k];
			stack[top++] = child;
		}
	}
	return is_good;
}

// Pieces that are certified need no normals, until they are bent: then they get all of them, and
// their new nodes neither cull results nor costs of whoever had them before. Some pieces rest
// meanwhile.
static void pieces_get_normals_when_they_are_looked_at(test *t)
{
	int raw = 0, rested = 0;
	for (int round = 0; round < test_count(24, 600); ++round) {
		rbl_random random = rbl_random_from_seed((uint64_t)round + 99);
		reference_mesh mesh = reference_sheet(9, 10 + round % 5);
		for (int i = 0; i < mesh.vertex_count; ++i) // so that turns change its normals
			mesh.positions[i].z += 0.5f * mesh.positions[i].x;
		crowd c = { .count = 1 };
		rbl_surface_def def = rbl_default_surface_def();
		def.restructuring = (rbl_surface_restructuring)(round % RBL_COMPARISON_RESTRUCTURE_COUNT);
		CHECK(t, rbl_surface_create_comparison(&def, &c.surface) == RBL_OK);
		c.bodies[0] = reference_add(t, c.surface, &mesh);
		for (int step = 0; step < 5; ++step) {
			move(t, &c, 0, false, &random);
			reference_check_query(t, c.surface, false);
		}
		CHECK(t, is_certified(c.surface, c.bodies[0]));
		if (round % 2) // where it rests, nothing but old normals needs a fit
			reference_check_query(t, c.surface, false);
		split(t, &c, 0, &random);
		for (int step = 0; step < 10; ++step) {
			for (int i = 0; i < c.count; ++i) {
				const rbl_surface_body *body = &c.surface->bodies.data[c.bodies[i].index];
				bool rests = (i + round) % 3 == 0 && step < 8;
				bool is_bent = step > 5 && rbl_random_below(&random, 3) == 0;
				raw += body->nodes.are_raw, rested += rests && body->fit.has_old_normals;
				if (!rests)
					move(t, &c, i, is_bent, &random);
			}
			reference_check_query(t, c.surface, false);
			for (int i = 0; i < c.count; ++i) {
				const rbl_surface_body *body = &c.surface->bodies.data[c.bodies[i].index];
				CHECK(t, body->fit.has_old_normals || normals_are_right(c.surface, c.bodies[i]));
				CHECK(t, body->self.is_clear || !body->fit.has_old_normals);
			}
		}
		rbl_destroy_surface(c.surface);
		reference_mesh_free(&mesh);
	}
	CHECK(t, raw > 5 && rested > 5);
}

// Push a dent into a sheet, deeper every step.
static void dent(test *t, crowd *c, const reference_mesh *mesh, rbl_vec3 at, double depth)
{
	rbl_vec3 *ends = malloc((size_t)mesh->vertex_count * sizeof *ends);
	for (int i = 0; i < mesh->vertex_count; ++i) {
		rbl_vec3d p = rbl_to_d(mesh->positions[i]), d = rbl_sub_d(p, rbl_to_d(at));
		double fall = 1.0 / (1.0 + 0.1 * rbl_dot_d(d, d));
		ends[i] = (rbl_vec3){ (float)p.x, (float)p.y, (float)(p.z - depth * fall * fall) };
	}
	CHECK(t, rbl_surface_move(c->surface, c->bodies[0], NULL, ends) == RBL_OK);
	free(ends);
}

// A body that is dented is certified all the while, wherever the dent is, and so its pieces are not
// tested when it breaks.
static void a_body_that_bends_breaks_without_a_look(test *t)
{
	for (int round = 0; round < test_count(4, 40); ++round) {
		rbl_random random = rbl_random_from_seed((uint64_t)round + 5);
		reference_mesh mesh = reference_sheet(24, 30);
		if (round % 2)
			fold(&mesh);
		crowd c = { .count = 1 };
		rbl_surface_def def = rbl_default_surface_def();
		CHECK(t, rbl_create_surface(&def, &c.surface) == RBL_OK);
		c.surface->limits.bent_triangles = 1000;
		c.bodies[0] = reference_add(t, c.surface, &mesh);
		rbl_vec3 at = mesh.positions[rbl_random_below(&random, (uint32_t)mesh.vertex_count)];
		int found = 0;
		for (int step = 0; step < 6; ++step) {
			dent(t, &c, &mesh, at, 0.4 * step);
			found = reference_check_query(t, c.surface, false);
			CHECK(t, step < 3 || is_certified(c.surface, c.bodies[0]));
			CHECK(t, step < 3 || c.surface->bodies.data[c.bodies[0].index].motion.is_nearly_rigid);
		}
		CHECK(t, round % 2 == 0 || found > 0);
		int labels[2 * 24 * 30];
		for (int i = 0; i < mesh.triangle_count; ++i)
			labels[i] = 3 * i / mesh.triangle_count;
		rbl_surface_split_def split_def = rbl_default_surface_split_def();
		split_def.piece_count = 3, split_def.labels = labels;
		CHECK(t, rbl_surface_split(c.surface, c.bodies[0], &split_def, c.bodies) == RBL_OK);
		c.count = 3;
		for (int step = 0; step < 3; ++step) {
			for (int i = 0; i < c.count; ++i)
				move(t, &c, i, false, &random);
			reference_check_query(t, c.surface, step == 1);
			for (int i = 0; i < c.count; ++i)
				CHECK(t, c.surface->bodies.data[c.bodies[i].index].self.is_clear);
		}
		rbl_destroy_surface(c.surface);
		reference_mesh_free(&mesh);
	}
}

static int count_rough(const crowd *c)
{
	int rough = 0;
	for (int i = 0; i < c->count; ++i)
		rough += c->surface->bodies.data[c->bodies[i].index].nodes.are_rough;
	return rough;
}

// Pieces that fly are certified in the query of the break, so their trees are rebuilt later; those
// of pieces that bend are needed at once.
static void trees_of_pieces_that_fly_can_wait(test *t)
{
	for (int is_bent = 0; is_bent < 2; ++is_bent) {
		rbl_random random = rbl_random_from_seed(3);
		reference_mesh mesh = reference_sheet(12, 12);
		crowd c = { .count = 4 };
		rbl_surface_def def = rbl_default_surface_def();
		CHECK(t, rbl_create_surface(&def, &c.surface) == RBL_OK);
		c.bodies[0] = reference_add(t, c.surface, &mesh);
		reference_check_query(t, c.surface, false);
		int labels[288];
		for (int i = 0; i < 288; ++i)
			labels[i] = i / 12 % 4;
		rbl_surface_split_def split_def = rbl_default_surface_split_def();
		split_def.piece_count = 4, split_def.labels = labels;
		CHECK(t, rbl_surface_split(c.surface, c.bodies[0], &split_def, c.bodies) == RBL_OK);
		for (int frame = 0; frame < 3; ++frame) {
			for (int i = 0; i < c.count; ++i)
				move(t, &c, i, is_bent, &random);
			reference_check_query(t, c.surface, false);
			for (int i = 0; i < c.count && !is_bent; ++i)
				CHECK(t, is_certified(c.surface, c.bodies[i]));
			CHECK(t, count_rough(&c) == (frame == 0 && !is_bent ? 4 : 0));
		}
		rbl_destroy_surface(c.surface);
		reference_mesh_free(&mesh);
	}
}

TEST_MAIN(TEST(pieces_of_proven_bodies_equal_brute_force),
          TEST(pieces_do_not_inherit_from_their_slot),
          TEST(pieces_get_normals_when_they_are_looked_at),
          TEST(a_body_that_bends_breaks_without_a_look), TEST(trees_of_pieces_that_fly_can_wait))
