/* labels: files */
/* Blocks of DXF drawings: what they expand to, and drawings that would expand to more than any memory holds. */
#include "base/memory.h"
#include "temporary.h"

/* The text of a drawing that a test composes. */
typedef struct dxf_text {
    char *bytes;
    size_t size;
} dxf_text;

static void append_dxf(dxf_text *text, const char *format, ...)
{
    char piece[512];
    va_list values;
    va_start(values, format);
    int length = vsnprintf(piece, sizeof piece, format, values);
    va_end(values);
    assert_true(length > 0 && (size_t)length < sizeof piece);
    text->bytes = realloc(text->bytes, text->size + (size_t)length + 1);
    assert_non_null(text->bytes);
    memcpy(text->bytes + text->size, piece, (size_t)length + 1);
    text->size += (size_t)length;
}

#define SECTION_OF(name) "0\nSECTION\n2\n" name "\n"
#define INSERT_OF "0\nINSERT\n8\nBRICK\n2\nb%d\n10\n0\n20\n%d\n70\n%d\n71\n%d\n44\n20\n45\n20\n"

/* Blocks b0, b1, ...: b0 has the lines given, each further one inserts the one before it several times in a grid. */
static const char *write_nested(const char *name, int levels, int inserts, int columns, int rows, int lines, int points)
{
    dxf_text text = {0};
    append_dxf(&text, SECTION_OF("BLOCKS") "0\nBLOCK\n2\nb0\n10\n0\n20\n0\n");
    for (int i = 0; i < lines; i++) {
        append_dxf(&text, "0\nLWPOLYLINE\n8\nBRICK\n70\n0\n");
        for (int j = 0; j < points; j++)
            append_dxf(&text, "10\n%d\n20\n%d\n", j, i % 7);
    }
    append_dxf(&text, "0\nENDBLK\n");
    for (int level = 1; level <= levels; level++) {
        append_dxf(&text, "0\nBLOCK\n2\nb%d\n10\n0\n20\n0\n", level);
        for (int i = 0; i < inserts; i++)
            append_dxf(&text, INSERT_OF, level - 1, 10 * i, columns, rows);
        append_dxf(&text, "0\nENDBLK\n");
    }
    append_dxf(&text, "0\nENDSEC\n" SECTION_OF("ENTITIES") INSERT_OF "0\nENDSEC\n0\nEOF\n", levels, 0, 1, 1);
    const char *path = write_bytes(name, text.bytes, text.size);
    free(text.bytes);
    return path;
}

static void copies_of_blocks_are_counted(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *scene = read_uncommitted(context, write_nested("grid.dxf", 2, 2, 3, 4, 1, 2));
    assert_int_equal(scene->panels.count, (2 * 3 * 4) * (2 * 3 * 4));
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

/* A block that inserts itself ends at the depth limit. */
static void blocks_that_contain_themselves_end(void **state)
{
    (void)state;
    rw_context *context = make_context();
    const char *path =
        write_text("self.dxf",
                   SECTION_OF("BLOCKS") "0\nBLOCK\n2\nA\n10\n0\n20\n0\n"
                                        "0\nLINE\n8\nBRICK\n10\n0\n20\n0\n11\n5\n21\n0\n"
                                        "0\nINSERT\n8\nBRICK\n2\na\n10\n0\n20\n1\n"
                                        "0\nENDBLK\n0\nENDSEC\n" SECTION_OF(
                                            "ENTITIES") "0\nINSERT\n8\nBRICK\n2\nA\n10\n0\n20\n0\n0\nENDSEC\n0\nEOF\n");
    rw_scene *scene = read_uncommitted(context, path);
    assert_int_equal(scene->panels.count, 8);
    assert_int_equal(count_note(scene, "blocks deeper than 8 in one another left out"), 1);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

/* Small files that expand to 1e9 insertions, 3e8 points, and more than a double holds: rejected before anything is
 * copied, which shows in the memory that it takes. */
static void bombs_are_rejected_before_they_expand(void **state)
{
    (void)state;
    static const struct {
        int levels, inserts, columns, rows, lines, points;
    } bombs[] = {
        {8, 10, 2, 2, 0, 0}, {6, 10, 10, 10, 1, 2}, {1, 60, 100, 100, 1, 20000}, {8, 50, 2000000, 2000000, 1, 2}};
    rw_context *context = make_context();
    double peak = rw_memory_peak();
    for (size_t i = 0; i < sizeof bombs / sizeof *bombs; i++)
        refuses(context,
                write_nested("bomb.dxf", bombs[i].levels, bombs[i].inserts, bombs[i].columns, bombs[i].rows,
                             bombs[i].lines, bombs[i].points),
                RW_TOO_LARGE, "its blocks expand to");
#ifdef RW_ADDRESS_SANITIZER /* which holds what is freed */
    (void)peak;
#else
    assert_true(rw_memory_peak() - peak < 100e6);
#endif
    rw_context_destroy(context);
}

/* Bulges become arcs of up to 32 points: counted before they are drawn. */
static void bulges_are_counted_before_they_expand(void **state)
{
    (void)state;
    rw_context *context = make_context();
    dxf_text text = {0};
    append_dxf(&text, SECTION_OF("ENTITIES") "0\nLWPOLYLINE\n8\nBRICK\n");
    for (int i = 0; i < 300000; i++)
        append_dxf(&text, "10\n%d\n20\n%d\n42\n99999\n", i % 7, i % 5);
    append_dxf(&text, "0\nENDSEC\n");
    refuses(context, write_bytes("bulges.dxf", text.bytes, text.size), RW_TOO_LARGE, "its lines expand to");
    free(text.bytes);
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(copies_of_blocks_are_counted),
                                       cmocka_unit_test(blocks_that_contain_themselves_end),
                                       cmocka_unit_test(bombs_are_rejected_before_they_expand),
                                       cmocka_unit_test(bulges_are_counted_before_they_expand)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
