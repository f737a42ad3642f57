// SPDX-License-Identifier: MIT
// Bullet: the hull of points by btConvexHullComputer, on integers of 21 bits.

#include "fracture_peers.h"
#include "tree_clock.hpp"

#include <LinearMath/btConvexHullComputer.h>

#include <cmath>

static double volume_of(const btConvexHullComputer &hull)
{
	double sum = 0.0;
	const btVector3 origin = hull.vertices[0];
	for (int f = 0; f < hull.faces.size(); ++f) {
		const btConvexHullComputer::Edge *first = &hull.edges[hull.faces[f]];
		const btVector3 a = hull.vertices[first->getSourceVertex()] - origin;
		for (const btConvexHullComputer::Edge *edge = first->getNextEdgeOfFace();
		     edge->getTargetVertex() != first->getSourceVertex();
		     edge = edge->getNextEdgeOfFace()) {
			const btVector3 b = hull.vertices[edge->getSourceVertex()] - origin;
			const btVector3 c = hull.vertices[edge->getTargetVertex()] - origin;
			sum += double(a.dot(b.cross(c)));
		}
	}
	return std::fabs(sum) / 6.0;
}

static fracture_peer_result hull(const double *points, int point_count, int repeat)
{
	fracture_peer_result result = {};
	btConvexHullComputer computer;
	result.ns = peer_least_ns(
		repeat, [&](int) { computer = btConvexHullComputer(); },
		[&](int) { computer.compute(points, 3 * int(sizeof(double)), point_count, 0.0f, 0.0f); });
	result.volume = volume_of(computer);
	result.piece_count = computer.faces.size();
	return result;
}

extern "C" const fracture_peer fracture_peer_bullet = { "bullet", nullptr, nullptr, hull };
