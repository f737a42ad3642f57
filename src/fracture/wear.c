// SPDX-License-Identifier: MIT
//
// Wear: parts and bonds have health, and hits that are too weak to break take some of it.
//
// Damage is a sum over hits, after Palmgren and Miner: a hit of energy E takes (E / T)^k of what
// breaks at T, so that many weak hits do what a strong one does, the later the weaker they are. The
// energy of a hit is shared by distance. What is beside the part that was hit does not break by
// that alone, or a wall would burst where nothing touched it; bonds open wherever they are.
//
// Damage is no part of the geometry: it changes neither the compound's version nor its tree, so
// that breaks in progress continue.

#include "base/hash.h"
#include "base/log.h"
#include "base/sort.h"
#include "base/vec.h"
#include "fracture/break.h"
#include "fracture/fracture.h"

#include <rubble/damage.h>

// A sum of a hundred hundredths need not be 1 to the last digit.
static const double worn_through = 1.0 - 1e-9;

// --- shapes -------------------------------------------------------------------------------------

static rbl_vec3d on_axis(const rbl_load_shape *s, rbl_vec3d p, double *along)
{
	double length = rbl_length_squared_d(s->translation);
	double t = length > 0.0 ? rbl_dot_d(rbl_sub_d(p, s->position), s->translation) / length : 0.0;
	*along = t;
	return rbl_add_scaled_d(s->position, rbl_clampd(t, 0.0, 1.0), s->translation);
}

double rbl_load_shape_distance(const rbl_load_shape *s, rbl_vec3d p)
{
	double along, radius = s->radius;
	rbl_vec3d nearest = on_axis(s, p, &along);
	if (!s->is_cone)
		return rbl_maxd(rbl_distance_d(p, nearest) - radius, 0.0);
	double length = rbl_length_d(s->translation), t = rbl_clampd(along, 0.0, 1.0);
	double beyond = length * fabs(along - t);
	double from_axis =
		sqrt(rbl_maxd(rbl_length_squared_d(rbl_sub_d(p, nearest)) - beyond * beyond, 0.0));
	double beside = rbl_maxd(from_axis - t * radius, 0.0);
	return sqrt(beside * beside + beyond * beyond);
}

static double shape_share(const rbl_load_shape *s, rbl_vec3d p)
{
	double distance = rbl_load_shape_distance(s, p);
	if (distance <= 0.0)
		return 1.0;
	return distance < s->falloff ? 1.0 - distance / s->falloff : 0.0;
}

// The point of a convex nearest to the axis of a shape: alternating projections onto two convex
// sets converge.
static rbl_vec3d nearest_point(const rbl_load_shape *s, const rbl_part *part)
{
	enum { ROUNDS = 8 };
	double along;
	rbl_vec3d p = part->visual.centre;
	bool is_ball = rbl_length_squared_d(s->translation) == 0.0;
	for (int i = 0; i < (is_ball ? 1 : ROUNDS); ++i)
		p = rbl_convex_nearest_point(part->convex, on_axis(s, p, &along));
	return p;
}

static rbl_boxd shape_bounds(const rbl_load_shape *s)
{
	rbl_boxd box = { s->position, s->position };
	box = rbl_box_add_point_d(box, rbl_add_d(s->position, s->translation));
	return rbl_box_grow_d(box, s->radius + s->falloff);
}

// --- what is near -------------------------------------------------------------------------------

// A part within reach, and what it takes.
typedef struct loaded_part {
	int part;
	rbl_vec3d point;
	double share;
} loaded_part;

typedef struct loading {
	rbl_compound *c;
	const rbl_load *load;
	const rbl_allocator *allocator;
	RBL_ARRAY(rbl_sort_item) found; // numbers of parts
	RBL_ARRAY(loaded_part) parts;   // ascending
} loading;

static bool add_found(void *context, const uint32_t *leaves, int count)
{
	loading *l = context;
	for (int i = 0; i < count; ++i)
		if (!rbl_array_push(l->allocator, &l->found, ((rbl_sort_item){ leaves[i], 0 })))
			return false;
	return true;
}

static bool find_parts(loading *l)
{
	rbl_compound *c = l->c;
	rbl_box box = rbl_compound_tree_box(c, shape_bounds(&l->load->shape));
	if (!rbl_tree_query_box(&c->tree, box, add_found, l))
		return false;
	int hit = l->load->hit_part, count = l->found.count;
	bool has_hit = hit < 0;
	for (int i = 0; i < count; ++i)
		has_hit |= (int)l->found.data[i].key == hit;
	if (!has_hit && !rbl_array_push(l->allocator, &l->found, ((rbl_sort_item){ (uint32_t)hit, 0 })))
		return false;
	count = l->found.count;
	if (!rbl_array_reserve(l->allocator, &l->found, 2 * count) ||
	    !rbl_array_reserve(l->allocator, &l->parts, count))
		return false;
	rbl_sort(l->found.data, l->found.data + count, count);
	for (int i = 0; i < count; ++i) {
		int part = (int)l->found.data[i].key;
		rbl_vec3d point = nearest_point(&l->load->shape, &c->parts.data[part]);
		double share = part == hit ? 1.0 : shape_share(&l->load->shape, point);
		if (share > 0.0 && l->load->is_reached && !l->load->is_reached(l->load->user, part, point))
			continue;
		if (share > 0.0)
			l->parts.data[l->parts.count++] = (loaded_part){ part, point, share };
	}
	return true;
}

static bool is_loaded(const loading *l, int part)
{
	int low = 0;
	for (int high = l->parts.count; low < high;) {
		int middle = (low + high) / 2;
		if (l->parts.data[middle].part < part)
			low = middle + 1;
		else
			high = middle;
	}
	return low < l->parts.count && l->parts.data[low].part == part;
}

// --- damage -------------------------------------------------------------------------------------

// What an energy takes of something that breaks at `threshold`.
static double wear_of(const rbl_damage_rule *rule, double energy, double threshold)
{
	if (!(rule->wear_energy > 0.0) || energy < rule->wear_energy)
		return 0.0;
	double ratio = energy / threshold, wear = ratio;
	for (int i = 1; i < rule->wear_exponent; ++i)
		wear *= ratio;
	return wear;
}

static void set_part_damage(rbl_compound *c, rbl_part *m, double damage)
{
	c->worn_count += (int)(damage > 0.0) - (int)(m->damage > 0.0);
	m->damage = damage;
}

static void load_part(loading *l, const loaded_part *at, rbl_load_result *result)
{
	rbl_part *m = &l->c->parts.data[at->part];
	const rbl_damage_rule *rule = l->load->rule_of(l->load->user, at->part);
	if (!rule || rule->level_count == 0)
		return;
	double load = at->share * l->load->energy;
	double threshold = rule->levels[0].energy * m->strength;
	bool is_hit = l->load->hit_part < 0 || l->load->hit_part == at->part;
	bool breaks = load >= threshold && is_hit;
	rbl_load_break found = { at->part, at->point, load, load / m->strength };
	double wear = wear_of(rule, load, threshold);
	if (!breaks && wear > 0.0) {
		double damage = m->damage + wear;
		breaks = is_hit && damage >= worn_through;
		if (breaks) // used up
			found.energy = rule->levels[0].energy, damage = rbl_maxd(damage - 1.0, 0.0);
		set_part_damage(l->c, m, rbl_mind(damage, 1.0));
		result->part_count++;
	}
	if (breaks) // there is room
		result->breaks.data[result->breaks.count++] = found;
}

// The rule by which a bond opens: of its two sides the one that opens earlier.
static const rbl_damage_rule *bond_rule(const loading *l, const rbl_bond *b)
{
	const rbl_damage_rule *first = l->load->rule_of(l->load->user, b->parts[0]);
	const rbl_damage_rule *second = l->load->rule_of(l->load->user, b->parts[1]);
	if (!first || !(first->bond_energy > 0.0))
		return second && second->bond_energy > 0.0 ? second : NULL;
	return second && second->bond_energy > 0.0 && second->bond_energy < first->bond_energy ? second
	                                                                                       : first;
}

static void load_bond(loading *l, rbl_bond *b, rbl_load_result *result)
{
	enum { STEPS = 8 }; // changes of damage that an estimate of stress notices
	const rbl_damage_rule *rule = b->damage < 1.0 ? bond_rule(l, b) : NULL;
	double load = rule ? shape_share(&l->load->shape, b->centre) * l->load->energy : 0.0;
	if (!(load > 0.0))
		return;
	double threshold = rule->bond_energy * b->strength, before = b->damage, after = 1.0;
	if (load < threshold)
		after = before + wear_of(rule, load, threshold);
	if (!(after > before))
		return;
	b->damage = after >= worn_through ? 1.0 : after;
	l->c->worn_count += before == 0.0;
	l->c->failed_count += b->damage >= 1.0;
	l->c->wear_version += (int)(STEPS * b->damage) != (int)(STEPS * before);
	result->bond_count++;
	result->failed_count += b->damage >= 1.0;
}

static void load_bonds(loading *l, int part, rbl_load_result *result)
{
	rbl_compound *c = l->c;
	for (int end = c->parts.data[part].first_bond; end >= 0;) {
		rbl_bond *b = &c->bonds.data[end / 2];
		int other = b->parts[!(end % 2)];
		bool is_first = part < other || !is_loaded(l, other); // each once
		end = b->next[end % 2];
		if (is_first)
			load_bond(l, b, result);
	}
}

// The hardest first; of equal ones the lower part.
static void sort_breaks(rbl_load_result *result)
{
	for (int i = 1; i < result->breaks.count; ++i) {
		rbl_load_break b = result->breaks.data[i];
		int at = i;
		for (; at > 0 && result->breaks.data[at - 1].load < b.load; --at)
			result->breaks.data[at] = result->breaks.data[at - 1];
		result->breaks.data[at] = b;
	}
}

rbl_result rbl_compound_apply_load(rbl_compound *compound, const rbl_load *load,
                                   const rbl_allocator *allocator, rbl_load_result *result)
{
	loading l = { .c = compound, .load = load, .allocator = allocator };
	bool ok = find_parts(&l) && rbl_array_reserve(allocator, &result->breaks, l.parts.count + 1);
	result->reached_count = ok ? l.parts.count : 0;
	for (int i = 0; ok && i < l.parts.count; ++i) {
		if (l.parts.data[i].share > result->share)
			result->share = l.parts.data[i].share, result->point = l.parts.data[i].point;
		load_part(&l, &l.parts.data[i], result);
		load_bonds(&l, l.parts.data[i].part, result);
	}
	sort_breaks(result);
	rbl_array_free(allocator, &l.found);
	rbl_array_free(allocator, &l.parts);
	return ok ? RBL_OK : RBL_OUT_OF_MEMORY;
}

// --- the public face ----------------------------------------------------------------------------

static const rbl_damage_rule *one_rule(const void *user, int part)
{
	(void)part;
	return user;
}

rbl_result rbl_compound_wear(rbl_compound *compound, const rbl_damage_rule *rule, rbl_vec3d point,
                             int part, double energy, rbl_wear_report *report)
{
	rbl_result result = rbl_damage_rule_check(rule);
	if (result != RBL_OK)
		return result;
	if (!compound || !rbl_compound_has(compound, part))
		return rbl_fail(RBL_BAD_ARGUMENT, "no compound, or no part %d", part);
	if (!rbl_is_finite_d(point) || !(energy >= 0.0) || !isfinite(energy))
		return rbl_fail(RBL_BAD_ARGUMENT, "point is not finite, or energy is %g", energy);
	rbl_load load = { .shape = { .position = point, .falloff = rule->wear_radius },
		              .energy = energy,
		              .hit_part = part,
		              .rule_of = one_rule,
		              .user = rule };
	rbl_load_result done = { .breaks = { 0 } };
	rbl_compound_hold(compound);
	result = rbl_compound_apply_load(compound, &load, &compound->allocator, &done);
	rbl_compound_release(compound, false);
	if (report && result == RBL_OK)
		*report = (rbl_wear_report){
			.part_count = done.part_count,
			.bond_count = done.bond_count,
			.failed_count = done.failed_count,
			.breaks = done.breaks.count > 0,
			.energy = done.breaks.count > 0 ? done.breaks.data[0].energy : 0.0,
		};
	rbl_array_free(&compound->allocator, &done.breaks);
	return result;
}

int rbl_compound_failed_count(const rbl_compound *compound)
{
	return compound ? compound->failed_count : 0;
}

int rbl_compound_list_failed(const rbl_compound *compound, int *parts, int capacity)
{
	int count = 0;
	for (int i = 0; i < compound->bonds.count && count < capacity; ++i) {
		const rbl_bond *b = &compound->bonds.data[i];
		if (b->parts[0] < 0 || b->damage < 1.0)
			continue;
		parts[2 * count] = b->parts[0];
		parts[2 * count++ + 1] = b->parts[1];
	}
	return count;
}

rbl_result rbl_compound_open_bonds(rbl_compound *compound, rbl_break **broken)
{
	if (!broken)
		return rbl_fail(RBL_BAD_ARGUMENT, "broken is NULL");
	*broken = NULL;
	if (!compound)
		return rbl_fail(RBL_BAD_ARGUMENT, "compound is NULL");
	rbl_allocator a = compound->allocator;
	size_t size = 2 * (size_t)compound->failed_count + 2;
	int *parts = RBL_NEW(&a, int, size);
	if (!parts)
		return RBL_OUT_OF_MEMORY;
	int count = rbl_compound_list_failed(compound, parts, compound->failed_count);
	rbl_result result = rbl_compound_break_bonds(compound, parts, count, broken);
	RBL_FREE(&a, parts, size);
	return result;
}

uint64_t rbl_compound_hash_damage(const rbl_compound *compound, uint64_t start)
{
	uint64_t hash = start, bits;
	if (!compound || compound->worn_count == 0)
		return hash;
	for (int i = 0; i < compound->parts.count; ++i)
		if (compound->parts.data[i].convex && compound->parts.data[i].damage > 0.0) {
			memcpy(&bits, &compound->parts.data[i].damage, sizeof bits);
			hash = rbl_hash_number(rbl_hash_number(hash, (uint64_t)i), bits);
		}
	for (int i = 0; i < compound->bonds.count; ++i)
		if (compound->bonds.data[i].parts[0] >= 0 && compound->bonds.data[i].damage > 0.0) {
			memcpy(&bits, &compound->bonds.data[i].damage, sizeof bits);
			hash = rbl_hash_number(rbl_hash_number(hash, (uint64_t)i << 32), bits);
		}
	return hash;
}
