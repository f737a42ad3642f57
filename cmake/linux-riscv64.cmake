# Toolchain file: 64-bit RISC-V Linux through Debian's cross compiler, tests run in qemu. It has the plain back end
# alone, and is a witness: what holds there rests on no vector instruction and no compiler flag of another processor.
# scripts/cross uses it; the packages are those of `scripts/bootstrap witness`.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR riscv64)
find_program(RBL_RISCV64_GCC NAMES riscv64-linux-gnu-gcc REQUIRED)
set(CMAKE_C_COMPILER ${RBL_RISCV64_GCC})
set(CMAKE_FIND_ROOT_PATH /usr/riscv64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
find_program(RBL_RISCV64_QEMU NAMES qemu-riscv64 qemu-riscv64-static REQUIRED)
set(CMAKE_CROSSCOMPILING_EMULATOR ${RBL_RISCV64_QEMU};-L;/usr/riscv64-linux-gnu)
