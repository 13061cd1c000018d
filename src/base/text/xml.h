/* A small XML scanner: elements and attributes in the order of the file; text between them is stepped over.
 *
 * Comments, processing instructions, CDATA sections and a document type without declarations are skipped. Entities: the
 * five of XML and numbers. Nothing is fetched, nothing expands to more than it was, and depth and attributes are
 * bounded. */
#ifndef RW_BASE_TEXT_XML_H
#define RW_BASE_TEXT_XML_H

#include "base/context.h"

#include <stdio.h>

#define RW_XML_DEPTH_MAX 64
#define RW_XML_ATTRIBUTES_MAX 32

typedef enum rw_xml_event { RW_XML_OPEN, RW_XML_CLOSE, RW_XML_END } rw_xml_event;

typedef struct rw_xml {
    rw_context *context;
    const char *path;
    char *at, *end;
    size_t line; /* of the last event */
    size_t depth;
    const char *open_names[RW_XML_DEPTH_MAX];
    const char *name; /* of the element that was opened or closed; stays valid as long as the bytes */
    size_t attribute_count;
    struct {
        const char *name, *value;
    } attributes[RW_XML_ATTRIBUTES_MAX];
    int pending_close; /* after an element that closes itself */
} rw_xml;

/* Scans bytes in place: they are changed, must be followed by a zero byte, and must outlive what is read. */
void rw_xml_begin(rw_context *context, const char *path, char *bytes, size_t size, rw_xml *xml);

/* The next opening or closing of an element. An element that closes itself is opened, then closed. */
rw_status rw_xml_next(rw_xml *xml, rw_xml_event *event);

/* The value of an attribute of the element just opened, or the default. */
const char *rw_xml_attribute(const rw_xml *xml, const char *name, const char *otherwise);

/* After an opening: steps to the closing that belongs to it. */
rw_status rw_xml_skip(rw_xml *xml);

/* Writes text with its entities, as content or as the value of an attribute; control characters become spaces. */
void rw_xml_write_text(FILE *file, const char *text);

#endif
