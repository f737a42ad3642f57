// SPDX-License-Identifier: MIT
//
// Pictures of films: what is where, who is in whose shadow, and PNG files unpacked by a reader of their
// own.

#include "io_test.h"

#include <rubble/picture.h>
#include <rubble/shapes.h>

enum { WIDTH = 96, HEIGHT = 60 };

static unsigned char pixels[HEIGHT][WIDTH][3];

static int brightness(int x, int y)
{
	return pixels[y][x][0] + pixels[y][x][1] + pixels[y][x][2];
}

// A box of that size, in red.
static int add_box(test *t, rbl_film *film, double size)
{
	rbl_box_def def = rbl_default_box_def();
	def.size = (rbl_vec3d){ size, size, size };
	rbl_mesh *box = NULL, *red = NULL;
	CHECK(t, rbl_create_box_mesh(&def, &box) == RBL_OK);
	rbl_mesh_material material = { .base_color = { 0.8f, 0.1f, 0.1f, 1.0f }, .roughness = 1.0f };
	rbl_mesh_def red_def = rbl_default_mesh_def();
	red_def.data = rbl_mesh_get_data(box);
	red_def.data.material_count = 1;
	red_def.data.materials = &material;
	red_def.data.face_materials = NULL;
	CHECK(t, rbl_create_mesh(&red_def, &red) == RBL_OK);
	rbl_destroy_mesh(box);
	int index = -1;
	CHECK(t, rbl_film_add_mesh(film, red, &index) == RBL_OK);
	return index;
}

static rbl_transform at(float x, float y, float z)
{
	return (rbl_transform){ { x, y, z }, { 0.0f, 0.0f, 0.0f, 1.0f } };
}

// A red box that goes from left to right within a second, and vanishes after two.
static rbl_film *make_film(test *t)
{
	rbl_film_def def = rbl_default_film_def();
	rbl_film *film = NULL;
	CHECK(t, rbl_create_film(&def, &film) == RBL_OK);
	int object = -1, box = add_box(t, film, 1.0);
	CHECK(t, rbl_film_add_object(film, box, at(-2.0f, 0.5f, 0.0f), &object) == RBL_OK);
	for (int i = 1; i <= 10; ++i) {
		CHECK(t, rbl_film_begin_frame(film, 0.1f * (float)i) == RBL_OK);
		CHECK(t, rbl_film_move(film, object, at(-2.0f + 0.4f * (float)i, 0.5f, 0.0f)) == RBL_OK);
	}
	CHECK(t, rbl_film_begin_frame(film, 2.0f) == RBL_OK);
	CHECK(t, rbl_film_remove(film, object) == RBL_OK);
	return film;
}

static rbl_picture_def front_view(float time)
{
	rbl_picture_def def = rbl_default_picture_def();
	def.width = WIDTH, def.height = HEIGHT;
	def.view = (rbl_vec3){ 0.0f, 0.2f, 1.0f };
	def.frame = (rbl_box){ { -3.0f, 0.0f, -1.0f }, { 3.0f, 1.5f, 1.0f } };
	def.time = time;
	return def;
}

// The middle of what is red, -1 without.
static int find_red(void)
{
	int sum = 0, count = 0;
	for (int y = 0; y < HEIGHT; ++y)
		for (int x = 0; x < WIDTH; ++x)
			if (pixels[y][x][0] > 2 * pixels[y][x][1])
				sum += x, count++;
	return count > 0 ? sum / count : -1;
}

static void objects_are_where_the_film_has_them(test *t)
{
	rbl_film *film = make_film(t);
	int last = 0;
	for (int i = 0; i <= 10; ++i) {
		rbl_picture_def def = front_view(0.1f * (float)i);
		CHECK(t, rbl_draw_film(film, &def, &pixels[0][0][0]) == RBL_OK);
		int red = find_red();
		CHECK(t, red > last);
		last = red;
		if (i == 5)
			CHECK(t, abs(red - WIDTH / 2) <= 1);
	}
	rbl_picture_def def = front_view(1.5f);
	CHECK(t, rbl_draw_film(film, &def, &pixels[0][0][0]) == RBL_OK && find_red() == last);
	def = front_view(2.0f);
	CHECK(t, rbl_draw_film(film, &def, &pixels[0][0][0]) == RBL_OK && find_red() < 0);
	rbl_destroy_film(film);
}

static void the_sun_throws_a_shadow(test *t)
{
	rbl_film *film = make_film(t);
	rbl_picture_def def = front_view(0.5f);
	CHECK(t, rbl_draw_film(film, &def, &pixels[0][0][0]) == RBL_OK);
	// The sun comes from the right: beside the foot of the box the ground is dark on the left.
	int dark = 0, light = 0, y = 0;
	for (int row = 0; row < HEIGHT; ++row)
		for (int x = 0; x < WIDTH; ++x)
			y = pixels[row][x][0] > 2 * pixels[row][x][1] ? row : y;
	for (int x = 0; x < WIDTH; ++x) {
		if (pixels[y][x][0] > 2 * pixels[y][x][1])
			continue;
		int *darkest = x < WIDTH / 2 ? &dark : &light;
		if (*darkest == 0 || brightness(x, y) < *darkest)
			*darkest = brightness(x, y);
	}
	CHECK(t, dark > 0 && 4 * dark < 3 * light);
	// Without a ground there is nothing but sky beside it.
	def.has_ground = false;
	CHECK(t, rbl_draw_film(film, &def, &pixels[0][0][0]) == RBL_OK);
	CHECK(t, memcmp(pixels[y][0], pixels[0][0], 3) == 0);
	rbl_destroy_film(film);
}

static void a_frame_is_found_and_anything_can_be_near(test *t)
{
	rbl_film *film = make_film(t);
	rbl_picture_def def = front_view(0.5f);
	def.frame = rbl_default_picture_def().frame;
	CHECK(t, rbl_draw_film(film, &def, &pixels[0][0][0]) == RBL_OK);
	CHECK(t, abs(find_red() - WIDTH / 2) <= 1);
	// The eye inside of the box, and behind it.
	for (int i = 0; i < 20; ++i) {
		float z = 0.1f * (float)i - 1.0f;
		def.frame = (rbl_box){ { -0.1f, 0.4f, z - 0.1f }, { 0.1f, 0.6f, z } };
		CHECK(t, rbl_draw_film(film, &def, &pixels[0][0][0]) == RBL_OK);
	}
	def.view = (rbl_vec3){ 0.0f, 1.0f, 0.0f };
	CHECK(t, rbl_draw_film(film, &def, &pixels[0][0][0]) == RBL_OK);
	rbl_destroy_film(film);
	rbl_film_def empty_def = rbl_default_film_def();
	CHECK(t, rbl_create_film(&empty_def, &film) == RBL_OK);
	CHECK(t, rbl_draw_film(film, &def, &pixels[0][0][0]) == RBL_OK);
	rbl_destroy_film(film);
}

// --- the judge of PNG files ------------------------------------------------------------------

typedef struct bit_reader {
	const unsigned char *bytes;
	size_t size, at; // in bits
} bit_reader;

static int take(bit_reader *r, int count)
{
	int value = 0;
	for (int i = 0; i < count; ++i, ++r->at)
		if (r->at / 8 < r->size)
			value |= (r->bytes[r->at / 8] >> (r->at % 8) & 1) << i;
	return value;
}

static int take_turned(bit_reader *r, int count)
{
	int value = 0;
	for (int i = 0; i < count; ++i)
		value = 2 * value + take(r, 1);
	return value;
}

static int take_symbol(bit_reader *r)
{
	int code = take_turned(r, 7);
	if (code < 24)
		return 256 + code;
	code = 2 * code + take(r, 1);
	if (code < 192)
		return code - 48;
	if (code < 200)
		return 280 + code - 192;
	return 144 + 2 * code + take(r, 1) - 400;
}

// @return how many bytes came out of one block of fixed codes
static size_t unpack(bit_reader *r, unsigned char *out, size_t room)
{
	static const int lengths[29] = { 3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
		                             15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
		                             67, 83, 99, 115, 131, 163, 195, 227, 258 };
	size_t count = 0;
	if (take(r, 3) != 3)
		return 0;
	for (int symbol; (symbol = take_symbol(r)) != 256 && r->at < 8 * r->size;) {
		if (symbol < 256) {
			if (count < room)
				out[count++] = (unsigned char)symbol;
			continue;
		}
		int class = symbol - 257;
		int length = lengths[class] + (class < 28 && class >= 8 ? take(r, class / 4 - 1) : 0);
		int place = take_turned(r, 5), distance = place + 1;
		if (place >= 4)
			distance = ((2 + place % 2) << (place / 2 - 1)) + take(r, place / 2 - 1) + 1;
		for (; length > 0 && count < room && (size_t)distance <= count; --length, ++count)
			out[count] = out[count - (size_t)distance];
	}
	return count;
}

static uint32_t big(const unsigned char *b)
{
	return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

// The sum over the polynomial of the standard, bit by bit from the other end than the writer's.
static uint32_t sum_of(const unsigned char *bytes, size_t size)
{
	uint32_t sum = 0xffffffffu, turned = 0;
	for (size_t i = 0; i < 8 * size; ++i) {
		uint32_t bit = bytes[i / 8] >> (i % 8) & 1;
		sum = sum << 1 ^ (sum >> 31 != bit ? 0x04c11db7u : 0);
	}
	for (int i = 0; i < 32; ++i)
		turned |= (sum >> i & 1) << (31 - i);
	return ~turned;
}

static void written_files_unpack_to_what_was_drawn(test *t)
{
	rbl_film *film = make_film(t);
	rbl_picture_def def = front_view(0.3f);
	const char *path = RBL_BINARY_DIR "/picture_test.png";
	CHECK(t, rbl_draw_film(film, &def, &pixels[0][0][0]) == RBL_OK);
	CHECK(t, rbl_write_picture(path, film, &def) == RBL_OK);
	static unsigned char file[1 << 16], rows[HEIGHT * (3 * WIDTH + 1) + 1];
	FILE *stream = fopen(path, "rb");
	size_t size = stream ? fread(file, 1, sizeof file, stream) : 0, count = 0, at = 8;
	if (stream)
		fclose(stream);
	rbl_file_bytes bytes;
	CHECK(t, rbl_write_picture_memory(film, &def, &bytes) == RBL_OK && bytes.size == size);
	CHECK(t, bytes.data && memcmp(bytes.data, file, size) == 0);
	rbl_free_bytes(&bytes);
	CHECK(t, size > 8 && size < sizeof rows && memcmp(file, "\x89PNG\r\n\x1a\n", 8) == 0);
	while (at + 12 <= size) {
		size_t length = big(file + at);
		CHECK(t, at + 12 + length <= size);
		if (at + 12 + length > size)
			break;
		CHECK(t, sum_of(file + at + 4, length + 4) == big(file + at + 8 + length));
		if (memcmp(file + at + 4, "IHDR", 4) == 0)
			CHECK(t, big(file + at + 8) == WIDTH && big(file + at + 12) == HEIGHT);
		bit_reader r = { file + at + 10, length - 6, 0 };
		if (memcmp(file + at + 4, "IDAT", 4) == 0)
			count = unpack(&r, rows, sizeof rows);
		at += 12 + length;
	}
	CHECK(t, at == size && memcmp(file + size - 8, "IEND", 4) == 0);
	CHECK(t, count == HEIGHT * (3 * WIDTH + 1));
	for (int y = 0; y < HEIGHT; ++y) {
		const unsigned char *row = rows + y * (3 * WIDTH + 1);
		unsigned char value[3] = { 0, 0, 0 };
		CHECK(t, row[0] == 1);
		for (int x = 0; x < WIDTH; ++x) {
			for (int k = 0; k < 3; ++k)
				value[k] = (unsigned char)(value[k] + row[1 + 3 * x + k]);
			CHECK(t, memcmp(value, pixels[y][x], 3) == 0);
		}
	}
	rbl_destroy_film(film);
}

static void what_cannot_be_drawn_is_refused(test *t)
{
	rbl_film *film = make_film(t);
	for (int i = 0; i < 11; ++i) {
		rbl_picture_def def = front_view(0.0f);
		if (i == 0)
			def.cookie = 0;
		if (i == 1)
			def.width = 15;
		if (i == 2)
			def.height = 8193;
		if (i == 3)
			def.time = NAN;
		if (i == 4)
			def.view = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
		if (i == 5)
			def.frame.upper.x = INFINITY;
		if (i == 6)
			def.view.x = NAN;
		if (i == 7)
			def.time = -1.0f;
		def.camera_position.x = 1.0f;
		if (i == 8)
			def.camera_angle = 171.0f;
		if (i == 9)
			def.camera_angle = 40.0f, def.camera_position.x = NAN;
		if (i == 10)
			def.camera_angle = 40.0f, def.camera_position.x = 0.0f;
		CHECK(t, rbl_draw_film(film, &def, &pixels[0][0][0]) == RBL_BAD_ARGUMENT);
	}
	rbl_picture_def def = front_view(0.0f);
	CHECK(t, rbl_draw_film(NULL, &def, &pixels[0][0][0]) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_draw_film(film, NULL, &pixels[0][0][0]) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_draw_film(film, &def, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_write_picture(NULL, film, &def) == RBL_BAD_ARGUMENT);
	rbl_file_bytes bytes;
	CHECK(t, rbl_write_picture_memory(NULL, &def, &bytes) == RBL_BAD_ARGUMENT && !bytes.data);
	CHECK(t, rbl_write_picture_memory(film, &def, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_write_picture("/no/such/folder/x.png", film, &def) == RBL_IO_FAILED);
	const unsigned char *all = &pixels[0][0][0];
	CHECK(t, rbl_write_pixels(NULL, all, WIDTH, HEIGHT, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_write_pixels_memory(all, 0, 4, NULL, &bytes) == RBL_BAD_ARGUMENT && !bytes.data);
	CHECK(t, rbl_write_pixels_memory(all, 4, 4, NULL, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_write_pixels_memory(all, WIDTH, HEIGHT, NULL, &bytes) == RBL_OK);
	CHECK(t, bytes.size > 50 && memcmp(bytes.data, "\x89PNG", 4) == 0);
	rbl_free_bytes(&bytes);
	CHECK(t, rbl_write_pixels("x.png", NULL, WIDTH, HEIGHT, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_write_pixels("x.png", all, 0, HEIGHT, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_write_pixels("x.png", all, WIDTH, 16385, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_write_pixels("/no/such/folder/x.png", all, WIDTH, HEIGHT, NULL) == RBL_IO_FAILED);
	rbl_destroy_film(film);
}

static void memory_may_run_out(test *t)
{
	rbl_film *film = make_film(t);
	const char *path = RBL_BINARY_DIR "/picture_test.png";
	for (int n = 0;; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_picture_def def = front_view(0.0f);
		def.allocator = FAULTY(&memory);
		rbl_file_bytes bytes;
		rbl_result result = n % 2 ? rbl_write_picture(path, film, &def)
		                          : rbl_write_picture_memory(film, &def, &bytes);
		if (n % 2 == 0)
			rbl_free_bytes(&bytes);
		CHECK(t, memory.live_bytes == 0);
		if (!memory.failed) {
			CHECK(t, result == RBL_OK && n > 5);
			break;
		}
		CHECK(t, result == RBL_OUT_OF_MEMORY);
	}
	rbl_destroy_film(film);
}

// Regression: ground so far away that its place in the shadow's image is no int.
static void ground_far_below_is_drawn(test *t)
{
	rbl_film_def film_def = rbl_default_film_def();
	rbl_film *film = NULL;
	int object = -1;
	CHECK(t, rbl_create_film(&film_def, &film) == RBL_OK);
	CHECK(t, rbl_film_add_object(film, add_box(t, film, 1.0), at(0.0f, -9e4f, 0.0f), &object) ==
	             RBL_OK);
	rbl_picture_def def = rbl_default_picture_def();
	def.width = WIDTH, def.height = HEIGHT;
	def.view = (rbl_vec3){ 0.3f, 1.0f, 0.2f };
	def.frame = (rbl_box){ { -1e-3f, 2.0f, -1e-3f }, { 1e-3f, 2.001f, 1e-3f } };
	CHECK(t, rbl_draw_film(film, &def, &pixels[0][0][0]) == RBL_OK);
	CHECK(t, brightness(WIDTH / 2, HEIGHT / 2) > 0);
	rbl_destroy_film(film);
}

// A part is drawn where its object moves it, and only as long as both are there.
static void parts_are_drawn_with_their_object(test *t)
{
	rbl_film_def def = rbl_default_film_def();
	rbl_film *film = NULL;
	CHECK(t, rbl_create_film(&def, &film) == RBL_OK);
	int object = -1, part = -1, box = add_box(t, film, 1.0);
	CHECK(t, rbl_film_add_object(film, -1, at(-4.0f, 0.5f, 0.0f), &object) == RBL_OK);
	CHECK(t, rbl_film_add_part(film, object, box, at(2.0f, 0.0f, 0.0f), &part) == RBL_OK);
	CHECK(t, rbl_film_begin_frame(film, 1.0f) == RBL_OK);
	// Half a turn about y takes the part to the other side of its object.
	rbl_transform turned = { { 4.0f, 0.5f, 0.0f }, { 0.0f, 1.0f, 0.0f, 0.0f } };
	CHECK(t, rbl_film_move(film, object, turned) == RBL_OK);
	CHECK(t, rbl_film_begin_frame(film, 2.0f) == RBL_OK);
	CHECK(t, rbl_film_remove(film, object) == RBL_OK);
	const float times[3] = { 0.0f, 1.0f, 2.0f };
	int found[3];
	for (int i = 0; i < 3; ++i) {
		rbl_picture_def view = front_view(times[i]);
		CHECK(t, rbl_draw_film(film, &view, &pixels[0][0][0]) == RBL_OK);
		found[i] = find_red();
	}
	CHECK(t, found[0] > 0 && found[0] < WIDTH / 2 && found[1] > WIDTH / 2 && found[2] < 0);
	rbl_destroy_film(film);
}

TEST_MAIN(TEST(objects_are_where_the_film_has_them), TEST(parts_are_drawn_with_their_object),
          TEST(the_sun_throws_a_shadow), TEST(a_frame_is_found_and_anything_can_be_near),
          TEST(written_files_unpack_to_what_was_drawn), TEST(what_cannot_be_drawn_is_refused),
          TEST(memory_may_run_out), TEST(ground_far_below_is_drawn))
