// Worlds and bodies.

import { constants } from "./api.js";
import { Thing } from "./thing.js";

/** A body, by the id that the library gave it. */
export class Body {
	constructor(world, id) {
		this.world = world;
		this.index = id.index;
		this.generation = id.generation;
	}

	get id() {
		return { index: this.index, generation: this.generation };
	}

	#call(name, ...rest) {
		return this.world.native.call(name, this.world, this.id, ...rest);
	}

	get exists() { return this.#call("rbl_body_exists"); }
	/** Kind, pose, centre, velocities, sleep and user value. */
	get state() { return this.#call("rbl_body_get_state"); }
	get pose() { return this.#call("rbl_body_pose"); }
	get velocity() { return this.#call("rbl_body_velocity"); }
	get angularVelocity() { return this.#call("rbl_body_angular_velocity"); }
	get mass() { return this.#call("rbl_body_get_mass"); }
	get bounds() { return this.#call("rbl_body_bounds"); }
	get isAwake() { return this.#call("rbl_body_is_awake"); }
	get user() { return this.#call("rbl_body_user"); }

	setPose(pose) { this.#call("rbl_body_set_pose", pose); this.world.refreshPoses(); }
	setVelocity(velocity, angularVelocity = [0, 0, 0]) { this.#call("rbl_body_set_velocity", velocity, angularVelocity); }
	setTarget(pose, dt) { this.#call("rbl_body_set_target", pose, dt); }
	addForce(force, point) { this.#call("rbl_body_add_force", force, point); }
	addImpulse(impulse, point) { this.#call("rbl_body_add_impulse", impulse, point); }
	setKind(kind) { this.#call("rbl_body_set_kind", kind); }
	setAwake(isAwake) { this.#call("rbl_body_set_awake", isAwake); }
	setUser(user) { this.#call("rbl_body_set_user", user); }

	/** Hurt it: at a point, along a direction, with an energy in joules. */
	damage(point, direction, energy, radius = Infinity) { this.#call("rbl_body_damage", point, direction, radius, energy); }

	/** Cut it in two along a plane, whatever it withstands; the next step does it. */
	cut(point, normal) { this.#call("rbl_body_cut", point, normal); }

	destroy() { this.#call("rbl_destroy_body"); }

	/** Triangles of a body that has a compound or an asset; none of others. */
	triangles() {
		const { native, rubble, pointer } = this.world;
		return native.scope(() => {
			const id = native.scratch(8);
			native.writeStruct(id, "rbl_body_id", this.id);
			return rubble.takeTriangles(native.exports.js_body_triangles(pointer, id));
		});
	}
}

// Lists of rbl_events, what each counts, and its struct.
const EVENTS = {
	begins: ["beginCount", "rbl_contact_event"], ends: ["endCount", "rbl_contact_event"], hits: ["hitCount", "rbl_hit_event"],
	sensors: ["sensorCount", "rbl_sensor_event"], sleeps: ["sleepCount", "rbl_sleep_event"],
	joints: ["jointCount", "rbl_joint_event"], retires: ["retireCount", "rbl_retire_event"],
	slides: ["slideCount", "rbl_slide_event"], fractures: ["fractureCount", "rbl_fracture_event"],
};

/** The events of a step. Each list is read when it is first looked at. */
class Events {
	#native;
	#lists;
	#known = {};

	constructor(native, lists) {
		this.#native = native;
		this.#lists = lists;
	}

	#get(name) {
		const [counter, struct] = EVENTS[name];
		return this.#known[name] ??= this.#native.readArray(this.#lists[name], this.#lists[counter], struct);
	}

	get begins() { return this.#get("begins"); }
	get ends() { return this.#get("ends"); }
	get hits() { return this.#get("hits"); }
	get sensors() { return this.#get("sensors"); }
	get sleeps() { return this.#get("sleeps"); }
	get joints() { return this.#get("joints"); }
	get retires() { return this.#get("retires"); }
	get slides() { return this.#get("slides"); }

	/** What broke, with lists in place of their addresses. */
	get fractures() {
		return this.#known.broken ??= this.#get("fractures").map(event => ({
			...event,
			newBodies: this.#native.readArray(event.newBodies, event.newCount, "rbl_body_id"),
			dust: this.#native.readArray(event.dust, event.dustCount, "rbl_dust_fragment"),
			chips: this.#native.readArray(event.chips, event.chipCount, "rbl_chip"),
			emitters: this.#native.readArray(event.emitters, event.emitterCount, "rbl_dust_emitter"),
		}));
	}

	get fractureCount() { return this.#lists.fractureCount; }
	get retireCount() { return this.#lists.retireCount; }
	get hitCount() { return this.#lists.hitCount; }
}

/** Bodies, joints and what happens between them. */
export class World extends Thing {
	static destructor = "rbl_destroy_world";
	#events = null;
	#poses = 0;

	/** Whether dispose() destroys it: a scene's world goes with the scene. */
	isOwned = true;

	/** Make a body. Give it one shape: asset, collider, mesh or compound. @returns the body */
	createBody(options) {
		const { native } = this;
		return native.scope(() => {
			const given = { ...options };
			for (const name of ["pose"])
				if (given[name] && !given[name].rotation)
					given[name] = { ...given[name], rotation: [0, 0, 0, 1] };
			const id = native.call("rbl_create_body", this, native.define("rbl_body_def", given));
			if (id.generation === 0)
				native.fail();
			this.refreshPoses();
			return new Body(this, id);
		});
	}

	/** The body of an id, as events and hits name it. */
	body(id) {
		return new Body(this, id);
	}

	get bodyCount() { return this.native.call("rbl_world_body_count", this); }

	/** Ids of all bodies. */
	get bodies() {
		this.refreshPoses();
		return this.native.readArray(this.native.field(this.#poses, "js_poses", "bodies"),
			this.native.field(this.#poses, "js_poses", "bodyCount"), "rbl_body_id");
	}

	/** The same as a view, good until the next call: index and generation of each body. */
	get bodyWords() {
		this.refreshPoses(true);
		return this.native.array(Uint32Array, this.native.field(this.#poses, "js_poses", "bodies"),
			2 * this.native.field(this.#poses, "js_poses", "bodyCount"));
	}

	/** Move time on. @param dt  in seconds */
	step(dt = 1 / 60) {
		this.native.call("rbl_world_step", this, dt);
		this.afterStep();
	}

	afterStep() {
		this.#events = null;
		if (this.#poses && this.native.exports.js_poses_step(this.#poses, this.pointer) !== 0)
			this.native.fail(constants.OUT_OF_MEMORY);
	}

	/** What the last step did; until the next. */
	get events() {
		return this.#events ??= new Events(this.native, this.native.call("rbl_world_get_events", this));
	}

	// --- poses ------------------------------------------------------------------------------------

	#posesPointer() {
		if (this.#poses === 0) {
			this.#poses = this.native.check(this.native.exports.js_create_poses());
			this.refreshPoses();
		}
		return this.#poses;
	}

	/** Read the poses of all bodies anew: after bodies were made or placed by calls. @param keepsBefore  of bodies that are not new */
	refreshPoses(keepsBefore = false) {
		if (this.#poses === 0)
			this.#poses = this.native.check(this.native.exports.js_create_poses());
		if (this.native.exports.js_poses_refresh(this.#poses, this.pointer, keepsBefore) !== 0)
			this.native.fail(constants.OUT_OF_MEMORY);
	}

	/**
	 * Poses of all bodies by index, eight numbers each: x, y, z, 1 if it moved, and the quaternion. Views into the
	 * module's memory, good until the next call: `now`, and `before` the last step.
	 */
	get poses() {
		const pointer = this.#posesPointer(), { native } = this;
		const length = 8 * native.field(pointer, "js_poses", "count");
		return {
			now: native.array(Float32Array, native.field(pointer, "js_poses", "now"), length),
			before: native.array(Float32Array, native.field(pointer, "js_poses", "before"), length),
		};
	}

	/** How many bodies the last step moved, and a view of them: ten words each, of which the first is the index. */
	get moves() {
		const pointer = this.#posesPointer(), { native } = this, stride = native.size("rbl_move_event") / 4;
		const count = native.field(pointer, "js_poses", "moveCount");
		return { count, stride,
			words: native.array(Uint32Array, native.field(pointer, "js_poses", "moves"), count * stride) };
	}

	// --- questions --------------------------------------------------------------------------------

	/** The first thing on a ray; null for none. @returns { body, part, fraction, point, normal, distance } */
	castRay(from, translation, filter = null) {
		return this.native.scope(() => {
			const hit = this.native.scratch(this.native.size("rbl_world_hit"));
			return this.native.call("rbl_world_cast_ray", this, from, translation, filter, hit)
				? this.native.read(hit, "rbl_world_hit") : null;
		});
	}

	/** All contacts of the last step. */
	get contacts() {
		const { native } = this, count = native.call("rbl_world_get_contacts", this, 0, 0);
		const size = native.size("rbl_contact");
		return native.scope(() => {
			const block = native.scratch(count * size);
			native.call("rbl_world_get_contacts", this, block, count);
			return native.readArray(block, count, "rbl_contact");
		});
	}

	get stats() { return this.native.call("rbl_world_get_stats", this); }

	/** A hash of the state, the same on every platform: sixteen digits, as `rubble run` prints it. */
	get hash() { return BigInt.asUintN(64, this.native.exports.rbl_world_hash(this.pointer)).toString(16).padStart(16, "0"); }

	/** Lines of what the flags ask for, DRAW_PARTS and so on: views, good until the next call. */
	lines(flags) {
		return this.#lines(this.native.exports.js_world_lines(this.pointer, flags));
	}

	/** Bonds between parts, coloured by their wear. */
	bondLines() {
		return this.#lines(this.native.exports.js_bond_lines(this.pointer));
	}

	#lines(pointer) {
		const drawn = this.native.read(this.native.check(pointer), "js_lines");
		return {
			positions: this.native.array(Float32Array, drawn.positions, 6 * drawn.count),
			colors: this.native.array(Float32Array, drawn.colors, 6 * drawn.count),
		};
	}

	/** The island of each body index: a view, good until the next call. */
	get islands() {
		const count = this.native.field(this.#posesPointer(), "js_poses", "count");
		return this.native.array(Int32Array, this.native.check(this.native.exports.js_islands(this.pointer, count)), count);
	}

	// --- changes ----------------------------------------------------------------------------------

	setGravity(gravity) { this.native.call("rbl_world_set_gravity", this, gravity); }
	get gravity() { return this.native.call("rbl_world_gravity", this); }

	/** Push everything away from a point, and break it if it has an energy. */
	explode(options) {
		this.native.scope(() => this.native.call("rbl_world_explode", this, this.native.define("rbl_explosion", options)));
	}

	/** Damage whatever is at a place: along a ray, in a sphere, capsule or cone. */
	damage(options) {
		this.native.scope(() => this.native.call("rbl_world_damage", this, this.native.define("rbl_damage_def", options)));
	}

	/** A joint between two bodies. @param kind  JOINT_HINGE and so on @param frame  in the world; null: as given */
	createJoint(kind, options, frame = null) {
		const { native } = this;
		return native.scope(() => {
			const given = { ...options };
			for (const name of ["bodyA", "bodyB"])
				if (given[name]?.id)
					given[name] = given[name].id;
			const def = native.define("rbl_joint_def", given, kind);
			if (frame)
				native.call("rbl_joint_def_place", this, def, { rotation: [0, 0, 0, 1], ...frame });
			const id = native.call("rbl_create_joint", this, def);
			return id.generation === 0 ? native.fail() : id;
		});
	}

	destroyJoint(joint) { this.native.call("rbl_destroy_joint", this, joint); }

	// --- snapshots and recordings -----------------------------------------------------------------

	/** The world as bytes, for Rubble.loadWorld(). */
	save() {
		return this.native.save("rbl_world_save", this);
	}

	/** Record every call from now on. */
	beginRecording() {
		this.recording = this.native.check(this.native.exports.js_begin_recording(this.pointer));
	}

	/** @returns the bytes of the recording */
	endRecording() {
		if (!this.recording)
			this.native.call("rbl_world_end_recording", this);
		const result = this.native.exports.js_end_recording(this.pointer), bytes = this.native.takeBytes(this.recording);
		this.recording = 0;
		return result === 0 ? bytes : this.native.fail(result);
	}

	dispose() {
		if (this.pointer === 0)
			return;
		this.native.exports.js_destroy_poses(this.#poses);
		this.#poses = 0;
		if (this.isOwned)
			super.dispose();
		this.pointer = 0;
		this.rubble.live.delete(this);
		if (this.recording)
			this.native.exports.js_free_bytes(this.recording);
		this.recording = 0;
	}
}
