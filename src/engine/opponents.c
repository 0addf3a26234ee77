#include "engine/opponents.h"

#include "classics/adaptive/adaptive.h"
#include "classics/chessbin/chessbin.h"
#include "classics/javachess/javachess.h"
#include "classics/kanji/kanji.h"
#include "classics/mantis/mantis.h"
#include "levels/level.h"

#include <ctype.h>
#include <string.h>

/* clang-format off */
static const OpponentRow opponent_rows[] = {
    {.name = "castellan", .title = "Castellan", .year = 2026, .rating = OPPONENT_UNRATED,
     .style = "The engine at full strength: the strongest opponent."},
    {.name = "javachess", .title = "JavaChess", .year = 2001, .rating = 1306, .ops = &javachess_ops,
     .style = "Opens with the Ruy Lopez, trades pieces when ahead, and resigns when it sees a mate."},
    {.name = "javachess-alphabeta", .title = "JavaChess, alpha-beta", .year = 2001, .rating = 1378,
     .style = "The same evaluation, always six plies deep and without a book: slow.",
     .ops = &javachess_ops, .preset = "agent=alphabeta"},
    {.name = "marmoset", .title = "Marmoset", .year = 2008, .rating = 100, .ops = &mantis_ops,
     .style = "Chess Mantis with its random evaluator: plays any legal move.",
     .preset = "evaluator=marmoset"},
    {.name = "capuchin", .title = "Capuchin", .year = 2008, .rating = 829, .ops = &mantis_ops,
     .style = "Chess Mantis counting material and nothing else; does not see mates.",
     .preset = "evaluator=capuchin"},
    {.name = "sifaka", .title = "Sifaka", .year = 2008, .rating = 928, .ops = &mantis_ops,
     .style = "Chess Mantis that also evaluates pawns; does not see mates.",
     .preset = "evaluator=sifaka"},
    {.name = "macaque", .title = "Macaque", .year = 2008, .rating = 1026, .ops = &mantis_ops,
     .style = "Chess Mantis that also values mobility, the centre and attacks on your king.",
     .preset = "evaluator=macaque"},
    {.name = "mantis", .title = "Chess Mantis", .year = 2008, .rating = 1023, .ops = &mantis_ops,
     .style = "The whole program: castles, pushes passed pawns, brings its queen out early."},
    {.name = "mantis-minimax", .title = "Chess Mantis, minimax", .year = 2008, .rating = 908,
     .style = "The same evaluation with the slower search, so it sees less far.",
     .ops = &mantis_ops, .preset = "analyser=minimax"},
    {.name = "mantis-random", .title = "Chess Mantis, random", .year = 2008, .rating = 1023,
     .style = "Chess Mantis with its random switch on: every game is different.",
     .ops = &mantis_ops, .preset = "random=on"},
    {.name = "chessbin-medium", .title = "ChessBin, medium", .year = 2010, .rating = 1736,
     .style = "Six plies and one more after a check; attacks undefended pieces.",
     .ops = &chessbin_ops, .preset = "level=medium"},
    {.name = "chessbin-hard", .title = "ChessBin, hard", .year = 2010, .rating = 1736,
     .style = "The same one ply deeper; slow without a clock.",
     .ops = &chessbin_ops, .preset = "level=hard"},
    {.name = "adaptive", .title = "The adaptive program", .year = 2011, .rating = 915,
     .style = "Two plies and four weights; accepts a draw when it stands worse.",
     .ops = &adaptive_ops},
    {.name = "adaptive-evolved", .title = "The adaptive program, evolved", .year = 2026, .rating = 885,
     .style = "The adaptive program with weights found by games against itself.",
     .ops = &adaptive_ops, .preset = "weights=evolved"},
    {.name = "kanji", .title = "Kanji", .year = 2014, .rating = 700, .ops = &kanji_ops,
     .style = "Every technique of its document at once, with an opening book."},
    {.name = "kanji-minimax", .title = "Kanji, minimax", .year = 2014, .rating = 890,
     .style = "The first step of the document: searches every move, four plies.",
     .ops = &kanji_ops, .preset = "technique=minimax,book=off"},
    {.name = "kanji-ab", .title = "Kanji, alpha-beta", .year = 2014, .rating = 954,
     .style = "Skips lines that cannot change the result; five plies.",
     .ops = &kanji_ops, .preset = "technique=alphabeta,book=off"},
    {.name = "kanji-tt", .title = "Kanji, table", .year = 2014, .rating = 967,
     .style = "Remembers positions it has searched; six plies.",
     .ops = &kanji_ops, .preset = "technique=table,book=off"},
    {.name = "kanji-order", .title = "Kanji, ordering", .year = 2014, .rating = 1104,
     .style = "Searches the best moves of the previous depth first.",
     .ops = &kanji_ops, .preset = "technique=order,book=off"},
    {.name = "kanji-null", .title = "Kanji, null move", .year = 2014, .rating = 1165,
     .style = "First tests what happens if it passes; eight plies.",
     .ops = &kanji_ops, .preset = "technique=all,book=off"},
    {.name = "kanji-quiescence", .title = "Kanji, quiescence", .year = 2014, .rating = 730,
     .style = "Three plies, then captures only; without the book.",
     .ops = &kanji_ops, .preset = "technique=quiescence,book=off"},
};
/* clang-format on */

enum {
    ROW_COUNT = sizeof opponent_rows / sizeof *opponent_rows,
    NAME_ROOM = 32,    /* longer ones are near to no name of ours */
    NEAR_ENOUGH = 3,   /* changed letters */
    UNKNOWN_SHOWN = 40 /* letters of it, in the message */
};

int opponents_count(void)
{
    return ROW_COUNT;
}

const OpponentRow *opponents_at(int index)
{
    return index >= 0 && index < ROW_COUNT ? &opponent_rows[index] : NULL;
}

/* The name in front of the first comma, and the settings behind it. */
static Span split(Span text, Span *settings)
{
    const char *comma = memchr(text.at, ',', text.len);
    size_t name = comma ? (size_t)(comma - text.at) : text.len;
    *settings = comma ? (Span){comma + 1, text.len - name - 1} : (Span){text.at + name, 0};
    return span_trim((Span){text.at, name});
}

const OpponentRow *opponents_find(Span text)
{
    Span settings, name = split(text, &settings);
    for (int i = 0; i < ROW_COUNT; i++)
        if (span_is_ignoring_case(name, opponent_rows[i].name))
            return &opponent_rows[i];
    return NULL;
}

/* An opponent of its own tries them: some name files. */
Status opponents_read(Span text, OpponentChoice *out, Message *why)
{
    Opponent *o = NULL;
    OpponentChoice choice = {.row = opponents_find(text)};
    split(text, &choice.settings);
    if (!choice.row)
        return opponents_unknown(text, why);
    if (choice.settings.len && !choice.row->ops)
        return status_fail(why, STATUS_INVALID, "%s has no opponent settings", choice.row->name);
    Status s = STATUS_OK;
    if (choice.settings.len)
        s = opponent_open(&o, choice.row, choice.settings, NULL, 1, why);
    if (s == STATUS_OK && o)
        choice.has_start = opponent_start(o, &choice.start);
    opponent_close(o);
    if (s == STATUS_OK)
        *out = choice;
    return s;
}

Status opponents_open(Opponent **out, OpponentSpec spec, uint64_t seed, Message *why)
{
    const LevelSetup level = {.elo = spec.elo};
    OpponentRow row = *spec.row;
    if (spec.elo) {
        row.rating = spec.elo;
        row.ops = &level_ops;
        row.setup = &level;
    }
    if (row.ops)
        return opponent_open(out, &row, span_of(spec.settings ? spec.settings : ""), spec.folder,
                             seed, why);
    *out = NULL;
    return STATUS_OK;
}

/* -- Near names -- */

/* How many letters must be put in, taken out or changed to make one name of the other. */
static int distance(Span typed, const char *name)
{
    int row[NAME_ROOM + 1];
    int len = (int)strlen(name);
    for (int j = 0; j <= len; j++)
        row[j] = j;
    for (size_t i = 0; i < typed.len; i++) {
        int corner = row[0]++;
        for (int j = 1; j <= len; j++) {
            int changed = corner + (tolower((unsigned char)typed.at[i]) != name[j - 1]);
            corner = row[j];
            int other = 1 + (row[j] < row[j - 1] ? row[j] : row[j - 1]);
            row[j] = changed < other ? changed : other;
        }
    }
    return row[len];
}

/* A slip of the fingers, or a part of the name. */
static bool is_near(Span typed, const char *name)
{
    if (typed.len == 0 || typed.len > NAME_ROOM || strlen(name) > NAME_ROOM)
        return false;
    int apart = distance(typed, name);
    int longer = (int)strlen(name) - (int)typed.len;
    bool is_part = typed.len >= 3 && longer > 0 && apart == longer;
    return is_part || (apart <= NEAR_ENOUGH && 2 * apart <= (int)typed.len);
}

Status opponents_unknown(Span text, Message *why)
{
    Text near = text_new();
    Span settings, name = split(text, &settings);
    char shown[UNKNOWN_SHOWN];
    for (int i = 0; i < ROW_COUNT; i++)
        if (is_near(name, opponent_rows[i].name))
            text_addf(&near, "%s%s", near.len ? ", " : "", opponent_rows[i].name);
    span_show(name, shown, sizeof shown);
    if (near.len)
        status_fail(why, STATUS_MISSING, "no opponent '%s'; similar names: %s", shown, near.at);
    else
        status_fail(why, STATUS_MISSING, "no opponent '%s'; castellan opponents lists them", shown);
    text_free(&near);
    return STATUS_MISSING;
}
