// SPDX-License-Identifier: MIT
//
// glTF read whole: each mesh once, in its own coordinates; nodes in the order of a walk from the
// roots, parents first. A node that is reached twice is refused, so cycles end.

#include "io/document.h"

#include <math.h>

typedef struct waiting_node {
	int64_t node;
	int parent; // in the scene
} waiting_node;

typedef struct whole_reader {
	rbl_gltf gltf;
	rbl_document *document;
	RBL_IO_ARRAY(waiting_node) stack;
	int *node_of; // per node of the file: -1 not reached, -2 waiting, or its node of the scene
	int node_count;
} whole_reader;

static rbl_result fail_reader_memory(const whole_reader *r)
{
	return rbl_io_fail(RBL_OUT_OF_MEMORY, "%s: out of memory", r->gltf.source->name);
}

// --- meshes ----------------------------------------------------------------------------------

// Empty the mesh builder, and forget which materials were in it.
static void reset_builder(rbl_gltf *gltf)
{
	for (int i = 0; i < gltf->primitives.count; ++i) {
		int material = gltf->primitives.data[i].material;
		gltf->slots[material >= 0 ? material : gltf->material_count] = -1;
	}
	gltf->slot_objects.count = 0;
	rbl_io_free_mesh_builder(gltf->source);
}

static bool is_primitive_extension(const char *name)
{
	return strcmp(name, "KHR_materials_variants") == 0;
}

// What primitives have besides. @return NULL without any, or with the failure in memory
static const rbl_scene_slot *keep_slots(rbl_gltf *gltf, rbl_document *document)
{
	int count = gltf->slot_objects.count;
	bool has_any = false;
	for (int i = 0; i < count; ++i)
		has_any |= gltf->slot_objects.data[i] != NULL;
	if (!has_any)
		return NULL;
	rbl_scene_slot *slots = rbl_document_keep(document, (size_t)count * sizeof *slots);
	for (int i = 0; slots && i < count; ++i) {
		const rbl_json *own = gltf->slot_objects.data[i];
		slots[i].extensions =
			rbl_document_keep_extensions(document, gltf, own, is_primitive_extension, "");
		slots[i].extras = rbl_document_keep_source(document, gltf, rbl_json_member(own, "extras"));
	}
	return slots;
}

static rbl_result read_whole_mesh(whole_reader *r, int index)
{
	static const rbl_gltf_placement identity = { { 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0 } };
	rbl_gltf *gltf = &r->gltf;
	rbl_document *document = r->document;
	const rbl_json *object = rbl_gltf_item(gltf, "meshes", index);
	rbl_mesh *mesh = NULL;
	rbl_result result = rbl_gltf_plan_attributes(gltf, index);
	if (result == RBL_OK)
		result = rbl_gltf_read_mesh(gltf, index, &identity);
	if (result == RBL_OK)
		result = rbl_io_finish_mesh(gltf->source, &mesh);
	const rbl_scene_slot *slots = result == RBL_OK ? keep_slots(gltf, document) : NULL;
	reset_builder(gltf);
	if (result != RBL_OK)
		return result;
	rbl_scene_label label = {
		.slots = slots,
		.name = rbl_document_keep_name(document, rbl_json_member(object, "name")),
		.extras = rbl_document_keep_source(document, gltf, rbl_json_member(object, "extras")),
	};
	if (document->memory.failure != RBL_OK ||
	    !rbl_io_push(&document->memory, &document->labels, label) ||
	    !rbl_io_push(&document->memory, &document->meshes, mesh)) {
		rbl_destroy_mesh(mesh);
		return fail_reader_memory(r);
	}
	return RBL_OK;
}

// --- nodes -----------------------------------------------------------------------------------

static bool is_node_extension(const char *name)
{
	return strcmp(name, "KHR_lights_punctual") == 0 || strcmp(name, "KHR_node_visibility") == 0;
}

static bool is_file_extension(const char *name)
{
	return strcmp(name, "KHR_lights_punctual") == 0 || strcmp(name, "KHR_materials_variants") == 0;
}

// A rotation that was found usable; one that is nearly a unit keeps its bits.
static rbl_quat to_unit(const double *q)
{
	double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
	double factor = fabs(length - 1.0) < 1e-3 ? 1.0 : 1.0 / length;
	return (rbl_quat){ (float)(q[0] * factor), (float)(q[1] * factor), (float)(q[2] * factor),
		               (float)(q[3] * factor) };
}

// Where a node is. @return false if that is not usable
static bool read_transform(whole_reader *r, const rbl_json *node, rbl_scene_node *made)
{
	double m[16], t[3] = { 0.0, 0.0, 0.0 }, q[4] = { 0.0, 0.0, 0.0, 1.0 }, s[3] = { 1.0, 1.0, 1.0 };
	rbl_gltf_placement placement;
	if (!rbl_gltf_read_placement(node, &placement))
		return false;
	const rbl_json *matrix = rbl_json_member(node, "matrix");
	if (matrix && rbl_gltf_numbers(matrix, m, 16)) {
		float *kept = rbl_document_keep(r->document, 16 * sizeof *kept);
		for (int i = 0; kept && i < 16; ++i)
			kept[i] = (float)m[i];
		made->matrix = kept;
		return true;
	}
	rbl_gltf_numbers(rbl_json_member(node, "translation"), t, 3);
	rbl_gltf_numbers(rbl_json_member(node, "rotation"), q, 4);
	rbl_gltf_numbers(rbl_json_member(node, "scale"), s, 3);
	made->translation = (rbl_vec3){ (float)t[0], (float)t[1], (float)t[2] };
	made->rotation = to_unit(q);
	made->scale = (rbl_vec3){ (float)s[0], (float)s[1], (float)s[2] };
	return true;
}

// What EXT_mesh_gpu_instancing repeats becomes nodes below that which has it.
static rbl_result add_instances(whole_reader *r, int64_t index, const rbl_json *node, int parent)
{
	rbl_document *document = r->document;
	rbl_gltf_instances instances;
	rbl_result result = rbl_gltf_open_instances(&r->gltf, index, node, &instances);
	if (result != RBL_OK || instances.count == 0)
		return result;
	rbl_scene_node made = rbl_default_scene_node();
	made.parent = parent;
	made.mesh = document->nodes.data[parent].mesh;
	document->nodes.data[parent].mesh = -1;
	for (int i = 0; i < instances.count; ++i) {
		double t[3], q[4], s[3];
		rbl_gltf_placement placement;
		rbl_gltf_fetch_instance(&instances, i, t, q, s);
		if (!rbl_gltf_place(t, q, s, &placement))
			return rbl_gltf_fail(&r->gltf, "nodes", index, "the rotation of an instance is zero");
		float sum = (float)(t[0] + t[1] + t[2]) + (float)(s[0] + s[1] + s[2]);
		if (!(sum - sum == 0.0f))
			return rbl_gltf_fail(&r->gltf, "nodes", index, "the place of an instance is no number");
		made.translation = (rbl_vec3){ (float)t[0], (float)t[1], (float)t[2] };
		made.rotation = to_unit(q);
		made.scale = (rbl_vec3){ (float)s[0], (float)s[1], (float)s[2] };
		if (!rbl_io_push(&document->memory, &document->nodes, made))
			return fail_reader_memory(r);
	}
	return RBL_OK;
}

// Push nodes in reverse, so that they are popped in order.
static rbl_result push_children(whole_reader *r, const rbl_json *list, int parent)
{
	for (int i = rbl_json_count(list); i-- > 0;) {
		int64_t node = -1;
		rbl_json_get_integer(rbl_json_item(list, i), &node);
		if (node < 0 || node >= r->node_count)
			return rbl_gltf_fail(&r->gltf, "nodes", node, "there is no such node");
		if (r->node_of[node] != -1)
			return rbl_gltf_fail(&r->gltf, "nodes", node, "is reached twice");
		r->node_of[node] = -2;
		if (!rbl_io_push(&r->gltf.source->memory, &r->stack, ((waiting_node){ node, parent })))
			return fail_reader_memory(r);
	}
	return RBL_OK;
}

static rbl_result read_whole_node(whole_reader *r, waiting_node waiting)
{
	rbl_gltf *gltf = &r->gltf;
	rbl_document *document = r->document;
	const rbl_json *node = rbl_gltf_item(gltf, "nodes", waiting.node);
	rbl_scene_node made = rbl_default_scene_node();
	made.parent = waiting.parent;
	if (!node || !read_transform(r, node, &made))
		return rbl_gltf_fail(gltf, "nodes", waiting.node, "its placement is not usable");
	int64_t mesh = rbl_gltf_int(node, "mesh", -1), camera = rbl_gltf_int(node, "camera", -1);
	if (mesh < -1 || mesh >= document->meshes.count)
		return rbl_gltf_fail(gltf, "meshes", mesh, "there is no such mesh");
	if (camera < -1 || camera >= document->cameras.count)
		return rbl_gltf_fail(gltf, "cameras", camera, "there is no such camera");
	made.mesh = (int)mesh;
	made.camera = (int)camera + 1;
	if (rbl_json_member(node, "skin"))
		rbl_gltf_note_lost(gltf, "skins");
	made.name = rbl_document_keep_name(document, rbl_json_member(node, "name"));
	made.extras = rbl_document_keep_source(document, gltf, rbl_json_member(node, "extras"));
	made.extensions = rbl_document_keep_extensions(document, gltf, node, is_node_extension,
	                                               "EXT_mesh_gpu_instancing");
	if (document->memory.failure != RBL_OK ||
	    !rbl_io_push(&document->memory, &document->nodes, made))
		return fail_reader_memory(r);
	int index = r->node_of[waiting.node] = document->nodes.count - 1;
	rbl_result result = RBL_OK;
	if (made.mesh >= 0)
		result = add_instances(r, waiting.node, node, index);
	return result == RBL_OK ? push_children(r, rbl_json_member(node, "children"), index) : result;
}

// The roots of the scene, or all nodes that are no children.
static rbl_result push_scene(whole_reader *r)
{
	rbl_gltf *gltf = &r->gltf;
	if (rbl_json_member(gltf->root, "scenes")) {
		int64_t index = rbl_gltf_int(gltf->root, "scene", 0);
		const rbl_json *scene = rbl_gltf_item(gltf, "scenes", index);
		if (!scene)
			return rbl_gltf_fail(gltf, "scenes", index, "there is no such scene");
		if (rbl_gltf_list_count(gltf, "scenes") > 1)
			rbl_gltf_note_lost(gltf, "scenes that are not shown");
		r->document->name = rbl_document_keep_name(r->document, rbl_json_member(scene, "name"));
		r->document->extras =
			rbl_document_keep_source(r->document, gltf, rbl_json_member(scene, "extras"));
		return push_children(r, rbl_json_member(scene, "nodes"), -1);
	}
	for (int i = 0; i < r->node_count; ++i) {
		const rbl_json *children = rbl_json_member(rbl_gltf_item(gltf, "nodes", i), "children");
		for (int k = 0; k < rbl_json_count(children); ++k) {
			int64_t child = -1;
			if (rbl_json_get_integer(rbl_json_item(children, k), &child) && child >= 0 &&
			    child < r->node_count)
				r->node_of[child] = -3;
		}
	}
	for (int i = r->node_count; i-- > 0;) {
		bool is_root = r->node_of[i] == -1;
		r->node_of[i] = is_root ? -2 : -1;
		if (is_root && !rbl_io_push(&gltf->source->memory, &r->stack, ((waiting_node){ i, -1 })))
			return fail_reader_memory(r);
	}
	return RBL_OK;
}

// --- the file --------------------------------------------------------------------------------

static rbl_result read_whole(whole_reader *r)
{
	rbl_gltf *gltf = &r->gltf;
	rbl_document *document = r->document;
	gltf->has_sources = gltf->is_whole = true;
	r->node_count = rbl_gltf_list_count(gltf, "nodes");
	r->node_of = RBL_IO_NEW(&gltf->source->memory, int, r->node_count);
	if (!r->node_of)
		return fail_reader_memory(r);
	for (int i = 0; i < r->node_count; ++i)
		r->node_of[i] = -1;
	rbl_result result = rbl_gltf_read_looks(gltf, document);
	for (int i = 0; i < rbl_gltf_list_count(gltf, "meshes") && result == RBL_OK; ++i)
		result = read_whole_mesh(r, i);
	if (result == RBL_OK)
		result = push_scene(r);
	while (result == RBL_OK && r->stack.count > 0)
		result = read_whole_node(r, r->stack.data[--r->stack.count]);
	if (result == RBL_OK)
		result = rbl_gltf_read_animations(gltf, document, r->node_of);
	if (result != RBL_OK)
		return result;
	for (int i = 0; i < r->node_count; ++i)
		if (r->node_of[i] < 0)
			rbl_gltf_note_lost(gltf, "nodes that no scene has");
	rbl_gltf_note_unread(gltf);
	const rbl_json *asset = rbl_json_member(gltf->root, "asset");
	document->copyright = rbl_document_keep_name(document, rbl_json_member(asset, "copyright"));
	document->asset_extras =
		rbl_document_keep_source(document, gltf, rbl_json_member(asset, "extras"));
	document->file_extras =
		rbl_document_keep_source(document, gltf, rbl_json_member(gltf->root, "extras"));
	document->extensions =
		rbl_document_keep_extensions(document, gltf, gltf->root, is_file_extension, NULL);
	return document->memory.failure == RBL_OK ? RBL_OK : fail_reader_memory(r);
}

rbl_result rbl_io_read_gltf_document(rbl_io_source *source, rbl_document **document)
{
	const rbl_read_def *def = source->def;
	if (def->up != RBL_AXIS_Y || def->scale != 1.0 || def->is_left_handed)
		return rbl_io_fail(RBL_BAD_ARGUMENT,
		                   "%s: a glTF document has axes and units of its own; read one mesh",
		                   source->name);
	whole_reader r = { .document = NULL };
	rbl_result result = rbl_gltf_open(&r.gltf, source);
	if (result == RBL_OK) {
		r.document = rbl_document_create(&source->memory);
		result = r.document ? read_whole(&r) : fail_reader_memory(&r);
	}
	if (result == RBL_OK)
		rbl_gltf_warn_lost(&r.gltf);
	rbl_io_free(&source->memory, &r.stack);
	RBL_IO_FREE(&source->memory, r.node_of, r.node_count);
	rbl_gltf_close(&r.gltf);
	if (result == RBL_OK)
		*document = r.document;
	else
		rbl_destroy_document(r.document);
	return result;
}
