/* What the fuzz targets share: bytes into a file of this process, a scene from it, and nothing left behind.
 *
 * A target is one function, LLVMFuzzerTestOneInput. With RW_FUZZ_ENGINE it is linked to libFuzzer; otherwise
 * run_corpus.c calls it for every file of a corpus, so that each input that ever broke a reader is an ordinary test. */
#ifndef RW_TESTS_FUZZ_TARGET_H
#define RW_TESTS_FUZZ_TARGET_H

#include <rasterwave/rasterwave.h>

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* A context on the CPU, the same for all inputs. */
rw_context *fuzz_context(void);

/* Writes the bytes to a file of that name in a folder of this process and returns its path. */
const char *fuzz_write(const char *name, const uint8_t *bytes, size_t size);

/* Takes such a file away. */
void fuzz_remove(const char *name);

/* Loads the bytes as a scene file of that name in this format, commits it, and checks that a failure has its sentence.
 */
void fuzz_scene(const char *name, const char *format, const uint8_t *bytes, size_t size);

/* A copy of a kept file with all hashes made right and, where scene is not NULL, the identity of that scene: without it
 * no search would come behind the hashes. Free with free(). */
uint8_t *fuzz_forge(const uint8_t *bytes, size_t size, const rw_scene *scene);

/* A free-standing wall, committed, the same for all inputs. */
rw_scene *fuzz_wall(void);

/* Ends the program where a call failed without saying why, or with a status that blames the library. */
void fuzz_check(rw_status status);

#endif
