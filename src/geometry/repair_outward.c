// SPDX-License-Identifier: MIT
//
// Turning closed shells the right way round. A shell inside an odd number of other shells may be
// a cavity and stays inside out; every other shell that is inside out is turned over. One that
// points outwards is left alone wherever it is: it may be a solid within another. A flat patch whose
// border was closed is a shell without a volume, and is dropped.
//
// Inside or outside is decided for one vertex by counting where a ray along x meets the other
// shell. All signs are exact, and a ray through an edge or vertex counts as if it were moved by an
// infinitesimal step in y and a smaller one in z, so each crossing counts once.

#include "geometry/repair.h"

#include "base/log.h"
#include "base/vec.h"
#include "geometry/check.h"
#include "geometry/mesh.h"
#include "geometry/predicates.h"

typedef struct shells {
	const rbl_mesh_data *data;
	int *labels; // per face
	int *starts; // of each shell in `faces`, one more than shells
	int *faces;  // by shell
	rbl_boxd *boxes;
	double *volumes;
	int count;
} shells;

// Whether p is to the left of a-b in the y-z plane, points on the line decided by the direction of
// the edge, so that exactly one of two triangles that share it has the point.
static bool is_left(rbl_vec3d a, rbl_vec3d b, rbl_vec3d p)
{
	int translation = rbl_orient2d(a.y, a.z, b.y, b.z, p.y, p.z);
	if (translation != 0)
		return translation > 0;
	return b.z != a.z ? b.z < a.z : b.y > a.y;
}

// Whether the ray from p towards +x meets the triangle.
static bool ray_meets(rbl_vec3d p, rbl_vec3d a, rbl_vec3d b, rbl_vec3d c)
{
	bool left = is_left(a, b, p);
	if (is_left(b, c, p) != left || is_left(c, a, p) != left)
		return false;
	// Seen along x the triangle turns left or right: p is before it if it is on that side.
	return rbl_orient3d(a, b, c, p) == (left ? -1 : 1);
}

static bool shell_contains(const shells *s, int shell, rbl_vec3d p)
{
	const rbl_mesh_data *data = s->data;
	int crossings = 0;
	for (int i = s->starts[shell]; i < s->starts[shell + 1]; ++i) {
		int begin = data->face_starts[s->faces[i]], end = data->face_starts[s->faces[i] + 1];
		rbl_vec3d a = data->positions[data->corner_vertices[begin]];
		for (int k = begin + 1; k + 1 < end; ++k)
			crossings += ray_meets(p, a, data->positions[data->corner_vertices[k]],
			                       data->positions[data->corner_vertices[k + 1]]);
	}
	return crossings & 1;
}

static rbl_vec3d first_vertex(const shells *s, int shell)
{
	int face = s->faces[s->starts[shell]];
	return s->data->positions[s->data->corner_vertices[s->data->face_starts[face]]];
}

static bool is_cavity(const shells *s, int shell)
{
	int depth = 0;
	for (int other = 0; other < s->count; ++other) {
		if (other != shell && rbl_box_contains_d(s->boxes[other], s->boxes[shell]))
			depth += shell_contains(s, other, first_vertex(s, shell));
	}
	return depth & 1;
}

// The volume of a shell, zero where it is not more than rounding.
static double volume_of(const shells *s, int shell)
{
	double size = rbl_length_d(rbl_box_size_d(s->boxes[shell])), volume = s->volumes[shell];
	return fabs(volume) > 1e-13 * size * size * size ? volume : 0.0;
}

// Mark the faces of shells that have caps and enclose nothing. @return how many there are
static int mark_empty(rbl_draft *draft, const shells *s, unsigned char *marks)
{
	int count = 0;
	for (int k = 0; k < s->count; ++k) {
		bool is_capped = false;
		for (int i = s->starts[k]; i < s->starts[k + 1]; ++i)
			is_capped |= (draft->flags.data[s->faces[i]] & RBL_DRAFT_NEW) != 0;
		if (!is_capped || volume_of(s, k) != 0.0)
			continue;
		rbl_log(RBL_LOG_WARNING, "the %d faces around face %d enclose nothing, dropped",
		        s->starts[k + 1] - s->starts[k], draft->face_sources.data[s->faces[s->starts[k]]]);
		for (int i = s->starts[k]; i < s->starts[k + 1]; ++i) {
			bool is_cap = (draft->flags.data[s->faces[i]] & RBL_DRAFT_NEW) != 0;
			draft->report.dropped_degenerate += !is_cap;
			draft->report.added_faces -= is_cap;
			marks[s->faces[i]] = 1;
			++count;
		}
	}
	return count;
}

// Group faces by shell, and measure each.
static void fill_shells(shells *s)
{
	const rbl_mesh_data *data = s->data;
	memset(s->starts, 0, ((size_t)s->count + 1) * sizeof(int));
	for (int f = 0; f < data->face_count; ++f)
		s->starts[s->labels[f] + 1]++;
	for (int k = 0; k < s->count; ++k)
		s->starts[k + 1] += s->starts[k], s->boxes[k] = rbl_box_empty_d(), s->volumes[k] = 0.0;
	for (int f = 0; f < data->face_count; ++f)
		s->faces[s->starts[s->labels[f]]++] = f;
	for (int k = s->count; k > 0; --k)
		s->starts[k] = s->starts[k - 1];
	s->starts[0] = 0;
	for (int c = 0, f = 0; c < data->corner_count; ++c) {
		while (c >= data->face_starts[f + 1])
			++f;
		rbl_boxd *box = &s->boxes[s->labels[f]];
		*box = rbl_box_add_point_d(*box, data->positions[data->corner_vertices[c]]);
	}
	for (int f = 0; f < data->face_count; ++f) {
		int begin = data->face_starts[f], count = data->face_starts[f + 1] - begin,
			k = s->labels[f];
		s->volumes[k] +=
			rbl_polygons_mass(data->positions, 1, (int[2]){ 0, count },
		                      data->corner_vertices + begin, rbl_box_centre_d(s->boxes[k]))
				.volume;
	}
}

rbl_result rbl_repair_turn_outward(rbl_draft *draft)
{
	rbl_mesh_data data = rbl_draft_view(draft);
	rbl_allocator *allocator = &draft->allocator;
	size_t room = (size_t)data.face_count + 1;
	int *numbers = RBL_NEW(allocator, int, 3 * room);
	if (!numbers)
		return RBL_OUT_OF_MEMORY;
	shells s = {
		.data = &data, .labels = numbers, .starts = numbers + room, .faces = numbers + 2 * room
	};
	rbl_result result = rbl_label_shells(&data, allocator, s.labels, &s.count);
	size_t shell_room = (size_t)s.count + 1;
	s.boxes = result == RBL_OK ? RBL_NEW(allocator, rbl_boxd, shell_room) : NULL;
	s.volumes = result == RBL_OK ? RBL_NEW(allocator, double, shell_room) : NULL;
	unsigned char *is_wrong =
		result == RBL_OK ? RBL_NEW_ZERO(allocator, unsigned char, shell_room) : NULL;
	unsigned char *marks = RBL_NEW_ZERO(allocator, unsigned char, room);
	if (s.boxes && s.volumes && is_wrong && marks) {
		fill_shells(&s);
		for (int k = 0; k < s.count; ++k)
			is_wrong[k] = volume_of(&s, k) < 0.0 && !is_cavity(&s, k);
		for (int f = 0; f < data.face_count; ++f) {
			if (is_wrong[s.labels[f]])
				rbl_draft_flip(draft, f);
		}
		if (mark_empty(draft, &s, marks) > 0)
			rbl_draft_remove_faces(draft, marks);
	} else {
		result = RBL_OUT_OF_MEMORY;
	}
	RBL_FREE(allocator, marks, room);
	RBL_FREE(allocator, is_wrong, shell_room);
	RBL_FREE(allocator, s.volumes, shell_room);
	RBL_FREE(allocator, s.boxes, shell_room);
	RBL_FREE(allocator, numbers, 3 * room);
	return result;
}
