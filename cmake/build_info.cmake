# Writes build.c from src/base/build.c.in: version, commit where there is one, optional libraries.
execute_process(COMMAND git -C ${SOURCE} rev-parse --short=12 HEAD OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(commit)
  set(RW_COMMIT " (${commit})")
endif()
configure_file(${SOURCE}/src/base/build.c.in ${OUTPUT} @ONLY)
