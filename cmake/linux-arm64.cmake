# Toolchain file: 64-bit ARM Linux through Debian's cross compiler, tests run in qemu.
# scripts/cross uses it; the packages are those of `scripts/bootstrap cross`.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
find_program(RBL_ARM64_GCC NAMES aarch64-linux-gnu-gcc REQUIRED)
set(CMAKE_C_COMPILER ${RBL_ARM64_GCC})
set(CMAKE_FIND_ROOT_PATH /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
find_program(RBL_ARM64_QEMU NAMES qemu-aarch64 qemu-aarch64-static REQUIRED)
set(CMAKE_CROSSCOMPILING_EMULATOR ${RBL_ARM64_QEMU};-L;/usr/aarch64-linux-gnu)
