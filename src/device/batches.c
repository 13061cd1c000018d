#include "device/device.h"

#include <stdint.h>

rw_status rw_batches_run(size_t first, size_t end, size_t *size, rw_batch_fn run, void *user)
{
    while (first < end) {
        size_t count = end - first < *size ? end - first : *size;
        rw_batch_fill_fn fill = RW_BATCH_FITS;
        RW_TRY(run(user, first, count, &fill));
        if (fill == RW_BATCH_FULL) {
            *size = count > 1 ? count / 2 : 1;
            continue;
        }
        if (fill == RW_BATCH_SPARSE && count == *size)
            *size = count < SIZE_MAX / 2 ? 2 * count : SIZE_MAX;
        first += count;
    }
    return RW_OK;
}
