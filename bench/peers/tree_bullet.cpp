// SPDX-License-Identifier: MIT
// Bullet: the quantized tree of triangle meshes, and leaf by leaf insertion into btDbvt.

#include "tree_clock.hpp"
#include "tree_peers.h"

#include <BulletCollision/BroadphaseCollision/btDbvt.h>
#include <btBulletCollisionCommon.h>

#include <memory>
#include <vector>

struct bullet_mesh {
	std::vector<btScalar> vertices;
	std::vector<int> indices;
	std::unique_ptr<btTriangleIndexVertexArray> array;

	explicit bullet_mesh(const tree_peer_mesh *mesh)
		: vertices(mesh->positions, mesh->positions + 3 * mesh->vertex_count),
		  indices(mesh->triangles, mesh->triangles + 3 * mesh->triangle_count)
	{
		array = std::make_unique<btTriangleIndexVertexArray>(
			mesh->triangle_count, indices.data(), (int)(3 * sizeof(int)), mesh->vertex_count,
			vertices.data(), (int)(3 * sizeof(btScalar)));
	}
};

static double build(const tree_peer_mesh *mesh, int repeat)
{
	bullet_mesh input(mesh);
	std::unique_ptr<btBvhTriangleMeshShape> shape;
	return peer_least_ns(repeat, [&](int) { shape.reset(); }, [&](int) {
		shape = std::make_unique<btBvhTriangleMeshShape>(input.array.get(), true, true);
	});
}

static double refit(const tree_peer_mesh *mesh, int repeat)
{
	bullet_mesh input(mesh);
	btBvhTriangleMeshShape shape(input.array.get(), true, true);
	btVector3 lower, upper;
	shape.getAabb(btTransform::getIdentity(), lower, upper);
	return peer_least_ns(repeat, [](int) {}, [&](int) { shape.refitTree(lower, upper); });
}

static btDbvtVolume volume(const tree_peer_mesh *mesh, int triangle)
{
	btVector3 lower, upper;
	for (int k = 0; k < 3; ++k) {
		const float *p = mesh->positions + 3 * mesh->triangles[3 * triangle + k];
		btVector3 point(p[0], p[1], p[2]);
		if (k == 0)
			lower = upper = point;
		lower.setMin(point);
		upper.setMax(point);
	}
	return btDbvtVolume::FromMM(lower, upper);
}

static double insert(const tree_peer_mesh *mesh, int repeat, int *depth)
{
	const int count = 2000;
	btDbvt tree;
	for (int i = 0; i < mesh->triangle_count; ++i)
		tree.insert(volume(mesh, i), nullptr);
	*depth = btDbvt::maxdepth(tree.m_root);
	std::vector<btDbvtNode *> added;
	std::vector<btDbvtVolume> volumes;
	for (int i = 0; i < count; ++i)
		volumes.push_back(volume(mesh, (int)((long long)i * 7919 % mesh->triangle_count)));
	auto clean = [&](int) {
		for (btDbvtNode *node : added)
			tree.remove(node);
		added.clear();
	};
	return peer_least_ns(repeat, clean, [&](int) {
		for (const btDbvtVolume &v : volumes)
			added.push_back(tree.insert(v, nullptr));
	}) / count;
}

extern "C" const tree_peer tree_peer_bullet = { "bullet", build, refit, insert };
