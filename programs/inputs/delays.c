/* Histograms of delays of a point, from the file that predict --delay-bins writes. */
#include "inputs/inputs.h"

int read_delay_profile(struct call *call, const char *path, const struct point_list *points, const char *crs,
                       int transmitter, rw_delay_profile *profile)
{
    if (points->count != 1)
        return report_error("a histogram of delays is of one point: give --at X,Y once");
    TRY(check_transmitter_number(transmitter));
    profile->size = sizeof *profile;
    double at[2] = {points->items[0].x_m, points->items[0].y_m};
    if (call->points_crs && !crs)
        return report_error("--points-crs needs the coordinate system of the map: --crs EPSG:n");
    TRY(transform_points(call, crs, "--at", at, 1));
    TRY_RW(call, rw_delay_profile_read(call->context, path, at[0], at[1], transmitter > 0 ? (size_t)transmitter - 1 : 0,
                                       profile));
    return 0;
}
