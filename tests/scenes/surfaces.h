// SPDX-License-Identifier: MIT
// Deforming and breaking surfaces: the four benchmarks of Heo et al. 2010, made anew, two in which
// bodies are neither rigid nor star-shaped, and one in which all fly together.
//
// A scene drives a surface: it adds bodies, and each step moves them and, at some frames, splits
// them. Nothing is random but by fixed seeds, and nothing is asked of the surface's answers, so
// every run moves alike. Bodies pass through each other: there is something to find.
#pragma once

#include <rubble/surface.h>

#include <stdbool.h>

typedef enum surface_kind {
	/// A cloth falls on a turning sphere and folds: 93,312 triangles, 160 frames.
	SURFACE_CLOTH,
	/// Deforming blobs under their own gravity: 34,800 triangles, 149 frames.
	SURFACE_NBODY,
	/// A ball dents eight walls and breaks each: 43,008 to about 140,000 triangles, 80 frames, 8 with
	/// changes of topology.
	SURFACE_WALLS,
	/// A shell is hit and falls to pieces: 252,050 triangles, 250 frames, 4 with changes of topology. Or
	/// a model, hit by another.
	SURFACE_EXPLODE,
	SURFACE_KIND_COUNT, // those of the paper
	/// Rings that bend and keep each other away, so that few of them meet: 41,472 triangles, 120 frames.
	SURFACE_RINGS = SURFACE_KIND_COUNT,
	/// A long sheet crumples, and tears into strips that go on crumpling: 64,000 triangles, 120 frames,
	/// 3 with changes of topology.
	SURFACE_TEAR,
	/// Debris that falls, further in a frame than it is large: 110,592 triangles, 120 frames.
	SURFACE_FALL,
	SURFACE_ALL_COUNT
} surface_kind;

typedef struct surface_scene surface_scene;

/// @param divisor  1: the sizes above; more: edges that much longer, for tests
/// @return NULL when memory ran out
surface_scene *surface_scene_create(surface_kind kind, int divisor);
void surface_scene_destroy(surface_scene *scene);

/// Triangles of a model, the caller's.
typedef struct surface_scene_model {
	const rbl_vec3 *positions;
	int vertex_count;
	const int *triangles; // three vertices each
	int triangle_count;
} surface_scene_model;

/// Let a model explode instead of the shell, hit by another. Before surface_scene_begin(), which copies
/// both; sizes do not matter.
void surface_scene_use_models(surface_scene *scene, surface_scene_model target,
                              surface_scene_model projectile);

const char *surface_scene_name(surface_kind kind);

/// Frames of the whole scene.
int surface_scene_frames(surface_kind kind);

/// Add the first bodies. @return false when something failed
bool surface_scene_begin(surface_scene *scene, rbl_surface *surface);

/// Go on to the next frame: split and move bodies.
/// @param is_broken  receives whether topology changed
bool surface_scene_step(surface_scene *scene, rbl_surface *surface, bool *is_broken);

/// Processor time that the last step spent in calls that change the surface, in milliseconds.
double surface_scene_change_ms(const surface_scene *scene);
