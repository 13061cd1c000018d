/* One call of the program: what was asked (settings), and what every command needs to answer it. */
#ifndef COMMAND_H
#define COMMAND_H

#include <rasterwave/calibrate.h>
#include <rasterwave/plan.h>
#include <rasterwave/rasterwave.h>

#include <stdio.h>

#define WARNINGS_MAX 32
#define MODEL_ARGUMENTS_MAX 64

/* Options of plan. */
struct plan_settings {
    const char *candidates, *azimuths, *tilts, *powers, *antennas, *objective, *zone_field;
    int sites_max, sectors_max, sectors, rounds;
    double budget, distance_min_m, percentile; /* budget NaN: none */
};

/* Options of the program itself; a command reads those that its table lists. */
struct settings {
    const char *input, *second; /* the arguments without a dash */
    const char *scene, *terrain, *foliage, *materials, *format, *height_field, *height_unit, *crs;
    double default_height_m;
    rw_transmitter *transmitters;
    size_t transmitter_count;
    const char *sites, *model, *out, *tiles, *plot, *profile, *views;
    double freq_hz; /* of render */
    const char *rx_array, *tx_array;
    double bandwidth_hz; /* 0: none */
    rw_backend backend;
    int threads;
    int json, quiet, allow_outside, dry_run, time_stamp;
    const char *style;
    double size_m[2], storey_height_m, spacing_m, relief_m;
    uint64_t seed;
    int hills, storeys;
    const char *layer;
    int band, width_px;
    double range[2], above;
    int georeferenced;
    const char *levels, *zones, *name_field, *weights, *rooms, *report, *storey_table;
    int transmitter; /* of statistics, from 1; 0: all together */
    const char *only, *data;
    int tiny, limit_s; /* of reproduce; -1: not given */
    const char *map, *measurements, *columns, *quantity, *average, *route, *site;
    double tx_power_dbm;
    int resource_blocks, skip_bad, folds;
    const char *offsets, *heights;
    double ground_level_m;
    const char *fit, *holdout, *constraints, *matrix, *compared, *beam_outlines, *diffraction_sources;
    const char *view, *crop; /* of render */
    const char *csr;         /* of model tiles: the matrix */
    double level_dbm;
    rw_point *points;
    size_t point_count;
    const char *points_crs, *to_crs, *tx_polarisation, *points_file;
    double speed_m_s;
    int frequencies;
    const char *root, *listen, *token, *backdrop; /* of serve */
    int port;
    struct plan_settings plan;
    const char *network_layers, *shard; /* of network */
    int block_cells, group_sites, per_site, centi_db, by_blocks, blocks_only, device;
    double margin_m;
};

/* An option of a model, as it was given. */
struct model_argument {
    const char *name, *text;
};

/* An option as it was given, and the how many-th. */
struct argument {
    const char *name, *text;
    size_t index;
};

struct progress {
    double start_s, shown_s, last_report_s;
    int shown; /* a bar is on the screen and must be wiped */
};

struct call {
    const struct command *command;
    struct settings settings;
    struct model_argument model_argument[MODEL_ARGUMENTS_MAX]; /* options of the model */
    size_t model_argument_count;
    rw_context *context;
    struct progress progress;
    const char *own_scene; /* of serve: requests may name it, wherever it is; NULL: none */
    const char *outside;   /* what the project file names outside of its folder and the current one; NULL: nothing */
    char **strings;        /* copies that settings point to */
    size_t string_count;
    struct argument *argument; /* options as they were given, for the provenance of results */
    size_t argument_count;
    const char **skipped; /* sites that --skip-bad left out, and why */
    size_t skipped_count;
    char *warnings[WARNINGS_MAX];
    size_t warning_count;
};

struct command {
    const char *name, *summary;
    const char *input;          /* name of the argument without a dash, or of two; NULL: none */
    const char *const *options; /* names, ended by NULL; after "+COMMAND" those that work as they do there */
    int calls;                  /* 0, or which options of models it takes: RW_OPTION_OF_PREDICT and so on */
    const char *examples[2];
    int (*run)(struct call *call);
    int (*run_raw)(int argc, char **argv); /* reads its arguments itself */
};

extern const struct command *const commands[]; /* main.c, ended by NULL */
const struct command *find_command(const char *name);

/* Frees what a call has taken, its context included. */
void end_call(struct call *call);

int command_predict(struct call *call);
int command_network(struct call *call);
int command_merge(struct call *call);
int command_generate(struct call *call);
int command_import(struct call *call);
int command_render(struct call *call);
int command_compare(struct call *call);
int command_polygons(struct call *call);
int command_statistics(struct call *call);
int command_info(struct call *call);
int command_evaluate(struct call *call);
int command_calibrate(struct call *call);
int command_preprocess(struct call *call);
int command_paths(struct call *call);
int command_plan(struct call *call);
int command_bench(struct call *call);
int command_reproduce(struct call *call);
int command_serve(struct call *call);
int command_calc(int argc, char **argv);

/* message.c: one line on standard error; returns the exit status for a bad call. */
int report_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
#ifdef __clang_analyzer__ /* which does not look into other files: the exit status is never 0 */
#define report_error(...) ((void)(report_error)(__VA_ARGS__), 2)
#endif

/* From here on the first error is a JSON object on standard output, beside its line on standard error. */
void print_errors_as_json(int wanted);

/* From here on sentences of this thread go to the buffer, the first one alone, and nothing is printed; NULL: no longer.
 */
void capture_errors(char *message, size_t size);

/* Exit status of the program for a status of the library. */
int exit_code_of(rw_status status);

/* Where the program itself has no memory for something; returns the exit status. */
int report_out_of_memory(const char *what);

/* The library's sentence for a call that failed in this thread; returns its exit status. */
int report_status(struct call *call, rw_status status);

/* The same with a sentence that another thread has read. */
int report_status_message(struct call *call, rw_status status, const char *message);
void print_warnings(const struct call *call);

/* progress.c: callbacks of the context. */
int on_progress(void *user, double fraction, const char *stage);
void on_warning(void *user, const char *message);
void wipe_progress(struct call *call);
double now_s(void);

/* scene_source.c: a committed scene from a file or, as "city:grid:seed=2", from a generator. Returns the exit status;
 * what is wrong has been said. *scene must be destroyed in any case. */
int open_scene(struct call *call, const char *source, rw_scene **scene);

/* The same of a file alone, as far as it touches an area (NULL: all), as a status of the library. */
rw_status load_scene(struct call *call, const char *source, const double *area_m, rw_scene **scene);

/* Whether the command asks a model that knows no other bodies than buildings (rw_scene_meshes_to_buildings). */
int wants_buildings(const struct call *call);
int is_generator(const char *source);
rw_status generate_scene(struct call *call, const char *kind, rw_scene **scene);

/* asked.c: options of models. Those that were given, NULL where not; and set, checked, with the model's own values for
 * the others. Databases and parameters are loaded by request.c. Both return the exit status. */
const char *model_of(const struct call *call);
const char *model_argument_value(const struct call *call, const char *name);
int apply_model_arguments(struct call *call, rw_predict_options *options);
int apply_preprocess_arguments(struct call *call, rw_preprocess_options *options);

/* coordinates.c: points of the command line in --points-crs, brought into the system of a scene or map. what names them
 * in a refusal. Both return the exit status. */
int transform_points(struct call *call, const char *crs, const char *what, double *xy, size_t count);
int transform_area(struct call *call, const char *crs, double area_m[4]);

/* request.c: what a model is asked for: scene, transmitters, parameters and the options that hold them. */
struct request {
    rw_scene *scene;
    rw_transmitter *sites;         /* from a file */
    rw_plan_candidate *candidates; /* of a plan, one for each; NULL: there is none */
    rw_params *params;
    rw_database *database;
    rw_predict_options options;
    double load_s, prepare_s;
    int is_warm; /* the scene is there already and the caller's; so is the database, where there is one */
};

/* Returns the exit status; what is wrong has been said. To be closed in any case. */
int open_request(struct call *call, struct request *request);
void close_request(struct request *request);

/* Sites of a file, or --tx, in the coordinate system crs. Both return the exit status; *sites is to be freed. */
int load_sites(struct call *call, const char *crs, rw_transmitter **sites, size_t *count);
int finish_transmitters(struct call *call, const char *crs);

/* Keeps why a site was left out, and warns of the first; user: the call. */
void record_skipped_site(void *user, const char *message);

/* Measurements as the options say, in the coordinate system crs. Returns the exit status. */
int load_measurements(struct call *call, const char *crs, rw_measurements **measurements);

/* provenance.c: keeps an option for the provenance of results; tells the library version, command, options and, where
 * scene is not NULL, the hash of the scene, for all files that are written from then on. Both return the exit status.
 */
int record_argument(struct call *call, const char *name, const char *text);
int set_provenance(struct call *call, const rw_scene *scene);

/* network_share.c: which share of a network's parts a process has, from 1. */
struct shard {
    size_t number, count;
    const char *from; /* what says so */
};
/* By --shard, or by what started the process. Returns the exit status. */
int find_shard(const struct call *call, struct shard *shard);
/* The GPU of this process as the environment has it for the CUDA library, by --device or its rank on the machine. */
void choose_device(const struct call *call);

/* dry_run.c: what a command would take, as text or JSON, where --dry-run asks for no more. Returns the exit status. */
int report_estimate(const struct call *call, const char *unit, const rw_estimate *estimate);
int dry_run_measured(struct call *call, const struct request *request, const rw_measurements *measurements,
                     double iterations);
int dry_run_points(struct call *call, const struct request *request, size_t point_count, double iterations);

/* delays.c: the histogram of delays at the point of --at, as a picture or as numbers. Returns the exit status. */
int render_delays(struct call *call);
int describe_delays(struct call *call);

/* info_kept.c: what is in a file that the library keeps. Returns the exit status. */
int describe_stored_file(struct call *call, const char *path);

/* database_report.c: what is in a database; seconds that it took to make, NaN where not known. */
void report_database(const struct call *call, const char *path, const rw_database_info *info, double seconds);

/* folder.c: an output folder that is there before a long run starts and gone again where the run fails. */
struct folder {
    char path[4096];
    size_t existing_length; /* leading characters of path that name a folder which was there before; 0: none */
    int made;
};

/* Whether a file can be made there, before a long run: its folder can be written, and nothing but a file has its name.
 * option: that names it; path NULL: no file. Returns the exit status. */
int check_output_file(const char *option, const char *path);

/* map_file.c: a folder stands for the raster of a layer in it, whichever format this build writes; layer NULL:
 * path_loss. Returns the exit status. */
#define MAP_PATH_SIZE 4096
int find_map_file(const char *input, const char *layer, char path[MAP_PATH_SIZE]);

/* Pictures are PNG, whatever the name would say. path NULL: no file. Returns the exit status. */
int check_picture_name(const char *option, const char *path);

/* text_file.c: a text that is written to the stream and then to a file, which is there whole or not at all. */
struct text_file {
    FILE *stream;
    char *text;
    size_t size;
};

/* NULL where memory is out, which end_text_file tells. */
FILE *begin_text_file(struct text_file *file);

/* Returns the exit status; what is wrong has been said. */
int end_text_file(struct call *call, struct text_file *file, const char *path);

int make_folder(struct folder *folder, const char *path);
void undo_folder(const struct folder *folder);

/* For a signal handler: undoes the folder that the command has made. */
void undo_interrupted_folder(void);

/* interrupt.c: from here on SIGINT, SIGTERM and SIGHUP end the process without leaving temporary files. */
void catch_interrupts(void);

#endif
