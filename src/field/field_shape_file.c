// SPDX-License-Identifier: MIT
//
// Shapes as bytes: their field, when it is that of a mesh or fragment, and their points, tree and
// all. A shape
// that is read back answers the same, bit for bit.

#include "field/field.h"

#include "field/fragment_field.h"

enum { NO_FIELD, OF_MESH, OF_FRAGMENT };

bool rbl_field_shape_can_be_put(const rbl_field_shape *shape)
{
	return !shape->field || rbl_as_asset_field(shape->field) || rbl_as_fragment_field(shape->field);
}

void rbl_field_shape_put(rbl_blob_writer *w, const rbl_field_shape *shape)
{
	const rbl_sphere_tree *tree = &shape->tree;
	size_t count = (size_t)tree->count;
	int kind = !shape->field ? NO_FIELD : rbl_as_asset_field(shape->field) ? OF_MESH : OF_FRAGMENT;
	rbl_blob_put32(w, (uint32_t)kind);
	if (kind == OF_MESH)
		rbl_distance_field_put(w, shape->field);
	else if (kind == OF_FRAGMENT)
		rbl_fragment_field_put(w, shape->field);
	rbl_blob_put_padding(w); // samples and bounds of a field are shorter than words
	rbl_blob_put32(w, (uint32_t)tree->count);
	if (count == 0)
		return;
	rbl_blob_put32(w, (uint32_t)tree->exact_count);
	rbl_blob_put_words(w, tree->positions, 3 * count);
	rbl_blob_put_words(w, tree->ids, count);
	rbl_blob_put_words(w, tree->child_starts, count + 1);
	rbl_blob_put_words(w, tree->children, count - 1);
	rbl_blob_put_words(w, tree->radii, count - 1);
}

// Every rank but the first is the child of one before it, once, and none of them is out of order.
static bool is_tree_right(const rbl_sphere_tree *tree)
{
	int count = tree->count;
	if (tree->child_starts[0] != 0 || tree->child_starts[count] != count - 1)
		return false;
	for (int rank = 0; rank < count; ++rank) {
		int first = tree->child_starts[rank], end = tree->child_starts[rank + 1];
		if (first > end || end > count - 1)
			return false;
		for (int i = first, before = rank; i < end; before = tree->children[i++])
			if (tree->children[i] <= before || tree->children[i] >= count ||
			    !(tree->radii[i] >= 0.0f))
				return false;
	}
	bool is_right = rbl_floats_are_finite(tree->radii, (size_t)count - 1);
	for (int i = 0; i < count && is_right; ++i) {
		rbl_vec3 p = tree->positions[i];
		is_right = tree->ids[i] < RBL_FIELD_POINT_ID_END &&
		           fabsf(p.x) <= RBL_MAX_FIELD_COORDINATE &&
		           fabsf(p.y) <= RBL_MAX_FIELD_COORDINATE && fabsf(p.z) <= RBL_MAX_FIELD_COORDINATE;
	}
	return is_right;
}

static void get_tree(rbl_blob_reader *r, rbl_field_shape *shape)
{
	rbl_sphere_tree *tree = &shape->tree;
	int n = rbl_blob_get_count(r, 20);
	if (r->is_bad || n == 0)
		return;
	int exact_count = rbl_blob_get_int(r, 0, n);
	if (!rbl_blob_expect(r, n <= RBL_MAX_FIELD_POINTS, "a shape has too many points"))
		return;
	if (!rbl_sphere_tree_reserve(tree, &shape->allocator, n)) {
		r->out_of_memory = r->is_bad = true;
		return;
	}
	size_t count = (size_t)n;
	tree->exact_count = exact_count;
	rbl_blob_get_words(r, tree->positions, 3 * count);
	rbl_blob_get_words(r, tree->ids, count);
	rbl_blob_get_words(r, tree->child_starts, count + 1);
	rbl_blob_get_words(r, tree->children, count - 1);
	rbl_blob_get_words(r, tree->radii, count - 1);
	if (!r->is_bad && rbl_blob_expect(r, is_tree_right(tree), "points of a shape are wrong"))
		for (int i = 0; i < n; ++i)
			tree->bounds = rbl_box_add_point(tree->bounds, tree->positions[i]);
}

bool rbl_field_shape_get(rbl_blob_reader *r, const rbl_allocator *allocator,
                         const rbl_distance_field *original, rbl_distance_field **field,
                         rbl_field_shape **shape)
{
	*field = NULL;
	*shape = NULL;
	rbl_allocator own = rbl_allocator_or_default(allocator);
	rbl_field_shape *made = RBL_NEW(&own, rbl_field_shape, 1);
	if (!made) {
		r->out_of_memory = r->is_bad = true;
		return false;
	}
	*made = (rbl_field_shape){ .allocator = own };
	int kind = rbl_blob_get_int(r, NO_FIELD, OF_FRAGMENT);
	if (kind == OF_MESH)
		rbl_distance_field_get(r, allocator, field);
	else if (kind == OF_FRAGMENT)
		rbl_fragment_field_get(r, allocator, original, field);
	made->field = *field;
	rbl_blob_get_padding(r);
	if (!r->is_bad)
		get_tree(r, made);
	if (!r->is_bad) {
		*shape = made;
		return true;
	}
	rbl_destroy_field_shape(made);
	rbl_destroy_distance_field(*field);
	*field = NULL;
	return false;
}
