// The module's memory and functions: structs are written and read by the layouts of api.js.

import { constants, functions, structs } from "./api.js";

/** A call of the library that failed. Its message is the library's own sentence. */
export class RubbleError extends Error {
	constructor(message, code = 0) {
		super(message);
		this.name = "RubbleError";
		/** One of the constants of rbl_result: BAD_ARGUMENT, BAD_MESH and so on. */
		this.code = code;
	}
}

const SCRATCH = 1 << 16;
const NUMBERS = {
	i8: ["Int8", 1], u8: ["Uint8", 1], i16: ["Int16", 2], u16: ["Uint16", 2], i32: ["Int32", 4], u32: ["Uint32", 4],
	f32: ["Float32", 4], f64: ["Float64", 8], i64: ["BigInt64", 8], u64: ["BigUint64", 8],
};
const GET = Object.fromEntries(Object.entries(NUMBERS).map(([kind, [name]]) => [kind, `get${name}`]));
const SET = Object.fromEntries(Object.entries(NUMBERS).map(([kind, [name]]) => [kind, `set${name}`]));
const decoder = new TextDecoder(), encoder = new TextEncoder();

/** The functions of a module. Those that its core lacks say so. */
function complete(exports) {
	const missing = Object.keys(functions).filter(name => !exports[name]);
	const refuse = name => () => {
		throw new RubbleError(`${name}: the core of the module lacks it, load rubble.wasm instead`, constants.UNSUPPORTED);
	};
	return missing.length ? { ...exports, ...Object.fromEntries(missing.map(name => [name, refuse(name)])) } : exports;
}

export class Native {
	#buffer = null;
	#view = null;
	#scratch = 0;
	#top = 0;
	#depth = 0;
	#more = [];

	constructor(exports) {
		this.exports = complete(exports);
		this.#scratch = exports.js_allocate(SCRATCH);
	}

	get view() {
		if (this.#buffer !== this.exports.memory.buffer) {
			this.#buffer = this.exports.memory.buffer;
			this.#view = new DataView(this.#buffer);
		}
		return this.#view;
	}

	/** A view of memory, valid until the memory grows: take a new one after calls that allocate. */
	array(Type, pointer, length) {
		return new Type(this.exports.memory.buffer, pointer, length);
	}

	/** Run something that uses scratch memory, which is gone afterwards. */
	scope(work) {
		const top = this.#top;
		this.#depth++;
		try {
			return work();
		} finally {
			this.#top = top;
			if (--this.#depth === 0)
				for (const block of this.#more.splice(0))
					this.exports.js_free(block);
		}
	}

	/** Zeroed memory until the end of the scope. */
	scratch(size) {
		let pointer = this.#scratch + this.#top;
		if (this.#top + size + 8 <= SCRATCH) {
			this.#top += (size + 7) & ~7;
		} else {
			pointer = this.allocate(size);
			this.#more.push(pointer);
		}
		this.array(Uint8Array, pointer, size).fill(0);
		return pointer;
	}

	/** Memory that stays until it is freed. */
	allocate(size) {
		const pointer = this.exports.js_allocate(size + 1) >>> 0;
		if (pointer === 0)
			throw new RubbleError("out of memory", 2);
		return pointer;
	}

	copyIn(bytes) {
		const pointer = this.allocate(bytes.byteLength);
		this.array(Uint8Array, pointer, bytes.byteLength).set(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength));
		return pointer;
	}

	text(pointer) {
		if (!pointer)
			return "";
		const bytes = new Uint8Array(this.exports.memory.buffer);
		let end = pointer >>>= 0;
		while (bytes[end])
			end++;
		return decoder.decode(bytes.subarray(pointer, end));
	}

	size(kind) {
		const array = /^(.+)\[(\d+)\]$/.exec(kind);
		if (array)
			return this.size(array[1]) * Number(array[2]);
		return structs[kind]?.size ?? NUMBERS[kind]?.[1] ?? (kind === "bool" ? 1 : 4);
	}

	// --- reading --------------------------------------------------------------------------------

	read(pointer, kind) {
		const get = GET[kind];
		if (get)
			return this.view[get](pointer, true);
		if (kind === "bool")
			return this.view.getUint8(pointer) !== 0;
		if (structs[kind]) {
			const result = {};
			for (const [name, [type, offset]] of Object.entries(structs[kind].fields))
				if (name !== "cookie")
					result[name] = this.read(pointer + offset, type);
			return result;
		}
		const array = /^(.+)\[(\d+)\]$/.exec(kind);
		if (array && array[1] === "i8")
			return this.text(pointer);
		if (array)
			return Array.from({ length: Number(array[2]) }, (_, i) => this.read(pointer + i * this.size(array[1]), array[1]));
		const address = this.view.getUint32(pointer, true);
		return kind === "text" ? this.text(address) : address;
	}

	field(pointer, struct, name) {
		const [kind, offset] = structs[struct].fields[name];
		return this.read(pointer + offset, kind);
	}

	readArray(pointer, count, kind) {
		const size = this.size(kind);
		return Array.from({ length: count }, (_, i) => this.read(pointer + i * size, kind));
	}

	// --- writing --------------------------------------------------------------------------------

	write(pointer, kind, value) {
		const set = SET[kind];
		if (set)
			this.view[set](pointer, kind === "i64" || kind === "u64" ? BigInt(value) : Number(value), true);
		else if (kind === "bool")
			this.view.setUint8(pointer, value ? 1 : 0);
		else if (structs[kind])
			this.writeStruct(pointer, kind, value);
		else if (kind.endsWith("]"))
			this.#writeArray(pointer, kind, value);
		else
			this.view.setUint32(pointer, this.address(kind, value), true);
	}

	#writeArray(pointer, kind, value) {
		const [, type, length] = /^(.+)\[(\d+)\]$/.exec(kind);
		if (typeof value === "string")
			value = [...encoder.encode(value).subarray(0, length - 1), 0];
		for (let i = 0; i < Math.min(length, value.length); ++i)
			this.write(pointer + i * this.size(type), type, value[i]);
	}

	writeStruct(pointer, kind, value) {
		const { fields } = structs[kind];
		if (Array.isArray(value) || ArrayBuffer.isView(value)) { // a vector
			Object.values(fields).forEach(([type, offset], i) => this.write(pointer + offset, type, value[i]));
			return;
		}
		for (const [name, given] of Object.entries(value)) {
			if (given === undefined)
				continue;
			const field = fields[name];
			if (!field)
				throw new RubbleError(`${kind.slice(4)}: there is no field '${name}'`, 1);
			this.write(pointer + field[1], field[0], given);
			const counter = fields[name === "children" ? "childCount" : `${name.slice(0, -1)}Count`];
			if (Array.isArray(given) && counter && value[`${name.slice(0, -1)}Count`] === undefined)
				this.write(pointer + counter[1], counter[0], given.length);
		}
	}

	/** The address of what is given for a pointer; copies are in scratch memory. */
	address(kind, value) {
		if (value === null || value === undefined)
			return 0;
		if (typeof value === "number")
			return value;
		if (typeof value === "string") {
			const bytes = encoder.encode(value), pointer = this.scratch(bytes.length + 1);
			this.array(Uint8Array, pointer, bytes.length).set(bytes);
			return pointer;
		}
		if ("pointer" in value) {
			if (value.pointer === 0)
				throw new RubbleError(`${value.constructor.name.toLowerCase()}: it was disposed of`, 1);
			return value.pointer;
		}
		if (ArrayBuffer.isView(value)) {
			const pointer = this.scratch(value.byteLength);
			this.array(Uint8Array, pointer, value.byteLength).set(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
			return pointer;
		}
		const struct = kind.startsWith("*") ? kind.slice(1) : null;
		if (Array.isArray(value)) {
			if (struct === null && value.some(item => typeof item === "number"))
				throw new RubbleError("a list of numbers has to be a typed array", 1);
			const type = struct ?? "pointer", size = this.size(type), pointer = this.scratch(value.length * size);
			value.forEach((item, i) => this.write(pointer + i * size, type, item));
			return pointer;
		}
		if (struct === null)
			throw new RubbleError("an object of this package is needed", 1);
		const pointer = this.scratch(this.size(struct));
		this.writeStruct(pointer, struct, value);
		return pointer;
	}

	/** A definition in scratch memory: the library's defaults, then what is given. */
	define(struct, given, ...parameters) {
		const pointer = this.scratch(this.size(struct));
		this.exports[`rbl_default_${struct.slice(4)}`](pointer, ...parameters);
		this.writeStruct(pointer, struct, given ?? {});
		return pointer;
	}

	// --- calls ----------------------------------------------------------------------------------

	/** Call a function of the library; a result other than RBL_OK becomes an exception. */
	call(name, ...given) {
		const [result, kinds] = functions[name];
		return this.scope(() => {
			const values = kinds.map((kind, i) => this.#argument(kind, given[i]));
			if (!structs[result])
				return this.#result(result, this.exports[name](...values));
			const out = this.scratch(this.size(result));
			this.exports[name](out, ...values);
			return this.read(out, result);
		});
	}

	#argument(kind, value) {
		if (kind === "i64" || kind === "u64")
			return BigInt(value);
		if (structs[kind]) {
			const pointer = this.scratch(this.size(kind));
			this.writeStruct(pointer, kind, value);
			return pointer;
		}
		return NUMBERS[kind] || kind === "bool" ? Number(value) : this.address(kind, value);
	}

	#result(kind, value) {
		if (kind === "result" && value !== 0)
			this.fail(value);
		if (kind === "bool")
			return value !== 0;
		if (kind === "text")
			return this.text(value);
		return kind === "result" || kind === "void" ? undefined : NUMBERS[kind] ? value : value >>> 0;
	}

	/** Call a function whose last parameter receives a new thing. @returns its address */
	create(name, ...given) {
		return this.scope(() => {
			const out = this.scratch(4);
			this.call(name, ...given, out);
			return this.view.getUint32(out, true);
		});
	}

	/** Throw what the library says of its last failure. */
	fail(code = 1) {
		const text = this.text(this.exports.js_error()) || this.text(this.exports.rbl_result_text(code));
		this.exports.js_clear_error();
		throw new RubbleError(text, code);
	}

	/** An address that a function of the module returned; 0 is a failure. */
	check(pointer) {
		return pointer === 0 ? this.fail() : pointer >>> 0;
	}

	/** Copy out the bytes of a js_bytes, and free it. */
	takeBytes(pointer) {
		this.check(pointer);
		const data = this.field(pointer, "js_bytes", "data"), size = this.field(pointer, "js_bytes", "size");
		const bytes = this.array(Uint8Array, data, size).slice();
		this.exports.js_free_bytes(pointer);
		return bytes;
	}

	/** Copy out what a function of the library writes that is asked for the size first. */
	save(name, thing) {
		return this.scope(() => {
			const size = this.scratch(4);
			this.call(name, thing, 0, size);
			const room = this.view.getUint32(size, true), block = this.allocate(room);
			try {
				this.call(name, thing, block, size);
				return this.array(Uint8Array, block, room).slice();
			} finally {
				this.exports.js_free(block);
			}
		});
	}
}
