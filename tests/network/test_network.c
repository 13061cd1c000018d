/* Layers of a network against closed forms, regions of a map as polygons, and which receivers have a path. */
#include "prediction.h"
#include "temporary.h"

#include "device/device.h"
#include "ext/gdal.h"
#include "output/maps/map.h"
#include "scene/surface/regions.h"

#define FREQ_HZ 947e6

static prediction begin_plain(void)
{
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    const double far_away[4] = {0, 0, 5, 5};
    add_box(context, scene, far_away, 3, "a shed");
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    const double area_m[4] = {0, 0, 400, 200};
    memcpy(now.options.area_m, area_m, sizeof area_m);
    for (int i = 0; i < 2; i++) {
        now.tx[i].x_m = i ? 352.5 : 52.5;
        now.tx[i].y_m = 102.5;
        now.tx[i].power_dbm = i ? 40 : 43;
    }
    now.options.transmitter_count = 2;
    now.options.layers = "power,best,ci,strongest,rsrp,interference,noise,sinr,throughput";
    return now;
}

static double free_space_dbm(const rw_transmitter *tx, double x, double y)
{
    double height_m = tx->height_m - 1.5;
    double distance_m = sqrt((x - tx->x_m) * (x - tx->x_m) + (y - tx->y_m) * (y - tx->y_m) + height_m * height_m);
    return tx->power_dbm - 20 * log10(4 * 3.14159265358979 * distance_m * FREQ_HZ / 299792458.0);
}

/* What two sites in free space must give: the numbers by hand, for 10 MHz of LTE, 50 blocks of 180 kHz. */
static void check_free_space(const rw_map *map, const prediction *now, double x, double y, double load, int interfere)
{
    double p[2] = {free_space_dbm(&now->tx[0], x, y), free_space_dbm(&now->tx[1], x, y)};
    int best = p[1] > p[0];
    double noise_dbm = 10 * log10(1.380649e-23 * 290 * 9e6 * 1000) + 9;
    double heard_mw = interfere ? load * pow(10, p[!best] / 10) : 0;
    double sinr = pow(10, p[best] / 10) / (heard_mw + pow(10, noise_dbm / 10)), sinr_db = 10 * log10(sinr);
    double rate = sinr_db < -10 ? 0 : 0.6 * log2(1 + fmin(sinr, pow(10, 2.2)));
    assert_near(noise_dbm, -95.43, 0.01); /* -173.98 + 69.54 + 9 */
    assert_near(value_at(map, "best", x, y), best + 1, 0);
    assert_near(value_at(map, "strongest", x, y), p[best], 2e-3);
    assert_near(value_at(map, "rsrp", x, y), p[best] - 10 * log10(600), 2e-3);
    assert_near(value_at(map, "noise", x, y), noise_dbm, 1e-3);
    assert_near(value_at(map, "sinr", x, y), sinr_db, 4e-3);
    assert_near(value_at(map, "throughput", x, y), 10 * rate, 0.02);
    if (heard_mw > 0)
        assert_near(value_at(map, "interference", x, y), 10 * log10(heard_mw), 2e-3);
    else
        assert_true(isinf(value_at(map, "interference", x, y)));
}

static void sinr_of_two_sites_in_free_space(void **state)
{
    (void)state;
    prediction now = begin_plain();
    now.options.model = "shadow";
    now.options.effects = "none";
    static const struct {
        double load;
        const char *channel;
    } cases[] = {{1, "1"}, {0.25, "1"}, {0, "1"}, {1, "2"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        now.tx[0].channel = "1";
        now.tx[1].channel = cases[i].channel;
        now.options.load = cases[i].load;
        rw_map *map = predict(&now);
        for (double x = 12.5; x < 400; x += 95)
            for (double y = 22.5; y < 200; y += 75)
                check_free_space(map, &now, x, y, cases[i].load, strcmp(cases[i].channel, "1") == 0);
        rw_map_destroy(map);
    }
    end(&now);
}

/* Loads of the transmitters themselves, which the option's is not asked for. */
static void transmitters_have_loads(void **state)
{
    (void)state;
    prediction now = begin_plain();
    now.options.model = "shadow";
    now.options.effects = "none";
    now.options.load = 0.7;
    static const double loads[][2] = {{0.2, 0.5}, {-1, 0.5}, {0, 0.3}};
    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++) {
        now.tx[0].load = loads[i][0];
        now.tx[1].load = loads[i][1];
        rw_map *map = predict(&now);
        double first = loads[i][0] < 0 ? 0 : loads[i][0] > 0 ? loads[i][0] : 0.7;
        check_free_space(map, &now, 102.5, 97.5, loads[i][1], 1); /* the second interferes */
        check_free_space(map, &now, 312.5, 97.5, first, 1);
        rw_map_destroy(map);
    }
    end(&now);
}

/* A carrier of its own: 20 MHz of LTE are 100 blocks of 180 kHz, 12 subcarriers each; of four streams with a quarter of
 * the power each, or fewer with more, those with the highest rate count. By hand, at a receiver of the first site. */
static void transmitters_have_carriers(void **state)
{
    (void)state;
    prediction now = begin_plain();
    now.options.model = "shadow";
    now.options.effects = "none";
    now.tx[0].channel = "a";
    now.tx[1].channel = "b";
    now.tx[0].bandwidth_hz = 20e6;
    now.tx[0].streams = 4;
    for (int weak = 0; weak < 2; weak++) {
        now.tx[0].power_dbm = weak ? -25 : 43;
        now.tx[1].power_dbm = weak ? -200 : 40;
        rw_map *map = predict(&now);
        double p_dbm = free_space_dbm(&now.tx[0], 102.5, 97.5), best = 0;
        double noise_dbm = 10 * log10(1.380649e-23 * 290 * 18e6 * 1000) + 9, sinr_db = p_dbm - noise_dbm;
        for (int n = 1; n <= 4; n++) {
            double each_db = sinr_db - 10 * log10(n);
            best = fmax(best, each_db < -10 ? 0 : n * 20 * 0.6 * log2(1 + pow(10, fmin(each_db, 22) / 10)));
        }
        assert_near(value_at(map, "best", 102.5, 97.5), 1, 0);
        assert_near(value_at(map, "noise", 102.5, 97.5), noise_dbm, 1e-3);
        assert_near(value_at(map, "rsrp", 102.5, 97.5), p_dbm - 10 * log10(1200), 2e-3);
        assert_near(value_at(map, "sinr", 102.5, 97.5), sinr_db, 4e-3);
        assert_near(value_at(map, "throughput", 102.5, 97.5), best, 0.05);
        rw_map_destroy(map);
    }
    now.tx[1].power_dbm = 40; /* the second has the carrier of the options */
    rw_map *map = predict(&now);
    check_free_space(map, &now, 312.5, 97.5, 1, 0);
    rw_map_destroy(map);
    now.tx[1].streams = 65;
    assert_int_equal(rw_predict(now.scene, &now.options, &map), RW_BAD_CALL);
    end(&now);
}

static void every_model_has_the_layers(void **state)
{
    (void)state;
    prediction now = begin_plain();
    now.options.res_m = 20;
    for (size_t i = 0; i < rw_model_count(); i++) {
        rw_predict_options options = now.options;
        rw_predict_options_init_for(&now.options, rw_model_name(i));
        now.options.layers = options.layers;
        now.options.res_m = options.res_m;
        now.options.freq_hz = options.freq_hz;
        now.options.transmitter_count = 2;
        memcpy(now.options.area_m, options.area_m, sizeof options.area_m);
        rw_map *map = predict(&now);
        double signal_mw = pow(10, (double)value_at(map, "strongest", 110, 90) / 10);
        double others_mw = pow(10, (double)value_at(map, "interference", 110, 90) / 10);
        double noise_mw = pow(10, (double)value_at(map, "noise", 110, 90) / 10);
        assert_near(value_at(map, "sinr", 110, 90), 10 * log10(signal_mw / (others_mw + noise_mw)), 1e-2);
        assert_true(value_at(map, "throughput", 110, 90) > 0);
        rw_map_destroy(map);
    }
    end(&now);
}

static void resource_blocks_must_fit(void **state)
{
    (void)state;
    prediction now = begin_plain();
    rw_map *map;
    now.options.transmitters = now.tx;
    now.options.resource_blocks = 56; /* of 180 kHz: 10.08 MHz */
    assert_int_equal(rw_predict(now.scene, &now.options, &map), RW_BAD_CALL);
    now.options.resource_blocks = 273; /* 100 MHz of NR */
    now.options.subcarrier_spacing_hz = 30e3;
    now.options.bandwidth_hz = 100e6;
    now.options.throughput = "shannon";
    map = predict(&now);
    double sinr = pow(10, (double)value_at(map, "sinr", 202.5, 102.5) / 10);
    assert_near(value_at(map, "throughput", 202.5, 102.5), 100 * log2(1 + sinr), 0.1);
    assert_near(value_at(map, "noise", 202.5, 102.5), -173.975 + 10 * log10(273 * 12 * 30e3) + 9, 1e-2);
    rw_map_destroy(map);
    end(&now);
}

/* Twice the area, by the formula of Gauss; negative where clockwise. */
static double ring_area(const rw_regions *regions, size_t ring)
{
    size_t first = regions->ring_first[ring], end_ = regions->ring_first[ring + 1];
    double sum = 0;
    for (size_t i = first; i < end_; i++) {
        size_t next = i + 1 < end_ ? i + 1 : first;
        double x0 = regions->points[2 * i], y0 = regions->points[2 * i + 1];
        sum += x0 * regions->points[2 * next + 1] - (double)regions->points[2 * next] * y0;
    }
    return 0.5 * sum;
}

static void areas_are_counts_of_cells(void **state)
{
    (void)state;
    rw_context *context = make_context();
    enum { SIDE = 40 };
    int32_t classes[SIDE * SIDE];
    uint64_t seed = 7;
    for (int run = 0; run < 20; run++) {
        for (size_t i = 0; i < SIDE * SIDE; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            classes[i] =
                (int32_t)(seed >> 40) % (run % 4 + 2) - 1; /* checkerboards, holes in holes, corners that touch */
        }
        rw_regions regions;
        assert_ok(context, rw_regions_find(context, classes, SIDE, SIDE, 4, &regions));
        for (size_t k = 0; k < 4; k++) {
            double area = 0;
            size_t cells = 0;
            for (size_t i = 0; i < SIDE * SIDE; i++)
                cells += classes[i] == (int32_t)k;
            for (size_t p = regions.class_first[k]; p < regions.class_first[k + 1]; p++)
                for (size_t ring = regions.polygon_first[p]; ring < regions.polygon_first[p + 1]; ring++) {
                    double one = ring_area(&regions, ring);
                    assert_true(ring == regions.polygon_first[p] ? one > 0 : one < 0);
                    area += one;
                }
            assert_near(area, (double)cells, 1e-9);
            assert_int_equal(regions.class_cells[k], cells);
        }
        rw_regions_free(&regions);
    }
    rw_context_destroy(context);
}

static rw_map *make_map(rw_context *context)
{
    rw_map_info info = {.size = sizeof info, .columns = 20, .rows = 10, .x0_m = 691000, .y0_m = 5334000, .res_m = 5};
    rw_map *map;
    float *values;
    assert_ok(context, rw_map_create(context, &info, "EPSG:25832", &map));
    assert_ok(context, rw_map_add_layer(map, "power", "dBm", 1, &values));
    for (size_t i = 0; i < 200; i++)
        values[i] = i % 20 < 5 ? NAN : i % 20 < 8 ? -INFINITY : -100 + (float)(i % 20);
    return map;
}

static void polygons_go_to_every_format(void **state)
{
    (void)state;
    if (!rw_gdal_is_in())
        skip_test("this build has no GDAL");
    rw_context *context = make_context();
    rw_map *map = make_map(context);
    const double levels[] = {-90, -85};
    rw_polygon_options options;
    rw_polygon_options_init(&options);
    options.levels = levels;
    options.level_count = 2;
    static const char *const names[] = {"p.gpkg", "p.geojson", "p.shp"};
    for (size_t i = 0; i < 3; i++) {
        rw_vector_file *file;
        double area = 0, cells = 0;
        int more = 1;
        assert_ok(context, rw_map_write_polygons(map, &options, temporary_path(names[i])));
        assert_ok(context, rw_vector_open(context, temporary_path(names[i]), &file));
        assert_ok(context, rw_vector_select(file, 0));
        while (rw_vector_next(file, &more) == RW_OK && more) {
            double value;
            assert_true(rw_vector_real(file, rw_vector_find_field(file, "cells"), &value));
            cells += value;
            assert_true(rw_vector_real(file, rw_vector_find_field(file, "area_m2"), &value));
            area += value;
        }
        rw_vector_close(file);
        assert_near(cells, 100, 0);
        assert_near(area, 2500, 0);
    }
    assert_ok(context, rw_map_write_polygons(map, &options, temporary_path("p.kml")));
    assert_ok(context, rw_map_write_polygons(map, &options, temporary_path("p.kmz")));
    options.level_count = 0;
    assert_int_equal(rw_map_write_polygons(map, &options, temporary_path("p.gpkg")), RW_BAD_CALL);
    assert_int_equal(rw_map_write_polygons(map, &options, temporary_path("p.txt")), RW_BAD_CALL);
    rw_map_destroy(map);
    rw_context_destroy(context);
}

/* A square with a hole, a triangle whose area is known, and people that none of them may lose. */
static void zones_count_cells_and_people(void **state)
{
    (void)state;
    if (!rw_gdal_is_in())
        skip_test("this build has no GDAL");
    rw_context *context = make_context();
    rw_map *map = make_map(context);
    rw_zone_table *table;
    char zones[4096], people[4096];
    snprintf(
        zones, sizeof zones, "%s",
        write_text(
            "zones.geojson",
            "{\"type\":\"FeatureCollection\",\"crs\":{\"type\":\"name\",\"properties\":{\"name\":"
            "\"urn:ogc:def:crs:EPSG::25832\"}},\"features\":["
            "{\"type\":\"Feature\",\"properties\":{\"name\":\"a\"},\"geometry\":{\"type\":\"Polygon\","
            "\"coordinates\":[[[691000,5334000],[691050,5334000],[691050,5334050],[691000,5334050],[691000,5334000]],"
            "[[691010,5334010],[691020,5334010],[691020,5334020],[691010,5334020],[691010,5334010]]]}},"
            "{\"type\":\"Feature\",\"properties\":{\"name\":\"b\"},\"geometry\":{\"type\":\"Polygon\","
            "\"coordinates\":[[[691050,5334000],[691100,5334000],[691100,5334050],[691050,5334050],"
            "[691050,5334000]]]}}]}"));
    snprintf(people, sizeof people, "%s",
             write_text("people.asc",
                        "ncols 4\nnrows 2\nxllcorner 691000\nyllcorner 5334000\ncellsize 25\nNODATA_value -1\n"
                        "1 2 3 4\n5 6 7 8\n"));
    rw_zone_options options;
    rw_zone_options_init(&options);
    options.zones = zones;
    options.weights = people;
    options.level = -86; /* columns 14 to 19 */
    assert_ok(context, rw_map_zone_statistics(map, &options, &table));
    assert_int_equal(rw_zone_table_count(table), 3);
    rw_zone_row a = {.size = sizeof a}, b = a, all = a;
    assert_ok(context, rw_zone_table_get(table, 0, &a));
    assert_ok(context, rw_zone_table_get(table, 1, &b));
    assert_ok(context, rw_zone_table_get(table, 2, &all));
    assert_string_equal(a.name, "a");
    assert_int_equal(a.cells, 100 - 4);
    assert_int_equal(a.receivers, 50); /* columns 5 to 9 */
    assert_int_equal(a.without_path, 30);
    assert_int_equal(b.cells, 100);
    assert_int_equal(b.covered_cells, 60);
    assert_near(b.covered_fraction, 0.6, 1e-12);
    assert_near(b.mean, -85.5, 1e-4);
    assert_near(b.weight, 3 + 4 + 7 + 8, 1e-9);
    assert_near(b.covered_weight, (3 + 7) * 0.2 + 4 + 8, 1e-9);
    assert_near(all.weight, 36, 1e-9);
    assert_near(all.area_m2, 5000, 0);
    assert_ok(context, rw_zone_table_write(table, temporary_path("zones.csv")));
    assert_ok(context, rw_zone_table_write(table, temporary_path("zones.gpkg")));
    assert_int_equal(rw_zone_table_write(table, temporary_path("zones.txt")), RW_BAD_CALL);
    rw_zone_table_destroy(table);
    rw_map_destroy(map);
    rw_context_destroy(context);
}

static size_t receivers_in(prediction *now, const char *ring)
{
    char text[512];
    snprintf(text, sizeof text,
             "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"properties\":{},\"geometry\":"
             "{\"type\":\"Polygon\",\"coordinates\":[[%s]]}}]}",
             ring);
    now->options.zone = write_text("area.geojson", text);
    rw_map *map = predict(now);
    rw_map_info info = info_of(map);
    assert_true(info.columns == 20 && info.rows == 10 && info.x0_m == 0 && info.y0_m == 0);
    size_t count = layer_of(map, "strongest").count;
    rw_map_destroy(map);
    return count;
}

/* A rectangle, then a triangle of the same box in the same file. */
static void polygons_limit_the_map(void **state)
{
    (void)state;
    if (!rw_gdal_is_in())
        skip_test("this build has no GDAL");
    prediction now = begin_plain();
    for (int i = 0; i < 4; i++)
        now.options.area_m[i] = NAN;
    now.options.res_m = 20;
    now.options.effects = "none";
    now.options.layers = "strongest";
    size_t rectangle = receivers_in(&now, "[0,0],[400,0],[400,200],[0,200],[0,0]");
    size_t triangle = receivers_in(&now, "[0,0],[400,0],[0,200],[0,0]");
    assert_int_equal(rectangle, 200);
    assert_true(triangle > 80 && triangle < 110);
    end(&now);
}

static void reception_tells_no_path_from_no_receiver(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_map *map = make_map(context);
    assert_ok(context, rw_map_add_reception(map));
    assert_ok(context, rw_map_add_reception(map)); /* once */
    assert_int_equal(map->info.layers, 2);
    const float *values = map->layers[1].values;
    assert_true(isnan(values[0]) && values[6] == 0 && values[10] == 1);
    for (size_t i = 0; i < 200; i++)
        map->layers[0].values[i] = -80;
    rw_map_destroy(map);
    map = make_map(context);
    for (size_t i = 0; i < 200; i++)
        map->layers[0].values[i] = -80;
    assert_ok(context, rw_map_add_reception(map));
    assert_int_equal(map->info.layers, 1);
    rw_map_destroy(map);
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sinr_of_two_sites_in_free_space), cmocka_unit_test(transmitters_have_loads),
        cmocka_unit_test(transmitters_have_carriers),      cmocka_unit_test(every_model_has_the_layers),
        cmocka_unit_test(resource_blocks_must_fit),        cmocka_unit_test(areas_are_counts_of_cells),
        cmocka_unit_test(polygons_go_to_every_format),     cmocka_unit_test(zones_count_cells_and_people),
        cmocka_unit_test(polygons_limit_the_map),          cmocka_unit_test(reception_tells_no_path_from_no_receiver),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
