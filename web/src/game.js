// A run: the scene, what was done to it, and the states it can go back to. Nothing here draws.

import { constants } from "../../bindings/js/index.js";
import { applySettings, BALL, defaults } from "./settings.js";
import { round } from "./link.js";

const SNAPSHOT_STEPS = 30, SNAPSHOTS = 40;

export class Game {
	actions = []; // triggers with their times, in order
	snapshots = []; // { step, hash, state, actionCount }
	fractures = 0;
	cuts = 0; // of fractures, those by the knife

	/** @param files  bytes by name, of a dropped model */
	constructor(rubble, name, entry, settings, files = {}) {
		this.rubble = rubble;
		this.name = name;
		this.settings = { ...settings };
		this.files = files;
		this.json = applySettings(entry, settings);
		this.scene = rubble.openScene(this.json, { files });
		// What breaks anything of the scene as it is written: stronger materials withstand the tools.
		const energies = Object.values(entry.json.materials ?? {}).map(({ break_energy: energy, preset }) => energy ?? (preset ? 2000 : 0));
		if (settings.preset)
			energies.push(2000);
		this.tough = Math.max(0, ...energies) || 2000;
		this.hasCloth = this.scene.cloth !== null;
		this.#snapshot();
	}

	get world() { return this.scene.world; }
	get stepIndex() { return this.scene.stepIndex; }
	get hash() { return this.scene.hash; }

	/** The scene as a file, with everything that was done. */
	get file() {
		return { ...this.json, step_count: Math.max(1, this.stepIndex), triggers: [...(this.json.triggers ?? []), ...this.actions] };
	}

	/** What a link needs. */
	get run() {
		const { timeStep } = this.scene;
		return { scene: this.name, settings: this.settings, steps: this.stepIndex, hash: this.hash,
			actions: this.actions.map(({ time, ...action }) => [Math.round(time / timeStep), action]) };
	}

	step() {
		const begin = performance.now();
		this.scene.step();
		/** Of the last step: what cloth took beside the world. */
		this.clothMs = this.hasCloth ? Math.max(0, performance.now() - begin - this.world.stats.stepMs) : 0;
		const { events } = this.world;
		this.fractures += events.fractureCount;
		if (events.fractureCount > 0)
			this.cuts += events.fractures.filter(({ cause }) => cause === constants.FRACTURE_CUT).length;
		if (this.stepIndex % SNAPSHOT_STEPS === 0)
			this.#snapshot();
	}

	act(action) {
		this.actions.push(this.scene.act(Object.fromEntries(Object.entries(action).map(([key, value]) => [key, round(value)]))));
	}

	#snapshot() {
		this.snapshots.push({ step: this.stepIndex, hash: this.hash, state: this.scene.save(), actionCount: this.actions.length,
			fractures: this.fractures, cuts: this.cuts });
		if (this.snapshots.length > SNAPSHOTS) // every other one of the older half
			for (const [old] of [this.snapshots.splice(1, 1)])
				old.state.dispose();
	}

	/** Go back to the last state that is at least some steps old. @returns its step */
	rewind(steps = SNAPSHOT_STEPS) {
		while (this.snapshots.length > 1 && this.snapshots.at(-1).step > this.stepIndex - steps)
			this.snapshots.pop().state.dispose();
		const to = this.snapshots.at(-1);
		this.scene.restore(to.state);
		this.actions.length = to.actionCount;
		this.fractures = to.fractures;
		this.cuts = to.cuts;
		return to.step;
	}

	/** Run it once more from the start, for a film or a recording. */
	async again(options, onStep) {
		const scene = this.rubble.openScene(this.file, { files: this.files, ...options }), steps = this.stepIndex;
		try {
			for (let i = 0; i < steps; ++i) {
				scene.step();
				if (i % 10 === 9)
					await onStep(i / steps);
			}
			if (scene.hash !== this.hash)
				throw new Error("the run did not repeat: please tell us");
			return options.film ? scene.film() : scene.recording();
		} finally {
			scene.dispose();
		}
	}

	/** What a tool does at a ray. @returns what was hit, or null */
	use(tool, from, direction, power) {
		const reach = 500, translation = direction.map(value => reach * value);
		const hit = this.world.castRay(from, translation), { size } = this.settings;
		const { tough } = this, soft = Math.min(1, size / defaults.size) ** 2; // small balls are for small scenes
		const at = hit ? [hit.point.x, hit.point.y, hit.point.z] : null;
		if (tool === "throw") {
			// Fast enough to be there within the second, and upwards by what it will fall.
			const start = from.map((value, k) => value + 0.5 * direction[k]), distance = hit ? 500 * hit.fraction : 20;
			const speed = Math.min(300, Math.max(14, 1.3 * distance) * power), fall = 0.5 * this.settings.gravity * distance / speed;
			this.act({ action: "throw", model: BALL, material: BALL, position: start,
				velocity: direction.map((value, k) => speed * value + (k === 1 ? fall : 0)) });
		} else if (tool === "shoot") {
			this.act({ action: "damage", shape: "ray", position: from, translation, energy: 3 * tough * power, impulse: 6 * power * soft, radius: Math.max(0.02, 0.6 * size) });
		} else if (tool === "hammer" && at) {
			this.act({ action: "damage", shape: "sphere", position: at, energy: 6 * tough * power, impulse: 40 * power * soft, radius: Math.max(0.02, size) });
		} else if (tool === "explode" && at) {
			this.act({ action: "explode", position: at.map((value, k) => value - 0.1 * direction[k]), radius: Math.max(0.1, 4 * size), falloff: Math.max(0.1, 3 * size),
				energy: 5 * tough * power, impulse: 500 * power });
		} else if (tool === "grab" && at) {
			this.act({ action: "grab", position: from, translation });
		}
		return hit;
	}

	/** Cut with a blade from the eye, turned from one direction to another. @param what  "cut", cloth, or "slice", bodies */
	cut(what, from, direction, next, reach) {
		if (what === "slice" || this.hasCloth)
			this.act({ action: what, position: from, translation: direction.map(value => reach * value), sweep: next.map(value => reach * value) });
	}

	/** How much was cut so far: bodies, and particles of cloth that became two. */
	get cutCount() {
		return this.cuts + (this.hasCloth ? this.scene.cloth.sheets.length : 0);
	}

	dispose() {
		this.snapshots.forEach(({ state }) => state.dispose());
		this.scene.dispose();
	}
}
