// SPDX-License-Identifier: MIT
//
// glTF 2.0, .gltf and .glb, flattened into one mesh: nodes are traversed with an explicit stack (a
// node that is reached twice is refused, so cycles end), each mesh is transformed to world space,
// and a transform that mirrors flips its faces. Meshes of different nodes are never merged.
//
// A small file may instance one large mesh many times. The vertices and corners it expands to count
// against a budget: the file's size plus the definition's instance_limit.

#include "io/gltf.h"

#include <math.h>

typedef struct pending_node {
	int64_t node;
	rbl_gltf_placement parent;
} pending_node;

typedef struct flattener {
	rbl_gltf gltf;
	RBL_IO_ARRAY(pending_node) stack;
	unsigned char *visited; // per node
	size_t node_count;
} flattener;

// --- nodes -----------------------------------------------------------------------------------

static rbl_gltf_placement combine(const rbl_gltf_placement *parent, const rbl_gltf_placement *child)
{
	rbl_gltf_placement made;
	for (int c = 0; c < 4; ++c) {
		for (int i = 0; i < 3; ++i)
			made.m[3 * c + i] =
				parent->m[i] * child->m[3 * c] + parent->m[3 + i] * child->m[3 * c + 1] +
				parent->m[6 + i] * child->m[3 * c + 2] + (c == 3 ? parent->m[9 + i] : 0.0);
	}
	return made;
}

// Push nodes in reverse, so that they are popped in order.
static rbl_result push_nodes(flattener *f, const rbl_json *list, const rbl_gltf_placement *parent)
{
	for (int i = rbl_json_count(list); i-- > 0;) {
		int64_t node = -1;
		rbl_json_get_integer(rbl_json_item(list, i), &node);
		pending_node pending = { node, *parent };
		if (node < 0 || (uint64_t)node >= f->node_count)
			return rbl_gltf_fail(&f->gltf, "nodes", node, "there is no such node");
		if (f->visited[node])
			return rbl_gltf_fail(&f->gltf, "nodes", node, "is reached twice");
		f->visited[node] = 1;
		if (!rbl_io_push(&f->gltf.source->memory, &f->stack, pending))
			return rbl_io_out_of_memory(f->gltf.source);
	}
	return RBL_OK;
}

// The mesh of a node, as often as it is there.
static rbl_result read_instances(flattener *f, int64_t index, const rbl_json *node,
                                 const rbl_gltf_placement *at)
{
	int64_t mesh = rbl_gltf_int(node, "mesh", -1);
	rbl_gltf_instances instances;
	rbl_result result = rbl_gltf_open_instances(&f->gltf, index, node, &instances);
	if (result == RBL_OK && instances.count == 0)
		return rbl_gltf_read_mesh(&f->gltf, mesh, at);
	for (int i = 0; i < instances.count && result == RBL_OK; ++i) {
		double t[3], q[4], s[3];
		rbl_gltf_placement own;
		rbl_gltf_fetch_instance(&instances, i, t, q, s);
		if (!rbl_gltf_place(t, q, s, &own))
			return rbl_gltf_fail(&f->gltf, "nodes", index, "the rotation of an instance is zero");
		own = combine(at, &own);
		result = rbl_gltf_read_mesh(&f->gltf, mesh, &own);
	}
	return result;
}

static rbl_result read_node(flattener *f, const pending_node *pending)
{
	const rbl_json *node = rbl_gltf_item(&f->gltf, "nodes", pending->node);
	rbl_gltf_placement local;
	if (!node || !rbl_gltf_read_placement(node, &local))
		return rbl_gltf_fail(&f->gltf, "nodes", pending->node, "its placement is not usable");
	rbl_gltf_placement at = combine(&pending->parent, &local);
	bool is_hidden = true; // scale 0: hidden until an animation shows it
	for (int i = 0; i < 9; ++i)
		is_hidden &= at.m[i] == 0.0;
	if (rbl_json_member(node, "skin"))
		rbl_gltf_note_lost(&f->gltf, "skins");
	if (rbl_json_member(node, "mesh") && !is_hidden) {
		rbl_result result = read_instances(f, pending->node, node, &at);
		if (result != RBL_OK)
			return result;
	}
	return push_nodes(f, rbl_json_member(node, "children"), &at);
}

// The roots of the scene, or all nodes without a parent.
static rbl_result push_roots(flattener *f)
{
	const rbl_gltf_placement identity = { { 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0 } };
	if (rbl_json_member(f->gltf.root, "scenes")) {
		int64_t index = rbl_gltf_int(f->gltf.root, "scene", 0);
		const rbl_json *scene = rbl_gltf_item(&f->gltf, "scenes", index);
		if (!scene)
			return rbl_gltf_fail(&f->gltf, "scenes", index, "there is no such scene");
		return push_nodes(f, rbl_json_member(scene, "nodes"), &identity);
	}
	const rbl_json *nodes = rbl_json_member(f->gltf.root, "nodes");
	for (size_t i = 0; i < f->node_count; ++i) {
		const rbl_json *children = rbl_json_member(rbl_json_item(nodes, (int)i), "children");
		for (int k = 0; k < rbl_json_count(children); ++k) {
			int64_t child = -1;
			if (rbl_json_get_integer(rbl_json_item(children, k), &child) && child >= 0 &&
			    (uint64_t)child < f->node_count)
				f->visited[child] = 2;
		}
	}
	for (size_t i = f->node_count; i-- > 0;) {
		pending_node pending = { (int64_t)i, identity };
		if (f->visited[i] == 2)
			f->visited[i] = 0;
		else if (f->visited[i] = 1, !rbl_io_push(&f->gltf.source->memory, &f->stack, pending))
			return rbl_io_out_of_memory(f->gltf.source);
	}
	return RBL_OK;
}

static rbl_result read_scene(flattener *f)
{
	rbl_gltf *gltf = &f->gltf;
	rbl_io_source *source = gltf->source;
	rbl_result result = RBL_OK;
	gltf->has_sources = source->def->keep_sources;
	for (int i = 0; i < gltf->material_count; ++i) {
		if (!rbl_io_push(&source->memory, &source->mesh.materials, rbl_gltf_read_material(gltf, i)))
			return rbl_io_out_of_memory(source);
		gltf->slots[i] = i;
	}
	for (int i = 0; i < rbl_gltf_list_count(gltf, "meshes") && result == RBL_OK; ++i)
		result = rbl_gltf_plan_attributes(gltf, i);
	f->node_count = (size_t)rbl_gltf_list_count(gltf, "nodes");
	f->visited = RBL_IO_NEW(&source->memory, unsigned char, f->node_count);
	if (!f->visited)
		return rbl_io_out_of_memory(source);
	memset(f->visited, 0, f->node_count);
	if (result == RBL_OK)
		result = push_roots(f);
	while (result == RBL_OK && f->stack.count > 0) {
		pending_node pending = f->stack.data[--f->stack.count];
		result = read_node(f, &pending);
	}
	return result;
}

rbl_result rbl_io_read_gltf(rbl_io_source *source)
{
	flattener f = { .node_count = 0 };
	rbl_result result = rbl_gltf_open(&f.gltf, source);
	if (result == RBL_OK)
		result = read_scene(&f);
	if (result == RBL_OK)
		rbl_gltf_warn_lost(&f.gltf);
	RBL_IO_FREE(&source->memory, f.visited, f.node_count);
	rbl_io_free(&source->memory, &f.stack);
	rbl_gltf_close(&f.gltf);
	return result;
}
