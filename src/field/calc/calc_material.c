/* Materials by name, number or table, and the checks that all calls for one number share. */
#include "field/calc/calc.h"

#include "base/options.h"
#include "base/text/units.h"
#include "field/surfaces/material.k.h"
#include "scene/scene.h"

#include <math.h>
#include <string.h>

/* Where the formulas are meant to hold, and where they are answered at all. */
#define FREQ_MIN_HZ 100e6
#define FREQ_MAX_HZ 100e9
#define CALC_FREQ_MIN_HZ 1e6
#define CALC_FREQ_MAX_HZ 1e12
#define LENGTH_MIN_M 1e-6
#define LENGTH_MAX_M 1e9

rw_status rw_calc_check_freq(rw_context *context, double freq_hz)
{
    if (!(freq_hz >= CALC_FREQ_MIN_HZ && freq_hz <= CALC_FREQ_MAX_HZ))
        return rw_fail(context, RW_BAD_CALL, "the frequency is %g Hz; it must be from 1 MHz to 1 THz, as in 3.5GHz",
                       freq_hz);
    if (freq_hz < FREQ_MIN_HZ || freq_hz > FREQ_MAX_HZ)
        rw_warn(context, "%g GHz is outside 0.1 to 100 GHz, for which the formulas are meant", freq_hz * 1e-9);
    return RW_OK;
}

rw_status rw_calc_check_range(rw_context *context, double value, double low, double high, const char *what,
                              const char *unit)
{
    if (isfinite(value) && value >= low && value <= high)
        return RW_OK;
    return rw_fail(context, RW_BAD_CALL, "%s is %g %s; it must be from %g to %g", what, value, unit, low, high);
}

rw_status rw_calc_check_positive(rw_context *context, double value, const char *what)
{
    if (value >= LENGTH_MIN_M && value <= LENGTH_MAX_M)
        return RW_OK;
    return rw_fail(context, RW_BAD_CALL, "%s is %g m; it must be above 0 and at most 1e9", what, value);
}

/* "EPS,SIGMA" as a material of its own. Returns 0 where the text is no such pair. */
static int read_pair(const char *string, double *permittivity, double *conductivity_s_m)
{
    size_t used = rw_parse_number(string, permittivity);
    if (used == 0 || string[used] != ',')
        return 0;
    size_t more = rw_parse_number(string + used + 1, conductivity_s_m);
    return more > 0 && string[used + 1 + more] == 0;
}

static rw_status surface_of_pair(rw_context *context, const char *string, double freq_hz, rw_calc_surface *surface)
{
    double permittivity, conductivity_s_m;
    if (!read_pair(string, &permittivity, &conductivity_s_m))
        return rw_fail(context, RW_BAD_CALL,
                       "there is no material '%s'; write for example itu_concrete, pec or 5.2,0.03 (permittivity, S/m)",
                       string);
    if (!(permittivity >= 1.0 && permittivity <= 1e6) || !(conductivity_s_m >= 0.0 && conductivity_s_m <= 1e12))
        return rw_fail(context, RW_BAD_CALL, "material '%s': permittivity must be 1 or more, conductivity 0 or more",
                       string);
    surface->permittivity = rw_complex_permittivity(permittivity, conductivity_s_m, freq_hz);
    surface->conductivity_s_m = conductivity_s_m;
    surface->freq_max_hz = INFINITY;
    return RW_OK;
}

rw_status rw_calc_find_surface(rw_context *context, const char *material, double freq_hz, rw_calc_surface *surface)
{
    memset(surface, 0, sizeof *surface);
    if (!material || !*material)
        return rw_fail(context, RW_BAD_CALL, "no material is given; write for example itu_concrete");
    if (strcmp(material, "pec") == 0) {
        surface->perfect_conductor = 1;
        surface->permittivity = rw_complex_of(1.0, RW_PERMITTIVITY_CONDUCTOR_IM);
        surface->freq_max_hz = INFINITY;
        return RW_OK;
    }
    const rw_scene_material *row = rw_builtin_material_at(material, freq_hz);
    if (!row)
        return surface_of_pair(context, material, freq_hz, surface);
    surface->conductivity_s_m = rw_material_conductivity_s_m(row->c, row->d, freq_hz);
    surface->permittivity =
        rw_complex_permittivity(rw_material_permittivity(row->a, row->b, freq_hz), surface->conductivity_s_m, freq_hz);
    surface->perfect_conductor = row->perfect_conductor;
    surface->freq_min_hz = row->freq_min_hz;
    surface->freq_max_hz = row->freq_max_hz;
    if (freq_hz < row->freq_min_hz || freq_hz > row->freq_max_hz)
        rw_warn(context, "%s holds from %g to %g GHz, not at %g GHz", row->name, row->freq_min_hz * 1e-9,
                row->freq_max_hz * 1e-9, freq_hz * 1e-9);
    return RW_OK;
}

rw_status rw_calc_material(rw_context *context, const char *material, double freq_hz, rw_material_result *result)
{
    rw_material_result material_result = {.size = sizeof material_result};
    rw_calc_surface surface;
    RW_TRY(rw_calc_check_freq(context, freq_hz));
    RW_TRY(rw_calc_find_surface(context, material, freq_hz, &surface));
    material_result.permittivity = rw_field_value_of(surface.permittivity);
    int perfect = surface.perfect_conductor;
    if (perfect)
        material_result.permittivity.im = -INFINITY;
    material_result.conductivity_s_m = perfect ? INFINITY : surface.conductivity_s_m;
    material_result.loss_tangent = perfect ? INFINITY : -surface.permittivity.im / surface.permittivity.re;
    material_result.attenuation_db_m = perfect ? INFINITY : rw_material_attenuation_db_m(surface.permittivity, freq_hz);
    material_result.freq_min_hz = surface.freq_min_hz;
    material_result.freq_max_hz = surface.freq_max_hz;
    material_result.in_range = freq_hz >= surface.freq_min_hz && freq_hz <= surface.freq_max_hz;
    material_result.perfect_conductor = perfect;
    return RW_ASSIGN(context, &material_result, result);
}
