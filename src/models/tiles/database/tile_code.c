#include "models/tiles/database/database.h"

#include "base/memory.h"

/* Longest code of a word: head, a step of five bytes, four bytes of mask. */
#define WORD_BYTES_MAX 10
#define STEP_INLINE 15u

static void append_code_number(rw_tile_bytes *bytes, uint64_t value)
{
    for (; value >= 128; value >>= 7)
        bytes->items[bytes->count++] = (unsigned char)(value | 128);
    bytes->items[bytes->count++] = (unsigned char)value;
}

static void append_code_word(rw_tile_bytes *bytes, uint32_t step, uint32_t mask)
{
    unsigned char present = 0;
    for (int i = 0; i < 4; i++)
        present = (unsigned char)(present | (mask >> 8 * i & 255 ? 1 << i : 0));
    bytes->items[bytes->count++] = (unsigned char)(present << 4 | (step < STEP_INLINE ? step : STEP_INLINE));
    if (step >= STEP_INLINE)
        append_code_number(bytes, step - STEP_INLINE);
    for (int i = 0; i < 4; i++)
        if (present >> i & 1)
            bytes->items[bytes->count++] = (unsigned char)(mask >> 8 * i);
}

rw_status rw_tile_rows_encode(rw_context *context, const rw_tile_half *half, uint32_t first_row, uint32_t row_count,
                              rw_tile_bytes *bytes)
{
    for (uint32_t row = first_row; row < first_row + row_count; row++) {
        uint64_t first = half->firsts.items[row], end = half->firsts.items[row + 1];
        RW_TRY(RW_ARRAY_RESERVE(context, *bytes, WORD_BYTES_MAX * (end - first + 1), "coded rows of tiles"));
        append_code_number(bytes, end - first);
        uint32_t next = (half->first_tile + row) / RW_TILE_BLOCK; /* the least block that can follow */
        for (uint64_t i = first; i < end; i++) {
            append_code_word(bytes, half->blocks.items[i] - next, half->masks.items[i]);
            next = half->blocks.items[i] + 1;
        }
    }
    return RW_OK;
}

/* Reading stops at the end and marks the code as bad. */
typedef struct code_reader {
    const unsigned char *at, *end;
    int bad;
} code_reader;

static uint32_t read_code_byte(code_reader *reader)
{
    if (reader->at == reader->end) {
        reader->bad = 1;
        return 0;
    }
    return *reader->at++;
}

static uint64_t read_code_number(code_reader *reader)
{
    uint64_t value = 0;
    for (int shift = 0; shift < 35; shift += 7) {
        uint32_t byte = read_code_byte(reader);
        value |= (uint64_t)(byte & 127) << shift;
        if (!(byte & 128))
            return value;
    }
    reader->bad = 1;
    return 0;
}

static uint32_t read_code_mask(code_reader *reader, uint32_t head)
{
    uint32_t mask = 0;
    for (int i = 0; i < 4; i++)
        if (head >> (4 + i) & 1)
            mask |= read_code_byte(reader) << 8 * i;
    return mask;
}

/* Whether the bits are of tiles that exist and have a higher number than the row's. */
static int mask_holds(uint32_t mask, uint32_t block, uint32_t tile, uint32_t tile_count)
{
    uint32_t first = block * RW_TILE_BLOCK, rest = tile_count - first, allowed = UINT32_MAX;
    if (rest < RW_TILE_BLOCK)
        allowed = (1u << rest) - 1;
    if (tile >= first)
        allowed = tile - first == RW_TILE_BLOCK - 1 ? 0 : allowed & (0xfffffffeu << (tile - first));
    return mask && !(mask & ~allowed);
}

static rw_status decode_row(rw_context *context, code_reader *reader, uint32_t tile, uint32_t tile_count,
                            rw_tile_half *half)
{
    uint32_t block_count = (tile_count + RW_TILE_BLOCK - 1) / RW_TILE_BLOCK;
    uint64_t words = read_code_number(reader), next = tile / RW_TILE_BLOCK;
    if (reader->bad || words > block_count - next || words > (uint64_t)(reader->end - reader->at)) {
        reader->bad = 1;
        return RW_OK;
    }
    RW_TRY(RW_ARRAY_RESERVE(context, half->blocks, words, "rows of tiles"));
    RW_TRY(RW_ARRAY_RESERVE(context, half->masks, words, "rows of tiles"));
    for (uint64_t i = 0; i < words && !reader->bad; i++) {
        uint32_t head = read_code_byte(reader);
        uint64_t block = next + (head & 15);
        if ((head & 15) == STEP_INLINE)
            block += read_code_number(reader);
        uint32_t mask = read_code_mask(reader, head);
        if (block >= block_count || !mask_holds(mask, (uint32_t)block, tile, tile_count)) {
            reader->bad = 1;
            return RW_OK;
        }
        half->blocks.items[half->blocks.count++] = (uint32_t)block;
        half->masks.items[half->masks.count++] = mask;
        next = block + 1;
    }
    return RW_OK;
}

rw_status rw_tile_rows_decode(rw_context *context, const unsigned char *bytes, size_t size, uint32_t row_count,
                              uint32_t tile_count, rw_tile_half *half, int *valid)
{
    code_reader reader = {bytes, bytes + size, 0};
    RW_TRY(RW_ARRAY_RESERVE(context, half->firsts, row_count + 1, "rows of tiles"));
    if (half->firsts.count == 0)
        half->firsts.items[half->firsts.count++] = 0;
    for (uint32_t i = 0; i < row_count && !reader.bad; i++) {
        RW_TRY(decode_row(context, &reader, half->first_tile + half->row_count, tile_count, half));
        half->firsts.items[half->firsts.count++] = half->blocks.count;
        half->row_count++;
    }
    *valid = !reader.bad && reader.at == reader.end;
    return RW_OK;
}
