// SPDX-License-Identifier: MIT
//
// The progress line. A timer signal draws it, four times a second on a terminal: long calls of the
// library need no hooks. Everything that the handler calls is safe in a handler: no printf.

#include "progress.h"

#include "errors.h"
#include "system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECOND ((uint64_t)1000000000)
static const uint64_t first_ns[] = { 0, SECOND, 10 * SECOND },
					  next_ns[] = { 0, SECOND / 4, 60 * SECOND };

static progress *volatile shown;

bool progress_is_wanted(void)
{
	return !is_quiet() && stderr_is_terminal();
}

static int append_text(char *to, int size, int used, const char *text)
{
	while (*text && used + 1 < size)
		to[used++] = *text++;
	to[used] = '\0';
	return used;
}

static int append_number(char *to, int size, int used, double value)
{
	char digits[24];
	int at = (int)sizeof digits - 1;
	unsigned long long rest = value > 0.0 ? (unsigned long long)(value + 0.5) : 0;
	digits[at] = '\0';
	do {
		digits[--at] = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest > 0 && at > 0);
	return append_text(to, size, used, digits + at);
}

static int append_time(char *to, int size, int used, double seconds)
{
	used = append_number(to, size, used, seconds < 90.0 ? seconds : seconds / 60.0);
	return append_text(to, size, used, seconds < 90.0 ? " s" : " min");
}

void progress_format(char *text, int size, const char *what, double fraction, double seconds)
{
	int used = append_text(text, size, 0, what);
	if (fraction < 0.0) {
		used = append_text(text, size, used, ", ");
		append_time(text, size, used, seconds);
		return;
	}
	used = append_text(text, size, used, " ");
	used = append_number(text, size, used, 100.0 * fraction);
	used = append_text(text, size, used, " %");
	if (fraction < 0.01)
		return;
	used = append_text(text, size, used, ", ");
	used = append_time(text, size, used, seconds * (1.0 - fraction) / fraction);
	append_text(text, size, used, " left");
}

static void put(const char *text)
{
	put_on_stderr(text, strlen(text));
}

bool progress_draw(progress *line, uint64_t now)
{
	if (line->kind == PROGRESS_NONE || now - line->start_ns < first_ns[line->kind] ||
	    (line->shown_ns && now - line->shown_ns < next_ns[line->kind]))
		return false;
	line->shown_ns = now;
	char text[120];
	int size = (int)sizeof text;
	int used = append_text(text, size, 0, line->kind == PROGRESS_LINE ? "\r\033[K" : "rubble: ");
	progress_format(text + used, size - used - 1, line->what, (double)line->per_mille / 1000.0,
	                (double)(now - line->start_ns) * 1e-9);
	if (line->kind == PROGRESS_LOG)
		append_text(text, size, (int)strlen(text), "\n");
	put(text);
	return true;
}

void progress_wipe(void)
{
	progress *line = shown;
	shown = NULL;
	if (line && line->kind == PROGRESS_LINE && line->shown_ns)
		put("\r\033[K");
}

static void on_timer(void)
{
	progress *line = shown;
	if (line)
		progress_draw(line, monotonic_ns());
}

void progress_begin(progress *line, const char *what)
{
	line->what = what;
	line->start_ns = monotonic_ns();
	line->shown_ns = 0;
	line->kind = is_quiet() ? PROGRESS_NONE : progress_is_wanted() ? PROGRESS_LINE : PROGRESS_LOG;
	line->per_mille = -1;
	if (line->kind == PROGRESS_NONE)
		return;
	shown = line;
	on_quarter_second(on_timer);
}

void progress_update(progress *line, double fraction)
{
	line->per_mille = (sig_atomic_t)(1000.0 * fraction);
}

void progress_end(progress *line)
{
	if (shown != line)
		return;
	on_quarter_second(NULL);
	progress_wipe();
	line->shown_ns = 0;
}
