/* What a prediction by tiles would take: how many tiles there would be, and how much they see, from a sample of points
 * on walls and on the ground. Constants were measured on generated cities, on one core of 2.5 GHz without vector
 * instructions. */
#include "discretise/prepared.h"
#include "models/rays/rays.h"
#include "models/tiles/tiles.h"
#include "visibility/los/los.h"

#include <math.h>
#include <string.h>

#define TILE_PAIR_S 2e-8  /* of two tiles: whether they see each other */
#define CELL_PAIR_S 5e-8  /* of a cell and a tile */
#define MESH_TIMES 8.0    /* longer where meshes are asked, which horizons do not know */
#define RAYS_S 6e-4       /* of a tile and a transmitter at a depth of 3: rays that spread from it */
#define RAYS_GROW 6.0     /* with each further interaction */
#define SEEN_BYTES 4.0    /* of a tile that sees another, with tables under way */
#define LISTED_BYTES 12.0 /* of a cell that sees a tile: neighbours are listed too */

/* Before the middle of walls, spread evenly over the list. */
static size_t sample_wall_points(const rw_scene *scene, rw_vec3 points[RW_SIGHT_SAMPLE_POINTS])
{
    const rw_wall_list *walls = &scene->prepared->walls;
    rw_vec2 centre = scene->prepared->grid.centre;
    size_t count = walls->count < RW_SIGHT_SAMPLE_POINTS ? walls->count : RW_SIGHT_SAMPLE_POINTS;
    for (size_t i = 0; i < count; i++) {
        size_t at = (2 * i + 1) * walls->count / (2 * count);
        const rw_wall *wall = &walls->walls[at];
        points[i] = rw_vec3_of(0.5 * (wall->p0.x + wall->p1.x) + 0.05 * walls->normals[at].x - centre.x,
                               0.5 * (wall->p0.y + wall->p1.y) + 0.05 * walls->normals[at].y - centre.y,
                               0.5 * (wall->bottom_m + wall->top_m));
    }
    return count;
}

/* Share of the other tiles that a tile sees, and that a cell sees. */
static void sample_seen_fractions(const rw_scene *scene, const rw_map_info *cells, double *tiles_seen, double *of_cells)
{
    rw_vec3 walls[RW_SIGHT_SAMPLE_POINTS], ground[RW_SIGHT_SAMPLE_POINTS];
    rw_map_info entire = {.columns = 1000,
                          .rows = 1000,
                          .x0_m = scene->box_min.x + scene->origin.x,
                          .y0_m = scene->box_min.y + scene->origin.y,
                          .res_m =
                              fmax(scene->box_max.x - scene->box_min.x, scene->box_max.y - scene->box_min.y) / 1000,
                          .rx_height_m = 0.1};
    size_t wall_count = sample_wall_points(scene, walls), ground_count = rw_sight_sample_cells(scene, &entire, ground);
    double by_wall = rw_sight_fraction(scene, walls, wall_count, walls, wall_count, INFINITY, INFINITY);
    double by_ground = rw_sight_fraction(scene, ground, ground_count, walls, wall_count, INFINITY, INFINITY);
    *tiles_seen = 0.5 * (by_wall + by_ground);
    *of_cells = by_ground;
    if (!cells || cells->has_plane)
        return;
    ground_count = rw_sight_sample_cells(scene, cells, ground);
    *of_cells = rw_sight_fraction(scene, ground, ground_count, walls, wall_count, INFINITY, INFINITY);
}

void rw_tiles_estimate_pairs(const rw_scene *scene, double tiles, double *core_seconds, double *seen_fraction)
{
    double of_cells;
    sample_seen_fractions(scene, NULL, seen_fraction, &of_cells);
    *core_seconds = 0.5 * (scene->triangles.count ? MESH_TIMES : 1) * TILE_PAIR_S * tiles * tiles;
}

rw_status rw_tiles_estimate_prediction(const rw_prediction *prediction, const rw_map_info *cells, rw_estimate *estimate)
{
    const rw_scene *scene = prediction->scene;
    const rw_predict_options *options = prediction->options;
    rw_tile_limits limits;
    rw_tiling tiling;
    rw_tile_options wanted;
    double seen, of_cells;
    RW_TRY(rw_tile_resolve(prediction, RW_USE_PATHS, &limits, &tiling));
    wanted = rw_tiling_options(tiling);
    double tiles = rw_tiles_estimate(scene, &wanted), receivers = (double)estimate->cells;
    sample_seen_fractions(scene, cells, &seen, &of_cells);
    double cell_pairs = receivers * tiles;
    int nearest = options->cells && strcmp(options->cells, "exact") != 0;
    double times = scene->triangles.count ? MESH_TIMES : 1;
    double depth = pow(RAYS_GROW, limits.depth - 3) * (0.6 + 0.4 * limits.diffractions);
    if (!options->database && !(tiling.online > 0)) {
        rw_estimate_work(prediction, estimate, 0.5 * times * TILE_PAIR_S * tiles * tiles);
        estimate->table_bytes += SEEN_BYTES * seen * tiles * tiles;
    }
    if (!nearest) {
        rw_estimate_work(prediction, estimate, times * CELL_PAIR_S * cell_pairs);
        estimate->table_bytes += LISTED_BYTES * of_cells * cell_pairs;
    }
    rw_estimate_work(prediction, estimate,
                     RAYS_S * tiles * depth * (nearest ? 0.25 : 1) * (double)estimate->transmitters);
    return rw_rays_estimate(prediction, cells, estimate);
}
