/* Kept beams from any bytes: what is read makes a map or is refused with a sentence. */
#include "target.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    rw_predict_options options;
    uint8_t *adopted = fuzz_adopt(bytes, size, fuzz_wall());
    rw_predict_options_init_for(&options, "beams");
    options.res_m = 20;
    options.memory_bytes = 1e6;
    options.area_m[0] = options.area_m[1] = 0;
    options.area_m[2] = options.area_m[3] = 40;
    options.reflections = 1;
    options.reuse = fuzz_write("kept.rwbeams", adopted, size);
    fuzz_predict(fuzz_wall(), &options, 11, 8);
    fuzz_remove("kept.rwbeams");
    free(adopted);
    return 0;
}
