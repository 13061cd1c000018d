/* labels: slow, numbers */
/* Diffraction over roofs: Vogler's integral over main edges in single precision against the double form, a parabolic
 * equation of its own, and profiles of a real city whose losses a parabolic equation gave; the last two through
 * predictions on scenes of thin screens. */
#include "field/edges/main_edges.k.h"
#include "mechanisms/rooftop/over_rooftop.k.h"

#include "base/maths/hash.h"
#include "multiple_edges.h"
#include "shapes.h"

#include <complex.h>

#define FREQ_HZ 947e6
#define WAVELENGTH_M (299792458.0 / FREQ_HZ)
#define SCREENS_MAX 64

typedef struct profile {
    double length_m, source_m, receiver_m; /* distance, altitudes of the ends */
    int count;
    double x_m[SCREENS_MAX], top_m[SCREENS_MAX]; /* from the source */
} profile;

static double main_edges_db(const profile *of, rw_main_edges *edges)
{
    float x_m[RW_EDGE_CAPACITY(SCREENS_MAX)], h_m[RW_EDGE_CAPACITY(SCREENS_MAX)];
    rw_edge_field field;
    for (int i = 0; i < of->count; i++) {
        x_m[i] = (float)of->x_m[i];
        h_m[i] = (float)(of->top_m[i] - of->source_m - (of->receiver_m - of->source_m) * of->x_m[i] / of->length_m);
    }
    *edges = rw_main_edges_none((float)of->length_m, (float)WAVELENGTH_M);
    rw_main_edges_choose(edges, x_m, h_m, of->count);
    if (edges->count == 0)
        return 0;
    rw_main_edges_field(edges, &field);
    double power = (double)rw_main_edges_power(edges, &field, (float)of->length_m, 0.0f);
    return -10 * log10(fmin(power, 1)); /* never more than free space */
}

/* Profiles as cities have them. */
static profile random_profile(uint64_t seed)
{
    rw_random random = rw_random_of(seed, 5);
    profile made = {.length_m = rw_random_range(&random, 100, 2000), .receiver_m = 1.5};
    made.source_m = rw_random_range(&random, 5, 45);
    double x_m = rw_random_range(&random, 5, 60);
    while (x_m < made.length_m - 5 && made.count < SCREENS_MAX) {
        made.x_m[made.count] = x_m;
        made.top_m[made.count++] = rw_random_range(&random, 6, 28);
        x_m += rw_random_range(&random, 12, 90);
    }
    return made;
}

static void single_precision_is_enough(void **state)
{
    (void)state;
    double sum = 0, worst = 0;
    const int count = 2000;
    for (int i = 0; i < count; i++) {
        profile made = random_profile((uint64_t)i);
        rw_main_edges edges;
        double loss_db = main_edges_db(&made, &edges), x_m[RW_MAIN_EDGES + 2] = {0}, h_m[RW_MAIN_EDGES + 2] = {0};
        for (int e = 0; e < edges.count; e++) {
            x_m[e + 1] = (double)edges.x_m[e];
            h_m[e + 1] = (double)edges.h_m[e];
        }
        x_m[edges.count + 1] = made.length_m;
        rw_edge_path path = {x_m, h_m, (size_t)edges.count + 2};
        double error = loss_db - fmax(rw_vogler_loss_db(&path, WAVELENGTH_M), 0); /* never more than free space */
        sum += error * error;
        worst = fmax(worst, fabs(error));
    }
    printf("against Vogler in double: %.3f dB rms, at most %.2f dB\n", sqrt(sum / count), worst);
    assert_true(sqrt(sum / count) < 0.05 && worst < 1.5);
}

/* Rows of equal screens at equal distances, grazing: N edges cost 20 log10(N + 1). */
static void rows_at_grazing(void **state)
{
    (void)state;
    for (int count = 1; count <= RW_MAIN_EDGES; count++) {
        profile row = {.length_m = 50 * (count + 1), .source_m = 20, .receiver_m = 20, .count = count};
        rw_main_edges edges;
        for (int i = 0; i < count; i++) {
            row.x_m[i] = 50 * (i + 1);
            row.top_m[i] = 20;
        }
        assert_near(main_edges_db(&row, &edges), 20 * log10(count + 1.0), 0.02);
    }
}

/* ------------------------------------------------------------------------------------------ parabolic equation */

#define HEIGHTS 1920
#define STEP_Z_M 0.125
#define STEPS_A_M 4
#define STEP_X_M (1.0 / STEPS_A_M)
#define LOWEST_M (-100.0)

/* 2 j k u_x = u_zz by Crank and Nicolson: one step of all heights, by elimination. */
static void parabolic_step(double complex *field)
{
    static double complex upper[HEIGHTS], right[HEIGHTS];
    double complex a = -I * STEP_X_M * WAVELENGTH_M / (8 * RW_PI * STEP_Z_M * STEP_Z_M);
    for (int i = 0; i < HEIGHTS; i++) {
        double complex below = i ? field[i - 1] : 0, above = i + 1 < HEIGHTS ? field[i + 1] : 0;
        double complex known = field[i] + a * (below - 2 * field[i] + above);
        double complex pivot = 1 + 2 * a + (i ? a * upper[i - 1] : 0);
        upper[i] = -a / pivot;
        right[i] = (known + (i ? a * right[i - 1] : 0)) / pivot;
    }
    field[HEIGHTS - 1] = right[HEIGHTS - 1];
    for (int i = HEIGHTS - 2; i >= 0; i--)
        field[i] = right[i] - upper[i] * field[i + 1];
    for (int i = 0; i < HEIGHTS; i++) { /* nothing comes back from the ends */
        double edge = fmin(i, HEIGHTS - 1 - i) / (0.2 * HEIGHTS);
        field[i] *= edge < 1 ? pow(sin(0.5 * RW_PI * edge), 0.05) : 1;
    }
}

static double complex field_after(const profile *of, int with_screens)
{
    static double complex field[HEIGHTS];
    const double waist_m = 1.2; /* a narrow start spreads over some ten degrees */
    for (int i = 0; i < HEIGHTS; i++) {
        double above_m = (LOWEST_M + i * STEP_Z_M - of->source_m) / waist_m;
        field[i] = exp(-above_m * above_m);
    }
    for (int x = 1; x <= (int)of->length_m; x++) {
        for (int i = 0; i < STEPS_A_M; i++)
            parabolic_step(field);
        for (int s = 0; with_screens && s < of->count; s++)
            for (int i = 0; (int)of->x_m[s] == x && i < HEIGHTS && LOWEST_M + (i - 0.5) * STEP_Z_M < of->top_m[s]; i++)
                field[i] *= LOWEST_M + (i + 0.25) * STEP_Z_M < of->top_m[s] ? 0 : 0.5; /* the edge halves its height */
    }
    return field[(int)((of->receiver_m - LOWEST_M) / STEP_Z_M + 0.5)];
}

static void as_the_parabolic_equation(void **state)
{
    (void)state;
    static const profile cases[] = {
        {300, 20, 20, 1, {150}, {20}},
        {300, 20, 15, 1, {200}, {22}},
        {400, 20, 20, 2, {130, 260}, {20, 20}},
        {500, 20, 16, 3, {120, 250, 390}, {21, 22, 19}},
        {600, 18, 18, 4, {110, 220, 330, 470}, {20, 17, 21, 18}},
        {600, 22, 17, 5, {100, 200, 300, 400, 500}, {20, 20, 20, 20, 20}},
        {500, 24, 12, 3, {120, 260, 420}, {16, 15, 14}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rw_main_edges edges;
        double expected = -20 * log10(cabs(field_after(&cases[i], 1)) / cabs(field_after(&cases[i], 0)));
        double loss_db = main_edges_db(&cases[i], &edges);
        printf("%d screens: %.2f dB, by the parabolic equation %.2f dB\n", cases[i].count, loss_db, expected);
        assert_near(loss_db, expected, 0.7);
    }
}

/* ------------------------------------------------------------------------------------------- through predictions */

/* A scene whose buildings are thin screens across the x axis; the transmitters stand at x = 0. */
static rw_scene *scene_of(rw_context *context, const profile *of)
{
    rw_scene *scene = make_scene(context);
    for (int i = 0; i < of->count; i++) {
        const double box[] = {of->x_m[i] - 0.05, -3000, of->x_m[i] + 0.05, 3000};
        add_box(context, scene, box, of->top_m[i], "screen");
    }
    const double far[] = {of->length_m + 500, 3000, of->length_m + 510,
                          3010}; /* so that the receiver is on the scene */
    const double behind[] = {-20, 3000, -10, 3010};
    add_box(context, scene, far, 3, "far");
    add_box(context, scene, behind, 3, "behind");
    assert_ok(context, rw_scene_commit(scene));
    return scene;
}

/* Loss beyond free space over the roofs at the profile's end, of transmitters at these heights. */
static void excess_db(rw_context *context, const profile *of, const double *heights_m, size_t count, double *excess)
{
    rw_scene *scene = scene_of(context, of);
    rw_transmitter masts[3];
    rw_predict_options options;
    rw_map *map;
    rw_map_layer layer = {.size = sizeof layer};
    rw_predict_options_init(&options);
    for (size_t i = 0; i < count; i++) {
        rw_transmitter_init(&masts[i]);
        masts[i].height_m = heights_m[i];
    }
    options.transmitters = masts;
    options.transmitter_count = count;
    options.freq_hz = FREQ_HZ;
    options.effects = "roofs";
    options.prior = "none";
    options.layers = "path_loss";
    options.rx_height_m = of->receiver_m;
    options.res_m = 0.2;
    const double area[] = {of->length_m - 0.1, -0.1, of->length_m + 0.1, 0.1};
    memcpy(options.area_m, area, sizeof area);
    assert_ok(context, rw_predict(scene, &options, &map));
    assert_int_equal(rw_map_get_layer(map, 0, &layer), RW_OK);
    for (size_t i = 0; i < count; i++) {
        double away_m = hypot(of->length_m, heights_m[i] - of->receiver_m);
        excess[i] = (double)layer.values[i] - 20 * log10(4 * RW_PI * away_m / WAVELENGTH_M);
    }
    rw_map_destroy(map);
    rw_scene_destroy(scene);
}

static rw_context *context_on(rw_backend backend)
{
    rw_context *context = make_context_of(backend, 0);
    if (!context)
        skip_test("no GPU");
    return context;
}

static void rows_through_predict(rw_backend backend)
{
    rw_context *context = context_on(backend);
    const double height_m = 20;
    for (int count = 1; count <= RW_MAIN_EDGES; count++) {
        profile row = {.length_m = 60 * (count + 1), .receiver_m = 20, .count = count};
        double loss_db;
        for (int i = 0; i < count; i++) {
            row.x_m[i] = 60 * (i + 1);
            row.top_m[i] = 20;
        }
        excess_db(context, &row, &height_m, 1, &loss_db);
        assert_near(loss_db, 20 * log10(count + 1.0), 0.5);
    }
    rw_context_destroy(context);
}

static void rows_on_cpu(void **state)
{
    (void)state;
    rows_through_predict(RW_BACKEND_CPU);
}

static void rows_on_gpu(void **state)
{
    (void)state;
    rows_through_predict(RW_BACKEND_CUDA);
}

/* One line: {"distance_m": D, "screens": [[x, top], ...], "excess_db": {"13": a, "25": b, "40": c}}. */
static profile read_profile(const char *line, double expected[3])
{
    static const char *const keys[] = {"\"13\":", "\"25\":", "\"40\":"};
    profile read = {.receiver_m = 1.5};
    read.length_m = atof(strstr(line, "distance_m\":") + strlen("distance_m\":"));
    char *at = strstr(line, "screens\": [") + strlen("screens\": [");
    while (*at == '[' && read.count < SCREENS_MAX) {
        read.x_m[read.count] = strtod(at + 1, &at);
        read.top_m[read.count++] = strtod(at + 1, &at);
        at += strspn(at, "], ");
    }
    for (int i = 0; i < 3; i++)
        expected[i] = atof(strstr(line, keys[i]) + strlen(keys[i]));
    return read;
}

static void profiles_of_munich(rw_backend backend, const char *path)
{
    static const double heights_m[] = {13, 25, 40}, allowed[] = {3.5, 3.2, 2.2};
    rw_context *context = context_on(backend);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    double sums[3] = {0}, expected[3], excess[3];
    int count = 0;
    for (char line[1 << 14]; fgets(line, sizeof line, file); count++) {
        profile read = read_profile(line, expected);
        excess_db(context, &read, heights_m, 3, excess);
        for (int i = 0; i < 3; i++)
            sums[i] += (excess[i] - expected[i]) * (excess[i] - expected[i]);
    }
    fclose(file);
    assert_int_equal(count, 300);
    for (int i = 0; i < 3; i++) {
        printf("transmitter at %g m: %.2f dB rms\n", heights_m[i], sqrt(sums[i] / count));
        assert_true(sqrt(sums[i] / count) <= allowed[i]);
    }
    rw_context_destroy(context);
}

static void profiles_on_cpu(void **state)
{
    (void)state;
    require_test_data(path, "vectors/roofs_parabolic_equation.jsonl");
    profiles_of_munich(RW_BACKEND_CPU, path);
}

static void profiles_on_gpu(void **state)
{
    (void)state;
    require_test_data(path, "vectors/roofs_parabolic_equation.jsonl");
    profiles_of_munich(RW_BACKEND_CUDA, path);
}

/* Receivers before walls: at their images, from where the roof before them may lie below the line, against the same
 * integral in double. Only levels above -60 dB are compared: those that can matter beside the wave to the receiver. */
static void images_in_walls(void **state)
{
    (void)state;
    rw_random random = rw_random_of(7, 1);
    double worst_db = 0, square = 0;
    int count = 0, anew = 0;
    for (int i = 0; i < 4000; i++) {
        profile made = random_profile((uint64_t)i);
        double wall_m = rw_random_range(&random, 5, 80), image_m = made.length_m + 2 * wall_m;
        double image_h = 2 * wall_m * (made.source_m - made.receiver_m) / made.length_m;
        double x_m[RW_MAIN_EDGES + 2] = {0}, h_m[RW_MAIN_EDGES + 2] = {0};
        rw_main_edges edges;
        rw_edge_field field;
        main_edges_db(&made, &edges);
        if (edges.count == 0)
            continue;
        for (int e = 0; e < edges.count; e++) {
            x_m[e + 1] = (double)edges.x_m[e];
            h_m[e + 1] = (double)edges.h_m[e];
        }
        x_m[edges.count + 1] = image_m;
        h_m[edges.count + 1] = image_h;
        rw_edge_path path = {x_m, h_m, (size_t)edges.count + 2};
        double right_db = -rw_vogler_loss_db(&path, WAVELENGTH_M);
        if (right_db < -60)
            continue;
        rw_main_edges_field(&edges, &field);
        double found_db = 10 * log10((double)rw_image_power(&edges, (float)image_m, (float)image_h));
        double plain_db = 10 * log10((double)rw_main_edges_power(&edges, &field, (float)image_m, (float)image_h));
        anew += !(fabs(plain_db - right_db) <= 3);
        worst_db = worse_of(worst_db, fabs(found_db - right_db));
        square += pow(found_db - right_db, 2);
        count++;
    }
    printf("%d images: %.3f dB rms, at most %.2f dB; %d with a field of their own\n", count, sqrt(square / count),
           worst_db, anew);
    assert_true(count > 2000 && anew > 20);
    assert_true(sqrt(square / count) <= 0.3 && worst_db <= 6);
}

/* The same integral in double with 96 nodes, without edges that the path to the image does not notice. */
static double image_db_in_double(const rw_main_edges *edges, double image_m, double image_h)
{
    double x_m[RW_MAIN_EDGES + 2] = {0}, h_m[RW_MAIN_EDGES + 2] = {0};
    rw_main_edges seen = rw_main_edges_none((float)image_m, edges->wavelength_m);
    seen.count = edges->count;
    for (int e = 0; e < edges->count; e++) {
        seen.x_m[e] = edges->x_m[e];
        seen.h_m[e] = (float)((double)edges->h_m[e] - image_h * (double)edges->x_m[e] / image_m);
    }
    rw_main_edges_prune_below_string(&seen);
    for (int e = 0; e < seen.count; e++) {
        x_m[e + 1] = (double)seen.x_m[e];
        h_m[e + 1] = (double)seen.h_m[e];
    }
    x_m[seen.count + 1] = image_m;
    rw_edge_path path = {x_m, h_m, (size_t)seen.count + 2};
    return -rw_vogler_loss_db(&path, WAVELENGTH_M);
}

/* 1e5 profiles, some with the last screen near to the receiver: no image has more than free space where an edge stands
 * above the line to it, nor more than the overshoot of one edge in the light. */
static void images_have_no_gain(void **state)
{
    (void)state;
    rw_random random = rw_random_of(11, 1);
    double worst_db = 0, lit = 0;
    int shadowed_gains = 0, compared = 0, over_half = 0;
    for (int i = 0; i < 100000; i++) {
        profile made = random_profile((uint64_t)i);
        made.receiver_m = rw_random_range(&random, 1, 15);
        double wall_m = rw_random_range(&random, 0.5, 100), image_m = made.length_m + 2 * wall_m;
        double image_h = 2 * wall_m * (made.source_m - made.receiver_m) / made.length_m;
        rw_main_edges edges;
        main_edges_db(&made, &edges);
        if (edges.count == 0)
            continue;
        double power = (double)rw_image_power(&edges, (float)image_m, (float)image_h);
        int shadowed = 0;
        for (int e = 0; e < edges.count; e++)
            shadowed |= (double)edges.h_m[e] > image_h * (double)edges.x_m[e] / image_m + 1e-3;
        shadowed_gains += shadowed && !(power <= 1.0);
        lit = worse_of(lit, power);
        if (i % 100)
            continue;
        double right_db = fmin(image_db_in_double(&edges, image_m, image_h), shadowed ? 0 : 1.37);
        if (right_db > -60)
            worst_db = worse_of(worst_db, fabs(10 * log10(power) - right_db));
        over_half += right_db > -60 && !(fabs(10 * log10(power) - right_db) <= 0.5);
        compared += right_db > -60;
    }
    printf("images: %d gains in the shadow, at most %.3f in the light; %d against double: %.2f dB\n", shadowed_gains,
           lit, compared, worst_db);
    assert_int_equal(shadowed_gains, 0);
    assert_true(lit <= 1.371 && compared > 500 && over_half <= 2 && worst_db <= 1.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_precision_is_enough),
        cmocka_unit_test(rows_at_grazing),
        cmocka_unit_test(images_in_walls),
        cmocka_unit_test(images_have_no_gain),
        cmocka_unit_test(as_the_parabolic_equation),
        cmocka_unit_test(rows_on_cpu),
        cmocka_unit_test(rows_on_gpu),
        cmocka_unit_test(profiles_on_cpu),
        cmocka_unit_test(profiles_on_gpu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
