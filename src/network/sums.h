/* The sums of a network over a block of cells, in the memory of a backend (sums.k.h). */
#ifndef RW_NETWORK_SUMS_H
#define RW_NETWORK_SUMS_H

#include "device/device.h"
#include "models/engine/model.h"
#include "network/sums.k.h"

/* Layers that are made of the sums, X(name, unit). */
#define RW_SUM_LAYERS(X)                                                                                               \
    X(best, "transmitter")                                                                                             \
    X(strongest, "dBm")                                                                                                \
    X(second, "transmitter")                                                                                           \
    X(second_strongest, "dBm")                                                                                         \
    X(servers, "")                                                                                                     \
    X(total, "dBm")                                                                                                    \
    X(ci, "dB")                                                                                                        \
    X(rsrp, "dBm")                                                                                                     \
    X(interference, "dBm")                                                                                             \
    X(noise, "dBm")                                                                                                    \
    X(sinr, "dB")                                                                                                      \
    X(throughput, "Mbit/s")

typedef struct rw_sums {
    rw_context *context;
    rw_backend backend;
    size_t channel_count;
    rw_sums_view view; /* its arrays belong to this struct */
    /* of a window */
    float *values, *z_m, *power;
    size_t window_capacity;
    rw_antenna_cut cuts[2]; /* of the antenna at hand, on a GPU */
    size_t cut_capacity[2];
} rw_sums;

rw_status rw_sums_create(rw_context *context, rw_backend backend, size_t columns, size_t rows, size_t channel_count,
                         rw_sums *sums);
void rw_sums_destroy(rw_sums *sums);

/* Forgets all sites. */
rw_status rw_sums_clear(rw_sums *sums);

/* Adds one site. args is filled but for the sums; its arrays are in main memory, of cells each, and so is args->power,
 * which is filled where it is not NULL. */
rw_status rw_sums_add(rw_sums *sums, struct rw_add_site_args args, size_t cells);

/* The sums in main memory: those of the CPU themselves, copies of those of a GPU. To be freed by
 * rw_sums_download_free. */
rw_status rw_sums_download(const rw_sums *sums, rw_sums_view *view);
void rw_sums_download_free(const rw_sums *sums, rw_sums_view *view);

/* Adds what another part of the sites came to on a window of the cells, in main memory; first: where it begins. The
 * backend is the CPU. */
rw_status rw_sums_join(rw_sums *sums, const rw_sums_view *more, size_t first);

/* Makes the layers; args has the plan, the channels and loads of sites and the layers, one value a cell, in main
 * memory. The backend is the CPU. */
rw_status rw_sums_finish(rw_sums *sums, struct rw_finish_sums_args args);

/* The arrays of a view, for files: how many there are, their bytes for a cell, and where they are. */
typedef struct rw_sums_array {
    const char *name;
    size_t at, element_bytes;
    int of_channels; /* one for each channel */
} rw_sums_array;
extern const rw_sums_array rw_sums_arrays[];
#define RW_SUMS_ARRAYS 7
static inline void **rw_sums_array_of(const rw_sums_view *view, const rw_sums_array *array)
{
    return (void **)((char *)(uintptr_t)view + array->at);
}

#endif
