// Steps in node: beside the native library, and beside other engines from npm (peers.mjs), which are installed into a
// temporary folder and skipped where there is no network.
//
//   RUBBLE_PROGRAM=build/release/tools/rubble node bindings/js/bench/run.mjs [PACKAGE] [--no-peers] [--no-scenes]
//
// Scenes are run several times by turns, native and here, RUNS times or for six seconds of steps; the least time of each
// step counts, so that neither another program nor a compiler that is not done yet does. The last lines are rows for
// docs/web.md.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { pathToFileURL } from "node:url";
import { measure, openJolt, openRapier, openRubble, pile, wall } from "./peers.mjs";

const folder = process.argv.find((value, i) => i > 1 && !value.startsWith("--")) ?? "build/web/js";
const rubbleModule = await import(pathToFileURL(`${folder}/index.js`)), { loadRubble } = rubbleModule;
const program = process.env.RUBBLE_PROGRAM, RUNS = Number(process.env.RUNS ?? 4), rows = [];
const median = values => values.slice().sort((a, b) => a - b)[values.length >> 1];
const mean = values => values.reduce((a, b) => a + b) / values.length;

// --- scenes, beside native -----------------------------------------------------------------------

/** The lesser of each step. */
const least = (best, times) => times.map((time, i) => Math.min(time, best?.[i] ?? Infinity));

async function scenes(names, work) {
	for (const name of names) {
		const path = new URL(`../../../scenes/${name}.json`, import.meta.url).pathname;
		const json = JSON.parse(readFileSync(path, "utf8")), steps = Math.min(240, json.step_count ?? 240), rubble = await loadRubble();
		let here = null, native = null, state = null, isSame = true;
		for (let run = 0, spent = 0; run < RUNS || (spent < 6000 && run < 24); ++run) {
			const scene = rubble.openScene(json), times = Array.from({ length: steps }, () => (scene.step(), scene.world.stats.stepMs));
			here = least(here, times), spent += times.reduce((a, b) => a + b);
			state = scene.hash;
			scene.dispose();
			if (program) {
				execFileSync(program, ["run", path, "-o", `${work}/film.glb`, "--steps", steps, "--json", `${work}/run.json`, "--stats", `${work}/steps.json`, "--quiet"]);
				native = least(native, JSON.parse(readFileSync(`${work}/steps.json`, "utf8")).map(({ ms }) => ms));
				isSame &&= JSON.parse(readFileSync(`${work}/run.json`, "utf8")).state === state;
			}
		}
		rows.push(native ? `| ${name} | ${mean(here).toFixed(3)} | ${mean(native).toFixed(3)} | ${(mean(here) / mean(native)).toFixed(2)} | ${isSame ? "the same" : "OTHERS"} |`
			: `| ${name} | ${mean(here).toFixed(3)} | | | |`);
		console.log(rows.at(-1));
	}
}

// --- other engines -------------------------------------------------------------------------------

function installPeers(work) {
	try {
		writeFileSync(`${work}/package.json`, '{ "private": true }');
		execFileSync("npm", ["install", "--silent", "--no-audit", "--no-fund", "@dimforge/rapier3d-simd-compat@0.20.0", "jolt-physics@1.1.0"], { cwd: work, stdio: "ignore" });
		return true;
	} catch {
		console.log("skipped: npm does not give the other engines");
		return false;
	}
}

async function engines(work, hasPeers) {
	const all = [["Rubble", scene => openRubble(rubbleModule, scene)], ...(hasPeers ? [["Rapier", scene => openRapier(work, scene)], ["Jolt", scene => openJolt(work, scene)]] : [])];
	for (const scene of [pile(1000, 10), pile(4000, 16), wall()].filter(({ name }) => !process.env.PEERS || name.includes(process.env.PEERS)))
		for (const [name, open] of all)
			try {
				const { times, awake, standing, mean: depth, deepest } = await measure(rubbleModule, scene, await open(scene));
				rows.push(`| ${scene.name} | ${name} | ${mean(times).toFixed(2)} | ${median(times).toFixed(2)} | ${Math.max(...times).toFixed(1)} | ` +
					`${(1000 * depth).toFixed(1)} | ${(1000 * deepest).toFixed(1)} | ${awake} | ${scene.name === "wall" ? standing : ""} |`);
				console.log(rows.at(-1));
			} catch (error) {
				console.log(`${scene.name}, ${name}: skipped: ${error.message}`);
			}
}

const work = mkdtempSync(`${tmpdir()}/rubble-bench-`);
try {
	if (!process.argv.includes("--no-scenes")) {
		console.log("| scene | ms a step in node | native | times | bits |\n|---|---|---|---|---|");
		await scenes(process.env.SCENES?.split(",") ?? ["wall", "window", "arena"], work);
	}
	if (!process.argv.includes("--no-peers")) {
		console.log("\n| scene | engine | ms a step | median | worst | overlap, mm | deepest | awake | bricks in place |\n|---|---|---|---|---|---|---|---|---|");
		await engines(work, installPeers(work));
	}
} finally {
	rmSync(work, { recursive: true });
}
