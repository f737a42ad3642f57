// SPDX-License-Identifier: MIT
// JSON, read strictly: RFC 8259 and nothing beside it. Part of rubble-io; scene files and glTF are
// read by it.
//
// A document is parsed once into values that stay where they are. Every function takes NULL for a
// value that is missing, so that a path can be followed without a check at each step:
// rbl_json_number(rbl_json_member(material, "roughness"), 1.0).
#pragma once

#include <rubble/base.h>
#include <rubble/types.h>

/// A parsed text, which owns its values.
typedef struct rbl_json_document rbl_json_document;

/// A value of a document: it lives as long as the document does.
typedef struct rbl_json rbl_json;

/// The deepest nesting of lists and objects.
#define RBL_JSON_MAX_DEPTH 512

/// What a value is.
typedef enum rbl_json_type {
	/// There is none: the value is NULL.
	RBL_JSON_MISSING = 0,
	RBL_JSON_NULL,
	RBL_JSON_FALSE,
	RBL_JSON_TRUE,
	RBL_JSON_NUMBER,
	RBL_JSON_TEXT,
	RBL_JSON_LIST,
	RBL_JSON_OBJECT,
} rbl_json_type;

/// Parse a JSON text: UTF-8 without a byte order mark, one value, white space around it. Refused
/// are, besides what the grammar refuses: a key twice in one object, a number beyond the range of a
/// double, half a surrogate pair, more than RBL_JSON_MAX_DEPTH levels.
/// @param text       must stay as it is until the document is destroyed
/// @param size       its bytes, below 2^31
/// @param name       what messages call it: "name:line:column: reason"; NULL: "JSON"
/// @param allocator  of the document; NULL for the process's heap
/// @param document   receives it, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_BAD_FILE (the log has line, column and reason),
///         RBL_LIMIT_REACHED, RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(n), O(k log k) for an object of k keys; memory at most 80 times the size.
RBL_API rbl_result rbl_parse_json(const char *text, size_t size, const char *name,
                                  const rbl_allocator *allocator, rbl_json_document **document);

/// Destroy a document and its values. NULL is fine.
RBL_API void rbl_destroy_json(rbl_json_document *document);

/// @return the value of the whole text, never NULL unless the document is. Threads: any, here and
/// below.
RBL_API const rbl_json *rbl_json_root(const rbl_json_document *document);

/// @return what a value is.
RBL_API rbl_json_type rbl_json_get_type(const rbl_json *value);

/// @return the number of items of a list or members of an object, otherwise 0.
RBL_API int rbl_json_count(const rbl_json *value);

/// @return item `index` of a list, or the value of member `index` of an object in the order of the
/// text; NULL where there is none.
RBL_API const rbl_json *rbl_json_item(const rbl_json *value, int index);

/// @return the key of member `index` of an object, or NULL.
RBL_API const char *rbl_json_key(const rbl_json *object, int index);

/// @return the value of a key, NULL where there is none or `object` is no object.
/// Cost: O(log n) in members.
RBL_API const rbl_json *rbl_json_member(const rbl_json *object, const char *key);

/// @return the double nearest to a number, `fallback` for anything else.
RBL_API double rbl_json_number(const rbl_json *value, double fallback);

/// A whole number that fits into 64 bits, exactly; 1.0 and 1e3 are whole numbers too.
/// @return false, with *number unchanged, for anything else.
RBL_API bool rbl_json_get_integer(const rbl_json *value, int64_t *number);

/// @return whether the value is `true`.
RBL_API bool rbl_json_is_true(const rbl_json *value);

/// @return a text as UTF-8, closed by a zero; NULL for anything else.
RBL_API const char *rbl_json_text(const rbl_json *value);

/// @return the bytes of a text, which may have zeros among them; otherwise 0.
RBL_API size_t rbl_json_text_length(const rbl_json *value);

/// A piece of the parsed text.
typedef struct rbl_json_source {
	/// Not closed by a zero; NULL for a missing value.
	const char *text;
	size_t size;
} rbl_json_source;

/// @return a value as it was written: for handing on what need not be understood.
RBL_API rbl_json_source rbl_json_get_source(const rbl_json_document *document,
                                            const rbl_json *value);

/// Where a value starts, both from 1; columns count characters.
/// Cost: O(n) in what is before it.
RBL_API void rbl_json_get_position(const rbl_json_document *document, const rbl_json *value,
                                   int *line, int *column);
