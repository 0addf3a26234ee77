#include "term/entry.h"

#include "chess/san.h"
#include "chess/uci_move.h"

#include <stdio.h>

EntryKind entry_between(const Position *p, Square from, Square to, Move *move)
{
    char text[UCI_MOVE_SIZE];
    square_name(from, text);
    square_name(to, text + 2);
    *move = uci_move_read(p, (Span){text, 4});
    if (*move != MOVE_NONE)
        return ENTRY_MOVE;
    text[4] = 'q';
    *move = uci_move_read(p, (Span){text, 5});
    return *move != MOVE_NONE ? ENTRY_PROMOTION : ENTRY_NOTHING;
}

/* JavaChess counts squares from a8 along the ranks. */
static bool read_numbers(Span text, Square *from, Square *to)
{
    Span first, second, more;
    int64_t a, b;
    if (!span_next_word(&text, &first) || !span_next_word(&text, &second) ||
        span_next_word(&text, &more) || !span_to_int64(first, 0, 63, &a) ||
        !span_to_int64(second, 0, 63, &b))
        return false;
    *from = (Square)(a ^ 56);
    *to = (Square)(b ^ 56);
    return true;
}

/* "e8" and "exd8": legal once a queen is added. */
static bool lacks_promotion(const Position *p, Span text, Move *move)
{
    char longer[16];
    if (!text.len || text.len > 8)
        return false;
    int len = snprintf(longer, sizeof longer, "%.*s=Q", (int)text.len, text.at);
    return san_read(p, (Span){longer, (size_t)len}, move, NULL) == STATUS_OK &&
           move_is_promotion(*move);
}

EntryKind entry_read(const Position *p, Span text, Move *move, Message *why)
{
    Square from, to;
    text = span_trim(text);
    if (read_numbers(text, &from, &to)) {
        EntryKind kind = entry_between(p, from, to, move);
        if (kind == ENTRY_NOTHING)
            status_fail(why, STATUS_INVALID, "\"%.*s\" is not legal here", (int)text.len, text.at);
        return kind;
    }
    if (san_read(p, text, move, why) == STATUS_OK) {
        if (*move != MOVE_NULL)
            return ENTRY_MOVE;
        status_fail(why, STATUS_INVALID, "null moves are not allowed");
        return ENTRY_NOTHING;
    }
    return lacks_promotion(p, text, move) ? ENTRY_PROMOTION : ENTRY_NOTHING;
}

Move entry_promotion(Move queen, Span answer)
{
    static const struct {
        const char *letter, *word;
        PieceType type;
    } pieces[] = {{"q", "queen", QUEEN},
                  {"r", "rook", ROOK},
                  {"b", "bishop", BISHOP},
                  {"n", "knight", KNIGHT}};
    answer = span_trim(answer);
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        if (span_is_ignoring_case(answer, pieces[i].letter) ||
            span_is_ignoring_case(answer, pieces[i].word))
            return move_make_promotion(move_from(queen), move_to(queen), pieces[i].type);
    return MOVE_NONE;
}
