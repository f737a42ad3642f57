// A mesh file becomes an asset: read, repaired, scaled to a height, and decomposed. Runs in a worker, or in the page where
// there are none.

const HEIGHT = 2;
export const SIZE_LIMIT = 200e6;

/** What a repair did, in words. */
function describe(report) {
	const parts = [[report.filledHoles, "holes filled"], [report.weldedVertices, "vertices welded"],
		[report.resolvedCrossings, "crossings resolved"], [report.flippedFaces, "faces turned over"]];
	return parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`).join(", ");
}

/** Read a mesh file in the size that models have here, and repair it. @returns { mesh, repaired: what that took, in words } */
export function readModel(rubble, bytes, name) {
	const first = rubble.readMesh(bytes, { name }), { lower, upper } = first.bounds;
	first.dispose();
	const size = Math.max(upper.x - lower.x, upper.y - lower.y, upper.z - lower.z);
	if (!(size > 0))
		throw new Error(`${name}: it has no size`);
	const scaled = rubble.readMesh(bytes, { name, scale: HEIGHT / size });
	try {
		const { mesh, report } = scaled.repair();
		return { mesh, repaired: report.isUnchanged ? "" : describe(report) };
	} finally {
		scaled.dispose();
	}
}

function loadAsset(rubble, bytes, name) {
	try {
		return rubble.loadAsset(bytes);
	} catch (error) {
		throw new Error(`${name}: ${error.message}`);
	}
}

/**
 * @param onProgress  called with text and a share done, or null when that is not known
 * @param nodes       of the decomposition, three numbers each; else they are placed
 * @returns { bytes (of the asset), position (where it stands on the floor), height, text, nodes }
 */
export async function prepareFile(rubble, bytes, name, onProgress, nodes = null) {
	if (bytes.length > SIZE_LIMIT)
		throw new Error(`${name}: ${Math.round(bytes.length / 1e6)} MB; files of up to ${SIZE_LIMIT / 1e6} MB are read here`);
	const made = [];
	const keep = thing => (made.push(thing), thing);
	try {
		await onProgress("reading and repairing", null);
		if (name.endsWith(".rbl"))
			return finish(keep(loadAsset(rubble, bytes, name)), bytes, name, "");
		const { mesh, repaired } = readModel(rubble, bytes, name);
		keep(mesh);
		await onProgress("preparing", null);
		const options = nodes ? { nodes: Float64Array.from(nodes), nodeCount: nodes.length / 3 } : {};
		const asset = keep(await rubble.prepareInSlices(mesh, options, slices => onProgress("preparing", 1 - 1 / (1 + 0.05 * slices))));
		return finish(asset, asset.save(), name, repaired);
	} finally {
		made.forEach(thing => thing.dispose());
	}
}

function finish(asset, bytes, name, repaired) {
	const { positions } = asset.triangles(), lower = [Infinity, Infinity, Infinity], upper = [-Infinity, -Infinity, -Infinity];
	positions.forEach((value, i) => {
		lower[i % 3] = Math.min(lower[i % 3], value), upper[i % 3] = Math.max(upper[i % 3], value);
	});
	const { nodes } = asset;
	return {
		bytes, nodes, height: Math.max(...upper.map((value, k) => value - lower[k])),
		position: [-(lower[0] + upper[0]) / 2, 0.02 - lower[1], -(lower[2] + upper[2]) / 2],
		text: `${name}: ${nodes.length / 3} nodes${repaired ? `; repaired: ${repaired}` : ""}`,
	};
}
