/* rw_calc_slab: a stack of layers by name. */
#include "field/calc/calc.h"

#include "base/options.h"
#include "field/surfaces/slab.k.h"
#include "scene/scene.h"

#include <stdlib.h>

void rw_slab_options_init_sized(rw_slab_options *options, size_t size)
{
    const rw_slab_options own = {0};
    rw_defaults_give(&own, sizeof own, options, size);
}

static rw_status find_layer(rw_context *context, const rw_layer *given, double freq_hz, rw_layer_field *layer)
{
    rw_calc_surface surface;
    RW_TRY(rw_calc_check_range(context, given->thickness_m, 0.0, 1e4, "a layer's thickness", "m"));
    RW_TRY(rw_calc_find_surface(context, given->material, freq_hz, &surface));
    layer->permittivity = surface.permittivity;
    layer->thickness_m = given->thickness_m;
    return RW_OK;
}

static rw_status find_layers(rw_context *context, const rw_slab_options *options, rw_layer_field *layers)
{
    if (options->layer_count == 0 || !options->layers)
        return rw_fail(context, RW_BAD_CALL, "no layer is given; give a material and a thickness");
    if (options->layer_count > RW_SLAB_LAYERS_MAX)
        return rw_fail(context, RW_BAD_CALL, "%zu layers are more than the %d that a slab may have",
                       options->layer_count, RW_SLAB_LAYERS_MAX);
    const rw_layer *given;
    rw_layer *room;
    RW_TRY(RW_TAKE_ARRAY(context, options->layers, options->layer_count, &(rw_layer){0}, &given, &room));
    rw_status status = RW_OK;
    for (size_t i = 0; i < options->layer_count && status == RW_OK; i++)
        status = find_layer(context, &given[i], options->freq_hz, &layers[i]);
    free(room);
    return status;
}

static double absorbed(rw_complex reflection, rw_complex transmission)
{
    double share = 1.0 - rw_complex_abs2(reflection) - rw_complex_abs2(transmission);
    return share > 0.0 ? share : 0.0;
}

rw_status rw_calc_slab(rw_context *context, const rw_slab_options *given, rw_slab_result *result)
{
    rw_slab_options options;
    rw_slab_result made = {.size = sizeof made};
    rw_layer_field layers[RW_SLAB_LAYERS_MAX];
    rw_slab_options_init(&options);
    RW_TRY(RW_TAKE(context, given, &options));
    RW_TRY(rw_calc_check_freq(context, options.freq_hz));
    RW_TRY(rw_calc_check_range(context, options.angle_deg, 0.0, 90.0, "the angle of incidence", "deg"));
    RW_TRY(find_layers(context, &options, layers));
    double cosine = cos(options.angle_deg * RW_PI / 180.0);
    rw_interface slab = rw_slab_stack(layers, options.layer_count, cosine, RW_SPEED_OF_LIGHT_M_S / options.freq_hz);
    made.reflection_te = rw_field_value_of(slab.reflection.te);
    made.reflection_tm = rw_field_value_of(slab.reflection.tm);
    made.transmission_te = rw_field_value_of(slab.transmission.te);
    made.transmission_tm = rw_field_value_of(slab.transmission.tm);
    made.absorbed_te = absorbed(slab.reflection.te, slab.transmission.te);
    made.absorbed_tm = absorbed(slab.reflection.tm, slab.transmission.tm);
    return RW_GIVE(context, &made, result);
}
