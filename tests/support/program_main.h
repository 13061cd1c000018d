/* The program rasterwave inside a test: programs/main.c under another name. */
#ifndef RW_TESTS_PROGRAM_MAIN_H
#define RW_TESTS_PROGRAM_MAIN_H

int rasterwave_main(int argument_count, char **arguments);

#endif
