// SPDX-License-Identifier: MIT
// ctest: native
//
// Sample models of every feature of glTF that Rubble keeps go through `rubble convert` and come out
// as they went in: compared by JSON and buffers, images byte for byte. The Khronos validator looks
// at what goes in and at what comes out (io.validator).

#define _POSIX_C_SOURCE 200809L

#include "command.h"
#include "io/gltf_compare.h"
#include "io/gltf_samples.h"

static gltf_builder builder;

// Copy a file of the folder to where the validator looks.
static void keep_file(test *t, const char *name, const char *kept)
{
	char line[1000];
	snprintf(line, sizeof line, "mkdir -p '%s/glb' && cp '%s/%s' '%s/glb/%s'", RBL_BINARY_DIR,
	         folder, name, RBL_BINARY_DIR, kept);
	CHECK(t, system(line) == 0);
}

// Files that the sample names beside itself; blanks are %20 in names.
static void write_beside(const gltf_builder *b)
{
	for (int i = 0; i < b->image_count; ++i) {
		char name[60] = "";
		const char *from = b->kept[i].file;
		for (size_t k = 0; *from; ++k) {
			bool is_blank = strncmp(from, "%20", 3) == 0;
			name[k] = is_blank ? ' ' : *from;
			from += is_blank ? 3 : 1;
		}
		if (*name)
			write_file(name, b->kept[i].bytes, b->kept[i].size);
	}
}

static rbl_file_bytes read_back(test *t, const char *name)
{
	char path[200];
	rbl_file_bytes bytes = { 0 };
	snprintf(path, sizeof path, "%s/%s", folder, name);
	CHECK(t, rbl_read_file(path, NULL, &bytes) == RBL_OK && bytes.size > 28);
	return bytes;
}

static void compare_with(test *t, const gltf_side *before, const char *name)
{
	rbl_file_bytes bytes = read_back(t, name);
	if (bytes.size > 28) {
		gltf_side after = gltf_open_glb(t, bytes.data);
		gltf_compare(t, &builder, before, &after);
		rbl_destroy_json(after.document);
	}
	rbl_free_bytes(&bytes);
}

static void nothing_is_lost_on_the_way(test *t)
{
	if (!open_folder(t, "convert"))
		return;
	for (int i = 0; i < GLTF_SAMPLE_COUNT; ++i) {
		char kept[100];
		gltf_make_sample(&builder, i);
		write_file("in.glb", builder.file, builder.file_size);
		write_beside(&builder);
		int failures = t->failures;
		CHECK(t, run("convert in.glb out.glb") == 0);
		CHECK(t, !strstr(output, "not kept"));
		gltf_side before = gltf_open_glb(t, (const unsigned char *)builder.file);
		compare_with(t, &before, "out.glb");
		CHECK(t, run("convert out.glb twice.glb") == 0);
		rbl_file_bytes once = read_back(t, "out.glb"), twice = read_back(t, "twice.glb");
		CHECK(t, once.size == twice.size && memcmp(once.data, twice.data, once.size) == 0);
		rbl_free_bytes(&once);
		rbl_free_bytes(&twice);
		CHECK(t, run("convert in.glb small.glb --quantize") == 0);
		rbl_destroy_json(before.document);
		if (t->failures > failures)
			printf("... of the sample %s: %s\n", gltf_samples[i].name, output);
		if (strcmp(gltf_samples[i].name, "images") != 0) { // it names files
			snprintf(kept, sizeof kept, "sample-%s.glb", gltf_samples[i].name);
			keep_file(t, "in.glb", kept);
		}
		snprintf(kept, sizeof kept, "sample-%s-again.glb", gltf_samples[i].name);
		keep_file(t, "out.glb", kept);
		snprintf(kept, sizeof kept, "sample-%s-small.glb", gltf_samples[i].name);
		keep_file(t, "small.glb", kept);
	}
	close_folder(t);
}

// The same as .gltf: the buffer in a URI, or in a file.
static void files_of_text_are_the_same(test *t)
{
	if (!open_folder(t, "convert"))
		return;
	static char text[200000], uri[100000];
	for (int i = 0; i < GLTF_SAMPLE_COUNT; ++i) {
		gltf_make_sample(&builder, i);
		write_beside(&builder);
		write_file("some bytes.bin", builder.data, builder.size);
		for (int form = 0; form < 2; ++form) {
			snprintf(uri, sizeof uri, ",\"uri\":\"%s",
			         form ? "some%20bytes.bin" : "data:application/octet-stream;base64,");
			if (!form)
				gltf_put_base64(uri, builder.data, builder.size);
			strcat(uri, "\"");
			int length = gltf_put_json(&builder, text, sizeof text, uri);
			write_file("in.gltf", text, (size_t)length);
			CHECK(t, run("convert in.gltf out.glb") == 0);
			gltf_side before = gltf_open_side(t, text, (size_t)length, builder.data);
			compare_with(t, &before, "out.glb");
			rbl_destroy_json(before.document);
		}
	}
	close_folder(t);
}

static void images_are_called_as_their_files(test *t)
{
	if (!open_folder(t, "convert"))
		return;
	gltf_begin(&builder);
	sample_images(&builder);
	gltf_end(&builder);
	write_file("in.glb", builder.file, builder.file_size);
	write_beside(&builder);
	CHECK(t, run("convert in.glb out.glb") == 0);
	rbl_file_bytes bytes = read_back(t, "out.glb");
	gltf_side side = gltf_open_glb(t, bytes.data);
	const char *name = rbl_json_text(rbl_json_member(gltf_at(&side, "images", 4), "name"));
	CHECK(t, name && strcmp(name, "brick") == 0);
	rbl_destroy_json(side.document);
	rbl_free_bytes(&bytes);
	close_folder(t);
}

// What cannot be kept is named, once, in one line.
static void what_is_lost_is_said_by_name(test *t)
{
	static const struct {
		const char *json, *said;
	} rows[] = {
		{ "\"nodes\":[{\"mesh\":0,\"skin\":0},{\"mesh\":0,\"skin\":0}]", "skins" },
		{ "\"nodes\":[{\"mesh\":0,\"extensions\":{\"MY_thing\":{}}}]", "MY_thing" },
		{ "\"nodes\":[{\"mesh\":0,\"colour\":1},{\"colour\":2}]", "colour of nodes" },
		{ "\"nodes\":[{\"mesh\":0},{}],\"scene\":0,\"scenes\":[{\"nodes\":[0]}]",
		  "nodes that no scene has" },
		{ "\"nodes\":[{\"mesh\":0}],\"scenes\":[{\"nodes\":[0]},{\"nodes\":[0]}]",
		  "scenes that are not shown" },
		{ "\"nodes\":[{\"mesh\":0}],\"scenes\":[{\"nodes\":[0],\"extensions\":{\"A\":1}}]",
		  "extensions of scenes" },
		{ "\"nodes\":[{\"mesh\":0}],\"materials\":[{\"pbrMetallicRoughness\":{\"extras\":1}}]",
		  "extras of materials" },
		{ "\"nodes\":[{\"mesh\":0}],\"samplers\":[{\"extensions\":{\"A\":1}}]",
		  "extensions of samplers" },
		{ "\"nodes\":[{\"mesh\":0}],\"extensions\":{\"MY_file\":{}}", "MY_file" },
		{ "\"nodes\":[{\"mesh\":0}],\"poems\":[]", "poems of the file" },
		{ "\"nodes\":[{\"mesh\":0}],\"animations\":[{\"channels\":[{\"sampler\":0,\"target\":{"
		  "\"node\":0,\"path\":\"weights\"}}],\"samplers\":[{\"input\":0,\"output\":0}]}]",
		  "animations of other things than nodes" },
		{ "\"nodes\":[{\"mesh\":0}],\"animations\":[{\"channels\":[{\"sampler\":0,\"extras\":1,"
		  "\"target\":{\"node\":0,\"path\":\"scale\"}}],\"samplers\":[{\"input\":0,\"output\":0,"
		  "\"interpolation\":\"CUBICSPLINE\"}]}]",
		  "animations along cubic splines, extras of animation channels" },
	};
	if (!open_folder(t, "convert"))
		return;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
		gltf_begin(&builder);
		const char *quad = sample_quad(&builder, 0.0f, 0);
		gltf_add_json(&builder,
		              "\"meshes\":[{\"primitives\":[{\"attributes\":%s,\"indices\":%d}]}],%s", quad,
		              sample_indices(&builder), rows[i].json);
		gltf_end(&builder);
		write_file("in.glb", builder.file, builder.file_size);
		CHECK(t, run("convert in.glb out.glb") == 0);
		char line[200];
		snprintf(line, sizeof line, "in.glb: not kept: %s\n", rows[i].said);
		bool is_said = strstr(output, line) != NULL;
		if (!is_said)
			printf("%s is not said: %s\n", rows[i].said, output);
		CHECK(t, is_said);
		const char *first = strstr(output, "not kept");
		CHECK(t, first && !strstr(first + 1, "not kept"));
	}
	close_folder(t);
}

TEST_MAIN(TEST(nothing_is_lost_on_the_way), TEST(files_of_text_are_the_same),
          TEST(images_are_called_as_their_files), TEST(what_is_lost_is_said_by_name))
