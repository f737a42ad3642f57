// Scenes of `rubble run`: the same reader and the same step, so that states have the same bits.

import { Thing } from "./thing.js";
import { World } from "./world.js";

const FILM = 1, RECORDING = 2;

/** A state of a scene that it can go back to. */
class SceneSnapshot extends Thing {
	static destructor = "js_destroy_snapshot";

	/** In bytes. */
	get size() {
		return this.native.exports.js_snapshot_size(this.pointer);
	}
}

/** A scene file that runs. */
export class Scene extends Thing {
	static destructor = "js_close_scene";
	#world = null;
	#clothColors = null;

	/**
	 * @param json           the scene, as an object or as text
	 * @param options.files  bytes by name, of the files that models name
	 * @param options.film   whether film() is wanted; it takes memory
	 * @param options.isRecorded  whether recording() is wanted
	 */
	static open(rubble, json, { files = {}, film = false, isRecorded = false, name = "scene.json" } = {}) {
		const { native } = rubble;
		for (const [file, bytes] of Object.entries(files))
			rubble.files.write(file, bytes);
		rubble.files.write(name, typeof json === "string" ? json : JSON.stringify(json));
		try {
			const flags = (film ? FILM : 0) | (isRecorded ? RECORDING : 0);
			return native.scope(() => new Scene(rubble,
				native.check(native.exports.js_open_scene(native.address("text", name), flags))));
		} finally {
			rubble.files.remove(name);
			for (const file of Object.keys(files))
				rubble.files.remove(file);
		}
	}

	/** Its world, which goes with the scene. Do not step it: the scene does. */
	get world() {
		const pointer = this.native.exports.js_scene_world(this.pointer);
		if (this.#world?.pointer !== pointer) {
			this.#world?.dispose();
			this.#world = new World(this.rubble, pointer);
			this.#world.isOwned = false;
		}
		return this.#world;
	}

	/** Seconds of a step. */
	get timeStep() { return this.native.exports.js_scene_time_step(this.pointer); }
	/** Steps that the file asks for. */
	get stepCount() { return this.native.exports.js_scene_step_count(this.pointer); }
	/** Steps that were made. */
	get stepIndex() { return this.native.exports.js_scene_step_index(this.pointer); }
	/** The state, cloth included: what `rubble run` prints. */
	get hash() { return BigInt.asUintN(64, this.native.exports.js_scene_hash(this.pointer)).toString(16).padStart(16, "0"); }
	/** Whether something is grabbed. */
	get isHolding() { return this.native.exports.js_scene_is_holding(this.pointer) !== 0; }

	step() {
		const result = this.native.exports.js_scene_step(this.pointer);
		if (result !== 0)
			this.native.fail(result);
		this.world.afterStep();
	}

	/**
	 * Do something in the next step: a trigger of docs/scenes.md, such as { action: "explode", position: [0, 1, 0] }.
	 * @returns the trigger with its time: in the scene file it does the same again
	 */
	act(action) {
		const { native } = this, trigger = { ...action, time: this.stepIndex * this.timeStep };
		const bytes = new TextEncoder().encode(JSON.stringify(trigger));
		native.scope(() => {
			if (native.exports.js_scene_add_trigger(this.pointer, native.address("*", bytes), bytes.length) !== 0)
				native.fail();
		});
		return trigger;
	}

	/** What a body looks like, in the colors of its material. */
	triangles(id) {
		return this.native.scope(() => {
			const pointer = this.native.scratch(8);
			this.native.write(pointer, "rbl_body_id", { index: id.index, generation: id.generation });
			return this.rubble.takeTriangles(this.native.exports.js_scene_triangles(this.pointer, pointer));
		});
	}

	/**
	 * Its sheets of cloth, null for none: views into the module's memory, good until the next call. Three numbers for each
	 * particle `now` and `before` the last step, its sheet, three particles for each triangle; colors of sheets.
	 */
	get cloth() {
		const { native } = this, pointer = native.exports.js_scene_cloth(this.pointer);
		if (pointer === 0)
			return null;
		const cloth = native.read(pointer, "js_cloth");
		this.#clothColors ??= Float32Array.from({ length: 3 * cloth.sheetCount },
			(_, i) => native.exports.js_scene_cloth_color(this.pointer, Math.floor(i / 3), i % 3));
		return {
			now: native.array(Float32Array, cloth.positions, 3 * cloth.particleCount),
			before: native.array(Float32Array, cloth.starts, 3 * cloth.particleCount),
			sheets: native.array(Int32Array, cloth.sheets, cloth.particleCount),
			triangles: native.array(Int32Array, cloth.triangles, 3 * cloth.triangleCount),
			colors: this.#clothColors,
		};
	}

	/** The state now, to go back to. */
	save() {
		return new SceneSnapshot(this.rubble, this.native.check(this.native.exports.js_scene_save(this.pointer)));
	}

	/** Go back to a state of this scene. What was done since is forgotten. */
	restore(snapshot) {
		if (this.native.exports.js_scene_restore(this.pointer, snapshot.pointer) !== 0)
			this.native.fail();
		this.world.refreshPoses();
	}

	/** All steps so far as the bytes of an animated .glb file. */
	film() {
		return this.native.takeBytes(this.native.exports.js_scene_film(this.pointer));
	}

	/** All calls so far as the bytes of a recording (.rblr), for `rubble replay`; it ends. */
	recording() {
		return this.native.takeBytes(this.native.exports.js_scene_recording(this.pointer));
	}

	dispose() {
		if (this.pointer === 0)
			return;
		this.#world?.dispose();
		super.dispose();
	}
}
