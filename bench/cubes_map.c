/* A complete map of the cubes model at 5 m on Munich (where its data are; else on a generated city of the same size):
 * two reflections, two horizontal and two vertical diffractions. What does not depend on the transmitter (laying the
 * cubes, cutting surfaces and edges into pieces, memory) is timed apart from the search, and the whole is told beside
 * the paper. Compared before it is timed: a receiver in sight has free-space loss, and none has less. */
#include "bench/bench.h"
#include "models/cubes/cubes.h"

#include <math.h>
#include <stdio.h>

static const char group[] = "cubes";

typedef struct map_bench {
    rw_prediction *prediction;
    rw_cubes_open_job open;
    rw_cubes_costs costs;
    double lay_s;
} map_bench;

static rw_status run_cubes_search(void *user)
{
    map_bench *bench = user;
    return rw_cubes_job_run(&bench->open.job, bench->prediction->sources[0], bench->prediction->options->freq_hz,
                            &bench->costs);
}

static rw_status check_cubes_map(map_bench *bench, size_t *reached, rw_bench_check *compared)
{
    rw_context *context = bench->open.job.context;
    RW_TRY(run_cubes_search(bench));
    RW_TRY(rw_cubes_job_read(&bench->open.job, bench->open.answers));
    double wavelength_m = 299792458.0 / bench->prediction->options->freq_hz;
    *reached = 0;
    *compared = (rw_bench_check){"free space in sight", 0, 0.01, "dB"};
    for (size_t i = 0; i < bench->open.count; i++) {
        const rw_cubes_answer *answer = &bench->open.answers[i];
        rw_vec3 offset = rw_vec3_sub(bench->open.points[i], bench->prediction->sources[0]);
        double free_db = 20 * log10(4 * 3.14159265358979 * rw_vec3_length(offset) / wavelength_m);
        *reached += isfinite(answer->path_loss_db) != 0;
        if (!((double)answer->path_loss_db > free_db - 0.01) ||
            (answer->sight && !((double)answer->path_loss_db < free_db + 0.01)))
            return rw_fail(context, RW_INTERNAL, "receiver %zu has a path loss of %g dB; free space has %g", i,
                           (double)answer->path_loss_db, free_db);
        if (answer->sight)
            compared->difference = fmax(compared->difference, fabs((double)answer->path_loss_db - free_db));
    }
    return RW_OK;
}

static rw_status report_cubes_map(const rw_bench *out, map_bench *bench, const char *city_name)
{
    rw_context *context = bench->open.job.context;
    int gpu = context->backend == RW_BACKEND_CUDA;
    size_t reached;
    double seconds;
    char name[64], note[160];
    rw_bench_check compared;
    RW_TRY(check_cubes_map(bench, &reached, &compared));
    RW_TRY(rw_device_time(context, context->backend, run_cubes_search, bench, gpu ? 9 : 2, &seconds));
    snprintf(name, sizeof name, "lay cubes of 5 m, %s", rw_context_backend(context));
    snprintf(note, sizeof note, "%s: %.2g cubes, %zu pieces of surfaces and edges", city_name,
             (double)bench->open.job.cubes.cube_words * 32, bench->open.job.cubes.view.item_count);
    rw_bench_add_result(out, group, name, bench->lay_s, "s", NAN, NAN, note);
    snprintf(name, sizeof name, "map, 2 + 2 + 2 deflections, %s", rw_context_backend(context));
    snprintf(note, sizeof note, "cubes laid and cut before; %.1f %% of %zu receivers reached",
             100 * (double)reached / (double)bench->open.count, bench->open.count);
    rw_bench checked = rw_bench_checked(out, compared);
    rw_bench_add_result(&checked, group, name, seconds * 1e3, "ms", NAN, gpu ? 50 : 5000, note);
    snprintf(name, sizeof name, "map with laying and cutting, %s", rw_context_backend(context));
    rw_bench_add_result(&checked, group, name, (bench->lay_s + seconds) * 1e3, "ms", NAN, NAN,
                        "paper: CORLA roughly 10 s for 7 km2, CPU; nothing precomputed here");
    snprintf(name, sizeof name, "memory of the map, %s", rw_context_backend(context));
    double bytes = bench->open.job.bytes + rw_cubes_bytes(&bench->open.job.cubes.frame);
    rw_bench_add_result(out, group, name, bytes / 1e6, "MB", NAN, 1000, "labels, lists and cubes");
    return RW_OK;
}

static rw_status bench_cubes_map_on_backend(const rw_bench *out, rw_context *context)
{
    rw_scene *scene = NULL;
    const char *city_name;
    RW_TRY(rw_bench_city(out, context, &scene, &city_name));
    rw_vec3 at;
    rw_bench_locate_sources(scene, city_name, &at, 1);
    rw_transmitter transmitter;
    rw_transmitter_init(&transmitter);
    transmitter.x_m = at.x + scene->origin.x;
    transmitter.y_m = at.y + scene->origin.y;
    transmitter.height_m = at.z;
    rw_predict_options options;
    rw_predict_options_init(&options);
    options.model = "cubes";
    options.transmitters = &transmitter;
    options.transmitter_count = 1;
    map_bench bench = {0};
    rw_status status = rw_prediction_open(scene, &options, &bench.prediction);
    if (status == RW_OK) {
        double start_s = rw_seconds();
        status = rw_cubes_open(bench.prediction, 0, &bench.open);
        bench.lay_s = rw_seconds() - start_s;
        if (status == RW_OK)
            status = rw_cubes_costs_find(bench.prediction, 0, &bench.costs);
        if (status == RW_OK)
            status = report_cubes_map(out, &bench, city_name);
        rw_cubes_close(&bench.open);
        rw_prediction_destroy(bench.prediction);
    }
    rw_scene_destroy(scene);
    return status;
}

rw_status rw_bench_cubes_map(const rw_bench *bench)
{
    return rw_bench_wants(bench, group, group) ? rw_bench_each_backend(bench, bench_cubes_map_on_backend) : RW_OK;
}
