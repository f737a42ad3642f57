// node pages.mjs FOLDER [PICTURES]: open run.html and bench.html in Chromium and see that they work.
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { startBrowser } from "./browser.mjs";

const folder = resolve(process.argv[2]), pictures = process.argv[3];
const mistakes = [];
let checks = 0;
function check(holds, text) {
	++checks;
	if (!holds)
		mistakes.push(text);
}

const browser = await startBrowser({ program: process.env.CHROMIUM ?? "chromium", width: 1000, height: 800 });
const draw = (page, name) => pictures && page.picture(join(pictures, name));
const isQuiet = (page, name, address) => {
	check(page.complaints.length === 0, `${name} complains: ${page.complaints.join("; ")}`);
	check(page.requests.length === 1 && page.requests[0] === address, `${name} asks for ${page.requests.join(", ")}`);
};

try {
	const address = pathToFileURL(join(folder, "run.html")).href, page = await browser.open(address);
	check(await page.evaluate("rubble.isReady && rubble.errors.length === 0 && rubble.player !== null"), "the page is not ready");
	const state = (time) => page.evaluate(`${time === undefined ? "" : `rubble.player.show(${time}),`} rubble.player.state()`);
	const first = await state(0);
	await page.settle();
	const firstPicture = await page.picture();

	// The slider moves the pieces, and the picture.
	await page.evaluate(`(() => { const s = document.getElementById("time"); s.focus(); s.value = 1; s.dispatchEvent(new Event("input")); })()`);
	await page.settle();
	const later = await state();
	check(Math.abs(later.time - 1) < 1e-6, `the slider sets ${later.time} s`);
	check(later.visible > first.visible + 50, `${first.visible} pieces at first, ${later.visible} after the break`);
	check(later.triangles > 100 && later.calls > 0, "nothing is drawn");
	check(await page.evaluate(`document.getElementById("clock").textContent`) === "1.00 s", "the clock is wrong");
	check(/1\.00 seconds/.test(await page.evaluate(`document.getElementById("time").getAttribute("aria-valuetext")`)), "the slider does not say its time");
	const laterPicture = await page.picture();
	check(firstPicture !== laterPicture, "the picture does not change");
	await draw(page, "run.png");
	const end = await state(later.end), moved = end.places.filter((p, i) => p && later.places[i] && Math.hypot(...p.map((x, k) => x - later.places[i][k])) > 0.05).length;
	check(moved > 20, `${moved} pieces move from 1 s to the end`);
	const back = await state(1);
	check(JSON.stringify(back.places) === JSON.stringify(later.places), "going back shows another state");

	// Keys on the slider, the camera and the film.
	const before = (await state()).time;
	await page.press("ArrowRight");
	check((await state()).time > before, "the right arrow does not move the slider");
	await page.evaluate(`document.getElementById("view").focus()`);
	await page.settle();
	const still = await page.picture();
	await page.press("ArrowLeft");
	await page.settle();
	check(await page.picture() !== still, "the left arrow does not turn the camera");
	await page.press("Home");
	await page.press(" ", "Space");
	await page.settle();
	check(await page.evaluate(`document.getElementById("play").textContent`) === "Pause", "space does not play");
	await page.press(" ", "Space");
	const box = await page.evaluate(`(() => { const b = document.getElementById("view").getBoundingClientRect(); return [b.left + b.width / 2, b.top + b.height / 2]; })()`);
	const calm = await page.picture();
	await page.mouse("mousePressed", ...box);
	await page.mouse("mouseMoved", box[0] + 80, box[1] + 20);
	await page.mouse("mouseReleased", box[0] + 80, box[1] + 20);
	await page.settle();
	check(await page.picture() !== calm, "dragging does not turn the camera");

	// The worst step's button goes there; charts have lines at that time.
	const [wanted, got] = await page.evaluate(`(() => { const b = document.querySelector("#worst button"); b.click(); return [parseFloat(b.textContent), rubble.player.state().time]; })()`);
	check(Math.abs(wanted - got) < 0.01, `the worst step is at ${wanted} s, and the film at ${got} s`);
	const charts = await page.evaluate(`[...document.querySelectorAll("svg")].map((svg) => [svg.getAttribute("aria-label"), svg.querySelectorAll("polygon, polyline").length, svg.querySelectorAll(".now").length])`);
	check(charts.length === 5 && charts.every(([label, shapes, now]) => label && shapes > 0 && now === 1), `charts: ${JSON.stringify(charts)}`);
	check(await page.evaluate(`document.querySelectorAll("svg .mark").length`) > 0, "no break is marked");
	check(await page.evaluate(`[...document.querySelectorAll(".cards dd")].some((e) => /^[0-9a-f]{16}$/.test(e.textContent))`), "no state hash");
	check(await page.evaluate(`document.querySelectorAll("button:not([aria-label]), a").length > 0 && [...document.querySelectorAll("button, input, select, canvas")].every((e) => e.textContent.trim() || e.getAttribute("aria-label") || e.labels?.length)`), "a control has no name");

	// Dark and light differ, by the system and by the button.
	const light = await page.evaluate("getComputedStyle(document.body).backgroundColor");
	await page.theme("dark");
	const dark = await page.evaluate("getComputedStyle(document.body).backgroundColor");
	check(light !== dark, "dark looks like light");
	await page.settle();
	await draw(page, "run-dark.png");
	await page.evaluate(`document.getElementById("theme").click()`);
	check(await page.evaluate("getComputedStyle(document.body).backgroundColor") === light, "the button does not change the theme");

	// A lost context comes back.
	await page.evaluate(`(() => { const gl = document.getElementById("view").getContext("webgl2"); const e = gl.getExtension("WEBGL_lose_context"), on = (name, work) => gl.canvas.addEventListener(name, () => setTimeout(work), { once: true }); return new Promise((done) => { on("webglcontextlost", () => e.restoreContext()); on("webglcontextrestored", done); e.loseContext(); }); })()`);
	await page.settle();
	check((await state(0.5)).calls > 0, "nothing is drawn after the context was lost");
	page.complaints = page.complaints.filter((text) => !/context/i.test(text));
	isQuiet(page, "the run's page", address);

	const benchAddress = pathToFileURL(join(folder, "bench.html")).href, bench = await browser.open(benchAddress);
	const cases = await bench.evaluate(`document.querySelectorAll(".case").length`);
	check(cases > 100, `${cases} cases of benchmarks`);
	check(await bench.evaluate(`document.querySelectorAll(".track s").length`) > 20, "no targets are marked");
	check(await bench.evaluate(`document.querySelectorAll(".track b.before").length`) > 100, "nothing is compared");
	await bench.evaluate(`(() => { const s = document.querySelector("input[type=search]"); s.value = "pile"; s.dispatchEvent(new Event("input")); })()`);
	const shown = await bench.evaluate(`[...document.querySelectorAll(".case")].filter((e) => !e.hidden).length`);
	check(shown > 0 && shown < 20, `${shown} cases of piles`);
	await bench.settle();
	await draw(bench, "bench.png");
	isQuiet(bench, "the page of benchmarks", benchAddress);
} finally {
	await browser.close();
}
console.log(mistakes.length ? mistakes.join("\n") : `${checks} checks, all well`);
process.exit(mistakes.length || checks < 25 ? 1 : 0);
