// SPDX-License-Identifier: MIT
// What keys of scene files mean, in words.
#pragma once

/// @return what a key of a kind of object means, or with NULL the kind itself; "" if nothing says so
const char *about_key(const char *kind, const char *key);

/// @return a key that was never asked for, once all kinds were described; NULL: there is none
const char *unused_about(void);
