/* Kept gains of every model that has them: levels are those of the model's own map, derivatives are those of finite
 * differences, forward and backward agree, and threads change nothing; on the CPU and, where there is one, on the GPU.
 */
#include "prediction.h"
#include <rasterwave/gradients.h>

#define POINTS_MAX 200

/* A model on a small scene. */
typedef struct subject {
    const char *model;
    rw_context *context;
    rw_scene *scene;
    rw_transmitter tx[2];
    rw_predict_options options;
    rw_point points[POINTS_MAX];
    size_t point_count;
    double place_step_m; /* of differences over places */
    double map_dbm[2 * POINTS_MAX];
} subject;

static rw_scene *make_rooms(rw_context *context)
{
    rw_office_options office;
    rw_scene *scene;
    rw_office_options_init(&office);
    office.width_m = 14;
    office.depth_m = 10;
    assert_ok(context, rw_generate_office(context, &office, &scene));
    rw_material rough = {.size = sizeof rough, .name = "rough_stone", .a = 6.5, .c = 0.08, .scattering = 0.4};
    rough.freq_max_hz = INFINITY;
    assert_ok(context, rw_scene_add_material(scene, &rough));
    rw_layer layers[] = {{sizeof *layers, "rough_stone", 0.06}, {sizeof *layers, "itu_wood", 0.02}};
    rw_slab slab = {sizeof slab, "cladding", layers, 2};
    assert_ok(context, rw_scene_add_slab(scene, &slab));
    rw_panel panel = {sizeof panel, 2, 1.5, 6.2, 2.5, 0.2, 2.5, "cladding", NULL};
    assert_ok(context, rw_scene_add_panel(scene, &panel));
    assert_ok(context, rw_scene_commit(scene));
    return scene;
}

static void add_block(rw_scene *scene, double x, double y, double side, double height, const char *surface)
{
    double xy[] = {x, y, x + side, y, x + side, y + side * 0.9, x, y + side};
    size_t ring = 4;
    rw_building block = {.size = sizeof block, .xy = xy, .ring_sizes = &ring, .ring_count = 1};
    block.roof_height_m = height;
    block.surface = surface;
    assert_int_equal(rw_scene_add_building(scene, &block), RW_OK);
}

/* A crossing of two streets: one corner of brick on wool, the others of concrete and stone. */
static rw_scene *make_streets(rw_context *context)
{
    rw_scene *scene;
    assert_ok(context, rw_scene_create(context, &scene));
    rw_material stone = {.size = sizeof stone, .name = "stone", .a = 6.5, .c = 0.08, .scattering = 0.2};
    stone.freq_max_hz = INFINITY;
    assert_ok(context, rw_scene_add_material(scene, &stone));
    rw_layer layers[] = {{sizeof *layers, "itu_brick", 0.12}, {sizeof *layers, "itu_wood", 0.05}};
    rw_slab slab = {sizeof slab, "facade", layers, 2};
    assert_ok(context, rw_scene_add_slab(scene, &slab));
    add_block(scene, 0, 0, 41.3, 15, "facade");
    add_block(scene, 60, 2, 39.1, 21, "itu_concrete");
    add_block(scene, 1, 57, 42.7, 18, "stone");
    add_block(scene, 61.2, 58, 40.2, 17, "facade");
    assert_ok(context, rw_scene_commit(scene));
    return scene;
}

static subject make_subject(rw_backend backend, int threads, const char *model)
{
    subject made = {.model = model, .context = make_context_of(backend, threads)};
    made.place_step_m = 2e-4; /* of waves of 12 cm */
    if (!made.context)
        return made;
    int rooms = strcmp(model, "images") == 0;
    made.scene = rooms ? make_rooms(made.context) : make_streets(made.context);
    rw_predict_options_init_for(&made.options, model);
    made.options.freq_hz = 2.4e9;
    made.options.res_m = rooms ? 1 : 4;
    made.options.rx_height_m = 1.2;
    made.options.layers = "power";
    for (int i = 0; i < 2; i++) {
        rw_transmitter_init(&made.tx[i]);
        made.tx[i].name = i ? "second" : "first";
        made.tx[i].antenna = i ? "3gpp" : "dipole";
        made.tx[i].x_m = rooms ? i ? 9.13 : 3.37 : i ? 51.3 : 24.7;
        made.tx[i].y_m = rooms ? i ? 6.71 : 3.29 : i ? 11.9 : 49.3;
        made.tx[i].height_m = rooms ? 2.1 : 7.3;
        made.tx[i].azimuth_deg = 33.3;
        made.tx[i].downtilt_deg = 7.7;
        made.tx[i].roll_deg = 5.5;
        made.tx[i].power_dbm = 20 + i;
    }
    made.options.transmitter_count = 2;
    if (!rooms && strcmp(model, "shadow") != 0)
        made.options.roofs = "none";
    if (strcmp(model, "tiles") == 0) {
        made.options.scatterings = 0;
        made.options.tile_area_m2 = 60;
        made.options.depth = 2;
    }
    if (rooms) {
        made.options.depth = 2;
        made.options.pixels = 256;
    }
    return made;
}

static void destroy_subject(subject *of)
{
    rw_scene_destroy(of->scene);
    rw_context_destroy(of->context);
}

/* Points in the middle of cells of the model's own map, every few. */
static void take_points(subject *of, size_t step)
{
    rw_map *map;
    of->options.transmitters = of->tx;
    assert_ok(of->context, rw_predict(of->scene, &of->options, &map));
    rw_map_info info = info_of(map);
    rw_map_layer power = layer_of(map, "power");
    size_t cells = info.columns * info.rows;
    of->point_count = 0;
    for (size_t i = 0; i < cells && of->point_count < POINTS_MAX; i += step) {
        if (!isfinite(power.values[i]) || !isfinite(power.values[cells + i]))
            continue;
        rw_point at = {.size = sizeof at,
                       .x_m = info.x0_m + ((double)(i % info.columns) + 0.5) * info.res_m,
                       .y_m = info.y0_m + ((double)(i / info.columns) + 0.5) * info.res_m,
                       .height_m = NAN};
        of->map_dbm[2 * of->point_count] = (double)power.values[i];
        of->map_dbm[2 * of->point_count + 1] = (double)power.values[cells + i];
        of->points[of->point_count++] = at;
    }
    rw_map_destroy(map);
    assert_true(of->point_count > 10);
}

static rw_gains *keep(subject *of)
{
    rw_gains *gains;
    of->options.transmitters = of->tx;
    assert_ok(of->context, rw_gains_create(of->scene, &of->options, of->points, of->point_count, NULL, &gains));
    return gains;
}

static rw_gains_info info_of_gains(const rw_gains *gains)
{
    rw_gains_info info = {.size = sizeof info};
    assert_int_equal(rw_gains_get_info(gains, &info), RW_OK);
    return info;
}

static rw_gain_parameter parameter_at(const rw_gains *gains, size_t index)
{
    rw_gain_parameter about = {.size = sizeof about};
    assert_int_equal(rw_gains_get_parameter(gains, index, &about), RW_OK);
    return about;
}

/* A power sum of tiles in a map adds a wave and the diffraction of the edge that ends it as fields, gains add powers:
 * some levels near the boundaries of edges differ. */
static int are_joint_in_maps(const subject *of)
{
    return strcmp(of->model, "tiles") == 0 && strcmp(of->options.sum, "power") == 0;
}

static void levels_are_the_maps(subject *of, rw_gains *gains, double within_db)
{
    double *levels = calloc(2 * of->point_count, sizeof *levels), worst = 0;
    size_t near_boundaries = are_joint_in_maps(of) ? of->point_count : 0;
    assert_ok(of->context, rw_gains_evaluate(gains, RW_GAINS_LEVELS, NULL, levels));
    for (size_t i = 0; i < of->point_count; i++)
        for (size_t t = 0; t < 2; t++) {
            double off_db = fabs(levels[t * of->point_count + i] - of->map_dbm[2 * i + t]);
            if (off_db > within_db && off_db < 7 && near_boundaries > 0) {
                near_boundaries--;
                continue;
            }
            if (!(off_db <= within_db))
                fail_msg("%s at %g,%g from %zu: %g, the map has %g", of->model, of->points[i].x_m, of->points[i].y_m, t,
                         levels[t * of->point_count + i], of->map_dbm[2 * i + t]);
            worst = fmax(worst, off_db);
        }
    printf("%s: levels within %.2g dB of the map\n", of->model, worst);
    free(levels);
}

/* The values of all parameters, as kept. */
static double *values_of(const rw_gains *gains)
{
    rw_gains_info info = info_of_gains(gains);
    double *values = calloc(info.parameters + 1, sizeof *values);
    for (size_t i = 0; i < info.parameters; i++)
        values[i] = parameter_at(gains, i).value;
    return values;
}

static double step_of(const subject *of, const rw_gain_parameter *about, double value)
{
    if (about->quantity <= RW_GAIN_QUANTITY_THICKNESS)
        return 1e-3 * fmax(value, 1e-2);
    if (about->quantity >= RW_GAIN_QUANTITY_X_M)
        return of->place_step_m;
    return about->quantity == RW_GAIN_QUANTITY_POWER ? 1e-3 : 2e-5; /* patterns have a kink at every degree */
}

/* NaN where a point has other paths than before. */
static void mark_other_paths(const rw_gains *gains, const rw_gains *there, double *out)
{
    rw_gains_info info = info_of_gains(gains), other = info_of_gains(there);
    size_t *counts = calloc(info.transmitters * info.points, sizeof *counts), transmitter, point;
    for (size_t i = 0; i < info.paths; i++) {
        assert_int_equal(rw_gains_get_path(gains, i, &transmitter, &point), RW_OK);
        counts[transmitter * info.points + point]++;
    }
    for (size_t i = 0; i < other.paths; i++) {
        assert_int_equal(rw_gains_get_path(there, i, &transmitter, &point), RW_OK);
        counts[transmitter * info.points + point]--;
    }
    for (size_t i = 0; i < info.transmitters * info.points; i++)
        out[i] = counts[i] ? NAN : out[i];
    free(counts);
}

/* Outputs with one parameter, or one transmitter, elsewhere. */
static void evaluate_at(subject *of, rw_gains *gains, const double *values, size_t index, double by, double *out)
{
    rw_gains_info info = info_of_gains(gains);
    rw_gain_parameter about = parameter_at(gains, index);
    if (about.quantity < RW_GAIN_QUANTITY_X_M) {
        double *moved = malloc(info.parameters * sizeof *moved);
        memcpy(moved, values, info.parameters * sizeof *moved);
        moved[index] += by;
        assert_ok(of->context, rw_gains_evaluate(gains, RW_GAINS_LEVELS, moved, out));
        free(moved);
        return;
    }
    rw_transmitter was = of->tx[about.index];
    rw_transmitter *tx = &of->tx[about.index];
    *(about.quantity == RW_GAIN_QUANTITY_X_M   ? &tx->x_m
      : about.quantity == RW_GAIN_QUANTITY_Y_M ? &tx->y_m
                                               : &tx->height_m) += by;
    rw_gains *there = keep(of);
    assert_int_equal(info_of_gains(there).parameters, info.parameters);
    double *moved = values_of(there);
    for (size_t i = 0; i < info.parameters; i++)
        if (parameter_at(gains, i).quantity < RW_GAIN_QUANTITY_X_M)
            moved[i] = values[i];
    assert_ok(of->context, rw_gains_evaluate(there, RW_GAINS_LEVELS, moved, out));
    mark_other_paths(gains, there, out);
    free(moved);
    rw_gains_destroy(there);
    *tx = was;
}

/* Derivatives of all levels over one parameter, by central differences of fourth order; NaN at a kink, where those over
 * one and over two steps disagree. */
static void differentiate(subject *of, rw_gains *gains, const double *values, size_t index, double *slopes)
{
    static const double places[4] = {1, -1, 2, -2};
    rw_gain_parameter about = parameter_at(gains, index);
    double step = step_of(of, &about, values[index]);
    size_t count = 2 * of->point_count;
    double *out = malloc(4 * count * sizeof *out);
    for (int k = 0; k < 4; k++)
        evaluate_at(of, gains, values, index, places[k] * step, out + (size_t)k * count);
    for (size_t i = 0; i < count; i++) {
        double near = (out[i] - out[count + i]) / (2 * step),
               far = (out[2 * count + i] - out[3 * count + i]) / (4 * step);
        slopes[i] = fabs(near - far) <= 0.02 * (fabs(near) + fabs(far)) + 1e-3 ? (4 * near - far) / 3 : NAN;
    }
    free(out);
}

/* Which parameters are looked at: a place takes four traces. */
typedef enum looked_at { ALL, NO_PLACES, PLACES_ALONE } looked_at;

static int is_looked_at(const rw_gain_parameter *about, looked_at which)
{
    if (about->quantity < RW_GAIN_QUANTITY_X_M)
        return which != PLACES_ALONE;
    return which != NO_PLACES && about->index == about->quantity % 2;
}

/* Every quantity that the model's levels depend on has had a derivative that is not zero. */
static void all_quantities_count(const subject *of, looked_at which, const double largest[])
{
    static const char *const words[] = {
#define WORD(name, word, unit) word,
        RW_GAIN_QUANTITY_MAP(WORD)
#undef WORD
    };
    int smooth = strcmp(of->model, "beams") == 0 || strcmp(of->model, "shadow") == 0; /* they ignore roughness */
    for (int i = 0; i <= RW_GAIN_QUANTITY_HEIGHT_M; i++) {
        if (i >= RW_GAIN_QUANTITY_X_M ? which == NO_PLACES : which == PLACES_ALONE)
            continue;
        if (i == RW_GAIN_QUANTITY_ROUGHNESS && smooth)
            continue;
        if (!(largest[i] > 1e-6))
            fail_msg("%s: no derivative over %s", of->model, words[i]);
    }
}

static void derivatives_are_differences(subject *of, rw_gains *gains, looked_at which, double within)
{
    rw_gains_info info = info_of_gains(gains);
    size_t count = info.transmitters * info.points, compared = 0, parameters = 0;
    double *values = values_of(gains), *slopes = malloc(count * sizeof *slopes),
           *changes = malloc(count * sizeof *changes);
    double *tangent = calloc(info.parameters, sizeof *tangent), worst = 0;
    double largest_of[RW_GAIN_QUANTITY_HEIGHT_M + 1] = {0};
    for (size_t p = 0; p < info.parameters; p++) { /* away from zeros, where only one side is allowed */
        rw_gain_parameter about = parameter_at(gains, p);
        if (about.quantity == RW_GAIN_QUANTITY_CONDUCTIVITY || about.quantity == RW_GAIN_QUANTITY_ROUGHNESS)
            values[p] = fmax(values[p], 0.01 + 1e-4 * (double)p); /* and from kinks: the rougher face counts */
    }
    for (size_t p = 0; p < info.parameters; p++) {
        rw_gain_parameter about = parameter_at(gains, p);
        double largest = 0;
        if (!is_looked_at(&about, which))
            continue;
        parameters++;
        tangent[p] = 1;
        assert_ok(of->context, rw_gains_jvp(gains, RW_GAINS_LEVELS, values, tangent, NULL, changes));
        tangent[p] = 0;
        differentiate(of, gains, values, p, slopes);
        for (size_t i = 0; i < count; i++)
            largest = fmax(largest, fabs(changes[i]));
        for (size_t i = 0; i < count; i++) {
            /* levels are rounded at 1e-14 of themselves, which a difference divides by its step */
            double rounding = 1e-13 / step_of(of, &about, values[p]);
            double off = (fabs(changes[i] - slopes[i]) - rounding) / fmax(fabs(slopes[i]), 1e-3 * largest + 1e-9);
            if (isnan(slopes[i]))
                continue;
            compared++;
            largest_of[about.quantity] = fmax(largest_of[about.quantity], fabs(slopes[i]));
            if (!(off <= within))
                fail_msg("%s: %s of %s (%zu) at point %zu: %.10g, differences have %.10g", of->model, about.word,
                         about.name, about.index, i, changes[i], slopes[i]);
            worst = fmax(worst, off);
        }
    }
    printf("%s: %zu derivatives over %zu parameters, within %.2g of differences\n", of->model, compared, parameters,
           worst);
    assert_true(10 * compared > 9 * count * parameters);
    all_quantities_count(of, which, largest_of);
    free(values);
    free(slopes);
    free(changes);
    free(tangent);
}

static double noise(size_t i)
{
    return fmod(0.618034 * (double)(i + 1), 1.0) - 0.5;
}

/* The same of path gains, along one direction of all parameters but places. */
static void path_changes_are_differences(subject *of, rw_gains *gains)
{
    rw_gains_info info = info_of_gains(gains);
    size_t count = 2 * info.paths;
    double *values = values_of(gains), *tangent = calloc(info.parameters, sizeof *tangent), largest = 0, worst = 0;
    double *change = malloc(count * sizeof *change), *out[2] = {malloc(count * 8), malloc(count * 8)};
    for (size_t p = 0; p < info.parameters; p++) {
        rw_gain_parameter about = parameter_at(gains, p);
        int places = about.quantity >= RW_GAIN_QUANTITY_X_M;
        if (about.quantity == RW_GAIN_QUANTITY_CONDUCTIVITY || about.quantity == RW_GAIN_QUANTITY_ROUGHNESS)
            values[p] = fmax(values[p], 0.01 + 1e-4 * (double)p);
        tangent[p] = places ? 0 : noise(p) * 0.1 * step_of(of, &about, values[p]);
    }
    assert_ok(of->context, rw_gains_jvp(gains, RW_GAINS_PATHS, values, tangent, NULL, change));
    for (int side = 0; side < 2; side++) {
        for (size_t p = 0; p < info.parameters; p++)
            values[p] += (side ? -2 : 1) * tangent[p];
        assert_ok(of->context, rw_gains_evaluate(gains, RW_GAINS_PATHS, values, out[side]));
    }
    for (size_t i = 0; i < count; i++)
        largest = fmax(largest, fabs(change[i]));
    for (size_t i = 0; i < count; i++)
        worst = worse_of(worst, fabs(0.5 * (out[0][i] - out[1][i]) - change[i]) / largest);
    assert_true(largest > 0);
    assert_near(worst, 0, 1e-5);
    free(values);
    free(tangent);
    free(change);
    free(out[0]);
    free(out[1]);
}

/* cotangent . jvp(tangent) = tangent . vjp(cotangent), of levels and of path gains. */
static void forward_is_backward(subject *of, rw_gains *gains, rw_gains_output output)
{
    rw_gains_info info = info_of_gains(gains);
    size_t count = output == RW_GAINS_PATHS ? 2 * info.paths : info.transmitters * info.points;
    double *tangent = malloc(info.parameters * sizeof *tangent), *gradient = malloc(info.parameters * sizeof *gradient);
    double *cotangent = malloc(count * sizeof *cotangent), *change = malloc(count * sizeof *change);
    double forward = 0, backward = 0, size = 0;
    for (size_t i = 0; i < info.parameters; i++)
        tangent[i] = noise(i) * fmax(1e-3, fabs(parameter_at(gains, i).value)) * 1e-2;
    for (size_t i = 0; i < count; i++)
        cotangent[i] = noise(3 * i);
    assert_ok(of->context, rw_gains_jvp(gains, output, NULL, tangent, NULL, change));
    assert_ok(of->context, rw_gains_vjp(gains, output, NULL, cotangent, gradient));
    for (size_t i = 0; i < count; i++) {
        forward += cotangent[i] * change[i];
        size += fabs(cotangent[i] * change[i]);
    }
    for (size_t i = 0; i < info.parameters; i++)
        backward += tangent[i] * gradient[i];
    assert_true(size > 0);
    if (!(fabs(forward - backward) <= 1e-10 * size))
        fail_msg("%s: forward %.15g, backward %.15g", of->model, forward, backward);
    free(tangent);
    free(gradient);
    free(cotangent);
    free(change);
}

/* variant: how paths add, or of shadow the effects. */
static void check(rw_backend backend, const char *model, const char *variant, double level_db)
{
    subject of = make_subject(backend, 2, model);
    if (!of.context)
        return;
    int shadow = strcmp(model, "shadow") == 0, places = !variant || strcmp(variant, "power") != 0;
    if (shadow) {
        of.options.effects = variant;
        places = variant != NULL; /* without roofs, whose loss is computed in float */
    } else {
        of.options.sum = variant;
    }
    of.options.refraction = strcmp(model, "images") == 0 ? "none" : NULL;
    take_points(&of, 7);
    rw_gains *gains = keep(&of);
    levels_are_the_maps(&of, gains, level_db);
    derivatives_are_differences(&of, gains, places ? ALL : NO_PLACES, 1e-5);
    path_changes_are_differences(&of, gains);
    forward_is_backward(&of, gains, RW_GAINS_LEVELS);
    forward_is_backward(&of, gains, RW_GAINS_PATHS);
    rw_gains_destroy(gains);
    destroy_subject(&of);
}

static void check_on_all(const char *model, const char *variant, double level_db)
{
    check(RW_BACKEND_CPU, model, variant, level_db);
    check(RW_BACKEND_CUDA, model, variant, level_db);
}

static void images(void **state)
{
    (void)state;
    check_on_all("images", "power", 1e-3);
    check_on_all("images", "local", 1e-2);
}

static void beams(void **state)
{
    (void)state;
    check_on_all("beams", NULL, 0.05);
}

static void tiles(void **state)
{
    (void)state;
    check_on_all("tiles", "power", 1e-3);
    check_on_all("tiles", "coherent", 1e-3);
}

static void shadow(void **state)
{
    (void)state;
    check_on_all("shadow", "streets,walls", 0.02);
    check_on_all("shadow", NULL, 0.02);
}

/* The loss over roofs is computed in float, and differentiated over steps of 25 cm. */
static void places_over_roofs(void **state)
{
    (void)state;
    subject of = make_subject(RW_BACKEND_CPU, 2, "shadow");
    of.place_step_m = 0.2;
    of.tx[0].height_m = of.tx[1].height_m = 9;
    take_points(&of, 7);
    rw_gains *gains = keep(&of);
    derivatives_are_differences(&of, gains, PLACES_ALONE, 1e-3);
    rw_gains_destroy(gains);
    destroy_subject(&of);
}

/* The gradient of one call, to be freed; NULL where there is no such backend. */
static double *gradient_with(rw_backend backend, int threads, size_t *count)
{
    subject of = make_subject(backend, threads, "beams");
    if (!of.context)
        return NULL;
    take_points(&of, 2);
    rw_gains *gains = keep(&of);
    rw_gains_info info = info_of_gains(gains);
    double *gradient = calloc(info.parameters, sizeof *gradient);
    double *cotangent = malloc(info.transmitters * info.points * sizeof *cotangent);
    for (size_t i = 0; i < info.transmitters * info.points; i++)
        cotangent[i] = noise(i);
    assert_ok(of.context, rw_gains_vjp(gains, RW_GAINS_LEVELS, NULL, cotangent, gradient));
    assert_true(info.paths > 500); /* more than a thread takes at a time */
    *count = info.parameters;
    free(cotangent);
    rw_gains_destroy(gains);
    destroy_subject(&of);
    return gradient;
}

static void threads_change_nothing(void **state)
{
    (void)state;
    size_t count, again;
    double *one = gradient_with(RW_BACKEND_CPU, 1, &count), *two = gradient_with(RW_BACKEND_CPU, 2, &again);
    assert_int_equal(count, again);
    assert_memory_equal(one, two, count * sizeof *one);
    free(one);
    free(two);
}

static void backends_agree(void **state)
{
    (void)state;
    size_t count, again;
    double *there = gradient_with(RW_BACKEND_CUDA, 1, &again), *twice;
    if (!there)
        skip_test("there is no GPU");
    double *here = gradient_with(RW_BACKEND_CPU, 1, &count), largest = 0, worst = 0;
    twice = gradient_with(RW_BACKEND_CUDA, 1, &again);
    assert_int_equal(count, again);
    assert_memory_equal(there, twice, count * sizeof *there);
    for (size_t i = 0; i < count; i++)
        largest = fmax(largest, fabs(here[i]));
    for (size_t i = 0; i < count; i++)
        worst = worse_of(worst, fabs(here[i] - there[i]) / fmax(fabs(here[i]), 1e-3 * largest));
    assert_near(worst, 0, 1e-8);
    free(here);
    free(there);
    free(twice);
}

/* A call that must fail with a sentence about what cannot be. */
static void refuse(subject *of, const char *about)
{
    rw_gains *gains = NULL;
    of->options.transmitters = of->tx;
    rw_status status = rw_gains_create(of->scene, &of->options, of->points, of->point_count, NULL, &gains);
    if (status != RW_BAD_CALL || !strstr(rw_last_error(of->context), about))
        fail_msg("%s: %s is not refused: %s", of->model, about, rw_last_error(of->context));
    assert_null(gains);
}

static subject ready(const char *model)
{
    subject made = make_subject(RW_BACKEND_CPU, 1, model);
    int rooms = strcmp(model, "images") == 0;
    made.points[0] =
        (rw_point){.size = sizeof made.points[0], .x_m = rooms ? 9.1 : 51, .y_m = rooms ? 5.3 : 30, .height_m = 1.2};
    made.point_count = 1;
    return made;
}

/* What a model has no derivatives of is refused by name. */
static void refusals(void **state)
{
    (void)state;
    subject of = ready("tiles");
    of.options.scatterings = 1;
    refuse(&of, "scatterings to 0");
    of.options.scatterings = 0;
    of.options.diffractions = 2;
    refuse(&of, "diffractions to 1");
    of.options.diffractions = 1;
    of.options.roofs = "vogler";
    refuse(&of, "roofs to none");
    of.options.roofs = "none";
    of.tx[1].freq_hz = 3e9;
    refuse(&of, "one frequency");
    destroy_subject(&of);
    of = ready("images");
    of.options.diffractions = 1;
    refuse(&of, "diffractions at 0");
    destroy_subject(&of);
    of = ready("beams");
    of.options.losses = "reflection=6,diffraction=25";
    refuse(&of, "constant losses");
    destroy_subject(&of);
    of = ready("shadow");
    of.options.best = 2;
    refuse(&of, "best");
    destroy_subject(&of);
    of = ready("cubes");
    refuse(&of, "model cubes has no gradients");
    destroy_subject(&of);
}

/* Values that a material cannot have, and outputs that there are not. */
static void bad_values(void **state)
{
    (void)state;
    subject of = ready("tiles");
    rw_gains *gains = keep(&of);
    rw_gains_info info = info_of_gains(gains);
    double *values = values_of(gains), out[2];
    for (size_t i = 0; i < info.parameters; i++) {
        rw_gain_parameter about = parameter_at(gains, i);
        double was = values[i];
        values[i] = about.quantity <= RW_GAIN_QUANTITY_THICKNESS ? -0.1 : NAN;
        assert_int_equal(rw_gains_evaluate(gains, RW_GAINS_LEVELS, values, out), RW_BAD_CALL);
        assert_non_null(strstr(rw_last_error(of.context), about.word));
        values[i] = was;
    }
    assert_int_equal(rw_gains_evaluate(gains, (rw_gains_output)7, values, out), RW_BAD_CALL);
    assert_ok(of.context, rw_gains_evaluate(gains, RW_GAINS_LEVELS, values, out));
    free(values);
    rw_gains_destroy(gains);
    destroy_subject(&of);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(images),
                                       cmocka_unit_test(beams),
                                       cmocka_unit_test(tiles),
                                       cmocka_unit_test(shadow),
                                       cmocka_unit_test(places_over_roofs),
                                       cmocka_unit_test(threads_change_nothing),
                                       cmocka_unit_test(backends_agree),
                                       cmocka_unit_test(refusals),
                                       cmocka_unit_test(bad_values)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
