# What `cmake --install` gives: programs, library, headers, CMake package, pkg-config file, completion, manual pages. Three
# components: program (with the shared library), development, benchmark.
include(CMakePackageConfigHelpers)

# What is installed has the same search path for libraries in the build tree: a path that CMake would change when installing
# ends in an empty element, which means the folder that a program is run in.
set_target_properties(rasterwave-cli rasterwave-bench rasterwave PROPERTIES BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH_USE_LINK_PATH ON)
install(TARGETS rasterwave-cli RUNTIME COMPONENT program)
install(TARGETS rasterwave-bench RUNTIME COMPONENT benchmark)
install(TARGETS rasterwave EXPORT rasterwave-targets LIBRARY COMPONENT program NAMELINK_COMPONENT development)
install(DIRECTORY include/rasterwave DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(FILES programs/cli/completion.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME rasterwave
  COMPONENT program)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright COMPONENT program)

# find_package(rasterwave): target rasterwave::rasterwave.
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/rasterwave)
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(compatibility SameMinorVersion)
else()
  set(compatibility SameMajorVersion)
endif()
write_basic_package_version_file(${CMAKE_BINARY_DIR}/rasterwave-config-version.cmake COMPATIBILITY ${compatibility})
install(EXPORT rasterwave-targets NAMESPACE rasterwave:: DESTINATION ${package_folder} COMPONENT development)
install(FILES cmake/rasterwave-config.cmake ${CMAKE_BINARY_DIR}/rasterwave-config-version.cmake DESTINATION ${package_folder}
  COMPONENT development)

# pkg-config, with paths from where its file lies, so that a tree can be moved.
file(RELATIVE_PATH RW_PREFIX_FROM_PKGCONFIG ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/rasterwave.pc.in rasterwave.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/rasterwave.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

# Manual pages, from the program's own help.
if(NOT CMAKE_CROSSCOMPILING)
  add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/man/rasterwave.1 DEPENDS rasterwave-cli scripts/man_pages.sh
    COMMAND sh ${PROJECT_SOURCE_DIR}/scripts/man_pages.sh $<TARGET_FILE:rasterwave-cli> ${CMAKE_BINARY_DIR}/man
    COMMENT "Writing manual pages" VERBATIM)
  add_custom_target(rw_man ALL DEPENDS ${CMAKE_BINARY_DIR}/man/rasterwave.1)
  install(DIRECTORY ${CMAKE_BINARY_DIR}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program FILES_MATCHING PATTERN "*.1")
endif()
