/* Offices from a seed: rows of rooms along both sides of corridors, with doors and windows, on any number of storeys.
 *
 * Seen from above, corridors run along x, each with a row of rooms on both sides; where there are several, a cross
 * corridor in the middle joins them. Walls are panels: a wall with a door or window is the panels round the opening
 * and, in it, the glass or the closed door; an open door leaves the opening free. Floors and ceilings are meshes of two
 * triangles. */
#include "scene/generators/generate.h"
#include "base/options.h"

#include <stdio.h>

#define CORRIDOR_M 2.0
#define ROOM_WIDTH_M 5.0
#define DOOR_WIDTH_M 1.0
#define DOOR_HEIGHT_M 2.0
#define SILL_HEIGHT_M 0.875

/* What every step needs to know. */
typedef struct office_site {
    rw_scene *scene;
    rw_random random;
    double width_m, depth_m, floor_m, storey_height_m;
    int corridors;
    double cross_from_m, cross_to_m; /* the cross corridor; both the width where there is none */
} office_site;

/* A hole in a wall: from start_m to end_m along it, bottom_m to top_m above the floor. */
typedef struct opening {
    double start_m, end_m, bottom_m, top_m;
    const char *surface; /* in the hole; NULL: nothing */
} opening;

static rw_status add_constructions(rw_scene *scene)
{
    const rw_material air = {.size = sizeof air, .name = "air", .a = 1, .freq_max_hz = INFINITY};
    const size_t size = sizeof(rw_layer);
    const rw_layer outer[] = {{size, "itu_brick", 0.115}, {size, "itu_concrete", 0.175}};
    const rw_layer partition[] = {
        {size, "itu_plasterboard", 0.0125}, {size, "air", 0.075}, {size, "itu_plasterboard", 0.0125}};
    const rw_layer corridor[] = {
        {size, "itu_plasterboard", 0.0125}, {size, "itu_brick", 0.115}, {size, "itu_plasterboard", 0.0125}};
    const rw_layer window[] = {{size, "itu_glass", 0.004}, {size, "air", 0.016}, {size, "itu_glass", 0.004}};
    const rw_layer door[] = {{size, "itu_wood", 0.04}};
    const rw_layer floor[] = {{size, "itu_concrete", 0.22}, {size, "air", 0.3}, {size, "itu_ceiling_board", 0.015}};
    const rw_slab slabs[] = {{sizeof *slabs, "outer_wall", outer, 2},
                             {sizeof *slabs, "partition", partition, 3},
                             {sizeof *slabs, "corridor_wall", corridor, 3},
                             {sizeof *slabs, "window", window, 3},
                             {sizeof *slabs, "door", door, 1},
                             {sizeof *slabs, "floor", floor, 3}};
    RW_TRY(rw_scene_add_material(scene, &air));
    for (size_t i = 0; i < sizeof slabs / sizeof *slabs; i++)
        RW_TRY(rw_scene_add_slab(scene, &slabs[i]));
    return RW_OK;
}

/* The part of a wall from a to b along it and from bottom to top above the floor; nothing where that is empty. */
static rw_status add_office_panel(const office_site *office, rw_vec2 from, rw_vec2 along, opening piece)
{
    if (!(piece.end_m > piece.start_m) || !(piece.top_m > piece.bottom_m) || !piece.surface)
        return RW_OK;
    rw_vec2 a = rw_vec2_along(from, along, piece.start_m), b = rw_vec2_along(from, along, piece.end_m);
    rw_panel panel = {.size = sizeof panel,
                      .x0_m = rw_round_coordinate(a.x),
                      .y0_m = rw_round_coordinate(a.y),
                      .x1_m = rw_round_coordinate(b.x),
                      .y1_m = rw_round_coordinate(b.y),
                      .bottom_m = rw_round_coordinate(office->floor_m + piece.bottom_m),
                      .top_m = rw_round_coordinate(office->floor_m + piece.top_m),
                      .surface = piece.surface};
    return rw_scene_add_panel(office->scene, &panel);
}

/* A wall from floor to ceiling; hole may be NULL. */
static rw_status add_office_wall(const office_site *office, rw_vec2 from, rw_vec2 to, const char *surface,
                                 const opening *hole)
{
    double length_m = rw_vec2_distance(from, to), high_m = office->storey_height_m;
    rw_vec2 along = rw_vec2_unit(rw_vec2_sub(to, from));
    if (!hole)
        return add_office_panel(office, from, along, (opening){0, length_m, 0, high_m, surface});
    RW_TRY(add_office_panel(office, from, along, (opening){0, hole->start_m, 0, high_m, surface}));
    RW_TRY(add_office_panel(office, from, along, (opening){hole->end_m, length_m, 0, high_m, surface}));
    RW_TRY(add_office_panel(office, from, along, (opening){hole->start_m, hole->end_m, 0, hole->bottom_m, surface}));
    RW_TRY(add_office_panel(office, from, along, (opening){hole->start_m, hole->end_m, hole->top_m, high_m, surface}));
    return add_office_panel(office, from, along, *hole);
}

/* An outer wall with a window in its middle, as wide as the wall allows. */
static rw_status add_window_wall(const office_site *office, rw_vec2 from, rw_vec2 to)
{
    double length_m = rw_vec2_distance(from, to);
    double half_m = length_m > 4 ? 1.25 : length_m * 0.3;
    double top_m = office->storey_height_m - 0.5 < 2.25 ? office->storey_height_m - 0.5 : 2.25;
    opening window = {length_m / 2 - half_m, length_m / 2 + half_m, SILL_HEIGHT_M, top_m, "window"};
    return add_office_wall(office, from, to, "outer_wall", &window);
}

/* A wall with a door somewhere in it; some doors stand open. */
static rw_status add_door_wall(office_site *office, rw_vec2 from, rw_vec2 to, const char *surface, double open_chance)
{
    double length_m = rw_vec2_distance(from, to);
    double width_m = length_m > DOOR_WIDTH_M + 0.5 ? DOOR_WIDTH_M : length_m * 0.6;
    double high_m = office->storey_height_m - 0.25 < DOOR_HEIGHT_M ? office->storey_height_m - 0.25 : DOOR_HEIGHT_M;
    double start_m = (length_m - width_m) * rw_random_range(&office->random, 0.15, 0.85);
    int open = rw_random_chance(&office->random, open_chance);
    opening door = {start_m, start_m + width_m, 0, high_m, open ? NULL : "door"};
    return add_office_wall(office, from, to, surface, &door);
}

/* One row of rooms: corridor_m is the y of its wall with doors, back_m of the other one; back walls inside the building
 * are shared by two rows, and the northern one makes them. */
typedef struct room_row {
    double from_m, to_m, corridor_m, back_m;
} room_row;

static rw_status add_office_room(office_site *office, const room_row *row, double from_m, double to_m)
{
    int outside = row->back_m <= 0 || row->back_m >= office->depth_m;
    rw_vec2 back_from = rw_vec2_of(from_m, row->back_m), back_to = rw_vec2_of(to_m, row->back_m);
    RW_TRY(add_door_wall(office, rw_vec2_of(from_m, row->corridor_m), rw_vec2_of(to_m, row->corridor_m),
                         "corridor_wall", 0.3));
    if (outside)
        return add_window_wall(office, back_from, back_to);
    return row->back_m < row->corridor_m ? add_office_wall(office, back_from, back_to, "partition", NULL) : RW_OK;
}

/* The wall at an end of a row: a window wall where it is the building's, else plain. */
static rw_status add_row_end(office_site *office, const room_row *row, double at_m)
{
    rw_vec2 from = rw_vec2_of(at_m, row->back_m), to = rw_vec2_of(at_m, row->corridor_m);
    if (at_m <= 0 || at_m >= office->width_m)
        return add_window_wall(office, from, to);
    return add_office_wall(office, from, to, "corridor_wall", NULL);
}

static rw_status add_room_row(office_site *office, const room_row *row)
{
    double length_m = row->to_m - row->from_m, from_m = row->from_m;
    int rooms = (int)floor(length_m / ROOM_WIDTH_M + 0.5);
    rooms = rooms < 1 ? 1 : rooms;
    RW_TRY(add_row_end(office, row, row->from_m));
    for (int i = 1; i <= rooms; i++) {
        double shift = i < rooms ? rw_random_range(&office->random, -0.25, 0.25) : 0;
        double to_m = row->from_m + length_m * (i + shift) / rooms;
        RW_TRY(add_office_room(office, row, from_m, to_m));
        if (i < rooms)
            RW_TRY(add_office_wall(office, rw_vec2_of(to_m, row->back_m), rw_vec2_of(to_m, row->corridor_m),
                                   "partition", NULL));
        from_m = to_m;
    }
    return add_row_end(office, row, row->to_m);
}

/* Both ends of a corridor: an entrance at the first one on the ground floor, a window elsewhere. */
static rw_status add_corridor_ends(office_site *office, const rw_vec2 first[2], const rw_vec2 last[2], int entrance)
{
    if (entrance)
        RW_TRY(add_door_wall(office, first[0], first[1], "outer_wall", 0));
    else
        RW_TRY(add_window_wall(office, first[0], first[1]));
    return add_window_wall(office, last[0], last[1]);
}

static rw_status add_storey(office_site *office, int storey)
{
    double row_m = (office->depth_m - CORRIDOR_M * office->corridors) / (2 * office->corridors);
    double width_m = office->width_m, south_m = 0;
    int crossed = office->corridors > 1;
    for (int corridor = 0; corridor < office->corridors; corridor++) {
        double low_m = south_m + row_m, high_m = low_m + CORRIDOR_M;
        /* The northernmost wall is the building's, whatever the sum of the rows came to. */
        double north_m = corridor == office->corridors - 1 ? office->depth_m : high_m + row_m;
        for (int half = 0; half <= crossed; half++) {
            double from_m = half ? office->cross_to_m : 0, to_m = half || !crossed ? width_m : office->cross_from_m;
            RW_TRY(add_room_row(office, &(room_row){from_m, to_m, low_m, south_m}));
            RW_TRY(add_room_row(office, &(room_row){from_m, to_m, high_m, north_m}));
        }
        rw_vec2 west[2] = {{0, low_m}, {0, high_m}}, east[2] = {{width_m, low_m}, {width_m, high_m}};
        RW_TRY(add_corridor_ends(office, west, east, storey == 0));
        south_m = north_m;
    }
    if (!crossed)
        return RW_OK;
    rw_vec2 south[2] = {{office->cross_from_m, 0}, {office->cross_to_m, 0}};
    rw_vec2 north[2] = {{office->cross_from_m, office->depth_m}, {office->cross_to_m, office->depth_m}};
    return add_corridor_ends(office, south, north, storey == 0);
}

static rw_status add_office_level(const office_site *office, int level)
{
    char name[32];
    snprintf(name, sizeof name, "level %d", level);
    double x = rw_round_coordinate(office->width_m), y = rw_round_coordinate(office->depth_m);
    double z = rw_round_coordinate(level * office->storey_height_m);
    const double corners[] = {0, 0, z, x, 0, z, x, y, z, 0, y, z};
    const uint32_t triangles[] = {0, 1, 2, 0, 2, 3};
    rw_mesh mesh = {.size = sizeof mesh,
                    .name = name,
                    .xyz = corners,
                    .vertex_count = 4,
                    .triangles = triangles,
                    .triangle_count = 2,
                    .surface = "floor"};
    return rw_scene_add_mesh(office->scene, &mesh);
}

static rw_status make_office(const rw_office_options *options, rw_scene *scene)
{
    office_site office = {.scene = scene,
                          .random = rw_random_of(options->seed, 1),
                          .width_m = options->width_m,
                          .depth_m = options->depth_m,
                          .storey_height_m = options->storey_height_m,
                          .corridors = (int)floor(options->depth_m / 10 + 0.25)};
    office.corridors = office.corridors < 1 ? 1 : office.corridors;
    office.cross_from_m = (options->width_m - CORRIDOR_M) / 2;
    office.cross_to_m = office.cross_from_m + CORRIDOR_M;
    RW_TRY(add_constructions(scene));
    for (int storey = 0; storey < options->storeys; storey++) {
        office.floor_m = storey * options->storey_height_m;
        RW_TRY(add_office_level(&office, storey));
        RW_TRY(add_storey(&office, storey));
    }
    return add_office_level(&office, options->storeys);
}

void rw_office_options_init_sized(rw_office_options *options, size_t size)
{
    const rw_office_options own = {.width_m = 40, .depth_m = 20, .storey_height_m = 3, .storeys = 1, .seed = 1};
    rw_defaults_copy(&own, sizeof own, options, size);
}

rw_status rw_generate_office(rw_context *context, const rw_office_options *options, rw_scene **scene)
{
    *scene = NULL;
    rw_office_options chosen;
    rw_office_options_init(&chosen);
    RW_TRY(RW_RESOLVE(context, options, &chosen));
    RW_TRY(rw_check_length(context, "width", chosen.width_m, 6, 2000));
    RW_TRY(rw_check_length(context, "depth", chosen.depth_m, 6, 2000));
    RW_TRY(rw_check_length(context, "storey height", chosen.storey_height_m, 2, 20));
    if (chosen.storeys < 1 || chosen.storeys > 200)
        return rw_fail(context, RW_BAD_CALL, "%d storeys are not possible; 1 to 200 are", chosen.storeys);
    rw_scene *new_scene;
    RW_TRY(rw_scene_create(context, &new_scene));
    rw_status status = make_office(&chosen, new_scene);
    if (status != RW_OK) {
        rw_scene_destroy(new_scene);
        return status;
    }
    *scene = new_scene;
    return RW_OK;
}
