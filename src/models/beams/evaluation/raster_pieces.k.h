/* Contributions of beams to receivers by the paper's rasterisers: pieces are prepared as polygons by one launch, one
 * item each; then one item (on a GPU a warp) is one block of the grid that shares a piece.
 *
 * After sections 4.1 and 4.3 of Schmitz and others (2011). The same receivers get the same sums as by
 * evaluate_beams.k.h, which has all pixels of a piece found by one item. */
#ifndef RW_MODELS_BEAMS_EVALUATION_RASTER_PIECES_K_H
#define RW_MODELS_BEAMS_EVALUATION_RASTER_PIECES_K_H

#include "models/beams/evaluation/evaluate_beams.k.h"
#include "models/beams/raster/raster_tiles.k.h"

struct rw_raster_pieces_args {
    struct rw_evaluate_beams_args all;
    rw_raster_method method;
    rw_raster_tiling tiling;
    rw_raster_polygon *polygons; /* of pieces all.first_piece on */
};

struct rw_prepare_pieces_args {
    struct rw_raster_pieces_args raster;
};

RW_FN rw_pixel_grid rw_receiver_pixels(const rw_receivers_view *receivers)
{
    rw_pixel_grid grid = {receivers->x0_m, receivers->y0_m, receivers->res_m, (int)receivers->columns,
                          (int)receivers->rows};
    return grid;
}

RW_FN void rw_prepare_pieces_item(const struct rw_prepare_pieces_args *args, size_t item)
{
    const struct rw_evaluate_beams_args *all = &args->raster.all;
    const rw_beam_piece *piece = all->pieces + all->first_piece + item;
    const rw_beam *beam = all->beams + piece->beam;
    rw_pixel_grid grid = rw_receiver_pixels(&all->receivers);
    rw_raster_polygon polygon;
    polygon.region =
        rw_piece_region(beam, piece, all->walls.exact, rw_piece_nearest_m(beam, piece, &all->receivers, all->source.z));
    rw_raster_prepare(args->raster.method, &grid, &polygon);
    args->raster.polygons[item] = polygon;
}

RW_FN void rw_raster_pieces_item(const struct rw_raster_pieces_args *args, size_t item)
{
    const struct rw_evaluate_beams_args *all = &args->all;
    size_t index = item / (size_t)rw_lane_count(),
           blocks = (size_t)args->tiling.grid_columns * (size_t)args->tiling.grid_rows;
    const rw_beam_piece *piece = all->pieces + all->first_piece + index / blocks;
    rw_pixel_grid grid = rw_receiver_pixels(&all->receivers);
    rw_raster_walk walk = rw_raster_walk_begin(args->polygons + index / blocks, &grid, args->method, &args->tiling,
                                               (int)(index % blocks));
    int column, row;
    while (rw_raster_walk_next(&walk, &column, &row)) {
        size_t cell = (size_t)row * all->receivers.columns + (size_t)column;
        if (!all->receivers.indoor[cell])
            rw_evaluate_receiver(all, all->beams + piece->beam, piece, cell,
                                 rw_receiver_cell(&all->receivers, (size_t)column, (size_t)row));
    }
}

#endif
