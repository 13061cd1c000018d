/* Rows of tile visibility as few bytes: a byte with the step to the next block and which bytes of the mask are not
 * empty, then those bytes. About half a byte for a pair that sees each other. */
#ifndef RW_MODELS_TILES_DATABASE_TILE_CODE_H
#define RW_MODELS_TILES_DATABASE_TILE_CODE_H

#include "visibility/tiles/tile_scan.h"

typedef RW_ARRAY(unsigned char) rw_tile_bytes;

/* Appends the code of rows first_row to first_row + row_count - 1, counted from the half's first. */
rw_status rw_tile_rows_encode(rw_context *context, const rw_tile_half *half, uint32_t first_row, uint32_t row_count,
                              rw_tile_bytes *bytes);

/* Appends rows to the half from a code that is not trusted; 0 where it is none. The next row is half->first_tile +
 * half->row_count; tile_count is the number of all tiles. */
rw_status rw_tile_rows_decode(rw_context *context, const unsigned char *bytes, size_t size, uint32_t row_count,
                              uint32_t tile_count, rw_tile_half *half, int *valid);

#endif
