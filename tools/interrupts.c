// SPDX-License-Identifier: MIT
//
// Ctrl-C. The library writes a file beside its name and renames it when it is whole, so an
// interrupt leaves the old file or the new one; the part is removed here.

#define _POSIX_C_SOURCE 200809L

#include "interrupts.h"

#include "options.h"
#include "progress.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static volatile sig_atomic_t is_deferred, was_interrupted, has_unfinished;
static char unfinished[4096];

static void on_interrupt(int signal)
{
	(void)signal;
	if (is_deferred && !was_interrupted) {
		was_interrupted = 1;
		return;
	}
	if (has_unfinished)
		unlink(unfinished);
	progress_wipe();
	_exit(STATUS_INTERRUPTED);
}

void watch_interrupts(void)
{
	struct sigaction action = { .sa_handler = on_interrupt, .sa_flags = SA_RESTART }, old;
	sigaction(SIGINT, &action, &old);
	if (old.sa_handler == SIG_IGN) // started in the background: it stays ignored
		sigaction(SIGINT, &old, NULL);
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
