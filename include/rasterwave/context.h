/* Status, context and numbers with units: what every other header builds on.
 *
 * Part of rasterwave.h, where the conventions stand. */
#ifndef RASTERWAVE_CONTEXT_H
#define RASTERWAVE_CONTEXT_H

#include <stddef.h>
#include <stdint.h>

#include <rasterwave/version.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a program may call; everything else stays hidden in the library. */
#if defined(__GNUC__)
#define RW_API __attribute__((visibility("default")))
#else
#define RW_API
#endif

/* ---------------------------------------------------------------------------------------------- status and context */

/* name, text */
#define RW_STATUS_MAP(X)                                                                                               \
    X(OK, "done")                                                                                                      \
    X(BAD_CALL, "the call or its options are wrong")                                                                   \
    X(BAD_INPUT, "the input is wrong")                                                                                 \
    X(NOT_FOUND, "not found")                                                                                          \
    X(UNSUPPORTED, "not supported by this build")                                                                      \
    X(TOO_LARGE, "larger than memory")                                                                                 \
    X(NOT_WRITABLE, "cannot be written")                                                                               \
    X(IO, "reading or writing failed")                                                                                 \
    X(OUT_OF_MEMORY, "out of memory")                                                                                  \
    X(DEVICE, "the device failed")                                                                                     \
    X(CANCELLED, "cancelled")                                                                                          \
    X(INTERNAL, "internal error")

/* What a call returns: RW_OK, or why it failed. */
typedef enum rw_status {
#define RW_STATUS_ENUM(name, string) RW_##name,
    RW_STATUS_MAP(RW_STATUS_ENUM)
#undef RW_STATUS_ENUM
} rw_status;

/* What a status means, in a few words; never NULL. */
RW_API const char *rw_status_message(rw_status status);

/* Version of the library that runs, with the commit it was built from. */
RW_API const char *rw_version(void);
/* Its version as one number, to be compared with RW_VERSION_NUMBER of the headers. */
RW_API int rw_version_number(void);
/* The optional libraries that are in it: "name: version", a bar between two. */
RW_API const char *rw_build_features(void);

/* Where calls compute: RW_BACKEND_AUTO takes a GPU where there is one, and the CPU otherwise. */
typedef enum rw_backend { RW_BACKEND_AUTO, RW_BACKEND_CPU, RW_BACKEND_CUDA } rw_backend;

/* A validity warning: a sentence. Called from the thread that made the call. */
typedef void (*rw_warning_fn)(void *user, const char *message);

/* Progress of a long call: share done in [0, 1] and what is being done. Return 0 to go on, anything else to cancel: the
 * call then fails with RW_CANCELLED. Called from the thread of the call with each report, and every 10 ms or so with
 * the last one, preparation of scenes included, so that a call ends about 0.1 s after it is cancelled. */
typedef int (*rw_progress_fn)(void *user, double fraction, const char *stage);

/* What a prediction is expected to take, before it begins: bytes of memory with the tables of what sees what. As
 * rw_predict_estimate; not called if an open model is used again. */
typedef void (*rw_estimate_fn)(void *user, size_t cells, size_t transmitters, double seconds, double bytes);

/* Options of rw_context_create. */
typedef struct rw_context_options {
    size_t size;
    rw_backend backend;         /* AUTO: a GPU where there is one, the CPU otherwise */
    int threads;                /* on the CPU; 0: all cores */
    rw_warning_fn on_warning;   /* NULL: warnings are dropped */
    rw_progress_fn on_progress; /* may be NULL */
    void *user;                 /* passed to all callbacks */
    int allow_outside;          /* 1: a file may name files outside of its own folder; 0: it is refused */
    rw_estimate_fn on_estimate; /* may be NULL */
} rw_context_options;

/* A context: backend, threads, callbacks and the last error of each thread. All other objects belong to one. */
typedef struct rw_context rw_context;

/* AUTO, all cores, no callbacks. Every init call is a macro that passes the size of the caller's struct. */
RW_API void rw_context_options_init_sized(rw_context_options *options, size_t size);
#define rw_context_options_init(options) rw_context_options_init_sized((options), sizeof *(options))

/* options NULL: as its init call leaves them. Where a backend that was asked for is not there, the call fails and
 * leaves a context for rw_last_error, which is to be destroyed like any other. A context must outlive the scenes and
 * maps made in it. */
RW_API rw_status rw_context_create(const rw_context_options *options, rw_context **context);
/* Frees a context after everything that was made in it; NULL is allowed. */
RW_API void rw_context_destroy(rw_context *context);

/* The sentence for the last call in this context that failed in the calling thread; "" where none did, never NULL.
 * Threads that share a context do not see each other's failures. The text lives until this thread's next failure in
 * this context, or its end. */
RW_API const char *rw_last_error(const rw_context *context);

/* Which backend calls in this context take ("cpu" or "cuda") and the machine in words. */
RW_API const char *rw_context_backend(const rw_context *context);
/* The instruction set of the CPU's kernels: avx512, avx2 or baseline; RASTERWAVE_ISA in the environment asks for a
 * lesser one. Values of two may differ in their last digits. */
RW_API const char *rw_instruction_set(void);
/* The machine in words. */
RW_API const char *rw_context_machine(const rw_context *context);

/* Where results come from, as lines of "key: value": version, command, options and whatever else the caller wants to
 * find again. It goes into every GeoTIFF, ENVI header, GeoPackage, HDF5 and PNG file that the context's calls write
 * from here on; NULL: nothing, as at first. The text is copied. Not while another thread writes. */
RW_API rw_status rw_context_set_provenance(rw_context *context, const char *string);
/* What a file of one of these formats says; "" where it says nothing. *text is to be freed with rw_free. */
RW_API rw_status rw_file_provenance(rw_context *context, const char *path, char **string);

/* Files that were read: a list that rw_inputs_begin opens. */
typedef struct rw_inputs rw_inputs;
/* The files that this thread's calls read from here on, each with the SHA-256 of its content in hexadecimal: scenes
 * with terrain and sidecars, tables, antennas, parameters, maps. Of a database, whose sections have hashes of their
 * own, that of its header. To be ended by the same thread. */
RW_API rw_status rw_inputs_begin(rw_context *context, rw_inputs **inputs);
/* How many there are. */
RW_API size_t rw_inputs_count(const rw_inputs *inputs);
/* The path, as it was opened; sha256 has room for 65 characters. */
RW_API const char *rw_inputs_get(const rw_inputs *inputs, size_t index, char sha256[65]);
/* Frees the list; NULL is allowed. */
RW_API void rw_inputs_end(rw_inputs *inputs);

/* Frees memory that a call has handed to the caller, where the call says so. NULL is fine. */
RW_API void rw_free(void *memory);

/* Writes a file as the library writes its own: under a random name beside the path, synchronised with the disk, then
 * renamed. The path has the old file or the whole new one, never a part. */
RW_API rw_status rw_write_file(rw_context *context, const char *path, const void *bytes, size_t size);

/* Removes the temporary files that calls of this process are writing at the moment; those calls fail. For handlers of
 * signals that end the process (SIGINT, SIGTERM, SIGHUP), from which it may be called; afterwards no file is written
 * any more. The unfinished file of a database that can be resumed stays. */
RW_API void rw_remove_unfinished(void);

/* Numbers with units, as on the command line: "947MHz", "1.5km", "43dBm", "30deg", "6mm", "10ns". A bare number is in
 * the quantity's own SI unit (degrees for angles). The whole text must be a number and a unit of that quantity. */
typedef enum rw_quantity {
    RW_QUANTITY_NUMBER,
    RW_QUANTITY_LENGTH_M,
    RW_QUANTITY_FREQUENCY_HZ,
    RW_QUANTITY_ANGLE_DEG,
    RW_QUANTITY_POWER_DBM,
    RW_QUANTITY_TIME_S,
    RW_QUANTITY_LEVEL_DB,
    RW_QUANTITY_BYTES,    /* "4GB", "512MiB" */
    RW_QUANTITY_RAIN_MM_H /* "20mm/h" */
} rw_quantity;

/* Reads a number with a unit. */
RW_API rw_status rw_parse_quantity(rw_context *context, const char *string, rw_quantity quantity, double *value);

#ifdef __cplusplus
}
#endif
#endif
