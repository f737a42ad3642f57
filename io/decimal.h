// SPDX-License-Identifier: MIT
// Parsing and printing decimal numbers, independent of the locale.
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// Capacity for any formatted number.
#define RBL_IO_NUMBER_LENGTH 40

/// Read a decimal number ([+-] digits [. digits] [e [+-] digits]) that starts at *at.
/// @param value  receives the double nearest to the number, ties to even; infinity beyond range
/// @return false, with *at unchanged, when no number is there. *at moves past the number.
bool rbl_io_parse_double(const char **at, const char *end, double *value);

/// Read a whole number ([+-] digits). Numbers beyond 64 bits are clamped.
bool rbl_io_parse_int(const char **at, const char *end, int64_t *value);

/// Write the shortest decimal that reads back as the same number. @return its length.
int rbl_io_format_double(double value, char *out);
int rbl_io_format_float(float value, char *out);
int rbl_io_format_int(int64_t value, char *out);
