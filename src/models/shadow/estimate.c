/* What a prediction by the shadow model would take. Constants were measured on generated cities, on one core of 2.5 GHz
 * without vector instructions; the size of the street graph is that of a sample of corners and receivers. */
#include "field/paths/berg.k.h"
#include "mechanisms/prior/prior.h"
#include "models/shadow/shadow.h"
#include "models/shadow/solved.h"
#include "visibility/los/los.h"

#include <math.h>

#define CELL_S 5e-6     /* of a cell and a position of transmitters: sight, screens over roofs, losses */
#define MEMBER_S 6e-6   /* more for each member of an ensemble */
#define ANTENNA_S 5e-8  /* of a cell and a transmitter: antenna and power */
#define CORNER_S 2.5e-4 /* of a corner: horizon, links */
#define ENTRY_S 8e-6    /* of a corner that a chunk of receivers sees */
#define CHUNK 32.0      /* receivers of a chunk */
#define ENTRY_BYTES 100 /* with room to grow */
#define LINK_BYTES 50

/* Some receiver of a chunk sees a corner more often than one alone. */
#define CHUNK_SEES 1.5

static rw_vec3 usable_top(const rw_corner *corner, double depth_m)
{
    return rw_vec3_of(corner->x, corner->y, fmin((double)corner->top, (double)corner->ground + depth_m));
}

/* How many corners a point sees, on average over the points: those within reach are counted, and a sample of them is
 * asked. A corner at the point itself is not counted. */
static double corners_seen(const rw_scene *scene, const rw_vec3 *points, size_t count, double reach_m, double depth_m)
{
    const rw_corner_list *corners = &scene->prepared->corners;
    rw_vec2 centre = scene->prepared->grid.centre;
    double seen = 0;
    for (size_t i = 0; i < count; i++) {
        rw_vec3 near[RW_SIGHT_SAMPLE_POINTS];
        rw_vec2 at = {points[i].x + centre.x, points[i].y + centre.y};
        double tallest_m = rw_scene_ground_m(scene, at) + depth_m;
        size_t found = 0, sampled = 0, stride = 1;
        for (size_t k = 0; k < corners->count; k++) {
            const rw_corner *corner = &corners->items[k];
            double dx = corner->x - points[i].x, dy = corner->y - points[i].y;
            if (fabs(dx) > reach_m || fabs(dy) > reach_m || dx * dx + dy * dy > reach_m * reach_m ||
                (dx == 0 && dy == 0))
                continue;
            if (found++ % stride)
                continue;
            for (size_t j = 0; sampled == RW_SIGHT_SAMPLE_POINTS && j < sampled / 2;
                 j++) /* every other one of twice as many */
                near[j] = near[2 * j];
            stride *= sampled == RW_SIGHT_SAMPLE_POINTS ? 2 : 1;
            sampled /= sampled == RW_SIGHT_SAMPLE_POINTS ? 2 : 1;
            near[sampled++] = usable_top(corner, depth_m);
        }
        seen += (double)found * rw_sight_fraction(scene, &points[i], 1, near, sampled, reach_m, tallest_m);
    }
    return count ? seen / (double)count : 0;
}

/* Corners of the map and around it: those further off are on no path that is short enough. */
static double count_corners_around(const rw_scene *scene, const rw_map_info *cells)
{
    const rw_corner_list *corners = &scene->prepared->corners;
    rw_vec2 centre = scene->prepared->grid.centre;
    double width_m = (double)cells->columns * cells->res_m, depth_m = (double)cells->rows * cells->res_m;
    double around_m = 0.5 * fmax(width_m, depth_m);
    double x_m = cells->x0_m - centre.x, y_m = cells->y0_m - centre.y;
    size_t count = 0;
    for (size_t i = 0; i < corners->count; i++) {
        double dx = (double)corners->items[i].x - x_m, dy = (double)corners->items[i].y - y_m;
        count += dx > -around_m && dx < width_m + around_m && dy > -around_m && dy < depth_m + around_m;
    }
    return (double)count;
}

rw_street_cost rw_street_cost_of(const rw_scene *scene, const rw_map_info *cells, double reach_m, double depth_m)
{
    const rw_corner_list *corners = &scene->prepared->corners;
    rw_vec3 points[RW_SIGHT_SAMPLE_POINTS], edges[RW_SIGHT_SAMPLE_POINTS];
    size_t sampled = corners->count < RW_SIGHT_SAMPLE_POINTS ? corners->count : RW_SIGHT_SAMPLE_POINTS;
    for (size_t i = 0; i < sampled; i++) {
        const rw_corner *corner = &corners->items[(2 * i + 1) * corners->count / (2 * sampled)];
        edges[i] = usable_top(corner, depth_m);
    }
    size_t count = rw_sight_sample_cells(scene, cells, points);
    double outdoor = (double)(cells->columns * cells->rows) * (double)count / RW_SIGHT_SAMPLE_POINTS;
    double all = isfinite(reach_m) ? count_corners_around(scene, cells) : (double)corners->count,
           links = all * corners_seen(scene, edges, sampled, reach_m, depth_m);
    double of_chunk = fmin(all, CHUNK_SEES * corners_seen(scene, points, count, reach_m, depth_m));
    double entries = of_chunk * ceil(outdoor / CHUNK);
    return (rw_street_cost){.bytes = ENTRY_BYTES * entries + LINK_BYTES * links,
                            .core_s = CORNER_S * all + ENTRY_S * entries};
}

/* How much of the street graph the paths of the highest mast reach: all of it from twice the height of the roofs. */
static double estimate_reached_streets(const rw_prediction *prediction)
{
    const rw_predict_options *options = prediction->options;
    double highest_m = 0, roof_m = rw_mean_roof_m(prediction->scene);
    for (size_t i = 0; options->transmitters && i < options->transmitter_count; i++)
        highest_m = fmax(highest_m, options->transmitters[i].height_m);
    return roof_m > 0 ? fmin(fmax(highest_m / (2 * roof_m), 0.2), 1) : 1;
}

static void add_streets(const rw_prediction *prediction, const rw_shadow_effects *effects, const rw_map_info *cells,
                        rw_estimate *estimate)
{
    const rw_scene *scene = prediction->scene;
    if (!effects->streets || prediction->options->database)
        return;
    if (prediction->grid.range_m > 0) /* of a network, one of hundreds: its corners are few, and a sample takes long */
        return;
    if (!cells || cells->has_plane) { /* a few receivers: links alone */
        rw_estimate_work(prediction, estimate, CORNER_S * (double)scene->prepared->corners.count);
        return;
    }
    int berg = effects->streets == RW_SHADOW_STREETS_BERG;
    double depth_m = berg ? RW_STREET_DEPTH * rw_mean_roof_m(scene) : INFINITY;
    rw_street_cost cost = rw_street_cost_of(scene, cells, berg ? (double)RW_BERG_LEG_MAX_M : INFINITY, depth_m);
    estimate->table_bytes += cost.bytes;
    rw_estimate_work(prediction, estimate, estimate_reached_streets(prediction) * cost.core_s);
}

/* Sight, walls and their losses, path losses, mechanisms and deflections of a transmitter on the backend, and a band on
 * the host. */
rw_status rw_shadow_estimate(const rw_prediction *prediction, const rw_map_info *cells, rw_estimate *estimate)
{
    rw_shadow_effects effects;
    int members = rw_shadow_members(prediction);
    RW_TRY(rw_shadow_effects_resolve(prediction, &effects));
    rw_estimate_add(prediction, estimate, members ? 13 : 9, members ? 27 : 15);
    double positions = (double)rw_shadow_solved_count_new(NULL, prediction), sectors = (double)estimate->transmitters;
    rw_estimate_work(prediction, estimate,
                     (double)estimate->cells * (positions * (CELL_S + MEMBER_S * members) + sectors * ANTENNA_S));
    add_streets(prediction, &effects, cells, estimate);
    return RW_OK;
}
