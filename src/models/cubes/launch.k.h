/* Launches the labels of a level: one item is one label, and its rays fill the deflection cone of its piece.
 *
 * The rays of a cone have two parameters: where on the piece they start (along it and up it for a reflection; along the
 * edge for a diffraction), and for a diffraction the angle round the edge, from straight on to the far face. They must
 * leave no cube out at any distance, so their number grows with it: every time the number of steps doubles, each ray
 * splits so that neighbours are again less than a cube apart, and goes on from where it was if it has not met a filled
 * cube. The number is derived from the widths of the cone there (rw_cone_counts). Whatever cube a ray comes through,
 * its receivers and pieces are tested exactly (turn.k.h). */
#ifndef RW_MODELS_CUBES_LAUNCH_K_H
#define RW_MODELS_CUBES_LAUNCH_K_H

#include "models/cubes/cone.k.h"

#define RW_LEAST_WAY 1.0f /* between two deflections: nearer edges are one */
#define RW_CONE_STRIDE 16 /* steps over empty air that are taken at once */

struct rw_cube_launch_args {
    rw_cube_search search;
};

/* Cubes that a label's rays met lately: neighbouring rays come through the same ones. On a GPU, where they are on other
 * threads, it is not worth its memory. */
#ifdef __CUDACC__
#define RW_LAUNCH_MET 1
#else
#define RW_LAUNCH_MET 256
#endif

/* What a label is launched with. */
typedef struct rw_launch {
    const rw_cube_search *search;
    const rw_cube_label *label;
    uint32_t id, state_after;
    int counts_after[RW_CUBE_KINDS];
    rw_cone cone;
    rw_turn_start start;
    uint32_t met[RW_LAUNCH_MET]; /* 1 + number of a cube, by the lowest bits of it */
} rw_launch;

/* Loss of the label's path, bent at its piece. */
RW_FN float rw_launch_loss_db(const rw_launch *launch, const rw_cube_turn *turn)
{
    const rw_cube_search *search = launch->search;
    float turned_db = rw_turn_loss_db(search->deflections, launch->cone.element->kind, turn->cosine);
    return rw_cube_loss_db(search->decibels_at_one, launch->label->before + turn->length,
                           launch->label->loss_db + turned_db);
}

RW_FN void rw_launch_meet_receivers(const rw_launch *launch, size_t word, int i)
{
    const rw_cube_search *search = launch->search;
    uint32_t first, end;
    rw_cube_list(&search->receivers, word, i, &first, &end);
    for (uint32_t n = first; n < end; n++) {
        uint32_t receiver = search->receivers.members[n];
        rw_cube_turn turn;
        if (rw_cube_turn_find(&launch->start, search->points + 3 * (size_t)receiver, &turn))
            rw_shared_max_long(&search->best[receiver], rw_cube_key(rw_launch_loss_db(launch, &turn), launch->id));
    }
}

RW_FN void rw_launch_meet_pieces(const rw_launch *launch, size_t word, int i)
{
    const rw_cube_search *search = launch->search;
    uint32_t first, end;
    rw_cube_list(&search->pieces, word, i, &first, &end);
    for (uint32_t n = first; n < end; n++) {
        const rw_cube_target *target = &search->targets[n];
        uint32_t kind = target->element >> 30;
        rw_cube_turn turn;
        if (launch->counts_after[kind] >= search->limits[kind] ||
            (target->element & 0x3fffffffu) == launch->cone.piece->element)
            continue;
        const float way[3] = {launch->cone.middle[0] - target->middle[0], launch->cone.middle[1] - target->middle[1],
                              launch->cone.middle[2] - target->middle[2]};
        if (kind == RW_CUBE_REFLECTION && rw_dot3(way, target->axis) < -1.0f)
            continue; /* seen from behind from every point of the launching piece */
        if (!rw_cube_turn_find(&launch->start, target->middle, &turn) ||
            rw_distance3(turn.at, target->middle) < RW_LEAST_WAY)
            continue;
        const rw_cube_item *piece = &search->cubes.items[target->number];
        if (rw_item_faces(&search->cubes.elements[piece->element], piece, turn.at))
            rw_shared_max_long(&search->keys[(size_t)target->number * search->states + launch->state_after],
                               rw_cube_key(rw_launch_loss_db(launch, &turn), launch->id));
    }
}

/* Out of line: the loop over empty cubes is the hot one. */
RW_RARE_FN void rw_launch_meet_cube(rw_launch *launch, size_t word, int i)
{
    if (RW_LAUNCH_MET > 1) {
        uint32_t cube = (uint32_t)word * 32u + (uint32_t)(i & 31), *met = &launch->met[(cube + word) % RW_LAUNCH_MET];
        if (*met == cube + 1u)
            return;
        *met = cube + 1u;
    }
    if (rw_cube_bit(launch->search->receivers.bits, word, i))
        rw_launch_meet_receivers(launch, word, i);
    if (rw_cube_bit(launch->search->pieces.bits, word, i))
        rw_launch_meet_pieces(launch, word, i);
}

/* Whether a rising ray and all that it splits into are above everything, from its first step to the end of the grid:
 * looked up in rectangles of doubling length, widened by what the split rays are apart. */
RW_FN int rw_launch_in_sky(const rw_launch *launch, const float start[3], const float way[3], int first, int last)
{
    const rw_cube_search *search = launch->search;
    const rw_cubes_view *cubes = &search->cubes;
    if (!(way[2] > 0.0f))
        return 0;
    for (int step = first;; step *= 2) {
        float beside = 2.0f + 2.0f * (float)step / (float)last;
        float low = start[2] + way[2] * (float)step - 2.0f - (float)step / (float)last;
        int from[2], to[2];
        const int sizes[2] = {cubes->columns, cubes->rows};
        if (low >= (float)cubes->layers)
            return 1;
        if (low < (float)search->receiver_top)
            return 0;
        for (int axis = 0; axis < 2; axis++) {
            float here = start[axis] + way[axis] * (float)step, there = start[axis] + way[axis] * (float)(2 * step);
            from[axis] = (int)floorf(fminf(here, there) - beside);
            to[axis] = (int)floorf(fmaxf(here, there) + beside);
            if (from[axis] >= sizes[axis] || to[axis] < 0)
                return 1; /* beyond the grid, and farther on still */
            from[axis] = from[axis] < 0 ? 0 : from[axis];
            to[axis] = to[axis] >= sizes[axis] ? sizes[axis] - 1 : to[axis];
        }
        if (low < (float)rw_cube_top(cubes, from[0], from[1], to[0], to[1]))
            return 0;
    }
}

/* Whether the next steps of a ray are above everything around them. Places are 16.16 fixed point. */
RW_FN int rw_launch_stride_free(const rw_cube_search *search, int x, int y, int z, const int way[3])
{
    const rw_cubes_view *cubes = &search->cubes;
    int end_x = (x + (RW_CONE_STRIDE - 1) * way[0]) >> 16, end_y = (y + (RW_CONE_STRIDE - 1) * way[1]) >> 16;
    int end_z = (z + (RW_CONE_STRIDE - 1) * way[2]) >> 16, low = z >> 16;
    low = end_z < low ? end_z : low;
    if (low < search->receiver_top || !rw_cube_in_grid(cubes, end_x, end_y, 0))
        return 0;
    x >>= 16;
    y >>= 16;
    int top =
        rw_cube_top(cubes, x < end_x ? x : end_x, y < end_y ? y : end_y, x < end_x ? end_x : x, y < end_y ? end_y : y);
    return low > top; /* pieces are listed up to a cube above it */
}

/* Receivers in the cube in which a ray starts; it may be filled. */
RW_FN void rw_launch_meet_start(rw_launch *launch, const rw_cube_ray *ray)
{
    const rw_cubes_view *cubes = &launch->search->cubes;
    int i = ray->at[0] >> 16, j = ray->at[1] >> 16, k = ray->at[2] >> 16;
    if (k >= launch->search->receiver_top || !rw_cube_in_grid(cubes, i, j, k))
        return;
    size_t word = rw_cube_word(cubes, i, j, k);
    if (rw_cube_bit(launch->search->receivers.bits, word, i))
        rw_launch_meet_cube(launch, word, i);
}

/* Follows a ray over steps first to last; 0 where it ends at a filled cube, in the sky or off the grid. */
RW_FN int rw_launch_follow(rw_launch *launch, float a, float b, float before_face, int first, int last)
{
    const rw_cubes_view *cubes = &launch->search->cubes;
    const uint32_t *occupied = launch->search->occupied;
    float start[3], way[3];
    rw_cone_ray(&launch->cone, a, b, before_face, start, way);
    if (rw_launch_in_sky(launch, start, way, first, last))
        return 0;
    rw_cube_ray ray = rw_cube_ray_along(start, way, last);
    if (first == 1)
        rw_launch_meet_start(launch, &ray);
    int x = ray.at[0] + ray.way[0] * first, y = ray.at[1] + ray.way[1] * first, z = ray.at[2] + ray.way[2] * first;
    for (int step = first; step <= last; step++) {
        int i = x >> 16, j = y >> 16, k = z >> 16;
        if (!rw_cube_in_grid(cubes, i, j, k))
            return 0;
        if ((step - first) % RW_CONE_STRIDE == 0 && last - step >= RW_CONE_STRIDE &&
            rw_launch_stride_free(launch->search, x, y, z, ray.way)) {
            x += RW_CONE_STRIDE * ray.way[0];
            y += RW_CONE_STRIDE * ray.way[1];
            z += RW_CONE_STRIDE * ray.way[2];
            step += RW_CONE_STRIDE - 1;
            continue;
        }
        size_t word = rw_cube_word(cubes, i, j, k);
        if (rw_cube_bit(occupied, word, i)) {
            rw_launch_meet_cube(launch, word, i);
            if (rw_cube_bit(cubes->filled, word, i))
                return 0;
        }
        x += ray.way[0];
        y += ray.way[1];
        z += ray.way[2];
    }
    return 1;
}

/* Whatever a ray of one stage becomes in the next: a rectangle of numbers along both parameters. */
typedef struct rw_launch_children {
    uint32_t first_a, end_a, first_b, end_b;
} rw_launch_children;

RW_FN rw_launch_children rw_launch_children_of(const rw_launch *launch, uint32_t node)
{
    uint32_t stage = node >> 28, at_a = node >> 14 & 0x3fffu, at_b = node & 0x3fffu;
    const int *counts = launch->cone.counts[stage], *next = launch->cone.counts[stage + 1];
    rw_launch_children children;
    int on_face = at_b == RW_CONE_FACE;
    children.first_a = rw_cone_next(at_a, counts[0], next[0]);
    children.end_a = rw_cone_next(at_a + 1u, counts[0], next[0]);
    children.first_b = on_face ? RW_CONE_FACE : rw_cone_next(at_b, counts[1], next[1]);
    children.end_b = on_face ? RW_CONE_FACE + 1u : rw_cone_next(at_b + 1u, counts[1], next[1]);
    return children;
}

/* Follows one ray over the steps of its stage; whether it goes on. A node is a stage, then the numbers of the ray along
 * both parameters. */
RW_FN int rw_launch_node(rw_launch *launch, uint32_t node)
{
    uint32_t stage = node >> 28, at_a = node >> 14 & 0x3fffu, at_b = node & 0x3fffu;
    int last = RW_CONE_FIRST_STEPS << stage, first = stage ? last / 2 + 1 : 1, on_face = at_b == RW_CONE_FACE;
    const int *counts = launch->cone.counts[stage];
    float a = ((float)at_a + 0.5f) / (float)counts[0];
    float b = on_face ? 1.0f : ((float)at_b + 0.5f) / (float)counts[1];
    return rw_launch_follow(launch, a, b, on_face ? RW_CUBE_BESIDE : 0.0f, first, last) &&
           stage + 1 < RW_CONE_STAGES_MAX;
}

/* Follows one ray and all that it splits into, the nearest first. */
RW_FN void rw_launch_split(rw_launch *launch, uint32_t root)
{
    uint32_t stack[8 * RW_CONE_STAGES_MAX + 9];
    int depth = 0;
    stack[depth++] = root;
    while (depth > 0) {
        uint32_t node = stack[--depth];
        if (!rw_launch_node(launch, node))
            continue;
        rw_launch_children children = rw_launch_children_of(launch, node);
        for (uint32_t i = children.first_a; i < children.end_a; i++)
            for (uint32_t j = children.first_b; j < children.end_b; j++)
                stack[depth++] = ((node >> 28) + 1) << 28 | i << 14 | j;
    }
}

/* Sets up a label; 0 where its cone is empty. */
RW_FN int rw_launch_make(const rw_cube_search *search, uint32_t id, rw_launch *launch)
{
    for (int i = 0; i < RW_LAUNCH_MET; i++)
        launch->met[i] = 0u;
    launch->search = search;
    launch->id = id;
    launch->label = &search->labels[id];
    launch->cone.from = launch->label->from;
    launch->cone.piece = &search->cubes.items[id / search->states];
    launch->cone.element = &search->cubes.elements[launch->cone.piece->element];
    rw_item_middle(launch->cone.piece, launch->cone.middle);
    launch->start = rw_turn_start_make(launch->cone.element, launch->cone.piece, launch->label->from);
    rw_cube_counts(search->limits, id % search->states, launch->counts_after);
    launch->counts_after[launch->cone.element->kind]++;
    launch->state_after = rw_cube_state(search->limits, launch->counts_after);
    return launch->cone.element->kind == RW_CUBE_REFLECTION ? rw_cone_make_reflection(&launch->cone)
                                                            : rw_cone_make_diffraction(&launch->cone);
}

/* Counts of rays in stages first to last. */
RW_FN void rw_launch_count_rays(rw_launch *launch, int first, int last)
{
    for (int stage = first; stage <= last && stage < RW_CONE_STAGES_MAX; stage++)
        rw_cone_counts(&launch->cone, RW_CONE_FIRST_STEPS << stage, launch->cone.counts[stage]);
}

/* How many rays a label starts with, and the node of one of them. */
RW_FN uint32_t rw_launch_root_count(const rw_launch *launch)
{
    const int *counts = launch->cone.counts[0];
    uint32_t fan = (uint32_t)(counts[0] * counts[1]);
    return fan + (launch->cone.element->kind == RW_CUBE_REFLECTION ? 0u : (uint32_t)counts[0]);
}

RW_FN uint32_t rw_launch_root(const rw_launch *launch, uint32_t ray)
{
    const int *counts = launch->cone.counts[0];
    uint32_t along_b = (uint32_t)counts[1], fan = (uint32_t)counts[0] * along_b;
    return ray < fan ? ray / along_b << 14 | ray % along_b : (ray - fan) << 14 | RW_CONE_FACE;
}

RW_FN void rw_cube_launch_item(const struct rw_cube_launch_args *args, size_t item)
{
    rw_launch launch;
    if (!rw_launch_make(&args->search, args->search.list[item], &launch))
        return;
    rw_launch_count_rays(&launch, 0, RW_CONE_STAGES_MAX);
    uint32_t all = rw_launch_root_count(&launch);
    for (uint32_t ray = 0; ray < all; ray++)
        rw_launch_split(&launch, rw_launch_root(&launch, ray));
}

#endif
