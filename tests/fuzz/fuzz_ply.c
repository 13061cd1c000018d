/* PLY meshes from any bytes. */
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_scene("input.ply", "ply", bytes, size);
    return 0;
}
