// SPDX-License-Identifier: MIT
//
// The benchmark harness.
//
// The minimum is the metric that compares code: on a shared machine everything else measures the
// neighbours as well. Median, p99 and worst stand beside it, because destruction lives by its
// worst frame.

#define _DEFAULT_SOURCE // mallinfo2, clock_gettime

#include "bench.h"

#include "growth.h"
#include "records.h"

#include "base/clock.h"

#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	BATCH_NS = 50000,
	BUDGET_NS = 500000000,
	QUICK_BUDGET_NS = 50000000,
	MIN_REPEAT = 9,
	QUICK_MIN_REPEAT = 3,
	MAX_REPEAT = 2000,
	MAX_CASES = 512,
};

// What is known of a case that somebody asked for or gave a hash of.
typedef struct known_case {
	const bench_suite *suite;
	char name[BENCH_NAME_LENGTH];
	bool has_hash;
	uint64_t hash;
	char hash_variant[BENCH_NAME_LENGTH];
} known_case;

struct bench {
	const bench_options *options;
	const bench_suite *suite;
	bench_records records;
	known_case cases[MAX_CASES];
	int case_count, wanted_count, failure_count;
	bool progress_is_shown;
	char timed_case[BENCH_NAME_LENGTH]; // that runs now, or empty
	uint64_t begin_ns, begin_processor_ns;
};

uint64_t bench_now_ns(void)
{
	return rbl_clock_ns();
}

size_t bench_heap_in_use(void)
{
#if defined __GLIBC__ && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
	struct mallinfo2 info = mallinfo2();
	return info.uordblks + info.hblkhd;
#else
	return 0;
#endif
}

static void clear_progress(bench *b)
{
	if (b->progress_is_shown)
		fprintf(stderr, "\r\033[K");
	b->progress_is_shown = false;
}

static void show_progress(bench *b, const char *case_name, const char *variant)
{
	if (!b->options->show_progress)
		return;
	fprintf(stderr, "\r\033[K%s %s %s ...", b->suite->name, case_name, variant);
	fflush(stderr);
	b->progress_is_shown = true;
}

static uint64_t processor_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

// A case ends where the next one, or none, begins.
static void begin_timed_case(bench *b, const char *name)
{
	if (!b->options->show_times)
		return;
	clear_progress(b);
	if (b->timed_case[0])
		fprintf(stderr, "rubble: bench %s %s took %.1f s, %.1f s of processor time\n",
		        b->suite->name, b->timed_case, (double)(rbl_clock_ns() - b->begin_ns) * 1e-9,
		        (double)(processor_ns() - b->begin_processor_ns) * 1e-9);
	snprintf(b->timed_case, sizeof b->timed_case, "%s", name);
	b->begin_ns = rbl_clock_ns();
	b->begin_processor_ns = processor_ns();
}

static known_case *find_case(bench *b, const char *name)
{
	for (int i = 0; i < b->case_count; ++i)
		if (b->cases[i].suite == b->suite && strcmp(b->cases[i].name, name) == 0)
			return &b->cases[i];
	if (b->case_count == MAX_CASES) {
		fprintf(stderr, "rubble: more than %d benchmark cases\n", MAX_CASES);
		exit(1);
	}
	known_case *added = &b->cases[b->case_count++];
	added->suite = b->suite;
	snprintf(added->name, sizeof added->name, "%s", name);
	return added;
}

static bool save_json(const bench *b)
{
	FILE *file = fopen(b->options->json_path, "w");
	bool written = file && bench_write_json(file, &b->records);
	return file && fclose(file) == 0 && written;
}

// Cases that take long even with --quick, and what they show other cases show as well: they run when --case
// asks for them. A star ends a name's beginning.
static const char *const long_cases[] = {
	"broadphase/S1-20000",
	"broadphase/S2-20000",
	"broadphase/S3-24786",
	"broadphase/S4-20000",
	"broadphase/S6-20000",
	"broadphase/S7-20000",
	"broadphase/history-S2",
	"broadphase/history-S3",
	"broadphase/history-S4",
	"broadphase/settings-*",
	"broadphase/workers-S2-20000",
	"broadphase/workers-S4-20000",
	"field/arena",
	"field/asset-bunny",
	"field/asset-mug",
	"field/asset-plate",
	"field/asset-vase",
	"field/birth",
	"field/bowl-2",
	"field/bowl-4",
	"field/bowl-6",
	"field/bowl-12",
	"field/bowl-20",
	"field/bowl-50",
	"field/bunnies",
	"field/compounds-*",
	"field/first-touch-*",
	"field/piggy",
	"fracture/arena-4x",
	"fracture/arena-quarter",
	"fracture/bunny-1000",
	"fracture/vacd-bunny-64",
	"geometry/arena_full",
	"geometry/mesh_1M",
	"surface/explode*",
	"surface/metrics",
	"surface/two-bunnies",
	"surface/walls-thickness",
	"surface/walls-proximity",
	"tree/build-250k",
	"tree/cut-360k",
	"tree/cut-armadillo",
	"tree/peel",
	"tree/pieces-4",
	"tree/pieces-8",
	"tree/pieces-12",
	"tree/pieces-100",
	"world/arena",
	"world/pile-20000",
	NULL,
};

// What --thorough adds to an ordinary run: sizes between others, settings, and scenes that no figure of a
// paper and no page of results needs.
static const char *const thorough_cases[] = {
	"broadphase/S1-20000",
	"broadphase/S2-20000",
	"broadphase/S2-100000",
	"broadphase/S3-24786",
	"broadphase/S4-20000",
	"broadphase/S4-100000",
	"broadphase/S6-20000",
	"broadphase/S7-20000",
	"broadphase/adjust-*",
	"broadphase/settings-*",
	"broadphase/workers-S1-20000",
	"broadphase/workers-S2-*",
	"broadphase/workers-S4-*",
	"broadphase/workers-S7-20000",
	"field/arena",
	"field/asset-mug",
	"field/asset-plate",
	"field/asset-vase",
	"field/birth",
	"field/bowl-6",
	"field/bowl-12",
	"field/bowl-50",
	"field/compounds-*",
	"field/first-touch-*",
	"geometry/arena_full",
	"geometry/mesh_1M",
	"surface/add-250k",
	"surface/answers",
	"surface/cloth-proximity",
	"surface/cloth-search",
	"surface/crumple-250k",
	"surface/edit-363k",
	"surface/explode*",
	"surface/metrics",
	"surface/nbody-*",
	"surface/walls-*",
	"surface/without-*",
	"tree/build-250k",
	"tree/cut-360k",
	"tree/cut-armadillo",
	"tree/grow-360k",
	"tree/pieces-100",
	"tree/refit-250k",
	"world/bricks",
	"world/budget-*",
	"world/burst-4000",
	"world/car",
	"world/chain-*",
	"world/jacks-*",
	"world/joint-grid",
	"world/km-stack",
	"world/large-*",
	"world/many-*",
	"world/mm-stack",
	"world/pile-20000",
	"world/point-2000",
	"world/ragdolls",
	"world/rest-20000",
	"world/scaling-*",
	"world/wall",
	"world/wall-stand",
	"world/weld-beam",
	NULL,
};

static bool is_among(const char *const *names, const char *suite, const char *case_name)
{
	char key[2 * BENCH_NAME_LENGTH];
	snprintf(key, sizeof key, "%s/%s", suite, case_name);
	for (int i = 0; names[i]; ++i) {
		size_t length = strcspn(names[i], "*");
		if (strncmp(key, names[i], length) == 0 && (names[i][length] || !key[length]))
			return true;
	}
	return false;
}

static bool is_asked_for(const bench *b, const char *case_name)
{
	const bench_options *options = b->options;
	const char *wanted = options->case_name;
	if (wanted)
		return wanted[0] == '=' ? strcmp(case_name, wanted + 1) == 0
		                        : strstr(case_name, wanted) != NULL;
	if (options->is_quick && is_among(long_cases, b->suite->name, case_name))
		return false;
	return options->is_thorough || options->is_list ||
	       !is_among(thorough_cases, b->suite->name, case_name);
}

bool bench_wants(bench *b, const char *case_name)
{
	if (!is_asked_for(b, case_name))
		return false;
	int before = b->case_count;
	find_case(b, case_name);
	b->wanted_count++;
	if (b->options->is_list) {
		if (b->case_count > before)
			printf("    %s\n", case_name);
		return false;
	}
	// A long run that is stopped leaves the cases it has done; whether the file could be written is
	// asked at the end.
	if (b->options->json_path && b->records.count > 0)
		(void)save_json(b);
	begin_timed_case(b, case_name);
	show_progress(b, case_name, "");
	return true;
}

bool bench_is_quick(const bench *b)
{
	return b->options->is_quick;
}

bool bench_is_thorough(const bench *b)
{
	const char *wanted = b->options->case_name;
	return b->options->is_thorough || (wanted && wanted[0] != '=');
}

bench_allowance bench_allow(const bench *b, double seconds)
{
	double allowed = bench_is_quick(b) ? seconds / 20.0 : seconds;
	return (bench_allowance){ .limit_ns = seconds > 0.0 ? (uint64_t)(allowed * 1e9) : UINT64_MAX };
}

int bench_repeat(const bench *b)
{
	return b->options->repeat;
}

void bench_row(bench *b, const char *case_name, const char *variant, const char *metric,
               double value, const char *unit)
{
	bench_record record = { .suite = b->suite->name, .value = value };
	snprintf(record.case_name, sizeof record.case_name, "%s", case_name);
	snprintf(record.variant, sizeof record.variant, "%s", variant);
	snprintf(record.metric, sizeof record.metric, "%s", metric);
	snprintf(record.unit, sizeof record.unit, "%s", unit);
	bench_records_add(&b->records, &record);
}

void bench_point(bench *b, const char *case_name, const char *variant, const char *metric, double x,
                 double value, const char *unit)
{
	char name[BENCH_NAME_LENGTH];
	snprintf(name, sizeof name, "%s@%g", metric, x);
	bench_row(b, case_name, variant, name, value, unit);
}

void bench_fail(bench *b, const char *case_name, const char *variant, const char *reason)
{
	clear_progress(b);
	fprintf(stderr, "rubble: bench %s %s %s: %s\n", b->suite->name, case_name, variant, reason);
	bench_records_drop(&b->records, b->suite->name, case_name, variant);
	b->failure_count++;
}

void bench_skip(bench *b, const char *case_name, const char *reason)
{
	clear_progress(b);
	fprintf(stderr, "rubble: bench %s %s is left out: %s\n", b->suite->name, case_name, reason);
}

bool bench_check(bench *b, const char *case_name, const char *variant, uint64_t hash,
                 uint64_t expected)
{
	known_case *known = find_case(b, case_name);
	char reason[200];
	if (expected && hash != expected) {
		snprintf(reason, sizeof reason, "hash of the result is 0x%016llx, expected 0x%016llx",
		         (unsigned long long)hash, (unsigned long long)expected);
		bench_fail(b, case_name, variant, reason);
		return false;
	}
	if (!expected && known->has_hash && hash != known->hash) {
		snprintf(reason, sizeof reason, "hash of the result is 0x%016llx, that of %s 0x%016llx",
		         (unsigned long long)hash, known->hash_variant, (unsigned long long)known->hash);
		bench_fail(b, case_name, variant, reason);
		return false;
	}
	if (!expected && !known->has_hash) {
		known->has_hash = true;
		known->hash = hash;
		snprintf(known->hash_variant, sizeof known->hash_variant, "%s", variant);
	}
	return true;
}

static double unit_in_ns(const char *unit)
{
	if (strcmp(unit, "ns") == 0)
		return 1.0;
	if (strcmp(unit, "us") == 0)
		return 1e3;
	if (strcmp(unit, "ms") == 0)
		return 1e6;
	if (strcmp(unit, "s") == 0)
		return 1e9;
	fprintf(stderr, "rubble: bench: '%s' is no unit of time\n", unit);
	exit(1);
}

static int compare_samples(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

double bench_samples(bench *b, const char *case_name, const char *variant, const char *metric,
                     uint64_t *samples_ns, int count, double items, const char *unit)
{
	if (count < 1)
		return 0.0;
	qsort(samples_ns, (size_t)count, sizeof *samples_ns, compare_samples);
	double scale = 1.0 / (unit_in_ns(unit) * (items > 0.0 ? items : 1.0));
	int p99 = (int)ceil(0.99 * count) - 1;
	const struct {
		const char *suffix;
		uint64_t ns;
	} statistics[] = {
		{ "", samples_ns[0] },
		{ "_median", samples_ns[count / 2] },
		{ "_p99", samples_ns[p99] },
		{ "_worst", samples_ns[count - 1] },
	};
	for (int i = 0; i < 4; ++i) {
		char name[BENCH_NAME_LENGTH];
		snprintf(name, sizeof name, "%s%s", metric, statistics[i].suffix);
		bench_row(b, case_name, variant, name, (double)statistics[i].ns * scale, unit);
	}
	return (double)samples_ns[0] * scale;
}

static uint64_t time_once(const bench_job *job, int calls)
{
	if (job->prepare)
		job->prepare(job->context);
	uint64_t start = rbl_clock_ns();
	for (int i = 0; i < calls; ++i)
		job->run(job->context);
	return rbl_clock_ns() - start;
}

// The warm-up: finds how many calls fill a batch, and leaves a result to hash.
static int choose_calls(const bench_job *job)
{
	int calls = job->calls > 0 ? job->calls : 1;
	uint64_t spent = time_once(job, calls);
	if (job->calls > 0 || job->prepare)
		return calls;
	while (spent < BATCH_NS && calls < 1 << 20) {
		calls *= 2;
		spent = time_once(job, calls);
	}
	return calls;
}

double bench_time(bench *b, const char *case_name, const char *variant, const bench_job *job)
{
	show_progress(b, case_name, variant);
	int calls = choose_calls(job);
	if (job->hash &&
	    !bench_check(b, case_name, variant, job->hash(job->context), job->expected_hash))
		return 0.0;

	bool is_quick = b->options->is_quick;
	int fixed = b->options->repeat > 0 ? b->options->repeat : job->repeat;
	int min_count = fixed > 0 ? fixed : is_quick ? QUICK_MIN_REPEAT : MIN_REPEAT;
	int max_count = fixed > 0 ? fixed : MAX_REPEAT;
	uint64_t budget = is_quick ? QUICK_BUDGET_NS : BUDGET_NS;
	uint64_t *samples = malloc((size_t)max_count * sizeof *samples);
	if (!samples) {
		bench_fail(b, case_name, variant, "out of memory");
		return 0.0;
	}
	uint64_t start = rbl_clock_ns();
	int count = 0;
	while (count < min_count || (count < max_count && rbl_clock_ns() - start < budget))
		samples[count++] = time_once(job, calls);

	double items = (job->items > 0.0 ? job->items : 1.0) * calls;
	double minimum = bench_samples(b, case_name, variant, job->metric ? job->metric : "time",
	                               samples, count, items, job->unit ? job->unit : "ms");
	free(samples);
	if (job->hash &&
	    !bench_check(b, case_name, variant, job->hash(job->context), job->expected_hash))
		return 0.0;
	return minimum;
}

static bool is_selected(const bench_options *options, const bench_suite *suite)
{
	bool selected = options->suite_count == 0;
	for (int i = 0; i < options->suite_count; ++i)
		selected |= strcmp(options->suites[i], suite->name) == 0;
	return selected;
}

static bool suites_exist(const bench_options *options)
{
	for (int i = 0; i < options->suite_count; ++i) {
		bool exists = false;
		for (int k = 0; bench_suites[k]; ++k)
			exists |= strcmp(options->suites[i], bench_suites[k]->name) == 0;
		if (!exists) {
			fprintf(stderr, "rubble: no benchmark suite '%s'; there are:", options->suites[i]);
			for (int k = 0; bench_suites[k]; ++k)
				fprintf(stderr, " %s", bench_suites[k]->name);
			fprintf(stderr, "\n");
			return false;
		}
	}
	return true;
}

int bench_run(const bench_options *options)
{
	if (!suites_exist(options))
		return 2;
	bench *b = calloc(1, sizeof *b);
	if (!b) {
		fprintf(stderr, "rubble: out of memory\n");
		return 1;
	}
	b->options = options;
	for (int i = 0; bench_suites[i]; ++i) {
		b->suite = bench_suites[i];
		if (!is_selected(options, b->suite))
			continue;
		int begin = b->records.count, failures = b->failure_count;
		if (options->is_list)
			printf("%s: %s\n", b->suite->name, b->suite->about);
		b->suite->run(b);
		bench_growth(b, b->suite->name);
		begin_timed_case(b, "");
		clear_progress(b);
		if (!options->is_list && (b->records.count > begin || b->failure_count > failures)) {
			printf("%s%s: %s", begin ? "\n" : "", b->suite->name, b->suite->about);
			printf("%s\n", options->is_quick ? " (quick)" : "");
			bench_print_table(stdout, &b->records, begin);
			fflush(stdout);
		}
	}
	int status = b->failure_count ? 1 : 0;
	if (options->case_name && b->wanted_count == 0) {
		fprintf(stderr, "rubble: no benchmark case has '%s' in its name\n", options->case_name);
		status = 2;
	}
	if (options->json_path && !options->is_list && !save_json(b)) {
		fprintf(stderr, "rubble: cannot write %s\n", options->json_path);
		status = 1;
	}
	if (options->json_stream && !options->is_list &&
	    !bench_write_json(options->json_stream, &b->records)) {
		fprintf(stderr, "rubble: the rows cannot be kept\n");
		status = 1;
	}
	free(b->records.data);
	free(b);
	return status;
}
