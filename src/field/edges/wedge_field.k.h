/* The whole field round a wedge lit by a point source: direct, reflected and diffracted, relative to free space over
 * the straight distance.
 *
 * From cylindrical coordinates about the edge to complex field ratios, after Kouyoumjian and Pathak (1974), with the
 * geometrical-optics part as a sum over images: image N of the direct (reflected) wave is lit where
 * |phi -+ phi' - 2 pi n N| <= pi. Total fields are continuous across every boundary. Soft and hard are taken apart,
 * which is exact for rays perpendicular to the edge and for perfect conductors; dyads of oblique rays are in
 * wedge_dyad.k.h. */
#ifndef RW_FIELD_EDGES_WEDGE_FIELD_K_H
#define RW_FIELD_EDGES_WEDGE_FIELD_K_H

#include "field/paths/phases.k.h"
#include "field/edges/wedge.k.h"

typedef struct rw_cylindrical {
    double radius_m, angle_rad, along_m; /* from the edge, from the 0-face, along the edge */
} rw_cylindrical;

typedef struct rw_wedge_surface {
    double exterior_over_pi;
    rw_complex permittivity;
    int perfect_conductor;
    int holm;
} rw_wedge_surface;

typedef struct rw_wedge_field {
    rw_soft_hard total, diffracted; /* relative to free space over direct_m */
    rw_soft_hard coefficient;       /* D in sqrt(m) */
    double direct_m, over_edge_m;
    double sine_edge_angle;
    int lit; /* the straight line misses the wedge */
} rw_wedge_field;

RW_FN double rw_image_distance_m(rw_cylindrical source, rw_cylindrical observer, double angle_rad)
{
    double half = sin(0.5 * angle_rad), difference = observer.radius_m - source.radius_m;
    double along = observer.along_m - source.along_m;
    return sqrt(difference * difference + 4.0 * source.radius_m * observer.radius_m * half * half + along * along);
}

/* Whether image N with phi -+ phi' = beta is seen; the same sums as in rw_wedge_epsilon_plus, so that the two never
 * disagree. */
RW_FN int rw_image_lit(double beta_rad, double n, double image)
{
    return beta_rad + RW_PI - 2.0 * RW_PI * n * image >= 0.0 && -beta_rad + RW_PI + 2.0 * RW_PI * n * image >= 0.0;
}

/* Reflection of the images of a lossy wedge, which has one bounce at most: off the 0-face (N = 0) or the n-face (N =
 * 1). */
RW_FN rw_te_tm rw_wedge_bounce(const rw_wedge_surface *surface, rw_cylindrical source, rw_cylindrical observer,
                               int n_face, double image_m)
{
    if (surface->perfect_conductor)
        return rw_fresnel_perfect_conductor().reflection;
    double face = n_face ? surface->exterior_over_pi * RW_PI : 0.0;
    double height =
        source.radius_m * sin(fabs(source.angle_rad - face)) + observer.radius_m * sin(fabs(observer.angle_rad - face));
    return rw_fresnel(surface->permittivity, height / image_m).reflection;
}

/* Adds amplitude times the spherical wave over length_m, relative to the one over direct_m. */
RW_FN void rw_add_wave(rw_soft_hard *sum, rw_complex soft, rw_complex hard, double length_m, double direct_m,
                       double wavelength_m)
{
    rw_complex wave = rw_complex_scale(rw_path_phasor(length_m - direct_m, wavelength_m), direct_m / length_m);
    sum->soft = rw_complex_add(sum->soft, rw_complex_mul(soft, wave));
    sum->hard = rw_complex_add(sum->hard, rw_complex_mul(hard, wave));
}

RW_FN void rw_wedge_add_images(const rw_wedge_surface *surface, rw_cylindrical source, rw_cylindrical observer,
                               double wavelength_m, rw_wedge_field *field)
{
    double n = surface->exterior_over_pi;
    double difference = observer.angle_rad - source.angle_rad, sum = observer.angle_rad + source.angle_rad;
    rw_complex one = rw_complex_of(1.0, 0.0);
    int furthest = n < 1.0 ? (int)(1.0 / n) + 1 : 1;
    for (int image = -furthest; image <= furthest; image++) {
        double shift = 2.0 * RW_PI * n * image;
        if (rw_image_lit(difference, n, image) && (n < 1.0 || image == 0)) {
            double length_m = rw_image_distance_m(source, observer, difference - shift);
            rw_add_wave(&field->total, one, one, length_m, field->direct_m, wavelength_m);
        }
        if (rw_image_lit(sum, n, image) && (n < 1.0 || image == 0 || image == 1)) {
            double length_m = rw_image_distance_m(source, observer, sum - shift);
            rw_te_tm bounce = rw_wedge_bounce(surface, source, observer, image == 1, length_m);
            rw_add_wave(&field->total, bounce.te, bounce.tm, length_m, field->direct_m, wavelength_m);
        }
    }
}

RW_FN rw_wedge_field rw_wedge_field_of(const rw_wedge_surface *surface, rw_cylindrical source, rw_cylindrical observer,
                                       double wavelength_m)
{
    rw_soft_hard zero = {{0.0, 0.0}, {0.0, 0.0}};
    rw_wedge_field field;
    double wavenumber = 2.0 * RW_PI / wavelength_m;
    double across = source.radius_m + observer.radius_m, along = observer.along_m - source.along_m;
    double difference = observer.angle_rad - source.angle_rad;
    field.over_edge_m = sqrt(across * across + along * along);
    field.sine_edge_angle = across / field.over_edge_m;
    field.direct_m = rw_image_distance_m(source, observer, difference);
    field.lit = rw_image_lit(difference, surface->exterior_over_pi, 0.0);
    double before_m = source.radius_m / field.sine_edge_angle, after_m = observer.radius_m / field.sine_edge_angle;
    rw_wedge_geometry geometry = {surface->exterior_over_pi, source.angle_rad, observer.angle_rad,
                                  field.sine_edge_angle,
                                  rw_wedge_distance_spherical_m(before_m, after_m, field.sine_edge_angle)};
    rw_wedge_terms terms = rw_wedge_terms_of(&geometry, wavenumber);
    rw_wedge_faces faces =
        rw_wedge_faces_of(&geometry, surface->permittivity, surface->perfect_conductor, surface->holm);
    field.coefficient = rw_wedge_coefficients_of(&geometry, &terms, &faces);
    /* D A / s', relative to 1 / (s' + s): A (s' + s) / s' = sqrt((s' + s) / (s' s)). */
    double spread = rw_wedge_spreading_spherical(before_m, after_m) * field.over_edge_m / before_m;
    field.diffracted = zero;
    rw_add_wave(&field.diffracted, rw_complex_scale(field.coefficient.soft, spread),
                rw_complex_scale(field.coefficient.hard, spread), field.over_edge_m, field.direct_m, wavelength_m);
    field.total = field.diffracted;
    rw_wedge_add_images(surface, source, observer, wavelength_m, &field);
    return field;
}

#endif
