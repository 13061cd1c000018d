/* Reference: G. Turk, The PLY polygon file format, 1994, with the type names (int8, float32) that came later. */
#include "scene/readers/meshes/ply_header.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_MAX 8

static const struct {
    const char *name, *other_name;
    size_t size;
} types[] = {
    [RW_PLY_INT8] = {"char", "int8", 1},        [RW_PLY_UINT8] = {"uchar", "uint8", 1},
    [RW_PLY_INT16] = {"short", "int16", 2},     [RW_PLY_UINT16] = {"ushort", "uint16", 2},
    [RW_PLY_INT32] = {"int", "int32", 4},       [RW_PLY_UINT32] = {"uint", "uint32", 4},
    [RW_PLY_FLOAT32] = {"float", "float32", 4}, [RW_PLY_FLOAT64] = {"double", "float64", 8},
};
#define TYPE_COUNT (sizeof types / sizeof *types)

typedef struct header_parser {
    rw_context *context;
    const char *path;
    rw_ply_header *header;
    size_t line;
    int has_format;
    char string[1024]; /* of the line; words point into it */
    const char *words[WORDS_MAX];
    int word_count;
} header_parser;

size_t rw_ply_type_size(rw_ply_type type)
{
    return types[type].size;
}

static rw_status fail_line(header_parser *parser, const char *right)
{
    return rw_fail(parser->context, RW_BAD_INPUT, "%s, line %zu of the PLY header: expected %s", parser->path,
                   parser->line, right);
}

static void split_words(header_parser *parser)
{
    parser->word_count = 0;
    for (char *at = parser->string; parser->word_count < WORDS_MAX;) {
        at += strspn(at, " \t");
        if (!*at)
            break;
        parser->words[parser->word_count++] = at;
        at += strcspn(at, " \t");
        if (*at)
            *at++ = 0;
    }
}

static int has_words(const header_parser *parser, const char *first, int count)
{
    return parser->word_count == count && strcmp(parser->words[0], first) == 0;
}

static int find_type(const char *name, rw_ply_type *type)
{
    for (size_t i = 0; i < TYPE_COUNT; i++)
        if (strcmp(types[i].name, name) == 0 || strcmp(types[i].other_name, name) == 0) {
            *type = (rw_ply_type)i;
            return 1;
        }
    return 0;
}

static rw_status parse_format(header_parser *parser)
{
    static const char *const names[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    for (int i = 0; i < 3; i++)
        if (strcmp(parser->words[1], names[i]) == 0) {
            parser->header->encoding = (rw_ply_encoding)i;
            parser->has_format = 1;
            return RW_OK;
        }
    return fail_line(parser, "format ascii, binary_little_endian or binary_big_endian");
}

static rw_status parse_ply_element(header_parser *parser)
{
    rw_ply_header *header = parser->header;
    if (header->element_count == RW_PLY_ELEMENTS_MAX)
        return fail_line(parser, "at most 16 elements");
    rw_ply_element *element = &header->elements[header->element_count];
    char *end;
    errno = 0;
    unsigned long long count = strtoull(parser->words[2], &end, 10);
    if (*end || errno || parser->words[2][0] == '-')
        return fail_line(parser, "element NAME COUNT with a whole number");
    snprintf(element->name, sizeof element->name, "%s", parser->words[1]);
    element->count = (size_t)count;
    element->property_count = 0;
    header->element_count++;
    return RW_OK;
}

static rw_status parse_property(header_parser *parser, int is_list)
{
    rw_ply_header *header = parser->header;
    if (header->element_count == 0)
        return fail_line(parser, "an element before its properties");
    rw_ply_element *element = &header->elements[header->element_count - 1];
    if (element->property_count == RW_PLY_PROPERTIES_MAX)
        return fail_line(parser, "at most 32 properties of an element");
    rw_ply_property *property = &element->properties[element->property_count];
    *property = (rw_ply_property){.is_list = is_list};
    if (is_list && (!find_type(parser->words[2], &property->count_type) || property->count_type >= RW_PLY_FLOAT32))
        return fail_line(parser, "property list with a whole-number type of its count, such as uchar");
    if (!find_type(parser->words[is_list ? 3 : 1], &property->type))
        return fail_line(parser, "a type such as float, double, uchar or int");
    snprintf(property->name, sizeof property->name, "%s", parser->words[is_list ? 4 : 2]);
    element->property_count++;
    return RW_OK;
}

static rw_status parse_line(header_parser *parser, int *is_end)
{
    split_words(parser);
    *is_end = has_words(parser, "end_header", 1);
    if (*is_end || parser->word_count == 0 || strcmp(parser->words[0], "comment") == 0 ||
        strcmp(parser->words[0], "obj_info") == 0)
        return RW_OK;
    if (has_words(parser, "format", 3))
        return parse_format(parser);
    if (has_words(parser, "element", 3))
        return parse_ply_element(parser);
    if (has_words(parser, "property", 3))
        return parse_property(parser, 0);
    if (has_words(parser, "property", 5) && strcmp(parser->words[1], "list") == 0)
        return parse_property(parser, 1);
    return fail_line(parser, "format, element, property, comment or end_header");
}

/* The least that one entry of the element takes in the file. */
static size_t min_entry_bytes(const rw_ply_header *header, const rw_ply_element *element)
{
    size_t bytes = 0;
    for (size_t i = 0; i < element->property_count; i++) {
        const rw_ply_property *property = &element->properties[i];
        if (header->encoding == RW_PLY_ASCII)
            bytes += 2; /* a digit and what parts it from the next */
        else
            bytes += rw_ply_type_size(property->is_list ? property->count_type : property->type);
    }
    return bytes;
}

static rw_status check_counts(header_parser *parser, size_t size)
{
    const rw_ply_header *header = parser->header;
    double left = (double)(size - header->bytes) + 1; /* the last line of a text may lack its end */
    for (size_t i = 0; i < header->element_count; i++) {
        const rw_ply_element *element = &header->elements[i];
        size_t min_bytes = min_entry_bytes(header, element);
        left -= (double)element->count * (double)min_bytes;
        if (left < 0)
            return rw_fail(
                parser->context, RW_BAD_INPUT,
                "%s is cut off: its header promises %zu %s entries of at least %zu bytes, but the file has %zu bytes",
                parser->path, element->count, element->name, min_bytes, size);
        if (min_bytes == 0 && element->count > 0)
            return rw_fail(parser->context, RW_BAD_INPUT, "%s: the element %s has %zu entries but no properties",
                           parser->path, element->name, element->count);
    }
    return RW_OK;
}

rw_status rw_ply_header_read(rw_context *context, const char *path, const char *bytes, size_t size,
                             rw_ply_header *header)
{
    header_parser parser = {.context = context, .path = path, .header = header, .line = 1};
    header->element_count = 0;
    if (size < 4 || memcmp(bytes, "ply", 3) != 0 || (bytes[3] != '\n' && bytes[3] != '\r'))
        return rw_fail(context, RW_BAD_INPUT, "%s is not a PLY file: its first line is not 'ply'", path);
    const char *end = bytes + size;
    for (const char *at = bytes; at < end; parser.line++) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        size_t length = line_end ? (size_t)(line_end - at) : 0;
        if (!line_end || length >= sizeof parser.string)
            break;
        memcpy(parser.string, at, length);
        parser.string[length - (length && at[length - 1] == '\r')] = 0;
        int is_end = 0;
        if (parser.line > 1)
            RW_TRY(parse_line(&parser, &is_end));
        at = line_end + 1;
        if (is_end) {
            header->bytes = (size_t)(at - bytes);
            header->lines = parser.line;
            return parser.has_format ? check_counts(&parser, size)
                                     : fail_line(&parser, "a format line before end_header");
        }
    }
    return rw_fail(context, RW_BAD_INPUT, "%s, line %zu: the PLY header does not end in a line 'end_header'", path,
                   parser.line);
}
