// SPDX-License-Identifier: MIT
//
// PNG files: rows with the Sub filter, compressed with the fixed Huffman codes of deflate. The only
// match candidate is the last position with the same three bytes: a third larger than good
// compressors make it, in a page of code.

#include "io/render.h"

enum { HASH_BITS = 15, WINDOW = 32768, MAX_MATCH = 258 };

typedef struct deflater {
	rbl_io_output *output;
	uint32_t bits;
	int bit_count;
} deflater;

static void put_bits(deflater *p, uint32_t value, int count)
{
	p->bits |= value << p->bit_count;
	p->bit_count += count;
	while (p->bit_count >= 8) {
		unsigned char byte = (unsigned char)p->bits;
		rbl_io_put(p->output, &byte, 1);
		p->bits >>= 8;
		p->bit_count -= 8;
	}
}

// Huffman codes go out with their highest bit first.
static void put_code(deflater *p, uint32_t code, int count)
{
	uint32_t reversed = 0;
	for (int i = 0; i < count; ++i)
		reversed |= (code >> i & 1) << (count - 1 - i);
	put_bits(p, reversed, count);
}

static void put_symbol(deflater *p, int symbol)
{
	if (symbol < 144)
		put_code(p, 0x30 + (uint32_t)symbol, 8);
	else if (symbol < 256)
		put_code(p, 0x190 + (uint32_t)symbol - 144, 9);
	else if (symbol < 280)
		put_code(p, (uint32_t)symbol - 256, 7);
	else
		put_code(p, 0xc0 + (uint32_t)symbol - 280, 8);
}

// Lengths and distances are a symbol for a range, and extra bits within it.
static void put_match(deflater *p, int length, int distance)
{
	if (length == MAX_MATCH) {
		put_symbol(p, 285);
	} else if (length < 11) {
		put_symbol(p, 254 + length);
	} else {
		int rest = length - 3, width = 1;
		while (rest >> (width + 3))
			width++;
		put_symbol(p, 257 + 4 * (width + 1) + ((rest >> width) & 3));
		put_bits(p, (uint32_t)rest & ((1u << width) - 1), width);
	}
	int rest = distance - 1, width = 0;
	while (rest >> (width + 2))
		width++;
	put_code(p, rest < 4 ? (uint32_t)rest : (uint32_t)(2 * (width + 1) + ((rest >> width) & 1)), 5);
	if (rest >= 4)
		put_bits(p, (uint32_t)rest & ((1u << width) - 1), width);
}

static void deflate(deflater *p, const unsigned char *bytes, int size, int *heads)
{
	for (int i = 0; i < 1 << HASH_BITS; ++i)
		heads[i] = -WINDOW;
	put_bits(p, 1, 1); // the last block
	put_bits(p, 1, 2); // with the fixed codes
	for (int at = 0; at < size;) {
		int length = 0, from = -WINDOW;
		if (at + 3 <= size) {
			uint32_t key =
				(uint32_t)bytes[at] | (uint32_t)bytes[at + 1] << 8 | (uint32_t)bytes[at + 2] << 16;
			int *head = &heads[key * 2654435761u >> (32 - HASH_BITS)];
			from = *head;
			*head = at;
		}
		int max_length = size - at < MAX_MATCH ? size - at : MAX_MATCH;
		if (from >= 0 && at - from < WINDOW)
			while (length < max_length && bytes[from + length] == bytes[at + length])
				length++;
		if (length < 4) {
			put_symbol(p, bytes[at++]);
			continue;
		}
		put_match(p, length, at - from);
		at += length;
	}
	put_symbol(p, 256);
	put_bits(p, 0, 7); // fills the last byte
}

static void put_big_endian(rbl_io_output *output, uint32_t value)
{
	unsigned char bytes[4] = { (unsigned char)(value >> 24), (unsigned char)(value >> 16),
		                       (unsigned char)(value >> 8), (unsigned char)value };
	rbl_io_put(output, bytes, 4);
}

// The length of a chunk is filled in at its end.
static size_t begin_chunk(rbl_io_output *output, const char *name)
{
	put_big_endian(output, 0);
	rbl_io_put(output, name, 4);
	return output->size;
}

static void end_chunk(rbl_io_output *output, size_t begin)
{
	if (output->memory.failure != RBL_OK)
		return;
	size_t size = output->size - begin;
	uint32_t sum = 0xffffffffu;
	for (size_t i = begin - 4; i < output->size; ++i) {
		sum ^= output->data[i];
		for (int k = 0; k < 8; ++k)
			sum = sum >> 1 ^ (sum & 1 ? 0xedb88320u : 0);
	}
	for (int k = 0; k < 4; ++k)
		output->data[begin - 8 + (size_t)k] = (unsigned char)(size >> (24 - 8 * k));
	put_big_endian(output, ~sum);
}

static uint32_t adler(const unsigned char *bytes, int size)
{
	uint32_t a = 1, b = 0;
	for (int i = 0; i < size; ++i) {
		a = (a + bytes[i]) % 65521;
		b = (b + a) % 65521;
	}
	return b << 16 | a;
}

void rbl_io_put_png(rbl_io_output *output, const unsigned char *pixels, int width, int height)
{
	int row = 3 * width + 1, size = height * row;
	unsigned char *rows = RBL_IO_NEW(&output->memory, unsigned char, size);
	int *heads = RBL_IO_NEW(&output->memory, int, 1 << HASH_BITS);
	for (int y = 0; rows && y < height; ++y) {
		const unsigned char *from = pixels + (size_t)y * 3 * (size_t)width;
		unsigned char *to = rows + (size_t)y * (size_t)row;
		*to++ = 1; // filter Sub
		for (int i = 0; i < 3 * width; ++i)
			to[i] = (unsigned char)(from[i] - (i < 3 ? 0 : from[i - 3]));
	}
	if (rows && heads) {
		rbl_io_put(output, "\x89PNG\r\n\x1a\n", 8);
		size_t chunk = begin_chunk(output, "IHDR");
		put_big_endian(output, (uint32_t)width);
		put_big_endian(output, (uint32_t)height);
		rbl_io_put(output, "\x08\x02\0\0",
		           5); // 8 bit, RGB, default compression, filter, no interlace
		end_chunk(output, chunk);
		chunk = begin_chunk(output, "IDAT");
		rbl_io_put(output, "\x78\x01", 2);
		deflater p = { .output = output };
		deflate(&p, rows, size, heads);
		put_big_endian(output, adler(rows, size));
		end_chunk(output, chunk);
		end_chunk(output, begin_chunk(output, "IEND"));
	}
	RBL_IO_FREE(&output->memory, rows, size);
	RBL_IO_FREE(&output->memory, heads, 1 << HASH_BITS);
}
