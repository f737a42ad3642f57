// SPDX-License-Identifier: MIT
//
// Instantaneous fracture: trees of all pieces at once, each by the cheaper of two ways.
//
// Extraction keeps what lies wholly in a piece, and builds the piece's new leaves into a tree that
// is joined on; then the top of the piece is put together anew from its largest sub-trees. A
// rebuild collects all leaves of a piece. Which one is cheaper follows from counts and from
// constants of the machine, which are numbers in the input: the choice never depends on a clock.
// One pass takes the old tree apart for both.

#include "tree/build.h"
#include "tree/split.h"

enum { TOP_ITEMS = 128 };

rbl_tree_costs rbl_tree_default_costs(void)
{
	return (rbl_tree_costs){ .keep_leaf = 15.0f,
		                     .cut_leaf = 0.0f,
		                     .add_leaf = 33.0f,
		                     .extract_piece = 38000.0f,
		                     .gather_leaf = 7.0f,
		                     .build_leaf = 30.0f,
		                     .build_piece = 2600.0f };
}

typedef struct breaker {
	const rbl_tree_fracture_input *input;
	int *kept;        // leaves of the old tree, by piece
	int *added;       // new leaves, by piece
	int *places;      // by piece: where its next leaf goes, or -1 when it is extracted
	int *starts;      // by piece: its first place, piece_count + 1
	uint32_t *leaves; // of rebuilt pieces, then of extracted ones: what is to be built
	rbl_box *boxes;
	rbl_splitter splitter;
	rbl_morton_scratch *morton;
	uint32_t *slots;
} breaker;

// Extraction saves building the kept leaves; it pays for joins along the border. The new leaves of
// a piece stand for the length of its border: cut triangles lie along it.
static bool should_rebuild(const breaker *b, int piece)
{
	if (b->input->method != RBL_TREE_BY_POLICY)
		return b->input->method == RBL_TREE_BY_REBUILD;
	rbl_tree_costs costs = b->input->costs ? *b->input->costs : rbl_tree_default_costs();
	float kept = (float)b->kept[piece], added = (float)b->added[piece];
	float border = added < kept ? added : kept;
	float extract = kept * costs.keep_leaf + border * costs.cut_leaf + added * costs.add_leaf +
	                costs.extract_piece;
	float rebuild =
		kept * costs.gather_leaf + (kept + added) * costs.build_leaf + costs.build_piece;
	return rebuild <= extract;
}

static void count_kept(const rbl_tree *tree, const int *labels, int *kept)
{
	uint32_t stack[RBL_TREE_MAX_HEIGHT + 2];
	int top = 0;
	if (tree->root != RBL_TREE_NONE)
		stack[top++] = tree->root;
	while (top > 0) {
		uint32_t reference = stack[--top];
		if (rbl_tree_is_leaf(reference)) {
			int label = labels[rbl_tree_leaf_id(reference)];
			if (label >= 0)
				kept[label]++;
			continue;
		}
		const rbl_tree_node *node = &tree->pool->nodes[reference];
		stack[top++] = node->children[1];
		stack[top++] = node->children[0];
	}
}

static bool prepare(breaker *b, rbl_tree *tree)
{
	rbl_arena *arena = &tree->pool->scratch;
	const rbl_tree_fracture_input *input = b->input;
	size_t pieces = (size_t)input->piece_count,
		   capacity = rbl_split_capacity(tree, input->piece_count);
	size_t leaves = (size_t)tree->leaf_count + (size_t)input->new_count;
	b->kept = RBL_ARENA_NEW(arena, int, pieces);
	b->added = RBL_ARENA_NEW(arena, int, pieces);
	b->places = RBL_ARENA_NEW(arena, int, pieces);
	b->starts = RBL_ARENA_NEW(arena, int, pieces + 1);
	b->leaves = RBL_ARENA_NEW(arena, uint32_t, leaves);
	b->boxes = RBL_ARENA_NEW(arena, rbl_box, leaves);
	b->splitter = (rbl_splitter){ .tree = tree,
		                          .labels = input->labels,
		                          .piece_count = input->piece_count,
		                          .entries = RBL_ARENA_NEW(arena, rbl_split_entry, capacity),
		                          .merged = RBL_ARENA_NEW(arena, rbl_split_entry, capacity) };
	if (!b->kept || !b->added || !b->places || !b->starts || !b->leaves || !b->boxes ||
	    !b->splitter.entries || !b->splitter.merged)
		return false;
	memset(b->kept, 0, pieces * sizeof *b->kept);
	memset(b->added, 0, pieces * sizeof *b->added);
	return true;
}

// Decide each piece, and give it space for the leaves it has to build.
static void plan(breaker *b, rbl_tree_fracture_report *report)
{
	int sum = 0;
	for (int i = 0; i < b->input->piece_count; ++i) {
		bool rebuild = should_rebuild(b, i);
		b->starts[i] = sum;
		b->places[i] = rebuild ? sum : -1;
		sum += b->added[i] + (rebuild ? b->kept[i] : 0);
		report->rebuilt += rebuild;
		report->extracted += !rebuild;
	}
	b->starts[b->input->piece_count] = sum;
}

// What mends the tops of extracted pieces, with all the memory that it will need: two builds, since
// an arena settles at its second use.
static bool prepare_tops(rbl_tree_pool *pool)
{
	if (pool->tops)
		return true;
	rbl_tree_rebuilder *tops = RBL_NEW(&pool->allocator, rbl_tree_rebuilder, 1);
	if (!tops)
		return false;
	rbl_tree_rebuilder_init(tops, &pool->allocator);
	rbl_box boxes[TOP_ITEMS];
	for (int i = 0; i < TOP_ITEMS; ++i)
		boxes[i] = (rbl_box){ { (float)i, 0.0f, 0.0f }, { (float)i, 0.0f, 0.0f } };
	rbl_tree_build_input input = { .builder = tops->builder, .count = TOP_ITEMS, .boxes = boxes };
	bool ready = rbl_array_reserve(&pool->allocator, &tops->boxes, TOP_ITEMS) &&
	             rbl_array_reserve(&pool->allocator, &tops->items, TOP_ITEMS) &&
	             rbl_array_reserve(&pool->allocator, &tops->spares, TOP_ITEMS);
	for (int i = 0; i < 3 && ready; ++i) {
		rbl_tree made = rbl_tree_make(&tops->scratch);
		ready = rbl_tree_build(&made, &input) == RBL_OK;
		rbl_tree_clear(&made);
	}
	if (!ready) {
		rbl_tree_rebuilder_destroy(tops);
		RBL_FREE(&pool->allocator, tops, 1);
		return false;
	}
	pool->tops = tops;
	return true;
}

// Memory for everything to come, so that nothing can fail once the old tree is touched.
static rbl_result reserve(breaker *b, rbl_tree *tree)
{
	const rbl_tree_fracture_input *input = b->input;
	int largest = 0, old_nodes = tree->leaf_count > 1 ? tree->leaf_count - 1 : 0, leaves = 0;
	uint32_t leaf_end = 0;
	for (int i = 0; i < input->piece_count; ++i) {
		largest = rbl_maxi(largest, b->starts[i + 1] - b->starts[i]);
		leaves += b->kept[i] + b->added[i];
	}
	for (int i = 0; i < input->new_count; ++i)
		leaf_end = input->new_leaves[i] >= leaf_end ? input->new_leaves[i] + 1 : leaf_end;
	b->morton = rbl_morton_prepare(&tree->pool->scratch, rbl_maxi(largest, 1));
	b->slots = RBL_ARENA_NEW(&tree->pool->scratch, uint32_t, largest + 1);
	if (!b->morton || !b->slots || !prepare_tops(tree->pool))
		return RBL_OUT_OF_MEMORY;
	return rbl_tree_pool_reserve_more(tree->pool, rbl_maxi(leaves - old_nodes, 0), leaf_end);
}

// Build what a piece has to build, and join it to what it kept.
static void build_piece(breaker *b, int piece, rbl_tree *tree)
{
	int start = b->starts[piece], count = b->starts[piece + 1] - start;
	rbl_tree_build_input input = { .builder = RBL_TREE_BUILD_MORTON,
		                           .count = count,
		                           .boxes = b->boxes + start,
		                           .ids = b->leaves + start,
		                           .jobs = b->input->jobs };
	int kept = b->places[piece] < 0 ? b->kept[piece] : 0;
	// What is put together anew, old and new leaves in one space, has no balance, like what is
	// rebuilt: with it queries between pieces are 7 to 15 % longer.
	bool is_mended = kept > 1 && count > 1;
	tree->is_balanced &= !is_mended;
	bool is_balanced = b->places[piece] < 0 && tree->is_balanced;
	rbl_tree fresh = rbl_tree_make(tree->pool);
	rbl_tree_build_prepared(&fresh, &input, b->morton, b->slots, is_balanced);
	tree->leaf_count = kept;
	rbl_result result = rbl_tree_join(tree, &fresh);
	// Old and new leaves fill the same space from two sub-trees; the top is put together anew.
	int work;
	if (result == RBL_OK && is_mended)
		result = rbl_tree_rebuild_part(tree->pool->tops, tree, tree->root, TOP_ITEMS, &work);
	RBL_ASSERT(result == RBL_OK); // all memory is there
	(void)result;
}

// Put the new leaves of all pieces into their places, behind what the split gathered.
static void place_new_leaves(breaker *b, int *next)
{
	for (int i = 0; i < b->input->new_count; ++i) {
		int place = next[b->input->new_labels[i]]++;
		b->leaves[place] = b->input->new_leaves[i];
		b->boxes[place] = b->input->new_boxes[i];
	}
}

rbl_result rbl_tree_break(rbl_tree *tree, const rbl_tree_fracture_input *input, rbl_tree *pieces,
                          rbl_tree_fracture_report *report)
{
	rbl_tree_fracture_report counts = { 0, 0 };
	breaker b = { .input = input };
	rbl_result result = RBL_OUT_OF_MEMORY;
	if (prepare(&b, tree)) {
		if (input->kept_counts)
			memcpy(b.kept, input->kept_counts, (size_t)input->piece_count * sizeof *b.kept);
		else
			count_kept(tree, input->labels, b.kept);
		for (int i = 0; i < input->new_count; ++i)
			b.added[input->new_labels[i]]++;
		plan(&b, &counts);
		result = reserve(&b, tree);
	}
	if (result == RBL_OK) {
		rbl_split_gather gather = { b.places, b.leaves, b.boxes };
		b.splitter.gather = &gather;
		rbl_split_run(&b.splitter, pieces);
		for (int i = 0; i < input->piece_count; ++i)
			b.added[i] = b.places[i] < 0 ? b.starts[i] : b.places[i];
		place_new_leaves(&b, b.added);
		for (int i = 0; i < input->piece_count; ++i)
			build_piece(&b, i, &pieces[i]);
		if (report)
			*report = counts;
	}
	rbl_arena_reset(&tree->pool->scratch);
	return result;
}
