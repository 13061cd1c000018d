/* rw_calc_wedge and rw_calc_knife_edge: diffraction by one edge. */
#include "field/calc/calc.h"

#include "base/options.h"
#include "field/edges/knife_edge.k.h"
#include "field/edges/wedge_field.k.h"

#include <stdio.h>
#include <string.h>

void rw_knife_edge_options_init_sized(rw_knife_edge_options *options, size_t size)
{
    const rw_knife_edge_options own = {0};
    rw_defaults_copy(&own, sizeof own, options, size);
}

rw_status rw_calc_knife_edge_nu(rw_context *context, const rw_knife_edge_options *user_options, double *nu)
{
    rw_knife_edge_options options;
    rw_knife_edge_options_init(&options);
    RW_TRY(RW_RESOLVE(context, user_options, &options));
    RW_TRY(rw_calc_check_freq(context, options.freq_hz));
    RW_TRY(rw_calc_check_range(context, options.height_m, -1e6, 1e6, "the edge's height above the line", "m"));
    RW_TRY(rw_calc_check_positive(context, options.distance_before_m, "the distance before the edge"));
    RW_TRY(rw_calc_check_positive(context, options.distance_after_m, "the distance after the edge"));
    *nu = rw_knife_edge_nu(options.height_m, options.distance_before_m, options.distance_after_m,
                           RW_SPEED_OF_LIGHT_M_S / options.freq_hz);
    return RW_OK;
}

rw_status rw_calc_knife_edge(rw_context *context, double nu, rw_knife_edge_result *result)
{
    rw_knife_edge_result knife_edge_result = {.size = sizeof knife_edge_result};
    RW_TRY(rw_calc_check_range(context, nu, -1e6, 1e6, "nu", ""));
    knife_edge_result.nu = nu;
    knife_edge_result.field = rw_field_value_of(rw_screen_field(nu));
    knife_edge_result.loss_db = rw_knife_edge_loss_db(nu);
    knife_edge_result.loss_p526_db = rw_knife_edge_loss_p526_db(nu);
    return RW_ASSIGN(context, &knife_edge_result, result);
}

void rw_wedge_options_init_sized(rw_wedge_options *options, size_t size)
{
    const rw_wedge_options own = {.exterior_angle_deg = 270.0, .material = "pec", .method = "holm"};
    rw_defaults_copy(&own, sizeof own, options, size);
}

static rw_status check_wedge_point(rw_context *context, const rw_wedge_options *options, double radius_m,
                                   double angle_deg, const char *what)
{
    char label[64];
    snprintf(label, sizeof label, "the %s's distance from the edge", what);
    RW_TRY(rw_calc_check_positive(context, radius_m, label));
    snprintf(label, sizeof label, "the %s's angle", what);
    RW_TRY(rw_calc_check_range(context, angle_deg, 0.0, options->exterior_angle_deg, label, "deg"));
    double wavelength_m = RW_SPEED_OF_LIGHT_M_S / options->freq_hz;
    if (radius_m < wavelength_m)
        rw_warn(context, "the %s is %.2g wavelengths from the edge; the theory holds from about one on", what,
                radius_m / wavelength_m);
    return RW_OK;
}

static rw_status find_wedge(rw_context *context, const rw_wedge_options *options, rw_wedge_surface *surface)
{
    rw_calc_surface material;
    RW_TRY(rw_calc_find_surface(context, options->material, options->freq_hz, &material));
    const char *method = options->method ? options->method : "holm";
    if (strcmp(method, "luebbers") != 0 && strcmp(method, "holm") != 0)
        return rw_fail(context, RW_BAD_CALL, "there is no method '%s' for lossy wedges; use holm or luebbers", method);
    if (!material.perfect_conductor && options->exterior_angle_deg < 180.0)
        return rw_fail(context, RW_BAD_CALL, "the exterior angle is %g deg; a lossy wedge takes from 180 to 360",
                       options->exterior_angle_deg);
    surface->exterior_over_pi = options->exterior_angle_deg / 180.0;
    surface->permittivity = material.permittivity;
    surface->perfect_conductor = material.perfect_conductor;
    surface->holm = strcmp(method, "holm") == 0;
    if (!material.perfect_conductor && options->source_along_m != options->observer_along_m)
        rw_warn(context,
                "lossy faces mix soft and hard where the ray is oblique to the edge; the mixing is left out here");
    return RW_OK;
}

static double field_loss_db(rw_complex field)
{
    double power = rw_complex_abs2(field);
    return power > 0.0 ? -10.0 * log10(power) : INFINITY;
}

rw_status rw_calc_wedge(rw_context *context, const rw_wedge_options *user_options, rw_wedge_result *result)
{
    rw_wedge_options options;
    rw_wedge_result wedge_result = {.size = sizeof wedge_result};
    rw_wedge_surface surface = {0};
    rw_wedge_options_init(&options);
    RW_TRY(RW_RESOLVE(context, user_options, &options));
    RW_TRY(rw_calc_check_freq(context, options.freq_hz));
    RW_TRY(rw_calc_check_range(context, options.exterior_angle_deg, 10.0, 360.0, "the exterior angle", "deg"));
    RW_TRY(check_wedge_point(context, &options, options.source_m, options.source_angle_deg, "source"));
    RW_TRY(check_wedge_point(context, &options, options.observer_m, options.observer_angle_deg, "observer"));
    RW_TRY(rw_calc_check_range(context, options.source_along_m, -1e7, 1e7, "the source's place along the edge", "m"));
    RW_TRY(
        rw_calc_check_range(context, options.observer_along_m, -1e7, 1e7, "the observer's place along the edge", "m"));
    RW_TRY(find_wedge(context, &options, &surface));
    double degree = RW_PI / 180.0;
    rw_cylindrical source = {options.source_m, options.source_angle_deg * degree, options.source_along_m};
    rw_cylindrical observer = {options.observer_m, options.observer_angle_deg * degree, options.observer_along_m};
    rw_wedge_field field = rw_wedge_field_of(&surface, source, observer, RW_SPEED_OF_LIGHT_M_S / options.freq_hz);
    if (!(field.direct_m > 0.0))
        return rw_fail(context, RW_BAD_CALL, "source and observer are at one place");
    wedge_result.soft = rw_field_value_of(field.total.soft);
    wedge_result.hard = rw_field_value_of(field.total.hard);
    wedge_result.soft_loss_db = field_loss_db(field.total.soft);
    wedge_result.hard_loss_db = field_loss_db(field.total.hard);
    wedge_result.diffracted_soft = rw_field_value_of(field.diffracted.soft);
    wedge_result.diffracted_hard = rw_field_value_of(field.diffracted.hard);
    wedge_result.coefficient_soft = rw_field_value_of(field.coefficient.soft);
    wedge_result.coefficient_hard = rw_field_value_of(field.coefficient.hard);
    wedge_result.direct_m = field.direct_m;
    wedge_result.over_edge_m = field.over_edge_m;
    wedge_result.line_of_sight = field.lit;
    return RW_ASSIGN(context, &wedge_result, result);
}
