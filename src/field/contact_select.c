// SPDX-License-Identifier: MIT
//
// Which of many points hold two bodies apart.
//
// The deepest, and then again and again the one farthest from those before it, where depth counts,
// and the points of the last step count four times as much: impulses are kept for points, not for
// places. A plate that lies in a bowl sinks a tenth as deep on twelve points chosen like this as on
// the first twelve.

#include "field/contact_select.h"

#include "field/field_kernels.h"

// How much more a point is worth that was a contact in the last step.
static const float worth_of_last = 4.0f;

// What a point counts that barely touches, beside the deepest.
static const float worth_of_shallow = 0.1f;

static bool was_in_last_step(const rbl_field_contact_memory *memory, uint32_t id)
{
	for (int i = 0; i < memory->count; ++i)
		if (memory->ids[i] == id)
			return true;
	return false;
}

int rbl_choose_points(const rbl_touching_point *found, int count,
                      const rbl_field_contact_settings *settings,
                      const rbl_field_contact_memory *memory, rbl_arena *arena,
                      int chosen[RBL_MAX_FIELD_CONTACTS])
{
	int stride = (count + 7) / 8 * 8, chosen_count = 0;
	float *rows = RBL_ARENA_NEW(arena, float, 5 * (size_t)stride);
	if (!rows)
		return -1;
	float *weights = rows + 3 * (size_t)stride, least = FLT_MAX;
	for (int i = 0; i < count; ++i)
		least = rbl_minf(least, found[i].gap);
	float scale = 1.0f / rbl_maxf(settings->tolerance - least, FLT_MIN);
	for (int i = 0; i < stride; ++i) {
		const rbl_touching_point *point = &found[rbl_mini(i, count - 1)];
		bool is_last = memory && was_in_last_step(memory, point->id);
		float depth = scale * (settings->tolerance - point->gap);
		float worth = worth_of_shallow + (1.0f - worth_of_shallow) * depth;
		rows[i] = point->position.x;
		rows[stride + i] = point->position.y;
		rows[2 * stride + i] = point->position.z;
		weights[i] = i < count ? worth * (is_last ? worth_of_last : 1.0f) : 0.0f;
		rows[4 * stride + i] = FLT_MAX;
	}
	// The deepest, or the first that is hardly less so: from memory, or of low rank and so at an
	// end of the body.
	int next = 0;
	while (found[next].gap > least + RBL_SLOP_OF_DEEP * settings->deep)
		next++;
	while (next >= 0 && chosen_count < settings->point_count) {
		chosen[chosen_count++] = next;
		next = RBL_PICK(rbl_contact_choose)(rows, stride, next);
	}
	return chosen_count;
}
