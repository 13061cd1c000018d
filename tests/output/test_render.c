/* labels: files */
/* Pictures: the colour scale is uniform, every kind of layer can be drawn, and a failure leaves nothing behind. */
#include "output/pictures/pictures.h"
#include "output/pictures/layer_style.h"
#include "output/maps/map.h"

#include "temporary.h"
#include "unit.h"

static void steps_look_equally_different(void **state)
{
    (void)state;
    rw_colour steps[RW_COLOUR_STEPS];
    rw_colour_scale_compute(steps);
    double total = 0, smallest = 1, largest = 0;
    for (int i = 0; i + 8 < RW_COLOUR_STEPS; i += 8) {
        double difference = rw_colour_difference(steps[i], steps[i + 8]);
        total += difference / 31;
        smallest = fmin(smallest, difference);
        largest = fmax(largest, difference);
    }
    assert_near(smallest / total, 1, 0.1);
    assert_near(largest / total, 1, 0.1);
}

static void ticks_are_round(void **state)
{
    (void)state;
    char text[32];
    assert_near(rw_tick_step(70, 8), 10, 1e-12);
    assert_near(rw_tick_step(0.9, 5), 0.2, 1e-12);
    rw_tick_label(-0.5, 0.5, text, sizeof text);
    assert_string_equal(text, "\xe2\x88\x92"
                              "0.5");
    rw_tick_label(120, 20, text, sizeof text);
    assert_string_equal(text, "120");
}

static void every_layer_has_a_title_in_words(void **state)
{
    (void)state;
    char name[64];
    for (size_t model = 0; model < rw_model_count(); model++)
        for (const char *at = rw_model_layers(model); *at; at += strcspn(at, ","), at += *at == ',') {
            snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ","), at);
            assert_true(strcmp(rw_layer_title(name), name) != 0);
        }
}

static void transmitters_differ_in_colour(void **state)
{
    (void)state;
    for (size_t i = 0; i < 64; i++)
        for (size_t k = 0; k < i; k++)
            assert_true(rw_colour_difference(rw_class_colour(i), rw_class_colour(k)) > 0.02);
}

/* A town of blocks in rows, with a courtyard in every third. */
static rw_scene *make_town(rw_context *context)
{
    rw_scene *scene;
    assert_ok(context, rw_scene_create(context, &scene));
    for (int row = 0; row < 8; row++)
        for (int column = 0; column < 9; column++) {
            double x = 500040 + 100 * column + 7 * (row % 3), y = 5000030 + 85 * row + 5 * (column % 4);
            double w = 70 + 9 * ((row * 5 + column * 3) % 3), d = 52 + 6 * ((row + column) % 3);
            double xy[] = {x,      y,      x + w,      y + 6,  x + w - 5,  y + d,      x + 3,  y + d - 4,
                           x + 20, y + 18, x + w - 20, y + 20, x + w - 22, y + d - 16, x + 22, y + d - 18};
            size_t rings[] = {4, 4};
            rw_building building = {.size = sizeof building, .xy = xy, .ring_sizes = rings, .roof_height_m = 20};
            building.ring_count = (row + column) % 3 == 0 ? 2 : 1;
            assert_ok(context, rw_scene_add_building(scene, &building));
        }
    assert_ok(context, rw_scene_commit(scene));
    return scene;
}

static int is_inside(int row, int column, double x, double y)
{
    double left = 500040 + 100 * column + 7 * (row % 3), low = 5000030 + 85 * row + 5 * (column % 4);
    double w = 70 + 9 * ((row * 5 + column * 3) % 3), d = 52 + 6 * ((row + column) % 3);
    int hole = (row + column) % 3 == 0 && x > left + 20 && x < left + w - 20 && y > low + 19 && y < low + d - 17;
    return x > left && x < left + w && y > low && y < low + d && !hole;
}

static void fill_map(rw_map *map, float *loss, float *los, float *walls, float *best)
{
    const rw_map_info *info = &map->info;
    for (size_t i = 0; i < info->rows * info->columns; i++) {
        double x = info->x0_m + ((double)(i % info->columns) + 0.5) * info->res_m;
        double y = info->y0_m + ((double)(i / info->columns) + 0.5) * info->res_m;
        int inside = 0;
        for (int block = 0; block < 72 && !inside; block++)
            inside = is_inside(block / 9, block % 9, x, y);
        if (inside)
            continue;
        double distance = hypot(x - 500420, y - 5000345);
        int crossed = (int)(distance / 110 + 2 * fabs(sin(0.021 * x) * cos(0.017 * y)));
        loss[i] = distance > 520 ? INFINITY : (float)(32 + 20 * log10(distance + 1) + 6 * crossed);
        los[i] = crossed == 0;
        walls[i] = (float)crossed;
        best[i] = (float)((int)(distance / 90) % 4);
    }
}

static rw_map *make_map(rw_context *context)
{
    rw_map_info info = {.size = sizeof info, .columns = 200, .rows = 150, .x0_m = 500000, .y0_m = 5000000, .res_m = 5};
    info.rx_height_m = 1.5;
    info.model = "shadow";
    rw_map *map;
    assert_ok(context, rw_map_create(context, &info, "", &map));
    float *loss, *los, *walls, *best;
    assert_ok(context, rw_map_add_layer(map, "path_loss", "dB", 1, &loss));
    assert_ok(context, rw_map_add_layer(map, "los", "", 1, &los));
    assert_ok(context, rw_map_add_layer(map, "walls", "", 1, &walls));
    assert_ok(context, rw_map_add_layer(map, "best", "", 1, &best));
    fill_map(map, loss, los, walls, best);
    return map;
}

static void draws_every_kind_of_layer(void **state)
{
    (void)state;
    rw_context *context;
    assert_int_equal(rw_context_create(NULL, &context), RW_OK);
    rw_scene *town = make_town(context);
    rw_map *map = make_map(context);
    rw_transmitter transmitter = {.size = sizeof transmitter, .name = "town hall", .x_m = 500420, .y_m = 5000345};
    transmitter.freq_hz = 947e6;
    rw_map_draw_options options;
    rw_map_draw_options_init(&options);
    options.scene = town;
    options.transmitters = &transmitter;
    options.transmitter_count = 1;
    const char *const layers[] = {"path_loss", "los", "walls", "best"};
    for (size_t i = 0; i < 4; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s.png", layers[i]);
        options.layer = layers[i];
        assert_ok(context, rw_map_draw(map, &options, temporary_path(name)));
    }
    assert_int_equal(temporary_count(), getenv("RASTERWAVE_KEEP") ? temporary_count() : 4);
    options.layer = "colour of the sky";
    assert_int_equal(rw_map_draw(map, &options, temporary_path("sky.png")), RW_NOT_FOUND);
    rw_map_destroy(map);
    rw_scene_destroy(town);
    rw_context_destroy(context);
    temporary_clear();
}

static void a_full_disk_leaves_nothing(void **state)
{
    (void)state;
    rw_context *context;
    assert_int_equal(rw_context_create(NULL, &context), RW_OK);
    rw_map *map = make_map(context);
    size_t files = temporary_count();
    struct rlimit disk = full_disk_begin(5000);
    rw_status status = rw_map_draw(map, NULL, temporary_path("full.png"));
    full_disk_end(disk);
    assert_int_equal(status, RW_IO);
    assert_int_equal(temporary_count(), files);
    assert_int_equal(rw_map_draw(map, NULL, "/nonexistent/folder/map.png"), RW_NOT_WRITABLE);
    rw_map_destroy(map);
    rw_context_destroy(context);
}

static void draws_plots(void **state)
{
    (void)state;
    rw_context *context;
    assert_int_equal(rw_context_create(NULL, &context), RW_OK);
    enum { COUNT = 400 };
    static double x[COUNT], measured[COUNT], predicted[COUNT];
    for (int i = 0; i < COUNT; i++) {
        x[i] = 5 * i;
        predicted[i] = 95 + 18 * sin(0.021 * i) + 0.03 * i;
        measured[i] = predicted[i] + 5 * sin(1.7 * i) * cos(0.31 * i);
    }
    measured[200] = measured[201] = NAN;
    rw_series series[] = {{"measured", x, measured, COUNT, RW_SERIES_LINE},
                          {"predicted", x, predicted, COUNT, RW_SERIES_LINE}};
    rw_plot plot = {.title = "Route 1",
                    .subtitle = "model shadow \xc2\xb7 947 MHz",
                    .x_label = "distance along the route in m",
                    .y_label = "path loss in dB",
                    .series = series,
                    .series_count = 2};
    assert_ok(context, rw_plot_write(context, &plot, temporary_path("route.png")));
    rw_series stems = {NULL, x, predicted, 24, RW_SERIES_STEMS};
    rw_plot response = {.title = "ABCDEFGHIJKLMNOPQRSTUVWXYZ 0123456789",
                        .subtitle =
                            "abcdefghijklmnopqrstuvwxyz !\"#$%&'()*+,-./:;<=>?@[]^_{|}~ \xc2\xb0\xc2\xb5\xc2\xb2",
                        .x_label = "delay in ns",
                        .y_label = "power in dBm",
                        .series = &stems,
                        .series_count = 1,
                        .width_px = 700,
                        .height_px = 400,
                        .log_y = 1};
    assert_ok(context, rw_plot_write(context, &response, temporary_path("response.png")));
    rw_context_destroy(context);
}

/* Pixels of a column that have the colour of the only series. */
static int count_inked_pixels(const rw_canvas *canvas, int x)
{
    int inked = 0;
    for (int y = 105; y < canvas->height - 66; y++) {
        const uint8_t *pixel = canvas->rgb + 3 * ((size_t)y * (size_t)canvas->width + (size_t)x);
        inked += pixel[0] < 120 && pixel[2] > 140;
    }
    return inked;
}

/* Delays in dB below the strongest: the strongest of them has the longest stem. */
static void the_largest_value_has_the_longest_stem(void **state)
{
    (void)state;
    rw_context *context;
    rw_canvas canvas;
    const double x[] = {0, 1, 2, 3, 4}, y[] = {-72, -80, -85, -98, -110};
    rw_series stems = {NULL, x, y, 5, RW_SERIES_STEMS};
    rw_plot plot = {.series = &stems, .series_count = 1};
    assert_int_equal(rw_context_create(NULL, &context), RW_OK);
    assert_ok(context, rw_plot_draw(context, &plot, &canvas));
    int lengths[5] = {0};
    for (int i = 1; i < 4; i++) /* the first and the last are at the frame */
        lengths[i] = count_inked_pixels(&canvas, 84 + (int)((canvas.width - 30 - 84) * (x[i] / 4)));
    assert_true(lengths[1] > lengths[2] && lengths[2] > lengths[3] && lengths[3] > 3);
    rw_canvas_free(&canvas);
    rw_context_destroy(context);
}

/* Many names need several rows; none is cut off at the border, where nothing but paper may be, and no two series have
 * one colour. */
static void names_of_series_stay_inside(void **state)
{
    (void)state;
    rw_context *context;
    rw_canvas canvas;
    const double x[] = {0, 1}, y[] = {1, 2};
    rw_series series[12];
    for (int i = 0; i < 12; i++)
        series[i] = (rw_series){"a series with quite a long name, cpu", x, y, 2, RW_SERIES_LINE};
    rw_plot plot = {.series = series, .series_count = 12};
    assert_int_equal(rw_context_create(NULL, &context), RW_OK);
    assert_ok(context, rw_plot_draw(context, &plot, &canvas));
    for (int y_px = 0; y_px < canvas.height; y_px++)
        for (int k = 0; k < 2; k++) {
            size_t x_px = k ? (size_t)canvas.width - 1 : 0;
            assert_int_equal(canvas.rgb[3 * ((size_t)y_px * (size_t)canvas.width + x_px)], 255);
        }
    rw_canvas_free(&canvas);
    plot.height_px = 240;
    assert_int_equal(rw_plot_draw(context, &plot, &canvas), RW_BAD_CALL);
    rw_context_destroy(context);
}

/* A line of one point is drawn as a point. */
static void a_single_point_is_seen(void **state)
{
    (void)state;
    rw_context *context;
    rw_canvas canvas;
    const double x[] = {0, 1, 2}, y[] = {NAN, 5, NAN};
    rw_series series[] = {{NULL, x, y, 3, RW_SERIES_LINE},
                          {NULL, (const double[]){0, 2}, (const double[]){0, 9}, 2, RW_SERIES_POINTS}};
    rw_plot plot = {.series = series, .series_count = 2};
    assert_int_equal(rw_context_create(NULL, &context), RW_OK);
    assert_ok(context, rw_plot_draw(context, &plot, &canvas));
    assert_true(count_inked_pixels(&canvas, (84 + canvas.width - 30) / 2) >= 5);
    rw_canvas_free(&canvas);
    rw_context_destroy(context);
}

/* A map of one column, drawn wide, would be higher than any picture. */
static void refuses_a_picture_too_high(void **state)
{
    (void)state;
    rw_context *context;
    assert_int_equal(rw_context_create(NULL, &context), RW_OK);
    rw_map_info info = {.size = sizeof info, .columns = 1, .rows = 300000, .res_m = 1};
    rw_map *map;
    float *values;
    assert_ok(context, rw_map_create(context, &info, "", &map));
    assert_ok(context, rw_map_add_layer(map, "los", "", 1, &values));
    rw_map_draw_options options;
    rw_map_draw_options_init(&options);
    options.width_px = 20000;
    assert_int_equal(rw_map_draw(map, &options, "too_high.png"), RW_BAD_CALL);
    rw_map_destroy(map);
    rw_context_destroy(context);
}

/* Names with marks stay readable; what has no letter to fall back on is a box. */
static void letters_with_marks_fall_back(void **state)
{
    (void)state;
    rw_text_style style = {.size_px = 20, .weight = 1};
    assert_near(rw_text_width_px("Nörd Łódź", &style), rw_text_width_px("Nord Lodz", &style), 0);
    assert_true(rw_text_width_px("日", &style) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(letters_with_marks_fall_back),
        cmocka_unit_test(steps_look_equally_different),
        cmocka_unit_test(ticks_are_round),
        cmocka_unit_test(every_layer_has_a_title_in_words),
        cmocka_unit_test(transmitters_differ_in_colour),
        cmocka_unit_test(draws_every_kind_of_layer),
        cmocka_unit_test(a_full_disk_leaves_nothing),
        cmocka_unit_test(draws_plots),
        cmocka_unit_test(the_largest_value_has_the_longest_stem),
        cmocka_unit_test(names_of_series_stay_inside),
        cmocka_unit_test(a_single_point_is_seen),
        cmocka_unit_test(refuses_a_picture_too_high),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
