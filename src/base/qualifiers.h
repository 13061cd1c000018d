/* Qualifiers of the C11/CUDA subset: what is written in a .k.h file is static inline in C and host-and-device under nvcc.
 *
 * The subset has no _Complex, VLAs, restrict, _Generic, implicit void * conversions or file-scope const tables. */
#ifndef RW_BASE_QUALIFIERS_H
#define RW_BASE_QUALIFIERS_H

#ifdef __CUDACC__
#define RW_FN static __host__ __device__ __forceinline__
#else
#define RW_FN static inline
#endif

#endif
