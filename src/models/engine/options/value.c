/* One option: from its text to its field, and whether what is in the field is possible. */
#include "base/text/units.h"
#include "models/engine/model.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Fields of RW_OPTION_BINS, as they follow each other in rw_predict_options. */
typedef struct delay_bins {
    int count;
    double width_s, first_s;
} delay_bins;

_Static_assert(offsetof(rw_predict_options, delay_bin_s) - offsetof(rw_predict_options, delay_bins) ==
                       offsetof(delay_bins, width_s) &&
                   offsetof(rw_predict_options, delay_first_s) - offsetof(rw_predict_options, delay_bins) ==
                       offsetof(delay_bins, first_s),
               "delay_bins has the fields of the options");

static int is_string_type(rw_option_type type)
{
    return type == RW_OPTION_STRING || type == RW_OPTION_CHOICE || type == RW_OPTION_LIST || type == RW_OPTION_FILE ||
           type == RW_OPTION_STORED_FILE;
}

/* How many doubles the field holds; 0 of other fields. */
static int number_count(rw_option_type type)
{
    return type == RW_OPTION_QUANTITY ? 1 : type == RW_OPTION_AREA ? 4 : type == RW_OPTION_PLANE ? 9 : 0;
}

size_t rw_option_size(const rw_model_option *option)
{
    if (option->type == RW_OPTION_INTEGER)
        return sizeof(int);
    if (option->type == RW_OPTION_BINS)
        return sizeof(delay_bins);
    return number_count(option->type) ? (size_t)number_count(option->type) * sizeof(double) : sizeof(void *);
}

int rw_option_is_string(const rw_model_option *option)
{
    return is_string_type(option->type);
}

int rw_option_is_set(const rw_model_option *option, const void *field)
{
    if (option->type == RW_OPTION_INTEGER)
        return *(const int *)field != RW_UNSET;
    if (option->type == RW_OPTION_BINS) {
        const delay_bins *bins = field;
        return bins->count != RW_UNSET || !isnan(bins->width_s) || !isnan(bins->first_s);
    }
    for (int i = 0; i < number_count(option->type); i++)
        if (!isnan(((const double *)field)[i]))
            return 1;
    return number_count(option->type) == 0 && *(const void *const *)field != NULL;
}

void rw_option_unset(const rw_model_option *option, void *field)
{
    memset(field, 0, rw_option_size(option));
    if (option->type == RW_OPTION_INTEGER)
        *(int *)field = RW_UNSET;
    if (option->type == RW_OPTION_BINS)
        *(delay_bins *)field = (delay_bins){RW_UNSET, NAN, NAN};
    for (int i = 0; i < number_count(option->type); i++)
        ((double *)field)[i] = NAN;
}

static rw_status parse_integer_option(rw_context *context, const rw_model_option *option, const char *string,
                                      int *value)
{
    char *end;
    errno = 0;
    long number = strtol(string, &end, 10);
    int digits = isdigit((unsigned char)string[0]) || (string[0] == '-' && isdigit((unsigned char)string[1]));
    if (!digits || *end || errno || number > INT_MAX || number <= INT_MIN)
        return rw_fail(context, RW_BAD_CALL, "%s = %s: expected a whole number, such as 2", option->name, string);
    *value = (int)number;
    return RW_OK;
}

/* One number of a text that goes on after the separator; *text moves behind it. */
static rw_status parse_next_number(rw_context *context, const rw_model_option *option, rw_quantity quantity,
                                   char separator, const char **string, double *value)
{
    char number_string[128], message[512];
    size_t length = separator ? strcspn(*string, ",:") : strlen(*string);
    if (length >= sizeof number_string || (separator && (*string)[length] != separator))
        return rw_fail(context, RW_BAD_CALL, "%s = %s: expected a number and a '%c'", option->name, *string,
                       separator ? separator : ' ');
    snprintf(number_string, sizeof number_string, "%.*s", (int)length, *string);
    if (rw_parse_quantity(context, number_string, quantity, value) != RW_OK) {
        snprintf(message, sizeof message, "%s", rw_last_error(context));
        return rw_fail(context, RW_BAD_CALL, "%s: %s", option->name, message);
    }
    *string += length + (separator != 0);
    return RW_OK;
}

static rw_status parse_option_numbers(rw_context *context, const rw_model_option *option, const char *string,
                                      double *values)
{
    int count = number_count(option->type);
    for (int i = 0; i < count; i++) {
        char separator = (char)(i + 1 == count ? 0 : count == 9 && i % 3 == 2 ? ':' : ',');
        RW_TRY(parse_next_number(context, option, option->quantity, separator, &string, &values[i]));
    }
    return RW_OK;
}

/* "128,50ns" or "128,50ns,2us"; "0" and "128" keep the usual width. */
static rw_status parse_bins(rw_context *context, const rw_model_option *option, const char *string, delay_bins *bins)
{
    double count, width_s = 50e-9, first_s = 0;
    const char *at = string, *comma = strchr(string, ',');
    RW_TRY(parse_next_number(context, option, RW_QUANTITY_NUMBER, (char)(comma ? ',' : 0), &at, &count));
    if (comma) {
        int has_first = strchr(at, ',') != NULL;
        RW_TRY(parse_next_number(context, option, RW_QUANTITY_TIME_S, (char)(has_first ? ',' : 0), &at, &width_s));
        if (has_first)
            RW_TRY(parse_next_number(context, option, RW_QUANTITY_TIME_S, 0, &at, &first_s));
    }
    if (count != floor(count) || fabs(count) > 1e9)
        return rw_fail(context, RW_BAD_CALL, "%s = %s: expected a number of bins and their width, such as 128,50ns",
                       option->name, string);
    *bins = (delay_bins){(int)count, width_s, first_s};
    return RW_OK;
}

/* Bins may be chosen and their width not. */
static void fill_delay_bins(const delay_bins *default_bins, delay_bins *bins)
{
    bins->count = bins->count == RW_UNSET ? default_bins->count : bins->count;
    bins->width_s = rw_option_or(bins->width_s, default_bins->width_s);
    bins->first_s = rw_option_or(bins->first_s, default_bins->first_s);
}

rw_status rw_option_set_default(rw_context *context, const rw_model_option *option, void *field)
{
    if (!option->default_value || (rw_option_is_set(option, field) && option->type != RW_OPTION_BINS))
        return RW_OK;
    if (option->type != RW_OPTION_BINS)
        return rw_option_parse(context, option, option->default_value, field);
    delay_bins default_bins;
    RW_TRY(parse_bins(context, option, option->default_value, &default_bins));
    fill_delay_bins(&default_bins, field);
    return RW_OK;
}

rw_status rw_option_parse(rw_context *context, const rw_model_option *option, const char *string, void *field)
{
    if (option->type == RW_OPTION_INTEGER)
        return parse_integer_option(context, option, string, field);
    if (option->type == RW_OPTION_BINS)
        return parse_bins(context, option, string, field);
    if (number_count(option->type))
        return parse_option_numbers(context, option, string, field);
    if (!is_string_type(option->type))
        return rw_fail(context, RW_BAD_CALL, "%s is not set by a text: load the file and set the field", option->name);
    *(const char **)field = string;
    return RW_OK;
}

static rw_status check_range(rw_context *context, const rw_model_option *option, double value)
{
    char value_string[64], min_string[64], max_string[64];
    if (value >= option->min && value <= option->max)
        return RW_OK;
    rw_quantity_to_string(option->quantity, value, option->unit, value_string, sizeof value_string);
    rw_quantity_to_string(option->quantity, option->min, option->unit, min_string, sizeof min_string);
    rw_quantity_to_string(option->quantity, option->max, option->unit, max_string, sizeof max_string);
    char *unit = strchr(min_string, ' '), *same = strchr(max_string, ' ');
    if (unit && same && strcmp(unit, same) == 0)
        *unit = 0; /* "40 to 250 dB" */
    return isinf(option->max) ? rw_fail(context, RW_BAD_CALL, "%s = %s is out of range: %s or more", option->name,
                                        value_string, min_string)
                              : rw_fail(context, RW_BAD_CALL, "%s = %s is out of range: %s to %s", option->name,
                                        value_string, min_string, max_string);
}

static rw_status check_bins(rw_context *context, const rw_model_option *option, const delay_bins *bins)
{
    if (bins->count != RW_UNSET)
        RW_TRY(check_range(context, option, bins->count));
    double width_s = rw_option_or(bins->width_s, 50e-9), first_s = rw_option_or(bins->first_s, 0);
    if (!(width_s > 0) || !(width_s < 1) || !(fabs(first_s) < 1))
        return rw_fail(context, RW_BAD_CALL,
                       "%s: bins of %g s from %g s on are not possible; write for example 128,50ns", option->name,
                       width_s, first_s);
    return RW_OK;
}

static rw_status check_string_option(rw_context *context, const rw_model_option *option, const char *choices,
                                     const char *string)
{
    if (!*string)
        return rw_fail(context, RW_BAD_CALL, "%s is empty", option->name);
    if (option->type == RW_OPTION_CHOICE && (strchr(string, ',') || !rw_list_contains(choices, string)))
        return rw_fail(context, RW_BAD_CALL, "%s = %s: expected one of %s", option->name, string, choices);
    if (option->type != RW_OPTION_LIST)
        return RW_OK;
    char one[32]; /* "layers": there is no layer 'x' */
    snprintf(one, sizeof one, "%.*s", (int)strlen(option->name) - 1, option->name);
    return rw_list_check(context, string, choices, one);
}

rw_status rw_option_check(rw_context *context, const rw_model_option *option, const char *choices, const void *field)
{
    if (option->type == RW_OPTION_INTEGER)
        return check_range(context, option, *(const int *)field);
    if (option->type == RW_OPTION_BINS)
        return check_bins(context, option, field);
    for (int i = 0; i < number_count(option->type); i++)
        RW_TRY(check_range(context, option, ((const double *)field)[i]));
    return is_string_type(option->type) ? check_string_option(context, option, choices, *(const char *const *)field)
                                        : RW_OK;
}
