/* Figures 1 and 3 of Novak (2016) as pictures: the frame buffers along one sequence of the image tree, and the office
 * in space with a transparent ceiling. */
#include "bench/reproduce/reproduce.h"

#include "models/images/images.h"
#include "models/images/image_gains.k.h"

#include <string.h>

/* The sequence that is shown: of the strongest path so far. */
typedef struct chosen_views {
    rw_bench_office *at;
    rw_view_sequence sequence;
    double power;
} chosen_views;

/* The strongest path that is reflected and then goes through a wall, as in the paper. */
static rw_status choose_strongest_view(void *user, const uint32_t *steps, int level, uint32_t side, uint32_t point)
{
    chosen_views *chosen = user;
    const rw_ray_view *view = &chosen->at->rays.host;
    rw_image_path path;
    if (level != 2 || RW_STEP_THROUGH(steps[0]) || !RW_STEP_THROUGH(steps[1]) ||
        !rw_image_pair_path(view, steps, level, side, 0, chosen->at->points.positions[point], &path))
        return RW_OK;
    double power = rw_complex_abs2(rw_ray_view_arrival(view, &path).gain);
    if (power <= chosen->power)
        return RW_OK;
    chosen->power = power;
    chosen->sequence.side = side;
    chosen->sequence.count = level;
    memcpy(chosen->sequence.steps, steps, (size_t)level * sizeof *steps);
    return RW_OK;
}

static const char *surface_name(const rw_bench_office *at, uint32_t step)
{
    return at->rays.surfaces.kinds[at->rays.surfaces.surfaces[RW_STEP_SURFACE(step)].kind];
}

rw_status rw_reproduce_views(rw_page *page, rw_bench_office *at)
{
    chosen_views chosen = {.at = at};
    rw_images_options options = {.depth = 2, .pixels = RW_VIEW_PANEL_PX, .threshold = 4};
    rw_images_solver *solver;
    char path[4096];
    RW_TRY(rw_images_open(&at->rays, &at->points, &options, 0, &solver));
    rw_status status = rw_images_list(solver, choose_strongest_view, &chosen);
    rw_images_close(solver);
    RW_TRY(status);
    rw_page_picture_path(page, "figure_1", path, sizeof path);
    RW_TRY(rw_view_sequence_draw(&at->rays, &chosen.sequence, RW_VIEW_PANEL_PX, path));
    uint32_t *steps = chosen.sequence.steps;
    rw_page_heading(page, "Figure 1: frame buffers along a sequence");
    rw_page_picture(
        page, "figure_1",
        "Figure 1: surfaces by colour in a view from the transmitter (b), behind a reflection (d) and behind a "
        "wall beyond it (f); the stencil is rimmed in red, what lies outside of it is faded");
    rw_page_text(page,
                 "The sequence is that of the strongest path with a reflection and a transmission: reflected at %s %u, "
                 "then through %s %u.",
                 surface_name(at, steps[0]), RW_STEP_SURFACE(steps[0]), surface_name(at, steps[1]),
                 RW_STEP_SURFACE(steps[1]));
    return RW_OK;
}

rw_status rw_reproduce_office(rw_page *page, const rw_bench_office *at)
{
    char path[4096];
    rw_scene_draw_options options;
    rw_transmitter transmitter;
    rw_scene_draw_options_init(&options);
    rw_transmitter_init(&transmitter);
    rw_bench_office_source(at, &transmitter.x_m, &transmitter.y_m);
    transmitter.height_m = at->rays.view.source.z;
    options.transmitters = &transmitter;
    options.transmitter_count = 1;
    rw_page_picture_path(page, "figure_3", path, sizeof path);
    RW_TRY(rw_scene_draw(at->scene, &options, path));
    rw_page_picture(page, "figure_3",
                    "Figure 3: the office with a transparent ceiling; the transmitter is the red dot");
    return RW_OK;
}
