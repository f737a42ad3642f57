// SPDX-License-Identifier: MIT
//
// Bullet's broad phases: the dynamic tree and the axis sweep with 32-bit handles, as they are by
// default. The tree searches pairs while boxes are set, so most of its time counts as taking in.

#include "../broadphase_baseline.h"

#include <btBulletCollisionCommon.h>

#include <stdlib.h>

namespace
{

struct bullet {
	btBroadphaseInterface *broadphase;
	btCollisionConfiguration *configuration;
	btCollisionDispatcher *dispatcher;
	btBroadphaseProxy **proxies; // by id
	btDbvtBroadphase *tree;      // or null
};

btVector3 vector(rbl_vec3 v)
{
	return btVector3(v.x, v.y, v.z);
}

void *wrap(const stream *s, btBroadphaseInterface *broadphase, btDbvtBroadphase *tree)
{
	bullet *self = new bullet{};
	self->broadphase = broadphase;
	self->tree = tree;
	self->configuration = new btDefaultCollisionConfiguration();
	self->dispatcher = new btCollisionDispatcher(self->configuration);
	self->proxies = (btBroadphaseProxy **)calloc((size_t)s->capacity, sizeof *self->proxies);
	return self;
}

void *create_dbvt(const stream *s)
{
	btDbvtBroadphase *tree = new btDbvtBroadphase();
	return wrap(s, tree, tree);
}

void *create_sap(const stream *s)
{
	unsigned handles = (unsigned)s->capacity + 2;
	return wrap(s, new bt32BitAxisSweep3(vector(s->world.lower), vector(s->world.upper), handles),
	            nullptr);
}

void destroy(void *pointer)
{
	bullet *self = (bullet *)pointer;
	delete self->broadphase;
	delete self->dispatcher;
	delete self->configuration;
	free(self->proxies);
	delete self;
}

void insert(void *pointer, const stream *s)
{
	bullet *self = (bullet *)pointer;
	for (int i = 0; i < s->destroyed.count; ++i)
		self->broadphase->destroyProxy(self->proxies[s->destroyed.ids[i]], self->dispatcher);
	for (int i = 0; i < s->created.count; ++i) {
		int id = s->created.ids[i];
		bool is_static = s->kinds[id] == STREAM_STATIC;
		int group = is_static ? 1 : 2, mask = is_static ? 2 : 3;
		self->proxies[id] = self->broadphase->createProxy(
			vector(s->boxes[id].lower), vector(s->boxes[id].upper), BOX_SHAPE_PROXYTYPE,
			(void *)(size_t)(id + 1), group, mask, self->dispatcher);
	}
	for (int i = 0; i < s->moved.count; ++i) {
		int id = s->moved.ids[i];
		self->broadphase->setAabb(self->proxies[id], vector(s->boxes[id].lower),
		                          vector(s->boxes[id].upper), self->dispatcher);
	}
}

void find(void *pointer, const stream *)
{
	bullet *self = (bullet *)pointer;
	self->broadphase->calculateOverlappingPairs(self->dispatcher);
}

void each(void *pointer, void (*visit)(void *context, int a, int b), void *context)
{
	bullet *self = (bullet *)pointer;
	btBroadphasePairArray &pairs =
		self->broadphase->getOverlappingPairCache()->getOverlappingPairArray();
	for (int i = 0; i < pairs.size(); ++i)
		visit(context, (int)(size_t)pairs[i].m_pProxy0->m_clientObject - 1,
		      (int)(size_t)pairs[i].m_pProxy1->m_clientObject - 1);
}

int depth(void *pointer)
{
	bullet *self = (bullet *)pointer;
	if (!self->tree)
		return 0;
	int deepest = 0;
	for (btDbvt &set : self->tree->m_sets) {
		if (!set.m_root)
			continue;
		int levels = btDbvt::maxdepth(set.m_root);
		deepest = levels > deepest ? levels : deepest;
	}
	return deepest;
}

} // namespace

extern "C" {
extern const baseline baseline_bullet_dbvt, baseline_bullet_sap;
const baseline baseline_bullet_dbvt = { "bullet-dbvt", create_dbvt, destroy, insert, find,
	                              each,          depth,       nullptr, nullptr, 0 };
// Its build grows with the square of the boxes: 6 s for 20,000.
const baseline baseline_bullet_sap = { "bullet-sap", create_sap, destroy, insert, find,
	                             each,         depth,      nullptr, nullptr, 25000 };
}
