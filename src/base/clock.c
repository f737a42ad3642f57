// SPDX-License-Identifier: MIT
//
// The clock.

#define _POSIX_C_SOURCE 200809L

#include "base/clock.h"

#ifdef _WIN32

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

uint64_t rbl_clock_ns(void)
{
	LARGE_INTEGER now, frequency;
	QueryPerformanceCounter(&now);
	QueryPerformanceFrequency(&frequency);
	uint64_t ticks = (uint64_t)now.QuadPart, per_second = (uint64_t)frequency.QuadPart;
	return ticks / per_second * 1000000000u + ticks % per_second * 1000000000u / per_second;
}

#else

#include <time.h>

uint64_t rbl_clock_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#endif
