// Build the page: node web/build.mjs PACKAGE OUTPUT. A folder that any static host serves under any path, and that opens
// from a disk.
import { build } from "esbuild";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";

const [packageFolder, output] = process.argv.slice(2);
const here = new URL(".", import.meta.url).pathname;
await mkdir(output, { recursive: true });
const options = {
	bundle: true, minify: true, format: "iife", target: "es2022", outdir: output, logLevel: "warning", legalComments: "none",
	entryNames: "[name]", loader: { ".jpg": "dataurl", ".glb": "binary" }, nodePaths: [`${here}node_modules`], external: ["node:fs/promises"],
	// The page says where the module is.
	define: { "import.meta.url": "undefined" },
	plugins: [{
		name: "the package as it was built",
		setup: build => build.onResolve({ filter: /bindings\/js\/[a-z]+\.js$/ }, ({ path }) =>
			({ path: `${packageFolder.startsWith("/") ? "" : `${process.cwd()}/`}${packageFolder}/${path.split("/").at(-1)}` })),
	}],
};
await build({ ...options, entryPoints: [{ in: `${here}src/main.js`, out: "playground" }, { in: `${here}src/worker.js`, out: "worker" }] });
for (const name of ["index.html", "style.css"])
	await cp(`${here}${name}`, `${output}/${name}`);
const wasm = await readFile(`${packageFolder}/rubble.wasm`);
await writeFile(`${output}/rubble.wasm`, wasm);
await writeFile(`${output}/rubble.wasm.js`, `globalThis.rubbleModule = "${wasm.toString("base64")}";\n`);
let sum = 0;
for (const name of ["index.html", "style.css", "playground.js", "rubble.wasm"])
	sum += gzipSync(await readFile(`${output}/${name}`), { level: 9 }).length;
console.log(`build-web: ${output}, ${sum} bytes gzipped`);
