/* Tables of a plan: candidates in, chosen sites out. */
#include "network/plan/plan.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/path.h"
#include "scene/antennas/site.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static rw_status read_keep_word(const rw_csv *csv, size_t row, rw_plan_keep *keep)
{
    static const struct {
        const char *word;
        rw_plan_keep keep;
    } words[] = {{"", RW_PLAN_FREE},    {"no", RW_PLAN_FREE}, {"0", RW_PLAN_FREE},
                 {"yes", RW_PLAN_KEEP}, {"1", RW_PLAN_KEEP},  {"fixed", RW_PLAN_FIXED}};
    const char *word = rw_csv_string(csv, row, rw_csv_find(csv, RW_PLAN_KEEP_COLUMN));
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(words[i].word, word) == 0) {
            *keep = words[i].keep;
            return RW_OK;
        }
    return rw_fail(csv->context, RW_BAD_INPUT, "%s, line %zu: keep is '%.40s': expected no, yes or fixed", csv->path,
                   csv->lines[row], word);
}

/* A table with a column name may also name sites; one with site alone names its rows by it. */
static const char *site_name(const rw_csv *csv, size_t row)
{
    int named = rw_csv_find(csv, "name") != RW_CSV_NO_COLUMN;
    return named ? rw_csv_string(csv, row, rw_csv_find(csv, RW_PLAN_SITE_COLUMN)) : "";
}

static rw_status read_candidate(const rw_csv *csv, size_t row, rw_plan_candidate *candidate)
{
    *candidate = (rw_plan_candidate){.cost = 1, .site = site_name(csv, row)};
    RW_TRY(
        rw_csv_optional_number(csv, row, rw_csv_find(csv, RW_PLAN_COST_COLUMN), RW_QUANTITY_NUMBER, &candidate->cost));
    RW_TRY(rw_csv_optional_number(csv, row, rw_csv_find(csv, RW_PLAN_SITE_COST_COLUMN), RW_QUANTITY_NUMBER,
                                  &candidate->site_cost));
    return read_keep_word(csv, row, &candidate->keep);
}

/* One piece of memory: the array in steps of the caller's size, then the names of sites. */
static rw_status pack_candidates(const rw_csv *csv, const size_t *rows, size_t count, size_t size,
                                 rw_plan_candidate **out)
{
    size_t bytes = count * size;
    char *block;
    for (size_t i = 0; i < count; i++)
        bytes += strlen(site_name(csv, rows[i])) + 1;
    RW_TRY(rw_array_create(csv->context, bytes, 1, "candidates", &block));
    char *names = block + count * size;
    rw_status status = RW_OK;
    for (size_t i = 0; i < count && status == RW_OK; i++) {
        rw_plan_candidate candidate;
        status = read_candidate(csv, rows[i], &candidate);
        strcpy(names, candidate.site);
        candidate.site = names;
        names += strlen(names) + 1;
        rw_defaults_copy(&candidate, sizeof candidate, block + i * size, size);
    }
    if (status == RW_OK)
        *out = (rw_plan_candidate *)(void *)block;
    else
        free(block);
    return status;
}

static rw_status load_candidate_rows(const rw_csv *csv, const rw_sites_options *options, size_t transmitter_size,
                                     size_t candidate_size, rw_transmitter **transmitters,
                                     rw_plan_candidate **candidates, size_t *count, size_t *skipped)
{
    size_t *rows = NULL;
    RW_TRY(rw_array_create(csv->context, csv->row_count + 1, sizeof *rows, "candidates", &rows));
    rw_status status = rw_sites_from_csv(csv, options, transmitter_size, transmitters, count,
                                         options->skip_bad ? skipped : NULL, rows);
    if (status == RW_OK)
        status = pack_candidates(csv, rows, *count, candidate_size, candidates);
    free(rows);
    if (status == RW_OK)
        return RW_OK;
    rw_free(*transmitters);
    *transmitters = NULL;
    *count = 0;
    return status;
}

rw_status rw_plan_candidates_load_sized(rw_context *context, const char *path, const rw_sites_options *user_options,
                                        size_t transmitter_size, size_t candidate_size, rw_transmitter **transmitters,
                                        rw_plan_candidate **candidates, size_t *count, size_t *skipped)
{
    rw_sites_options options;
    rw_csv csv;
    *transmitters = NULL;
    *candidates = NULL;
    *count = *skipped = 0;
    rw_sites_options_init(&options);
    if (user_options)
        RW_TRY(RW_RESOLVE(context, user_options, &options));
    RW_TRY(rw_options_check_size(context, transmitter_size));
    RW_TRY(rw_options_check_size(context, candidate_size));
    RW_TRY(rw_csv_read(context, path, &csv));
    rw_status status = options.columns ? rw_site_columns_rename(&csv, options.columns) : RW_OK;
    if (status == RW_OK)
        status = rw_site_bands_expand(&csv);
    if (status == RW_OK)
        status = load_candidate_rows(&csv, &options, transmitter_size, candidate_size, transmitters, candidates, count,
                                     skipped);
    rw_csv_free(&csv);
    return status;
}

/* A text as a field: in quotes, which are doubled. */
static void write_quoted_field(FILE *out, const char *string)
{
    fputc('"', out);
    for (; *string; string++) {
        if (*string == '"')
            fputc('"', out);
        fputc(*string, out);
    }
    fputc('"', out);
}

/* The antenna of a choice as the table names it: a file is copied beside the table, so that the folder is whole. Files
 * of one name from two folders get a number. */
static rw_status copy_antenna_file(const rw_plan *plan, size_t index, const char *table, char name[RW_PATH_MAX])
{
    const char *antenna = plan->choices[index].transmitter.antenna, *last = rw_path_name(antenna);
    char path[RW_PATH_MAX], *bytes;
    size_t size, first = 0, others = 0;
    snprintf(name, RW_PATH_MAX, "%s", antenna);
    if (!rw_path_is_regular_file(antenna))
        return RW_OK;
    for (; strcmp(plan->choices[first].transmitter.antenna, antenna) != 0; first++)
        others += strcmp(rw_path_name(plan->choices[first].transmitter.antenna), last) == 0;
    if (others)
        snprintf(name, RW_PATH_MAX, "%zu_%s", first + 1, last);
    else
        snprintf(name, RW_PATH_MAX, "%s", last);
    int length = snprintf(path, sizeof path, "%.*s%s", (int)(rw_path_name(table) - table), table, name);
    if (length >= RW_PATH_MAX)
        return rw_fail(plan->context, RW_BAD_CALL, "%.60s...: the path is too long", table);
    if (first < index) /* it is there */
        return RW_OK;
    RW_TRY(rw_file_read(plan->context, antenna, &bytes, &size));
    rw_status status = rw_write_file(plan->context, path, bytes, size);
    free(bytes);
    return status;
}

static void write_choice_row(FILE *out, const rw_plan_choice *choice, const char *antenna)
{
    static const char *const keep_words[] = {[RW_PLAN_FREE] = "no", [RW_PLAN_KEEP] = "yes", [RW_PLAN_FIXED] = "fixed"};
    const rw_transmitter *of = &choice->transmitter;
    write_quoted_field(out, of->name);
    fputc(',', out);
    write_quoted_field(out, choice->site);
    fprintf(out, ",%.10g,%.10g,%.10g,%.10g,%.10g,%.10g,%.10g,", of->x_m, of->y_m, of->height_m, of->azimuth_deg,
            of->downtilt_deg, of->roll_deg, of->power_dbm);
    if (of->freq_hz > 0)
        fprintf(out, "%.12g", of->freq_hz);
    fputc(',', out);
    write_quoted_field(out, antenna);
    fputc(',', out);
    write_quoted_field(out, of->channel);
    if (of->dual_polarised)
        fprintf(out, ",%s", of->slant_deg == 0 ? "vh" : "dual");
    else
        fprintf(out, ",%.10g", of->slant_deg);
    fputc(',', out);
    if (of->bandwidth_hz > 0)
        fprintf(out, "%.12g", of->bandwidth_hz);
    fputc(',', out);
    if (of->streams > 0)
        fprintf(out, "%d", of->streams);
    fputc(',', out);
    if (of->load != 0)
        fprintf(out, "%.10g", fmax(of->load, 0));
    fputc(',', out);
    if (of->radius_m > 0)
        fprintf(out, "%.10g", of->radius_m);
    fprintf(out, ",%.10g,%.10g,%s\n", choice->cost, choice->site_cost, keep_words[choice->keep]);
}

rw_status rw_plan_write_sites(const rw_plan *plan, const char *path)
{
    char *content = NULL;
    size_t size = 0;
    char antenna[RW_PATH_MAX];
    FILE *out = open_memstream(&content, &size);
    if (!out)
        return rw_fail(plan->context, RW_OUT_OF_MEMORY, "no memory for the table of sites");
    fputs("name,site,x,y,height,azimuth,tilt,roll,power,freq,antenna,channel,polarisation,bandwidth,mimo,load,radius,"
          "cost,site_cost,keep\n",
          out);
    rw_status status = RW_OK;
    for (size_t i = 0; i < plan->choice_count && status == RW_OK; i++) {
        status = copy_antenna_file(plan, i, path, antenna);
        write_choice_row(out, &plan->choices[i], antenna);
    }
    int failed = ferror(out) != 0;
    failed |= fclose(out) != 0;
    if (status == RW_OK)
        status = failed ? rw_fail(plan->context, RW_OUT_OF_MEMORY, "no memory for the table of sites")
                        : rw_write_file(plan->context, path, content, size);
    free(content);
    return status;
}
