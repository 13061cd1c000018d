# The server of `rasterwave serve` (src/serve): an archive that the program alone links. Its page is built by npm where that is found
# (RW_PAGE is AUTO, ON or OFF) and goes into the program as compressed bytes.
if(NOT RW_WITH_MICROHTTPD)
  return()
endif()

set(RW_PAGE AUTO CACHE STRING "Build the page of the server with npm: AUTO, ON or OFF")
set_property(CACHE RW_PAGE PROPERTY STRINGS AUTO ON OFF)
set(web ${PROJECT_SOURCE_DIR}/src/serve/web)
set(found FALSE)
if(NOT RW_PAGE STREQUAL "OFF" AND EXISTS ${web}/package.json)
  find_program(RW_NPM npm)
  find_program(RW_NODE NAMES node nodejs)
  find_program(RW_GZIP gzip)
  if(RW_NPM AND RW_NODE AND RW_GZIP)
    execute_process(COMMAND ${RW_NODE} --version OUTPUT_VARIABLE version ERROR_QUIET)
    if(version MATCHES "v([0-9]+)" AND CMAKE_MATCH_1 GREATER_EQUAL 18)
      set(found TRUE)
    endif()
  endif()
endif()
rw_decide(PAGE "${found}" "page of the server (npm, node 18 or later)")

# The build runs in a copy below the build tree: the source tree stays clean. Without the network (npm ci fails) AUTO goes on with
# no page.
file(GLOB_RECURSE page_sources CONFIGURE_DEPENDS ${web}/src/* ${web}/public/* ${web}/*.json ${web}/*.ts ${web}/*.html)
list(FILTER page_sources EXCLUDE REGEX "/(node_modules|dist)/")
set(embed ${PROJECT_SOURCE_DIR}/cmake/embed.cmake)
if(RW_WITH_PAGE)
  add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/page_files.c ${CMAKE_BINARY_DIR}/share_files.c
    COMMAND ${CMAKE_COMMAND} -DWEB=${web} -DWORK=${CMAKE_BINARY_DIR}/page -DNPM=${RW_NPM} -DREQUIRED=${RW_PAGE}
      -P ${PROJECT_SOURCE_DIR}/cmake/build_page.cmake
    COMMAND ${CMAKE_COMMAND} -DFOLDER=${CMAKE_BINARY_DIR}/page/dist -DLIST=serve_page_files -DGZIP=${RW_GZIP}
      -DOUTPUT=${CMAKE_BINARY_DIR}/page_files.c -P ${embed}
    COMMAND ${CMAKE_COMMAND} -DFOLDER=${CMAKE_BINARY_DIR}/page/dist-share -DLIST=share_page_files
      -DHEADER=commands/share/share.h -DSTRUCT=share_page_file -DHASH=ON
      -DOUTPUT=${CMAKE_BINARY_DIR}/share_files.c -P ${embed}
    DEPENDS ${page_sources} ${embed} ${PROJECT_SOURCE_DIR}/cmake/build_page.cmake COMMENT "Page of the server" VERBATIM)
else()
  add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/page_files.c
    COMMAND ${CMAKE_COMMAND} -DFOLDER= -DLIST=serve_page_files -DOUTPUT=${CMAKE_BINARY_DIR}/page_files.c -P ${embed}
    DEPENDS ${embed} COMMENT "No page of the server" VERBATIM)
endif()
add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/openapi_files.c
  COMMAND ${CMAKE_COMMAND} -DFOLDER=${PROJECT_SOURCE_DIR}/src/serve -DPATTERN=openapi.json -DLIST=serve_openapi_files
    -DOUTPUT=${CMAKE_BINARY_DIR}/openapi_files.c -P ${embed}
  DEPENDS ${PROJECT_SOURCE_DIR}/src/serve/openapi.json ${embed} COMMENT "Description of the interface" VERBATIM)

file(GLOB RW_SERVE_SOURCES CONFIGURE_DEPENDS src/serve/*.c)
# What it shares with the library: the JSON parser and writer, numbers, and where a path leads.
add_library(rw_serve STATIC ${RW_SERVE_SOURCES} ${CMAKE_BINARY_DIR}/page_files.c ${CMAKE_BINARY_DIR}/openapi_files.c
  src/base/text/json_read.c src/base/text/number.c src/base/text/json_write.c src/base/inside_folder.c
  src/ext/$<IF:$<BOOL:${RW_WITH_ZLIB}>,zlib,zlib_stub>.c)
target_include_directories(rw_serve PRIVATE src include)
target_link_libraries(rw_serve PRIVATE rw_warnings PUBLIC rw_optional_serve pthread)
target_link_libraries(rw_optional_program INTERFACE rw_serve)

# A client for tests and measurements.
file(GLOB RW_SERVE_CLIENT_SOURCES CONFIGURE_DEPENDS bench/serve/*.c)
add_executable(rasterwave-serve-client ${RW_SERVE_CLIENT_SOURCES})
target_include_directories(rasterwave-serve-client PRIVATE ${PROJECT_SOURCE_DIR})
target_compile_definitions(rasterwave-serve-client PRIVATE _GNU_SOURCE)
target_link_libraries(rasterwave-serve-client PRIVATE rw_warnings)
