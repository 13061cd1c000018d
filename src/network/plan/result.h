/* A finished plan: the choice, the steps that led to it, and predictions of it. */
#ifndef RW_NETWORK_PLAN_RESULT_H
#define RW_NETWORK_PLAN_RESULT_H

#include "network/plan/search.h"
#include "output/maps/map.h"

typedef struct rw_plan_choice {
    rw_transmitter transmitter; /* its texts are the plan's */
    size_t candidate;           /* as given */
    char *site;
    double cost, site_cost;
    rw_plan_keep keep;
} rw_plan_choice;

struct rw_plan {
    rw_context *context;
    char *crs;
    rw_plan_info info;
    rw_plan_choice *choices;
    size_t choice_count;
    rw_plan_step *steps;
    size_t step_count;
    rw_map *before, *after, *weights;
};

/* verify.c: predictions of what stays and of the choice, and their values. */
rw_status rw_plan_verify(const rw_plan_search *search, rw_plan *plan);

/* A value of the search in the unit of the objective. */
double rw_plan_unit_value(const rw_plan_search *search, int64_t value);

#endif
