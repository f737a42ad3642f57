// Draw docs/images/playground-nodes.png: node web/pictures.mjs PAGE MODEL OUTPUT, with a model to break, such as the
// Stanford bunny. Nodes are placed by hand, and one is chosen.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { launch, openPage, serve } from "./tests/browser.mjs";

const [folder, model, output] = process.argv.slice(2);
const { server, address } = await serve(folder), browser = await launch();
const { page, problems } = await openPage(browser, `${address}?manual&looks=full`, { viewport: { width: 1200, height: 700 } });
await page.evaluate(([name, text]) => playground.openFile(new File([Uint8Array.from(text, letter => letter.charCodeAt(0))], name)),
	[basename(model), readFileSync(model, "latin1")]);
await page.click("#edit-nodes");
await page.evaluate(async () => {
	for (const [x, y] of [[-0.3, 0.25], [-0.1, -0.3], [0.2, 0], [0.05, 0.2]])
		playground.changeNodes(editor => editor.add(x, y));
	document.querySelector("#node-remove").scrollIntoView({ block: "end" });
	for (let i = 0; i < 3; ++i) { // large meshes are there in the second frame
		playground.stage.render(5000);
		await new Promise(resolve => setTimeout(resolve, 200));
	}
});
await page.screenshot({ path: output });
await browser.close();
server.close();
if (problems.length > 0)
	throw new Error(problems.join("\n"));
