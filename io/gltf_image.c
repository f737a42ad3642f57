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
		return true;
	}
	return true;
}
