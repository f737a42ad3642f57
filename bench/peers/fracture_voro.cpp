// SPDX-License-Identifier: MIT
// Voro++: the Voronoi cells of sites in a box, read out with vertices, faces and neighbours.

#include "fracture_peers.h"
#include "tree_clock.hpp"

#include <voro++.hh>

#include <cmath>
#include <vector>

static fracture_peer_result voronoi(const double *sites, int site_count, const double box[6],
                                    int repeat)
{
	fracture_peer_result result = {};
	// About five sites per block, as its manual advises.
	double wide = box[3] - box[0], high = box[4] - box[1], deep = box[5] - box[2];
	double block = std::cbrt(5.0 * wide * high * deep / site_count);
	auto blocks = [&](double side) { return 1 + (int)(side / block); };
	std::vector<double> vertices;
	std::vector<int> faces, neighbours;
	result.ns = peer_least_ns(repeat, [&](int) {}, [&](int) {
		result.piece_count = 0;
		result.volume = 0.0;
		voro::container container(box[0], box[3], box[1], box[4], box[2], box[5], blocks(wide),
		                          blocks(high), blocks(deep), false, false, false, 8);
		for (int i = 0; i < site_count; ++i)
			container.put(i, sites[3 * i], sites[3 * i + 1], sites[3 * i + 2]);
		voro::c_loop_all loop(container);
		voro::voronoicell_neighbor cell;
		if (!loop.start())
			return;
		do {
			if (!container.compute_cell(cell, loop))
				continue;
			double x, y, z;
			loop.pos(x, y, z);
			cell.vertices(x, y, z, vertices);
			cell.face_vertices(faces);
			cell.neighbors(neighbours);
			result.volume += cell.volume();
			result.piece_count++;
		} while (loop.inc());
	});
	result.failed_count = site_count - result.piece_count;
	return result;
}

extern "C" const fracture_peer fracture_peer_voro = { "voro++", nullptr, voronoi, nullptr };
