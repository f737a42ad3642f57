// SPDX-License-Identifier: MIT
//
// The broad phase inside another engine: the engine moves its bodies, updates their boxes, and gets the
// pairs that begin and end. Here the engine is a few lines that let boxes fall.

#include <rubble/broadphase.h>

#include <stdio.h>

enum { BODIES = 200, STEPS = 240, FRAGMENTS = 8 };

// The engine's own data.
typedef struct body {
	rbl_vec3 position;
	float speed, half;
} body;

static rbl_box box_of(const body *b)
{
	rbl_vec3 p = b->position;
	return (rbl_box){ { p.x - b->half, p.y - b->half, p.z - b->half },
		              { p.x + b->half, p.y + b->half, p.z + b->half } };
}

static void fall(body *b)
{
	b->speed -= 9.81f / 60.0f;
	b->position.y += b->speed / 60.0f;
	if (b->position.y < b->half) {
		b->position.y = b->half;
		b->speed *= -0.5f;
	}
}

// Keeps the closest box that a ray meets.
static float keep_closest(void *context, uint32_t slot, float fraction)
{
	*(uint32_t *)context = slot;
	return fraction;
}

int main(void)
{
	rbl_broadphase_def def = rbl_default_broadphase_def();
	rbl_broadphase *broadphase;
	if (rbl_create_broadphase(&def, &broadphase) != RBL_OK)
		return 1;

	static body bodies[BODIES + FRAGMENTS];
	static rbl_proxy_def defs[BODIES + FRAGMENTS];
	static rbl_proxy_id proxies[BODIES + FRAGMENTS];
	static rbl_box boxes[BODIES + FRAGMENTS];
	for (int i = 0; i < BODIES + FRAGMENTS; ++i) {
		bodies[i] =
			(body){ { (float)(i % 10), 2.0f + (float)(i / 10), (float)(i * 7 % 10) }, 0.0f, 0.6f };
		defs[i] = rbl_default_proxy_def();
		defs[i].box = box_of(&bodies[i]);
		defs[i].user = (uint64_t)i; // comes back with every pair
	}
	if (rbl_broadphase_add(broadphase, defs, BODIES, proxies) != RBL_OK)
		return 1;

	int count = BODIES, begun = 0, ended = 0, most = 0;
	for (int step = 0; step < STEPS; ++step) {
		for (int i = 0; i < count; ++i) {
			fall(&bodies[i]);
			boxes[i] = box_of(&bodies[i]);
		}
		rbl_broadphase_result result;
		if (rbl_broadphase_move(broadphase, proxies, boxes, count) != RBL_OK ||
		    rbl_broadphase_update(broadphase, &result) != RBL_OK)
			return 1;
		begun += result.begun.count; // where an engine makes contacts
		ended += result.ended.count; // and where it drops them
		most = result.pair_count > most ? result.pair_count : most;

		if (step == STEPS / 2) { // the last body breaks into eight
			body broken = bodies[--count];
			for (int k = 0; k < FRAGMENTS; ++k) {
				float d = 0.5f * broken.half;
				body *part = &bodies[count + k];
				*part = (body){ broken.position, broken.speed, d };
				part->position.x += k & 1 ? d : -d;
				part->position.y += k & 2 ? d : -d;
				part->position.z += k & 4 ? d : -d;
				defs[count + k].box = box_of(part);
			}
			if (rbl_broadphase_replace(broadphase, proxies[count], defs + count, FRAGMENTS,
			                           proxies + count) != RBL_OK)
				return 1;
			count += FRAGMENTS;
		}
	}

	uint32_t hit = UINT32_MAX; // a ray from above
	const rbl_box from = { { 4.5f, 50.0f, 4.5f }, { 4.5f, 50.0f, 4.5f } };
	rbl_broadphase_cast(broadphase, from, (rbl_vec3){ 0.0f, -50.0f, 0.0f }, NULL, keep_closest,
	                    &hit);
	printf("%d boxes: %d pairs began, %d ended, at most %d at once\n", count, begun, ended, most);
	if (hit != UINT32_MAX)
		printf("a ray from above meets body %d\n", (int)rbl_broadphase_user(broadphase, hit));
	rbl_destroy_broadphase(broadphase);
	return 0;
}
