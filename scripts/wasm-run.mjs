// Run a WebAssembly program in node: node --no-turbo-fast-api-calls scripts/wasm-run.mjs PROGRAM [ARGUMENT...]
// It sees its arguments, RBL_SOAK, standard output, and of all files those of its build.
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { WASI } from "node:wasi";

const [program, ...rest] = process.argv.slice(2);
const env = process.env.RBL_SOAK ? { RBL_SOAK: process.env.RBL_SOAK } : {};
const build = dirname(dirname(resolve(program)));
const preopens = { [build]: build };
const wasi = new WASI({ version: "preview1", args: [program, ...rest], env, preopens, returnOnExit: true });
const module = await WebAssembly.compile(await readFile(program));
const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi.wasiImport });
process.exitCode = wasi.start(instance);
