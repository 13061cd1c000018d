/* Floor plans as DXF drawings from any bytes. */
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_scene("plan.dxf", "dxf", bytes, size);
    return 0;
}
