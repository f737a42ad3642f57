// SPDX-License-Identifier: MIT
//
// A step: XPBD with small sub-steps (Macklin et al. 2019), contacts within each, and at the end a
// look at the whole way, so that nothing passes through anything.

#include "cloth/inside.h"

// --- pins ---------------------------------------------------------------------------------------

// The body that holds a pin after its body broke: the nearest of what remains and what came off.
static rbl_body_id find_holder(const cloth *c, const rbl_fracture_event *event, rbl_vec3 point)
{
	rbl_body_id best = { 0, 0 };
	float nearest = INFINITY;
	for (int i = event->survives ? -1 : 0; i < event->new_count; ++i) {
		rbl_body_id body = i < 0 ? event->parent : event->new_bodies[i];
		rbl_world_hit hit;
		if (rbl_body_exists(c->world, body) &&
		    rbl_body_closest_point(c->world, body, point, &hit) && hit.distance < nearest)
			nearest = hit.distance, best = body;
	}
	return best;
}

// Where the particle of a pin goes in this step. @return false when it is released
static bool follow_pin(cloth *c, cloth_pin_record *pin, rbl_vec3 *target)
{
	*target = pin->at;
	if (pin->body.generation == 0)
		return true;
	rbl_events events = rbl_world_get_events(c->world);
	for (int i = 0; i < events.fracture_count; ++i) {
		const rbl_fracture_event *event = &events.fractures[i];
		if (event->parent.index != pin->body.index ||
		    event->parent.generation != pin->body.generation)
			continue;
		rbl_body_id holder = find_holder(c, event, c->positions[pin->particle]);
		bool is_same = holder.index == pin->body.index && holder.generation == pin->body.generation;
		if (holder.generation == 0 || (pin->releases && !is_same))
			return false;
		if (!is_same)
			pin->at = rbl_transform_point_inverse(rbl_body_pose(c->world, holder),
			                                      c->positions[pin->particle]);
		pin->body = holder;
	}
	if (!rbl_body_exists(c->world, pin->body))
		return false;
	*target = rbl_transform_point(rbl_body_pose(c->world, pin->body), pin->at);
	return true;
}

// Find where pins go, and let those go that are released.
static void follow_pins(cloth *c)
{
	int kept = 0;
	for (int i = 0; i < c->pins.count; ++i) {
		cloth_pin_record pin = c->pins.data[i];
		rbl_vec3 target;
		if (follow_pin(c, &pin, &target)) {
			c->targets.data[kept] = target;
			c->pins.data[kept++] = pin;
			continue;
		}
		c->weights[pin.particle] =
			c->masses[pin.particle] > 0.0f ? 1.0f / c->masses[pin.particle] : 0.0f;
		c->stats.release_count++;
	}
	c->pins.count = kept;
}

// --- a sub-step ---------------------------------------------------------------------------------

// The push of the air on each triangle, along its normal.
static void add_air(cloth *c, float h)
{
	if (!(c->def.air > 0.0f))
		return;
	for (int t = 0; t < c->triangle_count; ++t) {
		const int *k = c->triangles + 3 * t;
		const rbl_vec3 *x = c->positions, *v = c->velocities;
		rbl_vec3 n = rbl_cross(rbl_sub(x[k[1]], x[k[0]]), rbl_sub(x[k[2]], x[k[0]]));
		float twice = rbl_length(n);
		if (!(twice > 0.0f))
			continue;
		rbl_vec3 mean = rbl_scale(1.0f / 3.0f, rbl_add(v[k[0]], rbl_add(v[k[1]], v[k[2]])));
		float across = rbl_dot(rbl_sub(c->def.wind, mean), n) / twice;
		// Half the density, times the square of the speed, times a third of the area; at most what
		// takes the particle along.
		float push = 0.5f * c->def.air * (0.5f * twice / 3.0f) * fabsf(across) * across * h;
		for (int i = 0; i < 3; ++i) {
			float change = push * c->weights[k[i]];
			change = fabsf(change) > fabsf(0.3f * across) ? 0.3f * across : change;
			c->velocities[k[i]] = rbl_add_scaled(c->velocities[k[i]], change / twice, n);
		}
	}
}

static void predict(cloth *c, float h)
{
	float kept = 1.0f - c->def.damping * h;
	for (int p = 0; p < c->particle_count; ++p) {
		c->before[p] = c->positions[p];
		if (c->weights[p] == 0.0f)
			continue;
		c->velocities[p] = rbl_scale(kept, rbl_add_scaled(c->velocities[p], h, c->def.gravity));
		c->positions[p] = rbl_add_scaled(c->positions[p], h, c->velocities[p]);
	}
}

static void solve_edge(cloth *c, const cloth_edge *e, float inverse_square, bool pushes)
{
	float wa = c->weights[e->a], wb = c->weights[e->b], sum = wa + wb;
	rbl_vec3 d = rbl_sub(c->positions[e->a], c->positions[e->b]);
	float length = rbl_length(d), over = length - e->length;
	if (!(sum > 0.0f) || !(length > 1e-9f) || (over < 0.0f && !pushes))
		return;
	float s = -over / (length * (sum + e->compliance * inverse_square));
	c->positions[e->a] = rbl_add_scaled(c->positions[e->a], s * wa, d);
	c->positions[e->b] = rbl_add_scaled(c->positions[e->b], -s * wb, d);
}

// Back and forth, so that both ends of a row are equally stiff.
static void solve_edges(cloth *c, float h, bool is_back)
{
	float inverse_square = 1.0f / (h * h);
	for (int i = 0; i < c->edges.count; ++i)
		solve_edge(c, &c->edges.data[is_back ? c->edges.count - 1 - i : i], inverse_square, true);
	for (int i = 0; i < c->bends.count; ++i)
		solve_edge(c, &c->bends.data[is_back ? c->bends.count - 1 - i : i], inverse_square, true);
}

static void substep(cloth *c, int index, float dt)
{
	int n = c->def.substep_count;
	float h = dt / (float)n, share = (float)(index + 1) / (float)n;
	add_air(c, h);
	predict(c, h);
	for (int i = 0; i < c->pins.count; ++i) {
		int p = c->pins.data[i].particle;
		c->positions[p] = rbl_lerp(c->starts[p], c->targets.data[i], share);
	}
	for (int i = 0; i < c->contacts.count; ++i)
		c->contacts.data[i].pushed = 0.0f;
	for (int k = 0; k < c->def.iteration_count; ++k) {
		solve_edges(c, h, (index + k) % 2);
		cloth_solve_contacts(c, share, h, dt);
	}
	for (int p = 0; p < c->particle_count; ++p)
		c->velocities[p] = rbl_scale(1.0f / h, rbl_sub(c->positions[p], c->before[p]));
	cloth_damp_contacts(c, dt);
}

// --- a step -------------------------------------------------------------------------------------

static void push_bodies(cloth *c)
{
	for (int i = 0; i < c->contacts.count; ++i) {
		const cloth_contact *k = &c->contacts.data[i];
		rbl_obstacle of = rbl_obstacles_find(c->obstacles, k->outer);
		if (!(k->total > 0.0f) || of.body.generation == 0 ||
		    rbl_body_get_state(c->world, of.body).kind != RBL_BODY_DYNAMIC)
			continue;
		rbl_vec3 point = { 0.0f, 0.0f, 0.0f };
		int first = k->kind == RBL_HIT_VERTEX_FACE ? 1 : 2; // the points of b
		bool outer_is_b = cloth_is_outer(k->points[3]);
		for (int q = outer_is_b ? first : 0; q < (outer_is_b ? 4 : first); ++q)
			point =
				rbl_add_scaled(point, fabsf(k->weights[q]), c->outer.data[-1 - k->points[q]].end);
		float along = outer_is_b ? -k->total : k->total;
		rbl_body_add_impulse(c->world, of.body, rbl_scale(along, k->normal), point);
	}
}

rbl_result cloth_step(cloth *c, float dt)
{
	if (!c || !(dt > 0.0f && dt < 10.0f))
		return cloth_fail(RBL_BAD_ARGUMENT, "cloth: dt is not above 0 to 10 s");
	rbl_result result = rbl_obstacles_sync(c->obstacles, c->world, dt);
	if (result != RBL_OK)
		return result;
	if (!CLOTH_RESERVE(&c->targets, c->pins.count + 1))
		return cloth_fail(RBL_OUT_OF_MEMORY, "cloth: no memory for a step");
	for (int p = 0; p < c->particle_count; ++p)
		c->starts[p] = c->positions[p];
	follow_pins(c);
	result = cloth_find_contacts(c, dt);
	if (result != RBL_OK)
		return result;
	for (int i = 0; i < c->def.substep_count; ++i)
		substep(c, i, dt);
	if (c->def.pushes_bodies && c->world)
		push_bodies(c);
	result = cloth_stop_hits(c, dt);
	if (result == RBL_OK)
		result = cloth_tear(c);
	return result;
}
