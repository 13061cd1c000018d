/* Formulas of src/field as kernels, one result an item, for tests and timing of each by itself: phasors of path
 * lengths, fields behind knife edges, scattering lobes, one stack of layers at many angles. Each formula's file says
 * from what to what and where it stops being valid. */
#ifndef RW_BENCH_KERNELS_FORMULAS_K_H
#define RW_BENCH_KERNELS_FORMULAS_K_H

#include "base/maths/elementary.h"
#include "field/edges/knife_edge.k.h"
#include "field/surfaces/scatter.k.h"
#include "field/surfaces/slab.k.h"

#include <stddef.h>

struct rw_phases_args {
    double wavelength_m;
    const double *length_m;
    float *cosine, *sine; /* of the phase -k r */
};

RW_FN void rw_phases_item(const struct rw_phases_args *args, size_t item)
{
    rw_phasor phasor = rw_phasor_of_cycles(-args->length_m[item] / args->wavelength_m);
    args->cosine[item] = phasor.cosine;
    args->sine[item] = phasor.sine;
}

struct rw_knife_edges_args {
    const float *nu;
    float *field_re, *field_im; /* relative to free space */
};

RW_FN void rw_knife_edges_item(const struct rw_knife_edges_args *args, size_t item)
{
    rw_complexf field = rw_screen_field_fast(args->nu[item]);
    args->field_re[item] = field.re;
    args->field_im[item] = field.im;
}

struct rw_scatter_lobe_args {
    rw_scatter_model model;
    const float *cosine_incidence, *cosine_scattering, *cosine_azimuth;
    float *pattern_per_sr;
};

RW_FN void rw_scatter_lobe_item(const struct rw_scatter_lobe_args *args, size_t item)
{
    args->pattern_per_sr[item] =
        (float)rw_scatter_pattern(&args->model, (double)args->cosine_incidence[item],
                                  (double)args->cosine_scattering[item], (double)args->cosine_azimuth[item]);
}

struct rw_stack_coefficients_args {
    const rw_layer_field *layers;
    size_t layer_count;
    double wavelength_m;
    const double *cosine_incidence;
    rw_interface *coefficients;
};

RW_FN void rw_stack_coefficients_item(const struct rw_stack_coefficients_args *args, size_t item)
{
    args->coefficients[item] =
        rw_slab_stack(args->layers, args->layer_count, args->cosine_incidence[item], args->wavelength_m);
}

#endif
