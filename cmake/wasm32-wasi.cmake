# Toolchain file: WebAssembly through clang and wasi-libc, tests run in node.
# scripts/wasm-test uses it; the packages are those of `scripts/bootstrap wasm`.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
find_program(RBL_WASM_CLANG NAMES clang-14 clang REQUIRED)
set(CMAKE_C_COMPILER ${RBL_WASM_CLANG})
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
# errno is thread-local, which this target's position-independent code knows in one model only.
set(CMAKE_C_FLAGS_INIT "-msimd128 -mbulk-memory -ftls-model=local-exec")
# Tests keep arrays on the stack as they would natively.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,-z,stack-size=8388608")
# Fast calls into node's WASI write to where memory was before it grew (nodejs/node issue 53087).
set(CMAKE_CROSSCOMPILING_EMULATOR node;--no-warnings;--no-turbo-fast-api-calls
	${CMAKE_CURRENT_LIST_DIR}/../scripts/wasm-run.mjs)
