// SPDX-License-Identifier: MIT
// Breaking: boxes and their voids on a coarse lattice, sites on the same lattice, so that planes run
// through vertices, along edges and along faces all the time. Every piece must be closed, and
// nothing may be lost.

#include "fracture/invariants.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct source {
	const uint8_t *data;
	size_t size, at;
} source;

static int take(source *s, int bound)
{
	return s->at < s->size ? s->data[s->at++] % bound : 0;
}

static rbl_vec3d take_point(source *s, int steps)
{
	double x = take(s, steps), y = take(s, steps), z = take(s, steps);
	return (rbl_vec3d){ x / 4.0, y / 4.0, z / 4.0 };
}

static rbl_mesh *take_mesh(source *s)
{
	int kind = take(s, 12);
	if (kind < SHAPE_COUNT)
		return sample_shape(kind);
	static soup mesh;
	mesh.point_count = mesh.triangle_count = 0;
	for (int i = 0; i <= take(s, 3); ++i) {
		rbl_vec3d low = take_point(s, 12);
		rbl_vec3d high = rbl_add_d(low, rbl_add_d(take_point(s, 8), (rbl_vec3d){ 1, 1, 1 }));
		soup_box(&mesh, low, high, false);
		if (take(s, 2)) {
			rbl_vec3d quarter = rbl_scale_d(0.25, rbl_sub_d(high, low));
			soup_box(&mesh, rbl_add_d(low, quarter), rbl_sub_d(high, quarter), true);
		}
	}
	return soup_mesh(&mesh);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	source s = { data, size, 0 };
	rbl_mesh *mesh = take_mesh(&s);
	rbl_solid *solid = make_solid(mesh);
	if (!solid)
		abort();
	rbl_vec3d sites[64];
	int count = 1 + take(&s, 64);
	rbl_boxd box = rbl_mesh_bounds(mesh);
	rbl_vec3d step = rbl_scale_d(1.0 / 16.0, rbl_box_size_d(box));
	for (int i = 0; i < count; ++i) {
		rbl_vec3d p = rbl_scale_d(4.0, take_point(&s, 17));
		sites[i] = rbl_add_d(box.lower, rbl_mul_d(step, p));
	}
	rbl_pattern *pattern =
		pattern_of_sites(sites, count, rbl_box_size_d(box), rbl_box_centre_d(box));
	rbl_pieces *pieces = break_solid(solid, pattern);
	test t = { "fuzz", 0, 0, NULL };
	check_pieces(&t, pieces, 1e-9);
	if (t.failures > 0)
		abort();
	rbl_destroy_pieces(pieces);
	rbl_destroy_pattern(pattern);
	rbl_destroy_solid(solid);
	rbl_destroy_mesh(mesh);
	return 0;
}
