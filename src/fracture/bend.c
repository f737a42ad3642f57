// SPDX-License-Identifier: MIT
//
// Plastic bending, which Mueller et al. 2013 leave to future work (section 6): parts live as
// bodies of their own for some steps, which changes their poses, and are then joined to new
// compounds.
//
// Bonds of parts with different poses become loose: their faces are no longer coplanar, so a later
// break cannot find them by geometry (break_groups.c). Where all parts moved alike, plane ids and
// faces are kept and nothing is lost.

#include "base/log.h"
#include "base/union_find.h"
#include "base/vec.h"
#include "fracture/break.h"
#include "fracture/fracture.h"

#include <rubble/bend.h>

enum { BENDING_COOKIE = 0x62656e64 };

struct rbl_bending {
	rbl_allocator allocator;
	rbl_bending_def def;
	int steps_left;
	int piece_count;
	rbl_compound **pieces; // of one part each; NULL: taken
	RBL_ARRAY(rbl_bond) bonds;
	double tolerance;
	const rbl_material **materials; // held
	int material_count;
	uint64_t next_plane_id;
};

rbl_bending_def rbl_default_bending_def(void)
{
	return (rbl_bending_def){ .step_count = 6, .max_stretch = 0.5, .cookie = BENDING_COOKIE };
}

// --- taking apart -------------------------------------------------------------------------------

static void free_bending(rbl_bending *b)
{
	rbl_allocator a = b->allocator;
	RBL_FREE(&a, b->pieces, b->piece_count);
	for (int i = 0; b->materials && i < b->material_count; ++i)
		rbl_material_unshare(b->materials[i]);
	RBL_FREE(&a, b->materials, b->material_count);
	rbl_array_free(&a, &b->bonds);
	RBL_FREE(&a, b, 1);
}

// The same with its pieces, whose parts are the compound's still.
static void discard_bending(rbl_bending *b)
{
	for (int i = 0; b->pieces && i < b->piece_count; ++i)
		rbl_compound_discard(b->pieces[i]);
	free_bending(b);
}

// A compound of one part that owns it.
static rbl_compound *compound_of_part(const rbl_compound *from, const rbl_part *part)
{
	rbl_compound *c =
		rbl_compound_new(&from->allocator, from->tolerance, from->materials, from->material_count);
	if (!c)
		return NULL;
	c->next_plane_id = from->next_plane_id;
	if (!rbl_compound_reserve(c, 1, 0)) {
		rbl_compound_discard(c);
		return NULL;
	}
	rbl_compound_add_part(c, part);
	if (rbl_compound_build_tree(c, NULL) != RBL_OK) {
		rbl_compound_discard(c);
		return NULL;
	}
	return c;
}

// Pieces and bonds; the compound still owns the parts. @return false when memory ran out
static bool separate_parts(rbl_bending *b, const rbl_compound *compound, int *slots)
{
	int n = 0;
	for (int i = 0; i < compound->parts.count; ++i) {
		if (!compound->parts.data[i].convex)
			continue;
		slots[i] = n;
		b->pieces[n] = compound_of_part(compound, &compound->parts.data[i]);
		if (!b->pieces[n++])
			return false;
	}
	for (int i = 0; i < compound->bonds.count; ++i) {
		rbl_bond bond = compound->bonds.data[i];
		if (bond.parts[0] < 0)
			continue;
		bond.parts[0] = slots[bond.parts[0]];
		bond.parts[1] = slots[bond.parts[1]];
		if (!rbl_array_push(&b->allocator, &b->bonds, bond))
			return false;
	}
	return true;
}

// A bending of a compound, which still owns its parts. @return NULL when memory ran out
static rbl_bending *new_bending(const rbl_compound *compound, const rbl_bending_def *def)
{
	rbl_allocator a = compound->allocator;
	rbl_bending *made = RBL_NEW_ZERO(&a, rbl_bending, 1);
	if (!made)
		return NULL;
	made->allocator = a;
	made->def = *def;
	made->steps_left = def->step_count;
	made->tolerance = compound->tolerance;
	made->material_count = compound->material_count;
	made->next_plane_id = compound->next_plane_id;
	made->piece_count = compound->part_count;
	made->pieces = RBL_NEW_ZERO(&a, rbl_compound *, made->piece_count);
	made->materials = RBL_NEW_ZERO(&a, const rbl_material *, made->material_count);
	int *slots = RBL_NEW(&a, int, compound->parts.count);
	bool done = made->pieces && made->materials && slots && separate_parts(made, compound, slots);
	RBL_FREE(&a, slots, compound->parts.count);
	if (!done) {
		discard_bending(made);
		return NULL;
	}
	for (int i = 0; i < made->material_count; ++i)
		made->materials[i] = rbl_material_share(compound->materials[i]);
	return made;
}

rbl_result rbl_begin_bending(rbl_compound *compound, const rbl_bending_def *def,
                             rbl_bending **bending)
{
	if (!bending)
		return rbl_fail(RBL_BAD_ARGUMENT, "bending is NULL");
	*bending = NULL;
	if (!def || def->cookie != BENDING_COOKIE)
		return rbl_fail(RBL_BAD_ARGUMENT, "start from rbl_default_bending_def()");
	if (!compound || compound->part_count == 0)
		return rbl_fail(RBL_BAD_ARGUMENT, "compound is NULL or has no parts");
	if (def->step_count < 1 || def->step_count > 100000 || !(def->max_stretch >= 0.0))
		return rbl_fail(RBL_BAD_ARGUMENT, "step_count is %d, max_stretch %g", def->step_count,
		                def->max_stretch);
	rbl_bending *made = new_bending(compound, def);
	if (!made)
		return RBL_OUT_OF_MEMORY;
	rbl_compound_forget_pending(compound);
	rbl_compound_discard(compound); // the pieces have what it held
	*bending = made;
	return RBL_OK;
}

void rbl_destroy_bending(rbl_bending *bending)
{
	if (!bending)
		return;
	for (int i = 0; i < bending->piece_count; ++i)
		rbl_destroy_compound(bending->pieces[i]);
	free_bending(bending);
}

int rbl_bending_piece_count(const rbl_bending *bending)
{
	return bending ? bending->piece_count : 0;
}

const rbl_compound *rbl_bending_get_piece(const rbl_bending *bending, int piece)
{
	return bending && piece >= 0 && piece < bending->piece_count ? bending->pieces[piece] : NULL;
}

rbl_compound *rbl_bending_take(rbl_bending *bending, int piece)
{
	if (!bending || piece < 0 || piece >= bending->piece_count)
		return NULL;
	rbl_compound *taken = bending->pieces[piece];
	bending->pieces[piece] = NULL;
	return taken;
}

int rbl_bending_step(rbl_bending *bending)
{
	if (!bending)
		return 0;
	bending->steps_left -= bending->steps_left > 0;
	return bending->steps_left;
}

// --- moving -------------------------------------------------------------------------------------

static rbl_result move_convex(const rbl_convex *convex, rbl_transformd pose, bool keeps_ids,
                              const rbl_allocator *allocator, rbl_convex **moved)
{
	rbl_clipper c;
	rbl_clipper_init(&c, allocator);
	rbl_result result = RBL_OUT_OF_MEMORY;
	if (rbl_clipper_load(&c, convex)) {
		for (int v = 0; v < c.vertex_count; ++v) {
			rbl_vec3d p = rbl_transform_point_d(pose, (rbl_vec3d){ c.x[v], c.y[v], c.z[v] });
			c.x[v] = p.x, c.y[v] = p.y, c.z[v] = p.z;
		}
		for (int f = 0; f < c.face_count; ++f) {
			rbl_vec3d n = rbl_normalize_d(rbl_rotate_d(pose.rotation, c.planes[f].normal));
			c.planes[f].normal = n;
			c.planes[f].offset += rbl_dot_d(n, pose.position);
			c.tags[f] = keeps_ids ? c.tags[f] : RBL_NO_PLANE_ID;
		}
		result = rbl_convex_from_clipper(&c, allocator, moved);
	}
	rbl_clipper_destroy(&c);
	return result;
}

static rbl_result move_mesh(const rbl_mesh *mesh, rbl_transformd pose,
                            const rbl_allocator *allocator, rbl_mesh **moved)
{
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = rbl_mesh_get_data(mesh);
	def.allocator = *allocator;
	int n = def.data.vertex_count, corners = def.data.corner_count;
	rbl_vec3d *positions = RBL_NEW(allocator, rbl_vec3d, n);
	rbl_vec3 *normals = def.data.corner_normals ? RBL_NEW(allocator, rbl_vec3, corners) : NULL;
	rbl_result result = RBL_OUT_OF_MEMORY;
	if (positions && (normals || !def.data.corner_normals)) {
		for (int v = 0; v < n; ++v)
			positions[v] = rbl_transform_point_d(pose, def.data.positions[v]);
		for (int k = 0; normals && k < corners; ++k) {
			rbl_vec3 normal = def.data.corner_normals[k];
			rbl_vec3d rotated = rbl_rotate_d(
				pose.rotation, (rbl_vec3d){ (double)normal.x, (double)normal.y, (double)normal.z });
			normals[k] = (rbl_vec3){ (float)rotated.x, (float)rotated.y, (float)rotated.z };
		}
		def.data.positions = positions;
		def.data.corner_normals = normals;
		result = rbl_create_mesh(&def, moved);
	}
	RBL_FREE(allocator, positions, n);
	RBL_FREE(allocator, normals, corners);
	return result;
}

static rbl_result move_part(const rbl_part *part, rbl_transformd pose, bool keeps_ids,
                            const rbl_allocator *allocator, rbl_part *moved)
{
	*moved = (rbl_part){ .volume = part->volume,
		                 .strength = part->strength,
		                 .damage = part->damage,
		                 .overlap = part->overlap,
		                 .material = part->material,
		                 .is_anchored = part->is_anchored };
	rbl_result result = move_convex(part->convex, pose, keeps_ids, allocator, &moved->convex);
	if (result == RBL_OK && part->mesh)
		result = move_mesh(part->mesh, pose, allocator, &moved->mesh);
	if (result != RBL_OK)
		rbl_part_free(moved);
	return result;
}

// --- joining ------------------------------------------------------------------------------------

typedef struct joiner {
	rbl_bending *b;
	rbl_transformd *poses;    // unit rotations
	bool is_rigid;            // all moved alike
	int *homes, *slots;       // per piece: its compound, and the part there
	int *parents;             // union-find over pieces
	rbl_fragment_size *sizes; // per compound
	int count;
	rbl_break *out;
} joiner;

static bool bond_holds(const joiner *j, const rbl_bond *bond)
{
	const rbl_bending *b = j->b;
	int first = bond->parts[0], second = bond->parts[1];
	if (!b->pieces[first] || !b->pieces[second])
		return false;
	rbl_vec3d from = rbl_transform_point_d(j->poses[first], bond->centre);
	rbl_vec3d to = rbl_transform_point_d(j->poses[second], bond->centre);
	double max_stretch = b->def.max_stretch * sqrt(bond->area);
	return j->is_rigid || rbl_distance_d(from, to) <= max_stretch;
}

static void find_components(joiner *j)
{
	rbl_bending *b = j->b;
	rbl_union_find_init(j->parents, b->piece_count);
	for (int i = 0; i < b->bonds.count; ++i)
		if (bond_holds(j, &b->bonds.data[i]))
			rbl_union_find_join(j->parents, b->bonds.data[i].parts[0], b->bonds.data[i].parts[1]);
	for (int i = 0; i < b->piece_count; ++i) {
		int root = rbl_union_find_root(j->parents, i); // the lowest: has its number already
		j->homes[i] = !b->pieces[i] ? -1 : root == i ? j->count++ : j->homes[root];
		if (j->homes[i] >= 0)
			j->sizes[j->homes[i]].parts++;
	}
	for (int i = 0; i < b->bonds.count; ++i)
		if (bond_holds(j, &b->bonds.data[i]))
			j->sizes[j->homes[b->bonds.data[i].parts[0]]].bonds++;
}

static bool is_identity(const rbl_transformd *pose)
{
	const rbl_vec3d *p = &pose->position;
	const rbl_quatd *q = &pose->rotation;
	return p->x == 0.0 && p->y == 0.0 && p->z == 0.0 && q->x == 0.0 && q->y == 0.0 && q->z == 0.0;
}

static rbl_result make_compounds(joiner *j)
{
	rbl_bending *b = j->b;
	const rbl_allocator *a = &b->allocator;
	if (!rbl_array_reserve(a, &j->out->fragments, j->count))
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < j->count; ++i) {
		rbl_compound *c = rbl_compound_new(a, b->tolerance, b->materials, b->material_count);
		if (!c)
			return RBL_OUT_OF_MEMORY;
		j->out->fragments.data[j->out->fragments.count++] = c;
		c->next_plane_id = b->next_plane_id;
		if (!rbl_compound_reserve(c, j->sizes[i].parts, j->sizes[i].bonds))
			return RBL_OUT_OF_MEMORY;
	}
	for (int i = 0; i < b->piece_count; ++i) {
		if (j->homes[i] < 0)
			continue;
		rbl_part moved;
		// What has not moved is in the planes that it was in.
		bool keeps_ids = j->is_rigid || is_identity(&j->poses[i]);
		rbl_result result =
			move_part(&b->pieces[i]->parts.data[0], j->poses[i], keeps_ids, a, &moved);
		if (result != RBL_OK)
			return result;
		j->slots[i] = rbl_compound_add_part(j->out->fragments.data[j->homes[i]], &moved);
	}
	return RBL_OK;
}

static void add_bonds(joiner *j)
{
	rbl_bending *b = j->b;
	for (int i = 0; i < b->bonds.count; ++i) {
		rbl_bond bond = b->bonds.data[i];
		int first = bond.parts[0], second = bond.parts[1];
		if (!bond_holds(j, &bond))
			continue;
		rbl_vec3d from = rbl_transform_point_d(j->poses[first], bond.centre);
		rbl_vec3d to = rbl_transform_point_d(j->poses[second], bond.centre);
		bool moved_alike = memcmp(&j->poses[first], &j->poses[second], sizeof *j->poses) == 0;
		bond.centre = rbl_lerp_d(from, to, 0.5);
		if (!moved_alike) {
			bond.is_loose = true;
			bond.is_overlap = false;
			bond.faces[0] = bond.faces[1] = -1;
		}
		bond.parts[0] = j->slots[first];
		bond.parts[1] = j->slots[second];
		rbl_compound_add_bond(j->out->fragments.data[j->homes[first]], &bond);
	}
}

static rbl_result join(joiner *j)
{
	find_components(j);
	rbl_result result = make_compounds(j);
	if (result != RBL_OK)
		return result;
	add_bonds(j);
	for (int i = 0; i < j->count && result == RBL_OK; ++i)
		result = rbl_compound_build_tree(j->out->fragments.data[i], NULL);
	j->out->data.compound_count = j->out->fragments.count;
	j->out->data.compounds = j->out->fragments.data;
	return result;
}

static rbl_result check_poses(const rbl_bending *b, const rbl_transformd *poses)
{
	for (int i = 0; i < b->piece_count; ++i) {
		rbl_quatd q = poses[i].rotation;
		double square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
		if (b->pieces[i] && (!rbl_is_finite_d(poses[i].position) || !(fabs(square - 1.0) < 1e-3)))
			return rbl_fail(RBL_BAD_ARGUMENT, "pose %d is not finite, or no rotation", i);
	}
	return RBL_OK;
}

// The poses with rotations of length one. @return whether all are the same
static bool copy_poses(const rbl_bending *b, const rbl_transformd *poses, rbl_transformd *copies)
{
	int first = -1;
	bool is_rigid = true;
	for (int i = 0; i < b->piece_count; ++i) {
		if (!b->pieces[i])
			continue;
		copies[i].position = poses[i].position;
		copies[i].rotation = rbl_quat_normalize_d(poses[i].rotation);
		first = first < 0 ? i : first;
		is_rigid &= memcmp(&poses[i], &poses[first], sizeof *poses) == 0;
	}
	return is_rigid;
}

// What the pieces are where they have moved to. @return RBL_OK, RBL_OUT_OF_MEMORY
static rbl_result join_pieces(rbl_bending *bending, const rbl_transformd *poses, int *homes,
                              rbl_break **joined)
{
	rbl_allocator a = bending->allocator;
	int n = bending->piece_count;
	joiner j = { .b = bending, .out = rbl_break_new(&a) };
	j.poses = RBL_NEW_ZERO(&a, rbl_transformd, n);
	j.homes = RBL_NEW(&a, int, n);
	j.slots = RBL_NEW(&a, int, n);
	j.parents = RBL_NEW(&a, int, n);
	j.sizes = RBL_NEW_ZERO(&a, rbl_fragment_size, n);
	rbl_result result = RBL_OUT_OF_MEMORY;
	if (j.out && j.poses && j.homes && j.slots && j.parents && j.sizes) {
		j.is_rigid = copy_poses(bending, poses, j.poses);
		result = join(&j);
	}
	if (result == RBL_OK && homes)
		memcpy(homes, j.homes, (size_t)n * sizeof *homes);
	RBL_FREE(&a, j.sizes, n);
	RBL_FREE(&a, j.parents, n);
	RBL_FREE(&a, j.slots, n);
	RBL_FREE(&a, j.homes, n);
	RBL_FREE(&a, j.poses, n);
	if (result == RBL_OK)
		*joined = j.out;
	else
		rbl_destroy_break(j.out);
	return result;
}

rbl_result rbl_finish_bending(rbl_bending *bending, const rbl_transformd *poses, int *homes,
                              rbl_break **joined)
{
	if (!joined)
		return rbl_fail(RBL_BAD_ARGUMENT, "joined is NULL");
	*joined = NULL;
	if (!bending || !poses)
		return rbl_fail(RBL_BAD_ARGUMENT, "bending or poses is NULL");
	rbl_result result = check_poses(bending, poses);
	if (result == RBL_OK)
		result = join_pieces(bending, poses, homes, joined);
	if (result == RBL_OK)
		rbl_destroy_bending(bending);
	return result;
}

rbl_result rbl_bend_compound(rbl_compound *compound, const rbl_transformd *poses,
                             double max_stretch, rbl_break **joined)
{
	rbl_bending_def def = rbl_default_bending_def();
	def.max_stretch = max_stretch;
	*joined = NULL;
	rbl_bending *bending = new_bending(compound, &def);
	if (!bending)
		return RBL_OUT_OF_MEMORY;
	rbl_result result = join_pieces(bending, poses, NULL, joined);
	if (result != RBL_OK) {
		discard_bending(bending);
		return result;
	}
	rbl_compound_forget_pending(compound);
	rbl_compound_discard(compound);
	rbl_destroy_bending(bending);
	return RBL_OK;
}
