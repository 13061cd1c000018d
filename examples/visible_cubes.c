/* What one cube of a grid sees, by supercubes: a wall with a door in a room of 40 x 12 x 1 cubes, drawn as text.
 * Usage: visible_cubes */
#include <rasterwave/rasterwave.h>
#include <stdio.h>
#include <stdlib.h>

enum { COLUMNS = 40, ROWS = 12 };

int main(void)
{
    rw_context *context;
    rw_status status = rw_context_create(NULL, &context);
    unsigned char filled[COLUMNS * ROWS] = {0}, visible[COLUMNS * ROWS];
    for (int row = 0; row < ROWS; row++)
        filled[row * COLUMNS + 20] = row < 4 || row > 6; /* the wall, and its door */

    rw_visible_cubes_options options;
    rw_visible_cubes_options_init(&options);
    options.columns = COLUMNS;
    options.rows = ROWS;
    options.layers = 1;
    options.filled = filled;
    options.source[0] = 5;
    options.source[1] = 3;
    options.method = "supercubes"; /* lines go on from the border of a block */
    options.block = 8;
    if (status == RW_OK)
        status = rw_visible_cubes(context, &options, visible);
    if (status != RW_OK) {
        fprintf(stderr, "visible_cubes: %s\n", rw_last_error(context));
        rw_context_destroy(context);
        return EXIT_FAILURE;
    }
    for (int row = ROWS - 1; row >= 0; row--) {
        for (int column = 0; column < COLUMNS; column++) {
            int cube = row * COLUMNS + column;
            int here = column == (int)options.source[0] && row == (int)options.source[1];
            putchar(here ? 'T' : filled[cube] ? '#' : visible[cube] ? '.' : ' ');
        }
        putchar('\n');
    }
    rw_context_destroy(context);
    return EXIT_SUCCESS;
}
