/* The table of options, and from one option's text to its setting. */
#include "cli/options.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AT(member) offsetof(struct settings, member)
#define LENGTH RW_QUANTITY_LENGTH_M

const struct option option_table[] = {
    {"scene", OPTION_STRING, 0, AT(scene), "FILE", "scene file, or a generator: city:european:seed=1:size=1km,1km"},
    {"terrain", OPTION_STRING, 0, AT(terrain), "FILE|flat", "raster, or flat for none"},
    {"foliage", OPTION_STRING, 0, AT(foliage), "FILE", "trees: raster or shapes"},
    {"materials", OPTION_STRING, 0, AT(materials), "FILE", "CSV of materials"},
    {"format", OPTION_STRING, 0, AT(format), "NAME",
     "cost231, mitsuba, ply, obj, floorplan, gis (default: by content)"},
    {"height-field", OPTION_STRING, 0, AT(height_field), "NAME", "with the roof height"},
    {"height-unit", OPTION_STRING, 0, AT(height_unit), "m|ft", "of heights (by the name of the column)"},
    {"default-height", OPTION_QUANTITY, LENGTH, AT(default_height_m), "H", "of buildings that tell none (10)"},
    {"crs", OPTION_STRING, 0, AT(crs), "CRS", "of the input: EPSG:25832"},
    {"points-crs", OPTION_STRING, 0, AT(points_crs), "CRS", "of sites, points, areas: lonlat"},
    {"to-crs", OPTION_STRING, 0, AT(to_crs), "CRS", "of rasters, paths and points that are written (the scene's)"},
    {"points", OPTION_STRING, 0, AT(points_file), "FILE", "points or a route: CSV, GPX or GeoJSON"},
    {"speed", OPTION_QUANTITY, RW_QUANTITY_NUMBER, AT(speed_m_s), "V", "along --points, in m/s (by its times)"},
    {"frequencies", OPTION_INTEGER, 0, AT(frequencies), "N", "of the response over --bandwidth in FILE.h5 (none)"},
    {"tx-polarisation", OPTION_STRING, 0, AT(tx_polarisation), "NAME",
     "of --tx: vertical, horizontal, a slant (45), dual or vh (vertical)"},
    {"tx", OPTION_TRANSMITTER, 0, 0, "X,Y,Z[,NAME]", "transmitter, Z above ground; may be repeated"},
    {"sites", OPTION_STRING, 0, AT(sites), "FILE.csv", "table of transmitters"},
    {"freq", OPTION_QUANTITY, RW_QUANTITY_FREQUENCY_HZ, AT(freq_hz), "F", "frequency (947MHz)"},
    {"model", OPTION_STRING, 0, AT(model), "NAME", "shadow, beams, cubes, tiles, rt; indoors images or sbr (shadow)"},
    {"level", OPTION_QUANTITY, RW_QUANTITY_POWER_DBM, AT(level_dbm), "P", "coverage threshold: -90dBm"},
    {"at", OPTION_POINT, 0, 0, "X,Y[,Z]", "point to reach, Z above ground; may be repeated"},
    {"beam-outlines", OPTION_STRING, 0, AT(beam_outlines), "FILE", "polygons as GeoJSON"},
    {"diffraction-sources", OPTION_STRING, 0, AT(diffraction_sources), "FILE", "corners as GeoJSON"},
    {"csr", OPTION_STRING, 0, AT(csr), "FILE.h5", "which tiles see each other"},
    {"tiles", OPTION_STRING, 0, AT(tiles), "FILE", "tiles: .gpkg .ply .png .h5"},
    {"rx-array", OPTION_STRING, 0, AT(rx_array), "ROWSxCOLUMNS", "antennas of each point in FILE.h5, or FILE.csv"},
    {"tx-array", OPTION_STRING, 0, AT(tx_array), "ROWSxCOLUMNS", "antennas of each transmitter, or FILE.csv"},
    {"bandwidth", OPTION_QUANTITY, RW_QUANTITY_FREQUENCY_HZ, AT(bandwidth_hz), "F",
     "of the impulse response in FILE.h5"},
    {"plot", OPTION_STRING, 0, AT(plot), "FILE.png", "power over delay"},
    {"profile", OPTION_STRING, 0, AT(profile), "FILE.png", "section to the point, with its paths"},
    {"views", OPTION_STRING, 0, AT(views), "FILE.png", "of images along a path"},
    {"layers", OPTION_STRING, 0, AT(network_layers), "A,B",
     "of a network: best, strongest, second, sinr, ... (best,strongest,sinr)"},
    {"shard", OPTION_STRING, 0, AT(shard), "I/N", "share of the parts, from 1 (by what started it)"},
    {"block-cells", OPTION_INTEGER, 0, AT(block_cells), "N", "side of a block (2048)"},
    {"group-sites", OPTION_INTEGER, 0, AT(group_sites), "N", "sites of a part (48)"},
    {"per-site", OPTION_FLAG, 0, AT(per_site), NULL, "rasters of each site"},
    {"centi-db", OPTION_FLAG, 0, AT(centi_db), NULL, "16-bit rasters, 0.01 dB"},
    {"by-blocks", OPTION_FLAG, 0, AT(by_blocks), NULL, "reads the scene block by block"},
    {"margin", OPTION_QUANTITY, LENGTH, AT(margin_m), "D", "beyond a block and its sites (200)"},
    {"parts-only", OPTION_FLAG, 0, AT(blocks_only), NULL, "no rasters yet; merge makes them"},
    {"device", OPTION_INTEGER, 0, AT(device), "N", "number of the GPU, from 0 (by local rank)"},
    {"backend", OPTION_BACKEND, 0, AT(backend), "NAME", "auto, cpu or cuda (auto)"},
    {"threads", OPTION_INTEGER, 0, AT(threads), "N", "on the CPU (all cores)"},
    {"style", OPTION_STRING, 0, AT(style), "NAME", "of a city: european or grid (european)"},
    {"size", OPTION_PAIR, LENGTH, AT(size_m), "W,D", "width and depth (city 2.4km,3.4km)"},
    {"seed", OPTION_SEED, 0, AT(seed), "N", "same seed, same bytes, on every machine (1)"},
    {"hills", OPTION_FLAG, 0, AT(hills), NULL, "a city on hilly terrain"},
    {"storeys", OPTION_INTEGER, 0, AT(storeys), "N", "of an office (1)"},
    {"storey-height", OPTION_QUANTITY, LENGTH, AT(storey_height_m), "H", "of an office (3)"},
    {"spacing", OPTION_QUANTITY, LENGTH, AT(spacing_m), "D", "between the posts of a terrain"},
    {"relief", OPTION_QUANTITY, LENGTH, AT(relief_m), "H", "from the lowest to the highest post"},
    {"layer", OPTION_STRING, 0, AT(layer), "NAME", "layer of the map (the first)"},
    {"band", OPTION_INTEGER, 0, AT(band), "N", "transmitter of the map, from 1 (1)"},
    {"range", OPTION_PAIR, RW_QUANTITY_LEVEL_DB, AT(range), "MIN,MAX", "ends of the colour scale (from the data)"},
    {"georeferenced", OPTION_FLAG, 0, AT(georeferenced), NULL, "cells alone, with a world file"},
    {"report", OPTION_STRING, 0, AT(report), "FILE", "one HTML page of it all"},
    {"storey-table", OPTION_STRING, 0, AT(storey_table), "FILE", "power by storey: .csv .gpkg"},
    {"zones", OPTION_STRING, 0, AT(zones), "FILE", "polygons: a row for each"},
    {"transmitter", OPTION_INTEGER, 0, AT(transmitter), "N", "one alone, from 1 (best of all)"},
    {"name-field", OPTION_STRING, 0, AT(name_field), "NAME", "with the zones' names"},
    {"rooms", OPTION_STRING, 0, AT(rooms), "PLAN", "floor plan: a row for each room"},
    {"weights", OPTION_STRING, 0, AT(weights), "FILE", "raster of counts, such as people"},
    {"levels", OPTION_STRING, 0, AT(levels), "A,B,...", "ranges from each to the next: -100,-90"},
    {"above", OPTION_QUANTITY, RW_QUANTITY_LEVEL_DB, AT(above), "D", "share of the cells that differ by more (10)"},
    {"view", OPTION_STRING, 0, AT(view), "A,E|top", "azimuth, elevation"},
    {"crop", OPTION_STRING, 0, AT(crop), "X0,Y0,X1,Y1", "of tiles: what is drawn"},
    {"width", OPTION_INTEGER, 0, AT(width_px), "N", "pixels across the map (chosen)"},
    {"map", OPTION_STRING, 0, AT(map), "FILE", "predicted path loss: GeoTIFF or ENVI"},
    {"measurements", OPTION_STRING, 0, AT(measurements), "FILE", "CSV with a header, or lines of x, y, [z,] value"},
    {"columns", OPTION_STRING, 0, AT(columns), "x=A,...",
     "names or numbers of x, y, value, z, route, site, device (usual names)"},
    {"quantity", OPTION_STRING, 0, AT(quantity), "NAME", "measured: path_loss (dB), power or rsrp (dBm) (path_loss)"},
    {"tx-power", OPTION_QUANTITY, RW_QUANTITY_POWER_DBM, AT(tx_power_dbm), "P",
     "for power: path loss = P - power (sites')"},
    {"resource-blocks", OPTION_INTEGER, 0, AT(resource_blocks), "N", "of rsrp: sharing the power"},
    {"offsets", OPTION_STRING, 0, AT(offsets), "A,B", "fit: site,device (none)"},
    {"heights", OPTION_STRING, 0, AT(heights), "NAME", "what z is (above_ground)"},
    {"ground-level", OPTION_QUANTITY, RW_QUANTITY_LENGTH_M, AT(ground_level_m), "H", "ends there (5m)"},
    {"skip-bad", OPTION_FLAG, 0, AT(skip_bad), NULL, "leave out bad sites, named"},
    {"folds", OPTION_INTEGER, 0, AT(folds), "N", "of cross-validation, 0 for none (5)"},
    {"average", OPTION_STRING, 0, AT(average), "NAME", "samples of a cell: db, linear (of power) or none (db)"},
    {"route", OPTION_STRING, 0, AT(route), "NAME", "only of this route (all)"},
    {"site", OPTION_STRING, 0, AT(site), "NAME", "only of this site (all)"},
    {"fit", OPTION_STRING, 0, AT(fit), "A,B", "groups to fit: street,roof,roof_count,wall,offset (not offset)"},
    {"constraints", OPTION_STRING, 0, AT(constraints), "A=B", "also <=, linear"},
    {"matrix", OPTION_STRING, 0, AT(matrix), "FILE.csv", "M x - d, path by path"},
    {"beside", OPTION_STRING, 0, AT(compared), "FILES", "parameters to compare"},
    {"holdout", OPTION_STRING, 0, AT(holdout), "WHAT", "keep out of the fit: route=NAME, site=NAME or random=0.3"},
    {"data", OPTION_STRING, 0, AT(data), "DIR", "folder with the papers' data sets"},
    {"tiny", OPTION_FLAG, 0, AT(tiny), NULL, "a tiny scene, to try the command in seconds"},
    {"limit", OPTION_INTEGER, 0, AT(limit_s), "S", "longest time of one measurement (120)"},
    {"only", OPTION_STRING, 0, AT(only), "NAME", "one group of the benchmark"},
    {"port", OPTION_INTEGER, 0, AT(port), "N", "of the server; 0: a free one (8080)"},
    {"root", OPTION_STRING, 0, AT(root), "DIR", "folder that requests read and write (the current one)"},
    {"listen", OPTION_STRING, 0, AT(listen), "ADDRESS", "for other machines; needs --token (127.0.0.1)"},
    {"token", OPTION_STRING, 0, AT(token), "TEXT", "that every request must carry"},
    {"backdrop", OPTION_STRING, 0, AT(backdrop), "URL",
     "tile server below the map: https://.../{z}/{x}/{y}.png (none)"},
    {"candidates", OPTION_STRING, 0, AT(plan.candidates), "FILE.csv",
     "sites table with site, cost, site_cost, keep (no, yes, fixed)"},
    {"azimuths", OPTION_STRING, 0, AT(plan.azimuths), "LIST", "of a sector: 0,120,240"},
    {"tilts", OPTION_STRING, 0, AT(plan.tilts), "LIST", "0,4,8 or 0:8:2"},
    {"powers", OPTION_STRING, 0, AT(plan.powers), "LIST", "in dBm: 40,43,46"},
    {"antennas", OPTION_STRING, 0, AT(plan.antennas), "LIST", "3gpp or MSI files"},
    {"objective", OPTION_STRING, 0, AT(plan.objective), "NAME",
     "coverage (weight at --level), sinr (percentile) or rate (coverage)"},
    {"percentile", OPTION_QUANTITY, RW_QUANTITY_NUMBER, AT(plan.percentile), "P", "of sinr (10)"},
    {"zone-field", OPTION_STRING, 0, AT(plan.zone_field), "NAME", "weight of each zone"},
    {"sectors", OPTION_INTEGER, 0, AT(plan.sectors), "N", "of each candidate (1)"},
    {"max-sites", OPTION_INTEGER, 0, AT(plan.sites_max), "N", "at most so many"},
    {"max-sectors", OPTION_INTEGER, 0, AT(plan.sectors_max), "N", "at most so many"},
    {"budget", OPTION_QUANTITY, RW_QUANTITY_NUMBER, AT(plan.budget), "C", "for what is new"},
    {"min-distance", OPTION_QUANTITY, LENGTH, AT(plan.distance_min_m), "D", "between sites"},
    {"rounds", OPTION_INTEGER, 0, AT(plan.rounds), "N", "of annealing (100)"},
    {"out", OPTION_STRING, 0, AT(out), "PATH", "folder or file to write"},
    {"json", OPTION_FLAG, 0, AT(json), NULL, "one JSON object, no text"},
    {"dry-run", OPTION_FLAG, 0, AT(dry_run), NULL, "the cost, no work"},
    {"time-stamp", OPTION_FLAG, 0, AT(time_stamp), NULL, "the time in files"},
    {"quiet", OPTION_FLAG, 0, AT(quiet), NULL, "no text, no progress"},
    {"allow-outside", OPTION_FLAG, 0, AT(allow_outside), NULL, "files name files anywhere"},
    {NULL, OPTION_STRING, 0, 0, NULL, NULL},
};

const struct option *find_option(const char *name)
{
    for (const struct option *option = option_table; option->name; option++)
        if (strcmp(option->name, name) == 0)
            return option;
    return NULL;
}

int accepts_option(const struct command *command, const char *name)
{
    for (const char *const *accepted = command->options; *accepted; accepted++)
        if (strcmp(*accepted, name) == 0)
            return 1;
    return 0;
}

int accepts_two_inputs(const struct command *command)
{
    return command->input && strchr(command->input, ' ') != NULL;
}

void settings_init(struct settings *settings)
{
    memset(settings, 0, sizeof *settings);
    settings->seed = 1;
    settings->band = 1;
    settings->port = 8080;
    settings->above = 10;
    settings->folds = 5;
    settings->plan = (struct plan_settings){.sectors = 1, .rounds = 100, .budget = NAN, .percentile = 10};
    settings->device = -1;                                                  /* not given */
    settings->limit_s = -1;                                                 /* not given */
    settings->freq_hz = settings->tx_power_dbm = settings->level_dbm = NAN; /* not given */
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
static int add_transmitter_option(struct call *call, const struct option *option, const char *string)
{
    struct settings *settings = &call->settings;
    const char *comma = strchr(string, ',');
    for (int i = 1; i < 3 && comma; i++)
        comma = strchr(comma + 1, ',');
    char position[256];
    size_t length = comma ? (size_t)(comma - string) : strlen(string);
    if (length >= sizeof position)
        return report_error("--tx %.60s...: expected %s", string, option->value);
    memcpy(position, string, length);
    position[length] = 0;
    struct option lengths = {option->name, OPTION_QUANTITY, RW_QUANTITY_LENGTH_M, 0, option->value, NULL};
    double values[3];
    int status = apply_quantities(call, &lengths, position, 3, values);
    if (status)
        return status;
    rw_transmitter *grown = grow_list(settings->transmitters, settings->transmitter_count, sizeof *grown);
    if (!grown)
        return report_out_of_memory("--tx");
    settings->transmitters = grown;
    rw_transmitter *transmitter = &grown[settings->transmitter_count++];
    rw_transmitter_init(transmitter);
    transmitter->x_m = values[0];
    transmitter->y_m = values[1];
    transmitter->height_m = values[2];
    char number[32];
    snprintf(number, sizeof number, "tx%zu", settings->transmitter_count);
    transmitter->name = store_string(call, comma && comma[1] ? comma + 1 : number);
    return transmitter->name ? 0 : report_out_of_memory("--tx");
}

/* X,Y[,Z] */
static int add_point_option(struct call *call, const struct option *option, const char *string)
{
    struct settings *settings = &call->settings;
    const char *comma = strchr(string, ',');
    int count = comma && strchr(comma + 1, ',') ? 3 : 2;
    struct option lengths = {option->name, OPTION_QUANTITY, RW_QUANTITY_LENGTH_M, 0, option->value, NULL};
    double values[3] = {0, 0, NAN};
    int status = apply_quantities(call, &lengths, string, count, values);
    if (status)
        return status;
    rw_point *grown = grow_list(settings->points, settings->point_count, sizeof *grown);
    if (!grown)
        return report_out_of_memory("--at");
    settings->points = grown;
    grown[settings->point_count++] =
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

int apply_option(struct call *call, const struct option *option, const char *string)
{
    void *target = (char *)&call->settings + option->at;
    uint64_t integer = 0;
    int status = 0;
    switch (option->kind) {
    case OPTION_STRING:
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
        return add_transmitter_option(call, option, string);
    case OPTION_POINT:
        return add_point_option(call, option, string);
    case OPTION_BACKEND:
        return apply_backend(option, string, target);
    }
    return 0;
}
