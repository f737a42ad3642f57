// SPDX-License-Identifier: MIT
//
// JSON of a .glb being written: strings, numbers, and text that is handed on.

#include "io/glb.h"

// The length of the UTF-8 character at `text`, 0 if it is invalid.
static int character_length(const unsigned char *text)
{
	int length = text[0] < 0x80   ? 1
	             : text[0] < 0xc2 ? 0
	             : text[0] < 0xe0 ? 2
	             : text[0] < 0xf0 ? 3
	             : text[0] < 0xf5 ? 4
	                              : 0;
	for (int i = 1; i < length; ++i) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
	}
	if ((text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xed && text[1] > 0x9f) ||
	    (text[0] == 0xf0 && text[1] < 0x90) || (text[0] == 0xf4 && text[1] > 0x8f))
		return 0; // overlong, surrogate, or beyond U+10FFFF
	return length;
}

// A JSON string; invalid UTF-8 becomes question marks.
void rbl_glb_put_string(rbl_io_output *json, const char *text)
{
	rbl_io_put(json, "\"", 1);
	for (const unsigned char *at = (const unsigned char *)text; *at;) {
		int length = character_length(at);
		if (length == 0)
			rbl_io_put(json, "?", 1);
		else if (*at == '"' || *at == '\\' || *at < 32)
			rbl_io_put_format(json, "\\u%04x", *at);
		else
			rbl_io_put(json, at, (size_t)length);
		at += length ? length : 1;
	}
	rbl_io_put(json, "\"", 1);
}

void rbl_glb_put_name(rbl_io_output *json, const char *name)
{
	if (!name || !*name)
		return;
	rbl_io_put_text(json, "\"name\":");
	rbl_glb_put_string(json, name);
	rbl_io_put_text(json, ",");
}

void rbl_glb_put_numbers(rbl_io_output *json, const float *values, int count)
{
	rbl_io_put(json, "[", 1);
	for (int i = 0; i < count; ++i) {
		if (i > 0)
			rbl_io_put(json, ",", 1);
		rbl_io_put_float(json, values[i]);
	}
	rbl_io_put(json, "]", 1);
}

void rbl_glb_put_bounds(rbl_io_output *json, const float *values, int count)
{
	rbl_io_put(json, "[", 1);
	for (int i = 0; i < count; ++i) {
		if (i > 0)
			rbl_io_put(json, ",", 1);
		rbl_io_put_double(json, (double)values[i]);
	}
	rbl_io_put(json, "]", 1);
}

void rbl_glb_put_member(rbl_io_output *json, const char *key, const char *source)
{
	if (!source)
		return;
	rbl_io_put_format(json, "\"%s\":", key);
	rbl_io_put_text(json, source);
	rbl_io_put_text(json, ",");
}

void rbl_glb_close(rbl_io_output *json, const char *sign)
{
	if (json->size > 0 && json->data[json->size - 1] == ',')
		json->size--;
	rbl_io_put_text(json, sign);
}
