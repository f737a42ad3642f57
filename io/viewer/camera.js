// The camera circles around a point: by mouse, fingers and keys.

function createCamera(canvas, frame, onChange) {
	const view = { yaw: 0, pitch: 0, distance: 1, target: [0, 0, 0], eye: [0, 0, 1] };

	function update() {
		view.pitch = Math.max(-1.5, Math.min(1.5, view.pitch));
		view.distance = Math.max(1e-3 * frame.size, Math.min(20 * frame.size, view.distance));
		const flat = Math.cos(view.pitch);
		view.eye = [
			view.target[0] + view.distance * flat * Math.sin(view.yaw),
			Math.max(frame.ground + 0.01 * frame.size, view.target[1] + view.distance * Math.sin(view.pitch)),
			view.target[2] + view.distance * flat * Math.cos(view.yaw),
		];
		onChange();
	}
	function home() {
		view.yaw = 0.66, view.pitch = 0.36, view.distance = 1.1 * frame.size;
		view.target = frame.low.map((x, k) => (x + frame.high[k]) / 2);
		update();
	}
	function turn(x, y) {
		view.yaw -= x, view.pitch += y;
		update();
	}
	function zoom(factor) {
		view.distance *= factor;
		update();
	}
	// In shares of the height of the picture.
	function move(x, y) {
		const reach = view.distance * 0.79, s = Math.sin(view.yaw), c = Math.cos(view.yaw), up = Math.cos(view.pitch), back = Math.sin(view.pitch);
		view.target[0] += reach * (-x * c - y * s * back), view.target[1] += reach * y * up, view.target[2] += reach * (x * s - y * c * back);
		update();
	}

	const fingers = new Map();
	let spread = 0, middle = null;
	function measure() {
		const [a, b] = [...fingers.values()];
		spread = Math.hypot(a.x - b.x, a.y - b.y), middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
	}
	canvas.addEventListener("pointerdown", (event) => {
		canvas.setPointerCapture(event.pointerId);
		fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
		if (fingers.size === 2)
			measure();
	});
	canvas.addEventListener("pointermove", (event) => {
		const finger = fingers.get(event.pointerId), height = canvas.clientHeight || 1;
		if (!finger)
			return;
		const x = event.clientX - finger.x, y = event.clientY - finger.y;
		finger.x = event.clientX, finger.y = event.clientY;
		if (fingers.size === 2) {
			const before = spread, was = middle;
			measure();
			move((middle.x - was.x) / height, (middle.y - was.y) / height);
			zoom(before > 0 && spread > 0 ? before / spread : 1);
		} else if (event.buttons & 2 || event.shiftKey) {
			move(x / height, y / height);
		} else {
			turn(4 * x / height, 4 * y / height);
		}
	});
	for (const name of ["pointerup", "pointercancel"])
		canvas.addEventListener(name, (event) => {
			fingers.delete(event.pointerId);
			if (fingers.size === 2)
				measure();
		});
	canvas.addEventListener("contextmenu", (event) => event.preventDefault());
	canvas.addEventListener("wheel", (event) => {
		event.preventDefault();
		zoom(Math.exp(0.0015 * event.deltaY * (event.deltaMode === 1 ? 30 : 1)));
	}, { passive: false });
	const keys = {
		ArrowLeft: () => turn(0.1, 0), ArrowRight: () => turn(-0.1, 0), ArrowUp: () => turn(0, 0.08), ArrowDown: () => turn(0, -0.08),
		"+": () => zoom(1 / 1.15), "=": () => zoom(1 / 1.15), "-": () => zoom(1.15), Home: home,
		w: () => move(0, 0.06), s: () => move(0, -0.06), a: () => move(0.06, 0), d: () => move(-0.06, 0),
	};
	canvas.addEventListener("keydown", (event) => {
		const action = event.ctrlKey || event.altKey || event.metaKey ? null : keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
		if (!action)
			return;
		event.preventDefault();
		action();
	});
	home();
	return { view, home };
}
