// SPDX-License-Identifier: MIT
//
// A software renderer for films.
//
// Everything is rasterized twice: from the sun into a shadow map, and from the camera with four
// samples per pixel. Shading is deferred: each sample is lit once, by the sun where it is not in
// shadow, and by a sky that is brighter from above. Rays that hit nothing hit the ground plane or
// the sky. Puffs are soft clouds before all that lies behind them: what they let through is
// multiplied, in any order, and their colors are mixed. What is transparent covers a share of the
// samples.

#include "io/render.h"

#include <math.h>

enum { PICTURE_COOKIE = 0x70696374, SAMPLES = 2, SHADOW_SIZE = 2048, MAX_PIXELS = 8192 };

static const float HALF_ANGLE = 0.30f; // tangent of half the vertical field of view

typedef struct camera_view {
	rbl_vec3 position, right, up, forward;
	float wide, high; // tangents of the half angles
	float nearest;    // near plane
} camera_view;

typedef struct renderer {
	const rbl_film *film;
	const rbl_picture_def *def;
	rbl_io_memory memory;
	rbl_box frame;
	float ground;
	camera_view camera;
	rbl_vec3 sun, sun_right, sun_up; // direction to it, and the axes of the shadow map
	rbl_vec3 sun_centre;
	float sun_scale; // pixels of the shadow map per metre
	rbl_io_framebuffer screen, shadow_map;
	int *triangles; // of the mesh being drawn
	int triangle_capacity;
	rbl_vec4 *haze; // per pixel: color of puffs, and what they hide, 0 to 1; NULL: there are none
} renderer;

static rbl_vec3 vec(float x, float y, float z)
{
	return (rbl_vec3){ x, y, z };
}

static rbl_vec3 add_scaled(rbl_vec3 a, float t, rbl_vec3 b)
{
	return vec(a.x + t * b.x, a.y + t * b.y, a.z + t * b.z);
}

static float dot(rbl_vec3 a, rbl_vec3 b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static rbl_vec3 cross(rbl_vec3 a, rbl_vec3 b)
{
	return vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static rbl_vec3 unit(rbl_vec3 a)
{
	float length = sqrtf(dot(a, a));
	return length > 0.0f ? vec(a.x / length, a.y / length, a.z / length) : vec(0.0f, 1.0f, 0.0f);
}

static rbl_vec3 rotate(rbl_quat q, rbl_vec3 v)
{
	rbl_vec3 axis = vec(q.x, q.y, q.z), t = cross(axis, v);
	t = vec(2.0f * t.x, 2.0f * t.y, 2.0f * t.z);
	return add_scaled(add_scaled(v, q.w, t), 1.0f, cross(axis, t));
}

static rbl_vec3 transform_point(const rbl_transform *pose, rbl_vec3d p)
{
	return add_scaled(pose->position, 1.0f,
	                  rotate(pose->rotation, vec((float)p.x, (float)p.y, (float)p.z)));
}

// --- camera and sun -----------------------------------------------------------------

static void add_point(rbl_box *box, rbl_vec3 p)
{
	box->lower = vec(fminf(box->lower.x, p.x), fminf(box->lower.y, p.y), fminf(box->lower.z, p.z));
	box->upper = vec(fmaxf(box->upper.x, p.x), fmaxf(box->upper.y, p.y), fmaxf(box->upper.z, p.z));
}

static bool is_frame(rbl_box box)
{
	rbl_vec3 l = box.lower, u = box.upper;
	return l.x <= u.x && l.y <= u.y && l.z <= u.z && isfinite(dot(l, l)) && isfinite(dot(u, u));
}

static rbl_box find_bounds(const renderer *a)
{
	rbl_box box = { vec(INFINITY, INFINITY, INFINITY), vec(-INFINITY, -INFINITY, -INFINITY) };
	int count = rbl_film_get_info(a->film).object_count;
	for (int i = 0; i < count; ++i) {
		rbl_transform pose;
		int mesh = rbl_io_film_pose(a->film, i, a->def->time, &pose);
		if (mesh < 0)
			continue;
		rbl_mesh_data data = rbl_mesh_get_data(rbl_io_film_mesh(a->film, mesh));
		for (int v = 0; v < data.vertex_count; ++v)
			add_point(&box, transform_point(&pose, data.positions[v]));
	}
	return box;
}

static rbl_vec3 corner_of(rbl_box box, int i)
{
	return vec(i & 1 ? box.upper.x : box.lower.x, i & 2 ? box.upper.y : box.lower.y,
	           i & 4 ? box.upper.z : box.lower.z);
}

// Move back until all corners of the frame are in the picture.
static void place_camera(renderer *a)
{
	camera_view *e = &a->camera;
	bool is_given = a->def->camera_angle > 0.0f;
	rbl_vec3 back =
				 unit(is_given ? add_scaled(a->def->camera_position, -1.0f, a->def->camera_target)
	                           : a->def->view),
			 l = a->frame.lower, u = a->frame.upper;
	rbl_vec3 centre = vec(0.5f * (l.x + u.x), 0.5f * (l.y + u.y), 0.5f * (l.z + u.z));
	rbl_vec3 side = fabsf(back.y) > 0.999f ? vec(1.0f, 0.0f, 0.0f) : vec(0.0f, 1.0f, 0.0f);
	e->forward = vec(-back.x, -back.y, -back.z);
	e->right = unit(cross(e->forward, side));
	e->up = cross(e->right, e->forward);
	e->high = HALF_ANGLE;
	e->wide = HALF_ANGLE * (float)a->def->width / (float)a->def->height;
	float distance = 1e-3f;
	for (int i = 0; i < 8; ++i) {
		rbl_vec3 offset = add_scaled(corner_of(a->frame, i), -1.0f, centre);
		distance = fmaxf(distance, dot(offset, back) + fabsf(dot(offset, e->right)) / e->wide);
		distance = fmaxf(distance, dot(offset, back) + fabsf(dot(offset, e->up)) / e->high);
	}
	e->position = add_scaled(centre, 1.04f * distance, back);
	e->nearest = 0.02f * distance;
	if (is_given) {
		float half = 0.5f * a->def->camera_angle * 0.017453292f;
		rbl_vec3 away = add_scaled(a->def->camera_position, -1.0f, a->def->camera_target);
		e->high = sinf(half) / cosf(half);
		e->wide = e->high * (float)a->def->width / (float)a->def->height;
		e->position = a->def->camera_position;
		e->nearest = 0.01f * sqrtf(dot(away, away));
	}
}

static void place_sun(renderer *a)
{
	rbl_vec3 l = a->frame.lower, u = a->frame.upper, size = add_scaled(u, -1.0f, l);
	a->sun = unit(add_scaled(add_scaled(vec(0.0f, 1.0f, 0.0f), 0.75f, a->camera.right), -0.35f,
	                         a->camera.forward));
	a->sun = unit(vec(a->sun.x, fmaxf(a->sun.y, 0.5f), a->sun.z));
	a->sun_right = unit(cross(a->sun, vec(0.3f, 0.2f, 1.0f)));
	a->sun_up = cross(a->sun_right, a->sun);
	a->sun_centre = vec(0.5f * (l.x + u.x), 0.5f * (l.y + u.y), 0.5f * (l.z + u.z));
	float radius = fmaxf(1e-3f, 0.62f * sqrtf(dot(size, size)));
	a->sun_scale = 0.5f * (float)SHADOW_SIZE / radius;
}

// --- drawing ---------------------------------------------------------------------------------

static rbl_io_raster_vertex project_to_sun(const renderer *a, rbl_vec3 p)
{
	rbl_vec3 offset = add_scaled(p, -1.0f, a->sun_centre);
	float half = 0.5f * (float)SHADOW_SIZE;
	// Above zero for everything that may cast a shadow into the frame.
	return (rbl_io_raster_vertex){ .x = half + a->sun_scale * dot(offset, a->sun_right),
		                           .y = half - a->sun_scale * dot(offset, a->sun_up),
		                           .inverse_depth = 1e5f + a->sun_scale * dot(offset, a->sun) };
}

static rbl_io_raster_vertex project_to_camera(const renderer *a, rbl_vec3 p, float depth)
{
	const camera_view *e = &a->camera;
	rbl_vec3 offset = add_scaled(p, -1.0f, e->position);
	float x = dot(offset, e->right) / (depth * e->wide), y = dot(offset, e->up) / (depth * e->high);
	return (rbl_io_raster_vertex){ .x = 0.5f * (1.0f + x) * (float)a->screen.width,
		                           .y = 0.5f * (1.0f - y) * (float)a->screen.height,
		                           .inverse_depth = 1.0f / depth };
}

typedef struct point {
	rbl_vec3 at, normal, color;
	float depth;
} point;

// Draw a triangle, clipped at the near plane.
static void draw_clipped(renderer *a, const point *corners, uint32_t mask)
{
	point kept[4];
	int count = 0;
	for (int i = 0; i < 3; ++i) {
		const point *p = &corners[i], *q = &corners[(i + 1) % 3];
		float limit = a->camera.nearest;
		if (p->depth >= limit)
			kept[count++] = *p;
		if ((p->depth >= limit) == (q->depth >= limit))
			continue;
		kept[count] = *p;
		kept[count].at = add_scaled(p->at, (limit - p->depth) / (q->depth - p->depth),
		                            add_scaled(q->at, -1.0f, p->at));
		kept[count++].depth = limit;
	}
	rbl_io_raster_vertex drawn[4];
	for (int i = 0; i < count; ++i) {
		drawn[i] = project_to_camera(a, kept[i].at, kept[i].depth);
		drawn[i].normal = kept[i].normal, drawn[i].color = kept[i].color;
	}
	for (int i = 2; i < count; ++i)
		rbl_io_draw_triangle(&a->screen, &drawn[0], &drawn[i - 1], &drawn[i], mask);
}

static rbl_vec3 color_of(const rbl_mesh_data *data, int face, int corner)
{
	rbl_vec3 color = vec(0.6f, 0.6f, 0.6f);
	if (data->material_count > 0) {
		int material = data->face_materials ? data->face_materials[face] : 0;
		rbl_vec4 base = data->materials[material].base_color;
		color = vec(base.x, base.y, base.z);
	}
	if (data->corner_colors) {
		rbl_vec4 c = data->corner_colors[corner];
		color = vec(color.x * c.x, color.y * c.y, color.z * c.z);
	}
	return color;
}

static float alpha_of(const rbl_mesh_data *data, int face)
{
	if (data->material_count == 0)
		return 1.0f;
	return data->materials[data->face_materials ? data->face_materials[face] : 0].base_color.w;
}

static void draw_triangle(renderer *a, const rbl_mesh_data *data, const rbl_transform *pose,
                          const int *triangle, int face)
{
	point p[3];
	rbl_io_raster_vertex shadow_map[3];
	for (int k = 0; k < 3; ++k) {
		p[k].at = transform_point(pose, data->positions[data->corner_vertices[triangle[k]]]);
		p[k].color = color_of(data, face, triangle[k]);
		p[k].depth = dot(add_scaled(p[k].at, -1.0f, a->camera.position), a->camera.forward);
		shadow_map[k] = project_to_sun(a, p[k].at);
	}
	rbl_vec3 flat =
		unit(cross(add_scaled(p[1].at, -1.0f, p[0].at), add_scaled(p[2].at, -1.0f, p[0].at)));
	for (int k = 0; k < 3; ++k)
		p[k].normal =
			data->corner_normals ? rotate(pose->rotation, data->corner_normals[triangle[k]]) : flat;
	// Faces that look other ways cover other samples: cracks show through a pane.
	int phase = fabsf(flat.x) > fabsf(flat.y)   ? (fabsf(flat.x) > fabsf(flat.z) ? 1 : 0)
	            : fabsf(flat.y) > fabsf(flat.z) ? 2
	                                            : 0;
	uint32_t mask = rbl_io_coverage(alpha_of(data, face), phase);
	rbl_io_draw_triangle(&a->shadow_map, &shadow_map[0], &shadow_map[1], &shadow_map[2], mask);
	draw_clipped(a, p, mask);
}

static rbl_result draw_object(renderer *a, int mesh_index, const rbl_transform *pose)
{
	const rbl_mesh *mesh = rbl_io_film_mesh(a->film, mesh_index);
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	int count = rbl_mesh_triangle_count(mesh);
	if (count > a->triangle_capacity) {
		RBL_IO_FREE(&a->memory, a->triangles, 4 * a->triangle_capacity);
		a->triangle_capacity = 2 * count;
		a->triangles = RBL_IO_NEW(&a->memory, int, 4 * a->triangle_capacity);
		if (!a->triangles) {
			a->triangle_capacity = 0;
			return rbl_io_fail_memory(&a->memory, "picture");
		}
	}
	int *faces = a->triangles + 3 * (size_t)a->triangle_capacity;
	rbl_result result = count > 0 ? rbl_mesh_triangulate(mesh, a->triangles, faces) : RBL_OK;
	for (int i = 0; i < count && result == RBL_OK; ++i)
		draw_triangle(a, &data, pose, a->triangles + 3 * i, faces[i]);
	return result;
}

// --- light -----------------------------------------------------------------------------------

// The share of sunlight at a point: nine samples of the shadow map.
static float sunlight(const renderer *a, rbl_vec3 at, rbl_vec3 normal)
{
	rbl_io_raster_vertex c = project_to_sun(a, add_scaled(at, 1.5f / a->sun_scale, normal));
	const float end = (float)(SHADOW_SIZE - 1);
	if (!(c.x >= 1.0f && c.y >= 1.0f && c.x < end && c.y < end))
		return 1.0f; // far ground, beyond the shadow map
	int x = (int)c.x, y = (int)c.y, count = 0;
	for (int i = 0; i < 9; ++i) {
		size_t look = (size_t)(y + i / 3 - 1) * SHADOW_SIZE + (size_t)(x + i % 3 - 1);
		count += a->shadow_map.inverse_depth[look] <= c.inverse_depth + 1.0f;
	}
	return (float)count / 9.0f;
}

static rbl_vec3 shade(const renderer *a, rbl_vec3 at, rbl_vec3 normal, rbl_vec3 color)
{
	float facing = fmaxf(0.0f, dot(normal, a->sun));
	float sun = facing > 0.0f ? 2.3f * facing * sunlight(a, at, normal) : 0.0f;
	float sky = 0.30f + 0.22f * normal.y;
	return vec(color.x * (sun * 1.0f + sky * 0.92f), color.y * (sun * 0.94f + sky * 0.97f),
	           color.z * (sun * 0.84f + sky * 1.05f));
}

static rbl_vec3 background(const renderer *a, rbl_vec3 direction)
{
	rbl_vec3 sky = vec(0.74f, 0.78f, 0.83f),
			 size = add_scaled(a->frame.upper, -1.0f, a->frame.lower);
	float t = (a->ground - a->camera.position.y) / direction.y;
	if (!a->def->has_ground || !(direction.y < 0.0f && t > 0.0f))
		return sky;
	rbl_vec3 at = add_scaled(a->camera.position, t, direction);
	rbl_vec3 color = shade(a, at, vec(0.0f, 1.0f, 0.0f), vec(0.30f, 0.30f, 0.29f));
	rbl_vec3 off = add_scaled(at, -1.0f, a->sun_centre);
	float radius = sqrtf(dot(size, size)), distance = sqrtf(dot(off, off));
	float haze = fminf(1.0f, fmaxf(0.0f, (distance / radius - 1.0f) / 6.0f));
	return add_scaled(add_scaled(color, -haze, color), haze, sky);
}

static rbl_vec3 sample(const renderer *a, int x, int y)
{
	const camera_view *e = &a->camera;
	float u = (2.0f * ((float)x + 0.5f) / (float)a->screen.width - 1.0f) * e->wide;
	float v = (1.0f - 2.0f * ((float)y + 0.5f) / (float)a->screen.height) * e->high;
	rbl_vec3 direction = add_scaled(add_scaled(e->forward, u, e->right), v, e->up);
	size_t at = (size_t)y * (size_t)a->screen.width + (size_t)x;
	if (a->screen.inverse_depth[at] <= 0.0f)
		return background(a, direction);
	rbl_vec3 normal = unit(rbl_io_unpack_normal(a->screen.normals[at]));
	if (dot(normal, direction) > 0.2f) // the back of an open mesh
		normal = vec(-normal.x, -normal.y, -normal.z);
	return shade(a, add_scaled(e->position, 1.0f / a->screen.inverse_depth[at], direction), normal,
	             rbl_io_unpack_color(a->screen.colors[at]));
}

// --- puffs -----------------------------------------------------------------------------------

static void draw_puff(renderer *a, rbl_vec3 middle, float radius, rbl_vec4 color)
{
	const camera_view *e = &a->camera;
	float depth = dot(add_scaled(middle, -1.0f, e->position), e->forward);
	if (!(depth > e->nearest))
		return;
	int width = a->def->width, height = a->def->height;
	rbl_io_raster_vertex c = project_to_camera(a, middle, depth);
	float x0 = c.x / SAMPLES, y0 = c.y / SAMPLES,
		  r = 0.5f * radius * (float)height / (depth * e->high);
	int left = (int)fmaxf(0.0f, x0 - r), right = (int)fminf((float)(width - 1), x0 + r);
	int top = (int)fmaxf(0.0f, y0 - r), bottom = (int)fminf((float)(height - 1), y0 + r);
	float light = 0.5f + 0.8f * fmaxf(0.0f, a->sun.y);
	for (int y = top; y <= bottom; ++y)
		for (int x = left; x <= right; ++x) {
			float u = (float)x + 0.5f - x0, v = (float)y + 0.5f - y0,
				  inside = 1.0f - (u * u + v * v) / (r * r);
			if (!(inside > 0.0f))
				continue;
			size_t at = (size_t)(SAMPLES * y) * (size_t)a->screen.width + (size_t)(SAMPLES * x);
			float behind = a->screen.inverse_depth[at]; // where something is in it, less of it
			float share = behind > 0.0f ? (1.0f / behind - depth) / (2.0f * radius) + 0.5f : 1.0f;
			float alpha = color.w * inside * fminf(1.0f, fmaxf(0.0f, share));
			rbl_vec4 *h = &a->haze[(size_t)y * (size_t)width + (size_t)x];
			float hidden = 1.0f - (1.0f - h->w) * (1.0f - alpha),
				  mix = alpha / (h->w + alpha + 1e-9f);
			h->x += mix * (light * color.x - h->x), h->y += mix * (light * color.y - h->y);
			h->z += mix * (light * color.z - h->z), h->w = hidden;
		}
}

static rbl_result draw_puffs(renderer *a)
{
	int count = rbl_film_get_info(a->film).object_count;
	for (int i = 0; i < count; ++i) {
		rbl_vec3 middle;
		float radius;
		int mesh = rbl_io_film_puff(a->film, i, a->def->time, &middle, &radius);
		if (mesh < 0 || !(radius > 0.0f))
			continue;
		size_t pixels = (size_t)a->def->width * (size_t)a->def->height;
		if (!a->haze) {
			a->haze = RBL_IO_NEW(&a->memory, rbl_vec4, pixels);
			if (!a->haze)
				return rbl_io_fail_memory(&a->memory, "picture");
			memset(a->haze, 0, pixels * sizeof *a->haze);
		}
		rbl_mesh_data data = rbl_mesh_get_data(rbl_io_film_mesh(a->film, mesh));
		rbl_vec4 grey = { 0.6f, 0.6f, 0.6f, 0.5f };
		draw_puff(a, middle, radius, data.material_count > 0 ? data.materials[0].base_color : grey);
	}
	return RBL_OK;
}

static unsigned char to_byte(float linear)
{
	float value = linear / (1.0f + 0.25f * linear); // tone mapping
	value = value < 0.0031308f ? 12.92f * value : 1.055f * powf(value, 1.0f / 2.4f) - 0.055f;
	return (unsigned char)lrintf(255.0f * fminf(1.0f, fmaxf(0.0f, value)));
}

static void resolve_samples(const renderer *a, unsigned char *pixels)
{
	for (int y = 0; y < a->def->height; ++y)
		for (int x = 0; x < a->def->width; ++x) {
			rbl_vec3 sum = vec(0.0f, 0.0f, 0.0f);
			for (int i = 0; i < SAMPLES * SAMPLES; ++i)
				sum = add_scaled(sum, 1.0f / (SAMPLES * SAMPLES),
				                 sample(a, SAMPLES * x + i % SAMPLES, SAMPLES * y + i / SAMPLES));
			if (a->haze) {
				rbl_vec4 h = a->haze[(size_t)y * (size_t)a->def->width + (size_t)x];
				sum = add_scaled(sum, h.w, add_scaled(vec(h.x, h.y, h.z), -1.0f, sum));
			}
			*pixels++ = to_byte(sum.x);
			*pixels++ = to_byte(sum.y);
			*pixels++ = to_byte(sum.z);
		}
}

// --- interface --------------------------------------------------------------------------------

rbl_picture_def rbl_default_picture_def(void)
{
	return (rbl_picture_def){ .width = 1200,
		                      .height = 750,
		                      .view = { 0.7f, 0.45f, 0.9f },
		                      .frame = { { 1.0f, 1.0f, 1.0f }, { -1.0f, -1.0f, -1.0f } },
		                      .has_ground = true,
		                      .cookie = PICTURE_COOKIE };
}

static rbl_result check_def(const rbl_film *film, const rbl_picture_def *def)
{
	if (!film || !def || def->cookie != PICTURE_COOKIE)
		return rbl_io_fail(RBL_BAD_ARGUMENT,
		                   "film is NULL, or the definition not from rbl_default_picture_def()");
	if (def->width < 16 || def->width > MAX_PIXELS || def->height < 16 || def->height > MAX_PIXELS)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "a picture of %d x %d, must be 16 to %d each",
		                   def->width, def->height, MAX_PIXELS);
	rbl_vec3 away = add_scaled(def->camera_position, -1.0f, def->camera_target);
	if (def->camera_angle != 0.0f && (!(def->camera_angle >= 1.0f && def->camera_angle <= 170.0f) ||
	                                  !(dot(away, away) > 1e-12f && dot(away, away) < 1e12f)))
		return rbl_io_fail(RBL_BAD_ARGUMENT, "the camera of a picture is not usable");
	float square = dot(def->view, def->view);
	if (!(def->time >= 0.0f) || !(square > 1e-12f && square < 1e12f))
		return rbl_io_fail(RBL_BAD_ARGUMENT, "time or view of a picture is not usable");
	rbl_vec3 l = def->frame.lower, u = def->frame.upper;
	if (!isfinite(dot(l, l)) || !isfinite(dot(u, u)))
		return rbl_io_fail(RBL_BAD_ARGUMENT, "the frame of a picture is not finite");
	if (!rbl_io_allocator_is_valid(&def->allocator))
		return rbl_io_fail(RBL_BAD_ARGUMENT, "the allocator has only one of its functions");
	return RBL_OK;
}

static bool create_framebuffer(renderer *a, rbl_io_framebuffer *framebuffer, int width, int height,
                               bool has_attributes)
{
	size_t count = (size_t)width * (size_t)height;
	framebuffer->width = width, framebuffer->height = height;
	framebuffer->inverse_depth = RBL_IO_NEW(&a->memory, float, count);
	if (has_attributes) {
		framebuffer->normals = RBL_IO_NEW(&a->memory, uint32_t, count);
		framebuffer->colors = RBL_IO_NEW(&a->memory, uint32_t, count);
	}
	for (size_t i = 0; framebuffer->inverse_depth && i < count; ++i)
		framebuffer->inverse_depth[i] = 0.0f;
	return framebuffer->inverse_depth &&
	       (!has_attributes || (framebuffer->normals && framebuffer->colors));
}

static void destroy_framebuffer(renderer *a, rbl_io_framebuffer *framebuffer)
{
	size_t count = (size_t)framebuffer->width * (size_t)framebuffer->height;
	RBL_IO_FREE(&a->memory, framebuffer->inverse_depth, count);
	if (framebuffer->normals)
		RBL_IO_FREE(&a->memory, framebuffer->normals, count);
	if (framebuffer->colors)
		RBL_IO_FREE(&a->memory, framebuffer->colors, count);
}

rbl_result rbl_draw_film(const rbl_film *film, const rbl_picture_def *def, unsigned char *pixels)
{
	rbl_result result = check_def(film, def);
	if (result != RBL_OK || !pixels)
		return result != RBL_OK ? result : rbl_io_fail(RBL_BAD_ARGUMENT, "pixels is NULL");
	renderer a = { .film = film, .def = def, .memory = rbl_io_memory_of(&def->allocator) };
	rbl_box bounds = find_bounds(&a);
	a.frame = is_frame(def->frame) ? def->frame : bounds;
	if (!is_frame(a.frame))
		a.frame = (rbl_box){ vec(-1.0f, 0.0f, -1.0f), vec(1.0f, 1.0f, 1.0f) };
	a.ground = is_frame(bounds) ? bounds.lower.y : a.frame.lower.y;
	place_camera(&a);
	place_sun(&a);
	if (!create_framebuffer(&a, &a.screen, SAMPLES * def->width, SAMPLES * def->height, true) ||
	    !create_framebuffer(&a, &a.shadow_map, SHADOW_SIZE, SHADOW_SIZE, false))
		result = rbl_io_fail_memory(&a.memory, "picture");
	int count = rbl_film_get_info(film).object_count;
	for (int i = 0; i < count && result == RBL_OK; ++i) {
		rbl_transform pose;
		int mesh = rbl_io_film_pose(film, i, def->time, &pose);
		if (mesh >= 0)
			result = draw_object(&a, mesh, &pose);
	}
	if (result == RBL_OK)
		result = draw_puffs(&a);
	if (result == RBL_OK)
		resolve_samples(&a, pixels);
	RBL_IO_FREE(&a.memory, a.haze, a.haze ? (size_t)def->width * (size_t)def->height : 0);
	RBL_IO_FREE(&a.memory, a.triangles, 4 * a.triangle_capacity);
	destroy_framebuffer(&a, &a.shadow_map);
	destroy_framebuffer(&a, &a.screen);
	return result;
}

// Append pixels as a PNG file.
static rbl_result put_pixels(const unsigned char *pixels, int width, int height,
                             const rbl_allocator *allocator, rbl_io_output *output)
{
	enum { MAX_SIDE = 16384 };
	if (!pixels)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "pixels is NULL");
	if (width < 1 || height < 1 || width > MAX_SIDE || height > MAX_SIDE)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "a picture of %d x %d pixels, must be 1 to %d", width,
		                   height, MAX_SIDE);
	const rbl_allocator usual = { 0 };
	output->memory = rbl_io_memory_of(allocator ? allocator : &usual);
	rbl_io_put_png(output, pixels, width, height);
	return output->memory.failure == RBL_OK ? RBL_OK
	                                        : rbl_io_fail_memory(&output->memory, "picture");
}

rbl_result rbl_write_pixels(const char *path, const unsigned char *pixels, int width, int height,
                            const rbl_allocator *allocator)
{
	if (!path)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "path is NULL");
	rbl_io_output output = { .data = NULL };
	rbl_result result = put_pixels(pixels, width, height, allocator, &output);
	if (result == RBL_OK)
		result = rbl_io_write_file(path, output.data, output.size);
	rbl_io_free_output(&output);
	return result;
}

rbl_result rbl_write_pixels_memory(const unsigned char *pixels, int width, int height,
                                   const rbl_allocator *allocator, rbl_file_bytes *bytes)
{
	if (!bytes)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "bytes is NULL");
	*bytes = (rbl_file_bytes){ 0 };
	rbl_io_output output = { .data = NULL };
	rbl_result result = put_pixels(pixels, width, height, allocator, &output);
	if (result == RBL_OK)
		*bytes =
			(rbl_file_bytes){ output.data, output.size, output.capacity, output.memory.allocator };
	else
		rbl_io_free_output(&output);
	return result;
}

// Draw, and append the PNG file.
static rbl_result draw_png(const rbl_film *film, const rbl_picture_def *def, rbl_io_output *output)
{
	rbl_result result = check_def(film, def);
	if (result != RBL_OK)
		return result;
	output->memory = rbl_io_memory_of(&def->allocator);
	size_t size = 3 * (size_t)def->width * (size_t)def->height;
	unsigned char *pixels = RBL_IO_NEW(&output->memory, unsigned char, size);
	if (pixels)
		result = rbl_draw_film(film, def, pixels);
	if (pixels && result == RBL_OK)
		rbl_io_put_png(output, pixels, def->width, def->height);
	RBL_IO_FREE(&output->memory, pixels, size);
	if (result == RBL_OK && output->memory.failure != RBL_OK)
		result = rbl_io_fail_memory(&output->memory, "picture");
	return result;
}

rbl_result rbl_write_picture(const char *path, const rbl_film *film, const rbl_picture_def *def)
{
	if (!path)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "path is NULL");
	rbl_io_output output = { .data = NULL };
	rbl_result result = draw_png(film, def, &output);
	if (result == RBL_OK)
		result = rbl_io_write_file(path, output.data, output.size);
	rbl_io_free_output(&output);
	return result;
}

rbl_result rbl_write_picture_memory(const rbl_film *film, const rbl_picture_def *def,
                                    rbl_file_bytes *bytes)
{
	if (!bytes)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "bytes is NULL");
	*bytes = (rbl_file_bytes){ 0 };
	rbl_io_output output = { .data = NULL };
	rbl_result result = draw_png(film, def, &output);
	if (result == RBL_OK)
		*bytes =
			(rbl_file_bytes){ output.data, output.size, output.capacity, output.memory.allocator };
	else
		rbl_io_free_output(&output);
	return result;
}
