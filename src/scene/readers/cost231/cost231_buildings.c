/* From the walls of one COST 231 building to prisms.
 *
 * Walls are joined to rings. A ring inside a ring of the same building and height is a courtyard; a lower one is a
 * courtyard with a lower part in it; a higher one a part that rises out of the outer one. */
#include "scene/readers/cost231/cost231.h"

#include "base/memory.h"
#include "base/path.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct ring {
    size_t chain;
    double roof_height_m, ground_m;
    int solid;         /* 0: only a courtyard */
    size_t first_hole; /* list of the courtyards in it, over next_hole */
    size_t next_hole;
} ring;

typedef struct outlines {
    rw_cost231_reader *reader;
    const rw_cost231_wall *walls;
    rw_wall_loops chains;
    ring *rings;
    rw_ring_nesting *nested;
    size_t ring_count;
    RW_ARRAY(double) xy;
    RW_ARRAY(size_t) ring_sizes;
} outlines;

static void describe_wall_source(const outlines *work, size_t line, char *string, size_t size)
{
    snprintf(string, size, "%.80s, line %zu, building %u", rw_path_name(work->reader->path), line,
             work->walls[0].building);
}

static rw_status note_outline(outlines *work, size_t chain, const char *what)
{
    char example[RW_MESSAGE_MAX];
    describe_wall_source(work, work->walls[work->chains.segments.items[work->chains.first.items[chain]]].line, example,
                         sizeof example);
    return rw_scene_note(work->reader->scene, what, example);
}

/* Heights of a ring: those of its walls, weighted with their length where they differ. */
static rw_status measure_heights(outlines *work, ring *new_ring)
{
    size_t first = work->chains.first.items[new_ring->chain], last = work->chains.first.items[new_ring->chain + 1];
    const rw_cost231_wall *start = &work->walls[work->chains.segments.items[first]];
    double length_m = 0, roof = 0, ground = 0;
    int differ = 0;
    for (size_t i = first; i < last; i++) {
        const rw_cost231_wall *wall = &work->walls[work->chains.segments.items[i]];
        double wall_m = hypot(wall->segment.to.x - wall->segment.from.x, wall->segment.to.y - wall->segment.from.y);
        length_m += wall_m;
        roof += wall_m * wall->roof_height_m;
        ground += wall_m * wall->ground_m;
        differ |= wall->roof_height_m != start->roof_height_m || wall->ground_m != start->ground_m;
    }
    new_ring->roof_height_m = differ ? roof / length_m : start->roof_height_m;
    new_ring->ground_m = differ ? ground / length_m : start->ground_m;
    return differ
               ? note_outline(work, new_ring->chain, "outlines whose walls differ in height, set to their mean height")
               : RW_OK;
}

/* Walls that enclose no area are kept as what they are. */
static rw_status add_chain_panels(outlines *work, size_t chain)
{
    size_t last = work->chains.first.items[chain + 1] - (work->chains.closed.items[chain] ? 0 : 1);
    for (size_t i = work->chains.first.items[chain]; i < last; i++) {
        const rw_cost231_wall *wall = &work->walls[work->chains.segments.items[i]];
        char source[RW_MESSAGE_MAX];
        describe_wall_source(work, wall->line, source, sizeof source);
        rw_panel panel = {.size = sizeof panel,
                          .x0_m = wall->segment.from.x,
                          .y0_m = wall->segment.from.y,
                          .x1_m = wall->segment.to.x,
                          .y1_m = wall->segment.to.y,
                          .bottom_m = 0, /* above ground until there is one: read_cost231.c */
                          .top_m = wall->roof_height_m,
                          .source = source};
        RW_TRY(rw_scene_add_panel(work->reader->scene, &panel));
    }
    return note_outline(work, chain, "outlines that enclose no area, kept as free-standing walls");
}

/* Every chain becomes a ring with an area, or free-standing walls. */
static rw_status make_rings(outlines *work)
{
    for (size_t chain = 0; chain < rw_wall_loop_count(&work->chains); chain++) {
        size_t first = work->chains.first.items[chain];
        size_t count = work->chains.first.items[chain + 1] - first;
        const rw_vec2 *corners = work->chains.corners.items + first;
        rw_vec2 inner;
        ring new_ring = {.chain = chain, .first_hole = RW_NO_RING, .next_hole = RW_NO_RING};
        RW_TRY(measure_heights(work, &new_ring));
        RW_TRY(rw_ground_samples_add(work->reader->scene->context, &work->reader->grounds, corners, count,
                                     new_ring.ground_m));
        if (count < 3 || !rw_ring_inner_point(corners, count, &inner)) {
            RW_TRY(add_chain_panels(work, chain));
            continue;
        }
        if (!work->chains.closed.items[chain])
            RW_TRY(note_outline(work, chain, "open outlines closed by a straight wall"));
        work->nested[work->ring_count] = (rw_ring_nesting){.points = corners, .count = count};
        work->rings[work->ring_count++] = new_ring;
    }
    return RW_OK;
}

typedef struct depth_entry {
    size_t depth, ring;
} depth_entry;

static int compare_depths(const void *left, const void *right)
{
    const depth_entry *a = left, *b = right;
    if (a->depth != b->depth)
        return a->depth < b->depth ? -1 : 1;
    return a->ring < b->ring ? -1 : a->ring > b->ring;
}

/* Whether each ring is a part, a courtyard or both, from the outermost inwards. */
static rw_status assign_roles(outlines *work)
{
    depth_entry *order;
    RW_TRY(rw_array_create(work->reader->scene->context, work->ring_count, sizeof *order, "outlines", &order));
    for (size_t i = 0; i < work->ring_count; i++)
        order[i] = (depth_entry){work->nested[i].depth, i};
    qsort(order, work->ring_count, sizeof *order, compare_depths);
    for (size_t i = 0; i < work->ring_count; i++) {
        ring *now = &work->rings[order[i].ring];
        size_t parent = work->nested[order[i].ring].parent;
        ring *outer =
            &work->rings[parent == RW_NO_RING ? order[i].ring : parent]; /* itself where nothing is round it */
        int in_building = parent != RW_NO_RING && outer->solid;
        now->solid = !in_building || now->roof_height_m != outer->roof_height_m;
        if (in_building && now->roof_height_m <= outer->roof_height_m) {
            now->next_hole = outer->first_hole;
            outer->first_hole = order[i].ring;
        }
    }
    free(order);
    return RW_OK;
}

static rw_status append_ring(outlines *work, size_t index)
{
    rw_context *context = work->reader->scene->context;
    const rw_ring_nesting *nested = &work->nested[index];
    RW_TRY(RW_ARRAY_RESERVE(context, work->xy, 2 * nested->count, "outlines"));
    RW_TRY(RW_ARRAY_RESERVE(context, work->ring_sizes, 1, "outlines"));
    for (size_t i = 0; i < nested->count; i++) {
        work->xy.items[work->xy.count++] = nested->points[i].x;
        work->xy.items[work->xy.count++] = nested->points[i].y;
    }
    work->ring_sizes.items[work->ring_sizes.count++] = nested->count;
    return RW_OK;
}

static rw_status add_ring_part(outlines *work, size_t index)
{
    const ring *outer = &work->rings[index];
    work->xy.count = work->ring_sizes.count = 0;
    RW_TRY(append_ring(work, index));
    for (size_t hole = outer->first_hole; hole != RW_NO_RING; hole = work->rings[hole].next_hole)
        RW_TRY(append_ring(work, hole));
    char source[RW_MESSAGE_MAX];
    describe_wall_source(work, work->walls[work->chains.segments.items[work->chains.first.items[outer->chain]]].line,
                         source, sizeof source);
    rw_building building = {.size = sizeof building,
                            .building_id = work->walls[0].building,
                            .xy = work->xy.items,
                            .ring_sizes = work->ring_sizes.items,
                            .ring_count = work->ring_sizes.count,
                            .ground_m = work->reader->flat ? 0 : NAN, /* the terrain made of all altitudes */
                            .roof_height_m = outer->roof_height_m,
                            .source = source};
    return rw_scene_add_building(work->reader->scene, &building);
}

static rw_status add_ring_parts(outlines *work)
{
    rw_context *context = work->reader->scene->context;
    size_t max_rings = rw_wall_loop_count(&work->chains);
    RW_TRY(rw_array_create(context, max_rings, sizeof *work->rings, "outlines", &work->rings));
    RW_TRY(rw_array_create(context, max_rings, sizeof *work->nested, "outlines", &work->nested));
    RW_TRY(make_rings(work));
    RW_TRY(rw_nest_rings(context, work->nested, work->ring_count));
    RW_TRY(assign_roles(work));
    for (size_t i = 0; i < work->ring_count; i++)
        if (work->rings[i].solid)
            RW_TRY(add_ring_part(work, i));
    return RW_OK;
}

rw_status rw_cost231_add_building(rw_cost231_reader *reader, const rw_cost231_wall *walls, size_t count)
{
    rw_context *context = reader->scene->context;
    outlines work = {.reader = reader, .walls = walls};
    rw_segment *segments;
    RW_TRY(rw_array_create(context, count, sizeof *segments, "walls", &segments));
    for (size_t i = 0; i < count; i++)
        segments[i] = walls[i].segment;
    rw_status status = rw_join_walls(context, segments, count, &work.chains);
    if (status == RW_OK)
        status = add_ring_parts(&work);
    rw_wall_loops_free(&work.chains);
    free(segments);
    free(work.rings);
    free(work.nested);
    free(work.xy.items);
    free(work.ring_sizes.items);
    return status;
}
