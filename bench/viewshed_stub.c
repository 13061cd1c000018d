#include "bench/bench.h"

rw_status rw_gdal_viewshed(rw_context *context, const rw_gdal_viewshed_options *options, unsigned char *visible,
                           double *seconds)
{
    (void)options, (void)visible, (void)seconds;
    return rw_fail(context, RW_UNSUPPORTED, "this build has no GDAL, whose viewshed is compared with");
}
