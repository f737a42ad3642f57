// The film: a .glb as the library writes it, as arrays that can be drawn.

// --- reading ------------------------------------------------------------------------------------

function bytesOfBase64(text) {
	const raw = atob(text.trim()), bytes = new Uint8Array(raw.length);
	for (let i = 0; i < raw.length; ++i)
		bytes[i] = raw.charCodeAt(i);
	return bytes;
}

const NUMBER_ARRAYS = { 5120: Int8Array, 5121: Uint8Array, 5122: Int16Array, 5123: Uint16Array, 5125: Uint32Array, 5126: Float32Array };
const NUMBER_LIMITS = { 5120: 127, 5121: 255, 5122: 32767, 5123: 65535 };
const WIDTHS = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 };

function readGlb(bytes) {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	if (bytes.byteLength < 20 || view.getUint32(0, true) !== 0x46546c67)
		throw new Error("the film in this file is damaged");
	const jsonSize = view.getUint32(12, true);
	const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + jsonSize)));
	const start = 28 + jsonSize, known = new Map();
	// The numbers of an accessor, closely packed; whole numbers that stand for -1 to 1 as floats.
	const numbers = (index) => {
		if (known.has(index))
			return known.get(index);
		const of = json.accessors[index], width = WIDTHS[of.type], kind = NUMBER_ARRAYS[of.componentType];
		const buffer = json.bufferViews[of.bufferView] ?? {}, size = kind.BYTES_PER_ELEMENT;
		const stride = buffer.byteStride ?? width * size;
		const first = bytes.byteOffset + start + (buffer.byteOffset ?? 0) + (of.byteOffset ?? 0);
		let values;
		if (stride === width * size && first % size === 0) {
			values = new kind(bytes.buffer, first, of.count * width);
		} else {
			values = new kind(of.count * width);
			const row = new Uint8Array(values.buffer);
			for (let i = 0; i < of.count; ++i)
				row.set(new Uint8Array(bytes.buffer, first + i * stride, width * size), i * width * size);
		}
		if (of.normalized) {
			const limit = NUMBER_LIMITS[of.componentType];
			values = Float32Array.from(values, (x) => Math.max(-1, x / limit));
		}
		known.set(index, values);
		return values;
	};
	return { json, numbers };
}

// --- nodes and their motion ---------------------------------------------------------------------

// Nodes, parents first: mesh, pose, and tracks by which translation, rotation and scale move.
function readFilm(bytes) {
	const { json, numbers } = readGlb(bytes);
	const nodes = (json.nodes ?? []).map((node, index) => ({
		name: node.name ?? "", mesh: node.mesh ?? -1, parent: -1, index,
		translation: node.translation ?? [0, 0, 0], rotation: node.rotation ?? [0, 0, 0, 1],
		scale: node.scale ?? [1, 1, 1], tracks: null, matrix: new Float32Array(12), isVisible: false,
	}));
	(json.nodes ?? []).forEach((node, index) => {
		for (const child of node.children ?? [])
			nodes[child].parent = index;
	});
	let end = 0;
	for (const animation of json.animations ?? [])
		for (const channel of animation.channels) {
			const sampler = animation.samplers[channel.sampler], times = numbers(sampler.input);
			const node = nodes[channel.target.node];
			node.tracks ??= {};
			node.tracks[channel.target.path] = {
				times, values: numbers(sampler.output), isStep: sampler.interpolation === "STEP", at: 0,
			};
			end = Math.max(end, times[times.length - 1]);
		}
	const materials = (json.materials ?? []).map((material) => ({
		color: material.pbrMetallicRoughness?.baseColorFactor ?? [1, 1, 1, 1],
		isBlended: material.alphaMode === "BLEND",
	}));
	const meshes = (json.meshes ?? []).map((mesh) => mesh.primitives.map((primitive) => ({
		positions: numbers(primitive.attributes.POSITION),
		normals: primitive.attributes.NORMAL === undefined ? null : numbers(primitive.attributes.NORMAL),
		colors: primitive.attributes.COLOR_0 === undefined ? null : numbers(primitive.attributes.COLOR_0),
		colorWidth: primitive.attributes.COLOR_0 === undefined ? 0 : WIDTHS[json.accessors[primitive.attributes.COLOR_0].type],
		indices: primitive.indices === undefined ? null : numbers(primitive.indices),
		material: materials[primitive.material] ?? { color: [.7, .7, .7, 1], isBlended: false },
	})));
	return { nodes, meshes, end };
}

// Set `out` to a track's value at a time; keys are looked for from where the last search ended.
function sample(track, time, out) {
	const { times, values } = track, width = out.length, last = times.length - 1;
	let k = track.at;
	if (k > last || times[k] > time)
		k = 0;
	while (k < last && times[k + 1] <= time)
		++k;
	track.at = k;
	const here = k * width;
	if (track.isStep || k === last || time <= times[k]) {
		for (let i = 0; i < width; ++i)
			out[i] = values[here + i];
		return;
	}
	const share = (time - times[k]) / (times[k + 1] - times[k]);
	let sign = 1;
	if (width === 4) {
		let dot = 0;
		for (let i = 0; i < 4; ++i)
			dot += values[here + i] * values[here + 4 + i];
		sign = dot < 0 ? -1 : 1;
	}
	for (let i = 0; i < width; ++i)
		out[i] = values[here + i] + share * (sign * values[here + width + i] - values[here + i]);
}

// Rows of the 3 x 4 matrix of a translation, a rotation (normalized here) and a scale.
function composeMatrix(out, t, q, s) {
	const length = Math.hypot(q[0], q[1], q[2], q[3]) || 1;
	const x = q[0] / length, y = q[1] / length, z = q[2] / length, w = q[3] / length;
	out[0] = (1 - 2 * (y * y + z * z)) * s[0], out[1] = 2 * (x * y - z * w) * s[1], out[2] = 2 * (x * z + y * w) * s[2], out[3] = t[0];
	out[4] = 2 * (x * y + z * w) * s[0], out[5] = (1 - 2 * (x * x + z * z)) * s[1], out[6] = 2 * (y * z - x * w) * s[2], out[7] = t[1];
	out[8] = 2 * (x * z - y * w) * s[0], out[9] = 2 * (y * z + x * w) * s[1], out[10] = (1 - 2 * (x * x + y * y)) * s[2], out[11] = t[2];
}

function multiplyMatrices(out, a, b) {
	for (let r = 0; r < 12; r += 4) {
		const p = a[r], q = a[r + 1], s = a[r + 2], t = a[r + 3];
		for (let c = 0; c < 4; ++c)
			out[r + c] = p * b[c] + q * b[4 + c] + s * b[8 + c] + (c === 3 ? t : 0);
	}
}

const sampled = { translation: [0, 0, 0], rotation: [0, 0, 0, 1], scale: [1, 1, 1] };
const local = new Float32Array(12);

// Place all nodes as they are at a time.
function poseFilm(film, time) {
	for (const node of film.nodes) {
		const parent = node.parent >= 0 ? film.nodes[node.parent] : null;
		let { translation: t, rotation: q, scale: s } = node;
		if (node.tracks) {
			const { scale, translation, rotation } = node.tracks;
			if (scale)
				sample(scale, time, s = sampled.scale);
			node.isVisible = s[0] !== 0;
			if (!node.isVisible)
				continue;
			if (translation)
				sample(translation, time, t = sampled.translation);
			if (rotation)
				sample(rotation, time, q = sampled.rotation);
		} else {
			node.isVisible = s[0] !== 0;
		}
		if (parent && !parent.isVisible)
			node.isVisible = false;
		if (!node.isVisible)
			continue;
		composeMatrix(parent ? local : node.matrix, t, q, s);
		if (parent)
			multiplyMatrices(node.matrix, parent.matrix, local);
	}
}

function boxOfPositions(positions) {
	const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
	for (let i = 0; i < positions.length; ++i) {
		const k = i % 3;
		low[k] = Math.min(low[k], positions[i]), high[k] = Math.max(high[k], positions[i]);
	}
	return { low, high };
}

// What the camera shows at first: all that ever moves, where it appears, without stray pieces, and
// what is as small; a floor of a hundred metres would make all else too small. Also the lowest point
// of anything.
function frameFilm(film) {
	const radii = film.meshes.map((mesh) => Math.max(0, ...mesh.map((primitive) => {
		const { low, high } = boxOfPositions(primitive.positions);
		return 0.7 * Math.hypot(...high.map((x, k) => Math.max(x, -low[k])));
	})));
	const isMoving = (node) => Boolean(node.tracks) || (node.parent >= 0 && isMoving(film.nodes[node.parent]));
	const still = [], moving = [], seen = new Set();
	let ground = Infinity;
	for (const time of [0, 0.25, 0.5, 0.75, 1].map((share) => share * film.end)) {
		poseFilm(film, time);
		for (const node of film.nodes) {
			if (!node.isVisible || node.mesh < 0 || seen.has(node))
				continue;
			seen.add(node);
			const m = node.matrix;
			(isMoving(node) ? moving : still).push([m[3], m[7], m[11], radii[node.mesh] * Math.hypot(m[0], m[4], m[8])]);
			for (const primitive of time === 0 ? film.meshes[node.mesh] : [])
				for (let i = 0, p = primitive.positions; i < p.length; i += 3)
					ground = Math.min(ground, m[4] * p[i] + m[5] * p[i + 1] + m[6] * p[i + 2] + m[7]);
		}
	}
	// Three per cent at either end may stick out, counted by area.
	const edge = (items, k, sign) => {
		const sorted = items.map((p) => [p[k] + sign * p[3], p[3] * p[3]]).sort((a, b) => sign * (b[0] - a[0]));
		let left = 0.03 * sorted.reduce((sum, p) => sum + p[1], 0);
		return (sorted.find((p) => (left -= p[1]) <= 0) ?? sorted[0])[0];
	};
	const around = (items) => {
		const low = [0, 1, 2].map((k) => edge(items, k, -1)), high = [0, 1, 2].map((k) => edge(items, k, 1));
		return { low, high, size: Math.max(1e-6, Math.hypot(...high.map((x, k) => x - low[k]))) };
	};
	let frame = moving.length ? around(moving) : still.length ? around(still) : { low: [-1, -1, -1], high: [1, 1, 1], size: 3 };
	const near = still.filter((p) => p[3] < 0.35 * frame.size);
	if (moving.length && near.length)
		frame = around([...moving, ...near]);
	return { ...frame, ground: Number.isFinite(ground) ? ground : 0 };
}
