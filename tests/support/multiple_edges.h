/* Diffraction over several knife edges, one behind the other.
 *
 * From edges (distance, altitude) between two antennas to decibels, two ways:
 * - Deygout 1966 (ITU-R P.526-15, section 4.5): the edge with the largest nu on the whole path, then the same on the
 * two halves seen from its top. Fast; overestimates where edges stand close together.
 * - Vogler (Radio Science 17, 1982): the repeated Fresnel-Kirchhoff integral itself. Turning every height of
 * integration by -45 degrees, h = a + e^{-j pi/4} u, leaves Gauss curves without oscillation, and the integral is taken
 * edge by edge by quadrature. Exact for knife edges but for the quadrature: N equal edges at grazing give 20 log10(N +
 * 1) dB. Valid for edges across the path whose spacing is large against the wavelength and heights small against
 * spacing. */
#ifndef MULTIPLE_EDGES_H
#define MULTIPLE_EDGES_H

#include "field/edges/bullington.k.h"

#define RW_EDGES_MAX 64

/* Below this nu an edge leaves the path alone (P.526-15, eq. (31)). */
#define RW_NU_CLEAR (-0.78)

/* Points 0 and count - 1 are the antennas, those between are edges. */
typedef struct rw_edge_path {
    const double *distance_m, *altitude_m;
    size_t count; /* at most RW_EDGES_MAX + 2 */
} rw_edge_path;

/* The edge with the largest nu between points first and last; its nu in *nu. first where there is none. */
RW_FN size_t rw_main_edge(const rw_edge_path *path, size_t first, size_t last, double wavelength_m, double *nu)
{
    size_t main_edge = first;
    *nu = -INFINITY;
    double length_m = path->distance_m[last] - path->distance_m[first];
    for (size_t i = first + 1; i < last; i++) {
        double before_m = path->distance_m[i] - path->distance_m[first], after_m = length_m - before_m;
        double line_m = (path->altitude_m[first] * after_m + path->altitude_m[last] * before_m) / length_m;
        double here = rw_knife_edge_nu(path->altitude_m[i] - line_m, before_m, after_m, wavelength_m);
        if (here > *nu) {
            *nu = here;
            main_edge = i;
        }
    }
    return main_edge;
}

/* Deygout's sum over at most edge_limit edges (3 as in P.526; 0: all), with P.526's J. */
RW_FN double rw_deygout_loss_db(const rw_edge_path *path, double wavelength_m, int edge_limit)
{
    size_t queue[2 * RW_EDGES_MAX + 4];
    size_t head = 0, tail = 0;
    double loss_db = 0.0;
    int edges = 0;
    queue[tail++] = 0;
    queue[tail++] = path->count - 1;
    while (head < tail && (edge_limit == 0 || edges < edge_limit)) {
        size_t first = queue[head++], last = queue[head++];
        double nu;
        size_t edge = rw_main_edge(path, first, last, wavelength_m, &nu);
        if (!(nu > RW_NU_CLEAR) || tail + 4 > sizeof queue / sizeof *queue)
            continue;
        loss_db += rw_knife_edge_loss_p526_db(nu);
        edges++;
        queue[tail++] = first;
        queue[tail++] = edge;
        queue[tail++] = edge;
        queue[tail++] = last;
    }
    return loss_db;
}

#define RW_VOGLER_PANELS 12
#define RW_VOGLER_NODES (8 * RW_VOGLER_PANELS)

/* Clearer edges than this are left out: they would move the answer by less than 0.5 dB. */
#define RW_NU_SKIPPED (-4.0)

/* The path as the integral takes it: the antennas and the edges that matter. */
typedef struct rw_vogler_path {
    double x_m[RW_EDGES_MAX + 2], h_m[RW_EDGES_MAX + 2];
    size_t last;
} rw_vogler_path;

/* Node i of the composite Gauss-Legendre rule on [0, reach]. */
RW_FN void rw_vogler_node(int i, double reach, double *at, double *weight)
{
    const double abscissae[4] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363};
    const double weights[4] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};
    double half = 0.5 * reach / RW_VOGLER_PANELS;
    int within = i % 8, pair = within % 4;
    double offset = within < 4 ? -abscissae[pair] : abscissae[pair];
    *at = half * (2 * (i / 8) + 1 + offset);
    *weight = half * weights[pair];
}

/* How far above edge m the integrand reaches: to e^{-36} of the Gauss curve that the whole path makes of it, or sooner
 * where the ray bends over the edge, later where it passes above. */
RW_FN double rw_vogler_reach_m(const rw_vogler_path *path, size_t m, double wavenumber)
{
    double before_m = path->x_m[m] - path->x_m[0], after_m = path->x_m[path->last] - path->x_m[m];
    double sharpness = 0.5 * wavenumber * (1.0 / before_m + 1.0 / after_m);
    double line_m = (path->h_m[0] * after_m + path->h_m[path->last] * before_m) / (before_m + after_m);
    double shift_m = path->h_m[m] - line_m;
    return sqrt(36.0 / sharpness) + (shift_m < 0.0 ? -shift_m : 0.0);
}

/* e^{-j k (length of the stretch)} over the turned heights a + e^{-j pi/4} u, without the part that is constant. */
RW_FN rw_complex rw_vogler_stretch(double rise_m, double length_m, double du_m, double wavenumber)
{
    double tilt = -sqrt(0.5) * wavenumber * rise_m * du_m / length_m;
    return rw_complex_polar(exp(tilt - 0.5 * wavenumber * du_m * du_m / length_m), tilt);
}

/* Appends a point. An edge so near to the one before that the quadrature could not tell them apart takes its place
 * where it is higher and is dropped where not, which moves the answer by less than 0.3 dB. */
RW_FN void rw_vogler_append(rw_vogler_path *selected, double x_m, double h_m, double end_m, int antenna)
{
    double before_m = x_m - selected->x_m[0], after_m = end_m - x_m;
    double nearest_m = before_m * after_m / (before_m + after_m) / 100.0;
    if (antenna || selected->last == 0 || x_m - selected->x_m[selected->last] >= nearest_m)
        selected->last++;
    else if (h_m <= selected->h_m[selected->last])
        return;
    selected->x_m[selected->last] = x_m;
    selected->h_m[selected->last] = h_m;
}

/* Copies the antennas and, from all edges, those less clear than RW_NU_SKIPPED between their stretched neighbours. */
RW_FN void rw_vogler_prepare(const rw_edge_path *path, double wavelength_m, rw_vogler_path *selected)
{
    size_t last = path->count - 1, from = 0;
    selected->last = 0;
    selected->x_m[0] = path->distance_m[0];
    selected->h_m[0] = path->altitude_m[0];
    while (from < last) {
        size_t next = last; /* the next point that the string from this one touches */
        double steepest = -INFINITY;
        for (size_t i = from + 1; i <= last; i++) {
            double slope =
                (path->altitude_m[i] - path->altitude_m[from]) / (path->distance_m[i] - path->distance_m[from]);
            next = slope >= steepest ? i : next;
            steepest = slope >= steepest ? slope : steepest;
        }
        for (size_t i = from + 1; i <= next; i++) {
            double before_m = path->distance_m[i] - path->distance_m[from];
            double below_m = path->altitude_m[i] - path->altitude_m[from] - steepest * before_m;
            double after_m = path->distance_m[next] - path->distance_m[i];
            if (i < next && rw_knife_edge_nu(below_m, before_m, after_m, wavelength_m) < RW_NU_SKIPPED)
                continue;
            rw_vogler_append(selected, path->distance_m[i], path->altitude_m[i], path->distance_m[last], i == last);
        }
        from = next;
    }
}

/* The size of the field at the far end relative to free space. */
RW_FN double rw_vogler_amplitude(const rw_edge_path *edges, double wavelength_m)
{
    rw_vogler_path path;
    rw_complex here[RW_VOGLER_NODES], next[RW_VOGLER_NODES];
    double k = 2.0 * RW_PI / wavelength_m, scale = 1.0;
    rw_vogler_prepare(edges, wavelength_m, &path);
    if (path.last < 2)
        return 1.0;
    for (size_t m = 1; m <= path.last; m++) {
        double length_m = path.x_m[m] - path.x_m[m - 1], rise_m = path.h_m[m] - path.h_m[m - 1];
        double reach = m < path.last ? rw_vogler_reach_m(&path, m, k) : 0.0;
        double reach_before = m > 1 ? rw_vogler_reach_m(&path, m - 1, k) : 0.0;
        for (int i = 0; i < (m < path.last ? RW_VOGLER_NODES : 1); i++) {
            double u = 0.0, v, weight, unused;
            rw_complex sum = {0.0, 0.0};
            if (m < path.last)
                rw_vogler_node(i, reach, &u, &unused);
            for (int j = 0; m > 1 && j < RW_VOGLER_NODES; j++) {
                rw_vogler_node(j, reach_before, &v, &weight);
                rw_complex stretch = rw_vogler_stretch(rise_m, length_m, u - v, k);
                sum = rw_complex_add(sum, rw_complex_scale(rw_complex_mul(here[j], stretch), weight));
            }
            next[i] = m > 1 ? sum : rw_vogler_stretch(rise_m, length_m, u, k);
        }
        for (int i = 0; i < RW_VOGLER_NODES; i++)
            here[i] = rw_complex_scale(next[i], m < path.last ? 1.0 / sqrt(wavelength_m * length_m) : 1.0);
        scale = (path.x_m[path.last] - path.x_m[0]) / length_m; /* of the last stretch, in the end */
    }
    return rw_complex_abs(here[0]) * sqrt(scale);
}

RW_FN double rw_vogler_loss_db(const rw_edge_path *edges, double wavelength_m)
{
    return -20.0 * log10(rw_vogler_amplitude(edges, wavelength_m));
}

#endif
