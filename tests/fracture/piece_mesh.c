// SPDX-License-Identifier: MIT
// Solids and pieces seen from outside: what is refused, attributes, materials, convexes.

#include "invariants.h"

#include "faulty_allocator.h"

static rbl_pieces *break_sample(int shape, int cells, rbl_mesh **mesh, rbl_solid **solid,
                                rbl_pattern **pattern)
{
	*mesh = sample_shape(shape);
	*solid = make_solid(*mesh);
	*pattern = make_pattern(rbl_box_size_d(rbl_mesh_bounds(*mesh)), cells, 9);
	return break_solid(*solid, *pattern);
}

static void destroy_sample(rbl_pieces *pieces, rbl_mesh *mesh, rbl_solid *solid,
                           rbl_pattern *pattern)
{
	rbl_destroy_pieces(pieces);
	rbl_destroy_pattern(pattern);
	rbl_destroy_solid(solid);
	rbl_destroy_mesh(mesh);
}

// Normals and texture coordinates that are linear in space stay so on all pieces.
static void outer_attributes_are_interpolated(test *t)
{
	rbl_box_def box = rbl_default_box_def();
	rbl_mesh *plain;
	CHECK(t, rbl_create_box_mesh(&box, &plain) == RBL_OK);
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = rbl_mesh_get_data(plain);
	rbl_vec2 uv0[24], uv1[24];
	rbl_vec4 colors[24];
	CHECK(t, def.data.corner_count == 24);
	for (int k = 0; k < 24; ++k) {
		rbl_vec3d p = def.data.positions[def.data.corner_vertices[k]];
		uv0[k] = (rbl_vec2){ (float)(p.x + 2.0 * p.y), (float)p.z };
		uv1[k] = (rbl_vec2){ (float)(p.y - p.z), (float)p.x };
		colors[k] = (rbl_vec4){ (float)p.x, (float)p.y, (float)p.z, 1.0f };
	}
	def.data.corner_uv0 = uv0, def.data.corner_uv1 = uv1, def.data.corner_colors = colors;
	rbl_mesh *mesh;
	CHECK(t, rbl_create_mesh(&def, &mesh) == RBL_OK);
	rbl_solid *solid = make_solid(mesh);
	rbl_pattern *pattern = make_pattern((rbl_vec3d){ 1, 1, 1 }, 30, 2);
	rbl_pieces *pieces = break_solid(solid, pattern);
	double worst = 0.0;
	int inner_faces = 0;
	for (int i = 0; i < rbl_pieces_count(pieces); ++i) {
		rbl_mesh *piece;
		CHECK(t, rbl_piece_create_mesh(pieces, i, NULL, &piece) == RBL_OK);
		rbl_mesh_data d = rbl_mesh_get_data(piece);
		int inner = d.material_count - 1;
		CHECK(t, strcmp(d.materials[inner].name, "inner") == 0);
		for (int f = 0; f < d.face_count; ++f) {
			rbl_vec3d n = rbl_normalize_d(
				rbl_polygon_normal(d.positions, d.corner_vertices + d.face_starts[f],
			                       d.face_starts[f + 1] - d.face_starts[f]));
			inner_faces += d.face_materials[f] == inner;
			for (int k = d.face_starts[f]; k < d.face_starts[f + 1]; ++k) {
				rbl_vec3d p = d.positions[d.corner_vertices[k]];
				worst = rbl_maxd(worst, 1.0 - rbl_dot_d(n, rbl_to_d(d.corner_normals[k])));
				if (d.face_materials[f] == inner)
					continue;
				worst = rbl_maxd(worst, fabs((double)d.corner_uv0[k].x - p.x - 2.0 * p.y));
				worst = rbl_maxd(worst, fabs((double)d.corner_uv1[k].x - p.y + p.z));
				worst = rbl_maxd(worst, fabs((double)d.corner_colors[k].z - p.z));
			}
		}
		rbl_destroy_mesh(piece);
	}
	CHECK(t, worst < 1e-5);
	CHECK(t, inner_faces > 0);
	destroy_sample(pieces, mesh, solid, pattern);
	rbl_destroy_mesh(plain);
}

// A copy with one normal at each vertex, that of the direction from the middle; takes the old one.
static rbl_mesh *smooth_mesh(test *t, rbl_mesh *mesh)
{
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = rbl_mesh_get_data(mesh);
	rbl_vec3 *normals = malloc((size_t)def.data.corner_count * sizeof *normals);
	for (int k = 0; k < def.data.corner_count; ++k)
		normals[k] = rbl_to_f(rbl_normalize_d(def.data.positions[def.data.corner_vertices[k]]));
	def.data.corner_normals = normals;
	rbl_mesh *smooth = NULL;
	CHECK(t, rbl_create_mesh(&def, &smooth) == RBL_OK);
	free(normals);
	rbl_destroy_mesh(mesh);
	return smooth;
}

// Where corners of the mesh agree, so do those of its pieces, bit for bit: renderers share vertices
// by that. A second break cuts through edges that the first one made.
static void smooth_surfaces_have_no_seams(test *t)
{
	for (int shape = 2; shape < 4; ++shape) { // ball and torus
		rbl_mesh *mesh = smooth_mesh(t, sample_shape(shape));
		for (int round = 0; round < 2; ++round) {
			rbl_solid *solid = make_solid(mesh);
			rbl_pattern *pattern =
				make_pattern(rbl_box_size_d(rbl_mesh_bounds(mesh)), 20, 5 + (uint64_t)round);
			rbl_pieces *pieces = break_solid(solid, pattern);
			rbl_mesh *largest = NULL;
			int corners = 0, seams = 0;
			for (int i = 0; i < rbl_pieces_count(pieces); ++i) {
				rbl_mesh *piece;
				CHECK(t, rbl_piece_create_mesh(pieces, i, NULL, &piece) == RBL_OK);
				rbl_mesh_data d = rbl_mesh_get_data(piece);
				int *first = malloc((size_t)d.vertex_count * sizeof *first);
				memset(first, 0xff, (size_t)d.vertex_count * sizeof *first);
				for (int f = 0; f < d.face_count; ++f) {
					if (strcmp(d.materials[d.face_materials[f]].name, "inner") == 0)
						continue;
					for (int k = d.face_starts[f]; k < d.face_starts[f + 1]; ++k) {
						int *other = &first[d.corner_vertices[k]];
						*other = *other < 0 ? k : *other;
						seams += memcmp(&d.corner_normals[k], &d.corner_normals[*other],
						                sizeof(rbl_vec3)) != 0;
						corners++;
					}
				}
				free(first);
				if (!largest || d.corner_count > rbl_mesh_get_data(largest).corner_count) {
					rbl_destroy_mesh(largest);
					largest = piece;
				} else {
					rbl_destroy_mesh(piece);
				}
			}
			CHECK(t, corners > 300 && seams == 0);
			destroy_sample(pieces, mesh, solid, pattern);
			mesh = largest;
		}
		rbl_destroy_mesh(mesh);
	}
}

// A block of glass and one of wood with a glass face, in one mesh: each breaks into what it is.
static void cut_faces_look_like_their_shell(test *t)
{
	static soup s;
	s.point_count = s.triangle_count = 0;
	soup_box(&s, (rbl_vec3d){ 0, 0, 0 }, (rbl_vec3d){ 1, 1, 1 }, false);
	soup_box(&s, (rbl_vec3d){ 2, 0, 0 }, (rbl_vec3d){ 3, 1, 1 }, false);
	rbl_mesh *plain = soup_mesh(&s);
	const rbl_mesh_material materials[3] = {
		{ "paint", { 1.0f, 0.0f, 0.0f, 1.0f }, 0.0f, 0.5f, 0 },
		{ "wood", { 0.3f, 0.2f, 0.1f, 1.0f }, 0.0f, 0.9f, 0 },
		{ "glass", { 0.5f, 0.7f, 0.7f, 0.3f }, 0.0f, 0.1f, 0 }
	};
	int face_materials[24];
	for (int f = 0; f < 24; ++f)
		face_materials[f] = f < 12 ? (f < 2 ? 0 : 2) : (f < 14 ? 2 : 1);
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = rbl_mesh_get_data(plain);
	def.data.materials = materials, def.data.material_count = 3;
	def.data.face_materials = face_materials;
	rbl_mesh *mesh = NULL;
	CHECK(t, rbl_create_mesh(&def, &mesh) == RBL_OK);
	rbl_solid *solid = make_solid(mesh);
	rbl_pattern *pattern = make_pattern((rbl_vec3d){ 3, 1, 1 }, 30, 4);
	rbl_pieces *pieces = break_solid(solid, pattern);
	int seen[2] = { 0, 0 };
	for (int i = 0; i < rbl_pieces_count(pieces); ++i) {
		rbl_mesh *piece;
		CHECK(t, rbl_piece_create_mesh(pieces, i, NULL, &piece) == RBL_OK);
		rbl_mesh_data d = rbl_mesh_get_data(piece);
		bool is_wood = rbl_piece_get_info(pieces, i).centre.x > 1.5;
		const rbl_mesh_material *inner = &d.materials[3], *like = &materials[is_wood ? 1 : 2];
		CHECK(t, d.material_count == 4 && strcmp(inner->name, "inner") == 0);
		CHECK(t, memcmp(&inner->base_color, &like->base_color, sizeof like->base_color) == 0);
		CHECK(t, inner->roughness == like->roughness);
		seen[is_wood]++;
		rbl_destroy_mesh(piece);
	}
	CHECK(t, seen[0] > 2 && seen[1] > 2);
	destroy_sample(pieces, mesh, solid, pattern);
	rbl_destroy_mesh(plain);
}

// Both sides of a crack have the same texture coordinates at the same place.
static void both_sides_of_a_crack_match(test *t)
{
	rbl_mesh *mesh = sample_shape(0);
	rbl_solid *solid = make_solid(mesh);
	rbl_pattern *pattern = make_pattern((rbl_vec3d){ 1, 1, 1 }, 2, 3);
	rbl_pieces_def def = rbl_default_pieces_def();
	def.solid = solid, def.pattern = pattern;
	def.inner.uv_seed = 7, def.inner.uv_scale = 0.25;
	rbl_pieces *pieces;
	CHECK(t, rbl_create_pieces(&def, &pieces) == RBL_OK && rbl_pieces_count(pieces) == 2);
	rbl_mesh *pair[2];
	for (int i = 0; i < 2; ++i)
		CHECK(t, rbl_piece_create_mesh(pieces, i, NULL, &pair[i]) == RBL_OK);
	rbl_mesh_data a = rbl_mesh_get_data(pair[0]), b = rbl_mesh_get_data(pair[1]);
	int matched = 0;
	for (int k = 0; k < a.corner_count; ++k) {
		for (int j = 0; j < b.corner_count; ++j) {
			rbl_vec3d p = a.positions[a.corner_vertices[k]], q = b.positions[b.corner_vertices[j]];
			bool opposite = rbl_dot(a.corner_normals[k], b.corner_normals[j]) < -0.999f;
			if (!opposite || p.x != q.x || p.y != q.y || p.z != q.z)
				continue;
			matched++;
			CHECK(t,
			      a.corner_uv0[k].x == b.corner_uv0[j].x && a.corner_uv0[k].y == b.corner_uv0[j].y);
		}
	}
	CHECK(t, matched >= 3);
	rbl_destroy_mesh(pair[0]), rbl_destroy_mesh(pair[1]);
	destroy_sample(pieces, mesh, solid, pattern);
}

static void triangles_to_draw_enclose_the_piece(test *t)
{
	for (int shape = 0; shape < SHAPE_COUNT; ++shape) {
		rbl_mesh *mesh;
		rbl_solid *solid;
		rbl_pattern *pattern;
		rbl_pieces *pieces = break_sample(shape, 12, &mesh, &solid, &pattern);
		for (int i = 0; i < rbl_pieces_count(pieces); ++i) {
			rbl_piece_info info = rbl_piece_get_info(pieces, i);
			size_t capacity = (size_t)info.triangle_capacity;
			rbl_draw_vertex *vertices = malloc(3 * capacity * sizeof *vertices);
			int *materials = malloc(capacity * sizeof(int)), count = 0;
			CHECK(t, rbl_piece_get_triangles(pieces, i, vertices, materials, &count) == RBL_OK);
			CHECK(t, count > 3 && count <= info.triangle_capacity);
			double volume = 0.0;
			rbl_vec3d centre = { 0, 0, 0 };
			for (int k = 0; k < count; ++k) {
				rbl_vec3d p[3];
				for (int j = 0; j < 3; ++j) {
					p[j] = rbl_to_d(vertices[3 * k + j].position);
					CHECK_NEAR(t, rbl_length(vertices[3 * k + j].normal), 1.0, 1e-4);
				}
				double v = rbl_dot_d(p[0], rbl_cross_d(p[1], p[2])) / 6.0;
				volume += v;
				centre = rbl_add_scaled_d(centre, 0.25 * v, rbl_add_d(p[0], rbl_add_d(p[1], p[2])));
			}
			CHECK_NEAR(t, volume / info.volume, 1.0, 1e-3);
			CHECK(t, rbl_length_d(centre) < 1e-4 * info.volume + 1e-9);
			free(vertices);
			free(materials);
		}
		destroy_sample(pieces, mesh, solid, pattern);
	}
}

static void indexed_triangles_are_the_same_triangles(test *t)
{
	int shared = 0;
	for (int shape = 0; shape < SHAPE_COUNT; ++shape) {
		rbl_mesh *mesh;
		rbl_solid *solid;
		rbl_pattern *pattern;
		rbl_pieces *pieces = break_sample(shape, 12, &mesh, &solid, &pattern);
		for (int i = 0; i < rbl_pieces_count(pieces); ++i) {
			size_t capacity = (size_t)rbl_piece_get_info(pieces, i).triangle_capacity;
			rbl_draw_vertex *corners = malloc(3 * capacity * sizeof *corners);
			rbl_draw_vertex *vertices = malloc(3 * capacity * sizeof *vertices);
			uint32_t *indices = malloc(3 * capacity * sizeof *indices);
			int *materials = malloc(2 * capacity * sizeof(int)), counts[2] = { 0, 0 }, used = 0;
			CHECK(t, rbl_piece_get_triangles(pieces, i, corners, materials, &counts[0]) == RBL_OK);
			CHECK(t, rbl_piece_get_indexed_triangles(pieces, i, vertices, indices,
			                                         materials + capacity, &used,
			                                         &counts[1]) == RBL_OK);
			CHECK(t, counts[0] == counts[1] && used > 3 && used <= 3 * counts[0]);
			CHECK(t, memcmp(materials, materials + capacity, (size_t)counts[0] * sizeof(int)) == 0);
			uint32_t next = 0; // vertices come in the order of their first corner
			for (int k = 0; k < 3 * counts[0]; ++k) {
				CHECK(t, indices[k] <= next && indices[k] < (uint32_t)used);
				next += indices[k] == next;
				const float *a = (const float *)&corners[k],
							*b = (const float *)&vertices[indices[k]];
				for (size_t n = 0; n < sizeof *corners / sizeof *a; ++n)
					CHECK(t, a[n] == b[n]);
			}
			CHECK(t, next == (uint32_t)used);
			for (int k = 1; k < used; ++k)
				CHECK(t, memcmp(&vertices[k - 1], &vertices[k], sizeof *vertices) != 0);
			shared += 3 * counts[0] - used;
			free(corners), free(vertices), free(indices), free(materials);
		}
		destroy_sample(pieces, mesh, solid, pattern);
	}
	CHECK(t, shared > 1000);
	rbl_draw_vertex two[2] = { { .uv0 = { 0.0f, 1.0f } }, { .uv0 = { -0.0f, 1.0f } } };
	uint32_t indices[2];
	int count;
	for (int n = 0; n < 3; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_allocator allocator = FAULTY(&memory);
		rbl_result result = rbl_index_draw_vertices(two, 2, &allocator, indices, &count);
		CHECK(t, memory.live_bytes == 0);
		CHECK(t, memory.failed ? result == RBL_OUT_OF_MEMORY && count == 0
		                       : result == RBL_OK && count == 1 && indices[1] == 0);
	}
	CHECK(t, rbl_index_draw_vertices(NULL, 2, NULL, indices, &count) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_index_draw_vertices(two, -1, NULL, indices, &count) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_piece_get_indexed_triangles(NULL, 0, two, indices, NULL, &count, &count) ==
	             RBL_BAD_ARGUMENT);
	CHECK(t, rbl_piece_get_indexed_triangles(NULL, 0, two, NULL, NULL, &count, &count) ==
	             RBL_BAD_ARGUMENT);
}

static void masses_are_those_of_the_meshes(test *t)
{
	rbl_mesh *mesh;
	rbl_solid *solid;
	rbl_pattern *pattern;
	rbl_pieces *pieces = break_sample(5, 8, &mesh, &solid, &pattern);
	for (int i = 0; i < rbl_pieces_count(pieces); ++i) {
		rbl_mesh *piece;
		CHECK(t, rbl_piece_create_mesh(pieces, i, NULL, &piece) == RBL_OK);
		rbl_mass a = rbl_mesh_get_mass(piece), b = rbl_piece_get_mass(pieces, i);
		CHECK_NEAR(t, a.volume, b.volume, 1e-14);
		CHECK(t, rbl_distance_d(a.centre, b.centre) < 1e-13);
		CHECK_NEAR(t, a.inertia.x.x, b.inertia.x.x, 1e-14);
		CHECK_NEAR(t, a.inertia.y.z, b.inertia.y.z, 1e-14);
		rbl_destroy_mesh(piece);
	}
	CHECK(t, rbl_piece_get_mass(pieces, -1).volume == 0.0);
	destroy_sample(pieces, mesh, solid, pattern);
}

// Convexes contain their pieces, get tighter with the fit, and do not overlap between cells.
static void convexes_contain_their_pieces(test *t)
{
	rbl_mesh *mesh;
	rbl_solid *solid;
	rbl_pattern *pattern;
	rbl_pieces *pieces = break_sample(3, 40, &mesh, &solid, &pattern);
	rbl_convex *boxes[200] = { 0 };
	int n = rbl_pieces_count(pieces);
	CHECK(t, n < 200);
	for (int i = 0; i < n; ++i) {
		rbl_mesh *piece;
		CHECK(t, rbl_piece_create_mesh(pieces, i, NULL, &piece) == RBL_OK);
		double last = 1e30;
		for (int fit = RBL_FIT_BOX; fit <= RBL_FIT_26; ++fit) {
			rbl_convex *convex;
			CHECK(t,
			      rbl_piece_create_convex(pieces, i, (rbl_fit)fit, 1000, NULL, &convex) == RBL_OK);
			rbl_convex_data d = rbl_convex_get_data(convex);
			double volume = rbl_convex_get_mass(convex).volume;
			CHECK(t, volume <= last + 1e-12);
			CHECK(t, volume >= rbl_piece_get_info(pieces, i).volume - 1e-12);
			last = volume;
			rbl_mesh_data m = rbl_mesh_get_data(piece);
			for (int f = 0; f < d.face_count; ++f) {
				for (int v = 0; v < m.vertex_count; ++v)
					CHECK(t, rbl_plane_distance_d(d.planes[f], m.positions[v]) < 1e-10);
			}
			if (fit == RBL_FIT_26)
				boxes[i] = convex;
			else
				rbl_destroy_convex(convex);
		}
		rbl_destroy_mesh(piece);
	}
	for (int i = 0; i < n; ++i) {
		for (int k = i + 1; k < n; ++k) {
			rbl_convex *both;
			if (rbl_piece_get_info(pieces, i).cell == rbl_piece_get_info(pieces, k).cell)
				continue;
			CHECK(t, rbl_convex_intersect(boxes[i], boxes[k], &both) == RBL_OK);
			CHECK(t, rbl_convex_get_mass(both).volume < 1e-12);
			rbl_destroy_convex(both);
		}
	}
	for (int i = 0; i < n; ++i)
		rbl_destroy_convex(boxes[i]);
	destroy_sample(pieces, mesh, solid, pattern);
}

// A comb with a straight tooth and one that bends around it, as a prism.
static rbl_mesh *comb_mesh(void)
{
	const double outline[12][2] = { { -1, 0 },  { 0, 0 },   { 0, 1 },   { 2, 1 },
		                            { 2, 1.5 }, { 0, 1.5 }, { 0, 2.5 }, { 2.5, 2.5 },
		                            { 2.5, 0 }, { 3, 0 },   { 3, 3 },   { -1, 3 } };
	rbl_vec3d points[24];
	int starts[15] = { 0, 12, 24 }, corners[72];
	for (int k = 0; k < 12; ++k) {
		points[k] = (rbl_vec3d){ outline[k][0], outline[k][1], 0.0 };
		points[12 + k] = (rbl_vec3d){ outline[k][0], outline[k][1], 1.0 };
		corners[k] = 11 - k;
		corners[12 + k] = 12 + k;
		int next = (k + 1) % 12, *side = corners + 24 + 4 * k;
		side[0] = k, side[1] = next, side[2] = 12 + next, side[3] = 12 + k;
		starts[3 + k] = 28 + 4 * k;
	}
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = (rbl_mesh_data){ .vertex_count = 24,
		                        .positions = points,
		                        .face_count = 14,
		                        .corner_count = 72,
		                        .face_starts = starts,
		                        .corner_vertices = corners };
	rbl_mesh *mesh = NULL;
	rbl_create_mesh(&def, &mesh);
	return mesh;
}

static void overlapping_islands_are_listed(test *t)
{
	rbl_mesh *mesh = comb_mesh();
	rbl_solid *solid = make_solid(mesh);
	const rbl_vec3d sites[2] = { { -0.5, 1.5, 0.5 }, { 0.7, 1.5, 0.5 } };
	rbl_pattern *pattern =
		pattern_of_sites(sites, 2, (rbl_vec3d){ 4, 4, 4 }, (rbl_vec3d){ 1.0, 1.5, 0.5 });
	rbl_pieces *pieces = break_solid(solid, pattern);
	check_pieces(t, pieces, 1e-12);
	CHECK(t, rbl_pieces_count(pieces) == 3);
	rbl_piece_pair pairs[8];
	int count = -1;
	CHECK(t, rbl_pieces_get_overlaps(pieces, RBL_FIT_26, pairs, 8, &count) == RBL_OK && count == 1);
	CHECK(t, rbl_piece_get_info(pieces, pairs[0].a).cell == 1 && pairs[0].b == pairs[0].a + 1);
	CHECK(t, rbl_pieces_get_overlaps(pieces, RBL_FIT_26, NULL, 0, &count) == RBL_OK && count == 1);
	CHECK(t, rbl_pieces_get_overlaps(pieces, RBL_FIT_26, NULL, 0, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_pieces_get_overlaps(NULL, RBL_FIT_26, NULL, 0, &count) == RBL_BAD_ARGUMENT);
	destroy_sample(pieces, mesh, solid, pattern);
}

// A solid ball in the hollow of a box: two shells, cut apart, and the void goes with the box.
static void nested_shells_are_sorted_out(test *t)
{
	static soup s;
	s.point_count = s.triangle_count = 0;
	soup_box(&s, (rbl_vec3d){ -1, -1, -1 }, (rbl_vec3d){ 1, 1, 1 }, false);
	soup_box(&s, (rbl_vec3d){ -0.8, -0.8, -0.8 }, (rbl_vec3d){ 0.8, 0.8, 0.8 }, true);
	soup_box(&s, (rbl_vec3d){ -0.5, -0.5, -0.5 }, (rbl_vec3d){ 0.5, 0.5, 0.5 }, false);
	soup_box(&s, (rbl_vec3d){ -0.1, -0.1, -0.1 }, (rbl_vec3d){ 0.1, 0.1, 0.1 }, true);
	rbl_mesh *mesh = soup_mesh(&s);
	rbl_solid *solid = make_solid(mesh);
	CHECK(t, rbl_solid_shell_count(solid) == 2);
	CHECK_NEAR(t, rbl_solid_volume(solid), 8.0 - 4.096 + 1.0 - 0.008, 1e-12);
	const int counts[] = { 1, 2, 50 };
	for (int i = 0; i < 3; ++i) {
		rbl_pattern *pattern = make_pattern((rbl_vec3d){ 2, 2, 2 }, counts[i], 1);
		rbl_pieces *pieces = break_solid(solid, pattern);
		check_pieces(t, pieces, 1e-12);
		if (i == 0)
			CHECK(t, rbl_pieces_count(pieces) == 2);
		rbl_destroy_pieces(pieces);
		rbl_destroy_pattern(pattern);
	}
	rbl_destroy_solid(solid);
	rbl_destroy_mesh(mesh);
}

// Seams of unwelded meshes close; what is open or inside out is refused.
static void solids_are_closed_or_refused(test *t)
{
	static soup s;
	s.point_count = s.triangle_count = 0;
	soup_box(&s, (rbl_vec3d){ 0, 0, 0 }, (rbl_vec3d){ 1, 1, 1 }, false);
	rbl_vec3d corners[36];
	for (int k = 0; k < 36; ++k)
		corners[k] = s.points[s.triangles[k]];
	memcpy(s.points, corners, sizeof corners);
	s.point_count = 36;
	for (int k = 0; k < 36; ++k)
		s.triangles[k] = k;
	rbl_mesh *loose = soup_mesh(&s);
	rbl_solid *solid = make_solid(loose);
	CHECK(t, solid != NULL);
	CHECK_NEAR(t, rbl_solid_volume(solid), 1.0, 1e-15);
	rbl_destroy_solid(solid);
	rbl_destroy_mesh(loose);

	rbl_solid_def def = rbl_default_solid_def(), none = { 0 };
	s.triangle_count = 11;
	rbl_mesh *open = soup_mesh(&s);
	def.mesh = open;
	CHECK(t, rbl_create_solid(&def, &solid) == RBL_BAD_MESH && !solid);
	rbl_destroy_mesh(open);
	s.triangle_count = 2;
	open = soup_mesh(&s);
	def.mesh = open;
	CHECK(t, rbl_create_solid(&def, &solid) == RBL_BAD_MESH && !solid);
	rbl_destroy_mesh(open);
	s.point_count = s.triangle_count = 0;
	soup_box(&s, (rbl_vec3d){ 0, 0, 0 }, (rbl_vec3d){ 1, 1, 1 }, true);
	rbl_mesh *turned = soup_mesh(&s);
	def.mesh = turned;
	CHECK(t, rbl_create_solid(&def, &solid) == RBL_BAD_MESH && !solid);
	CHECK(t, rbl_create_solid(&def, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_create_solid(NULL, &solid) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_create_solid(&none, &solid) == RBL_BAD_ARGUMENT);
	def.mesh = NULL;
	CHECK(t, rbl_create_solid(&def, &solid) == RBL_BAD_ARGUMENT);
	def.mesh = turned;
	def.allocator.allocate = faulty_allocate;
	CHECK(t, rbl_create_solid(&def, &solid) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_solid_volume(NULL) == 0.0 && rbl_solid_shell_count(NULL) == 0);
	rbl_destroy_mesh(turned);
	rbl_destroy_solid(NULL);
}

static void bad_arguments_are_refused(test *t)
{
	rbl_mesh *mesh;
	rbl_solid *solid;
	rbl_pattern *pattern;
	rbl_pieces *pieces = break_sample(0, 4, &mesh, &solid, &pattern), *other;
	rbl_pieces_def good = rbl_default_pieces_def(), def;
	good.solid = solid, good.pattern = pattern;
	CHECK(t, rbl_create_pieces(&good, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_create_pieces(NULL, &other) == RBL_BAD_ARGUMENT && !other);
#define REFUSED(change) \
	def = good;         \
	change;             \
	CHECK(t, rbl_create_pieces(&def, &other) == RBL_BAD_ARGUMENT && !other)
	REFUSED(def.cookie = 0);
	REFUSED(def.solid = NULL);
	REFUSED(def.pattern = NULL);
	REFUSED(def.position.x = NAN);
	REFUSED(def.position.x = 1e308);
	REFUSED(def.shape.x = def.shape.y);
	REFUSED(def.inner.uv_scale = 0.0);
	REFUSED(def.inner.material = 99);
	REFUSED(def.allocator.release = faulty_release);
#undef REFUSED
	rbl_draw_vertex vertex;
	rbl_convex *convex;
	rbl_mesh *piece;
	int count;
	CHECK(t, rbl_piece_get_triangles(pieces, 99, &vertex, NULL, &count) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_piece_get_triangles(pieces, 0, NULL, NULL, &count) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_piece_create_mesh(pieces, 99, NULL, &piece) == RBL_BAD_ARGUMENT && !piece);
	CHECK(t, rbl_piece_create_mesh(pieces, 0, NULL, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t,
	      rbl_piece_create_convex(pieces, -1, RBL_FIT_BOX, 0, NULL, &convex) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_piece_create_convex(pieces, 0, RBL_FIT_BOX, 0, NULL, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_piece_get_info(pieces, 99).volume == 0.0);
	CHECK(t, rbl_pieces_get_report(NULL).piece_count == 0 && rbl_pieces_count(NULL) == 0);
	rbl_destroy_pieces(NULL);
	destroy_sample(pieces, mesh, solid, pattern);
}

// Further attributes are interpolated, tangents keep their length and follow the texture of cut
// faces, and the material says which of a scene it is.
static void further_attributes_are_kept(test *t)
{
	rbl_box_def box = rbl_default_box_def();
	rbl_mesh *plain, *mesh;
	CHECK(t, rbl_create_box_mesh(&box, &plain) == RBL_OK);
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = rbl_mesh_get_data(plain);
	const rbl_mesh_attribute kinds[3] = { { "TANGENT", 4 }, { "TEXCOORD_2", 2 }, { "_HEIGHT", 1 } };
	float numbers[24 * 7];
	for (int k = 0; k < 24; ++k) {
		rbl_vec3d p = def.data.positions[def.data.corner_vertices[k]];
		rbl_vec3 n = def.data.corner_normals[k];
		float *row = numbers + 7 * k;
		row[0] = n.y, row[1] = n.z, row[2] = n.x, row[3] = 1.0f; // at right angles on a box
		row[4] = (float)p.x, row[5] = (float)p.z, row[6] = (float)p.y;
	}
	rbl_mesh_material slot = { .name = "plaster", .source = 4 };
	def.data.attribute_count = 3, def.data.attributes = kinds, def.data.attribute_width = 7;
	def.data.corner_attributes = numbers;
	def.data.materials = &slot, def.data.material_count = 1, def.data.face_materials = NULL;
	CHECK(t, rbl_create_mesh(&def, &mesh) == RBL_OK);
	rbl_solid *solid = make_solid(mesh);
	rbl_pattern *pattern = make_pattern((rbl_vec3d){ 1, 1, 1 }, 20, 2);
	rbl_pieces *pieces = break_solid(solid, pattern);
	int outer = 0, inner = 0;
	for (int i = 0; i < rbl_pieces_count(pieces); ++i) {
		rbl_mesh *piece;
		CHECK(t, rbl_piece_create_mesh(pieces, i, NULL, &piece) == RBL_OK);
		rbl_mesh_data d = rbl_mesh_get_data(piece);
		CHECK(t, d.attribute_count == 3 && strcmp(d.attributes[1].name, "TEXCOORD_2") == 0);
		CHECK(t, d.materials[0].source == 4 && d.materials[1].source == 0);
		for (int f = 0; f < d.face_count; ++f) {
			for (int c = d.face_starts[f]; c < d.face_starts[f + 1]; ++c) {
				const float *row = d.corner_attributes + 7 * c;
				rbl_vec3d p = d.positions[d.corner_vertices[c]];
				rbl_vec3 tangent = { row[0], row[1], row[2] };
				bool is_cut = d.face_materials[f] == 1;
				CHECK_NEAR(t, rbl_length(tangent), 1.0, 1e-5);
				CHECK_NEAR(t, rbl_dot(tangent, d.corner_normals[c]), 0.0, 1e-5);
				CHECK(t, row[3] == 1.0f || (is_cut && row[3] == -1.0f));
				CHECK_NEAR(t, row[4], is_cut ? (double)d.corner_uv0[c].x : p.x, 1e-5);
				CHECK_NEAR(t, row[6], is_cut ? 0.0 : p.y, 1e-5);
				outer += !is_cut, inner += is_cut;
			}
		}
		rbl_destroy_mesh(piece);
	}
	CHECK(t, outer > 50 && inner > 50);
	destroy_sample(pieces, mesh, solid, pattern);
	rbl_destroy_mesh(plain);
}

TEST_MAIN(TEST(outer_attributes_are_interpolated), TEST(further_attributes_are_kept),
          TEST(smooth_surfaces_have_no_seams), TEST(cut_faces_look_like_their_shell),
          TEST(both_sides_of_a_crack_match), TEST(triangles_to_draw_enclose_the_piece),
          TEST(indexed_triangles_are_the_same_triangles), TEST(masses_are_those_of_the_meshes),
          TEST(convexes_contain_their_pieces), TEST(overlapping_islands_are_listed),
          TEST(nested_shells_are_sorted_out), TEST(solids_are_closed_or_refused),
          TEST(bad_arguments_are_refused))
