// SPDX-License-Identifier: MIT
// What the files of `rubble run` share: the simulation, and its bodies as objects of the film.
#pragma once

#include "cloth/cloth.h"
#include "physics_file.h"
#include "scene_prefabs.h"

#include <stdio.h>

/// The options of the command.
typedef struct run_options {
	const char *scene, *output, *stats, *record, *json, *events, *report, *physics;
	const char *pictures, *view, *frame, *camera; // as given
	int steps, workers;
	int format;       // of a sequence of files, -1 OBJ
	double rate;      // of a sequence: frames per second
	double tolerance; // of keys, in metres; 0: the default
	double frame_ms;  // that a step should take at most; 0: no matter
	bool reads_outside, is_repaired, is_quantized, has_instances, is_small;
} run_options;

/// A part of a compound in the film.
typedef struct film_part {
	int film_object; // -1 none
	uint64_t hash;   // of its convex, and of what is hidden of that; 0 none
} film_part;

/// A body, and how the film shows it. Its index is the body's user value.
typedef struct scene_object {
	rbl_body_id body;
	char *name;         // of what was there from the start or thrown in; NULL of fragments
	int root;           // the object that a fragment came from at first, or its own index
	int fragment;       // its number among those of the root, from 1; 0 of the root
	int fragment_count; // of the root
	int shown_count;    // how often it got another film object
	int material;
	int prefab;     // of what is no fragment
	bool has_moved; // since the last frame
	bool is_gone;
	bool is_leaving; // removed by a trigger, still to be hidden
	bool can_break;
	bool has_scene_material; // not materials of its mesh; the same for fragments
	bool is_hidden;          // not in the film
	bool is_baked;           // into static geometry, at baked_pose
	rbl_transform baked_pose;
	rbl_transform pose; // before the last step, at the latest

	/// Material of cut faces where the mesh has its own materials, once it is known.
	rbl_mesh_material inner;
	bool has_inner;

	/// In the film: one object, with a part for each part of a large compound.
	int film_object;
	rbl_vec3 centre; // origin of a film object that has parts, in coordinates of the body
	film_part *parts;
	int part_count, part_capacity;
	int part_number; // parts that were shown so far
} scene_object;

/// A mesh of the film that chips or puffs of one look share.
typedef struct chip_mesh {
	rbl_debris_kind kind;
	int variant;
	float radius;
	int material;
	bool is_dust;
	int film_mesh;
} chip_mesh;

/// What a report says about a step, or about the worst of several.
typedef struct report_row {
	int step, breaks;
	int body_count, awake_count, touching_count;
	float ms[10]; // all of it, and each stage
	double kinetic, potential;
} report_row;

/// The rows of a report: where there are too many, each stands for as many steps.
typedef struct report_rows {
	report_row *rows;
	int count, steps_per_row;
	rbl_body_id *bodies; // scratch
	int body_capacity;
} report_rows;

/// A joint as it was made, and the objects it joins.
typedef struct kept_joint {
	rbl_joint_def def;
	int object_a, object_b;
} kept_joint;

/// A sheet of cloth in the film: a mesh for each frame, shown until the next one.
typedef struct shown_cloth {
	int film_object; // -1 none yet
	int shape_count;
	rbl_vec3 *positions; // as it is shown
	int count;
} shown_cloth;

typedef struct simulation {
	const run_options *options;
	scene_file scene;
	scene_prefabs prefabs;
	rbl_jobs *jobs;
	rbl_world *world;
	rbl_film *film;
	int *looks;       // by model, then by material: the first that the film has of its file
	int *film_meshes; // by prefab and material, -1 before the first use
	scene_object *objects;
	int object_count, object_capacity;
	int *first_objects; // by instance, and one more
	int *object_of;     // by body index
	int object_of_count, object_of_capacity;
	rbl_move_event *moves;
	int move_capacity;
	uint64_t random;
	bool is_hidden;        // what is being added is not in the film
	const char *base_name; // what is being added is called that
	int step, fracture_count, dust_count, removed_count, chip_count, puff_count;
	chip_mesh *chip_meshes;
	int chip_mesh_count, chip_mesh_capacity;
	uint64_t dust_random;
	double total_ms, worst_ms;
	int least_budget, most_budget, late_count; // of the governor
	FILE *stats, *record, *events;
	int event_count; // rows written
	physics_file physics;
	kept_joint *joints; // for that file
	int joint_count, joint_capacity;
	report_rows report;

	/// Cloths; NULL without any.
	cloth *cloth;
	shown_cloth *shown_cloths;
	int cloth_looks; // materials of the film before those of cloths
	double cloth_ms; // of the last step: what it took beside the world's
	double cloth_total_ms;

	/// Triggers and motions: when they fire or start, NaN while that is not known.
	double *trigger_times, *motion_starts;
	int *trigger_counts; // how often each has fired
	bool has_staged_removal;

	/// What a trigger has grabbed: the point of it, in its own coordinates, and where that is pulled
	/// to.
	rbl_body_id held;
	rbl_vec3 held_point, held_target;
} simulation;

/// The governor of --frame-ms: the budget of the first step, and of the next one.
rbl_result begin_governor(simulation *s);
rbl_result govern(simulation *s);

/// Add an object for a body, which gets its index as user value. @return NULL when memory runs out
scene_object *add_object(simulation *s, rbl_body_id body);

/// Assign an object to another body. @return false when memory runs out
bool bind_object(simulation *s, int index, rbl_body_id body);

/// @return the index of the object of a body, which may be gone; -1: none
int find_object(const simulation *s, rbl_body_id body);

/// Name a new object that is no fragment, after an instance or a model. @return false when memory runs
/// out
bool name_object(simulation *s, scene_object *of, const char *base);

/// Write the name of an object: "wall", "wall.002", "wall/fragment 12".
void object_name(const simulation *s, int index, char *name, size_t capacity);

/// Free what an object owns.
void free_object(scene_object *of);

/// Begin the film, with the materials and textures of all models. Without it nothing is shown.
/// @return as rbl_read_document()
rbl_result begin_film(simulation *s);

/// Show a new object in the film.
rbl_result show_new_object(simulation *s, scene_object *of, int prefab);

/// After a step, before it is counted: follow what broke, appeared and vanished, with a frame of the film
/// where there is one and it is time. @param is_last  a frame in any case
rbl_result film_step(simulation *s, bool is_last);

/// Show chips and dust of a break. @param parent  the object that broke
/// @return the scene's material of one of the library's; NULL: that of the object
const scene_material *scene_material_of(const simulation *s, const rbl_material *material,
                                        const scene_object *of);

/// @return what cut faces of an object look like.
rbl_mesh_material inner_look(const scene_object *of, const scene_material *material);

/// The mesh of a part of an object, or of all parts, as it is drawn.
/// @param mesh  receives the mesh; NULL where nothing of it can be seen
/// @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result drawn_part_mesh(const simulation *s, const scene_object *of,
                           const rbl_compound *compound, int part, rbl_mesh **mesh);
rbl_result drawn_mesh(const simulation *s, const scene_object *of, const rbl_compound *compound,
                      rbl_mesh **mesh);

/// @return a hash of the faces of a part that bonds cover.
uint64_t covered_hash(const rbl_compound *compound, int part);

rbl_result film_chips(simulation *s, const rbl_fracture_event *event, int parent);
rbl_result film_dust(simulation *s, const rbl_fracture_event *event, int parent);

/// @return whether a run writes a folder of numbered files, by its name; not without an output
bool is_sequence(const run_options *options);

/// Write the film as numbered files. @return a STATUS_
int write_sequence(const simulation *s);

/// Begin the table of events. @return a STATUS_
int begin_events(simulation *s);

/// Write the events of the last step, before the film follows them.
void write_events(simulation *s);

/// End the table. @return a STATUS_
int end_events(simulation *s);

/// Begin the physics data, with the scene's materials. @return a STATUS_
int begin_run_physics(simulation *s);

/// Write a body that appears in the film under a name, and keep a joint for the end; nothing without
/// such a file. @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result put_run_body(simulation *s, const scene_object *of, const char *name);
rbl_result keep_joint(simulation *s, const rbl_joint_def *def);

/// End it with the joints. @return a STATUS_
int end_run_physics(simulation *s);

/// Keep what the report says about the last step. @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result take_report_row(simulation *s);

/// Write the report as a web page, and say what it left out. @return a STATUS_
int write_report(const simulation *s, int step_count);

/// Read a box from six numbers between commas. @return false if it is something else
bool read_frame(const char *text, rbl_box *frame);

/// @return numbers of a scene as a vector, and axis and degrees as a rotation
rbl_vec3 vector_of(const double *v);
rbl_quat rotation_of(const double *rotation);

/// Create the world of a scene, empty. @return as rbl_create_world()
rbl_result create_scene_world(simulation *s);

/// Add all instances and joints, and arm triggers and motions. @return a STATUS_; errors are printed
int add_scene(simulation *s, const char *path);

/// Throw in what is due, fire triggers, move what has a motion, and step the world. The caller counts
/// steps. @return as rbl_world_step() and rbl_create_body()
rbl_result step_scene(simulation *s);

/// @return whether something is thrown in before a step
bool is_any_due(const simulation *s, int step);

/// Throw a model in, as projectiles are. @return as rbl_create_body()
rbl_result throw_model(simulation *s, int model, int material, const double *position,
                       const double *velocity, const double *angular_velocity);

/// Arm triggers and motions, and free what that takes.
rbl_result begin_stage(simulation *s);
void end_stage(simulation *s);

/// Append a trigger that is given as the text of a JSON object. @return a STATUS_; errors are printed
int add_trigger(simulation *s, const char *text, size_t size);

/// Before a step: fire the triggers that are due, and move what has a motion.
rbl_result drive_stage(simulation *s);

/// After a step: see which triggers its events fire.
void watch_stage(simulation *s);

/// Hide what triggers removed before this step, in a frame of the film.
rbl_result hide_staged(simulation *s);

/// Make the cloths of a scene, after its bodies, and free them.
rbl_result begin_cloths(simulation *s);
void end_cloths(simulation *s);

/// Make them of what cloth_save() wrote instead. @param world  that they are to be in
rbl_result load_cloths(const simulation *s, const void *bytes, size_t size, rbl_world *world,
                       cloth **made);

/// Cut all of them as a trigger says; nothing where there are none.
rbl_result cut_cloths(simulation *s, const scene_trigger *of);

/// In a frame of the film: show cloths as they are now.
rbl_result film_cloths(simulation *s);

/// @return the hash of the state, cloths included.
uint64_t run_hash(const simulation *s);

/// @return the camera of a name, NULL none
const scene_camera *find_camera(const scene_file *scene, const char *name);

/// Where a camera is at a time, and what it looks at.
void camera_at(const scene_camera *camera, double time, rbl_vec3 *position, rbl_vec3 *target);

/// Hide an object in the film.
rbl_result hide_object(simulation *s, scene_object *of, rbl_transform pose);

/// Check the options about pictures. @return a STATUS_
int check_pictures(const run_options *options);

/// Draw the pictures that the options ask for. @return a STATUS_
int write_pictures(const simulation *s);
