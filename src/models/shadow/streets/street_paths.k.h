/* Paths round street corners, level by level: every sequence of corners from a source, and what it has cost so far.
 *
 * After section 5.3 of Rick and Kuhlen (2010): the corners a source sees and that bend its wave are its diffraction
 * sources, equations (5) to (8); each of them is a source for the next level. A path turns by the angle in plan, which
 * is the change of direction across the vertical edge, equation (18). Its heights are those of the straight line along
 * the unfolded path from source to receiver, so they are known only when the receiver is: until then each leg keeps
 * what it asks of them.
 *
 * A path can be left out where another one to the same corner is no longer and costs so much less that the difference
 * of their directions cannot make up for it: then no continuation of it can be the best, whichever way it goes on, as
 * long as the other can go on wherever it can. Where the best few are asked for, as many others must be better.
 *
 * What a path costs is the paper's polynomial in each turn or Berg's recursion (field/paths/berg.k.h), which counts the
 * reflections along streets; it is for the strongest path alone, and looks at heights only where a leg is not clear.
 *
 * As the paper has it, by name (beams.used): every corner lies in the receiver plane, so that the first leg falls from
 * the source into the plane and all others are level; lengths and turns are those in space. */
#ifndef RW_MODELS_SHADOW_STREETS_STREET_PATHS_K_H
#define RW_MODELS_SHADOW_STREETS_STREET_PATHS_K_H

#include "models/shadow/source.k.h"
#include "visibility/streets/corner_beams.k.h"
#include "visibility/streets/street_graph.k.h"

typedef struct rw_street_path {
    uint32_t corner;             /* where it ends so far */
    uint32_t before;             /* path to the corner before; RW_STREET_NONE at the source */
    uint32_t next;               /* path to the same corner, of no smaller loss_db */
    float length_m;              /* in plan; where corners lie in the receiver plane, in space */
    float loss_db;               /* of the turns before this corner; with Berg's recursion its distance in metres */
    float factor;                /* Berg's; of no use to the polynomial */
    float dx, dy;                /* direction in which it arrives, of length 1: in plan or in space, as length_m */
    float highest_m;             /* top of the highest thing on the last leg; of no use on the first */
    float slope_low, slope_high; /* metres up for each metre of the unfolded path: what edges and first leg allow */
    uint8_t order;               /* corners so far */
    uint8_t legs_clear;          /* nothing on the legs but the first is as high as any path goes */
    uint8_t dominated;
    uint8_t unused;
} rw_street_path;

/* What is known of the paths to one corner. */
typedef struct rw_street_reached {
    uint32_t head;        /* the path of least loss */
    uint32_t length_bits; /* no path has a smaller length_m (bits of a float) */
} rw_street_reached;

/* The paths of a batch of sources. */
typedef struct rw_street_view {
    rw_street_graph_view graph;
    const rw_shadow_source *sources;
    size_t source_count;
    size_t capacity; /* paths of a source */
    rw_street_path *paths;
    uint32_t *counts;           /* paths of each source; beyond capacity where some were lost */
    uint32_t *level_firsts;     /* first path of the present level, of each source */
    rw_street_reached *reached; /* corners of each source */
    uint32_t *wanted;           /* of each corner: 1 where some source reaches it; NULL: not needed */
    uint32_t *wanted_list;      /* these corners, in any order */
    uint32_t *wanted_count;     /* how many they are */
    uint32_t *grown_list;       /* those of them at which a path wants more receivers than are there, in any order */
    uint32_t *grown_count;
    int best_count;             /* how many of the best paths to a receiver are asked for */
    int few;                    /* 1: only RW_STREET_RIVALS paths of a corner go on, of many corners each */
    rw_corner_beams_view beams; /* used where corners lie in the receiver plane */
} rw_street_view;

RW_FN uint32_t rw_street_count(const rw_street_view *street, size_t source)
{
    uint32_t count = street->counts[source];
    return count < street->capacity ? count : (uint32_t)street->capacity;
}

/* Between which altitudes every path from the source to a receiver stays. */
RW_FN float rw_street_low(const rw_street_view *street, size_t source)
{
    float z = (float)street->sources[source].at.z, low = street->graph.receivers.low_m;
    return street->beams.used || z > low ? low : z;
}

RW_FN float rw_street_high(const rw_street_view *street, size_t source)
{
    float z = (float)street->sources[source].at.z, high = street->graph.receivers.high_m;
    return street->beams.used || z < high ? high : z;
}

/* Narrows the slopes of the unfolded path to those that meet the last corner between its ends; 0 where none is left.
 * min_m is what the last leg asks of the height at its end. */
RW_FN int rw_street_meets(const rw_street_view *street, size_t source, rw_street_path *path, float min_m)
{
    const rw_corner *corner = street->graph.corners.items + path->corner;
    if (street->beams.used)
        return corner->bottom <= street->beams.plane_m && corner->top >= street->beams.plane_m;
    float start = (float)street->sources[source].at.z, each = 1.0f / path->length_m;
    float bottom = corner->bottom > min_m ? corner->bottom : min_m;
    /* The receiver is no nearer than the corner, at an altitude between the lowest and the highest. */
    float down = (street->graph.receivers.low_m - start) * each, up = (street->graph.receivers.high_m - start) * each;
    float low = (bottom - start) * each, high = (corner->top - start) * each;
    down = down < 0.0f ? down : 0.0f;
    up = up > 0.0f ? up : 0.0f;
    low = down > low ? down : low;
    high = up < high ? up : high;
    path->slope_low = low > path->slope_low ? low : path->slope_low;
    path->slope_high = high < path->slope_high ? high : path->slope_high;
    return path->slope_low <= path->slope_high + 1e-6f;
}

RW_FN void rw_street_append(const rw_street_view *street, size_t source, rw_street_path path, float min_m)
{
    if (!rw_street_meets(street, source, &path, min_m))
        return;
    uint32_t index = rw_shared_reserve_of(&street->counts[source], 1);
    if (index < street->capacity)
        street->paths[source * street->capacity + index] = path;
}

/* Angle between two directions of length 1. */
RW_FN float rw_direction_angle_rad(float ax, float ay, float bx, float by)
{
    return atan2f(fabsf(ax * by - ay * bx), ax * bx + ay * by);
}

/* How far a path has sunk for each metre of its last leg: only where corners lie in the receiver plane, on the first.
 */
RW_FN float rw_street_fall(const rw_corner_beams_view *beams, const rw_shadow_source *source,
                           const rw_street_path *path)
{
    return beams->used && path->order == 1 ? ((float)source->at.z - beams->plane_m) / path->length_m : 0.0f;
}

/* Angle by which a path turns at its last corner, equation (18). (dx, dy) has length 1. */
RW_FN float rw_street_angle_rad(const rw_corner_beams_view *beams, const rw_shadow_source *source,
                                const rw_street_path *path, float dx, float dy)
{
    float fall = rw_street_fall(beams, source, path), cross = path->dx * dy - path->dy * dx;
    return fall == 0.0f ? rw_direction_angle_rad(path->dx, path->dy, dx, dy)
                        : atan2f(sqrtf(cross * cross + fall * fall), path->dx * dx + path->dy * dy);
}

/* Angle between the directions in which two paths arrive. */
RW_FN float rw_street_between_rad(const rw_corner_beams_view *beams, const rw_shadow_source *source,
                                  const rw_street_path *a, const rw_street_path *b)
{
    float fall_a = rw_street_fall(beams, source, a), fall_b = rw_street_fall(beams, source, b);
    if (fall_a == 0.0f && fall_b == 0.0f)
        return rw_direction_angle_rad(a->dx, a->dy, b->dx, b->dy);
    float x = a->dy * fall_b - fall_a * b->dy, y = fall_a * b->dx - a->dx * fall_b, z = a->dx * b->dy - a->dy * b->dx;
    return atan2f(sqrtf(x * x + y * y + z * z), a->dx * b->dx + a->dy * b->dy + fall_a * fall_b);
}

/* Whether a path of this length to a corner is longer than any receiver allows (rw_berg_longest_m), wherever it goes on
 * to: a receiver at the distance r from the source takes paths of at most 1.5 r + 300 m and is at least |d - r| from a
 * corner at the distance d. */
RW_FN int rw_street_too_long(const rw_shadow_source *source, const rw_corner *corner, float length_m)
{
    float farthest_m = source->street_farthest_m;
    if (!(farthest_m < INFINITY))
        return 0;
    float dx = (float)(corner->x - source->at.x), dy = (float)(corner->y - source->at.y);
    float away_m = sqrtf(dx * dx + dy * dy), spare_m = rw_berg_longest_m(farthest_m) - farthest_m + 0.1f;
    return away_m < farthest_m ? length_m - away_m > spare_m : length_m + away_m - 2.0f * farthest_m > spare_m;
}

/* First level: one item is one corner of one source. */
struct rw_street_start_args {
    rw_street_view street;
};

RW_FN void rw_street_start_item(const struct rw_street_start_args *args, size_t item)
{
    const rw_street_view *street = &args->street;
    size_t corners = street->graph.corners.count, source = item / corners, number = item - source * corners;
    const rw_corner *corner = street->graph.corners.items + number;
    rw_vec3 at = street->sources[source].at;
    float high = rw_street_high(street, source), max_z = corner->top < high ? corner->top : high;
    double longest_m = (double)street->sources[source].street_longest_m;
    float dx = (float)(corner->x - at.x), dy = (float)(corner->y - at.y);
    if (fabs(corner->x - at.x) > longest_m || fabs(corner->y - at.y) > longest_m || corner->bottom > high ||
        rw_street_too_long(street->sources + source, corner, sqrtf(dx * dx + dy * dy)) ||
        !rw_corner_bends(corner, at.x, at.y))
        return;
    rw_sight sight = rw_sight_to_corner(&street->graph, at, corner);
    rw_height_need need = rw_height_march(&street->graph.grid, &sight, max_z);
    float length = sqrtf(sight.dx * sight.dx + sight.dy * sight.dy);
    if (!(need.min_z_m <= max_z) || !(length > 0.0f) || length > street->sources[source].street_longest_m)
        return;
    if (street->beams.used) {
        float fall_m = (float)at.z - street->beams.plane_m;
        length = sqrtf(length * length + fall_m * fall_m);
    }
    rw_street_path path;
    path.corner = (uint32_t)number;
    path.before = path.next = RW_STREET_NONE;
    path.length_m = length;
    path.loss_db = street->sources[source].berg ? length : 0.0f;
    path.factor = 1.0f;
    path.dx = sight.dx / length;
    path.dy = sight.dy / length;
    path.highest_m = path.slope_low = -RW_HEIGHT_ANY;
    path.slope_high = RW_HEIGHT_ANY;
    path.order = path.legs_clear = 1;
    path.dominated = path.unused = 0;
    rw_street_append(street, source, path, need.min_z_m);
}

/* Next level: one item is one link of the graph and one source; paths of the present level go on along it. */
struct rw_street_extend_args {
    rw_street_view street;
    const uint32_t *level_ends; /* of each source: its paths before this level */
};

/* What a turn and the leg after it cost. */
RW_FN void rw_street_diffract(const rw_shadow_source *source, rw_street_path *path, float diffraction_rad,
                              float length_m)
{
    if (!source->berg) {
        path->loss_db += (float)rw_deflection_loss_db(source->street, (double)diffraction_rad);
        return;
    }
    rw_berg before = {path->loss_db, path->factor},
            after = rw_berg_diffract(before, source->q90, diffraction_rad, length_m);
    path->loss_db = after.distance_m;
    path->factor = after.factor;
}

/* Whether a path has lost so much against free space over the straight line that what goes over the roofs is
 * stronger wherever it leads. */
RW_FN int rw_street_beyond_reach(const rw_shadow_source *source, const rw_corner *corner, float illusory_m)
{
    double dx = corner->x - source->at.x, dy = corner->y - source->at.y;
    double ratio = (double)illusory_m * source->street_reach;
    return ratio * ratio > dx * dx + dy * dy;
}

RW_FN void rw_street_extend_path(const rw_street_view *street, size_t source, uint32_t index,
                                 const rw_corner_link *link)
{
    rw_street_path path = street->paths[source * street->capacity + index];
    const rw_corner *from = street->graph.corners.items + link->from, *to = street->graph.corners.items + link->to;
    float dx = (float)(to->x - from->x), dy = (float)(to->y - from->y), length = sqrtf(dx * dx + dy * dy);
    int back =
        path.before != RW_STREET_NONE && street->paths[source * street->capacity + path.before].corner == link->to;
    if (path.dominated || back || !(length > 0.0f) ||
        rw_street_too_long(street->sources + source, to, path.length_m + length))
        return;
    dx /= length;
    dy /= length;
    int berg = street->sources[source].berg;
    if (berg && (length > RW_BERG_LEG_MAX_M ||
                 link->highest > rw_link_tallest(street->sources[source].street_depth_m, from, to)))
        return;
    if (berg && !rw_corner_taut(from, (double)path.dx, (double)path.dy, (double)dx, (double)dy))
        return;
    rw_street_diffract(street->sources + source, &path,
                       rw_street_angle_rad(&street->beams, street->sources + source, &path, dx, dy), length);
    if (berg && rw_street_beyond_reach(street->sources + source, to, path.loss_db))
        return;
    path.corner = link->to;
    path.before = index;
    path.length_m += length;
    path.dx = dx;
    path.dy = dy;
    path.highest_m = link->highest;
    path.order++;
    path.legs_clear = (uint8_t)(path.legs_clear && link->highest <= rw_street_low(street, source));
    rw_street_append(street, source, path, -RW_HEIGHT_ANY);
}

RW_FN void rw_street_extend_item(const struct rw_street_extend_args *args, size_t item)
{
    const rw_street_view *street = &args->street;
    size_t source =
        street->source_count == 1 ? 0 : item / street->graph.link_count; /* a division for each link adds up */
    const rw_corner_link *link = street->graph.links + (item - source * street->graph.link_count);
    uint32_t i = street->reached[source * street->graph.corners.count + link->from].head;
    if (i == RW_STREET_NONE)
        return;
    float high = rw_street_high(street, source);
    if (street->graph.corners.items[link->to].bottom > high || link->highest > high)
        return;
    for (; i != RW_STREET_NONE; i = street->paths[source * street->capacity + i].next)
        if (i >= street->level_firsts[source] && i < args->level_ends[source])
            rw_street_extend_path(street, source, i, link);
}

/* Hangs the paths of a level into the lists of their corners, and notes where the next level's will begin: one item is
 * a share of the paths of one source. */
struct rw_street_list_args {
    rw_street_view street;
    uint32_t *next_firsts; /* of each source */
    size_t slices;
};

RW_FN void rw_street_list_item(const struct rw_street_list_args *args, size_t item)
{
    const rw_street_view *street = &args->street;
    size_t source = item / args->slices, slice = item - source * args->slices;
    rw_street_reached *reached = street->reached + source * street->graph.corners.count;
    uint32_t end = rw_street_count(street, source);
    if (slice == 0)
        args->next_firsts[source] = end;
    for (size_t i = street->level_firsts[source] + slice; i < end; i += args->slices) {
        rw_street_path *path = street->paths + source * street->capacity + i;
        path->next = rw_shared_exchange(&reached[path->corner].head, (uint32_t)i);
        rw_shared_lower(&reached[path->corner].length_bits, rw_float_bits(path->length_m));
        if (street->wanted && !rw_shared_exchange(street->wanted + path->corner, 1u))
            street->wanted_list[rw_shared_reserve(street->wanted_count, 1)] = path->corner;
    }
}

/* Order of the paths to a corner: by loss, then by length; the same on every run. */
RW_FN int rw_street_before(const rw_street_path *a, const rw_street_path *b)
{
    return a->loss_db < b->loss_db || (a->loss_db == b->loss_db && a->length_m <= b->length_m);
}

/* The corner of one source that an item is about: of those that paths reach where these are listed, else of all. */
RW_FN size_t rw_street_corner_of(const rw_street_view *street, size_t listed, size_t item, size_t *source)
{
    size_t corners = street->graph.corners.count, each = listed ? listed : corners;
    *source = street->source_count == 1 ? 0 : item / each;
    size_t index = item - *source * each;
    return *source * corners + (listed ? (size_t)street->wanted_list[index] : index);
}

/* Sorts the list of one corner, so that a search can stop early: one item is one corner of one source. Runs of twice
 * the length are merged in each turn. */
struct rw_street_sort_args {
    rw_street_view street;
    size_t listed; /* corners that paths reach; 0: all are gone through */
};

/* Merges two runs of at most run paths each, the first from head on, behind last; returns what comes after them. */
RW_FN uint32_t rw_street_merge(rw_street_path *paths, uint32_t first, uint32_t run, uint32_t *head, uint32_t *last)
{
    uint32_t second = first, first_left = 0, second_left = run;
    while (first_left < run && second != RW_STREET_NONE) {
        first_left++;
        second = paths[second].next;
    }
    while (first_left > 0 || (second_left > 0 && second != RW_STREET_NONE)) {
        int use_first = first_left > 0 && (second_left == 0 || second == RW_STREET_NONE ||
                                           rw_street_before(paths + first, paths + second));
        uint32_t chosen = use_first ? first : second;
        if (use_first) {
            first_left--;
            first = paths[first].next;
        } else {
            second_left--;
            second = paths[second].next;
        }
        if (*last == RW_STREET_NONE)
            *head = chosen;
        else
            paths[*last].next = chosen;
        *last = chosen;
    }
    return second;
}

RW_FN void rw_street_sort_item(const struct rw_street_sort_args *args, size_t item)
{
    const rw_street_view *street = &args->street;
    size_t source, at = rw_street_corner_of(street, args->listed, item, &source);
    rw_street_path *paths = street->paths + source * street->capacity;
    uint32_t head = street->reached[at].head, merges = 2;
    for (uint32_t run = 1; merges > 1; run *= 2) {
        uint32_t first = head, last = RW_STREET_NONE;
        head = RW_STREET_NONE;
        for (merges = 0; first != RW_STREET_NONE; merges++)
            first = rw_street_merge(paths, first, run, &head, &last);
        if (last != RW_STREET_NONE)
            paths[last].next = RW_STREET_NONE;
    }
    street->reached[at].head = head;
}

/* Whether a path cannot be better than one before it in the list, whichever way they go on. Where both go on to the
 * same receiver the shorter one is steeper, at most by the ratio of their lengths; it must be clear there too. */
RW_FN int rw_street_dominates(const rw_street_view *street, size_t index, const rw_street_path *better,
                              const rw_street_path *path)
{
    const rw_shadow_source *source = street->sources + index;
    if (source->berg) {
        rw_berg first = {better->loss_db, better->factor}, second = {path->loss_db, path->factor};
        return better->legs_clear >= path->legs_clear &&
               rw_berg_dominates(first, second, source->q90,
                                 rw_direction_angle_rad(better->dx, better->dy, path->dx, path->dy));
    }
    if (!better->legs_clear || better->length_m > path->length_m)
        return 0;
    float steeper = path->length_m / better->length_m;
    float low = path->slope_low < 0.0f ? path->slope_low * steeper : path->slope_low;
    float high = path->slope_high > 0.0f ? path->slope_high * steeper : path->slope_high;
    if (better->slope_low > low || better->slope_high < high)
        return 0;
    float angle_rad = rw_street_between_rad(&street->beams, source, better, path);
    return better->loss_db + source->street_slope_db * angle_rad <= path->loss_db;
}

/* Of the paths to a corner, this many of the best are looked at for one that dominates: more would find few. Where
 * paths may have many corners, by Berg's recursion or an order above RW_STREET_ALL_ORDER, what is not among these is
 * left out: their number would grow with every corner. */
#define RW_STREET_RIVALS 16
#define RW_STREET_ALL_ORDER 3

/* Whether a shorter path can go on wherever a longer one to the same corner can. The line sinks towards receivers below
 * the source, so that the shorter one is higher from here on: above all that the longer one is above, but perhaps above
 * the top of a further corner too. Towards receivers above the source it is lower, and nothing is sure. */
RW_FN int rw_street_shorter_continues(const rw_street_view *street, size_t source)
{
    float z = (float)street->sources[source].at.z;
    if (street->sources[source].berg || street->beams.used)
        return 1;
    return z >= street->graph.receivers.high_m && z <= street->graph.lowest_top_m;
}

/* Whether enough of the best paths to its corner are better. */
RW_FN int rw_street_is_dominated(const rw_street_view *street, size_t source, uint32_t head, uint32_t index)
{
    const rw_street_path *paths = street->paths + source * street->capacity;
    int better = 0;
    uint32_t i = head;
    int sure = rw_street_shorter_continues(street, source);
    for (int rivals = 0; rivals < RW_STREET_RIVALS && i != index && better < street->best_count; rivals++) {
        better += sure && rw_street_dominates(street, source, paths + i, paths + index);
        i = paths[i].next;
    }
    return better == street->best_count || (street->few && i != index);
}

/* Marks dominated paths of a level that another will follow: one item is a share of them. After the last level it would
 * not pay, since a search ends early in a sorted list, unless there are many corners. */
struct rw_street_prune_args {
    rw_street_view street;
    size_t slices;
};

RW_FN void rw_street_prune_item(const struct rw_street_prune_args *args, size_t item)
{
    const rw_street_view *street = &args->street;
    size_t source = item / args->slices, slice = item - source * args->slices;
    rw_street_reached *reached = street->reached + source * street->graph.corners.count;
    rw_street_path *paths = street->paths + source * street->capacity;
    uint32_t end = rw_street_count(street, source);
    if (!street->few && !rw_street_shorter_continues(street, source))
        return;
    for (size_t i = street->level_firsts[source] + slice; i < end; i += args->slices)
        paths[i].dominated =
            (uint8_t)rw_street_is_dominated(street, source, reached[paths[i].corner].head, (uint32_t)i);
}

/* Takes dominated paths out of the list of one corner, so that neither the next level nor a search meets them again:
 * one item is one corner of one source. */
struct rw_street_drop_args {
    rw_street_view street;
    size_t listed; /* as when they are sorted */
};

RW_FN void rw_street_drop_item(const struct rw_street_drop_args *args, size_t item)
{
    const rw_street_view *street = &args->street;
    size_t source, at = rw_street_corner_of(street, args->listed, item, &source);
    rw_street_path *paths = street->paths + source * street->capacity;
    uint32_t head = RW_STREET_NONE, last = RW_STREET_NONE;
    for (uint32_t i = street->reached[at].head; i != RW_STREET_NONE; i = paths[i].next) {
        if (paths[i].dominated)
            continue;
        if (last == RW_STREET_NONE)
            head = i;
        else
            paths[last].next = i;
        last = i;
    }
    if (last != RW_STREET_NONE)
        paths[last].next = RW_STREET_NONE;
    street->reached[at].head = head;
}

/* In which sector the paths to a corner can go on to receivers: one item is one corner that paths reach. */
struct rw_street_sectors_args {
    rw_street_view street;
    const rw_corner_sector *known;
    rw_corner_sector *wanted;
};

RW_FN void rw_street_sectors_item(const struct rw_street_sectors_args *args, size_t item)
{
    const rw_street_view *street = &args->street;
    uint32_t number = street->wanted_list[item];
    rw_corner_sector sector = args->known[number];
    for (size_t source = 0; source < street->source_count; source++) {
        const rw_street_path *paths = street->paths + source * street->capacity;
        for (uint32_t i = street->reached[source * street->graph.corners.count + number].head; i != RW_STREET_NONE;
             i = paths[i].next)
            if (!paths[i].dominated)
                rw_sector_add(street->graph.corners.items + number, paths[i].dx, paths[i].dy, &sector);
    }
    if (rw_sector_grow(args->known + number, &sector))
        street->grown_list[rw_shared_reserve(street->grown_count, 1)] = number;
    args->wanted[number] = sector;
}

#endif
