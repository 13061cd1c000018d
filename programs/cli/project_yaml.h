/* Project files as YAML: keys and their values. project_yaml.c reads them with libcyaml; project_yaml_none.c stands in
 * where the build has none. */
#ifndef CLI_PROJECT_YAML_H
#define CLI_PROJECT_YAML_H

#include <stddef.h>

/* A key that the file may hold. One that may be repeated takes a list, and each entry of the list is a value. */
struct project_key {
    const char *name;
    int repeated;
    int ignored; /* 1: its value is for others and not looked at */
};

/* Takes a value; returns the exit status, and anything but 0 ends the reading. */
typedef int (*project_value_fn)(void *user, const char *key, const char *value);

/* Calls on_value for each value, in the order of the keys. Returns the exit status; what is wrong has been said. Keys
 * that are not listed are refused. */
int read_project_values(const char *path, const struct project_key *keys, size_t key_count, project_value_fn on_value,
                        void *user);

/* project.c: the same with the keys of all commands and models. */
int read_any_project(const char *path, project_value_fn on_value, void *user);

#endif
