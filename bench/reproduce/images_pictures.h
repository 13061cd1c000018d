/* Figures 1 and 3 of Novak (2016) as pictures on a page. */
#ifndef RW_BENCH_REPRODUCE_IMAGES_PICTURES_H
#define RW_BENCH_REPRODUCE_IMAGES_PICTURES_H

#include "bench/groups.h"
#include "bench/reproduce/page.h"

/* Figure 1: frame buffers along the sequence of one path. */
rw_status rw_reproduce_views(rw_page *page, rw_bench_office *at);

/* Figure 3: the office in space. */
rw_status rw_reproduce_office(rw_page *page, const rw_bench_office *at);

#endif
