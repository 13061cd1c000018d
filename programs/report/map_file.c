/* Which file a map is: the file itself, or a folder that predict or network has written and a layer in it. */
#include "command.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int is_raster(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    const char *end = length > 4 ? entry->d_name + length - 4 : "";
    return strcmp(end, ".tif") == 0 || strcmp(end, ".bin") == 0 || strcmp(end, ".vrt") == 0;
}

static int report_missing_layer(const char *folder, const char *layer)
{
    char found_layers[1024] = "";
    struct dirent **entries;
    int count = scandir(folder, &entries, is_raster, alphasort);
    for (int i = 0; i < count; i++) {
        size_t used = strlen(found_layers);
        snprintf(found_layers + used, sizeof found_layers - used, "%s%.*s", used ? ", " : "",
                 (int)strlen(entries[i]->d_name) - 4, entries[i]->d_name);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    if (!*found_layers)
        return report_error("%s has no layers; give a folder that predict has written, or a map file", folder);
    return report_error("%s has no layer '%s'; it has %s", folder, layer, found_layers);
}

int find_map_file(const char *input, const char *layer, char path[MAP_PATH_SIZE])
{
    static const char *const ends[] = {"tif", "bin", "vrt"}; /* vrt: the blocks of a region */
    struct stat about;
    layer = layer ? layer : "path_loss";
    if (stat(input, &about) != 0 || !S_ISDIR(about.st_mode)) {
        if (strlen(input) >= MAP_PATH_SIZE)
            return report_error("the path %.60s... is too long", input);
        strcpy(path, input);
        return 0;
    }
    for (int i = 0; i < 3; i++) {
        snprintf(path, MAP_PATH_SIZE, "%.3800s/%.200s.%s", input, layer, ends[i]);
        if (access(path, F_OK) != 0)
            continue;
        if (!is_in_manifest(input, strrchr(path, '/') + 1))
            return report_error(
                "%s is of an earlier run than the others in %s; predict that layer again, or name the file", path,
                input);
        return 0;
    }
    return report_missing_layer(input, layer);
}
