# Protections against what a mistake in memory could do, in every build: stack protector, checked calls of the C library,
# position-independent programs, all symbols bound and the tables behind them read-only before main, no executable stack, and
# control-flow protection (CET) where the processor has it. tests/repository/hardening.sh reads them from what was built.
include(CheckCCompilerFlag)
include(CheckPIESupported)
check_pie_supported(LANGUAGES C)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

foreach(flag -fstack-protector-strong -fstack-clash-protection -fcf-protection=full)
  string(MAKE_C_IDENTIFIER "RW_HAS${flag}" known)
  check_c_compiler_flag(${flag} ${known})
  if(${known})
    add_compile_options($<$<COMPILE_LANGUAGE:C>:${flag}>)
  endif()
endforeach()
# Checked calls need an optimiser, and sanitizers check them themselves.
if(NOT RW_SANITIZE AND NOT CMAKE_BUILD_TYPE MATCHES "Debug|None")
  add_compile_options("$<$<COMPILE_LANGUAGE:C>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>")
endif()
add_link_options(LINKER:-z,relro,-z,now,-z,noexecstack)
