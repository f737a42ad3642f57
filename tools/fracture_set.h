// SPDX-License-Identifier: MIT
// What the files of `rubble fracture` share: options, pieces, and how they are written.
#pragma once

#include "material_options.h"
#include "node_transform.h"
#include "progress.h"

#include <rubble/convex.h>
#include <rubble/io.h>
#include <rubble/mesh.h>

enum { PIECE_NAME_LENGTH = 120 };
enum { HULLS_NONE, HULLS_UNREAL, HULLS_GODOT };

typedef struct fracture_options {
	int kind;
	int cells;
	double at[3];
	double radius;
	uint64_t seed;
	int rounds;
	int cut_limit;
	int workers;
	int hulls;
	int format; // of files in a folder, -1 OBJ
	double pull;
	double roughness;
	double density;       // for masses in extras, of what has no preset
	slot_presets presets; // that pieces are made of
	bool is_repaired;
	const char *output, *json;
	const char *physics;       // file of physics data
	const char *inner_texture; // picture file
	double inner_size;         // metres of cut faces that it covers
} fracture_options;

typedef struct fracture_piece {
	rbl_mesh *mesh; // in the coordinates of the input, or of its node
	rbl_vec3d centre;
	double volume;
	int node;     // of the scene that was read; -1: there is none
	placement at; // of that node in the scene
	double density;
	char material[RBL_MAX_MATERIAL_NAME]; // what it is made of, or empty
} fracture_piece;

typedef struct piece_hull {
	rbl_mesh *mesh;
	rbl_convex *convex; // in coordinates of the scene; NULL: it is too thin, or nobody asks for it
	int piece;
} piece_hull;

/// Where two pieces touch, seen from one of them; in coordinates of the scene.
typedef struct piece_bond {
	int piece, other;
	double area;
	rbl_vec3d centre;
} piece_bond;

/// The pieces of all rounds, and statistics.
typedef struct result_set {
	fracture_piece *pieces;
	int count, capacity;
	piece_hull *hulls; // the convexes, grouped by piece
	int hull_count, hull_capacity;
	int open_count, inside_out_count, failed_count;
	rbl_document *document; // what was read, if it is glTF
	int node;               // whose mesh is being broken, -1
	placement at;           // of that node
	int preset;             // of most of what is being broken, -1
	bool has_bonds;         // they are asked for
	piece_bond *bonds;      // by piece, then by the other one
	int bond_count, bond_capacity;
	double volume_in, volume_out;
	double prepare_ms, fracture_ms;
	progress *line;                // that shows how far it is, or NULL
	double nodes_done, node_share; // shares of all work: of nodes before, and of this one
} result_set;

static inline rbl_vec3d middle_of(rbl_boxd box)
{
	return (rbl_vec3d){ 0.5 * (box.lower.x + box.upper.x), 0.5 * (box.lower.y + box.upper.y),
		                0.5 * (box.lower.z + box.upper.z) };
}

/// @return whether a name is that of a folder: it has no extension, or exists as one
bool is_folder_name(const char *name);

/// Find the bonds between all pieces. @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result find_bonds(result_set *set);

/// @return volume, centre and inertia of a piece at density 1, in coordinates of the scene
rbl_mass piece_mass(const result_set *set, int piece);

/// What a piece is called: after its node, or by its number alone.
void name_piece(const result_set *set, int piece, char name[PIECE_NAME_LENGTH]);

/// @return the name of the node that a piece is below; NULL: none
const char *parent_name(const result_set *set, int piece);

/// Write pieces as physics data. @return a STATUS_
int write_physics(const fracture_options *options, const result_set *set);

/// Write pieces as the options say: a scene, or a folder of files, and JSON. @return a STATUS_
int write_pieces(const fracture_options *options, result_set *set, rbl_boxd box);
