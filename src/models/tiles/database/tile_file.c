#include "models/tiles/database/database.h"

#include "base/memory.h"
#include "base/range.h"

#include <stdlib.h>
#include <string.h>

const rw_container_kind rw_tile_database_kind = {.name = "tile database",
                                                 .model = "tiles",
                                                 .version = 2,
                                                 .again = "make it again with preprocess, model tiles",
                                                 .other = "preprocess makes one for model tiles"};

/* Rows of the band that starts with a tile. */
static uint32_t band_rows(const rw_tile_subject *subject, uint32_t first_tile)
{
    uint32_t rest = subject->tile_count - first_tile;
    return rest < subject->band_rows ? rest : subject->band_rows;
}

/* Takes over the next band that an earlier run left, where it is undamaged and its rows are sound. */
static rw_status resume_band(rw_tile_file_writer *writer, int *resumed)
{
    const rw_tile_subject *subject = &writer->subject;
    rw_tile_half half = {.first_tile = writer->next_tile};
    uint32_t rows = band_rows(subject, writer->next_tile);
    unsigned char *code;
    size_t size;
    *resumed = 0;
    RW_TRY(rw_container_left(&writer->file, "rows", writer->next_tile / subject->band_rows, 1, &code, &size));
    if (!code)
        return RW_OK;
    rw_status status = rw_tile_rows_decode(writer->file.context, code, size, rows, subject->tile_count, &half, resumed);
    rw_tile_half_free(&half);
    free(code);
    if (status == RW_OK && *resumed) {
        rw_container_accept(&writer->file);
        writer->next_tile += rows;
    }
    return status;
}

static rw_status resume_bands(rw_tile_file_writer *writer)
{
    int resumed = 1;
    while (resumed && writer->next_tile < writer->subject.tile_count)
        RW_TRY(resume_band(writer, &resumed));
    return RW_OK;
}

static rw_status begin_tile_sections(rw_tile_file_writer *writer, const rw_tile_identity *identity)
{
    const rw_tile_subject *subject = &writer->subject;
    RW_TRY(rw_container_write(&writer->file, "subject", 0, sizeof *subject, 1, subject));
    RW_TRY(rw_container_write(&writer->file, "keys", 0, sizeof *identity->keys, subject->tile_count, identity->keys));
    RW_TRY(rw_container_write(&writer->file, "obstacles", 0, sizeof *identity->obstacles,
                              (size_t)subject->obstacle_count, identity->obstacles));
    return resume_bands(writer);
}

rw_status rw_tile_file_begin(rw_context *context, const char *path, const rw_tile_identity *identity,
                             rw_tile_file_writer *writer)
{
    *writer = (rw_tile_file_writer){.subject = identity->subject};
    RW_TRY(rw_container_begin(context, path, &rw_tile_database_kind, identity->scene, 1, &writer->file));
    rw_status status = begin_tile_sections(writer, identity);
    if (status != RW_OK)
        rw_tile_file_leave(writer);
    return status;
}

static rw_status append_band(rw_tile_file_writer *writer, const rw_tile_half *half, uint32_t rows)
{
    uint32_t row = writer->next_tile - half->first_tile;
    writer->bytes.count = 0;
    RW_TRY(rw_tile_rows_encode(writer->file.context, half, row, rows, &writer->bytes));
    RW_TRY(rw_container_write(&writer->file, "rows", writer->next_tile / writer->subject.band_rows, 1,
                              writer->bytes.count, writer->bytes.items));
    writer->next_tile += rows;
    return RW_OK;
}

rw_status rw_tile_file_append(rw_tile_file_writer *writer, const rw_tile_half *half)
{
    uint32_t end = half->first_tile + half->row_count;
    if (half->first_tile > writer->next_tile)
        return rw_fail(writer->file.context, RW_INTERNAL, "rows of tiles are missing before row %u", half->first_tile);
    while (writer->next_tile < end) {
        uint32_t rows = band_rows(&writer->subject, writer->next_tile);
        if (rows > end - writer->next_tile)
            return rw_fail(writer->file.context, RW_INTERNAL, "rows of tiles end within a band");
        RW_TRY(append_band(writer, half, rows));
    }
    return RW_OK;
}

static void free_bytes(rw_tile_file_writer *writer)
{
    free(writer->bytes.items);
    writer->bytes.items = NULL;
    writer->bytes.count = writer->bytes.capacity = 0;
}

rw_status rw_tile_file_commit(rw_tile_file_writer *writer)
{
    free_bytes(writer);
    return rw_container_commit(&writer->file);
}

void rw_tile_file_leave(rw_tile_file_writer *writer)
{
    free_bytes(writer);
    if (writer->next_tile == 0) /* nothing to resume */
        rw_container_abandon(&writer->file);
    else
        rw_container_leave(&writer->file);
}

static int subject_holds(const rw_tile_subject *subject)
{
    return rw_is_within(subject->area_m2, 1e-2, 1e6) && rw_is_within(subject->min_m, 0, RW_CELL_MAX_M) &&
           rw_is_within(subject->min_m2, 0, RW_CELL_MAX_M) && subject->border_quarter <= 6 && subject->triangles <= 1 &&
           subject->band_rows != 0 && !subject->ground[RW_TILE_GROUND_MAX - 1];
}

static int obstacle_holds(const rw_tile_obstacle *obstacle)
{
    return rw_is_coordinate(obstacle->west) && rw_is_coordinate(obstacle->south) && rw_is_coordinate(obstacle->east) &&
           rw_is_coordinate(obstacle->north) && rw_is_altitude(obstacle->top);
}

static rw_status open_sections(rw_tile_file *file)
{
    rw_tile_subject *subject = &file->subject;
    size_t keys, obstacles;
    RW_TRY(rw_container_get_one(&file->container, "subject", 0, sizeof *subject, subject));
    RW_TRY(rw_container_copy(&file->container, "keys", 0, sizeof *file->keys, &file->keys, &keys));
    RW_TRY(rw_container_copy(&file->container, "obstacles", 0, sizeof *file->obstacles, &file->obstacles, &obstacles));
    if (subject->tile_count != keys || subject->obstacle_count != obstacles || !subject_holds(subject))
        return rw_container_damaged(&file->container, "subject");
    for (size_t i = 0; i < obstacles; i++)
        if (!obstacle_holds(&file->obstacles[i]))
            return rw_container_damaged(&file->container, "obstacles");
    return RW_OK;
}

rw_status rw_tile_file_open(rw_context *context, const char *path, rw_tile_file *file)
{
    *file = (rw_tile_file){0};
    RW_TRY(rw_container_open(context, path, &rw_tile_database_kind, &file->container));
    rw_status status = open_sections(file);
    if (status != RW_OK)
        rw_tile_file_close(file);
    return status;
}

void rw_tile_file_close(rw_tile_file *file)
{
    rw_container_close(&file->container);
    free(file->keys);
    free(file->obstacles);
    *file = (rw_tile_file){0};
}

static rw_status read_band(rw_tile_file *file, rw_tile_half *half)
{
    unsigned char *code;
    uint32_t rows = band_rows(&file->subject, half->row_count);
    size_t size, band = half->row_count / file->subject.band_rows;
    int valid;
    RW_TRY(rw_container_copy(&file->container, "rows", band, 1, &code, &size));
    rw_status status =
        rw_tile_rows_decode(file->container.context, code, size, rows, file->subject.tile_count, half, &valid);
    free(code);
    RW_TRY(status);
    return valid ? RW_OK : rw_container_damaged(&file->container, "rows");
}

rw_status rw_tile_file_read(rw_tile_file *file, rw_tile_half *half)
{
    rw_status status = RW_OK;
    *half = (rw_tile_half){0};
    while (half->row_count < file->subject.tile_count && status == RW_OK)
        status = read_band(file, half);
    if (status != RW_OK)
        rw_tile_half_free(half);
    return status;
}
