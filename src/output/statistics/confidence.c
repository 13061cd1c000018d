/* How likely a coverage is: shadowing that the map does not have is drawn many times, correlated over the map and among
 * sites, and the coverage of each draw is counted.
 *
 * Shadowing is normal in dB with a correlation that falls as exp(-|dx| / d - |dy| / d) (Gudmundson, Electronics Letters
 * 27, 1991, for each direction), and of two sites that of 3GPP TR 38.901 section 7.4.4: 0.5; sectors of one site have
 * one shadow. Values that were "no path" stay uncovered. The same numbers on every machine. */
#include "base/maths/hash.h"
#include "base/memory.h"
#include "base/options.h"
#include "output/maps/map.h"
#include "output/statistics/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAME_SITE_M 1.0
#define DRAWS_MAX 10000
#define WORK_MAX 2e10 /* cells of all draws and sites */

static const rw_confidence_options default_confidence = {.band = RW_ALL_BANDS,
                                                         .level = NAN,
                                                         .confidence = 0.9,
                                                         .target = NAN,
                                                         .sigma_db = 8,
                                                         .correlation_m = 50,
                                                         .site_correlation = 0.5,
                                                         .draws = 200,
                                                         .seed = 1};

void rw_confidence_options_init_sized(rw_confidence_options *options, size_t size)
{
    rw_defaults_copy(&default_confidence, sizeof default_confidence, options, size);
}

typedef struct shadowing {
    const rw_map *map;
    const rw_layer_data *layer;
    const rw_confidence_options *options;
    size_t cells, first, count; /* bands */
    double sign;                /* -1: lower values are better */
    const double *weights;      /* of cells; NULL: 1 each */
    double weight;              /* of all receivers */
    size_t *site_of;            /* of each band, from 0 */
    size_t sites;
    float *common_db, *own_db, *best; /* of one draw */
    double *covered;                  /* fraction of each draw, rising after all */
} shadowing;

/* A number of mean 0 and standard deviation 1: the sum of twelve even ones, which no mathematical library rounds. */
static double draw_standard(rw_random *random)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += rw_random_unit(random);
    return sum;
}

/* White noise through a first-order filter along both axes: variance 1, and the correlation of neighbours on each. */
static void draw_field(const shadowing *of, uint64_t stream, float *field)
{
    size_t columns = of->map->info.columns, rows = of->map->info.rows;
    double next = exp(-of->map->info.res_m / of->options->correlation_m), fresh = sqrt(1 - next * next);
    rw_random random = rw_random_of(of->options->seed, stream);
    for (size_t row = 0; row < rows; row++) {
        double value = draw_standard(&random);
        for (size_t column = 0; column < columns; column++) {
            value = column ? next * value + fresh * draw_standard(&random) : value;
            field[row * columns + column] = (float)value;
        }
    }
    for (size_t i = columns; i < columns * rows; i++)
        field[i] = (float)(next * (double)field[i - columns] + fresh * (double)field[i]);
}

static double weight_of_cell(const shadowing *of, size_t cell)
{
    return of->weights ? of->weights[cell] : 1;
}

/* The best of all bands in each cell, with the shadows of their sites. */
static double count_draw(shadowing *of, size_t draw)
{
    double shared = sqrt(of->options->site_correlation), apart = sqrt(1 - of->options->site_correlation);
    double covered = 0;
    draw_field(of, draw * (of->sites + 1), of->common_db);
    for (size_t i = 0; i < of->cells; i++)
        of->best[i] = NAN;
    for (size_t site = 0; site < of->sites; site++) {
        draw_field(of, draw * (of->sites + 1) + site + 1, of->own_db);
        for (size_t band = 0; band < of->count; band++) {
            if (of->site_of[band] != site)
                continue;
            const float *values = of->layer->values + (of->first + band) * of->cells;
            for (size_t i = 0; i < of->cells; i++) {
                double shadow_db = shared * (double)of->common_db[i] + apart * (double)of->own_db[i];
                double value = of->sign * (double)values[i] + of->options->sigma_db * shadow_db;
                if (!isnan(values[i]) && !((double)of->best[i] > value))
                    of->best[i] = isinf(values[i]) ? (isnan(of->best[i]) ? -INFINITY : of->best[i]) : (float)value;
            }
        }
    }
    for (size_t i = 0; i < of->cells; i++)
        if ((double)of->best[i] >= of->sign * of->options->level)
            covered += weight_of_cell(of, i);
    return covered / of->weight;
}

/* Sectors within a metre of each other are one site; positions that are not known are sites of their own. */
static void find_shadowed_sites(shadowing *of)
{
    const double(*at)[3] = (const double(*)[3])of->map->band_positions_m;
    for (size_t i = 0; i < of->count; i++) {
        size_t band = of->first + i;
        of->site_of[i] = of->sites;
        for (size_t k = 0; k < i && at && of->map->band_count == of->layer->bands; k++)
            if (hypot(at[band][0] - at[of->first + k][0], at[band][1] - at[of->first + k][1]) < SAME_SITE_M)
                of->site_of[i] = of->site_of[k];
        of->sites += of->site_of[i] == of->sites;
    }
}

static int compare_coverages(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Receivers that are each covered with the probability: the margin in standard deviations of the best band. */
static void count_locations(shadowing *of, rw_confidence *found)
{
    double predicted = 0, sure = 0;
    for (size_t i = 0; i < of->cells; i++) {
        double best = -INFINITY;
        int has_receiver = 0;
        for (size_t band = 0; band < of->count; band++) {
            double value = (double)of->layer->values[(of->first + band) * of->cells + i];
            has_receiver |= !isnan(value);
            best = isfinite(value) ? fmax(best, of->sign * value) : best;
        }
        double margin = (best - of->sign * of->options->level) / of->options->sigma_db;
        found->receivers += (size_t)has_receiver;
        if (!has_receiver)
            continue;
        of->weight += weight_of_cell(of, i);
        predicted += margin >= 0 ? weight_of_cell(of, i) : 0;
        sure += 0.5 * erfc(-margin / sqrt(2)) >= of->options->confidence ? weight_of_cell(of, i) : 0;
    }
    found->predicted = of->weight > 0 ? predicted / of->weight : NAN;
    found->locations = of->weight > 0 ? sure / of->weight : NAN;
}

static void summarise_draws(const shadowing *of, rw_confidence *found)
{
    size_t draws = (size_t)of->options->draws, reached = 0;
    qsort(of->covered, draws, sizeof *of->covered, compare_coverages);
    for (size_t i = 0; i < draws; i++) {
        found->mean += of->covered[i] / (double)draws;
        reached += of->covered[i] >= of->options->target;
    }
    found->covered = of->covered[(size_t)floor((1 - of->options->confidence) * (double)(draws - 1))];
    found->target_probability = isnan(of->options->target) ? NAN : (double)reached / (double)draws;
}

static rw_status check_confidence(const rw_map *map, const rw_confidence_options *options, shadowing *of)
{
    rw_context *context = map->context;
    size_t index = 0;
    if (options->layer)
        RW_TRY(rw_map_find_layer(map, options->layer, &index));
    else if (!map->info.layers)
        return rw_fail(context, RW_BAD_CALL, "the map has no layer");
    of->layer = &map->layers[index];
    rw_layer_order order = rw_layer_get_order(of->layer->name);
    if (strncmp(of->layer->unit, "dB", 2) != 0 || order == RW_LAYER_UNORDERED || strcmp(of->layer->name, "sinr") == 0 ||
        strcmp(of->layer->name, "ci") == 0)
        return rw_fail(context, RW_BAD_CALL,
                       "layer %s has no shadowing of one path: a confidence needs path loss, power, rsrp or strongest",
                       of->layer->name);
    if (!isfinite(options->level))
        return rw_fail(context, RW_BAD_CALL, "a confidence needs a level, such as -90");
    if (!(options->confidence > 0 && options->confidence < 1))
        return rw_fail(context, RW_BAD_CALL, "a confidence of %g is not between 0 and 1", options->confidence);
    if (!(options->sigma_db > 0 && options->sigma_db <= 30 && options->correlation_m > 0 &&
          options->site_correlation >= 0 && options->site_correlation <= 1))
        return rw_fail(context, RW_BAD_CALL,
                       "shadowing needs a spread above 0 to 30 dB, a correlation distance above 0 and a correlation of "
                       "sites from 0 to 1");
    if (!isnan(options->target) && !(options->target >= 0 && options->target <= 1))
        return rw_fail(context, RW_BAD_CALL, "a target of %g is not a fraction from 0 to 1", options->target);
    if (options->band != RW_ALL_BANDS && options->band >= of->layer->bands)
        return rw_fail(context, RW_BAD_CALL, "the map has %zu transmitters, there is no number %zu", of->layer->bands,
                       options->band + 1);
    of->sign = order == RW_LAYER_LOWER_IS_BETTER ? -1 : 1;
    of->cells = map->info.columns * map->info.rows;
    of->first = options->band == RW_ALL_BANDS ? 0 : options->band;
    of->count = options->band == RW_ALL_BANDS ? of->layer->bands : 1;
    for (size_t i = 0; i < of->cells && options->cell_weights; i++)
        if (!(options->cell_weights[i] >= 0 && isfinite(options->cell_weights[i])))
            return rw_fail(context, RW_BAD_CALL, "weight %g of cell %zu is not a number from 0 on",
                           options->cell_weights[i], i);
    if (options->draws < 10 || options->draws > DRAWS_MAX)
        return rw_fail(context, RW_BAD_CALL, "%d draws are not between 10 and %d", options->draws, DRAWS_MAX);
    if ((double)of->cells * (double)(of->count + 1) * options->draws > WORK_MAX)
        return rw_fail(context, RW_TOO_LARGE,
                       "%d draws of %zu cells and %zu transmitters are too many: take fewer draws", options->draws,
                       of->cells, of->count);
    return RW_OK;
}

/* The weights of a raster in the cells of receivers; moved: their weights, of cells without one at the nearest. */
static rw_status load_receiver_weights(const shadowing *of, double *moved)
{
    const rw_map *map = of->map;
    double *spread = NULL;
    uint32_t *nearest = NULL;
    rw_status status = rw_array_create(map->context, of->cells, sizeof *spread, "weights", &spread);
    if (status == RW_OK)
        status = rw_array_create(map->context, of->cells, sizeof *nearest, "weights", &nearest);
    if (status == RW_OK)
        status = rw_weights_spread(map, of->options->weights, spread);
    if (status == RW_OK)
        status = rw_weights_find_nearest(map, of->layer->values + of->first * of->cells, nearest);
    for (size_t i = 0; i < of->cells && status == RW_OK; i++)
        if (nearest[i] != RW_NO_NEAREST)
            moved[nearest[i]] += spread[i];
    free(spread);
    free(nearest);
    return status;
}

static rw_status resolve_weights(shadowing *of, double **owned)
{
    of->weights = of->options->cell_weights;
    if (!of->options->weights)
        return RW_OK;
    RW_TRY(rw_array_create(of->map->context, of->cells, sizeof **owned, "weights", owned));
    of->weights = *owned;
    return load_receiver_weights(of, *owned);
}

rw_status rw_map_confidence(const rw_map *map, const rw_confidence_options *user_options, rw_confidence *confidence)
{
    rw_confidence_options options = default_confidence;
    shadowing of = {.map = map, .options = &options};
    rw_confidence found = {0};
    double *weights = NULL;
    if (user_options)
        RW_TRY(RW_RESOLVE(map->context, user_options, &options));
    RW_TRY(check_confidence(map, &options, &of));
    rw_status status = rw_array_create(map->context, of.count, sizeof *of.site_of, "shadowing", &of.site_of);
    if (status == RW_OK)
        status = rw_array_create(map->context, 3 * of.cells, sizeof *of.common_db, "shadowing", &of.common_db);
    if (status == RW_OK)
        status = rw_array_create(map->context, (size_t)options.draws, sizeof *of.covered, "shadowing", &of.covered);
    if (status == RW_OK)
        status = resolve_weights(&of, &weights);
    if (status == RW_OK) {
        of.own_db = of.common_db + of.cells;
        of.best = of.own_db + of.cells;
        find_shadowed_sites(&of);
        count_locations(&of, &found);
        for (int draw = 0; draw < options.draws && of.weight > 0; draw++)
            of.covered[draw] = count_draw(&of, (size_t)draw);
        if (of.weight > 0)
            summarise_draws(&of, &found);
        else
            found.mean = found.covered = found.target_probability = NAN;
        status = RW_ASSIGN(map->context, &found, confidence);
    }
    free(of.site_of);
    free(of.common_db);
    free(of.covered);
    free(weights);
    return status;
}
