/* Sites tables, and with them the reader of all tables, from any bytes. */
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    rw_transmitter *sites = NULL;
    size_t count;
    fuzz_check(rw_sites_load(fuzz_context(), fuzz_write("sites.csv", bytes, size), &sites, &count));
    rw_free(sites);
    fuzz_remove("sites.csv");
    return 0;
}
