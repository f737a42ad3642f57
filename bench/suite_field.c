// SPDX-License-Identifier: MIT
//
// Distance fields and contacts by them (Glondu et al. 2014).

#include "field_contacts.h"

static void run(bench *b)
{
	bench_field_contacts(b);
}

const bench_suite bench_suite_field = { "field", "distance fields, sphere trees, contacts", run };
