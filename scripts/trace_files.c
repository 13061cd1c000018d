/* Functions in the order of their first call, for scripts/trace_files.sh: preloaded into a program that was compiled
 * with -finstrument-functions. At the end one line for each: the object file and the offset of the function in it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SLOTS 65536u

static _Atomic(void *) functions[SLOTS];
static void *in_order[SLOTS];
static atomic_size_t count;

void __cyg_profile_func_enter(void *function, void *caller) __attribute__((no_instrument_function));
void __cyg_profile_func_exit(void *function, void *caller) __attribute__((no_instrument_function));
static void print_functions(void) __attribute__((destructor, no_instrument_function));

void __cyg_profile_func_enter(void *function, void *caller)
{
    (void)caller;
    for (size_t i = ((uintptr_t)function >> 4) % SLOTS, probes = 0; probes < SLOTS; i = (i + 1) % SLOTS, probes++) {
        void *found = atomic_load_explicit(&functions[i], memory_order_relaxed);
        if (found == function)
            return;
        if (!found && atomic_compare_exchange_strong(&functions[i], &found, function)) {
            in_order[atomic_fetch_add(&count, 1)] = function;
            return;
        }
        if (found == function)
            return;
    }
}

void __cyg_profile_func_exit(void *function, void *caller)
{
    (void)function, (void)caller;
}

static void print_functions(void)
{
    const char *path = getenv("TRACE_OUTPUT");
    FILE *out = path ? fopen(path, "w") : NULL;
    for (size_t i = 0; out && i < atomic_load(&count); i++) {
        Dl_info info;
        if (dladdr(in_order[i], &info))
            fprintf(out, "%s 0x%zx\n", info.dli_fname, (size_t)((char *)in_order[i] - (char *)info.dli_fbase));
    }
    if (out)
        fclose(out);
}
