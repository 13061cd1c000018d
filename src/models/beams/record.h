/* Paths of beams for kept gains: the chain of walls and corners of each as numbers (models/engine/record.h). */
#ifndef RW_MODELS_BEAMS_RECORD_H
#define RW_MODELS_BEAMS_RECORD_H

#include "models/beams/beams.h"
#include "models/engine/record.h"

/* What the paths of one transmitter are recorded with. */
typedef struct rw_beam_recorder {
    const rw_prediction *prediction;
    size_t transmitter;
    rw_vec3 source;
    const rw_beam_losses *losses; /* with tables of the host */
    uint32_t *walls;              /* numbers in the record, of each surface of the scene */
} rw_beam_recorder;

/* Lists the constructions of the scene in the record. Constants in place of theory have no derivatives and are
 * refused. */
rw_status rw_beam_recorder_open(const rw_prediction *prediction, size_t transmitter, rw_vec3 source,
                                const rw_beam_losses *losses, rw_gain_record *record, rw_beam_recorder *recorder);
void rw_beam_recorder_close(rw_beam_recorder *recorder);

/* The path by the last beam of a chain to a receiver. */
rw_status rw_beam_record_path(const rw_beam_recorder *recorder, const rw_beam *beams, uint32_t last, rw_vec3 receiver,
                              uint32_t point, rw_gain_record *record);

#endif
