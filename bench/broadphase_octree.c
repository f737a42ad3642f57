// SPDX-License-Identifier: MIT
//
// A baseline written for the suite: the loose octree that the paper compares with.
//
// A box lives in the node that holds its centre, on the level whose cells are as large as the box
// or larger; a node reaches half a cell further on every side than its cell, so it holds what lives
// in it. A box that moves is taken out and put in again only when its node changes. Every step
// every moving box is looked up from the root; of two moving boxes the smaller id finds the pair.

#include "broadphase_baseline.h"

#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 10, NOTHING = -1 };

typedef struct octree_node {
	int children[8];
	int parent;
	int first;      // box that lives here; the others follow in `next`
	int population; // boxes here and below
	rbl_vec3 centre;
	float half; // of the cell
	int depth;
} octree_node;

typedef struct octree {
	octree_node *nodes;
	int node_count, node_capacity;
	int *homes, *next, *previous; // by id
	baseline_pair *pairs;
	int pair_count, pair_capacity;
} octree;

static int add_node(octree *self, int parent, rbl_vec3 centre, float half)
{
	if (self->node_count == self->node_capacity) {
		self->node_capacity = self->node_capacity ? 2 * self->node_capacity : 256;
		self->nodes = realloc(self->nodes, (size_t)self->node_capacity * sizeof *self->nodes);
	}
	octree_node *node = &self->nodes[self->node_count];
	*node = (octree_node){
		.parent = parent,
		.first = NOTHING,
		.centre = centre,
		.half = half,
		.depth = parent == NOTHING ? 0 : self->nodes[parent].depth + 1,
	};
	memset(node->children, NOTHING, sizeof node->children);
	return self->node_count++;
}

static void *create(const stream *s)
{
	octree *self = calloc(1, sizeof *self);
	rbl_vec3 size = rbl_box_size(s->world);
	float half = 0.5f * rbl_maxf(size.x, rbl_maxf(size.y, size.z));
	add_node(self, NOTHING, rbl_box_centre(s->world), half);
	size_t bytes = (size_t)s->capacity * sizeof(int);
	self->homes = malloc(bytes);
	self->next = malloc(bytes);
	self->previous = malloc(bytes);
	memset(self->homes, NOTHING, bytes);
	return self;
}

static void destroy(void *pointer)
{
	octree *self = pointer;
	free(self->nodes);
	free(self->homes);
	free(self->next);
	free(self->previous);
	free(self->pairs);
	free(self);
}

// The node where a box belongs; made when it is missing.
static int home_of(octree *self, rbl_box box)
{
	rbl_vec3 size = rbl_box_size(box), at = rbl_box_centre(box);
	float largest = rbl_maxf(size.x, rbl_maxf(size.y, size.z));
	int index = 0;
	for (int depth = 0; depth < MAX_DEPTH; ++depth) {
		float half = 0.5f * self->nodes[index].half;
		if (2.0f * half < largest)
			break;
		rbl_vec3 c = self->nodes[index].centre;
		int octant = (at.x >= c.x) | (at.y >= c.y) << 1 | (at.z >= c.z) << 2;
		int child = self->nodes[index].children[octant];
		if (child == NOTHING) {
			rbl_vec3 centre = { c.x + (octant & 1 ? half : -half),
				                c.y + (octant & 2 ? half : -half),
				                c.z + (octant & 4 ? half : -half) };
			child = add_node(self, index, centre, half);
			self->nodes[index].children[octant] = child;
		}
		index = child;
	}
	return index;
}

static void count_up(octree *self, int node, int change)
{
	for (; node != NOTHING; node = self->nodes[node].parent)
		self->nodes[node].population += change;
}

static void unlink_box(octree *self, int id)
{
	int before = self->previous[id], after = self->next[id], home = self->homes[id];
	if (before == NOTHING)
		self->nodes[home].first = after;
	else
		self->next[before] = after;
	if (after != NOTHING)
		self->previous[after] = before;
	self->homes[id] = NOTHING;
	count_up(self, home, -1);
}

static void put(octree *self, int id, rbl_box box)
{
	int home = home_of(self, box);
	if (self->homes[id] == home)
		return;
	if (self->homes[id] != NOTHING)
		unlink_box(self, id);
	int first = self->nodes[home].first;
	self->homes[id] = home;
	self->previous[id] = NOTHING;
	self->next[id] = first;
	if (first != NOTHING)
		self->previous[first] = id;
	self->nodes[home].first = id;
	count_up(self, home, 1);
}

static void insert(void *pointer, const stream *s)
{
	octree *self = pointer;
	for (int i = 0; i < s->destroyed.count; ++i)
		unlink_box(self, s->destroyed.ids[i]);
	for (int i = 0; i < s->created.count; ++i)
		put(self, s->created.ids[i], s->boxes[s->created.ids[i]]);
	for (int i = 0; i < s->moved.count; ++i)
		put(self, s->moved.ids[i], s->boxes[s->moved.ids[i]]);
}

static void add_pair(octree *self, int a, int b)
{
	if (self->pair_count == self->pair_capacity) {
		self->pair_capacity = self->pair_capacity ? 2 * self->pair_capacity : 4096;
		self->pairs = realloc(self->pairs, (size_t)self->pair_capacity * sizeof *self->pairs);
	}
	self->pairs[self->pair_count++] = (baseline_pair){ a, b };
}

static bool reaches(const octree_node *node, rbl_box box)
{
	float reach = 2.0f * node->half; // half a cell further than the cell
	return box.lower.x <= node->centre.x + reach && box.upper.x >= node->centre.x - reach &&
	       box.lower.y <= node->centre.y + reach && box.upper.y >= node->centre.y - reach &&
	       box.lower.z <= node->centre.z + reach && box.upper.z >= node->centre.z - reach;
}

static void look_up(octree *self, const stream *s, int id)
{
	int stack[8 * MAX_DEPTH + 8], count = 0;
	rbl_box box = s->boxes[id];
	stack[count++] = 0;
	while (count > 0) {
		const octree_node *node = &self->nodes[stack[--count]];
		for (int other = node->first; other != NOTHING; other = self->next[other]) {
			if ((other > id || s->kinds[other] == STREAM_STATIC) &&
			    rbl_box_overlaps(box, s->boxes[other]))
				add_pair(self, id, other);
		}
		for (int k = 0; k < 8; ++k) {
			int child = node->children[k];
			if (child != NOTHING && self->nodes[child].population > 0 &&
			    reaches(&self->nodes[child], box))
				stack[count++] = child;
		}
	}
}

static void find(void *pointer, const stream *s)
{
	octree *self = pointer;
	self->pair_count = 0;
	for (int id = 0; id < s->id_count; ++id) {
		if (s->kinds[id] == STREAM_DYNAMIC)
			look_up(self, s, id);
	}
}

static void each(void *pointer, void (*visit)(void *context, int a, int b), void *context)
{
	const octree *self = pointer;
	for (int i = 0; i < self->pair_count; ++i)
		visit(context, self->pairs[i].a, self->pairs[i].b);
}

static int depth(void *pointer)
{
	const octree *self = pointer;
	int deepest = 0;
	for (int i = 0; i < self->node_count; ++i)
		deepest = rbl_maxi(deepest, self->nodes[i].population > 0 ? self->nodes[i].depth : 0);
	return deepest;
}

const baseline baseline_loose_octree = {
	.name = "loose-octree",
	.create = create,
	.destroy = destroy,
	.insert = insert,
	.find = find,
	.each = each,
	.depth = depth,
};
