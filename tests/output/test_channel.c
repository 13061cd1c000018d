/* labels: files */
/* Channels of antenna arrays: shapes, phases against antennas that are really moved, spreads against maps, impulse
 * responses, files of elements, refusals. */
#include "ext/hdf5.h"
#include "output/paths/channel.h"
#include "prediction.h"
#include "rooms.h"
#include "temporary.h"

#include "base/maths/elementary.h"

static prediction begin_rooms(void)
{
    rw_context *context = make_context_of(RW_BACKEND_CPU, 2);
    prediction now = begin_with(context, two_rooms(context));
    now.tx[0].x_m = 1.17;
    now.tx[0].y_m = 2.71;
    now.tx[0].height_m = 2.21;
    now.tx[0].azimuth_deg = 70;
    now.tx[0].downtilt_deg = 10;
    now.tx[0].roll_deg = 20;
    rw_predict_options_init_for(&now.options, "images");
    now.options.transmitter_count = 1;
    now.options.freq_hz = 2.4e9;
    now.options.depth = 2;
    now.options.pixels = 256;
    return now;
}

static rw_paths *trace(prediction *now, const rw_point *points, size_t count)
{
    rw_paths *paths;
    now->options.transmitters = now->tx;
    assert_ok(now->context, rw_trace(now->scene, &now->options, points, count, &paths));
    return paths;
}

/* The path of a point that is nearest in delay, and so the same one, from a place a centimetre off. */
static rw_path like(const rw_paths *paths, const rw_path *wanted)
{
    rw_path best = {.size = sizeof best, .delay_s = INFINITY};
    for (size_t i = 0; i < rw_paths_count(paths); i++) {
        rw_path path = {.size = sizeof path};
        rw_paths_get(paths, i, &path);
        double off = hypot(path.departure_theta_deg - wanted->departure_theta_deg,
                           remainder(path.departure_phi_deg - wanted->departure_phi_deg, 360)),
               best_off = hypot(best.departure_theta_deg - wanted->departure_theta_deg,
                                remainder(best.departure_phi_deg - wanted->departure_phi_deg, 360));
        if (!isfinite(best.delay_s) || off < best_off)
            best = path;
    }
    return best;
}

static const double shifts_m[3][3] = {{0.01, 0, 0}, {0, 0.008, 0}, {-0.004, 0.003, 0.009}};

/* Elements of a receiving array see what receivers at their places see. */
static void elements_are_receivers_of_their_own(void **state)
{
    (void)state;
    prediction now = begin_rooms();
    rw_point centre = {.size = sizeof(rw_point), .x_m = 8.3, .y_m = 1.2, .height_m = 1.3};
    rw_paths *paths = trace(&now, &centre, 1);
    rw_channel_options options;
    rw_channel_options_init(&options);
    options.rx_elements_m = shifts_m[0];
    options.rx_element_count = 3;
    rw_channel channel;
    assert_ok(now.context, rw_channel_create(paths, &options, &channel));
    for (size_t r = 0; r < 3; r++) {
        rw_point moved = {.size = sizeof(rw_point),
                          .x_m = centre.x_m + shifts_m[r][0],
                          .y_m = centre.y_m + shifts_m[r][1],
                          .height_m = centre.height_m + shifts_m[r][2]};
        rw_paths *others = trace(&now, &moved, 1);
        for (size_t p = 0; p < 4; p++) {
            rw_path path = {.size = sizeof path};
            rw_paths_get(paths, p, &path);
            rw_path other = like(others, &path);
            const float *a = channel.a + 2 * (r * channel.paths + p);
            double size = hypot(other.gain_re, other.gain_im);
            assert_near(hypot(a[0] - other.gain_re, a[1] - other.gain_im) / size, 0, 0.03);
        }
        rw_paths_destroy(others);
    }
    rw_channel_destroy(&channel);
    rw_paths_destroy(paths);
    end(&now);
}

/* Elements of a sending array are transmitters of their own, in the frame of an antenna that is turned. */
static void senders_turn_with_their_antenna(void **state)
{
    (void)state;
    prediction now = begin_rooms();
    rw_point there = {.size = sizeof(rw_point), .x_m = 8.3, .y_m = 1.2, .height_m = 1.3};
    rw_paths *paths = trace(&now, &there, 1);
    rw_channel_options options;
    rw_channel_options_init(&options);
    options.tx_elements_m = shifts_m[0];
    options.tx_element_count = 3;
    rw_channel channel;
    assert_ok(now.context, rw_channel_create(paths, &options, &channel));
    double azimuth = 70 * RW_PI / 180, tilt = 10 * RW_PI / 180, roll = 20 * RW_PI / 180;
    rw_vec3 forward = {sin(azimuth) * cos(tilt), cos(azimuth) * cos(tilt), -sin(tilt)};
    rw_vec3 level = {cos(azimuth), -sin(azimuth), 0}, steep = rw_vec3_cross(level, forward);
    /* clockwise from behind: right goes down */
    rw_vec3 right = rw_vec3_sub(rw_vec3_scale(level, cos(roll)), rw_vec3_scale(steep, sin(roll)));
    rw_vec3 up = rw_vec3_add(rw_vec3_scale(steep, cos(roll)), rw_vec3_scale(level, sin(roll)));
    for (size_t t = 0; t < 3; t++) {
        rw_vec3 off =
            rw_vec3_add(rw_vec3_add(rw_vec3_scale(right, shifts_m[t][0]), rw_vec3_scale(forward, shifts_m[t][1])),
                        rw_vec3_scale(up, shifts_m[t][2]));
        now.tx[0].x_m = 1.17 + off.x;
        now.tx[0].y_m = 2.71 + off.y;
        now.tx[0].height_m = 2.21 + off.z;
        rw_paths *others = trace(&now, &there, 1);
        rw_path path = {.size = sizeof path};
        rw_paths_get(paths, 0, &path);
        rw_path other = like(others, &path);
        const float *a = channel.a + 2 * t * channel.paths;
        assert_near(hypot(a[0] - other.gain_re, a[1] - other.gain_im) / hypot(other.gain_re, other.gain_im), 0, 0.03);
        rw_paths_destroy(others);
    }
    rw_channel_destroy(&channel);
    rw_paths_destroy(paths);
    end(&now);
}

/* Delay and angular spread are those of the map's layers, which are summed elsewhere. */
static void spreads_are_those_of_maps(void **state)
{
    (void)state;
    prediction now = begin_rooms();
    now.options.layers = "path_loss,delay_spread,delay,azimuth_spread,elevation_spread";
    now.options.sum = "power";
    rw_map *map = predict(&now);
    rw_map_info info = info_of(map);
    size_t cell = 4 * info.columns + 19;
    rw_point point = {.size = sizeof(rw_point),
                      .x_m = info.x0_m + 19.5 * info.res_m,
                      .y_m = info.y0_m + 4.5 * info.res_m,
                      .height_m = 1.1};
    rw_paths *paths = trace(&now, &point, 1);
    rw_channel_options options;
    rw_channel_options_init(&options);
    rw_channel channel;
    assert_ok(now.context, rw_channel_create(paths, &options, &channel));
    double degrees = 180 / RW_PI;
    assert_near(-10 * log10(channel.figures[RW_CHANNEL_POWER][0]), layer_of(map, "path_loss").values[cell], 1e-3);
    assert_near(channel.figures[RW_CHANNEL_MEAN_DELAY][0] * 1e9, layer_of(map, "delay").values[cell], 1e-3);
    assert_near(channel.figures[RW_CHANNEL_DELAY_SPREAD][0] * 1e9, layer_of(map, "delay_spread").values[cell], 1e-3);
    assert_near(channel.figures[RW_CHANNEL_AZIMUTH_SPREAD_R][0] * degrees, layer_of(map, "azimuth_spread").values[cell],
                0.01);
    assert_near(channel.figures[RW_CHANNEL_ELEVATION_SPREAD_R][0] * degrees,
                layer_of(map, "elevation_spread").values[cell], 0.01);
    rw_channel_destroy(&channel);
    rw_paths_destroy(paths);
    rw_map_destroy(map);
    end(&now);
}

/* One path alone in free space: the low pass at its delay; and many: their sum over all taps is the field. */
static void impulse_responses_are_low_passed(void **state)
{
    (void)state;
    prediction now = begin_rooms();
    rw_point point = {.size = sizeof(rw_point), .x_m = 3.4, .y_m = 1.0, .height_m = 1.3};
    rw_paths *paths = trace(&now, &point, 1);
    rw_channel_options options;
    rw_channel_options_init(&options);
    options.bandwidth_hz = 5e9;
    rw_channel channel;
    assert_ok(now.context, rw_channel_create(paths, &options, &channel));
    double re = 0, im = 0, sum_re = 0, sum_im = 0, delay_s = 0;
    for (size_t p = 0; p < channel.paths; p++) {
        re += channel.a[2 * p];
        im += channel.a[2 * p + 1];
    }
    size_t peak = 0;
    for (size_t tap = 0; tap < channel.taps; tap++) {
        sum_re += channel.h[2 * tap];
        sum_im += channel.h[2 * tap + 1];
        if (hypot(channel.h[2 * tap], channel.h[2 * tap + 1]) > hypot(channel.h[2 * peak], channel.h[2 * peak + 1]))
            peak = tap;
    }
    delay_s = (double)peak / options.bandwidth_hz;
    assert_near(delay_s, channel.tau[0], 1 / options.bandwidth_hz); /* the strongest path makes the highest peak */
    assert_near(hypot(re - sum_re, im - sum_im) / hypot(re, im), 0, 0.1);
    rw_channel_destroy(&channel);
    rw_paths_destroy(paths);
    end(&now);
}

static void files_have_the_shapes_of_researchers(void **state)
{
    (void)state;
    prediction now = begin_rooms();
    rw_point points[2] = {{.size = sizeof(rw_point), .x_m = 8.3, .y_m = 1.2, .height_m = 1.3},
                          {.size = sizeof(rw_point), .x_m = 3.1, .y_m = 1.0, .height_m = 1.3}};
    rw_paths *paths = trace(&now, points, 2);
    rw_channel_options options;
    rw_channel_options_init(&options);
    options.rx_columns = 2;
    options.tx_rows = 2;
    options.tx_columns = 3;
    options.bandwidth_hz = 100e6;
    const char *path = temporary_path("channel.h5");
    if (!rw_hdf5_is_in()) {
        assert_int_equal(rw_paths_write_channel(paths, &options, path), RW_UNSUPPORTED);
    } else {
        assert_ok(now.context, rw_paths_write_channel(paths, &options, path));
        size_t shape[RW_HDF5_RANK_MAX];
        int rank;
        float(*a)[2];
        double *tau, freq_hz;
        assert_ok(now.context, rw_hdf5_read(now.context, path, "a", RW_HDF5_COMPLEX64, 5, &rank, shape, &a));
        assert_true(rank == 5 && shape[0] == 2 && shape[1] == 2 && shape[2] == 1 && shape[3] == 6);
        size_t deep = shape[4];
        assert_ok(now.context, rw_hdf5_read(now.context, path, "tau", RW_HDF5_FLOAT64, 3, &rank, shape, &tau));
        assert_true(shape[0] == 2 && shape[1] == 1 && shape[2] == deep);
        rw_path first = {.size = sizeof first};
        rw_paths_get(paths, 0, &first);
        for (size_t element = 0; element < 12; element++)
            assert_near(hypot(a[element * deep][0], a[element * deep][1]) / hypot(first.gain_re, first.gain_im), 1,
                        1e-5);
        double step = atan2(a[6 * deep][1], a[6 * deep][0]) - atan2(a[0][1], a[0][0]);
        double expected = RW_PI * sin(first.arrival_theta_deg * RW_PI / 180) * cos(first.arrival_phi_deg * RW_PI / 180);
        assert_near(remainder(step - expected, 2 * RW_PI), 0, 1e-4);
        assert_near(tau[0], first.delay_s, 1e-18);
        free(a);
        assert_ok(now.context, rw_hdf5_read(now.context, path, "h", RW_HDF5_COMPLEX64, 5, &rank, shape, &a));
        assert_true(shape[1] == 2 && shape[3] == 6 && shape[4] > 8);
        assert_ok(now.context, rw_hdf5_read_number(now.context, path, "/", "frequency_hz", &freq_hz));
        assert_near(freq_hz, 2.4e9, 0);
        free(tau);
        assert_int_equal(rw_hdf5_read(now.context, path, "tau", RW_HDF5_COMPLEX64, 3, &rank, shape, &tau),
                         RW_BAD_INPUT);
        free(a);
    }
    rw_paths_destroy(paths);
    end(&now);
}

static void elements_come_from_files(void **state)
{
    (void)state;
    rw_context *context = make_context();
    double *elements_m;
    size_t count;
    const char *path = write_text("array.csv", "x,y,z\n0,0,0\n6cm,0,-0.01\n");
    assert_ok(context, rw_elements_load(context, path, &elements_m, &count));
    assert_true(count == 2);
    assert_near(elements_m[3], 0.06, 1e-15);
    assert_near(elements_m[5], -0.01, 0);
    rw_free(elements_m);
    write_text("array.csv", "x,y\n0,0\n");
    check_sentence(context, rw_elements_load(context, path, &elements_m, &count), RW_BAD_INPUT, "z");
    write_text("array.csv", "x,y,z\n");
    check_sentence(context, rw_elements_load(context, path, &elements_m, &count), RW_BAD_INPUT, "no elements");
    write_text("array.csv", "x,y,z\n0,0,wide\n");
    check_sentence(context, rw_elements_load(context, path, &elements_m, &count), RW_BAD_INPUT, "wide");
    assert_null(elements_m);
    rw_context_destroy(context);
}

static void impossible_arrays_are_refused(void **state)
{
    (void)state;
    prediction now = begin_rooms();
    rw_point point = {.size = sizeof(rw_point), .x_m = 3.1, .y_m = 1.0, .height_m = 1.3};
    rw_paths *paths = trace(&now, &point, 1);
    const char *path = temporary_path("none.h5");
    rw_channel_options options;
    rw_channel_options_init(&options);
    options.rx_rows = 0;
    check_sentence(now.context, rw_paths_write_channel(paths, &options, path), RW_BAD_CALL,
                   "receiver's array of 0 x 1");
    rw_channel_options_init(&options);
    options.tx_spacing = NAN;
    check_sentence(now.context, rw_paths_write_channel(paths, &options, path), RW_BAD_CALL, "wavelengths apart");
    rw_channel_options_init(&options);
    options.bandwidth_hz = -1;
    check_sentence(now.context, rw_paths_write_channel(paths, &options, path), RW_BAD_CALL, "bandwidth");
    const double far_m[3] = {1e9, 0, 0};
    rw_channel_options_init(&options);
    options.tx_elements_m = far_m;
    options.tx_element_count = 1;
    check_sentence(now.context, rw_paths_write_channel(paths, &options, path), RW_BAD_CALL, "element 1");
    rw_paths_destroy(paths);
    end(&now);
}

/* A receiver that moves sees the phase of a path advance by its Doppler shift; channels of a route are coherent. */
static void doppler_is_the_rate_of_phase(void **state)
{
    (void)state;
    const double step_s = 1e-3, velocity_m_s[3] = {3, -4, 0.5};
    prediction now = begin_rooms();
    rw_point points[2];
    rw_motion motions[2];
    for (int i = 0; i < 2; i++) {
        points[i] = (rw_point){.size = sizeof(rw_point),
                               .x_m = 8.3 + i * step_s * velocity_m_s[0],
                               .y_m = 1.2 + i * step_s * velocity_m_s[1],
                               .height_m = 1.3 + i * step_s * velocity_m_s[2]};
        motions[i] = (rw_motion){sizeof(rw_motion), i * step_s, {3, -4, 0.5}};
    }
    rw_paths *paths = trace(&now, points, 2);
    assert_ok(now.context, rw_paths_set_motions(paths, motions, 2));
    check_sentence(now.context, rw_paths_set_motions(paths, motions, 1), RW_BAD_CALL, "1 motions for 2 points");
    rw_path first = {.size = sizeof first}, second = {.size = sizeof second};
    size_t next = 0;
    rw_paths_get(paths, 0, &first);
    while (next < rw_paths_count(paths) && rw_paths_get(paths, next, &second) == RW_OK && second.point == 0)
        next++;
    assert_int_equal(second.point, 1);
    assert_int_equal(second.vertex_count, first.vertex_count);
    rw_complex turned =
        rw_complex_mul(rw_complex_of(second.gain_re, second.gain_im), rw_complex_of(first.gain_re, -first.gain_im));
    assert_true(fabs(first.doppler_hz) > 5);
    assert_near(atan2(turned.im, turned.re), 2 * RW_PI * first.doppler_hz * step_s, 0.02);
    rw_paths_destroy(paths);
    end(&now);
}

/* The response over frequency is the sum of the paths, each turned by its delay. */
static void responses_over_frequency(void **state)
{
    (void)state;
    prediction now = begin_rooms();
    rw_point point = {.size = sizeof(rw_point), .x_m = 8.3, .y_m = 1.2, .height_m = 1.3};
    rw_paths *paths = trace(&now, &point, 1);
    rw_channel_options options;
    rw_channel channel;
    rw_channel_options_init(&options);
    options.bandwidth_hz = 80e6;
    options.frequencies = 5;
    assert_ok(now.context, rw_channel_create(paths, &options, &channel));
    assert_near(rw_channel_frequency_hz(80e6, 5, 0), -32e6, 1e-3);
    assert_near(rw_channel_frequency_hz(80e6, 5, 2), 0, 1e-3);
    for (size_t k = 0; k < 5; k++) {
        double freq_hz = rw_channel_frequency_hz(80e6, 5, k), re = 0, im = 0;
        for (size_t i = 0; i < channel.paths; i++) {
            double angle = -2 * RW_PI * freq_hz * channel.tau[i];
            re += channel.a[2 * i] * cos(angle) - channel.a[2 * i + 1] * sin(angle);
            im += channel.a[2 * i] * sin(angle) + channel.a[2 * i + 1] * cos(angle);
        }
        double size = hypot(re, im);
        assert_near(channel.response[2 * k], re, 1e-4 * size);
        assert_near(channel.response[2 * k + 1], im, 1e-4 * size);
    }
    rw_channel_destroy(&channel);
    options.bandwidth_hz = 0;
    check_sentence(now.context, rw_channel_create(paths, &options, &channel), RW_BAD_CALL, "over a bandwidth");
    rw_channel_destroy(&channel);
    rw_paths_destroy(paths);
    end(&now);
}

/* Ports at +45 and -45 degrees are antennas of one transmitter; together they send what a vertical one sends:
 * (a1 + a2) / sqrt(2), path by path. */
static void dual_polarised_ports(void **state)
{
    (void)state;
    prediction now = begin_rooms();
    rw_point point = {.size = sizeof(rw_point), .x_m = 8.3, .y_m = 1.2, .height_m = 1.3};
    rw_channel_options options;
    rw_channel upright, dual;
    now.tx[0].roll_deg = 0;
    rw_paths *paths = trace(&now, &point, 1);
    rw_channel_options_init(&options);
    assert_ok(now.context, rw_channel_create(paths, &options, &upright));
    now.tx[1] = now.tx[0];
    assert_ok(now.context, rw_transmitter_set_polarisation(now.context, &now.tx[0], "45"));
    assert_ok(now.context, rw_transmitter_set_polarisation(now.context, &now.tx[1], "-45deg"));
    now.options.transmitter_count = 2;
    rw_paths *slanted = trace(&now, &point, 1);
    options.tx_ports = 2;
    assert_ok(now.context, rw_channel_create(slanted, &options, &dual));
    assert_int_equal(dual.transmitters, 1);
    assert_int_equal(dual.ports, 2);
    size_t matched = 0;
    for (size_t i = 0; i < upright.paths; i++)
        for (size_t k = 0; k < dual.paths; k++) {
            if (fabs(upright.tau[i] - dual.tau[k]) > 1e-14 || fabs(upright.angles[3][i] - dual.angles[3][k]) > 1e-9)
                continue;
            const float *one = dual.a + 2 * k, *two = dual.a + 2 * (dual.paths + k), *both = upright.a + 2 * i;
            double size = hypot(both[0], both[1]), strongest = hypot(upright.a[0], upright.a[1]);
            if (size < 1e-3 * strongest)
                continue;
            assert_near((one[0] + two[0]) / sqrt(2.0), both[0], 1e-3 * size);
            assert_near((one[1] + two[1]) / sqrt(2.0), both[1], 1e-3 * size);
            matched++;
        }
    assert_true(matched > 3);
    rw_channel_destroy(&upright);
    rw_channel_destroy(&dual);
    rw_paths_destroy(paths);
    rw_paths_destroy(slanted);
    end(&now);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(doppler_is_the_rate_of_phase),
        cmocka_unit_test(responses_over_frequency),
        cmocka_unit_test(dual_polarised_ports),
        cmocka_unit_test(elements_are_receivers_of_their_own),
        cmocka_unit_test(senders_turn_with_their_antenna),
        cmocka_unit_test(spreads_are_those_of_maps),
        cmocka_unit_test(impulse_responses_are_low_passed),
        cmocka_unit_test(files_have_the_shapes_of_researchers),
        cmocka_unit_test(elements_come_from_files),
        cmocka_unit_test(impossible_arrays_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
