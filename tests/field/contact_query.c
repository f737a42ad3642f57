// SPDX-License-Identifier: MIT
// Contacts by fields: nothing that touches is missed, budgets hold, the right few are chosen.
// ctest: soak pinned

#include "contact_bodies.h"

// --- what is found ------------------------------------------------------------------------------

// Distance of a point of one side from the other, and the velocity along the gradient, in doubles
// as far as the field allows.
static void measure_point(const rbl_field_side *points, const rbl_field_side *field, int rank,
                          float *distance, float *rate, rbl_vec3 *direction)
{
	rbl_vec3 world = rbl_transform_point(points->pose, points->shape->tree.positions[rank]);
	rbl_vec3 local = rbl_transform_point_inverse(field->pose, world), gradient;
	float bound;
	rbl_distance_field_evaluate(field->shape->field, &local, 1, distance, &bound, &gradient);
	rbl_vec3 of_point = rbl_add(points->velocity, rbl_cross(points->angular_velocity,
	                                                        rbl_sub(world, points->pose.position)));
	rbl_vec3 of_field = rbl_add(
		field->velocity, rbl_cross(field->angular_velocity, rbl_sub(world, field->pose.position)));
	*direction = rbl_rotate(field->pose.rotation, gradient);
	*rate = rbl_dot(rbl_sub(of_point, of_field), *direction);
}

static bool has_id(const rbl_field_contact_list *contacts, uint32_t id)
{
	for (int i = 0; i < contacts->point_count; ++i)
		if (contacts->points[i].id == id)
			return true;
	return false;
}

static rbl_transform moved_pose(const rbl_field_side *side, float time)
{
	float speed = rbl_length(side->angular_velocity);
	rbl_quat turn = rbl_quat_identity();
	if (speed > 0.0f)
		turn =
			rbl_quat_from_axis_angle(rbl_scale(1.0f / speed, side->angular_velocity), time * speed);
	return (rbl_transform){ rbl_add_scaled(side->pose.position, time, side->velocity),
		                    rbl_quat_mul(turn, side->pose.rotation) };
}

// Whether a point comes to the box of the other body within the step. One that passes by is a
// contact by its present rate, but need not be found.
static bool comes_near(const rbl_field_side *points, const rbl_field_side *field, int rank,
                       const rbl_field_contact_settings *s)
{
	enum { SAMPLES = 16 };
	rbl_box box = rbl_box_grow(field->shape->field->info.bounds, s->tolerance);
	for (int i = 0; i <= SAMPLES; ++i) {
		float time = s->dt * (float)i / SAMPLES;
		rbl_vec3 world =
			rbl_transform_point(moved_pose(points, time), points->shape->tree.positions[rank]);
		rbl_vec3 local = rbl_transform_point_inverse(moved_pose(field, time), world);
		if (rbl_box_contains(box, (rbl_box){ local, local }))
			return true;
	}
	return false;
}

// Everything that touches beyond doubt is found, and nothing that does not.
static void compare_way(test *t, const rbl_field_side *points, const rbl_field_side *field,
                        uint32_t way_bit, const rbl_field_contact_settings *s,
                        const rbl_field_contact_list *contacts)
{
	const float slack = 1e-5f;
	int missed = 0, wrong = 0;
	for (int rank = 0; rank < points->shape->tree.count; ++rank) {
		float distance, rate;
		rbl_vec3 direction;
		measure_point(points, field, rank, &distance, &rate, &direction);
		float gap = distance + s->dt * rbl_minf(rate, 0.0f);
		bool is_found = has_id(contacts, points->shape->tree.ids[rank] | way_bit);
		bool must = gap < s->tolerance - slack && distance < s->tolerance + s->margin - slack;
		bool may = gap < s->tolerance + slack && distance < s->tolerance + s->margin + slack;
		missed += must && !is_found && comes_near(points, field, rank, s);
		wrong += is_found && !may;
	}
	CHECK(t, missed == 0);
	CHECK(t, wrong == 0);
}

static void compare_with_all_points(test *t, bool is_moving, int rounds)
{
	rbl_random random = rbl_random_from_seed(17);
	rbl_arena arena;
	rbl_arena_init(&arena, NULL, 1 << 16);
	int found = 0;
	for (int kind_a = 0; kind_a < BODY_FLOOR; ++kind_a)
		for (int kind_b = 0; kind_b < BODY_COUNT; ++kind_b) {
			field_body a, b;
			make_body(&a, (body_kind)kind_a, 0);
			make_body(&b, (body_kind)kind_b, 1000000);
			for (int i = 0; i < rounds; ++i) {
				place_pair(&a, &b, &random);
				rbl_field_contact_settings s = settings_of(RBL_SELECT_FULL);
				s.tolerance = i % 3 == 0 ? 0.0f : 0.02f;
				s.margin = i % 2 == 0 ? 0.1f : INFINITY;
				if (is_moving) {
					a.side.velocity = random_vector(&random, 10.0);
					b.side.velocity = random_vector(&random, 10.0);
					a.side.angular_velocity = random_vector(&random, 20.0);
					b.side.angular_velocity = random_vector(&random, 20.0);
				}
				rbl_field_contact_list c;
				rbl_arena_reset(&arena);
				CHECK(t, rbl_find_field_contacts(&a.side, &b.side, &s, &arena, NULL, &c) == RBL_OK);
				compare_way(t, &a.side, &b.side, 0, &s, &c);
				compare_way(t, &b.side, &a.side, RBL_FIELD_POINT_OF_B, &s, &c);
				CHECK(t, !c.has_stopped[0] && !c.has_stopped[1]);
				CHECK(t, c.found[0] + c.found[1] == c.point_count);
				found += c.point_count;
			}
			destroy_body(&a);
			destroy_body(&b);
		}
	CHECK(t, found > 1000);
	rbl_arena_destroy(&arena);
}

static void every_point_that_touches_is_found(test *t)
{
	compare_with_all_points(t, false, test_count(6, 200));
}

static void every_point_that_will_touch_is_found(test *t)
{
	compare_with_all_points(t, true, test_count(6, 200));
}

// A field with errors as large as it says, and a list of what it was asked for.
typedef struct noisy_field {
	rbl_distance_field head;
	float error;
	rbl_random random;
	int asked;
	bool is_asked[20000]; // by rank, found by position
	const rbl_sphere_tree *tree;
	rbl_vec3 shift;
} noisy_field;

static void evaluate_noisy(const rbl_distance_field *field, const rbl_vec3 *points, int count,
                           float *distances, float *bounds, rbl_vec3 *gradients)
{
	noisy_field *noisy = (noisy_field *)(uintptr_t)field;
	evaluate_shape(sphere_distance, &ball_radius, points, count, distances, bounds, gradients);
	for (int i = 0; i < count; ++i) {
		distances[i] += noisy->error * (2.0f * rbl_random_float(&noisy->random) - 1.0f);
		bounds[i] = noisy->error;
		noisy->asked++;
		for (int rank = 0; rank < noisy->tree->count; ++rank)
			if (rbl_distance(rbl_add(noisy->tree->positions[rank], noisy->shift), points[i]) <
			    1e-6f)
				noisy->is_asked[rank] = true;
	}
}

static const rbl_distance_field_kind noisy_kind = { evaluate_noisy, NULL };

static void an_error_within_its_bound_culls_nothing_that_touches(test *t)
{
	field_body a;
	make_body(&a, BODY_BOX, 0);
	noisy_field *noisy = calloc(1, sizeof *noisy);
	rbl_arena arena;
	rbl_arena_init(&arena, NULL, 1 << 16);
	for (int i = 0; i < test_count(10, 200); ++i) {
		*noisy = (noisy_field){ .head = { .kind = &noisy_kind, .info.bounds = unlimited_box },
			                    .error = 0.05f,
			                    .random = rbl_random_from_seed((uint64_t)i) };
		noisy->tree = &a.shape.tree;
		noisy->shift = random_vector(&noisy->random, 1.0);
		a.side.pose.position = noisy->shift;
		rbl_field_shape shape = { .field = &noisy->head };
		rbl_field_side b = { .shape = &shape, .pose = rbl_transform_identity() };
		rbl_field_contact_settings s = settings_of(RBL_SELECT_FULL);
		rbl_field_contact_list c;
		rbl_arena_reset(&arena);
		CHECK(t, rbl_find_field_contacts(&a.side, &b, &s, &arena, NULL, &c) == RBL_OK);
		CHECK(t, c.visited[0] == noisy->asked && c.visited[1] == 0);
		int missed = 0;
		for (int rank = 0; rank < a.shape.tree.count; ++rank) {
			rbl_vec3 p = rbl_add(a.shape.tree.positions[rank], noisy->shift);
			missed += rbl_length(p) < ball_radius - 1e-5f && !noisy->is_asked[rank];
		}
		CHECK(t, missed == 0);
	}
	rbl_arena_destroy(&arena);
	free(noisy);
	destroy_body(&a);
}

// Far bodies cost no visit; deep ones all of them.
static void what_is_far_away_is_culled_at_the_root(test *t)
{
	field_body a, b;
	make_body(&a, BODY_BOX, 0);
	make_body(&b, BODY_SPHERE, 0);
	a.side.pose.position.x = 3.0f;
	rbl_arena arena;
	rbl_arena_init(&arena, NULL, 1 << 16);
	rbl_field_contact_list c;
	rbl_field_contact_settings s = settings_of(RBL_SELECT_CHOSEN);
	CHECK(t, rbl_find_field_contacts(&a.side, &b.side, &s, &arena, NULL, &c) == RBL_OK);
	CHECK(t, c.point_count == 0 && c.manifold_count == 0);
	CHECK(t, c.visited[0] == 0 && c.visited[1] == 0);
	CHECK(t, !c.has_stopped[0] && !c.has_stopped[1]);
	// A hundred metres per second close three metres within a fiftieth of a second.
	a.side.velocity.x = -150.0f, s.margin = INFINITY;
	CHECK(t, rbl_find_field_contacts(&a.side, &b.side, &s, &arena, NULL, &c) == RBL_OK);
	CHECK(t, c.point_count > 0);
	s.margin = 0.5f;
	CHECK(t, rbl_find_field_contacts(&a.side, &b.side, &s, &arena, NULL, &c) == RBL_OK);
	CHECK(t, c.point_count == 0);
	rbl_arena_destroy(&arena);
	destroy_body(&a);
	destroy_body(&b);
}

// What goes past, or spins beside another, is fast and does not touch.
static void bodies_that_pass_by_or_spin_cost_few_visits(test *t)
{
	field_body a, b;
	make_body(&a, BODY_BOX, 0);
	make_body(&b, BODY_SPHERE, 0);
	rbl_arena arena;
	rbl_arena_init(&arena, NULL, 1 << 16);
	rbl_field_contact_list c;
	rbl_field_contact_settings s = settings_of(RBL_SELECT_CHOSEN);
	s.margin = INFINITY;
	a.side.pose.position.x = 1.45f;
	a.side.velocity.y = 120.0f; // two metres in a step
	CHECK(t, rbl_find_field_contacts(&a.side, &b.side, &s, &arena, NULL, &c) == RBL_OK);
	CHECK(t, c.visited[0] + c.visited[1] == 0 && c.point_count == 0);
	a.side.velocity.y = 0.0f;
	b.side.angular_velocity.y = 100.0f;
	CHECK(t, rbl_find_field_contacts(&a.side, &b.side, &s, &arena, NULL, &c) == RBL_OK);
	CHECK(t, c.visited[0] + c.visited[1] == 0 && c.point_count == 0);
	a.side.pose.position.x = 0.9f; // now it touches
	CHECK(t, rbl_find_field_contacts(&a.side, &b.side, &s, &arena, NULL, &c) == RBL_OK);
	CHECK(t, c.point_count > 0);
	rbl_arena_destroy(&arena);
	destroy_body(&a);
	destroy_body(&b);
}

// --- budgets ------------------------------------------------------------------------------------

static void the_visit_budget_is_kept(test *t)
{
	field_body a, b;
	make_body(&a, BODY_BOX, 0);
	make_body(&b, BODY_SPHERE, 0);
	a.side.pose.position.x = 0.3f;
	rbl_arena arena;
	rbl_arena_init(&arena, NULL, 1 << 16);
	for (int selection = 0; selection < RBL_SELECT_COUNT; ++selection)
		for (int budget = 1; budget < 1000; budget += 1 + budget / 3) {
			rbl_field_contact_settings s = settings_of((rbl_field_selection)selection);
			rbl_field_contact_memory memory = { 0 };
			s.visit_budget = budget;
			for (int step = 0; step < 3; ++step) {
				rbl_field_contact_list c;
				rbl_arena_reset(&arena);
				CHECK(t,
				      rbl_find_field_contacts(&a.side, &b.side, &s, &arena, &memory, &c) == RBL_OK);
				CHECK(t, c.visited[0] <= budget && c.visited[1] <= budget);
				CHECK(t, c.visited[0] == budget || !c.has_stopped[0] || c.found[0] >= 8);
			}
		}
	rbl_arena_destroy(&arena);
	destroy_body(&a);
	destroy_body(&b);
}

// Two spheres, one in the other: one budget for both ways would be used up by the first.
static void each_way_has_its_own_budget(test *t)
{
	field_body a, b;
	make_body(&a, BODY_SPHERE, 0);
	make_body(&b, BODY_SPHERE, 0);
	a.side.pose.position.x = 0.1f;
	rbl_arena arena;
	rbl_arena_init(&arena, NULL, 1 << 16);
	static const rbl_field_selection selections[] = { RBL_SELECT_FIXED, RBL_SELECT_ADAPTIVE,
		                                              RBL_SELECT_NAIVE };
	for (int i = 0; i < 3; ++i) {
		rbl_field_contact_settings s = settings_of(selections[i]);
		rbl_field_contact_list c;
		CHECK(t, rbl_find_field_contacts(&a.side, &b.side, &s, &arena, NULL, &c) == RBL_OK);
		CHECK(t, c.found[0] == 8 && c.found[1] == 8 && c.point_count == 16);
		CHECK(t, c.has_stopped[0] && c.has_stopped[1]);
	}
	rbl_arena_destroy(&arena);
	destroy_body(&a);
	destroy_body(&b);
}

static void a_point_is_a_contact_once(test *t)
{
	field_body a, b;
	make_body(&a, BODY_TORUS, 0);
	make_body(&b, BODY_BOX, 0);
	rbl_random random = rbl_random_from_seed(5);
	rbl_arena arena;
	rbl_arena_init(&arena, NULL, 1 << 16);
	for (int i = 0; i < 20; ++i)
		for (int selection = 0; selection < RBL_SELECT_COUNT; ++selection) {
			place_pair(&a, &b, &random);
			rbl_field_contact_settings s = settings_of((rbl_field_selection)selection);
			rbl_field_contact_memory memory = { 0 };
			for (int step = 0; step < 4; ++step) {
				rbl_field_contact_list c;
				rbl_arena_reset(&arena);
				CHECK(t,
				      rbl_find_field_contacts(&a.side, &b.side, &s, &arena, &memory, &c) == RBL_OK);
				int twice = 0;
				for (int k = 0; k < c.point_count; ++k)
					for (int n = 0; n < k; ++n)
						twice += c.points[k].id == c.points[n].id;
				CHECK(t, twice == 0);
			}
		}
	rbl_arena_destroy(&arena);
	destroy_body(&a);
	destroy_body(&b);
}

// How far a point that touches may be from the nearest that was taken.
static float cover_radius(const rbl_field_contact_list *all, const rbl_field_contact_list *some)
{
	float most = 0.0f;
	for (int i = 0; i < all->point_count; ++i) {
		float least = FLT_MAX;
		for (int k = 0; k < some->point_count; ++k)
			least =
				rbl_minf(least, rbl_distance(all->points[i].position, some->points[k].position));
		most = rbl_maxf(most, least);
	}
	return most;
}

// A flat box that lies on the floor: the first eight by rank cover it better than breadth first.
static void the_first_points_are_spread_widely(test *t)
{
	field_body a, b;
	make_body(&a, BODY_BOX, 1000000);
	make_body(&b, BODY_FLOOR, 0);
	rbl_arena arena;
	rbl_arena_init(&arena, NULL, 1 << 16);
	rbl_random random = rbl_random_from_seed(3);
	float levels = 0.0f, breadth = 0.0f;
	for (int i = 0; i < 20; ++i) {
		a.side.pose.position.y = 0.249f;
		a.side.pose.rotation = rbl_quat_from_axis_angle((rbl_vec3){ 0.0f, 1.0f, 0.0f },
		                                                6.0f * rbl_random_float(&random));
		rbl_field_contact_settings full = settings_of(RBL_SELECT_FULL);
		rbl_field_contact_settings fixed = settings_of(RBL_SELECT_FIXED);
		rbl_field_contact_settings naive = settings_of(RBL_SELECT_NAIVE);
		rbl_field_contact_list all, some, others;
		rbl_arena_reset(&arena);
		CHECK(t, rbl_find_field_contacts(&a.side, &b.side, &full, &arena, NULL, &all) == RBL_OK);
		CHECK(t, rbl_find_field_contacts(&a.side, &b.side, &fixed, &arena, NULL, &some) == RBL_OK);
		CHECK(t,
		      rbl_find_field_contacts(&a.side, &b.side, &naive, &arena, NULL, &others) == RBL_OK);
		CHECK(t, some.point_count == 8 && others.point_count == 8 && all.point_count > 40);
		levels += cover_radius(&all, &some);
		breadth += cover_radius(&all, &others);
	}
	CHECK(t, levels < breadth);
	rbl_arena_destroy(&arena);
	destroy_body(&a);
	destroy_body(&b);
}

// --- growth -------------------------------------------------------------------------------------

static void a_way_goes_further_while_contacts_are_deep(test *t)
{
	field_body a, b;
	make_body(&a, BODY_SPHERE, 0);
	make_body(&b, BODY_BOX, 0);
	rbl_arena arena;
	rbl_arena_init(&arena, NULL, 1 << 16);
	rbl_field_contact_settings s = settings_of(RBL_SELECT_ADAPTIVE);
	rbl_field_contact_memory memory = { 0 };
	rbl_field_contact_list c;
	int before = 0, grown;
	for (int step = 0; step < 40; ++step) {
		rbl_arena_reset(&arena);
		CHECK(t, rbl_find_field_contacts(&a.side, &b.side, &s, &arena, &memory, &c) == RBL_OK);
		CHECK(t, c.found[0] >= before || !c.has_stopped[0]);
		before = c.found[0];
	}
	grown = before;
	CHECK(t, grown > 100 && !c.has_stopped[0]);
	a.side.pose.position.y = 0.25f + ball_radius - 0.0001f; // hardly touching: back to a few
	for (int step = 0; step < 60; ++step) {
		rbl_arena_reset(&arena);
		CHECK(t, rbl_find_field_contacts(&a.side, &b.side, &s, &arena, &memory, &c) == RBL_OK);
	}
	CHECK(t, memory.wanted[0] == s.point_count && memory.wanted[1] == s.point_count);
	rbl_arena_destroy(&arena);
	destroy_body(&a);
	destroy_body(&b);
}

// --- choice -------------------------------------------------------------------------------------

static void the_deepest_is_chosen_and_at_most_twelve(test *t)
{
	field_body a, b;
	make_body(&a, BODY_TORUS, 0);
	make_body(&b, BODY_BOX, 0);
	rbl_random random = rbl_random_from_seed(29);
	rbl_arena arena;
	rbl_arena_init(&arena, NULL, 1 << 16);
	int touching = 0, wide = 0;
	for (int i = 0; i < test_count(60, 1000); ++i) {
		place_pair(&a, &b, &random);
		rbl_field_contact_settings full = settings_of(RBL_SELECT_FULL);
		rbl_field_contact_settings few = settings_of(RBL_SELECT_CHOSEN);
		few.gather_count = 100000;
		rbl_field_contact_list all, some;
		rbl_arena_reset(&arena);
		CHECK(t, rbl_find_field_contacts(&a.side, &b.side, &full, &arena, NULL, &all) == RBL_OK);
		CHECK(t, rbl_find_field_contacts(&a.side, &b.side, &few, &arena, NULL, &some) == RBL_OK);
		CHECK(t, some.point_count == rbl_mini(all.point_count, 12) || some.point_count < 12);
		CHECK(t, (some.point_count > 0) == (all.point_count > 0));
		float deepest = 0.0f;
		for (int k = 0; k < all.point_count; ++k)
			deepest = rbl_minf(deepest, all.points[k].separation);
		CHECK(t, all.point_count == 0 || some.points[0].separation <= deepest + 0.2f * few.deep);
		for (int k = 0; k < some.point_count; ++k)
			CHECK(t, has_id(&all, some.points[k].id));
		touching += all.point_count > 24;
		wide += all.point_count > 24 && some.point_count == 12;
	}
	CHECK(t, touching > 10 && wide == touching);
	rbl_arena_destroy(&arena);
	destroy_body(&a);
	destroy_body(&b);
}

// A box that rests, shaken by less than a tenth of a millimetre: contacts stay the same.
static void points_of_the_last_step_are_preferred(test *t)
{
	field_body a, b;
	make_body(&a, BODY_BOX, 0);
	make_body(&b, BODY_FLOOR, 0);
	rbl_random random = rbl_random_from_seed(7);
	rbl_arena arena;
	rbl_arena_init(&arena, NULL, 1 << 16);
	rbl_field_contact_settings s = settings_of(RBL_SELECT_CHOSEN);
	int kept[2] = { 0, 0 }, steps = 100;
	for (int has_memory = 0; has_memory < 2; ++has_memory) {
		rbl_field_contact_memory memory = { 0 };
		uint32_t before[12];
		for (int step = 0; step < steps; ++step) {
			a.side.pose.position.y = 0.2498f;
			a.side.pose.rotation = rbl_quat_from_axis_angle(
				rbl_to_f(rbl_normalize_d(rbl_random_in_ball(&random))), 0.0002f);
			rbl_field_contact_list c;
			rbl_arena_reset(&arena);
			CHECK(t, rbl_find_field_contacts(&a.side, &b.side, &s, &arena,
			                                 has_memory ? &memory : NULL, &c) == RBL_OK);
			CHECK(t, c.point_count == 12);
			for (int i = 0; step > 0 && i < 12; ++i)
				kept[has_memory] += has_id(&c, before[i]);
			for (int i = 0; i < 12; ++i)
				before[i] = c.points[i].id;
		}
	}
	CHECK(t, kept[1] > 11 * (steps - 1)); // eleven of twelve
	CHECK(t, kept[1] > kept[0]);
	rbl_arena_destroy(&arena);
	destroy_body(&a);
	destroy_body(&b);
}

// The same body with its points in another order: what memory holds is found by id.
static void memory_outlasts_another_order_of_points(test *t)
{
	field_body a, again, b;
	make_body(&a, BODY_BOX, 64);
	make_body(&again, BODY_BOX, 1000000);
	make_body(&b, BODY_FLOOR, 0);
	CHECK(t, memcmp(a.shape.tree.ids, again.shape.tree.ids,
	                (size_t)a.shape.tree.count * sizeof(uint32_t)) != 0);
	a.side.pose.position.y = again.side.pose.position.y = 0.2498f;
	rbl_arena arena;
	rbl_arena_init(&arena, NULL, 1 << 16);
	rbl_field_contact_settings s = settings_of(RBL_SELECT_CHOSEN);
	s.gather_count = 100000;
	rbl_field_contact_memory memory = { 0 };
	rbl_field_contact_list c, d;
	CHECK(t, rbl_find_field_contacts(&a.side, &b.side, &s, &arena, &memory, &c) == RBL_OK);
	CHECK(t, rbl_find_field_contacts(&a.side, &b.side, &s, &arena, &memory, &c) == RBL_OK);
	CHECK(t, rbl_find_field_contacts(&again.side, &b.side, &s, &arena, &memory, &d) == RBL_OK);
	CHECK(t, c.point_count == 12 && d.point_count == 12);
	for (int i = 0; i < 12; ++i)
		CHECK(t, has_id(&d, c.points[i].id));
	rbl_arena_destroy(&arena);
	destroy_body(&a);
	destroy_body(&again);
	destroy_body(&b);
}

static uint64_t hash_contacts(uint64_t hash, const rbl_field_contact_list *c)
{
	hash = hash_points(hash, c);
	for (int i = 0; i < c->manifold_count; ++i) {
		const rbl_manifold *m = &c->manifolds[i];
		hash = rbl_hash_bytes(hash, &m->normal, sizeof m->normal);
		hash = rbl_hash_bytes(hash, m->points, (size_t)m->point_count * sizeof m->points[0]);
	}
	return hash;
}

static uint64_t run_all_selections(test *t)
{
	uint64_t hash = RBL_HASH_START;
	rbl_arena arena;
	rbl_arena_init(&arena, NULL, 1 << 16);
	field_body a, b;
	make_body(&a, BODY_TORUS, 0);
	make_body(&b, BODY_BOX, 0);
	for (int selection = 0; selection < RBL_SELECT_COUNT; ++selection) {
		rbl_random random = rbl_random_from_seed(31);
		rbl_field_contact_memory memory = { 0 };
		for (int i = 0; i < 20; ++i) {
			place_pair(&a, &b, &random);
			a.side.velocity = random_vector(&random, 3.0);
			a.side.angular_velocity = random_vector(&random, 3.0);
			rbl_field_contact_settings s = settings_of((rbl_field_selection)selection);
			rbl_field_contact_list c;
			rbl_arena_reset(&arena);
			CHECK(t, rbl_find_field_contacts(&a.side, &b.side, &s, &arena, &memory, &c) == RBL_OK);
			hash = hash_contacts(hash, &c);
			hash = rbl_hash_bytes(hash, &memory, offsetof(rbl_field_contact_memory, normals));
		}
	}
	destroy_body(&a);
	destroy_body(&b);
	rbl_arena_destroy(&arena);
	return hash;
}

// A change of the selection is a change of all that moves.
#define PINNED_CONTACTS UINT64_C(0x5a57533ead217f69)

static void contacts_have_a_pinned_hash_for_every_lane_width(test *t)
{
	for (int backend = 0; backend < RBL_BACKEND_COUNT; ++backend) {
		if (!rbl_force_backend((rbl_backend)backend))
			continue;
		uint64_t hash = run_all_selections(t);
		if (hash != PINNED_CONTACTS)
			printf("hash 0x%llx\n", (unsigned long long)hash);
		CHECK(t, hash == PINNED_CONTACTS);
	}
	rbl_force_backend(rbl_best_backend());
}

// --- refusals -----------------------------------------------------------------------------------

static void bad_input_is_refused_with_a_sentence(test *t)
{
	field_body a, b;
	make_body(&a, BODY_BOX, 0);
	make_body(&b, BODY_FLOOR, 0);
	rbl_arena arena;
	rbl_arena_init(&arena, NULL, 1 << 12);
	rbl_set_log(keep_line, NULL);
	const rbl_field_contact_memory filled = {
		.ids = { 1, 2 }, .ranks = { 3, 4 }, .count = 2, .wanted = { 5, 6 }
	};
	const float bad[] = { NAN, INFINITY, -INFINITY, 1e20f };
	for (size_t i = 0; i < 4; ++i) {
		rbl_field_contact_memory memory = filled;
		rbl_field_contact_settings s = settings_of(RBL_SELECT_CHOSEN);
		rbl_field_contact_list c;
		rbl_field_side side = a.side;
		side.pose.position.z = bad[i];
		CHECK(t,
		      rbl_find_field_contacts(&side, &b.side, &s, &arena, &memory, &c) == RBL_BAD_ARGUMENT);
		CHECK(t, strstr(last_line, "pose of side A"));
		side = a.side, side.pose.rotation.w = bad[i];
		CHECK(t,
		      rbl_find_field_contacts(&side, &b.side, &s, &arena, &memory, &c) == RBL_BAD_ARGUMENT);
		side = a.side, side.angular_velocity.x = bad[i];
		CHECK(t,
		      rbl_find_field_contacts(&b.side, &side, &s, &arena, &memory, &c) == RBL_BAD_ARGUMENT);
		CHECK(t, strstr(last_line, "velocity of side B"));
		CHECK(t, c.points == NULL && c.point_count == 0);
		CHECK(t, memcmp(&memory, &filled, sizeof memory) == 0);
	}
	const struct {
		rbl_field_contact_settings settings;
		const char *word;
	} cases[] = {
		{ { .selection = (rbl_field_selection)77 }, "selection" },
		{ { .tolerance = -1.0f }, "tolerance" },
		{ { .tolerance = NAN }, "tolerance" },
		{ { .margin = NAN }, "margin" },
		{ { .dt = -1.0f }, "dt" },
		{ { .dt = INFINITY }, "dt" },
		{ { .deep = NAN }, "deep" },
		{ { .point_count = 0 }, "point_count" },
		{ { .point_count = 13 }, "point_count" },
		{ { .point_count = 1 }, "gather_count" },
		{ { .point_count = 1, .gather_count = 1 }, "visit_budget" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
		rbl_field_contact_list c;
		CHECK(t, rbl_find_field_contacts(&a.side, &b.side, &cases[i].settings, &arena, NULL, &c) ==
		             RBL_BAD_ARGUMENT);
		CHECK(t, strstr(last_line, cases[i].word));
	}
	rbl_field_contact_settings s = settings_of(RBL_SELECT_CHOSEN);
	rbl_field_contact_list c;
	CHECK(t, rbl_find_field_contacts(NULL, &b.side, &s, &arena, NULL, &c) == RBL_BAD_ARGUMENT);
	// What a caller keeps may come back as anything.
	const rbl_field_contact_memory memories[] = { { .count = -1 },
		                                          { .count = RBL_MAX_FIELD_CONTACTS + 1 },
		                                          { .ranks = { 0, -5 }, .count = 2 },
		                                          { .wanted = { 0, -1 } },
		                                          { .wanted = { INT32_MAX, 0 } } };
	for (size_t i = 0; i < sizeof memories / sizeof memories[0]; ++i) {
		rbl_field_contact_memory memory = memories[i];
		CHECK(t, rbl_find_field_contacts(&a.side, &b.side, &s, &arena, &memory, &c) ==
		             RBL_BAD_ARGUMENT);
		CHECK(t, strstr(last_line, "memory"));
		CHECK(t, memcmp(&memory, &memories[i], sizeof memory) == 0);
	}
	rbl_field_side side = a.side;
	side.shape = NULL;
	CHECK(t, rbl_find_field_contacts(&side, &b.side, &s, &arena, NULL, &c) == RBL_BAD_ARGUMENT);
	rbl_set_log(NULL, NULL);
	rbl_arena_destroy(&arena);
	destroy_body(&a);
	destroy_body(&b);
}

static void sides_without_points_or_field_have_no_contacts(test *t)
{
	field_body a, b;
	make_body(&a, BODY_FLOOR, 0);
	make_body(&b, BODY_FLOOR, 0);
	rbl_arena arena;
	rbl_arena_init(&arena, NULL, 1 << 12);
	rbl_field_contact_settings s = settings_of(RBL_SELECT_CHOSEN);
	rbl_field_contact_memory memory = { 0 };
	rbl_field_contact_list c;
	CHECK(t, rbl_find_field_contacts(&a.side, &b.side, &s, &arena, &memory, &c) == RBL_OK);
	CHECK(t, c.point_count == 0 && c.visited[0] == 0 && c.visited[1] == 0);
	rbl_arena_destroy(&arena);
}

static void memory_may_run_out(test *t)
{
	field_body a, b;
	make_body(&a, BODY_TORUS, 0);
	make_body(&b, BODY_BOX, 0);
	a.side.pose.position.x = 0.2f;
	rbl_field_contact_settings s = settings_of(RBL_SELECT_CHOSEN);
	for (int n = 0;; ++n) {
		faulty_allocator counter;
		faulty_init(&counter, n);
		rbl_allocator allocator = FAULTY(&counter);
		rbl_arena arena;
		rbl_arena_init(&arena, &allocator, 256);
		rbl_field_contact_memory memory = { 0 };
		rbl_field_contact_list c;
		rbl_result result = rbl_find_field_contacts(&a.side, &b.side, &s, &arena, &memory, &c);
		CHECK(t, (result == RBL_OK) == (c.point_count > 0));
		CHECK(t, (result == RBL_OK) == (memory.count > 0));
		rbl_arena_destroy(&arena);
		CHECK(t, counter.live_bytes == 0);
		if (!counter.failed)
			break;
		CHECK(t, result == RBL_OUT_OF_MEMORY);
	}
	destroy_body(&a);
	destroy_body(&b);
}

TEST_MAIN(TEST(every_point_that_touches_is_found), TEST(every_point_that_will_touch_is_found),
          TEST(an_error_within_its_bound_culls_nothing_that_touches),
          TEST(what_is_far_away_is_culled_at_the_root),
          TEST(bodies_that_pass_by_or_spin_cost_few_visits), TEST(the_visit_budget_is_kept),
          TEST(each_way_has_its_own_budget), TEST(a_point_is_a_contact_once),
          TEST(the_first_points_are_spread_widely),
          TEST(a_way_goes_further_while_contacts_are_deep),
          TEST(the_deepest_is_chosen_and_at_most_twelve),
          TEST(points_of_the_last_step_are_preferred),
          TEST(memory_outlasts_another_order_of_points),
          TEST(contacts_have_a_pinned_hash_for_every_lane_width),
          TEST(bad_input_is_refused_with_a_sentence),
          TEST(sides_without_points_or_field_have_no_contacts), TEST(memory_may_run_out))
