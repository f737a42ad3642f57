// SPDX-License-Identifier: MIT
// make_corpus FOLDER: the first inputs of the fuzz targets, made by our own writers. The folders
// FOLDER/obj, FOLDER/ply and so on must be there.

#include "io/io_test.h"

#include <rubble/asset.h>
#include <rubble/shapes.h>

static void save(const char *folder, const char *format, int number, const void *bytes, size_t size)
{
	char path[1000];
	snprintf(path, sizeof path, "%s/%s/%02d", folder, format, number);
	FILE *file = fopen(path, "wb");
	if (!file || fwrite(bytes, 1, size, file) != size) {
		perror(path);
		exit(1);
	}
	fclose(file);
}

static void save_text(const char *folder, const char *format, int number, const char *text)
{
	save(folder, format, number, text, strlen(text));
}

// A few forms that our writers never use.
static void save_foreign(const char *folder)
{
	save_text(folder, "obj", 90,
	          "mtllib a.mtl\nusemtl a\nv 0 0 0 1 0 0\nv 1 0 0\nv 0 1e-3 0 1\n"
	          "vt 1\nvn 0 0 1\ng x\nf -3/1/1 \\\n-2//1 -1/1\nf 1 2 3\n");
	save_text(folder, "ply", 90,
	          "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\n"
	          "property float y\nproperty uchar z\nproperty uchar red\nproperty "
	          "uchar green\nproperty uchar blue\nelement tristrips 1\nproperty "
	          "list int int vertex_indices\nend_header\n0 0 0 1 2 3\n1 0 0 1 2 "
	          "3\n0 1 0 1 2 3\n1 1 0 1 2 3\n7 0 1 2 3 -1 0 1\n");
	save_text(folder, "off", 0, "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
	save_text(folder, "off", 1,
	          "CNOFF # colours\n3 1\n0 0 0 0 0 1 255 0 0\n1 0 0 0 0 1 255 0 0\n"
	          "0 1 0 0 0 1 255 0 0\n3 0 1 2 0.5 0.5 0.5\n");
	save_text(folder, "medit", 0,
	          "MeshVersionFormatted 1\nDimension 3\nVertices\n4\n0 0 0 0\n1 0 0 "
	          "0\n0 1 0 0\n0 0 1 0\nTriangles\n1\n1 2 3 0\nQuadrilaterals 1\n1 "
	          "2 3 4 0\nTetrahedra\n1\n1 2 3 4 0\nRidges 1\n1\nEnd\n");
	save_text(
		folder, "gltf", 90,
		"{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":48,\"uri\":\"data:;base64,"
		"AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAABAAIAAACAgICA\"}],\"bufferViews\":"
		"[{\"buffer\":0,\"byteLength\":36,\"byteStride\":12},{\"buffer\":0,\"byteOffset\":36,"
		"\"byteLength\":8}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,"
		"\"type\":\"VEC3\",\"sparse\":{\"count\":2,\"indices\":{\"bufferView\":1,"
		"\"componentType\":5123},\"values\":{\"bufferView\":0}}}],\"materials\":[{\"name\":\"m\"}],"
		"\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":0,\"COLOR_0\":0},"
		"\"mode\":5,\"material\":0},{\"attributes\":{\"POSITION\":0},\"mode\":6}]}],\"nodes\":[{"
		"\"mesh\":0,\"children\":[1]},{\"mesh\":0,\"matrix\":[1,0,0,0,0,-1,0,0,0,0,1,0,0,0,0,1]}]"
		"}");
}

// Assets: one part, several parts, parts that overlap.
static bool save_assets(const char *folder)
{
	for (int i = 0; i < 3; ++i) {
		rbl_box_def box = rbl_default_box_def();
		rbl_tube_def tube = rbl_default_tube_def();
		rbl_prepare_def def = rbl_default_prepare_def();
		rbl_mesh *mesh = NULL;
		rbl_asset *asset = NULL;
		tube.segments = 6;
		def.node_count = i;
		rbl_result result =
			i < 2 ? rbl_create_box_mesh(&box, &mesh) : rbl_create_tube_mesh(&tube, &mesh);
		if (result == RBL_OK)
			result = rbl_prepare(mesh, &def, &asset);
		size_t size = 0;
		rbl_asset_save(asset, NULL, &size);
		void *bytes = malloc(size);
		if (result == RBL_OK && bytes && rbl_asset_save(asset, bytes, &size) == RBL_OK)
			save(folder, "asset", i, bytes, size);
		free(bytes);
		rbl_destroy_asset(asset);
		rbl_destroy_mesh(mesh);
		if (result != RBL_OK)
			return false;
	}
	return true;
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	const char *folder = argv[1];
	for (int i = 0; i < 8; ++i) {
		rbl_mesh *mesh = io_make_mesh((io_shape){ .has_normals = i & 1,
		                                          .has_uv0 = i & 1,
		                                          .has_uv1 = i == 1,
		                                          .has_colors = i & 2,
		                                          .has_materials = i & 4,
		                                          .is_triangulated = i & 2 });
		static const struct {
			rbl_file_format format;
			const char *name;
		} formats[] = { { RBL_FORMAT_OBJ, "obj" },
			            { RBL_FORMAT_PLY, "ply" },
			            { RBL_FORMAT_STL, "stl" },
			            { RBL_FORMAT_GLTF, "gltf" } };
		for (int k = 0; k < 4; ++k) {
			rbl_write_def def = rbl_default_write_def();
			def.format = formats[k].format;
			def.as_text = i & 1;
			def.single_precision = i & 2;
			rbl_file_bytes bytes;
			if (rbl_write_mesh_memory(mesh, &def, &bytes) != RBL_OK)
				return 1;
			save(folder, formats[k].name, i, bytes.data, bytes.size);
			rbl_free_bytes(&bytes);
		}
		rbl_destroy_mesh(mesh);
	}
	save_foreign(folder);
	return save_assets(folder) ? 0 : 1;
}
