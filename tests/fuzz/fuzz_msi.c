/* MSI antenna files from any bytes; where one is read, its gain must be a number in every direction. */
#include "target.h"

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    rw_antenna *antenna = NULL;
    fuzz_check(rw_antenna_create(fuzz_context(), fuzz_write("antenna.msi", bytes, size), &antenna));
    for (int i = 0; antenna && i < 500; i++)
        if (!isfinite(rw_antenna_gain_dbi(antenna, 1.7 * i, 3.1 * i)))
            abort();
    rw_antenna_destroy(antenna);
    fuzz_remove("antenna.msi");
    return 0;
}
