/* render: a layer of a map file to a picture. */
#include "json.h"

#include "call.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int draw(struct call *call, const rw_map *map, const rw_scene *scene, const rw_transmitter *transmitters,
                size_t count)
{
    const struct settings *settings = &call->settings;
    rw_map_draw_options options;
    rw_map_draw_options_init(&options);
    options.layer = settings->layer;
    options.band = (size_t)settings->band - 1;
    options.scene = scene;
    options.transmitters = transmitters;
    options.transmitter_count = count;
    options.value_min = settings->range[0];
    options.value_max = settings->range[1];
    options.width_px = settings->width_px;
    rw_status status = rw_map_draw(map, &options, settings->out);
    if (status != RW_OK)
        return complain_status(call, status);
    if (settings->json) {
        struct json json;
        json_begin(&json, stdout);
        json_text(&json, "file", settings->out);
        json_text(&json, "version", rw_version());
        json_end(&json);
    } else if (!settings->quiet) {
        puts(settings->out);
    }
    return 0;
}

static int is_raster(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    const char *end = length > 4 ? entry->d_name + length - 4 : "";
    return strcmp(end, ".tif") == 0 || strcmp(end, ".bin") == 0;
}

static int complain_layer(const char *folder, const char *layer)
{
    char known[1024] = "";
    struct dirent **entries;
    int count = scandir(folder, &entries, is_raster, alphasort);
    for (int i = 0; i < count; i++) {
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%.*s", used ? ", " : "", (int)strlen(entries[i]->d_name) - 4,
                 entries[i]->d_name);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    if (!*known)
        return complain("%s has no layers; give a folder that predict has written, or a map file", folder);
    return complain("%s has no layer '%s'; it has %s", folder, layer, known);
}

/* A folder stands for the raster of a layer in it, whichever format this build writes. Returns the exit status. */
static int find_raster(const struct settings *settings, char path[4096])
{
    static const char *const ends[] = {"tif", "bin"};
    const char *layer = settings->layer ? settings->layer : "path_loss";
    struct stat about;
    if (stat(settings->input, &about) != 0 || !S_ISDIR(about.st_mode)) {
        if (strlen(settings->input) >= 4096)
            return complain("the path %.60s... is too long", settings->input);
        strcpy(path, settings->input);
        return 0;
    }
    for (int i = 0; i < 2; i++) {
        snprintf(path, 4096, "%.3800s/%.200s.%s", settings->input, layer, ends[i]);
        if (access(path, F_OK) == 0)
            return 0;
    }
    return complain_layer(settings->input, layer);
}

int command_render(struct call *call)
{
    struct settings *settings = &call->settings;
    if (!settings->input || !settings->out)
        return complain("render needs a map and a file to write: rasterwave render MAP --out FILE.png");
    if (settings->band < 1)
        return complain("--band %d: bands are counted from 1", settings->band);
    rw_map *map = NULL;
    rw_scene *scene = NULL;
    rw_transmitter *sites = NULL;
    size_t site_count = 0;
    char path[4096];
    int exit_status = check_picture_name("out", settings->out);
    if (!exit_status)
        exit_status = check_file_place("out", settings->out);
    if (!exit_status)
        exit_status = find_raster(settings, path);
    if (exit_status)
        return exit_status;
    rw_status status = rw_map_read(call->context, path, &map);
    if (status == RW_OK && settings->sites)
        status = rw_sites_load(call->context, settings->sites, &sites, &site_count);
    exit_status = status == RW_OK ? 0 : complain_status(call, status);
    if (!exit_status && settings->scene)
        exit_status = open_scene(call, settings->scene, &scene);
    for (size_t i = 0; i < settings->transmitter_count && !isnan(settings->freq_hz); i++)
        settings->transmitters[i].freq_hz = settings->freq_hz;
    if (!exit_status)
        exit_status = draw(call, map, scene, sites ? sites : settings->transmitters,
                           sites ? site_count : settings->transmitter_count);
    rw_free(sites);
    rw_scene_destroy(scene);
    rw_map_destroy(map);
    return exit_status;
}
