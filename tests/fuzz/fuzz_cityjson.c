/* CityJSON files from any bytes. */
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_scene("input.json", "cityjson", bytes, size);
    return 0;
}
