/* Files that the build puts into the program: the page and the description of the interface. */
#ifndef RW_SERVE_PAGE_H
#define RW_SERVE_PAGE_H

#include <stddef.h>

struct serve_embedded {
    const char *name; /* "index.html", "assets/page.js"; NULL: the end of the list */
    const unsigned char *bytes;
    size_t size;
};

extern const struct serve_embedded serve_page_files[];    /* compressed with gzip; empty where the build has no page */
extern const struct serve_embedded serve_openapi_files[]; /* openapi.json, as it is */

#endif
