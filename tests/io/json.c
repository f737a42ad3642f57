// SPDX-License-Identifier: MIT
// The JSON reader: what RFC 8259 allows is read exactly, anything else is refused with its place.

#include "io_test.h"

#include <rubble/json.h>

static rbl_result parse(const char *text, size_t size, rbl_json_document **document)
{
	io_watch_log();
	return rbl_parse_json(text, size, "text", NULL, document);
}

static void values_are_what_is_written(test *t)
{
	static const char text[] =
		" { \"a\" : [ 1 , -2.5e3, true,false,null, \"x\\n\\u00e9\\ud83d\\ude00\" ],\n"
		"\"empty\":{},\"none\":[],\"k\\u0065y\":\"\\\"\\\\\\/\\b\\f\\r\\t\"}\n";
	rbl_json_document *document;
	CHECK(t, parse(text, sizeof text - 1, &document) == RBL_OK);
	const rbl_json *root = rbl_json_root(document), *a = rbl_json_member(root, "a");
	CHECK(t, rbl_json_get_type(root) == RBL_JSON_OBJECT && rbl_json_count(root) == 4);
	CHECK(t, rbl_json_get_type(a) == RBL_JSON_LIST && rbl_json_count(a) == 6);
	CHECK(t, rbl_json_number(rbl_json_item(a, 0), 0.0) == 1.0);
	CHECK(t, rbl_json_number(rbl_json_item(a, 1), 0.0) == -2500.0);
	CHECK(t, rbl_json_is_true(rbl_json_item(a, 2)));
	CHECK(t, rbl_json_get_type(rbl_json_item(a, 3)) == RBL_JSON_FALSE);
	CHECK(t, rbl_json_get_type(rbl_json_item(a, 4)) == RBL_JSON_NULL);
	CHECK(t, strcmp(rbl_json_text(rbl_json_item(a, 5)), "x\n\xc3\xa9\xf0\x9f\x98\x80") == 0);
	CHECK(t, rbl_json_text_length(rbl_json_item(a, 5)) == 8);
	CHECK(t, strcmp(rbl_json_text(rbl_json_member(root, "key")), "\"\\/\b\f\r\t") == 0);
	CHECK(t, strcmp(rbl_json_key(root, 3), "key") == 0 && !rbl_json_key(root, 4));
	CHECK(t, rbl_json_get_type(rbl_json_item(root, 1)) == RBL_JSON_OBJECT);
	int line, column;
	rbl_json_get_position(document, rbl_json_member(root, "none"), &line, &column);
	CHECK(t, line == 2 && column == 19);
	rbl_json_source source = rbl_json_get_source(document, rbl_json_item(a, 1));
	CHECK(t, source.size == 6 && memcmp(source.text, "-2.5e3", 6) == 0);
	source = rbl_json_get_source(document, rbl_json_member(root, "none"));
	CHECK(t, source.size == 2 && memcmp(source.text, "[]", 2) == 0);
	rbl_destroy_json(document);
}

static void missing_values_are_harmless(test *t)
{
	rbl_json_document *document;
	CHECK(t, parse("[7]", 3, &document) == RBL_OK);
	const rbl_json *seven = rbl_json_item(rbl_json_root(document), 0);
	int64_t number = 5;
	const rbl_json *missing[] = { NULL, rbl_json_member(seven, "x"), rbl_json_item(seven, 0),
		                          rbl_json_item(rbl_json_root(document), 1),
		                          rbl_json_item(rbl_json_root(document), -1) };
	for (size_t i = 0; i < sizeof missing / sizeof missing[0]; ++i) {
		CHECK(t, rbl_json_get_type(missing[i]) == RBL_JSON_MISSING && !missing[i]);
		CHECK(t, rbl_json_count(missing[i]) == 0 && !rbl_json_text(missing[i]));
		CHECK(t, rbl_json_number(missing[i], 3.0) == 3.0 && !rbl_json_is_true(missing[i]));
		CHECK(t, !rbl_json_get_integer(missing[i], &number) && number == 5);
	}
	CHECK(t, rbl_json_count(seven) == 0 && !rbl_json_key(seven, 0));
	rbl_destroy_json(document);
	rbl_destroy_json(NULL);
	CHECK(t, !rbl_json_root(NULL));
	CHECK(t, rbl_parse_json(NULL, 3, NULL, NULL, &document) == RBL_BAD_ARGUMENT && !document);
	CHECK(t, rbl_parse_json("1", 1, NULL, NULL, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_parse_json("1", (size_t)1 << 31, NULL, NULL, &document) == RBL_LIMIT_REACHED);
}

// Regression, found by fuzzing: a container that closes before any value was read added to the address
// of nothing. A sanitizer sees it.
static void a_text_may_be_empty_containers_alone(test *t)
{
	const char *texts[] = { "[]", "{}", " [ ] ", "[[],{}]" };
	for (int i = 0; i < 4; ++i) {
		rbl_json_document *document;
		CHECK(t, parse(texts[i], strlen(texts[i]), &document) == RBL_OK);
		CHECK(t, rbl_json_count(rbl_json_root(document)) == (i == 3 ? 2 : 0));
		rbl_destroy_json(document);
	}
}

static void numbers_are_exact(test *t)
{
	static const struct {
		const char *text;
		double number;
		bool is_whole;
		int64_t whole;
	} rows[] = {
		{ "0", 0.0, true, 0 },
		{ "-0", -0.0, true, 0 },
		{ "0.1", 0.1, false, 0 },
		{ "1.0", 1.0, true, 1 },
		{ "1e3", 1000.0, true, 1000 },
		{ "9007199254740993", 9007199254740992.0, true, 9007199254740993 },
		{ "9223372036854774784", 9223372036854774784.0, true, 9223372036854774784 },
		{ "-9223372036854774785", -9223372036854774784.0, true, -9223372036854774785 },
		{ "18446744073709551616", 18446744073709551616.0, false, 0 },
		{ "1.7976931348623157e308", 1.7976931348623157e308, false, 0 },
		{ "4.9406564584124654e-324", 4.9406564584124654e-324, false, 0 },
		{ "1e-999", 0.0, true, 0 },
		{ "123456789012345678901234567890e-29", 1.2345678901234567, false, 0 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
		rbl_json_document *document;
		CHECK(t, parse(rows[i].text, strlen(rows[i].text), &document) == RBL_OK);
		const rbl_json *root = rbl_json_root(document);
		double number = rbl_json_number(root, 77.0);
		int64_t whole = 0;
		CHECK(t, memcmp(&number, &rows[i].number, sizeof number) == 0);
		CHECK(t, rbl_json_get_integer(root, &whole) == rows[i].is_whole);
		CHECK(t, whole == rows[i].whole);
		rbl_destroy_json(document);
	}
}

// What is written, and what the log has to say.
static const struct {
	const char *text, *reason;
} refused[] = {
	{ "", "text:1:1: the text ends where a value is needed" },
	{ " \n ", "text:2:2: the text ends where a value is needed" },
	{ "\xef\xbb\xbf{}", "byte order mark" },
	{ "{} {}", "text:1:4: '{' where the end of the text is needed" },
	{ "[1,]", "text:1:4: ']' where a value is needed" },
	{ "[1 2]", "text:1:4: '2' where a comma or ']' is needed" },
	{ "[1", "text:1:3: the text ends where a comma or ']' is needed" },
	{ "[,1]", "text:1:2: ',' where a value is needed" },
	{ "]", "']' where a value is needed" },
	{ "[}", "'}' where a value is needed" },
	{ "{]", "']' where a key in quotes is needed" },
	{ "{a:1}", "text:1:2: 'a' where a key in quotes is needed" },
	{ "{'a':1}", "a key in quotes" },
	{ "{\"a\"}", "text:1:5: '}' where a colon is needed" },
	{ "{\"a\":}", "text:1:6: '}' where a value is needed" },
	{ "{\"a\":1,}", "'}' where a key in quotes is needed" },
	{ "{\"a\":1\n\n,\"b\":2,\"a\":3}", "text:3:8: the key 'a' is there twice" },
	{ "{\"a\":1,\"\\u0061\":3}", "text:1:8: the key 'a' is there twice" },
	{ "tru", "'t' where a value is needed" },
	{ "True", "'T' where a value is needed" },
	{ "nul", "'n' where a value is needed" },
	{ "truefalse", "text:1:5: 'f' where the end of the text is needed" },
	{ "NaN", "'N' where a value is needed" },
	{ "Infinity", "where a value is needed" },
	{ "-Infinity", "'I' where a digit is needed" },
	{ "01", "leading zero" },
	{ "-01", "leading zero" },
	{ "+1", "'+' where a value is needed" },
	{ ".5", "'.' where a value is needed" },
	{ "1.", "the text ends where a digit is needed" },
	{ "[1.]", "']' where a digit is needed" },
	{ "1e", "a digit is needed" },
	{ "1e+", "a digit is needed" },
	{ "1.e1", "'e' where a digit is needed" },
	{ "0x10", "'x' where the end of the text is needed" },
	{ "1e999", "beyond the range of a double" },
	{ "[-1e999]", "text:1:2: a number beyond the range" },
	{ "-", "the text ends where a digit is needed" },
	{ "\"abc", "text:1:1: a text that does not end" },
	{ "\"a\nb\"", "text:1:3: a control character in a text; \\u000a stands for it" },
	{ "\"a\tb\"", "a control character" },
	{ "\"\\x41\"", "an unknown escape" },
	{ "\"\\", "where the rest of a text is needed" },
	{ "\"\\u12", "four hexadecimal digits" },
	{ "\"\\u12g4\"", "four hexadecimal digits" },
	{ "\"\\ud800\"", "half of a surrogate pair" },
	{ "\"\\ud800\\u0041\"", "half of a surrogate pair" },
	{ "\"\\udc00\\ud800\"", "half of a surrogate pair" },
	{ "\"\xff\"", "byte 0xff is no UTF-8" },
	{ "\"\xc0\xaf\"", "byte 0xc0 is no UTF-8" },
	{ "\"\xe0\x80\xaf\"", "byte 0xe0 is no UTF-8" },
	{ "\"\xed\xa0\x80\"", "byte 0xed is no UTF-8" },
	{ "\"\xf4\x90\x80\x80\"", "byte 0xf4 is no UTF-8" },
	{ "\"\xf0\x8f\xbf\xbf\"", "byte 0xf0 is no UTF-8" },
	{ "\"\xe2\x82\"", "byte 0xe2 is no UTF-8" },
	{ "\"\x80\"", "byte 0x80 is no UTF-8" },
	{ "// no\n1", "'/' where a value is needed" },
	{ "[1]/**/", "'/' where the end of the text is needed" },
	{ "\f1", "byte 0x0c where a value is needed" },
	{ "\xc2\xa0"
	  "1",
	  "byte 0xc2 where a value is needed" },
	{ "\"\xc3\xa9\xc3\xa9\" x", "text:1:6: 'x' where the end of the text is needed" },
};

static void anything_else_is_refused_with_its_place(test *t)
{
	for (size_t i = 0; i < sizeof refused / sizeof refused[0]; ++i) {
		rbl_json_document *document;
		CHECK(t, parse(refused[i].text, strlen(refused[i].text), &document) == RBL_BAD_FILE);
		CHECK(t, !document);
		if (!io_log_has(refused[i].reason))
			test_fail(t, __FILE__, (int)i, io_log);
	}
	rbl_json_document *document;
	CHECK(t, parse("[1]\0", 4, &document) == RBL_BAD_FILE && io_log_has("byte 0x00"));
}

// A text that is cut off anywhere is refused, and nothing behind it is read.
static void no_prefix_of_a_text_is_a_text(test *t)
{
	static const char text[] =
		"{\"a\":[1.5e+7,true,{\"\\u00e9\":\"\xf0\x9f\x98\x80\\n\"}],\"b\":null}";
	for (size_t size = 0; size < sizeof text - 1; ++size) {
		char *copy = malloc(size + 1); // so that a sanitizer sees the end
		memcpy(copy, text, size);
		char *exact = size > 0 ? realloc(copy, size) : copy;
		rbl_json_document *document;
		CHECK(t, parse(exact, size, &document) == RBL_BAD_FILE && !document);
		free(exact);
	}
}

static void nesting_is_limited_and_needs_no_stack(test *t)
{
	enum { COUNT = 3000000 };
	char *text = malloc(COUNT);
	memset(text, '[', COUNT);
	rbl_json_document *document;
	CHECK(t, parse(text, COUNT, &document) == RBL_BAD_FILE && io_log_has("more than 512 levels"));
	for (int i = 0; i < RBL_JSON_MAX_DEPTH; ++i)
		text[RBL_JSON_MAX_DEPTH + i] = ']';
	CHECK(t, parse(text, 2 * RBL_JSON_MAX_DEPTH, &document) == RBL_OK);
	const rbl_json *value = rbl_json_root(document);
	int depth = 0;
	for (; value; value = rbl_json_item(value, 0))
		depth++;
	CHECK(t, depth == RBL_JSON_MAX_DEPTH);
	rbl_destroy_json(document);
	free(text);
}

// Keys of large objects are sorted: found fast, and none is there twice.
static void large_objects_are_searched_by_order(test *t)
{
	enum { COUNT = 20000 };
	char *text = malloc((size_t)COUNT * 24 + 10), *at = text;
	*at++ = '{';
	for (int i = 0; i < COUNT; ++i)
		at += sprintf(at, "%s\"%d\":%d", i > 0 ? "," : "", (int)(i * 7919LL % COUNT), i);
	*at = '}';
	rbl_json_document *document;
	CHECK(t, parse(text, (size_t)(at + 1 - text), &document) == RBL_OK);
	const rbl_json *root = rbl_json_root(document);
	int found = 0;
	for (int i = 0; i < COUNT; ++i) {
		char key[20];
		sprintf(key, "%d", (int)(i * 7919LL % COUNT));
		found += rbl_json_number(rbl_json_member(root, key), -1.0) == (double)i;
	}
	CHECK(t, found == COUNT && rbl_json_count(root) == COUNT);
	CHECK(t, !rbl_json_member(root, "20000") && !rbl_json_member(root, ""));
	rbl_destroy_json(document);
	at += sprintf(at, ",\"4\":0}");
	CHECK(t, parse(text, (size_t)(at - text), &document) == RBL_BAD_FILE &&
	             io_log_has("'4' is there twice"));
	free(text);
}

// Zeros in texts are allowed, and count.
static void zeros_in_texts_are_kept(test *t)
{
	static const char text[] = "{\"a\\u0000b\":1,\"a\":\"x\\u0000y\"}";
	rbl_json_document *document;
	CHECK(t, parse(text, sizeof text - 1, &document) == RBL_OK);
	const rbl_json *value = rbl_json_member(rbl_json_root(document), "a");
	CHECK(t, rbl_json_text_length(value) == 3 && memcmp(rbl_json_text(value), "x\0y", 4) == 0);
	rbl_destroy_json(document);
}

static void memory_is_bounded_and_failures_unwind(test *t)
{
	enum { COUNT = 100000 };
	char *text = malloc(2 * COUNT + 2);
	for (int i = 0; i < COUNT; ++i)
		memcpy(text + 2 * i, i == 0 ? "[1" : ",1", 2);
	text[2 * COUNT] = ']';
	faulty_allocator memory;
	faulty_init(&memory, 1000000);
	rbl_json_document *document;
	rbl_allocator allocator = FAULTY(&memory);
	CHECK(t, rbl_parse_json(text, 2 * COUNT + 1, "text", &allocator, &document) == RBL_OK);
	CHECK(t, rbl_json_count(rbl_json_root(document)) == COUNT);
	CHECK(t, memory.peak_bytes < 80LL * (2 * COUNT + 1));
	rbl_destroy_json(document);
	CHECK(t, memory.live_bytes == 0);
	free(text);
	int failures = 0;
	for (int n = 0;; ++n) {
		char keys[1000] = "{", *at = keys + 1;
		for (int i = 0; i < 40; ++i)
			at += sprintf(at, "%s\"k%d\":[%d,{}]", i > 0 ? "," : "", i, i);
		*at++ = '}';
		faulty_init(&memory, n);
		rbl_result result =
			rbl_parse_json(keys, (size_t)(at - keys), "text", &allocator, &document);
		bool failed = memory.failed;
		CHECK(t, failed ? result == RBL_OUT_OF_MEMORY && !document : result == RBL_OK);
		rbl_destroy_json(document);
		CHECK(t, memory.live_bytes == 0);
		if (!failed)
			break;
		failures++;
	}
	CHECK(t, failures > 3);
}

TEST_MAIN(TEST(values_are_what_is_written), TEST(missing_values_are_harmless),
          TEST(a_text_may_be_empty_containers_alone), TEST(numbers_are_exact),
          TEST(anything_else_is_refused_with_its_place), TEST(no_prefix_of_a_text_is_a_text),
          TEST(nesting_is_limited_and_needs_no_stack), TEST(large_objects_are_searched_by_order),
          TEST(zeros_in_texts_are_kept), TEST(memory_is_bounded_and_failures_unwind))
