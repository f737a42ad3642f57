// SPDX-License-Identifier: MIT
// Text as JSON, also for the module of browsers, which has files of its own.

#include "files.h"

void put_json_text(FILE *file, const char *text)
{
	fputc('"', file);
	for (const char *c = text; *c; ++c) {
		if (*c == '"' || *c == '\\' || (unsigned char)*c < 32)
			fprintf(file, "\\u%04x", (unsigned char)*c);
		else
			fputc(*c, file);
	}
	fputc('"', file);
}
