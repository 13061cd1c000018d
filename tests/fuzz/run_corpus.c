/* Runs a fuzz target over every input of the corpora named on the command line: packs (scripts/corpus.py), or files of
 * one input each. */
#include "target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INPUT_MAX ((size_t)1 << 20)

/* A block of just its size, so that a sanitizer sees the first byte read beyond it. Returns how many ran. */
static int run_input(FILE *file, const char *name, size_t size)
{
    uint8_t *exact = malloc(size ? size : 1);
    int is_whole = exact && fread(exact, 1, size, file) == size;
    printf("%s (%zu bytes)\n", name, size);
    fflush(stdout);
    if (is_whole)
        LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    return is_whole;
}

/* Returns the number of inputs; -1: the pack is damaged. */
static int run_pack(FILE *file)
{
    char line[256], name[200];
    size_t size;
    int run = 0;
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "%199s %zu", name, &size) != 2 || size > INPUT_MAX || !run_input(file, name, size) ||
            fgetc(file) != '\n')
            return -1;
        run++;
    }
    return run;
}

static int run_corpus(const char *path)
{
    const char *dot = strrchr(path, '.');
    FILE *file = fopen(path, "rb");
    if (!file) {
        fprintf(stderr, "%s cannot be read\n", path);
        return -1;
    }
    int run = 0;
    if (dot && strcmp(dot, ".pack") == 0) {
        run = run_pack(file);
        if (run < 0)
            fprintf(stderr, "%s is damaged\n", path);
    } else if (fseek(file, 0, SEEK_END) == 0) {
        long size = ftell(file);
        rewind(file);
        run = size >= 0 && run_input(file, path, (size_t)size);
    }
    fclose(file);
    return run;
}

int main(int argument_count, char **arguments)
{
    int run = 0, damaged = 0;
    for (int i = 1; i < argument_count; i++) {
        int count = run_corpus(arguments[i]);
        damaged |= count < 0;
        run += count > 0 ? count : 0;
    }
    printf("%d inputs\n", run);
    rw_context_destroy(fuzz_context());
    return run > 0 && !damaged ? 0 : 1;
}
