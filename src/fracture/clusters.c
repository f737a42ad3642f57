// SPDX-License-Identifier: MIT
//
// Strength and support by rule: painted strengths, a hierarchy of clusters, anchors.
//
// A hierarchy needs no structure of its own: a bond between two large clusters is weaker than one
// inside of them, so it opens first, and what no longer hangs together detaches as after any
// break. Seeds of clusters lie far from each other, and clusters grow over bonds from part to part,
// the nearest first, so that each is connected; the clusters of a level stay within those of the
// level before.

#include "base/hash.h"
#include "base/log.h"
#include "base/vec.h"
#include "fracture/compound.h"
#include "fracture/paint.h"

enum { ANCHOR_COOKIE = 0x616e6368 };

// --- colours ------------------------------------------------------------------------------------

// The mean of a channel over the outer surface of a part. @return false: it has no colours
static bool mean_color(const rbl_part *part, rbl_color_channel channel, double *mean)
{
	rbl_mesh_data d = rbl_mesh_get_data(part->mesh);
	double sum = 0.0, area = 0.0;
	for (int f = 0; d.corner_colors && f < d.face_count; ++f) {
		int material = d.face_materials && d.material_count > 0 ? d.face_materials[f] : -1;
		if (material >= 0 && strcmp(d.materials[material].name, "inner") == 0)
			continue;
		int begin = d.face_starts[f], end = d.face_starts[f + 1];
		rbl_vec3d normal = { 0.0, 0.0, 0.0 }, o = d.positions[d.corner_vertices[begin]];
		double value = 0.0;
		for (int k = begin; k < end; ++k) {
			const rbl_vec4 *color = &d.corner_colors[k];
			const float of[] = { color->x, color->y, color->z, color->w };
			value += (double)of[channel - RBL_CHANNEL_RED] / (double)(end - begin);
			if (k + 1 < end)
				normal = rbl_add_d(
					normal, rbl_cross_d(rbl_sub_d(d.positions[d.corner_vertices[k]], o),
				                        rbl_sub_d(d.positions[d.corner_vertices[k + 1]], o)));
		}
		double weight = rbl_length_d(normal);
		sum += weight * value, area += weight;
	}
	*mean = area > 0.0 ? rbl_clampd(sum / area, 0.0, 1.0) : 0.0;
	return area > 0.0;
}

// --- painting -----------------------------------------------------------------------------------

rbl_strength_paint rbl_default_strength_paint(void)
{
	return (rbl_strength_paint){ .at_zero = 0.1, .at_one = 1.0 };
}

static bool is_strength(double strength)
{
	return strength > 0.0 && isfinite(strength);
}

rbl_result rbl_check_strength_paint(const rbl_strength_paint *paint)
{
	if ((int)paint->channel < RBL_CHANNEL_NONE || paint->channel > RBL_CHANNEL_ALPHA)
		return rbl_fail(RBL_BAD_ARGUMENT, "paint.channel is %d", (int)paint->channel);
	if (paint->channel != RBL_CHANNEL_NONE &&
	    (!is_strength(paint->at_zero) || !is_strength(paint->at_one)))
		return rbl_fail(RBL_BAD_ARGUMENT, "paint.at_zero is %g and at_one %g, must be > 0",
		                paint->at_zero, paint->at_one);
	return RBL_OK;
}

// The factor of the function at a place; 0 when it is none, which is logged.
static double painted_at(const rbl_strength_paint *paint, rbl_vec3d position)
{
	double strength = paint->function ? paint->function(paint->user, position) : 1.0;
	if (is_strength(strength))
		return strength;
	rbl_fail(RBL_BAD_ARGUMENT, "the painted strength at %g, %g, %g is %g, must be > 0", position.x,
	         position.y, position.z, strength);
	return 0.0;
}

rbl_result rbl_compound_paint(rbl_compound *compound, const rbl_strength_paint *paint)
{
	if (!compound || !paint)
		return rbl_fail(RBL_BAD_ARGUMENT, "compound or paint is NULL");
	rbl_result result = rbl_check_strength_paint(paint);
	if (result != RBL_OK || (!paint->function && paint->channel == RBL_CHANNEL_NONE))
		return result;
	rbl_compound *c = compound;
	size_t count = 2 * (size_t)c->parts.count + (size_t)c->bonds.count + 1;
	double *colors = RBL_NEW(&c->allocator, double, count); // then parts, then bonds
	if (!colors)
		return RBL_OUT_OF_MEMORY;
	double *parts = colors + c->parts.count, *bonds = parts + c->parts.count;
	for (int i = 0; i < c->parts.count && result == RBL_OK; ++i) {
		const rbl_part *m = &c->parts.data[i];
		double mean = 1.0;
		colors[i] = parts[i] = 1.0;
		if (!m->convex)
			continue;
		if (paint->channel != RBL_CHANNEL_NONE && m->mesh && mean_color(m, paint->channel, &mean))
			colors[i] = paint->at_zero + mean * (paint->at_one - paint->at_zero);
		parts[i] = painted_at(paint, m->visual.centre) * colors[i];
		result = is_strength(parts[i]) ? RBL_OK : RBL_BAD_ARGUMENT;
	}
	for (int i = 0; i < c->bonds.count && result == RBL_OK; ++i) {
		const rbl_bond *b = &c->bonds.data[i];
		bonds[i] = 1.0;
		if (b->parts[0] < 0)
			continue;
		bonds[i] = painted_at(paint, b->centre) * 0.5 * (colors[b->parts[0]] + colors[b->parts[1]]);
		result = is_strength(bonds[i]) ? RBL_OK : RBL_BAD_ARGUMENT;
	}
	if (result == RBL_OK) {
		rbl_compound_hold(c);
		for (int i = 0; i < c->parts.count; ++i)
			c->parts.data[i].strength *= parts[i];
		for (int i = 0; i < c->bonds.count; ++i)
			c->bonds.data[i].strength *= bonds[i];
		c->version++;
		rbl_compound_release(c, true);
	}
	RBL_FREE(&c->allocator, colors, count);
	return result;
}

rbl_result rbl_compound_set_part_strength(rbl_compound *compound, int part, double strength)
{
	if (!compound || !rbl_compound_has(compound, part))
		return rbl_fail(RBL_BAD_ARGUMENT, "no compound, or no part %d", part);
	if (!is_strength(strength))
		return rbl_fail(RBL_BAD_ARGUMENT, "strength is %g, must be > 0", strength);
	rbl_compound_hold(compound);
	compound->parts.data[part].strength = strength;
	compound->version++;
	rbl_compound_release(compound, true);
	return RBL_OK;
}

// --- clusters -----------------------------------------------------------------------------------

typedef struct clustering {
	rbl_compound *c;
	const int *parents; // the cluster of each part at the level before; NULL: all in one
	int *labels;        // of this level, -1: none yet
	double *distances;  // of each part from the nearest seed of its parent, or on the way
	int count;          // clusters so far
} clustering;

static int parent_of(const clustering *k, int part)
{
	return k->parents ? k->parents[part] : 0;
}

// A new seed: parts of its parent are nearer to it, or to an earlier one.
static void add_cluster_seed(clustering *k, int seed)
{
	const rbl_part *parts = k->c->parts.data;
	k->labels[seed] = k->count++;
	for (int i = 0; i < k->c->parts.count; ++i) {
		if (!parts[i].convex || parent_of(k, i) != parent_of(k, seed))
			continue;
		double distance = rbl_distance_d(parts[i].visual.centre, parts[seed].visual.centre);
		k->distances[i] = rbl_mind(k->distances[i], distance);
	}
}

// One seed for each cluster of the level before, then the part that is farthest from all seeds of
// its own; of equal ones the lowest.
static void choose_seeds(clustering *k, int cluster_count, int parent_count)
{
	const rbl_compound *c = k->c;
	for (int p = 0; p < parent_count; ++p)
		for (int i = 0; i < c->parts.count; ++i)
			if (c->parts.data[i].convex && parent_of(k, i) == p) {
				add_cluster_seed(k, i);
				break;
			}
	while (k->count < cluster_count) {
		int best = -1;
		for (int i = 0; i < c->parts.count; ++i)
			if (c->parts.data[i].convex && k->labels[i] < 0 &&
			    (best < 0 || k->distances[i] > k->distances[best]))
				best = i;
		if (best < 0)
			return;
		add_cluster_seed(k, best);
	}
}

// Distance along the bonds from a part over to its neighbour.
static double step_length(const rbl_compound *c, const rbl_bond *b)
{
	return rbl_distance_d(c->parts.data[b->parts[0]].visual.centre, b->centre) +
	       rbl_distance_d(b->centre, c->parts.data[b->parts[1]].visual.centre);
}

// Grow all clusters at once, as Bellman and Ford do: until no part is reached on a shorter way.
// Ties go to the lower cluster, so the order of parts and bonds does not count.
static void grow_clusters(clustering *k)
{
	rbl_compound *c = k->c;
	for (int i = 0; i < c->parts.count; ++i)
		k->distances[i] = k->labels[i] >= 0 ? 0.0 : DBL_MAX;
	for (bool has_changed = true; has_changed;) {
		has_changed = false;
		for (int i = 0; i < c->bonds.count; ++i) {
			const rbl_bond *b = &c->bonds.data[i];
			if (b->parts[0] < 0 || parent_of(k, b->parts[0]) != parent_of(k, b->parts[1]))
				continue;
			double length = step_length(c, b);
			for (int side = 0; side < 2; ++side) {
				int from = b->parts[side], to = b->parts[!side];
				double distance = k->distances[from] + length;
				bool is_nearer = distance < k->distances[to] ||
				                 (distance == k->distances[to] && k->labels[from] < k->labels[to]);
				if (k->labels[from] < 0 || !is_nearer)
					continue;
				k->distances[to] = distance, k->labels[to] = k->labels[from];
				has_changed = true;
			}
		}
	}
}

// Parts that no bond leads to go with the nearest seed of their parent.
static void take_loose_parts(clustering *k, const int *seeds)
{
	const rbl_part *parts = k->c->parts.data;
	for (int i = 0; i < k->c->parts.count; ++i) {
		if (!parts[i].convex || k->labels[i] >= 0)
			continue;
		double min = DBL_MAX;
		for (int s = 0; s < k->count; ++s) {
			double distance = rbl_distance_d(parts[i].visual.centre, parts[seeds[s]].visual.centre);
			if (parent_of(k, i) == parent_of(k, seeds[s]) && distance < min)
				min = distance, k->labels[i] = s;
		}
	}
}

rbl_result rbl_check_cluster_levels(const rbl_cluster_level *levels, int count, int part_count)
{
	if (count < 1 || count > RBL_MAX_CLUSTER_LEVELS || !levels)
		return rbl_fail(RBL_BAD_ARGUMENT, "level_count is %d, must be 1 to %d", count,
		                RBL_MAX_CLUSTER_LEVELS);
	for (int i = 0; i < count; ++i) {
		bool is_after = i > 0 && !levels[i - 1].pattern;
		int n = levels[i].cluster_count, least = is_after ? levels[i - 1].cluster_count : 1;
		if (!levels[i].pattern && (n < least || n > part_count))
			return rbl_fail(RBL_BAD_ARGUMENT,
			                "level %d has %d clusters, must be %d to the %d parts: none is empty",
			                i, n, least, part_count);
		if (!is_strength(levels[i].strength))
			return rbl_fail(RBL_BAD_ARGUMENT, "strength of level %d is %g, must be > 0", i,
			                levels[i].strength);
		rbl_quatd q = levels[i].rotation;
		double length = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
		if (!rbl_is_finite_d(levels[i].position) || !(length == 0.0 || fabs(length - 1.0) < 1e-4))
			return rbl_fail(RBL_BAD_ARGUMENT,
			                "level %d: position is not finite, or rotation is not of unit length",
			                i);
	}
	return RBL_OK;
}

static void list_cluster_seeds(const clustering *k, int *seeds)
{
	for (int i = 0; i < k->c->parts.count; ++i)
		if (k->labels[i] >= 0)
			seeds[k->labels[i]] = i;
}

// Multiply the strengths of bonds by that of the first level that parts their ends.
static void weaken_bonds(rbl_compound *c, const rbl_cluster_level *levels, int count,
                         const int *labels)
{
	int n = c->parts.count;
	rbl_compound_hold(c);
	for (int i = 0; i < c->bonds.count; ++i) {
		rbl_bond *b = &c->bonds.data[i];
		for (int k = 0; k < count && b->parts[0] >= 0; ++k)
			if (labels[k * n + b->parts[0]] != labels[k * n + b->parts[1]]) {
				b->strength *= levels[k].strength;
				break;
			}
	}
	c->version++;
	rbl_compound_release(c, true);
}

// Clusters by color, within those of the level before.
static rbl_result take_colors(clustering *k, const int *colors, int stride)
{
	const rbl_compound *c = k->c;
	rbl_map known = { 0 };
	rbl_result result = RBL_OK;
	for (int i = 0; i < c->parts.count && result == RBL_OK; ++i) {
		if (!c->parts.data[i].convex)
			continue;
		uint64_t key = (uint64_t)parent_of(k, i) << 32 | (uint32_t)colors[i * stride];
		const uint32_t *label = rbl_map_add(&c->allocator, &known, key, (uint32_t)k->count);
		if (!label) {
			result = RBL_OUT_OF_MEMORY;
			break;
		}
		k->labels[i] = (int)*label;
		k->count += k->labels[i] == k->count;
	}
	rbl_map_free(&c->allocator, &known);
	return result;
}

// Clusters as many as the level has.
static rbl_result take_count(clustering *k, int level, int cluster_count, int parent_count,
                             int *seeds)
{
	if (cluster_count < parent_count || cluster_count > k->c->part_count)
		return rbl_fail(RBL_BAD_ARGUMENT,
		                "level %d has %d clusters, must be %d to the %d parts: none is empty",
		                level, cluster_count, parent_count, k->c->part_count);
	choose_seeds(k, cluster_count, parent_count);
	list_cluster_seeds(k, seeds);
	grow_clusters(k);
	take_loose_parts(k, seeds);
	return RBL_OK;
}

rbl_result rbl_compound_group(rbl_compound *compound, const rbl_cluster_level *levels,
                              int level_count, const int *colors, int *clusters)
{
	rbl_compound *c = compound;
	size_t n = (size_t)c->parts.count, size = (size_t)level_count * n;
	int *labels = RBL_NEW(&c->allocator, int, size), *seeds = RBL_NEW(&c->allocator, int, n);
	double *distances = RBL_NEW(&c->allocator, double, n);
	rbl_result result = labels && seeds && distances ? RBL_OK : RBL_OUT_OF_MEMORY;
	for (int i = 0, parent_count = 1; i < level_count && result == RBL_OK; ++i) {
		clustering k = { .c = c, .labels = labels + (size_t)i * n, .distances = distances };
		k.parents = i > 0 ? k.labels - n : NULL;
		for (size_t p = 0; p < n; ++p)
			k.labels[p] = -1, distances[p] = DBL_MAX;
		result = levels[i].pattern
		             ? take_colors(&k, colors + i, level_count)
		             : take_count(&k, i, levels[i].cluster_count, parent_count, seeds);
		parent_count = k.count;
	}
	if (result == RBL_OK)
		weaken_bonds(c, levels, level_count, labels);
	int end = rbl_compound_get_info(c).part_end;
	for (int i = 0; clusters && i < level_count && result == RBL_OK; ++i)
		memcpy(clusters + (size_t)i * (size_t)end, labels + (size_t)i * n,
		       (size_t)end * sizeof *clusters);
	RBL_FREE(&c->allocator, labels, size);
	RBL_FREE(&c->allocator, seeds, n);
	RBL_FREE(&c->allocator, distances, n);
	return result;
}

rbl_result rbl_compound_cluster(rbl_compound *compound, const rbl_cluster_level *levels,
                                int level_count, int *clusters)
{
	if (!compound || compound->part_count == 0)
		return rbl_fail(RBL_BAD_ARGUMENT, "compound is NULL or has no parts");
	rbl_result result = rbl_check_cluster_levels(levels, level_count, compound->part_count);
	for (int i = 0; i < level_count && result == RBL_OK; ++i)
		if (levels[i].pattern)
			result =
				rbl_fail(RBL_BAD_ARGUMENT,
			             "level %d has a pattern, which cuts parts: rbl_prepare() does that", i);
	if (result != RBL_OK)
		return result;
	return rbl_compound_group(compound, levels, level_count, NULL, clusters);
}

// --- anchors ------------------------------------------------------------------------------------

rbl_anchor_def rbl_default_anchor_def(void)
{
	return (rbl_anchor_def){ .lowest = -1.0, .up = { 0.0, 1.0, 0.0 }, .cookie = ANCHOR_COOKIE };
}

rbl_result rbl_check_anchor_def(const rbl_anchor_def *def)
{
	if (!def || def->cookie != ANCHOR_COOKIE)
		return rbl_fail(RBL_BAD_ARGUMENT, "start from rbl_default_anchor_def()");
	if (isnan(def->lowest) || !rbl_is_finite_d(def->up) || !(rbl_length_squared_d(def->up) > 0.0))
		return rbl_fail(RBL_BAD_ARGUMENT, "lowest is %g, or up is zero or not finite", def->lowest);
	if (def->box_count < 0 || (def->box_count > 0 && !def->boxes))
		return rbl_fail(RBL_BAD_ARGUMENT, "boxes is NULL, or their number negative");
	for (int i = 0; i < def->box_count; ++i) {
		rbl_boxd b = def->boxes[i];
		if (!(b.lower.x <= b.upper.x && b.lower.y <= b.upper.y && b.lower.z <= b.upper.z))
			return rbl_fail(RBL_BAD_ARGUMENT, "box %d is empty or not a number", i);
	}
	if ((int)def->channel < RBL_CHANNEL_NONE || def->channel > RBL_CHANNEL_ALPHA)
		return rbl_fail(RBL_BAD_ARGUMENT, "channel is %d", (int)def->channel);
	return RBL_OK;
}

static double lowest_point(const rbl_convex *convex, rbl_vec3d up)
{
	rbl_convex_data d = rbl_convex_get_data(convex);
	double lowest = DBL_MAX;
	for (int v = 0; v < d.vertex_count; ++v)
		lowest = rbl_mind(lowest, rbl_dot_d(up, d.vertices[v]));
	return lowest;
}

static bool has_material(const rbl_mesh *mesh, const char *name)
{
	rbl_mesh_data d = rbl_mesh_get_data(mesh);
	for (int f = 0; f < d.face_count && d.material_count > 0; ++f)
		if (strcmp(d.materials[d.face_materials ? d.face_materials[f] : 0].name, name) == 0)
			return true;
	return false;
}

static bool is_anchor(const rbl_anchor_def *def, const rbl_part *m, rbl_vec3d up, double floor)
{
	double mean = 0.0;
	if (def->lowest >= 0.0 && lowest_point(m->convex, up) <= floor + def->lowest)
		return true;
	for (int i = 0; i < def->box_count; ++i) {
		rbl_boxd b = def->boxes[i];
		rbl_vec3d p = m->visual.centre;
		if (p.x >= b.lower.x && p.x <= b.upper.x && p.y >= b.lower.y && p.y <= b.upper.y &&
		    p.z >= b.lower.z && p.z <= b.upper.z)
			return true;
	}
	return (def->material && m->mesh && has_material(m->mesh, def->material)) ||
	       (def->channel != RBL_CHANNEL_NONE && m->mesh && mean_color(m, def->channel, &mean) &&
	        mean > 0.5);
}

rbl_result rbl_compound_anchor(rbl_compound *compound, const rbl_anchor_def *def, int *count)
{
	if (!compound)
		return rbl_fail(RBL_BAD_ARGUMENT, "compound is NULL");
	rbl_result result = rbl_check_anchor_def(def);
	if (result != RBL_OK)
		return result;
	rbl_compound *c = compound;
	rbl_vec3d up = rbl_normalize_d(def->up);
	double floor = DBL_MAX;
	for (int i = 0; i < c->parts.count; ++i)
		if (c->parts.data[i].convex)
			floor = rbl_mind(floor, lowest_point(c->parts.data[i].convex, up));
	int found = 0;
	for (int i = 0; i < c->parts.count; ++i)
		found += c->parts.data[i].convex && is_anchor(def, &c->parts.data[i], up, floor);
	if (found == 0)
		return rbl_fail(RBL_BAD_ARGUMENT, "the rule for anchors finds none of %d parts",
		                c->part_count);
	rbl_compound_hold(c);
	for (int i = 0; i < c->parts.count; ++i) {
		rbl_part *m = &c->parts.data[i];
		if (!m->convex || m->is_anchored || !is_anchor(def, m, up, floor))
			continue;
		m->is_anchored = true;
		c->anchored_count++;
	}
	c->version++;
	rbl_compound_release(c, true);
	if (count)
		*count = c->anchored_count;
	return RBL_OK;
}
