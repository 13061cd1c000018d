/* Data rates by SINR of systems that have steps: IEEE 802.11 (Wi-Fi) and LoRa.
 *
 * 802.11: rates of one spatial stream by modulation, code rate, data subcarriers of the channel (20, 40, 80 or 160 MHz,
 * the widest that fits the bandwidth) and symbol time with a guard interval of 0.8 us: IEEE 802.11-2020, sections 19.5
 * and 21.5, IEEE 802.11ax-2021, section 27.5. The SINR of a step is its minimum input level sensitivity over the noise
 * that the standard assumes (tables 19-23, 21-25 and 27-51: a noise figure of 10 dB and 5 dB for the implementation),
 * -91 dBm in 20 MHz. LoRa: spreading factors 12 to 7 with a code rate of 4/5, SNR of the demodulator: Semtech SX1276
 * data sheet. */
#ifndef RW_MODELS_ENGINE_RECEIVED_RATE_TABLES_H
#define RW_MODELS_ENGINE_RECEIVED_RATE_TABLES_H

#include "models/engine/received/sinr.k.h"

/* Sets the steps of a table by its name, an option throughput; other names leave the plan as it is. */
void rw_rate_table_apply(const char *name, rw_network_plan *plan);

#endif
