// node import.mjs FILE.glb...: load files with three.js and compare what it has with what the file says:
// nodes by name, materials, textures and their sizes, cameras, copies of instanced meshes, times of keys,
// where ten objects are at ten times, and that objects are born and vanish by their scale. Prints a line per file; fails when something
// differs. The file is read here by hand, not by three's reader.
import { readFileSync } from "node:fs";
import { basename } from "node:path";

globalThis.self = globalThis;
// Images are not decoded: three gets their size, from the file's first bytes.
globalThis.createImageBitmap = async (blob) => {
	const bytes = new DataView(await blob.arrayBuffer());
	const isPng = bytes.getUint32(0) === 0x89504e47;
	return { width: isPng ? bytes.getUint32(16) : 1, height: isPng ? bytes.getUint32(20) : 1, close() {} };
};

const { AnimationMixer, PropertyBinding } = await import("three");
const { GLTFLoader } = await import("three/examples/jsm/loaders/GLTFLoader.js");

function readGlb(data) {
	const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
	const size = view.getUint32(12, true);
	const json = JSON.parse(new TextDecoder().decode(data.subarray(20, 20 + size)));
	const floats = (index) => {
		const accessor = json.accessors[index], buffer = json.bufferViews[accessor.bufferView];
		const width = { SCALAR: 1, VEC3: 3, VEC4: 4 }[accessor.type];
		const start = 28 + size + (buffer.byteOffset ?? 0) + (accessor.byteOffset ?? 0);
		if (accessor.componentType !== 5126)
			return null; // rotations of 16 bits: three's business
		return Array.from({ length: accessor.count * width }, (_, i) => view.getFloat32(start + 4 * i, true));
	};
	const tracks = new Map();
	for (const animation of json.animations ?? [])
		for (const channel of animation.channels) {
			const sampler = animation.samplers[channel.sampler], values = floats(sampler.output);
			if (values)
				tracks.set(`${channel.target.node} ${channel.target.path}`,
					{ times: floats(sampler.input), values, isStep: sampler.interpolation === "STEP" });
		}
	return { json, tracks };
}

function sample({ times, values, isStep }, time) {
	let next = times.findIndex((t) => t > time);
	if (next === 0 || next < 0)
		return values.slice(next === 0 ? 0 : -3, next === 0 ? 3 : undefined);
	const share = isStep ? 0 : (time - times[next - 1]) / (times[next] - times[next - 1]);
	return [0, 1, 2].map((k) => (1 - share) * values[3 * (next - 1) + k] + share * values[3 * next + k]);
}

async function check(file) {
	const data = new Uint8Array(readFileSync(file)), { json, tracks } = readGlb(data);
	const mistakes = [], expect = (holds, text) => holds || mistakes.push(text);
	const gltf = await new GLTFLoader().parseAsync(data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength), "");
	const nodes = json.nodes ?? [], objects = nodes.map(() => null), materials = new Set(), textures = new Set();
	gltf.scene.traverse((object) => {
		const at = gltf.parser.associations.get(object);
		if (at?.nodes !== undefined)
			objects[at.nodes] = object;
		for (const material of object.material ? [object.material].flat() : []) {
			materials.add(material.name);
			if (material.map)
				textures.add(material.map.image);
		}
	});
	const found = objects.filter((object) => object).length;
	expect(found === nodes.length, `${found} objects for ${nodes.length} nodes`);
	const safe = (name) => PropertyBinding.sanitizeNodeName(name);
	const misnamed = nodes.findIndex((node, i) => node.name && objects[i] && objects[i].userData.name !== node.name &&
		!objects[i].name.startsWith(safe(node.name)));
	expect(misnamed < 0, `node ${misnamed} is called ${objects[misnamed]?.name}`);
	const used = new Set((json.meshes ?? []).flatMap((mesh) => mesh.primitives.map((p) => p.material)).filter((m) => m !== undefined));
	for (const index of used)
		expect(materials.has(json.materials[index].name), `no material ${json.materials[index].name}`);
	const mapped = new Set([...used].map((m) => json.materials[m].pbrMetallicRoughness?.baseColorTexture?.index).filter((i) => i !== undefined)
		.map((i) => json.textures[i].source));
	expect(textures.size >= mapped.size, `${textures.size} textures for ${mapped.size}`);
	for (const image of textures)
		expect(image?.width > 1, "a texture has no size");
	const viewed = nodes.filter((node) => node.camera !== undefined).length;
	expect(gltf.cameras.length === (json.cameras ?? []).length && viewed >= gltf.cameras.length, `${gltf.cameras.length} cameras`);
	let copies = 0;
	nodes.forEach((node, i) => {
		const attributes = node.extensions?.EXT_mesh_gpu_instancing?.attributes;
		if (!attributes)
			return;
		const count = json.accessors[Object.values(attributes)[0]].count;
		let own = 0;
		objects[i].traverse((object) => { own = Math.max(own, object.isInstancedMesh ? object.count : 0); });
		expect(own === count, `node ${i} has ${own} copies, not ${count}`);
		copies += own;
	});
	let compared = 0, births = 0, keys = 0;
	if (gltf.animations.length > 0) {
		const mixer = new AnimationMixer(gltf.scene), clip = gltf.animations[0];
		const action = mixer.clipAction(clip);
		action.clampWhenFinished = true, action.setLoop(2200, 1).play();
		const parents = new Set(nodes.flatMap((node) => node.children ?? []));
		const moving = nodes.map((_, i) => i).filter((i) => !parents.has(i) && tracks.has(`${i} translation`));
		const chosen = moving.filter((_, i) => i % Math.max(1, Math.floor(moving.length / 10)) === 0).slice(0, 10);
		for (const i of chosen) {
			const track = clip.tracks.find((one) => one.name === `${objects[i].uuid}.position` || one.name === `${objects[i].name}.position`);
			const { times } = tracks.get(`${i} translation`);
			expect(track && track.times.length === times.length && times.every((time, k) => Math.abs(time - track.times[k]) < 1e-6),
				`keys of node ${i} are at ${track?.times.slice(0, 5)}, not ${times.slice(0, 5)}`);
			keys += times.length;
		}
		for (let k = 0; k < 10; ++k) {
			const time = Math.min(clip.duration * k / 9, clip.duration - 1e-5);
			mixer.setTime(time);
			for (const i of chosen) {
				const expected = sample(tracks.get(`${i} translation`), time), place = objects[i].position.toArray();
				const off = Math.hypot(...place.map((x, n) => x - expected[n]));
				expect(off < 1e-3 * (1 + Math.hypot(...expected)), `node ${i} at ${time} s is at ${place}, not ${expected}`);
				compared++;
			}
		}
		expect(compared > 0, "nothing moves");
		for (let i = 0; i < nodes.length && births < 20; ++i) {
			const life = tracks.get(`${i} scale`);
			if (!life || life.values[0] > 0 || life.times.length < 2)
				continue;
			for (const [time, scale] of [[life.times[1] - 0.004, 0], [life.times[1] + 0.004, life.values[3]]]) {
				mixer.setTime(time);
				expect(!life.isStep || Math.abs(objects[i].scale.x - scale) < 1e-3, `node ${i} has scale ${objects[i].scale.x} at ${time} s`);
			}
			births++;
		}
	}
	console.log(`${basename(file)}: ${found} objects, ${materials.size} materials, ${textures.size} textures, ` +
		`${keys} keys, ${compared} positions, ${births} births, ${copies} copies: ${mistakes.length ? mistakes.slice(0, 5).join("; ") : "ok"}`);
	return mistakes.length === 0;
}

if (process.argv.length < 3) {
	console.log("import.mjs: no files");
	process.exit(2);
}
let isRight = true;
for (const file of process.argv.slice(2))
	isRight = await check(file) && isRight;
process.exit(isRight ? 0 : 1);
