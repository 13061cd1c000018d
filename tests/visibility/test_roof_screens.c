/* The list of screens between a receiver and a source: where it is full, the highest above the straight line stay. */
#include "mechanisms/rooftop/roof_screens.k.h"

#include "base/maths/hash.h"
#include "unit.h"

#define SCREENS 300

static int compare_heights(const void *left, const void *right)
{
    float a = *(const float *)left, b = *(const float *)right;
    return a < b ? 1 : a > b ? -1 : 0;
}

static void the_highest_above_the_line_stay(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        rw_random random = rw_random_of(seed, 0);
        rw_sight sight = {.z = 0, .dz = (float)rw_random_range(&random, -40, 40)};
        rw_roof_screens screens = {.count = 0, .open_count = 0};
        float above[SCREENS], kept[RW_ROOF_SCREENS_MAX];
        for (int i = 0; i < SCREENS; i++) {
            float t = (float)(i + 1) / (SCREENS + 1), z = t * sight.dz + (float)rw_random_range(&random, -20, 20);
            above[i] = z - t * sight.dz;
            rw_roof_screen_add(&screens, &sight, t, z, RW_NO_WALL_PART, 1);
        }
        assert_int_equal(screens.count, RW_ROOF_SCREENS_MAX);
        for (int i = 0; i < screens.count; i++)
            kept[i] = screens.z[i] - screens.t[i] * sight.dz;
        qsort(above, SCREENS, sizeof *above, compare_heights);
        qsort(kept, RW_ROOF_SCREENS_MAX, sizeof *kept, compare_heights);
        for (int i = 0; i < RW_ROOF_SCREENS_MAX; i++)
            assert_near((double)kept[i], (double)above[i], 1e-5);
    }
}

/* Entered at one side and left at the other: one screen, in the middle, as high as the higher wall. */
static void a_building_is_one_screen(void **state)
{
    (void)state;
    rw_sight sight = {.z = 0, .dz = 5};
    rw_roof_screens screens = {.count = 0, .open_count = 0};
    rw_roof_screen_add(&screens, &sight, 0.25f, 12, 3, 0);
    rw_roof_screen_add(&screens, &sight, 0.375f, 14, 4, 1);
    rw_roof_screen_add(&screens, &sight, 0.5f, 10, 3, 1);
    rw_roof_screen_add(&screens, &sight, 0.625f, 15, 4, 1);
    assert_int_equal(screens.count, 2);
    assert_near((double)screens.t[0], 0.375, 0);
    assert_near((double)screens.z[0], 12, 0);
    assert_near((double)screens.t[1], 0.5, 0);
    assert_near((double)screens.z[1], 15, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_highest_above_the_line_stay),
        cmocka_unit_test(a_building_is_one_screen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
