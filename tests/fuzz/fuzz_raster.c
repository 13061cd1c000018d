/* Height rasters and maps from any bytes, through GDAL: terrain under a house, and a map that is drawn. */
#include "target.h"

#include <stdlib.h>

static void put_under_house(const char *path)
{
    static const double outline[] = {10, 10, 25, 10, 25, 22, 10, 22};
    const size_t ring = 4;
    rw_building building = {
        .size = sizeof building, .xy = outline, .ring_sizes = &ring, .ring_count = 1, .roof_height_m = 12};
    rw_scene *scene;
    if (rw_scene_create(fuzz_context(), &scene) != RW_OK || rw_scene_add_building(scene, &building) != RW_OK)
        abort();
    fuzz_check(rw_scene_read_terrain(scene, path));
    fuzz_use_scene(scene);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    rw_map *map = NULL;
    put_under_house(fuzz_write("input.tif", bytes, size));
    fuzz_check(rw_map_read(fuzz_context(), fuzz_path("input.tif"), &map));
    rw_map_destroy(map);
    fuzz_remove("input.tif");
    return 0;
}
