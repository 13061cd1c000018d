/* The HTML file: what can be read without scripts (a picture, the transmitters, the list of contents), the content as
 * JSON, and the script that shows it. A policy allows this script and this style sheet alone, by their hashes, and no
 * connection. */
#include "commands/share/share.h"
#include "report/report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct share_page_file *find_page_file(const char *name)
{
    for (const struct share_page_file *file = share_page_files; file->name; file++)
        if (strcmp(file->name, name) == 0)
            return file;
    return NULL;
}

int has_share_page(void)
{
    return find_page_file("share.js") && find_page_file("share.css");
}

static void write_head(FILE *out, const struct share_settings *settings)
{
    const struct share_page_file *style = find_page_file("share.css"), *script = find_page_file("share.js");
    fprintf(out,
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta "
            "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'sha256-%s'; style-src "
            "'sha256-%s'; img-src data: blob:; base-uri 'none'; form-action 'none'\">\n",
            script->sha256, style->sha256);
    fputs("<meta name=\"viewport\" content=\"width=device-width\">\n<meta name=\"referrer\" content=\"no-referrer\">\n"
          "<title>",
          out);
    html_text(out, settings->title);
    fputs("</title>\n<style>", out);
    fwrite(style->bytes, 1, style->size, out);
    fputs("</style></head>\n", out);
}

static void write_site_table(FILE *out, const struct share_plan *plan)
{
    const rw_predict_options *options = &plan->request.options;
    fputs("<h2>Transmitters</h2>\n<div class=\"wide\"><table>\n<tr><th>Name</th><th>x (m)</th><th>y (m)</th>"
          "<th>Height (m)</th><th>Azimuth</th><th>Tilt</th><th>Power (dBm)</th><th>MHz</th><th>Antenna</th></tr>\n",
          out);
    for (size_t i = 0; i < options->transmitter_count; i++) {
        const rw_transmitter *tx = &options->transmitters[i];
        html_transmitter(out, tx, options->freq_hz);
        const char *slash = tx->antenna ? strrchr(tx->antenna, '/') : NULL; /* no folders of the sender */
        fputs("<td>", out);
        html_text(out, slash ? slash + 1 : tx->antenna ? tx->antenna : "isotropic");
        fputs("</td></tr>\n", out);
    }
    fputs("</table></div>\n", out);
}

static void write_contents_list(FILE *out, const char *contents)
{
    fputs("<h2>Contents of this file</h2>\n<ul>\n", out);
    while (*contents) {
        char line[512];
        size_t length = strcspn(contents, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, contents);
        fputs("<li>", out);
        html_text(out, line);
        fputs("</li>\n", out);
        contents += length + (contents[length] == '\n');
    }
    fputs("</ul>\n<p class=\"quiet\">Nothing else: no other file is read and no connection is made.</p>\n", out);
}

/* The first layer, of the strongest transmitter where it has an order. */
static int draw_still_picture(struct call *call, const struct share_plan *plan, const char *path)
{
    const struct share_settings *settings = call->settings;
    rw_map_draw_options options;
    rw_map_draw_options_init(&options);
    options.scene = settings->without_scene ? NULL : plan->request.scene;
    options.transmitters = plan->request.options.transmitters;
    options.transmitter_count = plan->request.options.transmitter_count;
    options.width_px = 900;
    (void)rw_map_select_strongest(plan->map); /* layers without an order: the picture is of the first transmitter */
    TRY_RW(call, rw_map_draw(plan->map, &options, path));
    return 0;
}

/* By a temporary file. */
static int write_still_picture_by(struct call *call, FILE *out, const struct share_plan *plan, const char *path)
{
    TRY(draw_still_picture(call, plan, path));
    fputs("<div id=\"picture\">", out);
    TRY(html_picture(out, path, "Map of the first layer"));
    fputs("</div>\n", out);
    return 0;
}

static int write_still_picture(struct call *call, FILE *out, const struct share_plan *plan)
{
    const char *parent = getenv("TMPDIR");
    char folder[512], path[600];
    snprintf(folder, sizeof folder, "%.480s/rasterwave-XXXXXX", parent && *parent ? parent : "/tmp");
    if (!mkdtemp(folder))
        return report_error("share: there is no folder for temporary files: set TMPDIR");
    snprintf(path, sizeof path, "%s/map.png", folder);
    int exit_status = write_still_picture_by(call, out, plan, path);
    unlink(path);
    rmdir(folder);
    return exit_status;
}

/* A sign that could end the element is written by its number. */
static void write_content_element(FILE *out, const char *content, size_t size)
{
    fputs("<script type=\"application/json\" id=\"content\">", out);
    for (size_t i = 0; i < size; i++)
        if (content[i] == '<')
            fputs("\\u003c", out);
        else
            fputc(content[i], out);
    fputs("</script>\n<script>", out);
    const struct share_page_file *script = find_page_file("share.js");
    fwrite(script->bytes, 1, script->size, out);
    fputs("</script>\n", out);
}

static int write_body(struct call *call, FILE *out, const struct share_plan *plan, const char *content, size_t size)
{
    const struct share_settings *settings = call->settings;
    fputs("<body>\n<header><h1>", out);
    html_text(out, settings->title);
    fputs("</h1><p class=\"quiet\">", out);
    if (settings->author) {
        html_text(out, settings->author);
        fputs(", ", out);
    }
    fprintf(out, "%s</p></header>\n<main id=\"view\"></main>\n", plan->date);
    TRY(write_still_picture(call, out, plan));
    write_site_table(out, plan);
    write_contents_list(out, plan->contents);
    write_content_element(out, content, size);
    fputs("</body></html>\n", out);
    return 0;
}

int write_share_page(struct call *call, const struct share_plan *plan, const char *content, size_t content_size)
{
    const struct share_settings *settings = call->settings;
    struct text_file file;
    FILE *out = begin_text_file(&file);
    int exit_status = 0;
    if (out) {
        write_head(out, settings);
        exit_status = write_body(call, out, plan, content, content_size);
    }
    return end_text_file(call, &file, settings->out, exit_status);
}
