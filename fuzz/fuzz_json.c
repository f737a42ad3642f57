// SPDX-License-Identifier: MIT
// Any bytes as JSON: refused with a place, or a document whose every value can be visited and found
// again; memory stays within what the header says.

#include "reader.h"

#include <rubble/json.h>

#include <string.h>

// Visit a value and all in it, no deeper than the parser allows.
static size_t visit(const rbl_json_document *document, const rbl_json *value)
{
	size_t count = 1;
	rbl_json_source source = rbl_json_get_source(document, value);
	int64_t number;
	if (source.size == 0)
		abort();
	if (rbl_json_get_integer(value, &number) && (double)number != rbl_json_number(value, 0.5))
		abort();
	for (int i = 0; i < rbl_json_count(value); ++i) {
		const char *key = rbl_json_key(value, i);
		if (key && !strchr(key, '\0'))
			abort();
		if (key && !rbl_json_member(value, key) && !memchr(source.text, '\\', source.size))
			abort();
		count += visit(document, rbl_json_item(value, i));
	}
	return count;
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size);
int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size)
{
	fuzz_memory memory = { 0, 8192 + 80 * size };
	rbl_allocator allocator = { fuzz_allocate, fuzz_release, &memory };
	rbl_json_document *document;
	rbl_result result = rbl_parse_json((const char *)bytes, size, "input", &allocator, &document);
	if (result != RBL_OK && result != RBL_BAD_FILE)
		abort();
	if (result == RBL_OK && visit(document, rbl_json_root(document)) > size)
		abort();
	rbl_destroy_json(document);
	if (memory.live != 0)
		abort();
	return 0;
}
