// Draws a .glb into a .png: Debian's Chromium, started by playwright-core, runs picture-page.js with
// three.js on software WebGL. Nothing leaves the machine: all files come from a server on 127.0.0.1.
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const here = path.dirname(fileURLToPath(import.meta.url));
const usage = 'usage: picture FILE.glb OUT.png [--time SECONDS] [--view x,y,z] [--size WxH] ' +
	'[--zoom FACTOR] [--frame x,y,z,X,Y,Z] [--edges] [--no-ground]';

function fail(text) {
	console.error(`picture: ${text}`);
	process.exit(2);
}

function readArguments() {
	const options = {
		time: { type: 'string', default: '0' },
		view: { type: 'string', default: '0.55,0.42,0.72' },
		size: { type: 'string', default: '1280x800' },
		zoom: { type: 'string', default: '1' },
		frame: { type: 'string', default: '' },
		edges: { type: 'boolean', default: false },
		'no-ground': { type: 'boolean', default: false },
	};
	let parsed;
	try {
		// A value such as -1,2,3 is taken as one, not as an option.
		const joined = process.argv.slice(2).join('\0').replaceAll('--view\0', '--view=')
			.replaceAll('--frame\0', '--frame=');
		parsed = parseArgs({ args: joined.split('\0'), options, allowPositionals: true });
	} catch (error) {
		fail(`${error.message}\n${usage}`);
	}
	const { values, positionals } = parsed;
	if (positionals.length !== 2)
		fail(usage);
	const view = values.view.split(',').map(Number), size = values.size.split('x').map(Number);
	if (view.length !== 3 || !view.every(Number.isFinite) || view.every((x) => x === 0))
		fail(`--view ${values.view}: three numbers are needed, not all zero`);
	if (size.length !== 2 || !size.every((n) => Number.isInteger(n) && n >= 16 && n <= 8192))
		fail(`--size ${values.size}: WIDTHxHEIGHT, 16 to 8192 each`);
	const time = Number(values.time), zoom = Number(values.zoom);
	if (!Number.isFinite(time) || !(zoom > 0))
		fail('--time and --zoom take a number');
	const frame = values.frame === '' ? null : values.frame.split(',').map(Number);
	if (frame && (frame.length !== 6 || !frame.every(Number.isFinite)))
		fail(`--frame ${values.frame}: six numbers are needed, a low and a high corner`);
	return { model: positionals[0], out: positionals[1],
		scene: { time, view, size, zoom, frame, edges: values.edges, ground: !values['no-ground'] } };
}

const page = `<!doctype html><link rel="icon" href="data:,"><style>body{margin:0}</style>
<script type="importmap">{"imports":{"three":"/node_modules/three/build/three.module.js",
"three/addons/":"/node_modules/three/examples/jsm/"}}</script>
<script type="module" src="/picture-page.js"></script>`;

// Serves the page, the modules below this folder, and the model.
function serve(model) {
	const types = { '.js': 'text/javascript', '.glb': 'model/gltf-binary' };
	const server = http.createServer((request, response) => {
		const name = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
		const file = name === '/model.glb' ? model : path.join(here, path.normalize(name));
		if (name === '/') {
			response.writeHead(200, { 'content-type': 'text/html' }).end(page);
		} else if ((file !== model && !file.startsWith(here + path.sep)) || !fs.existsSync(file)) {
			response.writeHead(404).end();
		} else {
			const type = types[path.extname(file)] ?? 'application/octet-stream';
			response.writeHead(200, { 'content-type': type });
			fs.createReadStream(file).pipe(response);
		}
	});
	return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

// Mesa's llvmpipe is about twice as fast as the renderer built into Chromium; WEBGL=swiftshader
// takes the latter, where Mesa's EGL is not installed.
const renderers = {
	llvmpipe: ['--use-gl=angle', '--use-angle=gl-egl', '--ignore-gpu-blocklist'],
	swiftshader: ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
};

async function draw(args, renderer) {
	const server = await serve(path.resolve(args.model));
	const browser = await chromium.launch({
		executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
		headless: true,
		args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-background-networking',
			'--disable-component-update', '--disable-sync', '--no-first-run', ...renderers[renderer]],
	});
	try {
		const tab = await browser.newPage();
		tab.setDefaultTimeout(600000);
		tab.on('pageerror', (error) => console.error(`picture: ${error.message}`));
		tab.on('console', (message) => {
			if (message.type() === 'error')
				console.error(`picture: ${message.text()}`);
		});
		await tab.goto(`http://127.0.0.1:${server.address().port}/`);
		await tab.waitForFunction(() => globalThis.drawPicture);
		const url = await tab.evaluate((scene) => globalThis.drawPicture(scene), args.scene);
		fs.writeFileSync(args.out, Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'));
	} finally {
		await browser.close();
		server.close();
	}
}

const args = readArguments();
if (!fs.existsSync(args.model))
	fail(`${args.model}: no such file`);
try {
	await draw(args, process.env.WEBGL ?? 'llvmpipe');
} catch (error) {
	if (process.env.WEBGL) {
		console.error(`picture: ${error.message}`);
		process.exit(1);
	}
	await draw(args, 'swiftshader');
}
