/* The beams of a transmitter as polygons of the map, and as GeoJSON: what figures 4 to 6 of Schmitz and others (2011)
 * draw. A polygon is one piece: from the wall that the beam left, or its corner or source, to the wall that it meets.
 */

#include "base/file.h"
#include "base/memory.h"
#include "base/text/json_write.h"
#include "models/beams/beams.h"
#include "models/beams/evaluation/piece_region.k.h"
#include "output/geojson.h"

#include <stdlib.h>
#include <string.h>

#define OUTLINES_MAX 2000000 /* some 700 MB of GeoJSON */

typedef struct outline_list {
    const rw_scene *scene;
    double reach_m; /* where beams that meet nothing are cut off */
    rw_beam_outline *items;
    size_t count, capacity;
} outline_list;

static rw_vec2 to_world_point(const rw_scene *scene, rw_vec2 origin, rw_vec2 direction, double along)
{
    rw_vec2 centre = scene->prepared->grid.centre;
    return rw_vec2_of(origin.x + along * direction.x + centre.x + scene->origin.x,
                      origin.y + along * direction.y + centre.y + scene->origin.y);
}

static rw_beam_outline outline_of(const outline_list *list, const rw_beam *beam, const rw_beam_piece *piece)
{
    const rw_exact_wall *walls = list->scene->prepared->grid.exact;
    const rw_exact_wall *near =
        beam->kind == RW_BEAM_REFLECTED || beam->kind == RW_BEAM_TRANSMITTED ? walls + beam->wall : NULL;
    const rw_exact_wall *far = piece->wall != RW_NO_WALL ? walls + piece->wall : NULL;
    rw_beam_outline outline = {.reflections = beam->reflections,
                               .transmissions = beam->transmissions,
                               .diffractions = beam->diffractions,
                               .ends = far != NULL,
                               .conditional = piece->needs_check != 0};
    const rw_vec2 edges[2] = {rw_unit(piece->right), rw_unit(piece->left)};
    static const char *const kinds[] = {"source", "reflected", "transmitted", "diffracted"};
    outline.kind = kinds[beam->kind];
    for (int i = 0; i < 2; i++) {
        double begin = rw_edge_meets(beam->origin, edges[i], near, 0, 1e9);
        double reach_m = fmin((double)piece->far_m, begin + list->reach_m);
        double end = fmax(begin, rw_edge_meets(beam->origin, edges[i], far, reach_m, 1e9));
        outline.corners[i ? 3 : 0] = to_world_point(list->scene, beam->origin, edges[i], begin);
        outline.corners[i ? 2 : 1] = to_world_point(list->scene, beam->origin, edges[i], end);
    }
    return outline;
}

static rw_status reserve_outlines(rw_context *context, outline_list *list, size_t more)
{
    size_t wanted = list->count + more;
    if (wanted > OUTLINES_MAX)
        return rw_fail(context, RW_TOO_LARGE, "there are more than %d polygons of beams; allow fewer reflections",
                       OUTLINES_MAX);
    if (wanted <= list->capacity)
        return RW_OK;
    rw_beam_outline *grown = realloc(list->items, 2 * wanted * sizeof *grown);
    if (!grown)
        return rw_fail(context, RW_OUT_OF_MEMORY, "no memory for %zu polygons of beams", wanted);
    list->items = grown;
    list->capacity = 2 * wanted;
    return RW_OK;
}

rw_status rw_beam_pieces_fetch(const rw_beam_tracer *tracer, size_t beam_count, size_t piece_count, rw_beam **beams,
                               rw_beam_piece **pieces)
{
    rw_context *context = tracer->prediction->scene->context;
    size_t beam_bytes = beam_count * sizeof **beams, piece_bytes = piece_count * sizeof **pieces;
    *pieces = NULL;
    RW_TRY(rw_array_create(context, beam_count, sizeof **beams, "beams", beams));
    rw_status status = rw_array_create(context, piece_count, sizeof **pieces, "pieces of beams", pieces);
    if (status == RW_OK)
        status = rw_device_download(context, tracer->backend, *beams, tracer->beams, beam_bytes);
    if (status == RW_OK)
        status = rw_device_download(context, tracer->backend, *pieces, tracer->pieces, piece_bytes);
    if (status == RW_OK)
        return RW_OK;
    free(*beams);
    free(*pieces);
    return status;
}

/* An rw_pieces_fn. */
static rw_status append_outlines(void *user, const rw_beam_tracer *tracer, size_t beam_count, size_t piece_count)
{
    outline_list *list = user;
    rw_beam *beams;
    rw_beam_piece *pieces;
    RW_TRY(reserve_outlines(tracer->prediction->scene->context, list, piece_count));
    RW_TRY(rw_beam_pieces_fetch(tracer, beam_count, piece_count, &beams, &pieces));
    for (size_t i = 0; i < piece_count; i++)
        list->items[list->count++] = outline_of(list, &beams[pieces[i].beam], &pieces[i]);
    free(beams);
    free(pieces);
    return RW_OK;
}

/* In an order that does not depend on threads. */
static int compare_beam_outlines(const void *a, const void *b)
{
    const rw_beam_outline *first = a, *second = b;
    int level = first->reflections + first->transmissions + first->diffractions;
    int other = second->reflections + second->transmissions + second->diffractions;
    if (level != other)
        return level - other;
    return memcmp(first->corners, second->corners, sizeof first->corners);
}

rw_status rw_beam_outlines_trace(const rw_prediction *prediction, size_t transmitter, rw_pieces_fn on_pieces,
                                 void *user)
{
    rw_beam_settings settings;
    rw_beam_tracer tracer;
    rw_beam_tables tables;
    RW_TRY(rw_beam_settings_resolve(prediction, &settings));
    RW_TRY(rw_beam_tracer_create(prediction, &settings, &tracer));
    tracer.receiver_tops = NULL; /* pieces are not interrupted where no receiver is reached */
    rw_status status = rw_beam_tables_create(prediction, &settings, transmitter, &tables);
    if (status == RW_OK) {
        status = rw_beam_trace(&tracer, rw_beam_source(prediction, transmitter), &tables.losses, on_pieces, user);
        rw_beam_tables_destroy(&tables);
    }
    rw_beam_tracer_destroy(&tracer);
    return status;
}

rw_status rw_beam_outlines_create(const rw_scene *scene, const rw_predict_options *options, size_t transmitter,
                                  rw_beam_outline **outlines, size_t *count)
{
    rw_prediction *prediction;
    rw_vec2 across = rw_vec2_sub(scene->box_max, scene->box_min);
    outline_list list = {.scene = scene, .reach_m = sqrt(rw_vec2_dot(across, across))};
    RW_TRY(rw_prediction_open(scene, options, &prediction));
    rw_status status = rw_beam_outlines_trace(prediction, transmitter, append_outlines, &list);
    rw_prediction_destroy(prediction);
    if (status != RW_OK) {
        free(list.items);
        return status;
    }
    if (list.count)
        qsort(list.items, list.count, sizeof *list.items, compare_beam_outlines);
    *outlines = list.items;
    *count = list.count;
    return RW_OK;
}

static void write_beam_outline(FILE *stream, const rw_beam_outline *outline, size_t transmitter)
{
    fprintf(stream,
            "{\"type\": \"Feature\", \"properties\": {\"transmitter\": %zu, \"kind\": \"%s\", \"reflections\": %d, "
            "\"transmissions\": %d, \"diffractions\": %d, \"ends_at_wall\": %s, \"conditional\": %s}, "
            "\"geometry\": {\"type\": \"Polygon\", \"coordinates\": [[",
            transmitter + 1, outline->kind, outline->reflections, outline->transmissions, outline->diffractions,
            outline->ends ? "true" : "false", outline->conditional ? "true" : "false");
    for (int i = 0; i <= 4; i++) { /* the first corner again at the end */
        fputs(i ? ", [" : "[", stream);
        rw_json_write_number(stream, outline->corners[i % 4].x);
        fputs(", ", stream);
        rw_json_write_number(stream, outline->corners[i % 4].y);
        fputc(']', stream);
    }
    fputs("]]}}", stream);
}

static rw_status write_beam_outlines(const rw_scene *scene, const rw_predict_options *options, FILE *stream)
{
    int any = 0;
    rw_geojson_begin(stream, scene->crs, scene->context->provenance);
    for (size_t t = 0; t < options->transmitter_count; t++) {
        rw_beam_outline *outlines;
        size_t count;
        RW_TRY(rw_beam_outlines_create(scene, options, t, &outlines, &count));
        for (size_t i = 0; i < count; i++, any = 1) {
            fputs(any ? ",\n" : "\n", stream);
            write_beam_outline(stream, &outlines[i], t);
        }
        free(outlines);
    }
    rw_geojson_end(stream);
    return RW_OK;
}

rw_status rw_write_beams(const rw_scene *scene, const rw_predict_options *options, const char *path)
{
    rw_context *context = scene->context;
    rw_file_writer writer;
    const char *model = options && options->model ? options->model : "shadow";
    if (strcmp(model, "beams") != 0)
        return rw_fail(context, RW_BAD_CALL, "model %s has no beams; the model beams has", model);
    RW_TRY(rw_file_begin(context, path, &writer));
    rw_status status = write_beam_outlines(scene, options, writer.stream);
    if (status == RW_OK)
        return rw_file_commit(context, &writer);
    rw_file_abandon(&writer);
    return status;
}
