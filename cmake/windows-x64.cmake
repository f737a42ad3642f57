# Toolchain file: 64-bit Windows through MinGW-w64, tests run in Wine.
# scripts/cross uses it; the packages are those of `scripts/bootstrap cross`.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR AMD64)
find_program(RBL_MINGW_GCC NAMES x86_64-w64-mingw32-gcc REQUIRED)
set(CMAKE_C_COMPILER ${RBL_MINGW_GCC})
find_program(RBL_MINGW_WINDRES NAMES x86_64-w64-mingw32-windres)
set(CMAKE_RC_COMPILER ${RBL_MINGW_WINDRES})
set(CMAKE_FIND_ROOT_PATH /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_CROSSCOMPILING_EMULATOR ${CMAKE_CURRENT_LIST_DIR}/../scripts/wine-run)
