/* Kept beams from any bytes, as they are and with right hashes: what is read makes a map or is refused with a
 * sentence. */
#include "target.h"

#include <stdlib.h>

static void predict(const uint8_t *bytes, size_t size)
{
    rw_transmitter transmitter;
    rw_predict_options options;
    rw_map *map;
    rw_transmitter_init(&transmitter);
    transmitter.x_m = 11;
    transmitter.y_m = 8;
    transmitter.height_m = 5;
    rw_predict_options_init(&options);
    options.model = "beams";
    options.transmitters = &transmitter;
    options.transmitter_count = 1;
    options.res_m = 10;
    options.area_m[2] = options.area_m[3] = 40;
    options.reflections = 1;
    options.reuse = fuzz_write("kept.rwbeams", bytes, size);
    fuzz_check(rw_predict(fuzz_wall(), &options, &map));
    rw_map_destroy(map);
    fuzz_remove("kept.rwbeams");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    uint8_t *forged = fuzz_forge(bytes, size, fuzz_wall());
    predict(bytes, size);
    predict(forged, size);
    free(forged);
    return 0;
}
