/* Floor plans from DXF drawings, as text: LINE, LWPOLYLINE, POLYLINE, ARC and CIRCLE of the section ENTITIES become
 * walls, also those of blocks where they are inserted; the name of their layer says what they are of. $INSUNITS gives
 * the unit. Arcs are cut into straight pieces. After the group codes of Autodesk's DXF reference. */
#include "scene/readers/readers.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/path.h"
#include "base/range.h"
#include "scene/readers/floor_plans/floor_plan.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define NO_BLOCK SIZE_MAX
#define DEPTH_MAX 8      /* blocks in blocks */
#define INSERTED_MAX 1e6 /* lines, and copies of blocks, that a drawing may expand to: blocks insert each other */
#define POINTS_MAX 8e6   /* points of those lines */
#define ARC_STEP_RAD 0.2 /* of the pieces that arcs are cut into */
#define PI 3.14159265358979323846

/* What an entity says in numbers. An insertion has a place, scales, a turn and rows and columns of copies. */
typedef struct entity_numbers {
    double x, y, radius, start_deg, end_deg, scale_x, scale_y;
    double column_step, row_step;
    long columns, rows;
} entity_numbers;

/* An entity on its way, and the whole drawing. */
typedef struct entity {
    char kind[16], layer[64], name[64]; /* name: of the block that is inserted or begun */
    int closed, in_vertex;
    size_t first_point, point_count, line;
    size_t block;     /* that contains it; NO_BLOCK: the drawing itself */
    size_t insertion; /* block that an INSERT copies; NO_BLOCK: the drawing does not define it */
    entity_numbers numbers;
} entity;

typedef struct block {
    char name[64];
    double x, y; /* base point */
    size_t first_entity, end_entity;
} block;

/* A point and how much the piece behind it bulges: the tangent of a quarter of its angle. */
typedef struct drawn_point {
    double x, y, bulge;
} drawn_point;

enum { SECTION_NONE, SECTION_NAMED_NEXT, SECTION_ENTITIES, SECTION_BLOCKS, SECTION_OTHER };

typedef struct drawing {
    rw_scene *scene;
    const char *path;
    char *at;
    size_t line; /* of the file, from 1 */
    int code;
    char *value;
    int unit, is_unit, section;
    size_t block; /* that entities are of now */
    RW_ARRAY(drawn_point) points;
    RW_ARRAY(entity) entities;
    RW_ARRAY(block) blocks;
    entity now;
    /* lines as they stand in the drawing: what entities become */
    RW_ARRAY(double) xy;
    RW_ARRAY(entity) inserted;
} drawing;

/* The next line, without blanks around it; NULL at the end. */
static char *read_dxf_line(drawing *from)
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
    char *code = read_dxf_line(from), *end;
    from->value = code ? read_dxf_line(from) : NULL;
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

static int is_arc(const char *kind)
{
    return strcmp(kind, "ARC") == 0 || strcmp(kind, "CIRCLE") == 0;
}

static rw_status fail_point_count(const drawing *from, double count)
{
    return rw_fail(from->scene->context, RW_TOO_LARGE,
                   "%s, line %zu: its lines expand to %.3g points or more; a floor plan may have at most %.0e",
                   from->path, from->line, count, POINTS_MAX);
}

static rw_status add_dxf_point(drawing *into, double x, double y)
{
    RW_TRY(RW_ARRAY_RESERVE(into->scene->context, into->points, 1, "lines of a drawing"));
    into->points.items[into->points.count++] = (drawn_point){x, y, 0};
    into->now.point_count++;
    return RW_OK;
}

/* Points of an arc about a centre, by the angle it begins at and the angle it goes on by; its end too where asked for.
 */
static rw_status add_arc(drawing *into, double x, double y, double radius, double from_rad, double by_rad, int to_end)
{
    int pieces = (int)ceil(fabs(by_rad) / ARC_STEP_RAD);
    pieces = pieces < 2 ? 2 : pieces;
    for (int i = 0; i < pieces + to_end; i++) {
        double angle = from_rad + by_rad * i / pieces;
        RW_TRY(add_dxf_point(into, x + radius * cos(angle), y + radius * sin(angle)));
    }
    return RW_OK;
}

static rw_status unfold_arc(drawing *into)
{
    entity *now = &into->now;
    const entity_numbers *of = &now->numbers;
    int circle = strcmp(now->kind, "CIRCLE") == 0;
    double by_deg = circle ? 360 : fmod(of->end_deg - of->start_deg, 360);
    if (!(of->radius > 0 && rw_is_coordinate(of->radius)) || !isfinite(by_deg))
        return RW_OK;
    by_deg += by_deg <= 0 ? 360 : 0;
    now->closed = circle;
    return add_arc(into, of->x, of->y, of->radius, circle ? 0 : of->start_deg * PI / 180, by_deg * PI / 180, !circle);
}

/* The piece from a point to the next, without the next. */
static rw_status unfold_piece(drawing *into, drawn_point a, drawn_point b)
{
    double dx = b.x - a.x, dy = b.y - a.y, length = hypot(dx, dy);
    if (!(fabs(a.bulge) > 1e-6 && fabs(a.bulge) < 1e6 && length > 0))
        return add_dxf_point(into, a.x, a.y);
    double by_rad = 4 * atan(a.bulge), off = (1 - a.bulge * a.bulge) / (4 * a.bulge);
    double x = 0.5 * (a.x + b.x) - off * dy, y = 0.5 * (a.y + b.y) + off * dx;
    return add_arc(into, x, y, hypot(a.x - x, a.y - y), atan2(a.y - y, a.x - x), by_rad, 0);
}

/* A polyline with bulges again, with their arcs cut. */
static rw_status unfold_bulges(drawing *into)
{
    entity *now = &into->now;
    size_t first = now->first_point, count = now->point_count;
    int bulges = 0;
    double expanded = (double)into->points.count;
    for (size_t i = 0; i < count; i++) {
        bulges |= into->points.items[first + i].bulge != 0;
        expanded += 1 + 4 * fabs(atan(into->points.items[first + i].bulge)) / ARC_STEP_RAD;
    }
    if (!bulges)
        return RW_OK;
    if (!(expanded <= POINTS_MAX))
        return fail_point_count(into, expanded);
    now->first_point = into->points.count;
    now->point_count = 0;
    for (size_t i = 0; i + 1 < count + (size_t)now->closed; i++)
        RW_TRY(unfold_piece(into, into->points.items[first + i], into->points.items[first + (i + 1) % count]));
    drawn_point last = into->points.items[first + count - 1];
    return now->closed ? RW_OK : add_dxf_point(into, last.x, last.y);
}

static rw_status begin_dxf_block(drawing *into)
{
    block new_block = {.x = into->now.numbers.x, .y = into->now.numbers.y, .first_entity = into->entities.count};
    snprintf(new_block.name, sizeof new_block.name, "%.63s", into->now.name);
    RW_TRY(RW_ARRAY_RESERVE(into->scene->context, into->blocks, 1, "blocks of a drawing"));
    into->block = into->blocks.count;
    into->blocks.items[into->blocks.count++] = new_block;
    return RW_OK;
}

static rw_status end_entity(drawing *into)
{
    entity *now = &into->now;
    if (strcmp(now->kind, "BLOCK") == 0)
        RW_TRY(begin_dxf_block(into));
    if (strcmp(now->kind, "ENDBLK") == 0)
        into->block = NO_BLOCK;
    if (is_arc(now->kind))
        RW_TRY(unfold_arc(into));
    else if (is_wall_kind(now->kind) && now->point_count > 1)
        RW_TRY(unfold_bulges(into));
    int is_drawn = (is_wall_kind(now->kind) || is_arc(now->kind)) && now->point_count > 1;
    int is_between_blocks = into->section == SECTION_BLOCKS && into->block == NO_BLOCK;
    if ((is_drawn || strcmp(now->kind, "INSERT") == 0) && !is_between_blocks) {
        now->block = into->block;
        RW_TRY(RW_ARRAY_RESERVE(into->scene->context, into->entities, 1, "lines of a drawing"));
        into->entities.items[into->entities.count++] = *now;
        if (now->block != NO_BLOCK)
            into->blocks.items[now->block].end_entity = into->entities.count;
    }
    *now = (entity){.first_point = into->points.count,
                    .line = into->line,
                    .numbers = {.scale_x = 1, .scale_y = 1, .columns = 1, .rows = 1}};
    return RW_OK;
}

static rw_status read_dxf_number(const drawing *from, double *number)
{
    char *end;
    *number = strtod(from->value, &end);
    if (*end || !rw_is_coordinate(*number))
        return rw_fail(from->scene->context, RW_BAD_INPUT, "%s, line %zu: '%.40s' is no coordinate", from->path,
                       from->line, from->value);
    return RW_OK;
}

static rw_status add_coordinate(drawing *into, int is_y)
{
    double value;
    RW_TRY(read_dxf_number(into, &value));
    if (!is_y)
        return add_dxf_point(into, value, 0);
    if (into->now.point_count)
        into->points.items[into->points.count - 1].y = value;
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

/* Numbers of what is no polyline: arcs, circles, blocks and where they are inserted. */
static rw_status store_entity_number(drawing *into)
{
    entity_numbers *of = &into->now.numbers;
    int arc = is_arc(into->now.kind);
    double *numbers[] = {[10] = &of->x,
                         [20] = &of->y,
                         [40] = arc ? &of->radius : NULL,
                         [41] = arc ? NULL : &of->scale_x,
                         [42] = arc ? NULL : &of->scale_y,
                         [44] = &of->column_step,
                         [45] = &of->row_step,
                         [50] = &of->start_deg,
                         [51] = &of->end_deg};
    if (into->code == 70 || into->code == 71)
        *(into->code == 70 ? &of->columns : &of->rows) = strtol(into->value, NULL, 10);
    if (into->code < 0 || into->code >= (int)(sizeof numbers / sizeof *numbers) || !numbers[into->code])
        return RW_OK;
    return read_dxf_number(into, numbers[into->code]);
}

static rw_status read_entity_pair(drawing *into)
{
    entity *now = &into->now;
    int old_polyline = strcmp(now->kind, "POLYLINE") == 0, line = strcmp(now->kind, "LINE") == 0;
    if (into->code == 0)
        return begin_entity(into);
    if (into->code == 8 && !now->in_vertex)
        snprintf(now->layer, sizeof now->layer, "%.63s", into->value);
    if (into->code == 2)
        snprintf(now->name, sizeof now->name, "%.63s", into->value);
    if (is_arc(now->kind) || strcmp(now->kind, "INSERT") == 0 || strcmp(now->kind, "BLOCK") == 0)
        return store_entity_number(into);
    if (into->code == 70 && !now->in_vertex)
        now->closed = atoi(into->value) & 1;
    if (!is_wall_kind(now->kind) || (old_polyline && !now->in_vertex))
        return RW_OK;
    if (into->code == 42 && !line && now->point_count)
        return read_dxf_number(into, &into->points.items[into->points.count - 1].bulge);
    if (into->code == 10 || (into->code == 11 && line))
        return add_coordinate(into, 0);
    if (into->code == 20 || (into->code == 21 && line))
        return add_coordinate(into, 1);
    return RW_OK;
}

static int section_of(const char *name)
{
    return strcmp(name, "ENTITIES") == 0 ? SECTION_ENTITIES
           : strcmp(name, "BLOCKS") == 0 ? SECTION_BLOCKS
                                         : SECTION_OTHER;
}

static rw_status read_dxf_pair(drawing *into)
{
    int is_drawn = into->section == SECTION_ENTITIES || into->section == SECTION_BLOCKS;
    if (into->section == SECTION_NAMED_NEXT && into->code == 2) {
        into->section = section_of(into->value);
        return RW_OK;
    }
    if (into->code == 0 && (strcmp(into->value, "ENDSEC") == 0 || strcmp(into->value, "SECTION") == 0)) {
        RW_TRY(end_entity(into));
        into->section = strcmp(into->value, "SECTION") == 0 ? SECTION_NAMED_NEXT : SECTION_NONE;
        into->block = NO_BLOCK;
        return RW_OK;
    }
    if (is_drawn)
        return read_entity_pair(into);
    if (into->code == 9)
        into->is_unit = strcmp(into->value, "$INSUNITS") == 0;
    else if (into->code == 70 && into->is_unit)
        into->unit = atoi(into->value);
    return RW_OK;
}

/* From a block's own coordinates to the drawing's: x' = a x + b y + c, y' = d x + e y + f. */
typedef struct insertion {
    double a, b, c, d, e, f;
    const char *layer; /* of what stands on layer 0 in a block */
    int depth;
} insertion;

static rw_status insert_entities(drawing *from, size_t first, size_t end, size_t block_number, const insertion *to);

static rw_status insert_line(drawing *from, const entity *line, const insertion *to)
{
    rw_context *context = from->scene->context;
    entity inserted = *line;
    if (to->layer && strcmp(line->layer, "0") == 0)
        snprintf(inserted.layer, sizeof inserted.layer, "%.63s", to->layer);
    inserted.first_point = from->xy.count / 2;
    RW_TRY(RW_ARRAY_RESERVE(context, from->xy, 2 * line->point_count, "lines of a drawing"));
    for (size_t i = 0; i < line->point_count; i++) {
        drawn_point at = from->points.items[line->first_point + i];
        double x = to->a * at.x + to->b * at.y + to->c, y = to->d * at.x + to->e * at.y + to->f;
        if (!rw_is_coordinate(x) || !rw_is_coordinate(y))
            return rw_fail(context, RW_BAD_INPUT, "%s, line %zu: a block is inserted off the Earth", from->path,
                           line->line);
        from->xy.items[from->xy.count++] = x;
        from->xy.items[from->xy.count++] = y;
    }
    RW_TRY(RW_ARRAY_RESERVE(context, from->inserted, 1, "lines of a drawing"));
    from->inserted.items[from->inserted.count++] = inserted;
    return RW_OK;
}

/* One copy of a block, off_x and off_y along the insertion's own axes. */
static rw_status insert_copy(drawing *from, const entity *insert, size_t number, double off_x, double off_y,
                             const insertion *to)
{
    const entity_numbers *of = &insert->numbers;
    const block *what = &from->blocks.items[number];
    double angle_rad = of->start_deg * PI / 180, cosine = cos(angle_rad), sine = sin(angle_rad);
    double x = of->x + cosine * off_x - sine * off_y, y = of->y + sine * off_x + cosine * off_y;
    double a = cosine * of->scale_x, b = -sine * of->scale_y, d = sine * of->scale_x, e = cosine * of->scale_y;
    double c = x - a * what->x - b * what->y, f = y - d * what->x - e * what->y;
    insertion inner = {.a = to->a * a + to->b * d,
                       .b = to->a * b + to->b * e,
                       .c = to->a * c + to->b * f + to->c,
                       .d = to->d * a + to->e * d,
                       .e = to->d * b + to->e * e,
                       .f = to->d * c + to->e * f + to->f,
                       .layer = to->layer && strcmp(insert->layer, "0") == 0 ? to->layer : insert->layer,
                       .depth = to->depth + 1};
    return insert_entities(from, what->first_entity, what->end_entity, number, &inner);
}

static rw_status insert_block(drawing *from, const entity *insert, const insertion *to)
{
    const entity_numbers *of = &insert->numbers;
    size_t number = insert->insertion;
    if (number == NO_BLOCK)
        return rw_scene_note(from->scene, "blocks that a drawing does not have left out", insert->name);
    if (to->depth == DEPTH_MAX)
        return rw_scene_note(from->scene, "blocks deeper than 8 in one another left out", insert->name);
    long columns = of->columns > 1 ? of->columns : 1, rows = of->rows > 1 ? of->rows : 1;
    if (columns > 1000 || rows > 1000)
        return rw_fail(from->scene->context, RW_TOO_LARGE, "%s, line %zu: %ld x %ld copies of a block", from->path,
                       insert->line, columns, rows);
    for (long i = 0; i < columns * rows; i++)
        RW_TRY(insert_copy(from, insert, number, (double)(i % columns) * of->column_step,
                           (double)(i / columns) * of->row_step, to));
    return RW_OK;
}

static rw_status insert_entities(drawing *from, size_t first, size_t end, size_t block_number, const insertion *to)
{
    for (size_t i = first; i < end; i++) {
        const entity *each = &from->entities.items[i];
        if (each->block != block_number)
            continue;
        RW_TRY(strcmp(each->kind, "INSERT") == 0 ? insert_block(from, each, to) : insert_line(from, each, to));
    }
    return RW_OK;
}

/* A block's name and number, sorted by name and then by number: of two blocks of one name the first counts. */
typedef struct named_block {
    const char *name;
    size_t number;
} named_block;

static int compare_named_blocks(const void *left, const void *right)
{
    const named_block *a = left, *b = right;
    int order = strcasecmp(a->name, b->name);
    return order ? order : (a->number > b->number) - (a->number < b->number);
}

static size_t find_named_block(const named_block *sorted, size_t count, const char *name)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcasecmp(sorted[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && strcasecmp(sorted[low].name, name) == 0 ? sorted[low].number : NO_BLOCK;
}

/* Finds the block that each INSERT copies. */
static rw_status resolve_insertions(drawing *from)
{
    named_block *sorted;
    size_t count = from->blocks.count;
    RW_TRY(rw_array_create(from->scene->context, count, sizeof *sorted, "blocks of a drawing", &sorted));
    for (size_t i = 0; i < count; i++)
        sorted[i] = (named_block){from->blocks.items[i].name, i};
    rw_sort(sorted, count, sizeof *sorted, compare_named_blocks);
    for (size_t i = 0; i < from->entities.count; i++) {
        entity *each = &from->entities.items[i];
        each->insertion = strcmp(each->kind, "INSERT") == 0 ? find_named_block(sorted, count, each->name) : NO_BLOCK;
    }
    free(sorted);
    return RW_OK;
}

/* What entities become when all insertions are copied. A few kilobytes of blocks that insert each other expand to any
 * number, so that the sizes are doubles, and are multiplied out before anything is copied. */
typedef struct expansion {
    double copies, lines, points; /* copies < 0: not computed yet */
} expansion;

static void measure_entity(const drawing *from, const entity *each, int depth, expansion *known, expansion *sum);

/* A block that is inserted at a depth. known: for each depth and block, since many insertions share one block. */
static expansion measure_block(const drawing *from, size_t number, int depth, expansion *known)
{
    expansion *result = known + (size_t)depth * from->blocks.count + number;
    if (result->copies < 0) {
        expansion sum = {0};
        const block *what = &from->blocks.items[number];
        for (size_t i = what->first_entity; i < what->end_entity; i++)
            if (from->entities.items[i].block == number)
                measure_entity(from, &from->entities.items[i], depth, known, &sum);
        *result = sum;
    }
    return *result;
}

static void measure_entity(const drawing *from, const entity *each, int depth, expansion *known, expansion *sum)
{
    if (strcmp(each->kind, "INSERT") != 0) {
        sum->lines++;
        sum->points += (double)each->point_count;
        return;
    }
    const entity_numbers *of = &each->numbers;
    double copies = (of->columns > 1 ? (double)of->columns : 1) * (of->rows > 1 ? (double)of->rows : 1);
    expansion inner = {0};
    if (each->insertion != NO_BLOCK && depth < DEPTH_MAX)
        inner = measure_block(from, each->insertion, depth + 1, known);
    sum->copies += copies * (1 + inner.copies);
    sum->lines += copies * inner.lines;
    sum->points += copies * inner.points;
}

/* Rejects a drawing that expands to more than the limits. */
static rw_status check_expansion(const drawing *from)
{
    expansion *known, sum = {0};
    size_t count = (DEPTH_MAX + 1) * from->blocks.count;
    RW_TRY(rw_array_create(from->scene->context, count, sizeof *known, "blocks of a drawing", &known));
    for (size_t i = 0; i < count; i++)
        known[i].copies = -1;
    for (size_t i = 0; i < from->entities.count; i++)
        if (from->entities.items[i].block == NO_BLOCK)
            measure_entity(from, &from->entities.items[i], 0, known, &sum);
    free(known);
    if (!(sum.copies <= INSERTED_MAX && sum.lines <= INSERTED_MAX && sum.points <= POINTS_MAX))
        return rw_fail(from->scene->context, RW_TOO_LARGE,
                       "%s: its blocks expand to %.3g insertions and %.3g lines of %.3g points; a floor plan may have "
                       "at most %.0e insertions, %.0e lines and %.0e points",
                       from->path, sum.copies, sum.lines, sum.points, INSERTED_MAX, INSERTED_MAX, POINTS_MAX);
    return RW_OK;
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

static rw_status add_dxf_walls(drawing *from)
{
    const insertion own = {.a = 1, .e = 1};
    double metres;
    RW_TRY(resolve_insertions(from));
    RW_TRY(check_expansion(from));
    RW_TRY(insert_entities(from, 0, from->entities.count, NO_BLOCK, &own));
    RW_TRY(find_unit(from, &metres));
    for (size_t i = 0; i < from->xy.count; i++)
        from->xy.items[i] *= metres;
    for (size_t i = 0; i < from->inserted.count; i++) {
        const entity *each = &from->inserted.items[i];
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
            RW_TRY(read_dxf_pair(into));
    }
    RW_TRY(end_entity(into));
    return add_dxf_walls(into);
}

static rw_status read_dxf_scene(rw_scene *scene, const char *path, const rw_load_options *options)
{
    drawing new_drawing = {.scene = scene, .path = path, .block = NO_BLOCK};
    char *bytes;
    size_t size;
    RW_TRY(rw_file_read(scene->context, path, &bytes, &size));
    new_drawing.at = bytes;
    rw_status status = strncmp(bytes, "AutoCAD Binary DXF", 18) == 0
                           ? rw_fail(scene->context, RW_BAD_INPUT, "%s is a binary DXF file; save it as text", path)
                           : read_drawing(&new_drawing);
    if (status == RW_OK && options->crs)
        status = rw_scene_set_crs(scene, options->crs);
    free(bytes);
    free(new_drawing.points.items);
    free(new_drawing.entities.items);
    free(new_drawing.blocks.items);
    free(new_drawing.xy.items);
    free(new_drawing.inserted.items);
    return status;
}

static int recognise_dxf(const char *path, const char *start, size_t size)
{
    (void)start, (void)size;
    return rw_path_has_extension(path, ".dxf");
}

const rw_reader rw_reader_dxf = {"dxf", "floor plans as DXF", recognise_dxf, read_dxf_scene, 0};
