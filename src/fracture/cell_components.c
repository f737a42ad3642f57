// SPDX-License-Identifier: MIT
//
// From the faces in a cell to pieces: components connected over vertices.
//
// A component of negative volume is a void that touches no cell face; it belongs to the component
// around it. A component of negligible volume (1e-12 of the body's) is a flat shard, and one of
// negative volume with nothing around it is inverted: there the surface intersects itself. Both
// are closed, so dropping them opens no hole.

#include "fracture/cell_group.h"

#include "base/union_find.h"
#include "base/vec.h"

static const double flat_share = 1e-12;

// Owners of components that are left out.
enum { FLAT = -1, INVERTED = -2 };

// Volume and centre of faces, relative to the first vertex.
static void add_face_volume(const rbl_vec3d *vertices, const int *corners,
                            const rbl_piece_face *face, rbl_vec3d o, double *volume,
                            rbl_vec3d *moment)
{
	const int *loop = corners + face->first_corner;
	const int *sizes = loop + face->corner_count;
	for (int i = 0, at = 0; i < face->loop_count; ++i) {
		int n = face->loop_count > 1 ? sizes[i] : face->corner_count;
		rbl_vec3d a = rbl_sub_d(vertices[loop[at]], o), b = rbl_sub_d(vertices[loop[at + 1]], o);
		for (int k = 2; k < n; ++k) {
			rbl_vec3d c = rbl_sub_d(vertices[loop[at + k]], o);
			double v = rbl_dot_d(a, rbl_cross_d(b, c));
			*volume += v;
			*moment = rbl_add_scaled_d(*moment, v, rbl_add_d(a, rbl_add_d(b, c)));
			b = c;
		}
		at += n;
	}
}

static void finish_volume(rbl_cell_component *component, double volume, rbl_vec3d moment,
                          rbl_vec3d o)
{
	component->volume = volume / 6.0;
	component->centre = o;
	if (volume != 0.0)
		component->centre = rbl_add_d(o, rbl_scale_d(0.25 / volume, moment));
}

// Label the vertices by component. @return how many there are, -1 when memory ran out
static int label_components(rbl_cell_group *g, rbl_piece_block *geometry, rbl_cell_group_worker *w,
                            int first_vertex, int first_face)
{
	int n = geometry->vertices.count - first_vertex;
	if (!rbl_array_resize(g->s->allocator, &w->parents, n) ||
	    !rbl_array_resize(g->s->allocator, &w->nexts, n))
		return -1;
	int *parents = w->parents.data, *labels = w->nexts.data;
	rbl_union_find_init(parents, n);
	for (int f = first_face; f < geometry->faces.count; ++f) {
		const rbl_piece_face *face = &geometry->faces.data[f];
		const int *corners = geometry->corners.data + face->first_corner;
		for (int k = 1, root = corners[0]; k < face->corner_count; ++k)
			root = rbl_union_find_join(parents, root, corners[k]);
	}
	int count = 0;
	for (int v = 0; v < n; ++v) {
		int root = rbl_union_find_root(parents, v);
		labels[v] = root == v ? count++ : labels[root];
	}
	return count;
}

static bool push_piece(rbl_cell_group *g, int cell, rbl_cell_group_result *result,
                       const rbl_cell_component *part, int first_vertex, int first_face,
                       int first_corner)
{
	rbl_piece_block *geometry = result->geometry;
	rbl_piece piece = {
		.cell = cell,
		.group = g->index,
		.first_vertex = first_vertex,
		.vertex_count = geometry->vertices.count - first_vertex,
		.first_face = first_face,
		.face_count = geometry->faces.count - first_face,
		.first_corner = first_corner,
		.volume = part->volume,
		.centre = part->centre,
	};
	return rbl_array_push(g->s->allocator, &result->pieces, piece);
}

static void drop_geometry(rbl_piece_block *geometry, int vertices, int faces, int corners)
{
	geometry->vertices.count = vertices;
	geometry->faces.count = faces;
	geometry->corners.count = corners;
}

// Faces of a cell as triangles: loops as fans, whose signed crossings add up to those of the face.
typedef struct cell_fans {
	RBL_ARRAY(int) triangles; // three local vertices each
	RBL_ARRAY(int) labels;
} cell_fans;

static bool add_fans(rbl_cell_group *g, const rbl_piece_block *geometry, const int *labels,
                     int first_face, cell_fans *fans)
{
	const rbl_allocator *a = g->s->allocator;
	for (int f = first_face; f < geometry->faces.count; ++f) {
		const rbl_piece_face *face = &geometry->faces.data[f];
		const int *loop = geometry->corners.data + face->first_corner;
		const int *sizes = loop + face->corner_count;
		for (int i = 0; i < face->loop_count; ++i) {
			int count = face->loop_count > 1 ? sizes[i] : face->corner_count;
			for (int k = 2; k < count; ++k) {
				if (!rbl_array_push(a, &fans->triangles, loop[0]) ||
				    !rbl_array_push(a, &fans->triangles, loop[k - 1]) ||
				    !rbl_array_push(a, &fans->triangles, loop[k]) ||
				    !rbl_array_push(a, &fans->labels, labels[loop[0]]))
					return false;
			}
			loop += count;
		}
	}
	return true;
}

// The smallest component around one of negative volume, that is larger than its voids together;
// INVERTED when there is none.
static int find_owner(const rbl_cell_group_worker *w, int index, const int *around, int count)
{
	const rbl_cell_component *parts = w->components.data;
	int best = INVERTED;
	for (int i = 0; i < count; ++i) {
		const rbl_cell_component *other = &parts[around[i]];
		if (other->volume > 0.0 && other->owner == around[i] &&
		    other->net_volume + parts[index].volume > 0.0 &&
		    (best < 0 || other->volume < parts[best].volume))
			best = around[i];
	}
	return best;
}

// Find the owners of voids. @return false when memory ran out
static bool find_owners(rbl_cell_group *g, const rbl_piece_block *geometry,
                        rbl_cell_group_worker *w, int first_vertex, int first_face)
{
	const rbl_allocator *a = g->s->allocator;
	rbl_cell_component *parts = w->components.data;
	int count = w->components.count;
	cell_fans fans = { 0 };
	rbl_shells shells = { 0 };
	int *around = RBL_NEW(a, int, (size_t)count);
	bool done =
		around && add_fans(g, geometry, w->nexts.data, first_face, &fans) &&
		rbl_shells_create(&shells, a, geometry->vertices.data + first_vertex, fans.triangles.data,
	                      fans.labels.count, fans.labels.data, count) == RBL_OK;
	for (int i = 0; i < count && done; ++i) {
		int found;
		if (parts[i].owner < 0 || parts[i].volume > 0.0)
			continue;
		done = rbl_shells_find_around(&shells, i, around, &found) == RBL_OK;
		parts[i].owner = find_owner(w, i, around, found);
		if (parts[i].owner >= 0)
			parts[parts[i].owner].net_volume += parts[i].volume;
	}
	rbl_shells_destroy(&shells);
	rbl_array_free(a, &fans.triangles);
	rbl_array_free(a, &fans.labels);
	RBL_FREE(a, around, (size_t)count);
	return done;
}

// Volumes and owners of the components.
static bool measure_components(rbl_cell_group *g, rbl_piece_block *geometry,
                               rbl_cell_group_worker *w, int first_vertex, int first_face,
                               int count)
{
	const int *labels = w->nexts.data;
	const rbl_vec3d *vertices = geometry->vertices.data + first_vertex;
	int n = geometry->vertices.count - first_vertex;
	if (!rbl_array_resize(g->s->allocator, &w->components, count))
		return false;
	rbl_cell_component *parts = w->components.data;
	for (int i = 0; i < count; ++i)
		parts[i] = (rbl_cell_component){ .bounds = rbl_box_empty_d(), .owner = i };
	for (int v = n - 1; v >= 0; --v) {
		rbl_cell_component *part = &parts[labels[v]];
		part->bounds = rbl_box_add_point_d(part->bounds, vertices[v]);
	}
	for (int f = first_face; f < geometry->faces.count; ++f) {
		const rbl_piece_face *face = &geometry->faces.data[f];
		rbl_cell_component *part = &parts[labels[geometry->corners.data[face->first_corner]]];
		add_face_volume(vertices, geometry->corners.data, face, rbl_box_centre_d(part->bounds),
		                &part->volume, &part->centre);
	}
	double flat = flat_share * g->s->solid->groups[g->index].volume;
	for (int i = 0; i < count; ++i) {
		finish_volume(&parts[i], parts[i].volume, parts[i].centre,
		              rbl_box_centre_d(parts[i].bounds));
		parts[i].net_volume = parts[i].volume;
		if (fabs(parts[i].volume) <= flat)
			parts[i].owner = FLAT;
	}
	int voids = 0;
	for (int i = 0; i < count; ++i)
		voids += parts[i].owner == i && parts[i].volume < 0.0;
	return voids == 0 || find_owners(g, geometry, w, first_vertex, first_face);
}

// Write the component `owner` with its voids back behind the end of the geometry.
static bool write_component(rbl_cell_group *g, rbl_piece_block *geometry, rbl_cell_group_worker *w,
                            int owner)
{
	const rbl_allocator *a = g->s->allocator;
	const rbl_cell_component *parts = w->components.data;
	const int *labels = w->nexts.data;
	int *numbers = w->parents.data; // new number of each vertex
	int first_vertex = geometry->vertices.count;
	for (int v = 0; v < w->old_vertices.count; ++v) {
		if (parts[labels[v]].owner != owner)
			continue;
		numbers[v] = geometry->vertices.count - first_vertex;
		if (!rbl_array_push(a, &geometry->vertices, w->old_vertices.data[v]))
			return false;
	}
	for (int f = 0; f < w->old_faces.count; ++f) {
		rbl_piece_face face = w->old_faces.data[f];
		const int *corners = w->old_corners.data + face.first_corner;
		if (parts[labels[corners[0]]].owner != owner)
			continue;
		int extra = face.is_merged ? face.corner_count : face.loop_count > 1 ? face.loop_count : 0;
		face.first_corner = geometry->corners.count;
		if (!rbl_array_push(a, &geometry->faces, face) ||
		    !rbl_array_extend(a, &geometry->corners, face.corner_count + extra))
			return false;
		for (int k = 0; k < face.corner_count; ++k)
			geometry->corners.data[geometry->corners.count++] = numbers[corners[k]];
		for (int k = 0; k < extra; ++k)
			geometry->corners.data[geometry->corners.count++] = corners[face.corner_count + k];
	}
	return true;
}

// Set the cell's geometry aside; corners then count from zero.
static bool set_aside(rbl_cell_group *g, rbl_piece_block *geometry, rbl_cell_group_worker *w,
                      int first_vertex, int first_face, int first_corner)
{
	const rbl_allocator *a = g->s->allocator;
	if (!rbl_array_resize(a, &w->old_vertices, geometry->vertices.count - first_vertex) ||
	    !rbl_array_resize(a, &w->old_faces, geometry->faces.count - first_face) ||
	    !rbl_array_resize(a, &w->old_corners, geometry->corners.count - first_corner))
		return false;
	memcpy(w->old_vertices.data, geometry->vertices.data + first_vertex,
	       (size_t)w->old_vertices.count * sizeof(rbl_vec3d));
	memcpy(w->old_faces.data, geometry->faces.data + first_face,
	       (size_t)w->old_faces.count * sizeof(rbl_piece_face));
	memcpy(w->old_corners.data, geometry->corners.data + first_corner,
	       (size_t)w->old_corners.count * sizeof(int));
	for (int f = 0; f < w->old_faces.count; ++f)
		w->old_faces.data[f].first_corner -= first_corner;
	drop_geometry(geometry, first_vertex, first_face, first_corner);
	return true;
}

bool rbl_cell_group_split(rbl_cell_group *g, int cell, rbl_cell_group_result *result,
                          rbl_cell_group_worker *w, int first_vertex, int first_face,
                          int first_corner)
{
	rbl_piece_block *geometry = result->geometry;
	int count = label_components(g, geometry, w, first_vertex, first_face);
	if (count < 0 || !measure_components(g, geometry, w, first_vertex, first_face, count))
		return false;
	rbl_cell_component *parts = w->components.data;
	for (int i = 0; i < count; ++i) {
		if (parts[i].owner == FLAT)
			result->flat_count++, result->flat_volume += parts[i].volume;
		if (parts[i].owner == INVERTED)
			result->inverted_count++, result->inverted_volume -= parts[i].volume;
	}
	if (count == 1) {
		if (parts[0].owner < 0) {
			drop_geometry(geometry, first_vertex, first_face, first_corner);
			return true;
		}
		return push_piece(g, cell, result, &parts[0], first_vertex, first_face, first_corner);
	}
	if (!set_aside(g, geometry, w, first_vertex, first_face, first_corner))
		return false;
	for (int i = 0; i < count; ++i) {
		if (parts[i].owner != i)
			continue;
		rbl_cell_component sum = parts[i];
		rbl_vec3d moment = rbl_scale_d(sum.volume, sum.centre);
		for (int k = 0; k < count; ++k) {
			if (k == i || parts[k].owner != i)
				continue;
			sum.volume += parts[k].volume;
			moment = rbl_add_scaled_d(moment, parts[k].volume, parts[k].centre);
		}
		sum.centre = rbl_scale_d(1.0 / sum.volume, moment);
		int vertex = geometry->vertices.count, face = geometry->faces.count;
		int corner = geometry->corners.count;
		if (!write_component(g, geometry, w, i) ||
		    !push_piece(g, cell, result, &sum, vertex, face, corner))
			return false;
	}
	return true;
}
