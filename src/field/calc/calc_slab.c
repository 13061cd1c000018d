/* rw_calc_slab: a stack of layers by name. */
#include "field/calc/calc.h"

#include "base/options.h"
#include "field/surfaces/refraction.k.h"
#include "field/surfaces/slab.k.h"
#include "scene/scene.h"

#include <math.h>
#include <stdlib.h>

void rw_slab_options_init_sized(rw_slab_options *options, size_t size)
{
    const rw_slab_options own = {.view_shift_m = NAN};
    rw_defaults_copy(&own, sizeof own, options, size);
}

static rw_status resolve_calc_layer(rw_context *context, const rw_layer *user_layer, double freq_hz,
                                    rw_layer_field *layer)
{
    rw_calc_surface surface;
    RW_TRY(rw_calc_check_range(context, user_layer->thickness_m, 0.0, 1e4, "a layer's thickness", "m"));
    RW_TRY(rw_calc_find_surface(context, user_layer->material, freq_hz, &surface));
    layer->permittivity = surface.permittivity;
    layer->thickness_m = user_layer->thickness_m;
    return RW_OK;
}

static rw_status resolve_calc_layers(rw_context *context, const rw_slab_options *options, rw_layer_field *layers)
{
    if (options->layer_count == 0 || !options->layers)
        return rw_fail(context, RW_BAD_CALL, "no layer is given; give a material and a thickness");
    if (options->layer_count > RW_SLAB_LAYERS_MAX)
        return rw_fail(context, RW_BAD_CALL, "%zu layers are more than the %d that a slab may have",
                       options->layer_count, RW_SLAB_LAYERS_MAX);
    const rw_layer *user_layers;
    rw_layer *copied_layers;
    RW_TRY(
        RW_RESOLVE_ARRAY(context, options->layers, options->layer_count, &(rw_layer){0}, &user_layers, &copied_layers));
    rw_status status = RW_OK;
    for (size_t i = 0; i < options->layer_count && status == RW_OK; i++)
        status = resolve_calc_layer(context, &user_layers[i], options->freq_hz, &layers[i]);
    free(copied_layers);
    return status;
}

static double compute_absorbed_fraction(rw_complex reflection, rw_complex transmission)
{
    double fraction = 1.0 - rw_complex_abs2(reflection) - rw_complex_abs2(transmission);
    return fraction > 0.0 ? fraction : 0.0;
}

/* The view through the slab from a viewpoint that is shifted towards it: by the shift that is exact along the normal,
 * unless the caller has one. */
static rw_status compute_view(rw_context *context, const rw_slab_options *options, const rw_layer_field *layers,
                              rw_slab_result *result)
{
    rw_refractor slab = {.layer_count = (int)options->layer_count};
    RW_TRY(rw_calc_check_positive(context, options->source_distance_m, "the distance of the source from the slab"));
    RW_TRY(rw_calc_check_range(context, options->angle_deg, 0.0, 89.9, "the angle of incidence of a view", "deg"));
    for (size_t i = 0; i < options->layer_count; i++) {
        double index = rw_complex_sqrt(layers[i].permittivity).re;
        slab.layer_m[i] = layers[i].thickness_m;
        slab.index[i] = index < 1 ? 1 : index;
    }
    result->view_shift_m = isnan(options->view_shift_m) ? rw_refraction_shift_m(&slab, 1.0) : options->view_shift_m;
    RW_TRY(rw_calc_check_range(context, result->view_shift_m, -1e4, 1e4, "the shift of the viewpoint", "m"));
    result->misalignment_deg = rw_refraction_misalignment(&slab, options->source_distance_m,
                                                          options->angle_deg * RW_PI / 180.0, result->view_shift_m) *
                               180.0 / RW_PI;
    return RW_OK;
}

rw_status rw_calc_slab(rw_context *context, const rw_slab_options *user_options, rw_slab_result *result)
{
    rw_slab_options options;
    rw_slab_result slab_result = {.size = sizeof slab_result};
    rw_layer_field layers[RW_SLAB_LAYERS_MAX];
    rw_slab_options_init(&options);
    RW_TRY(RW_RESOLVE(context, user_options, &options));
    RW_TRY(rw_calc_check_freq(context, options.freq_hz));
    RW_TRY(rw_calc_check_range(context, options.angle_deg, 0.0, 90.0, "the angle of incidence", "deg"));
    RW_TRY(resolve_calc_layers(context, &options, layers));
    double cosine = cos(options.angle_deg * RW_PI / 180.0);
    rw_interface slab = rw_slab_stack(layers, options.layer_count, cosine, RW_SPEED_OF_LIGHT_M_S / options.freq_hz);
    slab_result.reflection_te = rw_field_value_of(slab.reflection.te);
    slab_result.reflection_tm = rw_field_value_of(slab.reflection.tm);
    slab_result.transmission_te = rw_field_value_of(slab.transmission.te);
    slab_result.transmission_tm = rw_field_value_of(slab.transmission.tm);
    slab_result.absorbed_te = compute_absorbed_fraction(slab.reflection.te, slab.transmission.te);
    slab_result.absorbed_tm = compute_absorbed_fraction(slab.reflection.tm, slab.transmission.tm);
    slab_result.view_shift_m = slab_result.misalignment_deg = NAN;
    if (options.source_distance_m != 0)
        RW_TRY(compute_view(context, &options, layers, &slab_result));
    return RW_ASSIGN(context, &slab_result, result);
}
