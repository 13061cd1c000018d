/* COST 231 building files from any bytes. */
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_scene("input.res", "cost231", bytes, size);
    return 0;
}
