// SPDX-License-Identifier: MIT
// Qhull: the exact hull of points.

#define _POSIX_C_SOURCE 200809L

#include "fracture_peers.h"

#include <libqhull_r/libqhull_r.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static fracture_peer_result hull(const double *points, int point_count, int repeat)
{
	fracture_peer_result result = { .ns = INFINITY };
	size_t bytes = 3 * sizeof(double) * (size_t)point_count;
	double *copy = malloc(bytes);
	for (int i = 0; copy && i < repeat; ++i) {
		qhT qh;
		char options[] = "qhull";
		memcpy(copy, points, bytes);
		memset(&qh, 0, sizeof qh);
		qh_zero(&qh, stderr);
		double begin = now_ns();
		int status = qh_new_qhull(&qh, 3, point_count, copy, 0, options, NULL, stderr);
		double ns = now_ns() - begin;
		result.ns = ns < result.ns ? ns : result.ns;
		if (status == 0) {
			qh_getarea(&qh, qh.facet_list);
			result.volume = qh.totvol;
			result.piece_count = qh.num_facets;
		} else {
			result.failed_count++;
		}
		int long_count, total;
		qh_freeqhull(&qh, !qh_ALL);
		qh_memfreeshort(&qh, &long_count, &total);
	}
	free(copy);
	return result;
}

const fracture_peer fracture_peer_qhull = { "qhull", NULL, NULL, hull };
