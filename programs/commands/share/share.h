/* A plan as one HTML file: its settings, what is packed into it, and the file. */
#ifndef COMMANDS_SHARE_SHARE_H
#define COMMANDS_SHARE_SHARE_H

#include "command.h"
#include "report/json.h"

/* Options. */
struct share_settings {
    struct input_options inputs;
    const char *out, *title, *author;
    int without_scene, each_transmitter, budgets; /* points with a link budget; 0: BUDGETS_DEFAULT */
};

#define BUDGETS_DEFAULT 200

struct share_plan {
    struct request request;
    rw_map *map;
    struct json json; /* the content that the page reads */
    char *contents;   /* a line for each thing that the file holds */
    FILE *contents_stream;
    size_t contents_size, layer_count;
    char date[32];
};

/* pack.c: numbers as bits. Integers have the difference from the number `stride` before them, cells of a map the
 * difference from their neighbours; both follow in Rice codes whose length adapts (Weinberger, Seroussi and Sapiro:
 * the LOCO-I algorithm, IEEE Trans. Image Processing 9 (2000), section II-C). The page unpacks them
 * (src/serve/web/src/share/unpack.ts). */
struct bit_writer {
    unsigned char *bytes;
    size_t size, capacity;
    unsigned bit_count; /* used bits of the last byte */
    int failed;         /* no memory */
};
void pack_integers(struct bit_writer *writer, const int32_t *values, size_t count, size_t stride);
void pack_cells(struct bit_writer *writer, const uint16_t *codes, size_t columns, size_t rows);
void bit_writer_free(struct bit_writer *writer);

/* The packed numbers as a string in base 64. Returns the exit status; the writer is freed. */
int write_packed(struct json *json, const char *key, struct bit_writer *writer);

/* scene.c, layers.c, points.c: members of the content. All return the exit status. */
int share_scene(struct call *call, struct share_plan *plan);
int share_layers(struct call *call, struct share_plan *plan);
int share_budgets(struct call *call, struct share_plan *plan);

/* Files that the build puts into the program: share.js and share.css; empty where the build has no page. */
struct share_page_file {
    const char *name; /* NULL: the end of the list */
    const unsigned char *bytes;
    size_t size;
    const char *sha256; /* base 64 */
};
extern const struct share_page_file share_page_files[];

/* page.c: the file. Returns the exit status. */
int write_share_page(struct call *call, const struct share_plan *plan, const char *content, size_t content_size);

/* Whether the build has the script of the page. */
int has_share_page(void);

#endif
