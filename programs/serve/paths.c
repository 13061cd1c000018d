/* Paths to one receiver for requests, with the section of the scene on the way; and coordinates. */
#include "report/json.h"
#include "commands/paths/paths.h"
#include "serve/serving.h"

#include <rasterwave/geometry.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PROFILE_STEP_M 2.0
#define PROFILE_MAX 1000
#define POINTS_MAX 100000

static void write_vertex(struct json *json, const rw_path_vertex *vertex)
{
    json_list(json, NULL);
    json_number(json, NULL, vertex->x_m);
    json_number(json, NULL, vertex->y_m);
    json_number(json, NULL, vertex->z_m);
    json_list_end(json);
}

/* Azimuth clockwise from north, elevation above the horizon. */
static void write_direction(struct json *json, const char *key, double theta_deg, double phi_deg)
{
    double azimuth_deg = fmod(450 - phi_deg, 360);
    json_object(json, key);
    json_number(json, "azimuth", azimuth_deg < 0 ? azimuth_deg + 360 : azimuth_deg);
    json_number(json, "elevation", 90 - theta_deg);
    json_object_end(json);
}

/* first: the number of the first transmitter that was traced. */
static void write_path_json(struct json *json, const rw_path *path, size_t first)
{
    json_object(json, NULL);
    json_count(json, "transmitter", first + path->transmitter);
    json_number(json, "loss_db", path->loss_db);
    json_number(json, "free_space_db", path->free_space_db);
    json_number(json, "length_m", path->length_m);
    json_number(json, "delay_s", path->delay_s);
    write_direction(json, "aod", path->departure_theta_deg, path->departure_phi_deg);
    write_direction(json, "aoa", path->arrival_theta_deg, path->arrival_phi_deg);
    int has_gain = path->gain_re != 0 || path->gain_im != 0;
    json_number(json, "phase", has_gain ? atan2(path->gain_im, path->gain_re) : NAN);
    json_list(json, "vertices");
    for (size_t i = 0; i < path->vertex_count; i++)
        write_vertex(json, &path->vertices[i]);
    json_list_end(json);
    json_list(json, "interactions");
    for (size_t i = 0; i < path->vertex_count; i++) {
        const rw_path_vertex *vertex = &path->vertices[i];
        json_object(json, NULL);
        json_string(json, "kind", rw_interaction_word(vertex->interaction));
        json_number(json, "loss_db", (double)vertex->loss_db);
        json_number(json, "angle_deg", 57.29577951308232 * (double)vertex->angle_rad);
        if (vertex->surface)
            json_string(json, "surface", vertex->surface);
        json_object_end(json);
    }
    json_list_end(json);
    json_object_end(json);
}

static void write_number_list(struct json *json, const char *key, const double *values, size_t count)
{
    json_list(json, key);
    for (size_t i = 0; i < count; i++)
        json_number(json, NULL, values[i]);
    json_list_end(json);
}

/* From the chosen transmitter to the receiver. */
static void write_profile(struct json *json, const struct served_call *served, const rw_transmitter *transmitter,
                          const rw_point *point)
{
    static _Thread_local double distance_m[PROFILE_MAX], ground_m[PROFILE_MAX], top_m[PROFILE_MAX];
    double length_m = hypot(point->x_m - transmitter->x_m, point->y_m - transmitter->y_m);
    double wanted = ceil(length_m / PROFILE_STEP_M) + 1;
    size_t count = wanted > PROFILE_MAX ? PROFILE_MAX : wanted > 2 ? (size_t)wanted : 2;
    if (rw_scene_profile(served->request.scene, transmitter->x_m, transmitter->y_m, point->x_m, point->y_m, count,
                         ground_m, top_m) != RW_OK)
        return;
    for (size_t i = 0; i < count; i++)
        distance_m[i] = length_m * (double)i / (double)(count - 1);
    double freq_hz = transmitter->freq_hz > 0 ? transmitter->freq_hz : served->request.options.freq_hz;
    json_object(json, "profile");
    write_number_list(json, "distance_m", distance_m, count);
    write_number_list(json, "ground_m", ground_m, count);
    write_number_list(json, "top_m", top_m, count);
    json_number(json, "tx_m", ground_m[0] + transmitter->height_m);
    json_number(json, "rx_m", ground_m[count - 1] + point->height_m);
    json_number(json, "freq_hz", freq_hz);
    json_object_end(json);
}

static int answer_paths(struct served_call *served, const rw_paths *paths, size_t first, struct serve_answer *answer)
{
    struct json json;
    int indoor = 0;
    rw_point point = {.size = sizeof point};
    rw_status status = rw_paths_get_point(paths, 0, &point, &indoor);
    if (status != RW_OK)
        return report_status(&served->call, status);
    FILE *stream = serve_answer_json(answer);
    if (!stream)
        return 0;
    json_begin(&json, stream);
    json_list(&json, "paths");
    for (size_t i = 0; i < rw_paths_count(paths); i++) {
        rw_path path = {.size = sizeof path};
        if (rw_paths_get(paths, i, &path) == RW_OK)
            write_path_json(&json, &path, first);
    }
    json_list_end(&json);
    json_flag(&json, "indoor", indoor);
    write_profile(&json, served, &served->request.options.transmitters[0], &point);
    json_end(&json);
    return 0;
}

/* "receiver": [x, y] or [x, y, height]. */
static int read_receiver(struct call *call, const rw_json *json)
{
    const rw_json_value *receiver = rw_json_member(json, &json->values[0], "receiver");
    double position[3] = {NAN, NAN, NAN};
    int count = 0;
    for (const rw_json_value *value = receiver ? rw_json_first(json, receiver) : NULL; value && count < 4;
         value = rw_json_next(json, value), count++)
        if (count < 3)
            position[count] = rw_json_number(value, NAN);
    if (!receiver || receiver->kind != RW_JSON_ARRAY || count < 2 || count > 3 || isnan(position[0]) ||
        isnan(position[1]))
        return report_error("receiver: [x, y] or [x, y, height above ground] is expected");
    rw_point *point = malloc(sizeof *point);
    if (!point)
        return report_out_of_memory("the receiver");
    *point = (rw_point){.size = sizeof *point, .x_m = position[0], .y_m = position[1], .height_m = position[2]};
    struct paths_settings *settings = call->settings;
    free(settings->points.items);
    settings->points = (struct point_list){point, 1};
    return 0;
}

/* "transmitter": a number from 0; without it all are traced, and the profile is of the first. */
static int choose_transmitter(struct served_call *served, const rw_json *json, size_t *first)
{
    const rw_json_value *value = rw_json_member(json, &json->values[0], "transmitter");
    rw_predict_options *options = &served->request.options;
    double number = rw_json_number(value, NAN);
    *first = 0;
    if (!value)
        return 0;
    if (!(number >= 0 && number < (double)options->transmitter_count) || number != floor(number))
        return report_error("transmitter: there are %zu, from 0", options->transmitter_count);
    *first = (size_t)number;
    options->transmitters += *first;
    options->transmitter_count = 1;
    return 0;
}

/* A body with a receiver and its project, as a call of paths. *first: number of the transmitter that is the first. */
static int begin_receiver_request(struct engine *engine, struct serve_task *task, struct served_call *served,
                                  size_t *first)
{
    TRY(begin_served_call(engine, task, "paths", served));
    struct paths_settings *settings = served->call.settings;
    TRY(read_receiver(&served->call, serve_task_json(task)));
    TRY(find_warm_scene(engine, served, &served->request.scene));
    served->request.is_warm = 1;
    TRY(find_warm_database(engine, served, served->request.scene, &served->request.database));
    TRY(open_request(&served->call, &settings->inputs, &served->request));
    TRY(choose_transmitter(served, serve_task_json(task), first));
    rw_estimate estimate = {.size = sizeof estimate};
    TRY_RW(&served->call, rw_trace_estimate(served->request.scene, &served->request.options, 1, &estimate));
    return check_duration(served, estimate.seconds);
}

/* Of the options of predict those that paths do not take are left out. */
static int trace_request(struct engine *engine, struct serve_task *task, struct served_call *served,
                         struct serve_answer *answer)
{
    rw_paths *paths = NULL;
    size_t first;
    TRY(begin_receiver_request(engine, task, served, &first));
    const struct paths_settings *settings = served->call.settings;
    TRY_RW(&served->call, rw_trace(served->request.scene, &served->request.options, settings->points.items, 1, &paths));
    int exit_status = answer_paths(served, paths, first, answer);
    rw_paths_destroy(paths);
    return exit_status;
}

void serve_paths(void *user, struct serve_task *task, struct serve_answer *answer)
{
    answer_by(trace_request, user, task, answer);
}

static int answer_budgets(struct served_call *served, const rw_budgets *budgets, size_t first,
                          struct serve_answer *answer)
{
    char *list;
    TRY_RW(&served->call, rw_budgets_to_json(budgets, &list));
    FILE *stream = serve_answer_json(answer);
    if (stream)
        fprintf(stream, "{\"first_transmitter\": %zu, \"budgets\": %s}\n", first, list);
    rw_free(list);
    return 0;
}

/* Local means are over a cell, whose side is no option of paths. */
static int set_budget_resolution(struct served_call *served, const rw_json *json)
{
    const rw_json_value *given = rw_json_member(json, &json->values[0], "resolution");
    double res_m;
    if (!given)
        given = rw_json_member(json, rw_json_member(json, &json->values[0], "project"), "res");
    const char *string = rw_json_string(given, NULL);
    res_m = rw_json_number(given, NAN);
    if (string)
        TRY_RW(&served->call, rw_parse_quantity(served->call.context, string, RW_QUANTITY_LENGTH_M, &res_m));
    if (!isnan(res_m))
        served->request.options.res_m = res_m;
    return 0;
}

/* How the value of the map is composed at a receiver. */
static int budget_request(struct engine *engine, struct serve_task *task, struct served_call *served,
                          struct serve_answer *answer)
{
    rw_budgets *budgets = NULL;
    size_t first;
    TRY(begin_receiver_request(engine, task, served, &first));
    const struct paths_settings *settings = served->call.settings;
    TRY(set_budget_resolution(served, serve_task_json(task)));
    TRY_RW(&served->call,
           rw_predict_budgets(served->request.scene, &served->request.options, settings->points.items, 1, &budgets));
    int exit_status = answer_budgets(served, budgets, first, answer);
    rw_budgets_destroy(budgets);
    return exit_status;
}

void serve_budget(void *user, struct serve_task *task, struct serve_answer *answer)
{
    answer_by(budget_request, user, task, answer);
}

static int read_json_points(const rw_json *json, const rw_json_value *list, double *xy)
{
    size_t i = 0;
    for (const rw_json_value *pair = rw_json_first(json, list); pair; pair = rw_json_next(json, pair), i++) {
        const rw_json_value *x = rw_json_first(json, pair), *y = rw_json_next(json, x);
        xy[2 * i] = rw_json_number(x, NAN);
        xy[2 * i + 1] = rw_json_number(y, NAN);
        if (pair->kind != RW_JSON_ARRAY || pair->count != 2 || isnan(xy[2 * i]) || isnan(xy[2 * i + 1]))
            return report_error("points: a list of pairs [x, y] is expected");
    }
    return 0;
}

static int transform_request_points(struct engine *engine, struct serve_task *task, struct served_call *served,
                                    struct serve_answer *answer)
{
    struct json json;
    rw_scene *scene;
    TRY(begin_served_call(engine, task, "predict", served));
    TRY(find_warm_scene(engine, served, &scene));
    const rw_json *body = serve_task_json(task);
    const rw_json_value *points = rw_json_member(body, &body->values[0], "points");
    const char *to = rw_json_string(rw_json_member(body, &body->values[0], "to"), ""), *crs = rw_scene_crs(scene);
    int to_lonlat = strcmp(to, "lonlat") == 0;
    if (!to_lonlat && strcmp(to, "scene") != 0)
        return report_error("to: lonlat or scene is expected");
    if (!points || points->kind != RW_JSON_ARRAY || points->count > POINTS_MAX)
        return report_error("points: a list of at most %d pairs [x, y] is expected", POINTS_MAX);
    if (!*crs)
        return report_error("the coordinate system of the scene is not known");
    double *xy = malloc(2 * ((size_t)points->count + 1) * sizeof *xy);
    if (!xy)
        return report_out_of_memory("the points");
    int exit_status = read_json_points(body, points, xy);
    rw_status status = exit_status ? RW_OK
                                   : rw_transform_points(engine->context, to_lonlat ? crs : "lonlat",
                                                         to_lonlat ? "lonlat" : crs, xy, points->count);
    if (status != RW_OK)
        exit_status = report_status(&served->call, status);
    FILE *stream = exit_status ? NULL : serve_answer_json(answer);
    if (stream) {
        json_begin(&json, stream);
        json_list(&json, "points");
        for (size_t i = 0; i < points->count; i++) {
            json_list(&json, NULL);
            json_number(&json, NULL, xy[2 * i]);
            json_number(&json, NULL, xy[2 * i + 1]);
            json_list_end(&json);
        }
        json_list_end(&json);
        json_end(&json);
    }
    free(xy);
    return exit_status;
}

void serve_transform(void *user, struct serve_task *task, struct serve_answer *answer)
{
    answer_by(transform_request_points, user, task, answer);
}
