// What the module asks of its host: a clock, and files that are in memory. The names are those of WASI, which is
// what the C library of the module calls.

const OK = 0, BADF = 8, INVAL = 28, NOENT = 44, NOSYS = 52;
const ROOT = 3, FIRST_FILE = 4;

/** Files by path, and those that are open. */
export class Files {
	#files = new Map();
	#open = new Map();
	#memory = null;
	text = ""; // what the module wrote to its standard streams

	/** Put a file into the file system, or replace one. */
	write(path, bytes) {
		this.#files.set(path.replace(/^\/+/, ""), typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes);
	}

	remove(path) {
		this.#files.delete(path.replace(/^\/+/, ""));
	}

	attach(memory) {
		this.#memory = memory;
	}

	get #view() {
		return new DataView(this.#memory.buffer);
	}

	#bytes(pointer, size) {
		return new Uint8Array(this.#memory.buffer, pointer, size);
	}

	/** The functions that the module imports. */
	imports() {
		const known = {
			clock_time_get: (_id, _precision, time) => {
				this.#view.setBigUint64(time, BigInt(Math.round(performance.now() * 1e6)), true);
				return OK;
			},
			fd_prestat_get: (fd, out) => {
				if (fd !== ROOT)
					return BADF;
				this.#view.setUint8(out, 0);
				this.#view.setUint32(out + 4, 1, true);
				return OK;
			},
			fd_prestat_dir_name: (fd, out) => {
				this.#bytes(out, 1)[0] = 0x2f;
				return fd === ROOT ? OK : BADF;
			},
			fd_fdstat_get: (fd, out) => {
				this.#bytes(out, 24).fill(0);
				this.#view.setUint8(out, fd === ROOT ? 3 : 4); // a folder, or a file
				this.#view.setBigUint64(out + 8, ~0n, true);
				this.#view.setBigUint64(out + 16, ~0n, true);
				return fd <= ROOT || this.#open.has(fd) ? OK : BADF;
			},
			path_open: (_fd, _look, path, length, _flags, _rights, _inherited, _mode, out) => {
				const name = new TextDecoder().decode(this.#bytes(path, length));
				const bytes = this.#files.get(name.replace(/^(\.?\/)+/, ""));
				if (!bytes)
					return NOENT;
				let fd = FIRST_FILE;
				while (this.#open.has(fd))
					fd++;
				this.#open.set(fd, { bytes, at: 0 });
				this.#view.setUint32(out, fd, true);
				return OK;
			},
			fd_close: fd => this.#open.delete(fd) ? OK : BADF,
			fd_read: (fd, vectors, count, out) => {
				const file = this.#open.get(fd);
				if (!file)
					return BADF;
				let got = 0;
				for (let i = 0; i < count; ++i) {
					const to = this.#view.getUint32(vectors + 8 * i, true), room = this.#view.getUint32(vectors + 8 * i + 4, true);
					const part = file.bytes.subarray(file.at, file.at + room);
					this.#bytes(to, part.length).set(part);
					file.at += part.length;
					got += part.length;
				}
				this.#view.setUint32(out, got, true);
				return OK;
			},
			fd_seek: (fd, offset, whence, out) => {
				const file = this.#open.get(fd);
				if (!file)
					return BADF;
				const to = [0, file.at, file.bytes.length][whence] + Number(offset);
				if (!(to >= 0))
					return INVAL;
				file.at = to;
				this.#view.setBigUint64(out, BigInt(to), true);
				return OK;
			},
			fd_write: (fd, vectors, count, out) => {
				let size = 0;
				for (let i = 0; i < count; ++i) {
					const from = this.#view.getUint32(vectors + 8 * i, true), length = this.#view.getUint32(vectors + 8 * i + 4, true);
					this.text += new TextDecoder().decode(this.#bytes(from, length));
					size += length;
				}
				this.#view.setUint32(out, size, true);
				return fd === 1 || fd === 2 ? OK : BADF;
			},
			proc_exit: code => {
				throw new Error(`the module ended with ${code}: ${this.text}`);
			},
		};
		// Whatever else the C library asks for, there is none of it here.
		return new Proxy(known, { get: (functions, name) => functions[name] ?? (() => NOSYS) });
	}
}
