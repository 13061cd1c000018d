/* What every command uses of the command line: errors, warnings, progress, coordinates, options of models, provenance.
 */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "command.h"

/* message.c: one line on standard error; returns the exit status for a bad call. */
int report_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
#ifdef __clang_analyzer__ /* which does not look into other files: the exit status is never 0 */
#define report_error(...) ((void)(report_error)(__VA_ARGS__), 2)
#endif

/* From here on the first error is a JSON object on standard output, in addition to its line on standard error. */
void print_errors_as_json(int wanted);

/* From here on errors of this thread are stored in the buffer, the first one alone, and nothing is printed; NULL:
 * printed again. */
void capture_errors(char *message, size_t size);

/* Exit status of the program for a status of the library. */
int exit_code_of(rw_status status);

/* If the program itself has no memory for something; returns the exit status. */
int report_out_of_memory(const char *what);

/* The library's message for a call that failed in this thread; returns its exit status. */
int report_status(struct call *call, rw_status status);

/* The same with a message that another thread has read. */
int report_status_message(struct call *call, rw_status status, const char *message);
void print_warnings(const struct call *call);

/* progress.c: callbacks of the context. */
int on_progress(void *user, double fraction, const char *stage);
void on_warning(void *user, const char *message);
void wipe_progress(struct call *call);
double now_s(void);

/* model_options.c: options of models. Those that were given, NULL if not; and set, checked, with the model's own values
 * for the others. Databases and parameters are loaded by inputs.c. Both return the exit status. */
const char *model_of(const struct call *call);
const char *model_argument_value(const struct call *call, const char *name);
int apply_model_arguments(struct call *call, rw_predict_options *options);
int apply_preprocess_arguments(struct call *call, rw_preprocess_options *options);

/* coordinates.c: points of the command line in --points-crs, transformed into the system of a scene or map. what names
 * them in an error. Both return the exit status. */
int transform_points(struct call *call, const char *crs, const char *what, double *xy, size_t count);
int transform_area(struct call *call, const char *crs, double area_m[4]);

/* levels.c: the layer of a level that names none: the first of layers (may be NULL) in its unit, the default layer
 * before others. Returns the exit status. */
struct level;
struct level_list;
int resolve_level(struct level *level, const char *layers, const char *default_layer);

/* The level of a layer, NaN if it has none; the one level of commands that have only received power (exit status); and
 * in words: "power of -90 dBm or more". */
double find_level(const struct level_list *list, const char *layer);
int resolve_power_level(const struct call *call, struct level_list *list, double *level_dbm);
void describe_level(const struct level *level, char *text, size_t size);

/* provenance.c: stores an option for the provenance of results; sets the provenance of all files that are written from
 * then on: of a call, or, if scene and options are not NULL, of a prediction. Both return the exit status. */
int record_argument(struct call *call, const char *name, const char *text);
int set_provenance(struct call *call, const rw_scene *scene, const rw_predict_options *options);

/* interrupt.c: from here on SIGINT, SIGTERM and SIGHUP end the process without leaving temporary files. */
void catch_interrupts(void);

#endif
