/* Kept beams and paths as a file (stored.h): a container (base/container.h) that says what they are of; then of each
 * transmitter its place, its beams and its paths. */
#include "models/beams/stored.h"

#include "base/container.h"
#include "base/memory.h"
#include "base/range.h"
#include "discretise/identity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const rw_container_kind stored_beams_kind = {
    .name = "kept beams",
    .model = "beams",
    .version = 3,
    .again = "delete it or name another file, which is then made",
    .other = "name a file that does not exist yet, or one that was made in this way"};

/* Numbers of one transmitter, before its arrays. */
typedef struct stored_source {
    rw_vec3 source;
    uint64_t level_firsts[RW_STORED_LEVELS];
} stored_source;

static rw_status write_stored_beams(rw_container_writer *writer, size_t i, const rw_stored_paths *paths,
                                    uint64_t outdoor_count)
{
    stored_source origin = {.source = paths->source};
    memcpy(origin.level_firsts, paths->level_firsts, sizeof origin.level_firsts);
    RW_TRY(rw_container_write(writer, "place", i, sizeof origin, 1, &origin));
    RW_TRY(rw_container_write(writer, "beams", i, sizeof *paths->beams,
                              (size_t)origin.level_firsts[RW_STORED_LEVELS - 1], paths->beams));
    RW_TRY(rw_container_write(writer, "firsts", i, sizeof *paths->firsts, (size_t)outdoor_count + 1, paths->firsts));
    return rw_container_write(writer, "lasts", i, sizeof *paths->lasts, (size_t)paths->path_count, paths->lasts);
}

rw_status rw_stored_beams_write(rw_context *context, const char *path, const rw_stored_beams *stored)
{
    rw_container_writer writer;
    RW_TRY(rw_container_begin(context, path, &stored_beams_kind, stored->scene, 0, &writer));
    rw_status status = rw_container_write(&writer, "subject", 0, sizeof stored->subject, 1, &stored->subject);
    for (size_t i = 0; i < stored->subject.transmitter_count && status == RW_OK; i++)
        status = write_stored_beams(&writer, i, &stored->transmitters[i], stored->subject.outdoor_count);
    if (status == RW_OK)
        return rw_container_commit(&writer);
    rw_container_abandon(&writer);
    return status;
}

static int wall_holds(uint32_t wall, size_t wall_count)
{
    return wall == RW_NO_WALL || wall < wall_count;
}

static int is_unit(rw_vec2 v)
{
    return fabs(rw_vec2_dot(v, v) - 1) < 1e-3;
}

/* Numbers that kernels make places in tables of: directions are of length 1, lengths and angles within bounds that no
 * scene reaches. Written so that NaN fails. */
static int numbers_hold(const rw_beam *beam)
{
    int corner_holds = beam->diffractions == 0 ||
                       (beam->exterior_rad > 1e-3f && beam->exterior_rad < 6.4f && fabsf(beam->shadow_rad) < 6.4f &&
                        is_unit(beam->face) && rw_is_within((double)beam->leg_m, 0, RW_COORDINATE_MAX_M));
    int slopes_hold = !isnan(beam->slope_low) && !isnan(beam->slope_high); /* infinite: no bound */
    int holds = is_unit(beam->right) && is_unit(beam->left) && rw_is_coordinate(beam->origin.x) &&
                rw_is_coordinate(beam->origin.y) && rw_is_within(beam->before_m, 0, RW_COORDINATE_MAX_M) &&
                fabsf(beam->rotation_rad) < 1e3f && corner_holds && slopes_hold;
    for (int i = 0; i < 3; i++)
        holds = holds && fabsf(beam->loss_db[i]) < 1e9f;
    return holds;
}

/* Whether a beam has the interactions of its parent and its own. */
static int extends_parent(const rw_beam *beam, const rw_beam *parent)
{
    return beam->reflections == parent->reflections + (beam->kind == RW_BEAM_REFLECTED) &&
           beam->transmissions == parent->transmissions + (beam->kind == RW_BEAM_TRANSMITTED) &&
           beam->diffractions == parent->diffractions + (beam->kind == RW_BEAM_DIFFRACTED);
}

/* Whether a beam of a level points to walls that there are and to a beam of the level before. */
static int beam_holds(const rw_beam *beam, const rw_stored_paths *paths, size_t level, size_t wall_count)
{
    if (beam->kind > RW_BEAM_DIFFRACTED || !numbers_hold(beam) ||
        (size_t)(beam->reflections + beam->transmissions + beam->diffractions) != level)
        return 0;
    if (level == 0)
        return beam->kind == RW_BEAM_SOURCE;
    return beam->kind != RW_BEAM_SOURCE && beam->wall < wall_count && wall_holds(beam->other_wall, wall_count) &&
           beam->parent >= paths->level_firsts[level - 1] && beam->parent < paths->level_firsts[level] &&
           extends_parent(beam, &paths->beams[beam->parent]);
}

static int paths_hold(const rw_stored_paths *paths, uint64_t outdoor_count, size_t wall_count)
{
    uint64_t beam_count = paths->level_firsts[RW_STORED_LEVELS - 1];
    int holds = paths->firsts[0] == 0 && paths->firsts[outdoor_count] == paths->path_count;
    for (size_t level = 0; level + 1 < RW_STORED_LEVELS && holds; level++)
        for (uint64_t i = paths->level_firsts[level]; i < paths->level_firsts[level + 1] && holds; i++)
            holds = beam_holds(paths->beams + i, paths, level, wall_count);
    for (uint64_t i = 0; i < outdoor_count && holds; i++)
        holds = paths->firsts[i] <= paths->firsts[i + 1];
    for (uint64_t i = 0; i < paths->path_count && holds; i++)
        holds = paths->lasts[i] < beam_count;
    return holds;
}

/* Levels rise up to the number of beams. */
static int levels_hold(const stored_source *origin, size_t beam_count)
{
    int holds = origin->level_firsts[0] == 0 && origin->level_firsts[RW_STORED_LEVELS - 1] == beam_count;
    for (size_t i = 0; i + 1 < RW_STORED_LEVELS && holds; i++)
        holds = origin->level_firsts[i] <= origin->level_firsts[i + 1];
    return holds;
}

static rw_status read_transmitter(rw_container *container, size_t i, uint64_t outdoor_count, size_t wall_count,
                                  rw_stored_paths *paths)
{
    stored_source origin;
    size_t beams, firsts, lasts;
    RW_TRY(rw_container_get_one(container, "place", i, sizeof origin, &origin));
    RW_TRY(rw_container_copy(container, "beams", i, sizeof *paths->beams, &paths->beams, &beams));
    RW_TRY(rw_container_copy(container, "firsts", i, sizeof *paths->firsts, &paths->firsts, &firsts));
    RW_TRY(rw_container_copy(container, "lasts", i, sizeof *paths->lasts, &paths->lasts, &lasts));
    paths->source = origin.source;
    paths->path_count = lasts;
    memcpy(paths->level_firsts, origin.level_firsts, sizeof paths->level_firsts);
    if (!levels_hold(&origin, beams) || !rw_is_coordinate(origin.source.x) || !rw_is_coordinate(origin.source.y) ||
        !rw_is_altitude(origin.source.z))
        return rw_container_damaged(container, "place");
    if (firsts == 0 || firsts - 1 != outdoor_count || !paths_hold(paths, outdoor_count, wall_count))
        return rw_container_damaged(container, "beams");
    return RW_OK;
}

static rw_status read_stored_beams(rw_container *container, const rw_scene *scene, size_t wall_count,
                                   rw_stored_beams *stored)
{
    stored->scene = container->header.scene;
    if (scene)
        RW_TRY(rw_container_check_scene(container, rw_scene_identity(scene)));
    RW_TRY(rw_container_get_one(container, "subject", 0, sizeof stored->subject, &stored->subject));
    size_t count = stored->subject.transmitter_count;
    stored->subject.transmitter_count = 0; /* none to be freed yet */
    if (count == 0 || count != rw_container_count(container, "place"))
        return rw_container_damaged(container, "subject");
    RW_TRY(
        rw_array_create(container->context, count, sizeof *stored->transmitters, "kept beams", &stored->transmitters));
    stored->subject.transmitter_count = (uint32_t)count;
    for (size_t i = 0; i < count; i++)
        RW_TRY(read_transmitter(container, i, stored->subject.outdoor_count, wall_count, &stored->transmitters[i]));
    return RW_OK;
}

rw_status rw_stored_beams_read(rw_context *context, const char *path, const rw_scene *scene, size_t wall_count,
                               rw_stored_beams *stored)
{
    rw_container container;
    *stored = (rw_stored_beams){0};
    RW_TRY(rw_container_open(context, path, &stored_beams_kind, &container));
    rw_status status = read_stored_beams(&container, scene, wall_count, stored);
    rw_container_close(&container);
    if (status != RW_OK)
        rw_stored_beams_destroy(stored);
    return status;
}

rw_status rw_stored_beams_check(rw_context *context, const char *path, const rw_stored_beams *stored,
                                const rw_stored_beams_subject *wanted)
{
    const rw_stored_beams_subject *is = &stored->subject;
    if (is->columns != wanted->columns || is->rows != wanted->rows || is->outdoor_count != wanted->outdoor_count ||
        is->x0_m != wanted->x0_m || is->y0_m != wanted->y0_m || is->res_m != wanted->res_m ||
        is->height_m != wanted->height_m)
        return rw_fail(context, RW_BAD_CALL,
                       "%s is of other receivers: write res %.10g, rx-height %.10g, area "
                       "%.10g,%.10g,%.10g,%.10g, or choose another file for reuse",
                       path, is->res_m, is->height_m, is->x0_m, is->y0_m, is->x0_m + (double)is->columns * is->res_m,
                       is->y0_m + (double)is->rows * is->res_m);
    if (is->reflections != wanted->reflections || is->transmissions != wanted->transmissions ||
        is->diffractions != wanted->diffractions || is->angle_min_rad != wanted->angle_min_rad)
        return rw_fail(context, RW_BAD_CALL,
                       "%s was traced with reflections %u, transmissions %u, diffractions %u: write these, or choose "
                       "another file for reuse",
                       path, is->reflections, is->transmissions, is->diffractions);
    if (is->transmitter_count != wanted->transmitter_count)
        return rw_fail(context, RW_BAD_CALL, "%s is of %u transmitters, not of %u; choose another file for reuse", path,
                       is->transmitter_count, wanted->transmitter_count);
    return RW_OK;
}

void rw_stored_beams_destroy(rw_stored_beams *stored)
{
    for (size_t i = 0; stored->transmitters && i < stored->subject.transmitter_count; i++) {
        free(stored->transmitters[i].beams);
        free(stored->transmitters[i].firsts);
        free(stored->transmitters[i].lasts);
        rw_stored_paths_release(&stored->transmitters[i]);
    }
    free(stored->transmitters);
    *stored = (rw_stored_beams){0};
}
