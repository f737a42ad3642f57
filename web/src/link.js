// A run as a link: the name of a scene, settings, and every action with its step. The same bits come out wherever it is
// opened, and the hash at its end says so.

const PREFIX = "#run=";

/** Round what goes into actions, so that links are short: a millimetre is enough. */
export function round(value) {
	return Array.isArray(value) ? value.map(round) : typeof value === "number" ? Math.round(value * 1000) / 1000 : value;
}

export function encodeRun(run) {
	const bytes = new TextEncoder().encode(JSON.stringify(run));
	let text = "";
	for (const byte of bytes)
		text += String.fromCharCode(byte);
	return PREFIX + btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** @returns the run of a location's hash; null if it has none, or is damaged */
export function decodeRun(hash) {
	if (!hash.startsWith(PREFIX))
		return null;
	try {
		const text = atob(hash.slice(PREFIX.length).replaceAll("-", "+").replaceAll("_", "/"));
		const run = JSON.parse(new TextDecoder().decode(Uint8Array.from(text, letter => letter.charCodeAt(0))));
		return typeof run.scene === "string" && Array.isArray(run.actions) && run.steps >= 0 && run.steps <= 20000 ? run : null;
	} catch {
		return null;
	}
}
