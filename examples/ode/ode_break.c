// SPDX-License-Identifier: MIT
// Rubble inside another engine, and things break: ODE moves the bodies, Rubble finds the contacts and
// breaks what is hit hard enough.
//
//     ode_break [OUT.glb [STEPS]]
//
// A world that only detects has one convex per body. A contact that closes with more energy than a
// body bears breaks it there: its pieces become bodies of ODE and of the world, with the motion of
// what they came from, and may break again.

#include "ode_side.h"

#include <rubble/io.h>

#include <math.h>
#include <stdlib.h>

enum { MAX_PIECES = 1000, MAX_CONTACTS = 8192 };

static const double STRENGTH = 400.0;  // joule per square metre of a piece's cross section, about
static const double LEAST_SIZE = 0.16; // smaller pieces do not break
static const double DUST = 1e-5;       // kilograms: lighter slivers are left out

// A piece: its compound, a body of each engine, and its place in the film. The compound's coordinates
// are the block's; ODE's body is at the centre of mass.
typedef struct piece {
	rbl_compound *compound;
	rbl_vec3d centre;
	double mass, size;
	dBodyID body;
	rbl_body_id detected;
	int object;
	bool is_gone;
} piece;

typedef struct hit {
	int piece;
	rbl_vec3 point;
	double energy;
} hit;

typedef struct scene {
	ode_side ode;
	rbl_world *world;
	rbl_collider *floor;
	rbl_pattern *pattern;
	rbl_film *film;
	piece pieces[MAX_PIECES];
	int piece_count, break_count;
	rbl_contact contacts[MAX_CONTACTS];
	hit hits[MAX_PIECES];
	int hit_count;
} scene;

// --- poses -----------------------------------------------------------------------------------

// A vector turned by ODE's body, from its coordinates into the world or back.
static rbl_vec3d turned(dBodyID body, rbl_vec3d v)
{
	dVector3 w;
	dBodyVectorToWorld(body, v.x, v.y, v.z, w);
	return (rbl_vec3d){ w[0], w[1], w[2] };
}

static rbl_vec3d turned_back(dBodyID body, rbl_vec3d v)
{
	dVector3 w;
	dBodyVectorFromWorld(body, v.x, v.y, v.z, w);
	return (rbl_vec3d){ w[0], w[1], w[2] };
}

// Where the compound's origin is.
static rbl_transform pose_of(const piece *p)
{
	const dReal *at = dBodyGetPosition(p->body);
	rbl_vec3d c = turned(p->body, p->centre);
	rbl_transform pose = ode_pose(p->body);
	pose.position = (rbl_vec3){ (float)(at[0] - c.x), (float)(at[1] - c.y), (float)(at[2] - c.z) };
	return pose;
}

// --- pieces ----------------------------------------------------------------------------------

static rbl_mesh *look_of(const rbl_convex *convex)
{
	rbl_mesh *mesh = NULL, *lit = NULL;
	if (rbl_convex_create_mesh(convex, NULL, &mesh) != RBL_OK)
		return NULL;
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = rbl_mesh_get_data(mesh);
	rbl_vec3 *normals = malloc((size_t)def.data.corner_count * sizeof *normals);
	def.data.corner_normals = normals;
	if (normals && rbl_mesh_compute_normals(mesh, 0.0f, normals) == RBL_OK)
		rbl_create_mesh(&def, &lit);
	free(normals);
	rbl_destroy_mesh(mesh);
	return lit;
}

static rbl_body_def detected_def(const piece *p, int index)
{
	rbl_body_def def = rbl_default_body_def();
	def.convex = rbl_compound_get_part(p->compound, 0).convex;
	def.pose = pose_of(p);
	def.user = (uint64_t)index;
	return def;
}

// Take a compound as a piece with a body of ODE. Its part is convex, so that is all of it.
static piece *add_piece(scene *s, rbl_compound *compound, const piece *parent)
{
	if (s->piece_count == MAX_PIECES)
		return NULL;
	piece *made = &s->pieces[s->piece_count++];
	rbl_mass m = rbl_compound_get_mass(compound);
	*made = (piece){ .compound = compound,
		             .centre = m.centre,
		             .mass = DENSITY * m.volume,
		             .size = cbrt(m.volume),
		             .body = make_ode_body(&s->ode, m) };
	if (parent) {
		// Where it was in what broke, with the velocity that it had there.
		rbl_vec3d c = turned(parent->body, (rbl_vec3d){ m.centre.x - parent->centre.x,
		                                                m.centre.y - parent->centre.y,
		                                                m.centre.z - parent->centre.z });
		const dReal *at = dBodyGetPosition(parent->body), *w = dBodyGetAngularVel(parent->body);
		dVector3 v;
		dBodyGetPointVel(parent->body, at[0] + c.x, at[1] + c.y, at[2] + c.z, v);
		dBodySetPosition(made->body, at[0] + c.x, at[1] + c.y, at[2] + c.z);
		dBodySetQuaternion(made->body, dBodyGetQuaternion(parent->body));
		dBodySetLinearVel(made->body, v[0], v[1], v[2]);
		dBodySetAngularVel(made->body, w[0], w[1], w[2]);
	}
	return made;
}

static bool show_piece(scene *s, piece *p)
{
	int look = -1;
	rbl_mesh *mesh = look_of(rbl_compound_get_part(p->compound, 0).convex);
	return mesh && rbl_film_add_mesh(s->film, mesh, &look) == RBL_OK &&
	       rbl_film_add_object(s->film, look, pose_of(p), &p->object) == RBL_OK;
}

// A block of stone, lifted and turned so that it falls on a corner.
static bool add_block(scene *s, double x, double y, double speed)
{
	rbl_box_def box_def = rbl_default_box_def();
	rbl_compound_def def = rbl_default_compound_def();
	rbl_mesh *mesh = NULL;
	rbl_compound *compound = NULL;
	if (rbl_create_box_mesh(&box_def, &mesh) != RBL_OK)
		return false;
	def.mesh = mesh;
	rbl_result result = rbl_create_compound(&def, &compound);
	rbl_destroy_mesh(mesh);
	piece *made = result == RBL_OK ? add_piece(s, compound, NULL) : NULL;
	if (!made)
		return false;
	dQuaternion q;
	dQFromAxisAndAngle(q, 1.0, 0.3, 0.6, 0.7);
	dBodySetQuaternion(made->body, q);
	dBodySetPosition(made->body, x, y, 0.0);
	dBodySetLinearVel(made->body, 0.0, -speed, 0.0);
	rbl_body_def body_def = detected_def(made, s->piece_count - 1);
	made->detected = rbl_create_body(s->world, &body_def);
	return !rbl_body_id_is_null(made->detected) && show_piece(s, made);
}

// Break a piece where it was hit: its compound goes, and what came off are pieces.
static bool break_piece(scene *s, const hit *at)
{
	piece *parent = &s->pieces[at->piece];
	const dReal *p = dBodyGetPosition(parent->body);
	rbl_vec3d local = turned_back(parent->body, (rbl_vec3d){ (double)at->point.x - p[0],
	                                                         (double)at->point.y - p[1],
	                                                         (double)at->point.z - p[2] });
	rbl_break_def def = rbl_default_break_def();
	def.pattern = s->pattern;
	def.position = (rbl_vec3d){ local.x + parent->centre.x, local.y + parent->centre.y,
		                        local.z + parent->centre.z };
	def.rotation_seed = (uint64_t)++s->break_count;
	rbl_break *broken = NULL;
	if (rbl_compound_break(parent->compound, &def, &broken) != RBL_OK)
		return false;
	int first = s->piece_count, total = rbl_break_get_data(broken).compound_count, count = 0;
	rbl_body_def defs[MAX_PIECES];
	rbl_body_id ids[MAX_PIECES];
	bool ok = total > 0 && first + total <= MAX_PIECES;
	for (int i = 0; ok && i < total; ++i) {
		rbl_compound *compound = rbl_break_take(broken, i);
		if (DENSITY * rbl_compound_get_mass(compound).volume < DUST) {
			rbl_destroy_compound(compound);
			continue;
		}
		const piece *made = add_piece(s, compound, parent);
		defs[count] = detected_def(made, first + count);
		count++;
	}
	// One call, so that pieces that overlap a little at birth are not thrown apart.
	ok = ok && rbl_replace_body(s->world, parent->detected, defs, count, ids) == RBL_OK;
	for (int i = 0; ok && i < count; ++i) {
		s->pieces[first + i].detected = ids[i];
		ok = show_piece(s, &s->pieces[first + i]);
	}
	rbl_destroy_break(broken);
	if (ok) {
		rbl_film_remove(s->film, parent->object);
		dBodyDestroy(parent->body);
		parent->is_gone = true;
	}
	return ok;
}

// --- the step --------------------------------------------------------------------------------

static piece *piece_of(scene *s, rbl_body_id id)
{
	uint64_t index = rbl_body_user(s->world, id);
	return index < (uint64_t)s->piece_count && s->pieces[index].detected.index == id.index
	           ? &s->pieces[index]
	           : NULL; // the floor
}

static void note_hit(scene *s, const piece *p, rbl_vec3 point, double energy)
{
	if (!p || p->size < LEAST_SIZE || energy < STRENGTH * p->size * p->size)
		return;
	int index = (int)(p - s->pieces), i = 0;
	while (i < s->hit_count && s->hits[i].piece != index)
		i++;
	if (i == s->hit_count)
		s->hits[s->hit_count++] = (hit){ .piece = index };
	if (energy > s->hits[i].energy)
		s->hits[i].energy = energy, s->hits[i].point = point;
}

static double speed_at(const piece *p, rbl_vec3 point, rbl_vec3 normal)
{
	dVector3 v = { 0.0, 0.0, 0.0 };
	if (p)
		dBodyGetPointVel(p->body, (dReal)point.x, (dReal)point.y, (dReal)point.z, v);
	return v[0] * (double)normal.x + v[1] * (double)normal.y + v[2] * (double)normal.z;
}

// A joint of ODE for a point that touches; and what the blow means to both.
static void take_point(scene *s, const rbl_contact *contact, const rbl_manifold_point *point,
                       double dt)
{
	piece *a = piece_of(s, contact->body_a), *b = piece_of(s, contact->body_b);
	rbl_vec3 n = contact->manifold.normal;
	double closing = speed_at(a, point->position, n) - speed_at(b, point->position, n);
	double inverse = (a ? 1.0 / a->mass : 0.0) + (b ? 1.0 / b->mass : 0.0);
	if (closing > 0.0 && inverse > 0.0) {
		note_hit(s, a, point->position, 0.5 * closing * closing / inverse);
		note_hit(s, b, point->position, 0.5 * closing * closing / inverse);
	}
	add_joint(&s->ode, n, point, a ? a->body : NULL, b ? b->body : NULL, dt);
}

static bool step(scene *s, double dt)
{
	for (int i = 0; i < s->piece_count; ++i)
		if (!s->pieces[i].is_gone)
			rbl_body_set_pose(s->world, s->pieces[i].detected, pose_of(&s->pieces[i]));
	if (rbl_world_step(s->world, (float)dt) != RBL_OK)
		return false;
	int count = rbl_world_get_contacts(s->world, s->contacts, MAX_CONTACTS);
	s->hit_count = 0;
	for (int i = 0; i < count && i < MAX_CONTACTS; ++i)
		for (int k = 0; k < s->contacts[i].manifold.point_count; ++k)
			if (s->contacts[i].manifold.points[k].separation <= 0.0f)
				take_point(s, &s->contacts[i], &s->contacts[i].manifold.points[k], dt);
	step_ode(&s->ode, dt);
	bool ok = true;
	for (int i = 0; ok && i < s->hit_count; ++i)
		if (s->piece_count + 40 < MAX_PIECES)
			ok = break_piece(s, &s->hits[i]);
	return ok;
}

static bool open_scene(scene *s)
{
	open_ode(&s->ode);
	rbl_film_def film_def = rbl_default_film_def();
	rbl_pattern_def pattern_def = rbl_default_pattern_def();
	pattern_def.kind = RBL_PATTERN_IMPACT;
	pattern_def.cell_count = 20;
	pattern_def.size = (rbl_vec3d){ 1.6, 1.6, 1.6 };
	return open_detection(&s->world, &s->floor, UINT64_MAX) &&
	       rbl_create_film(&film_def, &s->film) == RBL_OK &&
	       rbl_create_pattern(&pattern_def, &s->pattern) == RBL_OK && add_block(s, 0.0, 2.5, 4.0) &&
	       add_block(s, 0.3, 7.0, 6.0);
}

static void close_scene(scene *s)
{
	rbl_destroy_world(s->world);
	for (int i = 0; i < s->piece_count; ++i)
		rbl_destroy_compound(s->pieces[i].compound);
	rbl_destroy_collider(s->floor);
	rbl_destroy_pattern(s->pattern);
	rbl_destroy_film(s->film);
	close_ode(&s->ode);
}

int main(int argc, char **argv)
{
	const char *path = argc > 1 ? argv[1] : "ode-break.glb";
	int step_count = argc > 2 ? atoi(argv[2]) : 600;
	static scene s;
	rbl_set_log(print_log, argv[0]);
	bool ok = open_scene(&s);
	for (int i = 0; ok && i < step_count; ++i) {
		ok = rbl_film_begin_frame(s.film, (float)(i + 1) / 120.0f) == RBL_OK &&
		     step(&s, 1.0 / 120.0);
		for (int k = 0; ok && k < s.piece_count; ++k)
			if (!s.pieces[k].is_gone)
				ok = rbl_film_move(s.film, s.pieces[k].object, pose_of(&s.pieces[k])) == RBL_OK;
	}
	double lowest = 1e9, mass = 0.0;
	int alive = 0;
	for (int i = 0; ok && i < s.piece_count; ++i) {
		if (s.pieces[i].is_gone)
			continue;
		lowest = fmin(lowest, dBodyGetPosition(s.pieces[i].body)[1]);
		mass += s.pieces[i].mass, alive++;
	}
	ok = ok && rbl_write_film(path, s.film, NULL) == RBL_OK;
	printf("two blocks of stone fall: %d breaks, %d pieces of %.1f kg in all, moved by ODE\n",
	       s.break_count, alive, mass);
	printf("  written to %s\n", path);
	ok = ok && s.break_count >= 2 && alive > 10 && lowest > -0.1 && fabs(mass - 4000.0) < 0.01;
	close_scene(&s);
	return ok ? 0 : 1;
}
