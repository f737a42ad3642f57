// SPDX-License-Identifier: MIT
//
// In place of io/medit_read.c: the core of the module has no reader of tetrahedra.

#include <rubble/io.h>

struct rbl_io_source;
rbl_result rbl_io_read_medit(struct rbl_io_source *source);

rbl_result rbl_io_read_medit(struct rbl_io_source *source)
{
	(void)source;
	rbl_log_text(RBL_LOG_ERROR, "MEDIT files are read by rubble.wasm, not by its core");
	return RBL_UNSUPPORTED;
}
