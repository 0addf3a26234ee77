/* Sessions: who is let in, for how long, and how often may be guessed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "server/sessions_int.h"

#include <string.h>

static const SessionPeer here = 1, there = 2;

static Sessions *opened(const char *password)
{
    Sessions *s;
    Message why;
    assert_int_equal(sessions_open(&s, password, &why), STATUS_OK);
    return s;
}

static Status guess(Sessions *s, SessionPeer peer, const char *password, int64_t now, char *token)
{
    Message why;
    return sessions_begin(s, peer, span_of(password), now, token, &why);
}

static void a_session_ends(void **state)
{
    (void)state;
    char token[SESSION_TOKEN_SIZE], other[SESSION_TOKEN_SIZE];
    const int64_t day = SESSION_SECONDS * INT64_C(1000);
    Sessions *s = opened(NULL);
    assert_int_equal(guess(s, here, "", 0, token), STATUS_OK);
    assert_int_equal(guess(s, here, "", 0, other), STATUS_OK);
    assert_string_not_equal(token, other);
    assert_true(sessions_renew(s, here, span_of(token), day - 1));
    assert_true(sessions_renew(s, here, span_of(token), 2 * day - 2)); /* used meanwhile */
    assert_false(sessions_renew(s, here, span_of(other), day + 1));    /* not used for a day */
    assert_false(sessions_renew(s, here, span_of(token), 4 * day));
    assert_int_equal(guess(s, here, "", 0, token), STATUS_OK);
    sessions_end(s, span_of(token));
    assert_false(sessions_renew(s, here, span_of(token), 1));
    assert_false(sessions_renew(s, here, span_of(""), 1));
    sessions_close(s);
}

static void a_token_is_good_for_one_address(void **state)
{
    (void)state;
    char token[SESSION_TOKEN_SIZE];
    Sessions *s = opened(NULL);
    assert_int_equal(guess(s, here, "", 0, token), STATUS_OK);
    assert_false(sessions_renew(s, there, span_of(token), 1));
    assert_true(sessions_renew(s, here, span_of(token), 1));
    sessions_close(s);
}

static void guesses_are_counted_for_each_address(void **state)
{
    (void)state;
    char token[SESSION_TOKEN_SIZE];
    Sessions *s = opened("open sesame");
    for (int i = 0; i < 5; i++)
        assert_int_equal(guess(s, there, "wrong", i, token), STATUS_INVALID);
    assert_int_equal(guess(s, there, "open sesame", 10, token), STATUS_REFUSED);
    assert_int_equal(guess(s, here, "open sesame", 10, token), STATUS_OK);
    assert_int_equal(guess(s, here, "", 10, token), STATUS_INVALID);
    assert_int_equal(guess(s, there, "open sesame", 61000, token), STATUS_OK);
    sessions_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_session_ends),
        cmocka_unit_test(a_token_is_good_for_one_address),
        cmocka_unit_test(guesses_are_counted_for_each_address),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
