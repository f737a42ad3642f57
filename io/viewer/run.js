// What is said about a run: figures, charts, worst steps, settings.

const STAGES = [
	["broadphase_ms", "broad phase"], ["pairs_ms", "pairs"], ["narrow_ms", "narrow phase"], ["contacts_ms", "contacts"],
	["solver_ms", "solver"], ["finish_ms", "finish"], ["fracture_ms", "fracture"], ["stress_ms", "stress"],
	["debris_ms", "debris"],
];

function card(name, value) {
	return element("div", {}, element("dt", { textContent: name }), element("dd", { textContent: value, className: String(value).length > 12 ? "long" : "" }));
}

function settingsTable(settings) {
	const body = element("tbody");
	for (const [name, value] of Object.entries(settings))
		body.append(element("tr", {}, element("th", { scope: "row", textContent: name }),
			element("td", { className: "words" }, element("code", { textContent: Array.isArray(value) ? value.join(", ") : String(value) }))));
	return element("table", {}, body);
}

// Fill the page. Returns a function that shows a time in all charts.
function showRun(host, report, seek) {
	const steps = report.steps, count = steps?.ms?.length ?? 0, charts = [];
	if (report.summary) {
		const cards = element("dl", { className: "cards" });
		for (const [name, value] of Object.entries(report.summary))
			cards.append(card(name, typeof value === "number" ? readable(value) : value));
		host.append(cards);
	}
	if (count > 0) {
		const times = steps.time, rest = steps.ms.map((ms, i) => Math.max(0, ms - STAGES.reduce((sum, [key]) => sum + (steps[key]?.[i] ?? 0), 0)));
		const marks = steps.breaks.flatMap((n, i) => n > 0 ? [i] : []), breaks = steps.breaks.reduce((a, b) => a + b, 0);
		const add = (section, of) => {
			const chart = createChart({ times, onSeek: seek, ...of });
			charts.push(chart);
			section.append(element("h2", { textContent: of.title }), chart);
			return section;
		};
		const sum = steps.ms.reduce((a, b) => a + b, 0), worst = steps.ms.reduce((best, ms, i) => ms > steps.ms[best] ? i : best, 0);
		const each = report.steps_per_row > 1 ? ` Each point is the slowest of ${report.steps_per_row} steps.` : "";
		host.append(add(element("section"), {
			title: "Time of a step, by stage", unit: "ms", isStacked: true, marks, markName: `${breaks} breaks`,
			caption: `Mean ${readable(sum / count)} ms; worst ${readable(steps.ms[worst])} ms at ${times[worst].toFixed(2)} s.${each}`,
			series: [...STAGES.map(([key, name], i) => ({ name, color: i, values: steps[key] })), { name: "rest", color: 9, values: rest }]
				.filter((one) => one.values && one.values.some((v) => v > 0)),
		}));
		const pair = element("div", { className: "pair" });
		const last = (values) => readable(values[values.length - 1]), top = (values) => readable(maximum(values));
		const lowest = steps.potential?.reduce((a, b) => Math.min(a, b), Infinity) ?? 0;
		pair.append(add(element("section"), {
			title: "Bodies", unit: "", marks, markName: "breaks", caption: `${last(steps.bodies)} at the end, ${top(steps.awake)} awake at most.`,
			series: [{ name: "all", color: 0, values: steps.bodies }, { name: "awake", color: 1, values: steps.awake }],
		}), add(element("section"), {
			title: "Contacts", unit: "", caption: `${top(steps.contacts)} touching pairs at most, ${last(steps.contacts)} at the end.`,
			series: [{ name: "touching pairs", color: 2, values: steps.contacts }],
		}));
		if (steps.kinetic)
			pair.append(add(element("section"), {
				title: "Energy of motion", unit: "J", marks, markName: "breaks", caption: `${short(maximum(steps.kinetic))}J at most, ${short(steps.kinetic[count - 1])}J at the end.`,
				series: [{ name: "kinetic", color: 3, values: steps.kinetic }],
			}), add(element("section"), {
				title: "Energy of height", unit: "J", caption: "Of all dynamic bodies, above its least; what stands fast counts once it breaks off.",
				series: [{ name: "potential", color: 4, values: steps.potential.map((v) => v - lowest) }],
			}));
		host.append(pair);
		const order = steps.ms.map((_, i) => i).sort((a, b) => steps.ms[b] - steps.ms[a] || a - b).slice(0, 12);
		const rows = element("tbody");
		for (const i of order) {
			const [key, name] = STAGES.reduce((best, stage) => (steps[stage[0]]?.[i] ?? 0) > (steps[best[0]]?.[i] ?? 0) ? stage : best);
			const go = element("button", { type: "button", textContent: `${times[i].toFixed(3)} s`, onclick: () => seek(times[i], true) });
			go.setAttribute("aria-label", `Go to ${times[i].toFixed(3)} seconds, step ${steps.step[i]}`);
			rows.append(element("tr", {}, ...[element("td", {}, go), ...[steps.step[i], readable(steps.ms[i]), `${name} ${readable(steps[key]?.[i] ?? 0)}`,
				readable(steps.bodies[i]), readable(steps.awake[i]), readable(steps.contacts[i]), steps.breaks[i] || ""]
				.map((text) => element("td", { textContent: text }))]));
		}
		const head = element("tr", {}, ...["time", "step", "ms", "dearest stage", "bodies", "awake", "contacts", "breaks"].map((name) => element("th", { scope: "col", textContent: name })));
		host.append(element("section", {}, element("h2", { textContent: "Worst steps" }),
			element("div", { className: "scroll" }, element("table", { id: "worst" }, element("thead", {}, head), rows))));
	}
	if (report.settings)
		host.append(element("section", {}, element("h2", { textContent: "Settings" }), element("div", { className: "scroll" }, settingsTable(report.settings))));
	return (time) => charts.forEach((chart) => chart.setTime(time));
}
