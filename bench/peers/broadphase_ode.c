// SPDX-License-Identifier: MIT
//
// The spaces of the Open Dynamics Engine that the paper compares with: hash, quadtree, sweep.
//
// A box is a geom of a class of our own that hands ODE its bounds. Moving a geom marks it, and
// dSpaceClean(), which reads the bounds of marked geoms, counts as taking in. ODE keeps no pairs: it
// reports all of them in every step. Category bits keep static boxes apart.
//
// Hash levels are cells of 1/4 to 128 m; the quadtree has cells of about 2 m and lies on the ground
// (ODE's lies in x and y, so y and z are exchanged); the sweep goes along x first.

#include "../broadphase_baseline.h"

#include <rubble/vec.h>

#include <ode/ode.h>
#include <stdlib.h>

typedef struct box_link {
	const rbl_box *box;
	int id;
	bool is_turned; // y and z exchanged
} box_link;

typedef struct ode_space {
	dSpaceID space;
	dGeomID *geoms; // by id
	bool is_turned;
	baseline_pair *pairs;
	int pair_count, pair_capacity;
} ode_space;

static void read_bounds(dGeomID geom, dReal bounds[6])
{
	const box_link *link = dGeomGetClassData(geom);
	for (int k = 0; k < 3; ++k) {
		int axis = link->is_turned && k > 0 ? 3 - k : k;
		bounds[2 * k] = (dReal)rbl_axis(link->box->lower, axis);
		bounds[2 * k + 1] = (dReal)rbl_axis(link->box->upper, axis);
	}
}

static dColliderFn *collides_with_none(int class)
{
	(void)class;
	return NULL;
}

static int box_class(void)
{
	static int class = -1;
	if (class < 0) {
		dInitODE2(0);
		dGeomClass description = { 0 };
		description.bytes = sizeof(box_link);
		description.collider = collides_with_none;
		description.aabb = read_bounds;
		class = dCreateGeomClass(&description);
	}
	return class;
}

static void *wrap(const stream *s, dSpaceID space, bool is_turned)
{
	ode_space *self = calloc(1, sizeof *self);
	self->geoms = calloc((size_t)s->capacity, sizeof *self->geoms);
	self->is_turned = is_turned;
	self->space = space;
	dSpaceSetCleanup(space, 1);
	return self;
}

static void *create_hash(const stream *s)
{
	box_class();
	dSpaceID space = dHashSpaceCreate(0);
	dHashSpaceSetLevels(space, -2, 7);
	return wrap(s, space, false);
}

static void *create_quad(const stream *s)
{
	box_class();
	rbl_vec3 l = s->world.lower, u = s->world.upper;
	dVector3 centre = { 0.5 * ((double)l.x + (double)u.x), 0.5 * ((double)l.z + (double)u.z),
		                0.5 * ((double)l.y + (double)u.y) };
	dVector3 half = { 0.5 * ((double)u.x - (double)l.x), 0.5 * ((double)u.z - (double)l.z),
		              0.5 * ((double)u.y - (double)l.y) };
	double wide = 2.0 * (half[0] > half[1] ? half[0] : half[1]);
	int depth = 1;
	while (depth < 9 && wide > 2.0 * (1 << depth))
		depth++;
	return wrap(s, dQuadTreeSpaceCreate(0, centre, half, depth), true);
}

static void *create_sap(const stream *s)
{
	box_class();
	return wrap(s, dSweepAndPruneSpaceCreate(0, dSAP_AXES_XZY), false);
}

static void destroy(void *pointer)
{
	ode_space *self = pointer;
	dSpaceDestroy(self->space);
	free(self->geoms);
	free(self->pairs);
	free(self);
}

// The position is never read; setting it marks the geom.
static void mark_moved(dGeomID geom)
{
	dGeomSetPosition(geom, 0.0, 0.0, 0.0);
}

static void insert(void *pointer, const stream *s)
{
	ode_space *self = pointer;
	for (int i = 0; i < s->destroyed.count; ++i)
		dGeomDestroy(self->geoms[s->destroyed.ids[i]]);
	for (int i = 0; i < s->created.count; ++i) {
		int id = s->created.ids[i];
		dGeomID geom = dCreateGeom(box_class());
		box_link *link = dGeomGetClassData(geom);
		*link = (box_link){ &s->boxes[id], id, self->is_turned };
		bool is_static = s->kinds[id] == STREAM_STATIC;
		dGeomSetCategoryBits(geom, is_static ? 1 : 2);
		dGeomSetCollideBits(geom, is_static ? 2 : 3);
		mark_moved(geom);
		dSpaceAdd(self->space, geom);
		self->geoms[id] = geom;
	}
	for (int i = 0; i < s->moved.count; ++i)
		mark_moved(self->geoms[s->moved.ids[i]]);
	dSpaceClean(self->space);
}

static void on_near(void *pointer, dGeomID a, dGeomID b)
{
	ode_space *self = pointer;
	if (self->pair_count == self->pair_capacity) {
		self->pair_capacity = self->pair_capacity ? 2 * self->pair_capacity : 4096;
		self->pairs = realloc(self->pairs, (size_t)self->pair_capacity * sizeof *self->pairs);
	}
	const box_link *first = dGeomGetClassData(a), *second = dGeomGetClassData(b);
	self->pairs[self->pair_count++] = (baseline_pair){ first->id, second->id };
}

static void find(void *pointer, const stream *s)
{
	(void)s;
	ode_space *self = pointer;
	self->pair_count = 0;
	dSpaceCollide(self->space, self, on_near);
}

static void each(void *pointer, void (*visit)(void *context, int a, int b), void *context)
{
	const ode_space *self = pointer;
	for (int i = 0; i < self->pair_count; ++i)
		visit(context, self->pairs[i].a, self->pairs[i].b);
}

// It clears a table of all pairs in every step, a gigabyte for 100,000 boxes, and one step of S4 takes
// minutes.
const baseline baseline_ode_hash = { "ode-hash", create_hash, destroy, insert, find,
	                                 each,       NULL,        NULL,    NULL,   25000 };
// It goes through all of a block to take one box out: minutes to build 100,000.
const baseline baseline_ode_quad = { "ode-quad", create_quad, destroy, insert, find,
	                                 each,       NULL,        NULL,    NULL,   25000 };
const baseline baseline_ode_sap = { "ode-sap", create_sap, destroy, insert, find,
	                                each,      NULL,       NULL,    NULL };
