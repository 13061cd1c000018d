/* Parts of a network (a block of cells and a group of sites), from any bytes: the merge makes rasters of them or
 * rejects them with a message. */
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_merge("parts/block1-group1.part", bytes, size);
    return 0;
}
