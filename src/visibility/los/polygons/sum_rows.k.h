/* From the borders of shadows to wall counts: sums along each row. One item is one piece of a row of one source; where
 * a row has several, their totals are summed before. */
#ifndef RW_VISIBILITY_LOS_POLYGONS_SUM_ROWS_K_H
#define RW_VISIBILITY_LOS_POLYGONS_SUM_ROWS_K_H

#include "visibility/los/los_args.k.h"

typedef struct rw_row_pieces {
    size_t count;     /* pieces of a row */
    size_t columns;   /* of a piece */
    uint32_t *totals; /* of each piece; NULL where a row is one piece */
} rw_row_pieces;

struct rw_sum_pieces_args {
    rw_los_arrays all;
    rw_row_pieces pieces;
};

RW_FN void rw_sum_pieces_item(const struct rw_sum_pieces_args *args, size_t item)
{
    size_t columns = args->all.receivers.columns, row = item / args->pieces.count;
    size_t first = (item - row * args->pieces.count) * args->pieces.columns, end = first + args->pieces.columns;
    uint32_t sum = 0;
    for (size_t column = first; column < end && column < columns; column++)
        sum += args->all.walls[row * columns + column];
    args->pieces.totals[item] = sum;
}

struct rw_sum_rows_args {
    rw_los_arrays all;
    rw_row_pieces pieces;
};

RW_FN void rw_sum_rows_item(const struct rw_sum_rows_args *args, size_t item)
{
    size_t columns = args->all.receivers.columns, row = item / args->pieces.count;
    size_t piece = item - row * args->pieces.count, first = piece * args->pieces.columns;
    size_t end = first + args->pieces.columns < columns ? first + args->pieces.columns : columns;
    uint32_t *counts = args->all.walls + row * columns, sum = 0;
    for (size_t before = 0; before < piece; before++)
        sum += args->pieces.totals[row * args->pieces.count + before];
    for (size_t column = first; column < end; column++) {
        sum += counts[column];
        counts[column] = sum;
    }
}

#endif
