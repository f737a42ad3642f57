// Small pictures of the gallery, drawn by web/thumbnails.mjs.
import picture_arena from "../thumbnails/arena.jpg";
import picture_ball_in_bowl from "../thumbnails/ball-in-bowl.jpg";
import picture_blast from "../thumbnails/blast.jpg";
import picture_bricks from "../thumbnails/bricks.jpg";
import picture_building from "../thumbnails/building.jpg";
import picture_car from "../thumbnails/car.jpg";
import picture_chain_of_rings from "../thumbnails/chain-of-rings.jpg";
import picture_crane from "../thumbnails/crane.jpg";
import picture_curtain from "../thumbnails/curtain.jpg";
import picture_dishes from "../thumbnails/dishes.jpg";
import picture_glass from "../thumbnails/glass.jpg";
import picture_house from "../thumbnails/house.jpg";
import picture_levels from "../thumbnails/levels.jpg";
import picture_nested_plates from "../thumbnails/nested-plates.jpg";
import picture_own from "../thumbnails/own.jpg";
import picture_presets from "../thumbnails/presets.jpg";
import picture_ragdoll from "../thumbnails/ragdoll.jpg";
import picture_ring_on_peg from "../thumbnails/ring-on-peg.jpg";
import picture_street from "../thumbnails/street.jpg";
import picture_tower_collapse from "../thumbnails/tower-collapse.jpg";
import picture_tower_debris from "../thumbnails/tower-debris.jpg";
import picture_wall from "../thumbnails/wall.jpg";
import picture_window from "../thumbnails/window.jpg";
import picture_worn_wall from "../thumbnails/worn-wall.jpg";
import picture_wrecking_ball from "../thumbnails/wrecking-ball.jpg";

export const thumbnails = {
	"arena": picture_arena,
	"ball-in-bowl": picture_ball_in_bowl,
	"blast": picture_blast,
	"bricks": picture_bricks,
	"building": picture_building,
	"car": picture_car,
	"chain-of-rings": picture_chain_of_rings,
	"crane": picture_crane,
	"curtain": picture_curtain,
	"dishes": picture_dishes,
	"glass": picture_glass,
	"house": picture_house,
	"levels": picture_levels,
	"nested-plates": picture_nested_plates,
	"own": picture_own,
	"presets": picture_presets,
	"ragdoll": picture_ragdoll,
	"ring-on-peg": picture_ring_on_peg,
	"street": picture_street,
	"tower-collapse": picture_tower_collapse,
	"tower-debris": picture_tower_debris,
	"wall": picture_wall,
	"window": picture_window,
	"worn-wall": picture_worn_wall,
	"wrecking-ball": picture_wrecking_ball,
};
