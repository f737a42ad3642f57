// SPDX-License-Identifier: MIT
// What happens in a scene besides bodies: motions, triggers, cameras.
#pragma once

#include "scene_keys.h"

void read_pose_key(reader *r, place *at, void *to);
void read_trigger(reader *r, place *at, void *to);
void read_camera_key(reader *r, place *at, void *to);
void read_camera(reader *r, place *at, void *to);

/// Cloths: scene_cloth.c.
void read_pin(reader *r, place *at, void *to);
void read_cloth(reader *r, place *at, void *to);

/// Read the motion of an instance.
void read_instance_motion(reader *r, const place *at, scene_instance *instance);
