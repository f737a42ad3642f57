// SPDX-License-Identifier: MIT
// All of Rubble's core in one include. (rubble/io.h, the mesh file library, stands apart.)
#pragma once

#include <rubble/asset.h>
#include <rubble/base.h>
#include <rubble/bend.h>
#include <rubble/body.h>
#include <rubble/broadphase.h>
#include <rubble/ccd.h>
#include <rubble/collide.h>
#include <rubble/compound.h>
#include <rubble/compound_field.h>
#include <rubble/convex.h>
#include <rubble/crack_field.h>
#include <rubble/cutter.h>
#include <rubble/damage.h>
#include <rubble/events.h>
#include <rubble/field.h>
#include <rubble/field_contacts.h>
#include <rubble/fracture.h>
#include <rubble/fracture_log.h>
#include <rubble/hull.h>
#include <rubble/jobs.h>
#include <rubble/joint.h>
#include <rubble/mesh.h>
#include <rubble/pattern.h>
#include <rubble/recording.h>
#include <rubble/shapes.h>
#include <rubble/snapshot.h>
#include <rubble/stress.h>
#include <rubble/surface.h>
#include <rubble/task.h>
#include <rubble/tets.h>
#include <rubble/types.h>
#include <rubble/vec.h>
#include <rubble/world.h>
