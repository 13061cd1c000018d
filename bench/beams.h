/* Parts of the beams model's benchmark. */
#ifndef RW_BENCH_BEAMS_H
#define RW_BENCH_BEAMS_H

#include "bench/bench.h"

/* Tells the time of each stage of one prediction (beam_stages.c). */
rw_status rw_bench_beam_stages(const rw_bench *bench, const rw_scene *scene, const rw_predict_options *options);

/* Tells how much faster kept paths are evaluated than traced (beam_reuse.c). */
rw_status rw_bench_beam_reuse(const rw_bench *bench, const rw_scene *scene, const rw_predict_options *options);

#endif
