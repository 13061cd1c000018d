#include "commands/share/share.h"
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

#define QUOTIENT_MAX 24 /* from here on a number follows whole */
#define WHOLE_BITS 33   /* of the difference of two 32-bit numbers, folded */
#define RESET_COUNT 64  /* the adaptation forgets half of what it has seen */

/* Codes of cells without a value, as in the answers of serve. */
enum { CELL_NO_RECEIVER, CELL_NO_PATH, CELL_VALUE };

static void append_bits(struct bit_writer *writer, uint64_t value, unsigned count)
{
    while (count-- && !writer->failed) {
        if (writer->bit_count == 0) {
            if (writer->size == writer->capacity) {
                size_t capacity = writer->capacity ? 2 * writer->capacity : 4096;
                unsigned char *grown = realloc(writer->bytes, capacity);
                if (!grown) {
                    writer->failed = 1;
                    return;
                }
                writer->bytes = grown;
                writer->capacity = capacity;
            }
            writer->bytes[writer->size++] = 0;
        }
        unsigned bit = (unsigned)(value >> count & 1);
        writer->bytes[writer->size - 1] |= (unsigned char)(bit << (7 - writer->bit_count));
        writer->bit_count = (writer->bit_count + 1) % 8;
    }
}

/* Sum and number of the last magnitudes: the length of the next code. */
struct adaptation {
    uint64_t sum;
    unsigned count;
};

static void append_signed(struct bit_writer *writer, struct adaptation *adaptation, int64_t value)
{
    uint64_t folded = value < 0 ? 2 * (uint64_t)-value - 1 : 2 * (uint64_t)value;
    unsigned length = 0;
    while (length < 32 && (uint64_t)adaptation->count << length < adaptation->sum)
        length++;
    uint64_t quotient = folded >> length;
    if (quotient < QUOTIENT_MAX) {
        append_bits(writer, (UINT64_C(1) << (quotient + 1)) - 2, (unsigned)quotient + 1);
        append_bits(writer, folded, length);
    } else {
        append_bits(writer, (UINT64_C(1) << QUOTIENT_MAX) - 1, QUOTIENT_MAX);
        append_bits(writer, folded, WHOLE_BITS);
    }
    adaptation->sum += folded;
    if (++adaptation->count == RESET_COUNT) {
        adaptation->sum /= 2;
        adaptation->count /= 2;
    }
}

void pack_integers(struct bit_writer *writer, const int32_t *values, size_t count, size_t stride)
{
    struct adaptation adaptation = {8, 1};
    for (size_t i = 0; i < count; i++)
        append_signed(writer, &adaptation, (int64_t)values[i] - (i >= stride ? values[i - stride] : 0));
}

/* How many of the next cells are alike (no receiver, no path, a value), and what they are. */
static void pack_kinds(struct bit_writer *writer, const uint16_t *codes, size_t cells)
{
    struct adaptation adaptation = {16, 1};
    for (size_t i = 0; i < cells;) {
        unsigned kind = codes[i] < CELL_VALUE ? codes[i] : CELL_VALUE;
        size_t end = i + 1;
        while (end < cells && (codes[end] < CELL_VALUE ? codes[end] : CELL_VALUE) == kind)
            end++;
        append_bits(writer, kind, 2);
        append_signed(writer, &adaptation, (int64_t)(end - i));
        i = end;
    }
}

/* The median of west, south and their plane where all three have a value; otherwise one of them, or the last value. */
static int32_t expect_code(const uint16_t *codes, size_t columns, size_t row, size_t column, int32_t last)
{
    const uint16_t *at = codes + row * columns + column;
    int32_t west = column ? at[-1] : 0, south = row ? *(at - columns) : 0,
            corner = column && row ? *(at - columns - 1) : 0;
    if (west >= CELL_VALUE && south >= CELL_VALUE && corner >= CELL_VALUE) {
        int32_t low = west < south ? west : south, high = west < south ? south : west;
        return corner >= high ? low : corner <= low ? high : west + south - corner;
    }
    return west >= CELL_VALUE ? west : south >= CELL_VALUE ? south : last;
}

void pack_cells(struct bit_writer *writer, const uint16_t *codes, size_t columns, size_t rows)
{
    struct adaptation adaptation = {256, 1};
    int32_t last = CELL_VALUE;
    pack_kinds(writer, codes, columns * rows);
    for (size_t row = 0; row < rows; row++)
        for (size_t column = 0; column < columns; column++) {
            uint16_t code = codes[row * columns + column];
            if (code < CELL_VALUE)
                continue;
            append_signed(writer, &adaptation, (int64_t)code - expect_code(codes, columns, row, column, last));
            last = code;
        }
}

void bit_writer_free(struct bit_writer *writer)
{
    free(writer->bytes);
    *writer = (struct bit_writer){0};
}

int write_packed(struct json *json, const char *key, struct bit_writer *writer)
{
    char *text = writer->failed ? NULL : encode_base64(writer->bytes, writer->size);
    if (text)
        json_string(json, key, text);
    free(text);
    bit_writer_free(writer);
    return text ? 0 : report_out_of_memory("the file");
}
