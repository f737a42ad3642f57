// SPDX-License-Identifier: MIT
//
// What cloth touches: bodies, itself, other sheets.
//
// The surface lists every vertex and face, and every two edges, that come near within the step
// (rbl_surface_proximity), if all goes on as it moves. Sub-steps keep these apart by the thickness,
// each along the direction between their closest points. What is too fast for that is found at the
// end: rbl_surface_sweep() lists whatever would pass through on the way from the start of the step to
// its end, and is moved back until nothing does.
//
// Bodies are solid: cloth that is in one, since two bodies held it between them, may leave but not
// stay. What no motion of the cloth can avoid is counted, and gives way to what does not move.
//
// Lists are sorted by names that do not depend on ids of the surface, and each test is made anew in
// that order of its features. So a cloth that was loaded goes on with the same bits.

#include "cloth/inside.h"

enum { HIT_ROUNDS = 6, STOP_ROUNDS = 10, MOST_ROUNDS = 13 };

static const float RECOVERY = 0.25f;  // metres per second that what is too near parts with
static const float HIT_GAP = 0.1f;    // of the thickness, that is left after a hit
static const float NEIGHBOURS = 1.5f; // edges: parts of a sheet nearer than that at rest may pass

// --- the surface --------------------------------------------------------------------------------

rbl_result cloth_move_surface(cloth *c, const rbl_vec3 *start, const rbl_vec3 *end)
{
	if (!cloth_map_surface(c) || !CLOTH_RESERVE(&c->scratch, c->particle_count) ||
	    !CLOTH_RESERVE(&c->scratch2, c->particle_count))
		return cloth_fail(RBL_OUT_OF_MEMORY, "cloth: no memory for a step");
	for (int s = 0; s < c->sheets.count; ++s) {
		rbl_surface_body_data data = rbl_surface_body_get_data(c->surface, c->sheets.data[s].body);
		for (int i = 0; i < data.vertex_count; ++i) {
			int p = c->particles.data[data.vertices[i]];
			c->scratch.data[i] = start[p], c->scratch2.data[i] = end[p];
		}
		rbl_result result =
			rbl_surface_move(c->surface, c->sheets.data[s].body, c->scratch.data, c->scratch2.data);
		if (result != RBL_OK)
			return result;
	}
	rbl_result result = rbl_obstacles_repeat(c->obstacles); // an update before has made them rest
	return result == RBL_OK ? rbl_surface_update(c->surface, RBL_SURFACE_CONTINUOUS) : result;
}

static int particle_of(const cloth *c, int vertex)
{
	return vertex < c->particles.count ? c->particles.data[vertex] : -1;
}

// A point of a contact: the particle of a vertex, or an outer point, which is made on first use.
static bool find_point(cloth *c, const rbl_surface_data *data, int vertex, int *point)
{
	*point = particle_of(c, vertex);
	if (*point >= 0)
		return true;
	if (c->outer_of.data[vertex] == 0) {
		cloth_outer_point made = { data->starts[vertex], data->ends[vertex] };
		if (!CLOTH_PUSH(&c->outer, made))
			return false;
		c->outer_of.data[vertex] = c->outer.count;
	}
	*point = -c->outer_of.data[vertex]; // -1 - (number - 1)
	return true;
}

static bool begin_points(cloth *c, const rbl_surface_data *data)
{
	if (!CLOTH_RESERVE(&c->outer_of, data->vertex_end + 1))
		return false;
	memset(c->outer_of.data, 0, (size_t)(data->vertex_end + 1) * sizeof *c->outer_of.data);
	c->outer.count = c->contacts.count = 0;
	return true;
}

// --- names --------------------------------------------------------------------------------------

static int compare_keys(const cloth_key *a, const cloth_key *b)
{
	if (a->body != b->body)
		return a->body < b->body ? -1 : 1;
	if (a->x != b->x)
		return a->x < b->x ? -1 : 1;
	return (a->y > b->y) - (a->y < b->y);
}

static int compare_contacts(const void *a, const void *b)
{
	const cloth_contact *x = a, *y = b;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	for (int i = 0; i < 2; ++i) {
		int order = compare_keys(&x->keys[i], &y->keys[i]);
		if (order != 0)
			return order;
	}
	return (x->tie > y->tie) - (x->tie < y->tie);
}

// Names are all different: the order is theirs alone.
static void sort_contacts(cloth *c)
{
	if (c->contacts.count > 1)
		qsort(c->contacts.data, (size_t)c->contacts.count, sizeof *c->contacts.data,
		      compare_contacts);
}

static void swap_ints(int *a, int *b)
{
	int old = *a;
	*a = *b, *b = old;
}

// Points and names of an edge of either side; `names` are user ids of its ends.
static bool read_edge(cloth *c, const rbl_surface_data *data, int edge, const int *names,
                      uint64_t body, int *points, cloth_key *key)
{
	int next = edge % 3 == 2 ? edge - 2 : edge + 1;
	if (!find_point(c, data, data->triangles[edge], &points[0]) ||
	    !find_point(c, data, data->triangles[next], &points[1]))
		return false;
	bool is_outer = cloth_is_outer(points[0]);
	*key = (cloth_key){ is_outer ? body + 1 : 0, is_outer ? names[0] : points[0],
		                is_outer ? names[1] : points[1] };
	if (key->x > key->y) {
		swap_ints(&key->x, &key->y);
		swap_ints(&points[0], &points[1]);
	}
	return true;
}

// Fill the points and names of a pair of features of a list. @return false when memory ran out
static bool read_features(cloth *c, const rbl_surface_data *data, rbl_surface_hit_kind kind, int a,
                          int b, const rbl_surface_names *names, cloth_contact *k)
{
	*k = (cloth_contact){ .kind = kind };
	if (kind == RBL_HIT_EDGE_EDGE) {
		if (!read_edge(c, data, a, names->vertices, names->body_user_ids[0], k->points,
		               &k->keys[0]) ||
		    !read_edge(c, data, b, names->vertices + 2, names->body_user_ids[1], k->points + 2,
		               &k->keys[1]))
			return false;
		k->outer_edge = cloth_is_outer(k->points[0]) ? a : cloth_is_outer(k->points[2]) ? b : -1;
		if (compare_keys(&k->keys[0], &k->keys[1]) > 0) { // cloth first
			cloth_key key = k->keys[0];
			k->keys[0] = k->keys[1], k->keys[1] = key;
			swap_ints(&k->points[0], &k->points[2]);
			swap_ints(&k->points[1], &k->points[3]);
		}
	} else {
		int t = b < c->triangles_by_id.count ? c->triangles_by_id.data[b] : -1;
		if (!find_point(c, data, a, &k->points[0]))
			return false;
		for (int i = 0; i < 3; ++i)
			if (!find_point(c, data, data->triangles[3 * b + i], &k->points[1 + i]))
				return false;
		bool is_outer = cloth_is_outer(k->points[0]);
		k->keys[0] = (cloth_key){ is_outer ? names->body_user_ids[0] + 1 : 0,
			                      is_outer ? names->vertices[0] : k->points[0], 0 };
		k->keys[1] = (cloth_key){ t < 0 ? names->body_user_ids[1] + 1 : 0,
			                      t < 0 ? names->triangles[1] : t, 0 };
	}
	int first = k->kind == RBL_HIT_VERTEX_FACE ? 1 : 2;
	bool a_is_outer = cloth_is_outer(k->points[0]), b_is_outer = cloth_is_outer(k->points[first]);
	if (a_is_outer || b_is_outer) {
		// Which of the two lists' bodies it is: names come in the order of the list.
		rbl_surface_body_id of[2] = { names->bodies[0], names->bodies[1] };
		k->outer = rbl_obstacles_find(c->obstacles, of[0]).body.generation != 0 ? of[0] : of[1];
		k->tie = c->outer.data[-1 - k->points[a_is_outer ? 0 : first]].start.x;
	}
	const cloth_sheet *x = a_is_outer ? NULL : &c->sheets.data[c->particle_sheets[k->points[0]]],
					  *y =
						  b_is_outer ? NULL : &c->sheets.data[c->particle_sheets[k->points[first]]];
	x = x ? x : y, y = y ? y : x;
	k->thickness = 0.5f * (x->thickness + y->thickness);
	k->friction = 0.5f * (x->friction + y->friction);
	return true;
}

// Whether two features of one sheet are neighbours at rest.
static bool are_neighbours(const cloth *c, const cloth_contact *k)
{
	int first = k->kind == RBL_HIT_VERTEX_FACE ? 1 : 2;
	if (cloth_is_outer(k->points[0]) || cloth_is_outer(k->points[first]) ||
	    c->particle_sheets[k->points[0]] != c->particle_sheets[k->points[first]])
		return false;
	float limit = NEIGHBOURS * c->sheets.data[c->particle_sheets[k->points[0]]].edge;
	for (int i = 0; i < first; ++i)
		for (int j = first; j < 4; ++j)
			if (rbl_distance(c->rest[k->points[i]], c->rest[k->points[j]]) < limit)
				return true;
	return false;
}

// --- geometry -----------------------------------------------------------------------------------

static rbl_vec3 point_at(const cloth *c, int point, float share)
{
	if (!cloth_is_outer(point))
		return c->positions[point];
	const cloth_outer_point *outer = &c->outer.data[-1 - point];
	return rbl_lerp(outer->start, outer->end, share);
}

static float weight_of(const cloth *c, int point)
{
	return cloth_is_outer(point) ? 0.0f : c->weights[point];
}

// The sign of a point of a contact: those of b count against those of a.
static float sign_of(const cloth_contact *k, int i)
{
	return i < (k->kind == RBL_HIT_VERTEX_FACE ? 1 : 2) ? 1.0f : -1.0f;
}

// What a unit of distance takes of all particles of a contact, as the sum of shares squared times
// weights is to 1. Where most of it is held, the rest does not make up for that: no particle moves
// by more than a few times the distance. @return 0: all of it is held
static float inverse_sum(const cloth *c, const cloth_contact *k)
{
	const float most = 4.0f;
	float sum = 0.0f, largest = 0.0f;
	for (int i = 0; i < 4; ++i) {
		float share = fabsf(k->weights[i]) * weight_of(c, k->points[i]);
		sum += k->weights[i] * k->weights[i] * weight_of(c, k->points[i]);
		largest = rbl_maxf(largest, share);
	}
	if (!(largest > 0.0f))
		return 0.0f;
	return largest > most * sum ? most / largest : 1.0f / sum;
}

static void find_closest(const cloth_contact *k, const rbl_vec3 *at, rbl_closest *closest)
{
	rbl_vec3d points[4];
	for (int i = 0; i < 4; ++i)
		points[i] = rbl_to_d(at[i]);
	if (k->kind == RBL_HIT_VERTEX_FACE)
		rbl_closest_vertex_face(points, closest);
	else
		rbl_closest_edge_edge(points, closest);
}

// Whether the nearest points are inside the face, or inside both edges.
static bool is_inside(const cloth_contact *k, const rbl_closest *closest)
{
	(void)k;
	return closest->corners == 15;
}

static rbl_vec3 normal_of(const rbl_vec3 *a, const rbl_vec3 *b, const rbl_vec3 *c)
{
	return rbl_cross(rbl_sub(*b, *a), rbl_sub(*c, *a));
}

// Out of an obstacle at one of its edges: the sum of the normals on both sides.
static rbl_vec3 edge_normal(const rbl_surface_data *data, int edge)
{
	rbl_vec3 sum = { 0.0f, 0.0f, 0.0f };
	int sides[2] = { edge, data->twins[edge] };
	for (int i = 0; i < 2; ++i) {
		if (sides[i] < 0)
			continue;
		const int *t = data->triangles + 3 * (sides[i] / 3);
		sum = rbl_add(sum, rbl_normalize(normal_of(&data->starts[t[0]], &data->starts[t[1]],
		                                           &data->starts[t[2]])));
	}
	return sum;
}

// Whether a direction, from obstacle to cloth, leads into the obstacle at its edge or face.
static bool leads_inside(const cloth *c, const rbl_surface_data *data, const cloth_contact *k,
                         rbl_vec3 direction)
{
	if (k->kind == RBL_HIT_EDGE_EDGE)
		return k->outer_edge >= 0 && rbl_dot(edge_normal(data, k->outer_edge), direction) < 0.0f;
	if (!cloth_is_outer(k->points[1]))
		return false;
	const cloth_outer_point *o = c->outer.data;
	rbl_vec3 n = normal_of(&o[-1 - k->points[1]].start, &o[-1 - k->points[2]].start,
	                       &o[-1 - k->points[3]].start);
	return rbl_dot(n, direction) < 0.0f;
}

// --- what is near -------------------------------------------------------------------------------

// Where two features are at the start, and what they keep apart. @return false: it does not count
static bool begin_contact(const cloth *c, const rbl_surface_data *data, cloth_contact *k)
{
	rbl_vec3 at[4];
	rbl_closest closest;
	if (are_neighbours(c, k))
		return false;
	for (int i = 0; i < 4; ++i)
		at[i] = point_at(c, k->points[i], 0.0f);
	find_closest(k, at, &closest);
	k->direction = rbl_to_f(closest.direction);
	float distance = (float)closest.distance;
	if (leads_inside(c, data, k, k->direction)) {
		bool is_shallow = k->kind == RBL_HIT_VERTEX_FACE && is_inside(k, &closest) &&
		                  distance < 2.0f * k->thickness;
		if (!is_shallow)
			return false;
		k->direction = rbl_neg(k->direction);
		distance = -distance;
	}
	k->gap = distance;
	return true;
}

rbl_result cloth_find_contacts(cloth *c, float dt)
{
	float reach = 0.0f;
	for (int s = 0; s < c->sheets.count; ++s)
		reach = rbl_maxf(reach, 2.0f * c->sheets.data[s].thickness);
	c->contacts.count = c->outer.count = 0;
	if (c->sheets.count == 0)
		return RBL_OK;
	for (int p = 0; p < c->particle_count; ++p) {
		rbl_vec3 v = rbl_add_scaled(c->velocities[p], dt, c->def.gravity);
		c->before[p] =
			c->weights[p] > 0.0f ? rbl_add_scaled(c->positions[p], dt, v) : c->positions[p];
	}
	rbl_surface_near_pairs list;
	rbl_surface_name_list names;
	rbl_result result = cloth_move_surface(c, c->starts, c->before);
	if (result == RBL_OK)
		result = rbl_surface_proximity(c->surface, reach, &list);
	if (result == RBL_OK)
		result = rbl_surface_get_names(c->surface, &names);
	if (result != RBL_OK)
		return result;
	rbl_surface_data data = rbl_surface_get_data(c->surface);
	if (!begin_points(c, &data) || !CLOTH_RESERVE(&c->contacts, list.count))
		return cloth_fail(RBL_OUT_OF_MEMORY, "cloth: no memory for contacts");
	for (int i = 0; i < list.count; ++i) {
		cloth_contact *k = &c->contacts.data[c->contacts.count];
		const rbl_surface_near_pair *near = &list.pairs[i];
		if (!read_features(c, &data, near->kind, near->a, near->b, &names.names[i], k))
			return cloth_fail(RBL_OUT_OF_MEMORY, "cloth: no memory for contacts");
		c->contacts.count += begin_contact(c, &data, k);
	}
	sort_contacts(c);
	c->stats.near_count = list.count;
	c->stats.contact_count = 0;
	return RBL_OK;
}

// Take a share of what two features have slid since the sub-step began, by what pushes them.
static void rub(cloth *c, const cloth_contact *k, const rbl_vec3 *at, float share, float step,
                float correction, float inverse)
{
	rbl_vec3 slid = { 0.0f, 0.0f, 0.0f };
	for (int i = 0; i < 4; ++i) {
		rbl_vec3 before = cloth_is_outer(k->points[i]) ? point_at(c, k->points[i], share - step)
		                                               : c->before[k->points[i]];
		slid = rbl_add_scaled(slid, sign_of(k, i) * k->weights[i], rbl_sub(at[i], before));
	}
	slid = rbl_add_scaled(slid, -rbl_dot(slid, k->normal), k->normal);
	float length = rbl_length(slid), most = k->friction * correction;
	if (!(length > 1e-12f))
		return;
	float scale = (length > most ? most / length : 1.0f) * inverse;
	for (int i = 0; i < 4; ++i)
		if (!cloth_is_outer(k->points[i])) {
			float s = -scale * weight_of(c, k->points[i]) * sign_of(k, i) * k->weights[i];
			c->positions[k->points[i]] = rbl_add_scaled(c->positions[k->points[i]], s, slid);
		}
}

void cloth_solve_contacts(cloth *c, float share, float h, float dt)
{
	for (int n = 0; n < c->contacts.count; ++n) {
		cloth_contact *k = &c->contacts.data[n];
		rbl_vec3 at[4];
		rbl_closest closest;
		for (int i = 0; i < 4; ++i)
			at[i] = point_at(c, k->points[i], share);
		float gap = rbl_minf(k->thickness, k->gap + RECOVERY * share * dt);
		find_closest(k, at, &closest);
		rbl_vec3 normal = rbl_to_f(closest.direction);
		float distance = (float)closest.distance;
		if (rbl_dot(normal, k->direction) < 0.0f) { // they have passed through, or went around
			if (!is_inside(k, &closest))
				continue;
			normal = rbl_neg(normal), distance = -distance;
		}
		float correction = gap - distance;
		if (!(correction > 0.0f))
			continue;
		for (int i = 0; i < 4; ++i)
			k->weights[i] = (float)closest.weights[i];
		float inverse = inverse_sum(c, k);
		if (!(inverse > 0.0f))
			continue;
		for (int i = 0; i < 4; ++i) {
			float s =
				correction * inverse * weight_of(c, k->points[i]) * sign_of(k, i) * k->weights[i];
			if (s != 0.0f)
				c->positions[k->points[i]] = rbl_add_scaled(c->positions[k->points[i]], s, normal);
		}
		c->stats.contact_count += k->total == 0.0f;
		k->normal = normal;
		k->pushed += correction * inverse;
		k->total += correction * inverse / h;
		for (int i = 0; i < 4; ++i)
			at[i] = point_at(c, k->points[i], share);
		rub(c, k, at, share, h / dt, correction, inverse);
	}
}

void cloth_damp_contacts(cloth *c, float dt)
{
	for (int n = 0; n < c->contacts.count; ++n) {
		const cloth_contact *k = &c->contacts.data[n];
		if (!(k->pushed > 0.0f))
			continue;
		float parting = 0.0f, inverse = inverse_sum(c, k);
		for (int i = 0; i < 4; ++i) {
			rbl_vec3 v;
			if (cloth_is_outer(k->points[i])) {
				const cloth_outer_point *o = &c->outer.data[-1 - k->points[i]];
				v = rbl_scale(1.0f / dt, rbl_sub(o->end, o->start));
			} else {
				v = c->velocities[k->points[i]];
			}
			parting += sign_of(k, i) * k->weights[i] * rbl_dot(v, k->normal);
		}
		if (!(parting > 0.0f))
			continue;
		for (int i = 0; i < 4; ++i) {
			float s =
				-parting * inverse * weight_of(c, k->points[i]) * sign_of(k, i) * k->weights[i];
			if (s != 0.0f)
				c->velocities[k->points[i]] =
					rbl_add_scaled(c->velocities[k->points[i]], s, k->normal);
		}
	}
}

// --- what would pass through --------------------------------------------------------------------

// List the hits on the way from `starts` to `positions` as contacts.
static rbl_result find_hits(cloth *c)
{
	rbl_surface_hits list;
	rbl_surface_name_list names;
	rbl_result result = cloth_move_surface(c, c->starts, c->positions);
	if (result == RBL_OK)
		result = rbl_surface_sweep(c->surface, &list);
	if (result == RBL_OK)
		result = rbl_surface_get_names(c->surface, &names);
	if (result != RBL_OK)
		return result;
	rbl_surface_data data = rbl_surface_get_data(c->surface);
	if (!begin_points(c, &data) || !CLOTH_RESERVE(&c->contacts, list.count))
		return cloth_fail(RBL_OUT_OF_MEMORY, "cloth: no memory for hits");
	for (int i = 0; i < list.count; ++i) {
		cloth_contact *k = &c->contacts.data[c->contacts.count];
		const rbl_surface_hit *hit = &list.hits[i];
		rbl_vec3d start[4], end[4];
		rbl_impact impact;
		if (!read_features(c, &data, hit->kind, hit->a, hit->b, &names.names[i], k))
			return cloth_fail(RBL_OUT_OF_MEMORY, "cloth: no memory for hits");
		if (are_neighbours(c, k))
			continue;
		for (int j = 0; j < 4; ++j) {
			bool is_outer = cloth_is_outer(k->points[j]);
			const cloth_outer_point *o = is_outer ? &c->outer.data[-1 - k->points[j]] : NULL;
			start[j] = rbl_to_d(is_outer ? o->start : c->starts[k->points[j]]);
			end[j] = rbl_to_d(is_outer ? o->end : c->positions[k->points[j]]);
		}
		bool is_face = k->kind == RBL_HIT_VERTEX_FACE;
		if (is_face)
			rbl_test_vertex_face(start, end, 0.0, &impact);
		else
			rbl_test_edge_edge(start, end, 0.0, &impact);
		if (!impact.is_hit)
			continue;
		k->normal = rbl_to_f(impact.normal);
		// The normal leads from b to a, and cloth is a, but where it is the face.
		if (leads_inside(c, &data, k, k->normal))
			continue;
		float u = (float)impact.weights[0], v = (float)impact.weights[1];
		const float face[4] = { 1.0f, u, v, (float)impact.weights[2] };
		const float edges[4] = { 1.0f - u, u, 1.0f - v, v };
		memcpy(k->weights, is_face ? face : edges, sizeof k->weights);
		c->contacts.count++;
	}
	sort_contacts(c);
	return RBL_OK;
}

// Whether the obstacle of a hit moves in this step.
static bool is_moving(const cloth *c, const cloth_contact *k)
{
	for (int i = 0; i < 4; ++i)
		if (cloth_is_outer(k->points[i])) {
			const cloth_outer_point *o = &c->outer.data[-1 - k->points[i]];
			if (memcmp(&o->start, &o->end, sizeof o->start) != 0)
				return true;
		}
	return false;
}

// Move the particles of a hit so that the two are apart at the end.
static void part_hit(cloth *c, const cloth_contact *k)
{
	float apart = 0.0f, inverse = inverse_sum(c, k);
	for (int i = 0; i < 4; ++i)
		apart +=
			sign_of(k, i) * k->weights[i] * rbl_dot(point_at(c, k->points[i], 1.0f), k->normal);
	float wanted = HIT_GAP * k->thickness - apart;
	if (!(wanted > 0.0f) || !(inverse > 0.0f))
		return;
	for (int i = 0; i < 4; ++i) {
		float s = wanted * inverse * weight_of(c, k->points[i]) * sign_of(k, i) * k->weights[i];
		if (s == 0.0f)
			continue;
		c->positions[k->points[i]] = rbl_add_scaled(c->positions[k->points[i]], s, k->normal);
		c->changed[k->points[i]] = true;
	}
}

// Let the particles of a hit do what the other side does: rest, or go with an obstacle.
static void stop_hit(cloth *c, const cloth_contact *k)
{
	rbl_vec3 way = { 0.0f, 0.0f, 0.0f };
	for (int i = 0; i < 4; ++i)
		if (cloth_is_outer(k->points[i])) {
			const cloth_outer_point *o = &c->outer.data[-1 - k->points[i]];
			way = rbl_add_scaled(way, k->weights[i], rbl_sub(o->end, o->start));
		}
	for (int i = 0; i < 4; ++i)
		if (weight_of(c, k->points[i]) > 0.0f) {
			c->positions[k->points[i]] = rbl_add(c->starts[k->points[i]], way);
			c->changed[k->points[i]] = true;
		}
}

rbl_result cloth_stop_hits(cloth *c, float dt)
{
	c->stats.hit_count = c->stats.unresolved_count = 0;
	for (int p = 0; p < c->particle_count; ++p)
		c->changed[p] = false;
	for (int round = 0; round < MOST_ROUNDS && c->sheets.count > 0; ++round) {
		rbl_result result = find_hits(c);
		if (result != RBL_OK)
			return result;
		if (round == 0)
			c->stats.hit_count = c->contacts.count;
		if (c->contacts.count == 0)
			break;
		c->stats.unresolved_count = round + 1 == MOST_ROUNDS ? c->contacts.count : 0;
		for (int i = 0; i < c->contacts.count; ++i) {
			const cloth_contact *k = &c->contacts.data[i];
			if (round < HIT_ROUNDS)
				part_hit(c, k);
			else if (round < STOP_ROUNDS)
				stop_hit(c, k);
			else if (!is_moving(c, k)) // what rests is stronger
				part_hit(c, k);
		}
	}
	for (int p = 0; p < c->particle_count; ++p)
		if (c->changed[p])
			c->velocities[p] = rbl_scale(1.0f / dt, rbl_sub(c->positions[p], c->starts[p]));
	return RBL_OK;
}
