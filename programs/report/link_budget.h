/* Link budgets as text and in JSON: how the values of a map are composed at points. */
#ifndef REPORT_LINK_BUDGET_H
#define REPORT_LINK_BUDGET_H

#include "command.h"

/* One link budget as a table. */
void print_link_budget(const rw_link_budget *budget);

/* A JSON object with the budgets as its last member, to be freed; NULL: it failed, and that is reported. */
char *add_budgets_to_json(struct call *call, const char *object, const rw_budgets *budgets);

#endif
