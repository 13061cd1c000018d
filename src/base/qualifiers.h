/* Qualifiers of the C11/CUDA subset: what is written in a .k.h file is static inline in C and host-and-device under nvcc.
 *
 * The subset has no _Complex, VLAs, restrict, _Generic, implicit void * conversions or file-scope const tables. */
#ifndef RW_BASE_QUALIFIERS_H
#define RW_BASE_QUALIFIERS_H

#include <stdint.h>

#ifdef __CUDACC__
#define RW_FN static __host__ __device__ __forceinline__
/* For the rare path of a function: kept out of line, so that it does not cost the common path registers. */
#define RW_RARE_FN static __host__ __device__ __noinline__
#else
#define RW_FN static inline
#define RW_RARE_FN static __attribute__((noinline, unused))
#endif

/* Adds to a number that several work items share. Whole numbers only: their sum does not depend on the order. */
RW_FN void rw_shared_add(uint32_t *number, uint32_t value)
{
#ifdef __CUDA_ARCH__
    atomicAdd(number, value);
#else
    __atomic_fetch_add(number, value, __ATOMIC_RELAXED);
#endif
}

#endif
