// Rubble in JavaScript: breaks things in real time and knows what touches what while they break.
//
//     import { loadRubble } from "rubble-wasm";
//     const rubble = await loadRubble();
//     const world = rubble.createWorld();
//
// Everything that is created has dispose(), which is also Symbol.dispose. What a world holds goes with it.

import { constants } from "./api.js";
import { Native, RubbleError } from "./native.js";
import { Scene } from "./scene.js";
import { Surface } from "./surface.js";
import { Files } from "./wasi.js";
import { World } from "./world.js";
import { Thing } from "./thing.js";

export { constants, RubbleError };

// A module of one function that returns a SIMD value: what compiles it runs Rubble.
const SIMD_PROBE = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0,
	253, 15, 253, 98, 11]);

/** Whether this engine can run Rubble. */
export function isSupported() {
	return typeof WebAssembly === "object" && WebAssembly.validate(SIMD_PROBE);
}

async function compile(source) {
	if (source instanceof WebAssembly.Module)
		return source;
	if (source instanceof ArrayBuffer || ArrayBuffer.isView(source))
		return WebAssembly.compile(source);
	if (source === undefined) {
		source = new URL("./rubble.wasm", import.meta.url);
		if (source.protocol === "file:" && typeof process === "object" && process.versions?.node) {
			const { readFile } = await import(/* @vite-ignore */ "node:fs/promises");
			return WebAssembly.compile(await readFile(source));
		}
	}
	const response = source instanceof Response ? source : await fetch(source);
	if (!response.ok)
		throw new RubbleError(`${response.url}: ${response.status} ${response.statusText}`);
	return WebAssembly.compile(await response.arrayBuffer());
}

/**
 * Load the module.
 * @param options.wasm  its bytes, a Response, a URL or a compiled module; else rubble.wasm beside this file. rubble-core.wasm
 *                      is smaller: no scene files, surfaces, recordings, repair, shapes, writing of files, lines to look inside,
 *                      and of mesh files it reads glTF alone
 */
export async function loadRubble(options = {}) {
	if (!isSupported())
		throw new RubbleError("this browser has no WebAssembly SIMD, which Rubble needs", constants.UNSUPPORTED);
	const files = new Files(), module = await compile(options.wasm);
	const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: files.imports() });
	files.attach(instance.exports.memory);
	instance.exports._initialize();
	return new Rubble(new Native(instance.exports), files, module);
}

/** A mesh: closed ones can be prepared and broken. */
export class Mesh extends Thing {
	static destructor = "rbl_destroy_mesh";

	/** Triangles to draw: copies of positions, normals, colors (red, green, blue, 1 where a cut is seen) and texture coordinates. */
	triangles() {
		return this.rubble.takeTriangles(this.native.exports.js_mesh_triangles(this.pointer));
	}

	/** What keeps it from being closed. */
	check() {
		return this.native.scope(() => {
			const report = this.native.scratch(this.native.size("rbl_mesh_report"));
			this.native.call("rbl_mesh_check", this, report);
			return this.native.read(report, "rbl_mesh_report");
		});
	}

	/** A closed copy, and what that took. */
	repair(options) {
		return this.native.scope(() => {
			const out = this.native.scratch(4), report = this.native.scratch(this.native.size("rbl_mesh_repair_report"));
			this.native.call("rbl_mesh_repair", this, this.native.define("rbl_mesh_repair_def", options), out, report);
			return {
				mesh: new Mesh(this.rubble, this.native.view.getUint32(out, true)),
				report: this.native.read(report, "rbl_mesh_repair_report"),
			};
		});
	}

	get bounds() {
		return this.native.call("rbl_mesh_bounds", this);
	}

	get mass() {
		return this.native.call("rbl_mesh_get_mass", this);
	}

	/** The mesh as a file: glTF (.glb) unless told. */
	write(format = constants.FORMAT_GLTF) {
		return this.native.scope(() => {
			const out = this.native.scratch(this.native.size("rbl_file_bytes"));
			this.native.call("rbl_write_mesh_memory", this, this.native.define("rbl_write_def", { format }), out);
			const { data, size } = this.native.read(out, "rbl_file_bytes");
			const bytes = this.native.array(Uint8Array, data, size).slice();
			this.native.exports.rbl_free_bytes(out);
			return bytes;
		});
	}
}

/** How something breaks: cells around the point of impact. */
export class Pattern extends Thing {
	static destructor = "rbl_destroy_pattern";

	get cellCount() {
		return this.native.call("rbl_pattern_cell_count", this);
	}
}

/** What bodies are made of, and how it breaks. */
export class Material extends Thing {
	static destructor = "rbl_destroy_material";

	get values() {
		return this.native.call("rbl_material_get_values", this);
	}
}

/** A convex polyhedron, for bodies and colliders. */
export class Convex extends Thing {
	static destructor = "rbl_destroy_convex";
}

/** A collision shape that bodies share. */
export class Collider extends Thing {
	static destructor = "rbl_destroy_collider";
}

/** A mesh that is ready to be a body which breaks. */
export class Asset extends Thing {
	static destructor = "rbl_destroy_asset";

	/** The bytes of an .rbl file. */
	save() {
		return this.native.save("rbl_asset_save", this);
	}

	get report() {
		return this.native.call("rbl_asset_get_report", this);
	}

	/** The nodes of the decomposition: three numbers each, a copy. */
	get nodes() {
		return this.native.scope(() => {
			const count = this.native.scratch(4), nodes = this.native.exports.rbl_asset_get_nodes(this.pointer, count);
			return this.native.array(Float64Array, nodes, 3 * this.native.view.getInt32(count, true)).slice();
		});
	}

	/** Triangles of its parts, each part in a color of its own. */
	triangles() {
		return this.rubble.takeTriangles(this.native.exports.js_asset_triangles(this.pointer));
	}
}

/** A recording that is played back. */
export class Replay extends Thing {
	static destructor = "rbl_destroy_replay";

	constructor(rubble, pointer, block) {
		super(rubble, pointer);
		this.block = block;
	}

	/** Play the next step. @returns { isOver, step, recordedHash, hash, differs } */
	step() {
		return this.native.scope(() => {
			const report = this.native.scratch(this.native.size("rbl_replay_report"));
			this.native.call("rbl_replay_step", this, report);
			return this.native.read(report, "rbl_replay_report");
		});
	}

	dispose() {
		if (this.pointer)
			super.dispose(), this.native.exports.js_free(this.block);
	}
}

/** The library: it makes everything else. */
export class Rubble {
	constructor(native, files, module) {
		this.native = native;
		this.files = files;
		/** The compiled module, which workers can be sent. */
		this.module = module;
		/** Things that were created and not disposed of. */
		this.live = new Set();
	}

	/** For example "0.1.0". */
	get version() {
		const version = this.native.exports.rbl_version();
		return `${Math.floor(version / 10000)}.${Math.floor(version / 100) % 100}.${version % 100}`;
	}

	/** Bytes of the module's memory. */
	get memorySize() {
		return this.native.exports.memory.buffer.byteLength;
	}

	#create(Type, name, define) {
		return this.native.scope(() => new Type(this, this.native.create(name, define())));
	}

	// --- meshes -----------------------------------------------------------------------------------

	/** Read a mesh file: glTF, OBJ, STL, PLY or OFF. @param options  name, scale, up and so on */
	readMesh(bytes, options = {}) {
		const block = this.native.copyIn(bytes);
		try {
			return this.native.scope(() => new Mesh(this, this.native.create("rbl_read_mesh_memory", block, bytes.byteLength,
				this.native.define("rbl_read_def", options))));
		} finally {
			this.native.exports.js_free(block);
		}
	}

	/** A mesh of triangles. @param positions  three numbers per vertex @param indices  three per triangle */
	createMesh(positions, indices) {
		return this.native.scope(() => {
			const data = { vertexCount: positions.length / 3, positions: Float64Array.from(positions), faceCount: indices.length / 3,
				cornerCount: indices.length, cornerVertices: Int32Array.from(indices) };
			return new Mesh(this, this.native.create("rbl_create_mesh", this.native.define("rbl_mesh_def", { data })));
		});
	}

	createBoxMesh(options) {
		return this.#create(Mesh, "rbl_create_box_mesh", () => this.native.define("rbl_box_def", options));
	}

	createSphereMesh(options) {
		return this.#create(Mesh, "rbl_create_icosphere_mesh", () => this.native.define("rbl_icosphere_def", options));
	}

	/** The convex hull of points, three numbers each. */
	createConvex(points) {
		const { native } = this, made = [];
		const keep = (destructor, pointer) => (made.push([destructor, pointer]), pointer);
		return native.scope(() => {
			try {
				const hull = keep("rbl_destroy_hull", native.create("rbl_create_hull",
					native.define("rbl_hull_def", { points: Float64Array.from(points), pointCount: points.length / 3 })));
				const mesh = keep("rbl_destroy_mesh", native.create("rbl_hull_create_mesh", hull, null));
				return new Convex(this, native.create("rbl_create_convex", native.define("rbl_convex_def", { mesh })));
			} finally {
				made.forEach(([destructor, pointer]) => native.exports[destructor](pointer));
			}
		});
	}

	// --- what breaks ------------------------------------------------------------------------------

	createPattern(options) {
		return this.#create(Pattern, "rbl_create_pattern", () => this.native.define("rbl_pattern_def", options));
	}

	createMaterial(options) {
		return this.#create(Material, "rbl_create_material", () => this.native.define("rbl_material_def", options));
	}

	createCollider(kind, options) {
		return this.#create(Collider, "rbl_create_collider", () => this.native.define("rbl_collider_def", options, kind));
	}

	/** Decompose a closed mesh into nearly convex parts. */
	prepare(mesh, options) {
		return this.native.scope(() => new Asset(this, this.native.create("rbl_prepare", mesh,
			this.native.define("rbl_prepare_def", options))));
	}

	/**
	 * The same in slices, so that a page goes on.
	 * @param onSlice  called after each slice with the number of slices so far; it may return a promise
	 */
	async prepareInSlices(mesh, options, onSlice, budget = 1) {
		const task = this.native.scope(() => this.native.create("rbl_begin_prepare", mesh,
			this.native.define("rbl_prepare_def", options)));
		try {
			for (let slices = 1, isReady = false; !isReady; ++slices) {
				isReady = this.native.scope(() => {
					const ready = this.native.scratch(1);
					this.native.call("rbl_task_work", task, budget, ready);
					return this.native.view.getUint8(ready) !== 0;
				});
				await onSlice?.(slices);
			}
		} catch (error) {
			this.native.exports.rbl_destroy_task(task);
			throw error;
		}
		return new Asset(this, this.native.create("rbl_finish_prepare", task));
	}

	/** An asset from the bytes of an .rbl file. */
	loadAsset(bytes) {
		const block = this.native.copyIn(bytes);
		try {
			return new Asset(this, this.native.create("rbl_asset_load", block, bytes.byteLength, null));
		} finally {
			this.native.exports.js_free(block);
		}
	}

	/**
	 * Break a closed mesh along the cells of a pattern, without a world.
	 * @returns meshes of the pieces
	 */
	fracture(mesh, pattern, options = {}) {
		const { native } = this, pieces = [];
		return native.scope(() => {
			const solid = native.create("rbl_create_solid", native.define("rbl_solid_def", { mesh }));
			let cut = 0;
			try {
				cut = native.create("rbl_create_pieces", native.define("rbl_pieces_def", { ...options, solid, pattern }));
				const count = native.call("rbl_pieces_count", cut);
				for (let i = 0; i < count; ++i)
					pieces.push(new Mesh(this, native.create("rbl_piece_create_mesh", cut, i, null)));
				return pieces;
			} catch (error) {
				pieces.forEach(piece => piece.dispose());
				throw error;
			} finally {
				native.exports.rbl_destroy_pieces(cut);
				native.exports.rbl_destroy_solid(solid);
			}
		});
	}

	// --- worlds -----------------------------------------------------------------------------------

	createWorld(options) {
		return this.#create(World, "rbl_create_world", () => this.native.define("rbl_world_def", options));
	}

	/** The world that was saved. @param sources  { assets, patterns, materials } that its bytes name */
	loadWorld(bytes, sources = {}) {
		const block = this.native.copyIn(bytes);
		try {
			return this.native.scope(() => new World(this, this.native.create("rbl_world_load", block, bytes.byteLength,
				this.native.define("rbl_world_def"), this.native.define("rbl_sources", sources))));
		} finally {
			this.native.exports.js_free(block);
		}
	}

	/** Play a recording back. */
	createReplay(bytes, sources = {}) {
		const block = this.native.copyIn(bytes);
		try {
			return this.native.scope(() => new Replay(this, this.native.create("rbl_create_replay", block, bytes.byteLength,
				this.native.define("rbl_world_def"), this.native.define("rbl_sources", sources)), block));
		} catch (error) {
			this.native.exports.js_free(block);
			throw error;
		}
	}

	/** A scene of docs/scenes.md: JSON as an object or text, and the files it names. */
	openScene(json, options) {
		return Scene.open(this, json, options);
	}

	/** Triangles that deform and are cut, for cloth and thin shells. */
	createSurface(options) {
		return this.#create(Surface, "rbl_create_surface", () => this.native.define("rbl_surface_def", options));
	}

	/** Say which materials of meshes have a texture, by their names: triangles to draw have the numbers of these then, from 1. */
	nameTextures(names) {
		this.native.call("js_name_textures", names.join("\n"));
	}

	/** Copies of the triangles that the module has made. */
	takeTriangles(pointer) {
		const { native } = this;
		native.check(pointer);
		const drawn = native.read(pointer, "js_triangles"), count = drawn.cornerCount;
		return {
			positions: native.array(Float32Array, drawn.positions, 3 * count).slice(),
			normals: native.array(Float32Array, drawn.normals, 3 * count).slice(),
			colors: native.array(Float32Array, drawn.colors, 4 * count).slice(),
			uvs: native.array(Float32Array, drawn.uvs, 2 * count).slice(),
			layers: native.array(Float32Array, drawn.layers, count).slice(),
			isHidden: drawn.isHidden,
		};
	}
}
