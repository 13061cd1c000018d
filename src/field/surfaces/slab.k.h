/* Reflection and transmission of plane slabs: stacks of lossy layers between air and air.
 *
 * From layers (complex relative permittivity, thickness) and the cosine of incidence to field coefficients TE and TM,
 * after the recursion of ITU-R P.2040-3, section 2.2.2, written from the last layer back to the first with
 * reflections instead of wave amplitudes (Airy; Born and Wolf, section 1.6), so that no exponential grows. The phase of
 * T is that of the wave on the far face straight opposite the point of incidence: replacing d of air along the normal
 * by the slab multiplies the field by T e^{+j k d cos(theta)}. Passive for every input: |R|^2 + |T|^2 <= 1. Layers are
 * plane, homogeneous and wide. */
#ifndef RW_FIELD_SURFACES_SLAB_K_H
#define RW_FIELD_SURFACES_SLAB_K_H

#include "base/maths/elementary.h"
#include "field/surfaces/fresnel.k.h"

#include <stddef.h>

typedef struct rw_layer_field {
    rw_complex permittivity; /* im <= 0: loss */
    double thickness_m;
} rw_layer_field;

/* e^{-j k d q}; q has non-positive imaginary part, so this never exceeds 1. */
RW_FN rw_complex rw_layer_phasor(rw_complex normal_index, double thickness_m, double wavelength_m)
{
    double cycles = thickness_m / wavelength_m * normal_index.re;
    double decay = 2.0 * RW_PI * thickness_m / wavelength_m * fabs(normal_index.im);
    if (!(decay < 700.0) || !(cycles < 1e15))
        return rw_complex_of(0.0, 0.0);
    return rw_complex_polar(exp(-decay), -2.0 * RW_PI * (cycles - rw_round_nearest(cycles)));
}

/* What one more layer on top makes of reflection and transmission: boundary r from above, phasor e of the layer. */
RW_FN void rw_slab_add_layer(rw_complex boundary, rw_complex phasor, rw_complex *reflection, rw_complex *transmission)
{
    rw_complex one = rw_complex_of(1.0, 0.0);
    rw_complex returned = rw_complex_mul(*reflection, rw_complex_mul(phasor, phasor));
    rw_complex below = rw_complex_add(one, rw_complex_mul(boundary, returned));
    *reflection = rw_complex_div(rw_complex_add(boundary, returned), below);
    *transmission =
        rw_complex_div(rw_complex_mul(rw_complex_mul(rw_complex_add(one, boundary), phasor), *transmission), below);
}

/* Takes away what rounding has put above unit power. */
RW_FN void rw_limit_to_passive(rw_complex *reflection, rw_complex *transmission)
{
    double power = rw_complex_abs2(*reflection) + rw_complex_abs2(*transmission);
    if (power > 1.0) {
        double scale = (1.0 - 1e-15) / sqrt(power);
        *reflection = rw_complex_scale(*reflection, scale);
        *transmission = rw_complex_scale(*transmission, scale);
    }
}

/* Reflection at the boundary from medium 1 to 2, of admittances y: (y1 - y2) / (y1 + y2). */
RW_FN rw_complex rw_boundary(rw_complex first, rw_complex second)
{
    return rw_complex_div(rw_complex_sub(first, second), rw_complex_add(first, second));
}

/* The whole stack, seen from layer 0. No layers: air, which lets all through. */
RW_FN rw_interface rw_slab_stack(const rw_layer_field *layers, size_t layer_count, double cosine_incidence,
                                 double wavelength_m)
{
    double cosine = rw_cosine_bounded(cosine_incidence);
    rw_complex air = rw_complex_of(cosine, 0.0), zero = rw_complex_of(0.0, 0.0), one = rw_complex_of(1.0, 0.0);
    rw_interface result = {{zero, zero}, {one, one}};
    rw_complex below_te = air, below_tm = air; /* q and q/eps of the medium below */
    for (size_t i = layer_count; i-- > 0;) {
        if (!(layers[i].thickness_m > 0.0))
            continue;
        rw_complex permittivity = rw_permittivity_passive(layers[i].permittivity);
        rw_complex index = rw_normal_index(permittivity, cosine);
        rw_complex admittance_tm = rw_complex_div(index, permittivity);
        rw_complex phasor = rw_layer_phasor(index, layers[i].thickness_m, wavelength_m);
        /* Step across the boundary under this layer, then through the layer. */
        rw_slab_add_layer(rw_boundary(index, below_te), one, &result.reflection.te, &result.transmission.te);
        rw_slab_add_layer(rw_boundary(admittance_tm, below_tm), one, &result.reflection.tm, &result.transmission.tm);
        rw_slab_add_layer(zero, phasor, &result.reflection.te, &result.transmission.te);
        rw_slab_add_layer(zero, phasor, &result.reflection.tm, &result.transmission.tm);
        below_te = index;
        below_tm = admittance_tm;
    }
    rw_slab_add_layer(rw_boundary(air, below_te), one, &result.reflection.te, &result.transmission.te);
    rw_slab_add_layer(rw_boundary(air, below_tm), one, &result.reflection.tm, &result.transmission.tm);
    rw_limit_to_passive(&result.reflection.te, &result.transmission.te);
    rw_limit_to_passive(&result.reflection.tm, &result.transmission.tm);
    return result;
}

#endif
