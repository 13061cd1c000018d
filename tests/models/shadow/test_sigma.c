/* How sure a prediction is: an ensemble against scenes that are made anew for each member, parameters against closed
 * forms, draws by their statistics, coverage by the normal distribution, and errors of measurements. */
#include "models/shadow/shadow.h"
#include "prediction.h"

#define SIDE 4
#define MEMBERS 6

/* Boxes of 30 m between streets of 20 m, 10 to 22 m high. */
static double box_height_m(int number)
{
    return 10 + (number * 7) % 13;
}

static rw_scene *make_town(rw_context *context, const float *raised_m)
{
    rw_scene *scene = make_scene(context);
    for (int i = 0; i < SIDE * SIDE; i++) {
        double x = 50.0 * (i % SIDE), y = 50.0 * (double)(i / SIDE);
        const double box[4] = {x, y, x + 30, y + 30};
        add_box(context, scene, box, box_height_m(i) + (raised_m ? (double)raised_m[i] : 0), "house");
    }
    assert_ok(context, rw_scene_commit(scene));
    return scene;
}

static prediction begin_town(rw_backend backend, int threads)
{
    rw_context *context = make_context_of(backend, threads);
    prediction now = {0};
    if (!context)
        return now;
    now = begin_with(context, make_town(context, NULL));
    now.tx[0].x_m = 91;
    now.tx[0].y_m = 88;
    now.tx[0].height_m = 12;
    now.tx[1].x_m = 65; /* on a roof */
    now.tx[1].y_m = 115;
    now.tx[1].height_m = box_height_m(2 * SIDE + 1) + 3;
    now.options.layers = "path_loss";
    return now;
}

/* The terms for what model and map lack, as docs/explanation/uncertainty.md has them. */
static double lack_db(double excess_db, double low_m, double open_fraction)
{
    double a = fmax(excess_db, 0), model = 7 + 2 * (1 - exp(-a / 20));
    double map = open_fraction * 50 * (1 - exp(-low_m / 200)) * exp(-a / 8);
    return sqrt(model * model + map * map);
}

static double free_space_db(const rw_transmitter *from, double x, double y, double z, double freq_hz)
{
    double m = sqrt(pow(x - from->x_m, 2) + pow(y - from->y_m, 2) + pow(z - from->height_m, 2));
    return 20 * log10(4 * M_PI * m * freq_hz / 299792458.0);
}

/* A job of the model with an ensemble of these spreads, solved; none: without. */
typedef struct solved {
    rw_prediction *prediction;
    rw_map_info cells;
    rw_shadow_job job;
    size_t count;
} solved;

static solved *open_job(prediction *now, const rw_spreads *spreads)
{
    solved *made = calloc(1, sizeof *made);
    rw_shadow_effects effects;
    now->options.transmitters = now->tx;
    assert_ok(now->context, rw_prediction_open(now->scene, &now->options, &made->prediction));
    assert_ok(now->context, rw_shadow_effects_resolve(made->prediction, &effects));
    rw_shadow_needs needs = {.members = spreads ? MEMBERS : 0};
    assert_ok(now->context, rw_shadow_job_create(made->prediction, effects, needs, &made->job));
    made->cells = made->prediction->grid.cells;
    made->count = made->cells.columns * made->cells.rows;
    if (spreads) {
        rw_ensemble_destroy(&made->job.ensemble, made->job.backend);
        assert_ok(now->context, rw_ensemble_create(&made->job, MEMBERS, spreads, &made->job.ensemble));
        made->job.args.street_db = made->job.ensemble.street_db;
    }
    return made;
}

static void close_job(solved *made)
{
    rw_shadow_job_destroy(&made->job);
    rw_prediction_destroy(made->prediction);
    free(made);
}

static solved *solve(prediction *now, const rw_spreads *spreads)
{
    solved *made = open_job(now, spreads);
    assert_ok(now->context, rw_shadow_job_run(&made->job, 0, 1));
    return made;
}

static void place_of(const solved *made, size_t cell, double *x, double *y)
{
    *x = made->cells.x0_m + ((double)(cell % made->cells.columns) + 0.5) * made->cells.res_m;
    *y = made->cells.y0_m + ((double)(cell / made->cells.columns) + 0.5) * made->cells.res_m;
}

static double deviation(const double *values, size_t count)
{
    double mean = 0, square = 0;
    for (size_t i = 0; i < count; i++)
        mean += values[i] / (double)count;
    for (size_t i = 0; i < count; i++)
        square += pow(values[i] - mean, 2);
    return sqrt(square / (double)(count - 1));
}

/* What is expected of a cell: the deviation of its members, and the lack at its loss. The town is dense, so that no
 * trees stand there. */
static double expected_db(const prediction *now, const solved *made, size_t cell, double members_db)
{
    double x, y;
    place_of(made, cell, &x, &y);
    double loss_db = (double)made->job.args.path_loss_db[cell];
    return hypot(members_db, lack_db(loss_db - free_space_db(&now->tx[0], x, y, 1.5, now->options.freq_hz), 0, 0));
}

/* Each member as a scene and a transmitter of its own, through public calls. */
static rw_map *predict_member(const prediction *now, const rw_spreads *spreads, size_t member)
{
    float raised_m[SIDE * SIDE];
    rw_member_heights(spreads, now->scene, member, raised_m);
    const rw_vec3 said =
        rw_vec3_of(now->tx[0].x_m - now->scene->origin.x, now->tx[0].y_m - now->scene->origin.y, now->tx[0].height_m);
    rw_vec3 at = rw_member_mast(spreads, now->scene, member, raised_m, said);
    prediction other = *now;
    other.scene = make_town(now->context, raised_m);
    other.tx[0].x_m = at.x + now->scene->origin.x;
    other.tx[0].y_m = at.y + now->scene->origin.y;
    other.tx[0].height_m = at.z;
    rw_map *map = predict(&other);
    rw_scene_destroy(other.scene);
    return map;
}

/* How many cells are further than so many decibels from the scenes made anew, as a share. */
typedef struct agreement {
    double beyond_half_db, beyond_3_db, rms_db, mean_db;
} agreement;

static agreement compare_with_scenes(prediction *now, const rw_spreads *spreads)
{
    solved *made = solve(now, spreads);
    rw_map *maps[MEMBERS];
    agreement found = {0};
    size_t count = 0;
    for (size_t i = 0; i < MEMBERS; i++)
        maps[i] = predict_member(now, spreads, i);
    for (size_t i = 0; i < made->prediction->receivers.view.outdoor_count; i++, count++) {
        size_t cell = made->prediction->receivers.view.outdoor[i];
        double losses[MEMBERS];
        for (size_t k = 0; k < MEMBERS; k++)
            losses[k] = (double)layer_of(maps[k], "path_loss").values[cell];
        double expected = expected_db(now, made, cell, deviation(losses, MEMBERS));
        double off = (double)made->job.ensemble.sum_db[cell] - expected;
        found.beyond_half_db += !(fabs(off) <= 0.5);
        found.beyond_3_db += !(fabs(off) <= 3);
        found.rms_db += off * off;
        found.mean_db += off;
    }
    assert_true(count > 500);
    found.beyond_half_db /= (double)count;
    found.beyond_3_db /= (double)count;
    found.mean_db /= (double)count;
    found.rms_db = sqrt(found.rms_db / (double)count);
    for (size_t i = 0; i < MEMBERS; i++)
        rw_map_destroy(maps[i]);
    close_job(made);
    printf("off by more than 0.5 dB in %.1f %%, 3 dB in %.2f %%; rms %.2f dB, mean %.2f dB\n",
           100 * found.beyond_half_db, 100 * found.beyond_3_db, found.rms_db, found.mean_db);
    return found;
}

/* Over the roofs every member is solved: what differs is which receivers count as in sight. With streets and walls,
 * which keep their geometry, the bound is wider. */
static void members_are_scenes(void **state)
{
    (void)state;
    const rw_spreads spreads = {.height_m = 2, .mast_xy_m = 1, .mast_z_m = 0.5};
    prediction now = begin_town(RW_BACKEND_CPU, 2);
    now.options.effects = "roofs";
    now.options.prior = "none";
    agreement over = compare_with_scenes(&now, &spreads);
    assert_true(over.beyond_half_db <= 0.02 && over.beyond_3_db <= 0.005 && fabs(over.mean_db) <= 0.05);
    now.options.effects = "streets,roofs,walls";
    now.options.prior = NULL;
    agreement all = compare_with_scenes(&now, &spreads);
    assert_true(all.beyond_half_db <= 0.05 && all.beyond_3_db <= 0.01 && fabs(all.mean_db) <= 0.1);
    now.tx[0] = now.tx[1]; /* on a roof that moves */
    agreement roof = compare_with_scenes(&now, &spreads);
    assert_true(roof.beyond_half_db <= 0.25 && roof.beyond_3_db <= 0.02 && fabs(roof.mean_db) <= 0.4);
    end(&now);
}

/* One way alone: its loss beyond free space times the deviation of its factor. */
static void check_factor(const char *effects, const rw_spreads *spreads, int of_walls)
{
    prediction now = begin_town(RW_BACKEND_CPU, 2);
    now.options.effects = effects;
    now.options.prior = "none";
    solved *made = solve(&now, spreads);
    double factors[MEMBERS];
    size_t weak = 0;
    for (size_t i = 0; i < MEMBERS; i++) {
        rw_member member = rw_member_draw(spreads, i);
        factors[i] = of_walls ? member.wall_factor : member.street_factor;
    }
    double share = deviation(factors, MEMBERS);
    for (size_t i = 0; i < made->prediction->receivers.view.outdoor_count; i++) {
        size_t cell = made->prediction->receivers.view.outdoor[i];
        double x, y, sigma_db = (double)made->job.ensemble.sum_db[cell];
        place_of(made, cell, &x, &y);
        double loss_db = (double)made->job.args.path_loss_db[cell];
        double excess_db = loss_db - free_space_db(&now.tx[0], x, y, 1.5, now.options.freq_hz);
        weak += excess_db > 10 && isfinite(excess_db);
        if (isinf(loss_db))
            assert_true(isnan(sigma_db));
        else
            assert_near(sigma_db, expected_db(&now, made, cell, share * excess_db), 2e-3);
    }
    assert_true(weak > 300);
    close_job(made);
    end(&now);
}

static void factors_scale_ways(void **state)
{
    (void)state;
    check_factor("walls", &(rw_spreads){.wall_fraction = 0.2}, 1);
    check_factor("streets", &(rw_spreads){.street_fraction = 0.15}, 0);
}

/* The loss is linear in the factor of the median's weight: between A' alone, from a prediction without the prior, and
 * the prediction. */
static void weight_of_the_prior(void **state)
{
    (void)state;
    const rw_spreads spreads = {.prior_weight = 0.1};
    prediction now = begin_town(RW_BACKEND_CPU, 2);
    now.options.prior = "none";
    solved *ways = solve(&now, NULL);
    now.options.prior = "3gpp";
    solved *made = solve(&now, &spreads);
    size_t far = 0;
    for (size_t i = 0; i < made->prediction->receivers.view.outdoor_count; i++) {
        size_t cell = made->prediction->receivers.view.outdoor[i];
        double x, y, losses[MEMBERS];
        place_of(made, cell, &x, &y);
        double ways_db = (double)ways->job.args.path_loss_db[cell], loss_db = (double)made->job.args.path_loss_db[cell];
        double excess_db = ways_db - free_space_db(&now.tx[0], x, y, 1.5, now.options.freq_hz);
        double slope = 0.8 * pow(now.options.freq_hz * 1e-9, -0.1), shadow_db = fmax(excess_db, 0);
        double alone_db = ways_db - (1 - slope) * (shadow_db - 6 * (1 - exp(-shadow_db / 6)));
        for (size_t k = 0; k < MEMBERS; k++)
            losses[k] = alone_db + (1 + rw_member_draw(&spreads, k).prior_weight) * (loss_db - alone_db);
        far += excess_db > 10;
        assert_near(made->job.ensemble.sum_db[cell], expected_db(&now, made, cell, deviation(losses, MEMBERS)), 5e-3);
    }
    assert_true(far > 100);
    close_job(ways);
    close_job(made);
    end(&now);
}

/* Members without a spread are the prediction itself, with the prior and without. */
static void unperturbed_members_are_the_map(void **state)
{
    (void)state;
    const rw_spreads none = {0};
    for (int prior = 0; prior < 2; prior++) {
        prediction now = begin_town(RW_BACKEND_CPU, 2);
        now.options.prior = prior ? "3gpp" : "none";
        solved *made = solve(&now, &none);
        double worst = 0;
        for (size_t i = 0; i < made->prediction->receivers.view.outdoor_count; i++) {
            size_t cell = made->prediction->receivers.view.outdoor[i];
            worst = worse_of(worst, sqrt((double)made->job.ensemble.square_db[cell] / MEMBERS));
        }
        assert_near(worst, 0, 1e-3);
        close_job(made);
        end(&now);
    }
}

/* Predictions with other facades instead of an ensemble. */
static void facades(void **state)
{
    (void)state;
    const rw_spreads spreads = {.facade_db = 2};
    prediction now = begin_town(RW_BACKEND_CPU, 2);
    now.options.effects = "roofs";
    solved *made = solve(&now, &spreads), *others[MEMBERS];
    for (size_t k = 0; k < MEMBERS; k++) {
        others[k] = open_job(&now, NULL);
        others[k]->job.over_roofs.facade_db = 5 + (float)rw_member_draw(&spreads, k).facade_db;
        assert_ok(now.context, rw_shadow_job_run(&others[k]->job, 0, 1));
    }
    size_t moved = 0;
    for (size_t i = 0; i < made->prediction->receivers.view.outdoor_count; i++) {
        size_t cell = made->prediction->receivers.view.outdoor[i];
        double losses[MEMBERS];
        for (size_t k = 0; k < MEMBERS; k++)
            losses[k] = (double)others[k]->job.args.path_loss_db[cell];
        double members_db = deviation(losses, MEMBERS);
        moved += members_db > 0.05;
        assert_near(made->job.ensemble.sum_db[cell], expected_db(&now, made, cell, members_db), 2e-3);
    }
    assert_true(moved > 100);
    for (size_t k = 0; k < MEMBERS; k++)
        close_job(others[k]);
    close_job(made);
    end(&now);
}

/* Heights of 16 houses in many members: mean, deviation, bounds, and no relation between members or houses. */
static void draws(void **state)
{
    (void)state;
    const rw_spreads spreads = rw_spreads_default();
    prediction now = begin_town(RW_BACKEND_CPU, 1);
    const int members = 2000, houses = SIDE * SIDE;
    double sum = 0, square = 0, next_house = 0, next_member = 0, n = (double)members * houses;
    float before[SIDE * SIDE] = {0}, raised_m[SIDE * SIDE];
    for (int i = 0; i < members; i++) {
        double max_m = rw_member_heights(&spreads, now.scene, (size_t)i, raised_m);
        for (int k = 0; k < houses; k++) {
            double value = (double)raised_m[k];
            assert_true(fabs(value) <= 6 && value <= max_m);
            sum += value;
            square += value * value;
            next_house += value * (double)raised_m[(k + 1) % houses];
            next_member += value * (double)before[k];
            before[k] = raised_m[k];
        }
    }
    assert_near(sum / n, 0, 0.05);
    assert_near(sqrt(square / n), 2, 0.03);
    assert_near(next_house / n, 0, 0.1);
    assert_near(next_member / n, 0, 0.1);
    const rw_spreads wild = {.height_m = 100};
    rw_member_heights(&wild, now.scene, 3, raised_m);
    for (int k = 0; k < houses; k++)
        assert_true(fabs((double)raised_m[k]) <= 0.6 * box_height_m(k) + 1e-6 && raised_m[k] != 0);
    end(&now);
}

/* Where a transmitter may be: near where it is said to be, in no house, and above a roof as high as it is said to be.
 */
static void masts(void **state)
{
    (void)state;
    const rw_spreads spreads = rw_spreads_default();
    prediction now = begin_town(RW_BACKEND_CPU, 1);
    float raised_m[SIDE * SIDE];
    double sum = 0, square = 0;
    const int members = 1000, house = 2 * SIDE + 1;
    rw_vec2 origin = {now.scene->origin.x, now.scene->origin.y};
    rw_vec3 street = rw_vec3_of(80.2 - origin.x, 65 - origin.y, 5); /* 20 cm before a wall */
    rw_vec3 roof = rw_vec3_of(65 - origin.x, 115 - origin.y, box_height_m(house) + 3);
    for (int i = 0; i < members; i++) {
        rw_member_heights(&spreads, now.scene, (size_t)i, raised_m);
        rw_vec3 at = rw_member_mast(&spreads, now.scene, (size_t)i, raised_m, street);
        assert_true(at.x + origin.x >= 80 && fabs(at.x - street.x) <= 3 && fabs(at.z - 5) <= 1.5);
        at = rw_member_mast(&spreads, now.scene, (size_t)i, raised_m, roof);
        assert_true(fabs(at.z - roof.z - (double)raised_m[house]) <= 1.5);
        sum += at.x - roof.x;
        square += pow(at.x - roof.x, 2);
    }
    assert_near(sum / members, 0, 0.15);
    assert_near(sqrt(square / members), 1, 0.1);
    end(&now);
}

/* Free space from where the members have the transmitter. */
static void moved_transmitters(void **state)
{
    (void)state;
    const rw_spreads spreads = {.mast_xy_m = 1, .mast_z_m = 0.5};
    prediction now = begin_town(RW_BACKEND_CPU, 2);
    now.options.effects = "none";
    solved *made = solve(&now, &spreads);
    const float as_they_are[SIDE * SIDE] = {0};
    rw_transmitter moved[MEMBERS];
    size_t near = 0;
    for (size_t k = 0; k < MEMBERS; k++) {
        rw_vec3 at = rw_member_mast(&spreads, now.scene, k, as_they_are, made->prediction->sources[0]);
        moved[k] = now.tx[0];
        moved[k].x_m = at.x + now.scene->origin.x;
        moved[k].y_m = at.y + now.scene->origin.y;
        moved[k].height_m = at.z;
    }
    for (size_t i = 0; i < made->prediction->receivers.view.outdoor_count; i++) {
        size_t cell = made->prediction->receivers.view.outdoor[i];
        double x, y, losses[MEMBERS];
        place_of(made, cell, &x, &y);
        for (size_t k = 0; k < MEMBERS; k++)
            losses[k] = free_space_db(&moved[k], x, y, 1.5, now.options.freq_hz);
        double members_db = deviation(losses, MEMBERS);
        near += members_db > 0.3;
        assert_near(made->job.ensemble.sum_db[cell], hypot(7, members_db), 2e-4);
    }
    assert_true(near > 10);
    close_job(made);
    end(&now);
}

/* The same bytes from every run and number of threads, alone or with another transmitter; the loss is as without. */
static void same_on_every_run(void **state)
{
    (void)state;
    rw_map *maps[5];
    rw_context *contexts[5];
    for (int i = 0; i < 5; i++) {
        prediction now = begin_town(RW_BACKEND_CPU, i == 1 ? 1 : 2);
        now.options.sigma = i == 3 ? NULL : "ensemble";
        now.options.members = i == 3 ? RW_UNSET : 5;
        now.options.layers = i == 3 ? "path_loss" : "path_loss,sigma";
        now.options.transmitter_count = i == 2 ? 2 : 1;
        if (i == 4)
            now.tx[0] = now.tx[1];
        maps[i] = predict(&now);
        contexts[i] = now.context;
        rw_scene_destroy(now.scene);
    }
    size_t count = info_of(maps[0]).columns * info_of(maps[0]).rows;
    for (int i = 1; i < 4; i++)
        assert_memory_equal(layer_of(maps[0], "path_loss").values, layer_of(maps[i], "path_loss").values,
                            count * sizeof(float));
    for (int i = 1; i < 3; i++)
        assert_memory_equal(layer_of(maps[0], "sigma").values, layer_of(maps[i], "sigma").values,
                            count * sizeof(float));
    assert_memory_equal(layer_of(maps[4], "sigma").values, layer_of(maps[2], "sigma").values + count,
                        count * sizeof(float));
    for (int i = 0; i < 5; i++) {
        rw_map_destroy(maps[i]);
        rw_context_destroy(contexts[i]);
    }
}

/* From sight to deep shadow. */
static void grows_into_the_shadow(void **state)
{
    (void)state;
    rw_context *context = make_context_of(RW_BACKEND_CPU, 2);
    prediction now = begin_with(context, make_generated_city(context, "european", 400, 3, 0));
    now.tx[0].x_m = 200;
    now.tx[0].y_m = 200;
    now.tx[0].height_m = 45;
    now.options.layers = "path_loss,los,sigma";
    now.options.sigma = "ensemble";
    now.options.members = 24;
    rw_map *map = predict(&now);
    const float *loss = layer_of(map, "path_loss").values, *los = layer_of(map, "los").values;
    const float *sigma = layer_of(map, "sigma").values;
    rw_map_info info = info_of(map);
    double sum[3] = {0}, count[3] = {0};
    for (size_t i = 0; i < info.columns * info.rows; i++) {
        if (isnan(loss[i]))
            continue;
        double x = info.x0_m + ((double)(i % info.columns) + 0.5) * info.res_m;
        double y = info.y0_m + ((double)(i / info.columns) + 0.5) * info.res_m;
        double excess_db = (double)loss[i] - free_space_db(&now.tx[0], x, y, 1.5, 947e6);
        int at = los[i] > 0 ? 0 : excess_db < 8 ? 1 : 2;
        sum[at] += (double)sigma[i];
        count[at]++;
        assert_true(sigma[i] >= 7 && sigma[i] < 40);
    }
    printf("sigma %.2f dB in sight, %.2f dB near its boundary, %.2f dB in the shadow\n", sum[0] / count[0],
           sum[1] / count[1], sum[2] / count[2]);
    printf("%g, %g and %g cells\n", count[0], count[1], count[2]);
    assert_true(count[0] > 100 && count[1] > 100 && count[2] > 100);
    assert_true(sum[2] / count[2] > sum[0] / count[0] + 0.4);
    rw_map_destroy(map);
    end(&now);
}

/* A lone house in the country: what no map has, by hand. */
static void open_ground(void **state)
{
    (void)state;
    rw_context *context = make_context_of(RW_BACKEND_CPU, 2);
    rw_scene *scene = make_scene(context);
    const double box[4] = {0, 0, 20, 20}, far_box[4] = {480, 480, 500, 500};
    add_box(context, scene, box, 8, "house");
    add_box(context, scene, far_box, 8, "house");
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    now.tx[0].x_m = 30;
    now.tx[0].y_m = 240;
    now.tx[0].height_m = 35;
    now.options.layers = "path_loss,sigma";
    now.options.sigma = "ensemble";
    now.options.members = 2;
    now.options.effects = "walls";
    rw_map *map = predict(&now);
    double low = 8.5 / 33.5;
    for (double x = 52.5; x < 480; x += 25)
        assert_near(value_at(map, "sigma", x, 242.5), lack_db(0, low * hypot(x - 30, 2.5), 1), 0.05);
    rw_map_destroy(map);
    end(&now);
}

/* Trees that the scene has: their own loss is spread, and no others are added. */
static void trees_of_the_scene(void **state)
{
    (void)state;
    rw_context *context = make_context_of(RW_BACKEND_CPU, 2);
    rw_scene *scene = make_scene(context);
    const double box[4] = {0, 0, 20, 20}, far_box[4] = {380, 140, 400, 160};
    float heights_m[100 * 40];
    for (int i = 0; i < 100 * 40; i++)
        heights_m[i] = i % 100 >= 25 && i % 100 < 35 ? 12 : 0;
    rw_raster trees = {sizeof(rw_raster), 100, 40, 2, 2, 4, 4, heights_m};
    add_box(context, scene, box, 8, "house");
    add_box(context, scene, far_box, 8, "house");
    assert_ok(context, rw_scene_set_foliage(scene, &trees));
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    now.tx[0].x_m = 30;
    now.tx[0].y_m = 82.5;
    now.tx[0].height_m = 8;
    now.options.effects = "walls";
    const rw_spreads spreads = {.foliage_fraction = 0.3};
    solved *made = solve(&now, &spreads);
    double factors[MEMBERS];
    size_t behind = 0;
    for (size_t i = 0; i < MEMBERS; i++)
        factors[i] = rw_member_draw(&spreads, i).foliage_factor;
    for (size_t i = 0; i < made->prediction->receivers.view.outdoor_count; i++) {
        size_t cell = made->prediction->receivers.view.outdoor[i];
        double x, y;
        place_of(made, cell, &x, &y);
        if (fabs(y - 82.5) > 0.1 || fabs(x - 30) < 3)
            continue;
        double excess_db =
            (double)made->job.args.path_loss_db[cell] - free_space_db(&now.tx[0], x, y, 1.5, now.options.freq_hz);
        behind += excess_db > 3;
        assert_near(made->job.ensemble.sum_db[cell],
                    expected_db(&now, made, cell, excess_db * deviation(factors, MEMBERS)), 5e-3);
    }
    assert_true(behind > 30);
    close_job(made);
    end(&now);
}

/* By the normal distribution, from the layers themselves. */
static void probability_of_coverage(void **state)
{
    (void)state;
    prediction now = begin_town(RW_BACKEND_CPU, 2);
    now.options.transmitter_count = 2;
    now.options.layers = "power,sigma,coverage_probability";
    now.options.level_dbm = -55;
    rw_map *map = predict(&now);
    const float *power = layer_of(map, "power").values, *sigma = layer_of(map, "sigma").values;
    const float *probability = layer_of(map, "coverage_probability").values;
    size_t cells = 2 * info_of(map).columns * info_of(map).rows, middle = 0;
    for (size_t i = 0; i < cells; i++) {
        if (isnan(power[i])) {
            assert_true(isnan(probability[i]));
            continue;
        }
        double expected = 0.5 + 0.5 * erf(((double)power[i] + 55) / (double)sigma[i] / sqrt(2.0));
        assert_near(probability[i], expected, 1e-6);
        middle += expected > 0.1 && expected < 0.9;
    }
    assert_true(middle > 200);
    rw_map_destroy(map);
    end(&now);
}

/* Without an ensemble the layer is 8 dB wherever there is a loss. */
static void constant_without_ensemble(void **state)
{
    (void)state;
    prediction now = begin_town(RW_BACKEND_CPU, 2);
    now.options.layers = "path_loss,sigma";
    for (int i = 0; i < 2; i++) {
        now.options.sigma = i ? "constant" : NULL;
        rw_map *map = predict(&now);
        const float *loss = layer_of(map, "path_loss").values, *sigma = layer_of(map, "sigma").values;
        size_t cells = info_of(map).columns * info_of(map).rows, found = 0;
        for (size_t k = 0; k < cells; k++) {
            assert_true(isfinite(loss[k]) ? sigma[k] == 8.0f : isnan(sigma[k]));
            found += isfinite(loss[k]);
        }
        assert_true(found > 100);
        rw_map_destroy(map);
    }
    end(&now);
}

static void refusals(void **state)
{
    (void)state;
    prediction now = begin_town(RW_BACKEND_CPU, 1);
    rw_map *map;
    now.options.transmitters = now.tx;
    now.options.sigma = "ensemble";
    now.options.members = 1;
    check_sentence(now.context, rw_predict(now.scene, &now.options, &map), RW_BAD_CALL, "2 to 1000");
    now.options.sigma = "ensemble";
    now.options.members = 8;
    now.options.effects = "streets_polynomial,walls";
    check_sentence(now.context, rw_predict(now.scene, &now.options, &map), RW_BAD_CALL, "streets_polynomial");
    now.options.effects = NULL;
    now.options.best = 2;
    check_sentence(now.context, rw_predict(now.scene, &now.options, &map), RW_BAD_CALL, "leave out best");
    now.options.best = RW_UNSET;
    now.options.layers = "coverage_probability";
    check_sentence(now.context, rw_predict(now.scene, &now.options, &map), RW_BAD_CALL, "needs a level");
    rw_predict_options beams = asked_of(&now.options, "beams");
    beams.sigma = "ensemble";
    beams.members = 8;
    check_sentence(now.context, rw_predict(now.scene, &beams, &map), RW_BAD_CALL, "sigma is of shadow");
    end(&now);
}

static void backends_agree(void **state)
{
    (void)state;
    prediction on[2] = {begin_town(RW_BACKEND_CPU, 2), begin_town(RW_BACKEND_CUDA, 2)};
    if (!on[1].context) {
        end(&on[0]);
        skip_test("no GPU");
    }
    rw_map *maps[2];
    for (int i = 0; i < 2; i++) {
        on[i].options.layers = "path_loss,sigma";
        on[i].options.sigma = "ensemble";
        on[i].options.members = 16;
        maps[i] = predict(&on[i]);
    }
    size_t cells = info_of(maps[0]).columns * info_of(maps[0]).rows, far = 0, count = 0;
    const float *a = layer_of(maps[0], "sigma").values, *b = layer_of(maps[1], "sigma").values;
    for (size_t i = 0; i < cells; i++) {
        assert_int_equal(isnan(a[i]) != 0, isnan(b[i]) != 0);
        count += !isnan(a[i]);
        far += !isnan(a[i]) && !(fabsf(a[i] - b[i]) <= 0.02f);
    }
    assert_true(far <= count / 200);
    for (int i = 0; i < 2; i++) {
        rw_map_destroy(maps[i]);
        end(&on[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(members_are_scenes),
                                       cmocka_unit_test(factors_scale_ways),
                                       cmocka_unit_test(weight_of_the_prior),
                                       cmocka_unit_test(constant_without_ensemble),
                                       cmocka_unit_test(unperturbed_members_are_the_map),
                                       cmocka_unit_test(facades),
                                       cmocka_unit_test(draws),
                                       cmocka_unit_test(masts),
                                       cmocka_unit_test(moved_transmitters),
                                       cmocka_unit_test(same_on_every_run),
                                       cmocka_unit_test(grows_into_the_shadow),
                                       cmocka_unit_test(open_ground),
                                       cmocka_unit_test(trees_of_the_scene),
                                       cmocka_unit_test(probability_of_coverage),
                                       cmocka_unit_test(refusals),
                                       cmocka_unit_test(backends_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
