// SPDX-License-Identifier: MIT
// Tokens of text files: blanks, lines, comments, words.
#pragma once

#include "io/decimal.h"

#include <stddef.h>
#include <string.h>

static inline bool rbl_io_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static inline bool rbl_io_is_space(char c)
{
	return rbl_io_is_blank(c) || c == '\n';
}

/// @return the first non-blank character of this line, from `at` on.
static inline const char *rbl_io_skip_blanks(const char *at, const char *end)
{
	while (at < end && rbl_io_is_blank(*at))
		++at;
	return at;
}

/// @return the start of the next line, or the end.
static inline const char *rbl_io_next_line(const char *at, const char *end)
{
	const char *line_end = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
	return line_end ? line_end + 1 : end;
}

/// @return the first character that is neither white space nor in a comment from # to the end of
/// its line.
static inline const char *rbl_io_skip_spaces(const char *at, const char *end)
{
	for (;;) {
		while (at < end && rbl_io_is_space(*at))
			++at;
		if (at == end || *at != '#')
			return at;
		at = rbl_io_next_line(at, end);
	}
}

/// @return the end of the word at `at`.
static inline const char *rbl_io_word_end(const char *at, const char *end)
{
	while (at < end && !rbl_io_is_space(*at))
		++at;
	return at;
}

/// @return whether the bytes from `at` to `end` are `word`.
static inline bool rbl_io_is_word(const char *at, const char *end, const char *word)
{
	size_t length = strlen(word);
	return (size_t)(end - at) == length && memcmp(at, word, length) == 0;
}
