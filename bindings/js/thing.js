// What was created in the module's memory, and is destroyed by hand.

export class Thing {
	constructor(rubble, pointer) {
		this.rubble = rubble;
		this.native = rubble.native;
		/** Its address; 0 once it was disposed of. */
		this.pointer = pointer;
		rubble.live.add(this);
	}

	/** Destroy it. A second call does nothing. */
	dispose() {
		if (this.pointer === 0)
			return;
		this.native.exports[this.constructor.destructor](this.pointer);
		this.pointer = 0;
		this.rubble.live.delete(this);
	}

	[Symbol.dispose ?? Symbol.for("Symbol.dispose")]() {
		this.dispose();
	}
}
