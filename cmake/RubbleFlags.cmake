# Flags that every target of the project shares: the interface library rubble_flags.
# They never leak to programs that use Rubble.
add_library(rubble_flags INTERFACE)
target_compile_options(rubble_flags INTERFACE
	-ffp-contract=off -fno-math-errno -fno-trapping-math -fvisibility=hidden
	-Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes
	-Wpointer-arith -Wcast-qual -Wwrite-strings -Wvla -Wundef)
if(RBL_WERROR)
	target_compile_options(rubble_flags INTERFACE -Werror)
endif()
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
	# gcc reports ABI notes for over-aligned arguments and false overflows after inlining.
	target_compile_options(rubble_flags INTERFACE -Wno-psabi -Wno-stringop-overflow
		-Wno-array-bounds -Wno-maybe-uninitialized)
	# clang's form of this warning refuses widening in initialisers too, where it is meant.
	target_compile_options(rubble_flags INTERFACE -Wdouble-promotion)
	# gcc 12 at -O2 and -O3 drops the rounding of (double)(float)x when it joins neighbouring
	# statements into vectors; tests/base/rounding.c shows it.
	target_compile_options(rubble_flags INTERFACE -fno-tree-slp-vectorize)
endif()
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "wasm32")
	# clang 14 packs neighbouring statements into wrong shuffles for WebAssembly: volumes in
	# src/geometry/repair_self_intersections.c became 0, which tests/geometry/repair_solids.c shows.
	target_compile_options(rubble_flags INTERFACE -fno-slp-vectorize)
endif()

# 32-bit x86 computes in registers of 80 bits unless told: results would depend on which register was free.
include(CheckCSourceCompiles)
check_c_source_compiles("#ifndef __i386__
	#error another processor
	#endif
	int main(void) { return 0; }" RBL_TARGET_IS_I386)
if(RBL_TARGET_IS_I386)
	target_compile_options(rubble_flags INTERFACE -msse2 -mfpmath=sse)
endif()

# For size: what is built once is small, and nothing is kept for processors that are not there.
if(RBL_SMALL)
	target_compile_options(rubble_flags INTERFACE -Os)
endif()

if(WIN32)
	# The C library's own printf knows neither %zu nor %llu; slim locks that can be tried came with Windows 7.
	target_compile_definitions(rubble_flags INTERFACE __USE_MINGW_ANSI_STDIO=1 _WIN32_WINNT=0x0601)
	# A program or DLL needs nothing beside it that Windows does not have.
	target_link_options(rubble_flags INTERFACE -static)
	if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
		# gcc checks formats against the other printf; builds for other systems check them.
		target_compile_options(rubble_flags INTERFACE -Wno-format -Wno-format-extra-args)
		# Stacks are aligned to 16 bytes there, and gcc moves 32 as if they were to 32 (gcc's bug 54412).
		target_compile_options(rubble_flags INTERFACE -Wa,-muse-unaligned-vector-move)
	endif()
endif()

# Who debugs sees errors and warnings without asking for them.
target_compile_definitions(rubble_flags INTERFACE $<$<CONFIG:Debug>:RBL_LOG_TO_STDERR>)

# Where there are four lanes in any case, the library is smaller without the plain back end.
if(RBL_NO_PLAIN)
	target_compile_definitions(rubble_flags INTERFACE RBL_NO_PLAIN)
endif()

# Inner checks. Release has none, a sanitizer or debug build has all.
if(RBL_CHECKS STREQUAL "")
	if(CMAKE_BUILD_TYPE STREQUAL "Debug")
		set(rbl_checks assert)
	else()
		set(rbl_checks none)
	endif()
else()
	set(rbl_checks ${RBL_CHECKS})
endif()
if(rbl_checks STREQUAL "validate")
	target_compile_definitions(rubble_flags INTERFACE RBL_CHECK_LEVEL=2)
elseif(rbl_checks STREQUAL "assert")
	target_compile_definitions(rubble_flags INTERFACE RBL_CHECK_LEVEL=1)
else()
	target_compile_definitions(rubble_flags INTERFACE RBL_CHECK_LEVEL=0)
endif()

if(RBL_SANITIZE)
	target_compile_options(rubble_flags INTERFACE -fsanitize=${RBL_SANITIZE}
		-fno-omit-frame-pointer -fno-sanitize-recover=all)
	target_link_options(rubble_flags INTERFACE -fsanitize=${RBL_SANITIZE})
endif()
if(RBL_COVERAGE)
	target_compile_options(rubble_flags INTERFACE --coverage -O0 -g)
	target_link_options(rubble_flags INTERFACE --coverage)
endif()

if(NOT RBL_THREADS)
	target_compile_definitions(rubble_flags INTERFACE RBL_NO_THREADS)
elseif(NOT WIN32)
	set(THREADS_PREFER_PTHREAD_FLAG ON)
	find_package(Threads REQUIRED)
endif()

# What reads files of strangers, the program and the file library, is built so that a fault that got through
# is stopped: guarded stacks and copies, addresses that cannot be known, tables that cannot be written.
add_library(rubble_hardening INTERFACE)
if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT RBL_SANITIZE AND NOT RBL_COVERAGE)
	target_compile_options(rubble_hardening INTERFACE -fstack-protector-strong
		$<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE$<SEMICOLON>-D_FORTIFY_SOURCE=2>)
	target_link_options(rubble_hardening INTERFACE -Wl,-z,relro,-z,now)
endif()
