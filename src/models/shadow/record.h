/* Ways of the shadow model for kept gains: what each loses as numbers (models/engine/record.h). */
#ifndef RW_MODELS_SHADOW_RECORD_H
#define RW_MODELS_SHADOW_RECORD_H

#include "models/engine/record.h"
#include "models/shadow/shadow.h"

/* Refuses effects that gradients do not have. */
rw_status rw_shadow_check_record(const rw_shadow_job *job);

/* Appends the ways of one transmitter of the batch, its number in_batch there; paths: those round corners. */
rw_status rw_shadow_record(const rw_shadow_job *job, size_t transmitter, size_t in_batch, const rw_street_path *paths,
                           rw_gain_record *record);

#endif
