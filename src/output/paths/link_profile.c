/* The section of a link between two antennas: ground, roofs, the curvature of the earth, the line of sight and the
 * first Fresnel zone, as numbers, as a table and as a picture.
 *
 * Bulge d1 d2 / (2 k R) and Fresnel radius sqrt(lambda d1 d2 / d): ITU-R P.530-18, equations (1) and (2); the loss of
 * the nearest obstacle as one knife edge: ITU-R P.526-15, equation (31). Distances are small against the earth's
 * radius. */
#include <rasterwave/geometry.h>

#include "base/file.h"
#include "base/maths/elementary.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/range.h"
#include "field/edges/knife_edge.k.h"
#include "output/pictures/pictures.h"
#include "scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define EARTH_RADIUS_M 6371e3
#define DEGREES (180 / 3.14159265358979323846)
#define SAMPLE_SPACING_M 10
#define SAMPLES_MIN 200
#define SAMPLES_DEFAULT_MAX 4000
#define SAMPLES_MAX 1000000
#define FREQ_MIN_HZ 1e6
#define FREQ_MAX_HZ 1e12

static const rw_link_options default_link = {.freq_hz = 947e6, .k_factor = 4.0 / 3};

void rw_link_options_init_sized(rw_link_options *options, size_t size)
{
    rw_defaults_copy(&default_link, sizeof default_link, options, size);
}

static rw_status check_link_options(rw_context *context, const rw_link_options *link)
{
    for (int i = 0; i < 2; i++)
        if (!rw_is_coordinate(link->first_m[i]) || !rw_is_coordinate(link->second_m[i]))
            return rw_fail(context, RW_BAD_CALL, "the ends of the link are not positions in metres");
    if (!(link->first_m[2] > 0 && link->first_m[2] < RW_HEIGHT_MAX_M) ||
        !(link->second_m[2] > 0 && link->second_m[2] < RW_HEIGHT_MAX_M))
        return rw_fail(context, RW_BAD_CALL, "the antennas of the link must be above ground and below 100 km");
    if (!(link->freq_hz >= FREQ_MIN_HZ && link->freq_hz <= FREQ_MAX_HZ))
        return rw_fail(context, RW_BAD_CALL, "the frequency of the link is %g Hz; write for example 947MHz",
                       link->freq_hz);
    if (!(link->k_factor >= 0.1 && link->k_factor <= 1e6))
        return rw_fail(context, RW_BAD_CALL, "the k factor of the link is %g; it must be from 0.1 to 1e6",
                       link->k_factor);
    if (link->count == 1 || link->count > SAMPLES_MAX)
        return rw_fail(context, RW_BAD_CALL, "a link needs 2 to %d samples, not %zu", SAMPLES_MAX, link->count);
    if (hypot(link->second_m[0] - link->first_m[0], link->second_m[1] - link->first_m[1]) < 1e-3)
        return rw_fail(context, RW_BAD_CALL, "both ends of the link are at the same position");
    return RW_OK;
}

static rw_status sample_link_section(const rw_scene *scene, const rw_link_options *link, rw_link_profile *profile)
{
    double *heights;
    RW_TRY(rw_array_create(scene->context, 2 * profile->count, sizeof *heights, "the section of a link", &heights));
    rw_status status = rw_scene_profile(scene, link->first_m[0], link->first_m[1], link->second_m[0], link->second_m[1],
                                        profile->count, heights, heights + profile->count);
    for (size_t i = 0; status == RW_OK && i < profile->count; i++) {
        rw_link_sample *sample = &profile->samples[i];
        double fraction = (double)i / (double)(profile->count - 1);
        sample->distance_m = fraction * profile->length_m;
        sample->x_m = link->first_m[0] + fraction * (link->second_m[0] - link->first_m[0]);
        sample->y_m = link->first_m[1] + fraction * (link->second_m[1] - link->first_m[1]);
        sample->ground_m = heights[i];
        sample->top_m = heights[profile->count + i];
    }
    free(heights);
    return status;
}

/* Line of sight and Fresnel zone, and the sample that comes nearest to the line in parts of the zone. */
static void measure_link_clearance(const rw_link_options *link, rw_link_profile *profile)
{
    double wavelength_m = RW_SPEED_OF_LIGHT_M_S / link->freq_hz, length_m = profile->length_m;
    double first_m = profile->samples[0].ground_m + link->first_m[2];
    double second_m = profile->samples[profile->count - 1].ground_m + link->second_m[2];
    profile->clearance_m = profile->clearance_fraction = INFINITY;
    for (size_t i = 0; i < profile->count; i++) {
        rw_link_sample *sample = &profile->samples[i];
        double before_m = sample->distance_m, after_m = length_m - before_m;
        sample->bulge_m = before_m * after_m / (2 * link->k_factor * EARTH_RADIUS_M);
        sample->line_m = first_m + before_m / length_m * (second_m - first_m);
        sample->fresnel_m = sqrt(wavelength_m * before_m * after_m / length_m);
        if (i == 0 || i + 1 == profile->count)
            continue; /* what carries an antenna does not stand in the link */
        double clearance_m = sample->line_m - sample->top_m - sample->bulge_m;
        profile->clearance_m = fmin(profile->clearance_m, clearance_m);
        if (clearance_m / sample->fresnel_m < profile->clearance_fraction) {
            profile->clearance_fraction = clearance_m / sample->fresnel_m;
            profile->nearest = i;
        }
    }
    profile->knife_edge_db = 0;
    if (profile->count > 2) /* nu = sqrt(2) h / F1 */
        profile->knife_edge_db = rw_knife_edge_loss_p526_db(-sqrt(2) * profile->clearance_fraction);
}

/* The line leaves each end lower by d / (2 k R) than over a flat earth. */
static void find_link_directions(const rw_link_options *link, rw_link_profile *profile)
{
    double rise_m = profile->samples[profile->count - 1].line_m - profile->samples[0].line_m;
    double slope = rise_m / profile->length_m, drop = profile->length_m / (2 * link->k_factor * EARTH_RADIUS_M);
    double dx_m = link->second_m[0] - link->first_m[0], dy_m = link->second_m[1] - link->first_m[1];
    profile->line_of_sight_m = hypot(profile->length_m, rise_m);
    profile->azimuth_deg = fmod(360 + atan2(dx_m, dy_m) * DEGREES, 360);
    profile->back_azimuth_deg = fmod(180 + profile->azimuth_deg, 360);
    profile->elevation_deg = atan(slope - drop) * DEGREES;
    profile->back_elevation_deg = atan(-slope - drop) * DEGREES;
}

rw_status rw_link_profile_create(const rw_scene *scene, const rw_link_options *options, rw_link_profile *profile)
{
    rw_link_options link = default_link;
    rw_link_profile found = {.size = sizeof found};
    profile->samples = NULL;
    RW_TRY(RW_RESOLVE(scene->context, options, &link));
    link.k_factor = rw_option_or(link.k_factor, default_link.k_factor);
    RW_TRY(check_link_options(scene->context, &link));
    found.length_m = hypot(link.second_m[0] - link.first_m[0], link.second_m[1] - link.first_m[1]);
    found.count = link.count ? link.count
                             : (size_t)fmin(fmax(found.length_m / SAMPLE_SPACING_M, SAMPLES_MIN), SAMPLES_DEFAULT_MAX);
    RW_TRY(
        rw_array_create(scene->context, found.count, sizeof *found.samples, "the section of a link", &found.samples));
    rw_status status = sample_link_section(scene, &link, &found);
    if (status == RW_OK) {
        measure_link_clearance(&link, &found);
        find_link_directions(&link, &found);
        status = RW_ASSIGN(scene->context, &found, profile);
    }
    if (status != RW_OK)
        free(found.samples);
    return status;
}

static rw_status check_link_profile(rw_context *context, const rw_link_profile *profile)
{
    if (profile && profile->samples && profile->count >= 2)
        return RW_OK;
    return rw_fail(context, RW_BAD_CALL, "the profile of a link is empty: call rw_link_profile_create first");
}

rw_status rw_link_profile_write(rw_context *context, const rw_link_profile *profile, const char *path)
{
    rw_file_writer writer;
    RW_TRY(check_link_profile(context, profile));
    RW_TRY(rw_file_begin(context, path, &writer));
    fputs("distance_m,x,y,ground_m,top_m,bulge_m,line_m,fresnel_m,clearance_m\n", writer.stream);
    for (size_t i = 0; i < profile->count; i++) {
        const rw_link_sample *sample = &profile->samples[i];
        fprintf(writer.stream, "%.3f,%.10g,%.10g,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f\n", sample->distance_m, sample->x_m,
                sample->y_m, sample->ground_m, sample->top_m, sample->bulge_m, sample->line_m, sample->fresnel_m,
                sample->line_m - sample->top_m - sample->bulge_m);
    }
    return rw_file_commit(context, &writer);
}

enum { LINK_ROOFS, LINK_GROUND, LINK_LINE, LINK_FRESNEL, LINK_SERIES };

static rw_status plot_link_profile(rw_context *context, const rw_link_profile *profile, const char *title,
                                   double *values, const char *path)
{
    static const double colours[][3] = {
        {0.62, 0.02, 260}, {0.52, 0.09, 130}, {0.5, 0.18, 258}, {0.7, 0.15, 50}, {0.55, 0.22, 28}};
    size_t count = profile->count, zone = 2 * count + 1;
    double *along = values, *ground = along + count, *roof = ground + count, *line = roof + count;
    double *zone_x = line + count, *zone_y = zone_x + zone;
    const rw_link_sample *at = &profile->samples[profile->nearest];
    double nearest_m = at->top_m + at->bulge_m;
    char subtitle[160], clearance[48];
    for (size_t i = 0; i < count; i++) {
        const rw_link_sample *sample = &profile->samples[i];
        along[i] = zone_x[i] = zone_x[zone - 1 - i] = sample->distance_m;
        ground[i] = sample->ground_m + sample->bulge_m;
        roof[i] = sample->top_m + sample->bulge_m;
        line[i] = sample->line_m;
        zone_y[i] = sample->line_m - sample->fresnel_m;
        zone_y[zone - 1 - i] = sample->line_m + sample->fresnel_m;
    }
    zone_x[count] = zone_y[count] = NAN;
    const rw_series series[] = {{"roofs", along, roof, count, RW_SERIES_LINE},
                                {"ground on the curved earth", along, ground, count, RW_SERIES_LINE},
                                {"line of sight", along, line, count, RW_SERIES_LINE},
                                {"first Fresnel zone", zone_x, zone_y, zone, RW_SERIES_LINE},
                                {"least clearance", &at->distance_m, &nearest_m, 1, RW_SERIES_POINTS}};
    snprintf(clearance, sizeof clearance, "%.0f %% of the Fresnel radius", 100 * profile->clearance_fraction);
    snprintf(subtitle, sizeof subtitle, "%.0f m; least clearance %.1f m, %s; heights are exaggerated",
             profile->length_m, at->line_m - nearest_m, clearance);
    const rw_plot plot = {.title = title && *title ? title : "Link",
                          .subtitle = subtitle,
                          .x_label = "distance from the first antenna in m",
                          .y_label = "altitude in m",
                          .series = series,
                          .series_count = LINK_SERIES + 1,
                          .colours = colours};
    return rw_plot_write(context, &plot, path);
}

rw_status rw_link_profile_draw(rw_context *context, const rw_link_profile *profile, const char *title, const char *path)
{
    double *values;
    RW_TRY(check_link_profile(context, profile));
    RW_TRY(rw_array_create(context, 8 * profile->count + 2, sizeof *values, "a picture of a link", &values));
    rw_status status = plot_link_profile(context, profile, title, values, path);
    free(values);
    return status;
}
