/* The CPU backend: loops over work items for each instruction set, shared among threads. */
#ifndef RW_DEVICE_CPU_LAUNCH_H
#define RW_DEVICE_CPU_LAUNCH_H

#include "device/device.h"

/* With context NULL by the calling thread alone. */
void rw_cpu_launch(rw_context *context, const rw_kernel_list *list, int kernel, const void *args, size_t count);

/* Name of the instruction set in use ("avx512", "avx2" or "baseline"); RASTERWAVE_ISA=name asks for a lesser one. */
const char *rw_cpu_isa(void);

/* The processor's name, and how many threads there can be. */
void rw_cpu_describe(char *description, size_t size);
int rw_cpu_thread_count(void);

#endif
