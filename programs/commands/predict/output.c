/* Where a prediction goes: one raster file in place of a folder, and what earlier ones left in a folder. */
#include "commands/predict/predict.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int has_map_extension(const char *path, const char *end)
{
    size_t length = strlen(path), end_length = strlen(end);
    return length > end_length && strcasecmp(path + length - end_length, end) == 0;
}

int is_map_file(const char *path)
{
    return has_map_extension(path, ".tif") || has_map_extension(path, ".tiff") || has_map_extension(path, ".bin");
}

/* The layer that was asked for, or that --level needs, or the first: path loss. */
int request_one_layer(const struct call *call, struct prediction *prediction)
{
    const struct predict_settings *settings = call->settings;
    rw_predict_options *options = &prediction->request.options;
    const char *requested = model_argument_value(call, "layers");
    if (!is_map_file(settings->out))
        return 0;
    if (requested && strchr(requested, ','))
        return report_error("--out %s is one layer; name it (--layers path_loss), or give a folder for all",
                            settings->out);
    if (requested || !settings->levels.count)
        options->layers = requested ? requested : "path_loss";
    else
        options->layers = *settings->levels.items[0].layer ? settings->levels.items[0].layer : "power";
    return check_output_file("out", settings->out);
}

int write_map_file(struct call *call, struct prediction *prediction)
{
    const struct predict_settings *settings = call->settings;
    double start_s = now_s();
    struct written_layer *written = &prediction->layers[0];
    rw_status status = rw_map_write_file(prediction->map, 0, settings->out);
    if (status == RW_OK && settings->to_crs)
        status = rw_raster_to_crs(call->context, settings->out, settings->to_crs);
    if (status != RW_OK)
        return report_status(call, status);
    snprintf(written->raster, sizeof written->raster, "%s", settings->out);
    prediction->layer_count = 1; /* others may have come along */
    prediction->write_s = now_s() - start_s;
    return 0;
}

/* Whether a file is a raster or a picture of a layer of some model. */
static int is_layer_file(const char *name)
{
    size_t length = strcspn(name, ".");
    char base[64];
    rw_model_option_info info;
    if (!has_map_extension(name, ".tif") && !has_map_extension(name, ".bin") && !has_map_extension(name, ".png"))
        return 0;
    for (const char *dash = memchr(name, '-', length); dash && dash < name + length;) { /* path_loss-2.png */
        length = (size_t)(dash - name);
        break;
    }
    if (length >= sizeof base)
        return 0;
    snprintf(base, sizeof base, "%.*s", (int)length, name);
    for (size_t model = 0; rw_model_name(model); model++) {
        info = (rw_model_option_info){.size = sizeof info};
        for (size_t i = 0; rw_model_option_get(rw_model_name(model), i, &info) == RW_OK; i++) {
            const char *at = info.choices && strcmp(info.name, "layers") == 0 ? info.choices : NULL;
            while (at && *at) {
                size_t word = strcspn(at, ",");
                if (word == strlen(base) && strncmp(at, base, word) == 0)
                    return 1;
                at += word + (at[word] == ',');
            }
        }
    }
    return 0;
}

static int is_written(const struct prediction *prediction, const char *name)
{
    for (size_t i = 0; i < prediction->layer_count; i++) {
        const struct written_layer *layer = &prediction->layers[i];
        const char *slash = strrchr(layer->raster, '/');
        if (strcmp(slash ? slash + 1 : layer->raster, name) == 0)
            return 1;
        for (size_t k = 0; k < layer->picture_count; k++) {
            slash = strrchr(layer->pictures[k], '/');
            if (strcmp(slash ? slash + 1 : layer->pictures[k], name) == 0)
                return 1;
        }
    }
    return 0;
}

int write_prediction_manifest(struct call *call, const struct prediction *prediction)
{
    const struct predict_settings *settings = call->settings;
    const char *names[LAYERS_MAX * (1 + PICTURES_MAX) + 2];
    size_t count = 0;
    for (size_t i = 0; i < prediction->layer_count; i++) {
        const struct written_layer *layer = &prediction->layers[i];
        names[count++] = layer->raster;
        for (size_t k = 0; k < layer->picture_count; k++)
            names[count++] = layer->pictures[k];
    }
    if (*prediction->histogram)
        names[count++] = prediction->histogram;
    if (*prediction->plane_file)
        names[count++] = prediction->plane_file;
    return write_manifest(call, settings->out, names, count);
}

void name_old_layers(struct call *call, const struct prediction *prediction)
{
    const struct predict_settings *settings = call->settings;
    struct dirent **entries;
    char names[400] = "", message[900];
    size_t used = 0;
    int found = 0, count = scandir(settings->out, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        if (is_layer_file(name) && !is_written(prediction, name)) {
            if (used + strlen(name) + 3 < sizeof names)
                used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", found ? ", " : "", name);
            found++;
        }
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    if (!found)
        return;
    snprintf(message, sizeof message, "%.300s holds files of an earlier prediction, which are not of this one: %s",
             settings->out, names);
    on_warning(call, message);
}
