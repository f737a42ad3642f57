// SPDX-License-Identifier: MIT
//
// glTF accessors, buffer views and buffers, whose bytes come from the binary chunk, base64 or a
// file. Every offset is checked once, when the accessor is opened; fetching an item cannot fail.

#include "io/gltf.h"

rbl_result rbl_gltf_fail(const rbl_gltf *gltf, const char *list, int64_t index, const char *reason)
{
	return rbl_io_fail(RBL_BAD_FILE, "%s: %s[%lld]: %s", gltf->source->name, list, (long long)index,
	                   reason);
}

int64_t rbl_gltf_int(const rbl_json *object, const char *key, int64_t fallback)
{
	const rbl_json *value = rbl_json_member(object, key);
	int64_t number = INT64_MIN;
	if (!value)
		return fallback;
	return rbl_json_get_integer(value, &number) ? number : INT64_MIN;
}

int rbl_gltf_list_count(const rbl_gltf *gltf, const char *list)
{
	const rbl_json *array = rbl_json_member(gltf->root, list);
	return rbl_json_get_type(array) == RBL_JSON_LIST ? rbl_json_count(array) : 0;
}

const rbl_json *rbl_gltf_item(const rbl_gltf *gltf, const char *list, int64_t index)
{
	const rbl_json *array = rbl_json_member(gltf->root, list);
	if (rbl_json_get_type(array) != RBL_JSON_LIST || index < 0 || index >= rbl_json_count(array))
		return NULL;
	const rbl_json *item = rbl_json_item(array, (int)index);
	return rbl_json_get_type(item) == RBL_JSON_OBJECT ? item : NULL;
}

bool rbl_gltf_numbers(const rbl_json *array, double *values, int count)
{
	if (rbl_json_get_type(array) != RBL_JSON_LIST || rbl_json_count(array) != count)
		return false;
	for (int i = 0; i < count; ++i) {
		const rbl_json *number = rbl_json_item(array, i);
		if (rbl_json_get_type(number) != RBL_JSON_NUMBER)
			return false;
		values[i] = rbl_json_number(number, 0.0);
	}
	return true;
}

// --- buffers ---------------------------------------------------------------------------------

static int base64_digit(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	return c == '+' ? 62 : c == '/' ? 63 : -1;
}

// Decode base64 into `bytes`. @return false at an invalid character.
static bool decode_base64(const char *text, size_t length, rbl_io_output *bytes)
{
	while (length > 0 && text[length - 1] == '=')
		--length;
	unsigned char *space = rbl_io_output_reserve(bytes, length / 4 * 3 + 3);
	if (!space)
		return true; // the caller reports it
	uint32_t bits = 0;
	int bit_count = 0;
	size_t size = 0;
	for (size_t i = 0; i < length; ++i) {
		int digit = base64_digit(text[i]);
		if (digit < 0)
			return false;
		bits = bits << 6 | (uint32_t)digit;
		bit_count += 6;
		if (bit_count >= 8) {
			bit_count -= 8;
			space[size++] = (unsigned char)(bits >> bit_count);
		}
	}
	bytes->size += size;
	return true;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)(c | 32);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// Read the file of a percent-encoded URI.
static rbl_result read_external(rbl_gltf *gltf, const char *uri, size_t length,
                                rbl_io_output *bytes)
{
	rbl_io_memory *memory = &gltf->source->memory;
	char *name = RBL_IO_NEW(memory, char, length + 1);
	if (!name)
		return rbl_io_fail_memory(memory, gltf->source->name);
	size_t size = 0;
	for (size_t i = 0; i < length; ++i) {
		bool is_coded = uri[i] == '%' && i + 2 < length && hex_digit(uri[i + 1]) >= 0 &&
		                hex_digit(uri[i + 2]) >= 0;
		name[size++] =
			is_coded ? (char)(hex_digit(uri[i + 1]) * 16 + hex_digit(uri[i + 2])) : uri[i];
		i += is_coded ? 2 : 0;
	}
	rbl_result result = rbl_io_read_referenced(gltf->source, name, size, RBL_LOG_ERROR, bytes);
	RBL_IO_FREE(memory, name, length + 1);
	return result;
}

rbl_result rbl_gltf_load_uri(rbl_gltf *gltf, const char *list, int index, const rbl_json *uri,
                             rbl_io_output *bytes)
{
	const char *text = rbl_json_text(uri);
	size_t length = rbl_json_text_length(uri);
	*bytes = (rbl_io_output){ .memory = gltf->source->memory };
	if (!text)
		return rbl_gltf_fail(gltf, list, index, "the uri is no text");
	if (length < 5 || memcmp(text, "data:", 5) != 0)
		return read_external(gltf, text, length, bytes);
	const char *comma = memchr(text, ',', length);
	if (!comma || comma - text < 7 || memcmp(comma - 7, ";base64", 7) != 0)
		return rbl_gltf_fail(gltf, list, index, "a data uri that is no base64");
	if (!decode_base64(comma + 1, length - (size_t)(comma + 1 - text), bytes))
		return rbl_gltf_fail(gltf, list, index, "a character that is no base64");
	if (bytes->memory.failure != RBL_OK)
		return rbl_io_fail_memory(&bytes->memory, gltf->source->name);
	return RBL_OK;
}

static rbl_result load_buffer(rbl_gltf *gltf, int64_t index)
{
	const rbl_json *object = rbl_gltf_item(gltf, "buffers", index);
	if (!object)
		return rbl_gltf_fail(gltf, "buffers", index, "there is no such buffer");
	rbl_gltf_buffer *buffer = &gltf->buffers[index];
	if (buffer->data)
		return RBL_OK;
	const rbl_json *uri = rbl_json_member(object, "uri");
	rbl_result result = RBL_OK;
	const rbl_json *extensions = rbl_json_member(object, "extensions");
	bool is_packed = rbl_json_member(extensions, "EXT_meshopt_compression");
	if (is_packed || rbl_json_member(extensions, "KHR_meshopt_compression"))
		return rbl_io_fail(RBL_UNSUPPORTED,
		                   "%s: buffers[%lld] is packed with %s_meshopt_compression; "
		                   "'gltf-transform copy IN OUT' unpacks it",
		                   gltf->source->name, (long long)index, is_packed ? "EXT" : "KHR");
	if (uri) {
		result = rbl_gltf_load_uri(gltf, "buffers", (int)index, uri, &buffer->owned);
		buffer->data = buffer->owned.data;
		buffer->size = buffer->owned.size;
	} else if (index == 0 && gltf->chunk) {
		buffer->data = gltf->chunk;
		buffer->size = gltf->chunk_size;
	}
	if (result != RBL_OK)
		return result;
	int64_t size = rbl_gltf_int(object, "byteLength", -1);
	if (!buffer->data || size < 0 || (uint64_t)size > buffer->size)
		return rbl_gltf_fail(gltf, "buffers", index, "its bytes are missing");
	buffer->size = (size_t)size;
	gltf->budget += size; // the size of the file adds to the budget
	return RBL_OK;
}

// --- accessors -------------------------------------------------------------------------------

static int component_size(int64_t component)
{
	switch (component) {
	case 5120:
	case 5121:
		return 1;
	case 5122:
	case 5123:
		return 2;
	case 5125:
	case 5126:
		return 4;
	default:
		return 0;
	}
}

rbl_result rbl_gltf_open_view(rbl_gltf *gltf, int64_t index, const unsigned char **data,
                              size_t *size)
{
	const rbl_json *view = rbl_gltf_item(gltf, "bufferViews", index);
	if (!view)
		return rbl_gltf_fail(gltf, "bufferViews", index, "there is no such view");
	int64_t buffer_index = rbl_gltf_int(view, "buffer", -1);
	rbl_result result = load_buffer(gltf, buffer_index);
	if (result != RBL_OK)
		return result;
	const rbl_gltf_buffer *buffer = &gltf->buffers[buffer_index];
	int64_t view_offset = rbl_gltf_int(view, "byteOffset", 0);
	int64_t view_size = rbl_gltf_int(view, "byteLength", -1);
	if (view_offset < 0 || view_size < 0 || view_offset > (int64_t)buffer->size ||
	    view_size > (int64_t)buffer->size - view_offset)
		return rbl_gltf_fail(gltf, "bufferViews", index, "reaches beyond its buffer");
	*data = buffer->data + view_offset;
	*size = (size_t)view_size;
	return RBL_OK;
}

// The bytes of `count` items of `size` bytes from `offset` of a buffer view.
static rbl_result open_items(rbl_gltf *gltf, int64_t index, int64_t offset, int64_t count,
                             int64_t size, const unsigned char **data, size_t *stride)
{
	const unsigned char *bytes;
	size_t byte_count;
	rbl_result result = rbl_gltf_open_view(gltf, index, &bytes, &byte_count);
	if (result != RBL_OK)
		return result;
	const rbl_json *view = rbl_gltf_item(gltf, "bufferViews", index);
	int64_t view_size = (int64_t)byte_count, step = rbl_gltf_int(view, "byteStride", size);
	if (step < size || step > 65536)
		return rbl_gltf_fail(gltf, "bufferViews", index, "the stride is not usable");
	if (offset < 0 || offset > view_size ||
	    (count > 0 &&
	     (size > view_size - offset || count - 1 > (view_size - offset - size) / step)))
		return rbl_gltf_fail(gltf, "bufferViews", index, "is too small for what it is to hold");
	*data = bytes + offset;
	*stride = (size_t)step;
	return RBL_OK;
}

static uint32_t load_integer(const unsigned char *at, int component)
{
	switch (component) {
	case 5121:
	case 5120:
		return at[0];
	case 5123:
	case 5122:
		return (uint32_t)at[0] | (uint32_t)at[1] << 8;
	default:
		return rbl_io_load_u32(at);
	}
}

static rbl_result open_sparse(rbl_gltf *gltf, int64_t index, const rbl_json *sparse,
                              rbl_gltf_accessor *accessor)
{
	const rbl_json *indices = rbl_json_member(sparse, "indices");
	const rbl_json *values = rbl_json_member(sparse, "values");
	int64_t count = rbl_gltf_int(sparse, "count", -1);
	int64_t component = rbl_gltf_int(indices, "componentType", -1);
	int index_size = component_size(component);
	if (count < 1 || count > accessor->count ||
	    (component != 5121 && component != 5123 && component != 5125))
		return rbl_gltf_fail(gltf, "accessors", index, "its sparse part is not usable");
	size_t stride;
	int64_t value_size = (int64_t)component_size(accessor->component) * accessor->components;
	rbl_result result = open_items(gltf, rbl_gltf_int(indices, "bufferView", -1),
	                               rbl_gltf_int(indices, "byteOffset", 0), count, index_size,
	                               &accessor->sparse_indices, &stride);
	if (result == RBL_OK && stride != (size_t)index_size)
		result = rbl_gltf_fail(gltf, "accessors", index, "its sparse indices have gaps");
	if (result == RBL_OK)
		result = open_items(gltf, rbl_gltf_int(values, "bufferView", -1),
		                    rbl_gltf_int(values, "byteOffset", 0), count, value_size,
		                    &accessor->sparse_values, &stride);
	if (result == RBL_OK && stride != (size_t)value_size)
		result = rbl_gltf_fail(gltf, "accessors", index, "its sparse values have gaps");
	if (result != RBL_OK)
		return result;
	accessor->sparse_component = (int)component;
	accessor->sparse_count = (int)count;
	uint32_t previous = 0;
	for (int i = 0; i < accessor->sparse_count; ++i) {
		uint32_t item =
			load_integer(accessor->sparse_indices + (size_t)i * (size_t)index_size, (int)component);
		if (item >= (uint32_t)accessor->count || (i > 0 && item <= previous))
			return rbl_gltf_fail(gltf, "accessors", index, "its sparse indices are not ascending");
		previous = item;
	}
	return RBL_OK;
}

static int type_components(const char *type)
{
	static const char *const types[] = { "SCALAR", "VEC2", "VEC3", "VEC4" };
	for (int i = 0; type && i < 4; ++i) {
		if (strcmp(type, types[i]) == 0)
			return i + 1;
	}
	return 0;
}

rbl_result rbl_gltf_open_accessor(rbl_gltf *gltf, int64_t index, rbl_gltf_accessor *accessor)
{
	*accessor = (rbl_gltf_accessor){ 0 };
	const rbl_json *object = rbl_gltf_item(gltf, "accessors", index);
	if (!object)
		return rbl_gltf_fail(gltf, "accessors", index, "there is no such accessor");
	int64_t count = rbl_gltf_int(object, "count", -1);
	int64_t component = rbl_gltf_int(object, "componentType", -1);
	accessor->components = type_components(rbl_json_text(rbl_json_member(object, "type")));
	accessor->is_normalized = rbl_json_is_true(rbl_json_member(object, "normalized"));
	if (count < 1 || component_size(component) == 0 || accessor->components == 0)
		return rbl_gltf_fail(gltf, "accessors", index,
		                     "count, componentType or type is not usable");
	if (count > RBL_MAX_MESH_ITEMS)
		return rbl_io_fail(RBL_LIMIT_REACHED, "%s: accessors[%lld] has %lld items",
		                   gltf->source->name, (long long)index, (long long)count);
	accessor->count = (int)count;
	accessor->component = (int)component;
	int64_t size = (int64_t)component_size(component) * accessor->components;
	if (rbl_json_member(object, "bufferView")) {
		rbl_result result = open_items(gltf, rbl_gltf_int(object, "bufferView", -1),
		                               rbl_gltf_int(object, "byteOffset", 0), count, size,
		                               &accessor->data, &accessor->stride);
		if (result != RBL_OK)
			return result;
	}
	const rbl_json *sparse = rbl_json_member(object, "sparse");
	return sparse ? open_sparse(gltf, index, sparse, accessor) : RBL_OK;
}

// The bytes of item `index`, or NULL for zeros.
static const unsigned char *locate(const rbl_gltf_accessor *accessor, int index)
{
	if (accessor->sparse_count == 0)
		return accessor->data ? accessor->data + (size_t)index * accessor->stride : NULL;
	int low = 0, high = accessor->sparse_count;
	size_t index_size = (size_t)component_size(accessor->sparse_component);
	while (low < high) {
		int middle = (low + high) / 2;
		uint32_t item = load_integer(accessor->sparse_indices + (size_t)middle * index_size,
		                             accessor->sparse_component);
		if (item == (uint32_t)index)
			return accessor->sparse_values + (size_t)middle *
			                                     (size_t)component_size(accessor->component) *
			                                     (size_t)accessor->components;
		if (item < (uint32_t)index)
			low = middle + 1;
		else
			high = middle;
	}
	return accessor->data ? accessor->data + (size_t)index * accessor->stride : NULL;
}

// An integer component, normalized or not.
static double load_number(const unsigned char *at, int component, bool is_normalized)
{
	uint32_t bits = load_integer(at, component);
	double value, largest;
	switch (component) {
	case 5120:
		value = (double)(int8_t)bits, largest = 127.0;
		break;
	case 5121:
		value = (double)bits, largest = 255.0;
		break;
	case 5122:
		value = (double)(int16_t)bits, largest = 32767.0;
		break;
	case 5123:
		value = (double)bits, largest = 65535.0;
		break;
	default:
		value = (double)bits, largest = 4294967295.0;
	}
	if (!is_normalized)
		return value;
	return value < -largest ? -1.0 : value / largest;
}

void rbl_gltf_fetch(const rbl_gltf_accessor *accessor, int index, double *values)
{
	const unsigned char *at = locate(accessor, index);
	if (at && accessor->component == 5126) { // fast path
		for (int i = 0; i < accessor->components; ++i)
			values[i] = (double)rbl_io_load_f32(at + 4 * (size_t)i);
		return;
	}
	size_t size = (size_t)component_size(accessor->component);
	for (int i = 0; i < accessor->components; ++i)
		values[i] =
			at ? load_number(at + (size_t)i * size, accessor->component, accessor->is_normalized)
			   : 0.0;
}

uint32_t rbl_gltf_fetch_index(const rbl_gltf_accessor *accessor, int index)
{
	const unsigned char *at = locate(accessor, index);
	return at ? load_integer(at, accessor->component) : 0;
}
