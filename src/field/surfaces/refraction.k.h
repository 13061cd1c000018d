/* A ray through a slab: the parallel displacement that double refraction leaves.
 *
 * From layers (thickness, refractive index) and the angle of incidence to how far the source seems shifted towards the
 * slab: behind parallel faces a ray goes on in its old direction, as if it came from a point delta nearer, after
 * Snell's law; and the misalignment of such a shifted viewpoint, after Novak (2016), equations (1) and (2). Exact for
 * plane parallel layers without loss; the index of a lossy layer is the real part of sqrt(eps). */
#ifndef RW_FIELD_SURFACES_REFRACTION_K_H
#define RW_FIELD_SURFACES_REFRACTION_K_H

#include "base/maths/vector.h"

#define RW_REFRACTOR_LAYERS_MAX 16

/* How one kind of surface bends rays. */
typedef struct rw_refractor {
    int layer_count;
    int opaque;   /* nothing comes through */
    int straight; /* 1: rays go through as if it did not bend them */
    double thickness_m;
    double through_db; /* lost at normal incidence, without calibrated factors: decides at joints of walls */
    double layer_m[RW_REFRACTOR_LAYERS_MAX], index[RW_REFRACTOR_LAYERS_MAX];
} rw_refractor;

/* Delta of one ray: sum of d (1 - tan theta_tr / tan theta_inc), with tan theta_tr / tan theta_inc = cos theta_inc /
 * sqrt(n^2 - sin^2 theta_inc). */
RW_FN double rw_refraction_shift_m(const rw_refractor *slab, double cosine)
{
    double shift = 0;
    if (slab->straight)
        return 0;
    for (int i = 0; i < slab->layer_count; i++) {
        double below = slab->index[i] * slab->index[i] - 1 + cosine * cosine;
        shift += slab->layer_m[i] * (1 - (below > 1e-12 ? cosine / sqrt(below) : 1));
    }
    return shift;
}

/* By how much the slab makes the way longer than air would, as delay sees it: sum of d (n cos theta_tr - cos theta); of
 * a straight ray d (n - 1) / cos theta. */
RW_FN double rw_refraction_excess_m(const rw_refractor *slab, double cosine)
{
    double excess = 0;
    for (int i = 0; i < slab->layer_count; i++) {
        if (slab->straight) {
            excess += slab->layer_m[i] * (slab->index[i] - 1) / cosine;
            continue;
        }
        double below = slab->index[i] * slab->index[i] - 1 + cosine * cosine;
        excess += slab->layer_m[i] * ((below > 0 ? sqrt(below) : 0) - cosine);
    }
    return excess;
}

/* Novak (2016), equations (1) and (2), with any number of layers: epsilon in radians between the double-refracted ray
 * and the line from a viewpoint that is shifted by shift_m; the source is distance_m before the wall. */
RW_FN double rw_refraction_misalignment(const rw_refractor *slab, double distance_m, double incidence_rad,
                                        double shift_m)
{
    double aside_m = distance_m * tan(incidence_rad), ahead_m = distance_m - shift_m;
    for (int i = 0; i < slab->layer_count; i++) {
        aside_m += slab->layer_m[i] * tan(asin(sin(incidence_rad) / slab->index[i]));
        ahead_m += slab->layer_m[i];
    }
    return incidence_rad - atan2(aside_m, ahead_m);
}

/* The one shift for all rays between two angles of incidence that keeps the largest error least: half-way between the
 * shifts of the two, since the shift grows with the angle. slack_m is that largest error. */
RW_FN double rw_refraction_best_shift_m(const rw_refractor *slab, double cosine_from, double cosine_to, double *slack_m)
{
    double one = rw_refraction_shift_m(slab, cosine_from), other = rw_refraction_shift_m(slab, cosine_to);
    *slack_m = 0.5 * fabs(one - other);
    return 0.5 * (one + other);
}

#endif
