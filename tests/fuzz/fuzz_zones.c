/* Polygons of zones from any bytes: statistics of a map by them, and a map that they limit. */
#include "target.h"

#include <string.h>

/* A map of the two houses, made once. */
static const rw_map *small_map(void)
{
    static rw_map *map;
    rw_predict_options options;
    rw_transmitter transmitter;
    if (map)
        return map;
    rw_predict_options_init(&options);
    rw_transmitter_init(&transmitter);
    options.transmitters = &transmitter;
    options.transmitter_count = 1;
    options.effects = "none";
    options.res_m = 5;
    fuzz_check(rw_predict(fuzz_houses(), &options, &map));
    return map;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char path[4096];
    rw_zone_options options;
    rw_zone_table *table = NULL;
    strncpy(path, fuzz_write("zones.geojson", bytes, size), sizeof path - 1);
    path[sizeof path - 1] = 0;
    rw_zone_options_init(&options);
    options.zones = path;
    options.level = 80;
    fuzz_check(rw_map_zone_statistics(small_map(), &options, &table));
    rw_zone_table_destroy(table);
    rw_predict_options limited;
    rw_predict_options_init(&limited);
    limited.effects = "none";
    limited.res_m = 20;
    limited.zone = path;
    fuzz_predict(fuzz_houses(), &limited, 0, 0);
    fuzz_remove("zones.geojson");
    return 0;
}
