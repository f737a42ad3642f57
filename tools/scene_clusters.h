// SPDX-License-Identifier: MIT
// Levels of clusters of a model in scene files.
#pragma once

#include "scene_keys.h"

/// Read a level; all levels of a model, from large clusters to small ones.
void read_cluster(reader *r, place *at, void *to);
void read_clusters(reader *r, const place *at, scene_model *model);
