/* The many words of "go". */
#include "proto/uci_int.h"

#include "chess/uci_move.h"

#include <limits.h>

typedef enum GoWord {
    GO_WTIME,
    GO_BTIME,
    GO_WINC,
    GO_BINC,
    GO_MOVESTOGO,
    GO_MOVETIME,
    GO_DEPTH,
    GO_MATE,
    GO_NODES,
    GO_PERFT,
    GO_NUMBERS, /* the words above take a number, those below do not */
    GO_INFINITE = GO_NUMBERS,
    GO_PONDER,
    GO_SEARCHMOVES,
    GO_NONE
} GoWord;

static const char *const go_words[GO_NONE] = {
    [GO_WTIME] = "wtime",
    [GO_BTIME] = "btime",
    [GO_WINC] = "winc",
    [GO_BINC] = "binc",
    [GO_MOVESTOGO] = "movestogo",
    [GO_MOVETIME] = "movetime",
    [GO_DEPTH] = "depth",
    [GO_MATE] = "mate",
    [GO_NODES] = "nodes",
    [GO_PERFT] = "perft",
    [GO_INFINITE] = "infinite",
    [GO_PONDER] = "ponder",
    [GO_SEARCHMOVES] = "searchmoves",
};

static GoWord find_go_word(Span word)
{
    int i = 0;
    while (i < GO_NONE && !span_is(word, go_words[i]))
        i++;
    return (GoWord)i;
}

static int64_t clamp(int64_t value, int64_t min, int64_t max)
{
    return value < min ? min : value > max ? max : value;
}

/* A number, whatever its size: larger than any clock is as good as the largest. */
static bool read_number(Span word, int64_t *out)
{
    const int64_t largest = INT64_C(1) << 52;
    double real;
    if (!span_to_double(word, &real))
        return false;
    *out = real > (double)largest ? largest : real < -(double)largest ? -largest : (int64_t)real;
    return true;
}

/* A limit of zero means "none" to the search; whoever asks for zero wants the least. */
static void take_number(GoRequest *go, GoWord word, int64_t n)
{
    SearchLimits *l = &go->limits;
    const int64_t day = INT64_C(1000) * 86400;
    switch (word) {
    case GO_WTIME:
    case GO_BTIME: {
        Color c = word == GO_WTIME ? WHITE : BLACK;
        l->has_clock[c] = true;
        l->clock_ms[c] = clamp(n, -day, 365 * day);
        break;
    }
    case GO_WINC:
        l->increment_ms[WHITE] = clamp(n, 0, 365 * day);
        break;
    case GO_BINC:
        l->increment_ms[BLACK] = clamp(n, 0, 365 * day);
        break;
    case GO_MOVESTOGO:
        l->moves_to_go = (int)clamp(n, 0, INT_MAX);
        break;
    case GO_MOVETIME:
        l->move_time_ms = clamp(n, 1, 365 * day);
        break;
    case GO_DEPTH:
        l->depth = (int)clamp(n, 1, INT_MAX);
        break;
    case GO_MATE:
        l->mate = (int)clamp(n, 1, INT_MAX);
        break;
    case GO_NODES:
        l->nodes = (uint64_t)clamp(n, 1, INT64_MAX);
        break;
    case GO_PERFT:
        go->perft = (int)clamp(n, 0, 100);
        break;
    default:
        break;
    }
}

/* Takes the moves that follow; the first word that is none is left in *rest. Moves that are not
 * legal here are skipped. */
static void take_moves(SearchLimits *l, const Position *p, Span *rest)
{
    Span ahead = *rest, word;
    while (span_next_word(&ahead, &word) && find_go_word(word) == GO_NONE) {
        *rest = ahead;
        Move m = uci_move_read(p, word);
        bool known = m == MOVE_NONE;
        for (int i = 0; i < l->only_count; i++)
            known = known || l->only[i] == m;
        if (!known)
            l->only[l->only_count++] = m;
    }
}

/* A lone clock counts for both: tools send "go wtime 100" whoever is to move. */
static void share_clock(SearchLimits *l)
{
    if (l->has_clock[WHITE] == l->has_clock[BLACK])
        return;
    Color told = l->has_clock[WHITE] ? WHITE : BLACK;
    Color other = color_other(told);
    l->has_clock[other] = true;
    l->clock_ms[other] = l->clock_ms[told];
    if (!l->increment_ms[other])
        l->increment_ms[other] = l->increment_ms[told];
}

static bool has_limit(const SearchLimits *l)
{
    return l->has_clock[WHITE] || l->move_time_ms || l->depth || l->mate || l->nodes;
}

void uci_parse_go(Span rest, const Position *p, int64_t arrived_ms, GoRequest *out)
{
    *out = (GoRequest){.perft = -1};
    out->limits.start_ms = arrived_ms;
    Span word, value;
    while (span_next_word(&rest, &word)) {
        GoWord w = find_go_word(word);
        int64_t n;
        Span ahead = rest;
        if (w < GO_NUMBERS && span_next_word(&ahead, &value) && read_number(value, &n)) {
            rest = ahead;
            take_number(out, w, n);
        }
        if (w == GO_SEARCHMOVES)
            take_moves(&out->limits, p, &rest);
        out->limits.infinite |= w == GO_INFINITE;
        out->limits.ponder |= w == GO_PONDER;
    }
    share_clock(&out->limits);
    out->limits.infinite |= !has_limit(&out->limits) && !out->limits.ponder;
}
