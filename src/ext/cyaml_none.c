/* Stand-in for builds without libcyaml. */
#include "base/context.h"

rw_status rw_project_load(rw_context *context, const char *path, const rw_project_key *keys, size_t key_count,
                          rw_project_fn on_value, void *user)
{
    (void)keys, (void)key_count, (void)on_value, (void)user;
    return rw_fail(context, RW_UNSUPPORTED,
                   "%s: this build reads no project files; install libcyaml-dev and build again, or use options", path);
}
