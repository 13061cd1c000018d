/* Sites: lines of a table to transmitters, and transmitters of callers checked. */
#ifndef RW_SCENE_ANTENNAS_SITE_H
#define RW_SCENE_ANTENNAS_SITE_H

#include "base/text/csv.h"
#include "scene/antennas/antenna.h"

/* One line on its way to the caller's array: the texts are its own. */
typedef struct rw_site_line {
    rw_transmitter site;
    char *name, *antenna, *channel;
    int is_degrees; /* x and y are longitude and latitude */
    size_t row;     /* of the table */
} rw_site_line;

/* Names of a caller for columns of the table: "x=Easting,height=3". Names that no sites table has are rejected. */
rw_status rw_site_columns_rename(rw_csv *csv, const char *columns);

/* Number of the column of a sites table that a name means, the same for its synonyms; -1: none. */
int rw_site_column_group(const char *name);

/* Whether a list such as "freq|freq_hz" has a name, without regard to case. */
int rw_site_names_include(const char *names, const char *name);

/* site_bands.c: rows with several bands become a row for each band. Whether a name is that of a column and a band. */
rw_status rw_site_bands_expand(rw_csv *csv);
int rw_site_column_has_band(const char *name);

/* Whether the table has the columns that every site needs, and a warning for each that is not one of a sites table. */
rw_status rw_site_columns_check(const rw_csv *csv);

/* Reads a row; on failure the line is to be freed all the same. */
rw_status rw_site_line_read(const rw_csv *csv, size_t row, rw_site_line *line);

/* Rejects a row whose x, y (in the coordinate system) and longitude, latitude are over 1 m apart: which one is wrong is
 * not decided silently. Nothing is checked if a column or the system is missing, or the build cannot transform. */
rw_status rw_site_positions_check(const rw_csv *csv, size_t row, const char *crs);
void rw_site_line_free(rw_site_line *line);

/* Columns that only a plan reads. */
#define RW_PLAN_SITE_COLUMN "site"
#define RW_PLAN_COST_COLUMN "cost|sector_cost"
#define RW_PLAN_SITE_COST_COLUMN "site_cost"
#define RW_PLAN_KEEP_COLUMN "keep|existing"

/* site_tables.c: the sites of a table, as rw_sites_load_for has them. skipped NULL: bad lines are refused. rows, where
 * not NULL, has room for one number a row and receives the row of each site. */
rw_status rw_sites_from_csv(const rw_csv *csv, const rw_sites_options *options, size_t size, rw_transmitter **sites,
                            size_t *count, size_t *skipped, size_t *rows);

#endif
