/* Edges of merged polygons: what two polygons share disappears, and what decides about inside and outside comes first.
 */
#include "discretise/surfaces/surfaces.h"

#include <stdlib.h>
#include <string.h>

/* Ends of an edge in one order, to find the one that goes the other way. */
static void ordered_ends(const rw_surface_edge *edge, double ends[4])
{
    int swap = edge->u1 < edge->u0 || (edge->u1 == edge->u0 && edge->v1 < edge->v0);
    ends[0] = swap ? edge->u1 : edge->u0;
    ends[1] = swap ? edge->v1 : edge->v0;
    ends[2] = swap ? edge->u0 : edge->u1;
    ends[3] = swap ? edge->v0 : edge->v1;
}

static int compare_edge_ends(const void *left, const void *right)
{
    double a[4], b[4];
    ordered_ends(left, a);
    ordered_ends(right, b);
    for (int i = 0; i < 4; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

static int is_forward(const rw_surface_edge *edge)
{
    double ends[4];
    ordered_ends(edge, ends);
    return edge->u0 == ends[0] && edge->v0 == ends[1];
}

static rw_surface_edge turn_edge(const rw_surface_edge *edge)
{
    rw_surface_edge back = {edge->u1, edge->v1, edge->u0, edge->v0, {0}, {0}};
    memcpy(back.a, edge->b, sizeof back.a);
    memcpy(back.b, edge->a, sizeof back.b);
    return back;
}

/* Takes out pairs of edges that go to and fro between the same ends, and edges of no length. What goes one way several
 * times, where polygons overlap, stays as often, so that the winding stays right. */
static uint32_t cancel_edges(rw_surface_edge *edges, uint32_t count)
{
    qsort(edges, count, sizeof *edges, compare_edge_ends);
    uint32_t remaining = 0;
    for (uint32_t i = 0, next; i < count; i = next) {
        int winding = 0;
        for (next = i; next < count && compare_edge_ends(&edges[i], &edges[next]) == 0; next++)
            winding += is_forward(&edges[next]) ? 1 : -1;
        rw_surface_edge edge = is_forward(&edges[i]) == (winding > 0) ? edges[i] : turn_edge(&edges[i]);
        int empty = edge.u0 == edge.u1 && edge.v0 == edge.v1;
        for (int copy = 0; copy < abs(winding) && !empty; copy++)
            edges[remaining++] = edge;
    }
    return remaining;
}

/* Brings the edges along which v changes to the front; returns how many they are. Only these decide what is inside. */
static uint32_t steep_first(rw_surface_edge *edges, uint32_t count)
{
    uint32_t steep = 0;
    for (uint32_t i = 0; i < count; i++)
        if (edges[i].v0 != edges[i].v1) {
            rw_surface_edge moved = edges[i];
            edges[i] = edges[steep];
            edges[steep++] = moved;
        }
    return steep;
}

void rw_surface_edges_tidy(rw_surface_edge *edges, uint32_t count, rw_surface *surface)
{
    surface->edge_count = cancel_edges(edges, count);
    surface->steep_count = steep_first(edges, surface->edge_count);
}
