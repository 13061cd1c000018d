/* Maps of several transmitters: one of them, or the strongest in each cell. */
#include "inputs/inputs.h"

#include <stdio.h>
#include <string.h>

int check_transmitter_number(int transmitter)
{
    return transmitter == 0 ? report_error("--transmitter 0: transmitters are counted from 1") : 0;
}

int choose_transmitter_of_map(struct call *call, rw_map *map, int transmitter, struct map_choice *choice)
{
    rw_map_layer layer = {.size = sizeof layer};
    rw_map_info info = {.size = sizeof info};
    *choice = (struct map_choice){.count = 1};
    TRY(check_transmitter_number(transmitter));
    TRY_RW(call, rw_map_get_info(map, &info));
    for (size_t i = 0; i < info.layers; i++) {
        TRY_RW(call, rw_map_get_layer(map, i, &layer));
        if (strcmp(layer.name, "volume") != 0 || transmitter > 0) /* bands of one transmitter at several altitudes */
            choice->count = layer.bands > choice->count ? layer.bands : choice->count;
    }
    if (transmitter > 0 && (size_t)transmitter > choice->count)
        return report_error("--transmitter %d: the map has %zu band%s, there is no number %d", transmitter,
                            choice->count, choice->count == 1 ? "" : "s", transmitter);
    if (transmitter > 0) {
        choice->band = (size_t)transmitter - 1;
        if (rw_map_get_band_name(map, 0, choice->band, choice->name, sizeof choice->name) != RW_OK || !*choice->name)
            snprintf(choice->name, sizeof choice->name, "transmitter %d", transmitter);
        return 0;
    }
    if (choice->count > 1)
        TRY_RW(call, rw_map_select_strongest(map));
    snprintf(choice->name, sizeof choice->name, "strongest of %zu", choice->count);
    return 0;
}
