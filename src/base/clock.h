// SPDX-License-Identifier: MIT
// Clock, counters and nested timing scopes.
//
// A profile is handed down as a pointer; NULL switches it off, and a scope then costs one
// compare. Nothing that decides a result may read a clock or a profile.
#pragma once

#include <rubble/base.h>

/// @return nanoseconds since some fixed moment; never goes back. Threads: any.
uint64_t rbl_clock_ns(void);

enum {
	RBL_PROFILE_MAX_SCOPES = 64,   // a scope is a name under a parent
	RBL_PROFILE_MAX_DEPTH = 16,    // scopes open at once
	RBL_PROFILE_MAX_COUNTERS = 32, // names
};

/// Time spent under one name inside one parent.
typedef struct rbl_profile_scope {
	const char *name;
	int parent; // index of a scope before this one, -1 at the top
	int depth;  // 0 at the top
	int64_t call_count;
	uint64_t total_ns; // children included
	uint64_t worst_ns; // longest single call
} rbl_profile_scope;

/// A number that code adds to.
typedef struct rbl_profile_counter {
	const char *name;
	int64_t value;
} rbl_profile_counter;

/// Scopes and counters in the order of first use. One thread at a time. Names are string
/// constants. What does not fit is left out and counted in `dropped_count`.
typedef struct rbl_profile {
	rbl_profile_scope scopes[RBL_PROFILE_MAX_SCOPES];
	rbl_profile_counter counters[RBL_PROFILE_MAX_COUNTERS];
	int scope_count, counter_count;
	int dropped_count;
	int open_count; // scopes open now, those beyond the maximum depth included
	int open_scopes[RBL_PROFILE_MAX_DEPTH];
	uint64_t open_since[RBL_PROFILE_MAX_DEPTH];
} rbl_profile;

/// Forget everything, scopes must be closed.
void rbl_profile_reset(rbl_profile *profile);

/// @return the scope `name` below the scope index `parent` (-1: at the top), or NULL.
const rbl_profile_scope *rbl_profile_find(const rbl_profile *profile, int parent, const char *name);

/// @return the value of a counter, zero when nothing was added.
int64_t rbl_profile_value(const rbl_profile *profile, const char *name);

void rbl_profile_open(rbl_profile *profile, const char *name);
void rbl_profile_close(rbl_profile *profile);
void rbl_profile_add(rbl_profile *profile, const char *name, int64_t amount);

/// Begin a scope inside the one that is open. NULL is fine.
static inline void rbl_profile_begin(rbl_profile *profile, const char *name)
{
	if (profile)
		rbl_profile_open(profile, name);
}

/// End the scope begun last. NULL is fine.
static inline void rbl_profile_end(rbl_profile *profile)
{
	if (profile)
		rbl_profile_close(profile);
}

/// Add to a counter. NULL is fine.
static inline void rbl_profile_count(rbl_profile *profile, const char *name, int64_t amount)
{
	if (profile)
		rbl_profile_add(profile, name, amount);
}
