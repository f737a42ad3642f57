// SPDX-License-Identifier: MIT
//
// Which SIMD back end this processor can run. Asked once and remembered; several threads may ask
// at once, and all of them find the same answer.

#include "base/kernel.h"

// Masks of lanes are read and written as words, and files are little-endian.
#if defined __BYTE_ORDER__ && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "Rubble needs a little-endian processor"
#endif

#if RBL_HAS_EIGHT
#include <cpuid.h>
#endif

atomic_int rbl_backend_choice;

#if RBL_HAS_EIGHT
// Every instruction set that the build allows in files of back end eight.
static bool runs_eight(void)
{
	unsigned a, b, c = 0, d;
	bool has_lzcnt = __get_cpuid(0x80000001u, &a, &b, &c, &d) && (c & 1u << 5);
	__builtin_cpu_init();
	return has_lzcnt && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
	       __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}
#endif

static rbl_backend find_best(void)
{
#if RBL_HAS_EIGHT
	if (runs_eight())
		return RBL_BACKEND_EIGHT;
#endif
	return RBL_HAS_FOUR ? RBL_BACKEND_FOUR : RBL_BACKEND_PLAIN;
}

rbl_backend rbl_best_backend(void)
{
	rbl_backend best = find_best();
	int unset = 0;
	atomic_compare_exchange_strong_explicit(&rbl_backend_choice, &unset, (int)best + 1,
	                                        memory_order_relaxed, memory_order_relaxed);
	return best;
}

bool rbl_force_backend(rbl_backend backend)
{
#if defined RBL_NO_PLAIN && RBL_HAS_FOUR
	const rbl_backend least = RBL_BACKEND_FOUR;
#else
	const rbl_backend least = RBL_BACKEND_PLAIN;
#endif
	if ((int)backend < (int)least || backend > find_best())
		return false;
	atomic_store_explicit(&rbl_backend_choice, (int)backend + 1, memory_order_relaxed);
	return true;
}

const char *rbl_backend_name(rbl_backend backend)
{
	static const char *const names[] = { "plain", "four", "eight" };
	return (unsigned)backend < RBL_BACKEND_COUNT ? names[backend] : "none";
}
