// What is said about benchmarks: bars of all rows, beside those of another run and targets.

const OTHER_STATISTICS = /(^|_)(median|p99|worst|mean|max)(?=_|$)/;
const TIME_UNITS = new Set(["ns", "us", "ms", "s"]);

// Rows by suite, case, and family of metrics: "ms_mean", "ms_p99" and "ms_worst" are one.
function groupRows(rows) {
	const suites = new Map(), into = (map, key, made) => map.get(key) ?? (map.set(key, made), made);
	for (const row of rows) {
		if (row.value === null || !Number.isFinite(row.value))
			continue;
		const family = row.metric.replace(OTHER_STATISTICS, "").replace(/^_/, "") || row.metric;
		const cases = into(suites, row.suite, new Map()), families = into(cases, row.case, new Map());
		const { variants } = into(families, `${family} ${row.unit}`, { name: family, unit: row.unit, variants: new Map() });
		into(variants, row.variant, new Map()).set(row.metric, row.value);
	}
	return suites;
}

// The number that a variant's bar shows: the plain one, or the most telling statistic.
function mainMetric(family, metrics) {
	return [family, `${family}_mean`, `mean_${family}`, `${family}_median`].find((name) => metrics.has(name)) ?? [...metrics.keys()][0];
}

function bar(className, share) {
	return element("b", { className, style: `width: ${Math.max(0.4, Math.min(100, 100 * share)).toFixed(2)}%` });
}

function familyBars(suite, caseName, family, before, targets) {
	const bars = element("div", { className: "bars" }), rows = [];
	for (const [variant, metrics] of family.variants) {
		const metric = mainMetric(family.name, metrics), key = (name) => JSON.stringify([suite, caseName, name, metric]);
		rows.push({ variant, metric, value: metrics.get(metric), others: [...metrics].filter(([name]) => name !== metric),
			before: before.get(key(variant)), must: targets.get(key("must")), aim: targets.get(key("aim")) });
	}
	rows.sort((a, b) => a.value - b.value);
	const best = rows[0].value, isTime = TIME_UNITS.has(family.unit);
	const top = Math.max(...rows.flatMap((row) => [row.value, row.before ?? 0, row.must ?? 0])) || 1;
	for (const row of rows) {
		const track = element("div", { className: "track" }, bar(row.variant.startsWith("rubble") ? "own" : "", row.value / top));
		if (row.before !== undefined)
			track.append(bar("before", row.before / top));
		for (const [name, value] of row.others)
			if (value <= top)
				track.append(element("u", { title: `${name} ${readable(value)}`, style: `left: ${(100 * value / top).toFixed(2)}%` }));
		for (const name of ["must", "aim"])
			if (row[name] !== undefined)
				track.append(element("s", { className: name, title: `${name} ${readable(row[name])}`, style: `left: ${Math.min(99.5, 100 * row[name] / top).toFixed(2)}%` }));
		const said = [`${readable(row.value)} ${family.unit}`.trim()];
		if (isTime && rows.length > 1 && best > 0 && row.value > best)
			said.push(`${readable(row.value / best)} x`);
		if (row.before > 0) {
			const change = 100 * (row.value / row.before - 1);
			said.push(`${change < 0 ? "−" : "+"}${Math.abs(change).toFixed(Math.abs(change) < 10 ? 1 : 0)} %`);
		}
		track.setAttribute("role", "img");
		track.setAttribute("aria-label", `${row.variant}: ${said.join(", ")}${row.must !== undefined ? `, must be ${readable(row.must)}` : ""}`);
		bars.append(element("div", { className: "name", textContent: row.variant, title: row.metric }), track,
			element("div", { className: "number", textContent: said.join("  ") }));
	}
	return bars;
}

function suiteSection(suite, cases, before, targets) {
	const section = element("section", { id: `suite-${suite}` }, element("h2", { textContent: suite }));
	for (const [caseName, families] of cases) {
		const block = element("div", { className: "case" }, element("h3", { textContent: caseName }));
		const [timed, further] = [[], []];
		for (const family of families.values())
			(TIME_UNITS.has(family.unit) ? timed : further).push(family);
		const titled = (family) => element("figure", {}, element("figcaption", { textContent: `${family.name}${family.unit ? ` (${family.unit})` : ""}` }),
			familyBars(suite, caseName, family, before, targets));
		block.append(...timed.map(titled));
		if (further.length) {
			// Filled when it is opened: there are thousands.
			const details = element("details", {}, element("summary", { textContent: `${further.length} further ${further.length === 1 ? "figure" : "figures"}` }));
			details.addEventListener("toggle", () => {
				if (details.open && details.children.length === 1)
					details.append(...further.map(titled));
			});
			block.append(details);
		}
		block.dataset.words = `${suite} ${caseName} ${[...families.values()].flatMap((f) => [...f.variants.keys()]).join(" ")}`.toLowerCase();
		section.append(block);
	}
	return section;
}

function showBench(host, report) {
	const byKey = (rows) => new Map(rows.map((row) => [JSON.stringify([row.suite, row.case, row.variant, row.metric]), row.value]));
	const before = byKey(report.before ?? []), targets = byKey(report.targets ?? []);
	const suites = groupRows(report.rows), search = element("input", { type: "search", placeholder: "wall, bullet, ..." });
	const found = element("output");
	const legend = element("ul", { className: "legend" });
	for (const [color, text] of [["--accent", "rubble"], ["--s7", "other variants and peers"], ...(before.size ? [["--s0", `before: ${report.before_name}`]] : []),
		...(targets.size ? [["--s2", "target: must"], ["--s8", "target: aim"]] : [])])
		legend.append(element("li", {}, element("i", { style: `background: var(${color})` }), text));
	legend.append(element("li", { textContent: "| median, p99, worst" }));
	const links = element("nav", { "aria-label": "Suites", className: "tools" }, ...[...suites.keys()].map((name) => element("a", { href: `#suite-${name}`, textContent: name })));
	host.append(element("section", {}, element("div", { className: "tools" }, element("label", {}, "Show cases with ", search), found), legend, links));
	for (const [suite, cases] of suites)
		host.append(suiteSection(suite, cases, before, targets));
	const blocks = [...host.querySelectorAll(".case")];
	const filter = () => {
		const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
		for (const block of blocks)
			block.hidden = !words.every((word) => block.dataset.words.includes(word));
		for (const section of host.querySelectorAll("section[id]"))
			section.hidden = ![...section.querySelectorAll(".case")].some((block) => !block.hidden);
		found.textContent = `${blocks.filter((block) => !block.hidden).length} of ${blocks.length} cases, ${report.rows.length} rows`;
	};
	search.addEventListener("input", filter);
	filter();
}
