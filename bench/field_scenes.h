// SPDX-License-Identifier: MIT
// Whole worlds whose bodies collide by fields and break: the scenes of section 7 of Glondu et al.
// 2014.
#pragma once

#include "base/random.h"

#include "world/world.h"

#include <rubble/rubble.h>
#include <rubble/shapes.h>

enum { FIELD_SCENE_BODIES = 64 };

/// A way to find contacts.
typedef struct field_variant {
	const char *name;
	rbl_contact_method method;
	rbl_field_selection selection;
	int point_count;
	bool without_birth;
	int fracture_budget; // 0: as a world has it
	rbl_result (*remake)(const rbl_compound *compound, rbl_part_field *field);
} field_variant;

/// A scene as it runs.
typedef struct field_scene {
	const field_variant *variant;
	bool is_quick;
	rbl_world *world;
	rbl_field_probe probe;
	const rbl_mesh *mesh;
	rbl_asset *asset; // of the mesh, with a field
	rbl_pattern *pattern;
	rbl_damage_level level;
	rbl_material *material;
	rbl_collider *ground, *ball;
	rbl_convex *coin;
	rbl_body_id bodies[FIELD_SCENE_BODIES];
	int body_count;
	rbl_random random;
	int step;
} field_scene;

typedef struct field_scene_case {
	const char *name;

	/// Fill an empty world. @return false when something was refused
	bool (*open)(field_scene *s);

	/// NULL: nothing happens from outside.
	void (*before_step)(field_scene *s);

	/// The mesh that things are made of; NULL: a model is not there.
	rbl_mesh *(*make_mesh)(bool is_quick);

	float dt;
	int steps, quick_steps;
	bool has_gravity;
} field_scene_case;

/// All scenes, and how many there are.
extern const field_scene_case field_scene_cases[];
extern const int field_scene_case_count;

/// Make a world and fill it.
/// @param asset  that an earlier run of the case left in `s`, which the caller destroys at the end;
///               NULL: it is made
/// @return false when something was refused: close it nevertheless
bool field_scene_open(field_scene *s, const field_scene_case *c, const field_variant *variant,
                      const rbl_mesh *mesh, rbl_asset *asset, bool is_quick);
void field_scene_close(field_scene *s);
