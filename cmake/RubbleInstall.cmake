# What `cmake --install` lays out: headers, both libraries, find_package and pkg-config files.
set(rbl_installed "")
foreach(library rubble_static rubble_shared rubble_io_static rubble_io_shared)
	if(TARGET ${library})
		list(APPEND rbl_installed ${library})
	endif()
endforeach()
install(TARGETS ${rbl_installed} EXPORT rubble
	ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
	LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
	RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY include/rubble DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
# The playground, where `make web` has built it: rubble play serves it.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/build/web/page/ DESTINATION ${CMAKE_INSTALL_DATADIR}/rubble/web
	OPTIONAL)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/licenses/rubble)
install(EXPORT rubble NAMESPACE rubble:: FILE rubbleTargets.cmake
	DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/rubble)

configure_package_config_file(cmake/rubbleConfig.cmake.in
	${CMAKE_CURRENT_BINARY_DIR}/rubbleConfig.cmake
	INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/rubble)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/rubbleConfigVersion.cmake
	COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/rubbleConfig.cmake
	${CMAKE_CURRENT_BINARY_DIR}/rubbleConfigVersion.cmake
	DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/rubble)

# A .pc file finds its prefix from where it lies, so that an installed tree may be moved and
# `cmake --install --prefix` may name another place than the build did.
file(RELATIVE_PATH rbl_prefix_from_pc ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" rbl_prefix_from_pc "${rbl_prefix_from_pc}")
if(RBL_THREADS)
	set(rbl_thread_flag -pthread)
endif()
set(rbl_modules rubble)
if(TARGET rubble_io_static)
	list(APPEND rbl_modules rubble-io)
endif()
foreach(module IN LISTS rbl_modules)
	configure_file(cmake/${module}.pc.in ${CMAKE_CURRENT_BINARY_DIR}/${module}.pc @ONLY)
	install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${module}.pc
		DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
if(TARGET rubble_program)
	install(TARGETS rubble_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

# The loader keeps a list of shared libraries, and a program cannot start with one that is not on it. Who
# installs for a package (DESTDIR) or may not write the list does it later; other places need a path anyway.
if(CMAKE_SYSTEM_NAME STREQUAL Linux AND TARGET rubble_shared)
	install(CODE "set(libdir ${CMAKE_INSTALL_LIBDIR})")
	install(SCRIPT ${CMAKE_CURRENT_LIST_DIR}/update-loader.cmake)
endif()

# Packages: `cpack -G DEB` and `cpack -G TGZ` in the build folder.
set(CPACK_PACKAGE_NAME rubble)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_CONTACT "the maintainers of rubble")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_CURRENT_SOURCE_DIR}/LICENSE)
set(CPACK_GENERATOR TGZ)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
include(CPack)
