# find_package(rasterwave): the target rasterwave::rasterwave, the shared library with its headers.
include(${CMAKE_CURRENT_LIST_DIR}/rasterwave-targets.cmake)
