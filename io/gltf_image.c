// SPDX-License-Identifier: MIT
//
// Image files: what kind they are, and whether they are whole. They are not decoded: the chunks or
// segments are followed to the end.

#include "io/gltf.h"

static uint32_t load_big_endian(const unsigned char *bytes)
{
	return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 |
	       (uint32_t)bytes[3];
}

// Chunks up to IEND.
static bool png_is_whole(const unsigned char *bytes, size_t size)
{
	size_t at = 8;
	while (size - at >= 12) {
		size_t length = load_big_endian(bytes + at);
		if (length > size - at - 12)
			return false;
		if (memcmp(bytes + at + 4, "IEND", 4) == 0)
			return true;
		at += length + 12;
	}
	return false;
}

// Segments up to the scan; what follows it must hold the end marker.
static bool jpeg_is_whole(const unsigned char *bytes, size_t size)
{
	size_t at = 2;
	while (size - at >= 4 && bytes[at] == 0xff && bytes[at + 1] != 0xda) {
		if (bytes[at + 1] == 0xd9)
			return true;
		if (bytes[at + 1] == 0xff) { // padding
			at++;
			continue;
		}
		size_t length = (size_t)bytes[at + 2] << 8 | bytes[at + 3];
		if (length < 2 || length > size - at - 2)
			return false;
		at += 2 + length;
	}
	for (size_t i = size; i - at >= 2; --i)
		if (bytes[i - 2] == 0xff && bytes[i - 1] == 0xd9)
			return true;
	return false;
}

static uint64_t load_u64(const unsigned char *bytes)
{
	return (uint64_t)rbl_io_load_u32(bytes) | (uint64_t)rbl_io_load_u32(bytes + 4) << 32;
}

// A header of 80 bytes, which says where tables are, and the levels of detail behind it.
static bool ktx2_is_whole(const unsigned char *bytes, size_t size)
{
	enum { HEADER = 80, LEVEL = 24, LEVEL_LIMIT = 32 };
	uint32_t level_count = rbl_io_load_u32(bytes + 40);
	size_t levels = level_count > 0 ? level_count : 1; // 0: the viewer makes the others
	if (levels > LEVEL_LIMIT || size < HEADER + levels * LEVEL)
		return false;
	bool is_whole = true;
	for (int k = 0; k < 2; ++k) { // data format descriptor, keys and values
		uint64_t offset = rbl_io_load_u32(bytes + 48 + 8 * k);
		is_whole &= offset + rbl_io_load_u32(bytes + 52 + 8 * k) <= size;
	}
	for (size_t k = 0; k <= levels; ++k) { // global data, and each level
		const unsigned char *at = bytes + (k == 0 ? 64 : HEADER + (k - 1) * LEVEL);
		uint64_t offset = load_u64(at), length = load_u64(at + 8);
		is_whole &= offset <= size && length <= size - offset;
	}
	return is_whole;
}

bool rbl_image_check(const unsigned char *bytes, size_t size, const char **mime_type)
{
	*mime_type = NULL;
	if (size >= 8 && memcmp(bytes, "\x89PNG\r\n\x1a\n", 8) == 0) {
		*mime_type = "image/png";
		return png_is_whole(bytes, size);
	}
	if (size >= 4 && memcmp(bytes, "\xff\xd8\xff", 3) == 0) {
		*mime_type = "image/jpeg";
		return jpeg_is_whole(bytes, size);
	}
	if (size >= 12 && memcmp(bytes, "RIFF", 4) == 0 && memcmp(bytes + 8, "WEBP", 4) == 0) {
		*mime_type = "image/webp";
		return rbl_io_load_u32(bytes + 4) <= size - 8;
	}
	if (size >= 80 && memcmp(bytes, "\xabKTX 20\xbb\r\n\x1a\n", 12) == 0) {
		*mime_type = "image/ktx2";
		return ktx2_is_whole(bytes, size);
	}
	return true;
}
