/* Paths round street corners by brute force in double: every chain of corners is tried, every wall is intersected with
 * every leg. After sections 5.3 and 6 of Rick and Kuhlen (2010), equations (5) to (10), (18) and (20).
 *
 * Each answer is given strictly, as it is, and leniently (street_legs.h). What the strict and the lenient one agree on
 * does not hang on rounding; in any case the right one lies between them. */
#ifndef RW_TESTS_STREET_ORACLE_H
#define RW_TESTS_STREET_ORACLE_H

#include "street_legs.h"

typedef struct street_path {
    double loss_db;
    int count;
    size_t corners[STREET_ORDER_MAX];
} street_path;

typedef struct street_answer {
    int sees_source[3]; /* strict, plain, lenient */
    size_t count[3];
    street_path best[3][STREET_KEPT]; /* from the least loss */
} street_answer;

/* ---------------------------------------------------------------------------------------------------------- chains */

static inline double street_turn_db(const street_oracle *oracle, rw_vec2 a, rw_vec2 b)
{
    return rw_deflection_loss_db(oracle->turn, fabs(atan2(a.x * b.y - a.y * b.x, a.x * b.x + a.y * b.y))); /* (18) */
}

/* Appends each corner that can follow the chain (the source alone where it is empty), and so on to the order. */
static inline void street_extend(street_oracle *oracle, street_chain chain, int order, size_t *between)
{
    size_t corners = oracle->corner_count;
    if (chain.count == order)
        return;
    for (size_t next = 0; next < corners; next++) {
        const street_corner *to = &oracle->corners[next];
        size_t last = chain.count ? chain.corners[chain.count - 1] : corners;
        if (next == last || (chain.count > 1 && next == chain.corners[chain.count - 2]))
            continue;
        size_t *known = &between[last * corners + next];
        if (*known == SIZE_MAX) {
            rw_vec2 from = chain.count ? oracle->corners[last].at : rw_vec2_of(oracle->source.x, oracle->source.y);
            double top_m = chain.count ? oracle->corners[last].top_m : oracle->source.z;
            int bends = street_bends(to, from);
            street_leg leg = {.from_variant = STREET_NEVER};
            if (bends != STREET_NEVER)
                leg = street_leg_make(oracle, from, top_m, to->at, to->top_m);
            leg.from_variant = bends > leg.from_variant ? bends : leg.from_variant;
            *known = oracle->leg_count;
            *STREET_APPEND(oracle, leg, street_leg) = leg;
        }
        const street_leg *leg = &oracle->legs[*known];
        if (leg->from_variant == STREET_NEVER)
            continue;
        street_chain longer = chain;
        longer.corners[chain.count] = next;
        longer.legs[chain.count] = *known;
        longer.count++;
        longer.from_variant = leg->from_variant > chain.from_variant ? leg->from_variant : chain.from_variant;
        longer.length_m += leg->length_m;
        if (chain.count)
            longer.turns_db +=
                street_turn_db(oracle, oracle->legs[chain.legs[chain.count - 1]].direction, leg->direction);
        *STREET_APPEND(oracle, chain, street_chain) = longer;
        street_extend(oracle, longer, order, between);
    }
}

/* The oracle of one source on a committed scene; apart: buildings do not touch, so corners are its own. */
static inline street_oracle street_oracle_create(const rw_scene *scene, int apart, rw_vec3 source, int order,
                                                 double freq_hz)
{
    street_oracle oracle = {.scene = scene, .source = source, .wavelength_m = 299792458.0 / freq_hz};
    rw_deflection_setting setting = rw_deflection_setting_default(RW_DEFLECTION_STREET, freq_hz);
    assert_ok(scene->context, rw_deflection_fit(scene->context, RW_DEFLECTION_STREET, &setting, &oracle.turn, NULL));
    (apart ? street_take_apart : street_take_prepared)(&oracle, scene);
    size_t pairs = (oracle.corner_count + 1) * oracle.corner_count, *between = malloc((pairs + 1) * sizeof *between);
    for (size_t i = 0; i < pairs; i++)
        between[i] = SIZE_MAX;
    street_extend(&oracle, (street_chain){.from_variant = STREET_STRICT}, order, between);
    free(between);
    return oracle;
}

static inline void street_oracle_destroy(street_oracle *oracle)
{
    free(oracle->walls);
    free(oracle->corners);
    free(oracle->obstacles);
    free(oracle->legs);
    free(oracle->chains);
}

/* ------------------------------------------------------------------------------------------------------- receivers */

/* Equations (1) to (4), with what is open under a wall: most lenient and most strict sight as slack in height. */
static inline int street_sees(street_oracle *oracle, rw_vec3 receiver, int variant)
{
    size_t mark = oracle->obstacle_count;
    rw_vec2 from = {oracle->source.x, oracle->source.y}, to = {receiver.x, receiver.y};
    double slack = variant * STREET_HEIGHT_SLACK_M, rise = receiver.z - oracle->source.z;
    int sees = 1;
    for (size_t i = 0; sees && i < oracle->wall_count; i++) {
        const street_wall *wall = &oracle->walls[i];
        double t;
        if (street_crosses(from, to, wall, -variant * STREET_PLAN_SLACK_M, &t)) {
            double z_m = oracle->source.z + t * rise;
            sees = !(z_m + slack < wall->top_m && z_m - slack >= wall->bottom_m);
        }
    }
    street_pass_ground(oracle, from, to);
    for (size_t i = mark; i < oracle->obstacle_count; i++)
        if (oracle->obstacles[i].top_m > oracle->source.z + oracle->obstacles[i].t * rise + slack)
            sees = 0;
    oracle->obstacle_count = mark;
    return sees;
}

/* Heights rise evenly along the path; every corner must be met between its ends and every leg be clear. */
static inline int street_path_exists(const street_oracle *oracle, const street_chain *chain, const street_leg *last,
                                     double receiver_z_m, int variant)
{
    double whole_m = chain->length_m + last->length_m, gone_m = 0, z_m = oracle->source.z;
    double slack = variant * STREET_HEIGHT_SLACK_M;
    if (variant < chain->from_variant)
        return 0;
    for (int i = 0; i < chain->count; i++) {
        const street_leg *leg = &oracle->legs[chain->legs[i]];
        const street_corner *corner = &oracle->corners[chain->corners[i]];
        gone_m += leg->length_m;
        double next_m = oracle->source.z + (receiver_z_m - oracle->source.z) * gone_m / whole_m;
        if (!(next_m >= corner->bottom_m - slack && next_m <= corner->top_m + slack))
            return 0;
        if (!street_leg_clear(oracle, leg, z_m, next_m, variant))
            return 0;
        z_m = next_m;
    }
    return street_leg_clear(oracle, last, z_m, receiver_z_m, variant);
}

/* Equation (9): the corner before the last sees the receiver, on the path that ends with it. */
static inline int street_seen_before(const street_oracle *oracle, const street_chain *chain, const street_leg *lasts,
                                     double receiver_z_m, int variant)
{
    if (chain->count < 2)
        return 0;
    const street_leg *leg = &lasts[chain->corners[chain->count - 2]];
    double gone_m = chain->length_m - oracle->legs[chain->legs[chain->count - 1]].length_m;
    double z_m = oracle->source.z + (receiver_z_m - oracle->source.z) * gone_m / (gone_m + leg->length_m);
    const street_corner *corner = &oracle->corners[chain->corners[chain->count - 2]];
    double slack = variant * STREET_HEIGHT_SLACK_M;
    if (!(z_m >= corner->bottom_m - slack && z_m <= corner->top_m + slack))
        return 0;
    return variant >= leg->from_variant && street_leg_clear(oracle, leg, z_m, receiver_z_m, variant);
}

static inline void street_keep(street_answer *answer, int variant, const street_path *path)
{
    street_path *best = answer->best[variant + 1];
    size_t *count = &answer->count[variant + 1], at = *count < STREET_KEPT ? *count : STREET_KEPT - 1;
    if (*count == STREET_KEPT && !(path->loss_db < best[at].loss_db))
        return;
    for (; at > 0 && path->loss_db < best[at - 1].loss_db; at--)
        best[at] = best[at - 1];
    best[at] = *path;
    *count += *count < STREET_KEPT;
}

/* The best paths to a receiver in each variant; it takes them whether or not it sees the source. */
static inline street_answer street_solve(street_oracle *oracle, rw_vec3 receiver)
{
    street_answer answer = {.count = {0}};
    size_t mark = oracle->obstacle_count;
    street_leg *lasts = malloc((oracle->corner_count + 1) * sizeof *lasts);
    for (int variant = STREET_STRICT; variant <= STREET_LENIENT; variant++)
        answer.sees_source[variant + 1] = street_sees(oracle, receiver, variant);
    for (size_t i = 0; i < oracle->corner_count; i++)
        lasts[i] = street_leg_make(oracle, oracle->corners[i].at, oracle->corners[i].top_m,
                                   rw_vec2_of(receiver.x, receiver.y), receiver.z);
    for (size_t i = 0; i < oracle->chain_count; i++) {
        const street_chain *chain = &oracle->chains[i];
        const street_leg *last = &lasts[chain->corners[chain->count - 1]];
        if (last->from_variant == STREET_NEVER)
            continue;
        double length_m = hypot(chain->length_m + last->length_m, receiver.z - oracle->source.z);
        street_path path = {.count = chain->count};
        memcpy(path.corners, chain->corners, sizeof path.corners);
        path.loss_db = 20 * log10(4 * 3.14159265358979323846 * length_m / oracle->wavelength_m) + chain->turns_db +
                       street_turn_db(oracle, oracle->legs[chain->legs[chain->count - 1]].direction, last->direction);
        for (int variant = STREET_STRICT; variant <= STREET_LENIENT; variant++)
            if (street_path_exists(oracle, chain, last, receiver.z, variant) &&
                !street_seen_before(oracle, chain, lasts, receiver.z, -variant)) /* strict is never to see by mistake */
                street_keep(&answer, variant, &path);
    }
    free(lasts);
    oracle->obstacle_count = mark;
    return answer;
}

/* The best count paths in one variant, summed by power; infinity where there is none. */
static inline double street_sum_db(const street_answer *answer, int variant, size_t count)
{
    double power = 0;
    for (size_t i = 0; i < count && i < answer->count[variant + 1]; i++)
        power += pow(10, -answer->best[variant + 1][i].loss_db / 10);
    return power > 0 ? -10 * log10(power) : INFINITY;
}

#endif
