// SPDX-License-Identifier: MIT
//
// The system is POSIX.

#define _XOPEN_SOURCE 700

#include "system.h"

#ifndef _WIN32

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static void (*interrupt_handler)(void), (*timer_handler)(void);

void prepare_program(int *argc, char ***argv)
{
	(void)argc, (void)argv;
}

void lock_stderr(void)
{
	flockfile(stderr);
}

void unlock_stderr(void)
{
	funlockfile(stderr);
}

uint64_t monotonic_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

bool stderr_is_terminal(void)
{
	const char *terminal = getenv("TERM");
	return isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
}

void put_on_stderr(const char *text, size_t length)
{
	ssize_t written = write(STDERR_FILENO, text, length);
	(void)written;
}

static void on_signal(int number)
{
	void (*handler)(void) = number == SIGINT ? interrupt_handler : timer_handler;
	if (handler)
		handler();
}

void on_ctrl_c(void (*handler)(void))
{
	interrupt_handler = handler;
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART }, old;
	sigaction(SIGINT, &action, &old);
	if (old.sa_handler == SIG_IGN) // started in the background: it stays ignored
		sigaction(SIGINT, &old, NULL);
}

void on_quarter_second(void (*handler)(void))
{
	struct itimerval interval = { { 0, handler ? 250000 : 0 }, { 0, handler ? 250000 : 0 } };
	if (handler) {
		timer_handler = handler;
		struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
		sigaction(SIGALRM, &action, NULL);
	}
	setitimer(ITIMER_REAL, &interval, NULL);
}

void end_at_once(int status, const char *path)
{
	if (path)
		unlink(path);
	_exit(status);
}

FILE *open_file(const char *path, const char *mode)
{
	return fopen(path, mode);
}

// As the library opens files: without blocking, and checked once it is open.
long long read_file_head(const char *path, void *head, size_t size)
{
	int handle = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	if (handle < 0)
		return -1;
	struct stat about;
	ssize_t got = -1;
	if (fstat(handle, &about) == 0 && S_ISREG(about.st_mode))
		got = read(handle, head, size);
	close(handle);
	return got;
}

int create_folder(const char *path)
{
	struct stat about;
	if (mkdir(path, 0777) == 0)
		return 0;
	int reason = errno;
	return stat(path, &about) == 0 && S_ISDIR(about.st_mode) ? 0 : reason;
}

bool path_exists(const char *path)
{
	struct stat about;
	return stat(path, &about) == 0;
}

bool are_one_file(const char *a, const char *b)
{
	struct stat a_is, b_is;
	bool a_exists = stat(a, &a_is) == 0;
	if (!a_exists || stat(b, &b_is) != 0)
		return !a_exists && strcmp(a, b) == 0;
	return S_ISREG(a_is.st_mode) && a_is.st_dev == b_is.st_dev && a_is.st_ino == b_is.st_ino;
}

bool open_text_stream(text_stream *stream)
{
	*stream = (text_stream){ 0 };
	stream->file = open_memstream(&stream->text, &stream->size);
	return stream->file != NULL;
}

bool close_text_stream(text_stream *stream)
{
	if (fclose(stream->file) == 0)
		return true;
	free(stream->text);
	stream->text = NULL;
	return false;
}

#endif
