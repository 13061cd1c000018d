/* labels: slow, numbers */
/* Laws that every model obeys, by the name of the model: a new model is tested without another line. Swapping the ends
 * of a link changes nothing, nor does rotating the scene or moving it by a part of a cell; no loss is below that of a
 * coherent sum of the waves that can arrive, nor below that of free space and the listed paths; and the loss has
 * neither holes nor steps over frequency. Sums of powers have no steps where an edge ends a wave. With all defaults, as
 * a user has them: no cell of a map stands out of its neighbours unless rays of two interactions have the same loss
 * there, the loss has no steps along a street, round corners and past the edge of a roof, and it does not depend on the
 * size of cells, cubes and tiles.
 *
 * What a model does not obey yet is in the table of known failures, each with its limit: a repair removes its line, and
 * the test prints which lines are no longer needed. RASTERWAVE_MODEL=NAME tests one model. */
#include "base/maths/vector.h"
#include "prediction.h"

#define PI 3.14159265358979

typedef enum law {
    RECIPROCITY,
    ROTATION,
    SHIFT,
    BOUND,
    PATHS_BOUND,
    FREQUENCY,
    POWER_SUMS,
    OUTLIERS,
    CONTINUITY,
    ROOF_EDGES,
    CONVERGENCE,
    TILE_SIZE,
    LAWS
} law;

static const char *const law_names[LAWS] = {"reciprocity",        "rotation",   "shift",       "bound",
                                            "bound by its paths", "frequency",  "power sums",  "outliers",
                                            "continuity",         "roof edges", "convergence", "size of tiles"};

typedef struct known_failure {
    const char *model;
    law law;
    double max_db;
    const char *why;
} known_failure;

/* Where walls of rooms are all that there is, nothing reaches a place behind buildings. */
#define ROOMS "a model of rooms: no path behind buildings"
#define SHADOW_STEP "a ray ends at the shadow boundary of a corner, whose own wave does not continue it"

#define ROOF_STEP "a reflected wave ends at the edge of a roof, whose own wave does not continue it"
#define MAIN_EDGES "main edges of the over-rooftop path enter and leave"

static const known_failure known[] = {{"images", OUTLIERS, INFINITY, ROOMS},
                                      {"sbr", OUTLIERS, INFINITY, ROOMS},
                                      {"beams", CONTINUITY, 0.15, "a narrow place that two edges bound: 0.11 dB"},
                                      {"cubes", CONTINUITY, 14, SHADOW_STEP},
                                      {"tiles", CONTINUITY, 6, SHADOW_STEP},
                                      {"rt", CONTINUITY, 11, SHADOW_STEP},
                                      {"images", CONTINUITY, INFINITY, ROOMS},
                                      {"sbr", CONTINUITY, INFINITY, ROOMS},
                                      {"tiles", POWER_SUMS, 0.3, "0.25 dB, cause not examined"},
                                      {"shadow", ROOF_EDGES, 4, MAIN_EDGES},
                                      {"beams", ROOF_EDGES, 7, ROOF_STEP},
                                      {"cubes", ROOF_EDGES, 9, ROOF_STEP},
                                      {"tiles", ROOF_EDGES, 4, MAIN_EDGES},
                                      {"rt", ROOF_EDGES, 4, ROOF_STEP},
                                      {"images", ROOF_EDGES, INFINITY, ROOMS},
                                      {"sbr", ROOF_EDGES, INFINITY, ROOMS},
                                      {NULL, LAWS, 0, NULL}};

static const known_failure *find_known(const char *model, law which)
{
    for (const known_failure *one = known; one->model; one++)
        if (strcmp(one->model, model) == 0 && one->law == which)
            return one;
    return NULL;
}

/* A scene of boxes, each by its middle, its sides and its height, turned by an angle and moved. */
typedef struct block {
    double x, y, width, depth, height;
} block;

static const block street[] = {{-20, 0, 16, 60, 14}, {22, 6, 18, 50, 20}, {0, 48, 70, 14, 11}, {2, -50, 60, 12, 17},
                               {-75, -75, 2, 2, 3},  {75, 75, 2, 2, 3},   {-75, 75, 2, 2, 3},  {75, -75, 2, 2, 3}};

typedef struct pose {
    double angle_rad, x, y;
} pose;

static rw_vec2 posed(const pose *at, double x, double y)
{
    double c = cos(at->angle_rad), s = sin(at->angle_rad);
    return (rw_vec2){at->x + c * x - s * y, at->y + s * x + c * y};
}

/* Whether the model has the option, and a choice of this name where one is given. */
static int has_option(const char *model, const char *name, const char *choice)
{
    rw_model_option_info info = {.size = sizeof info};
    int found = 0;
    for (size_t i = 0; rw_model_option_get(model, i, &info) == RW_OK && !found; i++)
        found = strcmp(info.name, name) == 0 && (!choice || (info.choices && strstr(info.choices, choice)));
    return found;
}

static prediction build_as_users_have_it(const char *model, const pose *at)
{
    rw_context *context = make_context_of(RW_BACKEND_CPU, 2);
    rw_scene *scene = make_scene(context);
    for (size_t i = 0; i < sizeof street / sizeof *street; i++) {
        const block *box = &street[i];
        double xy[8];
        for (int corner = 0; corner < 4; corner++) {
            rw_vec2 point = posed(at, box->x + (corner == 1 || corner == 2 ? 0.5 : -0.5) * box->width,
                                  box->y + (corner >= 2 ? 0.5 : -0.5) * box->depth);
            xy[2 * corner] = point.x;
            xy[2 * corner + 1] = point.y;
        }
        add_outline(context, scene, xy, 4, box->height, "box");
    }
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    now.options.model = model;
    return now;
}

static prediction build(const char *model, const pose *at)
{
    prediction now = build_as_users_have_it(model, at);
    if (has_option(model, "prior", NULL))
        now.options.prior = "none";
    if (has_option(model, "sum", "power")) /* a local mean is over the cell of one end: swapping the ends changes it */
        now.options.sum = "power";
    return now;
}

/* Loss between two points at heights above ground: a map of one cell. */
static double loss_db(prediction *now, const pose *at, rw_vec3 from, rw_vec3 to)
{
    rw_vec2 tx = posed(at, from.x, from.y), rx = posed(at, to.x, to.y);
    double half = 0.5;
    const double area[4] = {rx.x - half, rx.y - half, rx.x + half, rx.y + half};
    now->tx[0].x_m = tx.x;
    now->tx[0].y_m = tx.y;
    now->tx[0].height_m = from.z;
    now->options.rx_height_m = to.z;
    now->options.res_m = 1;
    now->options.layers = "path_loss";
    memcpy(now->options.area_m, area, sizeof area);
    rw_map *map = predict(now);
    double value = (double)value_at(map, "path_loss", rx.x, rx.y);
    rw_map_destroy(map);
    return value;
}

/* In sight, round one corner, behind a building, and behind two. */
static const rw_vec3 links[][2] = {
    {{0, -20, 5}, {4, 20, 5}}, {{0, -20, 5}, {40, 38, 5}}, {{0, 10, 5}, {-40, 3, 5}}, {{-45, -30, 5}, {48, 12, 5}}};
enum { LINKS = sizeof links / sizeof *links };

static const pose straight = {0, 0, 0};

static double difference_db(double a, double b)
{
    return a == b ? 0 : fabs(a - b);
}

/* The largest departure from a law, in dB: infinite if only one of two values is finite. */
static double reciprocity_db(const char *model)
{
    prediction now = build(model, &straight);
    double largest = 0;
    for (int i = 0; i < LINKS; i++)
        largest = worse_of(largest, difference_db(loss_db(&now, &straight, links[i][0], links[i][1]),
                                                  loss_db(&now, &straight, links[i][1], links[i][0])));
    end(&now);
    return largest;
}

static double pose_db(const char *model, const pose *other)
{
    prediction now = build(model, &straight), then = build(model, other);
    double largest = 0;
    for (int i = 0; i < LINKS; i++)
        largest = worse_of(largest, difference_db(loss_db(&now, &straight, links[i][0], links[i][1]),
                                                  loss_db(&then, other, links[i][0], links[i][1])));
    end(&now);
    end(&then);
    return largest;
}

static double rotation_db(const char *model)
{
    const pose other = {0.41, 0, 0};
    return pose_db(model, &other);
}

static double shift_db(const char *model)
{
    const pose other = {0, 3.37, -1.71};
    return pose_db(model, &other);
}

/* By how much a loss is below free space less the most that waves of equal strength can add: the direct wave, one from
 * the ground and one from each of two facades, 12 dB. */
static double bound_db(const char *model)
{
    prediction now = build(model, &straight);
    double largest = 0;
    for (int i = 0; i < LINKS; i++) {
        double dx = links[i][1].x - links[i][0].x, dy = links[i][1].y - links[i][0].y;
        double free_db = 20 * log10(4 * PI * hypot(dx, dy) * now.options.freq_hz / 299792458.0);
        largest = worse_of(largest, fmax(0, free_db - 12.1 - loss_db(&now, &straight, links[i][0], links[i][1])));
    }
    end(&now);
    return largest;
}

/* By how much a loss is below that of free space and all listed paths of the model in phase. */
static double paths_bound_db(const char *model)
{
    prediction now = build(model, &straight);
    double largest = 0;
    for (int i = 0; i < LINKS; i++) {
        rw_vec3 from = links[i][0], to = links[i][1], way = rw_vec3_sub(to, from);
        double loss = loss_db(&now, &straight, from, to);
        double amplitude = 299792458.0 / (4 * PI * now.options.freq_hz * rw_vec3_length(way));
        rw_point point = {.size = sizeof point, .x_m = to.x, .y_m = to.y, .height_m = to.z};
        rw_predict_options paths_of = now.options;
        rw_paths *paths;
        paths_of.transmitters = now.tx;
        paths_of.layers = paths_of.prior = paths_of.sum = NULL;
        if (rw_trace(now.scene, &paths_of, &point, 1, &paths) != RW_OK) {
            assert_non_null(strstr(rw_last_error(now.context), "gives maps and no paths"));
            break;
        }
        for (size_t k = 0; k < rw_paths_count(paths); k++) {
            rw_path path = {.size = sizeof path};
            assert_ok(now.context, rw_paths_get(paths, k, &path));
            amplitude += pow(10, -0.05 * path.loss_db);
        }
        rw_paths_destroy(paths);
        largest = worse_of(largest, fmax(0, -20 * log10(amplitude) - loss));
    }
    end(&now);
    return largest;
}

/* In sight from 10 MHz to 100 GHz: no hole, and over a quarter of a decade no more than 6 dB beyond the 5 dB of free
 * space. */
static double frequency_db(const char *model)
{
    prediction now = build(model, &straight);
    double largest = 0, before = NAN;
    for (int step = 0; step <= 16; step++) {
        now.options.freq_hz = 1e7 * pow(10, 0.25 * step);
        double loss = loss_db(&now, &straight, links[0][0], links[0][1]);
        if (!isfinite(loss))
            largest = INFINITY;
        else if (step)
            largest = worse_of(largest, fmax(0, fabs(loss - before - 5) - 6));
        before = loss;
    }
    end(&now);
    return largest;
}

/* A transmitter in the street, and receivers along two lines that cross the shadow boundaries of all corners. */
static void place_in_street(prediction *now)
{
    now->tx[0].x_m = links[0][0].x;
    now->tx[0].y_m = links[0][0].y;
    now->tx[0].height_m = links[0][0].z;
    now->options.transmitters = now->tx;
    now->options.layers = "path_loss";
}

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static void losses_at(prediction *now, const rw_point *points, size_t count, double *loss);

/* Whether the rays of two interactions have the same loss at the middle of a cell, within 3 dB. */
static int is_explained(const prediction *now, const rw_map *map, int at, double loss_db)
{
    rw_map_info info = info_of(map);
    prediction rays = *now;
    rw_point point = {.size = sizeof point,
                      .x_m = info.x0_m + (at % (int)info.columns + 0.5) * info.res_m,
                      .y_m = info.y0_m + (at / (int)info.columns + 0.5) * info.res_m,
                      .height_m = NAN};
    double rays_db;
    rw_predict_options_init_for(&rays.options, "rt");
    rays.options.transmitters = rays.tx;
    rays.options.transmitter_count = 1;
    rays.options.freq_hz = now->options.freq_hz;
    rays.options.rx_height_m = now->options.rx_height_m;
    rays.options.res_m = info.res_m;
    rays.options.layers = "path_loss";
    losses_at(&rays, &point, 1, &rays_db);
    return difference_db(loss_db, rays_db) <= 3;
}

#define OUTLIER_DB 20.0

/* The largest distance of a cell from the median of the 5 x 5 cells around it, of those over 20 dB where rays have
 * another loss. */
static double outliers_db(const char *model)
{
    prediction now = build_as_users_have_it(model, &straight);
    const double area[4] = {-60, -60, 60, 60};
    place_in_street(&now);
    memcpy(now.options.area_m, area, sizeof area);
    rw_map *map = predict(&now);
    const float *loss = layer_of(map, "path_loss").values;
    int columns = (int)info_of(map).columns, rows = (int)info_of(map).rows;
    double largest = 0;
    for (int at = 0; at < columns * rows; at++) {
        float near[25];
        size_t count = 0;
        for (int k = 0; k < 25; k++) {
            int column = at % columns + k % 5 - 2, row = at / columns + k / 5 - 2;
            if (column >= 0 && row >= 0 && column < columns && row < rows && !isnan(loss[row * columns + column]))
                near[count++] = loss[row * columns + column];
        }
        if (isnan(loss[at]))
            continue;
        qsort(near, count, sizeof *near, by_value);
        double apart_db = difference_db((double)loss[at], (double)near[count / 2]);
        if (apart_db <= OUTLIER_DB || !is_explained(&now, map, at, (double)loss[at]))
            largest = worse_of(largest, apart_db);
    }
    rw_map_destroy(map);
    end(&now);
    return largest;
}

enum { LINE_POINTS = 80, LINES = 2, POINTS = LINES * LINE_POINTS };

static rw_point line_point(size_t line, double along_m)
{
    return (rw_point){.size = sizeof(rw_point),
                      .x_m = line ? -40 + along_m : 41.3,
                      .y_m = line ? 35.7 : -39 + along_m,
                      .height_m = NAN};
}

static void losses_at(prediction *now, const rw_point *points, size_t count, double *loss)
{
    rw_map *map;
    assert_ok(now->context, rw_predict_points(now->scene, &now->options, points, count, &map));
    for (size_t i = 0; i < count; i++)
        loss[i] = (double)layer_of(map, "path_loss").values[i];
    rw_map_destroy(map);
}

/* Where points are: number and metres along a line. */
typedef rw_point (*line_fn)(size_t line, double along_m);

/* The largest step along the lines, bisected to a millimetre wherever losses a metre apart differ by over 1 dB. */
static double find_largest_step_db(prediction *now, line_fn line_at)
{
    rw_point points[POINTS], at = {.size = sizeof at};
    double loss[POINTS], low_m[POINTS], low[POINTS], high[POINTS], middle[POINTS], largest = 0;
    size_t line_of[POINTS], steps = 0;
    for (size_t i = 0; i < POINTS; i++)
        points[i] = line_at(i / LINE_POINTS, (double)(i % LINE_POINTS));
    losses_at(now, points, POINTS, loss);
    for (size_t i = 0; i + 1 < POINTS; i++)
        if (i % LINE_POINTS + 1 < LINE_POINTS && !(difference_db(loss[i], loss[i + 1]) <= 1)) {
            line_of[steps] = i / LINE_POINTS;
            low_m[steps] = (double)(i % LINE_POINTS);
            low[steps] = loss[i];
            high[steps++] = loss[i + 1];
        }
    for (double half_m = 0.5; steps && half_m > 0.4e-3; half_m *= 0.5) {
        for (size_t k = 0; k < steps; k++)
            points[k] = line_at(line_of[k], low_m[k] + half_m);
        losses_at(now, points, steps, middle);
        for (size_t k = 0; k < steps; k++) {
            int first = difference_db(low[k], middle[k]) > difference_db(middle[k], high[k]);
            low_m[k] += first ? 0 : half_m;
            *(first ? &high[k] : &low[k]) = middle[k];
        }
    }
    for (size_t k = 0; k < steps; k++) {
        double step_db = difference_db(low[k], high[k]);
        at = step_db > largest ? line_at(line_of[k], low_m[k]) : at;
        largest = worse_of(largest, step_db);
    }
    if (largest > 0.1)
        printf("  step of %.3f dB at %.3f,%.3f,%.3f\n", largest, at.x_m, at.y_m, at.height_m);
    return largest;
}

static double continuity_db(const char *model)
{
    prediction now = build_as_users_have_it(model, &straight);
    place_in_street(&now);
    now.options.res_m = 1;
    double largest = find_largest_step_db(&now, line_point);
    end(&now);
    return largest;
}

/* Upwards behind two buildings, from the street into sight. */
static rw_point upward_point(size_t line, double along_m)
{
    return (rw_point){
        .size = sizeof(rw_point), .x_m = line ? -40.3 : 45.2, .y_m = line ? 4.1 : 5.7, .height_m = 1.37 + along_m};
}

static double roof_edges_db(const char *model)
{
    prediction now = build_as_users_have_it(model, &straight);
    place_in_street(&now);
    now.options.res_m = 1;
    double largest = find_largest_step_db(&now, upward_point);
    end(&now);
    return largest;
}

/* One building, so that no other wave hides the boundaries of shadow and reflection; lines across both. */
static rw_point open_point(size_t line, double along_m)
{
    return (rw_point){.size = sizeof(rw_point),
                      .x_m = line ? -29.87 + along_m : 45.13,
                      .y_m = line ? 25.31 : -40.77 + along_m,
                      .height_m = NAN};
}

static double power_sums_db(const char *model)
{
    const double house[4] = {10, -15, 30, 15}, far_away[4] = {-60, -60, -58, -58};
    if (!has_option(model, "sum", "power") || !has_option(model, "roofs", NULL))
        return 0; /* sums fields or has one, or has no edges by default */
    rw_context *context = make_context_of(RW_BACKEND_CPU, 2);
    rw_scene *scene = make_scene(context);
    add_box(context, scene, house, 20, NULL);
    add_box(context, scene, far_away, 3, NULL);
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    rw_predict_options_init_for(&now.options, model);
    now.options.transmitter_count = 1;
    now.options.freq_hz = 2e9;
    now.options.prior = "none";
    now.options.sum = "power";
    place_in_street(&now);
    now.tx[0].x_m = -30;
    now.tx[0].y_m = -3;
    now.tx[0].height_m = 10;
    double largest = find_largest_step_db(&now, open_point);
    end(&now);
    return largest;
}

/* The median of what halving the cells, or the sides of tiles, changes along the lines. */
static double find_change_db(const char *model, int tiles)
{
    double loss[2][POINTS];
    float changes[POINTS];
    for (int fine = 0; fine < 2; fine++) {
        prediction now = build_as_users_have_it(model, &straight);
        rw_point points[POINTS];
        place_in_street(&now);
        now.options.res_m = fine && !tiles ? 1 : 2;
        if (fine && tiles)
            now.options.tile_area_m2 = 25;
        for (size_t i = 0; i < POINTS; i++)
            points[i] = line_point(i / LINE_POINTS, (double)(i % LINE_POINTS));
        losses_at(&now, points, POINTS, loss[fine]);
        end(&now);
    }
    for (size_t i = 0; i < POINTS; i++)
        changes[i] = (float)difference_db(loss[0][i], loss[1][i]);
    qsort(changes, POINTS, sizeof *changes, by_value);
    return (double)changes[POINTS / 2];
}

static double convergence_db(const char *model)
{
    return find_change_db(model, 0);
}

static double tile_size_db(const char *model)
{
    return has_option(model, "tile-area", NULL) ? find_change_db(model, 1) : 0;
}

static const struct {
    double (*departure_db)(const char *model);
    double max_db;
} laws[LAWS] = {[RECIPROCITY] = {reciprocity_db, 0.1},
                [ROTATION] = {rotation_db, 0.2},
                [SHIFT] = {shift_db, 0.1},
                [BOUND] = {bound_db, 0},
                [PATHS_BOUND] = {paths_bound_db, 0.1},
                [FREQUENCY] = {frequency_db, 0},
                [POWER_SUMS] = {power_sums_db, 0.1},
                [OUTLIERS] = {outliers_db, OUTLIER_DB},
                [CONTINUITY] = {continuity_db, 0.1},
                [ROOF_EDGES] = {roof_edges_db, 0.1},
                [CONVERGENCE] = {convergence_db, 0.5},
                [TILE_SIZE] = {tile_size_db, 0.5}};

static void models_obey(void **state)
{
    (void)state;
    const char *only = getenv("RASTERWAVE_MODEL");
    int failures = 0, last = getenv("RASTERWAVE_QUICK") ? OUTLIERS : LAWS; /* maps take long under the sanitizers */
    for (size_t i = 0; i < rw_model_count(); i++) {
        const char *model = rw_model_name(i);
        if (only && strcmp(only, model) != 0)
            continue;
        for (int which = 0; which < last; which++) {
            double departure = laws[which].departure_db(model);
            const known_failure *one = find_known(model, (law)which);
            double max_db = one ? one->max_db : laws[which].max_db;
            printf("%s, %s: %.3f dB, at most %.3f%s%s\n", model, law_names[which], departure, max_db,
                   one ? ", known: " : "", one ? one->why : "");
            if (one && departure <= laws[which].max_db)
                printf("  holds now: its line in the table is not needed\n");
            if (!(departure <= max_db)) {
                printf("  FAILS\n");
                failures++;
            }
        }
    }
    assert_int_equal(failures, 0);
}

/* Loss behind a building of 20 m with a flat roof, over it. */
/* by_default: with the model's own mechanisms, but for waves through the building, which few models have, and the
 * empirical median. */
static double over_roof_db(const char *model, double depth_m, int by_default)
{
    rw_context *context = make_context_of(RW_BACKEND_CPU, 2);
    rw_scene *scene = make_scene(context);
    const double house[4] = {0, -100, depth_m, 100}, far_west[4] = {-90, -2, -88, 2};
    add_box(context, scene, house, 20, NULL);
    add_box(context, scene, far_west, 3, NULL);
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    rw_predict_options_init_for(&now.options, model);
    now.options.freq_hz = 2e9;
    now.options.transmitter_count = 1;
    now.options.prior = by_default ? NULL : "none";
    now.options.layers = "path_loss";
    now.options.effects = !has_option(model, "effects", NULL) ? NULL : by_default ? "streets,roofs" : "roofs";
    now.tx[0].x_m = -50;
    now.tx[0].height_m = 10;
    now.options.transmitters = now.tx;
    rw_point point = {.size = sizeof point, .x_m = depth_m + 50, .height_m = 1.5};
    double loss_db;
    losses_at(&now, &point, 1, &loss_db);
    end(&now);
    return loss_db;
}

/* One building has one answer: the models that have the way over the roofs agree on it. */
static void one_roof_one_answer(void **state)
{
    (void)state;
    const double depths_m[] = {10, 30, 100};
    for (size_t i = 0; i < rw_model_count(); i++) {
        const char *model = rw_model_name(i);
        if (!has_option(model, "effects", NULL) && !has_option(model, "roofs", NULL))
            continue;
        for (int k = 0; k < 3; k++) {
            double loss_db = over_roof_db(model, depths_m[k], 0), expected_db = over_roof_db("shadow", depths_m[k], 0);
            double default_db = over_roof_db(model, depths_m[k], 1),
                   of_shadow_db = over_roof_db("shadow", depths_m[k], 1);
            printf("%s, a roof of %.0f m: %.2f dB, shadow %.2f dB\n", model, depths_m[k], loss_db, expected_db);
            assert_near(loss_db, expected_db, 0.5);
            assert_true(loss_db > 105 && loss_db < 120);
            printf("  by default %.2f dB, shadow %.2f dB\n", default_db, of_shadow_db);
            assert_near(default_db, of_shadow_db, 1);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(models_obey), cmocka_unit_test(one_roof_one_answer)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
