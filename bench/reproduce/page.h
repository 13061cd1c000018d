/* A page of tables and pictures: Markdown, and PNG files beside it. Calls do nothing after one has failed; the first
 * failure is told at the end. */
#ifndef RW_BENCH_REPRODUCE_PAGE_H
#define RW_BENCH_REPRODUCE_PAGE_H

#include "base/file.h"
#include "output/pictures/plot.h"

typedef struct rw_page {
    rw_context *context;
    const char *folder, *name;
    rw_file_writer file;
    rw_status status;
} rw_page;

/* FOLDER/NAME.md; the folder is made where it is missing. */
rw_status rw_page_begin(rw_context *context, const char *folder, const char *name, rw_page *page);
/* Writes the page where nothing has failed, and none otherwise. */
rw_status rw_page_end(rw_page *page);

/* Markdown as it is, without a line end. */
void rw_page_print(rw_page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A heading of the second level; a paragraph. */
void rw_page_heading(rw_page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));
void rw_page_text(rw_page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A table: its columns, then its rows; cells are parted by " | ". rw_page_table_end closes it. */
void rw_page_table(rw_page *page, const char *columns);
void rw_page_row(rw_page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));
void rw_page_table_end(rw_page *page);

/* Pictures PAGE_NAME.png, with a caption below. A picture that something else writes: its path first, then its place on
 * the page. */
void rw_page_plot(rw_page *page, const char *name, const rw_plot *plot, const char *caption);
void rw_page_map(rw_page *page, const char *name, const rw_map *map, const rw_map_draw_options *options,
                 const char *caption);
void rw_page_picture_path(const rw_page *page, const char *name, char *path, size_t size);
void rw_page_picture(rw_page *page, const char *name, const char *caption);

/* Of the code that this program was built from: src, include, programs, bench. */
const char *rw_bench_code_hash(void);

/* Keeps the first failure. */
void rw_page_try(rw_page *page, rw_status status);

#endif
