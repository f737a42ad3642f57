// SPDX-License-Identifier: MIT
// Kernels: functions compiled once per SIMD back end and chosen at run time.
//
// A kernel lives in a file whose name ends in _kernels.c. The build compiles that file two or
// three times, and RBL_KERNEL gives the function a name of its own each time:
//
//     // sphere_kernels.h: declares rbl_sum_squares_plain, _four and _eight
//     #include "base/kernel.h"
//     RBL_DECLARE_KERNEL(float, rbl_sum_squares, (const float *values, int count));
//
//     // sphere_kernels.c
//     #include "sphere_kernels.h"
//     #include "base/simd.h"
//     float RBL_KERNEL(rbl_sum_squares)(const float *values, int count)
//     {
//         rbl_f8 sum = rbl_f8_zero();
//         int i = 0;
//         for (; i + 8 <= count; i += 8) {
//             rbl_f8 a = rbl_f8_load(values + i);
//             sum = rbl_f8_add(sum, rbl_f8_mul(a, a));
//         }
//         rbl_f8 rest = rbl_f8_load_first(values + i, count - i);
//         return rbl_f8_sum(rbl_f8_add(sum, rbl_f8_mul(rest, rest)));
//     }
//
//     // anywhere else
//     float s = RBL_PICK(rbl_sum_squares)(values, count);
//
// Everything else in a kernel file is static. Lane types stay inside it: parameters are pointers
// and scalars. A call costs one load and a branch that predicts well, so hand a kernel a batch.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

/// The back ends, in rising order.
typedef enum rbl_backend {
	RBL_BACKEND_PLAIN,
	RBL_BACKEND_FOUR,
	RBL_BACKEND_EIGHT,
	RBL_BACKEND_COUNT,
} rbl_backend;

// Which back ends the build compiles for this target: the same rule as in the build's files.
#if defined __x86_64__
#define RBL_HAS_FOUR 1
#define RBL_HAS_EIGHT 1
#elif defined __aarch64__ || defined __wasm_simd128__
#define RBL_HAS_FOUR 1
#define RBL_HAS_EIGHT 0
#else
#define RBL_HAS_FOUR 0
#define RBL_HAS_EIGHT 0
#endif

/// For `static inline` functions of which constant arguments are to make several: inline them
/// wherever they are called.
#define RBL_ALWAYS_INLINE __attribute__((always_inline))

/// For functions that are rarely called: never inline them, so that their callers stay small.
#define RBL_NEVER_INLINE __attribute__((noinline))

/// Declare every form of a kernel: RBL_DECLARE_KERNEL(result, name, (parameters));
#define RBL_DECLARE_KERNEL(result, name, parameters) \
	result name##_plain parameters;                  \
	result name##_four parameters;                   \
	result name##_eight parameters

/// The name of a kernel in the back end that this file is being compiled for.
#if !defined RBL_SIMD_BACKEND || RBL_SIMD_BACKEND == 0
#define RBL_KERNEL(name) name##_plain
#elif RBL_SIMD_BACKEND == 1
#define RBL_KERNEL(name) name##_four
#else
#define RBL_KERNEL(name) name##_eight
#endif

/// One form of a kernel, by back end; the backend must be available.
#if defined RBL_NO_PLAIN && RBL_HAS_EIGHT
#define RBL_KERNEL_OF(name, backend) ((backend) == RBL_BACKEND_EIGHT ? name##_eight : name##_four)
#elif defined RBL_NO_PLAIN && RBL_HAS_FOUR
#define RBL_KERNEL_OF(name, backend) ((void)(backend), name##_four)
#elif RBL_HAS_EIGHT
#define RBL_KERNEL_OF(name, backend)                \
	((backend) == RBL_BACKEND_EIGHT  ? name##_eight \
	 : (backend) == RBL_BACKEND_FOUR ? name##_four  \
	                                 : name##_plain)
#elif RBL_HAS_FOUR
#define RBL_KERNEL_OF(name, backend) ((backend) == RBL_BACKEND_FOUR ? name##_four : name##_plain)
#else
#define RBL_KERNEL_OF(name, backend) ((void)(backend), name##_plain)
#endif

/// The best form of a kernel on this processor, or the forced one.
#define RBL_PICK(name) RBL_KERNEL_OF(name, rbl_current_backend())

// The choice, plus one; zero until the first call.
extern atomic_int rbl_backend_choice;

/// @return the best back end that this processor and this build have. Threads: any.
rbl_backend rbl_best_backend(void);

/// Use one back end from now on, for tests and benchmarks; results never depend on it.
/// @return false, and nothing changes, when this processor or build lacks it. Threads: any.
bool rbl_force_backend(rbl_backend backend);

/// @return the back end in use. Threads: any.
static inline rbl_backend rbl_current_backend(void)
{
	int choice = atomic_load_explicit(&rbl_backend_choice, memory_order_relaxed);
	return choice ? (rbl_backend)(choice - 1) : rbl_best_backend();
}

/// @return "plain", "four" or "eight".
const char *rbl_backend_name(rbl_backend backend);
