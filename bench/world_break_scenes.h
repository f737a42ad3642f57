// SPDX-License-Identifier: MIT
// The scenes of world_break.c: what is there, and what comes flying.
#pragma once

#include "base/random.h"

#include <rubble/rubble.h>

enum { BREAK_BALLS = 4, BREAK_MOST_STEPS = 20000 };

/// What all of them set apart from the defaults.
#define BREAK_FREEZE_TIME 1.0f // seconds

typedef struct break_run {
	bool is_quick;
	rbl_contact_method method;
	int field_resolution; // of the asset
	rbl_jobs *jobs;
	rbl_world *world;
	rbl_pattern *pattern;
	rbl_damage_level level;
	rbl_material_def material;
	rbl_mesh *mesh;
	rbl_asset *asset;
	rbl_collider *ground, *brick, *balls[BREAK_BALLS]; // of radius 0.06, 0.45, 1 and 0.6
	rbl_random random;
	rbl_body_id target;
	int step, timed_step; // timed_step: the first that counts, -1 while it is not known
} break_run;

typedef struct break_case {
	const char *name;
	bool (*open)(break_run *r);
	void (*before_step)(break_run *r);
	int steps, quick_steps; // that count
} break_case;

/// The cases, the arena first.
extern const break_case break_cases[];
extern const int break_case_count;

/// Make the world of a case. It uses r->jobs where that is given, and has it from then on.
/// @return false when it cannot; close it all the same
bool break_open(break_run *r, const break_case *c, int workers);

void break_close(break_run *r);
