/* Reference: Extensible Markup Language (XML) 1.0, fifth edition, W3C 2008; the subset that xml.h names. */
#include "base/text/xml.h"
#include "base/text/utf8.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS " \t\r\n"

void rw_xml_begin(rw_context *context, const char *path, char *bytes, size_t size, rw_xml *xml)
{
    *xml = (rw_xml){.context = context, .path = path, .at = bytes, .end = bytes + size, .line = 1};
}

static rw_status fail_xml(const rw_xml *xml, const char *wrong)
{
    return rw_fail(xml->context, RW_BAD_INPUT, "%s, line %zu: %s", xml->path, xml->line, wrong);
}

static void step_to(rw_xml *xml, char *to)
{
    for (; xml->at < to; xml->at++)
        xml->line += *xml->at == '\n';
}

static void skip_blanks(rw_xml *xml)
{
    step_to(xml, xml->at + strspn(xml->at, BLANKS));
}

static int starts_with(const rw_xml *xml, const char *string)
{
    return strncmp(xml->at, string, strlen(string)) == 0;
}

static rw_status skip_past(rw_xml *xml, const char *closing, const char *wrong)
{
    char *found = strstr(xml->at, closing);
    if (!found)
        return fail_xml(xml, wrong);
    step_to(xml, found + strlen(closing));
    return RW_OK;
}

static int is_name_end(char letter)
{
    return letter == 0 || strchr(BLANKS "=/><\"'&", letter) != NULL;
}

/* A name, not yet ended with a zero: the character after it is still needed. */
static size_t measure_xml_name(const char *at)
{
    size_t length = 0;
    while (!is_name_end(at[length]))
        length++;
    return length;
}

/* The character that the entity at "&..." stands for, 0 where it is none; length receives that of the entity. */
static uint32_t entity_code(const char *at, size_t *length)
{
    static const struct {
        const char *string;
        char letter;
    } named[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (strncmp(at, named[i].string, strlen(named[i].string)) == 0) {
            *length = strlen(named[i].string);
            return (unsigned char)named[i].letter;
        }
    if (at[1] != '#')
        return 0;
    int is_hex = at[2] == 'x';
    const char *digits = at + 2 + is_hex;
    size_t count = strspn(digits, is_hex ? "0123456789abcdefABCDEF" : "0123456789");
    if (count == 0 || count > 7 || digits[count] != ';')
        return 0;
    unsigned long code = strtoul(digits, NULL, is_hex ? 16 : 10);
    *length = (size_t)(digits - at) + count + 1;
    return code <= 0x10FFFF ? (uint32_t)code : 0;
}

/* Entities of a value in place; none is shorter than what it stands for. */
static rw_status decode_xml_entities(rw_xml *xml, char *value)
{
    char *write = value;
    for (const char *read = value; *read;) {
        if (*read != '&') {
            *write++ = *read++;
            continue;
        }
        size_t length = 0;
        uint32_t code = entity_code(read, &length);
        if (code == 0)
            return fail_xml(xml, "an & that starts no known entity; write &amp;");
        write = rw_utf8_write(write, code);
        read += length;
    }
    *write = 0;
    return RW_OK;
}

static rw_status read_xml_attribute(rw_xml *xml)
{
    if (xml->attribute_count == RW_XML_ATTRIBUTES_MAX)
        return fail_xml(xml, "an element has more than 32 attributes");
    char *name = xml->at, *name_end = name + measure_xml_name(name);
    if (name_end == name)
        return fail_xml(xml, "expected an attribute, '>' or '/>'");
    step_to(xml, name_end);
    skip_blanks(xml);
    if (*xml->at != '=')
        return fail_xml(xml, "an attribute has no '='");
    xml->at++;
    skip_blanks(xml);
    char quote = *xml->at;
    if (quote != '"' && quote != '\'')
        return fail_xml(xml, "the value of an attribute does not stand in quotes");
    char *value = xml->at + 1, *value_end = strchr(value, quote);
    if (!value_end)
        return fail_xml(xml, "the value of an attribute has no closing quote");
    step_to(xml, value_end + 1);
    *name_end = 0;
    *value_end = 0;
    RW_TRY(decode_xml_entities(xml, value));
    xml->attributes[xml->attribute_count].name = name;
    xml->attributes[xml->attribute_count++].value = value;
    return RW_OK;
}

static rw_status open_element(rw_xml *xml)
{
    char *name = ++xml->at, *name_end = name + measure_xml_name(name);
    if (name_end == name)
        return fail_xml(xml, "a '<' without the name of an element; write &lt;");
    if (xml->depth == RW_XML_DEPTH_MAX)
        return fail_xml(xml, "elements are nested more than 64 deep");
    step_to(xml, name_end);
    xml->attribute_count = 0;
    for (;;) {
        skip_blanks(xml);
        char next = *xml->at;
        if (next == '>' || (next == '/' && xml->at[1] == '>')) {
            xml->pending_close = next == '/';
            xml->at += next == '/' ? 2 : 1;
            break;
        }
        RW_TRY(read_xml_attribute(xml));
    }
    *name_end = 0;
    xml->name = name;
    xml->open_names[xml->depth++] = name;
    return RW_OK;
}

static rw_status close_element(rw_xml *xml)
{
    xml->at += 2;
    size_t length = measure_xml_name(xml->at);
    const char *name = xml->at;
    step_to(xml, xml->at + length);
    skip_blanks(xml);
    if (*xml->at != '>')
        return fail_xml(xml, "a closing tag has no '>'");
    xml->at++;
    if (xml->depth == 0)
        return rw_fail(xml->context, RW_BAD_INPUT, "%s, line %zu: </%.*s> closes nothing", xml->path, xml->line,
                       length > 40 ? 40 : (int)length, name);
    const char *open = xml->open_names[xml->depth - 1];
    if (strlen(open) != length || strncmp(open, name, length) != 0)
        return rw_fail(xml->context, RW_BAD_INPUT, "%s, line %zu: </%.*s> closes <%.40s>", xml->path, xml->line,
                       length > 40 ? 40 : (int)length, name, open);
    xml->name = open;
    xml->depth--;
    return RW_OK;
}

static rw_status skip_declaration(rw_xml *xml)
{
    if (starts_with(xml, "<!--"))
        return skip_past(xml, "-->", "a comment has no end '-->'");
    if (starts_with(xml, "<![CDATA["))
        return skip_past(xml, "]]>", "a CDATA section has no end ']]>'");
    if (starts_with(xml, "<?"))
        return skip_past(xml, "?>", "a processing instruction has no end '?>'");
    size_t length = strcspn(xml->at, "[>");
    if (xml->at[length] == '[')
        return fail_xml(xml, "a document type with declarations of its own is not supported");
    return skip_past(xml, ">", "a declaration has no end '>'");
}

rw_status rw_xml_next(rw_xml *xml, rw_xml_event *event)
{
    *event = RW_XML_CLOSE;
    if (xml->pending_close) {
        xml->pending_close = 0;
        xml->name = xml->open_names[--xml->depth];
        return RW_OK;
    }
    for (;;) {
        step_to(xml, xml->at + strcspn(xml->at, "<"));
        if (xml->at < xml->end && *xml->at == 0)
            return fail_xml(xml, "a zero byte: this is not text");
        if (xml->at >= xml->end) {
            *event = RW_XML_END;
            return xml->depth == 0 ? RW_OK
                                   : rw_fail(xml->context, RW_BAD_INPUT, "%s is cut off: <%.40s> is not closed",
                                             xml->path, xml->open_names[xml->depth - 1]);
        }
        if (starts_with(xml, "</"))
            return close_element(xml);
        if (xml->at[1] != '!' && xml->at[1] != '?') {
            *event = RW_XML_OPEN;
            return open_element(xml);
        }
        RW_TRY(skip_declaration(xml));
    }
}

const char *rw_xml_attribute(const rw_xml *xml, const char *name, const char *otherwise)
{
    for (size_t i = 0; i < xml->attribute_count; i++)
        if (strcmp(xml->attributes[i].name, name) == 0)
            return xml->attributes[i].value;
    return otherwise;
}

rw_status rw_xml_skip(rw_xml *xml)
{
    size_t outside = xml->depth - 1;
    rw_xml_event event;
    while (xml->depth > outside)
        RW_TRY(rw_xml_next(xml, &event));
    return RW_OK;
}

void rw_xml_write_text(FILE *file, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '<':
            fputs("&lt;", file);
            break;
        case '>':
            fputs("&gt;", file);
            break;
        case '&':
            fputs("&amp;", file);
            break;
        case '"':
            fputs("&quot;", file);
            break;
        default:
            fputc((unsigned char)*text < 32 ? ' ' : *text, file);
        }
}
