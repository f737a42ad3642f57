// SPDX-License-Identifier: MIT
// glTF files that mean harm, one kind each: every one gets a sentence, and memory stays within a
// multiple of the file's size, whether it is read whole or as one mesh.

#include "gltf_samples.h"

static gltf_builder builder;

// Memory that reading may take: some arrays have a least size, and JSON values are larger than
// their text.
enum { MEMORY_BASE = 64 * 1024, MEMORY_FACTOR = 40 };

static double worst_factor; // of all files: memory beyond the base by the file's size

// Ways to read; one mesh alone has neither images nor animations.
enum { WHOLE = 1, BOTH = 2 };

// Read bytes; they are refused with the sentence.
static void check_refused(test *t, int ways, const void *bytes, size_t size, rbl_result expected,
                          const char *reason)
{
	for (int way = 0; way < ways; ++way) {
		bool whole = way == 0;
		faulty_allocator memory;
		faulty_init(&memory, 1 << 30);
		rbl_read_def def = rbl_default_read_def();
		def.format = RBL_FORMAT_GLTF;
		def.name = "bad.glb";
		def.allocator = FAULTY(&memory);
		rbl_document *document = NULL;
		rbl_mesh *mesh = NULL;
		io_watch_log();
		rbl_result result = whole ? rbl_read_document_memory(bytes, size, &def, &document)
		                          : rbl_read_mesh_memory(bytes, size, &def, &mesh);
		if (result != expected || !io_log_has(reason) || !io_log_has("bad.glb:"))
			test_fail(t, __FILE__, __LINE__, io_log[0] ? io_log : "no sentence");
		CHECK(t, !document && !mesh && memory.live_bytes == 0);
		CHECK(t, (double)memory.peak_bytes < MEMORY_BASE + MEMORY_FACTOR * (double)size);
		worst_factor = fmax(worst_factor, ((double)memory.peak_bytes - MEMORY_BASE) / (double)size);
	}
	rbl_set_log(NULL, NULL);
}

#define START "{\"asset\":{\"version\":\"2.0\"},"

static void check_text(test *t, int ways, rbl_result expected, const char *text, const char *reason)
{
	static char file[4000];
	snprintf(file, sizeof file, START "%s}", text);
	check_refused(t, ways, file, strlen(file), expected, reason);
}

// --- images ----------------------------------------------------------------------------------

// Every way to cut a PNG or a JPEG short.
static void truncated_images(test *t)
{
	for (int is_jpeg = 0; is_jpeg < 2; ++is_jpeg) {
		unsigned char bytes[1500];
		size_t size = is_jpeg ? sample_jpeg(bytes, 1) : sample_png(bytes, 1);
		for (size_t kept = 12; kept < size; ++kept) {
			gltf_begin(&builder);
			gltf_add_image(&builder, kept % 2 ? GLTF_IN_VIEW : GLTF_IN_URI, bytes, kept, NULL, "");
			gltf_add_json(&builder, "\"nodes\":[]");
			gltf_end(&builder);
			check_refused(t, WHOLE, builder.file, builder.file_size, RBL_BAD_FILE,
			              "images[0]: the image is cut off");
		}
	}
	// A view that ends before its image does.
	gltf_begin(&builder);
	sample_add_image(&builder, false, GLTF_IN_VIEW, NULL, "");
	char *length = strstr(builder.views, "\"byteLength\":");
	CHECK(t, length != NULL);
	if (length)
		memcpy(length + strlen("\"byteLength\":"), "99 ", 3);
	gltf_add_json(&builder, "\"nodes\":[]");
	gltf_end(&builder);
	check_refused(t, WHOLE, builder.file, builder.file_size, RBL_BAD_FILE,
	              "images[0]: the image is cut off");
}

static void put_word(unsigned char *at, uint32_t word)
{
	for (int i = 0; i < 4; ++i)
		at[i] = (unsigned char)(word >> 8 * i);
}

static void truncated_packed_images(test *t)
{
	unsigned char ktx[200] = { 0xab, 'K', 'T', 'X', ' ', '2', '0', 0xbb, '\r', '\n', 0x1a, '\n' };
	put_word(ktx + 40, 2); // levels
	put_word(ktx + 80, 128), put_word(ktx + 88, 40);
	put_word(ktx + 104, 168), put_word(ktx + 112, 20);
	unsigned char webp[40] = { 'R', 'I', 'F', 'F', 32, 0, 0, 0, 'W', 'E', 'B', 'P' };
	for (int cut = 0; cut < 2; ++cut) {
		const struct {
			const unsigned char *bytes;
			size_t size;
		} images[2] = { { ktx, cut ? 187 : 188 }, { webp, cut ? 39 : 40 } };
		for (int k = 0; k < 2; ++k) {
			gltf_begin(&builder);
			int view = gltf_add_view(&builder, images[k].bytes, images[k].size);
			gltf_add_json(&builder, "\"images\":[{\"bufferView\":%d,\"mimeType\":\"image/%s\"}]",
			              view, k ? "webp" : "ktx2");
			gltf_end(&builder);
			rbl_document *document;
			if (cut)
				check_refused(t, WHOLE, builder.file, builder.file_size, RBL_BAD_FILE,
				              "images[0]: the image");
			else
				CHECK(t, gltf_read(&builder, &document) == RBL_OK), rbl_destroy_document(document);
		}
	}
}

static void wrong_types_of_images(test *t)
{
	unsigned char png[1500], jpeg[1500];
	size_t png_size = sample_png(png, 1), jpeg_size = sample_jpeg(jpeg, 1);
	static const struct {
		bool is_jpeg;
		const char *before, *after, *reason;
	} rows[] = {
		{ false, "\"mimeType\":\"image/jpeg\",\"uri\":\"data:;base64,", "\"",
		  "images[0]: is said to be image/jpeg and is image/png" },
		{ true, "\"mimeType\":\"image/png\",\"uri\":\"data:application/octet-stream;base64,", "\"",
		  "images[0]: is said to be image/png and is image/jpeg" },
		{ true, "\"mimeType\":\"text/html\",\"uri\":\"data:;base64,", "\"",
		  "images[0]: is said to be text/html and is image/jpeg" },
		{ true, "\"uri\":\"data:image/png;base64,", "\"", "images[0]: its data uri is said to be" },
		{ false, "\"uri\":\"data:image/jpeg;base64,", "\"",
		  "images[0]: its data uri is said to be" },
		{ false, "\"uri\":\"data:image/png,", "\"", "images[0]: a data uri that is no base64" },
		{ false, "\"uri\":\"data:image/png;base64,AAAA", "\"", "images[0]: its bytes are no PNG" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
		static char text[4000];
		snprintf(text, sizeof text, "\"images\":[{%s", rows[i].before);
		gltf_put_base64(text, rows[i].is_jpeg ? jpeg : png, rows[i].is_jpeg ? jpeg_size : png_size);
		snprintf(text + strlen(text), sizeof text - strlen(text), "%s}]", rows[i].after);
		check_text(t, WHOLE, RBL_BAD_FILE, text, rows[i].reason);
	}
}

// --- nodes -----------------------------------------------------------------------------------

static void cycles_of_nodes(test *t)
{
	static const char *const rows[] = {
		"\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"children\":[0]}]",
		"\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"children\":[1]},{\"children\":[0]}]",
		("\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"children\":[1]},{\"children\":[2]},{"
		 "\"children\":[3]},{\"children\":[1]}]"),
		("\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"children\":[1,2]},{\"children\":[3]},{"
		 "\"children\":[3]},{}]"),
		"\"scenes\":[{\"nodes\":[0,0]}],\"nodes\":[{}]",
		"\"nodes\":[{\"children\":[1,1]},{}]",
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
		check_text(t, BOTH, RBL_BAD_FILE, rows[i], "is reached twice");
}

// A hundred thousand nodes, each the child of the one before: read without recursion.
static void deep_nesting_of_nodes(test *t)
{
	enum { COUNT = 100000 };
	size_t room = COUNT * 32 + 200, used = 0;
	char *text = malloc(room);
	used += (size_t)snprintf(text, room, START "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[");
	for (int i = 0; i < COUNT; ++i)
		used += (size_t)snprintf(text + used, room - used, "{\"children\":[%d]},", i + 1);
	used += (size_t)snprintf(text + used, room - used, "{\"name\":\"last\"}]}");
	faulty_allocator memory;
	faulty_init(&memory, 1 << 30);
	rbl_read_def def = rbl_default_read_def();
	def.allocator = FAULTY(&memory);
	rbl_document *document;
	CHECK(t, rbl_read_document_memory(text, used, &def, &document) == RBL_OK);
	rbl_scene scene = rbl_document_get_scene(document);
	CHECK(t, scene.node_count == COUNT + 1 && strcmp(scene.nodes[COUNT].name, "last") == 0);
	CHECK(t, (double)memory.peak_bytes < MEMORY_BASE + MEMORY_FACTOR * (double)used);
	rbl_write_def write_def = rbl_default_write_def();
	write_def.format = RBL_FORMAT_GLTF;
	rbl_file_bytes bytes;
	CHECK(t, rbl_write_scene_memory(&scene, &write_def, &bytes) == RBL_OK);
	rbl_free_bytes(&bytes);
	rbl_destroy_document(document);
	// A cycle at the bottom.
	text[used - 2 - strlen("{\"name\":\"last\"}")] = '\0';
	used = strlen(text);
	used += (size_t)snprintf(text + used, room - used, "{\"children\":[5]}]}");
	check_refused(t, BOTH, text, used, RBL_BAD_FILE, "nodes[5]: is reached twice");
	free(text);
}

// JSON nested deeper than the parser goes, where programs keep what they like.
static void deep_nesting_of_extras(test *t)
{
	enum { DEPTH = 200000 };
	char *text = malloc(2 * DEPTH + 200);
	int used = snprintf(text, 200, START "\"nodes\":[{\"extras\":");
	memset(text + used, '[', DEPTH);
	memset(text + used + DEPTH, ']', DEPTH);
	snprintf(text + used + 2 * DEPTH, 20, "}]}");
	check_refused(t, BOTH, text, strlen(text), RBL_BAD_FILE, "more than 512 levels");
	free(text);
}

static void places_that_are_no_numbers(test *t)
{
	static const char *const rows[] = {
		"\"nodes\":[{\"matrix\":[1e39,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}]",
		"\"nodes\":[{\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,-1e300,0,0,1]}]",
		"\"nodes\":[{\"matrix\":[1,2,3]}]",
		"\"nodes\":[{\"matrix\":[null,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}]",
		"\"nodes\":[{\"matrix\":[\"NaN\",0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}]",
		"\"nodes\":[{\"translation\":[0,1e39,0]}]",
		"\"nodes\":[{\"scale\":[1,1,-1e200]}]",
		"\"nodes\":[{\"rotation\":[0,0,0,0]}]",
		"\"nodes\":[{\"rotation\":[1e300,1e300,0,1]}]",
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
		check_text(t, BOTH, RBL_BAD_FILE, rows[i], "nodes[0]: its placement is not usable");
	check_text(t, BOTH, RBL_BAD_FILE,
	           "\"nodes\":[{\"matrix\":[NaN,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}]", "bad.glb");
	check_text(t, BOTH, RBL_BAD_FILE, "\"nodes\":[{\"scale\":[1e999,1,1]}]", "bad.glb");
}

// --- counts ----------------------------------------------------------------------------------

// A thousand million copies of a mesh in a few hundred bytes, and a million in a file of as many.
static void a_thousand_million_instances(test *t)
{
	static const char *const names[3] = { "TRANSLATION", "ROTATION", "SCALE" };
	for (int k = 0; k < 3; ++k) {
		char rest[300];
		gltf_begin(&builder);
		const char *quad = sample_quad(&builder, 0.0f, 0);
		int indices = sample_indices(&builder);
		snprintf(rest, sizeof rest,
		         ",{\"componentType\":5126,\"count\":1000000000,\"type\":\"VEC%d\"}",
		         k == 1 ? 4 : 3);
		gltf_add_json(
			&builder,
			"\"meshes\":[{\"primitives\":[{\"attributes\":%s,\"indices\":%d}]}],\"nodes\":[{"
			"\"mesh\":0,\"extensions\":{\"EXT_mesh_gpu_instancing\":{\"attributes\":{\"%s\":%d"
			"}}}}]",
			quad, indices, names[k], builder.accessor_count);
		strcat(builder.accessors, rest);
		gltf_end(&builder);
		check_refused(t, BOTH, builder.file, builder.file_size, RBL_LIMIT_REACHED,
		              "instance_limit");
	}
	// Nodes that name one mesh: as many as the file has bytes for, but each a large one.
	enum { COUNT = 30000 };
	static char text[COUNT * 12 + 1000];
	size_t used =
		(size_t)snprintf(text, sizeof text,
	                     START "\"accessors\":[{\"componentType\":5126,\"count\":3000000,"
	                           "\"type\":\"VEC3\"}],\"meshes\":[{\"primitives\":[{"
	                           "\"attributes\":{\"POSITION\":0}}]}],\"nodes\":[{\"mesh\":0}");
	for (int i = 1; i < COUNT; ++i)
		used += (size_t)snprintf(text + used, sizeof text - used, ",{\"mesh\":0}");
	snprintf(text + used, sizeof text - used, "]}");
	rbl_read_def def = rbl_default_read_def();
	rbl_mesh *mesh = NULL;
	def.instance_limit = 1000000;
	io_watch_log();
	CHECK(t, rbl_read_mesh_memory(text, strlen(text), &def, &mesh) == RBL_LIMIT_REACHED && !mesh);
	CHECK(t, io_log_has("instance_limit"));
}

static void huge_accessors(test *t)
{
	static const struct {
		const char *accessor;
		rbl_result result;
		const char *reason;
	} rows[] = {
		{ "\"count\":1000000002", RBL_LIMIT_REACHED, "instance_limit" },
		{ "\"count\":9007199254740991", RBL_LIMIT_REACHED,
		  "accessors[0] has 9007199254740991 items" },
		{ "\"count\":9223372036854775807", RBL_BAD_FILE, "accessors[0]: count" },
		{ "\"count\":1e300", RBL_BAD_FILE, "accessors[0]: count" },
		{ "\"count\":-3", RBL_BAD_FILE, "accessors[0]: count" },
		{ "\"count\":0", RBL_BAD_FILE, "accessors[0]: count" },
		{ "\"count\":1.5", RBL_BAD_FILE, "accessors[0]: count" },
		{ "\"count\":1000000002,\"bufferView\":0", RBL_BAD_FILE, "bufferViews[0]: is too small" },
		{ "\"count\":3,\"bufferView\":0,\"byteOffset\":4", RBL_BAD_FILE,
		  "bufferViews[0]: is too small" },
		{ "\"count\":3,\"sparse\":{\"count\":1000000000,\"indices\":{\"bufferView\":0,"
		  "\"componentType\":5125},\"values\":{\"bufferView\":0}}",
		  RBL_BAD_FILE, "accessors[0]: its sparse part is not usable" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
		char text[1000];
		snprintf(
			text, sizeof text,
			"\"buffers\":[{\"byteLength\":36,\"uri\":\"data:;base64,AAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
			"AAAAAAAAAAAAAAAAAAA\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],"
			"\"accessors\":[{\"componentType\":5126,\"type\":\"VEC3\",%s}],\"meshes\":[{"
			"\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],\"nodes\":[{\"mesh\":0}]",
			rows[i].accessor);
		check_text(t, BOTH, rows[i].result, text, rows[i].reason);
	}
	// Keys of an animation, which are there only when a file is read whole.
	check_text(t, WHOLE, RBL_LIMIT_REACHED,
	           "\"accessors\":[{\"componentType\":5126,\"count\":1000000000,\"type\":\"SCALAR\"},"
	           "{\"componentType\":5126,\"count\":1000000000,\"type\":\"VEC3\"}],\"nodes\":[{}],"
	           "\"animations\":[{\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":"
	           "\"translation\"}}],\"samplers\":[{\"input\":0,\"output\":1}]}]",
	           "instance_limit");
}

static void offsets_that_are_negative_or_too_large(test *t)
{
	static const struct {
		const char *view, *reason;
	} rows[] = {
		{ "\"byteOffset\":-4,\"byteLength\":36", "bufferViews[0]: reaches beyond its buffer" },
		{ "\"byteOffset\":4,\"byteLength\":36", "bufferViews[0]: reaches beyond its buffer" },
		{ "\"byteOffset\":9223372036854775807,\"byteLength\":36",
		  "bufferViews[0]: reaches beyond" },
		{ "\"byteOffset\":4,\"byteLength\":9223372036854775807", "bufferViews[0]: reaches beyond" },
		{ "\"byteLength\":-1", "bufferViews[0]: reaches beyond" },
		{ "\"byteLength\":18446744073709551615", "bufferViews[0]: reaches beyond" },
		{ "\"byteLength\":36,\"byteStride\":-12", "bufferViews[0]: the stride is not usable" },
		{ "\"byteLength\":36,\"byteStride\":4", "bufferViews[0]: the stride is not usable" },
		{ "\"byteLength\":36,\"byteStride\":2147483648",
		  "bufferViews[0]: the stride is not usable" },
		{ "\"byteLength\":36,\"byteStride\":24", "bufferViews[0]: is too small" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
		char text[1000];
		snprintf(
			text, sizeof text,
			"\"buffers\":[{\"byteLength\":36,\"uri\":\"data:;base64,AAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
			"AAAAAAAAAAAAAAAAAAA\"}],\"bufferViews\":[{\"buffer\":0,%s}],\"accessors\":[{"
			"\"bufferView\":0,\"count\":3,\"componentType\":5126,\"type\":\"VEC3\"}],\"meshes\":[{"
			"\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],\"nodes\":[{\"mesh\":0}]",
			rows[i].view);
		check_text(t, BOTH, RBL_BAD_FILE, text, rows[i].reason);
	}
	static const char *const accessors[] = { "-12", "9223372036854775800", "37" };
	for (size_t i = 0; i < sizeof accessors / sizeof accessors[0]; ++i) {
		char text[1000];
		snprintf(
			text, sizeof text,
			"\"buffers\":[{\"byteLength\":36,\"uri\":\"data:;base64,AAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
			"AAAAAAAAAAAAAAAAAAA\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],"
			"\"accessors\":[{\"bufferView\":0,\"byteOffset\":%s,\"count\":3,\"componentType\":5126,"
			"\"type\":\"VEC3\"}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
			"\"nodes\":[{\"mesh\":0}]",
			accessors[i]);
		check_text(t, BOTH, RBL_BAD_FILE, text,
		           "bufferViews[0]: is too small for what it is to hold");
	}
}

// --- containers ------------------------------------------------------------------------------

static void data_uris_that_are_cut_off(test *t)
{
	static const struct {
		const char *uri, *reason;
	} rows[] = {
		{ "data:;base64,AAAA", "buffers[0]: its bytes are missing" },
		{ "data:;base64,", "buffers[0]: its bytes are missing" },
		{ "data:;base64", "buffers[0]: a data uri that is no base64" },
		{ "data:", "buffers[0]: a data uri that is no base64" },
		{ "data:;base64,AAAA*AAA", "buffers[0]: a character that is no base64" },
		{ "data:;base64,AA==AAAA", "buffers[0]: a character that is no base64" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
		char text[1000];
		snprintf(
			text, sizeof text,
			"\"buffers\":[{\"byteLength\":36,\"uri\":\"%s\"}],\"bufferViews\":[{\"buffer\":0,"
			"\"byteLength\":36}],\"accessors\":[{\"bufferView\":0,\"count\":3,\"componentType\":"
			"5126,\"type\":\"VEC3\"}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}"
			"}]}],\"nodes\":[{\"mesh\":0}]",
			rows[i].uri);
		check_text(t, BOTH, RBL_BAD_FILE, text, rows[i].reason);
	}
}

// A buffer of many views is read once, and counted once.
static void views_of_one_image_count_as_often(test *t)
{
	unsigned char png[1500];
	gltf_begin(&builder);
	int view = gltf_add_view(&builder, png, sample_png(png, 1));
	gltf_add_json(&builder, "\"images\":[{\"bufferView\":%d}", view);
	for (int i = 1; i < 1000; ++i)
		gltf_add_json(&builder, ",{\"bufferView\":%d}", view);
	gltf_add_json(&builder, "]");
	gltf_end(&builder);
	faulty_allocator memory;
	faulty_init(&memory, 1 << 30);
	rbl_read_def def = rbl_default_read_def();
	def.allocator = FAULTY(&memory);
	def.instance_limit = 100000;
	rbl_document *document;
	io_watch_log();
	CHECK(t, rbl_read_document_memory(builder.file, builder.file_size, &def, &document) ==
	             RBL_LIMIT_REACHED);
	CHECK(t, io_log_has("instance_limit"));
	CHECK(t, !document && memory.live_bytes == 0 && memory.peak_bytes < 2000000);
}

static void packed_meshes(test *t)
{
	static const struct {
		const char *text, *reason;
	} rows[] = {
		{ "\"extensionsUsed\":[\"EXT_meshopt_compression\"],\"extensionsRequired\":["
		  "\"EXT_meshopt_compression\"]",
		  "is packed with EXT_meshopt_compression; 'gltf-transform copy IN OUT'" },
		{ "\"extensionsRequired\":[\"KHR_meshopt_compression\"]",
		  "is packed with KHR_meshopt_compression; 'gltf-transform copy IN OUT'" },
		{ "\"extensionsRequired\":[\"KHR_draco_mesh_compression\"]",
		  "is packed with KHR_draco_mesh_compression; 'gltf-transform copy IN OUT'" },
		{ "\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},"
		  "\"extensions\":{\"KHR_draco_mesh_compression\":{\"bufferView\":0}}}]}]",
		  "meshes[0] is packed with KHR_draco_mesh_compression; 'gltf-transform copy IN OUT'" },
		{ "\"buffers\":[{\"byteLength\":36,\"extensions\":{\"EXT_meshopt_compression\":{"
		  "\"fallback\":"
		  "true}}}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\"accessors\":[{"
		  "\"bufferView\":0,\"count\":3,\"componentType\":5126,\"type\":\"VEC3\"}],\"nodes\":[{"
		  "\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}]",
		  "buffers[0] is packed with EXT_meshopt_compression; 'gltf-transform copy IN OUT'" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
		check_text(t, BOTH, RBL_UNSUPPORTED, rows[i].text, rows[i].reason);
}

// --- all samples -----------------------------------------------------------------------------

// Every prefix of every sample, and bytes that are flipped: a result, and no more memory.
static void damaged_samples(test *t)
{
	uint64_t random = 1;
	int refused = 0, tries = 0;
	double worst = 0.0;
	for (int i = 0; i < GLTF_SAMPLE_COUNT; ++i) {
		static char copy[sizeof builder.file];
		gltf_make_sample(&builder, i);
		for (int k = 0; k < 400; ++k, ++tries) {
			size_t size = builder.file_size;
			memcpy(copy, builder.file, size);
			for (int n = 0; n < k % 5; ++n) {
				random = random * 6364136223846793005u + 1442695040888963407u;
				copy[(random >> 33) % size] = (char)(random >> 24);
			}
			if (k % 5 == 0)
				size = (size_t)k * size / 400;
			faulty_allocator memory;
			faulty_init(&memory, 1 << 30);
			rbl_read_def def = rbl_default_read_def();
			def.format = RBL_FORMAT_GLTF;
			def.allocator = FAULTY(&memory);
			rbl_document *document;
			io_watch_log();
			rbl_result result = rbl_read_document_memory(copy, size, &def, &document);
			refused += result != RBL_OK;
			CHECK(t, result == RBL_OK || io_log[0]);
			rbl_destroy_document(document);
			CHECK(t, memory.live_bytes == 0);
			worst = fmax(worst, ((double)memory.peak_bytes - MEMORY_BASE) / (double)(size + 1));
		}
	}
	CHECK(t, refused > tries / 3);
	CHECK(t, worst < MEMORY_FACTOR);
	worst_factor = fmax(worst, worst_factor);
	printf("        memory: at most %d kB and %.1f times the file\n", MEMORY_BASE / 1024,
	       worst_factor);
	rbl_set_log(NULL, NULL);
}

TEST_MAIN(TEST(truncated_images), TEST(truncated_packed_images), TEST(wrong_types_of_images),
          TEST(cycles_of_nodes), TEST(deep_nesting_of_nodes), TEST(deep_nesting_of_extras),
          TEST(places_that_are_no_numbers), TEST(a_thousand_million_instances),
          TEST(huge_accessors), TEST(offsets_that_are_negative_or_too_large),
          TEST(data_uris_that_are_cut_off), TEST(views_of_one_image_count_as_often),
          TEST(packed_meshes), TEST(damaged_samples))
