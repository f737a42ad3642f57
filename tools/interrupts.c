// SPDX-License-Identifier: MIT
//
// Ctrl-C. The library writes a file beside its name and renames it when it is whole, so an
// interrupt leaves the old file or the new one; the part is removed here.

#include "interrupts.h"

#include "options.h"
#include "progress.h"
#include "system.h"

#include <signal.h>
#include <stdio.h>

static volatile sig_atomic_t is_deferred, was_interrupted, has_unfinished;
static char unfinished[4096];

static void on_interrupt(void)
{
	if (is_deferred && !was_interrupted) {
		was_interrupted = 1;
		return;
	}
	progress_wipe();
	end_at_once(STATUS_INTERRUPTED, has_unfinished ? unfinished : NULL);
}

void watch_interrupts(void)
{
	on_ctrl_c(on_interrupt);
}

void defer_interrupts(void)
{
	is_deferred = 1;
}

bool is_interrupted(void)
{
	return was_interrupted != 0;
}

void set_unfinished_file(const char *path)
{
	has_unfinished = 0;
	if (!path)
		return;
	int length = snprintf(unfinished, sizeof unfinished, "%s.part", path);
	has_unfinished = length > 0 && length < (int)sizeof unfinished;
}
