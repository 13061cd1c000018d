#include "visibility/streets/corner_beams.h"

#include "base/memory.h"
#include "visibility/streets/street_graph.k.h"

#include <stdlib.h>

static rw_status allocate_beam_array(rw_corner_beams *beams, size_t bytes, void *pointer_out)
{
    return rw_device_alloc(beams->scene->context, beams->sight.backend, bytes, "beams of corners", pointer_out);
}

static rw_status create_corner_beams(const rw_receivers *receivers, rw_corner_beams *beams)
{
    const rw_scene *scene = beams->scene;
    size_t corners = scene->prepared->corners.count;
    rw_vec3 nowhere[RW_BEAMS_A_WORD] = {{0}};
    RW_TRY(rw_los_job_create(scene, receivers, nowhere, RW_BEAMS_A_WORD, RW_LOS_POLYGONS, 0, &beams->sight));
    RW_TRY(allocate_beam_array(beams, corners * sizeof *beams->slots, &beams->slots));
    RW_TRY(rw_array_create(scene->context, corners, sizeof *beams->host_slots, "corners", &beams->host_slots));
    rw_corner_beams_clear(beams);
    return RW_OK;
}

void rw_corner_beams_clear(rw_corner_beams *beams)
{
    for (size_t i = 0; i < beams->scene->prepared->corners.count; i++)
        beams->host_slots[i] = RW_STREET_NONE;
    beams->view.word_count = 0;
}

rw_status rw_corner_beams_create(const rw_scene *scene, const rw_receivers *receivers, rw_corner_beams *beams)
{
    *beams = (rw_corner_beams){.scene = scene};
    beams->view.used = 1;
    beams->view.plane_m = receivers->view.high_m;
    rw_status status = create_corner_beams(receivers, beams);
    if (status != RW_OK)
        rw_corner_beams_destroy(beams);
    return status;
}

void rw_corner_beams_destroy(rw_corner_beams *beams)
{
    void *owned[] = {beams->seen, beams->corners, beams->slots};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        if (owned[i])
            rw_device_free(beams->sight.backend, owned[i]);
    free(beams->host_slots);
    if (beams->sight.context)
        rw_los_job_destroy(&beams->sight);
    *beams = (rw_corner_beams){0};
}

static rw_status reserve_beam_words(rw_corner_beams *beams, size_t words)
{
    rw_context *context = beams->scene->context;
    rw_backend backend = beams->sight.backend;
    size_t used = beams->view.word_count, each = beams->sight.arrays.receivers.outdoor_count * sizeof *beams->seen;
    size_t numbers = RW_BEAMS_A_WORD * sizeof *beams->corners;
    if (words <= beams->word_capacity)
        return RW_OK;
    words += words / 4;
    beams->word_capacity = 0; /* until both have room */
    RW_TRY(rw_device_grow(context, backend, &beams->seen, used * each, words * each, "beams of corners"));
    RW_TRY(rw_device_grow(context, backend, &beams->corners, used * numbers, words * numbers, "beams of corners"));
    beams->word_capacity = words;
    return RW_OK;
}

/* One word of each receiver: the corners of the list, at most RW_BEAMS_A_WORD. */
static rw_status draw_word(rw_corner_beams *beams, const uint32_t *list, size_t count)
{
    rw_context *context = beams->scene->context;
    const rw_corner *corners = beams->scene->prepared->corners.items;
    rw_vec2 centre = beams->scene->prepared->grid.centre;
    size_t word = beams->view.word_count, outdoor_count = beams->sight.arrays.receivers.outdoor_count;
    rw_vec3 sources[RW_BEAMS_A_WORD];
    for (size_t i = 0; i < count; i++) {
        const rw_corner *corner = corners + list[i];
        sources[i] = rw_vec3_of(corner->x + centre.x, corner->y + centre.y, (double)beams->view.plane_m);
        beams->host_slots[list[i]] = (uint32_t)(word * RW_BEAMS_A_WORD + i);
    }
    RW_TRY(rw_los_job_move(&beams->sight, sources, count));
    RW_TRY(rw_los_job_run(&beams->sight));
    struct rw_pack_beams_args pack = {beams->sight.arrays.receivers, beams->sight.arrays.los, count,
                                      beams->seen + word * outdoor_count};
    RW_TRY(rw_device_launch(context, beams->sight.backend, RW_KERNEL_pack_beams, &pack, outdoor_count));
    RW_TRY(rw_device_upload(context, beams->sight.backend, beams->corners + word * RW_BEAMS_A_WORD, list,
                            count * sizeof *list));
    beams->view.word_count++;
    return RW_OK;
}

rw_status rw_corner_beams_draw(rw_corner_beams *beams, const uint32_t *list, size_t count)
{
    uint32_t now[RW_BEAMS_A_WORD];
    size_t filled = 0, wanted = 0;
    for (size_t i = 0; i < count; i++)
        wanted += beams->host_slots[list[i]] == RW_STREET_NONE;
    if (wanted == 0)
        return RW_OK;
    RW_TRY(reserve_beam_words(beams, beams->view.word_count + (wanted + RW_BEAMS_A_WORD - 1) / RW_BEAMS_A_WORD));
    for (size_t i = 0; i < count; i++) {
        if (beams->host_slots[list[i]] != RW_STREET_NONE)
            continue;
        now[filled++] = list[i];
        wanted--;
        if (filled < RW_BEAMS_A_WORD && wanted > 0)
            continue;
        RW_TRY(draw_word(beams, now, filled));
        filled = 0;
    }
    beams->view.seen = beams->seen;
    beams->view.corners = beams->corners;
    beams->view.slots = beams->slots;
    return rw_device_upload(beams->scene->context, beams->sight.backend, beams->slots, beams->host_slots,
                            beams->scene->prepared->corners.count * sizeof *beams->slots);
}
