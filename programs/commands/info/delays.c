/* Histograms of delays of a point, from the file that predict --delay-bins writes: a picture (render), or numbers
 * (info). */
#include "report/json.h"

#include "command.h"

#include <math.h>
#include <stdio.h>

/* The histogram of the point that was given. Returns the exit status. */
static int read_profile(struct call *call, rw_delay_profile *profile)
{
    const struct settings *settings = &call->settings;
    if (settings->point_count != 1)
        return report_error("a histogram of delays is of one point: give --at X,Y once");
    if (settings->band < 1)
        return report_error("--band %d: transmitters are counted from 1", settings->band);
    profile->size = sizeof *profile;
    double at[2] = {settings->points[0].x_m, settings->points[0].y_m};
    if (settings->points_crs && !settings->crs)
        return report_error("--points-crs needs the coordinate system of the map: --crs EPSG:n");
    int exit_status = transform_points(call, settings->crs, "--at", at, 1);
    if (exit_status)
        return exit_status;
    rw_status status =
        rw_delay_profile_read(call->context, settings->input, at[0], at[1], (size_t)settings->band - 1, profile);
    return status == RW_OK ? 0 : report_status(call, status);
}

int render_delays(struct call *call)
{
    rw_delay_profile profile;
    int exit_status = read_profile(call, &profile);
    if (exit_status)
        return exit_status;
    rw_status status = rw_delay_profile_draw(call->context, &profile, call->settings.out);
    rw_free(profile.power);
    if (status == RW_OK && !call->settings.quiet && !call->settings.json)
        puts(call->settings.out);
    return status == RW_OK ? 0 : report_status(call, status);
}

static void print_delays_json(const struct call *call, const rw_delay_profile *profile)
{
    struct json json;
    json_begin(&json, stdout);
    json_string(&json, "kind", "histogram of delays");
    json_string(&json, "file", call->settings.input);
    json_number(&json, "x_m", profile->x_m);
    json_number(&json, "y_m", profile->y_m);
    json_number(&json, "path_loss_db", profile->path_loss_db);
    json_number(&json, "mean_delay_s", profile->mean_delay_s);
    json_number(&json, "delay_spread_s", profile->delay_spread_s);
    json_number(&json, "first_s", profile->first_s);
    json_number(&json, "bin_s", profile->bin_s);
    json_list(&json, "power");
    for (size_t i = 0; i < profile->bins; i++)
        json_number(&json, NULL, (double)profile->power[i]);
    json_list_end(&json);
    json_end(&json);
}

static void print_delays(const rw_delay_profile *profile)
{
    if (!isfinite(profile->path_loss_db)) {
        printf("cell       at %.10g, %.10g: nothing arrives\n", profile->x_m, profile->y_m);
        return;
    }
    printf("cell       at %.10g, %.10g: path loss %.2f dB\n", profile->x_m, profile->y_m, profile->path_loss_db);
    printf("delays     mean %.1f ns, spread %.1f ns; %zu bins of %g ns from %g ns\n", 1e9 * profile->mean_delay_s,
           1e9 * profile->delay_spread_s, profile->bins, 1e9 * profile->bin_s, 1e9 * profile->first_s);
    for (size_t i = 0; i < profile->bins; i++)
        if (profile->power[i] > 0)
            printf("bin        %8.1f ns %10.2f dB\n", 1e9 * (profile->first_s + (double)i * profile->bin_s),
                   10 * log10((double)profile->power[i]));
}

int describe_delays(struct call *call)
{
    rw_delay_profile profile;
    int exit_status = read_profile(call, &profile);
    if (exit_status)
        return exit_status;
    if (call->settings.json)
        print_delays_json(call, &profile);
    else if (!call->settings.quiet)
        print_delays(&profile);
    rw_free(profile.power);
    return 0;
}
