#include "output/pictures/layer_style.h"

#include "base/memory.h"
#include "base/range.h"
#include "output/pictures/pictures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RW_LAYER_DIFFERENCE "difference" /* drawn in a scale of two sides, zero in its middle */

const rw_colour rw_colour_nodata = {222, 223, 227};
const rw_colour rw_colour_no_path = {214, 208, 206};

/* Layers by name. A layer that is not here has a continuous scale, bright if high. */
static const struct registered_layer {
    const char *name, *title, *unit;
    rw_scale_kind kind;
    int bright_is_low;
    const char *classes[8];
} registered_layers[] = {
    {"path_loss", "Path loss", "dB", RW_SCALE_CONTINUOUS, 1, {NULL}},
    {"volume", "Path loss in the volume", "dB", RW_SCALE_CONTINUOUS, 1, {NULL}},
    {"visible", "Cubes that the transmitter sees", "", RW_SCALE_CLASSES, 0, {"not seen", "seen", NULL}},
    {"filled", "Filled cubes", "", RW_SCALE_CLASSES, 0, {"free", "filled", NULL}},
    {"sources",
     "Sources of deflection",
     "",
     RW_SCALE_CLASSES,
     0,
     {"none", "reflection", "horizontal edge", "reflection, horizontal", "vertical edge", "reflection, vertical",
      "both edges", "all"}},
    {"supercubes", "Pass in which visibility was found", "", RW_SCALE_COUNTS, 1, {NULL}},
    {"los", "Line of sight", "", RW_SCALE_CLASSES, 0, {"in shadow", "line of sight", NULL}},
    {"walls", "Walls on the direct line", "walls", RW_SCALE_COUNTS, 1, {NULL}},
    {"delay_spread", "Delay spread", "ns", RW_SCALE_CONTINUOUS, 1, {NULL}},
    {"delay", "Mean delay", "ns", RW_SCALE_CONTINUOUS, 1, {NULL}},
    {"azimuth_spread", "Spread of azimuth of arrival", "deg", RW_SCALE_CONTINUOUS, 1, {NULL}},
    {"elevation_spread", "Spread of elevation of arrival", "deg", RW_SCALE_CONTINUOUS, 1, {NULL}},
    {"azimuth", "Azimuth of arrival", "deg", RW_SCALE_CONTINUOUS, 1, {NULL}},
    {"elevation", "Elevation of arrival", "deg", RW_SCALE_CONTINUOUS, 1, {NULL}},
    {"paths", "Paths", "paths", RW_SCALE_COUNTS, 0, {NULL}},
    {"mechanism",
     "Dominant mechanism",
     "",
     RW_SCALE_CLASSES,
     0,
     {"in sight", "round corners", "over roofs", "through walls", "by reflection", "in several ways"}},
    {"indoor", "Loss from the street into the building", "dB", RW_SCALE_CONTINUOUS, 1, {NULL}},
    {"deflections", "Deflections of the dominant path", "deflections", RW_SCALE_COUNTS, 1, {NULL}},
    {"best", "Best server", "transmitter", RW_SCALE_CLASSES, 0, {NULL}},
    {"mean_delay", "Mean delay", "ns", RW_SCALE_CONTINUOUS, 1, {NULL}},
    {"first_arrival", "First arrival", "ns", RW_SCALE_CONTINUOUS, 1, {NULL}},
    {"k_factor", "K factor", "dB", RW_SCALE_CONTINUOUS, 0, {NULL}},
    {"sigma", "Standard deviation of the path loss", "dB", RW_SCALE_CONTINUOUS, 1, {NULL}},
    {"benefit", "Benefit of one more measurement", "dB", RW_SCALE_CONTINUOUS, 0, {NULL}},
    {"coverage_probability", "Probability of coverage", "", RW_SCALE_CONTINUOUS, 0, {NULL}},
    {"power", "Received power", "dBm", RW_SCALE_CONTINUOUS, 0, {NULL}},
    {RW_LAYER_DIFFERENCE, "Difference", "", RW_SCALE_CONTINUOUS, 0, {NULL}},
    {"field_strength", "Field strength", "dBuV/m", RW_SCALE_CONTINUOUS, 0, {NULL}},
    {"ci", "Carrier over interference", "dB", RW_SCALE_CONTINUOUS, 0, {NULL}},
    {"reception", "Reception", "", RW_SCALE_CLASSES, 0, {"no path", "path", NULL}},
    {"strongest", "Strongest received power", "dBm", RW_SCALE_CONTINUOUS, 0, {NULL}},
    {"rsrp", "Reference signal received power (RSRP)", "dBm", RW_SCALE_CONTINUOUS, 0, {NULL}},
    {"interference", "Interference", "dBm", RW_SCALE_CONTINUOUS, 1, {NULL}},
    {"noise", "Noise", "dBm", RW_SCALE_CONTINUOUS, 1, {NULL}},
    {"sinr", "Signal over interference and noise (SINR)", "dB", RW_SCALE_CONTINUOUS, 0, {NULL}},
    {"throughput", "Throughput", "Mbit/s", RW_SCALE_CONTINUOUS, 0, {NULL}},
    {"second", "Second best server", "", RW_SCALE_CLASSES, 0, {NULL}},
    {"second_strongest", "Received power of the second best server", "dBm", RW_SCALE_CONTINUOUS, 0, {NULL}},
    {"servers", "Servers at the level or above", "", RW_SCALE_COUNTS, 0, {NULL}},
    {"total", "Received power of all channels", "dBm", RW_SCALE_CONTINUOUS, 0, {NULL}},
    {"weight", "Weight of each receiver", "", RW_SCALE_CONTINUOUS, 0, {NULL}},
};

rw_colour rw_no_path_colour(int x, int y)
{
    const rw_colour line = {203, 176, 176}, ground = {244, 236, 234};
    return (x + y) % 9 < 2 ? line : ground;
}

static int compare_layer_values(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* The values between which all but the outermost few lie, from an even sample of the band. */
static rw_status find_value_range(const rw_map *map, const float *values, size_t count, double range[4])
{
    const size_t sample_max = 200000;
    size_t stride = count / sample_max + 1, finite = 0;
    float *sample;
    RW_TRY(rw_array_create(map->context, count / stride + 1, sizeof *sample, "a colour scale", &sample));
    range[2] = INFINITY;
    range[3] = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(values[i]))
            continue;
        if (i % stride == 0)
            sample[finite++] = values[i];
        range[2] = values[i] < range[2] ? values[i] : range[2];
        range[3] = values[i] > range[3] ? values[i] : range[3];
    }
    qsort(sample, finite, sizeof *sample, compare_layer_values);
    range[0] = finite ? sample[finite / 100] : range[2];
    range[1] = finite ? sample[finite - 1 - finite / 200] : range[3];
    free(sample);
    return RW_OK;
}

/* A transmitter for each class: any number, each with a colour of its own. */
static void use_transmitter_classes(const rw_map *map, double high, rw_layer_style *style)
{
    style->of_transmitters = 1;
    style->map = map;
    style->min = 1;
    style->max = fmax(fmin(high, 1e6), fmax(1, (double)map->band_count));
    style->class_count = (size_t)style->max;
}

/* Whole numbers that each have a colour of their own. */
static void name_classes(const rw_layer_data *layer, const struct registered_layer *registered, double low, double high,
                         rw_layer_style *style)
{
    style->min = 0;
    double top = fmin(RW_CLASSES_MAX - 1, fmax(high, 0));
    style->class_count = (size_t)top + 1;
    style->cut_above = high > top;
    style->cut_below = low < style->min;
    for (size_t i = 0; i < style->class_count; i++) {
        style->class_colours[i] = rw_class_colour(i);
        if (registered && i < 8 && registered->classes[i])
            snprintf(style->class_names[i], RW_CLASS_NAME_MAX, "%s", registered->classes[i]);
        else
            snprintf(style->class_names[i], RW_CLASS_NAME_MAX, "%zu", i);
    }
    style->max = style->min + (double)style->class_count - 1;
    if (strcmp(layer->name, "los") == 0 || strcmp(layer->name, "visible") == 0 ||
        strcmp(layer->name, "reception") == 0) {
        style->class_colours[0] = rw_colour_from_oklch(0.42, 0.06, 275);
        style->class_colours[1] = rw_colour_from_oklch(0.88, 0.13, 92);
    }
}

void rw_layer_class_name(const rw_layer_style *style, size_t index, char name[RW_CLASS_NAME_MAX])
{
    const char *own = style->of_transmitters && index < style->map->band_count ? style->map->band_names[index] : "";
    if (style->of_transmitters && own[0])
        snprintf(name, RW_CLASS_NAME_MAX, "%.60s", own);
    else if (style->of_transmitters)
        snprintf(name, RW_CLASS_NAME_MAX, "%zu", index + 1);
    else
        snprintf(name, RW_CLASS_NAME_MAX, "%s", style->class_names[index]);
}

rw_colour rw_layer_class_colour(const rw_layer_style *style, size_t index)
{
    return style->of_transmitters ? rw_class_colour(index) : style->class_colours[index];
}

static const struct registered_layer *find_registered_layer(const char *name)
{
    for (size_t i = 0; i < sizeof registered_layers / sizeof *registered_layers; i++)
        if (strcmp(registered_layers[i].name, name) == 0)
            return &registered_layers[i];
    return NULL;
}

const char *rw_layer_title(const char *name)
{
    const struct registered_layer *registered = find_registered_layer(name);
    return registered ? registered->title : name;
}

const char *rw_layer_unit(const char *name)
{
    const struct registered_layer *registered = find_registered_layer(name);
    return registered ? registered->unit : NULL;
}

const char *rw_layer_class(const char *name, size_t index)
{
    const struct registered_layer *registered = find_registered_layer(name);
    return registered && index < sizeof registered->classes / sizeof *registered->classes ? registered->classes[index]
                                                                                          : NULL;
}

int rw_layer_is_combined(const char *name)
{
    static const char *const combined[] = {
        "best",    "ci",    "strongest",  "rsrp",  "interference", "noise", "sinr", "second", "second_strongest",
        "servers", "total", "throughput", "weight"};
    for (size_t i = 0; i < sizeof combined / sizeof *combined; i++)
        if (strcmp(combined[i], name) == 0)
            return 1;
    return 0;
}

rw_layer_order rw_layer_get_order(const char *name)
{
    static const char *const directions[] = {"azimuth", "elevation", RW_LAYER_DIFFERENCE, NULL};
    const struct registered_layer *registered = find_registered_layer(name);
    for (size_t i = 0; directions[i]; i++)
        if (strcmp(directions[i], name) == 0)
            return RW_LAYER_UNORDERED;
    if (!registered)
        return RW_LAYER_HIGHER_IS_BETTER;
    if (registered->kind == RW_SCALE_CLASSES && strcmp(name, "los") != 0 && strcmp(name, "reception") != 0 &&
        strcmp(name, "visible") != 0)
        return RW_LAYER_UNORDERED;
    return registered->bright_is_low ? RW_LAYER_LOWER_IS_BETTER : RW_LAYER_HIGHER_IS_BETTER;
}

/* Few counts are drawn as one block of colour each, many as a continuous scale. */
static void scale_counts(double low, double high, rw_layer_style *style)
{
    style->min = fmin(0, low);
    style->max = high;
    if (style->min < 0 || high >= RW_CLASSES_MAX - 2) {
        style->kind = RW_SCALE_CONTINUOUS;
        return;
    }
    style->class_count = (size_t)high + 1;
    for (size_t i = 0; i < style->class_count; i++) {
        double fraction = style->class_count > 1 ? (double)i / (double)(style->class_count - 1) : 0;
        if (style->bright_is_low)
            fraction = 1 - fraction;
        style->class_colours[i] = style->steps[(int)(fraction * (RW_COLOUR_STEPS - 1) + 0.5)];
        snprintf(style->class_names[i], RW_CLASS_NAME_MAX, "%zu", i);
    }
}

static void scale_continuous(double low, double high, rw_layer_style *style)
{
    rw_tick_widen(&low, &high);
    double step = rw_tick_step(high - low, 10);
    style->min = floor(low / step + 1e-9) * step;
    style->max = ceil(high / step - 1e-9) * step;
}

static void scan_gaps(const float *values, size_t count, rw_layer_style *style)
{
    for (size_t i = 0; i < count; i++) {
        style->has_nodata |= isnan(values[i]) != 0;
        style->has_no_path |= isinf(values[i]) != 0;
    }
}

rw_status rw_layer_style_init(const rw_map *map, const rw_layer_data *layer, size_t band, double value_min,
                              double value_max, rw_layer_style *style)
{
    const double user_range[2] = {value_min, value_max};
    memset(style, 0, sizeof *style);
    if (value_min > value_max || rw_find_outside(user_range, 2, -RW_PLOT_VALUE_MAX, RW_PLOT_VALUE_MAX) < 2)
        return rw_fail(map->context, RW_BAD_CALL, "a colour scale from %g to %g is not possible", value_min, value_max);
    size_t count = map->info.columns * map->info.rows;
    const float *values = layer->values + band * count;
    const struct registered_layer *registered = find_registered_layer(layer->name);
    style->title = rw_layer_title(layer->name);
    style->kind = registered ? registered->kind : RW_SCALE_CONTINUOUS;
    style->bright_is_low = registered && registered->bright_is_low;
    int two_sided = strcmp(layer->name, RW_LAYER_DIFFERENCE) == 0;
    if (two_sided)
        rw_colour_scale_compute_two_sided(style->steps);
    else
        rw_colour_scale_compute(style->steps);
    scan_gaps(values, count, style);
    double range[4];
    RW_TRY(find_value_range(map, values, count, range));
    if (range[2] > range[3])
        range[0] = range[1] = range[2] = range[3] = 0;
    int has_range = value_min < value_max;
    if (strcmp(layer->name, "best") == 0 || strcmp(layer->name, "second") == 0)
        use_transmitter_classes(map, range[3], style);
    else if (style->kind == RW_SCALE_CLASSES)
        name_classes(layer, registered, range[2], range[3], style);
    else if (style->kind == RW_SCALE_COUNTS && !has_range)
        scale_counts(range[2], range[3], style);
    else
        style->kind = RW_SCALE_CONTINUOUS;
    if (style->kind != RW_SCALE_CONTINUOUS)
        return RW_OK;
    if (two_sided) {
        range[1] = fmax(fabs(range[0]), fabs(range[1]));
        range[0] = -range[1];
    }
    scale_continuous(range[0], range[1], style);
    if (has_range) {
        style->min = value_min;
        style->max = value_max;
    }
    style->cut_below = range[2] < style->min;
    style->cut_above = range[3] > style->max;
    return RW_OK;
}

rw_colour rw_layer_style_colour(const rw_layer_style *style, double value)
{
    if (style->kind != RW_SCALE_CONTINUOUS) {
        double last = (double)style->class_count - 1, index = value - style->min + 0.5;
        return rw_layer_class_colour(style, index >= last ? (size_t)last : index > 0 ? (size_t)index : 0);
    }
    double fraction = (value - style->min) / (style->max - style->min);
    fraction = fraction > 1 ? 1 : fraction > 0 ? fraction : 0;
    if (style->bright_is_low)
        fraction = 1 - fraction;
    return style->steps[(int)(fraction * (RW_COLOUR_STEPS - 1) + 0.5)];
}
