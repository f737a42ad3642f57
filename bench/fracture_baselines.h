// SPDX-License-Identifier: MIT
// Other libraries on the cases of the suite `fracture`, when they are installed.
#pragma once

#include "bench.h"

#include <rubble/mesh.h>
#include <rubble/pattern.h>

/// Cut a mesh by the cells of a pattern around `position` with every peer that can. They are
/// slow, and only asked for at most 100 cells that see at most 100,000 triangles together.
void bench_clip_peers(bench *b, const char *case_name, const rbl_mesh *mesh,
                      const rbl_pattern *pattern, rbl_vec3d position);

/// Make Voronoi cells of random sites with every peer that can.
void bench_voronoi_peers(bench *b, const char *case_name, int count);

/// Make the hull of points with every peer that can: variants `qhull` and `bullet`.
void bench_hull_peers(bench *b, const char *case_name, const rbl_vec3d *points, int count,
                      double exact_volume);
