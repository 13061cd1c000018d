/* From text to linear constraints. */
#include "calibrate/fitting/fitting.h"

#include "base/text/units.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* One constraint being read; the number stands on the right, all parameters on the left. */
typedef struct constraint_parser {
    rw_context *context;
    const rw_model *model;
    const char *at, *constraint;
    double *row, *bound;
} constraint_parser;

static rw_status reject_constraint(const constraint_parser *parser, const char *why)
{
    return rw_fail(parser->context, RW_BAD_CALL,
                   "constraint '%s': %s; write for example reflection2_db=reflection1_db, or "
                   "2*reflection1_db+diffraction1_db<=40",
                   parser->constraint, why);
}

static int measure_name(const char *at)
{
    int length = 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '_')
        length++;
    return length;
}

/* A parameter times a factor, or a number, with a sign for the side that it stands on. */
static rw_status parse_term(constraint_parser *parser, double sign)
{
    double factor = 1;
    int is_number = 0;
    if (isdigit((unsigned char)*parser->at) || *parser->at == '.') {
        size_t used = rw_parse_number(parser->at, &factor);
        if (used == 0 || !isfinite(factor))
            return reject_constraint(parser, "a number is not readable");
        parser->at += used;
        is_number = *parser->at != '*';
        parser->at += !is_number;
    }
    if (is_number) {
        *parser->bound -= sign * factor;
        return RW_OK;
    }
    int length = measure_name(parser->at);
    for (size_t i = 0; i < parser->model->parameter_count; i++) {
        const char *name = parser->model->parameters[i].name;
        if (length > 0 && strlen(name) == (size_t)length && strncmp(name, parser->at, (size_t)length) == 0) {
            parser->row[i] += sign * factor;
            parser->at += length;
            return RW_OK;
        }
    }
    return rw_fail(parser->context, RW_BAD_CALL, "constraint '%s': model %s has no parameter '%.*s'",
                   parser->constraint, parser->model->name, length, parser->at);
}

/* Terms up to a relation, a comma or the end. */
static rw_status parse_side(constraint_parser *parser, double side)
{
    double sign = side;
    if (*parser->at == '-' || *parser->at == '+')
        sign = *parser->at++ == '-' ? -side : side;
    RW_TRY(parse_term(parser, sign));
    while (*parser->at == '+' || *parser->at == '-') {
        sign = *parser->at++ == '-' ? -side : side;
        RW_TRY(parse_term(parser, sign));
    }
    return RW_OK;
}

static rw_status parse_constraint(constraint_parser *parser, int *equal)
{
    RW_TRY(parse_side(parser, 1));
    char relation = *parser->at;
    if (relation != '=' && relation != '<' && relation != '>')
        return reject_constraint(parser, "there must be one of =, <= and >=");
    parser->at += relation == '=' ? 1 : parser->at[1] == '=' ? 2 : 1;
    RW_TRY(parse_side(parser, -1));
    if (*parser->at && *parser->at != ',')
        return reject_constraint(parser, "it goes on after its end");
    *equal = relation == '=';
    double size = 0;
    for (size_t i = 0; i < parser->model->parameter_count; i++) {
        size += fabs(parser->row[i]);
        parser->row[i] *= relation == '>' ? -1 : 1;
    }
    *parser->bound *= relation == '>' ? -1 : 1;
    return size > 0 ? RW_OK : reject_constraint(parser, "no parameter is left in it");
}

rw_status rw_constraints_parse(rw_context *context, const rw_model *model, const char *string,
                               rw_constraints *constraints)
{
    constraint_parser reading = {.context = context, .model = model, .at = string, .constraint = string};
    memset(constraints, 0, sizeof *constraints);
    while (reading.at && *reading.at) {
        size_t at = constraints->count;
        if (at == RW_CONSTRAINTS_MAX)
            return reject_constraint(&reading, "there are more than 16");
        reading.row = constraints->rows[at];
        reading.bound = &constraints->bounds[at];
        RW_TRY(parse_constraint(&reading, &constraints->equal[at]));
        constraints->count++;
        reading.at += *reading.at == ',';
    }
    return RW_OK;
}
