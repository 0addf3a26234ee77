/* The book inside the program. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../positions.h"
#include "book/book.h"
#include "chess/fen.h"

/* Walks every line of the book that begins at p; how many positions it knows on the way. */
static int walk(const Book *book, Position *p, int depth, size_t *moves)
{
    BookMove known[MAX_MOVES];
    int count = book_probe(book, p, known), positions = count > 0;
    for (int i = 0; i < count && depth > 0; i++) {
        Undo undo;
        assert_true(known[i].weight > 0);
        assert_true(i == 0 || known[i].weight <= known[i - 1].weight);
        (*moves)++;
        pos_make(p, known[i].move, &undo);
        positions += walk(book, p, depth - 1, moves);
        pos_unmake(p, known[i].move, &undo);
    }
    return positions;
}

static void it_is_small_and_goes_deep(void **state)
{
    (void)state;
    Book *book;
    Message why = {""};
    Position p;
    size_t moves = 0;
    assert_int_equal(book_open_own(&book, &why), STATUS_OK);
    assert_in_range(book_size(book), 1000, 150 * 1024 / 16);
    pos_set_start(&p);
    assert_true(walk(book, &p, 12, &moves) > 500);
    assert_true(moves > 1000);
    book_close(book);
}

static void names_lead_to_it(void **state)
{
    (void)state;
    Book *own, *named;
    Message why = {""};
    assert_int_equal(book_open_own(&own, &why), STATUS_OK);
    assert_int_equal(book_open_named(&named, "", &why), STATUS_OK);
    assert_int_equal(book_size(named), book_size(own));
    book_close(named);
    assert_int_equal(book_open_named(&named, "own", &why), STATUS_OK);
    assert_int_equal(book_size(named), book_size(own));
    book_close(named);
    assert_int_equal(book_open_named(&named, "/nonexistent", &why), STATUS_MISSING);
    assert_null(named);
    book_close(own);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_small_and_goes_deep),
        cmocka_unit_test(names_lead_to_it),
    };
    return cmocka_run_group_tests(tests, init_chess, NULL);
}
