// SPDX-License-Identifier: MIT
//
// Cracks whose planes bound parts as a whole, as cells of a pattern have them.
//
// A part lies behind all of its planes, so that a point in it is as deep as the least of its
// distances from them and from the surface: exactly, for where the foot of the shortest is cut off
// by another crack, that one is nearer. A part has few planes. Trying them all on all of its nodes,
// in lanes, takes a fraction of what a front does that carries them from node to node.

#include "field/crack_break.h"
#include "field/field_kernels.h"

#include "base/log.h"

// A part that a plane bounds; chained by plane.
typedef struct plane_use {
	int facing, part, next;
} plane_use;

typedef struct plane_uses {
	plane_use *uses;
	int count;
	int *heads; // by new plane
} plane_uses;

static rbl_result find_uses(const rbl_crack_breaking *b, plane_uses *uses)
{
	rbl_crack_field *field = b->field;
	int planes = b->def->plane_count;
	uses->heads = RBL_ARENA_NEW(&field->arena, int, planes);
	uses->uses = RBL_ARENA_NEW(&field->arena, plane_use, 2 * (size_t)b->def->cut_count);
	if (!uses->heads || !uses->uses)
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < planes; ++i)
		uses->heads[i] = -1;
	for (int i = b->first_entry; i < field->entries.count; ++i) {
		const rbl_crack_entry *e = &field->entries.data[i];
		for (int side = 0; side < 2 && e->plane >= 0; ++side) {
			int *head = &uses->heads[e->plane - b->first_plane];
			int part = e->fragments[side] - b->first_part, k = *head;
			int facing = rbl_crack_facing(e->plane, side);
			while (k >= 0 && (uses->uses[k].part != part || uses->uses[k].facing != facing))
				k = uses->uses[k].next;
			if (k >= 0)
				continue;
			uses->uses[uses->count] = (plane_use){ facing, part, *head };
			*head = uses->count++;
		}
	}
	return RBL_OK;
}

// Facings of each part: those of the fragment, which bound its parts as well, and new ones.
static rbl_result list_facings(rbl_crack_breaking *b, const plane_uses *uses)
{
	rbl_crack_field *field = b->field;
	rbl_crack_fragment *first = field->fragments.data + b->first_part;
	int parts = b->def->part_count;
	const rbl_crack_fragment *whole = &field->fragments.data[b->def->fragment];
	int64_t total = (int64_t)parts * whole->facing_count + uses->count;
	if (!rbl_array_extend(&field->allocator, &field->facings, total))
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < uses->count; ++i)
		first[uses->uses[i].part].facing_count++;
	int *list = field->facings.data, place = b->first_facing;
	for (int i = 0; i < parts; ++i) {
		int count = whole->facing_count + first[i].facing_count;
		first[i].first_facing = place;
		first[i].facing_count = whole->facing_count;
		for (int k = 0; k < whole->facing_count; ++k)
			list[place + k] = list[whole->first_facing + k];
		place += count;
	}
	for (int i = 0; i < uses->count; ++i) {
		rbl_crack_fragment *part = &first[uses->uses[i].part];
		list[part->first_facing + part->facing_count++] = uses->uses[i].facing;
	}
	field->facings.count = place;
	return RBL_OK;
}

// Nodes of a part as rows, with what they have.
typedef struct node_rows {
	float *rows, *depths;
	int32_t *witnesses;
	int stride, count;
	const int *nodes;
} node_rows;

static node_rows rows_of_part(const rbl_crack_breaking *b, int part)
{
	float *memory = b->rows;
	const rbl_crack_field *field = b->field;
	int begin = b->part_starts[part], count = b->part_starts[part + 1] - begin;
	node_rows r = { .rows = memory, .stride = (count + 7) / 8 * 8, .count = count };
	r.nodes = b->nodes + begin;
	r.depths = memory + 3 * (size_t)r.stride;
	r.witnesses = (int32_t *)(void *)(r.depths + r.stride);
	for (int i = 0; i < r.stride; ++i) {
		int node = r.nodes[rbl_mini(i, count - 1)];
		r.rows[i] = field->nodes[node].x;
		r.rows[r.stride + i] = field->nodes[node].y;
		r.rows[2 * r.stride + i] = field->nodes[node].z;
		r.depths[i] = field->crack_depths[node];
		r.witnesses[i] = field->crack_witnesses[node];
	}
	return r;
}

// Whether all nodes of all parts lie behind the planes that are said to bound them.
static rbl_result check_cell_planes(const rbl_crack_breaking *b)
{
	const rbl_crack_field *field = b->field;
	const rbl_crack_fragment *whole = &field->fragments.data[b->def->fragment];
	for (int i = 0; i < b->def->part_count; ++i) {
		const rbl_crack_fragment *part = &field->fragments.data[b->first_part + i];
		node_rows r = rows_of_part(b, i);
		for (int k = whole->facing_count; k < part->facing_count && r.count > 0; ++k) {
			int facing = field->facings.data[part->first_facing + k];
			float reach =
				RBL_PICK(rbl_crack_reach)(r.rows, r.stride, rbl_crack_facing_plane(field, facing));
			if (reach > 1e-3f * field->mean_edge)
				return rbl_fail(RBL_BAD_ARGUMENT,
				                "has_cell_planes is set, and part %d reaches %g beyond plane %d", i,
				                (double)reach, facing / 2 - b->first_plane);
		}
	}
	return RBL_OK;
}

void rbl_crack_lower_by_planes(const rbl_crack_breaking *b)
{
	rbl_crack_field *field = b->field;
	const rbl_crack_fragment *whole = &field->fragments.data[b->def->fragment];
	for (int i = 0; i < b->def->part_count; ++i) {
		const rbl_crack_fragment *part = &field->fragments.data[b->first_part + i];
		node_rows r = rows_of_part(b, i);
		for (int k = whole->facing_count; k < part->facing_count; ++k) {
			int facing = field->facings.data[part->first_facing + k];
			RBL_PICK(rbl_crack_lower)
			(r.rows, r.stride, rbl_crack_facing_plane(field, facing), facing, r.depths,
			 r.witnesses);
		}
		for (int k = 0; k < r.count; ++k) {
			int node = r.nodes[k];
			field->crack_depths[node] = r.depths[k];
			field->crack_witnesses[node] = r.witnesses[k];
			field->depths[node] = rbl_minf(r.depths[k], field->surface_depths[node]);
		}
	}
}

rbl_result rbl_crack_prepare_planes(rbl_crack_breaking *b)
{
	plane_uses uses = { 0 };
	size_t most = (size_t)b->part_starts[b->def->part_count] + 8;
	b->rows = RBL_ARENA_NEW(&b->field->arena, float, 5 * most);
	rbl_result result = b->rows ? find_uses(b, &uses) : RBL_OUT_OF_MEMORY;
	result = result == RBL_OK ? list_facings(b, &uses) : result;
	return result == RBL_OK ? check_cell_planes(b) : result;
}
