/* Tile databases of the scene before a change, from any bytes: the database that is made of them can be loaded, or they
 * are refused. */
#include "target.h"

#include "base/container.h"

#include <stdio.h>
#include <stdlib.h>

static void set_options(rw_preprocess_options *options)
{
    rw_preprocess_options_init(options);
    options->model = "tiles";
    options->tile_area_m2 = 100;
}

/* A database as the program writes it now is accepted, and its version is that of the inputs. */
static const rw_container_header *write_current(void)
{
    static rw_container_header current;
    char path[512];
    rw_preprocess_options options;
    if (current.magic[0])
        return &current;
    set_options(&options);
    snprintf(path, sizeof path, "%s", fuzz_path("current.rwdb"));
    if (rw_preprocess(fuzz_houses(), &options, path) != RW_OK)
        abort();
    options.update = path;
    if (rw_preprocess(fuzz_houses(), &options, fuzz_path("tiles.rwdb")) != RW_OK)
        abort();
    fuzz_read_current("current.rwdb", &current);
    fuzz_remove("current.rwdb");
    fuzz_remove("tiles.rwdb");
    return &current;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char old_path[512];
    rw_preprocess_options options;
    rw_database *database = NULL;
    uint8_t *adopted = fuzz_adopt_version(bytes, size, fuzz_houses(), write_current());
    snprintf(old_path, sizeof old_path, "%s", fuzz_write("old.rwdb", adopted, size));
    free(adopted);
    set_options(&options);
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
