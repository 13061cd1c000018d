/* The best paths round corners to one receiver where corners lie in the receiver plane, as Rick and Kuhlen (2010) have
 * them: every corner whose beam has the receiver, equations (9) and (10). */
#ifndef RW_MODELS_SHADOW_STREETS_STREET_IN_PLANE_K_H
#define RW_MODELS_SHADOW_STREETS_STREET_IN_PLANE_K_H

#include "models/shadow/streets/street_best.k.h"

/* Equation (9): what the corner before sees is no part of the beam of the last one. */
RW_FN int rw_street_in_beam_before(const rw_street_view *street, size_t source, const rw_street_path *path,
                                   const rw_street_receiver *receiver)
{
    if (path->before == RW_STREET_NONE)
        return 0;
    uint32_t corner = street->paths[source * street->capacity + path->before].corner;
    return rw_corner_beam_has(&street->beams, street->graph.receivers.outdoor_count, receiver->outdoor, corner);
}

/* All paths to one corner, continued to the receiver on the level. */
RW_FN void rw_street_try_level(const rw_street_view *street, size_t source, const rw_street_receiver *receiver,
                               uint32_t number, rw_strongest_paths *best)
{
    const rw_street_reached *reached = street->reached + source * street->graph.corners.count + number;
    const rw_corner *corner = street->graph.corners.items + number;
    float dx = (float)(receiver->at.x - corner->x), dy = (float)(receiver->at.y - corner->y);
    float distance = sqrtf(dx * dx + dy * dy), min_db = street->sources[source].street_min_db;
    if (reached->head == RW_STREET_NONE || !(distance > 0.0f))
        return;
    float nearest_db =
        rw_street_free_space_db(rw_bits_float(reached->length_bits) + distance, 0.0f, receiver->constant_db) + min_db;
    for (uint32_t i = reached->head; i != RW_STREET_NONE; i = street->paths[source * street->capacity + i].next) {
        const rw_street_path *path = street->paths + source * street->capacity + i;
        if (!(path->loss_db + nearest_db < best->bound_db)) /* nor any after it */
            return;
        float angle_rad =
            rw_street_angle_rad(&street->beams, street->sources + source, path, dx / distance, dy / distance);
        float loss_db = path->loss_db +
                        rw_street_free_space_db(path->length_m + distance, 0.0f, receiver->constant_db) +
                        (float)rw_deflection_loss_db(street->sources[source].street, (double)angle_rad);
        if (!path->dominated && loss_db < best->bound_db && !rw_street_in_beam_before(street, source, path, receiver))
            rw_strongest_paths_add(best, loss_db, i);
    }
}

RW_FN void rw_street_find_in_plane(const rw_street_view *street, size_t source, const rw_street_receiver *receiver,
                                   rw_strongest_paths *best)
{
    const rw_corner_beams_view *beams = &street->beams;
    size_t outdoor_count = street->graph.receivers.outdoor_count;
    for (uint32_t word = 0; word < beams->word_count; word++) {
        uint32_t seen = beams->seen[word * outdoor_count + receiver->outdoor];
        for (uint32_t i = 0; seen != 0u; i++, seen >>= 1)
            if (seen & 1u)
                rw_street_try_level(street, source, receiver, beams->corners[word * RW_BEAMS_A_WORD + i], best);
    }
}

#endif
