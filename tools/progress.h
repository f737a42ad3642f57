// SPDX-License-Identifier: MIT
// A line on a terminal that says how far a long job is. It appears after a second, never when
// stderr goes elsewhere, and is wiped away at the end.
//
//     progress line = progress_begin("cutting");
//     for (int i = 0; i < count; ++i) {
//         progress_update(&line, (double)i / count);
//         ...
//     }
//     progress_end(&line);
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct progress {
	const char *what;
	uint64_t start_ns, shown_ns; // shown_ns: last time it was drawn, 0 for never
	bool is_wanted;
} progress;

/// @return whether stderr is a terminal that can show such a line.
bool progress_is_wanted(void);

progress progress_begin(const char *what);

/// Cheap enough to call in every turn of a loop that takes a microsecond.
/// @param fraction  done so far, 0 to 1
void progress_update(progress *line, double fraction);

void progress_end(progress *line);

/// Write the line's text: "cutting 42 %, 3 s left". For tests and other displays.
void progress_format(char *text, int size, const char *what, double fraction, double seconds);
