/* A visibility database in memory: the receivers it was made for, and the street graph on the context's backend. */
#ifndef RW_MODELS_DATABASE_H
#define RW_MODELS_DATABASE_H

#include "models/model.h"
#include "visibility/street_tables.h"

struct rw_database {
    const rw_scene *scene;
    rw_street_subject subject;
    rw_receivers receivers;
    rw_street_graph graph;
    double bytes; /* of the file */
};

/* Whether the database is of this scene and these cells; a sentence that says what would fit where it is not. */
rw_status rw_database_check(const rw_database *database, const rw_scene *scene, const rw_map_info *cells);

#endif
