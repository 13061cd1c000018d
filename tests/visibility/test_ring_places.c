/* Blocks around a corner, ring by ring: each one once, none before its ring. */
#include "visibility/streets/corner_horizons.k.h"

#include "unit.h"

#define RINGS 40
#define SIDE (2 * RINGS + 1)

static void every_place_comes_once_and_in_its_ring(void **state)
{
    (void)state;
    static int seen[SIDE][SIDE];
    int before = 0;
    for (int i = 0; i < SIDE * SIDE; i++) {
        int column, row, ring = rw_ring_position(i, &column, &row);
        assert_true(ring >= before && ring <= RINGS);
        assert_int_equal(abs(column) > abs(row) ? abs(column) : abs(row), ring);
        assert_int_equal(seen[row + RINGS][column + RINGS]++, 0);
        before = ring;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_place_comes_once_and_in_its_ring),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
