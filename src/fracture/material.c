// SPDX-License-Identifier: MIT
//
// Materials: what things are made of, and how that breaks.
//
// Values may change while worlds use a material; each change gives it a new version, and a world
// compares versions when a step begins. All else never changes, so threads may read it. The values
// themselves are checked and written by the room `collide`, which knows no patterns.

#include "fracture/fracture.h"

#include "base/fields.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/vec.h"
#include "collide/collide.h"
#include "fracture/pattern.h"
#include "fracture/pieces.h"

enum { MATERIAL_COOKIE = 0x6d617465 };

rbl_material_def rbl_default_material_def(void)
{
	const rbl_break_def breaks = rbl_default_break_def();
	return (rbl_material_def){
		.values = rbl_default_material_values(),
		.damage = rbl_default_damage_rule(),
		.frame = { 0.0, 0.0, 0.0, 1.0 },
		.shape = breaks.shape,
		.inner = breaks.inner,
		.fit = breaks.fit,
		.welds = breaks.welds,
		.cut_limit = breaks.cut_limit,
		.debris = { .density = 10.0,
		            .min_radius = 0.005,
		            .max_radius = 0.025,
		            .limit = 32,
		            .lifetime = 5.0f,
		            .speed = 1.0f },
		.cookie = MATERIAL_COOKIE,
	};
}

// --- checks -------------------------------------------------------------------------------------

static bool is_size(double x)
{
	return x >= 0.0 && isfinite(x);
}

static rbl_result check_pattern_frame(const rbl_material_def *def)
{
	const rbl_quatd *q = &def->frame;
	double length = q->x * q->x + q->y * q->y + q->z * q->z + q->w * q->w;
	if ((int)def->placement < 0 || def->placement >= RBL_PLACEMENT_COUNT)
		return rbl_fail(RBL_BAD_ARGUMENT, "material: placement is %d", (int)def->placement);
	if (!(fabs(length - 1.0) < 1e-4))
		return rbl_fail(RBL_BAD_ARGUMENT, "material: frame is no rotation of unit length");
	return rbl_check_cut(def->frame_origin, def->shape, &def->inner, def->cut_limit);
}

static rbl_result check_debris(const rbl_debris_rule *d)
{
	if ((int)d->kind < 0 || d->kind >= RBL_DEBRIS_KIND_COUNT)
		return rbl_fail(RBL_BAD_ARGUMENT, "material: debris.kind is %d", (int)d->kind);
	if (!is_size(d->density) || !is_size(d->dust_density))
		return rbl_fail(RBL_BAD_ARGUMENT, "material: debris.density is %g, dust_density %g",
		                d->density, d->dust_density);
	if (!(d->min_radius >= 1e-3 && d->min_radius <= d->max_radius && d->max_radius <= 1e3))
		return rbl_fail(RBL_BAD_ARGUMENT, "material: debris has radii of %g to %g m", d->min_radius,
		                d->max_radius);
	if (d->limit < 0 || !(d->lifetime > 0.0f) || !(d->speed >= 0.0f && d->speed <= 1000.0f))
		return rbl_fail(RBL_BAD_ARGUMENT,
		                "material: debris.limit is %d, lifetime %g s, speed %g m/s", d->limit,
		                (double)d->lifetime, (double)d->speed);
	return RBL_OK;
}

static rbl_result check_breaking(const rbl_material_def *def)
{
	const rbl_bond_strengths *s = &def->strengths;
	if (!is_size(s->tension) || !is_size(s->shear) || !is_size(s->compression))
		return rbl_fail(RBL_BAD_ARGUMENT, "material: strengths of %g, %g and %g Pa", s->tension,
		                s->shear, s->compression);
	if ((int)def->fit < RBL_FIT_BOX || def->fit > RBL_FIT_26)
		return rbl_fail(RBL_BAD_ARGUMENT, "material: fit is %d", (int)def->fit);
	rbl_result result = rbl_damage_rule_check(&def->damage);
	if (result == RBL_OK)
		result = check_pattern_frame(def);
	return result == RBL_OK ? check_debris(&def->debris) : result;
}

static rbl_result check_def(const rbl_material_def *def)
{
	if (!def || def->cookie != MATERIAL_COOKIE)
		return rbl_fail(RBL_BAD_ARGUMENT, "start from rbl_default_material_def()");
	if (!rbl_allocator_is_valid(&def->allocator))
		return rbl_fail(RBL_BAD_ARGUMENT, "allocator has one function of two");
	if (rbl_material_check(&def->values) != RBL_OK)
		return RBL_BAD_ARGUMENT;
	size_t length = def->name ? strlen(def->name) : 0;
	if (length >= RBL_MAX_MATERIAL_NAME)
		return rbl_fail(RBL_BAD_ARGUMENT, "the name of a material has %zu bytes, at most %d",
		                length, RBL_MAX_MATERIAL_NAME - 1);
	return check_breaking(def);
}

// --- making -------------------------------------------------------------------------------------

static void free_material(rbl_material *m)
{
	rbl_allocator allocator = m->allocator;
	const rbl_damage_rule *rule = &m->def.damage;
	rbl_damage_level *levels = (rbl_damage_level *)(uintptr_t)rule->levels;
	for (int i = 0; levels && i < rule->level_count; ++i)
		rbl_destroy_pattern((rbl_pattern *)(uintptr_t)levels[i].pattern);
	RBL_FREE(&allocator, levels, rule->level_count);
	RBL_FREE(&allocator, m, 1);
}

// All but the levels.
static rbl_material *new_material(const rbl_material_def *def)
{
	rbl_allocator allocator = rbl_allocator_or_default(&def->allocator);
	rbl_material *m = RBL_NEW_ZERO(&allocator, rbl_material, 1);
	if (!m)
		return NULL;
	m->values = def->values;
	m->allocator = allocator;
	m->def = *def;
	m->def.damage.levels = NULL;
	m->def.damage.level_count = 0;
	if (def->name)
		memcpy(m->name, def->name, strlen(def->name));
	m->def.name = m->name;
	return m;
}

rbl_result rbl_create_material(const rbl_material_def *def, rbl_material **material)
{
	if (!material)
		return rbl_fail(RBL_BAD_ARGUMENT, "material is NULL");
	*material = NULL;
	if (check_def(def) != RBL_OK)
		return RBL_BAD_ARGUMENT;
	rbl_material *made = new_material(def);
	if (!made)
		return RBL_OUT_OF_MEMORY;
	int count = def->damage.level_count;
	if (count > 0) {
		rbl_damage_level *levels = RBL_NEW(&made->allocator, rbl_damage_level, count);
		if (!levels) {
			free_material(made);
			return RBL_OUT_OF_MEMORY;
		}
		for (int i = 0; i < count; ++i) {
			levels[i] = def->damage.levels[i];
			rbl_pattern_share(levels[i].pattern);
		}
		made->def.damage.levels = levels;
		made->def.damage.level_count = count;
	}
	*material = made;
	return RBL_OK;
}

void rbl_destroy_material(rbl_material *material)
{
	if (material && rbl_drop_reference(&material->references))
		free_material(material);
}

rbl_material_def rbl_material_get_def(const rbl_material *material)
{
	if (!material)
		return rbl_default_material_def();
	rbl_material_def def = material->def;
	def.values = material->values;
	return def;
}

// --- as bytes -----------------------------------------------------------------------------------

#define SIZE(member) RBL_FIELD_OF(rbl_material_def, member, RBL_FIELD_KIND_DOUBLE, 8, 0, INFINITY)

// What is wrong in other ways than these is refused by rbl_create_material().
static const rbl_field def_fields[] = {
	SIZE(damage.radius_limit),
	SIZE(damage.min_size),
	SIZE(damage.dust_size),
	SIZE(damage.bend_energy),
	SIZE(damage.bend_depth),
	SIZE(damage.bend_radius),
	SIZE(damage.wear_energy),
	RBL_FIELD_INT(rbl_material_def, damage.wear_exponent, 1, 8),
	SIZE(damage.wear_radius),
	SIZE(damage.bond_energy),
	SIZE(strengths),
	RBL_FIELD_INT(rbl_material_def, placement, 0, RBL_PLACEMENT_COUNT - 1),
	RBL_FIELD_DOUBLES(rbl_material_def, frame),
	RBL_FIELD_DOUBLES(rbl_material_def, frame_origin),
	RBL_FIELD_DOUBLES(rbl_material_def, shape),
	RBL_FIELD_INT(rbl_material_def, inner.material, -1, 1 << 30),
	RBL_FIELD_DOUBLES(rbl_material_def, inner.uv_scale),
	RBL_FIELD_FLOATS(rbl_material_def, inner.uv_offset),
	RBL_FIELD_LONGS(rbl_material_def, inner.uv_seed),
	RBL_FIELD_FLOATS(rbl_material_def, inner.atlas_lower),
	RBL_FIELD_FLOATS(rbl_material_def, inner.atlas_upper),
	RBL_FIELD_FLOATS(rbl_material_def, inner.color),
	RBL_FIELD_DOUBLES(rbl_material_def, inner.roughness),
	RBL_FIELD_DOUBLES(rbl_material_def, inner.rough_step),
	RBL_FIELD_INT(rbl_material_def, fit, RBL_FIT_BOX, RBL_FIT_26),
	RBL_FIELD_BOOL(rbl_material_def, welds),
	RBL_FIELD_INT(rbl_material_def, cut_limit, 1, 1 << 30),
	RBL_FIELD_INT(rbl_material_def, debris.kind, 0, RBL_DEBRIS_KIND_COUNT - 1),
	SIZE(debris.density),
	SIZE(debris.min_radius),
	SIZE(debris.max_radius),
	RBL_FIELD_INT(rbl_material_def, debris.limit, 0, 1 << 30),
	RBL_FIELD_FLOATS(rbl_material_def, debris.lifetime),
	RBL_FIELD_FLOATS(rbl_material_def, debris.speed),
	SIZE(debris.dust_density),
};

enum { LEVEL_BYTES = 24 };

void rbl_material_save(const rbl_material *material, rbl_blob_writer *w)
{
	_Static_assert(sizeof(void *) < 8 || sizeof(rbl_material_def) == 496,
	               "a new field of materials: is it saved?");
	const rbl_damage_rule *rule = &material->def.damage;
	rbl_material_values_save(&material->values, w);
	rbl_blob_put_bytes(w, material->name, RBL_MAX_MATERIAL_NAME);
	rbl_blob_put_struct(w, def_fields, &material->def);
	rbl_blob_put32(w, (uint32_t)rule->level_count);
	for (int i = 0; i < rule->level_count; ++i) {
		const rbl_damage_level *level = &rule->levels[i];
		rbl_blob_put_double(w, level->energy);
		rbl_blob_put_double(w, level->radius);
		rbl_blob_put64(w, rbl_pattern_key(level->pattern));
	}
}

uint64_t rbl_material_hash(const rbl_material *material, uint64_t hash)
{
	if (!material)
		return rbl_hash_number(hash, 0);
	const rbl_material_def *def = &material->def;
	hash = rbl_material_values_hash(&material->values, hash);
	hash = rbl_hash_bytes(hash, material->name, sizeof material->name);
	for (size_t i = 0; i < sizeof def_fields / sizeof def_fields[0]; ++i) {
		const rbl_field *f = &def_fields[i];
		bool is_wide = f->kind == RBL_FIELD_KIND_LONG || f->kind == RBL_FIELD_KIND_DOUBLE;
		size_t unit = f->kind == RBL_FIELD_KIND_BOOL ? 1 : is_wide ? 8 : 4;
		hash = rbl_hash_bytes(hash, (const char *)def + f->offset, f->count * unit);
	}
	for (int i = 0; i < def->damage.level_count; ++i) {
		const rbl_damage_level *level = &def->damage.levels[i];
		hash = rbl_hash_bytes(hash, &level->energy, sizeof level->energy);
		hash = rbl_hash_bytes(hash, &level->radius, sizeof level->radius);
		hash = rbl_hash_number(hash, rbl_pattern_key(level->pattern));
	}
	return hash;
}

static void get_levels(rbl_blob_reader *r, rbl_pattern_finder *find, void *user,
                       rbl_damage_level *levels, int count)
{
	for (int i = 0; i < count && !r->is_bad; ++i) {
		levels[i].energy = rbl_blob_get_double(r);
		levels[i].radius = rbl_blob_get_double(r);
		uint64_t key = rbl_blob_get64(r);
		levels[i].pattern = find && !r->is_bad ? find(user, key) : NULL;
		rbl_blob_expect(r, levels[i].pattern && rbl_pattern_key(levels[i].pattern) == key,
		                "a pattern is not to be found");
	}
}

bool rbl_material_load(rbl_blob_reader *r, const rbl_allocator *allocator, rbl_pattern_finder *find,
                       void *user, rbl_material **material)
{
	*material = NULL;
	rbl_material_def def = rbl_default_material_def();
	char name[RBL_MAX_MATERIAL_NAME];
	rbl_material_values_load(r, &def.values);
	rbl_blob_get_bytes(r, name, sizeof name);
	rbl_blob_get_struct(r, def_fields, &def);
	int count = rbl_blob_get_count(r, LEVEL_BYTES);
	if (!rbl_blob_expect(r, !r->is_bad && name[sizeof name - 1] == 0, "a material is wrong"))
		return false;
	rbl_damage_level *levels = RBL_NEW_ZERO(allocator, rbl_damage_level, count + 1);
	r->out_of_memory |= !levels;
	if (!levels)
		return false;
	get_levels(r, find, user, levels, count);
	def.damage.levels = levels;
	def.damage.level_count = count;
	def.name = name;
	def.allocator = *allocator;
	rbl_result result = r->is_bad ? RBL_BAD_FILE : rbl_create_material(&def, material);
	RBL_FREE(allocator, levels, count + 1);
	r->out_of_memory |= result == RBL_OUT_OF_MEMORY;
	return rbl_blob_expect(r, result == RBL_OK || r->out_of_memory, "a material is wrong") &&
	       result == RBL_OK;
}
