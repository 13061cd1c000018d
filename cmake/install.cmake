# What `cmake --install` gives.

# What is installed has the same search path for libraries in the build tree: a path that CMake would change when installing
# ends in an empty element, which means the folder that a program is run in.
set_target_properties(rasterwave-cli rasterwave-bench rasterwave PROPERTIES BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH_USE_LINK_PATH ON)
install(TARGETS rasterwave-cli rasterwave-bench rasterwave)
install(DIRECTORY include/rasterwave DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES programs/completion.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME rasterwave)
