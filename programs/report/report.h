/* What a command reports. A report is composed once: values for JSON and lines of text, of which a call prints one or
 * the other. With --quiet it prints no text. And the files that it goes to: output folders, texts, maps. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "command.h"
#include "report/json.h"

#include <stdio.h>

struct report {
    struct json json; /* without a stream if text is printed: its calls do nothing */
    FILE *text;       /* NULL: JSON is printed, or nothing */
};

/* On standard output, as the call wants it. */
void report_begin(struct report *report, const struct call *call);

/* The JSON object alone, on a stream. */
void report_begin_json(struct report *report, FILE *stream);
void report_end(struct report *report);

/* A line of text; nothing in JSON. */
void report_text(struct report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A file that was written: a line of text and a value; path NULL: none. */
void report_file(struct report *report, const char *key, const char *path);

/* Lists of the call: sites that were left out, warnings. JSON alone. */
void report_skipped(struct report *report, const struct call *call);
/* Offsets of sites and devices, one after another; width: of the column of names in the text. */
void report_offsets_begin(struct report *report, int width, size_t count);
void report_offset(struct report *report, int width, size_t index, const rw_offset *offset);
void report_offsets_end(struct report *report, size_t count);

/* What is registered of a layer: its name and title, which values are better, and the names of its classes. */
void json_layer_facts(struct json *json, const char *name);

void report_warnings(struct report *report, const struct call *call);
void report_version(struct report *report);

/* Which transmitter of a map was used, if it has several. */
struct map_choice;
void report_choice(struct report *report, const struct map_choice *choice);

/* A picture or shapes of a map, and which transmitter they are of. */
void report_file_of_map(const struct call *call, const char *path, const struct map_choice *choice);

/* A report that consists of one file. */
void report_one_file(const struct call *call, const char *path);

/* estimate.c: what a command would take, if --dry-run needs no more. Return the exit status. */
struct request;
int report_estimate(const struct call *call, const char *unit, const rw_estimate *estimate);
int dry_run_measured(struct call *call, const struct request *request, const rw_measurements *measurements,
                     double iterations);
int dry_run_points(struct call *call, const struct request *request, size_t point_count, double iterations);

/* database.c: what is in a database; seconds that it took to make, NaN if not known. */
void report_database(const struct call *call, const char *path, const rw_database_info *info, double seconds);

/* folder.c: an output folder that is there before a long run starts and gone again if the run fails. */
struct folder {
    char path[4096];
    size_t existing_length; /* leading characters of path that name a folder which existed before; 0: none */
    int made;
};
int make_folder(struct folder *folder, const char *path);
void undo_folder(const struct folder *folder);

/* For a signal handler: undoes the folder that the command has made. */
void undo_interrupted_folder(void);

/* Whether a file can be made there, before a long run: its folder can be written, and nothing but a file has its name.
 * option: that names it; path NULL: no file. Returns the exit status. */
int check_output_file(const char *option, const char *path);

/* Pictures are PNG, whatever the name says. path NULL: no file. Returns the exit status. */
int check_picture_name(const char *option, const char *path);

/* folder.c: the files of the last run in a folder, by their names there, so that those of an earlier run are not
 * taken for its. Returns the exit status. */
#define MANIFEST_NAME "manifest.txt"
int write_manifest(struct call *call, const char *folder, const char *const *names, size_t count);

/* 1: the file is of the last run, or the folder has no manifest; 0: it is of an earlier run. */
int is_in_manifest(const char *folder, const char *name);

/* map_file.c: a folder means the raster of a layer in it, whichever format this build writes; layer NULL:
 * path_loss. Returns the exit status. */
#define MAP_PATH_SIZE 4096
int find_map_file(const char *input, const char *layer, char path[MAP_PATH_SIZE]);

/* A text that is written to the stream and then to a file, which is there whole or not at all. */
struct text_file {
    FILE *stream;
    char *text;
    size_t size;
};

/* NULL if there is no memory, which end_text_file reports. */
FILE *begin_text_file(struct text_file *file);

/* Writes the file; after a failure, exit_status not 0, no file. Returns the exit status. */
int end_text_file(struct call *call, struct text_file *file, const char *path, int exit_status);

/* HTML on a stream: a page, texts with their signs escaped, rows of tables, pictures inside the page. */
void html_begin(FILE *out, const char *title, const char *about);
void html_end(FILE *out);
void html_text(FILE *out, const char *text);
void html_row(FILE *out, const char *name, const char *value);

/* The first cells of a row of transmitters: name, x, y, height, azimuth, tilt, power, MHz. freq_hz: where it has none.
 */
void html_transmitter(FILE *out, const rw_transmitter *tx, double freq_hz);

/* A cell of a table; empty where the value is not finite. */
void html_number(FILE *out, const char *format, double value);

/* A PNG file as part of the page. Returns the exit status. */
int html_picture(FILE *out, const char *path, const char *title);

/* Bytes as a string in base 64, to be freed; NULL: no memory. */
char *encode_base64(const unsigned char *bytes, size_t size);

/* Link budgets as text and in JSON: how the values of a map are composed at points. */

/* One link budget as a table. */
void print_link_budget(const rw_link_budget *budget);

/* A JSON object with the budgets as its last member, to be freed; NULL: it failed, and that is reported. */
char *add_budgets_to_json(struct call *call, const char *object, const rw_budgets *budgets);

#endif
