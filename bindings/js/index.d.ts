import * as api from "./api.js";

export { constants } from "./api.js";
export type { BodyId, Transform, Vec3, Vec3Like, Quat, QuatLike, WorldStats, WorldHit, Contact } from "./api.js";
import { BodyId, Pointer, QuatLike, Transform, Vec3Like } from "./api.js";

/** A call of the library that failed. Its message is the library's own sentence. */
export class RubbleError extends Error {
	readonly code: number;
}

/** Whether this engine can run Rubble. */
export function isSupported(): boolean;

/**
 * Load the module; `wasm` is where it is, else rubble.wasm beside index.js. rubble-core.wasm is smaller: it has no scene files,
 * surfaces, recordings, repair, shapes, writing of files and lines to look inside, and of mesh files it reads glTF alone.
 */
export function loadRubble(options?: {
	wasm?: string | URL | Response | ArrayBuffer | ArrayBufferView | WebAssembly.Module;
}): Promise<Rubble>;

/** Triangles to draw, three corners each. */
export interface Triangles {
	/** Three numbers per corner. */
	positions: Float32Array;
	normals: Float32Array;
	/** Linear red, green and blue, and 1 where a cut is seen. */
	colors: Float32Array;
	/** Texture coordinates, two numbers per corner, 0 where there are none; of cuts they are metric: see docs/fracture.md. */
	uvs: Float32Array;
	/** The texture of each corner by Rubble.nameTextures(), from 1; 0: none. */
	layers: Float32Array;
	isHidden: boolean;
}

export interface Pose { position: Vec3Like; rotation?: QuatLike }

/** What was created in the module's memory, and is destroyed by hand. */
export class Thing {
	readonly pointer: number;
	dispose(): void;
	[Symbol.dispose](): void;
}

export class Mesh extends Thing {
	triangles(): Triangles;
	check(): api.MeshReport;
	repair(options?: Partial<api.MeshRepairDef>): { mesh: Mesh; report: api.MeshRepairReport };
	readonly bounds: api.Boxd;
	readonly mass: api.Mass;
	write(format?: number): Uint8Array;
}

export class Pattern extends Thing { readonly cellCount: number }
export class Material extends Thing { readonly values: api.MaterialValues }
/** A convex polyhedron, for bodies and colliders. */
export class Convex extends Thing {}

export class Collider extends Thing { }

export class Asset extends Thing {
	save(): Uint8Array;
	readonly report: api.AssetReport;
	readonly nodes: Float64Array;
	triangles(): Triangles;
}

/** Vectors may be lists of numbers. */
type Numbers<T> = T extends { w: number } ? readonly [number, number, number, number] : T extends { z: number } ? readonly [number, number, number]
	: T extends { x: number; y: number } ? readonly [number, number] : never;
type Deep<T> = { [K in keyof T]?: T[K] extends object ? (Deep<T[K]> | T[K] | Numbers<T[K]>) : T[K] };
type BodyOptions = Omit<Deep<api.BodyDef>, "pose"> & { pose?: Pose };

export class Body {
	readonly index: number;
	readonly generation: number;
	readonly id: BodyId;
	readonly world: World;
	readonly exists: boolean;
	readonly state: api.BodyState;
	readonly pose: Transform;
	readonly velocity: { x: number; y: number; z: number };
	readonly angularVelocity: { x: number; y: number; z: number };
	readonly mass: api.BodyMass;
	readonly bounds: api.Box;
	readonly isAwake: boolean;
	readonly user: bigint;
	setPose(pose: Pose): void;
	setVelocity(velocity: Vec3Like, angularVelocity?: Vec3Like): void;
	setTarget(pose: Pose, dt: number): void;
	addForce(force: Vec3Like, point: Vec3Like): void;
	addImpulse(impulse: Vec3Like, point: Vec3Like): void;
	setKind(kind: number): void;
	setAwake(isAwake: boolean): void;
	setUser(user: number | bigint): void;
	damage(point: Vec3Like, direction: Vec3Like, energy: number, radius?: number): void;
	/** Cut it in two along a plane, whatever it withstands; the next step does it. */
	cut(point: Vec3Like, normal: Vec3Like): void;
	destroy(): void;
	triangles(): Triangles;
}

export interface FractureEvent extends Omit<api.FractureEvent, "newBodies" | "dust" | "chips" | "emitters"> {
	newBodies: BodyId[];
	dust: api.DustFragment[];
	chips: api.Chip[];
	emitters: api.DustEmitter[];
}

export interface Events {
	readonly begins: api.ContactEvent[];
	readonly ends: api.ContactEvent[];
	readonly hits: api.HitEvent[];
	readonly sensors: api.SensorEvent[];
	readonly sleeps: api.SleepEvent[];
	readonly joints: api.JointEvent[];
	readonly retires: api.RetireEvent[];
	readonly slides: api.SlideEvent[];
	readonly fractures: FractureEvent[];
	readonly fractureCount: number;
	readonly retireCount: number;
	readonly hitCount: number;
}

export interface Lines { positions: Float32Array; colors: Float32Array }

export class World extends Thing {
	createBody(options: BodyOptions): Body;
	body(id: BodyId): Body;
	readonly bodyCount: number;
	readonly bodies: BodyId[];
	step(dt?: number): void;
	readonly events: Events;
	/** Eight numbers per body index: x, y, z, 1 if it moved, quaternion. Views, good until the next call. */
	readonly poses: { now: Float32Array; before: Float32Array };
	refreshPoses(): void;
	castRay(from: Vec3Like, translation: Vec3Like, filter?: api.Filter | null): api.WorldHit | null;
	readonly contacts: api.Contact[];
	readonly stats: api.WorldStats;
	/** Sixteen digits, as `rubble run` prints it. */
	readonly hash: string;
	lines(flags: number): Lines;
	bondLines(): Lines;
	readonly islands: Int32Array;
	setGravity(gravity: Vec3Like): void;
	readonly gravity: { x: number; y: number; z: number };
	explode(options: Deep<api.Explosion>): void;
	damage(options: Deep<api.DamageDef>): void;
	createJoint(kind: number, options: Omit<Deep<api.JointDef>, "bodyA" | "bodyB"> & { bodyA: Body | BodyId; bodyB: Body | BodyId },
		frame?: Pose | null): api.JointId;
	destroyJoint(joint: api.JointId): void;
	save(): Uint8Array;
	beginRecording(): void;
	endRecording(): Uint8Array;
}

export class Replay extends Thing {
	step(): api.ReplayReport;
}

export class SceneSnapshot extends Thing { readonly size: number }

/** Sheets of cloth: three numbers for each particle, its sheet; three particles for each triangle; colors of sheets. */
export interface Cloth {
	readonly now: Float32Array;
	readonly before: Float32Array;
	readonly sheets: Int32Array;
	readonly triangles: Int32Array;
	readonly colors: Float32Array;
}

/** A scene file that runs, step by step as `rubble run` does. */
export class Scene extends Thing {
	readonly world: World;
	readonly timeStep: number;
	readonly stepCount: number;
	readonly stepIndex: number;
	/** The state, cloth included: what `rubble run` prints. */
	readonly hash: string;
	readonly isHolding: boolean;
	step(): void;
	/** Do something in the next step: a trigger of docs/scenes.md. Returns it with its time. */
	act(action: Record<string, unknown>): Record<string, unknown>;
	triangles(id: BodyId): Triangles;
	/** Its sheets of cloth, or null; views until the next call. */
	readonly cloth: Cloth | null;
	save(): SceneSnapshot;
	restore(snapshot: SceneSnapshot): void;
	film(): Uint8Array;
	recording(): Uint8Array;
}

export class Surface extends Thing {
	add(positions: ArrayLike<number>, triangles: ArrayLike<number>): api.SurfaceBodyId;
	remove(body: api.SurfaceBodyId): void;
	move(body: api.SurfaceBodyId, end: Float32Array, start?: Float32Array | null): void;
	update(motion?: number): void;
	collide(): Int32Array;
	sweep(): api.SurfaceHit[];
}

export class Rubble {
	readonly version: string;
	readonly memorySize: number;
	readonly module: WebAssembly.Module;
	/** Things that were created and not disposed of. */
	readonly live: Set<Thing>;
	readMesh(bytes: Uint8Array, options?: Deep<api.ReadDef>): Mesh;
	createMesh(positions: ArrayLike<number>, indices: ArrayLike<number>): Mesh;
	createBoxMesh(options?: Deep<api.BoxDef>): Mesh;
	/** The convex hull of points, three numbers each. */
	createConvex(points: ArrayLike<number>): Convex;
	createSphereMesh(options?: Deep<api.IcosphereDef>): Mesh;
	createPattern(options?: Deep<api.PatternDef>): Pattern;
	createMaterial(options?: Omit<Deep<api.MaterialDef>, "damage"> & {
		damage?: Omit<Deep<api.DamageRule>, "levels"> & { levels?: { energy: number; pattern: Pattern; radius: number }[] };
	}): Material;
	createCollider(kind: number, options?: Deep<api.ColliderDef>): Collider;
	prepare(mesh: Mesh, options?: Deep<api.PrepareDef>): Asset;
	prepareInSlices(mesh: Mesh, options: Deep<api.PrepareDef> | undefined, onSlice?: (slices: number) => unknown, budget?: number): Promise<Asset>;
	loadAsset(bytes: Uint8Array): Asset;
	fracture(mesh: Mesh, pattern: Pattern, options?: Deep<api.PiecesDef>): Mesh[];
	createWorld(options?: Deep<api.WorldDef>): World;
	loadWorld(bytes: Uint8Array, sources?: { assets?: Asset[]; patterns?: Pattern[]; materials?: Material[] }): World;
	createReplay(bytes: Uint8Array, sources?: { assets?: Asset[]; patterns?: Pattern[]; materials?: Material[] }): Replay;
	openScene(json: object | string, options?: { files?: Record<string, Uint8Array>; film?: boolean; isRecorded?: boolean; name?: string }): Scene;
	createSurface(options?: Deep<api.SurfaceDef>): Surface;
	/** Say which materials of meshes have a texture, by their names: triangles to draw have the numbers of these then, from 1. */
	nameTextures(names: readonly string[]): void;
}
