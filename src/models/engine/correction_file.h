/* What measurements add to a prediction, in parameter files. */
#ifndef RW_MODELS_ENGINE_CORRECTION_FILE_H
#define RW_MODELS_ENGINE_CORRECTION_FILE_H

#include "base/text/json.h"
#include "mechanisms/measured/correction.h"

#include <stdio.h>

/* object NULL: the file has none, and *correction is NULL. After a failure *correction is the caller's to destroy. */
rw_status rw_correction_read(rw_context *context, const char *path, const rw_json *json, const rw_json_value *object,
                             rw_correction **correction);
void rw_correction_write(FILE *stream, const rw_correction *correction);

#endif
