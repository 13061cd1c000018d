#include "report/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ARRIVALS_LISTED_MAX 12

static void print_part(const rw_link_budget *budget, rw_budget_part part)
{
    size_t listed = 0;
    for (size_t i = 0; i < budget->row_count; i++) {
        const rw_budget_row *row = &budget->rows[i];
        int is_path = row->path != (size_t)-1;
        if (row->part != part || (is_path && listed++ >= ARRIVALS_LISTED_MAX))
            continue;
        printf("    %-58s %9.2f", row->about, fabs(row->value_db) < 0.005 ? 0.0 : row->value_db);
        if (!isnan(row->fraction))
            printf("  %5.1f %%", 100 * row->fraction);
        else if (strcmp(row->name, "median") == 0)
            printf("  weight %.2f", budget->median_weight);
        else if (strcmp(row->name, "transmitted") == 0)
            printf("  dBm");
        putchar('\n');
    }
    if (listed > ARRIVALS_LISTED_MAX)
        printf("    and %zu more paths\n", listed - ARRIVALS_LISTED_MAX);
}

void print_link_budget(const rw_link_budget *budget)
{
    if (budget->indoor || budget->row_count == 0)
        return;
    printf("  link budget of the map's value, in dB:\n");
    print_part(budget, RW_BUDGET_ARRIVAL);
    printf("    %-58s %9.2f\n", "= all arrivals", budget->arrivals_db);
    print_part(budget, RW_BUDGET_LOSS);
    printf("    %-58s %9.2f\n", "= path loss", budget->path_loss_db);
    print_part(budget, RW_BUDGET_POWER);
    printf("    %-58s %9.2f  dBm\n", "= received power", budget->power_dbm);
}

char *add_budgets_to_json(struct call *call, const char *object, const rw_budgets *budgets)
{
    char *json, *string = NULL;
    size_t size;
    const char *end = strrchr(object, '}');
    rw_status status = rw_budgets_to_json(budgets, &json);
    if (status != RW_OK) {
        report_status(call, status);
        return NULL;
    }
    FILE *stream = open_memstream(&string, &size);
    if (stream)
        fprintf(stream, "%.*s,\n\"budgets\": %s}\n", (int)(end - object), object, json);
    rw_free(json);
    if (stream && fclose(stream) == 0)
        return string;
    report_out_of_memory("the link budgets");
    return NULL;
}
