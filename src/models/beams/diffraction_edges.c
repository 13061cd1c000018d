/* The corners that send a transmitter's beams on, and how many beams leave each. */
#include "base/maths/elementary.h"
#include "field/paths/free_space.k.h"
#include "models/beams/beams.h"

#include <math.h>
#include <stdlib.h>

typedef struct source_list {
    const rw_prediction *prediction;
    double wavelength_m;
    rw_diffraction_source *items;
    size_t count, capacity;
} source_list;

static rw_status append_diffraction_source(source_list *list, rw_diffraction_source diffraction_source)
{
    if (list->count == list->capacity) {
        size_t capacity = 2 * list->capacity + 1024;
        rw_diffraction_source *grown = realloc(list->items, capacity * sizeof *grown);
        if (!grown)
            return rw_fail(list->prediction->scene->context, RW_OUT_OF_MEMORY, "no memory for %zu diffraction sources",
                           capacity);
        list->items = grown;
        list->capacity = capacity;
    }
    list->items[list->count++] = diffraction_source;
    return RW_OK;
}

/* A beam that leaves a corner, as one of the corner's. */
static rw_diffraction_source diffraction_source_of(const source_list *list, const rw_beam *beam)
{
    const rw_scene *scene = list->prediction->scene;
    const rw_exact_wall *wall = scene->prepared->grid.exact + beam->wall;
    rw_vec2 at = rw_vec2_add(beam->origin, scene->prepared->grid.centre);
    double before_db = (double)fminf(beam->loss_db[1], fminf(beam->loss_db[0], beam->loss_db[2]));
    return (rw_diffraction_source){
        .at = at,
        .low_m = isfinite(wall->bottom) ? wall->bottom : rw_scene_ground_m(scene, at), /* endless: from the ground */
        .top_m = wall->top,
        .order = beam->diffractions,
        .loss_db = rw_free_space_loss_db(beam->before_m, list->wavelength_m) + before_db,
        .count = 1,
    };
}

/* Each beam once, whatever number of pieces it is cut into. */
static rw_status append_diffracted_beams(source_list *list, rw_beam *beams, const rw_beam_piece *pieces,
                                         size_t piece_count)
{
    for (size_t i = 0; i < piece_count; i++) {
        rw_beam *beam = &beams[pieces[i].beam];
        if (beam->kind != RW_BEAM_DIFFRACTED)
            continue;
        RW_TRY(append_diffraction_source(list, diffraction_source_of(list, beam)));
        beam->kind = RW_BEAM_SOURCE;
    }
    return RW_OK;
}

/* An rw_pieces_fn. */
static rw_status collect_diffraction_sources(void *user, const rw_beam_tracer *tracer, size_t beam_count,
                                             size_t piece_count)
{
    source_list *list = user;
    rw_beam *beams;
    rw_beam_piece *pieces;
    RW_TRY(rw_beam_pieces_fetch(tracer, beam_count, piece_count, &beams, &pieces));
    rw_status status = append_diffracted_beams(list, beams, pieces, piece_count);
    free(beams);
    free(pieces);
    return status;
}

static int compare_source_positions(const void *left, const void *right)
{
    const rw_diffraction_source *a = left, *b = right;
    if (a->at.x != b->at.x)
        return a->at.x < b->at.x ? -1 : 1;
    return a->at.y < b->at.y ? -1 : a->at.y > b->at.y;
}

/* Beams that leave one corner become one source. */
static void merge_diffraction_sources(source_list *list)
{
    size_t merged = 0;
    if (list->count)
        qsort(list->items, list->count, sizeof *list->items, compare_source_positions);
    for (size_t i = 0; i < list->count; i++) {
        const rw_diffraction_source *item = &list->items[i];
        if (merged == 0 || compare_source_positions(&list->items[merged - 1], item) != 0) {
            list->items[merged++] = *item;
            continue;
        }
        rw_diffraction_source *last = &list->items[merged - 1];
        last->order = item->order < last->order ? item->order : last->order;
        last->loss_db = fmin(last->loss_db, item->loss_db);
        last->count += item->count;
    }
    list->count = merged;
}

rw_status rw_beam_diffraction_sources(const rw_prediction *prediction, size_t transmitter,
                                      rw_diffraction_source **sources, size_t *count)
{
    source_list list = {.prediction = prediction,
                        .wavelength_m = RW_SPEED_OF_LIGHT_M_S / rw_prediction_freq_hz(prediction, transmitter)};
    rw_status status = rw_beam_outlines_trace(prediction, transmitter, collect_diffraction_sources, &list);
    if (status != RW_OK) {
        free(list.items);
        return status;
    }
    merge_diffraction_sources(&list);
    *sources = list.items;
    *count = list.count;
    return RW_OK;
}
