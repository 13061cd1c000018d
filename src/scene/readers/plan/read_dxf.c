/* Floor plans from DXF drawings, as text: LINE, LWPOLYLINE and POLYLINE of the section ENTITIES become walls; the name
 * of their layer says what they are of. $INSUNITS gives the unit. Arcs of polylines (bulges) are straight, blocks
 * (INSERT) are not unfolded: a note counts them. After the group codes of Autodesk's DXF reference. */
#include "scene/readers/load.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/path.h"
#include "base/range.h"
#include "scene/readers/plan/plan.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* An entity on its way, and the whole drawing. */
typedef struct entity {
    char kind[16], layer[64];
    int closed, in_vertex;
    size_t first_point, point_count, line;
} entity;

typedef struct drawing {
    rw_scene *scene;
    const char *path;
    char *at;
    size_t line; /* of the file, from 1 */
    int code;
    char *value;
    int unit, is_unit, in_entities;
    RW_ARRAY(double) xy;
    RW_ARRAY(entity) entities;
    entity now;
} drawing;

/* The next line, without blanks around it; NULL at the end. */
static char *next_line(drawing *from)
{
    char *line = from->at;
    if (!*line)
        return NULL;
    size_t length = strcspn(line, "\r\n");
    char *end = line + length;
    from->at = *end ? end + 1 + (end[0] == '\r' && end[1] == '\n') : end;
    *end = 0;
    from->line++;
    while (isspace((unsigned char)*line))
        line++;
    while (end > line && isspace((unsigned char)end[-1]))
        *--end = 0;
    return line;
}

/* The next pair of a group code and its value; more 0 at the end. */
static rw_status next_pair(drawing *from, int *more)
{
    char *code = next_line(from), *end;
    from->value = code ? next_line(from) : NULL;
    *more = from->value != NULL;
    if (!*more)
        return RW_OK;
    long number = strtol(code, &end, 10);
    if (*end || end == code || number < -1000 || number > 2000)
        return rw_fail(from->scene->context, RW_BAD_INPUT, "%s, line %zu: '%.40s' is no group code of a DXF file",
                       from->path, from->line - 1, code);
    from->code = (int)number;
    return RW_OK;
}

static int is_wall_kind(const char *kind)
{
    return strcmp(kind, "LINE") == 0 || strcmp(kind, "LWPOLYLINE") == 0 || strcmp(kind, "POLYLINE") == 0;
}

static rw_status end_entity(drawing *into)
{
    entity *now = &into->now;
    if (strcmp(now->kind, "INSERT") == 0)
        RW_TRY(rw_scene_note(into->scene, "blocks of a drawing left out", now->layer));
    if (is_wall_kind(now->kind) && now->point_count > 1) {
        RW_TRY(RW_ARRAY_RESERVE(into->scene->context, into->entities, 1, "lines of a drawing"));
        into->entities.items[into->entities.count++] = *now;
    }
    *now = (entity){.first_point = into->xy.count / 2, .line = into->line};
    return RW_OK;
}

static rw_status add_coordinate(drawing *into, int is_y)
{
    char *end;
    double value = strtod(into->value, &end);
    if (*end || !rw_is_coordinate(value))
        return rw_fail(into->scene->context, RW_BAD_INPUT, "%s, line %zu: '%.40s' is no coordinate", into->path,
                       into->line, into->value);
    if (!is_y) {
        RW_TRY(RW_ARRAY_RESERVE(into->scene->context, into->xy, 2, "lines of a drawing"));
        into->xy.items[into->xy.count++] = value;
        into->xy.items[into->xy.count++] = 0;
        into->now.point_count++;
    } else if (into->now.point_count) {
        into->xy.items[into->xy.count - 1] = value;
    }
    return RW_OK;
}

static rw_status begin_entity(drawing *into)
{
    int vertex = strcmp(into->value, "VERTEX") == 0 && strcmp(into->now.kind, "POLYLINE") == 0;
    if (vertex) {
        into->now.in_vertex = 1;
        return RW_OK;
    }
    RW_TRY(end_entity(into));
    snprintf(into->now.kind, sizeof into->now.kind, "%.15s", into->value);
    return RW_OK;
}

static rw_status take_entity_pair(drawing *into)
{
    entity *now = &into->now;
    int old_polyline = strcmp(now->kind, "POLYLINE") == 0;
    if (into->code == 0)
        return begin_entity(into);
    if (into->code == 8 && !now->in_vertex)
        snprintf(now->layer, sizeof now->layer, "%.63s", into->value);
    if (into->code == 70 && !now->in_vertex)
        now->closed = atoi(into->value) & 1;
    if (!is_wall_kind(now->kind) || (old_polyline && !now->in_vertex))
        return RW_OK;
    if (into->code == 10 || (into->code == 11 && strcmp(now->kind, "LINE") == 0))
        return add_coordinate(into, 0);
    if (into->code == 20 || (into->code == 21 && strcmp(now->kind, "LINE") == 0))
        return add_coordinate(into, 1);
    return RW_OK;
}

static rw_status take_pair(drawing *into)
{
    if (into->code == 9)
        into->is_unit = strcmp(into->value, "$INSUNITS") == 0;
    else if (into->code == 70 && into->is_unit && !into->in_entities)
        into->unit = atoi(into->value);
    if (into->code == 2 && strcmp(into->value, "ENTITIES") == 0)
        into->in_entities = 1;
    else if (into->in_entities && into->code == 0 && strcmp(into->value, "ENDSEC") == 0) {
        into->in_entities = 0;
        return end_entity(into);
    }
    return into->in_entities && into->code != 2 ? take_entity_pair(into) : RW_OK;
}

/* Metres of a drawing unit. A drawing that tells none and would be wider than a kilometre is in millimetres. */
static rw_status find_unit(const drawing *from, double *metres)
{
    static const struct {
        int unit;
        double metres;
    } units[] = {{1, 0.0254}, {2, 0.3048}, {4, 0.001}, {5, 0.01}, {6, 1}, {14, 0.1}};
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (from->unit == units[i].unit) {
            *metres = units[i].metres;
            return RW_OK;
        }
    for (size_t i = 0; i < from->xy.count; i += 2) {
        low = fmin(low, from->xy.items[i]);
        high = fmax(high, from->xy.items[i]);
    }
    *metres = high - low > 1000 ? 0.001 : 1;
    return rw_scene_note(from->scene, "a drawing without a unit taken as",
                         *metres < 1 ? "millimetres, because it is wider than 1000" : "metres");
}

/* Dimensions, texts and furniture stand on layers of their own. */
static int is_no_wall(const char *layer)
{
    static const char *const words[] = {"dim", "anno", "text", "axis", "grid", "furn", "hatch", "defpoints"};
    char lower[64];
    size_t i = 0;
    for (; layer[i] && i + 1 < sizeof lower; i++)
        lower[i] = (char)tolower((unsigned char)layer[i]);
    lower[i] = 0;
    for (i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(lower, words[i]))
            return 1;
    return 0;
}

static rw_status add_walls(drawing *from)
{
    double metres;
    RW_TRY(find_unit(from, &metres));
    for (size_t i = 0; i < from->xy.count; i++)
        from->xy.items[i] *= metres;
    for (size_t i = 0; i < from->entities.count; i++) {
        const entity *each = &from->entities.items[i];
        char source[160];
        snprintf(source, sizeof source, "%.60s, line %zu, layer %.60s", rw_path_name(from->path), each->line,
                 each->layer);
        rw_plan_wall wall = {each->layer, NAN, NAN, NAN, NAN, source};
        if (is_no_wall(each->layer))
            RW_TRY(rw_scene_note(from->scene, "lines on layers that are no walls left out", source));
        else
            RW_TRY(rw_plan_add_line(from->scene, from->xy.items + 2 * each->first_point, each->point_count,
                                    each->closed, &wall));
    }
    if (from->scene->panels.count == 0)
        return rw_fail(from->scene->context, RW_BAD_INPUT,
                       "%s has no walls: a floor plan has LINE or LWPOLYLINE entities on layers that name a material",
                       from->path);
    return rw_plan_add_floors(from->scene);
}

static rw_status read_drawing(drawing *into)
{
    int more = 1;
    while (more) {
        RW_TRY(next_pair(into, &more));
        if (more)
            RW_TRY(take_pair(into));
    }
    RW_TRY(end_entity(into));
    return add_walls(into);
}

static rw_status read_scene(rw_scene *scene, const char *path, const rw_load_options *options)
{
    drawing made = {.scene = scene, .path = path};
    char *bytes;
    size_t size;
    RW_TRY(rw_file_read(scene->context, path, &bytes, &size));
    made.at = bytes;
    rw_status status = strncmp(bytes, "AutoCAD Binary DXF", 18) == 0
                           ? rw_fail(scene->context, RW_BAD_INPUT, "%s is a binary DXF file; save it as text", path)
                           : read_drawing(&made);
    if (status == RW_OK && options->crs)
        status = rw_scene_set_crs(scene, options->crs);
    free(bytes);
    free(made.xy.items);
    free(made.entities.items);
    return status;
}

static int recognises(const char *path, const char *start, size_t size)
{
    (void)start, (void)size;
    return rw_path_has_extension(path, ".dxf");
}

const rw_reader rw_reader_dxf = {"dxf", "floor plans as DXF", recognises, read_scene};
