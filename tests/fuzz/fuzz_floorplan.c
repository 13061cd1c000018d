/* Floor plans from any bytes: walls.csv, and after lines "---" slabs.csv and materials.csv. */
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const uint8_t *end = bytes + size, *slabs, *materials = NULL;
    size_t walls_size = fuzz_split(bytes, size, &slabs);
    if (slabs) {
        size_t slabs_size = fuzz_split(slabs, (size_t)(end - slabs), &materials);
        fuzz_write("slabs.csv", slabs, slabs_size);
    }
    if (materials)
        fuzz_write("materials.csv", materials, (size_t)(end - materials));
    fuzz_scene("walls.csv", "floorplan", bytes, walls_size);
    fuzz_remove("slabs.csv");
    fuzz_remove("materials.csv");
    return 0;
}
