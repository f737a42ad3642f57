// SPDX-License-Identifier: MIT
//
// The progress line. It is drawn at most ten times a second.

#define _POSIX_C_SOURCE 200809L

#include "progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { FIRST_NS = 1000000000, NEXT_NS = 100000000 };

static uint64_t now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

bool progress_is_wanted(void)
{
	const char *terminal = getenv("TERM");
	return isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
}

progress progress_begin(const char *what)
{
	return (progress){ .what = what, .start_ns = now_ns(), .is_wanted = progress_is_wanted() };
}

void progress_format(char *text, int size, const char *what, double fraction, double seconds)
{
	int used = snprintf(text, (size_t)size, "%s %.0f %%", what, 100.0 * fraction);
	if (used < 0 || used >= size || fraction < 0.01)
		return;
	double left = seconds * (1.0 - fraction) / fraction;
	if (left < 90.0)
		snprintf(text + used, (size_t)(size - used), ", %.0f s left", left);
	else
		snprintf(text + used, (size_t)(size - used), ", %.0f min left", left / 60.0);
}

void progress_update(progress *line, double fraction)
{
	if (!line->is_wanted)
		return;
	uint64_t now = now_ns();
	if (now - line->start_ns < FIRST_NS || (line->shown_ns && now - line->shown_ns < NEXT_NS))
		return;
	line->shown_ns = now;
	char text[80];
	progress_format(text, sizeof text, line->what, fraction, (double)(now - line->start_ns) * 1e-9);
	fprintf(stderr, "\r\033[K%s", text);
	fflush(stderr);
}

void progress_end(progress *line)
{
	if (line->shown_ns)
		fprintf(stderr, "\r\033[K");
	line->shown_ns = 0;
}
