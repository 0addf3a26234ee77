#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "service/json.h"

#include <string.h>

static Status reads(const char *text)
{
    Json j;
    Message why = {""};
    Status s = json_read(&j, span_of(text), &why);
    if (s == STATUS_OK)
        json_free(&j);
    else
        assert_true(why.text[0] != '\0');
    return s;
}

static void takes_what_the_standard_has(void **state)
{
    (void)state;
    static const char *const good[] = {
        "null",
        " true ",
        "false",
        "0",
        "-0",
        "12",
        "-1.5e+10",
        "1E3",
        "\"\"",
        "[]",
        "{}",
        "[1,[2,{\"a\":[]}],\"x\"]",
        "{\"a\":1,\"b\":{\"a\":2}}",
        "\"\\u00e9\\ud83d\\ude00\\n\"",
        "\"\xc3\xa9\"",
        "\t[\r\n1 , 2 ]\n",
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (reads(good[i]) != STATUS_OK)
            fail_msg("refused %s", good[i]);
}

static void refuses_everything_else(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",
        " ",
        "nul",
        "True",
        "01",
        "1.",
        ".5",
        "+1",
        "1e",
        "--1",
        "NaN",
        "'a'",
        "\"",
        "\"\n\"",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\\ud800\"",
        "\"\\udc00\"",
        "\"\\u0000\"",
        "\"\xff\"",
        "[1,]",
        "[1 2]",
        "[",
        "]",
        "{",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{a:1}",
        "{\"a\":1,\"a\":2}",
        "1 2",
        "[1]x",
        "{\"a\":1 \"b\":2}",
        "/* */ 1",
        "\"\\ud800\\u0041\"",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (reads(bad[i]) != STATUS_INVALID)
            fail_msg("took %s", bad[i]);
}

static void bounds_levels_and_values(void **state)
{
    (void)state;
    char deep[2 * JSON_MAX_DEPTH + 5] = "";
    memset(deep, '[', JSON_MAX_DEPTH);
    memset(deep + JSON_MAX_DEPTH, ']', JSON_MAX_DEPTH);
    assert_int_equal(reads(deep), STATUS_OK);
    memset(deep, '[', JSON_MAX_DEPTH + 2);
    memset(deep + JSON_MAX_DEPTH + 2, ']', JSON_MAX_DEPTH + 2);
    assert_int_equal(reads(deep), STATUS_INVALID);

    Text many;
    text_init(&many);
    json_open(&many, NULL, '[');
    for (int i = 0; i < JSON_MAX_NODES - 1; i++)
        json_put_int(&many, NULL, i);
    size_t len = many.len;
    json_close(&many, ']');
    assert_int_equal(reads(many.at), STATUS_OK);
    many.len = len;
    json_put_int(&many, NULL, 1);
    json_close(&many, ']');
    assert_int_equal(reads(many.at), STATUS_INVALID);
    text_free(&many);
}

static void finds_members(void **state)
{
    (void)state;
    Json j;
    Message why;
    static const char text[] =
        "{\"id\":7,\"do\":\"m\\u00e9\",\"list\":[1,{\"x\":true},3],\"big\":9007199254740993,"
        "\"half\":0.5}";
    assert_int_equal(json_read(&j, span_of(text), &why), STATUS_OK);
    int64_t n;
    Span s;
    bool b;
    assert_true(json_int(json_get(&j, j.nodes, "id"), 0, 10, &n));
    assert_int_equal(n, 7);
    assert_false(json_int(json_get(&j, j.nodes, "id"), 8, 10, &n));
    assert_false(json_int(json_get(&j, j.nodes, "half"), 0, 10, &n));
    assert_true(json_int(json_get(&j, j.nodes, "big"), 0, INT64_MAX, &n));
    assert_true(n == INT64_C(9007199254740993));
    assert_true(json_string(json_get(&j, j.nodes, "do"), &s));
    assert_true(span_is(s, "m\xc3\xa9"));
    assert_false(json_string(json_get(&j, j.nodes, "id"), &s));
    assert_null(json_get(&j, j.nodes, "x"));
    assert_null(json_get(&j, NULL, "x"));
    const JsonNode *list = json_get(&j, j.nodes, "list");
    int count = 0;
    for (const JsonNode *c = json_first(&j, list); c; c = json_next(&j, list, c))
        count++;
    assert_int_equal(count, 3);
    assert_true(json_bool(json_get(&j, json_next(&j, list, json_first(&j, list)), "x"), &b));
    assert_true(b);
    json_free(&j);
}

static void writes_what_it_reads(void **state)
{
    (void)state;
    Text t;
    text_init(&t);
    json_open(&t, NULL, '{');
    json_put_str(&t, "a", "q\"\\\n\x01[");
    json_put_int(&t, "b", -5);
    json_open(&t, "c", '[');
    json_put_null(&t, NULL);
    json_put_bool(&t, NULL, true);
    json_open(&t, NULL, '{');
    json_close(&t, '}');
    json_put_tenths(&t, NULL, 1.25);
    json_close(&t, ']');
    json_put_span(&t, "d", (Span){"\xe9", 1});
    json_put_str(&t, "e", NULL);
    json_close(&t, '}');
    assert_string_equal(t.at,
                        "{\"a\":\"q\\\"\\\\\\u000a\\u0001[\",\"b\":-5,\"c\":[null,true,{},1.2],"
                        "\"d\":\"\xc3\xa9\",\"e\":null}");
    assert_int_equal(reads(t.at), STATUS_OK);
    text_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_what_the_standard_has), cmocka_unit_test(refuses_everything_else),
        cmocka_unit_test(bounds_levels_and_values),    cmocka_unit_test(finds_members),
        cmocka_unit_test(writes_what_it_reads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
