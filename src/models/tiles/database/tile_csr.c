/* Tile visibility for callers: which tiles a tile sees, and the whole matrix in compressed sparse rows, as Lu and
 * others (2019, section III.B) store it. */
#include "base/memory.h"
#include "discretise/prepared.h"
#include "ext/hdf5.h"
#include "models/tiles/database/database.h"

#include <stdlib.h>
#include <string.h>

static rw_status find_tiles(const rw_database *database, const rw_tile_database **content)
{
    if (database->model != &rw_model_tiles)
        return rw_fail(database->scene->context, RW_BAD_CALL,
                       "the database is of model %s and knows no tiles: make one with preprocess, model tiles",
                       database->model->name);
    *content = rw_tile_database_of(database);
    return RW_OK;
}

static rw_status find_database_tile(const rw_database *database, size_t tile, const rw_tile_database **content)
{
    RW_TRY(find_tiles(database, content));
    if (tile < (*content)->tiles.view.tile_count)
        return RW_OK;
    return rw_fail(database->scene->context, RW_BAD_CALL, "the database has %u tiles, none has number %zu",
                   (*content)->tiles.view.tile_count, tile);
}

rw_status rw_database_tile_sees(const rw_database *database, size_t tile, size_t other, int *sees)
{
    const rw_tile_database *content = NULL;
    RW_TRY(find_database_tile(database, tile, &content));
    RW_TRY(find_database_tile(database, other, &content));
    *sees = rw_tile_sees(&content->sight.view, (uint32_t)tile, (uint32_t)other);
    return RW_OK;
}

/* The row of a tile; entries beyond capacity are counted alone. */
static size_t list_row(const rw_tile_sight_view *sight, size_t tile, uint32_t *tiles, size_t capacity)
{
    size_t count = 0;
    for (uint64_t word = sight->firsts[tile]; word < sight->firsts[tile + 1]; word++)
        for (uint32_t bit = 0; bit < RW_TILE_BLOCK; bit++) {
            if (!(sight->masks[word] >> bit & 1u))
                continue;
            if (count < capacity)
                tiles[count] = sight->blocks[word] * RW_TILE_BLOCK + bit;
            count++;
        }
    return count;
}

rw_status rw_database_tiles_seen(const rw_database *database, size_t tile, uint32_t *tiles, size_t capacity,
                                 size_t *count)
{
    const rw_tile_database *content = NULL;
    RW_TRY(find_database_tile(database, tile, &content));
    *count = list_row(&content->sight.view, tile, tiles, capacity);
    return RW_OK;
}

/* The columns of the file. */
typedef struct csr_columns {
    uint64_t *indptr;
    uint32_t *indices;
    double *centres_m, *normals;
    float *areas_m2;
    uint8_t *kinds;
    uint32_t *buildings;
} csr_columns;

static void free_csr_columns(csr_columns *columns)
{
    void *arrays[] = {columns->indptr,   columns->indices, columns->centres_m, columns->normals,
                      columns->areas_m2, columns->kinds,   columns->buildings};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
}

static rw_status allocate_csr_columns(rw_context *context, size_t tiles, uint64_t entries, csr_columns *columns)
{
    RW_TRY(rw_array_create(context, tiles + 1, sizeof *columns->indptr, "rows", &columns->indptr));
    RW_TRY(rw_array_create(context, entries + 1, sizeof *columns->indices, "rows", &columns->indices));
    RW_TRY(rw_array_create(context, 3 * tiles, sizeof *columns->centres_m, "tiles", &columns->centres_m));
    RW_TRY(rw_array_create(context, 3 * tiles, sizeof *columns->normals, "tiles", &columns->normals));
    RW_TRY(rw_array_create(context, tiles, sizeof *columns->areas_m2, "tiles", &columns->areas_m2));
    RW_TRY(rw_array_create(context, tiles, sizeof *columns->kinds, "tiles", &columns->kinds));
    return rw_array_create(context, tiles, sizeof *columns->buildings, "tiles", &columns->buildings);
}

static void fill_columns(const rw_scene *scene, const rw_tile_database *content, csr_columns *columns)
{
    const rw_tiles_view *view = &content->tiles.view;
    rw_vec2 origin = rw_vec2_add(scene->origin, scene->prepared->grid.centre);
    for (size_t i = 0; i < view->tile_count; i++) {
        const rw_tile *tile = &view->tiles[i];
        const double centre_m[3] = {tile->centre.x + origin.x, tile->centre.y + origin.y, tile->centre.z};
        const double normal[3] = {tile->normal.x, tile->normal.y, tile->normal.z};
        memcpy(columns->centres_m + 3 * i, centre_m, sizeof centre_m);
        memcpy(columns->normals + 3 * i, normal, sizeof normal);
        columns->areas_m2[i] = tile->area_m2;
        columns->kinds[i] = (uint8_t)view->surfaces[tile->surface].kind;
        columns->buildings[i] = view->surfaces[tile->surface].building;
        columns->indptr[i + 1] =
            columns->indptr[i] + list_row(&content->sight.view, i, columns->indices + columns->indptr[i], SIZE_MAX);
    }
}

static rw_status write_columns(const rw_scene *scene, size_t tiles, uint64_t entries, const csr_columns *columns,
                               const char *path)
{
    const rw_hdf5_dataset sets[] = {
        {"indptr",
         NULL,
         "where the row of each tile begins in indices",
         RW_HDF5_UINT64,
         1,
         {tiles + 1},
         columns->indptr,
         1},
        {"indices", NULL, "tiles that the tile of the row sees", RW_HDF5_UINT32, 1, {entries}, columns->indices, 1},
        {"centre", "m", "in the scene's coordinates", RW_HDF5_FLOAT64, 2, {tiles, 3}, columns->centres_m, 1},
        {"normal", NULL, "outward", RW_HDF5_FLOAT64, 2, {tiles, 3}, columns->normals, 1},
        {"area", "m2", NULL, RW_HDF5_FLOAT32, 1, {tiles}, columns->areas_m2, 1},
        {"kind", NULL, "0 wall, 1 roof, 2 ground", RW_HDF5_UINT8, 1, {tiles}, columns->kinds, 1},
        {"building", NULL, "0: none", RW_HDF5_UINT32, 1, {tiles}, columns->buildings, 1}};
    const rw_hdf5_attribute attributes[] = {{"crs", rw_scene_crs(scene), 0}, {"version", rw_version(), 0}};
    return rw_hdf5_write(scene->context, path, sets, sizeof sets / sizeof *sets, attributes, 2);
}

rw_status rw_database_write_csr(const rw_database *database, const char *path)
{
    const rw_tile_database *content = NULL;
    csr_columns columns = {0};
    RW_TRY(find_tiles(database, &content));
    size_t tiles = content->tiles.view.tile_count;
    rw_status status = allocate_csr_columns(database->scene->context, tiles, content->entry_count, &columns);
    if (status == RW_OK) {
        fill_columns(database->scene, content, &columns);
        status = write_columns(database->scene, tiles, content->entry_count, &columns, path);
    }
    free_csr_columns(&columns);
    return status;
}
