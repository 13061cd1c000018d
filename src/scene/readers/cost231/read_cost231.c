/* COST 231 building files (.res), from the Munich data set of the COST 231 action: one wall a line, eight numbers
 *
 *   x1 y1 x2 y2 roof_height building 1 ground_altitude
 *
 * in metres. Walls of one building number become outlines with courtyards, and their ground altitudes a terrain raster.
 */
#include "scene/readers/readers.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/path.h"
#include "base/range.h"
#include "base/text/units.h"
#include "scene/readers/cost231/cost231.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NUMBERS_A_LINE 8
#define TERRAIN_RADIUS_M 150

/* Blank lines, and the lone control character that ends files written under DOS. */
static int is_blank(const char *line, const char *end)
{
    for (; line < end; line++)
        if ((unsigned char)*line > ' ' && *line != 0x7F)
            return 0;
    return 1;
}

/* How many numbers the line starts with, up to one more than a wall has; rest receives what follows them. */
static int parse_wall_numbers(const char *line, double numbers[NUMBERS_A_LINE + 1], const char **rest)
{
    int count = 0;
    while (count <= NUMBERS_A_LINE) {
        size_t used = rw_parse_number(line, &numbers[count]);
        if (used == 0)
            break;
        line += used;
        count++;
    }
    *rest = line + strspn(line, " \t\r");
    return count;
}

static rw_status check_wall(rw_cost231_reader *reader, const double numbers[NUMBERS_A_LINE], size_t line)
{
    rw_context *context = reader->scene->context;
    for (int i = 0; i < NUMBERS_A_LINE; i++)
        if (!rw_is_coordinate(numbers[i]))
            return rw_fail(context, RW_BAD_INPUT, "%s, line %zu: number %d is %g; it must be finite and in metres",
                           reader->path, line, i + 1, numbers[i]);
    if (!(numbers[4] > 0 && numbers[4] <= RW_HEIGHT_MAX_M))
        return rw_fail(context, RW_BAD_INPUT, "%s, line %zu: the roof height (5th number) is %g m; it must be above 0",
                       reader->path, line, numbers[4]);
    if (!(numbers[5] >= 0) || numbers[5] != floor(numbers[5]))
        return rw_fail(context, RW_BAD_INPUT,
                       "%s, line %zu: the building (6th number) is %g; it must be a whole number", reader->path, line,
                       numbers[5]);
    if (!rw_is_altitude(numbers[7]))
        return rw_fail(context, RW_BAD_INPUT,
                       "%s, line %zu: the ground altitude (8th number) is %g m, which is not on Earth", reader->path,
                       line, numbers[7]);
    return RW_OK;
}

static rw_status read_cost231_wall(rw_cost231_reader *reader, const char *string, size_t line)
{
    rw_context *context = reader->scene->context;
    double numbers[NUMBERS_A_LINE + 1];
    const char *rest;
    int count = parse_wall_numbers(string, numbers, &rest);
    if (count != NUMBERS_A_LINE || *rest)
        return rw_fail(
            context, RW_BAD_INPUT,
            "%s, line %zu: expected the eight numbers x1 y1 x2 y2 roof_height building 1 ground_altitude, found %s%d "
            "numbers%s",
            reader->path, line, count > NUMBERS_A_LINE ? "more than " : "",
            count > NUMBERS_A_LINE ? NUMBERS_A_LINE : count, *rest ? " and other text" : "");
    RW_TRY(check_wall(reader, numbers, line));
    if (numbers[0] == numbers[2] && numbers[1] == numbers[3]) {
        char example[RW_MESSAGE_MAX];
        snprintf(example, sizeof example, "%.80s, line %zu", rw_path_name(reader->path), line);
        return rw_scene_note(reader->scene, "walls of no length left out", example);
    }
    RW_TRY(RW_ARRAY_RESERVE(context, reader->walls, 1, "walls"));
    reader->walls.items[reader->walls.count++] = (rw_cost231_wall){
        .segment = {{numbers[0], numbers[1]}, {numbers[2], numbers[3]}},
        .roof_height_m = numbers[4],
        .building = (uint32_t)numbers[5],
        .ground_m = reader->flat ? 0 : numbers[7],
        .line = line,
    };
    return RW_OK;
}

static rw_status read_cost231_walls(rw_cost231_reader *reader, char *bytes, size_t size)
{
    size_t line = 1;
    for (char *at = bytes, *end = bytes + size; at < end; line++) {
        char *line_end = memchr(at, '\n', (size_t)(end - at));
        if (!line_end)
            line_end = end;
        *line_end = 0;
        if (!is_blank(at, line_end))
            RW_TRY(read_cost231_wall(reader, at, line));
        at = line_end + 1;
    }
    if (reader->walls.count == 0)
        return rw_fail(reader->scene->context, RW_BAD_INPUT, "%s has no walls: expected lines of eight numbers",
                       reader->path);
    return RW_OK;
}

static int compare_building_walls(const void *left, const void *right)
{
    const rw_cost231_wall *a = left, *b = right;
    if (a->building != b->building)
        return a->building < b->building ? -1 : 1;
    return a->line < b->line ? -1 : a->line > b->line;
}

/* Building 0 would mean "a number of its own" to the scene, and its outlines would fall apart. */
static void renumber_zero(rw_cost231_reader *reader)
{
    uint32_t largest = 0;
    for (size_t i = 0; i < reader->walls.count; i++)
        if (reader->walls.items[i].building > largest)
            largest = reader->walls.items[i].building;
    for (size_t i = 0; i < reader->walls.count; i++)
        if (reader->walls.items[i].building == 0)
            reader->walls.items[i].building = largest + 1;
}

static rw_status add_cost231_buildings(rw_cost231_reader *reader)
{
    renumber_zero(reader);
    qsort(reader->walls.items, reader->walls.count, sizeof *reader->walls.items, compare_building_walls);
    for (size_t first = 0; first < reader->walls.count;) {
        const rw_cost231_wall *walls = reader->walls.items + first;
        size_t count = 1;
        while (first + count < reader->walls.count && walls[count].building == walls[0].building)
            count++;
        RW_TRY(rw_cost231_add_building(reader, walls, count));
        first += count;
    }
    return RW_OK;
}

/* Altitudes of neighbouring buildings scatter by metres, so the terrain is their trend, and everything stands on it
 * (docs/decisions/0006-munich-terrain.md). */
static rw_status add_cost231_terrain(rw_cost231_reader *reader)
{
    rw_scene *scene = reader->scene;
    RW_TRY(rw_ground_samples_set_terrain(scene, &reader->grounds, TERRAIN_RADIUS_M));
    for (size_t i = 0; i < scene->panels.count; i++) {
        rw_scene_panel *panel = &scene->panels.items[i];
        rw_vec2 middle = {0.5 * (panel->p0.x + panel->p1.x), 0.5 * (panel->p0.y + panel->p1.y)};
        double ground_m = rw_scene_ground_m(scene, middle);
        panel->bottom_m += ground_m;
        panel->top_m += ground_m;
    }
    return RW_OK;
}

static int recognise_cost231(const char *path, const char *start, size_t size)
{
    if (rw_path_has_extension(path, ".res"))
        return 1;
    double numbers[NUMBERS_A_LINE + 1];
    const char *rest, *end = memchr(start, '\n', size);
    char line[256];
    size_t length = end ? (size_t)(end - start) : size;
    if (length >= sizeof line)
        return 0;
    memcpy(line, start, length);
    line[length] = 0;
    return parse_wall_numbers(line, numbers, &rest) == NUMBERS_A_LINE && !*rest;
}

static rw_status read_cost231_scene(rw_scene *scene, const char *path, const rw_load_options *options)
{
    rw_cost231_reader reader = {
        .scene = scene, .path = path, .flat = options->terrain && strcmp(options->terrain, "flat") == 0};
    char *bytes;
    size_t size;
    RW_TRY(rw_file_read(scene->context, path, &bytes, &size));
    rw_status status = read_cost231_walls(&reader, bytes, size);
    if (status == RW_OK)
        status = add_cost231_buildings(&reader);
    if (status == RW_OK && !reader.flat)
        status = add_cost231_terrain(&reader);
    free(bytes);
    free(reader.walls.items);
    rw_ground_samples_free(&reader.grounds);
    return status;
}

const rw_reader rw_reader_cost231 = {"cost231", "COST 231 building walls (.res)", recognise_cost231, read_cost231_scene,
                                     0};
