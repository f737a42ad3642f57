// SPDX-License-Identifier: MIT
// Cases of the suite `field`: order, sphere trees, contacts, crack fields.
#pragma once

#include "bench.h"

/// Section 7 of Glondu et al. 2014 as far as it needs no world: update and query of a breaking
/// sphere, a rolling plate, a plate in a bowl, and the order of 100,000 points.
void bench_field_contacts(bench *b);
