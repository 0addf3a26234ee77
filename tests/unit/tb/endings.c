#include "endings.h"

#include "chess/setup.h"
#include "tb/tb_int.h"

#include <stdio.h>
#include <string.h>

Tablebases *endings_open(void)
{
    Tablebases *tb;
    Message why;
    if (tb_open(&tb, ENDINGS_PATH, &why) == STATUS_OK)
        return tb;
    printf("skip tables: %s\n", why.text);
    return NULL;
}

/* Two pawns side by side, as if one had just passed the other. */
static void place_en_passant(Random *random, Setup *s)
{
    int file = (int)random_below(random, 7), left = (int)random_below(random, 2);
    int rank = s->side == WHITE ? 4 : 3, behind = s->side == WHITE ? 5 : 2;
    s->board[square_make(file + left, rank)] = piece_make(s->side, PAWN);
    s->board[square_make(file + 1 - left, rank)] = piece_make(color_other(s->side), PAWN);
    s->ep = square_make(file + 1 - left, behind);
}

static void place(Random *random, Setup *s, Piece piece)
{
    Square at;
    do
        at = (Square)random_below(random, SQUARE_COUNT);
    while (s->board[at] != NO_PIECE);
    s->board[at] = piece;
}

void endings_random(Random *random, int pieces, Position *p)
{
    Setup s;
    Message why;
    do {
        setup_clear(&s);
        s.side = (Color)random_below(random, COLOR_COUNT);
        int others = pieces - 2;
        if (others >= 2 && random_below(random, 8) == 0) {
            place_en_passant(random, &s);
            others -= 2;
        }
        for (int i = 0; i < others; i++)
            place(random, &s,
                  piece_make((Color)random_below(random, COLOR_COUNT),
                             (PieceType)random_below(random, KING)));
        place(random, &s, piece_make(WHITE, KING));
        place(random, &s, piece_make(BLACK, KING));
    } while (pos_set(p, &s, &why) != STATUS_OK);
}

static void place_name(Random *random, Setup *s, const char *name)
{
    static const char letters[] = "PNBRQK";
    Color c = s->side;
    if (random_below(random, 2))
        c = color_other(c);
    for (; *name && *name != '.'; name++) {
        const char *letter = strchr(letters, *name);
        if (letter)
            place(random, s, piece_make(c, (PieceType)(letter - letters)));
        else
            c = color_other(c);
    }
}

void endings_of(Random *random, const char *name, Position *p)
{
    Setup s;
    do {
        setup_clear(&s);
        s.side = (Color)random_below(random, COLOR_COUNT);
        place_name(random, &s, name);
    } while (pos_set(p, &s, NULL) != STATUS_OK);
}

bool endings_sanitized(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    return true;
#else
    return false;
#endif
#else
    return false;
#endif
}

int endings_refused(const Tablebases *tb, Message *why)
{
    if (why)
        snprintf(why->text, sizeof why->text, "%s", tb->refused ? tb->refusals.at : "");
    return tb->refused;
}
