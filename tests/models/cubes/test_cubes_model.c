/* The cubes model against closed forms, against an exhaustive search over sequences of pieces in double, and against
 * itself on other backends, threads and cube sizes. */

#include "field/edges/deflection.h"
#include "exhaustive_cubes.h"

/* A long wall that reflects, and a screen between the ends: the path by the image. */
static void reflection_by_image(void **state)
{
    (void)state;
    trial now = begin(RW_BACKEND_CPU);
    const double wall[4] = {0, 60, 100, 70}, screen[4] = {45, 5, 55, 40};
    add_box(now.context, now.scene, wall, 30, "wall");
    add_box(now.context, now.scene, screen, 30, "screen");
    commit(&now);
    rw_cube_frame frame = {0, 0, 0, 2.5, 40, 32, 14};
    const int limits[3] = {1, 0, 0};
    rw_vec3 points[1] = {{80, 20, 3}};
    run(&now, &frame, limits, rw_vec3_of(20, 21, 8), points, 1, 0);
    rw_deflection_setting setting = rw_deflection_setting_default(RW_DEFLECTION_REFLECTION, FREQ_HZ);
    rw_deflection fit;
    assert_ok(now.context, rw_deflection_fit(now.context, RW_DEFLECTION_REFLECTION, &setting, &fit, NULL));
    double length = sqrt(60 * 60 + 79.0 * 79 + 5 * 5), cosine = 79 / length;
    double expected = free_space_db(length) + rw_deflection_loss_db(fit, acos(1 - 2 * cosine * cosine));
    assert_int_equal(now.answers[0].sight, 0);
    assert_int_equal(now.answers[0].mechanism, RW_CUBES_REFLECTIONS);
    assert_near(now.answers[0].path_loss_db, expected, 0.002);
    clear_run(&now);
    end(&now);
}

/* One high building between the ends: round its corner, and with a low one over its roof. */
static void diffraction_by_unfolding(void **state)
{
    (void)state;
    for (int roof = 0; roof < 2; roof++) {
        trial now = begin(RW_BACKEND_CPU);
        const double low[4] = {48, 2, 52, 98}, high[4] = {46, 30, 54, 98};
        if (roof)
            add_box(now.context, now.scene, low, 10, "low");
        else
            add_box(now.context, now.scene, high, 60, "high");
        commit(&now);
        rw_cube_frame frame = {0, 0, 0, 2, 50, 50, roof ? 30 : 14};
        const int limits[3] = {0, roof ? 2 : 0, roof ? 0 : 2};
        rw_vec3 points[1] = {{70, roof ? 53 : 37, 3}};
        rw_vec3 source = {20, roof ? 50 : 36, 5};
        run(&now, &frame, limits, source, points, 1, 0);
        rw_deflection_kind kind = roof ? RW_DEFLECTION_ROOF : RW_DEFLECTION_STREET;
        rw_deflection_setting setting = rw_deflection_setting_default(kind, FREQ_HZ);
        rw_deflection fit;
        assert_ok(now.context, rw_deflection_fit(now.context, kind, &setting, &fit, NULL));
        double length = 0, bends = 0;
        if (roof) { /* in the vertical plane through both, unfolded along the edges: over (48, 10) and (52, 10) */
            double first = hypot(28, 5), second = 4, third = hypot(18, 7), across = first + second + third;
            length = hypot(across, 3);
            double sine2 = across * across / (length * length);
            double turn1 = atan2(5, 28), turn2 = atan2(7, 18);
            bends = rw_deflection_loss_db(fit, acos(1 - sine2 * (1 - cos(turn1)))) +
                    rw_deflection_loss_db(fit, acos(1 - sine2 * (1 - cos(turn2))));
        } else { /* in plan over (46, 30) and (54, 30) */
            double first = hypot(26, 6), second = 8, third = hypot(16, 7), across = first + second + third;
            length = hypot(across, 2);
            double sine2 = across * across / (length * length);
            bends = rw_deflection_loss_db(fit, acos(1 - sine2 * (1 - cos(atan2(6, 26))))) +
                    rw_deflection_loss_db(fit, acos(1 - sine2 * (1 - cos(atan2(7, 16)))));
        }
        assert_int_equal(now.answers[0].deflections, 2);
        assert_int_equal(now.answers[0].mechanism, roof ? RW_CUBES_ROOFS : RW_CUBES_CORNERS);
        /* The first bend is taken towards the middle of the second's piece: within half a cube of the exact point. */
        assert_near(now.answers[0].path_loss_db, free_space_db(length) + bends, 0.3);
        clear_run(&now);
        end(&now);
    }
}

/* Three buildings on cubes of 5 m; receivers on the ground and above. */
static size_t tiny_scene(trial *now, int which, rw_vec3 *points)
{
    static const double boxes[2][3][5] = {{{30, 20, 45, 60, 20}, {60, 55, 85, 65, 30}, {65, 10, 75, 35, 10}},
                                          {{21, 33, 48, 52, 25}, {57, 8, 66, 71, 12}, {12, 66, 40, 74, 40}}};
    for (int i = 0; i < 3; i++)
        add_box(now->context, now->scene, boxes[which][i], boxes[which][i][4], "box");
    commit(now);
    size_t count = 0;
    for (int z = 0; z < 2; z++)
        for (int y = 0; y < 16; y++)
            for (int x = 0; x < 19; x++) {
                double px = 5 * x + 2.5, py = 5 * y + 2.5, pz = 2.5 + 15 * z;
                int inside = 0;
                for (int i = 0; i < 3; i++)
                    inside |= px > boxes[which][i][0] && px < boxes[which][i][2] && py > boxes[which][i][1] &&
                              py < boxes[which][i][3] && pz < boxes[which][i][4];
                if (!inside)
                    points[count++] = rw_vec3_of(px, py, pz);
            }
    return count;
}

static void compare_exhaustive(rw_backend backend, int which, const int limits[3])
{
    static rw_vec3 points[1000];
    static double best_db[3][1000], places[1000][3];
    trial now = begin(backend);
    size_t count = tiny_scene(&now, which, points), same = 0, low = 0, high = 0, reached = 0;
    rw_cube_frame frame = {0, 0, 0, 5, 19, 16, 9};
    run(&now, &frame, limits, rw_vec3_of(12.5, 41.5, 7.5), points, count, 1e9f);
    exhaustive all = {&now.job.cubes, &now.job.search, &now, AS_IS, NULL, places, 0};
    for (size_t i = 0; i < count; i++) {
        float at[3];
        rw_cubes_locate(&now.job.cubes.frame, points[i], at);
        for (int axis = 0; axis < 3; axis++)
            places[i][axis] = at[axis];
    }
    for (int rule = AS_IS; rule <= STRICT; rule++) {
        all.rule = (sight_rule)rule;
        all.best_db = best_db[rule];
        search_all(&all);
    }
    for (size_t i = 0; i < count; i++) {
        double got = now.answers[i].path_loss_db;
        reached += isfinite(got) != 0;
        same += got == best_db[AS_IS][i] || fabs(got - best_db[AS_IS][i]) < 0.02;
        low += !(got >= best_db[LOOSE][i] - 0.02);
        high += !(got <= best_db[STRICT][i] + 0.02);
    }
    printf("scene %d, limits %d %d %d: %zu receivers, %zu reached, %zu as exhaustive, %zu below all, %zu above sure "
           "ones\n",
           which, limits[0], limits[1], limits[2], count, reached, same, low, high);
    assert_int_equal(low, 0);
    assert_int_equal(high, 0);
    assert_true((double)same >= 0.9 * (double)count);
    clear_run(&now);
    end(&now);
}

static void labels_are_exhaustive(rw_backend backend)
{
    const int one[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, more[4][3] = {{2, 0, 0}, {0, 2, 0}, {0, 0, 2}, {1, 1, 1}};
    for (int which = 0; which < 2; which++) {
        for (int i = 0; i < 3; i++)
            compare_exhaustive(backend, which, one[i]);
        for (int i = 0; i < 4; i++)
            compare_exhaustive(backend, which, more[i]);
    }
}

static void exhaustive_on_cpu(void **state)
{
    (void)state;
    labels_are_exhaustive(RW_BACKEND_CPU);
}

/* Label by label or stage by stage, with room on the lists or without: the answers are the same. */
static void launches_agree(void **state)
{
    (void)state;
    static rw_vec3 points[1000];
    trial now = begin(RW_BACKEND_CPU);
    const int limits[3] = {1, 2, 2};
    rw_cube_frame frame = {0, 0, 0, 5, 19, 16, 9};
    size_t count = tiny_scene(&now, 1, points);
    run(&now, &frame, limits, rw_vec3_of(12.5, 41.5, 7.5), points, count, 0);
    rw_cubes_answer *shared = calloc(count, sizeof *shared);
    double values[RW_CUBES_PARAMETERS];
    assert_ok(now.context, rw_cubes_parameter_defaults(now.context, FREQ_HZ, values));
    rw_cubes_costs costs = rw_cubes_costs_of(values);
    now.job.by_rays = 1;
    now.job.rays_together = 5000;
    for (int turn = 0; turn < 2; turn++) {
        assert_ok(now.context, rw_cubes_job_run(&now.job, now.source, FREQ_HZ, &costs));
        assert_ok(now.context, rw_cubes_job_read(&now.job, shared));
        for (size_t i = 0; i < count; i++) {
            assert_true(shared[i].path_loss_db == now.answers[i].path_loss_db);
            assert_int_equal(shared[i].deflections, now.answers[i].deflections);
        }
        now.job.rays_together = 37; /* of the lists there are */
    }
    free(shared);
    clear_run(&now);
    end(&now);
}

static void exhaustive_on_gpu(void **state)
{
    (void)state;
    rw_context *context = make_context_of(RW_BACKEND_CUDA, 1);
    rw_context_destroy(context);
    if (!context)
        skip_test("no GPU");
    labels_are_exhaustive(RW_BACKEND_CUDA);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reflection_by_image),
                                       cmocka_unit_test(diffraction_by_unfolding), cmocka_unit_test(exhaustive_on_cpu),
                                       cmocka_unit_test(exhaustive_on_gpu), cmocka_unit_test(launches_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
