#include "models/engine/record.h"

#include "base/maths/hash.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void rw_gain_record_free(rw_gain_record *record)
{
    for (size_t i = 0; i < record->wall_count; i++)
        free(record->walls[i].name);
    for (size_t i = 0; record->tables && i < record->transmitter_count; i++)
        free(record->tables[i]);
    free(record->paths);
    free(record->nodes);
    free(record->numbers);
    free(record->slopes);
    free(record->walls);
    free(record->senders);
    for (size_t i = 0; record->curves && i < 2 * record->transmitter_count; i++)
        free(record->curves[i]);
    free(record->curves);
    free(record->tables);
    free(record->scratch);
    *record = (rw_gain_record){0};
}

rw_status rw_gain_record_wall(rw_gain_record *record, const char *name, const rw_construction *wall, int unscattered,
                              uint32_t *index)
{
    for (size_t i = 0; i < record->wall_count; i++)
        if (strcmp(record->walls[i].name, name) == 0) {
            *index = (uint32_t)i;
            return RW_OK;
        }
    RW_TRY(rw_array_reserve(record->context, &record->walls, &record->wall_capacity, record->wall_count + 1,
                            sizeof *record->walls, "constructions"));
    rw_recorded_wall *recorded_wall = &record->walls[record->wall_count];
    *recorded_wall = (rw_recorded_wall){.wall = *wall, .unscattered = unscattered};
    RW_TRY(rw_string_replace(record->context, name, &recorded_wall->name));
    *index = (uint32_t)record->wall_count++;
    return RW_OK;
}

rw_status rw_gain_record_pattern(rw_gain_record *record, size_t transmitter, const rw_pattern *pattern)
{
    size_t values = (size_t)RW_PATTERN_ROWS * RW_PATTERN_COLUMNS;
    rw_sender *sender = &record->senders[transmitter];
    *sender = (rw_sender){.pattern = *pattern};
    if (pattern->kind != RW_PATTERN_TABLE)
        return RW_OK;
    if (!record->tables[transmitter])
        RW_TRY(rw_array_create(record->context, values, sizeof **record->tables, "an antenna",
                               &record->tables[transmitter]));
    memcpy(record->tables[transmitter], pattern->amplitudes, values * sizeof **record->tables);
    sender->pattern.amplitudes = record->tables[transmitter];
    return RW_OK;
}

static rw_cut_view view_cut(const rw_antenna_cut *cut)
{
    return (rw_cut_view){cut->angle_deg, cut->loss_db, cut->slope_db_per_deg, (int)cut->count};
}

_Static_assert(RW_ANTENNA_DIPOLE == 1 && RW_ANTENNA_SECTOR == 2 && RW_ANTENNA_CUTS == 3,
               "as rw_scalar_antenna has them");

/* Cuts are copied: antennas end with the prediction. */
rw_status rw_gain_record_antenna(rw_gain_record *record, size_t transmitter, const rw_antenna *antenna)
{
    rw_scalar_antenna scalar_antenna = {.kind = (int)antenna->kind,
                                        .peak_dbi = antenna->peak_gain_dbi,
                                        .deepest_loss_db = antenna->deepest_loss_db,
                                        .horizontal_deg = antenna->sector.horizontal_deg,
                                        .vertical_deg = antenna->sector.vertical_deg,
                                        .electrical_tilt_deg = antenna->sector.electrical_tilt_deg,
                                        .horizontal = view_cut(&antenna->horizontal),
                                        .vertical = view_cut(&antenna->vertical)};
    record->senders[transmitter] = (rw_sender){.scalar = 1, .antenna = scalar_antenna};
    if (antenna->kind != RW_ANTENNA_CUTS)
        return RW_OK;
    rw_cut_view *cuts[] = {&record->senders[transmitter].antenna.horizontal,
                           &record->senders[transmitter].antenna.vertical};
    for (int i = 0; i < 2; i++) {
        size_t count = (size_t)cuts[i]->count;
        double **curve = &record->curves[2 * transmitter + (size_t)i];
        free(*curve);
        RW_TRY(rw_array_create(record->context, 3 * count + 1, sizeof **curve, "an antenna", curve));
        memcpy(*curve, cuts[i]->angle_deg, count * sizeof **curve);
        memcpy(*curve + count, cuts[i]->loss_db, count * sizeof **curve);
        memcpy(*curve + 2 * count, cuts[i]->slope_db_per_deg, count * sizeof **curve);
        *cuts[i] = (rw_cut_view){*curve, *curve + count, *curve + 2 * count, (int)count};
    }
    return RW_OK;
}

void rw_gain_record_attenuate(rw_gain_record *record, size_t path, double loss_db)
{
    size_t at = record->paths[path].first_number + RW_GAIN_AMPLITUDE;
    double factor = pow(10, -0.05 * loss_db);
    record->numbers[at] *= factor;
    for (size_t axis = 0; record->positions && axis < 3; axis++)
        record->slopes[3 * at + axis] *= factor;
}

/* Central differences of fourth order over the four places of an axis: what is left is h^4 of the geometry's curvature
 * and the rounding of a coordinate over h, both about 1e-10. */
#define STEP_M 2e-3

static int freeze_slopes(rw_gain_freeze_fn freeze, void *user, const rw_gain_frozen *at, double step_m,
                         rw_gain_frozen *moved, double *slopes)
{
    static const double weights[4] = {8, -8, -1, 1}, steps[4] = {1, -1, 2, -2};
    for (size_t i = 0; i < 3 * (size_t)at->number_count; i++)
        slopes[i] = 0;
    for (int axis = 0; axis < 3; axis++)
        for (int k = 0; k < 4; k++) {
            double by = steps[k] * step_m;
            rw_vec3 move = rw_vec3_of(axis == 0 ? by : 0, axis == 1 ? by : 0, axis == 2 ? by : 0);
            if (!freeze(user, move, moved) || moved->number_count != at->number_count)
                return 0;
            for (uint32_t i = 0; i < at->number_count; i++)
                slopes[3 * i + (uint32_t)axis] += weights[k] / (12 * step_m) * (moved->numbers[i] - at->numbers[i]);
        }
    return 1;
}

static rw_status reserve_recorded_path(rw_gain_record *record, const rw_gain_frozen *frozen)
{
    RW_TRY(rw_array_reserve(record->context, &record->paths, &record->path_capacity, record->path_count + 1,
                            sizeof *record->paths, "kept paths"));
    RW_TRY(rw_array_reserve(record->context, &record->nodes, &record->node_capacity,
                            record->node_count + frozen->node_count, sizeof *record->nodes, "kept paths"));
    RW_TRY(rw_array_reserve(record->context, &record->numbers, &record->number_capacity,
                            record->number_count + frozen->number_count, sizeof *record->numbers, "kept paths"));
    if (!record->positions)
        return RW_OK;
    return rw_array_reserve(record->context, &record->slopes, &record->slope_capacity,
                            3 * (record->number_count + frozen->number_count), sizeof *record->slopes, "kept paths");
}

rw_status rw_gain_record_path(rw_gain_record *record, size_t transmitter, size_t point, rw_gain_freeze_fn freeze,
                              void *user)
{
    rw_gain_path path = {.pair = (uint32_t)(transmitter * record->point_count + point),
                         .transmitter = (uint32_t)transmitter};
    if (!record->scratch)
        RW_TRY(rw_array_create(record->context, 2, sizeof *record->scratch, "kept paths", &record->scratch));
    rw_gain_frozen *frozen = record->scratch;
    if (!freeze(user, rw_vec3_of(0, 0, 0), frozen))
        return RW_OK;
    RW_TRY(reserve_recorded_path(record, frozen));
    path.first_node = record->node_count;
    path.first_number = record->number_count;
    path.node_count = frozen->node_count;
    path.diffuse = frozen->diffuse;
    path.key = rw_hash(RW_HASH_START, frozen->numbers, frozen->number_count * sizeof *frozen->numbers);
    if (frozen->node_count) /* a direct path has none */
        memcpy(record->nodes + record->node_count, frozen->nodes, frozen->node_count * sizeof *frozen->nodes);
    memcpy(record->numbers + record->number_count, frozen->numbers, frozen->number_count * sizeof *frozen->numbers);
    if (record->positions) {
        double *slopes = record->slopes + 3 * record->number_count;
        double widest_m = record->step_m > 0 ? record->step_m : STEP_M;
        int found = 0;
        for (double step_m = widest_m; !found && step_m > 1e-3 * widest_m;
             step_m /= 16) /* near the end of where it exists */
            found = freeze_slopes(freeze, user, frozen, step_m, record->scratch + 1, slopes);
        if (!found)
            memset(slopes, 0, 3 * frozen->number_count * sizeof *slopes);
    }
    record->paths[record->path_count++] = path;
    record->node_count += frozen->node_count;
    record->number_count += frozen->number_count;
    return RW_OK;
}

static void store_vector_numbers(double *numbers, rw_vec3 vector)
{
    numbers[0] = vector.x;
    numbers[1] = vector.y;
    numbers[2] = vector.z;
}

void rw_gain_freeze_head(rw_gain_frozen *frozen, rw_vec3 departs, rw_vec3 arrives, const rw_pattern *receiver,
                         double amplitude, double phase_m)
{
    rw_vec3c receiver_vector = {{1, 0}, {0, 0}, {0, 0}};
    if (receiver)
        receiver_vector = rw_pattern_vector(receiver, rw_vec3_scale(arrives, -1));
    store_vector_numbers(frozen->numbers + RW_GAIN_DEPARTS, departs);
    store_vector_numbers(frozen->numbers + RW_GAIN_ARRIVES, arrives);
    memcpy(frozen->numbers + RW_GAIN_RECEIVER, &receiver_vector, sizeof receiver_vector);
    frozen->numbers[RW_GAIN_AMPLITUDE] = amplitude;
    frozen->numbers[RW_GAIN_PHASE_M] = phase_m;
    frozen->number_count = RW_GAIN_HEAD;
    frozen->node_count = frozen->diffuse = 0;
}

void rw_gain_freeze_wall(rw_gain_frozen *frozen, uint32_t kind, uint32_t wall, rw_vec3 direction, rw_vec3 normal,
                         double cosine)
{
    double *numbers = frozen->numbers + frozen->number_count;
    rw_vec3 across = rw_perpendicular(direction, normal);
    rw_vec3 behind = kind == RW_GAIN_THROUGH ? direction : rw_reflected_direction(direction, normal);
    store_vector_numbers(numbers + RW_GAIN_IN, across);
    store_vector_numbers(numbers + RW_GAIN_IN + 3, rw_vec3_cross(across, direction));
    store_vector_numbers(numbers + RW_GAIN_OUT, across);
    store_vector_numbers(numbers + RW_GAIN_OUT + 3, rw_vec3_cross(across, behind));
    numbers[RW_GAIN_COSINE] = cosine;
    frozen->nodes[frozen->node_count++] = (rw_gain_node){.kind = kind, .wall = wall, .first = frozen->number_count};
    frozen->number_count += RW_GAIN_WALL_NUMBERS;
}

/* A loss that depends on the places of both ends alone. */
typedef struct frozen_loss {
    rw_vec3 source, receiver;
    rw_gain_loss_fn loss_db;
    void *user;
} frozen_loss;

static int freeze_loss(void *user, rw_vec3 moved, rw_gain_frozen *frozen)
{
    const frozen_loss *of = user;
    rw_vec3 source = rw_vec3_add(of->source, moved), ray = rw_vec3_sub(of->receiver, source);
    double length_m = rw_vec3_length(ray), loss_db = of->loss_db(of->user, source);
    if (!(length_m > 0) || !isfinite(loss_db))
        return 0;
    rw_vec3 direction = rw_vec3_scale(ray, 1 / length_m);
    rw_gain_freeze_head(frozen, direction, direction, NULL, pow(10, -0.05 * loss_db), 0);
    return 1;
}

rw_status rw_gain_record_loss(rw_gain_record *record, size_t transmitter, size_t point, rw_vec3 source,
                              rw_vec3 receiver, double step_m, rw_gain_loss_fn loss_db, void *user)
{
    frozen_loss of = {source, receiver, loss_db, user};
    record->step_m = step_m;
    rw_status status = rw_gain_record_path(record, transmitter, point, freeze_loss, &of);
    record->step_m = 0;
    return status;
}

void rw_gain_freeze_scalar(double *numbers)
{
    for (int i = 0; i < 12; i++)
        numbers[i] = i == 0 || i == 4 || i == 6 || i == 10 ? 1 : 0;
}

void rw_gain_freeze_mixed(rw_gain_frozen *frozen, uint32_t wall, double cosine, double te_fraction)
{
    double *numbers = frozen->numbers + frozen->number_count;
    rw_gain_freeze_scalar(numbers);
    numbers[RW_GAIN_COSINE] = cosine;
    numbers[RW_GAIN_TE_FRACTION] = te_fraction;
    frozen->nodes[frozen->node_count++] =
        (rw_gain_node){.kind = RW_GAIN_MIXED, .wall = wall, .first = frozen->number_count};
    frozen->number_count += RW_GAIN_MIXED_NUMBERS;
}

typedef struct frozen_reference {
    rw_vec3 source, receiver;
    const rw_gain_reference *reference;
} frozen_reference;

static int freeze_reference(void *user, rw_vec3 moved, rw_gain_frozen *frozen)
{
    const frozen_reference *of = user;
    const rw_gain_reference *reference = of->reference;
    rw_vec3 source = rw_vec3_add(of->source, moved), ray = rw_vec3_sub(of->receiver, source);
    rw_vec3 direction = rw_vec3_scale(ray, 1 / rw_vec3_length(ray));
    rw_compose_input in;
    rw_gain_freeze_head(frozen, direction, direction, NULL, 1, 0);
    reference->find(reference->user, source, &in);
    double *numbers = frozen->numbers;
    numbers[RW_GAIN_DIRECT_DB] = in.free_space_db;
    numbers[RW_GAIN_MEDIAN_DB] = in.median_db;
    numbers[RW_GAIN_AVAILABLE] = in.available;
    numbers[RW_GAIN_RULE] = reference->rule;
    numbers[RW_GAIN_OTHER_DB] = reference->other_db;
    numbers[RW_GAIN_GROUND_DB] = reference->ground_db;
    numbers[RW_GAIN_OFFSET_DB] = reference->offset_db;
    numbers[RW_GAIN_BUILT] = in.built;
    numbers[RW_GAIN_PRIOR_WEIGHT] = in.weight;
    numbers[RW_GAIN_SLOPE] = in.slope;
    frozen->number_count = RW_GAIN_REFERENCE_NUMBERS;
    frozen->diffuse = RW_GAIN_REFERENCE;
    return 1;
}

rw_status rw_gain_record_reference(rw_gain_record *record, size_t transmitter, size_t point, rw_vec3 source,
                                   rw_vec3 receiver, const rw_gain_reference *reference)
{
    frozen_reference of = {source, receiver, reference};
    return rw_gain_record_path(record, transmitter, point, freeze_reference, &of);
}
