/* What the fuzz targets share: bytes into a file of this process, a scene from it and its use, nothing left behind.
 *
 * A target is one function, LLVMFuzzerTestOneInput. With RW_FUZZ_ENGINE it is linked to libFuzzer; otherwise
 * run_corpus.c calls it for every file of a corpus, so that each input that ever broke a reader is an ordinary test.
 * Hashes of kept files are off in all targets: any is accepted, so that the search comes behind them. */
#ifndef RW_TESTS_FUZZ_TARGET_H
#define RW_TESTS_FUZZ_TARGET_H

#include <rasterwave/rasterwave.h>

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* A context on the CPU, the same for all inputs. */
rw_context *fuzz_context(void);

/* The folder of this process, in memory where the system has such a place. */
const char *fuzz_folder(void);

/* Writes the bytes to a file of that name in the folder and returns its path, which lives until the next call. */
const char *fuzz_write(const char *name, const uint8_t *bytes, size_t size);

/* Path of such a file, which lives until the next call; and takes it away. */
const char *fuzz_path(const char *name);
void fuzz_remove(const char *name);

/* The length of the text before the next line of three dashes; behind receives what follows it, NULL for nothing. */
size_t fuzz_split(const uint8_t *bytes, size_t size, const uint8_t **behind);

/* Loads the bytes as a scene file of that name in this format, commits it, predicts on it, and checks that a failure
 * has its sentence. */
void fuzz_scene(const char *name, const char *format, const uint8_t *bytes, size_t size);

/* Commits the scene and predicts a few points on it; destroys it. scene may be NULL. */
void fuzz_use_scene(rw_scene *scene);

/* A copy of a kept file that names this version of the program and the identity of the scene. Free with free(). */
uint8_t *fuzz_adopt(const uint8_t *bytes, size_t size, const rw_scene *scene);

/* The header of a file in the folder that the program has just written; and the copy with its version of the kind, if
 * it has an earlier one, so that inputs of earlier versions are not all rejected by their first bytes. */
struct rw_container_header;
void fuzz_read_current(const char *name, struct rw_container_header *current);
uint8_t *fuzz_adopt_version(const uint8_t *bytes, size_t size, const rw_scene *scene,
                            const struct rw_container_header *current);

/* A free-standing wall, and two houses at a street; committed, the same for all inputs. */
rw_scene *fuzz_wall(void);
rw_scene *fuzz_houses(void);

/* Parameters of the shadow model at 2 GHz: made once, because the theory behind them takes longer than a run. */
const rw_params *fuzz_params(void);

/* Predicts a map of a few cells with one transmitter at x, y, 5 m above ground; fills in the rest of the options. */
rw_status fuzz_predict(const rw_scene *scene, rw_predict_options *options, double x_m, double y_m);

/* Merges a network of one block over the houses, with one of its files (parts/plan, parts/block1-group1.part) replaced
 * by the bytes, which name the same run. */
void fuzz_merge(const char *name, const uint8_t *bytes, size_t size);

/* Ends the program where a call failed without saying why, or with a status that blames the library. */
void fuzz_check(rw_status status);

#endif
