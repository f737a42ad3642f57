// SPDX-License-Identifier: MIT
//
// Trees of joints: which joints are solved exactly, and in which order.
//
// One sweep over the joints of a chain moves a force along by one joint. A chain whose lowest link
// is a thousand times heavier than the others, or a cantilever of welded boxes, would need
// thousands of sweeps. But without loops it can be solved exactly in about the time of three
// (joint_tree_kernels.c).
//
// Bodies with one joint to another body that moves are taken away with it, again and again, until
// none are left: what is taken away are the trees, leaves first, and a joint that is in a loop
// stays. A tree ends at its last body, or at one that is in a loop. Joints to what stands are
// leaves, so a bridge between two abutments is a tree.
//
// The level of a joint is the longest way to a leaf below it. Joints of a level are solved eight at
// a time, of several small trees together: a batch, which is the work of one worker.
//
// A tree with several ends that stand may not fit between them: anchors are farther apart than
// links are long, or its ends fell asleep while joints were open. No motion closes such a gap, and
// rigid joints would pull with all that single precision has. So these are a little compliant.
//
// Not every tree needs it. While no body passes on the forces of more than a few times its own
// mass, and angles are not locked against the ground, sweeps with warm starting are as good: a
// ragdoll is not worth it.
//
// Without memory for them there are no trees in a step, and sweeps do what they can.

#include "solver/state.h"

#include "base/union_find.h"

enum { BATCH_JOINTS = 128 };

// A body between two branches of more than this many times its own mass makes its tree worth
// solving.
static const double most_carried = 4.0;

// Compliance of joints of a tree with several ends that stand: a ball of 1,000 times a link's mass
// between two posts stretches each joint by 0.8 mm.
static const float held_compliance = 0.01f;

// A joint of a tree.
typedef struct tree_link {
	int32_t joint;
	int32_t child, parent; // bodies; child 0: something that stands
	int32_t level;
	int32_t block;        // within its batch
	bool has_many_stands; // its tree has several ends that stand
} tree_link;

// A body, while trees are found.
typedef struct tree_body {
	int32_t degree; // joints to other active bodies that are left
	int32_t level;
	int32_t group;      // parent in the union-find of bodies
	int32_t node;       // in its batch
	int32_t last_block; // that has it as a parent
	int32_t tree_root;
	int32_t stand_count;  // joints to what stands, of it and of all below
	double own, below;    // masses: its own, of all below
	double first, second; // masses of its two heaviest branches
	bool is_queued, is_child, is_rigid;
} tree_body;

// The joints of a batch among all, in order.
typedef struct batch_range {
	int32_t first, end, block_count;
} batch_range;

struct rbl_solver_joint_trees {
	RBL_ARRAY(tree_body) body_scratch;
	RBL_ARRAY(batch_range) ranges;
	RBL_ARRAY(int32_t) queue;
	RBL_ARRAY(tree_link) links;
	RBL_ARRAY(rbl_sort_item64) items; // and scratch
	RBL_ARRAY(rbl_solver_joint_tree) batches;
	RBL_ARRAY(rbl_solver_tree_block) blocks;
	RBL_ARRAY(int32_t) bodies; // of nodes
	RBL_ARRAY(float) records;
};

enum { NODE_RECORDS = 5, RECORD_FLOATS = 8 };

void rbl_solver_free_joint_trees(rbl_solver *s)
{
	rbl_solver_joint_trees *t = s->joint_trees;
	if (!t)
		return;
	rbl_array_free(&s->allocator, &t->records);
	rbl_array_free(&s->allocator, &t->bodies);
	rbl_array_free(&s->allocator, &t->blocks);
	rbl_array_free(&s->allocator, &t->batches);
	rbl_array_free(&s->allocator, &t->items);
	rbl_array_free(&s->allocator, &t->links);
	rbl_array_free(&s->allocator, &t->ranges);
	rbl_array_free(&s->allocator, &t->queue);
	rbl_array_free(&s->allocator, &t->body_scratch);
	RBL_FREE(&s->allocator, t, 1);
	s->joint_trees = NULL;
}

// --- finding trees -------------------------------------------------------------------------------

// Bodies that are locked along axes are left to the blocks of joints.
static bool is_candidate(const rbl_solver *s, const rbl_solver_joint_state *j)
{
	uint32_t states = s->records.velocity[j->def.a].state | s->records.velocity[j->def.b].state;
	return !(states & RBL_SOLVER_LOCK_STATE) && (j->parts & RBL_SOLVER_JOINT_POINT) &&
	       !(j->parts & RBL_SOLVER_JOINT_SOFT_POINT);
}

static bool locks_angles(const rbl_solver_joint_state *j)
{
	return (j->parts & RBL_SOLVER_JOINT_ANGULAR) && !(j->parts & RBL_SOLVER_JOINT_SOFT);
}

static float mass_of(const rbl_solver *s, int body)
{
	float inverse = s->records.local_inverse_inertia[body].inverse_mass;
	return inverse > 0.0f ? 1.0f / inverse : 0.0f;
}

static void queue_leaf(rbl_solver_joint_trees *t, int body)
{
	tree_body *b = &t->body_scratch.data[body];
	if (b->degree != 1 || b->is_queued)
		return;
	b->is_queued = true;
	t->queue.data[t->queue.count++] = body;
}

// The only joint of a body that is left.
static int last_joint(const rbl_solver *s, int body)
{
	for (int link = s->cold[body].first_joint; link >= 0;
	     link = rbl_solver_joint_link(s, link)->next) {
		const rbl_solver_joint_state *j = &s->joints.data[link >> 1];
		if (j->activity == 3 && is_candidate(s, j) && !(j->parts & RBL_SOLVER_JOINT_IN_TREE))
			return link;
	}
	return -1;
}

static void add_link(rbl_solver_joint_trees *t, int joint, int child, int parent, int level)
{
	t->links.data[t->links.count++] = (tree_link){ joint, child, parent, level, 0, false };
	tree_body *b = &t->body_scratch.data[parent];
	b->level = rbl_maxi(b->level, level + 1);
}

// Take leaves away until none are left. Joints of trees are marked.
static void peel(rbl_solver *s, rbl_solver_joint_trees *t)
{
	for (int i = 0; i < s->joints.count; ++i) {
		const rbl_solver_joint_state *j = &s->joints.data[i];
		if (j->activity != 3 || !is_candidate(s, j))
			continue;
		t->body_scratch.data[j->def.a].degree++;
		t->body_scratch.data[j->def.b].degree++;
	}
	for (int i = 0; i < s->joints.count; ++i) {
		const rbl_solver_joint_state *j = &s->joints.data[i];
		if (!j->activity || !is_candidate(s, j))
			continue;
		if (j->activity == 3) {
			queue_leaf(t, j->def.a);
			queue_leaf(t, j->def.b);
		} else { // to something that stands
			tree_body *b = &t->body_scratch.data[j->activity == 1 ? j->def.a : j->def.b];
			b->level = rbl_maxi(b->level, 1);
		}
	}
	for (int i = 0; i < t->queue.count; ++i) {
		int child = t->queue.data[i], link = last_joint(s, child);
		if (link < 0)
			continue; // the joint went with the other body
		int joint = link >> 1, parent = rbl_solver_joint_body(s, joint, ~link & 1);
		s->joints.data[joint].parts |= RBL_SOLVER_JOINT_IN_TREE;
		t->body_scratch.data[child].degree = 0;
		t->body_scratch.data[parent].degree--;
		add_link(t, joint, child, parent, t->body_scratch.data[child].level);
		queue_leaf(t, parent);
	}
	for (int i = 0; i < s->joints.count; ++i) {
		rbl_solver_joint_state *j = &s->joints.data[i];
		if ((j->activity != 1 && j->activity != 2) || !is_candidate(s, j))
			continue;
		int body = j->activity == 1 ? j->def.a : j->def.b;
		if (t->body_scratch.data[body].degree > 0)
			continue; // it is in a loop
		j->parts |= RBL_SOLVER_JOINT_IN_TREE;
		add_link(t, i, 0, body, 0);
	}
}

// A branch of a body's tree: what hangs on one of its joints.
static void add_branch(tree_body *body, double mass)
{
	body->second = mass > body->first ? body->first : rbl_maxd(body->second, mass);
	body->first = rbl_maxd(body->first, mass);
}

static double branch_mass(int stand_count, double mass)
{
	return stand_count > 0 ? (double)INFINITY : mass;
}

// From the leaves up: what is below each body.
static void sum_branches(const rbl_solver *s, rbl_solver_joint_trees *t)
{
	for (int i = 0; i < t->links.count; ++i) {
		const tree_link *l = &t->links.data[i];
		tree_body *parent = &t->body_scratch.data[l->parent];
		parent->own = (double)mass_of(s, l->parent);
		if (l->child > 0) {
			t->body_scratch.data[l->child].own = (double)mass_of(s, l->child);
			t->body_scratch.data[l->child].is_child = true;
		}
		// A loop that it is in holds it.
		if (l->child == 0 || (parent->degree > 0 && parent->stand_count == 0)) {
			parent->stand_count++;
			add_branch(parent, (double)INFINITY);
		}
	}
	for (int i = 0; i < t->links.count; ++i) {
		const tree_link *l = &t->links.data[i];
		tree_body *parent = &t->body_scratch.data[l->parent];
		const tree_body *child = &t->body_scratch.data[l->child];
		if (l->child == 0)
			continue;
		double mass = child->below + child->own;
		parent->below += mass;
		parent->stand_count += child->stand_count;
		add_branch(parent, branch_mass(child->stand_count, mass));
	}
}

// Groups of bodies that trees connect, and whether they need it: a body passes on the force between
// its two heaviest branches, and what stands is heaviest.
static void find_groups(const rbl_solver *s, rbl_solver_joint_trees *t, int32_t *groups)
{
	rbl_union_find_init(groups, s->body_ids.slot_count);
	for (int i = 0; i < t->links.count; ++i)
		if (t->links.data[i].child > 0)
			rbl_union_find_join(groups, t->links.data[i].child, t->links.data[i].parent);
	sum_branches(s, t);
	for (int i = 0; i < t->links.count; ++i) {
		const tree_link *l = &t->links.data[i];
		if (!t->body_scratch.data[l->parent].is_child) // the root knows all of its tree
			t->body_scratch.data[rbl_union_find_root(groups, l->parent)].tree_root = l->parent;
	}
	for (int i = 0; i < t->links.count; ++i) {
		tree_link *l = &t->links.data[i];
		tree_body *group = &t->body_scratch.data[rbl_union_find_root(groups, l->parent)];
		const tree_body *root = &t->body_scratch.data[group->tree_root];
		l->has_many_stands = root->stand_count > 1;
		tree_body *child = &t->body_scratch.data[l->child];
		const rbl_solver_joint_state *j = &s->joints.data[l->joint];
		bool turns = j->parts & RBL_SOLVER_JOINT_TURNS;
		if (l->child > 0) // what is above it
			add_branch(child, branch_mass(root->stand_count - child->stand_count,
			                              root->below + root->own - child->below - child->own));
		if ((l->child > 0 && child->second > most_carried * child->own) ||
		    root->second > most_carried * root->own ||
		    (locks_angles(j) && (!turns || l->child == 0)))
			group->is_rigid = true;
	}
}

// --- batches -------------------------------------------------------------------------------------

// Sort the joints of trees that need it by tree and level; the others are not marked any more.
static int sort_links(rbl_solver *s, rbl_solver_joint_trees *t, int32_t *groups)
{
	int count = 0;
	for (int i = 0; i < t->links.count; ++i) {
		const tree_link *l = &t->links.data[i];
		int group = rbl_union_find_root(groups, l->parent);
		if (!t->body_scratch.data[group].is_rigid) {
			s->joints.data[l->joint].parts &= ~RBL_SOLVER_JOINT_IN_TREE;
			continue;
		}
		t->items.data[count++] =
			(rbl_sort_item64){ (uint64_t)group << 32 | (uint32_t)l->level, (uint32_t)i, 0 };
	}
	rbl_sort64(t->items.data, t->items.data + t->links.count, count);
	return count;
}

// Sort what is a batch now by level alone. @return the end of the batch that begins at `first`
static int end_batch(rbl_solver_joint_trees *t, int first, int count)
{
	rbl_sort_item64 *items = t->items.data;
	int end = first;
	while (end < count &&
	       (end - first < BATCH_JOINTS || items[end].key >> 32 == items[end - 1].key >> 32))
		end++;
	for (int i = first; i < end; ++i)
		items[i].key &= 0xffffffffu;
	rbl_sort64(items + first, items + t->links.count, end - first);
	return end;
}

static int add_node(rbl_solver_joint_trees *t, int first_node, int body)
{
	tree_body *b = &t->body_scratch.data[body];
	if (b->node == 0) {
		b->node = t->bodies.count - first_node;
		t->bodies.data[t->bodies.count++] = body;
	}
	return b->node;
}

// Give the joints of a batch their blocks: of one level, and no two with the same parent.
// @return blocks
static int place_links(rbl_solver_joint_trees *t, int first, int end, int32_t *counts)
{
	const rbl_sort_item64 *items = t->items.data;
	int block_count = 0, first_open = 0;
	for (int i = first; i < end; ++i) {
		tree_link *l = &t->links.data[items[i].value];
		tree_body *parent = &t->body_scratch.data[l->parent];
		if (i > first && items[i].key != items[i - 1].key)
			first_open = block_count;
		while (first_open < block_count && counts[first_open] == RBL_SOLVER_LANES)
			first_open++;
		int block = rbl_maxi(first_open, parent->last_block + 1);
		while (block < block_count && counts[block] == RBL_SOLVER_LANES)
			block++;
		if (block == block_count)
			counts[block_count++] = 0;
		counts[block]++;
		l->block = parent->last_block = block;
	}
	return block_count;
}

static void clear_tree_block(rbl_solver_tree_block *block, int level)
{
	memset(block, 0, sizeof *block);
	block->level = level;
	for (int i = 0; i < RBL_SOLVER_LANES; ++i) {
		block->slot[i] = -1;
		block->initial_frame_a[3 * RBL_SOLVER_LANES + i] = 1.0f;
		block->initial_frame_b[3 * RBL_SOLVER_LANES + i] = 1.0f;
	}
}

static void fill_tree_lane(rbl_solver_tree_block *block, int lane, const tree_link *l,
                           const rbl_solver_joint_state *j, int child, int parent)
{
	bool child_is_b = j->def.a == l->parent;
	bool slides = j->parts & RBL_SOLVER_JOINT_SLIDES, turns = j->parts & RBL_SOLVER_JOINT_TURNS;
	block->a[lane] = j->def.a;
	block->b[lane] = j->def.b;
	block->child_body[lane] = child_is_b ? j->def.b : j->def.a;
	block->parent_body[lane] = l->parent;
	block->child[lane] = child;
	block->parent[lane] = parent;
	block->sign[lane] = child_is_b ? 1.0f : -1.0f;
	block->locks_y[lane] = slides && turns ? 0.0f : 1.0f;
	block->locks_z[lane] = slides && !turns ? 0.0f : 1.0f;
	block->locks_angles[lane] = locks_angles(j) ? 1.0f : 0.0f;
	block->locks_twist[lane] = locks_angles(j) && !turns ? 1.0f : 0.0f;
	block->slides[lane] = slides ? 1.0f : 0.0f;
	block->compliance[lane] = l->has_many_stands ? held_compliance : 0.0f;
	block->has_angles |= locks_angles(j) || slides;
}

// Fill the blocks of a batch; its nodes are numbered on the way.
static void fill_batch(const rbl_solver *s, rbl_solver_joint_trees *t, const batch_range *range)
{
	int block_count = range->block_count;
	int first_node = t->bodies.count, first_block = t->blocks.count;
	t->bodies.data[t->bodies.count++] = 0;
	t->blocks.count += block_count;
	int32_t *lanes = t->queue.data; // free by now
	memset(lanes, 0, (size_t)block_count * sizeof *lanes);
	for (int i = range->first; i < range->end; ++i) {
		const tree_link *l = &t->links.data[t->items.data[i].value];
		rbl_solver_tree_block *block = &t->blocks.data[first_block + l->block];
		int lane = lanes[l->block]++;
		if (lane == 0)
			clear_tree_block(block, l->level);
		int parent = add_node(t, first_node, l->parent);
		int child = l->child > 0 ? add_node(t, first_node, l->child) : 0;
		fill_tree_lane(block, lane, l, &s->joints.data[l->joint], child, parent);
		block->slot[lane] = l->joint; // until lanes are known
	}
	while ((t->bodies.count - first_node) % RBL_SOLVER_LANES != 0)
		t->bodies.data[t->bodies.count++] = 0;
	t->batches.data[t->batches.count++] =
		(rbl_solver_joint_tree){ .block_count = block_count,
		                         .node_count = t->bodies.count - first_node };
}

// Arrays have their place only now.
static void set_pointers(rbl_solver_joint_trees *t)
{
	int first_block = 0, first_node = 0;
	for (int i = 0; i < t->batches.count; ++i) {
		rbl_solver_joint_tree *batch = &t->batches.data[i];
		batch->blocks = t->blocks.data + first_block;
		batch->bodies = t->bodies.data + first_node;
		float *records = t->records.data + (size_t)first_node * NODE_RECORDS * RECORD_FLOATS;
		size_t size = (size_t)batch->node_count * RECORD_FLOATS;
		for (int k = 0; k < 3; ++k)
			batch->response[k] = records + (size_t)k * size;
		batch->change = records + 3 * size;
		batch->impulse = records + 4 * size;
		first_block += batch->block_count;
		first_node += batch->node_count;
	}
}

static bool reserve_search(rbl_solver *s, rbl_solver_joint_trees *t)
{
	int bodies = s->body_ids.slot_count, joints = s->joints.count;
	t->links.count = t->queue.count = t->ranges.count = 0;
	if (!rbl_array_reserve(&s->allocator, &t->ranges, joints / BATCH_JOINTS + 1) ||
	    !rbl_array_resize(&s->allocator, &t->body_scratch, bodies) ||
	    !rbl_array_reserve(&s->allocator, &t->queue, rbl_maxi(bodies, joints)) ||
	    !rbl_array_reserve(&s->allocator, &t->links, joints) ||
	    !rbl_array_reserve(&s->allocator, &t->items, 2 * (int64_t)joints))
		return false;
	for (int i = 0; i < bodies; ++i)
		t->body_scratch.data[i] = (tree_body){ .last_block = -1 };
	return true;
}

// Room for `count` joints in batches, one block each at worst.
static bool reserve_batches(rbl_solver *s, rbl_solver_joint_trees *t, int count, int block_count)
{
	int batches = count / BATCH_JOINTS + 1, nodes = 2 * count + 16 * batches;
	t->batches.count = t->blocks.count = t->bodies.count = 0;
	return rbl_array_reserve(&s->allocator, &t->batches, batches) &&
	       rbl_array_reserve(&s->allocator, &t->blocks, block_count) &&
	       rbl_array_reserve(&s->allocator, &t->bodies, nodes) &&
	       rbl_array_reserve(&s->allocator, &t->records,
	                         (int64_t)nodes * NODE_RECORDS * RECORD_FLOATS);
}

static bool build_trees(rbl_solver *s, rbl_solver_joint_trees *t)
{
	if (!reserve_search(s, t))
		return false;
	peel(s, t);
	int32_t *groups = s->queue; // scratch, by body
	find_groups(s, t, groups);
	int count = sort_links(s, t, groups), block_count = 0;
	for (int first = 0; first < count;) {
		int end = end_batch(t, first, count);
		int blocks = place_links(t, first, end, t->queue.data);
		t->ranges.data[t->ranges.count++] = (batch_range){ first, end, blocks };
		block_count += blocks;
		first = end;
	}
	if (!reserve_batches(s, t, count, block_count))
		return false;
	for (int i = 0; i < t->ranges.count; ++i)
		fill_batch(s, t, &t->ranges.data[i]);
	set_pointers(t);
	return true;
}

bool rbl_solver_find_joint_trees(rbl_solver *s)
{
	if (!s->joint_trees)
		s->joint_trees = RBL_NEW_ZERO(&s->allocator, rbl_solver_joint_trees, 1);
	if (s->joint_trees && build_trees(s, s->joint_trees))
		return true;
	if (s->joint_trees)
		s->joint_trees->batches.count = 0;
	for (int i = 0; i < s->joints.count; ++i)
		s->joints.data[i].parts &= ~RBL_SOLVER_JOINT_IN_TREE;
	return false;
}

void rbl_solver_bind_joint_trees(rbl_solver *s)
{
	rbl_solver_joint_trees *t = s->joint_trees;
	for (int i = 0; t && t->batches.count > 0 && i < t->blocks.count; ++i)
		for (int lane = 0; lane < RBL_SOLVER_LANES; ++lane) {
			int32_t *slot = &t->blocks.data[i].slot[lane];
			*slot = *slot < 0 ? -1 : s->joints.data[*slot].slot;
		}
}

// --- the step ------------------------------------------------------------------------------------

// Batches on all workers.
typedef struct tree_work {
	rbl_solver *s;
	const rbl_solver_step_context *step;
	bool is_soft;
} tree_work;

static void copy_rows(float *to, int to_lane, const float *from, int from_lane, int rows)
{
	for (int i = 0; i < rows; ++i)
		to[i * RBL_SOLVER_LANES + to_lane] = from[i * RBL_SOLVER_LANES + from_lane];
}

static void add_lane(float *to, int to_lane, const float *from, int from_lane, int rows)
{
	for (int i = 0; i < rows; ++i)
		to[i * RBL_SOLVER_LANES + to_lane] += from[i * RBL_SOLVER_LANES + from_lane];
}

static rbl_solver_joint_extra *extra_of_slot(const rbl_solver *s, int slot)
{
	int index = s->joint_blocks.cold[slot / RBL_SOLVER_LANES].extra;
	return index < 0 ? NULL : &s->joint_blocks.extra[index];
}

// Where joints are, and their impulses, from their own blocks.
static void fetch_joints(const rbl_solver *s, rbl_solver_tree_block *block)
{
	memset(block->force, 0, sizeof block->force);
	memset(block->torque, 0, sizeof block->torque);
	for (int lane = 0; lane < RBL_SOLVER_LANES; ++lane) {
		int slot = block->slot[lane], from = slot % RBL_SOLVER_LANES;
		if (slot < 0)
			continue;
		const rbl_solver_joint_block *own = &s->joint_blocks.blocks[slot / RBL_SOLVER_LANES];
		copy_rows(block->initial_arm_a, lane, own->initial_arm_a, from, 3);
		copy_rows(block->initial_arm_b, lane, own->initial_arm_b, from, 3);
		copy_rows(block->initial_offset, lane, own->initial_offset, from, 3);
		copy_rows(block->bias_rate, lane, own->softness, from, 1);
		copy_rows(block->impulse, lane, own->impulse, from, 3);
		const rbl_solver_joint_extra *extra = extra_of_slot(s, slot);
		if (!extra)
			continue;
		copy_rows(block->initial_frame_a, lane, extra->initial_frame_a, from, 4);
		copy_rows(block->initial_frame_b, lane, extra->initial_frame_b, from, 4);
		copy_rows(block->angular_impulse, lane, extra->angular_impulse, from, 3);
	}
}

// --- geometric stiffness -------------------------------------------------------------------------

// A light link that a great force pulls at both ends swings about its own middle as a string does:
// the force turns it back with a stiffness of force times arm. Where that is too much for the
// sub-steps, the swing would grow. Then such a body gets as much more inertia as makes it swing
// slowly enough (Andrews, Teichmann and Kry, "Geometric stiffness for real-time constrained
// multibody dynamics", 2017): it turns a little late, which nobody sees, and nothing else changes.
//
// Swings are slow enough while stiffness times the square of the sub-step is below this share of
// the inertia.
static const float most_stiffness = 0.1f;

// Add the stiffness of a force at an arm, times the square of the sub-step: six of a symmetric
// matrix.
static void add_stiffness(float *sum, float h_impulse, const float *arm, int lane)
{
	rbl_vec3 r = { arm[lane], arm[RBL_SOLVER_LANES + lane], arm[2 * RBL_SOLVER_LANES + lane] };
	float length = rbl_length(r);
	if (!(length > 0.0f))
		return;
	float scale = h_impulse * length, x = r.x / length, y = r.y / length, z = r.z / length;
	sum[0] += scale * (1.0f - x * x);
	sum[1] += scale * (1.0f - y * y);
	sum[2] += scale * (1.0f - z * z);
	sum[3] -= scale * x * y;
	sum[4] -= scale * x * z;
	sum[5] -= scale * y * z;
}

static void stiffen_body(rbl_solver *s, int body, const float *sum)
{
	rbl_solver_inertia *record = &s->records.inverse_inertia[body];
	rbl_mat3 inertia = rbl_mat_inverse(rbl_solver_tensor(record));
	float trace = inertia.x.x + inertia.y.y + inertia.z.z, stiffness = sum[0] + sum[1] + sum[2];
	if (!(trace > 0.0f) || !(stiffness > most_stiffness * trace))
		return;
	float excess = 1.0f - most_stiffness * trace / stiffness;
	rbl_mat3 added = { { sum[0], sum[3], sum[4] },
		               { sum[3], sum[1], sum[5] },
		               { sum[4], sum[5], sum[2] } };
	rbl_mat3 inverse = rbl_mat_inverse(rbl_mat_add(inertia, rbl_mat_scale(excess, added)));
	record->diagonal = (rbl_vec3){ inverse.x.x, inverse.y.y, inverse.z.z };
	record->off_diagonal = (rbl_vec3){ inverse.x.y, inverse.x.z, inverse.y.z };
}

static void stiffen_batch(rbl_solver *s, const rbl_solver_joint_tree *batch, float h)
{
	float *sums = batch->change; // scratch until a sub-step begins
	memset(sums, 0, (size_t)batch->node_count * RECORD_FLOATS * sizeof *sums);
	for (int i = 0; i < batch->block_count; ++i) {
		const rbl_solver_tree_block *block = &batch->blocks[i];
		for (int lane = 0; lane < RBL_SOLVER_LANES; ++lane) {
			if (block->slot[lane] < 0)
				continue;
			bool child_is_b = block->sign[lane] > 0.0f;
			int a = child_is_b ? block->parent[lane] : block->child[lane];
			int b = child_is_b ? block->child[lane] : block->parent[lane];
			rbl_vec3 impulse = { block->impulse[lane], block->impulse[RBL_SOLVER_LANES + lane],
				                 block->impulse[2 * RBL_SOLVER_LANES + lane] };
			float h_impulse = h * rbl_length(impulse);
			if (a > 0)
				add_stiffness(sums + RECORD_FLOATS * a, h_impulse, block->initial_arm_a, lane);
			if (b > 0)
				add_stiffness(sums + RECORD_FLOATS * b, h_impulse, block->initial_arm_b, lane);
		}
	}
	for (int i = 1; i < batch->node_count; ++i)
		if (batch->bodies[i] > 0)
			stiffen_body(s, batch->bodies[i], sums + RECORD_FLOATS * i);
}

// --- running -------------------------------------------------------------------------------------

static void return_impulses(const rbl_solver *s, const rbl_solver_tree_block *block)
{
	for (int lane = 0; lane < RBL_SOLVER_LANES; ++lane) {
		int slot = block->slot[lane], to = slot % RBL_SOLVER_LANES;
		if (slot < 0)
			continue;
		rbl_solver_joint_block *own = &s->joint_blocks.blocks[slot / RBL_SOLVER_LANES];
		copy_rows(own->impulse, to, block->impulse, lane, 3);
		add_lane(own->force, to, block->force, lane, 3);
		rbl_solver_joint_extra *extra = extra_of_slot(s, slot);
		if (!extra || block->locks_angles[lane] == 0.0f)
			continue;
		copy_rows(extra->angular_impulse, to, block->angular_impulse, lane, 3);
		add_lane(extra->torque, to, block->torque, lane, 3);
	}
}

static void solve_batches(void *context, int begin, int end, int worker)
{
	(void)worker;
	const tree_work *work = context;
	for (int i = begin; i < end; ++i)
		RBL_PICK(rbl_solver_solve_joint_tree)
	(&work->s->joint_trees->batches.data[i], work->step, work->is_soft);
}

static bool has_trees(const rbl_solver *s)
{
	return s->joint_trees && s->joint_trees->batches.count > 0;
}

void rbl_solver_prepare_joint_trees(rbl_solver *s, const rbl_solver_step_context *step)
{
	if (!has_trees(s))
		return;
	for (int i = 0; i < s->joint_trees->blocks.count; ++i)
		fetch_joints(s, &s->joint_trees->blocks.data[i]);
	for (int i = 0; i < s->joint_trees->batches.count; ++i)
		stiffen_batch(s, &s->joint_trees->batches.data[i], step->h);
}

void rbl_solver_solve_joint_trees(rbl_solver *s, const rbl_solver_step_context *step, bool is_soft)
{
	if (!has_trees(s))
		return;
	tree_work work = { s, step, is_soft };
	int count = s->joint_trees->batches.count;
	if (count == 1)
		solve_batches(&work, 0, 1, 0);
	else
		rbl_worker_group_for(s->workers, count, 1, solve_batches, &work);
}

void rbl_solver_finish_joint_trees(rbl_solver *s)
{
	for (int i = 0; has_trees(s) && i < s->joint_trees->blocks.count; ++i)
		return_impulses(s, &s->joint_trees->blocks.data[i]);
}
