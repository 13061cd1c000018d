/* The receivers of a prediction: made once for a grid and kept with the scene, or those of a database. */
#include "base/memory.h"
#include "discretise/scene_cache.h"
#include "models/engine/model.h"
#include "models/engine/database.h"

#include <stdlib.h>
#include <string.h>

/* What the receivers of a grid depend on. */
typedef struct grid_key {
    size_t columns, rows;
    double x0_m, y0_m, res_m, height_m, plane_m[9];
    int rooms, has_plane;
} grid_key;

typedef struct grid_request {
    const rw_scene *scene;
    const rw_map_info *cells;
    int rooms;
} grid_request;

static void destroy(void *value)
{
    rw_receivers_destroy(value);
    free(value);
}

static const rw_cache_kind receivers_kind = {"receivers", 4, destroy};

static rw_status create(const grid_request *request, rw_receivers *receivers)
{
    const rw_scene *scene = request->scene;
    const rw_map_info *cells = request->cells;
    if (cells->has_plane)
        return rw_plane_receivers(scene, cells, receivers);
    rw_wall_grid walls = scene->prepared->grid;
    if (request->rooms) /* no mesh makes a receiver indoor */
        walls.view.node_count = 0;
    rw_vec2 corner = {cells->x0_m - scene->origin.x, cells->y0_m - scene->origin.y};
    return rw_receivers_create(scene, &walls, corner, cells->columns, cells->rows, cells->res_m, cells->rx_height_m,
                               receivers);
}

static rw_status make(void *user, void **value)
{
    const grid_request *request = user;
    rw_receivers *receivers;
    RW_TRY(rw_array_create(request->scene->context, 1, sizeof *receivers, "receivers", &receivers));
    rw_status status = create(request, receivers);
    if (status == RW_OK)
        *value = receivers;
    else
        free(receivers);
    return status;
}

rw_status rw_prediction_place_receivers(rw_prediction *prediction, const rw_map_info *cells)
{
    const rw_scene *scene = prediction->scene;
    const rw_database *database = prediction->options->database;
    if (database)
        RW_TRY(rw_database_check(database, scene, prediction->model));
    if (database && database->model->database->receivers) {
        RW_TRY(database->model->database->receivers(database, cells, &prediction->lent_from));
        prediction->receivers = *prediction->lent_from;
        prediction->lent_by_database = 1;
        return RW_OK;
    }
    grid_request request = {scene, cells, prediction->model->rooms};
    grid_key key;
    void *shared;
    memset(&key, 0, sizeof key); /* padding too: keys are compared as bytes */
    key.columns = cells->columns;
    key.rows = cells->rows;
    key.x0_m = cells->x0_m;
    key.y0_m = cells->y0_m;
    key.res_m = cells->res_m;
    key.height_m = cells->rx_height_m;
    memcpy(key.plane_m, cells->plane_m, sizeof key.plane_m);
    key.rooms = prediction->model->rooms;
    key.has_plane = cells->has_plane;
    RW_TRY(rw_scene_cache_share(scene, &receivers_kind, &key, sizeof key, make, &request, &shared));
    prediction->lent_from = shared;
    prediction->receivers = *prediction->lent_from;
    return RW_OK;
}

void rw_prediction_release_receivers(rw_prediction *prediction)
{
    if (!prediction->lent_from)
        rw_receivers_destroy(&prediction->receivers);
    else if (!prediction->lent_by_database)
        rw_scene_cache_release(prediction->scene, prediction->lent_from);
    prediction->lent_from = NULL;
    prediction->receivers = (rw_receivers){0};
}
