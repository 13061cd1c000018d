/* Terrains from the altitudes of the ground at buildings: the trend stays, the noise goes, receivers stand right. */
#include "temporary.h"

#include "base/maths/hash.h"
#include "discretise/prepared.h"
#include "discretise/receivers/receivers.h"
#include "scene/readers/readers.h"

static rw_raster smooth(rw_context *context, const rw_ground_samples *samples, double size_m, double radius_m)
{
    rw_raster raster;
    assert_ok(context, rw_ground_samples_smooth(context, samples, rw_vec2_of(0, 0), rw_vec2_of(size_m, size_m),
                                                radius_m, &raster));
    return raster;
}

/* Root mean square and largest step between neighbouring posts. */
static double roughness_m(const rw_raster *raster, double *largest_m)
{
    double sum = 0, count = 0;
    *largest_m = 0;
    for (size_t i = 0; i < raster->columns * raster->rows; i++) {
        size_t neighbours[2] = {i + 1, i + raster->columns};
        for (int k = 0; k < 2; k++) {
            if (k == 0 ? neighbours[0] % raster->columns == 0 : neighbours[1] >= raster->columns * raster->rows)
                continue;
            double step_m = fabs((double)raster->values[neighbours[k]] - (double)raster->values[i]);
            sum += step_m * step_m;
            count++;
            *largest_m = fmax(*largest_m, step_m);
        }
    }
    return sqrt(sum / count);
}

static double trend_m(double x, double y)
{
    return 500 + 0.01 * x - 0.004 * y + 4 * sin(x / 700);
}

static void keeps_the_trend(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_random random = rw_random_of(4, 4);
    rw_ground_samples samples = {0};
    for (int i = 0; i < 3000; i++) {
        rw_vec2 at = {rw_random_range(&random, 0, 3000), 0};
        at.y = rw_random_range(&random, 0, 3000);
        double noise_m = rw_random_range(&random, -4, 4);
        assert_ok(context, rw_ground_samples_add(context, &samples, &at, 1, trend_m(at.x, at.y) + noise_m));
    }
    rw_raster raster = smooth(context, &samples, 3000, 150);
    double sum = 0, largest_m;
    for (size_t i = 0; i < raster.columns * raster.rows; i++) {
        double x = (double)(i % raster.columns) * raster.dx_m, y = (double)(i / raster.columns) * raster.dy_m;
        double error_m = (double)raster.values[i] - trend_m(x, y);
        sum += error_m * error_m;
        assert_near(error_m, 0, 3);
    }
    double rms_m = sqrt(sum / (double)(raster.columns * raster.rows));
    printf("off the trend by %.2f m, steps of %.2f m\n", rms_m, roughness_m(&raster, &largest_m));
    assert_true(rms_m < 0.7);
    assert_true(roughness_m(&raster, &largest_m) < 0.75 && largest_m < 2.5);
    rw_ground_samples_free(&samples);
    free(raster.values);
    rw_context_destroy(context);
}

/* Far from all samples the surface goes over to the mean of wider surroundings, without a hole or a step. */
static void fills_gaps(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_ground_samples samples = {0};
    rw_vec2 west = {10, 1000}, east = {9990, 9000};
    assert_ok(context, rw_ground_samples_add(context, &samples, &west, 1, 100));
    assert_ok(context, rw_ground_samples_add(context, &samples, &east, 1, 200));
    rw_raster raster = smooth(context, &samples, 10000, 150);
    double largest_m;
    for (size_t i = 0; i < raster.columns * raster.rows; i++)
        assert_true(raster.values[i] >= 99 && raster.values[i] <= 201);
    roughness_m(&raster, &largest_m);
    assert_true(largest_m < 50);
    assert_near(rw_raster_height_m(&raster, west), 100, 0.5);
    assert_near(rw_raster_height_m(&raster, east), 200, 0.5);
    free(raster.values);
    rw_ground_samples_free(&samples);
    assert_ok(context, rw_ground_samples_add(context, &samples, &west, 1, 321));
    raster = smooth(context, &samples, 0, 150);
    for (size_t i = 0; i < raster.columns * raster.rows; i++)
        assert_near(raster.values[i], 321, 1e-4);
    free(raster.values);
    rw_ground_samples_free(&samples);
    rw_context_destroy(context);
}

static void gives_munich_a_smooth_ground(void **state)
{
    (void)state;
    require_test_data(path, "munich/Munich_buildings.res");
    rw_context *context = make_context();
    rw_scene *scene;
    double largest_m;
    assert_ok(context, rw_scene_load(context, path, NULL, &scene));
    double rms_m = roughness_m(&scene->terrain, &largest_m);
    printf("Munich: %.2f m between posts %.0f m apart, at most %.2f m\n", rms_m, scene->terrain.dx_m, largest_m);
    assert_true(rms_m > 0.05 && rms_m < 0.6 && largest_m < 2.5);
    for (size_t i = 0; i < scene->parts.count; i++) { /* buildings stand on it, with the heights of the file */
        const rw_part *part = &scene->parts.items[i];
        rw_vec2 corner = rw_ring_points(scene, part->first_ring)[0];
        assert_near(part->ground_m, rw_scene_ground_m(scene, corner), 4);
        assert_near(part->top_m - part->ground_m, part->roof_height_m, 1e-9);
    }
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

/* A town of 12 x 12 blocks on a slope of 4 %, as CityJSON: ground faces at 400 m and above. */
static const char *write_town(void)
{
    static char text[100000], objects[60000];
    size_t used = 0, named = 0;
    for (int i = 0; i < 144; i++) {
        int x = i % 12 * 40, y = i / 12 * 40;
        double z = 400 + 0.04 * x;
        for (int corner = 0; corner < 8; corner++)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s[%d,%d,%g]", used ? "," : "",
                                     x + (corner % 4 == 1 || corner % 4 == 2 ? 20 : 0), y + (corner % 4 > 1 ? 20 : 0),
                                     corner < 4 ? z : z + 9);
        named += (size_t)snprintf(objects + named, sizeof objects - named,
                                  "%s\"b%d\":{\"type\":\"Building\",\"geometry\":[{\"type\":\"MultiSurface\",\"lod\":"
                                  "\"1\",\"boundaries\":[[[%d,%d,%d,%d]],[[%d,%d,%d,%d]]]}]}",
                                  i ? "," : "", i, 8 * i + 3, 8 * i + 2, 8 * i + 1, 8 * i, 8 * i + 4, 8 * i + 5,
                                  8 * i + 6, 8 * i + 7);
    }
    static char whole[200000];
    snprintf(whole, sizeof whole, "{\"type\":\"CityJSON\",\"version\":\"2.0\",\"vertices\":[%s],\"CityObjects\":{%s}}",
             text, objects);
    return write_text("town.json", whole);
}

static void carries_receivers_in_cityjson(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *scene;
    rw_receivers receivers;
    assert_ok(context, rw_scene_load(context, write_town(), NULL, &scene));
    assert_int_equal(scene->parts.count, 144);
    assert_near(scene->parts.items[0].top_m - scene->parts.items[0].bottom_m, 9, 1e-9);
    assert_ok(context,
              rw_receivers_create(scene, &scene->prepared->grid, rw_vec2_of(-scene->origin.x, -scene->origin.y), 46, 46,
                                  10, 1.5, &receivers));
    size_t outdoor = 0;
    for (size_t i = 0; i < 46 * 46; i++) {
        double x = 10 * ((double)(i % 46) + 0.5);
        assert_near(rw_receiver_point(&receivers.view, i).z, 401.5 + 0.04 * x, 2.5);
        outdoor += !receivers.indoor[i];
    }
    assert_true(outdoor > 46 * 46 / 2 && outdoor < 46 * 46);
    rw_receivers_destroy(&receivers);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_the_trend),
        cmocka_unit_test(fills_gaps),
        cmocka_unit_test(gives_munich_a_smooth_ground),
        cmocka_unit_test(carries_receivers_in_cityjson),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
