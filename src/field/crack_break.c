// SPDX-License-Identifier: MIT
//
// Breaking a fragment of a crack field.
//
// New cuts are appended and linked to their tetrahedra, nodes get the numbers of their parts, and
// everything is checked; when something is wrong, or memory runs out, links and numbers are taken
// back and nothing has changed.
//
// Depths only shrink: what was nearest may be cut off now, but then the crack that cuts it off is
// nearer. So a node starts from what it has, and only nodes of what breaks are looked at: see
// crack_planes.c and crack_pieces.c.

#include "field/crack_break.h"

#include "base/log.h"

// --- who is in a tetrahedron --------------------------------------------------------------------

static bool has_node_of(const rbl_crack_field *field, int tet, int fragment)
{
	for (int k = 0; k < 4; ++k)
		if (field->node_fragments[field->tet_nodes[4 * tet + k]] == fragment)
			return true;
	return false;
}

// Whether entries of the tetrahedron say that it has part `child` of a fragment: 1 yes, 0 no, -1
// they do not say.
static int entries_say(const rbl_crack_field *field, int tet, int child)
{
	const rbl_crack_fragment *fragments = field->fragments.data;
	int answer = -1;
	for (int i = field->first_entries[tet]; i >= 0; i = field->entries.data[i].next) {
		const rbl_crack_entry *e = &field->entries.data[i];
		for (int side = 0; side < 2; ++side) {
			int named = e->fragments[side];
			if (named == child)
				return 1;
			if (named >= 0 && fragments[named].parent == fragments[child].parent)
				answer = 0;
		}
	}
	return answer;
}

bool rbl_crack_tet_has(const rbl_crack_field *field, int tet, int fragment)
{
	const int *nodes = field->tet_nodes + 4 * (size_t)tet;
	if (field->first_entries[tet] < 0)
		return rbl_crack_descends(field, field->node_fragments[nodes[0]], fragment);
	for (int child = fragment; child > 0; child = field->fragments.data[child].parent) {
		int answer = entries_say(field, tet, child);
		for (int k = 0; k < 4 && answer < 0; ++k)
			if (rbl_crack_descends(field, field->node_fragments[nodes[k]], child))
				answer = 1;
		if (answer != 1)
			return false;
	}
	return true;
}

// --- checks -------------------------------------------------------------------------------------

static rbl_result check_break(const rbl_crack_field *field, const rbl_crack_break *def)
{
	if (!field || !def)
		return rbl_fail(RBL_BAD_ARGUMENT, "%s is NULL", field ? "the break" : "field");
	if (!rbl_crack_field_has_fragment(field, def->fragment))
		return rbl_fail(RBL_BAD_ARGUMENT, "there is no fragment %d to break", def->fragment);
	if (def->part_count < 1)
		return rbl_fail(RBL_BAD_ARGUMENT, "part_count is %d, must be 1 or more", def->part_count);
	if (def->part_count > RBL_MAX_CRACK_FRAGMENTS - field->fragments.count)
		return rbl_fail(RBL_LIMIT_REACHED, "%d parts would be more than %d fragments",
		                def->part_count, RBL_MAX_CRACK_FRAGMENTS);
	if (def->plane_count < 0 || def->cut_count < 0)
		return rbl_fail(RBL_BAD_ARGUMENT, "%s is negative",
		                def->cut_count < 0 ? "cut_count" : "plane_count");
	if (!def->node_parts || (def->plane_count > 0 && !def->planes) ||
	    (def->cut_count > 0 && !def->cuts))
		return rbl_fail(RBL_BAD_ARGUMENT, "%s is NULL",
		                !def->node_parts                   ? "node_parts"
		                : def->cut_count > 0 && !def->cuts ? "cuts"
		                                                   : "planes");
	for (int i = 0; i < def->plane_count; ++i) {
		float length = rbl_length(def->planes[i].normal);
		if (!(length > 1e-18f && length < 1e18f && isfinite(def->planes[i].offset / length)))
			return rbl_fail(RBL_BAD_ARGUMENT, "plane %d has a normal of %g and an offset of %g", i,
			                (double)length, (double)def->planes[i].offset);
	}
	const rbl_crack_fragment *whole = &field->fragments.data[def->fragment];
	for (int i = 0; i < whole->node_count; ++i) {
		int node = field->nodes_by_fragment[whole->first_node + i];
		if (def->node_parts[node] < 0 || def->node_parts[node] >= def->part_count)
			return rbl_fail(RBL_BAD_ARGUMENT, "node %d is in part %d, of %d", node,
			                def->node_parts[node], def->part_count);
	}
	return RBL_OK;
}

static rbl_result check_cuts(const rbl_crack_field *field, const rbl_crack_break *def)
{
	for (int i = 0; i < def->cut_count; ++i) {
		const rbl_crack_cut *cut = &def->cuts[i];
		if (cut->tet < 0 || cut->tet >= field->tet_count)
			return rbl_fail(RBL_BAD_ARGUMENT, "cut %d is in tetrahedron %d, of %d", i, cut->tet,
			                field->tet_count);
		if (cut->plane < -1 || cut->plane >= def->plane_count)
			return rbl_fail(RBL_BAD_ARGUMENT, "cut %d has plane %d, of %d", i, cut->plane,
			                def->plane_count);
		bool is_whole = cut->plane < 0;
		if (cut->back < 0 || cut->back >= def->part_count ||
		    (!is_whole && (cut->front < 0 || cut->front >= def->part_count)))
			return rbl_fail(RBL_BAD_ARGUMENT, "cut %d has parts %d and %d, of %d", i, cut->back,
			                cut->front, def->part_count);
		if (!is_whole && cut->back == cut->front)
			return rbl_fail(RBL_BAD_ARGUMENT, "cut %d has part %d on both sides", i, cut->back);
		if (!rbl_crack_tet_has(field, cut->tet, def->fragment))
			return rbl_fail(RBL_BAD_ARGUMENT,
			                "cut %d is in tetrahedron %d, which has nothing of fragment %d", i,
			                cut->tet, def->fragment);
	}
	return RBL_OK;
}

static bool is_new(const rbl_crack_breaking *b, int fragment)
{
	return fragment >= b->first_part;
}

// Whether every two nodes of different parts have a cut between just these parts. Then planes that
// bound parts as a whole keep them apart, and need not be looked at here.
static bool has_cut_for_each_pair(const rbl_crack_breaking *b, int tet, const int parts[4])
{
	const rbl_crack_entry *entries = b->field->entries.data;
	for (int i = 0; i < 4; ++i)
		for (int k = i + 1; k < 4; ++k) {
			int low = rbl_mini(parts[i], parts[k]), high = rbl_maxi(parts[i], parts[k]);
			if (low == high || !is_new(b, low))
				continue;
			int e = b->field->first_entries[tet];
			while (e >= b->first_entry &&
			       (rbl_mini(entries[e].fragments[0], entries[e].fragments[1]) != low ||
			        rbl_maxi(entries[e].fragments[0], entries[e].fragments[1]) != high))
				e = entries[e].next;
			if (e < b->first_entry)
				return false;
		}
	return true;
}

// Where a tetrahedron is cut, cuts must name the parts of its nodes.
static rbl_result check_names(const rbl_crack_breaking *b, int tet, const int parts[4])
{
	const rbl_crack_entry *entries = b->field->entries.data;
	for (int k = 0; k < 4; ++k) {
		int e = is_new(b, parts[k]) ? b->field->first_entries[tet] : RBL_CRACK_NONE;
		if (e < b->first_entry)
			continue;
		while (e >= b->first_entry && entries[e].fragments[0] != parts[k] &&
		       entries[e].fragments[1] != parts[k])
			e = entries[e].next;
		if (e < b->first_entry)
			return rbl_fail(RBL_BAD_ARGUMENT,
			                "tetrahedron %d has node %d of part %d, which none of its cuts names",
			                tet, b->field->tet_nodes[4 * tet + k], parts[k] - b->first_part);
	}
	return RBL_OK;
}

// Nodes of different parts: none may lie beyond a crack of its part, and of two each must lie
// beyond what the cracks leave of the other's part.
static rbl_result check_tet(const rbl_crack_breaking *b, int tet)
{
	const rbl_crack_field *field = b->field;
	const int *nodes = field->tet_nodes + 4 * (size_t)tet;
	int parts[4], mixed = 0;
	for (int k = 0; k < 4; ++k) {
		parts[k] = field->node_fragments[nodes[k]];
		mixed |= parts[k] ^ parts[0];
	}
	bool is_cut = field->first_entries[tet] >= b->first_entry;
	if (mixed == 0 && !is_cut)
		return RBL_OK;
	rbl_result result = is_cut ? check_names(b, tet, parts) : RBL_OK;
	if (result != RBL_OK || mixed == 0 ||
	    (b->def->has_cell_planes && has_cut_for_each_pair(b, tet, parts)))
		return result;
	const float tolerance = 1e-3f * field->mean_edge;
	unsigned apart[4] = { 0, 0, 0, 0 }; // from which nodes each is kept apart
	for (int i = field->first_entries[tet]; i >= b->first_entry; i = field->entries.data[i].next) {
		const rbl_crack_entry *e = &field->entries.data[i];
		if (e->plane < 0)
			continue;
		unsigned outside[2] = { 0, 0 }; // of either side
		float at[4];
		for (int k = 0; k < 4; ++k) {
			at[k] = rbl_plane_distance(field->planes.data[e->plane], field->nodes[nodes[k]]);
			outside[0] |= (unsigned)(at[k] > -tolerance) << k;
			outside[1] |= (unsigned)(at[k] < tolerance) << k;
		}
		for (int k = 0; k < 4; ++k) {
			int side = e->fragments[0] == parts[k] ? 0 : 1;
			if (e->fragments[side] != parts[k])
				continue;
			float beyond = side == 0 ? at[k] : -at[k];
			if (beyond > tolerance)
				return rbl_fail(RBL_BAD_ARGUMENT,
				                "node %d of part %d is %g beyond a crack of it in tetrahedron %d",
				                nodes[k], parts[k] - b->first_part, (double)beyond, tet);
			apart[k] |= outside[side];
		}
	}
	for (int i = 0; i < 4; ++i)
		for (int k = 0; k < 4; ++k)
			if (parts[i] != parts[k] && is_new(b, parts[i]) && is_new(b, parts[k]) &&
			    !(apart[i] >> k & 1))
				return rbl_fail(
					RBL_BAD_ARGUMENT,
					"no crack keeps nodes %d and %d apart, of parts %d and %d in tetrahedron %d",
					nodes[i], nodes[k], parts[i] - b->first_part, parts[k] - b->first_part, tet);
	return RBL_OK;
}

// Tetrahedra with nodes of different parts. Most of a mesh is gone through by tetrahedra, less of
// it by nodes.
static rbl_result check_nodes(const rbl_crack_breaking *b)
{
	const rbl_crack_field *field = b->field;
	int count = b->part_starts[b->def->part_count];
	rbl_result result = RBL_OK;
	if (count > field->node_count / 4) {
		for (int i = 0; i < field->tet_count && result == RBL_OK; ++i)
			result = check_tet(b, i);
		return result;
	}
	for (int i = 0; i < count; ++i)
		for (int k = field->node_tet_starts[b->nodes[i]];
		     k < field->node_tet_starts[b->nodes[i] + 1] && result == RBL_OK; ++k)
			result = check_tet(b, field->node_tets[k]);
	return result;
}

// --- what is new --------------------------------------------------------------------------------

static rbl_result append_fragments(rbl_crack_breaking *b)
{
	rbl_crack_field *field = b->field;
	const rbl_crack_break *def = b->def;
	const rbl_allocator *a = &field->allocator;
	if (!rbl_array_extend(a, &field->fragments, def->part_count) ||
	    !rbl_array_extend(a, &field->planes, def->plane_count) ||
	    !rbl_array_extend(a, &field->entries, def->cut_count))
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < def->part_count; ++i) {
		const rbl_crack_fragment *parent = &field->fragments.data[def->fragment];
		field->fragments.data[field->fragments.count++] = (rbl_crack_fragment){
			.parent = def->fragment,
			.depth = parent->depth + 1,
			.box = rbl_box_empty(),
			.has_cell_planes = parent->has_cell_planes && def->has_cell_planes,
		};
	}
	for (int i = 0; i < def->plane_count; ++i) {
		rbl_vec3d normal = rbl_to_d(def->planes[i].normal);
		double scale = 1.0 / rbl_length_d(normal);
		field->planes.data[field->planes.count++] =
			(rbl_plane){ rbl_to_f(rbl_scale_d(scale, normal)),
			             (float)(scale * (double)def->planes[i].offset) };
	}
	for (int i = 0; i < def->cut_count; ++i) {
		const rbl_crack_cut *cut = &def->cuts[i];
		bool is_whole = cut->plane < 0;
		int entry = field->entries.count++;
		field->entries.data[entry] = (rbl_crack_entry){
			.tet = cut->tet,
			.plane = is_whole ? RBL_CRACK_NONE : b->first_plane + cut->plane,
			.fragments = { b->first_part + cut->back,
			               is_whole ? RBL_CRACK_NONE : b->first_part + cut->front },
			.pieces = { RBL_CRACK_NONE, RBL_CRACK_NONE },
			.next = field->first_entries[cut->tet],
		};
		field->first_entries[cut->tet] = entry;
		b->linked_count++;
		int before = field->entries.data[entry].next;
		if (before >= b->first_entry && (is_whole || field->entries.data[before].plane < 0))
			return rbl_fail(RBL_BAD_ARGUMENT,
			                "cut %d: tetrahedron %d is said to be in one part as a whole, and cut",
			                i, cut->tet);
	}
	return RBL_OK;
}

// Nodes of the fragment by part, in their order.
static rbl_result sort_nodes(rbl_crack_breaking *b)
{
	rbl_crack_field *field = b->field;
	const rbl_crack_fragment *whole = &field->fragments.data[b->def->fragment];
	int count = whole->node_count, parts = b->def->part_count;
	const int *list = field->nodes_by_fragment + whole->first_node;
	b->nodes = RBL_ARENA_NEW(&field->arena, int, count);
	b->part_starts = RBL_ARENA_NEW(&field->arena, int, (size_t)parts + 1);
	if (!b->nodes || !b->part_starts)
		return RBL_OUT_OF_MEMORY;
	memset(b->part_starts, 0, ((size_t)parts + 1) * sizeof *b->part_starts);
	for (int i = 0; i < count; ++i)
		b->part_starts[b->def->node_parts[list[i]] + 1]++;
	for (int i = 0; i < parts; ++i)
		b->part_starts[i + 1] += b->part_starts[i];
	for (int i = 0; i < count; ++i)
		b->nodes[b->part_starts[b->def->node_parts[list[i]]]++] = list[i];
	for (int i = parts; i > 0; --i)
		b->part_starts[i] = b->part_starts[i - 1];
	b->part_starts[0] = 0;
	for (int i = 0; i < count; ++i)
		field->node_fragments[list[i]] = b->first_part + b->def->node_parts[list[i]];
	b->has_moved_nodes = true;
	return RBL_OK;
}

// Whether an earlier entry of this break, and of the same tetrahedron, names the fragment.
static bool is_named_before(const rbl_crack_breaking *b, int entry, int fragment)
{
	const rbl_crack_entry *entries = b->field->entries.data;
	for (int i = entries[entry].next; i >= b->first_entry; i = entries[i].next)
		if (entries[i].fragments[0] == fragment || entries[i].fragments[1] == fragment)
			return true;
	return false;
}

// The part of a tetrahedron that the break does not cut; RBL_CRACK_NONE: nothing says it.
static int part_by_nodes(const rbl_crack_breaking *b, int tet)
{
	for (int k = 0; k < 4; ++k) {
		int fragment = b->field->node_fragments[b->field->tet_nodes[4 * tet + k]];
		if (is_new(b, fragment))
			return fragment;
	}
	return RBL_CRACK_NONE;
}

// Cut tetrahedra of each part: those that are cut now, and those that were.
static rbl_result list_cut_tets(rbl_crack_breaking *b)
{
	rbl_crack_field *field = b->field;
	const rbl_crack_fragment *whole = &field->fragments.data[b->def->fragment];
	const int *old = field->cut_tets.data + whole->first_cut_tet;
	int old_count = whole->cut_tet_count, parts = b->def->part_count, total = 0;
	rbl_crack_fragment *first = field->fragments.data + b->first_part;
	for (int i = 0; i < old_count; ++i) {
		if (field->first_entries[old[i]] >= b->first_entry)
			continue;
		int fragment = part_by_nodes(b, old[i]);
		if (fragment < 0)
			return rbl_fail(
				RBL_BAD_ARGUMENT,
				"tetrahedron %d has something of fragment %d, and no node or cut says in "
				"which part that is",
				old[i], b->def->fragment);
		first[fragment - b->first_part].cut_tet_count++;
	}
	for (int i = b->first_entry; i < field->entries.count; ++i)
		for (int side = 0; side < 2; ++side) {
			int fragment = field->entries.data[i].fragments[side];
			if (fragment >= 0 && !is_named_before(b, i, fragment))
				first[fragment - b->first_part].cut_tet_count++;
		}
	for (int i = 0; i < parts; ++i) {
		first[i].first_cut_tet = b->first_cut_tet + total;
		total += first[i].cut_tet_count;
		first[i].cut_tet_count = 0;
	}
	if (!rbl_array_extend(&field->allocator, &field->cut_tets, total))
		return RBL_OUT_OF_MEMORY;
	int *list = field->cut_tets.data;
	old = list + whole->first_cut_tet;
	for (int i = 0; i < old_count; ++i)
		if (field->first_entries[old[i]] < b->first_entry) {
			rbl_crack_fragment *part = &field->fragments.data[part_by_nodes(b, old[i])];
			list[part->first_cut_tet + part->cut_tet_count++] = old[i];
		}
	for (int i = b->first_entry; i < field->entries.count; ++i)
		for (int side = 0; side < 2; ++side) {
			int fragment = field->entries.data[i].fragments[side];
			if (fragment < 0 || is_named_before(b, i, fragment))
				continue;
			rbl_crack_fragment *part = &field->fragments.data[fragment];
			list[part->first_cut_tet + part->cut_tet_count++] = field->entries.data[i].tet;
		}
	field->cut_tets.count = b->first_cut_tet + total;
	return RBL_OK;
}

// --- boxes and cells ----------------------------------------------------------------------------

static rbl_box box_of_tets(const rbl_crack_field *field, rbl_box box, const int *tets, int count)
{
	for (int i = 0; i < 4 * count; ++i)
		box = rbl_box_add_point(box, field->nodes[field->tet_nodes[4 * tets[i / 4] + i % 4]]);
	return box;
}

// Tetrahedra of a part reach no farther from its nodes than the longest edge; those without nodes
// of it are few.
static void set_box(const rbl_crack_breaking *b, int part)
{
	rbl_crack_field *field = b->field;
	rbl_crack_fragment *fragment = &field->fragments.data[b->first_part + part];
	rbl_box box = rbl_box_empty(), limit = field->fragments.data[b->def->fragment].box;
	for (int i = b->part_starts[part]; i < b->part_starts[part + 1]; ++i)
		box = rbl_box_add_point(box, field->nodes[b->nodes[i]]);
	if (!rbl_box_is_empty(box) && fragment->cut_tet_count > 0)
		box = rbl_box_grow(box, field->longest_edge);
	const int *tets = field->cut_tets.data + fragment->first_cut_tet;
	for (int i = 0; i < fragment->cut_tet_count; ++i)
		if (!has_node_of(field, tets[i], b->first_part + part))
			box = box_of_tets(field, box, tets + i, 1);
	fragment->box = (rbl_box){ rbl_max(box.lower, limit.lower), rbl_min(box.upper, limit.upper) };
}

// A cell of a coarser level is occupied when one of its eight is.
static void mark_coarser_levels(const rbl_crack_grid *grid, uint64_t *bits)
{
	for (int level = 1; level < grid->level_count; ++level) {
		const int *from = grid->level_sizes[level - 1], *to = grid->level_sizes[level];
		const uint64_t *fine = bits + grid->level_words[level - 1];
		uint64_t *coarse = bits + grid->level_words[level];
		int cell = 0;
		for (int z = 0; z < from[2]; ++z)
			for (int y = 0; y < from[1]; ++y)
				for (int x = 0; x < from[0]; ++x, ++cell)
					if (fine[cell >> 6] >> (cell & 63) & 1) {
						int above = ((z / 2) * to[1] + y / 2) * to[0] + x / 2;
						coarse[above >> 6] |= (uint64_t)1 << (above & 63);
					}
	}
}

static void mark_fragment(const rbl_crack_breaking *b, int part)
{
	rbl_crack_field *field = b->field;
	rbl_crack_fragment *fragment = &field->fragments.data[b->first_part + part];
	for (int i = b->part_starts[part]; i < b->part_starts[part + 1]; ++i) {
		int node = b->nodes[i];
		for (int k = field->node_tet_starts[node]; k < field->node_tet_starts[node + 1]; ++k)
			// Tetrahedra that are not cut, once each.
			if (field->tet_nodes[4 * field->node_tets[k]] == node &&
			    field->first_entries[field->node_tets[k]] < 0)
				rbl_crack_mark_cells(field, field->node_tets[k], b->first_part + part,
				                     fragment->occupied);
	}
	for (int i = 0; i < fragment->cut_tet_count; ++i)
		rbl_crack_mark_cells(field, field->cut_tets.data[fragment->first_cut_tet + i],
		                     b->first_part + part, fragment->occupied);
	mark_coarser_levels(&field->grid, fragment->occupied);
}

// Parts that planes do not bound get a bit for each cell.
static rbl_result reserve_cells(const rbl_crack_breaking *b)
{
	rbl_crack_field *field = b->field;
	int words = field->grid.level_words[field->grid.level_count];
	for (int i = 0; i < b->def->part_count; ++i) {
		rbl_crack_fragment *fragment = &field->fragments.data[b->first_part + i];
		if (fragment->has_cell_planes)
			continue;
		fragment->occupied = RBL_NEW_ZERO(&field->allocator, uint64_t, words);
		if (!fragment->occupied)
			return RBL_OUT_OF_MEMORY;
	}
	return RBL_OK;
}

// --- the break ----------------------------------------------------------------------------------

static void take_back(rbl_crack_breaking *b)
{
	rbl_crack_field *field = b->field;
	for (int i = b->first_entry + b->linked_count - 1; i >= b->first_entry; --i)
		field->first_entries[field->entries.data[i].tet] = field->entries.data[i].next;
	const rbl_crack_fragment *whole = &field->fragments.data[b->def->fragment];
	for (int i = 0; i < whole->node_count && b->has_moved_nodes; ++i)
		field->node_fragments[field->nodes_by_fragment[whole->first_node + i]] = b->def->fragment;
	for (int i = b->first_part; i < field->fragments.count; ++i)
		RBL_FREE(&field->allocator, field->fragments.data[i].occupied,
		         field->grid.level_words[field->grid.level_count]);
	field->fragments.count = b->first_part;
	field->entries.count = b->first_entry;
	field->planes.count = b->first_plane;
	field->pieces.count = b->first_piece;
	field->corners.count = b->first_corner;
	field->cut_tets.count = b->first_cut_tet;
	field->facings.count = b->first_facing;
}

// Everything that may fail. Depths are not touched.
static rbl_result prepare_break(rbl_crack_breaking *b)
{
	rbl_result result = append_fragments(b);
	result = result == RBL_OK ? sort_nodes(b) : result;
	result = result == RBL_OK ? check_nodes(b) : result;
	result = result == RBL_OK ? list_cut_tets(b) : result;
	if (result == RBL_OK)
		result =
			b->def->has_cell_planes ? rbl_crack_prepare_planes(b) : rbl_crack_prepare_pieces(b);
	return result == RBL_OK ? reserve_cells(b) : result;
}

rbl_result rbl_crack_field_break(rbl_crack_field *field, const rbl_crack_break *def,
                                 int *first_fragment)
{
	rbl_result result = check_break(field, def);
	if (result == RBL_OK && !first_fragment)
		result = rbl_fail(RBL_BAD_ARGUMENT, "first_fragment is NULL");
	result = result == RBL_OK ? check_cuts(field, def) : result;
	if (result != RBL_OK)
		return result;
	rbl_arena_reset(&field->arena);
	rbl_crack_breaking b = { .field = field,
		                     .def = def,
		                     .first_part = field->fragments.count,
		                     .first_entry = field->entries.count,
		                     .first_plane = field->planes.count,
		                     .first_piece = field->pieces.count,
		                     .first_corner = field->corners.count,
		                     .first_cut_tet = field->cut_tets.count,
		                     .first_facing = field->facings.count };
	result = prepare_break(&b);
	if (result != RBL_OK) {
		take_back(&b);
		return result == RBL_OUT_OF_MEMORY
		           ? rbl_fail(result, "no memory to break fragment %d", def->fragment)
		           : result;
	}
	rbl_crack_fragment *whole = &field->fragments.data[def->fragment];
	memcpy(field->nodes_by_fragment + whole->first_node, b.nodes,
	       (size_t)whole->node_count * sizeof *b.nodes);
	if (def->has_cell_planes)
		rbl_crack_lower_by_planes(&b);
	else
		rbl_crack_lower_by_pieces(&b);
	for (int i = 0; i < def->part_count; ++i) {
		rbl_crack_fragment *part = &field->fragments.data[b.first_part + i];
		part->first_node = whole->first_node + b.part_starts[i];
		part->node_count = b.part_starts[i + 1] - b.part_starts[i];
		set_box(&b, i);
		if (part->occupied)
			mark_fragment(&b, i);
	}
	RBL_FREE(&field->allocator, whole->occupied, field->grid.level_words[field->grid.level_count]);
	whole->occupied = NULL;
	whole->first_part = b.first_part;
	whole->part_count = def->part_count;
	*first_fragment = b.first_part;
	return RBL_OK;
}
