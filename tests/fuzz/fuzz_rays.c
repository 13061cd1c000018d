/* Kept rays from any bytes: what is read makes a map or is refused with a sentence. */
#include "target.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    rw_predict_options options;
    uint8_t *adopted = fuzz_adopt(bytes, size, fuzz_houses());
    rw_predict_options_init_for(&options, "tiles");
    options.res_m = 20;
    options.memory_bytes = 7.5e6;
    options.area_m[0] = options.area_m[1] = 0;
    options.area_m[2] = options.area_m[3] = 40;
    options.depth = 1;
    options.tile_area_m2 = 400;
    options.cells = "exact";
    options.reuse = fuzz_write("kept.rwrays", adopted, size);
    fuzz_predict(fuzz_houses(), &options, 5, 5);
    fuzz_remove("kept.rwrays");
    free(adopted);
    return 0;
}
