/* labels: files */
/* Evaluation of a map against closed forms: errors that are known, a one-slope law that is found again, samples that
 * must be counted and not used, tables that must be refused. */
#include "output/maps/map.h"

#include "temporary.h"

#include <rasterwave/calibrate.h>

static rw_context *context;

/* 4 x 3 cells of 10 m from (100, 200); cell value 80 + column + 10 row. */
static rw_map *make_map(void)
{
    rw_map_info info = {.size = sizeof info, .columns = 4, .rows = 3, .x0_m = 100, .y0_m = 200, .res_m = 10};
    info.rx_height_m = 1.5;
    info.model = "shadow";
    rw_map *map;
    float *values;
    assert_ok(context, rw_map_create(context, &info, "", &map));
    assert_ok(context, rw_map_add_layer(map, "path_loss", "dB", 2, &values));
    for (int band = 0; band < 2; band++)
        for (int cell = 0; cell < 12; cell++)
            values[12 * band + cell] = (float)(80 + 5 * band + cell % 4 + 10 * (cell / 4));
    values[1] = NAN;
    values[2] = INFINITY;
    return map;
}

static rw_measurements *load(const char *text, const rw_measurements_options *options)
{
    rw_measurements *measurements = NULL;
    assert_ok(context, rw_measurements_load(context, write_text("route.csv", text), options, &measurements));
    return measurements;
}

static rw_evaluation_info evaluate(const char *text, const rw_measurements_options *how,
                                   const rw_evaluate_options *options)
{
    rw_map *map = make_map();
    rw_measurements *measurements = load(text, how);
    rw_evaluation *evaluation = NULL;
    rw_evaluation_info info = {.size = sizeof info};
    assert_ok(context, rw_evaluate_map(map, 0, measurements, options, &evaluation));
    assert_ok(context, rw_evaluation_get_info(evaluation, &info));
    rw_evaluation_destroy(evaluation);
    rw_measurements_destroy(measurements);
    rw_map_destroy(map);
    return info;
}

static void one_slope_data_is_found_again(void **state)
{
    (void)state;
    char text[4096] = "x,y,path_loss\n";
    rw_transmitter transmitter;
    rw_transmitter_init(&transmitter);
    transmitter.x_m = 50;
    transmitter.y_m = 210;
    transmitter.height_m = 21.5;
    for (int i = 0; i < 10; i++) {
        double x = 103 + 4 * (i % 9), y = 211 + 1.5 * i, d = sqrt(pow(x - 50, 2) + pow(y - 210, 2) + 400);
        size_t length = strlen(text);
        snprintf(text + length, sizeof text - length, "%.17g,%.17g,%.17g\n", x, y, 32.5 + 10 * 3.7 * log10(d));
    }
    rw_evaluate_options options;
    rw_evaluate_options_init(&options);
    options.average = "none";
    options.transmitter = &transmitter;
    rw_evaluation_info info = evaluate(text, NULL, &options);
    assert_int_equal(info.points, 10);
    assert_true(info.has_one_slope);
    assert_near(info.one_slope_intercept_db, 32.5, 1e-9);
    assert_near(info.one_slope_exponent, 3.7, 1e-10);
    assert_near(info.one_slope.mean_db, 0, 1e-10);
    assert_near(info.one_slope.rmse_db, 0, 1e-10);
    assert_near(info.one_slope.correlation, 1, 1e-12);
    options.transmitter = NULL;
    info = evaluate(text, NULL, &options);
    assert_false(info.has_one_slope);
    assert_true(isnan(info.one_slope.rmse_db) && isnan(info.one_slope_exponent));
}

static void the_map_knows_its_transmitters(void **state)
{
    (void)state;
    rw_map *map = make_map();
    rw_transmitter sites[2], found = {.size = sizeof found};
    rw_transmitter_init(&sites[0]);
    rw_transmitter_init(&sites[1]);
    sites[1].x_m = 50;
    sites[1].y_m = 215;
    sites[1].height_m = 1.5; /* as high as the receivers: distances are 55 and 85 m */
    assert_int_equal(rw_map_get_transmitter(map, 0, &found), RW_NOT_FOUND);
    assert_ok(context, rw_map_set_transmitters(map, sites, 2));
    rw_measurements *measurements = load("105,215,100\n135,215,110\n", NULL);
    rw_evaluate_options options;
    rw_evaluate_options_init(&options);
    options.band = 1;
    rw_evaluation *evaluation;
    rw_evaluation_info info = {.size = sizeof info};
    assert_ok(context, rw_evaluate_map(map, 0, measurements, &options, &evaluation));
    assert_ok(context, rw_evaluation_get_info(evaluation, &info));
    assert_near(info.one_slope_exponent, 1 / log10(85.0 / 55), 1e-10);
    rw_evaluation_destroy(evaluation);
    /* Texts that do not fit two bands leave what is known alone. */
    static const char *const bad[] = {
        "", "1 2 3", "1 2 3, 4 5", "1 2 3, 4 5 6, 7 8 9", "1 2 nan, 4 5 6", "1 2 3, 4 5 6 x"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_ok(context, rw_map_transmitters_from_string(map, bad[i]));
        assert_near(map->band_positions_m[1][0], 50, 0);
    }
    assert_ok(context, rw_map_transmitters_from_string(map, "1 2 3, 4 5 6"));
    assert_near(map->band_positions_m[1][2], 6, 0);
    rw_measurements_destroy(measurements);
    rw_map_destroy(map);
}

static void one_distance_has_no_slope(void **state)
{
    (void)state;
    rw_transmitter transmitter;
    rw_transmitter_init(&transmitter);
    transmitter.x_m = 120;
    transmitter.y_m = 215;
    rw_evaluate_options options;
    rw_evaluate_options_init(&options);
    options.transmitter = &transmitter;
    rw_evaluation_info info = evaluate("x,y,path_loss\n105,215,90\n135,215,99\n", NULL, &options);
    assert_false(info.has_one_slope);
    assert_near(info.prediction.mean_db, ((90 - 90) + (99 - 93)) / 2.0, 1e-12);
}

static void samples_of_a_cell_are_averaged(void **state)
{
    (void)state;
    /* three samples in cell (0, 1), predicted 90, left and entered again; one in cell (3, 2), predicted 103 */
    const char *text = "x,y,path_loss\n101,211,90\n109,219,100\n135,225,104\n105,215,95\n";
    rw_evaluate_options options;
    rw_evaluate_options_init(&options);
    rw_evaluation_info info = evaluate(text, NULL, &options);
    assert_int_equal(info.points, 2);
    assert_int_equal(info.samples_used, 4);
    assert_near(info.prediction.mean_db, (5 + 1) / 2.0, 1e-12);
    options.average = "linear";
    info = evaluate(text, NULL, &options);
    double loss_db = -10 * log10((1e-9 + 1e-10 + pow(10, -9.5)) / 3);
    assert_near(info.prediction.mean_db, (loss_db - 90 + 1) / 2, 1e-12);
    options.average = "none";
    info = evaluate(text, NULL, &options);
    assert_int_equal(info.points, 4);
    assert_near(info.prediction.mean_db, (0 + 10 + 1 + 5) / 4.0, 1e-12);
}

static void what_is_left_out_is_counted(void **state)
{
    (void)state;
    const char *text = "x,y,path_loss\n"
                       "115,205,90\n"                                                    /* nodata */
                       "125,205,90\n"                                                    /* no path */
                       "99.9,205,90\n140,205,90\n105,230,90\n105,199,90\n1e300,205,90\n" /* off the map */
                       "nan,205,90\n105,,90\n105,205,lost\n105,205,inf\n105,205,-9999\n105,205,nan\n"
                       "100,200,83\n"; /* the corner belongs to the map */
    rw_map *map = make_map();
    rw_measurements *measurements = load(text, NULL);
    rw_measurements_info counts = {.size = sizeof counts};
    assert_ok(context, rw_measurements_get_info(measurements, &counts));
    assert_int_equal(counts.rows, 14);
    assert_int_equal(counts.not_numbers, 6);
    assert_int_equal(counts.samples, 8);
    rw_evaluation *evaluation;
    rw_evaluation_info info = {.size = sizeof info};
    assert_ok(context, rw_evaluate_map(map, 0, measurements, NULL, &evaluation));
    assert_ok(context, rw_evaluation_get_info(evaluation, &info));
    assert_int_equal(info.in_building, 1);
    assert_int_equal(info.no_path, 1);
    assert_int_equal(info.off_map, 5);
    assert_int_equal(info.samples_used, 1);
    assert_int_equal(info.points, 1);
    assert_near(info.prediction.mean_db, 3, 1e-12);
    rw_evaluation_destroy(evaluation);
    rw_measurements_destroy(measurements);
    rw_map_destroy(map);
}

static void power_becomes_path_loss(void **state)
{
    (void)state;
    rw_measurements_options how;
    rw_measurements_options_init(&how);
    how.quantity = "power";
    how.tx_power_dbm = 43;
    rw_evaluation_info info = evaluate("x;y;rsrp\n105m;215m;-50dBm\n", &how, NULL);
    assert_near(info.prediction.mean_db, 93 - 90, 1e-12);
}

static void checks_first(const char *text, const rw_measurements_options *how, double x_m, double z_m, double loss_db)
{
    rw_measurements *measurements = load(text, how);
    rw_measurement first = {.size = sizeof first};
    assert_ok(context, rw_measurements_get(measurements, 0, &first));
    assert_near(first.x_m, x_m, 0);
    assert_near(first.path_loss_db, loss_db, 0);
    assert_true(isnan(z_m) ? isnan(first.z_m) : first.z_m == z_m);
    assert_int_equal(rw_measurements_get(measurements, 99, &first), RW_BAD_CALL);
    rw_measurements_destroy(measurements);
}

static void all_usual_layouts_are_read(void **state)
{
    (void)state;
    checks_first("1281.36,1381.27,515.5,128.1\n1282,1381,515.5,127\n", NULL, 1281.36, 515.5, 128.1);
    checks_first("1\t2\t3 \t4\n", NULL, 1, 3, 4);
    checks_first("# a remark\n\n  1  2   3 \r\n 4 5 6\r\n", NULL, 1, NAN, 3);
    checks_first("1;2;3;4\n", NULL, 1, 3, 4);
    checks_first("\xEF\xBB\xBFX,Y,Z,PathLoss\n1,2,3,4\n", NULL, 1, 3, 4);
    checks_first("East North Loss\n1 2 4\n", NULL, 1, NAN, 4);
    rw_measurements_options how;
    rw_measurements_options_init(&how);
    how.columns = "x=2,y=3,value=5";
    checks_first("7,1,2,8,4\n", &how, 1, NAN, 4);
    how.columns = "value=L50,x=rechts";
    checks_first("rechts,y,L10,L50\n1,2,3,4\n", &how, 1, NAN, 4);
}

static void routes_and_sites_are_chosen(void **state)
{
    (void)state;
    const char *text = "x,y,loss,route,site\n105,215,90,a,s\n105,215,92,b,s\n105,215,97,b,t\n";
    rw_measurements_options how;
    rw_measurements_options_init(&how);
    how.route = "b";
    assert_near(evaluate(text, &how, NULL).prediction.mean_db, 4.5, 1e-12);
    how.site = "t";
    assert_near(evaluate(text, &how, NULL).prediction.mean_db, 7, 1e-12);
}

static void refuses_table(const char *text, const rw_measurements_options *how, rw_status expected, const char *words)
{
    rw_measurements *measurements = NULL;
    rw_status status = rw_measurements_load(context, write_text("bad.csv", text), how, &measurements);
    check_sentence(context, status, expected, words);
    assert_null(measurements);
}

static void bad_tables_are_refused(void **state)
{
    (void)state;
    rw_measurements_options how;
    rw_measurements_options_init(&how);
    refuses_table("", NULL, RW_BAD_INPUT, "is empty");
    refuses_table("x,y,path_loss\n", NULL, RW_BAD_INPUT, "no measurements");
    refuses_table("x,y,colour\n1,2,3\n", NULL, RW_BAD_INPUT, "no column for value (path_loss)");
    refuses_table("x,y,path_loss\n1,2,red\n", NULL, RW_BAD_INPUT, "none of its 1 lines");
    refuses_table("x,y,path_loss\n1,2\n", NULL, RW_BAD_INPUT, "line 2");
    refuses_table("1,2\n", NULL, RW_BAD_INPUT, "x=1,y=2,value=4");
    how.columns = "x=7,y=2,value=3";
    refuses_table("1,2,3\n", &how, RW_BAD_INPUT, "number from 1 to 3");
    how.columns = "x=a,y=b,value=d";
    refuses_table("a,b,c\n1,2,3\n", &how, RW_BAD_INPUT, "no column 'd'");
    how.columns = "u=a";
    refuses_table("a,b,c\n1,2,3\n", &how, RW_BAD_CALL, "expected x=NAME");
    how.columns = "x=";
    refuses_table("a,b,c\n1,2,3\n", &how, RW_BAD_CALL, "no name");
    how.columns = NULL;
    how.route = "r";
    refuses_table("1,2,3\n", &how, RW_BAD_INPUT, "no column for route");
    how.route = NULL;
    how.quantity = "power";
    how.tx_power_dbm = INFINITY;
    refuses_table("1,2,3\n", &how, RW_BAD_CALL, "tx-power");
    how.tx_power_dbm = NAN;
    how.resource_blocks = 100;
    refuses_table("1,2,3\n", &how, RW_BAD_CALL, "quantity rsrp");
    how.resource_blocks = 0;
    how.quantity = "field";
    refuses_table("1,2,3\n", &how, RW_BAD_CALL, "path_loss, power or rsrp");
}

static void bad_evaluations_are_refused(void **state)
{
    (void)state;
    rw_map *map = make_map();
    float *values;
    assert_ok(context, rw_map_add_layer(map, "los", "", 1, &values));
    rw_measurements *off = load("1,2,3\n", NULL), *on = load("105,205,90\n", NULL);
    rw_evaluation *evaluation;
    rw_evaluate_options options;
    rw_evaluate_options_init(&options);
    check_sentence(context, rw_evaluate_map(map, 0, off, NULL, &evaluation), RW_BAD_INPUT, "1 off the map");
    assert_null(evaluation);
    check_sentence(context, rw_evaluate_map(map, 1, on, NULL, &evaluation), RW_BAD_INPUT, "layer los");
    check_sentence(context, rw_evaluate_map(map, 2, on, NULL, &evaluation), RW_BAD_CALL, "layers");
    options.average = "mode";
    check_sentence(context, rw_evaluate_map(map, 0, on, &options, &evaluation), RW_BAD_CALL, "db, linear or none");
    rw_evaluate_options_init(&options);
    options.band = 2;
    check_sentence(context, rw_evaluate_map(map, 0, on, &options, &evaluation), RW_BAD_CALL, "2 bands");
    options.band = 1;
    rw_evaluation_info info = evaluate("105,205,90\n", NULL, &options);
    assert_near(info.prediction.mean_db, 5, 1e-12);
    rw_measurements_destroy(off);
    rw_measurements_destroy(on);
    rw_map_destroy(map);
}

/* Received power against a map of it: no power sent is needed, and a prediction that is too strong has a positive
 * error, as one of too little loss has. RSRP is the power of one subcarrier of the map's. */
static void power_is_compared_with_power(void **state)
{
    (void)state;
    rw_map *map = make_map();
    float *values;
    rw_measurements_options how;
    rw_evaluation_info info = {.size = sizeof info};
    assert_ok(context, rw_map_add_layer(map, "power", "dBm", 1, &values));
    for (int cell = 0; cell < 12; cell++)
        values[cell] = (float)(-70 - cell);
    values[3] = -INFINITY;
    for (int rsrp = 0; rsrp < 2; rsrp++) {
        rw_measurements_options_init(&how);
        how.quantity = rsrp ? "rsrp" : "power";
        how.resource_blocks = rsrp ? 100 : 0;
        double power_fraction_db = rsrp ? 10 * log10(1200) : 0;
        char text[200];
        snprintf(text, sizeof text, "x,y,power\n105,205,%.9f\n115,205,%.9f\n135,205,-99\n", -72 - power_fraction_db,
                 -75 - power_fraction_db);
        rw_measurements *measurements = load(text, &how);
        rw_evaluation *evaluation;
        assert_ok(context, rw_evaluate_map(map, 1, measurements, NULL, &evaluation));
        assert_ok(context, rw_evaluation_get_info(evaluation, &info));
        assert_int_equal(info.points, 2);
        assert_int_equal(info.no_path, 1);
        assert_near(info.prediction.mean_db, 3, 1e-6); /* -70 and -71 where -72 and -75 were measured */
        rw_evaluation_destroy(evaluation);
        check_sentence(context, rw_evaluate_map(map, 0, measurements, NULL, &evaluation), RW_BAD_CALL,
                       "or compare it with a map of layer power");
        rw_measurements_destroy(measurements);
    }
    rw_measurements *losses = load("105,205,90\n", NULL);
    rw_evaluation *evaluation;
    check_sentence(context, rw_evaluate_map(map, 1, losses, NULL, &evaluation), RW_BAD_INPUT, "layer power is in dBm");
    rw_measurements_destroy(losses);
    rw_map_destroy(map);
}

static void pictures_are_drawn(void **state)
{
    (void)state;
    rw_map *map = make_map();
    rw_measurements *measurements = load("x,y,loss,route\n105,215,90,a\n115,215,95,a\n135,225,99,b\n", NULL);
    rw_evaluation *evaluation;
    rw_evaluation_point last = {.size = sizeof last};
    assert_ok(context, rw_evaluate_map(map, 0, measurements, NULL, &evaluation));
    assert_ok(context, rw_evaluation_get_point(evaluation, 2, &last));
    assert_near(last.along_m, 10, 1e-12); /* the gap between routes is no way */
    assert_string_equal(last.route, "b");
    for (int plot = RW_EVALUATION_ROUTE; plot <= RW_EVALUATION_HISTOGRAM; plot++) {
        const char *path = temporary_path("plot.png");
        assert_ok(context, rw_evaluation_draw(evaluation, (rw_evaluation_plot)plot, path));
        FILE *file = fopen(path, "rb");
        char start[4] = {0};
        assert_non_null(file);
        assert_int_equal(fread(start, 1, 4, file), 4);
        fclose(file);
        assert_memory_equal(start, "\x89PNG", 4);
    }
    rw_evaluation_destroy(evaluation);
    rw_measurements_destroy(measurements);
    rw_map_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_slope_data_is_found_again), cmocka_unit_test(the_map_knows_its_transmitters),
        cmocka_unit_test(one_distance_has_no_slope),     cmocka_unit_test(samples_of_a_cell_are_averaged),
        cmocka_unit_test(what_is_left_out_is_counted),   cmocka_unit_test(power_becomes_path_loss),
        cmocka_unit_test(all_usual_layouts_are_read),    cmocka_unit_test(routes_and_sites_are_chosen),
        cmocka_unit_test(bad_tables_are_refused),        cmocka_unit_test(bad_evaluations_are_refused),
        cmocka_unit_test(power_is_compared_with_power),  cmocka_unit_test(pictures_are_drawn),
    };
    context = make_context();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rw_context_destroy(context);
    return failed;
}
