// SPDX-License-Identifier: MIT
//
// rubble run --frame-ms: measured times decide the budget of the next steps.
//
// A world counts work and never looks at a clock, so that runs repeat. This governor stands outside:
// it looks at the clock and sets the budget, which a recording keeps; the recording replays bit for
// bit on any machine, although the run itself does not repeat. A late step cuts the budget at once,
// in proportion to what the work that it pays for took beside the rest; steps in time that had no
// budget left raise it by a tenth each.

#include "run.h"

#include <math.h>

enum { FIRST_BUDGET = 1200, LEAST_BUDGET = 50, MOST_BUDGET = 100000 };

// A step may take so much of the frame before the budget stops growing: times vary.
static const double comfortable = 0.8;

// What breaks, bonds and baking may take of a frame that is late for another reason.
static const double least_share = 0.1;

rbl_result begin_governor(simulation *s)
{
	if (!(s->options->frame_ms > 0.0))
		return RBL_OK;
	int budget = s->scene.budget > 0 ? s->scene.budget : FIRST_BUDGET;
	s->least_budget = s->most_budget = budget;
	return rbl_world_set_budget(s->world, budget);
}

rbl_result govern(simulation *s)
{
	double frame = s->options->frame_ms;
	if (!(frame > 0.0))
		return RBL_OK;
	rbl_world_stats stats = rbl_world_get_stats(s->world);
	int old = rbl_world_budget(s->world), budget = old;
	s->late_count += stats.step_ms > frame;
	double paid_ms = stats.fracture_ms + stats.stress_ms + stats.debris_ms;
	double allowed_ms = fmax(comfortable * frame - (stats.step_ms - paid_ms), least_share * frame);
	if (stats.step_ms > frame && paid_ms > allowed_ms) {
		budget = (int)(fmin(old - stats.budget_left, old) * allowed_ms / paid_ms);
	} else if (stats.step_ms < comfortable * frame && stats.budget_left <= 0) {
		budget = old + old / 10 + 1;
	}
	budget = budget < LEAST_BUDGET ? LEAST_BUDGET : budget > MOST_BUDGET ? MOST_BUDGET : budget;
	if (budget == old)
		return RBL_OK;
	s->least_budget = budget < s->least_budget ? budget : s->least_budget;
	s->most_budget = budget > s->most_budget ? budget : s->most_budget;
	return rbl_world_set_budget(s->world, budget);
}
