// SPDX-License-Identifier: MIT
//
// Quaternions in double precision, without trigonometric functions: those of libm differ from
// machine to machine.
#pragma once

#include <rubble/types.h>

#include <math.h>

static inline rbl_quatd rbl_io_quat_multiply(rbl_quatd a, rbl_quatd b)
{
	return (rbl_quatd){ a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
		                a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
		                a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
		                a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z };
}

static inline rbl_vec3d rbl_io_quat_rotate(rbl_quatd q, rbl_vec3d v)
{
	rbl_quatd p = rbl_io_quat_multiply(rbl_io_quat_multiply(q, (rbl_quatd){ v.x, v.y, v.z, 0.0 }),
	                                   (rbl_quatd){ -q.x, -q.y, -q.z, q.w });
	return (rbl_vec3d){ p.x, p.y, p.z };
}

// Axis and angle of a unit quaternion, the shorter way: a series for a small angle, after halving.
static inline double rbl_io_quat_to_axis_angle(rbl_quatd q, rbl_vec3d *axis)
{
	double sign = q.w < 0.0 ? -1.0 : 1.0, cosine = fabs(q.w), scale = 2.0;
	double sine = sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
	if (!(sine > 0.0))
		return 0.0;
	*axis = (rbl_vec3d){ sign * q.x / sine, sign * q.y / sine, sign * q.z / sine };
	for (; sine > 0.02; scale *= 2.0) {
		double half = sqrt(0.5 * (1.0 + cosine));
		sine /= 2.0 * half, cosine = half;
	}
	double square = sine * sine;
	return scale * sine * (1.0 + square * (1.0 / 6.0 + square * 3.0 / 40.0));
}

// The inverse: a series for a small angle, squared until it is the whole.
static inline rbl_quatd rbl_io_quat_from_axis_angle(rbl_vec3d axis, double angle)
{
	int count = 0;
	double half = 0.5 * angle;
	for (; fabs(half) > 0.02; ++count)
		half *= 0.5;
	double square = half * half;
	double sine = half * (1.0 - square * (1.0 / 6.0 - square / 120.0));
	rbl_quatd rotation = { sine * axis.x, sine * axis.y, sine * axis.z,
		                   1.0 - square * (0.5 - square * (1.0 / 24.0 - square / 720.0)) };
	for (int i = 0; i < count; ++i)
		rotation = rbl_io_quat_multiply(rotation, rotation);
	return rotation;
}
