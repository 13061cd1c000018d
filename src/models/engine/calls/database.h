/* Visibility databases: what of a prediction does not depend on the transmitter, computed once and kept in a file. A
 * model that has one gives the calls below; the content is its own. */
#ifndef RW_MODELS_ENGINE_CALLS_DATABASE_H
#define RW_MODELS_ENGINE_CALLS_DATABASE_H

#include "base/container.h"
#include "models/engine/model.h"

struct rw_database {
    const rw_scene *scene;
    const rw_model *model;
    double bytes;  /* of the file */
    void *content; /* the model's */
};

/* What a model with a database gives (rw_model.database). */
struct rw_database_calls {
    const rw_container_kind *file;

    /* Makes the file of a committed scene; options are checked. */
    rw_status (*make)(const rw_scene *scene, const rw_preprocess_options *options, const char *path);

    /* What that would take; NULL: not known. */
    rw_status (*estimate)(const rw_scene *scene, const rw_preprocess_options *options,
                          rw_preprocess_estimate *estimate);

    /* Reads the file into database->content, and sets its bytes. */
    rw_status (*load)(const rw_scene *scene, const char *path, rw_database *database);
    void (*destroy)(void *content);

    void (*get_info)(const rw_database *database, rw_database_info *info);
    rw_status (*read_info)(rw_context *context, const char *path, rw_database_info *info); /* without a scene */

    /* The receivers it was made for, which must be those of the cells; NULL: it has none. */
    rw_status (*receivers)(const rw_database *database, const rw_map_info *cells, const rw_receivers **receivers);
};

/* Whether the database is of this scene and model; a sentence where not. */
rw_status rw_database_check(const rw_database *database, const rw_scene *scene, const rw_model *model);

#endif
