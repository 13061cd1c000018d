/* rw_preprocess, rw_database_load and the calls about databases: each goes to the model that the database is of. */
#include "models/engine/calls/calls.h"

#include "base/memory.h"
#include "base/options.h"
#include "models/engine/run/session.h"

#include <stdlib.h>

/* The model that has databases and is asked for; rw_preprocess_options_resolve has refused the others. */
static rw_status find_calls(const rw_scene *scene, const char *name, const rw_database_calls **calls)
{
    const rw_model *model;
    if (!scene->committed)
        return rw_fail(scene->context, RW_BAD_CALL, "the scene is not committed yet");
    RW_TRY(rw_model_find(scene->context, name, &model));
    *calls = model->database;
    return RW_OK;
}

rw_status rw_preprocess(const rw_scene *scene, const rw_preprocess_options *user_options, const char *path)
{
    rw_preprocess_options options;
    const rw_database_calls *calls = NULL;
    RW_TRY(rw_preprocess_options_resolve(scene->context, user_options, &options));
    RW_TRY(find_calls(scene, options.model, &calls));
    RW_TRY(rw_file_check_writable(scene->context, path));
    return calls->make(scene, &options, path);
}

rw_status rw_preprocess_get_estimate(const rw_scene *scene, const rw_preprocess_options *user_options,
                                     rw_preprocess_estimate *estimate)
{
    rw_preprocess_options options;
    const rw_database_calls *calls = NULL;
    RW_TRY(rw_preprocess_options_resolve(scene->context, user_options, &options));
    RW_TRY(find_calls(scene, options.model, &calls));
    rw_preprocess_estimate preprocess_estimate = {.size = sizeof preprocess_estimate};
    if (calls->estimate)
        RW_TRY(calls->estimate(scene, &options, &preprocess_estimate));
    return RW_ASSIGN(scene->context, &preprocess_estimate, estimate);
}

/* The model whose databases the file is one of; the first that has databases where none recognises it, which then says
 * what is wrong with the file. */
static rw_status recognise_database(rw_context *context, const char *path, const rw_model **model)
{
    *model = NULL;
    for (size_t i = 0; i < rw_model_count(); i++) {
        const rw_model *one = rw_model_lookup(rw_model_name(i));
        int is = 0;
        if (!one->database)
            continue;
        RW_TRY(rw_container_recognise(context, path, one->database->file, &is));
        if (is || !*model)
            *model = one;
        if (is)
            break;
    }
    return *model ? RW_OK : rw_fail(context, RW_INTERNAL, "no model has a database");
}

rw_status rw_database_load(const rw_scene *scene, const char *path, rw_database **database)
{
    rw_context *context = scene->context;
    rw_database *new_database;
    *database = NULL;
    if (!scene->committed)
        return rw_fail(context, RW_BAD_CALL, "the scene is not committed yet");
    RW_TRY(rw_array_create(context, 1, sizeof *new_database, "the database", &new_database));
    new_database->scene = scene;
    rw_status status = recognise_database(context, path, &new_database->model);
    if (status == RW_OK)
        status = new_database->model->database->load(scene, path, new_database);
    if (status == RW_OK)
        *database = new_database;
    else
        rw_database_destroy(new_database);
    return status;
}

void rw_database_destroy(rw_database *database)
{
    if (!database)
        return;
    rw_sessions_close_idle(database->scene); /* they may use it */
    if (database->content)
        database->model->database->destroy(database->content);
    free(database);
}

rw_status rw_database_check(const rw_database *database, const rw_scene *scene, const rw_model *model)
{
    if (database->scene != scene)
        return rw_fail(scene->context, RW_BAD_CALL, "the database was loaded for another scene than this one");
    if (database->model == model)
        return RW_OK;
    if (model->database)
        return rw_fail(scene->context, RW_BAD_CALL,
                       "the database is of model %s, not of %s; make one with preprocess, model %s",
                       database->model->name, model->name, model->name);
    return rw_fail(scene->context, RW_BAD_CALL,
                   "the database is of model %s, and model %s takes none; leave database out or use model %s",
                   database->model->name, model->name, database->model->name);
}

rw_status rw_database_get_info(const rw_database *database, rw_database_info *info)
{
    rw_database_info database_info = {.size = sizeof database_info};
    database->model->database->get_info(database, &database_info);
    return RW_ASSIGN(database->scene->context, &database_info, info);
}

rw_status rw_database_read_info(rw_context *context, const char *path, rw_database_info *info)
{
    rw_database_info database_info = {.size = sizeof database_info};
    const rw_model *model;
    RW_TRY(recognise_database(context, path, &model));
    RW_TRY(model->database->read_info(context, path, &database_info));
    return RW_ASSIGN(context, &database_info, info);
}
