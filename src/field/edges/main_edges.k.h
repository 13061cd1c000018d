/* Diffraction over the few main edges of a profile with many: Vogler's integral in single precision, for maps.
 *
 * Rows of houses at grazing cost 20 log10(N + 1) dB, which no sum of losses edge by edge gives; Vogler's integral
 * (tests/support/multiple_edges.h) does. Its cost grows with the edges, and a few of them decide: again and again the
 * one with the largest Fresnel parameter between those already chosen, down to RW_MAIN_EDGE_NU. Against a parabolic
 * equation on profiles over the roofs of a city, five edges and 16 nodes are within 3.2 dB rms for a transmitter below
 * the roofs and 1.6 dB above them (tests/field/test_main_edges.c).
 *
 * On heights turned by -45 degrees the kernel between two edges is a real Gauss curve times phases that belong to one
 * edge each, so that only edges, not pairs of nodes, need sines. Heights are those above the straight line between the
 * ends: the integral does not change when the profile is sheared. Numbers stay within single precision because an edge
 * that passes below its neighbours' line by more than RW_MAIN_EDGE_NU is not chosen. */
#ifndef RW_FIELD_EDGES_MAIN_EDGES_K_H
#define RW_FIELD_EDGES_MAIN_EDGES_K_H

#include "base/maths/elementary.h"

#define RW_MAIN_EDGES 5
#define RW_MAIN_NODES 16
#define RW_MAIN_EDGE_NU (-1.5f)
/* Edges nearer to each other than this part of the harmonic mean of their ways to the ends are one to the quadrature.
 */
#define RW_MAIN_EDGE_NEAR 0.04f
/* Nodes reach to where the integrand has fallen by so many nepers. */
#define RW_MAIN_REACH_NP 11.0f

/* Edges chosen so far, in order from one end (0) to the other (length_m). */
typedef struct rw_main_edges {
    int count;
    float length_m, wavelength_m;
    float x_m[RW_MAIN_EDGES], h_m[RW_MAIN_EDGES]; /* h: above the straight line between the ends */
} rw_main_edges;

RW_FN rw_main_edges rw_main_edges_none(float length_m, float wavelength_m)
{
    rw_main_edges edges;
    edges.count = 0;
    edges.length_m = length_m;
    edges.wavelength_m = wavelength_m;
    for (int i = 0; i < RW_MAIN_EDGES; i++)
        edges.x_m[i] = edges.h_m[i] = 0.0f;
    return edges;
}

/* The Fresnel parameter of an edge between two points of the path; far below any that counts where it is too near to
 * one of them. */
RW_FN float rw_main_edge_nu(const rw_main_edges *edges, float x0, float h0, float x1, float h1, float x_m, float h_m)
{
    float before_m = x_m - x0, after_m = x1 - x_m, nearest_m = before_m < after_m ? before_m : after_m;
    int near = nearest_m * edges->length_m < RW_MAIN_EDGE_NEAR * x_m * (edges->length_m - x_m);
    float above_m = h_m - (h0 * after_m + h1 * before_m) / (before_m + after_m);
    float nu = above_m * sqrtf(2.0f * (before_m + after_m) / (edges->wavelength_m * before_m * after_m));
    return near ? -1e30f : nu;
}

RW_FN void rw_main_edges_insert(rw_main_edges *edges, float x_m, float h_m)
{
    int at = edges->count++;
    for (; at > 0 && edges->x_m[at - 1] > x_m; at--) {
        edges->x_m[at] = edges->x_m[at - 1];
        edges->h_m[at] = edges->h_m[at - 1];
    }
    edges->x_m[at] = x_m;
    edges->h_m[at] = h_m;
}

RW_FN float rw_main_point_x(const rw_main_edges *edges, int point)
{
    return point < 0 ? 0.0f : point < edges->count ? edges->x_m[point] : edges->length_m;
}

RW_FN float rw_main_point_h(const rw_main_edges *edges, int point)
{
    return point < 0 || point >= edges->count ? 0.0f : edges->h_m[point];
}

/* Excludes edges that those chosen after them have put far below the line between their neighbours. */
RW_FN void rw_main_edges_prune(rw_main_edges *edges)
{
    for (int i = 0; i < edges->count; i++) {
        float nu =
            rw_main_edge_nu(edges, rw_main_point_x(edges, i - 1), rw_main_point_h(edges, i - 1),
                            rw_main_point_x(edges, i + 1), rw_main_point_h(edges, i + 1), edges->x_m[i], edges->h_m[i]);
        if (!(nu < RW_MAIN_EDGE_NU))
            continue;
        edges->count--;
        for (int j = i; j < edges->count; j++) {
            edges->x_m[j] = edges->x_m[j + 1];
            edges->h_m[j] = edges->h_m[j + 1];
        }
        i = -1; /* those before may be below the line now */
    }
}

/* The point of the string over the edges that follows point from, at x0 and h0: the ends are points of it. */
RW_FN int rw_main_string_next(const rw_main_edges *edges, int from, float x0, float h0)
{
    int next = edges->count;
    float steepest = -h0 / (edges->length_m - x0);
    for (int i = from + 1; i < edges->count; i++) {
        float slope = (edges->h_m[i] - h0) / (edges->x_m[i] - x0);
        next = slope > steepest ? i : next;
        steepest = slope > steepest ? slope : steepest;
    }
    return next;
}

/* Excludes edges far below the string, for another end than that for which they were chosen. Neighbours alone do not
 * decide: of two edges far below the string each may be near to the line between the other and the string. */
RW_FN void rw_main_edges_prune_below_string(rw_main_edges *edges)
{
    int stored = 0;
    float x0 = 0.0f, h0 = 0.0f; /* of the last point of the string: its slot may have been used again */
    for (int from = -1; from < edges->count;) {
        int to = rw_main_string_next(edges, from, x0, h0);
        float x1 = rw_main_point_x(edges, to), h1 = rw_main_point_h(edges, to);
        for (int i = from + 1; i <= to && i < edges->count; i++) {
            float x_m = edges->x_m[i], h_m = edges->h_m[i];
            if (i < to && rw_main_edge_nu(edges, x0, h0, x1, h1, x_m, h_m) < RW_MAIN_EDGE_NU)
                continue;
            edges->x_m[stored] = x_m;
            edges->h_m[stored++] = h_m;
        }
        from = to;
        x0 = x1;
        h0 = h1;
    }
    edges->count = stored;
}

/* Candidates that are weighed side by side. */
#ifdef __CUDACC__
#define RW_EDGE_CANDIDATES 1
#else
#define RW_EDGE_CANDIDATES 16
#endif

/* The Fresnel parameters of RW_EDGE_CANDIDATES candidates between the edges chosen already. */
RW_FN void rw_main_edge_nus(const rw_main_edges *edges, const float *x_m, const float *h_m, float *nu)
{
    float chosen_x[RW_MAIN_EDGES], chosen_h[RW_MAIN_EDGES];
    for (int i = 0; i < RW_MAIN_EDGES; i++) {
        chosen_x[i] = rw_main_point_x(edges, i);
        chosen_h[i] = rw_main_point_h(edges, i);
    }
    RW_SIMD
    for (int k = 0; k < RW_EDGE_CANDIDATES; k++) {
        float x0 = 0.0f, h0 = 0.0f, x1 = edges->length_m, h1 = 0.0f;
        for (int i = 0; i < RW_MAIN_EDGES; i++) {
            int before = chosen_x[i] <= x_m[k];
            x0 = before ? chosen_x[i] : x0;
            h0 = before ? chosen_h[i] : h0;
        }
        for (int i = RW_MAIN_EDGES - 1; i >= 0; i--) {
            int before = chosen_x[i] <= x_m[k];
            x1 = before ? x1 : chosen_x[i];
            h1 = before ? h1 : chosen_h[i];
        }
        nu[k] = rw_main_edge_nu(edges, x0, h0, x1, h1, x_m[k], h_m[k]);
    }
}

/* Room for candidates: whole groups of RW_EDGE_CANDIDATES. */
#define RW_EDGE_CAPACITY(count) (((count) + RW_EDGE_CANDIDATES - 1) / RW_EDGE_CANDIDATES * RW_EDGE_CANDIDATES)

/* Below these differences two edges are equally good to rounding, which differs between instruction sets. */
#define RW_EDGE_TIE_NU 1e-3f
#define RW_EDGE_TIE_M 1e-3f

/* Whether a candidate is better than the best so far: by its Fresnel parameter, then by its height, then by its
 * distance; otherwise the first one stays. */
RW_FN int rw_main_edge_is_better(float nu, float h_m, float x_m, float best_nu, float best_h_m, float best_x_m)
{
    if (nu > best_nu + RW_EDGE_TIE_NU || nu < best_nu - RW_EDGE_TIE_NU)
        return nu > best_nu;
    if (h_m > best_h_m + RW_EDGE_TIE_M || h_m < best_h_m - RW_EDGE_TIE_M)
        return h_m > best_h_m;
    return x_m < best_x_m - RW_EDGE_TIE_M;
}

/* Chooses from count candidates in any order, with room for RW_EDGE_CAPACITY(count). x_m must lie between the ends. */
RW_FN void rw_main_edges_choose(rw_main_edges *edges, float *x_m, float *h_m, int count)
{
    for (int i = count; i < RW_EDGE_CAPACITY(count); i++) {
        x_m[i] = 0.5f * edges->length_m;
        h_m[i] = 0.0f;
    }
    while (edges->count < RW_MAIN_EDGES) {
        float best_nu = RW_MAIN_EDGE_NU;
        int best = -1;
        for (int first = 0; first < count; first += RW_EDGE_CANDIDATES) {
            float nu[RW_EDGE_CANDIDATES];
            rw_main_edge_nus(edges, x_m + first, h_m + first, nu);
            for (int i = 0; i < RW_EDGE_CANDIDATES && first + i < count; i++) {
                int at = first + i,
                    better = best < 0 ? nu[i] > RW_MAIN_EDGE_NU
                                      : rw_main_edge_is_better(nu[i], h_m[at], x_m[at], best_nu, h_m[best], x_m[best]);
                best = better ? at : best;
                best_nu = better ? nu[i] : best_nu;
            }
        }
        if (best < 0)
            break;
        rw_main_edges_insert(edges, x_m[best], h_m[best]);
    }
    rw_main_edges_prune(edges);
}

/* The field above one edge at the nodes, without the phases of the stretch behind it. */
typedef struct rw_edge_field {
    float at_m[RW_MAIN_NODES]; /* nodes: heights above the edge */
    float weight_m[RW_MAIN_NODES];
    float re[RW_MAIN_NODES], im[RW_MAIN_NODES];
} rw_edge_field;

/* Height above the straight line of a string that is drawn over all other edges. */
RW_FN float rw_main_string_m(const rw_main_edges *edges, int edge)
{
    float highest = 0.0f, x_m = edges->x_m[edge];
    for (int i = -1; i < edge; i++)
        for (int j = edge + 1; j <= edges->count; j++) {
            float x0 = rw_main_point_x(edges, i), h0 = rw_main_point_h(edges, i);
            float slope = (rw_main_point_h(edges, j) - h0) / (rw_main_point_x(edges, j) - x0);
            float here = h0 + slope * (x_m - x0);
            highest = here > highest ? here : highest;
        }
    return highest;
}

/* How far above an edge the integrand reaches: sooner where the wave bends over it, later where it passes above. */
RW_FN float rw_main_reach_m(const rw_main_edges *edges, int edge, float wavenumber)
{
    float x_m = edges->x_m[edge], above_m = edges->h_m[edge] - rw_main_string_m(edges, edge);
    float sharpness = 0.5f * wavenumber * edges->length_m / (x_m * (edges->length_m - x_m));
    float tilt = 1.41421356f * sharpness * above_m;
    float root = sqrtf(tilt * tilt + 4.0f * sharpness * RW_MAIN_REACH_NP);
    return tilt > 0.0f ? 2.0f * RW_MAIN_REACH_NP / (root + tilt) : (root - tilt) / (2.0f * sharpness);
}

/* A stretch between two points of the path: the exponents that a height difference of 1 m costs, linear and square, to
 * the base e and, for sizes, to the base 2. */
typedef struct rw_edge_stretch {
    float tilt;
    float tilt_bits, square_bits;
} rw_edge_stretch;

RW_FN rw_edge_stretch rw_edge_stretch_of(float rise_m, float length_m, float wavenumber)
{
    const float bits = 1.44269504f;
    float tilt = 0.70710678f * wavenumber * rise_m / length_m;
    rw_edge_stretch stretch = {tilt, bits * tilt, bits * 0.5f * wavenumber / length_m};
    return stretch;
}

/* 2^x where x is seldom above 0. Beyond 86 an end lies far in the light of the edges before it, and its power, which
 * has a bound, comes out too large in any case. */
RW_FN float rw_exp2_moderate(float x)
{
    float bounded = x < 86.0f ? x : 86.0f;
    bounded = bounded > -120.0f ? bounded : -120.0f;
    float shifted = bounded + 12582912.0f; /* 1.5 * 2^23: rounds to the nearest integer, in the last bits */
    float rest = bounded - (shifted - 12582912.0f), sum = 1.5403530e-4f;
    sum = sum * rest + 1.3333558e-3f;
    sum = sum * rest + 9.6181291e-3f;
    sum = sum * rest + 5.5504109e-2f;
    sum = sum * rest + 2.4022651e-1f;
    sum = sum * rest + 6.9314718e-1f;
    sum = sum * rest + 1.0f;
    return sum * rw_bits_float((rw_float_bits(shifted) + 127u) << 23);
}

/* Size of the kernel over a stretch between heights that differ by du. */
RW_FN float rw_edge_kernel(rw_edge_stretch stretch, float du)
{
    return rw_exp2_moderate(-(stretch.tilt_bits + stretch.square_bits * du) * du);
}

/* Weights, and the phases of the stretches on both sides, which meet at the nodes. */
RW_FN void rw_edge_field_rotate(rw_edge_field *field, float tilt_before, float tilt_after)
{
    float cycles_per_m = (tilt_after - tilt_before) * (float)(0.5 / RW_PI);
    RW_SIMD
    for (int i = 0; i < RW_MAIN_NODES; i++) {
        rw_phasor phase = rw_phasor_of_few_cycles(cycles_per_m * field->at_m[i]);
        float re = field->re[i] * field->weight_m[i], im = field->im[i] * field->weight_m[i];
        field->re[i] = re * phase.cosine - im * phase.sine;
        field->im[i] = re * phase.sine + im * phase.cosine;
    }
}

/* From the nodes of one edge to those of the next, whose at_m are set. */
RW_FN void rw_edge_field_cross(const rw_edge_field *from, rw_edge_stretch stretch, float scale, rw_edge_field *to)
{
    for (int i = 0; i < RW_MAIN_NODES; i++)
        to->re[i] = to->im[i] = 0.0f;
    for (int j = 0; j < RW_MAIN_NODES; j++) {
        float re = from->re[j] * scale, im = from->im[j] * scale, v = from->at_m[j];
        RW_SIMD
        for (int i = 0; i < RW_MAIN_NODES; i++) {
            float size = rw_edge_kernel(stretch, to->at_m[i] - v);
            to->re[i] += re * size;
            to->im[i] += im * size;
        }
    }
}

/* The 16 nodes of the Gauss-Legendre rule on [0, reach_m]. */
RW_FN void rw_edge_field_set_nodes(rw_edge_field *field, float reach_m)
{
    const float abscissae[8] = {0.0950125098f, 0.2816035508f, 0.4580167777f, 0.6178762444f,
                                0.7554044084f, 0.8656312024f, 0.9445750231f, 0.9894009350f};
    const float weights[8] = {0.1894506105f, 0.1826034150f, 0.1691565194f, 0.1495959888f,
                              0.1246289713f, 0.0951585117f, 0.0622535239f, 0.0271524594f};
    float half_m = 0.5f * reach_m;
    RW_SIMD
    for (int i = 0; i < RW_MAIN_NODES / 2; i++) {
        field->at_m[i] = half_m - half_m * abscissae[i];
        field->at_m[i + 8] = half_m + half_m * abscissae[i];
        field->weight_m[i] = field->weight_m[i + 8] = half_m * weights[i];
    }
}

/* The field above the last edge, where there is one, weighted, with the tilt before it taken out of its phases. */
RW_FN void rw_main_edges_field(const rw_main_edges *edges, rw_edge_field *last)
{
    float k = 6.2831853f / edges->wavelength_m, x0 = 0.0f, h0 = 0.0f;
    rw_edge_field before;
    rw_edge_stretch stretch = {0.0f, 0.0f, 0.0f};
    for (int m = 0; m < edges->count; m++) {
        float length_m = edges->x_m[m] - x0, reach_m = rw_main_reach_m(edges, m, k);
        float scale = 1.0f / sqrtf(edges->wavelength_m * length_m);
        stretch = rw_edge_stretch_of(edges->h_m[m] - h0, length_m, k);
        rw_edge_field_set_nodes(last, reach_m);
        if (m > 0)
            rw_edge_field_cross(&before, stretch, scale, last);
        for (int i = 0; m == 0 && i < RW_MAIN_NODES; i++) {
            last->re[i] = rw_edge_kernel(stretch, last->at_m[i]) * scale;
            last->im[i] = 0.0f;
        }
        x0 = edges->x_m[m];
        h0 = edges->h_m[m];
        float next_x = m + 1 < edges->count ? edges->x_m[m + 1] : edges->length_m;
        float next_h = m + 1 < edges->count ? edges->h_m[m + 1] : 0.0f;
        rw_edge_stretch after = rw_edge_stretch_of(next_h - h0, next_x - x0, k);
        rw_edge_field_rotate(last, stretch.tilt, m + 1 < edges->count ? after.tilt : 0.0f);
        before = *last;
    }
}

/* Before a loop that sums re and im: a CPU may take several nodes at once. */
#ifdef __CUDACC__
#define RW_NODES_SUM
#else
#define RW_NODES_SUM RW_PRAGMA(omp simd reduction(+ : re, im))
#endif

/* Power beyond the last edge, at x_m and h_m above the line (length_m and 0: the far end), over that of free space at
 * the same distance. field is that of rw_main_edges_field; edges are not empty. */
RW_FN float rw_main_edges_power(const rw_main_edges *edges, const rw_edge_field *field, float x_m, float h_m)
{
    int last = edges->count - 1;
    float k = 6.2831853f / edges->wavelength_m, length_m = x_m - edges->x_m[last], re = 0.0f, im = 0.0f;
    rw_edge_stretch stretch = rw_edge_stretch_of(h_m - edges->h_m[last], length_m, k);
    RW_NODES_SUM
    for (int i = 0; i < RW_MAIN_NODES; i++) {
        float v = field->at_m[i], size = rw_edge_kernel(stretch, -v);
        rw_phasor phase = rw_phasor_of_few_cycles(stretch.tilt * v * (float)(0.5 / RW_PI));
        re += size * (field->re[i] * phase.cosine - field->im[i] * phase.sine);
        im += size * (field->re[i] * phase.sine + field->im[i] * phase.cosine);
    }
    return (re * re + im * im) * x_m / length_m;
}

#endif
