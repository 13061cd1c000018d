/* Project files from any bytes: the program is called with the file alone. */
#include "program.h"
#include "target.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char program[] = "rasterwave", name[] = "project.yaml", *arguments[] = {program, name, NULL};
    uint8_t *text = malloc(size + 1);
    if (!text)
        exit(1);
    memcpy(text, bytes, size);
    fuzz_keep_inside((char *)text, size);
    /* Escapes could write a slash. */
    if (!memchr(text, '\\', size)) {
        fuzz_write(name, text, size);
        fuzz_run_program(2, arguments);
    }
    free(text);
    return 0;
}
