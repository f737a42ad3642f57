// SPDX-License-Identifier: MIT
// Inner checks. They watch for our own bugs; user input is never checked by them.
//
// RBL_ASSERT    cheap, everywhere; in builds with RBL_CHECK_LEVEL >= 1
// RBL_VALIDATE  whole-structure checks; in builds with RBL_CHECK_LEVEL >= 2 (debug and CI)
#pragma once

#include <rubble/base.h>

#ifndef RBL_CHECK_LEVEL
#define RBL_CHECK_LEVEL 0
#endif

/// Report a failed check and abort.
_Noreturn void rbl_assert_failed(const char *condition, const char *file, int line);

#if RBL_CHECK_LEVEL >= 1
#define RBL_ASSERT(condition) \
	((condition) ? (void)0 : rbl_assert_failed(#condition, __FILE__, __LINE__))
#else
#define RBL_ASSERT(condition) ((void)sizeof(condition))
#endif

#if RBL_CHECK_LEVEL >= 2
#define RBL_VALIDATE(condition) RBL_ASSERT(condition)
#else
#define RBL_VALIDATE(condition) ((void)sizeof(condition))
#endif
