/* Contributions of beams to receivers: one item (on a GPU a warp) is one piece of a beam, rasterised into the sums of
 * the receivers in it. On a GPU list_receivers.k.h and query_receivers.k.h do the same in two steps.
 *
 * After section 4.3 of Schmitz and others (2011): the loss of equation (4) is added up in the map, and at the travel
 * time t = d / c in the histogram of delays. Powers are added as whole numbers of a quantum, so that the sums do not
 * depend on the order. Delays are kept as excess over the straight line, which is where they differ. */
#ifndef RW_MODELS_BEAMS_EVALUATION_EVALUATE_BEAMS_K_H
#define RW_MODELS_BEAMS_EVALUATION_EVALUATE_BEAMS_K_H

#include "base/kernel/lanes.h"
#include "models/beams/boundaries.k.h"
#include "models/beams/losses.k.h"
#include "models/beams/evaluation/piece_region.k.h"
#include "models/beams/verify_path.k.h"
#include "mechanisms/rooftop/over_rooftop.k.h"
#include "scene/antennas/antenna_shape.k.h"

#define RW_NEPER_PER_DB 0.23025850929940457 /* of power: ln(10) / 10 */

/* Sums of excess delays are told this much finer than those of their squares, which a spread is the difference of. */
#define RW_DELAY_FINER 64.0

/* An antenna as it is mounted. Its cuts are where the backend can read them. */
typedef struct rw_beam_antenna {
    rw_antenna_shape shape;
    rw_mounting mounting;
} rw_beam_antenna;

/* Sums over the paths of each receiver. */
typedef struct rw_beam_sums {
    uint64_t *power;                /* quanta */
    uint64_t *delay, *delay_square; /* quanta times excess delay, RW_DELAY_FINER than its unit, and times its square */
    uint64_t *antenna_power;        /* quanta, with the antenna's gain; NULL: the antenna has none */
    uint64_t *strongest;            /* quanta of the strongest path */
    uint32_t *first;                /* least excess delay in s, as bits of a float; all bits set: none yet */
    uint32_t *paths;
    uint64_t *histogram; /* bins of each receiver, in quanta; NULL: not asked for */
    uint8_t *mechanism;  /* what counts most (rooftop_paths.k.h); NULL: not asked for */
} rw_beam_sums;

/* A path: its receiver, and the last of its beams. */
typedef struct rw_beam_find {
    uint32_t receiver; /* cell or point */
    uint32_t beam;
} rw_beam_find;

struct rw_evaluate_beams_args {
    const rw_beam *beams;
    const rw_beam_piece *pieces;
    size_t first_piece; /* item 0 is of this one */
    rw_wall_grid_view grid;
    rw_beam_walls walls;
    rw_beam_losses losses;
    rw_edge_grid_view edges; /* that take from the waves beside them; no rows: none */
    rw_receivers_view receivers;
    rw_vec3 source;  /* in the grid's frame */
    float ground_m;  /* wavelength for what terrain and roofs take from the straight path; 0: nothing */
    int roofs;       /* 1: roofs too; 0: terrain alone */
    float facade_db; /* of the facades behind both ends, which send back what roofs take */
    double quantum;  /* power gain of one */
    double excess_s; /* unit of excess delays */
    double min_gain; /* of a path */
    rw_beam_sums sums;
    int bins;
    double bin_s, delay_first_s;             /* width of a bin, and where the first begins */
    const rw_beam_antenna *antenna;          /* NULL: isotropic */
    const rw_beam_antenna *receiver_antenna; /* that of the receivers; NULL: isotropic */
    rw_medium medium;                        /* of maps */
    int verify;                              /* 1: ask each path of each receiver, whatever the piece says */
    rw_beam_find *finds;                 /* NULL: paths are summed up; else they are listed, and nothing is summed */
    uint32_t *find_count, find_capacity; /* places beyond are counted and not filled */
};

RW_FN uint64_t rw_quanta(double power)
{
    return power >= 4e18 ? (uint64_t)4e18 : (uint64_t)(power + 0.5);
}

/* Gain as a factor towards an azimuth in radians from east, rising so much over a run. */
RW_FN double rw_beam_antenna_factor(const rw_beam_antenna *antenna, double azimuth_rad, double rise, double run)
{
    rw_vec3 direction = rw_vec3_of(run * cos(azimuth_rad), run * sin(azimuth_rad), rise);
    return exp(RW_NEPER_PER_DB * rw_shape_gain_towards(&antenna->shape, &antenna->mounting, direction));
}

/* The same for the direction in which a path by a beam leaves the transmitter. */
RW_FN double rw_antenna_factor(const rw_beam_antenna *antenna, const rw_beam *beam, rw_vec2 direction, double rise,
                               double run)
{
    double azimuth = (double)beam->rotation_rad;
    if (!beam->diffractions)
        azimuth += (beam->mirrored ? -1 : 1) * atan2(direction.y, direction.x);
    return rw_beam_antenna_factor(antenna, azimuth, rise, run);
}

/* Gain of the receivers' antenna for a wave that travels in a direction in plan, rising so much over a run. */
RW_FN double rw_receiver_factor(const rw_beam_antenna *antenna, rw_vec2 direction, double rise, double run)
{
    return antenna ? rw_beam_antenna_factor(antenna, atan2(-direction.y, -direction.x), -rise, run) : 1;
}

/* Sums over some paths of one receiver, as in rw_beam_sums. */
typedef struct rw_path_sums {
    uint64_t power, delay, delay_square, antenna_power, strongest;
    uint32_t first, paths;
} rw_path_sums;

RW_FN rw_path_sums rw_path_sums_none(void)
{
    rw_path_sums none = {0, 0, 0, 0, 0, 0, 0};
    return none;
}

/* Takes one path to the sums, and to the histogram of its receiver. */
RW_FN void rw_path_sums_add_path(const struct rw_evaluate_beams_args *args, size_t cell, double power,
                                 double antenna_factor, double length_m, double straight_m, rw_path_sums *sums)
{
    double excess_s = (length_m - straight_m) * (1 / RW_SPEED_OF_LIGHT_M_S);
    excess_s = excess_s > 0 ? excess_s : 0;
    double excess = excess_s / args->excess_s;
    uint64_t quanta = rw_quanta(power);
    double weight = (double)quanta; /* the same in all three, or their differences would be of rounding */
    uint32_t first = ~rw_float_bits((float)excess_s);
    sums->power += quanta;
    sums->delay += rw_quanta(weight * excess * RW_DELAY_FINER);
    sums->delay_square += rw_quanta(weight * excess * excess);
    sums->antenna_power += rw_quanta(power * antenna_factor);
    sums->strongest = quanta > sums->strongest ? quanta : sums->strongest;
    sums->first = first > sums->first ? first : sums->first;
    sums->paths++;
    if (args->sums.histogram) {
        double bin = floor((length_m * (1 / RW_SPEED_OF_LIGHT_M_S) - args->delay_first_s) / args->bin_s);
        if (bin >= 0 && bin < (double)args->bins)
            rw_shared_add_long(args->sums.histogram + cell * (size_t)args->bins + (size_t)bin, quanta);
    }
}

/* Adds them to those of all paths. */
RW_FN void rw_path_sums_add(const rw_beam_sums *all, size_t cell, const rw_path_sums *sums)
{
    if (!sums->paths)
        return;
    rw_shared_add_long(all->power + cell, sums->power);
    rw_shared_add_long(all->delay + cell, sums->delay);
    rw_shared_add_long(all->delay_square + cell, sums->delay_square);
    if (all->antenna_power)
        rw_shared_add_long(all->antenna_power + cell, sums->antenna_power);
    rw_shared_max_long(all->strongest + cell, sums->strongest);
    rw_shared_max(all->first + cell, sums->first);
    rw_shared_add(all->paths + cell, sums->paths);
}

/* Whether the ray to a receiver has a slope that rays of the beam can have, and a length that is the piece's: a run may
 * be several pieces, one behind the other. */
RW_ONE_FN int rw_beam_slope_holds(const rw_beam *beam, const rw_beam_piece *piece, rw_vec3 source, rw_vec3 receiver)
{
    double dx = receiver.x - beam->origin.x, dy = receiver.y - beam->origin.y;
    double after_m = sqrt(dx * dx + dy * dy), plan_m = beam->before_m + after_m, rise_m = receiver.z - source.z;
    return after_m >= (double)piece->near_m && after_m <= (double)piece->far_m &&
           rise_m >= (double)beam->slope_low * plan_m && rise_m <= (double)beam->slope_high * plan_m;
}

/* The path by a beam to a receiver. */
typedef struct rw_beam_path {
    rw_vec2 direction; /* of the last leg, in plan */
    double after_m;    /* in plan from the beam's origin */
    double plan_m, length_m, rise_m;
    double loss_db; /* without the last corner */
    double gain;    /* of its power, with everything */
} rw_beam_path;

/* Without the loss of the last corner. */
RW_ONE_FN rw_beam_path rw_beam_path_to(const struct rw_evaluate_beams_args *args, const rw_beam *beam, rw_vec3 receiver)
{
    rw_beam_path path;
    rw_vec2 across = rw_vec2_of(receiver.x - beam->origin.x, receiver.y - beam->origin.y);
    double after_m = sqrt(rw_vec2_dot(across, across));
    path.direction = rw_vec2_of(across.x / after_m, across.y / after_m);
    path.plan_m = beam->before_m + after_m;
    path.rise_m = receiver.z - args->source.z;
    path.length_m = sqrt(path.plan_m * path.plan_m + path.rise_m * path.rise_m);
    path.after_m = after_m;
    path.loss_db = rw_length_loss_db(&args->losses, path.length_m) +
                   (double)rw_parabola(beam->loss_db, rw_edge_fraction(beam->right, beam->left, path.direction));
    return path;
}

/* What terrain and the roofs below the line take from the straight path: the same in sight as out of it, where the path
 * over roofs has it, so that nothing jumps at the shadow boundary of a hill (docs/decisions/0010-hills-and-houses.md)
 * or of a roof. */
RW_RARE_FN double rw_beam_ground_db(const rw_wall_grid_view *grid, rw_vec3 source, float wavelength_m, int roofs,
                                    float facade_db, rw_vec3 receiver)
{
    rw_roof_source from = {source, wavelength_m, facade_db};
    rw_main_edges edges;
    return roofs ? (double)rw_over_rooftop_db(grid, &from, receiver, 1, &edges)
                 : rw_open_ground_db(grid, &from, receiver);
}

/* Whether a path is no weaker than paths may be. The straight one always counts: in line of sight there is a value,
 * whatever trees and rain take. */
RW_FN int rw_beam_path_is_heard(const struct rw_evaluate_beams_args *args, const rw_beam *beam, double loss_db)
{
    return beam->kind == RW_BEAM_SOURCE || loss_db <= (double)args->losses.loss_max_db;
}

/* The power that arrives over the power that is sent, with the last corner, trees and air. Returns whether the path is
 * no weaker than paths may be. */
RW_FN int rw_beam_path_end(const struct rw_evaluate_beams_args *args, const rw_beam *beam, rw_vec3 receiver,
                           rw_beam_path *path)
{
    if (args->ground_m > 0.0f && beam->kind == RW_BEAM_SOURCE)
        path->loss_db +=
            rw_beam_ground_db(&args->grid, args->source, args->ground_m, args->roofs, args->facade_db, receiver);
    if (args->medium.counts)
        path->loss_db += rw_path_medium_db(&args->medium, args->beams, beam, &args->walls, args->source, receiver);
    if (args->edges.rows)
        path->loss_db += rw_boundaries_db(&args->edges, &args->losses, args->beams, beam, &args->walls, &args->grid,
                                          args->source, receiver);
    if (beam->diffractions && !args->losses.theory)
        path->loss_db += rw_corner_loss_db(&args->losses, beam, path->direction, path->after_m);
    if (!rw_beam_path_is_heard(args, beam, path->loss_db))
        return 0;
    path->gain = exp(-RW_NEPER_PER_DB * path->loss_db);
    if (beam->diffractions && args->losses.theory)
        path->gain *= rw_corner_gain(&args->losses, beam, rw_observer_angle(beam, path->direction), path->after_m);
    return beam->kind == RW_BEAM_SOURCE || path->gain >= args->min_gain;
}

/* The path by a beam to a receiver in one of its pieces. Returns whether it is there, where walls of middling height or
 * the ground leave it open, and is no weaker than paths may be. What costs least is asked first, a corner's loss last.
 */
RW_FN int rw_beam_path_find(const struct rw_evaluate_beams_args *args, const rw_beam *beam, const rw_beam_piece *piece,
                            rw_vec3 receiver, rw_beam_path *path)
{
    if (!rw_beam_slope_holds(beam, piece, args->source, receiver))
        return 0;
    *path = rw_beam_path_to(args, beam, receiver);
    if (!rw_beam_path_is_heard(args, beam, path->loss_db) ||
        ((piece->needs_check || args->verify) &&
         !rw_path_holds(args->beams, beam, &args->walls, &args->grid, args->source, receiver)))
        return 0;
    return rw_beam_path_end(args, beam, receiver, path);
}

/* What a path brings to its receiver. */
RW_FN void rw_evaluate_path(const struct rw_evaluate_beams_args *args, const rw_beam *beam, const rw_beam_path *path,
                            size_t cell, rw_vec3 receiver, rw_path_sums *sums)
{
    double dx = receiver.x - args->source.x, dy = receiver.y - args->source.y;
    double straight_m = sqrt(dx * dx + dy * dy + path->rise_m * path->rise_m);
    double factor =
        args->antenna ? rw_antenna_factor(args->antenna, beam, path->direction, path->rise_m, path->plan_m) : 1;
    factor *= rw_receiver_factor(args->receiver_antenna, path->direction, path->rise_m, path->plan_m);
    double power = path->gain / args->quantum;
    power = beam->kind == RW_BEAM_SOURCE && power < 1.0 ? 1.0 : power; /* nothing in sight is so weak that it is none */
    rw_path_sums_add_path(args, cell, power, factor, path->length_m, straight_m, sums);
}

/* Whether a receiver in a piece may have a path, by what costs little to tell. */
RW_FN int rw_beam_path_likely(const struct rw_evaluate_beams_args *args, const rw_beam *beam,
                              const rw_beam_piece *piece, rw_vec3 receiver)
{
    if (!rw_beam_slope_holds(beam, piece, args->source, receiver))
        return 0;
    rw_beam_path path = rw_beam_path_to(args, beam, receiver);
    return rw_beam_path_is_heard(args, beam, path.loss_db);
}

/* A path that is listed and not evaluated: its receiver, and the last of its beams or a piece. */
RW_FN void rw_append_find(const struct rw_evaluate_beams_args *args, uint32_t beam, size_t cell)
{
    uint32_t slot = rw_shared_reserve_one(args->find_count);
    if (slot < args->find_capacity) {
        args->finds[slot].receiver = (uint32_t)cell;
        args->finds[slot].beam = beam;
    }
}

/* One receiver in a piece. */
RW_ONE_FN void rw_evaluate_receiver(const struct rw_evaluate_beams_args *args, const rw_beam *beam,
                                    const rw_beam_piece *piece, size_t cell, rw_vec3 receiver)
{
    rw_beam_path path;
    if (!rw_beam_path_find(args, beam, piece, receiver, &path))
        return;
    if (args->finds) {
        rw_append_find(args, piece->beam, cell);
        return;
    }
    rw_path_sums sums = rw_path_sums_none();
    rw_evaluate_path(args, beam, &path, cell, receiver, &sums);
    rw_path_sums_add(&args->sums, cell, &sums);
}

/* Rows of a piece's region, one a lane: the pixels in each. */
typedef struct rw_piece_rows {
    int first;            /* column where this lane's row begins */
    uint32_t before, all; /* pixels in the rows of lanes before, and of all lanes */
} rw_piece_rows;

RW_FN rw_piece_rows rw_piece_rows_of(const rw_region *region, const rw_pixel_grid *grid, int row, int end,
                                     rw_pixel_span columns)
{
    rw_piece_rows rows;
    rw_pixel_span span = {0, 0};
    if (row < end)
        span = rw_region_span(region, grid, row, columns);
    uint32_t count = span.end > span.first ? (uint32_t)(span.end - span.first) : 0u;
    rows.first = span.first;
    rows.before = rw_lanes_before(count);
    rows.all = rw_lanes_from(rows.before + count, rw_lane_count() - 1);
    return rows;
}

/* All receivers in a piece are evaluated, or listed with the piece where they may have a path. Lanes share the rows of
 * a piece, and then the pixels of as many rows as there are lanes. */
RW_FN void rw_draw_piece(const struct rw_evaluate_beams_args *args, size_t item, int listing)
{
    const rw_receivers_view *receivers = &args->receivers;
    const rw_beam_piece *piece = args->pieces + args->first_piece + item / (size_t)rw_lane_count();
    const rw_beam *beam = args->beams + piece->beam;
    rw_pixel_grid grid = {receivers->x0_m, receivers->y0_m, receivers->res_m, (int)receivers->columns,
                          (int)receivers->rows};
    rw_region region =
        rw_piece_region(beam, piece, args->walls.exact, rw_piece_nearest_m(beam, piece, receivers, args->source.z));
    rw_pixel_span rows = rw_region_rows(&region, &grid), columns = rw_region_columns(&region, &grid);
    for (int from = rows.first; from < rows.end; from += rw_lane_count()) {
        rw_piece_rows found = rw_piece_rows_of(&region, &grid, from + rw_lane(), rows.end, columns);
        for (uint32_t at = 0; at < found.all; at += (uint32_t)rw_lane_count()) {
            uint32_t index = at + (uint32_t)rw_lane();
            int owner = rw_lanes_owner(found.before, index);
            size_t row = (size_t)from + (size_t)owner;
            uint32_t column = rw_lanes_from((uint32_t)found.first - found.before, owner) + index;
            size_t cell = row * receivers->columns + column;
            if (index >= found.all || receivers->indoor[cell])
                continue;
            rw_vec3 receiver = rw_receiver_cell(receivers, column, row);
            if (!listing)
                rw_evaluate_receiver(args, beam, piece, cell, receiver);
            else if (rw_beam_path_likely(args, beam, piece, receiver))
                rw_append_find(args, (uint32_t)(piece - args->pieces), cell);
        }
    }
}

RW_FN void rw_evaluate_beams_item(const struct rw_evaluate_beams_args *args, size_t item)
{
    rw_draw_piece(args, item, 0);
}

#endif
