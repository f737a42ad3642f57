// SPDX-License-Identifier: MIT
// CGAL: the self-intersections of a surface mesh, by exact predicates.

#include "surface_peers.h"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/self_intersections.h>
#include <CGAL/Surface_mesh.h>

#include <algorithm>
#include <ctime>
#include <iterator>
#include <utility>
#include <vector>

using kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using surface_mesh = CGAL::Surface_mesh<kernel::Point_3>;
using face = surface_mesh::Face_index;
using face_pairs = std::vector<std::pair<face, face>>;

// Faces get the numbers of the triangles, since they are added in that order. False for triangles that
// do not form a manifold.
static bool make_mesh(const surface_peer_mesh *from, surface_mesh &mesh)
{
	std::vector<surface_mesh::Vertex_index> vertices;
	for (int i = 0; i < from->vertex_count; ++i) {
		const float *p = from->positions + 3 * i;
		vertices.push_back(mesh.add_vertex(kernel::Point_3(p[0], p[1], p[2])));
	}
	for (int i = 0; i < from->triangle_count; ++i) {
		const int *t = from->triangles + 3 * i;
		if (mesh.add_face(vertices[t[0]], vertices[t[1]], vertices[t[2]]) ==
		    surface_mesh::null_face())
			return false;
	}
	return true;
}

static double thread_ms()
{
	timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static double self_collide(const surface_peer_mesh *from, int repeat, int *pairs, int capacity,
                           int *pair_count)
{
	*pair_count = -1;
	surface_mesh mesh;
	if (!make_mesh(from, mesh))
		return 0.0;
	face_pairs found;
	double least = 1e300;
	for (int i = 0; i < repeat; ++i) {
		found.clear();
		double start = thread_ms();
		CGAL::Polygon_mesh_processing::self_intersections(mesh, std::back_inserter(found));
		least = std::min(least, thread_ms() - start);
	}
	std::vector<std::pair<int, int>> sorted;
	for (const auto &pair : found) {
		int a = (int)pair.first, b = (int)pair.second;
		sorted.emplace_back(std::min(a, b), std::max(a, b));
	}
	std::sort(sorted.begin(), sorted.end());
	*pair_count = (int)sorted.size();
	for (int i = 0; i < *pair_count && i < capacity; ++i)
		pairs[2 * i] = sorted[i].first, pairs[2 * i + 1] = sorted[i].second;
	return least;
}

extern "C" const surface_peer surface_peer_cgal = { "cgal", self_collide };
