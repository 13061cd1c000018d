/* The database of tiles: made in bands of rows that go to the file as they are ready, loaded, described. */
#include "base/memory.h"
#include "base/options.h"
#include "base/progress.h"
#include "discretise/identity.h"
#include "models/tiles/database/database.h"
#include "models/tiles/tiles.h"
#include "visibility/tiles/tile_sight.k.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TILE_BYTES 200.0 /* of a tile, its edges and its eye */

static rw_tile_options tile_options(const rw_preprocess_options *options)
{
    return rw_tiling_options(rw_tiling_requested(options->tile_area_m2, options->tile_quarter, options->tile_min_m,
                                                 options->tile_min_m2, options->tile_shape));
}

static rw_status write_rows(rw_tile_scan *scan, rw_tile_file_writer *writer)
{
    uint32_t count = writer->subject.tile_count;
    rw_status status = RW_OK;
    while (writer->next_tile < count && status == RW_OK) {
        rw_tile_half half = {.first_tile = writer->next_tile};
        uint32_t rest = count - writer->next_tile, rows = rest < scan->band_rows ? rest : scan->band_rows;
        status = rw_tile_scan_band(scan, writer->next_tile, rows, &half);
        if (status == RW_OK)
            status = rw_tile_file_append(writer, &half);
        rw_tile_half_free(&half);
        double rest_fraction = 1 - (double)writer->next_tile / (double)count; /* rows get shorter */
        if (status == RW_OK)
            status = rw_progress(scan->context, 1 - rest_fraction * rest_fraction, "tiles");
    }
    return status;
}

static rw_status fill_file(const rw_scene *scene, const rw_tiles *tiles, const rw_preprocess_options *options,
                           const rw_tile_identity *identity, rw_tile_file_writer *writer)
{
    rw_tile_change change = {0};
    rw_tile_scan scan;
    RW_TRY(rw_tile_scan_create(scene, tiles, RW_TILES_FAST, rw_option_or(options->memory_bytes, 0), &scan));
    rw_status status = RW_OK;
    if (options->update) {
        status = rw_tile_change_find(scene, identity, options->update, &change);
        if (status == RW_OK)
            status = rw_tile_scan_set_change(&scan, &change);
    }
    if (status == RW_OK)
        status = write_rows(&scan, writer);
    rw_tile_scan_destroy(&scan);
    rw_tile_change_free(&change);
    return status;
}

static rw_status make_file(const rw_scene *scene, const rw_tiles *tiles, const rw_preprocess_options *options,
                           const char *path)
{
    rw_tile_identity identity;
    rw_tile_file_writer writer;
    RW_TRY(rw_tile_identity_compute(scene, tiles, &identity));
    rw_status status = rw_tile_file_begin(scene->context, path, &identity, &writer);
    if (status == RW_OK) {
        status = fill_file(scene, tiles, options, &identity, &writer);
        if (status == RW_OK)
            status = rw_tile_file_commit(&writer);
        else
            rw_tile_file_leave(&writer);
    }
    rw_tile_identity_free(&identity);
    return status;
}

/* Tiles that memory cannot hold are refused before they are made. */
static rw_status check_tiles(const rw_scene *scene, const rw_tile_options *wanted)
{
    return rw_memory_check(scene->context, TILE_BYTES * rw_tiles_estimate(scene, wanted), "tiles of this tile-area");
}

static rw_status make_tile_database(const rw_scene *scene, const rw_preprocess_options *options, const char *path)
{
    rw_tile_options wanted = tile_options(options);
    rw_tiles tiles;
    if (options->update)
        RW_TRY(rw_tile_change_check(scene, options->update));
    RW_TRY(check_tiles(scene, &wanted));
    RW_TRY(rw_tiles_create(scene, &wanted, &tiles));
    rw_status status = make_file(scene, &tiles, options, path);
    rw_tiles_destroy(&tiles);
    return status;
}

static rw_tile_options tile_options_of_subject(const rw_tile_subject *subject)
{
    rw_tile_options options;
    rw_tile_options_init(&options);
    options.area_m2 = subject->area_m2;
    options.min_m = subject->min_m;
    options.min_m2 = subject->min_m2;
    options.border_quarter = (int)subject->border_quarter;
    options.triangles = subject->triangles == 1;
    if (!*subject->ground)
        options.ground = NULL;
    return options;
}

/* Makes the tiles that the file was made of, and sees whether they are the same. */
static rw_status recreate_tiles(const rw_scene *scene, const rw_tile_file *file, rw_tiles *tiles)
{
    rw_tile_options options = tile_options_of_subject(&file->subject);
    rw_tile_identity identity;
    double max_tiles = 16.0 * file->subject.tile_count + 1e5;
    if (!(rw_tiles_estimate(scene, &options) < max_tiles)) /* far more tiles than the file has keys */
        return rw_container_damaged(&file->container, "subject");
    RW_TRY(rw_tiles_create(scene, &options, tiles));
    RW_TRY(rw_tile_identity_compute(scene, tiles, &identity));
    int same = memcmp(&identity.subject, &file->subject, sizeof file->subject) == 0;
    rw_tile_identity_free(&identity);
    return same ? RW_OK : rw_container_damaged(&file->container, "subject");
}

static rw_status load_tile_file(const rw_scene *scene, rw_tile_file *file, rw_tile_database *database)
{
    rw_tile_half half;
    RW_TRY(rw_container_check_scene(&file->container, rw_scene_identity(scene)));
    RW_TRY(recreate_tiles(scene, file, &database->tiles));
    RW_TRY(rw_tile_file_read(file, &half));
    rw_status status = rw_tile_sight_complete(scene->context, &half, &database->sight);
    rw_tile_half_free(&half);
    if (status == RW_OK)
        database->entry_count = rw_tile_sight_entries(&database->sight);
    return status;
}

static rw_status load_tile_database(const rw_scene *scene, const char *path, rw_database *database)
{
    rw_tile_file file;
    rw_tile_database *content;
    RW_TRY(rw_array_create(scene->context, 1, sizeof *content, "the database", &content));
    database->content = content;
    RW_TRY(rw_tile_file_open(scene->context, path, &file));
    database->bytes = (double)file.container.size;
    rw_status status = load_tile_file(scene, &file, content);
    rw_tile_file_close(&file);
    return status;
}

static void destroy_tile_database(void *value)
{
    rw_tile_database *content = value;
    rw_tile_sight_destroy(&content->sight);
    rw_tiles_destroy(&content->tiles);
    free(content);
}

const rw_tile_database *rw_tile_database_of(const rw_database *database)
{
    return database->content;
}

static void set_tile_info(const rw_tile_subject *subject, uint64_t entries, double bytes, rw_database_info *info)
{
    *info = (rw_database_info){.size = sizeof *info,
                               .model = "tiles",
                               .tiles = subject->tile_count,
                               .entries = entries,
                               .tile_area_m2 = subject->area_m2,
                               .bytes = bytes};
}

static rw_status read_tile_info(rw_context *context, const char *path, rw_database_info *info)
{
    rw_tile_file file;
    rw_tile_half half;
    RW_TRY(rw_tile_file_open(context, path, &file));
    rw_status status = rw_tile_file_read(&file, &half); /* damaged rows are told here too */
    if (status == RW_OK) {
        uint64_t entries = 0;
        for (size_t i = 0; i < half.masks.count; i++)
            entries += 2 * rw_bit_count(half.masks.items[i]);
        set_tile_info(&file.subject, entries, (double)file.container.size, info);
        rw_tile_half_free(&half);
    }
    rw_tile_file_close(&file);
    return status;
}

static void get_tile_info(const rw_database *database, rw_database_info *info)
{
    const rw_tile_database *content = database->content;
    rw_tile_subject subject = {.tile_count = content->tiles.view.tile_count, .area_m2 = content->tiles.options.area_m2};
    set_tile_info(&subject, content->entry_count, database->bytes, info);
    info->edges = content->tiles.view.edge_count;
}

/* Rows of a few blocks, evenly over the scene, asked against everything after them: what they take and see is what the
 * others do, by their share of all pairs. */
static rw_status sample_tile_rows(rw_tile_scan *scan, double *seconds, double *bytes, double *words)
{
    const uint32_t count = scan->geometry.view.tile_count, hundredth = scan->geometry.view.block_count / 100;
    const uint32_t samples = hundredth < 12 ? 12 : hundredth > 40 ? 40 : hundredth;
    rw_tile_bytes code = {0};
    double pairs = 0, all = 0.5 * (double)count * (double)count, start_s = rw_seconds();
    *words = 0;
    rw_status status = RW_OK;
    for (uint32_t i = 0; i < samples && status == RW_OK; i++) {
        uint32_t first = (uint32_t)((uint64_t)count * (2 * i + 1) / (2 * samples)) / RW_TILE_BLOCK * RW_TILE_BLOCK;
        uint32_t rows = count - first < RW_TILE_BLOCK ? count - first : RW_TILE_BLOCK;
        rw_tile_half half = {.first_tile = first};
        status = rw_tile_scan_band(scan, first, rows, &half);
        if (status == RW_OK)
            status = rw_tile_rows_encode(scan->context, &half, 0, rows, &code);
        *words += (double)half.blocks.count;
        pairs += (double)rows * (double)(count - first);
        rw_tile_half_free(&half);
    }
    *seconds = (rw_seconds() - start_s) * all / pairs;
    *bytes = (double)code.count * all / pairs + 8.0 * count;
    *words *= all / pairs;
    free(code.items);
    return status;
}

/* More tiles are not cut to say what they would cost: the answer would come after seconds, and after gigabytes. */
#define CUT_TILES_MAX 40000.0

/* Of a tile that sees another, with its neighbours in one mask; what a mask takes in the file. */
#define PAIRS_A_MASK 6.0
#define MASK_FILE_BYTES 1.0

/* Bands of the size that a scan would take. */
static void estimate_uncut(const rw_scene *scene, double tiles, rw_preprocess_estimate *estimate)
{
    double core_seconds, seen, masks;
    int gpu = scene->context->backend == RW_BACKEND_CUDA;
    rw_tiles_estimate_pairs(scene, tiles, &core_seconds, &seen);
    masks = 0.5 * seen * tiles * tiles / PAIRS_A_MASK;
    estimate->tiles = (size_t)tiles;
    estimate->pairs = 0.5 * tiles * (tiles - 1);
    estimate->seconds = core_seconds / scene->context->threads;
    estimate->file_bytes = MASK_FILE_BYTES * masks + 8 * tiles;
    estimate->bands = 1 + (size_t)(tiles / CUT_TILES_MAX);
    double working = tiles * (sizeof(rw_tile_horizon) + sizeof(rw_tile_eye)) + 8 * masks / (double)estimate->bands;
    estimate->memory_bytes = TILE_BYTES * tiles + (gpu ? 0 : working);
    estimate->device_bytes = gpu ? working : 0;
}

static rw_status estimate_tiles(const rw_scene *scene, const rw_preprocess_options *options,
                                rw_preprocess_estimate *estimate)
{
    rw_tile_options wanted = tile_options(options);
    rw_tiles tiles;
    rw_tile_scan scan;
    double words = 0;
    if (options->update)
        RW_TRY(rw_tile_change_check(scene, options->update));
    RW_TRY(check_tiles(scene, &wanted));
    double expected = rw_tiles_estimate(scene, &wanted);
    if (expected > CUT_TILES_MAX) {
        estimate_uncut(scene, expected, estimate);
        return RW_OK;
    }
    RW_TRY(rw_tiles_create(scene, &wanted, &tiles));
    rw_status status = rw_tile_scan_create(scene, &tiles, RW_TILES_FAST, rw_option_or(options->memory_bytes, 0), &scan);
    if (status == RW_OK) {
        status = sample_tile_rows(&scan, &estimate->seconds, &estimate->file_bytes, &words);
        estimate->tiles = tiles.view.tile_count;
        estimate->pairs = 0.5 * (double)estimate->tiles * (double)(estimate->tiles - 1);
        estimate->bands = (estimate->tiles + scan.band_rows - 1) / scan.band_rows;
        double working = 4.0 * (double)scan.band_rows * (double)scan.geometry.view.block_count;
        working += (double)estimate->tiles *
                   (sizeof(rw_tile_horizon) + sizeof(rw_tile_eye) + sizeof(rw_tile_block) / (double)RW_TILE_BLOCK);
        double band_words = 8.0 * words / (double)estimate->bands;
        int gpu = scene->context->backend == RW_BACKEND_CUDA;
        estimate->memory_bytes = TILE_BYTES * (double)estimate->tiles + 2 * band_words + (gpu ? 0 : working);
        estimate->device_bytes = gpu ? working + band_words : 0;
        rw_tile_scan_destroy(&scan);
    }
    rw_tiles_destroy(&tiles);
    return status;
}

const rw_database_calls rw_tile_database_calls = {.file = &rw_tile_database_kind,
                                                  .make = make_tile_database,
                                                  .estimate = estimate_tiles,
                                                  .load = load_tile_database,
                                                  .destroy = destroy_tile_database,
                                                  .get_info = get_tile_info,
                                                  .read_info = read_tile_info};
