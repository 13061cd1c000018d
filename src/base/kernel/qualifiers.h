/* Qualifiers of the C11/CUDA subset: what is written in a .k.h file is static inline in C and host-and-device under
 * nvcc.
 *
 * The subset has no _Complex, VLAs, restrict, _Generic, implicit void * conversions or file-scope const tables. */
#ifndef RW_BASE_KERNEL_QUALIFIERS_H
#define RW_BASE_KERNEL_QUALIFIERS_H

#ifndef __CUDACC__
#include "base/parallel.h"
#endif

#include <stdint.h>

#ifdef __CUDACC__
#define RW_FN static __host__ __device__ __forceinline__
/* For the rare path of a function and for long functions with several callers: kept out of line, so that they do not
 * cost the common path registers. */
#define RW_RARE_FN static __host__ __device__ __noinline__
#define RW_ONE_FN RW_FN
#define RW_FLAT_FN RW_FN
#else
#define RW_FN static inline
/* For a kernel that must vectorise: every call in it is inlined, however many kernels share the file. */
#define RW_FLAT_FN static inline __attribute__((flatten))
#define RW_RARE_FN static __attribute__((noinline, unused))
/* For what several kernels of a CPU must answer alike to the bit: inlined, its sums may be fused differently in each.
 */
#define RW_ONE_FN RW_RARE_FN
#endif

/* Before a loop whose turns are independent: a CPU may take several at once. RW_SIMD_OR: but for bits that they all set
 * in one number. */
#ifdef __CUDACC__
#define RW_SIMD
#define RW_SIMD_OR(number)
#else
#define RW_SIMD _Pragma("omp simd")
#define RW_PRAGMA(directive) _Pragma(#directive)
#define RW_SIMD_OR(number) RW_PRAGMA(omp simd reduction(| : number))
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

/* The same for sums that need more than 32 bits; and the largest and least of 64 bits, also where threads of a CPU
 * share the number. */
RW_FN void rw_shared_add_long(uint64_t *number, uint64_t value)
{
#ifdef __CUDA_ARCH__
    atomicAdd((unsigned long long *)number, (unsigned long long)value);
#else
    __atomic_fetch_add(number, value, __ATOMIC_RELAXED);
#endif
}

/* With a sign. */
RW_FN void rw_shared_add_wide(int64_t *number, int64_t value)
{
    rw_shared_add_long((uint64_t *)number, (uint64_t)value);
}

RW_FN void rw_shared_max_long(uint64_t *number, uint64_t value)
{
#ifdef __CUDA_ARCH__
    atomicMax((unsigned long long *)number, (unsigned long long)value);
#else
    uint64_t before = __atomic_load_n(number, __ATOMIC_RELAXED);
    while (before < value &&
           !__atomic_compare_exchange_n(number, &before, value, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
#endif
}

RW_FN void rw_shared_min_long(uint64_t *number, uint64_t value)
{
#ifdef __CUDA_ARCH__
    atomicMin((unsigned long long *)number, (unsigned long long)value);
#else
    uint64_t before = __atomic_load_n(number, __ATOMIC_RELAXED);
    while (before > value &&
           !__atomic_compare_exchange_n(number, &before, value, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
#endif
}

/* Puts a number in the place of another, which it returns. */
RW_FN uint64_t rw_shared_exchange_long(uint64_t *number, uint64_t value)
{
#ifdef __CUDA_ARCH__
    return (uint64_t)atomicExch((unsigned long long *)number, (unsigned long long)value);
#else
    return __atomic_exchange_n(number, value, __ATOMIC_RELAXED);
#endif
}

/* The largest of 32 bits, likewise. */
RW_FN void rw_shared_max(uint32_t *number, uint32_t value)
{
#ifdef __CUDA_ARCH__
    atomicMax(number, value);
#else
    uint32_t before = __atomic_load_n(number, __ATOMIC_RELAXED);
    while (before < value &&
           !__atomic_compare_exchange_n(number, &before, value, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
#endif
}

/* What a number that several work items share is by now. */
RW_FN uint32_t rw_shared_read(const uint32_t *number)
{
#ifdef __CUDA_ARCH__
    return *(const volatile uint32_t *)number;
#else
    return __atomic_load_n(number, __ATOMIC_RELAXED);
#endif
}

RW_FN uint64_t rw_shared_read_long(const uint64_t *number)
{
#ifdef __CUDA_ARCH__
    return *(const volatile uint64_t *)number;
#else
    return __atomic_load_n(number, __ATOMIC_RELAXED);
#endif
}

/* Lowers a number that several work items share, on every backend. */
RW_FN void rw_shared_lower(uint32_t *number, uint32_t value)
{
#ifdef __CUDA_ARCH__
    if (value < *(volatile uint32_t *)number)
        atomicMin(number, value);
#else
    uint32_t before = __atomic_load_n(number, __ATOMIC_RELAXED);
    while (value < before &&
           !__atomic_compare_exchange_n(number, &before, value, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
#endif
}

/* Asks for memory that is needed soon. A GPU has other threads meanwhile. */
RW_FN void rw_prefetch(const void *memory)
{
#ifdef __CUDACC__
    (void)memory;
#else
    __builtin_prefetch(memory);
#endif
}

/* Number of the lowest bit that is set; bits must not be 0. */
RW_FN uint32_t rw_lowest_bit(uint32_t bits)
{
#ifdef __CUDA_ARCH__
    return (uint32_t)__ffs((int)bits) - 1u;
#else
    return (uint32_t)__builtin_ctz(bits);
#endif
}

/* How many bits are set. */
RW_FN uint32_t rw_bit_count(uint32_t bits)
{
#ifdef __CUDA_ARCH__
    return (uint32_t)__popc(bits);
#else
    return (uint32_t)__builtin_popcount(bits);
#endif
}

/* The bits of a float as a whole number, and back. */
RW_FN uint32_t rw_float_bits(float value)
{
    union {
        float number;
        uint32_t bits;
    } both;
    both.number = value;
    return both.bits;
}

RW_FN float rw_bits_float(uint32_t bits)
{
    union {
        float number;
        uint32_t bits;
    } both;
    both.bits = bits;
    return both.number;
}

/* Lowers a number, or sets bits of one, that several work items share on a GPU; on the CPU one thread owns it. Bits of
 * floats that are not negative are ordered as the floats are. */
RW_FN void rw_shared_min(uint32_t *number, uint32_t value)
{
#ifdef __CUDA_ARCH__
    atomicMin(number, value);
#else
    *number = value < *number ? value : *number;
#endif
}

/* Sets a number and returns what it was. */
RW_FN uint32_t rw_shared_exchange(uint32_t *number, uint32_t value)
{
#ifdef __CUDA_ARCH__
    return atomicExch(number, value);
#else
    return __atomic_exchange_n(number, value, __ATOMIC_RELAXED);
#endif
}

RW_FN void rw_shared_or(uint32_t *bits, uint32_t more)
{
#ifdef __CUDA_ARCH__
    atomicOr(bits, more);
#else
    *bits |= more;
#endif
}

/* Takes places in one of several lists that work items fill; returns the first. */
RW_FN uint32_t rw_shared_reserve_of(uint32_t *count, uint32_t slots)
{
#ifdef __CUDA_ARCH__
    return atomicAdd(count, slots);
#else
    return __atomic_fetch_add(count, slots, __ATOMIC_RELAXED);
#endif
}

/* Takes places in the one list that all work items fill; returns the first. On a GPU the threads of a warp that are
 * here together ask once for all of them: thousands of atomic additions to one number would queue up. */
RW_FN uint32_t rw_shared_reserve(uint32_t *count, uint32_t slots)
{
#ifdef __CUDA_ARCH__
    unsigned active = __activemask(), lane = threadIdx.x & 31u;
    int leader = __ffs((int)active) - 1;
    uint32_t before = 0, all = 0, first = 0;
    for (unsigned rest = active; rest; rest &= rest - 1u) {
        int other = __ffs((int)rest) - 1;
        uint32_t theirs = __shfl_sync(active, slots, other);
        before += (unsigned)other < lane ? theirs : 0u;
        all += theirs;
    }
    if (lane == (unsigned)leader)
        first = atomicAdd(count, all);
    return __shfl_sync(active, first, leader) + before;
#else
    return __atomic_fetch_add(count, slots, __ATOMIC_RELAXED);
#endif
}

/* The same for one place. */
RW_FN uint32_t rw_shared_reserve_one(uint32_t *count)
{
#ifdef __CUDA_ARCH__
    unsigned active = __activemask(), lane = threadIdx.x & 31u;
    int leader = __ffs((int)active) - 1;
    uint32_t first = 0;
    if (lane == (unsigned)leader)
        first = atomicAdd(count, (unsigned)__popc((int)active));
    return __shfl_sync(active, first, leader) + (uint32_t)__popc((int)(active & ((1u << lane) - 1u)));
#else
    return __atomic_fetch_add(count, 1u, __ATOMIC_RELAXED);
#endif
}

/* Number of the CPU thread that runs a work item, for its own working memory. */
RW_FN int rw_worker_index(void)
{
#ifdef __CUDACC__
    return 0;
#else
    return rw_parallel_worker();
#endif
}

#endif
