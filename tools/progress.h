// SPDX-License-Identifier: MIT
// How far a long job is: a line on a terminal, which appears after a second and is wiped away at the
// end. Where stderr goes elsewhere, a line of text after ten seconds and one a minute from then on.
//
//     progress line;
//     progress_begin(&line, "cutting");
//     for (int i = 0; i < count; ++i) {
//         progress_update(&line, (double)i / count);
//         ...
//     }
//     progress_end(&line);
//
// A timer draws it, so a job that cannot tell how far it is shows the seconds it takes.
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum progress_kind {
	PROGRESS_NONE,
	PROGRESS_LINE, // on a terminal
	PROGRESS_LOG,  // lines of text
} progress_kind;

typedef struct progress {
	const char *what;
	uint64_t start_ns, shown_ns; // shown_ns: last time it was drawn, 0 for never
	progress_kind kind;
	volatile sig_atomic_t per_mille; // done so far; -1 not known
} progress;

/// @return whether stderr is a terminal that can show such a line.
bool progress_is_wanted(void);

/// Begin a line. One is shown at a time: the last that began.
void progress_begin(progress *line, const char *what);

/// Cheap enough to call in every turn of a loop that takes a microsecond.
/// @param fraction  done so far, 0 to 1
void progress_update(progress *line, double fraction);

void progress_end(progress *line);

/// Draw the line if it is time to. The timer calls it, and tests do.
/// @return whether it was drawn
bool progress_draw(progress *line, uint64_t now_ns);

/// Write the line's text: "cutting 42 %, 3 s left", or "cutting, 12 s" for a fraction below 0. Safe
/// in signal handlers.
void progress_format(char *text, int size, const char *what, double fraction, double seconds);

/// Wipe a line that is shown, from a signal handler.
void progress_wipe(void);
