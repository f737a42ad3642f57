// SPDX-License-Identifier: MIT
//
// Looking at JSON values.

#include "io/json.h"

int rbl_json_compare(const char *a, size_t a_size, const char *b, size_t b_size)
{
	size_t size = a_size < b_size ? a_size : b_size;
	int sign = size > 0 ? memcmp(a, b, size) : 0;
	return sign != 0 ? sign : (a_size > b_size) - (a_size < b_size);
}

const rbl_json *rbl_json_root(const rbl_json_document *document)
{
	return document ? &document->root : NULL;
}

rbl_json_type rbl_json_get_type(const rbl_json *value)
{
	return value ? (rbl_json_type)value->type : RBL_JSON_MISSING;
}

int rbl_json_count(const rbl_json *value)
{
	bool is_container = value && (value->type == RBL_JSON_LIST || value->type == RBL_JSON_OBJECT);
	return is_container ? (int)value->count : 0;
}

const rbl_json *rbl_json_item(const rbl_json *value, int index)
{
	if (index < 0 || index >= rbl_json_count(value))
		return NULL;
	return value->type == RBL_JSON_LIST ? &value->as.items[index]
	                                    : &value->as.items[2 * (size_t)index + 1];
}

const char *rbl_json_key(const rbl_json *object, int index)
{
	bool is_member = rbl_json_get_type(object) == RBL_JSON_OBJECT && index >= 0 &&
	                 (uint32_t)index < object->count;
	return is_member ? object->as.items[2 * (size_t)index].as.text : NULL;
}

const rbl_json *rbl_json_member(const rbl_json *object, const char *key)
{
	if (rbl_json_get_type(object) != RBL_JSON_OBJECT || !key)
		return NULL;
	const rbl_json *items = object->as.items;
	size_t size = strlen(key);
	if (object->count <= RBL_JSON_SMALL) {
		for (size_t i = 0; i < object->count; ++i) {
			const rbl_json *own = &items[2 * i];
			if (own->count == size && memcmp(own->as.text, key, size) == 0)
				return own + 1;
		}
		return NULL;
	}
	const uint32_t *order = items[2 * (size_t)object->count].as.order;
	size_t low = 0, high = object->count;
	while (low < high) {
		size_t middle = (low + high) / 2;
		const rbl_json *own = &items[2 * (size_t)order[middle]];
		int sign = rbl_json_compare(own->as.text, own->count, key, size);
		if (sign == 0)
			return own + 1;
		if (sign < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

double rbl_json_number(const rbl_json *value, double fallback)
{
	if (rbl_json_get_type(value) != RBL_JSON_NUMBER)
		return fallback;
	return value->is_whole ? (double)value->as.whole : value->as.number;
}

bool rbl_json_get_integer(const rbl_json *value, int64_t *number)
{
	if (rbl_json_get_type(value) != RBL_JSON_NUMBER)
		return false;
	if (value->is_whole) {
		*number = value->as.whole;
		return true;
	}
	const double limit = 9223372036854775808.0; // 2^63
	double nearest = value->as.number;
	if (!(nearest > -limit && nearest < limit) || (double)(int64_t)nearest != nearest)
		return false;
	*number = (int64_t)nearest;
	return true;
}

bool rbl_json_is_true(const rbl_json *value)
{
	return rbl_json_get_type(value) == RBL_JSON_TRUE;
}

const char *rbl_json_text(const rbl_json *value)
{
	return rbl_json_get_type(value) == RBL_JSON_TEXT ? value->as.text : NULL;
}

size_t rbl_json_text_length(const rbl_json *value)
{
	return rbl_json_get_type(value) == RBL_JSON_TEXT ? value->count : 0;
}

rbl_json_source rbl_json_get_source(const rbl_json_document *document, const rbl_json *value)
{
	if (!document || !value)
		return (rbl_json_source){ NULL, 0 };
	return (rbl_json_source){ document->source + value->begin, value->end - value->begin };
}

void rbl_json_get_position(const rbl_json_document *document, const rbl_json *value, int *line,
                           int *column)
{
	*line = *column = 1;
	for (uint32_t i = 0; document && value && i < value->begin; ++i) {
		char c = document->source[i];
		*column += ((unsigned char)c & 0xc0) != 0x80;
		if (c == '\n')
			++*line, *column = 1;
	}
}
