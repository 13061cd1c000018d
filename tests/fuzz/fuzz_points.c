/* Points and routes from any bytes: CSV, GPX and GeoJSON, which are told apart by their content; by their times, and
 * with a speed. */
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const char *path = fuzz_write("route", bytes, size);
    for (int turn = 0; turn < 2; turn++) {
        rw_points_options options;
        rw_point *points = NULL;
        rw_motion *motions = NULL;
        size_t count;
        rw_points_options_init(&options);
        options.speed_m_s = turn;
        options.to_crs = turn ? "EPSG:32632" : NULL;
        fuzz_check(rw_points_load(fuzz_context(), path, &options, &points, &motions, &count));
        rw_free(points);
        rw_free(motions);
    }
    fuzz_remove("route");
    return 0;
}
