import { BatchedMesh, Color, DataArrayTexture, Group, Mesh, MeshStandardMaterial, MeshStandardMaterialParameters, Material as ThreeMaterial } from "three";
import { BodyId, Scene, Triangles, World } from "./index.js";

/**
 * The material that bodies are drawn with, unless another is given: cut faces are rough and spotted, outer ones have the
 * layer of `textures` whose material Rubble.nameTextures() names.
 */
export function createMaterial(options?: MeshStandardMaterialParameters & { textures?: DataArrayTexture | null }): MeshStandardMaterial;

/** The sheets of cloth of a scene as one mesh, which follows tears and cuts. */
export class ClothView extends Mesh {
	constructor(scene: Scene, options?: { material?: ThreeMaterial });
	readonly scene: Scene;
	/** In every frame. 0: where it was before the last step, 1: where it is. */
	update(alpha?: number): void;
	dispose(): void;
}

/** A world as one BatchedMesh: any number of fragments is one draw call; cloth is another. */
export class WorldView extends Group {
	constructor(source: Scene | { world: World; triangles(id: BodyId): Triangles },
		options?: { material?: ThreeMaterial; instances?: number; corners?: number; hasTextures?: boolean });
	readonly mesh: BatchedMesh;
	/** Its cloth, null for none. */
	readonly cloth: ClothView | null;
	readonly world: World;
	/** Bodies that are drawn. */
	readonly count: number;
	/** Compare with the bodies that there are: after bodies were made or destroyed by calls. */
	sync(): void;
	/** Begin anew: after a scene went back to a snapshot. */
	reset(): void;
	/** After each step of the world. */
	step(): void;
	/** Place everything that moves. 0: where it was before the last step, 1: where it is. */
	update(alpha?: number): void;
	/** Tint bodies by index; null for their own colors. */
	tint(colorOf: ((index: number) => Color | null) | null): void;
	dispose(): void;
}
