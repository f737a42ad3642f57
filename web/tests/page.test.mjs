// The playground in a real browser. RUBBLE_PAGE is its folder, RUBBLE_PROGRAM the native program to compare with.
// Times are printed, and are claims only where RBL_TIMED=1 asks for that, on an idle machine.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { launch, openPage, serve } from "./browser.mjs";

const folder = process.env.RUBBLE_PAGE, program = process.env.RUBBLE_PROGRAM, isTimed = process.env.RBL_TIMED === "1";
const axe = readFileSync(new URL("../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
let browser, host;

before(async () => {
	host = await serve(folder);
	browser = await launch();
});
after(async () => {
	await browser?.close();
	host?.server.close();
});

async function open(query = "?manual&looks=plain", options) {
	const opened = await openPage(browser, host.address + query, options);
	opened.evaluate = (work, argument) => opened.page.evaluate(work, argument);
	opened.status = () => opened.page.textContent("#status");
	return opened;
}

/** A time that was measured. */
function timed(t, text, ms, limit) {
	assert.ok(ms >= 0 && Number.isFinite(ms), `${text}: ${ms} ms`);
	t.diagnostic(`${text}: ${ms.toFixed(2)} ms of ${limit}`);
	if (isTimed)
		assert.ok(ms <= limit, `${text}: ${ms} ms`);
}

/** The state that the program ends in, of a scene as JSON. */
function nativeState(json, steps) {
	const work = mkdtempSync(`${tmpdir()}/rubble-`);
	try {
		writeFileSync(`${work}/scene.json`, JSON.stringify(json));
		execFileSync(program, ["run", `${work}/scene.json`, "-o", `${work}/film.glb`, "--steps", steps, "--json", `${work}/run.json`]);
		return JSON.parse(readFileSync(`${work}/run.json`, "utf8")).state;
	} finally {
		rmSync(work, { recursive: true });
	}
}

test("the gallery loads and every scene steps, without errors and without requests to others", async () => {
	const { page, problems, evaluate, context } = await open();
	const names = await page.$$eval("#gallery button", buttons => buttons.map(button => button.dataset.scene));
	assert.ok(names.length >= 24);
	assert.deepEqual(await page.$$eval("#gallery img", images => images.filter(image => image.naturalWidth < 100).map(image => image.parentElement.textContent)), [], "thumbnails");
	for (const name of names) {
		const [bodies, drawn, steps] = await evaluate(name => {
			document.querySelector(`#gallery button[data-scene="${name}"]`).click();
			playground.advance(3);
			return [playground.game.world.bodyCount, playground.view.count, playground.game.stepIndex];
		}, name);
		assert.ok(bodies > 0 && drawn > 0 && steps === 3, name);
	}
	assert.deepEqual(problems, []);
	await context.close();
});

test("the page is small, and says when it answered, with software rendering", async t => {
	const names = ["index.html", "style.css", "playground.js", "worker.js", "rubble.wasm"];
	const size = names.reduce((sum, name) => sum + gzipSync(readFileSync(`${folder}/${name}`), { level: 9 }).length, 0);
	assert.ok(size <= 1.5e6, `${size} bytes gzipped`);
	let least = Infinity;
	for (let i = 0; i < (isTimed ? 4 : 1) && least > 3000; ++i) { // others use this machine, too
		const { page, problems, context } = await open("");
		await page.waitForFunction(() => playground.interactiveMs > 0);
		least = Math.min(least, await page.evaluate(() => playground.interactiveMs));
		assert.deepEqual(problems, []);
		await context.close();
	}
	timed(t, "the page answers", least, 3000);
});

test("each tool does something that can be measured", async () => {
	const { page, problems, evaluate, context } = await open("?manual&looks=plain&scene=blast");
	for (const tool of ["shoot", "hammer", "explode"]) {
		const broken = await evaluate(tool => {
			playground.open("blast");
			playground.use(-0.1, 0, tool);
			playground.advance(12);
			return playground.game.fractures;
		}, tool);
		assert.ok(broken > 0, tool);
	}
	const [before, after_] = await evaluate(() => {
		playground.open("wall");
		const before = playground.game.world.bodyCount;
		playground.use(0, 0, "throw");
		playground.advance(1);
		return [before, playground.game.world.bodyCount];
	});
	assert.equal(after_, before + 1);
	const lifted = await evaluate(() => {
		playground.open("wall");
		const { world } = playground.game;
		let held = false;
		for (let y = 0.3; y > -0.3 && !held; y -= 0.02)
			held = playground.grab(0, y);
		const { hash } = playground.game;
		playground.drag(0, 0.8);
		playground.advance(20);
		const isHolding = playground.game.scene.isHolding;
		playground.release();
		playground.advance(1);
		return { held, isHolding, isLetGo: !playground.game.scene.isHolding, moved: hash !== playground.game.hash };
	});
	assert.deepEqual(lifted, { held: true, isHolding: true, isLetGo: true, moved: true });
	await page.mouse.click(300, 300); // by the mouse, as a visitor does
	assert.ok(await evaluate(() => playground.game.actions.some(({ action }) => action === "throw")));
	assert.deepEqual(problems, []);
	await context.close();
});

test("cloth is drawn, torn and cut with a knife, rewound, and ends in the bits of the native program", async () => {
	const { page, evaluate, status, problems, context } = await open("?manual&looks=full&scene=curtain");
	const red = () => evaluate(() => {
		playground.view.update(1);
		playground.stage.render(16);
		const view = document.getElementById("view"), copy = document.createElement("canvas").getContext("2d");
		[copy.canvas.width, copy.canvas.height] = [view.width, view.height];
		copy.drawImage(view, 0, 0);
		const { data } = copy.getImageData(0, 0, view.width, view.height);
		let count = 0;
		for (let i = 0; i < data.length; i += 4)
			count += data[i] > 60 && data[i] > 2 * data[i + 1] && data[i] > 2 * data[i + 2];
		return count / (view.width * view.height);
	});
	assert.ok(await red() > 0.03, `${await red()} of the picture is red`);
	const whole = await evaluate(() => playground.game.scene.cloth.sheets.length);
	await page.click('[data-tool="knife"]');
	const { x, y, width, height } = await page.locator("#view").boundingBox(); // by the mouse, as a visitor does
	await page.mouse.move(x + 0.3 * width, y + 0.45 * height);
	await page.mouse.down();
	await page.mouse.move(x + 0.7 * width, y + 0.55 * height, { steps: 8 });
	await page.mouse.up();
	await evaluate(() => playground.advance(1));
	const cut = await evaluate(() => ({ count: playground.game.scene.cloth.sheets.length, actions: playground.game.actions.length,
		drawn: playground.view.cloth.geometry.drawRange.count === playground.game.scene.cloth.triangles.length }));
	assert.ok(cut.count > whole + 10 && cut.actions >= 4, `${whole} particles became ${cut.count}`);
	const there = await evaluate(() => {
		playground.view.update(1);
		playground.advance(35);
		const at = playground.game.hash, cut = playground.game.scene.cloth.sheets.length;
		playground.advance(40);
		return { at, cut, step: playground.game.stepIndex, after: playground.game.hash, torn: playground.game.scene.cloth.sheets.length,
			drawn: (playground.view.update(1), playground.view.cloth.geometry.drawRange.count === playground.game.scene.cloth.triangles.length) };
	});
	assert.ok(there.torn > there.cut && there.drawn, "the ball tears it");
	assert.ok(await evaluate(() => playground.graph.rows.some(({ clothMs, stepMs }) => clothMs > 0 && clothMs < stepMs)), "its time is in the graph");
	assert.equal(await page.locator("#graph .legend span").count(), 10);
	assert.ok(await page.isVisible("#graph"));
	await page.click("#rewind");
	assert.equal(await evaluate(step => playground.advance(step - playground.game.stepIndex), there.step), there.after);
	if (program)
		assert.equal(nativeState(await evaluate(() => playground.game.file), there.step), there.after);
	await evaluate(() => { playground.open("wall"); playground.use(0, 0, "knife"); playground.advance(3); });
	assert.match(await status(), /knife met nothing/);
	assert.deepEqual(problems, []);
	await context.close();
});

test("the knife goes through bodies along a stroke, and a link has its bits", async () => {
	const { page, evaluate, status, problems, context } = await open("?manual&looks=plain&scene=window");
	await page.click('[data-tool="knife"]');
	const look = () => evaluate(() => ({ bodies: playground.game.world.bodyCount, cuts: playground.game.cuts,
		actions: playground.game.actions.map(({ action }) => action), asked: playground.knife !== null }));
	const whole = await look();
	const { x, y, width, height } = await page.locator("#view").boundingBox();
	const stroke = async (...points) => {
		await page.mouse.move(x + points[0][0] * width, y + points[0][1] * height);
		await page.mouse.down();
		for (const point of points.slice(1))
			await page.mouse.move(x + point[0] * width, y + point[1] * height, { steps: 8 });
		await page.mouse.up();
		await evaluate(() => playground.advance(3));
		return look();
	};
	const cut = await stroke([0.25, 0.4], [0.75, 0.6]);
	assert.deepEqual(cut.actions, ["slice"], "one for the whole stroke, and none for cloth");
	assert.ok(cut.cuts >= 1 && cut.bodies > whole.bodies && !cut.asked, JSON.stringify([whole, cut]));
	const back = await stroke([0.25, 0.6], [0.75, 0.4], [0.25, 0.6]);
	assert.deepEqual(back.actions, ["slice"], "a stroke that ends where it began has no plane");
	const aside = await stroke([0.02, 0.02], [0.06, 0.02]);
	assert.equal(aside.cuts, cut.cuts);
	assert.match(await status(), /knife met nothing/);
	const sent = await evaluate(() => {
		playground.use(0.1, 0, "knife");
		playground.advance(20);
		return { link: playground.link(), hash: playground.game.hash, file: playground.game.file, steps: playground.game.stepIndex,
			cuts: playground.game.cuts };
	});
	assert.ok(sent.cuts > cut.cuts, "a click is a stroke down");
	assert.deepEqual(problems, []);
	await context.close();
	const there = await open(`?manual&looks=plain${new URL(sent.link).hash}`);
	assert.deepEqual(await there.evaluate(() => [playground.game.hash, playground.game.cuts]), [sent.hash, sent.cuts]);
	assert.match(await there.status(), /same bits/);
	await there.context.close();
	if (program)
		assert.equal(nativeState(sent.file, sent.steps), sent.hash);
});

test("rewinding returns to the same bits, and so does running on from there", async () => {
	const { evaluate, problems, context } = await open("?manual&looks=plain&scene=window");
	const result = await evaluate(() => {
		playground.use(0, 0, "throw");
		playground.advance(30);
		const at30 = playground.game.hash, at60 = playground.advance(30);
		playground.use(0.1, 0.1, "shoot");
		playground.advance(20);
		document.getElementById("rewind").click();
		const back = [playground.game.stepIndex, playground.game.hash];
		return { at30, at60, back, again: playground.advance(60 - playground.game.stepIndex) };
	});
	assert.equal(result.back[1], result.back[0] === 30 ? result.at30 : result.at60);
	assert.equal(result.again, result.at60);
	assert.deepEqual(problems, []);
	await context.close();
});

test("a link reproduces the bits of the sender and of the native program", async () => {
	const { evaluate, context } = await open("?manual&looks=plain&scene=window");
	const sent = await evaluate(() => {
		playground.open("window", { settings: { preset: "", cells: 2, strength: 0.5, gravity: 5, size: 0.15 } });
		playground.advance(4);
		playground.use(0.02, 0.03, "throw");
		playground.advance(30);
		playground.use(0, 0, "explode");
		playground.advance(20);
		return { link: playground.link(), hash: playground.game.hash, file: playground.game.file, steps: playground.game.stepIndex };
	});
	await context.close();
	const there = await open(`?manual&looks=plain${new URL(sent.link).hash}`);
	assert.equal(await there.evaluate(() => playground.game.hash), sent.hash);
	assert.match(await there.status(), /same bits/);
	await there.context.close();
	if (program)
		assert.equal(nativeState(sent.file, sent.steps), sent.hash);
});

test("every preset of the list is a material that runs", async () => {
	const { evaluate, problems, context } = await open("?manual&looks=plain&scene=window");
	const hashes = await evaluate(() => [...document.getElementById("preset").options].map(option => {
		playground.open("window", { settings: { preset: option.value, cells: 1, strength: 1, gravity: 9.81, size: 0.35 } });
		playground.advance(2);
		playground.use(0, 0, "hammer");
		return playground.advance(6);
	}));
	assert.equal(new Set(hashes).size, 11);
	assert.deepEqual(problems, []);
	await context.close();
});

test("good files are prepared in a worker, broken ones get a sentence", async () => {
	const { page, evaluate, status, problems, context } = await open();
	const drop = (name, text) => evaluate(([name, text]) => playground.openFile(new File([text], name)), [name, text]);
	const corners = [[0, 0, 0], [1, 0, 0], [1, 0, 1], [0, 0, 1], [0, 2, 0], [1, 2, 0], [1, 2, 1], [0, 2, 1]];
	const faces = ["1 2 3 4", "8 7 6 5", "1 5 6 2", "2 6 7 3", "3 7 8 4"]; // one is missing: it has a hole
	await drop("box.obj", [...corners.map(corner => `v ${corner.join(" ")}`), ...faces.map(face => `f ${face}`)].join("\n"));
	assert.match(await status(), /box\.obj: \d+ nodes; repaired: .*1 holes filled/);
	const broken = await evaluate(() => {
		playground.use(0, 0, "hammer");
		playground.advance(10);
		return playground.game.fractures;
	});
	assert.ok(broken > 0);
	assert.equal(await page.isVisible("#authoring"), true);
	for (const [name, text, reason] of [["cat.jpg", "no mesh", /cat\.jpg/], ["bad.stl", "solid", /bad\.stl/], ["bad.glb", "glTF----", /bad\.glb/], ["bad.json", "{", /not a scene/]]) {
		await drop(name, text);
		assert.match(await status(), reason);
	}
	const large = await evaluate(() => playground.openFile({ name: "large.stl", size: 3e8 }).then(() => document.getElementById("status").textContent));
	assert.match(large, /300 MB/);
	assert.deepEqual(problems, []);
	await context.close();
});

test("a model's textures are on outer faces, and not on cuts", async () => {
	const { evaluate, status, problems, context } = await open("?manual&looks=full");
	const drawn = await evaluate(async () => {
		const canvas = document.createElement("canvas"), brush = canvas.getContext("2d");
		canvas.width = canvas.height = 4;
		brush.fillStyle = "#00ff00";
		brush.fillRect(0, 0, 4, 4);
		const positions = [], uvs = [], indices = [];
		for (let axis = 0; axis < 3; ++axis)
			for (const side of [-1, 1]) {
				for (const [u, v] of [[-1, -1], [1, -1], [1, 1], [-1, 1]]) {
					const corner = [0, 0, 0];
					corner[axis] = side, corner[(axis + 1) % 3] = u * side, corner[(axis + 2) % 3] = v;
					positions.push(...corner), uvs.push(0.5 + 0.5 * u, 0.5 + 0.5 * v);
				}
				const first = positions.length / 3 - 4;
				indices.push(...[0, 1, 2, 0, 2, 3].map(i => first + i));
			}
		const data = new Uint8Array([...new Uint8Array(Float32Array.from(positions).buffer), ...new Uint8Array(Float32Array.from(uvs).buffer),
			...new Uint8Array(Uint16Array.from(indices).buffer)]);
		const gltf = { asset: { version: "2.0" }, scene: 0, scenes: [{ nodes: [0] }], nodes: [{ mesh: 0 }],
			meshes: [{ primitives: [{ attributes: { POSITION: 0, TEXCOORD_0: 1 }, indices: 2, material: 0 }] }],
			materials: [{ name: "painted", pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }],
			textures: [{ source: 0 }], images: [{ uri: canvas.toDataURL("image/png") }],
			accessors: [{ bufferView: 0, componentType: 5126, count: 24, type: "VEC3", min: [-1, -1, -1], max: [1, 1, 1] },
				{ bufferView: 1, componentType: 5126, count: 24, type: "VEC2" }, { bufferView: 2, componentType: 5123, count: 36, type: "SCALAR" }],
			bufferViews: [{ buffer: 0, byteOffset: 0, byteLength: 288 }, { buffer: 0, byteOffset: 288, byteLength: 192 }, { buffer: 0, byteOffset: 480, byteLength: 72 }],
			buffers: [{ byteLength: 552, uri: `data:application/octet-stream;base64,${btoa(String.fromCharCode(...data))}` }] };
		await playground.openFile(new File([JSON.stringify(gltf)], "painted.gltf"));
		const middle = () => {
			playground.view.update(1);
			playground.stage.render(16);
			const view = document.getElementById("view"), copy = document.createElement("canvas").getContext("2d");
			copy.drawImage(view, -0.5 * view.width, -0.5 * view.height);
			return [...copy.getImageData(0, 0, 1, 1).data];
		};
		const numbers = () => {
			const { geometry } = playground.view.mesh, layer = geometry.getAttribute("layer"), color = geometry.getAttribute("color");
			const found = { outer: 0, cut: 0, wrong: 0 };
			for (let i = 0; i < playground.view.corners.used; ++i) {
				found.wrong += layer.getX(i) === 1 && color.getW(i) === 1;
				found.outer += layer.getX(i) === 1, found.cut += color.getW(i) === 1;
			}
			return found;
		};
		const whole = numbers(), pixel = middle();
		playground.use(0, 0, "hammer");
		playground.advance(20);
		return { whole, pixel, broken: numbers(), fractures: playground.game.fractures };
	});
	assert.match(await status(), /painted\.gltf/);
	assert.ok(drawn.whole.outer >= 36 && drawn.whole.cut === 0, JSON.stringify(drawn));
	const [red, green, blue] = drawn.pixel;
	assert.ok(green > 60 && green > 2 * red && green > 2 * blue, `the middle is ${drawn.pixel}`);
	assert.ok(drawn.fractures > 0 && drawn.broken.cut > 0 && drawn.broken.outer > 0 && drawn.broken.wrong === 0, JSON.stringify(drawn));
	assert.deepEqual(problems, []);
	await context.close();
});

test("nodes are placed, moved and removed by hand, and the asset is what the program reads", async () => {
	const { page, evaluate, problems, context } = await open();
	const corners = [[0, 0, 0], [1, 0, 0], [1, 0, 1], [0, 0, 1], [0, 2, 0], [1, 2, 0], [1, 2, 1], [0, 2, 1]];
	const faces = ["1 2 3 4", "8 7 6 5", "1 5 6 2", "2 6 7 3", "3 7 8 4", "4 8 5 1"];
	const text = [...corners.map(corner => `v ${corner.join(" ")}`), ...faces.map(face => `f ${face}`)].join("\n");
	await evaluate(text => playground.openFile(new File([text], "box.obj")), text);
	await page.click("#edit-nodes");
	const look = () => evaluate(() => ({ count: playground.editor.count, parts: playground.editor.report.partCount,
		kept: playground.editor.report.keptCount, drawn: playground.editor.solid.geometry.getAttribute("position").array.reduce((a, b) => a + b * b, 0) }));
	const first = await look();
	assert.equal(await page.isVisible("#graph"), false, "nothing hides the model");
	await page.click("#node-add"); // by the keyboard or a button
	const { x, y, width, height } = await page.locator("#view").boundingBox();
	await page.mouse.click(x + 0.5 * width + 12, y + 0.5 * height + 60); // by the mouse
	await evaluate(() => { for (let i = 0; i < 6; ++i) playground.changeNodes(editor => editor.insert({ x: 0.3, y: 0.2 + 0.25 * i, z: 0.5 })); });
	const placed = await look();
	assert.equal(placed.count, first.count + 8);
	assert.ok(placed.parts > first.parts && placed.drawn !== first.drawn);
	const at = await evaluate(() => {
		const { editor, stage } = playground, place = editor.node(editor.count - 1).add(editor.group.position).project(stage.camera);
		return [place.x, place.y];
	});
	await page.mouse.move(x + (0.5 + 0.5 * at[0]) * width, y + (0.5 - 0.5 * at[1]) * height);
	await page.mouse.down();
	await page.mouse.move(x + (0.5 + 0.5 * at[0]) * width + 15, y + (0.5 - 0.5 * at[1]) * height + 4, { steps: 2 });
	await page.mouse.up();
	const moved = await look();
	assert.equal(moved.count, placed.count);
	assert.notEqual(moved.drawn, placed.drawn);
	assert.ok(moved.kept > 0, "parts that did not change are kept");
	await page.focus("#view");
	await page.keyboard.press("Delete");
	assert.equal((await look()).count, placed.count - 1);
	await page.click("#download-asset");
	const bytes = await evaluate(() => [...playground.lastDownload.bytes]);
	await page.click("#edit-nodes"); // break it
	const broken = await evaluate(() => {
		playground.use(0, 0, "hammer");
		playground.advance(10);
		return [playground.editor, playground.game.fractures, playground.own.nodes.length / 3];
	});
	assert.ok(broken[0] === null && broken[1] > 0 && broken[2] === placed.count - 1);
	if (program) {
		const work = mkdtempSync(`${tmpdir()}/rubble-`);
		writeFileSync(`${work}/own.rbl`, Uint8Array.from(bytes));
		assert.match(execFileSync(program, ["info", `${work}/own.rbl`], { encoding: "utf8" }), new RegExp(`${placed.count - 1} nodes|nodes:? +${placed.count - 1}`));
		rmSync(work, { recursive: true });
	}
	assert.deepEqual(problems, []);
	await context.close();
});

test("2,000 fragments that move take ten draw calls, and little script", async t => {
	const { evaluate, problems, context } = await open("?manual&looks=full");
	const { calls, script, moving } = await evaluate(() => {
		playground.own = { files: {}, json: { version: 2, step_count: 600, materials: { stone: { density: 2000 }, ground: {} },
			models: { brick: { box: [0.2, 0.1, 0.1] }, ground: { box: [200, 2, 200] } },
			instances: [{ model: "ground", material: "ground", kind: "static", position: [0, -1, 0] },
				{ model: "brick", material: "stone", position: [-5, 4, -2.5], count: [20, 10, 10], spacing: [0.5, 0.5, 0.5] }] } };
		playground.open("own");
		let script = Infinity;
		for (let i = 0; i < 40; ++i) {
			playground.game.step();
			const begin = performance.now();
			playground.view.step();
			playground.graph.add(playground.game.world.stats);
			playground.view.update(0.5);
			script = Math.min(script, performance.now() - begin);
		}
		playground.stage.render(16);
		return { calls: playground.stage.renderer.info.render.calls, script, moving: playground.game.world.moves.count };
	});
	assert.ok(moving >= 2000, `${moving} move`);
	assert.ok(calls <= 10, `${calls} draw calls`);
	timed(t, "script of a frame beside the step, the least of forty", script, 2);
	assert.deepEqual(problems, []);
	await context.close();
});

test("downloads are a scene that the program runs to the same state, a film and a recording", async () => {
	const { page, evaluate, problems, context } = await open("?manual&looks=plain&scene=window");
	await evaluate(() => { playground.use(0, 0, "throw"); playground.advance(40); });
	const get = async id => {
		await evaluate(() => { playground.lastDownload = null; });
		await page.click(id);
		await page.waitForFunction(() => playground.lastDownload);
		return evaluate(() => ({ name: playground.lastDownload.name, head: [...playground.lastDownload.bytes.slice(0, 4)], size: playground.lastDownload.size }));
	};
	assert.equal((await get("#download-scene")).name, "window.json");
	assert.equal(String.fromCharCode(...(await get("#download-film")).head), "glTF");
	assert.ok((await get("#download-recording")).size > 1000);
	assert.deepEqual(problems, []);
	await context.close();
});

test("overlays draw lines, tint bodies, and go away", async () => {
	const { page, evaluate, problems, context } = await open("?manual&looks=plain&scene=bricks");
	await evaluate(() => playground.advance(5));
	for (const name of ["boxes", "cells", "contacts", "parts", "stress", "bonds"]) {
		await page.check(`#overlay-${name}`);
		const isDrawn = await evaluate(() => playground.stage.lines.visible && playground.stage.lines.geometry.drawRange.count > 0);
		assert.ok(isDrawn || name === "bonds" || name === "stress", name);
		await page.uncheck(`#overlay-${name}`);
	}
	for (const name of ["sleep", "islands"]) {
		await page.check(`#overlay-${name}`);
		assert.ok(await evaluate(() => playground.isTinted));
		await page.uncheck(`#overlay-${name}`);
	}
	assert.equal(await evaluate(() => playground.stage.lines.visible || playground.isTinted), false);
	await evaluate(() => { playground.open("crane"); playground.advance(5); });
	await page.check("#overlay-stress");
	const colors = await evaluate(() => {
		const { geometry } = playground.stage.lines, count = geometry.drawRange.count;
		return [count, new Set(Array.from({ length: count }, (_, i) => geometry.getAttribute("color").getX(i).toFixed(2))).size];
	});
	assert.ok(colors[0] > 0 && colors[1] > 1, `bonds in ${colors[1]} shades`);
	assert.ok(await evaluate(() => playground.stage.renderer.info.render.calls) <= 10);
	assert.deepEqual(problems, []);
	await context.close();
});

test("memory is steady over 2,000 steps", async () => {
	const { evaluate, context } = await open("?manual&looks=plain&scene=window");
	const [first, last] = await evaluate(() => {
		playground.use(0, 0, "throw");
		playground.advance(1200);
		const first = playground.rubble.memorySize;
		playground.advance(800);
		return [first, playground.rubble.memorySize];
	});
	assert.ok(last <= 1.1 * first, `${first} bytes became ${last}`);
	await context.close();
});

test("everything is done without a mouse, and axe finds nothing serious", async () => {
	const { page, evaluate, problems, context } = await open("?looks=plain&scene=window");
	await page.focus("#view");
	await page.keyboard.press("2");
	assert.equal(await evaluate(() => playground.tool), "shoot");
	await page.keyboard.press("ArrowLeft");
	await page.keyboard.press("Enter");
	assert.equal(await evaluate(() => playground.game.actions.length), 1);
	await page.keyboard.press(" ");
	assert.equal(await evaluate(() => playground.isPaused), true);
	const step = await evaluate(() => playground.game.stepIndex);
	await page.keyboard.press(".");
	assert.equal(await evaluate(() => playground.game.stepIndex), step + 1);
	await page.keyboard.press("Tab");
	const reached = new Set();
	for (let i = 0; i < 60; ++i) {
		reached.add(await evaluate(() => document.activeElement.id || document.activeElement.dataset.scene || document.activeElement.dataset.tool));
		await page.keyboard.press("Tab");
	}
	for (const name of ["wall", "own", "file", "shoot", "power", "pause", "step", "rewind", "reset", "speed", "preset", "cells", "gravity", "overlay-boxes", "looks", "link", "download-film"])
		assert.ok(reached.has(name), `the keyboard does not reach ${name}`);
	for (const colorScheme of ["light", "dark"]) {
		await page.emulateMedia({ colorScheme });
		await evaluate(axe);
		const found = await evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
		const serious = found.violations.filter(({ impact }) => impact === "serious" || impact === "critical");
		assert.deepEqual(serious.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.html).join(" ")}`), []);
	}
	assert.deepEqual(problems, []);
	await context.close();
});

test("touch works on a small high-DPI screen", async () => {
	const { page, evaluate, problems, context } = await open("?manual&looks=plain&scene=window", { viewport: { width: 390, height: 780 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true });
	await page.touchscreen.tap(190, 150);
	assert.equal(await evaluate(() => playground.game.actions.length), 1);
	assert.deepEqual(problems, []);
	await context.close();
});

test("it opens from a disk, without a worker", async () => {
	const { page, problems, context } = await openPage(browser, `file://${folder}/index.html?manual&looks=plain`);
	await page.evaluate(() => playground.openFile(new File(["v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"], "tet.obj")));
	assert.match(await page.textContent("#status"), /tet\.obj: \d+ nodes/);
	assert.deepEqual(problems, []);
	await context.close();
});

test("a lost graphics card gets a sentence, and the run goes on when it is back", async () => {
	const { page, evaluate, context } = await open("?scene=window");
	await evaluate(() => {
		playground.lost = playground.stage.renderer.getContext().getExtension("WEBGL_lose_context");
		playground.lost.loseContext();
	});
	await page.waitForFunction(() => /graphics card is gone/.test(document.getElementById("status").textContent));
	assert.equal(await evaluate(() => playground.isPaused), true);
	await evaluate(() => playground.lost.restoreContext());
	await page.waitForFunction(() => /is back/.test(document.getElementById("status").textContent));
	const step = await evaluate(() => playground.game.stepIndex);
	await page.click("#pause");
	await page.waitForFunction(step => playground.game.stepIndex > step, step);
	assert.ok(await evaluate(() => playground.stage.renderer.info.render.triangles) > 100, "it is drawn again");
	await context.close();
});

test("a tab in the background waits, says so, and does not catch up", async () => {
	const { page, evaluate, status, problems, context } = await open("?looks=plain&scene=window");
	const hide = isHidden => evaluate(isHidden => {
		Object.defineProperty(document, "hidden", { configurable: true, get: () => isHidden });
		document.dispatchEvent(new Event("visibilitychange"));
		return playground.game.stepIndex;
	}, isHidden);
	const left = await hide(true);
	assert.match(await status(), /in the background/);
	await page.waitForTimeout(700);
	assert.equal(await hide(false), left);
	assert.match(await status(), new RegExp(`from step ${left}`));
	await page.waitForFunction(left => playground.game.stepIndex > left, left);
	assert.ok(await evaluate(() => playground.time) <= 0.1);
	assert.deepEqual(problems, []);
	await context.close();
});

test("a browser without SIMD and one without WebGL 2 get a sentence", async () => {
	for (const [script, reason] of [[() => { WebAssembly.validate = () => false; }, /no WebAssembly SIMD/],
		[() => { delete globalThis.WebAssembly; }, /no WebAssembly SIMD/],
		[() => { HTMLCanvasElement.prototype.getContext = () => null; }, /no WebGL 2/]]) {
		const context = await browser.newContext(), page = await context.newPage(), problems = [];
		page.setDefaultTimeout(300000);
		page.on("pageerror", error => problems.push(error.message));
		await page.addInitScript(script);
		await page.goto(`${host.address}?looks=plain`);
		await page.waitForFunction(() => !/Loading/.test(document.getElementById("status").textContent));
		assert.match(await page.textContent("#status"), reason);
		assert.deepEqual(problems, []);
		await context.close();
	}
});

test("large files and files that are no meshes get a sentence, and the page goes on", async () => {
	const { evaluate, status, problems, context } = await open();
	const drop = (name, megabytes) => evaluate(async ([name, megabytes]) => {
		const chunk = new Uint8Array(1e6);
		for (let i = 0, x = 1; i < chunk.length; ++i, x = (x * 48271) % 2147483647)
			chunk[i] = x >> 8;
		await playground.openFile(new File(Array(megabytes).fill(chunk), name));
	}, [name, megabytes]);
	await drop("large.stl", 210);
	assert.match(await status(), /large\.stl: 210 MB; files of up to 200 MB/);
	await drop("noise.stl", 60);
	assert.match(await status(), /noise\.stl/);
	for (const ending of ["glb", "gltf", "obj", "stl", "ply", "off", "rbl", "xyz"]) {
		await drop(`noise.${ending}`, 1);
		assert.match(await status(), new RegExp(`noise\\.${ending}`));
	}
	await evaluate(() => { playground.open("window"); playground.advance(3); });
	assert.equal(await evaluate(() => playground.game.stepIndex), 3);
	assert.deepEqual(problems, []);
	await context.close();
});
