#include "output/paths/budgets.h"

#include "base/memory.h"
#include "base/options.h"
#include "base/text/json_write.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[] = {
#define RW_BUDGET_WORD(name, word, about) word,
    RW_BUDGET_NAMES(RW_BUDGET_WORD)
#undef RW_BUDGET_WORD
};

static const char *const descriptions[] = {
#define RW_BUDGET_ABOUT(name, word, about) about,
    RW_BUDGET_NAMES(RW_BUDGET_ABOUT)
#undef RW_BUDGET_ABOUT
};

rw_status rw_budgets_create(rw_context *context, size_t count, rw_budgets **budgets_out)
{
    rw_budgets *budgets;
    *budgets_out = NULL;
    RW_TRY(rw_array_create(context, 1, sizeof *budgets, "link budgets", &budgets));
    *budgets = (rw_budgets){.context = context, .count = count};
    rw_status status = rw_array_create(context, count, sizeof *budgets->items, "link budgets", &budgets->items);
    if (status == RW_OK)
        status = rw_array_create(context, count + 1, sizeof *budgets->first_rows, "link budgets", &budgets->first_rows);
    if (status == RW_OK)
        *budgets_out = budgets;
    else
        rw_budgets_destroy(budgets);
    return status;
}

void rw_budgets_destroy(rw_budgets *budgets)
{
    if (!budgets)
        return;
    rw_paths_destroy(budgets->paths);
    free(budgets->items);
    free(budgets->first_rows);
    free(budgets->rows);
    free(budgets);
}

rw_status rw_budgets_add_row(rw_budgets *budgets, size_t budget, rw_budget_part part, rw_budget_name name,
                             double value_db, double fraction, size_t path)
{
    RW_TRY(rw_array_reserve(budgets->context, &budgets->rows, &budgets->row_capacity, budgets->row_count + 1,
                            sizeof *budgets->rows, "link budgets"));
    budgets->rows[budgets->row_count++] = (rw_budget_row){.size = sizeof *budgets->rows,
                                                          .part = part,
                                                          .name = words[name],
                                                          .about = descriptions[name],
                                                          .value_db = value_db,
                                                          .fraction = fraction,
                                                          .path = path};
    budgets->first_rows[budget + 1] = budgets->row_count;
    return RW_OK;
}

size_t rw_budgets_count(const rw_budgets *budgets)
{
    return budgets->count;
}

const rw_paths *rw_budgets_paths(const rw_budgets *budgets)
{
    return budgets->has_arrival_paths ? budgets->paths : NULL;
}

/* The budget as stored, with its rows. */
static rw_link_budget find_budget(const rw_budgets *budgets, size_t index)
{
    rw_link_budget budget = budgets->items[index];
    budget.size = sizeof budget;
    budget.row_count = budgets->first_rows[index + 1] - budgets->first_rows[index];
    budget.rows = budget.row_count ? budgets->rows + budgets->first_rows[index] : NULL;
    return budget;
}

rw_status rw_budgets_get(const rw_budgets *budgets, size_t index, rw_link_budget *budget)
{
    if (index >= budgets->count)
        return rw_fail(budgets->context, RW_BAD_CALL, "there is no link budget %zu, only %zu", index, budgets->count);
    rw_link_budget found = find_budget(budgets, index);
    return RW_ASSIGN(budgets->context, &found, budget);
}

rw_status rw_budgets_get_row(const rw_budgets *budgets, size_t index, size_t row, rw_budget_row *out)
{
    if (index >= budgets->count || row >= find_budget(budgets, index).row_count)
        return rw_fail(budgets->context, RW_BAD_CALL, "there is no row %zu of link budget %zu", row, index);
    return RW_ASSIGN(budgets->context, &budgets->rows[budgets->first_rows[index] + row], out);
}

static void write_budget_rows(FILE *stream, const rw_link_budget *budget, const char *key, rw_budget_part part)
{
    const char *separator = "";
    fprintf(stream, ", \"%s\": [", key);
    for (size_t i = 0; i < budget->row_count; i++) {
        const rw_budget_row *row = &budget->rows[i];
        if (row->part != part)
            continue;
        fprintf(stream, "%s\n    {\"name\": \"%s\"", separator, row->name);
        rw_json_write_number_member(stream, strcmp(row->name, words[RW_BUDGET_NAME_TRANSMITTED]) == 0 ? "dbm" : "db",
                                    row->value_db);
        if (!isnan(row->fraction))
            rw_json_write_number_member(stream, "fraction", row->fraction);
        if (row->path != (size_t)-1)
            fprintf(stream, ", \"path\": %zu", row->path + 1);
        rw_json_write_string_member(stream, "about", row->about);
        fputc('}', stream);
        separator = ",";
    }
    fputc(']', stream);
}

static void write_link_budget(FILE *stream, const rw_budgets *budgets, const rw_link_budget *budget)
{
    const rw_point *point = &budgets->paths->points[budget->point];
    const rw_transmitter *transmitter = &budgets->paths->transmitters[budget->transmitter];
    fprintf(stream, "{\"point\": %zu, \"transmitter\": %zu", budget->point + 1, budget->transmitter + 1);
    rw_json_write_string_member(stream, "name", transmitter->name);
    rw_json_write_number_member(stream, "freq_hz", transmitter->freq_hz);
    rw_json_write_number_member(stream, "x_m", point->x_m);
    rw_json_write_number_member(stream, "y_m", point->y_m);
    rw_json_write_number_member(stream, "height_m", point->height_m);
    fprintf(stream, ", \"indoor\": %s", budget->indoor ? "true" : "false");
    rw_json_write_number_member(stream, "path_loss_db", budget->path_loss_db);
    rw_json_write_number_member(stream, "power_dbm", budget->power_dbm);
    rw_json_write_number_member(stream, "arrivals_db", budget->arrivals_db);
    rw_json_write_number_member(stream, "median_weight", budget->median_weight);
    rw_json_write_number_member(stream, "median_db", budget->median_db);
    rw_json_write_number_member(stream, "built_over", budget->built_over);
    rw_json_write_string_member(stream, "dominant", budget->dominant);
    write_budget_rows(stream, budget, "arrivals", RW_BUDGET_ARRIVAL);
    write_budget_rows(stream, budget, "loss", RW_BUDGET_LOSS);
    write_budget_rows(stream, budget, "power", RW_BUDGET_POWER);
    fputc('}', stream);
}

rw_status rw_budgets_to_json(const rw_budgets *budgets, char **string)
{
    size_t size;
    *string = NULL;
    FILE *stream = open_memstream(string, &size);
    if (!stream)
        return rw_fail(budgets->context, RW_OUT_OF_MEMORY, "no memory for link budgets as JSON");
    fputc('[', stream);
    for (size_t i = 0; i < budgets->count; i++) {
        rw_link_budget budget = find_budget(budgets, i);
        fputs(i ? ",\n  " : "\n  ", stream);
        write_link_budget(stream, budgets, &budget);
    }
    fputs("\n]\n", stream);
    if (fclose(stream) == 0)
        return RW_OK;
    free(*string);
    *string = NULL;
    return rw_fail(budgets->context, RW_OUT_OF_MEMORY, "no memory for link budgets as JSON");
}
