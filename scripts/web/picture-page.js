// One picture of a glTF scene: sun and sky light, soft shadow on the ground, darker corners where
// surfaces meet, dark lines along sharp edges if wanted, a camera that takes all of it in.
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { RoomEnvironment } from 'three/addons/environments/RoomEnvironment.js';
import { EffectComposer } from 'three/addons/postprocessing/EffectComposer.js';
import { RenderPass } from 'three/addons/postprocessing/RenderPass.js';
import { GTAOPass } from 'three/addons/postprocessing/GTAOPass.js';
import { OutputPass } from 'three/addons/postprocessing/OutputPass.js';

// The shading of corners takes its noise from here: the same scene gives the same picture.
let state = 1;
Math.random = () => (state = (state * 48271) % 2147483647) / 2147483647;

const background = new THREE.Color(0xdfe3e8);

// The scene at a time, and the box around what is visible then, within the frame if there is one.
async function load(options) {
	const time = options.time, corners = options.frame;
	const frame = corners && new THREE.Box3(new THREE.Vector3(...corners.slice(0, 3)),
		new THREE.Vector3(...corners.slice(3)));
	const gltf = await new GLTFLoader().loadAsync('/model.glb');
	const mixer = new THREE.AnimationMixer(gltf.scene);
	for (const clip of gltf.animations) {
		// After its last key an animation stays there; by default it would start again.
		const action = mixer.clipAction(clip);
		action.setLoop(THREE.LoopOnce, 1);
		action.clampWhenFinished = true;
		action.play();
	}
	mixer.setTime(time);
	gltf.scene.updateMatrixWorld(true);
	const box = new THREE.Box3();
	gltf.scene.traverse((node) => {
		if (!node.isMesh)
			return;
		// What is not born yet, or gone, has scale 0.
		node.visible = Math.abs(node.matrixWorld.determinant()) > 1e-20;
		if (!node.visible)
			return;
		// Without normals it would lie in its own shadow, which is pushed off along them.
		if (!node.geometry.attributes.normal) {
			node.geometry = node.geometry.toNonIndexed();
			node.geometry.computeVertexNormals();
		}
		node.castShadow = !node.material.transparent;
		node.receiveShadow = true;
		node.material.envMapIntensity = 0.35;
		const own = new THREE.Box3().setFromObject(node, true);
		node.userData.isBeside = frame && !frame.containsPoint(own.getCenter(new THREE.Vector3()));
		if (!node.userData.isBeside)
			box.union(own);
	});
	if (box.isEmpty())
		box.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
	return { root: gltf.scene, box };
}

function addEdges(root) {
	const material = new THREE.LineBasicMaterial({ color: 0x1b1d20, transparent: true, opacity: 0.55 });
	const meshes = [];
	root.traverse((node) => node.isMesh && node.visible && meshes.push(node));
	for (const mesh of meshes)
		mesh.add(new THREE.LineSegments(new THREE.EdgesGeometry(mesh.geometry, 28), material));
}

// A wide disc that takes the shadow and fades into the background far away.
function addGround(scene, box, radius) {
	const centre = box.getCenter(new THREE.Vector3());
	const ground = new THREE.Mesh(new THREE.CircleGeometry(radius * 40, 96),
		new THREE.MeshLambertMaterial({ color: 0xa6a9ab }));
	ground.rotation.x = -Math.PI / 2;
	ground.position.set(centre.x, box.min.y - radius * 1e-3, centre.z);
	ground.receiveShadow = true;
	scene.add(ground);
	scene.fog = new THREE.Fog(background, radius * 4, radius * 14);
}

// Sky light, and a sun over the viewer's left shoulder.
function addLight(scene, box, radius, view) {
	scene.add(new THREE.HemisphereLight(0xdde9ff, 0x8a7f70, 0.95));
	const sun = new THREE.DirectionalLight(0xfff0d8, 3.3);
	const centre = box.getCenter(new THREE.Vector3());
	const level = new THREE.Vector3(view[0], 0, view[2]);
	if (level.length() < 1e-3)
		level.z = 1;
	const towards = level.normalize().applyAxisAngle(new THREE.Vector3(0, 1, 0), -0.85);
	towards.y = 0.95;
	sun.position.copy(centre).addScaledVector(towards.normalize(), radius * 3);
	sun.target.position.copy(centre);
	sun.castShadow = true;
	sun.shadow.mapSize.set(4096, 4096);
	const camera = sun.shadow.camera;
	camera.left = camera.bottom = -radius * 1.15;
	camera.right = camera.top = radius * 1.15;
	camera.near = radius * 1.5;
	camera.far = radius * 5;
	sun.shadow.radius = 3;
	sun.shadow.bias = -4e-4;
	sun.shadow.normalBias = radius * 1.2e-3;
	scene.add(sun, sun.target);
}

// The nearest place along the view from which every visible vertex is inside the picture. With x to
// the right, y up and z towards the camera, a vertex is inside when |x - cx| <= wide (d - z): the
// largest x + wide z and wide z - x on all vertices give the camera's cx and d, and so for y.
function placeCamera(root, radius, { view, size, zoom }) {
	const camera = new THREE.PerspectiveCamera(30, size[0] / size[1], radius * 0.02, radius * 60);
	const back = new THREE.Vector3(...view).normalize();
	const up = Math.abs(back.y) > 0.999 ? new THREE.Vector3(0, 0, -1) : new THREE.Vector3(0, 1, 0);
	const right = new THREE.Vector3().crossVectors(up, back).normalize();
	const top = new THREE.Vector3().crossVectors(back, right);
	const tall = Math.tan(THREE.MathUtils.degToRad(camera.fov / 2)), wide = tall * camera.aspect;
	const most = [-Infinity, -Infinity, -Infinity, -Infinity], p = new THREE.Vector3();
	root.traverse((node) => {
		if (!node.isMesh || !node.visible || node.userData.isBeside)
			return;
		const positions = node.geometry.attributes.position;
		for (let i = 0; i < positions.count; ++i) {
			p.fromBufferAttribute(positions, i).applyMatrix4(node.matrixWorld);
			const x = p.dot(right), y = p.dot(top), z = p.dot(back);
			most[0] = Math.max(most[0], x + wide * z);
			most[1] = Math.max(most[1], wide * z - x);
			most[2] = Math.max(most[2], y + tall * z);
			most[3] = Math.max(most[3], tall * z - y);
		}
	});
	const distance = Math.max((most[0] + most[1]) / wide, (most[2] + most[3]) / tall) / 2;
	const target = new THREE.Vector3().addScaledVector(right, (most[0] - most[1]) / 2)
		.addScaledVector(top, (most[2] - most[3]) / 2);
	const margin = radius * 0.12;
	camera.up.copy(up);
	camera.position.copy(target).addScaledVector(back, distance + margin - (1 - 1 / zoom) * radius);
	camera.lookAt(target.addScaledVector(back, distance - radius));
	return camera;
}

globalThis.drawPicture = async (options) => {
	const renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
	renderer.setSize(options.size[0], options.size[1]);
	renderer.shadowMap.enabled = true;
	renderer.shadowMap.type = THREE.PCFShadowMap;
	renderer.toneMapping = THREE.NeutralToneMapping;
	renderer.toneMappingExposure = 1.0;
	document.body.append(renderer.domElement);

	const { root, box } = await load(options);
	const radius = Math.max(box.getSize(new THREE.Vector3()).length() / 2, 1e-6);
	const scene = new THREE.Scene();
	scene.background = background;
	scene.environment = new THREE.PMREMGenerator(renderer).fromScene(new RoomEnvironment(), 0.04).texture;
	scene.environmentIntensity = 0.3;
	scene.add(root);
	if (options.edges)
		addEdges(root);
	if (options.ground)
		addGround(scene, box, radius);
	addLight(scene, box, radius, options.view);
	const camera = placeCamera(root, radius, options);

	const target = new THREE.WebGLRenderTarget(options.size[0], options.size[1],
		{ type: THREE.HalfFloatType, samples: 4 });
	const composer = new EffectComposer(renderer, target);
	composer.addPass(new RenderPass(scene, camera));
	const corners = new GTAOPass(scene, camera, options.size[0], options.size[1]);
	corners.updateGtaoMaterial({ radius: radius * 0.03, distanceExponent: 1.5, thickness: radius * 0.05,
		scale: 1.1, samples: 12 });
	corners.blendIntensity = 0.9;
	composer.addPass(corners);
	composer.addPass(new OutputPass());
	composer.render();
	return renderer.domElement.toDataURL('image/png');
};
