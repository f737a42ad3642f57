// SPDX-License-Identifier: MIT
// Snapshots of colliders and caches: what is read touches like what was written.

#include "collide/collide.h"

#include "base/random.h"

#include <rubble/shapes.h>

#include "blob_bytes.h"
#include "faulty_allocator.h"
#include "test.h"

static void put(rbl_blob_writer *w, const void *object)
{
	rbl_collider_save(object, w);
}

static bool get(rbl_blob_reader *r, const rbl_allocator *allocator, void *object)
{
	return rbl_collider_load(r, allocator, object);
}

static blob_bytes save(const rbl_collider *collider)
{
	return blob_save(put, collider);
}

static bool load(blob_bytes from, const rbl_allocator *allocator, rbl_blob_reader *r,
                 rbl_collider **collider)
{
	return blob_load(from, allocator, get, r, collider);
}

static rbl_mesh *make_mesh(void)
{
	rbl_icosphere_def def = rbl_default_icosphere_def();
	rbl_mesh *mesh = NULL;
	rbl_create_icosphere_mesh(&def, &mesh);
	return mesh;
}

static rbl_collider *make(rbl_collider_kind kind)
{
	rbl_collider_def def = rbl_default_collider_def(kind);
	rbl_mesh *mesh = kind == RBL_COLLIDER_MESH ? make_mesh() : NULL;
	rbl_convex *convex = NULL;
	float heights[12 * 9];
	for (int i = 0; i < 12 * 9; ++i)
		heights[i] = 0.1f * (float)(i * 7 % 5);
	if (kind == RBL_COLLIDER_CONVEX) {
		rbl_convex_def box = rbl_default_convex_def();
		box.box = (rbl_boxd){ { -0.3, -0.7, -0.2 }, { 0.4, 0.6, 0.9 } };
		rbl_create_convex(&box, &convex);
	}
	def.mesh = mesh;
	def.convex = convex;
	def.heights = heights;
	def.column_count = 12, def.row_count = 9;
	if (kind == RBL_COLLIDER_PLANE)
		def.a.y = 0.5f;
	rbl_collider *c = NULL;
	rbl_create_collider(&def, &c);
	rbl_destroy_mesh(mesh);
	rbl_destroy_convex(convex);
	return c;
}

static bool same_contacts(const rbl_contacts *a, const rbl_contacts *b)
{
	rbl_manifolds x = rbl_contacts_get_manifolds(a), y = rbl_contacts_get_manifolds(b);
	bool same = x.count == y.count;
	for (int i = 0; same && i < x.count; ++i) {
		const rbl_manifold *m = &x.manifolds[i], *n = &y.manifolds[i];
		same = m->point_count == n->point_count && m->child_a == n->child_a &&
		       m->child_b == n->child_b && memcmp(&m->normal, &n->normal, sizeof m->normal) == 0 &&
		       memcmp(m->points, n->points, (size_t)m->point_count * sizeof m->points[0]) == 0;
	}
	return same;
}

// Contacts saved in the middle go on with the same bits, with colliders that were read.
static void what_is_read_touches_alike(test *t)
{
	rbl_collider *box = make(RBL_COLLIDER_BOX);
	for (int kind = 0; kind < RBL_COLLIDER_KIND_COUNT; ++kind) {
		if (kind == RBL_COLLIDER_COMPOUND)
			continue;
		rbl_collider *c = make((rbl_collider_kind)kind), *back = NULL;
		blob_bytes b = save(c);
		rbl_blob_reader r;
		CHECK(t, load(b, NULL, &r, &back) && r.at == b.size);
		rbl_contacts *first = NULL, *second = NULL;
		rbl_create_contacts(NULL, &first);
		rbl_create_contacts(NULL, &second);
		unsigned char memory[20000];
		int touched = 0;
		for (int step = 0; step < 40 && back; ++step) {
			rbl_transform pose = rbl_transform_identity();
			pose.position = (rbl_vec3){ 2.0f, 1.4f - 0.02f * (float)step, 2.0f };
			if (kind != RBL_COLLIDER_HEIGHT_FIELD)
				pose.position.x = pose.position.z = 0.1f;
			rbl_contacts_update(first, c, rbl_transform_identity(), box, pose, 0.02f);
			if (step > 20) {
				rbl_contacts_update(second, back, rbl_transform_identity(), box, pose, 0.02f);
				CHECK(t, same_contacts(first, second));
			}
			touched += rbl_contacts_get_manifolds(first).count > 0;
			if (step == 20) {
				rbl_blob_writer w = { .bytes = memory };
				rbl_contacts_save(first, &w);
				CHECK(t, w.at < sizeof memory);
				r = (rbl_blob_reader){ .bytes = memory, .size = w.at };
				CHECK(t, rbl_contacts_load(&r, second, back, box) && r.at == w.at);
				CHECK(t, same_contacts(first, second));
			}
		}
		CHECK(t, touched > 10);
		rbl_destroy_contacts(first);
		rbl_destroy_contacts(second);
		rbl_destroy_collider(back);
		rbl_destroy_collider(c);
		free(b.data);
	}
	rbl_destroy_collider(box);
}

static void forged_content_and_prefixes_do_no_harm(test *t)
{
	rbl_random random = rbl_random_from_seed(3);
	rbl_collider *box = make(RBL_COLLIDER_BOX);
	for (int kind = 0; kind < RBL_COLLIDER_KIND_COUNT; ++kind) {
		if (kind == RBL_COLLIDER_COMPOUND)
			continue;
		rbl_collider *c = make((rbl_collider_kind)kind), *back = NULL;
		blob_bytes b = save(c);
		rbl_blob_reader r;
		for (size_t n = 0; n < b.size; n += n < 300 ? 1 : 37)
			CHECK(t, !load((blob_bytes){ b.data, n }, NULL, &r, &back) && r.is_bad && !back);
		for (int i = 0; i < 1000; ++i) {
			size_t at = rbl_random_below(&random, (uint32_t)rbl_mini((int)b.size, 600));
			unsigned char old = b.data[at];
			b.data[at] = (unsigned char)rbl_random_below(&random, 256);
			bool ok = load(b, NULL, &r, &back);
			CHECK(t, ok == !r.is_bad && ok == (back != NULL));
			rbl_contacts *contacts = NULL;
			rbl_create_contacts(NULL, &contacts);
			rbl_transform pose = rbl_transform_identity();
			pose.position.y = 0.9f;
			if (ok)
				rbl_contacts_update(contacts, back, rbl_transform_identity(), box, pose, 0.02f);
			rbl_destroy_contacts(contacts);
			rbl_destroy_collider(back);
			b.data[at] = old;
		}
		for (int n = 0;; ++n) {
			faulty_allocator memory;
			faulty_init(&memory, n);
			rbl_allocator faulty = FAULTY(&memory);
			CHECK(t, load(b, &faulty, &r, &back) ? back != NULL : r.out_of_memory && !back);
			rbl_destroy_collider(back);
			CHECK(t, memory.live_bytes == 0);
			if (!memory.failed)
				break;
		}
		rbl_destroy_collider(c);
		free(b.data);
	}
	rbl_destroy_collider(box);
}

TEST_MAIN(TEST(what_is_read_touches_alike), TEST(forged_content_and_prefixes_do_no_harm))
