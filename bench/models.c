// SPDX-License-Identifier: MIT
//
// Models that a suite may use when they are there.

#include "models.h"

#ifdef RBL_HAS_IO

#include <rubble/io.h>

#include <stdio.h>

rbl_mesh *bench_read_model(const char *name)
{
	char path[512];
	snprintf(path, sizeof path, "%s/models/%s", RBL_SHARED_DIR, name);
	rbl_read_def def = rbl_default_read_def();
	rbl_mesh *mesh = NULL, *repaired = NULL;
	rbl_mesh_report report;
	if (rbl_read_mesh(path, &def, &mesh) != RBL_OK || rbl_mesh_check(mesh, &report) != RBL_OK)
		return mesh;
	if (report.is_closed && report.is_oriented)
		return mesh;
	rbl_mesh_repair_def repair = rbl_default_mesh_repair_def();
	if (rbl_mesh_repair(mesh, &repair, &repaired, NULL) != RBL_OK)
		return mesh;
	rbl_destroy_mesh(mesh);
	return repaired;
}

#else

rbl_mesh *bench_read_model(const char *name)
{
	(void)name;
	return NULL;
}

#endif
