// SPDX-License-Identifier: MIT
// CGAL: its tree of boxes over triangles.

#include "tree_clock.hpp"
#include "tree_peers.h"

#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/AABB_triangle_primitive.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>

#include <memory>
#include <vector>

using kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using triangles = std::vector<kernel::Triangle_3>;
using primitive = CGAL::AABB_triangle_primitive<kernel, triangles::const_iterator>;
using tree = CGAL::AABB_tree<CGAL::AABB_traits<kernel, primitive>>;

static double build(const tree_peer_mesh *mesh, int repeat)
{
	triangles list;
	auto point = [&](int i) {
		const float *p = mesh->positions + 3 * i;
		return kernel::Point_3(p[0], p[1], p[2]);
	};
	for (int i = 0; i < mesh->triangle_count; ++i) {
		const int *t = mesh->triangles + 3 * i;
		list.emplace_back(point(t[0]), point(t[1]), point(t[2]));
	}
	std::unique_ptr<tree> made;
	return peer_least_ns(repeat, [&](int) { made.reset(); }, [&](int) {
		made = std::make_unique<tree>(list.cbegin(), list.cend());
		made->build();
	});
}

extern "C" const tree_peer tree_peer_cgal = { "cgal", build, nullptr, nullptr };
