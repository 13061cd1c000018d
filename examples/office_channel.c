/* Indoor channels from C: an office in, every path to two receivers out, and the channel matrices of 4 x 2 antennas as
 * HDF5 where the library has it.
 * Usage: office_channel [FOLDER] */
#include <rasterwave/rasterwave.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static void need(rw_context *context, rw_status status)
{
    if (status == RW_OK)
        return;
    fprintf(stderr, "office_channel: %s\n", rw_last_error(context));
    exit(EXIT_FAILURE);
}

/* From the transmitter to the receiver: what the wave meets on its way. */
static void print_path(const rw_path *path)
{
    printf("  %6.1f ns  %6.1f dB ", path->delay_s * 1e9, path->loss_db);
    for (size_t i = 1; i + 1 < path->vertex_count; i++)
        printf(" %s", rw_interaction_word(path->vertices[i].interaction));
    printf("\n");
}

static void write_channel(rw_context *context, const rw_paths *paths, const char *folder)
{
    rw_channel_options arrays;
    char file[4096];
    rw_channel_options_init(&arrays);
    arrays.freq_hz = 2.5e9;
    arrays.tx_columns = 4;
    arrays.rx_columns = 2;
    mkdir(folder, 0777);
    snprintf(file, sizeof file, "%s/channel.h5", folder);
    rw_status status = rw_paths_write_channel(paths, &arrays, file);
    if (status == RW_UNSUPPORTED) {
        printf("no channel file: %s\n", rw_last_error(context));
        return;
    }
    need(context, status);
    printf("%s\n", file);
}

int main(int argc, char **argv)
{
    rw_context *context;
    rw_status status = rw_context_create(NULL, &context);
    need(context, status);
    rw_office_options office;
    rw_office_options_init(&office);
    rw_scene *scene;
    need(context, rw_generate_office(context, &office, &scene));
    need(context, rw_scene_commit(scene));

    rw_transmitter wifi;
    rw_transmitter_init(&wifi);
    wifi.x_m = 1.5;
    wifi.y_m = 5;
    wifi.height_m = 2.2;
    rw_predict_options options;
    rw_predict_options_init(&options);
    options.model = "images";
    options.freq_hz = 2.5e9;
    options.depth = 2;
    options.pixels = 512;
    options.transmitters = &wifi;
    options.transmitter_count = 1;
    const rw_point points[] = {{.size = sizeof(rw_point), .x_m = 9, .y_m = 5.2, .height_m = 1.1},
                               {.size = sizeof(rw_point), .x_m = 7, .y_m = 2, .height_m = 1.1}};
    rw_paths *paths;
    need(context, rw_trace(scene, &options, points, 2, &paths));
    for (size_t i = 0; i < rw_paths_count(paths) && i < 12; i++) {
        rw_path path = {.size = sizeof path};
        path.size = sizeof path;
        need(context, rw_paths_get(paths, i, &path));
        print_path(&path);
    }
    write_channel(context, paths, argc > 1 ? argv[1] : "out");
    rw_paths_destroy(paths);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
    return 0;
}
