// SPDX-License-Identifier: MIT
//
// Reading: definitions are checked, the format is detected, its reader runs, and what it collected
// becomes a mesh.

#include "io/io.h"

#include <stdarg.h>
#include <stdio.h>

enum { READ_COOKIE = 0x72656164, LINE_CAPACITY = 512 };

static const rbl_read_def defaults = {
	.up = RBL_AXIS_Y,
	.scale = 1.0,
	.instance_limit = 1 << 24,
	.size_limit = RBL_FILE_SIZE_LIMIT,
	.cookie = READ_COOKIE,
};

rbl_read_def rbl_default_read_def(void)
{
	return defaults;
}

// --- messages --------------------------------------------------------------------------------

rbl_result rbl_io_log(rbl_log_level level, rbl_result result, const char *format, ...)
{
	char line[LINE_CAPACITY];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(line, sizeof line, format, arguments);
	va_end(arguments);
	rbl_log_text(level, line);
	return result;
}

rbl_result rbl_io_fail_line(const rbl_io_source *source, const char *at, const char *format, ...)
{
	char reason[LINE_CAPACITY];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(reason, sizeof reason, format, arguments);
	va_end(arguments);
	long long line = 1;
	for (const char *p = source->begin; p < at; ++p)
		line += *p == '\n';
	return rbl_io_fail(RBL_BAD_FILE, "%s:%lld: %s", source->name, line, reason);
}

rbl_result rbl_io_fail_offset(const rbl_io_source *source, const char *at, const char *format, ...)
{
	char reason[LINE_CAPACITY];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(reason, sizeof reason, format, arguments);
	va_end(arguments);
	return rbl_io_fail(RBL_BAD_FILE, "%s: byte %lld: %s", source->name,
	                   (long long)(at - source->begin), reason);
}

rbl_result rbl_io_fail_memory(const rbl_io_memory *memory, const char *name)
{
	if (memory->failure == RBL_LIMIT_REACHED)
		return rbl_io_fail(RBL_LIMIT_REACHED, "%s: more than %d items of a kind", name,
		                   RBL_MAX_MESH_ITEMS);
	return rbl_io_fail(RBL_OUT_OF_MEMORY, "%s: out of memory", name);
}

// --- formats ---------------------------------------------------------------------------------

static const struct {
	const char *ending;
	rbl_file_format format;
} endings[] = {
	{ "obj", RBL_FORMAT_OBJ },   { "ply", RBL_FORMAT_PLY },    { "stl", RBL_FORMAT_STL },
	{ "off", RBL_FORMAT_OFF },   { "mesh", RBL_FORMAT_MEDIT }, { "glb", RBL_FORMAT_GLTF },
	{ "gltf", RBL_FORMAT_GLTF },
};

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

rbl_file_format rbl_file_format_of_name(const char *name)
{
	const char *dot = name ? strrchr(name, '.') : NULL;
	for (size_t i = 0; dot && i < sizeof endings / sizeof endings[0]; ++i) {
		size_t k = 0;
		while (endings[i].ending[k] && lower(dot[1 + k]) == endings[i].ending[k])
			++k;
		if (!endings[i].ending[k] && !dot[1 + k])
			return endings[i].format;
	}
	return RBL_FORMAT_AUTO;
}

const char *rbl_file_format_ending(rbl_file_format format)
{
	for (size_t i = 0; i < sizeof endings / sizeof endings[0]; ++i) {
		if (endings[i].format == format)
			return endings[i].ending;
	}
	return "";
}

static bool starts_with(const char *at, const char *end, const char *word)
{
	size_t length = strlen(word);
	return (size_t)(end - at) >= length && memcmp(at, word, length) == 0;
}

// Whether one of the first lines starts like an OBJ line.
static bool looks_like_obj(const char *at, const char *end)
{
	static const char *const words[] = { "v ", "vn ", "vt ", "f ", "o ", "g ", "mtllib " };
	for (int line = 0; line < 100 && at < end; ++line) {
		for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i) {
			if (starts_with(at, end, words[i]))
				return true;
		}
		const char *next = memchr(at, '\n', (size_t)(end - at));
		at = next ? next + 1 : end;
	}
	return false;
}

// Detect the format by the first bytes.
static rbl_file_format detect_format(const char *begin, const char *end)
{
	if (starts_with(begin, end, "glTF"))
		return RBL_FORMAT_GLTF;
	if (starts_with(begin, end, "ply\n") || starts_with(begin, end, "ply\r"))
		return RBL_FORMAT_PLY;
	if (starts_with(begin, end, "MeshVersionFormatted"))
		return RBL_FORMAT_MEDIT;
	if (starts_with(begin, end, "solid"))
		return RBL_FORMAT_STL;
	if (end - begin >= 84) {
		uint64_t triangles = rbl_io_load_u32(begin + 80);
		if ((uint64_t)(end - begin) == 84 + 50 * triangles)
			return RBL_FORMAT_STL;
	}
	const char *at = begin;
	while (at < end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n'))
		++at;
	if (at < end && *at == '{')
		return RBL_FORMAT_GLTF;
	for (const char *p = at; p < end && p < at + 6 && *p >= '4' && *p <= 'T'; ++p) {
		if (starts_with(p, end, "OFF")) // after any of ST, C, N, 4, n
			return RBL_FORMAT_OFF;
	}
	return looks_like_obj(begin, end) ? RBL_FORMAT_OBJ : RBL_FORMAT_AUTO;
}

// --- reading -------------------------------------------------------------------------------

static rbl_result check_read_def(const rbl_read_def *def)
{
	if (def->cookie != READ_COOKIE)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "start from rbl_default_read_def()");
	if ((unsigned)def->format >= RBL_FORMAT_COUNT)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "format is %d", (int)def->format);
	if ((unsigned)def->up > RBL_AXIS_Z)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "up is %d", (int)def->up);
	if (!(def->scale > 0.0 && def->scale <= 1e300))
		return rbl_io_fail(RBL_BAD_ARGUMENT, "scale is %g, must be finite and above 0", def->scale);
	if (def->instance_limit < 0)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "instance_limit is negative");
	if (def->material_offset < 0 || def->material_offset > RBL_MAX_MESH_ITEMS)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "material_offset is %d", def->material_offset);
	if (!rbl_io_allocator_is_valid(&def->allocator))
		return rbl_io_fail(RBL_BAD_ARGUMENT, "the allocator has one function without the other");
	return RBL_OK;
}

static rbl_file_format source_format(const rbl_io_source *source)
{
	rbl_file_format format = source->def->format;
	if (format == RBL_FORMAT_AUTO)
		format = rbl_file_format_of_name(source->name);
	if (format == RBL_FORMAT_AUTO)
		format = detect_format(source->begin, source->end);
	return format;
}

// Run the reader of the format.
static rbl_result read_format(rbl_io_source *source)
{
	switch (source_format(source)) {
	case RBL_FORMAT_OBJ:
		return rbl_io_read_obj(source);
	case RBL_FORMAT_PLY:
		return rbl_io_read_ply(source);
	case RBL_FORMAT_STL:
		return rbl_io_read_stl(source);
	case RBL_FORMAT_OFF:
		return rbl_io_read_off(source);
	case RBL_FORMAT_MEDIT:
		return rbl_io_read_medit(source);
	case RBL_FORMAT_GLTF:
		return rbl_io_read_gltf(source);
	default:
		return rbl_io_fail(RBL_UNSUPPORTED, "%s: unknown file format", source->name);
	}
}

static rbl_result create_tets(const rbl_tet_arrays *arrays, const rbl_read_def *def,
                              rbl_tets **tets)
{
	rbl_tets_def tets_def = rbl_default_tets_def();
	tets_def.vertex_count = arrays->vertex_count;
	tets_def.positions = arrays->positions;
	tets_def.tet_count = arrays->tet_count;
	tets_def.tet_vertices = arrays->tet_vertices;
	tets_def.mend_orientation = true;
	tets_def.allocator = def->allocator;
	rbl_result result = rbl_create_tets(&tets_def, tets);
	return result == RBL_BAD_ARGUMENT ? RBL_BAD_MESH : result; // a vertex twice in a tetrahedron
}

// The boundary mesh of tetrahedra without faces.
static rbl_result finish_boundary(rbl_io_source *source, rbl_mesh **mesh)
{
	rbl_tet_arrays arrays;
	rbl_tets *tets = NULL;
	rbl_result result = rbl_io_finish_tets(source, &arrays);
	if (result != RBL_OK)
		return result;
	result = create_tets(&arrays, source->def, &tets);
	if (result == RBL_OK)
		result = rbl_tets_create_boundary_mesh(tets, &source->def->allocator, mesh);
	rbl_destroy_tets(tets);
	rbl_free_tet_arrays(&arrays);
	return result == RBL_BAD_MESH ? RBL_BAD_FILE : result; // the log names the tetrahedron
}

// What is read: one of them, the others are NULL.
typedef struct read_target {
	rbl_mesh **mesh;
	rbl_tet_arrays *tets;
	rbl_document **document;
} read_target;

static rbl_result read_source(rbl_io_source *source, const read_target *target)
{
	source->memory = rbl_io_memory_of(&source->def->allocator);
	rbl_tet_arrays *tets = target->tets;
	rbl_mesh *own = NULL, **mesh = target->document ? &own : target->mesh;
	if (target->document && source_format(source) == RBL_FORMAT_GLTF) {
		rbl_result result = rbl_io_read_gltf_document(source, target->document);
		rbl_io_free_mesh_builder(source);
		return result;
	}
	rbl_result result = read_format(source);
	if (result == RBL_OK && tets && source->mesh.tets.count == 0)
		result = rbl_io_fail(RBL_UNSUPPORTED, "%s: holds no tetrahedra", source->name);
	if (result == RBL_OK && tets)
		result = rbl_io_finish_tets(source, tets);
	else if (result == RBL_OK && source->mesh.tets.count > 0 && source->mesh.face_starts.count == 0)
		result = finish_boundary(source, mesh);
	else if (result == RBL_OK)
		result = rbl_io_finish_mesh(source, mesh);
	rbl_io_free_mesh_builder(source);
	if (result == RBL_OK && target->document)
		result = rbl_io_document_of_mesh(source, own, target->document);
	return result;
}

static rbl_result read_memory(const void *bytes, size_t size, const rbl_read_def *def,
                              const read_target *target)
{
	def = def ? def : &defaults;
	rbl_result result = check_read_def(def);
	if (result != RBL_OK)
		return result;
	if (!bytes && size > 0)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "bytes is NULL");
	static const char nothing[1] = "";
	char folder[4096];
	rbl_io_source source = { .def = def, .name = def->name ? def->name : "memory" };
	source.begin = size > 0 ? bytes : nothing;
	source.end = source.begin + size;
	source.bytes_left = def->size_limit;
	if (def->folder) {
		int length = snprintf(folder, sizeof folder, "%s/", *def->folder ? def->folder : ".");
		if (length >= (int)sizeof folder)
			return rbl_io_fail(RBL_BAD_ARGUMENT, "folder has more than %d bytes",
			                   (int)sizeof folder - 2);
		source.folder = folder;
		source.folder_length = length;
	}
	return read_source(&source, target);
}

// Check a definition, and read a whole file.
static rbl_result read_bytes(const char *path, const rbl_read_def *def, rbl_io_output *bytes)
{
	rbl_result result = check_read_def(def);
	if (result != RBL_OK)
		return result;
	if (!path)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "path is NULL");
	*bytes = (rbl_io_output){ .memory = rbl_io_memory_of(&def->allocator) };
	rbl_io_file_access access = { def->within, NULL, def->size_limit, RBL_LOG_ERROR };
	return rbl_io_read_file(path, &access, bytes);
}

static rbl_result read_path(const char *path, const rbl_read_def *def, const read_target *target)
{
	def = def ? def : &defaults;
	rbl_io_output bytes;
	rbl_result result = read_bytes(path, def, &bytes);
	if (result != RBL_OK)
		return result;
	const char *slash = strrchr(path, '/');
	rbl_io_source source = { .def = def, .name = path, .folder = path };
	source.folder_length = slash ? (int)(slash - path) + 1 : 0;
	source.begin = (const char *)bytes.data;
	source.end = source.begin + bytes.size;
	source.bytes_left = def->size_limit - bytes.size;
	result = read_source(&source, target);
	rbl_io_free_output(&bytes);
	return result;
}

rbl_result rbl_read_file(const char *path, const rbl_read_def *def, rbl_file_bytes *bytes)
{
	if (!bytes)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "bytes is NULL");
	*bytes = (rbl_file_bytes){ 0 };
	rbl_io_output output;
	rbl_result result = read_bytes(path, def ? def : &defaults, &output);
	if (result == RBL_OK)
		*bytes =
			(rbl_file_bytes){ output.data, output.size, output.capacity, output.memory.allocator };
	return result;
}

rbl_result rbl_read_mesh(const char *path, const rbl_read_def *def, rbl_mesh **mesh)
{
	if (!mesh)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "mesh is NULL");
	*mesh = NULL;
	return read_path(path, def, &(read_target){ .mesh = mesh });
}

rbl_result rbl_read_mesh_memory(const void *bytes, size_t size, const rbl_read_def *def,
                                rbl_mesh **mesh)
{
	if (!mesh)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "mesh is NULL");
	*mesh = NULL;
	return read_memory(bytes, size, def, &(read_target){ .mesh = mesh });
}

rbl_result rbl_read_document(const char *path, const rbl_read_def *def, rbl_document **document)
{
	if (!document)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "document is NULL");
	*document = NULL;
	return read_path(path, def, &(read_target){ .document = document });
}

rbl_result rbl_read_document_memory(const void *bytes, size_t size, const rbl_read_def *def,
                                    rbl_document **document)
{
	if (!document)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "document is NULL");
	*document = NULL;
	return read_memory(bytes, size, def, &(read_target){ .document = document });
}

rbl_result rbl_read_tet_arrays(const char *path, const rbl_read_def *def, rbl_tet_arrays *tets)
{
	if (!tets)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "tets is NULL");
	*tets = (rbl_tet_arrays){ 0 };
	return read_path(path, def, &(read_target){ .tets = tets });
}

rbl_result rbl_read_tet_arrays_memory(const void *bytes, size_t size, const rbl_read_def *def,
                                      rbl_tet_arrays *tets)
{
	if (!tets)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "tets is NULL");
	*tets = (rbl_tet_arrays){ 0 };
	return read_memory(bytes, size, def, &(read_target){ .tets = tets });
}

void rbl_free_tet_arrays(rbl_tet_arrays *tets)
{
	if (!tets || !tets->positions)
		return;
	rbl_io_memory memory = rbl_io_memory_of(&tets->allocator);
	RBL_IO_FREE(&memory, tets->positions, tets->vertex_count);
	RBL_IO_FREE(&memory, tets->tet_vertices, (size_t)tets->tet_count * 4);
	*tets = (rbl_tet_arrays){ 0 };
}

// Create tetrahedra from arrays, which are freed.
static rbl_result convert_tets(rbl_tet_arrays *arrays, const rbl_read_def *def, rbl_tets **tets)
{
	rbl_result result = create_tets(arrays, def ? def : &defaults, tets);
	rbl_free_tet_arrays(arrays);
	return result;
}

rbl_result rbl_read_tets(const char *path, const rbl_read_def *def, rbl_tets **tets)
{
	if (!tets)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "tets is NULL");
	*tets = NULL;
	rbl_tet_arrays arrays;
	rbl_result result = rbl_read_tet_arrays(path, def, &arrays);
	return result == RBL_OK ? convert_tets(&arrays, def, tets) : result;
}

rbl_result rbl_read_tets_memory(const void *bytes, size_t size, const rbl_read_def *def,
                                rbl_tets **tets)
{
	if (!tets)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "tets is NULL");
	*tets = NULL;
	rbl_tet_arrays arrays;
	rbl_result result = rbl_read_tet_arrays_memory(bytes, size, def, &arrays);
	return result == RBL_OK ? convert_tets(&arrays, def, tets) : result;
}
