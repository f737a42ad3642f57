// SPDX-License-Identifier: MIT
//
// Clock, counters and nested timing scopes.
//
// Names are compared by text, not by address: the same name in two files is one scope. The
// lists are short and searched from the front; a scope costs two clock readings and a few
// compares, so it belongs around stages, not inside inner loops.

#define _POSIX_C_SOURCE 200809L

#include "base/clock.h"

#include "base/assert.h"

#include <string.h>
#include <time.h>

uint64_t rbl_clock_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void rbl_profile_reset(rbl_profile *profile)
{
	RBL_ASSERT(profile->open_count == 0);
	memset(profile, 0, sizeof *profile);
}

static int find_scope(const rbl_profile *profile, int parent, const char *name)
{
	for (int i = parent + 1; i < profile->scope_count; ++i)
		if (profile->scopes[i].parent == parent &&
		    (profile->scopes[i].name == name || strcmp(profile->scopes[i].name, name) == 0))
			return i;
	return -1;
}

static int find_counter(const rbl_profile *profile, const char *name)
{
	for (int i = 0; i < profile->counter_count; ++i)
		if (profile->counters[i].name == name || strcmp(profile->counters[i].name, name) == 0)
			return i;
	return -1;
}

const rbl_profile_scope *rbl_profile_find(const rbl_profile *profile, int parent, const char *name)
{
	int index = find_scope(profile, parent, name);
	return index < 0 ? NULL : &profile->scopes[index];
}

int64_t rbl_profile_value(const rbl_profile *profile, const char *name)
{
	int index = find_counter(profile, name);
	return index < 0 ? 0 : profile->counters[index].value;
}

// Below a scope that was left out, everything is left out.
static int add_scope(rbl_profile *profile, int parent, const char *name)
{
	if (profile->scope_count == RBL_PROFILE_MAX_SCOPES)
		return -1;
	int depth = parent < 0 ? 0 : profile->scopes[parent].depth + 1;
	profile->scopes[profile->scope_count] =
		(rbl_profile_scope){ .name = name, .parent = parent, .depth = depth };
	return profile->scope_count++;
}

void rbl_profile_open(rbl_profile *profile, const char *name)
{
	int level = profile->open_count++;
	if (level >= RBL_PROFILE_MAX_DEPTH) {
		profile->dropped_count++;
		return;
	}
	int parent = level ? profile->open_scopes[level - 1] : -1;
	int index = -1;
	if (level == 0 || parent >= 0) {
		index = find_scope(profile, parent, name);
		if (index < 0)
			index = add_scope(profile, parent, name);
	}
	if (index < 0)
		profile->dropped_count++;
	profile->open_scopes[level] = index;
	profile->open_since[level] = rbl_clock_ns();
}

void rbl_profile_close(rbl_profile *profile)
{
	RBL_ASSERT(profile->open_count > 0);
	int level = --profile->open_count;
	if (level >= RBL_PROFILE_MAX_DEPTH || profile->open_scopes[level] < 0)
		return;
	rbl_profile_scope *scope = &profile->scopes[profile->open_scopes[level]];
	uint64_t spent = rbl_clock_ns() - profile->open_since[level];
	scope->call_count++;
	scope->total_ns += spent;
	if (spent > scope->worst_ns)
		scope->worst_ns = spent;
}

void rbl_profile_add(rbl_profile *profile, const char *name, int64_t amount)
{
	int index = find_counter(profile, name);
	if (index < 0) {
		if (profile->counter_count == RBL_PROFILE_MAX_COUNTERS) {
			profile->dropped_count++;
			return;
		}
		index = profile->counter_count++;
		profile->counters[index] = (rbl_profile_counter){ .name = name };
	}
	profile->counters[index].value += amount;
}
