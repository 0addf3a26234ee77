/* In every window from 20x10 on there is a board, and nothing lies outside or
 * over something else. */
#include "term/screen_int.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { MOST_LINES = 70, MOST_COLUMNS = 200 };

static void check_inside(const Layout *l, int lines, int columns)
{
    assert_true(l->board_y >= 0 && l->board_x >= 2);
    /* The files' letters stand below the board, then come the status lines. */
    assert_true(l->board_y + l->board_h + 1 <= l->status_y);
    assert_true(l->board_x + l->board_w <= columns);
    assert_true(l->status_h >= 1 && l->status_y + l->status_h <= lines);
    assert_true(l->status_x >= 0 && l->status_x + l->status_w <= columns);
    if (!l->panel_h)
        return;
    assert_true(l->panel_y >= 0 && l->panel_y + l->panel_h <= l->status_y);
    assert_true(l->panel_x >= 0 && l->panel_x + l->panel_w <= columns);
    assert_true(l->panel_x >= l->board_x + l->board_w || l->panel_y > l->board_y + l->board_h);
}

/* Every square has room, lies on the board, and is found again under the mouse. */
static void check_squares(const Layout *l)
{
    for (int row = 0; row < 8; row++)
        for (int column = 0; column < 8; column++) {
            int y, x, h, w, r, c;
            layout_square(l, row, column, &y, &x, &h, &w);
            assert_true(h >= 1 && w >= 2);
            assert_true(y >= l->board_y && y + h <= l->board_y + l->board_h);
            assert_true(x >= l->board_x && x + w <= l->board_x + l->board_w);
            assert_true(layout_find_square(l, y + h / 2, x + w / 2, &r, &c));
            assert_int_equal(r, row);
            assert_int_equal(c, column);
        }
    int row, column;
    assert_false(layout_find_square(l, l->board_y - 2, l->board_x, &row, &column));
    assert_false(layout_find_square(l, l->board_y, l->board_x - 1, &row, &column));
    assert_false(layout_find_square(l, l->board_y + l->board_h + 1, l->board_x, &row, &column));
    assert_false(layout_find_square(l, l->board_y, l->board_x + l->board_w, &row, &column));
}

static void fits_every_window(void **state)
{
    (void)state;
    for (int halves = 0; halves < 2; halves++)
        for (int lines = 10; lines <= MOST_LINES; lines++)
            for (int columns = 20; columns <= MOST_COLUMNS; columns++) {
                Theme theme = {.halves = halves};
                Layout l;
                layout_find(&l, &theme, lines, columns);
                assert_true(l.fits);
                check_inside(&l, lines, columns);
                check_squares(&l);
            }
}

static void gives_up_below(void **state)
{
    (void)state;
    Theme theme = {.halves = true};
    Layout l;
    layout_find(&l, &theme, 9, 80);
    assert_false(l.fits);
    layout_find(&l, &theme, 24, 17);
    assert_false(l.fits);
    layout_find(&l, &theme, 0, 0);
    assert_false(l.fits);
}

/* The ordinary window has all: board, panel, both lines at the bottom. */
static void shows_all_in_an_ordinary_window(void **state)
{
    (void)state;
    for (int halves = 0; halves < 2; halves++) {
        Theme theme = {.halves = halves};
        Layout l;
        layout_find(&l, &theme, 24, 80);
        assert_true(l.panel_h >= 16 && l.panel_w >= 26 && l.status_h == 2);
        assert_int_equal(l.style, halves ? BOARD_HALF : BOARD_GRID);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fits_every_window),
        cmocka_unit_test(gives_up_below),
        cmocka_unit_test(shows_all_in_an_ordinary_window),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
