// SPDX-License-Identifier: MIT
// FCL: two objects against each other, all contacts, in double precision with its own choice of boxes.
// It has no query of an object against itself, so it does doubled meshes alone.

#include "surface_peers.h"

#include <fcl/fcl.h>

#include <algorithm>
#include <ctime>
#include <memory>
#include <utility>
#include <vector>

using model = fcl::BVHModel<fcl::OBBRSS<double>>;

static std::shared_ptr<model> make_model(const surface_peer_mesh *mesh, int half)
{
	int vertex_count = mesh->vertex_count / 2, triangle_count = mesh->triangle_count / 2;
	const float *positions = mesh->positions + (size_t)3 * half * vertex_count;
	std::vector<fcl::Vector3d> points;
	for (int i = 0; i < vertex_count; ++i)
		points.emplace_back(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]);
	std::vector<fcl::Triangle> triangles;
	for (int i = 0; i < triangle_count; ++i) {
		const int *t = mesh->triangles + (size_t)3 * (half * triangle_count + i);
		size_t first = (size_t)(half * vertex_count);
		triangles.emplace_back(t[0] - first, t[1] - first, t[2] - first);
	}
	auto made = std::make_shared<model>();
	made->beginModel(triangle_count, vertex_count);
	made->addSubModel(points, triangles);
	made->endModel();
	return made;
}

static double thread_ms()
{
	timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static double self_collide(const surface_peer_mesh *mesh, int repeat, int *pairs, int capacity,
                           int *pair_count)
{
	*pair_count = SURFACE_PEER_CANNOT;
	if (!mesh->is_doubled)
		return 0.0;
	fcl::CollisionRequest<double> request(1000000, false);
	std::vector<std::pair<int, int>> found;
	double least = 1e300;
	for (int i = 0; i < repeat; ++i) {
		double start = thread_ms();
		auto a = make_model(mesh, 0), b = make_model(mesh, 1);
		fcl::CollisionObject<double> first(a), second(b);
		fcl::CollisionResult<double> result;
		fcl::collide(&first, &second, request, result);
		least = std::min(least, thread_ms() - start);
		found.clear();
		for (size_t k = 0; k < result.numContacts(); ++k)
			found.emplace_back((int)result.getContact(k).b1,
			                   (int)result.getContact(k).b2 + mesh->triangle_count / 2);
	}
	std::sort(found.begin(), found.end());
	*pair_count = (int)found.size();
	for (int i = 0; i < std::min(*pair_count, capacity); ++i)
		pairs[2 * i] = found[i].first, pairs[2 * i + 1] = found[i].second;
	return least;
}

extern "C" const surface_peer surface_peer_fcl = { "fcl", self_collide };
