// The pictures of a dropped glTF file, as layers of one texture: however many there are, all bodies stay one draw call.

import * as three from "three";

const MOST = 16, SIZE = 1024, NAME_BYTES = 63; // of a material's name in a mesh
const GLB = 0x46546c67, JSON_CHUNK = 0x4e4f534a;

/** The JSON of a .gltf or .glb file, and the binary chunk of the latter. */
function parse(bytes) {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), decoder = new TextDecoder();
	if (bytes.length < 20 || view.getUint32(0, true) !== GLB)
		return { json: JSON.parse(decoder.decode(bytes)), binary: null };
	const length = view.getUint32(12, true);
	if (view.getUint32(16, true) !== JSON_CHUNK)
		return { json: {}, binary: null };
	return { json: JSON.parse(decoder.decode(bytes.subarray(20, 20 + length))), binary: bytes.subarray(20 + length + 8) };
}

async function imageBlob({ json, binary }, image) {
	if (image?.uri?.startsWith("data:")) {
		const [head, body] = image.uri.split(","), text = atob(body);
		return new Blob([Uint8Array.from(text, letter => letter.charCodeAt(0))], { type: head.slice(5).split(";")[0] });
	}
	const view = json.bufferViews?.[image?.bufferView];
	if (!view || !binary)
		return null;
	const begin = view.byteOffset ?? 0;
	return new Blob([binary.slice(begin, begin + view.byteLength)], { type: image.mimeType });
}

/** The name as a mesh keeps it: a longer one is cut. */
function keptName(name) {
	const bytes = new TextEncoder().encode(name);
	return bytes.length <= NAME_BYTES ? name : new TextDecoder().decode(bytes.subarray(0, NAME_BYTES));
}

/**
 * The base colors of a file's materials. Pictures beside the file are not there; what cannot be read is left out.
 * @returns { names: of materials, texture: a layer for each }, or null where there are none
 */
export async function readTextures(bytes, name) {
	if (!/\.(glb|gltf)$/i.test(name))
		return null;
	const file = parse(bytes), { json } = file, found = [];
	for (const material of json.materials ?? []) {
		const texture = json.textures?.[material.pbrMetallicRoughness?.baseColorTexture?.index];
		if (!texture || !material.name || found.length === MOST || found.some(({ name }) => name === keptName(material.name)))
			continue;
		try {
			const blob = await imageBlob(file, json.images?.[texture.source]);
			if (blob)
				found.push({ name: keptName(material.name), image: await createImageBitmap(blob) });
		} catch {
			continue; // a picture that the browser does not know
		}
	}
	if (found.length === 0)
		return null;
	const size = Math.min(SIZE, Math.max(...found.map(({ image }) => Math.max(image.width, image.height))));
	const pixels = new Uint8Array(4 * size * size * found.length), canvas = new OffscreenCanvas(size, size);
	const context = canvas.getContext("2d", { willReadFrequently: true });
	found.forEach(({ image }, i) => {
		context.clearRect(0, 0, size, size);
		context.drawImage(image, 0, 0, size, size);
		pixels.set(context.getImageData(0, 0, size, size).data, 4 * size * size * i);
		image.close();
	});
	const texture = new three.DataArrayTexture(pixels, size, size, found.length);
	texture.colorSpace = three.SRGBColorSpace;
	texture.wrapS = texture.wrapT = three.RepeatWrapping;
	texture.magFilter = three.LinearFilter, texture.minFilter = three.LinearMipmapLinearFilter;
	texture.generateMipmaps = true;
	texture.anisotropy = 4;
	texture.needsUpdate = true;
	return { names: found.map(({ name }) => name), texture };
}
