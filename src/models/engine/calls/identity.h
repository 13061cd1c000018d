/* The identity of a run: SHA-256 of everything that decides on its values. In it: the files that the scene was read
 * from and what they came to (a scene may also be built by calls), files of antennas, transmitters, options,
 * parameters, and the version, backend and instruction set that compute. Not in it: layers, budgets of memory, threads,
 * names of files. */
#ifndef RW_MODELS_ENGINE_CALLS_IDENTITY_H
#define RW_MODELS_ENGINE_CALLS_IDENTITY_H

#include "base/inputs.h"
#include "models/engine/model.h"

/* scene: may be NULL, or not committed: then its files alone count. options are resolved. The files of antennas are
 * recorded (rw_inputs_open). */
rw_status rw_run_identity_add(rw_context *context, const rw_scene *scene, const rw_model *model,
                              const rw_predict_options *options, rw_sha256 *hash);

#endif
