/* Over-rooftop paths of generated cities in both directions: the loss is the same, with the facades of both ends. */
#include "discretise/prepared.h"
#include "mechanisms/rooftop/over_rooftop.k.h"
#include "shapes.h"

#include "base/maths/hash.h"
#include "scene/scene.h"

/* By the parity of walls on a line to the east. */
static int is_outdoors(const rw_wall_grid_view *grid, rw_vec3 point)
{
    int inside = 0;
    double t;
    for (size_t i = 0; i < grid->wall_count; i++)
        inside ^= rw_wall_crosses_exact(point, rw_vec3_of(1e4, point.y + 0.123, point.z), grid->exact + i, &t);
    return !inside;
}

static rw_vec3 random_end(const rw_wall_grid_view *grid, rw_random *random)
{
    for (;;) {
        rw_vec3 end = rw_vec3_of(rw_random_range(random, -190, 190), rw_random_range(random, -190, 190),
                                 rw_random_range(random, 1.5, 12));
        if (is_outdoors(grid, end))
            return end;
    }
}

static void both_directions_have_the_same_loss(void **state)
{
    (void)state;
    rw_context *context = make_context();
    double worst_db = 0, square = 0;
    int count = 0, over = 0, facades = 0;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        rw_scene *scene = make_generated_city(context, "european", 400, seed, 0);
        rw_wall_grid_view grid = scene->prepared->grid.view;
        rw_random random = rw_random_of(seed, 2);
        for (int i = 0; i < 500; i++) {
            rw_vec3 ends[2];
            for (int e = 0; e < 2; e++)
                ends[e] = random_end(&grid, &random);
            float losses_db[2], without_db = 0;
            for (int e = 0; e < 2; e++) {
                rw_main_edges edges;
                rw_roof_source source = {ends[e], 0.15f, 5.0f}, dark = {ends[e], 0.15f, 200.0f};
                losses_db[e] = rw_over_rooftop_db(&grid, &source, ends[1 - e], 0, &edges);
                without_db = rw_over_rooftop_db(&grid, &dark, ends[1 - e], 0, &edges);
            }
            double error_db = fabs((double)losses_db[0] - (double)losses_db[1]);
            facades += (double)without_db - (double)losses_db[1] > 1;
            worst_db = worse_of(worst_db, error_db);
            square += error_db * error_db;
            over += !(error_db <= 0.1);
            count++;
        }
        rw_scene_destroy(scene);
    }
    printf("%d paths, %d with strong facades: %.3f dB rms, at most %.2f dB, %d over 0.1 dB\n", count, facades,
           sqrt(square / count), worst_db, over);
    assert_true(facades > 200);
    assert_true(sqrt(square / count) <= 0.1 && over * 200 <= count);
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_directions_have_the_same_loss),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
