// The package in node: what it makes, what it refuses, what it leaves behind.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Worker } from "node:worker_threads";

const folder = process.env.RUBBLE_JS;
const { loadRubble, constants, RubbleError, isSupported } = await import(`${folder}/index.js`);
const rubble = await loadRubble();

function brittle(cellCount = 20) {
	const pattern = rubble.createPattern({ cellCount });
	const material = rubble.createMaterial({
		values: { density: 2000 }, damage: { levels: [{ energy: 1, pattern, radius: 1 }] }, name: "brittle",
	});
	pattern.dispose();
	return material;
}

function worldWithBox() {
	const world = rubble.createWorld({ gravity: [0, -9.81, 0] });
	const ground = rubble.createCollider(constants.COLLIDER_BOX, { halfSize: [10, 0.5, 10] });
	const mesh = rubble.createBoxMesh(), asset = rubble.prepare(mesh), material = brittle();
	world.createBody({ kind: constants.BODY_STATIC, collider: ground, pose: { position: [0, -0.5, 0] } });
	const box = world.createBody({ asset, sharedMaterial: material, pose: { position: [0, 3, 0] } });
	return { world, box, asset, material, made: [world, ground, mesh, asset, material] };
}

test("a box falls, breaks and is seen in events, poses and rays", () => {
	const { world, made } = worldWithBox();
	let pieces = 0;
	for (let i = 0; i < 90; ++i) {
		world.step(1 / 60);
		for (const broken of world.events.fractures)
			pieces += broken.newBodies.length;
	}
	assert.ok(pieces > 5);
	assert.equal(world.bodyCount, world.bodies.length);
	const { now } = world.poses;
	for (const id of world.bodies) {
		const { position, rotation } = world.body(id).pose;
		assert.deepEqual([...now.subarray(8 * id.index, 8 * id.index + 3)], [position.x, position.y, position.z]);
		assert.deepEqual([...now.subarray(8 * id.index + 4, 8 * id.index + 8)], [rotation.x, rotation.y, rotation.z, rotation.w]);
	}
	const hit = world.castRay([0, 5, 0], [0, -10, 0]);
	assert.ok(hit && hit.normal.y > 0);
	assert.equal(world.castRay([50, 5, 0], [0, -10, 0]), null);
	assert.ok(world.contacts.length > 0);
	assert.ok(world.lines(constants.DRAW_BOXES).positions.length > 0);
	const triangles = world.body(world.bodies.at(-1)).triangles();
	assert.ok(triangles.positions.length > 0 && triangles.colors.some((value, i) => i % 4 === 3 && value === 1));
	made.forEach(thing => thing.dispose());
	assert.equal(rubble.live.size, 0);
});

test("damage and explosions break things, and a snapshot goes on with the same bits", () => {
	const { world, asset, material, made } = worldWithBox();
	world.damage({ shape: constants.DAMAGE_RAY, position: [0, 3, 5], translation: [0, 0, -10], energy: 100, impulse: 2, radius: 1 });
	world.step();
	assert.ok(world.events.fractureCount > 0);
	world.explode({ position: [0, 2, 0], radius: 3, impulsePerArea: 50 });
	const bytes = world.save(), copy = rubble.loadWorld(bytes, { assets: [asset], materials: [material] });
	for (let i = 0; i < 30; ++i)
		world.step(), copy.step();
	assert.equal(copy.hash, world.hash);
	[copy, ...made].forEach(thing => thing.dispose());
});

test("a knife cuts a body in two along a plane, and refuses what cannot break", () => {
	const { world, box, made } = worldWithBox(), { mass } = box.mass;
	box.cut([0.2, 3, 0], [3, 0, 0]);
	world.step();
	const [event] = world.events.fractures;
	assert.ok(world.events.fractureCount === 1 && event.cause === constants.FRACTURE_CUT && !box.exists);
	const halves = event.newBodies.map(id => world.body(id)), masses = halves.map(body => body.mass.mass).sort((a, b) => a - b);
	assert.equal(halves.length, 2);
	assert.ok([0.3, 0.7].every((share, i) => Math.abs(masses[i] / mass - share) < 1e-3), `${masses} of ${mass}`);
	assert.throws(() => halves[0].cut([0, 3, 0], [0, 0, 0]), RubbleError);
	const ground = world.body(world.bodies[0]);
	assert.throws(() => ground.cut([0, -0.5, 0], [1, 0, 0]), error => error instanceof RubbleError && error.code === constants.UNSUPPORTED);
	made.forEach(thing => thing.dispose());
});

test("a recording is played back without a difference", () => {
	const { world, box, made } = worldWithBox();
	world.beginRecording();
	box.addImpulse([100, 0, 0], [0, 3, 0]);
	for (let i = 0; i < 60; ++i)
		world.step();
	const replay = rubble.createReplay(world.endRecording());
	let report, steps = 0;
	while (!(report = replay.step()).isOver)
		assert.equal(report.differs, false), steps++;
	assert.equal(steps, 60);
	[replay, ...made].forEach(thing => thing.dispose());
	assert.equal(rubble.live.size, 0);
});

test("errors are exceptions with the library's sentence", () => {
	const world = rubble.createWorld();
	const of = work => { try { work(); } catch (error) { assert.ok(error instanceof RubbleError); return error.message; } };
	assert.match(of(() => rubble.createWorld({ substepCount: 0 })), /substep_count/);
	assert.match(of(() => rubble.createWorld({ gravityy: [0, 0, 0] })), /no field 'gravityy'/);
	assert.match(of(() => world.createBody({})), /shape|collider/);
	assert.match(of(() => world.step(0)), /dt/);
	assert.match(of(() => rubble.readMesh(new TextEncoder().encode("no mesh"), { name: "a.stl" })), /a\.stl/);
	assert.match(of(() => rubble.openScene({ version: 2, instances: [{ modell: "x" }] })), /modell|model/);
	assert.match(of(() => rubble.loadWorld(new Uint8Array(10))), /./);
	world.dispose();
	assert.match(of(() => world.step()), /disposed/);
	world.dispose();
	assert.equal(rubble.live.size, 0);
});

test("meshes are read, checked, repaired, written and broken", () => {
	const box = rubble.createBoxMesh({ size: [1, 2, 3] }), file = box.write();
	const read = rubble.readMesh(file, { name: "box.glb" });
	assert.ok(Math.abs(read.mass.volume - 6) < 1e-6);
	const open = rubble.createMesh([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], [0, 2, 1, 0, 1, 3, 0, 3, 2]);
	const { mesh, report } = open.repair();
	assert.equal(report.filledHoles, 1);
	const pattern = rubble.createPattern({ cellCount: 30, size: [4, 4, 4] }), pieces = rubble.fracture(read, pattern);
	assert.ok(pieces.length > 10);
	assert.ok(Math.abs(pieces.reduce((sum, piece) => sum + piece.mass.volume, 0) - 6) < 1e-6);
	[box, read, open, mesh, pattern, ...pieces].forEach(thing => thing.dispose());
});

test("surfaces find triangles that collide", () => {
	const surface = rubble.createSurface();
	const flat = [-1, 0, -1, 1, 0, -1, 0, 0, 1], upright = [0, -1, 0, 0, 1, 0, 0.2, 1, 0];
	surface.add(flat, [0, 1, 2]);
	const other = surface.add(upright, [0, 1, 2]);
	surface.update();
	assert.equal(surface.collide().length, 2);
	surface.move(other, Float32Array.from(upright, (value, i) => i % 3 === 0 ? value + 5 : value));
	surface.update();
	assert.equal(surface.collide().length, 0);
	surface.dispose();
});

test("declarations name what the modules export, and no type that is not there", () => {
	const api = readFileSync(`${folder}/api.d.ts`, "utf8");
	for (const name of ["index", "three"]) {
		const script = readFileSync(`${folder}/${name}.js`, "utf8"), types = readFileSync(`${folder}/${name}.d.ts`, "utf8");
		const exported = [...script.matchAll(/^export (?:async )?(?:class|function|const) (\w+)/gm)].map(match => match[1]);
		const lists = [...script.matchAll(/^export \{ ([^}]+) \}/gm)].flatMap(match => match[1].split(", "));
		const declared = new Set([...types.matchAll(/^export (?:declare )?(?:class|function|const|interface|type) (\w+)/gm)].map(match => match[1]));
		const passed = [...types.matchAll(/^(?:export|import)[^{]*\{ ([^}]+) \}/gm)].flatMap(match => match[1].split(", ")).map(one => one.split(" as ").at(-1));
		const known = new Set([...declared, ...passed]);
		assert.ok(exported.length >= 3);
		assert.deepEqual([...exported, ...lists].filter(one => !known.has(one)), [], `${name}.d.ts lacks them`);
		// Names of types after a colon or in angle brackets.
		const inner = new Set([...types.matchAll(/^(?:type|interface|declare type) (\w+)/gm)].map(match => match[1]));
		const used = [...types.replaceAll(/\/\*.*?\*\//gs, "").matchAll(/(?<!\w)(?::|[<|&(,]|extends|=>) ?([A-Z][A-Za-z]+)(?=[\s;,)>|&[{]|$)/gm)].map(match => match[1]);
		const usual = /^(Uint8Array|Float32Array|Float64Array|Int32Array|Uint32Array|ArrayLike|Promise|Error|Record|Readonly|Omit|Set|Map|URL|Response|WebAssembly|T|K|Deep|Iterable|Partial|Symbol|Group|ArrayBuffer|ArrayBufferView)$/;
		assert.deepEqual(used.filter(one => !known.has(one) && !inner.has(one) && !usual.test(one)), [], `${name}.d.ts`);
		for (const [, one] of types.matchAll(/\bapi\.([A-Z]\w+)/g))
			assert.match(api, new RegExp(`export (interface|type|const) ${one}\\b`), `api.d.ts lacks ${one}`);
	}
});

test("memory is given back: a hundred worlds take no more than ten", () => {
	const round = () => {
		const { world, made } = worldWithBox();
		for (let i = 0; i < 50; ++i)
			world.step();
		made.forEach(thing => thing.dispose());
	};
	for (let i = 0; i < 10; ++i)
		round();
	const size = rubble.memorySize;
	for (let i = 0; i < 90; ++i)
		round();
	assert.equal(rubble.memorySize, size);
	assert.equal(rubble.live.size, 0);
});

test("a scene goes back to a snapshot of its own", () => {
	const json = JSON.parse(readFileSync(new URL("../../../scenes/window.json", import.meta.url), "utf8"));
	const scene = rubble.openScene(json);
	for (let i = 0; i < 20; ++i)
		scene.step();
	const snapshot = scene.save(), hashes = [];
	for (let round = 0; round < 2; ++round) {
		scene.act({ action: "explode", position: [0, 0.5, 0.2], radius: 1, energy: 100 });
		for (let i = 0; i < 40; ++i)
			scene.step();
		hashes.push(scene.world.hash);
		scene.restore(snapshot);
		assert.equal(scene.stepIndex, 20);
	}
	assert.equal(hashes[0], hashes[1]);
	snapshot.dispose(), scene.dispose();
	assert.equal(rubble.live.size, 0);
});

test("a scene goes back with its cloth, torn and cut", () => {
	const scene = rubble.openScene(readFileSync(new URL("../../../scenes/curtain.json", import.meta.url), "utf8"));
	const count = scene.cloth.sheets.length;
	const run = steps => { for (let i = 0; i < steps; ++i) scene.step(); };
	scene.act({ action: "cut", position: [0, 1, 8], translation: [-2, 0, -16], sweep: [2, 0.4, -16] });
	run(20);
	const cut = scene.cloth.sheets.length, snapshot = scene.save(), hashes = [];
	assert.ok(cut > count);
	for (let again = 0; again < 2; ++again) {
		run(50);
		hashes.push(scene.hash);
		const { now, before, sheets, triangles, colors } = scene.cloth;
		assert.ok(sheets.length > cut, "a ball tears it");
		assert.ok(now.length === 3 * sheets.length && before.length === now.length && colors.length === 3);
		assert.ok(Math.max(...triangles) < sheets.length && now.some((value, i) => value !== before[i]));
		scene.restore(snapshot);
		assert.ok(scene.stepIndex === 20 && scene.cloth.sheets.length === cut);
	}
	assert.equal(hashes[0], hashes[1]);
	snapshot.dispose(), scene.dispose();
	const bare = rubble.openScene(readFileSync(new URL("../../../scenes/window.json", import.meta.url), "utf8"));
	assert.equal(bare.cloth, null);
	bare.dispose();
});

test("a scene writes a film and a recording", () => {
	const json = JSON.parse(readFileSync(new URL("../../../scenes/window.json", import.meta.url), "utf8"));
	const scene = rubble.openScene(json, { film: true, isRecorded: true });
	for (let i = 0; i < 60; ++i)
		scene.step();
	const film = scene.film(), recording = scene.recording();
	assert.equal(new TextDecoder().decode(film.subarray(0, 4)), "glTF");
	const replay = rubble.createReplay(recording);
	let report;
	while (!(report = replay.step()).isOver)
		assert.equal(report.differs, false);
	replay.dispose(), scene.dispose();
});

test("the core of the module has the same bits, and says what it lacks", async () => {
	const core = await loadRubble({ wasm: readFileSync(`${folder}/rubble-core.wasm`) });
	const box = rubble.createBoxMesh(), bytes = box.write();
	const hashes = [rubble, core].map(rubble => {
		const world = rubble.createWorld({ gravity: [0, -9.81, 0] }), pattern = rubble.createPattern({ cellCount: 20 });
		const material = rubble.createMaterial({ damage: { levels: [{ energy: 1, pattern, radius: 1 }] } });
		const ground = rubble.createCollider(constants.COLLIDER_BOX, { halfSize: [10, 0.5, 10] });
		const mesh = rubble.readMesh(bytes, { name: "box.glb" }), asset = rubble.prepare(mesh);
		world.createBody({ kind: constants.BODY_STATIC, collider: ground, pose: { position: [0, -0.5, 0] } });
		world.createBody({ asset, sharedMaterial: material, pose: { position: [0, 3, 0] } });
		for (let i = 0; i < 90; ++i)
			world.step(1 / 60);
		const { hash, bodyCount } = world;
		assert.ok(bodyCount > 5);
		[world, pattern, material, ground, mesh, asset].forEach(thing => thing.dispose());
		return hash;
	});
	box.dispose();
	assert.equal(hashes[0], hashes[1]);
	assert.throws(() => core.createSurface(), error => error instanceof RubbleError && error.code === constants.UNSUPPORTED && /rubble\.wasm/.test(error.message));
	assert.throws(() => core.openScene({ version: 2 }), RubbleError);
	const tets = new TextEncoder().encode("MeshVersionFormatted 2\nDimension 3\nVertices\n4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\nTetrahedra\n1\n1 2 3 4 0\nEnd\n");
	rubble.readMesh(tets, { name: "tet.mesh" }).dispose();
	for (const format of ["OBJ", "PLY", "STL", "OFF", "MEDIT"]) // all but glTF
		assert.throws(() => core.readMesh(tets, { name: `tet.${format === "MEDIT" ? "mesh" : format.toLowerCase()}` }),
			error => error instanceof RubbleError && error.code === constants.UNSUPPORTED && error.message.includes(`${format} files are read by rubble.wasm`));
});

test("it runs in a worker, from the compiled module", async () => {
	assert.ok(isSupported());
	const worker = new Worker(`const { workerData, parentPort } = require("node:worker_threads");
		import(workerData.index).then(async ({ loadRubble }) => {
			const rubble = await loadRubble({ wasm: workerData.module });
			const mesh = rubble.createSphereMesh();
			let slices = 0;
			const asset = await rubble.prepareInSlices(mesh, { nodeCount: 8 }, n => { slices = n; });
			parentPort.postMessage({ parts: asset.report.partCount, bytes: asset.save(), slices });
		});`, { eval: true, workerData: { index: `${folder}/index.js`, module: rubble.module } });
	const { bytes, slices } = await new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
	await worker.terminate();
	assert.ok(slices >= 1);
	const asset = rubble.loadAsset(bytes);
	assert.ok(asset.nodes.length >= 3 && asset.triangles().positions.length > 0);
	asset.dispose();
});
