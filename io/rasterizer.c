// SPDX-License-Identifier: MIT
//
// Rasterizing triangles with a depth test, sampled at pixel centres. Something transparent covers
// some of the samples, evenly, and lets others through.

#include "io/render.h"

#include <math.h>

static uint32_t signed_byte(float value)
{
	return (uint32_t)(int)lrintf(127.0f * fminf(1.0f, fmaxf(-1.0f, value))) & 0xff;
}

static uint32_t root_byte(float value)
{
	return (uint32_t)lrintf(255.0f * sqrtf(fminf(1.0f, fmaxf(0.0f, value))));
}

rbl_vec3 rbl_io_unpack_normal(uint32_t word)
{
	return (rbl_vec3){ (float)(signed char)(word & 0xff) / 127.0f,
		               (float)(signed char)(word >> 8 & 0xff) / 127.0f,
		               (float)(signed char)(word >> 16 & 0xff) / 127.0f };
}

rbl_vec3 rbl_io_unpack_color(uint32_t word)
{
	float r = (float)(word & 0xff) / 255.0f, g = (float)(word >> 8 & 0xff) / 255.0f,
		  b = (float)(word >> 16 & 0xff) / 255.0f;
	return (rbl_vec3){ r * r, g * g, b * b };
}

static rbl_vec3 interpolate(const rbl_vec3 *v, const float *weights)
{
	return (rbl_vec3){ v[0].x * weights[0] + v[1].x * weights[1] + v[2].x * weights[2],
		               v[0].y * weights[0] + v[1].y * weights[1] + v[2].y * weights[2],
		               v[0].z * weights[0] + v[1].z * weights[1] + v[2].z * weights[2] };
}

static void write_pixel(rbl_io_framebuffer *framebuffer, size_t at, const rbl_vec3 *normals,
                        const rbl_vec3 *colors, const float *weights)
{
	rbl_vec3 n = interpolate(normals, weights), c = interpolate(colors, weights);
	framebuffer->normals[at] = signed_byte(n.x) | signed_byte(n.y) << 8 | signed_byte(n.z) << 16;
	framebuffer->colors[at] = root_byte(c.x) | root_byte(c.y) << 8 | root_byte(c.z) << 16;
}

// Round up and down, clamped to the image.
static int first_of(float value, int end)
{
	return value <= 0.0f ? 0 : value >= (float)end ? end : (int)ceilf(value);
}

static int last_of(float value, int end)
{
	return value < 0.0f ? -1 : value >= (float)(end - 1) ? end - 1 : (int)floorf(value);
}

uint32_t rbl_io_coverage(float alpha, int phase)
{
	// The order in which samples of a tile are covered: any few of them are spread evenly.
	static const int order[16] = { 0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5 };
	int count = (int)lrintf(16.0f * fminf(1.0f, fmaxf(0.0f, alpha)));
	uint32_t mask = 0;
	for (int i = 0; i < 16; ++i)
		mask |= (uint32_t)((order[i] + 7 * phase) % 16 < count) << i;
	return mask;
}

void rbl_io_draw_triangle(rbl_io_framebuffer *framebuffer, const rbl_io_raster_vertex *a,
                          const rbl_io_raster_vertex *b, const rbl_io_raster_vertex *c,
                          uint32_t mask)
{
	float area = (b->x - a->x) * (c->y - a->y) - (c->x - a->x) * (b->y - a->y);
	if (!(fabsf(area) > 1e-12f && fabsf(area) < 1e18f)) // a large floor
		return;
	int left = first_of(fminf(a->x, fminf(b->x, c->x)) - 0.5f, framebuffer->width);
	int right = last_of(fmaxf(a->x, fmaxf(b->x, c->x)) - 0.5f, framebuffer->width);
	int top = first_of(fminf(a->y, fminf(b->y, c->y)) - 0.5f, framebuffer->height);
	int bottom = last_of(fmaxf(a->y, fmaxf(b->y, c->y)) - 0.5f, framebuffer->height);
	const rbl_vec3 normals[3] = { a->normal, b->normal, c->normal };
	const rbl_vec3 colors[3] = { a->color, b->color, c->color };
	float inverse = 1.0f / area;
	for (int y = top; y <= bottom; ++y) {
		float v = (float)y + 0.5f;
		for (int x = left; x <= right; ++x) {
			float u = (float)x + 0.5f, weights[3];
			weights[0] = ((b->x - u) * (c->y - v) - (c->x - u) * (b->y - v)) * inverse;
			weights[1] = ((c->x - u) * (a->y - v) - (a->x - u) * (c->y - v)) * inverse;
			weights[2] = 1.0f - weights[0] - weights[1];
			if (weights[0] < 0.0f || weights[1] < 0.0f || weights[2] < 0.0f ||
			    !(mask >> (4 * (y & 3) + (x & 3)) & 1))
				continue;
			float inverse_depth = a->inverse_depth * weights[0] + b->inverse_depth * weights[1] +
			                      c->inverse_depth * weights[2];
			size_t at = (size_t)y * (size_t)framebuffer->width + (size_t)x;
			if (!(inverse_depth > framebuffer->inverse_depth[at]))
				continue;
			framebuffer->inverse_depth[at] = inverse_depth;
			if (framebuffer->normals)
				write_pixel(framebuffer, at, normals, colors, weights);
		}
	}
}
