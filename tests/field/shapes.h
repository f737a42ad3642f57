// SPDX-License-Identifier: MIT
// The things that fields are made of in tests: thick and thin, hollow, with holes and handles.
#pragma once

#include <rubble/field.h>
#include <rubble/rubble.h>
#ifdef RBL_HAS_IO
#include <rubble/io.h>
#endif

#include "test.h"

typedef enum field_shape {
	SHAPE_BOX,
	SHAPE_BALL,
	SHAPE_TORUS,
	SHAPE_PLATE,
	SHAPE_VASE,
	SHAPE_MUG,
	SHAPE_PIGGY_BANK,
	FIELD_SHAPE_COUNT,
} field_shape;

static const char *const shape_names[FIELD_SHAPE_COUNT] = { "box",  "ball", "torus",     "plate",
	                                                        "vase", "mug",  "piggy bank" };

/// @param wall  receives its thinnest wall, 0 for none; or NULL
static inline rbl_mesh *make_shape(field_shape shape, double *wall)
{
	rbl_mesh *mesh = NULL;
	double none, *thin = wall ? wall : &none;
	*thin = 0.0;
	if (shape == SHAPE_BOX) {
		rbl_box_def def = rbl_default_box_def();
		def.size = (rbl_vec3d){ 0.3, 0.2, 0.14 };
		rbl_create_box_mesh(&def, &mesh);
	} else if (shape == SHAPE_BALL) {
		rbl_icosphere_def def = rbl_default_icosphere_def();
		rbl_create_icosphere_mesh(&def, &mesh);
	} else if (shape == SHAPE_TORUS) {
		rbl_torus_def def = rbl_default_torus_def();
		rbl_create_torus_mesh(&def, &mesh);
	} else if (shape == SHAPE_PLATE) {
		rbl_plate_def def = rbl_default_plate_def();
		*thin = def.wall;
		rbl_create_plate_mesh(&def, &mesh);
	} else if (shape == SHAPE_VASE) {
		rbl_vase_def def = rbl_default_vase_def();
		*thin = def.wall;
		rbl_create_vase_mesh(&def, &mesh);
	} else if (shape == SHAPE_MUG) {
		rbl_mug_def def = rbl_default_mug_def();
		*thin = def.wall;
		rbl_create_mug_mesh(&def, &mesh);
	} else {
		rbl_piggy_bank_def def = rbl_default_piggy_bank_def();
		*thin = def.wall;
		rbl_create_piggy_bank_mesh(&def, &mesh);
	}
	return mesh;
}

/// @return a model of the shared folder, closed; NULL when it is not there, or cannot be read
static inline rbl_mesh *read_shape(const char *name)
{
#ifdef RBL_HAS_IO
	char path[600];
	snprintf(path, sizeof path, "%s/models/%s", RBL_SHARED_DIR, name);
	rbl_read_def def = rbl_default_read_def();
	rbl_mesh *mesh = NULL, *closed = NULL;
	if (rbl_read_mesh(path, &def, &mesh) != RBL_OK)
		return NULL;
	rbl_mesh_repair_def repair = rbl_default_mesh_repair_def();
	rbl_mesh_repair(mesh, &repair, &closed, NULL);
	rbl_destroy_mesh(mesh);
	return closed;
#else
	(void)name;
	return NULL;
#endif
}

static inline rbl_distance_field *make_field(const rbl_mesh *mesh, int resolution, double wall)
{
	rbl_distance_field_def def = rbl_default_distance_field_def();
	def.mesh = mesh, def.resolution = resolution, def.wall = wall;
	rbl_distance_field *field = NULL;
	rbl_create_distance_field(&def, &field);
	return field;
}
