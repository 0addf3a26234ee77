#include "app/arg_values.h"

#include "chess/fen.h"
#include "match/player.h"

bool arg_clock(const char *value, void *limits)
{
    return player_read_clock(limits, span_of(value), NULL) == STATUS_OK;
}

Status arg_position(const ArgWords *words, int first, bool chess960, Position *p, Message *why)
{
    Text fen = text_new();
    args_join(words, first, &fen);
    Span given = {fen.at, fen.len};
    Status s = fen_parse(p, words->count > first ? given : span_of(FEN_START), chess960, why);
    text_free(&fen);
    return s;
}
