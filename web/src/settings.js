// Settings as changes of a scene's JSON: whatever the page shows is a scene file that the program can run.

export const defaults = Object.freeze({ preset: "", cells: 1, strength: 1, gravity: 9.81, size: 0.35 });
export const BALL = "playground ball";

const scaled = ["break_energy", "bond_strength", "bond_energy", "wear_energy", "bend_energy"];

/** A scene with settings. @param entry  { json, quiet } of the gallery */
export function applySettings(entry, settings) {
	const json = structuredClone(entry.json);
	if (entry.quiet)
		delete json.projectiles, delete json.triggers;
	const up = Math.abs((json.gravity ?? [0, -9.81, 0])[1]);
	if (Math.abs(settings.gravity - defaults.gravity) > 1e-9 || up === 0)
		json.gravity = [0, -settings.gravity, 0];
	json.materials ??= {};
	json.models ??= {};
	for (const [name, material] of Object.entries(json.materials)) {
		if (!(material.break_energy > 0 || material.preset))
			continue;
		if (settings.preset)
			json.materials[name] = material.color ? { preset: settings.preset, color: material.color } : { preset: settings.preset };
		if (settings.cells !== 1 && material.pattern !== "bricks" && !settings.preset)
			material.cell_count = Math.max(2, Math.round((material.cell_count ?? 40) * settings.cells));
		for (const key of scaled)
			if (settings.strength !== 1 && material[key] > 0 && !settings.preset)
				material[key] *= settings.strength;
	}
	json.models[BALL] = { sphere: settings.size };
	json.materials[BALL] = { density: 5000, friction: 0.6, color: [0.08, 0.09, 0.1] };
	return json;
}
