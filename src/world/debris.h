// SPDX-License-Identifier: MIT
// Debris that has come to rest.
#pragma once

#include "world/world.h"

/// Thaw what lost a contact, freeze what has slept long enough, remove what is too many.
void rbl_world_retire_debris(rbl_world *world);

/// Report it with the step that is made, or with the next.
void rbl_world_report_retired(rbl_world *world, const rbl_retire_event *event);

/// Let a frozen body be as any other; it stays asleep. Others are left alone.
void rbl_world_unfreeze(rbl_world *world, int body);

/// A contact of a body has ended: if it is frozen, it will thaw in this step or the next.
void rbl_world_contact_ended(rbl_world *world, int body);
