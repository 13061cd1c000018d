/* Radio systems by name: typical numbers of Wi-Fi, LoRa, LTE and NR, for the option preset and for readers. */
#ifndef RW_MODELS_ENGINE_OPTIONS_PRESETS_H
#define RW_MODELS_ENGINE_OPTIONS_PRESETS_H

#include "base/context.h"

/* As the table of presets.c has them. */
#define RW_PRESET_NAMES                                                                                                \
    "wifi-2.4,wifi-5,wifi-6,lora-868,lora-915,lte-700,lte-800,lte-1800,lte-2600,nr-700,nr-3500,nr-26000"

/* Sets what the options leave unset from their preset; a name that is not in the table is left for the check of
 * choices. */
void rw_preset_apply(rw_predict_options *options);

#endif
