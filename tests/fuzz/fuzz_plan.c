/* Layouts of a network run, from any bytes: the merge makes rasters of them or rejects them with a message. */
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_merge("parts/plan", bytes, size);
    return 0;
}
