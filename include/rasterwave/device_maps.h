/* rasterwave: maps of many transmitters in one call, into memory of the caller, and memory where a context computes.
 *
 * For learning and optimisation: the model is opened once for scene, grid and options and kept with the scene, and
 * every further call with other transmitters only solves. Values go straight into an array of the caller, on a GPU into
 * its memory, from where other libraries of the same process take them without a copy. Conventions are those of
 * rasterwave.h. */
#ifndef RASTERWAVE_DEVICE_MAPS_H
#define RASTERWAVE_DEVICE_MAPS_H

#include <rasterwave/rasterwave.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where an array of the caller lies: in main memory, or in memory of the context's backend, which is the GPU's where it
 * computes on one and main memory otherwise. */
typedef enum rw_memory_location { RW_MEMORY_HOST, RW_MEMORY_BACKEND } rw_memory_location;

/* Elements of an array. Bytes are of the layer los alone: 1 where the transmitter is seen, 0 where not, 255 where there
 * is no receiver. */
typedef enum rw_element_type { RW_ELEMENT_FLOAT32, RW_ELEMENT_UINT8 } rw_element_type;

/* An array of maps in memory of the caller: one transmitter after another, each row by row from the south. */
typedef struct rw_map_array {
    size_t size;
    void *values;
    size_t bytes; /* that there is room for */
    rw_memory_location memory;
    rw_element_type type;
} rw_map_array;

/* Float32 in main memory. */
RW_API void rw_map_array_init_sized(rw_map_array *array, size_t size);
#define rw_map_array_init(array) rw_map_array_init_sized((array), sizeof *(array))

/* Rows, columns and place of the maps that rw_predict_many would make; transmitters do not matter. */
RW_API rw_status rw_predict_many_grid(const rw_scene *scene, const rw_predict_options *options, rw_map_info *grid);

/* One layer of rw_predict for every transmitter of the options, each by itself, into the array: path_loss where the
 * options name no layer. Layers of all transmitters together, such as best, and those with several bands of a
 * transmitter are refused. The values are those of rw_predict. When it returns they are there for every queue of the
 * GPU; it starts after all that was given to the GPU before. After a failure the values are not defined. */
RW_API rw_status rw_predict_many(const rw_scene *scene, const rw_predict_options *options, const rw_map_array *array);

/* Memory of a context's backend, which may outlive the context. It may be used by every library of the process that
 * uses the same GPU through its primary context, as CUDA's runtime does. */
typedef struct rw_buffer rw_buffer;

/* Zeroed memory. On failure *buffer is NULL. */
RW_API rw_status rw_buffer_create(rw_context *context, size_t bytes, rw_buffer **buffer);
/* Gives up the caller's share. Behind the last share, those of rw_buffer_to_dlpack counted, the memory is freed, after
 * all that the GPU has to do, whoever gave it. NULL is allowed. */
RW_API void rw_buffer_destroy(rw_buffer *buffer);
/* Where it lies: an address of the GPU where the context computes on one. */
RW_API void *rw_buffer_data(const rw_buffer *buffer);
/* Copies a part, from offset on, to main memory, after all that the GPU was given before. */
RW_API rw_status rw_buffer_read(rw_context *context, const rw_buffer *buffer, size_t offset, void *values,
                                size_t bytes);
/* Copies main memory into a part, from offset on. */
RW_API rw_status rw_buffer_write(rw_context *context, rw_buffer *buffer, size_t offset, const void *values,
                                 size_t bytes);

/* A buffer, or a part of it, as an array of DLPack: numbers of a type, row after row. */
typedef struct rw_dlpack_view {
    size_t size;
    size_t offset; /* of the first number, in bytes */
    const size_t *shape;
    int dimensions;
    int type_code; /* of DLPack: 0 int, 1 unsigned, 2 float, 5 complex */
    int type_bits; /* of one number */
} rw_dlpack_view;

/* A DLManagedTensor (without version) that has a share in the buffer: it is given to a library that takes such tensors
 * or, where none does, deleted by its own deleter, from any thread. On failure *tensor is NULL. */
RW_API rw_status rw_buffer_to_dlpack(rw_context *context, rw_buffer *buffer, const rw_dlpack_view *view, void **tensor);

#ifdef __cplusplus
}
#endif
#endif
