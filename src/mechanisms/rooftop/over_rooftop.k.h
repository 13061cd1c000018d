/* The wave over hills and roofs: from a receiver and a source to its loss beyond free space over the straight line.
 *
 * Over terrain alone delta-Bullington (field/edges/delta_bullington.k.h). With houses the terrain is one screen,
 * Bullington's equivalent edge, among theirs, and what they add to it comes on top. One screen for each building in
 * between (mechanisms/rooftop/roof_screens.k.h), Vogler's integral over the main ones (field/edges/main_edges.k.h), and
 * in power what the facades on the other sides of the streets of both ends send back: the same integral at the image of
 * an end in the next wall behind it. That wave fades in as the first one fades out, so that nothing is added in full
 * sight. In sight screens below the line still take part of the wave: 6 dB at the shadow boundary on both sides. */
#ifndef RW_MECHANISMS_ROOFTOP_OVER_ROOFTOP_K_H
#define RW_MECHANISMS_ROOFTOP_OVER_ROOFTOP_K_H

#include "discretise/receivers/receivers.k.h"
#include "field/edges/main_edges.k.h"
#include "mechanisms/rooftop/ground_bundle.k.h"
#include "mechanisms/rooftop/roof_screens.k.h"

/* How far away the facade behind the receiver may be, and what a screen may stand above a line that is clear (bridges
 * and roundings). */
#define RW_FACADE_REACH_M 100.0
#define RW_SCREEN_IN_SIGHT_M 0.05f

/* A transmitter as the kernel sees it. */
typedef struct rw_roof_source {
    rw_vec3 at; /* in the grid's frame */
    float wavelength_m;
    float facade_db; /* loss of the reflection at the facade behind the receiver */
} rw_roof_source;

RW_FN float rw_power_loss_db(float power)
{
    return power > 1e-30f ? -10.0f * log10f(power) : 300.0f;
}

/* Screens as candidates for main edges: distances from the source, heights above the straight line, none above max_m.
 */
RW_FN int rw_roof_candidates(const rw_roof_screens *screens, const rw_sight *sight, float plan_m, float wavelength_m,
                             float max_m, float *x_m, float *h_m)
{
    float min_m = wavelength_m < 0.25f * plan_m ? wavelength_m : 0.25f * plan_m;
    int count = 0;
    for (int i = 0; i < screens->count; i++) {
        float above = screens->z[i] - (sight->z + screens->t[i] * sight->dz), x = plan_m * (1.0f - screens->t[i]);
        if (above > max_m)
            continue;
        x = x < min_m ? min_m : x;
        x_m[count] = x > plan_m - min_m ? plan_m - min_m : x;
        h_m[count++] = above;
    }
    return count;
}

/* The power beyond one edge exceeds that of free space by at most this factor, where the line clears the edge by
 * nu = -1.22 (maximum of the Fresnel integral). */
#define RW_FRESNEL_OVERSHOOT 1.3706f

/* Power at the image of the receiver, image_h above the line, over free space there. The nodes of the integral are set
 * for the image: from further away the wave passes higher over the last edge, and edges may lie below the line. */
RW_FN float rw_image_power(const rw_main_edges *edges, float image_m, float image_h)
{
    rw_main_edges seen = rw_main_edges_none(image_m, edges->wavelength_m);
    rw_edge_field field;
    float max_power = RW_FRESNEL_OVERSHOOT;
    seen.count = edges->count;
    for (int i = 0; i < edges->count; i++) {
        seen.x_m[i] = edges->x_m[i];
        seen.h_m[i] = edges->h_m[i] - image_h * edges->x_m[i] / image_m;
        max_power = seen.h_m[i] > 0.0f ? 1.0f : max_power;
    }
    rw_main_edges_prune_below_string(&seen);
    if (seen.count <= 0)
        return 1.0f;
    rw_main_edges_field(&seen, &field);
    float power = rw_main_edges_power(&seen, &field, image_m, 0.0f);
    return power < max_power ? power : max_power;
}

/* Power that the facade behind an end of the path adds, over that of free space over the straight line; x_m of the
 * edges is from the other end. */
RW_FN float rw_facade_power(const rw_wall_grid_view *grid, float facade_db, rw_vec3 end, rw_vec3 other,
                            const rw_main_edges *edges)
{
    float top = 0.0f, wall_m = rw_wall_behind_m(grid, end, other, RW_FACADE_REACH_M, &top);
    float end_z = (float)end.z, rise_m = (float)(other.z - end.z);
    float last_m = edges->length_m - edges->x_m[edges->count - 1];
    float last_z = edges->h_m[edges->count - 1] + end_z + (last_m / edges->length_m) * rise_m;
    if (wall_m < 0.0f)
        return 0.0f;
    /* where the wave meets the facade on its way down from the last edge to the image */
    float meets_z = end_z + (last_z - end_z) * wall_m / (last_m + 2.0f * wall_m);
    if (meets_z > top)
        return 0.0f;
    float image_m = edges->length_m + 2.0f * wall_m, ratio = edges->length_m / image_m;
    float image_h = rise_m * 2.0f * wall_m / edges->length_m;
    float power = rw_image_power(edges, image_m, image_h);
    return (power < 1.0f ? power : 1.0f) * ratio * ratio * rw_exp_negative(-0.23025851f * facade_db);
}

/* The same edges from the other end. */
RW_FN rw_main_edges rw_main_edges_reversed(const rw_main_edges *edges)
{
    rw_main_edges reversed = rw_main_edges_none(edges->length_m, edges->wavelength_m);
    reversed.count = edges->count;
    for (int i = 0; i < edges->count; i++) {
        reversed.x_m[i] = edges->length_m - edges->x_m[edges->count - 1 - i];
        reversed.h_m[i] = edges->h_m[edges->count - 1 - i];
    }
    return reversed;
}

/* Power that the facades behind both ends add: a path is the same in both directions. */
RW_FN float rw_facades_power(const rw_wall_grid_view *grid, const rw_roof_source *source, const rw_sight *sight,
                             const rw_main_edges *edges)
{
    rw_main_edges reversed = rw_main_edges_reversed(edges);
    return rw_facade_power(grid, source->facade_db, sight->from, sight->to, edges) +
           rw_facade_power(grid, source->facade_db, sight->to, sight->from, &reversed);
}

/* What lies between a receiver and a source, beyond free space over the straight line. */
typedef struct rw_over_roofs_loss {
    float excess_db;      /* of the wave over hills and roofs, with what the facade behind the receiver sends back */
    float open_db;        /* if there were no houses: delta-Bullington over the terrain */
    float ground_db;      /* the terrain's part of excess_db: at most open_db */
    float smooth_db;      /* the smooth earth's part of ground_db */
    float open_smooth_db; /* and of open_db */
} rw_over_roofs_loss;

/* The terrain on the line: its loss, and the screen that stands for it. */
typedef struct rw_roof_hill {
    rw_ground_screen screen;
    float open_db, smooth_db;
} rw_roof_hill;

RW_FN rw_roof_hill rw_roof_hill_none(void)
{
    rw_roof_hill none = {{0.5f, -1e30f}, 0.0f, 0.0f};
    return none;
}

/* Of a pass over the terrain. Lengths of P.1812 begin where the wave is a wave. Where the ground has no loss of its own
 * (grid->ground_curve_per_m), what a smooth earth of the terrain's trend costs is not counted. */
RW_FN rw_roof_hill rw_roof_hill_of(const rw_wall_grid_view *grid, const rw_roof_source *source, const rw_sight *sight,
                                   const rw_terrain_pass *pass)
{
    rw_roof_hill hill = rw_roof_hill_none();
    double plan_m = sqrt((double)sight->dx * (double)sight->dx + (double)sight->dy * (double)sight->dy);
    double curve_per_m = grid->posts ? grid->curve_per_m : grid->ground_curve_per_m;
    if (!(plan_m > (double)source->wavelength_m))
        return hill;
    rw_terrain_link link;
    link.length_m = plan_m;
    link.wavelength_m = (double)source->wavelength_m;
    link.earth_radius_m = curve_per_m > 0.0 ? 0.5 / curve_per_m : 0.0;
    link.over.sea_fraction = 0.0;
    link.over.horizontal = 0;
    rw_delta_bullington loss = rw_delta_bullington_of(pass, &link);
    hill.open_db = (float)loss.all_db;
    hill.smooth_db = (float)loss.smooth_db;
    double at, above_m = rw_terrain_edge(&pass->tops, &at);
    hill.screen.t = (float)at;
    hill.screen.above_m = (float)above_m;
    if (grid->ground_curve_per_m > 0.0)
        return hill;
    hill.open_db -= hill.smooth_db;
    hill.smooth_db = 0.0f;
    return hill;
}

RW_FN int rw_roof_has_hill(const rw_wall_grid_view *grid)
{
    return grid->posts != 0 || grid->ground_curve_per_m > 0.0;
}

RW_FN rw_roof_hill rw_roof_hill_find(const rw_wall_grid_view *grid, const rw_roof_source *source, const rw_sight *sight)
{
    if (!rw_roof_has_hill(grid))
        return rw_roof_hill_none();
    rw_terrain_pass pass = grid->posts ? rw_ground_pass(grid, sight) : rw_ground_pass_level(grid, sight);
    return rw_roof_hill_of(grid, source, sight, &pass);
}

/* What terrain alone takes from the straight wave, in sight and out of it. */
RW_FN double rw_open_ground_db(const rw_wall_grid_view *grid, const rw_roof_source *source, rw_vec3 receiver)
{
    rw_sight sight = rw_sight_of(grid, receiver, source->at);
    return (double)rw_roof_hill_find(grid, source, &sight).open_db;
}

/* The main edges among screens, x from the source. */
RW_FN rw_main_edges rw_roof_edges_of(const rw_wall_grid_view *grid, const rw_roof_source *source, const rw_sight *sight,
                                     const rw_roof_hill *hill, int in_sight, const rw_roof_screens *screens)
{
    float plan_m = sqrtf(sight->dx * sight->dx + sight->dy * sight->dy);
    rw_main_edges edges = rw_main_edges_none(plan_m, source->wavelength_m);
    float x_m[RW_EDGE_CAPACITY(RW_ROOF_SCREENS_MAX + 1)], h_m[RW_EDGE_CAPACITY(RW_ROOF_SCREENS_MAX + 1)];
    float max_m = in_sight ? RW_SCREEN_IN_SIGHT_M + grid->raised_max_m : INFINITY;
    int count = rw_roof_candidates(screens, sight, plan_m, source->wavelength_m, max_m, x_m, h_m);
    if (hill->screen.above_m > -1e29f) {
        x_m[count] = plan_m * (1.0f - hill->screen.t);
        h_m[count++] = hill->screen.above_m;
    }
    rw_main_edges_choose(&edges, x_m, h_m, count);
    return edges;
}

/* The main edges between the two. The list of screens is gone before the integral is taken. */
RW_FN rw_main_edges rw_over_roofs_edges(const rw_wall_grid_view *grid, const rw_roof_source *source,
                                        const rw_sight *sight, const rw_roof_hill *hill, int in_sight)
{
    rw_roof_screens screens;
    if (!(sight->dx != 0.0f || sight->dy != 0.0f))
        return rw_main_edges_none(0.0f, source->wavelength_m);
    rw_roof_screens_find(grid, sight, hill->screen, rw_roof_margin_of(sight, source->wavelength_m, RW_MAIN_EDGE_NU),
                         &screens);
    return rw_roof_edges_of(grid, source, sight, hill, in_sight, &screens);
}

/* Loss over the hill's screen alone by the same integral, and how many of the edges it is. */
RW_FN float rw_roof_hill_db(const rw_roof_hill *hill, const rw_main_edges *edges, float all_db)
{
    rw_main_edges alone = rw_main_edges_none(edges->length_m, edges->wavelength_m);
    float x_m = edges->length_m * (1.0f - hill->screen.t), h_m = hill->screen.above_m;
    rw_edge_field field;
    if (edges->count == 1 && edges->x_m[0] == x_m && edges->h_m[0] == h_m)
        return all_db; /* no house is among them */
    if (!(rw_main_edge_nu(&alone, 0.0f, 0.0f, alone.length_m, 0.0f, x_m, h_m) > RW_MAIN_EDGE_NU))
        return 0.0f;
    rw_main_edges_insert(&alone, x_m, h_m);
    rw_main_edges_field(&alone, &field);
    float power = rw_main_edges_power(&alone, &field, alone.length_m, 0.0f);
    return power < 1.0f ? rw_power_loss_db(power) : 0.0f;
}

/* How hill and houses make one loss (docs/decisions/0010-hills-and-houses.md). buildings_db is what houses add to the
 * hill's screen. Of what the terrain costs beyond its screen, the smooth earth, houses hide more the more they add. */
RW_FN float rw_ground_contribution_db(float open_db, float hill_db, float buildings_db)
{
    float smooth_db = open_db > hill_db ? open_db - hill_db : 0.0f;
    return open_db - smooth_db + sqrtf(buildings_db * buildings_db + smooth_db * smooth_db) - buildings_db;
}

/* The loss over main edges. */
RW_FN rw_over_roofs_loss rw_roof_edges_loss(const rw_wall_grid_view *grid, const rw_roof_source *source,
                                            const rw_sight *sight, const rw_roof_hill *hill, const rw_main_edges *edges)
{
    rw_edge_field field;
    rw_over_roofs_loss loss = {hill->open_db, hill->open_db, hill->open_db, hill->smooth_db, hill->smooth_db};
    if (edges->count <= 0)
        return loss;
    rw_main_edges_field(edges, &field);
    float power = rw_main_edges_power(edges, &field, edges->length_m, 0.0f);
    power = power < 1.0f ? power : 1.0f;
    float edges_db = rw_power_loss_db(power),
          hill_db = rw_roof_has_hill(grid) ? rw_roof_hill_db(hill, edges, edges_db) : 0.0f;
    float buildings_db = edges_db > hill_db ? edges_db - hill_db : 0.0f;
    loss.ground_db = rw_ground_contribution_db(hill->open_db, hill_db, buildings_db);
    loss.smooth_db = loss.smooth_db < loss.ground_db ? loss.smooth_db : loss.ground_db;
    loss.excess_db = loss.ground_db + buildings_db;
    float facade = grid->wall_count ? rw_facades_power(grid, source, sight, edges) : 0.0f;
    facade = facade < 1.0f ? facade : 1.0f;
    if (!(facade > 0.0f))
        return loss;
    /* the facade's wave has come over the same hill */
    float first = rw_exp_negative(-0.23025851f * loss.excess_db), both = power + (1.0f - power) * facade;
    loss.excess_db = rw_power_loss_db(first * (both / (power > 1e-30f ? power : 1e-30f)));
    return loss;
}

/* The main edges are in *edges. */
RW_FN rw_over_roofs_loss rw_over_roofs_solve(const rw_wall_grid_view *grid, const rw_roof_source *source,
                                             rw_vec3 receiver, int in_sight, rw_main_edges *edges)
{
    rw_sight sight = rw_sight_of(grid, receiver, source->at);
    rw_roof_hill hill = rw_roof_hill_find(grid, source, &sight);
    *edges = rw_over_roofs_edges(grid, source, &sight, &hill, in_sight);
    return rw_roof_edges_loss(grid, source, &sight, &hill, edges);
}

/* The whole loss alone. */
RW_FN float rw_over_rooftop_db(const rw_wall_grid_view *grid, const rw_roof_source *source, rw_vec3 receiver,
                               int in_sight, rw_main_edges *edges)
{
    return rw_over_roofs_solve(grid, source, receiver, in_sight, edges).excess_db;
}

/* Length of the string over the edges; rise_m from the source to the receiver. */
RW_FN double rw_main_edges_length_m(const rw_main_edges *edges, double rise_m)
{
    double length_m = 0.0, x0 = 0.0, z0 = 0.0, all_m = (double)edges->length_m;
    for (int i = 0; i <= edges->count; i++) {
        if (i < edges->count && !(edges->h_m[i] > rw_main_string_m(edges, i)))
            continue;
        double x1 = i < edges->count ? (double)edges->x_m[i] : all_m;
        double z1 = rise_m * x1 / all_m + (i < edges->count ? (double)edges->h_m[i] : 0.0);
        length_m += sqrt((x1 - x0) * (x1 - x0) + (z1 - z0) * (z1 - z0));
        x0 = x1;
        z0 = z1;
    }
    return length_m;
}

/* One item is one outdoor receiver of one source. */
struct rw_over_roofs_args {
    rw_wall_grid_view grid;
    rw_receivers_view receivers;
    const rw_roof_source *sources;
    size_t first_item;  /* number of item 0 */
    const uint8_t *los; /* one a cell, source after source, as all that follow; NULL: where walls are 0 */
    const uint32_t *walls;
    float *excess_db;
    float *open_db, *ground_db, *smooth_db, *open_smooth_db; /* rw_over_roofs_loss; NULL where there is no ground */
    uint8_t *edges;
};

/* What was found, in its place. */
RW_FN void rw_over_roofs_store(const struct rw_over_roofs_args *args, size_t at, rw_over_roofs_loss loss,
                               const rw_main_edges *edges)
{
    args->excess_db[at] = loss.excess_db;
    if (args->open_db) {
        args->open_db[at] = loss.open_db;
        args->ground_db[at] = loss.ground_db;
    }
    if (args->smooth_db) {
        args->smooth_db[at] = loss.smooth_db;
        args->open_smooth_db[at] = loss.open_smooth_db;
    }
    args->edges[at] = (uint8_t)edges->count;
}

RW_FN int rw_over_roofs_sees(const struct rw_over_roofs_args *args, size_t at)
{
    return args->los ? args->los[at] != 0 : args->walls[at] == 0u;
}

RW_FN void rw_over_roofs_item(const struct rw_over_roofs_args *args, size_t item)
{
    item += args->first_item;
    size_t index = item / args->receivers.outdoor_count, outdoor = item - index * args->receivers.outdoor_count;
    size_t cell = args->receivers.outdoor[outdoor], at = index * args->receivers.columns * args->receivers.rows + cell;
    rw_vec3 receiver = rw_receiver_point(&args->receivers, cell);
    rw_main_edges edges;
    rw_over_roofs_loss loss =
        rw_over_roofs_solve(&args->grid, args->sources + index, receiver, rw_over_roofs_sees(args, at), &edges);
    rw_over_roofs_store(args, at, loss, &edges);
}

/* The same on a CPU: one item is up to RW_BUNDLE_LINES receivers of one source that follow each other in the list. */
struct rw_over_roofs_bundles_args {
    struct rw_over_roofs_args all; /* first_item counts bundles */
    size_t bundles;                /* of a source */
};

RW_FN void rw_over_roofs_bundles_item(const struct rw_over_roofs_bundles_args *args, size_t item)
{
    const struct rw_over_roofs_args *all = &args->all;
    const rw_wall_grid_view *grid = &all->grid;
    size_t number = item + all->first_item, index = number / args->bundles;
    size_t first = (number - index * args->bundles) * RW_BUNDLE_LINES, rest = all->receivers.outdoor_count - first;
    int count = rest < RW_BUNDLE_LINES ? (int)rest : RW_BUNDLE_LINES;
    const rw_roof_source *source = all->sources + index;
    rw_sight sights[RW_BUNDLE_LINES];
    float margins[RW_BUNDLE_LINES];
    rw_bundle bundle;
    rw_bundle_line lines[RW_BUNDLE_LINES];
    rw_terrain_pass passes[RW_BUNDLE_LINES];
    for (int i = 0; i < RW_BUNDLE_LINES; i++) {
        size_t outdoor_index = first + (size_t)(i < count ? i : count - 1);
        rw_vec3 receiver = rw_receiver_point(&all->receivers, all->receivers.outdoor[outdoor_index]);
        sights[i] = rw_sight_of(grid, receiver, source->at);
        margins[i] = rw_roof_margin_of(&sights[i], source->wavelength_m, RW_MAIN_EDGE_NU);
    }
    int together = grid->wall_count > 0 && rw_bundle_init(grid, sights, margins, count, &bundle);
    if (together)
        rw_bundle_find_crossings(&bundle, lines);
    if (grid->posts)
        rw_ground_bundle_pass(grid, sights, count, passes);
    for (int i = 0; i < count; i++) {
        size_t at = index * all->receivers.columns * all->receivers.rows + all->receivers.outdoor[first + (size_t)i];
        int sees = rw_over_roofs_sees(all, at);
        rw_roof_hill hill = grid->posts ? rw_roof_hill_of(grid, source, &sights[i], &passes[i])
                                        : rw_roof_hill_find(grid, source, &sights[i]);
        rw_main_edges edges;
        if (together && lines[i].count <= RW_BUNDLE_CROSSINGS) {
            rw_roof_screens screens;
            rw_bundle_screens(grid, &sights[i], hill.screen, margins[i], &lines[i], &screens);
            edges = rw_roof_edges_of(grid, source, &sights[i], &hill, sees, &screens);
        } else {
            edges = rw_over_roofs_edges(grid, source, &sights[i], &hill, sees);
        }
        rw_over_roofs_store(all, at, rw_roof_edges_loss(grid, source, &sights[i], &hill, &edges), &edges);
    }
}

#endif
