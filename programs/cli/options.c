/* The table of options, and from one option's text to its setting. */
#include "cli/cli.h"

#include "base/text/normalise.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH RW_QUANTITY_LENGTH_M

const struct option option_table[] = {
    {"scene", OPTION_READ, 0, "FILE", "scene file, or a generator: city:european:seed=1:size=1km,1km", OF_SCENE},
    {"terrain", OPTION_READ, 0, "FILE|flat", "raster, or flat for none", OF_SCENE},
    {"surface", OPTION_READ, 0, "FILE", "raster of the highest points: heights, missing buildings, trees", OF_SCENE},
    {"picture", OPTION_WRITE, 0, "FILE.png", "where the heights of buildings are from", 0},
    {"foliage", OPTION_READ, 0, "FILE", "trees: raster or shapes", OF_SCENE},
    {"materials", OPTION_READ, 0, "FILE", "CSV of materials", OF_SCENE},
    {"format", OPTION_STRING, 0, "NAME", "cost231, mitsuba, ply, obj, floorplan, gis (default: by content)", OF_SCENE},
    {"height-field", OPTION_STRING, 0, "NAME", "with the roof height", OF_SCENE},
    {"storeys-field", OPTION_STRING, 0, "NAME", "with the number of storeys, 3 m each", OF_SCENE},
    {"height-unit", OPTION_STRING, 0, "m|ft", "of heights (by the name of the column)", OF_SCENE},
    {"default-height", OPTION_QUANTITY, LENGTH, "H", "of buildings that tell none (10)", OF_SCENE},
    {"crs", OPTION_STRING, 0, "CRS", "of the input: EPSG:25832", OF_SCENE},
    {"points-crs", OPTION_STRING, 0, "CRS", "of sites, points, areas: lonlat", 0},
    {"to-crs", OPTION_STRING, 0, "CRS", "of rasters, paths and points that are written (the scene's)", OF_SERVER},
    {"points", OPTION_READ, 0, "FILE", "points: CSV, GPX, GeoJSON", 0},
    {"speed", OPTION_QUANTITY, RW_QUANTITY_NUMBER, "V", "along --points, in m/s (by its times)", 0},
    {"frequencies", OPTION_INTEGER, 0, "N", "of the response over --bandwidth in FILE.h5 (none)", 0},
    {"tx-polarisation", OPTION_STRING, 0, "NAME", "of --tx: vertical, horizontal, a slant (45), dual or vh (vertical)",
     0},
    {"tx-antenna", OPTION_READ, 0, "NAME", "of --tx: 3gpp, macro, omni, sector:..., MSI file (isotropic)", 0},
    {"antenna", OPTION_READ, 0, "NAME", "whose pattern is drawn: macro:etilt=6, FILE.msi", 0},
    {"rx-antenna", OPTION_READ, 0, "NAME", "of the second end, towards the first (isotropic)", 0},
    {"rx-power", OPTION_QUANTITY, RW_QUANTITY_POWER_DBM, "P", "of the second end (23dBm)", 0},
    {"tx-azimuth", OPTION_QUANTITY, RW_QUANTITY_ANGLE_DEG, "A", "of --tx, from north (0)", 0},
    {"tx-tilt", OPTION_QUANTITY, RW_QUANTITY_ANGLE_DEG, "A", "of --tx, downwards (0)", 0},
    {"tx", OPTION_TRANSMITTER, 0, "X,Y,Z[,NAME]", "transmitter, Z above ground; may be repeated", 0},
    {"sites", OPTION_READ, 0, "FILE.csv", "table of transmitters", 0},
    {"freq", OPTION_QUANTITY, RW_QUANTITY_FREQUENCY_HZ, "F", "frequency (947MHz)", 0},
    {"model", OPTION_STRING, 0, "NAME", "shadow, beams, cubes, tiles, rt; indoors images or sbr (shadow)", 0},
    {"level", OPTION_LEVELS, 0, "P", "threshold: -90dBm, sinr:3dB", 0},
    {"at", OPTION_POINT, 0, "X,Y[,Z]", "point to reach, Z above ground; may be repeated", 0},
    {"beam-outlines", OPTION_WRITE, 0, "FILE", "polygons as GeoJSON", 0},
    {"diffraction-sources", OPTION_WRITE, 0, "FILE", "corners as GeoJSON", 0},
    {"csr", OPTION_WRITE, 0, "FILE.h5", "which tiles see each other", 0},
    {"tiles", OPTION_WRITE, 0, "FILE", "tiles: .gpkg .ply .png .h5", 0},
    {"rx-array", OPTION_READ, 0, "ROWSxCOLUMNS", "antennas of each point in FILE.h5, or FILE.csv", 0},
    {"tx-array", OPTION_READ, 0, "ROWSxCOLUMNS", "antennas of each transmitter, or FILE.csv", 0},
    {"bandwidth", OPTION_QUANTITY, RW_QUANTITY_FREQUENCY_HZ, "F", "of the impulse response in FILE.h5", 0},
    {"plot", OPTION_WRITE, 0, "FILE.png", "over delay, or a route", 0},
    {"profile", OPTION_WRITE, 0, "FILE.png", "section to the point, with its paths", 0},
    {"views", OPTION_WRITE, 0, "FILE.png", "of images along a path", 0},
    {"layers", OPTION_LIST, 0, "A,B", "of a network: best, strongest, second, sinr, ... (best,strongest,sinr)",
     OF_SHARD},
    {"shard", OPTION_STRING, 0, "I/N", "one of N shards (all)", OF_SHARD},
    {"block-cells", OPTION_INTEGER, 0, "N", "side of a block (2048)", 0},
    {"group-sites", OPTION_INTEGER, 0, "N", "sites of a part (48)", OF_SHARD},
    {"per-site", OPTION_FLAG, 0, NULL, "rasters of each site", OF_SHARD},
    {"centi-db", OPTION_FLAG, 0, NULL, "16-bit rasters, 0.01 dB", 0},
    {"by-blocks", OPTION_FLAG, 0, NULL, "reads the scene block by block", 0},
    {"margin", OPTION_QUANTITY, LENGTH, "D", "beyond a block and its sites (200)", 0},
    {"parts-only", OPTION_FLAG, 0, NULL, "no rasters yet; merge makes them", OF_SHARD},
    {"device", OPTION_INTEGER, 0, "N", "number of the GPU, from 0 (by local rank)", OF_RUN},
    {"backend", OPTION_BACKEND, 0, "NAME", "auto, cpu or cuda (auto)", OF_RUN | OF_SERVER},
    {"threads", OPTION_INTEGER, 0, "N", "on the CPU (all cores)", OF_RUN | OF_SERVER},
    {"style", OPTION_STRING, 0, "NAME", "of a city: european or grid (european)", 0},
    {"size", OPTION_PAIR, LENGTH, "W,D", "width and depth (city 2.4km,3.4km)", 0},
    {"seed", OPTION_SEED, 0, "N", "same seed, same bytes (1)", 0},
    {"hills", OPTION_FLAG, 0, NULL, "a city on hilly terrain", 0},
    {"storeys", OPTION_INTEGER, 0, "N", "of an office (1)", 0},
    {"storey-height", OPTION_QUANTITY, LENGTH, "H", "of an office (3)", 0},
    {"spacing", OPTION_QUANTITY, LENGTH, "D", "between the posts of a terrain", 0},
    {"relief", OPTION_QUANTITY, LENGTH, "H", "from the lowest to the highest post", 0},
    {"layer", OPTION_STRING, 0, "NAME", "layer of the map (the first)", 0},
    {"band", OPTION_INTEGER, 0, "N", "alias of --transmitter", 0},
    {"range", OPTION_PAIR, RW_QUANTITY_LEVEL_DB, "MIN,MAX", "ends of the colour scale (from the data)", 0},
    {"georeferenced", OPTION_FLAG, 0, NULL, "cells alone, with a world file", 0},
    {"report", OPTION_WRITE, 0, "FILE", "one HTML page of it all", 0},
    {"storey-table", OPTION_WRITE, 0, "FILE", "power by storey: .csv .gpkg", 0},
    {"zones", OPTION_READ, 0, "FILE", "polygons: a row for each", OF_REPORT},
    {"transmitter", OPTION_INTEGER, 0, "N", "of the map (strongest)", 0},
    {"name-field", OPTION_STRING, 0, "NAME", "with the zones' names", 0},
    {"rooms", OPTION_READ, 0, "PLAN", "floor plan: a row for each room", 0},
    {"weights", OPTION_READ, 0, "FILE", "raster of counts, such as people", OF_REPORT},
    {"levels", OPTION_LIST, 0, "A,B,...", "ranges from each to the next: -100,-90", 0},
    {"contours", OPTION_FLAG, 0, NULL, "lines of the levels in place of areas", 0},
    {"confidence", OPTION_QUANTITY, RW_QUANTITY_NUMBER, "P", "probability that coverage holds, such as 0.9", 0},
    {"shadowing", OPTION_QUANTITY, RW_QUANTITY_LEVEL_DB, "S", "spread of locations (8dB)", 0},
    {"correlation", OPTION_QUANTITY, LENGTH, "D", "distance of shadowing (50)", 0},
    {"target", OPTION_QUANTITY, RW_QUANTITY_NUMBER, "F", "coverage to be reached, as a percentage", 0},
    {"above", OPTION_QUANTITY, RW_QUANTITY_LEVEL_DB, "D", "share of the cells that differ by more (10)", 0},
    {"view", OPTION_STRING, 0, "A,E|top", "azimuth, elevation", 0},
    {"crop", OPTION_STRING, 0, "X0,Y0,X1,Y1", "of tiles: what is drawn", 0},
    {"width", OPTION_INTEGER, 0, "N", "pixels across the map (chosen)", 0},
    {"map", OPTION_READ, 0, "FILE", "predicted path loss: GeoTIFF or ENVI", 0},
    {"measurements", OPTION_READ, 0, "FILE", "CSV with a header, or lines of x, y, [z,] value", 0},
    {"columns", OPTION_LIST, 0, "x=A,...", "columns of --sites, or of --measurements, by name or number (usual names)",
     0},
    {"quantity", OPTION_STRING, 0, "NAME", "measured: path_loss (dB), power or rsrp (dBm) (path_loss)", 0},
    {"tx-power", OPTION_QUANTITY, RW_QUANTITY_POWER_DBM, "P", "of --tx (30dBm); of measured power (sites')", 0},
    {"resource-blocks", OPTION_INTEGER, 0, "N", "of rsrp: sharing the power", 0},
    {"offsets", OPTION_LIST, 0, "A,B", "fit: site,device (none)", 0},
    {"heights", OPTION_STRING, 0, "NAME", "what z is (above_ground)", 0},
    {"ground-level", OPTION_QUANTITY, RW_QUANTITY_LENGTH_M, "H", "ends there (5m)", 0},
    {"skip-bad", OPTION_FLAG, 0, NULL, "leave out bad sites, named", 0},
    {"folds", OPTION_INTEGER, 0, "N", "to validate (5)", 0},
    {"average", OPTION_STRING, 0, "NAME", "samples of a cell: db, linear (of power) or none (db)", 0},
    {"route", OPTION_STRING, 0, "NAME", "only of this route (all)", 0},
    {"site", OPTION_STRING, 0, "NAME", "only of this site (all)", 0},
    {"fit", OPTION_LIST, 0, "A,B", "over_roofs,street_berg,wall_slabs,facade; all; or site (none)", 0},
    {"bounds", OPTION_LIST, 0, "A=1,B=2", "of the sites (--fit site)", 0},
    {"residuals", OPTION_FLAG, 0, NULL, "store what remains", 0},
    {"constraints", OPTION_STRING, 0, "A=B", "also <=, linear", 0},
    {"matrix", OPTION_WRITE, 0, "FILE.csv", "M x - d, by paths", 0},
    {"beside", OPTION_READ_LIST, 0, "FILES", "parameters to compare", 0},
    {"holdout", OPTION_STRING, 0, "WHAT", "keep out of the fit: route=NAME, site=NAME or random=0.3", 0},
    {"data", OPTION_READ, 0, "DIR", "folder with the papers' data sets", 0},
    {"tiny", OPTION_FLAG, 0, NULL, "a tiny scene, to try the command in seconds", 0},
    {"limit", OPTION_INTEGER, 0, "S", "longest time of one measurement (120)", 0},
    {"only", OPTION_STRING, 0, "NAME", "one group of the benchmark", 0},
    {"port", OPTION_INTEGER, 0, "N", "of the server; 0: a free one (8080)", 0},
    {"root", OPTION_READ, 0, "DIR", "folder that requests read and write (the current one)", 0},
    {"listen", OPTION_STRING, 0, "ADDRESS", "for other machines; needs --token (127.0.0.1)", 0},
    {"token", OPTION_STRING, 0, "TEXT", "that every request must carry", 0},
    {"answer", OPTION_READ, 0, "FILE", "answers this stored request to --out, starts no server; for jobs", 0},
    {"backdrop", OPTION_STRING, 0, "URL", "tile server below the map: https://.../{z}/{x}/{y}.png (none)", 0},
    {"candidates", OPTION_READ, 0, "FILE.csv", "sites table with site, cost, site_cost, keep (no, yes, fixed)", 0},
    {"azimuths", OPTION_LIST, 0, "LIST", "of a sector: 0,120,240", 0},
    {"tilts", OPTION_LIST, 0, "LIST", "0,4,8 or 0:8:2", 0},
    {"powers", OPTION_LIST, 0, "LIST", "in dBm: 40,43,46", 0},
    {"antennas", OPTION_READ_LIST, 0, "LIST", "3gpp or MSI files", 0},
    {"objective", OPTION_STRING, 0, "NAME", "coverage (weight at --level), sinr (percentile) or rate (coverage)", 0},
    {"percentile", OPTION_QUANTITY, RW_QUANTITY_NUMBER, "P", "of sinr (10)", 0},
    {"zone-field", OPTION_STRING, 0, "NAME", "weight of each zone", 0},
    {"sectors", OPTION_INTEGER, 0, "N", "of each candidate (1)", 0},
    {"max-sites", OPTION_INTEGER, 0, "N", "at most so many", 0},
    {"max-sectors", OPTION_INTEGER, 0, "N", "at most so many", 0},
    {"budget", OPTION_QUANTITY, RW_QUANTITY_NUMBER, "C", "for what is new", 0},
    {"min-distance", OPTION_QUANTITY, LENGTH, "D", "between sites", 0},
    {"rounds", OPTION_INTEGER, 0, "N", "of annealing (100)", 0},
    {"out", OPTION_WRITE, 0, "PATH", "folder or file to write", 0},
    {"title", OPTION_STRING, 0, "TEXT", "of the page (Radio plan)", 0},
    {"author", OPTION_STRING, 0, "TEXT", "named on the page (none)", 0},
    {"without-scene", OPTION_FLAG, 0, NULL, "no buildings, no terrain", 0},
    {"each-transmitter", OPTION_FLAG, 0, NULL, "a map of each, not the best alone", 0},
    {"budgets", OPTION_INTEGER, 0, "N", "points with a link budget (200)", 0},
    {"json", OPTION_FLAG, 0, NULL, "one JSON object, no text", OF_RUN | OF_SERVER},
    {"dry-run", OPTION_FLAG, 0, NULL, "the cost, no work", OF_RUN | OF_SERVER},
    {"time-stamp", OPTION_FLAG, 0, NULL, "the time in files", OF_RUN | OF_SERVER},
    {"quiet", OPTION_FLAG, 0, NULL, "no text, no progress", OF_RUN | OF_SERVER},
    {"allow-outside", OPTION_FLAG, 0, NULL, "files name files anywhere", OF_RUN},
    {NULL, OPTION_STRING, 0, NULL, NULL, 0},
};

const struct option *find_option(const char *name)
{
    for (const struct option *option = option_table; option->name; option++)
        if (strcmp(option->name, name) == 0)
            return option;
    return NULL;
}

const char *canonical_name(const struct command *command, const char *name)
{
    return strcmp(name, "band") == 0 && accepts_option(command, "transmitter") ? "transmitter" : name;
}

static const struct command_option *find_command_option(const struct command *command, const char *name)
{
    for (const struct command_option *accepted = command->options; accepted->name; accepted++)
        if (strcmp(accepted->name, name) == 0)
            return accepted;
    return NULL;
}

int accepts_option(const struct command *command, const char *name)
{
    return find_command_option(command, name) != NULL;
}

/* Options of the call itself. */
static const struct command_option call_options[] = {
    {"model", offsetof(struct call, model)},     {"points-crs", offsetof(struct call, points_crs)},
    {"backend", offsetof(struct call, backend)}, {"threads", offsetof(struct call, threads)},
    {"device", offsetof(struct call, device)},   {"json", offsetof(struct call, json)},
    {"quiet", offsetof(struct call, quiet)},     {"allow-outside", offsetof(struct call, allow_outside)},
    {"dry-run", offsetof(struct call, dry_run)}, {"time-stamp", offsetof(struct call, time_stamp)}};

void *find_option_target(struct call *call, const char *name)
{
    const struct command_option *accepted = find_command_option(call->command, name);
    if (!accepted)
        return NULL;
    if (accepted->at != OF_CALL)
        return (char *)call->settings + accepted->at;
    for (size_t i = 0; i < sizeof call_options / sizeof *call_options; i++)
        if (strcmp(call_options[i].name, name) == 0)
            return (char *)call + call_options[i].at;
    return NULL;
}

const char *find_option_string(const struct call *call, const char *name)
{
    const struct command_option *accepted = find_command_option(call->command, name);
    return accepted && accepted->at != OF_CALL ? *(const char *const *)((const char *)call->settings + accepted->at)
                                               : NULL;
}

int accepts_two_inputs(const struct command *command)
{
    return command->input && strchr(command->input, ' ') != NULL;
}

void free_option_lists(struct call *call)
{
    for (const struct command_option *accepted = call->command->options; accepted && accepted->name; accepted++) {
        const struct option *option = find_option(accepted->name);
        if (option && option->kind == OPTION_TRANSMITTER)
            free(((struct transmitter_list *)find_option_target(call, option->name))->items);
        if (option && option->kind == OPTION_POINT)
            free(((struct point_list *)find_option_target(call, option->name))->items);
    }
}

/* Room for one more behind count items: twice as many whenever count has become a power of two, so that a long list is
 * not copied for each. NULL where there is none; the list is then as it was. */
static void *grow_list(void *list, size_t count, size_t size)
{
    if (count & (count - 1))
        return list;
    return realloc(list, (count ? 2 * count : 1) * size);
}

/* Settings point to texts; those from a project file would not live long enough. */
const char *store_string(struct call *call, const char *string)
{
    size_t bytes = strlen(string) + 1;
    char **grown = grow_list(call->strings, call->string_count, sizeof *grown);
    if (!grown)
        return NULL;
    call->strings = grown;
    char *copy = malloc(bytes);
    if (!copy)
        return NULL;
    memcpy(copy, string, bytes);
    grown[call->string_count++] = copy;
    return copy;
}

int read_quantities(rw_context *context, const char *string, const rw_quantity *quantities, int max_count,
                    double *values)
{
    char token[128];
    for (int i = 0; i < max_count; i++) {
        size_t length = strcspn(string, ",");
        if (length >= sizeof token)
            return 0;
        memcpy(token, string, length);
        token[length] = 0;
        if (rw_parse_quantity(context, token, quantities[i], &values[i]) != RW_OK)
            return -1;
        if (!string[length])
            return i + 1;
        string += length + 1;
    }
    return 0;
}

/* Exactly count of them. */
static int apply_quantities(struct call *call, const struct option *option, const char *string, int count,
                            double *values)
{
    rw_quantity quantities[3] = {option->quantity, option->quantity, option->quantity};
    int found = read_quantities(call->context, string, quantities, count, values);
    if (found < 0)
        return report_error("--%s: %s", option->name, rw_last_error(call->context));
    return found == count ? 0 : report_error("--%s %s: expected %s", option->name, string, option->value);
}

static int apply_integer(const struct option *option, const char *string, uint64_t limit, uint64_t *value)
{
    char *end;
    errno = 0;
    unsigned long long number = strtoull(string, &end, 10);
    if (!isdigit((unsigned char)string[0]) || *end || errno || number > limit)
        return report_error("--%s %s: expected a whole number, such as 2", option->name, string);
    *value = number;
    return 0;
}

/* X,Y,Z[,NAME]; the name may hold commas. */
static int add_transmitter_option(struct call *call, const struct option *option, struct transmitter_list *list,
                                  const char *string)
{
    const char *comma = strchr(string, ',');
    for (int i = 1; i < 3 && comma; i++)
        comma = strchr(comma + 1, ',');
    char position[256];
    size_t length = comma ? (size_t)(comma - string) : strlen(string);
    if (length >= sizeof position)
        return report_error("--tx %.60s...: expected %s", string, option->value);
    memcpy(position, string, length);
    position[length] = 0;
    struct option lengths = {option->name, OPTION_QUANTITY, RW_QUANTITY_LENGTH_M, option->value, NULL, 0};
    double values[3];
    int status = apply_quantities(call, &lengths, position, 3, values);
    if (status)
        return status;
    rw_transmitter *grown = grow_list(list->items, list->count, sizeof *grown);
    if (!grown)
        return report_out_of_memory("--tx");
    list->items = grown;
    rw_transmitter *transmitter = &grown[list->count++];
    rw_transmitter_init(transmitter);
    transmitter->x_m = values[0];
    transmitter->y_m = values[1];
    transmitter->height_m = values[2];
    char number[32];
    snprintf(number, sizeof number, "tx%zu", list->count);
    const char *name = comma && comma[1] ? comma + 1 : number;
    char *text = malloc(RW_NORMALISED_BYTES_MAX(strlen(name)));
    if (!text)
        return report_out_of_memory("--tx");
    rw_text_normalise(name, strlen(name), text);
    transmitter->name = store_string(call, text);
    free(text);
    return transmitter->name ? 0 : report_out_of_memory("--tx");
}

/* X,Y[,Z] */
static int add_point_option(struct call *call, const struct option *option, struct point_list *list, const char *string)
{
    const char *comma = strchr(string, ',');
    int count = comma && strchr(comma + 1, ',') ? 3 : 2;
    struct option lengths = {option->name, OPTION_QUANTITY, RW_QUANTITY_LENGTH_M, option->value, NULL, 0};
    double values[3] = {0, 0, NAN};
    int status = apply_quantities(call, &lengths, string, count, values);
    if (status)
        return status;
    rw_point *grown = grow_list(list->items, list->count, sizeof *grown);
    if (!grown)
        return report_out_of_memory("--at");
    list->items = grown;
    grown[list->count++] =
        (rw_point){.size = sizeof(rw_point), .x_m = values[0], .y_m = values[1], .height_m = values[2]};
    return 0;
}

static int apply_backend(const struct option *option, const char *string, rw_backend *backend)
{
    static const char *const names[] = {"auto", "cpu", "cuda"};
    for (int i = 0; i < 3; i++)
        if (strcmp(string, names[i]) == 0) {
            *backend = (rw_backend)i;
            return 0;
        }
    return report_error("--%s %s: expected auto, cpu or cuda", option->name, string);
}

static int apply_flag(const struct option *option, const char *string, int *flag)
{
    *flag = strcmp(string, "true") == 0 || strcmp(string, "yes") == 0;
    if (*flag || strcmp(string, "false") == 0 || strcmp(string, "no") == 0)
        return 0;
    return report_error("%s: '%s' is neither true nor false", option->name, string);
}

int apply_option(struct call *call, const struct option *option, void *target, const char *string)
{
    uint64_t integer = 0;
    int status = 0;
    switch (option->kind) {
    case OPTION_STRING:
    case OPTION_READ:
    case OPTION_WRITE:
    case OPTION_LIST:
    case OPTION_READ_LIST:
        if (!*string)
            return report_error("--%s is empty; expected %s", option->name, option->value);
        *(const char **)target = store_string(call, string);
        return *(const char **)target ? 0 : report_out_of_memory("the options");
    case OPTION_QUANTITY:
        return apply_quantities(call, option, string, 1, target);
    case OPTION_PAIR:
        return apply_quantities(call, option, string, 2, target);
    case OPTION_INTEGER:
        status = apply_integer(option, string, INT_MAX, &integer);
        *(int *)target = (int)integer;
        return status;
    case OPTION_SEED:
        return apply_integer(option, string, UINT64_MAX, target);
    case OPTION_FLAG:
        return apply_flag(option, string, target);
    case OPTION_TRANSMITTER:
        return add_transmitter_option(call, option, target, string);
    case OPTION_POINT:
        return add_point_option(call, option, target, string);
    case OPTION_BACKEND:
        return apply_backend(option, string, target);
    case OPTION_LEVELS:
        return read_levels_option(call, string, target);
    }
    return 0;
}
