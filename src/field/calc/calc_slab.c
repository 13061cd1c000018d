/* rw_calc_slab: a stack of layers by name. */
#include "field/calc/calc.h"
#include "field/surfaces/slab.k.h"
#include "scene/scene.h"

#include <string.h>

void rw_slab_options_init(rw_slab_options *options)
{
    memset(options, 0, sizeof *options);
    options->size = sizeof *options;
}

static rw_status find_layers(rw_context *context, const rw_slab_options *options, rw_layer_field *layers)
{
    if (options->layer_count == 0 || !options->layers)
        return rw_fail(context, RW_BAD_CALL, "no layer is given; give a material and a thickness");
    if (options->layer_count > RW_SLAB_LAYERS_MAX)
        return rw_fail(context, RW_BAD_CALL, "%zu layers are more than the %d that a slab may have",
                       options->layer_count, RW_SLAB_LAYERS_MAX);
    for (size_t i = 0; i < options->layer_count; i++) {
        rw_calc_surface surface;
        RW_TRY(rw_calc_check_range(context, options->layers[i].thickness_m, 0.0, 1e4, "a layer's thickness", "m"));
        RW_TRY(rw_calc_find_surface(context, options->layers[i].material, options->freq_hz, &surface));
        layers[i].permittivity = surface.permittivity;
        layers[i].thickness_m = options->layers[i].thickness_m;
    }
    return RW_OK;
}

static double absorbed(rw_complex reflection, rw_complex transmission)
{
    double share = 1.0 - rw_complex_abs2(reflection) - rw_complex_abs2(transmission);
    return share > 0.0 ? share : 0.0;
}

rw_status rw_calc_slab(rw_context *context, const rw_slab_options *options, rw_slab_result *result)
{
    rw_layer_field layers[RW_SLAB_LAYERS_MAX];
    RW_TRY(rw_calc_check_freq(context, options->freq_hz));
    RW_TRY(rw_calc_check_range(context, options->angle_deg, 0.0, 90.0, "the angle of incidence", "deg"));
    RW_TRY(find_layers(context, options, layers));
    double cosine = cos(options->angle_deg * RW_PI / 180.0);
    rw_interface slab = rw_slab_stack(layers, options->layer_count, cosine, RW_SPEED_OF_LIGHT_M_S / options->freq_hz);
    result->reflection_te = rw_field_value_of(slab.reflection.te);
    result->reflection_tm = rw_field_value_of(slab.reflection.tm);
    result->transmission_te = rw_field_value_of(slab.transmission.te);
    result->transmission_tm = rw_field_value_of(slab.transmission.tm);
    result->absorbed_te = absorbed(slab.reflection.te, slab.transmission.te);
    result->absorbed_tm = absorbed(slab.reflection.tm, slab.transmission.tm);
    return RW_OK;
}
