// SPDX-License-Identifier: MIT
//
// The system is Windows. Paths are UTF-8 and go through the wide functions.

#include "system.h"

#ifdef _WIN32

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <shellapi.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_PATH = 4096 };

static void (*interrupt_handler)(void), (*timer_handler)(void);
static HANDLE timer;

static bool widen(const char *text, wchar_t *wide)
{
	return MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, wide, LONGEST_PATH) > 0;
}

static char *narrow(const wchar_t *wide)
{
	int size = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
	char *text = malloc(size > 0 ? (size_t)size : 1);
	if (!text)
		exit(1);
	text[0] = '\0';
	WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, size, NULL, NULL);
	return text;
}

// Texts live as long as the program.
void prepare_program(int *argc, char ***argv)
{
	_setmode(_fileno(stdin), _O_BINARY);
	_setmode(_fileno(stdout), _O_BINARY);
	int count = 0;
	wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &count);
	if (!wide)
		return;
	char **texts = calloc((size_t)count + 1, sizeof *texts);
	if (!texts)
		exit(1);
	for (int i = 0; i < count; ++i)
		texts[i] = narrow(wide[i]);
	LocalFree(wide);
	*argc = count;
	*argv = texts;
}

void lock_stderr(void)
{
	_lock_file(stderr);
}

void unlock_stderr(void)
{
	_unlock_file(stderr);
}

uint64_t monotonic_ns(void)
{
	LARGE_INTEGER now, frequency;
	QueryPerformanceCounter(&now);
	QueryPerformanceFrequency(&frequency);
	uint64_t ticks = (uint64_t)now.QuadPart, per_second = (uint64_t)frequency.QuadPart;
	return ticks / per_second * 1000000000u + ticks % per_second * 1000000000u / per_second;
}

bool stderr_is_terminal(void)
{
	DWORD mode;
	HANDLE handle = GetStdHandle(STD_ERROR_HANDLE);
	return GetConsoleMode(handle, &mode) &&
	       SetConsoleMode(handle, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

void put_on_stderr(const char *text, size_t length)
{
	DWORD written;
	WriteFile(GetStdHandle(STD_ERROR_HANDLE), text, (DWORD)length, &written, NULL);
}

static BOOL WINAPI on_event(DWORD event)
{
	if (event != CTRL_C_EVENT || !interrupt_handler)
		return FALSE;
	interrupt_handler();
	return TRUE;
}

void on_ctrl_c(void (*handler)(void))
{
	interrupt_handler = handler;
	SetConsoleCtrlHandler(on_event, TRUE);
}

static void CALLBACK on_time(void *context, BOOLEAN is_due)
{
	(void)context, (void)is_due;
	timer_handler();
}

void on_quarter_second(void (*handler)(void))
{
	if (timer)
		(void)DeleteTimerQueueTimer(NULL, timer, INVALID_HANDLE_VALUE);
	timer = NULL;
	timer_handler = handler;
	if (handler && !CreateTimerQueueTimer(&timer, NULL, on_time, NULL, 250, 250, 0))
		timer = NULL;
}

void end_at_once(int status, const char *path)
{
	wchar_t wide[LONGEST_PATH];
	if (path && widen(path, wide))
		DeleteFileW(wide);
	_exit(status);
}

FILE *open_file(const char *path, const char *mode)
{
	wchar_t wide[LONGEST_PATH], wide_mode[16];
	if (!widen(path, wide) || strlen(mode) >= 16 || !widen(mode, wide_mode)) {
		errno = EINVAL;
		return NULL;
	}
	return _wfopen(wide, wide_mode);
}

long long read_file_head(const char *path, void *head, size_t size)
{
	wchar_t wide[LONGEST_PATH];
	if (!widen(path, wide))
		return -1;
	HANDLE file = CreateFileW(wide, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL,
	                          OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, NULL);
	if (file == INVALID_HANDLE_VALUE)
		return -1;
	DWORD got = 0;
	bool is_read = GetFileType(file) == FILE_TYPE_DISK &&
	               ReadFile(file, head, size < 1 << 30 ? (DWORD)size : 1 << 30, &got, NULL);
	CloseHandle(file);
	return is_read ? (long long)got : -1;
}

int create_folder(const char *path)
{
	wchar_t wide[LONGEST_PATH];
	if (!widen(path, wide))
		return EINVAL;
	if (CreateDirectoryW(wide, NULL))
		return 0;
	DWORD about = GetFileAttributesW(wide);
	if (about != INVALID_FILE_ATTRIBUTES && about & FILE_ATTRIBUTE_DIRECTORY)
		return 0;
	return GetLastError() == ERROR_PATH_NOT_FOUND ? ENOENT : EACCES;
}

bool path_exists(const char *path)
{
	wchar_t wide[LONGEST_PATH];
	return widen(path, wide) && GetFileAttributesW(wide) != INVALID_FILE_ATTRIBUTES;
}

// @return false: there is no such file
static bool identify(const char *path, BY_HANDLE_FILE_INFORMATION *about)
{
	wchar_t wide[LONGEST_PATH];
	if (!widen(path, wide))
		return false;
	HANDLE file = CreateFileW(wide, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
	                          OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
	bool is_found = file != INVALID_HANDLE_VALUE && GetFileInformationByHandle(file, about);
	if (file != INVALID_HANDLE_VALUE)
		CloseHandle(file);
	return is_found;
}

bool are_one_file(const char *a, const char *b)
{
	BY_HANDLE_FILE_INFORMATION a_is, b_is;
	bool a_exists = identify(a, &a_is);
	if (!a_exists || !identify(b, &b_is))
		return !a_exists && strcmp(a, b) == 0;
	return a_is.dwVolumeSerialNumber == b_is.dwVolumeSerialNumber &&
	       a_is.nFileIndexHigh == b_is.nFileIndexHigh && a_is.nFileIndexLow == b_is.nFileIndexLow;
}

bool open_text_stream(text_stream *stream)
{
	*stream = (text_stream){ .file = tmpfile() };
	return stream->file != NULL;
}

bool close_text_stream(text_stream *stream)
{
	bool is_whole = fflush(stream->file) == 0;
	long size = is_whole ? ftell(stream->file) : -1;
	if (size >= 0) {
		rewind(stream->file);
		stream->text = malloc((size_t)size + 1);
		is_whole =
			stream->text && fread(stream->text, 1, (size_t)size, stream->file) == (size_t)size;
	}
	fclose(stream->file);
	if (!is_whole || size < 0) {
		free(stream->text);
		stream->text = NULL;
		return false;
	}
	stream->size = (size_t)size;
	stream->text[size] = '\0';
	return true;
}

#endif
