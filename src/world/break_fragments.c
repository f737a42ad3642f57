// SPDX-License-Identifier: MIT
//
// Breaking: the pieces of a break become dust or fragments.
//
// Every piece gets a body of its own, all in one batch. It moves as its place in the old body did,
// so that momentum is kept. Pieces below the dust size of the rule, and those without volume in
// single precision, are reported as dust, with place, velocity and volume, and have no body.

#include "world/world.h"

#include "base/math.h"

// How a body moves, in the coordinates of its shape.
static rbl_motion motion_in_shape(const rbl_world *world, int body)
{
	const rbl_body_motion *m = &world->motions[body];
	return (rbl_motion){ rbl_to_d(world->bodies[body].local_centre),
		                 rbl_to_d(rbl_rotate_inverse(m->rotation, m->velocity)),
		                 rbl_to_d(rbl_rotate_inverse(m->rotation, m->angular_velocity)) };
}

typedef struct dust_sizes {
	const rbl_world *world;
	int body;
} dust_sizes;

static double dust_size_of(const dust_sizes *s, const rbl_compound *compound, int material)
{
	const rbl_material_def *def = rbl_world_breaking(s->world, s->body, compound, material);
	return def ? def->damage.dust_size : 0.0;
}

// The least that any of its parts says: what has a large piece of glass in it is no dust.
static double fragment_dust_size(void *user, const rbl_compound *fragment)
{
	const dust_sizes *s = user;
	rbl_compound_info info = rbl_compound_get_info(fragment);
	double least = info.material_count == 1 ? dust_size_of(s, fragment, 0) : (double)INFINITY;
	for (int i = 0; i < info.part_end && info.material_count > 1; ++i) {
		rbl_compound_part part = rbl_compound_get_part(fragment, i);
		if (part.convex)
			least = rbl_mind(least, dust_size_of(s, fragment, part.material));
	}
	return least;
}

// Whether a material of a body has a dust size.
static bool may_be_dust(const dust_sizes *s)
{
	const rbl_compound *compound = s->world->bodies[s->body].compound;
	int count = rbl_compound_get_info(compound).material_count;
	for (int i = 0; i < count; ++i)
		if (dust_size_of(s, compound, i) > 0.0)
			return true;
	return false;
}

void rbl_world_take_dust(rbl_world *world, rbl_body_id parent, rbl_break *broken)
{
	enum { MAX_DUST_AT_ONCE = 64 };
	dust_sizes sizes = { world, (int)parent.index };
	if (!may_be_dust(&sizes))
		return;
	rbl_motion motion = motion_in_shape(world, (int)parent.index);
	rbl_transform pose = rbl_body_pose(world, parent);
	rbl_dust_fragment found[MAX_DUST_AT_ONCE];
	int dust_count;
	do {
		dust_count = rbl_break_take_dust_by(broken, fragment_dust_size, &sizes, &motion, found,
		                                    MAX_DUST_AT_ONCE);
		for (int i = 0; i < dust_count; ++i) {
			rbl_dust_fragment d = found[i];
			d.position = rbl_to_d(rbl_transform_point(pose, rbl_to_f(d.position)));
			d.velocity = rbl_to_d(rbl_rotate(pose.rotation, rbl_to_f(d.velocity)));
			world->lost_events += !rbl_array_push(&world->allocator, &world->dust, d);
		}
	} while (dust_count == MAX_DUST_AT_ONCE);
}

// The centre of mass of what is going to be a body.
static rbl_vec3d fragment_centre(const rbl_world *world, const rbl_body *parent,
                                 const rbl_compound *compound)
{
	float density = world->materials.data[parent->material].values.density;
	if (rbl_compound_get_info(compound).material_count > 1)
		return rbl_world_compound_mass(world, compound, density).centre;
	return rbl_compound_get_visual_mass(compound).centre;
}

static rbl_body_def fragment_def(const rbl_world *world, rbl_body_id parent, rbl_compound *compound)
{
	const rbl_body *b = &world->bodies[parent.index];
	const rbl_body_motion *m = &world->motions[parent.index];
	rbl_transform pose = rbl_body_pose(world, parent);
	rbl_body_def def = rbl_default_body_def();
	def.kind = RBL_BODY_DYNAMIC; // whatever its parent was
	def.compound = compound;
	def.pose = pose;
	rbl_vec3 centre = rbl_transform_point(pose, rbl_to_f(fragment_centre(world, b, compound)));
	def.velocity = rbl_add(m->velocity, rbl_cross(m->angular_velocity, rbl_sub(centre, m->centre)));
	def.angular_velocity = m->angular_velocity;
	def.material = world->materials.data[b->material].values;
	def.shared_material = world->materials.data[b->material].shared;
	def.filter = b->filter;
	def.linear_damping = b->linear_damping, def.angular_damping = b->angular_damping;
	def.gravity_scale = b->gravity_scale;
	def.original_field = b->original;
	def.contact_method = rbl_world_contact_method(m->flags, b->original);
	def.can_sleep = m->flags & RBL_BODY_CAN_SLEEP;
	def.is_bullet = m->flags & RBL_BODY_BULLET;
	def.locks = m->flags >> RBL_BODY_LOCK_SHIFT & RBL_SOLVER_LOCK_ALL;
	def.is_sensor = m->flags & RBL_BODY_SENSOR;
	def.is_enabled = m->flags & RBL_BODY_ENABLED;
	def.user = b->user;
	return def;
}

// Report a piece that cannot be a body.
static void add_dust(rbl_world *world, const rbl_body_def *def)
{
	rbl_mass mass = rbl_compound_get_visual_mass(def->compound);
	rbl_dust_fragment d = { .position =
		                        rbl_to_d(rbl_transform_point(def->pose, rbl_to_f(mass.centre))),
		                    .velocity = rbl_to_d(def->velocity),
		                    .volume = mass.volume,
		                    .radius = rbl_cbrt(mass.volume * (3.0 / (4.0 * 3.141592653589793))) };
	world->lost_events += !rbl_array_push(&world->allocator, &world->dust, d);
}

int rbl_world_create_fragments(rbl_world *world, rbl_body_id parent, rbl_break *broken)
{
	rbl_break_data data = rbl_break_get_data(broken);
	int count = 0, first = world->fracture_bodies.count, made = 0;
	world->fragment_of.count = 0;
	const rbl_allocator *a = &world->allocator;
	rbl_body_def *defs = RBL_NEW(a, rbl_body_def, data.compound_count);
	int *from = RBL_NEW(a, int, data.compound_count);
	if (defs && from &&
	    rbl_array_reserve(a, &world->fracture_bodies, first + data.compound_count) &&
	    rbl_array_resize(a, &world->fragment_of, data.compound_count)) {
		for (int i = 0; i < data.compound_count; ++i) {
			world->fragment_of.data[i] = RBL_NONE;
			if (!data.compounds[i])
				continue; // dust
			from[count] = i;
			defs[count++] = fragment_def(world, parent, data.compounds[i]);
		}
		rbl_body_id *ids = world->fracture_bodies.data + first;
		if (count > 0 && rbl_create_bodies(world, defs, count, ids) == RBL_OK) {
			for (int i = 0; i < count; ++i) {
				rbl_break_take(broken, from[i]); // the world's now
				world->fragment_of.data[from[i]] = first + made++;
			}
		} else { // one of them may be too small for single precision: each by itself
			for (int i = 0; i < count; ++i) {
				rbl_result result = rbl_create_bodies(world, &defs[i], 1, &ids[made]);
				if (result == RBL_OK)
					rbl_break_take(broken, from[i]),
						world->fragment_of.data[from[i]] = first + made++;
				else if (result == RBL_OUT_OF_MEMORY)
					world->stats.lost_count++;
				else
					add_dust(world, &defs[i]);
			}
		}
		world->fracture_bodies.count = first + made;
		for (int i = 0; i < made; ++i)
			world->bodies[ids[i].index].fragment_number = ++world->fragment_count,
			rbl_world_mark_broken(world, (int)ids[i].index);
		world->debris_count += made;
		bool is_blown =
			world->blasts.count > 0 && world->bodies[parent.index].kind != RBL_BODY_DYNAMIC;
		for (int i = 0; is_blown && i < made; ++i)
			world->stats.lost_count += !rbl_array_push(a, &world->blown, ids[i]);
	} else {
		world->stats.lost_count++;
	}
	RBL_FREE(a, defs, data.compound_count);
	RBL_FREE(a, from, data.compound_count);
	return made;
}
