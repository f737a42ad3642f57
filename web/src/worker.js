// Prepares files beside the page, which goes on meanwhile.

import { loadRubble } from "../../bindings/js/index.js";
import { prepareFile } from "./prepare.js";

self.onmessage = async ({ data: { module, bytes, name, nodes } }) => {
	try {
		const rubble = await loadRubble({ wasm: module });
		const result = await prepareFile(rubble, bytes, name, (text, share) => self.postMessage({ progress: { text, share } }), nodes);
		self.postMessage({ result }, [result.bytes.buffer]);
	} catch (error) {
		self.postMessage({ error: error.message });
	}
};
