// Puts the page together: the film if there is one, then what the report says.

const $ = (id) => document.getElementById(id);
const errors = [];

function say(text) {
	$("notes").append(element("p", { className: "note", textContent: text }));
}

function isDark() {
	return (document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
}

function createPlayer(film, onTime) {
	const canvas = $("view"), slider = $("time"), stage = $("stage");
	stage.hidden = false;
	const frame = frameFilm(film);
	let painter = null, time = 0, isPlaying = false, isDirty = true, before = 0, calls = 0;
	try {
		painter = createPainter(canvas, film, frame);
	} catch (error) {
		errors.push(error.message);
		canvas.hidden = true;
		$("view-message").hidden = false;
		$("view-message").textContent = error.message;
	}
	const camera = createCamera(canvas, frame, () => isDirty = true);
	slider.max = film.end || 1, slider.step = "any";
	slider.disabled = film.end === 0;

	function show(t) {
		time = Math.max(0, Math.min(film.end, t));
		slider.value = time;
		slider.setAttribute("aria-valuetext", `${time.toFixed(2)} seconds of ${film.end.toFixed(2)}`);
		$("clock").textContent = `${time.toFixed(2)} s`;
		poseFilm(film, time);
		onTime(time);
		isDirty = true;
	}
	function play(wanted) {
		isPlaying = wanted && film.end > 0;
		if (isPlaying && time >= film.end)
			show(0);
		$("play").textContent = isPlaying ? "Pause" : "Play";
		$("play").setAttribute("aria-pressed", isPlaying);
		before = performance.now();
	}
	function tick(now) {
		if (isPlaying) {
			show(time + Math.min(0.1, (now - before) / 1000) * Number($("speed").value));
			before = now;
			if (time >= film.end)
				play(false);
		}
		if (isDirty && painter && !document.hidden) {
			const sharp = Math.min(2, devicePixelRatio || 1), width = Math.round(canvas.clientWidth * sharp), height = Math.round(canvas.clientHeight * sharp);
			if (canvas.width !== width || canvas.height !== height)
				canvas.width = Math.max(1, width), canvas.height = Math.max(1, height);
			calls = painter.draw(camera.view, isDark());
			isDirty = painter.isLost();
		}
		requestAnimationFrame(tick);
	}
	slider.addEventListener("input", () => { play(false); show(Number(slider.value)); });
	$("play").onclick = () => play(!isPlaying);
	$("back").onclick = () => { play(false); show(time - 1 / 60); };
	$("forth").onclick = () => { play(false); show(time + 1 / 60); };
	$("home").onclick = camera.home;
	document.addEventListener("keydown", (event) => {
		if (event.key !== " " || event.ctrlKey || event.altKey || event.metaKey || event.target.closest?.("button, select, input, summary, textarea"))
			return;
		event.preventDefault();
		play(!isPlaying);
	});
	new ResizeObserver(() => isDirty = true).observe(canvas);
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => isDirty = true);
	canvas.addEventListener("webglcontextrestored", () => isDirty = true);
	show(0);
	requestAnimationFrame(tick);
	return {
		show: (t) => { play(false); show(t); },
		redraw: () => isDirty = true,
		// For tests: what is shown.
		state: () => ({
			time, end: film.end, calls, triangles: painter?.triangleCount ?? 0,
			visible: film.nodes.filter((node) => node.isVisible && node.mesh >= 0).length,
			places: film.nodes.map((node) => node.isVisible ? [node.matrix[3], node.matrix[7], node.matrix[11]] : null),
		}),
	};
}

function begin() {
	const { report, thinned } = JSON.parse($("report-data").textContent), text = $("film-data").textContent.trim();
	$("subtitle").textContent = report.subtitle ?? "";
	$("theme").onclick = () => {
		document.documentElement.dataset.theme = isDark() ? "light" : "dark";
		player?.redraw();
	};
	for (const note of [...(thinned ? [thinned] : []), ...(report.notes ?? [])])
		say(note);
	let player = null, showTime = () => {};
	const seek = (time, isFar) => {
		player?.show(time);
		if (isFar)
			$("stage").scrollIntoView({ block: "nearest" });
		if (!player)
			showTime(time);
	};
	if (report.kind === "bench")
		showBench($("content"), report);
	else
		showTime = showRun($("content"), report, seek);
	if (text)
		try {
			player = createPlayer(readFilm(bytesOfBase64(text)), (time) => showTime(time));
		} catch (error) {
			errors.push(error.message);
			say(`The film cannot be shown: ${error.message}.`);
		}
	globalThis.rubble = { report, errors, player, isReady: true };
}

begin();
