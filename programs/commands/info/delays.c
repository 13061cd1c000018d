/* info FILE.h5 --at X,Y: the histogram of delays at a point, in numbers. */
#include "commands/info/info.h"

#include <math.h>

static void report_delays(const struct call *call, const rw_delay_profile *profile)
{
    struct report report;
    report_begin(&report, call);
    json_string(&report.json, "kind", "histogram of delays");
    json_string(&report.json, "file", call->input);
    json_number(&report.json, "x_m", profile->x_m);
    json_number(&report.json, "y_m", profile->y_m);
    json_number(&report.json, "path_loss_db", profile->path_loss_db);
    json_number(&report.json, "mean_delay_s", profile->mean_delay_s);
    json_number(&report.json, "delay_spread_s", profile->delay_spread_s);
    json_number(&report.json, "first_s", profile->first_s);
    json_number(&report.json, "bin_s", profile->bin_s);
    if (!isfinite(profile->path_loss_db)) {
        report_text(&report, "cell       at %.10g, %.10g: nothing arrives\n", profile->x_m, profile->y_m);
    } else {
        report_text(&report, "cell       at %.10g, %.10g: path loss %.2f dB\n", profile->x_m, profile->y_m,
                    profile->path_loss_db);
        report_text(&report, "delays     mean %.1f ns, spread %.1f ns; %zu bins of %g ns from %g ns\n",
                    1e9 * profile->mean_delay_s, 1e9 * profile->delay_spread_s, profile->bins, 1e9 * profile->bin_s,
                    1e9 * profile->first_s);
    }
    json_list(&report.json, "power");
    for (size_t i = 0; i < profile->bins; i++) {
        json_number(&report.json, NULL, (double)profile->power[i]);
        if (profile->power[i] > 0 && isfinite(profile->path_loss_db))
            report_text(&report, "bin        %8.1f ns %10.2f dB\n",
                        1e9 * (profile->first_s + (double)i * profile->bin_s), 10 * log10((double)profile->power[i]));
    }
    json_list_end(&report.json);
    report_end(&report);
}

int describe_delays(struct call *call)
{
    const struct info_settings *settings = call->settings;
    rw_delay_profile profile;
    TRY(read_delay_profile(call, call->input, &settings->points, settings->scene.crs, settings->transmitter, &profile));
    report_delays(call, &profile);
    rw_free(profile.power);
    return 0;
}
