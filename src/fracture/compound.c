// SPDX-License-Identifier: MIT
//
// Compounds: storage of parts and bonds, and queries.

#include "fracture/compound.h"

#include "base/hash.h"
#include "base/log.h"
#include "base/vec.h"
#include "fracture/ghosts.h"

rbl_compound *rbl_compound_new(const rbl_allocator *allocator, double tolerance,
                               const rbl_material *const *materials, int material_count)
{
	rbl_allocator own = rbl_allocator_or_default(allocator);
	rbl_compound *c = RBL_NEW_ZERO(&own, rbl_compound, 1);
	if (!c)
		return NULL;
	c->allocator = own;
	c->tolerance = tolerance;
	c->first_free_part = c->first_free_bond = -1;
	c->scale = 1.0;
	c->stamp = 1;
	rbl_tree_pool_init(&c->pool, &own, 0);
	c->tree = rbl_tree_make(&c->pool);
	c->material_count = material_count;
	c->materials = RBL_NEW_ZERO(&own, const rbl_material *, material_count);
	if (!c->materials) {
		rbl_compound_discard(c);
		return NULL;
	}
	for (int i = 0; materials && i < material_count; ++i)
		c->materials[i] = rbl_material_share(materials[i]);
	return c;
}

void rbl_compound_discard(rbl_compound *compound)
{
	if (!compound)
		return;
	rbl_allocator a = compound->allocator;
	rbl_tree_pool_destroy(&compound->pool);
	rbl_array_free(&a, &compound->parts);
	rbl_array_free(&a, &compound->bonds);
	for (int i = 0; compound->materials && i < compound->material_count; ++i)
		rbl_material_unshare(compound->materials[i]);
	RBL_FREE(&a, compound->materials, compound->material_count);
	RBL_FREE(&a, compound, 1);
}

void rbl_destroy_compound(rbl_compound *compound)
{
	if (!compound)
		return;
	rbl_compound_forget_pending(compound);
	for (int i = 0; i < compound->parts.count; ++i)
		rbl_part_free(&compound->parts.data[i]);
	rbl_compound_discard(compound);
}

bool rbl_compound_reserve(rbl_compound *compound, int more_parts, int more_bonds)
{
	rbl_compound *c = compound;
	return rbl_array_extend(&c->allocator, &c->parts, more_parts) &&
	       rbl_array_extend(&c->allocator, &c->bonds, more_bonds);
}

// A break hands the volume of meshes out to the last digits, while convexes around smaller pieces
// fit closer: so mass that a break keeps is that of meshes.
void rbl_part_measure(rbl_part *part)
{
	if (!(part->visual.volume > 0.0))
		part->visual = rbl_mesh_get_mass(part->mesh);
	if (!(part->visual.volume > 0.0))
		part->visual = rbl_convex_get_mass(part->convex);
	if (part->shape)
		return;
	rbl_convex_data d = rbl_convex_get_data(part->convex);
	uint64_t hash = rbl_hash_number(RBL_HASH_START, (uint64_t)d.face_count);
	hash = rbl_hash_bytes(hash, d.vertices, (size_t)d.vertex_count * sizeof *d.vertices);
	part->shape = hash ? hash : 1;
}

int rbl_compound_add_part(rbl_compound *compound, const rbl_part *part)
{
	int slot = compound->first_free_part;
	if (slot >= 0)
		compound->first_free_part = compound->parts.data[slot].first_bond;
	else
		slot = compound->parts.count++;
	RBL_ASSERT(slot < compound->parts.capacity);
	compound->parts.data[slot] = (rbl_part){
		.convex = part->convex,
		.mesh = part->mesh,
		.solid = part->solid,
		.volume = part->volume,
		.visual = part->visual,
		.shape = part->shape,
		.strength = part->strength > 0.0 ? part->strength : 1.0,
		.damage = part->damage,
		.overlap = part->overlap,
		.material = part->material,
		.is_anchored = part->is_anchored,
		.is_rough = part->is_rough,
		.is_piece = part->is_piece,
		.first_bond = -1,
		.region = RBL_PART_UNVISITED,
		.first_link = -1,
		.fragment = -1,
	};
	rbl_part_measure(&compound->parts.data[slot]);
	compound->part_count++;
	compound->anchored_count += part->is_anchored;
	compound->worn_count += part->damage > 0.0;
	compound->approximate_count += rbl_convex_get_data(part->convex).is_approximate;
	return slot;
}

void rbl_part_free(const rbl_part *part)
{
	rbl_destroy_convex(part->convex);
	rbl_destroy_solid(part->solid);
	rbl_destroy_mesh(part->mesh);
}

void rbl_compound_remove_part(rbl_compound *compound, int part)
{
	rbl_part *m = &compound->parts.data[part];
	while (m->first_bond >= 0)
		rbl_compound_remove_bond(compound, m->first_bond / 2);
	if (rbl_tree_has_leaf(&compound->pool, (uint32_t)part))
		rbl_tree_remove(&compound->tree, (uint32_t)part);
	compound->part_count--;
	compound->anchored_count -= m->is_anchored;
	compound->worn_count -= m->damage > 0.0;
	compound->approximate_count -= rbl_convex_get_data(m->convex).is_approximate;
	*m = (rbl_part){ .first_bond = compound->first_free_part };
	compound->first_free_part = part;
}

void rbl_compound_add_bond(rbl_compound *compound, const rbl_bond *bond)
{
	int slot = compound->first_free_bond;
	if (slot >= 0)
		compound->first_free_bond = compound->bonds.data[slot].next[0];
	else
		slot = compound->bonds.count++;
	RBL_ASSERT(slot < compound->bonds.capacity);
	rbl_bond *b = &compound->bonds.data[slot];
	*b = *bond;
	b->stamp = 0;
	for (int side = 0; side < 2; ++side) {
		rbl_part *m = &compound->parts.data[b->parts[side]];
		b->previous[side] = -1;
		b->next[side] = m->first_bond;
		if (m->first_bond >= 0)
			compound->bonds.data[m->first_bond / 2].previous[m->first_bond % 2] = 2 * slot + side;
		m->first_bond = 2 * slot + side;
	}
	compound->bond_count++;
	compound->worn_count += b->damage > 0.0;
	compound->failed_count += b->damage >= 1.0;
	compound->overlap_count += b->is_overlap;
	compound->loose_count += b->is_loose;
}

static void add_pair_bond(rbl_compound *c, const rbl_adjacent_pair *pair)
{
	rbl_compound_add_bond(c, &(rbl_bond){ .parts = { pair->a, pair->b },
	                                      .faces = { pair->face_a, pair->face_b },
	                                      .area = pair->area,
	                                      .centre = pair->centre,
	                                      .strength = 1.0,
	                                      .is_overlap = pair->is_overlap });
}

void rbl_compound_add_overlap(rbl_compound *compound, const rbl_adjacent_pair *overlap)
{
	int a = overlap->a, b = overlap->b, bond = rbl_compound_find_bond(compound, a, b);
	if (bond >= 0) {
		compound->overlap_count += !compound->bonds.data[bond].is_overlap;
		compound->bonds.data[bond].is_overlap = true;
		return;
	}
	add_pair_bond(compound, overlap);
}

void rbl_compound_remove_bond(rbl_compound *compound, int bond)
{
	rbl_bond *bonds = compound->bonds.data, *b = &bonds[bond];
	for (int side = 0; side < 2; ++side) {
		int next = b->next[side], previous = b->previous[side];
		if (next >= 0)
			bonds[next / 2].previous[next % 2] = previous;
		if (previous >= 0)
			bonds[previous / 2].next[previous % 2] = next;
		else
			compound->parts.data[b->parts[side]].first_bond = next;
	}
	compound->worn_count -= b->damage > 0.0;
	compound->failed_count -= b->damage >= 1.0;
	compound->overlap_count -= b->is_overlap;
	compound->loose_count -= b->is_loose;
	b->is_overlap = b->is_loose = false;
	b->damage = 0.0;
	b->parts[0] = b->parts[1] = -1;
	b->next[0] = compound->first_free_bond;
	compound->first_free_bond = bond;
	compound->bond_count--;
}

int rbl_compound_find_bond(const rbl_compound *compound, int a, int b)
{
	int end_a = compound->parts.data[a].first_bond, end_b = compound->parts.data[b].first_bond;
	while (end_a >= 0 && end_b >= 0) {
		const rbl_bond *of_a = &compound->bonds.data[end_a / 2];
		const rbl_bond *of_b = &compound->bonds.data[end_b / 2];
		if (of_a->parts[!(end_a % 2)] == b)
			return end_a / 2;
		if (of_b->parts[!(end_b % 2)] == a)
			return end_b / 2;
		end_a = of_a->next[end_a % 2];
		end_b = of_b->next[end_b % 2];
	}
	return -1;
}

rbl_boxd rbl_convex_bounds(const rbl_convex *convex)
{
	rbl_convex_data d = rbl_convex_get_data(convex);
	rbl_boxd box = rbl_box_empty_d();
	for (int v = 0; v < d.vertex_count; ++v)
		box = rbl_box_add_point_d(box, d.vertices[v]);
	return box;
}

rbl_box rbl_compound_tree_box(const rbl_compound *compound, rbl_boxd box)
{
	// The product rounds as well; a few units in the last place of a double do not reach a float's.
	rbl_vec3d lower = rbl_scale_d(compound->scale, rbl_sub_d(box.lower, compound->origin));
	rbl_vec3d upper = rbl_scale_d(compound->scale, rbl_sub_d(box.upper, compound->origin));
	return rbl_box_around_d((rbl_boxd){ lower, upper });
}

rbl_result rbl_compound_build_tree(rbl_compound *compound, rbl_jobs *jobs)
{
	rbl_compound *c = compound;
	int n = c->part_count;
	if (n == 0)
		return RBL_OK;
	rbl_boxd *exact = RBL_NEW(&c->allocator, rbl_boxd, n);
	rbl_box *boxes = RBL_NEW(&c->allocator, rbl_box, n);
	uint32_t *ids = RBL_NEW(&c->allocator, uint32_t, n);
	rbl_result result = RBL_OUT_OF_MEMORY;
	if (exact && boxes && ids) {
		rbl_boxd bounds = rbl_box_empty_d();
		int count = 0;
		for (int i = 0; i < c->parts.count; ++i) {
			if (!c->parts.data[i].convex)
				continue;
			ids[count] = (uint32_t)i;
			exact[count] = rbl_convex_bounds(c->parts.data[i].convex);
			bounds = rbl_box_join_d(bounds, exact[count++]);
		}
		c->origin = rbl_box_centre_d(bounds);
		c->scale = 1.0 / rbl_length_d(rbl_box_size_d(bounds));
		for (int i = 0; i < count; ++i)
			boxes[i] = rbl_compound_tree_box(c, exact[i]);
		rbl_tree_build_input input = { .builder = RBL_TREE_BUILD_MEDIAN, .count = count };
		input.boxes = boxes;
		input.ids = ids;
		input.jobs = jobs;
		result = rbl_tree_build(&c->tree, &input);
	}
	RBL_FREE(&c->allocator, exact, n);
	RBL_FREE(&c->allocator, boxes, n);
	RBL_FREE(&c->allocator, ids, n);
	return result;
}

rbl_adjacency_query rbl_compound_adjacency_query(const rbl_compound *compound,
                                                 const rbl_convex *const *convexes, rbl_jobs *jobs)
{
	int n = compound->parts.count;
	rbl_adjacency_query search = { .count = n, .convexes = convexes, .fixed_from = n };
	search.tolerance = compound->tolerance;
	search.jobs = jobs;
	return search;
}

rbl_result rbl_compound_bond_adjacent(rbl_compound *compound, const rbl_adjacent_pairs *adjacent)
{
	rbl_compound *c = compound;
	if (!rbl_compound_reserve(c, 0, adjacent->items.count))
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < adjacent->items.count; ++i)
		add_pair_bond(c, &adjacent->items.data[i]);
	return RBL_OK;
}

rbl_result rbl_compound_find_bonds(rbl_compound *compound, bool ids_tell, rbl_jobs *jobs)
{
	rbl_compound *c = compound;
	RBL_ASSERT(c->first_free_part < 0);
	int n = c->parts.count;
	const rbl_convex **convexes = RBL_NEW(&c->allocator, const rbl_convex *, n);
	unsigned char *loose = RBL_NEW_ZERO(&c->allocator, unsigned char, n);
	rbl_adjacent_pairs adjacent = { 0 };
	rbl_result result = RBL_OUT_OF_MEMORY;
	if (convexes && loose) {
		for (int i = 0; i < n; ++i)
			convexes[i] = c->parts.data[i].convex;
		rbl_adjacency_query search = rbl_compound_adjacency_query(c, convexes, jobs);
		search.loose = ids_tell ? loose : NULL;
		result = rbl_find_adjacent_pairs(&c->allocator, &search, &adjacent);
	}
	if (result == RBL_OK)
		result = rbl_compound_bond_adjacent(c, &adjacent);
	rbl_array_free(&c->allocator, &adjacent.items);
	RBL_FREE(&c->allocator, convexes, n);
	RBL_FREE(&c->allocator, loose, n);
	return result;
}

void rbl_compound_new_stamp(rbl_compound *compound)
{
	if (++compound->stamp != 0)
		return;
	// Once in four thousand million breaks the numbers start over.
	for (int i = 0; i < compound->parts.count; ++i)
		compound->parts.data[i].stamp = 0;
	for (int i = 0; i < compound->bonds.count; ++i)
		compound->bonds.data[i].stamp = 0;
	compound->stamp = 1;
}

// --- queries ------------------------------------------------------------------------------------

rbl_compound_info rbl_compound_get_info(const rbl_compound *compound)
{
	if (!compound)
		return (rbl_compound_info){ 0 };
	int end = compound->parts.count;
	while (end > 0 && !compound->parts.data[end - 1].convex)
		end--;
	return (rbl_compound_info){
		.part_count = compound->part_count,
		.part_end = end,
		.bond_count = compound->bond_count,
		.anchored_count = compound->anchored_count,
		.approximate_count = compound->approximate_count,
		.material_count = compound->material_count,
	};
}

rbl_compound_part rbl_compound_get_part(const rbl_compound *compound, int part)
{
	if (!compound || !rbl_compound_has(compound, part))
		return (rbl_compound_part){ 0 };
	const rbl_part *m = &compound->parts.data[part];
	return (rbl_compound_part){ .convex = m->convex,
		                        .mesh = m->mesh,
		                        .material = m->material,
		                        .is_anchored = m->is_anchored,
		                        .strength = m->strength,
		                        .damage = m->damage,
		                        .overlap = m->overlap,
		                        .shape = m->shape };
}

int rbl_compound_get_bonds(const rbl_compound *compound, int part, rbl_compound_bond *bonds,
                           int capacity)
{
	if (!compound || !rbl_compound_has(compound, part))
		return 0;
	int count = 0;
	for (int end = compound->parts.data[part].first_bond; end >= 0;) {
		const rbl_bond *b = &compound->bonds.data[end / 2];
		int side = end % 2;
		if (bonds && count < capacity)
			bonds[count] = (rbl_compound_bond){ .other = b->parts[!side],
				                                .face = b->faces[side],
				                                .other_face = b->faces[!side],
				                                .area = b->area,
				                                .centre = b->centre,
				                                .strength = b->strength,
				                                .damage = b->damage };
		count++;
		end = b->next[side];
	}
	return count;
}

const rbl_material *rbl_compound_get_material(const rbl_compound *compound, int material)
{
	return compound && material >= 0 && material < compound->material_count
	           ? compound->materials[material]
	           : NULL;
}

int rbl_compound_bond_end(const rbl_compound *compound)
{
	return compound->bonds.count;
}

const rbl_bond *rbl_compound_get_bond(const rbl_compound *compound, int bond)
{
	return &compound->bonds.data[bond];
}

unsigned rbl_compound_version(const rbl_compound *compound)
{
	return compound->version + compound->wear_version;
}

const void *rbl_compound_estimate(const rbl_compound *compound)
{
	return compound->estimate;
}

void rbl_compound_set_estimate(rbl_compound *compound, const void *estimate)
{
	compound->estimate = estimate;
}

rbl_result rbl_compound_get_face_shares(const rbl_compound *compound, int part, double *shares)
{
	if (!compound || !shares || !rbl_compound_has(compound, part))
		return rbl_fail(RBL_BAD_ARGUMENT, "no compound, no shares, or no part %d", part);
	rbl_convex_data d = rbl_convex_get_data(compound->parts.data[part].convex);
	for (int f = 0; f < d.face_count; ++f)
		shares[f] = 0.0;
	for (int end = compound->parts.data[part].first_bond; end >= 0;) {
		const rbl_bond *b = &compound->bonds.data[end / 2];
		if (b->faces[end % 2] >= 0)
			shares[b->faces[end % 2]] += b->area;
		end = b->next[end % 2];
	}
	for (int f = 0; f < d.face_count; ++f) {
		if (shares[f] > 0.0)
			shares[f] = rbl_mind(shares[f] / rbl_convex_face_area(&d, f), 1.0);
	}
	return RBL_OK;
}

rbl_result rbl_compound_set_anchored(rbl_compound *compound, int part, bool is_anchored)
{
	if (!compound || !rbl_compound_has(compound, part))
		return rbl_fail(RBL_BAD_ARGUMENT, "no compound, or no part %d", part);
	rbl_part *m = &compound->parts.data[part];
	rbl_compound_hold(compound);
	compound->anchored_count += (int)is_anchored - (int)m->is_anchored;
	m->is_anchored = is_anchored;
	compound->version++;
	rbl_compound_release(compound, true);
	return RBL_OK;
}

rbl_result rbl_compound_set_bond_strength(rbl_compound *compound, int part, int other,
                                          double strength)
{
	if (!compound || !rbl_compound_has(compound, part) || !rbl_compound_has(compound, other))
		return rbl_fail(RBL_BAD_ARGUMENT, "no compound, or no parts %d and %d", part, other);
	if (!(strength >= 0.0) || !isfinite(strength))
		return rbl_fail(RBL_BAD_ARGUMENT, "strength is %g, must be >= 0", strength);
	int bond = rbl_compound_find_bond(compound, part, other);
	if (bond < 0)
		return rbl_fail(RBL_BAD_ARGUMENT, "parts %d and %d have no bond", part, other);
	rbl_compound_hold(compound);
	compound->bonds.data[bond].strength = strength;
	compound->version++;
	rbl_compound_release(compound, true);
	return RBL_OK;
}

// Add a mass that lies elsewhere.
static void add_mass(rbl_mass *sum, double volume, const rbl_mass *mass)
{
	if (!(sum->volume + volume > 0.0))
		return;
	double whole = sum->volume + volume;
	rbl_vec3d r = rbl_sub_d(mass->centre, sum->centre);
	double square = rbl_length_squared_d(r), both = sum->volume * volume / whole;
	rbl_mat3d shift = { { square - r.x * r.x, -r.x * r.y, -r.x * r.z },
		                { -r.x * r.y, square - r.y * r.y, -r.y * r.z },
		                { -r.x * r.z, -r.y * r.z, square - r.z * r.z } };
	sum->inertia =
		rbl_mat_add_d(sum->inertia, rbl_mat_add_d(mass->inertia, rbl_mat_scale_d(both, shift)));
	sum->centre = rbl_add_scaled_d(sum->centre, volume / whole, r);
	sum->volume = whole;
}

rbl_mass rbl_compound_get_mass(const rbl_compound *compound)
{
	rbl_mass sum = { 0 };
	if (compound && compound->overlap_count > 0 && rbl_overlapping_mass(compound, &sum) == RBL_OK)
		return sum;
	for (int i = 0; compound && i < compound->parts.count; ++i) {
		const rbl_part *m = &compound->parts.data[i];
		rbl_mass mass = rbl_convex_get_mass(m->convex);
		if (m->convex)
			add_mass(&sum, m->volume, &mass);
	}
	return sum;
}

rbl_mass rbl_compound_weigh(const rbl_compound *compound, const double *shares)
{
	rbl_mass sum = { 0 };
	for (int i = 0; compound && i < compound->parts.count; ++i) {
		const rbl_part *m = &compound->parts.data[i];
		if (!m->convex)
			continue;
		double share = (shares ? shares[m->material] : 1.0) * (1.0 - m->overlap);
		rbl_mass mass = m->visual;
		if (share != 1.0) {
			mass.volume *= share;
			mass.inertia = rbl_mat_scale_d(share, mass.inertia);
		}
		add_mass(&sum, mass.volume, &mass);
	}
	return sum;
}

rbl_mass rbl_compound_get_visual_mass(const rbl_compound *compound)
{
	return rbl_compound_weigh(compound, NULL);
}
