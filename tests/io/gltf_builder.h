// SPDX-License-Identifier: MIT
// glTF files made by hand: JSON as it is written, with buffer views and accessors added on the way.
#pragma once

#include "io_test.h"

#include <stdarg.h>

enum { GLTF_IMAGES = 16 };

/// Where the bytes of an image are.
typedef enum gltf_image_place { GLTF_IN_VIEW, GLTF_IN_URI, GLTF_IN_FILE } gltf_image_place;

typedef struct gltf_builder {
	unsigned char data[60000];
	size_t size;
	char views[6000], accessors[12000], json[24000], images[12000], asset[300], file[120000];
	int view_count, accessor_count, image_count;
	size_t file_size;
	struct {
		unsigned char bytes[1500];
		size_t size;
		char file[60]; // "": it is in the file
	} kept[GLTF_IMAGES];
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
static inline int gltf_add_strided_view(gltf_builder *b, const void *bytes, size_t size, int stride)
{
	size_t used = strlen(b->views);
	memcpy(b->data + b->size, bytes, size);
	snprintf(b->views + used, sizeof b->views - used,
	         "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu", used ? "," : "", b->size,
	         size);
	if (stride > 0)
		snprintf(b->views + strlen(b->views), sizeof b->views - strlen(b->views),
		         ",\"byteStride\":%d", stride);
	snprintf(b->views + strlen(b->views), sizeof b->views - strlen(b->views), "}");
	b->size = (b->size + size + 3) & ~(size_t)3;
	return b->view_count++;
}

static inline int gltf_add_view(gltf_builder *b, const void *bytes, size_t size)
{
	return gltf_add_strided_view(b, bytes, size, 0);
}

/// Append an accessor. @return its index
static inline int gltf_add_accessor_of(gltf_builder *b, int view, int count, int component,
                                       const char *type, const char *rest)
{
	size_t used = strlen(b->accessors);
	snprintf(b->accessors + used, sizeof b->accessors - used,
	         "%s{\"bufferView\":%d,\"componentType\":%d,\"count\":%d,\"type\":\"%s\"%s}",
	         used ? "," : "", view, component, count, type, rest);
	return b->accessor_count++;
}

/// Append an accessor of a view of its own. @return its index
static inline int gltf_add_accessor(gltf_builder *b, const void *bytes, size_t size, int count,
                                    int component, const char *type, const char *rest)
{
	int view = gltf_add_view(b, bytes, size);
	return gltf_add_accessor_of(b, view, count, component, type, rest);
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

/// Append base64 to a text.
static inline void gltf_put_base64(char *text, const unsigned char *bytes, size_t size)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	text += strlen(text);
	for (size_t k = 0; k < size; k += 3) {
		unsigned bits = 0;
		for (size_t n = 0; n < 3; ++n)
			bits = bits << 8 | (k + n < size ? bytes[k + n] : 0u);
		for (size_t n = 0; n < 4; ++n)
			*text++ = k + n > size ? '=' : digits[bits >> (18 - 6 * n) & 63];
	}
	*text = '\0';
}

/// Append an image; `rest` is more of its JSON, `file` what its URI is. @return its index
static inline int gltf_add_image(gltf_builder *b, gltf_image_place place, const void *bytes,
                                 size_t size, const char *file, const char *rest)
{
	size_t used = strlen(b->images), space = sizeof b->images - used;
	const char *type = *(const unsigned char *)bytes == 0xff ? "image/jpeg" : "image/png";
	char *text = b->images + used;
	memcpy(b->kept[b->image_count].bytes, bytes, size);
	b->kept[b->image_count].size = size;
	if (place == GLTF_IN_VIEW) {
		snprintf(text, space, "%s{\"bufferView\":%d,\"mimeType\":\"%s\"%s}", used ? "," : "",
		         gltf_add_view(b, bytes, size), type, rest);
	} else if (place == GLTF_IN_FILE) {
		snprintf(text, space, "%s{\"uri\":\"%s\"%s}", used ? "," : "", file, rest);
		snprintf(b->kept[b->image_count].file, sizeof b->kept[0].file, "%s", file);
	} else {
		snprintf(text, space, "%s{\"uri\":\"data:%s;base64,", used ? "," : "", type);
		gltf_put_base64(text, bytes, size);
		snprintf(text + strlen(text), space - strlen(text), "\"%s}", rest);
	}
	return b->image_count++;
}

/// The JSON of the file; `uri` is more of the buffer.
static inline int gltf_put_json(const gltf_builder *b, char *json, size_t space, const char *uri)
{
	int length = snprintf(json, space,
	                      "{\"asset\":{\"version\":\"2.0\",\"copyright\":\"a mason\"%s},"
	                      "\"buffers\":[{\"byteLength\":%zu%s}],\"bufferViews\":[%s],"
	                      "\"accessors\":[%s],",
	                      b->asset, b->size, uri, b->views, b->accessors);
	if (b->image_count > 0)
		length += snprintf(json + length, space - (size_t)length, "\"images\":[%s],", b->images);
	return length + snprintf(json + length, space - (size_t)length, "%s}", b->json);
}

/// Put the file together: b->file, a .glb.
static inline void gltf_end(gltf_builder *b)
{
	char *json = b->file + 20;
	int length = gltf_put_json(b, json, sizeof b->file - 20 - b->size, "");
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
