/* The program rasterwave inside a fuzz target: in a folder of its own with a few small files, and without long runs. */
#ifndef RW_TESTS_FUZZ_PROGRAM_H
#define RW_TESTS_FUZZ_PROGRAM_H

#include <stddef.h>

/* Runs it in the folder. Ends the process where the exit status is none of the program's. Afterwards the folder is as
 * it was. */
void fuzz_run_program(int argument_count, char **arguments);

/* What stands in for a server that runs; NULL: it ends at once. Returns its exit status. */
struct serve_program;
extern int (*fuzz_serve)(const struct serve_program *program);

/* Names of files stay in the folder: slashes and double dots become underscores. */
void fuzz_keep_inside(char *text, size_t size);

#endif
