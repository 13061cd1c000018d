/* Launches the labels of a level: one item is one label, and its rays fill the deflection cone of its piece.
 *
 * The rays of a cone have two parameters: where on the piece they start (along it and up it for a reflection; along the
 * edge for a diffraction), and for a diffraction the angle round the edge, from straight on to the far face. They must
 * leave no cube out at any distance, so their number grows with it: every time the number of steps doubles, each ray
 * splits so that neighbours are again less than a cube apart, and goes on from where it was if it has not met a filled
 * cube. The number is derived from the widths of the cone there (rw_cone_counts). Whatever cube a ray comes through,
 * its receivers and pieces are tested exactly (interaction.k.h). */
#ifndef RW_MODELS_CUBES_LAUNCH_K_H
#define RW_MODELS_CUBES_LAUNCH_K_H

#include "models/cubes/walk.k.h"

#define RW_CUBE_LEG_MIN 1.0f /* between two deflections: nearer edges are one */

struct rw_cube_launch_args {
    rw_cube_search search;
};

/* What a label is launched with. */
typedef struct rw_launch {
    const rw_cube_search *search;
    const rw_cube_label *label;
    const rw_cube_element *element;
    const rw_cube_item *piece;
    uint32_t id, state_after;
    uint32_t open;  /* a bit for each kind of deflection that may follow */
    int departs;    /* the path has no deflection before this one, and the antenna has a pattern */
    int over_roofs; /* after this label's deflection the path is one over horizontal edges alone */
    float middle[3];
    rw_interaction_start start;
} rw_launch;

/* Loss of the label's path, bent at its piece. */
RW_FN float rw_launch_loss_db(const rw_launch *launch, const rw_cube_interaction *interaction)
{
    const rw_cube_search *search = launch->search;
    float turned_db = rw_search_interaction_db(search, launch->element->kind, interaction->cosine);
    if (launch->departs)
        turned_db += rw_search_pattern_db(search, interaction->at);
    return rw_cube_loss_db(search->decibels_at_one, launch->label->before + interaction->length,
                           launch->label->loss_db + turned_db);
}

/* The pieces of the label's path. */
RW_FN void rw_launch_read_pieces(const rw_launch *launch, rw_exact_path *path)
{
    const rw_cube_search *search = launch->search;
    path->count = 0;
    for (uint32_t label = launch->id; label != RW_CUBE_DIRECT && path->count < RW_CUBES_INTERACTIONS_MAX;
         label = rw_cube_key_label(search->keys[label]))
        path->pieces[path->count++] = rw_cube_label_piece(search, label);
    for (int i = 0; i < path->count / 2; i++) {
        uint32_t piece = path->pieces[i];
        path->pieces[i] = path->pieces[path->count - 1 - i];
        path->pieces[path->count - 1 - i] = piece;
    }
}

/* A label is aimed at the middle of its piece; where the exact path is better than that by more, it is not counted, so
 * that one which cannot be better than what the receiver has need not be computed, in whatever order they come. */
#define RW_CUBES_AIM_MAX_DB 6.0f

/* The exact path over the label's pieces to a receiver counts if it is better than what the receiver has and nothing is
 * in its way. */
RW_RARE_FN void rw_launch_try_exact(const rw_launch *launch, uint32_t receiver, float aimed_db)
{
    const rw_cube_search *search = launch->search;
    rw_exact_path path;
    float bound_db = aimed_db > RW_CUBES_AIM_MAX_DB ? aimed_db - RW_CUBES_AIM_MAX_DB : 0.0f;
    if (rw_cube_key(bound_db, 0u) < rw_shared_read_long(&search->best[receiver]))
        return;
    rw_launch_read_pieces(launch, &path);
    for (int axis = 0; axis < 3; axis++) {
        path.points[0][axis] = search->source[axis];
        path.points[path.count + 1][axis] = search->points[3 * (size_t)receiver + (size_t)axis];
    }
    if (!rw_exact_path_find(&search->cubes, &path))
        return;
    float loss_db = rw_search_path_loss_db(search, &path);
    uint64_t key = rw_cube_key(loss_db, launch->id);
    if (loss_db >= bound_db && key > rw_shared_read_long(&search->best[receiver]) &&
        rw_exact_path_clear(&search->cubes, &search->world, &path))
        rw_shared_max_long(&search->best[receiver], key);
}

RW_FN void rw_launch_meet_receivers(const rw_launch *launch, size_t word, int i)
{
    const rw_cube_search *search = launch->search;
    uint32_t first, end;
    if (search->roofs_apart && launch->over_roofs)
        return;
    rw_cube_list(&search->receivers, word, i, &first, &end);
    for (uint32_t n = first; n < end; n++) {
        uint32_t receiver = search->receivers.members[n];
        rw_cube_interaction interaction;
        if (!rw_cube_interaction_find(&launch->start, search->points + 3 * (size_t)receiver, &interaction))
            continue;
        if (search->exact)
            rw_launch_try_exact(launch, receiver, rw_launch_loss_db(launch, &interaction));
        else
            rw_shared_max_long(&search->best[receiver],
                               rw_cube_key(rw_launch_loss_db(launch, &interaction), launch->id));
    }
}

/* As rw_item_faces; what a surface is asked for is in the target. */
RW_FN int rw_launch_faces(const rw_cube_search *search, const rw_cube_target *target, uint32_t kind,
                          const float from[3])
{
    if (kind == RW_CUBE_REFLECTION) {
        const float offset[3] = {from[0] - target->middle[0], from[1] - target->middle[1], from[2] - target->middle[2]};
        return rw_dot3(offset, target->axis) > 1e-3f;
    }
    const rw_cube_item *piece = &search->cubes.items[target->number];
    return rw_item_faces(&search->cubes.elements[piece->element], piece, from);
}

/* Whether some point of a piece is seen from where the label's path to it is bent. */
RW_FN int rw_launch_sees_piece(const rw_launch *launch, uint32_t number)
{
    const rw_cube_search *search = launch->search;
    const rw_cube_item *piece = &search->cubes.items[number];
    const rw_cube_element *element = &search->cubes.elements[piece->element];
    for (int sample = 0; sample < RW_ITEM_SAMPLES; sample++) {
        float at[3];
        rw_cube_interaction interaction;
        rw_item_sample(element, piece, sample, at);
        if (rw_cube_interaction_find(&launch->start, at, &interaction) &&
            rw_cubes_world_clear(&search->world,
                                 rw_cubes_world_outside(&search->world, launch->element, interaction.at),
                                 rw_cubes_world_outside(&search->world, element, at)))
            return 1;
    }
    return 0;
}

RW_FN void rw_launch_meet_pieces(const rw_launch *launch, size_t word, int i)
{
    const rw_cube_search *search = launch->search;
    uint32_t first, end;
    rw_cube_list(&search->pieces, word, i, &first, &end);
    for (uint32_t n = first; n < end; n++) {
        const rw_cube_target *target = &search->targets[n];
        uint32_t kind = target->element >> 30;
        rw_cube_interaction interaction;
        if (!(launch->open >> kind & 1u) || (target->element & 0x3fffffffu) == launch->piece->element)
            continue;
        const float offset[3] = {launch->middle[0] - target->middle[0], launch->middle[1] - target->middle[1],
                                 launch->middle[2] - target->middle[2]};
        if (kind == RW_CUBE_REFLECTION && rw_dot3(offset, target->axis) < -1.0f)
            continue; /* seen from behind from every point of the launching piece */
        if (!rw_cube_interaction_find(&launch->start, target->middle, &interaction) ||
            rw_distance3(interaction.at, target->middle) < RW_CUBE_LEG_MIN)
            continue;
        if (!rw_launch_faces(search, target, kind, interaction.at))
            continue;
        uint64_t *label = &search->keys[rw_cube_label_of(search, target->number, launch->state_after)];
        float loss_db = rw_launch_loss_db(launch, &interaction);
        uint64_t key = rw_cube_key(loss_db, launch->id);
        /* Labels of fewer deflections are all there: one that is outdone need not be tested. */
        if (!search->exact || (key > rw_shared_read_long(label) &&
                               !rw_cube_outdone(search, target->number, launch->state_after, loss_db) &&
                               rw_launch_sees_piece(launch, target->number)))
            rw_shared_max_long(label, key);
    }
}

RW_FN void rw_launch_meet_cube(const rw_launch *launch, size_t word, int i)
{
    if (rw_cube_bit(launch->search->receivers.bits, word, i))
        rw_launch_meet_receivers(launch, word, i);
    if (launch->open && rw_cube_bit(launch->search->pieces.bits, word, i))
        rw_launch_meet_pieces(launch, word, i);
}

/* Whether a path of so many deflections goes over horizontal edges alone. */
RW_FN int rw_state_over_roofs(const rw_cube_search *search, uint32_t state)
{
    int counts[RW_CUBE_KINDS];
    rw_cube_counts(search->limits, state, counts);
    return counts[RW_CUBE_REFLECTION] == 0 && counts[RW_CUBE_VERTICAL] == 0;
}

/* Kinds that may follow a deflection at a label's piece, and the state after it. */
RW_FN uint32_t rw_launch_open(const rw_cube_search *search, uint32_t id, uint32_t kind, uint32_t *state_after)
{
    int counts[RW_CUBE_KINDS];
    uint32_t open = 0;
    rw_cube_counts(search->limits, rw_cube_label_state(search, id), counts);
    for (uint32_t other = 0; other < RW_CUBE_KINDS; other++) {
        counts[other] += other == kind;
        open |= counts[other] < search->limits[other] ? 1u << other : 0u;
    }
    *state_after = rw_cube_state(search->limits, counts);
    return open;
}

RW_FN void rw_launch_init(const rw_cube_search *search, uint32_t id, rw_launch *launch)
{
    launch->search = search;
    launch->id = id;
    launch->label = &search->labels[id];
    launch->piece = &search->cubes.items[rw_cube_label_piece(search, id)];
    launch->element = &search->cubes.elements[launch->piece->element];
    rw_item_middle(launch->piece, launch->middle);
    launch->start = rw_interaction_start_of(launch->element, launch->piece, launch->label->from);
    launch->open = rw_launch_open(search, id, launch->element->kind, &launch->state_after);
    launch->over_roofs = rw_state_over_roofs(search, launch->state_after);
    launch->departs = search->pattern.kind != RW_PATTERN_ISOTROPIC && rw_cube_label_state(search, id) == 0u;
}

/* A label on its way: with its cone; the cubes that its rays met lately, since neighbouring rays come through the same
 * ones; and those that are to be tested. They wait until there are some, so that the memory of all is asked for before
 * the first is needed. */
#ifdef __CUDACC__ /* where it is rare, and memory of a thread is that of all threads */
#define RW_LAUNCH_MET 16
#define RW_LAUNCH_WAITING 4
#else
#define RW_LAUNCH_MET 1024
#define RW_LAUNCH_WAITING 64
#endif

typedef struct rw_launch_label {
    rw_launch launch;
    rw_cone cone;
    const uint32_t *occupied;
    int counts[RW_CONE_STAGES_MAX + 1][2]; /* of rays along both parameters, in each stage */
    uint32_t met[RW_LAUNCH_MET];           /* 1 + number of a cube, by the lowest bits of it */
    uint32_t waiting[RW_LAUNCH_WAITING];
    int waiting_count;
} rw_launch_label;

/* Tests what is in the cubes that wait. */
RW_RARE_FN void rw_launch_meet_waiting(rw_launch_label *label)
{
    const rw_cube_lists *pieces = &label->launch.search->pieces;
    uint32_t ranks[RW_LAUNCH_WAITING];
    for (int n = 0; n < label->waiting_count; n++) {
        ranks[n] = rw_cube_rank(pieces, label->waiting[n] / 32u, (int)(label->waiting[n] % 32u));
        rw_prefetch(&pieces->first[ranks[n]]);
    }
    for (int n = 0; n < label->waiting_count; n++)
        rw_prefetch(&label->launch.search->targets[pieces->first[ranks[n]]]);
    for (int n = 0; n < label->waiting_count; n++)
        rw_launch_meet_cube(&label->launch, label->waiting[n] / 32u, (int)(label->waiting[n] % 32u));
    label->waiting_count = 0;
}

RW_FN void rw_launch_meet_once(rw_launch_label *label, uint32_t word, int i)
{
    uint32_t cube = word * 32u + (uint32_t)(i & 31), *met = &label->met[(cube + word) % RW_LAUNCH_MET];
    if (*met == cube + 1u)
        return;
    *met = cube + 1u;
    label->waiting[label->waiting_count++] = cube;
    if (label->waiting_count == RW_LAUNCH_WAITING)
        rw_launch_meet_waiting(label);
}

/* Receivers in the cube in which a ray starts; it may be filled. */
RW_FN int rw_launch_starts_at_receivers(const rw_cube_search *search, const rw_cube_ray *ray)
{
    const rw_cubes_view *cubes = &search->cubes;
    int i = ray->at[0] >> 16, j = ray->at[1] >> 16, k = ray->at[2] >> 16;
    return k < search->receiver_top && rw_cube_in_grid(cubes, i, j, k) &&
           rw_cube_bit(search->receivers.bits, rw_cube_word(cubes, i, j, k), i);
}

/* Follows a ray over the steps of its stage; whether it goes on: not from a filled cube, in the sky or off the grid. */
RW_FN int rw_launch_follow(rw_launch_label *label, const rw_walk_rays *walk, int number, uint32_t stage)
{
    const rw_cube_search *search = label->launch.search;
    const rw_cubes_view *cubes = &search->cubes;
    int first, last, i;
    rw_walk_steps(stage, &first, &last);
    if (first > 1 && rw_walk_in_sky(search, label->launch.open, &walk->rays, number, first, last))
        return 0;
    rw_cube_ray ray = rw_walk_one(walk, number);
    if (first == 1 && rw_launch_starts_at_receivers(search, &ray)) {
        uint32_t word = rw_walk_word(cubes, &ray, 0, &i);
        rw_launch_meet_once(label, word, i);
    }
    rw_walk_begin(cubes, &ray, first, last);
    for (int step = 0; step < ray.steps;) {
        int free_steps = rw_walk_free_steps(search, &ray, step);
        if (free_steps > 0) {
            step += free_steps;
            continue;
        }
        for (uint32_t met = rw_walk_look(cubes, label->occupied, &ray, step); met; met &= met - 1u) {
            int at_step = step + (int)rw_lowest_bit(met);
            uint32_t word = rw_walk_word(cubes, &ray, at_step, &i);
            rw_launch_meet_once(label, word, i);
            if (rw_cube_bit(cubes->filled, word, i) && rw_walk_ends(search, &ray, at_step, word, i))
                return 0;
        }
        step += RW_WALK_LOOK;
    }
    return ray.steps == last - first + 1 && stage + 1 < RW_CONE_STAGES_MAX;
}

/* Rays to follow, those of the latest stage last. Of each stage fewer than were followed together stay, and each of
 * them splits into nine at most. */
typedef struct rw_launch_stack {
    uint32_t nodes[9 * RW_CONE_TOGETHER * (RW_CONE_STAGES_MAX + 1)];
    int depth;
} rw_launch_stack;

/* Takes rays of one stage, as many as are followed together if there are; returns how many. */
RW_FN int rw_launch_pop(rw_launch_stack *stack, uint32_t nodes[RW_CONE_TOGETHER])
{
    uint32_t stage = stack->nodes[stack->depth - 1] >> 28;
    int count = 0;
    while (count < RW_CONE_TOGETHER && stack->depth > 0 && stack->nodes[stack->depth - 1] >> 28 == stage)
        nodes[count++] = stack->nodes[--stack->depth];
    for (int n = count; n < RW_CONE_TOGETHER; n++)
        nodes[n] = nodes[0];
    return count;
}

/* Follows the rays on the stack and all that they split into, the nearest first. */
RW_FN void rw_launch_split(rw_launch_label *label, rw_launch_stack *stack)
{
    while (stack->depth > 0) {
        uint32_t nodes[RW_CONE_TOGETHER];
        rw_walk_rays walk;
        int count = rw_launch_pop(stack, nodes);
        uint32_t stage = nodes[0] >> 28;
        rw_walk_set(&label->cone, label->counts[stage], nodes, &walk);
        for (int n = 0; n < count; n++) {
            if (!rw_launch_follow(label, &walk, n, stage))
                continue;
            rw_walk_children children = rw_walk_children_of(nodes[n], label->counts[stage], label->counts[stage + 1]);
            for (uint32_t i = children.first_a; i < children.end_a; i++)
                for (uint32_t j = children.first_b; j < children.end_b; j++)
                    stack->nodes[stack->depth++] = (stage + 1) << 28 | i << 14 | j;
        }
    }
}

RW_FN void rw_cube_launch_item(const struct rw_cube_launch_args *args, size_t item)
{
    rw_launch_label label;
    rw_launch_init(&args->search, args->search.list[item], &label.launch);
    if (!rw_cone_init(&label.cone, label.launch.element, label.launch.piece, label.launch.label->from))
        return;
    label.occupied = rw_walk_occupied(&args->search, label.launch.open);
    label.waiting_count = 0;
    for (int i = 0; i < RW_LAUNCH_MET; i++)
        label.met[i] = 0u;
    for (int stage = 0; stage <= RW_CONE_STAGES_MAX; stage++)
        rw_cone_counts(&label.cone, RW_CONE_FIRST_STEPS << stage, label.counts[stage]);
    uint32_t all = rw_walk_root_count(&label.cone, label.counts[0]);
    rw_launch_stack stack;
    stack.depth = 0;
    for (uint32_t ray = 0; ray < all; ray++) {
        stack.nodes[stack.depth++] = rw_walk_root(label.counts[0], ray);
        if (stack.depth == RW_CONE_TOGETHER || ray + 1u == all)
            rw_launch_split(&label, &stack);
    }
    rw_launch_meet_waiting(&label);
}

#endif
