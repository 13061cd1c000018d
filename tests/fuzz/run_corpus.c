/* Runs a fuzz target over every file of the corpus folders named on the command line. */
#include "target.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

static int run_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return 0;
    size_t capacity = 1 << 20;
    uint8_t *bytes = malloc(capacity);
    size_t size = bytes ? fread(bytes, 1, capacity, file) : 0;
    fclose(file);
    printf("%s (%zu bytes)\n", path, size);
    fflush(stdout);
    /* A block of just its size, so that a sanitizer sees the first byte read beyond it. */
    uint8_t *exact = bytes ? realloc(bytes, size ? size : 1) : NULL;
    if (exact)
        LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    return exact != NULL;
}

int main(int argument_count, char **arguments)
{
    int run = 0;
    for (int i = 1; i < argument_count; i++) {
        DIR *folder = opendir(arguments[i]);
        if (!folder) {
            fprintf(stderr, "%s is not a folder\n", arguments[i]);
            return 1;
        }
        for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
            char path[4096];
            snprintf(path, sizeof path, "%s/%s", arguments[i], entry->d_name);
            if (entry->d_name[0] != '.')
                run += run_file(path);
        }
        closedir(folder);
    }
    printf("%d inputs\n", run);
    rw_context_destroy(fuzz_context());
    return run > 0 ? 0 : 1;
}
