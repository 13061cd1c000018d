/* What paths are between: points of --at and of files, ports of transmitters. */
#include "cli/cli.h"
#include "commands/paths/paths.h"

#include <stdio.h>
#include <stdlib.h>

static int transform_at_points(struct call *call, const rw_scene *scene)
{
    struct paths_settings *settings = call->settings;
    for (size_t i = 0; i < settings->points.count; i++) {
        double at[2] = {settings->points.items[i].x_m, settings->points.items[i].y_m};
        int exit_status = transform_points(call, rw_scene_crs(scene), "--at", at, 1);
        if (exit_status)
            return exit_status;
        settings->points.items[i].x_m = at[0];
        settings->points.items[i].y_m = at[1];
    }
    return 0;
}

int find_points(struct call *call, const rw_scene *scene, rw_point **points, rw_motion **motions, size_t *count)
{
    const struct paths_settings *settings = call->settings;
    rw_point *loaded = NULL;
    rw_motion *loaded_motions = NULL;
    size_t loaded_count = 0, option_count = settings->points.count;
    int exit_status = transform_at_points(call, scene);
    if (exit_status)
        return exit_status;
    if (settings->points_file) {
        rw_points_options options;
        rw_points_options_init(&options);
        options.crs = call->points_crs;
        options.to_crs = rw_scene_crs(scene);
        options.speed_m_s = settings->speed_m_s;
        rw_status status =
            rw_points_load(call->context, settings->points_file, &options, &loaded, &loaded_motions, &loaded_count);
        if (status != RW_OK)
            return report_status(call, status);
    }
    *count = option_count + loaded_count;
    *points = calloc(*count ? *count : 1, sizeof **points);
    *motions = calloc(*count ? *count : 1, sizeof **motions);
    for (size_t i = 0; *points && *motions && i < *count; i++) {
        (*points)[i] = i < option_count ? settings->points.items[i] : loaded[i - option_count];
        if ((*points)[i].antenna && !((*points)[i].antenna = store_string(call, (*points)[i].antenna)))
            exit_status = report_out_of_memory("the points");
        (*motions)[i] = i < option_count ? (rw_motion){.size = sizeof **motions} : loaded_motions[i - option_count];
    }
    rw_free(loaded);
    rw_free(loaded_motions);
    return *points && *motions ? exit_status : report_out_of_memory("the points");
}

/* A transmitter's name with the number of its port. */
static const char *port_name(struct call *call, const char *name, int port)
{
    char string[512];
    snprintf(string, sizeof string, "%.480s port %d", name, port);
    return store_string(call, string);
}

int split_ports(struct call *call, struct request *request, rw_transmitter **ports, int *each)
{
    rw_predict_options *options = &request->options;
    size_t dual = 0, made = 0;
    *ports = NULL;
    for (size_t i = 0; i < options->transmitter_count; i++)
        dual += options->transmitters[i].dual_polarised != 0;
    *each = dual && dual == options->transmitter_count ? 2 : 1;
    if (!dual)
        return 0;
    *ports = calloc(options->transmitter_count + dual, sizeof **ports);
    if (!*ports)
        return report_out_of_memory("the transmitters");
    for (size_t i = 0; i < options->transmitter_count; i++) {
        const rw_transmitter *from = &options->transmitters[i];
        for (int port = 0; port < (from->dual_polarised ? 2 : 1); port++) {
            rw_transmitter *to = &(*ports)[made++];
            *to = *from;
            to->slant_deg -= 90.0 * port;
            to->dual_polarised = 0;
            to->name = from->dual_polarised ? port_name(call, from->name, port + 1) : from->name;
            if (!to->name)
                return report_out_of_memory("the transmitters");
        }
    }
    options->transmitters = *ports;
    options->transmitter_count = made;
    return 0;
}
