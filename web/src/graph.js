// Milliseconds of the last steps, stage by stage, with the worst step marked.

const STAGES = [["broadphaseMs", "#4e79a7"], ["pairsMs", "#a0cbe8"], ["narrowMs", "#f28e2b"], ["contactsMs", "#ffbe7d"],
	["solverMs", "#59a14f"], ["finishMs", "#8cd17d"], ["fractureMs", "#e15759"], ["stressMs", "#b07aa1"], ["debrisMs", "#9c755f"], ["clothMs", "#d37295"]];

export class Graph {
	rows = [];

	constructor(canvas, text) {
		this.canvas = canvas;
		this.text = text;
		const legend = document.createElement("p");
		legend.className = "legend";
		for (const [stage, color] of STAGES) {
			const name = document.createElement("span");
			name.textContent = stage.slice(0, -2);
			name.style.borderColor = color;
			legend.append(name, " ");
		}
		canvas.after(legend);
		this.clear();
	}

	/** Forget all steps. There is nothing to see until the next one, and the picture has the room. */
	clear() {
		this.rows = [];
		this.canvas.parentElement.hidden = true;
	}

	/** @param stats  of the world @param clothMs  what cloth took beside it */
	add(stats, clothMs = 0) {
		stats.clothMs = clothMs, stats.stepMs += clothMs;
		this.rows.push(stats);
		this.canvas.parentElement.hidden = false;
		if (this.rows.length > 240)
			this.rows.shift();
	}

	draw(extra = "") {
		const context = this.canvas.getContext("2d"), { width, height } = this.canvas, { rows } = this;
		context.clearRect(0, 0, width, height);
		if (rows.length === 0)
			return;
		const worst = rows.reduce((a, b) => b.stepMs > a.stepMs ? b : a), top = Math.max(4, worst.stepMs);
		const wide = width / 240;
		rows.forEach((row, i) => {
			let y = height;
			for (const [stage, color] of STAGES) {
				const tall = row[stage] / top * (height - 14);
				context.fillStyle = color;
				context.fillRect(i * wide, y - tall, Math.max(1, wide - 0.4), tall);
				y -= tall;
			}
			if (row === worst) {
				context.fillStyle = context.strokeStyle = getComputedStyle(this.canvas).color;
				context.fillRect(i * wide, 0, 1, height);
				context.font = "12px system-ui, sans-serif";
				context.textAlign = i > 120 ? "right" : "left";
				context.fillText(`worst ${worst.stepMs.toFixed(2)} ms, step ${worst.stepCount}`, i * wide + (i > 120 ? -4 : 4), 11);
			}
		});
		const last = rows.at(-1), mean = rows.reduce((sum, row) => sum + row.stepMs, 0) / rows.length;
		this.text.textContent = `${last.bodyCount} bodies, ${last.awakeCount} awake, ${last.touchingCount} contacts · ` +
			`${mean.toFixed(2)} ms a step${extra}`;
	}
}
