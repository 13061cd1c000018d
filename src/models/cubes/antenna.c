/* The transmitter's antenna in the search: every path has the gain of the direction in which it departs. */
#include "base/memory.h"
#include "field/paths/pattern.h"
#include "models/cubes/cubes.h"

static const size_t table_size = (size_t)RW_PATTERN_ROWS * RW_PATTERN_COLUMNS;

rw_status rw_cubes_job_upload_antenna(rw_cubes_job *job, const rw_antenna *antenna, const rw_transmitter *about)
{
    int needs_table = antenna->kind != RW_ANTENNA_ISOTROPIC && antenna->kind != RW_ANTENNA_DIPOLE;
    void *device_table;
    if (needs_table && !job->amplitudes)
        RW_TRY(rw_array_create(job->context, table_size, sizeof *job->amplitudes, "an antenna", &job->amplitudes));
    rw_pattern_init(antenna, about, job->amplitudes, &job->pattern);
    job->peak_gain_db = (float)antenna->peak_gain_dbi;
    job->search.pattern = job->pattern;
    if (!needs_table)
        return RW_OK;
    if (!job->owned[RW_CUBES_PATTERN])
        RW_TRY(rw_cubes_allocate(job, RW_CUBES_PATTERN, table_size * sizeof(float), "an antenna", &device_table));
    job->search.pattern.amplitudes = job->owned[RW_CUBES_PATTERN];
    return rw_device_upload(job->context, job->backend, job->owned[RW_CUBES_PATTERN], job->amplitudes,
                            table_size * sizeof(float));
}

double rw_cubes_departure_db(const rw_cubes_job *job, const float to[3])
{
    rw_cube_search search = {.pattern = job->pattern};
    for (int axis = 0; axis < 3; axis++)
        search.source[axis] = job->search.source[axis];
    return (double)rw_search_departure_db(&search, to) - (double)job->peak_gain_db;
}
