/* labels: slow, numbers */
/* Laws that every model obeys, by the name of the model: a new model is tested without another line. Swapping the ends
 * of a link changes nothing, nor does rotating the scene or moving it by a part of a cell; no loss is below that of a
 * coherent sum of the waves that can arrive; and the loss has neither holes nor steps over frequency.
 *
 * What a model does not obey yet is in the table of known failures, each with its limit: a repair removes its line, and
 * the test prints which lines are no longer needed. RASTERWAVE_MODEL=NAME tests one model. */
#include "base/maths/vector.h"
#include "prediction.h"

#define PI 3.14159265358979

typedef enum law { RECIPROCITY, ROTATION, SHIFT, BOUND, FREQUENCY, LAWS } law;

static const char *const law_names[LAWS] = {"reciprocity", "rotation", "shift", "bound", "frequency"};

typedef struct known_failure {
    const char *model;
    law law;
    double max_db;
    const char *why;
} known_failure;

static const known_failure known[] = {{"cubes", RECIPROCITY, 1, "0.34 dB, cause not examined"}, {NULL, LAWS, 0, NULL}};

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

static prediction build(const char *model, const pose *at)
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

static const struct {
    double (*departure_db)(const char *model);
    double max_db;
} laws[LAWS] = {{reciprocity_db, 0.1}, {rotation_db, 0.2}, {shift_db, 0.1}, {bound_db, 0}, {frequency_db, 0}};

static void models_obey(void **state)
{
    (void)state;
    const char *only = getenv("RASTERWAVE_MODEL");
    int failures = 0;
    for (size_t i = 0; i < rw_model_count(); i++) {
        const char *model = rw_model_name(i);
        if (only && strcmp(only, model) != 0)
            continue;
        for (int which = 0; which < LAWS; which++) {
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(models_obey)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
