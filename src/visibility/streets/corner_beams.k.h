/* Which receivers each corner sees in the receiver plane: the beams of Rick and Kuhlen (2010), section 5.3, as bits.
 *
 * The paper puts every diffraction source into the receiver plane and draws its shadow polygons there. Whether a
 * receiver sees it is then one bit; 32 corners share a word of each receiver. */
#ifndef RW_VISIBILITY_STREETS_CORNER_BEAMS_K_H
#define RW_VISIBILITY_STREETS_CORNER_BEAMS_K_H

#include "discretise/receivers/receivers.k.h"

#define RW_BEAMS_A_WORD 32

typedef struct rw_corner_beams_view {
    int used;                /* 0: corners are not in the plane, and there is nothing else here */
    float plane_m;           /* altitude of the receiver plane */
    uint32_t word_count;     /* of each receiver */
    const uint32_t *seen;    /* word after word, one an outdoor receiver */
    const uint32_t *corners; /* RW_BEAMS_A_WORD a word */
    const uint32_t *slots;   /* of each corner: its place among corners */
} rw_corner_beams_view;

/* Whether an outdoor receiver lies in the beam of a corner that has one. */
RW_FN int rw_corner_beam_has(const rw_corner_beams_view *beams, size_t outdoor_count, size_t outdoor, uint32_t corner)
{
    uint32_t slot = beams->slots[corner];
    return (int)(beams->seen[slot / RW_BEAMS_A_WORD * outdoor_count + outdoor] >> slot % RW_BEAMS_A_WORD & 1u);
}

/* One item is one outdoor receiver: from the line of sight of up to 32 corners to its word. */
struct rw_pack_beams_args {
    rw_receivers_view receivers;
    const uint8_t *los; /* one a cell, corner after corner */
    size_t corner_count;
    uint32_t *words; /* one an outdoor receiver */
};

RW_FN void rw_pack_beams_item(const struct rw_pack_beams_args *args, size_t item)
{
    size_t cell = args->receivers.outdoor[item], cells = args->receivers.columns * args->receivers.rows;
    uint32_t word = 0;
    for (size_t i = 0; i < args->corner_count; i++)
        word |= (uint32_t)(args->los[i * cells + cell] != 0) << i;
    args->words[item] = word;
}

#endif
