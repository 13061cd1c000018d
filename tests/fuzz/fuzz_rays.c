/* Kept rays from any bytes: what is read makes a map or is refused with a sentence. */
#include "target.h"

#include "base/container.h"

#include <stdlib.h>

static void set_options(rw_predict_options *options)
{
    rw_predict_options_init_for(options, "tiles");
    options->res_m = 20;
    options->memory_bytes = 7.5e6;
    options->area_m[0] = options->area_m[1] = 0;
    options->area_m[2] = options->area_m[3] = 40;
    options->depth = 1;
    options->tile_area_m2 = 400;
    options->cells = "exact";
}

/* A file as the program writes it now is accepted, and its version is that of the inputs. */
static const rw_container_header *write_current(void)
{
    static rw_container_header current;
    rw_predict_options options;
    if (current.magic[0])
        return &current;
    set_options(&options);
    options.reuse = fuzz_path("current.rwrays");
    for (int run = 0; run < 2; run++) /* written, and read */
        if (fuzz_predict(fuzz_houses(), &options, 5, 5) != RW_OK)
            abort();
    fuzz_read_current("current.rwrays", &current);
    fuzz_remove("current.rwrays");
    return &current;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    rw_predict_options options;
    uint8_t *adopted = fuzz_adopt_version(bytes, size, fuzz_houses(), write_current());
    set_options(&options);
    options.reuse = fuzz_write("kept.rwrays", adopted, size);
    fuzz_predict(fuzz_houses(), &options, 5, 5);
    fuzz_remove("kept.rwrays");
    free(adopted);
    return 0;
}
