/* Derivatives of the coefficients of a wall: the reverse of slab.k.h.
 *
 * From the weights of the four coefficients in a quantity g, dg = w_R dR + w_T dT of both polarisations, to dg over the
 * permittivity and thickness of each layer and over the cosine of incidence: one sweep up the layers that keeps what
 * each step had, and one down again with the weights (reverse accumulation; Griewank and Walther, Evaluating
 * Derivatives, 2008, section 3.2). The coefficients are analytic in the complex permittivity, so that one complex
 * number is the derivative over both of its parts. Valid as slab.k.h; no derivative of what rw_limit_to_passive rounds
 * off.
 */
#ifndef RW_FIELD_SURFACES_SLAB_SLOPE_K_H
#define RW_FIELD_SURFACES_SLAB_SLOPE_K_H

#include "field/surfaces/construction.k.h"

/* Weights of the coefficients: dg over each. */
typedef struct rw_interface_weights {
    rw_te_tm reflection, transmission;
} rw_interface_weights;

/* dg over what a wall is made of. */
typedef struct rw_slab_slopes {
    rw_complex permittivity[RW_CONSTRUCTION_LAYERS_MAX];
    rw_complex thickness[RW_CONSTRUCTION_LAYERS_MAX];
    rw_complex cosine;
} rw_slab_slopes;

/* 1 / a, of numbers whose squares neither overflow nor vanish: without the branches of rw_complex_div. */
RW_FN rw_complex rw_complex_inverse(rw_complex a)
{
    double over = 1.0 / (a.re * a.re + a.im * a.im);
    return rw_complex_of(a.re * over, -a.im * over);
}

/* One polarisation of one boundary on the way up: what was below it, and what it made of that. */
typedef struct rw_slab_step {
    rw_complex above, below;         /* admittances on both sides */
    rw_complex boundary;             /* (above - below) / (above + below) */
    rw_complex inverse_sum, inverse; /* 1 / (above + below), 1 / (1 + boundary times reflection below) */
    rw_complex under_r, under_t;     /* reflection and transmission under the boundary */
    rw_complex over_r, over_t;       /* and over it */
} rw_slab_step;

RW_FN rw_slab_step rw_slab_step_up(rw_complex above, rw_complex below, rw_complex reflection, rw_complex transmission)
{
    rw_slab_step step;
    rw_complex one = rw_complex_of(1.0, 0.0);
    step.above = above;
    step.below = below;
    step.inverse_sum = rw_complex_inverse(rw_complex_add(above, below));
    step.boundary = rw_complex_mul(rw_complex_sub(above, below), step.inverse_sum);
    step.inverse = rw_complex_inverse(rw_complex_add(one, rw_complex_mul(step.boundary, reflection)));
    step.under_r = reflection;
    step.under_t = transmission;
    step.over_r = rw_complex_mul(rw_complex_add(step.boundary, reflection), step.inverse);
    step.over_t = rw_complex_mul(rw_complex_mul(rw_complex_add(one, step.boundary), transmission), step.inverse);
    return step;
}

/* Weights over the boundary become those under it; what falls to the admittances is added to theirs. */
RW_FN void rw_slab_step_down(const rw_slab_step *step, rw_complex *reflection, rw_complex *transmission,
                             rw_complex *above, rw_complex *below)
{
    rw_complex one = rw_complex_of(1.0, 0.0), r = *reflection, t = *transmission;
    rw_complex of_r = rw_complex_sub(one, rw_complex_mul(step->over_r, step->under_r));
    rw_complex of_t = rw_complex_sub(step->under_t, rw_complex_mul(step->over_t, step->under_r));
    rw_complex boundary =
        rw_complex_mul(step->inverse, rw_complex_add(rw_complex_mul(r, of_r), rw_complex_mul(t, of_t)));
    rw_complex reflected = rw_complex_sub(one, rw_complex_mul(step->over_r, step->boundary));
    rw_complex transmitted = rw_complex_mul(step->over_t, step->boundary);
    *reflection =
        rw_complex_mul(step->inverse, rw_complex_sub(rw_complex_mul(r, reflected), rw_complex_mul(t, transmitted)));
    *transmission = rw_complex_mul(step->inverse, rw_complex_mul(t, rw_complex_add(one, step->boundary)));
    rw_complex scaled =
        rw_complex_mul(rw_complex_scale(boundary, 2.0), rw_complex_mul(step->inverse_sum, step->inverse_sum));
    *above = rw_complex_add(*above, rw_complex_mul(scaled, step->below));
    *below = rw_complex_sub(*below, rw_complex_mul(scaled, step->above));
}

/* Adds what the weights of a layer's admittances, q and q/eps, come to: over its permittivity, and over the cosine. */
RW_FN void rw_slab_index_slopes(rw_complex inverse_permittivity, rw_complex index, double cosine, rw_complex te,
                                rw_complex tm, rw_complex *over_permittivity, rw_complex *over_cosine)
{
    rw_complex tm_over = rw_complex_mul(tm, inverse_permittivity), of_index = rw_complex_add(te, tm_over);
    /* dq = (d eps + 2 c dc) / 2q */
    rw_complex half = rw_complex_mul(of_index, rw_complex_inverse(rw_complex_scale(index, 2.0)));
    rw_complex admittance = rw_complex_mul(index, inverse_permittivity);
    *over_permittivity = rw_complex_add(*over_permittivity, rw_complex_sub(half, rw_complex_mul(tm_over, admittance)));
    *over_cosine = rw_complex_add(*over_cosine, rw_complex_scale(half, 2.0 * cosine));
}

/* A half space reflects: (c - y) / (c + y) with y = q of TE, q/eps of TM. */
RW_FN void rw_fresnel_slopes(rw_complex permittivity, double cosine_incidence, rw_te_tm weights,
                             rw_complex *over_permittivity, rw_complex *over_cosine)
{
    double cosine = rw_cosine_bounded(cosine_incidence);
    rw_complex eps = rw_permittivity_passive(permittivity), te = rw_normal_index(eps, cosine);
    rw_complex inverse = rw_complex_inverse(eps), tm = rw_complex_mul(te, inverse);
    rw_complex air = rw_complex_of(cosine, 0.0), zero = rw_complex_of(0.0, 0.0);
    rw_complex of_te = rw_complex_inverse(rw_complex_add(air, te)), of_tm = rw_complex_inverse(rw_complex_add(air, tm));
    of_te = rw_complex_mul(weights.te, rw_complex_scale(rw_complex_mul(of_te, of_te), 2.0));
    of_tm = rw_complex_mul(weights.tm, rw_complex_scale(rw_complex_mul(of_tm, of_tm), 2.0));
    *over_permittivity = zero;
    *over_cosine = rw_complex_add(rw_complex_mul(of_te, te), rw_complex_mul(of_tm, tm));
    rw_slab_index_slopes(inverse, te, cosine, rw_complex_scale(of_te, -cosine), rw_complex_scale(of_tm, -cosine),
                         over_permittivity, over_cosine);
}

/* One polarisation through a layer: the phasor e takes e^2 from the reflection below and e from the transmission. */
RW_FN rw_complex rw_slab_phasor_down(const rw_slab_step *under, rw_complex phasor, rw_complex *reflection,
                                     rw_complex *transmission)
{
    rw_complex of_r = rw_complex_scale(rw_complex_mul(*reflection, rw_complex_mul(under->over_r, phasor)), 2.0);
    rw_complex of_phasor = rw_complex_add(of_r, rw_complex_mul(*transmission, under->over_t));
    *reflection = rw_complex_mul(*reflection, rw_complex_mul(phasor, phasor));
    *transmission = rw_complex_mul(*transmission, phasor);
    return of_phasor;
}

/* Layers of a stack from one side: those of no thickness are not there. */
RW_FN int rw_slab_listed(const rw_construction *wall, int turned, int order[RW_CONSTRUCTION_LAYERS_MAX])
{
    int count = 0;
    for (int i = wall->layer_count - 1; i >= 0; i--) {
        int layer = turned ? wall->layer_count - 1 - i : i;
        if (wall->layers[layer].thickness_m > 0.0)
            order[count++] = layer;
    }
    return count;
}

/* The stack seen from its first layer, or turned from its last. Slopes are set. */
RW_FN void rw_slab_stack_slopes(const rw_construction *wall, int turned, double cosine_incidence, double wavelength_m,
                                const rw_interface_weights *weights, rw_slab_slopes *slopes)
{
    double cosine = rw_cosine_bounded(cosine_incidence), wavenumber = 2.0 * RW_PI / wavelength_m;
    rw_complex air = rw_complex_of(cosine, 0.0), zero = rw_complex_of(0.0, 0.0), one = rw_complex_of(1.0, 0.0);
    rw_slab_step te[RW_CONSTRUCTION_LAYERS_MAX + 1], tm[RW_CONSTRUCTION_LAYERS_MAX + 1];
    rw_complex index[RW_CONSTRUCTION_LAYERS_MAX], phasor[RW_CONSTRUCTION_LAYERS_MAX];
    rw_complex inverse[RW_CONSTRUCTION_LAYERS_MAX]; /* of permittivities */
    int order[RW_CONSTRUCTION_LAYERS_MAX], count = rw_slab_listed(wall, turned, order);
    rw_complex below_te = air, below_tm = air, te_r = zero, te_t = one, tm_r = zero, tm_t = one;
    for (int i = 0; i < wall->layer_count; i++)
        slopes->permittivity[i] = slopes->thickness[i] = zero;
    slopes->cosine = zero;
    for (int i = 0; i <= count; i++) {
        rw_complex above_te = air, above_tm = air, e = one;
        if (i < count) {
            const rw_layer_field *layer = &wall->layers[order[i]];
            rw_complex eps = rw_permittivity_passive(layer->permittivity);
            index[i] = above_te = rw_normal_index(eps, cosine);
            inverse[i] = rw_complex_inverse(eps);
            above_tm = rw_complex_mul(index[i], inverse[i]);
            phasor[i] = e = rw_layer_phasor(index[i], layer->thickness_m, wavelength_m);
        }
        te[i] = rw_slab_step_up(above_te, below_te, te_r, te_t);
        tm[i] = rw_slab_step_up(above_tm, below_tm, tm_r, tm_t);
        te_r = rw_complex_mul(te[i].over_r, rw_complex_mul(e, e));
        tm_r = rw_complex_mul(tm[i].over_r, rw_complex_mul(e, e));
        te_t = rw_complex_mul(te[i].over_t, e);
        tm_t = rw_complex_mul(tm[i].over_t, e);
        below_te = above_te;
        below_tm = above_tm;
    }
    rw_complex above_te = zero, above_tm = zero; /* weights of the admittances above the boundary at hand */
    te_r = weights->reflection.te;
    te_t = weights->transmission.te;
    tm_r = weights->reflection.tm;
    tm_t = weights->transmission.tm;
    for (int i = count; i >= 0; i--) {
        rw_complex next_te = zero, next_tm = zero;
        if (i < count) {
            const rw_layer_field *layer = &wall->layers[order[i]];
            rw_complex of_phasor = rw_complex_add(rw_slab_phasor_down(&te[i], phasor[i], &te_r, &te_t),
                                                  rw_slab_phasor_down(&tm[i], phasor[i], &tm_r, &tm_t));
            rw_complex turned_by =
                rw_complex_mul(of_phasor, rw_complex_mul(phasor[i], rw_complex_of(0.0, -wavenumber)));
            slopes->thickness[order[i]] = rw_complex_mul(turned_by, index[i]);
            above_te = rw_complex_add(above_te, rw_complex_scale(turned_by, layer->thickness_m));
        }
        rw_slab_step_down(&te[i], &te_r, &te_t, &above_te, &next_te);
        rw_slab_step_down(&tm[i], &tm_r, &tm_t, &above_tm, &next_tm);
        if (i < count)
            rw_slab_index_slopes(inverse[i], index[i], cosine, above_te, above_tm, &slopes->permittivity[order[i]],
                                 &slopes->cosine);
        else
            slopes->cosine = rw_complex_add(slopes->cosine, rw_complex_add(above_te, above_tm));
        above_te = next_te;
        above_tm = next_tm;
    }
    slopes->cosine = rw_complex_add(slopes->cosine, rw_complex_add(above_te, above_tm)); /* air below */
}

#endif
