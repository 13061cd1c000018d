/* Tile databases of the scene before a change, from any bytes: the database that is made of them can be loaded, or they
 * are refused. */
#include "target.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char old_path[512];
    rw_preprocess_options options;
    rw_database *database = NULL;
    uint8_t *adopted = fuzz_adopt(bytes, size, fuzz_houses());
    snprintf(old_path, sizeof old_path, "%s", fuzz_write("old.rwdb", adopted, size));
    free(adopted);
    rw_preprocess_options_init(&options);
    options.model = "tiles";
    options.tile_area_m2 = 100;
    options.update = old_path;
    rw_status status = rw_preprocess(fuzz_houses(), &options, fuzz_path("tiles.rwdb"));
    fuzz_check(status);
    if (status == RW_OK && rw_database_load(fuzz_houses(), fuzz_path("tiles.rwdb"), &database) != RW_OK)
        abort();
    rw_database_destroy(database);
    fuzz_remove("tiles.rwdb");
    fuzz_remove("old.rwdb");
    return 0;
}
