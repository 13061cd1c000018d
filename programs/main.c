/* The program rasterwave: finds the command, reads its options, runs it. */
#include "cli/options.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const predict_options[] = {"scene",
                                              "tx",
                                              "model",
                                              "sites",
                                              "tiles",
                                              "level",
                                              "materials",
                                              "beam-outlines",
                                              "diffraction-sources",
                                              "backend",
                                              "threads",
                                              "terrain",
                                              "out",
                                              "json",
                                              "quiet",
                                              "dry-run",
                                              "time-stamp",
                                              "report",
                                              "zones",
                                              "storey-table",
                                              "+help options",
                                              "name-field",
                                              "weights",
                                              "foliage",
                                              "crs",
                                              "height-field",
                                              "allow-outside",
                                              "height-unit",
                                              "points-crs",
                                              "to-crs",
                                              "skip-bad",
                                              "tx-polarisation",
                                              NULL};
static const struct command predict = {
    "predict",
    "radio map of a scene",
    NULL,
    predict_options,
    RW_OPTION_OF_PREDICT,
    {"rasterwave predict --scene city:grid:size=600m,600m --tx 300,300,10 --out out/grid",
     "rasterwave predict --scene city:european --tx 1200,1700,60 --effects roofs,walls --res 10 --out eu"},
    command_predict,
    NULL};

static const char *const plan_options[] = {"scene",       "candidates",    "objective",     "level",       "azimuths",
                                           "tilts",       "powers",        "antennas",      "sectors",     "max-sites",
                                           "max-sectors", "budget",        "min-distance",  "report",      "out",
                                           "json",        "+help options", "weights",       "zones",       "zone-field",
                                           "percentile",  "rounds",        "seed",          "skip-bad",    "+predict",
                                           "quiet",       "dry-run",       "model",         "terrain",     "foliage",
                                           "materials",   "crs",           "height-field",  "height-unit", "points-crs",
                                           "backend",     "threads",       "allow-outside", "time-stamp",  NULL};
static const struct command plan = {
    "plan",
    "which sites to build and what to put on them",
    NULL,
    plan_options,
    RW_OPTION_OF_PREDICT,
    {"rasterwave plan --scene city:grid --candidates masts.csv --level -90 --max-sites 5 --tilts 0,5",
     "rasterwave plan --scene office --model images --candidates aps.csv --objective rate --max-sites 2"},
    command_plan,
    NULL};

static const char *const generate_options[] = {"style",   "size",   "seed", "hills", "storeys", "storey-height",
                                               "spacing", "relief", "out",  "json",  "quiet",   NULL};
static const struct command generate = {"generate",
                                        "a scene from a seed, as .gpkg or .geojson",
                                        "city|office|terrain",
                                        generate_options,
                                        0,
                                        {"rasterwave generate city --size 1km,1km --seed 7 --hills --out city.gpkg",
                                         "rasterwave generate office --storeys 2 --out office.gpkg"},
                                        command_generate,
                                        NULL};

static const char *const import_options[] = {
    "scene",       "format",         "terrain", "foliage", "materials", "crs",           "height-field",
    "height-unit", "default-height", "out",     "json",    "quiet",     "allow-outside", NULL};
static const struct command import = {"import",
                                      "any GIS or mesh source to a GeoPackage scene",
                                      "FILE",
                                      import_options,
                                      0,
                                      {"rasterwave import city:grid:size=600m,600m --out grid.gpkg",
                                       "rasterwave import grid.gpkg --terrain flat --out flat.gpkg"},
                                      command_import,
                                      NULL};

static const char *const render_options[] = {
    "layer",         "band",       "range",        "width",       "view",     "crop",  "scene",
    "terrain",       "crs",        "height-field", "height-unit", "tx",       "sites", "georeferenced",
    "measurements",  "columns",    "at",           "freq",        "out",      "json",  "quiet",
    "allow-outside", "time-stamp", "+predict",     "points-crs",  "skip-bad", NULL};
static const struct command render = {
    "render",
    "picture (PNG) of a map, a folder's --layer, tiles.ply, delays.h5 --at, or --scene",
    "MAP",
    render_options,
    0,
    {"rasterwave predict --scene city:grid:size=600m,600m --tx 300,300,10 --out out/grid",
     "rasterwave render out/grid --layer path_loss --range 60,120 --out path_loss.png"},
    command_render,
    NULL};

static const char *const polygon_options[] = {"layer", "band", "levels", "out", "json", "quiet", "allow-outside", NULL};
static const struct command polygons = {
    "polygons",
    "areas of a map: best servers, ranges of --levels",
    "MAP",
    polygon_options,
    0,
    {"rasterwave polygons out/city --layer best --out servers.gpkg",
     "rasterwave polygons out/city --layer power --levels -100,-90,-80 --out coverage.kmz"},
    command_polygons,
    NULL};

static const char *const statistics_options[] = {"zones", "name-field", "rooms",         "weights",
                                                 "level", "layer",      "transmitter",   "out",
                                                 "json",  "quiet",      "allow-outside", NULL};
static const struct command statistics = {
    "statistics",
    "levels and coverage of a map by --zones and --weights (people)",
    "MAP",
    statistics_options,
    0,
    {"rasterwave statistics out/city --layer power --level -90 --zones districts.gpkg",
     "rasterwave statistics out/city --layer sinr --level 0 --weights population.tif --out zones.csv"},
    command_statistics,
    NULL};

static const char *const compare_options[] = {"layer", "band",    "above", "range",         "width",
                                              "scene", "terrain", "crs",   "height-field",  "height-unit",
                                              "out",   "json",    "quiet", "allow-outside", NULL};
static const struct command compare = {
    "compare",
    "how far one map is from another, in numbers and as a picture",
    "MAP MAP",
    compare_options,
    0,
    {"rasterwave compare out/images out/sbr", "rasterwave compare a.tif b.tif --above 3dB --out difference.png"},
    command_compare,
    NULL};

static const char *const info_options[] = {
    "scene",          "csr",  "at",    "band",          "format",     "terrain", "crs", "height-field", "height-unit",
    "default-height", "json", "quiet", "allow-outside", "points-crs", NULL};
static const struct command info = {
    "info",
    "what is in a scene, map, database; values --at X,Y",
    "FILE",
    info_options,
    0,
    {"rasterwave info --scene city:european:seed=1", "rasterwave info office:storeys=2 --json"},
    command_info,
    NULL};

static const char *const evaluate_options[] = {
    "map",        "scene",       "tx",           "sites",           "model",    "measurements",
    "columns",    "quantity",    "tx-power",     "resource-blocks", "skip-bad", "average",
    "route",      "site",        "heights",      "ground-level",    "out",      "json",
    "quiet",      "offsets",     "+render",      "layer",           "band",     "allow-outside",
    "time-stamp", "height-unit", "points-crs",   "+predict",        "terrain",  "foliage",
    "materials",  "crs",         "height-field", "backend",         "threads",  "dry-run",
    NULL};
static const struct command evaluate = {
    "evaluate",
    "map or model against measurements: errors and plots",
    NULL,
    evaluate_options,
    RW_OPTION_OF_EVALUATE,
    {"rasterwave evaluate --map out/city/path_loss.tif --measurements route.csv --out out/errors",
     "rasterwave evaluate --scene city:grid:size=600m,600m --tx 300,300,10 --measurements route.csv"},
    command_evaluate,
    NULL};

static const char *const calibrate_options[] = {"scene",         "tx",
                                                "sites",         "model",
                                                "measurements",  "columns",
                                                "quantity",      "fit",
                                                "holdout",       "folds",
                                                "seed",          "constraints",
                                                "matrix",        "beside",
                                                "out",           "json",
                                                "quiet",         "+evaluate",
                                                "tx-power",      "resource-blocks",
                                                "offsets",       "heights",
                                                "skip-bad",      "average",
                                                "materials",     "+evaluate and paths",
                                                "route",         "site",
                                                "plot",          "dry-run",
                                                "time-stamp",    "height-unit",
                                                "points-crs",    "+predict",
                                                "terrain",       "foliage",
                                                "crs",           "height-field",
                                                "backend",       "threads",
                                                "allow-outside", NULL};
static const struct command calibrate = {
    "calibrate",
    "parameters of a model from measurements, as a JSON file",
    NULL,
    calibrate_options,
    RW_OPTION_OF_EVALUATE,
    {"rasterwave calibrate --scene city:grid:size=600m,600m --tx 300,300,10 --measurements route.csv",
     "rasterwave calibrate --scene c.gpkg --sites sites.csv --measurements all.csv --holdout route=b"},
    command_calibrate,
    NULL};

static const char *const preprocess_options[] = {
    "scene",   "terrain", "crs", "height-field", "height-unit", "points-crs",    "model",   "backend",
    "threads", "csr",     "out", "json",         "quiet",       "allow-outside", "dry-run", NULL};
static const struct command preprocess = {
    "preprocess",
    "database of what sees what: corners (shadow) or tiles",
    NULL,
    preprocess_options,
    RW_OPTION_OF_PREPROCESS,
    {"rasterwave preprocess --scene city:european:seed=1:size=500m,500m --out city.rwdb",
     "rasterwave preprocess --scene city:grid:size=600m,600m --model tiles --out grid.rwdb"},
    command_preprocess,
    NULL};

static const char *const paths_options[] = {"scene",
                                            "materials",
                                            "tx",
                                            "sites",
                                            "at",
                                            "points",
                                            "model",
                                            "plot",
                                            "rx-array",
                                            "tx-array",
                                            "bandwidth",
                                            "out",
                                            "json",
                                            "quiet",
                                            "dry-run",
                                            "time-stamp",
                                            "+help options",
                                            "tx-polarisation",
                                            "speed",
                                            "frequencies",
                                            "views",
                                            "profile",
                                            "+predict",
                                            "terrain",
                                            "foliage",
                                            "crs",
                                            "height-field",
                                            "height-unit",
                                            "points-crs",
                                            "to-crs",
                                            "skip-bad",
                                            "backend",
                                            "threads",
                                            "allow-outside",
                                            NULL};
static const struct command paths = {
    "paths",
    "ways of waves to points: corners, angles, losses",
    NULL,
    paths_options,
    RW_OPTION_OF_TRACE,
    {"rasterwave paths --scene city:grid:size=600m,600m --tx 300,300,10 --at 150,290 --at 420,130,2",
     "rasterwave paths --scene city:european:size=500m,500m --tx 250,250,40 --at 90,300 --out a.geojson"},
    command_paths,
    NULL};

static const char *const network_options[] = {"scene",         "tx",
                                              "model",         "layers",
                                              "shard",         "sites",
                                              "level",         "per-site",
                                              "centi-db",      "terrain",
                                              "out",           "backend",
                                              "threads",       "json",
                                              "quiet",         "dry-run",
                                              "skip-bad",      "+help options",
                                              "block-cells",   "group-sites",
                                              "parts-only",    "by-blocks",
                                              "margin",        "device",
                                              "+predict",      "foliage",
                                              "materials",     "crs",
                                              "height-field",  "height-unit",
                                              "points-crs",    "tx-polarisation",
                                              "allow-outside", NULL};
static const struct command network = {
    "network",
    "many sites over a region, in parts, on many machines; merge: its parts",
    NULL,
    network_options,
    RW_OPTION_OF_PREDICT,
    {"rasterwave network --scene city:grid:size=600m,600m --sites sites.csv --radius 2km --out net",
     "rasterwave network --scene c.gpkg --sites sites.csv --level -110dBm --shard 2/8 --out net"},
    command_network,
    NULL};

static const char *const merge_options[] = {"layers", "centi-db", "out", "json", "quiet", "allow-outside", NULL};
static const struct command merge = {"merge",
                                     "puts the parts of a network together: rasters of its layers",
                                     "FOLDER",
                                     merge_options,
                                     0,
                                     {"rasterwave merge net", "rasterwave merge net --layers best,sinr,servers"},
                                     command_merge,
                                     NULL};

static const char *const bench_options[] = {"only",  "data",   "backend", "threads", "json",
                                            "quiet", "+paths", "plot",    NULL};
static const struct command bench = {"bench",
                                     "what this machine does, beside the papers' tables",
                                     NULL,
                                     bench_options,
                                     0,
                                     {"rasterwave bench --only los", "rasterwave bench --only los --threads 1 --json"},
                                     command_bench,
                                     NULL};

static const char *const reproduce_options[] = {"data", "limit", "tiny",  "backend", "threads",
                                                "out",  "json",  "quiet", NULL};
static const struct command reproduce = {
    "reproduce",
    "a paper's tables and figures beside its numbers, as a page",
    "shadow|images|beams|cubes|tiles",
    reproduce_options,
    0,
    {"rasterwave reproduce shadow --tiny --out pages", "rasterwave reproduce shadow --data data --out pages"},
    command_reproduce,
    NULL};

static const char *const serve_options[] = {"scene",   "root",      "port", "listen",       "token",       "backdrop",
                                            "backend", "threads",   "json", "quiet",        "+predict",    "terrain",
                                            "foliage", "materials", "crs",  "height-field", "height-unit", NULL};
static const struct command serve = {
    "serve",
    "the engine as a page in the browser, and over HTTP",
    NULL,
    serve_options,
    0,
    {"rasterwave serve --scene city:european:seed=1", "rasterwave serve --scene city.gpkg --port 8080 --root plans"},
    command_serve,
    NULL};

static const struct command calc = {.name = "calc",
                                    .summary = "one number: free space, material, slab, knife edge, wedge, two rays",
                                    .run_raw = command_calc};

const struct command *const commands[] = {
    &predict,    &network, &merge,    &plan,      &paths, &preprocess, &generate,  &import, &render, &polygons,
    &statistics, &compare, &evaluate, &calibrate, &info,  &bench,      &reproduce, &calc,   &serve,  NULL};

const struct command *find_command(const char *name)
{
    for (const struct command *const *command = commands; *command; command++)
        if (strcmp((*command)->name, name) == 0)
            return *command;
    return NULL;
}

static int report_unknown_command(const char *name)
{
    const char *names[32] = {0};
    for (size_t i = 0; commands[i]; i++)
        names[i] = commands[i]->name;
    const char *nearest = nearest_name(name, names);
    if (nearest)
        return report_error("there is no command '%s'; did you mean '%s'?", name, nearest);
    return report_error("there is no command '%s'; see rasterwave --help", name);
}

static int print_version(void)
{
    const char *feature = rw_build_features();
    printf("rasterwave %s\n", rw_version());
    if (!*feature)
        puts("  no optional libraries");
    while (*feature) {
        size_t length = strcspn(feature, "|");
        printf("  %.*s\n", (int)length, feature);
        feature += length + (feature[length] != 0);
    }
    return 0;
}

void end_call(struct call *call)
{
    rw_context_destroy(call->context);
    for (size_t i = 0; i < call->string_count; i++)
        free(call->strings[i]);
    free(call->strings);
    free(call->argument);
    for (size_t i = 0; i < call->warning_count; i++)
        free(call->warnings[i]);
    free(call->settings.transmitters);
    free(call->skipped);
    free(call->settings.points);
}

/* Options are read with a plain context; only then is it known which backend is wanted. */
static int start_context(struct call *call, int with_settings)
{
    rw_context_options options;
    rw_context_options_init(&options);
    options.backend = with_settings ? call->settings.backend : RW_BACKEND_CPU;
    options.threads = call->settings.threads;
    options.allow_outside = call->settings.allow_outside;
    options.on_warning = on_warning;
    options.on_progress = on_progress;
    options.user = call;
    rw_context_destroy(call->context);
    rw_status status = rw_context_create(&options, &call->context);
    return status == RW_OK ? 0 : report_status(call, status);
}

static int run_command(const struct command *command, int argc, char **argv)
{
    struct call call = {.command = command};
    settings_init(&call.settings);
    for (int i = 0; i < argc; i++)
        if (strcmp(argv[i], "--json") == 0 || strcmp(argv[i], "--json=true") == 0)
            print_errors_as_json(1);
    int exit_status = start_context(&call, 0);
    if (!exit_status)
        exit_status = read_arguments(&call, argc, argv);
    if (!exit_status && accepts_option(command, "device"))
        choose_device(&call);
    if (!exit_status && (accepts_option(command, "backend") || call.settings.threads || call.settings.allow_outside))
        exit_status = start_context(&call, 1);
    if (!exit_status)
        exit_status = set_provenance(&call, NULL);
    if (!exit_status)
        exit_status = command->run(&call);
    if (!exit_status)
        print_warnings(&call);
    end_call(&call);
    return exit_status;
}

static int wants_help(int argc, char **argv)
{
    for (int i = 0; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return 1;
    return 0;
}

/* --help, with --model NAME the options of that model, as text or JSON. */
static int print_command_help(const struct command *command, int argc, char **argv)
{
    const char *model = NULL;
    int json = 0;
    for (int i = 0; i < argc; i++) {
        struct option_argument parsed;
        if (strncmp(argv[i], "--", 2) != 0 || split_option(argc, argv, &i, &parsed))
            continue;
        if (strcmp(parsed.name, "model") == 0 && parsed.string)
            model = parsed.string;
        json |= strcmp(parsed.name, "json") == 0;
    }
    if (!command->calls || (!model && !json)) {
        print_help(command);
        return 0;
    }
    model = model ? model : "shadow";
    if (rw_model_option_count(model) == 0)
        return report_error("there is no model '%s'; see rasterwave %s --help", model, command->name);
    print_model_help(command, model, json);
    return 0;
}

static int run_project(int argc, char **argv)
{
    char name[64];
    int exit_status = read_project_command(argv[0], name, sizeof name);
    if (exit_status)
        return exit_status;
    const struct command *command = find_command(name);
    if (!command || !command->run)
        return report_unknown_command(name);
    return run_command(command, argc, argv);
}

static int run_command_line(int argc, char **argv)
{
    const char *first = argv[1];
    if (strcmp(first, "--version") == 0)
        return print_version();
    const struct command *command = find_command(strcmp(first, "help") == 0 && argc > 2 ? argv[2] : first);
    if (strcmp(first, "help") == 0 && command && command->options) {
        print_help(command);
        return 0;
    }
    if (strcmp(first, "help") == 0 && argc > 2 && strcmp(argv[2], "options") == 0) {
        print_all_options();
        return 0;
    }
    if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0 || strcmp(first, "help") == 0) {
        print_overview();
        return 0;
    }
    if (is_project(first))
        return run_project(argc - 1, argv + 1);
    if (!command)
        return report_unknown_command(first);
    if (command->run_raw)
        return command->run_raw(argc - 1, argv + 1);
    if (wants_help(argc - 2, argv + 2))
        return print_command_help(command, argc - 2, argv + 2);
    return run_command(command, argc - 2, argv + 2);
}

/* What was printed must have arrived, also where nothing else failed. */
static int end_output(int exit_status)
{
    int failed = ferror(stdout);
    if (exit_status || (fflush(stdout) == 0 && !failed))
        return exit_status;
    report_error("standard output cannot be written");
    return 1;
}

int main(int argc, char **argv)
{
    /* A file that grows beyond a limit, or a reader that goes away, is an error of writing, not the end of the process.
     */
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    catch_interrupts();
    if (argc < 2) {
        report_error("which command? see rasterwave --help");
        return 2;
    }
    return end_output(run_command_line(argc, argv));
}
