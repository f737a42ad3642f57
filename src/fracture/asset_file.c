// SPDX-License-Identifier: MIT
//
// Assets as bytes, little-endian, without pointers.
//
//   "RBLA"  u32 version  u64 size  u64 hash  u64 key     then what follows is hashed with the key
//   report, nodes, next plane id
//   parts: convex, mesh, origin
//   bonds
//
// The tree and the common parts of overlaps are made again on reading, by the rules that made them
// first: they are the same, and there is nothing to forge. All numbers are checked, so that a block
// with a right hash and wrong content is refused as well.

#include "fracture/asset.h"

#include "base/hash.h"
#include "base/log.h"
#include "base/vec.h"

enum { VERSION = 1, HEADER = 32, MOST_ITEMS = 1 << 28 };

static const unsigned char magic[4] = { 'R', 'B', 'L', 'A' };

// --- writing ------------------------------------------------------------------------------------

typedef struct writer {
	unsigned char *bytes; // NULL: only count
	size_t at;
} writer;

static void put32(writer *w, uint32_t value)
{
	for (int i = 0; i < 4 && w->bytes; ++i)
		w->bytes[w->at + (size_t)i] = (unsigned char)(value >> (8 * i));
	w->at += 4;
}

static void put64(writer *w, uint64_t value)
{
	put32(w, (uint32_t)value);
	put32(w, (uint32_t)(value >> 32));
}

static void put_double(writer *w, double value)
{
	uint64_t bits;
	memcpy(&bits, &value, sizeof bits);
	put64(w, bits);
}

static void put_doubles(writer *w, const double *values, size_t count)
{
	for (size_t i = 0; i < count; ++i)
		put_double(w, values[i]);
}

static void put_ints(writer *w, const int *values, size_t count)
{
	for (size_t i = 0; i < count; ++i)
		put32(w, (uint32_t)values[i]);
}

// A flag, and floats if there are any.
static void put_floats(writer *w, const float *values, size_t count)
{
	put32(w, values != NULL);
	for (size_t i = 0; values && i < count; ++i) {
		uint32_t bits;
		memcpy(&bits, &values[i], sizeof bits);
		put32(w, bits);
	}
}

static void put_convex(writer *w, const rbl_convex *convex)
{
	rbl_convex_data d = rbl_convex_view(convex);
	size_t faces = (size_t)d.face_count, vertices = (size_t)d.vertex_count;
	put32(w, (uint32_t)d.face_count);
	put32(w, d.is_approximate);
	put_doubles(w, &d.planes[0].normal.x, 4 * faces);
	for (size_t f = 0; f < faces; ++f)
		put64(w, d.plane_ids[f]);
	put_doubles(w, &d.vertices[0].x, 3 * vertices);
	put_ints(w, d.face_starts, faces + 1);
	put_ints(w, d.corner_vertices, 3 * vertices);
	put_ints(w, d.corner_faces, 3 * vertices);
}

static void put_mesh(writer *w, const rbl_mesh *mesh)
{
	put32(w, mesh != NULL);
	if (!mesh)
		return;
	rbl_mesh_data d = rbl_mesh_view(mesh);
	size_t corners = (size_t)d.corner_count, faces = (size_t)d.face_count;
	put32(w, (uint32_t)d.vertex_count);
	put32(w, (uint32_t)d.face_count);
	put32(w, (uint32_t)d.corner_count);
	put32(w, (uint32_t)d.material_count);
	put_doubles(w, &d.positions[0].x, 3 * (size_t)d.vertex_count);
	put_ints(w, d.face_starts, faces + 1);
	put_ints(w, d.corner_vertices, corners);
	put_floats(w, d.corner_normals ? &d.corner_normals[0].x : NULL, 3 * corners);
	put_floats(w, d.corner_uv0 ? &d.corner_uv0[0].x : NULL, 2 * corners);
	put_floats(w, d.corner_uv1 ? &d.corner_uv1[0].x : NULL, 2 * corners);
	put_floats(w, d.corner_colors ? &d.corner_colors[0].x : NULL, 4 * corners);
	put32(w, d.face_materials != NULL);
	if (d.face_materials)
		put_ints(w, d.face_materials, faces);
	for (int i = 0; i < d.material_count; ++i) {
		const rbl_mesh_material *m = &d.materials[i];
		for (size_t k = 0; k < sizeof m->name / 4; ++k) {
			uint32_t four = 0;
			for (size_t j = 0; j < 4; ++j)
				four |= (uint32_t)(unsigned char)m->name[4 * k + j] << (8 * j);
			put32(w, four);
		}
		const float numbers[6] = { m->base_color.x, m->base_color.y, m->base_color.z,
			                       m->base_color.w, m->metallic,     m->roughness };
		put_floats(w, numbers, 6);
	}
}

static void put_asset(writer *w, const rbl_asset *asset)
{
	const rbl_asset_report *r = &asset->report;
	const rbl_compound *c = asset->compound;
	w->at = HEADER;
	put32(w, (uint32_t)r->shell_count);
	put32(w, (uint32_t)r->part_count);
	put32(w, (uint32_t)asset->nodes.count);
	put32(w, (uint32_t)c->bonds.count);
	put32(w, (uint32_t)r->kept_count);
	put32(w, (uint32_t)r->stop);
	put32(w, (uint32_t)r->loose_count);
	const double numbers[] = { r->mesh_volume, r->visual_volume, r->convex_volume, r->worst_ratio,
		                       c->tolerance };
	put_doubles(w, numbers, 5);
	put64(w, c->next_plane_id);
	for (int i = 0; i < asset->nodes.count; ++i)
		put_doubles(w, &asset->nodes.data[i].x, 3);
	for (int i = 0; i < r->part_count; ++i) {
		const rbl_asset_origin *o = &asset->origins[i];
		put32(w, (uint32_t)o->shell);
		put32(w, (uint32_t)o->node);
		put64(w, o->key);
		put_double(w, o->visual_volume);
		put_double(w, c->members.data[i].volume);
		put_convex(w, c->members.data[i].convex);
		put_mesh(w, c->members.data[i].mesh);
	}
	for (int i = 0; i < c->bonds.count; ++i) {
		const rbl_bond *b = &c->bonds.data[i];
		put_ints(w, b->members, 2);
		put_ints(w, b->faces, 2);
		put32(w, b->is_overlap);
		put_double(w, b->area);
		put_doubles(w, &b->centre.x, 3);
		put_double(w, b->strength);
	}
}

static void put_header(writer *w, const rbl_asset *asset, size_t size)
{
	w->at = 24;
	put64(w, asset->report.key);
	uint64_t hash = rbl_hash_bytes(RBL_HASH_START, w->bytes + 24, size - 24);
	memcpy(w->bytes, magic, 4);
	w->at = 4;
	put32(w, VERSION);
	put64(w, (uint64_t)size);
	put64(w, hash);
}

rbl_result rbl_asset_save(const rbl_asset *asset, void *bytes, size_t *size)
{
	if (!asset || !size)
		return rbl_fail(RBL_BAD_ARGUMENT, "asset or size is NULL");
	writer w = { 0 };
	put_asset(&w, asset);
	size_t room = *size;
	*size = w.at;
	if (!bytes)
		return RBL_OK;
	if (room < *size)
		return rbl_fail(RBL_LIMIT_REACHED, "room for %zu bytes, need %zu", room, *size);
	w.bytes = bytes;
	put_asset(&w, asset);
	put_header(&w, asset, *size);
	return RBL_OK;
}

// --- reading ------------------------------------------------------------------------------------

// Reads past the end give zero and set `is_short`.
typedef struct reader {
	const unsigned char *bytes;
	size_t at, size;
	bool is_short;
	rbl_arena scratch; // arrays of the part that is read
	bool out_of_memory;
} reader;

static uint32_t get32(reader *r)
{
	if (r->size - r->at < 4) {
		r->is_short = true;
		return 0;
	}
	const unsigned char *p = r->bytes + r->at;
	r->at += 4;
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint64_t get64(reader *r)
{
	uint64_t low = get32(r);
	return low | (uint64_t)get32(r) << 32;
}

static double get_double(reader *r)
{
	uint64_t bits = get64(r);
	double value;
	memcpy(&value, &bits, sizeof value);
	return value;
}

// Room for items, when the block is long enough to hold them. @return NULL otherwise
static void *get_room(reader *r, size_t count, size_t size)
{
	if (count > MOST_ITEMS || count * size > r->size - r->at || r->is_short) {
		r->is_short = true;
		return NULL;
	}
	void *room = rbl_arena_allocate(&r->scratch, count, size);
	r->out_of_memory |= room == NULL;
	return room;
}

static double *get_doubles(reader *r, size_t count)
{
	double *values = get_room(r, count, sizeof *values);
	for (size_t i = 0; values && i < count; ++i)
		values[i] = get_double(r);
	return values;
}

static int *get_ints(reader *r, size_t count)
{
	int *values = get_room(r, count, sizeof *values);
	for (size_t i = 0; values && i < count; ++i)
		values[i] = (int)get32(r);
	return values;
}

static float *get_floats(reader *r, size_t count)
{
	float *values = get32(r) != 0 ? get_room(r, count, sizeof *values) : NULL;
	for (size_t i = 0; values && i < count; ++i) {
		uint32_t bits = get32(r);
		memcpy(&values[i], &bits, sizeof bits);
	}
	return values;
}

static rbl_result reader_result(const reader *r)
{
	return r->out_of_memory ? RBL_OUT_OF_MEMORY : r->is_short ? RBL_BAD_FILE : RBL_OK;
}

static rbl_result get_convex(reader *r, const rbl_allocator *allocator, rbl_convex **convex)
{
	rbl_convex_data d = { .face_count = (int)get32(r) };
	d.is_approximate = get32(r) != 0;
	if (d.face_count < 4 || d.face_count > RBL_MAX_CONVEX_FACES)
		return RBL_BAD_FILE;
	size_t faces = (size_t)d.face_count, vertices = 2 * faces - 4;
	d.vertex_count = (int)vertices;
	d.planes = (const rbl_planed *)(void *)get_doubles(r, 4 * faces);
	uint64_t *ids = get_room(r, faces, sizeof *ids);
	for (size_t f = 0; ids && f < faces; ++f)
		ids[f] = get64(r);
	d.plane_ids = ids;
	d.vertices = (const rbl_vec3d *)(void *)get_doubles(r, 3 * vertices);
	d.face_starts = get_ints(r, faces + 1);
	d.corner_vertices = get_ints(r, 3 * vertices);
	d.corner_faces = get_ints(r, 3 * vertices);
	rbl_result result = reader_result(r);
	return result == RBL_OK ? rbl_convex_from_data(&d, allocator, convex) : result;
}

static rbl_mesh_material *get_materials(reader *r, size_t count)
{
	rbl_mesh_material *materials = get_room(r, count, sizeof *materials);
	for (size_t i = 0; materials && i < count; ++i) {
		rbl_mesh_material *m = &materials[i];
		for (size_t k = 0; k < sizeof m->name / 4; ++k) {
			uint32_t four = get32(r);
			for (size_t j = 0; j < 4; ++j)
				m->name[4 * k + j] = (char)(unsigned char)(four >> (8 * j));
		}
		m->name[sizeof m->name - 1] = '\0';
		const float *n = get_floats(r, 6);
		if (!n) {
			r->is_short = true;
			return NULL;
		}
		m->base_color = (rbl_vec4){ n[0], n[1], n[2], n[3] };
		m->metallic = n[4], m->roughness = n[5];
	}
	return materials;
}

static rbl_result get_mesh(reader *r, const rbl_allocator *allocator, rbl_mesh **mesh)
{
	if (get32(r) == 0)
		return reader_result(r);
	rbl_mesh_def def = rbl_default_mesh_def();
	rbl_mesh_data *d = &def.data;
	d->vertex_count = (int)get32(r);
	d->face_count = (int)get32(r);
	d->corner_count = (int)get32(r);
	d->material_count = (int)get32(r);
	if (d->vertex_count < 4 || d->face_count < 2 || d->corner_count < 6 || d->material_count < 0)
		return RBL_BAD_FILE;
	size_t corners = (size_t)d->corner_count, faces = (size_t)d->face_count;
	d->positions = (const rbl_vec3d *)(void *)get_doubles(r, 3 * (size_t)d->vertex_count);
	d->face_starts = get_ints(r, faces + 1);
	d->corner_vertices = get_ints(r, corners);
	d->corner_normals = (const rbl_vec3 *)(void *)get_floats(r, 3 * corners);
	d->corner_uv0 = (const rbl_vec2 *)(void *)get_floats(r, 2 * corners);
	d->corner_uv1 = (const rbl_vec2 *)(void *)get_floats(r, 2 * corners);
	d->corner_colors = (const rbl_vec4 *)(void *)get_floats(r, 4 * corners);
	d->face_materials = get32(r) != 0 ? get_ints(r, faces) : NULL;
	if (d->material_count > 0)
		d->materials = get_materials(r, (size_t)d->material_count);
	def.allocator = *allocator;
	rbl_result result = reader_result(r);
	if (result == RBL_OK)
		result = rbl_create_mesh(&def, mesh);
	return result == RBL_BAD_ARGUMENT ? RBL_BAD_FILE : result;
}

static rbl_result get_part(reader *r, rbl_asset *asset, int index, uint64_t *plane_end)
{
	rbl_asset_origin *o = &asset->origins[index];
	o->shell = (int)get32(r);
	o->node = (int)get32(r);
	o->key = get64(r);
	o->visual_volume = get_double(r);
	rbl_member member = { .volume = get_double(r) };
	rbl_arena_reset(&r->scratch);
	rbl_result result = get_convex(r, &asset->allocator, &member.convex);
	if (result == RBL_OK)
		result = get_mesh(r, &asset->allocator, &member.mesh);
	if (result == RBL_OK && !(member.volume > 0.0 && isfinite(member.volume)))
		result = RBL_BAD_FILE;
	if (result != RBL_OK) {
		rbl_member_free(&member);
		return result;
	}
	rbl_convex_data d = rbl_convex_view(member.convex);
	for (int f = 0; f < d.face_count; ++f)
		if (d.plane_ids[f] != RBL_NO_PLANE_ID && d.plane_ids[f] >= *plane_end)
			*plane_end = d.plane_ids[f] + 1;
	rbl_compound_add_member(asset->compound, &member);
	return RBL_OK;
}

static rbl_result get_bond(reader *r, rbl_compound *c)
{
	rbl_bond b = { 0 };
	for (int k = 0; k < 2; ++k)
		b.members[k] = (int)get32(r);
	for (int k = 0; k < 2; ++k)
		b.faces[k] = (int)get32(r);
	b.is_overlap = get32(r) != 0;
	b.area = get_double(r);
	b.centre.x = get_double(r), b.centre.y = get_double(r), b.centre.z = get_double(r);
	b.strength = get_double(r);
	if (r->is_short || b.members[0] == b.members[1] || !rbl_is_finite_d(b.centre) ||
	    !(b.area > 0.0 && isfinite(b.area)) || !(b.strength >= 0.0 && isfinite(b.strength)))
		return RBL_BAD_FILE;
	for (int k = 0; k < 2; ++k) {
		if (!rbl_compound_has(c, b.members[k]))
			return RBL_BAD_FILE;
		int faces = rbl_convex_view(c->members.data[b.members[k]].convex).face_count;
		if (b.faces[k] < (b.is_overlap ? -1 : 0) || b.faces[k] >= faces)
			return RBL_BAD_FILE;
	}
	if (rbl_compound_find_bond(c, b.members[0], b.members[1]) >= 0)
		return RBL_BAD_FILE;
	rbl_compound_add_bond(c, &b);
	return RBL_OK;
}

static rbl_result get_nodes(reader *r, rbl_asset *asset, uint32_t count)
{
	if (count > MOST_ITEMS || !rbl_array_reserve(&asset->allocator, &asset->nodes, (int)count))
		return count > MOST_ITEMS ? RBL_BAD_FILE : RBL_OUT_OF_MEMORY;
	for (uint32_t i = 0; i < count; ++i) {
		rbl_vec3d p = { get_double(r), 0.0, 0.0 };
		p.y = get_double(r), p.z = get_double(r);
		if (r->is_short || !rbl_is_finite_d(p))
			return RBL_BAD_FILE;
		asset->nodes.data[asset->nodes.count++] = p;
	}
	return RBL_OK;
}

static rbl_result get_asset(reader *r, rbl_asset *asset)
{
	rbl_asset_report *report = &asset->report;
	report->shell_count = (int)get32(r);
	uint32_t parts = get32(r), nodes = get32(r), bonds = get32(r);
	report->kept_count = (int)get32(r);
	uint32_t stop = get32(r);
	report->stop = stop <= RBL_STOP_NO_GAIN ? (rbl_prepare_stop)stop : RBL_STOP_GIVEN;
	report->loose_count = (int)get32(r);
	report->mesh_volume = get_double(r), report->visual_volume = get_double(r);
	report->convex_volume = get_double(r), report->worst_ratio = get_double(r);
	double tolerance = get_double(r);
	uint64_t plane_end = get64(r);
	size_t rest = r->size - r->at;
	if (r->is_short || parts < 1 || parts > RBL_MAX_COMPOUND_PARTS || parts > rest / 100 ||
	    nodes > rest / 24 || bonds > rest / 60 || !(tolerance >= 1e-9 && tolerance <= 1e-2))
		return RBL_BAD_FILE;
	asset->compound = rbl_compound_new(&asset->allocator, tolerance, NULL, 1);
	asset->origins = RBL_NEW(&asset->allocator, rbl_asset_origin, parts);
	report->part_count = asset->origins ? (int)parts : 0;
	if (!asset->compound || !asset->origins ||
	    !rbl_compound_reserve(asset->compound, (int)parts, (int)bonds))
		return RBL_OUT_OF_MEMORY;
	rbl_result result = get_nodes(r, asset, nodes);
	report->node_count = asset->nodes.count;
	for (uint32_t i = 0; i < parts && result == RBL_OK; ++i)
		result = get_part(r, asset, (int)i, &plane_end);
	asset->compound->next_plane_id = plane_end;
	for (uint32_t i = 0; i < bonds && result == RBL_OK; ++i)
		result = get_bond(r, asset->compound);
	if (result == RBL_OK && r->at != r->size)
		result = RBL_BAD_FILE;
	if (result == RBL_OK)
		result = rbl_compound_build_tree(asset->compound, NULL);
	return result == RBL_OK ? rbl_asset_find_ghosts(asset) : result;
}

bool rbl_is_asset(const void *bytes, size_t size)
{
	return bytes && size >= HEADER && memcmp(bytes, magic, 4) == 0;
}

rbl_result rbl_asset_load(const void *bytes, size_t size, const rbl_allocator *allocator,
                          rbl_asset **asset)
{
	if (!asset)
		return rbl_fail(RBL_BAD_ARGUMENT, "asset is NULL");
	*asset = NULL;
	if (!bytes || (allocator && !rbl_allocator_is_valid(allocator)))
		return rbl_fail(RBL_BAD_ARGUMENT, "bytes is NULL, or allocator has one function of two");
	if (!rbl_is_asset(bytes, size))
		return rbl_fail(RBL_BAD_FILE, "these bytes are no asset");
	reader r = { .bytes = bytes, .at = 4, .size = size };
	uint32_t version = get32(&r);
	if (version != VERSION)
		return rbl_fail(RBL_BAD_FILE, "version %u of an asset, this reads %d", (unsigned)version,
		                VERSION);
	uint64_t told = get64(&r), hash = get64(&r);
	if (told != size || hash != rbl_hash_bytes(RBL_HASH_START, r.bytes + 24, size - 24))
		return rbl_fail(RBL_BAD_FILE, "the asset is damaged: %s",
		                told != size ? "its size is wrong" : "its hash is wrong");
	rbl_asset *made = rbl_asset_new(allocator);
	if (!made)
		return RBL_OUT_OF_MEMORY;
	made->report.key = get64(&r);
	rbl_arena_init(&r.scratch, &made->allocator, 1 << 16);
	rbl_result result = get_asset(&r, made);
	rbl_arena_destroy(&r.scratch);
	if (result != RBL_OK) {
		rbl_destroy_asset(made);
		return result == RBL_BAD_FILE ? rbl_fail(RBL_BAD_FILE, "the asset is damaged") : result;
	}
	*asset = made;
	return RBL_OK;
}
