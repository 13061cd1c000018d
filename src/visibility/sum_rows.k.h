/* From the borders of shadows to wall counts: sums along each row. One item is one row of one source. */
#ifndef RW_VISIBILITY_SUM_ROWS_K_H
#define RW_VISIBILITY_SUM_ROWS_K_H

#include "visibility/los_args.k.h"

struct rw_sum_rows_args {
    rw_los_arrays all;
};

RW_FN void rw_sum_rows_item(const struct rw_sum_rows_args *args, size_t item)
{
    size_t columns = args->all.receivers.columns;
    uint32_t *row = args->all.walls + item * columns, sum = 0;
    for (size_t column = 0; column < columns; column++) {
        sum += row[column];
        row[column] = sum;
    }
}

#endif
