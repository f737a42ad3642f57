// SPDX-License-Identifier: MIT
// The benchmark harness: suites of cases, each run in variants (rubble, one of its settings, or
// a peer), each giving metrics. `rubble bench` is its front door.
//
// A suite is one file, bench/suite_<name>.c, found by the build:
//
//     static void run(bench *b)
//     {
//         if (bench_wants(b, "sort_1M")) {            // before any set-up
//             bench_time(b, "sort_1M", "rubble",
//                        &(bench_job){ .run = sort, .prepare = shuffle, .context = &keys,
//                                      .hash = hash_of_keys, .unit = "ms" });
//             bench_row(b, "sort_1M", "rubble", "memory", bytes, "B");
//         }
//     }
//     const bench_suite bench_suite_base = { "base", "sorts, maps, jobs", run };
//
// A time is believed only when the result is right: give a hash, or call bench_check().
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/// A run of the harness; suites pass it on and never look inside.
typedef struct bench bench;

typedef struct bench_suite {
	const char *name;
	const char *about; // one line, for --list
	void (*run)(bench *b);
} bench_suite;

/// All suites in the order of their names, closed by NULL. The build writes this list.
extern const bench_suite *const bench_suites[];

/// @return whether to run the case. Ask before setting anything up: --list asks for every case
/// and runs none.
bool bench_wants(bench *b, const char *case_name);

/// @return whether a rough answer within seconds is wanted: use smaller inputs.
bool bench_is_quick(const bench *b);

/// @return whether all is wanted, however long it takes: variants and peers that an ordinary run leaves out. So
/// it is for cases that were asked for by a part of their names.
bool bench_is_thorough(const bench *b);

/// @return the number of repetitions the user asked for, 0 to let the harness decide.
int bench_repeat(const bench *b);

/// Record one number.
void bench_row(bench *b, const char *case_name, const char *variant, const char *metric,
               double value, const char *unit);

/// Record one point of a curve: the metric at x, as the row `metric@x`. Tables leave such rows out,
/// files have them, and scripts/results draws them.
void bench_point(bench *b, const char *case_name, const char *variant, const char *metric, double x,
                 double value, const char *unit);

/// What bench_time() repeats. All zero but `run` is fine.
typedef struct bench_job {
	/// The timed work.
	void (*run)(void *context);

	/// Untimed set-up before each repetition, or NULL.
	void (*prepare)(void *context);

	/// Passed to all functions.
	void *context;

	/// Name of the metric. Default "time".
	const char *metric;

	/// "ns", "us", "ms" or "s". Default "ms".
	const char *unit;

	/// The time is divided by this: items, queries, steps. Default 1.
	double items;

	/// Calls of `run` per repetition. Default 1 with `prepare`; without, as many as fill 50 us,
	/// so that the clock does not show. Median, p99 and worst are then those of such batches.
	int calls;

	/// A fixed number of repetitions, unless the user asks for one. Default: at least 9, until
	/// half a second has passed (quick: 3, and 50 ms).
	int repeat;

	/// The hash of the result after a repetition, compared with `expected_hash` as by
	/// bench_check() before the time is believed. NULL for none.
	uint64_t (*hash)(void *context);
	uint64_t expected_hash;
} bench_job;

/// Repeat a function after one untimed warm-up, and record the minimum as the metric and
/// metric_median, metric_p99, metric_worst.
/// @return the minimum in the job's unit; 0 when the result was wrong.
double bench_time(bench *b, const char *case_name, const char *variant, const bench_job *job);

/// Record times taken elsewhere (steps of a scene, say) in the same four metrics.
/// @param samples_ns  sorted in place
/// @param items       as in bench_job; 0 counts as 1
/// @return the minimum in the unit
double bench_samples(bench *b, const char *case_name, const char *variant, const char *metric,
                     uint64_t *samples_ns, int count, double items, const char *unit);

/// Compare the hash of a result with the expected one, 0: with the first hash that was given for
/// this case, whatever its variant. A difference is printed, the variant's rows are dropped, and
/// the program will fail.
/// @return whether they are equal
bool bench_check(bench *b, const char *case_name, const char *variant, uint64_t hash,
                 uint64_t expected);

/// Say that a variant did not do its work: printed, its rows are dropped, the program will fail.
void bench_fail(bench *b, const char *case_name, const char *variant, const char *reason);

/// Say that a case is left out because something it needs is not there: printed, nothing fails.
void bench_skip(bench *b, const char *case_name, const char *reason);

/// @return nanoseconds of the monotonic clock.
uint64_t bench_now_ns(void);

/// @return the bytes that the process has on its heap, where the C library tells; 0 elsewhere.
size_t bench_heap_in_use(void);

/// The processor time that one variant may take for one case. Ours run to the end; a peer that may be
/// hundreds of times slower is stopped when it is used up, and its metric `steps` says how far it
/// came. Reported times are those of the steps that were made.
typedef struct bench_allowance {
	uint64_t limit_ns, used_ns;
} bench_allowance;

/// @param seconds  0 for no limit; a twentieth of it is allowed when only a rough answer is wanted
bench_allowance bench_allow(const bench *b, double seconds);

/// @return whether another step may be made
static inline bool bench_may_go_on(const bench_allowance *allowance)
{
	return allowance->used_ns <= allowance->limit_ns;
}

/// Make the compiler believe that the memory is read and changed here, so that the work that
/// made it is not removed.
static inline void bench_keep(const void *memory)
{
	__asm__ volatile("" : : "r"(memory) : "memory");
}

// --- for the program ---------------------------------------------------------------------------

typedef struct bench_options {
	const char *const *suites; // names, all when suite_count is 0
	int suite_count;
	const char *case_name; // cases whose names contain this or, behind =, are this; or NULL
	bool is_quick, is_list;
	bool is_thorough;      // cases that repeat at other sizes what others show, too
	int repeat;            // 0: the harness decides
	const char *json_path; // or NULL
	FILE *json_stream;     // receives the same at the end, or NULL
	bool show_progress;    // a line on stderr that is wiped away
	bool show_times;       // a line on stderr for each case: how long it took
} bench_options;

/// Run suites, print tables to stdout and errors to stderr, write the JSON file.
/// @return 0, 1 (a result was wrong, or the file could not be written), 2 (no such suite or case)
int bench_run(const bench_options *options);
