// Every scene of scenes/, with actions on top, ends in the state that the program prints. RBL_SOAK=1 makes 600 steps
// of each; otherwise as many as take a moment.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { test } from "node:test";

const { loadRubble } = await import(`${process.env.RUBBLE_JS}/index.js`);
const program = process.env.RUBBLE_PROGRAM, steps = process.env.RBL_SOAK ? 600 : 40;
const scenes = new URL("../../../scenes/", import.meta.url);
const names = readdirSync(scenes).filter(name => name.endsWith(".json") && name !== "schema.json")
	.filter(name => !process.env.SCENE || name === `${process.env.SCENE}.json`);

// What a player does: where, in steps.
const ACTIONS = [
	[2, { action: "throw", model: "test ball", material: "test ball", position: [0.3, 1.5, 4], velocity: [0, 1, -12] }],
	[6, { action: "damage", shape: "ray", position: [0.5, 0.6, 5], translation: [0, 0, -10], energy: 5000, impulse: 20, radius: 0.5 }],
	[9, { action: "grab", position: [0.1, 0.4, 6], translation: [0, 0, -12] }],
	[12, { action: "drag", position: [0.4, 1.4, 2] }],
	[15, { action: "cut", position: [0, 1.5, 8], translation: [-4, 0, -16], sweep: [4, 1, -16] }],
	[18, { action: "slice", position: [0.3, 2, 8], translation: [-4, -1, -16], sweep: [3, -2, -16] }],
	[20, { action: "explode", position: [0.2, 0.5, 0.3], radius: 1.5, impulse: 300, energy: 2000 }],
	[26, { action: "release" }],
];

test("there are scenes, and a program to compare with", { skip: !program }, () => {
	assert.ok(names.length >= (process.env.SCENE ? 1 : 15));
	assert.ok(existsSync(program));
});

for (const name of names)
	test(`${name} has the bits of the program`, { skip: !program && "no program" }, async () => {
		const rubble = await loadRubble();
		const json = JSON.parse(readFileSync(new URL(name, scenes), "utf8"));
		json.models["test ball"] = { sphere: 0.2 };
		json.materials["test ball"] = { density: 3000 };
		const named = Object.values(json.models).map(model => model.file).filter(file => file);
		const files = Object.fromEntries(named.map(file => [file, readFileSync(new URL(file, scenes))]));
		const scene = rubble.openScene(json, { files }), done = [];
		for (let i = 0; i < steps; ++i) {
			for (const [step, action] of ACTIONS)
				if (step === i)
					done.push(scene.act(action));
			scene.step();
		}
		const { hash } = scene;
		scene.dispose();
		const folder = mkdtempSync(`${tmpdir()}/rubble-`);
		try {
			for (const [file, bytes] of Object.entries(files))
				writeFileSync(`${folder}/${file}`, bytes);
			writeFileSync(`${folder}/scene.json`, JSON.stringify({ ...json, triggers: [...(json.triggers ?? []), ...done] }));
			const text = execFileSync(program, ["run", `${folder}/scene.json`, "-o", `${folder}/film.glb`, "--steps", steps,
				"--json", `${folder}/run.json`], { encoding: "utf8" });
			assert.ok(text.includes("state"));
			assert.equal(hash, JSON.parse(readFileSync(`${folder}/run.json`, "utf8")).state);
		} finally {
			rmSync(folder, { recursive: true });
		}
	});

// Bricks are parts without meshes: their faces are cuts.
test("bricks of a house have texture coordinates in metres", async () => {
	const rubble = await loadRubble();
	const scene = rubble.openScene(JSON.parse(readFileSync(new URL("house.json", scenes), "utf8")));
	scene.step(); // the ball is thrown in
	const whole = new Set(scene.world.bodies.map(id => id.index));
	for (let i = 0; i < 45; ++i)
		scene.step();
	let edges = 0;
	for (const id of scene.world.bodies) {
		const { positions: p, uvs } = scene.triangles(id);
		assert.equal(uvs.length / 2, p.length / 3);
		if (whole.has(id.index) || p.length === 0)
			continue;
		for (let c = 0; c < p.length / 3; ++c, ++edges) {
			const next = c % 3 === 2 ? c - 2 : c + 1;
			const length = Math.hypot(...[0, 1, 2].map(k => p[3 * c + k] - p[3 * next + k]));
			const drawn = Math.hypot(uvs[2 * c] - uvs[2 * next], uvs[2 * c + 1] - uvs[2 * next + 1]);
			assert.ok(Math.abs(length - drawn) < 1e-4);
		}
	}
	assert.ok(edges > 1000);
	scene.dispose();
});
