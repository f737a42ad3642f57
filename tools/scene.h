// SPDX-License-Identifier: MIT
// Scene files of `rubble run`: JSON in, plain structs out. docs/scenes.md describes the format.
#pragma once

#include <rubble/io.h>
#include <rubble/rubble.h>

#include <stdio.h>

enum { SCENE_NAME_LENGTH = 64, SCENE_TEXT_LENGTH = 1024 };

/// As rbl_debris_rule.
typedef struct scene_debris {
	int kind; // an rbl_debris_kind
	double density, min_radius, max_radius, speed, lifetime, dust_density;
	int limit;
} scene_debris;

enum { SCENE_LEVELS = RBL_MAX_PRESET_LEVELS };

/// A damage level, and the pattern of its breaks as rbl_pattern_def has it.
typedef struct scene_level {
	double energy, radius;
	int pattern; // an rbl_pattern_kind
	double size[3];
	int cell_count;
	double focus;
	int ring_count, spoke_count; // of a web
	double jitter;
	double brick_size[3]; // with its joints
	int bond;             // an rbl_brick_bond
	double stretch;       // of splinters
	uint64_t seed;
} scene_level;

/// What bodies are made of.
typedef struct scene_material {
	char name[SCENE_NAME_LENGTH];
	int preset;     // an rbl_preset, RBL_PRESET_COUNT: none
	bool is_preset; // not in the file: it is there for slots of that name

	double density, friction, restitution, rolling_resistance, spinning_resistance;
	double surface_velocity[3];
	uint64_t user;

	double color[3], opacity, metallic, surface_roughness;
	double inner_color[3];                 // of cut faces; NaN: as outside
	bool paints_inner;                     // also where a mesh has looks of its own
	char inner_texture[SCENE_TEXT_LENGTH]; // picture file of cut faces, or empty
	int inner_source;                      // that materials of meshes have for it; 0: none

	double break_energy; // of a hit that breaks it, in joules; 0: it never breaks
	double break_radius; // how far such a hit reaches, in metres
	scene_level usual;   // the pattern of both levels that come of these
	scene_level levels[SCENE_LEVELS];
	int level_count;
	double radius_limit; // 0: none

	int placement;   // an rbl_pattern_placement
	double frame[4]; // of grain or courses: axis and degrees
	double frame_origin[3];
	double pattern_scale[3]; // along the axes of the pattern
	double pattern_shape[9]; // row by row
	int inner_material;      // slot of cut faces; -1: the one called "inner", or a new one
	double uv_scale, uv_offset[2], atlas[4], roughness, rough_step;
	bool lays_textures; // it says how these lie, for whoever gives the film some
	uint64_t uv_seed;
	int fit; // an rbl_fit
	bool welds;
	int cut_limit;
	double min_size, dust_size;
	double bend_energy;  // of a weaker hit that bends it, in joules; 0: none does
	double bend_depth;   // of a dent, at twice that energy
	double bend_radius;  // of a dent
	double bond_tension; // what bonds hold, in pascals; 0: they never fail
	double bond_shear, bond_compression;
	double wear_energy; // of a weak hit that leaves damage behind, in joules; 0: none does
	double wear_radius; // how far around it
	int wear_exponent;
	double bond_energy; // of a hit that opens a bond, in joules; 0: none does

	/// What falls off exposed faces; and of dust in films, its puffs: radius and seconds.
	scene_debris debris;
	double dust_radius, dust_lifetime;
} scene_material;

typedef enum scene_model_kind {
	SCENE_BOX,
	SCENE_SPHERE,
	SCENE_STONE, // the hull of random points
	SCENE_CYLINDER,
	SCENE_CONE,
	SCENE_PLANE,
	SCENE_SHAPE, // of `rubble make`
	SCENE_FILE,
	SCENE_BOXES, // a compound of boxes, bonded where they touch
	SCENE_MODEL_KINDS
} scene_model_kind;

/// A grid of boxes, each a part of the compound.
typedef struct scene_boxes {
	double size[3], position[3];
	int count[3];
	double spacing[3];
	char material_name[SCENE_NAME_LENGTH]; // or empty: as the instance says
	int material;                          // -1: as the instance says
} scene_boxes;

/// What a material slot of a mesh is made of.
typedef struct scene_slot {
	char name[SCENE_NAME_LENGTH];          // of the slot
	char material_name[SCENE_NAME_LENGTH]; // or empty: as the instance says
	int material;                          // -1: as the instance says
} scene_slot;

/// Clusters of the parts of a model, and the strength of bonds between them.
typedef struct scene_cluster {
	int count; // 0: by the cells of a pattern
	double strength;
	scene_level cells; // of size 0: as large as the model
	bool has_position;
	double position[3], rotation[4]; // of the pattern in the model; axis and degrees
} scene_cluster;

/// What bodies look and collide like.
typedef struct scene_model {
	char name[SCENE_NAME_LENGTH];
	scene_model_kind kind;
	double size[3]; // of a box or a stone; of a plane its normal
	double radius;
	double length;   // of a cylinder or cone
	int axis;        // along which it is: 0 x, 1 y, 2 z
	double rounding; // radius of the edges of a box or stone; its size has them in it
	int point_count; // of a stone
	int detail;
	uint64_t seed;
	double scale, tolerance;
	rbl_up_axis up_axis;
	bool is_repaired;                     // closed first, as by --repair
	bool has_nodes;                       // every node of the file with a mesh is a body of its own
	char node_pattern[SCENE_TEXT_LENGTH]; // names of those nodes; empty: all
	bool is_split;                        // every shell is a body of its own
	char text[SCENE_TEXT_LENGTH];         // shape or path of the file
	scene_boxes *boxes;
	int boxes_count;
	int node_count; // parts of each shell of a mesh; 0: as many as the tolerance asks for
	scene_cluster *clusters;
	int cluster_count;
	rbl_color_channel strength_channel; // of vertex colours
	double strength_at_zero, strength_at_one;
	scene_slot *slots; // that are given a material
	int slot_count;
	bool matches_names; // other slots are made of the material that is called as they are
	bool stays_whole;   // a sphere of a file of version 1, whatever it is made of
} scene_model;

/// Where something is at a time.
typedef struct scene_pose_key {
	double time;
	double position[3], rotation[4]; // axis and degrees
} scene_pose_key;

/// Bodies that are there from the start: one, or a grid of them.
typedef struct scene_instance {
	char name[SCENE_NAME_LENGTH]; // or empty
	int model, material;
	rbl_body_kind kind;
	double position[3], rotation[4]; // axis and degrees
	double velocity[3], angular_velocity[3];
	int count[3];           // of the grid, along each axis
	double spacing[3];      // of the grid
	double layer_offset[3]; // of every other layer along y
	double jitter;          // random offset up to this
	bool random_rotation;
	bool is_hidden;   // not in the film
	bool is_anchored; // its lowest parts are fixed to the world
	rbl_contact_method contact_method;
	double gravity_scale, linear_damping, angular_damping;
	double lock_translation[3], lock_rotation[3]; // world axes; not 0: locked
	bool is_bullet;
	bool is_sensor;
	char anchor_nodes[SCENE_NAME_LENGTH]; // names of nodes whose parts are anchored; empty: none
	double anchor_box[6];   // of the model: parts with their centre in it are anchored; empty: none
	scene_pose_key *motion; // of kinematic bodies, relative to where they are
	int motion_count;
	double motion_start; // seconds; below 0: a trigger starts it
	bool loops;
} scene_instance;

/// What a trigger waits for.
typedef enum scene_condition {
	SCENE_AT_TIME,
	SCENE_ON_ENTER, // something enters the instance, a sensor
	SCENE_ON_BREAK, // the instance breaks
	SCENE_ON_HIT,   // the instance is hit
} scene_condition;

typedef enum scene_action {
	SCENE_EXPLODE,
	SCENE_DAMAGE, // hurt the target at a position, or whatever is in a shape
	SCENE_PUSH,   // give the target a velocity
	SCENE_START,  // the motion of the target
	SCENE_REMOVE, // the target
	SCENE_THROW,  // a model, in
	SCENE_GRAB,   // the first dynamic body on a ray, where it hits
	SCENE_DRAG,   // what was grabbed, to a position
	SCENE_RELEASE,
	SCENE_CUT,   // cloth, by a blade that turns around a position
	SCENE_SLICE, // bodies that such a blade meets, along its plane
} scene_action;

/// Something that happens once, at a time or when something else does.
typedef struct scene_trigger {
	scene_condition condition;
	double time;  // of SCENE_AT_TIME
	double delay; // after the condition
	int instance, target;
	bool has_target;
	int model, material; // of SCENE_THROW
	scene_action action;
	double position[3], velocity[3], direction[3];
	double radius, energy, impulse;
	rbl_damage_shape shape; // of damage without a target
	double translation[3];  // its axis; of SCENE_CUT the blade at the beginning
	double sweep[3];        // the blade at the end
	double falloff;         // < 0: as the radius
	bool is_occluded;
	int count; // how often, `interval` seconds apart
	double interval;
} scene_trigger;

/// Where a camera is at a time.
typedef struct scene_camera_key {
	double time;
	double position[3], target[3];
} scene_camera_key;

/// A camera, which may move.
typedef struct scene_camera {
	char name[SCENE_NAME_LENGTH];
	double position[3], target[3];
	double field_of_view; // vertical, in degrees
	scene_camera_key *keys;
	int key_count;
} scene_camera;

/// Bodies that are thrown in.
typedef struct scene_projectile {
	int model, material;
	double time, interval; // seconds: of the first, and between two
	int count;
	double position[3], velocity[3], angular_velocity[3];
	double spread; // random offset of the position up to this
} scene_projectile;

/// Joints between bodies of instances: one, or a row of them.
typedef struct scene_joint {
	rbl_joint_kind kind;
	int instance_a, instance_b;
	int body_a, body_b;                            // which of the bodies of each instance
	double position[3], rotation[4];               // of its frame; axis and degrees
	double lower, upper;                           // degrees or metres; NaN: no limits
	double cone_angle;                             // degrees; NaN: none
	double motor_speed, motor_force, motor_torque; // no force and no torque: no motor
	double spring_hertz, spring_damping, spring_target;
	double break_force, break_torque; // 0: never
	bool collides;
	int count;         // of the row: each joins the next bodies
	double spacing[3]; // of the row
} scene_joint;

/// Particles of a cloth along a line that something holds.
typedef struct scene_pin {
	double from[2], to[2]; // shares of its size, 0 to 1
	int count;             // along the line; 0: as many as there are
	int instance;          // whose bodies hold them; -1: the world
	bool releases;         // let go when the piece that holds it comes off
} scene_pin;

/// A sheet of cloth.
typedef struct scene_cloth {
	char name[SCENE_NAME_LENGTH]; // or empty
	double size[2];
	int columns, rows;
	double position[3], rotation[4]; // of its middle; axis and degrees
	scene_pin *pins;
	int pin_count;
	double thickness, density, stiffness, bending, friction;
	double tear_strain; // 0: it does not tear
	double color[3];
} scene_cloth;

typedef struct scene_file {
	double gravity[3], dt;
	double wind[3];    // velocity of the air around cloths
	double frame_time; // between frames of the film; 0: every step is one
	int step_count, substep_count;
	double length_scale; // size of usual bodies
	bool can_sleep;
	double freeze_time; // seconds that debris sleeps before it is frozen; 0: never
	double bake_time;   // seconds that debris sleeps before it is baked; 0: never
	int budget;         // of the breaks of a step; 0: all at once
	int debris_limit;   // the most debris bodies; 0: no limit
	int chip_limit;     // the most chips
	uint64_t seed;
	scene_material *materials;
	scene_model *models;
	scene_instance *instances;
	scene_projectile *projectiles;
	scene_joint *joints;
	scene_trigger *triggers;
	scene_camera *cameras;
	scene_cloth *cloths;
	int trigger_count, camera_count, cloth_count;
	int own_material_count; // in the file; presets follow
	int material_count, model_count, instance_count, projectile_count, joint_count;
	char folder[1024];  // of the scene, for files it names; ends in a slash or is empty
	bool repairs;       // every mesh file, whatever the model says
	bool reads_outside; // files may lie anywhere, and not only in that folder and below
} scene_file;

/// The largest scene file: JSON takes many times its size in memory.
enum { SCENE_SIZE_LIMIT = 64 << 20 };

/// Read a scene. Errors are printed as "FILE: path.in[2].json: reason".
/// @return a STATUS_
/// @param reads_outside  whether files that it includes may lie outside its folder
int read_scene(const char *path, bool reads_outside, scene_file *scene);

/// Print the JSON Schema of scene files.
void print_scene_schema(FILE *file);

/// Print tables of all keys in Markdown. @return STATUS_OK, or STATUS_FAILED: a text has no key
int print_scene_keys(FILE *file);

/// Read one more trigger from the text of a JSON object, and append it.
/// @return a STATUS_; an error is printed, and nothing has changed
int read_more_trigger(scene_file *scene, const char *text, size_t size);

void free_scene(scene_file *scene);
