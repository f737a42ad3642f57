// SPDX-License-Identifier: MIT
//
// The state of a cloth as bytes, and its hash. What can be derived is not in it: edges, masses, the
// surface and the obstacles in it.

#include "cloth/inside.h"

static const char MAGIC[8] = "rblcloth";
enum { VERSION = 1 };

// Counts bytes, and writes or hashes them.
typedef struct writer {
	unsigned char *bytes; // NULL: none are written
	size_t size, capacity;
	uint64_t hash;
} writer;

static void put(writer *w, const void *data, size_t size)
{
	const unsigned char *from = data;
	if (size == 0)
		return;
	if (w->bytes && w->size + size <= w->capacity)
		memcpy(w->bytes + w->size, from, size);
	for (size_t i = 0; i < size; ++i)
		w->hash = (w->hash ^ from[i]) * UINT64_C(0x100000001b3);
	w->size += size;
}

static void put_int(writer *w, int value)
{
	int32_t number = value;
	put(w, &number, sizeof number);
}

static void put_state(const cloth *c, writer *w)
{
	put(w, MAGIC, sizeof MAGIC);
	put_int(w, VERSION);
	put_int(w, c->sheets.count);
	put_int(w, c->particle_count);
	put_int(w, c->triangle_count);
	put_int(w, c->pins.count);
	put_int(w, c->stats.tear_count);
	put_int(w, c->stats.release_count);
	put(w, &c->def.wind, sizeof c->def.wind);
	for (int s = 0; s < c->sheets.count; ++s) {
		const cloth_sheet *x = &c->sheets.data[s];
		const float numbers[6] = { x->thickness, x->density,  x->stiffness,
			                       x->bending,   x->friction, x->tear_strain };
		put(w, numbers, sizeof numbers);
	}
	size_t count = (size_t)c->particle_count;
	put(w, c->positions, count * sizeof *c->positions);
	put(w, c->velocities, count * sizeof *c->velocities);
	put(w, c->rest, count * sizeof *c->rest);
	for (int p = 0; p < c->particle_count; ++p)
		put_int(w, c->particle_sheets[p]);
	for (int i = 0; i < 3 * c->triangle_count; ++i)
		put_int(w, c->triangles[i]);
	for (int i = 0; i < c->pins.count; ++i) {
		const cloth_pin_record *pin = &c->pins.data[i];
		put_int(w, pin->particle);
		put_int(w, pin->releases);
		put(w, &pin->body.index, sizeof pin->body.index);
		put(w, &pin->body.generation, sizeof pin->body.generation);
		put(w, &pin->at, sizeof pin->at);
	}
}

uint64_t cloth_hash(const cloth *c)
{
	writer w = { .hash = UINT64_C(0xcbf29ce484222325) };
	if (c)
		put_state(c, &w);
	return w.hash;
}

rbl_result cloth_save(const cloth *c, void *bytes, size_t *size)
{
	if (!c || !size)
		return cloth_fail(RBL_BAD_ARGUMENT, "cloth: NULL cannot be saved");
	writer w = { .bytes = bytes, .capacity = *size };
	put_state(c, &w);
	bool fits = !bytes || w.size <= w.capacity;
	*size = w.size;
	return fits ? RBL_OK : cloth_fail(RBL_LIMIT_REACHED, "cloth: too little space to save it");
}

// --- loading ------------------------------------------------------------------------------------

typedef struct reader {
	const unsigned char *bytes;
	size_t left;
	bool is_bad;
} reader;

static void get(reader *r, void *to, size_t size)
{
	if (size == 0)
		return;
	if (size > r->left) {
		r->is_bad = true;
		memset(to, 0, size);
		return;
	}
	memcpy(to, r->bytes, size);
	r->bytes += size, r->left -= size;
}

static int get_int(reader *r, int low, int high)
{
	int32_t number = 0;
	get(r, &number, sizeof number);
	if (number < low || number > high)
		r->is_bad = true, number = low;
	return number;
}

static void get_vectors(reader *r, rbl_vec3 *to, int count)
{
	get(r, to, (size_t)count * sizeof *to);
	for (int i = 0; i < count; ++i)
		r->is_bad |= !rbl_is_finite(to[i]);
}

// No count may promise more than the bytes that are left can hold.
static int get_count(reader *r, size_t size_each)
{
	int count = get_int(r, 0, INT32_MAX);
	if ((size_t)count > r->left / size_each)
		r->is_bad = true, count = 0;
	return count;
}

static void get_pins(cloth *c, reader *r, int count)
{
	for (int i = 0; i < count && !r->is_bad; ++i) {
		cloth_pin_record *pin = &c->pins.data[i];
		pin->particle = get_int(r, 0, c->particle_count - 1);
		pin->releases = get_int(r, 0, 1) != 0;
		get(r, &pin->body.index, sizeof pin->body.index);
		get(r, &pin->body.generation, sizeof pin->body.generation);
		get_vectors(r, &pin->at, 1);
	}
	c->pins.count = r->is_bad ? 0 : count;
}

static rbl_result get_state(cloth *c, reader *r)
{
	char magic[8];
	get(r, magic, sizeof magic);
	r->is_bad |= memcmp(magic, MAGIC, sizeof magic) != 0;
	get_int(r, VERSION, VERSION);
	int sheets = get_count(r, 24), particles = get_count(r, 40), triangles = get_count(r, 12);
	int pins = get_count(r, 28);
	c->stats.tear_count = get_int(r, 0, INT32_MAX);
	c->stats.release_count = get_int(r, 0, INT32_MAX);
	get_vectors(r, &c->def.wind, 1);
	if (r->is_bad)
		return RBL_BAD_FILE;
	if (!CLOTH_RESERVE(&c->sheets, sheets + 1) || !cloth_reserve_particles(c, particles + 1) ||
	    !cloth_reserve_triangles(c, triangles + 1) || !CLOTH_RESERVE(&c->pins, pins + 1))
		return RBL_OUT_OF_MEMORY;
	for (int s = 0; s < sheets; ++s) {
		float x[6];
		get(r, x, sizeof x);
		for (int i = 0; i < 6; ++i)
			r->is_bad |= !(x[i] >= (i < 3 ? 1e-6f : 0.0f) && x[i] <= 1e9f);
		c->sheets.data[c->sheets.count++] = (cloth_sheet){ .thickness = x[0],
			                                               .density = x[1],
			                                               .stiffness = x[2],
			                                               .bending = x[3],
			                                               .friction = x[4],
			                                               .tear_strain = x[5] };
	}
	c->particle_count = particles, c->triangle_count = triangles;
	get_vectors(r, c->positions, particles);
	get_vectors(r, c->velocities, particles);
	get_vectors(r, c->rest, particles);
	for (int p = 0; p < particles; ++p)
		c->starts[p] = c->positions[p];
	for (int p = 0; p < particles; ++p)
		c->particle_sheets[p] = get_int(r, 0, sheets - 1);
	for (int i = 0; i < 3 * triangles; ++i)
		c->triangles[i] = get_int(r, 0, particles - 1);
	for (int t = 0; t < triangles && !r->is_bad; ++t) {
		const int *k = c->triangles + 3 * t;
		int sheet = c->triangle_sheets[t] = c->particle_sheets[k[0]];
		r->is_bad |= k[0] == k[1] || k[1] == k[2] || k[2] == k[0] ||
		             c->particle_sheets[k[1]] != sheet || c->particle_sheets[k[2]] != sheet;
	}
	get_pins(c, r, pins);
	return r->is_bad || r->left > 0 ? RBL_BAD_FILE : RBL_OK;
}

rbl_result cloth_load(const void *bytes, size_t size, const cloth_def *def, rbl_world *world,
                      cloth **made)
{
	rbl_result result = cloth_create(def, world, made);
	if (result != RBL_OK)
		return result;
	if (!bytes)
		result = RBL_BAD_ARGUMENT;
	reader r = { .bytes = bytes, .left = size };
	if (result == RBL_OK)
		result = get_state(*made, &r);
	for (int s = 0; result == RBL_OK && s < (*made)->sheets.count; ++s)
		result = cloth_enter_sheet(*made, s);
	if (result == RBL_OK && !cloth_find_edges(*made))
		result = RBL_OUT_OF_MEMORY;
	if (result == RBL_OK)
		return RBL_OK;
	cloth_destroy(*made);
	*made = NULL;
	return cloth_fail(result, result == RBL_OUT_OF_MEMORY ? "cloth: no memory to load it"
	                                                      : "cloth: these bytes are no cloth");
}
