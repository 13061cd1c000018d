/* The best paths round corners to one receiver, of all that end at a corner it sees. */
#ifndef RW_MODELS_SHADOW_STREETS_STREET_BEST_K_H
#define RW_MODELS_SHADOW_STREETS_STREET_BEST_K_H

#include "models/shadow/streets/street_paths.k.h"
#include "models/shadow/strongest_paths.k.h"

/* Whether two corners see each other at these altitudes: mostly known from the highest thing between, and else marched
 * for; -1 where it must not be. */
RW_FN int rw_street_leg_clear(const rw_street_graph_view *graph, const rw_corner *first, float first_z,
                              const rw_corner *second, float second_z, float highest, int may_march)
{
    float low = first_z < second_z ? first_z : second_z, high = first_z > second_z ? first_z : second_z;
    if (low >= highest)
        return 1;
    if (high < highest)
        return 0;
    if (!may_march)
        return -1;
    rw_sight sight = rw_sight_to_corner(graph, rw_vec3_of(first->x, first->y, (double)first_z), second);
    return rw_height_march(&graph->grid, &sight, second_z).min_z_m <= second_z;
}

/* Whether the line along the unfolded path, slope metres up for each metre of it, is clear on every leg after the
 * first. The first leg and the edges have limited the slope already. -1 as above. */
RW_FN int rw_street_legs_clear(const rw_street_view *street, size_t source, uint32_t index, float slope, int may_march)
{
    const rw_street_path *paths = street->paths + source * street->capacity, *path = paths + index;
    float start = (float)street->sources[source].at.z;
    int answer = 1;
    while (!path->legs_clear && path->before != RW_STREET_NONE) {
        const rw_street_path *before = paths + path->before;
        int clear = rw_street_leg_clear(&street->graph, street->graph.corners.items + before->corner,
                                        start + slope * before->length_m, street->graph.corners.items + path->corner,
                                        start + slope * path->length_m, path->highest_m, may_march);
        if (clear == 0)
            return 0;
        answer = clear < 0 ? -1 : answer;
        path = before;
    }
    return answer;
}

/* Free-space loss over a length in plan that rises by rise_m; constant_db is that of 1 m. */
RW_FN float rw_street_free_space_db(float length_m, float rise_m, float constant_db)
{
    return 10.0f * log10f(length_m * length_m + rise_m * rise_m) + constant_db;
}

typedef struct rw_street_receiver {
    rw_vec3 at;
    float rise_m;      /* from the source to the receiver */
    float constant_db; /* free space over 1 m, and what is added to every path */
    float longest_m;   /* of a path in plan, by Berg's recursion */
    size_t outdoor;    /* its place in the list of outdoor cells */
} rw_street_receiver;

/* A path round corners that is the best so far if a march finds its legs clear. */
typedef struct rw_street_open {
    uint32_t item, path;
    float loss_db, slope;
} rw_street_open;

/* Where marches must wait: a list for them, of the receiver that is being solved. */
typedef struct rw_street_later {
    rw_street_open *list;
    uint32_t *count; /* those without a place too */
    uint32_t capacity;
    uint32_t item;
} rw_street_later;

RW_FN void rw_street_defer(const rw_street_later *later, uint32_t path, float loss_db, float slope)
{
    rw_street_open open = {later->item, path, loss_db, slope};
    uint32_t index = rw_shared_reserve(later->count, 1);
    if (index < later->capacity)
        later->list[index] = open;
}

/* The least altitude at a corner from which a receiver is seen, as a code: by its list of corners. */
RW_FN uint16_t rw_street_height_at(const rw_street_graph_view *graph, size_t outdoor, uint32_t corner)
{
    for (uint32_t run = graph->run_heads[outdoor / RW_CHUNK]; run != RW_STREET_NONE; run = graph->runs[run].next)
        for (uint32_t i = graph->runs[run].first; i < graph->runs[run].first + graph->runs[run].count; i++)
            if (graph->entry_corners[i] == corner)
                return graph->heights[(size_t)i * RW_CHUNK + outdoor % RW_CHUNK];
    return (uint16_t)RW_HEIGHT_CODE_NEVER;
}

/* Equation (9): what the corner before sees, on the path that ends there, is no part of the beam of the last one. */
RW_FN int rw_street_seen_before(const rw_street_view *street, size_t source, const rw_street_path *path,
                                const rw_street_receiver *receiver)
{
    if (path->before == RW_STREET_NONE)
        return 0;
    const rw_street_path *before = street->paths + source * street->capacity + path->before;
    uint16_t height = rw_street_height_at(&street->graph, receiver->outdoor, before->corner);
    if (height == RW_HEIGHT_CODE_NEVER)
        return 0;
    const rw_corner *corner = street->graph.corners.items + before->corner;
    float dx = (float)(receiver->at.x - corner->x), dy = (float)(receiver->at.y - corner->y);
    float length = before->length_m + sqrtf(dx * dx + dy * dy);
    float z = (float)street->sources[source].at.z + receiver->rise_m * before->length_m / length;
    return z >= rw_height_decode(&street->graph, height) && z >= corner->bottom && z <= corner->top;
}

/* All paths to one corner, continued to the receiver. Legs are marched for where later is NULL. */
RW_FN void rw_street_try_corner(const rw_street_view *street, size_t source, const rw_street_receiver *receiver,
                                uint32_t number, uint16_t height, const rw_street_later *later,
                                rw_strongest_paths *best)
{
    const rw_street_reached *reached = street->reached + source * street->graph.corners.count + number;
    const rw_corner *corner = street->graph.corners.items + number;
    float dx = (float)(receiver->at.x - corner->x), dy = (float)(receiver->at.y - corner->y);
    float distance = sqrtf(dx * dx + dy * dy);
    if (!(distance > 0.0f))
        return;
    float min_z = rw_height_decode(&street->graph, height), start = (float)street->sources[source].at.z;
    float min_db = street->sources[source].street_min_db;
    float nearest_db = rw_street_free_space_db(rw_bits_float(reached->length_bits) + distance, receiver->rise_m,
                                               receiver->constant_db) +
                       min_db;
    for (uint32_t i = reached->head; i != RW_STREET_NONE;) {
        const rw_street_path *path = street->paths + source * street->capacity + i;
        if (!(path->loss_db + nearest_db < best->bound_db)) /* nor any after it */
            return;
        float length = path->length_m + distance, slope = receiver->rise_m / length;
        int fits = !path->dominated && slope >= path->slope_low && slope <= path->slope_high &&
                   start + slope * path->length_m >= min_z;
        float straight_db =
            fits ? path->loss_db + rw_street_free_space_db(length, receiver->rise_m, receiver->constant_db) : 0.0f;
        if (fits && straight_db + min_db < best->bound_db) {
            float angle_rad = rw_direction_angle_rad(path->dx, path->dy, dx / distance, dy / distance);
            float loss_db =
                straight_db + (float)rw_deflection_loss_db(street->sources[source].street, (double)angle_rad);
            int clear = loss_db < best->bound_db && !rw_street_seen_before(street, source, path, receiver)
                            ? rw_street_legs_clear(street, source, i, slope, !later)
                            : 0;
            if (clear > 0)
                rw_strongest_paths_add(best, loss_db, i);
            if (clear < 0)
                rw_street_defer(later, i, loss_db, slope);
        }
        i = path->next;
    }
}

/* Berg's distance whose loss is a bound. */
RW_FN float rw_street_bound_m(const rw_street_receiver *receiver, float bound_db)
{
    float square = bound_db < 1e3f ? powf(10.0f, 0.1f * (bound_db - receiver->constant_db)) : 1e30f;
    square -= receiver->rise_m * receiver->rise_m;
    return square > 0.0f ? sqrtf(square) : 0.0f;
}

/* The same by Berg's recursion: distances are compared, and of most paths not even the turn is needed. */
RW_FN void rw_street_try_berg(const rw_street_view *street, size_t source, const rw_street_receiver *receiver,
                              uint32_t number, uint16_t height, const rw_street_later *later, rw_strongest_paths *best)
{
    const rw_street_reached *reached = street->reached + source * street->graph.corners.count + number;
    const rw_corner *corner = street->graph.corners.items + number;
    float dx = (float)(receiver->at.x - corner->x), dy = (float)(receiver->at.y - corner->y);
    float distance = sqrtf(dx * dx + dy * dy), q90 = street->sources[source].q90;
    if (!(distance > 0.0f) || rw_corner_side(corner, (double)dx, (double)dy) == 0)
        return;
    float min_z = rw_height_decode(&street->graph, height), start = (float)street->sources[source].at.z;
    if (min_z > corner->ground + street->sources[source].street_depth_m)
        return;
    for (uint32_t i = reached->head; i != RW_STREET_NONE;) {
        const rw_street_path *path = street->paths + source * street->capacity + i;
        if (!(path->loss_db + distance < best->bound_m)) /* nor any after it */
            return;
        float length = path->length_m + distance, slope = receiver->rise_m / length;
        int fits = !path->dominated && path->loss_db + path->factor * distance < best->bound_m &&
                   length <= receiver->longest_m && slope >= path->slope_low && slope <= path->slope_high &&
                   start + slope * path->length_m >= min_z &&
                   rw_corner_taut(corner, (double)path->dx, (double)path->dy, (double)dx, (double)dy);
        if (fits) {
            rw_berg before = {path->loss_db, path->factor};
            float angle_rad = rw_direction_angle_rad(path->dx, path->dy, dx / distance, dy / distance);
            float illusory_m = rw_berg_diffract(before, q90, angle_rad, distance).distance_m;
            int clear = illusory_m < best->bound_m ? rw_street_legs_clear(street, source, i, slope, !later) : 0;
            float loss_db = clear ? rw_street_free_space_db(illusory_m, receiver->rise_m, receiver->constant_db) : 0.0f;
            if (clear > 0) {
                rw_strongest_paths_add(best, loss_db, i);
                best->bound_m = illusory_m;
            }
            if (clear < 0)
                rw_street_defer(later, i, loss_db, slope);
        }
        i = path->next;
    }
}

/* Entries that are read together, so that their loads overlap. */
#define RW_STREET_GROUP 8

/* Entries first to first + count - 1 of a run; 0 where none after them can be of use. */
RW_FN int rw_street_try_group(const rw_street_view *street, size_t source, size_t lane, size_t first, uint32_t count,
                              const rw_street_receiver *receiver, const rw_street_later *later,
                              rw_strongest_paths *best)
{
    const rw_street_graph_view *graph = &street->graph;
    const rw_street_reached *reached = street->reached + source * graph->corners.count;
    uint32_t corners[RW_STREET_GROUP], heads[RW_STREET_GROUP];
    if (graph->sorted && rw_height_decode(graph, graph->entry_lows[first]) > rw_street_high(street, source))
        return 0;
    for (uint32_t i = 0; i < RW_STREET_GROUP; i++)
        corners[i] = i < count ? graph->entry_corners[first + i] : 0u;
    for (uint32_t i = 0; i < RW_STREET_GROUP; i++)
        heads[i] = i < count ? reached[corners[i]].head : RW_STREET_NONE;
    for (uint32_t i = 0; i < RW_STREET_GROUP; i++) {
        if (heads[i] == RW_STREET_NONE)
            continue;
        uint16_t height = graph->heights[(first + i) * RW_CHUNK + lane];
        if (height == RW_HEIGHT_CODE_NEVER)
            continue;
        if (street->sources[source].berg)
            rw_street_try_berg(street, source, receiver, corners[i], height, later, best);
        else
            rw_street_try_corner(street, source, receiver, corners[i], height, later, best);
    }
    return 1;
}

/* What a search takes of a receiver's list: groups of entries share, share + shares and so on. */
typedef struct rw_street_slice {
    uint32_t start, stride;
} rw_street_slice;

/* outdoor is the receiver's place in the list of outdoor cells. */
RW_FN void rw_street_find(const rw_street_view *street, size_t source, size_t outdoor,
                          const rw_street_receiver *receiver, rw_street_slice slice, const rw_street_later *later,
                          rw_strongest_paths *best)
{
    const rw_street_graph_view *graph = &street->graph;
    best->bound_m = street->sources[source].berg ? rw_street_bound_m(receiver, best->bound_db) : 0.0f;
    for (uint32_t run = graph->run_heads[outdoor / RW_CHUNK]; run != RW_STREET_NONE; run = graph->runs[run].next) {
        uint32_t count = graph->runs[run].count;
        for (uint32_t i = slice.start * RW_STREET_GROUP; i < count; i += slice.stride * RW_STREET_GROUP)
            if (!rw_street_try_group(street, source, outdoor % RW_CHUNK, (size_t)graph->runs[run].first + i, count - i,
                                     receiver, later, best))
                break;
    }
}

#endif
