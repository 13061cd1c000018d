/* The corner database: the street graph of a scene and its receivers, made, loaded, described. */
#include "models/shadow/database/database.h"

#include "base/memory.h"
#include "base/progress.h"
#include "models/shadow/shadow.h"

#include <math.h>
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
static rw_status pack_outdoor_bits(rw_context *context, const rw_receivers *receivers, unsigned char **bits,
                                   size_t *bytes)
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

static rw_status preprocess_corners(const rw_scene *scene, const rw_map_info *cells, const char *path)
{
    rw_street_subject subject = subject_of(cells);
    rw_receivers receivers;
    rw_street_tables tables = {0};
    RW_TRY(create_receivers(scene, &subject, &receivers));
    rw_status status = build_tables(scene, &receivers, &tables);
    tables.subject = subject;
    if (status == RW_OK)
        status = pack_outdoor_bits(scene->context, &receivers, &tables.outdoor, &tables.outdoor_bytes);
    if (status == RW_OK)
        status = rw_street_tables_write(scene, path, &tables);
    rw_street_tables_free(&tables);
    rw_receivers_destroy(&receivers);
    return status;
}

static rw_status find_database_cells(const rw_scene *scene, const rw_preprocess_options *options, rw_map_info *cells)
{
    rw_predict_options call;
    rw_predict_options_init(&call);
    call.model = options->model;
    call.res_m = options->res_m;
    call.rx_height_m = options->rx_height_m;
    memcpy(call.area_m, options->area_m, sizeof call.area_m);
    RW_TRY(rw_grid_resolve(scene, &call, cells));
    if (scene->prepared->corners.count == 0)
        return rw_fail(scene->context, RW_BAD_INPUT, "the scene has no street corners that a database could hold");
    return RW_OK;
}

static rw_status estimate_corner_database(const rw_scene *scene, const rw_preprocess_options *options,
                                          rw_preprocess_estimate *estimate)
{
    rw_map_info cells = {.size = sizeof cells};
    RW_TRY(find_database_cells(scene, options, &cells));
    rw_street_cost cost = rw_street_cost_of(scene, &cells, INFINITY, INFINITY);
    int gpu = scene->context->backend == RW_BACKEND_CUDA;
    estimate->corners = scene->prepared->corners.count;
    estimate->pairs = (double)estimate->corners * (double)(cells.columns * cells.rows);
    estimate->seconds = cost.core_s / (gpu ? 60 : scene->context->threads);
    estimate->file_bytes = 0.8 * cost.bytes;
    *(gpu ? &estimate->device_bytes : &estimate->memory_bytes) = cost.bytes;
    estimate->memory_bytes += cost.bytes; /* the tables as they are written */
    return RW_OK;
}

static rw_status make_corner_database(const rw_scene *scene, const rw_preprocess_options *options, const char *path)
{
    rw_map_info cells = {.size = sizeof cells};
    rw_preprocess_estimate needed = {.size = sizeof needed};
    RW_TRY(find_database_cells(scene, options, &cells));
    RW_TRY(estimate_corner_database(scene, options, &needed));
    /* half of it is certain enough for a refusal */
    RW_TRY(rw_memory_check(scene->context, 0.5 * needed.memory_bytes, "the corner database of these cells"));
    return preprocess_corners(scene, &cells, path);
}

/* The scene is the file's, by its identity; receivers and corners must come out the same again. */
static rw_status check_receivers(const rw_scene *scene, const char *path, const rw_street_tables *tables,
                                 const rw_corner_database *database)
{
    unsigned char *outdoor;
    size_t bytes;
    RW_TRY(pack_outdoor_bits(scene->context, &database->receivers, &outdoor, &bytes));
    int same = bytes == tables->outdoor_bytes && memcmp(outdoor, tables->outdoor, bytes) == 0 &&
               tables->corner_count == database->graph.view.corners.count &&
               tables->chunk_count == database->graph.view.chunk_count;
    free(outdoor);
    return same ? RW_OK
                : rw_fail(scene->context, RW_BAD_INPUT, "%s has other receivers or corners than this scene; %s", path,
                          rw_corner_database_kind.again);
}

static rw_status load_tables(const rw_scene *scene, const char *path, const rw_street_tables *tables,
                             rw_corner_database *database)
{
    database->subject = tables->subject;
    RW_TRY(create_receivers(scene, &tables->subject, &database->receivers));
    RW_TRY(rw_street_graph_create(scene, &database->receivers, INFINITY, &database->graph));
    RW_TRY(check_receivers(scene, path, tables, database));
    return rw_street_tables_upload(tables, &database->graph);
}

static rw_status load_corner_database(const rw_scene *scene, const char *path, rw_database *database)
{
    rw_street_tables tables;
    rw_corner_database *content;
    RW_TRY(rw_array_create(scene->context, 1, sizeof *content, "the database", &content));
    database->content = content;
    RW_TRY(rw_street_tables_read(scene->context, path, scene, &tables));
    database->bytes = tables.bytes;
    rw_status status = load_tables(scene, path, &tables, content);
    rw_street_tables_free(&tables);
    return status;
}

static void destroy_corner_database(void *value)
{
    rw_corner_database *content = value;
    rw_street_graph_destroy(&content->graph);
    rw_receivers_destroy(&content->receivers);
    free(content);
}

const rw_corner_database *rw_corner_database_of(const rw_database *database)
{
    return database->content;
}

static rw_status return_receivers(const rw_database *database, const rw_map_info *cells, const rw_receivers **receivers)
{
    const rw_corner_database *content = database->content;
    const rw_street_subject *subject = &content->subject;
    *receivers = &content->receivers;
    if (subject->columns == cells->columns && subject->rows == cells->rows && subject->x0_m == cells->x0_m &&
        subject->y0_m == cells->y0_m && subject->res_m == cells->res_m && subject->height_m == cells->rx_height_m)
        return RW_OK;
    return rw_fail(database->scene->context, RW_BAD_CALL,
                   "the database is of other receivers: write res %.10g, rx-height %.10g, area "
                   "%.10g,%.10g,%.10g,%.10g, or make one for these with rasterwave preprocess",
                   subject->res_m, subject->height_m, subject->x0_m, subject->y0_m,
                   subject->x0_m + (double)subject->columns * subject->res_m,
                   subject->y0_m + (double)subject->rows * subject->res_m);
}

static void describe_subject(const rw_street_subject *subject, size_t corners, size_t links, size_t entries,
                             double bytes, rw_database_info *info)
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

static void get_database_info(const rw_database *database, rw_database_info *info)
{
    const rw_corner_database *content = database->content;
    describe_subject(&content->subject, content->graph.view.corners.count, content->graph.link_count,
                     content->graph.entry_count, database->bytes, info);
}

static rw_status read_database_info(rw_context *context, const char *path, rw_database_info *info)
{
    rw_street_tables tables;
    RW_TRY(rw_street_tables_read(context, path, NULL, &tables));
    describe_subject(&tables.subject, tables.corner_count, tables.link_count, tables.entry_count, tables.bytes, info);
    rw_street_tables_free(&tables);
    return RW_OK;
}

const rw_database_calls rw_corner_database_calls = {.file = &rw_corner_database_kind,
                                                    .make = make_corner_database,
                                                    .estimate = estimate_corner_database,
                                                    .load = load_corner_database,
                                                    .destroy = destroy_corner_database,
                                                    .get_info = get_database_info,
                                                    .read_info = read_database_info,
                                                    .receivers = return_receivers};
