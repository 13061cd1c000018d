/* The dominant path to each receiver, from label to label back to the transmitter. */
#include "models/cubes/cubes.h"

#include <math.h>

#define PATH_INTERACTIONS_MAX (4 * RW_CUBE_KINDS) /* of each kind as many as the limits allow */

static const rw_interaction interactions[RW_CUBE_KINDS] = {RW_INTERACTION_REFLECTION, RW_INTERACTION_ROOF,
                                                           RW_INTERACTION_STREET};

/* Labels from the last deflection back to the first; returns how many. */
static rw_status read_chain(const rw_cubes_job *job, uint32_t label, uint32_t chain[PATH_INTERACTIONS_MAX], int *count)
{
    *count = 0;
    while (label != RW_CUBE_DIRECT && *count < PATH_INTERACTIONS_MAX) {
        uint64_t key;
        chain[(*count)++] = label;
        RW_TRY(rw_device_download(job->context, job->backend, &key, job->search.keys + label, sizeof key));
        label = rw_cube_key_label(key);
    }
    return RW_OK;
}

static rw_path_vertex cube_path_vertex_at(const rw_cubes_job *job, const rw_scene *scene, const float at[3])
{
    const rw_cube_frame *frame = &job->cubes.frame;
    rw_path_vertex vertex = {.x_m = frame->x0_m + (double)at[0] * frame->res_m + scene->origin.x,
                             .y_m = frame->y0_m + (double)at[1] * frame->res_m + scene->origin.y,
                             .z_m = frame->z0_m + (double)at[2] * frame->res_m};
    return vertex;
}

/* Follows the chain forwards: each turn towards the middle of the next piece, the last towards the receiver. Then
 * backwards: each point of deflection as it is for the one that follows it, where that stays on its piece. departure:
 * where the search let the path depart to. */
static void find_path_interactions(const rw_cubes_job *job, const uint32_t *chain, int count, const float receiver[3],
                                   rw_cube_interaction *path_interactions, float departure[3])
{
    const rw_cube_search *search = &job->search;
    float from[PATH_INTERACTIONS_MAX + 1][3], to[3];
    for (int axis = 0; axis < 3; axis++)
        from[0][axis] = search->source[axis];
    for (int i = 0; i < count; i++) {
        const rw_cube_item *piece = &job->cubes.items[rw_cube_label_piece(search, chain[count - 1 - i])];
        if (i + 1 < count)
            rw_item_middle(&job->cubes.items[rw_cube_label_piece(search, chain[count - 2 - i])], to);
        else
            for (int axis = 0; axis < 3; axis++)
                to[axis] = receiver[axis];
        rw_interaction_start start = rw_interaction_start_of(&job->cubes.elements[piece->element], piece, from[i]);
        path_interactions[i] = (rw_cube_interaction){0};
        rw_cube_interaction_find(&start, to, &path_interactions[i]);
        for (int axis = 0; axis < 3; axis++)
            from[i + 1][axis] = path_interactions[i].from[axis];
    }
    for (int axis = 0; axis < 3; axis++)
        departure[axis] = count > 0 ? path_interactions[0].at[axis] : receiver[axis];
    for (int i = count - 2; i >= 0; i--) {
        const rw_cube_item *piece = &job->cubes.items[rw_cube_label_piece(search, chain[count - 1 - i])];
        rw_cube_interaction better;
        rw_interaction_start start = rw_interaction_start_of(&job->cubes.elements[piece->element], piece, from[i]);
        if (rw_cube_interaction_find(&start, path_interactions[i + 1].at, &better))
            for (int axis = 0; axis < 3; axis++)
                path_interactions[i].at[axis] = better.at[axis];
    }
}

/* The same exactly: points 1 to count, and the changes of direction there. */
static void find_exact_interactions(const rw_cubes_job *job, const uint32_t *chain, int count, const float receiver[3],
                                    rw_cube_interaction *path_interactions, float departure[3])
{
    rw_exact_path path = {.count = count};
    for (int i = 0; i < count; i++)
        path.pieces[i] = rw_cube_label_piece(&job->search, chain[count - 1 - i]);
    for (int axis = 0; axis < 3; axis++) {
        path.points[0][axis] = job->search.source[axis];
        path.points[count + 1][axis] = receiver[axis];
    }
    rw_exact_path_find(&job->cubes.view, &path);
    for (int axis = 0; axis < 3; axis++)
        departure[axis] = path.points[1][axis];
    for (int i = 0; i < count; i++) {
        path_interactions[i] = (rw_cube_interaction){.cosine = path.cosines[i]};
        for (int axis = 0; axis < 3; axis++)
            path_interactions[i].at[axis] = path.points[i + 1][axis];
    }
}

static rw_status append_cubes_path(const rw_cubes_job *job, const rw_prediction *prediction, size_t transmitter,
                                   size_t index, const rw_cubes_answer *answer, double offset_db, rw_paths *paths)
{
    uint32_t chain[PATH_INTERACTIONS_MAX];
    rw_cube_interaction path_interactions[PATH_INTERACTIONS_MAX];
    rw_path_vertex vertices[PATH_INTERACTIONS_MAX + 2];
    float receiver[3], departure[3];
    int count;
    RW_TRY(read_chain(job, answer->label, chain, &count));
    rw_cubes_locate(&job->cubes.frame, job->points[index], receiver);
    if (job->search.exact)
        find_exact_interactions(job, chain, count, receiver, path_interactions, departure);
    else
        find_path_interactions(job, chain, count, receiver, path_interactions, departure);
    rw_path_entry entry = {.point = prediction->receivers.view.outdoor[index],
                           .transmitter = transmitter,
                           .vertex_count = (size_t)count + 2,
                           .free_space_db =
                               (double)answer->path_loss_db - offset_db - rw_cubes_departure_db(job, departure),
                           .loss_db = (double)answer->path_loss_db};
    vertices[0] = cube_path_vertex_at(job, prediction->scene, job->search.source);
    vertices[0].loss_db = (float)offset_db;
    for (int i = 0; i < count; i++) {
        const rw_cube_item *piece = &job->cubes.items[rw_cube_label_piece(&job->search, chain[count - 1 - i])];
        uint32_t kind = job->cubes.elements[piece->element].kind;
        rw_path_vertex *vertex = &vertices[i + 1];
        *vertex = cube_path_vertex_at(job, prediction->scene, path_interactions[i].at);
        vertex->interaction = interactions[kind];
        vertex->angle_rad = acosf(fmaxf(-1, fminf(1, path_interactions[i].cosine)));
        vertex->loss_db = rw_search_interaction_db(&job->search, kind, path_interactions[i].cosine);
        entry.free_space_db -= (double)vertex->loss_db;
    }
    vertices[count + 1] = cube_path_vertex_at(job, prediction->scene, receiver);
    return rw_paths_add(paths, &entry, vertices);
}

rw_status rw_cubes_trace(const rw_prediction *prediction, rw_cubes_open_job *open, size_t first, size_t count,
                         rw_paths *paths)
{
    const rw_cubes_answer *answers = open->answers;
    for (size_t i = first; i < first + count; i++) {
        rw_cubes_costs costs;
        RW_TRY(rw_cubes_costs_find(prediction, i, &costs));
        RW_TRY(rw_cubes_job_upload_antenna(&open->job, prediction->antennas[i], &prediction->options->transmitters[i]));
        RW_TRY(rw_cubes_job_run(&open->job, prediction->sources[i], rw_prediction_freq_hz(prediction, i), &costs));
        RW_TRY(rw_cubes_job_read(&open->job, open->answers));
        for (size_t n = 0; n < prediction->receivers.view.outdoor_count; n++)
            if (isfinite(answers[n].path_loss_db))
                RW_TRY(append_cubes_path(&open->job, prediction, i, n, &answers[n], costs.offset_db, paths));
    }
    return RW_OK;
}
