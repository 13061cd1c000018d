/* labels: files */
/* Tables of comma-separated text. */
#include "base/text/csv.h"
#include "temporary.h"

static void reads_quotes_and_line_ends(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_csv csv;
    const char *path = write_text("a.csv", "\xEF\xBB\xBF Name , \"x, m\",y\r\n"
                                           "# a comment\r\n"
                                           "\r\n"
                                           "\"say \"\"hi\"\"\", 1.5km ,-2\r\n"
                                           "\"two\nlines\",3,\n"
                                           "last,4,5");
    assert_ok(context, rw_csv_read(context, path, &csv));
    assert_int_equal(csv.column_count, 3);
    assert_int_equal(csv.row_count, 3);
    assert_string_equal(csv.header[0], "Name");
    size_t x = rw_csv_find(&csv, "easting|X, M"), y = rw_csv_find(&csv, "y");
    assert_int_equal(x, 1);
    assert_string_equal(rw_csv_string(&csv, 0, 0), "say \"hi\"");
    assert_string_equal(rw_csv_string(&csv, 1, 0), "two\nlines");
    assert_int_equal(csv.lines[0], 4);
    assert_int_equal(csv.lines[1], 5);
    assert_int_equal(csv.lines[2], 7);
    double value = 0;
    assert_ok(context, rw_csv_required_number(&csv, 0, x, RW_QUANTITY_LENGTH_M, &value));
    assert_near(value, 1500, 0);
    value = 9;
    assert_ok(context, rw_csv_optional_number(&csv, 1, y, RW_QUANTITY_LENGTH_M, &value));
    assert_near(value, 9, 0);
    check_sentence(context, rw_csv_required_number(&csv, 1, y, RW_QUANTITY_LENGTH_M, &value), RW_BAD_INPUT,
                   "line 5, column y");
    rw_csv_free(&csv);
    rw_context_destroy(context);
}

static void finds_the_separator(void **state)
{
    (void)state;
    rw_context *context = make_context();
    static const char *const tables[] = {"a;b\n1;2\n", "a\tb\n1\t2\n", "a,b\n1,2\n"};
    for (size_t i = 0; i < 3; i++) {
        rw_csv csv;
        assert_ok(context, rw_csv_read(context, write_text("b.csv", tables[i]), &csv));
        assert_int_equal(csv.column_count, 2);
        assert_string_equal(rw_csv_string(&csv, 0, 1), "2");
        rw_csv_free(&csv);
    }
    rw_context_destroy(context);
}

static void refuses_bad_tables(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_csv csv;
    check_sentence(context, rw_csv_read(context, temporary_path("none.csv"), &csv), RW_NOT_FOUND, "none.csv");
    check_sentence(context, rw_csv_read(context, write_text("c.csv", ""), &csv), RW_BAD_INPUT, "empty");
    check_sentence(context, rw_csv_read(context, write_text("c.csv", "\n \n#x\n"), &csv), RW_BAD_INPUT, "header");
    check_sentence(context, rw_csv_read(context, write_text("c.csv", "a,b\n1,2\n3\n"), &csv), RW_BAD_INPUT, "line 3");
    check_sentence(context, rw_csv_read(context, write_text("c.csv", "a,b\n1,\"2\n3\n"), &csv), RW_BAD_INPUT, "line 2");
    check_sentence(context, rw_csv_read(context, write_text("c.csv", "a,b\n1,\"2\"3\n"), &csv), RW_BAD_INPUT, "line 2");
    check_sentence(context, rw_csv_read(context, write_bytes("c.csv", "a,b\n1\0,2\n", 9), &csv), RW_BAD_INPUT,
                   "zero byte");
    assert_ok(context, rw_csv_read(context, write_text("c.csv", "a,b\n1,2\n"), &csv));
    size_t column;
    check_sentence(context, rw_csv_require(&csv, "height|height_m", &column), RW_BAD_INPUT, "'height'");
    rw_csv_free(&csv);
    rw_context_destroy(context);
}

static void reads_numbers_without_a_header(void **state)
{
    (void)state;
    rw_context *context = make_context();
    static const char *const tables[] = {"1,2,nan\n3,4,5\n", " 1   2 nan \r\n\n3 4  5", "# x y\n1;2;nan\n3;4;5",
                                         "1\t2\tnan\n3\t4\t5\n"};
    static const size_t last_lines[] = {2, 3, 3, 2};
    for (size_t i = 0; i < 4; i++) {
        rw_csv csv;
        assert_ok(context, rw_csv_read_loose(context, write_text("n.csv", tables[i]), &csv));
        assert_false(csv.has_header);
        assert_int_equal(csv.column_count, 3);
        assert_int_equal(csv.row_count, 2);
        assert_string_equal(rw_csv_string(&csv, 0, 2), "nan");
        assert_string_equal(rw_csv_string(&csv, 1, 0), "3");
        assert_int_equal(csv.lines[1], last_lines[i]);
        assert_true(rw_csv_find(&csv, "x|1") == RW_CSV_NO_COLUMN);
        rw_csv_free(&csv);
    }
    rw_csv csv;
    assert_ok(context, rw_csv_read_loose(context, write_text("n.csv", "x y\n1 2\n"), &csv));
    assert_true(csv.has_header);
    assert_int_equal(rw_csv_find(&csv, "y"), 1);
    assert_string_equal(rw_csv_string(&csv, 0, 1), "2");
    rw_csv_free(&csv);
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reads_quotes_and_line_ends),
                                       cmocka_unit_test(finds_the_separator), cmocka_unit_test(refuses_bad_tables),
                                       cmocka_unit_test(reads_numbers_without_a_header)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
