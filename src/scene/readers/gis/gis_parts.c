/* Buildings and their parts, as OpenStreetMap keeps them (key building:part): where parts cover most of a building's
 * outline they stand for it, with their own heights, and share its number; parts of less stand beside it. */
#include "scene/readers/gis/gis.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* Share of an outline that its parts must cover to replace it. */
#define COVERED_FRACTION 0.5

/* An outline that may have parts: its box and area, in the scene's metres. */
typedef struct parent_outline {
    size_t outline;
    double low[2], high[2], area, covered;
} parent_outline;

typedef struct part_search {
    rw_gis_outlines *from;
    parent_outline *parents;
    size_t count;
    double widest;
} part_search;

static double outline_area(const rw_gis_outlines *from, const rw_gis_outline *outline)
{
    const double *xy = from->xy + 2 * outline->first_point;
    double area = 0;
    for (size_t ring = 0; ring < outline->ring_count; ring++) {
        size_t count = from->ring_sizes[outline->first_ring + ring];
        area += (ring ? -1 : 1) * rw_gis_ring_area(xy, count);
        xy += 2 * count;
    }
    return area;
}

static int outline_contains_point(const rw_gis_outlines *from, const rw_gis_outline *outline, double x, double y)
{
    const double *xy = from->xy + 2 * outline->first_point;
    int inside = 0;
    for (size_t ring = 0; ring < outline->ring_count; ring++) {
        size_t count = from->ring_sizes[outline->first_ring + ring];
        for (size_t i = 0, last = count - 1; i < count; last = i++) {
            const double *a = xy + 2 * i, *b = xy + 2 * last;
            if ((a[1] > y) != (b[1] > y) && x < (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]) + a[0])
                inside = !inside;
        }
        xy += 2 * count;
    }
    return inside;
}

/* A point inside an outline: the middle of the longest piece of a level line that lies inside it, halfway up. */
static int find_inside(const rw_gis_outlines *from, const rw_gis_outline *outline, double inside[2])
{
    enum { CROSSINGS_MAX = 64 };
    const double *xy = from->xy + 2 * outline->first_point;
    double low = INFINITY, high = -INFINITY, crossings[CROSSINGS_MAX], longest = 0;
    size_t count = 0;
    for (size_t i = 0; i < outline->point_count; i++) {
        low = fmin(low, xy[2 * i + 1]);
        high = fmax(high, xy[2 * i + 1]);
    }
    double level = low + 0.4871 * (high - low); /* past most corners */
    for (size_t ring = 0; ring < outline->ring_count; ring++) {
        size_t points = from->ring_sizes[outline->first_ring + ring];
        for (size_t i = 0, last = points - 1; i < points; last = i++) {
            const double *a = xy + 2 * i, *b = xy + 2 * last;
            if ((a[1] > level) != (b[1] > level) && count < CROSSINGS_MAX)
                crossings[count++] = (b[0] - a[0]) * (level - a[1]) / (b[1] - a[1]) + a[0];
        }
        xy += 2 * points;
    }
    for (size_t i = 1; i < count; i++) /* insertion: there are few */
        for (size_t k = i; k > 0 && crossings[k] < crossings[k - 1]; k--) {
            double swapped = crossings[k];
            crossings[k] = crossings[k - 1];
            crossings[k - 1] = swapped;
        }
    for (size_t i = 0; i + 1 < count; i += 2)
        if (crossings[i + 1] - crossings[i] > longest) {
            longest = crossings[i + 1] - crossings[i];
            inside[0] = 0.5 * (crossings[i] + crossings[i + 1]);
            inside[1] = level;
        }
    return longest > 0;
}

static parent_outline measure_parent(const rw_gis_outlines *from, size_t index)
{
    const rw_gis_outline *outline = &from->items[index];
    const double *xy = from->xy + 2 * outline->first_point;
    parent_outline new_outline = {index, {INFINITY, INFINITY}, {-INFINITY, -INFINITY}, outline_area(from, outline), 0};
    for (size_t i = 0; i < outline->point_count; i++)
        for (int axis = 0; axis < 2; axis++) {
            new_outline.low[axis] = fmin(new_outline.low[axis], xy[2 * i + (size_t)axis]);
            new_outline.high[axis] = fmax(new_outline.high[axis], xy[2 * i + (size_t)axis]);
        }
    return new_outline;
}

static int from_the_west(const void *a, const void *b)
{
    double first = ((const parent_outline *)a)->low[0], second = ((const parent_outline *)b)->low[0];
    return first < second ? -1 : first > second;
}

/* The first whole whose west side is not west of x. */
static size_t find_west(const part_search *search, double x)
{
    size_t low = 0, high = search->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (search->parents[middle].low[0] < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The smallest building around a part; NULL where there is none. */
static parent_outline *find_parent(const part_search *search, const rw_gis_outline *part)
{
    double at[2] = {0, 0};
    parent_outline *found = NULL;
    if (!find_inside(search->from, part, at))
        return NULL;
    for (size_t i = find_west(search, at[0] - search->widest); i < search->count; i++) {
        parent_outline *each = &search->parents[i];
        if (each->low[0] > at[0])
            break;
        if (at[0] <= each->high[0] && at[1] >= each->low[1] && at[1] <= each->high[1] &&
            (!found || each->area < found->area) &&
            outline_contains_point(search->from, &search->from->items[each->outline], at[0], at[1]))
            found = each;
    }
    return found;
}

static void list_parents(part_search *search)
{
    rw_gis_outlines *from = search->from;
    for (size_t i = 0; i < from->count; i++) {
        if (from->items[i].values.is_part)
            continue;
        parent_outline new_outline = measure_parent(from, i);
        if (!(new_outline.area > 0)) /* also what left the coordinate system */
            continue;
        search->parents[search->count++] = new_outline;
        search->widest = fmax(search->widest, new_outline.high[0] - new_outline.low[0]);
    }
    qsort(search->parents, search->count, sizeof *search->parents, from_the_west);
}

/* The number that a building and its parts share; one is given out where the file gives none. */
static uint32_t assign_building_id(rw_gis_outlines *from, const parent_outline *building)
{
    rw_gis_values *values = &from->items[building->outline].values;
    if (!values->building_id)
        values->building_id = from->scene->next_building++;
    return values->building_id;
}

static rw_status join_parts(part_search *search, parent_outline **owners)
{
    rw_gis_outlines *from = search->from;
    for (size_t i = 0; i < from->count; i++) {
        if (!from->items[i].values.is_part)
            continue;
        owners[i] = find_parent(search, &from->items[i]);
        if (owners[i])
            owners[i]->covered += outline_area(from, &from->items[i]);
    }
    for (size_t i = 0; i < from->count; i++) {
        if (!owners[i])
            continue;
        rw_gis_values *values = &from->items[i].values;
        values->building_id = values->building_id ? values->building_id : assign_building_id(from, owners[i]);
        rw_gis_outline *around = &from->items[owners[i]->outline];
        if (around->is_replaced || owners[i]->covered < COVERED_FRACTION * owners[i]->area)
            continue;
        around->is_replaced = 1;
        RW_TRY(rw_gis_note(from, "buildings replaced by their parts", around->feature));
    }
    return RW_OK;
}

rw_status rw_gis_replace_by_parts(rw_gis_outlines *from)
{
    rw_context *context = from->scene->context;
    part_search search = {.from = from};
    parent_outline **owners = NULL;
    size_t parts = 0;
    for (size_t i = 0; i < from->count; i++)
        parts += from->items[i].values.is_part != 0;
    if (parts == 0)
        return RW_OK;
    rw_status status = rw_array_create(context, from->count, sizeof *search.parents, "outlines", &search.parents);
    if (status == RW_OK)
        status = rw_array_create(context, from->count, sizeof *owners, "outlines", &owners);
    if (status == RW_OK) {
        list_parents(&search);
        status = join_parts(&search, owners);
    }
    free(search.parents);
    free(owners);
    return status;
}
