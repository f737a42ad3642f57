"""Types of _api.py. Made from the public headers by bindings/python/generate. Do not edit."""

from ctypes import Array, Structure, _Pointer, c_bool, c_byte, c_char, c_char_p, c_double, c_float, c_int, c_int8, c_int16, \
    c_int32, c_int64, c_size_t, c_ubyte, c_uint, c_uint8, c_uint16, c_uint32, c_uint64, c_void_p
from enum import IntEnum
from typing import Any, Dict, List, Optional, Tuple

RBL_MAX_NODES: int
RBL_MAX_ASSET_NODES: int
RBL_MAX_ASSET_MATERIALS: int
RBL_VERSION_MAJOR: int
RBL_VERSION_MINOR: int
RBL_VERSION_PATCH: int
RBL_MAX_POSITION: float
RBL_MAX_SPEED: float
RBL_MAX_PROXIES: int
RBL_MAX_FILTERS: int
RBL_MAX_BSP_DIRECTIONS: int
RBL_MAX_BSP_HEIGHT: int
RBL_CHIP_VARIANTS: int
RBL_MAX_COLLIDER_CHILDREN: int
RBL_MAX_MANIFOLD_POINTS: int
RBL_MAX_COLLIDER_MATERIALS: int
RBL_MAX_COLLIDER_SIZE: float
RBL_MAX_COMPOUND_PARTS: int
RBL_MAX_CLUSTER_LEVELS: int
RBL_MAX_CONVEX_FACES: int
RBL_MAX_CRACK_FRAGMENTS: int
RBL_MAX_CRACK_COORDINATE: float
RBL_MAX_PARTICLES: int
RBL_MAX_FIELD_RESOLUTION: int
RBL_MAX_FIELD_POINTS: int
RBL_MAX_FIELD_COORDINATE: float
RBL_FIELD_POINT_ID_END: int
RBL_MAX_FIELD_CONTACTS: int
RBL_MAX_FIELD_VISITS: int
RBL_MAX_FRACTURE_EVENT: int
RBL_MAX_HULL_POINTS: int
RBL_FILE_SIZE_LIMIT: int
RBL_MAX_WORKERS: int
RBL_JSON_MAX_DEPTH: int
RBL_MAX_MATERIAL_NAME: int
RBL_MAX_MESH_ITEMS: int
RBL_MAX_COORDINATE: float
RBL_MATERIAL_NAME_LENGTH: int
RBL_ATTRIBUTE_NAME_LENGTH: int
RBL_MAX_ATTRIBUTE_WIDTH: int
RBL_MAX_PATTERN_CELLS: int
RBL_CUT_LIMIT: int
RBL_MAX_PRESET_LEVELS: int
RBL_MAX_SURFACE_ITEMS: int
RBL_MAX_TETS: int
RBL_MAX_BODIES: int

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

RBL_OK: int
RBL_BAD_ARGUMENT: int
RBL_OUT_OF_MEMORY: int
RBL_STALE_ID: int
RBL_BAD_MESH: int
RBL_LIMIT_REACHED: int
RBL_BAD_FILE: int
RBL_IO_FAILED: int
RBL_UNSUPPORTED: int
RBL_RESULT_COUNT: int
RBL_LOG_ERROR: int
RBL_LOG_WARNING: int
RBL_LOG_INFO: int
RBL_CONNECTED_BY_VERTEX: int
RBL_CONNECTED_BY_EDGE: int
RBL_PATTERN_VORONOI: int
RBL_PATTERN_IMPACT: int
RBL_PATTERN_WEB: int
RBL_PATTERN_BRICKS: int
RBL_PATTERN_SPLINTERS: int
RBL_PATTERN_SITES: int
RBL_PATTERN_CELLS: int
RBL_PATTERN_KIND_COUNT: int
RBL_BOND_RUNNING: int
RBL_BOND_STACK: int
RBL_BOND_FLEMISH: int
RBL_BRICK_BOND_COUNT: int
RBL_FIT_BOX: int
RBL_FIT_14: int
RBL_FIT_26: int
RBL_TASK_WAITING: int
RBL_TASK_RUNNING: int
RBL_TASK_READY: int
RBL_TASK_FAILED: int
RBL_CHANNEL_NONE: int
RBL_CHANNEL_RED: int
RBL_CHANNEL_GREEN: int
RBL_CHANNEL_BLUE: int
RBL_CHANNEL_ALPHA: int
RBL_STOP_GIVEN: int
RBL_STOP_TOLERANCE: int
RBL_STOP_NODE_LIMIT: int
RBL_STOP_NO_GAIN: int
RBL_BROADPHASE_BSP: int
RBL_BROADPHASE_TREE: int
RBL_BROADPHASE_KIND_COUNT: int
RBL_PLACEMENT_BY_KIND: int
RBL_PLACEMENT_RANDOM: int
RBL_PLACEMENT_FRAME: int
RBL_PLACEMENT_NORMAL: int
RBL_PLACEMENT_COUNT: int
RBL_DEBRIS_NONE: int
RBL_DEBRIS_SPHERES: int
RBL_DEBRIS_CHIPS: int
RBL_DEBRIS_KIND_COUNT: int
RBL_COLLIDER_SPHERE: int
RBL_COLLIDER_CAPSULE: int
RBL_COLLIDER_BOX: int
RBL_COLLIDER_CONVEX: int
RBL_COLLIDER_COMPOUND: int
RBL_COLLIDER_MESH: int
RBL_COLLIDER_HEIGHT_FIELD: int
RBL_COLLIDER_CYLINDER: int
RBL_COLLIDER_CONE: int
RBL_COLLIDER_PLANE: int
RBL_COLLIDER_KIND_COUNT: int
RBL_SELECT_CHOSEN: int
RBL_SELECT_ADAPTIVE: int
RBL_SELECT_FIXED: int
RBL_SELECT_FULL: int
RBL_SELECT_NAIVE: int
RBL_SELECT_COUNT: int
RBL_BODY_STATIC: int
RBL_BODY_KINEMATIC: int
RBL_BODY_DYNAMIC: int
RBL_BODY_KIND_COUNT: int
RBL_LOCK_TRANSLATION_X: int
RBL_LOCK_TRANSLATION_Y: int
RBL_LOCK_TRANSLATION_Z: int
RBL_LOCK_ROTATION_X: int
RBL_LOCK_ROTATION_Y: int
RBL_LOCK_ROTATION_Z: int
RBL_LOCK_TRANSLATION: int
RBL_LOCK_ROTATION: int
RBL_LOCK_PLANE_XY: int
RBL_CONTACTS_CONVEX: int
RBL_CONTACTS_FIELD: int
RBL_CONTACTS_AUTOMATIC: int
RBL_CONTACT_METHOD_COUNT: int
RBL_CRACK_POINTS_SURFACE: int
RBL_CRACK_POINTS_ALL: int
RBL_JOINT_WELD: int
RBL_JOINT_HINGE: int
RBL_JOINT_BALL: int
RBL_JOINT_PRISMATIC: int
RBL_JOINT_DISTANCE: int
RBL_JOINT_WHEEL: int
RBL_JOINT_MOTOR: int
RBL_JOINT_KIND_COUNT: int
RBL_SLIDE: int
RBL_ROLL: int
RBL_SLIDE_BEGIN: int
RBL_SLIDE_STEP: int
RBL_SLIDE_END: int
RBL_FRACTURE_HIT: int
RBL_FRACTURE_BLOW: int
RBL_FRACTURE_LOAD: int
RBL_FRACTURE_BEND: int
RBL_FRACTURE_WEAR: int
RBL_FRACTURE_CUT: int
RBL_RETIRED_FROZEN: int
RBL_RETIRED_UNFROZEN: int
RBL_RETIRED_REMOVED: int
RBL_RETIRED_BAKED: int
RBL_RETIRED_RELEASED: int
RBL_RETIRED_EXPIRED: int
RBL_DAMAGE_RAY: int
RBL_DAMAGE_SPHERE: int
RBL_DAMAGE_CAPSULE: int
RBL_DAMAGE_CONE: int
RBL_DAMAGE_SHAPE_COUNT: int
RBL_DRAW_PARTS: int
RBL_DRAW_BOXES: int
RBL_DRAW_CONTACTS: int
RBL_DRAW_JOINTS: int
RBL_DRAW_MASSES: int
RBL_DRAW_CELLS: int
RBL_DRAW_TREES: int
RBL_DRAW_FIELDS: int
RBL_DRAW_STRESS: int
RBL_DRAW_HEALTH: int
RBL_DRAW_SLEEP: int
RBL_DRAW_ISLANDS: int
RBL_DRAW_ALL: int
RBL_ALPHA_OPAQUE: int
RBL_ALPHA_MASK: int
RBL_ALPHA_BLEND: int
RBL_TRACK_TRANSLATION: int
RBL_TRACK_ROTATION: int
RBL_TRACK_SCALE: int
RBL_FORMAT_AUTO: int
RBL_FORMAT_OBJ: int
RBL_FORMAT_PLY: int
RBL_FORMAT_STL: int
RBL_FORMAT_OFF: int
RBL_FORMAT_MEDIT: int
RBL_FORMAT_GLTF: int
RBL_FORMAT_COUNT: int
RBL_AXIS_X: int
RBL_AXIS_Y: int
RBL_AXIS_Z: int
RBL_JSON_MISSING: int
RBL_JSON_NULL: int
RBL_JSON_FALSE: int
RBL_JSON_TRUE: int
RBL_JSON_NUMBER: int
RBL_JSON_TEXT: int
RBL_JSON_LIST: int
RBL_JSON_OBJECT: int
RBL_CULL_NONE: int
RBL_CULL_CONE: int
RBL_CULL_EXACT: int
RBL_CULL_COUNT: int
RBL_RESTRUCTURE_NONE: int
RBL_RESTRUCTURE_COST: int
RBL_RESTRUCTURE_COUNT: int
RBL_SURFACE_BUILD_AREA: int
RBL_SURFACE_BUILD_GRID: int
RBL_SURFACE_BUILD_MEDIAN: int
RBL_SURFACE_BUILD_CURVE: int
RBL_SURFACE_BUILDER_COUNT: int
RBL_SURFACE_DISCRETE: int
RBL_SURFACE_CONTINUOUS: int
RBL_HIT_VERTEX_FACE: int
RBL_HIT_EDGE_EDGE: int
RBL_HIT_TRIANGLES: int
RBL_NEAREST_VERTEX_VERTEX: int
RBL_NEAREST_VERTEX_EDGE: int
RBL_NEAREST_VERTEX_FACE: int
RBL_NEAREST_EDGE_EDGE: int
RBL_OBSTACLE_MESHES: int
RBL_OBSTACLE_CONVEXES: int
RBL_OBSTACLE_SHAPE_COUNT: int
RBL_PRESET_CONCRETE: int
RBL_PRESET_BRICK: int
RBL_PRESET_STONE: int
RBL_PRESET_GLASS: int
RBL_PRESET_TEMPERED_GLASS: int
RBL_PRESET_WOOD: int
RBL_PRESET_PLASTER: int
RBL_PRESET_CERAMIC: int
RBL_PRESET_ICE: int
RBL_PRESET_METAL_SHEET: int
RBL_PRESET_COUNT: int

class rbl_allocator(Structure):
    "Where memory comes from. Copied by value into whatever is created with it, so the functions and `user` must live as long as that. All zero means the process's default."
    allocate: Any
    release: Any
    user: Optional[int]

class rbl_vec2(Structure):
    'Two floats: texture coordinates, points in a plane.'
    x: float
    y: float

class rbl_vec3(Structure):
    'A point or direction.'
    x: float
    y: float
    z: float

class rbl_vec3d(Structure):
    'A point or direction in double precision.'
    x: float
    y: float
    z: float

class rbl_vec4(Structure):
    'Four floats: a linear color with alpha, all from 0 to 1 where it is a color.'
    x: float
    y: float
    z: float
    w: float

class rbl_quat(Structure):
    'A rotation: unit quaternion, w is the real part.'
    x: float
    y: float
    z: float
    w: float

class rbl_quatd(Structure):
    'A rotation in double precision.'
    x: float
    y: float
    z: float
    w: float

class rbl_mat3(Structure):
    'A 3 x 3 matrix by columns: M v = x v.x + y v.y + z v.z.'
    x: rbl_vec3
    y: rbl_vec3
    z: rbl_vec3

class rbl_mat3d(Structure):
    'A 3 x 3 matrix by columns in double precision.'
    x: rbl_vec3d
    y: rbl_vec3d
    z: rbl_vec3d

class rbl_transform(Structure):
    'A rigid motion: p goes to rotation * p + position.'
    position: rbl_vec3
    rotation: rbl_quat

class rbl_transformd(Structure):
    'A rigid motion in double precision.'
    position: rbl_vec3d
    rotation: rbl_quatd

class rbl_box(Structure):
    'A closed axis-aligned box. Empty when lower > upper on some axis.'
    lower: rbl_vec3
    upper: rbl_vec3

class rbl_boxd(Structure):
    'A closed axis-aligned box in double precision.'
    lower: rbl_vec3d
    upper: rbl_vec3d

class rbl_plane(Structure):
    'The plane of all p with dot(normal, p) = offset. Outside is where the dot product is larger.'
    normal: rbl_vec3
    offset: float

class rbl_planed(Structure):
    'A plane in double precision.'
    normal: rbl_vec3d
    offset: float

class rbl_mass(Structure):
    'Mass, centre and inertia of a body of density 1: see rbl_mesh_get_mass().'
    volume: float
    centre: rbl_vec3d
    inertia: rbl_mat3d

class rbl_mesh(Structure):
    ''

class rbl_mesh_material(Structure):
    "How a face is drawn: the core of glTF's metallic-roughness model."
    name: Array[c_char]
    base_color: rbl_vec4
    metallic: float
    roughness: float
    source: int

class rbl_mesh_attribute(Structure):
    'A further attribute of corners, such as tangents or a third set of texture coordinates.'
    name: Array[c_char]
    width: int

class rbl_mesh_data(Structure):
    "What a mesh is made from, and how it is seen. The arrays of a definition are the caller's and read during the call only; those of a view are the mesh's and live as long as it does."
    vertex_count: int
    positions: _Pointer[rbl_vec3d]
    face_count: int
    corner_count: int
    face_starts: _Pointer[c_int]
    corner_vertices: _Pointer[c_int]
    corner_normals: _Pointer[rbl_vec3]
    corner_uv0: _Pointer[rbl_vec2]
    corner_uv1: _Pointer[rbl_vec2]
    corner_colors: _Pointer[rbl_vec4]
    attribute_count: int
    attributes: _Pointer[rbl_mesh_attribute]
    attribute_width: int
    corner_attributes: _Pointer[c_float]
    face_materials: _Pointer[c_int]
    material_count: int
    materials: _Pointer[rbl_mesh_material]

class rbl_mesh_def(Structure):
    'How to make a mesh. Start from rbl_default_mesh_def().'
    data: rbl_mesh_data
    allocator: rbl_allocator
    cookie: int

class rbl_mesh_report(Structure):
    'What a mesh is, as rbl_mesh_check() finds it. Edges and vertices are counted by index: two vertices at one place are two vertices.'
    vertices: int
    faces: int
    triangles: int
    components: int
    boundary_edges: int
    nonmanifold_edges: int
    nonmanifold_vertices: int
    loose_vertices: int
    degenerate_faces: int
    duplicate_faces: int
    is_closed: bool
    is_manifold: bool
    is_oriented: bool
    genus: int
    volume: float

class rbl_mesh_repair_def(Structure):
    'How to repair a mesh. Start from rbl_default_mesh_repair_def(). The steps are taken in the order of the fields.'
    weld_distance: float
    drop_degenerate: bool
    drop_duplicates: bool
    orient: bool
    split_nonmanifold: bool
    fill_holes: bool
    resolve_crossings: bool
    allocator: rbl_allocator
    cookie: int

class rbl_mesh_repair_report(Structure):
    'What a repair has done.'
    is_unchanged: bool
    welded_vertices: int
    dropped_vertices: int
    dropped_degenerate: int
    dropped_duplicates: int
    flipped_faces: int
    flipped_shells: int
    dropped_shells: int
    split_vertices: int
    cut_faces: int
    filled_holes: int
    added_faces: int
    resolved_crossings: int
    added_vertices: int

class rbl_convex(Structure):
    ''

class rbl_convex_data(Structure):
    'A convex as it is seen; the arrays live as long as it does.'
    face_count: int
    planes: _Pointer[rbl_planed]
    plane_ids: _Pointer[c_uint64]
    vertex_count: int
    vertices: _Pointer[rbl_vec3d]
    face_starts: _Pointer[c_int]
    corner_vertices: _Pointer[c_int]
    corner_faces: _Pointer[c_int]
    is_approximate: bool

class rbl_convex_def(Structure):
    'How to make a convex: of a mesh, or of planes. Start from rbl_default_convex_def().'
    mesh: _Pointer[rbl_mesh]
    planes: _Pointer[rbl_planed]
    plane_ids: _Pointer[c_uint64]
    plane_count: int
    box: rbl_boxd
    allocator: rbl_allocator
    cookie: int

class rbl_jobs(Structure):
    ''

class rbl_jobs_def(Structure):
    'How to make a pool. Start from rbl_default_jobs_def().'
    worker_count: int
    start_task: Any
    user: Optional[int]
    allocator: rbl_allocator
    cookie: int

class rbl_pattern(Structure):
    ''

class rbl_pattern_def(Structure):
    'How to make a pattern. Start from rbl_default_pattern_def().'
    kind: int
    size: rbl_vec3d
    cell_count: int
    focus: float
    ring_count: int
    spoke_count: int
    jitter: float
    brick_size: rbl_vec3d
    bond: int
    stretch: float
    sites: _Pointer[rbl_vec3d]
    convexes: _Pointer[_Pointer[rbl_convex]]
    given_count: int
    colors: _Pointer[c_int]
    region: rbl_boxd
    cell_limit: int
    seed: int
    jobs: _Pointer[rbl_jobs]
    allocator: rbl_allocator
    cookie: int

class rbl_solid(Structure):
    ''

class rbl_solid_def(Structure):
    'How to make a solid. Start from rbl_default_solid_def().'
    mesh: _Pointer[rbl_mesh]
    allocator: rbl_allocator
    cookie: int

class rbl_crossing_report(Structure):
    'Where the surface of a solid crosses itself. Different shells may overlap: each is looked at with its voids, by itself.'
    crossing_count: int
    inverted_volume: float
    doubled_volume: float
    is_breakable: bool

class rbl_pieces(Structure):
    ''

class rbl_inner_look(Structure):
    'How cut faces look.'
    material: int
    uv_scale: float
    uv_offset: rbl_vec2
    uv_seed: int
    atlas_lower: rbl_vec2
    atlas_upper: rbl_vec2
    color: rbl_vec4
    roughness: float
    rough_step: float

class rbl_pieces_def(Structure):
    'How to break a solid. Start from rbl_default_pieces_def().'
    solid: _Pointer[rbl_solid]
    pattern: _Pointer[rbl_pattern]
    position: rbl_vec3d
    shape: rbl_mat3d
    rotation_seed: int
    inner: rbl_inner_look
    cut_limit: int
    jobs: _Pointer[rbl_jobs]
    allocator: rbl_allocator
    cookie: int

class rbl_pieces_report(Structure):
    'What came of it, in numbers.'
    piece_count: int
    inner_count: int
    volume_in: float
    volume_out: float
    flat_count: int
    inverted_count: int
    overlap_count: int
    rerouted_count: int
    mismatch_count: int

class rbl_piece_info(Structure):
    'A piece in numbers.'
    cell: int
    color: int
    shell: int
    is_inner: bool
    vertex_count: int
    face_count: int
    triangle_capacity: int
    volume: float
    centre: rbl_vec3d

class rbl_draw_vertex(Structure):
    'A vertex to draw.'
    position: rbl_vec3
    normal: rbl_vec3
    uv0: rbl_vec2
    uv1: rbl_vec2
    color: rbl_vec4

class rbl_piece_pair(Structure):
    'Two pieces by index, the lower first.'
    a: int
    b: int

class rbl_task(Structure):
    ''

class rbl_material(Structure):
    ''

class rbl_compound(Structure):
    ''

class rbl_compound_part(Structure):
    'A part of a compound: one convex, numbered from 0. A part keeps its number as long as it is in the compound; numbers of parts that left are used again.'
    convex: _Pointer[rbl_convex]
    mesh: _Pointer[rbl_mesh]
    material: int
    is_anchored: bool
    strength: float
    damage: float
    overlap: float
    shape: int

class rbl_strength_paint(Structure):
    'How strength is painted on parts and bonds: both factors count. Start from rbl_default_strength_paint(), which definitions contain.'
    function: rbl_strength_function
    user: Optional[int]
    key: int
    channel: int
    at_zero: float
    at_one: float

class rbl_cluster_level(Structure):
    'A level of a hierarchy: parts are grouped into clusters, and bonds between clusters have a strength of their own. Where it is below that of the bonds inside, weak hits part clusters, and harder ones part the clusters themselves, by rbl_damage_rule.bond_energy. All that is not set is 0.'
    cluster_count: int
    strength: float
    pattern: _Pointer[rbl_pattern]
    position: rbl_vec3d
    rotation: rbl_quatd

class rbl_anchor_def(Structure):
    'Which parts are fixed to the world, by rule: any of them is enough. Start from rbl_default_anchor_def().'
    lowest: float
    up: rbl_vec3d
    boxes: _Pointer[rbl_boxd]
    box_count: int
    material: Optional[bytes]
    channel: int
    cookie: int

class rbl_compound_def(Structure):
    'How to make a compound: of parts, of one mesh, or of a mesh and a pattern that splits it. Start from rbl_default_compound_def().'
    parts: _Pointer[rbl_compound_part]
    part_count: int
    mesh: _Pointer[rbl_mesh]
    pattern: _Pointer[rbl_pattern]
    position: rbl_vec3d
    fit: int
    inner: rbl_inner_look
    tolerance: float
    cut_limit: int
    materials: _Pointer[_Pointer[rbl_material]]
    material_count: int
    paint: rbl_strength_paint
    jobs: _Pointer[rbl_jobs]
    allocator: rbl_allocator
    cookie: int

class rbl_compound_info(Structure):
    'A compound in numbers.'
    part_count: int
    part_end: int
    bond_count: int
    anchored_count: int
    approximate_count: int
    material_count: int

class rbl_compound_bond(Structure):
    'A bond, seen from a part.'
    other: int
    face: int
    other_face: int
    area: float
    centre: rbl_vec3d
    strength: float
    damage: float

class rbl_break_def(Structure):
    'How to break a compound. Start from rbl_default_break_def().'
    pattern: _Pointer[rbl_pattern]
    position: rbl_vec3d
    pattern_offset: rbl_vec3d
    shape: rbl_mat3d
    rotation_seed: int
    radius: float
    material: int
    fit: int
    inner: rbl_inner_look
    welds: bool
    cut_limit: int
    jobs: _Pointer[rbl_jobs]
    cookie: int

class rbl_break(Structure):
    ''

class rbl_break_overlap(Structure):
    'Two parts of different compounds that overlap: a mesh may fall into several pieces in one cell, and the convexes around them may overlap.'
    compound_a: int
    part_a: int
    compound_b: int
    part_b: int

class rbl_break_data(Structure):
    'A break as it is seen. The arrays live as long as it does.'
    compound_count: int
    compounds: _Pointer[_Pointer[rbl_compound]]
    overlap_count: int
    overlaps: _Pointer[rbl_break_overlap]
    touched_count: int
    made_count: int
    gone_count: int
    gone_parts: _Pointer[c_int]
    welded_count: int
    approximate_count: int
    flat_count: int
    flat_volume: float
    cut_count: int
    tested_count: int
    visited_count: int
    triangle_count: int

class rbl_distance_field(Structure):
    ''

class rbl_distance_field_def(Structure):
    'How to make the field of a mesh. Start from rbl_default_distance_field_def().'
    mesh: _Pointer[rbl_mesh]
    resolution: int
    wall: float
    jobs: _Pointer[rbl_jobs]
    allocator: rbl_allocator
    cookie: int

class rbl_distance_field_info(Structure):
    'A field in numbers.'
    bounds: rbl_box
    cell_size: float
    surface_error: float
    largest_error: float
    bytes: int
    brick_counts: Array[c_int]

class rbl_cell_union(Structure):
    "Several cells that hold together, as one region of space. Arrays are the caller's and read during the call only."
    cell_count: int
    plane_starts: _Pointer[c_int]
    planes: _Pointer[rbl_plane]
    cell_boxes: _Pointer[rbl_box]
    polygon_count: int
    corner_starts: _Pointer[c_int]
    corners: _Pointer[rbl_vec3]

class rbl_triangle_list(Structure):
    'Triangles of a closed surface: three corners each.'
    corners: _Pointer[rbl_vec3]
    triangle_count: int

class rbl_fragment_field_def(Structure):
    "What a fragment is: what lies in the original, in its box, behind all planes, and in each union. All coordinates are the original's, whatever became of the fragment since, so breaking again only adds planes or a union. Start from rbl_default_fragment_field_def()."
    original: _Pointer[rbl_distance_field]
    without_original: bool
    transform: rbl_transform
    box: rbl_box
    planes: _Pointer[rbl_plane]
    plane_count: int
    unions: _Pointer[rbl_cell_union]
    union_count: int
    surface: rbl_triangle_list
    others: rbl_triangle_list
    allocator: rbl_allocator
    cookie: int

class rbl_asset(Structure):
    ''

class rbl_prepare_def(Structure):
    'How to prepare a mesh. Start from rbl_default_prepare_def(). Each shell (an outer surface with its voids) is prepared by itself: divided by the Voronoi cells of nodes, and around each piece goes a convex. Shells may overlap each other, as columns and roof of a model that was never welded.'
    nodes: _Pointer[rbl_vec3d]
    node_count: int
    tolerance: float
    node_limit: int
    hull_vertices: int
    inner: rbl_inner_look
    materials: _Pointer[_Pointer[rbl_material]]
    material_count: int
    seed: int
    field_resolution: int
    field_wall: float
    levels: _Pointer[rbl_cluster_level]
    level_count: int
    paint: rbl_strength_paint
    anchors: _Pointer[rbl_anchor_def]
    previous: _Pointer[rbl_asset]
    jobs: _Pointer[rbl_jobs]
    allocator: rbl_allocator
    cookie: int

class rbl_asset_report(Structure):
    'An asset in numbers.'
    shell_count: int
    node_count: int
    part_count: int
    kept_count: int
    bond_count: int
    overlap_count: int
    ghost_count: int
    covered_count: int
    is_ghost_limited: bool
    mesh_volume: float
    visual_volume: float
    convex_volume: float
    mass_volume: float
    worst_ratio: float
    stop: int
    loose_count: int
    key: int

class rbl_ghost(Structure):
    'What parts have in common.'
    convex: _Pointer[rbl_convex]
    sign: int
    part_count: int
    first_part: int
    last_part: int

class rbl_bending(Structure):
    ''

class rbl_bending_def(Structure):
    'How to bend. Start from rbl_default_bending_def().'
    step_count: int
    max_stretch: float
    cookie: int

class rbl_filter(Structure):
    'Who may form a pair with whom: (a.category & b.mask) and (b.category & a.mask), unless both have the same group other than zero: then a positive group always pairs, a negative one never.'
    category: int
    mask: int
    group: int

class rbl_broadphase(Structure):
    ''

class rbl_proxy_id(Structure):
    'The id of a box in a broad phase. All zero is the null id; one whose box was removed is stale and refused.'
    slot_plus_one: int
    generation: int

class rbl_proxy_def(Structure):
    'A box to be added.'
    box: rbl_box
    filter: rbl_filter
    is_static: bool
    user: int

class rbl_bsp_settings(Structure):
    "How the BSP adjusts itself. The names are those of Luque, Comba and Freitas (2005); where a default is not the paper's, the manual says what was measured."
    direction_count: int
    split_threshold: int
    merge_threshold: int
    min_balance: float
    max_redundancy: float
    evaluation_interval: int
    event_capacity: int
    event_divisor: int
    height_limit: int

class rbl_broadphase_def(Structure):
    'How to make a broad phase. Start from rbl_default_broadphase_def().'
    kind: int
    capacity_hint: int
    work_budget: int
    margin: float
    bsp: rbl_bsp_settings
    jobs: _Pointer[rbl_jobs]
    allocator: rbl_allocator
    cookie: int

class rbl_pair(Structure):
    'Two overlapping boxes, by slot, a < b.'
    a: int
    b: int

class rbl_pair_list(Structure):
    'A list of pairs.'
    pairs: _Pointer[rbl_pair]
    count: int

class rbl_broadphase_result(Structure):
    'What an update found. All lists live until the next call that changes the broad phase.'
    runs: _Pointer[rbl_pair_list]
    run_count: int
    pair_count: int
    begun: rbl_pair_list
    ended: rbl_pair_list
    was_reset: bool

class rbl_broadphase_stats(Structure):
    'What the structure looks like and what was done to it.'
    proxies: int
    static_proxies: int
    leaves: int
    depth: int
    redundancy: float
    splits: int
    shift_splits: int
    merges: int
    balances: int
    swaps: int
    rebuilds: int
    events_waiting: int
    events_deferred: int
    work: int
    update_ms: float
    pairs_ms: float
    adjust_ms: float
    bytes: int

class rbl_damage_level(Structure):
    'What a hit of some energy does.'
    energy: float
    pattern: _Pointer[rbl_pattern]
    radius: float

class rbl_damage_rule(Structure):
    'How a material breaks. Start from rbl_default_damage_rule().'
    levels: _Pointer[rbl_damage_level]
    level_count: int
    radius_limit: float
    min_size: float
    dust_size: float
    bend_energy: float
    bend_depth: float
    bend_radius: float
    wear_energy: float
    wear_exponent: int
    wear_radius: float
    bond_energy: float
    cookie: int

class rbl_wear_report(Structure):
    'What a hit has done to the health of a compound.'
    part_count: int
    bond_count: int
    failed_count: int
    breaks: bool
    energy: float

class rbl_exposed_triangle(Structure):
    'A triangle of a face that a break exposed.'
    corners: Array[rbl_vec3d]
    normal: rbl_vec3
    area: float
    compound: int
    part: int
    material: int

class rbl_particle_def(Structure):
    'How many particles exposed faces give off. Start from rbl_default_particle_def().'
    density: float
    sphere_ratio: float
    min_radius: float
    max_radius: float
    instance_count: int
    seed: int
    cookie: int

class rbl_particle(Structure):
    'A particle on an exposed face. Damp the rotation of spheres strongly, so that they do not roll for ever; points are dust for the caller to move in the air.'
    position: rbl_vec3d
    normal: rbl_vec3
    radius: float
    instance: int
    triangle: int

class rbl_dust_fragment(Structure):
    'A piece that is too small for a body: a sphere of its volume.'
    position: rbl_vec3d
    velocity: rbl_vec3d
    volume: float
    radius: float

class rbl_motion(Structure):
    'How the thing moved that broke.'
    position: rbl_vec3d
    velocity: rbl_vec3d
    angular_velocity: rbl_vec3d

class rbl_material_values(Structure):
    'What a surface is made of. Where two touch, friction is the geometric mean of both, restitution and resistances are the larger, and surface velocities are subtracted.'
    friction: float
    restitution: float
    density: float
    rolling_resistance: float
    spinning_resistance: float
    surface_velocity: rbl_vec3
    user: int

class rbl_bond_strengths(Structure):
    'What the bonds between parts hold, in pascal, each >= 0; 0: they never fail that way. A bond between two materials holds the lesser of each, where neither is 0, times its own strength (rbl_compound_bond).'
    tension: float
    shear: float
    compression: float

class rbl_debris_rule(Structure):
    'What falls off the faces that a break exposes.'
    kind: int
    density: float
    min_radius: float
    max_radius: float
    limit: int
    lifetime: float
    speed: float
    dust_density: float

class rbl_material_def(Structure):
    'How to make a material. Start from rbl_default_material_def().'
    values: rbl_material_values
    damage: rbl_damage_rule
    strengths: rbl_bond_strengths
    placement: int
    frame: rbl_quatd
    frame_origin: rbl_vec3d
    shape: rbl_mat3d
    inner: rbl_inner_look
    fit: int
    welds: bool
    cut_limit: int
    debris: rbl_debris_rule
    name: Optional[bytes]
    allocator: rbl_allocator
    cookie: int

class rbl_collider(Structure):
    ''

class rbl_collider_child(Structure):
    'A part of a compound. What it has of its own counts in worlds; all zero: as its body.'
    collider: _Pointer[rbl_collider]
    pose: rbl_transform
    material: _Pointer[rbl_material]
    filter: rbl_filter
    user: int
    is_sensor: bool

class rbl_collider_def(Structure):
    'How to make a collider. Start from rbl_default_collider_def(). Lengths are at most RBL_MAX_COLLIDER_SIZE.'
    kind: int
    a: rbl_vec3
    b: rbl_vec3
    radius: float
    rounding: float
    half_size: rbl_vec3
    convex: _Pointer[rbl_convex]
    origin: rbl_vec3d
    mesh: _Pointer[rbl_mesh]
    materials: _Pointer[_Pointer[rbl_material]]
    material_count: int
    cell_materials: _Pointer[c_uint8]
    children: _Pointer[rbl_collider_child]
    child_count: int
    heights: _Pointer[c_float]
    column_count: int
    row_count: int
    cell_size: float
    allocator: rbl_allocator
    cookie: int

class rbl_manifold_point(Structure):
    'A point where two shapes touch, or nearly.'
    position: rbl_vec3
    separation: float
    id: int

class rbl_manifold(Structure):
    'How two convex shapes touch.'
    normal: rbl_vec3
    point_count: int
    points: Array[rbl_manifold_point]
    child_a: int
    child_b: int

class rbl_contacts(Structure):
    ''

class rbl_manifolds(Structure):
    'A list of manifolds, valid until the next update.'
    manifolds: _Pointer[rbl_manifold]
    count: int

class rbl_separation(Structure):
    'How far apart two shapes are, or how deep they overlap.'
    distance: float
    normal: rbl_vec3
    point_a: rbl_vec3
    point_b: rbl_vec3
    child_a: int
    child_b: int

class rbl_cast_hit(Structure):
    'What a cast hit.'
    fraction: float
    point: rbl_vec3
    normal: rbl_vec3
    child: int
    is_hit: bool

class rbl_field_shape(Structure):
    ''

class rbl_field_shape_def(Structure):
    'How to make a shape. Start from rbl_default_field_shape_def().'
    field: _Pointer[rbl_distance_field]
    mesh: _Pointer[rbl_mesh]
    origin: rbl_vec3d
    crease_angle: float
    spacing: float
    positions: _Pointer[rbl_vec3]
    count: int
    ids: _Pointer[c_uint32]
    allocator: rbl_allocator
    cookie: int

class rbl_field_shape_info(Structure):
    'A shape in numbers.'
    bounds: rbl_box
    point_count: int
    bytes: int

class rbl_field_side(Structure):
    'One of two bodies: a shape, or a collider. At least one of the two is a shape.'
    shape: _Pointer[rbl_field_shape]
    pose: rbl_transform
    velocity: rbl_vec3
    angular_velocity: rbl_vec3
    collider: _Pointer[rbl_collider]

class rbl_field_contact_settings(Structure):
    'How to find contacts. Start from rbl_default_field_contact_settings().'
    selection: int
    tolerance: float
    margin: float
    dt: float
    touching: float
    deep: float
    point_count: int
    gather_count: int
    visit_budget: int

class rbl_field_contact_memory(Structure):
    'What a pair remembers from step to step: plain data, all zero at first. It outlasts a shape that is made anew, as long as ids are the same.'
    ids: Array[c_uint32]
    ranks: Array[c_int32]
    count: int
    wanted: Array[c_int32]
    normals: Array[rbl_vec3]
    separations: Array[c_float]

class rbl_field_contact(Structure):
    'A point where two bodies touch, or nearly.'
    position: rbl_vec3
    normal: rbl_vec3
    separation: float
    id: int
    child: int

class rbl_field_contact_list(Structure):
    'What a query found.'
    points: _Pointer[rbl_field_contact]
    point_count: int
    manifolds: _Pointer[rbl_manifold]
    manifold_count: int
    visited: Array[c_int]
    found: Array[c_int]
    has_stopped: Array[c_bool]

class rbl_field_contacts(Structure):
    ''

class rbl_crack_polygon(Structure):
    "The contact of two bodies that a crack has just parted, at a polygon which both have. Corners lie on the crack and on the outer surface, whose fields would say that the latter is as near; here the normal is the crack's."
    corners: _Pointer[rbl_vec3]
    corner_count: int
    normal: rbl_vec3
    b_in_a: rbl_transform
    first_id: int

class rbl_world(Structure):
    ''

class rbl_body_id(Structure):
    'Names a body in a world. All zero names nothing; the id of a body that is gone is stale and refused, never followed.'
    index: int
    generation: int

class rbl_body_def(Structure):
    'How to make a body. Start from rbl_default_body_def(), and give it exactly one shape: `collider`, `convex`, `compound`, `asset` or `mesh`.'
    kind: int
    pose: rbl_transform
    velocity: rbl_vec3
    angular_velocity: rbl_vec3
    collider: _Pointer[rbl_collider]
    convex: _Pointer[rbl_convex]
    compound: _Pointer[rbl_compound]
    asset: _Pointer[rbl_asset]
    mesh: _Pointer[rbl_mesh]
    contact_method: int
    field_shape: _Pointer[rbl_field_shape]
    original_field: _Pointer[rbl_distance_field]
    material: rbl_material_values
    shared_material: _Pointer[rbl_material]
    filter: rbl_filter
    mass: _Pointer[rbl_mass]
    linear_damping: float
    angular_damping: float
    gravity_scale: float
    locks: int
    is_sensor: bool
    can_sleep: bool
    is_awake: bool
    is_enabled: bool
    is_bullet: bool
    modifies_contacts: bool
    user: int
    cookie: int

class rbl_body_state(Structure):
    'A body as it is now.'
    kind: int
    pose: rbl_transform
    centre: rbl_vec3
    velocity: rbl_vec3
    angular_velocity: rbl_vec3
    is_awake: bool
    is_enabled: bool
    is_sensor: bool
    is_bullet: bool
    can_sleep: bool
    modifies_contacts: bool
    user: int

class rbl_body_mass(Structure):
    'Mass properties of a body.'
    mass: float
    centre: rbl_vec3
    inertia: rbl_mat3

class rbl_body_part(Structure):
    'A convex of a body.'
    collider: _Pointer[rbl_collider]
    pose: rbl_transform
    part: int
    material: rbl_material_values
    shared_material: _Pointer[rbl_material]
    filter: rbl_filter
    user: int
    is_sensor: bool

class rbl_baked_fragment(Structure):
    'Debris that is a part of a static body: see rbl_world_def.bake_time.'
    part: int
    compound: _Pointer[rbl_compound]
    pose: rbl_transform
    mass: float
    user: int
    fragment: int

class rbl_impact(Structure):
    'What a continuous test found. When `is_hit` is false, all else is zero.'
    time: float
    weights: Array[c_double]
    normal: rbl_vec3d
    is_hit: bool
    is_contact_at_start: bool
    is_certified: bool

class rbl_closest(Structure):
    'The closest points of a vertex and a face, or of two edges.'
    distance: float
    rounding: float
    weights: Array[c_double]
    corners: int
    points: Array[rbl_vec3d]
    direction: rbl_vec3d

class rbl_chip(Structure):
    'A chip. What it is made of, its pose and its user value, which is that of what broke, are those of its body.'
    body: rbl_body_id
    kind: int
    variant: int
    radius: float
    time_left: float

class rbl_compound_field_def(Structure):
    'How to make the field of a compound. Start from rbl_default_compound_field_def().'
    compound: _Pointer[rbl_compound]
    original: _Pointer[rbl_distance_field]
    others: _Pointer[_Pointer[rbl_compound]]
    other_count: int
    transform: rbl_transform
    allocator: rbl_allocator
    cookie: int

class rbl_tets(Structure):
    ''

class rbl_tets_def(Structure):
    'How to make a tetrahedral mesh from arrays. Start from rbl_default_tets_def().'
    vertex_count: int
    positions: _Pointer[rbl_vec3d]
    tet_count: int
    tet_vertices: _Pointer[c_int]
    mend_orientation: bool
    allocator: rbl_allocator
    cookie: int

class rbl_tets_data(Structure):
    'A look into a tetrahedral mesh. The arrays live as long as the mesh.'
    vertex_count: int
    positions: _Pointer[rbl_vec3d]
    tet_count: int
    tet_vertices: _Pointer[c_int]
    tet_neighbors: _Pointer[c_int]
    boundary_vertex_count: int
    boundary_vertices: _Pointer[c_int]
    boundary_face_count: int
    boundary_triangles: _Pointer[c_int]
    boundary_tets: _Pointer[c_int]

class rbl_tets_quality(Structure):
    'How well-shaped tetrahedra are.'
    smallest_angle: float
    largest_angle: float
    volume: float
    smallest_volume: float
    shortest_edge: float
    longest_edge: float

class rbl_fill_def(Structure):
    'How to fill a closed mesh. Start from rbl_default_fill_def().'
    mesh: _Pointer[rbl_mesh]
    edge_length: float
    loss_tolerance: float
    refine_limit: int
    allow_loss: bool
    allocator: rbl_allocator
    cookie: int

class rbl_fill_report(Structure):
    'What a filling is like.'
    edge_length: float
    refine_count: int
    tet_count: int
    smallest_angle: float
    largest_angle: float
    volume: float
    mesh_volume: float
    boundary_distance: float
    mesh_distance: float
    lost_count: int
    lost_position: rbl_vec3d
    topology_differs: bool

class rbl_crack_field(Structure):
    ''

class rbl_crack_field_def(Structure):
    'How to make a crack field. Start from rbl_default_crack_field_def().'
    tets: _Pointer[rbl_tets]
    origin: rbl_vec3d
    grid_size: int
    allocator: rbl_allocator
    cookie: int

class rbl_crack_cut(Structure):
    'A crack in a tetrahedron: what lies behind a plane is in one part, what lies in front of it in another. Where several cracks of a tetrahedron name a part, it is what lies on its side of all of them. Any number of cracks may cut an edge, in one break or in several.'
    tet: int
    plane: int
    back: int
    front: int

class rbl_crack_break(Structure):
    'How a fragment breaks.'
    fragment: int
    part_count: int
    node_parts: _Pointer[c_int]
    planes: _Pointer[rbl_plane]
    plane_count: int
    cuts: _Pointer[rbl_crack_cut]
    cut_count: int
    has_cell_planes: bool

class rbl_crack_nodes(Structure):
    'What is known at the nodes; until the next break.'
    node_count: int
    fragments: _Pointer[c_int]
    depths: _Pointer[c_float]

class rbl_cutter(Structure):
    ''

class rbl_cutter_def(Structure):
    'How to make a cutter. Start from rbl_default_cutter_def().'
    vertex_count: int
    positions: _Pointer[rbl_vec3d]
    triangle_count: int
    triangles: _Pointer[c_int]
    front_spacing: float
    allocator: rbl_allocator
    cookie: int

class rbl_crack(Structure):
    'A crack: the sheet that a front leaves behind. Both polylines are read during the call only.'
    front: _Pointer[rbl_vec3d]
    front_count: int
    path: _Pointer[rbl_vec3d]
    path_count: int

class rbl_cut_step(Structure):
    'What one step did to the mesh. The arrays live until the next call on the cutter.'
    changed: _Pointer[c_int]
    changed_count: int
    parts: _Pointer[c_int]
    sources: _Pointer[c_int]
    part_count: int
    faces: _Pointer[c_int]
    face_count: int
    is_through: bool

class rbl_cutter_mesh(Structure):
    'The mesh as it is. The arrays live until the next call on the cutter.'
    vertex_count: int
    positions: _Pointer[rbl_vec3d]
    triangle_count: int
    triangles: _Pointer[c_int]
    twins: _Pointer[c_int]
    crack_ids: _Pointer[c_int]

class rbl_joint_id(Structure):
    'Names a joint in a world. All zero names nothing; a stale id is refused.'
    index: int
    generation: int

class rbl_joint_def(Structure):
    'How to make a joint. Start from rbl_default_joint_def(). Limits, motor and spring act on the coordinate of a joint: the angle of a hinge, the twist of a ball joint about z, the translation of a prismatic joint or a suspension, the distance of a distance joint. Angles are in radians, lengths in metres. A weld and a motor joint have none.'
    kind: int
    body_a: rbl_body_id
    body_b: rbl_body_id
    frame_a: rbl_transform
    frame_b: rbl_transform
    lower_angle: float
    upper_angle: float
    lower_distance: float
    upper_distance: float
    has_limits: bool
    cone_angle: float
    has_cone: bool
    motor_speed: float
    motor_force: float
    motor_torque: float
    has_motor: bool
    spring_hertz: float
    spring_damping: float
    spring_target: float
    has_spring: bool
    break_force: float
    break_torque: float
    collides: bool
    user: int
    cookie: int

class rbl_joint_state(Structure):
    'A joint as it is now.'
    kind: int
    body_a: rbl_body_id
    body_b: rbl_body_id
    frame_a: rbl_transform
    frame_b: rbl_transform
    force: float
    torque: float
    angle: float
    distance: float
    user: int

class rbl_contact_event(Structure):
    'Two parts begin or cease to touch. The ids in an end may be stale: then the body was destroyed.'
    body_a: rbl_body_id
    body_b: rbl_body_id
    part_a: int
    part_b: int
    material_a: _Pointer[rbl_material]
    material_b: _Pointer[rbl_material]

class rbl_hit_event(Structure):
    'Two parts hit each other faster than rbl_world_def.hit_speed.'
    body_a: rbl_body_id
    body_b: rbl_body_id
    part_a: int
    part_b: int
    point: rbl_vec3
    normal: rbl_vec3
    speed: float
    impulse: float
    energy: float
    material_a: _Pointer[rbl_material]
    material_b: _Pointer[rbl_material]

class rbl_sleep_event(Structure):
    'A body fell asleep or woke up, by itself or by a call since the last step. A body begins as its definition says, and awake when it is enabled again.'
    body: rbl_body_id
    is_awake: bool

class rbl_sensor_event(Structure):
    'Something entered or left a sensor. The ids in a leaving may be stale.'
    sensor: rbl_body_id
    visitor: rbl_body_id
    sensor_part: int
    is_inside: bool

class rbl_joint_event(Structure):
    'A joint broke; its id is stale from now on.'
    joint: rbl_joint_id
    body_a: rbl_body_id
    body_b: rbl_body_id
    user: int
    force: float
    torque: float

class rbl_slide_event(Structure):
    'Two bodies slide or roll on each other, faster than rbl_world_def.slide_speed: for sounds. Where they touch with many parts, the one that is pressed hardest.'
    body_a: rbl_body_id
    body_b: rbl_body_id
    part_a: int
    part_b: int
    kind: int
    phase: int
    material_a: _Pointer[rbl_material]
    material_b: _Pointer[rbl_material]
    material_user_a: int
    material_user_b: int
    point: rbl_vec3
    normal: rbl_vec3
    velocity: rbl_vec3
    speed: float
    impulse: float

class rbl_dust_emitter(Structure):
    'A place on an exposed face where dust comes from: what a particle system asks for.'
    position: rbl_vec3
    normal: rbl_vec3
    velocity: rbl_vec3
    area: float
    material: _Pointer[rbl_material]

class rbl_fracture_triangle(Structure):
    'A triangle of a face that a break exposed: see rbl_world_get_exposed_triangles().'
    corners: Array[rbl_vec3]
    normal: rbl_vec3
    area: float
    velocity: rbl_vec3
    body: rbl_body_id
    part: int
    material: _Pointer[rbl_material]

class rbl_fracture_event(Structure):
    'A body broke.'
    parent: rbl_body_id
    survives: bool
    user: int
    cause: int
    other: rbl_body_id
    new_bodies: _Pointer[rbl_body_id]
    new_count: int
    dust: _Pointer[rbl_dust_fragment]
    dust_count: int
    parts: _Pointer[c_int]
    part_count: int
    chips: _Pointer[rbl_chip]
    emitters: _Pointer[rbl_dust_emitter]
    chip_count: int
    emitter_count: int
    lost_mass: float
    impulse: float
    point: rbl_vec3
    normal: rbl_vec3
    material: int
    made_of: _Pointer[rbl_material]
    energy: float
    radius: float
    exposed_area: float
    seed: int

class rbl_retire_event(Structure):
    'Debris was frozen, unfrozen, removed, baked or released, or a chip is gone. Debris are fragments of a break.'
    body: rbl_body_id
    what: int
    user: int
    host: rbl_body_id
    part: int
    pose: rbl_transform
    mass: float

class rbl_events(Structure):
    'All events of a step.'
    begins: _Pointer[rbl_contact_event]
    ends: _Pointer[rbl_contact_event]
    hits: _Pointer[rbl_hit_event]
    sensors: _Pointer[rbl_sensor_event]
    sleeps: _Pointer[rbl_sleep_event]
    joints: _Pointer[rbl_joint_event]
    fractures: _Pointer[rbl_fracture_event]
    retires: _Pointer[rbl_retire_event]
    slides: _Pointer[rbl_slide_event]
    begin_count: int
    end_count: int
    hit_count: int
    sensor_count: int
    sleep_count: int
    joint_count: int
    fracture_count: int
    retire_count: int
    slide_count: int
    lost_count: int

class rbl_move_event(Structure):
    'A body that moved in the last step: what a renderer or another engine asks for.'
    body: rbl_body_id
    pose: rbl_transform
    user: int

class rbl_contact_change(Structure):
    'A contact before it is solved, which the function may change.'
    body_a: rbl_body_id
    body_b: rbl_body_id
    part_a: int
    part_b: int
    manifold: rbl_manifold
    friction: float
    restitution: float
    surface_velocity: rbl_vec3
    is_enabled: bool

class rbl_world_def(Structure):
    'How to make a world. Start from rbl_default_world_def().'
    gravity: rbl_vec3
    substep_count: int
    can_sleep: bool
    detects_only: bool
    length_scale: float
    hit_speed: float
    restitution_speed: float
    capacity_hint: int
    budget: int
    body_limit: int
    debris_limit: int
    freeze_time: float
    bake_time: float
    keeps_exposed_triangles: bool
    chip_limit: int
    should_collide: rbl_pair_function
    modify_contact: rbl_contact_function
    slide_speed: float
    user: Optional[int]
    jobs: _Pointer[rbl_jobs]
    allocator: rbl_allocator
    cookie: int

class rbl_explosion(Structure):
    'Push everything away from a point.'
    position: rbl_vec3
    radius: float
    falloff: float
    impulse_per_area: float
    mask: int
    energy: float
    is_occluded: bool

class rbl_damage_def(Structure):
    'Damage to whatever is at a place: shots, shock waves, breath of dragons. Start from rbl_default_damage_def().'
    shape: int
    position: rbl_vec3
    translation: rbl_vec3
    radius: float
    falloff: float
    energy: float
    impulse: float
    mask: int
    is_occluded: bool
    cookie: int

class rbl_contact(Structure):
    'Two parts that touch, or nearly.'
    body_a: rbl_body_id
    body_b: rbl_body_id
    manifold: rbl_manifold
    friction: float
    restitution: float
    impulse: float

class rbl_world_hit(Structure):
    'Something that a query met.'
    body: rbl_body_id
    part: int
    fraction: float
    point: rbl_vec3
    normal: rbl_vec3
    distance: float

class rbl_collider_cast(Structure):
    'One of many casts: see rbl_world_cast_collider().'
    collider: _Pointer[rbl_collider]
    pose: rbl_transform
    translation: rbl_vec3
    filter: _Pointer[rbl_filter]

class rbl_draw(Structure):
    'Receives lines and points; either may be NULL. Colours are 0xRRGGBB. Threads: world.'
    line: Any
    point: Any
    user: Optional[int]
    flags: int
    box: rbl_box

class rbl_world_stats(Structure):
    'What a step did and what it cost.'
    body_count: int
    awake_count: int
    static_count: int
    part_count: int
    pair_count: int
    active_count: int
    touching_count: int
    point_count: int
    joint_count: int
    debris_count: int
    chip_count: int
    baked_count: int
    breaking_count: int
    fracture_work: int
    stress_work: int
    budget_left: int
    apart_count: int
    reused_count: int
    refreshed_count: int
    searched_count: int
    begin_count: int
    end_count: int
    cast_count: int
    color_count: int
    step_ms: float
    broadphase_ms: float
    pairs_ms: float
    narrow_ms: float
    contacts_ms: float
    solver_ms: float
    finish_ms: float
    fracture_ms: float
    stress_ms: float
    debris_ms: float
    failed_bond_count: int
    lost_count: int
    capped_pair_count: int
    rescued_count: int
    ejection_clamp_count: int
    bytes: int
    body_bytes: int
    step_count: int

class rbl_sources(Structure):
    'Where assets and patterns come from when something names them by key. Start from rbl_default_sources().'
    assets: _Pointer[_Pointer[rbl_asset]]
    asset_count: int
    patterns: _Pointer[_Pointer[rbl_pattern]]
    pattern_count: int
    materials: _Pointer[_Pointer[rbl_material]]
    material_count: int
    find_asset: Any
    find_pattern: Any
    user: Optional[int]
    cookie: int

class rbl_hull(Structure):
    ''

class rbl_hull_def(Structure):
    'How to make a hull. Start from rbl_default_hull_def().'
    point_count: int
    points: _Pointer[rbl_vec3d]
    allocator: rbl_allocator
    cookie: int

class rbl_hull_data(Structure):
    'A look into a hull. The arrays live as long as the hull.'
    vertex_count: int
    positions: _Pointer[rbl_vec3d]
    point_indices: _Pointer[c_int]
    face_count: int
    corner_count: int
    face_starts: _Pointer[c_int]
    corner_vertices: _Pointer[c_int]
    planes: _Pointer[rbl_planed]

class rbl_outer_hull(Structure):
    ''

class rbl_outer_hull_def(Structure):
    'How to make an outer hull. Start from rbl_default_outer_hull_def().'
    point_count: int
    points: _Pointer[rbl_vec3d]
    vertex_count: int
    keeps_directions: bool
    plane_limit: int
    allocator: rbl_allocator
    cookie: int

class rbl_outer_hull_data(Structure):
    'A look into an outer hull. The arrays live as long as the hull.'
    chosen_count: int
    chosen: _Pointer[c_int]
    plane_count: int
    planes: _Pointer[rbl_planed]
    vertex_count: int
    vertices: _Pointer[rbl_vec3d]
    face_starts: _Pointer[c_int]
    corner_vertices: _Pointer[c_int]
    volume: float

class rbl_scene_node(Structure):
    'A node of a scene: a mesh or a group, placed relative to its parent. Start from rbl_default_scene_node().'
    name: Optional[bytes]
    mesh: int
    parent: int
    translation: rbl_vec3
    rotation: rbl_quat
    scale: rbl_vec3
    matrix: _Pointer[c_float]
    camera: int
    extensions: Optional[bytes]
    extras: Optional[bytes]
    instance_count: int
    instance_translations: _Pointer[rbl_vec3]
    instance_rotations: _Pointer[rbl_quat]
    instance_scales: _Pointer[rbl_vec3]

class rbl_texture_use(Structure):
    'A texture as a material uses it.'
    texture: int
    uv_set: int
    factor: float
    extensions: Optional[bytes]
    extras: Optional[bytes]

class rbl_scene_material(Structure):
    "A material: all of glTF's metallic-roughness model. Start from rbl_default_scene_material()."
    name: Optional[bytes]
    base_color: rbl_vec4
    metallic: float
    roughness: float
    emissive: rbl_vec3
    alpha_mode: int
    alpha_cutoff: float
    is_double_sided: bool
    base_color_texture: rbl_texture_use
    metallic_roughness_texture: rbl_texture_use
    normal_texture: rbl_texture_use
    occlusion_texture: rbl_texture_use
    emissive_texture: rbl_texture_use
    extensions: Optional[bytes]
    extras: Optional[bytes]

class rbl_scene_texture(Structure):
    'A texture: an image and how it is sampled.'
    name: Optional[bytes]
    image: int
    sampler: int
    extensions: Optional[bytes]
    extras: Optional[bytes]

class rbl_scene_sampler(Structure):
    "How a texture is sampled, in OpenGL's numbers."
    name: Optional[bytes]
    mag_filter: int
    min_filter: int
    wrap_s: int
    wrap_t: int
    extras: Optional[bytes]

class rbl_scene_image(Structure):
    'An image, as the bytes of its file: never decoded.'
    name: Optional[bytes]
    mime_type: Optional[bytes]
    bytes: Optional[int]
    size: int
    extras: Optional[bytes]

class rbl_scene_slot(Structure):
    'What the faces of one material of a mesh have besides: a primitive of glTF.'
    extensions: Optional[bytes]
    extras: Optional[bytes]

class rbl_scene_label(Structure):
    'What a mesh of a scene is called.'
    name: Optional[bytes]
    extras: Optional[bytes]
    slots: _Pointer[rbl_scene_slot]

class rbl_scene_track(Structure):
    'The keys of one quantity of one node.'
    node: int
    path: int
    has_steps: bool
    key_count: int
    times: _Pointer[c_float]
    values: _Pointer[c_float]
    is_short: bool

class rbl_scene_animation(Structure):
    'Tracks that play together.'
    name: Optional[bytes]
    track_count: int
    tracks: _Pointer[rbl_scene_track]
    extras: Optional[bytes]

class rbl_scene(Structure):
    "A scene: plain arrays. rbl_write_scene() reads the caller's during the call only; those of rbl_document_get_scene() live as long as the document. A material of a mesh whose `source` is k is the scene's material k - 1. Other materials are those of the meshes; equal ones become one, and of different ones that have the same name all but the first get a number behind it."
    mesh_count: int
    meshes: _Pointer[_Pointer[rbl_mesh]]
    node_count: int
    nodes: _Pointer[rbl_scene_node]
    animation_count: int
    animations: _Pointer[rbl_scene_animation]
    mesh_labels: _Pointer[rbl_scene_label]
    material_count: int
    materials: _Pointer[rbl_scene_material]
    texture_count: int
    textures: _Pointer[rbl_scene_texture]
    sampler_count: int
    samplers: _Pointer[rbl_scene_sampler]
    image_count: int
    images: _Pointer[rbl_scene_image]
    camera_count: int
    cameras: _Pointer[c_char_p]
    name: Optional[bytes]
    copyright: Optional[bytes]
    extensions: Optional[bytes]
    extras: Optional[bytes]
    file_extras: Optional[bytes]
    asset_extras: Optional[bytes]

class rbl_read_def(Structure):
    'How to read. Start from rbl_default_read_def().'
    format: int
    up: int
    scale: float
    is_left_handed: bool
    keep_seams: bool
    instance_limit: int
    name: Optional[bytes]
    folder: Optional[bytes]
    allow_outside: bool
    size_limit: int
    within: Optional[bytes]
    keep_sources: bool
    material_offset: int
    allocator: rbl_allocator
    cookie: int

class rbl_document(Structure):
    ''

class rbl_tet_arrays(Structure):
    'Tetrahedra as plain arrays: what a MEDIT file holds, also where that is no proper mesh.'
    vertex_count: int
    positions: _Pointer[rbl_vec3d]
    tet_count: int
    tet_vertices: _Pointer[c_int]
    allocator: rbl_allocator

class rbl_write_def(Structure):
    'How to write. Start from rbl_default_write_def().'
    format: int
    as_text: bool
    single_precision: bool
    is_quantized: bool
    merges_parts: bool
    has_instances: bool
    name: Optional[bytes]
    allocator: rbl_allocator
    cookie: int

class rbl_file_bytes(Structure):
    'A file in memory.'
    data: _Pointer[c_ubyte]
    size: int
    capacity: int
    allocator: rbl_allocator

class rbl_film(Structure):
    ''

class rbl_film_def(Structure):
    'How to make a film. Start from rbl_default_film_def().'
    position_tolerance: float
    size_tolerance: float
    has_long_rotations: bool
    allocator: rbl_allocator
    cookie: int

class rbl_film_info(Structure):
    'What a film holds.'
    mesh_count: int
    object_count: int
    frame_count: int
    pose_count: int
    key_count: int
    time: float

class rbl_json_document(Structure):
    ''

class rbl_json(Structure):
    ''

class rbl_json_source(Structure):
    'A piece of the parsed text.'
    text: Optional[bytes]
    size: int

class rbl_surface(Structure):
    ''

class rbl_surface_body_id(Structure):
    'Names a body. All zero names none.'
    index: int
    generation: int

class rbl_surface_costs(Structure):
    'What steps cost on some machine, in nanoseconds. Ratios decide about restructuring, not clocks, so that a run repeats; `rubble calibrate` prints the numbers of a machine, and rbl_measure_surface_costs() finds them at start.'
    box_test: float
    build_cluster: float

class rbl_surface_def(Structure):
    'How to make a surface. Start from rbl_default_surface_def().'
    culling: int
    restructuring: int
    builder: int
    grid_leaves: int
    restructure_share: float
    certificate_share: float
    thickness: float
    costs: rbl_surface_costs
    jobs: _Pointer[rbl_jobs]
    allocator: rbl_allocator
    cookie: int

class rbl_surface_filter(Structure):
    "What a body is tested against, by all queries. Two bodies are when each has a category that the other's mask has, and not both are static, and they are not excluded."
    categories: int
    mask: int
    is_static: bool
    ignores_itself: bool

class rbl_surface_positions(Structure):
    'Positions where you have them: three floats or doubles each, with anything between them. Doubles are kept whole. Boxes and filters know them as floats, and count what that rounds; tests and distances take the doubles, so that lists are certified for these.'
    data: Optional[int]
    stride: int
    is_double: bool

class rbl_surface_body_def(Structure):
    'A body to add. Start from rbl_default_surface_body_def().'
    vertex_count: int
    positions: _Pointer[rbl_vec3]
    input: rbl_surface_positions
    rest_positions: _Pointer[rbl_vec3]
    triangle_count: int
    triangles: _Pointer[c_int]
    edge_count: int
    edges: _Pointer[c_int]
    point_count: int
    points: _Pointer[c_int]
    thickness: float
    filter: rbl_surface_filter
    keeps_rest_shape: bool
    vertex_user_ids: _Pointer[c_int]
    triangle_user_ids: _Pointer[c_int]
    user_id: int
    cookie: int

class rbl_surface_pair(Structure):
    'Two triangles, a < b in lists.'
    a: int
    b: int

class rbl_surface_split_def(Structure):
    'How to split a body. Start from rbl_default_surface_split_def().'
    piece_count: int
    labels: _Pointer[c_int]
    vertex_count: int
    positions: _Pointer[rbl_vec3]
    rest_positions: _Pointer[rbl_vec3]
    triangle_count: int
    triangles: _Pointer[c_int]
    triangle_labels: _Pointer[c_int]
    cookie: int

class rbl_surface_pairs(Structure):
    'A list of pairs, ascending.'
    pairs: _Pointer[rbl_surface_pair]
    count: int

class rbl_surface_hit(Structure):
    'A vertex and a face, or two edges, that touch within the step.'
    kind: int
    a: int
    b: int
    time: float
    is_at_start: bool
    is_parting: bool
    u: float
    v: float
    normal: rbl_vec3

class rbl_surface_hits(Structure):
    'A list of hits, ascending by kind, a, b; each vertex and face, and each two edges, once.'
    hits: _Pointer[rbl_surface_hit]
    count: int

class rbl_surface_near_pair(Structure):
    'A vertex and a face, or two edges, that are near each other.'
    kind: int
    a: int
    b: int
    nearest: int
    is_repeated: bool
    side: int
    time: float
    distance: float
    u: float
    v: float
    points: Array[rbl_vec3]
    direction: rbl_vec3

class rbl_surface_near_pairs(Structure):
    'A list of near pairs, ascending by kind, a, b; each vertex and face, and each two edges, once.'
    pairs: _Pointer[rbl_surface_near_pair]
    count: int

class rbl_surface_names(Structure):
    'What an entry of a list is about, by your numbers.'
    bodies: Array[rbl_surface_body_id]
    body_user_ids: Array[c_uint64]
    vertices: Array[c_int]
    triangles: Array[c_int]

class rbl_surface_name_list(Structure):
    'Names in the order of a list.'
    names: _Pointer[rbl_surface_names]
    count: int

class rbl_surface_range(Structure):
    'The entries of two bodies, or of one with itself.'
    a: rbl_surface_body_id
    b: rbl_surface_body_id
    begin: int
    count: int

class rbl_surface_ranges(Structure):
    'A list by bodies.'
    ranges: _Pointer[rbl_surface_range]
    range_count: int
    order: _Pointer[c_int]
    count: int

class rbl_surface_segment(Structure):
    'What two colliding triangles have in common.'
    points: Array[rbl_vec3d]
    is_point: bool

class rbl_surface_segments(Structure):
    'Segments in the order of a list of pairs.'
    segments: _Pointer[rbl_surface_segment]
    count: int

class rbl_surface_data(Structure):
    'The arrays of a surface; they live until the next change or update. Entries of ids that are not in use have no meaning.'
    vertex_end: int
    triangle_end: int
    starts: _Pointer[rbl_vec3]
    ends: _Pointer[rbl_vec3]
    triangles: _Pointer[c_int]
    twins: _Pointer[c_int]
    origins: _Pointer[c_int]
    vertex_user_ids: _Pointer[c_int]
    triangle_user_ids: _Pointer[c_int]

class rbl_surface_body_data(Structure):
    'A body; the arrays live until the next change or update.'
    vertex_count: int
    vertices: _Pointer[c_int]
    triangle_count: int
    triangles: _Pointer[c_int]

class rbl_surface_place(Structure):
    "Where a vertex or a triangle is: its body, and its place in the lists of the body's view. All zero where the id is not in use."
    body: rbl_surface_body_id
    place: int

class rbl_surface_map(Structure):
    'The places of all vertices and triangles, by id, below vertex_end and triangle_end of rbl_surface_get_data(); they live until the next change or update. The way back is rbl_surface_body_get_data().'
    vertices: _Pointer[rbl_surface_place]
    triangles: _Pointer[rbl_surface_place]

class rbl_surface_stats(Structure):
    'Numbers about a surface, the last update and the last query.'
    body_count: int
    vertex_count: int
    triangle_count: int
    cluster_count: int
    memory: int
    fitted_nodes: int
    rebuilt_trees: int
    rebuilt_clusters: int
    box_tests: int
    cluster_tests: int
    normal_passes: int
    contour_tests: int
    culled_nodes: int
    culled_triangles: int
    candidates: int
    fan_culled: int
    tests: int
    false_tests: int
    self_cost: float
    change_ns: int
    update_ns: int
    query_ns: int

class rbl_obstacles(Structure):
    ''

class rbl_obstacles_def(Structure):
    'How to make obstacles. Start from rbl_default_obstacles_def().'
    shape: int
    categories: int
    filter: rbl_surface_filter
    thickness: float
    plane_reach: float
    allocator: rbl_allocator
    cookie: int

class rbl_obstacle(Structure):
    'What a body of a surface is.'
    body: rbl_body_id
    part: int

class rbl_obstacles_stats(Structure):
    'Numbers about obstacles.'
    body_count: int
    part_count: int
    triangle_count: int
    added_count: int
    removed_count: int
    moved_count: int

class rbl_picture_def(Structure):
    'What to draw. Start from rbl_default_picture_def().'
    time: float
    width: int
    height: int
    view: rbl_vec3
    frame: rbl_box
    camera_position: rbl_vec3
    camera_target: rbl_vec3
    camera_angle: float
    has_ground: bool
    allocator: rbl_allocator
    cookie: int

class rbl_preset_level(Structure):
    'A damage level whose pattern is not made yet.'
    energy: float
    radius: float
    pattern: rbl_pattern_def

class rbl_preset_def(Structure):
    'A material and the patterns that it breaks by, all as plain numbers: change what should differ. Start from rbl_default_preset_def().'
    material: rbl_material_def
    levels: Array[rbl_preset_level]
    level_count: int
    look: rbl_mesh_material
    inner_color: rbl_vec4
    cookie: int

class rbl_recording_def(Structure):
    'How to record. Start from rbl_default_recording_def().'
    write: rbl_write_function
    user: Optional[int]
    embeds_assets: bool
    cookie: int

class rbl_replay(Structure):
    ''

class rbl_replay_report(Structure):
    'What became of a step.'
    is_over: bool
    step: int
    recorded_hash: int
    hash: int
    differs: bool

class rbl_box_def(Structure):
    'A box around the origin, its faces cut into squares if wanted. Start from rbl_default_box_def().'
    size: rbl_vec3d
    subdivisions: int
    allocator: rbl_allocator
    cookie: int

class rbl_icosphere_def(Structure):
    'A sphere around the origin: an icosahedron whose triangles are split in four, again and again. Start from rbl_default_icosphere_def().'
    radius: float
    subdivisions: int
    allocator: rbl_allocator
    cookie: int

class rbl_cylinder_def(Structure):
    'An upright cylinder that stands on the ground, y = 0. Start from rbl_default_cylinder_def().'
    radius: float
    height: float
    segments: int
    rows: int
    allocator: rbl_allocator
    cookie: int

class rbl_tube_def(Structure):
    'An upright hollow cylinder, open at both ends, that stands on the ground. Start from rbl_default_tube_def().'
    radius: float
    height: float
    wall: float
    segments: int
    rows: int
    allocator: rbl_allocator
    cookie: int

class rbl_torus_def(Structure):
    'A ring that lies around the origin in the plane y = 0. Start from rbl_default_torus_def().'
    radius: float
    thickness: float
    segments: int
    sides: int
    allocator: rbl_allocator
    cookie: int

class rbl_plate_def(Structure):
    'A dinner plate: a round dish with a rim and a foot, that stands on the ground. Start from rbl_default_plate_def().'
    radius: float
    height: float
    wall: float
    segments: int
    allocator: rbl_allocator
    cookie: int

class rbl_vase_def(Structure):
    'A vase: belly, neck and flaring lip, hollow, that stands on the ground. Start from rbl_default_vase_def().'
    radius: float
    height: float
    wall: float
    segments: int
    rows: int
    allocator: rbl_allocator
    cookie: int

class rbl_mug_def(Structure):
    'A mug with a handle: one closed surface, so its genus is 1. It stands on the ground. Start from rbl_default_mug_def().'
    radius: float
    height: float
    wall: float
    detail: int
    allocator: rbl_allocator
    cookie: int

class rbl_piggy_bank_def(Structure):
    'A hollow pig with a slot in its back. Outer and inner wall meet in the slot: one closed surface of genus 0. Start from rbl_default_piggy_bank_def().'
    length: float
    wall: float
    slot_length: float
    slot_width: float
    detail: int
    allocator: rbl_allocator
    cookie: int

class rbl_column_def(Structure):
    'A column that stands on the ground: square plinth, moulded base, fluted shaft that swells and tapers, capital, square abacus. One closed surface. Start from rbl_default_column_def().'
    height: float
    radius: float
    taper: float
    entasis: float
    flutes: int
    flute_depth: float
    detail: int
    allocator: rbl_allocator
    cookie: int

class rbl_arch_def(Structure):
    'A round arch on two piers, in the plane z = 0, that stands on the ground. Start from rbl_default_arch_def().'
    span: float
    pier_height: float
    width: float
    depth: float
    segments: int
    voussoirs: int
    allocator: rbl_allocator
    cookie: int

class rbl_window_def(Structure):
    'A window in the plane z = 0, that stands on the ground: panes of glass in a wooden frame. Frame and panes are separate closed parts; each pane reaches into the frame. Start from rbl_default_window_def().'
    width: float
    height: float
    thickness: float
    frame_width: float
    frame_depth: float
    columns: int
    rows: int
    subdivisions: int
    allocator: rbl_allocator
    cookie: int

class rbl_brick_wall_def(Structure):
    'A brick wall in the plane z = 0, in running bond: every brick is a closed part of its own. Start from rbl_default_brick_wall_def().'
    width: float
    height: float
    brick: rbl_vec3d
    gap: float
    bevel: float
    seed: int
    allocator: rbl_allocator
    cookie: int

class rbl_arena_def(Structure):
    'A Roman arena: an elliptic front of arches, columns and cornices in three storeys, radial walls, rows of seats, stairs, gallery, podium and a temple above the centre stand. It is modelled as an artist would, in closed parts that overlap or touch; no part is joined to another. Start from rbl_default_arena_def().'
    length: float
    width: float
    bays: int
    detail: int
    seed: int
    allocator: rbl_allocator
    cookie: int

class rbl_stress(Structure):
    ''

class rbl_stress_def(Structure):
    'How to estimate. Start from rbl_default_stress_def().'
    density: float
    strengths: rbl_bond_strengths
    tolerance: float
    allocator: rbl_allocator
    cookie: int

class rbl_stress_load(Structure):
    'A force on a part, as of something that lies on it.'
    part: int
    point: rbl_vec3d
    force: rbl_vec3d

class rbl_stress_report(Structure):
    'What a call came to.'
    bond_count: int
    residual: float
    is_converged: bool
    worst: float
    overloaded_count: int
    pass_count: int

class rbl_bond_stress(Structure):
    'What a bond carries.'
    part: int
    other: int
    centre: rbl_vec3d
    normal: rbl_vec3d
    area: float
    force: rbl_vec3d
    moment: rbl_vec3d
    tension: float
    compression: float
    shear: float
    utilization: float

class rbl_surface_crossing(Structure):
    'A point of a contour, where an edge passes through a face.'
    position: rbl_vec3d
    edge: int
    triangle: int
    along: float

class rbl_surface_contour(Structure):
    'A curve along which two bodies, or parts of one, go through each other. It has two sides: that of the body with the lower index is the first; of one body it is either.'
    bodies: Array[rbl_surface_body_id]
    is_closed: bool
    begin: int
    count: int
    crossing_begin: int
    crossing_count: int
    has_inside: Array[c_bool]
    vertex_begin: Array[c_int]
    vertex_count: Array[c_int]
    triangle_begin: Array[c_int]
    triangle_count: Array[c_int]

class rbl_surface_contours(Structure):
    'All contours; the arrays live as long as the list of pairs.'
    contours: _Pointer[rbl_surface_contour]
    count: int
    triangle_pairs: _Pointer[rbl_surface_pair]
    crossings: _Pointer[rbl_surface_crossing]
    vertices: _Pointer[c_int]
    triangles: _Pointer[c_int]
    touching: _Pointer[rbl_surface_pair]
    touching_count: int

class rbl_surface_overlap(Structure):
    'Two closed bodies that are in each other.'
    a: rbl_surface_body_id
    b: rbl_surface_body_id
    direction: rbl_vec3
    area: float
    depth: float
    vertex_begin: Array[c_int]
    vertex_count: Array[c_int]

class rbl_surface_overlaps(Structure):
    'All overlaps, ascending by the indices of `a` and `b`; the arrays live as long as the list of pairs.'
    overlaps: _Pointer[rbl_surface_overlap]
    count: int
    vertices: _Pointer[c_int]

class rbl_surface_edit_def(Structure):
    'What changes in a body. Start from rbl_default_surface_edit_def().'
    piece_count: int
    changed_count: int
    changed: _Pointer[c_int]
    changed_labels: _Pointer[c_int]
    corner_count: int
    corners: _Pointer[c_int]
    corner_vertices: _Pointer[c_int]
    vertex_count: int
    positions: _Pointer[rbl_vec3]
    parents: _Pointer[c_int]
    weights: _Pointer[c_double]
    vertex_user_ids: _Pointer[c_int]
    triangle_count: int
    triangles: _Pointer[c_int]
    triangle_labels: _Pointer[c_int]
    triangle_user_ids: _Pointer[c_int]
    cookie: int

class rbl_surface_knife(Structure):
    'A knife in one step. Start from rbl_default_surface_knife().'
    point_count: int
    starts: _Pointer[rbl_vec3d]
    ends: _Pointer[rbl_vec3d]
    follows_motion: bool
    tolerance: float
    cookie: int

class rbl_surface_curve(Structure):
    'A curve to cut along. Start from rbl_default_surface_curve().'
    point_count: int
    points: _Pointer[rbl_vec3d]
    directions: _Pointer[rbl_vec3d]
    depth: float
    is_closed: bool
    tolerance: float
    cookie: int

class rbl_surface_cut(Structure):
    'What a cut along a curve made. The arrays live until the next plan or cut of the surface.'
    vertex_count: int
    vertices: _Pointer[c_int]
    parents: _Pointer[c_int]
    weights: _Pointer[c_double]

class rbl_surface_ray_hit(Structure):
    'Where a ray meets a surface first.'
    body: rbl_surface_body_id
    triangle: int
    fraction: float
    u: float
    v: float
    point: rbl_vec3
    normal: rbl_vec3

class rbl_surface_nearest_point(Structure):
    'The point of a surface that is nearest to a point.'
    body: rbl_surface_body_id
    triangle: int
    distance: float
    u: float
    v: float
    point: rbl_vec3

class rbl_surface_tets(Structure):
    ''

class rbl_surface_tets_data(Structure):
    'A look at the tetrahedra; the arrays live until the next separation.'
    tet_count: int
    tet_nodes: _Pointer[c_int]
    node_count: int
    node_vertices: _Pointer[c_int]
    vertex_end: int
    vertex_nodes: _Pointer[c_int]

class rbl_viewer_def(Structure):
    'What a page shows beside the film. Start from rbl_default_viewer_def().'
    title: Optional[bytes]
    report: Optional[bytes]
    size_limit: int
    allocator: rbl_allocator
    cookie: int

class rbl_viewer_info(Structure):
    'What became of a film in a page.'
    size: int
    is_thinned: bool
    thinned: Array[c_char]

rbl_log_function: Any
rbl_assert_function: Any
rbl_task_function: Any
rbl_block_function: Any
rbl_strength_function: Any
rbl_overlap_function: Any
rbl_cast_function: Any
rbl_pair_function: Any
rbl_contact_function: Any
rbl_fracture_log_function: Any
rbl_surface_pair_callback: Any
rbl_write_function: Any

FUNCTIONS: Dict[str, Tuple[str, Any, List[Any], List[str], str]]
LEFT_OUT: Dict[str, str]

class Functions:
    "Every function of the library by its C name."
    def rbl_result_text(self, result: int, /) -> Optional[bytes]: ...
    def rbl_version(self) -> int: ...
    def rbl_last_error(self) -> Optional[bytes]: ...
    def rbl_set_log(self, function: rbl_log_function, user: Any, /) -> None: ...
    def rbl_log_text(self, level: int, text: Optional[bytes], /) -> None: ...
    def rbl_set_assert_handler(self, function: rbl_assert_function, user: Any, /) -> None: ...
    def rbl_default_mesh_def(self) -> rbl_mesh_def: ...
    def rbl_create_mesh(self, def_: Any, mesh: Any, /) -> int: ...
    def rbl_destroy_mesh(self, mesh: Any, /) -> None: ...
    def rbl_mesh_get_data(self, mesh: Any, /) -> rbl_mesh_data: ...
    def rbl_mesh_bounds(self, mesh: Any, /) -> rbl_boxd: ...
    def rbl_mesh_get_mass(self, mesh: Any, /) -> rbl_mass: ...
    def rbl_mesh_triangulate(self, mesh: Any, triangles: Any, faces: Any, /) -> int: ...
    def rbl_mesh_triangle_count(self, mesh: Any, /) -> int: ...
    def rbl_mesh_check(self, mesh: Any, report: Any, /) -> int: ...
    def rbl_default_mesh_repair_def(self) -> rbl_mesh_repair_def: ...
    def rbl_mesh_repair(self, mesh: Any, def_: Any, repaired: Any, report: Any, /) -> int: ...
    def rbl_mesh_get_components(self, mesh: Any, connectivity: int, labels: Any, component_count: Any, /) -> int: ...
    def rbl_mesh_split(self, mesh: Any, labels: Any, mesh_count: int, meshes: Any, /) -> int: ...
    def rbl_mesh_compute_normals(self, mesh: Any, crease_angle: float, normals: Any, /) -> int: ...
    def rbl_mesh_compute_tangents(self, mesh: Any, tangents: Any, /) -> int: ...
    def rbl_default_convex_def(self) -> rbl_convex_def: ...
    def rbl_create_convex(self, def_: Any, convex: Any, /) -> int: ...
    def rbl_destroy_convex(self, convex: Any, /) -> None: ...
    def rbl_convex_get_data(self, convex: Any, /) -> rbl_convex_data: ...
    def rbl_convex_get_mass(self, convex: Any, /) -> rbl_mass: ...
    def rbl_convex_support(self, convex: Any, direction: rbl_vec3d, /) -> int: ...
    def rbl_convex_cut(self, convex: Any, plane: rbl_planed, plane_id: int, front: Any, back: Any, /) -> int: ...
    def rbl_convex_intersect(self, a: Any, b: Any, result_convex: Any, /) -> int: ...
    def rbl_convex_create_mesh(self, convex: Any, allocator: Any, mesh: Any, /) -> int: ...
    def rbl_default_jobs_def(self) -> rbl_jobs_def: ...
    def rbl_create_jobs(self, def_: Any, jobs: Any, /) -> int: ...
    def rbl_destroy_jobs(self, jobs: Any, /) -> None: ...
    def rbl_jobs_worker_count(self, jobs: Any, /) -> int: ...
    def rbl_parallel_for(self, jobs: Any, item_count: int, block_size: int, function: rbl_block_function, context: Any, /) -> None: ...
    def rbl_default_pattern_def(self) -> rbl_pattern_def: ...
    def rbl_create_pattern(self, def_: Any, pattern: Any, /) -> int: ...
    def rbl_destroy_pattern(self, pattern: Any, /) -> None: ...
    def rbl_pattern_get_kind(self, pattern: Any, /) -> int: ...
    def rbl_pattern_cell_count(self, pattern: Any, /) -> int: ...
    def rbl_pattern_cell_color(self, pattern: Any, cell: int, /) -> int: ...
    def rbl_pattern_bounds(self, pattern: Any, /) -> rbl_boxd: ...
    def rbl_pattern_cell_volume(self, pattern: Any, cell: int, /) -> float: ...
    def rbl_pattern_create_cell_convex(self, pattern: Any, cell: int, allocator: Any, convex: Any, /) -> int: ...
    def rbl_pattern_key(self, pattern: Any, /) -> int: ...
    def rbl_pattern_save(self, pattern: Any, bytes: Any, size: Any, /) -> int: ...
    def rbl_pattern_load(self, bytes: Any, size: int, allocator: Any, pattern: Any, /) -> int: ...
    def rbl_default_solid_def(self) -> rbl_solid_def: ...
    def rbl_create_solid(self, def_: Any, solid: Any, /) -> int: ...
    def rbl_destroy_solid(self, solid: Any, /) -> None: ...
    def rbl_solid_volume(self, solid: Any, /) -> float: ...
    def rbl_solid_shell_count(self, solid: Any, /) -> int: ...
    def rbl_solid_find_crossings(self, solid: Any, report: Any, /) -> int: ...
    def rbl_default_pieces_def(self) -> rbl_pieces_def: ...
    def rbl_create_pieces(self, def_: Any, pieces: Any, /) -> int: ...
    def rbl_destroy_pieces(self, pieces: Any, /) -> None: ...
    def rbl_pieces_get_report(self, pieces: Any, /) -> rbl_pieces_report: ...
    def rbl_pieces_count(self, pieces: Any, /) -> int: ...
    def rbl_piece_get_info(self, pieces: Any, piece: int, /) -> rbl_piece_info: ...
    def rbl_piece_get_mass(self, pieces: Any, piece: int, /) -> rbl_mass: ...
    def rbl_piece_create_mesh(self, pieces: Any, piece: int, allocator: Any, mesh: Any, /) -> int: ...
    def rbl_piece_get_triangles(self, pieces: Any, piece: int, vertices: Any, materials: Any, triangle_count: Any, /) -> int: ...
    def rbl_index_draw_vertices(self, vertices: Any, corner_count: int, allocator: Any, indices: Any, vertex_count: Any, /) -> int: ...
    def rbl_piece_get_indexed_triangles(self, pieces: Any, piece: int, vertices: Any, indices: Any, materials: Any, vertex_count: Any, triangle_count: Any, /) -> int: ...
    def rbl_piece_create_convex(self, pieces: Any, piece: int, fit: int, plane_id_base: int, allocator: Any, convex: Any, /) -> int: ...
    def rbl_pieces_get_overlaps(self, pieces: Any, fit: int, pairs: Any, capacity: int, count: Any, /) -> int: ...
    def rbl_task_get_state(self, task: Any, /) -> int: ...
    def rbl_task_work(self, task: Any, budget: int, is_ready: Any, /) -> int: ...
    def rbl_task_progress(self, task: Any, /) -> float: ...
    def rbl_task_start(self, task: Any, jobs: Any, /) -> int: ...
    def rbl_task_stop(self, task: Any, /) -> None: ...
    def rbl_task_wait(self, task: Any, /) -> int: ...
    def rbl_destroy_task(self, task: Any, /) -> None: ...
    def rbl_default_strength_paint(self) -> rbl_strength_paint: ...
    def rbl_default_anchor_def(self) -> rbl_anchor_def: ...
    def rbl_default_compound_def(self) -> rbl_compound_def: ...
    def rbl_create_compound(self, def_: Any, compound: Any, /) -> int: ...
    def rbl_destroy_compound(self, compound: Any, /) -> None: ...
    def rbl_compound_get_info(self, compound: Any, /) -> rbl_compound_info: ...
    def rbl_compound_get_part(self, compound: Any, part: int, /) -> rbl_compound_part: ...
    def rbl_compound_create_part_mesh(self, compound: Any, part: int, look: Any, like: Any, allocator: Any, mesh: Any, /) -> int: ...
    def rbl_compound_get_material(self, compound: Any, material: int, /) -> _Pointer[rbl_material]: ...
    def rbl_compound_get_bonds(self, compound: Any, part: int, bonds: Any, capacity: int, /) -> int: ...
    def rbl_compound_get_face_shares(self, compound: Any, part: int, shares: Any, /) -> int: ...
    def rbl_compound_set_anchored(self, compound: Any, part: int, is_anchored: bool, /) -> int: ...
    def rbl_compound_set_bond_strength(self, compound: Any, part: int, other: int, strength: float, /) -> int: ...
    def rbl_compound_set_part_strength(self, compound: Any, part: int, strength: float, /) -> int: ...
    def rbl_compound_paint(self, compound: Any, paint: Any, /) -> int: ...
    def rbl_compound_cluster(self, compound: Any, levels: Any, level_count: int, clusters: Any, /) -> int: ...
    def rbl_compound_anchor(self, compound: Any, def_: Any, count: Any, /) -> int: ...
    def rbl_compound_get_mass(self, compound: Any, /) -> rbl_mass: ...
    def rbl_compound_get_visual_mass(self, compound: Any, /) -> rbl_mass: ...
    def rbl_default_break_def(self) -> rbl_break_def: ...
    def rbl_compound_break(self, compound: Any, def_: Any, broken: Any, /) -> int: ...
    def rbl_begin_break(self, compound: Any, def_: Any, task: Any, /) -> int: ...
    def rbl_finish_break(self, task: Any, broken: Any, /) -> int: ...
    def rbl_compound_break_bonds(self, compound: Any, parts: Any, bond_count: int, broken: Any, /) -> int: ...
    def rbl_break_get_data(self, broken: Any, /) -> rbl_break_data: ...
    def rbl_break_take(self, broken: Any, compound: int, /) -> _Pointer[rbl_compound]: ...
    def rbl_destroy_break(self, broken: Any, /) -> None: ...
    def rbl_default_distance_field_def(self) -> rbl_distance_field_def: ...
    def rbl_create_distance_field(self, def_: Any, field: Any, /) -> int: ...
    def rbl_destroy_distance_field(self, field: Any, /) -> None: ...
    def rbl_distance_field_get_info(self, field: Any, /) -> rbl_distance_field_info: ...
    def rbl_distance_field_contains(self, field: Any, points: Any, count: int, inside: Any, /) -> int: ...
    def rbl_distance_field_penetration(self, field: Any, points: Any, count: int, depths: Any, normals: Any, bounds: Any, /) -> int: ...
    def rbl_distance_field_overlaps_sphere(self, field: Any, centres: Any, radii: Any, count: int, overlaps: Any, /) -> int: ...
    def rbl_default_fragment_field_def(self) -> rbl_fragment_field_def: ...
    def rbl_create_fragment_field(self, def_: Any, field: Any, /) -> int: ...
    def rbl_distance_field_save(self, field: Any, bytes: Any, size: Any, /) -> int: ...
    def rbl_distance_field_load(self, bytes: Any, size: int, allocator: Any, field: Any, /) -> int: ...
    def rbl_default_prepare_def(self) -> rbl_prepare_def: ...
    def rbl_prepare(self, mesh: Any, def_: Any, asset: Any, /) -> int: ...
    def rbl_begin_prepare(self, mesh: Any, def_: Any, task: Any, /) -> int: ...
    def rbl_finish_prepare(self, task: Any, asset: Any, /) -> int: ...
    def rbl_destroy_asset(self, asset: Any, /) -> None: ...
    def rbl_asset_get_report(self, asset: Any, /) -> rbl_asset_report: ...
    def rbl_asset_get_compound(self, asset: Any, /) -> _Pointer[rbl_compound]: ...
    def rbl_asset_create_compound(self, asset: Any, allocator: Any, compound: Any, /) -> int: ...
    def rbl_asset_get_field(self, asset: Any, /) -> _Pointer[rbl_distance_field]: ...
    def rbl_asset_get_nodes(self, asset: Any, count: Any, /) -> _Pointer[rbl_vec3d]: ...
    def rbl_asset_get_ghost(self, asset: Any, ghost: int, /) -> rbl_ghost: ...
    def rbl_asset_get_mass(self, asset: Any, /) -> rbl_mass: ...
    def rbl_prepare_key(self, mesh: Any, def_: Any, /) -> int: ...
    def rbl_asset_save(self, asset: Any, bytes: Any, size: Any, /) -> int: ...
    def rbl_asset_load(self, bytes: Any, size: int, allocator: Any, asset: Any, /) -> int: ...
    def rbl_is_asset(self, bytes: Any, size: int, /) -> bool: ...
    def rbl_default_bending_def(self) -> rbl_bending_def: ...
    def rbl_begin_bending(self, compound: Any, def_: Any, bending: Any, /) -> int: ...
    def rbl_bending_piece_count(self, bending: Any, /) -> int: ...
    def rbl_bending_get_piece(self, bending: Any, piece: int, /) -> _Pointer[rbl_compound]: ...
    def rbl_bending_take(self, bending: Any, piece: int, /) -> _Pointer[rbl_compound]: ...
    def rbl_bending_step(self, bending: Any, /) -> int: ...
    def rbl_finish_bending(self, bending: Any, poses: Any, homes: Any, joined: Any, /) -> int: ...
    def rbl_destroy_bending(self, bending: Any, /) -> None: ...
    def rbl_default_broadphase_def(self) -> rbl_broadphase_def: ...
    def rbl_default_proxy_def(self) -> rbl_proxy_def: ...
    def rbl_create_broadphase(self, def_: Any, broadphase: Any, /) -> int: ...
    def rbl_destroy_broadphase(self, broadphase: Any, /) -> None: ...
    def rbl_broadphase_add(self, broadphase: Any, defs: Any, count: int, proxies: Any, /) -> int: ...
    def rbl_broadphase_move(self, broadphase: Any, proxies: Any, boxes: Any, count: int, /) -> int: ...
    def rbl_broadphase_remove(self, broadphase: Any, proxies: Any, count: int, /) -> int: ...
    def rbl_broadphase_replace(self, broadphase: Any, proxy: rbl_proxy_id, defs: Any, count: int, proxies: Any, /) -> int: ...
    def rbl_broadphase_replace_many(self, broadphase: Any, replaced: Any, replaced_count: int, defs: Any, count: int, proxies: Any, /) -> int: ...
    def rbl_broadphase_update(self, broadphase: Any, result: Any, /) -> int: ...
    def rbl_broadphase_has(self, broadphase: Any, proxy: rbl_proxy_id, /) -> bool: ...
    def rbl_broadphase_user(self, broadphase: Any, slot: int, /) -> int: ...
    def rbl_broadphase_box(self, broadphase: Any, slot: int, /) -> rbl_box: ...
    def rbl_broadphase_overlap(self, broadphase: Any, box: rbl_box, filter: Any, function: rbl_overlap_function, context: Any, /) -> int: ...
    def rbl_broadphase_cast(self, broadphase: Any, box: rbl_box, translation: rbl_vec3, filter: Any, function: rbl_cast_function, context: Any, /) -> int: ...
    def rbl_broadphase_get_stats(self, broadphase: Any, /) -> rbl_broadphase_stats: ...
    def rbl_broadphase_set_work_budget(self, broadphase: Any, work_budget: int, /) -> int: ...
    def rbl_work_from_microseconds(self, microseconds: float, ns_per_box: float, /) -> int: ...
    def rbl_default_damage_rule(self) -> rbl_damage_rule: ...
    def rbl_damage_choose(self, rule: Any, compound: Any, energy: float, seed: int, def_: Any, breaks: Any, /) -> int: ...
    def rbl_compound_wear(self, compound: Any, rule: Any, point: rbl_vec3d, part: int, energy: float, report: Any, /) -> int: ...
    def rbl_compound_open_bonds(self, compound: Any, broken: Any, /) -> int: ...
    def rbl_break_get_exposed_triangles(self, broken: Any, rest: Any, triangles: Any, capacity: int, count: Any, /) -> int: ...
    def rbl_break_exposed_area(self, broken: Any, rest: Any, /) -> float: ...
    def rbl_default_particle_def(self) -> rbl_particle_def: ...
    def rbl_sample_particles(self, triangles: Any, triangle_count: int, def_: Any, particles: Any, capacity: int, count: Any, /) -> int: ...
    def rbl_break_take_dust(self, broken: Any, min_size: float, motion: Any, dust: Any, capacity: int, /) -> int: ...
    def rbl_default_material_values(self) -> rbl_material_values: ...
    def rbl_default_material_def(self) -> rbl_material_def: ...
    def rbl_create_material(self, def_: Any, material: Any, /) -> int: ...
    def rbl_destroy_material(self, material: Any, /) -> None: ...
    def rbl_material_get_def(self, material: Any, /) -> rbl_material_def: ...
    def rbl_material_get_values(self, material: Any, /) -> rbl_material_values: ...
    def rbl_material_set_values(self, material: Any, values: Any, /) -> int: ...
    def rbl_material_name(self, material: Any, /) -> Optional[bytes]: ...
    def rbl_default_collider_def(self, kind: int, /) -> rbl_collider_def: ...
    def rbl_create_collider(self, def_: Any, collider: Any, /) -> int: ...
    def rbl_create_scaled_collider(self, original: Any, scale: rbl_vec3, allocator: Any, collider: Any, /) -> int: ...
    def rbl_destroy_collider(self, collider: Any, /) -> None: ...
    def rbl_collider_kind_of(self, collider: Any, /) -> int: ...
    def rbl_collider_child_count(self, collider: Any, /) -> int: ...
    def rbl_collider_get_child(self, collider: Any, child: int, /) -> rbl_collider_child: ...
    def rbl_collider_bounds(self, collider: Any, pose: rbl_transform, /) -> rbl_box: ...
    def rbl_create_contacts(self, allocator: Any, contacts: Any, /) -> int: ...
    def rbl_destroy_contacts(self, contacts: Any, /) -> None: ...
    def rbl_contacts_update(self, contacts: Any, a: Any, pose_a: rbl_transform, b: Any, pose_b: rbl_transform, margin: float, /) -> int: ...
    def rbl_contacts_get_manifolds(self, contacts: Any, /) -> rbl_manifolds: ...
    def rbl_collider_distance(self, a: Any, pose_a: rbl_transform, b: Any, pose_b: rbl_transform, max_distance: float, gap: Any, /) -> int: ...
    def rbl_collider_cast_ray(self, collider: Any, pose: rbl_transform, from_: rbl_vec3, translation: rbl_vec3, hit: Any, /) -> int: ...
    def rbl_collider_cast_collider(self, moving: Any, pose: rbl_transform, translation: rbl_vec3, target: Any, target_pose: rbl_transform, hit: Any, /) -> int: ...
    def rbl_collider_cast_motion(self, moving: Any, from_: rbl_transform, to: rbl_transform, target: Any, target_pose: rbl_transform, hit: Any, /) -> int: ...
    def rbl_default_field_shape_def(self) -> rbl_field_shape_def: ...
    def rbl_create_field_shape(self, def_: Any, shape: Any, /) -> int: ...
    def rbl_destroy_field_shape(self, shape: Any, /) -> None: ...
    def rbl_field_shape_get_info(self, shape: Any, /) -> rbl_field_shape_info: ...
    def rbl_default_field_contact_settings(self) -> rbl_field_contact_settings: ...
    def rbl_create_field_contacts(self, allocator: Any, contacts: Any, /) -> int: ...
    def rbl_destroy_field_contacts(self, contacts: Any, /) -> None: ...
    def rbl_field_contacts_find(self, contacts: Any, a: Any, b: Any, settings: Any, memory: Any, list: Any, /) -> int: ...
    def rbl_field_cast_motion(self, contacts: Any, moving: Any, to: rbl_transform, target: Any, separation: float, depth: float, hit: Any, /) -> int: ...
    def rbl_field_shape_cast_ray(self, shape: Any, pose: rbl_transform, from_: rbl_vec3, translation: rbl_vec3, hit: Any, /) -> int: ...
    def rbl_crack_manifold(self, polygon: Any, pose_a: rbl_transform, pose_b: rbl_transform, manifold: Any, /) -> int: ...
    def rbl_default_body_def(self) -> rbl_body_def: ...
    def rbl_create_body(self, world: Any, def_: Any, /) -> rbl_body_id: ...
    def rbl_destroy_body(self, world: Any, body: rbl_body_id, /) -> int: ...
    def rbl_replace_body(self, world: Any, body: rbl_body_id, defs: Any, count: int, bodies: Any, /) -> int: ...
    def rbl_create_bodies(self, world: Any, defs: Any, count: int, bodies: Any, /) -> int: ...
    def rbl_body_exists(self, world: Any, body: rbl_body_id, /) -> bool: ...
    def rbl_body_get_state(self, world: Any, body: rbl_body_id, /) -> rbl_body_state: ...
    def rbl_body_pose(self, world: Any, body: rbl_body_id, /) -> rbl_transform: ...
    def rbl_body_velocity(self, world: Any, body: rbl_body_id, /) -> rbl_vec3: ...
    def rbl_body_angular_velocity(self, world: Any, body: rbl_body_id, /) -> rbl_vec3: ...
    def rbl_body_velocity_at(self, world: Any, body: rbl_body_id, point: rbl_vec3, /) -> rbl_vec3: ...
    def rbl_body_get_mass(self, world: Any, body: rbl_body_id, /) -> rbl_body_mass: ...
    def rbl_body_bounds(self, world: Any, body: rbl_body_id, /) -> rbl_box: ...
    def rbl_body_is_awake(self, world: Any, body: rbl_body_id, /) -> bool: ...
    def rbl_body_get_material(self, world: Any, body: rbl_body_id, /) -> rbl_material_values: ...
    def rbl_body_get_shared_material(self, world: Any, body: rbl_body_id, /) -> _Pointer[rbl_material]: ...
    def rbl_body_get_filter(self, world: Any, body: rbl_body_id, /) -> rbl_filter: ...
    def rbl_body_linear_damping(self, world: Any, body: rbl_body_id, /) -> float: ...
    def rbl_body_angular_damping(self, world: Any, body: rbl_body_id, /) -> float: ...
    def rbl_body_gravity_scale(self, world: Any, body: rbl_body_id, /) -> float: ...
    def rbl_body_locks(self, world: Any, body: rbl_body_id, /) -> int: ...
    def rbl_body_user(self, world: Any, body: rbl_body_id, /) -> int: ...
    def rbl_body_get_compound(self, world: Any, body: rbl_body_id, /) -> _Pointer[rbl_compound]: ...
    def rbl_body_get_parts(self, world: Any, body: rbl_body_id, parts: Any, capacity: int, /) -> int: ...
    def rbl_body_get_baked(self, world: Any, body: rbl_body_id, fragments: Any, capacity: int, /) -> int: ...
    def rbl_body_set_pose(self, world: Any, body: rbl_body_id, pose: rbl_transform, /) -> int: ...
    def rbl_body_set_velocity(self, world: Any, body: rbl_body_id, velocity: rbl_vec3, angular_velocity: rbl_vec3, /) -> int: ...
    def rbl_body_set_target(self, world: Any, body: rbl_body_id, pose: rbl_transform, dt: float, /) -> int: ...
    def rbl_body_add_force(self, world: Any, body: rbl_body_id, force: rbl_vec3, point: rbl_vec3, /) -> int: ...
    def rbl_body_add_torque(self, world: Any, body: rbl_body_id, torque: rbl_vec3, /) -> int: ...
    def rbl_body_add_impulse(self, world: Any, body: rbl_body_id, impulse: rbl_vec3, point: rbl_vec3, /) -> int: ...
    def rbl_body_add_angular_impulse(self, world: Any, body: rbl_body_id, impulse: rbl_vec3, /) -> int: ...
    def rbl_body_damage(self, world: Any, body: rbl_body_id, point: rbl_vec3, direction: rbl_vec3, radius: float, energy: float, /) -> int: ...
    def rbl_body_cut(self, world: Any, body: rbl_body_id, point: rbl_vec3, normal: rbl_vec3, /) -> int: ...
    def rbl_body_set_kind(self, world: Any, body: rbl_body_id, kind: int, /) -> int: ...
    def rbl_body_set_material(self, world: Any, body: rbl_body_id, material: rbl_material_values, /) -> int: ...
    def rbl_body_set_shared_material(self, world: Any, body: rbl_body_id, material: Any, /) -> int: ...
    def rbl_body_set_collider(self, world: Any, body: rbl_body_id, collider: Any, /) -> int: ...
    def rbl_body_set_filter(self, world: Any, body: rbl_body_id, filter: rbl_filter, /) -> int: ...
    def rbl_body_set_damping(self, world: Any, body: rbl_body_id, linear: float, angular: float, /) -> int: ...
    def rbl_body_set_gravity_scale(self, world: Any, body: rbl_body_id, scale: float, /) -> int: ...
    def rbl_body_set_locks(self, world: Any, body: rbl_body_id, locks: int, /) -> int: ...
    def rbl_body_set_awake(self, world: Any, body: rbl_body_id, is_awake: bool, /) -> int: ...
    def rbl_body_set_can_sleep(self, world: Any, body: rbl_body_id, can_sleep: bool, /) -> int: ...
    def rbl_body_set_sensor(self, world: Any, body: rbl_body_id, is_sensor: bool, /) -> int: ...
    def rbl_body_set_bullet(self, world: Any, body: rbl_body_id, is_bullet: bool, /) -> int: ...
    def rbl_body_set_modifies_contacts(self, world: Any, body: rbl_body_id, modifies_contacts: bool, /) -> int: ...
    def rbl_body_set_enabled(self, world: Any, body: rbl_body_id, is_enabled: bool, /) -> int: ...
    def rbl_body_set_user(self, world: Any, body: rbl_body_id, user: int, /) -> int: ...
    def rbl_test_vertex_face(self, start: Any, end: Any, thickness: float, impact: Any, /) -> int: ...
    def rbl_test_edge_edge(self, start: Any, end: Any, thickness: float, impact: Any, /) -> int: ...
    def rbl_closest_vertex_face(self, points: Any, closest: Any, /) -> int: ...
    def rbl_closest_edge_edge(self, points: Any, closest: Any, /) -> int: ...
    def rbl_test_triangles(self, a: Any, b: Any, shared_count: int, is_hit: Any, /) -> int: ...
    def rbl_world_get_chips(self, world: Any, chips: Any, capacity: int, /) -> int: ...
    def rbl_create_chip_mesh(self, kind: int, variant: int, radius: float, allocator: Any, mesh: Any, /) -> int: ...
    def rbl_default_compound_field_def(self) -> rbl_compound_field_def: ...
    def rbl_create_compound_field(self, def_: Any, field: Any, /) -> int: ...
    def rbl_create_compound_shape(self, def_: Any, field: Any, spacing: float, shape: Any, /) -> int: ...
    def rbl_default_tets_def(self) -> rbl_tets_def: ...
    def rbl_create_tets(self, def_: Any, tets: Any, /) -> int: ...
    def rbl_destroy_tets(self, tets: Any, /) -> None: ...
    def rbl_tets_get_data(self, tets: Any, /) -> rbl_tets_data: ...
    def rbl_tets_create_boundary_mesh(self, tets: Any, allocator: Any, mesh: Any, /) -> int: ...
    def rbl_tets_get_quality(self, tets: Any, /) -> rbl_tets_quality: ...
    def rbl_default_fill_def(self) -> rbl_fill_def: ...
    def rbl_fill_mesh(self, def_: Any, tets: Any, report: Any, /) -> int: ...
    def rbl_default_crack_field_def(self) -> rbl_crack_field_def: ...
    def rbl_create_crack_field(self, def_: Any, field: Any, /) -> int: ...
    def rbl_destroy_crack_field(self, field: Any, /) -> None: ...
    def rbl_crack_field_break(self, field: Any, def_: Any, first_fragment: Any, /) -> int: ...
    def rbl_crack_field_fragment_count(self, field: Any, /) -> int: ...
    def rbl_crack_field_has_fragment(self, field: Any, fragment: int, /) -> bool: ...
    def rbl_crack_field_get_nodes(self, field: Any, /) -> rbl_crack_nodes: ...
    def rbl_crack_field_evaluate(self, field: Any, fragment: int, points: Any, count: int, distances: Any, bounds: Any, gradients: Any, /) -> int: ...
    def rbl_create_crack_fragment_field(self, cracks: Any, fragment: int, transform: rbl_transform, allocator: Any, field: Any, /) -> int: ...
    def rbl_crack_field_get_points(self, field: Any, fragment: int, points: int, positions: Any, ids: Any, capacity: int, count: Any, /) -> int: ...
    def rbl_default_cutter_def(self) -> rbl_cutter_def: ...
    def rbl_create_cutter(self, def_: Any, cutter: Any, /) -> int: ...
    def rbl_destroy_cutter(self, cutter: Any, /) -> None: ...
    def rbl_cutter_begin(self, cutter: Any, crack: Any, /) -> int: ...
    def rbl_cutter_advance(self, cutter: Any, progress: float, step: Any, /) -> int: ...
    def rbl_cutter_get_mesh(self, cutter: Any, /) -> rbl_cutter_mesh: ...
    def rbl_cutter_get_components(self, cutter: Any, labels: Any, count: Any, /) -> int: ...
    def rbl_default_joint_def(self, kind: int, /) -> rbl_joint_def: ...
    def rbl_joint_def_place(self, world: Any, def_: Any, frame: rbl_transform, /) -> int: ...
    def rbl_create_joint(self, world: Any, def_: Any, /) -> rbl_joint_id: ...
    def rbl_destroy_joint(self, world: Any, joint: rbl_joint_id, /) -> int: ...
    def rbl_joint_exists(self, world: Any, joint: rbl_joint_id, /) -> bool: ...
    def rbl_joint_set_motor(self, world: Any, joint: rbl_joint_id, speed: float, most: float, /) -> int: ...
    def rbl_joint_set_limits(self, world: Any, joint: rbl_joint_id, has_limits: bool, lower: float, upper: float, /) -> int: ...
    def rbl_joint_set_cone(self, world: Any, joint: rbl_joint_id, has_cone: bool, angle: float, /) -> int: ...
    def rbl_joint_set_spring(self, world: Any, joint: rbl_joint_id, hertz: float, damping: float, target: float, /) -> int: ...
    def rbl_joint_set_break(self, world: Any, joint: rbl_joint_id, force: float, torque: float, /) -> int: ...
    def rbl_joint_set_frames(self, world: Any, joint: rbl_joint_id, frame_a: rbl_transform, frame_b: rbl_transform, /) -> int: ...
    def rbl_joint_set_def(self, world: Any, joint: rbl_joint_id, def_: Any, /) -> int: ...
    def rbl_joint_get_state(self, world: Any, joint: rbl_joint_id, /) -> rbl_joint_state: ...
    def rbl_joint_get_def(self, world: Any, joint: rbl_joint_id, /) -> rbl_joint_def: ...
    def rbl_body_get_joints(self, world: Any, body: rbl_body_id, joints: Any, capacity: int, /) -> int: ...
    def rbl_world_get_events(self, world: Any, /) -> rbl_events: ...
    def rbl_world_get_exposed_triangles(self, world: Any, fracture: int, triangles: Any, capacity: int, count: Any, /) -> int: ...
    def rbl_world_get_moves(self, world: Any, moves: Any, capacity: int, /) -> int: ...
    def rbl_default_world_def(self) -> rbl_world_def: ...
    def rbl_create_world(self, def_: Any, world: Any, /) -> int: ...
    def rbl_destroy_world(self, world: Any, /) -> None: ...
    def rbl_world_step(self, world: Any, dt: float, /) -> int: ...
    def rbl_world_set_gravity(self, world: Any, gravity: rbl_vec3, /) -> int: ...
    def rbl_world_gravity(self, world: Any, /) -> rbl_vec3: ...
    def rbl_world_set_budget(self, world: Any, budget: int, /) -> int: ...
    def rbl_world_budget(self, world: Any, /) -> int: ...
    def rbl_world_can_sleep(self, world: Any, /) -> bool: ...
    def rbl_world_set_can_sleep(self, world: Any, can_sleep: bool, /) -> int: ...
    def rbl_world_get_materials(self, world: Any, materials: Any, capacity: int, /) -> int: ...
    def rbl_world_body_count(self, world: Any, /) -> int: ...
    def rbl_world_get_bodies(self, world: Any, bodies: Any, capacity: int, /) -> int: ...
    def rbl_default_explosion(self) -> rbl_explosion: ...
    def rbl_world_explode(self, world: Any, explosion: Any, /) -> int: ...
    def rbl_default_damage_def(self) -> rbl_damage_def: ...
    def rbl_world_damage(self, world: Any, def_: Any, /) -> int: ...
    def rbl_world_shift_origin(self, world: Any, offset: rbl_vec3, /) -> int: ...
    def rbl_world_hash(self, world: Any, /) -> int: ...
    def rbl_world_get_contacts(self, world: Any, contacts: Any, capacity: int, /) -> int: ...
    def rbl_body_get_contacts(self, world: Any, body: rbl_body_id, contacts: Any, capacity: int, /) -> int: ...
    def rbl_world_cast_ray(self, world: Any, from_: rbl_vec3, translation: rbl_vec3, filter: Any, hit: Any, /) -> bool: ...
    def rbl_world_cast_ray_all(self, world: Any, from_: rbl_vec3, translation: rbl_vec3, filter: Any, hits: Any, capacity: int, /) -> int: ...
    def rbl_world_is_ray_blocked(self, world: Any, from_: rbl_vec3, translation: rbl_vec3, filter: Any, /) -> bool: ...
    def rbl_world_cast_collider(self, world: Any, collider: Any, pose: rbl_transform, translation: rbl_vec3, filter: Any, hit: Any, /) -> bool: ...
    def rbl_world_cast_colliders(self, world: Any, casts: Any, count: int, hits: Any, /) -> int: ...
    def rbl_world_overlap_box(self, world: Any, box: rbl_box, filter: Any, hits: Any, capacity: int, /) -> int: ...
    def rbl_world_overlap_collider(self, world: Any, collider: Any, pose: rbl_transform, filter: Any, hits: Any, capacity: int, /) -> int: ...
    def rbl_world_find_nearest(self, world: Any, collider: Any, pose: rbl_transform, max_distance: float, filter: Any, hits: Any, capacity: int, /) -> int: ...
    def rbl_body_closest_point(self, world: Any, body: rbl_body_id, point: rbl_vec3, hit: Any, /) -> bool: ...
    def rbl_world_draw(self, world: Any, draw: Any, /) -> int: ...
    def rbl_world_get_stats(self, world: Any, /) -> rbl_world_stats: ...
    def rbl_default_sources(self) -> rbl_sources: ...
    def rbl_world_save(self, world: Any, bytes: Any, size: Any, /) -> int: ...
    def rbl_world_load(self, bytes: Any, size: int, def_: Any, sources: Any, world: Any, /) -> int: ...
    def rbl_world_log_fractures(self, world: Any, write: rbl_fracture_log_function, user: Any, /) -> int: ...
    def rbl_world_apply_fractures(self, world: Any, bytes: Any, size: int, sources: Any, /) -> int: ...
    def rbl_body_fragment(self, world: Any, body: rbl_body_id, /) -> int: ...
    def rbl_world_find_fragment(self, world: Any, fragment: int, /) -> rbl_body_id: ...
    def rbl_default_hull_def(self) -> rbl_hull_def: ...
    def rbl_create_hull(self, def_: Any, hull: Any, /) -> int: ...
    def rbl_destroy_hull(self, hull: Any, /) -> None: ...
    def rbl_hull_get_data(self, hull: Any, /) -> rbl_hull_data: ...
    def rbl_hull_create_mesh(self, hull: Any, allocator: Any, mesh: Any, /) -> int: ...
    def rbl_default_outer_hull_def(self) -> rbl_outer_hull_def: ...
    def rbl_create_outer_hull(self, def_: Any, hull: Any, /) -> int: ...
    def rbl_destroy_outer_hull(self, hull: Any, /) -> None: ...
    def rbl_outer_hull_get_data(self, hull: Any, /) -> rbl_outer_hull_data: ...
    def rbl_points_dimension(self, points: Any, point_count: int, /) -> int: ...
    def rbl_fit_kdop(self, points: Any, point_count: int, plane_count: int, planes: Any, /) -> int: ...
    def rbl_default_scene_node(self) -> rbl_scene_node: ...
    def rbl_default_scene_material(self) -> rbl_scene_material: ...
    def rbl_default_read_def(self) -> rbl_read_def: ...
    def rbl_read_mesh(self, path: Optional[bytes], def_: Any, mesh: Any, /) -> int: ...
    def rbl_read_mesh_memory(self, bytes: Any, size: int, def_: Any, mesh: Any, /) -> int: ...
    def rbl_read_document(self, path: Optional[bytes], def_: Any, document: Any, /) -> int: ...
    def rbl_read_document_memory(self, bytes: Any, size: int, def_: Any, document: Any, /) -> int: ...
    def rbl_destroy_document(self, document: Any, /) -> None: ...
    def rbl_document_get_scene(self, document: Any, /) -> rbl_scene: ...
    def rbl_read_tets(self, path: Optional[bytes], def_: Any, tets: Any, /) -> int: ...
    def rbl_read_tets_memory(self, bytes: Any, size: int, def_: Any, tets: Any, /) -> int: ...
    def rbl_read_tet_arrays(self, path: Optional[bytes], def_: Any, tets: Any, /) -> int: ...
    def rbl_read_tet_arrays_memory(self, bytes: Any, size: int, def_: Any, tets: Any, /) -> int: ...
    def rbl_free_tet_arrays(self, tets: Any, /) -> None: ...
    def rbl_default_write_def(self) -> rbl_write_def: ...
    def rbl_write_mesh(self, path: Optional[bytes], mesh: Any, def_: Any, /) -> int: ...
    def rbl_write_mesh_memory(self, mesh: Any, def_: Any, bytes: Any, /) -> int: ...
    def rbl_free_bytes(self, bytes: Any, /) -> None: ...
    def rbl_read_file(self, path: Optional[bytes], def_: Any, bytes: Any, /) -> int: ...
    def rbl_write_scene(self, path: Optional[bytes], scene: Any, def_: Any, /) -> int: ...
    def rbl_write_scene_memory(self, scene: Any, def_: Any, bytes: Any, /) -> int: ...
    def rbl_default_film_def(self) -> rbl_film_def: ...
    def rbl_create_film(self, def_: Any, film: Any, /) -> int: ...
    def rbl_destroy_film(self, film: Any, /) -> None: ...
    def rbl_film_add_mesh(self, film: Any, mesh: Any, index: Any, /) -> int: ...
    def rbl_film_add_materials(self, film: Any, scene: Any, offset: Any, /) -> int: ...
    def rbl_film_set_extras(self, film: Any, object: int, extras: Optional[bytes], /) -> int: ...
    def rbl_film_begin_frame(self, film: Any, time: float, /) -> int: ...
    def rbl_film_add_object(self, film: Any, mesh: int, pose: rbl_transform, object: Any, /) -> int: ...
    def rbl_film_add_part(self, film: Any, object: int, mesh: int, pose: rbl_transform, part: Any, /) -> int: ...
    def rbl_film_move(self, film: Any, object: int, pose: rbl_transform, /) -> int: ...
    def rbl_film_move_with_angular_velocity(self, film: Any, object: int, pose: rbl_transform, angular_velocity: rbl_vec3, /) -> int: ...
    def rbl_film_add_puff(self, film: Any, mesh: int, from_: rbl_vec3, to: rbl_vec3, radius: float, lifetime: float, /) -> int: ...
    def rbl_camera_pose(self, position: rbl_vec3, target: rbl_vec3, /) -> rbl_transform: ...
    def rbl_film_add_camera(self, film: Any, pose: rbl_transform, angle: float, object: Any, /) -> int: ...
    def rbl_film_remove(self, film: Any, object: int, /) -> int: ...
    def rbl_film_set_name(self, film: Any, object: int, name: Optional[bytes], /) -> int: ...
    def rbl_film_get_info(self, film: Any, /) -> rbl_film_info: ...
    def rbl_write_film(self, path: Optional[bytes], film: Any, def_: Any, /) -> int: ...
    def rbl_write_film_memory(self, film: Any, def_: Any, bytes: Any, /) -> int: ...
    def rbl_film_create_mesh(self, film: Any, time: float, mesh: Any, /) -> int: ...
    def rbl_file_format_of_name(self, name: Optional[bytes], /) -> int: ...
    def rbl_file_format_ending(self, format: int, /) -> Optional[bytes]: ...
    def rbl_parse_json(self, text: Optional[bytes], size: int, name: Optional[bytes], allocator: Any, document: Any, /) -> int: ...
    def rbl_destroy_json(self, document: Any, /) -> None: ...
    def rbl_json_root(self, document: Any, /) -> _Pointer[rbl_json]: ...
    def rbl_json_get_type(self, value: Any, /) -> int: ...
    def rbl_json_count(self, value: Any, /) -> int: ...
    def rbl_json_item(self, value: Any, index: int, /) -> _Pointer[rbl_json]: ...
    def rbl_json_key(self, object: Any, index: int, /) -> Optional[bytes]: ...
    def rbl_json_member(self, object: Any, key: Optional[bytes], /) -> _Pointer[rbl_json]: ...
    def rbl_json_number(self, value: Any, fallback: float, /) -> float: ...
    def rbl_json_get_integer(self, value: Any, number: Any, /) -> bool: ...
    def rbl_json_is_true(self, value: Any, /) -> bool: ...
    def rbl_json_text(self, value: Any, /) -> Optional[bytes]: ...
    def rbl_json_text_length(self, value: Any, /) -> int: ...
    def rbl_json_get_source(self, document: Any, value: Any, /) -> rbl_json_source: ...
    def rbl_json_get_position(self, document: Any, value: Any, line: Any, column: Any, /) -> None: ...
    def rbl_default_surface_def(self) -> rbl_surface_def: ...
    def rbl_measure_surface_costs(self, def_: Any, costs: Any, /) -> int: ...
    def rbl_create_surface(self, def_: Any, surface: Any, /) -> int: ...
    def rbl_destroy_surface(self, surface: Any, /) -> None: ...
    def rbl_surface_set_culling(self, surface: Any, culling: int, /) -> int: ...
    def rbl_default_surface_body_def(self) -> rbl_surface_body_def: ...
    def rbl_surface_add(self, surface: Any, def_: Any, body: Any, /) -> int: ...
    def rbl_surface_add_tets(self, surface: Any, tets: Any, body: Any, /) -> int: ...
    def rbl_surface_remove(self, surface: Any, body: rbl_surface_body_id, /) -> int: ...
    def rbl_surface_body_set_thickness(self, surface: Any, body: rbl_surface_body_id, thickness: float, /) -> int: ...
    def rbl_surface_body_thickness(self, surface: Any, body: rbl_surface_body_id, /) -> float: ...
    def rbl_surface_body_set_filter(self, surface: Any, body: rbl_surface_body_id, filter: rbl_surface_filter, /) -> int: ...
    def rbl_surface_body_get_filter(self, surface: Any, body: rbl_surface_body_id, /) -> rbl_surface_filter: ...
    def rbl_surface_exclude_bodies(self, surface: Any, a: rbl_surface_body_id, b: rbl_surface_body_id, is_excluded: bool, /) -> int: ...
    def rbl_surface_exclude_triangles(self, surface: Any, pairs: Any, count: int, is_excluded: bool, /) -> int: ...
    def rbl_default_surface_split_def(self) -> rbl_surface_split_def: ...
    def rbl_surface_split(self, surface: Any, body: rbl_surface_body_id, def_: Any, pieces: Any, /) -> int: ...
    def rbl_surface_split_bodies(self, surface: Any, bodies: Any, count: int, defs: Any, pieces: Any, /) -> int: ...
    def rbl_surface_merge(self, surface: Any, bodies: Any, body_count: int, welds: Any, weld_count: int, /) -> int: ...
    def rbl_surface_move(self, surface: Any, body: rbl_surface_body_id, start: Any, end: Any, /) -> int: ...
    def rbl_surface_move_bodies(self, surface: Any, bodies: Any, count: int, start: Any, end: Any, /) -> int: ...
    def rbl_surface_move_vertices(self, surface: Any, body: rbl_surface_body_id, vertices: Any, count: int, end: Any, /) -> int: ...
    def rbl_surface_move_to(self, surface: Any, body: rbl_surface_body_id, start: Any, end: Any, /) -> int: ...
    def rbl_surface_move_all(self, surface: Any, start: Any, end: Any, count: int, /) -> int: ...
    def rbl_surface_set_vertex_user_ids(self, surface: Any, vertices: Any, user_ids: Any, count: int, /) -> int: ...
    def rbl_surface_set_triangle_user_ids(self, surface: Any, triangles: Any, user_ids: Any, count: int, /) -> int: ...
    def rbl_surface_update(self, surface: Any, motion: int, /) -> int: ...
    def rbl_surface_collide(self, surface: Any, pairs: Any, /) -> int: ...
    def rbl_surface_set_pair_callback(self, surface: Any, callback: rbl_surface_pair_callback, user: Any, /) -> int: ...
    def rbl_surface_sweep(self, surface: Any, hits: Any, /) -> int: ...
    def rbl_surface_hit_side(self, surface: Any, hit: Any, /) -> int: ...
    def rbl_surface_proximity(self, surface: Any, distance: float, list: Any, /) -> int: ...
    def rbl_surface_get_names(self, surface: Any, list: Any, /) -> int: ...
    def rbl_surface_get_ranges(self, surface: Any, ranges: Any, /) -> int: ...
    def rbl_surface_get_segments(self, surface: Any, list: Any, /) -> int: ...
    def rbl_surface_max_step(self, surface: Any, until: float, share: Any, /) -> int: ...
    def rbl_surface_has_hit(self, surface: Any, until: float, has_hit: Any, /) -> int: ...
    def rbl_surface_has_pair(self, surface: Any, has_pair: Any, /) -> int: ...
    def rbl_surface_first_hits(self, surface: Any, until: float, max_count: int, hits: Any, /) -> int: ...
    def rbl_surface_keep_candidates(self, surface: Any, distance: float, count: Any, /) -> int: ...
    def rbl_surface_proximity_at(self, surface: Any, share: float, distance: float, list: Any, /) -> int: ...
    def rbl_surface_get_data(self, surface: Any, /) -> rbl_surface_data: ...
    def rbl_surface_body_get_data(self, surface: Any, body: rbl_surface_body_id, /) -> rbl_surface_body_data: ...
    def rbl_surface_triangle_body(self, surface: Any, triangle: int, /) -> rbl_surface_body_id: ...
    def rbl_surface_get_map(self, surface: Any, map: Any, /) -> int: ...
    def rbl_surface_body_user_id(self, surface: Any, body: rbl_surface_body_id, /) -> int: ...
    def rbl_surface_body_get_components(self, surface: Any, body: rbl_surface_body_id, labels: Any, count: Any, /) -> int: ...
    def rbl_surface_get_stats(self, surface: Any, /) -> rbl_surface_stats: ...
    def rbl_default_obstacles_def(self) -> rbl_obstacles_def: ...
    def rbl_create_obstacles(self, surface: Any, def_: Any, obstacles: Any, /) -> int: ...
    def rbl_destroy_obstacles(self, obstacles: Any, /) -> None: ...
    def rbl_obstacles_sync(self, obstacles: Any, world: Any, dt: float, /) -> int: ...
    def rbl_obstacles_repeat(self, obstacles: Any, /) -> int: ...
    def rbl_obstacles_find(self, obstacles: Any, body: rbl_surface_body_id, /) -> rbl_obstacle: ...
    def rbl_obstacles_part(self, obstacles: Any, body: rbl_body_id, part: int, /) -> rbl_surface_body_id: ...
    def rbl_obstacles_get_stats(self, obstacles: Any, /) -> rbl_obstacles_stats: ...
    def rbl_default_picture_def(self) -> rbl_picture_def: ...
    def rbl_draw_film(self, film: Any, def_: Any, pixels: Any, /) -> int: ...
    def rbl_write_picture(self, path: Optional[bytes], film: Any, def_: Any, /) -> int: ...
    def rbl_write_picture_memory(self, film: Any, def_: Any, bytes: Any, /) -> int: ...
    def rbl_write_pixels(self, path: Optional[bytes], pixels: Any, width: int, height: int, allocator: Any, /) -> int: ...
    def rbl_write_pixels_memory(self, pixels: Any, width: int, height: int, allocator: Any, bytes: Any, /) -> int: ...
    def rbl_preset_name(self, preset: int, /) -> Optional[bytes]: ...
    def rbl_preset_of_name(self, name: Optional[bytes], /) -> int: ...
    def rbl_default_preset_def(self, preset: int, /) -> rbl_preset_def: ...
    def rbl_create_preset_material(self, def_: Any, material: Any, /) -> int: ...
    def rbl_default_recording_def(self) -> rbl_recording_def: ...
    def rbl_world_begin_recording(self, world: Any, def_: Any, /) -> int: ...
    def rbl_world_end_recording(self, world: Any, /) -> int: ...
    def rbl_create_replay(self, bytes: Any, size: int, def_: Any, sources: Any, replay: Any, /) -> int: ...
    def rbl_destroy_replay(self, replay: Any, /) -> None: ...
    def rbl_replay_progress(self, replay: Any, /) -> float: ...
    def rbl_replay_step(self, replay: Any, report: Any, /) -> int: ...
    def rbl_replay_get_world(self, replay: Any, /) -> _Pointer[rbl_world]: ...
    def rbl_default_box_def(self) -> rbl_box_def: ...
    def rbl_create_box_mesh(self, def_: Any, mesh: Any, /) -> int: ...
    def rbl_default_icosphere_def(self) -> rbl_icosphere_def: ...
    def rbl_create_icosphere_mesh(self, def_: Any, mesh: Any, /) -> int: ...
    def rbl_default_cylinder_def(self) -> rbl_cylinder_def: ...
    def rbl_create_cylinder_mesh(self, def_: Any, mesh: Any, /) -> int: ...
    def rbl_default_tube_def(self) -> rbl_tube_def: ...
    def rbl_create_tube_mesh(self, def_: Any, mesh: Any, /) -> int: ...
    def rbl_default_torus_def(self) -> rbl_torus_def: ...
    def rbl_create_torus_mesh(self, def_: Any, mesh: Any, /) -> int: ...
    def rbl_default_plate_def(self) -> rbl_plate_def: ...
    def rbl_create_plate_mesh(self, def_: Any, mesh: Any, /) -> int: ...
    def rbl_default_vase_def(self) -> rbl_vase_def: ...
    def rbl_create_vase_mesh(self, def_: Any, mesh: Any, /) -> int: ...
    def rbl_default_mug_def(self) -> rbl_mug_def: ...
    def rbl_create_mug_mesh(self, def_: Any, mesh: Any, /) -> int: ...
    def rbl_default_piggy_bank_def(self) -> rbl_piggy_bank_def: ...
    def rbl_create_piggy_bank_mesh(self, def_: Any, mesh: Any, /) -> int: ...
    def rbl_default_column_def(self) -> rbl_column_def: ...
    def rbl_create_column_mesh(self, def_: Any, mesh: Any, /) -> int: ...
    def rbl_default_arch_def(self) -> rbl_arch_def: ...
    def rbl_create_arch_mesh(self, def_: Any, mesh: Any, /) -> int: ...
    def rbl_default_window_def(self) -> rbl_window_def: ...
    def rbl_create_window_mesh(self, def_: Any, mesh: Any, /) -> int: ...
    def rbl_default_brick_wall_def(self) -> rbl_brick_wall_def: ...
    def rbl_create_brick_wall_mesh(self, def_: Any, mesh: Any, /) -> int: ...
    def rbl_default_arena_def(self) -> rbl_arena_def: ...
    def rbl_create_arena_mesh(self, def_: Any, mesh: Any, /) -> int: ...
    def rbl_default_stress_def(self) -> rbl_stress_def: ...
    def rbl_create_stress(self, def_: Any, stress: Any, /) -> int: ...
    def rbl_destroy_stress(self, stress: Any, /) -> None: ...
    def rbl_stress_update(self, stress: Any, compound: Any, gravity: rbl_vec3d, loads: Any, load_count: int, budget: int, report: Any, /) -> int: ...
    def rbl_stress_get_bonds(self, stress: Any, min_utilization: float, bonds: Any, capacity: int, /) -> int: ...
    def rbl_surface_get_contours(self, surface: Any, list: Any, /) -> int: ...
    def rbl_surface_get_overlaps(self, surface: Any, list: Any, /) -> int: ...
    def rbl_default_surface_edit_def(self) -> rbl_surface_edit_def: ...
    def rbl_surface_edit(self, surface: Any, body: rbl_surface_body_id, def_: Any, pieces: Any, /) -> int: ...
    def rbl_default_surface_knife(self) -> rbl_surface_knife: ...
    def rbl_surface_plan_cut(self, surface: Any, body: rbl_surface_body_id, knife: Any, edit: Any, /) -> int: ...
    def rbl_surface_plan_tear(self, surface: Any, body: rbl_surface_body_id, path: Any, count: int, edit: Any, /) -> int: ...
    def rbl_default_surface_curve(self) -> rbl_surface_curve: ...
    def rbl_surface_cut_along(self, surface: Any, body: rbl_surface_body_id, curve: Any, cut: Any, /) -> int: ...
    def rbl_surface_cast_ray(self, surface: Any, from_: rbl_vec3, translation: rbl_vec3, mask: int, hit: Any, /) -> int: ...
    def rbl_surface_find_nearest(self, surface: Any, point: rbl_vec3, max_distance: float, mask: int, nearest: Any, /) -> int: ...
    def rbl_create_surface_tets(self, surface: Any, tets: Any, body: Any, made: Any, /) -> int: ...
    def rbl_destroy_surface_tets(self, tets: Any, /) -> None: ...
    def rbl_surface_tets_separate(self, tets: Any, body: rbl_surface_body_id, faces: Any, count: int, positions: Any, /) -> int: ...
    def rbl_surface_tets_get_data(self, tets: Any, /) -> rbl_surface_tets_data: ...
    def rbl_quat_from_axis_angle(self, axis: rbl_vec3, angle: float, /) -> rbl_quat: ...
    def rbl_quat_from_axis_angle_d(self, axis: rbl_vec3d, angle: float, /) -> rbl_quatd: ...
    def rbl_default_viewer_def(self) -> rbl_viewer_def: ...
    def rbl_write_viewer(self, path: Optional[bytes], film: Any, def_: Any, info: Any, /) -> int: ...
    def rbl_write_viewer_memory(self, film: Any, def_: Any, bytes: Any, info: Any, /) -> int: ...
