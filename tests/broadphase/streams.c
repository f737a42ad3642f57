// SPDX-License-Identifier: MIT
// ctest: soak pinned
// The streams that broad phases are measured with are those of the published figures.

#include "scenes/streams.h"

#include <rubble/broadphase.h>

#include "test.h"

typedef struct pinned_stream {
	stream_scene scene;
	int count;
	uint64_t hash; // of the boxes after the last step, seed 1, default number of steps
	int pairs;     // true pairs per step without the first, mean, rounded; 0: not published
} pinned_stream;

static const pinned_stream pinned[] = {
	{ STREAM_TERRAIN, 1000, 0xbf8aa15b7e2ab901, 1670 },
	{ STREAM_TERRAIN, 4250, 0x38fb30e7bf1e835d, 7964 },
	{ STREAM_CLOUDS, 1000, 0x4c17167d05aa1446, 582 },
	{ STREAM_CLOUDS, 4250, 0xa9142242b9a1bf7c, 2746 },
	{ STREAM_BLOCKS, 4250, 0x5265e1854a718aa1, 4202 },
	{ STREAM_BUCKETS, 1000, 0xcb196288a88df46a, 1818 },
	{ STREAM_BUCKETS, 4250, 0x778cc87706799c57, 8782 },
	{ STREAM_RUBBLE, 20000, 0x329e02495062c617, 51885 },
	{ STREAM_SIZES, 20000, 0xeeaad5471a041645, 0 },
	{ STREAM_TERRAIN, 20000, 0xf9cc2d98d8c9d64f, 42832 },
	{ STREAM_CLOUDS, 20000, 0x81d0f6a0d818812a, 13864 },
	{ STREAM_CLOUDS, 100000, 0x9db9f62807839102, 69840 },
	{ STREAM_BLOCKS, 24786, 0x9bd850b03cb7b85c, 27348 },
	{ STREAM_BUCKETS, 20000, 0x75144357ba0a8796, 46693 },
	{ STREAM_RUBBLE, 100000, 0x94186a6340ec28fe, 243135 },
	{ STREAM_TERRAIN, 100000, 0x495a7dd1f282949b, 230559 },
	{ STREAM_BUCKETS, 100000, 0x4eb3e72264ffc75c, 255234 },
};

// Feed a step of a stream. @return the number of pairs, -1 on failure
static int pairs_of_step(const stream *s, rbl_broadphase *bp, rbl_proxy_id *ids)
{
	bool ok = true;
	for (int i = 0; i < s->destroyed.count; ++i)
		ok &= rbl_broadphase_remove(bp, &ids[s->destroyed.ids[i]], 1) == RBL_OK;
	for (int i = 0; i < s->created.count; ++i) {
		int id = s->created.ids[i];
		rbl_proxy_def def = rbl_default_proxy_def();
		def.box = s->boxes[id];
		def.is_static = s->kinds[id] == STREAM_STATIC;
		ok &= rbl_broadphase_add(bp, &def, 1, &ids[id]) == RBL_OK;
	}
	for (int i = 0; i < s->moved.count; ++i) {
		int id = s->moved.ids[i];
		ok &= rbl_broadphase_move(bp, &ids[id], &s->boxes[id], 1) == RBL_OK;
	}
	rbl_broadphase_result result;
	ok &= rbl_broadphase_update(bp, &result) == RBL_OK;
	return ok ? result.pair_count : -1;
}

// Published figures were taken on the same boxes, and counted as many pairs.
static void streams_give_published_boxes_and_pairs(test *t)
{
	int count = test_count(9, (int)(sizeof pinned / sizeof pinned[0]));
	for (int i = 0; i < count; ++i) {
		const pinned_stream *p = &pinned[i];
		int steps = stream_default_steps(p->scene, p->count);
		stream s;
		CHECK(t, stream_open(&s, p->scene, p->count, steps, 1));
		rbl_broadphase_def def = rbl_default_broadphase_def();
		rbl_broadphase *bp;
		CHECK(t, rbl_create_broadphase(&def, &bp) == RBL_OK);
		rbl_proxy_id *ids = calloc((size_t)s.capacity, sizeof *ids);
		int64_t sum = 0;
		while (stream_next(&s)) {
			int pairs = p->pairs ? pairs_of_step(&s, bp, ids) : 0;
			CHECK(t, pairs >= 0);
			sum += s.step > 0 ? pairs : 0;
		}
		CHECK(t, stream_hash(&s) == p->hash);
		CHECK_NEAR(t, (double)sum / (steps - 1), p->pairs, 0.501);
		rbl_destroy_broadphase(bp);
		free(ids);
		stream_close(&s);
	}
}

// The lists of a step say everything that happened in it.
static void lists_tell_every_change(test *t)
{
	for (int scene = STREAM_TERRAIN; scene <= STREAM_LAST; ++scene) {
		stream s;
		CHECK(t, stream_open(&s, (stream_scene)scene, 300, 200, 7));
		rbl_box *boxes = calloc((size_t)s.capacity, sizeof *boxes);
		uint8_t *kinds = calloc((size_t)s.capacity, 1);
		while (stream_next(&s)) {
			for (int i = 0; i < s.destroyed.count; ++i)
				kinds[s.destroyed.ids[i]] = STREAM_FREE;
			for (int i = 0; i < s.created.count; ++i) {
				int id = s.created.ids[i];
				kinds[id] = s.kinds[id];
				boxes[id] = s.boxes[id];
			}
			for (int i = 0; i < s.moved.count; ++i)
				boxes[s.moved.ids[i]] = s.boxes[s.moved.ids[i]];
			for (int id = 0; id < s.id_count; ++id) {
				CHECK(t, kinds[id] == s.kinds[id]);
				CHECK(t, kinds[id] == STREAM_FREE ||
				             memcmp(&boxes[id], &s.boxes[id], sizeof(rbl_box)) == 0);
			}
		}
		free(boxes);
		free(kinds);
		stream_close(&s);
	}
}

TEST_MAIN(TEST(streams_give_published_boxes_and_pairs), TEST(lists_tell_every_change))
