/* PLY meshes and values on tiles from any bytes. */
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    rw_tile_map *map;
    fuzz_scene("input.ply", "ply", bytes, size);
    fuzz_check(rw_tile_map_read(fuzz_context(), fuzz_write("tiles.ply", bytes, size), &map));
    rw_tile_map_destroy(map);
    fuzz_remove("tiles.ply");
    return 0;
}
