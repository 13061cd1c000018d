/* rw_preprocess and the databases it makes: the part of a prediction that does not depend on the transmitter. */
#include "models/shadow/database/database.h"

#include "base/memory.h"
#include "base/options.h"
#include "models/shadow/kept.h"
#include "models/engine/session.h"
#include "models/tiles/database/tile_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static rw_street_subject subject_of(const rw_map_info *cells)
{
    return (rw_street_subject){.columns = cells->columns,
                               .rows = cells->rows,
                               .x0_m = cells->x0_m,
                               .y0_m = cells->y0_m,
                               .res_m = cells->res_m,
                               .height_m = cells->rx_height_m};
}

static rw_status create_receivers(const rw_scene *scene, const rw_street_subject *subject, rw_receivers *receivers)
{
    rw_vec2 corner = {subject->x0_m - scene->origin.x, subject->y0_m - scene->origin.y};
    return rw_receivers_create(scene, &scene->prepared->grid, corner, subject->columns, subject->rows, subject->res_m,
                               subject->height_m, receivers);
}

/* All corners, a few at a time, so that progress is seen and can be stopped. */
static rw_status fill_graph(rw_street_graph *graph)
{
    rw_context *context = graph->context;
    const size_t slice = 512;
    size_t count = graph->view.corners.count;
    uint32_t *corners;
    RW_TRY(rw_array_create(context, count + 1, sizeof *corners, "corners", &corners));
    for (size_t i = 0; i < count; i++)
        corners[i] = (uint32_t)i;
    rw_status status = RW_OK;
    for (size_t first = 0; first < count && status == RW_OK; first += slice) {
        size_t now = count - first < slice ? count - first : slice;
        status = rw_street_graph_link(graph, corners + first, now);
        if (status == RW_OK)
            status = rw_street_graph_see(graph, corners + first, now);
        if (status == RW_OK)
            status = rw_progress(context, (double)(first + now) / (double)count, "corners");
    }
    free(corners);
    return status;
}

/* A bit for each cell: whether it is a receiver. */
static rw_status list_outdoor(rw_context *context, const rw_receivers *receivers, unsigned char **bits, size_t *bytes)
{
    const rw_receivers_view *view = &receivers->view;
    *bytes = (view->columns * view->rows + 7) / 8;
    RW_TRY(rw_array_create(context, *bytes, 1, "receivers", bits));
    for (size_t i = 0; i < view->outdoor_count; i++)
        (*bits)[view->outdoor[i] / 8] |= (unsigned char)(1u << view->outdoor[i] % 8);
    return RW_OK;
}

static rw_status build_tables(const rw_scene *scene, const rw_receivers *receivers, rw_street_tables *tables)
{
    rw_street_graph graph;
    RW_TRY(rw_street_graph_create(scene, receivers, INFINITY, &graph));
    rw_status status = fill_graph(&graph);
    if (status == RW_OK)
        status = rw_street_tables_fetch(&graph, tables);
    rw_street_graph_destroy(&graph);
    return status;
}

static rw_status preprocess(const rw_scene *scene, const rw_map_info *cells, const char *path)
{
    rw_street_subject subject = subject_of(cells);
    rw_receivers receivers;
    rw_street_tables tables = {0};
    RW_TRY(create_receivers(scene, &subject, &receivers));
    rw_status status = build_tables(scene, &receivers, &tables);
    tables.subject = subject;
    if (status == RW_OK)
        status = list_outdoor(scene->context, &receivers, &tables.outdoor, &tables.outdoor_bytes);
    if (status == RW_OK)
        status = rw_street_tables_write(scene, path, &tables);
    rw_street_tables_free(&tables);
    rw_receivers_destroy(&receivers);
    return status;
}

rw_status rw_preprocess(const rw_scene *scene, const rw_preprocess_options *given, const char *path)
{
    rw_preprocess_options options;
    rw_predict_options call;
    rw_map_info cells = {.size = sizeof cells};
    RW_TRY(rw_preprocess_options_take(scene->context, given, &options));
    if (strcmp(options.model, "tiles") == 0)
        return rw_tile_database_make(scene, &options, path);
    rw_predict_options_init(&call);
    call.model = options.model;
    call.res_m = options.res_m;
    call.rx_height_m = options.rx_height_m;
    memcpy(call.area_m, options.area_m, sizeof call.area_m);
    RW_TRY(rw_prediction_cells(scene, &call, &cells));
    if (scene->prepared->corners.count == 0)
        return rw_fail(scene->context, RW_BAD_INPUT, "the scene has no street corners that a database could hold");
    return preprocess(scene, &cells, path);
}

/* The scene is the file's, by its identity; receivers and corners must come out the same again. */
static rw_status check_receivers(const rw_scene *scene, const char *path, const rw_street_tables *tables,
                                 const rw_database *database)
{
    unsigned char *outdoor;
    size_t bytes;
    RW_TRY(list_outdoor(scene->context, &database->receivers, &outdoor, &bytes));
    int same = bytes == tables->outdoor_bytes && memcmp(outdoor, tables->outdoor, bytes) == 0 &&
               tables->corner_count == database->graph.view.corners.count &&
               tables->chunk_count == database->graph.view.chunk_count;
    free(outdoor);
    return same ? RW_OK
                : rw_fail(scene->context, RW_BAD_INPUT, "%s has other receivers or corners than this scene; %s", path,
                          rw_corner_database_kind.again);
}

static rw_status place_tables(const rw_scene *scene, const char *path, const rw_street_tables *tables,
                              rw_database *database)
{
    database->model = "shadow";
    database->subject = tables->subject;
    database->bytes = tables->bytes;
    RW_TRY(create_receivers(scene, &tables->subject, &database->receivers));
    RW_TRY(rw_street_graph_create(scene, &database->receivers, INFINITY, &database->graph));
    RW_TRY(check_receivers(scene, path, tables, database));
    return rw_street_tables_place(tables, &database->graph);
}

static rw_status load_tables(const rw_scene *scene, const char *path, rw_database *database)
{
    rw_street_tables tables;
    RW_TRY(rw_street_tables_read(scene->context, path, scene, &tables));
    rw_status status = place_tables(scene, path, &tables, database);
    rw_street_tables_free(&tables);
    return status;
}

rw_status rw_database_load(const rw_scene *scene, const char *path, rw_database **database)
{
    rw_context *context = scene->context;
    rw_database *made;
    int tiles;
    *database = NULL;
    if (!scene->committed)
        return rw_fail(context, RW_BAD_CALL, "the scene is not committed yet");
    RW_TRY(rw_container_recognise(context, path, &rw_tile_database_kind, &tiles));
    RW_TRY(rw_array_create(context, 1, sizeof *made, "the database", &made));
    made->scene = scene;
    rw_status status = tiles ? rw_tile_database_load(scene, path, made) : load_tables(scene, path, made);
    if (status == RW_OK)
        *database = made;
    else
        rw_database_destroy(made);
    return status;
}

void rw_database_destroy(rw_database *database)
{
    if (!database)
        return;
    rw_sessions_close_idle(database->scene); /* they may use it */
    rw_tile_sight_destroy(&database->sight);
    rw_tiles_destroy(&database->tiles);
    rw_street_graph_destroy(&database->graph);
    rw_receivers_destroy(&database->receivers);
    free(database);
}

rw_status rw_database_check_model(const rw_database *database, const rw_scene *scene, const char *model)
{
    if (database->scene != scene)
        return rw_fail(scene->context, RW_BAD_CALL, "the database was loaded for another scene than this one");
    if (strcmp(database->model, model) == 0)
        return RW_OK;
    if (strcmp(model, "shadow") == 0 || strcmp(model, "tiles") == 0)
        return rw_fail(scene->context, RW_BAD_CALL,
                       "the database is of model %s, not of %s; make one with preprocess, model %s", database->model,
                       model, model);
    return rw_fail(scene->context, RW_BAD_CALL,
                   "the database is of model %s, and model %s takes none; leave database out or use model %s",
                   database->model, model, database->model);
}

rw_status rw_database_check(const rw_database *database, const rw_scene *scene, const rw_map_info *cells)
{
    const rw_street_subject *subject = &database->subject;
    if (database->scene != scene)
        return rw_fail(scene->context, RW_BAD_CALL, "the database was loaded for another scene than this one");
    if (subject->columns == cells->columns && subject->rows == cells->rows && subject->x0_m == cells->x0_m &&
        subject->y0_m == cells->y0_m && subject->res_m == cells->res_m && subject->height_m == cells->rx_height_m)
        return RW_OK;
    return rw_fail(scene->context, RW_BAD_CALL,
                   "the database is of other receivers: write res %.10g, rx-height %.10g, area "
                   "%.10g,%.10g,%.10g,%.10g, or make one for these with rasterwave preprocess",
                   subject->res_m, subject->height_m, subject->x0_m, subject->y0_m,
                   subject->x0_m + (double)subject->columns * subject->res_m,
                   subject->y0_m + (double)subject->rows * subject->res_m);
}

static void fill_info(const rw_street_subject *subject, size_t corners, size_t links, size_t entries, double bytes,
                      rw_database_info *info)
{
    *info = (rw_database_info){.size = sizeof *info,
                               .model = "shadow",
                               .columns = subject->columns,
                               .rows = subject->rows,
                               .x0_m = subject->x0_m,
                               .y0_m = subject->y0_m,
                               .res_m = subject->res_m,
                               .rx_height_m = subject->height_m,
                               .corners = corners,
                               .links = links,
                               .entries = entries,
                               .bytes = bytes};
}

rw_status rw_database_get_info(const rw_database *database, rw_database_info *info)
{
    rw_database_info made = {.size = sizeof made};
    if (strcmp(database->model, "tiles") == 0)
        rw_tile_database_get_info(database, &made);
    else
        fill_info(&database->subject, database->graph.view.corners.count, database->graph.link_count,
                  database->graph.entry_count, database->bytes, &made);
    return RW_GIVE(database->scene->context, &made, info);
}

static rw_status read_street_info(rw_context *context, const char *path, rw_database_info *info)
{
    rw_street_tables tables;
    RW_TRY(rw_street_tables_read(context, path, NULL, &tables));
    fill_info(&tables.subject, tables.corner_count, tables.link_count, tables.entry_count, tables.bytes, info);
    rw_street_tables_free(&tables);
    return RW_OK;
}

rw_status rw_database_read_info(rw_context *context, const char *path, rw_database_info *info)
{
    rw_database_info made = {.size = sizeof made};
    int tiles;
    RW_TRY(rw_container_recognise(context, path, &rw_tile_database_kind, &tiles));
    RW_TRY(tiles ? rw_tile_database_read_info(context, path, &made) : read_street_info(context, path, &made));
    return RW_GIVE(context, &made, info);
}
