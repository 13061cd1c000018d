/* A measured office: gains between 6 transmitters and 4 receivers in four bands from 2 to 6 GHz, against the images
 * model and against the multi-wall model of COST 231 on the same walls.
 *
 * With the materials of the table, paths are traced once for each link and evaluated at several frequencies: mean power
 * over the band by the sum of path powers. In a second line rw_calibrate, as the command calibrate calls it, fits the
 * factors of the materials and an offset to every other link at the middle of the band; what is told is of the links
 * that were not fitted. The multi-wall model gets the same chance: its loss of a wall is scaled. Errors are measured -
 * predicted, in dB; the mean is not judged, since the gains of the antennas are not known. */
#include "bench/groups.h"

#include "base/text/csv.h"
#include "base/memory.h"
#include "calibrate/measurements/measurements.h"
#include "discretise/prepared.h"
#include "models/images/images.h"

#include <rasterwave/calibrate.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINKS_MAX 64
#define NAME_SIZE 24 /* of a transmitter: a number */
#define BANDS 4
#define DEPTH 7
#define PIXELS 256
#define FREQS 3 /* a band */

typedef struct office_link {
    rw_vec3 from, to;
    double measured_db[BANDS];
    uint32_t *steps; /* DEPTH each */
    int *levels;
    size_t count, capacity, level_capacity;
} office_link;

typedef struct measured_office {
    rw_context *context;
    rw_scene *scene;
    office_link links[LINKS_MAX];
    size_t link_count;
    rw_ray_scene rays[BANDS][FREQS];
    double wall_scale; /* of the multi-wall model */
} measured_office;

static rw_status read_links(measured_office *office, const rw_csv *csv)
{
    static const char *const names[] = {"tx_x_m", "tx_y_m", "tx_z_m",   "rx_x_m",
                                        "rx_y_m", "rx_z_m", "f_lo_ghz", "mean_gain_db"};
    size_t columns[8];
    rw_vec2 centre = office->scene->prepared->grid.centre, origin = office->scene->origin;
    for (int i = 0; i < 8; i++)
        RW_TRY(rw_csv_require(csv, names[i], &columns[i]));
    for (size_t row = 0; row < csv->row_count; row++) {
        double v[8];
        for (int i = 0; i < 8; i++)
            RW_TRY(rw_csv_required_number(csv, row, columns[i], RW_QUANTITY_NUMBER, &v[i]));
        int band = (int)(v[6] + 0.5) - 2;
        size_t index = row / BANDS; /* the bands of a link follow each other */
        if (band < 0 || band >= BANDS || index >= LINKS_MAX)
            return rw_fail(office->context, RW_BAD_INPUT, "%s: line %zu is not of a band from 2 to 6 GHz", csv->path,
                           csv->lines[row]);
        office_link *link = &office->links[index];
        link->from = rw_vec3_of(v[0] - origin.x - centre.x, v[1] - origin.y - centre.y, v[2]);
        link->to = rw_vec3_of(v[3] - origin.x - centre.x, v[4] - origin.y - centre.y, v[5]);
        link->measured_db[band] = v[7];
        office->link_count = index + 1;
    }
    return RW_OK;
}

static rw_status store_sequence(void *user, const uint32_t *steps, int level, uint32_t side, uint32_t point)
{
    office_link *link = ((office_link **)user)[point];
    rw_context *context = ((rw_context **)user)[LINKS_MAX];
    RW_TRY(rw_array_reserve(context, &link->steps, &link->capacity, (link->count + 1) * DEPTH, sizeof *link->steps,
                            "paths"));
    RW_TRY(rw_array_reserve(context, &link->levels, &link->level_capacity, link->count + 1, sizeof *link->levels,
                            "paths"));
    /* A sequence may be found in several of the six views; it is one path. */
    for (size_t i = 0; i < link->count; i++)
        if (link->levels[i] == level && memcmp(link->steps + i * DEPTH, steps, (size_t)level * sizeof *steps) == 0)
            return RW_OK;
    (void)side;
    memcpy(link->steps + link->count * DEPTH, steps, (size_t)level * sizeof *steps);
    link->levels[link->count++] = level;
    return RW_OK;
}

/* Sequences of all links from one transmitter. */
static rw_status trace_from(measured_office *office, rw_ray_scene *rays, size_t first)
{
    void *user[LINKS_MAX + 1];
    rw_vec3 positions[LINKS_MAX];
    uint32_t cells[LINKS_MAX], count = 0;
    rw_transmitter plain;
    rw_antenna *antenna;
    rw_points points;
    rw_transmitter_init(&plain);
    for (size_t i = first; i < office->link_count; i++)
        if (memcmp(&office->links[i].from, &office->links[first].from, sizeof(rw_vec3)) == 0) {
            positions[count] = office->links[i].to;
            cells[count] = (uint32_t)i;
            count++;
        }
    RW_TRY(rw_points_create(office->context, positions, cells, count, &points));
    for (uint32_t i = 0; i < count; i++)
        user[i] = &office->links[points.cells[i]];
    user[LINKS_MAX] = office->context;
    rw_status status = rw_antenna_create(office->context, "isotropic", &antenna);
    if (status == RW_OK)
        status = rw_ray_scene_set_transmitter(rays, antenna, &plain, office->links[first].from);
    rw_images_options options = {.depth = DEPTH, .pixels = PIXELS, .threshold = 1, .anew = 1};
    rw_images_solver *solver = NULL;
    if (status == RW_OK)
        status = rw_images_open(rays, &points, &options, 0, &solver);
    if (status == RW_OK)
        status = rw_images_list(solver, store_sequence, user);
    rw_images_close(solver);
    rw_antenna_destroy(antenna);
    rw_points_destroy(&points);
    return status;
}

static rw_status trace_all(measured_office *office)
{
    for (size_t i = 0; i < office->link_count; i++) {
        int first = 1;
        for (size_t j = 0; j < i; j++)
            first = first && memcmp(&office->links[i].from, &office->links[j].from, sizeof(rw_vec3)) != 0;
        if (first)
            RW_TRY(trace_from(office, &office->rays[BANDS / 2][0], i));
    }
    return RW_OK;
}

static double images_db(const measured_office *office, const office_link *link, int band)
{
    double power = 0;
    for (int f = 0; f < FREQS; f++) {
        rw_ray_view view = office->rays[band][f].host;
        view.source = link->from;
        view.transmitter = rw_pattern_receiver();
        for (size_t i = 0; i < link->count; i++) {
            rw_image_path path;
            if (rw_image_path_solve(&view.surfaces, view.slabs, link->steps + i * DEPTH, link->levels[i], link->from,
                                    link->to, &path) &&
                rw_image_path_free(&view.surfaces, &path, link->from, link->to))
                power += rw_complex_abs2(rw_ray_view_arrival(&view, &path).gain) / FREQS;
        }
    }
    return 10 * log10(power > 1e-30 ? power : 1e-30);
}

/* Free space and the loss of each wall on the line at normal incidence. COST 231 final report, section 4.7. */
static double walls_db(const measured_office *office, const office_link *link, int band)
{
    const rw_ray_view *view = &office->rays[band][FREQS / 2].host;
    double distance_m = rw_vec3_length(rw_vec3_sub(link->to, link->from)), loss_db = 0;
    for (uint32_t i = 0; i < view->surfaces.surface_count; i++) {
        const rw_surface *surface = &view->surfaces.surfaces[i];
        if (rw_surface_crossing(&view->surfaces, surface, link->from, link->to) < 0)
            continue;
        rw_wall_response wall = rw_wall_response_exact(&view->walls[surface->kind], 1, view->wavelength_m);
        loss_db -= 10 * log10(rw_complex_abs2(wall.through.te) + 1e-30);
    }
    return 20 * log10(view->wavelength_m / (4 * RW_PI * distance_m)) - office->wall_scale * loss_db;
}

/* Standard deviation over links first, first + step, ... */
static double compute_link_deviation(const measured_office *office, int band, int images, size_t first, size_t step)
{
    double errors[LINKS_MAX], mean = 0, sum = 0;
    size_t count = 0;
    for (size_t i = first; i < office->link_count; i += step) {
        const office_link *link = &office->links[i];
        errors[count] =
            link->measured_db[band] - (images ? images_db(office, link, band) : walls_db(office, link, band));
        mean += errors[count++];
    }
    for (size_t i = 0; i < count; i++)
        sum += (errors[i] - mean / (double)count) * (errors[i] - mean / (double)count);
    return count > 1 ? sqrt(sum / (double)(count - 1)) : NAN;
}

static void fit_wall_scale(measured_office *office, int band)
{
    double best = INFINITY, best_scale = 1;
    for (int i = 0; i <= 60; i++) {
        office->wall_scale = 0.05 * i;
        double found = compute_link_deviation(office, band, 0, 0, 2);
        if (found < best) {
            best = found;
            best_scale = office->wall_scale;
        }
    }
    office->wall_scale = best_scale;
}

/* The links of one band, as the measurements that calibrate takes. The table gives a transmitter one number at either
 * of its heights, so a sample's site becomes the name of the transmitter that it is of. */
static rw_status load_band(const measured_office *office, const char *folder, int band, const size_t *transmitter_of,
                           char (*names)[NAME_SIZE], rw_measurements **measurements)
{
    char path[4096];
    rw_measurements_options options;
    rw_measurements_options_init(&options);
    options.columns = "x=rx_x_m,y=rx_y_m,value=mean_gain_db,site=tx_id,route=rx_id";
    options.quantity = "power";
    options.tx_power_dbm = 0;
    snprintf(path, sizeof path, "%s/links.csv", folder);
    RW_TRY(rw_measurements_load(office->context, path, &options, measurements));
    rw_csv *csv = &(*measurements)->csv;
    size_t used_count = 0;
    for (size_t i = 0; i < (*measurements)->sample_count; i++) {
        size_t row = (*measurements)->samples[i].row;
        if (row % BANDS != (size_t)band)
            continue;
        csv->fields[row * csv->column_count + (*measurements)->site_column] = names[transmitter_of[row / BANDS]];
        (*measurements)->samples[used_count++] = (*measurements)->samples[i];
    }
    (*measurements)->sample_count = used_count;
    return RW_OK;
}

/* The links' transmitters, each once, and which of them each link is of. */
static size_t list_transmitters(const measured_office *office, rw_transmitter *transmitters, char (*names)[NAME_SIZE],
                                size_t *transmitter_of)
{
    rw_vec2 centre = office->scene->prepared->grid.centre, origin = office->scene->origin;
    size_t count = 0;
    for (size_t i = 0; i < office->link_count; i++) {
        rw_vec3 from = office->links[i].from;
        if (i > 0 && memcmp(&from, &office->links[i - 1].from, sizeof from) == 0) {
            transmitter_of[i] = count - 1;
            continue;
        }
        transmitter_of[i] = count;
        rw_transmitter *transmitter = &transmitters[count++];
        rw_transmitter_init(transmitter);
        snprintf(names[count - 1], sizeof *names, "%zu", count);
        transmitter->name = names[count - 1];
        transmitter->x_m = from.x + centre.x + origin.x;
        transmitter->y_m = from.y + centre.y + origin.y;
        transmitter->height_m = from.z;
    }
    return count;
}

/* Standard deviation on receivers 2 and 4 after a fit to receivers 1 and 3. */
static rw_status calibrate_office_band(const measured_office *office, const char *folder, int band, double *std_dev_db)
{
    rw_measurements *measurements;
    rw_calibration *calibration = NULL;
    rw_transmitter transmitters[LINKS_MAX];
    char names[LINKS_MAX][NAME_SIZE];
    size_t transmitter_of[LINKS_MAX];
    rw_predict_options prediction;
    rw_calibrate_options options;
    rw_calibration_info info = {.size = sizeof info};
    rw_predict_options_init_for(&prediction, "images");
    rw_calibrate_options_init(&options);
    prediction.transmitters = transmitters;
    prediction.transmitter_count = list_transmitters(office, transmitters, names, transmitter_of);
    prediction.freq_hz = (2.5 + band) * 1e9;
    prediction.rx_height_m = office->links[0].to.z;
    prediction.depth = DEPTH;
    prediction.pixels = PIXELS;
    prediction.threshold = 1;
    options.fit = "walls,offset";
    options.holdout = "route=2,4";
    options.average = "none";
    RW_TRY(load_band(office, folder, band, transmitter_of, names, &measurements));
    rw_status status = rw_calibrate(office->scene, &prediction, measurements, &options, &calibration);
    if (status == RW_OK)
        status = rw_calibration_get_info(calibration, &info);
    *std_dev_db = info.holdout_after.std_dev_db;
    rw_calibration_destroy(calibration);
    rw_measurements_destroy(measurements);
    return status;
}

static rw_status report_office_band(const rw_bench *bench, measured_office *office, const char *folder, int band)
{
    char name[64], note[160];
    office->wall_scale = 1;
    double images = compute_link_deviation(office, band, 1, 0, 1),
           walls = compute_link_deviation(office, band, 0, 0, 1);
    snprintf(name, sizeof name, "measured office, %d to %d GHz, %zu links", band + 2, band + 3, office->link_count);
    snprintf(note, sizeof note, "standard deviation, materials of the table; multi-wall: %.2f dB", walls);
    rw_bench_add_result(bench, "images", name, images, "dB", NAN, walls, note);
    fit_wall_scale(office, band);
    walls = compute_link_deviation(office, band, 0, 1, 2);
    RW_TRY(calibrate_office_band(office, folder, band, &images));
    snprintf(name, sizeof name, "measured office, %d to %d GHz, held-out links", band + 2, band + 3);
    snprintf(note, sizeof note, "both fitted on every other link; multi-wall: %.2f dB", walls);
    rw_bench_add_result(bench, "images", name, images, "dB", NAN, walls, note);
    return RW_OK;
}

static rw_status bench_office_links(const rw_bench *bench, measured_office *office, const char *folder)
{
    char path[4096];
    rw_csv csv;
    snprintf(path, sizeof path, "%s/walls.csv", folder);
    RW_TRY(rw_scene_load(office->context, path, NULL, &office->scene));
    for (int band = 0; band < BANDS; band++)
        for (int f = 0; f < FREQS; f++)
            RW_TRY(rw_ray_scene_create(office->scene, (2 + band + (f + 0.5) / FREQS) * 1e9, 1, &office->rays[band][f]));
    snprintf(path, sizeof path, "%s/links.csv", folder);
    RW_TRY(rw_csv_read(office->context, path, &csv));
    rw_status status = read_links(office, &csv);
    rw_csv_free(&csv);
    RW_TRY(status);
    RW_TRY(trace_all(office));
    for (int band = 0; band < BANDS; band++)
        RW_TRY(report_office_band(bench, office, folder, band));
    return RW_OK;
}

rw_status rw_bench_measured_office(const rw_bench *bench)
{
    char folder[4000];
    if (!bench->data_folder || !rw_bench_wants(bench, "images", "measured office"))
        return RW_OK;
    snprintf(folder, sizeof folder, "%s/where1/links.csv", bench->data_folder);
    if (access(folder, R_OK) != 0)
        return RW_OK;
    snprintf(folder, sizeof folder, "%s/where1", bench->data_folder);
    measured_office *office;
    RW_TRY(rw_array_create(bench->context, 1, sizeof *office, "the measured office", &office));
    office->context = bench->context;
    rw_status status = bench_office_links(bench, office, folder);
    for (size_t i = 0; i < LINKS_MAX; i++) {
        free(office->links[i].steps);
        free(office->links[i].levels);
    }
    for (int i = 0; i < BANDS * FREQS; i++)
        rw_ray_scene_destroy(&office->rays[i / FREQS][i % FREQS]);
    rw_scene_destroy(office->scene);
    free(office);
    return status;
}
