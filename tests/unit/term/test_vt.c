/* VT sequences: what is sent for a change of the screen, and what keys and the mouse send. */
#include "term/canvas_int.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { LINES_SHOWN = 2, COLUMNS_SHOWN = 4 };

static void fill(CanvasCell cells[LINES_SHOWN * COLUMNS_SHOWN])
{
    for (int i = 0; i < LINES_SHOWN * COLUMNS_SHOWN; i++)
        cells[i] = (CanvasCell){" ", {ANSI_DEFAULT, ANSI_DEFAULT, false, false}};
}

static void check_drawn(const CanvasGrid *now, const CanvasGrid *shown, int colors,
                        const char *expected)
{
    Text t;
    text_init(&t);
    vt_draw(now, shown, colors, &t);
    assert_string_equal(t.at, expected);
    text_free(&t);
}

static void test_changes_alone_are_sent(void **state)
{
    (void)state;
    CanvasCell old[LINES_SHOWN * COLUMNS_SHOWN], new[LINES_SHOWN * COLUMNS_SHOWN];
    CanvasGrid shown = {LINES_SHOWN, COLUMNS_SHOWN, 0, 0, old};
    CanvasGrid now = {LINES_SHOWN, COLUMNS_SHOWN, 1, 2, new};
    fill(old);
    fill(new);
    check_drawn(&now, &shown, 256, "\033[?25l\033[2;3H\033[?25h");
    new[5] = (CanvasCell){"x", {231, 2, true, false}};
    new[6] = (CanvasCell){"y", {231, 2, true, false}};
    check_drawn(&now, &shown, 256, "\033[?25l\033[2;2H\033[0;1;38;5;231;42mxy\033[2;3H\033[?25h");
    check_drawn(&now, &shown, 0, "\033[?25l\033[2;2H\033[0;1mxy\033[2;3H\033[?25h");
    /* After a character whose width is the terminal's business the place is told again. */
    new[5] = (CanvasCell){"♞", {ANSI_DEFAULT, ANSI_DEFAULT, false, true}};
    new[6] = new[4];
    new[6].text[0] = 'z';
    check_drawn(&now, &shown, 8,
                "\033[?25l\033[2;2H\033[0;7;39;49m♞\033[2;3H\033[0;39;49mz\033[2;3H\033[?25h");
}

/* A character of two columns has the cell behind it too, and is sent again with that. */
static void test_wide_characters(void **state)
{
    (void)state;
    CanvasCell old[LINES_SHOWN * COLUMNS_SHOWN], new[LINES_SHOWN * COLUMNS_SHOWN];
    CanvasGrid shown = {LINES_SHOWN, COLUMNS_SHOWN, 0, 0, old};
    CanvasGrid now = {LINES_SHOWN, COLUMNS_SHOWN, 0, 0, new};
    fill(old);
    fill(new);
    memcpy(new[1].text, "馬", sizeof "馬");
    memcpy(old[1].text, "馬", sizeof "馬");
    new[2].text[0] = '\0';
    check_drawn(&now, &shown, 0, "\033[?25l\033[1;2H\033[0m馬\033[1;1H\033[?25h");
}

static void check_key(const char *bytes, bool whole, int key, size_t used)
{
    CanvasMouse mouse;
    size_t taken = 0;
    assert_int_equal(vt_key(bytes, strlen(bytes), whole, &taken, &mouse), key);
    if (key != CANVAS_NO_KEY)
        assert_int_equal(taken, used);
}

static void test_keys(void **state)
{
    (void)state;
    check_key("e4", false, 'e', 1);
    check_key("\033[Ae", false, CANVAS_UP, 3);
    check_key("\033OB", false, CANVAS_DOWN, 3);
    check_key("\033[1;5C", false, CANVAS_RIGHT, 6);
    check_key("\033[5~", false, CANVAS_PAGE_UP, 4);
    check_key("\033OP", false, CANVAS_F1, 3);
    check_key("\033[99~", false, CANVAS_OTHER_KEY, 5);
    /* The beginning of a sequence, until no more comes. */
    check_key("\033", false, CANVAS_NO_KEY, 0);
    check_key("\033[1;", false, CANVAS_NO_KEY, 0);
    check_key("\033", true, 27, 1);
    check_key("\033e", false, 27, 1);
}

static void check_mouse(const char *bytes, int key, MouseAction action, int y, int x)
{
    CanvasMouse mouse;
    size_t used = 0;
    assert_int_equal(vt_key(bytes, strlen(bytes), false, &used, &mouse), key);
    assert_int_equal(used, strlen(bytes));
    if (key != CANVAS_MOUSE)
        return;
    assert_int_equal(mouse.action, action);
    assert_int_equal(mouse.y, y);
    assert_int_equal(mouse.x, x);
}

static void test_mouse(void **state)
{
    (void)state;
    check_mouse("\033[<0;26;5M", CANVAS_MOUSE, MOUSE_PRESS, 4, 25);
    check_mouse("\033[<0;300;9m", CANVAS_MOUSE, MOUSE_RELEASE, 8, 299);
    check_mouse("\033[<64;1;1M", CANVAS_MOUSE, MOUSE_WHEEL_UP, 0, 0);
    check_mouse("\033[<65;1;1M", CANVAS_MOUSE, MOUSE_WHEEL_DOWN, 0, 0);
    check_mouse("\033[<2;1;1M", CANVAS_OTHER_KEY, MOUSE_PRESS, 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_changes_alone_are_sent),
        cmocka_unit_test(test_wide_characters),
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_mouse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
