// SPDX-License-Identifier: MIT
//
// Shells, and which of them belong together.
//
// A shell is a set of triangles joined over edges. One with positive volume is the outside of a
// thing and starts a group. One with negative volume is a void and joins the smallest outer shell
// around it. Whether a shell lies in another is asked of one of its vertices, by counting how often
// a ray from it passes through the other; a ray that comes too near to an edge is replaced by
// another direction. Shells without volume are left out (group -1).

#include "fracture/shells.h"

#include "base/log.h"
#include "base/random.h"
#include "base/vec.h"

typedef struct shell {
	double volume;
	rbl_boxd bounds;
	int first_triangle;
	int group;
} shell;

static int find_root(int *parents, int i)
{
	while (parents[i] != i) {
		parents[i] = parents[parents[i]];
		i = parents[i];
	}
	return i;
}

// 1 or -1 for a crossing of the ray from p along d, 0 for none, 2 for too close to call.
static int ray_crossing(rbl_vec3d p, rbl_vec3d d, rbl_vec3d a, rbl_vec3d b, rbl_vec3d c)
{
	a = rbl_sub_d(a, p), b = rbl_sub_d(b, p), c = rbl_sub_d(c, p);
	double u = rbl_dot_d(d, rbl_cross_d(b, c));
	double v = rbl_dot_d(d, rbl_cross_d(c, a));
	double w = rbl_dot_d(d, rbl_cross_d(a, b));
	double size = rbl_maxd(rbl_length_squared_d(a),
	                       rbl_maxd(rbl_length_squared_d(b), rbl_length_squared_d(c)));
	double edge = 1e-13 * size;
	bool positive = u > edge && v > edge && w > edge;
	bool negative = u < -edge && v < -edge && w < -edge;
	if (!positive && !negative) {
		bool outside = (u < -edge || v < -edge || w < -edge) && (u > edge || v > edge || w > edge);
		return outside ? 0 : 2;
	}
	double height = rbl_dot_d(a, rbl_cross_d(b, c));
	if (positive)
		return height > 0.0 ? 1 : 0;
	return height < 0.0 ? -1 : 0;
}

// Triangles by shell: those of shell i are list[starts[i]] to list[starts[i + 1] - 1].
typedef struct shell_lists {
	int *starts, *list;
} shell_lists;

static bool list_by_shell(const rbl_solid *s, const int *shell_of, int count, shell_lists *lists)
{
	lists->starts = RBL_NEW_ZERO(&s->allocator, int, count + 2);
	lists->list = RBL_NEW(&s->allocator, int, s->triangle_count);
	if (!lists->starts || !lists->list)
		return false;
	// Counted two places up, so that filling leaves the starts in place.
	for (int t = 0; t < s->triangle_count; ++t)
		lists->starts[shell_of[t] + 2]++;
	for (int i = 0; i < count; ++i)
		lists->starts[i + 2] += lists->starts[i + 1];
	for (int t = 0; t < s->triangle_count; ++t)
		lists->list[lists->starts[shell_of[t] + 1]++] = t;
	return true;
}

// How often the shell winds around p; points on it give either answer.
static int winding(const rbl_solid *s, const shell_lists *lists, int index, rbl_vec3d p)
{
	rbl_random random = rbl_random_from_seed(1);
	for (int attempt = 0; attempt < 32; ++attempt) {
		rbl_vec3d d = rbl_normalize_d(rbl_random_in_ball(&random));
		int sum = 0;
		bool close = false;
		for (int i = lists->starts[index]; i < lists->starts[index + 1] && !close; ++i) {
			const int *v = s->triangle_vertices + 3 * lists->list[i];
			int crossing =
				ray_crossing(p, d, s->positions[v[0]], s->positions[v[1]], s->positions[v[2]]);
			close = crossing == 2 && attempt < 31;
			sum += crossing == 2 ? 0 : crossing;
		}
		if (!close)
			return sum;
	}
	return 0;
}

// Label triangles by shell in order of their first triangle. @return the number of shells
static int label_shells(const rbl_solid *s, int *parents, int *shell_of)
{
	for (int t = 0; t < s->triangle_count; ++t)
		parents[t] = t;
	for (int h = 0; h < 3 * s->triangle_count; ++h) {
		int a = find_root(parents, h / 3), b = find_root(parents, s->twins[h] / 3);
		parents[rbl_maxi(a, b)] = rbl_mini(a, b);
	}
	int count = 0;
	for (int t = 0; t < s->triangle_count; ++t) {
		int root = find_root(parents, t);
		shell_of[t] = root == t ? count++ : shell_of[root];
	}
	return count;
}

static void measure_shells(const rbl_solid *s, const int *shell_of, shell *shells, int count)
{
	for (int i = 0; i < count; ++i)
		shells[i] = (shell){ 0.0, rbl_box_empty_d(), -1, -1 };
	for (int t = 0; t < s->triangle_count; ++t) {
		const int *v = s->triangle_vertices + 3 * t;
		shell *own = &shells[shell_of[t]];
		if (own->first_triangle < 0)
			own->first_triangle = t;
		rbl_vec3d o = s->positions[s->triangle_vertices[3 * own->first_triangle]];
		rbl_vec3d a = rbl_sub_d(s->positions[v[0]], o), b = rbl_sub_d(s->positions[v[1]], o);
		rbl_vec3d c = rbl_sub_d(s->positions[v[2]], o);
		own->volume += rbl_dot_d(a, rbl_cross_d(b, c)) / 6.0;
		for (int k = 0; k < 3; ++k)
			own->bounds = rbl_box_add_point_d(own->bounds, s->positions[v[k]]);
	}
}

static rbl_result group_shells(const rbl_solid *s, const shell_lists *lists, shell *shells,
                               int count, int *group_count)
{
	int groups = 0;
	for (int i = 0; i < count; ++i) {
		if (shells[i].volume > 0.0)
			shells[i].group = groups++;
	}
	for (int i = 0; i < count; ++i) {
		if (shells[i].volume > 0.0)
			continue;
		rbl_vec3d p = s->positions[s->triangle_vertices[3 * shells[i].first_triangle]];
		int best = -1;
		for (int k = 0; k < count; ++k) {
			if (!(shells[k].volume > 0.0) ||
			    !rbl_box_contains_d(shells[k].bounds, shells[i].bounds) ||
			    (best >= 0 && shells[k].volume >= shells[best].volume))
				continue;
			if (winding(s, lists, k, p) > 0)
				best = k;
		}
		if (best < 0 && fabs(shells[i].volume) <= 1e-12 * s->size * s->size * s->size)
			continue; // flat: closed in itself, and nothing without it
		if (best < 0)
			return rbl_fail(RBL_BAD_MESH, "shell %d is inside out: volume %g, no shell around it",
			                i, shells[i].volume);
		shells[i].group = shells[best].group;
	}
	*group_count = groups;
	return groups > 0 ? RBL_OK : rbl_fail(RBL_BAD_MESH, "the mesh has no volume");
}

rbl_result rbl_solid_find_groups(rbl_solid *s)
{
	const rbl_allocator *a = &s->allocator;
	int *parents = RBL_NEW(a, int, s->triangle_count);
	int *shell_of = RBL_NEW(a, int, s->triangle_count);
	shell *shells = NULL;
	shell_lists lists = { NULL, NULL };
	int count = 0, group_count = 0;
	rbl_result result = RBL_OUT_OF_MEMORY;
	if (parents && shell_of) {
		count = label_shells(s, parents, shell_of);
		shells = RBL_NEW(a, shell, count);
	}
	if (shells && list_by_shell(s, shell_of, count, &lists)) {
		measure_shells(s, shell_of, shells, count);
		result = group_shells(s, &lists, shells, count, &group_count);
	}
	if (result == RBL_OK) {
		s->groups = RBL_NEW_ZERO(a, rbl_solid_group, group_count);
		if (s->groups) {
			s->group_count = group_count;
			for (int g = 0; g < group_count; ++g)
				s->groups[g].bounds = rbl_box_empty_d();
			for (int i = 0; i < count; ++i) {
				if (shells[i].group < 0)
					continue;
				rbl_solid_group *group = &s->groups[shells[i].group];
				group->volume += shells[i].volume;
				group->bounds = rbl_box_join_d(group->bounds, shells[i].bounds);
				s->volume += shells[i].volume;
			}
			for (int t = 0; t < s->triangle_count; ++t)
				s->triangle_groups[t] = shells[shell_of[t]].group;
		} else {
			result = RBL_OUT_OF_MEMORY;
		}
	}
	RBL_FREE(a, parents, s->triangle_count);
	RBL_FREE(a, shell_of, s->triangle_count);
	RBL_FREE(a, lists.starts, count + 2);
	RBL_FREE(a, lists.list, s->triangle_count);
	RBL_FREE(a, shells, count);
	return result;
}
