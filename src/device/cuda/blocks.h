/* How a launch is cut into blocks of threads. */
#ifndef RW_DEVICE_CUDA_BLOCKS_H
#define RW_DEVICE_CUDA_BLOCKS_H

#include "base/kernel/lanes.h"

#define RW_CUDA_THREADS_PER_BLOCK (RW_GPU_LANES * RW_GPU_WARPS)

#endif
