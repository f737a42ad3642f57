// SPDX-License-Identifier: MIT
// CGAL: a copy of the mesh clipped by each cell in turn, exact predicates, rounded constructions.

#include "fracture_peers.h"
#include "tree_clock.hpp"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/clip.h>
#include <CGAL/Polygon_mesh_processing/connected_components.h>
#include <CGAL/Polygon_mesh_processing/measure.h>
#include <CGAL/Surface_mesh.h>

#include <vector>

namespace pmp = CGAL::Polygon_mesh_processing;
using kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using surface = CGAL::Surface_mesh<kernel::Point_3>;

static surface read(const fracture_peer_mesh &mesh)
{
	surface out;
	std::vector<surface::Vertex_index> vertices;
	for (int v = 0; v < mesh.vertex_count; ++v) {
		const double *p = mesh.positions + 3 * v;
		vertices.push_back(out.add_vertex(kernel::Point_3(p[0], p[1], p[2])));
	}
	for (int i = 0; i < mesh.triangle_count; ++i) {
		const int *t = mesh.triangles + 3 * i;
		out.add_face(vertices[t[0]], vertices[t[1]], vertices[t[2]]);
	}
	return out;
}

static fracture_peer_result clip(const fracture_peer_mesh *mesh, const fracture_peer_mesh *cells,
                                 int cell_count, int repeat)
{
	fracture_peer_result result = {};
	surface whole = read(*mesh);
	std::vector<surface> blades, pieces;
	for (int i = 0; i < cell_count; ++i)
		blades.push_back(read(cells[i]));
	auto forget = [&](int) {
		pieces.clear();
		result.failed_count = 0;
	};
	auto work = [&](int) {
		for (const surface &blade : blades) {
			surface part = whole, cell = blade; // both are changed
			std::vector<surface> islands;
			try {
				pmp::clip(part, cell, CGAL::parameters::clip_volume(true));
				pmp::split_connected_components(part, islands);
			} catch (const std::exception &) {
				result.failed_count++;
			}
			for (surface &island : islands)
				pieces.push_back(std::move(island));
		}
	};
	result.ns = peer_least_ns(repeat, forget, work);
	for (const surface &piece : pieces) {
		bool is_closed = CGAL::is_closed(piece);
		result.open_count += !is_closed;
		result.volume += is_closed ? CGAL::to_double(pmp::volume(piece)) : 0.0;
	}
	result.piece_count = (int)pieces.size();
	return result;
}

extern "C" const fracture_peer fracture_peer_cgal = { "cgal", clip, nullptr, nullptr };
