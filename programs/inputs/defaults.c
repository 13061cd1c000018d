/* What a prediction uses because neither an option nor a table names it: a map of 947 MHz is then not read as one of
 * another band. */
#include "inputs/inputs.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void append_default(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void append_default(char *text, size_t size, const char *format, ...)
{
    size_t length = strlen(text);
    va_list values;
    if (length)
        length += (size_t)snprintf(text + length, size - length, ", ");
    if (length >= size)
        return;
    va_start(values, format);
    vsnprintf(text + length, size - length, format, values);
    va_end(values);
}

/* Whether the header of a sites table has a column of one of the words. */
static int has_site_column(const char *path, const char *const *words)
{
    char line[2048] = "";
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file) && (line[0] == '#' || line[0] == '\n' || line[0] == '\r'))
        line[0] = 0;
    if (file)
        fclose(file);
    for (char *at = line; *at; at++)
        *at = (char)tolower((unsigned char)*at);
    for (; *words; words++)
        if (strstr(line, *words))
            return 1;
    return 0;
}

/* Power and antenna of --tx, or of a table that has no column of them. */
static void describe_equipment(struct call *call, const struct input_options *inputs, const struct request *request,
                               char *text, size_t size)
{
    static const char *const power_words[] = {"power", "eirp", "erp", NULL}, *const antenna_words[] = {"antenna", NULL};
    const rw_transmitter *first = request->options.transmitters;
    const char *table = inputs->sites.file;
    if (!first || !request->options.transmitter_count)
        return;
    if (table ? !has_site_column(table, power_words) : !is_option_given(call, "tx-power"))
        append_default(text, size, "%g dBm", first->power_dbm);
    if (table ? !has_site_column(table, antenna_words) : !inputs->sites.antenna)
        append_default(text, size, "%s antennas", first->antenna && *first->antenna ? first->antenna : "isotropic");
}

void describe_defaults(struct call *call, const struct input_options *inputs, const struct request *request,
                       const rw_map_info *info, char *text, size_t size)
{
    const rw_predict_options *options = &request->options;
    int uses_freq = 0;
    text[0] = 0;
    for (size_t i = 0; i < options->transmitter_count; i++)
        uses_freq |= !(options->transmitters[i].freq_hz > 0);
    if (uses_freq && !model_argument_value(call, "freq") && !model_argument_value(call, "params"))
        append_default(text, size, "%g MHz", options->freq_hz / 1e6);
    describe_equipment(call, inputs, request, text, size);
    if (info && !model_argument_value(call, "rx-height") && !info->has_plane)
        append_default(text, size, "receivers at %g m", info->rx_height_m);
    if (info && info->columns && !model_argument_value(call, "res") && !model_argument_value(call, "database"))
        append_default(text, size, "cells of %g m", info->res_m);
}
