/* rw_calc_free_space, rw_calc_two_ray, rw_calc_scatter and rw_calc_antenna. */
#include "field/calc/calc.h"

#include "base/options.h"
#include "field/paths/free_space.k.h"
#include "field/paths/polarisation.k.h"
#include "field/surfaces/scatter.k.h"
#include "field/paths/two_ray.k.h"
#include "scene/antennas/antenna.h"

#include <string.h>

#define REFERENCE_RESISTANCE_OHM 50.0

rw_status rw_calc_free_space(rw_context *context, double distance_m, double freq_hz, rw_free_space_result *result)
{
    rw_free_space_result free_space_result = {.size = sizeof free_space_result};
    RW_TRY(rw_calc_check_freq(context, freq_hz));
    RW_TRY(rw_calc_check_positive(context, distance_m, "the distance"));
    free_space_result.wavelength_m = RW_SPEED_OF_LIGHT_M_S / freq_hz;
    if (distance_m < free_space_result.wavelength_m)
        rw_warn(context, "%g m is nearer than a wavelength (%g m); the formula is for the far field", distance_m,
                free_space_result.wavelength_m);
    free_space_result.loss_db = rw_free_space_loss_db(distance_m, free_space_result.wavelength_m);
    free_space_result.delay_s = distance_m / RW_SPEED_OF_LIGHT_M_S;
    free_space_result.phase_deg =
        rw_complex_arg(rw_path_phasor(distance_m, free_space_result.wavelength_m)) * 180.0 / RW_PI;
    return RW_ASSIGN(context, &free_space_result, result);
}

void rw_two_ray_options_init_sized(rw_two_ray_options *options, size_t size)
{
    const rw_two_ray_options own = {.ground = "itu_medium_dry_ground"};
    rw_defaults_copy(&own, sizeof own, options, size);
}

static double excess_db(rw_complex field)
{
    double power = rw_complex_abs2(field);
    return power > 0.0 ? -10.0 * log10(power) : INFINITY;
}

rw_status rw_calc_two_ray(rw_context *context, const rw_two_ray_options *user_options, rw_two_ray_result *result)
{
    rw_two_ray_options options;
    rw_two_ray_result two_ray_result = {.size = sizeof two_ray_result};
    rw_calc_surface ground;
    rw_two_ray_options_init(&options);
    RW_TRY(RW_RESOLVE(context, user_options, &options));
    RW_TRY(rw_calc_check_freq(context, options.freq_hz));
    RW_TRY(rw_calc_check_positive(context, options.first_height_m, "the transmitter's height"));
    RW_TRY(rw_calc_check_positive(context, options.second_height_m, "the receiver's height"));
    RW_TRY(rw_calc_check_positive(context, options.distance_m, "the distance"));
    RW_TRY(rw_calc_find_surface(context, options.ground, options.freq_hz, &ground));
    double wavelength_m = RW_SPEED_OF_LIGHT_M_S / options.freq_hz;
    rw_two_ray rays = rw_two_ray_of(options.first_height_m, options.second_height_m, options.distance_m,
                                    ground.permittivity, ground.perfect_conductor, wavelength_m);
    two_ray_result.free_space_db = rw_free_space_loss_db(rays.direct_m, wavelength_m);
    two_ray_result.loss_vertical_db = two_ray_result.free_space_db + excess_db(rays.field.tm);
    two_ray_result.loss_horizontal_db = two_ray_result.free_space_db + excess_db(rays.field.te);
    two_ray_result.field_vertical = rw_field_value_of(rays.field.tm);
    two_ray_result.field_horizontal = rw_field_value_of(rays.field.te);
    two_ray_result.reflection_vertical = rw_field_value_of(rays.reflection.tm);
    two_ray_result.reflection_horizontal = rw_field_value_of(rays.reflection.te);
    two_ray_result.direct_m = rays.direct_m;
    two_ray_result.reflected_m = rays.reflected_m;
    two_ray_result.grazing_angle_deg = asin(rays.cosine_incidence) * 180.0 / RW_PI;
    return RW_ASSIGN(context, &two_ray_result, result);
}

void rw_scatter_options_init_sized(rw_scatter_options *options, size_t size)
{
    const rw_scatter_options own = {.pattern = "lambertian",
                                    .scattering = 0.4,
                                    .specular_exponent = 4,
                                    .back_exponent = 4,
                                    .specular_fraction = 0.75};
    rw_defaults_copy(&own, sizeof own, options, size);
}

static rw_status find_lobe(rw_context *context, const rw_scatter_options *options, rw_scatter_model *model)
{
    static const char *const names[] = {"lambertian", "directive", "backscattering"};
    int found = -1;
    for (int i = 0; i < 3; i++)
        if (options->pattern && strcmp(options->pattern, names[i]) == 0)
            found = i;
    if (found < 0)
        return rw_fail(context, RW_BAD_CALL, "there is no pattern '%s'; use lambertian, directive or backscattering",
                       options->pattern ? options->pattern : "");
    RW_TRY(rw_calc_check_range(context, options->specular_exponent, 1, RW_SCATTER_EXPONENT_MAX, "the specular exponent",
                               ""));
    RW_TRY(rw_calc_check_range(context, options->back_exponent, 1, RW_SCATTER_EXPONENT_MAX, "the back exponent", ""));
    RW_TRY(rw_calc_check_range(context, options->specular_fraction, 0.0, 1.0, "the specular share", ""));
    model->kind = (rw_scatter_kind)found;
    model->specular_exponent = options->specular_exponent;
    model->back_exponent = options->back_exponent;
    model->specular_fraction = options->specular_fraction;
    return RW_OK;
}

rw_status rw_calc_scatter(rw_context *context, const rw_scatter_options *user_options, rw_scatter_result *result)
{
    rw_scatter_options options;
    rw_scatter_result scatter_result = {.size = sizeof scatter_result};
    rw_scatter_model model = {RW_LOBE_LAMBERTIAN, 1, 1, 1.0};
    double degree = RW_PI / 180.0;
    rw_scatter_options_init(&options);
    RW_TRY(RW_RESOLVE(context, user_options, &options));
    RW_TRY(find_lobe(context, &options, &model));
    RW_TRY(rw_calc_check_range(context, options.scattering, 0.0, 1.0, "the scattering coefficient", ""));
    RW_TRY(rw_calc_check_range(context, options.incidence_deg, 0.0, 90.0, "the angle of incidence", "deg"));
    RW_TRY(rw_calc_check_range(context, options.scattering_deg, 0.0, 90.0, "the angle of scattering", "deg"));
    RW_TRY(rw_calc_check_range(context, options.azimuth_deg, -360.0, 360.0, "the azimuth", "deg"));
    double cosine = cos(options.incidence_deg * degree);
    scatter_result.pattern_per_sr =
        rw_scatter_pattern(&model, cosine, cos(options.scattering_deg * degree), cos(options.azimuth_deg * degree));
    scatter_result.scattered_fraction = options.scattering * options.scattering;
    double left = rw_specular_reduction(options.scattering);
    scatter_result.specular_loss_db = left > 0.0 ? -20.0 * log10(left) : INFINITY;
    scatter_result.cross_section_m2_m2 =
        4.0 * RW_PI * rw_scatter_cross_section(options.scattering, 1.0, 1.0, cosine, scatter_result.pattern_per_sr);
    return RW_ASSIGN(context, &scatter_result, result);
}

void rw_antenna_options_init_sized(rw_antenna_options *options, size_t size)
{
    const rw_antenna_options own = {.antenna = "isotropic", .theta_deg = 90.0};
    rw_defaults_copy(&own, sizeof own, options, size);
}

/* Components of the antenna's unit field vector on the scene's theta and phi. */
static void project_polarisation(const rw_antenna_options *options, rw_vec3 direction, rw_antenna_result *result)
{
    rw_antenna_axes axes = rw_antenna_axes_of(options->azimuth_deg, options->downtilt_deg, options->roll_deg);
    rw_vec3c field = rw_polarisation_vector(&axes, rw_polarisation_slanted(options->slant_deg), direction);
    double theta = options->theta_deg * RW_PI / 180.0, phi = options->phi_deg * RW_PI / 180.0;
    rw_vec3 theta_hat = {cos(theta) * cos(phi), cos(theta) * sin(phi), -sin(theta)},
            phi_hat = {-sin(phi), cos(phi), 0.0};
    result->vertical = rw_vec3c_dot(field, theta_hat).re;
    result->horizontal = rw_vec3c_dot(field, phi_hat).re;
}

rw_status rw_calc_antenna(rw_context *context, const rw_antenna_options *user_options, rw_antenna_result *result)
{
    rw_antenna_options options;
    rw_antenna_result antenna_result = {.size = sizeof antenna_result};
    rw_antenna *antenna = NULL;
    rw_antenna_options_init(&options);
    RW_TRY(RW_RESOLVE(context, user_options, &options));
    RW_TRY(rw_calc_check_range(context, options.theta_deg, 0.0, 180.0, "theta", "deg"));
    RW_TRY(rw_calc_check_range(context, options.phi_deg, -360.0, 360.0, "phi", "deg"));
    RW_TRY(rw_calc_check_range(context, options.azimuth_deg, -360.0, 360.0, "the azimuth", "deg"));
    RW_TRY(rw_calc_check_range(context, options.downtilt_deg, -90.0, 90.0, "the downtilt", "deg"));
    RW_TRY(rw_calc_check_range(context, options.roll_deg, -360.0, 360.0, "the roll", "deg"));
    RW_TRY(rw_calc_check_range(context, options.slant_deg, -90.0, 90.0, "the slant", "deg"));
    if (options.freq_hz != 0.0)
        RW_TRY(rw_calc_check_freq(context, options.freq_hz));
    RW_TRY(rw_antenna_create(context, options.antenna, &antenna));
    double theta = options.theta_deg * RW_PI / 180.0, phi = options.phi_deg * RW_PI / 180.0;
    rw_vec3 direction = {sin(theta) * cos(phi), sin(theta) * sin(phi), cos(theta)};
    antenna_result.gain_dbi =
        rw_antenna_gain_towards(antenna, options.azimuth_deg, options.downtilt_deg, options.roll_deg, direction);
    rw_antenna_destroy(antenna);
    project_polarisation(&options, direction, &antenna_result);
    antenna_result.effective_length_m =
        options.freq_hz > 0.0 ? rw_effective_length_m(pow(10.0, 0.1 * antenna_result.gain_dbi),
                                                      RW_SPEED_OF_LIGHT_M_S / options.freq_hz, REFERENCE_RESISTANCE_OHM)
                              : 0.0;
    return RW_ASSIGN(context, &antenna_result, result);
}
