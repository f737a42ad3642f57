// SPDX-License-Identifier: MIT
// ctest: soak
// The streams that broad phases are judged on are the ones that published figures were taken with.

#include "scenes/streams.h"

#include "test.h"

typedef struct pinned_stream {
	stream_scene scene;
	int count;
	uint64_t hash; // of the boxes after the last step, seed 1, default number of steps
} pinned_stream;

static const pinned_stream pinned[] = {
	{ STREAM_TERRAIN, 1000, 0xbf8aa15b7e2ab901 },   { STREAM_TERRAIN, 4250, 0x38fb30e7bf1e835d },
	{ STREAM_CLOUDS, 1000, 0x4c17167d05aa1446 },    { STREAM_CLOUDS, 4250, 0xa9142242b9a1bf7c },
	{ STREAM_BLOCKS, 4250, 0x5265e1854a718aa1 },    { STREAM_BUCKETS, 1000, 0xcb196288a88df46a },
	{ STREAM_BUCKETS, 4250, 0x778cc87706799c57 },   { STREAM_RUBBLE, 20000, 0x329e02495062c617 },
	{ STREAM_SIZES, 20000, 0xeeaad5471a041645 },    { STREAM_TERRAIN, 20000, 0xf9cc2d98d8c9d64f },
	{ STREAM_CLOUDS, 20000, 0x81d0f6a0d818812a },   { STREAM_CLOUDS, 100000, 0x9db9f62807839102 },
	{ STREAM_BLOCKS, 24786, 0x9bd850b03cb7b85c },   { STREAM_BUCKETS, 20000, 0x75144357ba0a8796 },
	{ STREAM_RUBBLE, 100000, 0x94186a6340ec28fe },  { STREAM_TERRAIN, 100000, 0x495a7dd1f282949b },
	{ STREAM_BUCKETS, 100000, 0x4eb3e72264ffc75c },
};

static void streams_end_in_their_pinned_boxes(test *t)
{
	int count = test_count(9, (int)(sizeof pinned / sizeof pinned[0]));
	for (int i = 0; i < count; ++i) {
		const pinned_stream *p = &pinned[i];
		stream s;
		CHECK(t, stream_open(&s, p->scene, p->count, stream_default_steps(p->scene, p->count), 1));
		while (stream_next(&s)) {
		}
		CHECK(t, stream_hash(&s) == p->hash);
		stream_close(&s);
	}
}

// The lists of a step say everything that happened in it.
static void lists_tell_every_change(test *t)
{
	for (int scene = STREAM_TERRAIN; scene <= STREAM_PILE; ++scene) {
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

TEST_MAIN(TEST(streams_end_in_their_pinned_boxes), TEST(lists_tell_every_change))
