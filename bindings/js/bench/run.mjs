// Steps in node: beside the native library, and beside other engines from npm, which are installed into a temporary folder
// and skipped where there is no network.
//
//   RUBBLE_PROGRAM=build/release/tools/rubble node bindings/js/bench/run.mjs [PACKAGE] [--no-peers]
//
// A pile: hulls of twelve points fall onto a floor from a grid; time of the steps in which they come to rest, how deep they
// overlap on average and at worst, and how many still move.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const folder = process.argv.find((value, i) => i > 1 && !value.startsWith("--")) ?? "build/web/js";
const { loadRubble } = await import(pathToFileURL(`${folder}/index.js`));
const program = process.env.RUBBLE_PROGRAM, STEPS = 300, DT = 1 / 60;
const median = values => values.slice().sort((a, b) => a - b)[values.length >> 1];

// --- scenes, beside native -----------------------------------------------------------------------

async function scenes(names, work) {
	for (const name of names) {
		const path = new URL(`../../../scenes/${name}.json`, import.meta.url).pathname;
		const json = JSON.parse(readFileSync(path, "utf8")), steps = Math.min(240, json.step_count ?? 240);
		const rubble = await loadRubble(), scene = rubble.openScene(json);
		let sum = 0;
		for (let i = 0; i < steps; ++i) {
			scene.step();
			sum += scene.world.stats.stepMs;
		}
		let line = `${name}: ${(sum / steps).toFixed(3)} ms a step in node`;
		if (program) {
			execFileSync(program, ["run", path, "-o", `${work}/film.glb`, "--steps", steps, "--json", `${work}/run.json`]);
			const native = JSON.parse(readFileSync(`${work}/run.json`, "utf8"));
			const same = native.state === scene.world.hash ? "the same bits" : "OTHER BITS";
			line += `, ${native.step_ms.toFixed(3)} native: ${(sum / steps / native.step_ms).toFixed(2)} times; ${same}`;
		}
		console.log(line);
		scene.dispose();
	}
}

// --- piles ---------------------------------------------------------------------------------------

function hullPoints(seed) {
	let state = seed * 7919 + 1;
	const random = () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
	return Array.from({ length: 12 }, () => {
		const z = 2 * random() - 1, a = 6.2831853 * random(), r = Math.sqrt(1 - z * z);
		return [0.5 * r * Math.cos(a), 0.4 * z, 0.5 * r * Math.sin(a)];
	});
}
const SHAPES = Array.from({ length: 8 }, (_, i) => hullPoints(i + 1));
const place = (i, side) => [1.05 * (i % side) - 0.525 * side, 0.8 + 0.95 * Math.floor(i / side / side), 1.05 * (Math.floor(i / side) % side) - 0.525 * side];

function pileOfRubble(count, side) {
	const models = { floor: { box: [400, 2, 400] } }, instances = [{ model: "floor", material: "stone", kind: "static", position: [0, -1, 0] }];
	SHAPES.forEach((_, k) => { models[`hull${k}`] = { stone: [1, 0.8, 1], point_count: 12, seed: k + 1 }; });
	for (let i = 0; i < count; ++i)
		instances.push({ model: `hull${i % 8}`, material: "stone", position: place(i, side) });
	return { version: 2, materials: { stone: { density: 1000, friction: 0.6 } }, models, instances };
}

async function runRubble(count, side) {
	const rubble = await loadRubble(), scene = rubble.openScene(pileOfRubble(count, side)), times = [];
	for (let i = 0; i < STEPS; ++i) {
		const begin = performance.now();
		scene.step();
		times.push(performance.now() - begin);
	}
	const depths = scene.world.contacts.flatMap(({ manifold }) => manifold.points.slice(0, manifold.pointCount).map(point => Math.max(0, -point.separation)));
	const awake = scene.world.stats.awakeCount;
	scene.dispose();
	return { times, awake, overlap: depths.length ? depths.reduce((a, b) => a + b) / depths.length : 0 };
}

async function runRapier(work, count, side) {
	const found = await import(pathToFileURL(createRequire(`${work}/`).resolve("@dimforge/rapier3d-simd-compat")));
	const rapier = found.default ?? found;
	await rapier.init();
	const world = new rapier.World({ x: 0, y: -9.81, z: 0 }), times = [];
	world.timestep = DT;
	world.createCollider(rapier.ColliderDesc.cuboid(200, 1, 200).setTranslation(0, -1, 0).setFriction(0.6));
	for (let i = 0; i < count; ++i) {
		const [x, y, z] = place(i, side), body = world.createRigidBody(rapier.RigidBodyDesc.dynamic().setTranslation(x, y, z));
		world.createCollider(rapier.ColliderDesc.convexHull(Float32Array.from(SHAPES[i % 8].flat())).setDensity(1000).setFriction(0.6), body);
	}
	for (let i = 0; i < STEPS; ++i) {
		const begin = performance.now();
		world.step();
		times.push(performance.now() - begin);
	}
	let awake = 0;
	world.forEachActiveRigidBody(() => awake++);
	return { times, awake };
}

async function runJolt(work, count, side) {
	const Jolt = await (await import(pathToFileURL(`${work}/node_modules/jolt-physics/dist/jolt-physics.wasm-compat.js`))).default();
	const settings = new Jolt.JoltSettings(), filter = new Jolt.ObjectLayerPairFilterTable(2);
	filter.EnableCollision(0, 1), filter.EnableCollision(1, 1);
	const layers = new Jolt.BroadPhaseLayerInterfaceTable(2, 2);
	layers.MapObjectToBroadPhaseLayer(0, new Jolt.BroadPhaseLayer(0));
	layers.MapObjectToBroadPhaseLayer(1, new Jolt.BroadPhaseLayer(1));
	settings.mObjectLayerPairFilter = filter;
	settings.mBroadPhaseLayerInterface = layers;
	settings.mObjectVsBroadPhaseLayerFilter = new Jolt.ObjectVsBroadPhaseLayerFilterTable(layers, 2, filter, 2);
	settings.mMaxWorkerThreads = 0;
	const jolt = new Jolt.JoltInterface(settings), system = jolt.GetPhysicsSystem(), bodies = system.GetBodyInterface(), times = [];
	const add = (shape, [x, y, z], motion, layer) => {
		const made = new Jolt.BodyCreationSettings(shape, new Jolt.RVec3(x, y, z), new Jolt.Quat(0, 0, 0, 1), motion, layer);
		made.mFriction = 0.6;
		const body = bodies.CreateBody(made);
		bodies.AddBody(body.GetID(), Jolt.EActivation_Activate);
		return body;
	};
	add(new Jolt.BoxShape(new Jolt.Vec3(200, 1, 200)), [0, -1, 0], Jolt.EMotionType_Static, 0);
	const shapes = SHAPES.map(points => {
		const hull = new Jolt.ConvexHullShapeSettings();
		points.forEach(([x, y, z]) => hull.mPoints.push_back(new Jolt.Vec3(x, y, z)));
		return hull.Create().Get();
	});
	const all = Array.from({ length: count }, (_, i) => add(shapes[i % 8], place(i, side), Jolt.EMotionType_Dynamic, 1));
	for (let i = 0; i < STEPS; ++i) {
		const begin = performance.now();
		jolt.Step(DT, 1);
		times.push(performance.now() - begin);
	}
	return { times, awake: all.filter(body => body.IsActive()).length };
}

function report(name, count, { times, awake, overlap }) {
	const mean = times.reduce((a, b) => a + b) / times.length;
	console.log(`pile of ${count}, ${name}: ${mean.toFixed(2)} ms a step, median ${median(times).toFixed(2)}, worst ${Math.max(...times).toFixed(1)}; ` +
		`${awake} awake after ${STEPS} steps${overlap === undefined ? "" : `; overlap ${(1000 * overlap).toFixed(2)} mm on average`}`);
}

const work = mkdtempSync(`${tmpdir()}/rubble-bench-`);
try {
	await scenes(process.env.SCENES?.split(",") ?? ["wall", "window", "arena"], work);
	let hasPeers = !process.argv.includes("--no-peers");
	if (hasPeers) {
		try {
			writeFileSync(`${work}/package.json`, '{ "private": true }');
			execFileSync("npm", ["install", "--silent", "--no-audit", "--no-fund", "@dimforge/rapier3d-simd-compat@0.20.0", "jolt-physics@1.1.0"], { cwd: work, stdio: "ignore" });
		} catch {
			hasPeers = false;
			console.log("skipped: npm does not give the other engines");
		}
	}
	for (const [count, side] of process.env.PILES ? JSON.parse(process.env.PILES) : [[1000, 10], [4000, 16]]) {
		report("Rubble", count, await runRubble(count, side));
		for (const [name, run] of hasPeers ? [["Rapier", runRapier], ["Jolt", runJolt]] : [])
			try {
				report(name, count, await run(work, count, side));
			} catch (error) {
				console.log(`pile of ${count}, ${name}: skipped: ${error.message}`);
			}
	}
} finally {
	rmSync(work, { recursive: true });
}
