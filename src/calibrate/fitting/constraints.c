/* From text to linear constraints. */
#include "calibrate/fitting/constraints.h"

#include "base/text/units.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* One constraint being read; the number stands on the right, all parameters on the left. */
typedef struct constraint_text {
    rw_context *context;
    const rw_model *model;
    const char *at, *whole;
    double *row, *bound;
} constraint_text;

static rw_status refuse(const constraint_text *text, const char *why)
{
    return rw_fail(text->context, RW_BAD_CALL,
                   "constraint '%s': %s; write for example reflection2_db=reflection1_db, or "
                   "2*reflection1_db+diffraction1_db<=40",
                   text->whole, why);
}

static int name_length(const char *at)
{
    int length = 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '_')
        length++;
    return length;
}

/* A parameter times a factor, or a number, with a sign for the side that it stands on. */
static rw_status take_term(constraint_text *text, double sign)
{
    double factor = 1;
    int is_number = 0;
    if (isdigit((unsigned char)*text->at) || *text->at == '.') {
        size_t used = rw_parse_number(text->at, &factor);
        if (used == 0 || !isfinite(factor))
            return refuse(text, "a number is not readable");
        text->at += used;
        is_number = *text->at != '*';
        text->at += !is_number;
    }
    if (is_number) {
        *text->bound -= sign * factor;
        return RW_OK;
    }
    int length = name_length(text->at);
    for (size_t i = 0; i < text->model->parameter_count; i++) {
        const char *name = text->model->parameters[i].name;
        if (length > 0 && strlen(name) == (size_t)length && strncmp(name, text->at, (size_t)length) == 0) {
            text->row[i] += sign * factor;
            text->at += length;
            return RW_OK;
        }
    }
    return rw_fail(text->context, RW_BAD_CALL, "constraint '%s': model %s has no parameter '%.*s'", text->whole,
                   text->model->name, length, text->at);
}

/* Terms up to a relation, a comma or the end. */
static rw_status take_side(constraint_text *text, double side)
{
    double sign = side;
    if (*text->at == '-' || *text->at == '+')
        sign = *text->at++ == '-' ? -side : side;
    RW_TRY(take_term(text, sign));
    while (*text->at == '+' || *text->at == '-') {
        sign = *text->at++ == '-' ? -side : side;
        RW_TRY(take_term(text, sign));
    }
    return RW_OK;
}

static rw_status take_one(constraint_text *text, int *equal)
{
    RW_TRY(take_side(text, 1));
    char relation = *text->at;
    if (relation != '=' && relation != '<' && relation != '>')
        return refuse(text, "there must be one of =, <= and >=");
    text->at += relation == '=' ? 1 : text->at[1] == '=' ? 2 : 1;
    RW_TRY(take_side(text, -1));
    if (*text->at && *text->at != ',')
        return refuse(text, "it goes on after its end");
    *equal = relation == '=';
    double size = 0;
    for (size_t i = 0; i < text->model->parameter_count; i++) {
        size += fabs(text->row[i]);
        text->row[i] *= relation == '>' ? -1 : 1;
    }
    *text->bound *= relation == '>' ? -1 : 1;
    return size > 0 ? RW_OK : refuse(text, "no parameter is left in it");
}

rw_status rw_constraints_parse(rw_context *context, const rw_model *model, const char *text,
                               rw_constraints *constraints)
{
    constraint_text reading = {.context = context, .model = model, .at = text, .whole = text};
    memset(constraints, 0, sizeof *constraints);
    while (reading.at && *reading.at) {
        size_t at = constraints->count;
        if (at == RW_CONSTRAINTS_MAX)
            return refuse(&reading, "there are more than 16");
        reading.row = constraints->rows[at];
        reading.bound = &constraints->bounds[at];
        RW_TRY(take_one(&reading, &constraints->equal[at]));
        constraints->count++;
        reading.at += *reading.at == ',';
    }
    return RW_OK;
}
