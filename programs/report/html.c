/* Reports as one HTML page that refers to no other file, so that it can be sent as it is. */
#include "report/html.h"

#include "command.h"

#include <math.h>

static const char style[] =
    "body{font:15px/1.5 system-ui,sans-serif;color:#202228;max-width:1100px;margin:2em auto;padding:0 1em}"
    "h1{font-size:1.7em;margin-bottom:0}h2{font-size:1.2em;margin-top:2em;border-bottom:1px solid #d6d8de}"
    "table{border-collapse:collapse;margin:.8em 0}th,td{padding:.25em .9em .25em 0;text-align:left;vertical-align:top}"
    "th{color:#6e727c;font-weight:600}td.n{text-align:right;font-variant-numeric:tabular-nums}"
    "img{max-width:100%;border:1px solid #d6d8de}figure{margin:1.2em 0}.quiet{color:#6e727c}"
    "@media print{figure{break-inside:avoid}}";

void html_text(FILE *out, const char *text)
{
    for (; text && *text; text++)
        switch (*text) {
        case '&':
            fputs("&amp;", out);
            break;
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        default:
            fputc(*text, out);
            break;
        }
}

void html_row(FILE *out, const char *name, const char *value)
{
    fputs("<tr><th>", out);
    html_text(out, name);
    fputs("</th><td>", out);
    html_text(out, value);
    fputs("</td></tr>\n", out);
}

void html_number(FILE *out, const char *format, double value)
{
    fputs("<td class=\"n\">", out);
    if (isfinite(value))
        fprintf(out, format, value);
    fputs("</td>", out);
}

static void write_base64(FILE *out, FILE *file)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned char three[3];
    size_t got;
    while ((got = fread(three, 1, 3, file)) > 0) {
        unsigned bits = (unsigned)three[0] << 16 | (got > 1 ? (unsigned)three[1] << 8 : 0) | (got > 2 ? three[2] : 0);
        fputc(digits[bits >> 18], out);
        fputc(digits[bits >> 12 & 63], out);
        fputc(got > 1 ? digits[bits >> 6 & 63] : '=', out);
        fputc(got > 2 ? digits[bits & 63] : '=', out);
    }
}

int html_picture(FILE *out, const char *path, const char *title)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return report_error("%s: the picture cannot be read for the report", path);
    fputs("<figure><img alt=\"", out);
    html_text(out, title);
    fputs("\" src=\"data:image/png;base64,", out);
    write_base64(out, file);
    fputs("\"></figure>\n", out);
    fclose(file);
    return 0;
}

void html_begin(FILE *out, const char *title, const char *about)
{
    fputs("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
          "<meta name=\"viewport\" content=\"width=device-width\"><title>",
          out);
    html_text(out, title);
    fputs("</title><style>", out);
    fputs(style, out);
    fputs("</style></head><body>\n<h1>", out);
    html_text(out, title);
    fputs("</h1>\n<p class=\"quiet\">", out);
    html_text(out, about);
    fputs("</p>\n", out);
}

void html_end(FILE *out)
{
    fputs("</body></html>\n", out);
}
