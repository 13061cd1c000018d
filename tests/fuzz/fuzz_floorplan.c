/* Floor plans from any bytes: walls.csv, and after lines "---" slabs.csv and materials.csv. */
#include "target.h"

#include <string.h>

/* The length of the text before the next separator; behind receives what follows it, NULL for nothing. */
static size_t split(const uint8_t *bytes, size_t size, const uint8_t **behind)
{
    static const char separator[] = "\n---\n";
    size_t length = strlen(separator);
    for (size_t i = 0; i + length <= size; i++)
        if (memcmp(bytes + i, separator, length) == 0) {
            *behind = bytes + i + length;
            return i + 1;
        }
    *behind = NULL;
    return size;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const uint8_t *end = bytes + size, *slabs, *materials = NULL;
    size_t walls_size = split(bytes, size, &slabs);
    if (slabs) {
        size_t slabs_size = split(slabs, (size_t)(end - slabs), &materials);
        fuzz_write("slabs.csv", slabs, slabs_size);
    }
    if (materials)
        fuzz_write("materials.csv", materials, (size_t)(end - materials));
    fuzz_scene("walls.csv", "floorplan", bytes, walls_size);
    fuzz_remove("slabs.csv");
    fuzz_remove("materials.csv");
    return 0;
}
