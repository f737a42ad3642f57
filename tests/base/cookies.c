// SPDX-License-Identifier: MIT
// Definitions of another version are refused before anything in them is used. A member more or less in front
// moves all others, the cookie too: what the library then finds in the cookie's place is no cookie.

#include <rubble/rubble.h>

#include "test.h"

typedef struct seen_cookies {
	uint32_t values[64];
	int count;
} seen_cookies;

static bool is_new_cookie(seen_cookies *seen, uint32_t cookie)
{
	for (int i = 0; i < seen->count; ++i) {
		if (seen->values[i] == cookie)
			return false;
	}
	seen->values[seen->count++] = cookie;
	return true;
}

// A definition as its default is, then with its bytes moved as `moved` new or missing ones move them.
#define CHECK_OTHER_VERSIONS(name)                                                    \
	do {                                                                              \
		static const int moved[] = { 4, 8, 16, -4, -8, -16 };                         \
		rbl_##name##_def def = rbl_default_##name##_def();                            \
		CHECK(t, def.cookie != 0 && is_new_cookie(&seen, def.cookie));                \
		for (size_t i = 0; i < sizeof moved / sizeof moved[0]; ++i) {                 \
			unsigned char bytes[sizeof def + 64] = { 0 };                             \
			memcpy(bytes + 32 + moved[i], &def, sizeof def);                          \
			rbl_##name##_def other;                                                   \
			memcpy(&other, bytes + 32, sizeof other);                                 \
			rbl_##name *made = NULL;                                                  \
			bool is_refused =                                                         \
				rbl_create_##name(&other, &made) == RBL_BAD_ARGUMENT && made == NULL; \
			if (!is_refused)                                                          \
				printf("rbl_" #name "_def moved by %d bytes is taken\n", moved[i]);   \
			CHECK(t, is_refused);                                                     \
		}                                                                             \
	} while (0)

static void definitions_of_other_versions_are_refused(test *t)
{
	seen_cookies seen = { .count = 0 };
	CHECK_OTHER_VERSIONS(broadphase);
	CHECK_OTHER_VERSIONS(compound);
	CHECK_OTHER_VERSIONS(convex);
	CHECK_OTHER_VERSIONS(crack_field);
	CHECK_OTHER_VERSIONS(cutter);
	CHECK_OTHER_VERSIONS(field_shape);
	CHECK_OTHER_VERSIONS(hull);
	CHECK_OTHER_VERSIONS(jobs);
	CHECK_OTHER_VERSIONS(material);
	CHECK_OTHER_VERSIONS(mesh);
	CHECK_OTHER_VERSIONS(outer_hull);
	CHECK_OTHER_VERSIONS(pattern);
	CHECK_OTHER_VERSIONS(pieces);
	CHECK_OTHER_VERSIONS(solid);
	CHECK_OTHER_VERSIONS(stress);
	CHECK_OTHER_VERSIONS(surface);
	CHECK_OTHER_VERSIONS(tets);
	CHECK_OTHER_VERSIONS(world);
	CHECK(t, seen.count == 18);
}

TEST_MAIN(TEST(definitions_of_other_versions_are_refused))
