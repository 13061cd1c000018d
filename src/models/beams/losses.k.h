/* Loss of each interaction of a path, in dB: constants by the user or by calibration, or theory.
 *
 * After equation (4) of Schmitz and others (2011): a path has the loss of its length and a factor for each interaction.
 * Constants are given for the first, second and further interaction of a kind, as section 5 fits them. Theory is
 * Fresnel at walls (tabulated over the cosine of incidence, field along the wall: vertical polarisation) and the
 * uniform theory of diffraction at corners. Angles are those in plan. */
#ifndef RW_MODELS_BEAMS_LOSSES_K_H
#define RW_MODELS_BEAMS_LOSSES_K_H

#include "base/maths/elementary.h"
#include "field/edges/wedge_terms.k.h"
#include "models/beams/beam.k.h"

#define RW_BEAM_ORDERS 8  /* constants for the first to the eighth interaction of a kind; further ones take the last */
#define RW_BEAM_TABLE 256 /* steps of a table over the cosine of incidence */
#define RW_BEAM_TABLE_ROW (RW_BEAM_TABLE + 1)
#define RW_BEAM_LOSS_MAX_DB 300.0f /* stands for nothing at all: a wall of metal lets nothing through */

typedef struct rw_beam_losses {
    double exponent, constant_db; /* equation (3): 10 n log10(d) + C */
    int theory;
    int holm; /* corners after Holm; 0: after Luebbers */
    float reflection_db[RW_BEAM_ORDERS], transmission_db[RW_BEAM_ORDERS], diffraction_db[RW_BEAM_ORDERS];
    const float *reflection_table, *transmission_table; /* a row for each surface */
    const rw_complex *permittivity;                     /* of each surface; metal has RW_PERMITTIVITY_CONDUCTOR_IM */
    double wavenumber;
    float loss_max_db; /* paths with more are dropped */
} rw_beam_losses;

RW_FN float rw_order_loss_db(const float losses_db[RW_BEAM_ORDERS], int before)
{
    return losses_db[before < RW_BEAM_ORDERS ? before : RW_BEAM_ORDERS - 1];
}

RW_FN float rw_table_loss_db(const float *table, uint32_t surface, double cosine)
{
    float at = (float)fabs(cosine) * (float)RW_BEAM_TABLE;
    int step = (int)at < RW_BEAM_TABLE - 1 ? (int)at : RW_BEAM_TABLE - 1;
    const float *row = table + (size_t)surface * RW_BEAM_TABLE_ROW + step;
    return row[0] + (at - (float)step) * (row[1] - row[0]);
}

/* Loss of a reflection; before is how many the path has behind it. */
RW_FN float rw_reflection_loss_db(const rw_beam_losses *losses, uint32_t surface, int before, double cosine)
{
    return losses->theory ? rw_table_loss_db(losses->reflection_table, surface, cosine)
                          : rw_order_loss_db(losses->reflection_db, before);
}

RW_FN float rw_transmission_loss_db(const rw_beam_losses *losses, uint32_t surface, int before, double cosine)
{
    return losses->theory ? rw_table_loss_db(losses->transmission_table, surface, cosine)
                          : rw_order_loss_db(losses->transmission_db, before);
}

/* |D|^2 of a corner for the field along it: source and observer as angles from the dark face. */
RW_RARE_FN double rw_corner_coefficient(const rw_beam_losses *losses, uint32_t surface, double exterior_rad,
                                        double source_rad, double observer_rad, double distance_parameter_m)
{
    rw_complex permittivity = losses->permittivity[surface];
    double n = exterior_rad * (1.0 / RW_PI), inverse_2n = 0.5 / n;
    double root_2kl = sqrt(2.0 * losses->wavenumber * distance_parameter_m);
    double first = source_rad < observer_rad ? source_rad : observer_rad;
    double second = source_rad < observer_rad ? observer_rad : source_rad;
    double difference = second - first, sum = second + first;
    rw_wedge_terms terms;
    terms.incidence_above = rw_wedge_term_fast(difference, n, inverse_2n, root_2kl);
    terms.incidence_below = rw_wedge_term_fast(-difference, n, inverse_2n, root_2kl);
    terms.reflection_zero = rw_wedge_term_fast(-sum, n, inverse_2n, root_2kl);
    terms.reflection_n = rw_wedge_term_fast(sum, n, inverse_2n, root_2kl);
    rw_complex zero = rw_wedge_face_fast(permittivity, 0, first, 1.0).te;
    rw_complex far = rw_wedge_face_fast(permittivity, 0, RW_PI * n - second, 1.0).te;
    rw_complex soft = rw_wedge_combine_fast(&terms, zero, far, losses->holm);
    return rw_complex_abs2(soft) * inverse_2n * inverse_2n / (2.0 * RW_PI * losses->wavenumber);
}

/* Factor on the power that a path has behind a corner, beside that of its whole length: |D|^2 (s' + s) / (s' s), where
 * s' is all that is behind it. The distance parameter is that of the two legs at the corner: a wave that comes from
 * another corner is round about that one, and the product over all corners is the same both ways. */
RW_FN double rw_corner_gain(const rw_beam_losses *losses, const rw_beam *beam, double observer_rad, double after_m)
{
    double before_m = beam->before_m > 1e-3 ? beam->before_m : 1e-3;
    after_m = after_m > 1e-3 ? after_m : 1e-3;
    double exterior = (double)beam->exterior_rad, source_rad = (double)beam->shadow_rad + RW_PI;
    source_rad = source_rad > exterior ? exterior : source_rad;
    double spread = (before_m + after_m) / (before_m * after_m);
    double leg_m = beam->leg_m > 1e-3f ? (double)beam->leg_m : 1e-3, parameter_m = leg_m * after_m / (leg_m + after_m);
    double gain =
        rw_corner_coefficient(losses, beam->corner_surface, exterior, source_rad, observer_rad, parameter_m) * spread;
    return gain < 1 ? gain : 1;
}

/* Angle from the dark face of a beam's last corner to a direction of its rays. */
RW_FN double rw_observer_angle(const rw_beam *beam, rw_vec2 direction)
{
    double angle = fabs(rw_angle_between(beam->face, direction));
    double max_angle = (double)beam->shadow_rad;
    return angle < max_angle ? angle : max_angle;
}

/* Loss of the last corner of a beam towards a receiver after_m from it, in plan. */
RW_FN double rw_corner_loss_db(const rw_beam_losses *losses, const rw_beam *beam, rw_vec2 direction, double after_m)
{
    if (!losses->theory)
        return (double)rw_order_loss_db(losses->diffraction_db, beam->diffractions - 1);
    return -10.0 * log10(rw_corner_gain(losses, beam, rw_observer_angle(beam, direction), after_m) + 1e-30);
}

/* What the interactions of a beam cost along its right edge, in the middle and along its left edge, from what those of
 * the beam cost that it comes from. */
RW_RARE_FN void rw_beam_add_losses(const rw_beam_losses *losses, const rw_beam_walls *walls, const rw_beam *parent,
                                   rw_beam *beam)
{
    if (beam->kind == RW_BEAM_DIFFRACTED) {
        rw_vec2 leg = rw_vec2_sub(beam->origin, parent->origin), ray = rw_unit(leg);
        float loss_db = rw_parabola(parent->loss_db, rw_edge_fraction(parent->right, parent->left, ray));
        if (parent->diffractions)
            loss_db += (float)rw_corner_loss_db(losses, parent, ray, sqrt(rw_vec2_dot(leg, leg)));
        beam->loss_db[0] = beam->loss_db[1] = beam->loss_db[2] = loss_db;
        beam->corner_surface = walls->surface[beam->wall];
        return;
    }
    rw_vec2 normal = rw_wall_normal(walls->exact + beam->wall), middle = rw_unit(rw_vec2_add(beam->right, beam->left));
    uint32_t surface = walls->surface[beam->wall];
    int reflected = beam->kind == RW_BEAM_REFLECTED;
    for (int i = 0; i < 3; i++) {
        rw_vec2 seen = i == 0 ? beam->right : i == 1 ? middle : beam->left;
        seen = reflected ? rw_mirror_direction(seen, normal) : seen; /* as the parent sees it */
        double cosine = rw_vec2_dot(seen, normal);
        beam->loss_db[i] = rw_parabola(parent->loss_db, rw_edge_fraction(parent->right, parent->left, seen)) +
                           (reflected ? rw_reflection_loss_db(losses, surface, parent->reflections, cosine)
                                      : rw_transmission_loss_db(losses, surface, parent->transmissions, cosine));
    }
    beam->corner_surface = parent->corner_surface;
}

/* Loss of a path's length: equation (3). */
RW_FN double rw_length_loss_db(const rw_beam_losses *losses, double length_m)
{
    const double db_per_neper = 4.3429448190325175; /* 10 / ln(10); log is faster than log10 */
    return losses->constant_db + db_per_neper * losses->exponent * log(length_m > 1e-2 ? length_m : 1e-2);
}

#endif
