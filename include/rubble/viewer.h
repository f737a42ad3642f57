// SPDX-License-Identifier: MIT
//
// Films as web pages: one .html file that plays a film in three dimensions in any browser with
// WebGL 2, opened from a disk, without a server or a network.
#pragma once

#include <rubble/base.h>
#include <rubble/io.h>

/// What a page shows beside the film. Start from rbl_default_viewer_def().
typedef struct rbl_viewer_def {
	/// UTF-8, of the page and its window; NULL: "Rubble". Default NULL.
	const char *title;

	/// What the page says below the film, or instead of one: a JSON object as docs/reports.md
	/// describes it. NULL: nothing. Default NULL.
	const char *report;

	/// The most bytes of the file, >= 1 MiB; a film that is larger is thinned. Default 64 MiB.
	uint64_t size_limit;

	/// Memory of the work, and of what is written into memory.
	rbl_allocator allocator;

	/// Filled by rbl_default_viewer_def(). Leave it alone.
	uint32_t cookie;
} rbl_viewer_def;

/// @return a definition that works as it is. Threads: any.
RBL_API rbl_viewer_def rbl_default_viewer_def(void);

/// What became of a film in a page.
typedef struct rbl_viewer_info {
	/// Bytes of the file.
	uint64_t size;

	/// Whether something of the film was left out so that the file is no larger than its limit,
	/// and a sentence that says what, which the page says as well; else empty.
	bool is_thinned;
	char thinned[200];
} rbl_viewer_info;

/// Write a page. Textures are left out: materials have their plain colors.
/// @param path  UTF-8; an existing file is replaced
/// @param film  NULL for a page of the report alone
/// @param def   read during the call only; NULL for the defaults
/// @param info  receives what was written; NULL is fine
/// @return RBL_OK, RBL_BAD_ARGUMENT (also for a report that is no JSON object), RBL_IO_FAILED,
///         RBL_LIMIT_REACHED (the report alone is too large), RBL_OUT_OF_MEMORY
/// Threads: any that leave the film alone. Cost: O(n) in keys and triangles.
RBL_API rbl_result rbl_write_viewer(const char *path, const rbl_film *film,
                                    const rbl_viewer_def *def, rbl_viewer_info *info);

/// The same into memory.
/// @param bytes  receives the file, the caller's to free with rbl_free_bytes(); empty on failure
/// @return as rbl_write_viewer(). Threads: any that leave the film alone. Cost: as
/// rbl_write_viewer().
RBL_API rbl_result rbl_write_viewer_memory(const rbl_film *film, const rbl_viewer_def *def,
                                           rbl_file_bytes *bytes, rbl_viewer_info *info);
