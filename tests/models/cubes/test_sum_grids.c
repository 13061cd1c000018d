/* Sums along lines in several grids side by side: each has what it has alone. */
#include "device/device.h"
#include "models/cubes/sight/sight.h"
#include "shapes.h"

enum { SIDE = 37, PITCH = SIDE + 4, GRIDS = 3, CELLS = SIDE * PITCH };

typedef enum sum_way { BY_LINES, BY_RINGS, AT_ONCE, BY_DIAGONALS, WAYS } sum_way;

/* The sums of grids that follow each other in memory. On a CPU device memory is the program's own. */
static void sum_grids(rw_context *context, sum_way way, size_t grids, const rw_four *cells, rw_four *sums)
{
    uint64_t table[SIDE + 1] = {0};
    int block = way == BY_LINES ? 0 : 5;
    for (int i = 1; i <= SIDE; i++)
        table[i] = rw_sum_per_step(i);
    rw_sum_grid grid = {SIDE, PITCH, 11, 20, table, cells, sums, grids, NULL};
    rw_four *ends = NULL;
    if (way == AT_ONCE) {
        ends = aligned_alloc(16, (grids * rw_sum_ends_capacity(&grid, block) + 4) * sizeof *ends);
        grid.ends = ends;
    }
    assert_ok(context, (way == BY_DIAGONALS ? rw_sum_by_diagonals : rw_sum)(context, RW_BACKEND_CPU, &grid, block));
    free(ends);
}

static void grids_do_not_mix(void **state)
{
    (void)state;
    rw_context *context = make_context_of(RW_BACKEND_CPU, 2);
    rw_four *cells = aligned_alloc(16, GRIDS * CELLS * sizeof *cells);
    rw_four *together = aligned_alloc(16, GRIDS * CELLS * sizeof *together);
    rw_four *alone = aligned_alloc(16, CELLS * sizeof *alone);
    for (size_t i = 0; i < GRIDS * CELLS; i++)
        cells[i] = (rw_four){(float)(i % 7), (float)(i % 11), (float)(i % 13), (float)(i / CELLS)};
    for (int way = 0; way < WAYS; way++) {
        sum_grids(context, (sum_way)way, GRIDS, cells, together);
        for (size_t number = 0; number < GRIDS; number++) {
            sum_grids(context, (sum_way)way, 1, cells + number * CELLS, alone);
            for (size_t i = 0; i < CELLS; i++)
                if (i % PITCH < SIDE)
                    assert_memory_equal(&alone[i], &together[number * CELLS + i], sizeof *alone);
        }
    }
    free(cells);
    free(together);
    free(alone);
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grids_do_not_mix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
