/* rw_calc_air and rw_calc_foliage. */
#include "field/calc/calc.h"

#include "base/maths/elementary.h"
#include "base/options.h"
#include "field/air/foliage.k.h"
#include "field/air/air.h"

#include <math.h>

void rw_air_options_init_sized(rw_air_options *options, size_t size)
{
    const rw_air_options own = {
        .freq_hz = 10e9, .temperature_c = 15, .dry_pressure_hpa = 1013.25, .vapour_g_m3 = 7.5, .tilt_deg = 90};
    rw_defaults_copy(&own, sizeof own, options, size);
}

static rw_status check_air_options(rw_context *context, const rw_air_options *options)
{
    RW_TRY(rw_calc_check_freq(context, options->freq_hz));
    RW_TRY(rw_calc_check_range(context, options->rain_mm_h, 0, 500, "the rain", "mm/h"));
    RW_TRY(rw_calc_check_range(context, options->temperature_c, -100, 60, "the temperature", "degrees Celsius"));
    RW_TRY(rw_calc_check_range(context, options->dry_pressure_hpa, 1, 1200, "the pressure", "hPa"));
    RW_TRY(rw_calc_check_range(context, options->vapour_g_m3, 0, 100, "the water vapour", "g/m3"));
    RW_TRY(rw_calc_check_range(context, options->elevation_deg, -90, 90, "the elevation", "degrees"));
    return rw_calc_check_range(context, options->tilt_deg, -360, 360, "the tilt", "degrees");
}

rw_status rw_calc_air(rw_context *context, const rw_air_options *user_options, rw_air_result *result)
{
    rw_air_options options;
    rw_air_result air_result = {.size = sizeof air_result};
    rw_air_options_init(&options);
    RW_TRY(RW_RESOLVE(context, user_options, &options));
    RW_TRY(check_air_options(context, &options));
    rw_air_state air = {options.temperature_c + 273.15, options.dry_pressure_hpa, options.vapour_g_m3};
    double radians = RW_PI / 180;
    rw_rain_law law = rw_rain_law_of(options.freq_hz, options.elevation_deg * radians, options.tilt_deg * radians);
    air_result.oxygen_db_km = rw_oxygen_db_km(options.freq_hz, &air);
    air_result.vapour_db_km = rw_vapour_db_km(options.freq_hz, &air);
    air_result.rain_db_km = rw_rain_db_km(law, options.rain_mm_h);
    air_result.rain_k = law.k;
    air_result.rain_alpha = law.alpha;
    air_result.total_db_km = air_result.oxygen_db_km + air_result.vapour_db_km + air_result.rain_db_km;
    return RW_ASSIGN(context, &air_result, result);
}

rw_status rw_calc_foliage(rw_context *context, double depth_m, double freq_hz, rw_foliage_result *result)
{
    rw_foliage_result foliage_result = {.size = sizeof foliage_result};
    RW_TRY(rw_calc_check_freq(context, freq_hz));
    RW_TRY(rw_calc_check_range(context, depth_m, 0, 1e6, "the depth", "m"));
    if (freq_hz > 6e9)
        rw_warn(context, "%g GHz is far above 2.1 GHz, to which the loss of trees was measured", freq_hz * 1e-9);
    rw_foliage_law law = rw_foliage_law_of(freq_hz);
    foliage_result.loss_db = rw_foliage_loss_db(law, depth_m);
    foliage_result.db_per_m = law.db_per_m;
    foliage_result.max_db = law.max_db;
    return RW_ASSIGN(context, &foliage_result, result);
}
