/* The corner database in memory: the receivers it was made for, and the street graph on the context's backend. */
#ifndef RW_MODELS_SHADOW_DATABASE_CORNER_DATABASE_H
#define RW_MODELS_SHADOW_DATABASE_CORNER_DATABASE_H

#include "models/engine/calls/database.h"
#include "models/shadow/database/street_tables.h"

typedef struct rw_corner_database {
    rw_street_subject subject;
    rw_receivers receivers;
    rw_street_graph graph;
} rw_corner_database;

extern const rw_database_calls rw_corner_database_calls;

/* The content of a database of the shadow model. */
const rw_corner_database *rw_corner_database_of(const rw_database *database);

#endif
