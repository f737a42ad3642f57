// Rubble and other engines from npm in one run: the same hulls of the same points at the same places, with the same density,
// friction and gravity, on one thread, each engine with its own settings else. Piles that come to rest, and a wall that a
// block hits. One judge for all measures how deep bodies overlap in the end: Rubble's collision detection, on the poses.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const DT = 1 / 60, DENSITY = 1000, FRICTION = 0.6, FLOOR = [200, 1, 200];

function hullPoints(seed) {
	let state = seed * 7919 + 1;
	const random = () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
	return Array.from({ length: 12 }, () => {
		const z = 2 * random() - 1, a = 6.2831853 * random(), r = Math.sqrt(1 - z * z);
		return [0.5 * r * Math.cos(a), 0.4 * z, 0.5 * r * Math.sin(a)];
	}).flat();
}

const boxPoints = (x, y, z) => Array.from({ length: 8 }, (_, i) => [i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z]).flat();

/** Hulls in a grid above the floor. */
export function pile(count, side) {
	const bodies = Array.from({ length: count }, (_, i) => ({ shape: i % 8, position: [1.05 * (i % side) - 0.525 * side,
		0.8 + 0.95 * Math.floor(i / side / side), 1.05 * (Math.floor(i / side) % side) - 0.525 * side] }));
	return { name: `pile of ${count}`, shapes: Array.from({ length: 8 }, (_, i) => hullPoints(i + 1)), bodies, steps: 300 };
}

/** 360 loose bricks, which a block flies through. */
export function wall() {
	const bodies = [];
	for (let row = 0; row < 12; ++row)
		for (let i = 0; i < 30; ++i)
			bodies.push({ shape: 0, position: [-5.8 + 0.4 * i + 0.1 * (row % 2), 0.1 + 0.2 * row, 0], isBrick: true });
	bodies.push({ shape: 1, position: [0, 1.2, -6], velocity: [0, 2, 16] });
	return { name: "wall", shapes: [boxPoints(0.2, 0.1, 0.1), boxPoints(0.35, 0.35, 0.35)], bodies, steps: 240 };
}

// --- engines: each gives { step(), pose(i) -> [[x, y, z], [qx, qy, qz, qw]], isAwake(i), end() } -------------------

function fillRubble(rubble, scene, options, poseOf) {
	const world = rubble.createWorld(options);
	const material = rubble.createMaterial({ values: { density: DENSITY, friction: FRICTION } });
	const shapes = [boxPoints(...FLOOR), ...scene.shapes].map(points => rubble.createConvex(points));
	world.createBody({ convex: shapes[0], kind: rubble.constants.BODY_STATIC, sharedMaterial: material, pose: { position: [0, -FLOOR[1], 0] } });
	const bodies = scene.bodies.map((body, i) => world.createBody({ convex: shapes[1 + body.shape], sharedMaterial: material,
		pose: poseOf(body, i), velocity: body.velocity ?? [0, 0, 0] }));
	return { world, bodies, end: () => [world, material, ...shapes].forEach(thing => thing.dispose()) };
}

export async function openRubble({ loadRubble, constants }, scene) {
	const rubble = Object.assign(await loadRubble(), { constants });
	const { world, bodies, end } = fillRubble(rubble, scene, {}, ({ position }) => ({ position }));
	return {
		step: () => world.step(DT),
		pose: i => (({ position: p, rotation: q }) => [[p.x, p.y, p.z], [q.x, q.y, q.z, q.w]])(bodies[i].pose),
		isAwake: i => bodies[i].isAwake, end,
	};
}

export async function openRapier(folder, scene) {
	const found = await import(pathToFileURL(createRequire(`${folder}/`).resolve("@dimforge/rapier3d-simd-compat")));
	const rapier = found.default ?? found;
	await rapier.init();
	const world = new rapier.World({ x: 0, y: -9.81, z: 0 });
	world.timestep = DT;
	world.createCollider(rapier.ColliderDesc.cuboid(...FLOOR).setTranslation(0, -FLOOR[1], 0).setFriction(FRICTION));
	const bodies = scene.bodies.map(({ shape, position, velocity }) => {
		const body = world.createRigidBody(rapier.RigidBodyDesc.dynamic().setTranslation(...position).setLinvel(...(velocity ?? [0, 0, 0])));
		world.createCollider(rapier.ColliderDesc.convexHull(Float32Array.from(scene.shapes[shape])).setDensity(DENSITY).setFriction(FRICTION), body);
		return body;
	});
	return {
		step: () => world.step(),
		pose: i => { const p = bodies[i].translation(), q = bodies[i].rotation(); return [[p.x, p.y, p.z], [q.x, q.y, q.z, q.w]]; },
		isAwake: i => !bodies[i].isSleeping(), end: () => world.free(),
	};
}

export async function openJolt(folder, scene) {
	const Jolt = await (await import(pathToFileURL(`${folder}/node_modules/jolt-physics/dist/jolt-physics.wasm-compat.js`))).default();
	const settings = new Jolt.JoltSettings(), filter = new Jolt.ObjectLayerPairFilterTable(2);
	filter.EnableCollision(0, 1), filter.EnableCollision(1, 1);
	const layers = new Jolt.BroadPhaseLayerInterfaceTable(2, 2);
	layers.MapObjectToBroadPhaseLayer(0, new Jolt.BroadPhaseLayer(0));
	layers.MapObjectToBroadPhaseLayer(1, new Jolt.BroadPhaseLayer(1));
	settings.mObjectLayerPairFilter = filter;
	settings.mBroadPhaseLayerInterface = layers;
	settings.mObjectVsBroadPhaseLayerFilter = new Jolt.ObjectVsBroadPhaseLayerFilterTable(layers, 2, filter, 2);
	settings.mMaxWorkerThreads = 0;
	const count = scene.bodies.length; // its tables have a fixed size
	settings.mMaxBodies = Math.max(10240, 2 * count);
	settings.mMaxBodyPairs = Math.max(65536, 32 * count);
	settings.mMaxContactConstraints = 20480; // as many as its temporary memory, which is fixed, has room for
	const jolt = new Jolt.JoltInterface(settings), bodies = jolt.GetPhysicsSystem().GetBodyInterface();
	const add = (shape, [x, y, z], velocity, motion, layer) => {
		const made = new Jolt.BodyCreationSettings(shape, new Jolt.RVec3(x, y, z), new Jolt.Quat(0, 0, 0, 1), motion, layer);
		made.mFriction = FRICTION;
		made.mLinearVelocity = new Jolt.Vec3(...velocity);
		const body = bodies.CreateBody(made);
		bodies.AddBody(body.GetID(), Jolt.EActivation_Activate);
		return body;
	};
	add(new Jolt.BoxShape(new Jolt.Vec3(...FLOOR)), [0, -FLOOR[1], 0], [0, 0, 0], Jolt.EMotionType_Static, 0);
	const shapes = scene.shapes.map(points => {
		const hull = new Jolt.ConvexHullShapeSettings();
		for (let k = 0; k < points.length; k += 3)
			hull.mPoints.push_back(new Jolt.Vec3(points[k], points[k + 1], points[k + 2]));
		hull.mDensity = DENSITY;
		return hull.Create().Get();
	});
	const all = scene.bodies.map(({ shape, position, velocity }) => add(shapes[shape], position, velocity ?? [0, 0, 0], Jolt.EMotionType_Dynamic, 1));
	return {
		step: () => jolt.Step(DT, 1),
		pose: i => { const p = all[i].GetPosition(), q = all[i].GetRotation(); return [[p.GetX(), p.GetY(), p.GetZ()], [q.GetX(), q.GetY(), q.GetZ(), q.GetW()]]; },
		isAwake: i => all[i].IsActive(), end: () => Jolt.destroy(jolt),
	};
}

// --- the judge -------------------------------------------------------------------------------------------------------

/** How deep bodies overlap, in metres: mean over pairs that do, and the deepest. */
async function overlap({ loadRubble, constants }, scene, poses) {
	const rubble = Object.assign(await loadRubble(), { constants });
	const { world, end } = fillRubble(rubble, { ...scene, bodies: scene.bodies.map(({ shape }) => ({ shape })) }, { gravity: [0, 0, 0] },
		(_, i) => ({ position: poses[i][0], rotation: poses[i][1] }));
	world.step(1e-5);
	const depths = world.contacts.map(({ manifold }) => Math.max(...manifold.points.slice(0, manifold.pointCount).map(point => -point.separation)))
		.filter(depth => depth > 0);
	end();
	return { mean: depths.reduce((a, b) => a + b, 0) / Math.max(1, depths.length), deepest: Math.max(0, ...depths) };
}

/** Run a scene in an engine. @returns times of steps and what became of the bodies */
export async function measure(rubbleModule, scene, engine) {
	const times = [];
	for (let i = 0; i < scene.steps; ++i) {
		const begin = performance.now();
		engine.step();
		times.push(performance.now() - begin);
	}
	const poses = scene.bodies.map((_, i) => engine.pose(i));
	const awake = scene.bodies.filter((_, i) => engine.isAwake(i)).length;
	const standing = scene.bodies.filter((body, i) => body.isBrick && Math.hypot(...body.position.map((value, k) => value - poses[i][0][k])) < 0.1).length;
	engine.end();
	return { times, awake, standing, ...await overlap(rubbleModule, scene, poses) };
}
