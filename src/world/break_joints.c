// SPDX-License-Identifier: MIT
//
// Breaking: joints go to the fragment that holds their anchor.
//
// That is the one with the part nearest to the anchor, by the largest distance from the plane of
// a face: an anchor may lie outside of its body, as that of a hinge does. When the part that held
// it has become dust, no fragment is as near as the body was: then the joint breaks, and is
// reported.

#include "world/world.h"

int rbl_world_nearest_part(const rbl_compound *compound, rbl_vec3d point, double *distance)
{
	int nearest = RBL_NONE, end = rbl_compound_get_info(compound).part_end;
	double least = *distance;
	for (int i = 0; i < end; ++i) {
		const rbl_convex *convex = rbl_compound_get_part(compound, i).convex;
		if (!convex)
			continue;
		rbl_convex_data data = rbl_convex_get_data(convex);
		double farthest = -DBL_MAX;
		for (int f = 0; f < data.face_count && farthest < least; ++f) {
			rbl_planed plane = data.planes[f];
			farthest = rbl_maxd(farthest, rbl_dot_d(plane.normal, point) - plane.offset);
		}
		if (farthest < least)
			least = farthest, nearest = i;
	}
	*distance = least;
	return nearest;
}

// The anchor of a joint in the coordinates of a body's shape.
static rbl_vec3d anchor_in_shape(const rbl_world *world, int joint, int body)
{
	const rbl_world_joint *j = &world->joints.data[joint];
	rbl_vec3 at = j->body_a == body ? j->frame_a.position : j->frame_b.position;
	return rbl_to_d(rbl_add(at, world->bodies[body].local_centre));
}

void rbl_world_measure_joint_anchors(rbl_world *world, int body)
{
	const rbl_compound *compound = world->bodies[body].compound;
	int joint = world->bodies[body].first_joint;
	for (; joint != RBL_NONE; joint = *rbl_world_next_joint(world, joint, body)) {
		double distance = DBL_MAX;
		rbl_world_nearest_part(compound, anchor_in_shape(world, joint, body), &distance);
		world->joints.data[joint].anchor_distance = distance;
	}
}

void rbl_world_reassign_joints(rbl_world *world, int body, const rbl_body_id *parts, int count)
{
	double tolerance =
		0.02 *
		(double)world->motions[body].bounding_radius; // convexes of fragments fit more tightly
	int joint = world->bodies[body].first_joint;
	while (joint != RBL_NONE) {
		int next = *rbl_world_next_joint(world, joint, body), holder = body;
		rbl_vec3d anchor = anchor_in_shape(world, joint, body);
		double least = DBL_MAX;
		rbl_world_nearest_part(world->bodies[body].compound, anchor, &least);
		for (int i = 0; i < count; ++i) {
			const rbl_compound *part = world->bodies[parts[i].index].compound;
			if (rbl_world_nearest_part(part, anchor, &least) != RBL_NONE)
				holder = (int)parts[i].index;
		}
		double was = rbl_maxd(world->joints.data[joint].anchor_distance, 0.0);
		if (least > was + tolerance)
			rbl_world_report_broken_joint(world, joint, 0.0f, 0.0f),
				rbl_world_remove_joint(world, joint, true);
		else if (holder != body)
			rbl_world_move_joint(world, joint, body, holder);
		joint = next;
	}
}
