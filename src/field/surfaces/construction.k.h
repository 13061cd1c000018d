/* Coefficients of a wall construction: reflection from both sides and transmission, exact or from a table.
 *
 * From the cosine of incidence to the coefficients of slab.k.h. The table has RW_CONSTRUCTION_SAMPLES steps of the
 * cosine and a cubic through four of them: off by less than 1e-5 for slabs of up to twenty wavelengths. The
 * transmission is told relative to air: times e^{+j k d cos(theta)}. */
#ifndef RW_FIELD_SURFACES_CONSTRUCTION_K_H
#define RW_FIELD_SURFACES_CONSTRUCTION_K_H

#include "field/surfaces/slab.k.h"

#define RW_CONSTRUCTION_LAYERS_MAX 16
#define RW_CONSTRUCTION_SAMPLES 1024

/* Coefficients at one angle. */
typedef struct rw_wall_response {
    rw_te_tm front, back; /* reflection, from the side of the first layer and from the other */
    rw_te_tm through;     /* relative to as much air */
} rw_wall_response;

typedef struct rw_construction {
    int layer_count;
    int opaque; /* a half space: the one layer reflects and lets nothing through */
    double thickness_m;
    double smooth; /* share of the field that roughness leaves in the specular ray: sqrt(1 - S^2) */
    double through_factor, reflection_factor; /* of the losses in dB: 1, or what measurements have taught */
    rw_layer_field layers[RW_CONSTRUCTION_LAYERS_MAX];
} rw_construction;

RW_FN rw_te_tm rw_te_tm_scale(rw_te_tm a, rw_complex factor)
{
    rw_te_tm result = {rw_complex_mul(a.te, factor), rw_complex_mul(a.tm, factor)};
    return result;
}

/* A coefficient c as c |c|^(f - 1): its loss in dB times f, its phase as it was. */
RW_FN rw_complex rw_complex_lose(rw_complex c, double factor)
{
    double power = rw_complex_abs2(c);
    return power > 0.0 ? rw_complex_scale(c, pow(power, 0.5 * (factor - 1.0))) : c;
}

RW_FN rw_te_tm rw_te_tm_lose(rw_te_tm a, double factor)
{
    rw_te_tm result = {rw_complex_lose(a.te, factor), rw_complex_lose(a.tm, factor)};
    return factor == 1.0 ? a : result;
}

/* By the formulas, before factors. */
RW_FN rw_wall_response rw_wall_response_formula(const rw_construction *wall, double cosine, double wavelength_m)
{
    rw_wall_response response;
    rw_complex smooth = rw_complex_of(wall->smooth, 0.0), zero = rw_complex_of(0.0, 0.0);
    if (wall->opaque) {
        response.front = rw_te_tm_scale(rw_fresnel(wall->layers[0].permittivity, cosine).reflection, smooth);
        response.back = response.front;
        response.through.te = response.through.tm = zero;
        return response;
    }
    rw_layer_field turned[RW_CONSTRUCTION_LAYERS_MAX];
    for (int i = 0; i < wall->layer_count; i++)
        turned[i] = wall->layers[wall->layer_count - 1 - i];
    rw_interface front = rw_slab_stack(wall->layers, (size_t)wall->layer_count, cosine, wavelength_m);
    rw_interface back = rw_slab_stack(turned, (size_t)wall->layer_count, cosine, wavelength_m);
    double cycles = wall->thickness_m * cosine / wavelength_m;
    rw_complex air = rw_complex_polar(1.0, 2.0 * RW_PI * (cycles - rw_round_nearest(cycles)));
    response.front = rw_te_tm_scale(front.reflection, smooth);
    response.back = rw_te_tm_scale(back.reflection, smooth);
    response.through = rw_te_tm_scale(front.transmission, air);
    return response;
}

RW_FN rw_wall_response rw_wall_response_exact(const rw_construction *wall, double cosine, double wavelength_m)
{
    rw_wall_response response = rw_wall_response_formula(wall, cosine, wavelength_m);
    response.front = rw_te_tm_lose(response.front, wall->reflection_factor);
    response.back = rw_te_tm_lose(response.back, wall->reflection_factor);
    response.through = rw_te_tm_lose(response.through, wall->through_factor);
    return response;
}

/* Weights of the four samples round a place between the second and the third (Lagrange). */
RW_FN void rw_cubic_weights(double t, double weights[4])
{
    weights[0] = -t * (t - 1.0) * (t - 2.0) / 6.0;
    weights[1] = (t + 1.0) * (t - 1.0) * (t - 2.0) / 2.0;
    weights[2] = -(t + 1.0) * t * (t - 2.0) / 2.0;
    weights[3] = (t + 1.0) * t * (t - 1.0) / 6.0;
}

/* Sample i is at cosine i / RW_CONSTRUCTION_SAMPLES. */
RW_FN rw_wall_response rw_wall_response_read(const rw_wall_response *table, double cosine)
{
    double at = cosine * RW_CONSTRUCTION_SAMPLES;
    int first = (int)at - 1;
    first = first < 0 ? 0 : first > RW_CONSTRUCTION_SAMPLES - 3 ? RW_CONSTRUCTION_SAMPLES - 3 : first;
    double weights[4], sum[12] = {0};
    rw_cubic_weights(at - first - 1.0, weights);
    for (int i = 0; i < 4; i++) {
        const double *values = (const double *)&table[first + i];
        for (int j = 0; j < 12; j++)
            sum[j] += weights[i] * values[j];
    }
    rw_wall_response response = {{{sum[0], sum[1]}, {sum[2], sum[3]}},
                                 {{sum[4], sum[5]}, {sum[6], sum[7]}},
                                 {{sum[8], sum[9]}, {sum[10], sum[11]}}};
    return response;
}

#endif
