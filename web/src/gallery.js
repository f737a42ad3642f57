// The scenes of the page: those of scenes/, and one of the visitor's own.

import arena from "../../scenes/arena.json";
import ballInBowl from "../../scenes/ball-in-bowl.json";
import blast from "../../scenes/blast.json";
import bricks from "../../scenes/bricks.json";
import building from "../../scenes/building.json";
import buildingFile from "../../scenes/building.glb";
import car from "../../scenes/car.json";
import chain from "../../scenes/chain-of-rings.json";
import crane from "../../scenes/crane.json";
import curtain from "../../scenes/curtain.json";
import dishes from "../../scenes/dishes.json";
import glass from "../../scenes/glass.json";
import house from "../../scenes/house.json";
import levels from "../../scenes/levels.json";
import plates from "../../scenes/nested-plates.json";
import presets from "../../scenes/presets.json";
import ragdoll from "../../scenes/ragdoll.json";
import peg from "../../scenes/ring-on-peg.json";
import street from "../../scenes/street.json";
import tower from "../../scenes/tower-collapse.json";
import debris from "../../scenes/tower-debris.json";
import wall from "../../scenes/wall.json";
import window_ from "../../scenes/window.json";
import worn from "../../scenes/worn-wall.json";
import wrecking from "../../scenes/wrecking-ball.json";

/** Scenes by name: title and JSON, and the files that it names. `quiet` drops what the scene throws by itself, so that the visitor begins; `size` is that of balls,
 * 0.35 m elsewhere; `camera` is for scenes that have none. */
export const scenes = {
	"wall": { title: "Wall", json: wall, quiet: true },
	"window": { title: "Window", json: window_, quiet: true },
	"arena": { title: "Arena", json: arena, quiet: true },
	"tower-collapse": { title: "Tower", json: tower },
	"nested-plates": { title: "Plates", json: plates, size: 0.06 },
	"curtain": { title: "Cloth", json: curtain },
	"street": { title: "Street", json: street },
	"house": { title: "Brick house", json: house, quiet: true },
	"building": { title: "Building", json: building, quiet: true, files: { "building.glb": buildingFile } },
	"glass": { title: "Glass", json: glass, quiet: true, size: 0.1 },
	"presets": { title: "Materials", json: presets, size: 0.1 },
	"levels": { title: "Chunks, bricks", json: levels, size: 0.25 },
	"dishes": { title: "Dishes", json: dishes, size: 0.06 },
	"bricks": { title: "Bricks", json: bricks, quiet: true },
	"wrecking-ball": { title: "Wrecking ball", json: wrecking },
	"blast": { title: "House", json: blast, quiet: true },
	"tower-debris": { title: "Chips, dust", json: debris },
	"worn-wall": { title: "Worn wall", json: worn },
	"crane": { title: "Crane", json: crane },
	"car": { title: "Car", json: car, camera: { position: [-7, 4, 9], target: [7, 0.5, 0] } },
	"ragdoll": { title: "Ragdoll", json: ragdoll, size: 0.2 },
	"chain-of-rings": { title: "Rings", json: chain, size: 0.05 },
	"ring-on-peg": { title: "Rings on pegs", json: peg, size: 0.05 },
	"ball-in-bowl": { title: "Bowl", json: ballInBowl, size: 0.1 },
};

const PIGGY = { shape: "piggy_bank" };

export const OWN_SIZE = 0.08; // of balls for the shape of our own

/** A scene with one model on a floor: a prepared file, or a shape of our own. */
export function ownScene(model = PIGGY, height = 0.3, position = [0, 0.02, 0]) {
	return {
		version: 2, description: "A shape of one's own.", step_count: 600,
		materials: {
			stone: { density: 2300, friction: 0.7, color: [0.62, 0.5, 0.4], break_energy: 60, break_radius: 0.45 * height,
				cell_count: 40, min_size: 0.04 * height, dust_density: 4 },
			ground: { friction: 0.8, color: [0.4, 0.4, 0.4] },
		},
		models: { own: model, ground: { box: [200, 2, 200] } },
		instances: [
			{ model: "ground", material: "ground", kind: "static", position: [0, -1, 0], hidden: true },
			{ name: "own", model: "own", material: "stone", position },
		],
	};
}
