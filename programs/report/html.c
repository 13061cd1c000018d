/* Reports as one HTML page that refers to no other file, so that it can be sent as it is. */
#include "report/report.h"

#include "command.h"

#include <math.h>
#include <stdlib.h>

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

char *encode_base64(const unsigned char *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *string = malloc(size / 3 * 4 + 5), *at = string;
    for (size_t i = 0; string && i < size; i += 3) {
        size_t left = size - i;
        unsigned bits =
            (unsigned)bytes[i] << 16 | (left > 1 ? (unsigned)bytes[i + 1] << 8 : 0) | (left > 2 ? bytes[i + 2] : 0);
        *at++ = digits[bits >> 18];
        *at++ = digits[bits >> 12 & 63];
        *at++ = left > 1 ? digits[bits >> 6 & 63] : '=';
        *at++ = left > 2 ? digits[bits & 63] : '=';
    }
    if (at)
        *at = 0;
    return string;
}

/* The content of a file in pieces that need no filling. */
static int write_base64(FILE *out, FILE *file)
{
    unsigned char piece[3 * 1024];
    size_t count;
    while ((count = fread(piece, 1, sizeof piece, file)) > 0) {
        char *string = encode_base64(piece, count);
        if (!string)
            return report_out_of_memory("the picture");
        fputs(string, out);
        free(string);
    }
    return 0;
}

int html_picture(FILE *out, const char *path, const char *title)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return report_error("%s: the picture cannot be read for the report", path);
    fputs("<figure><img alt=\"", out);
    html_text(out, title);
    fputs("\" src=\"data:image/png;base64,", out);
    int exit_status = write_base64(out, file);
    fputs("\"></figure>\n", out);
    fclose(file);
    return exit_status;
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

void html_transmitter(FILE *out, const rw_transmitter *tx, double freq_hz)
{
    fputs("<tr><td>", out);
    html_text(out, tx->name);
    fputs("</td>", out);
    html_number(out, "%.1f", tx->x_m);
    html_number(out, "%.1f", tx->y_m);
    html_number(out, "%g", tx->height_m);
    html_number(out, "%g&deg;", tx->azimuth_deg);
    html_number(out, "%g&deg;", tx->downtilt_deg);
    html_number(out, "%g", tx->power_dbm);
    html_number(out, "%.6g", (tx->freq_hz > 0 ? tx->freq_hz : freq_hz) / 1e6);
}
