# The core library, static and where possible shared, from one set of objects.
set(RBL_ROOMS base geometry tree cutting ccd surface broadphase collide field fracture stress solver world)

set(rbl_sources "")
set(rbl_kernels "")
foreach(room IN LISTS RBL_ROOMS)
	file(GLOB room_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/src/${room}/*.c)
	foreach(source IN LISTS room_sources)
		if(source MATCHES "_kernels\\.c$")
			list(APPEND rbl_kernels ${source})
		else()
			list(APPEND rbl_sources ${source})
		endif()
	endforeach()
endforeach()

# Which back ends there are is asked of the compiler, by the rule of src/base/kernel.h, and not taken from
# the processor's name: flags such as -m32 make another target of the same machine.
set(rbl_try_compile_before ${CMAKE_TRY_COMPILE_TARGET_TYPE})
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
include(CheckCSourceCompiles)
check_c_source_compiles("#include \"${CMAKE_CURRENT_SOURCE_DIR}/src/base/kernel.h\"
	int four[RBL_HAS_FOUR ? 1 : -1];" RBL_TARGET_HAS_FOUR)
check_c_source_compiles("#include \"${CMAKE_CURRENT_SOURCE_DIR}/src/base/kernel.h\"
	int eight[RBL_HAS_EIGHT ? 1 : -1];" RBL_TARGET_HAS_EIGHT)
set(CMAKE_TRY_COMPILE_TARGET_TYPE ${rbl_try_compile_before})

# rubble_add_kernels(PREFIX OBJECTS SOURCE...) compiles kernel files once per SIMD back end and
# stores their objects in OBJECTS. RBL_SIMD_BACKEND is 0 plain, 1 four wide, 2 eight wide.
function(rubble_add_kernels prefix objects)
	# The plain back end is the judge of the others: no vector instruction by the compiler either.
	set(backends plain)
	set(number_plain 0)
	set(options_plain -fno-tree-vectorize)
	if(RBL_NO_PLAIN AND RBL_TARGET_HAS_FOUR)
		set(backends "")
	endif()
	if(RBL_SANITIZE)
		# Eight checked lanes inlined into each other take a compiler half a minute per file.
		list(APPEND options_plain -fno-inline)
	endif()
	if(RBL_TARGET_HAS_FOUR)
		list(APPEND backends four)
		set(number_four 1)
		set(options_four "")
	endif()
	if(RBL_TARGET_HAS_EIGHT)
		list(APPEND backends eight)
		set(number_eight 2)
		set(options_eight -mavx2 -mbmi -mbmi2 -mlzcnt -mpopcnt)
	endif()
	set(all "")
	foreach(backend IN LISTS backends)
		set(target ${prefix}_${backend})
		add_library(${target} OBJECT ${ARGN})
		target_compile_definitions(${target} PRIVATE RBL_SIMD_BACKEND=${number_${backend}} RBL_BUILDING)
		target_compile_options(${target} PRIVATE ${options_${backend}})
		target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/include
			${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
		target_link_libraries(${target} PRIVATE rubble_flags)
		list(APPEND all $<TARGET_OBJECTS:${target}>)
	endforeach()
	set(${objects} ${all} PARENT_SCOPE)
endfunction()
set(rbl_objects "")
if(rbl_kernels)
	rubble_add_kernels(rubble_kernels rbl_objects ${rbl_kernels})
endif()

add_library(rubble_objects OBJECT ${rbl_sources})
target_compile_definitions(rubble_objects PRIVATE RBL_BUILDING)
target_include_directories(rubble_objects PRIVATE include src)
target_link_libraries(rubble_objects PRIVATE rubble_flags)
list(APPEND rbl_objects $<TARGET_OBJECTS:rubble_objects>)

# In a browser bytes count as well as time: what runs at load time or when something breaks is small
# (scripts/build-web compiles everything so), what runs in every step is fast. Kernels have vectors of their own: those that
# the compiler makes of loops elsewhere are code for many rounds where there are few.
if(RBL_WEB_API)
	foreach(source IN LISTS rbl_sources rbl_kernels)
		if(source MATCHES "/base/(math|sort)|/solver/(bodies|coloring|contacts|sleep|step)|/broadphase/(bsp_leaf|bsp_query|pair_lists)|/collide/(clip|collider|gjk|manifold|polyhedron|sat)|_kernels.c$|/world/(contacts|continuous|internal_faces|narrow_phase|pairs|part_sweep|proxies|step)\\.c$|/field/contact_" AND
		   NOT source MATCHES "/(surface|ccd)/|/joint_")
			set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "-O2;-fno-vectorize")
		endif()
	endforeach()
endif()

# Procedural shapes are in the library for convenience; they see its public headers only.
file(GLOB rbl_procedural_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/procedural/*.c)
add_library(rubble_procedural_objects OBJECT ${rbl_procedural_sources})
target_compile_definitions(rubble_procedural_objects PRIVATE RBL_BUILDING)
target_include_directories(rubble_procedural_objects PRIVATE include ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(rubble_procedural_objects PRIVATE rubble_flags)
list(APPEND rbl_objects $<TARGET_OBJECTS:rubble_procedural_objects>)

# rubble_version_symbols(TARGET NODE) gives the names that a shared library exports the version of its soname, so that
# a program meets a library of another version at its start and not in the middle of a call.
include(CheckLinkerFlag)
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/versions-tried.map "TRIED { local: *; };\n")
check_linker_flag(C -Wl,--version-script=${CMAKE_CURRENT_BINARY_DIR}/versions-tried.map RBL_LINKER_HAS_VERSIONS)
function(rubble_version_symbols target node)
	if(WIN32 OR NOT RBL_LINKER_HAS_VERSIONS)
		return()
	endif()
	set(map ${CMAKE_CURRENT_BINARY_DIR}/${target}.map)
	file(CONFIGURE OUTPUT ${map} CONTENT "${node}_${RBL_SOVERSION} { global: rbl_*; local: *; };\n")
	target_link_options(${target} PRIVATE -Wl,--version-script=${map})
	set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${map})
endfunction()

set(rbl_kinds static)
get_property(rbl_can_share GLOBAL PROPERTY TARGET_SUPPORTS_SHARED_LIBS)
if(rbl_can_share)
	list(APPEND rbl_kinds shared)
endif()
foreach(kind IN LISTS rbl_kinds)
	string(TOUPPER ${kind} upper)
	add_library(rubble_${kind} ${upper} ${rbl_objects})
	add_library(rubble::${kind} ALIAS rubble_${kind})
	set_target_properties(rubble_${kind} PROPERTIES OUTPUT_NAME rubble EXPORT_NAME ${kind}
		VERSION ${PROJECT_VERSION} SOVERSION ${RBL_SOVERSION})
	target_include_directories(rubble_${kind} PUBLIC
		$<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>
		$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
	target_link_libraries(rubble_${kind} PUBLIC m)
	if(TARGET Threads::Threads)
		target_link_libraries(rubble_${kind} PUBLIC Threads::Threads)
	endif()
	if(WIN32)
		target_link_options(rubble_${kind} PRIVATE -static-libgcc)
	endif()
	if(RBL_SANITIZE)
		target_link_options(rubble_${kind} PUBLIC -fsanitize=${RBL_SANITIZE})
	endif()
	if(RBL_COVERAGE)
		target_link_options(rubble_${kind} PUBLIC --coverage)
	endif()
endforeach()
if(TARGET rubble_shared)
	rubble_version_symbols(rubble_shared RUBBLE)
endif()

# The name that find_package gives, for projects that take this tree in with add_subdirectory.
if(rbl_can_share AND (BUILD_SHARED_LIBS OR NOT DEFINED BUILD_SHARED_LIBS))
	add_library(rubble::rubble ALIAS rubble_shared)
else()
	add_library(rubble::rubble ALIAS rubble_static)
endif()
