/* Corner databases from any bytes: what is read makes a map or is refused with a sentence. */
#include "target.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    rw_database *database;
    rw_database_info info = {.size = sizeof info};
    rw_predict_options options;
    uint8_t *adopted = fuzz_adopt(bytes, size, fuzz_houses());
    const char *path = fuzz_write("corners.rwdb", adopted, size);
    rw_status status = rw_database_load(fuzz_houses(), path, &database);
    fuzz_check(status);
    fuzz_check(rw_database_read_info(fuzz_context(), path, &info));
    fuzz_remove("corners.rwdb");
    free(adopted);
    if (status != RW_OK)
        return 0;
    rw_predict_options_init(&options);
    options.res_m = 10;
    options.area_m[0] = options.area_m[1] = 0;
    options.area_m[2] = options.area_m[3] = 40;
    options.database = database;
    options.freq_hz = 2e9;
    options.params = fuzz_params();
    fuzz_predict(fuzz_houses(), &options, 5, 5);
    rw_database_destroy(database);
    return 0;
}
