/* Launches the labels of a level stage by stage, for a GPU: one item is one ray over the steps of one stage, so that
 * all threads have the same to do however wide their labels' cones are. Rays that go on put what they split into on the
 * list of the next stage; where the list is full, they follow it themselves. The same rays as in launch.k.h, and since
 * the best of a label is the largest of its numbers, the same results. */
#ifndef RW_MODELS_CUBES_LAUNCH_RAYS_K_H
#define RW_MODELS_CUBES_LAUNCH_RAYS_K_H

#include "models/cubes/launch.k.h"

typedef struct rw_cube_ray_item {
    uint32_t id;   /* of the label */
    uint32_t node; /* as rw_launch_node takes it */
} rw_cube_ray_item;

typedef struct rw_cube_ray_list {
    rw_cube_ray_item *rays;
    uint32_t *count; /* those without a place too */
    uint32_t capacity;
} rw_cube_ray_list;

#define RW_CUBE_NO_RAY UINT32_MAX /* in place of an id: left free at the end of a full list */

RW_FN void rw_cube_put_ray(const rw_cube_ray_list *list, uint32_t place, uint32_t id, uint32_t node)
{
    rw_cube_ray_item ray = {id, node};
    list->rays[place] = ray;
}

/* Places for so many rays; 0 where there are not enough. */
RW_FN int rw_cube_take_rays(const rw_cube_ray_list *list, uint32_t count, uint32_t *first)
{
    *first = rw_shared_take(list->count, count);
    if (*first < list->capacity && list->capacity - *first >= count)
        return 1;
    for (uint32_t place = *first; place < list->capacity; place++)
        rw_cube_put_ray(list, place, RW_CUBE_NO_RAY, 0u);
    return 0;
}

/* Out of line: rare, and with a stack. */
RW_RARE_FN void rw_launch_split_here(rw_launch *launch, uint32_t node)
{
    rw_launch_count_rays(launch, 0, RW_CONE_STAGES_MAX);
    rw_launch_split(launch, node);
}

/* One item is one label: the rays it starts with. */
struct rw_cube_roots_args {
    rw_cube_search search;
    uint32_t first; /* label of item 0 in the search's list */
    rw_cube_ray_list next;
};

RW_FN void rw_cube_roots_item(const struct rw_cube_roots_args *args, size_t item)
{
    rw_launch launch;
    uint32_t place;
    if (!rw_launch_make(&args->search, args->search.list[args->first + item], &launch))
        return;
    rw_launch_count_rays(&launch, 0, 0);
    uint32_t all = rw_launch_root_count(&launch);
    int fits = rw_cube_take_rays(&args->next, all, &place);
    for (uint32_t ray = 0; ray < all; ray++) {
        uint32_t node = rw_launch_root(&launch, ray);
        if (fits)
            rw_cube_put_ray(&args->next, place + ray, launch.id, node);
        else
            rw_launch_split_here(&launch, node);
    }
}

/* One item is one ray of the list. */
struct rw_cube_rays_args {
    rw_cube_search search;
    const rw_cube_ray_item *rays;
    rw_cube_ray_list next;
};

RW_FN void rw_cube_rays_item(const struct rw_cube_rays_args *args, size_t item)
{
    rw_cube_ray_item ray = args->rays[item];
    int stage = (int)(ray.node >> 28);
    rw_launch launch;
    if (ray.id == RW_CUBE_NO_RAY)
        return;
    rw_launch_make(&args->search, ray.id, &launch);
    rw_launch_count_rays(&launch, stage, stage + 1);
    if (!rw_launch_node(&launch, ray.node))
        return;
    rw_launch_children children = rw_launch_children_of(&launch, ray.node);
    uint32_t place, count = (children.end_a - children.first_a) * (children.end_b - children.first_b);
    int fits = rw_cube_take_rays(&args->next, count, &place);
    for (uint32_t i = children.first_a; i < children.end_a; i++)
        for (uint32_t j = children.first_b; j < children.end_b; j++) {
            uint32_t node = (uint32_t)(stage + 1) << 28 | i << 14 | j;
            if (fits)
                rw_cube_put_ray(&args->next, place++, ray.id, node);
            else
                rw_launch_split_here(&launch, node);
        }
}

#endif
