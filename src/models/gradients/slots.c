/* Slots of kept gains: where each path writes its derivatives on the way back, and the stretches of slots that add up
 * to one parameter. Those of the paths come first, then those of the interactions with each wall, then one a pair for
 * the power of its transmitter. */
#include "models/gradients/gradients.h"

#include "base/memory.h"

#define STRETCH 1024 /* slots that an item adds up: 32 for each thread of a warp */

/* Ranks of interactions in the order of paths, which does not depend on who has found them when. */
static void rank_nodes(rw_gains *gains)
{
    const rw_gain_record *record = &gains->record;
    for (size_t p = 0; p < record->path_count; p++)
        for (uint32_t i = 0; i < record->paths[p].node_count; i++) {
            rw_gain_node *node = &record->nodes[record->paths[p].first_node + i];
            node->rank = gains->walls[node->wall].node_count++;
        }
}

/* Where the slots of each wall begin, behind those of the paths, and how many there are. */
static void assign_wall_slots(rw_gains *gains)
{
    const rw_gain_record *record = &gains->record;
    size_t of_path = record->positions ? RW_GAIN_PATH_SLOTS : RW_GAIN_SLOT_POSITION, at = of_path * record->path_count;
    for (size_t i = 0; i < record->wall_count; i++) {
        rw_gain_wall *wall = &gains->walls[i];
        wall->wall.layer_count = record->walls[i].wall.layer_count;
        wall->first_slot = at;
        at += (size_t)wall->node_count * rw_gain_wall_slots(wall);
    }
    gains->first_power_slot = at;
    gains->slot_count = at + record->transmitter_count * record->point_count;
}

/* Slots from first on, all of one parameter. */
static rw_status add_run(rw_gains *gains, uint32_t parameter, uint64_t first, uint64_t count)
{
    for (uint64_t at = 0; at < count && parameter != RW_NO_PARAMETER; at += STRETCH) {
        uint64_t end = at + STRETCH < count ? at + STRETCH : count;
        RW_TRY(rw_array_reserve(gains->context, &gains->stretches, &gains->stretch_capacity, gains->stretch_count + 1,
                                sizeof *gains->stretches, "derivatives"));
        gains->stretches[gains->stretch_count++] = (rw_gain_stretch){first + at, first + end, parameter};
    }
    return RW_OK;
}

static rw_status add_wall_slots(rw_gains *gains, const rw_gain_wall *wall, const uint32_t roughness[2])
{
    uint32_t layers = (uint32_t)wall->wall.layer_count;
    uint64_t at = wall->first_slot, count = wall->node_count;
    for (uint32_t i = 0; i < layers; i++, at += RW_GAIN_LAYER_SLOTS * count) {
        RW_TRY(add_run(gains, wall->permittivity[i], at + RW_GAIN_SLOT_PERMITTIVITY * count, count));
        RW_TRY(add_run(gains, wall->conductivity[i], at + RW_GAIN_SLOT_CONDUCTIVITY * count, count));
        RW_TRY(add_run(gains, wall->thickness[i], at + RW_GAIN_SLOT_THICKNESS * count, count));
    }
    for (uint32_t side = 0; side < 2; side++)
        RW_TRY(add_run(gains, roughness[side], at + side * count, count));
    return RW_OK;
}

/* Paths are in the order of transmitters, and so are pairs. */
static rw_status add_transmitter_slots(rw_gains *gains, size_t index)
{
    const rw_gain_record *record = &gains->record;
    size_t points = record->point_count, each = record->positions ? RW_GAIN_PATH_SLOTS : RW_GAIN_SLOT_POSITION;
    uint64_t first = gains->firsts[index * points], count = gains->firsts[(index + 1) * points] - first;
    uint32_t parameter = (uint32_t)(gains->first_transmitter_parameter + index * (each + 1)); /* and its power */
    RW_TRY(add_run(gains, parameter, gains->first_power_slot + index * points, points));
    for (uint32_t i = 0; i < each; i++)
        RW_TRY(add_run(gains, parameter + 1 + i, first + i * record->path_count, count));
    return RW_OK;
}

static int compare_stretches(const void *left, const void *right)
{
    const rw_gain_stretch *a = left, *b = right;
    if (a->parameter != b->parameter)
        return a->parameter < b->parameter ? -1 : 1;
    return a->first < b->first ? -1 : a->first > b->first;
}

rw_status rw_gains_list_slots(rw_gains *gains)
{
    const rw_gain_record *record = &gains->record;
    rank_nodes(gains);
    assign_wall_slots(gains);
    for (size_t i = 0; i < record->wall_count; i++)
        RW_TRY(add_wall_slots(gains, &gains->walls[i], record->walls[i].roughness));
    for (size_t i = 0; i < record->transmitter_count; i++)
        RW_TRY(add_transmitter_slots(gains, i));
    rw_sort(gains->stretches, gains->stretch_count, sizeof *gains->stretches, compare_stretches);
    RW_TRY(rw_array_create(gains->context, gains->parameter_count + 1, sizeof *gains->stretch_firsts, "derivatives",
                           &gains->stretch_firsts));
    for (size_t i = 0; i < gains->stretch_count; i++)
        gains->stretch_firsts[gains->stretches[i].parameter + 1]++;
    for (size_t i = 0; i < gains->parameter_count; i++)
        gains->stretch_firsts[i + 1] += gains->stretch_firsts[i];
    return RW_OK;
}
