/* Charts as SVG. */
#include "base/chart.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static int count_of(const Text *t, const char *what)
{
    int count = 0;
    for (const char *at = t->at; (at = strstr(at, what)); at += strlen(what))
        count++;
    return count;
}

static void test_lines_and_legend(void **state)
{
    (void)state;
    const ChartPoint points[] = {{.x = 0, .y = 0},
                                 {.x = 1, .y = 50, .error = 10, .title = "a <b> & c"},
                                 {.x = 2, .y = 30, .hollow = true}};
    const ChartSeries series[] = {{.name = "<first>", .points = points, .count = 3, .dots = true},
                                  {.name = "second", .points = points, .count = 2, .dashed = true}};
    Text out;
    text_init(&out);
    chart_draw(&(Chart){.title = "Title & more",
                        .x_label = "generation",
                        .series = series,
                        .count = 2,
                        .least_step = 10},
               &out);
    assert_false(out.failed);
    assert_int_equal(count_of(&out, "<polyline"), 2);
    assert_int_equal(count_of(&out, "<circle"), 3);
    assert_int_equal(count_of(&out, "fill=\"#fff\" stroke"), 1);
    assert_int_equal(count_of(&out, "a &lt;b&gt; &amp; c"), 1);
    assert_int_equal(count_of(&out, "&lt;first&gt;"), 1);
    assert_int_equal(count_of(&out, "Title &amp; more"), 1);
    /* The line skips the hollow point: two pairs of coordinates each. */
    const char *line = strstr(out.at, "<polyline");
    int commas = 0;
    for (const char *at = strstr(line, "points="); *at != '>'; at++)
        commas += *at == ',';
    assert_int_equal(commas, 2);
    text_free(&out);
}

static void test_panels(void **state)
{
    (void)state;
    const ChartPoint points[] = {{.x = 0, .y = 5, .error = 2}, {.x = 1, .y = 6, .error = 1}};
    const ChartSeries series[] = {{.points = points, .count = 2, .kind = CHART_BAND},
                                  {.points = points, .count = 2, .kind = CHART_POINTS}};
    const Chart panels[] = {{.title = "one", .series = series, .count = 2, .least_step = 1},
                            {.title = "two", .series = series, .count = 1, .least_step = 1},
                            {.title = "three", .series = series, .count = 1, .least_step = 1}};
    Text out;
    text_init(&out);
    chart_draw_panels("Panels", "of three", panels, 3, &out);
    assert_int_equal(count_of(&out, "<polygon"), 3);
    assert_int_equal(count_of(&out, "<path"), 1);
    assert_int_equal(count_of(&out, ">three<"), 1);
    assert_string_equal(out.at + out.len - 7, "</svg>\n");
    text_free(&out);
}

static void test_bars(void **state)
{
    (void)state;
    const ChartBar bars[] = {{.label = "minimax", .note = "1,000", .value = 1000},
                             {.label = "null *", .note = "1", .value = 1, .color = 1}};
    const ChartBars group = {"position", "fen", bars, 2};
    Text out;
    text_init(&out);
    chart_draw_bars("Nodes", "logarithmic", "* not exact", &group, 1, &out);
    assert_int_equal(count_of(&out, "<rect x="), 2);
    assert_int_equal(count_of(&out, ">1k<"), 1); /* the scale ends at the largest value */
    assert_int_equal(count_of(&out, ">10k<"), 0);
    assert_int_equal(count_of(&out, ">1,000<"), 1);
    text_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_and_legend),
        cmocka_unit_test(test_panels),
        cmocka_unit_test(test_bars),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
