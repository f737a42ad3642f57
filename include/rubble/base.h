// SPDX-License-Identifier: MIT
// What every other header rests on: version, results, memory, log and assert hooks.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RBL_VERSION_MAJOR 0
#define RBL_VERSION_MINOR 1
#define RBL_VERSION_PATCH 0

#ifdef __cplusplus
#define RBL_EXTERN_C extern "C"
#else
#define RBL_EXTERN_C
#endif

/// Marks the functions of the public face. Everything else is hidden.
#if defined(_WIN32) && defined(RBL_BUILDING)
#define RBL_API RBL_EXTERN_C __declspec(dllexport)
#elif defined(_WIN32)
#define RBL_API RBL_EXTERN_C
#else
#define RBL_API RBL_EXTERN_C __attribute__((visibility("default")))
#endif

/// What a call that can fail returns. rbl_last_error() has the detail: field, face, line or value.
typedef enum rbl_result {
	RBL_OK = 0,
	/// The caller passed something wrong: null, NaN, out of range, a definition without defaults.
	RBL_BAD_ARGUMENT,
	/// The allocator returned NULL. What existed before the call is as it was.
	RBL_OUT_OF_MEMORY,
	/// An id whose thing is gone, or that never existed.
	RBL_STALE_ID,
	/// A mesh that the operation cannot work with: open, non-manifold, empty.
	RBL_BAD_MESH,
	/// A stated limit would be exceeded, such as RBL_MAX_CONVEX_FACES.
	RBL_LIMIT_REACHED,
	/// The bytes are not what the format says. The log has line or offset.
	RBL_BAD_FILE,
	/// The operating system refused to open, read or write.
	RBL_IO_FAILED,
	/// The input is right, and this build or version does not handle it.
	RBL_UNSUPPORTED,
	RBL_RESULT_COUNT
} rbl_result;

/// @return a short English sentence, never NULL, also for values that are no result. Threads: any.
RBL_API const char *rbl_result_text(rbl_result result);

/// @return the version of the library that is linked, as major * 10000 + minor * 100 + patch.
/// Threads: any.
RBL_API int rbl_version(void);

/// Where memory comes from. Copied by value into whatever is created with it, so the functions
/// and `user` must live as long as that. All zero means the process's default.
typedef struct rbl_allocator {
	/// @return `size` bytes (> 0) aligned to `alignment`, a power of two, or NULL.
	/// Threads: worker.
	void *(*allocate)(void *user, size_t size, size_t alignment);

	/// Takes back what `allocate` returned, with the same size. Never called with NULL.
	/// Threads: worker.
	void (*release)(void *user, void *memory, size_t size);

	/// Passed to both.
	void *user;
} rbl_allocator;

/// How much a log line matters.
typedef enum rbl_log_level {
	RBL_LOG_ERROR = 0,
	RBL_LOG_WARNING,
	RBL_LOG_INFO,
} rbl_log_level;

/// Receives one line, without line end. Threads: worker.
typedef void rbl_log_function(void *user, rbl_log_level level, const char *text);

/// Why the last call of this thread that failed did so: a sentence that names the field, face, line
/// or value. It explains a null id, too. Calls that succeed leave it as it was, so look at what the
/// call returned first.
/// @return never NULL, empty before the first failure; valid until this thread's next call fails
/// Threads: any.
RBL_API const char *rbl_last_error(void);

/// Send the log somewhere; NULL silences it. At start it is silent; in debug builds of the library
/// errors and warnings go to stderr.
/// Threads: before other calls, or between them.
RBL_API void rbl_set_log(rbl_log_function *function, void *user);

/// Hand one line to the log function, if there is one: for libraries beside the core, such as
/// rubble-io, so that a program has one log. NULL text is ignored. Threads: any.
RBL_API void rbl_log_text(rbl_log_level level, const char *text);

/// Receives a failed inner check: a bug of the library, never of its user.
/// When it returns, the process is aborted. Threads: worker.
typedef void rbl_assert_function(void *user, const char *condition, const char *file, int line);

/// Watch failed inner checks; NULL restores the default, which prints to the log.
/// Threads: before other calls, or between them.
RBL_API void rbl_set_assert_handler(rbl_assert_function *function, void *user);
