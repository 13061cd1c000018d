#include "base/text/normalise.h"

#include "base/text/compositions.h"
#include "base/text/utf8.h"

#include <string.h>

/* Windows-1252 from 0x80 to 0x9f; 0: a control character. */
static const uint16_t windows_characters[32] = {0x20ac, 0,      0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021,
                                                0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0,      0x017d, 0,
                                                0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
                                                0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0,      0x017e, 0x0178};

/* Hangul: an initial and a vowel are a syllable, and a syllable without a final takes one (Unicode, section 3.12). */
enum { INITIAL = 0x1100, VOWEL = 0x1161, FINAL = 0x11a7, SYLLABLE = 0xac00 };
enum { INITIALS = 19, VOWELS = 21, FINALS = 28 };

static uint32_t compose_hangul(uint32_t first, uint32_t second)
{
    if (first - INITIAL < INITIALS && second - VOWEL < VOWELS)
        return SYLLABLE + ((first - INITIAL) * VOWELS + (second - VOWEL)) * FINALS;
    if (first - SYLLABLE < INITIALS * VOWELS * FINALS && (first - SYLLABLE) % FINALS == 0 && second > FINAL &&
        second - FINAL < FINALS)
        return first + (second - FINAL);
    return 0;
}

/* What two characters that follow each other are composed to; 0: they stay. */
static uint32_t compose_pair(uint32_t first, uint32_t second)
{
    size_t low = 0, high = sizeof compositions / sizeof *compositions;
    if (second < 0x300 || first > 0xffff || second > 0xffff)
        return 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const uint16_t *entry = compositions[middle];
        if (entry[0] == first && entry[1] == second)
            return entry[2];
        if (entry[0] < first || (entry[0] == first && entry[1] < second))
            low = middle + 1;
        else
            high = middle;
    }
    return compose_hangul(first, second);
}

static uint32_t replace_control(uint32_t code)
{
    int is_control = (code < 0x20 && code && !strchr("\t\n\r", (int)code)) || (code >= 0x7f && code < 0xa0);
    return is_control || code == 0xfffe || code == 0xffff ? ' ' : code;
}

static int is_utf8(const unsigned char *bytes, const unsigned char *end)
{
    while (bytes < end) {
        size_t length = rw_utf8_length(bytes, (size_t)(end - bytes));
        if (length == 0)
            return 0;
        bytes += length;
    }
    return 1;
}

static uint32_t decode_utf8(const unsigned char **at, const unsigned char *end)
{
    size_t length = rw_utf8_length(*at, (size_t)(end - *at));
    uint32_t code = length < 2 ? **at : **at & (0xffu >> (length + 1));
    for (size_t i = 1; i < length; i++)
        code = code << 6 | ((*at)[i] & 0x3fu);
    *at += length;
    return code;
}

static uint32_t decode_windows(const unsigned char **at)
{
    unsigned char byte = *(*at)++;
    return byte >= 0x80 && byte < 0xa0 ? windows_characters[byte - 0x80] ? windows_characters[byte - 0x80] : ' ' : byte;
}

size_t rw_text_normalise(const char *bytes, size_t size, char *out)
{
    const unsigned char *at = (const unsigned char *)bytes, *end = at + size, *line_end = at;
    char *write = out, *last = NULL; /* where the last character begins */
    uint32_t before = 0;
    int is_text = 1;
    while (at < end) {
        if (at >= line_end) {
            const unsigned char *found = memchr(at, '\n', (size_t)(end - at));
            line_end = found ? found + 1 : end;
            is_text = is_utf8(at, line_end);
        }
        uint32_t code = replace_control(is_text ? decode_utf8(&at, line_end) : decode_windows(&at));
        uint32_t composed = last ? compose_pair(before, code) : 0;
        write = composed ? last : write;
        last = write;
        before = composed ? composed : code;
        write = rw_utf8_write(write, before);
    }
    *write = 0;
    return (size_t)(write - out);
}

int rw_text_is_plain(const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if ((unsigned char)bytes[i] >= 0x80 || replace_control((unsigned char)bytes[i]) != (unsigned char)bytes[i])
            return 0;
    return 1;
}
