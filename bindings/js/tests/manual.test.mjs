// The JavaScript blocks of docs/manual.md run as they are written, and break what they say.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const { loadRubble, constants } = await import(`${process.env.RUBBLE_JS}/index.js`);

test("blocks of the manual run", async () => {
	const page = readFileSync(new URL("../../../docs/manual.md", import.meta.url), "utf8");
	const blocks = [...page.matchAll(/^```js\n(.*?)^```$/gms)].map((match) => match[1]);
	assert.ok(blocks.length > 0);
	const rubble = await loadRubble();
	for (const block of blocks) {
		const said = [];
		const run = new Function("rubble", "constants", "console", `return (async () => {\n${block}\n})();`);
		await run(rubble, constants, { log: (text) => said.push(text) });
		assert.match(said.join("\n"), /[1-9]\d* pieces/);
	}
});
