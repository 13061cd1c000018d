/* Tile databases from any bytes, and the same bytes as the code of rows: what is read is sound, and makes a map. */
#include "target.h"
#include "models/tiles/database/database.h"

#include <stdlib.h>

static void decode(const uint8_t *bytes, size_t size)
{
    rw_tile_half half = {0};
    int valid;
    uint32_t rows = size ? 1 + bytes[0] % 40u : 1, tiles = rows + (size > 1 ? bytes[1] : 0);
    size_t skip = size < 2 ? size : 2;
    rw_status status = rw_tile_rows_decode(fuzz_context(), bytes + skip, size - skip, rows, tiles, &half, &valid);
    fuzz_check(status);
    for (uint32_t row = 0; status == RW_OK && valid && row < rows; row++)
        for (uint64_t i = half.firsts.items[row]; i < half.firsts.items[row + 1]; i++)
            if (half.blocks.items[i] * RW_TILE_BLOCK >= tiles || !half.masks.items[i])
                abort();
    rw_tile_half_free(&half);
}

static void predict(rw_database *database)
{
    rw_predict_options options;
    rw_predict_options_init_for(&options, "tiles");
    options.res_m = 20;
    options.memory_bytes = 16e6;
    options.area_m[0] = options.area_m[1] = 0;
    options.area_m[2] = options.area_m[3] = 40;
    options.depth = 1;
    options.database = database;
    fuzz_predict(fuzz_houses(), &options, 5, 5);
}

static void load(const uint8_t *bytes, size_t size)
{
    rw_database_info info = {.size = sizeof info};
    rw_database *database = NULL;
    rw_stored_file *file;
    const char *path = fuzz_write("tiles.rwdb", bytes, size);
    fuzz_check(rw_database_read_info(fuzz_context(), path, &info));
    fuzz_check(rw_database_load(fuzz_houses(), path, &database));
    fuzz_check(rw_stored_file_open(fuzz_context(), path, &file));
    rw_stored_file_close(file);
    if (database)
        predict(database);
    rw_database_destroy(database);
    fuzz_remove("tiles.rwdb");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    uint8_t *adopted = fuzz_adopt(bytes, size, fuzz_houses());
    load(adopted, size);
    free(adopted);
    decode(bytes, size);
    return 0;
}
