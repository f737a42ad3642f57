// The playground: gallery, tools, time, overlays, sharing.

import { Box3, Color, Vector3 } from "three";
import { constants, isSupported, loadRubble } from "../../bindings/js/index.js";
import { WorldView } from "../../bindings/js/three.js";
import { Game } from "./game.js";
import { OWN_SIZE, ownScene, scenes } from "./gallery.js";
import { Graph } from "./graph.js";
import { decodeRun, encodeRun } from "./link.js";
import { NodeEditor } from "./nodes.js";
import { prepareFile, SIZE_LIMIT } from "./prepare.js";
import { readTextures } from "./textures.js";
import { defaults } from "./settings.js";
import { Stage } from "./stage.js";
import { thumbnails } from "./thumbnails.js";

const TOOLS = [["throw", "Throw a ball"], ["shoot", "Shoot"], ["hammer", "Hammer"], ["explode", "Explosion"], ["grab", "Grab, pull"], ["knife", "Knife"]];
const STROKE_PIXELS = 10; // between two cuts of a stroke
const OVERLAYS = [["boxes", "Boxes", constants.DRAW_BOXES], ["cells", "BSP cells", constants.DRAW_CELLS], ["contacts", "Contacts", constants.DRAW_CONTACTS],
	["parts", "Convex parts", constants.DRAW_PARTS], ["fields", "Sphere tree", constants.DRAW_FIELDS], ["joints", "Joints", constants.DRAW_JOINTS],
	["stress", "Stress", constants.DRAW_STRESS], ["bonds", "Bonds, wear", 0], ["sleep", "Sleeping", 0], ["islands", "Islands", 0]];
const PRESETS = ["", "concrete", "brick", "stone", "glass", "tempered_glass", "wood", "plaster", "ceramic", "ice", "metal_sheet"];

const $ = id => document.getElementById(id);
const query = new URLSearchParams(location.search);
const isManual = query.has("manual"); // tests step it by hand

const page = {
	rubble: null, stage: null, game: null, view: null, graph: null,
	tool: "throw", isPaused: false, overlays: new Set(), time: 0, held: null, stroke: null, knife: null, lastFrame: 0, scriptMs: 0,
	settings: { ...defaults }, chosenSize: null, own: null, isReady: false, errors: [],
};
globalThis.playground = page;

function say(text) {
	$("status").textContent = text;
}

function failed(error) {
	page.errors.push(error.message);
	say(error.message);
}

const pause = (milliseconds = 0) => new Promise(resolve => setTimeout(resolve, milliseconds));

// --- scenes -------------------------------------------------------------------------------------

function bounds(game) {
	const box = new Box3(), corner = new Vector3();
	for (const id of game.world.bodies) {
		if (game.scene.triangles(id).isHidden)
			continue;
		const { lower, upper } = game.world.body(id).bounds;
		const wide = Math.max(upper.x - lower.x, upper.z - lower.z);
		if (wide > 150 || (upper.y < 0.2 && wide > 4)) // a floor
			continue;
		box.expandByPoint(corner.set(lower.x, lower.y, lower.z));
		box.expandByPoint(corner.set(upper.x, upper.y, upper.z));
	}
	const { now } = game.scene.cloth ?? { now: [] };
	for (let i = 0; i < now.length; i += 3)
		box.expandByPoint(corner.set(now[i], now[i + 1], now[i + 2]));
	return box.isEmpty() ? new Box3(new Vector3(-1, 0, -1), new Vector3(1, 2, 1)) : box;
}

/** Begin a scene of the gallery, or "own". */
page.open = function open(name, { settings, keepsCamera = false } = {}) {
	const entry = name === "own" ? page.own ?? { json: ownScene(), size: OWN_SIZE } : scenes[name];
	if (!entry)
		throw new Error(`there is no scene '${name}'`);
	// Balls have the scene's size until the visitor chooses one.
	settings ??= { ...page.settings, size: page.chosenSize ?? entry.size ?? defaults.size };
	stopEditing();
	const game = new Game(page.rubble, name, entry, settings, name === "own" ? page.own?.files : entry.files);
	const textures = name === "own" ? page.own?.textures : null;
	page.game?.dispose();
	page.game = game;
	page.settings = { ...settings };
	page.rubble.nameTextures(textures?.names ?? []);
	page.stage.setTextures(textures?.texture ?? null);
	page.view = new WorldView(game.scene, { material: page.stage.material, hasTextures: !!textures });
	page.stage.setView(page.view);
	page.stage.dust.clear();
	page.graph.clear();
	page.held = page.stroke = page.knife = null;
	page.stage.controls.enabled = true; // a drag of the scene before may have ended in the middle
	page.time = 0;
	if (!keepsCamera)
		page.stage.frame(bounds(game), entry.camera ?? Object.values(game.json.cameras ?? {})[0]);
	showSettings();
	for (const button of $("gallery").children)
		button.setAttribute("aria-current", String(button.dataset.scene === name));
	$("authoring").hidden = name !== "own" || !page.own?.files["own.rbl"];
	$("edit-nodes").disabled = !page.own?.source;
	drawOverlays();
	say(`${entry.title ?? "Own shape"}: ${game.json.description ?? ""}`);
	return game;
};

// --- steps --------------------------------------------------------------------------------------

function makeDust() {
	const { events } = page.game.world;
	if (events.fractureCount === 0)
		return;
	for (const event of events.fractures) {
		const radius = Math.max(0.03, 0.35 * Math.cbrt(event.exposedArea / Math.max(1, event.newCount)));
		for (const emitter of event.emitters.slice(0, 12))
			page.stage.dust.add(emitter.position, emitter.velocity, Math.max(radius, 0.5 * Math.sqrt(emitter.area)));
		for (const { position, velocity } of event.dust.slice(0, 12))
			page.stage.dust.add(position, velocity, radius);
		if (event.emitters.length === 0 && event.newCount > 0)
			page.stage.dust.add(event.point, { x: 0, y: 0.5, z: 0 }, 1.5 * radius);
	}
}

function step() {
	page.game.step();
	const begin = performance.now();
	page.view.step();
	makeDust();
	if (page.knife)
		lookAtKnife();
	page.graph.add(page.game.world.stats, page.game.clothMs);
	page.scriptMs += performance.now() - begin;
}

/** Make steps now: for tests, links and the Step button. */
page.advance = function advance(count = 1) {
	for (let i = 0; i < count; ++i)
		step();
	page.time = 0;
	page.stage.dust.update(count * page.game.scene.timeStep);
	drawOverlays();
	page.graph.draw();
	return page.game.hash;
};

function drawOverlays() {
	const { overlays, game, stage } = page;
	let flags = 0;
	for (const [name, , flag] of OVERLAYS)
		if (overlays.has(name))
			flags |= flag;
	if (overlays.has("bonds"))
		stage.setLines(game.world.bondLines());
	else if (flags)
		stage.setLines(game.world.lines(flags));
	else
		stage.lines.visible = false;
	if (overlays.has("sleep")) {
		const { now } = page.game.world.poses, asleep = new Color(0.35, 0.5, 1), awake = new Color(1.25, 1, 0.7);
		page.view.tint(index => now[8 * index + 3] ? awake : asleep);
	} else if (overlays.has("islands")) {
		const islands = game.world.islands.slice();
		page.view.tint(index => new Color().setHSL(islands[index] * 0.618 % 1, 0.8, 0.6).multiplyScalar(1.6));
	} else if (page.isTinted) {
		page.view.tint(null);
	}
	page.isTinted = overlays.has("sleep") || overlays.has("islands");
}

function frame(now) {
	requestAnimationFrame(frame);
	const interval = now - page.lastFrame;
	page.lastFrame = now;
	if (!page.game || document.hidden)
		return;
	page.scriptMs = 0;
	let made = 0;
	if (!page.isPaused && !isManual && !page.isBusy && !page.editor) {
		const dt = page.game.scene.timeStep, speed = Number($("speed").value);
		page.time += Math.min(0.1, interval / 1000) * speed; // a page that was away does not catch up
		try {
			for (; page.time >= dt && made < 4; ++made) {
				page.time -= dt;
				step();
			}
			if (made === 4)
				page.time = Math.min(page.time, dt);
		} catch (error) {
			page.isPaused = true;
			failed(error);
		}
		page.stage.dust.update(Math.min(0.1, interval / 1000) * speed);
	}
	const begin = performance.now();
	page.view.update(page.isPaused || isManual ? 1 : Math.min(1, page.time / page.game.scene.timeStep));
	if (made > 0 && (page.overlays.size > 0 || page.isTinted))
		drawOverlays();
	page.scriptMs += performance.now() - begin;
	page.stage.render(interval);
	page.frames = (page.frames ?? 0) + 1;
	page.interactiveMs ??= performance.now(); // it answers from here on
	if (made > 0 && page.frames % 6 === 0)
		page.graph.draw(` · ${page.stage.renderer.info.render.calls} draw calls · ${page.scriptMs.toFixed(2)} ms of script` +
			(page.stage.level ? " · plain looks: frames were late" : ""));
}

// --- tools --------------------------------------------------------------------------------------

/** Cut from one point of the picture to another. @param what  "cut", cloth, or "slice", bodies along the whole plane */
page.cut = function cut(what, x, y, toX, toY) {
	const a = page.stage.ray(x, y), b = page.stage.ray(toX, toY);
	const reach = a.from.distanceTo(page.stage.controls.target) + 4 * page.stage.size;
	page.knife ??= { cutCount: page.game.cutCount };
	page.knife.step = page.game.stepIndex + 3; // breaks may wait
	page.game.cut(what, a.from.toArray(), a.direction.toArray(), b.direction.toArray(), reach);
};

function lookAtKnife() {
	if (page.game.stepIndex < page.knife.step)
		return;
	if (page.game.cutCount === page.knife.cutCount)
		say("The knife met nothing that it cuts: it goes through cloth and through what can break.");
	page.knife = null;
}

page.use = function use(x, y, tool = page.tool) {
	if (tool === "knife") { // a stroke down through the point
		for (const what of ["cut", "slice"])
			page.cut(what, x, y + 0.3, x, y - 0.3);
		return null;
	}
	const { from, direction } = page.stage.ray(x, y);
	return page.game.use(tool, from.toArray(), direction.toArray(), Number($("power").value));
};

function pointerPlace(event) {
	const { left, top, width, height } = $("view").getBoundingClientRect();
	return [2 * (event.clientX - left) / width - 1, 1 - 2 * (event.clientY - top) / height];
}

/** Begin to pull what is under a point. @returns whether something is held */
page.grab = function grab(x, y) {
	const hit = page.use(x, y, "grab");
	if (!hit || page.game.world.body(hit.body).state.kind !== constants.BODY_DYNAMIC)
		return false;
	page.held = { distance: new Vector3(hit.point.x, hit.point.y, hit.point.z).distanceTo(page.stage.camera.position), step: -1 };
	return true;
};

page.drag = function drag(x, y) {
	if (!page.held || page.held.step === page.game.stepIndex)
		return;
	const { from, direction } = page.stage.ray(x, y);
	page.held.step = page.game.stepIndex; // one for a step is enough
	page.game.act({ action: "drag", position: from.addScaledVector(direction, page.held.distance).toArray() });
};

page.release = function release() {
	if (page.held)
		page.game.act({ action: "release" });
	page.held = null;
	page.stage.controls.enabled = true;
};

function listenToPointer() {
	const canvas = $("view");
	let down = null;
	canvas.addEventListener("pointerdown", event => {
		down = { x: event.clientX, y: event.clientY, button: event.button, id: event.pointerId };
		if (page.editor) {
			down.node = pointAtNode(event);
			page.stage.controls.enabled = !down.node;
			return;
		}
		if (page.tool === "knife" && event.button === 0 && page.game) {
			page.stroke = { x: event.clientX, y: event.clientY, at: pointerPlace(event), begin: pointerPlace(event), isMoved: false };
			page.stage.controls.enabled = false;
		}
		if (page.tool === "grab" && event.button === 0 && page.game && page.grab(...pointerPlace(event)))
			page.stage.controls.enabled = false;
	}, { capture: true });
	canvas.addEventListener("pointermove", event => {
		if (page.held)
			page.drag(...pointerPlace(event));
		else if (page.stroke)
			goOnCutting(event);
		else if (page.editor && down?.node)
			changeNodes(editor => editor.drag(editor.selected, ...pointerPlace(event)));
	});
	addEventListener("pointerup", event => {
		const isClick = down && down.id === event.pointerId && down.button === 0 && event.target === canvas &&
			Math.hypot(event.clientX - down.x, event.clientY - down.y) < 6;
		if (page.editor) {
			page.stage.controls.enabled = true;
			if (isClick && !down.node)
				changeNodes(editor => editor.add(...pointerPlace(event)));
		} else if (page.stroke?.isMoved)
			slice();
		else if (page.held)
			page.release();
		else if (isClick && page.tool !== "grab" && page.game)
			page.use(...pointerPlace(event));
		endStroke();
		down = null;
	});
	addEventListener("pointercancel", () => { endStroke(); page.release(); });
}

function goOnCutting(event) {
	const { stroke } = page;
	if (Math.hypot(event.clientX - stroke.x, event.clientY - stroke.y) < STROKE_PIXELS)
		return;
	const at = pointerPlace(event);
	again(() => page.cut("cut", ...stroke.at, ...at));
	Object.assign(stroke, { x: event.clientX, y: event.clientY, at, isMoved: true });
}

/** Cut bodies along the plane of a stroke, from where it began to where it ended. */
function slice() {
	const { begin, at } = page.stroke, { width, height } = $("view").getBoundingClientRect();
	if (Math.hypot(0.5 * width * (at[0] - begin[0]), 0.5 * height * (at[1] - begin[1])) >= STROKE_PIXELS)
		again(() => page.cut("slice", ...begin, ...at));
}

function endStroke() {
	if (page.stroke)
		page.stage.controls.enabled = true;
	page.stroke = null;
}

function turn(angle, tilt, zoom = 1) {
	const { camera, controls } = page.stage, offset = camera.position.clone().sub(controls.target);
	const radius = offset.length() * zoom, polar = Math.min(1.6, Math.max(0.1, Math.acos(offset.y / offset.length()) + tilt));
	const around = Math.atan2(offset.x, offset.z) + angle;
	offset.set(Math.sin(polar) * Math.sin(around), Math.cos(polar), Math.sin(polar) * Math.cos(around)).multiplyScalar(radius);
	camera.position.copy(controls.target).add(offset);
	controls.update();
}

function listenToKeys() {
	const canvas = {
		ArrowLeft: () => turn(-0.1, 0), ArrowRight: () => turn(0.1, 0), ArrowUp: () => turn(0, -0.07), ArrowDown: () => turn(0, 0.07),
		"+": () => turn(0, 0, 0.9), "-": () => turn(0, 0, 1.11),
		Delete: () => page.editor && $("node-remove").click(),
		Enter: () => page.editor ? $("node-add").click() : page.tool === "grab" ? (page.held ? page.release() : page.grab(0, 0)) : page.use(0, 0),
	};
	const anywhere = { ".": () => $("step").click(), r: () => $("reset").click(), z: () => $("rewind").click(), " ": () => $("pause").click() };
	addEventListener("keydown", event => {
		if (event.ctrlKey || event.metaKey || event.altKey || !page.game)
			return;
		const isControl = /^(INPUT|SELECT|BUTTON)$/.test(event.target.tagName);
		const digit = TOOLS[Number(event.key) - 1];
		const work = event.target === $("view") ? canvas[event.key] ?? anywhere[event.key]
			: isControl && event.key === " " ? null : anywhere[event.key];
		if (digit && event.target.tagName !== "INPUT")
			chooseTool(digit[0]);
		else if (work)
			work();
		else
			return;
		event.preventDefault();
	});
}

function chooseTool(name) {
	page.tool = name;
	for (const button of $("tools").children) {
		button.setAttribute("aria-checked", String(button.dataset.tool === name));
		button.tabIndex = button.dataset.tool === name ? 0 : -1;
	}
}

// --- files --------------------------------------------------------------------------------------

function showProgress(text, share) {
	const bar = $("progress").querySelector("progress");
	$("progress").hidden = false;
	if (share === null)
		bar.removeAttribute("value");
	else
		bar.value = share;
	say(`${text}…`);
}

/** Prepare a file in a worker; in the page where workers cannot be started, as from file://. */
async function prepare(bytes, name, nodes) {
	if (location.protocol !== "file:" && !query.has("noworker") && typeof Worker === "function") {
		const worker = new Worker(new URL("worker.js", document.baseURI));
		try {
			return await new Promise((resolve, reject) => {
				worker.onmessage = ({ data }) => data.progress ? showProgress(data.progress.text, data.progress.share)
					: data.error ? reject(new Error(data.error)) : resolve(data.result);
				worker.onerror = event => reject(new Error(event.message || "the worker could not be started"));
				worker.postMessage({ module: page.rubble.module, bytes, name, nodes });
			});
		} finally {
			worker.terminate();
		}
	}
	return prepareFile(page.rubble, bytes, name, async (text, share) => { showProgress(text, share); await pause(); }, nodes);
}

/** Open a file: a model to break, or a scene. */
page.openFile = async function openFile(file) {
	page.isBusy = true;
	try {
		if (file.size > SIZE_LIMIT)
			throw new Error(`${file.name}: ${Math.round(file.size / 1e6)} MB; files of up to ${SIZE_LIMIT / 1e6} MB are read here`);
		if (file.name.endsWith(".json")) {
			page.own = { json: JSON.parse(await file.text()), files: {} };
			page.open("own");
			return;
		}
		const bytes = new Uint8Array(await file.arrayBuffer());
		const result = await prepare(bytes, file.name, null), textures = await readTextures(bytes, file.name);
		page.own = { json: ownScene({ file: "own.rbl" }, result.height, result.position), files: { "own.rbl": result.bytes },
			source: file.name.endsWith(".rbl") ? null : { bytes, name: file.name }, nodes: result.nodes, height: result.height, position: result.position, textures };
		page.open("own");
		say(`${result.text}. Break it.`);
		$("nodes-count").textContent = `${result.nodes.length / 3} nodes`;
	} catch (error) {
		failed(error instanceof SyntaxError ? new Error(`${file.name}: not a scene: ${error.message}`) : error);
	} finally {
		$("progress").hidden = true;
		page.isBusy = false;
	}
};

function listenToFiles() {
	$("file").addEventListener("change", event => event.target.files[0] && page.openFile(event.target.files[0]));
	let depth = 0;
	addEventListener("dragenter", event => { event.preventDefault(); depth++; $("drop").hidden = false; });
	addEventListener("dragover", event => event.preventDefault());
	addEventListener("dragleave", () => { if (--depth <= 0) $("drop").hidden = true; });
	addEventListener("drop", event => {
		event.preventDefault();
		depth = 0;
		$("drop").hidden = true;
		if (event.dataTransfer.files[0])
			page.openFile(event.dataTransfer.files[0]);
	});
}

function download(bytes, name, type) {
	const link = document.createElement("a");
	link.href = URL.createObjectURL(new Blob([bytes], { type }));
	link.download = name;
	link.click();
	setTimeout(() => URL.revokeObjectURL(link.href), 10000);
	page.lastDownload = { name, size: bytes.length, bytes };
}

async function downloadAgain(options, name, type) {
	page.isBusy = true;
	try {
		const bytes = await page.game.again(options, async share => { showProgress("running it again", share); await pause(); });
		download(bytes, name, type);
		say(`${name}: ${(bytes.length / 1e6).toFixed(1)} MB, with the same bits`);
	} catch (error) {
		failed(error);
	} finally {
		$("progress").hidden = true;
		page.isBusy = false;
	}
}

// --- nodes by hand ------------------------------------------------------------------------------

/** Begin to edit the nodes of the model that was dropped; it stands still meanwhile. */
page.editNodes = function editNodes() {
	page.open("own", { keepsCamera: true });
	page.editor = new NodeEditor(page.rubble, page.stage, page.own);
	page.view.visible = false;
	page.stage.lines.visible = false;
	showNodes();
	say("Click on the model to place a node, drag one to move it, right click or Delete removes it.");
	return page.editor;
};

function stopEditing() {
	page.editor?.dispose();
	page.editor = null;
	$("node-fields").hidden = true;
	$("edit-nodes").setAttribute("aria-pressed", "false");
}

/** Break what the nodes make of it. */
page.useNodes = function useNodes() {
	const { editor, own } = page;
	own.nodes = Float64Array.from(editor.nodes);
	own.files = { "own.rbl": editor.save() };
	page.open("own", { keepsCamera: true });
	say(`${own.nodes.length / 3} nodes. Break it.`);
};

/** Change nodes, and show what became of it. */
function changeNodes(work) {
	again(() => {
		work(page.editor);
		showNodes();
	});
}
page.changeNodes = changeNodes;

function showNodes() {
	const { editor } = page, { report } = editor, list = $("nodes");
	$("node-fields").hidden = false;
	$("edit-nodes").setAttribute("aria-pressed", "true");
	$("nodes-count").textContent = `${report.nodeCount} nodes, ${report.partCount} parts, ${editor.milliseconds.toFixed(0)} ms` +
		(report.keptCount ? `, ${report.keptCount} parts kept` : "");
	list.replaceChildren(...Array.from({ length: editor.count }, (_, i) => new Option(`Node ${i + 1}`, i)));
	list.selectedIndex = editor.selected;
	const at = editor.selected < 0 ? null : editor.node(editor.selected);
	for (const axis of ["x", "y", "z"]) {
		$(`node-${axis}`).disabled = !at;
		$(`node-${axis}`).value = at ? at[axis].toFixed(3) : "";
	}
}

function listenToNodes() {
	$("edit-nodes").onclick = () => again(() => page.editor ? page.useNodes() : page.editNodes());
	$("node-add").onclick = () => changeNodes(editor => {
		if (editor.add(0, 0) < 0)
			throw new Error("There is no model in the middle of the picture to place a node in.");
	});
	$("node-remove").onclick = () => changeNodes(editor => {
		if (!editor.remove(editor.selected))
			throw new Error(editor.selected < 0 ? "Choose a node to remove." : "The last node stays.");
	});
	$("nodes").onchange = event => changeNodes(editor => editor.select(event.target.selectedIndex));
	for (const axis of ["x", "y", "z"])
		$(`node-${axis}`).onchange = event => changeNodes(editor =>
			Number.isFinite(event.target.valueAsNumber) && editor.move(editor.selected, Object.assign(editor.node(editor.selected), { [axis]: event.target.valueAsNumber })));
	$("view").addEventListener("contextmenu", event => page.editor && event.preventDefault());
}

/** What a pointer does while nodes are edited. @returns whether it holds a node */
function pointAtNode(event) {
	const [x, y] = pointerPlace(event), index = page.editor.find(x, y);
	if (index >= 0)
		changeNodes(editor => event.button === 2 ? editor.remove(index) : editor.select(index));
	return index >= 0 && event.button === 0;
}

// --- sharing ------------------------------------------------------------------------------------

page.link = () => location.href.replace(/#.*/, "") + encodeRun(page.game.run);

/** Run what a link says. @returns whether the hash at its end is the sender's */
page.openRun = async function openRun(run) {
	page.isBusy = true;
	try {
		page.chosenSize = run.settings?.size ?? page.chosenSize;
		const game = page.open(run.scene, { settings: { ...defaults, ...run.settings } });
		let next = 0;
		while (game.stepIndex < run.steps) {
			for (; next < run.actions.length && run.actions[next][0] <= game.stepIndex; ++next)
				game.act(run.actions[next][1]);
			step();
			if (game.stepIndex % 5 === 0 && !isManual)
				page.stage.dust.update(5 * game.scene.timeStep), await pause();
		}
		for (; next < run.actions.length; ++next)
			game.act(run.actions[next][1]);
		drawOverlays();
		page.isPaused = true;
		showPaused();
		const isSame = game.hash === run.hash;
		say(isSame ? `The same bits as the sender's: state ${game.hash} after ${run.steps} steps.`
			: `Not the sender's bits: ${game.hash} here, ${run.hash} there. It was made with another version.`);
		return isSame;
	} finally {
		page.isBusy = false;
	}
};

// --- the page -----------------------------------------------------------------------------------

function showSettings() {
	for (const name of ["cells", "strength", "gravity", "size"])
		$(name).value = page.settings[name];
	$("preset").value = page.settings.preset;
	document.querySelectorAll("output").forEach(output => { output.textContent = $(output.htmlFor.value).value; });
}

function showPaused() {
	$("pause").setAttribute("aria-pressed", String(page.isPaused));
	$("pause").textContent = page.isPaused ? "Go on" : "Pause";
}

function currentSettings() {
	const numbers = Object.fromEntries(["cells", "strength", "gravity", "size"].map(name => [name, Number($(name).value)]));
	return { preset: $("preset").value, ...numbers };
}

function again(work) {
	try {
		work();
	} catch (error) {
		failed(error);
	}
}

function build() {
	for (const [name, { title }] of [...Object.entries(scenes), ["own", { title: "Own shape" }]]) {
		const button = document.createElement("button");
		button.type = "button";
		button.dataset.scene = name;
		const image = document.createElement("img");
		image.alt = "";
		image.src = thumbnails[name] ?? "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=";
		button.append(image, title);
		button.onclick = () => again(() => page.open(name));
		$("gallery").append(button);
	}
	for (const [name, title] of TOOLS) {
		const button = document.createElement("button");
		Object.assign(button, { type: "button", textContent: title, onclick: () => chooseTool(name) });
		button.dataset.tool = name;
		button.setAttribute("role", "radio");
		$("tools").append(button);
	}
	$("tools").addEventListener("keydown", event => {
		const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
		if (!by)
			return;
		const at = (TOOLS.findIndex(([name]) => name === page.tool) + by + TOOLS.length) % TOOLS.length;
		chooseTool(TOOLS[at][0]);
		$("tools").children[at].focus();
		event.preventDefault();
	});
	for (const [name, title] of OVERLAYS) {
		const label = document.createElement("label"), box = document.createElement("input");
		box.type = "checkbox", box.id = `overlay-${name}`;
		box.onchange = () => { box.checked ? page.overlays.add(name) : page.overlays.delete(name); drawOverlays(); };
		label.append(box, title);
		$("overlays").append(label);
	}
	for (const name of PRESETS)
		$("preset").append(new Option(name.replace("_", " ") || "what the scene says", name));
	chooseTool("throw");
	document.querySelectorAll("input[type=range]").forEach(input => input.addEventListener("input", () => {
		document.querySelector(`output[for=${input.id}]`).textContent = input.value;
	}));
	$("pause").onclick = () => { page.isPaused = !page.isPaused; showPaused(); };
	$("step").onclick = () => again(() => { page.isPaused = true; showPaused(); page.advance(1); });
	$("reset").onclick = () => again(() => page.open(page.game.name, { keepsCamera: true }));
	$("apply").onclick = () => again(() => page.open(page.game.name, { settings: currentSettings(), keepsCamera: true }));
	$("size").addEventListener("change", () => { page.chosenSize = Number($("size").value); });
	$("gravity").addEventListener("change", () => again(() => page.open(page.game.name, { settings: currentSettings(), keepsCamera: true })));
	$("rewind").onclick = () => again(() => {
		page.release();
		const to = page.game.rewind();
		page.knife = null;
		page.view.reset();
		page.graph.clear();
		drawOverlays();
		say(`Back at step ${to}, state ${page.game.hash}.`);
	});
	$("link").onclick = async () => {
		if (page.game.name === "own") {
			say("A scene with a model of your own is too large for a link: download it.");
			return;
		}
		history.replaceState(null, "", page.link());
		await navigator.clipboard?.writeText(page.link()).catch(() => {});
		say(`The address has it all: whoever opens it sees the same bits, state ${page.game.hash} after ${page.game.stepIndex} steps.`);
	};
	$("download-scene").onclick = () => download(new TextEncoder().encode(JSON.stringify(page.game.file, null, "\t")), `${page.game.name}.json`, "application/json");
	$("download-film").onclick = () => downloadAgain({ film: true }, `${page.game.name}.glb`, "model/gltf-binary");
	$("download-recording").onclick = () => downloadAgain({ isRecorded: true }, `${page.game.name}.rblr`, "application/octet-stream");
	$("download-asset").onclick = () => download(page.editor?.save() ?? page.own.files["own.rbl"], "own.rbl", "application/octet-stream");
	$("looks").onchange = event => page.stage.setLooks(event.target.value);
	$("fold").onclick = () => $("fold").setAttribute("aria-expanded", String(!$("panel").classList.toggle("folded")));
	listenToPointer();
	listenToKeys();
	listenToFiles();
	listenToNodes();
}

/** Where the module is: beside the page, or in a script where pages may not fetch. */
async function findModule() {
	if (location.protocol !== "file:")
		return new URL("rubble.wasm", document.baseURI);
	await new Promise((resolve, reject) => {
		const script = document.createElement("script");
		Object.assign(script, { src: "rubble.wasm.js", onload: resolve, onerror: () => reject(new Error("rubble.wasm.js is missing beside the page")) });
		document.head.append(script);
	});
	return Uint8Array.from(atob(globalThis.rubbleModule), letter => letter.charCodeAt(0));
}

async function main() {
	if (!isSupported()) {
		say("This browser has no WebAssembly SIMD, which Rubble needs. Any browser of the last three years has it.");
		return;
	}
	build();
	page.graph = new Graph(document.querySelector("#graph canvas"), $("figures"));
	try {
		page.stage = new Stage($("view"));
	} catch {
		say("This browser shows no WebGL 2, which the page draws with.");
		return;
	}
	if (query.has("looks"))
		page.stage.setLooks(query.get("looks"));
	$("view").addEventListener("webglcontextlost", event => {
		event.preventDefault();
		page.isPaused = true, showPaused();
		say("The graphics card is gone for the moment; the run waits.");
	});
	$("view").addEventListener("webglcontextrestored", () => say("The graphics card is back: go on."));
	document.addEventListener("visibilitychange", () => {
		page.lastFrame = performance.now();
		if (page.isReady && !page.isPaused && !page.isBusy)
			say(document.hidden ? "This tab is in the background; the run waits." : `Back: it goes on from step ${page.game.stepIndex}.`);
	});
	new ResizeObserver(() => page.stage.resize()).observe($("view"));
	page.rubble = await loadRubble({ wasm: await findModule() });
	const run = decodeRun(location.hash);
	if (run)
		await page.openRun(run);
	else
		page.open(scenes[query.get("scene")] ? query.get("scene") : "wall");
	page.isReady = true;
	page.readyMs = performance.now();
	requestAnimationFrame(frame);
}

main().catch(failed);
