/* How sure a prediction is against measurements: of four LTE cells at 3.6 GHz on a campus whose buildings have no
 * heights on the map, about two thirds of the errors of each must lie within one standard deviation, 8 dB.
 *
 * Power, antenna and phones are not known: one constant for each cell and phone is taken off, their median. */
#include "models/engine/model.h"
#include "models/engine/calls/calls.h"
#include "shapes.h"

#define CELLS 4
#define PHONES 2
#define PLACES_MOST 10000
#define SIDE_M 4.0 /* samples of one square are averaged */

typedef struct place {
    int cell, phone, samples;
    double x, y, sum_dbm;
    double error_db, sigma_db; /* measured over predicted power at first, then without the constant */
} place;

/* WGS 84 to UTM zone 17: Krueger's series to the third power of n. */
static void to_utm_17(double longitude_deg, double latitude_deg, double *x, double *y)
{
    const double f = 1 / 298.257223563, n = f / (2 - f), e = 2 * sqrt(n) / (1 + n);
    const double radius = 0.9996 * 6378137 / (1 + n) * (1 + n * n / 4 + pow(n, 4) / 64);
    const double terms[3] = {n / 2 - 2 * n * n / 3 + 5 * pow(n, 3) / 16, 13 * n * n / 48 - 3 * pow(n, 3) / 5,
                             61 * pow(n, 3) / 240};
    double phi = latitude_deg * M_PI / 180, lambda = (longitude_deg + 81) * M_PI / 180;
    double t = sinh(atanh(sin(phi)) - e * atanh(e * sin(phi)));
    double xi = atan2(t, cos(lambda)), eta = atanh(sin(lambda) / sqrt(1 + t * t)), north = xi, east = eta;
    for (int j = 1; j <= 3; j++) {
        north += terms[j - 1] * sin(2 * j * xi) * cosh(2 * j * eta);
        east += terms[j - 1] * cos(2 * j * xi) * sinh(2 * j * eta);
    }
    *x = 500000 + radius * east;
    *y = radius * north;
}

static size_t read_places(const char *path, place *places)
{
    char line[256], phone[32], cell;
    size_t count = 0;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file)) {
        double longitude_deg, latitude_deg, dbm;
        place now = {0};
        size_t at = 0;
        assert_int_equal(sscanf(line, "%c,%lf,%lf,%31[^,],%lf", &cell, &longitude_deg, &latitude_deg, phone, &dbm), 5);
        to_utm_17(longitude_deg, latitude_deg, &now.x, &now.y);
        now.x = (floor(now.x / SIDE_M) + 0.5) * SIDE_M;
        now.y = (floor(now.y / SIDE_M) + 0.5) * SIDE_M;
        now.cell = cell - 'A';
        now.phone = phone[0] == 'S';
        while (at < count && (places[at].cell != now.cell || places[at].phone != now.phone || places[at].x != now.x ||
                              places[at].y != now.y))
            at++;
        assert_true(at < PLACES_MOST && now.cell >= 0 && now.cell < CELLS);
        if (at == count)
            places[count++] = now;
        places[at].sum_dbm += dbm;
        places[at].samples++;
    }
    fclose(file);
    return count;
}

/* Predicted power and standard deviation of one cell at its places; those inside buildings go. */
static void solve_cell(rw_scene *scene, const rw_predict_options *options, place *places, size_t count, int cell)
{
    rw_point *points = calloc(count, sizeof *points);
    float *power = calloc(count, sizeof *power), *sigma = calloc(count, sizeof *sigma);
    rw_point_layer layers[] = {{"power", power}, {"sigma", sigma}};
    size_t asked = 0;
    for (size_t i = 0; i < count; i++)
        if (places[i].cell == cell)
            points[asked++] =
                (rw_point){.size = sizeof *points, .x_m = places[i].x, .y_m = places[i].y, .height_m = NAN};
    assert_ok(scene->context, rw_solve_points(scene, options, points, asked, layers, 2));
    asked = 0;
    for (size_t i = 0; i < count; i++)
        if (places[i].cell == cell) {
            places[i].error_db = places[i].sum_dbm / places[i].samples - (double)power[asked];
            places[i].sigma_db = (double)sigma[asked++];
        }
    free(points);
    free(power);
    free(sigma);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of the errors of a phone in a cell. */
static double median_db(const place *places, size_t count, int cell, int phone)
{
    double *found = calloc(count, sizeof *found);
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        if (places[i].cell == cell && places[i].phone == phone && !isnan(places[i].error_db))
            found[n++] = places[i].error_db;
    qsort(found, n, sizeof *found, by_value);
    double median = found[n / 2];
    free(found);
    return median;
}

/* The fraction of the samples of a cell within one standard deviation. */
static double within(const place *places, size_t count, int cell)
{
    double constants[PHONES], inside = 0, all = 0;
    for (int phone = 0; phone < PHONES; phone++)
        constants[phone] = median_db(places, count, cell, phone);
    for (size_t i = 0; i < count; i++) {
        if (places[i].cell != cell || isnan(places[i].error_db))
            continue;
        inside += places[i].samples * (fabs(places[i].error_db - constants[places[i].phone]) <= places[i].sigma_db);
        all += places[i].samples;
    }
    return inside / all;
}

static void errors_lie_within(void **state)
{
    (void)state;
    char samples[4096];
    require_test_data(rsrp, "duke/rsrp.csv");
    snprintf(samples, sizeof samples, "%s", rsrp);
    require_test_data(footprints, "duke/footprints.geojson");
    static const double azimuths_deg[CELLS] = {212, 212, 30, 30}, freqs_hz[CELLS] = {3.69e9, 3.64e9, 3.58e9, 3.56e9};
    rw_context *context = make_context();
    rw_load_options load;
    rw_load_options_init(&load);
    load.default_height_m = 15;
    rw_scene *scene;
    if (rw_scene_load(context, footprints, &load, &scene) != RW_OK) {
        rw_context_destroy(context);
        skip_test("no GDAL");
    }
    assert_ok(context, rw_scene_commit(scene));
    place *places = calloc(PLACES_MOST, sizeof *places);
    size_t count = read_places(samples, places);
    rw_transmitter mast;
    rw_transmitter_init(&mast);
    to_utm_17(-78.939786, 35.999186, &mast.x_m, &mast.y_m);
    mast.height_m = 24;
    mast.antenna = "3gpp";
    rw_predict_options options;
    rw_predict_options_init(&options);
    options.transmitters = &mast;
    options.transmitter_count = 1;
    for (int cell = 0; cell < CELLS; cell++) {
        mast.azimuth_deg = azimuths_deg[cell];
        mast.freq_hz = freqs_hz[cell];
        solve_cell(scene, &options, places, count, cell);
    }
    for (int cell = 0; cell < CELLS; cell++) {
        double fraction = within(places, count, cell);
        printf("cell %c: %.1f %% within one sigma\n", 'A' + cell, 100 * fraction);
        assert_true(fraction >= 0.58 && fraction <= 0.80);
    }
    free(places);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(errors_lie_within)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
