// SPDX-License-Identifier: MIT
//
// The separating axis test (SAT) of two polyhedra: the choice among the axes that the search
// (sat_kernels.c) finds, and the refresh of one that was found before.

#include "collide/pair.h"

rbl_polyhedron_pair rbl_polyhedron_pair_make(const rbl_polyhedron *a, rbl_transform pose_a,
                                             const rbl_polyhedron *b, rbl_transform pose_b)
{
	rbl_transform relative = rbl_transform_relative(pose_a, pose_b);
	return (rbl_polyhedron_pair){ a,
		                          b,
		                          pose_a,
		                          pose_b,
		                          { rbl_quat_to_mat(relative.rotation), relative.position },
		                          a->radius + b->radius };
}

rbl_collide_frame rbl_collide_frame_inverse(const rbl_collide_frame *frame)
{
	rbl_mat3 back = rbl_mat_transpose(frame->rotation);
	return (rbl_collide_frame){ back, rbl_neg(rbl_mat_vec(back, frame->translation)) };
}

float rbl_sat_separation(const rbl_polyhedron_pair *pair, rbl_vec3 direction)
{
	rbl_vec3 in_a = rbl_rotate_inverse(pair->pose_a.rotation, direction);
	rbl_vec3 in_b = rbl_rotate_inverse(pair->pose_b.rotation, rbl_neg(direction));
	float a = rbl_polyhedron_extent(pair->a, in_a), b = rbl_polyhedron_extent(pair->b, in_b);
	return rbl_dot(direction, rbl_sub(pair->pose_b.position, pair->pose_a.position)) - a - b;
}

float rbl_sat_tolerance(const rbl_polyhedron_pair *pair)
{
	// A triangle has no width, and the other shape sets the scale.
	float a = pair->a->min_width, b = pair->b->min_width;
	return 0.005f * (a > 0.0f && b > 0.0f ? rbl_minf(a, b) : rbl_maxf(a, b));
}

static rbl_sat_axis face_a_axis(const rbl_polyhedron_pair *pair, int face, float separation)
{
	return (rbl_sat_axis){ RBL_SAT_FACE_A, face, 0, rbl_polyhedron_normal(pair->a, face),
		                   separation };
}

static rbl_sat_axis face_b_axis(const rbl_polyhedron_pair *pair, int face, float separation)
{
	rbl_vec3 normal = rbl_mat_vec(pair->b_to_a.rotation, rbl_polyhedron_normal(pair->b, face));
	return (rbl_sat_axis){ RBL_SAT_FACE_B, 0, face, rbl_neg(normal), separation };
}

bool rbl_sat_find_axis(const rbl_polyhedron_pair *pair, float enough, rbl_sat_axis *axis,
                       rbl_sat_axis *faces)
{
	rbl_sat_axes found;
	RBL_PICK(rbl_sat_search)(pair->a, pair->b, &pair->b_to_a, enough, &found);
	float face = rbl_maxf(found.face_a_separation, found.face_b_separation);
	if (face == -FLT_MAX && found.edge_separation == -FLT_MAX)
		return false;
	// Of two equal faces, A's: a choice that alternates would change the features of a resting
	// pair.
	float tolerance = rbl_sat_tolerance(pair);
	rbl_sat_axis best_face = { .separation = -FLT_MAX };
	if (face != -FLT_MAX)
		best_face = found.face_a_separation + 0.1f * tolerance >= found.face_b_separation
		                ? face_a_axis(pair, found.face_a, found.face_a_separation)
		                : face_b_axis(pair, found.face_b, found.face_b_separation);
	*axis = found.face_a_separation >= found.face_b_separation
	            ? face_a_axis(pair, found.face_a, found.face_a_separation)
	            : face_b_axis(pair, found.face_b, found.face_b_separation);
	if (found.edge_separation > face)
		*axis = (rbl_sat_axis){ RBL_SAT_EDGES, found.edge_a, found.edge_b, found.edge_normal,
			                    found.edge_separation };
	if (faces)
		*faces = best_face.separation + tolerance >= axis->separation ? best_face : *axis;
	return true;
}

// Two edges as the search tests them: crossing arcs, or no axis.
static bool refresh_edges(const rbl_polyhedron_pair *pair, int edge_a, int edge_b,
                          rbl_sat_axis *axis)
{
	const rbl_mat3 rotation = pair->b_to_a.rotation;
	rbl_polyhedron_edge ea = pair->a->edge_list[edge_a], eb = pair->b->edge_list[edge_b];
	rbl_vec3 left = rbl_polyhedron_normal(pair->a, ea.left);
	rbl_vec3 right = rbl_polyhedron_normal(pair->a, ea.right);
	rbl_vec3 p = rbl_polyhedron_direction(pair->a, edge_a);
	rbl_vec3 q = rbl_normalize(rbl_mat_vec(rotation, rbl_polyhedron_direction(pair->b, edge_b)));
	float aq = rbl_dot(left, q), bq = rbl_dot(right, q);
	float cp = rbl_dot(rbl_mat_vec(rotation, rbl_polyhedron_normal(pair->b, eb.left)), p);
	float dp = rbl_dot(rbl_mat_vec(rotation, rbl_polyhedron_normal(pair->b, eb.right)), p);
	if (!(aq * bq < 0.0f && cp * dp < 0.0f && cp * bq < 0.0f))
		return false;
	rbl_vec3 normal = rbl_sub(rbl_scale(aq, right), rbl_scale(bq, left));
	normal = rbl_normalize(aq < 0.0f ? rbl_neg(normal) : normal);
	rbl_vec3 from = rbl_polyhedron_vertex(pair->a, ea.tail);
	rbl_vec3 to = rbl_collide_frame_point(&pair->b_to_a, rbl_polyhedron_vertex(pair->b, eb.tail));
	*axis =
		(rbl_sat_axis){ RBL_SAT_EDGES, edge_a, edge_b, normal, rbl_dot(normal, rbl_sub(to, from)) };
	return rbl_length_squared(normal) > 0.5f;
}

bool rbl_sat_refresh_axis(const rbl_polyhedron_pair *pair, const rbl_sat_cache *cache,
                          rbl_sat_axis *axis)
{
	const rbl_polyhedron *a = pair->a, *b = pair->b;
	if (cache->kind == RBL_SAT_EDGES)
		return cache->a < a->edge_count && cache->b < b->edge_count &&
		       refresh_edges(pair, cache->a, cache->b, axis);
	if (cache->kind == RBL_SAT_FACE_A && cache->a < a->face_count) {
		rbl_vec3 normal = rbl_polyhedron_normal(a, cache->a);
		rbl_vec3 in_b = rbl_mat_vec(rbl_mat_transpose(pair->b_to_a.rotation), rbl_neg(normal));
		float extent = RBL_PICK(rbl_polyhedron_max_along)(b->vertices, b->vertex_stride, in_b);
		*axis = face_a_axis(pair, cache->a,
		                    rbl_dot(normal, pair->b_to_a.translation) - extent -
		                        rbl_polyhedron_offset(a, cache->a));
		return true;
	}
	if (cache->kind == RBL_SAT_FACE_B && cache->b < b->face_count) {
		*axis = face_b_axis(pair, cache->b, 0.0f);
		float extent =
			RBL_PICK(rbl_polyhedron_max_along)(a->vertices, a->vertex_stride, axis->normal);
		axis->separation = rbl_dot(axis->normal, pair->b_to_a.translation) -
		                   rbl_polyhedron_offset(b, cache->b) - extent;
		return true;
	}
	return false;
}
