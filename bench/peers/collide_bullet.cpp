// SPDX-License-Identifier: MIT
// Bullet: convex hulls through the dispatcher's algorithm, a persistent manifold per pair.

#include "collide_peers.h"
#include "tree_clock.hpp"

#include <btBulletCollisionCommon.h>

#include <memory>
#include <vector>

static btTransform pose_of(const float *p)
{
	return btTransform(btQuaternion(p[3], p[4], p[5], p[6]), btVector3(p[0], p[1], p[2]));
}

double collide_peer_bullet(const collide_peer_scene *scene, int repeat, int *point_count)
{
	btDefaultCollisionConfiguration configuration;
	btCollisionDispatcher dispatcher(&configuration);
	std::vector<std::unique_ptr<btConvexHullShape>> hulls;
	for (int h = 0; h < scene->hull_count; ++h) {
		const float *p = scene->points + 3 * h * scene->points_per_hull;
		hulls.emplace_back(new btConvexHullShape());
		for (int i = 0; i < scene->points_per_hull; ++i)
			hulls.back()->addPoint(btVector3(p[3 * i], p[3 * i + 1], p[3 * i + 2]), false);
		hulls.back()->recalcLocalAabb();
	}
	int n = scene->pair_count;
	std::vector<btCollisionObject> objects(2 * n);
	std::vector<btPersistentManifold *> manifolds(n);
	std::vector<btCollisionAlgorithm *> algorithms(n);
	for (int i = 0; i < 2 * n; ++i)
		objects[i].setCollisionShape(hulls[scene->pairs[i]].get());
	for (int i = 0; i < n; ++i) {
		btCollisionObject *a = &objects[2 * i], *b = &objects[2 * i + 1];
		btCollisionObjectWrapper wa(nullptr, a->getCollisionShape(), a, a->getWorldTransform(), -1,
		                            -1);
		btCollisionObjectWrapper wb(nullptr, b->getCollisionShape(), b, b->getWorldTransform(), -1,
		                            -1);
		manifolds[i] = dispatcher.getNewManifold(a, b);
		algorithms[i] =
			dispatcher.findAlgorithm(&wa, &wb, manifolds[i], BT_CONTACT_POINT_ALGORITHMS);
	}
	btDispatcherInfo info;
	double least = peer_least_ns(
		repeat,
		[&](int run) {
			for (int i = 0; i < 2 * n; ++i)
				objects[i].setWorldTransform(pose_of(scene->poses[run & 1] + 7 * i));
		},
		[&](int) {
			for (int i = 0; i < n; ++i) {
				btCollisionObject *a = &objects[2 * i], *b = &objects[2 * i + 1];
				btCollisionObjectWrapper wa(nullptr, a->getCollisionShape(), a,
			                                a->getWorldTransform(), -1, -1);
				btCollisionObjectWrapper wb(nullptr, b->getCollisionShape(), b,
			                                b->getWorldTransform(), -1, -1);
				btManifoldResult result(&wa, &wb);
				algorithms[i]->processCollision(&wa, &wb, info, &result);
			}
		});
	*point_count = 0;
	for (int i = 0; i < n; ++i) {
		*point_count += manifolds[i]->getNumContacts();
		algorithms[i]->~btCollisionAlgorithm();
		dispatcher.freeCollisionAlgorithm(algorithms[i]);
		dispatcher.releaseManifold(manifolds[i]);
	}
	return least / n;
}
