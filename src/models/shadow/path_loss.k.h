/* Path loss of the shadow model: one item is one outdoor receiver of one source.
 *
 * In sight: free space, and what roofs just below the line take of it. Out of sight the ways round corners (the best
 * of them by Berg's recursion), over the roofs (mechanisms/rooftop) and through the walls add in power, those other
 * than the roofs as far as the wave over them has faded, and the sum becomes a loss by the rule of
 * mechanisms/compose.k.h.
 *
 * By name, as in Rick and Kuhlen (2010): equation (20), free space over the length of the path, plus a polynomial in
 * each deflection angle (equations (18) and (19)), plus the loss of walls; free space in sight, equation (15); of the
 * ways the one with the least loss, or the sum of the powers of the best few. */
#ifndef RW_MODELS_SHADOW_PATH_LOSS_K_H
#define RW_MODELS_SHADOW_PATH_LOSS_K_H

#include "field/paths/free_space.k.h"
#include "mechanisms/composition.k.h"
#include "models/shadow/streets/street_in_plane.k.h"
#include "mechanisms/rooftop/roof_path.k.h"

typedef enum rw_shadow_mechanism {
    RW_SHADOW_SIGHT,
    RW_SHADOW_STREET,
    RW_SHADOW_ROOF,
    RW_SHADOW_THROUGH
} rw_shadow_mechanism;

typedef enum rw_shadow_roofs {
    RW_SHADOW_ROOFS_NONE,
    RW_SHADOW_ROOFS_COUNTED, /* the walls below the line, without angles: section 7.1 */
    RW_SHADOW_ROOFS_ANGLES,  /* a polynomial in the angles of the profile's upper hull */
    RW_SHADOW_ROOFS_SCREENS  /* Vogler's integral over the main edges, found before: roof_db */
} rw_shadow_roofs;

struct rw_shadow_path_loss_args {
    rw_wall_grid_view grid;
    rw_receivers_view receivers;
    const rw_shadow_source *sources;
    rw_street_view street;
    size_t first_item; /* number of item 0 */
    int streets;       /* whether waves go round corners */
    int streets_alone; /* they are looked for in sight too, and the straight wave does not count */
    rw_shadow_roofs roofs;
    int through;                      /* whether they go through walls */
    int best_count;                   /* how many ways are summed; 1: the best alone; 0: the best of each kind */
    const float *roof_db;             /* one a cell: loss over the roofs beyond free space, where they are screens */
    const float *open_db, *ground_db; /* as in rw_over_roofs_loss; NULL where there is no ground or no such roofs */
    const float *smooth_db, *open_smooth_db; /* the smooth earth's part of both */
    const uint8_t *roof_edges;
    const uint8_t *los;           /* one a cell, source after source, as all that follow; NULL: where walls are 0 */
    const uint32_t *walls;        /* NULL where neither walls nor roofs are counted */
    const float *walls_db;        /* what they cost by their constructions; NULL: the constants of the source */
    const float *foliage_db;      /* what trees take from the straight line; NULL: there are none */
    const float *roof_foliage_db; /* and from the way over the roofs */
    float *path_loss_db;          /* infinite where there is no way */
    uint8_t *mechanism;
    uint8_t *deflections;
    uint32_t *street_paths; /* the path taken, RW_STREET_NONE where it goes round no corner; may be NULL */
    float *street_db;       /* loss of the best way round corners, infinite where none counts; may be NULL */
    uint32_t *strongest;    /* RW_STRONGEST_PATHS_MAX a cell: the best ways out of sight, the best first, RW_STREET_NONE
                          behind    the last; may be NULL */
    float *strongest_db;    /* their losses */
    int strongest_in_sight; /* they are told in sight too, where others count beside the straight one */
    int all_terms;          /* equation (20) as written: the terms of streets, roofs and walls on one path */
    rw_composition *compositions; /* one a cell, source after source; NULL: nothing is recorded */
};

/* In place of the numbers of paths round corners. */
#define RW_SHADOW_PATH_ROOF (RW_STREET_NONE - 1u)
#define RW_SHADOW_PATH_THROUGH (RW_STREET_NONE - 2u)

/* What the terrain takes from every way: its part of the loss over the roofs. */
RW_FN double rw_shadow_ground_db(const struct rw_shadow_path_loss_args *args, size_t at)
{
    return args->ground_db ? (double)args->ground_db[at] : 0.0;
}

/* Loss over the roofs beyond what the terrain takes. */
RW_FN double rw_shadow_buildings_db(const struct rw_shadow_path_loss_args *args, const rw_shadow_source *source,
                                    size_t at)
{
    return source->roof_scale * ((double)args->roof_db[at] - rw_shadow_ground_db(args, at));
}

/* Losses over hills, without houses and what a smooth earth costs, from which and up to which ways round corners fade:
 * behind a hill the wave comes from above. They belong to nu = -0.4 and nu = 0 of an edge, so that the ways have gone
 * where the corners themselves fall into the hill's shadow. */
#define RW_SHADOW_STREETS_FADE_DB 6.4
#define RW_SHADOW_STREETS_END_DB 12.4

RW_FN double rw_shadow_street_fade_db(double hills_db)
{
    double left = (RW_SHADOW_STREETS_END_DB - hills_db) / (RW_SHADOW_STREETS_END_DB - RW_SHADOW_STREETS_FADE_DB);
    return left >= 1.0 ? 0.0 : left > 1e-9 ? -10.0 * log10(left) : INFINITY;
}

RW_FN double rw_shadow_hills_db(const struct rw_shadow_path_loss_args *args, size_t at)
{
    return args->open_db ? (double)(args->open_db[at] - args->open_smooth_db[at]) : 0.0;
}

RW_FN int rw_shadow_streets_reach(const struct rw_shadow_path_loss_args *args, size_t at)
{
    return args->streets && !(rw_shadow_hills_db(args, at) >= RW_SHADOW_STREETS_END_DB);
}

/* Beyond the terrain's part of other ways: a wave through the walls has all of the terrain to cross. */
RW_FN double rw_shadow_through_db(const struct rw_shadow_path_loss_args *args, const rw_shadow_source *source,
                                  size_t at, uint32_t walls)
{
    double more_db = args->open_db ? (double)args->open_db[at] - rw_shadow_ground_db(args, at) : 0.0;
    return args->walls_db ? source->wall_scale * ((double)args->walls_db[at] + more_db)
                          : rw_multi_wall_loss_db(source->wall, (double)walls) + more_db;
}

/* The way through the walls, and over the roofs where they are only counted. A receiver out of sight behind no wall is
 * behind the ground, which nothing goes through. */
RW_FN void rw_shadow_try_counted(const struct rw_shadow_path_loss_args *args, const rw_shadow_source *source,
                                 double direct_db, size_t at, rw_strongest_paths *strongest)
{
    uint32_t walls = args->walls ? args->walls[at] : 0u;
    if (walls == 0u)
        return;
    if (args->through)
        rw_strongest_paths_add(strongest, (float)(direct_db + rw_shadow_through_db(args, source, at, walls)),
                               RW_SHADOW_PATH_THROUGH);
    if (args->roofs == RW_SHADOW_ROOFS_COUNTED)
        rw_strongest_paths_add(strongest,
                               (float)(direct_db + rw_counted_roofs_loss_db(source->roof_count_db, (double)walls)),
                               RW_SHADOW_PATH_ROOF);
}

/* The way over the roofs by the hull of the profile; returns how often it is deflected. */
RW_FN int rw_shadow_try_hull(const struct rw_shadow_path_loss_args *args, const rw_shadow_source *source,
                             rw_vec3 receiver, double foliage_db, rw_strongest_paths *strongest)
{
    rw_sight sight = rw_sight_of(&args->grid, receiver, source->at);
    rw_roof_path path;
    double length_m;
    rw_roof_path_find(&args->grid, &sight, &path);
    double over_db = rw_roof_deflections_db(&path, &sight, source->roof, &length_m) + foliage_db;
    rw_strongest_paths_add(strongest, (float)(rw_free_space_loss_db(length_m, source->wavelength_m) + over_db),
                           RW_SHADOW_PATH_ROOF);
    return path.count;
}

RW_FN double rw_shadow_direct_db(const rw_shadow_source *source, rw_vec3 receiver)
{
    return rw_free_space_loss_db(rw_vec3_length(rw_vec3_sub(source->at, receiver)), source->wavelength_m);
}

/* What trees take from the straight line. */
RW_FN double rw_shadow_foliage_db(const struct rw_shadow_path_loss_args *args, size_t at)
{
    return args->foliage_db ? (double)args->foliage_db[at] : 0.0;
}

/* What every path costs beside 20 log10 of its length in metres. Taken far away, where free space is free space at any
 * frequency. */
RW_FN float rw_shadow_metre_db(const rw_shadow_source *source)
{
    return (float)(rw_free_space_loss_db(1e6, source->wavelength_m) - 120.0);
}

/* The best path round corners of a receiver as one number, by which it is compared: loss first, then path. */
RW_FN uint64_t rw_shadow_street_key(float loss_db, uint32_t path)
{
    uint32_t bits = rw_float_bits(loss_db);
    bits = bits & 0x80000000u ? ~bits : bits | 0x80000000u; /* ordered as the numbers are */
    return (uint64_t)bits << 32 | path;
}

RW_FN float rw_shadow_key_loss_db(uint64_t key)
{
    uint32_t bits = (uint32_t)(key >> 32);
    return rw_bits_float(bits & 0x80000000u ? bits & 0x7fffffffu : ~bits);
}

#define RW_SHADOW_NO_KEY UINT64_MAX

/* What a way may lose against the others and still count where all kinds add: 0.01 dB. */
#define RW_SHADOW_NEGLIGIBLE_DB 26.0f

/* Where the best path round corners of a receiver comes from: it is there, or is searched for in the graph of corners,
 * or in their beams in the receiver plane. */
typedef enum rw_shadow_search { RW_SHADOW_FOUND, RW_SHADOW_IN_GRAPH, RW_SHADOW_IN_PLANE } rw_shadow_search;

RW_FN void rw_shadow_search_streets(const struct rw_shadow_path_loss_args *args, rw_shadow_search search, size_t index,
                                    size_t outdoor, rw_vec3 receiver, rw_street_slice slice,
                                    const rw_street_later *later, rw_strongest_paths *strongest)
{
    const rw_shadow_source *source = args->sources + index;
    float dx = (float)(receiver.x - source->at.x), dy = (float)(receiver.y - source->at.y);
    rw_street_receiver to = {receiver, (float)(receiver.z - source->at.z), rw_shadow_metre_db(source),
                             rw_berg_longest_m(sqrtf(dx * dx + dy * dy)), outdoor};
    if (search == RW_SHADOW_IN_PLANE)
        rw_street_find_in_plane(&args->street, index, &to, strongest);
    else
        rw_street_find(&args->street, index, outdoor, &to, slice, later, strongest);
}

/* What trees and air take from a path round corners, at the heights of the unfolded path or in the receiver plane. */
RW_RARE_FN double rw_street_medium_db(const struct rw_shadow_path_loss_args *args, size_t index, rw_vec3 receiver,
                                      uint32_t path)
{
    const rw_shadow_source *source = args->sources + index;
    const rw_street_path *paths = args->street.paths + index * args->street.capacity, *last = paths + path;
    const rw_corner *corners = args->street.graph.corners.items;
    double dx = receiver.x - corners[last->corner].x, dy = receiver.y - corners[last->corner].y;
    double slope = (receiver.z - source->at.z) / ((double)last->length_m + sqrt(dx * dx + dy * dy));
    rw_medium_path medium_path = rw_medium_start();
    rw_vec3 to = receiver;
    for (uint32_t i = path; i != RW_STREET_NONE; i = paths[i].before) {
        const rw_corner *corner = corners + paths[i].corner;
        double z = args->street.beams.used ? receiver.z : source->at.z + slope * (double)paths[i].length_m;
        rw_vec3 from = rw_vec3_of(corner->x, corner->y, z);
        rw_medium_go(&source->medium, &medium_path, from, to);
        to = from;
    }
    rw_medium_go(&source->medium, &medium_path, source->at, to);
    return rw_medium_loss_db(&source->medium, &medium_path, rw_vec3_length(rw_vec3_sub(receiver, source->at)));
}

/* Loss of the best path round corners with what lies on it: which one is the best does not depend on that. */
RW_FN float rw_street_with_medium_db(const struct rw_shadow_path_loss_args *args, size_t index, rw_vec3 receiver,
                                     float street_db, uint32_t path)
{
    return args->sources[index].medium.counts ? street_db + (float)rw_street_medium_db(args, index, receiver, path)
                                              : street_db;
}

/* The best way round corners beside those of other kinds; with the paper's polynomial the best few of them. Returns the
 * loss of a single one, infinite where none counts. */
RW_FN float rw_shadow_add_streets(const struct rw_shadow_path_loss_args *args, rw_shadow_search search, size_t index,
                                  size_t outdoor, rw_vec3 receiver, rw_street_slice slice, float fade_db,
                                  rw_strongest_paths *strongest, uint32_t *path)
{
    const rw_street_later *later = 0;
    if (args->best_count > 1 && !args->sources[index].berg) {
        rw_shadow_search_streets(args, search, index, outdoor, receiver, slice, later, strongest);
        return INFINITY;
    }
    rw_strongest_paths street = rw_strongest_paths_of(1);
    float negligible_db = args->best_count == 1 ? 0.0f : RW_SHADOW_NEGLIGIBLE_DB;
    street.bound_db = strongest->count ? strongest->best_db + negligible_db : street.bound_db;
    rw_shadow_search_streets(args, search, index, outdoor, receiver, slice, later, &street);
    if (!street.count)
        return INFINITY;
    float loss_db = rw_street_with_medium_db(args, index, receiver, street.best_db, street.best) + fade_db;
    rw_strongest_paths_add(strongest, loss_db, street.best);
    *path = street.best;
    return loss_db;
}

RW_FN rw_strongest_paths rw_shadow_strongest_paths(const struct rw_shadow_path_loss_args *args)
{
    return rw_strongest_paths_of(args->best_count ? args->best_count : RW_SHADOW_KINDS);
}

/* The loss of all mechanisms together, paths_db, and of it: free space, the ground's part, the smooth earth's part of
 * that, and foliage on the dominant path. */
typedef struct rw_shadow_parts {
    double paths_db, direct_db, ground_db, smooth_db, foliage_db;
} rw_shadow_parts;

RW_FN rw_compose_input rw_shadow_compose_input(const rw_wall_grid_view *grid, const rw_shadow_source *source,
                                               rw_vec3 receiver, rw_shadow_parts parts)
{
    rw_compose_input in = rw_prior_input(&source->prior, grid, source->at, receiver, parts.direct_db);
    in.excess_db = parts.paths_db - parts.direct_db - parts.ground_db - parts.foliage_db;
    in.ground_db = parts.smooth_db;
    in.other_db = parts.ground_db - parts.smooth_db + parts.foliage_db + source->offset_db;
    return in;
}

RW_FN double rw_shadow_composed_db(const rw_wall_grid_view *grid, const rw_shadow_source *source, rw_vec3 receiver,
                                   rw_shadow_parts parts)
{
    rw_compose_input in = rw_shadow_compose_input(grid, source, receiver, parts);
    return rw_compose(source->prior.rule, &in).loss_db;
}

/* Where link budgets are requested. sum NULL: the mechanism counts alone. */
RW_RARE_FN void rw_shadow_store_composition(const struct rw_shadow_path_loss_args *args, const rw_shadow_source *source,
                                            size_t at, rw_vec3 receiver, int rule, rw_shadow_parts parts,
                                            const rw_mechanism_sum *sum, rw_mechanism mechanism)
{
    rw_compose_input in = rw_shadow_compose_input(&args->grid, source, receiver, parts);
    rw_composition *composition = args->compositions + at;
    *composition = rw_composition_of(rule, &in);
    composition->terrain_db = parts.ground_db - parts.smooth_db;
    composition->foliage_db = parts.foliage_db;
    composition->offset_db = source->offset_db;
    if (sum)
        rw_composition_set_mechanisms(composition, sum, mechanism == RW_MECHANISM_SIGHT);
    else
        composition->fraction[mechanism] = composition->by_mechanisms = 1;
}

/* Of the terrain's part of the loss over the roofs, what a smooth earth takes. */
RW_FN double rw_shadow_smooth_db(const struct rw_shadow_path_loss_args *args, size_t at)
{
    return args->smooth_db ? (double)args->smooth_db[at] : 0.0;
}

/* Losses over roofs in sight from which on other ways count beside the straight one. */
#define RW_SHADOW_FADED_DB 0.05
/* Whether a receiver is looked at for other ways than the straight one: out of sight, and where roofs just below the
 * line take part of the wave. In full sight there is nothing but the straight wave, and nothing jumps between. */
RW_FN int rw_shadow_looks(const struct rw_shadow_path_loss_args *args, const rw_shadow_source *source, size_t at)
{
    int sees = args->los ? args->los[at] != 0 : args->walls[at] == 0u;
    if (!sees)
        return args->streets || args->roofs || args->through;
    return rw_shadow_streets_reach(args, at) && args->best_count == 0 &&
           (args->streets_alone ||
            (args->roofs == RW_SHADOW_ROOFS_SCREENS && rw_shadow_buildings_db(args, source, at) > RW_SHADOW_FADED_DB));
}

/* Factors of an ensemble's member; the prediction has ones. */
typedef struct rw_shadow_factors {
    double wall, street, foliage;
} rw_shadow_factors;

/* Whether all kinds of paths add by their powers: over the roofs by screens or none. */
RW_FN int rw_shadow_adds_kinds(const struct rw_shadow_path_loss_args *args)
{
    return args->best_count == 0 && (args->roofs == RW_SHADOW_ROOFS_SCREENS || args->roofs == RW_SHADOW_ROOFS_NONE);
}

/* Losses of the mechanisms beyond free space and terrain; street_db: the same of the path along streets. */
RW_FN rw_mechanism_losses rw_shadow_losses(const struct rw_shadow_path_loss_args *args, const rw_shadow_source *source,
                                           size_t at, int sees, double street_db, rw_shadow_factors factors)
{
    rw_mechanism_losses losses;
    uint32_t walls = args->walls ? args->walls[at] : 0u;
    double foliage_db = factors.foliage * rw_shadow_foliage_db(args, at);
    for (int i = 0; i < RW_MECHANISMS; i++) {
        losses.other_db[i] = INFINITY;
        losses.other_medium_db[i] = 0.0;
    }
    losses.first_db = INFINITY;
    if (args->roofs == RW_SHADOW_ROOFS_SCREENS)
        losses.first_db = rw_shadow_buildings_db(args, source, at);
    else if (sees && !args->streets_alone)
        losses.first_db = 0.0;
    losses.first_medium_db = sees || !args->roof_foliage_db ? (sees ? foliage_db : 0.0)
                                                            : factors.foliage * (double)args->roof_foliage_db[at];
    if (args->through && walls) {
        losses.other_db[RW_MECHANISM_WALL] = factors.wall * rw_shadow_through_db(args, source, at, walls);
        losses.other_medium_db[RW_MECHANISM_WALL] = foliage_db;
    }
    losses.other_db[RW_MECHANISM_STREET] = factors.street * street_db;
    return losses;
}

/* The ways that were kept, for who asks for several paths. */
RW_FN void rw_shadow_store_strongest(const struct rw_shadow_path_loss_args *args, size_t at,
                                     const rw_strongest_paths *strongest)
{
    uint32_t *stored = args->strongest + at * RW_STRONGEST_PATHS_MAX;
    float *stored_db = args->strongest_db + at * RW_STRONGEST_PATHS_MAX;
    for (int i = 0; i < RW_STRONGEST_PATHS_MAX; i++) {
        stored[i] = i >= strongest->count ? RW_STREET_NONE : i ? strongest->other[i - 1] : strongest->best;
        stored_db[i] = i >= strongest->count ? INFINITY : i ? strongest->other_db[i - 1] : strongest->best_db;
    }
}

/* Losses of the turns of a path round corners that ends at the receiver. */
RW_FN double rw_shadow_street_diffraction_db(const struct rw_shadow_path_loss_args *args, size_t index,
                                             uint32_t path_index, rw_vec3 receiver)
{
    const rw_street_path *path = args->street.paths + index * args->street.capacity + path_index;
    const rw_corner *corner = args->street.graph.corners.items + path->corner;
    float dx = (float)(receiver.x - corner->x), dy = (float)(receiver.y - corner->y), away = sqrtf(dx * dx + dy * dy);
    float angle_rad = rw_street_angle_rad(&args->street.beams, args->sources + index, path, dx / away, dy / away);
    return (double)path->loss_db + rw_deflection_loss_db(args->sources[index].street, (double)angle_rad);
}

/* Equation (20) as written: free space over the straight line, the turns of the best path round corners, the
 * deflections over the roofs, and the walls. street: that path, RW_STREET_NONE where there is none. direct_db: with the
 * foliage. */
RW_FN void rw_shadow_solve_terms(const struct rw_shadow_path_loss_args *args, size_t index, size_t at, rw_vec3 receiver,
                                 uint32_t street, double direct_db, double foliage_db)
{
    const rw_shadow_source *source = args->sources + index;
    uint32_t walls = args->walls ? args->walls[at] : 0u;
    double loss_db = direct_db;
    int bends = 0;
    if (street != RW_STREET_NONE) {
        loss_db += rw_shadow_street_diffraction_db(args, index, street, receiver);
        bends = args->street.paths[index * args->street.capacity + street].order;
    }
    if (args->roofs == RW_SHADOW_ROOFS_ANGLES) {
        rw_sight sight = rw_sight_of(&args->grid, receiver, source->at);
        rw_roof_path path;
        double length_m;
        rw_roof_path_find(&args->grid, &sight, &path);
        loss_db += rw_roof_deflections_db(&path, &sight, source->roof, &length_m);
        bends += path.count;
    }
    if (args->roofs == RW_SHADOW_ROOFS_COUNTED)
        loss_db += rw_counted_roofs_loss_db(source->roof_count_db, (double)walls);
    if (args->through)
        loss_db += rw_shadow_through_db(args, source, at, walls);
    args->path_loss_db[at] = (float)(loss_db + source->offset_db);
    args->mechanism[at] = (uint8_t)(street != RW_STREET_NONE ? RW_SHADOW_STREET
                                    : args->roofs            ? RW_SHADOW_ROOF
                                                             : RW_SHADOW_THROUGH);
    if (args->compositions) {
        rw_shadow_parts parts = {loss_db, direct_db - foliage_db, 0.0, 0.0, foliage_db};
        rw_shadow_store_composition(args, source, at, receiver, RW_COMPOSE_SUM, parts, 0,
                                    (rw_mechanism)args->mechanism[at]);
    }
    args->deflections[at] = (uint8_t)(bends < 255 ? bends : 255);
    if (args->street_paths)
        args->street_paths[at] = street;
}

/* The best paths round corners are searched for, or have been found before: street_keys. search and angles are
 * constants where this is called, so that no form carries the registers of another. */
RW_FN void rw_shadow_solve(const struct rw_shadow_path_loss_args *args, size_t item, int angles,
                           rw_shadow_search search, const uint64_t *street_keys)
{
    item += args->first_item;
    size_t index = item / args->receivers.outdoor_count, outdoor = item - index * args->receivers.outdoor_count;
    size_t cell = args->receivers.outdoor[outdoor];
    size_t at = index * args->receivers.columns * args->receivers.rows + cell;
    const rw_shadow_source *source = args->sources + index;
    rw_vec3 receiver = rw_receiver_point(&args->receivers, cell);
    double direct_db = rw_shadow_direct_db(source, receiver), ground_db = rw_shadow_ground_db(args, at);
    double base_db = direct_db + ground_db, smooth_db = rw_shadow_smooth_db(args, at);
    int screens = args->roofs == RW_SHADOW_ROOFS_SCREENS;
    double roof_db = screens ? rw_shadow_buildings_db(args, source, at) : 0.0;
    double foliage_db = rw_shadow_foliage_db(args, at);
    double roof_foliage_db = args->roof_foliage_db ? (double)args->roof_foliage_db[at] : 0.0;
    args->mechanism[at] = RW_SHADOW_SIGHT;
    args->deflections[at] = 0;
    if (args->street_paths)
        args->street_paths[at] = RW_STREET_NONE;
    if (args->street_db)
        args->street_db[at] = INFINITY;
    if (args->strongest)
        args->strongest[at * RW_STRONGEST_PATHS_MAX] = RW_STREET_NONE;
    if (!rw_shadow_looks(args, source, at)) {
        rw_shadow_parts parts = {base_db + roof_db + foliage_db, direct_db, ground_db, smooth_db, foliage_db};
        args->path_loss_db[at] = (float)rw_shadow_composed_db(&args->grid, source, receiver, parts);
        if (args->compositions)
            rw_shadow_store_composition(args, source, at, receiver, source->prior.rule, parts, 0, RW_MECHANISM_SIGHT);
        return;
    }
    int sees = args->los ? args->los[at] != 0 : args->walls[at] == 0u;
    rw_strongest_paths strongest = rw_shadow_strongest_paths(args);
    if (angles && args->all_terms) {
        rw_street_slice entire = {0, 1};
        if (args->streets)
            rw_shadow_search_streets(args, search, index, outdoor, receiver, entire, 0, &strongest);
        rw_shadow_solve_terms(args, index, at, receiver, strongest.count ? strongest.best : RW_STREET_NONE,
                              direct_db + foliage_db, foliage_db);
        return;
    }
    uint32_t walls = args->walls ? args->walls[at] : 0u;
    rw_shadow_try_counted(args, source, base_db + foliage_db, at, &strongest);
    int roofs = walls < 255u ? (int)walls : 255;
    if (angles && args->roofs == RW_SHADOW_ROOFS_ANGLES)
        roofs = rw_shadow_try_hull(args, source, receiver, roof_foliage_db, &strongest);
    if (screens) {
        roofs = args->roof_edges[at];
        roof_foliage_db = sees ? foliage_db : roof_foliage_db;
        rw_strongest_paths_add(&strongest, (float)(base_db + roof_db + roof_foliage_db), RW_SHADOW_PATH_ROOF);
    }
    rw_street_slice all = {0, 1};
    float street_db = INFINITY;
    uint32_t street_path = RW_STREET_NONE;
    float fade_db = (float)rw_shadow_street_fade_db(rw_shadow_hills_db(args, at));
    if (search == RW_SHADOW_FOUND && street_keys[item] != RW_SHADOW_NO_KEY) {
        street_db = fade_db + rw_street_with_medium_db(args, index, receiver, rw_shadow_key_loss_db(street_keys[item]),
                                                       (uint32_t)street_keys[item]);
        street_path = (uint32_t)street_keys[item];
        rw_strongest_paths_add(&strongest, street_db, street_path);
    }
    if (search != RW_SHADOW_FOUND && rw_shadow_streets_reach(args, at))
        street_db =
            rw_shadow_add_streets(args, search, index, outdoor, receiver, all, fade_db, &strongest, &street_path);
    if (args->street_db)
        args->street_db[at] = street_db;
    if (args->strongest && (!sees || args->strongest_in_sight))
        rw_shadow_store_strongest(args, at, &strongest);
    uint32_t path_index = strongest.count ? strongest.best : RW_SHADOW_PATH_THROUGH;
    /* Foliage on the best path is no loss by buildings. */
    double best_foliage_db = sees || path_index == RW_SHADOW_PATH_THROUGH ? foliage_db
                             : path_index == RW_SHADOW_PATH_ROOF          ? roof_foliage_db
                                                                          : 0.0;
    double paths_db = (double)rw_shadow_sum_db(&strongest);
    int adds_kinds = rw_shadow_adds_kinds(args);
    rw_mechanism_sum sum;
    if (adds_kinds) {
        rw_shadow_factors ones = {1.0, 1.0, 1.0};
        rw_mechanism_losses losses = rw_shadow_losses(args, source, at, sees, (double)street_db - base_db, ones);
        sum = rw_compose_sum(&losses);
        best_foliage_db = sum.medium_db;
        paths_db = base_db + sum.excess_db + sum.medium_db;
        path_index = sum.dominant == RW_MECHANISM_STREET             ? street_path
                     : sum.dominant == RW_MECHANISM_WALL || !screens ? RW_SHADOW_PATH_THROUGH
                                                                     : RW_SHADOW_PATH_ROOF;
    }
    rw_shadow_parts parts = {paths_db, direct_db, ground_db, smooth_db, best_foliage_db};
    args->path_loss_db[at] = (float)rw_shadow_composed_db(&args->grid, source, receiver, parts);
    if (args->compositions)
        rw_shadow_store_composition(args, source, at, receiver, source->prior.rule, parts, adds_kinds ? &sum : 0,
                                    sees                                   ? RW_MECHANISM_SIGHT
                                    : adds_kinds                           ? RW_MECHANISM_ROOFTOP
                                    : path_index == RW_SHADOW_PATH_THROUGH ? RW_MECHANISM_WALL
                                    : path_index == RW_SHADOW_PATH_ROOF    ? RW_MECHANISM_ROOFTOP
                                                                           : RW_MECHANISM_STREET);
    if (sees)
        return;
    args->mechanism[at] = (uint8_t)(path_index == RW_SHADOW_PATH_THROUGH ? RW_SHADOW_THROUGH
                                    : path_index == RW_SHADOW_PATH_ROOF  ? RW_SHADOW_ROOF
                                                                         : RW_SHADOW_STREET);
    if (path_index == RW_SHADOW_PATH_ROOF)
        args->deflections[at] = (uint8_t)roofs;
    if (args->mechanism[at] != RW_SHADOW_STREET)
        return;
    args->deflections[at] = args->street.paths[index * args->street.capacity + path_index].order;
    if (args->street_paths)
        args->street_paths[at] = path_index;
}

RW_FN void rw_shadow_path_loss_item(const struct rw_shadow_path_loss_args *args, size_t item)
{
    rw_shadow_solve(args, item, 0, RW_SHADOW_IN_GRAPH, 0);
}

/* The same where roofs have angles. */
struct rw_shadow_hull_loss_args {
    struct rw_shadow_path_loss_args all;
};

RW_FN void rw_shadow_hull_loss_item(const struct rw_shadow_hull_loss_args *args, size_t item)
{
    rw_shadow_solve(&args->all, item, 1, RW_SHADOW_IN_GRAPH, 0);
}

/* The same where corners lie in the receiver plane. */
struct rw_shadow_plane_loss_args {
    struct rw_shadow_path_loss_args all;
};

RW_FN void rw_shadow_plane_loss_item(const struct rw_shadow_plane_loss_args *args, size_t item)
{
    rw_shadow_solve(&args->all, item, 1, RW_SHADOW_IN_PLANE, 0);
}

#endif
