// SPDX-License-Identifier: MIT
//
// In place of io/obj_read.c, ply_read.c, stl_read.c, off_read.c and medit_read.c: the core of the module reads glTF.

#include <rubble/io.h>

#include <stdio.h>

struct rbl_io_source;

static rbl_result refuse(const char *format)
{
	char text[80];
	snprintf(text, sizeof text, "%s files are read by rubble.wasm, not by its core", format);
	rbl_log_text(RBL_LOG_ERROR, text);
	return RBL_UNSUPPORTED;
}

#define READER(name, format)                                     \
	rbl_result rbl_io_read_##name(struct rbl_io_source *source); \
	rbl_result rbl_io_read_##name(struct rbl_io_source *source)  \
	{                                                            \
		(void)source;                                            \
		return refuse(format);                                   \
	}

READER(obj, "OBJ")
READER(ply, "PLY")
READER(stl, "STL")
READER(off, "OFF")
READER(medit, "MEDIT")
