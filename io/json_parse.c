// SPDX-License-Identifier: MIT
//
// Parsing JSON: RFC 8259, without recursion.
//
// Values of containers that are still open wait on a stack. When a container closes, its values
// move to the document side by side, so that an item is found by its index, and the container
// itself waits as one value. Places in arrays that grow are indices until the end, when one pass
// makes pointers of them.

#include "io/json.h"

#include "io/decimal.h"
#include "io/io.h"

#include <stdarg.h>
#include <stdio.h>

typedef struct json_container {
	uint32_t first; // of its values on the stack
	uint32_t begin; // in the source
	bool is_object;
} json_container;

typedef struct parser {
	rbl_json_document *document;
	const char *name;
	const char *begin, *at, *end;
	RBL_IO_ARRAY(rbl_json) waiting;
	json_container open[RBL_JSON_MAX_DEPTH];
	int depth;
	rbl_result result;
} parser;

// What may come next.
typedef enum expected {
	EXPECT_VALUE,
	EXPECT_FIRST_ITEM, // or the end of the list
	EXPECT_KEY,
	EXPECT_FIRST_KEY, // or the end of the object
	EXPECT_SEPARATOR, // a comma or the end of a container or of the text
	EXPECT_NOTHING,
} expected;

static bool refuse(parser *p, const char *at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static bool refuse(parser *p, const char *at, const char *format, ...)
{
	char reason[200];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(reason, sizeof reason, format, arguments);
	va_end(arguments);
	long long line = 1, column = 1;
	for (const char *c = p->begin; c < at; ++c) {
		column += ((unsigned char)*c & 0xc0) != 0x80;
		if (*c == '\n')
			++line, column = 1;
	}
	p->result = rbl_io_fail(RBL_BAD_FILE, "%s:%lld:%lld: %s", p->name, line, column, reason);
	return false;
}

static bool fail_json_memory(parser *p)
{
	p->result = rbl_io_fail_memory(&p->document->memory, p->name);
	return false;
}

// What stands at a place where it should not.
static bool fail_unexpected(parser *p, const char *wanted)
{
	unsigned char c = p->at < p->end ? (unsigned char)*p->at : 0;
	if (p->at == p->end)
		return refuse(p, p->at, "the text ends where %s is needed", wanted);
	if (p->at == p->begin && p->end - p->at >= 3 && memcmp(p->at, "\xef\xbb\xbf", 3) == 0)
		return refuse(p, p->at, "the text starts with a byte order mark");
	if (c > 32 && c < 127)
		return refuse(p, p->at, "'%c' where %s is needed", c, wanted);
	return refuse(p, p->at, "byte 0x%02x where %s is needed", (unsigned)c, wanted);
}

static bool push_waiting(parser *p, rbl_json value)
{
	return rbl_io_push(&p->document->memory, &p->waiting, value) ? true : fail_json_memory(p);
}

static rbl_json value_at(const parser *p, const char *begin, rbl_json_type type)
{
	return (rbl_json){ .begin = (uint32_t)(begin - p->begin),
		               .end = (uint32_t)(p->at - p->begin),
		               .type = (uint8_t)type };
}

// --- texts -----------------------------------------------------------------------------------

// @return the bytes of the character at `at` if it is proper UTF-8: shortest form, no surrogates,
// up to U+10FFFF; otherwise 0
static int utf8_length(const unsigned char *at, const unsigned char *end)
{
	unsigned lead = at[0];
	int length = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
	if (lead > 0xf4 || length > end - at)
		return 0;
	for (int i = 1; i < length; ++i)
		if ((at[i] & 0xc0) != 0x80)
			return 0;
	bool is_bad = (lead == 0xe0 && at[1] < 0xa0) || (lead == 0xed && at[1] > 0x9f) ||
	              (lead == 0xf0 && at[1] < 0x90) || (lead == 0xf4 && at[1] > 0x8f);
	return is_bad ? 0 : length;
}

// Four hexadecimal digits. @return -1 where they are not
static int read_hex(const char *at, const char *end)
{
	int value = 0;
	if (end - at < 4)
		return -1;
	for (int i = 0; i < 4; ++i) {
		char c = at[i];
		int digit = c >= '0' && c <= '9'   ? c - '0'
		            : c >= 'a' && c <= 'f' ? c - 'a' + 10
		            : c >= 'A' && c <= 'F' ? c - 'A' + 10
		                                   : -1;
		if (digit < 0)
			return -1;
		value = value * 16 + digit;
	}
	return value;
}

static char *put_utf8(char *out, unsigned code)
{
	if (code < 0x80) {
		*out++ = (char)code;
	} else if (code < 0x800) {
		*out++ = (char)(0xc0 | code >> 6);
		*out++ = (char)(0x80 | (code & 63));
	} else if (code < 0x10000) {
		*out++ = (char)(0xe0 | code >> 12);
		*out++ = (char)(0x80 | (code >> 6 & 63));
		*out++ = (char)(0x80 | (code & 63));
	} else {
		*out++ = (char)(0xf0 | code >> 18);
		*out++ = (char)(0x80 | (code >> 12 & 63));
		*out++ = (char)(0x80 | (code >> 6 & 63));
		*out++ = (char)(0x80 | (code & 63));
	}
	return out;
}

// What follows a backslash. @return where the text goes on; NULL: refused
static char *read_escape(parser *p, char *out)
{
	static const char signs[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
	const char *start = p->at++; // the backslash
	if (p->at == p->end)
		return fail_unexpected(p, "the rest of a text"), NULL;
	const char *sign = memchr(signs, *p->at, sizeof signs - 1);
	if (sign) {
		*out++ = meanings[sign - signs];
		p->at++;
		return out;
	}
	if (*p->at != 'u')
		return refuse(p, start, "an unknown escape; a backslash is written twice"), NULL;
	int code = read_hex(p->at + 1, p->end);
	if (code < 0)
		return refuse(p, start, "\\u needs four hexadecimal digits"), NULL;
	p->at += 5;
	if (code >= 0xd800 && code < 0xe000) {
		bool has_second =
			code < 0xdc00 && p->end - p->at >= 6 && p->at[0] == '\\' && p->at[1] == 'u';
		int second = has_second ? read_hex(p->at + 2, p->end) : -1;
		if (second < 0xdc00 || second >= 0xe000)
			return refuse(p, start, "half of a surrogate pair"), NULL;
		code = 0x10000 + ((code - 0xd800) << 10) + (second - 0xdc00);
		p->at += 6;
	}
	return put_utf8(out, (unsigned)code);
}

// A text or key, at its opening quote. It is never longer than what it is written as, so that the
// document has space for it and its zero.
static bool parse_string(parser *p)
{
	rbl_json_document *document = p->document;
	const char *start = p->at++;
	char *first = document->text + document->text_size, *out = first;
	for (;;) {
		if (p->at == p->end)
			return refuse(p, start, "a text that does not end");
		unsigned char c = (unsigned char)*p->at;
		if (c == '"')
			break;
		if (c < 0x20)
			return refuse(p, p->at, "a control character in a text; \\u%04x stands for it",
			              (unsigned)c);
		if (c == '\\') {
			out = read_escape(p, out);
			if (!out)
				return false;
			continue;
		}
		int length = utf8_length((const unsigned char *)p->at, (const unsigned char *)p->end);
		if (length == 0)
			return refuse(p, p->at, "byte 0x%02x is no UTF-8", (unsigned)c);
		memcpy(out, p->at, (size_t)length);
		out += length, p->at += length;
	}
	*out++ = '\0';
	p->at++;
	rbl_json value = value_at(p, start, RBL_JSON_TEXT);
	value.count = (uint32_t)(out - first - 1);
	value.as.index = document->text_size;
	document->text_size += (size_t)(out - first);
	return push_waiting(p, value);
}

// --- numbers and words -----------------------------------------------------------------------

static bool skip_digits(parser *p)
{
	const char *start = p->at;
	while (p->at < p->end && *p->at >= '0' && *p->at <= '9')
		p->at++;
	return p->at > start;
}

static bool parse_number(parser *p)
{
	const char *start = p->at;
	bool is_whole = true;
	p->at += *p->at == '-';
	const char *digits = p->at;
	if (!skip_digits(p))
		return fail_unexpected(p, "a digit");
	if (*digits == '0' && p->at - digits > 1)
		return refuse(p, start, "a number with a leading zero");
	if (p->at < p->end && *p->at == '.') {
		is_whole = false;
		p->at++;
		if (!skip_digits(p))
			return fail_unexpected(p, "a digit");
	}
	if (p->at < p->end && (*p->at | 32) == 'e') {
		is_whole = false;
		p->at++;
		p->at += p->at < p->end && (*p->at == '+' || *p->at == '-');
		if (!skip_digits(p))
			return fail_unexpected(p, "a digit");
	}
	const char *at = start;
	rbl_json value = value_at(p, start, RBL_JSON_NUMBER);
	if (!rbl_io_parse_double(&at, p->at, &value.as.number) || at != p->at ||
	    !(value.as.number - value.as.number == 0.0))
		return refuse(p, start, "a number beyond the range of a double");
	double limit = 9223372036854775808.0; // 2^63
	if (is_whole && value.as.number > -limit && value.as.number < limit &&
	    !(value.as.number == 0.0 && *start == '-')) {
		int64_t whole = 0;
		at = start;
		value.is_whole = rbl_io_parse_int(&at, p->at, &whole);
		value.as.whole = whole;
	}
	return push_waiting(p, value);
}

static bool parse_word(parser *p)
{
	static const struct {
		const char *word;
		rbl_json_type type;
	} words[] = { { "true", RBL_JSON_TRUE },
		          { "false", RBL_JSON_FALSE },
		          { "null", RBL_JSON_NULL } };
	const char *start = p->at;
	for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i) {
		size_t length = strlen(words[i].word);
		if ((size_t)(p->end - p->at) >= length && memcmp(p->at, words[i].word, length) == 0) {
			p->at += length;
			return push_waiting(p, value_at(p, start, words[i].type));
		}
	}
	return fail_unexpected(p, "a value");
}

// --- containers ------------------------------------------------------------------------------

static bool key_is_less(const parser *p, const rbl_json *keys, uint32_t a, uint32_t b)
{
	const rbl_json *first = &keys[2 * (size_t)a], *second = &keys[2 * (size_t)b];
	const char *text = p->document->text;
	return rbl_json_compare(text + first->as.index, first->count, text + second->as.index,
	                        second->count) < 0;
}

static bool fail_duplicate(parser *p, const rbl_json *key)
{
	return refuse(p, p->begin + key->begin, "the key '%.60s' is there twice",
	              p->document->text + key->as.index);
}

// Sort members by key: a merge sort, from runs of one upwards. @return false: a key is there twice
static bool sort_members(parser *p, const rbl_json *members, uint32_t count)
{
	rbl_json_document *document = p->document;
	size_t begin = (size_t)document->orders.count;
	if (2 * (uint64_t)count + begin > RBL_MAX_MESH_ITEMS) {
		document->memory.failure = RBL_LIMIT_REACHED;
		return fail_json_memory(p);
	}
	if (!rbl_io_reserve(&document->memory, &document->orders, (int)(begin + 2 * (size_t)count)))
		return fail_json_memory(p);
	uint32_t *from = document->orders.data + begin, *to = from + count, *kept = from;
	for (uint32_t i = 0; i < count; ++i)
		from[i] = i;
	for (size_t run = 1; run < count; run *= 2) {
		for (size_t start = 0; start < count; start += 2 * run) {
			size_t middle = start + run < count ? start + run : count;
			size_t end = middle + run < count ? middle + run : count;
			for (size_t a = start, b = middle, n = start; n < end; ++n) {
				bool takes_second =
					b < end && (a == middle || key_is_less(p, members, from[b], from[a]));
				to[n] = takes_second ? from[b++] : from[a++];
			}
		}
		uint32_t *swap = from;
		from = to, to = swap;
	}
	if (from != kept)
		memcpy(kept, from, count * sizeof *kept);
	document->orders.count += (int)count;
	for (uint32_t i = 1; i < count; ++i)
		if (!key_is_less(p, members, kept[i - 1], kept[i]))
			return fail_duplicate(p, &members[2 * (size_t)kept[i]]);
	return true;
}

// Refuse a key that is there twice, and sort the members of a large object.
static bool check_members(parser *p, const rbl_json *members, uint32_t count)
{
	if (count > RBL_JSON_SMALL)
		return sort_members(p, members, count);
	const char *text = p->document->text;
	for (uint32_t i = 1; i < count; ++i)
		for (uint32_t k = 0; k < i; ++k) {
			const rbl_json *a = &members[2 * (size_t)i], *b = &members[2 * (size_t)k];
			if (a->count == b->count &&
			    memcmp(text + a->as.index, text + b->as.index, a->count) == 0)
				return fail_duplicate(p, a);
		}
	return true;
}

static expected open_json_container(parser *p)
{
	bool is_object = *p->at == '{';
	if (p->depth == RBL_JSON_MAX_DEPTH) {
		refuse(p, p->at, "more than %d levels of lists and objects", RBL_JSON_MAX_DEPTH);
		return EXPECT_NOTHING;
	}
	p->open[p->depth++] =
		(json_container){ (uint32_t)p->waiting.count, (uint32_t)(p->at - p->begin), is_object };
	p->at++;
	return is_object ? EXPECT_FIRST_KEY : EXPECT_FIRST_ITEM;
}

// Move the values of the innermost container to the document.
static bool close_json_container(parser *p)
{
	rbl_json_document *document = p->document;
	const json_container *open = &p->open[--p->depth];
	int count = p->waiting.count - (int)open->first, first = document->values.count;
	const rbl_json *values = count > 0 ? p->waiting.data + open->first : NULL;
	p->at++;
	rbl_json made =
		value_at(p, p->begin + open->begin, open->is_object ? RBL_JSON_OBJECT : RBL_JSON_LIST);
	made.count = (uint32_t)(open->is_object ? count / 2 : count);
	made.as.index = (size_t)first;
	size_t order = (size_t)document->orders.count;
	if (open->is_object && !check_members(p, values, made.count))
		return false;
	if (!rbl_io_reserve(&document->memory, &document->values, first + count + 1))
		return fail_json_memory(p);
	if (count > 0)
		memcpy(document->values.data + first, values, (size_t)count * sizeof *values);
	document->values.count += count;
	if (open->is_object && made.count > RBL_JSON_SMALL)
		document->values.data[document->values.count++] =
			(rbl_json){ .as.index = order, .type = RBL_JSON_ORDER };
	p->waiting.count = (int)open->first;
	return push_waiting(p, made);
}

// --- the text --------------------------------------------------------------------------------

static void skip_white_space(parser *p)
{
	while (p->at < p->end && (*p->at == ' ' || *p->at == '\t' || *p->at == '\n' || *p->at == '\r'))
		p->at++;
}

static expected parse_value(parser *p)
{
	char c = p->at < p->end ? *p->at : '\0';
	if (c == '{' || c == '[')
		return open_json_container(p);
	bool is_read = c == '"'                             ? parse_string(p)
	               : c == '-' || (c >= '0' && c <= '9') ? parse_number(p)
	                                                    : parse_word(p);
	return is_read ? EXPECT_SEPARATOR : EXPECT_NOTHING;
}

static expected parse_key(parser *p)
{
	if (p->at == p->end || *p->at != '"') {
		fail_unexpected(p, "a key in quotes");
		return EXPECT_NOTHING;
	}
	if (!parse_string(p))
		return EXPECT_NOTHING;
	skip_white_space(p);
	if (p->at == p->end || *p->at != ':') {
		fail_unexpected(p, "a colon");
		return EXPECT_NOTHING;
	}
	p->at++;
	return EXPECT_VALUE;
}

static expected parse_separator(parser *p)
{
	if (p->depth == 0) {
		if (p->at != p->end)
			fail_unexpected(p, "the end of the text");
		return EXPECT_NOTHING;
	}
	bool is_object = p->open[p->depth - 1].is_object;
	char c = p->at < p->end ? *p->at : '\0';
	if (c == ',') {
		p->at++;
		return is_object ? EXPECT_KEY : EXPECT_VALUE;
	}
	if (c == (is_object ? '}' : ']'))
		return close_json_container(p) ? EXPECT_SEPARATOR : EXPECT_NOTHING;
	fail_unexpected(p, is_object ? "a comma or '}'" : "a comma or ']'");
	return EXPECT_NOTHING;
}

static void parse_values(parser *p)
{
	expected next = EXPECT_VALUE;
	while (next != EXPECT_NOTHING) {
		skip_white_space(p);
		char c = p->at < p->end ? *p->at : '\0';
		if ((next == EXPECT_FIRST_ITEM && c == ']') || (next == EXPECT_FIRST_KEY && c == '}'))
			next = close_json_container(p) ? EXPECT_SEPARATOR : EXPECT_NOTHING;
		else if (next == EXPECT_SEPARATOR)
			next = parse_separator(p);
		else if (next == EXPECT_KEY || next == EXPECT_FIRST_KEY)
			next = parse_key(p);
		else
			next = parse_value(p);
	}
}

// Turn indices into pointers.
static void link_value(rbl_json_document *document, rbl_json *value)
{
	size_t index = value->as.index;
	if (value->type == RBL_JSON_TEXT)
		value->as.text = document->text + index;
	else if (value->type == RBL_JSON_LIST || value->type == RBL_JSON_OBJECT)
		value->as.items = document->values.data + index;
	else if (value->type == RBL_JSON_ORDER)
		value->as.order = document->orders.data + index;
}

rbl_result rbl_parse_json(const char *text, size_t size, const char *name,
                          const rbl_allocator *allocator, rbl_json_document **document)
{
	if (!document)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "document is NULL");
	*document = NULL;
	if (!text && size > 0)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "text is NULL");
	rbl_allocator heap = { 0 };
	if (allocator && !rbl_io_allocator_is_valid(allocator))
		return rbl_io_fail(RBL_BAD_ARGUMENT, "the allocator has one function without the other");
	name = name ? name : "JSON";
	if (size > INT32_MAX)
		return rbl_io_fail(RBL_LIMIT_REACHED, "%s: JSON of 2 GiB or more", name);
	text = text ? text : "";
	rbl_io_memory memory = rbl_io_memory_of(allocator ? allocator : &heap);
	rbl_json_document *made = RBL_IO_NEW(&memory, rbl_json_document, 1);
	if (!made)
		return rbl_io_fail_memory(&memory, name);
	*made = (rbl_json_document){ .memory = memory, .source = text, .size = size };
	made->text_capacity = size + 1;
	made->text = RBL_IO_NEW(&made->memory, char, made->text_capacity);
	parser p = { .document = made, .name = name, .begin = text, .at = text, .end = text + size };
	p.result = RBL_OK;
	if (made->text)
		parse_values(&p);
	else
		fail_json_memory(&p);
	if (p.result == RBL_OK) {
		made->root = p.waiting.data[0];
		link_value(made, &made->root);
		for (int i = 0; i < made->values.count; ++i)
			link_value(made, &made->values.data[i]);
	}
	rbl_io_free(&made->memory, &p.waiting);
	if (p.result == RBL_OK)
		*document = made;
	else
		rbl_destroy_json(made);
	return p.result;
}

void rbl_destroy_json(rbl_json_document *document)
{
	if (!document)
		return;
	rbl_io_memory memory = document->memory;
	rbl_io_free(&memory, &document->values);
	rbl_io_free(&memory, &document->orders);
	RBL_IO_FREE(&memory, document->text, document->text_capacity);
	RBL_IO_FREE(&memory, document, 1);
}
