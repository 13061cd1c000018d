#include "models/shadow/database/database.h"

#include "base/range.h"
#include "discretise/identity.h"

#include <math.h>
#include <string.h>

const rw_container_kind rw_corner_database_kind = {.name = "corner database",
                                                   .model = "shadow",
                                                   .version = 3,
                                                   .again = "make it again with rasterwave preprocess",
                                                   .other = "rasterwave preprocess makes one"};

/* One table of the file. */
typedef struct file_table {
    const char *name;
    void **array;
    size_t *count;
    size_t extra; /* elements beyond the count: the end of the last group */
    size_t element_bytes;
    int counted; /* the count is that of the table before it */
} file_table;

#define TABLE_COUNT 7

static void list_tables(rw_street_tables *tables, file_table list[TABLE_COUNT])
{
    const file_table all[TABLE_COUNT] = {
        {"outdoor", (void **)&tables->outdoor, &tables->outdoor_bytes, 0, sizeof *tables->outdoor, 0},
        {"link_firsts", (void **)&tables->link_firsts, &tables->corner_count, 1, sizeof *tables->link_firsts, 0},
        {"link_to", (void **)&tables->link_to, &tables->link_count, 0, sizeof *tables->link_to, 0},
        {"link_highest", (void **)&tables->link_highest, &tables->link_count, 0, sizeof *tables->link_highest, 1},
        {"entry_firsts", (void **)&tables->entry_firsts, &tables->chunk_count, 1, sizeof *tables->entry_firsts, 0},
        {"entry_corner", (void **)&tables->entry_corner, &tables->entry_count, 0, sizeof *tables->entry_corner, 0},
        {"heights", (void **)&tables->heights, &tables->entry_count, 0, RW_CHUNK * sizeof *tables->heights, 1}};
    memcpy(list, all, sizeof all);
}

rw_status rw_street_tables_write(const rw_scene *scene, const char *path, const rw_street_tables *tables)
{
    rw_street_tables copy = *tables;
    file_table list[TABLE_COUNT];
    rw_container_writer writer;
    RW_TRY(rw_container_begin(scene->context, path, &rw_corner_database_kind, rw_scene_identity(scene), 0, &writer));
    rw_status status = rw_container_write(&writer, "subject", 0, sizeof tables->subject, 1, &tables->subject);
    list_tables(&copy, list);
    for (int i = 0; i < TABLE_COUNT && status == RW_OK; i++)
        status = rw_container_write(&writer, list[i].name, 0, list[i].element_bytes, *list[i].count + list[i].extra,
                                    *list[i].array);
    if (status == RW_OK)
        return rw_container_commit(&writer);
    rw_container_abandon(&writer);
    return status;
}

/* The cells, and a bit for each: so a small file cannot claim more receivers than it has bits. */
static int cells_hold(const rw_street_tables *tables)
{
    const rw_street_subject *subject = &tables->subject;
    uint64_t outdoor = 0;
    if (!rw_is_cell_size(subject->res_m) || !rw_is_coordinate(subject->x0_m) || !rw_is_coordinate(subject->y0_m) ||
        !rw_is_altitude(subject->height_m) || subject->columns == 0 || subject->rows > UINT32_MAX / subject->columns ||
        tables->outdoor_bytes != (subject->columns * subject->rows + 7) / 8)
        return 0;
    for (size_t i = 0; i < tables->outdoor_bytes; i++)
        for (unsigned bits = tables->outdoor[i]; bits; bits &= bits - 1)
            outdoor++;
    return tables->chunk_count == (outdoor + RW_CHUNK - 1) / RW_CHUNK;
}

/* Firsts that rise from 0 to count, and numbers of corners that exist. */
static int groups_hold(const uint32_t *firsts, uint64_t groups, const uint32_t *corners, uint64_t count,
                       uint64_t corner_count)
{
    int holds = firsts[0] == 0 && firsts[groups] == count;
    for (uint64_t i = 0; i < groups && holds; i++)
        holds = firsts[i] <= firsts[i + 1];
    for (uint64_t i = 0; i < count && holds; i++)
        holds = corners[i] < corner_count;
    return holds;
}

/* Altitudes of what stands between corners; the lowest is that of nothing. */
static int heights_hold(const rw_street_tables *tables)
{
    return rw_find_outside_float(tables->link_highest, tables->link_count, -INFINITY, RW_HEIGHT_MAX_M) ==
           tables->link_count;
}

static rw_status check_tables(const rw_container *container, const rw_street_tables *tables)
{
    const size_t max_count = UINT32_MAX / RW_CHUNK;
    if (!cells_hold(tables))
        return rw_container_damaged(container, "subject");
    if (tables->corner_count >= max_count || tables->link_count >= UINT32_MAX ||
        !groups_hold(tables->link_firsts, tables->corner_count, tables->link_to, tables->link_count,
                     tables->corner_count))
        return rw_container_damaged(container, "link_to");
    if (!heights_hold(tables))
        return rw_container_damaged(container, "link_highest");
    if (tables->chunk_count >= max_count || tables->entry_count >= max_count ||
        !groups_hold(tables->entry_firsts, tables->chunk_count, tables->entry_corner, tables->entry_count,
                     tables->corner_count))
        return rw_container_damaged(container, "entry_corner");
    return RW_OK;
}

static rw_status read_tables(rw_container *container, rw_street_tables *tables)
{
    file_table list[TABLE_COUNT];
    RW_TRY(rw_container_get_one(container, "subject", 0, sizeof tables->subject, &tables->subject));
    list_tables(tables, list);
    for (int i = 0; i < TABLE_COUNT; i++) {
        size_t count;
        RW_TRY(rw_container_copy(container, list[i].name, 0, list[i].element_bytes, list[i].array, &count));
        if (count < list[i].extra || (list[i].counted && count != *list[i].count))
            return rw_container_damaged(container, list[i].name);
        *list[i].count = count - list[i].extra;
    }
    return check_tables(container, tables);
}

rw_status rw_street_tables_read(rw_context *context, const char *path, const rw_scene *scene, rw_street_tables *tables)
{
    rw_container container;
    *tables = (rw_street_tables){0};
    RW_TRY(rw_container_open(context, path, &rw_corner_database_kind, &container));
    tables->bytes = (double)container.size;
    rw_status status = scene ? rw_container_check_scene(&container, rw_scene_identity(scene)) : RW_OK;
    if (status == RW_OK)
        status = read_tables(&container, tables);
    rw_container_close(&container);
    if (status != RW_OK)
        rw_street_tables_free(tables);
    return status;
}
