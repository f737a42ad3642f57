// Elements of the page, and charts over time as SVG.

function element(name, properties = {}, ...children) {
	const made = document.createElement(name);
	for (const [key, value] of Object.entries(properties))
		if (key in made && key !== "list")
			made[key] = value;
		else
			made.setAttribute(key, value);
	made.append(...children);
	return made;
}

function drawing(name, attributes = {}, ...children) {
	const made = document.createElementNS("http://www.w3.org/2000/svg", name);
	for (const [key, value] of Object.entries(attributes))
		made.setAttribute(key, value);
	made.append(...children);
	return made;
}

// A number for people: three digits, thousands apart.
function readable(x) {
	if (x === null || x === undefined || !Number.isFinite(x))
		return "–";
	const size = Math.abs(x);
	if (size >= 1e7 || (size > 0 && size < 1e-3))
		return x.toExponential(2);
	return size >= 1000 ? Math.round(x).toLocaleString("en") : String(Number(x.toPrecision(3)));
}

// The same with a letter for powers of a thousand, for axes: "1.5 M".
function short(x) {
	const size = Math.abs(x);
	for (const [power, letter] of [[1e9, "G"], [1e6, "M"], [1e3, "k"]])
		if (size >= 9.9 * power || (size >= power && power > 1e3))
			return `${Number((x / power).toPrecision(3))} ${letter}`;
	return readable(x) + " ";
}

const maximum = (values) => values.reduce((a, b) => Math.max(a, b), 0);

function niceStep(range, count) {
	const rough = range / count, power = 10 ** Math.floor(Math.log10(rough)), share = rough / power;
	return power * (share > 5 ? 10 : share > 2 ? 5 : share > 1 ? 2 : 1);
}

// A chart over the steps of a run.
//   series   { name, color, values } each; stacked on top of each other, or lines
//   times    of the values, in seconds
//   marks    indices of steps that are marked at the top
//   onSeek   called with a time when somebody clicks
// Returns the figure; figure.setTime(t) moves the line that shows the time.
function createChart({ title, caption, series, times: at, unit: unitName, isStacked, marks = [], markName, onSeek }) {
	const figure = element("figure"), svg = drawing("svg", { role: "img", "aria-label": `${title}. ${caption}` });
	const readout = element("figcaption", { textContent: caption });
	const legend = element("ul", { className: "legend" });
	for (const one of series)
		legend.append(element("li", {}, element("i", { style: `background: var(--s${one.color})` }), one.name));
	if (marks.length)
		legend.append(element("li", {}, element("i", { style: "background: var(--mark)" }), markName));
	figure.append(svg, readout, ...(series.length > 1 || marks.length ? [legend] : []));
	const height = isStacked ? 240 : 150, left = 52, right = 10, top = 14, bottom = 22, count = at.length;
	const end = count ? at[count - 1] : 1, begin = count ? Math.min(at[0], end) : 0;
	const totals = at.map((_, i) => isStacked ? series.reduce((sum, one) => sum + Math.max(0, one.values[i]), 0) : Math.max(...series.map((one) => one.values[i])));
	let least = isStacked ? 0 : Math.min(0, ...series.map((one) => one.values.reduce((a, b) => Math.min(a, b), Infinity)));
	let most = maximum(totals);
	if (!Number.isFinite(least))
		least = 0;
	most = Math.max(most, least + 1e-9);
	let width = 0, now = null, time = 0;
	const x = (t) => left + (width - left - right) * (end > begin ? (t - begin) / (end - begin) : 0);
	const y = (value) => height - bottom - (height - top - bottom) * (value - least) / (most - least);

	// One step per column of pixels: the one that is highest there.
	function columns() {
		const chosen = [];
		let column = -1;
		for (let i = 0; i < count; ++i) {
			const c = Math.floor(x(at[i]));
			if (c !== column)
				chosen.push(i), column = c;
			else if (totals[i] > totals[chosen[chosen.length - 1]])
				chosen[chosen.length - 1] = i;
		}
		return chosen;
	}
	function render() {
		width = Math.max(240, figure.clientWidth || 640);
		svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
		svg.replaceChildren();
		const step = niceStep(most - least, isStacked ? 5 : 3);
		for (let value = Math.ceil(least / step) * step; value <= most; value += step)
			svg.append(drawing("line", { class: "grid", x1: left, x2: width - right, y1: y(value), y2: y(value) }),
				drawing("text", { x: left - 5, y: y(value) + 4, "text-anchor": "end" }, short(value).trimEnd()));
		svg.append(drawing("text", { x: 2, y: 10 }, unitName));
		const seconds = niceStep(Math.max(1e-6, end - begin), Math.max(2, width / 110));
		for (let t = Math.ceil(begin / seconds) * seconds; t <= end; t += seconds)
			svg.append(drawing("text", { x: x(t), y: height - 6, "text-anchor": "middle" }, `${readable(t)} s`));
		const chosen = columns(), base = chosen.map(() => 0);
		for (const one of series) {
			if (isStacked) {
				const low = chosen.map((i, k) => `${x(at[i]).toFixed(1)},${y(base[k]).toFixed(1)}`).reverse();
				chosen.forEach((i, k) => base[k] += Math.max(0, one.values[i]));
				const high = chosen.map((i, k) => `${x(at[i]).toFixed(1)},${y(base[k]).toFixed(1)}`);
				svg.append(drawing("polygon", { points: [...high, ...low].join(" "), style: `fill: var(--s${one.color})` }));
			} else {
				svg.append(drawing("polyline", { points: chosen.map((i) => `${x(at[i]).toFixed(1)},${y(one.values[i]).toFixed(1)}`).join(" "),
					style: `fill: none; stroke: var(--s${one.color}); stroke-width: 1.6` }));
			}
		}
		let column = -1;
		for (const i of marks) {
			const c = Math.floor(x(at[i]));
			if (c !== column)
				svg.append(drawing("line", { class: "mark", x1: c, x2: c, y1: 2, y2: top - 2 }));
			column = c;
		}
		now = drawing("line", { class: "now", x1: x(time), x2: x(time), y1: 2, y2: height - bottom });
		svg.append(now);
	}
	function nearest(event) {
		const box = svg.getBoundingClientRect(), t = begin + (end - begin) * ((event.clientX - box.left) / box.width * width - left) / (width - left - right);
		let low = 0, high = count - 1;
		while (low < high) {
			const mid = (low + high) >> 1;
			if (at[mid] < t)
				low = mid + 1;
			else
				high = mid;
		}
		return low > 0 && t - at[low - 1] < at[low] - t ? low - 1 : low;
	}
	if (count) {
		svg.addEventListener("pointermove", (event) => {
			const i = nearest(event), parts = series.map((one) => `${one.name} ${readable(one.values[i])}`);
			readout.textContent = `${at[i].toFixed(3)} s: ${isStacked ? `${readable(totals[i])} ${unitName} (${parts.join(", ")})` : `${parts.join(", ")} ${unitName}`}`;
		});
		svg.addEventListener("pointerleave", () => readout.textContent = caption);
		svg.addEventListener("click", (event) => onSeek(at[nearest(event)]));
	}
	new ResizeObserver(render).observe(figure);
	figure.setTime = (t) => {
		time = Math.max(begin, Math.min(end, t));
		if (now)
			now.setAttribute("x1", x(time)), now.setAttribute("x2", x(time));
	};
	return figure;
}
