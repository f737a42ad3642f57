// Draw the small pictures of the gallery: node web/thumbnails.mjs PAGE. Writes web/thumbnails/*.png and
// web/src/thumbnails.js, and with a second argument pictures of every scene into that folder.
import { mkdirSync, writeFileSync, readdirSync } from "node:fs";
import { launch, openPage, serve } from "./tests/browser.mjs";

const [folder, gallery] = process.argv.slice(2), here = new URL(".", import.meta.url).pathname;
const steps = { "window": 45, "wall": 60, "car": 60, "bricks": 45, "blast": 30, "nested-plates": 110, "dishes": 60, "tower-collapse": 220,
	"wrecking-ball": 110, "tower-debris": 130, "worn-wall": 150, "own": 14, "arena": 110,
	"curtain": 78, "street": 130, "house": 50, "building": 80, "glass": 25, "presets": 18, "levels": 50 };
const quiet = ["window", "wall", "arena", "bricks", "blast", "house", "building", "glass", "own"]; // somebody has to throw something
mkdirSync(`${here}thumbnails`, { recursive: true });
const { server, address } = await serve(folder);
const browser = await launch();
const { page } = await openPage(browser, `${address}?manual&looks=full`, { viewport: { width: 960, height: 400 } });
await page.addStyleTag({ content: "#status, #graph { display: none }" });
const wanted = process.env.SCENES?.split(",");
for (const name of await page.$$eval("#gallery button", buttons => buttons.map(button => button.dataset.scene))) {
	if (wanted && !wanted.includes(name))
		continue;
	const picture = await page.evaluate(async ([name, count, quiet]) => {
		playground.open(name);
		if (quiet.includes(name))
			playground.use(0.02, 0.05, name === "blast" ? "explode" : name === "own" ? "shoot" : "throw");
		playground.advance(count);
		playground.view.update(1);
		for (let i = 0; i < 3; ++i) { // large meshes are there in the second frame
			playground.stage.render(5000);
			await new Promise(resolve => setTimeout(resolve, 200));
		}
		playground.stage.render(5000);
		const big = document.getElementById("view"), small = document.createElement("canvas");
		[small.width, small.height] = [160, 100];
		const context = small.getContext("2d");
		context.imageSmoothingQuality = "high";
		const wide = Math.min(big.width, 1.6 * big.height), tall = wide / 1.6;
		context.drawImage(big, (big.width - wide) / 2, (big.height - tall) / 2, wide, tall, 0, 0, 160, 100);
		return { small: small.toDataURL("image/jpeg", 0.8), big: big.toDataURL("image/jpeg", 0.85) };
	}, [name, steps[name] ?? 60, quiet]);
	writeFileSync(`${here}thumbnails/${name}.jpg`, Buffer.from(picture.small.split(",")[1], "base64"));
	if (gallery)
		writeFileSync(`${gallery}/${name}.jpg`, Buffer.from(picture.big.split(",")[1], "base64"));
	console.log(name, picture.small.length);
}
const names = readdirSync(`${here}thumbnails`).filter(name => name.endsWith(".jpg")).map(name => name.slice(0, -4));
const label = name => `picture_${name.replaceAll("-", "_")}`;
writeFileSync(`${here}src/thumbnails.js`, `// Small pictures of the gallery, drawn by web/thumbnails.mjs.
${names.map(name => `import ${label(name)} from "../thumbnails/${name}.jpg";`).join("\n")}

export const thumbnails = {
${names.map(name => `	"${name}": ${label(name)},`).join("\n")}
};
`);
await browser.close();
server.close();
