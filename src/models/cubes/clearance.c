/* The height above a column of cubes at which a ray is clear of all obstacles for a number of steps: the highest cube
 * that is filled or holds something within so many columns, for 8, 16, 32 and 64 of them. A ray takes at most one
 * column a step, so that one number asked for takes the place of up to 64 cubes. */
#include "base/memory.h"
#include "models/cubes/cubes.h"

#include <stdlib.h>

/* First layer above all that is in each column. 255: there is none, or it does not fit. */
static void find_column_tops(const rw_cubes_view *view, const uint32_t *occupied, uint8_t *tops)
{
    for (int k = 0; k < view->layers; k++)
        for (int j = 0; j < view->rows; j++)
            for (int i = 0; i < view->columns; i++)
                if (rw_cube_bit(occupied, rw_cube_word(view, i, j, k), i))
                    tops[(size_t)j * (size_t)view->columns + (size_t)i] = (uint8_t)(k + 1 < 255 ? k + 1 : 255);
}

/* The highest of the two a distance to either side: from what is highest within so many columns it makes what is within
 * `distance` more. Beyond the grid there is nothing. */
static void widen_column_tops(const uint8_t *from, uint8_t *to, size_t count, size_t lines, size_t step,
                              size_t next_line, size_t distance)
{
    for (size_t line = 0; line < lines; line++)
        for (size_t n = 0; n < count; n++) {
            size_t at = line * next_line + n * step;
            uint8_t low = n >= distance ? from[at - distance * step] : 0;
            uint8_t high = n + distance < count ? from[at + distance * step] : 0;
            uint8_t here = from[at], highest = low > high ? low : high;
            to[at] = here > highest ? here : highest;
        }
}

rw_status rw_cubes_find_clearance(const rw_cubes_job *job, const uint32_t *occupied, uint32_t *clearance)
{
    const rw_cubes_view *view = &job->cubes.view;
    size_t columns = (size_t)view->columns, rows = (size_t)view->rows, count = columns * rows;
    uint8_t *tops; /* and room for one direction after them */
    RW_TRY(rw_array_create(job->context, 2 * count, 1, "tops of cubes", &tops));
    find_column_tops(view, occupied, tops);
    size_t within = 0;
    for (size_t n = 0; n < count; n++)
        clearance[n] = 0;
    for (int level = 0; level < 4; level++) {
        while (within < (size_t)8 << level) {
            size_t more = within ? within : 1; /* 0, 1, 2, 4, ...: what is between is in the wider of the two */
            widen_column_tops(tops, tops + count, columns, rows, 1, columns, more);
            widen_column_tops(tops + count, tops, rows, columns, columns, 1, more);
            within += more;
        }
        for (size_t n = 0; n < count; n++)
            clearance[n] |= (uint32_t)tops[n] << 8 * level;
    }
    free(tops);
    return RW_OK;
}
