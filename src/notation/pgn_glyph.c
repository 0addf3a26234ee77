#include "notation/pgn_glyph_int.h"

typedef struct PgnGlyph {
    const char *text;
    int nag;
} PgnGlyph;

static const PgnGlyph glyphs[] = {
    {"!", 1},    {"?", 2},    {"!!", 3},  {"??", 4},    {"!?", 5},  {"?!", 6},
    {"=", 10},   {"~", 13},   {"+=", 14}, {"+/=", 14},  {"=+", 15}, {"=/+", 15},
    {"+/-", 16}, {"-/+", 17}, {"+-", 18}, {"-+", 19},   {"N", 146}, {"+", -1},
    {"++", -1},  {"#", -1},   {"ep", -1}, {"e.p.", -1}, {"ch", -1}, {"mate", -1},
};

bool pgn_glyph_find(Span s, int *nag)
{
    for (size_t i = 0; i < sizeof glyphs / sizeof *glyphs; i++) {
        if (span_is(s, glyphs[i].text)) {
            *nag = glyphs[i].nag;
            return true;
        }
    }
    return false;
}

const char *pgn_glyph_start(const char *word, const char *end)
{
    char last = end[-1];
    if ((last != '-' && last != '+' && last != '=') || end - word < 4)
        return end;
    if (end[-2] == '/')
        return end - 3;
    return (last == '-' && end[-2] == '+') || (last == '+' && end[-2] == '-') ? end - 2 : end;
}
