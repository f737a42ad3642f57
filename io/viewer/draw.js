// Drawing with WebGL 2: all meshes in one buffer, a matrix per node in a texture, sun with shadows.

const VERTEX_BYTES = 24; // position, normal, color, node
const NODES_PER_ROW = 512; // of the texture of matrices, three texels each

const COMMON_VERTEX = `#version 300 es
precision highp float;
precision highp sampler2D;
layout(location = 0) in vec3 position;
layout(location = 1) in vec4 normal;
layout(location = 2) in vec4 color;
layout(location = 3) in uint node;
uniform sampler2D matrices;
uniform mat4 camera, sun;
vec3 placed(out mat3 turn) {
	ivec2 at = ivec2(int(node % ${NODES_PER_ROW}u) * 3, int(node / ${NODES_PER_ROW}u));
	vec4 x = texelFetch(matrices, at, 0), y = texelFetch(matrices, at + ivec2(1, 0), 0), z = texelFetch(matrices, at + ivec2(2, 0), 0);
	turn = transpose(mat3(x.xyz, y.xyz, z.xyz));
	vec4 p = vec4(position, 1.0);
	return vec3(dot(x, p), dot(y, p), dot(z, p));
}
`;

const SHADOW_VERTEX = COMMON_VERTEX + `
void main() { mat3 turn; gl_Position = sun * vec4(placed(turn), 1.0); }`;

const SHADOW_FRAGMENT = `#version 300 es
precision highp float;
void main() {}`;

const BODY_VERTEX = COMMON_VERTEX + `
out vec3 place, side;
out vec4 paint;
void main() {
	mat3 turn;
	place = placed(turn);
	side = turn * normal.xyz;
	paint = vec4(color.rgb * color.rgb, color.a);
	gl_Position = camera * vec4(place, 1.0);
}`;

const LIGHT = `#version 300 es
precision highp float;
precision highp sampler2DShadow;
uniform sampler2DShadow shadows;
uniform mat4 sun;
uniform vec3 toSun, eye, skyTop, skyLow;
uniform float reach;
float lit(vec3 place, vec3 n) {
	vec4 p = sun * vec4(place + n * reach * 0.0025, 1.0);
	vec3 at = 0.5 * p.xyz / p.w + 0.5;
	if (any(lessThan(at, vec3(0.0))) || any(greaterThan(at, vec3(1.0))))
		return 1.0;
	float sum = 0.0, texel = 1.0 / float(textureSize(shadows, 0).x);
	for (int y = -1; y <= 1; ++y)
		for (int x = -1; x <= 1; ++x)
			sum += texture(shadows, vec3(at.xy + texel * vec2(x, y), at.z - 0.0006));
	return sum / 9.0;
}
vec3 shown(vec3 color) { return pow(1.0 - exp(-1.15 * color), vec3(1.0 / 2.2)); } // bright ones keep their shades
`;

const BODY_FRAGMENT = LIGHT + `
in vec3 place, side;
in vec4 paint;
out vec4 result;
void main() {
	vec3 n = dot(side, side) > 1e-12 ? normalize(side) : normalize(cross(dFdx(place), dFdy(place)));
	vec3 look = normalize(eye - place);
	if (dot(n, look) < 0.0)
		n = -n;
	float direct = max(0.0, dot(n, toSun));
	if (direct > 0.0)
		direct *= lit(place, n);
	vec3 light = vec3(1.0, 0.95, 0.86) * 1.3 * direct + mix(vec3(0.2, 0.18, 0.16), vec3(0.36, 0.43, 0.52), 0.5 + 0.5 * n.y);
	float shine = pow(max(0.0, dot(n, normalize(toSun + look))), 40.0) * 0.12 * step(0.001, direct);
	result = vec4(shown(paint.rgb * light + shine), paint.a);
	result.rgb *= result.a;
}`;

const GROUND_VERTEX = `#version 300 es
precision highp float;
uniform mat4 camera;
uniform vec3 middle;
uniform float size;
out vec3 place;
void main() {
	vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0 - 1.0;
	place = middle + size * vec3(corner.x, 0.0, corner.y);
	gl_Position = camera * vec4(place, 1.0);
}`;

const GROUND_FRAGMENT = LIGHT + `
in vec3 place;
uniform vec3 middle, tint;
uniform float size, cell;
out vec4 result;
void main() {
	vec2 at = place.xz / cell, width = fwidth(at);
	vec2 line = 1.0 - smoothstep(vec2(0.0), width * 1.5, abs(fract(at - 0.5) - 0.5));
	float grid = max(line.x, line.y) * clamp(0.35 / max(width.x, width.y) * 0.2, 0.0, 1.0);
	float fade = 1.0 - smoothstep(0.35, 1.0, length(place.xz - middle.xz) / size);
	vec3 color = tint * (0.62 + 0.38 * lit(place, vec3(0.0, 1.0, 0.0))) * (1.0 - 0.12 * grid);
	result = vec4(shown(color) * fade, fade);
}`;

function compileProgram(gl, vertex, fragment) {
	const program = gl.createProgram();
	for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
		const shader = gl.createShader(kind);
		gl.shaderSource(shader, source);
		gl.compileShader(shader);
		gl.attachShader(program, shader);
	}
	gl.linkProgram(program);
	if (!gl.getProgramParameter(program, gl.LINK_STATUS))
		throw new Error(`this browser's WebGL refuses a shader: ${gl.getProgramInfoLog(program)}`);
	const places = {};
	return { program, at: (name) => places[name] ??= gl.getUniformLocation(program, name) };
}

// --- matrices, 4 x 4 by columns -----------------------------------------------------------------

const subtract = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dotOf = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const crossOf = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a) => { const l = Math.hypot(...a) || 1; return a.map((x) => x / l); };

function lookFrom(eye, target) {
	const z = unit(subtract(eye, target)), x = unit(crossOf([0, 1, 0], z)), y = crossOf(z, x);
	return [x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0, -dotOf(x, eye), -dotOf(y, eye), -dotOf(z, eye), 1];
}

function perspective(angle, aspect, near, far) {
	const f = 1 / Math.tan(angle / 2);
	return [f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, 2 * far * near / (near - far), 0];
}

function parallel(reach, depth) {
	return [1 / reach, 0, 0, 0, 0, 1 / reach, 0, 0, 0, 0, -1 / depth, 0, 0, 0, 0, 1];
}

function times(a, b) {
	const out = new Float32Array(16);
	for (let c = 0; c < 4; ++c)
		for (let r = 0; r < 4; ++r)
			for (let k = 0; k < 4; ++k)
				out[4 * c + r] += a[4 * k + r] * b[4 * c + k];
	return out;
}

// --- the film's buffers -------------------------------------------------------------------------

// Put all nodes' triangles into one buffer, first those that are opaque; a range of indices for each.
function fillBuffers(film) {
	let vertexCount = 0, indexCount = 0;
	for (const node of film.nodes)
		for (const primitive of film.meshes[node.mesh] ?? []) {
			vertexCount += primitive.positions.length / 3;
			indexCount += primitive.indices?.length ?? primitive.positions.length / 3;
		}
	const vertices = new ArrayBuffer(vertexCount * VERTEX_BYTES), indices = new Uint32Array(indexCount);
	const floats = new Float32Array(vertices), bytes = new Uint8Array(vertices), signed = new Int8Array(vertices), words = new Uint32Array(vertices);
	const ranges = [[], []]; // opaque, blended: node, first index, count
	let v = 0, n = 0;
	for (const isBlended of [false, true])
		for (const node of film.nodes) {
			const begin = n;
			for (const primitive of film.meshes[node.mesh] ?? []) {
				if (primitive.material.isBlended !== isBlended)
					continue;
				const { positions, normals, colors, colorWidth, material } = primitive, count = positions.length / 3, first = v;
				for (let i = 0; i < count; ++i, ++v) {
					const f = v * 6, b = v * VERTEX_BYTES;
					floats[f] = positions[3 * i], floats[f + 1] = positions[3 * i + 1], floats[f + 2] = positions[3 * i + 2];
					for (let k = 0; k < 3; ++k)
						signed[b + 12 + k] = normals ? Math.round(127 * normals[3 * i + k]) : 0;
					for (let k = 0; k < 4; ++k) {
						const own = colors && k < colorWidth ? colors[colorWidth * i + k] : 1;
						const value = Math.max(0, Math.min(1, own * (k < 3 || isBlended ? material.color[k] : 1)));
						bytes[b + 16 + k] = Math.round(255 * (k < 3 ? Math.sqrt(value) : value)); // dark colors need the steps
					}
					words[f + 5] = node.index;
				}
				if (primitive.indices)
					for (const index of primitive.indices)
						indices[n++] = first + index;
				else
					for (let i = 0; i < count; ++i)
						indices[n++] = first + i;
			}
			if (n > begin)
				ranges[isBlended ? 1 : 0].push([node, begin, n - begin]);
		}
	return { vertices, indices, ranges, triangleCount: indexCount / 3 };
}

// A picture of a film on a canvas. Throws with a sentence where that cannot be.
function createPainter(canvas, film, frame) {
	const gl = canvas.getContext("webgl2", { antialias: true, alpha: true, premultipliedAlpha: true });
	if (!gl)
		throw new Error("this browser has no WebGL 2, so the film cannot be shown; the figures below are complete");
	const middle = frame.low.map((x, k) => (x + frame.high[k]) / 2), toSun = unit([0.55, 1, 0.35]);
	const reach = Math.max(1e-3, 0.8 * frame.size), filled = fillBuffers(film);
	const rows = Math.max(1, Math.ceil(film.nodes.length / NODES_PER_ROW));
	const matrices = new Float32Array(rows * NODES_PER_ROW * 12);
	let shadowProgram, bodyProgram, groundProgram, bodies, nothing, texture, shadowTexture, shadowTarget, isLost = false;

	const SHADOW_SIZE = 2048;
	function build() {
		shadowProgram = compileProgram(gl, SHADOW_VERTEX, SHADOW_FRAGMENT);
		bodyProgram = compileProgram(gl, BODY_VERTEX, BODY_FRAGMENT);
		groundProgram = compileProgram(gl, GROUND_VERTEX, GROUND_FRAGMENT);
		nothing = gl.createVertexArray();
		bodies = gl.createVertexArray();
		gl.bindVertexArray(bodies);
		gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
		gl.bufferData(gl.ARRAY_BUFFER, filled.vertices, gl.STATIC_DRAW);
		gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
		gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, filled.indices, gl.STATIC_DRAW);
		gl.vertexAttribPointer(0, 3, gl.FLOAT, false, VERTEX_BYTES, 0);
		gl.vertexAttribPointer(1, 4, gl.BYTE, true, VERTEX_BYTES, 12);
		gl.vertexAttribPointer(2, 4, gl.UNSIGNED_BYTE, true, VERTEX_BYTES, 16);
		gl.vertexAttribIPointer(3, 1, gl.UNSIGNED_INT, VERTEX_BYTES, 20);
		for (let i = 0; i < 4; ++i)
			gl.enableVertexAttribArray(i);
		texture = gl.createTexture();
		gl.bindTexture(gl.TEXTURE_2D, texture);
		gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA32F, 3 * NODES_PER_ROW, rows);
		gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
		gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
		shadowTexture = gl.createTexture();
		gl.bindTexture(gl.TEXTURE_2D, shadowTexture);
		gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, SHADOW_SIZE, SHADOW_SIZE);
		gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
		gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
		gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
		shadowTarget = gl.createFramebuffer();
		gl.bindFramebuffer(gl.FRAMEBUFFER, shadowTarget);
		gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, shadowTexture, 0);
		gl.bindFramebuffer(gl.FRAMEBUFFER, null);
	}
	build();

	const sunMatrix = times(parallel(reach, 3 * reach), lookFrom(middle.map((x, k) => x + toSun[k] * reach), middle));

	// Neighbouring nodes that are visible are drawn by one call.
	function drawRanges(ranges) {
		let calls = 0, begin = 0, count = 0;
		const flush = () => {
			if (count > 0)
				gl.drawElements(gl.TRIANGLES, count, gl.UNSIGNED_INT, 4 * begin), ++calls;
			count = 0;
		};
		for (const [node, first, size] of ranges) {
			if (!node.isVisible)
				continue;
			if (first !== begin + count)
				flush();
			if (count === 0)
				begin = first;
			count += size;
		}
		flush();
		return calls;
	}

	function setLight(program, camera, eye) {
		gl.useProgram(program.program);
		gl.uniform1i(program.at("matrices"), 0);
		gl.uniform1i(program.at("shadows"), 1);
		gl.uniformMatrix4fv(program.at("camera"), false, camera);
		gl.uniformMatrix4fv(program.at("sun"), false, sunMatrix);
		gl.uniform3fv(program.at("toSun"), toSun);
		gl.uniform3fv(program.at("eye"), eye);
		gl.uniform1f(program.at("reach"), reach);
	}

	function draw(view, isDark) {
		if (isLost)
			return 0;
		for (const node of film.nodes)
			if (node.isVisible)
				matrices.set(node.matrix, 12 * node.index);
		gl.activeTexture(gl.TEXTURE0);
		gl.bindTexture(gl.TEXTURE_2D, texture);
		gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 3 * NODES_PER_ROW, rows, gl.RGBA, gl.FLOAT, matrices);
		gl.bindVertexArray(bodies);
		gl.enable(gl.DEPTH_TEST);
		gl.disable(gl.BLEND);
		gl.depthMask(true);

		gl.activeTexture(gl.TEXTURE1);
		gl.bindTexture(gl.TEXTURE_2D, null);
		gl.bindFramebuffer(gl.FRAMEBUFFER, shadowTarget);
		gl.viewport(0, 0, SHADOW_SIZE, SHADOW_SIZE);
		gl.clear(gl.DEPTH_BUFFER_BIT);
		gl.useProgram(shadowProgram.program);
		gl.uniform1i(shadowProgram.at("matrices"), 0);
		gl.uniformMatrix4fv(shadowProgram.at("sun"), false, sunMatrix);
		gl.enable(gl.POLYGON_OFFSET_FILL);
		gl.polygonOffset(2, 4);
		let calls = drawRanges(filled.ranges[0]);
		gl.disable(gl.POLYGON_OFFSET_FILL);

		gl.bindFramebuffer(gl.FRAMEBUFFER, null);
		gl.bindTexture(gl.TEXTURE_2D, shadowTexture);
		gl.viewport(0, 0, canvas.width, canvas.height);
		gl.clearColor(0, 0, 0, 0);
		gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
		const far = view.distance + 12 * frame.size;
		const camera = times(perspective(0.75, canvas.width / canvas.height, Math.max(1e-4 * frame.size, 0.02 * view.distance), far), lookFrom(view.eye, view.target));
		setLight(bodyProgram, camera, view.eye);
		calls += drawRanges(filled.ranges[0]);

		gl.enable(gl.BLEND);
		gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
		gl.depthMask(false);
		setLight(groundProgram, camera, view.eye);
		gl.uniform3f(groundProgram.at("middle"), middle[0], frame.ground - 1e-3 * frame.size, middle[2]);
		gl.uniform1f(groundProgram.at("size"), 6 * frame.size);
		gl.uniform1f(groundProgram.at("cell"), 10 ** Math.round(Math.log10(frame.size / 10)));
		gl.uniform3fv(groundProgram.at("tint"), isDark ? [0.06, 0.065, 0.07] : [0.62, 0.61, 0.58]);
		gl.bindVertexArray(nothing);
		gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
		gl.bindVertexArray(bodies);
		setLight(bodyProgram, camera, view.eye);
		calls += drawRanges(filled.ranges[1]);
		gl.depthMask(true);
		return calls + 1;
	}

	canvas.addEventListener("webglcontextlost", (event) => {
		event.preventDefault();
		isLost = true;
	});
	canvas.addEventListener("webglcontextrestored", () => {
		build();
		isLost = false;
	});
	return { draw, triangleCount: filled.triangleCount, isLost: () => isLost };
}
