"""The C API of Rubble for ctypes: types, constants, functions.

Made from the public headers by bindings/python/generate. Do not edit.
"""

from ctypes import (CFUNCTYPE, POINTER, Structure, c_bool, c_byte, c_char, c_char_p, c_double, c_float,
                    c_int, c_int8, c_int16, c_int32, c_int64, c_size_t, c_ubyte, c_uint, c_uint8, c_uint16,
                    c_uint32, c_uint64, c_void_p)
from enum import IntEnum

RBL_MAX_NODES = 4096
RBL_MAX_ASSET_NODES = 4000000
RBL_MAX_ASSET_MATERIALS = 1024
RBL_VERSION_MAJOR = 0
RBL_VERSION_MINOR = 1
RBL_VERSION_PATCH = 0
RBL_MAX_POSITION = 1e6
RBL_MAX_SPEED = 1000.0
RBL_MAX_PROXIES = 0x00ffffff
RBL_MAX_FILTERS = 0xffff
RBL_MAX_BSP_DIRECTIONS = 64
RBL_MAX_BSP_HEIGHT = 48
RBL_CHIP_VARIANTS = 4
RBL_MAX_COLLIDER_CHILDREN = 0xffffff
RBL_MAX_MANIFOLD_POINTS = 4
RBL_MAX_COLLIDER_MATERIALS = 255
RBL_MAX_COLLIDER_SIZE = 1e5
RBL_MAX_COMPOUND_PARTS = 0x00ffffff
RBL_MAX_CLUSTER_LEVELS = 16
RBL_MAX_CONVEX_FACES = 128
RBL_MAX_CRACK_FRAGMENTS = 0xfffff
RBL_MAX_CRACK_COORDINATE = 1e6
RBL_MAX_PARTICLES = 0x0fffffff
RBL_MAX_FIELD_RESOLUTION = 1024
RBL_MAX_FIELD_POINTS = 0x0fffffff
RBL_MAX_FIELD_COORDINATE = 1e6
RBL_FIELD_POINT_ID_END = 0x80000000
RBL_MAX_FIELD_CONTACTS = 12
RBL_MAX_FIELD_VISITS = 0xffffff
RBL_MAX_FRACTURE_EVENT = 1024
RBL_MAX_HULL_POINTS = 0x0fffffff
RBL_FILE_SIZE_LIMIT = 0x80000000
RBL_MAX_WORKERS = 64
RBL_JSON_MAX_DEPTH = 512
RBL_MAX_MATERIAL_NAME = 64
RBL_MAX_MESH_ITEMS = 0x3fffffff
RBL_MAX_COORDINATE = 1e30
RBL_MATERIAL_NAME_LENGTH = 64
RBL_ATTRIBUTE_NAME_LENGTH = 28
RBL_MAX_ATTRIBUTE_WIDTH = 32
RBL_MAX_PATTERN_CELLS = 1000000
RBL_CUT_LIMIT = 200000
RBL_MAX_PRESET_LEVELS = 4
RBL_MAX_SURFACE_ITEMS = 0x0fffffff
RBL_MAX_TETS = 0x0fffffff
RBL_MAX_BODIES = 0x00ffffff


class rbl_result(IntEnum):
    'What a call that can fail returns. rbl_last_error() has the detail: field, face, line or value.'
    OK = 0
    BAD_ARGUMENT = 1
    OUT_OF_MEMORY = 2
    STALE_ID = 3
    BAD_MESH = 4
    LIMIT_REACHED = 5
    BAD_FILE = 6
    IO_FAILED = 7
    UNSUPPORTED = 8
    RESULT_COUNT = 9

class rbl_log_level(IntEnum):
    'How much a log line matters.'
    ERROR = 0
    WARNING = 1
    INFO = 2

class rbl_mesh_connectivity(IntEnum):
    'What joins faces into a component.'
    VERTEX = 0
    EDGE = 1

class rbl_pattern_kind(IntEnum):
    'How the cells come about.'
    VORONOI = 0
    IMPACT = 1
    WEB = 2
    BRICKS = 3
    SPLINTERS = 4
    SITES = 5
    CELLS = 6
    KIND_COUNT = 7

class rbl_brick_bond(IntEnum):
    'How bricks lie in their courses.'
    BOND_RUNNING = 0
    BOND_STACK = 1
    BOND_FLEMISH = 2
    BRICK_BOND_COUNT = 3

class rbl_fit(IntEnum):
    'How closely a convex fits around a piece.'
    BOX = 0
    FIT_14 = 1
    FIT_26 = 2

class rbl_task_state(IntEnum):
    'How far a task is.'
    WAITING = 0
    RUNNING = 1
    READY = 2
    FAILED = 3

class rbl_color_channel(IntEnum):
    'A channel of vertex colours.'
    NONE = 0
    RED = 1
    GREEN = 2
    BLUE = 3
    ALPHA = 4

class rbl_prepare_stop(IntEnum):
    'What ended the search for nodes.'
    GIVEN = 0
    TOLERANCE = 1
    NODE_LIMIT = 2
    NO_GAIN = 3

class rbl_broadphase_kind(IntEnum):
    'How the boxes are organised. Pairs are the same in every kind.'
    BSP = 0
    TREE = 1
    KIND_COUNT = 2

class rbl_pattern_placement(IntEnum):
    'How a world turns the pattern of a break.'
    BY_KIND = 0
    RANDOM = 1
    FRAME = 2
    NORMAL = 3
    COUNT = 4

class rbl_debris_kind(IntEnum):
    'What debris is made as.'
    NONE = 0
    SPHERES = 1
    CHIPS = 2
    KIND_COUNT = 3

class rbl_collider_kind(IntEnum):
    'The kinds of colliders. Meshes, height fields and planes are static: they do not collide with each other.'
    SPHERE = 0
    CAPSULE = 1
    BOX = 2
    CONVEX = 3
    COMPOUND = 4
    MESH = 5
    HEIGHT_FIELD = 6
    CYLINDER = 7
    CONE = 8
    PLANE = 9
    KIND_COUNT = 10

class rbl_field_selection(IntEnum):
    'How points become contacts.'
    CHOSEN = 0
    ADAPTIVE = 1
    FIXED = 2
    FULL = 3
    NAIVE = 4
    COUNT = 5

class rbl_body_kind(IntEnum):
    'How a body moves.'
    STATIC = 0
    KINEMATIC = 1
    DYNAMIC = 2
    KIND_COUNT = 3

class rbl_axis_locks(IntEnum):
    'World axes along which the centre of mass of a dynamic body does not move, and about which it does not rotate.'
    TRANSLATION_X = 1
    TRANSLATION_Y = 2
    TRANSLATION_Z = 4
    ROTATION_X = 8
    ROTATION_Y = 16
    ROTATION_Z = 32
    TRANSLATION = 7
    ROTATION = 56
    PLANE_XY = 28

class rbl_contact_method(IntEnum):
    'How contacts of a body are found.'
    CONTACTS_CONVEX = 0
    CONTACTS_FIELD = 1
    CONTACTS_AUTOMATIC = 2
    CONTACT_METHOD_COUNT = 3

class rbl_crack_points(IntEnum):
    'Which points of a fragment touch others.'
    SURFACE = 0
    ALL = 1

class rbl_joint_kind(IntEnum):
    'What a joint leaves free, along and about the axes of its frame on body A. What it does not is held exactly as far as the joints around it form no loops, whatever the masses are.'
    WELD = 0
    HINGE = 1
    BALL = 2
    PRISMATIC = 3
    DISTANCE = 4
    WHEEL = 5
    MOTOR = 6
    KIND_COUNT = 7

class rbl_slide_kind(IntEnum):
    'How two bodies rub.'
    SLIDE = 0
    ROLL = 1

class rbl_slide_phase(IntEnum):
    ''
    BEGIN = 0
    STEP = 1
    END = 2

class rbl_fracture_cause(IntEnum):
    'What broke a body.'
    HIT = 0
    BLOW = 1
    LOAD = 2
    BEND = 3
    WEAR = 4
    CUT = 5

class rbl_retirement(IntEnum):
    'What became of debris: see rbl_world_def.'
    FROZEN = 0
    UNFROZEN = 1
    REMOVED = 2
    BAKED = 3
    RELEASED = 4
    EXPIRED = 5

class rbl_damage_shape(IntEnum):
    'Where damage acts.'
    RAY = 0
    SPHERE = 1
    CAPSULE = 2
    CONE = 3
    SHAPE_COUNT = 4

class rbl_draw_flags(IntEnum):
    'What to draw.'
    PARTS = 1
    BOXES = 2
    CONTACTS = 4
    JOINTS = 8
    MASSES = 16
    CELLS = 32
    TREES = 64
    FIELDS = 128
    STRESS = 256
    HEALTH = 512
    SLEEP = 1024
    ISLANDS = 2048
    ALL = 4095

class rbl_alpha_mode(IntEnum):
    'How alpha is meant.'
    OPAQUE = 0
    MASK = 1
    BLEND = 2

class rbl_track_path(IntEnum):
    'What a track moves.'
    TRANSLATION = 0
    ROTATION = 1
    SCALE = 2

class rbl_file_format(IntEnum):
    'File formats.'
    AUTO = 0
    OBJ = 1
    PLY = 2
    STL = 3
    OFF = 4
    MEDIT = 5
    GLTF = 6
    COUNT = 7

class rbl_up_axis(IntEnum):
    "An axis of a file's coordinates."
    X = 0
    Y = 1
    Z = 2

class rbl_json_type(IntEnum):
    'What a value is.'
    MISSING = 0
    NULL = 1
    FALSE = 2
    TRUE = 3
    NUMBER = 4
    TEXT = 5
    LIST = 6
    OBJECT = 7

class rbl_surface_culling(IntEnum):
    'How parts of a surface are recognised that cannot touch themselves.'
    NONE = 0
    CONE = 1
    EXACT = 2
    COUNT = 3

class rbl_surface_restructuring(IntEnum):
    'Which parts of degraded trees are rebuilt during an update.'
    NONE = 0
    COST = 1
    COUNT = 2

class rbl_surface_builder(IntEnum):
    'How trees are built.'
    BUILD_AREA = 0
    BUILD_GRID = 1
    BUILD_MEDIAN = 2
    BUILD_CURVE = 3
    BUILDER_COUNT = 4

class rbl_surface_motion(IntEnum):
    'What an update makes ready.'
    DISCRETE = 0
    CONTINUOUS = 1

class rbl_surface_hit_kind(IntEnum):
    'Which features touch.'
    VERTEX_FACE = 0
    EDGE_EDGE = 1
    TRIANGLES = 2

class rbl_surface_nearest(IntEnum):
    'Which parts of two features are nearest.'
    VERTEX_VERTEX = 0
    VERTEX_EDGE = 1
    VERTEX_FACE = 2
    EDGE_EDGE = 3

class rbl_obstacle_shape(IntEnum):
    'What of a body is an obstacle.'
    MESHES = 0
    CONVEXES = 1
    SHAPE_COUNT = 2

class rbl_preset(IntEnum):
    'Materials that are known by name.'
    CONCRETE = 0
    BRICK = 1
    STONE = 2
    GLASS = 3
    TEMPERED_GLASS = 4
    WOOD = 5
    PLASTER = 6
    CERAMIC = 7
    ICE = 8
    METAL_SHEET = 9
    COUNT = 10

RBL_OK = 0
RBL_BAD_ARGUMENT = 1
RBL_OUT_OF_MEMORY = 2
RBL_STALE_ID = 3
RBL_BAD_MESH = 4
RBL_LIMIT_REACHED = 5
RBL_BAD_FILE = 6
RBL_IO_FAILED = 7
RBL_UNSUPPORTED = 8
RBL_RESULT_COUNT = 9
RBL_LOG_ERROR = 0
RBL_LOG_WARNING = 1
RBL_LOG_INFO = 2
RBL_CONNECTED_BY_VERTEX = 0
RBL_CONNECTED_BY_EDGE = 1
RBL_PATTERN_VORONOI = 0
RBL_PATTERN_IMPACT = 1
RBL_PATTERN_WEB = 2
RBL_PATTERN_BRICKS = 3
RBL_PATTERN_SPLINTERS = 4
RBL_PATTERN_SITES = 5
RBL_PATTERN_CELLS = 6
RBL_PATTERN_KIND_COUNT = 7
RBL_BOND_RUNNING = 0
RBL_BOND_STACK = 1
RBL_BOND_FLEMISH = 2
RBL_BRICK_BOND_COUNT = 3
RBL_FIT_BOX = 0
RBL_FIT_14 = 1
RBL_FIT_26 = 2
RBL_TASK_WAITING = 0
RBL_TASK_RUNNING = 1
RBL_TASK_READY = 2
RBL_TASK_FAILED = 3
RBL_CHANNEL_NONE = 0
RBL_CHANNEL_RED = 1
RBL_CHANNEL_GREEN = 2
RBL_CHANNEL_BLUE = 3
RBL_CHANNEL_ALPHA = 4
RBL_STOP_GIVEN = 0
RBL_STOP_TOLERANCE = 1
RBL_STOP_NODE_LIMIT = 2
RBL_STOP_NO_GAIN = 3
RBL_BROADPHASE_BSP = 0
RBL_BROADPHASE_TREE = 1
RBL_BROADPHASE_KIND_COUNT = 2
RBL_PLACEMENT_BY_KIND = 0
RBL_PLACEMENT_RANDOM = 1
RBL_PLACEMENT_FRAME = 2
RBL_PLACEMENT_NORMAL = 3
RBL_PLACEMENT_COUNT = 4
RBL_DEBRIS_NONE = 0
RBL_DEBRIS_SPHERES = 1
RBL_DEBRIS_CHIPS = 2
RBL_DEBRIS_KIND_COUNT = 3
RBL_COLLIDER_SPHERE = 0
RBL_COLLIDER_CAPSULE = 1
RBL_COLLIDER_BOX = 2
RBL_COLLIDER_CONVEX = 3
RBL_COLLIDER_COMPOUND = 4
RBL_COLLIDER_MESH = 5
RBL_COLLIDER_HEIGHT_FIELD = 6
RBL_COLLIDER_CYLINDER = 7
RBL_COLLIDER_CONE = 8
RBL_COLLIDER_PLANE = 9
RBL_COLLIDER_KIND_COUNT = 10
RBL_SELECT_CHOSEN = 0
RBL_SELECT_ADAPTIVE = 1
RBL_SELECT_FIXED = 2
RBL_SELECT_FULL = 3
RBL_SELECT_NAIVE = 4
RBL_SELECT_COUNT = 5
RBL_BODY_STATIC = 0
RBL_BODY_KINEMATIC = 1
RBL_BODY_DYNAMIC = 2
RBL_BODY_KIND_COUNT = 3
RBL_LOCK_TRANSLATION_X = 1
RBL_LOCK_TRANSLATION_Y = 2
RBL_LOCK_TRANSLATION_Z = 4
RBL_LOCK_ROTATION_X = 8
RBL_LOCK_ROTATION_Y = 16
RBL_LOCK_ROTATION_Z = 32
RBL_LOCK_TRANSLATION = 7
RBL_LOCK_ROTATION = 56
RBL_LOCK_PLANE_XY = 28
RBL_CONTACTS_CONVEX = 0
RBL_CONTACTS_FIELD = 1
RBL_CONTACTS_AUTOMATIC = 2
RBL_CONTACT_METHOD_COUNT = 3
RBL_CRACK_POINTS_SURFACE = 0
RBL_CRACK_POINTS_ALL = 1
RBL_JOINT_WELD = 0
RBL_JOINT_HINGE = 1
RBL_JOINT_BALL = 2
RBL_JOINT_PRISMATIC = 3
RBL_JOINT_DISTANCE = 4
RBL_JOINT_WHEEL = 5
RBL_JOINT_MOTOR = 6
RBL_JOINT_KIND_COUNT = 7
RBL_SLIDE = 0
RBL_ROLL = 1
RBL_SLIDE_BEGIN = 0
RBL_SLIDE_STEP = 1
RBL_SLIDE_END = 2
RBL_FRACTURE_HIT = 0
RBL_FRACTURE_BLOW = 1
RBL_FRACTURE_LOAD = 2
RBL_FRACTURE_BEND = 3
RBL_FRACTURE_WEAR = 4
RBL_FRACTURE_CUT = 5
RBL_RETIRED_FROZEN = 0
RBL_RETIRED_UNFROZEN = 1
RBL_RETIRED_REMOVED = 2
RBL_RETIRED_BAKED = 3
RBL_RETIRED_RELEASED = 4
RBL_RETIRED_EXPIRED = 5
RBL_DAMAGE_RAY = 0
RBL_DAMAGE_SPHERE = 1
RBL_DAMAGE_CAPSULE = 2
RBL_DAMAGE_CONE = 3
RBL_DAMAGE_SHAPE_COUNT = 4
RBL_DRAW_PARTS = 1
RBL_DRAW_BOXES = 2
RBL_DRAW_CONTACTS = 4
RBL_DRAW_JOINTS = 8
RBL_DRAW_MASSES = 16
RBL_DRAW_CELLS = 32
RBL_DRAW_TREES = 64
RBL_DRAW_FIELDS = 128
RBL_DRAW_STRESS = 256
RBL_DRAW_HEALTH = 512
RBL_DRAW_SLEEP = 1024
RBL_DRAW_ISLANDS = 2048
RBL_DRAW_ALL = 4095
RBL_ALPHA_OPAQUE = 0
RBL_ALPHA_MASK = 1
RBL_ALPHA_BLEND = 2
RBL_TRACK_TRANSLATION = 0
RBL_TRACK_ROTATION = 1
RBL_TRACK_SCALE = 2
RBL_FORMAT_AUTO = 0
RBL_FORMAT_OBJ = 1
RBL_FORMAT_PLY = 2
RBL_FORMAT_STL = 3
RBL_FORMAT_OFF = 4
RBL_FORMAT_MEDIT = 5
RBL_FORMAT_GLTF = 6
RBL_FORMAT_COUNT = 7
RBL_AXIS_X = 0
RBL_AXIS_Y = 1
RBL_AXIS_Z = 2
RBL_JSON_MISSING = 0
RBL_JSON_NULL = 1
RBL_JSON_FALSE = 2
RBL_JSON_TRUE = 3
RBL_JSON_NUMBER = 4
RBL_JSON_TEXT = 5
RBL_JSON_LIST = 6
RBL_JSON_OBJECT = 7
RBL_CULL_NONE = 0
RBL_CULL_CONE = 1
RBL_CULL_EXACT = 2
RBL_CULL_COUNT = 3
RBL_RESTRUCTURE_NONE = 0
RBL_RESTRUCTURE_COST = 1
RBL_RESTRUCTURE_COUNT = 2
RBL_SURFACE_BUILD_AREA = 0
RBL_SURFACE_BUILD_GRID = 1
RBL_SURFACE_BUILD_MEDIAN = 2
RBL_SURFACE_BUILD_CURVE = 3
RBL_SURFACE_BUILDER_COUNT = 4
RBL_SURFACE_DISCRETE = 0
RBL_SURFACE_CONTINUOUS = 1
RBL_HIT_VERTEX_FACE = 0
RBL_HIT_EDGE_EDGE = 1
RBL_HIT_TRIANGLES = 2
RBL_NEAREST_VERTEX_VERTEX = 0
RBL_NEAREST_VERTEX_EDGE = 1
RBL_NEAREST_VERTEX_FACE = 2
RBL_NEAREST_EDGE_EDGE = 3
RBL_OBSTACLE_MESHES = 0
RBL_OBSTACLE_CONVEXES = 1
RBL_OBSTACLE_SHAPE_COUNT = 2
RBL_PRESET_CONCRETE = 0
RBL_PRESET_BRICK = 1
RBL_PRESET_STONE = 2
RBL_PRESET_GLASS = 3
RBL_PRESET_TEMPERED_GLASS = 4
RBL_PRESET_WOOD = 5
RBL_PRESET_PLASTER = 6
RBL_PRESET_CERAMIC = 7
RBL_PRESET_ICE = 8
RBL_PRESET_METAL_SHEET = 9
RBL_PRESET_COUNT = 10


class rbl_allocator(Structure):
    "Where memory comes from. Copied by value into whatever is created with it, so the functions and `user` must live as long as that. All zero means the process's default.\nallocate: Returns `size` bytes (> 0) aligned to `alignment`, a power of two, or NULL. Threads: worker.\nrelease: Takes back what `allocate` returned, with the same size. Never called with NULL. Threads: worker.\nuser: Passed to both."

class rbl_vec2(Structure):
    'Two floats: texture coordinates, points in a plane.'

class rbl_vec3(Structure):
    'A point or direction.'

class rbl_vec3d(Structure):
    'A point or direction in double precision.'

class rbl_vec4(Structure):
    'Four floats: a linear color with alpha, all from 0 to 1 where it is a color.'

class rbl_quat(Structure):
    'A rotation: unit quaternion, w is the real part.'

class rbl_quatd(Structure):
    'A rotation in double precision.'

class rbl_mat3(Structure):
    'A 3 x 3 matrix by columns: M v = x v.x + y v.y + z v.z.'

class rbl_mat3d(Structure):
    'A 3 x 3 matrix by columns in double precision.'

class rbl_transform(Structure):
    'A rigid motion: p goes to rotation * p + position.'

class rbl_transformd(Structure):
    'A rigid motion in double precision.'

class rbl_box(Structure):
    'A closed axis-aligned box. Empty when lower > upper on some axis.'

class rbl_boxd(Structure):
    'A closed axis-aligned box in double precision.'

class rbl_plane(Structure):
    'The plane of all p with dot(normal, p) = offset. Outside is where the dot product is larger.'

class rbl_planed(Structure):
    'A plane in double precision.'

class rbl_mass(Structure):
    'Mass, centre and inertia of a body of density 1: see rbl_mesh_get_mass().\nvolume: Volume in cubic metres; negative for a mesh turned inside out.\ncentre: Centre of mass.\ninertia: Inertia tensor about `centre`, for density 1.'

class rbl_mesh(Structure):
    ''

class rbl_mesh_material(Structure):
    "How a face is drawn: the core of glTF's metallic-roughness model.\nname: UTF-8, closed by a zero; may be empty.\nbase_color: Linear color and alpha, 0 to 1.\nmetallic: 0 to 1 each.\nroughness: 0 to 1 each.\nsource: Which material of a scene it is, from 1 (rbl_scene, rubble/io.h): that has textures and all that glTF knows, and is written in place of this one. 0: none. Breaking hands it on."

class rbl_mesh_attribute(Structure):
    "A further attribute of corners, such as tangents or a third set of texture coordinates.\nname: As in glTF: TANGENT (x, y, z and the sign of the bitangent), TEXCOORD_2 and up, COLOR_1 and up, or a name of one's own with an underscore before it. Closed by a zero.\nwidth: Numbers, 1 to 4: TANGENT and colors have 4, texture coordinates 2."

class rbl_mesh_data(Structure):
    "What a mesh is made from, and how it is seen. The arrays of a definition are the caller's and read during the call only; those of a view are the mesh's and live as long as it does.\nvertex_count: Number of positions.\npositions: Metres, each coordinate at most RBL_MAX_COORDINATE in magnitude.\nface_count: Number of faces, each a simple polygon, counter-clockwise from outside.\ncorner_count: Number of corners: the sum of all face sizes.\nface_starts: Face f has the corners face_starts[f] to face_starts[f + 1] - 1: face_count + 1 numbers, 0 first, each face three corners or more. NULL in a definition: all faces are triangles.\ncorner_vertices: The vertex of each corner.\ncorner_normals: Unit normals per corner, or NULL.\ncorner_uv0: Texture coordinates per corner, first and second set, each or NULL.\ncorner_uv1: Texture coordinates per corner, first and second set, each or NULL.\ncorner_colors: Linear colors per corner, or NULL.\nattribute_count: Number of further attributes, and what they are. Default none.\nattribute_width: Numbers of all of them per corner: the sum of their widths, at most RBL_MAX_ATTRIBUTE_WIDTH.\ncorner_attributes: Per corner attribute_width numbers, in the order of `attributes`; NULL where there are none.\nface_materials: An index into `materials` per face, or NULL: all faces have material 0. Without materials every index is 0.\nmaterial_count: Number of materials; may be zero.\nmaterials: The materials, or NULL when there are none."

class rbl_mesh_def(Structure):
    'How to make a mesh. Start from rbl_default_mesh_def().\ndata: Copied during the call.\nallocator: Memory of the mesh.\ncookie: Filled by rbl_default_mesh_def(). Leave it alone.'

class rbl_mesh_report(Structure):
    'What a mesh is, as rbl_mesh_check() finds it. Edges and vertices are counted by index: two vertices at one place are two vertices.\ncomponents: Sets of faces joined by shared vertices.\nboundary_edges: Edges with one face.\nnonmanifold_edges: Edges with more than two faces, or two that run along it in the same direction.\nnonmanifold_vertices: Vertices whose faces do not form one fan.\nloose_vertices: Vertices that no face uses.\ndegenerate_faces: Faces with a repeated vertex or with exactly zero area.\nduplicate_faces: Faces that have the same vertices as an earlier face, in any direction.\nis_closed: No boundary edge.\nis_manifold: No non-manifold edge or vertex.\nis_oriented: Each shared edge runs once in each direction.\ngenus: Handles, summed over components, when closed, manifold and oriented; otherwise -1.\nvolume: Signed volume; negative when inside out. Zero unless closed.'

class rbl_mesh_repair_def(Structure):
    "How to repair a mesh. Start from rbl_default_mesh_repair_def(). The steps are taken in the order of the fields.\nweld_distance: Vertices on borders that are no further apart than this share of the mesh's diagonal become one; 0: only those at the same place; negative: none. At most 0.1. Default 1e-7.\ndrop_degenerate: Drop faces that have less than three different vertices, and those of zero area that hold nothing together. Default true.\ndrop_duplicates: Drop faces with the same vertices as an earlier face, in any direction. Where two of each are a wall between things that touch, both go. Default true.\norient: Turn faces over until neighbours agree, most faces keeping their direction; then turn over what is inside out, and drop shells that enclose nothing. A shell inside an odd number of others may point inwards: it is a cavity, unless it crosses one that points outwards. Default true.\nsplit_nonmanifold: Give faces vertices of their own where more than two meet at an edge, or where only a vertex holds them together: pieces come apart there. Then cut those faces into triangles whose fans from the first corner would have a diagonal in common. No face is lost by it. Default true.\nfill_holes: Close every border with triangles. Default true.\nresolve_crossings: Take apart what crosses itself, where that matters: places around which a shell winds the wrong way round are outside then, and places around which it winds twice count once. Different shells may overlap. Done when the mesh is also oriented, split and filled. Default true.\nallocator: Memory of the repaired mesh and of the work.\ncookie: Filled by rbl_default_mesh_repair_def(). Leave it alone."

class rbl_mesh_repair_report(Structure):
    'What a repair has done.\nis_unchanged: Nothing was wrong: the mesh is an exact copy.\nwelded_vertices: Vertices that became one with another, and those that no face used and that are gone.\ndropped_vertices: Vertices that became one with another, and those that no face used and that are gone.\ndropped_degenerate: Faces that are gone because they were degenerate (or a flat patch that encloses nothing), or duplicates.\ndropped_duplicates: Faces that are gone because they were degenerate (or a flat patch that encloses nothing), or duplicates.\nflipped_faces: Faces that were turned over, and shells that were turned over as a whole after that.\nflipped_shells: Faces that were turned over, and shells that were turned over as a whole after that.\ndropped_shells: Shells that are gone because they enclose nothing; their faces are among the degenerate ones.\nsplit_vertices: Vertices that were added where pieces came apart.\ncut_faces: Faces that were cut into triangles, so that no two fans have a diagonal in common.\nfilled_holes: Borders that were closed, and the faces that it took.\nadded_faces: Borders that were closed, and the faces that it took.\nresolved_crossings: Pairs of triangles that crossed, in shells whose self-intersections were resolved.\nadded_vertices: Vertices that were added for holes, crossings, and edges where a thing touches itself.'

class rbl_convex(Structure):
    ''

class rbl_convex_data(Structure):
    'A convex as it is seen; the arrays live as long as it does.\nface_count: Number of faces, 4 to RBL_MAX_CONVEX_FACES.\nplanes: The plane of each face: unit normal outward.\nplane_ids: Where each plane came from: faces with equal ids lie in one plane, looking the same way or opposite ways. RBL_NO_PLANE_ID when unknown.\nvertex_count: Number of vertices: 2 * face_count - 4, exactly three faces each. Where more planes meet in a point, several vertices share its place.\nvertices: The vertices.\nface_starts: Face f has the corners face_starts[f] to face_starts[f + 1] - 1, counter-clockwise from outside.\ncorner_vertices: The vertex of each corner.\ncorner_faces: The face beyond the edge from each corner to the next.\nis_approximate: Whether this is the outer approximation of something with too many faces.'

class rbl_convex_def(Structure):
    "How to make a convex: of a mesh, or of planes. Start from rbl_default_convex_def().\nmesh: A closed convex mesh: the result is the intersection of its faces' half-spaces. NULL: planes are used instead. Default NULL.\nplanes: The intersection of these half-spaces with `box`, any normals but zero. Default none.\nplane_ids: Ids of the planes, or NULL.\nplane_count: Number of planes, 0 to 65536.\nbox: A finite box with every side > 0. Not read with a mesh. Default -1 to 1.\nallocator: Memory of the convex.\ncookie: Filled by rbl_default_convex_def(). Leave it alone."

class rbl_jobs(Structure):
    ''

class rbl_jobs_def(Structure):
    "How to make a pool. Start from rbl_default_jobs_def().\nworker_count: Threads that work at once, the caller's included, 1 to RBL_MAX_WORKERS. Default 1.\nstart_task: The caller's task system instead of own threads; NULL for own threads. It starts `function(task)` on another thread soon and returns at once. The library waits for its tasks by itself, and helps while it waits; a task that runs late finds nothing to do. Threads: worker.\nuser: Passed to `start_task`.\nallocator: Memory of the pool.\ncookie: Filled by rbl_default_jobs_def(). Leave it alone."

class rbl_pattern(Structure):
    ''

class rbl_pattern_def(Structure):
    "How to make a pattern. Start from rbl_default_pattern_def().\nkind: Default RBL_PATTERN_VORONOI.\nsize: The box around the origin that the cells fill, in metres, every side > 0. Default 2, 2, 2.\ncell_count: Number of Voronoi cells, 1 to RBL_MAX_PATTERN_CELLS. Not read for webs, bricks and what is given. Default 64.\nfocus: Crowding of cells at the origin, 0 to 1: 0 even, 1 as the inverse cube. Default 0.5.\nring_count: Rings and spokes of a web, 1 to 1000 and 3 to 1000. Default 8 and 16.\nspoke_count: Rings and spokes of a web, 1 to 1000 and 3 to 1000. Default 8 and 16.\njitter: Randomness of a web, 0 to 1. Default 0.5.\nbrick_size: Size of a brick with its joints, every side > 0: along the course, up, and through the wall. A joint, and the bottom of a course, is at the origin; so is the middle of a brick's depth, or what lies between two leaves of RBL_BOND_FLEMISH. Default 0.25, 0.0625, 0.125.\nbond: Default RBL_BOND_RUNNING.\nstretch: Length of splinters over their width, 1 to 100. Default 8.\nsites: Points for RBL_PATTERN_SITES, inside `size`; several at one place get one cell. Those of more than 2^14 + 64 per site faces in all, as on two curves, are refused.\nconvexes: Cells for RBL_PATTERN_CELLS.\ngiven_count: Number of sites or convexes, 1 to RBL_MAX_PATTERN_CELLS.\ncolors: A color per site or convex, or NULL: cells of one color stay together. Default NULL.\nregion: Where cells are needed, about the origin: those that do not meet this box are not made and are empty. A hint that saves time and memory where the body is known: one that reaches out of the box is cut as well, with cells made anew. Along each axis a range within 1e9 times `size`, or all of it. Not read for RBL_PATTERN_CELLS, and not saved. Default -INFINITY to INFINITY: everywhere.\ncell_limit: The most cells that may meet the region, 1 to RBL_MAX_PATTERN_CELLS; more are refused before all are made. Default RBL_CUT_LIMIT.\nseed: The same seed gives the same pattern on every platform. Default 1.\njobs: Workers for the making; NULL: the caller's thread. The result is the same.\nallocator: Memory of the pattern.\ncookie: Filled by rbl_default_pattern_def(). Leave it alone."

class rbl_solid(Structure):
    ''

class rbl_solid_def(Structure):
    'How to make a solid. Start from rbl_default_solid_def().\nmesh: A closed mesh, its faces looking outward. Vertices at exactly the same place count as one. Shells may lie inside each other (voids) or overlap. It must live as long as the solid.\nallocator: Memory of the solid.\ncookie: Filled by rbl_default_solid_def(). Leave it alone.'

class rbl_crossing_report(Structure):
    'Where the surface of a solid crosses itself. Different shells may overlap: each is looked at with its voids, by itself.\ncrossing_count: Pairs of triangles that cross.\ninverted_volume: The volume of places around which the surface winds the wrong way round, as in one half of a bow tie. Pieces from there would be inside out.\ndoubled_volume: The volume of places around which it winds more than once, less the first time.\nis_breakable: Whether every break of the solid is whole: no more than 1e-9 of it is inverted. Otherwise rbl_create_pieces() and rbl_prepare() may refuse it, and rbl_mesh_repair() takes it apart.'

class rbl_pieces(Structure):
    ''

class rbl_inner_look(Structure):
    'How cut faces look.\nmaterial: Material of cut faces: an index into the mesh\'s materials, or their number for a new one (to compounds, any larger one). -1: the mesh\'s own of the name "inner", or a new one of that name. A new one looks like the material that most of the shell\'s surface has, so that glass breaks into glass; without materials it is grey. Default -1.\nuv_scale: Metres per unit of texture, > 0. Default 1.\nuv_offset: Added to texture coordinates. Default 0, 0.\nuv_seed: Turns and shifts the texture differently for every plane, the same on both sides of a crack and for all faces in one plane; 0: all alike. Default 0.\natlas_lower: Corners of a rectangle in an atlas. Then `uv_scale` metres are as wide as the rectangle, the origin is at its middle, and what lies beyond is held at its rim. Equal corners: no atlas. Default 0, 0 and 0, 0.\natlas_upper: Corners of a rectangle in an atlas. Then `uv_scale` metres are as wide as the rectangle, the origin is at its middle, and what lies beyond is held at its rim. Equal corners: no atlas. Default 0, 0 and 0, 0.\ncolor: Colour of cut faces where the mesh has colours. Default white.\nroughness: How far cut faces stand out and lie deeper, like rough stone: metres, >= 0; 0: they are flat. Both sides of a crack match, borders stay where they are, and volumes add up as before; mass is that of flat faces. Keep it well below the size of pieces. Default 0.\nrough_step: Metres between the points of a rough face, >= 0; 0: twice the roughness. A large face takes a multiple; a millionth of the solid\'s size is the least. Default 0.'

class rbl_pieces_def(Structure):
    "How to break a solid. Start from rbl_default_pieces_def().\nsolid: What to break; must live as long as the pieces.\npattern: How; must live as long as the pieces.\nposition: Where the pattern's origin goes, in the mesh's coordinates. Default the origin.\nshape: Shapes the pattern around its origin: any matrix with an inverse. Default the identity.\nrotation_seed: A random rotation of the pattern before `shape`; 0: none. Default 0.\ninner: How cut faces look.\ncut_limit: The most cuts that it may take: one for each cell that meets the solid's bounds, and one for ten triangles cut by a cell. Cells are counted before anything is cut, and more are refused then; too many triangles end the work. A cut takes 5 to 15 kB of memory. > 0, default RBL_CUT_LIMIT.\njobs: Workers; NULL: the caller's thread. The result is the same bits.\nallocator: Memory of the pieces, also used by workers.\ncookie: Filled by rbl_default_pieces_def(). Leave it alone."

class rbl_pieces_report(Structure):
    "What came of it, in numbers.\ninner_count: Pieces that are just their cell: nothing of the solid's surface is on them.\nvolume_in: Volume of the solid and of all pieces.\nvolume_out: Volume of the solid and of all pieces.\nflat_count: Components thinner than rounding (1e-12 of the volume) that were left out, and those of negative volume that are no voids: there the surface crosses itself, by no more than 1e-9 of its volume.\ninverted_count: Components thinner than rounding (1e-12 of the volume) that were left out, and those of negative volume that are no voids: there the surface crosses itself, by no more than 1e-9 of its volume.\noverlap_count: Cells where the surface overlaps itself, and steps of it between cell faces that share no edge, by rounding, which are rerouted over the faces between.\nrerouted_count: Cells where the surface overlaps itself, and steps of it between cell faces that share no edge, by rounding, which are rerouted over the faces between.\nmismatch_count: Shared walls whose two sides do not fit: zero unless the surface crosses itself."

class rbl_piece_info(Structure):
    "A piece in numbers.\ncell: The pattern's cell and its color.\ncolor: The pattern's cell and its color.\nshell: The outer shell of the solid it comes from.\nis_inner: Whether it is just its cell: nothing of the solid's surface is on it.\nvertex_count: Vertices and faces of its surface, and the most triangles it may be drawn with.\nface_count: Vertices and faces of its surface, and the most triangles it may be drawn with.\ntriangle_capacity: Vertices and faces of its surface, and the most triangles it may be drawn with.\nvolume: Volume and centre of mass, in the mesh's coordinates."

class rbl_draw_vertex(Structure):
    "A vertex to draw.\nposition: Relative to the piece's centre of mass."

class rbl_piece_pair(Structure):
    'Two pieces by index, the lower first.'

class rbl_task(Structure):
    ''

class rbl_material(Structure):
    ''

class rbl_compound(Structure):
    ''

class rbl_compound_part(Structure):
    "A part of a compound: one convex, numbered from 0. A part keeps its number as long as it is in the compound; numbers of parts that left are used again.\nconvex: Its shape. In a definition the caller's, copied; in a view the compound's.\nmesh: The closed mesh inside the convex that is seen, or NULL: then the convex itself is all there is, and it lies inside of the body.\nmaterial: Index of its material in the compound's table, 0 to material_count - 1.\nis_anchored: Whether it is fixed to the world: whatever hangs together with it does not fall.\nstrength: The energy of a hit that breaks it, over what its damage rule says, > 0: painted. In a definition 0 counts as 1.\ndamage: How far hits have worn it down, 0 to 1: at 1 the next hit breaks it. See rubble/damage.h.\noverlap: The share of its volume that counts with others, 0 to 1: where parts of an asset overlap, each counts a part of what they have in common, so that all of it counts once. What breaks off it has the same. Not read in a definition.\nshape: A hash of the convex's corners, so that a new part with an old number can be told from the old one. Not read in a definition."

class rbl_strength_paint(Structure):
    "How strength is painted on parts and bonds: both factors count. Start from rbl_default_strength_paint(), which definitions contain.\nfunction: Asked at the centre of every part and of every bond, in their order, by the caller's thread; NULL: strength is 1 everywhere. Default NULL.\nkey: A number that stands for the function in the key of an asset: another function, another number. Default 0.\nchannel: A channel of the mesh's vertex colours: of each part the mean over its outer surface, of a bond the mean of both parts. Parts without colours have 1. Default RBL_CHANNEL_NONE.\nat_zero: Strength where the channel is 0 and where it is 1, > 0; linear between. Default 0.1 and 1.\nat_one: Strength where the channel is 0 and where it is 1, > 0; linear between. Default 0.1 and 1."

class rbl_cluster_level(Structure):
    "A level of a hierarchy: parts are grouped into clusters, and bonds between clusters have a strength of their own. Where it is below that of the bonds inside, weak hits part clusters, and harder ones part the clusters themselves, by rbl_damage_rule.bond_energy. All that is not set is 0.\ncluster_count: How many clusters, 1 to the number of parts. They are connected by bonds wherever parts are. Not read where there is a pattern.\nstrength: Strength of bonds between clusters of this level, over what they have, > 0.\npattern: NULL: parts are grouped as they are. Otherwise rbl_prepare() cuts them by the cells of this pattern, all of them, and what of a cluster of the level before lies in cells of one color is a cluster: chunks, say, and the bricks of each chunk. rbl_compound_cluster() cuts nothing, and refuses it.\nposition: Where the pattern's origin goes, in the mesh's coordinates.\nrotation: A unit rotation from the pattern's axes to the mesh's; all 0: none."

class rbl_anchor_def(Structure):
    'Which parts are fixed to the world, by rule: any of them is enough. Start from rbl_default_anchor_def().\nlowest: Parts that reach down to within this many metres of the lowest point along `up`; < 0: none. Default -1.\nup: Of any length but 0. Default 0, 1, 0.\nboxes: Parts whose centre is in one of these boxes. Default none.\nmaterial: Parts that have a face of a mesh material of this name; NULL: none. Default NULL.\nchannel: Parts whose vertex colours have a mean of more than a half in this channel on their outer surface: a vertex group. Default RBL_CHANNEL_NONE.\ncookie: Filled by rbl_default_anchor_def(). Leave it alone.'

class rbl_compound_def(Structure):
    "How to make a compound: of parts, of one mesh, or of a mesh and a pattern that splits it. Start from rbl_default_compound_def().\nparts: The parts, which must not overlap. NULL: `mesh` is used instead.\npart_count: Number of parts, 1 to RBL_MAX_COMPOUND_PARTS. Not read with a mesh.\nmesh: A closed mesh: one part whose convex fits around it, or as many as `pattern` has cells in it.\npattern: Splits the mesh, its origin at `position`; NULL: it stays whole.\nposition: Default the origin.\nfit: How convexes fit around meshes. Default RBL_FIT_26.\ninner: How the faces look that the pattern cuts into the mesh. They are flat: parts are connected.\ntolerance: Faces without a common plane id are in one plane when they are nearer than this share of the smaller convex's size; a smaller share of a face is no contact. 1e-9 to 1e-2, default 1e-5.\ncut_limit: The most cuts that the pattern may take, as rbl_pieces_def.cut_limit. Default RBL_CUT_LIMIT.\nmaterials: What parts are made of, a table that the compound and all that breaks off it keep; NULL among them, or no table: as the body (rbl_body_def.shared_material). Default NULL.\nmaterial_count: Number of materials, 1 to 65536. Default 1.\npaint: Strength painted on parts and bonds.\njobs: Workers; NULL: the caller's thread. The result is the same bits.\nallocator: Memory of the compound and of what breaks off it, also used by workers.\ncookie: Filled by rbl_default_compound_def(). Leave it alone."

class rbl_compound_info(Structure):
    'A compound in numbers.\npart_count: Parts that are there, and one more than their highest number.\npart_end: Parts that are there, and one more than their highest number.\nanchored_count: Parts that are fixed to the world.\napproximate_count: Parts whose convex is the outer approximation of one with too many faces.\nmaterial_count: Of the table of materials.'

class rbl_compound_bond(Structure):
    'A bond, seen from a part.\nother: The part on the other side.\nface: The faces that touch: of the part itself and of the other. -1 where they overlap instead, or were bent (rubble/bend.h).\nother_face: The faces that touch: of the part itself and of the other. -1 where they overlap instead, or were bent (rubble/bend.h).\narea: Area and centre of what they share.\nstrength: Times what its materials hold (rbl_material_def.strengths). 1 unless it was set.\ndamage: How far hits have worn it down, 0 to 1: it carries as much less, and opens at 1.'

class rbl_break_def(Structure):
    "How to break a compound. Start from rbl_default_break_def().\npattern: How; read during the call only. Where cells of RBL_PATTERN_CELLS end, what lies beyond them is split off, and a part with a mesh that reaches there is refused.\nposition: The impact: where the pattern's origin goes. Default the origin.\npattern_offset: Moves the pattern's origin away from there, so that courses of bricks go on from one impact to the next. Default 0, 0, 0.\nshape: Shapes the pattern around its origin: any matrix with an inverse. Default the identity.\nrotation_seed: A random rotation of the pattern before `shape`; 0: none. Default 0.\nradius: Radius of the impact, > 0. Parts outside are not touched, and what lies outside of parts that are cut stays with the rest. INFINITY breaks everything. Default INFINITY.\nmaterial: Only parts of this material are cut: its place in the compound's table; -1: all. So glass that is hit does not break the wall around it. Default -1.\nfit: How convexes fit around meshes. Default RBL_FIT_26.\ninner: How cut faces look.\nwelds: Replace the parts that fill a cell by one convex, where none of them has a mesh and all are of one material. Default true.\ncut_limit: The most cuts that it may take: one for each cell and each touched part that it meets, and one for ten triangles of a mesh cut by a cell. Cells and parts are counted before anything is cut, and more are refused then; too many triangles end the work, and the compound is as it was. A cut takes 5 to 15 kB of memory. > 0, default RBL_CUT_LIMIT.\njobs: Workers; NULL: the caller's thread. The result is the same bits.\ncookie: Filled by rbl_default_break_def(). Leave it alone."

class rbl_break(Structure):
    ''

class rbl_break_overlap(Structure):
    'Two parts of different compounds that overlap: a mesh may fall into several pieces in one cell, and the convexes around them may overlap.\ncompound_a: Index of the compound in rbl_break_data, -1 for what remains; and the part.\npart_a: Index of the compound in rbl_break_data, -1 for what remains; and the part.'

class rbl_break_data(Structure):
    "A break as it is seen. The arrays live as long as it does.\ncompound_count: What came off, in the coordinates of the broken compound. Taken ones are NULL.\noverlap_count: Overlaps between different compounds.\ntouched_count: Parts that were cut, and parts that came of them.\nmade_count: Parts that were cut, and parts that came of them.\ngone_count: Numbers of the parts that are not in the compound any more, since they were cut or came off as they were: each once. Numbers may be those of new parts by now.\nwelded_count: Cells that were welded.\napproximate_count: Convexes that had too many faces and were replaced by an outer approximation.\nflat_count: Slices thinner than rounding (1e-12 of their part's volume) that were left out, and their volume.\ncut_count: Cuts of a part by a cell, pairs of faces tested, and parts that the search for components looked at: what the break cost. None depends on what lies far from it.\ntested_count: Cuts of a part by a cell, pairs of faces tested, and parts that the search for components looked at: what the break cost. None depends on what lies far from it.\nvisited_count: Cuts of a part by a cell, pairs of faces tested, and parts that the search for components looked at: what the break cost. None depends on what lies far from it.\ntriangle_count: Triangles of the meshes of parts that were cut, likewise."

class rbl_distance_field(Structure):
    ''

class rbl_distance_field_def(Structure):
    "How to make the field of a mesh. Start from rbl_default_distance_field_def().\nmesh: A closed mesh, its faces looking outward: every edge is walked as often in one direction as in the other, by position. Shells inside of others are voids. Where shells overlap, the faces inside count as surface: depths there are those of the nearest face. Read during the call only.\nresolution: Cells along the diagonal of the mesh's box, 8 to RBL_MAX_FIELD_RESOLUTION. Default 128.\nwall: The thinnest wall of the mesh in metres, 0: not known. Cells are at most half as wide, as far as RBL_MAX_FIELD_RESOLUTION allows; walls thinner than a cell are seen as an error and not as an inside. Default 0.\njobs: Workers; NULL: the caller's thread. The result is the same bits.\nallocator: Memory of the field, also used by workers.\ncookie: Filled by rbl_default_distance_field_def(). Leave it alone."

class rbl_distance_field_info(Structure):
    "A field in numbers.\nbounds: The box around what it is the field of, in the field's coordinates.\ncell_size: Width of the finest cells in metres.\nsurface_error: How far distances may be off, in metres: where the surface is, and anywhere in `bounds`.\nlargest_error: How far distances may be off, in metres: where the surface is, and anywhere in `bounds`.\nbytes: Memory in bytes, without what it shares.\nbrick_counts: Bricks of 8 x 8 x 8 cells by level, the finest first; zero for fragments."

class rbl_cell_union(Structure):
    "Several cells that hold together, as one region of space. Arrays are the caller's and read during the call only.\ncell_count: Number of cells, 1 or more.\nplane_starts: Cell c has the planes plane_starts[c] to plane_starts[c + 1] - 1: cell_count + 1 numbers.\nplanes: Outward, unit normals.\ncell_boxes: Boxes around the cells, or NULL; with them fewer cells are looked at for a point.\npolygon_count: Number of exposed polygons: faces of cells, or convex parts of them, that no other cell of the union lies behind. What two cells of the union share is not among them.\ncorner_starts: Polygon p has the corners corner_starts[p] to corner_starts[p + 1] - 1: polygon_count + 1 numbers.\ncorners: Corners, counter-clockwise from outside; each polygon is convex and flat."

class rbl_triangle_list(Structure):
    'Triangles of a closed surface: three corners each.'

class rbl_fragment_field_def(Structure):
    "What a fragment is: what lies in the original, in its box, behind all planes, and in each union. All coordinates are the original's, whatever became of the fragment since, so breaking again only adds planes or a union. Start from rbl_default_fragment_field_def().\noriginal: The field of the mesh that was broken first, made by rbl_create_distance_field(). It must live as long as the fragment's field.\nwithout_original: There is no original: the region is its box, planes and unions alone, exactly. So convexes, compounds of them and floors have fields. Default false.\ntransform: From the fragment's coordinates to the original's. Default the identity.\nbox: The box around the fragment in the original's coordinates. Default empty, which is refused.\nplanes: Planes of the cells it was cut out with, outward, unit normals. Default none.\nunions: Unions of bonded cells it was cut out with, one for each break. A single cell is given by `planes`. Default none.\nsurface: Only where other pieces of the same cells overlap the fragment's box: the fragment's surface, and that of those pieces. Planes and box cannot tell them apart then. Default none.\nothers: Only where other pieces of the same cells overlap the fragment's box: the fragment's surface, and that of those pieces. Planes and box cannot tell them apart then. Default none.\nallocator: Memory of the field.\ncookie: Filled by rbl_default_fragment_field_def(). Leave it alone."

class rbl_asset(Structure):
    ''

class rbl_prepare_def(Structure):
    "How to prepare a mesh. Start from rbl_default_prepare_def(). Each shell (an outer surface with its voids) is prepared by itself: divided by the Voronoi cells of nodes, and around each piece goes a convex. Shells may overlap each other, as columns and roof of a model that was never welded.\nnodes: Nodes in the mesh's coordinates; every shell is divided by all. NULL: they are placed.\nnode_count: Number of nodes, 0 to RBL_MAX_NODES: of those given, or how many to place in each shell. 0: as many as the tolerance asks for. Times the shells of the mesh at most RBL_MAX_ASSET_NODES. Default 0.\ntolerance: How much larger the convexes of a shell may be than the shell, in sum, as a share of its volume; > 0. Nodes are added until they fit that well. Default 0.2.\nnode_limit: The most nodes to place in a shell for the tolerance, 1 to RBL_MAX_NODES. Default 64.\nhull_vertices: Vertices that each convex is fitted with, 4 to 48 (see rbl_create_outer_hull()). Default 32.\ninner: How the faces look that are cut into the mesh. They are flat: parts are connected.\nmaterials: What the mesh is made of, by its material slots (rbl_mesh_data.face_materials): a part has the material of the slot that most of its surface has, so glass, wall and beam of one building break each by its own rule. Slots beyond, and NULL among them: as the body. The asset keeps them. Default none.\nseed: The same seed places the same nodes on every platform. Default 1.\nfield_resolution: Cells along the diagonal of the distance field that the asset has besides, as rbl_distance_field_def.resolution; 0: it has none. Default 0.\nfield_wall: The thinnest wall of the mesh in metres for that field, as rbl_distance_field_def.wall; 0: not known. Default 0.\nlevels: A hierarchy of the parts, from large clusters to small ones, as rbl_compound_cluster() makes it; `level_count` levels, 0: none. Levels by a pattern divide the parts first, level by level, so that the asset is broken before anything hits it. Default none.\npaint: Strength painted on parts and bonds, before the hierarchy.\nanchors: Which parts are fixed to the world, as rbl_compound_anchor() finds them; NULL: none. Default NULL.\nprevious: An asset of the same mesh and the same number of nodes, or NULL: parts of cells that did not change are copied from it. So moving a node redoes its neighbours alone. Default NULL.\njobs: Workers; NULL: the caller's thread. The result is the same bits.\nallocator: Memory of the asset, also used by workers.\ncookie: Filled by rbl_default_prepare_def(). Leave it alone."

class rbl_asset_report(Structure):
    'An asset in numbers.\nshell_count: Shells, nodes of all shells, and convexes.\nnode_count: Shells, nodes of all shells, and convexes.\npart_count: Shells, nodes of all shells, and convexes.\nkept_count: Parts taken from the previous asset.\nbond_count: Bonds between parts: by faces that touch, and by overlap.\noverlap_count: Bonds between parts: by faces that touch, and by overlap.\nghost_count: Ghosts: what two or more parts have in common. Parts that lie in another altogether.\ncovered_count: Ghosts: what two or more parts have in common. Parts that lie in another altogether.\nis_ghost_limited: Whether some overlaps were left out because there are too many: mass_volume is too large then.\nmesh_volume: Volume of the mesh, and of the visual pieces: each closed component counts.\nvisual_volume: Volume of the mesh, and of the visual pieces: each closed component counts.\nconvex_volume: Volume of all convexes, and of what remains when common parts count once: that gives mass and inertia.\nmass_volume: Volume of all convexes, and of what remains when common parts count once: that gives mass and inertia.\nworst_ratio: The largest of convex_volume over visual_volume of one shell.\nstop: What ended the search, and how many shells are not within the tolerance.\nkey: A hash of mesh and definition: assets with equal keys are equal.'

class rbl_ghost(Structure):
    'What parts have in common.\nconvex: Its shape; lives as long as the asset.\nsign: How it counts in sums over all convexes: -1 for two parts, 1 for three, and so on.\npart_count: Number of parts, and two of them: the first and the last.\nfirst_part: Number of parts, and two of them: the first and the last.\nlast_part: Number of parts, and two of them: the first and the last.'

class rbl_bending(Structure):
    ''

class rbl_bending_def(Structure):
    'How to bend. Start from rbl_default_bending_def().\nstep_count: Steps for which pieces move by themselves, 1 to 100000. Default 6.\nmax_stretch: A bond holds when its two ends have come apart by no more than this share of its size, the square root of its area; >= 0. Default 0.5.\ncookie: Filled by rbl_default_bending_def(). Leave it alone.'

class rbl_filter(Structure):
    'Who may form a pair with whom: (a.category & b.mask) and (b.category & a.mask), unless both have the same group other than zero: then a positive group always pairs, a negative one never.'

class rbl_broadphase(Structure):
    ''

class rbl_proxy_id(Structure):
    'The id of a box in a broad phase. All zero is the null id; one whose box was removed is stale and refused.\nslot_plus_one: Slot of the box plus one; see rbl_proxy_slot().\ngeneration: Counts how often the slot was used.'

class rbl_proxy_def(Structure):
    'A box to be added.\nbox: Closed box: touching counts as overlapping. Finite, lower <= upper.\nfilter: See rbl_default_proxy_def(): category 1, mask all, group 0.\nis_static: Two static boxes never form a pair.\nuser: Whatever the caller wants back.'

class rbl_bsp_settings(Structure):
    "How the BSP adjusts itself. The names are those of Luque, Comba and Freitas (2005); where a default is not the paper's, the manual says what was measured.\ndirection_count: Directions that planes may have, 3 (the axes) to RBL_MAX_BSP_DIRECTIONS. Default 3. The further ones are spread over the hemisphere by mutual repulsion.\nsplit_threshold: Boxes in a leaf above which it is split, 16 to 4096; 0 lets it follow the population. Default 0.\nmerge_threshold: Boxes in two sibling leaves below which they are merged; 0: a third of the split threshold. Default 0.\nmin_balance: A node is unbalanced when the smaller side has less than this fraction of the larger. Default 0.5, in (0, 1].\nmax_redundancy: The fraction of boxes that a new plane may cut. Default 0.5; the paper's 0.025 cannot be met in a pile.\nevaluation_interval: Updates between two evaluations of the whole tree. Default 10.\nevent_capacity: Events that may wait, 1 to 1024. Default 64.\nevent_divisor: Of s waiting events, s / event_divisor (at least one) are done per update. Default 16.\nheight_limit: Levels below which no leaf is split. Default 24, at most RBL_MAX_BSP_HEIGHT."

class rbl_broadphase_def(Structure):
    'How to make a broad phase. Start from rbl_default_broadphase_def().\nkind: Default RBL_BROADPHASE_BSP.\ncapacity_hint: Proxies to reserve memory for. Default 0.\nwork_budget: Structure work per update, counted in boxes touched, so that runs repeat bit for bit; -1 for no limit, 0 for no structure at all. rbl_work_from_microseconds() converts. Pairs are right whatever the budget. Default 4096.\nmargin: How far a box may move before it is inserted again, metres, >= 0. Default 0.05. Pairs do not depend on it.\nbsp: Settings of the BSP; other kinds ignore them.\njobs: Workers, or NULL for the calling thread.\nallocator: Memory.\ncookie: Filled by rbl_default_broadphase_def(). Leave it alone.'

class rbl_pair(Structure):
    'Two overlapping boxes, by slot, a < b.'

class rbl_pair_list(Structure):
    'A list of pairs.'

class rbl_broadphase_result(Structure):
    'What an update found. All lists live until the next call that changes the broad phase.\nruns: All pairs, as several lists that are not copied together; each pair is in exactly one.\npair_count: Number of pairs in all of them.\nbegun: Pairs that overlap now and did not at the last update.\nended: Pairs that overlapped at the last update and do not now, or of which a box was removed. The slot of a removed box keeps its user value until the next update.\nwas_reset: After an update that ran out of memory the next one cannot tell what changed: then all pairs are in `begun`, none in `ended`, and this is set.'

class rbl_broadphase_stats(Structure):
    'What the structure looks like and what was done to it.\nredundancy: Boxes listed in leaves, beyond the first of each proxy, as a fraction of the proxies.\nsplits: Operators applied since creation (BSP).\nshift_splits: Operators applied since creation (BSP).\nmerges: Operators applied since creation (BSP).\nbalances: Operators applied since creation (BSP).\nswaps: Operators applied since creation (BSP).\nrebuilds: Operators applied since creation (BSP).\nevents_waiting: Events that wait for budget (BSP), and those deferred since creation.\nwork: Boxes touched by structure work in the last update.\nupdate_ms: Time of the last update: inserting what changed, finding pairs, adjusting the structure.\npairs_ms: Time of the last update: inserting what changed, finding pairs, adjusting the structure.\nadjust_ms: Time of the last update: inserting what changed, finding pairs, adjusting the structure.\nbytes: Memory allocated.'

class rbl_damage_level(Structure):
    'What a hit of some energy does.\nenergy: The least energy for it, in joule, > 0.\npattern: How it breaks: finer patterns for harder hits.\nradius: Radius of the impact at that energy, in metres, > 0. It grows with the cube root of the energy, so that the energy per volume stays the same.'

class rbl_damage_rule(Structure):
    'How a material breaks. Start from rbl_default_damage_rule().\nlevels: Levels by rising energy, and their number; a hit weaker than the first does nothing. Read during calls only: a material makes a copy and keeps the patterns. Default none.\nradius_limit: The largest radius, in metres, > 0. Default INFINITY.\nmin_size: What is smaller does not break: the cube root of the volume, in metres, >= 0. Default 0.05.\ndust_size: In a world, what detaches and is smaller turns to dust: it is reported and gets no body. Measured as min_size, >= 0. Default 0: nothing does.\nbend_energy: In a world, hits that are too weak to break bend what is made of several parts: from this energy on, in joule, >= 0; 0: they do not. Default 0.\nbend_depth: How far the part that was hit gives way when it takes twice that energy, and how far around it others do, in metres, > 0: the deeper the harder, up to half of the radius. Default 0.05 and 0.5.\nbend_radius: How far the part that was hit gives way when it takes twice that energy, and how far around it others do, in metres, > 0: the deeper the harder, up to half of the radius. Default 0.05 and 0.5.\nwear_energy: In a world, hits that are too weak to break leave damage behind: from this energy on, in joule, >= 0; 0: they leave none. A hit of energy E adds (E / T)^wear_exponent to the damage of the part that it hits, where T is the energy of the first level times the strength of the part. At 1 it breaks as by a hit of energy T, and the damage is used up. Default 0.\nwear_exponent: 1 to 8. With 2 a hundred hits of a tenth of the energy break a part. Default 2.\nwear_radius: How far around a hit it is felt, in metres, > 0: parts and bonds take a share of its energy that falls from 1 at the point to 0 at this distance. A part beside the one that is hit does not break by that alone: it waits for the next hit. Default 0.5.\nbond_energy: In a world, the share of a hit that opens a bond of strength 1, in joule, >= 0; 0: hits open none. Weaker ones wear it down as they do parts. Default 0.\ncookie: Filled by rbl_default_damage_rule(). Leave it alone.'

class rbl_wear_report(Structure):
    'What a hit has done to the health of a compound.\npart_count: Parts and bonds whose damage has grown.\nbond_count: Parts and bonds whose damage has grown.\nfailed_count: Bonds that are worn through now: rbl_compound_open_bonds() lets them go.\nbreaks: Whether the part that was hit breaks, by this hit or by all so far; and the energy to choose the break by, rbl_damage_choose().'

class rbl_exposed_triangle(Structure):
    'A triangle of a face that a break exposed.\ncompound: Index of the compound in rbl_break_data, -1 for what remains; the part, and its material.\npart: Index of the compound in rbl_break_data, -1 for what remains; the part, and its material.\nmaterial: Index of the compound in rbl_break_data, -1 for what remains; the part, and its material.'

class rbl_particle_def(Structure):
    'How many particles exposed faces give off. Start from rbl_default_particle_def().\ndensity: Particles per square metre, >= 0. Default 50.\nsphere_ratio: The share of them that are spheres, 0 to 1; the others are points. Default 0.2.\nmin_radius: Radii of spheres, in metres, 1e-9 <= min_radius <= max_radius <= 1e9. The number of those larger than r goes with 1 / r^2. `max_radius` should be that of the smallest body. Default 0.005 and 0.025.\nmax_radius: Radii of spheres, in metres, 1e-9 <= min_radius <= max_radius <= 1e9. The number of those larger than r goes with 1 / r^2. `max_radius` should be that of the smallest body. Default 0.005 and 0.025.\ninstance_count: Number of meshes that spheres are drawn as, > 0. Default 4.\nseed: The same seed gives the same particles. Default 1.\ncookie: Filled by rbl_default_particle_def(). Leave it alone.'

class rbl_particle(Structure):
    'A particle on an exposed face. Damp the rotation of spheres strongly, so that they do not roll for ever; points are dust for the caller to move in the air.\nradius: Of a sphere, in metres; 0 for a point.\ninstance: Which mesh to draw a sphere as, 0 to instance_count - 1.\ntriangle: The triangle it comes from.'

class rbl_dust_fragment(Structure):
    'A piece that is too small for a body: a sphere of its volume.'

class rbl_motion(Structure):
    'How the thing moved that broke.\nposition: A point of it, its velocity, and the angular velocity.\nvelocity: A point of it, its velocity, and the angular velocity.\nangular_velocity: A point of it, its velocity, and the angular velocity.'

class rbl_material_values(Structure):
    "What a surface is made of. Where two touch, friction is the geometric mean of both, restitution and resistances are the larger, and surface velocities are subtracted.\nfriction: Coulomb's coefficient, 0 to 1e6. Default 0.6.\nrestitution: Share of the approach speed that is given back, 0 to 1. Default 0.\ndensity: Kilograms per cubic metre, 1e-3 to 1e9. Default 1000. That of triangles is not used.\nrolling_resistance: What slows down a sphere, capsule, cylinder or cone that rolls, and one that spins on the spot: the torque per normal force, as a share of its radius, 0 to 1e6. A ball of speed v rolls 0.7 v^2 / (g rolling_resistance) metres far; without resistance it rolls on. Default 0.\nspinning_resistance: What slows down a sphere, capsule, cylinder or cone that rolls, and one that spins on the spot: the torque per normal force, as a share of its radius, 0 to 1e6. A ball of speed v rolls 0.7 v^2 / (g rolling_resistance) metres far; without resistance it rolls on. Default 0.\nsurface_velocity: How the surface runs over its body, in the body's axes and in metres per second, each at most 1000: friction gives what lies on a conveyor belt this velocity. Default 0.\nuser: Whatever the caller wants back, from contacts and events. Default 0."

class rbl_bond_strengths(Structure):
    'What the bonds between parts hold, in pascal, each >= 0; 0: they never fail that way. A bond between two materials holds the lesser of each, where neither is 0, times its own strength (rbl_compound_bond).'

class rbl_debris_rule(Structure):
    'What falls off the faces that a break exposes.\nkind: Bodies that a world makes by itself: see rubble/chip.h. Default RBL_DEBRIS_NONE.\ndensity: Bodies per square metre of exposed faces, >= 0. Default 10.\nmin_radius: Radii of bodies in metres, 1e-3 <= min_radius <= max_radius <= 1e3; the number of those larger than r goes with 1 / r^2. Default 0.005 and 0.025.\nmax_radius: Radii of bodies in metres, 1e-3 <= min_radius <= max_radius <= 1e3; the number of those larger than r goes with 1 / r^2. Default 0.005 and 0.025.\nlimit: The most bodies of one break, >= 0, and the seconds that they last, > 0. Default 32 and 5.\nspeed: How fast they leave the face, in metres per second, 0 to 1000; all together have no more energy than the break has cost. Default 1.\ndust_density: Points of dust per square metre that are reported, >= 0. Default 0.'

class rbl_material_def(Structure):
    "How to make a material. Start from rbl_default_material_def().\nvalues: Of the surface, and the density.\ndamage: How hits break it, bend it and wear it down. The material copies the levels and keeps their patterns when you destroy them. Default a rule without levels: hits do not break it.\nstrengths: What its bonds hold under load: bonds of a body that stands on something fail under its own weight and what lies on it. Default 0: they do not.\nplacement: How its pattern is turned. Default RBL_PLACEMENT_BY_KIND.\nframe: The axes of its grain or courses, in the coordinates of the body's shape: a unit rotation from the pattern's. Default the identity.\nframe_origin: A point of the courses, in the same coordinates: where the origin of a pattern of bricks may lie. All hits on a body have their joints in one lattice through it. Default 0, 0, 0.\nshape: Shapes the pattern around its origin, before it is turned along a frame or normal and after it is turned at random: any matrix with an inverse. Default the identity.\ninner: How cut faces look.\nfit: How convexes fit around the meshes of its fragments. Default RBL_FIT_26.\nwelds: As rbl_break_def.welds and cut_limit. Default true and RBL_CUT_LIMIT.\ndebris: What falls off.\nname: At most RBL_MAX_MATERIAL_NAME - 1 bytes, read during the call only; NULL: none. Default NULL.\nallocator: Memory of the material.\ncookie: Filled by rbl_default_material_def(). Leave it alone."

class rbl_collider(Structure):
    ''

class rbl_collider_child(Structure):
    'A part of a compound. What it has of its own counts in worlds; all zero: as its body.\ncollider: A sphere, capsule, box, convex, cylinder, cone or compound. The compound keeps it. The children of a compound in a compound become children of the outer one, in their order and at their place; what they do not have of their own they take from it.\npose: Its pose in the compound.\nmaterial: What it is made of; the compound keeps it. NULL: as the body. Its density counts when the body is made, or gets the shape.\nfilter: Whom it touches; all zero: as the body.\nuser: Whatever the caller wants back: see rbl_body_part.\nis_sensor: Whether it only notices others, as rbl_body_def.is_sensor. It has no mass.'

class rbl_collider_def(Structure):
    "How to make a collider. Start from rbl_default_collider_def(). Lengths are at most RBL_MAX_COLLIDER_SIZE.\nkind: Which of the fields below are read.\na: Ends of a capsule, cylinder or cone, which differ; `a` is also the centre of a sphere or a box, and a point of a plane, `b` the plane's normal, of any length. Default 0, 0, 0 and 0, 1, 0.\nb: Ends of a capsule, cylinder or cone, which differ; `a` is also the centre of a sphere or a box, and a point of a plane, `b` the plane's normal, of any length. Default 0, 0, 0 and 0, 1, 0.\nradius: Of a sphere, capsule, cylinder or cone, > 0. Default 0.5.\nrounding: Of the round edges and corners of a box or convex, >= 0: a ball of this radius is swept over the shape, which grows by it on all sides. Default 0.\nhalf_size: Of a box, each > 0. Default 0.5.\nconvex: Read during the call only.\norigin: The point of a convex or a mesh that becomes the collider's origin. Default 0, 0, 0.\nmesh: Read during the call only.\nmaterials: Materials of a mesh or height field, at most RBL_MAX_COLLIDER_MATERIALS, which the collider keeps; NULL among them: as the body. A face of a mesh has that of its number in rbl_mesh_data.face_materials, those beyond as the body. Default none.\ncell_materials: The number of the material of each cell of a height field, row by row, each less than material_count: column_count - 1 of them in each of row_count - 1 rows. Read during the call only. NULL: all have the first. Default NULL.\nchildren: The parts of a compound, 1 to RBL_MAX_COLLIDER_CHILDREN.\nheights: Heights in metres, row by row: heights[column + row * column_count] is at (column * cell_size, height, row * cell_size). Read during the call only.\ncolumn_count: 2 to 32768 each.\nrow_count: 2 to 32768 each.\ncell_size: Length of a cell, > 0. Default 1.\nallocator: Memory of the collider.\ncookie: Filled by rbl_default_collider_def(). Leave it alone."

class rbl_manifold_point(Structure):
    'A point where two shapes touch, or nearly.\nposition: Midway between the two surfaces, in the frame of the poses.\nseparation: Distance of the surfaces along the normal; negative when they overlap.\nid: Identifies the features that touch here: the same while the same vertices, edges and faces do. Different for the points of one manifold.'

class rbl_manifold(Structure):
    'How two convex shapes touch.\nnormal: From A to B, unit length.\npoint_count: 0 to RBL_MAX_MANIFOLD_POINTS.\npoints: The deepest point and those that span the largest area.\nchild_a: Which children touch; 0 when the collider has none.\nchild_b: Which children touch; 0 when the collider has none.'

class rbl_contacts(Structure):
    ''

class rbl_manifolds(Structure):
    'A list of manifolds, valid until the next update.'

class rbl_separation(Structure):
    'How far apart two shapes are, or how deep they overlap.\ndistance: Distance; when negative, the length of the shortest motion that separates them.\nnormal: Unit, from A to B; moving B by -distance along it makes overlapping shapes touch.\npoint_a: A nearest point, or the deepest, of each.\npoint_b: A nearest point, or the deepest, of each.\nchild_a: The nearest or deepest children.\nchild_b: The nearest or deepest children.'

class rbl_cast_hit(Structure):
    'What a cast hit.\nfraction: Fraction of the motion, 0 to 1.\npoint: Where they touch, at that time.\nnormal: Unit, out of what was hit. Zero when the cast started inside.\nchild: The child of the target that was hit.\nis_hit: Whether anything was hit; the other fields are zero otherwise, and the fraction is 1.'

class rbl_field_shape(Structure):
    ''

class rbl_field_shape_def(Structure):
    "How to make a shape. Start from rbl_default_field_shape_def().\nfield: What points of other bodies are measured by, in the shape's coordinates; it must live as long as the shape. NULL: they are not. Default NULL.\nmesh: The surface whose vertices, and samples of sharp edges, are the points. Ids of vertices are their indices, samples follow from vertex_count on. Read during the call only. NULL: see `positions`. Default NULL.\norigin: The point of the mesh that is the origin of the shape. Default 0, 0, 0.\ncrease_angle: Edges whose faces differ by more are sharp, in radians, 0 to pi; so are borders. Default 0.25.\nspacing: The most that two samples of a sharp edge are apart, in metres, > 0; INFINITY: vertices only. 0: an eightieth of the diagonal. Default 0.\npositions: Without a mesh: the points, in the shape's coordinates, each within RBL_MAX_FIELD_COORDINATE, for example those of rbl_crack_field_get_points(). With neither, others touch the shape and it touches nothing: right for a floor. Default none.\nids: Ids of `positions`, different from each other and below RBL_FIELD_POINT_ID_END; NULL: their indices. Default NULL.\nallocator: Memory of the shape.\ncookie: Filled by rbl_default_field_shape_def(). Leave it alone."

class rbl_field_shape_info(Structure):
    'A shape in numbers.\nbounds: The box around its points; empty (lower above upper) without any.\nbytes: Memory in bytes, without the field.'

class rbl_field_side(Structure):
    "One of two bodies: a shape, or a collider. At least one of the two is a shape.\nshape: A body by its field. NULL: see `collider`.\nvelocity: Of the pose's origin, in metres and radians per second, in the frame of the poses.\nangular_velocity: Of the pose's origin, in metres and radians per second, in the frame of the poses.\ncollider: A body without a field, of any kind. Distances from spheres, capsules, boxes, cylinders, cones and planes are exact, from convexes inside; compounds are the union of their parts. Triangles of meshes and height fields are solid on their back, as far as the other body reaches, and not beyond their borders. Points are vertices and samples of convex edges, for spheres and capsules the axis with the radius around it, for cylinders and cones discs across it. NULL when there is a shape."

class rbl_field_contact_settings(Structure):
    'How to find contacts. Start from rbl_default_field_contact_settings().\nselection: Default RBL_SELECT_CHOSEN.\ntolerance: Points nearer than this are contacts, in metres, >= 0. Right after a break it must be above zero: crack faces that lie on each other let a query cull little, and find nothing. Default 0.\nmargin: Points that will be nearer than the tolerance after `dt` seconds at their present velocity are contacts as well, from this far, in metres; INFINITY: from any distance. Default 0.03 and 1/60.\ndt: Points that will be nearer than the tolerance after `dt` seconds at their present velocity are contacts as well, from this far, in metres; INFINITY: from any distance. Default 0.03 and 1/60.\ntouching: Points nearer than this, and points that will be, have manifolds of their own, in metres, >= 0: what is about to touch often spreads wider than what bears the load. 0: they do not. Default 0.\ndeep: A deeper contact makes the search go further in the next step, in metres. Default 0.0005.\npoint_count: How many points are chosen, 1 to RBL_MAX_FIELD_CONTACTS, or taken first. Default 12.\ngather_count: RBL_SELECT_CHOSEN: this many points of a body are enough to choose from. Default 48.\nvisit_budget: The most points of each body that are measured. Default 2048.'

class rbl_field_contact_memory(Structure):
    "What a pair remembers from step to step: plain data, all zero at first. It outlasts a shape that is made anew, as long as ids are the same.\nids: The last points: their ids, and where they are in their trees unless these have changed.\nwanted: How many points of A and of B are gathered; 0: as the settings say.\nnormals: The way out of the other body that each point had, in that body's frame, and its separation: in a thin wall the nearer side may be the one that it did not come from. It counts as long as the body is on that side."

class rbl_field_contact(Structure):
    "A point where two bodies touch, or nearly.\nposition: Midway between the point and the other body's surface, in the frame of the poses.\nnormal: From A to B, unit length: the direction of the field that measured it.\nseparation: Negative inside.\nid: The id of the point in its shape or collider; RBL_FIELD_POINT_OF_B is added for points of B.\nchild: The child of the collider that is touched: of a compound the part, of a mesh or height field the triangle; else 0. A manifold has the child of its deepest point, as child_a or child_b."

class rbl_field_contact_list(Structure):
    'What a query found.\npoints: Deepest first, then by their weight in spread, when chosen: at most RBL_MAX_FIELD_CONTACTS. Else in the order in which they were found.\nmanifolds: Up to four points for each normal, those of all that were found which spread widest: normals of the points above, and what differs from them by less than 11 degrees. About two for a pair. A solver takes these or the points.\nvisited: Points of A and of B that were measured, and those of them that touch or will.\nfound: Points of A and of B that were measured, and those of them that touch or will.\nhas_stopped: Whether the search among points of A, and of B, stopped before all that touches was found.'

class rbl_field_contacts(Structure):
    ''

class rbl_crack_polygon(Structure):
    "The contact of two bodies that a crack has just parted, at a polygon which both have. Corners lie on the crack and on the outer surface, whose fields would say that the latter is as near; here the normal is the crack's.\ncorners: A flat polygon in the frame of A, of 1 to 65536 corners.\nnormal: Its normal in the frame of A, out of A: any length but zero.\nb_in_a: The frame of B in the frame of A when they parted.\nfirst_id: Added to the number of a corner for its id."

class rbl_world(Structure):
    ''

class rbl_body_id(Structure):
    'Names a body in a world. All zero names nothing; the id of a body that is gone is stale and refused, never followed.'

class rbl_body_def(Structure):
    "How to make a body. Start from rbl_default_body_def(), and give it exactly one shape: `collider`, `convex`, `compound`, `asset` or `mesh`.\nkind: Default RBL_BODY_DYNAMIC.\npose: Where the shape's own origin is and how it is turned: unit rotation, coordinates within RBL_MAX_POSITION. Default the identity.\nvelocity: Of the centre of mass, and in radians per second. Default 0.\nangular_velocity: Of the centre of mass, and in radians per second. Default 0.\ncollider: A shape that bodies share; they keep it when you destroy it. Meshes, height fields and planes are for static and kinematic bodies, and closed meshes with a `field_shape` for all.\nconvex: A convex, read during the call only.\ncompound: A compound, which is the world's as soon as the body is made, and destroyed with it.\nasset: An asset, which many bodies may share; they keep it when you destroy it.\nmesh: A closed mesh, its faces looking outward, read during the call only: the body is solid, moves as any other, and need not be prepared. Its `contact_method` is RBL_CONTACTS_FIELD or RBL_CONTACTS_AUTOMATIC.\ncontact_method: How its contacts are found. Default RBL_CONTACTS_CONVEX.\nfield_shape: What it collides by with RBL_CONTACTS_FIELD, in the coordinates of `mesh`, or of a `collider` that is a mesh: made by the caller with a field, shared by any number of bodies, which it must outlive. NULL: it is made for this body, of `mesh` or `compound`. Default NULL.\noriginal_field: The field of the mesh that `compound` or `asset` was made from, made by rbl_create_distance_field(): the body and all that comes off it share it, and the world keeps it when you destroy it. Contacts of compounds by fields need it. NULL: the asset's own, if it has one (rbl_prepare_def.field_resolution). Default NULL.\nmaterial: What it is made of, unless it shares a material with others. It does not break then.\nshared_material: A material in place of `material`, which many bodies may share; they keep it when you destroy it, and follow when it changes. It says how the body breaks. Parts of a compound or an asset that have a material of their own are made of that instead. Default NULL.\nfilter: Which bodies it touches: category 1, mask all, group 0 by default.\nmass: Volume, centre and inertia at density 1 in the shape's coordinates, read during the call only; NULL: they follow from the shape. Default NULL.\nlinear_damping: Share of the speed that is lost per second, >= 0. Default 0 and 0.05.\nangular_damping: Share of the speed that is lost per second, >= 0. Default 0 and 0.05.\ngravity_scale: How much of the world's gravity it feels. Default 1.\nlocks: Axes along and about which it does not move, rbl_axis_locks. What comes off it has them, too. Default 0: none.\nis_sensor: Whether it only notices others: no forces, but sensor events. Default false.\ncan_sleep: Whether it may fall asleep when it rests. Default true.\nis_awake: Whether it is awake at first. What sleeps has no velocity. Default true.\nis_enabled: Whether it takes part at all. Default true.\nis_bullet: Whether it is cast against dynamic bodies as well when it is fast; all are against static, kinematic and large ones. Default false.\nmodifies_contacts: Whether rbl_world_def.modify_contact is shown its contacts. Default false.\nuser: Whatever the caller wants back. Default 0.\ncookie: Filled by rbl_default_body_def(). Leave it alone."

class rbl_body_state(Structure):
    "A body as it is now.\npose: Where the shape's own origin is.\ncentre: Centre of mass in the world, its velocity, and the angular velocity.\nvelocity: Centre of mass in the world, its velocity, and the angular velocity.\nangular_velocity: Centre of mass in the world, its velocity, and the angular velocity."

class rbl_body_mass(Structure):
    "Mass properties of a body.\nmass: In kilograms; 0 for what is not dynamic.\ncentre: Centre of mass in the shape's coordinates.\ninertia: About the centre of mass, in the shape's axes."

class rbl_body_part(Structure):
    'A convex of a body.\ncollider: Its shape, and where it is in the world now.\npart: Its number: child of a collider, part of a compound.\nmaterial: What it is made of, whom it touches, whether it only notices others, and the user value of a child: its own, or as the body. A material that it shares, or NULL.'

class rbl_baked_fragment(Structure):
    'Debris that is a part of a static body: see rbl_world_def.bake_time.\npart: Its number, as contacts, hits and casts name it. A fragment may have several convexes.\ncompound: What it is, in its own coordinates, and where that is in the world. It lives until it is a body again or the static body is destroyed.\nmass: In kilograms; what its body had as user value; its number, see rubble/fracture_log.h.'

class rbl_impact(Structure):
    'What a continuous test found. When `is_hit` is false, all else is zero.\ntime: When, from 0 at the start to 1 at the end of the step. Not later than the first contact, and early by rounding only (about 1e-13), or by more when work ran out: then is_certified is false.\nweights: Where. Vertex and face: the share of each face vertex, from 0 to 1, sum 1. Edges: weights[0] is the place along the first edge, weights[1] along the second, from 0 at its first vertex to 1 at its second; weights[2] is 0.\nnormal: Unit, out of the face towards the side the vertex comes from, or out of the second edge towards the first: to move the first feature along it takes the two apart. With a thickness it is the direction between the closest points at that time, also at the start and however they move. Without one, and where the two touch, it is square to the face or to both edges, on the side that they come from; where that vanishes (edges that are parallel, faces without area), some unit vector against the motion.\nis_hit: Whether they touch within the step.\nis_contact_at_start: The pair is in contact, or nearer than the thickness asked for, when the step begins: time is 0, and will be in every step until they part.\nis_certified: False when the pair comes too close for the arithmetic to tell, or work ran out.'

class rbl_closest(Structure):
    'The closest points of a vertex and a face, or of two edges.\ndistance: How far apart they are, off by less than `rounding`: 2^-40 of the largest difference of their coordinates.\nrounding: How far apart they are, off by less than `rounding`: 2^-40 of the largest difference of their coordinates.\nweights: The share of each of the four points: those of the vertex (which is 1) or the first edge add up to 1, and so do those of the face or the second edge. A share below 2^-44 is 0, so bits tell what is nearest: bit i of `corners` is set when point i has a share.\npoints: The closest points: on the vertex or the first edge, and on the face or the second.\ndirection: Unit, from the second of them to the first. Where they coincide: square to the face or to both edges, on either side.'

class rbl_chip(Structure):
    'A chip. What it is made of, its pose and its user value, which is that of what broke, are those of its body.\nkind: Its shape: RBL_DEBRIS_SPHERES or RBL_DEBRIS_CHIPS, and which of these, 0 to RBL_CHIP_VARIANTS - 1.\nradius: Of a sphere of its volume, in metres.\ntime_left: Until it goes, in seconds.'

class rbl_compound_field_def(Structure):
    "How to make the field of a compound. Start from rbl_default_compound_field_def().\ncompound: What was made from the mesh, or broke off it, once or many times; its coordinates are still the mesh's. Cut faces are flat: rough ones count as the flat ones they were made from, and parts that were bent are not where the mesh was.\noriginal: The field of that mesh. It must live as long as the compound's field.\nothers: Other compounds of the same mesh, as far as they are known: the rest of it, and what came off in the same break. Where planes cannot tell a piece of theirs from this compound, cubes do. NULL among them, and the compound itself, are skipped. Default none.\ntransform: From the coordinates of the field to those of the compound. Default the identity.\nallocator: Memory of the field or shape, and of the work.\ncookie: Filled by rbl_default_compound_field_def(). Leave it alone."

class rbl_tets(Structure):
    ''

class rbl_tets_def(Structure):
    'How to make a tetrahedral mesh from arrays. Start from rbl_default_tets_def().\nvertex_count: Number of positions.\npositions: Metres, all finite.\ntet_count: Number of tetrahedra, 1 to RBL_MAX_TETS.\ntet_vertices: Four vertices per tetrahedron. Seen from outside the face opposite to the fourth, the first three run clockwise: its volume, dot(cross(b - a, c - a), d - a) / 6, is positive.\nmend_orientation: Turn round tetrahedra of negative volume instead of refusing them. Default false.\nallocator: Memory of the mesh and, during the call, of the work.\ncookie: Filled by rbl_default_tets_def(). Leave it alone.'

class rbl_tets_data(Structure):
    'A look into a tetrahedral mesh. The arrays live as long as the mesh.\ntet_vertices: Four vertices per tetrahedron, as in rbl_tets_def.\ntet_neighbors: Four neighbours per tetrahedron: number i shares the face opposite to vertex i; -1 none.\nboundary_vertex_count: Number of vertices of the boundary surface. Where the solid touches itself at a vertex or an edge, the boundary has a vertex for each side, so that it is always a closed manifold.\nboundary_vertices: The vertex of the mesh for each vertex of the boundary.\nboundary_face_count: Number of boundary triangles.\nboundary_triangles: Three boundary vertices per triangle, counter-clockwise from outside.\nboundary_tets: The tetrahedron behind each triangle.'

class rbl_tets_quality(Structure):
    'How well-shaped tetrahedra are.\nsmallest_angle: The smallest and the largest angle between two faces of a tetrahedron, in radians. All angles of a regular one are 1.231 (70.5 degrees).\nlargest_angle: The smallest and the largest angle between two faces of a tetrahedron, in radians. All angles of a regular one are 1.231 (70.5 degrees).\nvolume: Sum of all volumes, and the smallest.\nsmallest_volume: Sum of all volumes, and the smallest.\nshortest_edge: The shortest and the longest edge.\nlongest_edge: The shortest and the longest edge.'

class rbl_fill_def(Structure):
    'How to fill a closed mesh. Start from rbl_default_fill_def().\nmesh: The surface: closed, manifold and oriented outwards. Parts may overlap. Not changed.\nedge_length: The longest edge of tetrahedra away from the surface, in metres, > 0. Default 0.1.\nloss_tolerance: How far the mesh may lie from the boundary of the tetrahedra before that counts as a lost feature, in edge lengths, 0 to 100. Corners of a cube are cut off by up to 1.05, sharper ones by more, at any edge length. Default 1.25.\nrefine_limit: How often edge_length may be halved when parts of the mesh would be lost, 0 to 6. Default 2.\nallow_loss: Return what could be filled even when parts are lost; the report says what. Default false.\nallocator: Memory of the result and, during the call, of the work.\ncookie: Filled by rbl_default_fill_def(). Leave it alone.'

class rbl_fill_report(Structure):
    "What a filling is like.\nedge_length: The edge length that was used, and how often it was halved to get there.\ntet_count: Number of tetrahedra.\nsmallest_angle: As in rbl_tets_quality.\nlargest_angle: As in rbl_tets_quality.\nvolume: Volume of the tetrahedra, and of the mesh.\nmesh_volume: Volume of the tetrahedra, and of the mesh.\nboundary_distance: How far the boundary strays from the mesh, and the mesh from the boundary, at most over samples. Sharp edges and corners are cut off, so these shrink with the edge length.\nmesh_distance: How far the boundary strays from the mesh, and the mesh from the boundary, at most over samples. Sharp edges and corners are cut off, so these shrink with the edge length.\nlost_count: Samples of the mesh that are farther from the boundary than loss_tolerance: features that are too thin or too sharp. And where the farthest one is.\ntopology_differs: Whether components or handles of the boundary differ from the mesh's, which happens where walls or gaps are thinner than the edge length. Not known for parts that overlap."

class rbl_crack_field(Structure):
    ''

class rbl_crack_field_def(Structure):
    'How to make a crack field. Start from rbl_default_crack_field_def().\ntets: The body before it breaks. Its boundary is the surface. Read during the call only.\norigin: The point of the mesh that becomes the origin of all points and planes. Default 0, 0, 0.\ngrid_size: Cells along the longest side of the grid that finds tetrahedra, 1 to 256; 0: about the mean length of edges. Fragments that are not convex have a bit for each of its cells. Default 0.\nallocator: Memory of the field.\ncookie: Filled by rbl_default_crack_field_def(). Leave it alone.'

class rbl_crack_cut(Structure):
    'A crack in a tetrahedron: what lies behind a plane is in one part, what lies in front of it in another. Where several cracks of a tetrahedron name a part, it is what lies on its side of all of them. Any number of cracks may cut an edge, in one break or in several.\nplane: Index into the planes of the break; -1: all that the tetrahedron has of what breaks is in part `back`. That must be said where none of its nodes, and no crack, says so.\nback: The parts, 0 to part_count - 1. `front` is not read without a plane.\nfront: The parts, 0 to part_count - 1. `front` is not read without a plane.'

class rbl_crack_break(Structure):
    'How a fragment breaks.\nfragment: What breaks; it is no fragment any more afterwards.\npart_count: Into how many, 1 or more.\nnode_parts: By node of the mesh: its part. Nodes of other fragments are not read. Parts may have no node.\nplanes: Planes of cracks, any normals but zero: one for a flat crack, or one for each tetrahedron of a curved one. The same plane may cut many tetrahedra.\ncuts: Where they cut.\nhas_cell_planes: Every plane bounds the parts that it names as a whole: nothing of them lies beyond it, as in the cells of a pattern. Then a break takes a fraction of the time and queries cull more. It is checked at nodes, and believed in between. False for cracks that are curved, or end inside a part.'

class rbl_crack_nodes(Structure):
    'What is known at the nodes; until the next break.\nfragments: The fragment of each node.\ndepths: How deep each node lies in its fragment: the distance from the nearest crack or surface.'

class rbl_cutter(Structure):
    ''

class rbl_cutter_def(Structure):
    'How to make a cutter. Start from rbl_default_cutter_def().\nvertex_count: Number of vertices, and where they are in metres, all finite. Copied during the call.\ntriangle_count: Number of triangles, and three vertices each, counter-clockwise from outside. They must form a closed, oriented manifold. Copied during the call.\nfront_spacing: Edge length of crack faces along the front, in metres; 0: the mean edge of the mesh. Default 0.\nallocator: Memory of the cutter.\ncookie: Filled by rbl_default_cutter_def(). Leave it alone.'

class rbl_crack(Structure):
    'A crack: the sheet that a front leaves behind. Both polylines are read during the call only.\nfront: The front at the start, two points or more, advancing from its first to its last point (never back along the line between these two). Its ends should lie outside the material.\npath: How the front moves: the point path[0] + x goes to path[i] + x. Two points or more, advancing at right angles to the front. Movement along the front slides it within itself and does not count.'

class rbl_cut_step(Structure):
    'What one step did to the mesh. The arrays live until the next call on the cutter.\nchanged: Triangles from before the step that were cut: each keeps its number for one of its parts.\nparts: The other parts of cut triangles: new numbers. `sources` has for each the changed triangle that it is a part of.\nsources: The other parts of cut triangles: new numbers. `sources` has for each the changed triangle that it is a part of.\nfaces: New crack faces: new numbers, twins one after the other.\nis_through: No front is left inside the material: the crack has passed.'

class rbl_cutter_mesh(Structure):
    'The mesh as it is. The arrays live until the next call on the cutter.\ntwins: Which half-edge lies across: half-edge 3 t + k runs from corner k of triangle t to the next.\ncrack_ids: For crack faces a number that both twins share, -1 for the others. What touches by construction can be skipped while a crack is young.'

class rbl_joint_id(Structure):
    'Names a joint in a world. All zero names nothing; a stale id is refused.'

class rbl_joint_def(Structure):
    "How to make a joint. Start from rbl_default_joint_def(). Limits, motor and spring act on the coordinate of a joint: the angle of a hinge, the twist of a ball joint about z, the translation of a prismatic joint or a suspension, the distance of a distance joint. Angles are in radians, lengths in metres. A weld and a motor joint have none.\nkind: Default RBL_JOINT_WELD.\nbody_a: The bodies, which differ; one of them dynamic.\nbody_b: The bodies, which differ; one of them dynamic.\nframe_a: Where it is and how it is turned, in the coordinates of each body's shape. Default the identity. rbl_joint_def_place() fills both from a frame in the world.\nframe_b: Where it is and how it is turned, in the coordinates of each body's shape. Default the identity. rbl_joint_def_place() fills both from a frame in the world.\nlower_angle: Limits of hinges and of the twist of ball joints, -pi <= lower <= upper <= pi. Read with has_limits. Default 0, 0 and false.\nupper_angle: Limits of hinges and of the twist of ball joints, -pi <= lower <= upper <= pi. Read with has_limits. Default 0, 0 and false.\nlower_distance: Limits of prismatic, distance and wheel joints, lower <= upper, of a distance joint >= 0; at most 1e6. Read with has_limits. Default 0 and 0.\nupper_distance: Limits of prismatic, distance and wheel joints, lower <= upper, of a distance joint >= 0; at most 1e6. Read with has_limits. Default 0 and 0.\ncone_angle: Largest angle between the z axes of a ball joint, 0 to pi. Read with has_cone. Default 0 and false.\nmotor_speed: Speed that the motor gives the coordinate, in radians or metres per second, at most 1e4; of a ball joint the turning of B about z of A, of a wheel that about its axle. The most force (prismatic, distance) or torque (hinge, ball, wheel) for it, 0 to 1e12 newton or newton metres. Read with has_motor. Of a motor joint they limit the spring, always. Default 0, 0, 0 and false; of a motor joint the most.\nmotor_force: Speed that the motor gives the coordinate, in radians or metres per second, at most 1e4; of a ball joint the turning of B about z of A, of a wheel that about its axle. The most force (prismatic, distance) or torque (hinge, ball, wheel) for it, 0 to 1e12 newton or newton metres. Read with has_motor. Of a motor joint they limit the spring, always. Default 0, 0, 0 and false; of a motor joint the most.\nmotor_torque: Speed that the motor gives the coordinate, in radians or metres per second, at most 1e4; of a ball joint the turning of B about z of A, of a wheel that about its axle. The most force (prismatic, distance) or torque (hinge, ball, wheel) for it, 0 to 1e12 newton or newton metres. Read with has_motor. Of a motor joint they limit the spring, always. Default 0, 0, 0 and false; of a motor joint the most.\nspring_hertz: A spring that pulls the coordinate to `spring_target`; of a ball joint and a motor joint the frames together, with no more than motor_torque if there is a motor; of a weld likewise. Frequency in hertz, > 0 to 1e4, and damping ratio, 0 to 1e4, 1 is critical. Read with has_spring, of a motor joint always. Default 0, 1, 0 and false; of a motor joint 5 Hz.\nspring_damping: A spring that pulls the coordinate to `spring_target`; of a ball joint and a motor joint the frames together, with no more than motor_torque if there is a motor; of a weld likewise. Frequency in hertz, > 0 to 1e4, and damping ratio, 0 to 1e4, 1 is critical. Read with has_spring, of a motor joint always. Default 0, 1, 0 and false; of a motor joint 5 Hz.\nspring_target: A spring that pulls the coordinate to `spring_target`; of a ball joint and a motor joint the frames together, with no more than motor_torque if there is a motor; of a weld likewise. Frequency in hertz, > 0 to 1e4, and damping ratio, 0 to 1e4, 1 is critical. Read with has_spring, of a motor joint always. Default 0, 1, 0 and false; of a motor joint 5 Hz.\nbreak_force: Force and torque that break it, in newton and newton metres, > 0: means of a step. Default INFINITY: nothing does.\nbreak_torque: Force and torque that break it, in newton and newton metres, > 0: means of a step. Default INFINITY: nothing does.\ncollides: Whether the two bodies touch each other. Default false.\nuser: Whatever the caller wants back. Default 0.\ncookie: Filled by rbl_default_joint_def(). Leave it alone."

class rbl_joint_state(Structure):
    'A joint as it is now.\nframe_a: The frames of the joint on each body, in the world. What the joint leaves free, and its error, is in their difference.\nframe_b: The frames of the joint on each body, in the world. What the joint leaves free, and its error, is in their difference.\nforce: Force and torque in the last step, in newton and newton metres.\ntorque: Force and torque in the last step, in newton and newton metres.\nangle: Angle of a hinge, and the twist of a ball joint with limits, in radians, -pi to pi; of one that has limits it goes on beyond.\ndistance: Coordinate of a prismatic, distance or wheel joint, in metres.'

class rbl_contact_event(Structure):
    'Two parts begin or cease to touch. The ids in an end may be stale: then the body was destroyed.\npart_a: Which convexes: child of a collider, part of a compound. A mesh or height field is one part, 0; hits and contacts name its triangles.\npart_b: Which convexes: child of a collider, part of a compound. A mesh or height field is one part, 0; hits and contacts name its triangles.\nmaterial_a: What begins to touch is made of these materials, NULL where they are not shared; NULL in an end. They live as long as something is made of them.\nmaterial_b: What begins to touch is made of these materials, NULL where they are not shared; NULL in an end. They live as long as something is made of them.'

class rbl_hit_event(Structure):
    'Two parts hit each other faster than rbl_world_def.hit_speed.\npoint: Where, and the unit normal from A to B.\nnormal: Where, and the unit normal from A to B.\nspeed: Speed of approach along the normal, in metres per second, > 0.\nimpulse: Impulse along the normal in this step, in newton seconds.\nenergy: Energy that the contact took up, in joule: what damage rules read.\nmaterial_a: What they are made of there: materials that are shared, or NULL.\nmaterial_b: What they are made of there: materials that are shared, or NULL.'

class rbl_sleep_event(Structure):
    'A body fell asleep or woke up, by itself or by a call since the last step. A body begins as its definition says, and awake when it is enabled again.'

class rbl_sensor_event(Structure):
    'Something entered or left a sensor. The ids in a leaving may be stale.\nsensor_part: The child of a collider that is a sensor by itself; -1: the whole body is one.'

class rbl_joint_event(Structure):
    'A joint broke; its id is stale from now on.\nforce: What broke it, in newton and newton metres.\ntorque: What broke it, in newton and newton metres.'

class rbl_slide_event(Structure):
    "Two bodies slide or roll on each other, faster than rbl_world_def.slide_speed: for sounds. Where they touch with many parts, the one that is pressed hardest.\nmaterial_a: What they are made of there: materials that are shared, or NULL, and their user values.\nmaterial_b: What they are made of there: materials that are shared, or NULL, and their user values.\npoint: Where, and the unit normal from A to B.\nnormal: Where, and the unit normal from A to B.\nvelocity: Of B's surface past A's, running surfaces included; of what rolls, of its centre.\nimpulse: Along the normal in this step, in newton seconds."

class rbl_dust_emitter(Structure):
    'A place on an exposed face where dust comes from: what a particle system asks for.\nposition: In the world, with the outward normal of the face there, and its velocity.\nnormal: In the world, with the outward normal of the face there, and its velocity.\nvelocity: In the world, with the outward normal of the face there, and its velocity.\narea: The area that it stands for, in square metres: all of a break add up to the faces of materials that have dust.\nmaterial: What the face is made of; NULL: of values that the body has by itself.'

class rbl_fracture_triangle(Structure):
    'A triangle of a face that a break exposed: see rbl_world_get_exposed_triangles().\ncorners: In the world, where the break was, with the outward normal.\nvelocity: Of its centre.\nbody: Whose face it is, and of which part of it; null for dust.\nmaterial: What it is made of; NULL: of values that the body has by itself.'

class rbl_fracture_event(Structure):
    "A body broke.\nparent: The body that was hit. It keeps its id if something of it remains, and is stale else.\nuser: What the parent's definition said, also when nothing of it remains.\nother: What hit it; null unless something did.\nnew_bodies: What came off it, `new_count` ids.\ndust: What came off and is too small for a body, by rbl_damage_rule.dust_size or its size as such, in the coordinates of the world: it is gone.\nparts: Numbers of the parent's parts that are gone: they were cut, or came off as they were.\nchips: Chips that the world made on the exposed faces (rubble/chip.h), and where dust comes from, both by rbl_debris_rule.\nlost_mass: What the bodies of the world weigh less than before, in kilograms: all dust, less the chips. Negative where chips weigh more.\nimpulse: What a blow gave to what came off, in newton seconds along `normal`.\npoint: Where it was hit, and the direction of the blow.\nnormal: Where it was hit, and the direction of the blow.\nmaterial: Of the part that was hit: its place in the table of the compound, and what it is made of.\nenergy: Energy of the hit, in joule, and radius of the break, in metres; 0 under load.\nradius: Energy of the hit, in joule, and radius of the break, in metres; 0 under load.\nexposed_area: Area of the faces of convexes that lie bare now, both sides, in square metres.\nseed: Seed of the pattern's rotation, so that the break can be repeated."

class rbl_retire_event(Structure):
    'Debris was frozen, unfrozen, removed, baked or released, or a chip is gone. Debris are fragments of a break.\nhost: The static body that it was baked into or released from, which may be stale, and its number there; null and 0 else.\npose: Where it was, and its mass in kilograms.'

class rbl_events(Structure):
    'All events of a step.\nlost_count: Events that were left out because memory ran out.'

class rbl_move_event(Structure):
    'A body that moved in the last step: what a renderer or another engine asks for.'

class rbl_contact_change(Structure):
    "A contact before it is solved, which the function may change.\nbody_a: Which bodies and parts: as in rbl_contact. Not to be changed.\nbody_b: Which bodies and parts: as in rbl_contact. Not to be changed.\nmanifold: Normal from A to B, of unit length, and up to four points; ids of points stay with them.\nfriction: Of the pair, >= 0, and 0 to 1.\nrestitution: Of the pair, >= 0, and 0 to 1.\nsurface_velocity: How B's surface runs past A's, in the world and in metres per second.\nis_enabled: Whether they touch at all; false lets them through each other in this step."

class rbl_world_def(Structure):
    "How to make a world. Start from rbl_default_world_def().\ngravity: In metres per second squared, each at most 1e4. Default 0, -9.81, 0.\nsubstep_count: Solver passes per step, 1 to 64: more make contacts stiffer and stacks steadier. Small worlds have more, see length_scale. Default 16.\ncan_sleep: Whether bodies at rest fall asleep. Default true.\ndetects_only: Whether it only detects: poses come in by rbl_body_set_pose() and rbl_body_set_velocity(), contacts go out by rbl_world_get_contacts(), and nothing moves by itself. For use inside another engine. Default false.\nlength_scale: Size of usual bodies in metres, 1e-6 to 1e6: what counts as near, slow or at rest follows from it. Distances of tolerance grow with it, speeds with its square root. 0.001 for parts of a watch, 1000 for mountains; the order of magnitude is enough. Under the same gravity small things move faster for their size: below 1 a step has more sub-steps, substep_count divided by the square root, at most 64. 0 is 1, too. Default 1.\nhit_speed: Approach speed from which hits are reported, > 0. Default 1.\nrestitution_speed: Approach speed from which restitution acts, >= 0. Default 1.\ncapacity_hint: Bodies to make room for at once. Default 0.\nbudget: What a step may spend on work that can wait, in units of about two microseconds of one worker, a cut of a convex by a cell. First it pays for new pairs, which cannot wait; then for breaks, which get a quarter of it at least; then for bonds that may fail under load, an eighth at least; then for baking. What is left goes to the structure of the broad phase in the next step. A break that needs more ends in a later step, with the same pieces, and its body is whole until then. Work is counted, not timed: the result is the same on every machine. rbl_world_stats says what was left. >= 0; 0: no limit. Default 1200, some two to three milliseconds on one worker.\nbody_limit: The most bodies, and the most of them that came off something that broke; >= 0, 0: no limit. What is too many is removed: of debris that sleeps, the smallest first, and of about the same size the oldest. The step reports it. Nothing that is awake goes. Default 0.\ndebris_limit: The most bodies, and the most of them that came off something that broke; >= 0, 0: no limit. What is too many is removed: of debris that sleeps, the smallest first, and of about the same size the oldest. The step reports it. Nothing that is awake goes. Default 0.\nfreeze_time: Seconds that debris sleeps before it is frozen: then blows of others no longer wake it. It unfreezes when something that it touches goes away, when it breaks and when it is changed by a call. The step reports both. >= 0; 0: never. Default 0.\nbake_time: Seconds that debris sleeps before it is baked into a static body, if it rests on static bodies or on baked debris only: no body of its own, no contacts, its id is stale. It stays where it is, can be hit and cast at, and is seen by rbl_body_get_baked(). It becomes a body again when something that it rests on goes away, when a hit or a blow is strong enough for its damage rule, and by explosions. The step reports both. >= 0; 0: never. Default 0.\nkeeps_exposed_triangles: Whether exposed faces of breaks are kept until the next step, for rbl_world_get_exposed_triangles(). Default false: their triangles are not made.\nchip_limit: The most chips at once, see rubble/chip.h, >= 0: a break makes no more than half of those that are left. Default 2000.\nshould_collide: See rbl_pair_function; NULL: all touch. Default NULL.\nmodify_contact: See rbl_contact_function; NULL: contacts stay as they are. Default NULL.\nslide_speed: Speed from which bodies that slide or roll on each other are reported, in metres per second; 0: they are not. Default 0.\nuser: Passed to callbacks.\njobs: Workers; NULL: the caller's thread. The result is the same bits.\nallocator: Memory of the world and of all in it.\ncookie: Filled by rbl_default_world_def(). Leave it alone."

class rbl_explosion(Structure):
    "Push everything away from a point.\nposition: Default 0, 0, 0.\nradius: In metres, > 0: full force within `radius`, falling to none over `falloff` beyond it, >= 0. Default 5 and 0.\nfalloff: In metres, > 0: full force within `radius`, falling to none over `falloff` beyond it, >= 0. Default 5 and 0.\nimpulse_per_area: Newton seconds per square metre of a body's box that faces it. Default 100.\nmask: Whom it reaches. Default all.\nenergy: Joules that each part within the radius takes, as rbl_damage_def.energy: it breaks and wears by its rule. What breaks off a body that could not move is pushed as well. >= 0, default 0: it only pushes.\nis_occluded: Whether what stands between protects: bodies and parts that no straight line leads to are neither pushed nor damaged. Default false."

class rbl_damage_def(Structure):
    'Damage to whatever is at a place: shots, shock waves, breath of dragons. Start from rbl_default_damage_def().\nshape: Default RBL_DAMAGE_SPHERE.\nposition: In metres. Default 0, 0, 0 and 0, 0, 0; all but spheres need a translation.\ntranslation: In metres. Default 0, 0, 0 and 0, 0, 0; all but spheres need a translation.\nradius: In metres, > 0: full energy within it, falling to none over `falloff` beyond, >= 0. Of a ray the radius of the break, where INFINITY leaves it to the rule; it has no falloff. Default 1 and 0.\nfalloff: In metres, > 0: full energy within it, falling to none over `falloff` beyond, >= 0. Of a ray the radius of the break, where INFINITY leaves it to the rule; it has no falloff. Default 1 and 0.\nenergy: Joules that each part takes that is reached, >= 0, less with the falloff: it breaks and wears by its rule. Default 0.\nimpulse: Newton seconds that each dynamic body takes that is reached, likewise: away from the axis, of rays and cones along it. Of bodies that do not move, what breaks off them takes it, the more the nearer, but no more energy than it was hit with. Default 0.\nmask: Whom it reaches: bodies with one of these categories. Default all.\nis_occluded: Whether what stands between protects: see rbl_explosion. Rays never go through anything. Default false.\ncookie: Filled by rbl_default_damage_def(). Leave it alone.'

class rbl_contact(Structure):
    'Two parts that touch, or nearly.\nmanifold: Normal from A to B and up to four points, in the world; child_a and child_b are the parts.\nfriction: Of the pair.\nrestitution: Of the pair.\nimpulse: Sum of the normal impulses in the last step, in newton seconds. Where two bodies touch with many parts along one normal, one of these contacts has the sum of all.'

class rbl_world_hit(Structure):
    'Something that a query met.\npart: Which part of it.\nfraction: Fraction of the translation, 0 to 1, of a cast.\npoint: Where on the surface of what was hit (of a ray that begins inside: where it begins), and the unit normal out of it. Zeros for the boxes of rbl_world_overlap_box().\nnormal: Where on the surface of what was hit (of a ray that begins inside: where it begins), and the unit normal out of it. Zeros for the boxes of rbl_world_overlap_box().\ndistance: The gap between the two. Negative when they overlap, as where a cast begins inside: to move by -distance along `normal` parts them. Rays that begin on the back of a triangle have 0.'

class rbl_collider_cast(Structure):
    'One of many casts: see rbl_world_cast_collider().\ncollider: No mesh, height field or plane.\nfilter: NULL: everything but sensors.'

class rbl_draw(Structure):
    'Receives lines and points; either may be NULL. Colours are 0xRRGGBB. Threads: world.\nflags: What; rbl_draw_flags.\nbox: Only what overlaps this box; an empty one (lower > upper): everything.'

class rbl_world_stats(Structure):
    "What a step did and what it cost.\napart_count: Of the pairs looked at: answered by their old axis, by their old manifold, by the old feature in the new pose, and by a search.\nreused_count: Of the pairs looked at: answered by their old axis, by their old manifold, by the old feature in the new pose, and by a search.\nrefreshed_count: Of the pairs looked at: answered by their old axis, by their old manifold, by the old feature in the new pose, and by a search.\nsearched_count: Of the pairs looked at: answered by their old axis, by their old manifold, by the old feature in the new pose, and by a search.\nbegin_count: Contacts that began and ended, bodies stopped by a cast, colours of the solver.\nend_count: Contacts that began and ended, bodies stopped by a cast, colours of the solver.\ncast_count: Contacts that began and ended, bodies stopped by a cast, colours of the solver.\ncolor_count: Contacts that began and ended, bodies stopped by a cast, colours of the solver.\nstep_ms: Milliseconds of the last step: all, and stage by stage.\nfailed_bond_count: Bonds that failed under load, since creation.\nlost_count: Contacts and bodies left out because memory ran out, and blows that should have broken something and could not, because memory ran out or the break would take more than RBL_CUT_LIMIT cuts: since creation. For each of those blows the log names the body and the reason.\ncapped_pair_count: Pairs that are left out because both parts have too many others, more than 48: only bodies made at one place do. Each then keeps some 32. The others are made when some end.\nrescued_count: Bodies that were put to rest because their numbers had failed, since creation: 0 unless forces, masses or joints are absurd.\nejection_clamp_count: Times that a body between others was kept from being shot away by their contacts, since creation.\nbytes: Memory held by the world, and what of it grows with bodies: their records, their forms, and the solver's; without the broad phase, pairs, contacts and compounds.\nbody_bytes: Memory held by the world, and what of it grows with bodies: their records, their forms, and the solver's; without the broad phase, pairs, contacts and compounds.\nstep_count: Steps made."

class rbl_sources(Structure):
    'Where assets and patterns come from when something names them by key. Start from rbl_default_sources().\nassets: Looked through first. Assets and patterns may be destroyed before the world.\nmaterials: Shared materials, found by name: the world uses them, with the values they have now, and breaks by them. For those that are not here it makes its own, see rbl_world_get_materials(). Patterns are looked for in materials and assets, too. Default none.\nfind_asset: Asked for what is not in the lists; NULL: nobody is. Returns NULL when it is not known.\ncookie: Filled by rbl_default_sources(). Leave it alone.'

class rbl_hull(Structure):
    ''

class rbl_hull_def(Structure):
    'How to make a hull. Start from rbl_default_hull_def().\npoint_count: Number of points, 4 to RBL_MAX_HULL_POINTS, at least four of them not in one plane.\npoints: The points, all finite, magnitudes zero or within 1e-90 to 1e90. Equal points are fine.\nallocator: Memory of the hull and, during the call, of the work.\ncookie: Filled by rbl_default_hull_def(). Leave it alone.'

class rbl_hull_data(Structure):
    'A look into a hull. The arrays live as long as the hull.\nvertex_count: Number of corners of the hull. A point inside a face or an edge is no corner.\npositions: The corners, in the order of the points they are.\npoint_indices: The index of each corner among the points; of equal points any one.\nface_count: Number of faces. Points exactly in one plane share one face.\ncorner_count: Number of face corners: the sum of all face sizes.\nface_starts: Face f has the corners face_starts[f] to face_starts[f + 1] - 1, counter-clockwise from outside.\ncorner_vertices: The vertex of each corner.\nplanes: A plane per face, unit normal outwards. It is rounded: points of the hull lie behind it or above by no more than a few units in the last place of the coordinates.'

class rbl_outer_hull(Structure):
    ''

class rbl_outer_hull_def(Structure):
    'How to make an outer hull. Start from rbl_default_outer_hull_def().\npoint_count: Number of points, 4 to RBL_MAX_HULL_POINTS, at least four of them not in one plane.\npoints: The points, all finite, magnitudes zero or within 1e-90 to 1e90. Equal points are fine.\nvertex_count: Number of points to choose for the inner hull, at least 4: each adds as much volume as possible. More give a tighter hull of more planes, at last the exact one. Default 20.\nkeeps_directions: Also use the planes of faces that later points removed. About twice the planes; in return a larger vertex_count never gives a larger hull. Default false.\nplane_limit: The most planes, 6 or more: of all planes, those are used that cut away the most, one after the other. 0: no limit. Default 0.\nallocator: Memory of the hull and, during the call, of the work.\ncookie: Filled by rbl_default_outer_hull_def(). Leave it alone.'

class rbl_outer_hull_data(Structure):
    'A look into an outer hull. The arrays live as long as the hull.\nchosen_count: Number of points that were chosen. Fewer than asked for when no other lies outside.\nchosen: The chosen points, in the order of choice.\nplane_count: Number of planes, each with a face of its own.\nplanes: The planes, unit normals outward. Every point is exactly behind or on every plane.\nvertex_count: Corners of the hull: exactly three planes each. Where more planes meet in a point, several corners share its place.\nface_starts: Face f has the corners face_starts[f] to face_starts[f + 1] - 1, counter-clockwise from outside; the vertex of each.\nvolume: Volume of the hull.'

class rbl_scene_node(Structure):
    "A node of a scene: a mesh or a group, placed relative to its parent. Start from rbl_default_scene_node().\nname: UTF-8 or NULL.\nmesh: An index into the scene's meshes, or -1.\nparent: The index of an earlier node, or -1 for the scene itself.\ntranslation: Metres.\nrotation: Unit quaternion.\nscale: 1, 1, 1 leaves the size; 0, 0, 0 hides what an animation shows later.\nmatrix: 16 numbers by columns, in place of the three above; NULL: those are used. Default NULL.\ncamera: An index into the scene's cameras, from 1; 0: none.\nextensions: A JSON object, or NULL.\nextras: Any JSON, or NULL: what programs keep beside a node.\ninstance_count: Places of the mesh besides each other (EXT_mesh_gpu_instancing): as many copies of it, each placed relative to the node. 0: the mesh itself. Default 0.\ninstance_translations: Their translations, rotations (x, y, z, w) and scales, each or NULL."

class rbl_texture_use(Structure):
    "A texture as a material uses it.\ntexture: An index into the scene's textures, from 1; 0: none.\nuv_set: Which texture coordinates of the mesh.\nfactor: Normal maps: their scale; occlusion: its strength. Default 1.\nextensions: JSON objects, or NULL; KHR_texture_transform is one of the extensions.\nextras: JSON objects, or NULL; KHR_texture_transform is one of the extensions."

class rbl_scene_material(Structure):
    'A material: all of glTF\'s metallic-roughness model. Start from rbl_default_scene_material().\nname: UTF-8 or NULL.\nbase_color: Linear color and alpha, 0 to 1. Default white.\nmetallic: 0 to 1 each. Default 1 and 1, as in glTF.\nroughness: 0 to 1 each. Default 1 and 1, as in glTF.\nemissive: Linear color, 0 to 1. Default black.\nalpha_mode: Default RBL_ALPHA_OPAQUE, and 0.5.\nis_double_sided: Back faces are drawn too. Default false.\nbase_color_texture: Default none.\nmetallic_roughness_texture: Default none.\nnormal_texture: Default none.\nocclusion_texture: Default none.\nemissive_texture: Default none.\nextensions: JSON, or NULL; the extensions are KHR_materials_* mostly. A texture in them is an object under a key that ends in "Texture", with an `index` from 0.\nextras: JSON, or NULL; the extensions are KHR_materials_* mostly. A texture in them is an object under a key that ends in "Texture", with an `index` from 0.'

class rbl_scene_texture(Structure):
    "A texture: an image and how it is sampled.\nname: UTF-8 or NULL.\nimage: Indices from 1 into the scene's images and samplers; 0: none.\nsampler: Indices from 1 into the scene's images and samplers; 0: none.\nextensions: JSON, or NULL. KHR_texture_basisu and EXT_texture_webp name an image by a `source` from 0.\nextras: JSON, or NULL. KHR_texture_basisu and EXT_texture_webp name an image by a `source` from 0."

class rbl_scene_sampler(Structure):
    "How a texture is sampled, in OpenGL's numbers.\nname: UTF-8 or NULL.\nmag_filter: 0: unset, the viewer's choice.\nmin_filter: 0: unset, the viewer's choice.\nwrap_s: 0: unset, which repeats.\nwrap_t: 0: unset, which repeats.\nextras: JSON, or NULL."

class rbl_scene_image(Structure):
    'An image, as the bytes of its file: never decoded.\nname: UTF-8 or NULL.\nmime_type: "image/png", "image/jpeg", "image/webp" or "image/ktx2".\nbytes: The whole file.\nextras: JSON, or NULL.'

class rbl_scene_slot(Structure):
    'What the faces of one material of a mesh have besides: a primitive of glTF.\nextensions: A JSON object, or NULL: KHR_materials_variants.\nextras: JSON, or NULL.'

class rbl_scene_label(Structure):
    'What a mesh of a scene is called.\nname: UTF-8 or NULL.\nextras: JSON, or NULL.\nslots: One for each material of the mesh, or NULL.'

class rbl_scene_track(Structure):
    "The keys of one quantity of one node.\nnode: An index into the scene's nodes.\npath: At most one track per node and path in an animation.\nhas_steps: Hold each value until the next key instead of interpolating (glTF STEP). Objects appear and vanish by scale 0 and 1 with steps: viewers do not agree on other ways of hiding.\nkey_count: Number of keys, > 0.\ntimes: Seconds, >= 0, ascending. Tracks that pass the same pointer and count share one array in the file, which is much of its size.\nvalues: Three floats per key, or four (x, y, z, w) for a rotation. The same pointer is written once.\nis_short: Rotations only: 16 bits per number, half the size, error below 0.01 degrees."

class rbl_scene_animation(Structure):
    'Tracks that play together.\nname: UTF-8 or NULL.\nextras: JSON, or NULL.'

class rbl_scene(Structure):
    "A scene: plain arrays. rbl_write_scene() reads the caller's during the call only; those of rbl_document_get_scene() live as long as the document. A material of a mesh whose `source` is k is the scene's material k - 1. Other materials are those of the meshes; equal ones become one, and of different ones that have the same name all but the first get a number behind it.\nmesh_labels: A label per mesh, or NULL.\ncamera_count: Each a JSON object of glTF.\nname: UTF-8 or NULL: the scene's name, and who holds the rights.\ncopyright: UTF-8 or NULL: the scene's name, and who holds the rights.\nextensions: JSON, or NULL: of the file, as KHR_lights_punctual, and of the scene.\nextras: JSON, or NULL: of the file, as KHR_lights_punctual, and of the scene.\nfile_extras: JSON, or NULL: extras of the file, and of what glTF calls its asset.\nasset_extras: JSON, or NULL: extras of the file, and of what glTF calls its asset."

class rbl_read_def(Structure):
    'How to read. Start from rbl_default_read_def().\nformat: Default RBL_FORMAT_AUTO.\nup: The axis that points up in the file. The mesh is rotated so that it is y. Default y, also for formats where another is usual: only glTF says what is up, and it says y.\nscale: Metres per unit of the file, finite, > 0. Default 1.\nis_left_handed: The file\'s coordinates are left-handed: the mesh is mirrored along z (of the mesh, after `up`) and its faces are turned around. Default false.\nkeep_seams: glTF only: keep every vertex of the file. Otherwise those of one node at exactly one place become one vertex, because the format doubles vertices along seams of normals and texture coordinates, which would leave a closed mesh open. Default false.\ninstance_limit: glTF only: vertices and corners that a file may unfold to by placing one mesh many times, beyond what fits its size; a node made by EXT_mesh_gpu_instancing counts 64. Default 16,777,216.\nname: Memory reads only: what messages call the file, and its ending for RBL_FORMAT_AUTO. NULL: "memory". A file read uses the path.\nfolder: Memory reads only: the folder of buffers and material libraries that the file names; NULL opens none. A file read uses the file\'s own folder.\nallow_outside: Whether names in the file may lead out of that folder: absolute, by "..", or by a link. Default false: they are not followed.\nsize_limit: The most bytes that are read: of the file, and of all files that it names, together. Default RBL_FILE_SIZE_LIMIT.\nwithin: A folder that the file, and each one that it names, must lie in or below, once links are resolved: for names that come from others. NULL: anywhere. Default NULL.\nkeep_sources: glTF only: rbl_read_mesh() gives materials a `source` too, as rbl_read_document() always does: their number in the file, from 1. Default false.\nmaterial_offset: glTF only: added to every `source`, for the scenes of several files in one. >= 0. Default 0.\nallocator: Memory of the mesh and of the reading itself.\ncookie: Filled by rbl_default_read_def(). Leave it alone.'

class rbl_document(Structure):
    ''

class rbl_tet_arrays(Structure):
    'Tetrahedra as plain arrays: what a MEDIT file holds, also where that is no proper mesh.\nvertex_count: Number of positions.\npositions: Metres, all finite.\ntet_count: Number of tetrahedra.\ntet_vertices: Four vertices per tetrahedron in the order of the file. Most files have them as rbl_tets_def says; in others some are the other way round.\nallocator: Where the arrays came from. Leave it alone.'

class rbl_write_def(Structure):
    "How to write. Start from rbl_default_write_def().\nformat: Default RBL_FORMAT_AUTO: by the name's ending.\nas_text: PLY and STL: as text instead of binary. Default false.\nsingle_precision: PLY: positions as 4-byte floats. Default false, 8-byte doubles.\nis_quantized: .glb: positions in 16 bits, normals, tangents and colors in 8, texture coordinates between 0 and 1 in 16 (KHR_mesh_quantization), and no normals where all faces are flat. A position is off by at most 2^-15 of the mesh's extent. Default false.\nmerges_parts: Films: parts that appear and vanish with their object become one mesh per region of it, and lose their names, unless they are large and share a mesh with others; materials that differ in their names alone become one, and there are no extras. Default false.\nhas_instances: Films: parts that appear and vanish with their object and share a mesh become instances of it (EXT_mesh_gpu_instancing, which some programs do not read), and lose their names. Default false.\nname: Meshes as .glb: what the node is called, UTF-8. Default NULL: as the file, and nothing in memory.\nallocator: Memory of the writing itself.\ncookie: Filled by rbl_default_write_def(). Leave it alone."

class rbl_file_bytes(Structure):
    'A file in memory.\ndata: The bytes; NULL when there are none.\nsize: Their number.\ncapacity: What was allocated, and where. Leave them alone.'

class rbl_film(Structure):
    ''

class rbl_film_def(Structure):
    'How to make a film. Start from rbl_default_film_def().\nposition_tolerance: The largest error of any point of an object between keyframes: in metres, and as a fraction of its size (the diagonal of the bounds of its smallest mesh); the smaller of both counts. >= 0. Default 0.005 and 0.008.\nsize_tolerance: The largest error of any point of an object between keyframes: in metres, and as a fraction of its size (the diagonal of the bounds of its smallest mesh); the smaller of both counts. >= 0. Default 0.005 and 0.008.\nhas_long_rotations: Write rotations with 32 bits per number instead of 16. Default false.\nallocator: Memory of the film.\ncookie: Filled by rbl_default_film_def(). Leave it alone.'

class rbl_film_info(Structure):
    'What a film holds.\npose_count: Poses that were given, and keyframes kept of them.\nkey_count: Poses that were given, and keyframes kept of them.\ntime: Time of the last frame.'

class rbl_json_document(Structure):
    ''

class rbl_json(Structure):
    ''

class rbl_json_source(Structure):
    'A piece of the parsed text.\ntext: Not closed by a zero; NULL for a missing value.'

class rbl_surface(Structure):
    ''

class rbl_surface_body_id(Structure):
    'Names a body. All zero names none.'

class rbl_surface_costs(Structure):
    'What steps cost on some machine, in nanoseconds. Ratios decide about restructuring, not clocks, so that a run repeats; `rubble calibrate` prints the numbers of a machine, and rbl_measure_surface_costs() finds them at start.\nbox_test: A box test of a traversal, with what follows from it. Default 50.\nbuild_cluster: Building, per cluster of triangles and level of the tree. Default 36.'

class rbl_surface_def(Structure):
    'How to make a surface. Start from rbl_default_surface_def().\nculling: The grade of culling. Default RBL_CULL_EXACT.\nrestructuring: Default RBL_RESTRUCTURE_COST.\nbuilder: Of new and of restructured trees. Default RBL_SURFACE_BUILD_AREA.\ngrid_leaves: With RBL_SURFACE_BUILD_GRID: parts of fewer clusters than this are halved by number, where larger ones are divided by cells of a grid. 2 or more; Heo et al. 2010 use 100 to 1000 triangles. Default 100.\nrestructure_share: The most that one update may spend on rebuilding, as a share of what the last query cost, 0 to 1. Default 0.25.\ncertificate_share: How much one query at one instant may certify of large bodies that move rigidly, as a share of all triangles, 0 to 1; what is certified is not traversed as long as it moves rigidly. A query over a step certifies all of them, since a traversal takes longer. 0 certifies nothing. Default 0.125.\nthickness: How far apart, in metres, surfaces are in contact for rbl_surface_sweep(); 0: only when they touch. At least 0. For bodies whose definition does not say. Default 0.\ncosts: Constants of the machine.\njobs: Workers of updates and queries, NULL for none; must outlive the surface.\nallocator: Memory of the surface.\ncookie: Filled by rbl_default_surface_def(). Leave it alone.'

class rbl_surface_filter(Structure):
    "What a body is tested against, by all queries. Two bodies are when each has a category that the other's mask has, and not both are static, and they are not excluded.\ncategories: What the body is: bits that you choose. Default 1.\nmask: What it is tested against. Default all bits.\nis_static: An obstacle: it is tested against bodies that are not static, and not with itself. It may move. Default false.\nignores_itself: It is tested against others alone. So is a body whose mask has none of its categories. Default false."

class rbl_surface_positions(Structure):
    'Positions where you have them: three floats or doubles each, with anything between them. Doubles are kept whole. Boxes and filters know them as floats, and count what that rounds; tests and distances take the doubles, so that lists are certified for these.\ndata: The first coordinate of the first position; NULL: there are none.\nstride: Bytes from a position to the next, 0 or at least the size of one; 0: no gaps.\nis_double: Coordinates are doubles, each of a magnitude that a float can have. Default false.'

class rbl_surface_body_def(Structure):
    "A body to add. Start from rbl_default_surface_body_def().\nvertex_count: Number of vertices, 1 or more. Some may be without triangles.\npositions: Where they are, in metres, all finite. Copied during the call.\ninput: The same with a stride or as doubles: set this and leave `positions` NULL.\nrest_positions: Where they are while the surface is at rest, or NULL: as `positions`. The tree is built for this shape, so that layers which are folded onto each other now do not mix.\ntriangle_count: Number of triangles; there must be a triangle, an edge or a point.\ntriangles: Three different vertices per triangle. Neighbours that agree in direction are joined; edges with more than two triangles, or with two in the same direction, join none: there the body falls into manifold parts that still share their vertices.\nedge_count: Number of edges without faces: rods, hair. Default 0.\nedges: Two different vertices per edge. Edges and points take part in sweeps, proximity and line searches, not in rbl_surface_collide(). In lists they come as triangles that have a vertex twice: their numbers follow those of triangles, first of edges, which have the corners a, b, b, then of points, with three times the same. So a vertex that comes near an edge or a point is listed as a vertex and a face. A body with edges or points is not split, edited or merged.\npoint_count: Number of points, vertices that take part without a triangle or an edge. Default 0.\npoints: Their vertices.\nthickness: How far from itself the body is in contact, in metres, and with another half of its own and half of the other's thickness. Below 0: that of the surface's definition. Default -1.\nfilter: What it is tested against.\nkeeps_rest_shape: Remember the rest shape: features of the body that are nearer to each other there than the thickness, or than the distance of a proximity query, are not listed. So a cloth whose edges are about as long as it is thick is not in contact with itself at rest. Bodies that are merged forget it. Takes 12 bytes per vertex of the surface. Default false.\nvertex_user_ids: What you call vertices and triangles, any numbers from 0, or NULL: nothing. They come back in all results (rbl_surface_get_names()). Those of triangles go on with edges, then points. Copies of vertices have that of their origin; what a split adds has none, until rbl_surface_set_vertex_user_ids() gives it one.\ntriangle_user_ids: What you call vertices and triangles, any numbers from 0, or NULL: nothing. They come back in all results (rbl_surface_get_names()). Those of triangles go on with edges, then points. Copies of vertices have that of their origin; what a split adds has none, until rbl_surface_set_vertex_user_ids() gives it one.\nuser_id: What you call the body; pieces inherit it, and a merged body has that of the first. Default 0.\ncookie: Filled by rbl_default_surface_body_def(). Leave it alone."

class rbl_surface_pair(Structure):
    'Two triangles, a < b in lists.'

class rbl_surface_split_def(Structure):
    'How to split a body. Start from rbl_default_surface_split_def().\npiece_count: Number of pieces, 1 or more, each with a triangle or more. One piece means that the body only changes.\nlabels: The piece of each triangle of the body, in the order of its view; -1: the triangle goes.\nvertex_count: Number of new vertices.\npositions: Where they are, finite. May be NULL when there are none.\nrest_positions: Where they are in the rest shape of a body that keeps it, or NULL: not known, and pairs with them are listed.\ntriangle_count: Number of new triangles.\ntriangles: Three different vertices per new triangle: ids of vertices of the body, or -1 - i for new vertex i. May be NULL when there are none.\ntriangle_labels: The piece of each new triangle. May be NULL when there are none.\ncookie: Filled by rbl_default_surface_split_def(). Leave it alone.'

class rbl_surface_pairs(Structure):
    'A list of pairs, ascending.'

class rbl_surface_hit(Structure):
    'A vertex and a face, or two edges, that touch within the step.\ntime: When they touch first, 0 at the start of the step and 1 at its end; never later than the truth.\nis_at_start: They are in contact, or nearer than the thickness, at the start already: time is 0.\nis_parting: They are nearer than the thickness at the start, and do not come nearer in the step: a contact, not an impact. rbl_surface_max_step() leaves it out.\nu: Where: shares of the second and third corner of the face, or how far along both edges.\nv: Where: shares of the second and third corner of the face, or how far along both edges.\nnormal: Unit, as in rbl_impact: out of the face towards the vertex, or out of edge b towards edge a. With a thickness it is the direction between the closest points at that time.'

class rbl_surface_hits(Structure):
    'A list of hits, ascending by kind, a, b; each vertex and face, and each two edges, once.'

class rbl_surface_near_pair(Structure):
    'A vertex and a face, or two edges, that are near each other.\nkind: As in rbl_surface_hit.\nnearest: What of them is nearest. Of an edge or a corner of the face the other faces around it tell the same, and so do the edges around a vertex.\nis_repeated: The same vertex and vertex, or vertex and edge, is nearest in a pair that comes before. Who leaves such pairs out counts nothing twice.\nside: On which side of the surface of `b` the nearest point of `a` is: 1 where the normals point, -1 behind, 0 where there is no telling: they touch, or the nearest point of `b` is on a boundary or an edge that is not manifold.\ntime: When they are within the distance first, 0 at the start of the step and 1 at its end; never later than the truth. 0 at one instant.\ndistance: How far apart they are, then.\nu: Where: shares of the second and third corner of the face, or how far along both edges.\nv: Where: shares of the second and third corner of the face, or how far along both edges.\npoints: The closest points, of a and of b.\ndirection: Unit, from the second point to the first: to move a along it takes the two apart. Where they touch it is square to the face or to both edges.'

class rbl_surface_near_pairs(Structure):
    'A list of near pairs, ascending by kind, a, b; each vertex and face, and each two edges, once.'

class rbl_surface_names(Structure):
    'What an entry of a list is about, by your numbers.\nbodies: The bodies of `a` and of `b`, and their user ids.\nvertices: User ids of their vertices, -1 where there is none: of a pair of triangles three and three; of a vertex and a face one and three; of two edges two and two, each from its first vertex. What is beyond these is -1.\ntriangles: User ids of the triangles, or of those whose edges they are; -1 where there is none, and for a vertex.'

class rbl_surface_name_list(Structure):
    'Names in the order of a list.'

class rbl_surface_range(Structure):
    'The entries of two bodies, or of one with itself.\na: The body with the lower index first.\nb: The body with the lower index first.'

class rbl_surface_ranges(Structure):
    'A list by bodies.\nranges: Ascending by the indices of `a` and `b`, none empty.\norder: Entry i of a range is order[begin + i] of the list; ascending within a range.'

class rbl_surface_segment(Structure):
    'What two colliding triangles have in common.\npoints: Its ends, the same where they touch in a point, right but for rounding.\nis_point: One point of several stands for all: the two lie in one plane, or too close to that to tell.'

class rbl_surface_segments(Structure):
    'Segments in the order of a list of pairs.'

class rbl_surface_data(Structure):
    'The arrays of a surface; they live until the next change or update. Entries of ids that are not in use have no meaning.\nvertex_end: Ids of vertices and of triangles are below these.\ntriangle_end: Ids of vertices and of triangles are below these.\nstarts: Positions at start and end of the step, by vertex id.\nends: Positions at start and end of the step, by vertex id.\ntriangles: Three vertex ids per triangle id.\ntwins: The half-edge across: 3 t + k runs from corner k of triangle t to the next. Below 0 where there is none: -1 at a boundary, -2 for the lowest half-edge of an edge that is not manifold, -3 for its others.\norigins: By vertex id: the vertex that it was copied from when its body split, itself for others.\nvertex_user_ids: What you call vertices and triangles, -1 without; NULL where nobody gave any.\ntriangle_user_ids: What you call vertices and triangles, -1 without; NULL where nobody gave any.'

class rbl_surface_body_data(Structure):
    'A body; the arrays live until the next change or update.\nvertex_count: Ids of its vertices.\ntriangle_count: Ids of its triangles.'

class rbl_surface_place(Structure):
    "Where a vertex or a triangle is: its body, and its place in the lists of the body's view. All zero where the id is not in use."

class rbl_surface_map(Structure):
    'The places of all vertices and triangles, by id, below vertex_end and triangle_end of rbl_surface_get_data(); they live until the next change or update. The way back is rbl_surface_body_get_data().'

class rbl_surface_stats(Structure):
    'Numbers about a surface, the last update and the last query.\nmemory: Bytes held, everything included.\nfitted_nodes: Update: nodes fitted, sub-trees rebuilt, and clusters in them.\nrebuilt_trees: Update: nodes fitted, sub-trees rebuilt, and clusters in them.\nrebuilt_clusters: Update: nodes fitted, sub-trees rebuilt, and clusters in them.\nbox_tests: Query: tests of node boxes; clusters tested against each other or themselves; nodes whose normals passed, contours tested, and nodes that were culled; triangles in those.\ncluster_tests: Query: tests of node boxes; clusters tested against each other or themselves; nodes whose normals passed, contours tested, and nodes that were culled; triangles in those.\nnormal_passes: Query: tests of node boxes; clusters tested against each other or themselves; nodes whose normals passed, contours tested, and nodes that were culled; triangles in those.\ncontour_tests: Query: tests of node boxes; clusters tested against each other or themselves; nodes whose normals passed, contours tested, and nodes that were culled; triangles in those.\nculled_nodes: Query: tests of node boxes; clusters tested against each other or themselves; nodes whose normals passed, contours tested, and nodes that were culled; triangles in those.\nculled_triangles: Query: tests of node boxes; clusters tested against each other or themselves; nodes whose normals passed, contours tested, and nodes that were culled; triangles in those.\ncandidates: Query: pairs of triangles whose boxes overlap; those culled by the fan of their shared vertex; exact tests (of triangles, or of vertex-face and edge-edge); tests that found nothing.\nfan_culled: Query: pairs of triangles whose boxes overlap; those culled by the fan of their shared vertex; exact tests (of triangles, or of vertex-face and edge-edge); tests that found nothing.\ntests: Query: pairs of triangles whose boxes overlap; those culled by the fan of their shared vertex; exact tests (of triangles, or of vertex-face and edge-edge); tests that found nothing.\nfalse_tests: Query: pairs of triangles whose boxes overlap; those culled by the fan of their shared vertex; exact tests (of triangles, or of vertex-face and edge-edge); tests that found nothing.\nself_cost: Expected box tests of a self-collision query (TC_S), summed over bodies.\nchange_ns: Nanoseconds of the last calls: changes since the last update, the update, the query.\nupdate_ns: Nanoseconds of the last calls: changes since the last update, the update, the query.\nquery_ns: Nanoseconds of the last calls: changes since the last update, the update, the query.'

class rbl_obstacles(Structure):
    ''

class rbl_obstacles_def(Structure):
    "How to make obstacles. Start from rbl_default_obstacles_def().\nshape: Default RBL_OBSTACLE_MESHES.\ncategories: Only bodies with one of these categories of their rbl_filter are obstacles. Sensors and disabled bodies never are. Default all bits.\nfilter: What they are in the surface. Default static, of category 1, tested against all.\nthickness: Of their bodies in the surface, in metres, at least 0. Default 0.\nplane_reach: A plane without end is a square that reaches so far from the body's place, in metres, above 0 to RBL_MAX_COLLIDER_SIZE. Default 100.\nallocator: Memory of the obstacles; the surface has its own.\ncookie: Filled by rbl_default_obstacles_def(). Leave it alone."

class rbl_obstacle(Structure):
    'What a body of a surface is.\nbody: The body of the world, null if it is no obstacle.\npart: Its number, as events and casts have it: part of a compound, child of a collider.'

class rbl_obstacles_stats(Structure):
    'Numbers about obstacles.\nbody_count: Bodies of the world, their parts, and triangles of these.\npart_count: Bodies of the world, their parts, and triangles of these.\ntriangle_count: Bodies of the world, their parts, and triangles of these.\nadded_count: Parts that the last call added, removed and moved.\nremoved_count: Parts that the last call added, removed and moved.\nmoved_count: Parts that the last call added, removed and moved.'

class rbl_picture_def(Structure):
    'What to draw. Start from rbl_default_picture_def().\ntime: Time in the film, in seconds, >= 0. Default 0.\nwidth: Pixels, 16 to 8192 each. Default 1200 and 750.\nheight: Pixels, 16 to 8192 each. Default 1200 and 750.\nview: Direction from the middle of the frame to the camera, not zero, y is up. Default 0.7, 0.45, 0.9.\nframe: Box that fills the picture. With lower above upper, the default, the bounds of all objects at that time.\ncamera_position: A camera at a place, looking at another, in place of `view`; `frame` is then what shadows are made for. Vertical angle of its view in degrees, 1 to 170; 0: no camera. Default 0.\ncamera_target: A camera at a place, looking at another, in place of `view`; `frame` is then what shadows are made for. Vertical angle of its view in degrees, 1 to 170; 0: no camera. Default 0.\nhas_ground: Draw an infinite ground plane below all objects. Default true.\nallocator: Memory used during the call.\ncookie: Filled by rbl_default_picture_def(). Leave it alone.'

class rbl_preset_level(Structure):
    "A damage level whose pattern is not made yet.\nenergy: As in rbl_damage_level.\nradius: As in rbl_damage_level.\npattern: How to make its pattern; without an allocator of its own with the material's."

class rbl_preset_def(Structure):
    'A material and the patterns that it breaks by, all as plain numbers: change what should differ. Start from rbl_default_preset_def().\nmaterial: All but the levels of its damage rule; its name is that of the preset. Figures are SI.\nlevels: The levels by rising energy, and their number, 0 to RBL_MAX_PRESET_LEVELS.\nlook: How to draw it, and the linear color of its cut faces, for programs without textures: meshes have looks of their own, and the world does not read these.\ncookie: Filled by rbl_default_preset_def(). Leave it alone.'

class rbl_recording_def(Structure):
    'How to record. Start from rbl_default_recording_def().\nwrite: Where the bytes go, and what is passed along. No default.\nembeds_assets: Whether assets and patterns are in it, rather than their keys. Default true.\ncookie: Filled by rbl_default_recording_def(). Leave it alone.'

class rbl_replay(Structure):
    ''

class rbl_replay_report(Structure):
    'What became of a step.\nis_over: The recording is over, and no step was made.\nstep: Which step of the recording it was, from 1 on; 0 before the first.\nrecorded_hash: The state after it, then and now.\nhash: The state after it, then and now.\ndiffers: Whether a hash, or what a call returned, is not what it was, in this step or before.'

class rbl_box_def(Structure):
    'A box around the origin, its faces cut into squares if wanted. Start from rbl_default_box_def().\nsize: Side lengths in metres, each 1e-6 to 1e6. Default 1, 1, 1.\nsubdivisions: Quads along each side of a face, 1 to 1000. Default 1: eight vertices.\nallocator: Memory of the mesh, and of making it.\ncookie: Filled by rbl_default_box_def(). Leave it alone.'

class rbl_icosphere_def(Structure):
    'A sphere around the origin: an icosahedron whose triangles are split in four, again and again. Start from rbl_default_icosphere_def().\nradius: Metres, 1e-6 to 1e6. Default 0.5.\nsubdivisions: How often each triangle is split, 0 to 9. Default 3: 642 vertices, 1280 triangles.\nallocator: Memory of the mesh, and of making it.\ncookie: Filled by rbl_default_icosphere_def(). Leave it alone.'

class rbl_cylinder_def(Structure):
    'An upright cylinder that stands on the ground, y = 0. Start from rbl_default_cylinder_def().\nradius: Metres, 1e-6 to 1e6. Default 0.5 and 1.\nheight: Metres, 1e-6 to 1e6. Default 0.5 and 1.\nsegments: Around, 3 to 10000. Default 32.\nrows: Quads from bottom to top, 1 to 10000. Default 1.\nallocator: Memory of the mesh, and of making it.\ncookie: Filled by rbl_default_cylinder_def(). Leave it alone.'

class rbl_tube_def(Structure):
    'An upright hollow cylinder, open at both ends, that stands on the ground. Start from rbl_default_tube_def().\nradius: Outer radius and height in metres, 1e-6 to 1e6. Default 0.5 and 1.\nheight: Outer radius and height in metres, 1e-6 to 1e6. Default 0.5 and 1.\nwall: Thickness of the wall, above 0 and below the radius. Default 0.1.\nsegments: Around, 3 to 10000. Default 32.\nrows: Quads from bottom to top, 1 to 10000. Default 1.\nallocator: Memory of the mesh, and of making it.\ncookie: Filled by rbl_default_tube_def(). Leave it alone.'

class rbl_torus_def(Structure):
    'A ring that lies around the origin in the plane y = 0. Start from rbl_default_torus_def().\nradius: From the centre to the middle of the ring, in metres, 1e-6 to 1e6. Default 0.5.\nthickness: Radius of the ring itself, above 0 and below `radius`. Default 0.2.\nsegments: Around the centre, 3 to 10000. Default 48.\nsides: Around the ring, 3 to 10000. Default 24.\nallocator: Memory of the mesh, and of making it.\ncookie: Filled by rbl_default_torus_def(). Leave it alone.'

class rbl_plate_def(Structure):
    'A dinner plate: a round dish with a rim and a foot, that stands on the ground. Start from rbl_default_plate_def().\nradius: Metres, 1e-6 to 1e6. Default 0.13.\nheight: From ground to rim, 0.05 to 1 times the radius. Default 0.024.\nwall: Thickness of the plate, 0.05 to 0.5 times the height. Default 0.005.\nsegments: Around, 8 to 10000. Default 64.\nallocator: Memory of the mesh, and of making it.\ncookie: Filled by rbl_default_plate_def(). Leave it alone.'

class rbl_vase_def(Structure):
    'A vase: belly, neck and flaring lip, hollow, that stands on the ground. Start from rbl_default_vase_def().\nradius: Belly radius and height in metres, 1e-6 to 1e6. Default 0.13 and 0.4.\nheight: Belly radius and height in metres, 1e-6 to 1e6. Default 0.13 and 0.4.\nwall: Thickness of wall and bottom, 0.01 to 0.25 times the radius, and at most a tenth of the height. Default 0.008.\nsegments: Around, 8 to 10000. Default 48.\nrows: From bottom to lip, 8 to 10000. Default 32.\nallocator: Memory of the mesh, and of making it.\ncookie: Filled by rbl_default_vase_def(). Leave it alone.'

class rbl_mug_def(Structure):
    'A mug with a handle: one closed surface, so its genus is 1. It stands on the ground. Start from rbl_default_mug_def().\nradius: Metres, 1e-6 to 1e6, the height 0.5 to 8 times the radius. Default 0.042 and 0.095.\nheight: Metres, 1e-6 to 1e6, the height 0.5 to 8 times the radius. Default 0.042 and 0.095.\nwall: Thickness of wall and bottom, 0.02 to 0.3 times the radius. Default 0.004.\ndetail: Fineness, 1 to 100: the mug has 16 * detail segments. Default 3.\nallocator: Memory of the mesh, and of making it.\ncookie: Filled by rbl_default_mug_def(). Leave it alone.'

class rbl_piggy_bank_def(Structure):
    'A hollow pig with a slot in its back. Outer and inner wall meet in the slot: one closed surface of genus 0. Start from rbl_default_piggy_bank_def().\nlength: From tail to snout in metres, 1e-6 to 1e6. Default 0.2.\nwall: Thickness of the wall, 0.01 to 0.06 times the length. Default 0.006.\nslot_length: Along the back, 0.05 to 0.3 times the length. Default 0.036.\nslot_width: Across, 0.01 to 0.1 times the length. Default 0.005.\ndetail: Fineness, 1 to 50. Default 3.\nallocator: Memory of the mesh, and of making it.\ncookie: Filled by rbl_default_piggy_bank_def(). Leave it alone.'

class rbl_column_def(Structure):
    'A column that stands on the ground: square plinth, moulded base, fluted shaft that swells and tapers, capital, square abacus. One closed surface. Start from rbl_default_column_def().\nheight: Metres, 1e-6 to 1e6, and at least 5 times the radius. Default 5.\nradius: Of the shaft at its foot. Default 0.35.\ntaper: How much thinner the shaft is at its top, 0 to 0.5 of the radius. Default 0.16.\nentasis: How the shaft tapers: 0 straight, 1 all in the upper part, a swelling curve. Default 0.7.\nflutes: Number of flutes, 4 to 100, or 0 for a smooth shaft. Default 20.\nflute_depth: Depth of a flute, above 0 to 0.15 of the radius. Default 0.07.\ndetail: Fineness, 1 to 100; a flute has 2 * detail segments. Default 2.\nallocator: Memory of the mesh, and of making it.\ncookie: Filled by rbl_default_column_def(). Leave it alone.'

class rbl_arch_def(Structure):
    'A round arch on two piers, in the plane z = 0, that stands on the ground. Start from rbl_default_arch_def().\nspan: Clear width between the piers in metres, 1e-6 to 1e6. Default 2.\npier_height: From the ground to where the arch springs, 0 to 1e6. Default 1.5.\nwidth: Of the arch ring and the piers, above 0 to 1e6. Default 0.5.\ndepth: Along z, 1e-6 to 1e6. Default 0.6.\nsegments: Of the half circle, 2 to 10000. Default 24.\nvoussoirs: Wedge stones of the half circle, each closed by itself and touching its neighbours, 3 to 1000; the piers are stones too then. 0 makes one closed surface. Default 0.\nallocator: Memory of the mesh, and of making it.\ncookie: Filled by rbl_default_arch_def(). Leave it alone.'

class rbl_window_def(Structure):
    'A window in the plane z = 0, that stands on the ground: panes of glass in a wooden frame. Frame and panes are separate closed parts; each pane reaches into the frame. Start from rbl_default_window_def().\nwidth: Outer size in metres, 1e-6 to 1e6. Default 1.2 and 1.5.\nheight: Outer size in metres, 1e-6 to 1e6. Default 1.2 and 1.5.\nthickness: Of the glass, in metres, 1e-6 to 1e6. Default 0.006.\nframe_width: Width of the bars; 0 for a pane alone, without frame. Default 0.07.\nframe_depth: Thickness of the bars, more than that of the glass. Default 0.06.\ncolumns: Panes side by side and above each other, 1 to 100. Default 2 and 2.\nrows: Panes side by side and above each other, 1 to 100. Default 2 and 2.\nsubdivisions: Quads along each side of a pane, 1 to 1000, and at most 1e8 of all panes. Default 1.\nallocator: Memory of the mesh, and of making it.\ncookie: Filled by rbl_default_window_def(). Leave it alone.'

class rbl_brick_wall_def(Structure):
    'A brick wall in the plane z = 0, in running bond: every brick is a closed part of its own. Start from rbl_default_brick_wall_def().\nwidth: Size in metres, 1e-6 to 1e6: rounded to whole bricks. Default 3 and 2.\nheight: Size in metres, 1e-6 to 1e6: rounded to whole bricks. Default 3 and 2.\nbrick: Brick size in metres, each 1e-6 to 1e6. Default 0.25, 0.08, 0.12.\ngap: Between bricks, 0 to half the smallest brick side. Default 0.\nbevel: Chamfer of the edges, 0 to a fifth of the smallest brick side. Default 0.004.\nseed: Tints of the bricks. Default 1.\nallocator: Memory of the mesh, and of making it.\ncookie: Filled by rbl_default_brick_wall_def(). Leave it alone.'

class rbl_arena_def(Structure):
    'A Roman arena: an elliptic front of arches, columns and cornices in three storeys, radial walls, rows of seats, stairs, gallery, podium and a temple above the centre stand. It is modelled as an artist would, in closed parts that overlap or touch; no part is joined to another. Start from rbl_default_arena_def().\nlength: Outer axes of the ellipse along x and z in metres, 1e-3 to 1e6; width 0.6 to 1 times length. Everything else is in proportion. Default 84 and 68.\nwidth: Outer axes of the ellipse along x and z in metres, 1e-3 to 1e6; width 0.6 to 1 times length. Everything else is in proportion. Default 84 and 68.\nbays: Arches around, a multiple of 4 from 32 to 120. Default 40.\ndetail: Fineness, 1 to 10. Default 2; 10 has more than a million vertices and faces.\nseed: Tints of the stones. Default 1.\nallocator: Memory of the mesh, and of making it.\ncookie: Filled by rbl_default_arena_def(). Leave it alone.'

class rbl_stress(Structure):
    ''

class rbl_stress_def(Structure):
    'How to estimate. Start from rbl_default_stress_def().\ndensity: Density in kg / m^3, > 0, of parts without a material. Default 2400.\nstrengths: What their bonds hold in pascal, each >= 0; 0: they never fail that way. Default 1e6, 2e6 and 1e7, as stone.\ntolerance: Forces count as found when what is left to balance is below this share of the loads, 1e-12 to 0.1. Default 1e-3.\nallocator: Memory of the estimate.\ncookie: Filled by rbl_default_stress_def(). Leave it alone.'

class rbl_stress_load(Structure):
    "A force on a part, as of something that lies on it.\npoint: Where it acts, in the compound's coordinates, and how much, in newton.\nforce: Where it acts, in the compound's coordinates, and how much, in newton."

class rbl_stress_report(Structure):
    'What a call came to.\nbond_count: Bonds that carry something: between parts that are not both anchored.\nresidual: What is left to balance, over the loads; and whether that is within the tolerance.\nworst: The highest utilization of a bond, above 1 it fails; and how many do. Only where it has converged.\npass_count: Passes over all bonds in this call, 0 where nothing has changed since it converged.'

class rbl_bond_stress(Structure):
    'What a bond carries.\npart: The two parts.\nother: The two parts.\ncentre: Where, from `part` to `other`, and how large.\nnormal: Where, from `part` to `other`, and how large.\nforce: Force and moment at the centre that `other` puts on `part`, in newton and newton metres.\nmoment: Force and moment at the centre that `other` puts on `part`, in newton and newton metres.\ntension: The largest of each over the area, in pascal; tension and compression with bending, shear with torsion.\ncompression: The largest of each over the area, in pascal; tension and compression with bending, shear with torsion.\nshear: The largest of each over the area, in pascal; tension and compression with bending, shear with torsion.\nutilization: The largest of the three over what the bond holds: above 1 it fails.'

class rbl_surface_crossing(Structure):
    "A point of a contour, where an edge passes through a face.\nposition: Right but for rounding; the same for both triangles beside the edge.\nedge: The half-edge with the lower number of the edge's two; -1 where the contour ends at a vertex that both triangles share.\ntriangle: The face; or that vertex.\nalong: How far along the edge, from 0 at its first vertex to 1."

class rbl_surface_contour(Structure):
    'A curve along which two bodies, or parts of one, go through each other. It has two sides: that of the body with the lower index is the first; of one body it is either.\nbodies: The bodies of both sides.\nis_closed: It comes back to where it began. Otherwise it ends at boundaries, at a vertex that both sides share, at an edge that is not manifold, or where a filter leaves pairs out.\nbegin: Its segments: triangle_pairs[begin] and so on of the list; they lie in crossings[i] to crossings[i + 1] of its own, and the last of a closed contour leads back to the first.\ncount: Its segments: triangle_pairs[begin] and so on of the list; they lie in crossings[i] to crossings[i + 1] of its own, and the last of a closed contour leads back to the first.\ncrossing_begin: Its crossings in the list: as many as segments when it is closed, else one more.\ncrossing_count: Its crossings in the list: as many as segments when it is closed, else one more.\nhas_inside: What of either side it cuts off: the smaller part, by its vertices. None where the side does not fall in two, such as around the handle of a torus, or where the contour stays within one triangle of it.\nvertex_begin: The vertices of that, and triangles that are all inside: those it goes through are not among them. Ascending; in the lists below.\nvertex_count: The vertices of that, and triangles that are all inside: those it goes through are not among them. Ascending; in the lists below.'

class rbl_surface_contours(Structure):
    'All contours; the arrays live as long as the list of pairs.\ncontours: In the order of their first pairs.\ntriangle_pairs: The triangles of segments: `a` is of the first side, `b` of the second. Some may share a vertex and meet there alone, which makes them no pair.\ntouching: Pairs that only touch: without any of them, moved by next to nothing, the two are apart. Ascending.'

class rbl_surface_overlap(Structure):
    'Two closed bodies that are in each other.\na: The body with the lower index first.\nb: The body with the lower index first.\ndirection: Unit: moving `a` along it makes the overlap smaller faster than any other way. It is the direction of the sum of area normals of what `b` has of the surface of `a`, turned round, which is known from the contours alone. Zero where that sum is: something goes right through.\narea: The length of that sum, in square metres: so fast the volume of the overlap shrinks.\ndepth: How far `a` must move along the direction, in metres, until all vertices of either body that are in the other have left it; where only edges cross, how far the contours reach along it. An estimate of the way out: other parts may meet on the way. 0 without a direction.\nvertex_begin: Vertices of `a` within `b`, and of `b` within `a`: in the list below, ascending.\nvertex_count: Vertices of `a` within `b`, and of `b` within `a`: in the list below, ascending.'

class rbl_surface_overlaps(Structure):
    'All overlaps, ascending by the indices of `a` and `b`; the arrays live as long as the list of pairs.'

class rbl_surface_edit_def(Structure):
    'What changes in a body. Start from rbl_default_surface_edit_def().\npiece_count: Number of pieces afterwards, 1 or more, each with a triangle or more. Triangles that are not named below belong to the first. Default 1.\nchanged_count: Number of triangles of the body that go, or leave the first piece.\nchanged: Their ids, all different. May be NULL when there are none.\nchanged_labels: The piece of each, -1: it goes. NULL: all go.\ncorner_count: Number of corners that get another vertex: so an edge is torn.\ncorners: Corner k of triangle t is 3 t + k; all different, of triangles that stay.\ncorner_vertices: What each becomes: the id of a vertex of the body, or -1 - i for new vertex i.\nvertex_count: Number of new vertices, each used by some triangle.\npositions: Where they are at the end of the step, finite; or NULL: where their parents say.\nparents: Three vertices of the body for each, -1 for none, or NULL: without, a new vertex rests where it is. They give its motion in this step, and its place in a rest shape.\nweights: Three finite shares for each, of its parents; needed with parents.\nvertex_user_ids: What you call them, or NULL: what a parent with a share of 1 is called, -1 for others.\ntriangle_count: Number of new triangles.\ntriangles: Three different vertices for each: ids of vertices of the body, or -1 - i for new vertex i.\ntriangle_labels: The piece of each. NULL: all are in the first.\ntriangle_user_ids: What you call them, or NULL: -1 each.\ncookie: Filled by rbl_default_surface_edit_def(). Leave it alone.'

class rbl_surface_knife(Structure):
    'A knife in one step. Start from rbl_default_surface_knife().\npoint_count: Points of the blade, 2 or more, from one end to the other.\nstarts: Where they are when the step begins and when it ends, in metres, finite. The blade may bend and turn, but not turn back along itself. What it sweeps over is cut, from its first to its last place; where it moves along itself alone, nothing is.\nends: Where they are when the step begins and when it ends, in metres, finite. The blade may bend and turn, but not turn back along itself. What it sweeps over is cut, from its first to its last place; where it moves along itself alone, nothing is.\nfollows_motion: The surface moves, too, from the start to the end of its step: the knife cuts what passes it. Otherwise the surface stays where it is at the end. Default false.\ntolerance: In metres: a cut that passes a vertex within this distance goes through it, and a cut does not go on by less. 0: a fiftieth of the mean edge. Default 0.\ncookie: Filled by rbl_default_surface_knife(). Leave it alone.'

class rbl_surface_curve(Structure):
    'A curve to cut along. Start from rbl_default_surface_curve().\npoint_count: Points on the surface or near it, 2 or more, in metres, finite.\ndirections: The way the blade points at each, through the surface: its normals, say. Of any length but 0.\ndepth: How far the blade reaches to both sides of the points, above 0. Default 0.01.\nis_closed: The last point is joined to the first. Default false.\ntolerance: As in rbl_surface_knife. Default 0.\ncookie: Filled by rbl_default_surface_curve(). Leave it alone.'

class rbl_surface_cut(Structure):
    'What a cut along a curve made. The arrays live until the next plan or cut of the surface.\nvertex_count: New vertices of the body, and three vertices that the body had before for each, -1 for none, with their shares.'

class rbl_surface_ray_hit(Structure):
    'Where a ray meets a surface first.\nbody: All zero where nothing is met.\ntriangle: Of several that are met at the same place, the lowest.\nfraction: How far along the translation, 0 to 1.\nu: Shares of the second and third corner of the triangle.\nv: Shares of the second and third corner of the triangle.\nnormal: Unit, to the side from which the triangle turns counter-clockwise; zero where it has no area.'

class rbl_surface_nearest_point(Structure):
    'The point of a surface that is nearest to a point.\nbody: All zero where nothing is within the distance.\ntriangle: Of several that have the nearest point, the lowest. Of an edge or a point without faces, its number among triangles.\nu: Shares of the second and third corner of the triangle.\nv: Shares of the second and third corner of the triangle.'

class rbl_surface_tets(Structure):
    ''

class rbl_surface_tets_data(Structure):
    'A look at the tetrahedra; the arrays live until the next separation.\ntet_count: Four nodes per tetrahedron. At first they are the vertices of the mesh; new ones follow.\nnode_count: The vertex of the mesh that each node comes from.\nvertex_end: By vertex id of the surface, below `vertex_end`: its node, -1 where it is of another body.'

class rbl_viewer_def(Structure):
    'What a page shows beside the film. Start from rbl_default_viewer_def().\ntitle: UTF-8, of the page and its window; NULL: "Rubble". Default NULL.\nreport: What the page says below the film, or instead of one: a JSON object as docs/reports.md describes it. NULL: nothing. Default NULL.\nsize_limit: The most bytes of the file, >= 1 MiB; a film that is larger is thinned. Default 64 MiB.\nallocator: Memory of the work, and of what is written into memory.\ncookie: Filled by rbl_default_viewer_def(). Leave it alone.'

class rbl_viewer_info(Structure):
    'What became of a film in a page.\nsize: Bytes of the file.\nis_thinned: Whether something of the film was left out so that the file is no larger than its limit, and a sentence that says what, which the page says as well; else empty.'

rbl_log_function = CFUNCTYPE(None, c_void_p, c_int, c_char_p)
rbl_assert_function = CFUNCTYPE(None, c_void_p, c_char_p, c_char_p, c_int)
rbl_task_function = CFUNCTYPE(None, c_void_p)
rbl_block_function = CFUNCTYPE(None, c_void_p, c_int, c_int, c_int)
rbl_strength_function = CFUNCTYPE(c_double, c_void_p, rbl_vec3d)
rbl_overlap_function = CFUNCTYPE(c_bool, c_void_p, c_uint32)
rbl_cast_function = CFUNCTYPE(c_float, c_void_p, c_uint32, c_float)
rbl_pair_function = CFUNCTYPE(c_bool, c_void_p, rbl_body_id, rbl_body_id)
rbl_contact_function = CFUNCTYPE(None, c_void_p, POINTER(rbl_contact_change))
rbl_fracture_log_function = CFUNCTYPE(None, c_void_p, c_void_p, c_size_t)
rbl_surface_pair_callback = CFUNCTYPE(c_bool, c_void_p, c_int, c_int, c_int)
rbl_write_function = CFUNCTYPE(c_bool, c_void_p, c_void_p, c_size_t)
rbl_allocator._fields_ = [('allocate', CFUNCTYPE(c_void_p, c_void_p, c_size_t, c_size_t)), ('release', CFUNCTYPE(None, c_void_p, c_void_p, c_size_t)), ('user', c_void_p)]
rbl_vec2._fields_ = [('x', c_float), ('y', c_float)]
rbl_vec3._fields_ = [('x', c_float), ('y', c_float), ('z', c_float)]
rbl_vec3d._fields_ = [('x', c_double), ('y', c_double), ('z', c_double)]
rbl_vec4._fields_ = [('x', c_float), ('y', c_float), ('z', c_float), ('w', c_float)]
rbl_quat._fields_ = [('x', c_float), ('y', c_float), ('z', c_float), ('w', c_float)]
rbl_quatd._fields_ = [('x', c_double), ('y', c_double), ('z', c_double), ('w', c_double)]
rbl_mat3._fields_ = [('x', rbl_vec3), ('y', rbl_vec3), ('z', rbl_vec3)]
rbl_mat3d._fields_ = [('x', rbl_vec3d), ('y', rbl_vec3d), ('z', rbl_vec3d)]
rbl_transform._fields_ = [('position', rbl_vec3), ('rotation', rbl_quat)]
rbl_transformd._fields_ = [('position', rbl_vec3d), ('rotation', rbl_quatd)]
rbl_box._fields_ = [('lower', rbl_vec3), ('upper', rbl_vec3)]
rbl_boxd._fields_ = [('lower', rbl_vec3d), ('upper', rbl_vec3d)]
rbl_plane._fields_ = [('normal', rbl_vec3), ('offset', c_float)]
rbl_planed._fields_ = [('normal', rbl_vec3d), ('offset', c_double)]
rbl_mass._fields_ = [('volume', c_double), ('centre', rbl_vec3d), ('inertia', rbl_mat3d)]
rbl_mesh_material._fields_ = [('name', (c_char * 64)), ('base_color', rbl_vec4), ('metallic', c_float), ('roughness', c_float), ('source', c_int)]
rbl_mesh_attribute._fields_ = [('name', (c_char * 28)), ('width', c_int)]
rbl_mesh_data._fields_ = [('vertex_count', c_int), ('positions', POINTER(rbl_vec3d)), ('face_count', c_int), ('corner_count', c_int), ('face_starts', POINTER(c_int)), ('corner_vertices', POINTER(c_int)), ('corner_normals', POINTER(rbl_vec3)), ('corner_uv0', POINTER(rbl_vec2)), ('corner_uv1', POINTER(rbl_vec2)), ('corner_colors', POINTER(rbl_vec4)), ('attribute_count', c_int), ('attributes', POINTER(rbl_mesh_attribute)), ('attribute_width', c_int), ('corner_attributes', POINTER(c_float)), ('face_materials', POINTER(c_int)), ('material_count', c_int), ('materials', POINTER(rbl_mesh_material))]
rbl_mesh_def._fields_ = [('data', rbl_mesh_data), ('allocator', rbl_allocator), ('cookie', c_uint32)]
rbl_mesh_report._fields_ = [('vertices', c_int), ('faces', c_int), ('triangles', c_int), ('components', c_int), ('boundary_edges', c_int), ('nonmanifold_edges', c_int), ('nonmanifold_vertices', c_int), ('loose_vertices', c_int), ('degenerate_faces', c_int), ('duplicate_faces', c_int), ('is_closed', c_bool), ('is_manifold', c_bool), ('is_oriented', c_bool), ('genus', c_int), ('volume', c_double)]
rbl_mesh_repair_def._fields_ = [('weld_distance', c_double), ('drop_degenerate', c_bool), ('drop_duplicates', c_bool), ('orient', c_bool), ('split_nonmanifold', c_bool), ('fill_holes', c_bool), ('resolve_crossings', c_bool), ('allocator', rbl_allocator), ('cookie', c_uint32)]
rbl_mesh_repair_report._fields_ = [('is_unchanged', c_bool), ('welded_vertices', c_int), ('dropped_vertices', c_int), ('dropped_degenerate', c_int), ('dropped_duplicates', c_int), ('flipped_faces', c_int), ('flipped_shells', c_int), ('dropped_shells', c_int), ('split_vertices', c_int), ('cut_faces', c_int), ('filled_holes', c_int), ('added_faces', c_int), ('resolved_crossings', c_int), ('added_vertices', c_int)]
rbl_convex_data._fields_ = [('face_count', c_int), ('planes', POINTER(rbl_planed)), ('plane_ids', POINTER(c_uint64)), ('vertex_count', c_int), ('vertices', POINTER(rbl_vec3d)), ('face_starts', POINTER(c_int)), ('corner_vertices', POINTER(c_int)), ('corner_faces', POINTER(c_int)), ('is_approximate', c_bool)]
rbl_convex_def._fields_ = [('mesh', POINTER(rbl_mesh)), ('planes', POINTER(rbl_planed)), ('plane_ids', POINTER(c_uint64)), ('plane_count', c_int), ('box', rbl_boxd), ('allocator', rbl_allocator), ('cookie', c_uint32)]
rbl_jobs_def._fields_ = [('worker_count', c_int), ('start_task', CFUNCTYPE(None, c_void_p, rbl_task_function, c_void_p)), ('user', c_void_p), ('allocator', rbl_allocator), ('cookie', c_uint32)]
rbl_pattern_def._fields_ = [('kind', c_int), ('size', rbl_vec3d), ('cell_count', c_int), ('focus', c_double), ('ring_count', c_int), ('spoke_count', c_int), ('jitter', c_double), ('brick_size', rbl_vec3d), ('bond', c_int), ('stretch', c_double), ('sites', POINTER(rbl_vec3d)), ('convexes', POINTER(POINTER(rbl_convex))), ('given_count', c_int), ('colors', POINTER(c_int)), ('region', rbl_boxd), ('cell_limit', c_int), ('seed', c_uint64), ('jobs', POINTER(rbl_jobs)), ('allocator', rbl_allocator), ('cookie', c_uint32)]
rbl_solid_def._fields_ = [('mesh', POINTER(rbl_mesh)), ('allocator', rbl_allocator), ('cookie', c_uint32)]
rbl_crossing_report._fields_ = [('crossing_count', c_int), ('inverted_volume', c_double), ('doubled_volume', c_double), ('is_breakable', c_bool)]
rbl_inner_look._fields_ = [('material', c_int), ('uv_scale', c_double), ('uv_offset', rbl_vec2), ('uv_seed', c_uint64), ('atlas_lower', rbl_vec2), ('atlas_upper', rbl_vec2), ('color', rbl_vec4), ('roughness', c_double), ('rough_step', c_double)]
rbl_pieces_def._fields_ = [('solid', POINTER(rbl_solid)), ('pattern', POINTER(rbl_pattern)), ('position', rbl_vec3d), ('shape', rbl_mat3d), ('rotation_seed', c_uint64), ('inner', rbl_inner_look), ('cut_limit', c_int), ('jobs', POINTER(rbl_jobs)), ('allocator', rbl_allocator), ('cookie', c_uint32)]
rbl_pieces_report._fields_ = [('piece_count', c_int), ('inner_count', c_int), ('volume_in', c_double), ('volume_out', c_double), ('flat_count', c_int), ('inverted_count', c_int), ('overlap_count', c_int), ('rerouted_count', c_int), ('mismatch_count', c_int)]
rbl_piece_info._fields_ = [('cell', c_int), ('color', c_int), ('shell', c_int), ('is_inner', c_bool), ('vertex_count', c_int), ('face_count', c_int), ('triangle_capacity', c_int), ('volume', c_double), ('centre', rbl_vec3d)]
rbl_draw_vertex._fields_ = [('position', rbl_vec3), ('normal', rbl_vec3), ('uv0', rbl_vec2), ('uv1', rbl_vec2), ('color', rbl_vec4)]
rbl_piece_pair._fields_ = [('a', c_int), ('b', c_int)]
rbl_compound_part._fields_ = [('convex', POINTER(rbl_convex)), ('mesh', POINTER(rbl_mesh)), ('material', c_int), ('is_anchored', c_bool), ('strength', c_double), ('damage', c_double), ('overlap', c_double), ('shape', c_uint64)]
rbl_strength_paint._fields_ = [('function', rbl_strength_function), ('user', c_void_p), ('key', c_uint64), ('channel', c_int), ('at_zero', c_double), ('at_one', c_double)]
rbl_cluster_level._fields_ = [('cluster_count', c_int), ('strength', c_double), ('pattern', POINTER(rbl_pattern)), ('position', rbl_vec3d), ('rotation', rbl_quatd)]
rbl_anchor_def._fields_ = [('lowest', c_double), ('up', rbl_vec3d), ('boxes', POINTER(rbl_boxd)), ('box_count', c_int), ('material', c_char_p), ('channel', c_int), ('cookie', c_uint32)]
rbl_compound_def._fields_ = [('parts', POINTER(rbl_compound_part)), ('part_count', c_int), ('mesh', POINTER(rbl_mesh)), ('pattern', POINTER(rbl_pattern)), ('position', rbl_vec3d), ('fit', c_int), ('inner', rbl_inner_look), ('tolerance', c_double), ('cut_limit', c_int), ('materials', POINTER(POINTER(rbl_material))), ('material_count', c_int), ('paint', rbl_strength_paint), ('jobs', POINTER(rbl_jobs)), ('allocator', rbl_allocator), ('cookie', c_uint32)]
rbl_compound_info._fields_ = [('part_count', c_int), ('part_end', c_int), ('bond_count', c_int), ('anchored_count', c_int), ('approximate_count', c_int), ('material_count', c_int)]
rbl_compound_bond._fields_ = [('other', c_int), ('face', c_int), ('other_face', c_int), ('area', c_double), ('centre', rbl_vec3d), ('strength', c_double), ('damage', c_double)]
rbl_break_def._fields_ = [('pattern', POINTER(rbl_pattern)), ('position', rbl_vec3d), ('pattern_offset', rbl_vec3d), ('shape', rbl_mat3d), ('rotation_seed', c_uint64), ('radius', c_double), ('material', c_int), ('fit', c_int), ('inner', rbl_inner_look), ('welds', c_bool), ('cut_limit', c_int), ('jobs', POINTER(rbl_jobs)), ('cookie', c_uint32)]
rbl_break_overlap._fields_ = [('compound_a', c_int), ('part_a', c_int), ('compound_b', c_int), ('part_b', c_int)]
rbl_break_data._fields_ = [('compound_count', c_int), ('compounds', POINTER(POINTER(rbl_compound))), ('overlap_count', c_int), ('overlaps', POINTER(rbl_break_overlap)), ('touched_count', c_int), ('made_count', c_int), ('gone_count', c_int), ('gone_parts', POINTER(c_int)), ('welded_count', c_int), ('approximate_count', c_int), ('flat_count', c_int), ('flat_volume', c_double), ('cut_count', c_int), ('tested_count', c_int), ('visited_count', c_int), ('triangle_count', c_int)]
rbl_distance_field_def._fields_ = [('mesh', POINTER(rbl_mesh)), ('resolution', c_int), ('wall', c_double), ('jobs', POINTER(rbl_jobs)), ('allocator', rbl_allocator), ('cookie', c_uint32)]
rbl_distance_field_info._fields_ = [('bounds', rbl_box), ('cell_size', c_float), ('surface_error', c_float), ('largest_error', c_float), ('bytes', c_size_t), ('brick_counts', (c_int * 3))]
rbl_cell_union._fields_ = [('cell_count', c_int), ('plane_starts', POINTER(c_int)), ('planes', POINTER(rbl_plane)), ('cell_boxes', POINTER(rbl_box)), ('polygon_count', c_int), ('corner_starts', POINTER(c_int)), ('corners', POINTER(rbl_vec3))]
rbl_triangle_list._fields_ = [('corners', POINTER(rbl_vec3)), ('triangle_count', c_int)]
rbl_fragment_field_def._fields_ = [('original', POINTER(rbl_distance_field)), ('without_original', c_bool), ('transform', rbl_transform), ('box', rbl_box), ('planes', POINTER(rbl_plane)), ('plane_count', c_int), ('unions', POINTER(rbl_cell_union)), ('union_count', c_int), ('surface', rbl_triangle_list), ('others', rbl_triangle_list), ('allocator', rbl_allocator), ('cookie', c_uint32)]
rbl_prepare_def._fields_ = [('nodes', POINTER(rbl_vec3d)), ('node_count', c_int), ('tolerance', c_double), ('node_limit', c_int), ('hull_vertices', c_int), ('inner', rbl_inner_look), ('materials', POINTER(POINTER(rbl_material))), ('material_count', c_int), ('seed', c_uint64), ('field_resolution', c_int), ('field_wall', c_double), ('levels', POINTER(rbl_cluster_level)), ('level_count', c_int), ('paint', rbl_strength_paint), ('anchors', POINTER(rbl_anchor_def)), ('previous', POINTER(rbl_asset)), ('jobs', POINTER(rbl_jobs)), ('allocator', rbl_allocator), ('cookie', c_uint32)]
rbl_asset_report._fields_ = [('shell_count', c_int), ('node_count', c_int), ('part_count', c_int), ('kept_count', c_int), ('bond_count', c_int), ('overlap_count', c_int), ('ghost_count', c_int), ('covered_count', c_int), ('is_ghost_limited', c_bool), ('mesh_volume', c_double), ('visual_volume', c_double), ('convex_volume', c_double), ('mass_volume', c_double), ('worst_ratio', c_double), ('stop', c_int), ('loose_count', c_int), ('key', c_uint64)]
rbl_ghost._fields_ = [('convex', POINTER(rbl_convex)), ('sign', c_int), ('part_count', c_int), ('first_part', c_int), ('last_part', c_int)]
rbl_bending_def._fields_ = [('step_count', c_int), ('max_stretch', c_double), ('cookie', c_uint32)]
rbl_filter._fields_ = [('category', c_uint32), ('mask', c_uint32), ('group', c_int32)]
rbl_proxy_id._fields_ = [('slot_plus_one', c_uint32), ('generation', c_uint32)]
rbl_proxy_def._fields_ = [('box', rbl_box), ('filter', rbl_filter), ('is_static', c_bool), ('user', c_uint64)]
rbl_bsp_settings._fields_ = [('direction_count', c_int), ('split_threshold', c_int), ('merge_threshold', c_int), ('min_balance', c_float), ('max_redundancy', c_float), ('evaluation_interval', c_int), ('event_capacity', c_int), ('event_divisor', c_int), ('height_limit', c_int)]
rbl_broadphase_def._fields_ = [('kind', c_int), ('capacity_hint', c_int), ('work_budget', c_int), ('margin', c_float), ('bsp', rbl_bsp_settings), ('jobs', POINTER(rbl_jobs)), ('allocator', rbl_allocator), ('cookie', c_uint32)]
rbl_pair._fields_ = [('a', c_uint32), ('b', c_uint32)]
rbl_pair_list._fields_ = [('pairs', POINTER(rbl_pair)), ('count', c_int)]
rbl_broadphase_result._fields_ = [('runs', POINTER(rbl_pair_list)), ('run_count', c_int), ('pair_count', c_int), ('begun', rbl_pair_list), ('ended', rbl_pair_list), ('was_reset', c_bool)]
rbl_broadphase_stats._fields_ = [('proxies', c_int), ('static_proxies', c_int), ('leaves', c_int), ('depth', c_int), ('redundancy', c_double), ('splits', c_int64), ('shift_splits', c_int64), ('merges', c_int64), ('balances', c_int64), ('swaps', c_int64), ('rebuilds', c_int64), ('events_waiting', c_int), ('events_deferred', c_int64), ('work', c_int64), ('update_ms', c_double), ('pairs_ms', c_double), ('adjust_ms', c_double), ('bytes', c_size_t)]
rbl_damage_level._fields_ = [('energy', c_double), ('pattern', POINTER(rbl_pattern)), ('radius', c_double)]
rbl_damage_rule._fields_ = [('levels', POINTER(rbl_damage_level)), ('level_count', c_int), ('radius_limit', c_double), ('min_size', c_double), ('dust_size', c_double), ('bend_energy', c_double), ('bend_depth', c_double), ('bend_radius', c_double), ('wear_energy', c_double), ('wear_exponent', c_int), ('wear_radius', c_double), ('bond_energy', c_double), ('cookie', c_uint32)]
rbl_wear_report._fields_ = [('part_count', c_int), ('bond_count', c_int), ('failed_count', c_int), ('breaks', c_bool), ('energy', c_double)]
rbl_exposed_triangle._fields_ = [('corners', (rbl_vec3d * 3)), ('normal', rbl_vec3), ('area', c_float), ('compound', c_int), ('part', c_int), ('material', c_int)]
rbl_particle_def._fields_ = [('density', c_double), ('sphere_ratio', c_double), ('min_radius', c_double), ('max_radius', c_double), ('instance_count', c_int), ('seed', c_uint64), ('cookie', c_uint32)]
rbl_particle._fields_ = [('position', rbl_vec3d), ('normal', rbl_vec3), ('radius', c_float), ('instance', c_int), ('triangle', c_int)]
rbl_dust_fragment._fields_ = [('position', rbl_vec3d), ('velocity', rbl_vec3d), ('volume', c_double), ('radius', c_double)]
rbl_motion._fields_ = [('position', rbl_vec3d), ('velocity', rbl_vec3d), ('angular_velocity', rbl_vec3d)]
rbl_material_values._fields_ = [('friction', c_float), ('restitution', c_float), ('density', c_float), ('rolling_resistance', c_float), ('spinning_resistance', c_float), ('surface_velocity', rbl_vec3), ('user', c_uint64)]
rbl_bond_strengths._fields_ = [('tension', c_double), ('shear', c_double), ('compression', c_double)]
rbl_debris_rule._fields_ = [('kind', c_int), ('density', c_double), ('min_radius', c_double), ('max_radius', c_double), ('limit', c_int), ('lifetime', c_float), ('speed', c_float), ('dust_density', c_double)]
rbl_material_def._fields_ = [('values', rbl_material_values), ('damage', rbl_damage_rule), ('strengths', rbl_bond_strengths), ('placement', c_int), ('frame', rbl_quatd), ('frame_origin', rbl_vec3d), ('shape', rbl_mat3d), ('inner', rbl_inner_look), ('fit', c_int), ('welds', c_bool), ('cut_limit', c_int), ('debris', rbl_debris_rule), ('name', c_char_p), ('allocator', rbl_allocator), ('cookie', c_uint32)]
rbl_collider_child._fields_ = [('collider', POINTER(rbl_collider)), ('pose', rbl_transform), ('material', POINTER(rbl_material)), ('filter', rbl_filter), ('user', c_uint64), ('is_sensor', c_bool)]
rbl_collider_def._fields_ = [('kind', c_int), ('a', rbl_vec3), ('b', rbl_vec3), ('radius', c_float), ('rounding', c_float), ('half_size', rbl_vec3), ('convex', POINTER(rbl_convex)), ('origin', rbl_vec3d), ('mesh', POINTER(rbl_mesh)), ('materials', POINTER(POINTER(rbl_material))), ('material_count', c_int), ('cell_materials', POINTER(c_uint8)), ('children', POINTER(rbl_collider_child)), ('child_count', c_int), ('heights', POINTER(c_float)), ('column_count', c_int), ('row_count', c_int), ('cell_size', c_float), ('allocator', rbl_allocator), ('cookie', c_uint32)]
rbl_manifold_point._fields_ = [('position', rbl_vec3), ('separation', c_float), ('id', c_uint32)]
rbl_manifold._fields_ = [('normal', rbl_vec3), ('point_count', c_int), ('points', (rbl_manifold_point * 4)), ('child_a', c_int), ('child_b', c_int)]
rbl_manifolds._fields_ = [('manifolds', POINTER(rbl_manifold)), ('count', c_int)]
rbl_separation._fields_ = [('distance', c_float), ('normal', rbl_vec3), ('point_a', rbl_vec3), ('point_b', rbl_vec3), ('child_a', c_int), ('child_b', c_int)]
rbl_cast_hit._fields_ = [('fraction', c_float), ('point', rbl_vec3), ('normal', rbl_vec3), ('child', c_int), ('is_hit', c_bool)]
rbl_field_shape_def._fields_ = [('field', POINTER(rbl_distance_field)), ('mesh', POINTER(rbl_mesh)), ('origin', rbl_vec3d), ('crease_angle', c_float), ('spacing', c_float), ('positions', POINTER(rbl_vec3)), ('count', c_int), ('ids', POINTER(c_uint32)), ('allocator', rbl_allocator), ('cookie', c_uint32)]
rbl_field_shape_info._fields_ = [('bounds', rbl_box), ('point_count', c_int), ('bytes', c_size_t)]
rbl_field_side._fields_ = [('shape', POINTER(rbl_field_shape)), ('pose', rbl_transform), ('velocity', rbl_vec3), ('angular_velocity', rbl_vec3), ('collider', POINTER(rbl_collider))]
rbl_field_contact_settings._fields_ = [('selection', c_int), ('tolerance', c_float), ('margin', c_float), ('dt', c_float), ('touching', c_float), ('deep', c_float), ('point_count', c_int), ('gather_count', c_int), ('visit_budget', c_int)]
rbl_field_contact_memory._fields_ = [('ids', (c_uint32 * 12)), ('ranks', (c_int32 * 12)), ('count', c_int32), ('wanted', (c_int32 * 2)), ('normals', (rbl_vec3 * 12)), ('separations', (c_float * 12))]
rbl_field_contact._fields_ = [('position', rbl_vec3), ('normal', rbl_vec3), ('separation', c_float), ('id', c_uint32), ('child', c_int)]
rbl_field_contact_list._fields_ = [('points', POINTER(rbl_field_contact)), ('point_count', c_int), ('manifolds', POINTER(rbl_manifold)), ('manifold_count', c_int), ('visited', (c_int * 2)), ('found', (c_int * 2)), ('has_stopped', (c_bool * 2))]
rbl_crack_polygon._fields_ = [('corners', POINTER(rbl_vec3)), ('corner_count', c_int), ('normal', rbl_vec3), ('b_in_a', rbl_transform), ('first_id', c_uint32)]
rbl_body_id._fields_ = [('index', c_uint32), ('generation', c_uint32)]
rbl_body_def._fields_ = [('kind', c_int), ('pose', rbl_transform), ('velocity', rbl_vec3), ('angular_velocity', rbl_vec3), ('collider', POINTER(rbl_collider)), ('convex', POINTER(rbl_convex)), ('compound', POINTER(rbl_compound)), ('asset', POINTER(rbl_asset)), ('mesh', POINTER(rbl_mesh)), ('contact_method', c_int), ('field_shape', POINTER(rbl_field_shape)), ('original_field', POINTER(rbl_distance_field)), ('material', rbl_material_values), ('shared_material', POINTER(rbl_material)), ('filter', rbl_filter), ('mass', POINTER(rbl_mass)), ('linear_damping', c_float), ('angular_damping', c_float), ('gravity_scale', c_float), ('locks', c_uint32), ('is_sensor', c_bool), ('can_sleep', c_bool), ('is_awake', c_bool), ('is_enabled', c_bool), ('is_bullet', c_bool), ('modifies_contacts', c_bool), ('user', c_uint64), ('cookie', c_uint32)]
rbl_body_state._fields_ = [('kind', c_int), ('pose', rbl_transform), ('centre', rbl_vec3), ('velocity', rbl_vec3), ('angular_velocity', rbl_vec3), ('is_awake', c_bool), ('is_enabled', c_bool), ('is_sensor', c_bool), ('is_bullet', c_bool), ('can_sleep', c_bool), ('modifies_contacts', c_bool), ('user', c_uint64)]
rbl_body_mass._fields_ = [('mass', c_float), ('centre', rbl_vec3), ('inertia', rbl_mat3)]
rbl_body_part._fields_ = [('collider', POINTER(rbl_collider)), ('pose', rbl_transform), ('part', c_int), ('material', rbl_material_values), ('shared_material', POINTER(rbl_material)), ('filter', rbl_filter), ('user', c_uint64), ('is_sensor', c_bool)]
rbl_baked_fragment._fields_ = [('part', c_int), ('compound', POINTER(rbl_compound)), ('pose', rbl_transform), ('mass', c_float), ('user', c_uint64), ('fragment', c_uint32)]
rbl_impact._fields_ = [('time', c_double), ('weights', (c_double * 3)), ('normal', rbl_vec3d), ('is_hit', c_bool), ('is_contact_at_start', c_bool), ('is_certified', c_bool)]
rbl_closest._fields_ = [('distance', c_double), ('rounding', c_double), ('weights', (c_double * 4)), ('corners', c_uint), ('points', (rbl_vec3d * 2)), ('direction', rbl_vec3d)]
rbl_chip._fields_ = [('body', rbl_body_id), ('kind', c_int), ('variant', c_int), ('radius', c_float), ('time_left', c_float)]
rbl_compound_field_def._fields_ = [('compound', POINTER(rbl_compound)), ('original', POINTER(rbl_distance_field)), ('others', POINTER(POINTER(rbl_compound))), ('other_count', c_int), ('transform', rbl_transform), ('allocator', rbl_allocator), ('cookie', c_uint32)]
rbl_tets_def._fields_ = [('vertex_count', c_int), ('positions', POINTER(rbl_vec3d)), ('tet_count', c_int), ('tet_vertices', POINTER(c_int)), ('mend_orientation', c_bool), ('allocator', rbl_allocator), ('cookie', c_uint32)]
rbl_tets_data._fields_ = [('vertex_count', c_int), ('positions', POINTER(rbl_vec3d)), ('tet_count', c_int), ('tet_vertices', POINTER(c_int)), ('tet_neighbors', POINTER(c_int)), ('boundary_vertex_count', c_int), ('boundary_vertices', POINTER(c_int)), ('boundary_face_count', c_int), ('boundary_triangles', POINTER(c_int)), ('boundary_tets', POINTER(c_int))]
rbl_tets_quality._fields_ = [('smallest_angle', c_double), ('largest_angle', c_double), ('volume', c_double), ('smallest_volume', c_double), ('shortest_edge', c_double), ('longest_edge', c_double)]
rbl_fill_def._fields_ = [('mesh', POINTER(rbl_mesh)), ('edge_length', c_double), ('loss_tolerance', c_double), ('refine_limit', c_int), ('allow_loss', c_bool), ('allocator', rbl_allocator), ('cookie', c_uint32)]
rbl_fill_report._fields_ = [('edge_length', c_double), ('refine_count', c_int), ('tet_count', c_int), ('smallest_angle', c_double), ('largest_angle', c_double), ('volume', c_double), ('mesh_volume', c_double), ('boundary_distance', c_double), ('mesh_distance', c_double), ('lost_count', c_int), ('lost_position', rbl_vec3d), ('topology_differs', c_bool)]
rbl_crack_field_def._fields_ = [('tets', POINTER(rbl_tets)), ('origin', rbl_vec3d), ('grid_size', c_int), ('allocator', rbl_allocator), ('cookie', c_uint32)]
rbl_crack_cut._fields_ = [('tet', c_int), ('plane', c_int), ('back', c_int), ('front', c_int)]
rbl_crack_break._fields_ = [('fragment', c_int), ('part_count', c_int), ('node_parts', POINTER(c_int)), ('planes', POINTER(rbl_plane)), ('plane_count', c_int), ('cuts', POINTER(rbl_crack_cut)), ('cut_count', c_int), ('has_cell_planes', c_bool)]
rbl_crack_nodes._fields_ = [('node_count', c_int), ('fragments', POINTER(c_int)), ('depths', POINTER(c_float))]
rbl_cutter_def._fields_ = [('vertex_count', c_int), ('positions', POINTER(rbl_vec3d)), ('triangle_count', c_int), ('triangles', POINTER(c_int)), ('front_spacing', c_double), ('allocator', rbl_allocator), ('cookie', c_uint32)]
rbl_crack._fields_ = [('front', POINTER(rbl_vec3d)), ('front_count', c_int), ('path', POINTER(rbl_vec3d)), ('path_count', c_int)]
rbl_cut_step._fields_ = [('changed', POINTER(c_int)), ('changed_count', c_int), ('parts', POINTER(c_int)), ('sources', POINTER(c_int)), ('part_count', c_int), ('faces', POINTER(c_int)), ('face_count', c_int), ('is_through', c_bool)]
rbl_cutter_mesh._fields_ = [('vertex_count', c_int), ('positions', POINTER(rbl_vec3d)), ('triangle_count', c_int), ('triangles', POINTER(c_int)), ('twins', POINTER(c_int)), ('crack_ids', POINTER(c_int))]
rbl_joint_id._fields_ = [('index', c_uint32), ('generation', c_uint32)]
rbl_joint_def._fields_ = [('kind', c_int), ('body_a', rbl_body_id), ('body_b', rbl_body_id), ('frame_a', rbl_transform), ('frame_b', rbl_transform), ('lower_angle', c_float), ('upper_angle', c_float), ('lower_distance', c_float), ('upper_distance', c_float), ('has_limits', c_bool), ('cone_angle', c_float), ('has_cone', c_bool), ('motor_speed', c_float), ('motor_force', c_float), ('motor_torque', c_float), ('has_motor', c_bool), ('spring_hertz', c_float), ('spring_damping', c_float), ('spring_target', c_float), ('has_spring', c_bool), ('break_force', c_float), ('break_torque', c_float), ('collides', c_bool), ('user', c_uint64), ('cookie', c_uint32)]
rbl_joint_state._fields_ = [('kind', c_int), ('body_a', rbl_body_id), ('body_b', rbl_body_id), ('frame_a', rbl_transform), ('frame_b', rbl_transform), ('force', c_float), ('torque', c_float), ('angle', c_float), ('distance', c_float), ('user', c_uint64)]
rbl_contact_event._fields_ = [('body_a', rbl_body_id), ('body_b', rbl_body_id), ('part_a', c_int), ('part_b', c_int), ('material_a', POINTER(rbl_material)), ('material_b', POINTER(rbl_material))]
rbl_hit_event._fields_ = [('body_a', rbl_body_id), ('body_b', rbl_body_id), ('part_a', c_int), ('part_b', c_int), ('point', rbl_vec3), ('normal', rbl_vec3), ('speed', c_float), ('impulse', c_float), ('energy', c_float), ('material_a', POINTER(rbl_material)), ('material_b', POINTER(rbl_material))]
rbl_sleep_event._fields_ = [('body', rbl_body_id), ('is_awake', c_bool)]
rbl_sensor_event._fields_ = [('sensor', rbl_body_id), ('visitor', rbl_body_id), ('sensor_part', c_int), ('is_inside', c_bool)]
rbl_joint_event._fields_ = [('joint', rbl_joint_id), ('body_a', rbl_body_id), ('body_b', rbl_body_id), ('user', c_uint64), ('force', c_float), ('torque', c_float)]
rbl_slide_event._fields_ = [('body_a', rbl_body_id), ('body_b', rbl_body_id), ('part_a', c_int), ('part_b', c_int), ('kind', c_int), ('phase', c_int), ('material_a', POINTER(rbl_material)), ('material_b', POINTER(rbl_material)), ('material_user_a', c_uint64), ('material_user_b', c_uint64), ('point', rbl_vec3), ('normal', rbl_vec3), ('velocity', rbl_vec3), ('speed', c_float), ('impulse', c_float)]
rbl_dust_emitter._fields_ = [('position', rbl_vec3), ('normal', rbl_vec3), ('velocity', rbl_vec3), ('area', c_float), ('material', POINTER(rbl_material))]
rbl_fracture_triangle._fields_ = [('corners', (rbl_vec3 * 3)), ('normal', rbl_vec3), ('area', c_float), ('velocity', rbl_vec3), ('body', rbl_body_id), ('part', c_int), ('material', POINTER(rbl_material))]
rbl_fracture_event._fields_ = [('parent', rbl_body_id), ('survives', c_bool), ('user', c_uint64), ('cause', c_int), ('other', rbl_body_id), ('new_bodies', POINTER(rbl_body_id)), ('new_count', c_int), ('dust', POINTER(rbl_dust_fragment)), ('dust_count', c_int), ('parts', POINTER(c_int)), ('part_count', c_int), ('chips', POINTER(rbl_chip)), ('emitters', POINTER(rbl_dust_emitter)), ('chip_count', c_int), ('emitter_count', c_int), ('lost_mass', c_float), ('impulse', c_float), ('point', rbl_vec3), ('normal', rbl_vec3), ('material', c_int), ('made_of', POINTER(rbl_material)), ('energy', c_float), ('radius', c_float), ('exposed_area', c_float), ('seed', c_uint64)]
rbl_retire_event._fields_ = [('body', rbl_body_id), ('what', c_int), ('user', c_uint64), ('host', rbl_body_id), ('part', c_int), ('pose', rbl_transform), ('mass', c_float)]
rbl_events._fields_ = [('begins', POINTER(rbl_contact_event)), ('ends', POINTER(rbl_contact_event)), ('hits', POINTER(rbl_hit_event)), ('sensors', POINTER(rbl_sensor_event)), ('sleeps', POINTER(rbl_sleep_event)), ('joints', POINTER(rbl_joint_event)), ('fractures', POINTER(rbl_fracture_event)), ('retires', POINTER(rbl_retire_event)), ('slides', POINTER(rbl_slide_event)), ('begin_count', c_int), ('end_count', c_int), ('hit_count', c_int), ('sensor_count', c_int), ('sleep_count', c_int), ('joint_count', c_int), ('fracture_count', c_int), ('retire_count', c_int), ('slide_count', c_int), ('lost_count', c_int)]
rbl_move_event._fields_ = [('body', rbl_body_id), ('pose', rbl_transform), ('user', c_uint64)]
rbl_contact_change._fields_ = [('body_a', rbl_body_id), ('body_b', rbl_body_id), ('part_a', c_int), ('part_b', c_int), ('manifold', rbl_manifold), ('friction', c_float), ('restitution', c_float), ('surface_velocity', rbl_vec3), ('is_enabled', c_bool)]
rbl_world_def._fields_ = [('gravity', rbl_vec3), ('substep_count', c_int), ('can_sleep', c_bool), ('detects_only', c_bool), ('length_scale', c_float), ('hit_speed', c_float), ('restitution_speed', c_float), ('capacity_hint', c_int), ('budget', c_int), ('body_limit', c_int), ('debris_limit', c_int), ('freeze_time', c_float), ('bake_time', c_float), ('keeps_exposed_triangles', c_bool), ('chip_limit', c_int), ('should_collide', rbl_pair_function), ('modify_contact', rbl_contact_function), ('slide_speed', c_float), ('user', c_void_p), ('jobs', POINTER(rbl_jobs)), ('allocator', rbl_allocator), ('cookie', c_uint32)]
rbl_explosion._fields_ = [('position', rbl_vec3), ('radius', c_float), ('falloff', c_float), ('impulse_per_area', c_float), ('mask', c_uint32), ('energy', c_float), ('is_occluded', c_bool)]
rbl_damage_def._fields_ = [('shape', c_int), ('position', rbl_vec3), ('translation', rbl_vec3), ('radius', c_float), ('falloff', c_float), ('energy', c_float), ('impulse', c_float), ('mask', c_uint32), ('is_occluded', c_bool), ('cookie', c_uint32)]
rbl_contact._fields_ = [('body_a', rbl_body_id), ('body_b', rbl_body_id), ('manifold', rbl_manifold), ('friction', c_float), ('restitution', c_float), ('impulse', c_float)]
rbl_world_hit._fields_ = [('body', rbl_body_id), ('part', c_int), ('fraction', c_float), ('point', rbl_vec3), ('normal', rbl_vec3), ('distance', c_float)]
rbl_collider_cast._fields_ = [('collider', POINTER(rbl_collider)), ('pose', rbl_transform), ('translation', rbl_vec3), ('filter', POINTER(rbl_filter))]
rbl_draw._fields_ = [('line', CFUNCTYPE(None, c_void_p, rbl_vec3, rbl_vec3, c_uint32)), ('point', CFUNCTYPE(None, c_void_p, rbl_vec3, c_float, c_uint32)), ('user', c_void_p), ('flags', c_uint32), ('box', rbl_box)]
rbl_world_stats._fields_ = [('body_count', c_int), ('awake_count', c_int), ('static_count', c_int), ('part_count', c_int), ('pair_count', c_int), ('active_count', c_int), ('touching_count', c_int), ('point_count', c_int), ('joint_count', c_int), ('debris_count', c_int), ('chip_count', c_int), ('baked_count', c_int), ('breaking_count', c_int), ('fracture_work', c_int), ('stress_work', c_int), ('budget_left', c_int), ('apart_count', c_int), ('reused_count', c_int), ('refreshed_count', c_int), ('searched_count', c_int), ('begin_count', c_int), ('end_count', c_int), ('cast_count', c_int), ('color_count', c_int), ('step_ms', c_double), ('broadphase_ms', c_double), ('pairs_ms', c_double), ('narrow_ms', c_double), ('contacts_ms', c_double), ('solver_ms', c_double), ('finish_ms', c_double), ('fracture_ms', c_double), ('stress_ms', c_double), ('debris_ms', c_double), ('failed_bond_count', c_int64), ('lost_count', c_int64), ('capped_pair_count', c_int64), ('rescued_count', c_int64), ('ejection_clamp_count', c_int64), ('bytes', c_size_t), ('body_bytes', c_size_t), ('step_count', c_int64)]
rbl_sources._fields_ = [('assets', POINTER(POINTER(rbl_asset))), ('asset_count', c_int), ('patterns', POINTER(POINTER(rbl_pattern))), ('pattern_count', c_int), ('materials', POINTER(POINTER(rbl_material))), ('material_count', c_int), ('find_asset', CFUNCTYPE(POINTER(rbl_asset), c_void_p, c_uint64)), ('find_pattern', CFUNCTYPE(POINTER(rbl_pattern), c_void_p, c_uint64)), ('user', c_void_p), ('cookie', c_uint32)]
rbl_hull_def._fields_ = [('point_count', c_int), ('points', POINTER(rbl_vec3d)), ('allocator', rbl_allocator), ('cookie', c_uint32)]
rbl_hull_data._fields_ = [('vertex_count', c_int), ('positions', POINTER(rbl_vec3d)), ('point_indices', POINTER(c_int)), ('face_count', c_int), ('corner_count', c_int), ('face_starts', POINTER(c_int)), ('corner_vertices', POINTER(c_int)), ('planes', POINTER(rbl_planed))]
rbl_outer_hull_def._fields_ = [('point_count', c_int), ('points', POINTER(rbl_vec3d)), ('vertex_count', c_int), ('keeps_directions', c_bool), ('plane_limit', c_int), ('allocator', rbl_allocator), ('cookie', c_uint32)]
rbl_outer_hull_data._fields_ = [('chosen_count', c_int), ('chosen', POINTER(c_int)), ('plane_count', c_int), ('planes', POINTER(rbl_planed)), ('vertex_count', c_int), ('vertices', POINTER(rbl_vec3d)), ('face_starts', POINTER(c_int)), ('corner_vertices', POINTER(c_int)), ('volume', c_double)]
rbl_scene_node._fields_ = [('name', c_char_p), ('mesh', c_int), ('parent', c_int), ('translation', rbl_vec3), ('rotation', rbl_quat), ('scale', rbl_vec3), ('matrix', POINTER(c_float)), ('camera', c_int), ('extensions', c_char_p), ('extras', c_char_p), ('instance_count', c_int), ('instance_translations', POINTER(rbl_vec3)), ('instance_rotations', POINTER(rbl_quat)), ('instance_scales', POINTER(rbl_vec3))]
rbl_texture_use._fields_ = [('texture', c_int), ('uv_set', c_int), ('factor', c_float), ('extensions', c_char_p), ('extras', c_char_p)]
rbl_scene_material._fields_ = [('name', c_char_p), ('base_color', rbl_vec4), ('metallic', c_float), ('roughness', c_float), ('emissive', rbl_vec3), ('alpha_mode', c_int), ('alpha_cutoff', c_float), ('is_double_sided', c_bool), ('base_color_texture', rbl_texture_use), ('metallic_roughness_texture', rbl_texture_use), ('normal_texture', rbl_texture_use), ('occlusion_texture', rbl_texture_use), ('emissive_texture', rbl_texture_use), ('extensions', c_char_p), ('extras', c_char_p)]
rbl_scene_texture._fields_ = [('name', c_char_p), ('image', c_int), ('sampler', c_int), ('extensions', c_char_p), ('extras', c_char_p)]
rbl_scene_sampler._fields_ = [('name', c_char_p), ('mag_filter', c_int), ('min_filter', c_int), ('wrap_s', c_int), ('wrap_t', c_int), ('extras', c_char_p)]
rbl_scene_image._fields_ = [('name', c_char_p), ('mime_type', c_char_p), ('bytes', c_void_p), ('size', c_size_t), ('extras', c_char_p)]
rbl_scene_slot._fields_ = [('extensions', c_char_p), ('extras', c_char_p)]
rbl_scene_label._fields_ = [('name', c_char_p), ('extras', c_char_p), ('slots', POINTER(rbl_scene_slot))]
rbl_scene_track._fields_ = [('node', c_int), ('path', c_int), ('has_steps', c_bool), ('key_count', c_int), ('times', POINTER(c_float)), ('values', POINTER(c_float)), ('is_short', c_bool)]
rbl_scene_animation._fields_ = [('name', c_char_p), ('track_count', c_int), ('tracks', POINTER(rbl_scene_track)), ('extras', c_char_p)]
rbl_scene._fields_ = [('mesh_count', c_int), ('meshes', POINTER(POINTER(rbl_mesh))), ('node_count', c_int), ('nodes', POINTER(rbl_scene_node)), ('animation_count', c_int), ('animations', POINTER(rbl_scene_animation)), ('mesh_labels', POINTER(rbl_scene_label)), ('material_count', c_int), ('materials', POINTER(rbl_scene_material)), ('texture_count', c_int), ('textures', POINTER(rbl_scene_texture)), ('sampler_count', c_int), ('samplers', POINTER(rbl_scene_sampler)), ('image_count', c_int), ('images', POINTER(rbl_scene_image)), ('camera_count', c_int), ('cameras', POINTER(c_char_p)), ('name', c_char_p), ('copyright', c_char_p), ('extensions', c_char_p), ('extras', c_char_p), ('file_extras', c_char_p), ('asset_extras', c_char_p)]
rbl_read_def._fields_ = [('format', c_int), ('up', c_int), ('scale', c_double), ('is_left_handed', c_bool), ('keep_seams', c_bool), ('instance_limit', c_int64), ('name', c_char_p), ('folder', c_char_p), ('allow_outside', c_bool), ('size_limit', c_uint64), ('within', c_char_p), ('keep_sources', c_bool), ('material_offset', c_int), ('allocator', rbl_allocator), ('cookie', c_uint32)]
rbl_tet_arrays._fields_ = [('vertex_count', c_int), ('positions', POINTER(rbl_vec3d)), ('tet_count', c_int), ('tet_vertices', POINTER(c_int)), ('allocator', rbl_allocator)]
rbl_write_def._fields_ = [('format', c_int), ('as_text', c_bool), ('single_precision', c_bool), ('is_quantized', c_bool), ('merges_parts', c_bool), ('has_instances', c_bool), ('name', c_char_p), ('allocator', rbl_allocator), ('cookie', c_uint32)]
rbl_file_bytes._fields_ = [('data', POINTER(c_ubyte)), ('size', c_size_t), ('capacity', c_size_t), ('allocator', rbl_allocator)]
rbl_film_def._fields_ = [('position_tolerance', c_float), ('size_tolerance', c_float), ('has_long_rotations', c_bool), ('allocator', rbl_allocator), ('cookie', c_uint32)]
rbl_film_info._fields_ = [('mesh_count', c_int), ('object_count', c_int), ('frame_count', c_int), ('pose_count', c_int64), ('key_count', c_int64), ('time', c_float)]
rbl_json_source._fields_ = [('text', c_char_p), ('size', c_size_t)]
rbl_surface_body_id._fields_ = [('index', c_uint32), ('generation', c_uint32)]
rbl_surface_costs._fields_ = [('box_test', c_float), ('build_cluster', c_float)]
rbl_surface_def._fields_ = [('culling', c_int), ('restructuring', c_int), ('builder', c_int), ('grid_leaves', c_int), ('restructure_share', c_float), ('certificate_share', c_float), ('thickness', c_float), ('costs', rbl_surface_costs), ('jobs', POINTER(rbl_jobs)), ('allocator', rbl_allocator), ('cookie', c_uint32)]
rbl_surface_filter._fields_ = [('categories', c_uint32), ('mask', c_uint32), ('is_static', c_bool), ('ignores_itself', c_bool)]
rbl_surface_positions._fields_ = [('data', c_void_p), ('stride', c_size_t), ('is_double', c_bool)]
rbl_surface_body_def._fields_ = [('vertex_count', c_int), ('positions', POINTER(rbl_vec3)), ('input', rbl_surface_positions), ('rest_positions', POINTER(rbl_vec3)), ('triangle_count', c_int), ('triangles', POINTER(c_int)), ('edge_count', c_int), ('edges', POINTER(c_int)), ('point_count', c_int), ('points', POINTER(c_int)), ('thickness', c_float), ('filter', rbl_surface_filter), ('keeps_rest_shape', c_bool), ('vertex_user_ids', POINTER(c_int)), ('triangle_user_ids', POINTER(c_int)), ('user_id', c_uint64), ('cookie', c_uint32)]
rbl_surface_pair._fields_ = [('a', c_int), ('b', c_int)]
rbl_surface_split_def._fields_ = [('piece_count', c_int), ('labels', POINTER(c_int)), ('vertex_count', c_int), ('positions', POINTER(rbl_vec3)), ('rest_positions', POINTER(rbl_vec3)), ('triangle_count', c_int), ('triangles', POINTER(c_int)), ('triangle_labels', POINTER(c_int)), ('cookie', c_uint32)]
rbl_surface_pairs._fields_ = [('pairs', POINTER(rbl_surface_pair)), ('count', c_int)]
rbl_surface_hit._fields_ = [('kind', c_int), ('a', c_int), ('b', c_int), ('time', c_float), ('is_at_start', c_bool), ('is_parting', c_bool), ('u', c_float), ('v', c_float), ('normal', rbl_vec3)]
rbl_surface_hits._fields_ = [('hits', POINTER(rbl_surface_hit)), ('count', c_int)]
rbl_surface_near_pair._fields_ = [('kind', c_int), ('a', c_int), ('b', c_int), ('nearest', c_int), ('is_repeated', c_bool), ('side', c_int8), ('time', c_float), ('distance', c_float), ('u', c_float), ('v', c_float), ('points', (rbl_vec3 * 2)), ('direction', rbl_vec3)]
rbl_surface_near_pairs._fields_ = [('pairs', POINTER(rbl_surface_near_pair)), ('count', c_int)]
rbl_surface_names._fields_ = [('bodies', (rbl_surface_body_id * 2)), ('body_user_ids', (c_uint64 * 2)), ('vertices', (c_int * 6)), ('triangles', (c_int * 2))]
rbl_surface_name_list._fields_ = [('names', POINTER(rbl_surface_names)), ('count', c_int)]
rbl_surface_range._fields_ = [('a', rbl_surface_body_id), ('b', rbl_surface_body_id), ('begin', c_int), ('count', c_int)]
rbl_surface_ranges._fields_ = [('ranges', POINTER(rbl_surface_range)), ('range_count', c_int), ('order', POINTER(c_int)), ('count', c_int)]
rbl_surface_segment._fields_ = [('points', (rbl_vec3d * 2)), ('is_point', c_bool)]
rbl_surface_segments._fields_ = [('segments', POINTER(rbl_surface_segment)), ('count', c_int)]
rbl_surface_data._fields_ = [('vertex_end', c_int), ('triangle_end', c_int), ('starts', POINTER(rbl_vec3)), ('ends', POINTER(rbl_vec3)), ('triangles', POINTER(c_int)), ('twins', POINTER(c_int)), ('origins', POINTER(c_int)), ('vertex_user_ids', POINTER(c_int)), ('triangle_user_ids', POINTER(c_int))]
rbl_surface_body_data._fields_ = [('vertex_count', c_int), ('vertices', POINTER(c_int)), ('triangle_count', c_int), ('triangles', POINTER(c_int))]
rbl_surface_place._fields_ = [('body', rbl_surface_body_id), ('place', c_int)]
rbl_surface_map._fields_ = [('vertices', POINTER(rbl_surface_place)), ('triangles', POINTER(rbl_surface_place))]
rbl_surface_stats._fields_ = [('body_count', c_int), ('vertex_count', c_int), ('triangle_count', c_int), ('cluster_count', c_int), ('memory', c_size_t), ('fitted_nodes', c_int64), ('rebuilt_trees', c_int64), ('rebuilt_clusters', c_int64), ('box_tests', c_int64), ('cluster_tests', c_int64), ('normal_passes', c_int64), ('contour_tests', c_int64), ('culled_nodes', c_int64), ('culled_triangles', c_int64), ('candidates', c_int64), ('fan_culled', c_int64), ('tests', c_int64), ('false_tests', c_int64), ('self_cost', c_double), ('change_ns', c_uint64), ('update_ns', c_uint64), ('query_ns', c_uint64)]
rbl_obstacles_def._fields_ = [('shape', c_int), ('categories', c_uint32), ('filter', rbl_surface_filter), ('thickness', c_float), ('plane_reach', c_float), ('allocator', rbl_allocator), ('cookie', c_uint32)]
rbl_obstacle._fields_ = [('body', rbl_body_id), ('part', c_int)]
rbl_obstacles_stats._fields_ = [('body_count', c_int), ('part_count', c_int), ('triangle_count', c_int), ('added_count', c_int), ('removed_count', c_int), ('moved_count', c_int)]
rbl_picture_def._fields_ = [('time', c_float), ('width', c_int), ('height', c_int), ('view', rbl_vec3), ('frame', rbl_box), ('camera_position', rbl_vec3), ('camera_target', rbl_vec3), ('camera_angle', c_float), ('has_ground', c_bool), ('allocator', rbl_allocator), ('cookie', c_uint32)]
rbl_preset_level._fields_ = [('energy', c_double), ('radius', c_double), ('pattern', rbl_pattern_def)]
rbl_preset_def._fields_ = [('material', rbl_material_def), ('levels', (rbl_preset_level * 4)), ('level_count', c_int), ('look', rbl_mesh_material), ('inner_color', rbl_vec4), ('cookie', c_uint32)]
rbl_recording_def._fields_ = [('write', rbl_write_function), ('user', c_void_p), ('embeds_assets', c_bool), ('cookie', c_uint32)]
rbl_replay_report._fields_ = [('is_over', c_bool), ('step', c_int64), ('recorded_hash', c_uint64), ('hash', c_uint64), ('differs', c_bool)]
rbl_box_def._fields_ = [('size', rbl_vec3d), ('subdivisions', c_int), ('allocator', rbl_allocator), ('cookie', c_uint32)]
rbl_icosphere_def._fields_ = [('radius', c_double), ('subdivisions', c_int), ('allocator', rbl_allocator), ('cookie', c_uint32)]
rbl_cylinder_def._fields_ = [('radius', c_double), ('height', c_double), ('segments', c_int), ('rows', c_int), ('allocator', rbl_allocator), ('cookie', c_uint32)]
rbl_tube_def._fields_ = [('radius', c_double), ('height', c_double), ('wall', c_double), ('segments', c_int), ('rows', c_int), ('allocator', rbl_allocator), ('cookie', c_uint32)]
rbl_torus_def._fields_ = [('radius', c_double), ('thickness', c_double), ('segments', c_int), ('sides', c_int), ('allocator', rbl_allocator), ('cookie', c_uint32)]
rbl_plate_def._fields_ = [('radius', c_double), ('height', c_double), ('wall', c_double), ('segments', c_int), ('allocator', rbl_allocator), ('cookie', c_uint32)]
rbl_vase_def._fields_ = [('radius', c_double), ('height', c_double), ('wall', c_double), ('segments', c_int), ('rows', c_int), ('allocator', rbl_allocator), ('cookie', c_uint32)]
rbl_mug_def._fields_ = [('radius', c_double), ('height', c_double), ('wall', c_double), ('detail', c_int), ('allocator', rbl_allocator), ('cookie', c_uint32)]
rbl_piggy_bank_def._fields_ = [('length', c_double), ('wall', c_double), ('slot_length', c_double), ('slot_width', c_double), ('detail', c_int), ('allocator', rbl_allocator), ('cookie', c_uint32)]
rbl_column_def._fields_ = [('height', c_double), ('radius', c_double), ('taper', c_double), ('entasis', c_double), ('flutes', c_int), ('flute_depth', c_double), ('detail', c_int), ('allocator', rbl_allocator), ('cookie', c_uint32)]
rbl_arch_def._fields_ = [('span', c_double), ('pier_height', c_double), ('width', c_double), ('depth', c_double), ('segments', c_int), ('voussoirs', c_int), ('allocator', rbl_allocator), ('cookie', c_uint32)]
rbl_window_def._fields_ = [('width', c_double), ('height', c_double), ('thickness', c_double), ('frame_width', c_double), ('frame_depth', c_double), ('columns', c_int), ('rows', c_int), ('subdivisions', c_int), ('allocator', rbl_allocator), ('cookie', c_uint32)]
rbl_brick_wall_def._fields_ = [('width', c_double), ('height', c_double), ('brick', rbl_vec3d), ('gap', c_double), ('bevel', c_double), ('seed', c_uint64), ('allocator', rbl_allocator), ('cookie', c_uint32)]
rbl_arena_def._fields_ = [('length', c_double), ('width', c_double), ('bays', c_int), ('detail', c_int), ('seed', c_uint64), ('allocator', rbl_allocator), ('cookie', c_uint32)]
rbl_stress_def._fields_ = [('density', c_double), ('strengths', rbl_bond_strengths), ('tolerance', c_double), ('allocator', rbl_allocator), ('cookie', c_uint32)]
rbl_stress_load._fields_ = [('part', c_int), ('point', rbl_vec3d), ('force', rbl_vec3d)]
rbl_stress_report._fields_ = [('bond_count', c_int), ('residual', c_double), ('is_converged', c_bool), ('worst', c_double), ('overloaded_count', c_int), ('pass_count', c_int)]
rbl_bond_stress._fields_ = [('part', c_int), ('other', c_int), ('centre', rbl_vec3d), ('normal', rbl_vec3d), ('area', c_double), ('force', rbl_vec3d), ('moment', rbl_vec3d), ('tension', c_double), ('compression', c_double), ('shear', c_double), ('utilization', c_double)]
rbl_surface_crossing._fields_ = [('position', rbl_vec3d), ('edge', c_int), ('triangle', c_int), ('along', c_float)]
rbl_surface_contour._fields_ = [('bodies', (rbl_surface_body_id * 2)), ('is_closed', c_bool), ('begin', c_int), ('count', c_int), ('crossing_begin', c_int), ('crossing_count', c_int), ('has_inside', (c_bool * 2)), ('vertex_begin', (c_int * 2)), ('vertex_count', (c_int * 2)), ('triangle_begin', (c_int * 2)), ('triangle_count', (c_int * 2))]
rbl_surface_contours._fields_ = [('contours', POINTER(rbl_surface_contour)), ('count', c_int), ('triangle_pairs', POINTER(rbl_surface_pair)), ('crossings', POINTER(rbl_surface_crossing)), ('vertices', POINTER(c_int)), ('triangles', POINTER(c_int)), ('touching', POINTER(rbl_surface_pair)), ('touching_count', c_int)]
rbl_surface_overlap._fields_ = [('a', rbl_surface_body_id), ('b', rbl_surface_body_id), ('direction', rbl_vec3), ('area', c_float), ('depth', c_float), ('vertex_begin', (c_int * 2)), ('vertex_count', (c_int * 2))]
rbl_surface_overlaps._fields_ = [('overlaps', POINTER(rbl_surface_overlap)), ('count', c_int), ('vertices', POINTER(c_int))]
rbl_surface_edit_def._fields_ = [('piece_count', c_int), ('changed_count', c_int), ('changed', POINTER(c_int)), ('changed_labels', POINTER(c_int)), ('corner_count', c_int), ('corners', POINTER(c_int)), ('corner_vertices', POINTER(c_int)), ('vertex_count', c_int), ('positions', POINTER(rbl_vec3)), ('parents', POINTER(c_int)), ('weights', POINTER(c_double)), ('vertex_user_ids', POINTER(c_int)), ('triangle_count', c_int), ('triangles', POINTER(c_int)), ('triangle_labels', POINTER(c_int)), ('triangle_user_ids', POINTER(c_int)), ('cookie', c_uint32)]
rbl_surface_knife._fields_ = [('point_count', c_int), ('starts', POINTER(rbl_vec3d)), ('ends', POINTER(rbl_vec3d)), ('follows_motion', c_bool), ('tolerance', c_double), ('cookie', c_uint32)]
rbl_surface_curve._fields_ = [('point_count', c_int), ('points', POINTER(rbl_vec3d)), ('directions', POINTER(rbl_vec3d)), ('depth', c_double), ('is_closed', c_bool), ('tolerance', c_double), ('cookie', c_uint32)]
rbl_surface_cut._fields_ = [('vertex_count', c_int), ('vertices', POINTER(c_int)), ('parents', POINTER(c_int)), ('weights', POINTER(c_double))]
rbl_surface_ray_hit._fields_ = [('body', rbl_surface_body_id), ('triangle', c_int), ('fraction', c_float), ('u', c_float), ('v', c_float), ('point', rbl_vec3), ('normal', rbl_vec3)]
rbl_surface_nearest_point._fields_ = [('body', rbl_surface_body_id), ('triangle', c_int), ('distance', c_float), ('u', c_float), ('v', c_float), ('point', rbl_vec3)]
rbl_surface_tets_data._fields_ = [('tet_count', c_int), ('tet_nodes', POINTER(c_int)), ('node_count', c_int), ('node_vertices', POINTER(c_int)), ('vertex_end', c_int), ('vertex_nodes', POINTER(c_int))]
rbl_viewer_def._fields_ = [('title', c_char_p), ('report', c_char_p), ('size_limit', c_uint64), ('allocator', rbl_allocator), ('cookie', c_uint32)]
rbl_viewer_info._fields_ = [('size', c_uint64), ('is_thinned', c_bool), ('thinned', (c_char * 200))]

# name: (library, result, parameters, names of the parameters, documentation)
FUNCTIONS = {
    'rbl_result_text': ('rubble', c_char_p, [c_int],
        ['result'], 'Returns a short English sentence, never NULL, also for values that are no result. Threads: any.'),
    'rbl_version': ('rubble', c_int, [],
        [], 'Returns the version of the library that is linked, as major * 10000 + minor * 100 + patch. Threads: any.'),
    'rbl_last_error': ('rubble', c_char_p, [],
        [], "Why the last call of this thread that failed did so: a sentence that names the field, face, line or value. It explains a null id, too. Calls that succeed leave it as it was, so look at what the call returned first. Returns never NULL, empty before the first failure; valid until this thread's next call fails Threads: any."),
    'rbl_set_log': ('rubble', None, [rbl_log_function, c_void_p],
        ['function', 'user'], 'Send the log somewhere; NULL silences it. At start it is silent; in debug builds of the library errors and warnings go to stderr. Threads: before other calls, or between them.'),
    'rbl_log_text': ('rubble', None, [c_int, c_char_p],
        ['level', 'text'], 'Hand one line to the log function, if there is one: for libraries beside the core, such as rubble-io, so that a program has one log. NULL text is ignored. Threads: any.'),
    'rbl_set_assert_handler': ('rubble', None, [rbl_assert_function, c_void_p],
        ['function', 'user'], 'Watch failed inner checks; NULL restores the default, which prints to the log. Threads: before other calls, or between them.'),
    'rbl_default_mesh_def': ('rubble', rbl_mesh_def, [],
        [], 'Returns a definition of an empty mesh. Threads: any.'),
    'rbl_create_mesh': ('rubble', c_int, [POINTER(rbl_mesh_def), POINTER(POINTER(rbl_mesh))],
        ['def', 'mesh'], "Make a mesh. Any polygons are fine here, also open or degenerate ones: rbl_mesh_check() says what they are. An index out of range, a number that is not finite, a face of fewer than three corners is refused. mesh: receives the mesh, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT (the log names the face or vertex), RBL_LIMIT_REACHED, RBL_OUT_OF_MEMORY Threads: any. Cost: O(n), one allocation."),
    'rbl_destroy_mesh': ('rubble', None, [POINTER(rbl_mesh)],
        ['mesh'], 'Destroy a mesh. NULL is fine.'),
    'rbl_mesh_get_data': ('rubble', rbl_mesh_data, [POINTER(rbl_mesh)],
        ['mesh'], 'Returns the arrays of a mesh; they live as long as it does. face_starts is never NULL. Threads: any.'),
    'rbl_mesh_bounds': ('rubble', rbl_boxd, [POINTER(rbl_mesh)],
        ['mesh'], 'Returns the box around all positions; empty for a mesh without any. Threads: any.'),
    'rbl_mesh_get_mass': ('rubble', rbl_mass, [POINTER(rbl_mesh)],
        ['mesh'], 'Returns volume, centre and inertia of the closed mesh at density 1; for an open mesh the numbers mean little. Threads: any. Cost: O(n).'),
    'rbl_mesh_triangulate': ('rubble', c_int, [POINTER(rbl_mesh), POINTER(c_int), POINTER(c_int)],
        ['mesh', 'triangles', 'faces'], 'Split every face into triangles: exactly for any simple polygon, convex or not. Two faces that have two vertices in common, but no edge there, are not both cut along them wherever one can be cut another way: what is closed and manifold stays so. triangles: receives 3 corner indices per triangle, face by face; space for rbl_mesh_triangle_count() triangles faces: receives the face of each triangle, or NULL Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY Threads: any. Cost: O(n) for triangles and quads, O(k log k) for a face of k corners.'),
    'rbl_mesh_triangle_count': ('rubble', c_int, [POINTER(rbl_mesh)],
        ['mesh'], 'Returns corner_count - 2 * face_count. Threads: any.'),
    'rbl_mesh_check': ('rubble', c_int, [POINTER(rbl_mesh), POINTER(rbl_mesh_report)],
        ['mesh', 'report'], 'Look at a mesh. Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY Threads: any. Cost: O(n log n).'),
    'rbl_default_mesh_repair_def': ('rubble', rbl_mesh_repair_def, [],
        [], 'Returns a definition that makes a mesh that can be broken. Threads: any.'),
    'rbl_mesh_repair': ('rubble', c_int, [POINTER(rbl_mesh), POINTER(rbl_mesh_repair_def), POINTER(POINTER(rbl_mesh)), POINTER(rbl_mesh_repair_report)],
        ['mesh', 'def', 'repaired', 'report'], "Repair a mesh. One that can be broken, is manifold, and whose faces can be cut as fans, is copied bit for bit. Corners keep their attributes; caps take those of the corners beside them, with flat normals, and new corners at crossings have what lies between the old ones. With all steps on, success means that rbl_create_solid(), rbl_create_pieces() and rbl_prepare() take the mesh, and that rbl_mesh_check() finds it closed, manifold and oriented. def: read during the call only repaired: receives the mesh, the caller's to destroy; NULL on failure report: receives what was done, or NULL Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY, RBL_LIMIT_REACHED, RBL_BAD_MESH with one sentence in the log: no face is left, the faces cannot be turned to agree, as on a Moebius strip, or its inside is ambiguous Threads: any. Cost: O(n log n) and, for each border of k edges that is not flat, O(k^3) up to k = 256; for what crosses itself some 30 microseconds for each pair of triangles."),
    'rbl_mesh_get_components': ('rubble', c_int, [POINTER(rbl_mesh), c_int, POINTER(c_int), POINTER(c_int)],
        ['mesh', 'connectivity', 'labels', 'component_count'], 'Label the components of a mesh. labels: receives a number per face, from 0, in the order of first faces component_count: receives the number of components Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY Threads: any. Cost: O(n).'),
    'rbl_mesh_split': ('rubble', c_int, [POINTER(rbl_mesh), POINTER(c_int), c_int, POINTER(POINTER(rbl_mesh))],
        ['mesh', 'labels', 'mesh_count', 'meshes'], "Make a mesh of the faces of each label, with their attributes and all materials. labels: a number per face, 0 to mesh_count - 1, such as rbl_mesh_get_components() gives; faces with -1 are left out mesh_count: number of meshes meshes: receives them in the order of labels, the caller's to destroy; all NULL on failure. Faces keep their order, vertices come in the order of their use Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY Threads: any. Cost: O(n + mesh_count)."),
    'rbl_mesh_compute_normals': ('rubble', c_int, [POINTER(rbl_mesh), c_float, POINTER(rbl_vec3)],
        ['mesh', 'crease_angle', 'normals'], 'Compute normals: the mean of the faces around each corner, weighted by their angles there. Edges whose faces differ by more than the crease angle stay sharp, and so do borders. crease_angle: radians, from 0: every face flat, to pi: all smooth normals: receives a unit vector per corner Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY Threads: any. Cost: O(n).'),
    'rbl_mesh_compute_tangents': ('rubble', c_int, [POINTER(rbl_mesh), POINTER(rbl_vec4)],
        ['mesh', 'tangents'], 'Compute tangents for normal maps from normals and first texture coordinates: x, y, z is a unit vector at right angles to the normal that points where u grows, and w is 1 or -1 such that w * cross(normal, tangent) points where v grows. Corners that share vertex, normal, coordinates and w share the tangent. tangents: receives one per corner Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_BAD_MESH (no normals or coordinates), RBL_OUT_OF_MEMORY Threads: any. Cost: as rbl_mesh_triangulate().'),
    'rbl_default_convex_def': ('rubble', rbl_convex_def, [],
        [], 'Returns a definition of the cube from -1 to 1. Threads: any.'),
    'rbl_create_convex': ('rubble', c_int, [POINTER(rbl_convex_def), POINTER(POINTER(rbl_convex))],
        ['def', 'convex'], "Make a convex. convex: receives the convex, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_BAD_MESH (not convex by more than 1e-9 of its size, or without volume), RBL_OUT_OF_MEMORY Threads: any. Cost: O(n^2) in faces."),
    'rbl_destroy_convex': ('rubble', None, [POINTER(rbl_convex)],
        ['convex'], 'Destroy a convex. NULL is fine.'),
    'rbl_convex_get_data': ('rubble', rbl_convex_data, [POINTER(rbl_convex)],
        ['convex'], 'Returns the arrays of a convex; they live as long as it does. Threads: any.'),
    'rbl_convex_get_mass': ('rubble', rbl_mass, [POINTER(rbl_convex)],
        ['convex'], 'Returns volume, centre and inertia at density 1. Threads: any. Cost: O(n).'),
    'rbl_convex_support': ('rubble', c_int, [POINTER(rbl_convex), rbl_vec3d],
        ['convex', 'direction'], 'Returns the index of the vertex farthest along `direction`, the first of equals. Threads: any. Cost: O(n).'),
    'rbl_convex_cut': ('rubble', c_int, [POINTER(rbl_convex), rbl_planed, c_uint64, POINTER(POINTER(rbl_convex)), POINTER(POINTER(rbl_convex))],
        ['convex', 'plane', 'plane_id', 'front', 'back'], "Cut in two by a plane. The two parts share the cut points bit for bit, and both get a face with `plane_id`. A vertex within 1e-12 of the convex's size counts as on the plane and is not cut off. plane: any normal but zero front: receives the part where dot(normal, p) > offset, the caller's to destroy, or NULL when there is none; NULL when it is not wanted back: the same for the other part Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY Threads: any. Cost: O(n), microseconds."),
    'rbl_convex_intersect': ('rubble', c_int, [POINTER(rbl_convex), POINTER(rbl_convex), POINTER(POINTER(rbl_convex))],
        ['a', 'b', 'result_convex'], "Intersect two convexes. result_convex: receives the intersection, the caller's to destroy, or NULL when it has no volume Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY Threads: any. Cost: O(n m), microseconds."),
    'rbl_convex_create_mesh': ('rubble', c_int, [POINTER(rbl_convex), POINTER(rbl_allocator), POINTER(POINTER(rbl_mesh))],
        ['convex', 'allocator', 'mesh'], "Make a mesh of a convex: one polygon per face, no attributes. allocator: memory of the mesh, NULL for the process's default mesh: receives the mesh, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY Threads: any. Cost: O(n)."),
    'rbl_default_jobs_def': ('rubble', rbl_jobs_def, [],
        [], 'Returns a definition that works as it is. Threads: any.'),
    'rbl_create_jobs': ('rubble', c_int, [POINTER(rbl_jobs_def), POINTER(POINTER(rbl_jobs))],
        ['def', 'jobs'], "Make a pool and start its threads, which sleep until there is work. A build without threads makes a pool of one worker, whatever the definition says. def: read during the call only jobs: receives the pool, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY, RBL_UNSUPPORTED (no thread could be started) Threads: any."),
    'rbl_destroy_jobs': ('rubble', None, [POINTER(rbl_jobs)],
        ['jobs'], 'Stop the threads and free the pool, after everything that uses it. Waits for every task that was started. NULL is fine.'),
    'rbl_jobs_worker_count': ('rubble', c_int, [POINTER(rbl_jobs)],
        ['jobs'], 'Returns the number of workers, 1 for NULL. Threads: any.'),
    'rbl_parallel_for': ('rubble', None, [POINTER(rbl_jobs), c_int, c_int, rbl_block_function, c_void_p],
        ['jobs', 'item_count', 'block_size', 'function', 'context'], 'Run a loop over `item_count` items in blocks of `block_size`, and return when all are done. Block borders depend on these two numbers alone. May be called from inside a block of the same pool, and by several threads at once: when all workers are taken, a thread waits for one. No items are no work; a negative count, a block size below 1 or no function is refused and logged. jobs: NULL: all blocks run in order on the calling thread, as worker 0 Threads: any. Cost: about a microsecond, and the blocks.'),
    'rbl_default_pattern_def': ('rubble', rbl_pattern_def, [],
        [], 'Returns a definition that works as it is. Threads: any.'),
    'rbl_create_pattern': ('rubble', c_int, [POINTER(rbl_pattern_def), POINTER(POINTER(rbl_pattern))],
        ['def', 'pattern'], "Make a pattern. def: read during the call only pattern: receives the pattern, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_LIMIT_REACHED, RBL_OUT_OF_MEMORY Threads: any. Cost: O(n log n) in cells, about 15 us and 3 kB (5 while it is made) per cell that meets the region."),
    'rbl_destroy_pattern': ('rubble', None, [POINTER(rbl_pattern)],
        ['pattern'], 'Let go of a pattern. Worlds whose bodies break by it keep it as long as they live; outside of a world it must outlive the pieces cut with it. NULL is fine.'),
    'rbl_pattern_get_kind': ('rubble', c_int, [POINTER(rbl_pattern)],
        ['pattern'], 'Returns its kind; RBL_PATTERN_KIND_COUNT for NULL. Threads: any.'),
    'rbl_pattern_cell_count': ('rubble', c_int, [POINTER(rbl_pattern)],
        ['pattern'], 'Returns the number of cells. Threads: any.'),
    'rbl_pattern_cell_color': ('rubble', c_int, [POINTER(rbl_pattern), c_int],
        ['pattern', 'cell'], 'Returns the color of a cell: cells of one color stay together. Its own index unless colors were given or made. -1 out of range. Threads: any.'),
    'rbl_pattern_bounds': ('rubble', rbl_boxd, [POINTER(rbl_pattern)],
        ['pattern'], 'Returns the box that the cells fill: the region, or about eight times `size`, of bricks and webs eight times its longest side. Cells at the rim end there until more is cut. Threads: any.'),
    'rbl_pattern_cell_volume': ('rubble', c_double, [POINTER(rbl_pattern), c_int],
        ['pattern', 'cell'], 'Returns the volume of a cell within rbl_pattern_bounds(), 0 out of range and for an empty cell. Threads: any.'),
    'rbl_pattern_create_cell_convex': ('rubble', c_int, [POINTER(rbl_pattern), c_int, POINTER(rbl_allocator), POINTER(POINTER(rbl_convex))],
        ['pattern', 'cell', 'allocator', 'convex'], "Copy a cell out as a convex. allocator: memory of the convex, NULL for the process's default convex: receives the convex, the caller's to destroy; NULL on failure and for an empty cell Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY Threads: any."),
    'rbl_pattern_key': ('rubble', c_uint64, [POINTER(rbl_pattern)],
        ['pattern'], 'Returns a hash of what the cells are made from: patterns with equal keys are equal, on every platform, saved and loaded or not; 0 for NULL. Threads: any.'),
    'rbl_pattern_save': ('rubble', c_int, [POINTER(rbl_pattern), c_void_p, POINTER(c_size_t)],
        ['pattern', 'bytes', 'size'], 'Write a pattern as bytes, little-endian on every platform. bytes: receives the bytes; NULL to ask for the size only size: room in `bytes`; receives the number of bytes Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_LIMIT_REACHED (room is short; `size` says what it takes) Threads: any.'),
    'rbl_pattern_load': ('rubble', c_int, [c_void_p, c_size_t, POINTER(rbl_allocator), POINTER(POINTER(rbl_pattern))],
        ['bytes', 'size', 'allocator', 'pattern'], "Read a pattern back. The cells are the same bits. allocator: memory of the pattern, NULL for the process's default pattern: receives the pattern, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_BAD_FILE, RBL_OUT_OF_MEMORY Threads: any. Cost: that of making it."),
    'rbl_default_solid_def': ('rubble', rbl_solid_def, [],
        [], 'Returns a definition without a mesh. Threads: any.'),
    'rbl_create_solid': ('rubble', c_int, [POINTER(rbl_solid_def), POINTER(POINTER(rbl_solid))],
        ['def', 'solid'], "Prepare a mesh for cutting. solid: receives the solid, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_BAD_MESH (open or inside out; the log says where), RBL_LIMIT_REACHED, RBL_OUT_OF_MEMORY Threads: any. Cost: O(n log n) in triangles, meant for load time."),
    'rbl_destroy_solid': ('rubble', None, [POINTER(rbl_solid)],
        ['solid'], 'Destroy a solid, after all pieces cut from it. NULL is fine.'),
    'rbl_solid_volume': ('rubble', c_double, [POINTER(rbl_solid)],
        ['solid'], 'Returns the volume; where shells overlap each counts. Threads: any.'),
    'rbl_solid_shell_count': ('rubble', c_int, [POINTER(rbl_solid)],
        ['solid'], 'Returns the number of outer shells; each is cut by itself. Threads: any.'),
    'rbl_solid_find_crossings': ('rubble', c_int, [POINTER(rbl_solid), POINTER(rbl_crossing_report)],
        ['solid', 'report'], "Look for crossings of a solid's surface with itself. Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY, RBL_BAD_MESH: it crosses itself in so many ways that it cannot be told where it is inside Threads: any. Cost: O(n) in triangles, and more for those that cross. Some ten times that of rbl_create_solid()."),
    'rbl_default_pieces_def': ('rubble', rbl_pieces_def, [],
        [], 'Returns a definition without solid and pattern. Threads: any.'),
    'rbl_create_pieces': ('rubble', c_int, [POINTER(rbl_pieces_def), POINTER(POINTER(rbl_pieces))],
        ['def', 'pieces'], "Break a solid. Every piece is closed, whatever the numbers are, has a positive volume, and is one connected part of the solid in one cell. pieces: receives the pieces, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_LIMIT_REACHED (more than cut_limit; the log says how many), RBL_OUT_OF_MEMORY, RBL_BAD_MESH: the surface crosses itself, and parts of it are inside out (the log says how much; rbl_mesh_repair() mends that) Threads: any. Cost: O(n) in triangles, plus what straddles cells. Cells that do not meet the solid cost next to nothing."),
    'rbl_destroy_pieces': ('rubble', None, [POINTER(rbl_pieces)],
        ['pieces'], 'Destroy pieces. NULL is fine.'),
    'rbl_pieces_get_report': ('rubble', rbl_pieces_report, [POINTER(rbl_pieces)],
        ['pieces'], 'Returns the numbers. Threads: any.'),
    'rbl_pieces_count': ('rubble', c_int, [POINTER(rbl_pieces)],
        ['pieces'], 'Returns the number of pieces. Threads: any.'),
    'rbl_piece_get_info': ('rubble', rbl_piece_info, [POINTER(rbl_pieces), c_int],
        ['pieces', 'piece'], 'Returns what is known of a piece; all zero out of range. Threads: any. Cost: O(n).'),
    'rbl_piece_get_mass': ('rubble', rbl_mass, [POINTER(rbl_pieces), c_int],
        ['pieces', 'piece'], "Returns volume, centre and inertia of a piece at density 1, in the mesh's coordinates. Threads: any. Cost: O(n)."),
    'rbl_piece_create_mesh': ('rubble', c_int, [POINTER(rbl_pieces), c_int, POINTER(rbl_allocator), POINTER(POINTER(rbl_mesh))],
        ['pieces', 'piece', 'allocator', 'mesh'], "Make a mesh of a piece, as polygons: positions in the coordinates of the solid's mesh, attributes interpolated, cut faces flat with the inner look. Caps with holes, and rough ones, come as triangles. allocator: memory of the mesh, NULL for the process's default mesh: receives the mesh, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY Threads: any. Cost: O(n)."),
    'rbl_piece_get_triangles': ('rubble', c_int, [POINTER(rbl_pieces), c_int, POINTER(rbl_draw_vertex), POINTER(c_int), POINTER(c_int)],
        ['pieces', 'piece', 'vertices', 'materials', 'triangle_count'], 'Write the triangles of a piece to draw: three vertices each, nothing shared; see rbl_piece_get_indexed_triangles(). vertices: receives the vertices, room for 3 * triangle_capacity (rbl_piece_get_info()) materials: receives the material of each triangle, or NULL triangle_count: receives the number of triangles Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY Threads: any. Cost: O(n).'),
    'rbl_index_draw_vertices': ('rubble', c_int, [POINTER(rbl_draw_vertex), c_int, POINTER(rbl_allocator), POINTER(c_uint32), POINTER(c_int)],
        ['vertices', 'corner_count', 'allocator', 'indices', 'vertex_count'], "Share vertices that are equal in all attributes: turn corners of triangles into vertices and indices, as graphics cards want them. vertices: corners; receives the vertices, in the order in which corners meet them corner_count: number of corners allocator: memory of the work, NULL for the process's default indices: receives the vertex of each corner vertex_count: receives the number of vertices Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY (vertices are overwritten then) Threads: any. Cost: O(n)."),
    'rbl_piece_get_indexed_triangles': ('rubble', c_int, [POINTER(rbl_pieces), c_int, POINTER(rbl_draw_vertex), POINTER(c_uint32), POINTER(c_int), POINTER(c_int), POINTER(c_int)],
        ['pieces', 'piece', 'vertices', 'indices', 'materials', 'vertex_count', 'triangle_count'], 'Write the triangles of a piece as vertices and indices: rbl_piece_get_triangles() and rbl_index_draw_vertices() in one. vertices: receives the vertices, room for 3 * triangle_capacity indices: receives three per triangle, room for 3 * triangle_capacity materials: receives the material of each triangle, or NULL vertex_count: receives the number of vertices triangle_count: receives the number of triangles Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY Threads: any. Cost: O(n).'),
    'rbl_piece_create_convex': ('rubble', c_int, [POINTER(rbl_pieces), c_int, c_int, c_uint64, POINTER(rbl_allocator), POINTER(POINTER(rbl_convex))],
        ['pieces', 'piece', 'fit', 'plane_id_base', 'allocator', 'convex'], "Make a convex around a piece: its cell, cut by the planes of the fit. Convexes of different cells do not overlap and share plane ids: face f of the pattern has the id plane_id_base + f. allocator: memory of the convex, NULL for the process's default convex: receives the convex, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY Threads: any. Cost: O(n)."),
    'rbl_pieces_get_overlaps': ('rubble', c_int, [POINTER(rbl_pieces), c_int, POINTER(rbl_piece_pair), c_int, POINTER(c_int)],
        ['pieces', 'fit', 'pairs', 'capacity', 'count'], 'List pieces of one cell whose convexes overlap: parts of a concave surface that reach around each other. Convexes of different cells never do. fit: as in rbl_piece_create_convex() pairs: receives the pairs in order, or NULL to count them only capacity: room in `pairs` count: receives how many there are, also beyond the room Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY Threads: any. Cost: O(n) and what shares a cell.'),
    'rbl_task_get_state': ('rubble', c_int, [POINTER(rbl_task)],
        ['task'], 'Returns how far a task is; RBL_TASK_FAILED for NULL. Threads: one call on a task at a time.'),
    'rbl_task_work': ('rubble', c_int, [POINTER(rbl_task), c_int, POINTER(c_bool)],
        ['task', 'budget', 'is_ready'], 'Do some of the work on this thread. A task that was started may be helped this way. budget: work, > 0, in the unit that the function says which began the task; a count and no time, so that runs repeat is_ready: receives whether only finishing is left Returns RBL_OK, RBL_BAD_ARGUMENT, and what the work fails with Threads: one call on a task at a time, any thread.'),
    'rbl_task_progress': ('rubble', c_double, [POINTER(rbl_task)],
        ['task'], 'Returns about how much of the work is done, 0 to 1, for a progress bar; 0 while that is not known, 1 when it is ready. Threads: one call on a task at a time. Cost: it waits for a slice that runs.'),
    'rbl_task_start': ('rubble', c_int, [POINTER(rbl_task), POINTER(rbl_jobs)],
        ['task', 'jobs'], "Let a pool do the work: its threads take slices of it when no parallel loop needs them, or tasks of the caller's task system do. A pool of one worker has no thread for it: then the work waits for rbl_task_work() or rbl_task_wait(). jobs: lives until the task is ready, stopped or destroyed Returns RBL_OK, RBL_BAD_ARGUMENT (NULL, or what it changes has another task on another pool) Threads: one call on a task at a time, any thread."),
    'rbl_task_stop': ('rubble', None, [POINTER(rbl_task)],
        ['task'], 'Stop what was started: on return no thread works on it any more. It keeps what was done, and can be started again. NULL is fine. Threads: one call on a task at a time, any thread.'),
    'rbl_task_wait': ('rubble', c_int, [POINTER(rbl_task)],
        ['task'], 'Work until it is ready, together with the pool it was started on. Not from a block of that pool. Returns RBL_OK (ready), RBL_BAD_ARGUMENT, and what the work fails with Threads: one call on a task at a time, any thread.'),
    'rbl_destroy_task': ('rubble', None, [POINTER(rbl_task)],
        ['task'], 'Stop a task and give it up; nothing has changed. NULL is fine.'),
    'rbl_default_strength_paint': ('rubble', rbl_strength_paint, [],
        [], 'Returns a paint that changes nothing. Threads: any.'),
    'rbl_default_anchor_def': ('rubble', rbl_anchor_def, [],
        [], 'Returns a rule that anchors nothing. Threads: any.'),
    'rbl_default_compound_def': ('rubble', rbl_compound_def, [],
        [], 'Returns a definition without parts. Threads: any.'),
    'rbl_create_compound': ('rubble', c_int, [POINTER(rbl_compound_def), POINTER(POINTER(rbl_compound))],
        ['def', 'compound'], "Make a compound, and find its bonds. compound: receives the compound, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT (the log names the field or part), RBL_BAD_MESH (not closed), RBL_LIMIT_REACHED, RBL_OUT_OF_MEMORY Threads: any. Cost: near-linear in faces."),
    'rbl_destroy_compound': ('rubble', None, [POINTER(rbl_compound)],
        ['compound'], 'Destroy a compound. NULL is fine.'),
    'rbl_compound_get_info': ('rubble', rbl_compound_info, [POINTER(rbl_compound)],
        ['compound'], 'Returns the numbers; all zero for NULL. Threads: any.'),
    'rbl_compound_get_part': ('rubble', rbl_compound_part, [POINTER(rbl_compound), c_int],
        ['compound', 'part'], 'Returns a part; all zero when there is none of this number. It lives until the compound breaks. Threads: any.'),
    'rbl_compound_create_part_mesh': ('rubble', c_int, [POINTER(rbl_compound), c_int, POINTER(rbl_inner_look), POINTER(rbl_mesh), POINTER(rbl_allocator), POINTER(POINTER(rbl_mesh))],
        ['compound', 'part', 'look', 'like', 'allocator', 'mesh'], 'Make a mesh of a part, to draw it. A part with a mesh gives a copy of that. One without, which lies wholly inside, or was made of a convex, gives the faces of its convex as cuts of `look`: texture coordinates go on from one part to the next over faces in one plane, with or without meshes. look: as the cuts of the other parts had; NULL: the default. Roughness is not read like: the part gets this mesh\'s materials, besides that of cuts, and a place for each of its attributes, so that both can be drawn alike; NULL: materials "outer" and "inner", and nothing besides normals and coordinates. Not read where the part has a mesh allocator: memory of the mesh, NULL for the process\'s default mesh: receives the mesh, the caller\'s to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY Threads: any. Cost: O(n).'),
    'rbl_compound_get_material': ('rubble', POINTER(rbl_material), [POINTER(rbl_compound), c_int],
        ['compound', 'material'], "Returns a material of a compound's table; NULL where parts are as their body, and out of range. Threads: any."),
    'rbl_compound_get_bonds': ('rubble', c_int, [POINTER(rbl_compound), c_int, POINTER(rbl_compound_bond), c_int],
        ['compound', 'part', 'bonds', 'capacity'], 'Write the bonds of a part. bonds: receives up to `capacity` bonds Returns how many there are, also when there is no room for all Threads: any. Cost: O(bonds of the part).'),
    'rbl_compound_get_face_shares': ('rubble', c_int, [POINTER(rbl_compound), c_int, POINTER(c_double)],
        ['compound', 'part', 'shares'], "Write the share of each face of a part that bonds cover, 0 to 1: a face of 1 cannot be seen. shares: receives a number for each face of the part's convex Returns RBL_OK, RBL_BAD_ARGUMENT Threads: any. Cost: O(corners and bonds of the part)."),
    'rbl_compound_set_anchored': ('rubble', c_int, [POINTER(rbl_compound), c_int, c_bool],
        ['compound', 'part', 'is_anchored'], 'Fix a part to the world, or free it. Returns RBL_OK, RBL_BAD_ARGUMENT Threads: one call on a compound at a time.'),
    'rbl_compound_set_bond_strength': ('rubble', c_int, [POINTER(rbl_compound), c_int, c_int, c_double],
        ['compound', 'part', 'other', 'strength'], 'Set the strength of the bond between two parts, times what its materials hold, >= 0. Returns RBL_OK, RBL_BAD_ARGUMENT (no such bond, among others) Threads: one call on a compound at a time. Cost: O(bonds of the part that has fewer).'),
    'rbl_compound_set_part_strength': ('rubble', c_int, [POINTER(rbl_compound), c_int, c_double],
        ['compound', 'part', 'strength'], 'Set the strength of a part, > 0: the energy of a hit that breaks it, over what its rule says. Returns RBL_OK, RBL_BAD_ARGUMENT. Threads: one call on a compound at a time.'),
    'rbl_compound_paint': ('rubble', c_int, [POINTER(rbl_compound), POINTER(rbl_strength_paint)],
        ['compound', 'paint'], 'Multiply the strengths of parts and bonds by what is painted. Returns RBL_OK, RBL_BAD_ARGUMENT (a strength is not > 0, among others; nothing has changed), RBL_OUT_OF_MEMORY Threads: one call on a compound at a time. Cost: O(n).'),
    'rbl_compound_cluster': ('rubble', c_int, [POINTER(rbl_compound), POINTER(rbl_cluster_level), c_int, POINTER(c_int)],
        ['compound', 'levels', 'level_count', 'clusters'], 'Group the parts into a hierarchy of clusters, and multiply the strengths of bonds between them. Clusters of a level lie within those of the level before. levels: from large clusters to small ones, with rising cluster_count; a bond belongs to the first level that parts its ends clusters: receives the cluster of each part number at each level, level by level, -1 for parts that are not there; level_count * part_end numbers, or NULL Returns RBL_OK, RBL_BAD_ARGUMENT (nothing has changed), RBL_OUT_OF_MEMORY Threads: one call on a compound at a time. Cost: O(n clusters) for each level.'),
    'rbl_compound_anchor': ('rubble', c_int, [POINTER(rbl_compound), POINTER(rbl_anchor_def), POINTER(c_int)],
        ['compound', 'def', 'count'], 'Fix parts to the world by rule, beside those that are fixed already. count: receives how many are fixed now, or NULL Returns RBL_OK, RBL_BAD_ARGUMENT (also when the rule finds no part; nothing has changed) Threads: one call on a compound at a time. Cost: O(n).'),
    'rbl_compound_get_mass': ('rubble', rbl_mass, [POINTER(rbl_compound)],
        ['compound'], 'Returns volume, centre and inertia of all convexes at density 1; what parts of an asset have in common counts once. Threads: any. Cost: O(n).'),
    'rbl_compound_get_visual_mass': ('rubble', rbl_mass, [POINTER(rbl_compound)],
        ['compound'], 'Returns volume, centre and inertia at density 1 of what is seen: the meshes of parts, and the convexes of parts without one, each without its overlap. Worlds weigh bodies by it, with the densities of materials. What a break takes apart adds up to what it was, to the last digits. Threads: any. Cost: O(parts).'),
    'rbl_default_break_def': ('rubble', rbl_break_def, [],
        [], 'Returns a definition without a pattern. Threads: any.'),
    'rbl_compound_break': ('rubble', c_int, [POINTER(rbl_compound), POINTER(rbl_break_def), POINTER(POINTER(rbl_break))],
        ['compound', 'def', 'broken'], "Break a compound. What remains stays in it: all that lies outside of the radius, as far as it still hangs together; where the rest falls apart, the part that is largest to search keeps the name. A compound of which nothing remains has no parts. Where nothing comes apart nothing changes. broken: receives what broke off, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_LIMIT_REACHED (more than cut_limit, among others; the log says how many), RBL_OUT_OF_MEMORY (the compound is as it was) Threads: one call on a compound at a time. Cost: O(n log n) in what it touches; cells of the pattern that do not meet that cost next to nothing."),
    'rbl_begin_break': ('rubble', c_int, [POINTER(rbl_compound), POINTER(rbl_break_def), POINTER(POINTER(rbl_task))],
        ['compound', 'def', 'task'], "Begin to break a compound beside other work, see rubble/task.h: in slices, or on other threads. The compound does not change before rbl_finish_break(), and may be read and saved meanwhile, as it is. When it changes by another break, the work begins anew with what is left of it: two hits give the same as one after the other, in the order in which they finish. When it is destroyed, the break has nothing to do any more and can only be destroyed. Budgets count about the cuts of a convex by a cell, or ten triangles of a mesh clipped. def: read now; its pattern and jobs as long as the break is pending task: receives the break, the caller's to finish or destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY Threads: one call on a compound and its tasks at a time, any thread."),
    'rbl_finish_break': ('rubble', c_int, [POINTER(rbl_task), POINTER(POINTER(rbl_break))],
        ['task', 'broken'], "Do what is left, change the compound, and destroy the task unless it fails. The result is that of rbl_compound_break(), whatever budgets and threads the work was done in. broken: receives what broke off, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_LIMIT_REACHED, RBL_OUT_OF_MEMORY (it can be tried again) Threads: one call on a compound and its tasks at a time, any thread."),
    'rbl_compound_break_bonds': ('rubble', c_int, [POINTER(rbl_compound), POINTER(c_int), c_int, POINTER(POINTER(rbl_break))],
        ['compound', 'parts', 'bond_count', 'broken'], "Remove bonds, and let go what no longer hangs together. Without bonds: look through the whole compound once, as after making one of parts that do not touch. parts: two parts for each bond; pairs without a bond are skipped broken: receives what came off, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY (the compound is as it was) Threads: one call on a compound at a time. Cost: that of what detaches, not of the whole."),
    'rbl_break_get_data': ('rubble', rbl_break_data, [POINTER(rbl_break)],
        ['broken'], 'Returns what came of a break; all zero for NULL. Threads: any.'),
    'rbl_break_take': ('rubble', POINTER(rbl_compound), [POINTER(rbl_break), c_int],
        ['broken', 'compound'], "Take a compound out of a break: it is the caller's to destroy. Returns NULL when out of range or taken already. Threads: one call on a break at a time."),
    'rbl_destroy_break': ('rubble', None, [POINTER(rbl_break)],
        ['broken'], 'Destroy a break, and the compounds that were not taken. NULL is fine.'),
    'rbl_default_distance_field_def': ('rubble', rbl_distance_field_def, [],
        [], 'Returns a definition without a mesh. Threads: any.'),
    'rbl_create_distance_field': ('rubble', c_int, [POINTER(rbl_distance_field_def), POINTER(POINTER(rbl_distance_field))],
        ['def', 'field'], "Make the field of a closed mesh. field: receives the field, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_BAD_MESH (empty, open, flat, inside out, or far from the origin for its size; the log says which), RBL_OUT_OF_MEMORY Threads: any. Cost: about 0.2 s for 70,000 triangles at 128 on one worker, meant for load time."),
    'rbl_destroy_distance_field': ('rubble', None, [POINTER(rbl_distance_field)],
        ['field'], "Destroy a field, after all fragments' fields that share it. NULL is fine."),
    'rbl_distance_field_get_info': ('rubble', rbl_distance_field_info, [POINTER(rbl_distance_field)],
        ['field'], 'Returns the numbers; all zero for NULL. Threads: any.'),
    'rbl_distance_field_contains': ('rubble', c_int, [POINTER(rbl_distance_field), POINTER(rbl_vec3), c_int, POINTER(c_bool)],
        ['field', 'points', 'count', 'inside'], "Find out which points are inside. Wrong only within the field's error of the surface. inside: receives an answer per point Returns RBL_OK, RBL_BAD_ARGUMENT Threads: any. Cost: about 8 ns per point, for fragments 3 more and some for each plane."),
    'rbl_distance_field_penetration': ('rubble', c_int, [POINTER(rbl_distance_field), POINTER(rbl_vec3), c_int, POINTER(c_float), POINTER(rbl_vec3), POINTER(c_float)],
        ['field', 'points', 'count', 'depths', 'normals', 'bounds'], 'Find out how deep points are inside, and in which direction they leave by the shortest way. depths: receives metres, negative outside: there the surface is at least so far away, less the bound normals: receives unit vectors, from the point to the surface when inside and away from it when outside; or NULL bounds: receives how far the depth may be off; or NULL Returns RBL_OK, RBL_BAD_ARGUMENT Threads: any.'),
    'rbl_distance_field_overlaps_sphere': ('rubble', c_int, [POINTER(rbl_distance_field), POINTER(rbl_vec3), POINTER(c_float), c_int, POINTER(c_bool)],
        ['field', 'centres', 'radii', 'count', 'overlaps'], 'Find out which spheres may touch what the field is of. A sphere that does is never left out. radii: metres; one that is negative or NaN touches nothing overlaps: receives an answer per sphere Returns RBL_OK, RBL_BAD_ARGUMENT Threads: any.'),
    'rbl_default_fragment_field_def': ('rubble', rbl_fragment_field_def, [],
        [], 'Returns a definition without original and box. Threads: any.'),
    'rbl_create_fragment_field': ('rubble', c_int, [POINTER(rbl_fragment_field_def), POINTER(POINTER(rbl_distance_field))],
        ['def', 'field'], "Make the field of a fragment: inside it is as good as the original's, outside it is a lower bound. def: read during the call only field: receives the field, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT (the log names what is wrong), RBL_OUT_OF_MEMORY Threads: any. Cost: a microsecond and what is copied; `surface` costs O(triangles and their cells)."),
    'rbl_distance_field_save': ('rubble', c_int, [POINTER(rbl_distance_field), c_void_p, POINTER(c_size_t)],
        ['field', 'bytes', 'size'], 'Write the field of a mesh as one block of bytes, little-endian on every platform. Fields of fragments are made again from their planes and cannot be written. bytes: receives the bytes; NULL to ask for the size only size: room in `bytes`; receives the number of bytes Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_UNSUPPORTED (not the field of a mesh), RBL_LIMIT_REACHED (room is short; `size` says what it takes) Threads: any. Cost: O(n).'),
    'rbl_distance_field_load': ('rubble', c_int, [c_void_p, c_size_t, POINTER(rbl_allocator), POINTER(POINTER(rbl_distance_field))],
        ['bytes', 'size', 'allocator', 'field'], "Read a field back. It answers the same, bit for bit. A block that was cut short or changed anywhere is refused. allocator: memory of the field, NULL for the process's default field: receives the field, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_BAD_FILE, RBL_OUT_OF_MEMORY Threads: any. Cost: O(n)."),
    'rbl_default_prepare_def': ('rubble', rbl_prepare_def, [],
        [], 'Returns a definition that works as it is. Threads: any.'),
    'rbl_prepare': ('rubble', c_int, [POINTER(rbl_mesh), POINTER(rbl_prepare_def), POINTER(POINTER(rbl_asset))],
        ['mesh', 'def', 'asset'], "Prepare a closed mesh. Every part is closed and has a positive volume. mesh: read during the call only asset: receives the asset, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_BAD_MESH (open, inside out, or crossing itself so that parts would be inside out; the log says where), RBL_LIMIT_REACHED, RBL_OUT_OF_MEMORY Threads: any. Cost: tens to hundreds of milliseconds for 70,000 triangles, meant for load time."),
    'rbl_begin_prepare': ('rubble', c_int, [POINTER(rbl_mesh), POINTER(rbl_prepare_def), POINTER(POINTER(rbl_task))],
        ['mesh', 'def', 'task'], "Begin to prepare a mesh beside other work, see rubble/task.h. Budgets count about the cuts of a convex by a cell, or ten triangles clipped. The search for shells of the whole mesh takes six steps that are not divided further; a distance field is one step more. mesh: read until the task is finished or destroyed def: read now; its levels, anchors, paint, previous asset and jobs as long as the task task: receives the task, the caller's to finish or destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY Threads: any."),
    'rbl_finish_prepare': ('rubble', c_int, [POINTER(rbl_task), POINTER(POINTER(rbl_asset))],
        ['task', 'asset'], "Do what is left, and destroy the task unless it fails. The asset is that of rbl_prepare(), bit for bit. asset: receives the asset, the caller's to destroy; NULL on failure Returns as rbl_prepare(); what failed for lack of memory can be tried again Threads: one call on a task at a time, any thread."),
    'rbl_destroy_asset': ('rubble', None, [POINTER(rbl_asset)],
        ['asset'], 'Let go of an asset. Bodies that have it keep it until they are gone, too. NULL is fine.'),
    'rbl_asset_get_report': ('rubble', rbl_asset_report, [POINTER(rbl_asset)],
        ['asset'], 'Returns the numbers; all zero for NULL. Threads: any.'),
    'rbl_asset_get_compound': ('rubble', POINTER(rbl_compound), [POINTER(rbl_asset)],
        ['asset'], 'Returns the compound, to look at. It lives as long as the asset. Threads: any.'),
    'rbl_asset_create_compound': ('rubble', c_int, [POINTER(rbl_asset), POINTER(rbl_allocator), POINTER(POINTER(rbl_compound))],
        ['asset', 'allocator', 'compound'], "Make a compound to break: a copy of the asset's. allocator: memory of the compound, NULL for the process's default compound: receives the compound, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY Threads: any. Cost: O(n)."),
    'rbl_asset_get_field': ('rubble', POINTER(rbl_distance_field), [POINTER(rbl_asset)],
        ['asset'], 'Returns the distance field of the mesh, for contacts of the whole and of what breaks off (rubble/compound_field.h); NULL when the asset was prepared without. It lives as long as the asset. Threads: any.'),
    'rbl_asset_get_nodes': ('rubble', POINTER(rbl_vec3d), [POINTER(rbl_asset), POINTER(c_int)],
        ['asset', 'count'], 'Returns the nodes of all shells, `*count` of them; they live as long as the asset. Threads: any.'),
    'rbl_asset_get_ghost': ('rubble', rbl_ghost, [POINTER(rbl_asset), c_int],
        ['asset', 'ghost'], 'Returns a ghost; all zero out of range. Threads: any.'),
    'rbl_asset_get_mass': ('rubble', rbl_mass, [POINTER(rbl_asset)],
        ['asset'], 'Returns volume, centre and inertia at density 1: convexes minus ghosts. Threads: any.'),
    'rbl_prepare_key': ('rubble', c_uint64, [POINTER(rbl_mesh), POINTER(rbl_prepare_def)],
        ['mesh', 'def'], 'Returns the key that an asset of this mesh and definition has; 0 for NULL. So a cache can be looked into before anything is prepared. Threads: any. Cost: O(n).'),
    'rbl_asset_save': ('rubble', c_int, [POINTER(rbl_asset), c_void_p, POINTER(c_size_t)],
        ['asset', 'bytes', 'size'], 'Write an asset as one block of bytes, little-endian on every platform, without pointers: it can be moved, mapped or sent as it is. Its distance field, and its materials with their patterns, are written as well; an asset without them is written as earlier versions did, and theirs are read. bytes: receives the bytes; NULL to ask for the size only size: room in `bytes`; receives the number of bytes Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_LIMIT_REACHED (room is short; `size` says what it takes) Threads: any. Cost: O(n).'),
    'rbl_asset_load': ('rubble', c_int, [c_void_p, c_size_t, POINTER(rbl_allocator), POINTER(POINTER(rbl_asset))],
        ['bytes', 'size', 'allocator', 'asset'], "Read an asset back, with materials and patterns of its own. It breaks the same, bit for bit. A block that was cut short or changed anywhere is refused. allocator: memory of the asset, NULL for the process's default asset: receives the asset, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_BAD_FILE, RBL_LIMIT_REACHED, RBL_OUT_OF_MEMORY, RBL_BAD_MESH: a part is inside out, as earlier versions of this library made them Threads: any. Cost: O(n)."),
    'rbl_is_asset': ('rubble', c_bool, [c_void_p, c_size_t],
        ['bytes', 'size'], 'Returns whether bytes begin like an asset. Threads: any.'),
    'rbl_default_bending_def': ('rubble', rbl_bending_def, [],
        [], 'Returns a definition that works as it is. Threads: any.'),
    'rbl_begin_bending': ('rubble', c_int, [POINTER(rbl_compound), POINTER(rbl_bending_def), POINTER(POINTER(rbl_bending))],
        ['compound', 'def', 'bending'], "Take a compound apart: each part becomes a piece, a compound of its own in the same place. Breaks that are pending on it have nothing to do any more. compound: the bending's from now on, unless this fails bending: receives the bending, the caller's to finish or destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY (the compound is as it was) Threads: one call on a compound at a time. Cost: O(n)."),
    'rbl_bending_piece_count': ('rubble', c_int, [POINTER(rbl_bending)],
        ['bending'], 'Returns the number of pieces, 0 for NULL. Threads: any.'),
    'rbl_bending_get_piece': ('rubble', POINTER(rbl_compound), [POINTER(rbl_bending), c_int],
        ['bending', 'piece'], 'Returns a piece, in the coordinates of the compound it was; it lives as long as the bending. NULL when out of range or taken. Threads: any.'),
    'rbl_bending_take': ('rubble', POINTER(rbl_compound), [POINTER(rbl_bending), c_int],
        ['bending', 'piece'], "Take a piece out, as when it breaks again: it is the caller's, and will not be joined. Returns NULL when out of range or taken. Threads: one call on a bending at a time."),
    'rbl_bending_step': ('rubble', c_int, [POINTER(rbl_bending)],
        ['bending'], 'Count a step. Returns the steps that are left; at 0 it is time to finish. 0 for NULL. Threads: one call on a bending at a time.'),
    'rbl_finish_bending': ('rubble', c_int, [POINTER(rbl_bending), POINTER(rbl_transformd), POINTER(c_int), POINTER(POINTER(rbl_break))],
        ['bending', 'poses', 'homes', 'joined'], "Join the pieces where they are: those whose bonds hold become one compound. Nothing is lost, and no piece changes its shape. Joints keep area and strength; pieces of a part that breaks later inherit a joint where they are nearest to it. Destroys the bending unless it fails. poses: for each piece, where it has moved to from where it was homes: receives for each piece the compound it is in, -1 for those that were taken; NULL when it is not wanted joined: receives the compounds, in the coordinates that the poses lead to; the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT (a pose is not finite or no rotation), RBL_OUT_OF_MEMORY Threads: one call on a bending at a time. Cost: O(n)."),
    'rbl_destroy_bending': ('rubble', None, [POINTER(rbl_bending)],
        ['bending'], 'Give a bending up, with all pieces that were not taken. NULL is fine.'),
    'rbl_default_broadphase_def': ('rubble', rbl_broadphase_def, [],
        [], 'Returns a definition that works as it is. Threads: any.'),
    'rbl_default_proxy_def': ('rubble', rbl_proxy_def, [],
        [], 'Returns a definition of a dynamic box at the origin that pairs with everything. Threads: any.'),
    'rbl_create_broadphase': ('rubble', c_int, [POINTER(rbl_broadphase_def), POINTER(POINTER(rbl_broadphase))],
        ['def', 'broadphase'], "Make a broad phase. broadphase: receives it, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_OUT_OF_MEMORY Threads: any."),
    'rbl_destroy_broadphase': ('rubble', None, [POINTER(rbl_broadphase)],
        ['broadphase'], 'Destroy a broad phase. NULL is fine.'),
    'rbl_broadphase_add': ('rubble', c_int, [POINTER(rbl_broadphase), POINTER(rbl_proxy_def), c_int, POINTER(rbl_proxy_id)],
        ['broadphase', 'defs', 'count', 'proxies'], 'Add boxes. They form pairs from the next update on. All are added, or none. proxies: receives `count` ids Returns RBL_OK, RBL_BAD_ARGUMENT (a box is not valid), RBL_LIMIT_REACHED, RBL_OUT_OF_MEMORY Threads: one call on a broad phase at a time. Cost: O(count).'),
    'rbl_broadphase_move': ('rubble', c_int, [POINTER(rbl_broadphase), POINTER(rbl_proxy_id), POINTER(rbl_box), c_int],
        ['broadphase', 'proxies', 'boxes', 'count'], 'Move boxes. All are moved, or none. A box moved several times before an update is where it was moved last. Returns RBL_OK, RBL_BAD_ARGUMENT (a box is not valid), RBL_STALE_ID, RBL_OUT_OF_MEMORY Threads: one call on a broad phase at a time. Cost: O(count).'),
    'rbl_broadphase_remove': ('rubble', c_int, [POINTER(rbl_broadphase), POINTER(rbl_proxy_id), c_int],
        ['broadphase', 'proxies', 'count'], 'Remove boxes. All are removed, or none. Returns RBL_OK, RBL_STALE_ID, RBL_BAD_ARGUMENT (an id twice), RBL_OUT_OF_MEMORY Threads: one call on a broad phase at a time. Cost: O(count).'),
    'rbl_broadphase_replace': ('rubble', c_int, [POINTER(rbl_broadphase), rbl_proxy_id, POINTER(rbl_proxy_def), c_int, POINTER(rbl_proxy_id)],
        ['broadphase', 'proxy', 'defs', 'count', 'proxies'], 'Replace one box by many: what fracture does. The same as removing and adding, except that all of it happens or nothing. Returns as rbl_broadphase_add() and rbl_broadphase_remove(); nothing happens on failure Threads: one call on a broad phase at a time. Cost: O(count).'),
    'rbl_broadphase_replace_many': ('rubble', c_int, [POINTER(rbl_broadphase), POINTER(rbl_proxy_id), c_int, POINTER(rbl_proxy_def), c_int, POINTER(rbl_proxy_id)],
        ['broadphase', 'replaced', 'replaced_count', 'defs', 'count', 'proxies'], 'Replace several boxes by others: many that break at once. All of it happens or nothing. replaced: `replaced_count` ids, none twice proxies: receives `count` ids Returns as rbl_broadphase_add() and rbl_broadphase_remove(); nothing happens on failure Threads: one call on a broad phase at a time. Cost: O(count + replaced_count).'),
    'rbl_broadphase_update': ('rubble', c_int, [POINTER(rbl_broadphase), POINTER(rbl_broadphase_result)],
        ['broadphase', 'result'], 'Find all pairs, and adjust the structure within the budget. With 20,000 boxes in a dense pile of 130,000 pairs that all move a little, one thread takes about 2 ms for all moves and the update. result: receives the lists Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY (boxes are kept; the next update finds all pairs again and says was_reset) Threads: one call on a broad phase at a time. Cost: follows what moved, not what is there.'),
    'rbl_broadphase_has': ('rubble', c_bool, [POINTER(rbl_broadphase), rbl_proxy_id],
        ['broadphase', 'proxy'], 'Returns whether the id names a box. Threads: any that do not run beside a change.'),
    'rbl_broadphase_user': ('rubble', c_uint64, [POINTER(rbl_broadphase), c_uint32],
        ['broadphase', 'slot'], 'Returns the user value of a slot; also of a removed box until the next update, 0 for no slot. Threads: any that do not run beside a change.'),
    'rbl_broadphase_box': ('rubble', rbl_box, [POINTER(rbl_broadphase), c_uint32],
        ['broadphase', 'slot'], 'Returns the box of a slot; an empty one for a slot that is not in use. Threads: any that do not run beside a change.'),
    'rbl_broadphase_overlap': ('rubble', c_int, [POINTER(rbl_broadphase), rbl_box, POINTER(rbl_filter), rbl_overlap_function, c_void_p],
        ['broadphase', 'box', 'filter', 'function', 'context'], 'Find the boxes that overlap a box, as of the last move. Each is reported once; the order is the same from run to run. filter: pairs with it count; NULL for all Returns RBL_OK, RBL_BAD_ARGUMENT Threads: any that do not run beside a change.'),
    'rbl_broadphase_cast': ('rubble', c_int, [POINTER(rbl_broadphase), rbl_box, rbl_vec3, POINTER(rbl_filter), rbl_cast_function, c_void_p],
        ['broadphase', 'box', 'translation', 'filter', 'function', 'context'], 'Sweep a box (a point, for a ray) and find what it meets. Each box is reported once, in no order of distance. box: what is swept, at its start; lower = upper for a ray translation: how far it moves, and where to filter: pairs with it count; NULL for all Returns RBL_OK, RBL_BAD_ARGUMENT Threads: any that do not run beside a change.'),
    'rbl_broadphase_get_stats': ('rubble', rbl_broadphase_stats, [POINTER(rbl_broadphase)],
        ['broadphase'], 'Returns what the structure looks like. Threads: any that do not run beside a change. Cost: O(leaves).'),
    'rbl_broadphase_set_work_budget': ('rubble', c_int, [POINTER(rbl_broadphase), c_int],
        ['broadphase', 'work_budget'], 'Change rbl_broadphase_def.work_budget from the next update on. Pairs do not depend on it. Returns RBL_OK, RBL_BAD_ARGUMENT. Threads: one at a time.'),
    'rbl_work_from_microseconds': ('rubble', c_int, [c_double, c_double],
        ['microseconds', 'ns_per_box'], 'Convert a time budget to a work budget with a measured constant. ns_per_box: what `rubble bench broadphase` measured on the machine; 0 for the default of 100 Threads: any.'),
    'rbl_default_damage_rule': ('rubble', rbl_damage_rule, [],
        [], 'Returns a rule without levels. Threads: any.'),
    'rbl_damage_choose': ('rubble', c_int, [POINTER(rbl_damage_rule), POINTER(rbl_compound), c_double, c_uint64, POINTER(rbl_break_def), POINTER(c_bool)],
        ['rule', 'compound', 'energy', 'seed', 'def', 'breaks'], "Choose what a hit does to a compound. energy: in joule, >= 0 seed: turns the pattern; the same seed, the same break def: receives pattern, radius and rotation; position and all else are the caller's, so it must come from rbl_default_break_def() breaks: receives whether it breaks at all Returns RBL_OK, RBL_BAD_ARGUMENT Threads: any. Cost: O(levels + parts)."),
    'rbl_compound_wear': ('rubble', c_int, [POINTER(rbl_compound), POINTER(rbl_damage_rule), rbl_vec3d, c_int, c_double, POINTER(rbl_wear_report)],
        ['compound', 'rule', 'point', 'part', 'energy', 'report'], 'Wear a compound down by a hit: parts and bonds within the wear radius of the rule. Whatever a world does with hits that are too weak to break something, for use without one. point: of the hit part: that was hit; it takes all of the energy, however far the point is from it energy: in joule, >= 0 report: receives what it did, or NULL Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY (nothing has changed) Threads: one call on a compound at a time. Cost: O(n) in what is within the radius.'),
    'rbl_compound_open_bonds': ('rubble', c_int, [POINTER(rbl_compound), POINTER(POINTER(rbl_break))],
        ['compound', 'broken'], "Remove the bonds that are worn through, and let go what no longer hangs together. broken: receives what came off, the caller's to destroy; NULL on failure Returns as rbl_compound_break_bonds() Threads: one call on a compound at a time. Cost: O(bonds), and that of what detaches."),
    'rbl_break_get_exposed_triangles': ('rubble', c_int, [POINTER(rbl_break), POINTER(rbl_compound), POINTER(rbl_exposed_triangle), c_int, POINTER(c_int)],
        ['broken', 'rest', 'triangles', 'capacity', 'count'], 'Write the triangles of all faces that a break exposed: those that it cut, and those where an old bond is gone, less what bonds cover of them. Both sides of a crack count. Call it before anything is taken out of the break, and before the compound breaks again. rest: the compound that was broken triangles: receives up to `capacity` triangles, NULL for none count: receives how many there are Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY Threads: one call on a break at a time. Cost: O(n) in what the break touched.'),
    'rbl_break_exposed_area': ('rubble', c_double, [POINTER(rbl_break), POINTER(rbl_compound)],
        ['broken', 'rest'], 'Returns the area of the faces of convexes that a break exposed, both sides of a crack: more than that of rbl_break_get_exposed_triangles() where meshes are hollow, and much faster. Call it as that one. Threads: one call on a break at a time. Cost: O(n) in what the break touched.'),
    'rbl_default_particle_def': ('rubble', rbl_particle_def, [],
        [], 'Returns a definition that works as it is. Threads: any.'),
    'rbl_sample_particles': ('rubble', c_int, [POINTER(rbl_exposed_triangle), c_int, POINTER(rbl_particle_def), POINTER(rbl_particle), c_int, POINTER(c_int)],
        ['triangles', 'triangle_count', 'def', 'particles', 'capacity', 'count'], 'Sample particles evenly on exposed triangles. particles: receives up to `capacity` particles, NULL for none count: receives how many there are Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_LIMIT_REACHED (more than RBL_MAX_PARTICLES) Threads: any. Cost: O(n) in triangles and particles.'),
    'rbl_break_take_dust': ('rubble', c_int, [POINTER(rbl_break), c_double, POINTER(rbl_motion), POINTER(rbl_dust_fragment), c_int],
        ['broken', 'min_size', 'motion', 'dust', 'capacity'], 'Turn compounds of a break that are smaller than a size into dust: they are destroyed, and their places in rbl_break_data are NULL. Nothing else disappears. min_size: the cube root of the volume, in metres motion: of the thing that broke, or NULL: at rest dust: receives up to `capacity` pieces; more stay compounds Returns how many were turned. Threads: one call on a break at a time. Cost: O(n).'),
    'rbl_default_material_values': ('rubble', rbl_material_values, [],
        [], 'Returns friction 0.6 and density 1000, all else 0. Threads: any.'),
    'rbl_default_material_def': ('rubble', rbl_material_def, [],
        [], 'Returns a definition that works as it is: of something that does not break. Threads: any.'),
    'rbl_create_material': ('rubble', c_int, [POINTER(rbl_material_def), POINTER(POINTER(rbl_material))],
        ['def', 'material'], "Make a material. material: receives the material, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_OUT_OF_MEMORY. Threads: any."),
    'rbl_destroy_material': ('rubble', None, [POINTER(rbl_material)],
        ['material'], 'Let go of a material. Bodies, compounds, assets and colliders that have it keep it until they are gone, too. NULL is fine. Threads: any.'),
    'rbl_material_get_def': ('rubble', rbl_material_def, [POINTER(rbl_material)],
        ['material'], 'Returns all of it, with the values of now: levels, patterns and name live as long as the material. The default definition for NULL. Threads: any.'),
    'rbl_material_get_values': ('rubble', rbl_material_values, [POINTER(rbl_material)],
        ['material'], 'Returns its values; zeros for NULL. Threads: any.'),
    'rbl_material_set_values': ('rubble', c_int, [POINTER(rbl_material), POINTER(rbl_material_values)],
        ['material', 'values'], 'Change a material. Each world that uses it follows when its next step begins: contacts and masses change, and bodies that have it wake. Returns RBL_OK, RBL_BAD_ARGUMENT (nothing has changed) Threads: any, but not while a world that uses it is in a step, callbacks of the step included.'),
    'rbl_material_name': ('rubble', c_char_p, [POINTER(rbl_material)],
        ['material'], 'Returns its name, "" for none; it lives as long as the material. Threads: any.'),
    'rbl_default_collider_def': ('rubble', rbl_collider_def, [c_int],
        ['kind'], 'Returns a definition of this kind. Threads: any.'),
    'rbl_create_collider': ('rubble', c_int, [POINTER(rbl_collider_def), POINTER(POINTER(rbl_collider))],
        ['def', 'collider'], "Make a collider. collider: receives the collider, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_BAD_MESH (nothing of it is left in single precision), RBL_OUT_OF_MEMORY Threads: any. Cost: O(n), for compounds, meshes and height fields O(n log n)."),
    'rbl_create_scaled_collider': ('rubble', c_int, [POINTER(rbl_collider), rbl_vec3, POINTER(rbl_allocator), POINTER(POINTER(rbl_collider))],
        ['original', 'scale', 'allocator', 'collider'], "Make a collider of the same shape as another, but larger or smaller along the axes of its frame, about its origin. Convexes, boxes, meshes and planes take any scale. What is round stays round: spheres, capsules and round edges are scaled evenly, cylinders and cones evenly across their axis, height fields alike along x and z, compounds evenly unless their children are turned by right angles only. original: may be destroyed afterwards scale: each from 1e-6 to 1e6 allocator: NULL for the process's default collider: receives the collider, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT (the log names it), RBL_UNSUPPORTED (it would not be round any more), RBL_BAD_MESH (nothing of it is left in single precision), RBL_OUT_OF_MEMORY Threads: any. Cost: O(n), for compounds, meshes and height fields O(n log n)."),
    'rbl_destroy_collider': ('rubble', None, [POINTER(rbl_collider)],
        ['collider'], 'Let go of a collider. Bodies and compounds that have it keep it until they are gone, too. NULL is fine.'),
    'rbl_collider_kind_of': ('rubble', c_int, [POINTER(rbl_collider)],
        ['collider'], 'Returns the kind of a collider. Threads: any.'),
    'rbl_collider_child_count': ('rubble', c_int, [POINTER(rbl_collider)],
        ['collider'], 'Returns the number of children: of a compound its parts, of a mesh or height field its triangles, else 1. Threads: any.'),
    'rbl_collider_get_child': ('rubble', rbl_collider_child, [POINTER(rbl_collider), c_int],
        ['collider', 'child'], 'Returns a child of a compound: leaves only, see rbl_collider_child; for other kinds the collider itself, with the material of a triangle. All zero when there is none. Threads: any.'),
    'rbl_collider_bounds': ('rubble', rbl_box, [POINTER(rbl_collider), rbl_transform],
        ['collider', 'pose'], 'Returns the box around a collider in a pose: for all but compounds, meshes and height fields around the rotated shape, not around the rotated box. Threads: any. Cost: O(n) for convexes, else constant.'),
    'rbl_create_contacts': ('rubble', c_int, [POINTER(rbl_allocator), POINTER(POINTER(rbl_contacts))],
        ['allocator', 'contacts'], "Make the contacts of a pair; empty until the first update. allocator: NULL for the process's default contacts: receives the contacts, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY. Threads: any."),
    'rbl_destroy_contacts': ('rubble', None, [POINTER(rbl_contacts)],
        ['contacts'], 'Destroy contacts. NULL is fine.'),
    'rbl_contacts_update': ('rubble', c_int, [POINTER(rbl_contacts), POINTER(rbl_collider), rbl_transform, POINTER(rbl_collider), rbl_transform, c_float],
        ['contacts', 'a', 'pose_a', 'b', 'pose_b', 'margin'], 'Find the contacts of two colliders. What was found before is replaced. margin: points up to this far apart are reported, 0 to 1 m, for use as speculative contacts Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_UNSUPPORTED (both are of a static kind), RBL_OUT_OF_MEMORY (the contacts are as they were) Threads: any, one call per contacts at once. Cost: a microsecond or less per close pair of convexes.'),
    'rbl_contacts_get_manifolds': ('rubble', rbl_manifolds, [POINTER(rbl_contacts)],
        ['contacts'], 'Returns the manifolds of the last update, each with one point or more, in a fixed order. Threads: any.'),
    'rbl_collider_distance': ('rubble', c_int, [POINTER(rbl_collider), rbl_transform, POINTER(rbl_collider), rbl_transform, c_float, POINTER(rbl_separation)],
        ['a', 'pose_a', 'b', 'pose_b', 'max_distance', 'gap'], 'Measure the distance of two colliders. The overlap of compounds, meshes and height fields is that of the deepest pair of children. max_distance: stop beyond this distance, > 0; FLT_MAX to find any gap: receives the result; its distance is `max_distance` when nothing is nearer Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_UNSUPPORTED (both are of a static kind). Threads: any.'),
    'rbl_collider_cast_ray': ('rubble', c_int, [POINTER(rbl_collider), rbl_transform, rbl_vec3, rbl_vec3, POINTER(rbl_cast_hit)],
        ['collider', 'pose', 'from', 'translation', 'hit'], 'Cast a ray from `from` to `from + translation`. Rays do not pass between triangles of a mesh, and hit triangles from both sides. Returns RBL_OK, RBL_BAD_ARGUMENT. Threads: any.'),
    'rbl_collider_cast_collider': ('rubble', c_int, [POINTER(rbl_collider), rbl_transform, rbl_vec3, POINTER(rbl_collider), rbl_transform, POINTER(rbl_cast_hit)],
        ['moving', 'pose', 'translation', 'target', 'target_pose', 'hit'], "Move a collider by `translation` and find the time of impact: when it first comes within a small tolerance of the target, never later than it touches, and at most about a ten-thousandth of the smaller one's size sooner. moving: no mesh, height field or plane Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_UNSUPPORTED (the moving collider is of a static kind). Threads: any."),
    'rbl_collider_cast_motion': ('rubble', c_int, [POINTER(rbl_collider), rbl_transform, rbl_transform, POINTER(rbl_collider), rbl_transform, POINTER(rbl_cast_hit)],
        ['moving', 'from', 'to', 'target', 'target_pose', 'hit'], 'Move a collider from one pose to another, rotating evenly and by the shorter arc, and find the time of impact: when it first comes within a small tolerance of the target, never later than it touches. A shape that slides or rolls within the tolerance may be stopped though it would only graze. moving: no mesh, height field or plane Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_UNSUPPORTED (the moving collider is of a static kind). Threads: any.'),
    'rbl_default_field_shape_def': ('rubble', rbl_field_shape_def, [],
        [], 'Returns a definition without field and points. Threads: any.'),
    'rbl_create_field_shape': ('rubble', c_int, [POINTER(rbl_field_shape_def), POINTER(POINTER(rbl_field_shape))],
        ['def', 'shape'], "Make a shape. def: read during the call only shape: receives the shape, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_BAD_MESH (the log names what is wrong), RBL_LIMIT_REACHED (too many points), RBL_OUT_OF_MEMORY Threads: any. Cost: about 0.2 us per point."),
    'rbl_destroy_field_shape': ('rubble', None, [POINTER(rbl_field_shape)],
        ['shape'], 'Destroy a shape. NULL is fine.'),
    'rbl_field_shape_get_info': ('rubble', rbl_field_shape_info, [POINTER(rbl_field_shape)],
        ['shape'], 'Returns the numbers; all zero for NULL. Threads: any.'),
    'rbl_default_field_contact_settings': ('rubble', rbl_field_contact_settings, [],
        [], 'Returns settings that work as they are. Threads: any.'),
    'rbl_create_field_contacts': ('rubble', c_int, [POINTER(rbl_allocator), POINTER(POINTER(rbl_field_contacts))],
        ['allocator', 'contacts'], "Make a work space. allocator: its memory, NULL for the process's default contacts: receives it, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY Threads: any."),
    'rbl_destroy_field_contacts': ('rubble', None, [POINTER(rbl_field_contacts)],
        ['contacts'], 'Destroy a work space. NULL is fine.'),
    'rbl_field_contacts_find': ('rubble', c_int, [POINTER(rbl_field_contacts), POINTER(rbl_field_side), POINTER(rbl_field_side), POINTER(rbl_field_contact_settings), POINTER(rbl_field_contact_memory), POINTER(rbl_field_contact_list)],
        ['contacts', 'a', 'b', 'settings', 'memory', 'list'], 'Find the contacts of two bodies whose boxes are near. One of them may be a collider. settings: NULL for the default ones memory: of this pair and this order of sides, or NULL; changed on success list: receives what was found, until the next call with this work space; all zero on failure Returns RBL_OK, RBL_BAD_ARGUMENT (the log names it), RBL_OUT_OF_MEMORY Threads: one call per work space and per memory at once. Cost: some 20 ns for each point that is measured; in steady state nothing is allocated.'),
    'rbl_field_cast_motion': ('rubble', c_int, [POINTER(rbl_field_contacts), POINTER(rbl_field_side), rbl_transform, POINTER(rbl_field_side), c_float, c_float, POINTER(rbl_cast_hit)],
        ['contacts', 'moving', 'to', 'target', 'separation', 'depth', 'hit'], "Move a body from its pose to another, rotating evenly and by the shorter arc, and find out when it comes within a separation of another body that keeps still. Velocities are not read. Points that are as near from the start count when they have come nearer by as much again, and so do points that graze: a body that slides along a floor is stopped by the wall at its end, not by the floor. contacts: work space moving: a shape or, when the target is one, a collider that is not of a static kind separation: in metres, > 0. The error of the fields comes on top: nothing that moves straight at the target comes nearer before the time of the hit, and nothing that grazes goes deeper than three times this depth: in metres, >= 0: points that the motion leads in by less than this are passed over, as if they grazed. 0: whoever touches and leads in is hit hit: receives what was hit; its normal is never zero, its child is the target's Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_UNSUPPORTED (the moving collider is of a static kind), RBL_OUT_OF_MEMORY Threads: one call per work space at once. Cost: some 20 ns for each point and step of the way."),
    'rbl_field_shape_cast_ray': ('rubble', c_int, [POINTER(rbl_field_shape), rbl_transform, rbl_vec3, rbl_vec3, POINTER(rbl_cast_hit)],
        ['shape', 'pose', 'from', 'translation', 'hit'], "Cast a ray from `from` to `from + translation` at the field of a shape. hit: receives where the field's distance becomes zero: off by no more than its error along the normal. The normal is zero when the ray starts inside Returns RBL_OK, RBL_BAD_ARGUMENT (also: the shape has no field). Threads: any."),
    'rbl_crack_manifold': ('rubble', c_int, [POINTER(rbl_crack_polygon), rbl_transform, rbl_transform, POINTER(rbl_manifold)],
        ['polygon', 'pose_a', 'pose_b', 'manifold'], "Make a manifold of up to four corners that spread widest. Separations are how far B's side of each has moved away from A's along the normal since they parted. Returns RBL_OK, RBL_BAD_ARGUMENT (the log names it; the manifold has no points) Threads: any. Cost: O(n)."),
    'rbl_default_body_def': ('rubble', rbl_body_def, [],
        [], 'Returns a definition without a shape. Threads: any.'),
    'rbl_create_body': ('rubble', rbl_body_id, [POINTER(rbl_world), POINTER(rbl_body_def)],
        ['world', 'def'], 'Make a body. During a step (in a callback) it is promised: what the definition points to is copied or kept, the id names nothing yet, and the body is made when the step is over, before anything breaks; calls that change it may follow at once. Should memory run out then, the step counts it as lost, and the id stays stale. Returns its id; the null id when the definition is wrong (the log says what) or memory ran out Threads: world. Cost: O(n) in convexes.'),
    'rbl_destroy_body': ('rubble', c_int, [POINTER(rbl_world), rbl_body_id],
        ['world', 'body'], 'Destroy a body, its contacts and joints; ends are reported by the next step. During a step it is done at the end of the step. Returns RBL_OK, RBL_STALE_ID, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY (it is still there) Threads: world. Cost: O(n) in its contacts.'),
    'rbl_replace_body': ('rubble', c_int, [POINTER(rbl_world), rbl_body_id, POINTER(rbl_body_def), c_int, POINTER(rbl_body_id)],
        ['world', 'body', 'defs', 'count', 'bodies'], 'Replace a body by many in one go: what a fracture does. Pieces that overlap each other at birth keep that depth and are not thrown apart. All of it happens, or nothing. defs: of the new bodies bodies: receives `count` ids Returns RBL_OK, RBL_STALE_ID, RBL_BAD_ARGUMENT, RBL_BAD_MESH (a part has no volume in single precision), RBL_LIMIT_REACHED (RBL_MAX_BODIES), RBL_OUT_OF_MEMORY Threads: world. Cost: O(n), microseconds per body.'),
    'rbl_create_bodies': ('rubble', c_int, [POINTER(rbl_world), POINTER(rbl_body_def), c_int, POINTER(rbl_body_id)],
        ['world', 'defs', 'count', 'bodies'], 'Make many bodies that belong together, as rbl_replace_body() does without one that goes. During a step each is promised, as rbl_create_body() does. Returns as rbl_replace_body(); on failure nothing is made Threads: world. Cost: O(n), microseconds per body.'),
    'rbl_body_exists': ('rubble', c_bool, [POINTER(rbl_world), rbl_body_id],
        ['world', 'body'], 'Returns whether the id names a body. Threads: world.'),
    'rbl_body_get_state': ('rubble', rbl_body_state, [POINTER(rbl_world), rbl_body_id],
        ['world', 'body'], 'Returns all of the above; zeros for a stale id. Threads: world.'),
    'rbl_body_pose': ('rubble', rbl_transform, [POINTER(rbl_world), rbl_body_id],
        ['world', 'body'], "Returns where the shape's own origin is. Threads: world."),
    'rbl_body_velocity': ('rubble', rbl_vec3, [POINTER(rbl_world), rbl_body_id],
        ['world', 'body'], 'Returns the velocity of the centre of mass. Threads: world.'),
    'rbl_body_angular_velocity': ('rubble', rbl_vec3, [POINTER(rbl_world), rbl_body_id],
        ['world', 'body'], 'Returns radians per second. Threads: world.'),
    'rbl_body_velocity_at': ('rubble', rbl_vec3, [POINTER(rbl_world), rbl_body_id, rbl_vec3],
        ['world', 'body', 'point'], 'Returns the velocity of the body at a point of the world. Threads: world.'),
    'rbl_body_get_mass': ('rubble', rbl_body_mass, [POINTER(rbl_world), rbl_body_id],
        ['world', 'body'], 'Returns mass, centre and inertia. Threads: world.'),
    'rbl_body_bounds': ('rubble', rbl_box, [POINTER(rbl_world), rbl_body_id],
        ['world', 'body'], 'Returns the box around the body now, without margins; an empty one for a stale id. Threads: world. Cost: O(n) in convexes.'),
    'rbl_body_is_awake': ('rubble', c_bool, [POINTER(rbl_world), rbl_body_id],
        ['world', 'body'], 'Returns whether it moves or may move; static bodies never do. Threads: world.'),
    'rbl_body_get_material': ('rubble', rbl_material_values, [POINTER(rbl_world), rbl_body_id],
        ['world', 'body'], 'Returns what it is made of, its own or shared; zeros for a stale id. Threads: world.'),
    'rbl_body_get_shared_material': ('rubble', POINTER(rbl_material), [POINTER(rbl_world), rbl_body_id],
        ['world', 'body'], 'Returns the material that it shares, NULL for none. Threads: world.'),
    'rbl_body_get_filter': ('rubble', rbl_filter, [POINTER(rbl_world), rbl_body_id],
        ['world', 'body'], 'Returns whom it touches; nothing for a stale id. Threads: world.'),
    'rbl_body_linear_damping': ('rubble', c_float, [POINTER(rbl_world), rbl_body_id],
        ['world', 'body'], 'Returns the share of its speed that it loses per second. Threads: world.'),
    'rbl_body_angular_damping': ('rubble', c_float, [POINTER(rbl_world), rbl_body_id],
        ['world', 'body'], 'Returns the share of its turning that it loses per second. Threads: world.'),
    'rbl_body_gravity_scale': ('rubble', c_float, [POINTER(rbl_world), rbl_body_id],
        ['world', 'body'], "Returns how much of the world's gravity it feels. Threads: world."),
    'rbl_body_locks': ('rubble', c_uint32, [POINTER(rbl_world), rbl_body_id],
        ['world', 'body'], 'Returns the axes along and about which it does not move, rbl_axis_locks. Threads: world.'),
    'rbl_body_user': ('rubble', c_uint64, [POINTER(rbl_world), rbl_body_id],
        ['world', 'body'], 'Returns what the definition said. Threads: world.'),
    'rbl_body_get_compound': ('rubble', POINTER(rbl_compound), [POINTER(rbl_world), rbl_body_id],
        ['world', 'body'], "Returns the compound of a body that has one, to look at until it breaks; else NULL. For an asset that was not broken yet, the asset's. Threads: world."),
    'rbl_body_get_parts': ('rubble', c_int, [POINTER(rbl_world), rbl_body_id, POINTER(rbl_body_part), c_int],
        ['world', 'body', 'parts', 'capacity'], 'Write the convexes of a body (one for a mesh or height field). parts: receives up to `capacity` of them Returns how many there are. Threads: world. Cost: O(n).'),
    'rbl_body_get_baked': ('rubble', c_int, [POINTER(rbl_world), rbl_body_id, POINTER(rbl_baked_fragment), c_int],
        ['world', 'body', 'fragments', 'capacity'], 'Get the debris that was baked into a body. fragments: receives up to `capacity` of them, by number Returns how many there are: 0 for all other bodies. Threads: world. Cost: O(n).'),
    'rbl_body_set_pose': ('rubble', c_int, [POINTER(rbl_world), rbl_body_id, rbl_transform],
        ['world', 'body', 'pose'], 'Place a body anew, as it is; contacts follow in the next step. What sleeps there wakes.'),
    'rbl_body_set_velocity': ('rubble', c_int, [POINTER(rbl_world), rbl_body_id, rbl_vec3, rbl_vec3],
        ['world', 'body', 'velocity', 'angular_velocity'], 'Set both velocities; not of static bodies.'),
    'rbl_body_set_target': ('rubble', c_int, [POINTER(rbl_world), rbl_body_id, rbl_transform, c_float],
        ['world', 'body', 'pose', 'dt'], 'Move a kinematic body so that the next step, of `dt` seconds, brings it to a pose: by at most an eighth of a circle and RBL_MAX_SPEED; farther ones take more calls.'),
    'rbl_body_add_force': ('rubble', c_int, [POINTER(rbl_world), rbl_body_id, rbl_vec3, rbl_vec3],
        ['world', 'body', 'force', 'point'], 'Push at a point of the world until the end of the next step, in newton.'),
    'rbl_body_add_torque': ('rubble', c_int, [POINTER(rbl_world), rbl_body_id, rbl_vec3],
        ['world', 'body', 'torque'], 'Twist until the end of the next step, in newton metres.'),
    'rbl_body_add_impulse': ('rubble', c_int, [POINTER(rbl_world), rbl_body_id, rbl_vec3, rbl_vec3],
        ['world', 'body', 'impulse', 'point'], 'Change the momentum at once, in newton seconds, at a point of the world.'),
    'rbl_body_add_angular_impulse': ('rubble', c_int, [POINTER(rbl_world), rbl_body_id, rbl_vec3],
        ['world', 'body', 'impulse'], 'Change the angular momentum at once.'),
    'rbl_body_damage': ('rubble', c_int, [POINTER(rbl_world), rbl_body_id, rbl_vec3, rbl_vec3, c_float, c_float],
        ['world', 'body', 'point', 'direction', 'radius', 'energy'], 'Hurt a body by something other than a contact. What it does is up to the material there; the next step reports what came of it. point: in the world direction: of the blow, any length but zero radius: of the impact in metres, > 0; INFINITY leaves it to the rule energy: in joule, >= 0 Returns also RBL_UNSUPPORTED: nothing of the body can break'),
    'rbl_body_cut': ('rubble', c_int, [POINTER(rbl_world), rbl_body_id, rbl_vec3, rbl_vec3],
        ['world', 'body', 'point', 'normal'], 'Cut a body in two along a plane, through all of its parts and whatever they withstand, as a knife goes through an apple. What hangs together on one side stays one body. The next steps do it, under the budget of breaks. What the plane does not pass stays whole, and so does what is smaller than min_size of its rule. point: of the plane, in the world normal: of the plane, any length but zero Returns also RBL_UNSUPPORTED: nothing of the body can break, or debris was baked into it'),
    'rbl_body_set_kind': ('rubble', c_int, [POINTER(rbl_world), rbl_body_id, c_int],
        ['world', 'body', 'kind'], 'Change how a body moves. A body without volume cannot become dynamic; one with anchored parts is static until it breaks free of them.'),
    'rbl_body_set_material': ('rubble', c_int, [POINTER(rbl_world), rbl_body_id, rbl_material_values],
        ['world', 'body', 'material'], 'Give it values of its own, but its density stays what it was. Where parts have no material of their own, it does not break any more.'),
    'rbl_body_set_shared_material': ('rubble', c_int, [POINTER(rbl_world), rbl_body_id, POINTER(rbl_material)],
        ['world', 'body', 'material'], 'Let it share a material, with its density: the mass follows, and from now on it breaks by it. Breaks in progress end. It keeps it when you destroy it. Returns also RBL_UNSUPPORTED: the material can break, and the body cannot'),
    'rbl_body_set_collider': ('rubble', c_int, [POINTER(rbl_world), rbl_body_id, POINTER(rbl_collider)],
        ['world', 'body', 'collider'], "Give it another shape, which it keeps when you destroy it: mass and centre of mass follow from collider and density, the pose of the shape's origin and the joints stay, contacts begin anew, and what sleeps there wakes. Not for bodies with a compound, an asset, or contacts by fields. Returns also RBL_UNSUPPORTED"),
    'rbl_body_set_filter': ('rubble', c_int, [POINTER(rbl_world), rbl_body_id, rbl_filter],
        ['world', 'body', 'filter'], 'Change whom it touches.'),
    'rbl_body_set_damping': ('rubble', c_int, [POINTER(rbl_world), rbl_body_id, c_float, c_float],
        ['world', 'body', 'linear', 'angular'], 'Set the share of its speed, and of its turning, that a body loses per second, >= 0.'),
    'rbl_body_set_gravity_scale': ('rubble', c_int, [POINTER(rbl_world), rbl_body_id, c_float],
        ['world', 'body', 'scale'], "Set how much of the world's gravity a body feels; 0: none."),
    'rbl_body_set_locks': ('rubble', c_int, [POINTER(rbl_world), rbl_body_id, c_uint32],
        ['world', 'body', 'locks'], 'Set the axes along and about which it does not move, rbl_axis_locks: velocities there end.'),
    'rbl_body_set_awake': ('rubble', c_int, [POINTER(rbl_world), rbl_body_id, c_bool],
        ['world', 'body', 'is_awake'], 'Wake a body, or put it to sleep now, with zero velocity. A sleeping body that is touched wakes.'),
    'rbl_body_set_can_sleep': ('rubble', c_int, [POINTER(rbl_world), rbl_body_id, c_bool],
        ['world', 'body', 'can_sleep'], 'Let it fall asleep, or never.'),
    'rbl_body_set_sensor': ('rubble', c_int, [POINTER(rbl_world), rbl_body_id, c_bool],
        ['world', 'body', 'is_sensor'], 'Make a body one that reports what overlaps it and touches nothing, or make it solid again.'),
    'rbl_body_set_bullet': ('rubble', c_int, [POINTER(rbl_world), rbl_body_id, c_bool],
        ['world', 'body', 'is_bullet'], 'Sweep it against dynamic bodies too, so that it passes none however fast it is, or only against static and kinematic ones.'),
    'rbl_body_set_modifies_contacts': ('rubble', c_int, [POINTER(rbl_world), rbl_body_id, c_bool],
        ['world', 'body', 'modifies_contacts'], 'Show its contacts to rbl_world_def.modify_contact, or not. They begin anew.'),
    'rbl_body_set_enabled': ('rubble', c_int, [POINTER(rbl_world), rbl_body_id, c_bool],
        ['world', 'body', 'is_enabled'], 'Take a body out of the world without destroying it, or put it back. Its joints rest meanwhile.'),
    'rbl_body_set_user': ('rubble', c_int, [POINTER(rbl_world), rbl_body_id, c_uint64],
        ['world', 'body', 'user'], 'Set the user value. It does not wake the body.'),
    'rbl_test_vertex_face': ('rubble', c_int, [POINTER(rbl_vec3d), POINTER(rbl_vec3d), c_double, POINTER(rbl_impact)],
        ['start', 'end', 'thickness', 'impact'], 'Test a vertex against a face. start: the vertex, then the three of the face, when the step begins end: the same when it ends thickness: report pairs when they come as near as this, 0 or more. 0 asks for contact. Above 0, a reported pair is within 1.1 times the thickness at the time found, unless work or precision ran out: then is_certified is false impact: receives what was found; unchanged on failure Returns RBL_OK (also when nothing hits), RBL_BAD_ARGUMENT (NULL, a coordinate that is no number or infinite, a thickness below 0) Threads: any. No memory is taken. Cost: bounded. Without thickness tens of nanoseconds for most pairs, a few microseconds for touching ones, some twenty at most.'),
    'rbl_test_edge_edge': ('rubble', c_int, [POINTER(rbl_vec3d), POINTER(rbl_vec3d), c_double, POINTER(rbl_impact)],
        ['start', 'end', 'thickness', 'impact'], 'Test an edge against an edge. start: the two vertices of the first edge, then those of the second, when the step begins Returns as rbl_test_vertex_face(), and so is all else. Threads: any.'),
    'rbl_closest_vertex_face': ('rubble', c_int, [POINTER(rbl_vec3d), POINTER(rbl_closest)],
        ['points', 'closest'], 'Find the closest points of a vertex and a face. points: the vertex, then the three of the face, none beyond 1e300. A face without area is what is left of it closest: receives them; unchanged on failure Returns RBL_OK, RBL_BAD_ARGUMENT (NULL, or a coordinate that is not finite or beyond 1e300) Threads: any. Cost: some 50 nanoseconds.'),
    'rbl_closest_edge_edge': ('rubble', c_int, [POINTER(rbl_vec3d), POINTER(rbl_closest)],
        ['points', 'closest'], 'Find the closest points of two edges: of parallel ones, some of them. points: the two vertices of the first edge, then those of the second Returns as rbl_closest_vertex_face(), and so is all else. Threads: any.'),
    'rbl_test_triangles': ('rubble', c_int, [POINTER(rbl_vec3d), POINTER(rbl_vec3d), c_int, POINTER(c_bool)],
        ['a', 'b', 'shared_count', 'is_hit'], 'Test whether two triangles intersect at one instant: whether they have a point in common, touching included, apart from the vertex or edge that they share. A triangle without area is the segment or point that is left of it. The answer is that of real arithmetic where coordinates are zero or of a magnitude within 2^-300 to 2^300, so it does not depend on the order of triangles or vertices. shared_count: the first so many vertices of both, 0 to 2, are the same vertices of a mesh: with 1 they intersect at a point other than that vertex, with 2 at a point that is not on that edge. Vertices that only lie at one place are not shared is_hit: receives the answer; unchanged on failure Returns RBL_OK, RBL_BAD_ARGUMENT (NULL, a coordinate that is not finite, shared vertices at different places, or more than 2 of them) Threads: any. Cost: tens of nanoseconds.'),
    'rbl_world_get_chips': ('rubble', c_int, [POINTER(rbl_world), POINTER(rbl_chip), c_int],
        ['world', 'chips', 'capacity'], 'Write all chips of a world, the oldest first. Fracture events have those of a break. chips: receives up to `capacity` of them; NULL for none Returns how many there are. Threads: world. Cost: O(n).'),
    'rbl_create_chip_mesh': ('rubble', c_int, [c_int, c_int, c_double, POINTER(rbl_allocator), POINTER(POINTER(rbl_mesh))],
        ['kind', 'variant', 'radius', 'allocator', 'mesh'], "Make the mesh of a chip around its centre of mass, as chips of this kind collide. kind: not RBL_DEBRIS_NONE variant: 0 to RBL_CHIP_VARIANTS - 1; of spheres it does not matter radius: of a sphere of its volume, in metres, 1e-3 to 1e3 allocator: memory of the mesh, NULL for the process's default mesh: receives the mesh, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY. Threads: any."),
    'rbl_default_compound_field_def': ('rubble', rbl_compound_field_def, [],
        [], 'Returns a definition without compound and original. Threads: any.'),
    'rbl_create_compound_field': ('rubble', c_int, [POINTER(rbl_compound_field_def), POINTER(POINTER(rbl_distance_field))],
        ['def', 'field'], "Make the field of a compound. For one that is still whole, `original` is its field as well, and faster. def: read during the call only field: receives the field, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT (the log names what is wrong), RBL_OUT_OF_MEMORY Threads: any. Cost: O(n) in faces of its parts; for bodies of many parts, pairs of parts that are near each other count as well."),
    'rbl_create_compound_shape': ('rubble', c_int, [POINTER(rbl_compound_field_def), POINTER(rbl_distance_field), c_float, POINTER(POINTER(rbl_field_shape))],
        ['def', 'field', 'spacing', 'shape'], "Make the shape of a compound, for contacts: vertices of what is seen, and samples along its sharp edges. Points inside of the compound, where parts are bonded, are left out. Ids are made from places in the mesh, so they last through breaks. def: read during the call only; `others` are not needed field: of the compound, which tells what is inside; it must live as long as the shape spacing: as rbl_field_shape_def.spacing: metres between samples of sharp edges; 0: an eightieth of the diagonal shape: receives the shape, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_BAD_MESH, RBL_LIMIT_REACHED, RBL_OUT_OF_MEMORY Threads: any. Cost: about 0.3 us per point."),
    'rbl_default_tets_def': ('rubble', rbl_tets_def, [],
        [], 'Returns a definition without tetrahedra. Threads: any.'),
    'rbl_create_tets': ('rubble', c_int, [POINTER(rbl_tets_def), POINTER(POINTER(rbl_tets))],
        ['def', 'tets'], "Make a tetrahedral mesh: copy it, find neighbours and boundary. def: read during the call only tets: receives the mesh, the caller's to destroy; NULL on failure Returns RBL_OK; RBL_BAD_ARGUMENT (an index, a position); RBL_BAD_MESH (a tetrahedron without or with negative volume by exact test, a face with more than two tetrahedra, or two on the same side; the log names them); RBL_OUT_OF_MEMORY Threads: any. Cost: O(n)."),
    'rbl_destroy_tets': ('rubble', None, [POINTER(rbl_tets)],
        ['tets'], 'Destroy a tetrahedral mesh. NULL is fine.'),
    'rbl_tets_get_data': ('rubble', rbl_tets_data, [POINTER(rbl_tets)],
        ['tets'], 'Returns the arrays of a tetrahedral mesh. Threads: any.'),
    'rbl_tets_create_boundary_mesh': ('rubble', c_int, [POINTER(rbl_tets), POINTER(rbl_allocator), POINTER(POINTER(rbl_mesh))],
        ['tets', 'allocator', 'mesh'], "Make a mesh of the boundary: vertices and triangles in the order of the view, so that its maps hold for the mesh, too. allocator: memory of the mesh, NULL for the process's default mesh: receives the mesh, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY Threads: any. Cost: O(n)."),
    'rbl_tets_get_quality': ('rubble', rbl_tets_quality, [POINTER(rbl_tets)],
        ['tets'], 'Returns the quality of a tetrahedral mesh. Threads: any. Cost: O(n).'),
    'rbl_default_fill_def': ('rubble', rbl_fill_def, [],
        [], 'Returns a definition without a mesh. Threads: any.'),
    'rbl_fill_mesh': ('rubble', c_int, [POINTER(rbl_fill_def), POINTER(POINTER(rbl_tets)), POINTER(rbl_fill_report)],
        ['def', 'tets', 'report'], "Fill a closed mesh with tetrahedra whose angles are bounded: between faces about 10 degrees at least and 165 at most, whatever the mesh. Sharp features are cut off within an edge length. Walls, gaps and spikes that would be lost make the filling finer, up to refine_limit, or are an error. tets: receives the tetrahedra, the caller's to destroy; NULL on failure report: receives the report, also when features are lost; may be NULL Returns RBL_OK; RBL_BAD_ARGUMENT (the log names the field); RBL_BAD_MESH (not closed, inside out, or too thin: the log says where); RBL_LIMIT_REACHED (edge_length is too small for the size of the mesh); RBL_OUT_OF_MEMORY Threads: any. Cost: O(volume / edge_length^3 + faces), meant for load time."),
    'rbl_default_crack_field_def': ('rubble', rbl_crack_field_def, [],
        [], 'Returns a definition without a mesh. Threads: any.'),
    'rbl_create_crack_field': ('rubble', c_int, [POINTER(rbl_crack_field_def), POINTER(POINTER(rbl_crack_field))],
        ['def', 'field'], "Make the field of a body that is whole: all of it is fragment 0. field: receives the field, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_OUT_OF_MEMORY Threads: any. Cost: O(n log n), meant for load time."),
    'rbl_destroy_crack_field': ('rubble', None, [POINTER(rbl_crack_field)],
        ['field'], 'Destroy a field. NULL is fine.'),
    'rbl_crack_field_break': ('rubble', c_int, [POINTER(rbl_crack_field), POINTER(rbl_crack_break), POINTER(c_int)],
        ['field', 'def', 'first_fragment'], 'Break a fragment: parts become fragments with new numbers, one after another. first_fragment: receives the number of the first part Returns RBL_OK, RBL_BAD_ARGUMENT (the log names the node, tetrahedron or plane: out of range, on the wrong side, nodes of two parts that no crack keeps apart, ...), RBL_LIMIT_REACHED, RBL_OUT_OF_MEMORY. On failure nothing has changed. Threads: one call per field at once, none beside it. Cost: O(n) in nodes and cut tetrahedra of the fragment.'),
    'rbl_crack_field_fragment_count': ('rubble', c_int, [POINTER(rbl_crack_field)],
        ['field'], 'Returns one more than the highest number of a fragment. Threads: any.'),
    'rbl_crack_field_has_fragment': ('rubble', c_bool, [POINTER(rbl_crack_field), c_int],
        ['field', 'fragment'], 'Returns whether a number is that of a fragment that has not broken further. Threads: any.'),
    'rbl_crack_field_get_nodes': ('rubble', rbl_crack_nodes, [POINTER(rbl_crack_field)],
        ['field'], 'Returns what is known at the nodes. Threads: any.'),
    'rbl_crack_field_evaluate': ('rubble', c_int, [POINTER(rbl_crack_field), c_int, POINTER(rbl_vec3), c_int, POINTER(c_float), POINTER(c_float), POINTER(rbl_vec3)],
        ['field', 'fragment', 'points', 'count', 'distances', 'bounds', 'gradients'], "Measure points by a fragment. Inside, a distance is that from the nearest surface or crack which one of the nodes around the point is nearest to: never less deep than it is, and exact at nodes. Outside it is that from the mesh, the fragment's planes, box and cells, whichever is greatest, and among other fragments that from where the point's own fragment ends. points: around the field's origin distances: receives signed distances, negative inside bounds: receives for each how far the true distance may be below it; NULL: not wanted gradients: receives unit vectors that point away from the fragment; NULL: not wanted Returns RBL_OK, RBL_BAD_ARGUMENT (no such fragment, NULL) Threads: any. Cost: about 0.2 us a point near the fragment, less far away."),
    'rbl_create_crack_fragment_field': ('rubble', c_int, [POINTER(rbl_crack_field), c_int, rbl_transform, POINTER(rbl_allocator), POINTER(POINTER(rbl_distance_field))],
        ['cracks', 'fragment', 'transform', 'allocator', 'field'], "Make the distance field of a fragment: for the questions of rubble/field.h, and for contacts. cracks: must outlive the field. When the fragment breaks further, all points become infinitely far from it transform: from the coordinates of the fragment's body to those of the crack field allocator: memory of the field, NULL for the process's default field: receives the field, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT (no such fragment, a transform that is none), RBL_OUT_OF_MEMORY Threads: any."),
    'rbl_crack_field_get_points': ('rubble', c_int, [POINTER(rbl_crack_field), c_int, c_int, POINTER(rbl_vec3), POINTER(c_uint32), c_int, POINTER(c_int)],
        ['field', 'fragment', 'points', 'positions', 'ids', 'capacity', 'count'], "List points of a fragment with names that last: a point has the same in every later fragment that it is in, and no other point of that has it. positions: receives the points, around the field's origin; NULL to count them only ids: receives their names, below 2^31 capacity: room in both count: receives how many there are, also beyond the room Returns RBL_OK, RBL_BAD_ARGUMENT (no such fragment, NULL), RBL_LIMIT_REACHED (room is short, or names would pass 2^31), RBL_OUT_OF_MEMORY Threads: any. Cost: O(n) in nodes and cut tetrahedra of the fragment."),
    'rbl_default_cutter_def': ('rubble', rbl_cutter_def, [],
        [], 'Returns a definition without a mesh. Threads: any.'),
    'rbl_create_cutter': ('rubble', c_int, [POINTER(rbl_cutter_def), POINTER(POINTER(rbl_cutter))],
        ['def', 'cutter'], "Make a cutter. cutter: receives the cutter, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_BAD_MESH (not closed, oriented and manifold), RBL_LIMIT_REACHED, RBL_OUT_OF_MEMORY Threads: any. Cost: O(n)."),
    'rbl_destroy_cutter': ('rubble', None, [POINTER(rbl_cutter)],
        ['cutter'], 'Destroy a cutter. NULL is fine.'),
    'rbl_cutter_begin': ('rubble', c_int, [POINTER(rbl_cutter), POINTER(rbl_crack)],
        ['cutter', 'crack'], 'Begin a crack; one that was not led to its end stays as it is. Returns RBL_OK, RBL_BAD_ARGUMENT (the log says why), RBL_OUT_OF_MEMORY; nothing changes then Threads: one call on a cutter at a time. Cost: O(n).'),
    'rbl_cutter_advance': ('rubble', c_int, [POINTER(rbl_cutter), c_double, POINTER(rbl_cut_step)],
        ['cutter', 'progress', 'step'], 'Lead the front on. progress: along the path, 0 at its start and 1 at its end, by length; not less than before step: receives what changed Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY; nothing changes then Threads: one call on a cutter at a time. Cost: O(k log k) in what the step cuts.'),
    'rbl_cutter_get_mesh': ('rubble', rbl_cutter_mesh, [POINTER(rbl_cutter)],
        ['cutter'], 'Returns the mesh. Threads: any number while nothing changes the cutter.'),
    'rbl_cutter_get_components': ('rubble', c_int, [POINTER(rbl_cutter), POINTER(c_int), POINTER(c_int)],
        ['cutter', 'labels', 'count'], 'Label the connected parts of the mesh. labels: receives a number from 0 per triangle, in the order of first triangles count: receives the number of parts Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY Threads: any number while nothing changes the cutter. Cost: O(n).'),
    'rbl_default_joint_def': ('rubble', rbl_joint_def, [c_int],
        ['kind'], 'Returns a definition of this kind without bodies. Threads: any.'),
    'rbl_joint_def_place': ('rubble', c_int, [POINTER(rbl_world), POINTER(rbl_joint_def), rbl_transform],
        ['world', 'def', 'frame'], 'Set both frames so that the joint is at a frame of the world, with the bodies where they are now. Returns RBL_OK, RBL_STALE_ID, RBL_BAD_ARGUMENT. Threads: world.'),
    'rbl_create_joint': ('rubble', rbl_joint_id, [POINTER(rbl_world), POINTER(rbl_joint_def)],
        ['world', 'def'], 'Make a joint. It goes when one of its bodies does, and when it breaks. During a step it is promised, as rbl_create_body() does; its bodies may be promised ones. Returns its id; the null id when the definition is wrong (the log says what) or memory ran out Threads: world.'),
    'rbl_destroy_joint': ('rubble', c_int, [POINTER(rbl_world), rbl_joint_id],
        ['world', 'joint'], 'Destroy a joint. During a step it is done at the end of the step. Returns RBL_OK, RBL_STALE_ID, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY (during a step). Threads: world.'),
    'rbl_joint_exists': ('rubble', c_bool, [POINTER(rbl_world), rbl_joint_id],
        ['world', 'joint'], 'Returns whether the id names a joint. Threads: world.'),
    'rbl_joint_set_motor': ('rubble', c_int, [POINTER(rbl_world), rbl_joint_id, c_float, c_float],
        ['world', 'joint', 'speed', 'most'], 'Set the motor; no force or torque switches it off. Not of welds and motor joints. most: torque of a hinge, ball or wheel, force of a prismatic or distance joint'),
    'rbl_joint_set_limits': ('rubble', c_int, [POINTER(rbl_world), rbl_joint_id, c_bool, c_float, c_float],
        ['world', 'joint', 'has_limits', 'lower', 'upper'], 'Set the limits of the coordinate, or remove them.'),
    'rbl_joint_set_cone': ('rubble', c_int, [POINTER(rbl_world), rbl_joint_id, c_bool, c_float],
        ['world', 'joint', 'has_cone', 'angle'], 'Set the cone of a ball joint, or remove it.'),
    'rbl_joint_set_spring': ('rubble', c_int, [POINTER(rbl_world), rbl_joint_id, c_float, c_float, c_float],
        ['world', 'joint', 'hertz', 'damping', 'target'], 'Set the spring; no frequency removes it, but not that of a motor joint.'),
    'rbl_joint_set_break': ('rubble', c_int, [POINTER(rbl_world), rbl_joint_id, c_float, c_float],
        ['world', 'joint', 'force', 'torque'], 'Set the force and torque that break it; INFINITY: nothing does.'),
    'rbl_joint_set_frames': ('rubble', c_int, [POINTER(rbl_world), rbl_joint_id, rbl_transform, rbl_transform],
        ['world', 'joint', 'frame_a', 'frame_b'], 'Move the joint on its bodies: to steer a wheel, to drag with a motor joint.'),
    'rbl_joint_set_def': ('rubble', c_int, [POINTER(rbl_world), rbl_joint_id, POINTER(rbl_joint_def)],
        ['world', 'joint', 'def'], 'Change all of this at once: everything but kind, bodies, `collides` and `user`, which must be as they are. rbl_joint_get_def() gives the rest.'),
    'rbl_joint_get_state': ('rubble', rbl_joint_state, [POINTER(rbl_world), rbl_joint_id],
        ['world', 'joint'], 'Returns the state; zeros for a stale id. Threads: world.'),
    'rbl_joint_get_def': ('rubble', rbl_joint_def, [POINTER(rbl_world), rbl_joint_id],
        ['world', 'joint'], 'Returns its definition as it is now; bodies may be fragments of those that it was made with. The default one for a stale id. Threads: world.'),
    'rbl_body_get_joints': ('rubble', c_int, [POINTER(rbl_world), rbl_body_id, POINTER(rbl_joint_id), c_int],
        ['world', 'body', 'joints', 'capacity'], 'Read the joints of a body, in no order that means anything. capacity: as many are written; 0 and NULL only count Returns the number that it has; 0 for a stale id. Threads: world. Cost: O(joints)'),
    'rbl_world_get_events': ('rubble', rbl_events, [POINTER(rbl_world)],
        ['world'], 'Returns the events of the last step. Threads: world.'),
    'rbl_world_get_exposed_triangles': ('rubble', c_int, [POINTER(rbl_world), c_int, POINTER(rbl_fracture_triangle), c_int, POINTER(c_int)],
        ['world', 'fracture', 'triangles', 'capacity', 'count'], 'Write the triangles of the faces that a break of the last step exposed, both sides of each crack: for particles, decals and sounds of the caller. Bends have none. fracture: index of its event triangles: receives up to `capacity` of them; NULL for none count: receives how many there are Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_UNSUPPORTED (rbl_world_def.keeps_exposed_triangles is false) Threads: world. Cost: O(n).'),
    'rbl_world_get_moves': ('rubble', c_int, [POINTER(rbl_world), POINTER(rbl_move_event), c_int],
        ['world', 'moves', 'capacity'], 'Write the bodies that the last step moved. moves: receives up to `capacity` of them Returns how many there are. Threads: world. Cost: O(n) in awake bodies.'),
    'rbl_default_world_def': ('rubble', rbl_world_def, [],
        [], 'Returns a definition that works as it is. Threads: any.'),
    'rbl_create_world': ('rubble', c_int, [POINTER(rbl_world_def), POINTER(POINTER(rbl_world))],
        ['def', 'world'], "Make an empty world. world: receives the world, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_OUT_OF_MEMORY Threads: any."),
    'rbl_destroy_world': ('rubble', None, [POINTER(rbl_world)],
        ['world'], 'Destroy a world and all in it. NULL is fine. Not during a step.'),
    'rbl_world_step': ('rubble', c_int, [POINTER(rbl_world), c_float],
        ['world', 'dt'], 'Move time on. dt: in seconds, > 0 and at most 1; 1/60 is usual Returns RBL_OK, RBL_BAD_ARGUMENT (also when called from inside a step), RBL_OUT_OF_MEMORY: the step was not made, or made with fewer contacts; the world is usable and can be stepped again Threads: world; workers help. Cost: follows what is awake.'),
    'rbl_world_set_gravity': ('rubble', c_int, [POINTER(rbl_world), rbl_vec3],
        ['world', 'gravity'], 'Set gravity. A change wakes all bodies and releases baked debris; during a step it is set at its end. Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY: it is as before, but some baked debris may have been released. Threads: world.'),
    'rbl_world_gravity': ('rubble', rbl_vec3, [POINTER(rbl_world)],
        ['world'], 'Returns gravity in metres per second squared. Threads: world.'),
    'rbl_world_set_budget': ('rubble', c_int, [POINTER(rbl_world), c_int],
        ['world', 'budget'], 'Change rbl_world_def.budget from the next step on, for a governor that follows measured times: recordings keep it, so that they replay. During a step it is refused. Returns RBL_OK, RBL_BAD_ARGUMENT. Threads: world.'),
    'rbl_world_budget': ('rubble', c_int, [POINTER(rbl_world)],
        ['world'], 'Returns the budget of a step; 0: no limit. Threads: world.'),
    'rbl_world_can_sleep': ('rubble', c_bool, [POINTER(rbl_world)],
        ['world'], 'Returns whether bodies fall asleep. Threads: world.'),
    'rbl_world_set_can_sleep': ('rubble', c_int, [POINTER(rbl_world), c_bool],
        ['world', 'can_sleep'], 'Let bodies fall asleep, or wake all and keep them awake. During a step it is refused. Returns RBL_OK, RBL_BAD_ARGUMENT. Threads: world.'),
    'rbl_world_get_materials': ('rubble', c_int, [POINTER(rbl_world), POINTER(POINTER(rbl_material)), c_int],
        ['world', 'materials', 'capacity'], 'Write the materials that bodies of the world share, and their colliders, in a fixed order. A loaded world has its own: find them by name. Returns how many there are. Threads: world.'),
    'rbl_world_body_count': ('rubble', c_int, [POINTER(rbl_world)],
        ['world'], 'Returns the number of bodies. Threads: world.'),
    'rbl_world_get_bodies': ('rubble', c_int, [POINTER(rbl_world), POINTER(rbl_body_id), c_int],
        ['world', 'bodies', 'capacity'], 'Write the ids of all bodies, by index. Returns how many there are. Threads: world. Cost: O(n).'),
    'rbl_default_explosion': ('rubble', rbl_explosion, [],
        [], 'Returns an explosion that works as it is. Threads: any.'),
    'rbl_world_explode': ('rubble', c_int, [POINTER(rbl_world), POINTER(rbl_explosion)],
        ['world', 'explosion'], 'Explode; during a step, at its end. Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY: nothing was pushed, but some baked debris within the radius may have been released Threads: world.'),
    'rbl_default_damage_def': ('rubble', rbl_damage_def, [],
        [], 'Returns a definition that does nothing yet. Threads: any.'),
    'rbl_world_damage': ('rubble', c_int, [POINTER(rbl_world), POINTER(rbl_damage_def)],
        ['world', 'def'], 'Damage what is at a place; during a step, at its end. The next step reports what came of it. Returns RBL_OK, also when nothing is there; RBL_BAD_ARGUMENT (the log names the field), RBL_OUT_OF_MEMORY: not all was damaged Threads: world. Cost: follows the parts that are reached, and a ray for each with is_occluded.'),
    'rbl_world_shift_origin': ('rubble', c_int, [POINTER(rbl_world), rbl_vec3],
        ['world', 'offset'], 'Move everything by -offset, exactly: poses keep their low digits. Far from the origin floats are coarse, so a large world follows its viewer. offset: each coordinate a multiple of 64 metres, at most RBL_MAX_POSITION Returns RBL_OK, RBL_BAD_ARGUMENT (also during a step, and when a body would be farther away than 1e8 metres), RBL_OUT_OF_MEMORY; nothing moves on failure Threads: world. Cost: O(n).'),
    'rbl_world_hash': ('rubble', c_uint64, [POINTER(rbl_world)],
        ['world'], 'Returns a hash of the poses, the velocities and the sleep of all bodies. Equal runs have equal hashes on every platform, for any number of workers. Threads: world. Cost: O(n).'),
    'rbl_world_get_contacts': ('rubble', c_int, [POINTER(rbl_world), POINTER(rbl_contact), c_int],
        ['world', 'contacts', 'capacity'], 'Write all contacts that the last step found. contacts: receives up to `capacity` of them, in a fixed order Returns how many there are. Threads: world. Cost: O(n).'),
    'rbl_body_get_contacts': ('rubble', c_int, [POINTER(rbl_world), rbl_body_id, POINTER(rbl_contact), c_int],
        ['world', 'body', 'contacts', 'capacity'], 'Write the contacts of one body. Returns how many there are. Threads: world. Cost: O(its pairs).'),
    'rbl_world_cast_ray': ('rubble', c_bool, [POINTER(rbl_world), rbl_vec3, rbl_vec3, POINTER(rbl_filter), POINTER(rbl_world_hit)],
        ['world', 'from', 'translation', 'filter', 'hit'], 'Find the first thing that a ray from `from` to `from + translation` hits. Returns whether it hits anything; `hit` receives what'),
    'rbl_world_cast_ray_all': ('rubble', c_int, [POINTER(rbl_world), rbl_vec3, rbl_vec3, POINTER(rbl_filter), POINTER(rbl_world_hit), c_int],
        ['world', 'from', 'translation', 'filter', 'hits', 'capacity'], 'Write everything that a ray hits, each part once, nearest first. Returns how many there are, or were found when memory ran out'),
    'rbl_world_is_ray_blocked': ('rubble', c_bool, [POINTER(rbl_world), rbl_vec3, rbl_vec3, POINTER(rbl_filter)],
        ['world', 'from', 'translation', 'filter'], 'Returns whether a ray hits anything at all; faster than to find the first.'),
    'rbl_world_cast_collider': ('rubble', c_bool, [POINTER(rbl_world), POINTER(rbl_collider), rbl_transform, rbl_vec3, POINTER(rbl_filter), POINTER(rbl_world_hit)],
        ['world', 'collider', 'pose', 'translation', 'filter', 'hit'], 'Find the first thing that a collider moved along `translation` touches. collider: no mesh, height field or plane'),
    'rbl_world_cast_colliders': ('rubble', c_int, [POINTER(rbl_world), POINTER(rbl_collider_cast), c_int, POINTER(rbl_world_hit)],
        ['world', 'casts', 'count', 'hits'], "Cast many colliders at once, on the world's workers: the feet of a crowd, the wheels of cars. hits: receives what each of them touches first, as rbl_world_cast_collider() says it; the body is null and the fraction 1 where that is nothing Returns RBL_OK, RBL_BAD_ARGUMENT (the log names the cast; nothing was cast)"),
    'rbl_world_overlap_box': ('rubble', c_int, [POINTER(rbl_world), rbl_box, POINTER(rbl_filter), POINTER(rbl_world_hit), c_int],
        ['world', 'box', 'filter', 'hits', 'capacity'], 'Write the parts whose boxes overlap a box, as they are now, without margins. Returns how many there are'),
    'rbl_world_overlap_collider': ('rubble', c_int, [POINTER(rbl_world), POINTER(rbl_collider), rbl_transform, POINTER(rbl_filter), POINTER(rbl_world_hit), c_int],
        ['world', 'collider', 'pose', 'filter', 'hits', 'capacity'], 'Write the parts that a collider in a pose touches. Returns how many there are'),
    'rbl_world_find_nearest': ('rubble', c_int, [POINTER(rbl_world), POINTER(rbl_collider), rbl_transform, c_float, POINTER(rbl_filter), POINTER(rbl_world_hit), c_int],
        ['world', 'collider', 'pose', 'max_distance', 'filter', 'hits', 'capacity'], 'Write the parts that are nearest to a collider in a pose, the nearest first, and the deepest of those that overlap it before all others. Each has its nearest point, normal and distance. max_distance: how far to look, in metres, 0 to RBL_MAX_POSITION Returns how many were written'),
    'rbl_body_closest_point': ('rubble', c_bool, [POINTER(rbl_world), rbl_body_id, rbl_vec3, POINTER(rbl_world_hit)],
        ['world', 'body', 'point', 'hit'], "Find the point of a body's surface that is nearest to a point. Its distance is negative when the point is inside a convex part or a field body. Returns false for a stale id"),
    'rbl_world_draw': ('rubble', c_int, [POINTER(rbl_world), POINTER(rbl_draw)],
        ['world', 'draw'], 'Draw the world through callbacks. Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY (by RBL_DRAW_STRESS, RBL_DRAW_HEALTH and RBL_DRAW_ISLANDS: some may have been drawn). Threads: world. Cost: O(n), O(n log n) in bonds.'),
    'rbl_world_get_stats': ('rubble', rbl_world_stats, [POINTER(rbl_world)],
        ['world'], 'Returns what the last step did. Threads: world.'),
    'rbl_default_sources': ('rubble', rbl_sources, [],
        [], 'Returns sources that know nothing: enough for worlds without assets and patterns. Threads: any.'),
    'rbl_world_save': ('rubble', c_int, [POINTER(rbl_world), c_void_p, POINTER(c_size_t)],
        ['world', 'bytes', 'size'], 'Write a world as bytes, little-endian on every platform. The world does not change. bytes: receives the bytes; NULL to ask for the size only size: room in `bytes`; receives the number of bytes Returns RBL_OK, RBL_BAD_ARGUMENT (also during a step), RBL_OUT_OF_MEMORY, RBL_LIMIT_REACHED (room is short: `size` says what it takes, `bytes` holds nothing of use) Threads: world. Cost: O(n), some milliseconds for thousands of bodies in contact.'),
    'rbl_world_load': ('rubble', c_int, [c_void_p, c_size_t, POINTER(rbl_world_def), POINTER(rbl_sources), POINTER(POINTER(rbl_world))],
        ['bytes', 'size', 'def', 'sources', 'world'], "Make the world that was written. Ids of bodies and joints are what they were. Its steps have the same bits as those of the world that was saved, for any number of workers. def: should_collide, user, jobs and allocator are read, all else is in the bytes sources: assets and patterns that the bytes name world: receives the world, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_BAD_FILE (damaged, of another version, or an asset or pattern is not to be found: the log says which), RBL_OUT_OF_MEMORY Threads: any. Cost: O(n)."),
    'rbl_world_log_fractures': ('rubble', c_int, [POINTER(rbl_world), rbl_fracture_log_function, c_void_p],
        ['world', 'write', 'user'], 'Log every fracture from now on, from inside the steps that find them. write: NULL: no longer Returns RBL_OK, RBL_BAD_ARGUMENT (also during a step). Threads: world.'),
    'rbl_world_apply_fractures': ('rubble', c_int, [POINTER(rbl_world), c_void_p, c_size_t, POINTER(rbl_sources)],
        ['world', 'bytes', 'size', 'sources'], "Break what a log says was broken. What was not a fragment itself is found by its id: bodies must have been made in the same order. Bodies are put where they broke. The next step reports nothing of it. bytes: one event or many, in order, from the first that this world does not have sources: patterns that the bodies' damage rules do not have; NULL for none Returns RBL_OK, RBL_BAD_ARGUMENT (also during a step), RBL_BAD_FILE (damaged, out of order, or of other bodies, the log says which event; those before it are done), RBL_OUT_OF_MEMORY Threads: world. Cost: that of the breaks."),
    'rbl_body_fragment': ('rubble', c_uint32, [POINTER(rbl_world), rbl_body_id],
        ['world', 'body'], 'Returns the number of a fragment, from 1 on in the order in which they broke off; 0 for other bodies. Threads: world.'),
    'rbl_world_find_fragment': ('rubble', rbl_body_id, [POINTER(rbl_world), c_uint32],
        ['world', 'fragment'], 'Returns the fragment of that number, the null id when it is gone or baked into a static body. Threads: world. Cost: O(n).'),
    'rbl_default_hull_def': ('rubble', rbl_hull_def, [],
        [], 'Returns a definition without points. Threads: any.'),
    'rbl_create_hull': ('rubble', c_int, [POINTER(rbl_hull_def), POINTER(POINTER(rbl_hull))],
        ['def', 'hull'], "Make the exact convex hull: every decision is that of real arithmetic, so the hull is convex and holds all points without a tolerance. The same points give the same hull on every platform. def: read during the call only hull: receives the hull, the caller's to destroy; NULL on failure Returns RBL_OK; RBL_BAD_ARGUMENT (the log names the field or point); RBL_BAD_MESH when the points are all at one place, on a line, or in a plane (the log says which); RBL_OUT_OF_MEMORY Threads: any. Cost: O(n log n) for points in general, O(n^2) for the worst."),
    'rbl_destroy_hull': ('rubble', None, [POINTER(rbl_hull)],
        ['hull'], 'Destroy a hull. NULL is fine.'),
    'rbl_hull_get_data': ('rubble', rbl_hull_data, [POINTER(rbl_hull)],
        ['hull'], 'Returns the arrays of a hull. Threads: any.'),
    'rbl_hull_create_mesh': ('rubble', c_int, [POINTER(rbl_hull), POINTER(rbl_allocator), POINTER(POINTER(rbl_mesh))],
        ['hull', 'allocator', 'mesh'], "Make a mesh of a hull: one polygon per face, no attributes. allocator: memory of the mesh, NULL for the process's default mesh: receives the mesh, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY Threads: any. Cost: O(n)."),
    'rbl_default_outer_hull_def': ('rubble', rbl_outer_hull_def, [],
        [], 'Returns a definition without points. Threads: any.'),
    'rbl_create_outer_hull': ('rubble', c_int, [POINTER(rbl_outer_hull_def), POINTER(POINTER(rbl_outer_hull))],
        ['def', 'hull'], "Make an outer hull (Mueller et al. 2013, Algorithm 1): the box around the points, cut by the planes. The same points give the same hull on every platform. hull: receives the hull, the caller's to destroy; NULL on failure Returns RBL_OK; RBL_BAD_ARGUMENT (the log names the field or point); RBL_BAD_MESH when the points are all at one place, on a line, or in a plane; RBL_OUT_OF_MEMORY Threads: any. Cost: about 0.1 ns per point and chosen point; O(k^2) for k planes."),
    'rbl_destroy_outer_hull': ('rubble', None, [POINTER(rbl_outer_hull)],
        ['hull'], 'Destroy an outer hull. NULL is fine.'),
    'rbl_outer_hull_get_data': ('rubble', rbl_outer_hull_data, [POINTER(rbl_outer_hull)],
        ['hull'], 'Returns the arrays of an outer hull; all zero for NULL. Threads: any.'),
    'rbl_points_dimension': ('rubble', c_int, [POINTER(rbl_vec3d), c_int],
        ['points', 'point_count'], 'Returns the dimension of the space that points span, exactly: 0 for points at one place, 1 for a line, 2 for a plane, 3 otherwise; -1 for none, NULL, or points that are not finite. Threads: any. Cost: O(n).'),
    'rbl_fit_kdop': ('rubble', c_int, [POINTER(rbl_vec3d), c_int, c_int, POINTER(rbl_planed)],
        ['points', 'point_count', 'plane_count', 'planes'], 'Bound points by planes of fixed directions: 6 (a box), 14 (and the corners of a cube), 18 (and its edges instead) or 26 (both). Every point is exactly behind or on every plane. planes: receives `plane_count` planes, unit normals outwards, in opposite pairs Returns RBL_OK, RBL_BAD_ARGUMENT (no points, not finite, or another number of planes) Threads: any. Cost: O(n).'),
    'rbl_default_scene_node': ('rubble-io', rbl_scene_node, [],
        [], 'Returns a node at the origin, without mesh, parent or name. Threads: any.'),
    'rbl_default_scene_material': ('rubble-io', rbl_scene_material, [],
        [], "Returns glTF's default material. Threads: any."),
    'rbl_default_read_def': ('rubble-io', rbl_read_def, [],
        [], 'Returns a definition that works as it is. Threads: any.'),
    'rbl_read_mesh': ('rubble-io', c_int, [c_char_p, POINTER(rbl_read_def), POINTER(POINTER(rbl_mesh))],
        ['path', 'def', 'mesh'], "Read a file into one mesh: the short way; rbl_read_document() keeps everything. The nodes of a glTF scene are placed by their transforms; skins and morph targets are left out with a warning in the log, nodes that are scaled to nothing and vertices that no face uses without one. Attributes that only some faces have are completed: normals by the face's own, texture coordinates by 0, colours by white. Of a MEDIT file that has tetrahedra and no faces, the mesh is the boundary. path: UTF-8 def: read during the call only; NULL for the defaults mesh: receives the mesh, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_IO_FAILED (the log has the system's reason; also for what is no regular file), RBL_BAD_FILE (the log has line or offset and reason; also for what lies outside of `within`), RBL_UNSUPPORTED, RBL_LIMIT_REACHED (also for files larger than size_limit), RBL_OUT_OF_MEMORY Threads: any. Cost: O(n); memory within a small multiple of the file's size."),
    'rbl_read_mesh_memory': ('rubble-io', c_int, [c_void_p, c_size_t, POINTER(rbl_read_def), POINTER(POINTER(rbl_mesh))],
        ['bytes', 'size', 'def', 'mesh'], 'The same from a block of memory that holds the file. The definition is as there. Returns as rbl_read_mesh(). Threads: any. Cost: O(n).'),
    'rbl_read_document': ('rubble-io', c_int, [c_char_p, POINTER(rbl_read_def), POINTER(POINTER(rbl_document))],
        ['path', 'def', 'document'], "Read a file and keep all that a scene has: nodes, meshes (each once, in its own coordinates, with all attributes of corners), materials, textures, samplers and images with the bytes of their files, cameras, animations, extras and extensions of materials and textures. What is not kept (skins, morph targets, points and lines, other scenes, unknown extensions) is listed in one warning. Nodes come parents first; what EXT_mesh_gpu_instancing repeats becomes nodes. Of other formats the scene is one node with one mesh. def: read during the call only; NULL for the defaults. glTF: `up`, `scale` and `is_left_handed` must be the defaults, since nodes have places of their own document: receives it, the caller's to destroy; NULL on failure Returns as rbl_read_mesh(); RBL_BAD_FILE also for images that are cut off or of another kind than they are said to be of Threads: any. Cost: O(n); memory within a small multiple of the file's size."),
    'rbl_read_document_memory': ('rubble-io', c_int, [c_void_p, c_size_t, POINTER(rbl_read_def), POINTER(POINTER(rbl_document))],
        ['bytes', 'size', 'def', 'document'], 'The same from a block of memory that holds the file. Returns as rbl_read_document(). Threads: any. Cost: O(n).'),
    'rbl_destroy_document': ('rubble-io', None, [POINTER(rbl_document)],
        ['document'], 'Destroy a document with its meshes. NULL is fine.'),
    'rbl_document_get_scene': ('rubble-io', rbl_scene, [POINTER(rbl_document)],
        ['document'], 'Returns the scene of a document, whose arrays live as long as it; empty for NULL. Threads: any.'),
    'rbl_read_tets': ('rubble-io', c_int, [c_char_p, POINTER(rbl_read_def), POINTER(POINTER(rbl_tets))],
        ['path', 'def', 'tets'], "Read the tetrahedra of a MEDIT file. Those that the file has inside out are turned round. tets: receives them, the caller's to destroy; NULL on failure Returns as rbl_read_mesh(); RBL_BAD_MESH where rbl_create_tets() says so; RBL_UNSUPPORTED for files that hold no tetrahedra Threads: any. Cost: O(n)."),
    'rbl_read_tets_memory': ('rubble-io', c_int, [c_void_p, c_size_t, POINTER(rbl_read_def), POINTER(POINTER(rbl_tets))],
        ['bytes', 'size', 'def', 'tets'], 'The same from a block of memory that holds the file. Returns as rbl_read_tets(). Threads: any. Cost: O(n).'),
    'rbl_read_tet_arrays': ('rubble-io', c_int, [c_char_p, POINTER(rbl_read_def), POINTER(rbl_tet_arrays)],
        ['path', 'def', 'tets'], "Read the tetrahedra of a MEDIT file as they are, with indices and positions checked alone. tets: receives arrays, the caller's to free; empty on failure Returns as rbl_read_mesh(); RBL_UNSUPPORTED for formats that hold no tetrahedra Threads: any. Cost: O(n)."),
    'rbl_read_tet_arrays_memory': ('rubble-io', c_int, [c_void_p, c_size_t, POINTER(rbl_read_def), POINTER(rbl_tet_arrays)],
        ['bytes', 'size', 'def', 'tets'], 'The same from a block of memory that holds the file. Returns as rbl_read_tet_arrays(). Threads: any. Cost: O(n).'),
    'rbl_free_tet_arrays': ('rubble-io', None, [POINTER(rbl_tet_arrays)],
        ['tets'], 'Free the arrays; they are empty afterwards. NULL is fine.'),
    'rbl_default_write_def': ('rubble-io', rbl_write_def, [],
        [], 'Returns a definition that works as it is. Threads: any.'),
    'rbl_write_mesh': ('rubble-io', c_int, [c_char_p, POINTER(rbl_mesh), POINTER(rbl_write_def)],
        ['path', 'mesh', 'def'], "Write a mesh. What each format keeps: OBJ positions (exactly), polygons, normals, first texture coordinates, materials (in a .mtl file beside it), colours without alpha where all corners of a vertex agree PLY positions (exactly, unless single_precision), polygons, texture coordinates per corner, normals and colours where all corners of a vertex agree STL triangles; positions exactly as text, rounded to floats as binary .glb triangles; positions rounded to floats; all attributes and materials What a format cannot keep is left out with a warning in the log. path: UTF-8; an existing file is replaced. A failed write leaves no file. mesh: what to write def: read during the call only; NULL for the defaults Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_BAD_MESH (a position beyond a float's range where floats are written), RBL_IO_FAILED, RBL_UNSUPPORTED, RBL_LIMIT_REACHED, RBL_OUT_OF_MEMORY Threads: any. Cost: O(n)."),
    'rbl_write_mesh_memory': ('rubble-io', c_int, [POINTER(rbl_mesh), POINTER(rbl_write_def), POINTER(rbl_file_bytes)],
        ['mesh', 'def', 'bytes'], "Write a mesh into memory, as rbl_write_mesh() does; the format must be given. An OBJ names its materials but has no .mtl file. bytes: receives the file, the caller's to free with rbl_free_bytes(); empty on failure Returns as rbl_write_mesh() Threads: any. Cost: O(n)."),
    'rbl_free_bytes': ('rubble-io', None, [POINTER(rbl_file_bytes)],
        ['bytes'], 'Free the bytes; they are empty afterwards. NULL is fine.'),
    'rbl_read_file': ('rubble-io', c_int, [c_char_p, POINTER(rbl_read_def), POINTER(rbl_file_bytes)],
        ['path', 'def', 'bytes'], "Read a whole file into memory: a regular one, never a device, pipe, socket or folder. path: UTF-8 def: size_limit, within and allocator are read; NULL for the defaults bytes: receives the file, the caller's to free with rbl_free_bytes(); empty on failure Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_IO_FAILED, RBL_BAD_FILE (outside of `within`), RBL_LIMIT_REACHED, RBL_OUT_OF_MEMORY Threads: any. Cost: O(n)."),
    'rbl_write_scene': ('rubble-io', c_int, [c_char_p, POINTER(rbl_scene), POINTER(rbl_write_def)],
        ['path', 'scene', 'def'], 'Write a scene as .glb, which viewers and modelling programs read. Returns as rbl_write_mesh(); RBL_UNSUPPORTED for other formats Threads: any. Cost: O(n).'),
    'rbl_write_scene_memory': ('rubble-io', c_int, [POINTER(rbl_scene), POINTER(rbl_write_def), POINTER(rbl_file_bytes)],
        ['scene', 'def', 'bytes'], 'The same into memory, as rbl_write_mesh_memory() does. Returns as rbl_write_scene(). Threads: any. Cost: O(n).'),
    'rbl_default_film_def': ('rubble-io', rbl_film_def, [],
        [], 'Returns a definition that works as it is. Threads: any.'),
    'rbl_create_film': ('rubble-io', c_int, [POINTER(rbl_film_def), POINTER(POINTER(rbl_film))],
        ['def', 'film'], "Make an empty film, at time 0. film: receives the film, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY Threads: any."),
    'rbl_destroy_film': ('rubble-io', None, [POINTER(rbl_film)],
        ['film'], 'Destroy a film and its meshes. NULL is fine.'),
    'rbl_film_add_mesh': ('rubble-io', c_int, [POINTER(rbl_film), POINTER(rbl_mesh), POINTER(c_int)],
        ['film', 'mesh', 'index'], 'Add a mesh, which any number of objects can show. The film owns it from then on, also when this fails. Equal meshes are kept and written once, also those that are another one turned. Only meshes that an object shows are written, with the materials that their faces use. index: receives its number Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY Threads: one call per film at once, here and below. Cost: O(n), a copy about its centre of mass.'),
    'rbl_film_add_materials': ('rubble-io', c_int, [POINTER(rbl_film), POINTER(rbl_scene), POINTER(c_int)],
        ['film', 'scene', 'offset'], "Add the materials, textures, samplers and images of a scene: meshes whose materials have a `source` are drawn with them, and they are written once for all. scene: of rbl_document_get_scene(), or made by hand; copied offset: receives the number of materials that were there before: meshes need a `source` of offset + 1 for the scene's first material, and so on Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY Cost: O(n), a copy."),
    'rbl_film_set_extras': ('rubble-io', c_int, [POINTER(rbl_film), c_int, c_char_p],
        ['film', 'object', 'extras'], 'Keep something beside an object or part: the extras of its node in the file. extras: JSON, copied; or NULL Returns RBL_OK, RBL_BAD_ARGUMENT (no such object, no JSON), RBL_OUT_OF_MEMORY'),
    'rbl_film_begin_frame': ('rubble-io', c_int, [POINTER(rbl_film), c_float],
        ['film', 'time'], 'Begin the next frame. time: in seconds, finite, >= 0, after the last frame Returns RBL_OK, RBL_BAD_ARGUMENT'),
    'rbl_film_add_object': ('rubble-io', c_int, [POINTER(rbl_film), c_int, rbl_transform, POINTER(c_int)],
        ['film', 'mesh', 'pose', 'object'], "Add an object, which appears in this frame. mesh: a number from rbl_film_add_mesh(); -1 for none: it has parts, or marks a place pose: of the mesh's coordinates; without a mesh, of the node's origin, which is best at the centre of mass of the parts object: receives its number; numbers go upwards from 0 Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY"),
    'rbl_film_add_part': ('rubble-io', c_int, [POINTER(rbl_film), c_int, c_int, rbl_transform, POINTER(c_int)],
        ['film', 'object', 'mesh', 'pose', 'part'], "Add a part, which appears in this frame: a mesh that moves with an object and vanishes with it, or before. The parts of an object share its keyframes. object: not a part itself mesh: a number from rbl_film_add_mesh() pose: of the mesh's coordinates, in those of the object part: receives its number, counted with those of objects Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY"),
    'rbl_film_move': ('rubble-io', c_int, [POINTER(rbl_film), c_int, rbl_transform],
        ['film', 'object', 'pose'], 'Set the pose of an object in this frame. An object without a pose in a frame stands still. It is interpolated linearly from the frame before, and rotates the shorter way. Returns RBL_OK, RBL_BAD_ARGUMENT (no such object, a part, or it is gone; not finite; moved before in this frame), RBL_OUT_OF_MEMORY (it stands still)'),
    'rbl_film_move_with_angular_velocity': ('rubble-io', c_int, [POINTER(rbl_film), c_int, rbl_transform, rbl_vec3],
        ['film', 'object', 'pose', 'angular_velocity'], 'The same for an object that may rotate by more than half a turn from frame to frame. angular_velocity: in this frame, in radians per second: it tells the number of revolutions Returns as rbl_film_move()'),
    'rbl_film_add_puff': ('rubble-io', c_int, [POINTER(rbl_film), c_int, rbl_vec3, rbl_vec3, c_float, c_float],
        ['film', 'mesh', 'from', 'to', 'radius', 'lifetime'], 'Add a puff, such as dust: it appears in this frame, grows, moves on, and shrinks to nothing by itself, also after the last frame. It cannot be moved or removed, and is called "puff N". Pictures draw it as a soft cloud in the color of its mesh, as dense as its alpha says. mesh: a number from rbl_film_add_mesh(), of something round from,: to its middle at first and in the end radius: at its largest, halfway through its life: > 0 and at most 1e6 lifetime: in seconds, > 0 and at most 1e6 Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY'),
    'rbl_camera_pose': ('rubble-io', rbl_transform, [rbl_vec3, rbl_vec3],
        ['position', 'target'], 'Returns the pose of a camera that looks at a place, y up: along its own -z, as in glTF. Threads: any.'),
    'rbl_film_add_camera': ('rubble-io', c_int, [POINTER(rbl_film), rbl_transform, c_float, POINTER(c_int)],
        ['film', 'pose', 'angle', 'object'], 'Add a camera: an object without a mesh, whose node in the file has a glTF camera. It is moved and named as objects are, and is there from the first frame to the last. Pictures do not use it. pose: it looks along its own -z, and its y is up: see rbl_camera_pose() angle: vertical field of view in degrees, > 0 and < 180 object: receives its number, counted with those of objects Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY'),
    'rbl_film_remove': ('rubble-io', c_int, [POINTER(rbl_film), c_int],
        ['film', 'object'], 'Remove an object in this frame, with its parts; or a part alone. Returns RBL_OK, RBL_BAD_ARGUMENT (no such object, or it is gone)'),
    'rbl_film_set_name': ('rubble-io', c_int, [POINTER(rbl_film), c_int, c_char_p],
        ['film', 'object', 'name'], 'Name an object or a part: its node in the file is called that. name: UTF-8, copied Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY'),
    'rbl_film_get_info': ('rubble-io', rbl_film_info, [POINTER(rbl_film)],
        ['film'], 'Returns what it holds; zeros for NULL.'),
    'rbl_write_film': ('rubble-io', c_int, [c_char_p, POINTER(rbl_film), POINTER(rbl_write_def)],
        ['path', 'film', 'def'], 'Write a film as it is so far, as .glb. More frames may follow. Returns as rbl_write_scene() Cost: O(n) in keys.'),
    'rbl_write_film_memory': ('rubble-io', c_int, [POINTER(rbl_film), POINTER(rbl_write_def), POINTER(rbl_file_bytes)],
        ['film', 'def', 'bytes'], 'The same into memory, as rbl_write_mesh_memory() does. Returns as rbl_write_film(). Cost: O(n) in keys.'),
    'rbl_film_create_mesh': ('rubble-io', c_int, [POINTER(rbl_film), c_float, POINTER(POINTER(rbl_mesh))],
        ['film', 'time', 'mesh'], "Make one mesh of all that a film shows at a time, in the coordinates of the world, for formats that have no animation. Equal materials become one. time: seconds, >= 0 mesh: receives the mesh, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY Threads: any that leave the film alone. Cost: O(n)."),
    'rbl_file_format_of_name': ('rubble-io', c_int, [c_char_p],
        ['name'], "Returns the format of a file name's extension, or RBL_FORMAT_AUTO. Threads: any."),
    'rbl_file_format_ending': ('rubble-io', c_char_p, [c_int],
        ['format'], 'Returns the usual extension without its dot, never NULL. Threads: any.'),
    'rbl_parse_json': ('rubble-io', c_int, [c_char_p, c_size_t, c_char_p, POINTER(rbl_allocator), POINTER(POINTER(rbl_json_document))],
        ['text', 'size', 'name', 'allocator', 'document'], 'Parse a JSON text: UTF-8 without a byte order mark, one value, white space around it. Refused are, besides what the grammar refuses: a key twice in one object, a number beyond the range of a double, half a surrogate pair, more than RBL_JSON_MAX_DEPTH levels. text: must stay as it is until the document is destroyed size: its bytes, below 2^31 name: what messages call it: "name:line:column: reason"; NULL: "JSON" allocator: of the document; NULL for the process\'s heap document: receives it, the caller\'s to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_BAD_FILE (the log has line, column and reason), RBL_LIMIT_REACHED, RBL_OUT_OF_MEMORY Threads: any. Cost: O(n), O(k log k) for an object of k keys; memory at most 80 times the size.'),
    'rbl_destroy_json': ('rubble-io', None, [POINTER(rbl_json_document)],
        ['document'], 'Destroy a document and its values. NULL is fine.'),
    'rbl_json_root': ('rubble-io', POINTER(rbl_json), [POINTER(rbl_json_document)],
        ['document'], 'Returns the value of the whole text, never NULL unless the document is. Threads: any, here and below.'),
    'rbl_json_get_type': ('rubble-io', c_int, [POINTER(rbl_json)],
        ['value'], 'Returns what a value is.'),
    'rbl_json_count': ('rubble-io', c_int, [POINTER(rbl_json)],
        ['value'], 'Returns the number of items of a list or members of an object, otherwise 0.'),
    'rbl_json_item': ('rubble-io', POINTER(rbl_json), [POINTER(rbl_json), c_int],
        ['value', 'index'], 'Returns item `index` of a list, or the value of member `index` of an object in the order of the text; NULL where there is none.'),
    'rbl_json_key': ('rubble-io', c_char_p, [POINTER(rbl_json), c_int],
        ['object', 'index'], 'Returns the key of member `index` of an object, or NULL.'),
    'rbl_json_member': ('rubble-io', POINTER(rbl_json), [POINTER(rbl_json), c_char_p],
        ['object', 'key'], 'Returns the value of a key, NULL where there is none or `object` is no object. Cost: O(log n) in members.'),
    'rbl_json_number': ('rubble-io', c_double, [POINTER(rbl_json), c_double],
        ['value', 'fallback'], 'Returns the double nearest to a number, `fallback` for anything else.'),
    'rbl_json_get_integer': ('rubble-io', c_bool, [POINTER(rbl_json), POINTER(c_int64)],
        ['value', 'number'], 'A whole number that fits into 64 bits, exactly; 1.0 and 1e3 are whole numbers too. Returns false, with *number unchanged, for anything else.'),
    'rbl_json_is_true': ('rubble-io', c_bool, [POINTER(rbl_json)],
        ['value'], 'Returns whether the value is `true`.'),
    'rbl_json_text': ('rubble-io', c_char_p, [POINTER(rbl_json)],
        ['value'], 'Returns a text as UTF-8, closed by a zero; NULL for anything else.'),
    'rbl_json_text_length': ('rubble-io', c_size_t, [POINTER(rbl_json)],
        ['value'], 'Returns the bytes of a text, which may have zeros among them; otherwise 0.'),
    'rbl_json_get_source': ('rubble-io', rbl_json_source, [POINTER(rbl_json_document), POINTER(rbl_json)],
        ['document', 'value'], 'Returns a value as it was written: for handing on what need not be understood.'),
    'rbl_json_get_position': ('rubble-io', None, [POINTER(rbl_json_document), POINTER(rbl_json), POINTER(c_int), POINTER(c_int)],
        ['document', 'value', 'line', 'column'], 'Where a value starts, both from 1; columns count characters. Cost: O(n) in what is before it.'),
    'rbl_default_surface_def': ('rubble', rbl_surface_def, [],
        [], 'Returns a definition that works as it is. Threads: any.'),
    'rbl_measure_surface_costs': ('rubble', c_int, [POINTER(rbl_surface_def), POINTER(rbl_surface_costs)],
        ['def', 'costs'], 'Measure the constants of this machine, for those who do not have them from `rubble calibrate`. They come from a clock: a run that must repeat elsewhere keeps the numbers. def: with the builder, workers and memory to measure; read during the call only costs: receives the constants; unchanged on failure Returns RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_OUT_OF_MEMORY Threads: any. Cost: some tens of milliseconds.'),
    'rbl_create_surface': ('rubble', c_int, [POINTER(rbl_surface_def), POINTER(POINTER(rbl_surface))],
        ['def', 'surface'], "Make an empty surface. def: read during the call only surface: receives the surface, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_OUT_OF_MEMORY Threads: any."),
    'rbl_destroy_surface': ('rubble', None, [POINTER(rbl_surface)],
        ['surface'], 'Destroy a surface. NULL is fine.'),
    'rbl_surface_set_culling': ('rubble', c_int, [POINTER(rbl_surface), c_int],
        ['surface', 'culling'], 'Choose another grade of culling, from the next update on. Returns RBL_OK, RBL_BAD_ARGUMENT Threads: one call on a surface at a time, here and below unless said otherwise.'),
    'rbl_default_surface_body_def': ('rubble', rbl_surface_body_def, [],
        [], 'Returns a definition without triangles. Threads: any.'),
    'rbl_surface_add': ('rubble', c_int, [POINTER(rbl_surface), POINTER(rbl_surface_body_def), POINTER(rbl_surface_body_id)],
        ['surface', 'def', 'body'], 'Add a body. def: read during the call only body: receives its id; all zero on failure Returns RBL_OK, RBL_BAD_ARGUMENT (the log names vertex or triangle), RBL_LIMIT_REACHED, RBL_OUT_OF_MEMORY Cost: O(n log n) in its triangles.'),
    'rbl_surface_add_tets': ('rubble', c_int, [POINTER(rbl_surface), POINTER(rbl_tets), POINTER(rbl_surface_body_id)],
        ['surface', 'tets', 'body'], 'Add the boundary of a tetrahedral mesh. Vertices and triangles of the body come in the order of rbl_tets_get_data(): its boundary_vertices and boundary_tets are the map back. Returns as rbl_surface_add()'),
    'rbl_surface_remove': ('rubble', c_int, [POINTER(rbl_surface), rbl_surface_body_id],
        ['surface', 'body'], 'Remove a body with its vertices and triangles. Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_STALE_ID Cost: O(n) in its triangles.'),
    'rbl_surface_body_set_thickness': ('rubble', c_int, [POINTER(rbl_surface), rbl_surface_body_id, c_float],
        ['surface', 'body', 'thickness'], 'Change the thickness of a body, from the next update on. Pieces of a body inherit it; a merged body has that of the first. thickness: in metres, finite, at least 0 Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_STALE_ID'),
    'rbl_surface_body_thickness': ('rubble', c_float, [POINTER(rbl_surface), rbl_surface_body_id],
        ['surface', 'body'], 'Returns the thickness of a body, 0 for a stale id. Threads: any number while nothing changes the surface.'),
    'rbl_surface_body_set_filter': ('rubble', c_int, [POINTER(rbl_surface), rbl_surface_body_id, rbl_surface_filter],
        ['surface', 'body', 'filter'], 'Change what a body is tested against, from the next update on. Pieces of a body inherit it; a merged body has that of the first. Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_STALE_ID'),
    'rbl_surface_body_get_filter': ('rubble', rbl_surface_filter, [POINTER(rbl_surface), rbl_surface_body_id],
        ['surface', 'body'], 'Returns what a body is tested against, all zero for a stale id. Threads: any number while nothing changes the surface.'),
    'rbl_surface_exclude_bodies': ('rubble', c_int, [POINTER(rbl_surface), rbl_surface_body_id, rbl_surface_body_id, c_bool],
        ['surface', 'a', 'b', 'is_excluded'], 'Exclude two bodies from being tested against each other, or no longer, from the next update on: garments that begin within each other, parts that are sewn. The first piece of a body that splits keeps its id and what is excluded; other pieces are tested. a,: b two different bodies Returns RBL_OK (also where nothing changes), RBL_BAD_ARGUMENT, RBL_STALE_ID, RBL_OUT_OF_MEMORY Cost: O(n) in excluded pairs.'),
    'rbl_surface_exclude_triangles': ('rubble', c_int, [POINTER(rbl_surface), POINTER(rbl_surface_pair), c_int, c_bool],
        ['surface', 'pairs', 'count', 'is_excluded'], 'Exclude pairs of triangles, or no longer, from the next update on: seams, or all that a garment begins within, as rbl_surface_collide() lists it. Neither the two are listed, nor a vertex of one and the other as a face, nor an edge of each, whatever else they belong to. A triangle takes that along through splits and merges, and is rid of it when it is removed. pairs: two different triangles each, in any order; some may come twice. May be NULL when there are none Returns RBL_OK (also where nothing changes), RBL_BAD_ARGUMENT (the log says which), RBL_OUT_OF_MEMORY Cost: O(n log n) in excluded pairs.'),
    'rbl_default_surface_split_def': ('rubble', rbl_surface_split_def, [],
        [], 'Returns a definition without pieces. Threads: any.'),
    'rbl_surface_split': ('rubble', c_int, [POINTER(rbl_surface), rbl_surface_body_id, POINTER(rbl_surface_split_def), POINTER(rbl_surface_body_id)],
        ['surface', 'body', 'def', 'pieces'], "Split a body. Triangles keep their ids. A vertex that several pieces use stays with the first of them, the others get copies with new ids: rbl_surface_get_data() has the origin of each. Vertices that no piece uses are gone. In the view of a piece, kept triangles come in their old order before new ones; vertices that were the body's (or are copies of such) in their old order before new ones. def: read during the call only pieces: receives piece_count ids; the first is that of the body. Unchanged on failure Returns RBL_OK, RBL_BAD_ARGUMENT (the log says which), RBL_STALE_ID, RBL_LIMIT_REACHED, RBL_OUT_OF_MEMORY Cost: O(n) to read the labels, O(k log n) for k triangles along cracks."),
    'rbl_surface_split_bodies': ('rubble', c_int, [POINTER(rbl_surface), POINTER(rbl_surface_body_id), c_int, POINTER(rbl_surface_split_def), POINTER(rbl_surface_body_id)],
        ['surface', 'bodies', 'count', 'defs', 'pieces'], 'Split several bodies at once, one after the other as rbl_surface_split() does. Workers share the planning of those without new triangles, so it is the better way when many bodies break in one step. count: of bodies defs: one for each body pieces: receives the ids of the pieces of the first body, then of the second, and so on Returns as rbl_surface_split(), of the first that fails: those before it are split, and the ids of its pieces and of all behind are null Cost: as that of each.'),
    'rbl_surface_merge': ('rubble', c_int, [POINTER(rbl_surface), POINTER(rbl_surface_body_id), c_int, POINTER(c_int), c_int],
        ['surface', 'bodies', 'body_count', 'welds', 'weld_count'], 'Merge bodies into the first of them, which keeps its id; the others are gone. Triangles keep their ids, and the lists of the merged body are those of the bodies one after the other. bodies: all different body_count: 1 or more welds: pairs of vertex ids of these bodies: the second becomes one with the first and is gone, unless they are one already. May be NULL when there are none. No triangle may lose a corner weld_count: number of pairs Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_STALE_ID, RBL_OUT_OF_MEMORY Cost: O(log n) for the trees, O(n) to find open edges when vertices are welded.'),
    'rbl_surface_move': ('rubble', c_int, [POINTER(rbl_surface), rbl_surface_body_id, POINTER(rbl_vec3), POINTER(rbl_vec3)],
        ['surface', 'body', 'start', 'end'], "Move a body for the next update. A body that is not moved between two updates rests. start: where each vertex is at the start of the step, in the order of the body's view; NULL: where its last move ended end: where each vertex is at the end of the step Returns RBL_OK, RBL_BAD_ARGUMENT (a position is not finite), RBL_STALE_ID Cost: O(n) in its vertices."),
    'rbl_surface_move_bodies': ('rubble', c_int, [POINTER(rbl_surface), POINTER(rbl_surface_body_id), c_int, POINTER(rbl_vec3), POINTER(rbl_vec3)],
        ['surface', 'bodies', 'count', 'start', 'end'], 'Move several bodies at once, each as rbl_surface_move() does, all or none. Workers share this, so it is the better way for pieces of something broken. bodies: all different count: of bodies start: positions for the first body, then for the second, and so on; or NULL, as above end: the same Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_STALE_ID, RBL_OUT_OF_MEMORY Cost: O(n) in their vertices.'),
    'rbl_surface_move_vertices': ('rubble', c_int, [POINTER(rbl_surface), rbl_surface_body_id, POINTER(c_int), c_int, POINTER(rbl_vec3)],
        ['surface', 'body', 'vertices', 'count', 'end'], 'Move some vertices of a body, from where its last move ended. The others rest, but for those that were moved since the last update. Only what lies around the vertices is updated. vertices: ids of vertices of the body, each of some triangle; one that comes twice goes from its first place to its second end: where each of them is at the end of the step Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_STALE_ID Cost: O(log n) per vertex.'),
    'rbl_surface_move_to': ('rubble', c_int, [POINTER(rbl_surface), rbl_surface_body_id, POINTER(rbl_surface_positions), POINTER(rbl_surface_positions)],
        ['surface', 'body', 'start', 'end'], "Move a body, as rbl_surface_move() does, to positions with a stride or as doubles. start: in the order of the body's view; NULL: where its last move ended end: the same Returns RBL_OK, RBL_BAD_ARGUMENT (a position is no finite float, or the stride), RBL_STALE_ID, RBL_OUT_OF_MEMORY Cost: O(n) in its vertices."),
    'rbl_surface_move_all': ('rubble', c_int, [POINTER(rbl_surface), POINTER(rbl_surface_positions), POINTER(rbl_surface_positions), c_int],
        ['surface', 'start', 'end', 'count'], 'Move all bodies to the positions of one array, which has those of a whole simulation: a vertex is at its user id, or at its id where no vertex of the surface has a user id. Bodies that are where they were rest. start: NULL: where the last move ended end: positions of all vertices that are there count: of positions in either Returns as rbl_surface_move_to(); RBL_BAD_ARGUMENT also for a vertex that has no position Cost: O(n) in all vertices.'),
    'rbl_surface_set_vertex_user_ids': ('rubble', c_int, [POINTER(rbl_surface), POINTER(c_int), POINTER(c_int), c_int],
        ['surface', 'vertices', 'user_ids', 'count'], 'Give vertices other user ids. vertices: ids of vertices user_ids: from 0, or -1 for none Returns RBL_OK, RBL_BAD_ARGUMENT (the log says which), RBL_OUT_OF_MEMORY'),
    'rbl_surface_set_triangle_user_ids': ('rubble', c_int, [POINTER(rbl_surface), POINTER(c_int), POINTER(c_int), c_int],
        ['surface', 'triangles', 'user_ids', 'count'], 'The same for triangles.'),
    'rbl_surface_update': ('rubble', c_int, [POINTER(rbl_surface), c_int],
        ['surface', 'motion'], 'Bring trees up to date with all changes since the last update. Memory for changes to come is made here, too, so what rbl_surface_get_data() gave before is gone. Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY (call it again) Cost: O(n) in the triangles of moved bodies, and in what changed elsewhere.'),
    'rbl_surface_collide': ('rubble', c_int, [POINTER(rbl_surface), POINTER(rbl_surface_pairs)],
        ['surface', 'pairs'], 'Find all pairs of triangles that collide, after a discrete update. pairs: receives the list, the same for any number of workers, empty on failure; it lives until the next change, update or query, so that the surface can be inspected meanwhile Returns RBL_OK, RBL_BAD_ARGUMENT (no discrete update since the last change), RBL_OUT_OF_MEMORY'),
    'rbl_surface_set_pair_callback': ('rubble', c_int, [POINTER(rbl_surface), rbl_surface_pair_callback, c_void_p],
        ['surface', 'callback', 'user'], 'Choose a callback that has the last word about everything that is found, from the next update on. Filters of bodies and excluded pairs cost less. callback: NULL: none user: handed to the callback Returns RBL_OK, RBL_BAD_ARGUMENT'),
    'rbl_surface_sweep': ('rubble', c_int, [POINTER(rbl_surface), POINTER(rbl_surface_hits)],
        ['surface', 'hits'], 'Find everything that touches within the step, after a continuous update. What lies through each other all the time, without a vertex on a face or an edge on an edge, is no hit: rbl_surface_collide() has it. hits: receives the list, the same for any number of workers, empty on failure; it lives until the next change, update or query Returns RBL_OK, RBL_BAD_ARGUMENT (no continuous update since the last change), RBL_OUT_OF_MEMORY'),
    'rbl_surface_hit_side': ('rubble', c_int, [POINTER(rbl_surface), POINTER(rbl_surface_hit)],
        ['surface', 'hit'], 'Tell on which side of the surface of `b` a hit is: where the point of `a` was, or came from. hit: of the last query Returns 1 where the normals of the surface point, -1 behind, 0 where there is no telling: at a boundary, or an edge that is not manifold Threads: any number while nothing changes the surface. Cost: the triangles around a vertex.'),
    'rbl_surface_proximity': ('rubble', c_int, [POINTER(rbl_surface), c_float, POINTER(rbl_surface_near_pairs)],
        ['surface', 'distance', 'list'], 'Find every vertex and face, and every two edges, that share no vertex and are within a distance: after a discrete update where they are at its end, after a continuous one at some time of the step. None is missed. At one instant those listed in excess are farther by less than 2^-39 of the size of the features, as far as they are apart included; over a step they are within 1.1 times the distance at their time, but for its rounding, unless nobody can certify a time (rbl_impact). The thickness of bodies does not matter. distance: in metres, finite, at least 0 list: receives the list, the same for any number of workers, empty on failure; it lives until the next change, update or query Returns RBL_OK, RBL_BAD_ARGUMENT (no update since the last change), RBL_OUT_OF_MEMORY'),
    'rbl_surface_get_names': ('rubble', c_int, [POINTER(rbl_surface), POINTER(rbl_surface_name_list)],
        ['surface', 'list'], 'Name all entries of the list that the last query gave. list: receives the names, empty on failure Returns RBL_OK, RBL_BAD_ARGUMENT (no list is there), RBL_OUT_OF_MEMORY Cost: O(n) in the list.'),
    'rbl_surface_get_ranges': ('rubble', c_int, [POINTER(rbl_surface), POINTER(rbl_surface_ranges)],
        ['surface', 'ranges'], 'Group the list that the last query gave by pairs of bodies. The list stays as it is. ranges: receives the groups, empty on failure Returns RBL_OK, RBL_BAD_ARGUMENT (no list is there), RBL_OUT_OF_MEMORY Cost: O(n) in the list.'),
    'rbl_surface_get_segments': ('rubble', c_int, [POINTER(rbl_surface), POINTER(rbl_surface_segments)],
        ['surface', 'list'], 'Find where the pairs intersect that rbl_surface_collide() gave last. list: receives a segment for each pair, empty on failure Returns RBL_OK, RBL_BAD_ARGUMENT (the last list is none of pairs), RBL_OUT_OF_MEMORY Cost: O(n) in the list.'),
    'rbl_surface_max_step': ('rubble', c_int, [POINTER(rbl_surface), c_float, POINTER(c_float)],
        ['surface', 'until', 'share'], 'Find out how much of the step can be taken before the first impact, after a continuous update. until: only so much of the step matters, above 0 to 1 share: receives the time of the first impact, which is never later than the truth, or `until` when there is none before; 0 on failure Returns RBL_OK, RBL_BAD_ARGUMENT (the range, or no continuous update since the last change), RBL_OUT_OF_MEMORY'),
    'rbl_surface_has_hit': ('rubble', c_int, [POINTER(rbl_surface), c_float, POINTER(c_bool)],
        ['surface', 'until', 'has_hit'], 'Find out whether there is any impact up to a time of the step, after a continuous update. has_hit: receives the answer, false on failure Returns as rbl_surface_max_step()'),
    'rbl_surface_has_pair': ('rubble', c_int, [POINTER(rbl_surface), POINTER(c_bool)],
        ['surface', 'has_pair'], 'Find out whether any two triangles collide, after a discrete update. has_pair: receives the answer, false on failure Returns RBL_OK, RBL_BAD_ARGUMENT (no discrete update since the last change), RBL_OUT_OF_MEMORY'),
    'rbl_surface_first_hits': ('rubble', c_int, [POINTER(rbl_surface), c_float, c_int, POINTER(rbl_surface_hits)],
        ['surface', 'until', 'max_count', 'hits'], 'Find the first impacts of the step, after a continuous update. until: only so much of the step matters, above 0 to 1 max_count: the most to list, 1 or more hits: receives them, ascending by time, then by kind, a, b, none that part; empty on failure. It lives until the next change, update or query Returns as rbl_surface_max_step()'),
    'rbl_surface_keep_candidates': ('rubble', c_int, [POINTER(rbl_surface), c_float, POINTER(c_int)],
        ['surface', 'distance', 'count'], 'Keep candidates of the step, after a continuous update: all pairs of features that may come within a distance, or within the thickness of their bodies. Until the next change or update rbl_surface_max_step(), rbl_surface_has_hit(), rbl_surface_first_hits() and rbl_surface_proximity_at() go through these alone, with the same answers. distance: in metres, finite, at least 0 count: receives how many there are, 0 on failure Returns RBL_OK, RBL_BAD_ARGUMENT (no continuous update since the last change), RBL_OUT_OF_MEMORY'),
    'rbl_surface_proximity_at': ('rubble', c_int, [POINTER(rbl_surface), c_float, c_float, POINTER(rbl_surface_near_pairs)],
        ['surface', 'share', 'distance', 'list'], 'Find what is within a distance at one time of the step, among the candidates that are kept. Vertices are on the line from start to end, as doubles. None is missed. share: that time, from 0 at the start to 1 at the end; it is `time` of each pair distance: in metres, from 0 to that of the candidates list: receives the list, as from rbl_surface_proximity() Returns RBL_OK, RBL_BAD_ARGUMENT (a range, or no candidates are kept), RBL_OUT_OF_MEMORY'),
    'rbl_surface_get_data': ('rubble', rbl_surface_data, [POINTER(rbl_surface)],
        ['surface'], 'Returns the arrays. Threads: any number while nothing changes the surface.'),
    'rbl_surface_body_get_data': ('rubble', rbl_surface_body_data, [POINTER(rbl_surface), rbl_surface_body_id],
        ['surface', 'body'], 'Returns a body, all zero for a stale id. Threads: any number while nothing changes the surface.'),
    'rbl_surface_triangle_body': ('rubble', rbl_surface_body_id, [POINTER(rbl_surface), c_int],
        ['surface', 'triangle'], 'Returns the body of a triangle, all zero when there is no such triangle. Threads: as above.'),
    'rbl_surface_get_map': ('rubble', c_int, [POINTER(rbl_surface), POINTER(rbl_surface_map)],
        ['surface', 'map'], 'Find where all vertices and triangles are. map: receives the arrays, all zero on failure Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY Cost: O(n) in all vertices and triangles.'),
    'rbl_surface_body_user_id': ('rubble', c_uint64, [POINTER(rbl_surface), rbl_surface_body_id],
        ['surface', 'body'], 'Returns what you call a body, 0 for a stale id. Threads: as above.'),
    'rbl_surface_body_get_components': ('rubble', c_int, [POINTER(rbl_surface), rbl_surface_body_id, POINTER(c_int), POINTER(c_int)],
        ['surface', 'body', 'labels', 'count'], 'Label the manifold parts of a body: triangles joined by manifold edges. labels: receives a number per triangle in the order of the view, from 0, in the order of first triangles count: receives the number of parts Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_STALE_ID, RBL_OUT_OF_MEMORY Cost: O(n).'),
    'rbl_surface_get_stats': ('rubble', rbl_surface_stats, [POINTER(rbl_surface)],
        ['surface'], 'Returns the numbers; all zero for NULL. Threads: any number while nothing changes the surface. Cost: O(bodies).'),
    'rbl_default_obstacles_def': ('rubble', rbl_obstacles_def, [],
        [], 'Returns a definition that works as it is. Threads: any.'),
    'rbl_create_obstacles': ('rubble', c_int, [POINTER(rbl_surface), POINTER(rbl_obstacles_def), POINTER(POINTER(rbl_obstacles))],
        ['surface', 'def', 'obstacles'], "Make obstacles of a surface, none at first. surface: must outlive them; others may be added to it and removed from it as ever def: read during the call only obstacles: receives them, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_OUT_OF_MEMORY Threads: one call on a surface at a time, here and below."),
    'rbl_destroy_obstacles': ('rubble', None, [POINTER(rbl_obstacles)],
        ['obstacles'], 'Destroy obstacles, and take their bodies out of the surface. NULL is fine.'),
    'rbl_obstacles_sync': ('rubble', c_int, [POINTER(rbl_obstacles), POINTER(rbl_world), c_float],
        ['obstacles', 'world', 'dt'], 'Bring the surface up to date with a world: before rbl_surface_update(), and never while the world steps. What moved goes in a straight line from where it was at the last call to where it is now. world: the same as before, or another: then all obstacles are new. NULL: there are none any more; call that before a world is destroyed that another may follow dt: the time since the last call, in seconds: a new body, such as a fragment, comes from where its velocity had it then. 0: it appears where it is Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_LIMIT_REACHED (of the surface), RBL_OUT_OF_MEMORY (some is done: call it again) Cost: O(n) in the vertices of parts that moved, O(n log n) in the triangles of those that are new, and one comparison for each body of the world.'),
    'rbl_obstacles_repeat': ('rubble', c_int, [POINTER(rbl_obstacles)],
        ['obstacles'], 'Let what the last call moved move the same way again: bodies of a surface rest after an update, and a solver that looks at a step several times updates as often. Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_STALE_ID (somebody took them out of the surface), RBL_OUT_OF_MEMORY Cost: O(n) in the vertices of what moved.'),
    'rbl_obstacles_find': ('rubble', rbl_obstacle, [POINTER(rbl_obstacles), rbl_surface_body_id],
        ['obstacles', 'body'], 'Returns what a body of the surface is: with rbl_surface_triangle_body(), what a triangle is. Threads: any number while nothing changes the surface.'),
    'rbl_obstacles_part': ('rubble', rbl_surface_body_id, [POINTER(rbl_obstacles), rbl_body_id, c_int],
        ['obstacles', 'body', 'part'], 'Returns the body of the surface that is a part of a body, the first if there are several; all zero if there is none. Threads: as above. Cost: O(n) in the parts of the body.'),
    'rbl_obstacles_get_stats': ('rubble', rbl_obstacles_stats, [POINTER(rbl_obstacles)],
        ['obstacles'], 'Returns the numbers; all zero for NULL. Threads: as above.'),
    'rbl_default_picture_def': ('rubble-io', rbl_picture_def, [],
        [], 'Returns a definition that works as it is. Threads: any.'),
    'rbl_draw_film': ('rubble-io', c_int, [POINTER(rbl_film), POINTER(rbl_picture_def), POINTER(c_ubyte)],
        ['film', 'def', 'pixels'], 'Render a film at a time. pixels: receives height rows of width RGB pixels, a byte per channel, the top row first Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY Threads: any that leave the film alone. Cost: O(triangles + pixels); about 100 bytes per pixel.'),
    'rbl_write_picture': ('rubble-io', c_int, [c_char_p, POINTER(rbl_film), POINTER(rbl_picture_def)],
        ['path', 'film', 'def'], 'Render a film at a time and write it as .png. path: UTF-8; an existing file is replaced Returns as rbl_draw_film(), or RBL_IO_FAILED Threads: any that leave the film alone. Cost: as rbl_draw_film().'),
    'rbl_write_picture_memory': ('rubble-io', c_int, [POINTER(rbl_film), POINTER(rbl_picture_def), POINTER(rbl_file_bytes)],
        ['film', 'def', 'bytes'], "The same into memory. bytes: receives the file, the caller's to free with rbl_free_bytes(); empty on failure Returns as rbl_draw_film(). Threads: any that leave the film alone. Cost: as rbl_draw_film()."),
    'rbl_write_pixels': ('rubble-io', c_int, [c_char_p, POINTER(c_ubyte), c_int, c_int, POINTER(rbl_allocator)],
        ['path', 'pixels', 'width', 'height', 'allocator'], "Write pixels as .png. path: UTF-8; an existing file is replaced pixels: height rows of width RGB pixels, a byte per channel, the top row first width: and height: 1 to 16384 allocator: memory of the work, NULL for the process's default Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY, RBL_IO_FAILED Threads: any. Cost: O(pixels)."),
    'rbl_write_pixels_memory': ('rubble-io', c_int, [POINTER(c_ubyte), c_int, c_int, POINTER(rbl_allocator), POINTER(rbl_file_bytes)],
        ['pixels', 'width', 'height', 'allocator', 'bytes'], "The same into memory, as the image of a texture (rubble/scene.h). bytes: receives the file, the caller's to free with rbl_free_bytes(); empty on failure Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY. Threads: any. Cost: O(pixels)."),
    'rbl_preset_name': ('rubble', c_char_p, [c_int],
        ['preset'], 'Returns the name of a preset, such as "tempered_glass"; "" for none. Threads: any.'),
    'rbl_preset_of_name': ('rubble', c_int, [c_char_p],
        ['name'], 'Find the preset that a name, such as that of a mesh material, has among its words. Words end at anything that is no letter, and before a capital after a small letter; capitals count as small letters, and an s at the end does not count. "Window glass.001", "TemperedGlass" and "bricks" are presets, "office" is none. The longest name counts, of equal ones the first preset. Returns RBL_PRESET_COUNT if there is none, and for NULL. Threads: any.'),
    'rbl_default_preset_def': ('rubble', rbl_preset_def, [c_int],
        ['preset'], 'Returns a definition that works as it is; that of concrete out of range. Threads: any.'),
    'rbl_create_preset_material': ('rubble', c_int, [POINTER(rbl_preset_def), POINTER(POINTER(rbl_material))],
        ['def', 'material'], "Make a material, and its patterns with it. def: read during the call only material: receives the material, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_LIMIT_REACHED, RBL_OUT_OF_MEMORY Threads: any. Cost: that of its patterns, some 15 us per cell: 2 to 30 ms."),
    'rbl_default_recording_def': ('rubble', rbl_recording_def, [],
        [], 'Returns a definition without a place for the bytes. Threads: any.'),
    'rbl_world_begin_recording': ('rubble', c_int, [POINTER(rbl_world), POINTER(rbl_recording_def)],
        ['world', 'def'], 'Begin to record a world. Returns RBL_OK, RBL_BAD_ARGUMENT (also when it is recorded already, and during a step), RBL_OUT_OF_MEMORY, RBL_IO_FAILED (the first bytes were not kept) Threads: world. Cost: a snapshot.'),
    'rbl_world_end_recording': ('rubble', c_int, [POINTER(rbl_world)],
        ['world'], 'End a recording. Destroying the world ends it too. Returns RBL_OK, RBL_BAD_ARGUMENT (nothing is recorded), RBL_IO_FAILED or RBL_OUT_OF_MEMORY (recording had ended by itself, and what there is lacks its end) Threads: world.'),
    'rbl_create_replay': ('rubble', c_int, [c_void_p, c_size_t, POINTER(rbl_world_def), POINTER(rbl_sources), POINTER(POINTER(rbl_replay))],
        ['bytes', 'size', 'def', 'sources', 'replay'], "Make the world that a recording begins with. bytes: all of it; they must outlive the replay def: jobs and allocator are read sources: assets and patterns that are not in it replay: receives the replay, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_BAD_FILE (damaged, cut off, of another version, or an asset is not to be found), RBL_OUT_OF_MEMORY Threads: any. Cost: O(n) in the bytes."),
    'rbl_destroy_replay': ('rubble', None, [POINTER(rbl_replay)],
        ['replay'], 'Destroy a replay with its world. NULL is fine.'),
    'rbl_replay_progress': ('rubble', c_double, [POINTER(rbl_replay)],
        ['replay'], 'Returns how much of the recording was played, 0 to 1, by its bytes. Threads: one call on a replay at a time.'),
    'rbl_replay_step': ('rubble', c_int, [POINTER(rbl_replay), POINTER(rbl_replay_report)],
        ['replay', 'report'], 'Make all calls up to the end of the next step. Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_BAD_FILE (it asks for something that cannot be; no more can be played), RBL_OUT_OF_MEMORY Threads: one call on a replay at a time.'),
    'rbl_replay_get_world': ('rubble', POINTER(rbl_world), [POINTER(rbl_replay)],
        ['replay'], 'Returns the world, to look at between steps. Threads: as rbl_replay_step().'),
    'rbl_default_box_def': ('rubble', rbl_box_def, [],
        [], 'Returns a definition that works as it is. Threads: any.'),
    'rbl_create_box_mesh': ('rubble', c_int, [POINTER(rbl_box_def), POINTER(POINTER(rbl_mesh))],
        ['def', 'mesh'], "Make a box. mesh: receives the mesh, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_OUT_OF_MEMORY Threads: any. Cost: O(n) in vertices."),
    'rbl_default_icosphere_def': ('rubble', rbl_icosphere_def, [],
        [], 'Returns a definition that works as it is. Threads: any.'),
    'rbl_create_icosphere_mesh': ('rubble', c_int, [POINTER(rbl_icosphere_def), POINTER(POINTER(rbl_mesh))],
        ['def', 'mesh'], "Make an icosphere. mesh: receives the mesh, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_OUT_OF_MEMORY Threads: any. Cost: O(n) in vertices."),
    'rbl_default_cylinder_def': ('rubble', rbl_cylinder_def, [],
        [], 'Returns a definition that works as it is. Threads: any.'),
    'rbl_create_cylinder_mesh': ('rubble', c_int, [POINTER(rbl_cylinder_def), POINTER(POINTER(rbl_mesh))],
        ['def', 'mesh'], "Make a cylinder. mesh: receives the mesh, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_OUT_OF_MEMORY Threads: any. Cost: O(n) in vertices."),
    'rbl_default_tube_def': ('rubble', rbl_tube_def, [],
        [], 'Returns a definition that works as it is. Threads: any.'),
    'rbl_create_tube_mesh': ('rubble', c_int, [POINTER(rbl_tube_def), POINTER(POINTER(rbl_mesh))],
        ['def', 'mesh'], "Make a tube. mesh: receives the mesh, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_OUT_OF_MEMORY Threads: any. Cost: O(n) in vertices."),
    'rbl_default_torus_def': ('rubble', rbl_torus_def, [],
        [], 'Returns a definition that works as it is. Threads: any.'),
    'rbl_create_torus_mesh': ('rubble', c_int, [POINTER(rbl_torus_def), POINTER(POINTER(rbl_mesh))],
        ['def', 'mesh'], "Make a torus. mesh: receives the mesh, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_OUT_OF_MEMORY Threads: any. Cost: O(n) in vertices."),
    'rbl_default_plate_def': ('rubble', rbl_plate_def, [],
        [], 'Returns a definition that works as it is. Threads: any.'),
    'rbl_create_plate_mesh': ('rubble', c_int, [POINTER(rbl_plate_def), POINTER(POINTER(rbl_mesh))],
        ['def', 'mesh'], "Make a plate. mesh: receives the mesh, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_OUT_OF_MEMORY Threads: any. Cost: O(n) in vertices."),
    'rbl_default_vase_def': ('rubble', rbl_vase_def, [],
        [], 'Returns a definition that works as it is. Threads: any.'),
    'rbl_create_vase_mesh': ('rubble', c_int, [POINTER(rbl_vase_def), POINTER(POINTER(rbl_mesh))],
        ['def', 'mesh'], "Make a vase. mesh: receives the mesh, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_OUT_OF_MEMORY Threads: any. Cost: O(n) in vertices."),
    'rbl_default_mug_def': ('rubble', rbl_mug_def, [],
        [], 'Returns a definition that works as it is. Threads: any.'),
    'rbl_create_mug_mesh': ('rubble', c_int, [POINTER(rbl_mug_def), POINTER(POINTER(rbl_mesh))],
        ['def', 'mesh'], "Make a mug. mesh: receives the mesh, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_OUT_OF_MEMORY Threads: any. Cost: O(n) in vertices."),
    'rbl_default_piggy_bank_def': ('rubble', rbl_piggy_bank_def, [],
        [], 'Returns a definition that works as it is. Threads: any.'),
    'rbl_create_piggy_bank_mesh': ('rubble', c_int, [POINTER(rbl_piggy_bank_def), POINTER(POINTER(rbl_mesh))],
        ['def', 'mesh'], "Make a piggy bank. mesh: receives the mesh, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_OUT_OF_MEMORY Threads: any. Cost: O(n) in vertices."),
    'rbl_default_column_def': ('rubble', rbl_column_def, [],
        [], 'Returns a definition that works as it is. Threads: any.'),
    'rbl_create_column_mesh': ('rubble', c_int, [POINTER(rbl_column_def), POINTER(POINTER(rbl_mesh))],
        ['def', 'mesh'], "Make a column. mesh: receives the mesh, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_OUT_OF_MEMORY Threads: any. Cost: O(n) in vertices."),
    'rbl_default_arch_def': ('rubble', rbl_arch_def, [],
        [], 'Returns a definition that works as it is. Threads: any.'),
    'rbl_create_arch_mesh': ('rubble', c_int, [POINTER(rbl_arch_def), POINTER(POINTER(rbl_mesh))],
        ['def', 'mesh'], "Make an arch. mesh: receives the mesh, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_OUT_OF_MEMORY Threads: any. Cost: O(n) in vertices."),
    'rbl_default_window_def': ('rubble', rbl_window_def, [],
        [], 'Returns a definition that works as it is. Threads: any.'),
    'rbl_create_window_mesh': ('rubble', c_int, [POINTER(rbl_window_def), POINTER(POINTER(rbl_mesh))],
        ['def', 'mesh'], "Make a window. mesh: receives the mesh, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_OUT_OF_MEMORY Threads: any. Cost: O(n) in vertices."),
    'rbl_default_brick_wall_def': ('rubble', rbl_brick_wall_def, [],
        [], 'Returns a definition that works as it is. Threads: any.'),
    'rbl_create_brick_wall_mesh': ('rubble', c_int, [POINTER(rbl_brick_wall_def), POINTER(POINTER(rbl_mesh))],
        ['def', 'mesh'], "Make a brick wall. mesh: receives the mesh, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_OUT_OF_MEMORY Threads: any. Cost: O(n) in vertices."),
    'rbl_default_arena_def': ('rubble', rbl_arena_def, [],
        [], 'Returns a definition that works as it is. Threads: any.'),
    'rbl_create_arena_mesh': ('rubble', c_int, [POINTER(rbl_arena_def), POINTER(POINTER(rbl_mesh))],
        ['def', 'mesh'], "Make an arena. mesh: receives the mesh, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_OUT_OF_MEMORY Threads: any. Cost: O(n) in vertices."),
    'rbl_default_stress_def': ('rubble', rbl_stress_def, [],
        [], 'Returns a definition that works as it is. Threads: any.'),
    'rbl_create_stress': ('rubble', c_int, [POINTER(rbl_stress_def), POINTER(POINTER(rbl_stress))],
        ['def', 'stress'], "Make an estimate. stress: receives the estimate, the caller's to destroy; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY Threads: any."),
    'rbl_destroy_stress': ('rubble', None, [POINTER(rbl_stress)],
        ['stress'], 'Destroy an estimate. NULL is fine.'),
    'rbl_stress_update': ('rubble', c_int, [POINTER(rbl_stress), POINTER(rbl_compound), rbl_vec3d, POINTER(rbl_stress_load), c_int, c_int, POINTER(rbl_stress_report)],
        ['stress', 'compound', 'gravity', 'loads', 'load_count', 'budget', 'report'], "Go on estimating. The compound may have changed since the last call: what still stands starts from the forces it had. Use one estimate for each compound: another one begins from nothing. A compound without anchors, or a part of it that none is in, is in free fall: it feels no weight, and loads accelerate it. gravity: in the compound's coordinates, in m / s^2 loads: read during the call only; NULL for none budget: bonds looked at, > 0; at least one pass is done, so that it ends some day report: receives what it came to Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY (it can be tried again) Threads: one call on an estimate and on a compound at a time. Cost: O(budget), and O(n) when the compound has changed."),
    'rbl_stress_get_bonds': ('rubble', c_int, [POINTER(rbl_stress), c_double, POINTER(rbl_bond_stress), c_int],
        ['stress', 'min_utilization', 'bonds', 'capacity'], 'Write what bonds carry as of the last call, those with the highest utilization first. min_utilization: only bonds of at least this utilization: 0 for all, 1 for those that fail bonds: receives up to `capacity` of them Returns how many there are, also when there is no room for all; 0 for NULL Threads: one call on an estimate at a time. Cost: O(n log n).'),
    'rbl_surface_get_contours': ('rubble', c_int, [POINTER(rbl_surface), POINTER(rbl_surface_contours)],
        ['surface', 'list'], 'Join the pairs that rbl_surface_collide() gave last into contours. list: receives the contours, the same for any number of workers, empty on failure Returns RBL_OK, RBL_BAD_ARGUMENT (the last list is none of pairs), RBL_OUT_OF_MEMORY Cost: O(n) in the triangles of the surface and in pairs, and for each contour twice what is inside.'),
    'rbl_surface_get_overlaps': ('rubble', c_int, [POINTER(rbl_surface), POINTER(rbl_surface_overlaps)],
        ['surface', 'list'], 'Measure how closed bodies overlap whose surfaces cross, among the pairs that rbl_surface_collide() gave last. Their triangles face outwards. A body with a boundary, or with an edge that is not manifold, has no overlap; nor has one that is wholly within another. list: receives the overlaps, the same for any number of workers, empty on failure; the contours of the same pairs stay Returns RBL_OK, RBL_BAD_ARGUMENT (the last list is none of pairs), RBL_OUT_OF_MEMORY Cost: that of rbl_surface_get_contours(), and a ray from each vertex that overlaps.'),
    'rbl_default_surface_edit_def': ('rubble', rbl_surface_edit_def, [],
        [], 'Returns a definition of one piece without changes. Threads: any.'),
    'rbl_surface_edit': ('rubble', c_int, [POINTER(rbl_surface), rbl_surface_body_id, POINTER(rbl_surface_edit_def), POINTER(rbl_surface_body_id)],
        ['surface', 'body', 'def', 'pieces'], 'Edit a body. What is not named keeps its id. Edges are joined again around all that changes. A vertex that several pieces use stays with the first of them, the others get copies, as in rbl_surface_split(); one that no triangle uses any more is gone. In the views of the body the last takes the place of one that goes, and new ones come at the end in their order. def: read during the call only pieces: receives piece_count ids, the first that of the body; may be NULL for one piece. Unchanged on failure Returns RBL_OK, RBL_BAD_ARGUMENT (the log says which), RBL_STALE_ID, RBL_LIMIT_REACHED, RBL_OUT_OF_MEMORY Cost: O(k log n) for k changes and the triangles around them; the first edit of a body, and one at a vertex with several fans of a body that moved, read all of it once.'),
    'rbl_default_surface_knife': ('rubble', rbl_surface_knife, [],
        [], 'Returns a knife without a blade. Threads: any.'),
    'rbl_surface_plan_cut': ('rubble', c_int, [POINTER(rbl_surface), rbl_surface_body_id, POINTER(rbl_surface_knife), POINTER(rbl_surface_edit_def)],
        ['surface', 'body', 'knife', 'edit'], 'Plan what a knife cuts in a step. A cut ends where the blade does at the end of the step, inside a triangle mostly; a knife that goes on from there in the next step goes on with the cut. A cut that begins inside a triangle begins at its side. knife: read during the call only edit: receives the changes, none where nothing is cut; its arrays live until the next plan of the surface. vertex_user_ids are yours to add, parts have the user id of their triangle Returns RBL_OK, RBL_BAD_ARGUMENT (the log says which), RBL_STALE_ID, RBL_OUT_OF_MEMORY; nothing changes in any case Cost: O(k log n) for k triangles near the sweep where the body was updated after it moved, O(n) where it was not.'),
    'rbl_surface_plan_tear': ('rubble', c_int, [POINTER(rbl_surface), rbl_surface_body_id, POINTER(c_int), c_int, POINTER(rbl_surface_edit_def)],
        ['surface', 'body', 'path', 'count', 'edit'], 'Plan a tear along edges. path: vertices of the body, 2 or more, each joined to the next by an edge. Where the path begins or ends inside the surface the two sides stay together edit: receives the changes, as from rbl_surface_plan_cut() Returns as rbl_surface_plan_cut() Cost: O(k log n) for k triangles around the path.'),
    'rbl_default_surface_curve': ('rubble', rbl_surface_curve, [],
        [], 'Returns a curve without points. Threads: any.'),
    'rbl_surface_cut_along': ('rubble', c_int, [POINTER(rbl_surface), rbl_surface_body_id, POINTER(rbl_surface_curve), POINTER(rbl_surface_cut)],
        ['surface', 'body', 'curve', 'cut'], 'Cut a body along a curve, where it is at the end of its step: a knife is led from point to point. The strip between two curves is cut out by a closed one that goes there and back. The body stays one; rbl_surface_body_get_components() tells the parts, and rbl_surface_split() parts them. curve: read during the call only cut: receives what is new; all zero on failure Returns RBL_OK, RBL_BAD_ARGUMENT (the log says which), RBL_STALE_ID, RBL_LIMIT_REACHED, RBL_OUT_OF_MEMORY. Where memory ran out the body is cut as far as it went, and `cut` has what was made Cost: that of a plan and an edit for each point.'),
    'rbl_surface_cast_ray': ('rubble', c_int, [POINTER(rbl_surface), rbl_vec3, rbl_vec3, c_uint32, POINTER(rbl_surface_ray_hit)],
        ['surface', 'from', 'translation', 'mask', 'hit'], 'Find the first triangle on a ray. Whether a triangle is met is decided exactly, borders included, so that no ray passes between two that share an edge. A ray in the plane of a triangle does not meet it; nor do rays meet edges and points without faces. from,: translation the ray, finite; its end is where the translation leads from its start, as doubles mask: bodies count that have a category of it (rbl_surface_filter) hit: receives what is met Returns RBL_OK (also where nothing is met), RBL_BAD_ARGUMENT (a number, or no update since the last change) Threads: any number while nothing changes the surface. Cost: O(log n) for most rays.'),
    'rbl_surface_find_nearest': ('rubble', c_int, [POINTER(rbl_surface), rbl_vec3, c_float, c_uint32, POINTER(rbl_surface_nearest_point)],
        ['surface', 'point', 'max_distance', 'mask', 'nearest'], 'Find the nearest point of all triangles, edges and points. point: finite max_distance: in metres, at least 0; may be infinite mask: as for rbl_surface_cast_ray() nearest: receives the point Returns as rbl_surface_cast_ray() Threads: any number while nothing changes the surface. Cost: O(log n) for most points.'),
    'rbl_create_surface_tets': ('rubble', c_int, [POINTER(rbl_surface), POINTER(rbl_tets), POINTER(rbl_surface_body_id), POINTER(POINTER(rbl_surface_tets))],
        ['surface', 'tets', 'body', 'made'], "Add the boundary of a tetrahedral mesh to a surface, and remember what is behind it. tets: read during the call only body: receives the body, as from rbl_surface_add_tets() made: receives the object, the caller's to destroy before the surface; NULL on failure Returns RBL_OK, RBL_BAD_ARGUMENT, RBL_LIMIT_REACHED, RBL_OUT_OF_MEMORY Cost: O(n)."),
    'rbl_destroy_surface_tets': ('rubble', None, [POINTER(rbl_surface_tets)],
        ['tets'], 'Destroy it; the surface stays. NULL is fine.'),
    'rbl_surface_tets_separate': ('rubble', c_int, [POINTER(rbl_surface_tets), rbl_surface_body_id, POINTER(c_int), c_int, POINTER(rbl_vec3d)],
        ['tets', 'body', 'faces', 'count', 'positions'], 'Take tetrahedra apart at faces between them. Where the tetrahedra around a node fall apart, each further part gets a node of its own; what lies open becomes triangles of the body. Parts that have come apart have no vertex in common, so rbl_surface_split() may make bodies of them. body: that has all of the triangles around faces: 4 t + k names the face of tetrahedron t opposite to its vertex k, from either side. Those that are open already are left out positions: where nodes are that were inside, by node; NULL: where the mesh had them Returns RBL_OK, RBL_BAD_ARGUMENT (the log says which), RBL_STALE_ID, RBL_LIMIT_REACHED, RBL_OUT_OF_MEMORY; nothing changes unless it is RBL_OK Cost: O(k log n) for k faces and the tetrahedra around them.'),
    'rbl_surface_tets_get_data': ('rubble', rbl_surface_tets_data, [POINTER(rbl_surface_tets)],
        ['tets'], 'Returns the arrays. Threads: any number while nothing changes them.'),
    'rbl_quat_from_axis_angle': ('rubble', rbl_quat, [rbl_vec3, c_float],
        ['axis', 'angle'], 'The rotation about a unit axis, counter-clockwise seen from its tip, in radians. The same bits everywhere, unlike sin() and cos() of libm. Threads: any.'),
    'rbl_quat_from_axis_angle_d': ('rubble', rbl_quatd, [rbl_vec3d, c_double],
        ['axis', 'angle'], 'As rbl_quat_from_axis_angle(), in double precision.'),
    'rbl_default_viewer_def': ('rubble-io', rbl_viewer_def, [],
        [], 'Returns a definition that works as it is. Threads: any.'),
    'rbl_write_viewer': ('rubble-io', c_int, [c_char_p, POINTER(rbl_film), POINTER(rbl_viewer_def), POINTER(rbl_viewer_info)],
        ['path', 'film', 'def', 'info'], 'Write a page. Textures are left out: materials have their plain colors. path: UTF-8; an existing file is replaced film: NULL for a page of the report alone def: read during the call only; NULL for the defaults info: receives what was written; NULL is fine Returns RBL_OK, RBL_BAD_ARGUMENT (also for a report that is no JSON object), RBL_IO_FAILED, RBL_LIMIT_REACHED (the report alone is too large), RBL_OUT_OF_MEMORY Threads: any that leave the film alone. Cost: O(n) in keys and triangles.'),
    'rbl_write_viewer_memory': ('rubble-io', c_int, [POINTER(rbl_film), POINTER(rbl_viewer_def), POINTER(rbl_file_bytes), POINTER(rbl_viewer_info)],
        ['film', 'def', 'bytes', 'info'], "The same into memory. bytes: receives the file, the caller's to free with rbl_free_bytes(); empty on failure Returns as rbl_write_viewer(). Threads: any that leave the film alone. Cost: as rbl_write_viewer()."),
}

# Functions in headers that have no address in the library: small vectors, for which numpy is better.
LEFT_OUT = {
    'rbl_proxy_slot': 'inline in a header',
    'rbl_body_id_is_null': 'inline in a header',
    'rbl_minf': 'inline in a header',
    'rbl_maxf': 'inline in a header',
    'rbl_clampf': 'inline in a header',
    'rbl_mind': 'inline in a header',
    'rbl_maxd': 'inline in a header',
    'rbl_clampd': 'inline in a header',
    'rbl_mini': 'inline in a header',
    'rbl_maxi': 'inline in a header',
    'rbl_to_d': 'inline in a header',
    'rbl_to_f': 'inline in a header',
    'rbl_add': 'inline in a header',
    'rbl_sub': 'inline in a header',
    'rbl_neg': 'inline in a header',
    'rbl_scale': 'inline in a header',
    'rbl_mul': 'inline in a header',
    'rbl_add_scaled': 'inline in a header',
    'rbl_lerp': 'inline in a header',
    'rbl_dot': 'inline in a header',
    'rbl_cross': 'inline in a header',
    'rbl_length_squared': 'inline in a header',
    'rbl_length': 'inline in a header',
    'rbl_distance': 'inline in a header',
    'rbl_normalize': 'inline in a header',
    'rbl_perpendicular': 'inline in a header',
    'rbl_min': 'inline in a header',
    'rbl_max': 'inline in a header',
    'rbl_is_finite': 'inline in a header',
    'rbl_axis': 'inline in a header',
    'rbl_largest_axis': 'inline in a header',
    'rbl_mat_identity': 'inline in a header',
    'rbl_mat_vec': 'inline in a header',
    'rbl_mat_mul': 'inline in a header',
    'rbl_mat_transpose': 'inline in a header',
    'rbl_mat_add': 'inline in a header',
    'rbl_mat_scale': 'inline in a header',
    'rbl_mat_determinant': 'inline in a header',
    'rbl_mat_inverse': 'inline in a header',
    'rbl_quat_identity': 'inline in a header',
    'rbl_quat_mul': 'inline in a header',
    'rbl_quat_conjugate': 'inline in a header',
    'rbl_quat_normalize': 'inline in a header',
    'rbl_rotate': 'inline in a header',
    'rbl_rotate_inverse': 'inline in a header',
    'rbl_quat_to_mat': 'inline in a header',
    'rbl_transform_identity': 'inline in a header',
    'rbl_transform_point': 'inline in a header',
    'rbl_transform_point_inverse': 'inline in a header',
    'rbl_transform_mul': 'inline in a header',
    'rbl_transform_relative': 'inline in a header',
    'rbl_box_empty': 'inline in a header',
    'rbl_box_is_empty': 'inline in a header',
    'rbl_box_is_valid': 'inline in a header',
    'rbl_box_join': 'inline in a header',
    'rbl_box_add_point': 'inline in a header',
    'rbl_box_overlaps': 'inline in a header',
    'rbl_box_contains': 'inline in a header',
    'rbl_box_centre': 'inline in a header',
    'rbl_box_size': 'inline in a header',
    'rbl_box_volume': 'inline in a header',
    'rbl_box_half_area': 'inline in a header',
    'rbl_box_grow': 'inline in a header',
    'rbl_plane_distance': 'inline in a header',
    'rbl_add_d': 'inline in a header',
    'rbl_sub_d': 'inline in a header',
    'rbl_neg_d': 'inline in a header',
    'rbl_scale_d': 'inline in a header',
    'rbl_mul_d': 'inline in a header',
    'rbl_add_scaled_d': 'inline in a header',
    'rbl_lerp_d': 'inline in a header',
    'rbl_dot_d': 'inline in a header',
    'rbl_cross_d': 'inline in a header',
    'rbl_length_squared_d': 'inline in a header',
    'rbl_length_d': 'inline in a header',
    'rbl_distance_d': 'inline in a header',
    'rbl_normalize_d': 'inline in a header',
    'rbl_perpendicular_d': 'inline in a header',
    'rbl_min_d': 'inline in a header',
    'rbl_max_d': 'inline in a header',
    'rbl_is_finite_d': 'inline in a header',
    'rbl_axis_d': 'inline in a header',
    'rbl_largest_axis_d': 'inline in a header',
    'rbl_mat_identity_d': 'inline in a header',
    'rbl_mat_vec_d': 'inline in a header',
    'rbl_mat_mul_d': 'inline in a header',
    'rbl_mat_transpose_d': 'inline in a header',
    'rbl_mat_add_d': 'inline in a header',
    'rbl_mat_scale_d': 'inline in a header',
    'rbl_mat_determinant_d': 'inline in a header',
    'rbl_mat_inverse_d': 'inline in a header',
    'rbl_quat_identity_d': 'inline in a header',
    'rbl_quat_mul_d': 'inline in a header',
    'rbl_quat_conjugate_d': 'inline in a header',
    'rbl_quat_normalize_d': 'inline in a header',
    'rbl_rotate_d': 'inline in a header',
    'rbl_rotate_inverse_d': 'inline in a header',
    'rbl_quat_to_mat_d': 'inline in a header',
    'rbl_transform_identity_d': 'inline in a header',
    'rbl_transform_point_d': 'inline in a header',
    'rbl_transform_point_inverse_d': 'inline in a header',
    'rbl_box_empty_d': 'inline in a header',
    'rbl_box_is_empty_d': 'inline in a header',
    'rbl_box_is_valid_d': 'inline in a header',
    'rbl_box_join_d': 'inline in a header',
    'rbl_box_add_point_d': 'inline in a header',
    'rbl_box_overlaps_d': 'inline in a header',
    'rbl_box_contains_d': 'inline in a header',
    'rbl_box_centre_d': 'inline in a header',
    'rbl_box_size_d': 'inline in a header',
    'rbl_box_grow_d': 'inline in a header',
    'rbl_plane_distance_d': 'inline in a header',
}
