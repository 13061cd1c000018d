/* Line of sight of one source in one of its forms, as arrays to compare. */
#ifndef RW_TESTS_SIGHT_ANSWERS_H
#define RW_TESTS_SIGHT_ANSWERS_H

#include "visibility/los/los.h"

#include "unit.h"

/* One value a cell; walls are all 0 where they were not counted. */
typedef struct answers {
    uint8_t *los;
    uint32_t *walls;
} answers;

static inline answers solve_as(const rw_scene *scene, const rw_receivers *receivers, rw_vec3 source,
                               rw_los_method method, int count, int roofs)
{
    size_t cells = receivers->view.columns * receivers->view.rows;
    answers made = {calloc(cells, 1), calloc(cells, sizeof(uint32_t))};
    rw_los_job job;
    assert_ok(scene->context, rw_los_job_create(scene, receivers, &source, 1, method, count, &job));
    job.roofs = roofs;
    assert_ok(scene->context, rw_los_job_run(&job));
    assert_ok(scene->context, rw_los_job_read(&job, 0, made.los, count ? made.walls : NULL));
    rw_los_job_destroy(&job);
    return made;
}

static inline answers solve(const rw_scene *scene, const rw_receivers *receivers, rw_vec3 source, rw_los_method method,
                            int count)
{
    return solve_as(scene, receivers, source, method, count, 0);
}

static inline void release(answers *made)
{
    free(made->los);
    free(made->walls);
}

#endif
