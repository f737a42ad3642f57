// The look of the page: light, sky, ground, dust, lines of overlays, and what is left of it when frames are late.

import * as three from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { createMaterial } from "../../bindings/js/three.js";

const PUFFS = 400;
const LATE_MS = 45, LATE_FRAMES = 40;

function createSky() {
	const material = new three.ShaderMaterial({
		side: three.BackSide, depthWrite: false, fog: false,
		uniforms: { top: { value: new three.Color(0.25, 0.45, 0.78) }, bottom: { value: new three.Color(0.8, 0.82, 0.8) } },
		vertexShader: "varying vec3 at; void main() { at = position; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }",
		fragmentShader: `uniform vec3 top, bottom; varying vec3 at;
			void main() { gl_FragColor = vec4(mix(bottom, top, pow(max(normalize(at).y, 0.0), 0.55)), 1.0);
			#include <colorspace_fragment>
			}`,
	});
	const sky = new three.Mesh(new three.SphereGeometry(400, 24, 12), material);
	sky.frustumCulled = false;
	return sky;
}

/** Puffs of dust: instanced sprites that rise, grow and fade. */
class Dust {
	puffs = [];

	constructor() {
		const quad = new three.PlaneGeometry(1, 1), geometry = new three.InstancedBufferGeometry();
		geometry.index = quad.index;
		geometry.setAttribute("position", quad.getAttribute("position"));
		this.places = new three.InstancedBufferAttribute(new Float32Array(4 * PUFFS), 4);
		this.tints = new three.InstancedBufferAttribute(new Float32Array(4 * PUFFS), 4);
		geometry.setAttribute("place", this.places);
		geometry.setAttribute("tint", this.tints);
		geometry.instanceCount = 0;
		this.mesh = new three.Mesh(geometry, new three.ShaderMaterial({
			transparent: true, depthWrite: false,
			vertexShader: `attribute vec4 place, tint; varying vec4 shade; varying vec2 corner;
				void main() {
					shade = tint; corner = 2.0 * position.xy;
					vec4 at = viewMatrix * vec4(place.xyz, 1.0);
					at.xy += position.xy * place.w;
					gl_Position = projectionMatrix * at;
				}`,
			fragmentShader: `varying vec4 shade; varying vec2 corner;
				void main() {
					float soft = smoothstep(1.0, 0.0, length(corner));
					gl_FragColor = vec4(shade.rgb, shade.a * soft * soft);
					#include <colorspace_fragment>
				}`,
		}));
		this.mesh.frustumCulled = false;
	}

	add(position, velocity, radius) {
		if (this.puffs.length >= PUFFS)
			this.puffs.shift();
		this.puffs.push({ x: position.x, y: position.y, z: position.z, vx: 0.25 * velocity.x, vy: 0.25 * velocity.y + 0.2,
			vz: 0.25 * velocity.z, radius, age: 0, life: 1.2 + 1.2 * Math.random() });
	}

	clear() {
		this.puffs = [];
	}

	update(seconds) {
		this.puffs = this.puffs.filter(puff => (puff.age += seconds) < puff.life);
		this.puffs.forEach((puff, i) => {
			const share = puff.age / puff.life;
			puff.x += seconds * puff.vx, puff.y += seconds * puff.vy, puff.z += seconds * puff.vz;
			this.places.setXYZW(i, puff.x, puff.y, puff.z, puff.radius * (1 + 2.5 * share));
			this.tints.setXYZW(i, 0.75, 0.71, 0.65, 0.35 * (1 - share));
		});
		this.mesh.geometry.instanceCount = this.puffs.length;
		this.mesh.visible = this.puffs.length > 0;
		this.places.needsUpdate = this.tints.needsUpdate = true;
	}
}

export class Stage {
	#late = 0;
	#frames = 0;
	level = 0; // of what was given up: 1 shadows, 2 resolution and materials
	looks = "auto";

	constructor(canvas) {
		this.canvas = canvas;
		this.renderer = new three.WebGLRenderer({ canvas, antialias: true, powerPreference: "high-performance" });
		this.renderer.shadowMap.enabled = true;
		this.renderer.shadowMap.type = three.PCFShadowMap; // soft in this version of three.js
		this.renderer.toneMapping = three.ACESFilmicToneMapping;
		this.renderer.info.autoReset = false;
		this.scene = new three.Scene();
		this.scene.fog = new three.Fog(0xc8cbc9, 60, 320);
		this.camera = new three.PerspectiveCamera(45, 1, 0.05, 900);
		this.controls = new OrbitControls(this.camera, canvas);
		this.controls.maxPolarAngle = 0.53 * Math.PI;
		this.controls.enableDamping = true;
		this.sun = new three.DirectionalLight(0xfff1dd, 3.2);
		this.sun.castShadow = true;
		this.sun.shadow.mapSize.set(2048, 2048);
		this.sun.shadow.radius = 4;
		this.sun.shadow.bias = -0.0004;
		this.sun.shadow.normalBias = 0.02;
		this.ground = new three.Mesh(new three.PlaneGeometry(800, 800).rotateX(-0.5 * Math.PI),
			new three.MeshStandardMaterial({ color: 0x8d8a80, roughness: 1 }));
		this.ground.receiveShadow = true;
		this.dust = new Dust();
		this.lines = new three.LineSegments(new three.BufferGeometry(), new three.LineBasicMaterial({ vertexColors: true, depthTest: false, fog: false }));
		this.lines.frustumCulled = false;
		this.lines.visible = false;
		this.lines.renderOrder = 2;
		this.scene.add(new three.HemisphereLight(0xc9dcf5, 0x6e665a, 1.5), this.sun, this.sun.target, createSky(), this.ground,
			this.dust.mesh, this.lines);
		this.textures = null;
		this.material = createMaterial();
		this.plain = new three.MeshLambertMaterial({ vertexColors: true });
		this.cloth = new three.MeshStandardMaterial({ vertexColors: true, roughness: 0.9, side: three.DoubleSide });
		this.plainCloth = new three.MeshLambertMaterial({ vertexColors: true, side: three.DoubleSide });
	}

	resize() {
		const { clientWidth: width, clientHeight: height } = this.canvas;
		if (width === 0 || height === 0)
			return;
		const ratio = this.level >= 2 ? Math.min(1, devicePixelRatio) * 0.75 : Math.min(2, devicePixelRatio);
		this.renderer.setPixelRatio(ratio);
		this.renderer.setSize(width, height, false);
		this.camera.aspect = width / height;
		this.camera.updateProjectionMatrix();
	}

	/** Look at a box, or along a camera of the scene. */
	frame(box, camera) {
		const centre = box.getCenter(new three.Vector3()), size = Math.max(0.6, box.getSize(new three.Vector3()).length());
		if (camera) {
			const first = camera.motion?.[0] ?? {};
			this.camera.position.fromArray(camera.position ?? first.position);
			this.controls.target.fromArray(camera.target ?? first.target ?? [0, 0, 0]);
			this.camera.fov = camera.field_of_view ?? 40;
		} else {
			this.controls.target.copy(centre);
			this.camera.fov = 45;
			this.camera.position.copy(centre).add(new three.Vector3(0.45, 0.32, 0.85).normalize().multiplyScalar(0.92 * size));
		}
		this.size = size;
		this.camera.near = Math.max(0.01, 0.004 * size);
		this.camera.updateProjectionMatrix();
		this.sun.target.position.copy(centre);
		this.sun.position.copy(centre).add(new three.Vector3(0.6, 1.1, 0.45).multiplyScalar(size));
		const { camera: shadow } = this.sun.shadow;
		shadow.left = shadow.bottom = -0.75 * size, shadow.right = shadow.top = 0.75 * size;
		shadow.near = 0.05 * size, shadow.far = 3 * size;
		shadow.updateProjectionMatrix();
		this.controls.update();
	}

	setLines({ positions, colors }) {
		const { geometry } = this.lines, count = positions.length / 3;
		const old = geometry.getAttribute("position");
		if (!old || old.count < count) {
			geometry.dispose();
			geometry.setAttribute("position", new three.BufferAttribute(new Float32Array(6 * count), 3));
			geometry.setAttribute("color", new three.BufferAttribute(new Float32Array(6 * count), 3));
		}
		for (const [name, values] of [["position", positions], ["color", colors]]) {
			const attribute = geometry.getAttribute(name);
			attribute.array.set(values);
			attribute.needsUpdate = true;
		}
		geometry.setDrawRange(0, count);
		this.lines.visible = count > 0;
	}

	#degrade() {
		this.level = Math.min(2, this.level + 1);
		this.#apply();
	}

	setLooks(looks) {
		this.looks = looks;
		this.level = looks === "plain" ? 2 : 0;
		this.#late = this.#frames = 0;
		this.#apply();
	}

	#apply() {
		this.renderer.shadowMap.enabled = this.sun.castShadow = this.level === 0;
		this.#setMaterials();
		this.scene.traverse(object => object.material && (object.material.needsUpdate = true));
		this.resize();
	}

	/** The pictures of a model, or null: bodies are drawn with another material then. */
	setTextures(textures) {
		if (textures === this.textures)
			return;
		this.textures?.dispose();
		this.material.dispose();
		this.textures = textures;
		this.material = createMaterial({ textures });
	}

	setView(view) {
		if (this.view)
			this.scene.remove(this.view), this.view.mesh.dispose(), this.view.cloth?.geometry.dispose();
		this.view = view;
		this.#setMaterials();
		this.scene.add(view);
	}

	#setMaterials() {
		if (this.view)
			this.view.mesh.material = this.level >= 2 ? this.plain : this.material;
		if (this.view?.cloth)
			this.view.cloth.material = this.level >= 2 ? this.plainCloth : this.cloth;
	}

	/** Draw. @param interval  milliseconds since the last frame */
	render(interval) {
		this.controls.update();
		this.renderer.info.reset();
		this.renderer.render(this.scene, this.camera);
		if (this.looks !== "auto" || interval > 1000)
			return;
		// The first frames compile shaders; then late ones count.
		this.#late = ++this.#frames > 10 && interval > LATE_MS ? this.#late + 1 : Math.max(0, this.#late - 1);
		if (this.#late > LATE_FRAMES && this.level < 2) {
			this.#late = this.#frames = 0;
			this.#degrade();
		}
	}

	/** A ray through a point of the canvas, -1 to 1. */
	ray(x, y) {
		const caster = new three.Raycaster();
		this.camera.updateMatrixWorld(); // it may have been placed since the last picture
		caster.setFromCamera(new three.Vector2(x, y), this.camera);
		return { from: caster.ray.origin, direction: caster.ray.direction };
	}
}
