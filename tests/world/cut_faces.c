// SPDX-License-Identifier: MIT
// Cut faces of what breaks in a world can be textured: texture coordinates are flat, in metres, and go
// on over faces in one plane; normals are those of the faces, and tangents follow.

#include "../test.h"
#include "breakable.h"

#include <rubble/pattern.h>
#include <rubble/shapes.h>

enum { MOST_CORNERS = 20000 };

// A corner of a cut face.
typedef struct cut_corner {
	rbl_vec3d position, normal; // of the face
	rbl_vec2 uv;
} cut_corner;

typedef struct cut_corners {
	cut_corner items[MOST_CORNERS];
	int count, faces;
} cut_corners;

static rbl_vec3d face_normal(const rbl_mesh_data *d, int first, int end)
{
	rbl_vec3d sum = { 0.0, 0.0, 0.0 }, o = d->positions[d->corner_vertices[first]];
	for (int k = first + 1; k + 1 < end; ++k)
		sum = rbl_add_d(sum, rbl_cross_d(rbl_sub_d(d->positions[d->corner_vertices[k]], o),
		                                 rbl_sub_d(d->positions[d->corner_vertices[k + 1]], o)));
	return rbl_normalize_d(sum);
}

// @param scale  metres per unit of texture
static void check_face(test *t, const rbl_mesh_data *d, const rbl_vec4 *tangents, int first,
                       int end, double scale, cut_corners *all)
{
	rbl_vec3d normal = face_normal(d, first, end);
	for (int k = first; k < end; ++k) {
		int next = k + 1 < end ? k + 1 : first;
		rbl_vec3d p = d->positions[d->corner_vertices[k]];
		rbl_vec2 a = d->corner_uv0[k], b = d->corner_uv0[next];
		double x = (double)(a.x - b.x), y = (double)(a.y - b.y);
		double length = rbl_distance_d(p, d->positions[d->corner_vertices[next]]);
		CHECK_NEAR(t, scale * sqrt(x * x + y * y), length, 1e-5);
		CHECK(t, rbl_distance_d(rbl_to_d(d->corner_normals[k]), normal) < 1e-4);
		rbl_vec3 tangent = { tangents[k].x, tangents[k].y, tangents[k].z };
		CHECK_NEAR(t, rbl_length(tangent), 1.0f, 1e-4f);
		CHECK_NEAR(t, rbl_dot(tangent, d->corner_normals[k]), 0.0f, 1e-3f);
		CHECK(t, fabsf(tangents[k].w) == 1.0f);
		if (all->count < MOST_CORNERS)
			all->items[all->count++] = (cut_corner){ p, normal, a };
	}
	all->faces++;
}

static void check_mesh(test *t, const rbl_mesh *mesh, double scale, cut_corners *all)
{
	rbl_mesh_data d = rbl_mesh_get_data(mesh);
	CHECK(t, d.corner_uv0 && d.corner_normals && d.face_materials && d.material_count >= 2);
	if (!d.corner_uv0 || !d.corner_normals || !d.face_materials)
		return;
	rbl_vec4 *tangents = malloc((size_t)d.corner_count * sizeof *tangents + 1);
	CHECK(t, rbl_mesh_compute_tangents(mesh, tangents) == RBL_OK);
	for (int f = 0, first = 0, end; f < d.face_count; ++f, first = end) {
		end = d.face_starts ? d.face_starts[f + 1] : 3 * (f + 1);
		if (strcmp(d.materials[d.face_materials[f]].name, "inner") == 0)
			check_face(t, &d, tangents, first, end, scale, all);
	}
	free(tangents);
}

// Corners at one place whose faces are in one plane, whichever way they look, have one coordinate.
static int check_seams(test *t, const cut_corners *all)
{
	int shared = 0, bad = 0;
	for (int i = 0; i < all->count; ++i)
		for (int k = i + 1; k < all->count; ++k) {
			const cut_corner *a = &all->items[i], *b = &all->items[k];
			if (rbl_distance_d(a->position, b->position) > 1e-7 ||
			    fabs(rbl_dot_d(a->normal, b->normal)) < 0.99999)
				continue;
			shared++;
			bad += fabsf(a->uv.x - b->uv.x) > 1e-4f || fabsf(a->uv.y - b->uv.y) > 1e-4f;
		}
	printf("%d faces, %d shared corners, %d that differ\n", all->faces, shared, bad);
	CHECK(t, bad == 0);
	return shared;
}

static void break_wall(test *t, rbl_pattern_kind kind, double scale, uint64_t seed)
{
	breakable b;
	rbl_box_def box = rbl_default_box_def();
	box.size = (rbl_vec3d){ 1.0, 1.0, 0.3 };
	rbl_mesh *mesh = NULL;
	CHECK(t, rbl_create_box_mesh(&box, &mesh) == RBL_OK);
	breakable_make(t, &b, mesh, (rbl_vec3){ 0.0f, 0.0f, 0.0f }, 1);
	rbl_pattern_def pattern_def = rbl_default_pattern_def();
	pattern_def.kind = kind;
	pattern_def.size = (rbl_vec3d){ 2.0, 2.0, 2.0 };
	pattern_def.cell_count = 200;
	rbl_pattern *pattern = NULL;
	CHECK(t, rbl_create_pattern(&pattern_def, &pattern) == RBL_OK);
	rbl_damage_level level = { .energy = 10.0, .pattern = pattern, .radius = 5.0 };
	rbl_material_def of = rbl_default_material_def();
	of.damage.levels = &level, of.damage.level_count = 1;
	of.inner.uv_scale = scale;
	of.inner.uv_seed = seed;
	rbl_material *material = NULL;
	CHECK(t, rbl_create_material(&of, &material) == RBL_OK);
	rbl_body_def def = rbl_default_body_def();
	def.asset = b.asset;
	def.shared_material = material;
	rbl_body_id body = rbl_create_body(b.s.world, &def);
	CHECK(t, rbl_body_damage(b.s.world, body, (rbl_vec3){ 0.1f, 0.1f, 0.15f },
	                         (rbl_vec3){ 0.0f, 0.0f, -1.0f }, INFINITY, 100.0f) == RBL_OK);
	scene_steps(&b.s, 1);
	static rbl_body_id ids[BREAKABLE_MOST];
	static cut_corners all;
	all.count = all.faces = 0;
	int count = rbl_world_get_bodies(b.s.world, ids, BREAKABLE_MOST);
	CHECK(t, count > 10);
	for (int i = 0; i < count; ++i) {
		const rbl_compound *compound = rbl_body_get_compound(b.s.world, ids[i]);
		int end = rbl_compound_get_info(compound).part_end;
		for (int p = 0; p < end; ++p) {
			const rbl_mesh *part = rbl_compound_get_part(compound, p).mesh;
			if (part)
				check_mesh(t, part, scale, &all);
		}
	}
	CHECK(t, all.faces > 50 && check_seams(t, &all) > 100);
	rbl_destroy_material(material);
	rbl_destroy_pattern(pattern);
	breakable_destroy(&b);
	rbl_destroy_mesh(mesh);
}

static void cut_faces_can_be_textured(test *t)
{
	break_wall(t, RBL_PATTERN_VORONOI, 1.0, 0);
	break_wall(t, RBL_PATTERN_VORONOI, 0.25, 7);
	break_wall(t, RBL_PATTERN_BRICKS, 0.5, 0);
	break_wall(t, RBL_PATTERN_BRICKS, 0.5, 3);
}

TEST_MAIN(TEST(cut_faces_can_be_textured))
