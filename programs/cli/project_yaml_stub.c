/* Stand-in for builds without libcyaml. */
#include "cli/cli.h"

#include "command.h"

int read_project_values(const char *path, const struct project_key *keys, size_t key_count, project_value_fn on_value,
                        void *user)
{
    (void)keys, (void)key_count, (void)on_value, (void)user;
    return report_error("%s: this build reads no project files; install libcyaml-dev and build again, or use options",
                        path);
}
