/* Launches the labels of a level stage by stage, for a GPU: the same rays as in launch.k.h, cut into small equal work.
 *
 * cube_roots makes the cones of a batch of labels and lists the rays they start with. cube_rays follows one ray over
 * the steps of one stage; it lists the cubes it comes through that hold something (hits), and, if it goes on, what it
 * splits into. cube_hits tests what is in one listed cube. So that a thread that walks needs few registers, and one
 * that tests has nothing to wait for. Where a list is full its count goes on, and the host does the batch again in two
 * halves: what a label or a receiver keeps is the largest of numbers, so nothing changes by doing it twice. */
#ifndef RW_MODELS_CUBES_LAUNCH_RAYS_K_H
#define RW_MODELS_CUBES_LAUNCH_RAYS_K_H

#include "models/cubes/launch.k.h"

/* A label of the batch. */
typedef struct rw_cube_launched {
    rw_cone cone;
    uint32_t id, open;
} rw_cube_launched;

typedef struct rw_cube_ray_item {
    uint32_t label; /* of the batch */
    uint32_t node;  /* as rw_walk_ray takes it */
} rw_cube_ray_item;

typedef struct rw_cube_hit {
    uint32_t label; /* of the batch */
    uint32_t cube;
} rw_cube_hit;

/* A list that is being filled. */
typedef struct rw_cube_ray_list {
    rw_cube_ray_item *rays;
    uint32_t *count; /* those without a place too */
    uint32_t capacity;
} rw_cube_ray_list;

typedef struct rw_cube_hit_list {
    rw_cube_hit *hits;
    uint32_t *count;
    uint32_t capacity;
    uint64_t *latest; /* hits of late, by their lowest bits mixed: neighbouring rays come through the same cubes */
} rw_cube_hit_list;

#define RW_CUBE_LATEST_BITS 22

/* Where the list is full nothing is written. */
RW_FN void rw_cube_append_ray(const rw_cube_ray_list *list, uint32_t slot, uint32_t label, uint32_t node)
{
    rw_cube_ray_item ray = {label, node};
    if (slot < list->capacity)
        list->rays[slot] = ray;
}

RW_FN void rw_cube_append_hit(const rw_cube_hit_list *list, uint32_t slot, uint32_t label, uint32_t cube)
{
    rw_cube_hit hit = {label, cube};
    if (slot < list->capacity)
        list->hits[slot] = hit;
}

/* One item is one label: its cone, and the rays it starts with. */
struct rw_cube_roots_args {
    rw_cube_search search;
    uint32_t first; /* label of item 0 in the search's list */
    rw_cube_launched *launched;
    rw_cube_ray_list next;
};

RW_FN void rw_cube_roots_item(const struct rw_cube_roots_args *args, size_t item)
{
    const rw_cube_search *search = &args->search;
    uint32_t id = search->list[args->first + item], state_after;
    const rw_cube_item *piece = &search->cubes.items[rw_cube_label_piece(search, id)];
    const rw_cube_element *element = &search->cubes.elements[piece->element];
    rw_cube_launched launched;
    int counts[2];
    if (!rw_cone_init(&launched.cone, element, piece, search->labels[id].from))
        return;
    launched.id = id;
    launched.open = rw_launch_open(search, id, element->kind, &state_after);
    args->launched[item] = launched;
    rw_cone_counts(&launched.cone, RW_CONE_FIRST_STEPS, counts);
    uint32_t all = rw_walk_root_count(&launched.cone, counts), slot = rw_shared_reserve(args->next.count, all);
    for (uint32_t ray = 0; ray < all; ray++)
        rw_cube_append_ray(&args->next, slot + ray, (uint32_t)item, rw_walk_root(counts, ray));
}

/* One item is one ray of the list. */
struct rw_cube_rays_args {
    rw_cube_search search;
    const rw_cube_launched *launched;
    const rw_cube_ray_item *rays;
    rw_cube_ray_list next;
    rw_cube_hit_list hits;
};

/* Whether a hit was listed lately. */
RW_FN int rw_cube_hit_again(const rw_cube_hit_list *list, uint32_t label, uint32_t cube)
{
    uint64_t hit = ((uint64_t)label << 32 | cube) + 1u; /* 0: none */
    uint32_t slot = (cube * 2654435761u ^ label * 2246822519u) >> (32 - RW_CUBE_LATEST_BITS);
    return rw_shared_exchange_long(&list->latest[slot], hit) == hit;
}

/* Lists the cubes of the steps whose bits are set. */
RW_FN void rw_cube_append_hits(const struct rw_cube_rays_args *args, uint32_t label, const rw_cube_ray *ray, int step,
                               uint32_t met)
{
    for (uint32_t rest = met; rest; rest &= rest - 1u) {
        int i;
        uint32_t word = rw_walk_word(&args->search.cubes, ray, step + (int)rw_lowest_bit(rest), &i);
        met ^= rw_cube_hit_again(&args->hits, label, word * 32u + (uint32_t)(i & 31)) ? rest & (0u - rest) : 0u;
    }
    if (!met)
        return;
    uint32_t slot = rw_shared_reserve(args->hits.count, rw_bit_count(met));
    for (; met; met &= met - 1u) {
        int i;
        uint32_t word = rw_walk_word(&args->search.cubes, ray, step + (int)rw_lowest_bit(met), &i);
        rw_cube_append_hit(&args->hits, slot++, label, word * 32u + (uint32_t)(i & 31));
    }
}

/* Of the steps met, those up to the first in a filled cube, and that one if it holds something too; 0 in going_on:
 * there is one. */
RW_FN uint32_t rw_cube_until_filled(const rw_cube_search *search, const rw_cube_ray *ray, int step, uint32_t met,
                                    int *going_on)
{
    uint32_t filled = rw_walk_look(&search->cubes, search->cubes.filled, ray, step);
    for (; filled; filled &= filled - 1u) {
        int end = (int)rw_lowest_bit(filled), i;
        uint32_t word = rw_walk_word(&search->cubes, ray, step + end, &i);
        if (!rw_walk_ends(search, ray, step + end, word, i))
            continue;
        uint32_t holds = rw_cube_bit(search->receivers.bits, word, i) | rw_cube_bit(search->pieces.bits, word, i);
        *going_on = 0;
        return (met & ((1u << end) - 1u)) | holds << end;
    }
    return met;
}

/* Follows a ray over its steps and lists what it meets; whether it goes on. */
RW_FN int rw_cube_walk_ray(const struct rw_cube_rays_args *args, uint32_t label, const rw_cube_ray *ray,
                           const uint32_t *occupied)
{
    const rw_cube_search *search = &args->search;
    int going_on = 1, first = 0;
    uint32_t met = 0; /* over up to 32 steps, from first on */
    for (int step = 0; step < ray->steps && going_on;) {
        int free_steps = rw_walk_free_steps(search, ray, step);
        if (free_steps > 0) {
            step += free_steps;
            continue;
        }
        uint32_t here = rw_walk_look(&search->cubes, occupied, ray, step);
        here = here ? rw_cube_until_filled(search, ray, step, here, &going_on) : 0u;
        if (met && step - first > 32 - RW_WALK_LOOK) {
            rw_cube_append_hits(args, label, ray, first, met);
            met = 0;
        }
        first = met ? first : step;
        met |= here << (step - first);
        step += RW_WALK_LOOK;
    }
    if (met)
        rw_cube_append_hits(args, label, ray, first, met);
    return going_on;
}

RW_FN void rw_cube_rays_item(const struct rw_cube_rays_args *args, size_t item)
{
    const rw_cube_search *search = &args->search;
    rw_cube_ray_item item_ray = args->rays[item];
    uint32_t stage = item_ray.node >> 28, label = item_ray.label;
    const rw_cube_launched *launched = &args->launched[label];
    uint32_t nodes[RW_CONE_TOGETHER];
    rw_walk_rays walk;
    int counts[2], next[2], first, last;
    for (int n = 0; n < RW_CONE_TOGETHER; n++)
        nodes[n] = item_ray.node;
    rw_walk_steps(stage, &first, &last);
    rw_cone_counts(&launched->cone, last, counts);
    rw_walk_set(&launched->cone, counts, nodes, &walk);
    if (first > 1 && rw_walk_in_sky(search, launched->open, &walk.rays, 0, first, last))
        return;
    rw_cube_ray ray = rw_walk_one(&walk, 0);
    if (first == 1 && rw_launch_starts_at_receivers(search, &ray))
        rw_cube_append_hits(args, label, &ray, 0, 1u);
    rw_walk_begin(&search->cubes, &ray, first, last);
    if (!rw_cube_walk_ray(args, label, &ray, rw_walk_occupied(search, launched->open)) ||
        ray.steps != last - first + 1 || stage + 1 >= RW_CONE_STAGES_MAX)
        return;
    rw_cone_counts(&launched->cone, 2 * last, next);
    rw_walk_children children = rw_walk_children_of(item_ray.node, counts, next);
    uint32_t count = (children.end_a - children.first_a) * (children.end_b - children.first_b);
    uint32_t slot = rw_shared_reserve(args->next.count, count);
    for (uint32_t i = children.first_a; i < children.end_a; i++)
        for (uint32_t j = children.first_b; j < children.end_b; j++)
            rw_cube_append_ray(&args->next, slot++, label, (stage + 1) << 28 | i << 14 | j);
}

/* One item is one cube that a ray came through. */
struct rw_cube_hits_args {
    rw_cube_search search;
    const rw_cube_launched *launched;
    const rw_cube_hit *hits;
};

RW_FN void rw_cube_hits_item(const struct rw_cube_hits_args *args, size_t item)
{
    rw_cube_hit hit = args->hits[item];
    rw_launch launch;
    rw_launch_init(&args->search, args->launched[hit.label].id, &launch);
    rw_launch_meet_cube(&launch, hit.cube / 32u, (int)(hit.cube % 32u));
}

#endif
