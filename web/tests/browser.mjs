// A page in Debian's Chromium with software WebGL, served from a folder, with what went wrong.
import { createServer } from "node:http";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { chromium } from "playwright-core";

const types = { html: "text/html", js: "text/javascript", css: "text/css", wasm: "application/wasm" };
export const executable = process.env.CHROMIUM ?? "/usr/bin/chromium";
export const isInstalled = existsSync(executable);

/** Serve a folder below a path, as static hosts do. */
export function serve(folder, base = "/some/where/") {
	const server = createServer(async (request, response) => {
		const path = new URL(request.url, "http://x").pathname;
		const name = path === base ? "index.html" : path.slice(base.length);
		try {
			if (!path.startsWith(base) || name.includes(".."))
				throw new Error();
			const bytes = await readFile(`${folder}/${name}`);
			response.writeHead(200, { "content-type": types[name.split(".").at(-1)] ?? "application/octet-stream" }).end(bytes);
		} catch {
			response.writeHead(404).end();
		}
	});
	return new Promise(resolve => server.listen(0, "127.0.0.1", () =>
		resolve({ server, address: `http://127.0.0.1:${server.address().port}${base}` })));
}

export function launch() {
	return chromium.launch({ executablePath: executable, args: ["--no-sandbox", "--use-gl=angle", "--use-angle=gl-egl",
		"--ignore-gpu-blocklist", "--enable-unsafe-swiftshader"] });
}

/** Open the page; `problems` collects errors of the console and requests to other hosts. */
export async function openPage(browser, address, options = {}) {
	const context = await browser.newContext({ viewport: { width: 960, height: 600 }, deviceScaleFactor: 1, ...options });
	const page = await context.newPage(), problems = [];
	page.setDefaultTimeout(300000); // a busy machine is no failure
	page.on("console", message => (message.type() === "error" || message.text().startsWith("THREE.")) && problems.push(message.text()));
	page.on("pageerror", error => problems.push(error.message));
	page.on("request", request => {
		if (!/^(data|blob|file):/.test(request.url()) && new URL(request.url()).host !== new URL(address).host)
			problems.push(`request to ${request.url()}`);
	});
	await page.goto(address);
	await page.waitForFunction(() => globalThis.playground?.isReady || globalThis.playground?.errors.length > 0);
	return { page, problems, context };
}
