#include "engine/opponents.h"

#include "classics/adaptive/adaptive.h"
#include "classics/chessbin/chessbin.h"
#include "classics/javachess/javachess.h"
#include "classics/kanji/kanji.h"
#include "classics/mantis/mantis.h"

#include <string.h>

/* clang-format off */
static const OpponentRow opponent_rows[] = {
    {.name = "castellan", .title = "Castellan", .year = 2026, .rating = OPPONENT_UNRATED,
     .style = "The strongest here: sees far, and forgives nothing."},
    {.name = "javachess", .title = "JavaChess", .year = 2001, .rating = 1306,
     .style = "Opens with the Ruy Lopez, trades when ahead, and gives up when it sees the mate.",
     .ops = &javachess_ops, .setup = &javachess_by_mtdf},
    {.name = "javachess-alphabeta", .title = "JavaChess, alpha-beta", .year = 2001, .rating = 1378,
     .style = "The same judgement, always six plies deep and without a book: it takes its time.",
     .ops = &javachess_ops, .setup = &javachess_by_alphabeta},
    {.name = "marmoset", .title = "Marmoset", .year = 2008, .rating = 100,
     .style = "Chess Mantis with no mind of its own: any legal move will do.",
     .ops = &mantis_ops, .setup = &mantis_marmoset},
    {.name = "capuchin", .title = "Capuchin", .year = 2008, .rating = 829,
     .style = "Chess Mantis counting men, and nothing else; never sees a mate coming.",
     .ops = &mantis_ops, .setup = &mantis_capuchin},
    {.name = "sifaka", .title = "Sifaka", .year = 2008, .rating = 928,
     .style = "Chess Mantis that has learnt about pawns; still blind to mates.",
     .ops = &mantis_ops, .setup = &mantis_sifaka},
    {.name = "macaque", .title = "Macaque", .year = 2008, .rating = 1026,
     .style = "Chess Mantis with an eye for space, the centre and your king.",
     .ops = &mantis_ops, .setup = &mantis_macaque},
    {.name = "mantis", .title = "Chess Mantis", .year = 2008, .rating = 1023,
     .style = "The whole program: castles, pushes passed pawns, brings its queen out early.",
     .ops = &mantis_ops, .setup = &mantis_mantis},
    {.name = "mantis-minimax", .title = "Chess Mantis, minimax", .year = 2008, .rating = 908,
     .style = "The same judgement with the slower search, so it sees less far.",
     .ops = &mantis_ops, .setup = &mantis_minimax},
    {.name = "mantis-random", .title = "Chess Mantis, random", .year = 2008, .rating = 1023,
     .style = "Chess Mantis with its random switch on: never the same game twice.",
     .ops = &mantis_ops, .setup = &mantis_random},
    {.name = "chessbin-medium", .title = "ChessBin, medium", .year = 2010, .rating = 1736,
     .style = "Six plies and an eye for loose men; one check more than it promised.",
     .ops = &chessbin_ops, .setup = &chessbin_medium},
    {.name = "chessbin-hard", .title = "ChessBin, hard", .year = 2010, .rating = 1736,
     .style = "The same a ply deeper: patient, and slow without a clock.",
     .ops = &chessbin_ops, .setup = &chessbin_hard},
    {.name = "adaptive", .title = "The adaptive program", .year = 2011, .rating = 915,
     .style = "Two plies and four weights; takes a draw when it stands worse.",
     .ops = &adaptive_ops, .setup = &adaptive_first},
    {.name = "adaptive-evolved", .title = "The adaptive program, evolved", .year = 2026, .rating = 885,
     .style = "The adaptive program with weights that games have bred.",
     .ops = &adaptive_ops, .setup = &adaptive_evolved},
    {.name = "kanji", .title = "Kanji", .year = 2014, .rating = 1450,
     .style = "Every technique of its document at once, after an opening by the book.",
     .ops = &kanji_ops, .setup = &kanji_whole},
    {.name = "kanji-minimax", .title = "Kanji, minimax", .year = 2014, .rating = 890,
     .style = "The beginning of the document: every move, four plies.",
     .ops = &kanji_ops, .setup = &kanji_minimax},
    {.name = "kanji-ab", .title = "Kanji, alpha-beta", .year = 2014, .rating = 954,
     .style = "Leaves out what cannot matter.",
     .ops = &kanji_ops, .setup = &kanji_alphabeta},
    {.name = "kanji-tt", .title = "Kanji, table", .year = 2014, .rating = 967,
     .style = "Remembers the positions that it has seen.",
     .ops = &kanji_ops, .setup = &kanji_table},
    {.name = "kanji-order", .title = "Kanji, ordering", .year = 2014, .rating = 1104,
     .style = "Looks at the best moves of the last depth first.",
     .ops = &kanji_ops, .setup = &kanji_order},
    {.name = "kanji-null", .title = "Kanji, null move", .year = 2014, .rating = 1059,
     .style = "Asks first what happens if it does nothing.",
     .ops = &kanji_ops, .setup = &kanji_null},
    {.name = "kanji-quiescence", .title = "Kanji, quiescence", .year = 2014, .rating = 1450,
     .style = "Plays captures out before it judges; without the book.",
     .ops = &kanji_ops, .setup = &kanji_quiescence},
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

const OpponentRow *opponents_find(Span name)
{
    for (int i = 0; i < ROW_COUNT; i++)
        if (span_is_ignoring_case(name, opponent_rows[i].name))
            return &opponent_rows[i];
    return NULL;
}

/* -- Near names -- */

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

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
            int changed = corner + (lower(typed.at[i]) != name[j - 1]);
            corner = row[j];
            row[j] = least(changed, 1 + least(row[j], row[j - 1]));
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

Status opponents_unknown(Span name, Message *why)
{
    Text near;
    char shown[UNKNOWN_SHOWN];
    text_init(&near);
    for (int i = 0; i < ROW_COUNT; i++)
        if (is_near(name, opponent_rows[i].name))
            text_addf(&near, "%s%s", near.len ? ", " : "", opponent_rows[i].name);
    span_show(name, shown, sizeof shown);
    if (near.len)
        status_fail(why, STATUS_MISSING, "no opponent '%s'; is it one of these: %s?", shown,
                    near.at);
    else
        status_fail(why, STATUS_MISSING, "no opponent '%s'; castellan opponents lists them", shown);
    text_free(&near);
    return STATUS_MISSING;
}
