/* Outlines of regions of a raster: fewer points (Douglas and Peucker 1973), and right angles where most sides have
 * them: the direction of the building is the mean of its sides' angles over a quarter turn, weighted by length. */
#include "scene/surface/surface.h"

#include <math.h>
#include <string.h>

#define POINTS_MAX 4096
#define SQUARE_FRACTION                                                                                                \
    0.75 /* resultant of the sides' quarter angles over their length: all at right angles 1, none 0                    \
          */
#define AREA_CHANGE_MAX 0.2

static double distance_to_line(rw_vec2 at, rw_vec2 from, rw_vec2 to)
{
    double dx = to.x - from.x, dy = to.y - from.y, length = hypot(dx, dy);
    return length > 0 ? fabs((at.x - from.x) * dy - (at.y - from.y) * dx) / length
                      : hypot(at.x - from.x, at.y - from.y);
}

/* Keeps what is farther than the tolerance from the line between two points that stay. */
static void mark_corners(const rw_vec2 *points, size_t count, size_t first, size_t last, double tolerance_m,
                         uint8_t *stays)
{
    size_t open[64][2] = {{first, last}}, count_open = 1; /* pieces between points that stay */
    while (count_open) {
        size_t begin = open[count_open - 1][0], end = open[count_open - 1][1], farthest = begin;
        double most_m = tolerance_m;
        count_open--;
        for (size_t i = begin + 1; i < end; i++) {
            double off_m = distance_to_line(points[i % count], points[begin % count], points[end % count]);
            if (off_m > most_m) {
                most_m = off_m;
                farthest = i;
            }
        }
        if (farthest == begin)
            continue;
        stays[farthest % count] = 1;
        if (count_open + 2 > sizeof open / sizeof *open)
            continue; /* deeper than any building's corners: the rest stays straight */
        open[count_open][0] = begin;
        open[count_open++][1] = farthest;
        open[count_open][0] = farthest;
        open[count_open++][1] = end;
    }
}

/* Starts at the two points that are farthest from each other, which are corners of any outline. */
static size_t drop_outline_points(rw_vec2 *points, size_t count, double tolerance_m)
{
    uint8_t stays[POINTS_MAX] = {0};
    size_t first = 0, second = 0, kept = 0;
    for (size_t pass = 0; pass < 3; pass++) {
        double most_m = -1;
        for (size_t i = 0; i < count; i++) {
            double apart_m = hypot(points[i].x - points[first].x, points[i].y - points[first].y);
            if (apart_m > most_m) {
                most_m = apart_m;
                second = i;
            }
        }
        size_t swap = first;
        first = second;
        second = swap;
    }
    if (first > second) {
        size_t swap = first;
        first = second;
        second = swap;
    }
    stays[first] = stays[second] = 1;
    mark_corners(points, count, first, second, tolerance_m, stays);
    mark_corners(points, count, second, first + count, tolerance_m, stays);
    for (size_t i = 0; i < count; i++)
        if (stays[i])
            points[kept++] = points[i];
    return kept;
}

/* Direction of the sides over a quarter turn, and how well they agree with it. */
static double find_direction(const rw_vec2 *points, size_t count, double *fraction)
{
    double sine = 0, cosine = 0, length = 0;
    for (size_t i = 0; i < count; i++) {
        rw_vec2 to = points[(i + 1) % count];
        double side = hypot(to.x - points[i].x, to.y - points[i].y),
               angle = atan2(to.y - points[i].y, to.x - points[i].x);
        sine += side * sin(4 * angle);
        cosine += side * cos(4 * angle);
        length += side;
    }
    *fraction = length > 0 ? hypot(sine, cosine) / length : 0;
    return atan2(sine, cosine) / 4;
}

/* Sides along one axis of the turned frame, one after another, as one line at their mean position. */
struct square_side {
    int along_x;
    double at, length;
};

static size_t merge_sides(const rw_vec2 *turned, size_t count, struct square_side *sides)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        rw_vec2 from = turned[i], to = turned[(i + 1) % count];
        int along_x = fabs(to.x - from.x) >= fabs(to.y - from.y);
        double length = along_x ? fabs(to.x - from.x) : fabs(to.y - from.y);
        double at = along_x ? 0.5 * (from.y + to.y) : 0.5 * (from.x + to.x);
        if (found && sides[found - 1].along_x == along_x) {
            struct square_side *last = &sides[found - 1];
            last->at = (last->at * last->length + at * length) / fmax(last->length + length, 1e-9);
            last->length += length;
        } else {
            sides[found++] = (struct square_side){along_x, at, length};
        }
    }
    if (found > 1 && sides[0].along_x == sides[found - 1].along_x) {
        struct square_side *last = &sides[--found];
        sides[0].at =
            (sides[0].at * sides[0].length + last->at * last->length) / fmax(sides[0].length + last->length, 1e-9);
        sides[0].length += last->length;
    }
    return found;
}

static int cross_sides(rw_vec2 a, rw_vec2 b, rw_vec2 c, rw_vec2 d)
{
    double abc = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    double abd = (b.x - a.x) * (d.y - a.y) - (b.y - a.y) * (d.x - a.x);
    double cda = (d.x - c.x) * (a.y - c.y) - (d.y - c.y) * (a.x - c.x);
    double cdb = (d.x - c.x) * (b.y - c.y) - (d.y - c.y) * (b.x - c.x);
    return abc * abd <= 0 && cda * cdb <= 0;
}

static int crosses_itself(const rw_vec2 *points, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 2; k < count; k++)
            if ((k + 1) % count != i && cross_sides(points[i], points[i + 1], points[k], points[(k + 1) % count]))
                return 1;
    return 0;
}

/* The outline with right angles; 0: it would be another one. */
static size_t square_outline(const rw_vec2 *points, size_t count, double direction, rw_vec2 *squared)
{
    static const double min_sides = 4;
    rw_vec2 turned[POINTS_MAX];
    struct square_side sides[POINTS_MAX];
    double sine = sin(direction), cosine = cos(direction);
    for (size_t i = 0; i < count; i++)
        turned[i] = rw_vec2_of(cosine * points[i].x + sine * points[i].y, -sine * points[i].x + cosine * points[i].y);
    size_t found = merge_sides(turned, count, sides);
    if ((double)found < min_sides || found % 2)
        return 0;
    for (size_t i = 0; i < found; i++) {
        const struct square_side *a = &sides[i], *b = &sides[(i + 1) % found];
        double x = a->along_x ? b->at : a->at, y = a->along_x ? a->at : b->at;
        squared[i] = rw_vec2_of(cosine * x - sine * y, sine * x + cosine * y);
    }
    double before = rw_ring_area(points, count), after = rw_ring_area(squared, found);
    return fabs(after - before) <= AREA_CHANGE_MAX * fabs(before) && !crosses_itself(squared, found) ? found : 0;
}

size_t rw_outline_simplify(rw_vec2 *points, size_t count, double tolerance_m, int *squared)
{
    rw_vec2 corners[POINTS_MAX];
    double fraction;
    *squared = 0;
    if (count > POINTS_MAX || count < 3)
        return count < 3 ? 0 : count;
    count = drop_outline_points(points, count, tolerance_m);
    double direction = find_direction(points, count, &fraction);
    size_t found = fraction >= SQUARE_FRACTION ? square_outline(points, count, direction, corners) : 0;
    if (found) {
        memcpy(points, corners, found * sizeof *corners);
        *squared = 1;
        return found;
    }
    return count >= 3 && fabs(rw_ring_area(points, count)) > 0 ? count : 0;
}
