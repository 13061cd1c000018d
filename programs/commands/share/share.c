/* share: a plan as one HTML file that shows itself: no engine, no other file, no network. */
#include "commands/share/share.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static void write_about(struct call *call, struct share_plan *plan)
{
    const struct share_settings *settings = call->settings;
    struct json *json = &plan->json;
    json_string(json, "title", settings->title);
    json_string(json, "author", settings->author ? settings->author : "");
    json_string(json, "date", plan->date);
    json_string(json, "program", rw_version());
    json_string(json, "model", plan->request.options.model);
    json_string(json, "crs", rw_map_crs(plan->map));
    fprintf(plan->contents_stream, "Title, date%s, model (%s) and version of rasterwave (%s).\n",
            settings->author ? ", author" : "", plan->request.options.model, rw_version());
}

static int write_content(struct call *call, struct share_plan *plan)
{
    write_about(call, plan);
    TRY(share_scene(call, plan));
    TRY(share_layers(call, plan));
    return share_budgets(call, plan);
}

/* The content as JSON, and the list of what is in it. */
static int compose_content(struct call *call, struct share_plan *plan, char **content, size_t *size)
{
    FILE *stream = open_memstream(content, size);
    plan->contents_stream = open_memstream(&plan->contents, &plan->contents_size);
    int failed = !stream || !plan->contents_stream, exit_status = 0;
    if (!failed) {
        json_begin(&plan->json, stream);
        exit_status = write_content(call, plan);
        json_end(&plan->json);
    }
    failed |= stream && fclose(stream) != 0;
    failed |= plan->contents_stream && fclose(plan->contents_stream) != 0;
    return exit_status || !failed ? exit_status : report_out_of_memory("the file");
}

/* The content, then the page round it. */
static int write_plan(struct call *call, struct share_plan *plan, char **content)
{
    size_t size = 0;
    TRY(compose_content(call, plan, content, &size));
    return write_share_page(call, plan, *content, size);
}

static void report_plan(struct call *call, const struct share_plan *plan)
{
    const struct share_settings *settings = call->settings;
    struct report report;
    report_begin(&report, call);
    report_file(&report, "file", settings->out);
    json_count(&report.json, "layers", plan->layer_count);
    json_list(&report.json, "contents");
    char *rest = plan->contents;
    for (char *line = strsep(&rest, "\n"); line && *line; line = strsep(&rest, "\n")) {
        json_string(&report.json, NULL, line);
        report_text(&report, "  %s\n", line);
    }
    json_list_end(&report.json);
    report_warnings(&report, call);
    report_end(&report);
}

static int predict_shared_plan(struct call *call, struct share_plan *plan)
{
    struct share_settings *settings = call->settings;
    TRY(open_request(call, &settings->inputs, &plan->request));
    rw_status status = rw_predict(plan->request.scene, &plan->request.options, &plan->map);
    wipe_progress(call);
    TRY_RW(call, status);
    char *content = NULL;
    int exit_status = write_plan(call, plan, &content);
    free(content);
    TRY(exit_status);
    report_plan(call, plan);
    return 0;
}

static void set_date(struct share_plan *plan)
{
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc))
        strftime(plan->date, sizeof plan->date, "%Y-%m-%d", &utc);
}

static int run_share(struct call *call)
{
    struct share_settings *settings = call->settings;
    struct share_plan plan = {0};
    const char *dot = settings->out ? strrchr(settings->out, '.') : NULL;
    if (!dot || strcmp(dot, ".html") != 0)
        return report_error("share needs a file to write: rasterwave share PROJECT.yaml --out plan.html");
    if (!has_share_page())
        return report_error("share: this rasterwave was built without its page: install npm and build again");
    TRY(check_output_file("out", settings->out));
    set_date(&plan);
    if (!settings->title)
        settings->title = "Radio plan";
    int exit_status = predict_shared_plan(call, &plan);
    free(plan.contents);
    rw_map_destroy(plan.map);
    close_request(&plan.request);
    return exit_status;
}

#define AT(member) offsetof(struct share_settings, member)
static const struct command_option share_options[] = {{"out", AT(out)},
                                                      {"title", AT(title)},
                                                      {"author", AT(author)},
                                                      {"without-scene", AT(without_scene)},
                                                      {"each-transmitter", AT(each_transmitter)},
                                                      {"budgets", AT(budgets)},
                                                      {"backend", OF_CALL},
                                                      {"threads", OF_CALL},
                                                      {"json", OF_CALL},
                                                      {"quiet", OF_CALL},
                                                      {"allow-outside", OF_CALL},
                                                      {"+predict", OF_CALL},
                                                      {"scene", AT(inputs.scene.file)},
                                                      {"tx", AT(inputs.sites.tx)},
                                                      {"model", OF_CALL},
                                                      {"sites", AT(inputs.sites.file)},
                                                      {"terrain", AT(inputs.scene.terrain)},
                                                      {"foliage", AT(inputs.scene.foliage)},
                                                      {"materials", AT(inputs.scene.materials)},
                                                      {"crs", AT(inputs.scene.crs)},
                                                      {"height-field", AT(inputs.scene.height_field)},
                                                      {"storeys-field", AT(inputs.scene.storeys_field)},
                                                      {"height-unit", AT(inputs.scene.height_unit)},
                                                      {"points-crs", OF_CALL},
                                                      {"skip-bad", AT(inputs.sites.skip_bad)},
                                                      {"columns", AT(inputs.sites.columns)},
                                                      {"tx-polarisation", AT(inputs.sites.polarisation)},
                                                      {"tx-antenna", AT(inputs.sites.antenna)},
                                                      {"tx-azimuth", AT(inputs.sites.azimuth_deg)},
                                                      {"tx-tilt", AT(inputs.sites.tilt_deg)},
                                                      {"tx-power", AT(inputs.sites.power_dbm)},
                                                      {NULL, 0}};
#undef AT

const struct command share_command = {
    .name = "share",
    .summary = "a plan as one HTML file that anyone can open, offline",
    .options = share_options,
    .settings_size = sizeof(struct share_settings),
    .calls = RW_OPTION_OF_PREDICT,
    .project_of = "predict",
    .is_served = 1,
    .default_out = "plan.html",
    .examples = {"rasterwave share plan.yaml --author 'A. Planner' --out plan.html",
                 "rasterwave share --scene city:european:size=400m,400m --tx 200,200,20 --out city.html"},
    .run = run_share};
