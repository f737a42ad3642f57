// SPDX-License-Identifier: MIT
// FCL: its tree of boxes in double precision, and a refit from below.

#include "tree_clock.hpp"
#include "tree_peers.h"

#include <fcl/fcl.h>

#include <memory>
#include <vector>

using model = fcl::BVHModel<fcl::AABB<double>>;

static std::vector<fcl::Vector3d> points(const float *positions, int count)
{
	std::vector<fcl::Vector3d> list;
	for (int i = 0; i < count; ++i)
		list.emplace_back(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]);
	return list;
}

static std::unique_ptr<model> make_model(const tree_peer_mesh *mesh)
{
	std::vector<fcl::Triangle> triangles;
	for (int i = 0; i < mesh->triangle_count; ++i) {
		const int *t = mesh->triangles + 3 * i;
		triangles.emplace_back((size_t)t[0], (size_t)t[1], (size_t)t[2]);
	}
	auto made = std::make_unique<model>();
	made->beginModel(mesh->triangle_count, mesh->vertex_count);
	made->addSubModel(points(mesh->positions, mesh->vertex_count), triangles);
	return made;
}

static double build(const tree_peer_mesh *mesh, int repeat)
{
	std::unique_ptr<model> made;
	return peer_least_ns(repeat, [&](int) { made = make_model(mesh); }, [&](int) { made->endModel(); });
}

static double refit(const tree_peer_mesh *mesh, int repeat)
{
	auto made = make_model(mesh);
	made->endModel();
	auto first = points(mesh->positions, mesh->vertex_count);
	auto second = points(mesh->moved, mesh->vertex_count);
	return peer_least_ns(repeat, [](int) {}, [&](int i) {
		made->beginReplaceModel();
		made->replaceSubModel(i % 2 ? first : second);
		made->endReplaceModel(true, true);
	});
}

extern "C" const tree_peer tree_peer_fcl = { "fcl", build, refit, nullptr };
