// SPDX-License-Identifier: MIT
//
// Cameras of films: objects without a mesh, whose nodes in the file have a glTF camera.

#include "io/film.h"

#include "io/glb.h"

#include <rubble/vec.h>

#include <math.h>

// The rotation whose matrix has these columns.
static rbl_quat rotation_of_axes(rbl_vec3d x, rbl_vec3d y, rbl_vec3d z)
{
	// Four times the squares of w, x, y, z: the largest is far from zero.
	double squares[4] = { 1.0 + x.x + y.y + z.z, 1.0 + x.x - y.y - z.z, 1.0 - x.x + y.y - z.z,
		                  1.0 - x.x - y.y + z.z };
	int largest = 0;
	for (int i = 1; i < 4; ++i)
		largest = squares[i] > squares[largest] ? i : largest;
	double a = y.z - z.y, b = z.x - x.z, c = x.y - y.x; // 4 w times x, y, z
	double d = y.x + x.y, e = z.y + y.z, f = x.z + z.x; // 4 x y, 4 y z, 4 z x
	const double rows[4][4] = { { a, b, c, squares[0] },
		                        { squares[1], d, f, a },
		                        { d, squares[2], e, b },
		                        { f, e, squares[3], c } };
	const double *row = rows[largest];
	double scale = 0.5 / sqrt(squares[largest]);
	return (rbl_quat){ (float)(scale * row[0]), (float)(scale * row[1]), (float)(scale * row[2]),
		               (float)(scale * row[3]) };
}

rbl_transform rbl_camera_pose(rbl_vec3 position, rbl_vec3 target)
{
	rbl_vec3d back = rbl_normalize_d(rbl_sub_d(rbl_to_d(position), rbl_to_d(target)));
	if (rbl_dot_d(back, back) < 0.5)
		back = (rbl_vec3d){ 0.0, 0.0, 1.0 };
	// As pictures have it: straight up or down, x is up in the picture.
	bool is_upright = fabs(back.y) <= 0.999;
	rbl_vec3d up = { is_upright ? 0.0 : 1.0, is_upright ? 1.0 : 0.0, 0.0 };
	rbl_vec3d right = rbl_normalize_d(rbl_cross_d(up, back));
	return (rbl_transform){ position, rotation_of_axes(right, rbl_cross_d(back, right), back) };
}

rbl_result rbl_film_add_camera(rbl_film *film, rbl_transform pose, float angle, int *object)
{
	if (!(angle > 0.0f && angle < 180.0f))
		return rbl_io_fail(RBL_BAD_ARGUMENT, "the angle of a camera is %g degrees", (double)angle);
	rbl_result result = rbl_film_add_object(film, -1, pose, object);
	if (result != RBL_OK)
		return result;
	rbl_film_object *made = &film->objects.data[*object];
	made->camera_angle = angle;
	// Rotations are held to what the tolerance is ten metres in front of it.
	made->radius = 10.0, made->size = 1e9;
	return RBL_OK;
}

void rbl_film_put_camera(rbl_io_output *json, float angle, const char *name)
{
	rbl_io_put_text(json, "{");
	rbl_glb_put_name(json, name);
	rbl_io_put_text(json, "\"type\":\"perspective\",\"perspective\":{\"yfov\":");
	rbl_io_put_float(json, angle * 0.017453292f);
	rbl_io_put_text(json, ",\"znear\":0.05,\"zfar\":10000}}");
	rbl_io_put(json, "", 1);
}
