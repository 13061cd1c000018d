/* Antennas as tables: the gain of each antenna, tilt and roll towards every direction that some cell has. */
#include "network/plan/plan.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <math.h>

typedef struct filling {
    const rw_plan_problem *problem;
    uint32_t first_row, row_count;
    int16_t *tables;
} filling;

/* One row of one table an item. */
static void fill_rows(void *user, size_t begin, size_t end)
{
    const filling *of = user;
    for (size_t item = begin; item < end; item++) {
        const rw_plan_pattern *pattern = &of->problem->patterns[item / of->row_count];
        const rw_antenna *antenna = of->problem->antennas[pattern->antenna];
        uint32_t row = of->first_row + (uint32_t)(item % of->row_count);
        int16_t *table = of->tables + item * RW_PLAN_AZIMUTHS;
        for (uint32_t azimuth = 0; azimuth < RW_PLAN_AZIMUTHS; azimuth++) {
            double gain_dbi = rw_antenna_gain_towards(antenna, 0, pattern->tilt_deg, pattern->roll_deg,
                                                      rw_plan_direction_vector(row, azimuth));
            table[azimuth] = (int16_t)lround(100 * fmin(fmax(gain_dbi, -300), 300));
        }
    }
}

rw_status rw_plan_compute_patterns(const rw_plan_problem *problem, const rw_position_gains *gains, int16_t **tables)
{
    filling of = {problem, gains->first_row, gains->last_row - gains->first_row + 1, NULL};
    size_t rows = problem->pattern_count * of.row_count;
    RW_TRY(rw_array_create(problem->context, rows * RW_PLAN_AZIMUTHS, sizeof **tables, "antenna patterns", tables));
    of.tables = *tables;
    return rw_parallel(problem->context, rows, 4, fill_rows, &of);
}
