// SPDX-License-Identifier: MIT
//
// The room `surface`.

#include "surface_accelerators.h"
#include "surface_answers.h"
#include "surface_distances.h"
#include "surface_edits.h"
#include "surface_metrics.h"
#include "surface_models.h"
#include "surface_scenes.h"
#include "surface_searches.h"
#include "surface_tests.h"

static void run(bench *b)
{
	surface_run_models(b);
	surface_run_scenes(b);
	surface_run_accelerators(b);
	surface_run_distances(b);
	surface_run_edits(b);
	surface_run_answers(b);
	surface_run_searches(b);
	surface_run_metrics(b);
	surface_run_tests(b);
}

const bench_suite bench_suite_surface = { "surface",
	                                      "deforming surfaces: models, scenes, tests, filters",
	                                      run };
