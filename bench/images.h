/* The measured office of the images group (measured_office.c). */
#ifndef RW_BENCH_IMAGES_H
#define RW_BENCH_IMAGES_H

#include "bench/bench.h"

/* Standard deviation of the error in each band, of images and of walls counted on the straight line; skips where the
 * data folder has no where1. */
rw_status rw_bench_measured_office(const rw_bench *bench);

#endif
