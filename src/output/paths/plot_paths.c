/* A picture of what arrives when at a point: power over delay, a stem for each path. */
#include "base/memory.h"
#include "output/paths/paths.h"
#include "output/pictures/pictures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Delays and gains of the paths to a point, their stems (three points a path, the third breaks the line, after two for
 * the origin), and what they come to together. */
typedef struct arrivals {
    double *delay_ns, *gain_db, *stem_x, *stem_y;
    size_t count;
    double power, delay, delay_square; /* sums: of power, and of it times delay and its square */
} arrivals;

static rw_status collect_arrivals(const rw_paths *paths, size_t point, arrivals *found)
{
    for (size_t i = 0; i < paths->count; i++) {
        rw_path path = {.size = sizeof path};
        if (paths->entries[i].point != point)
            continue;
        RW_TRY(rw_paths_get(paths, i, &path));
        double power = pow(10, -0.1 * path.loss_db), delay_ns = 1e9 * path.delay_s;
        found->delay_ns[found->count] = delay_ns;
        found->gain_db[found->count++] = -path.loss_db;
        found->power += power;
        found->delay += power * delay_ns;
        found->delay_square += power * delay_ns * delay_ns;
    }
    return RW_OK;
}

/* Stems stand on a floor below the weakest path, from no delay on. Returns how many points they have. */
static size_t make_stems(const arrivals *found)
{
    double floor_db = 0;
    for (size_t i = 0; i < found->count; i++)
        floor_db = fmin(floor_db, 10 * floor(0.1 * found->gain_db[i] - 0.5));
    found->stem_x[0] = 0;
    found->stem_y[0] = floor_db;
    found->stem_x[1] = found->stem_y[1] = NAN;
    for (size_t i = 0; i < found->count; i++) {
        double *x = found->stem_x + 2 + 3 * i, *y = found->stem_y + 2 + 3 * i;
        x[0] = x[1] = found->delay_ns[i];
        y[0] = floor_db;
        y[1] = found->gain_db[i];
        x[2] = y[2] = NAN;
    }
    return 2 + 3 * found->count;
}

static rw_status draw_delay_profile(const rw_paths *paths, const arrivals *found, const char *path)
{
    char subtitle[128];
    double mean = found->delay / found->power;
    snprintf(subtitle, sizeof subtitle, "%zu path%s, together %.1f dB, RMS delay spread %.0f ns", found->count,
             found->count == 1 ? "" : "s", -10 * log10(found->power),
             sqrt(fmax(found->delay_square / found->power - mean * mean, 0)));
    const rw_series series[] = {{NULL, found->stem_x, found->stem_y, make_stems(found), RW_SERIES_LINE},
                                {NULL, found->delay_ns, found->gain_db, found->count, RW_SERIES_POINTS}};
    rw_plot plot = {.title = "Power over delay",
                    .subtitle = subtitle,
                    .x_label = "delay in ns",
                    .y_label = "path gain in dB",
                    .series = series,
                    .series_count = 2};
    return rw_plot_write(paths->context, &plot, path);
}

rw_status rw_paths_draw(const rw_paths *paths, size_t point, const char *path)
{
    arrivals found = {0};
    rw_status status = rw_array_create(paths->context, paths->count, sizeof(double), "delays", &found.delay_ns);
    if (status == RW_OK)
        status = rw_array_create(paths->context, paths->count, sizeof(double), "gains", &found.gain_db);
    if (status == RW_OK)
        status = rw_array_create(paths->context, 2 + 3 * paths->count, sizeof(double), "stems", &found.stem_x);
    if (status == RW_OK)
        status = rw_array_create(paths->context, 2 + 3 * paths->count, sizeof(double), "stems", &found.stem_y);
    if (status == RW_OK)
        status = collect_arrivals(paths, point, &found);
    if (status == RW_OK && found.count == 0)
        status =
            rw_fail(paths->context, RW_BAD_INPUT, "no path reaches point %zu: there is nothing to draw", point + 1);
    if (status == RW_OK)
        status = draw_delay_profile(paths, &found, path);
    free(found.delay_ns);
    free(found.gain_db);
    free(found.stem_x);
    free(found.stem_y);
    return status;
}
