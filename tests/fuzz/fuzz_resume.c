/* Tile databases that an earlier run left unfinished, from any bytes: the run that resumes them ends with a database,
 * or refuses. Without hashes that database may be damaged too; then loading it is refused. */
#include "target.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    rw_preprocess_options options;
    rw_database *database = NULL;
    uint8_t *adopted = fuzz_adopt(bytes, size, fuzz_houses());
    fuzz_write("tiles.rwdb.unfinished", adopted, size);
    free(adopted);
    rw_preprocess_options_init(&options);
    options.model = "tiles";
    options.tile_area_m2 = 100;
    rw_status status = rw_preprocess(fuzz_houses(), &options, fuzz_path("tiles.rwdb"));
    fuzz_check(status);
    if (status == RW_OK)
        fuzz_check(rw_database_load(fuzz_houses(), fuzz_path("tiles.rwdb"), &database));
    rw_database_destroy(database);
    fuzz_remove("tiles.rwdb");
    fuzz_remove("tiles.rwdb.unfinished");
    return 0;
}
