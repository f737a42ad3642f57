// SPDX-License-Identifier: MIT
// Rubble inside another engine: a block breaks, ODE moves the pieces, Rubble finds what touches.
//
//     ode_pile [OUT.glb [STEPS]]
//
// A world that only detects takes the poses of ODE's bodies and gives contacts; each contact point
// becomes a contact joint. ODE's own collision detection is not used at all.

#include "ode_side.h"

#include <rubble/io.h>

#include <math.h>
#include <stdlib.h>

enum { MAX_PIECES = 256, MAX_CONTACTS = 8192 };

// A piece: an ODE body, a Rubble body, and its place in the film.
typedef struct piece {
	dBodyID body;
	rbl_body_id detected;
	rbl_collider *collider;
	int object;
} piece;

typedef struct pile {
	ode_side ode;
	rbl_world *world;
	rbl_collider *floor;
	rbl_film *film;
	piece pieces[MAX_PIECES];
	int piece_count;
	rbl_contact contacts[MAX_CONTACTS];
	int contact_count;
	double deepest;
} pile;

// A mesh around its own centre, for the film.
static rbl_mesh *centred_mesh(const rbl_convex *convex, rbl_vec3d centre)
{
	rbl_mesh *mesh = NULL;
	if (rbl_convex_create_mesh(convex, NULL, &mesh) != RBL_OK)
		return NULL;
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = rbl_mesh_get_data(mesh);
	int count = def.data.vertex_count;
	rbl_vec3d *positions = malloc((size_t)count * sizeof *positions);
	for (int v = 0; positions && v < count; ++v) {
		rbl_vec3d at = def.data.positions[v];
		positions[v] = (rbl_vec3d){ at.x - centre.x, at.y - centre.y, at.z - centre.z };
	}
	rbl_vec3 *normals = malloc((size_t)def.data.corner_count * sizeof *normals);
	def.data.positions = positions;
	def.data.corner_normals = normals;
	rbl_mesh *moved = NULL;
	if (positions && normals && rbl_mesh_compute_normals(mesh, 0.0f, normals) == RBL_OK)
		rbl_create_mesh(&def, &moved);
	free(normals);
	free(positions);
	rbl_destroy_mesh(mesh);
	return moved;
}

static bool add_piece(pile *p, const rbl_pieces *pieces, int index)
{
	piece *made = &p->pieces[p->piece_count];
	rbl_mesh *mesh = NULL;
	rbl_convex *convex = NULL;
	rbl_convex_def convex_def = rbl_default_convex_def();
	if (rbl_piece_create_mesh(pieces, index, NULL, &mesh) != RBL_OK)
		return false;
	convex_def.mesh = mesh;
	rbl_create_convex(&convex_def, &convex);
	rbl_destroy_mesh(mesh);
	if (!convex)
		return false;
	// Around its centre of mass, a little apart from the others, and lifted.
	rbl_vec3d centre = rbl_convex_get_mass(convex).centre;
	rbl_vec3d position = { 1.1 * centre.x, 1.1 * centre.y + 2.5, 1.1 * centre.z };
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_CONVEX);
	def.convex = convex;
	def.origin = centre;
	int look = -1;
	bool ok = rbl_create_collider(&def, &made->collider) == RBL_OK &&
	          rbl_film_add_mesh(p->film, centred_mesh(convex, centre), &look) == RBL_OK;
	if (ok) {
		made->body = make_ode_body(&p->ode, rbl_convex_get_mass(convex));
		dBodySetPosition(made->body, position.x, position.y, position.z);
		rbl_body_def body_def = rbl_default_body_def();
		body_def.collider = made->collider;
		body_def.pose = ode_pose(made->body);
		body_def.user = (uint64_t)p->piece_count;
		made->detected = rbl_create_body(p->world, &body_def);
		ok = !rbl_body_id_is_null(made->detected) &&
		     rbl_film_add_object(p->film, look, ode_pose(made->body), &made->object) == RBL_OK;
	}
	p->piece_count++;
	rbl_destroy_convex(convex);
	return ok;
}

// A block of a metre, broken by a Voronoi pattern: its pieces are convex.
static bool break_block(pile *p)
{
	rbl_box_def box_def = rbl_default_box_def();
	rbl_pattern_def pattern_def = rbl_default_pattern_def();
	rbl_solid_def solid_def = rbl_default_solid_def();
	rbl_pieces_def pieces_def = rbl_default_pieces_def();
	pattern_def.cell_count = 100;
	rbl_mesh *mesh = NULL;
	rbl_solid *solid = NULL;
	rbl_pattern *pattern = NULL;
	rbl_pieces *pieces = NULL;
	bool ok = rbl_create_box_mesh(&box_def, &mesh) == RBL_OK;
	solid_def.mesh = mesh;
	ok = ok && rbl_create_solid(&solid_def, &solid) == RBL_OK &&
	     rbl_create_pattern(&pattern_def, &pattern) == RBL_OK;
	pieces_def.solid = solid, pieces_def.pattern = pattern;
	ok = ok && rbl_create_pieces(&pieces_def, &pieces) == RBL_OK;
	for (int i = 0; ok && i < rbl_pieces_count(pieces) && i < MAX_PIECES; ++i)
		ok = add_piece(p, pieces, i);
	rbl_destroy_pieces(pieces);
	rbl_destroy_pattern(pattern);
	rbl_destroy_solid(solid);
	rbl_destroy_mesh(mesh);
	return ok;
}

static bool open_pile(pile *p)
{
	open_ode(&p->ode);
	rbl_film_def film_def = rbl_default_film_def();
	return rbl_create_film(&film_def, &p->film) == RBL_OK &&
	       open_detection(&p->world, &p->floor, UINT64_MAX) && break_block(p);
}

static void close_pile(pile *p)
{
	rbl_destroy_world(p->world);
	for (int i = 0; i < p->piece_count; ++i)
		rbl_destroy_collider(p->pieces[i].collider);
	rbl_destroy_collider(p->floor);
	rbl_destroy_film(p->film);
	close_ode(&p->ode);
}

static dBodyID body_of(const pile *p, rbl_body_id id)
{
	uint64_t index = rbl_body_user(p->world, id);
	return index < (uint64_t)p->piece_count ? p->pieces[index].body : NULL; // the floor
}

static bool step(pile *p, double dt)
{
	for (int i = 0; i < p->piece_count; ++i)
		rbl_body_set_pose(p->world, p->pieces[i].detected, ode_pose(p->pieces[i].body));
	if (rbl_world_step(p->world, (float)dt) != RBL_OK)
		return false;
	p->contact_count = rbl_world_get_contacts(p->world, p->contacts, MAX_CONTACTS);
	p->deepest = 0.0;
	for (int i = 0; i < p->contact_count && i < MAX_CONTACTS; ++i) {
		const rbl_contact *contact = &p->contacts[i];
		for (int k = 0; k < contact->manifold.point_count; ++k) {
			const rbl_manifold_point *point = &contact->manifold.points[k];
			if (point->separation > 0.0f)
				continue;
			add_joint(&p->ode, contact->manifold.normal, point, body_of(p, contact->body_a),
			          body_of(p, contact->body_b), dt);
			p->deepest = fmax(p->deepest, -(double)point->separation);
		}
	}
	step_ode(&p->ode, dt);
	return true;
}

int main(int argc, char **argv)
{
	const char *path = argc > 1 ? argv[1] : "ode-pile.glb";
	int step_count = argc > 2 ? atoi(argv[2]) : 480;
	static pile p;
	rbl_set_log(print_log, argv[0]);
	bool ok = open_pile(&p);
	for (int i = 0; ok && i < step_count; ++i) {
		ok = step(&p, 1.0 / 120.0) &&
		     rbl_film_begin_frame(p.film, (float)(i + 1) / 120.0f) == RBL_OK;
		for (int k = 0; ok && k < p.piece_count; ++k)
			ok = rbl_film_move(p.film, p.pieces[k].object, ode_pose(p.pieces[k].body)) == RBL_OK;
	}
	double speed = 0.0, lowest = 1e9;
	for (int i = 0; ok && i < p.piece_count; ++i) {
		const dReal *v = dBodyGetLinearVel(p.pieces[i].body);
		speed += sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / p.piece_count;
		lowest = fmin(lowest, dBodyGetPosition(p.pieces[i].body)[1]);
	}
	ok = ok && rbl_write_film(path, p.film, NULL) == RBL_OK;
	printf("%d pieces moved by ODE for %d steps, %d contacts found by Rubble in the last\n",
	       p.piece_count, step_count, p.contact_count);
	printf("  mean speed %.0f mm/s, deepest contact %.1f mm, written to %s\n", 1e3 * speed,
	       1e3 * p.deepest, path);
	ok = ok && lowest > -0.1 && isfinite(speed);
	close_pile(&p);
	return ok ? 0 : 1;
}
