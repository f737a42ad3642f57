// SPDX-License-Identifier: MIT
// glTF files made by hand: JSON as it is written, with buffer views and accessors added on the way.
#pragma once

#include "io_test.h"

#include <stdarg.h>

typedef struct gltf_builder {
	unsigned char data[60000];
	size_t size;
	char views[6000], accessors[6000], json[24000], file[100000];
	int view_count, accessor_count;
	size_t file_size;
} gltf_builder;

/// A PNG of one pixel.
static const unsigned char gltf_png[] = {
	0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48,
	0x44, 0x52, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x06, 0x00, 0x00,
	0x00, 0x1f, 0x15, 0xc4, 0x89, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x44, 0x41, 0x54, 0x78,
	0xda, 0x63, 0x64, 0xf8, 0xcf, 0x50, 0x0f, 0x00, 0x03, 0x86, 0x01, 0x80, 0x5a, 0x34,
	0x7d, 0x6b, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82
};

/// A JPEG of one pixel.
static const unsigned char gltf_jpeg[] = {
	0xff, 0xd8, 0xff, 0xdb, 0x00, 0x43, 0x00, 0x03, 0x02, 0x02, 0x02, 0x02, 0x02, 0x03, 0x02, 0x02,
	0x02, 0x03, 0x03, 0x03, 0x03, 0x04, 0x06, 0x04, 0x04, 0x04, 0x04, 0x04, 0x08, 0x06, 0x06, 0x05,
	0x06, 0x09, 0x08, 0x0a, 0x0a, 0x09, 0x08, 0x09, 0x09, 0x0a, 0x0c, 0x0f, 0x0c, 0x0a, 0x0b, 0x0e,
	0x0b, 0x09, 0x09, 0x0d, 0x11, 0x0d, 0x0e, 0x0f, 0x10, 0x10, 0x11, 0x10, 0x0a, 0x0c, 0x12, 0x13,
	0x12, 0x10, 0x13, 0x0f, 0x10, 0x10, 0x10, 0xff, 0xc9, 0x00, 0x0b, 0x08, 0x00, 0x01, 0x00, 0x01,
	0x01, 0x01, 0x11, 0x00, 0xff, 0xcc, 0x00, 0x06, 0x00, 0x10, 0x10, 0x05, 0xff, 0xda, 0x00, 0x08,
	0x01, 0x01, 0x00, 0x00, 0x3f, 0x00, 0xd2, 0xcf, 0x20, 0xff, 0xd9
};

static inline void gltf_begin(gltf_builder *b)
{
	memset(b, 0, sizeof *b);
}

/// Append bytes as a buffer view. @return its index
static inline int gltf_add_view(gltf_builder *b, const void *bytes, size_t size)
{
	size_t used = strlen(b->views);
	memcpy(b->data + b->size, bytes, size);
	snprintf(b->views + used, sizeof b->views - used,
	         "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}", used ? "," : "", b->size,
	         size);
	b->size = (b->size + size + 3) & ~(size_t)3;
	return b->view_count++;
}

/// Append an accessor. @return its index
static inline int gltf_add_accessor(gltf_builder *b, const void *bytes, size_t size, int count,
                                    int component, const char *type, const char *rest)
{
	int view = gltf_add_view(b, bytes, size);
	size_t used = strlen(b->accessors);
	snprintf(b->accessors + used, sizeof b->accessors - used,
	         "%s{\"bufferView\":%d,\"componentType\":%d,\"count\":%d,\"type\":\"%s\"%s}",
	         used ? "," : "", view, component, count, type, rest);
	return b->accessor_count++;
}

/// Append JSON of the file.
static inline void gltf_add_json(gltf_builder *b, const char *format, ...)
{
	size_t used = strlen(b->json);
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(b->json + used, sizeof b->json - used, format, arguments);
	va_end(arguments);
}

/// Put the file together: b->file, a .glb.
static inline void gltf_end(gltf_builder *b)
{
	char *json = b->file + 20;
	size_t space = sizeof b->file - 20 - b->size;
	int length = snprintf(json, space,
	                      "{\"asset\":{\"version\":\"2.0\",\"copyright\":\"a mason\"},"
	                      "\"buffers\":[{\"byteLength\":%zu}],\"bufferViews\":[%s],"
	                      "\"accessors\":[%s],%s}",
	                      b->size, b->views, b->accessors, b->json);
	while (length % 4)
		json[length++] = ' ';
	uint32_t words[5] = { 0x46546c67, 2, (uint32_t)(28 + (size_t)length + b->size),
		                  (uint32_t)length, 0x4e4f534a };
	uint32_t chunk[2] = { (uint32_t)b->size, 0x004e4942 };
	memcpy(b->file, words, 20);
	memcpy(json + length, chunk, 8);
	memcpy(json + length + 8, b->data, b->size);
	b->file_size = words[2];
}

static inline rbl_result gltf_read(const gltf_builder *b, rbl_document **document)
{
	rbl_read_def def = rbl_default_read_def();
	def.name = "made.glb";
	io_watch_log();
	return rbl_read_document_memory(b->file, b->file_size, &def, document);
}
