/* The search of the cubes model, level by level: one level is one more deflection.
 *
 * Each piece of a surface or edge keeps one label for each state, that is for each count of reflections, horizontal and
 * vertical diffractions on the way to it: that of least loss. A label of n deflections follows only from labels of
 * n - 1, so levels go one after the other and each label is launched once. What competes for a label is one 64-bit
 * number, made of the loss and the label it comes from, of which the highest wins: the result depends on neither order
 * nor threads. */
#ifndef RW_MODELS_CUBES_LABELS_K_H
#define RW_MODELS_CUBES_LABELS_K_H

#include "field/paths/ray_field.k.h"
#include "models/cubes/exact_path.k.h"
#include "models/cubes/sight/see_cubes.k.h"

/* What is to be met in each cube: numbers of receivers or of pieces. Those near the border of a cube are listed on
 * its other side too, since a ray that passes them by half a cube passes there. */
typedef struct rw_cube_lists {
    const uint32_t *bits;   /* cubes that have a list */
    const uint32_t *before; /* such cubes in the words before */
    const uint32_t *first;  /* of each such cube, and one more */
    const uint32_t *members;
} rw_cube_lists;

/* A piece as the rays that meet it want it, side by side in the lists. */
typedef struct rw_cube_target {
    float middle[3];
    float axis[3]; /* of its element */
    uint32_t number;
    uint32_t element; /* and its kind in the two highest bits */
} rw_cube_target;

typedef struct rw_cube_search {
    rw_cubes_view cubes;
    rw_cubes_world world; /* that decides on lines of sight, if exact */
    const uint8_t *solid; /* of each cube, a bit for each eighth of it that ends rays; if exact */
    int exact;            /* 1: cubes only find candidates for paths; 0: they decide, as in the paper */
    rw_cube_lists receivers, pieces;
    const rw_cube_target *targets; /* of the members of pieces */
    size_t receiver_count;
    const float *points;      /* of the receivers, three numbers each */
    const float *sights;      /* the same for lines of sight: kept clear of the ground's cubes */
    const uint32_t *occupied; /* cubes that are filled or hold a receiver or a piece of some kinds: bits after bits, for
                               * each set of kinds */
    const uint32_t *clearance; /* of each column: from which layer on nothing is within 8, 16, 32 and 64 columns, in 8
                                * bits each; 255: from none */
    float source[3], source_sight[3];
    const uint8_t *seen; /* of each cube, whether the transmitter sees it; NULL: lines go from point to point */
    int limits[RW_CUBE_KINDS];
    rw_deflection deflections[RW_CUBE_KINDS];
    float onset_per_rad;             /* corners cost little at angles below 1 / this; 0: equation (3) as it is */
    int roofs_apart;                 /* receivers take no path over horizontal edges alone, nor the straight one */
    float decibels_at_one;           /* free space over one cube */
    rw_pattern pattern;              /* of the transmitter; losses here are those of its strongest direction */
    float margins_db[RW_CUBE_KINDS]; /* labels this much worse than one of fewer deflections are left */
    float loss_max_db;               /* labels beyond are not followed */
    int receiver_top;                /* no receiver is in this layer or above */
    uint32_t states;
    uint64_t *keys;        /* of each label: state after state, pieces of each, so that neighbours are side by side */
    rw_cube_label *labels; /* as keys; of those launched */
    uint64_t *best;        /* of each receiver */
    uint8_t *sight;        /* of each receiver: 1 in line of sight */
    uint32_t *list;        /* labels of the present level */
    uint32_t *list_count;
} rw_cube_search;

/* Loss of one deflection. Just behind a corner a polynomial in the angle starts far above the 0 dB of line of sight;
 * with an onset it rises from there. Behind a roof edge the way over the roofs does that. */
RW_FN float rw_search_interaction_db(const rw_cube_search *search, uint32_t kind, float cosine)
{
    float loss_db = rw_interaction_loss_db(search->deflections, kind, cosine);
    if (search->onset_per_rad > 0.0f && kind == RW_CUBE_VERTICAL)
        loss_db *= 1.0f - expf(-search->onset_per_rad * rw_interaction_angle_rad(cosine));
    return loss_db;
}

#define RW_CUBE_NULL_DB 100.0f /* most that a direction loses: a null is a number */

RW_RARE_FN float rw_search_pattern_db(const rw_cube_search *search, const float to[3])
{
    rw_vec3 offset = rw_vec3_of((double)(to[0] - search->source[0]), (double)(to[1] - search->source[1]),
                                (double)(to[2] - search->source[2]));
    double length = rw_vec3_length(offset);
    if (!(length > 0.0))
        return 0.0f;
    double amplitude = rw_pattern_amplitude(&search->pattern, rw_vec3_scale(offset, 1.0 / length));
    double loss_db = -20.0 * log10(amplitude / search->pattern.peak_amplitude + 1e-30);
    return loss_db > (double)RW_CUBE_NULL_DB ? RW_CUBE_NULL_DB : loss_db > 0.0 ? (float)loss_db : 0.0f;
}

/* What a path loses that departs towards a place, beside the antenna's strongest direction: never negative, as the
 * order of keys needs it. */
RW_FN float rw_search_departure_db(const rw_cube_search *search, const float to[3])
{
    return search->pattern.kind == RW_PATTERN_ISOTROPIC ? 0.0f : rw_search_pattern_db(search, to);
}

#define RW_CUBE_DIRECT 0xfffffffeu /* comes straight from the transmitter */

/* Of losses that are not negative the bits are ordered as they are; lower ones and lower labels win. 0: none. */
RW_FN uint64_t rw_cube_key(float loss_db, uint32_t label)
{
#ifdef __CUDA_ARCH__
    uint32_t bits = __float_as_uint(loss_db);
#else
    union {
        float value;
        uint32_t bits;
    } both;
    both.value = loss_db;
    uint32_t bits = both.bits;
#endif
    return (uint64_t)(0xffffffffu - bits) << 32 | (0xffffffffu - label);
}

RW_FN uint32_t rw_cube_key_label(uint64_t key)
{
    return 0xffffffffu - (uint32_t)key;
}

RW_FN float rw_cube_key_loss_db(uint64_t key)
{
    uint32_t bits = 0xffffffffu - (uint32_t)(key >> 32);
#ifdef __CUDA_ARCH__
    return __uint_as_float(bits);
#else
    union {
        uint32_t bits;
        float value;
    } both;
    both.bits = bits;
    return both.value;
#endif
}

/* Counts of each kind of a state, and back. */
RW_FN void rw_cube_counts(const int limits[RW_CUBE_KINDS], uint32_t state, int counts[RW_CUBE_KINDS])
{
    for (int kind = RW_CUBE_KINDS - 1; kind >= 0; kind--) {
        counts[kind] = (int)(state % (uint32_t)(limits[kind] + 1));
        state /= (uint32_t)(limits[kind] + 1);
    }
}

RW_FN uint32_t rw_cube_state(const int limits[RW_CUBE_KINDS], const int counts[RW_CUBE_KINDS])
{
    uint32_t state = 0;
    for (int kind = 0; kind < RW_CUBE_KINDS; kind++)
        state = state * (uint32_t)(limits[kind] + 1) + (uint32_t)counts[kind];
    return state;
}

/* Number of a piece's label of a state; and its piece and state. */
RW_FN uint32_t rw_cube_label_of(const rw_cube_search *search, uint32_t piece, uint32_t state)
{
    return state * (uint32_t)search->cubes.item_count + piece;
}

RW_FN uint32_t rw_cube_label_state(const rw_cube_search *search, uint32_t label)
{
    return label / (uint32_t)search->cubes.item_count;
}

RW_FN uint32_t rw_cube_label_piece(const rw_cube_search *search, uint32_t label)
{
    return label % (uint32_t)search->cubes.item_count;
}

/* Number of a cube among those that have a list. */
RW_FN uint32_t rw_cube_rank(const rw_cube_lists *lists, size_t word, int i)
{
    uint32_t below = (1u << (i & 31)) - 1u;
    return lists->before[word] + rw_bit_count(lists->bits[word] & below);
}

/* Numbers first to end - 1 of the members are the list of a cube. */
RW_FN void rw_cube_list(const rw_cube_lists *lists, size_t word, int i, uint32_t *first, uint32_t *end)
{
    uint32_t cube = rw_cube_rank(lists, word, i);
    *first = lists->first[cube];
    *end = lists->first[cube + 1];
}

/* Loss of an exact path. */
RW_FN float rw_search_path_loss_db(const rw_cube_search *search, const rw_exact_path *path)
{
    float loss_db = rw_search_departure_db(search, path->points[1]);
    for (int i = 0; i < path->count; i++)
        loss_db += rw_search_interaction_db(
            search, search->cubes.elements[search->cubes.items[path->pieces[i]].element].kind, path->cosines[i]);
    return rw_cube_loss_db(search->decibels_at_one, path->length, loss_db);
}

/* Level 0: what the transmitter sees. One item is one receiver or, after those, one piece. */
struct rw_cube_direct_args {
    rw_cube_search search;
};

/* A piece of an edge is seen where its middle is, or the air before one of its faces: buildings whose walls cross cubes
 * are up to half a cube larger than they are, and would hide their own edges. */
RW_FN int rw_cube_sees_piece(const rw_cube_search *search, const rw_cube_element *element, const rw_cube_item *piece)
{
    float at[3];
    if (search->exact) {
        rw_vec3 source = rw_cubes_world_point(&search->world, search->source);
        for (int sample = 0; sample < RW_ITEM_SAMPLES; sample++) {
            rw_item_sample(element, piece, sample, at);
            if (rw_cubes_world_clear(&search->world, source, rw_cubes_world_outside(&search->world, element, at)))
                return 1;
        }
        return 0;
    }
    if (search->seen) {
        int cube[3];
        rw_cube_coordinates(&search->cubes, piece->cube, &cube[0], &cube[1], &cube[2]);
        return search->seen[rw_see_index(&search->cubes, cube)];
    }
    rw_item_middle(piece, at);
    if (rw_cube_ray_clear(&search->cubes, rw_cube_ray_between(search->source_sight, at)))
        return 1;
    for (int side = -1; side <= 1 && element->kind != RW_CUBE_REFLECTION; side += 2) {
        rw_item_face_point(element, piece, (float)side, at);
        if (rw_cube_ray_clear(&search->cubes, rw_cube_ray_between(search->source_sight, at)))
            return 1;
    }
    return 0;
}

RW_FN int rw_cube_sees_receiver(const rw_cube_search *search, size_t receiver)
{
    const float *sight = search->sights + 3 * receiver;
    if (search->exact)
        return rw_cubes_world_clear(&search->world, rw_cubes_world_point(&search->world, search->source),
                                    rw_cubes_world_point(&search->world, search->points + 3 * receiver));
    if (!search->seen)
        return rw_cube_sight_clear(&search->cubes, search->source_sight, sight);
    const int cube[3] = {(int)floorf(sight[0]), (int)floorf(sight[1]), (int)floorf(sight[2])};
    return rw_cube_in_grid(&search->cubes, cube[0], cube[1], cube[2]) &&
           search->seen[rw_see_index(&search->cubes, cube)];
}

RW_FN void rw_cube_direct_receiver(const rw_cube_search *search, size_t receiver)
{
    const float *to = search->points + 3 * receiver;
    if (!rw_cube_sees_receiver(search, receiver))
        return;
    float loss_db =
        rw_cube_loss_db(search->decibels_at_one, rw_distance3(search->source, to), rw_search_departure_db(search, to));
    search->sight[receiver] = 1;
    if (!search->roofs_apart)
        search->best[receiver] = rw_cube_key(loss_db, RW_CUBE_DIRECT);
}

RW_FN void rw_cube_direct_item(const struct rw_cube_direct_args *args, size_t item)
{
    const rw_cube_search *search = &args->search;
    if (item < search->receiver_count) {
        rw_cube_direct_receiver(search, item);
        return;
    }
    size_t index = item - search->receiver_count;
    const rw_cube_item *piece = &search->cubes.items[index];
    const rw_cube_element *element = &search->cubes.elements[piece->element];
    if (search->limits[element->kind] == 0 || !rw_item_faces(element, piece, search->source) ||
        !rw_cube_sees_piece(search, element, piece))
        return;
    float middle[3];
    rw_item_middle(piece, middle);
    float loss_db = rw_cube_loss_db(search->decibels_at_one, rw_distance3(search->source, middle),
                                    rw_search_departure_db(search, middle));
    search->keys[rw_cube_label_of(search, (uint32_t)index, 0u)] = rw_cube_key(loss_db, RW_CUBE_DIRECT);
}

/* Between levels: makes the labels of one state and lists those to be launched. One item is one piece. */
struct rw_cube_commit_args {
    rw_cube_search search;
    uint32_t state;
};

/* Whether a label of no more deflections of any kind is better by the margin. */
RW_FN int rw_cube_outdone(const rw_cube_search *search, size_t piece, uint32_t state, float loss_db)
{
    float margin_db = search->margins_db[search->cubes.elements[search->cubes.items[piece].element].kind];
    int counts[RW_CUBE_KINDS], others[RW_CUBE_KINDS];
    rw_cube_counts(search->limits, state, counts);
    for (uint32_t other = 0; other < state; other++) { /* fewer of any kind is a lower number */
        /* Labels of as many deflections may be written meanwhile; their counts exclude them below. */
        uint64_t key = rw_shared_read_long(&search->keys[rw_cube_label_of(search, (uint32_t)piece, other)]);
        if (key == 0 || rw_cube_key_loss_db(key) + margin_db > loss_db)
            continue;
        rw_cube_counts(search->limits, other, others);
        if (others[0] <= counts[0] && others[1] <= counts[1] && others[2] <= counts[2])
            return 1;
    }
    return 0;
}

RW_FN void rw_cube_commit_item(const struct rw_cube_commit_args *args, size_t piece_index)
{
    const rw_cube_search *search = &args->search;
    uint32_t id = rw_cube_label_of(search, (uint32_t)piece_index, args->state);
    uint64_t key = search->keys[id];
    if (key == 0 || rw_cube_key_loss_db(key) > search->loss_max_db ||
        rw_cube_outdone(search, piece_index, args->state, rw_cube_key_loss_db(key)))
        return;
    rw_cube_label label = {{search->source[0], search->source[1], search->source[2]}, 0.0f, 0.0f};
    uint32_t came_from = rw_cube_key_label(key);
    if (came_from != RW_CUBE_DIRECT) {
        const rw_cube_label *label_before = &search->labels[came_from];
        const rw_cube_item *piece = &search->cubes.items[rw_cube_label_piece(search, came_from)];
        const rw_cube_element *element = &search->cubes.elements[piece->element];
        float middle[3];
        rw_cube_interaction interaction;
        rw_item_middle(&search->cubes.items[piece_index], middle);
        rw_interaction_start start = rw_interaction_start_of(element, piece, label_before->from);
        if (!rw_cube_interaction_find(&start, middle, &interaction))
            return; /* on the border of a piece, where two machines may round apart */
        for (int axis = 0; axis < 3; axis++)
            label.from[axis] = interaction.from[axis];
        label.before = label_before->before + interaction.before;
        label.loss_db = label_before->loss_db + rw_search_interaction_db(search, element->kind, interaction.cosine);
        if (rw_cube_label_state(search, came_from) == 0u)
            label.loss_db += rw_search_departure_db(search, interaction.at);
    }
    search->labels[id] = label;
    search->list[rw_shared_reserve(search->list_count, 1u)] = id;
}

#endif
