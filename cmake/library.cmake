# The library: C everywhere, the CPU kernels once for each instruction set, CUDA where it is found.

add_library(rw_warnings INTERFACE)
target_compile_options(rw_warnings INTERFACE $<$<COMPILE_LANGUAGE:C>:-Wall -Wextra -Wshadow -Wstrict-prototypes
  -Wmissing-prototypes -Wvla -Wpointer-arith -Wno-unused-function>)
# Of OpenMP only the pragmas of loops that vectorise: threads are the library's own (src/base/parallel.c).
# Not every loop can be vectorised, least of all with a sanitizer, which clang would warn of.
target_compile_options(rw_warnings INTERFACE $<$<COMPILE_LANGUAGE:C>:-fopenmp-simd> $<$<COMPILE_LANG_AND_ID:C,Clang>:-Wno-pass-failed>)
if(RW_WERROR)
  target_compile_options(rw_warnings INTERFACE $<$<COMPILE_LANGUAGE:C>:-Werror>)
endif()
# No contraction: generated scenes are the same bytes on every machine, and maps the same on every instruction set.
target_compile_options(rw_warnings INTERFACE $<$<COMPILE_LANGUAGE:C>:-ffp-contract=off>)
target_compile_definitions(rw_warnings INTERFACE _POSIX_C_SOURCE=200809L _DEFAULT_SOURCE)
if(RW_SANITIZE)
  set(RW_SANITIZERS address,undefined,float-cast-overflow)
  if(RW_SANITIZE STREQUAL "THREAD")
    set(RW_SANITIZERS thread)
  else()
    add_compile_definitions(RW_ADDRESS_SANITIZER=1) # for tests; compilers do not agree on a name of their own
  endif()
  add_compile_options("$<$<COMPILE_LANGUAGE:C>:-fsanitize=${RW_SANITIZERS};-fno-sanitize-recover=all;-fno-omit-frame-pointer>")
  add_link_options(-fsanitize=${RW_SANITIZERS})
endif()

if(RW_FUZZ_ENGINE)
  add_compile_options($<$<COMPILE_LANGUAGE:C>:-fsanitize=fuzzer-no-link>)
endif()

file(GLOB_RECURSE RW_SOURCES CONFIGURE_DEPENDS src/*.c)
list(FILTER RW_SOURCES EXCLUDE REGEX "src/ext/|src/serve/|device/kernel_list\\.c$|device/cpu/kernels\\.c$|device/cuda/")

# src/ext: the real files (<name>.c, <name>_*.c) where the library is in, its stub <name>_stub.c otherwise.
foreach(name GDAL PNG HDF5)
  string(TOLOWER ${name} file)
  set(stub ${PROJECT_SOURCE_DIR}/src/ext/${file}_stub.c)
  if(RW_WITH_${name})
    file(GLOB real CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/ext/${file}.c ${PROJECT_SOURCE_DIR}/src/ext/${file}_*.c)
    list(REMOVE_ITEM real ${stub})
    list(APPEND RW_SOURCES ${real})
  elseif(EXISTS ${stub})
    list(APPEND RW_SOURCES ${stub})
  endif()
endforeach()
if(RW_WITH_CUDA)
  list(APPEND RW_SOURCES src/device/cuda/cuda.cu)
else()
  list(APPEND RW_SOURCES src/device/cuda/cuda_stub.c)
endif()

# Objects for both forms of the library: rw_add_objects(OUT target sources...) adds to the list OUT. Only calls marked RW_API
# are seen from outside the shared library.
function(rw_add_objects out target)
  add_library(${target} OBJECT ${ARGN})
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden CUDA_VISIBILITY_PRESET hidden)
  target_include_directories(${target} PRIVATE include src ${PROJECT_SOURCE_DIR})
  target_link_libraries(${target} PRIVATE rw_warnings rw_optional)
  set(${out} ${${out}} $<TARGET_OBJECTS:${target}> PARENT_SCOPE)
endfunction()

# A list of kernels: rw_add_kernels(OUT list file units). CPU loops are built once for each instruction set (the best that the machine
# has is chosen at run time), the kernels of CUDA where it is in, in so many units, which compile side by side.
set(isas baseline)
# One set is enough to search for failures and for races between threads.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND RW_ISAS AND NOT RW_FUZZ_ENGINE AND NOT RW_SANITIZE STREQUAL "THREAD")
  set(RW_X86 ON)
  list(APPEND isas avx2 avx512)
endif()
set(options_of_baseline "")
set(options_of_avx2 -mavx2 -mfma -mbmi2)
set(options_of_avx512 -mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma -mbmi2 -mprefer-vector-width=512)
function(rw_add_kernels out list file units)
  rw_add_objects(${out} rw_${list}_kernels src/device/kernel_list.c)
  target_compile_definitions(rw_${list}_kernels PRIVATE $<$<BOOL:${RW_X86}>:RW_ISA_X86=1>)
  set(targets rw_${list}_kernels)
  if(RW_WITH_CUDA)
    math(EXPR last "${units} - 1")
    foreach(unit RANGE ${last})
      rw_add_objects(${out} rw_${list}_cuda_${unit} src/device/cuda/kernels.cu)
      target_compile_definitions(rw_${list}_cuda_${unit} PRIVATE RW_CUDA_UNIT=${unit} RW_CUDA_UNITS=${units})
      list(APPEND targets rw_${list}_cuda_${unit})
    endforeach()
  else()
    target_sources(rw_${list}_kernels PRIVATE src/device/cuda/kernels_stub.c)
  endif()
  foreach(isa ${isas})
    rw_add_objects(${out} rw_${list}_loops_${isa} src/device/cpu/kernels.c)
    target_compile_definitions(rw_${list}_loops_${isa} PRIVATE RW_ISA=${isa})
    target_compile_options(rw_${list}_loops_${isa} PRIVATE -O3 -fno-math-errno -fno-trapping-math ${options_of_${isa}})
    list(APPEND targets rw_${list}_loops_${isa})
  endforeach()
  foreach(target ${targets})
    target_compile_definitions(${target} PRIVATE RW_LIST=${list} RW_LIST_FILE="${file}")
  endforeach()
  set(${out} ${${out}} PARENT_SCOPE)
endfunction()

set(RW_OBJECTS "")
rw_add_objects(RW_OBJECTS rasterwave_objects ${RW_SOURCES} ${CMAKE_BINARY_DIR}/build.c)
target_compile_definitions(rasterwave_objects PRIVATE $<$<BOOL:${RW_X86}>:RW_ISA_X86=1>)
rw_add_kernels(RW_OBJECTS library device/kernels.def 4)

# The library for programs: shared, with the public interface alone, also where it takes in archives (the CUDA runtime).
add_library(rasterwave SHARED ${RW_OBJECTS})
set_target_properties(rasterwave PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${RW_SOVERSION})
target_include_directories(rasterwave PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(rasterwave PRIVATE rw_optional m pthread)
set(RW_EXPORTS ${PROJECT_SOURCE_DIR}/cmake/exports.map)
target_link_options(rasterwave PRIVATE -Wl,--exclude-libs,ALL -Wl,--version-script=${RW_EXPORTS})
set_target_properties(rasterwave PROPERTIES LINK_DEPENDS ${RW_EXPORTS})

# The same as an archive, for tests and the benchmark, which look inside.
add_library(rasterwave_static STATIC ${RW_OBJECTS})
set_target_properties(rasterwave_static PROPERTIES OUTPUT_NAME rasterwave)
target_include_directories(rasterwave_static PUBLIC include)
target_link_libraries(rasterwave_static PRIVATE rw_optional m pthread)

if(RW_WITH_GDAL)
  set_source_files_properties(src/ext/gdal_load.c PROPERTIES COMPILE_DEFINITIONS "RW_GDAL_LIBRARY=\"${RW_GDAL_LIBRARY}\"")
endif()

# What --version tells: the optional libraries that are in, "name: version" each, with a bar between.
set(RW_FEATURES "")
foreach(name GDAL PNG CYAML MICROHTTPD HDF5 CUDA)
  if(RW_WITH_${name})
    string(TOLOWER ${name} feature)
    list(APPEND RW_FEATURES "${feature}: ${RW_VERSION_${name}}")
  endif()
endforeach()
list(JOIN RW_FEATURES "|" RW_FEATURES)
# Version and commit, looked up at every build and written only where they changed.
add_custom_target(rw_build_info BYPRODUCTS ${CMAKE_BINARY_DIR}/build.c COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR}
  -DOUTPUT=${CMAKE_BINARY_DIR}/build.c -DPROJECT_VERSION=${PROJECT_VERSION} "-DRW_FEATURES=${RW_FEATURES}"
  -P ${PROJECT_SOURCE_DIR}/cmake/build_info.cmake VERBATIM)
add_dependencies(rasterwave_objects rw_build_info)
