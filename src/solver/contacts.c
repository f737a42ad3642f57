// SPDX-License-Identifier: MIT
//
// Contacts: adding, removing, their manifolds, and what they report.
//
// A new manifold of a pair that already touched keeps the impulses of its points for warm starting.
// A pair that overlaps when it first touches (fragments of a break do) may keep that overlap: only
// what exceeds its allowed penetration is pushed out, and what is allowed shrinks as the pair
// separates.

#include "solver/state.h"

// --- adding and removing -------------------------------------------------------------------------

static void link_side(rbl_solver *s, int index, int side)
{
	int body = s->contacts.data[index].body[side];
	rbl_solver_link_add(s, &s->cold[body].first_contact, 2 * index + side, rbl_solver_contact_link);
}

static void unlink_side(rbl_solver *s, int index, int side)
{
	int body = s->contacts.data[index].body[side];
	rbl_solver_link_remove(s, &s->cold[body].first_contact, 2 * index + side,
	                       rbl_solver_contact_link);
}

// Without points.
static void define_contact(rbl_solver *s, int index, const rbl_solver_contact *def)
{
	RBL_ASSERT(def->a != def->b && def->a > 0 && def->b > 0);
	s->contacts.data[index] = (rbl_solver_contact_cold){
		.body = { def->a, def->b },
		.list = -1,
		.slot = -1,
		.friction = def->friction,
		.restitution = def->restitution,
		.radius = { def->radius_a, def->radius_b },
		.resistance = { def->rolling_resistance, def->spinning_resistance },
		.allowed_penetration = def->allowed_penetration,
		.user = def->user,
	};
	link_side(s, index, 0);
	link_side(s, index, 1);
}

// The lists that contacts which come soon are added to.
static void prefetch_links(const rbl_solver *s, const rbl_solver_contact *defs, int i, int count)
{
	enum { AHEAD = 4 };
	if (i + 2 * AHEAD < count) {
		rbl_prefetch(&s->cold[defs[i + 2 * AHEAD].a]);
		rbl_prefetch(&s->cold[defs[i + 2 * AHEAD].b]);
	}
	for (int side = 0; side < 2 && i + AHEAD < count; ++side) {
		int first = s->cold[side ? defs[i + AHEAD].b : defs[i + AHEAD].a].first_contact;
		if (first >= 0)
			rbl_prefetch(rbl_solver_contact_link(s, first));
	}
}

rbl_result rbl_solver_add_contacts(rbl_solver *s, const rbl_solver_contact *defs, int count,
                                   int32_t *contacts)
{
	RBL_ASSERT(s && count >= 0 && (count == 0 || (defs && contacts)));
	int wanted = s->contact_ids.live_count + count;
	if (!rbl_id_pool_reserve(&s->allocator, &s->contact_ids, wanted) ||
	    !rbl_array_reserve(&s->allocator, &s->contacts,
	                       rbl_maxi(wanted, s->contact_ids.slot_count)))
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < count; ++i) {
		prefetch_links(s, defs, i, count);
		contacts[i] = (int32_t)rbl_id_pool_add(&s->allocator, &s->contact_ids).index;
		s->contacts.count = rbl_maxi(s->contacts.count, contacts[i] + 1);
		define_contact(s, contacts[i], &defs[i]);
	}
	return RBL_OK;
}

// The sum over its points.
static float normal_impulse(const rbl_solver *s, const rbl_solver_contact_cold *contact)
{
	if (contact->list < 0)
		return 0.0f;
	int lane;
	const rbl_solver_contact_block *block = rbl_solver_block_of(s, contact, &lane);
	float sum = 0.0f;
	for (int i = 0; i < RBL_MAX_MANIFOLD_POINTS; ++i)
		sum += block->points[i].impulse[lane];
	return sum;
}

// Bodies that it supported wake.
static void remove_points(rbl_solver *s, int index)
{
	rbl_solver_contact_cold *contact = &s->contacts.data[index];
	if (normal_impulse(s, contact) > 0.0f) {
		rbl_solver_wake(s, contact->body[0]);
		rbl_solver_wake(s, contact->body[1]);
	}
	rbl_solver_leave_list(s, contact);
	contact->point_count = 0;
}

void rbl_solver_remove_contacts(rbl_solver *s, const int32_t *contacts, int count)
{
	for (int i = 0; i < count; ++i) {
		RBL_ASSERT(rbl_id_pool_is_live(&s->contact_ids, contacts[i]));
		remove_points(s, contacts[i]);
		unlink_side(s, contacts[i], 0);
		unlink_side(s, contacts[i], 1);
		rbl_id_pool_remove(&s->contact_ids, rbl_id_pool_at(&s->contact_ids, contacts[i]));
	}
}

// --- manifolds -----------------------------------------------------------------------------------

static rbl_vec3 lane3(const float *rows, int lane)
{
	return (rbl_vec3){ rows[lane], rows[RBL_SOLVER_LANES + lane],
		               rows[2 * RBL_SOLVER_LANES + lane] };
}

static void set_lane3(float *rows, int lane, rbl_vec3 v)
{
	rows[lane] = v.x, rows[RBL_SOLVER_LANES + lane] = v.y;
	rows[2 * RBL_SOLVER_LANES + lane] = v.z;
}

// The tangents of lanes.h.
static void tangents_of(rbl_vec3 n, rbl_vec3 *t1, rbl_vec3 *t2)
{
	float sign = n.z < 0.0f ? -1.0f : 1.0f;
	float a = -1.0f / (sign + n.z), b = n.x * n.y * a;
	*t1 = (rbl_vec3){ 1.0f + sign * n.x * n.x * a, sign * b, -(sign * n.x) };
	*t2 = (rbl_vec3){ b, sign + n.y * n.y * a, -n.y };
}

// Friction impulses along the tangents of a new normal.
static void rotate_friction(rbl_solver_contact_block *block, int lane, rbl_vec3 normal)
{
	rbl_vec3 t1, t2;
	tangents_of(lane3(block->normal, lane), &t1, &t2);
	rbl_vec3 friction = rbl_add(rbl_scale(block->friction_impulse[0][lane], t1),
	                            rbl_scale(block->friction_impulse[1][lane], t2));
	tangents_of(normal, &t1, &t2);
	block->friction_impulse[0][lane] = rbl_dot(friction, t1);
	block->friction_impulse[1][lane] = rbl_dot(friction, t2);
}

// The impulses that the points of a new manifold start with: those of old points with the same
// features, else of the nearest, if it is near. Features alone are not enough: where edges of two
// boxes coincide, rounding decides in every step which of them a corner belongs to.
// @param origin  of anchors
static void match_points(const rbl_solver_contact_cold *contact,
                         const rbl_solver_contact_block *block, int lane,
                         const rbl_manifold *manifold, rbl_vec3 origin, float length_scale,
                         float impulses[RBL_MAX_MANIFOLD_POINTS])
{
	bool is_taken[RBL_MAX_MANIFOLD_POINTS] = { false },
		 is_found[RBL_MAX_MANIFOLD_POINTS] = { false };
	int missing = manifold->point_count;
	for (int i = 0; i < manifold->point_count; ++i)
		for (int k = 0; k < contact->point_count && !is_found[i]; ++k)
			if (!is_taken[k] && contact->ids[k] == manifold->points[i].id) {
				impulses[i] = block->points[k].impulse[lane];
				is_taken[k] = is_found[i] = true;
				missing--;
			}
	float max_distance = 0.25f * block->patch_radius[lane] + 0.005f * length_scale;
	for (int i = 0; missing > 0 && i < manifold->point_count; ++i) {
		if (is_found[i])
			continue;
		missing--;
		rbl_vec3 anchor = rbl_sub(manifold->points[i].position, origin);
		float least = max_distance * max_distance;
		int best = -1;
		for (int k = 0; k < contact->point_count; ++k) {
			float square =
				rbl_length_squared(rbl_sub(anchor, lane3(block->points[k].anchor, lane)));
			if (!is_taken[k] && square < least)
				least = square, best = k;
		}
		if (best >= 0) {
			impulses[i] = block->points[best].impulse[lane];
			is_taken[best] = true;
		}
	}
}

// Where the anchor of a point is. A point is in the middle between the surfaces; on a round body it
// is on that body, or friction would have the wrong lever while they are apart.
static rbl_vec3 anchor_point(const rbl_solver_contact_cold *contact, const rbl_manifold *manifold,
                             int index)
{
	const rbl_manifold_point *point = &manifold->points[index];
	if (contact->radius[0] + contact->radius[1] == 0.0f)
		return point->position;
	float side = contact->radius[1] > 0.0f ? 0.5f : -0.5f;
	return rbl_add_scaled(point->position, side * point->separation, manifold->normal);
}

static void write_manifold(rbl_solver *s, rbl_solver_contact_cold *contact,
                           const rbl_manifold *manifold)
{
	int lane, count = manifold->point_count;
	rbl_solver_contact_block *block = rbl_solver_block_of(s, contact, &lane);
	rbl_vec3 centre_a = s->records.pose[contact->body[0]].centre;
	rbl_vec3 centre_b = s->records.pose[contact->body[1]].centre;
	rbl_vec3 origin = rbl_add_scaled(centre_a, contact->radius[0], manifold->normal);
	float impulses[RBL_MAX_MANIFOLD_POINTS] = { 0 }, least = 0.0f;
	match_points(contact, block, lane, manifold, origin, s->def.length_scale, impulses);
	rbl_vec3 centroid = { 0.0f, 0.0f, 0.0f };
	for (int i = 0; i < count; ++i) {
		centroid = rbl_add(centroid, anchor_point(contact, manifold, i));
		least = rbl_minf(least, manifold->points[i].separation);
	}
	centroid = rbl_scale(1.0f / (float)count, centroid);
	// Along another axis the pair may overlap more than it did initially, and that is no motion
	// either.
	float cosine =
		contact->point_count > 0 ? rbl_dot(lane3(block->normal, lane), manifold->normal) : 1.0f;
	if (cosine < 0.95f && contact->allowed_penetration > 0.0f)
		contact->allowed_penetration = -least;
	contact->allowed_penetration = rbl_minf(contact->allowed_penetration, -least);
	rotate_friction(block, lane, manifold->normal);
	float deepest = contact->allowed_penetration > s->def.length_scale * RBL_SOLVER_DEEP_PENETRATION
	                    ? -s->def.length_scale * RBL_SOLVER_DEEP_PUSH
	                    : -FLT_MAX;
	for (int i = 0; i < RBL_MAX_MANIFOLD_POINTS; ++i) {
		rbl_solver_point_block *point = &block->points[i];
		const rbl_manifold_point *given = &manifold->points[i];
		rbl_vec3 position = i < count ? anchor_point(contact, manifold, i) : centroid;
		set_lane3(point->anchor, lane, rbl_sub(position, origin));
		point->separation[lane] =
			i < count ? rbl_maxf(given->separation + contact->allowed_penetration, deepest)
					  : RBL_SOLVER_NO_POINT;
		point->impulse[lane] = impulses[i];
		contact->ids[i] = i < count ? given->id : 0;
	}
	set_lane3(block->normal, lane, manifold->normal);
	set_lane3(block->offset, lane,
	          rbl_add_scaled(rbl_sub(centre_a, centre_b), contact->radius[0] + contact->radius[1],
	                         manifold->normal));
	block->friction_mass[0][lane] = RBL_SOLVER_NEW_MANIFOLD;
	contact->point_count = count;
}

void rbl_solver_prefetch_contact(const rbl_solver *s, int contact)
{
	const char *record = (const char *)&s->contacts.data[contact];
	rbl_prefetch(record);
	rbl_prefetch(record + sizeof *s->contacts.data - 1);
}

void rbl_solver_prefetch_bodies(const rbl_solver *s, int contact)
{
	for (int side = 0; side < 2; ++side) {
		int body = s->contacts.data[contact].body[side];
		rbl_prefetch(&s->records.velocity[body]);
		rbl_prefetch(&s->records.pose[body]);
		rbl_prefetch(&s->cold[body]);
	}
}

void rbl_solver_prefetch_lane(const rbl_solver *s, int contact)
{
	int lane;
	if (s->contacts.data[contact].list < 0)
		return;
	const char *block =
		(const char *)rbl_solver_block_of(s, &s->contacts.data[contact], &lane)->normal;
	for (size_t i = 0; i < sizeof(rbl_solver_contact_block) - sizeof(int32_t[2][RBL_SOLVER_LANES]);
	     i += RBL_CACHE_LINE)
		rbl_prefetch(block + i);
}

bool rbl_solver_update_manifold(rbl_solver *s, int index, const rbl_manifold *manifold)
{
	rbl_solver_contact_cold *contact = &s->contacts.data[index];
	if (contact->list < 0 ? manifold->point_count > 0 : manifold->point_count == 0)
		return false;
	if (contact->list >= 0)
		write_manifold(s, contact, manifold);
	return true;
}

rbl_result rbl_solver_begin_touch(rbl_solver *s, int index)
{
	bool has_slot = s->contacts.data[index].list >= 0 || rbl_solver_take_slot(s, index);
	return has_slot ? RBL_OK : RBL_OUT_OF_MEMORY;
}

void rbl_solver_write_manifold(rbl_solver *s, int index, const rbl_manifold *manifold)
{
	rbl_solver_contact_cold *contact = &s->contacts.data[index];
	if (contact->list < 0) // no memory for the list that it belonged to since
		return;
	if (contact->point_count == 0)
		rbl_solver_open_lane(s, index);
	write_manifold(s, contact, manifold);
}

rbl_result rbl_solver_set_manifold(rbl_solver *s, int index, const rbl_manifold *manifold)
{
	RBL_ASSERT(manifold->point_count >= 0 && manifold->point_count <= RBL_MAX_MANIFOLD_POINTS);
	if (rbl_solver_update_manifold(s, index, manifold))
		return RBL_OK;
	if (manifold->point_count == 0) {
		remove_points(s, index);
		return RBL_OK;
	}
	rbl_result result = rbl_solver_begin_touch(s, index);
	if (result == RBL_OK)
		rbl_solver_write_manifold(s, index, manifold);
	return result;
}

void rbl_solver_set_radii(rbl_solver *s, int index, float radius_a, float radius_b)
{
	rbl_solver_contact_cold *contact = &s->contacts.data[index];
	contact->radius[0] = radius_a, contact->radius[1] = radius_b;
	if (contact->list < 0)
		return;
	int lane = contact->slot % RBL_SOLVER_LANES;
	rbl_solver_cold_block *cold = rbl_solver_cold_of(s, contact);
	cold->radius[0][lane] = radius_a, cold->radius[1][lane] = radius_b;
}

void rbl_solver_limit_allowed_penetration(rbl_solver *s, int contact, float most)
{
	float *allowed = &s->contacts.data[contact].allowed_penetration;
	*allowed = rbl_minf(*allowed, most);
}

bool rbl_solver_has_points(const rbl_solver *s, int contact)
{
	return s->contacts.data[contact].list >= 0;
}

// --- changing ------------------------------------------------------------------------------------

void rbl_solver_swap_contact_users(rbl_solver *s, int first, int second)
{
	rbl_solver_contact_cold *a = &s->contacts.data[first], *b = &s->contacts.data[second];
	RBL_ASSERT(a->body[0] == b->body[0] && a->body[1] == b->body[1]);
	uint32_t user = a->user;
	a->user = b->user;
	b->user = user;
}

void rbl_solver_move_contact(rbl_solver *s, int index, int from, int to)
{
	rbl_solver_contact_cold *contact = &s->contacts.data[index];
	int side = contact->body[1] == from;
	RBL_ASSERT(contact->body[side] == from && contact->body[!side] != to);
	RBL_ASSERT(s->cold[to].kind == RBL_SOLVER_STATIC);
	if (contact->list >= 0)
		rbl_solver_flip_color(s, contact, false);
	unlink_side(s, index, side);
	contact->body[side] = to;
	link_side(s, index, side);
	if (contact->list < 0)
		return;
	rbl_solver_flip_color(s, contact, true);
	int lane;
	rbl_solver_contact_block *block = rbl_solver_block_of(s, contact, &lane);
	(side ? block->b : block->a)[lane] = to;
	rbl_vec3 shift = rbl_sub(s->records.pose[from].centre, s->records.pose[to].centre);
	rbl_vec3 offset = lane3(block->offset, lane);
	set_lane3(block->offset, lane, side ? rbl_add(offset, shift) : rbl_sub(offset, shift));
	for (int i = 0; side == 0 && i < RBL_MAX_MANIFOLD_POINTS; ++i) {
		float *anchor = block->points[i].anchor;
		set_lane3(anchor, lane, rbl_add(lane3(anchor, lane), shift));
	}
	rbl_solver_place_contact(s, index); // it may have been awake because of the other body
}

rbl_result rbl_solver_bind_contact(rbl_solver *s, int index, const rbl_solver_contact *def,
                                   const rbl_manifold *manifold, float impulse)
{
	rbl_solver_contact_cold *contact = &s->contacts.data[index];
	rbl_solver_leave_list(s, contact);
	unlink_side(s, index, 0);
	unlink_side(s, index, 1);
	define_contact(s, index, def);
	rbl_result result = rbl_solver_set_manifold(s, index, manifold);
	if (result != RBL_OK || contact->list < 0)
		return result;
	int lane;
	rbl_solver_contact_block *block = rbl_solver_block_of(s, contact, &lane);
	for (int i = 0; i < contact->point_count; ++i)
		block->points[i].impulse[lane] = impulse / (float)contact->point_count;
	return RBL_OK;
}

void rbl_solver_set_material(rbl_solver *s, int index, const rbl_solver_contact *def)
{
	rbl_solver_contact_cold *contact = &s->contacts.data[index];
	contact->friction = def->friction;
	contact->restitution = def->restitution;
	contact->resistance[0] = def->rolling_resistance;
	contact->resistance[1] = def->spinning_resistance;
	if (contact->list < 0)
		return;
	int lane;
	rbl_solver_contact_block *block = rbl_solver_block_of(s, contact, &lane);
	block->friction[lane] = def->friction;
	rbl_solver_cold_block *cold = rbl_solver_cold_of(s, contact);
	cold->restitution[lane] = def->restitution;
	cold->resistance[0][lane] = def->rolling_resistance;
	cold->resistance[1][lane] = def->spinning_resistance;
	if (!(def->rolling_resistance + def->spinning_resistance > 0.0f)) // it is not solved any more
		set_lane3(cold->resistance_impulse, lane, (rbl_vec3){ 0.0f, 0.0f, 0.0f });
}

// --- reports -------------------------------------------------------------------------------------

// Of both bodies along the normal, at the centroid of the points.
static float effective_mass(const rbl_solver *s, const rbl_solver_contact_cold *contact,
                            rbl_vec3 normal, rbl_vec3 arm_a, rbl_vec3 arm_b)
{
	float sum = 0.0f;
	for (int side = 0; side < 2; ++side) {
		const rbl_solver_inertia *inverse = &s->records.inverse_inertia[contact->body[side]];
		rbl_vec3 cross = rbl_cross(side ? arm_b : arm_a, normal);
		sum +=
			inverse->inverse_mass + rbl_dot(cross, rbl_mat_vec(rbl_solver_tensor(inverse), cross));
	}
	return sum > 0.0f ? 1.0f / sum : 0.0f;
}

rbl_solver_contact_report rbl_solver_report_contact(const rbl_solver *s, int index)
{
	const rbl_solver_contact_cold *contact = &s->contacts.data[index];
	rbl_solver_contact_report report = { .a = contact->body[0],
		                                 .b = contact->body[1],
		                                 .user = contact->user,
		                                 .point_count = contact->point_count };
	if (contact->list < 0)
		return report;
	int lane;
	const rbl_solver_contact_block *block = rbl_solver_block_of(s, contact, &lane);
	rbl_vec3 arm = { 0.0f, 0.0f, 0.0f };
	float least = FLT_MAX;
	for (int i = 0; i < contact->point_count; ++i) {
		arm = rbl_add(arm, lane3(block->points[i].anchor, lane));
		least = rbl_minf(least, block->points[i].separation[lane]);
	}
	arm = rbl_scale(1.0f / (float)contact->point_count, arm);
	report.normal = lane3(block->normal, lane);
	report.point = rbl_add_scaled(rbl_add(s->records.pose[contact->body[0]].centre, arm),
	                              contact->radius[0], report.normal);
	report.normal_impulse = normal_impulse(s, contact);
	report.peak_impulse = block->peak_impulse[lane];
	report.approach_speed = rbl_solver_cold_of(s, contact)->approach_speed[lane];
	report.separation = least - contact->allowed_penetration;
	float mass =
		effective_mass(s, contact, report.normal, arm, rbl_add(arm, lane3(block->offset, lane)));
	report.energy = 0.5f * mass * report.approach_speed * report.approach_speed;
	return report;
}
