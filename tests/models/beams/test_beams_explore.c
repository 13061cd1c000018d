/* Beams and delays to look at: polygons of beams hold a receiver as often as it has paths; the histogram of a point,
 * from the map and from its file, has the point's loss and spread; routes are marked on pictures. */
#include "models/beams/beams.h"
#include "output/maps/map.h"
#include "ext/hdf5.h"
#include "shapes.h"
#include "temporary.h"

#include "unit.h"

typedef struct town {
    rw_context *context;
    rw_scene *scene;
    rw_transmitter tx;
    rw_predict_options options;
} town;

static void begin(town *now)
{
    *now = (town){.context = make_context()};
    rw_city_options city;
    rw_city_options_init(&city);
    city.style = "grid";
    city.width_m = city.depth_m = 250;
    assert_ok(now->context, rw_generate_city(now->context, &city, &now->scene));
    assert_ok(now->context, rw_scene_commit(now->scene));
    rw_transmitter_init(&now->tx);
    now->tx.x_m = 126;
    now->tx.y_m = 123;
    now->tx.height_m = 4;
    rw_predict_options_init(&now->options);
    now->options.model = "beams";
    now->options.roofs = "none";
    now->options.transmitters = &now->tx;
    now->options.transmitter_count = 1;
    now->options.reflections = 2;
    now->options.transmissions = 0;
    now->options.loss_max_db = 220;
    now->options.layers = "path_loss,delay_spread,paths";
}

static void end(town *now)
{
    rw_scene_destroy(now->scene);
    rw_context_destroy(now->context);
}

/* 1 inside, 0 outside, -1 too near to a side to tell; corners run counter-clockwise. */
static int holds(const rw_beam_outline *outline, double x, double y)
{
    int inside = 1;
    for (int i = 0; i < 4; i++) {
        rw_vec2 a = outline->corners[i], b = outline->corners[(i + 1) % 4];
        double length = hypot(b.x - a.x, b.y - a.y);
        if (length < 1e-9)
            continue; /* begins at a point */
        double side = ((b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x)) / length;
        if (side < -1e-6)
            return 0;
        if (side < 1e-6)
            inside = -1;
    }
    return inside;
}

/* Every diffracted beam leaves a source that is listed, and every source has such beams. */
static void check_corners(const town *now, const rw_beam_outline *outlines, size_t count)
{
    rw_prediction *prediction;
    rw_diffraction_source *sources;
    size_t source_count, left = 0;
    assert_ok(now->context, rw_prediction_open(now->scene, &now->options, &prediction));
    assert_ok(now->context, rw_beam_diffraction_sources(prediction, 0, &sources, &source_count));
    assert_true(source_count > 3);
    for (size_t s = 0; s < source_count; s++) {
        size_t beams = 0;
        for (size_t i = 0; i < count; i++) {
            double x = sources[s].at.x + now->scene->origin.x, y = sources[s].at.y + now->scene->origin.y;
            int leaves = strcmp(outlines[i].kind, "diffracted") == 0 &&
                         hypot(outlines[i].corners[0].x - x, outlines[i].corners[0].y - y) < 0.02;
            beams += leaves != 0;
            assert_true(!leaves || outlines[i].diffractions >= sources[s].order);
        }
        assert_true(beams > 0 && sources[s].count > 0 && sources[s].count <= beams);
        left += beams;
    }
    for (size_t i = 0; i < count; i++)
        left -= strcmp(outlines[i].kind, "diffracted") == 0;
    assert_int_equal(left, 0);
    free(sources);
    rw_prediction_destroy(prediction);
}

static void polygons(void **state)
{
    (void)state;
    town now;
    rw_map *map;
    rw_map_info info = {.size = sizeof info};
    rw_map_layer paths = {.size = sizeof paths};
    rw_beam_outline *outlines;
    size_t count, compared = 0, most = 0;
    begin(&now);
    assert_ok(now.context, rw_predict(now.scene, &now.options, &map));
    assert_ok(now.context, rw_map_get_info(map, &info));
    assert_ok(now.context, rw_map_get_layer(map, 2, &paths));
    assert_ok(now.context, rw_beam_outlines_create(now.scene, &now.options, 0, &outlines, &count));
    for (size_t i = 0; i < count; i++)
        assert_false(outlines[i].conditional); /* all roofs are above the transmitter */
    for (size_t cell = 0; cell < info.columns * info.rows; cell++) {
        double x = info.x0_m + ((double)(cell % info.columns) + 0.5) * info.res_m;
        double y = info.y0_m + ((double)(cell / info.columns) + 0.5) * info.res_m;
        size_t inside = 0, unsure = 0;
        for (size_t i = 0; i < count; i++) {
            int in = holds(&outlines[i], x, y);
            inside += in == 1;
            unsure += in == -1;
        }
        if (isnan(paths.values[cell]) || unsure)
            continue;
        if ((double)inside != (double)paths.values[cell])
            fail_msg("%zu polygons at %g, %g, which has %g paths\n", inside, x, y, (double)paths.values[cell]);
        compared++;
        most = inside > most ? inside : most;
    }
    printf("%zu polygons, %zu receivers, at most %zu paths\n", count, compared, most);
    assert_true(compared > 500 && most > 10);
    check_corners(&now, outlines, count);
    free(outlines);
    rw_map_destroy(map);
    const char *path = temporary_path("beams.geojson");
    assert_ok(now.context, rw_write_beams(now.scene, &now.options, path));
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char line[1024];
    size_t features = 0;
    while (fgets(line, sizeof line, file))
        features += strstr(line, "\"Feature\"") != NULL;
    fclose(file);
    assert_int_equal(features, count);
    now.options.model = "shadow";
    now.options.reflections = now.options.transmissions = RW_UNSET;
    check_sentence(now.context, rw_write_beams(now.scene, &now.options, path), RW_BAD_CALL, "no beams");
    end(&now);
}

static void check_profile(const rw_delay_profile *profile, double loss_db, double spread_ns)
{
    assert_near(profile->path_loss_db, loss_db, 0.001);
    assert_near(1e9 * profile->delay_spread_s, spread_ns, 1); /* bins of 1 ns */
}

static void delays(void **state)
{
    (void)state;
    town now;
    rw_map *map;
    rw_map_info info = {.size = sizeof info};
    rw_map_layer loss = {.size = sizeof loss}, spread = {.size = sizeof spread};
    rw_delay_profile profile = {.size = sizeof profile}, read = {.size = sizeof read};
    size_t compared = 0;
    begin(&now);
    now.options.res_m = 10;
    now.options.delay_bins = 4000;
    now.options.delay_bin_s = 1e-9;
    assert_ok(now.context, rw_predict(now.scene, &now.options, &map));
    assert_ok(now.context, rw_map_get_info(map, &info));
    assert_ok(now.context, rw_map_get_layer(map, 0, &loss));
    assert_ok(now.context, rw_map_get_layer(map, 1, &spread));
    const char *path = temporary_path("delays.h5");
    if (rw_hdf5_is_in())
        assert_ok(now.context, rw_map_write_histogram(map, path));
    for (size_t cell = 0; cell < info.columns * info.rows; cell += 7) {
        if (!isfinite(loss.values[cell]))
            continue;
        double x = info.x0_m + ((double)(cell % info.columns) + 0.7) * info.res_m;
        double y = info.y0_m + ((double)(cell / info.columns) + 0.2) * info.res_m;
        assert_ok(now.context, rw_map_get_delay_profile(map, x, y, 0, &profile));
        check_profile(&profile, (double)loss.values[cell], (double)spread.values[cell]);
        if (rw_hdf5_is_in() && compared < 3) {
            assert_ok(now.context, rw_delay_profile_read(now.context, path, x, y, 0, &read));
            assert_near(read.x_m, profile.x_m, 1e-9);
            assert_near(read.bin_s, profile.bin_s, 0);
            assert_memory_equal(read.power, profile.power, profile.bins * sizeof *profile.power);
            rw_free(read.power);
        }
        if (!compared)
            assert_ok(now.context, rw_delay_profile_draw(now.context, &profile, temporary_path("delays.png")));
        rw_free(profile.power);
        compared++;
    }
    assert_true(compared > 20);
    check_sentence(now.context, rw_map_get_delay_profile(map, -1e6, 0, 0, &profile), RW_BAD_CALL, "not on the map");
    check_sentence(now.context, rw_map_get_delay_profile(map, 120, 120, 1, &profile), RW_BAD_CALL, "number 2");
    rw_map_destroy(map);
    end(&now);
}

static long size_of(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    fclose(file);
    return size;
}

static void routes(void **state)
{
    (void)state;
    town now;
    rw_map *map;
    rw_map_draw_options draw;
    char plain[4096], marked[4096];
    const double marks[] = {60, 60, 70, 60, 80, 60, 90, 60, 1e6, 1e6};
    begin(&now);
    assert_ok(now.context, rw_predict(now.scene, &now.options, &map));
    rw_map_draw_options_init(&draw);
    snprintf(plain, sizeof plain, "%s", temporary_path("plain.png"));
    snprintf(marked, sizeof marked, "%s", temporary_path("marked.png"));
    assert_ok(now.context, rw_map_draw(map, &draw, plain));
    draw.marks_m = marks;
    draw.mark_count = 5;
    assert_ok(now.context, rw_map_draw(map, &draw, marked));
    assert_true(size_of(plain) != size_of(marked));
    rw_map_destroy(map);
    end(&now);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(polygons), cmocka_unit_test(delays), cmocka_unit_test(routes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
