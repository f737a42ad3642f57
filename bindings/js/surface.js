// Surfaces: triangles that deform, and which of them collide.

import { constants } from "./api.js";
import { Thing } from "./thing.js";

export class Surface extends Thing {
	static destructor = "rbl_destroy_surface";

	/** Add a body. @param positions  three numbers per vertex @param triangles  three vertices each @returns its id */
	add(positions, triangles) {
		const { native } = this;
		return native.scope(() => {
			const out = native.scratch(native.size("rbl_surface_body_id"));
			native.call("rbl_surface_add", this, native.define("rbl_surface_body_def", {
				vertexCount: positions.length / 3, positions: Float32Array.from(positions),
				triangleCount: triangles.length / 3, triangles: Int32Array.from(triangles),
			}), out);
			return native.read(out, "rbl_surface_body_id");
		});
	}

	remove(body) {
		this.native.call("rbl_surface_remove", this, body);
	}

	/** Move all vertices of a body for the next update. */
	move(body, end, start = null) {
		this.native.call("rbl_surface_move", this, body, start, end);
	}

	/** Bring trees up to date. */
	update(motion = constants.SURFACE_DISCRETE) {
		this.native.call("rbl_surface_update", this, motion);
	}

	/** Pairs of triangles that collide: two numbers each, a view that is good until the next call. */
	collide() {
		return this.#list("rbl_surface_collide", "rbl_surface_pairs", list =>
			this.native.array(Int32Array, list.pairs, 2 * list.count));
	}

	/** Hits on the way from start to end, after a continuous update. */
	sweep() {
		return this.#list("rbl_surface_sweep", "rbl_surface_hits", list =>
			this.native.readArray(list.hits, list.count, "rbl_surface_hit"));
	}

	#list(name, struct, read) {
		return this.native.scope(() => {
			const out = this.native.scratch(this.native.size(struct));
			this.native.call(name, this, out);
			return read(this.native.read(out, struct));
		});
	}
}
