/* Which tiles of walls, roofs and ground see each other, from a visibility database.
 * Usage: tile_visibility [FOLDER], where the database is written */
#include <rasterwave/rasterwave.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static void need(rw_context *context, rw_status status)
{
    if (status == RW_OK)
        return;
    fprintf(stderr, "tile_visibility: %s\n", rw_last_error(context));
    exit(EXIT_FAILURE);
}

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : "out";
    char path[4096];
    mkdir(folder, 0777);
    snprintf(path, sizeof path, "%s/tile_visibility.rwdb", folder);
    rw_context *context;
    rw_scene *scene;
    rw_database *database;
    rw_city_options city;
    rw_preprocess_options options;
    rw_database_info info = {.size = sizeof info};
    need(NULL, rw_context_create(NULL, &context));
    rw_city_options_init(&city);
    city.width_m = city.depth_m = 200;
    need(context, rw_generate_city(context, &city, &scene));
    need(context, rw_scene_commit(scene));

    rw_preprocess_options_init(&options);
    options.model = "tiles";
    need(context, rw_preprocess(scene, &options, path));
    need(context, rw_database_load(scene, path, &database));
    need(context, rw_database_get_info(database, &info));

    uint32_t seen[8];
    size_t count;
    int back;
    need(context, rw_database_tiles_seen(database, 0, seen, 8, &count));
    printf("tile 0 of %zu sees %zu others", info.tiles, count);
    for (size_t i = 0; i < count && i < 8; i++)
        printf("%s %u", i ? "," : ": the first are", seen[i]);
    putchar('\n');
    if (count) {
        need(context, rw_database_tile_sees(database, seen[0], 0, &back));
        printf("tile %u sees tile 0: %s\n", seen[0], back ? "yes" : "no");
    }
    rw_database_destroy(database); /* before its scene */
    rw_scene_destroy(scene);
    rw_context_destroy(context);
    return EXIT_SUCCESS;
}
