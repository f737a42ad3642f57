// SPDX-License-Identifier: MIT
// One log line with the detail behind a result: which field, face, line or value.
#pragma once

#include <rubble/base.h>

/// Format one line and hand it to the log function, if there is one.
void rbl_log(rbl_log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// Log an error and return `result`, so that a refusal is one statement:
/// `return rbl_fail(RBL_BAD_ARGUMENT, "cell_count is %d, must be 1 to %d", ...)`.
rbl_result rbl_fail(rbl_result result, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
