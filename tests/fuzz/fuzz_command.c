/* The command line from any bytes: an argument a line. */
#include "program.h"
#include "target.h"

#include <stdlib.h>
#include <string.h>

#define ARGUMENTS_MAX 32

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char *arguments[ARGUMENTS_MAX + 2] = {"rasterwave"}, *text = calloc(size + 1, 1);
    int count = 1;
    if (!text)
        exit(1);
    memcpy(text, bytes, size);
    fuzz_keep_inside(text, size);
    for (char *at = text; at && count <= ARGUMENTS_MAX;) {
        char *end = strchr(at, '\n');
        if (end)
            *end = 0;
        arguments[count++] = at;
        at = end ? end + 1 : NULL;
    }
    fuzz_run_program(count, arguments);
    free(text);
    return 0;
}
