// SPDX-License-Identifier: MIT
// Memory that readers take is bounded by the size of the file: whatever it claims to hold, and whatever costs most
// per byte. Numbers in files that Rubble writes itself become large, with the hash put right. (glTF is in io.hostile_gltf.)

#include "io_test.h"

#include "base/blob.h"
#include "base/hash.h"

#include <rubble/rubble.h>

enum { MEMORY_BASE = 1 << 16, MEMORY_FACTOR = 20, FILE_SIZE = 1 << 16 };

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

// A snapshot or an asset with one number made large. @return as factor_of()
static double load_forged(test *t, unsigned char *bytes, size_t size, const rbl_sources *sources)
{
	uint64_t hash = rbl_hash_bytes(RBL_HASH_START, bytes + RBL_BLOB_HEADER, size - RBL_BLOB_HEADER);
	for (int i = 0; i < 8; ++i)
		bytes[RBL_BLOB_HEADER - 8 + i] = (unsigned char)(hash >> (8 * i));
	faulty_allocator memory;
	faulty_init(&memory, INT_MAX);
	rbl_asset *asset = NULL;
	rbl_world *world = NULL;
	rbl_world_def def = rbl_default_world_def();
	def.allocator = FAULTY(&memory);
	rbl_result result = sources ? rbl_world_load(bytes, size, &def, sources, &world)
	                            : rbl_asset_load(bytes, size, &def.allocator, &asset);
	CHECK(t, result == RBL_OK || result == RBL_BAD_FILE);
	double factor = ((double)memory.peak_bytes - MEMORY_BASE) / (double)size;
	rbl_destroy_world(world);
	rbl_destroy_asset(asset);
	CHECK(t, memory.live_bytes == 0);
	return factor;
}

static void forged_numbers_cost_no_memory(test *t)
{
	rbl_box_def box = rbl_default_box_def();
	rbl_mesh *mesh = NULL;
	rbl_asset *asset = NULL;
	rbl_world *world = NULL;
	rbl_prepare_def prepare_def = rbl_default_prepare_def();
	rbl_world_def world_def = rbl_default_world_def();
	CHECK(t, rbl_create_box_mesh(&box, &mesh) == RBL_OK);
	CHECK(t, rbl_prepare(mesh, &prepare_def, &asset) == RBL_OK);
	CHECK(t, rbl_create_world(&world_def, &world) == RBL_OK);
	for (int i = 0; i < 3; ++i) {
		rbl_body_def body = rbl_default_body_def();
		body.asset = asset;
		body.pose.position.y = 0.9f * (float)i; // they touch
		CHECK(t, !rbl_body_id_is_null(rbl_create_body(world, &body)));
	}
	for (int i = 0; i < 3; ++i)
		CHECK(t, rbl_world_step(world, 1.0f / 60.0f) == RBL_OK);
	rbl_sources sources = rbl_default_sources();
	const rbl_asset *assets[1] = { asset };
	sources.assets = assets;
	sources.asset_count = 1;
	double worst = -1e30;
	int tried = 0;
	for (int is_asset = 0; is_asset < 2; ++is_asset) {
		size_t size = 0;
		CHECK(t, (is_asset ? rbl_asset_save(asset, NULL, &size)
		                   : rbl_world_save(world, NULL, &size)) == RBL_OK);
		unsigned char *bytes = malloc(size), *copy = malloc(size);
		CHECK(t, (is_asset ? rbl_asset_save(asset, bytes, &size)
		                   : rbl_world_save(world, bytes, &size)) == RBL_OK);
		rbl_set_log(NULL, NULL);
		size_t stride = 4 * (1 + (size_t)test_repeats(0, 4) + size / 8000);
		for (size_t at = RBL_BLOB_HEADER; at + 4 <= size; at += stride) {
			static const unsigned char large[4] = { 0xff, 0xff, 0xff, 0x0f };
			memcpy(copy, bytes, size);
			memcpy(copy + at, large, 4);
			double factor = load_forged(t, copy, size, is_asset ? NULL : &sources);
			CHECK(t, factor < MEMORY_FACTOR);
			worst = fmax(worst, factor);
			tried++;
		}
		free(bytes), free(copy);
	}
	printf("%d forged files: at most %d kB + %.1f times the file\n", tried, MEMORY_BASE / 1024,
	       worst);
	CHECK(t, tried > 100);
	rbl_destroy_world(world);
	rbl_destroy_asset(asset);
	rbl_destroy_mesh(mesh);
}

TEST_MAIN(TEST(claims_cost_no_memory), TEST(forged_numbers_cost_no_memory))
