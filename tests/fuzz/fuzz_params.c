/* Parameter files from any bytes: what is read is within bounds and physical, and is the same after saving. */
#include "target.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void check_same(const rw_params *a, const rw_params *b)
{
    rw_parameter left = {.size = sizeof left}, right = {.size = sizeof right};
    if (rw_params_count(a) != rw_params_count(b))
        abort();
    for (size_t i = 0; i < rw_params_count(a); i++) {
        if (rw_params_get(a, i, &left) != RW_OK || rw_params_get(b, i, &right) != RW_OK)
            abort();
        if (!(left.value >= left.low && left.value <= left.high) || left.value != right.value)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    rw_params *params = NULL, *again = NULL;
    const char *path = fuzz_write("params.json", bytes, size);
    rw_status status = rw_params_load(fuzz_context(), path, &params);
    fuzz_check(status);
    if (status == RW_OK) {
        status = rw_params_save(params, path);
        fuzz_check(status);
        if (status != RW_OK || rw_params_load(fuzz_context(), path, &again) != RW_OK)
            abort();
        check_same(params, again);
    }
    rw_params_destroy(params);
    rw_params_destroy(again);
    fuzz_remove("params.json");
    return 0;
}
