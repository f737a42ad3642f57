// SPDX-License-Identifier: MIT
// Parts of the suite `field` that live in files of their own.
#pragma once

#include "bench.h"

/// Fields of meshes: building, bytes, errors, evaluation.
void field_run_assets(bench *b);

/// How late contacts notice that falling bodies touch.
void field_run_first_touch(bench *b);

/// Worlds of section 7 of Glondu et al. 2014: whole steps in all variants.
void field_run_worlds(bench *b);

/// Fields of fragments: the update at a break, evaluation of pieces and of bonded unions.
void field_run_fragments(bench *b);

/// Compounds after a break: their fields and shapes; and sweeps of bodies.
void field_run_compounds(bench *b);
