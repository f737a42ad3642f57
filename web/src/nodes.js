// Nodes by hand: the decomposition of a dropped model follows its nodes, which can be placed, moved and removed. It is
// prepared again after each change, with the parts that did not change taken from the last one.

import * as three from "three";
import { readModel } from "./prepare.js";

const PIXELS = 14; // how near a pointer must be to a node

export class NodeEditor {
	selected = -1;
	report = null;
	milliseconds = 0;
	#asset = null;

	/** @param own  the dropped model: its file, its nodes and where it stands */
	constructor(rubble, stage, own) {
		this.rubble = rubble;
		this.stage = stage;
		this.height = own.height;
		this.mesh = readModel(rubble, own.source.bytes, own.source.name).mesh;
		this.nodes = Array.from(own.nodes);
		this.group = new three.Group();
		this.group.position.fromArray(own.position);
		this.solid = new three.Mesh(new three.BufferGeometry(), new three.MeshStandardMaterial({ vertexColors: true, roughness: 0.8, side: three.DoubleSide }));
		this.solid.castShadow = this.solid.receiveShadow = true;
		this.dots = new three.Points(new three.BufferGeometry(), new three.PointsMaterial({ vertexColors: true, size: 11, sizeAttenuation: false, depthTest: false }));
		this.dots.renderOrder = 3;
		this.dots.frustumCulled = false;
		this.group.add(this.solid, this.dots);
		stage.scene.add(this.group);
		this.#prepare();
	}

	get count() {
		return this.nodes.length / 3;
	}

	node(index) {
		return new three.Vector3().fromArray(this.nodes, 3 * index);
	}

	/** Prepare and draw what the nodes say now. Where that fails, nodes stay as they were before. */
	#prepare(before = null) {
		const begin = performance.now();
		let asset;
		try {
			const isSameCount = this.#asset && before && before.length === this.nodes.length;
			asset = this.rubble.prepare(this.mesh, { nodes: Float64Array.from(this.nodes), nodeCount: this.count,
				...(isSameCount ? { previous: this.#asset } : {}) });
		} catch (error) {
			if (before)
				this.nodes = before;
			throw error;
		}
		this.#asset?.dispose();
		this.#asset = asset;
		this.report = asset.report;
		const { positions, normals, colors } = asset.triangles(), { geometry } = this.solid;
		this.milliseconds = performance.now() - begin;
		geometry.dispose();
		geometry.setAttribute("position", new three.BufferAttribute(positions, 3));
		geometry.setAttribute("normal", new three.BufferAttribute(normals, 3));
		geometry.setAttribute("color", new three.BufferAttribute(Float32Array.from({ length: positions.length },
			(_, i) => colors[4 * Math.floor(i / 3) + i % 3]), 3));
		geometry.computeBoundingSphere();
		this.#drawDots();
	}

	#drawDots() {
		const { geometry } = this.dots;
		geometry.dispose();
		geometry.setAttribute("position", new three.BufferAttribute(Float32Array.from(this.nodes), 3));
		geometry.setAttribute("color", new three.BufferAttribute(Float32Array.from({ length: this.nodes.length },
			(_, i) => Math.floor(i / 3) === this.selected ? [1, 0.35, 0.05][i % 3] : [1, 1, 1][i % 3]), 3));
	}

	select(index) {
		this.selected = index >= 0 && index < this.count ? index : -1;
		this.#drawDots();
	}

	/** The node at a point of the canvas, -1 to 1; -1 where there is none. */
	find(x, y) {
		const { camera, canvas } = this.stage, place = new three.Vector3();
		let best = -1, nearest = PIXELS;
		for (let i = 0; i < this.count; ++i) {
			place.copy(this.node(i)).add(this.group.position).project(camera);
			const distance = Math.hypot(0.5 * canvas.clientWidth * (place.x - x), 0.5 * canvas.clientHeight * (place.y - y));
			if (distance < nearest)
				nearest = distance, best = i;
		}
		return best;
	}

	/** Add a node inside the model under a point of the canvas. @returns its index, -1 where there is no model */
	add(x, y) {
		const { from, direction } = this.stage.ray(x, y), caster = new three.Raycaster(from, direction);
		this.group.updateMatrixWorld();
		const hits = caster.intersectObject(this.solid);
		if (hits.length === 0)
			return -1;
		// In the middle of what the ray goes through, but no deeper than a quarter of the model.
		const depth = Math.min(0.25 * this.height, hits.length > 1 ? 0.5 * (hits.at(-1).distance - hits[0].distance) : 0.05 * this.height);
		return this.insert(hits[0].point.addScaledVector(direction, depth).sub(this.group.position));
	}

	/** Add a node at a place in the model's own coordinates. */
	insert({ x, y, z }) {
		const before = this.nodes;
		this.nodes = [...before, x, y, z];
		this.selected = this.count - 1;
		this.#prepare(before);
		return this.count - 1;
	}

	/** Move a node below a point of the canvas, as far from the camera as it is. */
	drag(index, x, y) {
		const { camera } = this.stage, { from, direction } = this.stage.ray(x, y);
		const ahead = camera.getWorldDirection(new three.Vector3());
		const distance = this.node(index).add(this.group.position).sub(from).dot(ahead) / direction.dot(ahead);
		this.move(index, from.clone().addScaledVector(direction, distance).sub(this.group.position));
	}

	move(index, { x, y, z }) {
		const before = this.nodes;
		this.nodes = before.slice();
		[this.nodes[3 * index], this.nodes[3 * index + 1], this.nodes[3 * index + 2]] = [x, y, z];
		this.#prepare(before);
	}

	/** Take a node away; the last one stays. */
	remove(index) {
		if (this.count <= 1 || index < 0 || index >= this.count)
			return false;
		const before = this.nodes;
		this.nodes = before.filter((_, i) => Math.floor(i / 3) !== index);
		this.selected = Math.min(this.selected, this.count - 1);
		this.#prepare(before);
		return true;
	}

	/** The asset as the bytes of an .rbl file. */
	save() {
		return this.#asset.save();
	}

	dispose() {
		this.stage.scene.remove(this.group);
		for (const { geometry, material } of [this.solid, this.dots])
			geometry.dispose(), material.dispose();
		this.#asset?.dispose();
		this.mesh.dispose();
	}
}
