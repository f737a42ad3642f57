// SPDX-License-Identifier: MIT
// The least time of a function over some runs.
#pragma once

#include <chrono>

inline double peer_now_ns()
{
	auto now = std::chrono::steady_clock::now().time_since_epoch();
	return (double)std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

// `prepare` is not timed, `work` is.
template <class Prepare, class Work> double peer_least_ns(int repeat, Prepare prepare, Work work)
{
	double least = 1e300;
	for (int i = 0; i < repeat; ++i) {
		prepare(i);
		double start = peer_now_ns();
		work(i);
		double time = peer_now_ns() - start;
		least = time < least ? time : least;
	}
	return least;
}
