#include "bench/reproduce/reproduce.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

rw_status rw_page_begin(rw_context *context, const char *folder, const char *name, rw_page *page)
{
    char path[4096];
    *page = (rw_page){.context = context, .folder = folder, .name = name};
    if (snprintf(path, sizeof path, "%s/%s.md", folder, name) >= (int)sizeof path)
        return rw_fail(context, RW_BAD_CALL, "%.60s...: the path is too long", folder);
    RW_TRY(rw_folder_create(context, folder));
    return rw_file_begin(context, path, &page->file);
}

rw_status rw_page_end(rw_page *page)
{
    if (page->status == RW_OK)
        return rw_file_commit(page->context, &page->file);
    rw_file_abandon(&page->file);
    return page->status;
}

void rw_page_try(rw_page *page, rw_status status)
{
    if (page->status == RW_OK)
        page->status = status;
}

static void print_list(rw_page *page, const char *before, const char *format, va_list values, const char *after)
{
    if (page->status != RW_OK)
        return;
    fputs(before, page->file.stream);
    vfprintf(page->file.stream, format, values);
    fputs(after, page->file.stream);
}

void rw_page_print(rw_page *page, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    print_list(page, "", format, values, "");
    va_end(values);
}

void rw_page_heading(rw_page *page, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    print_list(page, "## ", format, values, "\n\n");
    va_end(values);
}

void rw_page_text(rw_page *page, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    print_list(page, "", format, values, "\n\n");
    va_end(values);
}

void rw_page_table(rw_page *page, const char *columns)
{
    rw_page_print(page, "| %s |\n|", columns);
    for (const char *at = columns; at; at = strstr(at + 1, " | "))
        rw_page_print(page, " --- |");
    rw_page_print(page, "\n");
}

void rw_page_row(rw_page *page, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    print_list(page, "| ", format, values, " |\n");
    va_end(values);
}

void rw_page_table_end(rw_page *page)
{
    rw_page_print(page, "\n");
}

void rw_page_picture_path(const rw_page *page, const char *name, char *path, size_t size)
{
    snprintf(path, size, "%s/%s_%s.png", page->folder, page->name, name);
}

void rw_page_picture(rw_page *page, const char *name, const char *caption)
{
    rw_page_print(page, "![%s](%s_%s.png)\n\n", caption, page->name, name);
    rw_page_text(page, "%s", caption);
}

void rw_page_plot(rw_page *page, const char *name, const rw_plot *plot, const char *caption)
{
    char path[4096];
    if (page->status != RW_OK)
        return;
    rw_page_picture_path(page, name, path, sizeof path);
    rw_page_try(page, rw_plot_write(page->context, plot, path));
    rw_page_picture(page, name, caption);
}

void rw_page_map(rw_page *page, const char *name, const rw_map *map, const rw_map_draw_options *options,
                 const char *caption)
{
    char path[4096];
    if (page->status != RW_OK)
        return;
    rw_page_picture_path(page, name, path, sizeof path);
    rw_page_try(page, rw_map_draw(map, options, path));
    rw_page_picture(page, name, caption);
}
