/* Corner databases from any bytes, as they are and with right hashes: what is read makes a map or is refused with a
 * sentence. */
#include "target.h"

#include <stdlib.h>

/* A house: four corners. */
static rw_scene *house(void)
{
    static rw_scene *scene;
    static const double outline[] = {10, 10, 25, 10, 25, 22, 10, 22};
    if (scene)
        return scene;
    const size_t ring = 4;
    rw_building building = {
        .size = sizeof building, .xy = outline, .ring_sizes = &ring, .ring_count = 1, .roof_height_m = 12};
    if (rw_scene_create(fuzz_context(), &scene) != RW_OK || rw_scene_add_building(scene, &building) != RW_OK ||
        rw_scene_commit(scene) != RW_OK)
        abort();
    return scene;
}

static void predict(const uint8_t *bytes, size_t size)
{
    rw_database *database;
    rw_database_info info = {.size = sizeof info};
    rw_transmitter transmitter;
    rw_predict_options options;
    rw_map *map;
    const char *path = fuzz_write("corners.rwdb", bytes, size);
    rw_status status = rw_database_load(house(), path, &database);
    fuzz_check(status);
    fuzz_check(rw_database_read_info(fuzz_context(), path, &info));
    fuzz_remove("corners.rwdb");
    if (status != RW_OK)
        return;
    rw_transmitter_init(&transmitter);
    transmitter.x_m = 5;
    transmitter.y_m = 5;
    transmitter.height_m = 5;
    rw_predict_options_init(&options);
    options.transmitters = &transmitter;
    options.transmitter_count = 1;
    options.res_m = 5;
    options.area_m[2] = options.area_m[3] = 40;
    options.database = database;
    fuzz_check(rw_predict(house(), &options, &map));
    rw_map_destroy(map);
    rw_database_destroy(database);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    uint8_t *forged = fuzz_forge(bytes, size, house());
    predict(bytes, size);
    predict(forged, size);
    free(forged);
    return 0;
}
