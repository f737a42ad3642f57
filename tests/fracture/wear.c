// SPDX-License-Identifier: MIT
// Wear: damage adds up, is shared by distance, and is inherited; strength is painted; clusters part
// first; anchors by rule.

#include "compounds.h"
#include "faulty_allocator.h"

#include "blob_bytes.h"

#include <rubble/asset.h>
#include <rubble/damage.h>

static const rbl_vec3d brick = { 0.2, 0.1, 0.1 };

// A rule that breaks at 100 J and wears from 1 J on.
static rbl_damage_rule rule_of(const rbl_damage_level *level)
{
	rbl_damage_rule rule = rbl_default_damage_rule();
	rule.levels = level;
	rule.level_count = 1;
	rule.wear_energy = 1.0;
	rule.wear_radius = 0.3;
	rule.bond_energy = 50.0;
	return rule;
}

static rbl_damage_level level_of(const rbl_pattern *pattern)
{
	return (rbl_damage_level){ .energy = 100.0, .pattern = pattern, .radius = 0.15 };
}

static rbl_vec3d centre_of(const rbl_compound *c, int part)
{
	return rbl_convex_get_mass(rbl_compound_get_part(c, part).convex).centre;
}

// A hundred hits of a tenth of the energy: the part breaks at the last.
static void a_hundred_weak_hits_break_a_part(test *t)
{
	rbl_pattern *pattern = pattern_of(RBL_PATTERN_VORONOI, 1.0, 20, 1);
	rbl_damage_level level = level_of(pattern);
	for (int exponent = 1; exponent <= 3; ++exponent) {
		rbl_compound *c = block((rbl_vec3d){ 0.2, 0.2, 0.2 }, NULL);
		rbl_damage_rule rule = rule_of(&level);
		rule.wear_exponent = exponent;
		int hits = 0, expected = exponent == 1 ? 10 : exponent == 2 ? 100 : 1000;
		rbl_wear_report report = { 0 };
		while (hits < 2000 && !report.breaks) {
			CHECK(t, rbl_compound_wear(c, &rule, (rbl_vec3d){ 0.2, 0.0, 0.0 }, 0, 10.0, &report) ==
			             RBL_OK);
			hits++;
			if (hits == expected / 2)
				CHECK_NEAR(t, rbl_compound_get_part(c, 0).damage, 0.5, 1e-9);
		}
		CHECK(t, hits == expected);
		CHECK_NEAR(t, report.energy, 100.0, 1e-12);
		CHECK_NEAR(t, rbl_compound_get_part(c, 0).damage, 0.0, 1e-9); // used up
		rbl_destroy_compound(c);
	}
	rbl_destroy_pattern(pattern);
}

// What breaks at once leaves no damage; what is too weak to wear does nothing.
static void strength_decides_what_breaks(test *t)
{
	rbl_pattern *pattern = pattern_of(RBL_PATTERN_VORONOI, 1.0, 20, 1);
	rbl_damage_level level = level_of(pattern);
	rbl_damage_rule rule = rule_of(&level);
	rbl_compound *c = block((rbl_vec3d){ 0.2, 0.2, 0.2 }, NULL);
	rbl_vec3d at = { 0.2, 0.0, 0.0 };
	rbl_wear_report report;
	CHECK(t, rbl_compound_wear(c, &rule, at, 0, 0.9, &report) == RBL_OK);
	CHECK(t, !report.breaks && report.part_count == 0 && c->worn_count == 0);
	CHECK(t, rbl_compound_wear(c, &rule, at, 0, 150.0, &report) == RBL_OK);
	CHECK(t, report.breaks && report.energy == 150.0);
	CHECK(t, rbl_compound_set_part_strength(c, 0, 2.0) == RBL_OK);
	CHECK(t, rbl_compound_wear(c, &rule, at, 0, 150.0, &report) == RBL_OK);
	CHECK(t, !report.breaks);
	CHECK_NEAR(t, rbl_compound_get_part(c, 0).damage, 0.75 * 0.75, 1e-12);
	CHECK(t, rbl_compound_wear(c, &rule, at, 0, 300.0, &report) == RBL_OK);
	CHECK(t, report.breaks && report.energy == 150.0); // as much as one of strength 1
	rbl_destroy_compound(c);
	rbl_destroy_pattern(pattern);
}

// Parts and bonds take shares that fall with the distance, and beyond the radius nothing does.
static void a_hit_is_felt_around_it(test *t)
{
	rbl_pattern *pattern = pattern_of(RBL_PATTERN_VORONOI, 1.0, 20, 1);
	rbl_damage_level level = level_of(pattern);
	rbl_damage_rule rule = rule_of(&level);
	rule.wear_exponent = 1;
	rbl_compound *c = wall(10, 8, 1, brick, (rbl_vec3d){ 0.0, 0.0, 0.0 }, NULL);
	int hit = 45;
	rbl_vec3d point = centre_of(c, hit);
	rbl_wear_report report;
	CHECK(t, rbl_compound_wear(c, &rule, point, hit, 40.0, &report) == RBL_OK);
	CHECK(t, report.part_count > 5 && report.part_count < 40 && report.bond_count > 5);
	CHECK(t, report.failed_count == 0);
	int worn = 0, untouched = 0;
	for (int i = 0; i < 80; ++i) {
		double distance = rbl_convex_distance(rbl_compound_get_part(c, i).convex, point);
		double share = i == hit ? 1.0 : rbl_maxd(1.0 - distance / 0.3, 0.0);
		double damage = share * 40.0 >= 1.0 ? share * 0.4 : 0.0;
		CHECK_NEAR(t, rbl_compound_get_part(c, i).damage, damage, 1e-9);
		worn += damage > 0.0, untouched += distance > 0.3;
	}
	CHECK(t, worn == report.part_count && untouched > 20);
	rbl_compound_bond bonds[16];
	int count = rbl_compound_get_bonds(c, hit, bonds, 16);
	CHECK(t, count >= 4);
	for (int i = 0; i < count; ++i) {
		double share = 1.0 - rbl_distance_d(bonds[i].centre, point) / 0.3;
		CHECK_NEAR(t, bonds[i].damage, share * 40.0 / 50.0, 1e-9);
	}
	// Neighbours do not break by that, but they wait for their own hit.
	for (int i = 0; i < 20; ++i)
		CHECK(t, rbl_compound_wear(c, &rule, point, hit, 40.0, NULL) == RBL_OK);
	CHECK_NEAR(t, rbl_compound_get_part(c, hit + 1).damage, 1.0, 1e-12);
	CHECK(t, rbl_compound_wear(c, &rule, centre_of(c, hit + 1), hit + 1, 1.0, &report) == RBL_OK);
	CHECK(t, report.breaks);
	rbl_destroy_compound(c);
	rbl_destroy_pattern(pattern);
}

// Bonds that are worn through open, and what hung on them comes off; all volume is there.
static void worn_bonds_let_go(test *t)
{
	rbl_pattern *pattern = pattern_of(RBL_PATTERN_VORONOI, 1.0, 20, 1);
	rbl_damage_level level = level_of(pattern);
	rbl_damage_rule rule = rule_of(&level);
	rbl_compound *c = wall(8, 1, 1, brick, (rbl_vec3d){ 0.0, 0.0, 0.0 }, NULL);
	double volume = rbl_compound_get_mass(c).volume;
	rbl_wear_report report;
	int hits = 0;
	rbl_vec3d point = { 0.8, 0.05, 0.05 }; // the bond of parts 3 and 4
	do {
		CHECK(t, rbl_compound_wear(c, &rule, point, 3, 5.0, &report) == RBL_OK);
		hits++;
	} while (report.failed_count == 0 && hits < 1000);
	CHECK(t, hits == 100); // a tenth of its strength
	CHECK(t, rbl_compound_failed_count(c) == 1);
	rbl_break *broken = NULL;
	CHECK(t, rbl_compound_open_bonds(c, &broken) == RBL_OK);
	rbl_break_data data = rbl_break_get_data(broken);
	CHECK(t, data.compound_count == 1 && rbl_compound_failed_count(c) == 0);
	double sum = rbl_compound_get_mass(c).volume;
	for (int i = 0; i < data.compound_count; ++i)
		sum += rbl_compound_get_mass(data.compounds[i]).volume;
	CHECK_NEAR(t, sum, volume, 1e-12);
	CHECK(t, data.compounds[0]->worn_count + c->worn_count > 0); // the rest is still worn
	rbl_destroy_break(broken);
	rbl_destroy_compound(c);
	rbl_destroy_pattern(pattern);
}

static double total_damage(const rbl_compound *c, int *worn_bonds)
{
	double sum = 0.0;
	for (int i = 0; i < c->parts.count; ++i)
		sum += c->parts.data[i].convex ? c->parts.data[i].damage * c->parts.data[i].volume : 0.0;
	for (int i = 0; i < c->bonds.count; ++i)
		*worn_bonds += c->bonds.data[i].parts[0] >= 0 && c->bonds.data[i].damage > 0.0;
	return sum;
}

// A break heals no wear: pieces have the damage of their parts, by volume, and bonds keep theirs.
static void pieces_inherit_damage(test *t)
{
	rbl_pattern *pattern = pattern_of(RBL_PATTERN_VORONOI, 2.0, 60, 1);
	rbl_damage_level level = level_of(pattern);
	rbl_damage_rule rule = rule_of(&level);
	rbl_compound *c = wall(6, 6, 1, brick, (rbl_vec3d){ -0.6, -0.3, -0.05 }, NULL);
	for (int i = 0; i < 36; ++i) {
		CHECK(t, rbl_compound_wear(c, &rule, centre_of(c, i), i, 12.0 + i, NULL) == RBL_OK);
		CHECK(t, rbl_compound_set_part_strength(c, i, 1.0 + 0.1 * i) == RBL_OK);
	}
	int worn_before = 0, worn_after = 0;
	double before = total_damage(c, &worn_before);
	rbl_break_def def = rbl_default_break_def();
	def.pattern = pattern;
	def.radius = 0.25;
	def.welds = false;
	rbl_break *broken = NULL;
	CHECK(t, rbl_compound_break(c, &def, &broken) == RBL_OK);
	rbl_break_data data = rbl_break_get_data(broken);
	CHECK(t, data.compound_count > 3 && data.touched_count > 3);
	double after = total_damage(c, &worn_after);
	int counted = c->worn_count;
	for (int i = 0; i < data.compound_count; ++i)
		after += total_damage(data.compounds[i], &worn_after),
			counted += data.compounds[i]->worn_count;
	CHECK_NEAR(t, after / before, 1.0, 1e-9);
	CHECK(t, worn_after > 10 && counted > worn_after);
	rbl_destroy_break(broken);
	rbl_destroy_compound(c);
	rbl_destroy_pattern(pattern);
}

static void put_compound(rbl_blob_writer *w, const void *thing)
{
	rbl_compound_save(thing, NULL, NULL, w);
}

static bool get_compound(rbl_blob_reader *r, const rbl_allocator *allocator, void *thing)
{
	return rbl_compound_load(r, allocator, NULL, NULL, thing);
}

static void files_keep_damage_and_strength(test *t)
{
	rbl_pattern *pattern = pattern_of(RBL_PATTERN_VORONOI, 1.0, 20, 1);
	rbl_damage_level level = level_of(pattern);
	rbl_damage_rule rule = rule_of(&level);
	rbl_compound *c = wall(5, 4, 1, brick, (rbl_vec3d){ 0.0, 0.0, 0.0 }, NULL), *read = NULL;
	CHECK(t, rbl_compound_set_part_strength(c, 3, 7.0) == RBL_OK);
	CHECK(t, rbl_compound_wear(c, &rule, centre_of(c, 8), 8, 90.0, NULL) == RBL_OK);
	CHECK(t, c->worn_count > 5 && c->failed_count > 0);
	blob_bytes bytes = blob_save(put_compound, c);
	rbl_blob_reader r;
	CHECK(t, blob_load(bytes, NULL, get_compound, &r, &read));
	CHECK(t, read && read->worn_count == c->worn_count && read->failed_count == c->failed_count);
	CHECK(t, rbl_compound_hash_damage(read, 1) == rbl_compound_hash_damage(c, 1));
	CHECK(t, rbl_compound_hash_damage(c, 1) != 1);
	CHECK(t, rbl_compound_get_part(read, 3).strength == 7.0);
	CHECK(t, rbl_compound_wear(c, &rule, centre_of(c, 8), 8, 2.0, NULL) == RBL_OK);
	CHECK(t, rbl_compound_hash_damage(read, 1) != rbl_compound_hash_damage(c, 1));
	rbl_destroy_compound(read);
	rbl_destroy_compound(c);
	free(bytes.data);
	rbl_destroy_pattern(pattern);
}

// --- painting -----------------------------------------------------------------------------------

static double stronger_above(void *user, rbl_vec3d position)
{
	return position.y > *(double *)user ? 3.0 : 0.5;
}

static double never_a_strength(void *user, rbl_vec3d position)
{
	(void)user;
	return position.x > 0.6 ? (double)NAN : 1.0;
}

static void strength_is_painted_by_a_function(test *t)
{
	rbl_compound_def def = rbl_default_compound_def();
	rbl_compound_part parts[6] = { 0 };
	double height = 0.25;
	for (int i = 0; i < 6; ++i) {
		parts[i].convex =
			box_convex((rbl_vec3d){ 0.0, 0.1 * i, 0.0 }, (rbl_vec3d){ 1.0, 0.1 * (i + 1), 0.1 });
		parts[i].strength = i == 5 ? 2.0 : 0.0;
	}
	def.parts = parts, def.part_count = 6;
	def.paint.function = stronger_above, def.paint.user = &height;
	rbl_compound *c = NULL;
	CHECK(t, rbl_create_compound(&def, &c) == RBL_OK);
	for (int i = 0; c && i < 6; ++i) {
		double expected = (i < 2 ? 0.5 : 3.0) * (i == 5 ? 2.0 : 1.0);
		if (i != 2) // its centre is at the height
			CHECK_NEAR(t, rbl_compound_get_part(c, i).strength, expected, 0.0);
		rbl_compound_bond bonds[2];
		for (int k = rbl_compound_get_bonds(c, i, bonds, 2) - 1; k >= 0; --k)
			CHECK_NEAR(t, bonds[k].strength, bonds[k].centre.y > height ? 3.0 : 0.5, 0.0);
	}
	rbl_strength_paint wrong = rbl_default_strength_paint();
	wrong.function = never_a_strength;
	CHECK(t, rbl_compound_paint(c, &wrong) == RBL_OK); // all centres are at 0.5
	rbl_destroy_compound(c);
	c = NULL;
	for (int i = 0; i < 6; ++i)
		rbl_destroy_convex((rbl_convex *)(uintptr_t)parts[i].convex);
	c = wall(4, 4, 1, brick, (rbl_vec3d){ 0.0, 0.0, 0.0 }, NULL);
	unsigned version = c->version;
	CHECK(t, rbl_compound_paint(c, &wrong) == RBL_BAD_ARGUMENT && c->version == version);
	wrong = rbl_default_strength_paint();
	wrong.channel = RBL_CHANNEL_RED, wrong.at_zero = 0.0;
	CHECK(t, rbl_compound_paint(c, &wrong) == RBL_BAD_ARGUMENT && c->version == version);
	CHECK(t, rbl_compound_set_part_strength(c, 0, 0.0) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_compound_set_part_strength(c, 99, 1.0) == RBL_BAD_ARGUMENT);
	rbl_destroy_compound(c);
}

// A box of a metre, red where x > 0, green on top.
static rbl_mesh *painted_box(void)
{
	rbl_box_def box = rbl_default_box_def();
	rbl_mesh *plain = NULL, *painted = NULL;
	rbl_create_box_mesh(&box, &plain);
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = rbl_mesh_get_data(plain);
	rbl_vec4 *colors = calloc((size_t)def.data.corner_count, sizeof *colors);
	for (int i = 0; i < def.data.corner_count; ++i) {
		rbl_vec3d p = def.data.positions[def.data.corner_vertices[i]];
		colors[i] = (rbl_vec4){ p.x > 0.0 ? 1.0f : 0.0f, p.y > 0.0 ? 1.0f : 0.0f, 0.0f, 1.0f };
	}
	def.data.corner_colors = colors;
	rbl_create_mesh(&def, &painted);
	free(colors);
	rbl_destroy_mesh(plain);
	return painted;
}

// An asset has painted parts, a hierarchy and anchors, also when it is read from a file.
static void assets_are_prepared_with_support(test *t)
{
	rbl_mesh *mesh = painted_box();
	rbl_prepare_def def = rbl_default_prepare_def();
	def.node_count = 24;
	uint64_t plain = rbl_prepare_key(mesh, &def);
	const rbl_cluster_level levels[] = { { .cluster_count = 2, .strength = 0.1 },
		                                 { .cluster_count = 6, .strength = 0.5 } };
	rbl_anchor_def anchors = rbl_default_anchor_def();
	anchors.lowest = 0.01;
	def.levels = levels, def.level_count = 2;
	def.paint.channel = RBL_CHANNEL_RED;
	def.paint.at_zero = 0.25, def.paint.at_one = 4.0;
	def.anchors = &anchors;
	CHECK(t, rbl_prepare_key(mesh, &def) != plain);
	rbl_asset *asset = NULL, *read = NULL;
	CHECK(t, rbl_prepare(mesh, &def, &asset) == RBL_OK);
	size_t size = 0;
	CHECK(t, rbl_asset_save(asset, NULL, &size) == RBL_OK);
	unsigned char *bytes = malloc(size);
	CHECK(t, rbl_asset_save(asset, bytes, &size) == RBL_OK && rbl_is_asset(bytes, size));
	CHECK(t, rbl_asset_load(bytes, size, NULL, &read) == RBL_OK);
	for (size_t i = 0; i < size; i += 97) { // a damaged one is refused
		rbl_asset *wrong = NULL;
		bytes[i] ^= 1;
		CHECK(t, rbl_asset_load(bytes, size, NULL, &wrong) != RBL_OK && !wrong);
		bytes[i] ^= 1;
	}
	free(bytes);
	rbl_compound *own = NULL;
	CHECK(t, rbl_asset_create_compound(read, NULL, &own) == RBL_OK);
	const rbl_compound *of[] = { rbl_asset_get_compound(asset), rbl_asset_get_compound(read), own };
	for (int k = 0; k < 3; ++k) {
		rbl_compound_info info = rbl_compound_get_info(of[k]);
		CHECK(t, info.anchored_count > 0 && info.anchored_count < info.part_count);
		int strong = 0, weak = 0, parted = 0;
		for (int i = 0; i < info.part_count; ++i) {
			rbl_compound_part part = rbl_compound_get_part(of[k], i);
			double x = rbl_convex_get_mass(part.convex).centre.x;
			strong += part.strength > 2.0 && x > 0.0, weak += part.strength < 2.0 && x < 0.0;
			rbl_compound_bond bonds[64];
			for (int n = rbl_compound_get_bonds(of[k], i, bonds, 64) - 1; n >= 0; --n)
				parted += bonds[n].strength < 0.2;
		}
		CHECK(t, strong > 4 && weak > 4 && parted > 4);
	}
	rbl_destroy_compound(own);
	rbl_destroy_asset(read);
	rbl_destroy_asset(asset);
	asset = NULL;
	const rbl_cluster_level empty = { .cluster_count = 0, .strength = 1.0 },
							many = { .cluster_count = 1000000, .strength = 1.0 };
	def.levels = &empty, def.level_count = 1;
	CHECK(t, rbl_prepare(mesh, &def, &asset) == RBL_BAD_ARGUMENT && !asset);
	def.levels = &many; // than there are parts
	CHECK(t, rbl_prepare(mesh, &def, &asset) == RBL_BAD_ARGUMENT && !asset);
	def.level_count = 0;
	anchors.lowest = -1.0, anchors.channel = RBL_CHANNEL_GREEN; // a vertex group
	CHECK(t, rbl_prepare(mesh, &def, &asset) == RBL_OK);
	int top = 0, others = 0;
	for (int i = 0; i < rbl_asset_get_report(asset).part_count; ++i) {
		rbl_compound_part part = rbl_compound_get_part(rbl_asset_get_compound(asset), i);
		double y = rbl_convex_get_mass(part.convex).centre.y;
		top += part.is_anchored && y > 0.0, others += part.is_anchored && y < -0.1;
	}
	CHECK(t, top > 4 && others == 0);
	rbl_destroy_asset(asset);
	rbl_destroy_mesh(mesh);
}

// --- clusters -----------------------------------------------------------------------------------

// Whether the parts of a cluster hang together.
static bool is_connected(const rbl_compound *c, const int *labels, int count, int cluster)
{
	int seen[256] = { 0 }, queue[256], reached = 0, members = 0;
	for (int i = 0; i < count; ++i) {
		members += labels[i] == cluster;
		if (labels[i] == cluster && reached == 0)
			queue[reached++] = i, seen[i] = 1;
	}
	for (int at = 0; at < reached; ++at) {
		rbl_compound_bond bonds[32];
		int n = rbl_compound_get_bonds(c, queue[at], bonds, 32);
		for (int k = 0; k < n; ++k)
			if (labels[bonds[k].other] == cluster && !seen[bonds[k].other])
				seen[bonds[k].other] = 1, queue[reached++] = bonds[k].other;
	}
	return members > 0 && reached == members;
}

static void clusters_are_nested_and_part_first(test *t)
{
	rbl_compound *c = wall(12, 10, 1, brick, (rbl_vec3d){ 0.0, 0.0, 0.0 }, NULL);
	const rbl_cluster_level levels[] = { { .cluster_count = 4, .strength = 0.1 },
		                                 { .cluster_count = 15, .strength = 0.4 } };
	int clusters[2 * 120];
	CHECK(t, rbl_compound_cluster(c, levels, 2, clusters) == RBL_OK);
	for (int k = 0; k < 4; ++k)
		CHECK(t, is_connected(c, clusters, 120, k));
	for (int k = 0; k < 15; ++k)
		CHECK(t, is_connected(c, clusters + 120, 120, k));
	int parted[3] = { 0 };
	for (int i = 0; i < 120; ++i) {
		rbl_compound_bond bonds[32];
		for (int k = rbl_compound_get_bonds(c, i, bonds, 32) - 1; k >= 0; --k) {
			int other = bonds[k].other;
			bool is_small = clusters[120 + i] == clusters[120 + other];
			bool is_large = clusters[i] == clusters[other];
			CHECK(t, !is_small || is_large); // small ones lie within large ones
			CHECK_NEAR(t, bonds[k].strength, !is_large ? 0.1 : !is_small ? 0.4 : 1.0, 1e-15);
			parted[!is_large ? 0 : !is_small ? 1 : 2]++;
		}
	}
	CHECK(t, parted[0] > 20 && parted[1] > parted[0] && parted[2] > parted[1]);
	// A hit on all of it that is strong enough for the large ones only.
	rbl_pattern *pattern = pattern_of(RBL_PATTERN_VORONOI, 1.0, 20, 1);
	rbl_damage_level level = level_of(pattern);
	rbl_damage_rule rule = rule_of(&level);
	rule.wear_energy = 0.0;
	rule.wear_radius = 1e6;
	rbl_wear_report report;
	CHECK(t, rbl_compound_wear(c, &rule, centre_of(c, 60), 60, 6.0, &report) == RBL_OK);
	CHECK(t, report.failed_count == parted[0] / 2 && !report.breaks);
	rbl_break *broken = NULL;
	CHECK(t, rbl_compound_open_bonds(c, &broken) == RBL_OK);
	CHECK(t, rbl_break_get_data(broken).compound_count == 3);
	rbl_destroy_break(broken);
	broken = NULL;
	int part = 0;
	while (!rbl_compound_get_part(c, part).convex)
		part++;
	CHECK(t, rbl_compound_wear(c, &rule, centre_of(c, part), part, 21.0, &report) == RBL_OK);
	CHECK(t, report.failed_count > 0);
	CHECK(t, rbl_compound_open_bonds(c, &broken) == RBL_OK);
	CHECK(t, rbl_break_get_data(broken).compound_count > 1);
	rbl_destroy_break(broken);
	rbl_destroy_compound(c);
	rbl_destroy_pattern(pattern);
}

static void wrong_clusters_are_refused(test *t)
{
	rbl_compound *c = wall(4, 2, 1, brick, (rbl_vec3d){ 0.0, 0.0, 0.0 }, NULL);
	unsigned version = c->version;
	const struct {
		int counts[2];
		double strength;
	} wrong[] = { { { 0, 2 }, 1.0 },
		          { { 9, 9 }, 1.0 },
		          { { 4, 2 }, 1.0 },
		          { { 2, 4 }, 0.0 },
		          { { 2, 4 }, (double)NAN } };
	for (int i = 0; i < 5; ++i) {
		const rbl_cluster_level levels[] = {
			{ .cluster_count = wrong[i].counts[0], .strength = wrong[i].strength },
			{ .cluster_count = wrong[i].counts[1], .strength = 1.0 },
		};
		CHECK(t, rbl_compound_cluster(c, levels, 2, NULL) == RBL_BAD_ARGUMENT);
	}
	rbl_pattern *pattern = pattern_of(RBL_PATTERN_VORONOI, 1.0, 4, 1);
	const rbl_cluster_level cutting = { .strength = 1.0, .pattern = pattern };
	CHECK(t, rbl_compound_cluster(c, &cutting, 1, NULL) == RBL_BAD_ARGUMENT);
	rbl_destroy_pattern(pattern);
	const rbl_cluster_level fine = { .cluster_count = 8, .strength = 1.0 };
	CHECK(t, rbl_compound_cluster(c, &fine, 0, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_compound_cluster(NULL, &fine, 1, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, c->version == version);
	int each[8];
	CHECK(t, rbl_compound_cluster(c, &fine, 1, each) == RBL_OK); // one part each
	for (int i = 0; i < 8; ++i)
		CHECK(t, is_connected(c, each, 8, i));
	rbl_destroy_compound(c);
}

// --- anchors ------------------------------------------------------------------------------------

static void anchors_by_rule(test *t)
{
	rbl_compound *c = wall(5, 4, 1, brick, (rbl_vec3d){ 0.0, 0.0, 0.0 }, NULL);
	for (int i = 0; i < 20; ++i)
		rbl_compound_set_anchored(c, i, false);
	rbl_anchor_def def = rbl_default_anchor_def();
	int count = -1;
	CHECK(t, rbl_compound_anchor(c, &def, &count) == RBL_BAD_ARGUMENT && count == -1);
	def.lowest = 0.0;
	CHECK(t, rbl_compound_anchor(c, &def, &count) == RBL_OK && count == 5);
	for (int i = 0; i < 20; ++i)
		CHECK(t, rbl_compound_get_part(c, i).is_anchored == (i < 5));
	def.lowest = -1.0;
	const rbl_boxd box = { { 0.0, 0.3, 0.0 }, { 0.25, 0.4, 0.1 } };
	def.boxes = &box, def.box_count = 1;
	CHECK(t, rbl_compound_anchor(c, &def, &count) == RBL_OK && count == 6);
	const rbl_boxd empty = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 1.0 } };
	def.boxes = &empty;
	CHECK(t, rbl_compound_anchor(c, &def, &count) == RBL_BAD_ARGUMENT);
	def = rbl_default_anchor_def();
	def.lowest = (double)NAN;
	CHECK(t, rbl_compound_anchor(c, &def, &count) == RBL_BAD_ARGUMENT);
	def.lowest = 0.0, def.up = (rbl_vec3d){ 0.0, 0.0, 0.0 };
	CHECK(t, rbl_compound_anchor(c, &def, &count) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_compound_get_info(c).anchored_count == 6);
	rbl_destroy_compound(c);
}

static void wrong_wear_is_refused(test *t)
{
	rbl_pattern *pattern = pattern_of(RBL_PATTERN_VORONOI, 1.0, 20, 1);
	rbl_damage_level level = level_of(pattern);
	rbl_compound *c = wall(3, 2, 1, brick, (rbl_vec3d){ 0.0, 0.0, 0.0 }, NULL);
	rbl_vec3d at = centre_of(c, 1);
	for (int i = 0; i < 8; ++i) {
		rbl_damage_rule rule = rule_of(&level);
		rbl_vec3d point = at;
		double energy = 10.0;
		int part = 1;
		if (i == 0)
			rule.wear_energy = -1.0;
		else if (i == 1)
			rule.wear_exponent = 0;
		else if (i == 2)
			rule.wear_radius = 0.0;
		else if (i == 3)
			rule.bond_energy = (double)NAN;
		else if (i == 4)
			energy = (double)NAN;
		else if (i == 5)
			part = 77;
		else if (i == 6)
			point.x = (double)INFINITY;
		else
			rule.cookie = 0;
		CHECK(t, rbl_compound_wear(c, &rule, point, part, energy, NULL) == RBL_BAD_ARGUMENT);
		CHECK(t, c->worn_count == 0);
	}
	rbl_destroy_compound(c);
	rbl_destroy_pattern(pattern);
}

// Without memory nothing is worn, painted or clustered.
static void faults_change_nothing(test *t)
{
	rbl_pattern *pattern = pattern_of(RBL_PATTERN_VORONOI, 1.0, 20, 1);
	rbl_damage_level level = level_of(pattern);
	rbl_damage_rule rule = rule_of(&level);
	const rbl_cluster_level levels = { .cluster_count = 3, .strength = 0.5 };
	int failures = 0;
	for (int i = 0; i < 20; ++i) {
		faulty_allocator memory;
		faulty_init(&memory, LLONG_MAX);
		rbl_compound *c = wall(6, 4, 1, brick, (rbl_vec3d){ 0.0, 0.0, 0.0 }, &FAULTY(&memory));
		unsigned version = c->version;
		atomic_store(&memory.allowed, i);
		rbl_result result = rbl_compound_wear(c, &rule, centre_of(c, 9), 9, 30.0, NULL);
		CHECK(t, (result == RBL_OK && c->worn_count > 0) ||
		             (result == RBL_OUT_OF_MEMORY && c->worn_count == 0));
		failures += result != RBL_OK;
		atomic_store(&memory.allowed, i);
		result = rbl_compound_cluster(c, &levels, 1, NULL);
		CHECK(t, (result == RBL_OK && c->version != version) ||
		             (result == RBL_OUT_OF_MEMORY && c->version == version));
		failures += result != RBL_OK;
		atomic_store(&memory.allowed, LLONG_MAX);
		rbl_destroy_compound(c);
		CHECK(t, memory.live_bytes == 0);
	}
	CHECK(t, failures >= 5);
	rbl_destroy_pattern(pattern);
}

TEST_MAIN(TEST(a_hundred_weak_hits_break_a_part), TEST(strength_decides_what_breaks),
          TEST(a_hit_is_felt_around_it), TEST(worn_bonds_let_go), TEST(pieces_inherit_damage),
          TEST(files_keep_damage_and_strength), TEST(strength_is_painted_by_a_function),
          TEST(assets_are_prepared_with_support), TEST(clusters_are_nested_and_part_first),
          TEST(wrong_clusters_are_refused), TEST(anchors_by_rule), TEST(wrong_wear_is_refused),
          TEST(faults_change_nothing))
