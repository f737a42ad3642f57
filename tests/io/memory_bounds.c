// SPDX-License-Identifier: MIT
// Memory that readers take is bounded by the size of the file: whatever it claims to hold, and whatever costs most
// per byte. Numbers in files that Rubble writes itself become large, with the hash put right. (glTF is in io.hostile_gltf.)

#include "io_test.h"

#include "base/blob.h"
#include "base/hash.h"

#include <rubble/rubble.h>

// A pattern's cells are made of 24 bytes each, and have a dozen faces; at most 64, and 2^14 in all on top.
enum { MEMORY_BASE = 1 << 16, MEMORY_FACTOR = 20, FILE_SIZE = 1 << 16 };
enum { PATTERN_FACTOR = 300, HOSTILE_BASE = 8 << 20, HOSTILE_FACTOR = 1300 };

// Read so many bytes as a format. @return the factor of the file's size that it took beyond the base
static double factor_of(test *t, const char *bytes, size_t size, rbl_file_format format)
{
	double worst = 0.0;
	for (int tets = 0; tets < (format == RBL_FORMAT_MEDIT ? 2 : 1); ++tets) {
		faulty_allocator memory;
		faulty_init(&memory, INT_MAX);
		rbl_read_def def = rbl_default_read_def();
		def.format = format;
		def.allocator = FAULTY(&memory);
		rbl_mesh *mesh = NULL;
		rbl_tet_arrays arrays = { 0 };
		rbl_result result = tets ? rbl_read_tet_arrays_memory(bytes, size, &def, &arrays)
		                         : rbl_read_mesh_memory(bytes, size, &def, &mesh);
		CHECK(t, result != RBL_OUT_OF_MEMORY);
		worst = fmax(worst, ((double)memory.peak_bytes - MEMORY_BASE) / (double)size);
		rbl_destroy_mesh(mesh);
		rbl_free_tet_arrays(&arrays);
		CHECK(t, memory.live_bytes == 0);
	}
	return worst;
}

// A head that claims more than any file has, then nothing or lines that go on.
static const struct {
	rbl_file_format format;
	const char *head, *line;
} claims[] = {
	{ RBL_FORMAT_OBJ, "", "usemtl x\n" },
	{ RBL_FORMAT_OBJ, "v 0 0 0\nv 1 0 0\nv 0 1 0\n", "f 1 2 3\n" },
	{ RBL_FORMAT_OBJ, "", "v 0 0 0\n" },
	{ RBL_FORMAT_OBJ, "v 0 0 0\nv 1 0 0\nv 0 1 0\n", "g a\nf 1 2 3\n" },
	{ RBL_FORMAT_OFF, "OFF\n2000000000 2000000000 0\n", "0 0 0\n" },
	{ RBL_FORMAT_OFF, "OFF\n3 2000000000 0\n0 0 0\n1 0 0\n0 1 0\n", "3 0 1 2\n" },
	{ RBL_FORMAT_OFF, "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n2000000000 0 1 2", " 1" },
	{ RBL_FORMAT_PLY,
	  "ply\nformat ascii 1.0\nelement vertex 2000000000\nproperty float x\nproperty float y\n"
	  "property float z\nend_header\n",
	  "0 0 0\n" },
	{ RBL_FORMAT_PLY,
	  "ply\nformat binary_little_endian 1.0\nelement vertex 2000000000\nproperty float x\n"
	  "property float y\nproperty float z\nend_header\n",
	  "0123" },
	{ RBL_FORMAT_PLY,
	  "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float "
	  "z\n"
	  "element face 2000000000\nproperty list uint int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 "
	  "1 0\n",
	  "3 0 1 2\n" },
	{ RBL_FORMAT_PLY, "ply\nformat ascii 1.0\n", "element a 1\nproperty float x\n" },
	{ RBL_FORMAT_STL,
	  "a binary file, of which the head has 80 bytes, then a number of triangles....... "
	  "\xff\xff\xff\x7f",
	  "0123" },
	{ RBL_FORMAT_STL, "solid a\n",
	  "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 "
	  "0\nendloop\nendfacet\n" },
	{ RBL_FORMAT_MEDIT, "MeshVersionFormatted 2\nDimension 3\nVertices 2000000000\n", "0 0 0 0\n" },
	{ RBL_FORMAT_MEDIT,
	  "MeshVersionFormatted 2\nDimension 3\nVertices 1\n0 0 0 0\nTetrahedra 2000000000\n",
	  "1 1 1 1 0\n" },
};

static void claims_cost_no_memory(test *t)
{
	static char bytes[FILE_SIZE + 1];
	double worst = 0.0;
	for (size_t i = 0; i < sizeof claims / sizeof claims[0]; ++i) {
		size_t head = strlen(claims[i].head), line = strlen(claims[i].line);
		memcpy(bytes, claims[i].head, head);
		// The head alone, then with what goes on.
		for (size_t end = head, limit = head;; limit = FILE_SIZE) {
			for (; end + line <= limit; end += line)
				memcpy(bytes + end, claims[i].line, line);
			double factor = factor_of(t, bytes, end, claims[i].format);
			if (factor >= MEMORY_FACTOR)
				printf("claim %d of %d bytes takes %.1f times as much\n", (int)i, (int)end, factor);
			CHECK(t, factor < MEMORY_FACTOR);
			worst = fmax(worst, factor);
			if (limit == FILE_SIZE)
				break;
		}
	}
	printf("at most %d kB + %.1f times the file\n", MEMORY_BASE / 1024, worst);
	CHECK(t, worst > 0.0);
}

// What Rubble writes itself, with one number made large and the hash put right.
typedef enum own_kind { OWN_ASSET, OWN_SNAPSHOT, OWN_PATTERN, OWN_FIELD, OWN_COUNT } own_kind;

typedef struct own_files {
	rbl_asset *asset;
	rbl_world *world;
	rbl_pattern *pattern;
	rbl_distance_field *field;
} own_files;

static const char *const own_names[OWN_COUNT] = { "assets", "snapshots", "patterns", "fields" };

static rbl_result save_own(const own_files *own, own_kind kind, void *bytes, size_t *size)
{
	switch (kind) {
	case OWN_ASSET:
		return rbl_asset_save(own->asset, bytes, size);
	case OWN_SNAPSHOT:
		return rbl_world_save(own->world, bytes, size);
	case OWN_PATTERN:
		return rbl_pattern_save(own->pattern, bytes, size);
	default:
		return rbl_distance_field_save(own->field, bytes, size);
	}
}

static rbl_result load_own(own_files *own, own_kind kind, const void *bytes, size_t size,
                           const rbl_allocator *allocator, const rbl_sources *sources)
{
	rbl_world_def def = rbl_default_world_def();
	def.allocator = *allocator;
	switch (kind) {
	case OWN_ASSET:
		return rbl_asset_load(bytes, size, allocator, &own->asset);
	case OWN_SNAPSHOT:
		return rbl_world_load(bytes, size, &def, sources, &own->world);
	case OWN_PATTERN:
		return rbl_pattern_load(bytes, size, allocator, &own->pattern);
	default:
		return rbl_distance_field_load(bytes, size, allocator, &own->field);
	}
}

static void destroy_own(own_files *own)
{
	rbl_destroy_world(own->world);
	rbl_destroy_asset(own->asset);
	rbl_destroy_pattern(own->pattern);
	rbl_destroy_distance_field(own->field);
}

// Patterns have their hash at the end, all others in the head.
static void seal_own(own_kind kind, unsigned char *bytes, size_t size)
{
	size_t head = kind == OWN_PATTERN ? 0 : RBL_BLOB_HEADER;
	size_t end = kind == OWN_PATTERN ? size - 8 : size;
	unsigned char *place = kind == OWN_PATTERN ? bytes + end : bytes + RBL_BLOB_HEADER - 8;
	uint64_t hash = rbl_hash_bytes(RBL_HASH_START, bytes + head, end - head);
	for (int i = 0; i < 8; ++i)
		place[i] = (unsigned char)(hash >> (8 * i));
}

// @return as factor_of()
static double load_forged(test *t, own_kind kind, unsigned char *bytes, size_t size,
                          const rbl_sources *sources)
{
	seal_own(kind, bytes, size);
	faulty_allocator memory;
	faulty_init(&memory, INT_MAX);
	const rbl_allocator allocator = FAULTY(&memory);
	own_files own = { 0 };
	rbl_result result = load_own(&own, kind, bytes, size, &allocator, sources);
	CHECK(t, result == RBL_OK || result == RBL_BAD_FILE);
	double factor = ((double)memory.peak_bytes - MEMORY_BASE) / (double)size;
	destroy_own(&own);
	CHECK(t, memory.live_bytes == 0);
	return factor;
}

static void make_own(test *t, own_files *own)
{
	rbl_box_def box = rbl_default_box_def();
	rbl_mesh *mesh = NULL;
	rbl_prepare_def prepare_def = rbl_default_prepare_def();
	rbl_world_def world_def = rbl_default_world_def();
	rbl_pattern_def pattern_def = rbl_default_pattern_def();
	rbl_distance_field_def field_def = rbl_default_distance_field_def();
	pattern_def.cell_count = 30;
	field_def.resolution = 12;
	CHECK(t, rbl_create_box_mesh(&box, &mesh) == RBL_OK);
	field_def.mesh = mesh;
	CHECK(t, rbl_prepare(mesh, &prepare_def, &own->asset) == RBL_OK);
	CHECK(t, rbl_create_pattern(&pattern_def, &own->pattern) == RBL_OK);
	CHECK(t, rbl_create_distance_field(&field_def, &own->field) == RBL_OK);
	CHECK(t, rbl_create_world(&world_def, &own->world) == RBL_OK);
	for (int i = 0; i < 3; ++i) {
		rbl_body_def body = rbl_default_body_def();
		body.asset = own->asset;
		body.pose.position.y = 0.9f * (float)i; // they touch
		CHECK(t, !rbl_body_id_is_null(rbl_create_body(own->world, &body)));
	}
	for (int i = 0; i < 3; ++i)
		CHECK(t, rbl_world_step(own->world, 1.0f / 60.0f) == RBL_OK);
	rbl_destroy_mesh(mesh);
}

static void forged_numbers_cost_no_memory(test *t)
{
	own_files own = { 0 };
	make_own(t, &own);
	rbl_sources sources = rbl_default_sources();
	const rbl_asset *assets[1] = { own.asset };
	sources.assets = assets;
	sources.asset_count = 1;
	for (own_kind kind = 0; kind < OWN_COUNT; ++kind) {
		double worst = -1e30;
		int tried = 0;
		size_t size = 0;
		CHECK(t, save_own(&own, kind, NULL, &size) == RBL_OK);
		unsigned char *bytes = malloc(size), *copy = malloc(size);
		CHECK(t, save_own(&own, kind, bytes, &size) == RBL_OK);
		rbl_set_log(NULL, NULL);
		size_t first = kind == OWN_PATTERN ? 8 : RBL_BLOB_HEADER;
		size_t stride = 4 * (1 + (size_t)test_repeats(0, 4) + size / 8000);
		for (size_t at = first; at + 4 <= size; at += stride) {
			static const unsigned char large[4] = { 0xff, 0xff, 0xff, 0x0f };
			memcpy(copy, bytes, size);
			memcpy(copy + at, large, 4);
			double factor = load_forged(t, kind, copy, size, &sources);
			CHECK(t, factor < (kind == OWN_PATTERN ? PATTERN_FACTOR : MEMORY_FACTOR));
			worst = fmax(worst, factor);
			tried++;
		}
		free(bytes), free(copy);
		printf("%d forged %s of %zu bytes: at most %d kB + %.1f times the file\n", tried,
		       own_names[kind], size, MEMORY_BASE / 1024, worst);
		CHECK(t, tried > 20);
	}
	destroy_own(&own);
}

// Sites on two curves, of which each touches all of the other: as many faces as pairs.
static void sites_on_two_curves_are_refused(test *t)
{
	enum { SITES = 1200, FIRST_SITE = 76 };
	rbl_pattern_def def = rbl_default_pattern_def();
	def.cell_count = SITES;
	rbl_pattern *pattern = NULL;
	CHECK(t, rbl_create_pattern(&def, &pattern) == RBL_OK);
	size_t size = 0;
	CHECK(t,
	      rbl_pattern_save(pattern, NULL, &size) == RBL_OK && size == FIRST_SITE + 24 * SITES + 8);
	unsigned char *bytes = malloc(size);
	CHECK(t, rbl_pattern_save(pattern, bytes, &size) == RBL_OK);
	for (int i = 0; i < SITES; ++i) {
		double part = 2.0 * (double)(i / 2) / (SITES / 2) - 1.0, angle = 3.14159 * part;
		rbl_vec3d site = { 0.9 * cos(angle), 0.9 * sin(angle), 0.0 };
		if (i % 2)
			site = (rbl_vec3d){ 0.0, 0.0, 0.3 * part };
		memcpy(bytes + FIRST_SITE + 24 * i, &site, sizeof site);
	}
	seal_own(OWN_PATTERN, bytes, size);
	faulty_allocator memory;
	faulty_init(&memory, INT_MAX);
	const rbl_allocator allocator = FAULTY(&memory);
	own_files own = { 0 };
	CHECK(t, load_own(&own, OWN_PATTERN, bytes, size, &allocator, NULL) == RBL_BAD_FILE);
	printf("a file of %zu kB takes %zu kB\n", size / 1000, (size_t)memory.peak_bytes / 1000);
	CHECK(t, (size_t)memory.peak_bytes < HOSTILE_BASE + HOSTILE_FACTOR * size &&
	             memory.live_bytes == 0);
	free(bytes);
	rbl_destroy_pattern(pattern);
}

TEST_MAIN(TEST(claims_cost_no_memory), TEST(forged_numbers_cost_no_memory),
          TEST(sites_on_two_curves_are_refused))
