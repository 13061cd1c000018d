# The Python package: its sources and what is made from the headers, side by side in build/python, so that tests and wheels take the
# same folder. RW_PYTHON is AUTO, ON or OFF; importing needs no compiler and the library alone.
set(RW_PYTHON AUTO CACHE STRING "Python package: AUTO, ON or OFF")
set(found FALSE)
if(NOT RW_PYTHON STREQUAL "OFF")
  find_package(Python3 3.9 QUIET COMPONENTS Interpreter)
  set(found ${Python3_Interpreter_FOUND})
endif()
rw_decide(PYTHON "${found}" "Python package")
if(NOT RW_WITH_PYTHON)
  return()
endif()

set(package ${CMAKE_BINARY_DIR}/python/rasterwave)
file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/python/rasterwave/*.py ${PROJECT_SOURCE_DIR}/python/rasterwave/py.typed)
file(GLOB rt_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/python/rasterwave/rt/*.py)
file(GLOB headers ${PROJECT_SOURCE_DIR}/include/rasterwave/*.h)
add_custom_command(OUTPUT ${package}/_abi.py ${package}/_records.py
  COMMAND ${CMAKE_COMMAND} -E rm -f ${package}/rt.py
  COMMAND ${CMAKE_COMMAND} -E make_directory ${package}/rt
  COMMAND ${CMAKE_COMMAND} -E copy ${sources} ${package}
  COMMAND ${CMAKE_COMMAND} -E copy ${rt_sources} ${package}/rt
  COMMAND ${CMAKE_COMMAND} -E env CC=${CMAKE_C_COMPILER} ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/python/tools/make_abi.py
    ${PROJECT_SOURCE_DIR}/include ${package}
  DEPENDS ${sources} ${rt_sources} ${headers} ${PROJECT_SOURCE_DIR}/python/tools/make_abi.py
  COMMENT "Python package from the headers" VERBATIM)
add_custom_target(rasterwave-python ALL DEPENDS ${package}/_abi.py ${package}/_records.py)

# A wheel: the package with the library inside, under the name that programs load it by.
if(SKBUILD)
  add_dependencies(rasterwave-python rasterwave) # by its target: the program has the same name
  install(DIRECTORY ${package} DESTINATION . COMPONENT python FILES_MATCHING PATTERN "*.py" PATTERN "py.typed")
  install(PROGRAMS $<TARGET_FILE:rasterwave> DESTINATION rasterwave/lib RENAME $<TARGET_SONAME_FILE_NAME:rasterwave> COMPONENT python)
endif()

# In a wheel: calls of the C library by their oldest versions, so that it runs with glibc 2.28 (manylinux_2_28).
set(old_glibc OFF)
if(SKBUILD AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
  set(old_glibc ON)
endif()
option(RW_OLD_GLIBC "The shared library runs with glibc 2.28, as wheels do" ${old_glibc})
if(RW_OLD_GLIBC)
  target_sources(rasterwave PRIVATE ${PROJECT_SOURCE_DIR}/python/wheel/old_glibc.c)
  set_source_files_properties(${PROJECT_SOURCE_DIR}/python/wheel/old_glibc.c PROPERTIES
    COMPILE_DEFINITIONS "_DEFAULT_SOURCE;_POSIX_C_SOURCE=200809L")
  foreach(name exp log log2 pow hypot pthread_create pthread_join pthread_once pthread_key_create pthread_getspecific
      pthread_setspecific pthread_sigmask stat lstat fstat)
    target_link_options(rasterwave PRIVATE -Wl,--wrap=${name})
  endforeach()
endif()

# python_with MODULE... -> out: an interpreter that has the modules; empty where there is none.
function(rw_python_with out)
  list(JOIN ARGN ", " modules)
  set(${out} "" PARENT_SCOPE)
  foreach(interpreter ${Python3_EXECUTABLE} /usr/bin/python3)
    execute_process(COMMAND ${interpreter} -c "import ${modules}" RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
    if(status EQUAL 0)
      set(${out} ${interpreter} PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()
