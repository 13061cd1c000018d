#include "models/rays/joint_waves.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "field/edges/edge_boundary.k.h"

#include <math.h>
#include <stdlib.h>

void rw_joint_waves_init(rw_context *context, rw_joint_waves *waves)
{
    *waves = (rw_joint_waves){.context = context, .lock = PTHREAD_MUTEX_INITIALIZER};
}

void rw_joint_waves_free(rw_joint_waves *waves)
{
    free(waves->items);
    waves->items = NULL;
    waves->count = waves->capacity = 0;
}

void rw_joint_waves_add(rw_joint_waves *waves, const rw_joint_wave *wave)
{
    pthread_mutex_lock(&waves->lock);
    if (waves->failure.status == RW_OK)
        rw_failure_store(waves->context,
                         rw_array_reserve(waves->context, &waves->items, &waves->capacity, waves->count + 1,
                                          sizeof *waves->items, "waves of a power sum"),
                         &waves->failure);
    if (waves->failure.status == RW_OK)
        waves->items[waves->count++] = *wave;
    pthread_mutex_unlock(&waves->lock);
}

/* Point by point, by length; what is equal in all of these is equal in the sum. */
static int compare_joint_waves(const void *left, const void *right)
{
    const rw_joint_wave *a = left, *b = right;
    const double keys[][2] = {{a->length_m, b->length_m},       {a->gain.re, b->gain.re},
                              {a->gain.im, b->gain.im},         {a->arrival.x, b->arrival.x},
                              {a->departure.x, b->departure.x}, {a->over_edge, b->over_edge}};
    if (a->point != b->point)
        return a->point < b->point ? -1 : 1;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return 0;
}

static double find_window(double r)
{
    return r < 1 ? (1 - r) * (1 - r) * (1 - r) * (1 - r) * (4 * r + 1) : 0;
}

static double find_coherence(const rw_joint_wave *a, const rw_joint_wave *b, double length_m)
{
    double within = find_window(fabs(a->length_m - b->length_m) / length_m);
    if (within > 0)
        within *= find_window(rw_vec3_length(rw_vec3_sub(a->arrival, b->arrival))) *
                  find_window(rw_vec3_length(rw_vec3_sub(a->departure, b->departure)));
    return within;
}

/* Of two waves without edges: as far as one over an edge is one with both. */
static double find_coherence_by_edges(const rw_joint_wave *waves, size_t first, size_t end, size_t a, size_t b,
                                      double length_m)
{
    double largest = 0, own = find_coherence(&waves[a], &waves[b], length_m);
    for (size_t i = first; i < end && largest < own; i++)
        if (waves[i].over_edge)
            largest = fmax(largest, fmin(find_coherence(&waves[i], &waves[a], length_m),
                                         find_coherence(&waves[i], &waves[b], length_m)));
    return fmin(largest, own);
}

typedef struct joint_sums {
    const rw_joint_wave *waves;
    const size_t *firsts; /* of each point that has waves, and one more */
    const double *free_gains;
    double length_m; /* within which waves are one */
    rw_ray_sums *sums;
} joint_sums;

/* Waves of one point, by their length. */
static double sum_joint_power(const joint_sums *of, size_t first, size_t end)
{
    const rw_joint_wave *waves = of->waves;
    double sum = 0;
    for (size_t a = first, low = first; a < end; a++) {
        while (waves[a].length_m - waves[low].length_m >= of->length_m)
            low++;
        for (size_t b = low; b < a; b++) {
            size_t high = a + 1;
            while (high < end && waves[high].length_m - waves[b].length_m < of->length_m)
                high++;
            double coherence = waves[a].over_edge || waves[b].over_edge
                                   ? find_coherence(&waves[a], &waves[b], of->length_m)
                                   : find_coherence_by_edges(waves, low, high, a, b, of->length_m);
            sum += 2 * coherence * (waves[a].gain.re * waves[b].gain.re + waves[a].gain.im * waves[b].gain.im);
        }
    }
    return sum;
}

static void add_joint_powers(void *user, size_t begin, size_t end)
{
    const joint_sums *of = user;
    for (size_t i = begin; i < end; i++) {
        size_t point = of->waves[of->firsts[i]].point;
        double free_gain = of->free_gains[point];
        rw_ray_sums_add_joint(&of->sums[point],
                              sum_joint_power(of, of->firsts[i], of->firsts[i + 1]) / (free_gain * free_gain));
    }
}

rw_status rw_joint_waves_sum(rw_joint_waves *waves, const double *free_gains, double wavelength_m, rw_ray_sums *sums)
{
    size_t *firsts, points = 0;
    RW_TRY(rw_failure_report(waves->context, &waves->failure));
    if (waves->count == 0)
        return RW_OK;
    RW_TRY(rw_array_create(waves->context, waves->count + 1, sizeof *firsts, "points", &firsts));
    rw_sort(waves->items, waves->count, sizeof *waves->items, compare_joint_waves);
    for (size_t i = 0; i < waves->count; i++)
        if (i == 0 || waves->items[i].point != waves->items[i - 1].point)
            firsts[points++] = i;
    firsts[points] = waves->count;
    double root = RW_BOUNDARY_ROOT_MAX, length_m = root * root * wavelength_m / (2 * RW_PI);
    joint_sums of = {waves->items, firsts, free_gains, length_m, sums};
    rw_status status = rw_parallel(waves->context, points, 16, add_joint_powers, &of);
    free(firsts);
    return status;
}
