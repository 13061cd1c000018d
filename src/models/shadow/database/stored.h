/* The corner database as a file: a container (base/container.h) with the tables of a street graph. */
#ifndef RW_MODELS_SHADOW_DATABASE_STORED_H
#define RW_MODELS_SHADOW_DATABASE_STORED_H

#include "base/container.h"
#include "models/shadow/database/street_tables.h"

extern const rw_container_kind rw_corner_database_kind;

rw_status rw_street_tables_write(const rw_scene *scene, const char *path, const rw_street_tables *tables);

/* Checks everything the file says before it is believed. scene NULL: the file may be of any. */
rw_status rw_street_tables_read(rw_context *context, const char *path, const rw_scene *scene, rw_street_tables *tables);

#endif
