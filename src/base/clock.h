// SPDX-License-Identifier: MIT
// The clock. Nothing that decides a result may read it.
#pragma once

#include <rubble/base.h>

/// @return nanoseconds since some fixed moment; never goes back. Threads: any.
uint64_t rbl_clock_ns(void);
