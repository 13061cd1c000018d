# The programs: rasterwave, over the shared library and its public headers alone; rasterwave-bench, over the internals.

# A program finds the library beside itself (build tree) or in the library folder of its prefix (installed).
file(RELATIVE_PATH RW_LIBRARY_FROM_PROGRAM ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
file(GLOB_RECURSE RW_PROGRAM_SOURCES CONFIGURE_DEPENDS programs/*.c)
# Project files: the reader where libcyaml is in, its stub otherwise.
if(RW_WITH_CYAML)
  list(FILTER RW_PROGRAM_SOURCES EXCLUDE REGEX "project_yaml_stub\\.c$")
else()
  list(FILTER RW_PROGRAM_SOURCES EXCLUDE REGEX "project_yaml\\.c$")
endif()
# The server where libmicrohttpd is in, its stub otherwise.
include(cmake/serve.cmake)
if(RW_WITH_MICROHTTPD)
  list(FILTER RW_PROGRAM_SOURCES EXCLUDE REGEX "serve_stub\\.c$")
else()
  list(FILTER RW_PROGRAM_SOURCES EXCLUDE REGEX "/programs/serve/")
  list(APPEND RW_PROGRAM_SOURCES ${PROJECT_SOURCE_DIR}/programs/serve/serve_stub.c)
endif()
# The script of shared plans, which is part of the page; without it `share` says so.
if(NOT RW_WITH_PAGE)
  add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/share_files.c
    COMMAND ${CMAKE_COMMAND} -DFOLDER= -DLIST=share_page_files -DHEADER=commands/share/share.h -DSTRUCT=share_page_file
      -DOUTPUT=${CMAKE_BINARY_DIR}/share_files.c
      -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${PROJECT_SOURCE_DIR}/cmake/embed.cmake COMMENT "No page of shared plans" VERBATIM)
endif()
# An archive, for the program and for the tests that link its objects.
add_library(rw_share_page STATIC ${CMAKE_BINARY_DIR}/share_files.c)
target_include_directories(rw_share_page PRIVATE programs include)
target_link_libraries(rw_optional_program INTERFACE rw_share_page)
file(GLOB RW_SERVE_PROGRAM_SOURCES CONFIGURE_DEPENDS programs/serve/*.c)
# What the program shares with the library: how texts are written as JSON and normalised, and where a path leads.
add_executable(rasterwave-cli ${RW_PROGRAM_SOURCES} src/base/text/json_write.c src/base/text/normalise.c src/base/inside_folder.c)
set_source_files_properties(programs/report/json.c programs/cli/project.c programs/cli/options.c ${RW_SERVE_PROGRAM_SOURCES} src/base/text/json_write.c src/base/text/normalise.c src/base/inside_folder.c PROPERTIES INCLUDE_DIRECTORIES ${PROJECT_SOURCE_DIR}/src)
set_target_properties(rasterwave-cli PROPERTIES OUTPUT_NAME rasterwave INSTALL_RPATH "$ORIGIN;$ORIGIN/${RW_LIBRARY_FROM_PROGRAM}")
target_include_directories(rasterwave-cli PRIVATE programs)
target_link_libraries(rasterwave-cli PRIVATE rasterwave rw_warnings rw_optional_program m)

# The benchmark: what it is made of is an archive that its tests link too.
file(GLOB RW_BENCH_SOURCES CONFIGURE_DEPENDS bench/*.c bench/reproduce/*.c)
list(FILTER RW_BENCH_SOURCES EXCLUDE REGEX "/(main|embree|embree_stub|viewshed|viewshed_stub)\\.c$")
foreach(pair EMBREE/embree GDAL/viewshed)
  string(REGEX MATCH "(.*)/(.*)" unused ${pair})
  if(RW_WITH_${CMAKE_MATCH_1})
    list(APPEND RW_BENCH_SOURCES bench/${CMAKE_MATCH_2}.c)
  else()
    list(APPEND RW_BENCH_SOURCES bench/${CMAKE_MATCH_2}_stub.c)
  endif()
endforeach()
set(RW_BENCH_OBJECTS "")
rw_add_kernels(RW_BENCH_OBJECTS bench bench/kernels.def 1)
# The hash of the code, for the pages of papers: looked up at every build and written only where it changed.
add_custom_target(rw_code_hash BYPRODUCTS ${CMAKE_BINARY_DIR}/code_hash.c COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR}
  -DOUTPUT=${CMAKE_BINARY_DIR}/code_hash.c -P ${PROJECT_SOURCE_DIR}/cmake/code_hash.cmake VERBATIM)
add_library(rw_bench STATIC ${RW_BENCH_SOURCES} ${CMAKE_BINARY_DIR}/code_hash.c programs/report/json.c ${RW_BENCH_OBJECTS})
add_dependencies(rw_bench rw_code_hash)
target_include_directories(rw_bench PUBLIC src ${PROJECT_SOURCE_DIR} PRIVATE programs)
target_link_libraries(rw_bench PUBLIC rasterwave_static PRIVATE rw_warnings rw_optional rw_optional_gdal rw_embree)
add_executable(rasterwave-bench bench/main.c)
target_link_libraries(rasterwave-bench PRIVATE rw_bench rw_warnings)
# `rasterwave bench` runs it.
add_dependencies(rasterwave-cli rasterwave-bench)
