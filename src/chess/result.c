#include "chess/result.h"

/* In the order of the results; then draws in short form, or with one half as a character of UTF-8
 * or Latin-1. */
static const struct {
    const char *text;
    Result result;
} rows[] = {
    {"*", RESULT_NONE},         {"1-0", RESULT_WHITE_WINS}, {"0-1", RESULT_BLACK_WINS},
    {"1/2-1/2", RESULT_DRAW},   {"1/2", RESULT_DRAW},       {"\xc2\xbd-\xc2\xbd", RESULT_DRAW},
    {"\xbd-\xbd", RESULT_DRAW},
};

const char *result_text(Result r)
{
    return rows[r].text;
}

bool result_read(Span text, Result *out)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (span_is(text, rows[i].text)) {
            *out = rows[i].result;
            return true;
        }
    }
    return false;
}
