/* A network of sectors in parts and merged: sectors a second and what streets cost over roofs and walls, on the city
 * that the papers measured. Checked: the strongest power of every cell against rw_predict of all sectors at once.
 * bench/network.sh runs whole regions by the command line, with shares among processes and peak memory. */
#define _GNU_SOURCE /* nftw */
#include "bench/bench.h"

#include "base/memory.h"
#include "discretise/prepared.h"

#include <rasterwave/network.h>

#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char group[] = "network";

enum { MASTS = 12, SECTORS = 3 * MASTS };
#define ALLOWED_DB 0.01
#define STREETS_TARGET 3.0 /* default mechanisms over roofs and walls */

typedef struct network_bench {
    rw_context *context;
    rw_scene *scene;
    rw_predict_options options;
    rw_transmitter transmitters[SECTORS];
    char folder[256];
} network_bench;

static int remove_network_entry(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    (void)about;
    (void)kind;
    (void)where;
    return remove(path);
}

/* Three sectors a mast, half of the masts above the roofs. */
static void locate_sectors(network_bench *network, const char *city_name)
{
    rw_vec3 positions[MASTS];
    rw_bench_locate_sources(network->scene, city_name, positions, MASTS);
    for (size_t i = 0; i < SECTORS; i++) {
        rw_transmitter *of = &network->transmitters[i];
        rw_transmitter_init(of);
        of->x_m = positions[i / 3].x + network->scene->origin.x;
        of->y_m = positions[i / 3].y + network->scene->origin.y;
        of->height_m = i / 3 % 2 ? 40 : positions[i / 3].z;
        of->azimuth_deg = 120.0 * (double)(i % 3);
        of->downtilt_deg = 6;
        of->antenna = "3gpp";
        of->power_dbm = 43;
    }
    network->options.transmitters = network->transmitters;
    network->options.transmitter_count = SECTORS;
}

/* Cells whose strongest power is not that of one prediction of all sectors. */
static rw_status count_merged_differences(network_bench *network, double *different)
{
    char path[300];
    rw_map *merged = NULL, *predicted = NULL;
    rw_map_compare_options options;
    rw_map_difference found = {.size = sizeof found};
    rw_map_compare_options_init(&options);
    options.above = ALLOWED_DB;
    snprintf(path, sizeof path, "%s/strongest.tif", network->folder);
    if (access(path, R_OK) != 0)
        snprintf(path, sizeof path, "%s/strongest.bin", network->folder);
    RW_TRY(rw_map_read(network->context, path, &merged));
    rw_status status = rw_predict(network->scene, &network->options, &predicted);
    if (status == RW_OK)
        status = rw_map_compare(predicted, merged, &options, &found, NULL);
    *different =
        found.cells ? (double)(found.only_first + found.only_second) + found.fraction_above * (double)found.cells : NAN;
    rw_map_destroy(predicted);
    rw_map_destroy(merged);
    return status;
}

/* One run from nothing to merged layers. */
static rw_status time_run(network_bench *network, double *seconds)
{
    rw_network_options options;
    rw_network_report report = {.size = sizeof report};
    rw_network_options_init(&options);
    options.folder = network->folder;
    options.layers = "best,strongest,sinr";
    nftw(network->folder, remove_network_entry, 8, FTW_DEPTH | FTW_PHYS);
    double start_s = rw_seconds();
    RW_TRY(rw_network_run(network->context, network->scene, &network->options, &options, &report));
    RW_TRY(rw_network_merge(network->context, &options, &report));
    *seconds = rw_seconds() - start_s;
    return RW_OK;
}

static rw_status bench_network_runs(const rw_bench *bench, network_bench *network, const char *city_name)
{
    double all_s, few_s, different, different_few;
    network->options.effects = "roofs,walls";
    RW_TRY(time_run(network, &few_s)); /* the scene and the device are made ready */
    RW_TRY(time_run(network, &few_s));
    RW_TRY(count_merged_differences(network, &different_few));
    network->options.effects = NULL;
    RW_TRY(time_run(network, &all_s));
    RW_TRY(count_merged_differences(network, &different));
    char name[64], note[160];
    const rw_bench checked =
        rw_bench_checked(bench, (rw_bench_check){"rw_predict", different + different_few, 0, "cells"});
    snprintf(note, sizeof note, "%s at 10 m, %d sectors, parts and merged layers", city_name, SECTORS);
    snprintf(name, sizeof name, "default mechanisms, %s", rw_context_backend(network->context));
    rw_bench_add_result(&checked, group, name, SECTORS / all_s, "sectors/s", NAN, NAN, note);
    snprintf(name, sizeof name, "roofs and walls, %s", rw_context_backend(network->context));
    rw_bench_add_result(&checked, group, name, SECTORS / few_s, "sectors/s", NAN, NAN, note);
    snprintf(name, sizeof name, "default over roofs and walls, %s", rw_context_backend(network->context));
    rw_bench_add_result(&checked, group, name, all_s / few_s, "times", NAN, STREETS_TARGET, note);
    return RW_OK;
}

static rw_status bench_network_on_backend(const rw_bench *bench, rw_context *context)
{
    const char *city_name, *temporary = getenv("TMPDIR");
    network_bench network = {.context = context};
    rw_predict_options_init_for(&network.options, "shadow");
    network.options.layers = "strongest";
    network.options.res_m = 10;
    snprintf(network.folder, sizeof network.folder, "%.200s/rasterwave-network-XXXXXX", temporary ? temporary : "/tmp");
    if (!mkdtemp(network.folder))
        return rw_fail(context, RW_NOT_WRITABLE, "%s: a folder cannot be made there", temporary ? temporary : "/tmp");
    rw_status status = rw_bench_city(bench, context, &network.scene, &city_name);
    if (status == RW_OK) {
        locate_sectors(&network, city_name);
        status = bench_network_runs(bench, &network, city_name);
        rw_scene_destroy(network.scene);
    }
    nftw(network.folder, remove_network_entry, 8, FTW_DEPTH | FTW_PHYS);
    return status;
}

rw_status rw_bench_network(const rw_bench *bench)
{
    return rw_bench_wants(bench, group, group) ? rw_bench_each_backend(bench, bench_network_on_backend) : RW_OK;
}
