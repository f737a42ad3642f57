// A world of Rubble in three.js: every body an instance of one BatchedMesh, so that any number of fragments is one draw
// call. Fragments appear and vanish by themselves; between two steps they are drawn where they are on the way.
//
//     const view = new WorldView(scene);      // a Scene, or { world, triangles(id) }
//     threeScene.add(view);
//     scene.step(); view.step();              // in every step
//     view.update(alpha);                     // in every frame; 0: the step before, 1: the last one

import { BatchedMesh, BufferAttribute, BufferGeometry, Color, DoubleSide, Group, Matrix4, Mesh, MeshStandardMaterial } from "three";

import { constants } from "./api.js";

const WORDS = 8; // of a pose

/** What cut faces look like: rougher, and spotted in the body's own coordinates. Outer faces have textures where there are. */
function showCuts(material, textures) {
	material.customProgramCacheKey = () => textures ? "cuts and pictures" : "cuts";
	material.onBeforeCompile = shader => {
		if (textures) {
			shader.uniforms.pictures = { value: textures };
			shader.vertexShader = shader.vertexShader
				.replace("#include <common>", "#include <common>\nattribute float layer;\nvarying vec3 vPicture;")
				.replace("#include <begin_vertex>", "#include <begin_vertex>\nvPicture = vec3(uv, layer);");
			shader.fragmentShader = shader.fragmentShader
				.replace("#include <common>", "#include <common>\nuniform highp sampler2DArray pictures;\nvarying vec3 vPicture;")
				.replace("#include <color_fragment>", `#include <color_fragment>
				vec3 painted = texture(pictures, vec3(vPicture.xy, max(vPicture.z - 1.0, 0.0))).rgb;
				diffuseColor.rgb *= vPicture.z > 0.5 ? painted : vec3(1.0);`);
		}
		shader.vertexShader = shader.vertexShader
			.replace("#include <common>", "#include <common>\nvarying vec3 vLocal;")
			.replace("#include <begin_vertex>", "#include <begin_vertex>\nvLocal = position;");
		shader.fragmentShader = shader.fragmentShader
			.replace("#include <common>", `#include <common>
				varying vec3 vLocal;
				float spot(vec3 p) { return fract(sin(dot(floor(p), vec3(12.9898, 78.233, 37.719))) * 43758.5453); }
				float spots(vec3 p) { return 0.5 * spot(p * 14.0) + 0.3 * spot(p * 31.0) + 0.2 * spot(p * 67.0); }`)
			.replace("#include <color_fragment>", `#include <color_fragment>
				float cut = vColor.a;
				diffuseColor.rgb *= mix(0.94 + 0.12 * spot(vLocal * 3.0), 0.62 + 0.5 * spots(vLocal), cut);`)
			.replace("#include <roughnessmap_fragment>", "#include <roughnessmap_fragment>\nroughnessFactor = mix(roughnessFactor, 1.0, vColor.a);");
	};
	return material;
}

/**
 * The material that bodies are drawn with, unless another is given.
 * @param textures  a DataArrayTexture with a layer for each name of Rubble.nameTextures(), for a view that was told so
 */
export function createMaterial({ textures = null, ...options } = {}) {
	return showCuts(new MeshStandardMaterial({ vertexColors: true, roughness: 0.82, metalness: 0, ...options }), textures);
}

/** The sheets of cloth of a scene as one mesh, which follows tears and cuts. */
export class ClothView extends Mesh {
	#triangles = -1;
	#particles = -1;

	/** @param scene  a Scene that has cloth */
	constructor(scene, { material = new MeshStandardMaterial({ vertexColors: true, roughness: 0.9, side: DoubleSide }) } = {}) {
		super(new BufferGeometry(), material);
		this.scene = scene;
		this.castShadow = this.receiveShadow = true;
		this.frustumCulled = false;
		this.update();
	}

	/** Room for what there is. Tears and cuts add particles. */
	#reserve({ now, sheets, triangles, colors }) {
		const { geometry } = this, old = geometry.getAttribute("position")?.count ?? 0;
		if (old < sheets.length || (geometry.index?.count ?? 0) < triangles.length) {
			const room = Math.ceil(1.5 * sheets.length);
			geometry.dispose();
			for (const name of ["position", "normal", "color"])
				geometry.setAttribute(name, new BufferAttribute(new Float32Array(3 * room), 3));
			geometry.setIndex(new BufferAttribute(new Uint32Array(Math.ceil(1.5 * triangles.length)), 1));
		}
		const color = geometry.getAttribute("color");
		for (let i = 0; i < now.length; ++i)
			color.array[i] = colors[3 * sheets[(i - i % 3) / 3] + i % 3];
		color.needsUpdate = true;
	}

	/** After each step or cut. @param alpha  as in WorldView.update() */
	update(alpha = 1) {
		const { cloth } = this.scene, { geometry } = this;
		if (!cloth)
			return;
		const { now, before, triangles } = cloth;
		if (this.#triangles !== triangles.length || this.#particles !== now.length)
			this.#reserve(cloth);
		this.#triangles = triangles.length, this.#particles = now.length;
		const { array: p } = geometry.getAttribute("position"), { array: n } = geometry.getAttribute("normal");
		for (let i = 0; i < now.length; ++i)
			p[i] = alpha * now[i] + (1 - alpha) * before[i], n[i] = 0;
		for (let i = 0; i < triangles.length; i += 3) {
			const a = 3 * triangles[i], b = 3 * triangles[i + 1], c = 3 * triangles[i + 2];
			const ux = p[b] - p[a], uy = p[b + 1] - p[a + 1], uz = p[b + 2] - p[a + 2];
			const vx = p[c] - p[a], vy = p[c + 1] - p[a + 1], vz = p[c + 2] - p[a + 2];
			const x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx; // twice the area long
			n[a] += x, n[a + 1] += y, n[a + 2] += z;
			n[b] += x, n[b + 1] += y, n[b + 2] += z;
			n[c] += x, n[c + 1] += y, n[c + 2] += z;
		}
		for (let i = 0; i < now.length; i += 3) {
			const length = Math.sqrt(n[i] * n[i] + n[i + 1] * n[i + 1] + n[i + 2] * n[i + 2]) || 1;
			n[i] /= length, n[i + 1] /= length, n[i + 2] /= length;
		}
		geometry.index.array.set(triangles);
		geometry.setDrawRange(0, triangles.length);
		geometry.index.needsUpdate = geometry.getAttribute("position").needsUpdate = geometry.getAttribute("normal").needsUpdate = true;
	}

	dispose() {
		this.geometry.dispose();
		this.material.dispose();
	}
}

export class WorldView extends Group {
	#entries = new Map(); // by body index
	#baked = new Map(); // by host and part
	#chips = new Map(); // geometry ids by kind and variant
	#moving = new Set();
	#instances = 0;
	#first = new Map(); // triangles of bodies that were there from the start
	#matrix = new Matrix4();

	/**
	 * @param source  a Scene, or { world, triangles(id) }
	 * @param options.material     in place of createMaterial()
	 * @param options.hasTextures  whether the material has some
	 */
	constructor(source, { material = createMaterial(), instances = 1024, corners = 1 << 17, hasTextures = false } = {}) {
		super();
		this.source = source;
		this.hasTextures = hasTextures;
		// Buffers that grow are made anew and filled again: begin with room for what is there.
		for (const { index, generation } of source.world.bodies) {
			const triangles = source.triangles({ index, generation });
			this.#first.set(index, triangles);
			corners += triangles.positions.length / 3;
		}
		instances = Math.max(instances, 2 * this.#first.size);
		this.mesh = new BatchedMesh(instances, corners, 0, material);
		this.mesh.sortObjects = this.mesh.perObjectFrustumCulled = this.mesh.frustumCulled = false;
		this.mesh.castShadow = this.mesh.receiveShadow = true;
		this.add(this.mesh);
		/** Its cloth, null for none. */
		this.cloth = source.cloth ? new ClothView(source) : null;
		if (this.cloth)
			this.add(this.cloth);
		this.corners = { used: 0, capacity: corners };
		this.sync();
		this.#first.clear();
	}

	get world() {
		return this.source.world;
	}

	/** Bodies that are drawn. */
	get count() {
		return this.#entries.size + this.#baked.size;
	}

	// --- births and deaths ------------------------------------------------------------------------

	#geometry(triangles) {
		const count = triangles.positions.length / 3, { corners } = this;
		if (corners.used + count > corners.capacity) {
			this.mesh.optimize();
			const capacity = Math.max(2 * corners.capacity, 2 * (this.#liveCorners() + count));
			this.mesh.setGeometrySize(capacity, 0);
			corners.capacity = capacity;
			corners.used = this.#liveCorners();
		}
		corners.used += count;
		const geometry = new BufferGeometry();
		geometry.setAttribute("position", new BufferAttribute(triangles.positions, 3));
		geometry.setAttribute("normal", new BufferAttribute(triangles.normals, 3));
		geometry.setAttribute("color", new BufferAttribute(triangles.colors, 4));
		geometry.setAttribute("uv", new BufferAttribute(triangles.uvs, 2));
		if (this.hasTextures)
			geometry.setAttribute("layer", new BufferAttribute(triangles.layers, 1));
		const id = this.mesh.addGeometry(geometry);
		geometry.dispose();
		return { id, count };
	}

	#liveCorners() {
		let sum = 0;
		for (const entry of [...this.#entries.values(), ...this.#baked.values()])
			sum += entry.isShared ? 0 : entry.corners;
		for (const chip of this.#chips.values())
			sum += chip.count;
		return sum;
	}

	#instance(geometry) {
		if (this.#instances + 1 > this.mesh.maxInstanceCount)
			this.mesh.setInstanceCount(2 * this.mesh.maxInstanceCount);
		this.#instances++;
		return this.mesh.addInstance(geometry);
	}

	#addBody(index, generation, chip) {
		const entry = { index, generation, instance: -1, geometry: -1, corners: 0, scale: 1, isShared: false };
		this.#entries.set(index, entry);
		if (chip) {
			const key = `${chip.kind} ${chip.variant}`;
			if (!this.#chips.has(key))
				this.#chips.set(key, this.#geometry(this.#chipTriangles(chip)));
			entry.isShared = true, entry.scale = chip.radius, entry.geometry = this.#chips.get(key).id;
			entry.instance = this.#instance(entry.geometry);
		} else {
			const triangles = this.#first.get(index) ?? this.source.triangles(entry);
			if (triangles.isHidden || triangles.positions.length === 0)
				return;
			const { id, count } = this.#geometry(triangles);
			entry.geometry = id, entry.corners = count;
			entry.instance = this.#instance(id);
		}
		this.#place(entry, 1, this.#poses);
	}

	#chipTriangles(chip) {
		const { rubble } = this.world;
		return rubble.takeTriangles(rubble.native.exports.js_chip_triangles(chip.kind, chip.variant));
	}

	#remove(entry) {
		if (entry.instance >= 0) {
			this.mesh.deleteInstance(entry.instance);
			this.#instances--;
			if (!entry.isShared)
				this.mesh.deleteGeometry(entry.geometry);
		}
		this.#moving.delete(entry);
	}

	#retire(events) {
		for (const event of events.retires) {
			const key = `${event.host.index} ${event.host.generation} ${event.part}`;
			if (event.what === constants.RETIRED_BAKED) { // it stays where it is
				const entry = this.#entries.get(event.body.index);
				if (entry?.generation === event.body.generation) {
					this.#entries.delete(event.body.index);
					this.#moving.delete(entry);
					this.#baked.set(key, entry);
				}
			} else if (event.what === constants.RETIRED_RELEASED && this.#baked.has(key)) {
				const entry = this.#baked.get(key);
				this.#baked.delete(key);
				entry.index = event.body.index, entry.generation = event.body.generation;
				this.#entries.set(entry.index, entry);
			}
		}
	}

	/** Compare with the bodies that there are: after bodies were made or destroyed by calls, and after a snapshot. */
	sync(broken = new Set(), chips = new Map()) {
		const words = this.world.bodyWords, seen = new Set();
		this.#poses = this.world.poses;
		for (let i = 0; i < words.length; i += 2)
			seen.add(words[i]);
		for (const [index, entry] of this.#entries)
			if (!seen.has(index))
				this.#remove(entry), this.#entries.delete(index);
		const pairs = Array.from(words); // adding bodies may move the module's memory
		for (let i = 0; i < pairs.length; i += 2) {
			const entry = this.#entries.get(pairs[i]);
			if (entry?.generation === pairs[i + 1] && !broken.has(pairs[i]))
				continue;
			if (entry)
				this.#remove(entry);
			this.#addBody(pairs[i], pairs[i + 1], chips.get(pairs[i]));
			this.#poses = this.world.poses;
		}
		for (const entry of this.#entries.values())
			this.#moving.add(entry);
	}

	/** Begin anew with what is there: after a scene went back to a snapshot. */
	reset() {
		for (const entry of [...this.#entries.values(), ...this.#baked.values()])
			this.#remove(entry);
		this.#entries.clear(), this.#baked.clear(), this.#moving.clear();
		this.sync();
	}

	/** After each step of the world. */
	step() {
		const { world } = this, { events } = world;
		const isChanged = events.fractureCount > 0 || events.retireCount > 0 || world.bodyCount !== this.#entries.size;
		for (const entry of this.#moving) { // what moved in the last step is placed once more, where it came to rest
			if (!entry.isMoving || entry.instance < 0)
				this.#moving.delete(entry);
			entry.isMoving = false;
		}
		if (isChanged) {
			const broken = new Set(), chips = new Map();
			for (const event of events.fractures) {
				if (event.survives)
					broken.add(event.parent.index);
				for (const chip of event.chips)
					chips.set(chip.body.index, chip);
			}
			this.#retire(events);
			this.sync(broken, chips);
		}
		const { count, stride, words } = world.moves;
		for (let i = 0; i < count; ++i) {
			const entry = this.#entries.get(words[i * stride]);
			if (entry && entry.instance >= 0)
				entry.isMoving = true, this.#moving.add(entry);
		}
	}

	// --- frames -----------------------------------------------------------------------------------

	#poses = null;

	/** Place everything that moves. @param alpha  0: where it was before the last step, 1: where it is */
	update(alpha = 1) {
		this.#poses = this.world.poses;
		for (const entry of this.#moving)
			if (entry.instance >= 0)
				this.#place(entry, alpha, this.#poses);
		this.cloth?.update(alpha);
	}

	#place(entry, alpha, { now, before }) {
		if (entry.instance < 0)
			return;
		const at = WORDS * entry.index, beta = 1 - alpha, s = entry.scale, e = this.#matrix.elements;
		let x = now[at + 4], y = now[at + 5], z = now[at + 6], w = now[at + 7];
		const bx = before[at + 4], by = before[at + 5], bz = before[at + 6], bw = before[at + 7];
		const sign = x * bx + y * by + z * bz + w * bw < 0 ? -beta : beta;
		x = alpha * x + sign * bx, y = alpha * y + sign * by, z = alpha * z + sign * bz, w = alpha * w + sign * bw;
		const length = 1 / (Math.sqrt(x * x + y * y + z * z + w * w) || 1);
		x *= length, y *= length, z *= length, w *= length;
		e[0] = s * (1 - 2 * (y * y + z * z)), e[1] = s * 2 * (x * y + z * w), e[2] = s * 2 * (x * z - y * w);
		e[4] = s * 2 * (x * y - z * w), e[5] = s * (1 - 2 * (x * x + z * z)), e[6] = s * 2 * (y * z + x * w);
		e[8] = s * 2 * (x * z + y * w), e[9] = s * 2 * (y * z - x * w), e[10] = s * (1 - 2 * (x * x + y * y));
		for (let k = 0; k < 3; ++k)
			e[12 + k] = alpha * now[at + k] + beta * before[at + k];
		e[3] = e[7] = e[11] = 0, e[15] = 1;
		this.mesh.setMatrixAt(entry.instance, this.#matrix);
	}

	/** Tint bodies: a function from body index to a color, or null for their own. */
	tint(colorOf) {
		const white = new Color(1, 1, 1);
		for (const entry of this.#entries.values())
			if (entry.instance >= 0)
				this.mesh.setColorAt(entry.instance, colorOf?.(entry.index) ?? white);
	}

	dispose() {
		this.mesh.dispose();
		this.mesh.material.dispose();
		this.cloth?.dispose();
	}
}
