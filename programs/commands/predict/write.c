/* The files of a prediction: a raster and pictures for each layer. Compressing them takes longer than most predictions,
 * so several threads share the files; each file is written by one. */
#include "commands/predict/predict.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define WRITERS_MAX 16
#define TASKS_MAX (LAYERS_MAX * (1 + PICTURES_MAX))

/* One file: the raster of a layer, or the picture of one of its bands. */
struct task {
    size_t layer, band;
    int is_picture, is_written;
};

struct writing {
    struct prediction *prediction;
    rw_context *context;
    const char *folder, *to_crs;
    rw_transmitter *transmitters;
    struct task tasks[TASKS_MAX];
    size_t task_count, next;
    rw_status status;   /* of the first that failed, */
    char message[1024]; /* and why: only the thread that failed can ask the library */
    pthread_mutex_t lock;
};

/* Transmitters that name no frequency of their own take the prediction's, so that the picture's title tells it. */
static rw_transmitter *with_frequency(const struct prediction *prediction)
{
    rw_transmitter *copy = calloc(prediction->request.options.transmitter_count, sizeof *copy);
    for (size_t i = 0; copy && i < prediction->request.options.transmitter_count; i++) {
        copy[i] = prediction->request.options.transmitters[i];
        if (copy[i].freq_hz == 0)
            copy[i].freq_hz = prediction->request.options.freq_hz;
    }
    return copy;
}

/* Pictures first, because they take longer. */
static rw_status list_tasks(struct writing *writing)
{
    struct prediction *prediction = writing->prediction;
    for (size_t i = 0; i < prediction->layer_count; i++) {
        struct written_layer *written = &prediction->layers[i];
        rw_map_layer layer = {.size = sizeof layer};
        rw_status status = rw_map_get_layer(prediction->map, i, &layer);
        if (status != RW_OK)
            return status;
        if (strcmp(layer.name, "reception") == 0) /* which every picture shows */
            continue;
        for (size_t band = 0; band < layer.bands && band < PICTURES_MAX; band++) {
            char number[24] = "";
            if (layer.bands > 1)
                snprintf(number, sizeof number, "-%zu", band + 1);
            snprintf(written->pictures[band], sizeof written->pictures[band], "%.3800s/%.200s%s.png", writing->folder,
                     layer.name, number);
            writing->tasks[writing->task_count++] = (struct task){i, band, 1, 0};
        }
        written->picture_count = layer.bands < PICTURES_MAX ? layer.bands : PICTURES_MAX;
    }
    for (size_t i = 0; i < prediction->layer_count; i++)
        writing->tasks[writing->task_count++] = (struct task){i, 0, 0, 0};
    return RW_OK;
}

static rw_status draw_layer_picture(const struct writing *writing, const struct task *task)
{
    const struct prediction *prediction = writing->prediction;
    rw_map_layer layer = {.size = sizeof layer};
    rw_status status = rw_map_get_layer(prediction->map, task->layer, &layer);
    if (status != RW_OK)
        return status;
    rw_map_draw_options options;
    rw_map_draw_options_init(&options);
    options.layer = layer.name;
    options.band = task->band;
    options.scene = prediction->request.scene;
    options.transmitters = writing->transmitters;
    options.transmitter_count = prediction->request.options.transmitter_count;
    return rw_map_draw(prediction->map, &options, prediction->layers[task->layer].pictures[task->band]);
}

static void note_status(struct writing *writing, rw_status status)
{
    writing->status = status;
    if (status != RW_OK)
        snprintf(writing->message, sizeof writing->message, "%s", rw_last_error(writing->context));
}

static void *run_writer_thread(void *user)
{
    struct writing *writing = user;
    for (;;) {
        pthread_mutex_lock(&writing->lock);
        int has_task = writing->status == RW_OK && writing->next < writing->task_count;
        struct task *task = has_task ? &writing->tasks[writing->next++] : NULL;
        pthread_mutex_unlock(&writing->lock);
        if (!task)
            return NULL;
        struct written_layer *layer = &writing->prediction->layers[task->layer];
        rw_status status = task->is_picture ? draw_layer_picture(writing, task)
                                            : rw_map_write_layer(writing->prediction->map, task->layer, writing->folder,
                                                                 layer->raster, sizeof layer->raster);
        if (status == RW_OK && !task->is_picture && writing->to_crs)
            status = rw_raster_to_crs(writing->context, layer->raster, writing->to_crs);
        task->is_written = status == RW_OK;
        pthread_mutex_lock(&writing->lock);
        if (writing->status == RW_OK)
            note_status(writing, status);
        pthread_mutex_unlock(&writing->lock);
    }
}

static void run_tasks(struct writing *writing, int threads)
{
    pthread_t helpers[WRITERS_MAX];
    long cores = threads > 0 ? threads : sysconf(_SC_NPROCESSORS_ONLN);
    size_t wanted = cores < 1 ? 1 : cores > WRITERS_MAX ? WRITERS_MAX : (size_t)cores, started = 0;
    while (started + 1 < wanted && started + 1 < writing->task_count &&
           pthread_create(&helpers[started], NULL, run_writer_thread, writing) == 0)
        started++;
    run_writer_thread(writing);
    for (size_t i = 0; i < started; i++)
        pthread_join(helpers[i], NULL);
}

static void remove_written(const struct writing *writing)
{
    for (size_t i = 0; i < writing->task_count; i++) {
        const struct task *task = &writing->tasks[i];
        struct written_layer *layer = &writing->prediction->layers[task->layer];
        if (!task->is_written)
            continue;
        char *path = task->is_picture ? layer->pictures[task->band] : layer->raster;
        size_t length = strlen(path);
        unlink(path);
        if (length > 4 && strcmp(path + length - 4, ".bin") == 0) {
            strcpy(path + length - 4, ".hdr");
            unlink(path);
        }
    }
}

/* The histogram of delays beside the layers, where there is one. */
static rw_status write_histogram(const struct call *call, struct prediction *prediction)
{
    const struct predict_settings *settings = call->settings;
    rw_map_histogram histogram = {.size = sizeof histogram};
    if (!model_argument_value(call, "delay-bins") || rw_map_get_histogram(prediction->map, &histogram) != RW_OK)
        return RW_OK;
    snprintf(prediction->histogram, sizeof prediction->histogram, "%.4000s/delays.h5", settings->out);
    rw_status status = rw_map_write_histogram(prediction->map, prediction->histogram);
    if (status != RW_OK)
        prediction->histogram[0] = 0;
    return status;
}

/* A plane in space is also written whole, with the place of each receiver, where the library has HDF5. */
static rw_status write_plane(const struct call *call, struct prediction *prediction)
{
    const struct predict_settings *settings = call->settings;
    rw_map_info info = {.size = sizeof info};
    rw_status status = rw_map_get_info(prediction->map, &info);
    if (status != RW_OK || !info.has_plane)
        return status;
    snprintf(prediction->plane_file, sizeof prediction->plane_file, "%.4000s/plane.h5", settings->out);
    status = rw_map_write_hdf5(prediction->map, prediction->plane_file);
    if (status != RW_OK)
        prediction->plane_file[0] = 0;
    return status == RW_UNSUPPORTED ? RW_OK : status;
}

int write_layers(struct call *call, struct prediction *prediction)
{
    const struct predict_settings *settings = call->settings;
    double start_s = now_s();
    struct writing writing = {
        .prediction = prediction, .context = call->context, .folder = settings->out, .to_crs = settings->to_crs};
    writing.transmitters = with_frequency(prediction);
    if (!writing.transmitters)
        return report_out_of_memory("the transmitters");
    pthread_mutex_init(&writing.lock, NULL);
    note_status(&writing, list_tasks(&writing));
    run_tasks(&writing, call->threads);
    if (writing.status == RW_OK)
        note_status(&writing, write_histogram(call, prediction));
    if (writing.status == RW_OK)
        note_status(&writing, write_plane(call, prediction));
    pthread_mutex_destroy(&writing.lock);
    free(writing.transmitters);
    prediction->write_s = now_s() - start_s;
    int exit_status = writing.status == RW_OK ? write_prediction_manifest(call, prediction) : 0;
    if (writing.status == RW_OK && !exit_status)
        return 0;
    remove_written(&writing);
    if (exit_status) {
        unlink(prediction->histogram);
        unlink(prediction->plane_file);
        return exit_status;
    }
    return report_status_message(call, writing.status, writing.message);
}

/* Files of predict beside its map: values on walls, roofs and ground, or the rays that end there; beams and diffraction
 * sources. */

/* --tiles NAME.h5: every ray that ends at a tile, in place of the values on tiles. */
static int wants_rays(const struct call *call)
{
    const struct predict_settings *settings = call->settings;
    const char *dot = settings->tiles ? strrchr(settings->tiles, '.') : NULL;
    return dot && strcasecmp(dot, ".h5") == 0;
}

int wants_values_on_tiles(const struct call *call)
{
    const struct predict_settings *settings = call->settings;
    return settings->tiles && !wants_rays(call);
}

int check_names(struct call *call)
{
    const struct predict_settings *settings = call->settings;
    if (wants_rays(call) && strcmp(model_of(call), "tiles") != 0)
        return report_error("--tiles %s: rays to tiles are those of --model tiles; others have paths: rasterwave paths",
                            settings->tiles);
    rw_status status = wants_values_on_tiles(call) ? rw_tile_map_check_name(call->context, settings->tiles) : RW_OK;
    if (status != RW_OK)
        return report_status(call, status);
    TRY(check_output_file("tiles", settings->tiles));
    TRY(check_output_file("beam-outlines", settings->beam_outlines));
    TRY(check_output_file("diffraction-sources", settings->diffraction_sources));
    return check_output_file("reuse", model_argument_value(call, "reuse"));
}

int write_beams(struct call *call, const struct prediction *prediction)
{
    const struct predict_settings *settings = call->settings;
    const rw_scene *scene = prediction->request.scene;
    const rw_predict_options *options = &prediction->request.options;
    rw_status status = RW_OK;
    if (settings->beam_outlines)
        status = rw_write_beams(scene, options, settings->beam_outlines);
    if (status == RW_OK && settings->diffraction_sources)
        status = rw_write_diffraction_sources(scene, options, settings->diffraction_sources);
    return status == RW_OK ? 0 : report_status(call, status);
}

int write_rays_file(struct call *call, const struct prediction *prediction)
{
    const struct predict_settings *settings = call->settings;
    if (!wants_rays(call))
        return 0;
    rw_status status = rw_write_rays(prediction->request.scene, &prediction->request.options, settings->tiles);
    return status == RW_OK ? 0 : report_status(call, status);
}

int write_tiles(struct call *call, const struct prediction *prediction)
{
    const struct predict_settings *settings = call->settings;
    if (!prediction->tiles)
        return 0;
    rw_status status = rw_tile_map_write(prediction->tiles, settings->tiles, NULL);
    return status == RW_OK ? 0 : report_status(call, status);
}
