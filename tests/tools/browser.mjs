// Chromium without a window, driven through a pipe by the DevTools protocol: no package is needed.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export async function startBrowser({ program = "chromium", width = 1280, height = 900 } = {}) {
	const profile = mkdtempSync(join(tmpdir(), "rubble-browser-"));
	const child = spawn(program, ["--headless=new", "--no-sandbox", "--remote-debugging-pipe", `--user-data-dir=${profile}`,
		`--window-size=${width},${height}`, "--hide-scrollbars", "--no-first-run", "--disable-background-networking", "--disable-extensions",
		"--use-gl=angle", "--use-angle=gl-egl", "--ignore-gpu-blocklist", "about:blank"],
		{ stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
	const [to, from] = [child.stdio[3], child.stdio[4]], waiting = new Map(), listeners = [];
	let number = 0, rest = Buffer.alloc(0);
	to.on("error", () => {});
	from.on("data", (chunk) => {
		rest = Buffer.concat([rest, chunk]);
		for (let end; (end = rest.indexOf(0)) >= 0; rest = rest.subarray(end + 1)) {
			const message = JSON.parse(rest.subarray(0, end).toString());
			if (message.id === undefined) {
				listeners.forEach((listen) => listen(message));
				continue;
			}
			const { resolve, reject } = waiting.get(message.id);
			waiting.delete(message.id);
			message.error ? reject(new Error(message.error.message)) : resolve(message.result);
		}
	});
	const closed = new Promise((resolve) => child.on("exit", resolve));
	closed.then(() => waiting.forEach(({ reject }) => reject(new Error("the browser ended"))));
	const send = (method, params = {}, sessionId) => new Promise((resolve, reject) => {
		waiting.set(++number, { resolve, reject });
		to.write(JSON.stringify({ id: number, method, params, sessionId }) + "\0");
	});

	// A page: what its console says and what it asks the network for are kept.
	async function open(address, { theme = "light" } = {}) {
		const { targetId } = await send("Target.createTarget", { url: "about:blank" });
		const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
		const ask = (method, params) => send(method, params, sessionId);
		const page = { complaints: [], requests: [] };
		let loaded;
		const isLoaded = new Promise((resolve) => loaded = resolve);
		listeners.push((message) => {
			if (message.sessionId !== sessionId)
				return;
			const { method, params } = message;
			if (method === "Runtime.exceptionThrown")
				page.complaints.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
			if (method === "Runtime.consoleAPICalled" && ["error", "warning", "assert"].includes(params.type))
				page.complaints.push(params.args.map((value) => value.value ?? value.description).join(" "));
			if (method === "Log.entryAdded" && ["error", "warning"].includes(params.entry.level))
				page.complaints.push(params.entry.text);
			if (method === "Network.requestWillBeSent" && !/^(data|blob):/.test(params.request.url))
				page.requests.push(params.request.url);
			if (method === "Page.loadEventFired")
				loaded();
		});
		for (const domain of ["Page", "Runtime", "Log", "Network"])
			await ask(`${domain}.enable`);
		await ask("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: theme }] });
		await ask("Page.navigate", { url: address });
		await isLoaded;
		page.evaluate = async (expression) => {
			const { result, exceptionDetails } = await ask("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
			if (exceptionDetails)
				throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
			return result.value;
		};
		// Two frames later what was asked for is drawn.
		page.settle = () => page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))");
		page.press = async (key, code = key) => {
			const text = key.length === 1 ? key : undefined;
			await ask("Input.dispatchKeyEvent", { type: "keyDown", key, code, text });
			await ask("Input.dispatchKeyEvent", { type: "keyUp", key, code });
		};
		page.mouse = (type, x, y, more = {}) => ask("Input.dispatchMouseEvent", { type, x, y, button: "left", buttons: type === "mouseReleased" ? 0 : 1, clickCount: 1, ...more });
		page.picture = async (path, clip) => {
			const { data } = await ask("Page.captureScreenshot", { format: "png", ...(clip ? { clip: { scale: 1, ...clip }, captureBeyondViewport: true } : {}) });
			if (path)
				writeFileSync(path, Buffer.from(data, "base64"));
			return data;
		};
		page.theme = (value) => ask("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value }] });
		return page;
	}
	return {
		open,
		close: async () => {
			await Promise.race([send("Browser.close").catch(() => {}), new Promise((resolve) => setTimeout(resolve, 3000))]);
			child.kill("SIGKILL");
			await closed;
			// Its helpers may still be writing.
			for (let i = 0; i < 20; ++i)
				try {
					rmSync(profile, { recursive: true, force: true });
					break;
				} catch {
					await new Promise((resolve) => setTimeout(resolve, 100));
				}
		},
	};
}
